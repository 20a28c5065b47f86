/* tests/trace/log/test_call_walk.c: searching the calls of one path, and going to a time, finds the same calls as
 * going from call to call, at the same times. */
#include "call_walk.h"

#include <stdlib.h>

#include "check.h"

enum { N_PATHS = 70000, FEW = 200, RARE = 77, N_CALLS = 4000 };

typedef struct logs {
    uint16_t heads[N_CALLS];
    hd_bytes own, calls, states;
} logs;

static uint16_t
head_of(logs *log, uint32_t path, bool has_own_times)
{
    if (path < HD_HEAD_FAR >> 1)
        return (uint16_t)(path << 1 | has_own_times);
    hd_bytes_put_number(&log->own, (uint64_t)path << 1 | has_own_times);
    return HD_HEAD_FAR;
}

/* Call i, `before` ticks behind the one before, of `length` ticks, with records of so many bytes. */
static void
put_call(logs *log, uint32_t i, uint32_t path, bool has_own_times, uint32_t before, uint32_t length, uint32_t n_records,
         uint32_t n_bytes)
{
    static const uint8_t records[64] = { 0 };
    uint32_t             words[2]    = { before << HD_STATE_BITS | HD_STATE_USEFUL,
                                         length << HD_STATE_BITS | HD_STATE_MPI };

    log->heads[i] = head_of(log, path, has_own_times);
    if (has_own_times) { /* the state log has three words for it */
        hd_bytes_put_number(&log->own, hd_zigzag(before));
        hd_bytes_put_number(&log->own, length);
        hd_bytes_put_number(&log->own, sizeof words + sizeof *words);
        hd_bytes_put(&log->states, words, sizeof *words);
    }
    hd_bytes_put(&log->states, words, sizeof words);
    hd_bytes_put_number(&log->calls, hd_op_records_shape(n_records, n_bytes) << 4 | 2);
    if (n_records > 1)
        hd_bytes_put_number(&log->calls, n_bytes);
    hd_bytes_put(&log->calls, records, n_bytes);
}

/* Some are too large for a head; one has few calls, which are far from each other. */
static uint32_t
path_of(uint32_t i)
{
    static const uint32_t paths[] = { 0, 3, 63, 64, 65, 1000, (HD_HEAD_FAR >> 1) - 1, HD_HEAD_FAR >> 1, N_PATHS - 1 };

    return i % 97 == 50 ? RARE : paths[i % 11 % (sizeof paths / sizeof *paths)];
}

/* far: of some calls the path is too large for a head. */
static hd_oplog
log_of(logs *log, uint32_t n_calls, bool has_far, uint32_t own_each)
{
    *log = (logs){ .calls = { .data = NULL } };
    for (uint32_t i = 0; i < n_calls; i++)
        put_call(log, i, has_far ? path_of(i) : path_of(i) % FEW, i % own_each == 6, 1 + i % 5, 2 + i % 3, i % 4,
                 i % 4 == 0 ? 0 : i % 4 + i % 60);
    return (hd_oplog){ .heads = log->heads, .own = log->own, .calls = log->calls, .states = log->states.data,
                       .n_calls = n_calls };
}

/* Searches, and goes from call to call, with their records. */
static void
check_path(const hd_oplog *oplog, uint32_t path)
{
    hd_call_walk   all    = hd_call_walk_of(oplog);
    hd_call_search search = hd_call_search_of(oplog), each = search;

    while (hd_call_walk_next(&all)) {
        CHECK(hd_call_search_next(&each) && each.call_path == all.call_path && each.enter == all.enter &&
              each.leave == all.leave);
        if (all.call_path == path)
            CHECK(hd_call_search_find(&search, path) && search.call_path == path && search.enter == all.enter &&
                  search.leave == all.leave && search.heads.at == each.heads.at);
    }
    CHECK(!hd_call_search_next(&each));
    CHECK(!hd_call_search_find(&search, path));
    CHECK_EQ(search.leave, all.leave);
}

TEST(each_call_of_a_path_is_found)
{
    static const uint32_t lengths[] = { 0, 1, 2, 3, 10, N_CALLS };

    for (size_t k = 0; k < 4 * (sizeof lengths / sizeof *lengths); k++) {
        static logs log;
        hd_oplog    oplog = log_of(&log, lengths[k / 4], k % 2 == 0, k % 4 < 2 ? 7 : N_CALLS);

        for (uint32_t i = 0; i < 11; i++)
            check_path(&oplog, k % 2 == 0 ? path_of(i) : path_of(i) % FEW);
        check_path(&oplog, RARE);
        check_path(&oplog, 5); /* has none */
        hd_bytes_fini(&log.own);
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
            static logs log;
            hd_oplog    oplog = log_of(&log, lengths[k], true, 7);
            hd_time     times[200];

            for (size_t t = 0; t < 200; t++)
                times[t] = t == 0 ? 0 : t == 199 ? UINT64_MAX : t * steps[i];
            check_times(&oplog, times, 200);
            hd_bytes_fini(&log.own);
            hd_bytes_fini(&log.calls);
            hd_bytes_fini(&log.states);
        }
}

TEST_MAIN
