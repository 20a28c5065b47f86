/* tests/replay/forward/test_shmem.c: "SHMEM" of docs/metrics.md: collectives of SHMEM: who waits for whom, and who pays
 * for it.
 *
 *   ticks       5              25     30
 *   process 0   [barrier_all··········]         waits 25 - 5
 *   process 1   [foo          ][barrier]
 */
#include "check.h"
#include "situation.h"

#define WORK(rank, from, until) { .process = rank, .op = TW_USER, .region = "foo", .enter = from, .leave = until }

static const tw_op barrier[] = {
    WORK(0, 0, 5),
    { .process = 0, .op = TW_SHMEM_BARRIER, .enter = 5, .leave = 30, .begin = 7, .end = 28 },
    WORK(1, 0, 25),
    { .process = 1, .op = TW_SHMEM_BARRIER, .enter = 25, .leave = 30, .begin = 27, .end = 29 },
};

TEST(at_a_barrier_all_wait_for_the_last_one)
{
    tw_report r = tw_analyze(barrier, TW_LEN(barrier));

    CHECK_SPAN_AT(r, "shmem_barrier_wait", "main;shmem_barrier_all", process(0), 20);
    CHECK_SPAN(r, "shmem_barrier_wait", process(1), 0);
    CHECK_SPAN(r, "shmem_sync_collective", process(0), 25);
    CHECK_SPAN(r, "mpi_rma_wait_at_fence", process(0), 0);
}

TEST(who_comes_late_pays)
{
    tw_report r = tw_analyze(barrier, TW_LEN(barrier));

    CHECK_SPAN_AT(r, "delay_rma", "main;foo", process(1), 20);
    CHECK_SPAN(r, "delay_rma", process(1), 20);
    CHECK_SPAN(r, "delay_unattributed_rma", process(0), 0);
}

static const tw_op reduction[] = {
    { .process = 0, .op = TW_SHMEM_REDUCE, .enter = 10, .leave = 60 },
    { .process = 1, .op = TW_SHMEM_REDUCE, .enter = 50, .leave = 60 },
    { .process = 2, .op = TW_SHMEM_REDUCE, .enter = 30, .leave = 60 },
};

TEST(reductions_wait_for_all)
{
    tw_report r = tw_analyze(reduction, TW_LEN(reduction));

    CHECK_SPAN_AT(r, "shmem_wait_nxn", "main;shmem_int_sum_to_all", process(0), 40);
    CHECK_SPAN(r, "shmem_wait_nxn", process(1), 0);
    CHECK_SPAN(r, "shmem_wait_nxn", process(2), 20);
    CHECK_SPAN(r, "shmem_collective", process(2), 30);
}

static const tw_op broadcast[] = {
    { .process = 0, .op = TW_SHMEM_BCAST, .enter = 10, .leave = 60, .root = 1 },
    WORK(1, 0, 40),
    { .process = 1, .op = TW_SHMEM_BCAST, .enter = 40, .leave = 60, .root = 1 },
    { .process = 2, .op = TW_SHMEM_BCAST, .enter = 50, .leave = 60, .root = 1 },
};

TEST(a_broadcast_waits_for_its_root)
{
    tw_report r = tw_analyze(broadcast, TW_LEN(broadcast));

    CHECK_SPAN(r, "shmem_latebroadcast", process(0), 30);
    CHECK_SPAN(r, "shmem_latebroadcast", process(1), 0);
    CHECK_SPAN(r, "shmem_latebroadcast", process(2), 0);
    CHECK_SPAN(r, "delay_rma", process(1), 30);
}

static const tw_op without_root[] = {
    { .process = 0, .op = TW_SHMEM_BCAST, .enter = 10, .leave = 60, .root = TW_ROOT_NONE },
    { .process = 1, .op = TW_SHMEM_BCAST, .enter = 40, .leave = 60, .root = TW_ROOT_NONE },
    { .process = 0, .op = TW_SHMEM_BARRIER, .enter = 70, .leave = 80 },
    { .process = 1, .op = TW_SHMEM_BARRIER, .enter = 75, .leave = 80 },
};

TEST(a_root_that_is_not_recorded_is_nobody)
{
    tw_report r = tw_analyze(without_root, TW_LEN(without_root));

    CHECK_SPAN(r, "shmem_latebroadcast", process(0), 0);
    CHECK_SPAN(r, "shmem_barrier_wait", process(0), 5);
    CHECK_EQ(tw_finding(r, "mixed-collective"), 0);
}

/* Operations, waiting for a value and locks are time by their names; MPI's metrics stay out of it. */
static const tw_op others[] = {
    { .process = 0, .op = TW_SHMEM_LOCK, .enter = 5, .leave = 9, .lock = 1 },
    { .process = 0, .op = TW_SHMEM_PUT, .enter = 10, .leave = 20, .peer = 1, .bytes = 100 },
    { .process = 0, .op = TW_SHMEM_UNLOCK, .enter = 21, .leave = 23, .lock = 1 },
    { .process = 0, .op = TW_SHMEM_GET, .enter = 25, .leave = 28, .peer = 1 },
    { .process = 1, .op = TW_SHMEM_WAIT_UNTIL, .enter = 5, .leave = 22 },
};

TEST(operations_and_locks_are_time_by_name)
{
    tw_report r = tw_analyze(others, TW_LEN(others));

    CHECK_SPAN(r, "shmem_rma_communication", process(0), 13);
    CHECK_SPAN(r, "shmem_lock_completion", process(0), 6);
    CHECK_SPAN(r, "shmem_wait_until", process(1), 17);
    CHECK_SPAN(r, "bytes_put", process(0), 0);
    CHECK_SPAN(r, "mpi_rma_sync_lock_competition", process(0), 0);
    CHECK_EQ(tw_finding(r, "outside-call"), 0);
}

/* Beside MPI, with a window of each. */
static const tw_window  windows[] = { { .comm = TW_WORLD, .is_shmem = true }, { .comm = TW_WORLD } };
static const tw_options of_both   = { .windows = windows, .n_windows = 2 };

static const tw_op mixed[] = {
    { .process = 0, .op = TW_FENCE, .enter = 10, .leave = 30, .window = 1 },
    { .process = 0, .op = TW_SHMEM_BARRIER, .enter = 40, .leave = 70 },
    { .process = 1, .op = TW_FENCE, .enter = 20, .leave = 31, .window = 1 },
    { .process = 1, .op = TW_SHMEM_BARRIER, .enter = 60, .leave = 70 },
};

TEST(mpi_and_shmem_do_not_mix)
{
    tw_report r = tw_analyze_with(mixed, TW_LEN(mixed), .options = &of_both);

    CHECK_SPAN(r, "mpi_rma_wait_at_fence", process(0), 10);
    CHECK_SPAN(r, "shmem_barrier_wait", process(0), 20);
}

TEST_MAIN
