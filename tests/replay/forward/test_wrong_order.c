/* tests/replay/forward/test_wrong_order.c: "Messages in Wrong Order" of docs/metrics.md: Late Senders of messages that
 * were received before older ones.
 *
 *   ticks       11    15      41  46    50
 *   process 0   [recv a·········]       [recv b]      b was there before a: all of a's wait is due to the order
 *   process 1   ······[send b]
 *   process 2   ··············[send a]
 */
#include "check.h"
#include "situation.h"

static const tw_op different[] = {
    { .process = 0, .op = TW_RECV, .enter = 11, .leave = 46, .peer = 2 },
    { .process = 0, .op = TW_RECV, .enter = 50, .leave = 52, .peer = 1 },
    { .process = 1, .op = TW_SEND, .enter = 15, .leave = 16, .peer = 0 },
    { .process = 2, .op = TW_SEND, .enter = 41, .leave = 45, .peer = 0 },
};

TEST(an_older_message_of_another_source_received_later)
{
    tw_report r = tw_analyze(different, TW_LEN(different));

    CHECK_SPAN(r, "mpi_latesender", process(0), 30);
    CHECK_SPAN(r, "mpi_latesender_wo", process(0), 30);
    CHECK_SPAN(r, "mpi_lswo_different", process(0), 30);
    CHECK_SPAN(r, "mpi_lswo_same", process(0), 0);
    CHECK_SPAN(r, "mpi_clswo_count", process(0), 1);
    CHECK_SPAN(r, "mpi_slswo_count", process(0), 0);
}

/* Many Late Senders wait for older messages: one is older than half of them, one than all. */
TEST(older_messages_after_many_late_senders)
{
    enum { N = 200, TICKS = 100 };
    static tw_op ops[2 * N + 4];
    tw_report    r;
    int          n = 0;
    hd_span      first = 0, second = 0;

    ops[n++] = (tw_op){ .process = 2, .op = TW_SEND, .enter = 1, .leave = 2, .peer = 0, .tag = 2 };
    ops[n++] = (tw_op){ .process = 1, .op = TW_SEND, .enter = TICKS * (N / 2), .leave = TICKS * (N / 2) + 1,
                        .peer = 0 };
    for (int i = 0; i < N; i++) {
        hd_time enter = TICKS * (hd_time)i + 10;
        hd_span wait  = 1 + i % 7;

        *(i < N / 2 ? &first : &second) += wait;
        ops[n++] = (tw_op){ .process = 2, .op = TW_SEND, .enter = enter + (hd_time)wait,
                            .leave = enter + (hd_time)wait + 1, .peer = 0, .tag = 1 };
        ops[n++] = (tw_op){ .process = 0, .op = TW_RECV, .enter = enter, .leave = enter + 20, .peer = 2, .tag = 1 };
    }
    ops[n++] = (tw_op){ .process = 0, .op = TW_RECV, .enter = TICKS * N, .leave = TICKS * N + 1, .peer = 1 };
    ops[n++] = (tw_op){ .process = 0, .op = TW_RECV, .enter = TICKS * N + 2, .leave = TICKS * N + 3, .peer = 2,
                        .tag = 2 };
    r = tw_analyze(ops, (size_t)n);
    CHECK_SPAN(r, "mpi_latesender", process(0), first + second);
    CHECK_SPAN(r, "mpi_latesender_wo", process(0), first + second);
    CHECK_SPAN(r, "mpi_lswo_different", process(0), second);
    CHECK_SPAN(r, "mpi_lswo_same", process(0), first);
    CHECK_SPAN(r, "mpi_clswo_count", process(0), N);
}

static const tw_op same[] = {
    { .process = 0, .op = TW_RECV, .enter = 11, .leave = 46, .peer = 1, .tag = 1 },
    { .process = 0, .op = TW_RECV, .enter = 50, .leave = 52, .peer = 1, .tag = 2 },
    { .process = 1, .op = TW_SEND, .enter = 15, .leave = 16, .peer = 0, .tag = 2 },
    { .process = 1, .op = TW_SEND, .enter = 41, .leave = 45, .peer = 0, .tag = 1 },
};

TEST(an_older_message_of_the_same_source_received_later)
{
    tw_report r = tw_analyze(same, TW_LEN(same));

    CHECK_SPAN(r, "mpi_latesender_wo", process(0), 30);
    CHECK_SPAN(r, "mpi_lswo_different", process(0), 0);
    CHECK_SPAN(r, "mpi_lswo_same", process(0), 30);
}

static const tw_op in_order[] = {
    { .process = 0, .op = TW_RECV, .enter = 11, .leave = 46, .peer = 2 },
    { .process = 0, .op = TW_RECV, .enter = 50, .leave = 52, .peer = 1 },
    { .process = 1, .op = TW_SEND, .enter = 42, .leave = 43, .peer = 0 },
    { .process = 2, .op = TW_SEND, .enter = 41, .leave = 45, .peer = 0 },
};

TEST(a_younger_message_received_later_is_in_order)
{
    tw_report r = tw_analyze(in_order, TW_LEN(in_order));

    CHECK_SPAN(r, "mpi_latesender", process(0), 30);
    CHECK_SPAN(r, "mpi_latesender_wo", process(0), 0);
}

static const tw_op equal_times[] = {
    { .process = 0, .op = TW_RECV, .enter = 11, .leave = 46, .peer = 2 },
    { .process = 0, .op = TW_RECV, .enter = 50, .leave = 52, .peer = 1 },
    { .process = 1, .op = TW_SEND, .enter = 41, .leave = 43, .peer = 0 },
    { .process = 2, .op = TW_SEND, .enter = 41, .leave = 45, .peer = 0 },
};

TEST(messages_sent_together_are_in_order)
{
    tw_report r = tw_analyze(equal_times, TW_LEN(equal_times));

    CHECK_SPAN(r, "mpi_latesender_wo", process(0), 0);
}

/* The same source has other ranks in the two communicators: process 1 is rank 0 of the second. */
static const tw_comm turned[]     = { { .name = "turned", TW_PROCESSES(1, 0) } };
static const tw_op   two_comms[] = {
    { .process = 0, .op = TW_RECV, .enter = 11, .leave = 46, .peer = 1 },
    { .process = 0, .op = TW_RECV, .enter = 50, .leave = 52, .peer = 0, .comm = TW_COMM(0) },
    { .process = 1, .op = TW_SEND, .enter = 15, .leave = 16, .peer = 1, .comm = TW_COMM(0) },
    { .process = 1, .op = TW_SEND, .enter = 41, .leave = 45, .peer = 0 },
};

TEST(sources_are_compared_as_processes_and_not_as_ranks)
{
    static const tw_options options = { .comms = turned, .n_comms = 1 };
    tw_report               r       = tw_analyze_with(two_comms, TW_LEN(two_comms), .options = &options);

    CHECK_SPAN(r, "mpi_lswo_same", process(0), 30);
    CHECK_SPAN(r, "mpi_lswo_different", process(0), 0);
    r = tw_analyze_with(two_comms, TW_LEN(two_comms), .options = &options, .arguments = "--compat=scout26");
    CHECK_SPAN(r, "mpi_lswo_same", process(0), 0);
    CHECK_SPAN(r, "mpi_lswo_different", process(0), 30);
}

/*   ticks       10   35 40 41   50   53 60 61  70        80
 *   process 0   ·····[a1···]·········[a2···]   [recv b]  [recv c]
 *   process 1   ········[a1]············[a2]
 *   process 2   ················[b]                               b is older than a2 only
 *   process 3   [c]                                               c is older than both
 */
#define TWO_LATE_SENDERS                                                                                               \
    { .process = 0, .op = TW_RECV, .enter = 35, .leave = 41, .peer = 1 },                                              \
    { .process = 0, .op = TW_RECV, .enter = 53, .leave = 61, .peer = 1 },                                              \
    { .process = 0, .op = TW_RECV, .enter = 70, .leave = 72, .peer = 2 },                                              \
    { .process = 1, .op = TW_SEND, .enter = 40, .leave = 41, .peer = 0 },                                              \
    { .process = 1, .op = TW_SEND, .enter = 60, .leave = 61, .peer = 0 },                                              \
    { .process = 2, .op = TW_SEND, .enter = 50, .leave = 51, .peer = 0 }

static const tw_op one_of_two[] = { TWO_LATE_SENDERS };
static const tw_op both[]       = {
    TWO_LATE_SENDERS,
    { .process = 0, .op = TW_RECV, .enter = 80, .leave = 82, .peer = 3 },
    { .process = 3, .op = TW_SEND, .enter = 10, .leave = 11, .peer = 0 },
};

TEST(only_messages_younger_than_the_one_received_are_in_wrong_order)
{
    tw_report r = tw_analyze(one_of_two, TW_LEN(one_of_two));

    CHECK_SPAN(r, "mpi_latesender", process(0), 12);
    CHECK_SPAN(r, "mpi_latesender_wo", process(0), 7);
    CHECK_SPAN(r, "mpi_clswo_count", process(0), 1);
}

TEST(a_still_older_message_finds_the_rest)
{
    tw_report r = tw_analyze(both, TW_LEN(both));

    CHECK_SPAN(r, "mpi_latesender", process(0), 12);
    CHECK_SPAN(r, "mpi_latesender_wo", process(0), 12);
    CHECK_SPAN(r, "mpi_lswo_different", process(0), 12);
    CHECK_SPAN(r, "mpi_clswo_count", process(0), 2);
}

/*   ticks       20   30        80   90   100
 *   process 0   ·····[Waitall a b···]    [recv c]
 *   process 1   ···············[send a]
 *   process 2   [send b]                              completed in the same call: no order between a and b
 *   process 3   ·····[send c]                         received later, and older than a
 */
#define WAITALL_OF_TWO                                                                                                 \
    { .process = 0, .op = TW_IRECV, .enter = 1, .leave = 2, .peer = 1, .request = 1 },                                 \
    { .process = 0, .op = TW_IRECV, .enter = 3, .leave = 4, .peer = 2, .request = 2 },                                 \
    { .process = 0, .op = TW_WAITALL, .enter = 30, .leave = 90, .requests = TW_REQUESTS(1, 2) },                       \
    { .process = 1, .op = TW_SEND, .enter = 80, .leave = 81, .peer = 0 },                                              \
    { .process = 2, .op = TW_SEND, .enter = 20, .leave = 21, .peer = 0 }

static const tw_op one_call[]   = { WAITALL_OF_TWO };
static const tw_op after_call[] = {
    WAITALL_OF_TWO,
    { .process = 0, .op = TW_RECV, .enter = 100, .leave = 102, .peer = 3 },
    { .process = 3, .op = TW_SEND, .enter = 30, .leave = 31, .peer = 0 },
};

TEST(messages_completed_in_one_call_have_no_order)
{
    tw_report r = tw_analyze(one_call, TW_LEN(one_call));

    CHECK_SPAN(r, "mpi_latesender", process(0), 50);
    CHECK_SPAN(r, "mpi_latesender_wo", process(0), 0);
}

TEST(a_message_received_after_the_call_gives_the_order)
{
    tw_report r = tw_analyze(after_call, TW_LEN(after_call));

    CHECK_SPAN(r, "mpi_latesender", process(0), 50);
    CHECK_SPAN(r, "mpi_latesender_wo", process(0), 50);
    CHECK_SPAN_AT(r, "mpi_latesender_wo", "MPI_Waitall", process(0), 50);
}

/* 150 receives that wait a tick each, then one for a message that is older than all of theirs. */
enum { N_LATE = 150 };

static size_t
many_late_senders(tw_op ops[2 * N_LATE + 2])
{
    size_t n = 0;

    ops[n++] = (tw_op){ .process = 1, .op = TW_SEND, .enter = 1, .leave = 2, .peer = 0, .tag = 999 };
    for (uint64_t i = 0; i < N_LATE; i++) {
        ops[n++] = (tw_op){ .process = 0, .op = TW_RECV, .enter = 9 + 10 * i, .leave = 13 + 10 * i, .peer = 1 };
        ops[n++] = (tw_op){ .process = 1, .op = TW_SEND, .enter = 10 + 10 * i, .leave = 12 + 10 * i, .peer = 0 };
    }
    ops[n++] = (tw_op){ .process = 0, .op = TW_RECV, .enter = 5000, .leave = 5001, .peer = 1, .tag = 999 };
    return n;
}

TEST(any_number_of_late_senders_is_found)
{
    tw_op     ops[2 * N_LATE + 2];
    size_t    n = many_late_senders(ops);
    tw_report r = tw_analyze(ops, n);

    CHECK_SPAN(r, "mpi_latesender", process(0), N_LATE);
    CHECK_SPAN(r, "mpi_latesender_wo", process(0), N_LATE);
    CHECK_SPAN(r, "mpi_lswo_same", process(0), N_LATE);
    CHECK_SPAN(r, "mpi_clswo_count", process(0), N_LATE);
}

TEST(scout_remembers_the_last_hundred)
{
    tw_op     ops[2 * N_LATE + 2];
    size_t    n = many_late_senders(ops);
    tw_report r = tw_analyze_with(ops, n, .arguments = "--compat=scout26");

    CHECK_SPAN(r, "mpi_latesender", process(0), N_LATE);
    CHECK_SPAN(r, "mpi_latesender_wo", process(0), 100);
    CHECK_SPAN(r, "mpi_clswo_count", process(0), 100);
}

TEST_MAIN
