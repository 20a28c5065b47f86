/* tests/replay/forward/test_message_matrix.c: the communication matrix of docs/metrics.md.
 *
 *   ticks       10       40  45  50
 *   process 0   ·········[send]····        waiting of process 1 for process 0: 40 - 10; transfer = 50 - 40
 *   process 1   [recv············]
 */
#include "check.h"
#include "situation.h"

#define HEAD "sender\treceiver\tmessages\tbytes\tlate_sender\tlate_receiver\ttransfer\n"

/* The table of pairs alone; sizes: that of sizes. */
static bool
is_matrix(tw_report report, const char *pairs, const char *sizes)
{
    char   text[1024];

    snprintf(text, sizeof text, "%s%s%s%s", HEAD, pairs, "from\tmessages\n", sizes);
    if (strcmp(tw_matrix(report), text) == 0)
        return true;
    printf("    expected:\n%s    is:\n%s", text, tw_matrix(report));
    return false;
}

static const tw_op late[] = {
    { .process = 0, .op = TW_SEND, .enter = 40, .leave = 45, .peer = 1 },
    { .process = 1, .op = TW_RECV, .enter = 10, .leave = 50, .peer = 0 },
};

TEST(a_late_sender_and_the_transfer_after_it)
{
    CHECK(is_matrix(tw_analyze(late, TW_LEN(late)), "0\t1\t1\t8\t0.00003\t0\t0.00001\n", "8\t1\n"));
}

static const tw_op early[] = {
    { .process = 0, .op = TW_SEND, .enter = 10, .leave = 50, .peer = 1, .bytes = 1000 },
    { .process = 1, .op = TW_RECV, .enter = 40, .leave = 55, .peer = 0 },
    { .process = 0, .op = TW_SEND, .enter = 60, .leave = 65, .peer = 1, .bytes = TW_NOTHING },
    { .process = 1, .op = TW_RECV, .enter = 60, .leave = 70, .peer = 0 },
};

/* 55 - 40 + 70 - 60 */
TEST(a_late_receiver_is_of_the_same_pair_and_messages_add_up)
{
    CHECK(is_matrix(tw_analyze(early, TW_LEN(early)), "0\t1\t2\t1000\t0\t0.00003\t0.000025\n", "0\t1\n512\t1\n"));
}

/* Of both receives the longer wait, for process 2, is booked; each transfer ends with the call. */
static const tw_op several[] = {
    { .process = 0, .op = TW_SEND, .enter = 20, .leave = 25, .peer = 1 },
    { .process = 2, .op = TW_SEND, .enter = 30, .leave = 45, .peer = 1 },
    { .process = 1, .op = TW_IRECV, .enter = 5, .leave = 6, .peer = 0, .request = 1 },
    { .process = 1, .op = TW_IRECV, .enter = 7, .leave = 8, .peer = 2, .request = 2 },
    { .process = 1, .op = TW_WAITALL, .enter = 10, .leave = 60, .requests = TW_REQUESTS(1, 2) },
};

TEST(of_a_waitall_the_longest_wait_counts_and_all_transfers)
{
    CHECK(is_matrix(tw_analyze(several, TW_LEN(several)),
                    "0\t1\t1\t8\t0\t0\t0.00004\n"
                    "2\t1\t1\t8\t0.00002\t0\t0.00003\n",
                    "8\t2\n"));
}

/* The receiver's clock is behind: it leaves before the send is entered. */
static const tw_op before_it_was_sent[] = {
    { .process = 0, .op = TW_SEND, .enter = 40, .leave = 45, .peer = 1 },
    { .process = 1, .op = TW_RECV, .enter = 10, .leave = 30, .peer = 0 },
};

TEST(a_transfer_is_never_negative)
{
    tw_report r = tw_analyze_with(before_it_was_sent, TW_LEN(before_it_was_sent), .contradicts = true);

    CHECK(is_matrix(r, "0\t1\t1\t8\t0.00002\t0\t0\n", "8\t1\n"));
}

static const tw_op to_itself[] = {
    { .process = 0, .op = TW_ISEND, .enter = 10, .leave = 12, .peer = 0, .request = 1 },
    { .process = 0, .op = TW_RECV, .enter = 20, .leave = 30, .peer = 0 },
    { .process = 0, .op = TW_WAIT, .enter = 40, .leave = 45, .request = 1 },
    { .process = 1, .op = TW_USER, .enter = 40, .leave = 45 },
};

TEST(a_process_can_send_to_itself)
{
    CHECK(is_matrix(tw_analyze(to_itself, TW_LEN(to_itself)), "0\t0\t1\t8\t0\t0\t0.00001\n", "8\t1\n"));
}

/* Rank 0 of the communicator is process 2. */
static const tw_comm     comms[]    = { { "turned", TW_PROCESSES(2, 0) } };
static const tw_options  turned_comms = { .comms = comms, .n_comms = 1 };
static const tw_op turned[] = {
    { .process = 0, .op = TW_SEND, .enter = 10, .leave = 12, .peer = 0, .comm = TW_COMM(0) },
    { .process = 2, .op = TW_RECV, .enter = 10, .leave = 20, .peer = 1, .comm = TW_COMM(0) },
    { .process = 0, .op = TW_SEND, .enter = 30, .leave = 32, .peer = 2, .tag = 5 },
    { .process = 2, .op = TW_RECV, .enter = 30, .leave = 40, .peer = 0, .tag = 5 },
    { .process = 1, .op = TW_USER, .enter = 40, .leave = 45 },
};

TEST(messages_of_all_communicators_and_tags_are_of_one_pair)
{
    tw_report r = tw_analyze_with(turned, TW_LEN(turned), .options = &turned_comms);

    CHECK(is_matrix(r, "0\t2\t2\t16\t0\t0\t0.00002\n", "8\t2\n"));
}

/* Both threads of process 0 have messages; thread 1 completes the send of thread 0, late. */
static const tw_op on_two_threads[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 2, .leave = 180 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 2, .leave = 180 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 2, .leave = 180 },
    { .process = 0, .thread = 0, .op = TW_RECV, .enter = 15, .leave = 20, .peer = 1 },
    { .process = 0, .thread = 1, .op = TW_RECV, .enter = 25, .leave = 30, .peer = 1, .tag = 1 },
    { .process = 0, .thread = 0, .op = TW_ISEND, .enter = 35, .leave = 36, .peer = 1, .request = 1 },
    { .process = 0, .thread = 1, .op = TW_WAIT, .enter = 40, .leave = 60, .request = 1 },
    { .process = 1, .op = TW_SEND, .enter = 10, .leave = 12, .peer = 0 },
    { .process = 1, .op = TW_SEND, .enter = 13, .leave = 14, .peer = 0, .tag = 1 },
    { .process = 1, .op = TW_RECV, .enter = 50, .leave = 70, .peer = 0 },
};

TEST(threads_of_a_process_are_one)
{
    CHECK(is_matrix(tw_analyze(on_two_threads, TW_LEN(on_two_threads)),
                    "0\t1\t1\t8\t0\t0.00001\t0.00002\n"
                    "1\t0\t2\t16\t0\t0\t0.00001\n",
                    "8\t3\n"));
}

TEST(calls_outside_of_the_interval_do_not_count)
{
    CHECK(is_matrix(tw_analyze_with(early, TW_LEN(early), .arguments = "--from 35us --to 56us"),
                    "0\t1\t1\t1000\t0\t0\t0.000015\n", "512\t1\n"));
    CHECK(is_matrix(tw_analyze_with(early, TW_LEN(early), .arguments = "--from 5us --to 52us"),
                    "0\t1\t0\t0\t0\t0.00003\t0\n", ""));
}

static const tw_op not_received[] = {
    { .process = 0, .op = TW_SEND, .enter = 10, .leave = 12, .peer = 1 },
    { .process = 1, .op = TW_RECV, .enter = 10, .leave = 20, .peer = 2 },
    { .process = 2, .op = TW_USER, .enter = 40, .leave = 45 },
};

TEST(only_messages_with_both_ends_count)
{
    CHECK(is_matrix(tw_analyze_with(not_received, TW_LEN(not_received), .contradicts = true), "", ""));
}

TEST(none_is_wanted)
{
    CHECK(strcmp(tw_matrix(tw_analyze_with(late, TW_LEN(late), .arguments = "--no-matrix")), "") == 0);
    CHECK(strcmp(tw_matrix(tw_analyze_with(late, TW_LEN(late), .arguments = "--compat=scout26")), "") == 0);
}

TEST_MAIN
