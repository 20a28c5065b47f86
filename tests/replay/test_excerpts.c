/* tests/replay/test_excerpts.c: docs/formats.md#instances, timeline excerpts: which threads have a lane, the messages
 * between them, and what is put together where there is too much. */
#include "check.h"
#include "situation.h"

#define WINDOWS  "instance\tbegin\tend\tlanes\tpartners\tsends\treceives\n"
#define MESSAGES "instance\tsender\tsender_thread\treceiver\treceiver_thread\tsent\treceived\tbytes\ttag\n"

static const char *
table_of(tw_report r, const char *head)
{
    const char *at = strstr(tw_instances(r), head);

    return at != NULL ? at + strlen(head) : "(no such table)";
}

static uint32_t
n_lines(const char *text, const char *begin, const char *end)
{
    uint32_t n = 0;

    for (const char *line = text; line != NULL && *line != '\0'; line = strchr(line, '\n'), line += line != NULL) {
        const char *stop = strchr(line, '\n');

        if (stop != NULL && strncmp(line, begin, strlen(begin)) == 0 &&
            (size_t)(stop - line) >= strlen(end) && strncmp(stop - strlen(end), end, strlen(end)) == 0)
            n++;
    }
    return n;
}

/*   ticks       100    140  150 160   190 200 210          240
 *   process 0   ············[recv 2···········][send]···           late, as it waits for process 2
 *   process 1   [recv 0···································]·       waits 200 - 100; the window is 29 to 281
 *   process 2   ·····[send 3]···················[send 0]
 *   process 3   ·····[recv 2·]          exchanges messages with a partner only
 */
static const tw_op chain[] = {
    { .process = 0, .op = TW_RECV, .enter = 190, .leave = 198, .peer = 2, .tag = 1, .bytes = 64 },
    { .process = 0, .op = TW_SEND, .enter = 200, .leave = 210, .peer = 1, .tag = 2, .bytes = 16 },
    { .process = 1, .op = TW_RECV, .enter = 100, .leave = 240, .peer = 0, .tag = 2, .bytes = 16 },
    { .process = 2, .op = TW_SEND, .enter = 140, .leave = 150, .peer = 3, .tag = 3 },
    { .process = 2, .op = TW_SEND, .enter = 160, .leave = 165, .peer = 0, .tag = 1, .bytes = 64 },
    { .process = 3, .op = TW_RECV, .enter = 140, .leave = 155, .peer = 2, .tag = 3 },
};

TEST(partners_of_who_waits_and_who_is_waited_for_have_lanes)
{
    tw_report r = tw_analyze(chain, TW_LEN(chain));

    CHECK_STR(table_of(r, WINDOWS), "1\t0.000029\t0.000242\t3\t1\t3\t2\n"
              MESSAGES
              "1\t2\t0\t0\t0\t0.00016\t0.000198\t64\t1\n"
              "1\t0\t0\t1\t0\t0.0002\t0.00024\t16\t2\n");
    CHECK(strstr(tw_instances(r), "\n1\t2\t0\t0.00016\t0.000165\t") != NULL);
    CHECK(strstr(tw_instances(r), "\n1\t3\t0\t") == NULL);
}

/*   ticks       5  10    100       140  190 200     220
 *   process 0   [send 1]···············[send 2]·········   window of the wait: from 100 - 61 to 220 + 61
 *   process 1   ·········[recv 2····················]·[recv 1]      tag 1 was sent before the window
 */
static const tw_op long_ago[] = {
    { .process = 0, .op = TW_SEND, .enter = 5, .leave = 10, .peer = 1, .tag = 1 },
    { .process = 0, .op = TW_SEND, .enter = 190, .leave = 200, .peer = 1, .tag = 2 },
    { .process = 1, .op = TW_RECV, .enter = 100, .leave = 220, .peer = 0, .tag = 2 },
    { .process = 1, .op = TW_RECV, .enter = 230, .leave = 240, .peer = 0, .tag = 1 },
};

TEST(a_message_with_one_end_in_the_window_is_counted_there_and_not_kept)
{
    tw_report r = tw_analyze(long_ago, TW_LEN(long_ago));

    CHECK(strstr(table_of(r, WINDOWS), "1\t0.000039\t0.000242\t2\t0\t1\t2\n") == table_of(r, WINDOWS));
    CHECK(n_lines(table_of(r, MESSAGES), "1\t", "\t2") == 1);
    CHECK(n_lines(table_of(r, MESSAGES), "1\t", "\t1") == 0);
}

/*   ticks       10   20  30    100  120        200       220
 *   process 0   [Isend 1][Isend 1]····[Wait, Wait]                 the first is cancelled: the second one is received
 *   process 1   ·····[Irecv]··[Wait·······················]        message from 30, the enter of MPI_Isend, to 220
 *   process 2   ·····························[send 1]
 */
static const tw_op requests[] = {
    { .process = 0, .op = TW_ISEND, .enter = 10, .leave = 12, .peer = 1, .tag = 1, .request = 1 },
    { .process = 0, .op = TW_ISEND, .enter = 30, .leave = 32, .peer = 1, .tag = 1, .request = 2 },
    { .process = 0, .op = TW_WAIT, .enter = 100, .leave = 101, .request = 1, .cancelled = true },
    { .process = 0, .op = TW_WAIT, .enter = 104, .leave = 105, .request = 2 },
    { .process = 1, .op = TW_IRECV, .enter = 20, .leave = 22, .peer = 0, .tag = 1, .request = 1 },
    { .process = 1, .op = TW_IRECV, .enter = 23, .leave = 24, .peer = 2, .tag = 1, .request = 2 },
    { .process = 1, .op = TW_WAITALL, .enter = 40, .leave = 220, .requests = TW_REQUESTS(1, 2) },
    { .process = 2, .op = TW_SEND, .enter = 200, .leave = 210, .peer = 1, .tag = 1 },
};

TEST(a_message_goes_from_the_enter_of_its_send_to_the_leave_of_the_call_that_completes_the_receive)
{
    tw_report r = tw_analyze(requests, TW_LEN(requests));

    CHECK(n_lines(table_of(r, MESSAGES), "1\t0\t0\t1\t0\t0.00003\t0.00022\t", "\t1") == 1);
    CHECK(n_lines(table_of(r, MESSAGES), "1\t2\t0\t1\t0\t0.0002\t0.00022\t", "\t1") == 1);
    CHECK(n_lines(table_of(r, MESSAGES), "1\t0\t0\t1\t0\t0.00001\t", "") == 0);
}

/* Process 1 waits from 10,000 to 60,000 for process 0. In the window, 15,000 before and after that, process 0 is in a
 * function 2 n times. Every function takes 4 ticks; pieces shorter than 1/500 of the 60,000 ticks, 120, are short. */
enum { N_MAX = 3000 };

static tw_report
analyze_functions(tw_op ops[N_MAX + 2], uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        ops[i] = (tw_op){ .process = 0, .op = TW_USER, .region = "step", .enter = 20000 + 10 * i,
                          .leave = 20004 + 10 * i };
    ops[n]     = (tw_op){ .process = 0, .op = TW_SEND, .enter = 50000, .leave = 50010, .peer = 1, .tag = 1 };
    ops[n + 1] = (tw_op){ .process = 1, .op = TW_RECV, .enter = 10000, .leave = 60000, .peer = 0, .tag = 1 };
    return tw_analyze(ops, n + 2);
}

TEST(every_call_is_kept_as_long_as_they_are_few)
{
    static tw_op ops[N_MAX + 2];
    tw_report    r = analyze_functions(ops, 400);

    CHECK_EQ(n_lines(tw_instances(r), "1\t0\t0\t", "\tcalls"), 0);
    /* main between them and after the send */
    CHECK_EQ(n_lines(tw_instances(r), "1\t0\t0\t", "\tcall"), 2 * 400 + 1 + 2);
}

TEST(short_calls_are_put_together_where_there_are_too_many)
{
    static tw_op ops[N_MAX + 2];
    tw_report    r = analyze_functions(ops, N_MAX);
    uint32_t     n = n_lines(tw_instances(r), "1\t0\t0\t", "\tcalls");

    CHECK(n > 30000 / 140 / 2 && n < 1000);
    CHECK(n_lines(tw_instances(r), "1\t0\t0\t", "\tcall") < 10);
    /* what is long is as it was */
    CHECK(strstr(tw_instances(r), "\n1\t1\t0\t0.01\t0.06\t") != NULL);
}

/* Process 0 sends 700 messages to process 1 before the last one, for which that waits; the window has all of them. */
TEST(of_too_many_messages_those_nearest_to_the_end_of_the_wait_are_kept)
{
    enum { N = 700 };
    static tw_op ops[2 * N + 2];
    tw_report    r;

    for (uint32_t i = 0; i < N; i++) {
        ops[2 * i]     = (tw_op){ .process = 0, .op = TW_SEND, .enter = 90000 + 10 * i, .leave = 90004 + 10 * i,
                                  .peer = 1, .tag = 1 };
        ops[2 * i + 1] = (tw_op){ .process = 1, .op = TW_RECV, .enter = 90005 + 10 * i, .leave = 90009 + 10 * i,
                                  .peer = 0, .tag = 1 };
    }
    ops[2 * N]     = (tw_op){ .process = 0, .op = TW_SEND, .enter = 190000, .leave = 190010, .peer = 1, .tag = 2 };
    ops[2 * N + 1] = (tw_op){ .process = 1, .op = TW_RECV, .enter = 100000, .leave = 190020, .peer = 0, .tag = 2 };
    r              = tw_analyze(ops, TW_LEN(ops));
    CHECK(strstr(table_of(r, WINDOWS), "\t2\t0\t701\t701\n") != NULL);
    CHECK_EQ(n_lines(table_of(r, MESSAGES), "1\t", ""), 500);
    CHECK_EQ(n_lines(table_of(r, MESSAGES), "1\t0\t0\t1\t0\t0.19\t0.19002\t", "\t2"), 1);
    CHECK_EQ(n_lines(table_of(r, MESSAGES), "1\t0\t0\t1\t0\t0.09\t", ""), 0);
    CHECK_EQ(n_lines(table_of(r, MESSAGES), "1\t0\t0\t1\t0\t0.09699\t", ""), 1);
}

TEST_MAIN
