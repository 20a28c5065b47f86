/* tests/openmp/test_openmp_barrier.c: "Wait at Barrier (OpenMP)" of docs/metrics.md: threads that are at a barrier
 * before the last of their team.
 *
 *   ticks      10             40 44 45
 *   thread 0   [barrier·············]      waiting = 40 - 10
 *   thread 1   ···············[ ··]·
 */
#include "check.h"
#include "situation.h"

static const tw_op early[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 5, .leave = 60 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 6, .leave = 58 },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 10, .leave = 45 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 7, .leave = 59 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 40, .leave = 44 },
};

TEST(a_thread_waits_for_the_last_one_at_an_explicit_barrier)
{
    tw_report r = tw_analyze(early, TW_LEN(early));

    CHECK_THREAD(r, "omp_ebarrier_wait", 0, 30);
    CHECK_THREAD(r, "omp_ebarrier_wait", 1, 0);
    CHECK_THREAD_AT(r, "omp_ebarrier_wait", "main;!$omp parallel @program.c:1;!$omp barrier @program.c:2", 0, 30);
    CHECK_THREAD(r, "omp_ebarrier", 0, 35);
    CHECK_SPAN(r, "omp_ibarrier_wait", process(0), 0);
}

static const tw_op implicit[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 5, .leave = 60 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 6, .leave = 58 },
    { .process = 0, .thread = 0, .op = TW_OMP_IBARRIER, .enter = 10, .leave = 45 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 7, .leave = 59 },
    { .process = 0, .thread = 1, .op = TW_OMP_IBARRIER, .enter = 40, .leave = 44,
      .region = "!$omp ibarrier @program.c:3" },
};

TEST(both_names_of_implicit_barriers_are_known)
{
    tw_report r = tw_analyze(implicit, TW_LEN(implicit));

    CHECK_THREAD(r, "omp_ibarrier_wait", 0, 30);
    CHECK_THREAD(r, "omp_ibarrier_wait", 1, 0);
    CHECK_SPAN(r, "omp_ebarrier_wait", process(0), 0);
}

static const tw_op together[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 5, .leave = 60 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 6, .leave = 58 },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 40, .leave = 45 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 7, .leave = 59 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 40, .leave = 44 },
};

TEST(threads_that_come_together_do_not_wait)
{
    tw_report r = tw_analyze(together, TW_LEN(together));

    CHECK_SPAN(r, "omp_ebarrier_wait", process(0), 0);
}

/*   ticks      10  15      27     40 44 45
 *   thread 0   [b··<t task t>·········]      waiting = 40 - 10 - (27 - 15)
 *   thread 1   ···················[ ··]
 */
static const tw_op with_task[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 5, .leave = 60 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 6, .leave = 58 },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 10, .leave = 45 },
    { .process = 0, .thread = 0, .op = TW_TASK_SWITCH, .enter = 15, .creator = 1, .task = 1 },
    { .process = 0, .thread = 0, .op = TW_ENTER, .enter = 15, .region = "!$omp task @program.c:7" },
    { .process = 0, .thread = 0, .op = TW_LEAVE, .enter = 27, .region = "!$omp task @program.c:7" },
    { .process = 0, .thread = 0, .op = TW_TASK_COMPLETE, .enter = 27, .creator = 1, .task = 1 },
    { .process = 0, .thread = 0, .op = TW_TASK_SWITCH, .enter = 27, .creator = 0, .task = 0 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 7, .leave = 59 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 40, .leave = 44 },
};

TEST(the_critical_path_leaves_a_barrier_with_tasks_for_the_last_thread)
{
    tw_report r = tw_analyze(with_task, TW_LEN(with_task));

    CHECK_THREAD_AT(r, "critical_path", "!$omp barrier @program.c:2", 0, 0);
    CHECK_THREAD_AT(r, "critical_path", "!$omp task @program.c:7", 0, 0);
    CHECK_THREAD_AT(r, "critical_path", "!$omp barrier @program.c:2", 1, 45 - 40); /* until thread 0 left */
    CHECK_SPAN(r, "critical_path", process(0), 61);
}

TEST(a_task_that_is_done_in_the_barrier_is_no_waiting)
{
    tw_report r = tw_analyze(with_task, TW_LEN(with_task));

    CHECK_THREAD(r, "omp_ebarrier_wait", 0, 18);
    CHECK_THREAD(r, "omp_ebarrier_wait", 1, 0);
}

/*   ticks      10 12            40     52 55
 *   thread 0   [b·<t task··············t>··]    waiting = 12 - 10, although the task took more than 40 - 10
 *   thread 1   ·················[       ··]
 */
static const tw_op long_task[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 5, .leave = 60 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 6, .leave = 58 },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 10, .leave = 55 },
    { .process = 0, .thread = 0, .op = TW_TASK_SWITCH, .enter = 12, .creator = 1, .task = 1 },
    { .process = 0, .thread = 0, .op = TW_ENTER, .enter = 12, .region = "!$omp task @program.c:7" },
    { .process = 0, .thread = 0, .op = TW_LEAVE, .enter = 52, .region = "!$omp task @program.c:7" },
    { .process = 0, .thread = 0, .op = TW_TASK_COMPLETE, .enter = 52, .creator = 1, .task = 1 },
    { .process = 0, .thread = 0, .op = TW_TASK_SWITCH, .enter = 52, .creator = 0, .task = 0 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 7, .leave = 59 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 40, .leave = 55 },
};

TEST(a_thread_waits_until_it_has_a_task_to_do)
{
    tw_report r = tw_analyze(long_task, TW_LEN(long_task));

    CHECK_THREAD(r, "omp_ebarrier_wait", 0, 2);
}

TEST(scout26_takes_off_the_time_of_a_task_whenever_it_ran)
{
    tw_report r = tw_analyze_with(long_task, TW_LEN(long_task), .arguments = "--compat=scout26");

    CHECK_SPAN(r, "omp_ebarrier_wait", process(0), 0);
}

/*   ticks      10            40 45   95 100
 *   thread 0   [b················<t t>··]       waiting = 40 - 10: what comes later makes it no shorter
 *   thread 1   ··············[         ]
 */
static const tw_op task_behind[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 5, .leave = 120 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 6, .leave = 110 },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 10, .leave = 100 },
    { .process = 0, .thread = 0, .op = TW_TASK_SWITCH, .enter = 45, .creator = 1, .task = 1 },
    { .process = 0, .thread = 0, .op = TW_ENTER, .enter = 45, .region = "!$omp task @program.c:7" },
    { .process = 0, .thread = 0, .op = TW_LEAVE, .enter = 95, .region = "!$omp task @program.c:7" },
    { .process = 0, .thread = 0, .op = TW_TASK_COMPLETE, .enter = 95, .creator = 1, .task = 1 },
    { .process = 0, .thread = 0, .op = TW_TASK_SWITCH, .enter = 95, .creator = 0, .task = 0 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 7, .leave = 110 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 40, .leave = 100 },
};

TEST(a_task_behind_the_last_thread_is_not_taken_off)
{
    tw_report r = tw_analyze(task_behind, TW_LEN(task_behind));

    CHECK_THREAD(r, "omp_ebarrier_wait", 0, 30);
    CHECK_THREAD(r, "omp_ebarrier_wait", 1, 0);
}

/* The example of docs/metrics.md: two tasks, then a third one while the last thread comes.
 *   ticks      10 12  20  25  30  36    40    44 50
 *   thread 0   [b·<t t>···<t t>···<t········t>·]      waiting = (12 - 10) + (25 - 20) + (36 - 30)
 *   thread 1   ·······················[       ·]
 */
static const tw_op three_tasks[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 5, .leave = 60 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 6, .leave = 55 },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 10, .leave = 50 },
    { .process = 0, .thread = 0, .op = TW_TASK_SWITCH, .enter = 12, .creator = 1, .task = 1 },
    { .process = 0, .thread = 0, .op = TW_USER, .region = "leaf", .enter = 13, .leave = 19 },
    { .process = 0, .thread = 0, .op = TW_TASK_COMPLETE, .enter = 20, .creator = 1, .task = 1 },
    { .process = 0, .thread = 0, .op = TW_TASK_SWITCH, .enter = 20, .creator = 0, .task = 0 },
    { .process = 0, .thread = 0, .op = TW_TASK_SWITCH, .enter = 25, .creator = 1, .task = 2 },
    { .process = 0, .thread = 0, .op = TW_TASK_COMPLETE, .enter = 30, .creator = 1, .task = 2 },
    { .process = 0, .thread = 0, .op = TW_TASK_SWITCH, .enter = 36, .creator = 1, .task = 3 },
    { .process = 0, .thread = 0, .op = TW_TASK_COMPLETE, .enter = 44, .creator = 1, .task = 3 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 7, .leave = 55 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 40, .leave = 50 },
};

TEST(a_thread_waits_between_its_tasks)
{
    tw_report r = tw_analyze_with(three_tasks, TW_LEN(three_tasks), .contradicts = true); /* tasks without a call */

    CHECK_THREAD(r, "omp_ebarrier_wait", 0, 13);
}

/*   ticks      10     15 16 20    40 44
 *   thread 0   <t task t>  [b·········]     the task was done before the barrier
 *   thread 1   ···············[b ····]
 */
static const tw_op task_before[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 5, .leave = 60 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 6, .leave = 58 },
    { .process = 0, .thread = 0, .op = TW_TASK_SWITCH, .enter = 10, .creator = 1, .task = 1 },
    { .process = 0, .thread = 0, .op = TW_ENTER, .enter = 10, .region = "!$omp task @program.c:7" },
    { .process = 0, .thread = 0, .op = TW_LEAVE, .enter = 15, .region = "!$omp task @program.c:7" },
    { .process = 0, .thread = 0, .op = TW_TASK_COMPLETE, .enter = 15, .creator = 1, .task = 1 },
    { .process = 0, .thread = 0, .op = TW_TASK_SWITCH, .enter = 15, .creator = 0, .task = 0 },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 20, .leave = 45 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 7, .leave = 59 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 40, .leave = 44 },
};

TEST(a_task_that_was_done_before_the_barrier_changes_nothing)
{
    tw_report r = tw_analyze(task_before, TW_LEN(task_before));

    CHECK_THREAD(r, "omp_ebarrier_wait", 0, 20);
}

/*   ticks      10    30 36  40      70 75
 *   thread 0   [b····]  [b·············]     first barrier: for nobody in serial code; second: 70 - 40
 *   thread 1            ···········[b··]
 */
static const tw_op serial[] = {
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 10, .leave = 30 },
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 35, .leave = 90 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 36, .leave = 85 },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 40, .leave = 75 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 37, .leave = 86 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 70, .leave = 75 },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 95, .leave = 99 },
};

TEST(a_barrier_in_serial_code_is_for_nobody)
{
    tw_report r = tw_analyze(serial, TW_LEN(serial));

    CHECK_THREAD_AT(r, "omp_ebarrier_wait", "program;main;!$omp barrier @program.c:2", 0, 0);
    CHECK_THREAD(r, "omp_ebarrier_wait", 0, 30);
    CHECK_THREAD(r, "omp_ebarrier_wait", 1, 0);
}

/*   ticks      10   20 25  30   50 55
 *   thread 0   [b······]   [b·······]        second barrier: 50 - 30, without thread 2
 *   thread 1   ·····[b·]   ······[b·]
 *   thread 2   ··[b····]  ends
 */
static const tw_op leaves_early[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 5, .leave = 90 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 6, .leave = 85 },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 10, .leave = 25 },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 30, .leave = 55 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 7, .leave = 86 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 20, .leave = 25 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 50, .leave = 55 },
    { .process = 0, .thread = 2, .op = TW_TEAM, .enter = 7, .leave = 28 },
    { .process = 0, .thread = 2, .op = TW_OMP_BARRIER, .enter = 15, .leave = 25 },
};

TEST(nobody_waits_for_a_thread_that_left_early)
{
    tw_report r = tw_analyze(leaves_early, TW_LEN(leaves_early));

    CHECK_THREAD(r, "omp_ebarrier_wait", 0, 10 + 20);
    CHECK_THREAD(r, "omp_ebarrier_wait", 1, 0);
    CHECK_THREAD(r, "omp_ebarrier_wait", 2, 5);
}

/* The same team a second time: its barriers are counted from the start, though thread 1 missed one of the first
 * instance. */
static const tw_op again[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 5, .leave = 50 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 6, .leave = 45 },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 10, .leave = 20 },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 25, .leave = 35 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 7, .leave = 46 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 18, .leave = 20 },
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 60, .leave = 99 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 61, .leave = 98 },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 90, .leave = 95 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 61, .leave = 98 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 65, .leave = 95 },
};

TEST(barriers_are_matched_within_one_instance_of_the_team)
{
    tw_report r = tw_analyze(again, TW_LEN(again));

    CHECK_THREAD(r, "omp_ebarrier_wait", 0, 8);
    CHECK_THREAD(r, "omp_ebarrier_wait", 1, 25);
}

/*   ticks      10  20   30   40        thread 1 has no record of the first barrier; its first one is taken for that of
 *                                      thread 0
 *   thread 0   [b···]   [b···]        and was entered only at 35: waiting no longer than the barrier lasts
 *   thread 1   ···········[b·]
 */
static const tw_op missing[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 5, .leave = 60 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 6, .leave = 58 },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 10, .leave = 20 },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 30, .leave = 40 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 7, .leave = 59 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 35, .leave = 40 },
};

TEST(nobody_waits_longer_than_the_barrier_lasts)
{
    tw_report r = tw_analyze_with(missing, TW_LEN(missing), .contradicts = true);

    CHECK_THREAD(r, "omp_ebarrier_wait", 0, 10);
    CHECK_THREAD(r, "omp_ebarrier_wait", 1, 0);
}

/* Two processes, one table: nothing of one is seen by the other. */
static const tw_op two_processes[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 5, .leave = 60 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 6, .leave = 58 },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 10, .leave = 45 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 7, .leave = 59 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 40, .leave = 44 },
    { .process = 1, .thread = 0, .op = TW_FORK, .enter = 105, .leave = 160 },
    { .process = 1, .thread = 0, .op = TW_TEAM, .enter = 106, .leave = 158 },
    { .process = 1, .thread = 0, .op = TW_OMP_BARRIER, .enter = 135, .leave = 145 },
    { .process = 1, .thread = 1, .op = TW_TEAM, .enter = 107, .leave = 159 },
    { .process = 1, .thread = 1, .op = TW_OMP_BARRIER, .enter = 120, .leave = 144 },
};

TEST(barriers_of_processes_are_independent)
{
    tw_report r = tw_analyze(two_processes, TW_LEN(two_processes));

    CHECK_SPAN(r, "omp_ebarrier_wait", process(0), 30);
    CHECK_SPAN(r, "omp_ebarrier_wait", process(1), 15);
}

TEST_MAIN
