/* tests/openmp/test_delays_of_teams.c: "Barriers of teams", "Idle threads", "Critical path" of docs/metrics.md: who
 * made the threads of a team wait, and the critical path through it.
 *
 *   ticks       0   10         40 42
 *   thread 0   [loop][barrier·····]      waits 30
 *   thread 1   [loop         ][bar]
 */
#include "check.h"
#include "situation.h"

#define WORK(rank, t, name, from, until)                                                                               \
    { .process = rank, .thread = t, .op = TW_USER, .region = name, .enter = from, .leave = until }
#define FORK(rank, from, until)    { .process = rank, .op = TW_FORK, .enter = from, .leave = until }
#define TEAM(rank, t, from, until) { .process = rank, .thread = t, .op = TW_TEAM, .enter = from, .leave = until }
#define BARRIER(rank, t, from, until)                                                                                  \
    { .process = rank, .thread = t, .op = TW_OMP_BARRIER, .enter = from, .leave = until }
#define INIT(rank) { .process = rank, .op = TW_INIT, .enter = 0, .leave = 0 }

/* Nothing but the calls of the table: the path is as long as they are. */
static const tw_options no_program = { .without_program = true };

#define analyze(ops) tw_analyze_with((ops), TW_LEN(ops), .options = &no_program)

static const tw_op loops[] = {
    FORK(0, 0, 42), TEAM(0, 0, 0, 42), WORK(0, 0, "loop", 0, 10), BARRIER(0, 0, 10, 42),
    TEAM(0, 1, 0, 42), WORK(0, 1, "loop", 0, 40), BARRIER(0, 1, 40, 42),
};

TEST(the_last_thread_at_a_barrier_pays_for_the_team)
{
    tw_report r = analyze(loops);

    CHECK_THREAD(r, "omp_ebarrier_wait", 0, 30);
    CHECK_THREAD_AT(r, "delay_ompbarrier", "loop", 1, 30);
    CHECK_THREAD(r, "delay_ompbarrier", 1, 30);
    CHECK_THREAD(r, "delay", 0, 0);
    CHECK_SPAN(r, "delay_unattributed_ompbarrier", process(0), 0);
}

TEST(the_path_goes_to_the_last_thread_and_to_the_thread_that_forked)
{
    tw_report r = analyze(loops);

    CHECK_THREAD_AT(r, "critical_path", "loop", 1, 40);
    CHECK_THREAD_AT(r, "critical_path", "!$omp barrier @program.c:2", 0, 2);
    CHECK_SPAN(r, "critical_path", process(0), 42);
}

/* Both come at once: nobody waits, and one path is enough. */
static const tw_op tie[] = {
    FORK(0, 0, 42), TEAM(0, 0, 0, 42), WORK(0, 0, "loop", 0, 40), BARRIER(0, 0, 40, 42),
    TEAM(0, 1, 0, 42), WORK(0, 1, "loop", 0, 40), BARRIER(0, 1, 40, 42),
    TEAM(0, 2, 0, 42), WORK(0, 2, "loop", 0, 10), BARRIER(0, 2, 10, 42),
};

TEST(of_equal_threads_the_lowest_is_the_last_one)
{
    tw_report r = analyze(tie);

    CHECK_THREAD_AT(r, "delay_ompbarrier", "loop", 0, 30);
    CHECK_THREAD(r, "delay_ompbarrier", 1, 0);
    CHECK_SPAN(r, "critical_path", process(0), 42);
}

/* What was done before the barrier before does not count: the second one is the fault of thread 0.
 *
 *   ticks       0   10        40    60 62
 *   thread 0   [loop][barrier··][loop][ba]
 *   thread 1   [loop         ][b][l][barr]
 */
static const tw_op twice[] = {
    FORK(0, 0, 62), TEAM(0, 0, 0, 62), WORK(0, 0, "loop", 0, 10), BARRIER(0, 0, 10, 40), WORK(0, 0, "loop", 40, 60),
    BARRIER(0, 0, 60, 62),
    TEAM(0, 1, 0, 62), WORK(0, 1, "loop", 0, 40), BARRIER(0, 1, 40, 40), WORK(0, 1, "loop", 40, 45),
    BARRIER(0, 1, 45, 62),
};

TEST(a_barrier_is_attributed_to_the_time_since_the_one_before)
{
    tw_report r = analyze(twice);

    CHECK_THREAD_AT(r, "delay_ompbarrier", "loop", 0, 15);
    CHECK_THREAD_AT(r, "delay_ompbarrier", "loop", 1, 30);
    CHECK_SPAN(r, "delay_ompbarrier_longterm", process(0), 0);
    CHECK_SPAN(r, "critical_path", process(0), 62);
}

/* Both work as long, but thread 1 starts later.
 *
 *   ticks      0  5     15     45      55 57
 *   thread 0   F··[loop       ][barrier···]
 *   thread 1    ········[loop         ][ba]
 */
static const tw_op late_start[] = {
    FORK(0, 0, 57), TEAM(0, 0, 5, 57), WORK(0, 0, "loop", 5, 45), BARRIER(0, 0, 45, 57),
    TEAM(0, 1, 15, 57), WORK(0, 1, "loop", 15, 55), BARRIER(0, 1, 55, 57),
};

TEST(the_time_until_a_thread_started_is_a_delay_of_its_parallel_region)
{
    tw_report r = analyze(late_start);

    CHECK_THREAD(r, "omp_ebarrier_wait", 0, 10);
    CHECK_THREAD_AT(r, "delay_ompbarrier", "!$omp parallel @program.c:1", 1, 10);
    CHECK_THREAD(r, "delay_ompbarrier", 1, 10);
}

/* Serial time of the first thread of a team of 4 between two parallel regions.
 *
 *   ticks          0  10        210     310      350   360
 *   process 0 t 0  [p][init    ][io     ][recv···][p  ]
 *             1-3  [p]                            [p  ]
 *   process 1      [foo                          ][send]
 */
static const tw_op between_regions[] = {
    INIT(0), FORK(0, 0, 10), TEAM(0, 0, 0, 10), TEAM(0, 1, 0, 10), TEAM(0, 2, 0, 10), TEAM(0, 3, 0, 10),
    WORK(0, 0, "init", 10, 210), WORK(0, 0, "io", 210, 310),
    { .process = 0, .op = TW_RECV, .enter = 310, .leave = 350, .peer = 1 },
    FORK(0, 350, 360), TEAM(0, 0, 350, 360), TEAM(0, 1, 350, 360), TEAM(0, 2, 350, 360), TEAM(0, 3, 350, 360),
    INIT(1), WORK(1, 0, "foo", 0, 350), { .process = 1, .op = TW_SEND, .enter = 350, .leave = 350, .peer = 0 },
};

TEST(serial_time_costs_as_much_as_all_others_are_idle)
{
    tw_report r = analyze(between_regions);

    CHECK_THREAD_AT(r, "delay_ompidle", "init", 0, 600);
    CHECK_THREAD_AT(r, "delay_ompidle", "io", 0, 300);
    CHECK_SPAN(r, "delay_ompidle", process(0), 900);
    CHECK_SPAN(r, "delay_ompidle", process(1), 0);
}

TEST(serial_waiting_is_passed_on_to_who_was_waited_for)
{
    tw_report r = analyze(between_regions);

    CHECK_SPAN(r, "mpi_latesender", process(0), 40);
    CHECK_SPAN_AT(r, "delay_latesender", "foo", process(1), 40);
    CHECK_SPAN_AT(r, "delay_ompidle_longterm", "foo", process(1), 120);
    CHECK_SPAN(r, "delay_ompidle_longterm", process(0), 0);
    CHECK_SPAN(r, "delay_unattributed_ompidle", process(0), 0);
}

/* From the begin to the first fork, and from the last join to the end: of a process of two threads, once. */
static const tw_op at_the_ends[] = {
    WORK(0, 0, "init", 0, 30), FORK(0, 30, 40), TEAM(0, 0, 30, 40), TEAM(0, 1, 30, 40), WORK(0, 0, "exit", 40, 60),
};

TEST(threads_are_idle_before_the_first_and_after_the_last_team)
{
    tw_report r = analyze(at_the_ends);

    CHECK_THREAD_AT(r, "delay_ompidle", "init", 0, 30);
    CHECK_THREAD_AT(r, "delay_ompidle", "exit", 0, 20);
    CHECK_SPAN(r, "delay_ompidle", process(0), 50);
}

/* Thread 0 of process 0 comes late to its barrier since it waited for process 1, which had been late at a barrier of
 * its own.
 *
 *   ticks          0   10        40      50 52
 *   process 0 t 0  [foo][recv······][foo ][ba]        waits 30
 *             t 1  [foo        30][barrier···]        waits 20
 *   process 1 t 0  [foo][barr····][send]              waits 30 for thread 1
 *             t 1  [foo        ][b]
 */
static const tw_op through_a_message[] = {
    INIT(0), FORK(0, 0, 52), TEAM(0, 0, 0, 52), WORK(0, 0, "foo", 0, 10),
    { .process = 0, .op = TW_RECV, .enter = 10, .leave = 40, .peer = 1 }, WORK(0, 0, "foo", 40, 50),
    BARRIER(0, 0, 50, 52), TEAM(0, 1, 0, 52), WORK(0, 1, "foo", 0, 30), BARRIER(0, 1, 30, 52),
    INIT(1), FORK(1, 0, 42), TEAM(1, 0, 0, 42), WORK(1, 0, "foo", 0, 10), BARRIER(1, 0, 10, 40),
    { .process = 1, .op = TW_SEND, .enter = 40, .leave = 40, .peer = 0 },
    TEAM(1, 1, 0, 42), WORK(1, 1, "foo", 0, 40), BARRIER(1, 1, 40, 40),
};

/* Thread 0 of process 0 has less foo, and its wait of 30 is all that made thread 1 wait; likewise in process 1. */
TEST(long_term_costs_of_barriers_go_through_messages_and_other_barriers)
{
    tw_report r = analyze(through_a_message);

    CHECK_THREAD(r, "omp_ebarrier_wait", 1, 20);
    CHECK_SPAN(r, "mpi_latesender", process(0), 30);
    CHECK_EQ(tw_value_of_thread(r, "delay_ompbarrier_longterm", "foo", process(1), 1), 20);
    CHECK_EQ(tw_value_of_thread(r, "delay_latesender_longterm", "foo", process(1), 1), 30);
    CHECK_EQ(tw_value_of_thread(r, "delay_ompbarrier", "foo", process(1), 1), 30);
    CHECK_SPAN(r, "delay", process(0), 0);
}

TEST(with_scout_they_end_at_the_next_barrier)
{
    tw_report r = tw_analyze_with(through_a_message, TW_LEN(through_a_message), .options = &no_program,
                                  .arguments = "--compat=scout26");

    CHECK_SPAN(r, "delay_ompbarrier_longterm", process(1), 0);
    CHECK_EQ(tw_value_of_thread(r, "delay_latesender_longterm", "foo", process(1), 1), 30);
}

/* The root of a collective is not the first thread of its process.
 *
 *   ticks                   0   10          40 42
 *   process 0              [foo][bcast······]      waits 30
 *   process 1, thread 1    [foo            ][b]
 */
static const tw_op root_on_a_worker[] = {
    INIT(0), WORK(0, 0, "foo", 0, 10), { .process = 0, .op = TW_BCAST, .enter = 10, .leave = 42, .root = 1 },
    INIT(1), FORK(1, 0, 42), TEAM(1, 0, 0, 42),
    TEAM(1, 1, 0, 42), WORK(1, 1, "foo", 0, 40),
    { .process = 1, .thread = 1, .op = TW_BCAST, .enter = 40, .leave = 42, .root = 1 },
};

TEST(a_root_on_another_thread_pays_for_those_who_wait_for_its_data)
{
    tw_report r = analyze(root_on_a_worker);

    CHECK_SPAN(r, "mpi_latebroadcast", process(0), 30);
    CHECK_EQ(tw_value_of_thread(r, "delay_12n", "foo", process(1), 1), 30);
    CHECK_SPAN(r, "delay_12n", process(1), 30);
}

/* Thread 1 of the outer team is late as it waited in an inner one, for thread 2.
 *
 *   ticks       0    10      27        50    54 56
 *   thread 0   [foo         ][barrier··········]      waits 27
 *   thread 1   [F[foo][inner barrier··]··J][bar]      waits 40, has 14 more to do
 *   thread 2     [foo               ][b]
 */
#define INNER(t, from, until)                                                                                          \
    { .process = 0, .thread = t, .op = TW_TEAM, .enter = from, .leave = until, .team = 2,                              \
      .region = "!$omp parallel @program.c:20" }
static const tw_team    nested_teams[] = { { .process = 0, TW_THREADS(0, 1) }, { .process = 0, TW_THREADS(1, 2) } };
static const tw_options nested_options =
    { .teams = nested_teams, .n_teams = TW_LEN(nested_teams), .without_program = true };

static const tw_op nested[] = {
    { .process = 0, .op = TW_FORK, .enter = 0, .leave = 56, .team = 1 },
    { .process = 0, .op = TW_TEAM, .enter = 0, .leave = 56, .team = 1 },
    WORK(0, 0, "foo", 0, 27), BARRIER(0, 0, 27, 56),
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 0, .leave = 56, .team = 1 },
    { .process = 0, .thread = 1, .op = TW_FORK, .enter = 0, .leave = 53, .team = 2 },
    INNER(1, 0, 52), WORK(0, 1, "foo", 0, 10), BARRIER(0, 1, 10, 51), BARRIER(0, 1, 54, 56),
    INNER(2, 0, 52), WORK(0, 2, "foo", 0, 50), BARRIER(0, 2, 50, 51),
};

TEST(waiting_in_an_inner_team_makes_the_outer_one_wait)
{
    tw_report r = tw_analyze_with(nested, TW_LEN(nested), .options = &nested_options);

    CHECK_THREAD(r, "omp_ebarrier_wait", 0, 27);
    CHECK_THREAD(r, "omp_ebarrier_wait", 1, 40);
    CHECK_THREAD_AT(r, "delay_ompbarrier", "foo", 2, 40);
    CHECK_THREAD_AT(r, "delay_ompbarrier", "foo", 1, 5);           /* 10 of 54 for 27 */
    CHECK_THREAD_AT(r, "delay_ompbarrier_longterm", "foo", 2, 20); /* 40 of 54 */
    CHECK_SPAN(r, "critical_path", process(0), 56);
}

/* Both of its regions begin at 0. */
TEST(what_a_worker_does_behind_an_inner_region_is_work)
{
    tw_report r = tw_analyze_with(nested, TW_LEN(nested), .options = &nested_options);

    CHECK_THREAD_AT(r, "critical_path_activities", "!$omp parallel @program.c:20", 1, 2);
    CHECK_THREAD_AT(r, "critical_path_activities", "!$omp parallel @program.c:1", 1, 1);
}

TEST_MAIN
