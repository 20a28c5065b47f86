#include "engine.h"

#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#include "memory.h"
#include "transport.h"

#define BATCH_BYTES (32 * 1024 - 64)

typedef struct hd_batch {
    struct hd_batch *next;
    uint32_t         destination; /* host */
    uint32_t         n, capacity; /* bytes in data */
    _Alignas(16) uint8_t data[];
} hd_batch;

typedef struct item_head {
    uint32_t kind, bytes;
} item_head;

typedef enum agent_state { AGENT_PARKED, AGENT_READY, AGENT_LATER, AGENT_RUNNING, AGENT_DONE } agent_state;

struct hd_host {
    /* the host's thread alone */
    hd_engine         *engine;
    const hd_analysis *analysis;
    uint32_t           number, thread;
    uint32_t          *ready; /* [n_agents] a ring; an agent is in it at most once */
    uint32_t           ready_first, n_ready;
    uint32_t          *later; /* [n_agents] those that have passed the window */
    uint32_t           n_later, n_agents;
    hd_time            until; /* end of the window */
    hd_batch         **outbox; /* [n_hosts] being filled; grows with: hosts that mail goes to */
    uint32_t          *dirty;  /* hosts whose outbox is not empty */
    size_t             n_dirty, capacity_dirty;
    hd_batch          *own_first, *own_last; /* full batches for this host itself, older than the one in its outbox */
    hd_batch          *spare; /* batches to use again */
    uint32_t           n_spare;
    hd_engine_stats    stats;
    /* written by the host's thread, read by the others of the rank; relaxed: a bound, nothing is read through it */
    _Alignas(64) _Atomic hd_time reached; /* end of its window; UINT64_MAX while it waits for mail */
    /* pushed by any thread of the rank, taken whole by the host's thread */
    _Alignas(64) _Atomic(hd_batch *) inbox; /* release in push_batch() pairs with acquire in take_batches() */
};

struct hd_engine {
    hd_group      *group;
    hd_transport  *transport;
    hd_host       *hosts; /* [n_threads] */
    uint32_t       n_threads, n_hosts, rank, n_ranks;
    hd_time        window;
    bool           yield;
    uint8_t       *states;   /* [n_agents] agent_state; each touched by its host's thread alone */
    hd_time       *times;    /* [n_agents] */
    uint32_t      *threads;  /* [n_agents] */
    uint32_t       n_agents;
    void         (*on_thread)(void *context, uint32_t thread);
    void          *on_thread_context;
    bool           threads_started;
    /* main thread alone */
    uint64_t       n_sent, n_received; /* batches to and from other ranks */
    uint64_t       last_totals[2];
    bool           summing;
    const _Atomic int *stop;
    /* any thread of the rank */
    _Alignas(64) _Atomic(hd_batch *) to_send; /* batches for other ranks; release in push_batch(), acquire in send_batches() */
    /* Threads at work + batches in inboxes and in to_send. Nothing can happen on this rank without a message from another one
     * when it is 0. Added to (relaxed) before what it counts is published; taken off (acq_rel) after that is dealt with;
     * read (acquire) by the main thread. */
    _Alignas(64) _Atomic uint64_t work;
    _Atomic bool over; /* release by the main thread, acquire by the others: all ranks are quiescent */
    _Atomic bool stopped; /* written by the main thread; relaxed: nothing is read through it */
};

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

static hd_batch *
new_batch(uint32_t capacity)
{
    hd_batch *batch = hd_realloc(NULL, 1, sizeof *batch + capacity);

    batch->capacity = capacity;
    batch->n = 0;
    return batch;
}

/* Hands a filled batch over: to a thread of this rank, or to the main thread, which sends it. */
static void
push_batch(hd_engine *engine, hd_batch *batch)
{
    uint32_t            rank  = batch->destination / engine->n_threads;
    _Atomic(hd_batch *) *list = rank == engine->rank ? &engine->hosts[batch->destination % engine->n_threads].inbox
                                                     : &engine->to_send;

    atomic_fetch_add_explicit(&engine->work, 1, memory_order_relaxed);
    batch->next = atomic_load_explicit(list, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(list, &batch->next, batch, memory_order_release, memory_order_relaxed))
        ;
}

/* All batches of a list, the oldest first. */
static hd_batch *
take_batches(_Atomic(hd_batch *) *list)
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
        push_batch(host->engine, batch);
        return;
    }
    batch->next = NULL;
    if (host->own_first == NULL)
        host->own_first = batch;
    else
        host->own_last->next = batch;
    host->own_last = batch;
}

static bool
flush_all(hd_host *host)
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
static void
flush_near(hd_host *host)
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
    if (bytes <= BATCH_BYTES && host->spare != NULL) {
        batch       = host->spare;
        host->spare = batch->next;
        host->n_spare--;
        batch->n = 0;
    } else
        batch = new_batch(bytes <= BATCH_BYTES ? BATCH_BYTES : bytes);
    batch->destination        = destination;
    host->outbox[destination] = batch;
    return batch;
}

void
hd_host_send(hd_host *host, uint32_t destination, uint32_t kind, const void *head, uint32_t head_bytes, const void *tail,
             uint32_t tail_bytes)
{
    uint32_t  bytes = (uint32_t)sizeof(item_head) + head_bytes + tail_bytes;
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
    memcpy(at, &(item_head){ kind, head_bytes + tail_bytes }, sizeof(item_head));
    memcpy(at + sizeof(item_head), head, head_bytes);
    if (tail_bytes > 0)
        memcpy(at + sizeof(item_head) + head_bytes, tail, tail_bytes);
    batch->n += bytes;
}

static void
give_back(hd_host *host, hd_batch *batch)
{
    if (batch->capacity == BATCH_BYTES && host->n_spare < 4) {
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
        item_head head;

        memcpy(&head, batch->data + at, sizeof head);
        host->analysis->deliver(host->analysis->context, host, head.kind, batch->data + at + sizeof head, head.bytes);
        at += (uint32_t)sizeof head + head.bytes;
    }
}

static bool
take_mail(hd_host *host)
{
    hd_batch *batch = take_batches(&host->inbox);
    uint64_t  n     = 0;

    while (batch != NULL) {
        hd_batch *next = batch->next;

        deliver_batch(host, batch);
        give_back(host, batch);
        batch = next;
        n++;
    }
    if (n > 0)
        atomic_fetch_sub_explicit(&host->engine->work, n, memory_order_acq_rel);
    return n > 0;
}

static bool
is_stopped(const hd_engine *engine)
{
    return atomic_load_explicit(&engine->stopped, memory_order_relaxed);
}

bool
hd_engine_is_stopped(const hd_engine *engine)
{
    return is_stopped(engine);
}

/* The main thread's part of stopping: tells the other ranks, by empty messages to a thread that does not exist. They count as batches, so no
 * run ends before all have come. While this rank's numbers are being summed it tells nobody, unless it is at work: the sum could
 * be the one that ends the run. */
static void
look_for_stop(hd_engine *engine)
{
    if (engine->stop == NULL || *engine->stop == 0 || is_stopped(engine))
        return;
    atomic_store_explicit(&engine->stopped, true, memory_order_relaxed);
    for (uint32_t rank = 0; rank < engine->n_ranks; rank++)
        if (rank != engine->rank) {
            hd_batch *batch = new_batch(0);

            hd_transport_send(engine->transport, rank, engine->n_threads, batch->data, 0, batch);
            engine->n_sent++;
        }
}

/* The main thread's part: batches out, messages in. */
static bool
drive_mpi(hd_engine *engine)
{
    bool      any   = false;
    uint64_t  n     = 0;
    hd_batch *batch = take_batches(&engine->to_send);
    uint32_t  thread, bytes;
    void     *token;

    while (batch != NULL) {
        hd_batch *next = batch->next;

        hd_transport_send(engine->transport, batch->destination / engine->n_threads, batch->destination % engine->n_threads,
                          batch->data, batch->n, batch);
        engine->n_sent++;
        engine->hosts[0].stats.n_messages++;
        engine->hosts[0].stats.message_bytes += batch->n;
        batch = next;
        n++;
    }
    if (n > 0) {
        atomic_fetch_sub_explicit(&engine->work, n, memory_order_acq_rel);
        any = true;
    }
    while ((token = hd_transport_sent(engine->transport)) != NULL)
        give_back(&engine->hosts[0], token);
    while (hd_transport_probe(engine->transport, &thread, &bytes)) {
        batch = engine->hosts[0].spare;
        if (bytes > BATCH_BYTES || batch == NULL)
            batch = new_batch(bytes > BATCH_BYTES ? bytes : BATCH_BYTES);
        else {
            engine->hosts[0].spare = batch->next;
            engine->hosts[0].n_spare--;
        }
        hd_transport_receive(engine->transport, batch->data);
        any = true;
        if (thread == engine->n_threads) { /* look_for_stop() of another rank */
            atomic_store_explicit(&engine->stopped, true, memory_order_relaxed);
            engine->n_received++;
            give_back(&engine->hosts[0], batch);
            continue;
        }
        batch->n           = bytes;
        batch->destination = engine->rank * engine->n_threads + thread;
        engine->n_received++;
        push_batch(engine, batch);
    }
    return any;
}

/* Four counters (Mattern): all ranks are quiescent when two sums in a row, each taken of ranks while they had nothing to do,
 * find the same number of batches sent and received. */
static void
agree_on_quiescence(hd_engine *engine)
{
    uint64_t totals[2];

    if (!engine->summing) {
        if (atomic_load_explicit(&engine->work, memory_order_acquire) != 0)
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
            look_for_stop(engine);
        if (is_main && engine->n_ranks > 1) {
            if (drive_mpi(engine))
                n = 0;
            agree_on_quiescence(engine);
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
            drive_mpi(host->engine);
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

/* What agents sent to their own host: one batch, the oldest. */
static bool
deliver_own(hd_host *host)
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
    give_back(host, batch);
    return true;
}

static void
run_host(hd_host *host)
{
    hd_engine *engine = host->engine;
    unsigned   turns  = 0;

    do {
        for (;;) {
            take_mail(host);
            if (host->thread == 0)
                look_for_stop(engine);
            if (host->n_ready > 0 && !is_stopped(engine)) {
                uint32_t agent = host->ready[host->ready_first];

                host->ready_first = host->ready_first + 1 == host->n_agents ? 0 : host->ready_first + 1;
                host->n_ready--;
                run_agent(host, agent);
                deliver_own(host);
                if (host->n_dirty > 0 && engine->n_threads > 1)
                    flush_near(host);
                if (host->thread == 0 && engine->n_ranks > 1 && ++turns % 8 == 0)
                    drive_mpi(engine);
                continue;
            }
            if (!deliver_own(host) && !flush_all(host) && (is_stopped(engine) || !next_window(host)))
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
            give_back(&engine->hosts[0], token);
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
