/* tests/openmp/test_tasks.c: PATTERNS 5.7 and 9.6, call paths and times of tasks.
 *
 *   ticks      100   110 111     130 131   140
 *   thread 0   [barrier··<t[ foo ]··t>·······]     barrier 10 + 9; foo, below TASKS, 19; the rest of the task, 2, stands
 *   thread 1   ···························[·]      at the stub of foo below the barrier
 */
#include "check.h"
#include "situation.h"

#define PARALLEL "program;main;!$omp parallel @program.c:1"
#define BARRIER PARALLEL ";!$omp barrier @program.c:2"
#define TASK_A "!$omp task @program.c:7"
#define TASK_B "!$omp task @program.c:8"

static const tw_op one_task[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 90, .leave = 160 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 95, .leave = 150 },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 100, .leave = 140 },
    { .process = 0, .thread = 0, .op = TW_TASK_SWITCH, .enter = 110, .creator = 1, .task = 1 },
    { .process = 0, .thread = 0, .op = TW_ENTER, .enter = 111, .region = "foo" },
    { .process = 0, .thread = 0, .op = TW_LEAVE, .enter = 130, .region = "foo" },
    { .process = 0, .thread = 0, .op = TW_TASK_COMPLETE, .enter = 131, .creator = 1, .task = 1 },
    { .process = 0, .thread = 0, .op = TW_TASK_SWITCH, .enter = 131, .creator = 0, .task = 0 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 96, .leave = 151 },
    { .process = 0, .thread = 1, .op = TW_TASK_CREATE, .enter = 98, .creator = 1, .task = 1 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 139, .leave = 140 },
};

TEST(the_time_of_a_task_is_no_time_of_the_barrier_it_runs_in)
{
    tw_report r = tw_analyze(one_task, TW_LEN(one_task));

    CHECK_THREAD_AT(r, "time", BARRIER, 0, 19);
    CHECK_THREAD_AT(r, "time", "program;TASKS;foo", 0, 19);
    CHECK_THREAD_AT(r, "time", "program;TASKS", 0, 0);
    CHECK_THREAD_AT(r, "time", BARRIER ";foo", 0, 2);
    CHECK_THREAD_AT(r, "time", "program;TASKS;foo", 1, 0);
}

TEST(a_task_is_visited_where_it_ran)
{
    tw_report r = tw_analyze(one_task, TW_LEN(one_task));

    CHECK_THREAD_AT(r, "visits", BARRIER ";foo", 0, 1);
    CHECK_THREAD_AT(r, "visits", "program;TASKS;foo", 0, 1);
    CHECK_THREAD_AT(r, "visits", BARRIER ";foo", 1, 0);
}

TEST(a_task_is_counted_at_its_stub)
{
    tw_report r = tw_analyze(one_task, TW_LEN(one_task));

    CHECK_THREAD_AT(r, "omp_task_count", BARRIER ";foo", 0, 1);
    CHECK_THREAD_AT(r, "omp_task_time", BARRIER ";foo", 0, 21);
    CHECK_THREAD_AT(r, "omp_task_switch_time", BARRIER ";foo", 0, 2);
    CHECK_THREAD(r, "omp_task_count", 1, 0);
}

TEST(scout26_counts_the_time_of_a_task_at_its_stub_too)
{
    tw_report r = tw_analyze_with(one_task, TW_LEN(one_task), .arguments = "--compat=scout26");

    CHECK_THREAD_AT(r, "time", BARRIER, 0, 19);
    CHECK_THREAD_AT(r, "time", BARRIER ";foo", 0, 21);
    CHECK_THREAD_AT(r, "time", "program;TASKS;foo", 0, 19);
    CHECK_THREAD_AT(r, "time", "program;TASKS", 0, 0);
}

static const tw_options without_program = { .without_program = true };

TEST(without_a_program_tasks_are_a_root_of_their_own)
{
    tw_report r = tw_analyze_with(one_task, TW_LEN(one_task), .options = &without_program);

    CHECK_THREAD_AT(r, "time", "TASKS;foo", 0, 19);
    CHECK_THREAD_AT(r, "time", "program;TASKS;foo", 0, 0);
    CHECK_THREAD_AT(r, "omp_task_time", "!$omp barrier @program.c:2;foo", 0, 21);
    CHECK_THREAD(r, "omp_ebarrier_wait", 0, 139 - 100 - 21);
}

/* The opposite: the same function called before the barrier, without a task. */
static const tw_op no_task[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 90, .leave = 160 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 95, .leave = 150 },
    { .process = 0, .thread = 0, .op = TW_USER, .enter = 100, .leave = 119, .region = "foo" },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 119, .leave = 140 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 96, .leave = 151 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 139, .leave = 140 },
};

TEST(a_call_without_a_task_has_no_stub)
{
    tw_report r = tw_analyze(no_task, TW_LEN(no_task));

    CHECK_THREAD_AT(r, "time", PARALLEL ";foo", 0, 19);
    CHECK_THREAD_AT(r, "time", BARRIER, 0, 21);
    CHECK_THREAD_AT(r, "time", "TASKS;foo", 0, 0);
    CHECK_THREAD_AT(r, "visits", BARRIER ";foo", 0, 0);
    CHECK_SPAN(r, "omp_task_count", process(0), 0);
    CHECK_THREAD(r, "omp_ebarrier_wait", 0, 20);
}

/*   ticks      100   110  120 122   130 133   140   149 150
 *   thread 0   [b····[A···[tw <B····B>···]·····]········]     A without B: 10 + 2 + 3 + 7
 *   thread 1                                         [b·]
 */
static const tw_op suspended[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 90, .leave = 160 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 95, .leave = 155 },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 100, .leave = 150 },
    { .process = 0, .thread = 0, .op = TW_TASK_SWITCH, .enter = 110, .creator = 1, .task = 1 },
    { .process = 0, .thread = 0, .op = TW_ENTER, .enter = 110, .region = TASK_A },
    { .process = 0, .thread = 0, .op = TW_TASK_CREATE, .enter = 115, .creator = 0, .task = 1 },
    { .process = 0, .thread = 0, .op = TW_ENTER, .enter = 120, .region = "!$omp taskwait @program.c:5" },
    { .process = 0, .thread = 0, .op = TW_TASK_SWITCH, .enter = 122, .creator = 0, .task = 1 },
    { .process = 0, .thread = 0, .op = TW_ENTER, .enter = 122, .region = TASK_B },
    { .process = 0, .thread = 0, .op = TW_LEAVE, .enter = 130, .region = TASK_B },
    { .process = 0, .thread = 0, .op = TW_TASK_COMPLETE, .enter = 130, .creator = 0, .task = 1 },
    { .process = 0, .thread = 0, .op = TW_TASK_SWITCH, .enter = 130, .creator = 1, .task = 1 },
    { .process = 0, .thread = 0, .op = TW_LEAVE, .enter = 133, .region = "!$omp taskwait @program.c:5" },
    { .process = 0, .thread = 0, .op = TW_LEAVE, .enter = 140, .region = TASK_A },
    { .process = 0, .thread = 0, .op = TW_TASK_COMPLETE, .enter = 140, .creator = 1, .task = 1 },
    { .process = 0, .thread = 0, .op = TW_TASK_SWITCH, .enter = 140, .creator = 0, .task = 0 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 96, .leave = 155 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 149, .leave = 150 },
};

TEST(a_suspended_task_takes_no_time)
{
    tw_report r = tw_analyze(suspended, TW_LEN(suspended));

    CHECK_THREAD_AT(r, "time", "program;TASKS;" TASK_A, 0, 10 + 7);
    CHECK_THREAD_AT(r, "time", "program;TASKS;" TASK_A ";!$omp taskwait @program.c:5", 0, 2 + 3);
    CHECK_THREAD_AT(r, "time", "program;TASKS;" TASK_B, 0, 8);
    CHECK_THREAD_AT(r, "time", BARRIER, 0, 10 + 10);
    CHECK_THREAD_AT(r, "omp_task_time", BARRIER ";" TASK_A, 0, 22);
    CHECK_THREAD_AT(r, "omp_task_time", BARRIER ";" TASK_B, 0, 8);
    CHECK_EQ(tw_finding(r, "unbalanced"), 0);
}

TEST(a_barrier_with_nested_tasks_subtracts_each_once)
{
    tw_report r = tw_analyze(suspended, TW_LEN(suspended));

    CHECK_THREAD(r, "omp_ebarrier_wait", 0, 149 - 100 - 22 - 8);
}

TEST(a_taskwait_waits_while_no_task_runs)
{
    tw_report r = tw_analyze(suspended, TW_LEN(suspended));

    CHECK_THREAD(r, "omp_taskwait_wait", 0, 2 + 3);
}

TEST(scout26_has_each_task_at_its_stub)
{
    tw_report r = tw_analyze_with(suspended, TW_LEN(suspended), .arguments = "--compat=scout26");

    CHECK_THREAD_AT(r, "time", BARRIER ";" TASK_A, 0, 22);
    CHECK_THREAD_AT(r, "time", BARRIER ";" TASK_B, 0, 8);
    CHECK_THREAD_AT(r, "time", BARRIER, 0, 20);
}

/*   ticks      100  105         140   150
 *   thread 0   [taskwait<A······A>······]      waiting = 50 - 35
 */
static const tw_op taskwait[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 90, .leave = 160 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 95, .leave = 155 },
    { .process = 0, .thread = 0, .op = TW_TASKWAIT, .enter = 100, .leave = 150 },
    { .process = 0, .thread = 0, .op = TW_TASK_SWITCH, .enter = 105, .creator = 1, .task = 1 },
    { .process = 0, .thread = 0, .op = TW_ENTER, .enter = 105, .region = TASK_A },
    { .process = 0, .thread = 0, .op = TW_LEAVE, .enter = 140, .region = TASK_A },
    { .process = 0, .thread = 0, .op = TW_TASK_COMPLETE, .enter = 140, .creator = 1, .task = 1 },
    { .process = 0, .thread = 0, .op = TW_TASK_SWITCH, .enter = 140, .creator = 0, .task = 0 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 96, .leave = 155 },
    { .process = 0, .thread = 1, .op = TW_TASKWAIT, .enter = 100, .leave = 120 },
};

/* Thread 0 is stopped in its taskwait, when the task in it is complete. */
static const hd_time    early_ends[] = { 145, UINT64_MAX };
static const tw_options early        = { .ends = early_ends };

TEST(a_taskwait_that_the_recording_ends_in_does_not_wait)
{
    tw_report r = tw_analyze_with(taskwait, TW_LEN(taskwait), .options = &early);

    CHECK_THREAD(r, "omp_taskwait_wait", 0, 0);
    CHECK_THREAD(r, "omp_taskwait_wait", 1, 20);
}

TEST(a_taskwait_without_tasks_is_all_waiting)
{
    tw_report r = tw_analyze(taskwait, TW_LEN(taskwait));

    CHECK_THREAD(r, "omp_taskwait_wait", 0, 15);
    CHECK_THREAD(r, "omp_taskwait_wait", 1, 20);
}

/*   ticks      100   110       120            140 150
 *   thread 0   [b····<A··[ A ··>··················]      begins here: 10
 *   thread 1   [b··················<··A ]··A>·····]      goes on here: 10, in a region that was entered elsewhere
 *                                  125      135
 */
static const tw_op untied[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 90, .leave = 160 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 95, .leave = 155 },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 100, .leave = 150 },
    { .process = 0, .thread = 0, .op = TW_TASK_SWITCH, .enter = 110, .creator = 0, .task = 1 },
    { .process = 0, .thread = 0, .op = TW_ENTER, .enter = 110, .region = TASK_A },
    { .process = 0, .thread = 0, .op = TW_TASK_SWITCH, .enter = 120, .creator = 0, .task = 0 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 96, .leave = 155 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 100, .leave = 150 },
    { .process = 0, .thread = 1, .op = TW_TASK_SWITCH, .enter = 125, .creator = 0, .task = 1 },
    { .process = 0, .thread = 1, .op = TW_LEAVE, .enter = 135, .region = TASK_A },
    { .process = 0, .thread = 1, .op = TW_TASK_COMPLETE, .enter = 135, .creator = 0, .task = 1 },
    { .process = 0, .thread = 1, .op = TW_TASK_SWITCH, .enter = 135, .creator = 1, .task = 0 },
};

TEST(an_untied_task_keeps_its_time_on_each_thread)
{
    tw_report r = tw_analyze(untied, TW_LEN(untied));

    CHECK_THREAD_AT(r, "time", "program;TASKS;" TASK_A, 0, 10);
    CHECK_THREAD_AT(r, "time", BARRIER, 0, 40);
    CHECK_THREAD_AT(r, "time", BARRIER, 1, 50); /* where it goes on, nothing says in which region it is */
    CHECK_EQ(tw_finding(r, "unbalanced"), 1);
}

/* The trace ends before the task does: its region is closed, and no time is lost. */
static const tw_op cut_off[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 90, .leave = 160 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 95, .leave = 155 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 96, .leave = 155 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 100, .leave = 150 },
    { .process = 0, .thread = 1, .op = TW_TASK_SWITCH, .enter = 110, .creator = 0, .task = 1 },
    { .process = 0, .thread = 1, .op = TW_ENTER, .enter = 112, .region = TASK_A },
    { .process = 0, .thread = 1, .op = TW_TASK_SWITCH, .enter = 120, .creator = 1, .task = 0 },
};

TEST(a_task_that_is_not_completed_is_not_counted)
{
    tw_report r = tw_analyze(cut_off, TW_LEN(cut_off));

    CHECK_THREAD(r, "omp_task_count", 1, 0);
    CHECK_THREAD_AT(r, "time", "program;TASKS;" TASK_A, 1, 8);
    CHECK_THREAD_AT(r, "time", BARRIER, 1, 40);
    CHECK_THREAD_AT(r, "time", BARRIER ";" TASK_A, 1, 2);
}

/* Thread 0 is stopped in the task's region. */
static const hd_time    ends[]  = { 130, UINT64_MAX };
static const tw_options stopped = { .ends = ends };

TEST(a_barrier_that_the_recording_ends_in_does_not_wait)
{
    tw_report r = tw_analyze_with(one_task, TW_LEN(one_task), .options = &stopped);

    CHECK_THREAD(r, "omp_ebarrier_wait", 0, 0);
    CHECK_THREAD_AT(r, "time", BARRIER, 0, 10);
}

TEST(a_task_that_the_recording_ends_in_has_its_time_but_does_not_count)
{
    tw_report r = tw_analyze_with(one_task, TW_LEN(one_task), .options = &stopped);

    CHECK_THREAD_AT(r, "time", "program;TASKS;foo", 0, 130 - 111);
    CHECK_THREAD_AT(r, "time", BARRIER ";foo", 0, 1);
    CHECK_THREAD_AT(r, "omp_task_time", BARRIER ";foo", 0, 130 - 110);
    CHECK_THREAD(r, "omp_task_count", 0, 0);
}

TEST_MAIN
