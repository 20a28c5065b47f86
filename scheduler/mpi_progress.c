/* scheduler/mpi_progress.c: the main thread's part of the messages: batches out, messages in. */
#include "mpi_progress.h"

#include "batch.h"

bool
hd_mpi_progress(hd_engine *engine)
{
    bool      any   = false;
    hd_batch *batch = hd_batches_take(&engine->to_send);
    uint32_t  thread, bytes;
    void     *token;

    while (batch != NULL) {
        hd_batch *next = batch->next;

        hd_transport_send(engine->transport, batch->destination / engine->n_threads,
                          batch->destination % engine->n_threads, batch->data, batch->n, batch);
        engine->n_sent++;
        engine->n_messages++;
        engine->message_bytes += batch->n;
        batch = next;
        engine->n_taken++;
        any = true;
    }
    while ((token = hd_transport_sent(engine->transport)) != NULL)
        hd_batch_give_back(&engine->spares, token);
    while (hd_transport_probe(engine->transport, &thread, &bytes)) {
        batch = hd_batch_get(&engine->spares, bytes);
        hd_transport_receive(engine->transport, batch->data);
        any = true;
        if (thread == engine->n_threads) { /* hd_termination_spread_stop() of another rank */
            atomic_store_explicit(&engine->stopped, true, memory_order_relaxed);
            engine->n_received++;
            hd_batch_give_back(&engine->spares, batch);
            continue;
        }
        batch->n           = bytes;
        batch->destination = engine->rank * engine->n_threads + thread;
        engine->n_received++;
        engine->n_pushed++;
        hd_batch_push(engine, batch);
    }
    return any;
}
