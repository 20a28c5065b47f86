#include "memory.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "status.h"

enum { LARGE_BLOCK_BYTES = 64 * 1024 };
enum { SLAB_BYTES = 2040 }; /* slabs of pools fit into gaps that others leave */
enum { LINE_BYTES = 64 };   /* of the cache */

/* What the system says of the process in a line, [bytes]; 0: nothing. */
static uint64_t
bytes_of(const char *text, const char *name)
{
    const char *line = strstr(text, name);

    return line != NULL ? strtoull(line + strlen(name), NULL, 10) * 1024 : 0;
}

hd_resident
hd_resident_bytes(void)
{
    char    text[8192]; /* the groups of a user stand before these lines */
    int     file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    ssize_t n    = file >= 0 ? read(file, text, sizeof text - 1) : 0;

    if (file >= 0)
        close(file);
    text[n > 0 ? n : 0] = '\0';
    return (hd_resident){ .now = bytes_of(text, "VmRSS:"), .peak = bytes_of(text, "VmHWM:") };
}

/* Each gap is a call of the system that interrupts the other threads, and its pages are cleared when they are used
 * again. */
void
hd_give_back(void)
{
#ifdef __GLIBC__
    hd_resident resident = hd_resident_bytes();

    if (resident.now >= resident.peak / 8 * 7)
        malloc_trim(0);
#endif
}

void
hd_map_large_blocks(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK_BYTES);
#endif
}

void *
hd_realloc(void *old, size_t n, size_t element_bytes)
{
    size_t bytes;
    void  *memory;

    if (__builtin_mul_overflow(n, element_bytes, &bytes))
        hd_fatal("out of memory: %zu x %zu bytes cannot be addressed", n, element_bytes);
    memory = realloc(old, bytes > 0 ? bytes : 1);
    if (memory == NULL)
        hd_fatal("out of memory: %zu bytes could not be allocated", bytes);
    return memory;
}

void *
hd_pack(void *old, size_t n, size_t element_bytes)
{
    void *packed;

    if (n == 0) {
        free(old);
        return NULL;
    }
    if (n * element_bytes >= LARGE_BLOCK_BYTES)
        return hd_realloc(old, n, element_bytes);
    packed = hd_realloc(NULL, n, element_bytes);
    memcpy(packed, old, n * element_bytes);
    free(old);
    return packed;
}

void *
hd_alloc(size_t n, size_t element_bytes)
{
    void *memory = calloc(n > 0 ? n : 1, element_bytes > 0 ? element_bytes : 1);

    if (memory == NULL)
        hd_fatal("out of memory: %zu x %zu bytes could not be allocated", n, element_bytes);
    return memory;
}

void *
hd_alloc_apart_unset(size_t n, size_t element_bytes)
{
    size_t bytes;
    void  *memory = NULL;

    if (!__builtin_mul_overflow(n, element_bytes, &bytes) && bytes < SIZE_MAX - LINE_BYTES)
        memory = aligned_alloc(LINE_BYTES, (bytes / LINE_BYTES + 1) * LINE_BYTES);
    if (memory == NULL)
        hd_fatal("out of memory: %zu x %zu bytes could not be allocated", n, element_bytes);
    return memory;
}

void *
hd_alloc_apart(size_t n, size_t element_bytes)
{
    return memset(hd_alloc_apart_unset(n, element_bytes), 0, n * element_bytes);
}

void *
hd_grow(void *array, size_t n, size_t *capacity, size_t element_bytes)
{
    size_t grown = *capacity + *capacity / 2 + 4;

    if (n < *capacity)
        return array;
    array     = hd_realloc(array, grown, element_bytes);
    *capacity = grown;
    return array;
}

char *
hd_strdup(const char *text)
{
    size_t bytes = strlen(text) + 1;

    return memcpy(hd_realloc(NULL, bytes, 1), text, bytes);
}

char *
hd_format(const char *format, ...)
{
    va_list arguments;
    char   *text = NULL;
    int     length;

    va_start(arguments, format);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    HD_ASSERT(length >= 0);
    text = hd_realloc(NULL, (size_t)length + 1, 1);
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

void
hd_pool_init(hd_pool *pool, size_t element_bytes)
{
    *pool = (hd_pool){ .element_bytes = (element_bytes + 7) & ~(size_t)7, .slab_bytes = SLAB_BYTES };
}

void *
hd_pool_refill(hd_pool *pool)
{
    void *element;

    if ((size_t)(pool->end - pool->next) < pool->element_bytes) {
        char *slab;

        while (pool->slab_bytes < pool->element_bytes + 16)
            pool->slab_bytes *= 2;
        slab = hd_realloc(NULL, pool->slab_bytes, 1);
        memcpy(slab, &pool->slabs, sizeof(void *));
        pool->slabs = slab;
        pool->next  = slab + 16;
        pool->end   = slab + pool->slab_bytes;
    }
    element = pool->next;
    pool->next += pool->element_bytes;
    return element;
}

void
hd_pool_fini(hd_pool *pool)
{
    while (pool->slabs != NULL) {
        void *slab = pool->slabs;

        memcpy(&pool->slabs, slab, sizeof(void *));
        free(slab);
    }
    *pool = (hd_pool){ 0 };
}
