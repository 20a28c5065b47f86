/* scheduler/engine.c: engines, and the loop in which a worker runs its vprocs and delivers their messages. */
#include "engine.h"

#include <omp.h>
#include <stdatomic.h>
#include <time.h>

#include "batch.h"
#include "memory.h"
#include "mpi_progress.h"
#include "termination.h"
#include "transport.h"

static uint64_t
now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

/* Zeroed memory for what has members with cache lines of their own. */
static void *
new_aligned(size_t bytes)
{
    void *memory = aligned_alloc(64, bytes);

    if (memory == NULL)
        hd_fatal("out of memory: %zu bytes could not be allocated", bytes);
    return memset(memory, 0, bytes);
}

hd_engine *
hd_engine_new(hd_analysis_comm *analysis_comm, const hd_engine_request *request)
{
    hd_engine *engine = new_aligned(sizeof *engine);

    omp_set_dynamic(0); /* as many threads as are asked for, or an error */
    engine->analysis_comm     = analysis_comm;
    engine->transport         = hd_transport_open(analysis_comm);
    engine->n_threads         = request->n_threads;
    engine->rank              = hd_analysis_comm_rank(analysis_comm).v;
    engine->n_ranks           = hd_analysis_comm_size(analysis_comm);
    engine->n_workers         = engine->n_ranks * engine->n_threads;
    engine->window            = request->window;
    engine->yield             = request->yield;
    engine->stop              = request->stop;
    engine->n_vprocs          = request->n_vprocs;
    engine->on_thread         = request->on_thread;
    engine->on_thread_context = request->context;
    engine->states            = HD_NEW_ARRAY(uint8_t, engine->n_vprocs);
    engine->times             = HD_NEW_ARRAY(hd_time, engine->n_vprocs);
    engine->threads           = HD_NEW_ARRAY(uint32_t, engine->n_vprocs);
    engine->workers           = new_aligned(engine->n_threads * sizeof *engine->workers);
    for (uint32_t t = 0; t < engine->n_threads; t++) {
        engine->workers[t].engine = engine;
        engine->workers[t].thread = t;
        engine->workers[t].number = engine->rank * engine->n_threads + t;
        engine->workers[t].outbox = HD_NEW_ARRAY(hd_batch *, engine->n_workers);
    }
    for (uint32_t a = 0; a < engine->n_vprocs; a++) {
        engine->threads[a] = request->vproc_threads[a];
        engine->workers[engine->threads[a]].n_vprocs++;
    }
    for (uint32_t t = 0; t < engine->n_threads; t++) {
        engine->workers[t].ready = HD_NEW_ARRAY(uint32_t, engine->workers[t].n_vprocs);
        engine->workers[t].later = HD_NEW_ARRAY(uint32_t, engine->workers[t].n_vprocs);
    }
    return engine;
}

void
hd_engine_free(hd_engine *engine)
{
    if (engine == NULL)
        return;
    for (uint32_t t = 0; t < engine->n_threads; t++) {
        hd_worker *worker = &engine->workers[t];

        while (worker->spare != NULL) {
            hd_batch *batch = worker->spare;

            worker->spare = batch->next;
            free(batch);
        }
        free(worker->outbox);
        free(worker->dirty);
        free(worker->ready);
        free(worker->later);
    }
    free(engine->workers);
    free(engine->states);
    free(engine->times);
    free(engine->threads);
    hd_transport_close(engine->transport);
    free(engine);
}

uint32_t
hd_worker_thread(const hd_worker *worker)
{
    return worker->thread;
}

uint32_t
hd_worker_number(const hd_worker *worker)
{
    return worker->number;
}

bool
hd_worker_is_blocked(const hd_worker *worker, uint32_t vproc)
{
    return worker->engine->states[vproc] == VPROC_BLOCKED;
}

void
hd_worker_count_item(hd_worker *worker)
{
    worker->stats.n_worker_items++;
}

static void
make_ready(hd_worker *worker, uint32_t vproc)
{
    uint32_t at = worker->ready_first + worker->n_ready++;

    worker->ready[at >= worker->n_vprocs ? at - worker->n_vprocs : at] = vproc;
    worker->engine->states[vproc] = VPROC_READY;
}

void
hd_worker_wake(hd_worker *worker, uint32_t vproc)
{
    if (worker->engine->states[vproc] == VPROC_BLOCKED)
        make_ready(worker, vproc);
}

bool
hd_engine_is_stopped(const hd_engine *engine)
{
    return hd_termination_is_stopped(engine);
}

/* Waits for messages; false when all ranks are quiescent. */
static bool
wait_for_incoming(hd_worker *worker)
{
    hd_engine *engine  = worker->engine;
    bool       is_main = worker->thread == 0;
    uint64_t   start   = now_ns();
    hd_idling  idling  = { 0 };
    bool       more    = true;

    atomic_store_explicit(&worker->reached, UINT64_MAX, memory_order_relaxed);
    atomic_fetch_sub_explicit(&engine->work, 1, memory_order_acq_rel);
    while (atomic_load_explicit(&worker->inbox, memory_order_relaxed) == NULL) {
        if (atomic_load_explicit(&engine->over, memory_order_acquire)) {
            more = false;
            break;
        }
        if (is_main && !engine->summing)
            hd_termination_spread_stop(engine);
        if (is_main && engine->n_ranks > 1) {
            if (hd_mpi_progress(engine))
                idling = (hd_idling){ 0 };
            hd_termination_detect(engine);
        } else if (is_main && atomic_load_explicit(&engine->work, memory_order_acquire) == 0)
            atomic_store_explicit(&engine->over, true, memory_order_release);
        hd_idle(&idling, engine->yield);
    }
    atomic_store_explicit(&worker->reached, worker->until, memory_order_relaxed);
    if (more) /* the messages in the inbox are counted, so the rank never looks quiescent in between */
        atomic_fetch_add_explicit(&engine->work, 1, memory_order_relaxed);
    worker->stats.idle_ns += now_ns() - start;
    return more;
}

static void
run_vproc(hd_worker *worker, uint32_t vproc)
{
    hd_engine *engine = worker->engine;

    engine->states[vproc] = VPROC_RUNNING;
    switch (worker->analysis->run(worker->analysis->context, worker, vproc, worker->until, &engine->times[vproc])) {
    case HD_RUN_BLOCKED:
        engine->states[vproc] = VPROC_BLOCKED;
        worker->stats.n_blocks++;
        break;
    case HD_RUN_YIELD:
        engine->states[vproc]        = VPROC_LATER;
        worker->later[worker->n_later++] = vproc;
        break;
    case HD_RUN_DONE:
        engine->states[vproc] = VPROC_DONE;
        break;
    }
}

#define WINDOWS_AHEAD 256

/* Whether no other thread of the rank has fallen far back: one that only sends would fill the memory with messages. */
static bool
may_go_on(const hd_worker *worker)
{
    const hd_engine *engine = worker->engine;

    for (uint32_t t = 0; t < engine->n_threads; t++) {
        hd_time reached = atomic_load_explicit(&engine->workers[t].reached, memory_order_relaxed);

        if (reached < worker->until && (worker->until - reached) / WINDOWS_AHEAD > engine->window)
            return false;
    }
    return true;
}

/* Nothing is ready: the window moves on to the earliest of those that have passed it. */
static bool
next_window(hd_worker *worker)
{
    hd_time earliest = UINT64_MAX;

    if (worker->n_later == 0)
        return false;
    if (!may_go_on(worker)) {
        if (worker->thread == 0 && worker->engine->n_ranks > 1) /* other ranks may wait for what the slower threads have
                                                                 * sent */
            hd_mpi_progress(worker->engine);
        hd_idle(&worker->idling, worker->engine->yield);
        return true;
    }
    worker->idling = (hd_idling){ 0 };
    for (uint32_t i = 0; i < worker->n_later; i++)
        earliest = hd_time_min(earliest, worker->engine->times[worker->later[i]]);
    worker->until = earliest + worker->engine->window < earliest ? UINT64_MAX : earliest + worker->engine->window;
    atomic_store_explicit(&worker->reached, worker->until, memory_order_relaxed);
    for (uint32_t i = 0; i < worker->n_later; i++)
        make_ready(worker, worker->later[i]);
    worker->n_later = 0;
    return true;
}

static void
run_worker(hd_worker *worker)
{
    hd_engine *engine = worker->engine;
    unsigned   slices  = 0;

    do {
        for (;;) {
            hd_worker_take_mail(worker);
            if (worker->thread == 0)
                hd_termination_spread_stop(engine);
            if (worker->n_ready > 0 && !hd_termination_is_stopped(engine)) {
                uint32_t vproc = worker->ready[worker->ready_first];

                worker->ready_first = worker->ready_first + 1 == worker->n_vprocs ? 0 : worker->ready_first + 1;
                worker->n_ready--;
                run_vproc(worker, vproc);
                hd_worker_deliver_own(worker);
                if (worker->n_dirty > 0 && engine->n_threads > 1)
                    hd_worker_flush_near(worker);
                if (worker->thread == 0 && engine->n_ranks > 1 && ++slices % 8 == 0)
                    hd_mpi_progress(engine);
                continue;
            }
            if (!hd_worker_deliver_own(worker) && !hd_worker_flush(worker) &&
                (hd_termination_is_stopped(engine) || !next_window(worker)))
                break;
        }
    } while (wait_for_incoming(worker));
}

/* Without one of its threads a run would wait for ever. */
static void
check_threads(const hd_engine *engine)
{
    if (omp_get_thread_num() == 0 && omp_get_num_threads() != (int)engine->n_threads)
        hd_fatal("%" PRIu32 " replay threads were asked for and the OpenMP library gives %d (OMP_THREAD_LIMIT?)",
                 engine->n_threads, omp_get_num_threads());
}

void
hd_engine_run(hd_engine *engine, const hd_analysis *analysis, bool start_all)
{
    /* A rank that is ahead must not send messages of this run to one that is still in the run before. */
    if (engine->n_ranks > 1)
        hd_analysis_comm_barrier(engine->analysis_comm);
    for (uint32_t t = 0; t < engine->n_threads; t++) {
        engine->workers[t].analysis = analysis;
        if (start_all)
            engine->workers[t].until = 0;
        atomic_store_explicit(&engine->workers[t].reached, engine->workers[t].until, memory_order_relaxed);
    }
    if (start_all)
        for (uint32_t a = 0; a < engine->n_vprocs; a++) {
            engine->states[a] = VPROC_BLOCKED;
            hd_worker_wake(&engine->workers[engine->threads[a]], a);
        }
    /* Batches that filled up before the run are counted already. */
    atomic_fetch_add_explicit(&engine->work, engine->n_threads, memory_order_relaxed);
    atomic_store_explicit(&engine->over, false, memory_order_relaxed);
    engine->last_totals[0] = UINT64_MAX;
#pragma omp parallel num_threads((int)engine->n_threads)
    {
        hd_worker *worker = &engine->workers[omp_get_thread_num()];
        uint64_t start = now_ns();

        check_threads(engine);
        if (!engine->threads_started && engine->on_thread != NULL)
            engine->on_thread(engine->on_thread_context, worker->thread);
        run_worker(worker);
        worker->stats.run_ns += now_ns() - start;
    }
    engine->threads_started = true;
    while (hd_transport_is_sending(engine->transport)) { /* all of it has been received: this does not wait for another
                                                          * rank */
        void *token = hd_transport_sent(engine->transport);

        if (token != NULL)
            hd_batch_give_back(&engine->workers[0], token);
    }
}

void
hd_engine_each_worker(hd_engine *engine, void (*visit)(void *context, hd_worker *worker), void *context)
{
#pragma omp parallel num_threads((int)engine->n_threads)
    {
        check_threads(engine);
        visit(context, &engine->workers[omp_get_thread_num()]);
    }
}

hd_engine_stats
hd_engine_stats_get(const hd_engine *engine, uint32_t thread)
{
    return engine->workers[thread].stats;
}
