/* tests/replay/test_counts_over_time.c: visits, messages and bytes over windows and iterations
 * (docs/metrics.md#counts-over-time). That they add up to the metrics is tested with the oracle
 * (tests/oracle/compare_count_series.py).
 *
 *   ticks       20             60              100     two windows: 20 to 60, 60 to 100
 *   process 0   Init][Irecv]        |    [Wait]  [recv] Finalize
 *   process 1   Init]          [send    ·····]   [send] Finalize
 */
#include <stdlib.h>

#include "check.h"
#include "memory.h"
#include "situation.h"

/* The line of a metric and a process begins so, behind both: how many processes, the first slice, what was counted. */
static bool
has(const char *table, const char *metric, int process, const char *counted)
{
    char *line = hd_format("\n%s\t\t%d\t1\t%s\n", metric, process, counted);
    bool  has  = strstr(table, line) != NULL;

    free(line);
    return has;
}

static bool
has_any(const char *table, const char *metric)
{
    char *line = hd_format("\n%s\t", metric);
    bool  has  = strstr(table, line) != NULL;

    free(line);
    return has;
}

/* What all processes counted at a call path that has a line with that end. */
static bool
has_path(const char *table, const char *metric, const char *end)
{
    char *begin = hd_format("\n%s\t", metric), *wanted = hd_format("\t\t2\t%s\n", end);
    bool  has   = false;

    for (const char *line = strstr(table, begin); line != NULL && !has; line = strstr(line + 1, begin)) {
        const char *at = strstr(line + 1, wanted), *next = strchr(line + 1, '\n');

        has = at != NULL && next != NULL && at < next && line[strlen(begin)] != '\t';
    }
    free(begin);
    free(wanted);
    return has;
}

static const tw_op messages[] = {
    { .process = 0, .op = TW_INIT, .enter = 10, .leave = 20 },
    { .process = 0, .op = TW_IRECV, .enter = 22, .leave = 25, .peer = 1, .tag = 7, .request = 1 },
    { .process = 0, .op = TW_WAIT, .enter = 60, .leave = 70, .request = 1 },
    { .process = 0, .op = TW_RECV, .enter = 80, .leave = 95, .peer = 1, .tag = 8 },
    { .process = 0, .op = TW_FINALIZE, .enter = 100, .leave = 110 },
    { .process = 1, .op = TW_INIT, .enter = 12, .leave = 20 },
    { .process = 1, .op = TW_SEND, .enter = 59, .leave = 68, .peer = 0, .tag = 7, .bytes = 1000 },
    { .process = 1, .op = TW_SEND, .enter = 85, .leave = 90, .peer = 0, .tag = 8, .bytes = 24 },
    { .process = 1, .op = TW_FINALIZE, .enter = 100, .leave = 110 },
};

TEST(a_message_counts_where_the_call_that_sends_and_the_call_that_completes_are_entered)
{
    tw_report   r     = tw_analyze_with(messages, TW_LEN(messages), .arguments = "--windows 2 --series all");
    const char *table = tw_counts(r);

    CHECK(has(table, "comms_send", 1, "1\t1,1"));
    CHECK(has(table, "bytes_sent", 1, "1\t1000,24"));
    CHECK(has(table, "comms_recv", 0, "2\t2")); /* the wait begins where the second window does */
    CHECK(has(table, "bytes_rcvd", 0, "2\t1024"));
    CHECK(has_path(table, "bytes_sent", "1\t1000,24"));
    CHECK(has_path(table, "bytes_rcvd", "2\t1000"));
    CHECK(has_path(table, "bytes_rcvd", "2\t24"));
    CHECK(!has_any(table, "syncs_send") && !has_any(table, "syncs_recv") && !has_any(table, "bytes_put"));
}

TEST(visits_are_those_of_all_call_paths)
{
    const char *table = tw_counts(tw_analyze_with(messages, TW_LEN(messages), .arguments = "--windows 2 --series all"));

    CHECK(has(table, "visits", 0, "0\t3,1,2,1")); /* program, main, Init; Irecv; Wait, Recv; Finalize */
    CHECK(has(table, "visits", 1, "0\t3,1,1,1"));
    CHECK(has_path(table, "visits", "0\t2"));
    CHECK(has_path(table, "visits", "3\t2"));
    CHECK(has_path(table, "visits", "1\t1,1"));
}

static const tw_op empty[] = {
    { .process = 0, .op = TW_INIT, .enter = 10, .leave = 20 },
    { .process = 0, .op = TW_SEND, .enter = 30, .leave = 35, .peer = 1, .bytes = TW_NOTHING },
    { .process = 0, .op = TW_SEND, .enter = 70, .leave = 75, .peer = 1, .tag = 9 }, /* never received */
    { .process = 0, .op = TW_FINALIZE, .enter = 100, .leave = 110 },
    { .process = 1, .op = TW_INIT, .enter = 12, .leave = 20 },
    { .process = 1, .op = TW_RECV, .enter = 40, .leave = 45, .peer = 0 },
    { .process = 1, .op = TW_FINALIZE, .enter = 100, .leave = 110 },
};

TEST(messages_without_bytes_are_synchronizations_and_one_that_is_not_received_is_sent_all_the_same)
{
    const char *table = tw_counts(tw_analyze_with(empty, TW_LEN(empty), .arguments = "--windows 2 --series all"));

    CHECK(has(table, "syncs_send", 0, "1\t1"));
    CHECK(has(table, "syncs_recv", 1, "1\t1"));
    CHECK(has(table, "comms_send", 0, "2\t1"));
    CHECK(has(table, "bytes_sent", 0, "2\t8"));
    CHECK(!has_any(table, "comms_recv") && !has_any(table, "bytes_rcvd"));
}

/*   ticks       10  20      40     50     60      two iterations of process 0: 20 to 40, 50 to 60
 */
static const tw_op iterations[] = {
    { .process = 0, .op = TW_USER, .region = "step", .enter = 20, .leave = 40 },
    { .process = 0, .op = TW_SEND, .enter = 21, .leave = 22, .peer = 1 },
    { .process = 0, .op = TW_SEND, .enter = 45, .leave = 46, .peer = 1 },
    { .process = 0, .op = TW_USER, .region = "step", .enter = 50, .leave = 60 },
    { .process = 0, .op = TW_SEND, .enter = 50, .leave = 52, .peer = 1 },
    { .process = 0, .op = TW_SEND, .enter = 60, .leave = 61, .peer = 1 },
    { .process = 1, .op = TW_RECV, .enter = 10, .leave = 23, .peer = 0 },
    { .process = 1, .op = TW_RECV, .enter = 30, .leave = 47, .peer = 0 },
    { .process = 1, .op = TW_RECV, .enter = 50, .leave = 53, .peer = 0 },
    { .process = 1, .op = TW_RECV, .enter = 60, .leave = 62, .peer = 0 },
};

TEST(in_an_iteration_is_what_is_entered_in_it)
{
    const char *table = tw_counts(tw_analyze_with(iterations, TW_LEN(iterations),
                                                  .arguments = "--windows 1 --iterations step --series all"));

    table = strstr(table + 1, "metric\tcallpath\t"); /* the second one */
    CHECK(table != NULL);
    CHECK(has(table, "comms_send", 0, "1\t1,1,1,1")); /* first, second, after, between */
    CHECK(has(table, "comms_recv", 1, "0\t4"));       /* it has none: all is before */
}

/*   ticks       10    20  24      40     50    60     two windows of 20 ticks from 20 on
 *   process 0   Init][win ][put][fence ·····]  [lock put unlock]
 */
static const tw_op accesses[] = {
    { .process = 0, .op = TW_INIT, .enter = 1, .leave = 20 },
    { .process = 0, .op = TW_WIN_CREATE, .enter = 20, .leave = 22 },
    { .process = 0, .op = TW_PUT, .enter = 22, .leave = 24, .peer = 1, .bytes = 100 },
    { .process = 0, .op = TW_FENCE, .enter = 39, .leave = 41 },
    { .process = 0, .op = TW_WIN_LOCK, .enter = 45, .leave = 46, .peer = 1 },
    { .process = 0, .op = TW_PUT, .enter = 46, .leave = 47, .peer = 1, .bytes = 8 },
    { .process = 0, .op = TW_GET, .enter = 47, .leave = 48, .peer = 1, .bytes = 8 },
    { .process = 0, .op = TW_WIN_UNLOCK, .enter = 48, .leave = 50, .peer = 1 },
    { .process = 0, .op = TW_FINALIZE, .enter = 60, .leave = 70 },
    { .process = 1, .op = TW_INIT, .enter = 1, .leave = 20 },
    { .process = 1, .op = TW_WIN_CREATE, .enter = 20, .leave = 22 },
    { .process = 1, .op = TW_FENCE, .enter = 40, .leave = 41 },
    { .process = 1, .op = TW_FINALIZE, .enter = 60, .leave = 70 },
};

TEST(calls_for_windows_are_visits)
{
    const char *table = tw_counts(tw_analyze_with(accesses, TW_LEN(accesses), .arguments = "--windows 2 --series all"));

    CHECK(has(table, "comms_rma_puts", 0, "1\t1,1"));
    CHECK(has(table, "comms_rma_gets", 0, "2\t1"));
    CHECK(has(table, "syncs_rma_active", 0, "1\t1"));
    CHECK(has(table, "syncs_rma_active", 1, "2\t1")); /* it is entered where the second window begins */
    CHECK(has(table, "syncs_rma_passive", 0, "2\t2"));
    CHECK(has_path(table, "comms_rma_puts", "1\t1,1"));
    CHECK(!has_any(table, "comms_rma_atomics") && !has_any(table, "comms_rma"));
}

TEST(there_are_none_unless_they_are_asked_for)
{
    static const char *const others[] = { "", "--series all --no-series", "--series all --compat=scout26",
                                          "--series all --from 30us",
                                          "--series all --no-delay --no-critical-path" };

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        CHECK_STR(tw_counts(tw_analyze_with(messages, TW_LEN(messages), .arguments = others[i])), "");
}

TEST_MAIN
