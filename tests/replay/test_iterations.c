/* tests/replay/test_iterations.c: waiting time over iterations (docs/metrics.md#iterations). That it adds up to the
 * metrics, and is the same on all ranks and threads, is an invariant of all situations.
 *
 *   ticks       20    30    40    50    60    70    80    90  100
 *   process 0   Init]       [1    |send] [2          send]    Finalize
 *   process 1   Init] [1  recv·····]   [2      recv··]        Finalize
 */
#include "check.h"
#include "situation.h"

#define ITERATION(p, from, to) { .process = p, .op = TW_USER, .enter = from, .leave = to, .region = "dynamic_step" }
#define INIT(p)     { .process = p, .op = TW_INIT, .enter = 10, .leave = 20 }
#define FINALIZE(p) { .process = p, .op = TW_FINALIZE, .enter = 100, .leave = 110 }
#define SEND(at, to)   { .process = 0, .op = TW_SEND, .enter = at, .leave = to, .peer = 1, .tag = 7 }
#define RECEIVE(at, to) { .process = 1, .op = TW_RECV, .enter = at, .leave = to, .peer = 0, .tag = 7 }

static const tw_op loop[] = {
    INIT(0), ITERATION(0, 40, 55), SEND(50, 52), ITERATION(0, 60, 85), SEND(80, 82), FINALIZE(0),
    INIT(1), ITERATION(1, 30, 57), RECEIVE(35, 56), ITERATION(1, 60, 90), RECEIVE(75, 88), FINALIZE(1),
};

TEST(a_wait_is_in_the_iteration_of_its_process)
{
    tw_report r = tw_analyze(loop, TW_LEN(loop));

    CHECK_EQ(tw_iteration_value(r, "mpi_latesender", process(1), 1), 50 - 35);
    CHECK_EQ(tw_iteration_value(r, "mpi_latesender", process(1), 2), 80 - 75);
    CHECK_EQ(tw_iteration_value(r, "mpi_latesender", process(0), 1), 0);
    CHECK_EQ(tw_iteration_value(r, "mpi_latesender", process(1), 0), 0);
    CHECK_EQ(tw_iteration_value(r, "duration", process(0), 1), 15);
    CHECK_EQ(tw_iteration_value(r, "duration", process(0), 2), 25);
    CHECK_EQ(tw_iteration_value(r, "duration", process(1), 1), 27);
    CHECK_EQ(tw_iteration_value(r, "duration", process(1), 2), 30);
    CHECK_EQ(tw_finding(r, "fewer-iterations"), 0);
    /* first enter, last leave, the longest process */
    CHECK(strstr(tw_iterations(r), "\n1\t1\t1\t0.00003\t0.000057\t2\t0.000042\t0.000027\t1\n") != NULL);
    CHECK(strstr(tw_iterations(r), "\n2\t2\t1\t0.00006\t0.00009\t2\t0.000055\t0.00003\t1\n") != NULL);
    CHECK(strstr(tw_iterations(r), "\nmpi_latesender\t-\t2\t1\t1\t") != NULL);
}

TEST(without_the_flag_there_are_none_unless_a_region_is_named)
{
    tw_op plain[TW_LEN(loop)];

    memcpy(plain, loop, sizeof loop);
    for (size_t i = 0; i < TW_LEN(plain); i++)
        if (plain[i].op == TW_USER)
            plain[i].region = "step";
    CHECK(*tw_iterations(tw_analyze(plain, TW_LEN(plain))) == '\0');
    CHECK_EQ(tw_iteration_value(tw_analyze_with(plain, TW_LEN(plain), .arguments = "--iterations step"),
                                "mpi_latesender", process(1), 1), 15);
    CHECK(*tw_iterations(tw_analyze_with(loop, TW_LEN(loop), .arguments = "--no-series")) == '\0');
}

/* The wait from 35 to 80 is in no iteration until 40, in the first one until 60, between two until 70. */
static const tw_op threads[] = {
    INIT(0), SEND(80, 82), FINALIZE(0),
    INIT(1), ITERATION(1, 40, 60), ITERATION(1, 70, 75), FINALIZE(1),
    { .process = 1, .thread = 1, .op = TW_RECV, .enter = 35, .leave = 88, .peer = 0, .tag = 7 },
};

TEST(a_wait_of_another_thread_is_cut_at_the_bounds_of_iterations)
{
    tw_report r = tw_analyze(threads, TW_LEN(threads));

    CHECK_EQ(tw_iteration_value(r, "mpi_latesender", process(1), 0), 5);
    CHECK_EQ(tw_iteration_value(r, "mpi_latesender", process(1), 1), 20);
    CHECK_EQ(tw_iteration_value(r, "mpi_latesender", process(1), 2), 5);
    CHECK_EQ(tw_iteration_value(r, "mpi_latesender", process(1), 3), 5);
    CHECK_EQ(tw_iteration_value(r, "mpi_latesender", process(1), 4), 10);
}

/* Process 0 has one more; the second one of process 1 calls itself. */
static const tw_op uneven[] = {
    INIT(0), ITERATION(0, 30, 35), ITERATION(0, 40, 45), ITERATION(0, 60, 70), SEND(62, 64), FINALIZE(0),
    INIT(1), ITERATION(1, 30, 35), ITERATION(1, 40, 80), ITERATION(1, 50, 78), RECEIVE(55, 66), FINALIZE(1),
};

TEST(fewer_iterations_and_inner_ones_are_findings)
{
    tw_report r = tw_analyze(uneven, TW_LEN(uneven));

    CHECK_EQ(tw_finding(r, "fewer-iterations"), 1);
    CHECK_EQ(tw_finding(r, "inner-iteration"), 1);
    CHECK_EQ(tw_iteration_value(r, "mpi_latesender", process(1), 2), 62 - 55);
    CHECK_EQ(tw_iteration_value(r, "duration", process(1), 2), 40);
    CHECK_EQ(tw_iteration_value(r, "duration", process(1), 3), 0);
    CHECK_EQ(tw_iteration_value(r, "duration", process(0), 3), 10);
    /* in two processes the longest times 2: 10, 80 + 7 and 20 are no neighbours */
    CHECK(strstr(tw_iterations(r), "\n2\t2\t1\t2\t2\t0.00004\t0.000007\t2\n") != NULL);
    CHECK(strstr(tw_iterations(r), "\n3\t3\t1\t3\t3\t0.00001\t0\t3\n") != NULL);
}

/* Two regions with the flag: that of the longest time counts. */
static const tw_op nested[] = {
    INIT(0), ITERATION(0, 30, 80),
    { .process = 0, .op = TW_USER, .enter = 40, .leave = 50, .region = "dynamic_inner" },
    { .process = 0, .op = TW_USER, .enter = 55, .leave = 60, .region = "dynamic_inner" }, FINALIZE(0),
};

TEST(of_several_regions_that_of_the_longest_time_counts)
{
    tw_report r = tw_analyze(nested, TW_LEN(nested));

    CHECK_EQ(tw_iteration_value(r, "duration", process(0), 1), 50);
    CHECK_EQ(tw_iteration_value(r, "duration", process(0), 2), 0);
    CHECK_EQ(tw_finding(r, "inner-iteration"), 0);
    r = tw_analyze_with(nested, TW_LEN(nested), .arguments = "--iterations dynamic_inner");
    CHECK_EQ(tw_iteration_value(r, "duration", process(0), 1), 10);
    CHECK_EQ(tw_iteration_value(r, "duration", process(0), 2), 5);
}

/* Ranks 0 and 2 send to 1 in each iteration, and 1 sends back to both; in every fifth one is a barrier. */
static size_t
make_loop(tw_op *ops, int n)
{
    size_t k = 0;

#define CALL(p, kind, at, to, other, with) \
    ops[k++] = (tw_op){ .process = p, .op = kind, .enter = at, .leave = to, .peer = other, .tag = with }
    for (int p = 0; p < 3; p++) {
        ops[k++] = (tw_op){ .process = p, .op = TW_INIT, .enter = 10, .leave = 20 };
        for (int i = 0, t = 30; i < n; i++, t += 100) {
            if (p != 1) {
                CALL(p, TW_SEND, t + 10 * p, t + 10 * p + 1, 1, i);
                CALL(p, TW_RECV, t + 30, t + 60, 1, i);
            } else {
                CALL(p, TW_RECV, t, t + 5, 0, i);
                CALL(p, TW_RECV, t + 6, t + 25, 2, i);
                CALL(p, TW_SEND, t + 40, t + 41, 0, i);
                CALL(p, TW_SEND, t + 50, t + 51, 2, i);
            }
            if (i % 5 == 0)
                CALL(p, TW_BARRIER, t + 70, t + 72, 0, 0);
        }
        ops[k++] = (tw_op){ .process = p, .op = TW_FINALIZE, .enter = 100 * n + 50, .leave = 100 * n + 60 };
    }
#undef CALL
    return k;
}

/* Nothing is said of a single one but what it is. */
TEST(one_iteration_has_a_duration_and_no_verdict)
{
    static const tw_op one[] = { INIT(0), ITERATION(0, 40, 55), SEND(50, 52), FINALIZE(0),
                                 INIT(1), RECEIVE(35, 56), FINALIZE(1) };
    tw_report          r     = tw_analyze(one, TW_LEN(one));

    CHECK_EQ(tw_iteration_value(r, "duration", process(0), 1), 15);
    CHECK_EQ(tw_iteration_value(r, "mpi_latesender", process(1), 0), 15); /* which has no iteration */
    CHECK(strstr(tw_iterations(r), "\nduration\t-\t1\t1\t1\t0\t0\t0\t0\t0\t\n") != NULL);
    CHECK(strstr(tw_iterations(r), "\n1\t1\t1\t1\t1\t0.000015\t0\t1\n") != NULL);
    CHECK_EQ(tw_finding(r, "fewer-iterations"), 0);
}

TEST(a_loop_is_found_in_the_calls)
{
    static tw_op ops[1024];
    size_t       n = make_loop(ops, 20);
    tw_report    r = tw_analyze(ops, n);

    /* process 1 receives twice in each: that is one iteration */
    CHECK(strstr(tw_iterations(r), "\n20\t20\t1\t") != NULL);
    CHECK(strstr(tw_iterations(r), "\n21\t") == NULL);
    CHECK_EQ(tw_iteration_value(r, "duration", process(0), 1), 100);
    CHECK_EQ(tw_iteration_value(r, "duration", process(1), 19), 100);
    CHECK_EQ(tw_iteration_value(r, "mpi_latesender", process(1), 3), 20 - 6);
    /* those with the barrier, which the first one has, call what others do not */
    CHECK(strstr(tw_iterations(r), "\n2\t1\t4\t1\t") != NULL);
    CHECK(strstr(tw_iterations(r), "\t1,6,11,16\n") != NULL);
    CHECK_EQ(tw_finding(r, "fewer-iterations"), 0);
    CHECK_EQ(tw_finding(r, "inner-iteration"), 0);
    CHECK(*tw_iterations(tw_analyze_with(ops, n, .arguments = "--iterations none")) == '\0');
}

/* Each of four sends to another one each time: to all three in turn. */
static size_t
make_turns(tw_op *ops, int n)
{
    size_t k = 0;

    for (int p = 0; p < 4; p++) {
        ops[k++] = (tw_op){ .process = p, .op = TW_INIT, .enter = 10, .leave = 20 };
        for (int i = 0, t = 30; i < n; i++, t += 100) {
            int away = 1 + i % 3;

            ops[k++] = (tw_op){ .process = p, .op = TW_SEND, .enter = t, .leave = t + 1, .peer = (p + away) % 4 };
            ops[k++] = (tw_op){ .process = p, .op = TW_RECV, .enter = t + 30, .leave = t + 40,
                                .peer = (p + 4 - away) % 4 };
        }
        ops[k++] = (tw_op){ .process = p, .op = TW_FINALIZE, .enter = 100 * n + 50, .leave = 100 * n + 60 };
    }
    return k;
}

TEST(a_loop_over_neighbours_is_one_iteration)
{
    static tw_op ops[1024];
    tw_report    r = tw_analyze(ops, make_turns(ops, 27));

    CHECK(strstr(tw_iterations(r), "\n9\t9\t1\t") != NULL);
    CHECK(strstr(tw_iterations(r), "\n10\t") == NULL);
    CHECK_EQ(tw_iteration_value(r, "duration", process(2), 3), 300);
}

TEST(neighbours_whose_number_is_no_part_of_all_calls_are_none)
{
    static tw_op ops[1024];
    tw_report    r = tw_analyze(ops, make_turns(ops, 28));

    CHECK(strstr(tw_iterations(r), "\n28\t28\t1\t") != NULL);
    CHECK_EQ(tw_iteration_value(r, "duration", process(2), 3), 100);
}

/* Both send to each other in each of n iterations, different numbers of messages, and end it with two barriers; before
 * is a set-up, with a call of its own, behind is another one. */
static size_t
make_ending_loop(tw_op *ops, int n)
{
    size_t k = 0;

#define CALL(p, kind, at, to, with) \
    ops[k++] = (tw_op){ .process = p, .op = kind, .enter = at, .leave = to, .peer = 1 - p, .tag = with }
    for (int p = 0; p < 2; p++) {
        ops[k++] = (tw_op){ .process = p, .op = TW_INIT, .enter = 10, .leave = 20 };
        ops[k++] = (tw_op){ .process = p, .op = TW_BCAST, .enter = 21, .leave = 25, .root = 0 };
        for (int i = 0, t = 30; i < n; i++, t += 100) {
            for (int m = 0; m < 2 + i % 3; m++)
                CALL(p, p == 0 ? TW_SEND : TW_RECV, t + 10 * m, t + 10 * m + 5, i);
            CALL(p, TW_BARRIER, t + 70, t + 72 + p, 0);
            ops[k++] = (tw_op){ .process = p, .op = TW_ALLREDUCE, .enter = t + 80, .leave = t + 82 + p };
        }
        ops[k++] = (tw_op){ .process = p, .op = TW_BCAST, .enter = 100 * n + 35, .leave = 100 * n + 40, .root = 0 };
        ops[k++] = (tw_op){ .process = p, .op = TW_FINALIZE, .enter = 100 * n + 50, .leave = 100 * n + 60 };
    }
#undef CALL
    return k;
}

TEST(iterations_end_with_calls_that_end_the_body)
{
    static tw_op ops[1024];
    tw_report    r = tw_analyze(ops, make_ending_loop(ops, 12));

    CHECK(strstr(tw_iterations(r), "\n12\t12\t1\t") != NULL);
    /* from the first send to the leave of the second reduction, then from one to the next */
    CHECK_EQ(tw_iteration_value(r, "duration", process(0), 1), 112 - 30);
    CHECK_EQ(tw_iteration_value(r, "duration", process(1), 1), 113 - 30);
    CHECK_EQ(tw_iteration_value(r, "duration", process(0), 2), 100);
    CHECK_EQ(tw_iteration_value(r, "duration", process(1), 12), 100);
    CHECK(strstr(tw_iterations(r), "\n13\t") == NULL);
}

TEST(few_iterations_are_no_loop)
{
    static tw_op ops[1024];

    CHECK(*tw_iterations(tw_analyze(ops, make_loop(ops, 7))) == '\0');
    CHECK(strstr(tw_iterations(tw_analyze(ops, make_loop(ops, 10))), "\n10\t10\t1\t") != NULL);
}

TEST_MAIN
