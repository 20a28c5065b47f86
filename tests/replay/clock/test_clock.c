/* tests/replay/clock/test_clock.c: "Clocks" of docs/metrics.md: clocks that do not agree. A tick is a microsecond, so
 * is the latency of messages; that of threads is none.
 *
 *   ticks       0                    190 200  210
 *   process 0   ·························[send]······
 *   process 1   ·········[ recv········]·············    received at 190, sent at 200: moves to 201
 *                       120
 */
#include "check.h"
#include "situation.h"

static const tw_op early[] = {
    { .process = 0, .op = TW_SEND, .enter = 200, .leave = 210, .peer = 1 },
    { .process = 1, .op = TW_RECV, .enter = 120, .leave = 190, .peer = 0 },
};

TEST(a_message_that_is_there_before_it_was_sent_is_a_finding)
{
    tw_report r = tw_analyze(early, TW_LEN(early));

    CHECK_EQ(tw_finding(r, "clock-point-to-point"), 1);
    CHECK_SPAN(r, "mpi_latesender", process(1), 70);
}

/* What is before the receive moves, too: 11 at 190, nothing at 0; 6 at 120 */
TEST(a_receive_moves_behind_its_send_and_what_is_before_it_along)
{
    tw_report r = tw_analyze_with(early, TW_LEN(early), .arguments = "--clock clc");

    CHECK_EQ(tw_finding(r, "clock-point-to-point"), 0);
    CHECK_SPAN(r, "mpi_point2point", process(1), 201 - 126);
    CHECK_SPAN(r, "mpi_latesender", process(1), 200 - 126);
    CHECK_SPAN(r, "mpi_point2point", process(0), 10);
}

/* The receive that is completed first was posted second: it gets the message that is sent at 200. */
static const tw_op later_first[] = {
    { .process = 0, .op = TW_SEND, .enter = 50, .leave = 55, .peer = 1 },
    { .process = 0, .op = TW_SEND, .enter = 200, .leave = 210, .peer = 1 },
    { .process = 1, .op = TW_IRECV, .enter = 10, .leave = 11, .peer = 0, .request = 1 },
    { .process = 1, .op = TW_IRECV, .enter = 12, .leave = 13, .peer = 0, .request = 2 },
    { .process = 1, .op = TW_WAITANY, .enter = 120, .leave = 190, .request = 2 },
    { .process = 1, .op = TW_WAIT, .enter = 250, .leave = 260, .request = 1 },
};

TEST(messages_belong_to_receives_in_the_order_of_their_posts)
{
    tw_report r = tw_analyze(later_first, TW_LEN(later_first));

    CHECK_EQ(tw_finding(r, "clock-point-to-point"), 1);
    r = tw_analyze_with(later_first, TW_LEN(later_first), .arguments = "--clock clc");
    CHECK_EQ(tw_finding(r, "clock-point-to-point"), 0);
    CHECK_SPAN_AT(r, "mpi_latesender", "main;MPI_Waitany", process(1), 200 - 126);
    r = tw_analyze_with(later_first, TW_LEN(later_first), .arguments = "--clock clc --compat=scout26");
    CHECK_EQ(tw_finding(r, "clock-point-to-point"), 0);
    CHECK_SPAN(r, "mpi_latesender", process(1), 0);
}

/* The same, posted by another thread. */
static const tw_op later_first_elsewhere[] = {
    { .process = 0, .op = TW_SEND, .enter = 50, .leave = 55, .peer = 1 },
    { .process = 0, .op = TW_SEND, .enter = 200, .leave = 210, .peer = 1 },
    { .process = 1, .op = TW_FORK, .enter = 1, .leave = 290 },
    { .process = 1, .op = TW_TEAM, .enter = 2, .leave = 288 },
    { .process = 1, .thread = 1, .op = TW_TEAM, .enter = 2, .leave = 288 },
    { .process = 1, .thread = 1, .op = TW_IRECV, .enter = 10, .leave = 11, .peer = 0, .request = 1 },
    { .process = 1, .thread = 1, .op = TW_IRECV, .enter = 12, .leave = 13, .peer = 0, .request = 2 },
    { .process = 1, .op = TW_WAITANY, .enter = 120, .leave = 190, .request = 2 },
    { .process = 1, .op = TW_WAIT, .enter = 250, .leave = 260, .request = 1 },
};

TEST(the_order_of_posts_is_that_of_the_thread_that_posted)
{
    tw_report r = tw_analyze(later_first_elsewhere, TW_LEN(later_first_elsewhere));

    CHECK_EQ(tw_finding(r, "clock-point-to-point"), 1);
    r = tw_analyze_with(later_first_elsewhere, TW_LEN(later_first_elsewhere), .arguments = "--clock clc");
    CHECK_EQ(tw_finding(r, "clock-point-to-point"), 0);
}

/* Process 1 sends at 100, which process 0 has at 104: that may move to 103 at most. Between there and 190 everything
 * moves 3 to 11. */
static const tw_op bound[] = {
    { .process = 0, .op = TW_RECV, .enter = 50, .leave = 104, .peer = 1 },
    { .process = 0, .op = TW_SEND, .enter = 200, .leave = 210, .peer = 1 },
    { .process = 1, .op = TW_SEND, .enter = 100, .leave = 110, .peer = 0 },
    { .process = 1, .op = TW_RECV, .enter = 145, .leave = 190, .peer = 0 },
};

TEST(a_send_does_not_move_behind_its_receive)
{
    tw_report r = tw_analyze_with(bound, TW_LEN(bound), .arguments = "--clock clc");

    CHECK_EQ(tw_finding(r, "clock-point-to-point"), 0);
    CHECK_SPAN(r, "mpi_latesender", process(0), 103 - 50);
    CHECK_SPAN_AT(r, "mpi_point2point", "main;MPI_Recv", process(1), 201 - (145 + 7));
}

/* 200,000 ticks later the 11 have become 9. */
static const tw_op much_later[] = {
    { .process = 0, .op = TW_SEND, .enter = 200, .leave = 210, .peer = 1 },
    { .process = 0, .op = TW_RECV, .enter = 200100, .leave = 200250, .peer = 1 },
    { .process = 1, .op = TW_RECV, .enter = 120, .leave = 190, .peer = 0 },
    { .process = 1, .op = TW_SEND, .enter = 200190, .leave = 200199, .peer = 0 },
};

TEST(a_move_fades)
{
    tw_report r = tw_analyze_with(much_later, TW_LEN(much_later), .arguments = "--clock clc");

    CHECK_SPAN(r, "mpi_latesender", process(0), 200199 - 200100);
    CHECK_SPAN_AT(r, "mpi_point2point", "main;MPI_Send", process(1), 9);
}

/* The last one begins at 300; process 0 is through at 290, process 1 at 310. */
static const tw_op barrier[] = {
    { .process = 0, .op = TW_BARRIER, .enter = 200, .leave = 290 },
    { .process = 1, .op = TW_BARRIER, .enter = 250, .leave = 310 },
    { .process = 2, .op = TW_BARRIER, .enter = 300, .leave = 320 },
};

TEST(nobody_leaves_a_barrier_before_the_last_one_is_there)
{
    tw_report r = tw_analyze(barrier, TW_LEN(barrier));

    CHECK_EQ(tw_finding(r, "clock-collective"), 1);
    r = tw_analyze_with(barrier, TW_LEN(barrier), .arguments = "--clock clc");
    CHECK_EQ(tw_finding(r, "clock-collective"), 0);
    CHECK_SPAN(r, "mpi_barrier_wait", process(0), 300 - 207); /* 11 at 290, so 7 at 200 */
    CHECK_SPAN(r, "mpi_barrier_wait", process(1), 50);
    CHECK_SPAN(r, "mpi_barrier_wait", process(2), 0);
}

/* Only who is not below the one that is late is kept by it. */
static const tw_op scan[] = {
    { .process = 0, .op = TW_SCAN, .enter = 100, .leave = 150 },
    { .process = 1, .op = TW_SCAN, .enter = 200, .leave = 260 },
    { .process = 2, .op = TW_SCAN, .enter = 120, .leave = 190 },
};

TEST(a_prefix_reduction_waits_for_lower_ranks_only)
{
    tw_report r = tw_analyze_with(scan, TW_LEN(scan), .arguments = "--clock clc");

    CHECK_EQ(tw_finding(r, "clock-collective"), 0);
    CHECK_SPAN(r, "mpi_collective", process(0), 50);
    CHECK_SPAN(r, "mpi_collective", process(2), 201 - 126);
}

/* The root begins at 200; process 1, which has it at 150, moves. The root itself, who waits for nobody, does not. */
static const tw_op broadcast[] = {
    { .process = 0, .op = TW_BCAST, .enter = 200, .leave = 205, .root = 0 },
    { .process = 1, .op = TW_BCAST, .enter = 100, .leave = 150, .root = 0 },
};

TEST(nobody_has_a_broadcast_before_its_root)
{
    tw_report r = tw_analyze_with(broadcast, TW_LEN(broadcast), .arguments = "--clock clc");

    CHECK_EQ(tw_finding(r, "clock-collective"), 0);
    CHECK_SPAN(r, "mpi_collective", process(0), 5);
    CHECK_SPAN(r, "mpi_latebroadcast", process(1), 200 - 134); /* 51 at 150 */
}

/* Thread 0 leaves at 38, before thread 1 is there. */
static const tw_op team[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 5, .leave = 60 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 6, .leave = 58 },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 18, .leave = 38 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 7, .leave = 59 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 40, .leave = 44 },
};

TEST(threads_leave_a_barrier_when_all_are_there)
{
    tw_report r = tw_analyze_with(team, TW_LEN(team), .arguments = "--clock clc");

    CHECK_THREAD(r, "omp_ebarrier_wait", 1, 0);
    CHECK_SPAN(r, "omp_ebarrier", process(0), 40 - 19 + 4); /* 2 at 38, 1 at 18 */
}

/* Process 0 puts at 200, process 1 leaves the fence at 150. */
static const tw_op fence[] = {
    { .process = 0, .op = TW_FENCE, .enter = 10, .leave = 30 },
    { .process = 0, .op = TW_PUT, .enter = 200, .leave = 205, .peer = 1 },
    { .process = 0, .op = TW_FENCE, .enter = 210, .leave = 230 },
    { .process = 1, .op = TW_FENCE, .enter = 12, .leave = 30 },
    { .process = 1, .op = TW_FENCE, .enter = 100, .leave = 150 },
};

TEST(a_fence_does_not_end_before_what_is_put_there)
{
    tw_report r = tw_analyze_with(fence, TW_LEN(fence), .arguments = "--clock clc");

    /* 51 at 150, so 34 at 100, 10 at 30, 4 at 12 */
    CHECK_SPAN_AT(r, "time", "main;MPI_Win_fence", process(1), (201 - 134) + (40 - 16));
    CHECK_SPAN_AT(r, "time", "main;MPI_Win_fence", process(0), 20 + 20);
}

TEST(clocks_as_they_were_recorded)
{
    static const tw_clock_offset ahead[]   = { { 0, -100 }, { 1000, -100 } }, right[] = { { 0, 0 }, { 1000, 0 } };
    static const tw_clock        clocks[]  = { { ahead, 2 }, { right, 2 } };
    static const tw_options      options   = { .clocks = clocks };
    static const tw_op           message[] = {
        { .process = 0, .op = TW_SEND, .enter = 150, .leave = 155, .peer = 1 },
        { .process = 1, .op = TW_RECV, .enter = 120, .leave = 160, .peer = 0 },
    };
    tw_report r = tw_analyze_with(message, TW_LEN(message), .options = &options);

    CHECK_EQ(tw_finding(r, "clock-point-to-point"), 0);
    r = tw_analyze_with(message, TW_LEN(message), .options = &options, .arguments = "--clock none");
    CHECK_EQ(tw_finding(r, "clock-point-to-point"), 1);
    r = tw_analyze_with(message, TW_LEN(message), .options = &options, .arguments = "--clock linear");
    CHECK_SPAN(r, "mpi_latesender", process(1), 30);
}

TEST_MAIN
