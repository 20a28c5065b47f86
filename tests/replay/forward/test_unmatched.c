/* tests/replay/forward/test_unmatched.c: traces in which something is missing. The analysis names it, and goes on with
 * the rest.
 *
 *   ticks       10       20        50   55 60
 *   process 0   ·······················[send]      is there
 *   process 1   [recv a·]   [recv b··········]     a has no send; b has one, and its wait is counted
 */
#include <stdio.h>
#include <unistd.h>

#include "check.h"
#include "memory.h"
#include "situation.h"

static const tw_op no_send[] = {
    { .process = 0, .op = TW_SEND, .enter = 50, .leave = 55, .peer = 1, .tag = 2 },
    { .process = 1, .op = TW_RECV, .enter = 10, .leave = 15, .peer = 0, .tag = 1 },
    { .process = 1, .op = TW_RECV, .enter = 20, .leave = 60, .peer = 0, .tag = 2 },
};

TEST(a_receive_without_a_send_is_named)
{
    tw_report r = tw_analyze(no_send, TW_LEN(no_send));

    CHECK_EQ(tw_finding(r, "unmatched-receive"), 1);
    CHECK_EQ(tw_finding(r, "unmatched-send"), 0);
    CHECK_SPAN(r, "mpi_latesender", process(1), 30);
    CHECK_SPAN(r, "comms_recv", process(1), 1); /* the sender knows the bytes, so only a matched receive is counted */
}

static const tw_op no_receive[] = {
    { .process = 0, .op = TW_SSEND, .enter = 10, .leave = 15, .peer = 1, .tag = 1 },
    { .process = 0, .op = TW_SSEND, .enter = 20, .leave = 60, .peer = 1, .tag = 2 },
    { .process = 1, .op = TW_RECV, .enter = 50, .leave = 61, .peer = 0, .tag = 2 },
};

TEST(a_send_without_a_receive_is_named)
{
    tw_report r = tw_analyze(no_receive, TW_LEN(no_receive));

    CHECK_EQ(tw_finding(r, "unmatched-send"), 1);
    CHECK_EQ(tw_finding(r, "unmatched-receive"), 0);
    CHECK_SPAN(r, "mpi_latereceiver", process(0), 30);
}

/* A communicator with a member that the archive does not have: the others are analysed, causes included.
 *
 *   ticks       10       30   40      60
 *   process 0   [recv······]····[foo ][barrier]
 *   process 1   [foo  ][send]   [barrier······]     waits 20 for process 0
 */
static const tw_comm without_one[] = { { .name = "three", TW_PROCESSES(0, 1, HD_NONE) } };
static const tw_op   member_is_missing[] = {
    { .process = 0, .op = TW_RECV, .enter = 10, .leave = 35, .peer = 1 },
    { .process = 0, .op = TW_USER, .region = "foo", .enter = 40, .leave = 60 },
    { .process = 0, .op = TW_BARRIER, .enter = 60, .leave = 62, .comm = TW_COMM(0) },
    { .process = 1, .op = TW_SEND, .enter = 30, .leave = 32, .peer = 0 },
    { .process = 1, .op = TW_BARRIER, .enter = 40, .leave = 62, .comm = TW_COMM(0) },
};

TEST(a_member_that_is_missing_does_not_stop_the_others)
{
    static const tw_options options = { .comms = without_one, .n_comms = 1 };
    tw_report r = tw_analyze_with(member_is_missing, TW_LEN(member_is_missing), .options = &options);

    CHECK_SPAN(r, "mpi_latesender", process(0), 20);
    CHECK_SPAN(r, "mpi_barrier_wait", process(1), 20);
    CHECK_SPAN(r, "delay_barrier", process(0), 20);
}

/* Many of a kind at one place are one row, and all are counted. */
static const tw_op many[] = {
    { .process = 1, .op = TW_RECV, .enter = 10, .leave = 15, .peer = 0 },
    { .process = 1, .op = TW_RECV, .enter = 20, .leave = 25, .peer = 0 },
    { .process = 1, .op = TW_RECV, .enter = 30, .leave = 35, .peer = 0 },
    { .process = 0, .op = TW_USER, .enter = 1, .leave = 90 },
};

TEST(all_unmatched_receives_are_counted)
{
    tw_report r = tw_analyze(many, TW_LEN(many));

    CHECK_EQ(tw_finding(r, "unmatched-receive"), 3);
}

/* A receive in a chain: process 1 waits in vain, what it does after that is analysed nevertheless. */
static const tw_op chain[] = {
    { .process = 1, .op = TW_RECV, .enter = 10, .leave = 15, .peer = 0, .tag = 1 },
    { .process = 1, .op = TW_SEND, .enter = 70, .leave = 75, .peer = 2 },
    { .process = 2, .op = TW_RECV, .enter = 20, .leave = 80, .peer = 1 },
    { .process = 2, .op = TW_SEND, .enter = 95, .leave = 96, .peer = 0 },
    { .process = 0, .op = TW_RECV, .enter = 90, .leave = 99, .peer = 2 },
};

TEST(what_comes_after_an_unmatched_receive_is_analysed)
{
    tw_report r = tw_analyze(chain, TW_LEN(chain));

    CHECK_EQ(tw_finding(r, "unmatched-receive"), 1);
    CHECK_SPAN(r, "mpi_latesender", process(2), 50);
    CHECK_SPAN(r, "mpi_latesender", process(0), 5);
}

/* Process 2 never comes to the first barrier of the world. */
static const tw_op no_member[] = {
    { .process = 0, .op = TW_BARRIER, .enter = 10, .leave = 55 },
    { .process = 1, .op = TW_BARRIER, .enter = 30, .leave = 54 },
    { .process = 2, .op = TW_USER, .enter = 50, .leave = 58 },
    { .process = 1, .op = TW_SEND, .enter = 70, .leave = 75, .peer = 0 },
    { .process = 0, .op = TW_RECV, .enter = 60, .leave = 76, .peer = 1 },
};

TEST(a_collective_that_misses_a_member_is_named)
{
    tw_report r = tw_analyze(no_member, TW_LEN(no_member));

    CHECK(tw_finding(r, "unmatched-collective") > 0);
    CHECK_SPAN(r, "mpi_barrier_wait", process(0), 0);
    CHECK_SPAN(r, "mpi_barrier_wait", process(1), 0);
    CHECK_SPAN(r, "mpi_latesender", process(0), 10);
}

static const tw_op two_operations[] = {
    { .process = 0, .op = TW_BARRIER, .enter = 10, .leave = 55 },
    { .process = 1, .op = TW_ALLREDUCE, .enter = 30, .leave = 54 },
};

TEST(members_that_report_different_operations_are_named)
{
    tw_report r = tw_analyze(two_operations, TW_LEN(two_operations));

    CHECK(tw_finding(r, "mixed-collective") > 0);
    CHECK_SPAN(r, "mpi_barrier_wait", process(0), 0);
    CHECK_SPAN(r, "mpi_wait_nxn", process(0), 0);
}

/* Process 1 posts a receive and cancels it, process 0 cancels a send: both are complete, and neither has a partner. */
static const tw_op cancelled[] = {
    { .process = 0, .op = TW_ISEND, .enter = 10, .leave = 12, .peer = 1, .tag = 1, .request = 1 },
    { .process = 0, .op = TW_USER, .region = "MPI_Cancel", .enter = 13, .leave = 14 },
    { .process = 0, .op = TW_WAIT, .enter = 15, .leave = 20, .request = 1, .cancelled = true },
    { .process = 0, .op = TW_SEND, .enter = 50, .leave = 55, .peer = 1, .tag = 2 },
    { .process = 1, .op = TW_IRECV, .enter = 1, .leave = 2, .peer = 0, .tag = 3, .request = 1 },
    { .process = 1, .op = TW_USER, .region = "MPI_Cancel", .enter = 3, .leave = 4 },
    { .process = 1, .op = TW_WAIT, .enter = 5, .leave = 9, .request = 1, .cancelled = true },
    { .process = 1, .op = TW_RECV, .enter = 20, .leave = 60, .peer = 0, .tag = 2 },
};

TEST(cancelled_messages_are_no_findings)
{
    tw_report r = tw_analyze(cancelled, TW_LEN(cancelled));

    CHECK_EQ(tw_finding(r, "unmatched-receive"), 0);
    CHECK_EQ(tw_finding(r, "unmatched-send"), 0);
    CHECK_EQ(tw_finding(r, "incomplete-request"), 0);
    CHECK_SPAN(r, "mpi_latesender", process(1), 30);
    CHECK_SPAN(r, "comms_send", process(0), 2);
    CHECK_SPAN(r, "comms_recv", process(1), 1);
}

/* A cancelled send in a channel with others: the matching must leave it out. */
static const tw_op cancelled_between[] = {
    { .process = 0, .op = TW_ISEND, .enter = 10, .leave = 12, .peer = 1, .request = 1 },
    { .process = 0, .op = TW_USER, .region = "MPI_Cancel", .enter = 13, .leave = 14 },
    { .process = 0, .op = TW_WAIT, .enter = 15, .leave = 20, .request = 1, .cancelled = true },
    { .process = 0, .op = TW_SEND, .enter = 50, .leave = 55, .peer = 1 },
    { .process = 1, .op = TW_RECV, .enter = 20, .leave = 60, .peer = 0 },
};

TEST(a_cancelled_send_is_matched_with_nothing)
{
    tw_report r = tw_analyze(cancelled_between, TW_LEN(cancelled_between));

    CHECK_SPAN(r, "mpi_latesender", process(1), 30);
    CHECK_EQ(tw_finding(r, "unmatched-send"), 0);
}

static const tw_op never_completed[] = {
    { .process = 0, .op = TW_SEND, .enter = 50, .leave = 55, .peer = 1 },
    { .process = 1, .op = TW_IRECV, .enter = 20, .leave = 60, .peer = 0, .request = 1 },
};

TEST(a_receive_that_is_never_completed_is_named)
{
    tw_report r = tw_analyze(never_completed, TW_LEN(never_completed));

    CHECK(tw_finding(r, "incomplete-request") + tw_finding(r, "unmatched-send") > 0);
    CHECK_SPAN(r, "mpi_latesender", process(1), 0);
}

/* Messages that wait for each other in a circle, which no program can have done. Process 2 only hangs behind it.
 *
 *   process 0   [recv from 1·]   [send to 1]
 *   process 1   [recv from 0·]   [send to 0]   [send to 2]
 *   process 2   [recv from 1··················]
 */
static const tw_op circle[] = {
    { .process = 0, .op = TW_RECV, .enter = 10, .leave = 15, .peer = 1 },
    { .process = 0, .op = TW_SEND, .enter = 20, .leave = 25, .peer = 1 },
    { .process = 1, .op = TW_RECV, .enter = 10, .leave = 16, .peer = 0 },
    { .process = 1, .op = TW_SEND, .enter = 20, .leave = 25, .peer = 0 },
    { .process = 1, .op = TW_SEND, .enter = 40, .leave = 45, .peer = 2 },
    { .process = 2, .op = TW_RECV, .enter = 5, .leave = 50, .peer = 1 },
};

TEST(a_circle_is_broken_at_its_earliest_receive_only)
{
    tw_report r = tw_analyze(circle, TW_LEN(circle));

    CHECK_EQ(tw_finding(r, "unmatched-receive"), 1);
    CHECK_SPAN(r, "comms_recv", process(0), 0);
    CHECK_SPAN(r, "comms_recv", process(1), 1);
    CHECK_SPAN(r, "mpi_latesender", process(2), 35);
}

static const tw_op long_circle[] = {
    { .process = 0, .op = TW_RECV, .enter = 10, .leave = 15, .peer = 1 },
    { .process = 0, .op = TW_RECV, .enter = 20, .leave = 25, .peer = 1 },
    { .process = 0, .op = TW_RECV, .enter = 30, .leave = 35, .peer = 1 },
    { .process = 0, .op = TW_SEND, .enter = 40, .leave = 45, .peer = 1 },
    { .process = 0, .op = TW_SEND, .enter = 50, .leave = 55, .peer = 1 },
    { .process = 0, .op = TW_SEND, .enter = 60, .leave = 65, .peer = 1 },
    { .process = 1, .op = TW_RECV, .enter = 11, .leave = 16, .peer = 0 },
    { .process = 1, .op = TW_RECV, .enter = 21, .leave = 26, .peer = 0 },
    { .process = 1, .op = TW_RECV, .enter = 31, .leave = 36, .peer = 0 },
    { .process = 1, .op = TW_SEND, .enter = 41, .leave = 46, .peer = 0 },
    { .process = 1, .op = TW_SEND, .enter = 51, .leave = 56, .peer = 0 },
    { .process = 1, .op = TW_SEND, .enter = 61, .leave = 66, .peer = 0 },
};

TEST(receives_that_give_up_one_after_the_other_come_to_an_end)
{
    tw_report r = tw_analyze(long_circle, TW_LEN(long_circle));

    CHECK(tw_finding(r, "unmatched-receive") >= 3);
}

/* ------------------------------------------------------------------------------------------------- damaged archives */

/* Three processes that pass messages in a ring, often enough for event files of some kilobytes. */
enum { N_ROUNDS = 200, N_RING = 3 };

static size_t
ring(tw_op ops[2 * N_ROUNDS * N_RING])
{
    size_t n = 0;

    for (uint32_t i = 0; i < N_ROUNDS; i++)
        for (uint32_t p = 0; p < N_RING; p++) {
            hd_time  start = 100 * i + 10 * p;
            uint32_t right = (p + 1) % N_RING, left = (p + N_RING - 1) % N_RING;

            ops[n++] = (tw_op){ .process = p, .op = TW_BSEND, .enter = start + 1, .leave = start + 3, .peer = right };
            ops[n++] = (tw_op){ .process = p, .op = TW_RECV, .enter = start + 5, .leave = start + 50, .peer = left };
        }
    return n;
}

static char *
event_file(const char *folder)
{
    return hd_format("%s/traces/1.evt", folder);
}

static void
remove_events(const char *folder)
{
    char *path = event_file(folder);

    CHECK(remove(path) == 0);
    free(path);
}

static void
cut_events(const char *folder)
{
    char *path = event_file(folder);
    FILE *file = fopen(path, "rb");
    long  size;

    CHECK(file != NULL);
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    fclose(file);
    CHECK(size > 1000);
    CHECK(truncate(path, size / 2) == 0);
    free(path);
}

static void
empty_events(const char *folder)
{
    char *path = event_file(folder);

    CHECK(truncate(path, 0) == 0);
    free(path);
}

TEST(the_whole_ring_waits)
{
    tw_op     ops[2 * N_ROUNDS * N_RING];
    size_t    n = ring(ops);
    tw_report r = tw_analyze(ops, n);

    CHECK_SPAN(r, "mpi_latesender", process(0), N_ROUNDS * 16);
    CHECK_SPAN(r, "mpi_latesender", process(1), 0);
    CHECK_EQ(tw_finding(r, "unmatched-receive"), 0);
}

TEST(a_missing_event_file_is_named_and_the_rest_analysed)
{
    tw_op     ops[2 * N_ROUNDS * N_RING];
    size_t    n = ring(ops);
    tw_report r = tw_analyze_with(ops, n, .damage = remove_events, .exit_code = 3);

    CHECK_EQ(tw_finding(r, "no-events"), 1);
    CHECK_EQ(tw_finding(r, "unmatched-receive"), N_ROUNDS);
    CHECK_SPAN(r, "mpi_latesender", process(0), N_ROUNDS * 16);
    CHECK_SPAN(r, "time", process(1), 0);
}

TEST(an_empty_event_file_is_named_and_the_rest_analysed)
{
    tw_op     ops[2 * N_ROUNDS * N_RING];
    size_t    n = ring(ops);
    tw_report r = tw_analyze_with(ops, n, .damage = empty_events, .exit_code = 3);

    CHECK_EQ(tw_finding(r, "no-events"), 1);
    CHECK_SPAN(r, "mpi_latesender", process(0), N_ROUNDS * 16);
}

TEST(a_cut_event_file_is_named_and_the_rest_analysed)
{
    tw_op     ops[2 * N_ROUNDS * N_RING];
    size_t    n = ring(ops);
    tw_report r = tw_analyze_with(ops, n, .damage = cut_events, .exit_code = 3);

    CHECK(tw_finding(r, "cut-events") + tw_finding(r, "no-events") == 1);
    CHECK_SPAN(r, "mpi_latesender", process(0), N_ROUNDS * 16);
}

TEST_MAIN
