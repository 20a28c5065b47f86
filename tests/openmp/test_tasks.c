/* tests/openmp/test_tasks.c: "Where the time of tasks is", "Wait for tasks" of docs/metrics.md: call paths and times
 * of tasks.
 *
 *   ticks      100   110 111     130 131   140
 *   thread 0   [barrier··<t[ foo ]··t>·······]     barrier 10 + 9; foo, below TASKS, 19; the rest of the task, 2,
 *                                                  stands
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

/* Thread 1 runs a task in the team of a thread 0 that has no program either. */
static const tw_op task_of_worker[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 90, .leave = 160 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 95, .leave = 150 },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 139, .leave = 140 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 96, .leave = 151 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 100, .leave = 140 },
    { .process = 0, .thread = 1, .op = TW_TASK_SWITCH, .enter = 110, .creator = 1, .task = 1 },
    { .process = 0, .thread = 1, .op = TW_ENTER, .enter = 111, .region = "foo" },
    { .process = 0, .thread = 1, .op = TW_LEAVE, .enter = 130, .region = "foo" },
    { .process = 0, .thread = 1, .op = TW_TASK_COMPLETE, .enter = 131, .creator = 1, .task = 1 },
    { .process = 0, .thread = 1, .op = TW_TASK_SWITCH, .enter = 131, .creator = 0, .task = 0 },
};

TEST(without_a_program_scout26_takes_no_time_of_tasks_out_of_it)
{
    tw_report r = tw_analyze_with(task_of_worker, TW_LEN(task_of_worker), .options = &without_program,
                                  .arguments = "--compat=scout26");

    CHECK_THREAD_AT(r, "time", "TASKS;foo", 1, 19);
    CHECK_THREAD_AT(r, "time", "!$omp barrier @program.c:2;foo", 1, 21);
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
    tw_report r = tw_analyze_with(taskwait, TW_LEN(taskwait), .options = &early, .exit_code = 3);

    CHECK_EQ(tw_finding(r, "stopped"), 1);
    CHECK_THREAD(r, "omp_taskwait_wait", 0, 0);
    CHECK_THREAD(r, "omp_taskwait_wait", 1, 20);
}

TEST(a_taskwait_without_tasks_is_all_waiting)
{
    tw_report r = tw_analyze(taskwait, TW_LEN(taskwait));

    CHECK_THREAD(r, "omp_taskwait_wait", 0, 15);
    CHECK_THREAD(r, "omp_taskwait_wait", 1, 20);
}

/* docs/metrics.md#moved-tasks: a task that begins on one thread and goes on on another.
 *
 *   ticks      100   110 112    120                    150
 *   thread 0   [b····<A··[ A    >·······················]      A 8, stub 2
 *   thread 1   [b··················<··[ B ]··A ]·A>·····]      A 7, B 3, stub 1
 *                                  125 128 131 135 136
 */
#define FORK(number)                                                                                                   \
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 90, .leave = 160 },                                           \
        { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 95, .leave = 155 },                                       \
        { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 100, .leave = 150 },                               \
        { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 96, .leave = 155 },                                       \
        { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = (number), .leave = 150 }
#define RUN(where, at, who, number)                                                                                    \
    { .process = 0, .thread = (where), .op = TW_TASK_SWITCH, .enter = (at), .creator = (who), .task = (number) }
#define REST(where, at) RUN(where, at, where, 0)
#define GO_IN(where, at, name) { .process = 0, .thread = (where), .op = TW_ENTER, .enter = (at), .region = (name) }
#define GO_OUT(where, at, name) { .process = 0, .thread = (where), .op = TW_LEAVE, .enter = (at), .region = (name) }
#define COMPLETE(where, at, who, number)                                                                               \
    { .process = 0, .thread = (where), .op = TW_TASK_COMPLETE, .enter = (at), .creator = (who), .task = (number) }

static const tw_op moves[] = {
    FORK(100),
    RUN(0, 110, 0, 1), GO_IN(0, 112, TASK_A), REST(0, 120),
    RUN(1, 125, 0, 1), GO_IN(1, 128, TASK_B), GO_OUT(1, 131, TASK_B), GO_OUT(1, 135, TASK_A), COMPLETE(1, 136, 0, 1),
    REST(1, 136),
};

TEST(a_task_that_moves_has_its_time_where_it_was_spent)
{
    tw_report r = tw_analyze(moves, TW_LEN(moves));

    CHECK_THREAD_AT(r, "time", "program;TASKS;" TASK_A, 0, 8);
    CHECK_THREAD_AT(r, "time", "program;TASKS;" TASK_A, 1, 7);
    CHECK_THREAD_AT(r, "time", "program;TASKS;" TASK_A ";" TASK_B, 1, 3);
    CHECK_THREAD_AT(r, "time", "program;TASKS", 1, 0);
    CHECK_THREAD_AT(r, "time", BARRIER ";" TASK_A, 0, 2);
    CHECK_THREAD_AT(r, "time", BARRIER ";" TASK_A, 1, 1);
    CHECK_THREAD_AT(r, "time", BARRIER, 0, 40);
    CHECK_THREAD_AT(r, "time", BARRIER, 1, 39);
    CHECK_EQ(tw_finding(r, "unbalanced"), 0);
}

TEST(a_task_that_moves_is_one_task)
{
    tw_report r = tw_analyze(moves, TW_LEN(moves));

    CHECK_SPAN(r, "omp_task_count", process(0), 1);
    CHECK_THREAD_AT(r, "omp_task_count", BARRIER ";" TASK_A, 1, 1);
    CHECK_THREAD_AT(r, "omp_task_time", BARRIER ";" TASK_A, 0, 10);
    CHECK_THREAD_AT(r, "omp_task_time", BARRIER ";" TASK_A, 1, 11);
    CHECK_THREAD_AT(r, "omp_task_switch_time", BARRIER ";" TASK_A, 0, 2);
    CHECK_THREAD_AT(r, "omp_task_switch_time", BARRIER ";" TASK_A, 1, 1);
    CHECK_THREAD_AT(r, "visits", BARRIER ";" TASK_A, 0, 0);
    CHECK_THREAD_AT(r, "visits", BARRIER ";" TASK_A, 1, 1);
    CHECK_THREAD_AT(r, "visits", "program;TASKS;" TASK_A, 0, 1);
    CHECK_THREAD_AT(r, "visits", "program;TASKS;" TASK_A, 1, 0);
}

TEST(the_class_of_a_task_that_moves_is_that_of_all_its_time)
{
    tw_report r = tw_analyze(moves, TW_LEN(moves)); /* 10 and 11 microseconds: 21 */

    CHECK_SPAN(r, "omp_task_count_100us", process(0), 1);
    CHECK_SPAN(r, "omp_task_count_10us", process(0), 0);
}

/* A region of interest that is entered on one thread and left on the other one, in the task that moved: 114 to 132. */
TEST(a_region_of_interest_moves_with_its_task)
{
    static const tw_op ops[] = {
        FORK(100),
        RUN(0, 110, 0, 1), GO_IN(0, 112, TASK_A), GO_IN(0, 114, "foo"), REST(0, 120),
        RUN(1, 125, 0, 1), GO_OUT(1, 132, "foo"), GO_OUT(1, 135, TASK_A), COMPLETE(1, 136, 0, 1), REST(1, 136),
    };
    tw_report r = tw_analyze_with(ops, TW_LEN(ops), .arguments = "--roi foo");

    CHECK_THREAD(r, "time", 0, 18);
    CHECK_THREAD(r, "time", 1, 18);
    CHECK_THREAD_AT(r, "time", "program;TASKS;" TASK_A ";foo", 0, 6);
    CHECK_THREAD_AT(r, "time", "program;TASKS;" TASK_A ";foo", 1, 7);
    CHECK_THREAD_AT(r, "omp_task_time", BARRIER ";" TASK_A, 0, 6);
    CHECK_THREAD_AT(r, "omp_task_time", BARRIER ";" TASK_A, 1, 7);
    CHECK_SPAN(r, "omp_task_count", process(0), 0);
    CHECK_THREAD_AT(r, "time", BARRIER, 0, 12);
}

/* Two tasks, the second of which waits for the next instance of the region: no interval holds it as a whole. */
TEST(a_task_counts_if_one_instance_holds_it)
{
    static const tw_op ops[] = {
        FORK(100),
        RUN(0, 110, 0, 1), GO_IN(0, 110, TASK_A), GO_OUT(0, 115, TASK_A), COMPLETE(0, 115, 0, 1),
        RUN(0, 116, 0, 2), GO_IN(0, 116, TASK_A), REST(0, 118),
        RUN(0, 130, 0, 2), GO_OUT(0, 134, TASK_A), COMPLETE(0, 134, 0, 2), REST(0, 134),
        { .process = 0, .thread = 1, .op = TW_USER, .region = "foo", .enter = 105, .leave = 119 },
        { .process = 0, .thread = 1, .op = TW_USER, .region = "foo", .enter = 129, .leave = 140 },
    };
    tw_report r = tw_analyze_with(ops, TW_LEN(ops), .arguments = "--roi foo");

    CHECK_THREAD(r, "omp_task_count", 0, 1);
    CHECK_THREAD_AT(r, "omp_task_time", BARRIER ";" TASK_A, 0, 5 + 2 + 4);
    CHECK_THREAD(r, "time", 0, 14 + 11);
}

TEST(scout26_knows_no_tasks_that_move)
{
    tw_report r = tw_analyze_with(moves, TW_LEN(moves), .arguments = "--compat=scout26");

    CHECK_THREAD_AT(r, "time", "program;TASKS;" TASK_A, 0, 8);
    CHECK_THREAD_AT(r, "time", "program;TASKS;" TASK_B, 1, 3);
}

/* Nothing is open when it moves; whoever created it neither begins nor completes it. */
static const tw_op moves_closed[] = {
    FORK(100),
    { .process = 0, .thread = 2, .op = TW_TEAM, .enter = 96, .leave = 155 },
    { .process = 0, .thread = 2, .op = TW_TASK_CREATE, .enter = 98, .creator = 2, .task = 7 },
    { .process = 0, .thread = 2, .op = TW_OMP_BARRIER, .enter = 100, .leave = 150 },
    RUN(0, 110, 2, 7), GO_IN(0, 110, TASK_A), GO_OUT(0, 118, TASK_A), REST(0, 120),
    RUN(1, 125, 2, 7), GO_IN(1, 126, "foo"), GO_OUT(1, 130, "foo"), COMPLETE(1, 131, 2, 7), REST(1, 131),
};

TEST(a_task_completes_on_another_thread_than_created_and_began_it)
{
    tw_report r = tw_analyze(moves_closed, TW_LEN(moves_closed));

    CHECK_SPAN(r, "omp_task_count", process(0), 1);
    CHECK_THREAD_AT(r, "omp_task_count", BARRIER ";" TASK_A, 1, 1);
    CHECK_THREAD_AT(r, "omp_task_time", BARRIER ";" TASK_A, 0, 10);
    CHECK_THREAD_AT(r, "omp_task_time", BARRIER ";" TASK_A, 1, 6);
    CHECK_THREAD_AT(r, "time", "program;TASKS;foo", 1, 4);
    CHECK_THREAD_AT(r, "time", BARRIER ";" TASK_A, 0, 2);
    CHECK_THREAD_AT(r, "time", BARRIER ";" TASK_A, 1, 1 + 1);
    CHECK_THREAD_AT(r, "time", BARRIER ";foo", 1, 0);
    CHECK_THREAD(r, "omp_task_time", 2, 0);
}

/*   ticks      100   110     115        130   133  140  150
 *   thread 0   [b····[ A <b·]·>··········[foo ]··A ]····]      A→B→A: foo was entered on thread 1 and is left on thread
 *                                                              0
 *   thread 1   [b··············[ foo ··>·················]
 *                              118 121  125
 */
static const tw_op back[] = {
    FORK(100),
    RUN(0, 110, 1, 3), GO_IN(0, 110, TASK_A), REST(0, 115),
    RUN(1, 118, 1, 3), GO_IN(1, 121, "foo"), REST(1, 125),
    RUN(0, 130, 1, 3), GO_IN(0, 131, "bar"), GO_OUT(0, 132, "bar"), GO_OUT(0, 133, "foo"), GO_OUT(0, 140, TASK_A),
    COMPLETE(0, 140, 1, 3), REST(0, 140),
};

TEST(a_task_that_comes_back_goes_on_where_the_other_thread_left_off)
{
    tw_report r = tw_analyze(back, TW_LEN(back));

    CHECK_THREAD_AT(r, "time", "program;TASKS;" TASK_A, 0, 5 + 7);
    CHECK_THREAD_AT(r, "time", "program;TASKS;" TASK_A, 1, 3);
    CHECK_THREAD_AT(r, "time", "program;TASKS;" TASK_A ";foo", 1, 4);
    CHECK_THREAD_AT(r, "time", "program;TASKS;" TASK_A ";foo", 0, 1 + 1);
    CHECK_THREAD_AT(r, "time", "program;TASKS;" TASK_A ";foo;bar", 0, 1);
    CHECK_THREAD_AT(r, "visits", "program;TASKS;" TASK_A ";foo", 1, 1);
    CHECK_THREAD_AT(r, "visits", "program;TASKS;" TASK_A ";foo", 0, 0);
    CHECK_SPAN(r, "omp_task_count", process(0), 1);
    CHECK_THREAD_AT(r, "omp_task_count", BARRIER ";" TASK_A, 0, 1);
    CHECK_THREAD_AT(r, "omp_task_time", BARRIER ";" TASK_A, 0, 15);
    CHECK_THREAD_AT(r, "omp_task_time", BARRIER ";" TASK_A, 1, 7);
    CHECK_EQ(tw_finding(r, "unbalanced"), 0);
}

/* The same number in two instances of the team: two tasks, the first of which moves. */
static const tw_op again[] = {
    FORK(100),
    RUN(0, 110, 0, 1), GO_IN(0, 110, TASK_A), REST(0, 120),
    RUN(1, 125, 0, 1), GO_OUT(1, 135, TASK_A), COMPLETE(1, 135, 0, 1), REST(1, 135),
    { .process = 0, .thread = 0, .op = TW_USER, .enter = 185, .leave = 265, .region = "foo" },
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 190, .leave = 260 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 195, .leave = 255 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 196, .leave = 255 },
    RUN(0, 210, 0, 1), GO_IN(0, 210, TASK_B), GO_OUT(0, 217, TASK_B), COMPLETE(0, 217, 0, 1), REST(0, 217),
};

TEST(tasks_of_different_teams_are_different)
{
    tw_report r = tw_analyze(again, TW_LEN(again));

    CHECK_SPAN(r, "omp_task_count", process(0), 2);
    CHECK_THREAD_AT(r, "omp_task_time", TASK_A, 0, 10);
    CHECK_THREAD_AT(r, "omp_task_time", TASK_A, 1, 10);
    CHECK_THREAD_AT(r, "omp_task_time", TASK_B, 0, 7);
    CHECK_THREAD_AT(r, "time", "program;TASKS;" TASK_B, 0, 7);
    /* places behind those of moved tasks */
    CHECK_THREAD_AT(r, "visits", "program;main;foo;!$omp parallel @program.c:1", 1, 1);
    CHECK_THREAD_AT(r, "visits", PARALLEL, 1, 1);
    CHECK_EQ(tw_finding(r, "unbalanced"), 0);
}

/* Its first region is no task's, so that each of its threads could be the one where it begins. */
static const tw_op without_region[] = {
    FORK(100),
    RUN(0, 110, 0, 1), GO_IN(0, 111, "foo"), REST(0, 120),
    RUN(1, 125, 0, 1), GO_IN(1, 126, "bar"), GO_OUT(1, 130, "bar"), GO_OUT(1, 134, "foo"), COMPLETE(1, 135, 0, 1),
    REST(1, 135), RUN(1, 140, 0, 2), GO_IN(1, 140, "foo"), GO_OUT(1, 142, "foo"), COMPLETE(1, 142, 0, 2), REST(1, 142),
};

TEST(a_task_that_moves_begins_where_it_ran_first)
{
    tw_report r = tw_analyze(without_region, TW_LEN(without_region));

    CHECK_SPAN(r, "omp_task_count", process(0), 2);
    CHECK_THREAD_AT(r, "omp_task_count", BARRIER ";foo", 1, 2);
    CHECK_THREAD_AT(r, "omp_task_time", BARRIER ";foo", 0, 10);
    CHECK_THREAD_AT(r, "omp_task_time", BARRIER ";foo", 1, 10 + 2);
    CHECK_THREAD_AT(r, "time", "program;TASKS;foo", 0, 9);
    CHECK_THREAD_AT(r, "time", "program;TASKS;foo", 1, 1 + 4 + 2);
    CHECK_THREAD_AT(r, "time", "program;TASKS;foo;bar", 1, 4);
    CHECK_EQ(tw_finding(r, "unbalanced"), 0);
}

/* Moves, and never completes: no task, but all its time. */
static const tw_op moves_and_ends[] = {
    FORK(100),
    RUN(0, 110, 0, 1), GO_IN(0, 112, TASK_A), REST(0, 120),
    RUN(1, 125, 0, 1), GO_OUT(1, 135, TASK_A), REST(1, 136),
};

TEST(a_task_that_moves_and_never_completes_has_its_time_only)
{
    tw_report r = tw_analyze(moves_and_ends, TW_LEN(moves_and_ends));

    CHECK_SPAN(r, "omp_task_count", process(0), 0);
    CHECK_SPAN(r, "omp_task_time", process(0), 10 + 11);
    CHECK_THREAD_AT(r, "time", "program;TASKS;" TASK_A, 0, 8);
    CHECK_THREAD_AT(r, "time", "program;TASKS;" TASK_A, 1, 10);
    CHECK_THREAD_AT(r, "time", BARRIER ";" TASK_A, 0, 2);
    CHECK_THREAD_AT(r, "time", BARRIER ";" TASK_A, 1, 1);
    CHECK_EQ(tw_finding(r, "unbalanced"), 0);
}

/* Both threads wait for a third one, less what each ran of the task. */
static const tw_op moves_in_a_barrier[] = {
    FORK(100),
    { .process = 0, .thread = 2, .op = TW_TEAM, .enter = 96, .leave = 155 },
    { .process = 0, .thread = 2, .op = TW_OMP_BARRIER, .enter = 145, .leave = 150 },
    RUN(0, 110, 0, 1), GO_IN(0, 112, TASK_A), REST(0, 120),
    RUN(1, 125, 0, 1), GO_OUT(1, 135, TASK_A), COMPLETE(1, 136, 0, 1), REST(1, 136),
};

TEST(a_thread_waits_less_what_it_ran_of_a_task_that_moved)
{
    tw_report r = tw_analyze(moves_in_a_barrier, TW_LEN(moves_in_a_barrier));

    CHECK_THREAD(r, "omp_ebarrier_wait", 0, 45 - 10);
    CHECK_THREAD(r, "omp_ebarrier_wait", 1, 45 - 11);
}

/* Thread 0 runs a task nearly all the time, thread 1 ends it before the last thread comes. */
static const tw_op completes_elsewhere[] = {
    FORK(100),
    { .process = 0, .thread = 2, .op = TW_TEAM, .enter = 96, .leave = 155 },
    { .process = 0, .thread = 2, .op = TW_OMP_BARRIER, .enter = 150, .leave = 150 },
    RUN(0, 101, 0, 1), GO_IN(0, 101, TASK_A), REST(0, 145),
    RUN(1, 145, 0, 1), GO_OUT(1, 148, TASK_A), COMPLETE(1, 148, 0, 1), REST(1, 148),
};

TEST(a_task_that_completes_elsewhere_is_no_waiting_either)
{
    tw_report r = tw_analyze(completes_elsewhere, TW_LEN(completes_elsewhere));

    CHECK_THREAD(r, "omp_ebarrier_wait", 0, 1 + 5);
    CHECK_THREAD(r, "omp_ebarrier_wait", 1, 45 + 2);
}

/* Forks a team where it goes on: the fork's time is no time of its region. */
static const tw_team    alone[]       = { { .process = 0, TW_THREADS(1) } };
static const tw_options alone_options = { .teams = alone, .n_teams = 1 };

static const tw_op moves_and_forks[] = {
    FORK(100),
    RUN(0, 110, 0, 1), GO_IN(0, 112, TASK_A), REST(0, 120),
    RUN(1, 125, 0, 1),
    { .process = 0, .thread = 1, .op = TW_FORK, .enter = 127, .leave = 134, .team = 1 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 129, .leave = 133, .team = 1 },
    GO_OUT(1, 135, TASK_A), COMPLETE(1, 135, 0, 1), REST(1, 135),
};

TEST(a_task_that_moved_forks_a_team)
{
    tw_report r = tw_analyze_with(moves_and_forks, TW_LEN(moves_and_forks), .options = &alone_options);

    CHECK_THREAD_AT(r, "time", "program;TASKS;" TASK_A, 1, 2 + 1);
    CHECK_THREAD_AT(r, "time", "program;TASKS;" TASK_A ";!$omp parallel @program.c:1", 1, 2 + 4 + 1);
}

/* Suspended in a taskwait, which it leaves on the other thread. */
static const tw_op moves_in_a_taskwait[] = {
    FORK(100),
    RUN(0, 110, 0, 1), GO_IN(0, 110, TASK_A), GO_IN(0, 114, "!$omp taskwait @program.c:5"), REST(0, 120),
    RUN(1, 125, 0, 1), GO_OUT(1, 128, "!$omp taskwait @program.c:5"), GO_OUT(1, 135, TASK_A), COMPLETE(1, 135, 0, 1),
    REST(1, 135),
};

TEST(a_taskwait_in_which_a_task_moved_waits_on_both_threads)
{
    tw_report r = tw_analyze(moves_in_a_taskwait, TW_LEN(moves_in_a_taskwait));

    CHECK_THREAD_AT(r, "omp_taskwait_wait", "program;TASKS;" TASK_A ";!$omp taskwait @program.c:5", 0, 6);
    CHECK_THREAD_AT(r, "omp_taskwait_wait", "program;TASKS;" TASK_A ";!$omp taskwait @program.c:5", 1, 3);
    CHECK_EQ(tw_finding(r, "unbalanced"), 0);
}

/* A leave too many is one, also where the task moved. */
static const tw_op leaves_too_often[] = {
    FORK(100),
    RUN(0, 110, 0, 1), GO_IN(0, 110, TASK_A), REST(0, 120),
    RUN(1, 125, 0, 1), GO_OUT(1, 130, TASK_A), GO_OUT(1, 133, TASK_B), COMPLETE(1, 135, 0, 1), REST(1, 135),
};

TEST(a_leave_without_an_enter_on_any_thread_is_a_finding)
{
    tw_report r = tw_analyze(leaves_too_often, TW_LEN(leaves_too_often));

    CHECK_THREAD_AT(r, "time", "program;TASKS;" TASK_A, 1, 5);
    CHECK_THREAD_AT(r, "time", BARRIER ";" TASK_A, 1, 5);
    CHECK_EQ(tw_finding(r, "unbalanced"), 1);
}

/* A task begins inside of a call that communicates, and is itself suspended in one: each has its own records. */
static const tw_op suspended_sends[] = {
    { .process = 0, .thread = 0, .op = TW_SEND, .enter = 100, .leave = 130, .peer = 1, .tag = 3 },
    { .process = 0, .thread = 0, .op = TW_TASK_SWITCH, .enter = 110, .creator = 0, .task = 1 },
    { .process = 0, .thread = 0, .op = TW_SEND, .enter = 112, .leave = 118, .peer = 1, .tag = 4, .bytes = 24 },
    { .process = 0, .thread = 0, .op = TW_TASK_SWITCH, .enter = 115, .creator = 0, .task = 0 },
    { .process = 0, .thread = 0, .op = TW_TASK_SWITCH, .enter = 120, .creator = 0, .task = 1 },
    { .process = 0, .thread = 0, .op = TW_TASK_COMPLETE, .enter = 131, .creator = 0, .task = 1 },
    { .process = 1, .thread = 0, .op = TW_RECV, .enter = 90, .leave = 140, .peer = 0, .tag = 3 },
    { .process = 1, .thread = 0, .op = TW_RECV, .enter = 141, .leave = 150, .peer = 0, .tag = 4, .bytes = 24 },
};

TEST(a_task_that_is_suspended_in_a_call_keeps_its_records)
{
    tw_report r = tw_analyze(suspended_sends, TW_LEN(suspended_sends));

    CHECK_SPAN_AT(r, "bytes_sent", "main;MPI_Send", process(0), 8);
    CHECK_SPAN_AT(r, "bytes_sent", "TASKS;MPI_Send", process(0), 24);
    CHECK_SPAN(r, "bytes_rcvd", process(1), 8 + 24);
    CHECK_SPAN(r, "mpi_latesender", process(1), 10);
    CHECK_EQ(tw_finding(r, "unmatched-receive"), 0);
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
