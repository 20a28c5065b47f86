/* tests/replay/forward/test_barrier.c: "Wait at Barrier" of docs/metrics.md: waiting at a barrier for the last one, and
 * leaving after the first one.
 *
 *   ticks       10    30    50 54 55 58
 *   process 0   [barrier··········]            waits 50 - 10, completes 55 - 54
 *   process 1   ······[barrier·]               waits 50 - 30, completes 54 - 54
 *   process 2   ············[barrier···]       waits 0,       completes 58 - 54
 */
#include "check.h"
#include "situation.h"

static const tw_op three[] = {
    { .process = 0, .op = TW_BARRIER, .enter = 10, .leave = 55 },
    { .process = 1, .op = TW_BARRIER, .enter = 30, .leave = 54 },
    { .process = 2, .op = TW_BARRIER, .enter = 50, .leave = 58 },
};

TEST(all_wait_for_the_last_one)
{
    tw_report r = tw_analyze(three, TW_LEN(three));

    CHECK_SPAN(r, "mpi_barrier_wait", process(0), 40);
    CHECK_SPAN(r, "mpi_barrier_wait", process(1), 20);
    CHECK_SPAN(r, "mpi_barrier_wait", process(2), 0);
    CHECK_SPAN_AT(r, "mpi_barrier_wait", "main;MPI_Barrier", process(0), 40);
    CHECK_SPAN(r, "mpi_wait_nxn", process(0), 0);
}

TEST(completion_starts_when_the_first_one_is_out)
{
    tw_report r = tw_analyze(three, TW_LEN(three));

    CHECK_SPAN(r, "mpi_barrier_completion", process(0), 1);
    CHECK_SPAN(r, "mpi_barrier_completion", process(1), 0);
    CHECK_SPAN(r, "mpi_barrier_completion", process(2), 4);
}

TEST(a_barrier_is_a_synchronization)
{
    tw_report r = tw_analyze(three, TW_LEN(three));

    CHECK_SPAN(r, "mpi_sync_collective", process(0), 45);
    CHECK_SPAN(r, "mpi_collective", process(0), 0);
    CHECK_SPAN(r, "syncs_coll", process(0), 1);
    CHECK_SPAN(r, "bytes_coll", process(0), 0);
}

static const tw_op together[] = {
    { .process = 0, .op = TW_BARRIER, .enter = 10, .leave = 20 },
    { .process = 1, .op = TW_BARRIER, .enter = 10, .leave = 20 },
    { .process = 2, .op = TW_BARRIER, .enter = 10, .leave = 20 },
};

TEST(who_comes_and_goes_together_does_not_wait)
{
    tw_report r = tw_analyze(together, TW_LEN(together));

    for (uint32_t i = 0; i < 3; i++) {
        CHECK_SPAN(r, "mpi_barrier_wait", process(i), 0);
        CHECK_SPAN(r, "mpi_barrier_completion", process(i), 0);
    }
}

/* The records stand inside the call: their times count, not those of enter and leave. */
static const tw_op inside[] = {
    { .process = 0, .op = TW_BARRIER, .enter = 10, .leave = 60, .begin = 15, .end = 55 },
    { .process = 1, .op = TW_BARRIER, .enter = 30, .leave = 60, .begin = 40, .end = 58 },
};

TEST(what_counts_are_the_records_of_begin_and_end)
{
    tw_report r = tw_analyze(inside, TW_LEN(inside));

    CHECK_SPAN(r, "mpi_barrier_wait", process(0), 25);
    CHECK_SPAN(r, "mpi_barrier_completion", process(0), 0);
    CHECK_SPAN(r, "mpi_barrier_completion", process(1), 3);
}

/*   ticks       10        40    50 52
 *   process 0   [barrier··]               out before process 1 is in: its clock, or that of process 1, is wrong
 *   process 1   ················[barr]
 */
static const tw_op bad_clock[] = {
    { .process = 0, .op = TW_BARRIER, .enter = 10, .leave = 40 },
    { .process = 1, .op = TW_BARRIER, .enter = 50, .leave = 52 },
};

TEST(a_wait_stays_inside_its_call_when_clocks_are_wrong)
{
    tw_report r = tw_analyze(bad_clock, TW_LEN(bad_clock));

    CHECK_SPAN(r, "mpi_barrier_wait", process(0), 30);
    CHECK_SPAN(r, "mpi_barrier_wait", process(1), 0);
    CHECK_SPAN(r, "mpi_barrier_completion", process(0), 0);
    CHECK_SPAN(r, "mpi_barrier_completion", process(1), 2);
    CHECK_EQ(tw_finding(r, "clock-collective"), 1);
}

static const tw_op off_by_one[] = {
    { .process = 0, .op = TW_BARRIER, .enter = 10, .leave = 50 },
    { .process = 1, .op = TW_BARRIER, .enter = 50, .leave = 52 },
};

TEST(leaving_when_the_last_one_enters_violates_nothing)
{
    tw_report r = tw_analyze(off_by_one, TW_LEN(off_by_one));

    CHECK_SPAN(r, "mpi_barrier_wait", process(0), 40);
    CHECK_EQ(tw_finding(r, "clock-collective"), 0);
}

static const tw_op alone[] = {
    { .process = 0, .op = TW_BARRIER, .enter = 10, .leave = 50, .comm = TW_SELF },
    { .process = 1, .op = TW_BARRIER, .enter = 90, .leave = 95, .comm = TW_SELF },
};

TEST(a_barrier_of_one_process_does_not_wait)
{
    tw_report r = tw_analyze(alone, TW_LEN(alone));

    CHECK_SPAN(r, "mpi_barrier_wait", process(0), 0);
    CHECK_SPAN(r, "mpi_barrier_completion", process(0), 0);
    CHECK_EQ(tw_finding(r, "unmatched-collective"), 0);
}

/* Two halves, each with a barrier of its own; then one of all. */
static const tw_comm halves[]   = { { .name = "low", TW_PROCESSES(1, 0) }, { .name = "high", TW_PROCESSES(2, 3) } };
static const tw_op   in_halves[] = {
    { .process = 0, .op = TW_BARRIER, .enter = 10, .leave = 30, .comm = TW_COMM(0) },
    { .process = 1, .op = TW_BARRIER, .enter = 20, .leave = 30, .comm = TW_COMM(0) },
    { .process = 2, .op = TW_BARRIER, .enter = 15, .leave = 50, .comm = TW_COMM(1) },
    { .process = 3, .op = TW_BARRIER, .enter = 45, .leave = 50, .comm = TW_COMM(1) },
    { .process = 0, .op = TW_BARRIER, .enter = 60, .leave = 70 },
    { .process = 1, .op = TW_BARRIER, .enter = 61, .leave = 70 },
    { .process = 2, .op = TW_BARRIER, .enter = 62, .leave = 70 },
    { .process = 3, .op = TW_BARRIER, .enter = 63, .leave = 70 },
};

TEST(communicators_wait_on_their_own)
{
    static const tw_options options = { .comms = halves, .n_comms = 2 };
    tw_report               r       = tw_analyze_with(in_halves, TW_LEN(in_halves), .options = &options);

    CHECK_SPAN(r, "mpi_barrier_wait", process(0), 10 + 3);
    CHECK_SPAN(r, "mpi_barrier_wait", process(1), 0 + 2);
    CHECK_SPAN(r, "mpi_barrier_wait", process(2), 30 + 1);
    CHECK_SPAN(r, "mpi_barrier_wait", process(3), 0);
}

/* A process that runs ahead is in its third barrier while another is in its first. */
static const tw_op in_turn[] = {
    { .process = 0, .op = TW_BARRIER, .enter = 10, .leave = 12 },
    { .process = 0, .op = TW_BARRIER, .enter = 13, .leave = 22 },
    { .process = 0, .op = TW_BARRIER, .enter = 23, .leave = 32 },
    { .process = 1, .op = TW_BARRIER, .enter = 11, .leave = 12 },
    { .process = 1, .op = TW_BARRIER, .enter = 20, .leave = 22 },
    { .process = 1, .op = TW_BARRIER, .enter = 30, .leave = 32 },
};

TEST(barriers_of_one_communicator_are_told_apart_by_their_order)
{
    tw_report r = tw_analyze(in_turn, TW_LEN(in_turn));

    CHECK_SPAN(r, "mpi_barrier_wait", process(0), 1 + 7 + 7);
    CHECK_SPAN(r, "mpi_barrier_wait", process(1), 0);
}

/* Making and freeing communicators leaves collective records, too: no waiting time is seen there. */
static const tw_comm pair[]    = { { .name = "pair", TW_PROCESSES(0, 1) } };
static const tw_op   handles[] = {
    { .process = 0, .op = TW_COMM_CREATE, .enter = 10, .leave = 50, .comm = TW_COMM(0) },
    { .process = 1, .op = TW_COMM_CREATE, .enter = 40, .leave = 50, .comm = TW_COMM(0) },
    { .process = 0, .op = TW_BARRIER, .enter = 60, .leave = 80, .comm = TW_COMM(0) },
    { .process = 1, .op = TW_BARRIER, .enter = 70, .leave = 80, .comm = TW_COMM(0) },
    { .process = 0, .op = TW_COMM_FREE, .enter = 85, .leave = 95, .comm = TW_COMM(0) },
    { .process = 1, .op = TW_COMM_FREE, .enter = 90, .leave = 95, .comm = TW_COMM(0) },
};

TEST(making_and_freeing_a_communicator_is_no_barrier)
{
    static const tw_options options = { .comms = pair, .n_comms = 1 };
    tw_report               r       = tw_analyze_with(handles, TW_LEN(handles), .options = &options);

    CHECK_SPAN(r, "mpi_barrier_wait", process(0), 10);
    CHECK_SPAN(r, "syncs_coll", process(0), 1);
    CHECK_SPAN(r, "mpi_wait_nxn", process(0), 0);
}

TEST_MAIN
