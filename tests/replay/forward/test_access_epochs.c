/* tests/replay/forward/test_access_epochs.c: "Late Post", "Early Transfer", "Early Wait, Late Complete" of
 * docs/metrics.md: post, start, complete and wait: who waits for whom.
 *
 *   ticks    10 12   16   20      30   33          50
 *   origin   [start] [put][complete·················]        1: waits in complete until the target has posted
 *   target   ························[post]
 */
#include "check.h"
#include "situation.h"

#define TARGET                                                                                                         \
    { .process = 1, .op = TW_WIN_POST, .enter = 30, .leave = 31, TW_GROUP(0) },                                        \
    { .process = 1, .op = TW_WIN_WAIT, .enter = 60, .leave = 61, TW_GROUP(0) }

static const tw_op in_complete[] = {
    TARGET,
    { .process = 0, .op = TW_WIN_START, .enter = 10, .leave = 12, TW_GROUP(1) },
    { .process = 0, .op = TW_PUT, .enter = 13, .leave = 14, .peer = 1 },
    { .process = 0, .op = TW_WIN_COMPLETE, .enter = 20, .leave = 50, TW_GROUP(1) },
};

TEST(a_late_post_keeps_a_complete_waiting)
{
    tw_report r = tw_analyze(in_complete, TW_LEN(in_complete));

    CHECK_SPAN_AT(r, "mpi_rma_sync_late_post", "main;MPI_Win_complete", process(0), 10);
    CHECK_SPAN(r, "mpi_rma_sync_late_post", process(0), 10);
    CHECK_SPAN(r, "mpi_rma_comm_late_post", process(0), 0);
    CHECK_SPAN(r, "mpi_rma_earlytransfer", process(0), 0);
    CHECK_SPAN(r, "mpi_rma_early_wait", process(1), 0);
}

/* The record of a start has the time of its enter: the leave counts. */
static const tw_op in_start[] = {
    TARGET,
    { .process = 0, .op = TW_WIN_START, .enter = 10, .leave = 35, TW_GROUP(1) },
    { .process = 0, .op = TW_WIN_COMPLETE, .enter = 40, .leave = 50, TW_GROUP(1) },
};

TEST(a_late_post_keeps_a_start_waiting)
{
    tw_report r = tw_analyze(in_start, TW_LEN(in_start));

    CHECK_SPAN_AT(r, "mpi_rma_sync_late_post", "main;MPI_Win_start", process(0), 20);
    CHECK_SPAN(r, "mpi_rma_sync_late_post", process(0), 20);
}

static const tw_op recorded_before[] = {
    TARGET,
    { .process = 0, .op = TW_WIN_START, .enter = 10, .leave = 35, .record = 25, TW_GROUP(1) },
    { .process = 0, .op = TW_WIN_COMPLETE, .enter = 40, .leave = 50, TW_GROUP(1) },
};

TEST(a_record_of_its_own_time_counts)
{
    tw_report r = tw_analyze(recorded_before, TW_LEN(recorded_before));

    CHECK_SPAN(r, "mpi_rma_sync_late_post", process(0), 0);
}

static const tw_op in_put[] = {
    TARGET,
    { .process = 0, .op = TW_WIN_START, .enter = 10, .leave = 12, TW_GROUP(1) },
    { .process = 0, .op = TW_PUT, .enter = 15, .record = 16, .leave = 33, .peer = 1 },
    { .process = 0, .op = TW_WIN_COMPLETE, .enter = 40, .leave = 45, TW_GROUP(1) },
};

TEST(a_late_post_keeps_an_operation_waiting)
{
    tw_report r = tw_analyze(in_put, TW_LEN(in_put));

    CHECK_SPAN_AT(r, "mpi_rma_comm_late_post", "main;MPI_Put", process(0), 14);
    CHECK_SPAN(r, "mpi_rma_sync_late_post", process(0), 0);
    CHECK_SPAN_AT(r, "mpi_rma_earlytransfer", "main;MPI_Put", process(0), 15);
}

static const tw_op in_time[] = {
    { .process = 1, .op = TW_WIN_POST, .enter = 5, .leave = 6, TW_GROUP(0) },
    { .process = 1, .op = TW_WIN_WAIT, .enter = 60, .leave = 61, TW_GROUP(0) },
    { .process = 0, .op = TW_WIN_START, .enter = 10, .leave = 12, TW_GROUP(1) },
    { .process = 0, .op = TW_PUT, .enter = 15, .leave = 33, .peer = 1 },
    { .process = 0, .op = TW_WIN_COMPLETE, .enter = 40, .leave = 45, TW_GROUP(1) },
};

TEST(who_posts_in_time_keeps_nobody_waiting)
{
    tw_report r = tw_analyze(in_time, TW_LEN(in_time));

    CHECK_SPAN(r, "mpi_rma_sync_late_post", process(0), 0);
    CHECK_SPAN(r, "mpi_rma_comm_late_post", process(0), 0);
    CHECK_SPAN(r, "mpi_rma_earlytransfer", process(0), 0);
    CHECK_SPAN(r, "mpi_rma_early_wait", process(1), 0);
}

/* Two targets: the last post counts for the epoch, each operation has its own target. */
static const tw_op two_targets[] = {
    { .process = 0, .op = TW_WIN_START, .enter = 10, .leave = 12, TW_GROUP(1, 2) },
    { .process = 0, .op = TW_PUT, .enter = 13, .leave = 24, .peer = 1 },
    { .process = 0, .op = TW_PUT, .enter = 26, .leave = 36, .peer = 2 },
    { .process = 0, .op = TW_WIN_COMPLETE, .enter = 40, .leave = 45, TW_GROUP(1, 2) },
    { .process = 1, .op = TW_WIN_POST, .enter = 20, .leave = 21, TW_GROUP(0) },
    { .process = 1, .op = TW_WIN_WAIT, .enter = 60, .leave = 61, TW_GROUP(0) },
    { .process = 2, .op = TW_WIN_POST, .enter = 30, .leave = 31, TW_GROUP(0) },
    { .process = 2, .op = TW_WIN_WAIT, .enter = 60, .leave = 61, TW_GROUP(0) },
};

TEST(early_transfers_are_those_of_each_operation_for_its_own_target)
{
    tw_report r = tw_analyze(two_targets, TW_LEN(two_targets));

    CHECK_SPAN(r, "mpi_rma_comm_late_post", process(0), 4);
    CHECK_SPAN(r, "mpi_rma_earlytransfer", process(0), 7 + 4);
}

/*   ticks      20     35   45 50        60
 *   target     [wait··················]         waits until 50; from 35 on nothing is transferred
 *   origin 1   [put   ]···[complete]
 *   origin 2   ··············[complete]
 */
#define EXPOSED                                                                                                        \
    { .process = 0, .op = TW_WIN_POST, .enter = 1, .leave = 2, TW_GROUP(1, 2) },                                       \
    { .process = 0, .op = TW_WIN_WAIT, .enter = 20, .leave = 60, TW_GROUP(1, 2) }

static const tw_op early_wait[] = {
    EXPOSED,
    { .process = 1, .op = TW_WIN_START, .enter = 5, .leave = 6, TW_GROUP(0) },
    { .process = 1, .op = TW_PUT, .enter = 20, .leave = 35, .peer = 0 },
    { .process = 1, .op = TW_WIN_COMPLETE, .enter = 45, .leave = 46, TW_GROUP(0) },
    { .process = 2, .op = TW_WIN_START, .enter = 5, .leave = 25, TW_GROUP(0) },
    { .process = 2, .op = TW_WIN_COMPLETE, .enter = 50, .leave = 51, TW_GROUP(0) },
};

TEST(a_target_waits_for_the_last_complete)
{
    tw_report r = tw_analyze(early_wait, TW_LEN(early_wait));

    CHECK_SPAN_AT(r, "mpi_rma_early_wait", "main;MPI_Win_wait", process(0), 30);
    CHECK_SPAN(r, "mpi_rma_late_complete", process(0), 15);
    CHECK_SPAN(r, "mpi_rma_early_wait", process(1), 0);
}

TEST(pairs_of_an_epoch_are_its_groups)
{
    tw_report r = tw_analyze(early_wait, TW_LEN(early_wait));

    CHECK_SPAN_AT(r, "mpi_rma_pairsync_count", "main;MPI_Win_wait", process(0), 2);
    CHECK_SPAN(r, "mpi_rma_pairsync_unneeded_count", process(0), 1);
    CHECK_SPAN_AT(r, "mpi_rma_pairsync_count", "main;MPI_Win_complete", process(1), 1);
    CHECK_SPAN(r, "mpi_rma_pairsync_unneeded_count", process(1), 0);
    CHECK_SPAN(r, "mpi_rma_pairsync_unneeded_count", process(2), 1);
}

static const tw_op nothing_done[] = {
    EXPOSED,
    { .process = 1, .op = TW_WIN_START, .enter = 5, .leave = 25, TW_GROUP(0) },
    { .process = 1, .op = TW_WIN_COMPLETE, .enter = 45, .leave = 46, TW_GROUP(0) },
    { .process = 2, .op = TW_WIN_START, .enter = 5, .leave = 8, TW_GROUP(0) },
    { .process = 2, .op = TW_WIN_COMPLETE, .enter = 50, .leave = 51, TW_GROUP(0) },
};

TEST(without_operations_completes_are_late_from_the_last_start_on)
{
    tw_report r = tw_analyze(nothing_done, TW_LEN(nothing_done));

    CHECK_SPAN(r, "mpi_rma_early_wait", process(0), 30);
    CHECK_SPAN(r, "mpi_rma_late_complete", process(0), 25);
}

/* The clock of the origin is wrong: it completes after the target has gone on. */
static const tw_op left_before[] = {
    { .process = 0, .op = TW_WIN_POST, .enter = 1, .leave = 2, TW_GROUP(1) },
    { .process = 0, .op = TW_WIN_WAIT, .enter = 20, .leave = 40, TW_GROUP(1) },
    { .process = 1, .op = TW_WIN_START, .enter = 5, .leave = 6, TW_GROUP(0) },
    { .process = 1, .op = TW_PUT, .enter = 20, .leave = 30, .peer = 0 },
    { .process = 1, .op = TW_WIN_COMPLETE, .enter = 45, .leave = 46, TW_GROUP(0) },
};

TEST(nobody_waits_longer_than_the_call_takes)
{
    tw_report r = tw_analyze(left_before, TW_LEN(left_before));

    CHECK_SPAN(r, "mpi_rma_early_wait", process(0), 20);
    CHECK_SPAN(r, "mpi_rma_late_complete", process(0), 10);
    CHECK_SPAN_AT(r, "delay_unattributed_rma", "main;MPI_Win_wait", process(0), 20);
}

static const tw_op tested[] = {
    { .process = 0, .op = TW_WIN_POST, .enter = 1, .leave = 2, TW_GROUP(1) },
    { .process = 0, .op = TW_WIN_TEST, .enter = 10, .leave = 11, TW_GROUP(1), .unsuccessful = true },
    { .process = 0, .op = TW_WIN_TEST, .enter = 20, .leave = 21, TW_GROUP(1), .unsuccessful = true },
    { .process = 0, .op = TW_WIN_TEST, .enter = 30, .leave = 40, TW_GROUP(1) },
    { .process = 0, .op = TW_WIN_POST, .enter = 50, .leave = 51, TW_GROUP(1) },
    { .process = 0, .op = TW_WIN_WAIT, .enter = 60, .leave = 90, TW_GROUP(1) },
    { .process = 1, .op = TW_WIN_START, .enter = 5, .leave = 6, TW_GROUP(0) },
    { .process = 1, .op = TW_WIN_COMPLETE, .enter = 35, .leave = 36, TW_GROUP(0) },
    { .process = 1, .op = TW_WIN_START, .enter = 55, .leave = 56, TW_GROUP(0) },
    { .process = 1, .op = TW_WIN_COMPLETE, .enter = 80, .leave = 81, TW_GROUP(0) },
};

TEST(a_test_waits_for_nobody_and_ends_the_epoch_if_it_succeeds)
{
    tw_report r = tw_analyze(tested, TW_LEN(tested));

    CHECK_SPAN(r, "mpi_rma_early_wait", process(0), 20);
    CHECK_SPAN_AT(r, "mpi_rma_early_wait", "main;MPI_Win_wait", process(0), 20);
    CHECK_SPAN_AT(r, "mpi_rma_pairsync_count", "main;MPI_Win_test", process(0), 1);
    CHECK_EQ(tw_finding(r, "unmatched-epoch"), 0);
}

/* Epochs of partial groups: the second of 0 is the first that has 2 in it. */
static const tw_op partial[] = {
    { .process = 0, .op = TW_WIN_START, .enter = 10, .leave = 11, TW_GROUP(1) },
    { .process = 0, .op = TW_WIN_COMPLETE, .enter = 12, .leave = 13, TW_GROUP(1) },
    { .process = 0, .op = TW_WIN_START, .enter = 20, .leave = 35, TW_GROUP(2, 1) },
    { .process = 0, .op = TW_WIN_COMPLETE, .enter = 40, .leave = 41, TW_GROUP(2, 1) },
    { .process = 1, .op = TW_WIN_POST, .enter = 2, .leave = 3, TW_GROUP(0) },
    { .process = 1, .op = TW_WIN_WAIT, .enter = 14, .leave = 15, TW_GROUP(0) },
    { .process = 1, .op = TW_WIN_POST, .enter = 17, .leave = 18, TW_GROUP(0) },
    { .process = 1, .op = TW_WIN_WAIT, .enter = 50, .leave = 51, TW_GROUP(0) },
    { .process = 2, .op = TW_WIN_POST, .enter = 30, .leave = 31, TW_GROUP(0) },
    { .process = 2, .op = TW_WIN_WAIT, .enter = 33, .leave = 45, TW_GROUP(0) },
};

TEST(epochs_are_matched_pair_by_pair)
{
    tw_report r = tw_analyze(partial, TW_LEN(partial));

    CHECK_SPAN(r, "mpi_rma_sync_late_post", process(0), 10);
    CHECK_SPAN(r, "mpi_rma_early_wait", process(2), 7);
    CHECK_SPAN(r, "mpi_rma_early_wait", process(1), 0);
    CHECK_EQ(tw_finding(r, "unmatched-epoch"), 0);
}

/* Ranks of the window are not those of the world. */
static const tw_comm    turned[]  = { { .name = "turned", TW_PROCESSES(2, 1, 0) } };
static const tw_window  windows[] = { { .comm = TW_COMM(0) }, { .comm = TW_WORLD } };
static const tw_options of_turned = { .comms = turned, .n_comms = 1, .windows = windows, .n_windows = 2 };

static const tw_op overlapping[] = {
    { .process = 0, .op = TW_WIN_START, .enter = 10, .leave = 11, TW_GROUP(2) },
    { .process = 0, .op = TW_WIN_START, .enter = 12, .leave = 13, TW_GROUP(1), .window = 1 },
    { .process = 0, .op = TW_PUT, .enter = 14, .leave = 30, .peer = 0 },
    { .process = 0, .op = TW_PUT, .enter = 31, .leave = 40, .peer = 1, .window = 1 },
    { .process = 0, .op = TW_WIN_COMPLETE, .enter = 42, .leave = 43, TW_GROUP(2) },
    { .process = 0, .op = TW_WIN_COMPLETE, .enter = 44, .leave = 45, TW_GROUP(1), .window = 1 },
    { .process = 2, .op = TW_WIN_POST, .enter = 20, .leave = 21, TW_GROUP(0) },
    { .process = 2, .op = TW_WIN_WAIT, .enter = 22, .leave = 50, TW_GROUP(0) },
    { .process = 1, .op = TW_WIN_POST, .enter = 35, .leave = 36, TW_GROUP(0), .window = 1 },
    { .process = 1, .op = TW_WIN_WAIT, .enter = 37, .leave = 50, TW_GROUP(0), .window = 1 },
};

TEST(epochs_of_several_windows_overlap)
{
    tw_report r = tw_analyze_with(overlapping, TW_LEN(overlapping), .options = &of_turned);

    CHECK_SPAN(r, "mpi_rma_comm_late_post", process(0), 6 + 4);
    CHECK_SPAN(r, "mpi_rma_early_wait", process(2), 20);
    CHECK_SPAN(r, "mpi_rma_late_complete", process(2), 12);
    CHECK_SPAN(r, "mpi_rma_early_wait", process(1), 7);
    CHECK_SPAN(r, "mpi_rma_late_complete", process(1), 4);
}

/* Both sides of one window at once, and oneself in the group. */
static const tw_op both[] = {
    { .process = 0, .op = TW_WIN_POST, .enter = 5, .leave = 6, TW_GROUP(0, 1) },
    { .process = 0, .op = TW_WIN_START, .enter = 10, .leave = 11, TW_GROUP(0, 1) },
    { .process = 0, .op = TW_PUT, .enter = 12, .leave = 13, .peer = 0 },
    { .process = 0, .op = TW_WIN_COMPLETE, .enter = 20, .leave = 35, TW_GROUP(0, 1) },
    { .process = 0, .op = TW_WIN_WAIT, .enter = 40, .leave = 60, TW_GROUP(0, 1) },
    { .process = 1, .op = TW_WIN_POST, .enter = 30, .leave = 31, TW_GROUP(0, 1) },
    { .process = 1, .op = TW_WIN_START, .enter = 35, .leave = 36, TW_GROUP(0, 1) },
    { .process = 1, .op = TW_WIN_COMPLETE, .enter = 50, .leave = 51, TW_GROUP(0, 1) },
    { .process = 1, .op = TW_WIN_WAIT, .enter = 55, .leave = 56, TW_GROUP(0, 1) },
};

TEST(a_process_may_be_on_both_sides)
{
    tw_report r = tw_analyze(both, TW_LEN(both));

    CHECK_SPAN(r, "mpi_rma_sync_late_post", process(0), 10);
    CHECK_SPAN(r, "mpi_rma_early_wait", process(0), 10);
    CHECK_SPAN(r, "mpi_rma_pairsync_count", process(0), 4);
    CHECK_SPAN(r, "mpi_rma_pairsync_unneeded_count", process(0), 1 + 1);
    CHECK_EQ(tw_finding(r, "unmatched-epoch"), 0);
}

static const tw_op no_post[] = {
    { .process = 0, .op = TW_WIN_START, .enter = 10, .leave = 12, TW_GROUP(1, 2) },
    { .process = 0, .op = TW_PUT, .enter = 13, .leave = 14, .peer = 1 },
    { .process = 0, .op = TW_WIN_COMPLETE, .enter = 20, .leave = 50, TW_GROUP(1, 2) },
    { .process = 1, .op = TW_BARRIER, .enter = 60, .leave = 80 },
    { .process = 0, .op = TW_BARRIER, .enter = 70, .leave = 80 },
    { .process = 2, .op = TW_WIN_POST, .enter = 30, .leave = 31, TW_GROUP(0) },
    { .process = 2, .op = TW_WIN_WAIT, .enter = 32, .leave = 60, TW_GROUP(0) },
    { .process = 2, .op = TW_BARRIER, .enter = 65, .leave = 80 },
};

TEST(a_start_without_a_post_is_named_and_the_rest_is_analysed)
{
    tw_report r = tw_analyze(no_post, TW_LEN(no_post));

    CHECK_EQ(tw_finding(r, "unmatched-epoch"), 2); /* the complete's notification, and the post that it misses */
    CHECK_SPAN(r, "mpi_rma_sync_late_post", process(0), 10);
    CHECK_SPAN(r, "mpi_barrier_wait", process(1), 10);
}

static const tw_op not_begun[] = {
    { .process = 0, .op = TW_WIN_COMPLETE, .enter = 10, .leave = 12, TW_GROUP(1) },
    { .process = 0, .op = TW_WIN_START, .enter = 20, .leave = 22, TW_GROUP(1) },
    { .process = 0, .op = TW_WIN_COMPLETE, .enter = 30, .leave = 50, TW_GROUP(1) },
    { .process = 1, .op = TW_WIN_WAIT, .enter = 5, .leave = 8, TW_GROUP(0) },
    { .process = 1, .op = TW_WIN_POST, .enter = 40, .leave = 41, TW_GROUP(0) },
    { .process = 1, .op = TW_WIN_WAIT, .enter = 55, .leave = 56, TW_GROUP(0) },
};

TEST(what_ends_no_epoch_is_named_and_counts_for_none)
{
    tw_report r = tw_analyze(not_begun, TW_LEN(not_begun));

    CHECK_EQ(tw_finding(r, "rma-out-of-place"), 2);
    CHECK_EQ(tw_finding(r, "unmatched-epoch"), 0);
    CHECK_SPAN(r, "mpi_rma_sync_late_post", process(0), 10);
    CHECK_SPAN(r, "mpi_rma_pairsync_count", process(0), 1);
}

/* The first epoch of the origin never ends; the second one is that of the second post all the same. */
static const tw_op not_ended[] = {
    { .process = 0, .op = TW_WIN_START, .enter = 1, .leave = 2, TW_GROUP(1) },
    { .process = 0, .op = TW_WIN_START, .enter = 10, .leave = 12, TW_GROUP(1) },
    { .process = 0, .op = TW_WIN_COMPLETE, .enter = 20, .leave = 50, TW_GROUP(1) },
    { .process = 1, .op = TW_WIN_POST, .enter = 0, .leave = 1, TW_GROUP(0) },
    { .process = 1, .op = TW_WIN_WAIT, .enter = 5, .leave = 8, TW_GROUP(0) },
    { .process = 1, .op = TW_WIN_POST, .enter = 30, .leave = 31, TW_GROUP(0) },
    { .process = 1, .op = TW_WIN_WAIT, .enter = 60, .leave = 61, TW_GROUP(0) },
};

TEST(epochs_are_numbered_by_their_begins)
{
    tw_report r = tw_analyze(not_ended, TW_LEN(not_ended));

    CHECK_SPAN(r, "mpi_rma_sync_late_post", process(0), 10);
    CHECK_SPAN(r, "mpi_rma_early_wait", process(1), 0);
    CHECK_EQ(tw_finding(r, "unmatched-epoch"), 1);
}

/* Both complete before they post, as an MPI library that puts off operations allows: there is no order in which this
 * can be replayed, so one of both goes on without the other's post. */
static const tw_op circle[] = {
    { .process = 0, .op = TW_WIN_START, .enter = 10, .leave = 11, TW_GROUP(1) },
    { .process = 0, .op = TW_WIN_COMPLETE, .enter = 20, .leave = 21, TW_GROUP(1) },
    { .process = 0, .op = TW_WIN_POST, .enter = 30, .leave = 31, TW_GROUP(1) },
    { .process = 0, .op = TW_WIN_WAIT, .enter = 40, .leave = 60, TW_GROUP(1) },
    { .process = 1, .op = TW_WIN_START, .enter = 12, .leave = 13, TW_GROUP(0) },
    { .process = 1, .op = TW_WIN_COMPLETE, .enter = 22, .leave = 35, TW_GROUP(0) },
    { .process = 1, .op = TW_WIN_POST, .enter = 36, .leave = 37, TW_GROUP(0) },
    { .process = 1, .op = TW_WIN_WAIT, .enter = 41, .leave = 60, TW_GROUP(0) },
};

TEST(a_circle_is_broken_and_named)
{
    tw_report r = tw_analyze(circle, TW_LEN(circle));

    CHECK_EQ(tw_finding(r, "unmatched-epoch"), 1);
    CHECK_SPAN(r, "mpi_rma_sync_late_post", process(1), 8);
}

TEST_MAIN
