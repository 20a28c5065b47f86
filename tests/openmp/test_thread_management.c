/* tests/openmp/test_thread_management.c: "Management, Fork" of docs/metrics.md: the time to start a team of threads
 * and to bring it home.
 *
 *   ticks      100 103 110        190 200 205
 *   thread 0   fork··[ parallel·········]··join     fork 103 - 100, management that and 205 - 200
 *   thread 1         ····[ parallel·]·······        fork 110 - 100, management that and 205 - 190
 */
#include "check.h"
#include "situation.h"

#define PARALLEL "main;!$omp parallel @program.c:1"

static const tw_op team[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 100, .leave = 205 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 103, .leave = 200 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 110, .leave = 190 },
};

TEST(time_before_a_team_begins_is_the_fork)
{
    tw_report r = tw_analyze(team, TW_LEN(team));

    CHECK_THREAD(r, "omp_fork", 0, 3);
    CHECK_THREAD(r, "omp_fork", 1, 10);
    CHECK_THREAD_AT(r, "omp_fork", PARALLEL, 0, 3);
    CHECK_THREAD_AT(r, "omp_fork", PARALLEL, 1, 10);
}

TEST(management_is_the_fork_and_the_way_to_the_join)
{
    tw_report r = tw_analyze(team, TW_LEN(team));

    CHECK_THREAD(r, "omp_management", 0, 3 + 5);
    CHECK_THREAD(r, "omp_management", 1, 10 + 15);
    CHECK_THREAD_AT(r, "omp_management", PARALLEL, 1, 25);
}

TEST(management_is_part_of_the_time_of_the_parallel_region)
{
    tw_report r = tw_analyze(team, TW_LEN(team));

    CHECK_THREAD_AT(r, "time", PARALLEL, 0, 105);
    CHECK_THREAD_AT(r, "time", PARALLEL, 1, 105);
    CHECK_THREAD_AT(r, "time", "program;main", 0, 206 - 105);
    CHECK_THREAD_AT(r, "omp_time", PARALLEL, 0, 8);
    CHECK_THREAD_AT(r, "omp_time", PARALLEL, 1, 25);
}

TEST(each_thread_visits_the_parallel_region_once)
{
    tw_report r = tw_analyze(team, TW_LEN(team));

    CHECK_THREAD_AT(r, "visits", PARALLEL, 0, 1);
    CHECK_THREAD_AT(r, "visits", PARALLEL, 1, 1);
    CHECK_THREAD_AT(r, "visits", "program;main", 1, 0);
}

/* The fork and the team at one time, and the join at the end of the last thread. */
static const tw_op at_once[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 100, .leave = 200 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 100, .leave = 200 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 100, .leave = 200 },
};

TEST(a_team_that_begins_and_ends_at_once_takes_no_management)
{
    tw_report r = tw_analyze(at_once, TW_LEN(at_once));

    CHECK_SPAN(r, "omp_fork", process(0), 0);
    CHECK_SPAN(r, "omp_management", process(0), 0);
    CHECK_THREAD_AT(r, "time", PARALLEL, 0, 100);
    CHECK_THREAD_AT(r, "time", PARALLEL, 1, 100);
}

/* A worker whose clock is wrong by some ticks: it is there before the fork, and goes on after the join. */
static const tw_op too_early[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 100, .leave = 205 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 103, .leave = 200 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 98, .leave = 207 },
};

TEST(a_thread_that_is_there_before_the_fork_takes_no_time_to_start)
{
    tw_report r = tw_analyze(too_early, TW_LEN(too_early));

    CHECK_THREAD(r, "omp_fork", 1, 0);
    CHECK_THREAD(r, "omp_management", 1, 0);
    CHECK_THREAD_AT(r, "time", PARALLEL, 1, 207 - 98);
    CHECK_THREAD(r, "omp_management", 0, 8);
}

/*   ticks      10 11  20 22    30 31  40 44
 *   thread 0   f··[   ]··j     f··[   ]··j        both instances: 1 + 2, 1 + 4
 *   thread 1     ·[  ]··         ·[  ]··
 */
static const tw_op twice[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 10, .leave = 22 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 11, .leave = 20 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 12, .leave = 19 },
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 30, .leave = 44 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 31, .leave = 40, .region = "!$omp parallel @program.c:9" },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 33, .leave = 41, .region = "!$omp parallel @program.c:9" },
};

TEST(each_instance_of_a_team_has_its_own_fork_and_join)
{
    tw_report r = tw_analyze(twice, TW_LEN(twice));

    CHECK_THREAD_AT(r, "omp_management", PARALLEL, 0, 1 + 2);
    CHECK_THREAD_AT(r, "omp_management", PARALLEL, 1, 2 + 3);
    CHECK_THREAD_AT(r, "omp_fork", "main;!$omp parallel @program.c:9", 1, 3);
    CHECK_THREAD_AT(r, "omp_management", "main;!$omp parallel @program.c:9", 0, 1 + 4);
    CHECK_THREAD_AT(r, "omp_management", "main;!$omp parallel @program.c:9", 1, 3 + 3);
}

/* The fork of the second instance was not recorded. */
static const tw_op no_fork[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 10, .leave = 22 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 11, .leave = 20 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 12, .leave = 19 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 31, .leave = 40, .region = "!$omp parallel @program.c:9" },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 33, .leave = 41, .region = "!$omp parallel @program.c:9" },
};

TEST(a_team_whose_fork_is_not_known_takes_no_management)
{
    tw_report r = tw_analyze(no_fork, TW_LEN(no_fork));

    CHECK_THREAD(r, "omp_management", 0, 1 + 2);
    CHECK_THREAD(r, "omp_management", 1, 2 + 3);
    CHECK_THREAD_AT(r, "time", "main;!$omp parallel @program.c:9", 0, 9);
    CHECK_THREAD_AT(r, "time", "program;!$omp parallel @program.c:9", 1, 8);
}

static const tw_options without_program = { .without_program = true };

TEST(a_fork_outside_of_all_regions_makes_a_root)
{
    tw_report r = tw_analyze_with(team, TW_LEN(team), .options = &without_program);

    CHECK_THREAD(r, "visits", 0, 1);
    CHECK_THREAD(r, "visits", 1, 1);
    CHECK_THREAD_AT(r, "visits", "!$omp parallel @program.c:1;!$omp parallel @program.c:1", 1, 0);
    CHECK_THREAD(r, "omp_fork", 1, 10);
    CHECK_THREAD(r, "omp_management", 0, 8);
    CHECK_THREAD(r, "omp_management", 1, 25);
    CHECK_THREAD(r, "time", 0, 105);
    CHECK_THREAD(r, "time", 1, 105);
}

/* Forked in a function: the region is below it on both threads. The processes know nothing of each other's forks. */
static const tw_op two_processes[] = {
    { .process = 0, .thread = 0, .op = TW_USER, .enter = 90, .leave = 210 },
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 100, .leave = 205 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 103, .leave = 200 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 110, .leave = 190 },
    { .process = 1, .thread = 0, .op = TW_FORK, .enter = 10, .leave = 50 },
    { .process = 1, .thread = 0, .op = TW_TEAM, .enter = 11, .leave = 50 },
    { .process = 1, .thread = 1, .op = TW_TEAM, .enter = 12, .leave = 50 },
};

TEST(teams_of_processes_are_independent)
{
    tw_report r = tw_analyze(two_processes, TW_LEN(two_processes));

    CHECK_SPAN(r, "omp_fork", process(0), 13);
    CHECK_SPAN(r, "omp_management", process(0), 33);
    CHECK_SPAN(r, "omp_fork", process(1), 1 + 2);
    CHECK_SPAN(r, "omp_management", process(1), 1 + 2);
    CHECK_THREAD_AT(r, "omp_management", "main;work;!$omp parallel @program.c:1", 1, 25);
    CHECK_SPAN_AT(r, "omp_management", PARALLEL, process(1), 3);
}

TEST_MAIN
