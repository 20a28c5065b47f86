/* tests/profile/test_iteration_calls.c: iterations have the call paths of the calls that begin in them, alike
 * or not, with times of their own or not. */
#include "iteration_calls.h"

#include <stdlib.h>

#include "check.h"

enum { N_PATHS = 70, N_ITERATIONS = 40, MOST_CALLS = 1000 };

typedef struct run { /* of a process */
    uint16_t     heads[MOST_CALLS];
    hd_time      enters[MOST_CALLS];
    size_t       n;
    hd_bytes     own, states;
    hd_time      now;
    hd_iteration rows[N_ITERATIONS];
} run;

static void
put_call(run *r, uint32_t path, uint32_t before, uint32_t length, bool has_own_times)
{
    uint32_t words[2] = { before << HD_STATE_BITS | HD_STATE_USEFUL, length << HD_STATE_BITS | HD_STATE_MPI };

    r->heads[r->n] = (uint16_t)(path << 1 | has_own_times);
    if (has_own_times) {
        hd_bytes_put_number(&r->own, hd_zigzag(before));
        hd_bytes_put_number(&r->own, length);
        hd_bytes_put_number(&r->own, sizeof words);
    }
    hd_bytes_put(&r->states, words, sizeof words);
    r->enters[r->n++] = r->now + before;
    r->now += before + length;
}

/* Iterations of five to seven calls, most of five; shift: they begin so long before their first calls, or behind them.
 */
static void
make_run(run *r, uint32_t seed, int64_t shift, bool has_own_times)
{
    *r = (run){ .now = 0 };
    put_call(r, 69, 1000, 3, false);
    for (uint32_t i = 0; i < N_ITERATIONS; i++) {
        uint32_t n = 5 + (i % 9 == 7) + 2 * (i % 13 == 4);

        r->rows[i].enter = r->now + 2 - (hd_time)shift;
        for (uint32_t k = 0; k < n; k++)
            put_call(r, 11 * k + (k == 3 && i % 7 == seed % 7), 2 + (i * k + seed) % 5, 1 + k % 3,
                     has_own_times && (i + k) % 8 == 3);
        r->rows[i].leave = r->now + 2 - (hd_time)shift;
    }
    put_call(r, 68, 9, 1, false);
}

/* Bits by the time of each call. */
static void
put_plainly(const run *r, size_t n, uint64_t bits[N_ITERATIONS][2])
{
    for (size_t call = 0; call < n; call++)
        for (uint32_t i = 0; i < N_ITERATIONS; i++)
            if (r->enters[call] >= r->rows[i].enter && r->enters[call] < r->rows[i].leave)
                bits[i][r->heads[call] >> 1 >> 6] |= UINT64_C(1) << (r->heads[call] >> 1) % 64;
}

/* Iterations begin with their first calls, or end with their last ones. */
static void
know_calls(run *r, bool is_end)
{
    size_t call = 1;

    for (uint32_t i = 0; i < N_ITERATIONS; i++) {
        uint32_t n = 5 + (i % 9 == 7) + 2 * (i % 13 == 4);

        if (!is_end)
            r->rows[i].enter = r->enters[call];
        r->rows[i].first_call = (uint32_t)call + 1;
        call += n;
        if (!is_end)
            r->rows[i].leave = r->enters[call];
    }
}

/* Which calls are in each instance. */
static void
know_instances(run *r)
{
    for (uint32_t i = 0; i < N_ITERATIONS; i++) {
        uint32_t n_before = 0, n_inside = 0;

        for (size_t call = 0; call < r->n; call++) {
            n_before += r->enters[call] < r->rows[i].enter;
            n_inside += r->enters[call] >= r->rows[i].enter && r->enters[call] < r->rows[i].leave;
        }
        r->rows[i].first_call = n_before + 1;
        r->rows[i].n_calls    = n_inside;
    }
}

typedef enum knowledge { OF_NONE, OF_FOUND, OF_FOUND_ENDS, OF_INSTANCES, OF_MOST_INSTANCES } knowledge;

static void
check_run_of(uint32_t seed, int64_t shift, bool has_own_times, size_t n_left_out, knowledge known)
{
    static run            r;
    uint64_t              bits[N_ITERATIONS][2] = { { 0 } }, expected[N_ITERATIONS][2] = { { 0 } };
    uint32_t              places[N_PATHS], map[N_PATHS];
    hd_loaded_location    location = { .n_nodes = N_PATHS };
    hd_loaded_process     process  = { .locations = &location, .n_locations = 1 };
    hd_process_iterations of       = { r.rows, N_ITERATIONS, 0 };
    hd_iterations iterations = { .n = N_ITERATIONS, .calls = bits[0], .n_words = 2, .places = places, .of = &of,
                                 .is_end = known == OF_FOUND_ENDS,
                                 .how = known < OF_INSTANCES ? HD_ITERATIONS_FOUND : HD_ITERATIONS_OPTION };

    for (uint32_t i = 0; i < N_PATHS; i++)
        map[i] = places[i] = i;
    make_run(&r, seed, shift, has_own_times);
    if (known == OF_FOUND || known == OF_FOUND_ENDS)
        know_calls(&r, known == OF_FOUND_ENDS);
    if (known >= OF_INSTANCES)
        know_instances(&r);
    if (known == OF_MOST_INSTANCES)
        r.rows[seed % N_ITERATIONS].first_call = 0;
    location.log = (hd_oplog){ .heads = r.heads, .own = r.own, .states = r.states.data, .n_calls = r.n };
    hd_iteration_calls_put(&iterations, &of, &process, 0, map, r.heads + r.n - n_left_out);
    put_plainly(&r, r.n - n_left_out, expected);
    CHECK(memcmp(bits, expected, sizeof bits) == 0);
    hd_bytes_fini(&r.own);
    hd_bytes_fini(&r.states);
}

static void
check_run(uint32_t seed, int64_t shift, bool has_own_times, size_t n_left_out)
{
    check_run_of(seed, shift, has_own_times, n_left_out, OF_NONE);
}

TEST(calls_are_of_the_iteration_in_which_they_begin)
{
    for (uint32_t seed = 0; seed < 20; seed++)
        for (int64_t shift = -9; shift <= 9; shift++)
            for (int own = 0; own < 2; own++)
                check_run(seed, shift, own != 0, 0);
}

TEST(calls_that_were_not_replayed_are_left_out)
{
    for (size_t n = 0; n < 60; n++)
        check_run((uint32_t)n, 0, n % 2 == 0, n);
}

/* shift 2: an iteration begins where the call before it is left. */
TEST(it_may_be_known_where_the_calls_of_iterations_begin)
{
    for (uint32_t seed = 0; seed < 20; seed++)
        for (size_t n = 0; n < 60; n += 7)
            for (int own = 0; own < 2; own++) {
                check_run_of(seed, 0, own != 0, n, OF_FOUND);
                check_run_of(seed, 2, own != 0, n, OF_FOUND_ENDS);
            }
}

TEST(it_may_be_known_which_calls_are_in_instances)
{
    for (uint32_t seed = 0; seed < 20; seed++)
        for (int64_t shift = -9; shift <= 9; shift += 3)
            for (size_t n = 0; n < 200; n += 60)
                for (int own = 0; own < 2; own++) {
                    check_run_of(seed, shift, own != 0, n, OF_INSTANCES);
                    check_run_of(seed, shift, own != 0, n, OF_MOST_INSTANCES);
                }
}

TEST_MAIN
