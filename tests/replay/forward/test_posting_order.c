/* tests/replay/forward/test_posting_order.c: "Messages" of docs/metrics.md: receives of one channel that are not
 * completed in the order in which they were posted.
 *
 *   ticks       0  2      10      20       40      50     60     65
 *   process 0   ··········[send 1]·········[send 2]·················
 *   process 1   [a][b]············[ Waitany: b     ]······[Wait: a]·    a gets 1, b gets 2: waiting = 40 - 20
 */
#include "check.h"
#include "situation.h"

#define IRECV(number, at, n) { .process = 1, .op = TW_IRECV, .enter = (at), .leave = (at) + 1, .peer = 0,              \
                               .request = (number), .bytes = (n) }

static const tw_op later_first[] = {
    { .process = 0, .op = TW_SEND, .enter = 10, .leave = 12, .peer = 1, .bytes = 100 },
    { .process = 0, .op = TW_SEND, .enter = 40, .leave = 42, .peer = 1, .bytes = 7 },
    IRECV(1, 0, 100),
    IRECV(2, 2, 7),
    { .process = 1, .op = TW_WAITANY, .enter = 20, .leave = 50, .request = 2 },
    { .process = 1, .op = TW_WAIT, .enter = 60, .leave = 65, .request = 1 },
};

TEST(the_receive_that_was_posted_first_gets_the_message_that_was_sent_first)
{
    tw_report r = tw_analyze(later_first, TW_LEN(later_first));

    CHECK_SPAN(r, "mpi_latesender", process(1), 20);
    CHECK_SPAN_AT(r, "mpi_latesender", "main;MPI_Waitany", process(1), 20);
    CHECK_SPAN_AT(r, "bytes_rcvd", "main;MPI_Waitany", process(1), 7);
    CHECK_SPAN_AT(r, "bytes_rcvd", "main;MPI_Wait", process(1), 100);
    CHECK_SPAN_AT(r, "mpi_receive_overlap", "main;MPI_Wait", process(1), 50);
    CHECK_SPAN_AT(r, "mpi_receive_overlap", "main;MPI_Waitany", process(1), 0);
}

TEST(a_message_that_was_sent_earlier_is_received_later)
{
    tw_report r = tw_analyze(later_first, TW_LEN(later_first));

    CHECK_SPAN_AT(r, "mpi_lswo_same", "main;MPI_Waitany", process(1), 20);
    CHECK_SPAN(r, "mpi_lswo_different", process(1), 0);
}

/* Until 40 process 0 is in "main" for 38 and in MPI_Send for 2; until 20 process 1 is for 18 in "main": the excess is
 * 20 and 2, of which 20 count. */
TEST(the_cause_is_what_the_sender_did_before_the_later_message)
{
    tw_report r = tw_analyze(later_first, TW_LEN(later_first));

    CHECK_EQ(tw_cause(r, "main", "main;MPI_Waitany", "latesender", false), 20 * 20 / 22);
}

TEST(scout_matches_in_the_order_of_the_records)
{
    tw_report r = tw_analyze_with(later_first, TW_LEN(later_first), .arguments = "--compat=scout26");

    CHECK_SPAN(r, "mpi_latesender", process(1), 0);
    CHECK_SPAN_AT(r, "bytes_rcvd", "main;MPI_Waitany", process(1), 100);
    CHECK_SPAN_AT(r, "bytes_rcvd", "main;MPI_Wait", process(1), 7);
}

static const tw_op in_one_call[] = {
    { .process = 0, .op = TW_SEND, .enter = 10, .leave = 12, .peer = 1, .bytes = 100 },
    { .process = 0, .op = TW_SEND, .enter = 40, .leave = 42, .peer = 1, .bytes = 7 },
    IRECV(1, 0, 100),
    IRECV(2, 2, 7),
    { .process = 1, .op = TW_WAITALL, .enter = 20, .leave = 50, .requests = TW_REQUESTS(2, 1) },
};

TEST(the_order_of_the_requests_in_a_call_does_not_matter)
{
    tw_report r = tw_analyze(in_one_call, TW_LEN(in_one_call));

    CHECK_SPAN(r, "mpi_latesender", process(1), 20);
    CHECK_SPAN(r, "bytes_rcvd", process(1), 107);
    CHECK_SPAN(r, "mpi_lswo_same", process(1), 0);
}

/*   process 0   [ Ssend 1        ]·[send 2]·········
 *   process 1   ··········[a][b]·········[wait b][wait a]    1 waits for a */
static const tw_op late_receiver[] = {
    { .process = 0, .op = TW_SSEND, .enter = 5, .leave = 30, .peer = 1 },
    { .process = 0, .op = TW_SEND, .enter = 40, .leave = 42, .peer = 1 },
    IRECV(1, 15, 8),
    IRECV(2, 20, 8),
    { .process = 1, .op = TW_WAIT, .enter = 50, .leave = 52, .request = 2 },
    { .process = 1, .op = TW_WAIT, .enter = 60, .leave = 62, .request = 1 },
};

TEST(a_sender_waits_for_the_post_of_its_own_receive)
{
    tw_report r = tw_analyze(late_receiver, TW_LEN(late_receiver));

    CHECK_SPAN(r, "mpi_latereceiver", process(0), 10);
    r = tw_analyze_with(late_receiver, TW_LEN(late_receiver), .arguments = "--compat=scout26");
    CHECK_SPAN(r, "mpi_latereceiver", process(0), 15);
}

static const tw_op blocking[] = {
    { .process = 0, .op = TW_SEND, .enter = 10, .leave = 12, .peer = 1, .bytes = 100 },
    { .process = 0, .op = TW_SEND, .enter = 40, .leave = 42, .peer = 1, .bytes = 7 },
    IRECV(1, 0, 100),
    { .process = 1, .op = TW_RECV, .enter = 20, .leave = 50, .peer = 0, .bytes = 7 },
    { .process = 1, .op = TW_WAIT, .enter = 60, .leave = 65, .request = 1 },
};

TEST(a_blocking_receive_is_posted_by_its_call)
{
    tw_report r = tw_analyze(blocking, TW_LEN(blocking));

    CHECK_SPAN_AT(r, "mpi_latesender", "main;MPI_Recv", process(1), 20);
    CHECK_SPAN_AT(r, "bytes_rcvd", "main;MPI_Recv", process(1), 7);
}

static const tw_op one_tick[] = {
    { .process = 0, .op = TW_SEND, .enter = 10, .leave = 12, .peer = 1, .bytes = 100 },
    { .process = 0, .op = TW_SEND, .enter = 20, .leave = 22, .peer = 1, .bytes = 30 },
    { .process = 0, .op = TW_SEND, .enter = 40, .leave = 42, .peer = 1, .bytes = 7 },
    { .process = 1, .op = TW_IRECV, .enter = 5, .leave = 5, .peer = 0, .request = 1, .bytes = 100 },
    { .process = 1, .op = TW_IRECV, .enter = 5, .leave = 5, .peer = 0, .request = 2, .bytes = 30 },
    { .process = 1, .op = TW_RECV, .enter = 5, .leave = 50, .peer = 0, .bytes = 7 },
    { .process = 1, .op = TW_WAITANY, .enter = 60, .leave = 65, .request = 2 },
    { .process = 1, .op = TW_WAIT, .enter = 70, .leave = 75, .request = 1 },
};

TEST(posts_of_one_tick_are_in_order)
{
    tw_report r = tw_analyze(one_tick, TW_LEN(one_tick));

    CHECK_SPAN_AT(r, "bytes_rcvd", "main;MPI_Recv", process(1), 7);
    CHECK_SPAN_AT(r, "bytes_rcvd", "main;MPI_Waitany", process(1), 30);
    CHECK_SPAN_AT(r, "bytes_rcvd", "main;MPI_Wait", process(1), 100);
    CHECK_SPAN_AT(r, "mpi_latesender", "main;MPI_Recv", process(1), 35);
}

/* It is not known on which channel a receive was that is never completed. */
static const tw_op never_completed[] = {
    { .process = 0, .op = TW_SEND, .enter = 10, .leave = 12, .peer = 1, .bytes = 100 },
    IRECV(1, 0, 8),
    IRECV(2, 2, 100),
    { .process = 1, .op = TW_WAIT, .enter = 5, .leave = 20, .request = 2 },
};

TEST(a_receive_that_is_not_completed_takes_no_message)
{
    tw_report r = tw_analyze(never_completed, TW_LEN(never_completed));

    CHECK_SPAN(r, "mpi_latesender", process(1), 5);
    CHECK_EQ(tw_finding(r, "unmatched-receive"), 0);
    CHECK_EQ(tw_finding(r, "unmatched-send"), 0);
}

static const tw_op cancelled[] = {
    { .process = 0, .op = TW_SEND, .enter = 10, .leave = 12, .peer = 1, .bytes = 100 },
    { .process = 0, .op = TW_SEND, .enter = 30, .leave = 32, .peer = 1, .bytes = 7 },
    IRECV(1, 0, 8),
    IRECV(2, 2, 100),
    IRECV(3, 4, 7),
    { .process = 1, .op = TW_WAIT, .enter = 6, .leave = 7, .request = 1, .cancelled = true },
    { .process = 1, .op = TW_WAITANY, .enter = 20, .leave = 40, .request = 3 },
    { .process = 1, .op = TW_WAIT, .enter = 41, .leave = 42, .request = 2 },
};

TEST(a_cancelled_receive_takes_no_message)
{
    tw_report r = tw_analyze(cancelled, TW_LEN(cancelled));

    CHECK_SPAN_AT(r, "mpi_latesender", "main;MPI_Waitany", process(1), 10);
    CHECK_SPAN_AT(r, "bytes_rcvd", "main;MPI_Waitany", process(1), 7);
}

/* Thread 1 receives after the first completion of thread 0, whose other receive was posted before. */
static const tw_op of_threads[] = {
    { .process = 0, .op = TW_SEND, .enter = 10, .leave = 12, .peer = 1, .bytes = 100 },
    { .process = 0, .op = TW_SEND, .enter = 40, .leave = 42, .peer = 1, .bytes = 7 },
    { .process = 0, .op = TW_SEND, .enter = 54, .leave = 55, .peer = 1, .bytes = 30 },
    { .process = 1, .op = TW_FORK, .enter = 1, .leave = 90 },
    { .process = 1, .op = TW_TEAM, .enter = 2, .leave = 88 },
    { .process = 1, .thread = 1, .op = TW_TEAM, .enter = 2, .leave = 88 },
    { .process = 1, .op = TW_IRECV, .enter = 3, .leave = 4, .request = 1, .bytes = 100 },
    { .process = 1, .op = TW_IRECV, .enter = 5, .leave = 6, .request = 2, .bytes = 7 },
    { .process = 1, .op = TW_WAIT, .enter = 20, .leave = 50, .request = 2 },
    { .process = 1, .op = TW_WAITANY, .enter = 62, .leave = 65, .request = 1 },
    { .process = 1, .thread = 1, .op = TW_RECV, .enter = 44, .leave = 60, .peer = 0, .bytes = 30 },
};

TEST(a_thread_has_the_messages_of_its_posts_and_others_those_of_their_records)
{
    tw_report r = tw_analyze(of_threads, TW_LEN(of_threads));

    CHECK_EQ(tw_value_of_thread(r, "mpi_latesender", "MPI_Wait", process(1), 0), 20);
    CHECK_EQ(tw_value_of_thread(r, "bytes_rcvd", "MPI_Wait", process(1), 0), 7);
    CHECK_EQ(tw_value_of_thread(r, "bytes_rcvd", "MPI_Waitany", process(1), 0), 100);
    CHECK_EQ(tw_value_of_thread(r, "mpi_latesender", NULL, process(1), 1), 10);
    CHECK_EQ(tw_value_of_thread(r, "bytes_rcvd", NULL, process(1), 1), 30);
}

/* Thread 0 posts both and completes the later one, thread 1 the earlier one. */
static const tw_op completed_elsewhere[] = {
    { .process = 0, .op = TW_SEND, .enter = 10, .leave = 12, .peer = 1, .bytes = 100 },
    { .process = 0, .op = TW_SEND, .enter = 40, .leave = 42, .peer = 1, .bytes = 7 },
    { .process = 1, .op = TW_FORK, .enter = 1, .leave = 90 },
    { .process = 1, .op = TW_TEAM, .enter = 2, .leave = 88 },
    { .process = 1, .thread = 1, .op = TW_TEAM, .enter = 2, .leave = 88 },
    { .process = 1, .op = TW_IRECV, .enter = 3, .leave = 4, .request = 1, .bytes = 100 },
    { .process = 1, .op = TW_IRECV, .enter = 5, .leave = 6, .request = 2, .bytes = 7 },
    { .process = 1, .op = TW_WAIT, .enter = 20, .leave = 50, .request = 2 },
    { .process = 1, .thread = 1, .op = TW_WAIT, .enter = 60, .leave = 65, .request = 1 },
};

TEST(it_does_not_matter_which_thread_completes_a_receive)
{
    tw_report r = tw_analyze(completed_elsewhere, TW_LEN(completed_elsewhere));

    CHECK_EQ(tw_value_of_thread(r, "mpi_latesender", NULL, process(1), 0), 20);
    CHECK_EQ(tw_value_of_thread(r, "bytes_rcvd", NULL, process(1), 1), 100);
}

TEST_MAIN
