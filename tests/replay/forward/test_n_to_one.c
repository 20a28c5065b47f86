/* tests/replay/forward/test_n_to_one.c: "Early Reduce" of docs/metrics.md: a root that is there before the last sender.
 *
 *   ticks       10    30 35  50   56   70
 *   process 0   [reduce·················]     the root, waits 50 - 10
 *   process 1   ······[re]                    not the last: not involved
 *   process 2   ·············[reduce]         the last sender
 */
#include "check.h"
#include "situation.h"

#define EARLY_ROOT(kind)                                                                                               \
    {                                                                                                                  \
        { .process = 0, .op = (kind), .enter = 10, .leave = 70, .root = 0 },                                           \
        { .process = 1, .op = (kind), .enter = 30, .leave = 35, .root = 0 },                                           \
        { .process = 2, .op = (kind), .enter = 50, .leave = 56, .root = 0 },                                           \
    }

static const tw_op kinds[][3] = { EARLY_ROOT(TW_REDUCE), EARLY_ROOT(TW_GATHER), EARLY_ROOT(TW_GATHERV) };

TEST(the_root_waits_for_the_last_sender)
{
    for (size_t i = 0; i < TW_LEN(kinds); i++) {
        tw_report r = tw_analyze(kinds[i], 3);

        CHECK_SPAN(r, "mpi_earlyreduce", process(0), 40);
        CHECK_SPAN(r, "mpi_earlyreduce", process(1), 0);
        CHECK_SPAN(r, "mpi_earlyreduce", process(2), 0);
        CHECK_SPAN(r, "mpi_wait_nxn", process(0), 0);
    }
}

TEST(the_others_are_sources)
{
    tw_report r = tw_analyze(kinds[0], 3);

    CHECK_SPAN(r, "comms_csrc", process(1), 1);
    CHECK_SPAN(r, "bytes_cout", process(1), 8);
    CHECK_SPAN(r, "bytes_cin", process(1), 0);
    CHECK_SPAN(r, "bytes_cin", process(0), 24);
}

static const tw_op late_root[] = {
    { .process = 0, .op = TW_REDUCE, .enter = 10, .leave = 15, .root = 2 },
    { .process = 1, .op = TW_REDUCE, .enter = 30, .leave = 35, .root = 2 },
    { .process = 2, .op = TW_REDUCE, .enter = 30, .leave = 56, .root = 2 },
};

TEST(a_root_that_comes_last_does_not_wait)
{
    tw_report r = tw_analyze(late_root, TW_LEN(late_root));

    for (uint32_t i = 0; i < 3; i++)
        CHECK_SPAN(r, "mpi_earlyreduce", process(i), 0);
}

/* Process 2 comes last, but has nothing to give. */
static const tw_op silent[] = {
    { .process = 0, .op = TW_GATHERV, .enter = 10, .leave = 40, .root = 0 },
    { .process = 1, .op = TW_GATHERV, .enter = 30, .leave = 35, .root = 0 },
    { .process = 2, .op = TW_GATHERV, .enter = 50, .leave = 56, .root = 0, .sent = TW_NOTHING },
};

TEST(the_root_does_not_wait_for_who_sends_nothing)
{
    tw_report r = tw_analyze(silent, TW_LEN(silent));

    CHECK_SPAN(r, "mpi_earlyreduce", process(0), 20);
    CHECK_EQ(tw_finding(r, "clock-collective"), 0);
}

static const tw_op nothing[] = {
    { .process = 0, .op = TW_GATHER, .enter = 10, .leave = 40, .root = 0, .bytes = TW_NOTHING },
    { .process = 1, .op = TW_GATHER, .enter = 30, .leave = 35, .root = 0, .bytes = TW_NOTHING },
};

TEST(a_gather_of_nothing_does_not_wait)
{
    tw_report r = tw_analyze(nothing, TW_LEN(nothing));

    CHECK_SPAN(r, "mpi_earlyreduce", process(0), 0);
}

static const tw_op bad_clock[] = {
    { .process = 0, .op = TW_REDUCE, .enter = 10, .leave = 45, .root = 0 },
    { .process = 1, .op = TW_REDUCE, .enter = 50, .leave = 56, .root = 0 },
};

TEST(a_wait_stays_inside_its_call_when_clocks_are_wrong)
{
    tw_report r = tw_analyze(bad_clock, TW_LEN(bad_clock));

    CHECK_SPAN(r, "mpi_earlyreduce", process(0), 35);
    CHECK_EQ(tw_finding(r, "clock-collective"), 1);
}

TEST_MAIN
