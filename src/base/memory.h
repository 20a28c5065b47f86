/* src/base/memory.h: allocation that does not fail, growing arrays, and a pool.
 *
 * Memory that cannot be had ends the run through hd_fatal() with the number of bytes, so callers need no error path
 * for it. Sizes that came out of an archive are checked by the caller before they get here. Uses: nothing.
 * MT: any thread; a growing array or pool belongs to one thread at a time. Ranks: local.
 */
#ifndef HD_MEMORY_H
#define HD_MEMORY_H

#include <stdlib.h>
#include <string.h>

#include "types.h"

#define HD_NEVER_NULL __attribute__((returns_nonnull))

void *hd_alloc(size_t n, size_t element_bytes) HD_NEVER_NULL;  /* zeroed; n * element_bytes is checked for overflow;
                                                                * free() it */
void *hd_alloc_apart(size_t n, size_t element_bytes) HD_NEVER_NULL; /* the same, in cache lines of its own: for what one
                                                                     * thread writes beside others, and what others read
                                                                     * beside it, as such a line goes from core to core
                                                                     * each time */
void *hd_alloc_apart_unset(size_t n, size_t element_bytes) HD_NEVER_NULL; /* the same, not zeroed */
typedef struct hd_resident { /* [bytes] of this process; 0: the system does not say it */
    uint64_t now, peak;
} hd_resident;

hd_resident hd_resident_bytes(void);
void  hd_give_back(void); /* what was freed goes to the system, as far as the C library can do that, if the process
                           * holds nearly as much as it ever did: else its peak is not higher without this */
void  hd_map_large_blocks(void); /* from now on these go back when they are freed: where they live long, for it is slow
                                  * where many are taken and freed */
void *hd_realloc(void *old, size_t n, size_t element_bytes) HD_NEVER_NULL; /* new elements are not zeroed */
void *hd_pack(void *old, size_t n, size_t element_bytes); /* no more room than that, NULL for none; small blocks are
                                                           * copied, so that no gaps are left */
char *hd_strdup(const char *text) HD_NEVER_NULL;
char *hd_format(const char *format, ...) __attribute__((format(printf, 1, 2))) HD_NEVER_NULL; /* malloc'ed text */

/* Room for at least one more element in a growing array of which n of *capacity are used: returns the array, moved or
 * not. Grows by half. Cost: O(1) amortised. */
void *hd_grow(void *array, size_t n, size_t *capacity, size_t element_bytes) HD_NEVER_NULL;

#define HD_NEW(type) ((type *)hd_alloc(1, sizeof(type)))
#define HD_NEW_ARRAY(type, n) ((type *)hd_alloc((n), sizeof(type)))
#define HD_NEW_UNSET(type, n) ((type *)hd_realloc(NULL, (n), sizeof(type))) /* every element is written before it is
                                                                             * read */
#define HD_PUSH(array, n, capacity, value)                                                                             \
    do {                                                                                                               \
        if ((n) == (capacity))                                                                                         \
            (array) = hd_grow((array), (n), &(capacity), sizeof *(array));                                             \
        (array)[(n)++] = (value);                                                                                      \
    } while (0)

/* Room for `more` elements, which HD_PUSH() then need not make. */
#define HD_RESERVE(array, n, capacity, more)                                                                           \
    do {                                                                                                               \
        if ((capacity) - (n) < (more)) {                                                                               \
            (capacity) = (n) + (more);                                                                                 \
            (array)    = hd_realloc((array), (capacity), sizeof *(array));                                             \
        }                                                                                                              \
    } while (0)

/* A pool of equal elements: taken and put back in O(1), freed all at once. Grows with: elements in use at the same
 * time. */
typedef struct hd_pool {
    size_t element_bytes; /* >= sizeof(void *) */
    void  *free_list;
    void  *slabs;
    char  *next, *end; /* the unused rest of the newest slab */
    size_t slab_bytes;
} hd_pool;

void  hd_pool_init(hd_pool *pool, size_t element_bytes);
void *hd_pool_refill(hd_pool *pool);
void  hd_pool_fini(hd_pool *pool);

static inline void *
hd_pool_take(hd_pool *pool) /* not zeroed */
{
    void *element = pool->free_list;

    if (HD_LIKELY(element != NULL)) {
        memcpy(&pool->free_list, element, sizeof(void *));
        return element;
    }
    return hd_pool_refill(pool);
}

static inline void
hd_pool_put(hd_pool *pool, void *element)
{
    memcpy(element, &pool->free_list, sizeof(void *));
    pool->free_list = element;
}

#endif
