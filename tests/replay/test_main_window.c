/* tests/replay/test_main_window.c: what is outside of the main window (docs/user-guide.md#start-up).
 *   ticks       0    10   20        ...        60   65   70   80
 *   process 0   [work][Init·]   [work]         [Finalize·····][work]     the main window is 20 to 65
 *   process 1           [Init··]                    [Finalize··]
 */
#include "check.h"
#include "situation.h"

enum { PROGRAM, MAIN, WORK }; /* ids of call paths, where process 0 begins with work */

static const tw_op usual[] = {
    { .process = 0, .op = TW_USER, .enter = 2, .leave = 8 },
    { .process = 0, .op = TW_INIT, .enter = 10, .leave = 20 },
    { .process = 0, .op = TW_USER, .enter = 25, .leave = 35 },
    { .process = 0, .op = TW_SEND, .enter = 40, .leave = 45, .peer = 1, .tag = 7 },
    { .process = 0, .op = TW_FINALIZE, .enter = 60, .leave = 70 },
    { .process = 0, .op = TW_USER, .enter = 72, .leave = 80 },
    { .process = 1, .op = TW_INIT, .enter = 12, .leave = 22 },
    { .process = 1, .op = TW_RECV, .enter = 30, .leave = 50, .peer = 0, .tag = 7 },
    { .process = 1, .op = TW_FINALIZE, .enter = 65, .leave = 72 },
};

TEST(what_a_program_does_before_mpi_init_and_after_mpi_finalize_is_outside)
{
    tw_report r = tw_analyze(usual, TW_LEN(usual));

    CHECK_EQ(tw_startup_value(r, "time", WORK, 0), 6 + 8);
    CHECK_EQ(tw_startup_value(r, "time", MAIN, 0), 2 + 2 + 2 + 1);
    CHECK_EQ(tw_startup_value(r, "time", MAIN, 1), 12 + 9);
    CHECK_EQ(tw_startup_value(r, "visits", WORK, 0), 2);
    CHECK_EQ(tw_startup_value(r, "visits", MAIN, 0), 1);
    CHECK_EQ(tw_startup_value(r, "comp", WORK, 0), 14);
    CHECK_EQ(tw_value(r, "time", "work", process(0)), 24); /* the report has the whole run */
    CHECK(strstr(tw_startup(r), "mpi_latesender") == NULL);
}

/* All metrics but those whose sums over all processes are no sums of their parts. */
TEST(what_is_inside_is_what_the_analysis_of_that_part_of_the_run_finds)
{
    static const char *const metrics[] = { "time", "visits", "comp", "execution", "imbalance", "imbalance_above",
                                           "imbalance_below", "imbalance_above_single", "non_critical_path_activities",
                                           "critical_path_activities" };
    tw_report whole = tw_analyze(usual, TW_LEN(usual));
    tw_report part  = tw_analyze_with(usual, TW_LEN(usual), .arguments = "--from 20us --to 65us");

    for (size_t m = 0; m < TW_LEN(metrics); m++)
        for (uint32_t p = 0; p < 2; p++) {
            CHECK_EQ(tw_value(whole, metrics[m], "work", process(p)) - tw_startup_value(whole, metrics[m], WORK, p),
                     tw_value(part, metrics[m], "work", process(p)));
            CHECK_EQ(tw_value(whole, metrics[m], "main", process(p)) - tw_startup_value(whole, metrics[m], MAIN, p),
                     tw_value(part, metrics[m], "main", process(p)));
        }
}

/* Process 0 leaves MPI_Init before process 1 enters it, and MPI_Finalize, too. */
static const tw_op late[] = {
    { .process = 0, .op = TW_USER, .enter = 2, .leave = 8 },
    { .process = 0, .op = TW_INIT, .enter = 10, .leave = 20 },
    { .process = 0, .op = TW_FINALIZE, .enter = 40, .leave = 50 },
    { .process = 0, .op = TW_USER, .enter = 52, .leave = 70 },
    { .process = 1, .op = TW_USER, .enter = 15, .leave = 29 },
    { .process = 1, .op = TW_INIT, .enter = 30, .leave = 40 },
    { .process = 1, .op = TW_FINALIZE, .enter = 60, .leave = 70 },
};

TEST(one_window_holds_for_a_process_that_is_late)
{
    tw_report r = tw_analyze(late, TW_LEN(late));

    CHECK_EQ(tw_startup_value(r, "time", WORK, 0), 6 + 10); /* work from 52 to 70 */
    CHECK_EQ(tw_startup_value(r, "visits", WORK, 0), 2);    /* a call that ends outside */
    CHECK_EQ(tw_startup_value(r, "time", MAIN, 0), 2 + 2 + 1);
    CHECK_EQ(tw_startup_value(r, "time", WORK, 1), 5); /* from 15 to 20 of 29 */
    CHECK_EQ(tw_startup_value(r, "time", MAIN, 1), 15 + 1);
}

/*   thread 0   [fork [team ··[barrier·]]]  [Init]  [work]  [Finalize]
 *   thread 1         [team [barrier···]]                                 waits from 4 to 6 */
static const tw_op threads[] = {
    { .process = 0, .op = TW_FORK, .enter = 2, .leave = 9 },
    { .process = 0, .op = TW_TEAM, .enter = 2, .leave = 9 },
    { .process = 0, .op = TW_OMP_BARRIER, .enter = 6, .leave = 8 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 2, .leave = 9 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 4, .leave = 8 },
    { .process = 0, .op = TW_INIT, .enter = 10, .leave = 20 },
    { .process = 0, .op = TW_USER, .enter = 25, .leave = 35 },
    { .process = 0, .op = TW_FINALIZE, .enter = 40, .leave = 50 },
};

TEST(waits_and_idle_time_of_threads_are_outside_with_the_calls_that_they_are_in)
{
    tw_report r = tw_analyze(threads, TW_LEN(threads));

    CHECK_EQ(tw_startup_value(r, "omp_ebarrier_wait", 3, 1), 2);
    CHECK_EQ(tw_startup_value(r, "time", 3, 1), 4);
    CHECK_EQ(tw_startup_value(r, "omp_idle_threads", MAIN, 1), 2 + 1 + 1); /* main from 0 to 2, 9 to 10, 50 to 51 */
    CHECK_EQ(tw_startup_value(r, "time", MAIN, 1), 2 + 1 + 1);
    CHECK_EQ(tw_startup_value(r, "delay_ompidle", MAIN, 0), 2 + 1 + 1);
}

static const tw_op unfinished[] = {
    { .process = 0, .op = TW_USER, .enter = 2, .leave = 8 },
    { .process = 0, .op = TW_INIT, .enter = 10, .leave = 20 },
    { .process = 0, .op = TW_USER, .enter = 25, .leave = 35 },
    { .process = 1, .op = TW_USER, .enter = 5, .leave = 30 },
};

TEST(without_mpi_finalize_it_lasts_to_the_end_and_a_process_without_mpi_init_is_in_it)
{
    tw_report r = tw_analyze(unfinished, TW_LEN(unfinished));

    CHECK_EQ(tw_startup_value(r, "time", WORK, 0), 6);
    CHECK_EQ(tw_startup_value(r, "time", MAIN, 0), 2 + 2);
    CHECK_EQ(tw_startup_value(r, "time", WORK, 1), 15);
    CHECK_EQ(tw_startup_value(r, "time", MAIN, 1), 5);
}

static const tw_op without_mpi[] = { { .process = 0, .op = TW_USER, .enter = 2, .leave = 8 } };

TEST(without_mpi_init_there_is_none_and_with_an_interval_neither)
{
    CHECK(*tw_startup(tw_analyze(without_mpi, TW_LEN(without_mpi))) == '\0');
    CHECK(*tw_startup(tw_analyze_with(usual, TW_LEN(usual), .arguments = "--from 1us")) == '\0');
    CHECK(*tw_startup(tw_analyze_with(usual, TW_LEN(usual), .arguments = "--compat scout26")) == '\0');
}

TEST_MAIN
