/* tests/openmp/test_teams.c: "Call paths" and "Threads" of docs/metrics.md: call paths of workers; teams that are
 * nested or differ in size.
 *
 *   ticks      100  110        190   205
 *   thread 0   fork[ parallel····]··join     in main;solve
 *   thread 1   ·····[ parallel ]········     time at main;solve;parallel = 80 + 10 + 15, at what is above it 0
 */
#include "check.h"
#include "situation.h"

#define OUTER "!$omp parallel @program.c:1"
#define INNER "!$omp parallel @program.c:20"

static const tw_op worker[] = {
    { .process = 0, .thread = 0, .op = TW_USER, .enter = 100, .leave = 205, .region = "solve" },
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 100, .leave = 205 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 105, .leave = 200 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 110, .leave = 190 },
    { .process = 0, .thread = 1, .op = TW_USER, .enter = 120, .leave = 180 },
};

TEST(workers_stand_below_the_fork)
{
    tw_report r = tw_analyze(worker, TW_LEN(worker));

    CHECK_THREAD_AT(r, "visits", "program;main;solve;" OUTER, 0, 1);
    CHECK_THREAD_AT(r, "visits", "program;main;solve;" OUTER, 1, 1);
    CHECK_THREAD_AT(r, "visits", "program;main;solve;" OUTER ";work", 1, 1);
    CHECK_THREAD(r, "visits", 1, 2);
}

TEST(what_is_above_the_fork_takes_no_time_on_workers_but_idle_one)
{
    tw_report r = tw_analyze(worker, TW_LEN(worker));

    CHECK_THREAD_AT(r, "time", "main;solve;" OUTER, 1, 80 - 60 + 10 + 15);
    CHECK_THREAD_AT(r, "time", OUTER ";work", 1, 60);
    CHECK_THREAD_AT(r, "time", "main;solve", 1, 0);
    CHECK_THREAD_AT(r, "time", "program;main", 1,
                    tw_value_of_thread(r, "omp_idle_threads", "program;main", process(0), 1));
    CHECK_THREAD_AT(r, "time", "program", 1, 0);
}

/*   ticks      10 12    15  20 22       48 50  60      95 100
 *   thread 0   f··[outer [left f[ inner ··]j  ]         ]···j
 *   thread 1   ···[outer  [right  f[ inner ···········]j ] ]      13 16  25 27   64 66 70  94
 *   thread 2   ···················[ inner ]                       23 - 47, of thread 0
 *   thread 3   ························[ inner ·····]             30 - 60, of thread 1
 */
static const tw_team nested_teams[] = {
    { .process = 0, TW_THREADS(0, 1) }, { .process = 0, TW_THREADS(0, 2) }, { .process = 0, TW_THREADS(1, 3) }
};
static const tw_options nested_options = { .teams = nested_teams, .n_teams = TW_LEN(nested_teams) };

static const tw_op nested[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 10, .leave = 100, .team = 1 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 12, .leave = 95, .team = 1 },
    { .process = 0, .thread = 0, .op = TW_USER, .enter = 15, .leave = 60, .region = "left" },
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 20, .leave = 50, .team = 2 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 22, .leave = 48, .team = 2, .region = INNER },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 30, .leave = 46 },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 70, .leave = 92 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 13, .leave = 94, .team = 1 },
    { .process = 0, .thread = 1, .op = TW_USER, .enter = 16, .leave = 70, .region = "right" },
    { .process = 0, .thread = 1, .op = TW_FORK, .enter = 25, .leave = 66, .team = 3 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 27, .leave = 64, .team = 3, .region = INNER },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 35, .leave = 59 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 80, .leave = 92 },
    { .process = 0, .thread = 2, .op = TW_TEAM, .enter = 23, .leave = 47, .team = 2, .region = INNER },
    { .process = 0, .thread = 2, .op = TW_OMP_BARRIER, .enter = 40, .leave = 46 },
    { .process = 0, .thread = 3, .op = TW_TEAM, .enter = 30, .leave = 60, .team = 3, .region = INNER },
    { .process = 0, .thread = 3, .op = TW_OMP_BARRIER, .enter = 58, .leave = 59 },
};

TEST(workers_of_a_nested_team_stand_below_the_fork_of_their_own_master)
{
    tw_report r = tw_analyze_with(nested, TW_LEN(nested), .options = &nested_options);

    CHECK_THREAD_AT(r, "visits", "program;main;" OUTER ";left;" INNER, 0, 1);
    CHECK_THREAD_AT(r, "visits", "program;main;" OUTER ";left;" INNER, 2, 1);
    CHECK_THREAD_AT(r, "visits", "program;main;" OUTER ";right;" INNER, 1, 1);
    CHECK_THREAD_AT(r, "visits", "program;main;" OUTER ";right;" INNER, 3, 1);
    CHECK_THREAD(r, "visits", 2, 2);
    CHECK_THREAD(r, "visits", 3, 2);
}

TEST(a_nested_team_has_a_fork_and_a_join_of_its_own)
{
    tw_report r = tw_analyze_with(nested, TW_LEN(nested), .options = &nested_options);

    CHECK_THREAD_AT(r, "omp_management", "main;" OUTER, 0, 2 + 5);
    CHECK_THREAD_AT(r, "omp_management", "main;" OUTER, 1, 3 + 6);
    CHECK_THREAD_AT(r, "omp_management", "left;" INNER, 0, 2 + 2);
    CHECK_THREAD_AT(r, "omp_management", "left;" INNER, 2, 3 + 3);
    CHECK_THREAD_AT(r, "omp_management", "right;" INNER, 1, 2 + 2);
    CHECK_THREAD_AT(r, "omp_management", "right;" INNER, 3, 5 + 6);
}

/* A fork inside of which no team begins: its join is not that of the team around it. */
static const tw_op fork_without_team[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 10, .leave = 100 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 12, .leave = 95 },
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 30, .leave = 40 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 13, .leave = 94 },
};

TEST(a_fork_without_a_team_has_a_join_of_its_own)
{
    tw_report r = tw_analyze(fork_without_team, TW_LEN(fork_without_team));

    CHECK_THREAD(r, "omp_management", 0, 2 + 5);
    CHECK_THREAD(r, "omp_management", 1, 3 + 6);
}

/* Thread 1 is in no region and in no team when it forks one. */
static const tw_op fork_outside[] = {
    { .process = 0, .thread = 0, .op = TW_USER, .enter = 10, .leave = 100, .region = "left" },
    { .process = 0, .thread = 1, .op = TW_FORK, .enter = 20, .leave = 60, .team = 3 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 22, .leave = 58, .team = 3, .region = INNER },
    { .process = 0, .thread = 3, .op = TW_TEAM, .enter = 24, .leave = 55, .team = 3, .region = INNER },
};

TEST(a_team_that_a_worker_forks_outside_of_all_regions_is_a_root)
{
    tw_report r = tw_analyze_with(fork_outside, TW_LEN(fork_outside), .options = &nested_options);

    CHECK_THREAD_AT(r, "visits", INNER, 1, 1);
    CHECK_THREAD_AT(r, "visits", INNER, 3, 1);
    CHECK_THREAD(r, "visits", 3, 1);
}

/* The numbers of regions and teams in the records differ from the global ones. */
static const tw_options mapped_options = { .archive = { .with_mappings = true }, .teams = nested_teams,
                                           .n_teams = TW_LEN(nested_teams) };

TEST(nested_teams_are_known_by_their_global_numbers)
{
    tw_report r = tw_analyze_with(nested, TW_LEN(nested), .options = &mapped_options);

    CHECK_THREAD_AT(r, "visits", "program;main;" OUTER ";right;" INNER, 3, 1);
    CHECK_THREAD_AT(r, "omp_management", "right;" INNER, 3, 5 + 6);
    CHECK_THREAD_AT(r, "omp_management", "left;" INNER, 2, 3 + 3);
    CHECK_THREAD(r, "omp_ebarrier_wait", 1, 23);
}

TEST(the_time_of_a_nested_fork_is_that_of_its_region)
{
    tw_report r = tw_analyze_with(nested, TW_LEN(nested), .options = &nested_options);

    CHECK_THREAD_AT(r, "time", OUTER ";left", 0, 45 - 30);
    CHECK_THREAD_AT(r, "time", OUTER ";right", 1, 54 - 41);
    CHECK_THREAD_AT(r, "time", "left;" INNER, 0, 30 - 16);
    CHECK_THREAD_AT(r, "time", "right;" INNER, 1, 41 - 24);
    CHECK_THREAD_AT(r, "time", "left;" INNER, 2, 30 - 6);
    CHECK_THREAD_AT(r, "time", "right;" INNER, 3, 41 - 1);
}

TEST(barriers_of_a_nested_team_are_for_its_members)
{
    tw_report r = tw_analyze_with(nested, TW_LEN(nested), .options = &nested_options);

    CHECK_THREAD_AT(r, "omp_ebarrier_wait", "left;" INNER ";!$omp barrier @program.c:2", 0, 10);
    CHECK_THREAD_AT(r, "omp_ebarrier_wait", "right;" INNER ";!$omp barrier @program.c:2", 1, 23);
    CHECK_THREAD_AT(r, "omp_ebarrier_wait", "main;" OUTER ";!$omp barrier @program.c:2", 0, 10);
    CHECK_THREAD(r, "omp_ebarrier_wait", 0, 20);
    CHECK_THREAD(r, "omp_ebarrier_wait", 1, 23);
    CHECK_THREAD(r, "omp_ebarrier_wait", 2, 0);
    CHECK_THREAD(r, "omp_ebarrier_wait", 3, 0);
}

/* Thread 1 is stopped in the region of its inner team. */
static const hd_time    nested_ends[] = { UINT64_MAX, 36, UINT64_MAX, UINT64_MAX };
static const tw_options stopped      = { .teams = nested_teams, .n_teams = TW_LEN(nested_teams), .ends = nested_ends };

TEST(a_thread_stopped_in_a_nested_team_was_in_the_outer_one_too)
{
    tw_report r = tw_analyze_with(nested, TW_LEN(nested), .options = &stopped);

    CHECK_THREAD_AT(r, "omp_fork", "main;" OUTER, 1, 3);
    CHECK_THREAD_AT(r, "omp_management", "main;" OUTER, 1, 3 + 100 - 35);
    CHECK_THREAD_AT(r, "omp_fork", "right;" INNER, 1, 2);
    CHECK_THREAD_AT(r, "omp_management", "right;" INNER, 1, 2);
    CHECK_THREAD_AT(r, "omp_ebarrier_wait", "left;" INNER ";!$omp barrier @program.c:2", 0, 10);
}

/* Thread 2 forks the inner team, and its worker is thread 1, which comes before it; twice, from two functions. */
static const tw_team   backward_teams[]  = { { .process = 0, TW_THREADS(0, 2) }, { .process = 0, TW_THREADS(2, 1) } };
static const tw_options backward_options = { .teams = backward_teams, .n_teams = TW_LEN(backward_teams) };

static const tw_op backward[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 10, .leave = 100, .team = 1 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 10, .leave = 100, .team = 1 },
    { .process = 0, .thread = 2, .op = TW_TEAM, .enter = 10, .leave = 100, .team = 1 },
    { .process = 0, .thread = 2, .op = TW_USER, .enter = 20, .leave = 40, .region = "first" },
    { .process = 0, .thread = 2, .op = TW_FORK, .enter = 22, .leave = 38, .team = 2 },
    { .process = 0, .thread = 2, .op = TW_TEAM, .enter = 22, .leave = 38, .team = 2, .region = INNER },
    { .process = 0, .thread = 2, .op = TW_USER, .enter = 50, .leave = 80, .region = "second" },
    { .process = 0, .thread = 2, .op = TW_FORK, .enter = 55, .leave = 75, .team = 2 },
    { .process = 0, .thread = 2, .op = TW_TEAM, .enter = 55, .leave = 75, .team = 2, .region = INNER },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 24, .leave = 38, .team = 2, .region = INNER },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 58, .leave = 75, .team = 2, .region = INNER },
};

TEST(a_team_forked_by_a_later_thread_is_found_each_time)
{
    tw_report r = tw_analyze_with(backward, TW_LEN(backward), .options = &backward_options);

    CHECK_THREAD_AT(r, "visits", "program;main;" OUTER ";first;" INNER, 1, 1);
    CHECK_THREAD_AT(r, "visits", "program;main;" OUTER ";second;" INNER, 1, 1);
    CHECK_THREAD_AT(r, "omp_fork", "first;" INNER, 1, 2);
    CHECK_THREAD_AT(r, "omp_fork", "second;" INNER, 1, 3);
    CHECK_THREAD_AT(r, "time", "second;" INNER, 1, 20);
}

/*   ticks      10    20   30    40   50    60
 *   thread 0   [  2  ]    [  4  ]    [  1  ]      barriers in each of them
 *   thread 1   [     ]    [     ]
 *   thread 2              [     ]
 *   thread 3              [     ]
 */
static const tw_team changing_teams[] = {
    { .process = 0, TW_THREADS(0, 1) }, { .process = 0, TW_THREADS(0, 1, 2, 3) }, { .process = 0, TW_THREADS(0) }
};
static const tw_options changing_options = { .teams = changing_teams, .n_teams = TW_LEN(changing_teams) };

static const tw_op changing[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 10, .leave = 20, .team = 1 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 10, .leave = 20, .team = 1 },
    { .process = 0, .thread = 0, .op = TW_OMP_IBARRIER, .enter = 12, .leave = 19 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 10, .leave = 20, .team = 1 },
    { .process = 0, .thread = 1, .op = TW_OMP_IBARRIER, .enter = 16, .leave = 19 },
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 30, .leave = 42, .team = 2 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 30, .leave = 40, .team = 2 },
    { .process = 0, .thread = 0, .op = TW_OMP_IBARRIER, .enter = 35, .leave = 39 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 30, .leave = 40, .team = 2 },
    { .process = 0, .thread = 1, .op = TW_OMP_IBARRIER, .enter = 34, .leave = 39 },
    { .process = 0, .thread = 2, .op = TW_TEAM, .enter = 31, .leave = 40, .team = 2 },
    { .process = 0, .thread = 2, .op = TW_OMP_IBARRIER, .enter = 33, .leave = 39 },
    { .process = 0, .thread = 3, .op = TW_TEAM, .enter = 32, .leave = 40, .team = 2 },
    { .process = 0, .thread = 3, .op = TW_OMP_IBARRIER, .enter = 38, .leave = 39 },
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 50, .leave = 60, .team = 3 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 51, .leave = 58, .team = 3, .region = INNER },
    { .process = 0, .thread = 0, .op = TW_OMP_IBARRIER, .enter = 53, .leave = 56 },
};

TEST(teams_grow_and_shrink)
{
    tw_report r = tw_analyze_with(changing, TW_LEN(changing), .options = &changing_options);

    CHECK_THREAD(r, "omp_ibarrier_wait", 0, 4 + 3 + 0);
    CHECK_THREAD(r, "omp_ibarrier_wait", 1, 0 + 4);
    CHECK_THREAD(r, "omp_ibarrier_wait", 2, 5);
    CHECK_THREAD(r, "omp_ibarrier_wait", 3, 0);
    CHECK_THREAD_AT(r, "omp_management", "main;" OUTER, 0, 2);
    CHECK_THREAD_AT(r, "omp_management", "main;" OUTER, 1, 2);
    CHECK_THREAD(r, "omp_management", 2, 1 + 2);
    CHECK_THREAD(r, "omp_management", 3, 2 + 2);
}

TEST(a_thread_alone_in_its_team_waits_for_nobody)
{
    tw_report r = tw_analyze_with(changing, TW_LEN(changing), .options = &changing_options);

    CHECK_THREAD_AT(r, "omp_ibarrier_wait", "main;" INNER ";!$omp implicit barrier @program.c:3", 0, 0);
    CHECK_THREAD_AT(r, "omp_management", "main;" INNER, 0, 1 + 2);
    CHECK_THREAD_AT(r, "omp_management", "main;" INNER, 1, 0);
}

/* A worker forks a team of itself alone. */
static const tw_team    alone_teams[]  = { { .process = 0, TW_THREADS(0, 1) }, { .process = 0, TW_THREADS(1) } };
static const tw_options alone_options = { .teams = alone_teams, .n_teams = TW_LEN(alone_teams) };

static const tw_op alone[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 10, .leave = 90, .team = 1 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 10, .leave = 90, .team = 1 },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 70, .leave = 85 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 10, .leave = 90, .team = 1 },
    { .process = 0, .thread = 1, .op = TW_FORK, .enter = 20, .leave = 50, .team = 2 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 22, .leave = 45, .team = 2, .region = INNER },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 30, .leave = 40 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 80, .leave = 85 },
};

TEST(a_serialised_region_of_a_worker_does_not_disturb_the_outer_team)
{
    tw_report r = tw_analyze_with(alone, TW_LEN(alone), .options = &alone_options);

    CHECK_THREAD(r, "omp_ebarrier_wait", 0, 10);
    CHECK_THREAD(r, "omp_ebarrier_wait", 1, 0);
    CHECK_THREAD_AT(r, "omp_management", "main;" OUTER ";" INNER, 1, 2 + 5);
    CHECK_THREAD_AT(r, "omp_management", "main;" OUTER, 1, 0);
}

/* A created thread forks a team before it calls anything, and goes on after it. */
static const tw_team    created_teams[]  = { { .process = 0, TW_THREADS(1, 2) } };
static const tw_options created_options = { .teams = created_teams, .n_teams = TW_LEN(created_teams) };

static const tw_op created[] = {
    { .process = 0, .thread = 0, .op = TW_THREAD_CREATE, .enter = 5, .leave = 8, .created = 1 },
    { .process = 0, .thread = 1, .op = TW_THREAD, .enter = 10, .leave = 90, .created = 1 },
    { .process = 0, .thread = 1, .op = TW_FORK, .enter = 12, .leave = 50, .team = 1 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 15, .leave = 45, .team = 1 },
    { .process = 0, .thread = 1, .op = TW_USER, .enter = 60, .leave = 80 },
    { .process = 0, .thread = 2, .op = TW_TEAM, .enter = 16, .leave = 44, .team = 1 },
};

TEST(a_created_thread_goes_on_below_threads_after_its_team)
{
    tw_report r = tw_analyze_with(created, TW_LEN(created), .options = &created_options);

    CHECK_THREAD_AT(r, "visits", "program;THREADS;" OUTER, 1, 1);
    CHECK_THREAD_AT(r, "visits", "program;THREADS;" OUTER, 2, 1);
    CHECK_THREAD_AT(r, "time", "program;THREADS;work", 1, 20);
    CHECK_THREAD_AT(r, "visits", "program;THREADS;work", 1, 1);
}

TEST_MAIN
