/* tests/replay/backward/test_window_causes.c: docs/metrics.md#delay-rma, who makes others wait at windows, and the
 * critical path through such waits. */
#include "check.h"
#include "situation.h"

#define WORK(rank, from, until)     { .process = rank, .op = TW_USER, .region = "foo", .enter = from, .leave = until }
#define INIT(rank)                  { .process = rank, .op = TW_INIT, .enter = 0, .leave = 0 }
#define FINALIZE(rank, from, until) { .process = rank, .op = TW_FINALIZE, .enter = from, .leave = until }

static const tw_options no_program = { .without_program = true };

/*   process 0   [foo 0-10][start 10-35··|··][put 35-40][complete 40-42]
 *   process 1   [foo 0-30                ][post 30-33][foo 33-40][wait 40-41]
 */
static const tw_op late_post[] = {
    INIT(0), WORK(0, 0, 10),
    { .process = 0, .op = TW_WIN_START, .enter = 10, .leave = 35, TW_GROUP(1) },
    { .process = 0, .op = TW_PUT, .enter = 35, .leave = 40, .peer = 1 },
    { .process = 0, .op = TW_WIN_COMPLETE, .enter = 40, .leave = 42, TW_GROUP(1) },
    FINALIZE(0, 42, 60),
    INIT(1), WORK(1, 0, 30),
    { .process = 1, .op = TW_WIN_POST, .enter = 30, .leave = 33, TW_GROUP(0) },
    WORK(1, 33, 40),
    { .process = 1, .op = TW_WIN_WAIT, .enter = 40, .leave = 41, TW_GROUP(0) },
    FINALIZE(1, 41, 60),
};

TEST(a_late_post_is_paid_for_by_the_target)
{
    tw_report r = tw_analyze(late_post, TW_LEN(late_post));

    CHECK_SPAN_AT(r, "delay_rma", "main;foo", process(1), 20);
    CHECK_SPAN(r, "delay_rma", process(1), 20);
    CHECK_SPAN(r, "delay_rma", process(0), 0);
    CHECK_SPAN(r, "delay_rma_longterm", process(1), 0);
    CHECK_EQ(tw_cause(r, "main;foo", "main;MPI_Win_start", "rma", false), 20);
}

TEST(the_critical_path_goes_to_the_target)
{
    tw_report r = tw_analyze_with(late_post, TW_LEN(late_post), .options = &no_program);

    CHECK_SPAN_AT(r, "critical_path", "foo", process(1), 30);
    CHECK_SPAN_AT(r, "critical_path", "foo", process(0), 0);
    CHECK_SPAN_AT(r, "critical_path", "MPI_Win_start", process(0), 5);
    CHECK_SPAN_AT(r, "critical_path", "MPI_Put", process(0), 5);
}

/*   process 0   [post 5-6][wait 10-52·········|]            waits for process 1, which waited itself for process 2's
 *                                                           message
 *   process 1   [start 5-6][recv 10-30···][put][foo 35-50][complete 50-51]
 *   process 2   [foo 0-28            ][send 28]
 */
static const tw_op early_wait[] = {
    INIT(0),
    { .process = 0, .op = TW_WIN_POST, .enter = 5, .leave = 6, TW_GROUP(1) },
    { .process = 0, .op = TW_WIN_WAIT, .enter = 10, .leave = 52, TW_GROUP(1) },
    INIT(1),
    { .process = 1, .op = TW_WIN_START, .enter = 5, .leave = 6, TW_GROUP(0) },
    { .process = 1, .op = TW_RECV, .enter = 10, .leave = 30, .peer = 2 },
    { .process = 1, .op = TW_PUT, .enter = 30, .leave = 35, .peer = 0 },
    WORK(1, 35, 50),
    { .process = 1, .op = TW_WIN_COMPLETE, .enter = 50, .leave = 51, TW_GROUP(0) },
    INIT(2), WORK(2, 0, 28),
    { .process = 2, .op = TW_SEND, .enter = 28, .leave = 29, .peer = 1 },
};

/* Process 1 did more: foo 15, put 5, receive 2, start 1; it waited 18: the scale is 40 / 41. */
TEST(an_early_wait_is_paid_for_by_the_last_origin_and_by_who_kept_that_waiting)
{
    tw_report r = tw_analyze(early_wait, TW_LEN(early_wait));

    CHECK_SPAN(r, "mpi_rma_early_wait", process(0), 40);
    CHECK_SPAN_AT(r, "delay_rma", "main;foo", process(1), 15);
    CHECK_SPAN_AT(r, "delay_rma_longterm", "main;foo", process(2), 18);
    CHECK_SPAN(r, "delay_latesender", process(2), 18);
}

/*   process 0   [foo 0-10][fence 10-40 ··]     B=(10,30): 20
 *   process 1   [foo 0-30          ][fence]
 */
static const tw_op fence[] = {
    INIT(0), WORK(0, 0, 10),
    { .process = 0, .op = TW_FENCE, .enter = 10, .leave = 40 },
    FINALIZE(0, 50, 50),
    INIT(1), WORK(1, 0, 28),
    { .process = 1, .op = TW_FENCE, .enter = 28, .leave = 40, .begin = 30 },
    FINALIZE(1, 45, 50),
};

TEST(a_fence_is_paid_for_by_who_comes_last)
{
    tw_report r = tw_analyze(fence, TW_LEN(fence));

    CHECK_SPAN(r, "mpi_rma_wait_at_fence", process(0), 20);
    CHECK_SPAN(r, "delay_rma", process(1), 20);
    CHECK_SPAN_AT(r, "delay_rma", "main;foo", process(1), 20);
}

TEST(the_critical_path_leaves_a_fence_where_the_last_one_came)
{
    tw_report r = tw_analyze_with(fence, TW_LEN(fence), .options = &no_program);

    CHECK_SPAN_AT(r, "critical_path", "foo", process(1), 28);
    CHECK_SPAN_AT(r, "critical_path", "MPI_Win_fence", process(1), 2);
    CHECK_SPAN_AT(r, "critical_path", "MPI_Win_fence", process(0), 10);
}

/*   process 0   [foo 0-5][lock 5-8][foo 8-40][unlock 40-43]      exclusive, released at 42; process 1 waits in its lock
 *                                                                call from 12
 *   process 1   [foo 0-12   ][lock 12-42·············]           to 42
 */
#define QUEUE                                                                                                          \
    INIT(0), WORK(0, 0, 5),                                                                                            \
    { .process = 0, .op = TW_WIN_LOCK, .enter = 5, .leave = 8, .peer = 2, .exclusive = true },                         \
    WORK(0, 8, 40),                                                                                                    \
    { .process = 0, .op = TW_WIN_UNLOCK, .enter = 40, .leave = 43, .record = 42, .peer = 2 },                          \
    INIT(1), WORK(1, 0, 12),                                                                                           \
    { .process = 1, .op = TW_WIN_LOCK, .enter = 12, .leave = 43, .peer = 2, .exclusive = true },                       \
    { .process = 2, .op = TW_INIT, .enter = 0, .leave = 0 },                                                           \
    { .process = 2, .op = TW_BARRIER, .enter = 0, .leave = 90, .comm = TW_SELF }

static const tw_op lock[] = {
    QUEUE,
    { .process = 1, .op = TW_WIN_UNLOCK, .enter = 44, .leave = 46, .peer = 2 },
};

TEST(lock_contention_is_paid_for_by_the_holder)
{
    tw_report r = tw_analyze(lock, TW_LEN(lock));

    CHECK_SPAN(r, "mpi_rma_sync_lock_competition", process(1), 30);
    CHECK_SPAN_AT(r, "delay_rma", "main;foo", process(0), 25);
    CHECK_SPAN_AT(r, "delay_rma", "main;MPI_Win_lock", process(0), 3);
    CHECK_SPAN(r, "delay_unattributed_rma", process(1), 2);
}

/* The next in the queue waits in its unlock, where the one before it had waited, too. */
static const tw_op queue[] = {
    INIT(0), WORK(0, 0, 40),
    { .process = 0, .op = TW_WIN_LOCK, .enter = 0, .leave = 0, .peer = 3, .exclusive = true },
    { .process = 0, .op = TW_WIN_UNLOCK, .enter = 40, .leave = 43, .record = 42, .peer = 3 },
    FINALIZE(0, 43, 60),
    INIT(1),
    { .process = 1, .op = TW_WIN_LOCK, .enter = 2, .leave = 3, .peer = 3, .exclusive = true },
    { .process = 1, .op = TW_WIN_UNLOCK, .enter = 12, .leave = 50, .record = 46, .peer = 3 },
    FINALIZE(1, 50, 60),
    INIT(2),
    { .process = 2, .op = TW_WIN_LOCK, .enter = 2, .leave = 3, .peer = 3, .exclusive = true },
    { .process = 2, .op = TW_WIN_UNLOCK, .enter = 16, .leave = 60, .record = 56, .peer = 3 },
    FINALIZE(2, 60, 60),
    INIT(3), { .process = 3, .op = TW_BARRIER, .enter = 0, .leave = 58, .comm = TW_SELF }, FINALIZE(3, 58, 60),
};

TEST(in_a_queue_costs_go_from_one_to_the_next_before_it)
{
    tw_report r = tw_analyze(queue, TW_LEN(queue));

    CHECK_SPAN(r, "mpi_rma_sync_lock_competition", process(1), 30);
    CHECK_SPAN(r, "mpi_rma_sync_lock_competition", process(2), 30);
    CHECK_SPAN(r, "delay_rma", process(1), 0);
    CHECK_SPAN(r, "delay_rma", process(0), 30);
    CHECK_SPAN_AT(r, "delay_rma_longterm", "main;foo", process(0), 30);
}

TEST(the_critical_path_goes_through_the_queue)
{
    tw_report r = tw_analyze_with(queue, TW_LEN(queue), .options = &no_program);

    CHECK_SPAN_AT(r, "critical_path", "foo", process(0), 40);
    CHECK_SPAN_AT(r, "critical_path", "MPI_Win_unlock", process(0), 2);
    CHECK_SPAN_AT(r, "critical_path", "MPI_Win_unlock", process(1), 4);
    CHECK_SPAN_AT(r, "critical_path", "MPI_Win_unlock", process(2), 14);
}

/* Shared locks: two wait for one and the same release. */
static const tw_op two_waiting[] = {
    INIT(0), WORK(0, 0, 5),
    { .process = 0, .op = TW_WIN_LOCK, .enter = 5, .leave = 8, .peer = 2, .exclusive = true },
    WORK(0, 8, 40),
    { .process = 0, .op = TW_WIN_UNLOCK, .enter = 40, .leave = 43, .record = 42, .peer = 2 },
    INIT(1), WORK(1, 0, 12),
    { .process = 1, .op = TW_WIN_LOCK, .enter = 12, .leave = 43, .peer = 2 },
    { .process = 1, .op = TW_WIN_UNLOCK, .enter = 44, .leave = 46, .peer = 2 },
    INIT(2), { .process = 2, .op = TW_BARRIER, .enter = 0, .leave = 90, .comm = TW_SELF },
    INIT(3), WORK(3, 0, 22),
    { .process = 3, .op = TW_WIN_LOCK, .enter = 22, .leave = 43, .peer = 2 },
    { .process = 3, .op = TW_WIN_UNLOCK, .enter = 43, .leave = 44, .peer = 2 },
};

TEST(several_wait_for_one_release)
{
    tw_report r = tw_analyze(two_waiting, TW_LEN(two_waiting));

    CHECK_SPAN(r, "mpi_rma_sync_lock_competition", process(1), 30);
    CHECK_SPAN(r, "mpi_rma_sync_lock_competition", process(3), 20);
    CHECK_SPAN_AT(r, "delay_rma", "main;foo", process(0), 25 + 15);
    CHECK_SPAN_AT(r, "delay_rma", "main;MPI_Win_lock", process(0), 3 + 3);
    CHECK_SPAN(r, "delay_unattributed_rma", process(1), 2);
    CHECK_SPAN(r, "delay_unattributed_rma", process(3), 2);
}

/* Nobody but the operation is waited for. */
static const tw_op without_overlap[] = {
    INIT(0), WORK(0, 0, 10),
    { .process = 0, .op = TW_FENCE, .enter = 10, .leave = 50 },
    INIT(1), WORK(1, 0, 20),
    { .process = 1, .op = TW_PUT, .enter = 20, .leave = 35, .peer = 0 },
    { .process = 1, .op = TW_FENCE, .enter = 70, .leave = 90 },
};

TEST(without_overlap_the_origin_of_the_operation_pays)
{
    tw_report r = tw_analyze(without_overlap, TW_LEN(without_overlap));

    CHECK_SPAN(r, "mpi_rma_early_fence", process(0), 25);
    CHECK_SPAN_AT(r, "delay_rma", "main;foo", process(1), 10);
    CHECK_SPAN(r, "delay_unattributed_rma", process(0), 15);
}

TEST_MAIN
