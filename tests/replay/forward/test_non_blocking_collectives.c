/* tests/replay/forward/test_non_blocking_collectives.c: "Non-blocking collectives" of docs/metrics.md: waiting in the
 * call that completes a collective.
 *
 *   ticks       10     30     50        90   100
 *   process 0   [Ibarr]       [Wait·············]     waits 90 - 50: until the last one has started
 *   process 1   ·······[Ibarr]             [Test]     a test never waits
 *   process 2   ························[Ibarr][Wait]
 */
#include "check.h"
#include "situation.h"

static const tw_op barrier[] = {
    { .process = 0, .op = TW_IBARRIER, .enter = 10, .leave = 12, .request = 1 },
    { .process = 0, .op = TW_WAIT, .enter = 50, .leave = 100, .request = 1 },
    { .process = 1, .op = TW_IBARRIER, .enter = 30, .leave = 32, .request = 1 },
    { .process = 1, .op = TW_TEST, .enter = 60, .leave = 61, .request = 1, .unsuccessful = true },
    { .process = 1, .op = TW_TEST, .enter = 80, .leave = 101, .request = 1 },
    { .process = 2, .op = TW_IBARRIER, .enter = 90, .leave = 92, .request = 1 },
    { .process = 2, .op = TW_WAIT, .enter = 95, .leave = 101, .request = 1 },
};

TEST(a_wait_lasts_until_the_last_one_has_started)
{
    tw_report r = tw_analyze(barrier, TW_LEN(barrier));

    CHECK_SPAN(r, "mpi_nbc_wait", process(0), 40);
    CHECK_SPAN(r, "mpi_nbc_barrier_wait", process(0), 40);
    CHECK_SPAN_AT(r, "mpi_nbc_barrier_wait", "main;MPI_Wait", process(0), 40);
    CHECK_SPAN(r, "mpi_barrier_wait", process(0), 0);
    CHECK_SPAN(r, "mpi_nbc_wait", process(2), 0);
}

TEST(a_collective_completed_by_a_test_does_not_wait)
{
    tw_report r = tw_analyze(barrier, TW_LEN(barrier));

    CHECK_SPAN(r, "mpi_nbc_wait", process(1), 0);
}

TEST(scout_knows_no_non_blocking_collectives)
{
    tw_report r = tw_analyze_with(barrier, TW_LEN(barrier), .arguments = "--compat=scout26");

    CHECK_SPAN(r, "mpi_nbc_wait", process(0), 0);
}

static const tw_op waited_later[] = {
    { .process = 0, .op = TW_IBARRIER, .enter = 10, .leave = 12, .request = 1 },
    { .process = 0, .op = TW_WAIT, .enter = 90, .leave = 100, .request = 1 },
    { .process = 1, .op = TW_IBARRIER, .enter = 90, .leave = 92, .request = 1 },
    { .process = 1, .op = TW_WAIT, .enter = 95, .leave = 101, .request = 1 },
};

TEST(time_between_start_and_wait_is_not_lost)
{
    tw_report r = tw_analyze(waited_later, TW_LEN(waited_later));

    CHECK_SPAN(r, "mpi_nbc_wait", process(0), 0);
    CHECK_SPAN(r, "mpi_nbc_wait", process(1), 0);
}

/*   ticks       10     20       60    70
 *   process 0   [Ibcast][Wait·········]     waits for the root: 60 - 20
 *   process 1   ················[Ibcast]    the root
 */
static const tw_op broadcast[] = {
    { .process = 0, .op = TW_IBCAST, .enter = 10, .leave = 12, .request = 1, .root = 1 },
    { .process = 0, .op = TW_WAIT, .enter = 20, .leave = 70, .request = 1 },
    { .process = 1, .op = TW_IBCAST, .enter = 60, .leave = 62, .request = 1, .root = 1 },
    { .process = 1, .op = TW_WAIT, .enter = 64, .leave = 66, .request = 1 },
    { .process = 2, .op = TW_IBCAST, .enter = 65, .leave = 67, .request = 1, .root = 1 },
    { .process = 2, .op = TW_WAIT, .enter = 68, .leave = 71, .request = 1 },
};

TEST(a_broadcast_waits_for_its_root_only)
{
    tw_report r = tw_analyze(broadcast, TW_LEN(broadcast));

    CHECK_SPAN(r, "mpi_nbc_latebroadcast", process(0), 40);
    CHECK_SPAN(r, "mpi_nbc_latebroadcast", process(1), 0);
    CHECK_SPAN(r, "mpi_nbc_latebroadcast", process(2), 0);
    CHECK_SPAN(r, "mpi_nbc_wait", process(0), 40);
}

static const tw_op reduction[] = {
    { .process = 0, .op = TW_IREDUCE, .enter = 10, .leave = 12, .request = 1, .root = 0 },
    { .process = 0, .op = TW_WAIT, .enter = 20, .leave = 70, .request = 1 },
    { .process = 1, .op = TW_IREDUCE, .enter = 60, .leave = 62, .request = 1, .root = 0 },
    { .process = 1, .op = TW_WAIT, .enter = 64, .leave = 66, .request = 1 },
};

TEST(the_root_of_a_reduction_waits_for_the_last_sender)
{
    tw_report r = tw_analyze(reduction, TW_LEN(reduction));

    CHECK_SPAN(r, "mpi_nbc_earlyreduce", process(0), 40);
    CHECK_SPAN(r, "mpi_nbc_earlyreduce", process(1), 0);
}

static const tw_op exchange[] = {
    { .process = 0, .op = TW_IALLREDUCE, .enter = 10, .leave = 12, .request = 1 },
    { .process = 0, .op = TW_WAIT, .enter = 20, .leave = 70, .request = 1 },
    { .process = 1, .op = TW_IALLREDUCE, .enter = 60, .leave = 62, .request = 1 },
    { .process = 1, .op = TW_WAIT, .enter = 64, .leave = 71, .request = 1 },
};

TEST(an_exchange_waits_for_everybody)
{
    tw_report r = tw_analyze(exchange, TW_LEN(exchange));

    CHECK_SPAN(r, "mpi_nbc_wait_nxn", process(0), 40);
    CHECK_SPAN(r, "mpi_nbc_wait_nxn", process(1), 0);
    CHECK_SPAN(r, "mpi_wait_nxn", process(0), 0);
}

static const tw_op prefix[] = {
    { .process = 0, .op = TW_ISCAN, .enter = 60, .leave = 62, .request = 1 },
    { .process = 0, .op = TW_WAIT, .enter = 64, .leave = 66, .request = 1 },
    { .process = 1, .op = TW_ISCAN, .enter = 10, .leave = 12, .request = 1 },
    { .process = 1, .op = TW_WAIT, .enter = 20, .leave = 70, .request = 1 },
};

TEST(a_prefix_waits_for_the_ranks_below)
{
    tw_report r = tw_analyze(prefix, TW_LEN(prefix));

    CHECK_SPAN(r, "mpi_nbc_earlyscan", process(0), 0);
    CHECK_SPAN(r, "mpi_nbc_earlyscan", process(1), 40);
}

/* Blocking and non-blocking operations of one communicator are told apart by the order of their starts. */
static const tw_op mixed[] = {
    { .process = 0, .op = TW_IBARRIER, .enter = 10, .leave = 12, .request = 1 },
    { .process = 0, .op = TW_BARRIER, .enter = 20, .leave = 46 },
    { .process = 0, .op = TW_WAIT, .enter = 50, .leave = 52, .request = 1 },
    { .process = 1, .op = TW_IBARRIER, .enter = 30, .leave = 32, .request = 1 },
    { .process = 1, .op = TW_BARRIER, .enter = 45, .leave = 47 },
    { .process = 1, .op = TW_WAIT, .enter = 50, .leave = 53, .request = 1 },
};

TEST(blocking_and_non_blocking_operations_do_not_mix)
{
    tw_report r = tw_analyze(mixed, TW_LEN(mixed));

    CHECK_SPAN(r, "mpi_barrier_wait", process(0), 25);
    CHECK_SPAN(r, "mpi_barrier_wait", process(1), 0);
    CHECK_SPAN(r, "mpi_nbc_wait", process(0), 0);
    CHECK_EQ(tw_finding(r, "mixed-collective"), 0);
    CHECK_EQ(tw_finding(r, "unmatched-collective"), 0);
}

TEST_MAIN
