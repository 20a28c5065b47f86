/* tests/replay/backward/test_delays_that_travel.c: programs whose causes are known, as they were built with them. */
#include "check.h"
#include "memory.h"
#include "situation.h"

typedef struct table {
    tw_op *ops;
    size_t n, capacity;
} table;

static void
add(table *t, tw_op op)
{
    HD_PUSH(t->ops, t->n, t->capacity, op);
}

static void
add_init(table *t, uint32_t rank)
{
    add(t, (tw_op){ .process = rank, .op = TW_INIT, .enter = 0, .leave = 0 });
}

static void
add_work(table *t, uint32_t rank, const char *name, hd_time from, hd_time until)
{
    add(t, (tw_op){ .process = rank, .op = TW_USER, .region = name, .enter = from, .leave = until });
}

/* Sends take no time and never wait. */
static void
add_send(table *t, uint32_t rank, uint32_t peer, hd_time time)
{
    add(t, (tw_op){ .process = rank, .op = TW_SEND, .enter = time, .leave = time, .peer = peer });
}

static hd_time
add_recv(table *t, uint32_t rank, uint32_t peer, hd_time from, hd_time sent)
{
    hd_time until = hd_time_max(from, sent);

    add(t, (tw_op){ .process = rank, .op = TW_RECV, .enter = from, .leave = until, .peer = peer });
    return until;
}

static int64_t
sum(tw_report r, const char *metric, const char *path, uint32_t n)
{
    int64_t all = 0;

    for (uint32_t rank = 0; rank < n; rank++)
        all += tw_value(r, metric, path, process(rank));
    return all;
}

static tw_report
analyze(table *t)
{
    tw_report r = tw_analyze(t->ops, t->n);

    free(t->ops);
    return r;
}

/* ---- along a chain ----------------------------------------------------------------------------------------------- */

enum { CHAIN = 16, LATE = 100, SOON = 10, PASS = 2 };

/*   process 0    [foo 100            ][send]
 *   process i    [foo 10][recv········][pass 2][send]     waits 90 + 2 (i - 1): for foo of process 0, and pass of all
 *                                                         between
 */
TEST(a_delay_travels_along_a_chain_of_16_processes)
{
    table     t    = { 0 };
    hd_time   sent = LATE;
    tw_report r;

    for (uint32_t rank = 0; rank < CHAIN; rank++) {
        add_init(&t, rank);
        add_work(&t, rank, "foo", 0, rank == 0 ? LATE : SOON);
        if (rank > 0) {
            add_recv(&t, rank, rank - 1, SOON, sent);
            add_work(&t, rank, "pass", sent, sent + PASS);
            sent += PASS;
        }
        if (rank < CHAIN - 1)
            add_send(&t, rank, rank + 1, sent);
        add(&t, (tw_op){ .process = rank, .op = TW_FINALIZE, .enter = sent, .leave = LATE + PASS * CHAIN });
    }
    r = analyze(&t);
    CHECK_SPAN_AT(r, "critical_path", "foo", process(0), LATE);
    for (uint32_t rank = 1; rank < CHAIN; rank++) {
        bool is_last = rank == CHAIN - 1;

        CHECK_SPAN(r, "mpi_latesender", process(rank), LATE - SOON + PASS * (rank - 1));
        CHECK_SPAN(r, "mpi_wait_direct_latesender", process(rank), rank == 1 ? LATE - SOON : PASS);
        CHECK_SPAN(r, "mpi_wait_terminal_ls", process(rank), is_last ? LATE - SOON + PASS * (CHAIN - 2) : 0);
        CHECK_SPAN_AT(r, "delay_latesender", "pass", process(rank), is_last ? 0 : PASS);
        CHECK_SPAN_AT(r, "delay_latesender_longterm", "pass", process(rank), is_last ? 0 : PASS * (CHAIN - 2 - rank));
        CHECK_SPAN_AT(r, "delay", "foo", process(rank), 0);
        CHECK_SPAN(r, "critical_path", process(rank), PASS);
    }
    CHECK_SPAN_AT(r, "delay_latesender", "foo", process(0), LATE - SOON);
    CHECK_SPAN_AT(r, "delay_latesender_longterm", "foo", process(0), (CHAIN - 2) * (LATE - SOON));
}

/* ---- a wavefront ------------------------------------------------------------------------------------------------- */

enum { GRID = 4, N_GRID = GRID * GRID, BORDER = 50000, INNER = 10000, CELL = 4000 };

static bool
is_border(uint32_t x, uint32_t y)
{
    return x == 0 || y == 0 || x == GRID - 1 || y == GRID - 1;
}

/* One sweep from a corner: each process receives from the west and the north, works on its cell, sends to the east and
 * the south. Before, those at the border have more to do than the others. */
static tw_report
sweep(uint32_t border)
{
    table   t = { 0 };
    hd_time sent[GRID][GRID];

    for (uint32_t y = 0; y < GRID; y++)
        for (uint32_t x = 0; x < GRID; x++) {
            uint32_t rank = y * GRID + x;
            hd_time  now  = is_border(x, y) ? border : INNER;

            add_init(&t, rank);
            add_work(&t, rank, "foo", 0, now);
            if (x > 0)
                now = add_recv(&t, rank, rank - 1, now, sent[y][x - 1]);
            if (y > 0)
                now = add_recv(&t, rank, rank - GRID, now, sent[y - 1][x]);
            add_work(&t, rank, "cell", now, now + CELL);
            sent[y][x] = now + CELL;
            if (x < GRID - 1)
                add_send(&t, rank, rank + 1, sent[y][x]);
            if (y < GRID - 1)
                add_send(&t, rank, rank + GRID, sent[y][x]);
        }
    return analyze(&t);
}

/* Sums of values that are rounded to ticks. */
static bool
is_about(int64_t a, int64_t b)
{
    return a - b <= N_GRID && b - a <= N_GRID;
}

TEST(the_border_of_a_grid_makes_its_inside_wait)
{
    tw_report r       = sweep(BORDER);
    int64_t   filling = sum(sweep(INNER), "mpi_latesender", NULL, N_GRID);
    int64_t   all     = sum(r, "mpi_latesender", NULL, N_GRID);
    int64_t   foo     = sum(r, "delay", "foo", N_GRID);

    CHECK_EQ(all, filling + 4 * (BORDER - INNER)); /* the four inside wait for the border, and the pipeline fills */
    CHECK(foo >= 4 * (BORDER - INNER));
    CHECK(is_about(foo + sum(r, "delay", "cell", N_GRID), all));
    for (uint32_t y = 0; y < GRID; y++)
        for (uint32_t x = 0; x < GRID; x++)
            if (!is_border(x, y))
                CHECK_SPAN_AT(r, "delay", "foo", process(y * GRID + x), 0);
}

TEST(an_even_grid_waits_only_while_the_pipeline_fills)
{
    tw_report r = sweep(INNER);

    CHECK_EQ(sum(r, "delay", "foo", N_GRID), 0);
    CHECK(is_about(sum(r, "delay", "cell", N_GRID), sum(r, "mpi_latesender", NULL, N_GRID)));
}

/* ---- a block in the middle --------------------------------------------------------------------------------------- */

enum { SIDE = 8, STEPS = 3, N_CUBE = SIDE * SIDE * SIDE, MUCH = 200, LESS = 100 };

static uint32_t
neighbour(uint32_t rank, uint32_t direction)
{
    static const uint32_t strides[] = { 1, SIDE, SIDE * SIDE };
    uint32_t              stride = strides[direction / 2], place = rank / stride % SIDE;

    if (direction % 2 == 0)
        return place > 0 ? rank - stride : HD_NONE;
    return place < SIDE - 1 ? rank + stride : HD_NONE;
}

static bool
is_middle(uint32_t rank)
{
    for (uint32_t i = 0; i < 3; i++, rank /= SIDE)
        if (rank % SIDE != SIDE / 2 && rank % SIDE != SIDE / 2 - 1)
            return false;
    return true;
}

/* In each step all work, send to their six neighbours and receive from them. The waits get to others farther away step
 * by step. */
TEST(an_overloaded_block_makes_a_cube_of_512_processes_wait)
{
    static hd_time now[N_CUBE], sent[N_CUBE];
    table          t = { 0 };
    tw_report      r;
    int64_t        middle = 0;

    for (uint32_t rank = 0; rank < N_CUBE; rank++)
        add_init(&t, rank);
    for (uint32_t step = 0; step < STEPS; step++) {
        for (uint32_t rank = 0; rank < N_CUBE; rank++) {
            sent[rank] = now[rank] + (is_middle(rank) ? MUCH : LESS);
            add_work(&t, rank, "foo", now[rank], sent[rank]);
            for (uint32_t d = 0; d < 6; d++)
                if (neighbour(rank, d) != HD_NONE)
                    add_send(&t, rank, neighbour(rank, d), sent[rank]);
        }
        for (uint32_t rank = 0; rank < N_CUBE; rank++) {
            now[rank] = sent[rank];
            for (uint32_t d = 0; d < 6; d++)
                if (neighbour(rank, d) != HD_NONE)
                    now[rank] = add_recv(&t, rank, neighbour(rank, d), now[rank], sent[neighbour(rank, d)]);
        }
    }
    setenv("HEDDLE_RUNS", "single", 1);
    r = analyze(&t);
    for (uint32_t rank = 0; rank < N_CUBE; rank++)
        middle += is_middle(rank) ? tw_value(r, "delay", "foo", process(rank)) : 0;
    CHECK(middle > 0);
    CHECK_EQ(middle, sum(r, "mpi_latesender", NULL, N_CUBE));
    CHECK_EQ(middle, sum(r, "delay", NULL, N_CUBE));
}

/* ---- two at once ------------------------------------------------------------------------------------------------- */

/*   ticks       0   20          60     80
 *   process 0   [foo            ][send]          the first 40 are attributed to the one that is received first,
 *   process 1   [foo                   ][send]   what comes on top of it to the other one
 *   process 2   [foo][recv 0 ···][recv 1 ··]
 */
TEST(of_two_delays_that_overlap_each_has_the_wait_it_caused)
{
    table     t = { 0 };
    tw_report r;

    for (uint32_t rank = 0; rank < 3; rank++)
        add_init(&t, rank);
    add_work(&t, 0, "foo", 0, 60);
    add_send(&t, 0, 2, 60);
    add_work(&t, 1, "foo", 0, 80);
    add_send(&t, 1, 2, 80);
    add_work(&t, 2, "foo", 0, 20);
    add_recv(&t, 2, 0, 20, 60);
    add_recv(&t, 2, 1, 60, 80);
    r = analyze(&t);
    CHECK_SPAN_AT(r, "delay_latesender", "foo", process(0), 40);
    CHECK_SPAN_AT(r, "delay_latesender", "foo", process(1), 20);
    CHECK_EQ(sum(r, "delay", NULL, 3), 60);
    CHECK_EQ(sum(r, "mpi_wait_direct_latesender", NULL, 3), 60);
}

/* At a barrier the longer one hides the other. */
TEST(a_delay_behind_a_longer_one_costs_nothing)
{
    table     t = { 0 };
    tw_report r;

    for (uint32_t rank = 0; rank < 3; rank++) {
        hd_time until = rank == 0 ? 60 : rank == 1 ? 80 : 20;

        add_init(&t, rank);
        add_work(&t, rank, "foo", 0, until);
        add(&t, (tw_op){ .process = rank, .op = TW_BARRIER, .enter = until, .leave = 80 });
    }
    r = analyze(&t);
    CHECK_SPAN(r, "delay", process(0), 0);
    CHECK_SPAN_AT(r, "delay_barrier", "foo", process(1), 20 + 60);
}

/* ---- many call paths --------------------------------------------------------------------------------------------- */

enum { PARTS = 140, SCOUTS = 128 };

/* Process 0 does 140 different things, which take that many ticks, and process 1 waits for it. */
static tw_report
many_parts(const uint32_t *ticks, const char *arguments)
{
    static const tw_options exact = { .archive.resolution = 1 << 20 }; /* so that equal spans are, in seconds, too */
    static char             names[PARTS][8];
    static tw_op            ops[PARTS + 4];
    hd_time                 now = 0;
    size_t                  n = 0;

    ops[n++] = (tw_op){ .process = 0, .op = TW_INIT, .enter = 0, .leave = 0 };
    ops[n++] = (tw_op){ .process = 1, .op = TW_INIT, .enter = 0, .leave = 0 };
    for (uint32_t i = 0; i < PARTS; i++) {
        snprintf(names[i], sizeof names[i], "p%" PRIu32, i + 1);
        ops[n++] = (tw_op){ .process = 0, .op = TW_USER, .region = names[i], .enter = now, .leave = now + ticks[i] };
        now += ticks[i];
    }
    ops[n++] = (tw_op){ .process = 0, .op = TW_SEND, .enter = now, .leave = now, .peer = 1 };
    ops[n++] = (tw_op){ .process = 1, .op = TW_RECV, .enter = 0, .leave = now, .peer = 0 };
    return tw_analyze_with(ops, n, .options = &exact, .arguments = arguments);
}

/* 1, 2, 3, ... ticks */
static tw_report
growing_parts(const char *arguments)
{
    uint32_t ticks[PARTS];

    for (uint32_t i = 0; i < PARTS; i++)
        ticks[i] = i + 1;
    return many_parts(ticks, arguments);
}

TEST(waits_are_attributed_to_all_parts_of_a_delay)
{
    tw_report r = growing_parts(NULL);

    CHECK_SPAN(r, "delay_latesender", process(0), PARTS * (PARTS + 1) / 2);
    CHECK_SPAN_AT(r, "delay_latesender", "p1", process(0), 1);
    CHECK_SPAN_AT(r, "delay_latesender", "p140", process(0), 140);
}

/* D23: the smallest go. The scale is at most 1, so they are not made up for. */
TEST(with_scout_waits_are_attributed_to_the_128_largest_parts)
{
    tw_report r = growing_parts("--compat=scout26");

    CHECK_SPAN_AT(r, "delay_latesender", "p12", process(0), 0);
    CHECK_SPAN_AT(r, "delay_latesender", "p13", process(0), 13);
    CHECK_SPAN(r, "delay_latesender", process(0), (PARTS - SCOUTS + 1 + PARTS) * SCOUTS / 2);
}

/* D23: who is equal to the smallest does not get in; who is larger takes the place of the first of them. */
TEST(with_scout_a_new_part_takes_the_place_of_the_first_of_the_smallest)
{
    uint32_t  ticks[PARTS];
    tw_report r;

    for (uint32_t i = 0; i < PARTS; i++)
        ticks[i] = i < PARTS - 1 ? 2 : 3;
    r = many_parts(ticks, "--compat=scout26");
    CHECK_SPAN_AT(r, "delay_latesender", "p1", process(0), 0);
    CHECK_SPAN_AT(r, "delay_latesender", "p2", process(0), 2);
    CHECK_SPAN_AT(r, "delay_latesender", "p128", process(0), 2);
    CHECK_SPAN_AT(r, "delay_latesender", "p129", process(0), 0);
    CHECK_SPAN_AT(r, "delay_latesender", "p140", process(0), 3);
    CHECK_SPAN(r, "delay_latesender", process(0), 2 * (SCOUTS - 1) + 3);
}

TEST_MAIN
