/* tests/replay/forward/test_scan.c: "Early Scan" of docs/metrics.md: prefix operations that wait for the ranks below.
 *
 *   ticks       10 20 30 32  45 46
 *   process 0   ······[scan]           waits for nobody
 *   process 1   [scan·········]        waits for process 0: 30 - 10
 *   process 2   ···[scan·········]     waits for process 0: 30 - 20
 */
#include "check.h"
#include "situation.h"

#define LATE_FIRST(kind)                                                                                               \
    {                                                                                                                  \
        { .process = 0, .op = (kind), .enter = 30, .leave = 32 },                                                      \
        { .process = 1, .op = (kind), .enter = 10, .leave = 45 },                                                      \
        { .process = 2, .op = (kind), .enter = 20, .leave = 46 },                                                      \
    }

static const tw_op kinds[][3] = { LATE_FIRST(TW_SCAN), LATE_FIRST(TW_EXSCAN) };

TEST(a_rank_waits_for_the_last_one_below_it)
{
    for (size_t i = 0; i < TW_LEN(kinds); i++) {
        tw_report r = tw_analyze(kinds[i], 3);

        CHECK_SPAN(r, "mpi_earlyscan", process(0), 0);
        CHECK_SPAN(r, "mpi_earlyscan", process(1), 20);
        CHECK_SPAN(r, "mpi_earlyscan", process(2), 10);
    }
}

static const tw_op late_last[] = {
    { .process = 0, .op = TW_SCAN, .enter = 10, .leave = 12 },
    { .process = 1, .op = TW_SCAN, .enter = 20, .leave = 25 },
    { .process = 2, .op = TW_SCAN, .enter = 30, .leave = 35 },
};

TEST(nobody_waits_for_ranks_above)
{
    tw_report r = tw_analyze(late_last, TW_LEN(late_last));

    for (uint32_t i = 0; i < 3; i++)
        CHECK_SPAN(r, "mpi_earlyscan", process(i), 0);
    CHECK_EQ(tw_finding(r, "clock-collective"), 0);
}

/* Each rank has its own last one: rank 1 waits for 0, rank 2 for 1, rank 3 comes last. */
static const tw_op stairs[] = {
    { .process = 0, .op = TW_SCAN, .enter = 20, .leave = 21 },
    { .process = 1, .op = TW_SCAN, .enter = 15, .leave = 25 },
    { .process = 2, .op = TW_SCAN, .enter = 10, .leave = 26 },
    { .process = 3, .op = TW_SCAN, .enter = 24, .leave = 27 },
};

TEST(each_rank_looks_at_its_own_prefix)
{
    tw_report r = tw_analyze(stairs, TW_LEN(stairs));

    CHECK_SPAN(r, "mpi_earlyscan", process(0), 0);
    CHECK_SPAN(r, "mpi_earlyscan", process(1), 5);
    CHECK_SPAN(r, "mpi_earlyscan", process(2), 10);
    CHECK_SPAN(r, "mpi_earlyscan", process(3), 0);
}

/* In the order of the communicator process 2 is the first. */
static const tw_comm turned[]    = { { .name = "turned", TW_PROCESSES(2, 1, 0) } };
static const tw_op   in_turned[] = {
    { .process = 0, .op = TW_SCAN, .enter = 10, .leave = 46, .comm = TW_COMM(0) },
    { .process = 1, .op = TW_SCAN, .enter = 20, .leave = 45, .comm = TW_COMM(0) },
    { .process = 2, .op = TW_SCAN, .enter = 30, .leave = 32, .comm = TW_COMM(0) },
};

TEST(below_means_in_the_order_of_the_communicator)
{
    static const tw_options options = { .comms = turned, .n_comms = 1 };
    tw_report               r       = tw_analyze_with(in_turned, TW_LEN(in_turned), .options = &options);

    CHECK_SPAN(r, "mpi_earlyscan", process(0), 20);
    CHECK_SPAN(r, "mpi_earlyscan", process(1), 10);
    CHECK_SPAN(r, "mpi_earlyscan", process(2), 0);
}

static const tw_op nothing[] = {
    { .process = 0, .op = TW_SCAN, .enter = 30, .leave = 32, .bytes = TW_NOTHING },
    { .process = 1, .op = TW_SCAN, .enter = 10, .leave = 45, .bytes = TW_NOTHING },
};

TEST(a_scan_of_nothing_does_not_wait)
{
    tw_report r = tw_analyze(nothing, TW_LEN(nothing));

    CHECK_SPAN(r, "mpi_earlyscan", process(1), 0);
}

static const tw_op bad_clock[] = {
    { .process = 0, .op = TW_SCAN, .enter = 30, .leave = 32 },
    { .process = 1, .op = TW_SCAN, .enter = 10, .leave = 25 },
};

TEST(a_wait_stays_inside_its_call_when_clocks_are_wrong)
{
    tw_report r = tw_analyze(bad_clock, TW_LEN(bad_clock));

    CHECK_SPAN(r, "mpi_earlyscan", process(1), 15);
    CHECK_EQ(tw_finding(r, "clock-collective"), 1);
}

TEST_MAIN
