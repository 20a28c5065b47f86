/* tests/replay/forward/test_nxn.c: "Wait at N x N" of docs/metrics.md: exchanges in which everybody needs something of
 * everybody.
 *
 *   ticks       10    30    50 56 58 60
 *   process 0   [allreduce·····]               waits 50 - 10, completes 56 - 56
 *   process 1   ······[allreduce·······]       waits 50 - 30, completes 60 - 56
 *   process 2   ············[allreduce··]      waits 0,       completes 58 - 56
 */
#include "check.h"
#include "situation.h"

static const tw_op full[] = {
    { .process = 0, .op = TW_ALLREDUCE, .enter = 10, .leave = 56 },
    { .process = 1, .op = TW_ALLREDUCE, .enter = 30, .leave = 60 },
    { .process = 2, .op = TW_ALLREDUCE, .enter = 50, .leave = 58 },
};

TEST(all_wait_for_the_last_one)
{
    tw_report r = tw_analyze(full, TW_LEN(full));

    CHECK_SPAN(r, "mpi_wait_nxn", process(0), 40);
    CHECK_SPAN(r, "mpi_wait_nxn", process(1), 20);
    CHECK_SPAN(r, "mpi_wait_nxn", process(2), 0);
    CHECK_SPAN(r, "mpi_nxn_completion", process(0), 0);
    CHECK_SPAN(r, "mpi_nxn_completion", process(1), 4);
    CHECK_SPAN(r, "mpi_nxn_completion", process(2), 2);
    CHECK_SPAN(r, "mpi_barrier_wait", process(0), 0);
}

TEST(an_exchange_is_counted_once_on_every_process)
{
    tw_report r = tw_analyze(full, TW_LEN(full));

    for (uint32_t i = 0; i < 3; i++) {
        CHECK_SPAN(r, "comms_cxch", process(i), 1);
        CHECK_SPAN(r, "bytes_cout", process(i), 24);
        CHECK_SPAN(r, "bytes_cin", process(i), 24);
    }
}

#define FULL(kind)                                                                                                     \
    {                                                                                                                  \
        { .process = 0, .op = (kind), .enter = 10, .leave = 56 },                                                      \
        { .process = 1, .op = (kind), .enter = 30, .leave = 60 },                                                      \
        { .process = 2, .op = (kind), .enter = 50, .leave = 58 },                                                      \
    }

static const tw_op all_kinds[][3] = {
    FULL(TW_ALLGATHER), FULL(TW_ALLGATHERV),      FULL(TW_ALLTOALL),
    FULL(TW_ALLTOALLV), FULL(TW_REDUCE_SCATTER), FULL(TW_REDUCE_SCATTER_BLOCK),
};

TEST(all_operations_of_the_class_wait_alike)
{
    for (size_t i = 0; i < TW_LEN(all_kinds); i++) {
        tw_report r = tw_analyze(all_kinds[i], 3);

        CHECK_SPAN(r, "mpi_wait_nxn", process(0), 40);
        CHECK_SPAN(r, "mpi_wait_nxn", process(1), 20);
        CHECK_SPAN(r, "mpi_wait_nxn", process(2), 0);
    }
}

/*   ticks       10 20 30 32 50 55
 *   process 0   [allg···]                out before process 2 is in: it did not need anything of it
 *   process 1   ···[allg···]
 *   process 2   ············[allg]       sends nothing
 */
static const tw_op partial[] = {
    { .process = 0, .op = TW_ALLGATHERV, .enter = 10, .leave = 30 },
    { .process = 1, .op = TW_ALLGATHERV, .enter = 20, .leave = 32 },
    { .process = 2, .op = TW_ALLGATHERV, .enter = 50, .leave = 55, .sent = TW_NOTHING, .received = 24 },
};

TEST(nobody_waits_for_a_process_that_sends_nothing)
{
    tw_report r = tw_analyze(partial, TW_LEN(partial));

    CHECK_SPAN(r, "mpi_wait_nxn", process(0), 10);
    CHECK_SPAN(r, "mpi_wait_nxn", process(1), 0);
    CHECK_SPAN(r, "mpi_wait_nxn", process(2), 0);
    CHECK_SPAN(r, "mpi_nxn_completion", process(0), 0);
    CHECK_SPAN(r, "mpi_nxn_completion", process(1), 2);
    CHECK_SPAN(r, "mpi_nxn_completion", process(2), 0);
    CHECK_EQ(tw_finding(r, "clock-collective"), 0);
}

static const tw_op bad_clock[] = {
    { .process = 0, .op = TW_ALLGATHER, .enter = 10, .leave = 40 },
    { .process = 1, .op = TW_ALLGATHER, .enter = 20, .leave = 60 },
    { .process = 2, .op = TW_ALLGATHER, .enter = 50, .leave = 62 },
};

TEST(a_wait_stays_inside_its_call_when_clocks_are_wrong)
{
    tw_report r = tw_analyze(bad_clock, TW_LEN(bad_clock));

    CHECK_SPAN(r, "mpi_wait_nxn", process(0), 30);
    CHECK_SPAN(r, "mpi_wait_nxn", process(1), 30);
    CHECK_SPAN(r, "mpi_wait_nxn", process(2), 0);
    CHECK_SPAN(r, "mpi_nxn_completion", process(0), 0);
    CHECK_SPAN(r, "mpi_nxn_completion", process(1), 10);
    CHECK_SPAN(r, "mpi_nxn_completion", process(2), 12);
    CHECK_EQ(tw_finding(r, "clock-collective"), 1);
}

static const tw_op nothing[] = {
    { .process = 0, .op = TW_ALLGATHER, .enter = 10, .leave = 56, .bytes = TW_NOTHING },
    { .process = 1, .op = TW_ALLGATHER, .enter = 30, .leave = 60, .bytes = TW_NOTHING },
};

TEST(an_exchange_of_nothing_does_not_wait)
{
    tw_report r = tw_analyze(nothing, TW_LEN(nothing));

    CHECK_SPAN(r, "mpi_wait_nxn", process(0), 0);
    CHECK_SPAN(r, "mpi_nxn_completion", process(1), 0);
}

static const tw_op together[] = {
    { .process = 0, .op = TW_ALLTOALL, .enter = 10, .leave = 20 },
    { .process = 1, .op = TW_ALLTOALL, .enter = 10, .leave = 20 },
};

TEST(who_comes_and_goes_together_does_not_wait)
{
    tw_report r = tw_analyze(together, TW_LEN(together));

    CHECK_SPAN(r, "mpi_wait_nxn", process(0), 0);
    CHECK_SPAN(r, "mpi_nxn_completion", process(0), 0);
    CHECK_SPAN(r, "mpi_wait_nxn", process(1), 0);
}

static const tw_op alltoallv[] = FULL(TW_ALLTOALLV);

TEST(scout_sees_no_waits_in_alltoallv)
{
    tw_report r = tw_analyze_with(alltoallv, TW_LEN(alltoallv), .arguments = "--compat=scout26");

    CHECK_SPAN(r, "mpi_wait_nxn", process(0), 0);
    CHECK_SPAN(r, "comms_cxch", process(0), 1);
}

static const tw_op alltoallv_silent[] = {
    { .process = 0, .op = TW_ALLTOALLV, .enter = 10, .leave = 56 },
    { .process = 1, .op = TW_ALLTOALLV, .enter = 30, .leave = 60 },
    { .process = 2, .op = TW_ALLTOALLV, .enter = 50, .leave = 58, .sent = TW_NOTHING, .received = 8 },
};

TEST(an_alltoallv_with_a_silent_process_may_need_nobody)
{
    tw_report r = tw_analyze(alltoallv_silent, TW_LEN(alltoallv_silent));

    CHECK_SPAN(r, "mpi_wait_nxn", process(0), 0);
    CHECK_SPAN(r, "mpi_wait_nxn", process(1), 0);
}

TEST_MAIN
