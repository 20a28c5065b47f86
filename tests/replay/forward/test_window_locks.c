/* tests/replay/forward/test_window_locks.c: "Lock Contention of windows", "Wait for Progress" of docs/metrics.md: locks
 * of windows: who had them before, and targets that do not enter MPI.
 *
 *   ticks       0  3   10 12 14 15  20           40 44 45
 *   process 1   [lock]                    [unlock]                released at 40
 *   process 2   ·······[lock][put]  [unlock··········]            waits from 20 to 40 in its unlock
 */
#include "check.h"
#include "situation.h"

/* The target is in MPI all the time. */
#define TARGET { .process = 0, .op = TW_BARRIER, .enter = 0, .leave = 100, .comm = TW_SELF }

#define HOLDER                                                                                                         \
    { .process = 1, .op = TW_WIN_LOCK, .enter = 0, .leave = 3, .peer = 0, .exclusive = true },                         \
    { .process = 1, .op = TW_PUT, .enter = 4, .leave = 5, .peer = 0 },                                                 \
    { .process = 1, .op = TW_WIN_UNLOCK, .enter = 38, .leave = 41, .record = 40, .peer = 0 }

static const tw_op in_unlock[] = {
    TARGET, HOLDER,
    { .process = 2, .op = TW_WIN_LOCK, .enter = 10, .leave = 12, .peer = 0, .exclusive = true },
    { .process = 2, .op = TW_PUT, .enter = 13, .record = 14, .leave = 15, .peer = 0 },
    { .process = 2, .op = TW_WIN_UNLOCK, .enter = 20, .leave = 45, .record = 44, .peer = 0 },
};

TEST(the_holder_keeps_the_next_one_waiting_where_it_cannot_go_on)
{
    tw_report r = tw_analyze(in_unlock, TW_LEN(in_unlock));

    CHECK_SPAN_AT(r, "mpi_rma_sync_lock_competition", "main;MPI_Win_unlock", process(2), 20);
    CHECK_SPAN(r, "mpi_rma_sync_lock_competition", process(2), 20);
    CHECK_SPAN(r, "mpi_rma_comm_lock_competition", process(2), 0);
    CHECK_SPAN(r, "mpi_rma_sync_lock_competition", process(1), 0);
}

static const tw_op in_lock[] = {
    TARGET, HOLDER,
    { .process = 2, .op = TW_WIN_LOCK, .enter = 10, .leave = 42, .peer = 0, .exclusive = true },
    { .process = 2, .op = TW_PUT, .enter = 43, .leave = 44, .peer = 0 },
    { .process = 2, .op = TW_WIN_UNLOCK, .enter = 45, .leave = 50, .peer = 0 },
};

TEST(a_lock_that_blocks_waits_itself)
{
    tw_report r = tw_analyze(in_lock, TW_LEN(in_lock));

    CHECK_SPAN_AT(r, "mpi_rma_sync_lock_competition", "main;MPI_Win_lock", process(2), 30);
    CHECK_SPAN(r, "mpi_rma_sync_lock_competition", process(2), 30);
}

static const tw_op in_put[] = {
    TARGET, HOLDER,
    { .process = 2, .op = TW_WIN_LOCK, .enter = 10, .leave = 12, .peer = 0 },
    { .process = 2, .op = TW_GET, .enter = 13, .record = 14, .leave = 43, .peer = 0 },
    { .process = 2, .op = TW_WIN_UNLOCK, .enter = 45, .leave = 50, .peer = 0 },
};

TEST(an_operation_that_blocks_waits)
{
    tw_report r = tw_analyze(in_put, TW_LEN(in_put));

    CHECK_SPAN_AT(r, "mpi_rma_comm_lock_competition", "main;MPI_Get", process(2), 26);
    CHECK_SPAN(r, "mpi_rma_sync_lock_competition", process(2), 0);
}

/* The last event before the release is long over then: nobody waited for it there. */
static const tw_op over[] = {
    TARGET, HOLDER,
    { .process = 2, .op = TW_WIN_LOCK, .enter = 10, .leave = 12, .peer = 0 },
    { .process = 2, .op = TW_PUT, .enter = 13, .record = 14, .leave = 20, .peer = 0 },
    { .process = 2, .op = TW_WIN_UNLOCK, .enter = 45, .leave = 50, .peer = 0 },
};

TEST(nobody_waits_longer_than_the_call_takes)
{
    tw_report r = tw_analyze(over, TW_LEN(over));

    CHECK_SPAN(r, "mpi_rma_comm_lock_competition", process(2), 6);
    CHECK_SPAN(r, "delay_unattributed_rma", process(2), 6);
}

/*   ticks       0        10        20    30    40    50    60
 *   process 1   [S···············································]   shared, released at 20
 *   process 2   ·[S·······················]                           shared, released at 30
 *   process 3   ····[X···························]                    exclusive: waits for the last shared one;
 *                                                                     released at 40
 *   process 4   ······[S··································]           shared: waits for the exclusive one
 */
static const tw_op sharing[] = {
    TARGET,
    { .process = 1, .op = TW_WIN_LOCK, .enter = 0, .leave = 1, .peer = 0 },
    { .process = 1, .op = TW_WIN_UNLOCK, .enter = 18, .leave = 21, .record = 20, .peer = 0 },
    { .process = 2, .op = TW_WIN_LOCK, .enter = 1, .leave = 2, .peer = 0 },
    { .process = 2, .op = TW_WIN_UNLOCK, .enter = 28, .leave = 31, .record = 30, .peer = 0 },
    { .process = 3, .op = TW_WIN_LOCK, .enter = 5, .leave = 33, .peer = 0, .exclusive = true },
    { .process = 3, .op = TW_WIN_UNLOCK, .enter = 38, .leave = 41, .record = 40, .peer = 0 },
    { .process = 4, .op = TW_WIN_LOCK, .enter = 8, .leave = 45, .peer = 0 },
    { .process = 4, .op = TW_WIN_UNLOCK, .enter = 50, .leave = 55, .peer = 0 },
};

TEST(shared_locks_wait_for_exclusive_ones_alone)
{
    tw_report r = tw_analyze(sharing, TW_LEN(sharing));

    CHECK_SPAN(r, "mpi_rma_sync_lock_competition", process(1), 0);
    CHECK_SPAN(r, "mpi_rma_sync_lock_competition", process(2), 0);
    CHECK_SPAN(r, "mpi_rma_sync_lock_competition", process(3), 25);
    CHECK_SPAN(r, "mpi_rma_sync_lock_competition", process(4), 32);
}

/* Epochs on all processes are shared ones on each: the exclusive one on process 1 is what holds it up. */
static const tw_op on_all[] = {
    TARGET,
    { .process = 1, .op = TW_WIN_LOCK, .enter = 0, .leave = 2, .peer = 1, .exclusive = true },
    { .process = 1, .op = TW_WIN_UNLOCK, .enter = 28, .leave = 31, .record = 30, .peer = 1 },
    { .process = 2, .op = TW_WIN_LOCK_ALL, .enter = 5, .leave = 7 },
    { .process = 2, .op = TW_RPUT, .enter = 8, .leave = 9, .peer = 0, .request = 1 },
    { .process = 2, .op = TW_PUT, .enter = 10, .leave = 35, .peer = 1 },
    { .process = 2, .op = TW_WIN_UNLOCK_ALL, .enter = 40, .leave = 45 },
};

TEST(locks_of_all_wait_for_exclusive_ones_of_any)
{
    tw_report r = tw_analyze(on_all, TW_LEN(on_all));

    CHECK_SPAN_AT(r, "mpi_rma_comm_lock_competition", "main;MPI_Put", process(2), 20);
    CHECK_SPAN(r, "mpi_rma_sync_lock_competition", process(2), 0);
}

/* In millions of ticks, process 2 holds its lock for 20, and for 20 again: the first time it waited for process 1; the
 * second time nobody had it when it came. Process 3 has a lock on all for as long. */
static const tw_op for_long[] = {
    { .process = 0, .op = TW_BARRIER, .enter = 0, .leave = 90000000, .comm = TW_SELF }, HOLDER,
    { .process = 2, .op = TW_WIN_LOCK, .enter = 10, .leave = 42, .peer = 0, .exclusive = true },
    { .process = 2, .op = TW_WIN_UNLOCK, .enter = 20000000, .record = 20000001, .leave = 20000002, .peer = 0 },
    { .process = 2, .op = TW_WIN_LOCK, .enter = 20000010, .leave = 20000020, .peer = 0, .exclusive = true },
    { .process = 2, .op = TW_WIN_UNLOCK, .enter = 40000000, .record = 40000001, .leave = 40000002, .peer = 0 },
    { .process = 3, .op = TW_WIN_LOCK_ALL, .enter = 40000000, .leave = 40000001 },
    { .process = 3, .op = TW_PUT, .enter = 40000003, .leave = 40000005, .peer = 0 },
    { .process = 3, .op = TW_WIN_UNLOCK_ALL, .enter = 60000000, .leave = 60000002 },
};

TEST(locks_may_be_held_for_long)
{
    tw_report r = tw_analyze(for_long, TW_LEN(for_long));

    CHECK_SPAN(r, "mpi_rma_sync_lock_competition", process(2), 30);
    CHECK_SPAN(r, "mpi_rma_sync_lock_competition", process(3), 1);
    CHECK_SPAN(r, "mpi_rma_comm_lock_competition", process(3), 0);
}

/* Process 2 goes through many calls between lock epochs, which are looked for from one of these before. In each of them
 * the lock call waits for process 1 from 10 to 40 ticks after the begin of the round. */
enum { ROUNDS = 5, CALLS = 150, ROUND = 1000, IN_ROUND = 4 + CALLS };

TEST(epochs_are_found_behind_many_calls)
{
    tw_op     ops[1 + ROUNDS * IN_ROUND] = { { .process = 0, .op = TW_BARRIER, .leave = ROUNDS * ROUND,
                                               .comm = TW_SELF } };
    size_t    n = 1;
    tw_report r;

    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t at = round * ROUND;

        ops[n++] = (tw_op){ .process = 1, .op = TW_WIN_LOCK, .enter = at, .leave = at + 3, .peer = 0,
                            .exclusive = true };
        ops[n++] = (tw_op){ .process = 1, .op = TW_WIN_UNLOCK, .enter = at + 38, .record = at + 40, .leave = at + 41,
                            .peer = 0 };
        ops[n++] = (tw_op){ .process = 2, .op = TW_WIN_LOCK, .enter = at + 10, .leave = at + 42, .peer = 0,
                            .exclusive = true };
        ops[n++] = (tw_op){ .process = 2, .op = TW_WIN_UNLOCK, .enter = at + 45, .record = at + 46, .leave = at + 50,
                            .peer = 0 };
        for (uint32_t i = 0; i < CALLS; i++)
            ops[n++] = (tw_op){ .process = 2, .op = TW_BARRIER, .enter = at + 60 + 5 * i, .leave = at + 62 + 5 * i,
                                .comm = TW_SELF };
    }
    r = tw_analyze(ops, n);
    CHECK_SPAN(r, "mpi_rma_sync_lock_competition", process(2), ROUNDS * 30);
    CHECK_SPAN(r, "mpi_rma_sync_lock_competition", process(1), 0);
}

static const tw_op twice[] = {
    TARGET,
    { .process = 1, .op = TW_WIN_LOCK, .enter = 0, .leave = 2, .peer = 0, .exclusive = true },
    { .process = 1, .op = TW_WIN_UNLOCK, .enter = 10, .leave = 12, .record = 11, .peer = 0 },
    { .process = 1, .op = TW_WIN_LOCK, .enter = 20, .leave = 22, .peer = 0, .exclusive = true },
    { .process = 1, .op = TW_WIN_UNLOCK, .enter = 30, .leave = 32, .record = 31, .peer = 0 },
};

TEST(alone_nobody_waits)
{
    tw_report r = tw_analyze(twice, TW_LEN(twice));

    CHECK_SPAN(r, "mpi_rma_sync_lock_competition", process(1), 0);
}

/*   ticks       10            42   50
 *   process 1   [put···············]          waits for process 0 to enter MPI
 *   process 0   computes      [recv
 */
static const tw_op no_progress[] = {
    { .process = 0, .op = TW_BARRIER, .enter = 42, .leave = 43, .comm = TW_SELF },
    { .process = 0, .op = TW_BARRIER, .enter = 90, .leave = 91, .comm = TW_SELF },
    { .process = 1, .op = TW_WIN_LOCK, .enter = 5, .leave = 6, .peer = 0 },
    { .process = 1, .op = TW_PUT, .enter = 10, .leave = 50, .peer = 0 },
    { .process = 1, .op = TW_WIN_FLUSH, .enter = 60, .leave = 95, .peer = 0 },
    { .process = 1, .op = TW_WIN_UNLOCK, .enter = 96, .leave = 97, .peer = 0 },
};

TEST(calls_in_a_lock_epoch_wait_for_the_target_to_enter_mpi)
{
    tw_report r = tw_analyze(no_progress, TW_LEN(no_progress));

    CHECK_SPAN_AT(r, "mpi_rma_comm_wait_for_progress", "main;MPI_Put", process(1), 32);
    CHECK_SPAN_AT(r, "mpi_rma_sync_wait_for_progress", "main;MPI_Win_flush", process(1), 30);
    CHECK_SPAN(r, "mpi_rma_sync_wait_for_progress", process(1), 30);
}

/* A coarse clock: two flushes at one time. */
static const tw_op at_one_time[] = {
    { .process = 0, .op = TW_BARRIER, .enter = 1, .leave = 10, .comm = TW_SELF },
    { .process = 0, .op = TW_BARRIER, .enter = 42, .leave = 43, .comm = TW_SELF },
    { .process = 1, .op = TW_WIN_LOCK, .enter = 7, .leave = 8, .peer = 0 },
    { .process = 1, .op = TW_PUT, .enter = 8, .leave = 9, .peer = 0 },
    { .process = 1, .op = TW_WIN_FLUSH, .enter = 11, .leave = 11, .peer = 0 },
    { .process = 1, .op = TW_PUT, .enter = 11, .leave = 11, .peer = 0 },
    { .process = 1, .op = TW_WIN_FLUSH, .enter = 11, .leave = 50, .peer = 0 },
    { .process = 1, .op = TW_WIN_UNLOCK, .enter = 51, .leave = 52, .peer = 0 },
};

TEST(calls_at_one_time_are_several)
{
    tw_report r = tw_analyze(at_one_time, TW_LEN(at_one_time));

    CHECK_SPAN(r, "mpi_rma_sync_wait_for_progress", process(1), 31);
}

/* Outside of lock epochs it is not known who has to do something. */
static const tw_op fenced[] = {
    { .process = 0, .op = TW_BARRIER, .enter = 42, .leave = 43, .comm = TW_SELF },
    { .process = 1, .op = TW_PUT, .enter = 10, .leave = 50, .peer = 0 },
};

TEST(other_operations_wait_for_nobody)
{
    tw_report r = tw_analyze(fenced, TW_LEN(fenced));

    CHECK_SPAN(r, "mpi_rma_comm_wait_for_progress", process(1), 0);
}

/* Any call of MPI helps, also one without records. */
static const tw_op any_call[] = {
    { .process = 0, .op = TW_USER, .region = "MPI_Comm_rank", .enter = 15, .leave = 16 },
    { .process = 0, .op = TW_BARRIER, .enter = 42, .leave = 43, .comm = TW_SELF },
    { .process = 1, .op = TW_WIN_LOCK, .enter = 5, .leave = 6, .peer = 0 },
    { .process = 1, .op = TW_PUT, .enter = 10, .leave = 50, .peer = 0 },
    { .process = 1, .op = TW_WIN_UNLOCK, .enter = 51, .leave = 52, .peer = 0 },
};

TEST(any_call_of_the_target_is_progress)
{
    tw_report r = tw_analyze(any_call, TW_LEN(any_call));

    CHECK_SPAN(r, "mpi_rma_comm_wait_for_progress", process(1), 5);
}

/* The target computes, but the call waits for the lock: that is booked once. */
static const tw_op both[] = {
    { .process = 0, .op = TW_BARRIER, .enter = 30, .leave = 31, .comm = TW_SELF },
    { .process = 1, .op = TW_WIN_LOCK, .enter = 0, .leave = 3, .peer = 0, .exclusive = true },
    { .process = 1, .op = TW_WIN_UNLOCK, .enter = 38, .leave = 41, .record = 40, .peer = 0 },
    { .process = 2, .op = TW_WIN_LOCK, .enter = 10, .leave = 42, .peer = 0, .exclusive = true },
    { .process = 2, .op = TW_WIN_UNLOCK, .enter = 45, .leave = 50, .peer = 0 },
};

TEST(a_wait_for_the_lock_is_no_wait_for_progress_too)
{
    tw_report r = tw_analyze(both, TW_LEN(both));

    CHECK_SPAN(r, "mpi_rma_sync_lock_competition", process(2), 30);
    CHECK_SPAN(r, "mpi_rma_sync_wait_for_progress", process(2), 0);
}

static const tw_op not_locked[] = {
    { .process = 0, .op = TW_BARRIER, .enter = 11, .leave = 100, .comm = TW_SELF },
    { .process = 1, .op = TW_WIN_UNLOCK, .enter = 10, .leave = 12, .peer = 0 },
    { .process = 1, .op = TW_WIN_LOCK, .enter = 20, .leave = 22, .peer = 0, .exclusive = true },
};

TEST(an_unlock_without_a_lock_is_named)
{
    tw_report r = tw_analyze(not_locked, TW_LEN(not_locked));

    CHECK_EQ(tw_finding(r, "rma-out-of-place"), 1);
    CHECK_SPAN(r, "mpi_rma_sync_lock_competition", process(1), 0);
    CHECK_SPAN(r, "mpi_rma_sync_wait_for_progress", process(1), 0);
}

TEST_MAIN
