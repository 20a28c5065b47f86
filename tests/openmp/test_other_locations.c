/* tests/openmp/test_other_locations.c: locations that are no threads, beside threads.
 *
 *   ticks      0  10     20      60     90 100
 *   thread 0   main[parallel···········]··
 *   thread 1      [parallel···········]        idle while the master is in main: 11
 *   stream     ·············[kernel]········   its time and visits count; nobody expects anything of it
 *   metrics                                    nothing is recorded
 */
#include "check.h"
#include "situation.h"

static const tw_team    threads_only[] = { { .process = 0, TW_THREADS(0, 1) } };
static const tw_options options        = { .archive = { .n_threads = 4, .n_streams = 1, .n_metric_locations = 1 },
                                           .teams   = threads_only, .n_teams = 1 };

static const tw_op with_stream[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 10, .leave = 90, .team = 1 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 10, .leave = 90, .team = 1 },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 30, .leave = 80 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 10, .leave = 90, .team = 1 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 70, .leave = 80 },
    { .process = 0, .thread = 2, .op = TW_USER, .enter = 20, .leave = 60, .region = "kernel" },
};

TEST(time_and_visits_of_a_stream_count)
{
    tw_report r = tw_analyze_with(with_stream, TW_LEN(with_stream), .options = &options);

    CHECK_THREAD_AT(r, "time", "kernel", 2, 40);
    CHECK_THREAD_AT(r, "visits", "kernel", 2, 1);
    CHECK_THREAD(r, "time", 2, 40);
}

TEST(neither_streams_nor_metrics_are_idle)
{
    tw_report r = tw_analyze_with(with_stream, TW_LEN(with_stream), .options = &options);

    CHECK_THREAD(r, "omp_idle_threads", 1, 11);
    CHECK_THREAD(r, "omp_idle_threads", 2, 0);
    CHECK_THREAD(r, "omp_idle_threads", 3, 0);
    CHECK_THREAD(r, "omp_limited_parallelism", 2, 0);
    CHECK_THREAD(r, "delay_ompidle", 0, 11);
}

TEST(they_change_nothing_for_the_threads)
{
    tw_report r = tw_analyze_with(with_stream, TW_LEN(with_stream), .options = &options);

    CHECK_THREAD(r, "omp_ebarrier_wait", 0, 40);
    CHECK_THREAD(r, "omp_ebarrier_wait", 1, 0);
    CHECK_THREAD(r, "omp_management", 1, 0);
}

TEST(a_location_without_records_is_no_finding)
{
    tw_report r = tw_analyze_with(with_stream, TW_LEN(with_stream), .options = &options);

    CHECK_THREAD(r, "time", 3, 0);
    CHECK_EQ(tw_finding(r, "no-events"), 0);
    CHECK_EQ(tw_finding(r, "unbalanced"), 0);
}

TEST_MAIN
