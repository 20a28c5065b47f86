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

/* Its vprocs, of which there may be none. What it writes while others run stands in lines of its own. */
static void
init_worker(hd_worker *worker, hd_engine *engine, uint32_t thread, const uint32_t *vproc_threads)
{
    uint32_t end = 0;

    worker->engine      = engine;
    worker->thread      = thread;
    worker->number      = engine->rank * engine->n_threads + thread;
    worker->first_vproc = engine->n_vprocs;
    for (uint32_t a = 0; a < engine->n_vprocs; a++)
        if (vproc_threads[a] == thread) {
            if (worker->n_vprocs++ == 0)
                worker->first_vproc = a;
            end = a + 1;
        }
    worker->states = hd_alloc_apart(end > 0 ? end - worker->first_vproc : 0, sizeof *worker->states);
    worker->ready  = hd_alloc_apart(worker->n_vprocs, sizeof *worker->ready);
    worker->later  = hd_alloc_apart(worker->n_vprocs, sizeof *worker->later);
    worker->outbox = hd_alloc_apart(engine->n_workers, sizeof(hd_batch *));
    worker->dirty  = hd_alloc_apart(engine->n_workers, sizeof *worker->dirty);
}

hd_engine *
hd_engine_new(hd_analysis_comm *analysis_comm, const hd_engine_request *request)
{
    hd_engine *engine = hd_alloc_apart(1, sizeof *engine);

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
    engine->threads           = HD_NEW_ARRAY(uint32_t, engine->n_vprocs);
    engine->workers           = hd_alloc_apart(engine->n_threads, sizeof *engine->workers);
    engine->thread_stats      = hd_alloc_apart(engine->n_threads, sizeof *engine->thread_stats);
    if (engine->n_vprocs > 0)
        memcpy(engine->threads, request->vproc_threads, engine->n_vprocs * sizeof *engine->threads);
    atomic_store_explicit(&engine->over, true, memory_order_relaxed);
    for (uint32_t t = 0; t < engine->n_threads; t++)
        init_worker(&engine->workers[t], engine, t, request->vproc_threads);
    return engine;
}

void
hd_engine_free(hd_engine *engine)
{
    if (engine == NULL)
        return;
    for (uint32_t t = 0; t < engine->n_threads; t++) {
        hd_worker *worker = &engine->workers[t];

        hd_worker_free_batches(worker);
        hd_spares_free(&worker->spares);
        free(atomic_load_explicit(&worker->seen, memory_order_relaxed));
        free(worker->outbox);
        free(worker->dirty);
        free(worker->states);
        free(worker->ready);
        free(worker->later);
    }
    hd_spares_free(&engine->spares);
    free(engine->workers);
    free(engine->thread_stats);
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
    return worker->states[vproc - worker->first_vproc] == VPROC_BLOCKED;
}

void
hd_worker_hurry(hd_worker *worker)
{
    hd_engine *engine = worker->engine;

    hd_worker_flush(worker);
    if (worker->is_on_main && engine->n_ranks > 1 && !atomic_load_explicit(&engine->over, memory_order_relaxed))
        hd_mpi_progress(engine); /* not between runs: another rank may be in the one before */
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
    worker->states[vproc - worker->first_vproc] = VPROC_READY;
}

void
hd_worker_wake(hd_worker *worker, uint32_t vproc)
{
    if (hd_worker_is_blocked(worker, vproc))
        make_ready(worker, vproc);
}

bool
hd_engine_is_stopped(const hd_engine *engine)
{
    return hd_termination_is_stopped(engine);
}

static void
run_vproc(hd_worker *worker, uint32_t vproc)
{
    uint8_t *state = &worker->states[vproc - worker->first_vproc];
    hd_time  now;

    *state = VPROC_RUNNING;
    switch (worker->analysis->run(worker->analysis->context, worker, vproc, worker->until, &now)) {
    case HD_RUN_BLOCKED:
        *state = VPROC_BLOCKED;
        worker->stats.n_blocks++;
        break;
    case HD_RUN_YIELD:
        *state           = VPROC_LATER;
        worker->earliest = worker->n_later > 0 ? hd_time_min(worker->earliest, now) : now;
        worker->later[worker->n_later++] = vproc;
        break;
    case HD_RUN_DONE:
        *state = VPROC_DONE;
        break;
    }
}

#define WINDOWS_AHEAD 256

/* Whether no other worker of the rank has fallen far back: one that only sends would fill the memory with messages. */
static bool
may_go_on(const hd_worker *worker)
{
    const hd_engine *engine = worker->engine;
    hd_time          until  = atomic_load_explicit(&worker->reached, memory_order_relaxed);

    for (uint32_t t = 0; t < engine->n_threads; t++) {
        hd_time reached = atomic_load_explicit(&engine->workers[t].reached, memory_order_relaxed);

        if (reached < until && (until - reached) / WINDOWS_AHEAD > engine->window)
            return false;
    }
    return true;
}

/* Nothing is ready: the window moves on to the earliest of those that have passed it. */
static bool
next_window(hd_worker *worker)
{
    if (worker->n_later == 0 || !may_go_on(worker))
        return false;
    worker->until = worker->earliest + worker->engine->window;
    if (worker->until < worker->earliest)
        worker->until = UINT64_MAX;
    atomic_store_explicit(&worker->reached, worker->until, memory_order_relaxed);
    for (uint32_t i = 0; i < worker->n_later; i++)
        make_ready(worker, worker->later[i]);
    worker->n_later = 0;
    return true;
}

/* Takes the worker for this thread; false: another one has it. */
static bool
claim(hd_worker *worker, bool is_main)
{
    if (atomic_load_explicit(&worker->is_claimed, memory_order_relaxed) ||
        atomic_exchange_explicit(&worker->is_claimed, true, memory_order_acquire))
        return false;
    worker->is_on_main = is_main;
    return true;
}

/* A worker that waits for messages, or for other workers that are behind. */
static void
give_back(hd_worker *worker)
{
    bool is_ahead = worker->n_later > 0 && !hd_termination_is_stopped(worker->engine);

    if (is_ahead != atomic_load_explicit(&worker->is_ahead, memory_order_relaxed))
        atomic_store_explicit(&worker->is_ahead, is_ahead, memory_order_relaxed);
    if (!is_ahead) {
        atomic_store_explicit(&worker->reached, UINT64_MAX, memory_order_relaxed);
        atomic_store_explicit(&worker->n_done, worker->n_taken, memory_order_release);
    }
    atomic_store_explicit(&worker->is_claimed, false, memory_order_release);
}

/* A message to another core takes about as long. */
#define SHORT_NS 2000

/* Counts a stint of a worker, which ends now. */
static void
count_stint(hd_worker *worker, uint64_t *since_ns)
{
    uint64_t now = now_ns(), stint = now - *since_ns;

    worker->stint_ns = worker->stint_ns - worker->stint_ns / 8 + hd_time_min(stint, 4 * SHORT_NS) / 8;
    *since_ns        = now;
}

/* A worker that this thread is to run next, where workers have little to do between messages to each other: one that
 * nobody has and that gets messages of this one. It is claimed, and has the messages. */
static hd_worker *
hand_over(hd_worker *worker)
{
    hd_engine *engine = worker->engine;

    if (worker->stint_ns > SHORT_NS || worker->n_later > 0 || hd_worker_has_mail(worker))
        return NULL;
    for (size_t i = 0; i < worker->n_dirty; i++) {
        uint32_t   destination = worker->dirty[i];
        hd_worker *to          = &engine->workers[destination % engine->n_threads];

        if (destination / engine->n_threads == engine->rank && worker->outbox[destination] != NULL &&
            claim(to, worker->is_on_main)) {
            hd_worker_hand_over(worker, to);
            return to;
        }
    }
    return NULL;
}

/* The main thread sends and receives after every few time slices and stints: it may go from one worker to the next for
 * long, while other ranks wait. */
static inline void
make_progress(const hd_worker *worker)
{
    hd_engine *engine = worker->engine;

    if (worker->is_on_main && engine->n_ranks > 1 && ++engine->n_slices % 8 == 0)
        hd_mpi_progress(engine);
}

/* Runs a worker until nothing is ready. Returns the one that this thread is to run next, claimed; NULL: none yet. */
static hd_worker *
run_worker(hd_worker *worker, uint64_t *since_ns)
{
    hd_engine *engine = worker->engine;
    hd_worker *next   = NULL;

    atomic_store_explicit(&worker->reached, worker->until, memory_order_relaxed);
    for (;;) {
        if (hd_worker_has_mail(worker)) {
            hd_worker_take_mail(worker);
            if (worker->n_dirty > 0)
                hd_worker_flush_near(worker);
        }
        if (worker->is_on_main)
            hd_termination_spread_stop(engine);
        if (worker->n_ready > 0 && !hd_termination_is_stopped(engine)) {
            uint32_t vproc = worker->ready[worker->ready_first];

            worker->ready_first = worker->ready_first + 1 == worker->n_vprocs ? 0 : worker->ready_first + 1;
            worker->n_ready--;
            run_vproc(worker, vproc);
            hd_worker_deliver_own(worker);
            if (worker->n_dirty > 0 && worker->n_ready > 0)
                hd_worker_flush_near(worker);
            make_progress(worker);
            continue;
        }
        if (hd_worker_deliver_own(worker))
            continue;
        next = worker->n_dirty > 0 ? hand_over(worker) : NULL;
        if ((hd_worker_flush(worker) && next == NULL) ||
            (next == NULL && !hd_termination_is_stopped(engine) && next_window(worker)))
            continue;
        count_stint(worker, since_ns);
        make_progress(worker);
        give_back(worker);
        return next;
    }
}

static bool
has_something_to_do(const hd_worker *worker)
{
    return hd_worker_has_mail(worker) ||
           (atomic_load_explicit(&worker->is_ahead, memory_order_relaxed) && may_go_on(worker));
}

#define TRIES_OF_OWN 64
#define TRIES_OF_END 256
#define MANY_TRIES   65536

/* Whether this try asks for the end, too. Not each one does: a line of another thread that is read is slower to write,
 * and sums of all ranks delay the messages that a rank waits for. */
static bool
asks_for_end(const hd_engine *engine, uint64_t n_tries)
{
    return n_tries % TRIES_OF_END == TRIES_OF_END - 1 || engine->n_workers == 1 || engine->yield ||
           n_tries >= MANY_TRIES;
}

/* The worker of this thread if it has something to do; now and then another one, whose thread does not come to it. */
static hd_worker *
find_worker(hd_engine *engine, uint32_t thread, uint64_t n_tries)
{
    hd_worker *own   = &engine->workers[thread];
    hd_worker *other = &engine->workers[(thread + n_tries / TRIES_OF_OWN) % engine->n_threads];

    if (has_something_to_do(own) && claim(own, thread == 0))
        return own;
    if (n_tries % TRIES_OF_OWN == TRIES_OF_OWN - 1 && has_something_to_do(other) && claim(other, thread == 0))
        return other;
    return NULL;
}

/* Waits for messages; NULL when all ranks are quiescent. */
static hd_worker *
wait_for_worker(hd_engine *engine, uint32_t thread, uint64_t *since_ns)
{
    uint64_t   start  = *since_ns;
    hd_idling  idling = { 0 };
    hd_worker *worker;

    for (uint64_t n = 0; (worker = find_worker(engine, thread, n)) == NULL; n++) {
        if (atomic_load_explicit(&engine->over, memory_order_acquire))
            break;
        if (thread == 0 && !engine->summing)
            hd_termination_spread_stop(engine);
        if (thread == 0 && engine->n_ranks > 1) {
            if (hd_mpi_progress(engine))
                idling = (hd_idling){ 0 };
            if (engine->summing || asks_for_end(engine, n))
                hd_termination_detect(engine);
        } else if (thread == 0 && asks_for_end(engine, n) && hd_termination_is_quiescent(engine))
            atomic_store_explicit(&engine->over, true, memory_order_release);
        hd_idle(&idling, engine->yield);
    }
    *since_ns = now_ns();
    engine->thread_stats[thread].idle_ns += *since_ns - start;
    return worker;
}

static void
run_thread(hd_engine *engine, uint32_t thread)
{
    hd_worker *worker   = claim(&engine->workers[thread], thread == 0) ? &engine->workers[thread] : NULL;
    uint64_t   since_ns = now_ns();

    do {
        while (worker != NULL)
            worker = run_worker(worker, &since_ns);
    } while ((worker = wait_for_worker(engine, thread, &since_ns)) != NULL);
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
        hd_worker *worker = &engine->workers[t];

        worker->analysis = analysis;
        if (start_all)
            worker->until = 0;
        atomic_store_explicit(&worker->reached, worker->until, memory_order_relaxed);
        worker->n_taken++;
        hd_worker_count_pushed(worker);
    }
    if (start_all)
        for (uint32_t a = 0; a < engine->n_vprocs; a++) {
            hd_worker *worker = &engine->workers[engine->threads[a]];

            worker->states[a - worker->first_vproc] = VPROC_BLOCKED;
            hd_worker_wake(worker, a);
        }
    atomic_store_explicit(&engine->over, false, memory_order_relaxed);
    engine->last_totals[0] = UINT64_MAX;
#pragma omp parallel num_threads((int)engine->n_threads)
    {
        uint32_t thread = (uint32_t)omp_get_thread_num();
        uint64_t start  = now_ns();

        check_threads(engine);
        if (!engine->threads_started && engine->on_thread != NULL)
            engine->on_thread(engine->on_thread_context, thread);
        run_thread(engine, thread);
        engine->thread_stats[thread].run_ns += now_ns() - start;
    }
    engine->threads_started = true;
    for (uint32_t t = 0; t < engine->n_threads; t++)
        hd_worker_free_batches(&engine->workers[t]);
    while (hd_transport_is_sending(engine->transport)) { /* all of it has been received: this does not wait for another
                                                          * rank */
        void *token = hd_transport_sent(engine->transport);

        if (token != NULL)
            hd_batch_give_back(&engine->spares, token);
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
    hd_engine_stats stats = engine->workers[thread].stats;

    stats.idle_ns = engine->thread_stats[thread].idle_ns;
    stats.run_ns  = engine->thread_stats[thread].run_ns;
    if (thread == 0) {
        stats.n_messages    = engine->n_messages;
        stats.message_bytes = engine->message_bytes;
    }
    return stats;
}
