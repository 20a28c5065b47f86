/* tests/replay/backward/test_posted_receives.c: sends that wait for receives that were posted in another call than the
 * one that completes them: delays up to where they were posted are the cause.
 */
#include "check.h"
#include "situation.h"

#define WORK(rank, name, from, until) { .process = rank, .op = TW_USER, .region = name, .enter = from, .leave = until }
#define INIT(rank)                    { .process = rank, .op = TW_INIT, .enter = 0, .leave = 0 }
#define POST(number) { .process = 1, .op = TW_IRECV, .enter = 79 + (number), .leave = 80 + (number), .peer = 2, \
                       .request = (number) }
#define SEND(number) { .process = 2, .op = TW_SEND, .enter = 9 + (number), .leave = 10 + (number), .peer = 1 }

static void
check_causes(tw_report r)
{
    CHECK_SPAN(r, "mpi_latereceiver", process(0), 50);
    CHECK_SPAN_AT(r, "delay_latereceiver", "foo", process(1), 50);
    CHECK_SPAN(r, "delay_latereceiver", process(1), 50);
    CHECK_SPAN(r, "delay_unattributed_latereceiver", process(0), 0);
}

/*   ticks       0       30                    80     81             90        98
 *   process 0   [foo    ][Ssend···································· ········]
 *   process 1   [foo                          ][Irecv][Irecv for 2, 9 times][Waitall]
 */
static const tw_op posted_long_before[] = {
    INIT(0), WORK(0, "foo", 0, 30), { .process = 0, .op = TW_SSEND, .enter = 30, .leave = 98, .peer = 1 },
    INIT(1), WORK(1, "foo", 0, 80),
    { .process = 1, .op = TW_IRECV, .enter = 80, .leave = 81, .peer = 0, .request = 1 },
    POST(2), POST(3), POST(4), POST(5), POST(6), POST(7), POST(8), POST(9), POST(10),
    { .process = 1, .op = TW_WAITALL, .enter = 90, .leave = 100,
      .requests = TW_REQUESTS(1, 2, 3, 4, 5, 6, 7, 8, 9, 10) },
    INIT(2), SEND(1), SEND(2), SEND(3), SEND(4), SEND(5), SEND(6), SEND(7), SEND(8), SEND(9),
};

TEST(a_receive_that_was_posted_long_before_others_is_found)
{
    check_causes(tw_analyze(posted_long_before, TW_LEN(posted_long_before)));
}

/*   ticks       0       30                           98
 *   process 0   [foo    ][Isend][Isend][Waitall·······]      waits 50 for each
 *   process 1   [foo                    ][Irecv][Irecv][Waitall]
 *               0                       80                     100
 */
static const tw_op several_at_once[] = {
    INIT(0), WORK(0, "foo", 0, 30),
    { .process = 0, .op = TW_ISEND, .enter = 30, .leave = 30, .peer = 1, .request = 1 },
    { .process = 0, .op = TW_ISEND, .enter = 30, .leave = 30, .peer = 1, .request = 2 },
    { .process = 0, .op = TW_WAITALL, .enter = 30, .leave = 98, .requests = TW_REQUESTS(1, 2) },
    INIT(1), WORK(1, "foo", 0, 80),
    { .process = 1, .op = TW_IRECV, .enter = 80, .leave = 80, .peer = 0, .request = 1 },
    { .process = 1, .op = TW_IRECV, .enter = 80, .leave = 80, .peer = 0, .request = 2 },
    { .process = 1, .op = TW_WAITALL, .enter = 80, .leave = 100, .requests = TW_REQUESTS(1, 2) },
};

TEST(a_waitall_of_sends_waits_for_where_the_receive_was_posted)
{
    check_causes(tw_analyze(several_at_once, TW_LEN(several_at_once)));
}

#define LOGGED(number) { .process = 1, .op = TW_SEND, .enter = (hd_time)6000000000 + 2 * (number), \
                         .leave = (hd_time)6000000001 + 2 * (number), .peer = 2 }
#define TAKEN(number) { .process = 2, .op = TW_RECV, .enter = (hd_time)6000000000 + 2 * (number), \
                        .leave = (hd_time)6000000001 + 2 * (number), .peer = 1 }
#define FOUR(call, number) call(number), call(number + 1), call(number + 2), call(number + 3)
#define SIXTEEN(call, number) \
    FOUR(call, number), FOUR(call, number + 4), FOUR(call, number + 8), FOUR(call, number + 12)

/* A receive of more than 2^32 ticks, on a location that posts no other ones and has more calls. Both calls of process 0
 * wait for it.
 *
 *   process 0   [foo    ][Isend][Waitall···········]
 *   process 1   [foo                    ][Recv          ][Send, 48 times]
 *               0       30              80        5000000000
 */
static const tw_op long_receive[] = {
    INIT(0), WORK(0, "foo", 0, 30),
    { .process = 0, .op = TW_ISEND, .enter = 30, .leave = 30, .peer = 1, .request = 1 },
    { .process = 0, .op = TW_WAITALL, .enter = 30, .leave = (hd_time)4900000000, .requests = TW_REQUESTS(1) },
    INIT(1), WORK(1, "foo", 0, 80),
    { .process = 1, .op = TW_RECV, .enter = 80, .leave = (hd_time)5000000000, .peer = 0 },
    SIXTEEN(LOGGED, 0), SIXTEEN(LOGGED, 16), SIXTEEN(LOGGED, 32),
    INIT(2),
    SIXTEEN(TAKEN, 0), SIXTEEN(TAKEN, 16), SIXTEEN(TAKEN, 32),
};

TEST(a_waitall_of_sends_waits_for_a_very_long_receive)
{
    check_causes(tw_analyze(long_receive, TW_LEN(long_receive)));
}

enum { N_ROUNDS = 120, N_EACH = 4 };

/* Thread 1 posts nothing, and completes what thread 0 posts, of which the senders wait for the last one: where it was
 * posted is not known. Thread 1 has to wait in each round, when it has taken one of several records of its call.
 *
 *   process 0, thread 0   [Irecv, 4 times]                                  [Irecv]
 *              thread 1                    [Send][Waitall···········]              [Wait ]
 *   process 1                                    [Recv][Send, 4 times]  [Ssend········]
 */
TEST(a_thread_that_only_completes_receives_does_not_know_where_they_were_posted)
{
    static tw_op    ops[3 + N_ROUNDS * (2 * N_EACH + 6)];
    static uint32_t requests[N_ROUNDS][N_EACH + 1];
    size_t          n = 0;
    tw_report       r;

    ops[n++] = (tw_op){ .process = 0, .op = TW_FORK, .enter = 1, .leave = 50000 };
    ops[n++] = (tw_op){ .process = 0, .op = TW_TEAM, .enter = 2, .leave = 49000 };
    ops[n++] = (tw_op){ .process = 0, .thread = 1, .op = TW_TEAM, .enter = 2, .leave = 49000 };
    for (uint32_t i = 0; i < N_ROUNDS; i++) {
        hd_time  t    = 100 + 100 * i;
        uint32_t last = (i + 1) * (N_EACH + 1);

        for (uint32_t k = 0; k < N_EACH; k++) {
            requests[i][k] = i * (N_EACH + 1) + k + 1;
            ops[n++] = (tw_op){ .process = 0, .op = TW_IRECV, .enter = t + k, .leave = t + k + 1, .peer = 1, .tag = 9,
                                .request = requests[i][k], .bytes = 70000 };
            ops[n++] = (tw_op){ .process = 1, .op = TW_SEND, .enter = t + 21 + k, .leave = t + 22 + k, .peer = 0,
                                .tag = 9, .bytes = 70000 };
        }
        ops[n++] = (tw_op){ .process = 0, .thread = 1, .op = TW_SEND, .enter = t + 10, .leave = t + 11, .peer = 1 };
        ops[n++] = (tw_op){ .process = 1, .op = TW_RECV, .enter = t + 19, .leave = t + 20, .peer = 0 };
        ops[n++] = (tw_op){ .process = 0, .thread = 1, .op = TW_WAITALL, .enter = t + 12, .leave = t + 30,
                            .requests = requests[i] };
        ops[n++] = (tw_op){ .process = 0, .op = TW_IRECV, .enter = t + 60, .leave = t + 61, .peer = 1, .tag = 7,
                            .request = last };
        ops[n++] = (tw_op){ .process = 0, .thread = 1, .op = TW_WAIT, .enter = t + 80, .leave = t + 90,
                            .request = last };
        ops[n++] = (tw_op){ .process = 1, .op = TW_SSEND, .enter = t + 40, .leave = t + 85, .peer = 0, .tag = 7 };
    }
    r = tw_analyze(ops, n);
    CHECK_SPAN(r, "mpi_latereceiver", process(1), 20 * N_ROUNDS);
    CHECK_SPAN(r, "delay_unattributed_latereceiver", process(1), 20 * N_ROUNDS);
}

TEST_MAIN
