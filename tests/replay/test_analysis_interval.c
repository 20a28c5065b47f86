/* tests/replay/test_analysis_interval.c: what counts of a part of the run (docs/metrics.md#interval).
 *   ticks       5  8 10      25    30   40   45 50
 *   process 0   ···················· ···[send]···     late:   nothing but the send; early: work from 5 to 25
 *   process 1        [recv···················]        late:   enters at 10, waiting = 30
 *   process 1                      [recv·····]        early:  enters at 30, waiting = 10
 */
#include "check.h"
#include "situation.h"

static const tw_op late[] = {
    { .process = 0, .op = TW_SEND, .enter = 40, .leave = 45, .peer = 1, .tag = 7 },
    { .process = 1, .op = TW_RECV, .enter = 10, .leave = 50, .peer = 0, .tag = 7 },
};
static const tw_op early[] = {
    { .process = 0, .op = TW_USER, .enter = 5, .leave = 25 },
    { .process = 0, .op = TW_SEND, .enter = 40, .leave = 45, .peer = 1, .tag = 7 },
    { .process = 1, .op = TW_RECV, .enter = 30, .leave = 50, .peer = 0, .tag = 7 },
};

#define part(ops, n, words) tw_analyze_checked(ops, n, &(tw_run){ .arguments = words }, __FILE__, __LINE__)

TEST(a_call_that_the_part_holds_counts_as_in_the_whole_run)
{
    tw_report r = part(late, TW_LEN(late), "--from 10us --to 51us");

    CHECK_SPAN(r, "mpi_latesender", process(1), 30);
    CHECK_SPAN(r, "bytes_rcvd", process(1), 8);
    CHECK_EQ(tw_value(r, "visits", "MPI_Recv", process(1)), 1);
    CHECK_EQ(tw_value(r, "visits", "main", process(1)), 0);
    CHECK_EQ(tw_value(r, "time", NULL, process(0)), 41);
    CHECK_EQ(tw_value(r, "time", NULL, process(1)), 41);
}

TEST(a_call_that_is_left_at_the_end_of_the_part_has_its_time_only)
{
    tw_report r = part(late, TW_LEN(late), "--from 0 --to 50us");

    CHECK_SPAN(r, "mpi_latesender", process(1), 0);
    CHECK_SPAN(r, "bytes_rcvd", process(1), 0);
    CHECK_EQ(tw_value(r, "visits", "MPI_Recv", process(1)), 0);
    CHECK_EQ(tw_value(r, "time", "MPI_Recv", process(1)), 40);
    CHECK_EQ(tw_value(r, "visits", "MPI_Send", process(0)), 1);
    CHECK_SPAN(r, "bytes_sent", process(0), 8);
}

TEST(a_call_that_is_entered_before_the_part_has_its_time_only)
{
    tw_report r = part(late, TW_LEN(late), "--from 11us --to 60us");

    CHECK_SPAN(r, "mpi_latesender", process(1), 0);
    CHECK_EQ(tw_value(r, "visits", "MPI_Recv", process(1)), 0);
    CHECK_EQ(tw_value(r, "time", "MPI_Recv", process(1)), 39);
    CHECK_SPAN(r, "delay_latesender", process(0), 0);
    CHECK_SPAN(r, "delay_unattributed_latesender", process(1), 0);
}

/* main of process 0 took 40 - 10 longer than that of process 1; 32 of its 40 ticks are in the part. */
TEST(what_caused_a_wait_is_attributed_as_far_as_it_is_in_the_part)
{
    tw_report r = part(late, TW_LEN(late), "--from 8us --to 51us");

    CHECK_EQ(tw_value(r, "delay_latesender", "main", process(0)), 24);
    CHECK_EQ(tw_value(r, "delay_unattributed_latesender", "MPI_Recv", process(1)), 6);
    CHECK_EQ(tw_cause(r, "main", "MPI_Recv", "latesender", false), 24);
    CHECK_EQ(tw_cause(r, NULL, "MPI_Recv", "latesender", false), 6);
}

TEST(a_cause_before_the_part_is_nobodys_and_makes_nobody_else_one)
{
    tw_report r = part(early, TW_LEN(early), "--from 26us --to 51us");

    CHECK_SPAN(r, "mpi_latesender", process(1), 10);
    CHECK_SPAN(r, "delay_latesender", process(0), 0);
    CHECK_EQ(tw_value(r, "delay_unattributed_latesender", "MPI_Recv", process(1)), 10);
    r = part(early, TW_LEN(early), "--from 17us --to 51us"); /* 8 of the 20 ticks of work */
    CHECK_EQ(tw_value(r, "delay_latesender", "work", process(0)), 4);
    CHECK_EQ(tw_value(r, "delay_unattributed_latesender", "MPI_Recv", process(1)), 6);
}

TEST(the_critical_path_is_the_part_of_that_of_the_whole_run)
{
    tw_report r = part(late, TW_LEN(late), "--from 8us --to 44us");

    CHECK_EQ(tw_value(r, "critical_path", "main", process(0)), 32);
    CHECK_EQ(tw_value(r, "critical_path", "MPI_Send", process(0)), 4);
    CHECK_EQ(tw_value(r, "critical_path", NULL, process(1)), 0);
}

/*   thread 0   [critical ·····]                 20 to 50
 *   thread 1        [critical·····|··]          enters at 30, has it at 52, leaves at 60 */
static const tw_op critical[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 5, .leave = 90 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 6, .leave = 85 },
    { .process = 0, .thread = 0, .op = TW_CRITICAL, .enter = 20, .leave = 50, .lock = 3, .order = 1 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 7, .leave = 86 },
    { .process = 0, .thread = 1, .op = TW_CRITICAL, .enter = 30, .record = 52, .leave = 60, .lock = 3, .order = 2 },
};

TEST(a_critical_section_counts_if_it_is_left_in_the_part)
{
    tw_report r = part(critical, TW_LEN(critical), "--from 25us --to 61us");

    CHECK_THREAD(r, "omp_lock_contention_critical", 1, 20);
    r = part(critical, TW_LEN(critical), "--from 25us --to 60us");
    CHECK_THREAD(r, "omp_lock_contention_critical", 1, 0);
    CHECK_THREAD(r, "omp_critical", 1, 30);
}

TEST(a_part_that_holds_all_is_the_whole_run)
{
    tw_report r = part(early, TW_LEN(early), "--from 0 --to 1s");

    CHECK_SPAN(r, "mpi_latesender", process(1), 10);
    CHECK_EQ(tw_value(r, "delay_latesender", "work", process(0)), 10);
    CHECK_EQ(tw_value(r, "visits", NULL, process(0)),
             tw_value(tw_analyze(early, TW_LEN(early)), "visits", NULL, process(0)));
    CHECK_EQ(tw_value(r, "critical_path", NULL, process(0)), 51);
}

TEST_MAIN
