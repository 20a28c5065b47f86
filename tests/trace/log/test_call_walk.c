/* tests/trace/log/test_call_walk.c: going to the calls of one path, or to a time, passes the same calls as going from
 * call to call. */
#include "call_walk.h"

#include <stdlib.h>

#include "check.h"

enum { N_PATHS = 9000, N_CALLS = 4000 };

typedef struct logs {
    hd_bytes calls, states;
} logs;

/* A call `before` ticks behind the one before, of `length` ticks, with records of so many bytes. */
static void
put_call(logs *log, uint32_t path, bool has_own_times, uint32_t before, uint32_t length, uint32_t n_records,
         uint32_t n_bytes)
{
    static const uint8_t records[64] = { 0 };
    uint32_t             words[2]    = { before << HD_STATE_BITS | HD_STATE_USEFUL,
                                         length << HD_STATE_BITS | HD_STATE_MPI };

    hd_bytes_put_number(&log->calls, (uint64_t)path << 1 | has_own_times);
    if (has_own_times) { /* the state log has three words for it */
        hd_bytes_put_number(&log->calls, hd_zigzag(before));
        hd_bytes_put_number(&log->calls, length);
        hd_bytes_put_number(&log->calls, sizeof words + sizeof *words);
        hd_bytes_put(&log->states, words, sizeof *words);
    }
    hd_bytes_put(&log->states, words, sizeof words);
    hd_bytes_put_number(&log->calls, hd_op_records_shape(n_records, n_bytes) << 4 | 2);
    if (n_records > 1)
        hd_bytes_put_number(&log->calls, n_bytes);
    hd_bytes_put(&log->calls, records, n_bytes);
}

/* Paths and records whose numbers take one, two and three bytes. */
static uint32_t
path_of(uint32_t i)
{
    static const uint32_t paths[] = { 0, 3, 63, 64, 65, 1000, 8191, 8192, N_PATHS - 1 };

    return paths[i % 11 % (sizeof paths / sizeof *paths)];
}

static hd_oplog
log_of(logs *log, uint32_t n_calls)
{
    *log = (logs){ .calls = { .data = NULL } };
    for (uint32_t i = 0; i < n_calls; i++)
        put_call(log, path_of(i), i % 7 == 6, 1 + i % 5, 2 + i % 3, i % 4, i % 4 == 0 ? 0 : i % 4 + i % 60);
    return (hd_oplog){ .calls = log->calls, .states = log->states.data, .n_calls = n_calls };
}

static void
check_path(const hd_oplog *oplog, uint32_t path)
{
    uint8_t     *known = calloc(hd_call_walk_places(N_PATHS), 1), *passed = calloc(N_PATHS, 1);
    hd_call_walk all = hd_call_walk_of(oplog), walk = hd_call_walk_of(oplog);

    known[hd_call_walk_place(path)] = HD_WALK_STOP;
    while (hd_call_walk_next(&all)) {
        if (all.call_path != path) {
            passed[all.call_path] = HD_WALK_SEEN;
            continue;
        }
        if (!hd_call_walk_find(&walk, known) || walk.call_path != path || walk.enter != all.enter ||
            walk.leave != all.leave || walk.records != all.records || walk.n_records != all.n_records)
            CHECK(!"each call of the path is found");
    }
    CHECK(!hd_call_walk_find(&walk, known));
    passed[path] = HD_WALK_STOP;
    for (uint32_t i = 0; i < N_PATHS; i++)
        if (known[hd_call_walk_place(i)] != passed[i])
            CHECK(!"paths of calls in between are marked");
    free(known);
    free(passed);
}

TEST(each_call_of_a_path_is_found)
{
    static const uint32_t lengths[] = { 0, 1, 2, 3, 10, N_CALLS };

    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        logs     log;
        hd_oplog oplog = log_of(&log, lengths[k]);

        for (uint32_t i = 0; i < 11; i++)
            check_path(&oplog, path_of(i));
        check_path(&oplog, 5); /* has none */
        hd_bytes_fini(&log.calls);
        hd_bytes_fini(&log.states);
    }
}

/* Goes to the calls at these times, one after the other. */
static void
check_times(const hd_oplog *oplog, const hd_time *times, size_t n)
{
    hd_call_walk all = hd_call_walk_of(oplog), walk = hd_call_walk_of(oplog);
    uint32_t     of_all = 0, records = 0;

    for (size_t i = 0; i < n; i++) {
        bool all_next = false, next = false;

        while ((all_next = hd_call_walk_next(&all)) && all.enter < times[i])
            of_all += all.n_records;
        for (;; records += walk.n_records) {
            hd_call_walk_skip(&walk, times[i], &records);
            next = hd_call_walk_next(&walk);
            if (!next || walk.enter >= times[i])
                break;
        }
        CHECK_EQ(next, all_next);
        CHECK_EQ(records, of_all);
        CHECK(!next || (walk.enter == all.enter && walk.leave == all.leave && walk.call_path == all.call_path &&
                        walk.n_records == all.n_records && walk.records == all.records));
        of_all += next ? all.n_records : 0;
        records += next ? walk.n_records : 0;
    }
}

TEST(calls_before_a_time_are_passed_with_their_records)
{
    static const uint32_t lengths[] = { 0, 1, 2, 3, 10, N_CALLS };
    static const hd_time  steps[]   = { 1, 7, 40, 1000 };

    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
            logs     log;
            hd_oplog oplog = log_of(&log, lengths[k]);
            hd_time  times[200];

            for (size_t t = 0; t < 200; t++)
                times[t] = t == 0 ? 0 : t == 199 ? UINT64_MAX : t * steps[i];
            check_times(&oplog, times, 200);
            hd_bytes_fini(&log.calls);
            hd_bytes_fini(&log.states);
        }
}

TEST(calls_with_times_of_their_own_need_no_states)
{
    logs         log = { .calls = { .data = NULL } };
    hd_call_walk walk;
    uint32_t     records = 0;

    for (uint32_t i = 0; i < 5; i++)
        put_call(&log, 3, true, 1, 2, 1, 4);
    walk = hd_call_walk_of(&(hd_oplog){ .calls = log.calls, .states = NULL, .n_calls = 5 });
    hd_call_walk_skip(&walk, UINT64_MAX, &records);
    CHECK_EQ(records, 0);
    CHECK(hd_call_walk_next(&walk));
    CHECK_EQ(walk.enter, 1);
    hd_bytes_fini(&log.calls);
    hd_bytes_fini(&log.states);
}

TEST(each_path_has_a_place_of_its_own)
{
    enum { MANY = 20000 };
    uint8_t *has  = calloc(hd_call_walk_places(MANY), 1);
    size_t   n    = 0;

    for (uint32_t path = 0; path < MANY; path++) {
        n += has[hd_call_walk_place(path)] == 0;
        has[hd_call_walk_place(path)] = 1;
    }
    CHECK_EQ(n, MANY);
    free(has);
}

TEST_MAIN
