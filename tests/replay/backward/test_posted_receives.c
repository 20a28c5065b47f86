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

TEST_MAIN
