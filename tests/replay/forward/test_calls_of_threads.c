/* tests/replay/forward/test_calls_of_threads.c: MPI called by any thread; whoever calls waits.
 *
 *   ticks      10        40   45 50
 *   process 1  ··········[send]···
 *   process 0  thread 0  ··········      nothing
 *              thread 1  [recv·····]     waiting = 40 - 10
 */
#include "check.h"
#include "situation.h"

/* The team of process 0 in which all of it happens. */
#define THREADS_OF_0                                                                                                   \
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 2, .leave = 180 },                                            \
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 2, .leave = 180 },                                            \
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 2, .leave = 180 }

static const tw_op receives[] = {
    THREADS_OF_0,
    { .process = 0, .thread = 1, .op = TW_RECV, .enter = 10, .leave = 50, .peer = 1, .tag = 7 },
    { .process = 1, .op = TW_SEND, .enter = 40, .leave = 45, .peer = 0, .tag = 7 },
};

TEST(the_thread_that_receives_waits)
{
    tw_report r = tw_analyze(receives, TW_LEN(receives));

    CHECK_THREAD(r, "mpi_latesender", 1, 30);
    CHECK_THREAD(r, "mpi_latesender", 0, 0);
    CHECK_THREAD_AT(r, "mpi_latesender", "!$omp parallel @program.c:1;MPI_Recv", 1, 30);
    CHECK_THREAD(r, "comms_recv", 1, 1);
}

static const tw_op sends[] = {
    THREADS_OF_0,
    { .process = 0, .thread = 1, .op = TW_SSEND, .enter = 10, .leave = 60, .peer = 1, .tag = 7 },
    { .process = 1, .op = TW_RECV, .enter = 45, .leave = 60, .peer = 0, .tag = 7 },
};

TEST(the_thread_that_sends_waits)
{
    tw_report r = tw_analyze(sends, TW_LEN(sends));

    CHECK_THREAD(r, "mpi_latereceiver", 1, 35);
    CHECK_THREAD(r, "mpi_latereceiver", 0, 0);
}

/*   process 1  ········[send]············[send]       one channel: the receive that ends first has the first message,
 *   process 0  ··[recv 1·····]                        whatever the thread
 *              ····[recv 0·····················]
 */
static const tw_op one_channel[] = {
    THREADS_OF_0,
    { .process = 0, .thread = 0, .op = TW_RECV, .enter = 15, .leave = 70, .peer = 1, .tag = 7 },
    { .process = 0, .thread = 1, .op = TW_RECV, .enter = 10, .leave = 30, .peer = 1, .tag = 7 },
    { .process = 1, .op = TW_SEND, .enter = 20, .leave = 25, .peer = 0, .tag = 7 },
    { .process = 1, .op = TW_SEND, .enter = 60, .leave = 65, .peer = 0, .tag = 7 },
};

TEST(records_of_all_threads_on_a_channel_are_in_one_order)
{
    tw_report r = tw_analyze(one_channel, TW_LEN(one_channel));

    CHECK_THREAD(r, "mpi_latesender", 1, 20 - 10);
    CHECK_THREAD(r, "mpi_latesender", 0, 60 - 15);
}

/* Records of one time: the lower thread is first, so it has the message of 20 bytes. */
static const tw_op at_once[] = {
    THREADS_OF_0,
    { .process = 0, .thread = 0, .op = TW_RECV, .enter = 15, .leave = 70, .peer = 1, .tag = 7, .bytes = 20 },
    { .process = 0, .thread = 1, .op = TW_RECV, .enter = 10, .leave = 70, .peer = 1, .tag = 7, .bytes = 40 },
    { .process = 1, .op = TW_SEND, .enter = 20, .leave = 25, .peer = 0, .tag = 7, .bytes = 20 },
    { .process = 1, .op = TW_SEND, .enter = 60, .leave = 65, .peer = 0, .tag = 7, .bytes = 40 },
};

TEST(of_equal_times_the_lower_thread_is_first)
{
    tw_report r = tw_analyze(at_once, TW_LEN(at_once));

    CHECK_THREAD(r, "bytes_rcvd", 0, 20);
    CHECK_THREAD(r, "bytes_rcvd", 1, 40);
    CHECK_THREAD(r, "mpi_latesender", 0, 20 - 15);
    CHECK_THREAD(r, "mpi_latesender", 1, 60 - 10);
}

static const tw_op completed_elsewhere[] = {
    THREADS_OF_0,
    { .process = 0, .thread = 0, .op = TW_IRECV, .enter = 5, .leave = 6, .peer = 1, .tag = 7, .request = 1 },
    { .process = 0, .thread = 1, .op = TW_WAIT, .enter = 10, .leave = 50, .request = 1 },
    { .process = 1, .op = TW_SEND, .enter = 40, .leave = 45, .peer = 0, .tag = 7 },
    { .process = 0, .thread = 1, .op = TW_ISSEND, .enter = 60, .leave = 61, .peer = 1, .tag = 8, .request = 2 },
    { .process = 0, .thread = 0, .op = TW_WAIT, .enter = 70, .leave = 120, .request = 2 },
    { .process = 1, .op = TW_RECV, .enter = 90, .leave = 118, .peer = 0, .tag = 8 },
};

TEST(who_completes_a_request_waits_and_not_who_started_it)
{
    tw_report r = tw_analyze(completed_elsewhere, TW_LEN(completed_elsewhere));

    CHECK_THREAD(r, "mpi_latesender", 1, 30);
    CHECK_THREAD(r, "mpi_latesender", 0, 0);
    CHECK_THREAD(r, "mpi_latereceiver", 0, 20);
    CHECK_THREAD(r, "mpi_latereceiver", 1, 0);
    CHECK_EQ(tw_finding(r, "incomplete-request"), 0);
}

/* The thread that posts a receive makes its sender wait, another one completes it: there is no point to attribute the
 * wait to. */
static const tw_op posted_elsewhere[] = {
    THREADS_OF_0,
    { .process = 0, .thread = 0, .op = TW_IRECV, .enter = 60, .leave = 61, .peer = 1, .tag = 7, .request = 1 },
    { .process = 0, .thread = 1, .op = TW_WAIT, .enter = 80, .leave = 90, .request = 1 },
    { .process = 1, .op = TW_SSEND, .enter = 20, .leave = 85, .peer = 0, .tag = 7 },
};

TEST(a_sender_that_waits_for_a_thread_that_only_posts_has_no_delayer)
{
    tw_report r = tw_analyze(posted_elsewhere, TW_LEN(posted_elsewhere));

    CHECK_SPAN(r, "mpi_latereceiver", process(1), 40);
    CHECK_SPAN(r, "delay_latereceiver", process(0), 0);
    CHECK_SPAN(r, "delay_unattributed_latereceiver", process(1), 40);
}

/* Each thread sees its own time: process 1 waits for what thread 1 of process 0 did since its begin. */
static const tw_op work_of_a_thread[] = {
    THREADS_OF_0,
    { .process = 0, .thread = 1, .op = TW_USER, .region = "foo", .enter = 2, .leave = 60 },
    { .process = 0, .thread = 1, .op = TW_SEND, .enter = 60, .leave = 60, .peer = 1, .tag = 7 },
    { .process = 1, .op = TW_USER, .region = "foo", .enter = 0, .leave = 20 },
    { .process = 1, .op = TW_RECV, .enter = 20, .leave = 60, .peer = 0, .tag = 7 },
};

TEST(a_thread_that_sends_late_pays_itself)
{
    tw_report r = tw_analyze(work_of_a_thread, TW_LEN(work_of_a_thread));

    CHECK_SPAN(r, "mpi_latesender", process(1), 40);
    CHECK_THREAD_AT(r, "delay_latesender", "foo", 1, 40);
    CHECK_THREAD(r, "delay_latesender", 0, 0);
}

/* Serialized: one barrier is called by thread 1, the next one by thread 0. */
static const tw_op barriers[] = {
    THREADS_OF_0,
    { .process = 0, .thread = 1, .op = TW_BARRIER, .enter = 10, .leave = 55 },
    { .process = 0, .thread = 0, .op = TW_BARRIER, .enter = 60, .leave = 95 },
    { .process = 0, .thread = 1, .op = TW_BARRIER, .enter = 130, .leave = 135 },
    { .process = 1, .op = TW_BARRIER, .enter = 50, .leave = 55 },
    { .process = 1, .op = TW_BARRIER, .enter = 90, .leave = 95 },
    { .process = 1, .op = TW_BARRIER, .enter = 100, .leave = 135 },
};

TEST(the_thread_that_calls_represents_its_process_in_a_collective)
{
    tw_report r = tw_analyze(barriers, TW_LEN(barriers));

    CHECK_THREAD(r, "mpi_barrier_wait", 1, 40);
    CHECK_THREAD(r, "mpi_barrier_wait", 0, 30);
    CHECK_SPAN(r, "mpi_barrier_wait", process(1), 30);
    CHECK_EQ(tw_finding(r, "unmatched-collective"), 0);
}

/* Multiple: both threads are in a collective at the same time, on communicators of their own. */
static const tw_comm    pair[]        = { { .name = "pair", TW_PROCESSES(0, 1) } };
static const tw_options pair_options = { .comms = pair, .n_comms = 1 };

static const tw_op overlapping[] = {
    THREADS_OF_0,
    { .process = 0, .thread = 0, .op = TW_ALLREDUCE, .enter = 10, .leave = 55 },
    { .process = 0, .thread = 1, .op = TW_BARRIER, .enter = 12, .leave = 92, .comm = TW_COMM(0) },
    { .process = 1, .op = TW_ALLREDUCE, .enter = 50, .leave = 55 },
    { .process = 1, .op = TW_BARRIER, .enter = 90, .leave = 92, .comm = TW_COMM(0) },
};

TEST(threads_in_collectives_of_two_communicators_do_not_disturb_each_other)
{
    tw_report r = tw_analyze_with(overlapping, TW_LEN(overlapping), .options = &pair_options);

    CHECK_THREAD(r, "mpi_wait_nxn", 0, 40);
    CHECK_THREAD(r, "mpi_barrier_wait", 1, 78);
    CHECK_THREAD(r, "mpi_wait_nxn", 1, 0);
    CHECK_THREAD(r, "mpi_barrier_wait", 0, 0);
}

TEST_MAIN
