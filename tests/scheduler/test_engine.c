/* tests/scheduler/test_engine.c: toy analyses on every number of threads and ranks: what is sent arrives once and in
 * order, and a run ends when nothing is left to do, and not before.
 *
 *   worker 0 vprocs 0 .. 4 ──items──▶ worker 1 vprocs 0 .. 4 ...      a vproc's number: worker * N_VPROCS + its place
 *
 * Arguments: numbers of threads per rank, one after the other. Under mpirun all ranks run the same tests.
 */
#include "check.h"
#include "test_comm.h"
#include "batch.h"
#include "engine.h"
#include "memory.h"
#include "random_numbers.h"

enum { N_VPROCS = 5 }; /* of each worker */

static hd_analysis_comm *analysis_comm;
static uint32_t  n_threads; /* of the tests that are running */

typedef struct vproc_state {
    uint64_t random;
    uint32_t n_sent, n_replies, n_runs;
    uint32_t way; /* hops that the token at hand has still to go, 0: none at hand */
    hd_time  now;
} vproc_state;

typedef struct worker_state { /* of one thread, touched by it alone */
    uint32_t *next_out, *next_in; /* [n_workers] */
    uint64_t  n_sent, n_delivered, n_wrong, n_hops;
    _Alignas(64) vproc_state vprocs[N_VPROCS];
} worker_state;

typedef struct toy {
    hd_engine  *engine;
    worker_state *workers; /* [n_threads] */
    uint32_t    n_workers, rank;
    uint32_t    phase;
    uint32_t    n_messages; /* of each vproc */
    uint32_t    stops_on, stops_at; /* rank; requests of a vproc */
    _Atomic int stop;
} toy;

typedef struct item { /* the head of everything that is sent */
    uint32_t from, sequence; /* sequence: number of the item between the two workers */
    uint32_t vproc;          /* of this place on the worker that it goes to, or that wants the reply */
    uint32_t phase;
    uint32_t n_tail, value;
} item;

enum { REQUEST = 3, REPLY, TOKEN, PLAIN };

static void
toy_init(toy *t)
{
    uint32_t  n_vprocs = n_threads * N_VPROCS;
    uint32_t *threads  = HD_NEW_ARRAY(uint32_t, n_vprocs);

    *t = (toy){ .n_workers = hd_analysis_comm_size(analysis_comm) * n_threads,
                .rank = hd_analysis_comm_rank(analysis_comm).v };
    for (uint32_t a = 0; a < n_vprocs; a++)
        threads[a] = a % n_threads;
    t->workers = hd_alloc_apart(n_threads, sizeof *t->workers);
    t->engine = hd_engine_new(analysis_comm, &(hd_engine_request){ .n_threads = n_threads, .n_vprocs = n_vprocs,
                                                           .vproc_threads = threads, .window = 100, .yield = true,
                                                           .stop = &t->stop });
    for (uint32_t i = 0; i < n_threads; i++) {
        t->workers[i].next_out = HD_NEW_ARRAY(uint32_t, t->n_workers);
        t->workers[i].next_in = HD_NEW_ARRAY(uint32_t, t->n_workers);
        for (uint32_t a = 0; a < N_VPROCS; a++)
            t->workers[i].vprocs[a].random = 1 + ((uint64_t)t->rank * n_threads + i) * N_VPROCS + a;
    }
    free(threads);
}

static void
toy_fini(toy *t)
{
    hd_engine_free(t->engine);
    for (uint32_t i = 0; i < n_threads; i++) {
        free(t->workers[i].next_out);
        free(t->workers[i].next_in);
    }
    free(t->workers);
}

static worker_state *
state_of(toy *t, const hd_worker *worker)
{
    return &t->workers[hd_worker_thread(worker)];
}

static uint64_t
tail_word(uint32_t sequence, uint32_t i)
{
    return sequence * UINT64_C(0x100000001) + i;
}

static void
send_item(toy *t, hd_worker *worker, uint32_t destination, uint32_t kind, uint32_t vproc, uint32_t n_tail,
          uint32_t value)
{
    worker_state *state = state_of(t, worker);
    item        head  = { .from = hd_worker_number(worker), .sequence = state->next_out[destination]++, .vproc = vproc,
                          .phase = t->phase, .n_tail = n_tail, .value = value };
    uint64_t   *tail  = HD_NEW_ARRAY(uint64_t, n_tail);

    for (uint32_t i = 0; i < n_tail; i++)
        tail[i] = tail_word(head.sequence, i);
    hd_worker_send(worker, destination, kind, &head, sizeof head, tail, n_tail * 8);
    free(tail);
    state->n_sent++;
}

/* Takes an item in and says what is wrong with it in the count of its worker. */
static item
receive_item(toy *t, const hd_worker *worker, const void *data, uint32_t bytes)
{
    worker_state   *state = state_of(t, worker);
    const uint64_t *tail  = (const uint64_t *)(const void *)((const char *)data + sizeof(item));
    item            head;

    memcpy(&head, data, sizeof head);
    state->n_delivered++;
    state->n_wrong += (uintptr_t)data % 8 != 0 || bytes != sizeof head + head.n_tail * 8;
    state->n_wrong += head.from >= t->n_workers || head.sequence != state->next_in[head.from]++;
    state->n_wrong += head.phase != t->phase;
    for (uint32_t i = 0; i < head.n_tail; i++)
        state->n_wrong += tail[i] != tail_word(head.sequence, i);
    return head;
}

typedef struct totals {
    uint64_t n_sent, n_delivered, n_wrong, n_hops, n_blocked;
} totals;

static void
add_worker(void *context, hd_worker *worker)
{
    uint64_t *n_blocked = context;

    for (uint32_t a = 0; a < N_VPROCS; a++)
        if (hd_worker_is_blocked(worker, a * n_threads + hd_worker_thread(worker)))
            __atomic_fetch_add(n_blocked, 1, __ATOMIC_RELAXED);
}

static totals
total(toy *t)
{
    totals   sum = { 0 };
    uint64_t n_blocked = 0;

    hd_engine_each_worker(t->engine, add_worker, &n_blocked);
    sum.n_blocked = n_blocked;
    for (uint32_t i = 0; i < n_threads; i++) {
        sum.n_sent += t->workers[i].n_sent;
        sum.n_delivered += t->workers[i].n_delivered;
        sum.n_wrong += t->workers[i].n_wrong;
        sum.n_hops += t->workers[i].n_hops;
    }
    hd_analysis_comm_reduce(analysis_comm, &sum.n_sent, 5, HD_SUM);
    return sum;
}

static void
deliver_plain(void *context, hd_worker *worker, uint32_t kind, const void *data, uint32_t bytes)
{
    (void)kind;
    receive_item(context, worker, data, bytes);
}

/* A storm: vprocs send requests to workers at random and get a reply for each. */

static hd_run
run_storm(void *context, hd_worker *worker, uint32_t vproc, hd_time until, hd_time *now)
{
    toy         *t     = context;
    vproc_state *state = &state_of(t, worker)->vprocs[vproc / n_threads];

    if (vproc % n_threads != hd_worker_thread(worker))
        state_of(t, worker)->n_wrong++;
    while (state->n_sent < t->n_messages) {
        uint32_t n_tail = random_below(&state->random, 8);

        if (random_below(&state->random, 60) == 0)
            n_tail = 3000 + random_below(&state->random, 4000); /* 24 to 56 KiB: more than a batch, or nearly one */
        send_item(t, worker, random_below(&state->random, t->n_workers), REQUEST, vproc / n_threads, n_tail, 0);
        state->n_sent++;
        state->now += random_below(&state->random, 30);
        *now = state->now;
        if (state->now > until)
            return HD_RUN_YIELD;
    }
    return state->n_replies == t->n_messages ? HD_RUN_DONE : HD_RUN_BLOCKED;
}

static void
deliver_storm(void *context, hd_worker *worker, uint32_t kind, const void *data, uint32_t bytes)
{
    toy        *t     = context;
    worker_state *state = state_of(t, worker);
    item        head  = receive_item(t, worker, data, bytes);

    if (kind == REQUEST)
        send_item(t, worker, head.from, REPLY, head.vproc, head.n_tail % 5, 0);
    else if (++state->vprocs[head.vproc].n_replies == t->n_messages)
        hd_worker_wake(worker, head.vproc * n_threads + hd_worker_thread(worker));
}

TEST(everything_in_a_storm_is_delivered_once_and_in_order)
{
    toy    t;
    totals sum;

    toy_init(&t);
    t.n_messages = 200;
    hd_engine_run(t.engine, &(hd_analysis){ &t, run_storm, deliver_storm }, true);
    sum = total(&t);
    CHECK_EQ(sum.n_sent, (uint64_t)t.n_workers * N_VPROCS * t.n_messages * 2);
    CHECK_EQ(sum.n_delivered, sum.n_sent);
    CHECK_EQ(sum.n_wrong, 0);
    CHECK_EQ(sum.n_blocked, 0);
    toy_fini(&t);
}

TEST(a_second_storm_is_like_the_first_one)
{
    toy    t;
    totals sum;

    toy_init(&t);
    for (uint32_t storm = 1; storm <= 4; storm++) {
        t.n_messages = storm * 20;
        t.phase      = storm;
        hd_engine_run(t.engine, &(hd_analysis){ &t, run_storm, deliver_storm }, true);
    }
    sum = total(&t);
    CHECK_EQ(sum.n_sent, (uint64_t)t.n_workers * N_VPROCS * t.n_messages * 2);
    CHECK_EQ(sum.n_delivered, sum.n_sent);
    CHECK_EQ(sum.n_wrong, 0);
    CHECK_EQ(sum.n_blocked, 0);
    toy_fini(&t);
}

static hd_run
run_until_stopped(void *context, hd_worker *worker, uint32_t vproc, hd_time until, hd_time *now)
{
    toy *t = context;

    if (t->rank == t->stops_on && state_of(t, worker)->vprocs[vproc / n_threads].n_sent >= t->stops_at)
        t->stop = 1;
    return run_storm(context, worker, vproc, until, now);
}

/* At the begin, in the middle, when all has been sent, never; what is under way is delivered in any case. */
TEST(a_run_that_one_rank_stops_ends_on_all_of_them)
{
    for (uint32_t i = 0; i < 6; i++) {
        toy      t;
        totals   sum;
        uint64_t n_stopped;

        toy_init(&t);
        t.n_messages = 60;
        t.stops_on   = i * 7 % hd_analysis_comm_size(analysis_comm);
        t.stops_at   = (uint32_t[]){ 0, 1, 30, 60, 61, UINT32_MAX }[i % 6];
        hd_engine_run(t.engine, &(hd_analysis){ &t, run_until_stopped, deliver_storm }, true);
        sum       = total(&t);
        n_stopped = hd_engine_is_stopped(t.engine);
        hd_analysis_comm_reduce(analysis_comm, &n_stopped, 1, HD_SUM);
        CHECK(n_stopped == 0 || n_stopped == hd_analysis_comm_size(analysis_comm));
        CHECK_EQ(n_stopped > 0, t.stops_at <= 30 || (t.stops_at == 60 && n_stopped > 0));
        CHECK_EQ(sum.n_delivered, sum.n_sent);
        CHECK_EQ(sum.n_wrong, 0);
        if (n_stopped == 0 || (t.stops_at == 0 && n_threads == 1)) /* others may be done before the main thread runs */
            CHECK_EQ(sum.n_sent == (uint64_t)t.n_workers * N_VPROCS * t.n_messages * 2, n_stopped == 0);
        toy_fini(&t);
    }
}

TEST(the_items_of_the_statistics_are_those_that_were_sent)
{
    toy             t;
    hd_engine_stats sum = { 0 };
    uint64_t        counts[5];

    toy_init(&t);
    t.n_messages = 50;
    hd_engine_run(t.engine, &(hd_analysis){ &t, run_storm, deliver_storm }, true);
    for (uint32_t i = 0; i < n_threads; i++) {
        hd_engine_stats stats = hd_engine_stats_get(t.engine, i);

        sum.n_worker_items += stats.n_worker_items;
        sum.n_thread_items += stats.n_thread_items;
        sum.n_rank_items += stats.n_rank_items;
        sum.n_messages += stats.n_messages;
        sum.message_bytes += stats.message_bytes;
    }
    counts[0] = sum.n_worker_items, counts[1] = sum.n_thread_items, counts[2] = sum.n_rank_items;
    counts[3] = sum.n_messages, counts[4] = sum.message_bytes;
    hd_analysis_comm_reduce(analysis_comm, counts, 5, HD_SUM);
    CHECK_EQ(counts[0] + counts[1] + counts[2], (uint64_t)t.n_workers * N_VPROCS * t.n_messages * 2);
    CHECK(counts[0] > 0);
    CHECK_EQ(counts[1] > 0, n_threads > 1);
    CHECK_EQ(counts[2] > 0, hd_analysis_comm_size(analysis_comm) > 1);
    CHECK_EQ(counts[3] > 0, hd_analysis_comm_size(analysis_comm) > 1);
    CHECK(counts[3] <= counts[2]);
    CHECK(counts[4] >= counts[2] * sizeof(item));
    toy_fini(&t);
}

/* A ring: a vproc that gets a token passes it on to the same place of the next worker; most workers have nothing to
 * do. */

static hd_run
run_ring(void *context, hd_worker *worker, uint32_t vproc, hd_time until, hd_time *now)
{
    toy         *t     = context;
    worker_state *state = state_of(t, worker);
    vproc_state *self  = &state->vprocs[vproc / n_threads];

    (void)until, (void)now;
    if (self->n_runs++ == 0 && hd_worker_number(worker) == 0 && vproc < n_threads * t->n_messages)
        send_item(t, worker, 1 % t->n_workers, TOKEN, vproc / n_threads, 0, t->n_workers * 40);
    if (self->way > 0) {
        uint32_t left = self->way - 1;

        self->way = 0;
        state->n_hops++;
        if (left > 0)
            send_item(t, worker, (hd_worker_number(worker) + 1) % t->n_workers, TOKEN, vproc / n_threads, 0, left);
    }
    return HD_RUN_BLOCKED;
}

static void
deliver_ring(void *context, hd_worker *worker, uint32_t kind, const void *data, uint32_t bytes)
{
    toy         *t    = context;
    item         head = receive_item(t, worker, data, bytes);
    vproc_state *self = &state_of(t, worker)->vprocs[head.vproc];

    state_of(t, worker)->n_wrong += kind != TOKEN || self->way != 0;
    self->way = head.value;
    hd_worker_wake(worker, head.vproc * n_threads + hd_worker_thread(worker));
}

TEST(tokens_go_round_until_their_way_is_at_its_end)
{
    for (uint32_t n_tokens = 1; n_tokens <= N_VPROCS; n_tokens += N_VPROCS - 1) {
        toy    t;
        totals sum;

        toy_init(&t);
        t.n_messages = n_tokens;
        hd_engine_run(t.engine, &(hd_analysis){ &t, run_ring, deliver_ring }, true);
        sum = total(&t);
        CHECK_EQ(sum.n_hops, n_tokens * t.n_workers * 40);
        CHECK_EQ(sum.n_wrong, 0);
        CHECK_EQ(sum.n_delivered, sum.n_sent);
        CHECK_EQ(sum.n_blocked, t.n_workers * N_VPROCS);
        toy_fini(&t);
    }
}

/* Vprocs that park at once, and are done the second time. */

static hd_run
run_parking(void *context, hd_worker *worker, uint32_t vproc, hd_time until, hd_time *now)
{
    vproc_state *self = &state_of(context, worker)->vprocs[vproc / n_threads];

    (void)until, (void)now;
    return self->n_runs++ == 0 ? HD_RUN_BLOCKED : HD_RUN_DONE;
}

static void
wake_every_other(void *context, hd_worker *worker)
{
    (void)context;
    for (uint32_t a = 0; a < N_VPROCS; a += 2) {
        hd_worker_wake(worker, a * n_threads + hd_worker_thread(worker));
        hd_worker_wake(worker, a * n_threads + hd_worker_thread(worker)); /* already ready: nothing */
    }
}

TEST(a_run_ends_although_vprocs_are_blocked_and_those_that_are_woken_run_in_the_next_one)
{
    toy      t;
    uint32_t n_runs[N_VPROCS] = { 0 };

    toy_init(&t);
    hd_engine_run(t.engine, &(hd_analysis){ &t, run_parking, deliver_plain }, true);
    CHECK_EQ(total(&t).n_blocked, t.n_workers * N_VPROCS);
    hd_engine_run(t.engine, &(hd_analysis){ &t, run_parking, deliver_plain }, false);
    CHECK_EQ(total(&t).n_blocked, t.n_workers * N_VPROCS);
    hd_engine_each_worker(t.engine, wake_every_other, NULL);
    hd_engine_run(t.engine, &(hd_analysis){ &t, run_parking, deliver_plain }, false);
    CHECK_EQ(total(&t).n_blocked, t.n_workers * (N_VPROCS / 2));
    hd_engine_each_worker(t.engine, wake_every_other, NULL); /* they are done: nothing */
    hd_engine_run(t.engine, &(hd_analysis){ &t, run_parking, deliver_plain }, false);
    for (uint32_t i = 0; i < n_threads; i++)
        for (uint32_t a = 0; a < N_VPROCS; a++)
            n_runs[a] += t.workers[i].vprocs[a].n_runs;
    for (uint32_t a = 0; a < N_VPROCS; a++)
        CHECK_EQ(n_runs[a], n_threads * (a % 2 == 0 ? 2 : 1));
    toy_fini(&t);
}

/* Order from a worker to itself. */

static hd_run
run_own_flood(void *context, hd_worker *worker, uint32_t vproc, hd_time until, hd_time *now)
{
    toy *t = context;

    (void)until, (void)now;
    if (vproc / n_threads == 0)
        for (uint32_t i = 0; i < t->n_messages; i++)
            send_item(t, worker, hd_worker_number(worker), PLAIN, 0, i % 500 == 499 ? 5000 : 3, 0);
    return HD_RUN_DONE;
}

TEST(many_items_for_the_own_worker_keep_their_order)
{
    toy    t;
    totals sum;

    toy_init(&t);
    t.n_messages = 5000; /* 240 KB */
    hd_engine_run(t.engine, &(hd_analysis){ &t, run_own_flood, deliver_plain }, true);
    sum = total(&t);
    CHECK_EQ(sum.n_delivered, (uint64_t)t.n_workers * 5000);
    CHECK_EQ(sum.n_wrong, 0);
    toy_fini(&t);
}

/* An item of the own worker makes two, up to some depth. */

static void
deliver_fission(void *context, hd_worker *worker, uint32_t kind, const void *data, uint32_t bytes)
{
    item head = receive_item(context, worker, data, bytes);

    (void)kind;
    for (int i = 0; head.value > 0 && i < 2; i++)
        send_item(context, worker, hd_worker_number(worker), PLAIN, 0, 6, head.value - 1);
}

static void
send_first(void *context, hd_worker *worker)
{
    send_item(context, worker, hd_worker_number(worker), PLAIN, 0, 0, 11);
}

TEST(items_sent_while_the_own_items_are_delivered_keep_their_order)
{
    toy    t;
    totals sum;

    toy_init(&t);
    hd_engine_each_worker(t.engine, send_first, &t);
    hd_engine_run(t.engine, &(hd_analysis){ &t, run_parking, deliver_fission }, false);
    sum = total(&t);
    CHECK_EQ(sum.n_delivered, (uint64_t)t.n_workers * ((1 << 12) - 1));
    CHECK_EQ(sum.n_wrong, 0);
    toy_fini(&t);
}

/* Items sent before a run. */

static void
send_much_to_all(void *context, hd_worker *worker)
{
    toy *t = context;

    for (uint32_t i = 0; i < t->n_messages; i++)
        for (uint32_t h = 0; h < t->n_workers; h++)
            send_item(t, worker, h, PLAIN, 0, 4, 0);
}

TEST(items_sent_between_runs_are_delivered_by_the_next_run)
{
    for (uint32_t n = 10; n <= 3000; n *= 300) { /* less than a batch, and several */
        toy    t;
        totals sum;

        toy_init(&t);
        t.n_messages = n;
        for (uint32_t round = 1; round < 4; round++) {
            hd_engine_each_worker(t.engine, send_much_to_all, &t);
            hd_engine_run(t.engine, &(hd_analysis){ &t, run_parking, deliver_plain }, round == 2);
            sum = total(&t);
            CHECK_EQ(sum.n_delivered, (uint64_t)t.n_workers * t.n_workers * n * round);
            CHECK_EQ(sum.n_wrong, 0);
        }
        toy_fini(&t);
    }
}

/* Runs right after each other, each on its own: an item says which run it belongs to. */

static hd_run
run_short(void *context, hd_worker *worker, uint32_t vproc, hd_time until, hd_time *now)
{
    toy *t = context;

    (void)until, (void)now;
    if (vproc / n_threads == 0)
        for (uint32_t h = 0; h < t->n_workers; h++)
            send_item(t, worker, h, PLAIN, 0, 0, 0);
    return HD_RUN_BLOCKED;
}

TEST(a_run_gets_nothing_that_belongs_to_the_next_one)
{
    toy      t;
    totals   sum;
    uint64_t n_missing = 0;

    toy_init(&t);
    for (t.phase = 1; t.phase <= 300; t.phase++) {
        uint64_t n_delivered = 0;

        hd_engine_run(t.engine, &(hd_analysis){ &t, run_short, deliver_plain }, true);
        for (uint32_t i = 0; i < n_threads; i++)
            n_delivered += t.workers[i].n_delivered;
        n_missing += n_delivered != (uint64_t)t.phase * n_threads * t.n_workers;
    }
    sum = total(&t);
    CHECK_EQ(sum.n_delivered, sum.n_sent);
    CHECK_EQ(sum.n_wrong, 0);
    CHECK_EQ(n_missing, 0);
    toy_fini(&t);
}

/* Windows of application time: steps of 10 ticks, 100 to a window. */

static hd_run
run_steps(void *context, hd_worker *worker, uint32_t vproc, hd_time until, hd_time *now)
{
    toy         *t    = context;
    worker_state *state = state_of(t, worker);
    vproc_state *self = &state->vprocs[vproc / n_threads];

    while (self->n_sent < t->n_messages) {
        self->n_sent++;
        self->now += 10;
        *now = self->now;
        for (uint32_t a = 0; a < N_VPROCS; a++)
            if (state->vprocs[a].n_sent < t->n_messages && state->vprocs[a].now + 100 + 10 < self->now)
                state->n_wrong++;
        if (self->now > until)
            return HD_RUN_YIELD;
    }
    return HD_RUN_DONE;
}

TEST(no_vproc_is_ahead_of_the_others_of_its_worker_by_more_than_a_window)
{
    toy t;

    toy_init(&t);
    t.n_messages = 200;
    for (int round = 0; round < 2; round++) { /* the second run begins with a window of its own */
        hd_engine_run(t.engine, &(hd_analysis){ &t, run_steps, deliver_plain }, true);
        for (uint32_t i = 0; i < n_threads; i++)
            for (uint32_t a = 0; a < N_VPROCS; a++) {
                CHECK_EQ(t.workers[i].vprocs[a].now, 2000);
                t.workers[i].vprocs[a].n_sent = 0;
                t.workers[i].vprocs[a].now  = 0;
            }
        CHECK_EQ(total(&t).n_wrong, 0);
    }
    toy_fini(&t);
}

static void
count_thread(void *context, uint32_t thread)
{
    ((uint32_t *)context)[thread]++;
}

TEST(every_thread_is_announced_once)
{
    uint32_t   n_calls[16] = { 0 };
    hd_engine *engine      = hd_engine_new(analysis_comm,
                                           &(hd_engine_request){ .n_threads = n_threads, .window = 1, .yield = true,
                                                                        .on_thread = count_thread, .context =
                                                                            n_calls });

    for (int round = 0; round < 3; round++)
        hd_engine_run(engine, &(hd_analysis){ NULL, run_parking, deliver_plain }, true);
    for (uint32_t i = 0; i < 16; i++)
        CHECK_EQ(n_calls[i], i < n_threads);
    hd_engine_free(engine);
}

TEST(an_engine_that_never_ran_can_be_freed)
{
    toy t;

    toy_init(&t);
    toy_fini(&t);
    hd_engine_free(NULL);
}

/* A line for the head and the first items: what another thread reads first. */
TEST(a_batch_begins_with_a_line)
{
    enum { LINE = 64, N = 20 };
    hd_batch *batches[N];

    for (uint32_t i = 0; i < N; i++) {
        batches[i] = hd_batch_new(100 * i);
        CHECK_EQ((uintptr_t)batches[i] % LINE, 0);
        CHECK((uintptr_t)batches[i]->data / LINE == (uintptr_t)batches[i] / LINE);
    }
    for (uint32_t i = 0; i < N; i++)
        free(batches[i]);
}

int
main(int argc, char **argv)
{
    uint64_t failed = 0;

    analysis_comm = hd_analysis_comm_open(TEST_COMM, &argc, &argv);
    for (int i = 1; i < argc; i++) {
        n_threads = (uint32_t)atoi(argv[i]);
        printf("rank %" PRIu32 " of %" PRIu32 ", %" PRIu32 " threads\n", hd_analysis_comm_rank(analysis_comm).v,
               hd_analysis_comm_size(analysis_comm), n_threads);
        if (n_threads == 0 || check_run_all(getenv("TEST_ONLY")) != 0)
            failed = 1;
    }
    hd_analysis_comm_reduce(analysis_comm, &failed, 1, HD_MAX);
    hd_analysis_comm_close(analysis_comm);
    return failed != 0;
}
