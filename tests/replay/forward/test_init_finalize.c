/* tests/replay/forward/test_init_finalize.c: "Initialization Completion" and "Wait at Finalize" of docs/metrics.md: the
 * two calls that all processes make together.
 *
 *   ticks       0       40 42 45      100  120   160   170
 *   process 0   [Init···]             [Finalize··········]      completes 0; waits 160 - 100
 *   process 1   [Init······]          ·····[Finalize······]     completes 2; waits 160 - 120
 *   process 2   [Init·········]       ···········[Finalize]     completes 5; waits 0
 */
#include "check.h"
#include "situation.h"

static const tw_op all[] = {
    { .process = 0, .op = TW_INIT, .enter = 0, .leave = 40 },
    { .process = 1, .op = TW_INIT, .enter = 0, .leave = 42 },
    { .process = 2, .op = TW_INIT, .enter = 0, .leave = 45 },
    { .process = 0, .op = TW_FINALIZE, .enter = 100, .leave = 170 },
    { .process = 1, .op = TW_FINALIZE, .enter = 120, .leave = 171 },
    { .process = 2, .op = TW_FINALIZE, .enter = 160, .leave = 170 },
};

TEST(initialization_is_complete_when_the_first_one_is_out)
{
    tw_report r = tw_analyze(all, TW_LEN(all));

    CHECK_SPAN(r, "mpi_init_completion", process(0), 0);
    CHECK_SPAN(r, "mpi_init_completion", process(1), 2);
    CHECK_SPAN(r, "mpi_init_completion", process(2), 5);
    CHECK_SPAN_AT(r, "mpi_init_completion", "main;MPI_Init", process(2), 5);
}

TEST(all_wait_in_finalize_for_the_last_one)
{
    tw_report r = tw_analyze(all, TW_LEN(all));

    CHECK_SPAN(r, "mpi_finalize_wait", process(0), 60);
    CHECK_SPAN(r, "mpi_finalize_wait", process(1), 40);
    CHECK_SPAN(r, "mpi_finalize_wait", process(2), 0);
    CHECK_SPAN_AT(r, "mpi_finalize_wait", "main;MPI_Finalize", process(0), 60);
}

TEST(the_records_of_handles_inside_them_count_nowhere)
{
    tw_report r = tw_analyze(all, TW_LEN(all));

    CHECK_SPAN(r, "syncs_coll", process(0), 0);
    CHECK_SPAN(r, "mpi_wait_nxn", process(0), 0);
    CHECK_SPAN(r, "mpi_barrier_wait", process(0), 0);
    CHECK_EQ(tw_finding(r, "unmatched-collective"), 0);
}

/* Who enters late is the start of the completion, and nobody waits in Init. */
static const tw_op late_init[] = {
    { .process = 0, .op = TW_INIT, .region = "MPI_Init_thread", .enter = 5, .leave = 40 },
    { .process = 1, .op = TW_INIT, .region = "MPI_Init_thread", .enter = 30, .leave = 42 },
};

TEST(nobody_waits_in_init)
{
    tw_report r = tw_analyze(late_init, TW_LEN(late_init));

    CHECK_SPAN(r, "mpi_init_completion", process(0), 0);
    CHECK_SPAN(r, "mpi_init_completion", process(1), 2);
    CHECK_SPAN(r, "mpi_finalize_wait", process(0), 0);
}

static const tw_op together[] = {
    { .process = 0, .op = TW_INIT, .enter = 5, .leave = 40 },
    { .process = 1, .op = TW_INIT, .enter = 5, .leave = 40 },
    { .process = 0, .op = TW_FINALIZE, .enter = 50, .leave = 60 },
    { .process = 1, .op = TW_FINALIZE, .enter = 50, .leave = 60 },
};

TEST(who_comes_and_goes_together_does_not_wait)
{
    tw_report r = tw_analyze(together, TW_LEN(together));

    CHECK_SPAN(r, "mpi_init_completion", process(0), 0);
    CHECK_SPAN(r, "mpi_init_completion", process(1), 0);
    CHECK_SPAN(r, "mpi_finalize_wait", process(0), 0);
    CHECK_SPAN(r, "mpi_finalize_wait", process(1), 0);
}

TEST_MAIN
