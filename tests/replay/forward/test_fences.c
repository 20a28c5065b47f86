/* tests/replay/forward/test_fences.c: "Wait at Create, Wait at Free", "Wait at Fence, Early Fence" of docs/metrics.md:
 * collectives of windows: creation, fences, freeing; what they put in step for nothing.
 *
 *   ticks       10  22 25    40       58 60 61
 *   process 0   [fence·················]             waits 40 - 10; for the put, 22 - 10 of it
 *   process 1   [put]  [fence··········]             waits 40 - 25
 *   process 2   ·············[fence····]             waits 0
 */
#include "check.h"
#include "situation.h"

static const tw_op three[] = {
    { .process = 0, .op = TW_FENCE, .enter = 10, .leave = 60 },
    { .process = 1, .op = TW_PUT, .enter = 15, .leave = 22, .peer = 0, .bytes = 100 },
    { .process = 1, .op = TW_FENCE, .enter = 25, .leave = 58 },
    { .process = 2, .op = TW_FENCE, .enter = 40, .leave = 61 },
};

TEST(at_a_fence_all_wait_for_the_last_one)
{
    tw_report r = tw_analyze(three, TW_LEN(three));

    CHECK_SPAN_AT(r, "mpi_rma_wait_at_fence", "main;MPI_Win_fence", process(0), 30);
    CHECK_SPAN(r, "mpi_rma_wait_at_fence", process(1), 15);
    CHECK_SPAN(r, "mpi_rma_wait_at_fence", process(2), 0);
    CHECK_SPAN(r, "mpi_barrier_wait", process(0), 0);
    CHECK_SPAN(r, "syncs_coll", process(0), 0);
}

TEST(until_the_last_operation_on_it_is_over_a_fence_is_early)
{
    tw_report r = tw_analyze(three, TW_LEN(three));

    CHECK_SPAN(r, "mpi_rma_early_fence", process(0), 12);
    CHECK_SPAN(r, "mpi_rma_early_fence", process(1), 0);
    CHECK_SPAN(r, "mpi_rma_early_fence", process(2), 0);
}

TEST(bytes_are_those_of_the_origin)
{
    tw_report r = tw_analyze(three, TW_LEN(three));

    CHECK_SPAN_AT(r, "bytes_put", "main;MPI_Put", process(1), 100);
    CHECK_SPAN(r, "bytes_put", process(0), 0);
    CHECK_SPAN(r, "bytes_get", process(1), 0);
}

/* The record that begins the fence comes a little after the call. */
static const tw_op begun_late[] = {
    { .process = 0, .op = TW_FENCE, .enter = 10, .leave = 60, .begin = 12, .end = 58 },
    { .process = 1, .op = TW_FENCE, .enter = 30, .leave = 60, .begin = 33, .end = 59 },
};

TEST(waiting_begins_with_the_record)
{
    tw_report r = tw_analyze(begun_late, TW_LEN(begun_late));

    CHECK_SPAN(r, "mpi_rma_wait_at_fence", process(0), 21);
    CHECK_SPAN(r, "mpi_rma_wait_at_fence", process(1), 0);
}

/* Not all overlap: nobody waits for the other, but for the operation. */
static const tw_op apart[] = {
    { .process = 0, .op = TW_FENCE, .enter = 10, .leave = 50 },
    { .process = 1, .op = TW_PUT, .enter = 20, .leave = 35, .peer = 0 },
    { .process = 1, .op = TW_FENCE, .enter = 70, .leave = 90 },
};

TEST(without_overlap_only_operations_are_waited_for)
{
    tw_report r = tw_analyze(apart, TW_LEN(apart));

    CHECK_SPAN(r, "mpi_rma_wait_at_fence", process(0), 25);
    CHECK_SPAN(r, "mpi_rma_early_fence", process(0), 25);
    CHECK_SPAN(r, "mpi_rma_wait_at_fence", process(1), 0);
}

/* The put belongs to the second fence, though the first one is still open on process 0 when it is done. */
static const tw_op two_fences[] = {
    { .process = 0, .op = TW_FENCE, .enter = 10, .leave = 50 },
    { .process = 1, .op = TW_FENCE, .enter = 10, .leave = 20 },
    { .process = 1, .op = TW_PUT, .enter = 25, .leave = 35, .peer = 0 },
    { .process = 0, .op = TW_FENCE, .enter = 60, .leave = 90 },
    { .process = 1, .op = TW_FENCE, .enter = 70, .leave = 90 },
};

TEST(operations_belong_to_the_next_fence_of_their_origin)
{
    tw_report r = tw_analyze(two_fences, TW_LEN(two_fences));

    CHECK_SPAN(r, "mpi_rma_early_fence", process(0), 0);
    CHECK_SPAN(r, "mpi_rma_wait_at_fence", process(0), 10);
    CHECK_SPAN(r, "mpi_rma_pairsync_count", process(0), 4);
    CHECK_SPAN(r, "mpi_rma_pairsync_unneeded_count", process(0), 3);
    CHECK_SPAN(r, "mpi_rma_pairsync_unneeded_count", process(1), 3);
}

static const tw_op pairs[] = {
    { .process = 0, .op = TW_PUT, .enter = 5, .leave = 6, .peer = 1 },
    { .process = 0, .op = TW_FENCE, .enter = 10, .leave = 20 },
    { .process = 1, .op = TW_FENCE, .enter = 10, .leave = 20 },
    { .process = 2, .op = TW_FENCE, .enter = 10, .leave = 20 },
    { .process = 3, .op = TW_FENCE, .enter = 10, .leave = 20 },
};

TEST(pairs_that_exchange_nothing_are_unneeded)
{
    static const int64_t unneeded[] = { 3, 3, 4, 4 };
    tw_report            r          = tw_analyze(pairs, TW_LEN(pairs));

    for (uint32_t i = 0; i < 4; i++) {
        CHECK_SPAN(r, "mpi_rma_pairsync_count", process(i), 4);
        CHECK_SPAN_AT(r, "mpi_rma_pairsync_unneeded_count", "main;MPI_Win_fence", process(i), unneeded[i]);
    }
}

TEST(scout_sees_nothing_of_it)
{
    tw_report r = tw_analyze_with(three, TW_LEN(three), .arguments = "--compat=scout26");

    CHECK_SPAN(r, "mpi_rma_wait_at_fence", process(0), 0);
    CHECK_SPAN(r, "mpi_rma_early_fence", process(0), 0);
    CHECK_SPAN(r, "bytes_put", process(1), 0);
    CHECK_SPAN(r, "mpi_rma_pairsync_count", process(0), 0);
    CHECK_SPAN(r, "mpi_rma_sync_active", process(0), 50);
}

static const tw_op life[] = {
    { .process = 0, .op = TW_WIN_CREATE, .enter = 5, .leave = 30 },
    { .process = 1, .op = TW_WIN_CREATE, .enter = 20, .leave = 31 },
    { .process = 0, .op = TW_WIN_FREE, .enter = 60, .leave = 91 },
    { .process = 1, .op = TW_WIN_FREE, .enter = 40, .leave = 90 },
};

TEST(windows_are_created_and_freed_together)
{
    tw_report r = tw_analyze(life, TW_LEN(life));

    CHECK_SPAN_AT(r, "mpi_rma_wait_at_create", "main;MPI_Win_create", process(0), 15);
    CHECK_SPAN(r, "mpi_rma_wait_at_create", process(1), 0);
    CHECK_SPAN_AT(r, "mpi_rma_wait_at_free", "main;MPI_Win_free", process(1), 20);
    CHECK_SPAN(r, "mpi_rma_wait_at_free", process(0), 0);
    CHECK_SPAN(r, "mpi_rma_pairsync_count", process(0), 0);
}

/* Two windows at once, one of them of a part of the processes, in another order. */
static const tw_comm   turned[]  = { { .name = "turned", TW_PROCESSES(2, 0) } };
static const tw_window windows[] = { { .comm = TW_WORLD }, { .comm = TW_COMM(0) } };
static const tw_options of_two   = { .comms = turned, .n_comms = 1, .windows = windows, .n_windows = 2 };

static const tw_op at_once[] = {
    { .process = 0, .op = TW_PUT, .enter = 5, .leave = 8, .peer = 0, .window = 1 }, /* process 2 */
    { .process = 0, .op = TW_FENCE, .enter = 10, .leave = 40, .window = 0 },
    { .process = 0, .op = TW_FENCE, .enter = 50, .leave = 80, .window = 1 },
    { .process = 1, .op = TW_FENCE, .enter = 20, .leave = 41, .window = 0 },
    { .process = 2, .op = TW_FENCE, .enter = 5, .leave = 60, .window = 1, .end = 58 },
    { .process = 2, .op = TW_FENCE, .enter = 60, .leave = 61, .window = 0 },
};

TEST(windows_do_not_mix)
{
    tw_report r = tw_analyze_with(at_once, TW_LEN(at_once), .options = &of_two);

    CHECK_SPAN(r, "mpi_rma_wait_at_fence", process(2), 45);
    CHECK_SPAN(r, "mpi_rma_early_fence", process(2), 3);
    CHECK_SPAN(r, "mpi_rma_wait_at_fence", process(0), 0);
    CHECK_SPAN(r, "mpi_rma_pairsync_count", process(0), 5);
    CHECK_SPAN(r, "mpi_rma_pairsync_unneeded_count", process(0), 4);
    CHECK_SPAN(r, "mpi_rma_pairsync_unneeded_count", process(2), 4);
}

/* A window that each process has for itself. */
static const tw_window  own[]     = { { .comm = TW_SELF } };
static const tw_options of_itself = { .windows = own, .n_windows = 1 };

static const tw_op alone[] = {
    { .process = 0, .op = TW_FENCE, .enter = 10, .leave = 20 },
    { .process = 0, .op = TW_PUT, .enter = 30, .leave = 32, .peer = 0 },
    { .process = 0, .op = TW_FENCE, .enter = 40, .leave = 50 },
    { .process = 1, .op = TW_FENCE, .enter = 15, .leave = 20 },
};

TEST(alone_nobody_waits)
{
    tw_report r = tw_analyze_with(alone, TW_LEN(alone), .options = &of_itself);

    CHECK_SPAN(r, "mpi_rma_wait_at_fence", process(0), 0);
    CHECK_SPAN(r, "mpi_rma_pairsync_count", process(0), 2);
    CHECK_SPAN(r, "mpi_rma_pairsync_unneeded_count", process(0), 1);
    CHECK_SPAN(r, "mpi_rma_pairsync_unneeded_count", process(1), 1);
    CHECK_EQ(tw_finding(r, "unmatched-collective"), 0);
}

static const tw_op one_missing[] = {
    { .process = 0, .op = TW_FENCE, .enter = 10, .leave = 20 },
    { .process = 1, .op = TW_FENCE, .enter = 12, .leave = 20 },
    { .process = 1, .op = TW_PUT, .enter = 30, .leave = 32, .peer = 0 },
    { .process = 1, .op = TW_FENCE, .enter = 40, .leave = 50 },
};

TEST(a_fence_that_misses_somebody_is_named)
{
    tw_report r = tw_analyze(one_missing, TW_LEN(one_missing));

    CHECK_EQ(tw_finding(r, "unmatched-collective"), 1);
    CHECK_SPAN(r, "mpi_rma_wait_at_fence", process(0), 2);
    CHECK_SPAN(r, "mpi_rma_pairsync_count", process(1), 4); /* as many as it meant to meet; who was there is known of
                                                             * the first only: */
    CHECK_SPAN(r, "mpi_rma_pairsync_unneeded_count", process(1), 2);
}

static const tw_op mixed[] = {
    { .process = 0, .op = TW_FENCE, .enter = 10, .leave = 20 },
    { .process = 1, .op = TW_PUT, .enter = 5, .leave = 6, .peer = 0 },
    { .process = 1, .op = TW_WIN_FREE, .enter = 12, .leave = 20 },
};

TEST(a_fence_on_one_side_and_the_end_of_the_window_on_the_other_do_not_belong_together)
{
    tw_report r = tw_analyze(mixed, TW_LEN(mixed));

    CHECK_EQ(tw_finding(r, "mixed-collective"), 2);
    CHECK_SPAN(r, "mpi_rma_wait_at_fence", process(0), 0);
    CHECK_SPAN(r, "mpi_rma_wait_at_free", process(1), 0);
}

TEST_MAIN
