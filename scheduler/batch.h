/* scheduler/batch.h: messages in whole batches.
 *
 *   hd_worker_send() ─▶ outbox[worker] ─flush─▶ inbox of a thread of this rank ─hd_worker_take_mail()─▶ deliver()
 *                                    └────▶ to_send of the rank ─hd_mpi_progress()─▶ another rank
 *                     outbox[own] ───────────────────────────────hd_worker_deliver_own()─▶ deliver()
 *
 * Messages from one worker to another keep their order. Uses: engine_state. Owner: a batch belongs to the list that it
 * is in.
 * MT: functions of a worker: the thread that has claimed it; others: any thread. Ranks: local.
 */
#ifndef HD_BATCH_H
#define HD_BATCH_H

#include "engine_state.h"

#define HD_BATCH_BYTES (32 * 1024 - 64) /* of the items in one; a larger item has a batch of its own */

hd_batch *hd_batch_new(uint32_t capacity); /* never NULL; capacity: [bytes] */

/* Hands a filled batch over: to a thread of this rank, or to the main thread, which sends it. The caller has counted
 * it. */
void hd_batch_push(hd_engine *engine, hd_batch *batch);

/* All batches of a list that threads push to, the oldest first; NULL: there is none. The caller owns them. */
hd_batch *hd_batches_take(_Atomic(hd_batch *) *list);

/* A batch for `bytes` of items, from the spare ones if it can be; the way back. */
hd_batch *hd_batch_get(hd_spares *spares, uint32_t bytes);
void      hd_batch_give_back(hd_spares *spares, hd_batch *batch);
/* Frees what the worker has got back, and spares beyond those that are kept. While no thread runs. */
void      hd_worker_free_batches(hd_worker *worker);
void      hd_spares_free(hd_spares *spares);

/* Counts a batch that the worker is about to push, or the start of a run. */
static inline void
hd_worker_count_pushed(hd_worker *worker)
{
    atomic_store_explicit(&worker->n_pushed, atomic_load_explicit(&worker->n_pushed, memory_order_relaxed) + 1,
                          memory_order_relaxed);
}

/* MT: any thread: there may be some. */
static inline bool
hd_worker_has_mail(const hd_worker *worker)
{
    return atomic_load_explicit(&worker->inbox, memory_order_relaxed) !=
           atomic_load_explicit(&worker->seen, memory_order_relaxed);
}

/* Hands over the batches in the outboxes. Returns whether there was any. */
bool hd_worker_flush(hd_worker *worker);
void hd_worker_flush_near(hd_worker *worker); /* those for threads of this rank only */

/* Delivers what the worker has for another one of this rank, which the caller has claimed, too. */
void hd_worker_hand_over(hd_worker *worker, hd_worker *to);

/* Delivers what is in the inbox. */
void hd_worker_take_mail(hd_worker *worker);
/* Delivers the oldest batch that the worker sent to itself. Returns whether there was any. */
bool hd_worker_deliver_own(hd_worker *worker);

#endif
