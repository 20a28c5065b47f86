/* tests/replay/forward/test_late_sender.c: "Late Sender" of docs/metrics.md: a receive that is there before its send.
 *
 *   ticks       10 20        50   55 60
 *   process 0   ·············[send]····
 *   process 1   ···[recv·············]     waiting = 50 - 20, at process 1
 */
#include "check.h"
#include "situation.h"

static const tw_op late[] = {
    { .process = 0, .op = TW_SEND, .enter = 50, .leave = 55, .peer = 1, .tag = 7 },
    { .process = 1, .op = TW_RECV, .enter = 20, .leave = 60, .peer = 0, .tag = 7 },
};

TEST(receive_posted_before_the_send_waits_for_it)
{
    tw_report r = tw_analyze(late, TW_LEN(late));

    CHECK_SPAN(r, "mpi_latesender", process(1), 30);
    CHECK_SPAN(r, "mpi_latesender", process(0), 0);
    CHECK_SPAN_AT(r, "mpi_latesender", "main;MPI_Recv", process(1), 30);
    CHECK_SPAN_AT(r, "mpi_point2point", "main;MPI_Recv", process(1), 40);
    CHECK_SPAN(r, "mpi_latereceiver", process(0), 0);
    CHECK_SPAN(r, "mpi_latesender_wo", process(1), 0);
}

TEST(a_late_sender_with_payload_is_counted_as_communication)
{
    tw_report r = tw_analyze(late, TW_LEN(late));

    CHECK_SPAN(r, "mpi_cls_count", process(1), 1);
    CHECK_SPAN(r, "mpi_sls_count", process(1), 0);
    CHECK_SPAN(r, "comms_send", process(0), 1);
    CHECK_SPAN(r, "comms_recv", process(1), 1);
    CHECK_SPAN(r, "bytes_sent", process(0), 8);
    CHECK_SPAN(r, "bytes_rcvd", process(1), 8);
}

static const tw_op empty[] = {
    { .process = 0, .op = TW_SEND, .enter = 50, .leave = 55, .peer = 1, .bytes = TW_NOTHING },
    { .process = 1, .op = TW_RECV, .enter = 20, .leave = 60, .peer = 0, .bytes = TW_NOTHING },
};

TEST(a_late_sender_without_payload_is_counted_as_synchronization)
{
    tw_report r = tw_analyze(empty, TW_LEN(empty));

    CHECK_SPAN(r, "mpi_latesender", process(1), 30);
    CHECK_SPAN(r, "mpi_sls_count", process(1), 1);
    CHECK_SPAN(r, "mpi_cls_count", process(1), 0);
    CHECK_SPAN(r, "syncs_recv", process(1), 1);
    CHECK_SPAN(r, "syncs_send", process(0), 1);
    CHECK_SPAN(r, "bytes_p2p", process(1), 0);
}

static const tw_op equal_times[] = {
    { .process = 0, .op = TW_SEND, .enter = 20, .leave = 55, .peer = 1 },
    { .process = 1, .op = TW_RECV, .enter = 20, .leave = 60, .peer = 0 },
};

TEST(send_and_receive_that_start_together_do_not_wait)
{
    tw_report r = tw_analyze(equal_times, TW_LEN(equal_times));

    CHECK_SPAN(r, "mpi_latesender", process(1), 0);
    CHECK_SPAN(r, "mpi_cls_count", process(1), 0);
}

static const tw_op one_tick[] = {
    { .process = 0, .op = TW_SEND, .enter = 21, .leave = 55, .peer = 1 },
    { .process = 1, .op = TW_RECV, .enter = 20, .leave = 60, .peer = 0 },
};

TEST(one_tick_is_a_wait)
{
    tw_report r = tw_analyze(one_tick, TW_LEN(one_tick));

    CHECK_SPAN(r, "mpi_latesender", process(1), 1);
    CHECK_SPAN(r, "mpi_cls_count", process(1), 1);
}

static const tw_op send_first[] = {
    { .process = 0, .op = TW_SEND, .enter = 10, .leave = 15, .peer = 1 },
    { .process = 1, .op = TW_RECV, .enter = 20, .leave = 60, .peer = 0 },
};

TEST(a_send_that_was_there_first_costs_nothing)
{
    tw_report r = tw_analyze(send_first, TW_LEN(send_first));

    CHECK_SPAN(r, "mpi_latesender", process(1), 0);
    CHECK_SPAN(r, "mpi_latereceiver", process(0), 0);
}

/*   ticks       100      120      150     160
 *   process 0   [Waitall·····················]   only the largest wait of the call counts: 150 - 100
 *   process 1   ··········[send]
 *   process 2   ···················[send]
 */
static const tw_op waitall[] = {
    { .process = 0, .op = TW_IRECV, .enter = 10, .leave = 12, .peer = 1, .request = 1 },
    { .process = 0, .op = TW_IRECV, .enter = 14, .leave = 16, .peer = 2, .request = 2 },
    { .process = 0, .op = TW_WAITALL, .enter = 100, .leave = 160, .requests = TW_REQUESTS(1, 2) },
    { .process = 1, .op = TW_SEND, .enter = 120, .leave = 125, .peer = 0 },
    { .process = 2, .op = TW_SEND, .enter = 150, .leave = 155, .peer = 0 },
};

TEST(a_waitall_counts_its_largest_wait_once)
{
    tw_report r = tw_analyze(waitall, TW_LEN(waitall));

    CHECK_SPAN(r, "mpi_latesender", process(0), 50);
    CHECK_SPAN_AT(r, "mpi_latesender", "MPI_Waitall", process(0), 50);
    CHECK_SPAN(r, "mpi_cls_count", process(0), 1);
    CHECK_SPAN(r, "comms_recv", process(0), 2);
}

static const tw_op waitall_turned[] = {
    { .process = 0, .op = TW_IRECV, .enter = 10, .leave = 12, .peer = 1, .request = 1 },
    { .process = 0, .op = TW_IRECV, .enter = 14, .leave = 16, .peer = 2, .request = 2 },
    { .process = 0, .op = TW_WAITALL, .enter = 100, .leave = 160, .requests = TW_REQUESTS(2, 1) },
    { .process = 1, .op = TW_SEND, .enter = 120, .leave = 125, .peer = 0 },
    { .process = 2, .op = TW_SEND, .enter = 150, .leave = 155, .peer = 0 },
};

TEST(the_largest_wait_of_a_waitall_may_be_any_of_its_messages)
{
    tw_report r = tw_analyze(waitall_turned, TW_LEN(waitall_turned));

    CHECK_SPAN(r, "mpi_latesender", process(0), 50);
    CHECK_SPAN(r, "mpi_cls_count", process(0), 1);
}

/*   ticks       10    12  40       60    70
 *   process 0   [Irecv]   [Wait············]     60 - 40: posting early costs nothing
 *   process 1   ·····················[send]
 */
static const tw_op waited[] = {
    { .process = 0, .op = TW_IRECV, .enter = 10, .leave = 12, .peer = 1, .request = 1 },
    { .process = 0, .op = TW_WAIT, .enter = 40, .leave = 70, .request = 1 },
    { .process = 1, .op = TW_SEND, .enter = 60, .leave = 65, .peer = 0 },
};

TEST(an_irecv_waits_in_the_call_that_completes_it)
{
    tw_report r = tw_analyze(waited, TW_LEN(waited));

    CHECK_SPAN(r, "mpi_latesender", process(0), 20);
    CHECK_SPAN_AT(r, "mpi_latesender", "MPI_Wait", process(0), 20);
    CHECK_SPAN_AT(r, "mpi_latesender", "MPI_Irecv", process(0), 0);
}

static const tw_op tested[] = {
    { .process = 0, .op = TW_IRECV, .enter = 10, .leave = 12, .peer = 1, .request = 1 },
    { .process = 0, .op = TW_TEST, .enter = 20, .leave = 22, .request = 1, .unsuccessful = true },
    { .process = 0, .op = TW_TEST, .enter = 25, .leave = 27, .request = 1, .unsuccessful = true },
    { .process = 0, .op = TW_TEST, .enter = 40, .leave = 70, .request = 1 },
    { .process = 1, .op = TW_SEND, .enter = 60, .leave = 65, .peer = 0 },
};

TEST(a_receive_completed_by_a_test_never_waits)
{
    tw_report r = tw_analyze(tested, TW_LEN(tested));

    CHECK_SPAN(r, "mpi_latesender", process(0), 0);
    CHECK_SPAN(r, "mpi_cls_count", process(0), 0);
    CHECK_SPAN(r, "comms_recv", process(0), 1);
}

static const tw_op tested_then_waited[] = {
    { .process = 0, .op = TW_IRECV, .enter = 10, .leave = 12, .peer = 1, .request = 1 },
    { .process = 0, .op = TW_TEST, .enter = 20, .leave = 22, .request = 1, .unsuccessful = true },
    { .process = 0, .op = TW_WAIT, .enter = 40, .leave = 70, .request = 1 },
    { .process = 1, .op = TW_SEND, .enter = 60, .leave = 65, .peer = 0 },
};

TEST(a_test_before_the_wait_changes_nothing)
{
    tw_report r = tw_analyze(tested_then_waited, TW_LEN(tested_then_waited));

    CHECK_SPAN(r, "mpi_latesender", process(0), 20);
}

/* A persistent receive, started twice: the second start waits, too. */
static const tw_op persistent[] = {
    { .process = 0, .op = TW_USER, .region = "MPI_Recv_init", .enter = 1, .leave = 2 },
    { .process = 0, .op = TW_START_RECV, .enter = 10, .leave = 12, .peer = 1, .request = 1 },
    { .process = 0, .op = TW_WAIT, .enter = 20, .leave = 32, .request = 1 },
    { .process = 0, .op = TW_START_RECV, .enter = 40, .leave = 42, .peer = 1, .request = 1 },
    { .process = 0, .op = TW_WAIT, .enter = 50, .leave = 82, .request = 1 },
    { .process = 1, .op = TW_SEND, .enter = 30, .leave = 31, .peer = 0 },
    { .process = 1, .op = TW_SEND, .enter = 75, .leave = 80, .peer = 0 },
};

TEST(each_start_of_a_persistent_receive_is_a_receive_of_its_own)
{
    tw_report r = tw_analyze(persistent, TW_LEN(persistent));

    CHECK_SPAN(r, "mpi_latesender", process(0), 10 + 25);
    CHECK_SPAN(r, "mpi_cls_count", process(0), 2);
}

/*   ticks       40      70  75
 *   process 0   ············[send]     clock of process 0 is late: the message is received before it is sent
 *   process 1   [recv···]
 */
static const tw_op bad_clock[] = {
    { .process = 0, .op = TW_SEND, .enter = 75, .leave = 80, .peer = 1 },
    { .process = 1, .op = TW_RECV, .enter = 40, .leave = 70, .peer = 0 },
};

TEST(a_wait_stays_inside_its_call_when_clocks_are_wrong)
{
    tw_report r = tw_analyze(bad_clock, TW_LEN(bad_clock));

    CHECK_SPAN(r, "mpi_latesender", process(1), 30);
    CHECK_EQ(tw_finding(r, "clock-point-to-point"), 1);
}

static const tw_op good_clock[] = {
    { .process = 0, .op = TW_SEND, .enter = 70, .leave = 80, .peer = 1 },
    { .process = 1, .op = TW_RECV, .enter = 40, .leave = 70, .peer = 0 },
};

TEST(a_message_that_arrives_when_it_is_sent_violates_nothing)
{
    tw_report r = tw_analyze(good_clock, TW_LEN(good_clock));

    CHECK_SPAN(r, "mpi_latesender", process(1), 30);
    CHECK_EQ(tw_finding(r, "clock-point-to-point"), 0);
}

TEST(skewed_clocks_are_corrected_before_anything_is_measured)
{
    static const tw_clock_offset right[]  = { { 0, 0 }, { 100, 0 } };
    static const tw_clock_offset ahead[]  = { { 505, -500 }, { 605, -520 } };
    static const tw_clock        clocks[] = { { ahead, 2 }, { right, 2 } };
    static const tw_options      options  = { .clocks = clocks };
    tw_report                    r        = tw_analyze_with(late, TW_LEN(late), .options = &options);

    CHECK_SPAN(r, "mpi_latesender", process(1), 30);
    CHECK_EQ(tw_finding(r, "clock-point-to-point"), 0);
}

TEST(local_numbers_of_regions_and_communicators_do_not_matter)
{
    static const tw_options options = { .archive = { .with_mappings = true } };
    tw_report               r       = tw_analyze_with(late, TW_LEN(late), .options = &options);

    CHECK_SPAN_AT(r, "mpi_latesender", "main;MPI_Recv", process(1), 30);
}

/*   ticks       20             40       60
 *   process 0   [Sendrecv·················]     40 - 20: the other one enters later
 *   process 1   ···············[Sendrecv··]
 */
static const tw_op sendrecv[] = {
    { .process = 0, .op = TW_SENDRECV, .enter = 20, .leave = 60, .peer = 1, .from = 1 },
    { .process = 1, .op = TW_SENDRECV, .enter = 40, .leave = 60, .peer = 0, .from = 0 },
};

TEST(sendrecv_is_a_send_and_a_receive)
{
    tw_report r = tw_analyze(sendrecv, TW_LEN(sendrecv));

    CHECK_SPAN(r, "mpi_latesender", process(0), 20);
    CHECK_SPAN(r, "mpi_latesender", process(1), 0);
    CHECK_SPAN(r, "mpi_latereceiver", process(0), 0);
    CHECK_SPAN(r, "mpi_latereceiver", process(1), 0);
}

/* Ranks of a communicator whose order is not that of the world: rank 0 is process 2, rank 1 is process 0. */
static const tw_comm turned[]   = { { .name = "turned", TW_PROCESSES(2, 0) } };
static const tw_op   in_turned[] = {
    { .process = 2, .op = TW_SEND, .enter = 50, .leave = 55, .peer = 1, .comm = TW_COMM(0) },
    { .process = 0, .op = TW_RECV, .enter = 20, .leave = 60, .peer = 0, .comm = TW_COMM(0) },
    { .process = 1, .op = TW_USER, .enter = 1, .leave = 5 },
};

TEST(ranks_of_a_sub_communicator_are_translated)
{
    static const tw_options options = { .comms = turned, .n_comms = 1 };
    tw_report               r       = tw_analyze_with(in_turned, TW_LEN(in_turned), .options = &options);

    CHECK_SPAN(r, "mpi_latesender", process(0), 30);
    CHECK_SPAN(r, "mpi_latesender", process(1), 0);
    CHECK_SPAN(r, "mpi_latesender", process(2), 0);
}

static const tw_op to_self[] = {
    { .process = 0, .op = TW_IRECV, .enter = 10, .leave = 12, .peer = 0, .comm = TW_SELF, .request = 1 },
    { .process = 0, .op = TW_SEND, .enter = 20, .leave = 25, .peer = 0, .comm = TW_SELF },
    { .process = 0, .op = TW_WAIT, .enter = 30, .leave = 35, .request = 1 },
    { .process = 1, .op = TW_IRECV, .enter = 10, .leave = 12, .peer = 0, .comm = TW_SELF, .request = 1 },
    { .process = 1, .op = TW_SEND, .enter = 20, .leave = 25, .peer = 0, .comm = TW_SELF },
    { .process = 1, .op = TW_WAIT, .enter = 30, .leave = 35, .request = 1 },
};

TEST(messages_to_oneself_are_matched_on_each_process)
{
    tw_report r = tw_analyze(to_self, TW_LEN(to_self));

    CHECK_SPAN(r, "mpi_latesender", process(0), 0);
    CHECK_SPAN(r, "comms_recv", process(0), 1);
    CHECK_SPAN(r, "comms_recv", process(1), 1);
    CHECK_EQ(tw_finding(r, "unmatched-receive"), 0);
    CHECK_EQ(tw_finding(r, "unmatched-send"), 0);
}

TEST_MAIN
