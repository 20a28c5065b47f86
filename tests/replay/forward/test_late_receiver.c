/* tests/replay/forward/test_late_receiver.c: "Late Receiver" of docs/metrics.md: a send that cannot go on before its
 * receive is posted.
 *
 *   ticks       10              45       60 62
 *   process 0   [ssend···················]        waiting = 45 - 10, at process 0
 *   process 1   ················[recv········]
 */
#include "check.h"
#include "situation.h"

static const tw_op late[] = {
    { .process = 0, .op = TW_SSEND, .enter = 10, .leave = 60, .peer = 1 },
    { .process = 1, .op = TW_RECV, .enter = 45, .leave = 62, .peer = 0 },
};

TEST(a_send_posted_before_the_receive_waits_for_it)
{
    tw_report r = tw_analyze(late, TW_LEN(late));

    CHECK_SPAN(r, "mpi_latereceiver", process(0), 35);
    CHECK_SPAN_AT(r, "mpi_latereceiver", "main;MPI_Ssend", process(0), 35);
    CHECK_SPAN(r, "mpi_latereceiver", process(1), 0);
    CHECK_SPAN(r, "mpi_latesender", process(1), 0);
    CHECK_SPAN(r, "mpi_clr_count", process(0), 1);
    CHECK_SPAN(r, "mpi_slr_count", process(0), 0);
}

static const tw_op over[] = {
    { .process = 0, .op = TW_SSEND, .enter = 10, .leave = 60, .peer = 1 },
    { .process = 1, .op = TW_RECV, .enter = 65, .leave = 70, .peer = 0 },
};

TEST(a_receive_posted_after_the_end_of_the_send_cannot_have_held_it)
{
    tw_report r = tw_analyze(over, TW_LEN(over));

    CHECK_SPAN(r, "mpi_latereceiver", process(0), 0);
    CHECK_SPAN(r, "mpi_clr_count", process(0), 0);
}

static const tw_op at_the_end[] = {
    { .process = 0, .op = TW_SEND, .enter = 10, .leave = 60, .peer = 1 },
    { .process = 1, .op = TW_RECV, .enter = 60, .leave = 70, .peer = 0 },
};

TEST(a_receive_posted_at_the_end_of_the_send_is_too_late)
{
    tw_report r = tw_analyze(at_the_end, TW_LEN(at_the_end));

    CHECK_SPAN(r, "mpi_latereceiver", process(0), 0);
}

static const tw_op just_before[] = {
    { .process = 0, .op = TW_SEND, .enter = 10, .leave = 60, .peer = 1 },
    { .process = 1, .op = TW_RECV, .enter = 59, .leave = 70, .peer = 0 },
};

TEST(a_standard_send_can_wait_until_just_before_its_end)
{
    tw_report r = tw_analyze(just_before, TW_LEN(just_before));

    CHECK_SPAN(r, "mpi_latereceiver", process(0), 49);
}

static const tw_op equal_times[] = {
    { .process = 0, .op = TW_SSEND, .enter = 10, .leave = 60, .peer = 1 },
    { .process = 1, .op = TW_RECV, .enter = 10, .leave = 62, .peer = 0 },
};

TEST(send_and_receive_that_start_together_do_not_wait)
{
    tw_report r = tw_analyze(equal_times, TW_LEN(equal_times));

    CHECK_SPAN(r, "mpi_latereceiver", process(0), 0);
    CHECK_SPAN(r, "mpi_latesender", process(1), 0);
}

/* The receive was posted long before, only its Wait comes late. */
static const tw_op posted_early[] = {
    { .process = 0, .op = TW_SSEND, .enter = 10, .leave = 20, .peer = 1 },
    { .process = 1, .op = TW_IRECV, .enter = 5, .leave = 6, .peer = 0, .request = 1 },
    { .process = 1, .op = TW_WAIT, .enter = 15, .leave = 22, .request = 1 },
};

TEST(what_counts_is_when_the_receive_was_posted)
{
    tw_report r = tw_analyze(posted_early, TW_LEN(posted_early));

    CHECK_SPAN(r, "mpi_latereceiver", process(0), 0);
}

/*   ticks       5     6   30         50    52    80
 *   process 0   [Isend]   [Wait····················]     50 - 30, at the Wait
 *   process 1   ·····················[Irecv] [Wait···]
 */
static const tw_op isend[] = {
    { .process = 0, .op = TW_ISEND, .enter = 5, .leave = 6, .peer = 1, .request = 1 },
    { .process = 0, .op = TW_WAIT, .enter = 30, .leave = 80, .request = 1 },
    { .process = 1, .op = TW_IRECV, .enter = 50, .leave = 52, .peer = 0, .request = 1 },
    { .process = 1, .op = TW_WAIT, .enter = 60, .leave = 82, .request = 1 },
};

TEST(an_isend_waits_in_the_call_that_completes_it)
{
    tw_report r = tw_analyze(isend, TW_LEN(isend));

    CHECK_SPAN(r, "mpi_latereceiver", process(0), 20);
    CHECK_SPAN_AT(r, "mpi_latereceiver", "MPI_Wait", process(0), 20);
    CHECK_SPAN_AT(r, "mpi_latereceiver", "MPI_Isend", process(0), 0);
    CHECK_SPAN(r, "mpi_latesender", process(1), 0);
}

static const tw_op isend_tested[] = {
    { .process = 0, .op = TW_ISEND, .enter = 5, .leave = 6, .peer = 1, .request = 1 },
    { .process = 0, .op = TW_TEST, .enter = 30, .leave = 80, .request = 1 },
    { .process = 1, .op = TW_IRECV, .enter = 50, .leave = 52, .peer = 0, .request = 1 },
    { .process = 1, .op = TW_WAIT, .enter = 60, .leave = 82, .request = 1 },
};

TEST(a_send_completed_by_a_test_never_waits)
{
    tw_report r = tw_analyze(isend_tested, TW_LEN(isend_tested));

    CHECK_SPAN(r, "mpi_latereceiver", process(0), 0);
}

/*   ticks       10       50         80     100
 *   process 0   [Waitall·····················]     the largest: 80 - 10
 *   process 1   ·········[recv···············]
 *   process 2   ····················[recv····]
 */
static const tw_op waitall[] = {
    { .process = 0, .op = TW_ISEND, .enter = 1, .leave = 2, .peer = 1, .request = 1 },
    { .process = 0, .op = TW_ISEND, .enter = 3, .leave = 4, .peer = 2, .request = 2 },
    { .process = 0, .op = TW_WAITALL, .enter = 10, .leave = 100, .requests = TW_REQUESTS(1, 2) },
    { .process = 1, .op = TW_RECV, .enter = 50, .leave = 99, .peer = 0 },
    { .process = 2, .op = TW_RECV, .enter = 80, .leave = 99, .peer = 0 },
};

TEST(a_waitall_counts_its_largest_wait_once)
{
    tw_report r = tw_analyze(waitall, TW_LEN(waitall));

    CHECK_SPAN(r, "mpi_latereceiver", process(0), 70);
    CHECK_SPAN(r, "mpi_clr_count", process(0), 1);
}

static const tw_op waitall_both[] = {
    { .process = 0, .op = TW_ISEND, .enter = 1, .leave = 2, .peer = 1, .request = 1 },
    { .process = 0, .op = TW_ISEND, .enter = 3, .leave = 4, .peer = 2, .request = 2 },
    { .process = 0, .op = TW_IRECV, .enter = 5, .leave = 6, .peer = 1, .tag = 9, .request = 3 },
    { .process = 0, .op = TW_WAITALL, .enter = 10, .leave = 100, .requests = TW_REQUESTS(1, 2, 3) },
    { .process = 1, .op = TW_SEND, .enter = 20, .leave = 21, .peer = 0, .tag = 9 },
    { .process = 1, .op = TW_RECV, .enter = 50, .leave = 99, .peer = 0 },
    { .process = 2, .op = TW_RECV, .enter = 80, .leave = 99, .peer = 0 },
};

TEST(a_late_sender_in_the_same_waitall_suppresses_late_receivers)
{
    tw_report r = tw_analyze(waitall_both, TW_LEN(waitall_both));

    CHECK_SPAN(r, "mpi_latesender", process(0), 10);
    CHECK_SPAN(r, "mpi_latereceiver", process(0), 0);
    CHECK_SPAN(r, "mpi_clr_count", process(0), 0);
}

static const tw_op waitall_receive_there[] = {
    { .process = 0, .op = TW_ISEND, .enter = 1, .leave = 2, .peer = 1, .request = 1 },
    { .process = 0, .op = TW_IRECV, .enter = 5, .leave = 6, .peer = 1, .tag = 9, .request = 3 },
    { .process = 0, .op = TW_WAITALL, .enter = 10, .leave = 100, .requests = TW_REQUESTS(1, 3) },
    { .process = 1, .op = TW_SEND, .enter = 10, .leave = 11, .peer = 0, .tag = 9 },
    { .process = 1, .op = TW_RECV, .enter = 50, .leave = 99, .peer = 0 },
};

TEST(a_receive_that_does_not_wait_suppresses_nothing)
{
    tw_report r = tw_analyze(waitall_receive_there, TW_LEN(waitall_receive_there));

    CHECK_SPAN(r, "mpi_latesender", process(0), 0);
    CHECK_SPAN(r, "mpi_latereceiver", process(0), 40);
}

#define LATE(mode)                                                                                                     \
    {                                                                                                                  \
        { .process = 0, .op = (mode), .enter = 10, .leave = 60, .peer = 1 },                                           \
        { .process = 1, .op = TW_RECV, .enter = 45, .leave = 62, .peer = 0 },                                          \
    }

static const tw_op buffered[] = LATE(TW_BSEND);
static const tw_op ready[]    = LATE(TW_RSEND);

TEST(buffered_and_ready_sends_never_wait)
{
    tw_report r = tw_analyze(buffered, TW_LEN(buffered));

    CHECK_SPAN(r, "mpi_latereceiver", process(0), 0);
    r = tw_analyze(ready, TW_LEN(ready));
    CHECK_SPAN(r, "mpi_latereceiver", process(0), 0);
}

static const tw_op sendrecv[] = {
    { .process = 0, .op = TW_SENDRECV, .enter = 10, .leave = 60, .peer = 1, .from = 1, .from_tag = 3 },
    { .process = 1, .op = TW_ISEND, .enter = 5, .leave = 6, .peer = 0, .tag = 3, .request = 1 },
    { .process = 1, .op = TW_RECV, .enter = 45, .leave = 62, .peer = 0 },
    { .process = 1, .op = TW_WAIT, .enter = 70, .leave = 71, .request = 1 },
};

TEST(sendrecv_never_waits_for_a_receiver)
{
    tw_report r = tw_analyze(sendrecv, TW_LEN(sendrecv));

    CHECK_SPAN(r, "mpi_latereceiver", process(0), 0);
    CHECK_SPAN(r, "mpi_latesender", process(0), 0);
}

/* A persistent send: its start is never blocking, its Wait may wait. */
static const tw_op persistent[] = {
    { .process = 0, .op = TW_USER, .region = "MPI_Ssend_init", .enter = 1, .leave = 2 },
    { .process = 0, .op = TW_START_SEND, .enter = 5, .leave = 20, .peer = 1, .request = 1 },
    { .process = 0, .op = TW_WAIT, .enter = 30, .leave = 80, .request = 1 },
    { .process = 1, .op = TW_RECV, .enter = 50, .leave = 82, .peer = 0 },
};

TEST(a_persistent_send_waits_where_it_is_completed)
{
    tw_report r = tw_analyze(persistent, TW_LEN(persistent));

    CHECK_SPAN(r, "mpi_latereceiver", process(0), 20);
    CHECK_SPAN_AT(r, "mpi_latereceiver", "MPI_Start", process(0), 0);
}

static const tw_op freed[] = {
    { .process = 0, .op = TW_ISEND, .enter = 10, .leave = 60, .peer = 1, .request = 1 },
    { .process = 0, .op = TW_USER, .region = "MPI_Request_free", .enter = 61, .leave = 62 },
    { .process = 1, .op = TW_RECV, .enter = 5, .leave = 65, .peer = 0 },
};

TEST(a_send_whose_request_was_freed_is_matched)
{
    tw_report r = tw_analyze(freed, TW_LEN(freed));

    CHECK_SPAN(r, "mpi_latereceiver", process(0), 0);
    CHECK_SPAN(r, "mpi_latesender", process(1), 5);
    CHECK_EQ(tw_finding(r, "unmatched-receive"), 0);
    CHECK_EQ(tw_finding(r, "unmatched-send"), 0);
}

TEST_MAIN
