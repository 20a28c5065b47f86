/* tests/replay/test_regions_of_interest.c: what counts with --roi (docs/metrics.md#interval).
 *   ticks       0   5        20  25      40 45 50  55 60      70   80       90 95 100
 *   process 0   [solve                   [send]··]     [other    ] [solve ··[send]··]
 *   process 1       [work    ]   [solve [recv ····]  ]                [solve [recv ·····]  ]
 */
#include "check.h"
#include "situation.h"

#define CALL(rank, name, from, until) { .process = rank, .op = TW_USER, .region = name, .enter = from, .leave = until }
#define SEND(rank, to, number, from, until) \
    { .process = rank, .op = TW_SEND, .enter = from, .leave = until, .peer = to, .tag = number }
#define RECV(rank, of, number, from, until) \
    { .process = rank, .op = TW_RECV, .enter = from, .leave = until, .peer = of, .tag = number }

static const tw_op twice[] = {
    CALL(0, "solve", 1, 50), SEND(0, 1, 1, 40, 45), CALL(0, "other", 55, 70), CALL(0, "solve", 80, 98),
    SEND(0, 1, 2, 90, 95),
    CALL(1, "work", 5, 20), CALL(1, "solve", 25, 60), RECV(1, 0, 1, 30, 50), CALL(1, "solve", 82, 99),
    RECV(1, 0, 2, 84, 96),
};

#define of(ops, words) tw_analyze_checked(ops, TW_LEN(ops), &(tw_run){ .arguments = words }, __FILE__, __LINE__)

TEST(time_and_calls_in_all_instances_count)
{
    tw_report r = of(twice, "--roi solve");

    CHECK_SPAN(r, "time", process(0), 49 + 18);
    CHECK_SPAN(r, "time", process(1), 35 + 17);
    CHECK_EQ(tw_value(r, "visits", "solve", process(0)), 2);
    CHECK_EQ(tw_value(r, "visits", NULL, process(0)), 4);
    CHECK_EQ(tw_value(r, "visits", NULL, process(1)), 4);
    CHECK_EQ(tw_value(r, "mpi_latesender", NULL, process(1)), 10 + 6);
    CHECK_SPAN(r, "bytes_rcvd", process(1), 16);
    CHECK_EQ(tw_value(r, "time", "other", process(0)), 0);
    CHECK_EQ(tw_value(r, "visits", "main", process(0)), 0);
}

TEST(a_region_of_interest_may_be_a_call)
{
    tw_report r = of(twice, "--roi MPI_Recv");

    CHECK_SPAN(r, "time", process(0), 0);
    CHECK_SPAN(r, "time", process(1), 20 + 12);
    CHECK_EQ(tw_value(r, "visits", "MPI_Recv", process(1)), 2);
    CHECK_EQ(tw_value(r, "mpi_latesender", NULL, process(1)), 10 + 6);
}

TEST(several_regions_are_united)
{
    tw_report r = of(twice, "--roi other --roi work --roi solve");

    CHECK_SPAN(r, "time", process(0), 49 + 15 + 18);
    CHECK_SPAN(r, "time", process(1), 15 + 35 + 17);
    CHECK_EQ(tw_value(r, "visits", "other", process(0)), 1);
    r = of(twice, "--roi solve --roi MPI_Recv");
    CHECK_SPAN(r, "time", process(1), 35 + 17);
}

/* Process 0 is in other and in main while process 1 has nothing to do before its second solve. */
static const tw_op between[] = {
    CALL(0, "solve", 1, 30), CALL(0, "other", 35, 75), CALL(0, "solve", 80, 98), SEND(0, 1, 1, 90, 95),
    CALL(1, "solve", 1, 30), CALL(1, "solve", 31, 99), RECV(1, 0, 1, 40, 96),
};

TEST(causes_between_instances_count)
{
    tw_report r = of(between, "--roi solve");

    CHECK_EQ(tw_value(r, "mpi_latesender", NULL, process(1)), 50);
    CHECK_EQ(tw_value(r, "time", "other", process(0)), 0);
    CHECK_EQ(tw_value(r, "delay_latesender", "other", process(0)) > 30, 1);
    CHECK_EQ(tw_value(r, "delay_unattributed_latesender", NULL, process(1)), 1); /* the first tick of main */
    CHECK_EQ(tw_value(r, "critical_path", "other", process(0)), 40);
    CHECK_EQ(tw_value(r, "critical_path", NULL, process(0)) + tw_value(r, "critical_path", NULL, process(1)), 98);
}

/* 32 of the 40 ticks of work are before the first enter. */
static const tw_op before[] = {
    CALL(0, "work", 1, 41), CALL(0, "solve", 41, 60), SEND(0, 1, 1, 45, 50),
    CALL(1, "solve", 33, 60), RECV(1, 0, 1, 35, 51),
};

TEST(causes_before_the_first_enter_are_unattributed)
{
    tw_report r = of(before, "--roi solve");

    CHECK_EQ(tw_value(r, "mpi_latesender", NULL, process(1)), 10);
    CHECK_EQ(tw_value(r, "delay_latesender", "work", process(0)), 2);
    CHECK_EQ(tw_value(r, "delay_unattributed_latesender", NULL, process(1)) >= 7, 1);
}

/* The first wait is outside of solve, and makes the second one. */
static const tw_op outside[] = {
    CALL(0, "solve", 1, 2), CALL(0, "work", 3, 40), SEND(0, 1, 1, 40, 42), CALL(0, "solve", 90, 95),
    RECV(1, 0, 1, 10, 43), CALL(1, "solve", 50, 70), SEND(1, 2, 2, 52, 54),
    CALL(2, "solve", 5, 70), RECV(2, 1, 2, 20, 55),
};

TEST(a_wait_outside_counts_only_by_what_it_causes)
{
    tw_report r = of(outside, "--roi solve");

    CHECK_EQ(tw_value(r, "mpi_latesender", NULL, process(1)), 0);
    CHECK_EQ(tw_value(r, "mpi_latesender", NULL, process(2)), 32);
    CHECK_EQ(tw_value(r, "delay_latesender", NULL, process(0)), 0);
    CHECK_EQ(tw_value(r, "delay_latesender_longterm", "work", process(0)) > 20, 1);
}

TEST(a_call_at_the_ticks_of_enter_and_leave_is_held)
{
    static const tw_op ops[] = {
        SEND(0, 1, 1, 40, 45), CALL(1, "solve", 10, 50), RECV(1, 0, 1, 10, 50),
        SEND(0, 1, 2, 60, 65), CALL(1, "solve", 52, 60), RECV(1, 0, 2, 60, 66),
    };
    tw_report r = of(ops, "--roi solve");

    CHECK_EQ(tw_value(r, "mpi_latesender", NULL, process(1)), 30);
    CHECK_SPAN(r, "bytes_rcvd", process(1), 8);
    CHECK_SPAN(r, "time", process(1), 48);
    CHECK_SPAN(r, "time", process(0), 0);
}

TEST(nested_instances_are_one)
{
    static const tw_op ops[] = { CALL(0, "solve", 10, 50), CALL(0, "step", 20, 40), CALL(0, "solve", 25, 30) };
    tw_report          r     = of(ops, "--roi solve");

    CHECK_SPAN(r, "time", process(0), 40);
    CHECK_EQ(tw_value(r, "visits", NULL, process(0)), 3);
    r = of(ops, "--roi solve --roi step");
    CHECK_SPAN(r, "time", process(0), 40);
}

TEST(the_interval_of_from_and_to_cuts_instances)
{
    tw_report r = of(twice, "--roi solve --from 35us --to 95us");

    CHECK_SPAN(r, "time", process(0), 15 + 15);
    CHECK_SPAN(r, "time", process(1), 25 + 13);
    CHECK_EQ(tw_value(r, "visits", "MPI_Send", process(0)), 1);
    CHECK_EQ(tw_value(r, "visits", "solve", process(0)), 0);
    CHECK_EQ(tw_value(r, "mpi_latesender", NULL, process(1)), 0);
}

/* An instance on a worker counts for the whole process. */
static const tw_op worker[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 5, .leave = 90 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 6, .leave = 85 },
    { .process = 0, .thread = 0, .op = TW_CRITICAL, .enter = 20, .leave = 50, .lock = 3, .order = 1 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 7, .leave = 86 },
    { .process = 0, .thread = 1, .op = TW_USER, .region = "solve", .enter = 25, .leave = 70 },
    { .process = 0, .thread = 1, .op = TW_CRITICAL, .enter = 30, .record = 52, .leave = 60, .lock = 3, .order = 2 },
};

TEST(an_instance_on_one_thread_is_one_of_its_process)
{
    tw_report r = of(worker, "--roi solve");

    CHECK_THREAD(r, "time", 0, 45);
    CHECK_THREAD(r, "time", 1, 45);
    CHECK_THREAD(r, "omp_lock_contention_critical", 1, 20);
    CHECK_EQ(tw_value_of_thread(r, "visits", NULL, process(0), 0), 0);
    CHECK_EQ(tw_value_of_thread(r, "visits", NULL, process(0), 1), 2);
}

/* The team of the second thread goes on from one instance to the next. */
static const tw_op across[] = {
    { .process = 0, .thread = 0, .op = TW_USER, .region = "solve", .enter = 10, .leave = 30 },
    { .process = 0, .thread = 0, .op = TW_USER, .region = "solve", .enter = 40, .leave = 60 },
    { .process = 0, .thread = 1, .op = TW_USER, .region = "foo", .enter = 20, .leave = 50 },
    { .process = 0, .thread = 1, .op = TW_USER, .region = "bar", .enter = 52, .leave = 58 },
};

TEST(a_call_across_a_gap_has_its_time_only)
{
    tw_report r = of(across, "--roi solve");

    CHECK_THREAD_AT(r, "time", "foo", 1, 20);
    CHECK_EQ(tw_value_of_thread(r, "visits", "foo", process(0), 1), 0);
    CHECK_EQ(tw_value_of_thread(r, "visits", "bar", process(0), 1), 1);
}

TEST(a_region_of_the_whole_run_is_the_whole_run)
{
    static const char *const same[] = { "time", "mpi_latesender", "delay_latesender", "critical_path" };
    tw_report                r = of(twice, "--roi main"), whole = tw_analyze(twice, TW_LEN(twice));

    for (uint32_t p = 0; p < 2; p++)
        for (size_t i = 0; i < sizeof same / sizeof *same; i++)
            CHECK_EQ(tw_value(r, same[i], NULL, process(p)), tw_value(whole, same[i], NULL, process(p)));
}

TEST_MAIN
