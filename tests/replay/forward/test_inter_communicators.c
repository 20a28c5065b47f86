/* tests/replay/forward/test_inter_communicators.c: "Inter-communicators" of docs/metrics.md: two groups that talk to
 * each other: {0, 1} and {2, 3}.
 *
 *   ticks       10 20 30 40   50
 *   process 0   [barrier·······]      waits for the last of the other group: 40 - 10
 *   process 1   ···[barrier····]      40 - 20
 *   process 2   ·········[bar··]      the other group is there
 *   process 3   ······[barrier·]      likewise, though process 2 is not
 */
#include "check.h"
#include "situation.h"

static const tw_comm    groups[] = { { .name = "inter", TW_PROCESSES(0, 1), TW_REMOTE(2, 3) } };
static const tw_options options  = { .comms = groups, .n_comms = 1 };

static const tw_op barrier[] = {
    { .process = 0, .op = TW_BARRIER, .enter = 10, .leave = 50, .comm = TW_COMM(0) },
    { .process = 1, .op = TW_BARRIER, .enter = 20, .leave = 50, .comm = TW_COMM(0) },
    { .process = 2, .op = TW_BARRIER, .enter = 40, .leave = 50, .comm = TW_COMM(0) },
    { .process = 3, .op = TW_BARRIER, .enter = 30, .leave = 50, .comm = TW_COMM(0) },
};

TEST(a_barrier_waits_for_the_last_of_the_other_group)
{
    tw_report r = tw_analyze_with(barrier, TW_LEN(barrier), .options = &options);

    CHECK_SPAN(r, "mpi_barrier_wait", process(0), 30);
    CHECK_SPAN(r, "mpi_barrier_wait", process(1), 20);
    CHECK_SPAN(r, "mpi_barrier_wait", process(2), 0);
    CHECK_SPAN(r, "mpi_barrier_wait", process(3), 0);
    CHECK_EQ(tw_finding(r, "unmatched-collective"), 0);
}

static const tw_op together[] = {
    { .process = 0, .op = TW_BARRIER, .enter = 10, .leave = 50, .comm = TW_COMM(0) },
    { .process = 1, .op = TW_BARRIER, .enter = 40, .leave = 50, .comm = TW_COMM(0) },
    { .process = 2, .op = TW_BARRIER, .enter = 10, .leave = 50, .comm = TW_COMM(0) },
    { .process = 3, .op = TW_BARRIER, .enter = 10, .leave = 50, .comm = TW_COMM(0) },
};

TEST(what_groups_wait_for_each_other_is_unattributed)
{
    tw_report r = tw_analyze_with(barrier, TW_LEN(barrier), .options = &options);

    CHECK_SPAN(r, "delay", process(2), 0);
    CHECK_SPAN(r, "delay_unattributed_barrier", process(0), 30);
    CHECK_SPAN(r, "delay_unattributed_barrier", process(1), 20);
}

TEST(nobody_waits_for_the_own_group)
{
    tw_report r = tw_analyze_with(together, TW_LEN(together), .options = &options);

    CHECK_SPAN(r, "mpi_barrier_wait", process(0), 0);
    CHECK_SPAN(r, "mpi_barrier_wait", process(2), 30);
    CHECK_SPAN(r, "mpi_barrier_wait", process(3), 30);
}

/* The clocks of processes 0 and 1 are late: the others have left before process 0 begins. */
static const tw_op through[] = {
    { .process = 0, .op = TW_BARRIER, .enter = 60, .leave = 65, .comm = TW_COMM(0) },
    { .process = 1, .op = TW_BARRIER, .enter = 45, .leave = 66, .comm = TW_COMM(0) },
    { .process = 2, .op = TW_BARRIER, .enter = 10, .leave = 50, .comm = TW_COMM(0) },
    { .process = 3, .op = TW_BARRIER, .enter = 30, .leave = 52, .comm = TW_COMM(0) },
};

TEST(a_completion_is_not_longer_than_the_call)
{
    tw_report r = tw_analyze_with(through, TW_LEN(through), .options = &options);

    CHECK_SPAN(r, "mpi_barrier_completion", process(0), 65 - 60);
    CHECK_SPAN(r, "mpi_barrier_completion", process(1), 66 - 50);
    CHECK_SPAN(r, "mpi_barrier_completion", process(2), 0);
    CHECK_SPAN(r, "mpi_barrier_completion", process(3), 0);
}

static const tw_op exchange[] = {
    { .process = 0, .op = TW_ALLREDUCE, .enter = 10, .leave = 50, .comm = TW_COMM(0) },
    { .process = 1, .op = TW_ALLREDUCE, .enter = 20, .leave = 50, .comm = TW_COMM(0) },
    { .process = 2, .op = TW_ALLREDUCE, .enter = 40, .leave = 50, .comm = TW_COMM(0) },
    { .process = 3, .op = TW_ALLREDUCE, .enter = 30, .leave = 50, .comm = TW_COMM(0) },
};

TEST(an_exchange_waits_for_the_last_of_the_other_group)
{
    tw_report r = tw_analyze_with(exchange, TW_LEN(exchange), .options = &options);

    CHECK_SPAN(r, "mpi_wait_nxn", process(0), 30);
    CHECK_SPAN(r, "mpi_wait_nxn", process(1), 20);
    CHECK_SPAN(r, "mpi_wait_nxn", process(2), 0);
    CHECK_SPAN(r, "mpi_wait_nxn", process(3), 0);
}

/* Process 0 is the root; process 1 of its group takes no part. */
static const tw_op broadcast[] = {
    { .process = 0, .op = TW_BCAST, .enter = 40, .leave = 45, .comm = TW_COMM(0), .root = TW_ROOT_SELF },
    { .process = 1, .op = TW_BCAST, .enter = 10, .leave = 12, .comm = TW_COMM(0), .root = TW_ROOT_THIS_GROUP },
    { .process = 2, .op = TW_BCAST, .enter = 10, .leave = 50, .comm = TW_COMM(0), .root = 0 },
    { .process = 3, .op = TW_BCAST, .enter = 45, .leave = 50, .comm = TW_COMM(0), .root = 0 },
};

TEST(a_broadcast_goes_to_the_other_group)
{
    tw_report r = tw_analyze_with(broadcast, TW_LEN(broadcast), .options = &options);

    CHECK_SPAN(r, "mpi_latebroadcast", process(0), 0);
    CHECK_SPAN(r, "mpi_latebroadcast", process(1), 0);
    CHECK_SPAN(r, "mpi_latebroadcast", process(2), 30);
    CHECK_SPAN(r, "mpi_latebroadcast", process(3), 0);
    CHECK_EQ(tw_finding(r, "mixed-collective"), 0);
}

/* Process 3 is the root, rank 1 of its group; the others of its group take no part. */
static const tw_op reduction[] = {
    { .process = 0, .op = TW_REDUCE, .enter = 20, .leave = 25, .comm = TW_COMM(0), .root = 1 },
    { .process = 1, .op = TW_REDUCE, .enter = 40, .leave = 45, .comm = TW_COMM(0), .root = 1 },
    { .process = 2, .op = TW_REDUCE, .enter = 60, .leave = 62, .comm = TW_COMM(0), .root = TW_ROOT_THIS_GROUP },
    { .process = 3, .op = TW_REDUCE, .enter = 10, .leave = 50, .comm = TW_COMM(0), .root = TW_ROOT_SELF },
};

TEST(a_reduction_comes_from_the_other_group)
{
    tw_report r = tw_analyze_with(reduction, TW_LEN(reduction), .options = &options);

    CHECK_SPAN(r, "mpi_earlyreduce", process(3), 30);
    CHECK_SPAN(r, "mpi_earlyreduce", process(0), 0);
    CHECK_SPAN(r, "mpi_earlyreduce", process(1), 0);
    CHECK_SPAN(r, "mpi_earlyreduce", process(2), 0);
    CHECK_EQ(tw_finding(r, "clock-collective"), 0);
}

/* Rank 1 of the other group is process 3 for process 0, and process 1 for process 2. */
static const tw_op messages[] = {
    { .process = 0, .op = TW_SEND, .enter = 50, .leave = 55, .comm = TW_COMM(0), .peer = 1 },
    { .process = 3, .op = TW_RECV, .enter = 20, .leave = 60, .comm = TW_COMM(0), .peer = 0 },
    { .process = 2, .op = TW_SEND, .enter = 35, .leave = 36, .comm = TW_COMM(0), .peer = 1 },
    { .process = 1, .op = TW_RECV, .enter = 30, .leave = 40, .comm = TW_COMM(0), .peer = 0 },
};

TEST(ranks_of_messages_are_those_of_the_other_group)
{
    tw_report r = tw_analyze_with(messages, TW_LEN(messages), .options = &options);

    CHECK_SPAN(r, "mpi_latesender", process(3), 30);
    CHECK_SPAN(r, "mpi_latesender", process(1), 5);
    CHECK_SPAN(r, "mpi_latesender", process(0), 0);
    CHECK_EQ(tw_finding(r, "unmatched-receive"), 0);
    CHECK_EQ(tw_finding(r, "unmatched-send"), 0);
}

TEST_MAIN
