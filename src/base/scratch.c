/* src/base/scratch.c: blocks of memory in files, and the scratch as a whole. */
#include "scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "scratch_files.h"
#include "scratch_keeper.h"
#include "scratch_state.h"

#define LARGE ((size_t)1 << HD_SCRATCH_LARGE_BITS)
#define CLASSES_PER_DOUBLING HD_SCRATCH_CLASSES_PER_DOUBLING
#define MIN_CLASS_BITS HD_SCRATCH_MIN_BITS

enum { SEGMENT_BYTES = 4 << 20 };

typedef struct head { /* before every block */
    uint64_t bytes;   /* of the block with its head */
    uint32_t file;    /* number of the file of a large block; else SMALL or IN_HEAP */
#define SMALL HD_NONE
#define IN_HEAP (HD_NONE - 1) /* there was no space */
    uint32_t class_;  /* of a small one */
} head;

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

static head *
head_of(void *block)
{
    return (head *)block - 1;
}

static size_t
room_of(void *block)
{
    return block != NULL ? head_of(block)->bytes - sizeof(head) : 0;
}

/* bytes: with the head; made as large as its class. */
static uint32_t
class_of(size_t *bytes)
{
    unsigned bits = MIN_CLASS_BITS, steps;
    size_t   step;

    if (*bytes <= (size_t)1 << MIN_CLASS_BITS) {
        *bytes = (size_t)1 << MIN_CLASS_BITS;
        return 0;
    }
    bits   = 63 - (unsigned)__builtin_clzll(*bytes - 1);
    step   = ((size_t)1 << bits) / CLASSES_PER_DOUBLING;
    steps  = (unsigned)((*bytes - 1 - ((size_t)1 << bits)) / step) + 1;
    *bytes = ((size_t)1 << bits) + steps * step;
    return (bits - MIN_CLASS_BITS) * CLASSES_PER_DOUBLING + steps;
}

/* The first ones are smaller, so that little is taken for little. */
static bool
new_segment(hd_scratch *scratch, size_t least)
{
    size_t   small  = least > HD_SCRATCH_SEGMENT_BYTES ? LARGE : HD_SCRATCH_SEGMENT_BYTES;
    size_t   bytes  = scratch->stats.file_bytes < SEGMENT_BYTES ? small : SEGMENT_BYTES;
    uint32_t number = hd_scratch_add_file(scratch, bytes, false);

    if (number == HD_NONE)
        return false;
    scratch->next = scratch->files[number].at;
    scratch->end  = scratch->next + bytes;
    return true;
}

/* NULL: there is no space. */
static void *
take_small(hd_scratch *scratch, size_t bytes)
{
    uint32_t class = class_of(&bytes);
    void    *block = scratch->free_blocks[class];

    if (block != NULL) {
        memcpy(&scratch->free_blocks[class], block, sizeof block);
        return block;
    }
    if ((size_t)(scratch->end - scratch->next) < bytes && !new_segment(scratch, bytes))
        return NULL;
    block = (head *)(void *)scratch->next + 1;
    scratch->next += bytes;
    *head_of(block) = (head){ .bytes = bytes, .file = SMALL, .class_ = class };
    return block;
}

static void
put_small(hd_scratch *scratch, void *block)
{
    void **list = &scratch->free_blocks[head_of(block)->class_];

    memcpy(block, list, sizeof *list);
    *list = block;
}

static size_t
whole_pages(const hd_scratch *scratch, size_t bytes)
{
    return (bytes + scratch->page_bytes - 1) & ~(scratch->page_bytes - 1);
}

/* A block above the classes; NULL: there is no space. */
static void *
take_large(hd_scratch *scratch, size_t bytes, bool may_grow)
{
    uint32_t number;
    void    *block;

    bytes  = whole_pages(scratch, bytes);
    number = hd_scratch_add_file(scratch, bytes, may_grow);
    if (number == HD_NONE)
        return NULL;
    block           = (head *)(void *)scratch->files[number].at + 1;
    *head_of(block) = (head){ .bytes = bytes, .file = number };
    return block;
}

static void *
take_from_heap(size_t bytes)
{
    head *own = hd_realloc(NULL, bytes, 1);

    *own = (head){ .bytes = bytes, .file = IN_HEAP };
    return own + 1;
}

static void *
take(hd_scratch *scratch, size_t bytes, bool may_grow)
{
    void *block;

    if (__builtin_add_overflow(bytes, sizeof(head), &bytes) || bytes > INT64_MAX / 2)
        hd_fatal("out of memory: %zu bytes cannot be addressed", bytes);
    pthread_mutex_lock(&scratch->lock);
    block = bytes < LARGE ? take_small(scratch, bytes) : take_large(scratch, bytes, may_grow);
    pthread_mutex_unlock(&scratch->lock);
    return block != NULL ? block : take_from_heap(bytes);
}

/* The large block itself, as long as that; NULL: it cannot change its size any more. */
static void *
resize_in_place(hd_scratch *scratch, void *block, size_t bytes)
{
    uint32_t     number  = head_of(block)->file;
    hd_mapped_file *file;
    void        *resized = NULL;

    pthread_mutex_lock(&scratch->lock);
    file = number < IN_HEAP ? &scratch->files[number] : NULL;
    if (file != NULL && file->descriptor >= 0 &&
        hd_scratch_resize_file(scratch, file, whole_pages(scratch, bytes + sizeof(head)))) {
        resized                 = (head *)(void *)file->at + 1;
        head_of(resized)->bytes = file->bytes;
    }
    pthread_mutex_unlock(&scratch->lock);
    return resized;
}

static void *
move(hd_scratch *scratch, void *old, size_t bytes, bool may_grow)
{
    void  *block = take(scratch, bytes, may_grow);
    size_t room  = room_of(old);

    if (old != NULL)
        memcpy(block, old, room < bytes ? room : bytes);
    hd_scratch_free(scratch, old);
    return block;
}

/* It will not grow any more. */
static void *
shrink(hd_scratch *scratch, void *old, size_t bytes)
{
    size_t whole = bytes + sizeof(head);
    void  *resized;

    if (whole >= LARGE && (resized = resize_in_place(scratch, old, bytes)) != NULL) {
        pthread_mutex_lock(&scratch->lock);
        hd_scratch_close_descriptor(scratch, &scratch->files[head_of(resized)->file]);
        pthread_mutex_unlock(&scratch->lock);
        return resized;
    }
    class_of(&whole);
    return whole < head_of(old)->bytes ? move(scratch, old, bytes, false) : old;
}

static size_t
bytes_of(size_t n, size_t element_bytes)
{
    size_t bytes;

    if (__builtin_mul_overflow(n, element_bytes, &bytes))
        hd_fatal("out of memory: %zu x %zu bytes cannot be addressed", n, element_bytes);
    return bytes;
}

void *
hd_scratch_realloc(hd_scratch *scratch, void *old, size_t n, size_t element_bytes)
{
    size_t bytes   = bytes_of(n, element_bytes);
    void  *resized = NULL;

    if (scratch == NULL)
        return hd_realloc(old, n, element_bytes);
    if (old != NULL && bytes <= room_of(old))
        return shrink(scratch, old, bytes);
    if (old != NULL)
        resized = resize_in_place(scratch, old, bytes);
    return resized != NULL ? resized : move(scratch, old, bytes, old != NULL);
}

void *
hd_scratch_alloc(hd_scratch *scratch, size_t n, size_t element_bytes)
{
    void *block;

    if (scratch == NULL)
        return hd_alloc(n, element_bytes);
    block = hd_scratch_realloc(scratch, NULL, n, element_bytes);
    if (head_of(block)->file >= IN_HEAP) /* a new file has zeros */
        memset(block, 0, n * element_bytes);
    return block;
}

void *
hd_scratch_grow(hd_scratch *scratch, void *array, size_t n, size_t *capacity, size_t element_bytes)
{
    if (scratch == NULL)
        return hd_grow(array, n, capacity, element_bytes);
    if (n < *capacity)
        return array;
    *capacity += *capacity / 2 + 8;
    return hd_scratch_realloc(scratch, array, *capacity, element_bytes);
}

void *
hd_scratch_pack(hd_scratch *scratch, void *old, size_t n, size_t element_bytes)
{
    if (scratch == NULL)
        return hd_pack(old, n, element_bytes);
    return old != NULL ? shrink(scratch, old, n * element_bytes) : NULL;
}

void
hd_scratch_free(hd_scratch *scratch, void *block)
{
    if (scratch == NULL) {
        free(block);
        return;
    }
    if (block == NULL)
        return;
    if (head_of(block)->file == IN_HEAP) {
        free(head_of(block));
        return;
    }
    pthread_mutex_lock(&scratch->lock);
    if (head_of(block)->file == SMALL)
        put_small(scratch, block);
    else
        hd_scratch_remove_file(scratch, head_of(block)->file);
    pthread_mutex_unlock(&scratch->lock);
}

/* ---- the scratch as a whole -------------------------------------------------------------------------------------- */

void
hd_scratch_drop(hd_scratch *scratch)
{
    pthread_mutex_lock(&scratch->lock);
    hd_keeper_drop(scratch);
    pthread_mutex_unlock(&scratch->lock);
}

hd_scratch_stats
hd_scratch_stats_get(hd_scratch *scratch)
{
    hd_scratch_stats stats = { 0 };

    if (scratch == NULL)
        return stats;
    pthread_mutex_lock(&scratch->lock);
    stats = scratch->stats;
    pthread_mutex_unlock(&scratch->lock);
    return stats;
}

hd_status
hd_scratch_check(hd_scratch *scratch)
{
    hd_status status = HD_OK;

    if (scratch == NULL)
        return HD_OK;
    pthread_mutex_lock(&scratch->lock);
    status = scratch->error.status;
    if (status != HD_OK)
        hd_error_set(&scratch->error);
    pthread_mutex_unlock(&scratch->lock);
    return status;
}

void
hd_scratch_require(hd_scratch *scratch)
{
    if (scratch == NULL)
        return;
    pthread_mutex_lock(&scratch->lock);
    scratch->is_required = true;
    pthread_mutex_unlock(&scratch->lock);
}

const char *
hd_scratch_directory(const hd_scratch *scratch)
{
    return scratch->directory;
}

static void
scratch_free(hd_scratch *scratch)
{
    for (size_t i = 0; i < scratch->n_files; i++)
        if (scratch->files[i].at != NULL)
            hd_scratch_remove_file(scratch, (uint32_t)i);
    if (scratch->statm >= 0)
        close(scratch->statm);
    pthread_cond_destroy(&scratch->ends);
    pthread_mutex_destroy(&scratch->lock);
    free(scratch->files);
    free(scratch->directory);
    free(scratch);
}

static hd_scratch *
scratch_new(const char *directory, uint64_t limit_bytes)
{
    hd_scratch        *scratch = HD_NEW(hd_scratch);
    pthread_condattr_t monotonic;

    if (directory == NULL)
        directory = getenv("TMPDIR");
    scratch->directory         = hd_strdup(directory != NULL && *directory != '\0' ? directory : "/tmp");
    scratch->limit_bytes       = limit_bytes;
    scratch->stats.limit_bytes = limit_bytes;
    scratch->page_bytes        = (size_t)sysconf(_SC_PAGESIZE);
    scratch->statm             = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    pthread_mutex_init(&scratch->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&scratch->ends, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return scratch;
}

hd_status
hd_scratch_open(const char *directory, uint64_t limit_bytes, hd_scratch **scratch_out)
{
    hd_scratch *scratch = scratch_new(directory, limit_bytes);
    hd_status   status  = HD_OK;

    hd_keeper_resident_bytes(scratch, &scratch->other_file_bytes);
    signal(SIGXFSZ, SIG_IGN); /* a file that may not be that large is an error */
    if (scratch->statm < 0)
        status = hd_fail(HD_EOPEN, "a memory limit needs \"/proc/self/statm\", which cannot be opened: %s",
                         strerror(errno));
    if (status == HD_OK)
        status = hd_scratch_try_directory(scratch);
    if (status == HD_OK)
        status = hd_keeper_start(scratch);
    if (status != HD_OK) {
        scratch_free(scratch);
        return status;
    }
    *scratch_out = scratch;
    return HD_OK;
}

void
hd_scratch_close(hd_scratch *scratch)
{
    if (scratch == NULL)
        return;
    pthread_mutex_lock(&scratch->lock);
    scratch->is_ending = true;
    pthread_cond_signal(&scratch->ends);
    pthread_mutex_unlock(&scratch->lock);
    pthread_join(scratch->keeper, NULL);
    scratch_free(scratch);
}
