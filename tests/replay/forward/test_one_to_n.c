/* tests/replay/forward/test_one_to_n.c: "Late Broadcast" of docs/metrics.md: operations that wait for their root.
 *
 *   ticks       10       40 44 45   60    70
 *   process 0   [bcast··········]             waits 40 - 10
 *   process 1   ·········[bc]                 the root, never waits
 *   process 2   ····················[bcast]   later than the root
 */
#include "check.h"
#include "situation.h"

#define LATE_ROOT(kind)                                                                                                \
    {                                                                                                                  \
        { .process = 0, .op = (kind), .enter = 10, .leave = 45, .root = 1 },                                           \
        { .process = 1, .op = (kind), .enter = 40, .leave = 44, .root = 1 },                                           \
        { .process = 2, .op = (kind), .enter = 60, .leave = 70, .root = 1 },                                           \
    }

static const tw_op kinds[][3] = { LATE_ROOT(TW_BCAST), LATE_ROOT(TW_SCATTER), LATE_ROOT(TW_SCATTERV) };

TEST(who_is_there_before_the_root_waits_for_it)
{
    for (size_t i = 0; i < TW_LEN(kinds); i++) {
        tw_report r = tw_analyze(kinds[i], 3);

        CHECK_SPAN(r, "mpi_latebroadcast", process(0), 30);
        CHECK_SPAN(r, "mpi_latebroadcast", process(1), 0);
        CHECK_SPAN(r, "mpi_latebroadcast", process(2), 0);
        CHECK_SPAN(r, "mpi_wait_nxn", process(0), 0);
    }
}

TEST(the_root_is_a_source_and_the_others_are_destinations)
{
    tw_report r = tw_analyze(kinds[0], 3);

    CHECK_SPAN(r, "comms_cdst", process(0), 1);
    CHECK_SPAN(r, "bytes_cout", process(1), 24);
    CHECK_SPAN(r, "bytes_cin", process(0), 8);
    CHECK_SPAN(r, "bytes_cout", process(0), 0);
}

static const tw_op root_first[] = {
    { .process = 0, .op = TW_BCAST, .enter = 10, .leave = 20, .root = 0 },
    { .process = 1, .op = TW_BCAST, .enter = 10, .leave = 60, .root = 0 },
    { .process = 2, .op = TW_BCAST, .enter = 50, .leave = 60, .root = 0 },
};

TEST(nobody_waits_for_a_root_that_is_there)
{
    tw_report r = tw_analyze(root_first, TW_LEN(root_first));

    for (uint32_t i = 0; i < 3; i++)
        CHECK_SPAN(r, "mpi_latebroadcast", process(i), 0);
}

static const tw_op nothing[] = {
    { .process = 0, .op = TW_BCAST, .enter = 10, .leave = 45, .root = 1, .bytes = TW_NOTHING },
    { .process = 1, .op = TW_BCAST, .enter = 40, .leave = 44, .root = 1, .bytes = TW_NOTHING },
};

TEST(a_broadcast_of_nothing_does_not_wait)
{
    tw_report r = tw_analyze(nothing, TW_LEN(nothing));

    CHECK_SPAN(r, "mpi_latebroadcast", process(0), 0);
}

/* A scatter in which process 0 gets nothing: only process 2 depends on the root. */
static const tw_op one_gets_nothing[] = {
    { .process = 0, .op = TW_SCATTERV, .enter = 10, .leave = 45, .root = 1, .sent = TW_NOTHING,
      .received = TW_NOTHING },
    { .process = 1, .op = TW_SCATTERV, .enter = 40, .leave = 44, .root = 1 },
    { .process = 2, .op = TW_SCATTERV, .enter = 25, .leave = 45, .root = 1 },
};

TEST(who_gets_nothing_does_not_wait)
{
    tw_report r = tw_analyze(one_gets_nothing, TW_LEN(one_gets_nothing));

    CHECK_SPAN(r, "mpi_latebroadcast", process(0), 0);
    CHECK_SPAN(r, "mpi_latebroadcast", process(2), 15);
}

static const tw_op bad_clock[] = {
    { .process = 0, .op = TW_BCAST, .enter = 10, .leave = 35, .root = 1 },
    { .process = 1, .op = TW_BCAST, .enter = 40, .leave = 44, .root = 1 },
};

TEST(a_wait_stays_inside_its_call_when_clocks_are_wrong)
{
    tw_report r = tw_analyze(bad_clock, TW_LEN(bad_clock));

    CHECK_SPAN(r, "mpi_latebroadcast", process(0), 25);
    CHECK_EQ(tw_finding(r, "clock-collective"), 1);
}

/* The root is rank 1 of the communicator, which is process 0. */
static const tw_comm turned[]    = { { .name = "turned", TW_PROCESSES(2, 0, 1) } };
static const tw_op   in_turned[] = {
    { .process = 0, .op = TW_BCAST, .enter = 40, .leave = 45, .root = 1, .comm = TW_COMM(0) },
    { .process = 1, .op = TW_BCAST, .enter = 10, .leave = 44, .root = 1, .comm = TW_COMM(0) },
    { .process = 2, .op = TW_BCAST, .enter = 20, .leave = 50, .root = 1, .comm = TW_COMM(0) },
};

TEST(the_root_is_a_rank_of_the_communicator)
{
    static const tw_options options = { .comms = turned, .n_comms = 1 };
    tw_report               r       = tw_analyze_with(in_turned, TW_LEN(in_turned), .options = &options);

    CHECK_SPAN(r, "mpi_latebroadcast", process(0), 0);
    CHECK_SPAN(r, "mpi_latebroadcast", process(1), 30);
    CHECK_SPAN(r, "mpi_latebroadcast", process(2), 20);
}

TEST_MAIN
