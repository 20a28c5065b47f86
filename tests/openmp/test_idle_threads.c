/* tests/openmp/test_idle_threads.c: "Idle threads, Limited parallelism" of docs/metrics.md: workers without work.
 *
 *   ticks      0               299          400
 *   thread 0   main············[parallel······]      serial for 299 and the last tick
 *   thread 1                   [parallel······]      idle = 300, at main
 */
#include "check.h"
#include "situation.h"

#define PARALLEL "main;!$omp parallel @program.c:1"

static const tw_op serial[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 299, .leave = 400 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 299, .leave = 400 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 299, .leave = 400 },
    { .process = 0, .thread = 2, .op = TW_TEAM, .enter = 299, .leave = 400 },
};

TEST(workers_are_idle_while_the_master_is_in_serial_code)
{
    tw_report r = tw_analyze(serial, TW_LEN(serial));

    CHECK_THREAD_AT(r, "omp_idle_threads", "program;main", 1, 300);
    CHECK_THREAD_AT(r, "omp_idle_threads", "program;main", 2, 300);
    CHECK_THREAD(r, "omp_idle_threads", 1, 300);
    CHECK_THREAD(r, "omp_idle_threads", 0, 0);
}

TEST(idle_time_is_time_of_the_worker)
{
    tw_report r = tw_analyze(serial, TW_LEN(serial));

    CHECK_THREAD_AT(r, "time", "program;main", 1, 300);
    CHECK_THREAD_AT(r, "time", "program;main", 0, 300);
    CHECK_THREAD(r, "time", 1, 401);
}

TEST(serial_code_is_no_limited_parallelism)
{
    tw_report r = tw_analyze(serial, TW_LEN(serial));

    CHECK_SPAN(r, "omp_limited_parallelism", process(0), 0);
}

/* As early versions of the OMPT interface record it: no forks, no teams, addresses in place of files.
 *   thread 0   main[ parallel [ loop ] ]main         100..200
 *   thread 1            [ loop ]                     works, nobody knows where: not limited
 *   thread 2                                         does nothing: limited, too
 */
static const tw_options three_threads = { .archive = { .n_threads = 3 } };

static const tw_op without_teams[] = {
    { .process = 0, .thread = 0, .op = TW_USER, .enter = 100, .leave = 200, .region = "!$omp parallel@0x4021" },
    { .process = 0, .thread = 0, .op = TW_USER, .enter = 110, .leave = 190, .region = "!$omp loop@0x4022" },
    { .process = 0, .thread = 0, .op = TW_USER, .enter = 220, .leave = 240, .region = "foo" },
    { .process = 0, .thread = 1, .op = TW_USER, .enter = 110, .leave = 190, .region = "!$omp loop@0x4022" },
};

TEST(a_worker_without_a_recorded_team_is_idle_while_the_master_is_in_serial_code)
{
    tw_report r = tw_analyze_with(without_teams, TW_LEN(without_teams), .options = &three_threads);

    CHECK_THREAD_AT(r, "omp_idle_threads", "program;main;foo", 1, 20);
    CHECK_THREAD(r, "omp_limited_parallelism", 1, 0);
    CHECK_THREAD_AT(r, "time", "!$omp loop@0x4022", 1, 80);
    CHECK_THREAD(r, "omp_limited_parallelism", 2, 100);
    CHECK_EQ(tw_finding(r, "team-unknown"), 1);
}

/*   ticks      100            180
 *   thread 0   [ parallel ······]       80, alone in its team
 *   thread 1                            limited parallelism 80
 *   thread 2                            limited parallelism 80
 */
static const tw_team    one_thread[]  = { { .process = 0, TW_THREADS(0) } };
static const tw_options one_options = { .teams = one_thread, .n_teams = 1 };

static const tw_op limited[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 100, .leave = 180, .team = 1 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 100, .leave = 180, .team = 1 },
    { .process = 0, .thread = 0, .op = TW_USER, .enter = 110, .leave = 170 },
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 200, .leave = 250 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 200, .leave = 250, .region = "!$omp parallel @program.c:30" },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 210, .leave = 240, .region = "!$omp parallel @program.c:30" },
    { .process = 0, .thread = 2, .op = TW_TEAM, .enter = 200, .leave = 250, .region = "!$omp parallel @program.c:30" },
};

TEST(threads_outside_of_the_team_have_limited_parallelism)
{
    tw_report r = tw_analyze_with(limited, TW_LEN(limited), .options = &one_options);

    CHECK_THREAD_AT(r, "omp_limited_parallelism", PARALLEL, 1, 80);
    CHECK_THREAD_AT(r, "omp_limited_parallelism", PARALLEL, 2, 80);
    CHECK_THREAD_AT(r, "omp_idle_threads", PARALLEL, 1, 80);
    CHECK_THREAD_AT(r, "time", PARALLEL, 1, 80);
    CHECK_THREAD(r, "omp_limited_parallelism", 0, 0);
}

TEST(a_thread_that_comes_late_is_managed_and_not_idle)
{
    tw_report r = tw_analyze_with(limited, TW_LEN(limited), .options = &one_options);

    CHECK_THREAD_AT(r, "omp_limited_parallelism", "main;!$omp parallel @program.c:30", 1, 0);
    CHECK_THREAD_AT(r, "omp_management", "main;!$omp parallel @program.c:30", 1, 20);
    CHECK_THREAD_AT(r, "time", "main;!$omp parallel @program.c:30", 1, 50);
}

/*   ticks      10                    90
 *   thread 0   [ parallel ····<A A>···]     a task of 30 in the region, its own call paths below TASKS
 *   thread 1   [ parallel ············]     neither is idle
 */
static const tw_op with_task[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 10, .leave = 90 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 10, .leave = 90 },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 20, .leave = 80 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 10, .leave = 90 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 20, .leave = 80 },
    { .process = 0, .thread = 1, .op = TW_TASK_SWITCH, .enter = 30, .creator = 0, .task = 1 },
    { .process = 0, .thread = 1, .op = TW_ENTER, .enter = 30, .region = "!$omp task @program.c:7" },
    { .process = 0, .thread = 1, .op = TW_LEAVE, .enter = 60, .region = "!$omp task @program.c:7" },
    { .process = 0, .thread = 1, .op = TW_TASK_COMPLETE, .enter = 60, .creator = 0, .task = 1 },
    { .process = 0, .thread = 1, .op = TW_TASK_SWITCH, .enter = 60, .creator = 1, .task = 0 },
};

TEST(a_worker_that_runs_tasks_is_not_idle)
{
    tw_report r = tw_analyze(with_task, TW_LEN(with_task));

    CHECK_THREAD(r, "omp_limited_parallelism", 1, 0);
    CHECK_THREAD_AT(r, "omp_idle_threads", "program;main", 1, 11);
    CHECK_THREAD(r, "omp_idle_threads", 1, 11);
}

static const tw_op master_task[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 10, .leave = 90 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 10, .leave = 90 },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 20, .leave = 80 },
    { .process = 0, .thread = 0, .op = TW_TASK_SWITCH, .enter = 30, .creator = 0, .task = 1 },
    { .process = 0, .thread = 0, .op = TW_ENTER, .enter = 31, .region = "!$omp task @program.c:7" },
    { .process = 0, .thread = 0, .op = TW_LEAVE, .enter = 59, .region = "!$omp task @program.c:7" },
    { .process = 0, .thread = 0, .op = TW_TASK_COMPLETE, .enter = 60, .creator = 0, .task = 1 },
    { .process = 0, .thread = 0, .op = TW_TASK_SWITCH, .enter = 60, .creator = 0, .task = 0 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 10, .leave = 90 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 20, .leave = 80 },
};

TEST(tasks_of_the_master_are_no_serial_code)
{
    tw_report r = tw_analyze(master_task, TW_LEN(master_task));

    CHECK_THREAD(r, "omp_idle_threads", 1, 11);
    CHECK_THREAD_AT(r, "omp_idle_threads", "TASKS;!$omp task @program.c:7", 1, 0);
    CHECK_THREAD(r, "omp_limited_parallelism", 1, 0);
    CHECK_THREAD(r, "time", 0, 91);
    CHECK_THREAD(r, "time", 1, 91);
}

static const tw_op posix[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 10, .leave = 90 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 10, .leave = 90, .team = 1 },
    { .process = 0, .thread = 0, .op = TW_MUTEX_LOCK, .enter = 20, .leave = 21, .order = 1 },
    { .process = 0, .thread = 1, .op = TW_USER, .enter = 10, .leave = 90 },
};

TEST(with_posix_threads_nobody_can_say_who_is_idle)
{
    tw_report r = tw_analyze_with(posix, TW_LEN(posix), .options = &one_options);

    CHECK_SPAN(r, "omp_idle_threads", process(0), 0);
    CHECK_SPAN(r, "omp_limited_parallelism", process(0), 0);
}

/*   ticks      10              90    100    120
 *   thread 0   [ parallel ······]     [ output ]     numbers: parallel 2, output 3
 *   thread 1   [ par [work] ····]                    parallel;work 4: it is added after the serial one
 *                    20   80
 */
static const tw_op added_later[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 10, .leave = 90 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 10, .leave = 90 },
    { .process = 0, .thread = 0, .op = TW_USER, .enter = 100, .leave = 120, .region = "output" },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 10, .leave = 90 },
    { .process = 0, .thread = 1, .op = TW_USER, .enter = 20, .leave = 80 },
};

TEST(all_call_paths_below_a_parallel_region_belong_to_it)
{
    tw_report r = tw_analyze(added_later, TW_LEN(added_later));

    CHECK_THREAD(r, "omp_limited_parallelism", 1, 0);
    CHECK_THREAD_AT(r, "omp_idle_threads", "main;output", 1, 20);
    CHECK_THREAD(r, "omp_idle_threads", 1, 121 - 80);
}

TEST(scout26_misses_call_paths_that_were_added_later)
{
    tw_report r = tw_analyze_with(added_later, TW_LEN(added_later), .arguments = "--compat=scout26");

    CHECK_THREAD_AT(r, "omp_limited_parallelism", PARALLEL, 1, 60);
    CHECK_THREAD_AT(r, "time", PARALLEL, 1, 20 + 60);
    CHECK_THREAD_AT(r, "time", PARALLEL ";work", 1, 60);
}

/* The opposite: without serial code between them, both walks see the same. */
static const tw_op in_order[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 10, .leave = 90 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 10, .leave = 90 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 10, .leave = 90 },
    { .process = 0, .thread = 1, .op = TW_USER, .enter = 20, .leave = 80 },
};

TEST(scout26_sees_call_paths_that_follow_their_region)
{
    tw_report r = tw_analyze_with(in_order, TW_LEN(in_order), .arguments = "--compat=scout26");

    CHECK_SPAN(r, "omp_limited_parallelism", process(0), 0);
    CHECK_THREAD(r, "omp_idle_threads", 1, 11);
}

TEST_MAIN
