/* scheduler/termination.c: when a run ends: all ranks are quiescent (Mattern's four-counter termination detection), or
 * one was asked to stop. */
#include "termination.h"

#include "batch.h"

/* Other ranks are notified by empty messages to a thread that does not exist. They count as batches, so no run ends
 * before all have come. */
void
hd_termination_spread_stop(hd_engine *engine)
{
    if (engine->stop == NULL || *engine->stop == 0 || hd_termination_is_stopped(engine))
        return;
    atomic_store_explicit(&engine->stopped, true, memory_order_relaxed);
    for (uint32_t rank = 0; rank < engine->n_ranks; rank++)
        if (rank != engine->rank) {
            hd_batch *batch = hd_batch_new(0);

            hd_transport_send(engine->transport, rank, engine->n_threads, batch->data, 0, batch);
            engine->n_sent++;
        }
}

/* A worker that does anything has a batch that it has not counted as done. So if what was done is all that was pushed,
 * then nothing was under way when the last of the former was read. */
bool
hd_termination_is_quiescent(const hd_engine *engine)
{
    uint64_t n_done = engine->n_taken, n_pushed = engine->n_pushed;

    for (uint32_t t = 0; t < engine->n_threads; t++)
        n_done += atomic_load_explicit(&engine->workers[t].n_done, memory_order_acquire);
    for (uint32_t t = 0; t < engine->n_threads; t++)
        n_pushed += atomic_load_explicit(&engine->workers[t].n_pushed, memory_order_relaxed);
    return n_done == n_pushed;
}

/* Four counters: all ranks are quiescent when two sums in a row, each taken of ranks while they had nothing to do,
 * find the same number of batches sent and received. */
void
hd_termination_detect(hd_engine *engine)
{
    uint64_t totals[2];

    if (!engine->summing) {
        if (!hd_termination_is_quiescent(engine))
            return;
        hd_transport_sum_start(engine->transport, (uint64_t[2]){ engine->n_sent, engine->n_received });
        engine->summing = true;
    }
    if (!hd_transport_sum_test(engine->transport, totals))
        return;
    engine->summing = false;
    if (totals[0] == totals[1] && totals[0] == engine->last_totals[0] && totals[1] == engine->last_totals[1])
        atomic_store_explicit(&engine->over, true, memory_order_release);
    engine->last_totals[0] = totals[0];
    engine->last_totals[1] = totals[1];
}
