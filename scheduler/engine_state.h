/* scheduler/engine_state.h: what the files of the engine share: an engine, its workers, and the batches that messages
 * travel in.
 *
 * Owner: engine.c makes and frees engine and workers; a batch belongs to the list that it is in. MT: said at each
 * field.
 * Uses: worker, transport, analysis_comm.
 */
#ifndef HD_ENGINE_STATE_H
#define HD_ENGINE_STATE_H

#include <stdatomic.h>

#include "analysis_comm.h"
#include "idle.h"
#include "worker.h"
#include "transport.h"

typedef struct hd_batch {
    struct hd_batch  *next;
    struct hd_worker *home;        /* that made it; NULL: the main thread, for messages of other ranks */
    uint32_t          destination; /* worker */
    uint32_t          n, capacity; /* bytes in data */
    _Alignas(16) uint8_t data[];
} hd_batch;

typedef struct hd_item_head {
    uint32_t kind, bytes;
} hd_item_head;

typedef enum hd_vproc_state { VPROC_BLOCKED, VPROC_READY, VPROC_LATER, VPROC_RUNNING, VPROC_DONE } hd_vproc_state;

/* Batches to use again. MT: who has the worker, or the main thread. */
typedef struct hd_spares {
    hd_batch *first;
    uint32_t  n;
} hd_spares;

struct hd_worker {
    /* the thread that has claimed the worker */
    hd_engine         *engine;
    const hd_analysis *analysis;
    uint32_t           number, thread;
    uint32_t           n_vprocs, first_vproc;
    uint8_t           *states; /* of vproc - first_vproc: hd_vproc_state */
    uint32_t          *ready; /* [n_vprocs] a ring; a vproc is in it at most once */
    uint32_t           ready_first, n_ready;
    uint32_t          *later; /* [n_vprocs] those that have passed the window */
    uint32_t           n_later;
    hd_time            earliest; /* of those, if there are any */
    hd_time            until; /* end of the window */
    hd_batch         **outbox; /* [n_workers] being filled; grows with: workers that messages go to */
    uint32_t          *dirty;  /* [n_dirty] workers whose outbox is not empty, each once; room for all */
    size_t             n_dirty;
    hd_batch          *own_first, *own_last; /* full batches for this worker itself, older than the one in its outbox */
    hd_spares          spares;
    bool               is_on_main; /* the main thread has it */
    uint64_t           n_taken;    /* batches that came, and starts of runs */
    uint64_t           stint_ns;   /* about: from messages until nothing is left to do */
    hd_engine_stats    stats;
    /* written by who has the worker, read by all threads of the rank; relaxed: nothing is read through it */
    _Alignas(64) _Atomic hd_time reached; /* end of its window; UINT64_MAX while it waits for messages: a bound */
    /* Written by who has the worker, read by the main thread (hd_termination_is_quiescent()). n_pushed: batches for
     * others, and starts of runs; relaxed, before the batch is published. n_done: of n_taken, when the worker waits for
     * messages; release. */
    _Alignas(64) _Atomic uint64_t n_pushed;
    _Atomic uint64_t n_done;
    /* Acquire in the exchange that takes the worker pairs with release in the store that gives it back. */
    _Alignas(64) _Atomic bool is_claimed;
    /* The last batch that any thread of the rank pushed, the others behind it. Who takes them does not write here:
     * a line that two cores write in turn is what a message waits for. Release in hd_batch_push() pairs with acquire in
     * hd_worker_take_mail(). */
    _Alignas(64) _Atomic(hd_batch *) inbox;
    /* by who has the worker; relaxed: compared only */
    _Alignas(64) _Atomic(hd_batch *) seen; /* the last batch that was taken: kept until there is another one */
    _Atomic bool is_ahead; /* it waits for other workers to catch up */
    /* batches of its own that others had; release in return_batch(), acquire in hd_batches_take() */
    _Alignas(64) _Atomic(hd_batch *) returned;
};

typedef struct hd_thread_stats {
    _Alignas(64) uint64_t idle_ns;
    uint64_t run_ns;
} hd_thread_stats;

struct hd_engine {
    hd_analysis_comm *analysis_comm;
    hd_transport     *transport;
    hd_worker        *workers; /* [n_threads] */
    uint32_t          n_threads, n_workers, rank, n_ranks;
    hd_time           window;
    bool              yield;
    uint32_t         *threads; /* [n_vprocs] */
    uint32_t          n_vprocs;
    void         (*on_thread)(void *context, uint32_t thread);
    void          *on_thread_context;
    bool           threads_started;
    hd_thread_stats *thread_stats; /* [n_threads] each of its thread */
    /* main thread alone */
    uint64_t       n_sent, n_received; /* batches to and from other ranks */
    uint64_t       n_pushed, n_taken;  /* as a worker's: those that came from other ranks, those that go to them */
    uint64_t       n_messages, message_bytes;
    uint64_t       n_slices; /* and stints: it makes progress after some of them */
    hd_spares      spares;
    uint64_t       last_totals[2];
    bool           summing;
    const _Atomic int *stop;
    /* any thread of the rank */
    _Alignas(64) _Atomic(hd_batch *) to_send; /* batches for other ranks; release in hd_batch_push(), acquire in
                                               * hd_mpi_progress() */
    /* All ranks are quiescent; true between runs. Release by the main thread, acquire by the others. */
    _Alignas(64) _Atomic bool over;
    _Atomic bool stopped; /* written by the main thread; relaxed: nothing is read through it */
};

#endif
