#include "rma_messages.h"

enum { EPOCH_NUMBERS = 9, QUERY_NUMBERS = 6 };

static void
put_epoch(hd_rma_left *left, const hd_lock_epoch *epoch)
{
    const hd_lock_epoch *last = &left->last_epoch;
    uint8_t             *at   = hd_bytes_room(&left->epochs, EPOCH_NUMBERS * HD_NUMBER_BYTES_MAX);

    at = hd_bytes_write_number(at, epoch->window);
    at = hd_bytes_write_number(at, epoch->origin);
    at = hd_bytes_write_number(at, (uint64_t)epoch->thread << 1 | epoch->is_exclusive);
    at = hd_bytes_write_difference(at, epoch->lock_order, last->lock_order);
    at = hd_bytes_write_difference(at, epoch->order, epoch->lock_order);
    at = hd_bytes_write_number(at, (uint32_t)(epoch->rank + 1));
    at = hd_bytes_write_difference(at, epoch->enter, last->enter);
    at = hd_bytes_write_difference(at, epoch->release, epoch->enter);
    at = hd_bytes_write_difference(at, epoch->leave, epoch->release);
    left->epochs.n   = (size_t)(at - left->epochs.data);
    left->last_epoch = *epoch;
    left->n_epochs++;
}

void
hd_lock_epoch_get(const uint8_t **at, const hd_lock_epoch *last, hd_lock_epoch *epoch)
{
    uint64_t thread;

    epoch->window       = (uint32_t)hd_bytes_get_number(at);
    epoch->origin       = (uint32_t)hd_bytes_get_number(at);
    thread              = hd_bytes_get_number(at);
    epoch->thread       = (uint32_t)(thread >> 1);
    epoch->is_exclusive = thread & 1;
    epoch->lock_order   = (uint32_t)hd_bytes_get_difference(at, last->lock_order);
    epoch->order        = (uint32_t)hd_bytes_get_difference(at, epoch->lock_order);
    epoch->rank         = (uint32_t)hd_bytes_get_number(at) - 1;
    epoch->enter        = hd_bytes_get_difference(at, last->enter);
    epoch->release      = hd_bytes_get_difference(at, epoch->enter);
    epoch->leave        = hd_bytes_get_difference(at, epoch->release);
}

static void
put_query(hd_rma_left *left, const hd_progress_query *query)
{
    const hd_progress_query *last = &left->last_query;
    uint8_t                *at   = hd_bytes_room(&left->queries, QUERY_NUMBERS * HD_NUMBER_BYTES_MAX);

    at = hd_bytes_write_number(at, query->origin);
    at = hd_bytes_write_number(at, (uint64_t)query->thread << 1 | query->is_access);
    at = hd_bytes_write_difference(at, query->call, last->call);
    at = hd_bytes_write_number(at, query->call_path);
    at = hd_bytes_write_difference(at, query->enter, last->enter);
    at = hd_bytes_write_number(at, query->leave - query->enter);
    left->queries.n  = (size_t)(at - left->queries.data);
    left->last_query = *query;
    left->n_queries++;
}

void
hd_progress_query_get(const uint8_t **at, const hd_progress_query *last, hd_progress_query *query)
{
    uint64_t thread;

    query->origin    = (uint32_t)hd_bytes_get_number(at);
    thread           = hd_bytes_get_number(at);
    query->thread    = (uint32_t)(thread >> 1);
    query->is_access = thread & 1;
    query->call      = (uint32_t)hd_bytes_get_difference(at, last->call);
    query->call_path = (uint32_t)hd_bytes_get_number(at);
    query->enter     = hd_bytes_get_difference(at, last->enter);
    query->leave     = query->enter + hd_bytes_get_number(at);
    query->entered   = UINT64_MAX;
}

static hd_rma_left *
left_at(const hd_replay *replay, hd_rma_left **place)
{
    if (*place == NULL) {
        *place                   = HD_NEW(hd_rma_left);
        (*place)->epochs.scratch = (*place)->queries.scratch = replay->scratch;
    }
    return *place;
}

void
hd_rma_left_drop(hd_rma_left **place)
{
    if (*place == NULL)
        return;
    hd_bytes_fini(&(*place)->epochs);
    hd_bytes_fini(&(*place)->queries);
    free(*place);
    *place = NULL;
}

/* To the worker of a process; at once where that is this one. */
void
hd_rma_tell(hd_replay_worker *rh, hd_worker *worker, uint32_t kind, uint32_t process, const void *item, size_t bytes)
{
    uint32_t home = hd_placement_worker(rh->replay->request->placement, (hd_process){ process });

    if (home == hd_worker_number(worker))
        hd_rma_deliver(rh, worker, kind, item);
    else
        hd_worker_send(worker, home, kind, item, (uint32_t)bytes, NULL, 0);
}

void
hd_rma_deliver(hd_replay_worker *rh, hd_worker *worker, uint32_t kind, const void *data)
{
    hd_scratch *scratch = rh->replay->scratch;

    (void)worker;
    switch (kind) {
    case HD_ITEM_LOCK_EPOCH: {
        const hd_lock_epoch *epoch = data;

        put_epoch(left_at(rh->replay, epoch->target == HD_NONE ? &rh->rma_left : &hd_replay_vproc(rh->replay, epoch->target, 0)->rma->left),
                  epoch);
        break;
    }
    case HD_ITEM_PROGRESS_QUERY: {
        const hd_progress_query *query = data;

        put_query(left_at(rh->replay, &hd_replay_vproc(rh->replay, query->target, 0)->rma->left), query);
        break;
    }
    case HD_ITEM_LOCK_HOLDER: {
        const hd_lock_holder *holder = data;
        hd_vproc             *vproc  = hd_replay_vproc(rh->replay, holder->origin, holder->thread);

        HD_SCRATCH_PUSH(scratch, vproc->rma->holders, vproc->rma->n_holders, vproc->rma->capacity_holders, *holder);
        break;
    }
    default: {
        const hd_progress_query *answer = data;
        hd_vproc               *vproc  = hd_replay_vproc(rh->replay, answer->origin, answer->thread);

        HD_SCRATCH_PUSH(scratch, vproc->rma->answers, vproc->rma->n_answers, vproc->rma->capacity_answers, *answer);
        break;
    }
    }
}

_Static_assert(sizeof(hd_lock_epoch) % 8 == 0 && sizeof(hd_progress_query) % 8 == 0 && sizeof(hd_lock_holder) % 8 == 0,
               "items are whole words");
