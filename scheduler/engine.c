/* scheduler/engine.c: engines, and the loop in which a host runs its agents and delivers their mail. */
#include "engine.h"

#include <omp.h>
#include <sched.h>
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
hd_engine_new(hd_group *group, const hd_engine_request *request)
{
    hd_engine *engine = new_aligned(sizeof *engine);

    omp_set_dynamic(0); /* as many threads as are asked for, or an error */
    engine->group             = group;
    engine->transport         = hd_transport_open();
    engine->n_threads         = request->n_threads;
    engine->rank              = hd_group_rank(group).v;
    engine->n_ranks           = hd_group_size(group);
    engine->n_hosts           = engine->n_ranks * engine->n_threads;
    engine->window            = request->window;
    engine->yield             = request->yield;
    engine->stop              = request->stop;
    engine->n_agents          = request->n_agents;
    engine->on_thread         = request->on_thread;
    engine->on_thread_context = request->context;
    engine->states            = HD_NEW_ARRAY(uint8_t, engine->n_agents);
    engine->times             = HD_NEW_ARRAY(hd_time, engine->n_agents);
    engine->threads           = HD_NEW_ARRAY(uint32_t, engine->n_agents);
    engine->hosts             = new_aligned(engine->n_threads * sizeof *engine->hosts);
    for (uint32_t t = 0; t < engine->n_threads; t++) {
        engine->hosts[t].engine = engine;
        engine->hosts[t].thread = t;
        engine->hosts[t].number = engine->rank * engine->n_threads + t;
        engine->hosts[t].outbox = HD_NEW_ARRAY(hd_batch *, engine->n_hosts);
    }
    for (uint32_t a = 0; a < engine->n_agents; a++) {
        engine->threads[a] = request->agent_threads[a];
        engine->hosts[engine->threads[a]].n_agents++;
    }
    for (uint32_t t = 0; t < engine->n_threads; t++) {
        engine->hosts[t].ready = HD_NEW_ARRAY(uint32_t, engine->hosts[t].n_agents);
        engine->hosts[t].later = HD_NEW_ARRAY(uint32_t, engine->hosts[t].n_agents);
    }
    return engine;
}

void
hd_engine_free(hd_engine *engine)
{
    if (engine == NULL)
        return;
    for (uint32_t t = 0; t < engine->n_threads; t++) {
        hd_host *host = &engine->hosts[t];

        while (host->spare != NULL) {
            hd_batch *batch = host->spare;

            host->spare = batch->next;
            free(batch);
        }
        free(host->outbox);
        free(host->dirty);
        free(host->ready);
        free(host->later);
    }
    free(engine->hosts);
    free(engine->states);
    free(engine->times);
    free(engine->threads);
    hd_transport_close(engine->transport);
    free(engine);
}

uint32_t
hd_host_thread(const hd_host *host)
{
    return host->thread;
}

uint32_t
hd_host_number(const hd_host *host)
{
    return host->number;
}

bool
hd_host_is_parked(const hd_host *host, uint32_t agent)
{
    return host->engine->states[agent] == AGENT_PARKED;
}

void
hd_host_count_item(hd_host *host)
{
    host->stats.n_host_items++;
}

static void
make_ready(hd_host *host, uint32_t agent)
{
    uint32_t at = host->ready_first + host->n_ready++;

    host->ready[at >= host->n_agents ? at - host->n_agents : at] = agent;
    host->engine->states[agent] = AGENT_READY;
}

void
hd_host_wake(hd_host *host, uint32_t agent)
{
    if (host->engine->states[agent] == AGENT_PARKED)
        make_ready(host, agent);
}

bool
hd_engine_is_stopped(const hd_engine *engine)
{
    return hd_termination_is_stopped(engine);
}

static void
relax(const hd_engine *engine, unsigned *n)
{
    if (++*n < 64 && !engine->yield)
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#else
        atomic_signal_fence(memory_order_seq_cst);
#endif
    else if (*n < 4096)
        sched_yield();
    else
        nanosleep(&(struct timespec){ .tv_nsec = 50000 }, NULL);
}

/* Waits for mail; false when all ranks are quiescent. */
static bool
wait_for_mail(hd_host *host)
{
    hd_engine *engine  = host->engine;
    bool       is_main = host->thread == 0;
    uint64_t   start   = now_ns();
    unsigned   n       = 0;
    bool       more    = true;

    atomic_store_explicit(&host->reached, UINT64_MAX, memory_order_relaxed);
    atomic_fetch_sub_explicit(&engine->work, 1, memory_order_acq_rel);
    while (atomic_load_explicit(&host->inbox, memory_order_relaxed) == NULL) {
        if (atomic_load_explicit(&engine->over, memory_order_acquire)) {
            more = false;
            break;
        }
        if (is_main && !engine->summing)
            hd_termination_spread_stop(engine);
        if (is_main && engine->n_ranks > 1) {
            if (hd_mpi_progress(engine))
                n = 0;
            hd_termination_detect(engine);
        } else if (is_main && atomic_load_explicit(&engine->work, memory_order_acquire) == 0)
            atomic_store_explicit(&engine->over, true, memory_order_release);
        relax(engine, &n);
    }
    atomic_store_explicit(&host->reached, host->until, memory_order_relaxed);
    if (more) /* the mail in the inbox is counted, so the rank never looks quiescent in between */
        atomic_fetch_add_explicit(&engine->work, 1, memory_order_relaxed);
    host->stats.idle_ns += now_ns() - start;
    return more;
}

static void
run_agent(hd_host *host, uint32_t agent)
{
    hd_engine *engine = host->engine;

    engine->states[agent] = AGENT_RUNNING;
    switch (host->analysis->run(host->analysis->context, host, agent, host->until, &engine->times[agent])) {
    case HD_RUN_PARKED:
        engine->states[agent] = AGENT_PARKED;
        host->stats.n_parks++;
        break;
    case HD_RUN_YIELD:
        engine->states[agent]        = AGENT_LATER;
        host->later[host->n_later++] = agent;
        break;
    case HD_RUN_DONE:
        engine->states[agent] = AGENT_DONE;
        break;
    }
}

#define WINDOWS_AHEAD 16

/* Whether no other thread of the rank is far behind: one that only sends would fill the memory with mail. */
static bool
may_go_on(const hd_host *host)
{
    const hd_engine *engine = host->engine;

    for (uint32_t t = 0; t < engine->n_threads; t++) {
        hd_time reached = atomic_load_explicit(&engine->hosts[t].reached, memory_order_relaxed);

        if (reached < host->until && (host->until - reached) / WINDOWS_AHEAD > engine->window)
            return false;
    }
    return true;
}

/* Nothing is ready: the window moves on to the earliest of those that have passed it. */
static bool
next_window(hd_host *host)
{
    hd_time earliest = UINT64_MAX;

    if (host->n_later == 0)
        return false;
    if (!may_go_on(host)) {
        if (host->thread == 0 && host->engine->n_ranks > 1) /* other ranks may wait for what the threads behind have sent */
            hd_mpi_progress(host->engine);
        sched_yield();
        return true;
    }
    for (uint32_t i = 0; i < host->n_later; i++)
        earliest = hd_time_min(earliest, host->engine->times[host->later[i]]);
    host->until = earliest + host->engine->window < earliest ? UINT64_MAX : earliest + host->engine->window;
    atomic_store_explicit(&host->reached, host->until, memory_order_relaxed);
    for (uint32_t i = 0; i < host->n_later; i++)
        make_ready(host, host->later[i]);
    host->n_later = 0;
    return true;
}

static void
run_host(hd_host *host)
{
    hd_engine *engine = host->engine;
    unsigned   turns  = 0;

    do {
        for (;;) {
            hd_host_take_mail(host);
            if (host->thread == 0)
                hd_termination_spread_stop(engine);
            if (host->n_ready > 0 && !hd_termination_is_stopped(engine)) {
                uint32_t agent = host->ready[host->ready_first];

                host->ready_first = host->ready_first + 1 == host->n_agents ? 0 : host->ready_first + 1;
                host->n_ready--;
                run_agent(host, agent);
                hd_host_deliver_own(host);
                if (host->n_dirty > 0 && engine->n_threads > 1)
                    hd_host_flush_near(host);
                if (host->thread == 0 && engine->n_ranks > 1 && ++turns % 8 == 0)
                    hd_mpi_progress(engine);
                continue;
            }
            if (!hd_host_deliver_own(host) && !hd_host_flush(host) && (hd_termination_is_stopped(engine) || !next_window(host)))
                break;
        }
    } while (wait_for_mail(host));
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
    /* A rank that is ahead must not send mail of this run to one that is still in the run before. */
    if (engine->n_ranks > 1)
        hd_group_barrier(engine->group);
    for (uint32_t t = 0; t < engine->n_threads; t++) {
        engine->hosts[t].analysis = analysis;
        if (start_all)
            engine->hosts[t].until = 0;
        atomic_store_explicit(&engine->hosts[t].reached, engine->hosts[t].until, memory_order_relaxed);
    }
    if (start_all)
        for (uint32_t a = 0; a < engine->n_agents; a++) {
            engine->states[a] = AGENT_PARKED;
            hd_host_wake(&engine->hosts[engine->threads[a]], a);
        }
    /* Batches that filled up before the run are counted already. */
    atomic_fetch_add_explicit(&engine->work, engine->n_threads, memory_order_relaxed);
    atomic_store_explicit(&engine->over, false, memory_order_relaxed);
    engine->last_totals[0] = UINT64_MAX;
#pragma omp parallel num_threads((int)engine->n_threads)
    {
        hd_host *host  = &engine->hosts[omp_get_thread_num()];
        uint64_t start = now_ns();

        check_threads(engine);
        if (!engine->threads_started && engine->on_thread != NULL)
            engine->on_thread(engine->on_thread_context, host->thread);
        run_host(host);
        host->stats.run_ns += now_ns() - start;
    }
    engine->threads_started = true;
    while (hd_transport_is_sending(engine->transport)) { /* all of it has been received: this does not wait for anybody */
        void *token = hd_transport_sent(engine->transport);

        if (token != NULL)
            hd_batch_give_back(&engine->hosts[0], token);
    }
}

void
hd_engine_each_host(hd_engine *engine, void (*visit)(void *context, hd_host *host), void *context)
{
#pragma omp parallel num_threads((int)engine->n_threads)
    {
        check_threads(engine);
        visit(context, &engine->hosts[omp_get_thread_num()]);
    }
}

hd_engine_stats
hd_engine_stats_get(const hd_engine *engine, uint32_t thread)
{
    return engine->hosts[thread].stats;
}
