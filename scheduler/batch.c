/* scheduler/batch.c: items on their way: into outboxes, in whole batches to other threads and ranks, out of the inbox. */
#include "batch.h"

#include "memory.h"

hd_batch *
hd_batch_new(uint32_t capacity)
{
    hd_batch *batch = hd_realloc(NULL, 1, sizeof *batch + capacity);

    batch->capacity = capacity;
    batch->n = 0;
    return batch;
}

void
hd_batch_push(hd_engine *engine, hd_batch *batch)
{
    uint32_t            rank  = batch->destination / engine->n_threads;
    _Atomic(hd_batch *) *list = rank == engine->rank ? &engine->hosts[batch->destination % engine->n_threads].inbox
                                                     : &engine->to_send;

    atomic_fetch_add_explicit(&engine->work, 1, memory_order_relaxed);
    batch->next = atomic_load_explicit(list, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(list, &batch->next, batch, memory_order_release, memory_order_relaxed))
        ;
}

hd_batch *
hd_batches_take(_Atomic(hd_batch *) *list)
{
    hd_batch *batch, *oldest = NULL;

    if (atomic_load_explicit(list, memory_order_relaxed) == NULL)
        return NULL;
    batch = atomic_exchange_explicit(list, NULL, memory_order_acquire);
    while (batch != NULL) {
        hd_batch *next = batch->next;

        batch->next = oldest;
        oldest      = batch;
        batch       = next;
    }
    return oldest;
}

static void
flush_one(hd_host *host, uint32_t destination)
{
    hd_batch *batch = host->outbox[destination];

    host->outbox[destination] = NULL;
    if (destination != host->number) {
        hd_batch_push(host->engine, batch);
        return;
    }
    batch->next = NULL;
    if (host->own_first == NULL)
        host->own_first = batch;
    else
        host->own_last->next = batch;
    host->own_last = batch;
}

bool
hd_host_flush(hd_host *host)
{
    bool any = false;

    for (size_t i = 0; i < host->n_dirty; i++)
        if (host->outbox[host->dirty[i]] != NULL) {
            flush_one(host, host->dirty[i]);
            any = true;
        }
    host->n_dirty = 0;
    return any;
}

/* Mail to threads of the rank goes out after every agent's turn, so that they do not wait for the end of the window. */
void
hd_host_flush_near(hd_host *host)
{
    size_t n_left = 0;

    for (size_t i = 0; i < host->n_dirty; i++) {
        uint32_t destination = host->dirty[i];

        if (destination / host->engine->n_threads != host->engine->rank)
            host->dirty[n_left++] = destination;
        else if (host->outbox[destination] != NULL)
            flush_one(host, destination);
    }
    host->n_dirty = n_left;
}

static hd_batch *
outbox_batch(hd_host *host, uint32_t destination, uint32_t bytes)
{
    hd_batch *batch = host->outbox[destination];

    if (HD_LIKELY(batch != NULL && batch->capacity - batch->n >= bytes))
        return batch;
    if (batch != NULL)
        flush_one(host, destination);
    else if (destination != host->number)
        HD_PUSH(host->dirty, host->n_dirty, host->capacity_dirty, destination);
    if (bytes <= HD_BATCH_BYTES && host->spare != NULL) {
        batch       = host->spare;
        host->spare = batch->next;
        host->n_spare--;
        batch->n = 0;
    } else
        batch = hd_batch_new(bytes <= HD_BATCH_BYTES ? HD_BATCH_BYTES : bytes);
    batch->destination        = destination;
    host->outbox[destination] = batch;
    return batch;
}

void
hd_host_send(hd_host *host, uint32_t destination, uint32_t kind, const void *head, uint32_t head_bytes, const void *tail,
             uint32_t tail_bytes)
{
    uint32_t  bytes = (uint32_t)sizeof(hd_item_head) + head_bytes + tail_bytes;
    hd_batch *batch;
    uint8_t  *at;

    HD_ASSERT(head_bytes % 8 == 0 && tail_bytes % 8 == 0);
    if (destination == host->number)
        host->stats.n_host_items++;
    else if (destination / host->engine->n_threads == host->engine->rank)
        host->stats.n_thread_items++;
    else
        host->stats.n_rank_items++;
    batch = outbox_batch(host, destination, bytes);
    at    = batch->data + batch->n;
    memcpy(at, &(hd_item_head){ kind, head_bytes + tail_bytes }, sizeof(hd_item_head));
    memcpy(at + sizeof(hd_item_head), head, head_bytes);
    if (tail_bytes > 0)
        memcpy(at + sizeof(hd_item_head) + head_bytes, tail, tail_bytes);
    batch->n += bytes;
}

void
hd_batch_give_back(hd_host *host, hd_batch *batch)
{
    if (batch->capacity == HD_BATCH_BYTES && host->n_spare < 4) {
        batch->next = host->spare;
        host->spare = batch;
        host->n_spare++;
    } else
        free(batch);
}

static void
deliver_batch(hd_host *host, hd_batch *batch)
{
    for (uint32_t at = 0; at < batch->n;) {
        hd_item_head head;

        memcpy(&head, batch->data + at, sizeof head);
        host->analysis->deliver(host->analysis->context, host, head.kind, batch->data + at + sizeof head, head.bytes);
        at += (uint32_t)sizeof head + head.bytes;
    }
}

bool
hd_host_take_mail(hd_host *host)
{
    hd_batch *batch = hd_batches_take(&host->inbox);
    uint64_t  n     = 0;

    while (batch != NULL) {
        hd_batch *next = batch->next;

        deliver_batch(host, batch);
        hd_batch_give_back(host, batch);
        batch = next;
        n++;
    }
    if (n > 0)
        atomic_fetch_sub_explicit(&host->engine->work, n, memory_order_acq_rel);
    return n > 0;
}

/* What agents sent to their own host: one batch, the oldest. */
bool
hd_host_deliver_own(hd_host *host)
{
    hd_batch *batch = host->own_first;

    if (batch != NULL)
        host->own_first = batch->next;
    else {
        batch                      = host->outbox[host->number];
        host->outbox[host->number] = NULL;
    }
    if (batch == NULL)
        return false;
    deliver_batch(host, batch);
    hd_batch_give_back(host, batch);
    return true;
}
