/* tests/replay/test_wait_windows.c: waiting time over time (docs/metrics.md#time-series). That it adds up to the
 * metrics is an invariant of all situations.
 *
 *   ticks       20             60              100     two windows: 20 to 60, 60 to 100
 *   process 0   Init]     [work            ][send]     Finalize
 *   process 1   Init][recv··········|·······]          Finalize      Late Sender from 30 to 90
 */
#include "check.h"
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

TEST(of_a_part_of_the_run_there_are_none_nor_where_they_are_not_wanted)
{
    CHECK(*tw_series(tw_analyze_with(across, TW_LEN(across), .arguments = "--from 1us")) == '\0');
    CHECK(*tw_series(tw_analyze_with(across, TW_LEN(across), .arguments = "--no-series")) == '\0');
    CHECK(*tw_series(tw_analyze_with(across, TW_LEN(across), .arguments = "--compat scout26")) == '\0');
    CHECK(*tw_series(tw_analyze(across, TW_LEN(across))) != '\0');
}

TEST_MAIN
