/* tests/trace/log/test_counter_log.c: what is put into a counter log is what any two times have between them. */
#include "check.h"
#include "counter_log.h"

enum { N_NODES = 3, N_COUNTERS = 2, N_INTERVALS = 60 };

/* Interval i begins at 10 i; node 0 is in all of them, node 1 in every third one, node 2 in none. In each it counts i
 * and 2 i. */
static bool
is_in(uint32_t node, uint32_t i)
{
    return node == 0 || (node == 1 && i % 3 == 0);
}

static void
fill(hd_counter_log *log)
{
    uint64_t sums[N_NODES][N_COUNTERS] = { { 0 } };

    for (uint32_t i = 0; i < N_INTERVALS; i++)
        for (uint32_t node = 0; node < N_NODES; node++)
            if (is_in(node, i)) {
                sums[node][0] += i;
                sums[node][1] += 2 * i;
                memcpy(hd_counter_log_put(log, 10 * (hd_time)i, node), sums[node], sizeof sums[node]);
            }
    hd_counter_log_close(log, N_NODES);
}

TEST(any_two_times)
{
    hd_counter_log log = { .n_counters = N_COUNTERS };
    uint32_t       hints[N_NODES] = { 7, 0, UINT32_MAX };

    fill(&log);
    CHECK(hd_counter_log_has(&log, 0));
    CHECK(hd_counter_log_has(&log, 1));
    CHECK(!hd_counter_log_has(&log, 2));
    for (hd_time from = 0; from < 10 * N_INTERVALS + 20; from += 5)
        for (hd_time to = from; to < 10 * N_INTERVALS + 20; to += 5)
            for (uint32_t node = 0; node < N_NODES; node++) {
                uint64_t expected = 0, sums[N_COUNTERS] = { 1000, 0 };

                for (uint32_t i = 0; i < N_INTERVALS; i++)
                    if (is_in(node, i) && 10 * (hd_time)i >= from && 10 * (hd_time)i < to)
                        expected += i;
                hd_counter_log_add(&log, node, from, to, &hints[node], sums);
                CHECK_EQ(sums[0], 1000 + expected);
                CHECK_EQ(sums[1], 2 * expected);
            }
    hd_counter_log_fini(&log);
}

TEST(an_empty_one)
{
    hd_counter_log log = { .n_counters = N_COUNTERS };

    hd_counter_log_close(&log, N_NODES);
    CHECK(!hd_counter_log_has(&log, 0));
    hd_counter_log_fini(&log);
}

TEST_MAIN
