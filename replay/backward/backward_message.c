/* replay/backward/backward_message.c: messages of the backward replay, in a map of each process by what they are for.
 * A message can arrive before the location has come to the point, so an entry is made by whichever side is first. */
#include "backward_message.h"

#include <stddef.h>

enum { FEW_ENTRIES = 4 }; /* most messages have no more: up to there are pools for each number, */

static uint32_t
entries_of_pool(uint32_t pool)
{
    return pool <= FEW_ENTRIES ? pool : UINT32_C(1) << (pool - 2); /* then for 8, 16, 32 */
}

/* The pool for so many entries; HD_MESSAGE_POOLS: none, longer ones are rare. */
static uint32_t
pool_of(uint32_t n_entries)
{
    uint32_t pool = FEW_ENTRIES;

    if (HD_LIKELY(n_entries <= FEW_ENTRIES))
        return n_entries;
    while (pool < HD_MESSAGE_POOLS && n_entries > entries_of_pool(pool))
        pool++;
    return pool;
}

/* What has come for a point of the vproc's process, made if nothing has. */
static hd_backward_messages *
messages_of(hd_replay_worker *rh, hd_vproc *vproc, uint64_t key)
{
    bool      is_new;
    hd_vproc *first = vproc - vproc->thread;
    uint64_t *place = hd_map_add(&first->backward->messages, key, &is_new);

    if (is_new) {
        hd_backward_messages *made = hd_pool_take(&rh->backward->messages);

        *made  = (hd_backward_messages){ .waiting = HD_NONE };
        *place = (uint64_t)(uintptr_t)made;
    }
    return (hd_backward_messages *)(uintptr_t)*place;
}

static void
drop_messages(hd_replay_worker *rh, hd_backward_messages *all)
{
    while (all->first != NULL) {
        hd_backward_message *message = all->first;
        uint32_t             pool    = pool_of(hd_backward_message_n_entries(&message->item));

        all->first = message->next;
        if (message->item.point > 0)
            rh->replay->vprocs[message->item.waiting].syncs->n_readers--;
        if (HD_LIKELY(pool < HD_MESSAGE_POOLS))
            hd_pool_put(&rh->backward->queued[pool], message);
        else
            hd_scratch_free(rh->replay->scratch, message);
    }
}

static void
drop(hd_replay_worker *rh, hd_vproc *vproc, uint64_t key, hd_backward_messages *all)
{
    drop_messages(rh, all);
    hd_map_remove(&(vproc - vproc->thread)->backward->messages, key);
    hd_pool_put(&rh->backward->messages, all);
}

hd_backward_messages *
hd_backward_messages_expect(hd_replay_worker *rh, hd_vproc *vproc, uint64_t key, uint32_t n)
{
    hd_backward_messages *all = messages_of(rh, vproc, key);

    vproc->backward->is_waiting = all->n < n && !vproc->backward->released;
    vproc->backward->awaited    = all;
    all->awaited                = n;
    all->waiting                = vproc->backward->is_waiting ? vproc->number : HD_NONE;
    return vproc->backward->is_waiting ? NULL : all;
}

void
hd_backward_messages_release(hd_vproc *vproc)
{
    vproc->backward->released         = true;
    vproc->backward->awaited->is_over = true;
}

void
hd_backward_messages_done(hd_replay_worker *rh, hd_vproc *vproc, uint64_t key, hd_backward_messages *all)
{
    bool released = vproc->backward->released;

    vproc->backward->released = false;
    drop(rh, vproc, key, all);
    if (released)
        messages_of(rh, vproc, key)->is_over = true;
}

hd_backward_message *
hd_backward_messages_add(hd_replay_worker *rh, hd_worker *worker, uint32_t process, uint64_t key, uint32_t n_entries)
{
    hd_backward_messages *all  = messages_of(rh, hd_replay_vproc(rh->replay, process, 0), key);
    uint32_t              pool = pool_of(n_entries);
    hd_backward_message  *message;

    if (all->is_over)
        return NULL;
    if (HD_LIKELY(pool < HD_MESSAGE_POOLS))
        message = hd_pool_take(&rh->backward->queued[pool]);
    else
        message = hd_scratch_realloc(rh->replay->scratch, NULL, 1,
                                     sizeof *message + n_entries * sizeof(hd_backward_entry));
    message->next = all->first;
    all->first    = message;
    all->n++;
    if (all->waiting != HD_NONE && all->n >= all->awaited)
        hd_worker_wake(worker, all->waiting);
    return message;
}

void
hd_backward_messages_worker_init(hd_replay_worker *rh)
{
    hd_pool_init(&rh->backward->messages, sizeof(hd_backward_messages));
    for (uint32_t pool = 0; pool < HD_MESSAGE_POOLS; pool++)
        hd_pool_init(&rh->backward->queued[pool],
                     sizeof(hd_backward_message) + entries_of_pool(pool) * sizeof(hd_backward_entry));
}

void
hd_backward_messages_worker_fini(hd_replay_worker *rh)
{
    hd_pool_fini(&rh->backward->messages);
    for (uint32_t pool = 0; pool < HD_MESSAGE_POOLS; pool++)
        hd_pool_fini(&rh->backward->queued[pool]);
}

void
hd_backward_messages_fini(hd_replay_worker *rh, hd_vproc *vproc)
{
    hd_map *all = &vproc->backward->messages;

    for (uint32_t i = 0; all->slots != NULL && i <= all->mask; i++)
        if (all->slots[i].key != HD_MAP_FREE)
            drop_messages(rh, (hd_backward_messages *)(uintptr_t)all->slots[i].value);
    hd_map_fini(all);
}

_Static_assert(sizeof(hd_wait_item) % 8 == 0, "items are whole words");
_Static_assert(offsetof(hd_backward_message, entries) == offsetof(hd_backward_message, item) + sizeof(hd_wait_item),
               "entries follow the item in both");
