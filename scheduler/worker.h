/* scheduler/worker.h: a worker as the analysis sees it that runs on it (engine.h says what workers and vprocs are).
 * Uses: base. Owner: the engine. MT: the thread that runs the worker, unless said otherwise. Ranks: local.
 */
#ifndef HD_WORKER_H
#define HD_WORKER_H

#include "types.h"

typedef struct hd_engine hd_engine;
typedef struct hd_worker hd_worker;

typedef enum hd_run { HD_RUN_YIELD, HD_RUN_BLOCKED, HD_RUN_DONE } hd_run;

typedef struct hd_analysis {
    void *context;
    /* Runs vproc `vproc` (of this rank) until it blocks, is done, or its time has passed `until`. *now: its time
     * then. */
    hd_run (*run)(void *context, hd_worker *worker, uint32_t vproc, hd_time until, hd_time *now);
    /* An item for this worker. data is valid during the call, 8-byte aligned. May wake vprocs and send items. */
    void (*deliver)(void *context, hd_worker *worker, uint32_t kind, const void *data, uint32_t bytes);
} hd_analysis;

typedef struct hd_engine_stats { /* of one worker */
    uint64_t n_worker_items; /* delivered without leaving the worker */
    uint64_t n_thread_items; /* to another thread of the rank */
    uint64_t n_rank_items;   /* to another rank */
    uint64_t n_messages, message_bytes; /* MPI messages sent: those of all with the first worker */
    uint64_t n_blocks;
    uint64_t idle_ns, run_ns; /* of its thread: with nothing to do; inside hd_engine_run() */
} hd_engine_stats;

uint32_t hd_worker_thread(const hd_worker *worker); /* its own, which need not be the one that runs it now */
uint32_t hd_worker_number(const hd_worker *worker); /* rank * n_threads + thread */
void     hd_worker_wake(hd_worker *worker, uint32_t vproc); /* blocked -> ready; nothing if it is not blocked */
bool     hd_worker_is_blocked(const hd_worker *worker, uint32_t vproc);
/* An item of head (and tail) bytes, each a multiple of 8, for a worker. Nothing is delivered before the caller has
 * returned. */
void hd_worker_send(hd_worker *worker, uint32_t destination, uint32_t kind, const void *head, uint32_t head_bytes,
                    const void *tail, uint32_t tail_bytes);
/* What was sent to other workers goes now, not when this one has nothing else to do: they wait for it. */
void hd_worker_hurry(hd_worker *worker);
/* Counts messages that the analysis put into the channel queues of the own worker itself. */
void hd_worker_count_item(hd_worker *worker);

#endif
