/* scheduler/batch.c: items on their way: into outboxes, in whole batches to other threads and ranks, out of the
 * inbox. */
#include "batch.h"

#include "memory.h"

enum { SPARES = 4 };

hd_batch *
hd_batch_new(uint32_t capacity)
{
    hd_batch *batch = hd_alloc_apart_unset(1, sizeof *batch + capacity);

    batch->home     = NULL;
    batch->capacity = capacity;
    batch->n        = 0;
    return batch;
}

hd_batch *
hd_batch_get(hd_spares *spares, uint32_t bytes)
{
    hd_batch *batch = spares->first;

    if (batch == NULL || bytes > HD_BATCH_BYTES)
        return hd_batch_new(bytes <= HD_BATCH_BYTES ? HD_BATCH_BYTES : bytes);
    spares->first = batch->next;
    spares->n--;
    batch->n = 0;
    return batch;
}

void
hd_batch_give_back(hd_spares *spares, hd_batch *batch)
{
    if (batch->capacity == HD_BATCH_BYTES && spares->n < SPARES) {
        batch->next   = spares->first;
        spares->first = batch;
        spares->n++;
    } else
        free(batch);
}

void
hd_spares_free(hd_spares *spares)
{
    while (spares->first != NULL) {
        hd_batch *batch = spares->first;

        spares->first = batch->next;
        free(batch);
    }
    spares->n = 0;
}

static void
push(_Atomic(hd_batch *) *list, hd_batch *batch)
{
    batch->next = atomic_load_explicit(list, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(list, &batch->next, batch, memory_order_release,
                                                  memory_order_relaxed))
        ;
}

void
hd_batch_push(hd_engine *engine, hd_batch *batch)
{
    uint32_t rank = batch->destination / engine->n_threads;

    push(rank == engine->rank ? &engine->workers[batch->destination % engine->n_threads].inbox : &engine->to_send,
         batch);
}

/* Batches from the last one to that before `end`, in the order in which they were pushed. */
static hd_batch *
oldest_first(hd_batch *last, const hd_batch *end)
{
    hd_batch *oldest = NULL;

    if (last->next == end) /* not written: its line is read here alone */
        return last;
    for (hd_batch *batch = last; batch != end;) {
        hd_batch *next = batch->next;

        batch->next = oldest;
        oldest      = batch;
        batch       = next;
    }
    return oldest;
}

hd_batch *
hd_batches_take(_Atomic(hd_batch *) *list)
{
    if (atomic_load_explicit(list, memory_order_relaxed) == NULL)
        return NULL;
    return oldest_first(atomic_exchange_explicit(list, NULL, memory_order_acquire), NULL);
}

static void
flush_one(hd_worker *worker, uint32_t destination)
{
    hd_batch *batch = worker->outbox[destination];

    worker->outbox[destination] = NULL;
    if (destination != worker->number) {
        hd_worker_count_pushed(worker);
        hd_batch_push(worker->engine, batch);
        return;
    }
    batch->next = NULL;
    if (worker->own_first == NULL)
        worker->own_first = batch;
    else
        worker->own_last->next = batch;
    worker->own_last = batch;
}

bool
hd_worker_flush(hd_worker *worker)
{
    bool any = false;

    for (size_t i = 0; i < worker->n_dirty; i++)
        if (worker->outbox[worker->dirty[i]] != NULL) {
            flush_one(worker, worker->dirty[i]);
            any = true;
        }
    worker->n_dirty = 0;
    return any;
}

/* Messages to threads of the rank go out after every time slice of a vproc, so that they do not wait for the end of the
 * window. But not while there are some that the other thread has not taken: they would not be taken earlier, and each
 * batch has room for many. */
void
hd_worker_flush_near(hd_worker *worker)
{
    size_t n_left = 0;

    for (size_t i = 0; i < worker->n_dirty; i++) {
        uint32_t destination = worker->dirty[i];

        if (destination / worker->engine->n_threads != worker->engine->rank ||
            hd_worker_has_mail(&worker->engine->workers[destination % worker->engine->n_threads]))
            worker->dirty[n_left++] = destination;
        else if (worker->outbox[destination] != NULL)
            flush_one(worker, destination);
    }
    worker->n_dirty = n_left;
}

/* One that another thread has given back if there is none here. */
static hd_batch *
new_batch(hd_worker *worker, uint32_t bytes)
{
    hd_batch *batch;

    if (worker->spares.first == NULL)
        for (hd_batch *next = hd_batches_take(&worker->returned); next != NULL;) {
            batch                = next;
            next                 = batch->next;
            batch->next          = worker->spares.first;
            worker->spares.first = batch;
            worker->spares.n++;
        }
    batch = hd_batch_get(&worker->spares, bytes);
    if (batch->home == NULL)
        batch->home = worker;
    return batch;
}

/* To who made it, if there are enough of them here: else one worker, which sends more than it gets, would make new ones
 * all the time, and the other one free them. */
static void
return_batch(hd_worker *worker, hd_batch *batch)
{
    if (batch->home == NULL || batch->home == worker || worker->spares.n < SPARES || batch->capacity != HD_BATCH_BYTES)
        hd_batch_give_back(&worker->spares, batch);
    else
        push(&batch->home->returned, batch);
}

void
hd_worker_free_batches(hd_worker *worker)
{
    hd_batch *batch = hd_batches_take(&worker->returned);

    while (batch != NULL || worker->spares.n > SPARES) {
        hd_batch *next = batch != NULL ? batch->next : NULL;

        free(batch != NULL ? batch : hd_batch_get(&worker->spares, 0));
        batch = next;
    }
}

static hd_batch *
outbox_batch(hd_worker *worker, uint32_t destination, uint32_t bytes)
{
    hd_batch *batch = worker->outbox[destination];

    if (HD_LIKELY(batch != NULL && batch->capacity - batch->n >= bytes))
        return batch;
    if (batch != NULL)
        flush_one(worker, destination);
    else if (destination != worker->number)
        worker->dirty[worker->n_dirty++] = destination;
    batch                       = new_batch(worker, bytes);
    batch->destination          = destination;
    worker->outbox[destination] = batch;
    return batch;
}

void
hd_worker_send(hd_worker *worker, uint32_t destination, uint32_t kind, const void *head, uint32_t head_bytes,
               const void *tail, uint32_t tail_bytes)
{
    uint32_t  bytes = (uint32_t)sizeof(hd_item_head) + head_bytes + tail_bytes;
    hd_batch *batch;
    uint8_t  *at;

    HD_ASSERT(head_bytes % 8 == 0 && tail_bytes % 8 == 0);
    if (destination == worker->number)
        worker->stats.n_worker_items++;
    else if (destination / worker->engine->n_threads == worker->engine->rank)
        worker->stats.n_thread_items++;
    else
        worker->stats.n_rank_items++;
    batch = outbox_batch(worker, destination, bytes);
    at    = batch->data + batch->n;
    memcpy(at, &(hd_item_head){ kind, head_bytes + tail_bytes }, sizeof(hd_item_head));
    memcpy(at + sizeof(hd_item_head), head, head_bytes);
    if (tail_bytes > 0)
        memcpy(at + sizeof(hd_item_head) + head_bytes, tail, tail_bytes);
    batch->n += bytes;
}

static void
deliver_batch(hd_worker *worker, hd_batch *batch)
{
    for (uint32_t at = 0; at < batch->n;) {
        hd_item_head head;

        memcpy(&head, batch->data + at, sizeof head);
        worker->analysis->deliver(worker->analysis->context, worker, head.kind, batch->data + at + sizeof head,
                                  head.bytes);
        at += (uint32_t)sizeof head + head.bytes;
    }
}

void
hd_worker_take_mail(hd_worker *worker)
{
    hd_batch *seen = atomic_load_explicit(&worker->seen, memory_order_relaxed);
    hd_batch *last = atomic_load_explicit(&worker->inbox, memory_order_acquire), *batch;

    if (last == seen)
        return;
    batch = oldest_first(last, seen);
    atomic_store_explicit(&worker->seen, last, memory_order_relaxed);
    if (seen != NULL)
        return_batch(worker, seen);
    for (;;) {
        hd_batch *next = batch->next;

        worker->n_taken++;
        deliver_batch(worker, batch);
        if (batch == last)
            break;
        return_batch(worker, batch);
        batch = next;
    }
}

/* What vprocs sent to their own worker: one batch, the oldest. */
bool
hd_worker_deliver_own(hd_worker *worker)
{
    hd_batch *batch = worker->own_first;

    if (batch != NULL)
        worker->own_first = batch->next;
    else {
        batch                      = worker->outbox[worker->number];
        worker->outbox[worker->number] = NULL;
    }
    if (batch == NULL)
        return false;
    deliver_batch(worker, batch);
    return_batch(worker, batch);
    return true;
}

/* Older ones from the same worker are in the inbox at most. */
void
hd_worker_hand_over(hd_worker *worker, hd_worker *to)
{
    hd_batch *batch = worker->outbox[to->number];

    worker->outbox[to->number] = NULL;
    hd_worker_take_mail(to);
    hd_worker_count_pushed(worker);
    to->n_taken++;
    deliver_batch(to, batch);
    return_batch(worker, batch);
}
