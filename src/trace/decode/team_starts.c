#include "team_starts.h"

#include "idle.h"
#include "memory.h"

#define FIRST_BLOCK_BITS 6 /* block i has 2^(6 + i) instances */
#define N_BLOCKS (32 - FIRST_BLOCK_BITS)

struct hd_start_list {
    uint32_t         comm;
    _Atomic uint32_t n; /* release in hd_team_starts_add() pairs with acquire in look_up() */
    uint32_t        *blocks[N_BLOCKS];
    hd_start_list   *next;
};

static hd_start_list *
find_list(const hd_team_starts *starts, uint32_t comm)
{
    hd_start_list *list = atomic_load_explicit(&starts->lists, memory_order_acquire);

    while (list != NULL && list->comm != comm)
        list = list->next;
    return list;
}

static uint32_t
block_of(uint32_t instance, uint32_t *offset)
{
    uint64_t n     = (uint64_t)instance + (UINT64_C(1) << FIRST_BLOCK_BITS);
    uint32_t block = 63 - (uint32_t)__builtin_clzll(n) - FIRST_BLOCK_BITS;

    *offset = (uint32_t)(n - (UINT64_C(1) << (block + FIRST_BLOCK_BITS)));
    return block;
}

void
hd_team_starts_add(hd_team_starts *starts, uint32_t comm, uint32_t node)
{
    hd_start_list *list = find_list(starts, comm);
    uint32_t       n, block, offset;

    if (list == NULL) {
        list       = HD_NEW(hd_start_list);
        list->comm = comm;
        list->next = atomic_load_explicit(&starts->lists, memory_order_relaxed); /* written by this thread */
        atomic_store_explicit(&starts->lists, list, memory_order_release);
    }
    n     = atomic_load_explicit(&list->n, memory_order_relaxed); /* written by this thread */
    block = block_of(n, &offset);
    if (block == N_BLOCKS)
        return; /* 4 billion instances: those after them are unknown */
    if (list->blocks[block] == NULL)
        list->blocks[block] = hd_scratch_alloc(starts->scratch, (size_t)1 << (block + FIRST_BLOCK_BITS),
                                               sizeof(uint32_t));
    list->blocks[block][offset] = node;
    atomic_store_explicit(&list->n, n + 1, memory_order_release);
}

void
hd_team_starts_complete(hd_team_starts *starts)
{
    atomic_store_explicit(&starts->complete, true, memory_order_release);
}

static bool
look_up(const hd_team_starts *starts, uint32_t comm, uint32_t instance, uint32_t *node)
{
    const hd_start_list *list = find_list(starts, comm);
    uint32_t             block, offset;

    if (list == NULL || atomic_load_explicit(&list->n, memory_order_acquire) <= instance)
        return false;
    block = block_of(instance, &offset);
    *node = list->blocks[block][offset];
    return true;
}

uint32_t
hd_team_starts_wait(const hd_team_starts *starts, uint32_t comm, uint32_t instance)
{
    hd_idling idling = { 0 };
    uint32_t  node;

    for (;;) {
        bool complete = atomic_load_explicit(&starts->complete, memory_order_acquire);

        if (look_up(starts, comm, instance, &node))
            return node;
        if (complete)
            return HD_START_UNKNOWN;
        hd_idle(&idling, true);
    }
}

void
hd_team_starts_fini(hd_team_starts *starts)
{
    /* no other thread is there any more */
    hd_start_list *list = atomic_load_explicit(&starts->lists, memory_order_relaxed);

    while (list != NULL) {
        hd_start_list *next = list->next;

        for (uint32_t i = 0; i < N_BLOCKS; i++)
            hd_scratch_free(starts->scratch, list->blocks[i]);
        free(list);
        list = next;
    }
    *starts = (hd_team_starts){ .scratch = starts->scratch };
}
