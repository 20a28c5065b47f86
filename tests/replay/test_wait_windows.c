/* tests/replay/test_wait_windows.c: waiting time over time (docs/metrics.md#time-series). That it adds up to the
 * metrics is an invariant of all situations.
 *
 *   ticks       20             60              100     two windows: 20 to 60, 60 to 100
 *   process 0   Init]     [work            ][send]     Finalize
 *   process 1   Init][recv··········|·······]          Finalize      Late Sender from 30 to 90
 */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "memory.h"
#include "situation.h"

static const tw_op across[] = {
    { .process = 0, .op = TW_INIT, .enter = 10, .leave = 20 },
    { .process = 0, .op = TW_SEND, .enter = 90, .leave = 92, .peer = 1, .tag = 7 },
    { .process = 0, .op = TW_FINALIZE, .enter = 100, .leave = 110 },
    { .process = 1, .op = TW_INIT, .enter = 10, .leave = 20 },
    { .process = 1, .op = TW_RECV, .enter = 30, .leave = 95, .peer = 0, .tag = 7 },
    { .process = 1, .op = TW_FINALIZE, .enter = 96, .leave = 110 },
};

TEST(a_wait_is_in_the_windows_in_which_it_takes_place)
{
    tw_report r = tw_analyze_with(across, TW_LEN(across), .arguments = "--windows 2");

    CHECK_EQ(tw_series_value(r, "mpi_latesender", process(1), 1), 30);
    CHECK_EQ(tw_series_value(r, "mpi_latesender", process(1), 2), 30);
    CHECK_EQ(tw_series_value(r, "mpi_latesender", process(0), 1), 0);
    CHECK_EQ(tw_series_value(r, "mpi_finalize_wait", process(1), 2), 4);
    CHECK_EQ(tw_series_value(r, "mpi_finalize_wait", process(1), 3), 0);
}

/* Thread 1 waits from 4 to 6, before MPI_Init. */
static const tw_op before[] = {
    { .process = 0, .op = TW_FORK, .enter = 2, .leave = 9 },
    { .process = 0, .op = TW_TEAM, .enter = 2, .leave = 9 },
    { .process = 0, .op = TW_OMP_BARRIER, .enter = 6, .leave = 8 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 2, .leave = 9 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 4, .leave = 8 },
    { .process = 0, .op = TW_INIT, .enter = 10, .leave = 20 },
    { .process = 0, .op = TW_FINALIZE, .enter = 40, .leave = 50 },
};

TEST(what_is_outside_of_the_main_window_is_before_the_first_one_or_after_the_last_one)
{
    tw_report r = tw_analyze_with(before, TW_LEN(before), .arguments = "--windows 2");

    CHECK_EQ(tw_series_value(r, "omp_ebarrier_wait", process(0), 0), 2);
    CHECK_EQ(tw_series_value(r, "omp_ebarrier_wait", process(0), 1), 0);
}

/* One that runs a task in the barrier waits with pauses. */
static const tw_op with_task[] = {
    { .process = 0, .op = TW_FORK, .enter = 0, .leave = 100 },
    { .process = 0, .op = TW_TEAM, .enter = 0, .leave = 100 },
    { .process = 0, .op = TW_OMP_BARRIER, .enter = 80, .leave = 90 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 0, .leave = 100 },
    { .process = 0, .thread = 1, .op = TW_TASK_CREATE, .enter = 5, .task = 1, .creator = 1 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 20, .leave = 90 },
    { .process = 0, .thread = 1, .op = TW_TASK_SWITCH, .enter = 30, .task = 1, .creator = 1 },
    { .process = 0, .thread = 1, .op = TW_USER, .enter = 31, .leave = 59, .region = "task" },
    { .process = 0, .thread = 1, .op = TW_TASK_COMPLETE, .enter = 60, .task = 1, .creator = 1 },
};

TEST(a_wait_with_pauses_is_in_the_window_in_which_it_begins)
{
    tw_report r = tw_analyze_with(with_task, TW_LEN(with_task), .arguments = "--windows 2");

    CHECK_EQ(tw_series_value(r, "omp_ebarrier_wait", process(0), 1), 60 - 30);
    CHECK_EQ(tw_series_value(r, "omp_ebarrier_wait", process(0), 2), 0);
}

/* Two processes wait at two call paths. Call paths: 0 main (the program), then by name of the region. */
static const tw_op two_paths[] = {
    { .process = 0, .op = TW_INIT, .enter = 10, .leave = 20 },
    { .process = 0, .op = TW_SEND, .enter = 50, .leave = 52, .peer = 1, .tag = 7 },
    { .process = 0, .op = TW_SEND, .enter = 53, .leave = 54, .peer = 2, .tag = 7 },
    { .process = 0, .op = TW_BARRIER, .enter = 90, .leave = 95 },
    { .process = 0, .op = TW_FINALIZE, .enter = 100, .leave = 110 },
    { .process = 1, .op = TW_INIT, .enter = 10, .leave = 20 },
    { .process = 1, .op = TW_RECV, .enter = 30, .leave = 56, .peer = 0, .tag = 7 },
    { .process = 1, .op = TW_BARRIER, .enter = 58, .leave = 95 },
    { .process = 1, .op = TW_FINALIZE, .enter = 100, .leave = 110 },
    { .process = 2, .op = TW_INIT, .enter = 10, .leave = 20 },
    { .process = 2, .op = TW_RECV, .enter = 40, .leave = 57, .peer = 0, .tag = 7 },
    { .process = 2, .op = TW_BARRIER, .enter = 58, .leave = 95 },
    { .process = 2, .op = TW_FINALIZE, .enter = 100, .leave = 110 },
};

/* The number of the call path whose line of a wait state it is. */
static uint32_t
path_of(tw_report report, const char *metric)
{
    const char *line = strstr(tw_path_series_text(report), metric);

    return line != NULL ? (uint32_t)strtoul(line + strlen(metric) + 1, NULL, 10) : HD_NONE;
}

TEST(each_call_path_has_its_sum_and_the_process_that_waits_most)
{
    tw_report      r         = tw_analyze_with(two_paths, TW_LEN(two_paths), .arguments = "--windows 2");
    uint32_t       receiving = path_of(r, "mpi_latesender"), barrier = path_of(r, "mpi_barrier_wait");
    tw_path_series value     = tw_path_series_value(r, false, "mpi_latesender", receiving, 1);

    CHECK(receiving != HD_NONE && barrier != HD_NONE && receiving != barrier);
    CHECK_EQ(value.sum, 20 + 13);
    CHECK_EQ(value.most, 20);
    CHECK_EQ(value.process, 1);
    value = tw_path_series_value(r, false, "mpi_barrier_wait", barrier, 1); /* from 58 to 60 */
    CHECK_EQ(value.sum, 4);
    CHECK_EQ(value.most, 2);
    CHECK_EQ(value.process, 1); /* the first of equal ones */
    value = tw_path_series_value(r, false, "mpi_barrier_wait", barrier, 2);
    CHECK_EQ(value.sum, 60);
    CHECK_EQ(value.most, 30);
    CHECK_EQ(tw_path_series_value(r, false, "mpi_latesender", receiving, 2).sum, 0);
    CHECK_EQ(tw_path_series_value(r, false, "mpi_latesender", barrier, 1).sum, 0);
}

/* Process 0 is late from its MPI_Init, at 10, to its send, at 90, for a wait of 60 ticks that ends in window 2: 10 of
 * these 80 ticks are before the windows, 40 in window 1, 30 in window 2. What the receiver did meanwhile is no
 * excess. */
TEST(a_direct_cost_is_shared_among_the_windows_of_the_delay)
{
    tw_report   r    = tw_analyze_with(across, TW_LEN(across), .arguments = "--windows 2");
    const char *lags = tw_lags(r);
    const char *slices = strstr(lags, "\nlatesender\tdelays\t"), *waits = strstr(lags, "\nlatesender\twaits\t");
    double      sum = 0, values[3] = { 0 }, per_second = 0, costs[3] = { 0 }, wait = 0;

    for (int lag = 0; lag < 3; lag++) {
        char       *line = hd_format("\nwindows\tlatesender\tlag\t%d\t%d\t", lag, lag);
        const char *at   = strstr(lags, line);

        CHECK(at != NULL);
        values[lag] = at != NULL ? strtod(at + strlen(line), NULL) * 1e6 : 0;
        sum += values[lag];
        free(line);
    }
    CHECK_EQ(llround(8 * values[2] / sum), 1);
    CHECK_EQ(llround(8 * values[1] / sum), 4);
    CHECK_EQ(llround(8 * values[0] / sum), 3);
    CHECK(sum > 50 && sum <= 60 + 1e-6);
    CHECK(fabs(values[1] / sum - 0.5) < 1e-6 && fabs(values[2] / sum - 0.125) < 1e-6);
    CHECK(strstr(lags, "\nwindows\tlatesender\tpair\t1\t2\t") != NULL);
    CHECK(slices != NULL && sscanf(slices, "\nlatesender\tdelays\t%lf\t0\t%lf,%lf,%lf\n", &per_second, &costs[0],
                                   &costs[1], &costs[2]) == 4);
    CHECK(waits != NULL && sscanf(waits, "\nlatesender\twaits\t%lf\t2\t%lf\n", &per_second, &wait) == 2);
    for (int slice = 0; slice < 3; slice++)
        CHECK(fabs(costs[slice] / per_second * 1e6 - values[2 - slice]) < 0.004); /* of a tick, to 1 / 256 of it */
    CHECK(fabs(wait / per_second * 1e6 - sum) < 0.004);
    CHECK(*tw_lags(tw_analyze_with(across, TW_LEN(across), .arguments = "--no-delay")) == '\0');
    CHECK(*tw_lags(tw_analyze_with(across, TW_LEN(across), .arguments = "--no-series")) == '\0');
}

enum { N_FUNCTIONS = 150 };

/* Function i, from 0 on, has a barrier in which process 1 waits i + 1 ticks for process 0. */
static void
add_functions(tw_op *ops, size_t *n, uint32_t process)
{
    static char names[N_FUNCTIONS][16];
    hd_time     time = 20;

    ops[(*n)++] = (tw_op){ .process = process, .op = TW_INIT, .enter = 0, .leave = 10 };
    for (unsigned i = 0; i < N_FUNCTIONS; i++, time += 400) {
        snprintf(names[i], sizeof names[i], "function %u", i);
        ops[(*n)++] = (tw_op){ .process = process, .op = TW_BARRIER, .enter = time + (process == 0 ? i + 2 : 1),
                               .leave = time + i + 3 };
        ops[(*n)++] = (tw_op){ .process = process, .op = TW_USER, .enter = time, .leave = time + 300,
                               .region = names[i] };
    }
    ops[(*n)++] = (tw_op){ .process = process, .op = TW_FINALIZE, .enter = time, .leave = time + 10 };
}

/* The program, main, Init, Finalize and 150 functions with a barrier each are 304 call paths. Both processes are i + 3
 * ticks in the barrier of function i, 20 in Init and in Finalize. The 255 that are kept are the program, main,
 * functions 149 to 24 and their barriers, and function 23, which stands for its barrier; main stands for those of
 * functions 22 to 0. */
TEST(of_many_call_paths_those_with_short_calls_are_part_of_what_calls_them)
{
    static tw_op ops[4 * N_FUNCTIONS + 4];
    size_t       n = 0, n_lines = 0;
    tw_report    r;
    int64_t      sum = 0;

    add_functions(ops, &n, 0);
    add_functions(ops, &n, 1);
    r = tw_analyze_with(ops, n, .arguments = "--windows 1");
    for (uint32_t path = 0; path < 2 * N_FUNCTIONS + 3; path++) {
        int64_t value = tw_path_series_value(r, false, "mpi_barrier_wait", path, 1).sum;

        n_lines += value > 0;
        sum += value;
    }
    CHECK_EQ(n_lines, 128);
    CHECK_EQ(sum, N_FUNCTIONS * (N_FUNCTIONS + 1) / 2);
    CHECK_EQ(tw_path_series_value(r, false, "mpi_barrier_wait", 1, 1).sum, 23 * 24 / 2);
}

TEST(of_a_part_of_the_run_there_are_none_nor_where_they_are_not_wanted)
{
    CHECK(*tw_series(tw_analyze_with(across, TW_LEN(across), .arguments = "--from 1us")) == '\0');
    CHECK(*tw_series(tw_analyze_with(across, TW_LEN(across), .arguments = "--no-series")) == '\0');
    CHECK(*tw_series(tw_analyze_with(across, TW_LEN(across), .arguments = "--compat scout26")) == '\0');
    CHECK(*tw_series(tw_analyze(across, TW_LEN(across))) != '\0');
}

TEST_MAIN
