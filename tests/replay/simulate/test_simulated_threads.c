/* tests/replay/simulate/test_simulated_threads.c: "Threads" of docs/simulation.md: predictions worked out by hand, of a
 * hybrid program with an imbalanced loop, and of locks, tasks, ordered regions and created threads.
 */
#include "check_simulation.h"

#define LOOP "!$omp for @program.c:12"

/* ---- an imbalanced loop ------------------------------------------------------------------------------------------ */

/* Process 0: its threads take long_loop and other_loop; process 1: both 80. The loop begins at 110.
 *
 *   thread 0   fork 100 [102  loop 110 ····  barrier ··    ]      join ··  [MPI_Barrier]
 *   thread 1            [104  loop 110 ····  barrier  ··    ]
 *                                    both leave the barrier 2 and 3 after the latest, the region 2 later; join 3 after
 */
#define TEAM_OF(p, first_loop, second_loop, latest, barrier_leave)                                                     \
    { .process = (p), .thread = 0, .op = TW_FORK, .enter = 100, .leave = (latest) + 8 },                               \
    { .process = (p), .thread = 0, .op = TW_TEAM, .enter = 102, .leave = (latest) + 4 },                               \
    { .process = (p), .thread = 0, .op = TW_USER, .enter = 110, .leave = 110 + (first_loop), .region = LOOP },         \
    { .process = (p), .thread = 0, .op = TW_OMP_IBARRIER, .enter = 110 + (first_loop), .leave = (latest) + 2 },        \
    { .process = (p), .thread = 1, .op = TW_TEAM, .enter = 104, .leave = (latest) + 5 },                               \
    { .process = (p), .thread = 1, .op = TW_USER, .enter = 110, .leave = 110 + (second_loop), .region = LOOP },        \
    { .process = (p), .thread = 1, .op = TW_OMP_IBARRIER, .enter = 110 + (second_loop), .leave = (latest) + 3 },       \
    { .process = (p), .thread = 0, .op = TW_BARRIER, .enter = (latest) + 10, .leave = (barrier_leave) }

static const tw_op imbalanced[] = { TEAM_OF(0, 40, 120, 230, 250), TEAM_OF(1, 80, 80, 190, 251) };
static const tw_op balanced[]   = { TEAM_OF(0, 80, 80, 190, 210), TEAM_OF(1, 80, 80, 190, 211) };

TEST(a_loop_is_balanced_over_a_team)
{
    tw_simulation found = tw_simulate(imbalanced, TW_LEN(imbalanced), NULL, "balance " LOOP " over team");

    CHECK_CALL(found, 0, 0, 150, 232, 190, 192);
    CHECK_CALL(found, 0, 1, 230, 233, 190, 193);
    CHECK_CALL(found, 0, 1, 235, 235, 195, 195); /* it ends, and the team is joined 3 later */
    CHECK_CALL(found, 0, 0, 234, 238, 194, 198);
    CHECK_CALL(found, 1, 0, 190, 192, 190, 192);
    CHECK_CALL(found, 0, 0, 240, 250, 200, 210);
    CHECK_CALL(found, 1, 0, 200, 251, 200, 211);
}

/* The run in which it was balanced is the one that was predicted: every new time is a recorded one there. */
TEST(the_prediction_is_the_balanced_run)
{
    tw_simulation found = tw_simulate(imbalanced, TW_LEN(imbalanced), NULL, "balance " LOOP " over team");
    tw_simulation recorded = tw_simulate(balanced, TW_LEN(balanced), NULL, "none");

    check_equal(found.n, recorded.n, "calls", __FILE__, __LINE__);
    for (int i = 0; i < found.n; i++) {
        check_equal(found.rows[i].new_enter, recorded.rows[i].enter, "enter", __FILE__, __LINE__);
        check_equal(found.rows[i].new_leave, recorded.rows[i].leave, "leave", __FILE__, __LINE__);
    }
}

/* Of all threads of both processes: 40, 120, 80 and 80 become 40; of the slow thread alone: 120 becomes 60. */
TEST(threads_are_selected)
{
    tw_simulation least = tw_simulate(imbalanced, TW_LEN(imbalanced), NULL, "balance " LOOP " to least");
    tw_simulation half = tw_simulate(imbalanced, TW_LEN(imbalanced), NULL,
                                      "scale " LOOP " on process 0 on thread 1 1/2");

    CHECK_CALL(least, 0, 0, 150, 232, 150, 152);
    CHECK_CALL(least, 0, 1, 230, 233, 150, 153);
    CHECK_CALL(least, 1, 1, 190, 193, 150, 153);
    CHECK_CALL(half, 0, 0, 150, 232, 150, 172);
    CHECK_CALL(half, 0, 1, 230, 233, 170, 173);
    CHECK_CALL(half, 1, 1, 190, 193, 190, 193);
}

/* Without the barrier each thread ends for itself; the team is joined with the last one. */
TEST(a_team_without_its_barrier)
{
    tw_simulation found = tw_simulate(imbalanced, TW_LEN(imbalanced), NULL,
                                       "without !$omp implicit barrier @program.c:3");

    CHECK_CALL(found, 0, 0, 150, 232, 150, 150);
    CHECK_CALL(found, 0, 1, 230, 233, 230, 230);
    CHECK_CALL(found, 0, 1, 235, 235, 232, 232);
    CHECK_CALL(found, 0, 0, 234, 238, 152, 235);
}

/* ---- the order of locks and ordered regions ---------------------------------------------------------------------- */

#define ORDERED "!$omp ordered @program.c:14"
#define BLOCK "!$omp ordered sblock @program.c:14"

/*   thread 0   fork 100 [102  critical 110-150                                ordered 200 [202-240] 241
 *   thread 1            [104      critical 120 ···· 152 - 170          ordered 190 ·················· [243-260] 261
 */
static const tw_op locks[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 100, .leave = 300 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 102, .leave = 290 },
    { .process = 0, .thread = 0, .op = TW_CRITICAL, .enter = 110, .leave = 150, .lock = 1, .order = 1 },
    { .process = 0, .thread = 0, .op = TW_USER, .enter = 110, .leave = 150, .region = "first" },
    { .process = 0, .thread = 0, .op = TW_USER, .enter = 200, .leave = 241, .region = ORDERED },
    { .process = 0, .thread = 0, .op = TW_USER, .enter = 202, .leave = 240, .region = BLOCK },
    { .process = 0, .thread = 0, .op = TW_USER, .enter = 202, .leave = 240, .region = "second" },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 104, .leave = 280 },
    { .process = 0, .thread = 1, .op = TW_CRITICAL, .enter = 120, .record = 152, .leave = 170, .lock = 1, .order = 2 },
    { .process = 0, .thread = 1, .op = TW_USER, .enter = 190, .leave = 261, .region = ORDERED },
    { .process = 0, .thread = 1, .op = TW_USER, .enter = 243, .leave = 260, .region = BLOCK },
};

TEST(locks_and_ordered_regions_keep_their_order)
{
    tw_simulation first = tw_simulate(locks, TW_LEN(locks), NULL, "scale first 1/2");
    tw_simulation second = tw_simulate(locks, TW_LEN(locks), NULL, "scale second 2");

    CHECK_CALL(first, 0, 0, 150, 150, 130, 130);
    CHECK_CALL(first, 0, 1, 120, 152, 120, 132); /* 2 after the release */
    CHECK_CALL(first, 0, 1, 170, 170, 150, 150);
    CHECK_CALL(first, 0, 0, 240, 240, 220, 220);
    CHECK_CALL(first, 0, 1, 190, 243, 170, 223);
    CHECK_CALL(second, 0, 0, 240, 240, 278, 278);
    CHECK_CALL(second, 0, 1, 190, 243, 190, 281);
}

/* ---- tasks ------------------------------------------------------------------------------------------------------- */

#define TASK "!$omp task @program.c:7"
#define MOMENT(t, what, time, number) \
    { .process = 0, .thread = (t), .op = (what), .enter = (time), .creator = 0, .task = (number) }

/*   thread 0   [ prepare 105-120, creates 1, taskwait 125 ················ 168 ] [ barrier 180-184]
 *   thread 1   [ barrier 110 ·········· {task 1: 124 - 164} ·········  185]
 */
static const tw_op tasks[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 100, .leave = 200 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 102, .leave = 190 },
    { .process = 0, .thread = 0, .op = TW_USER, .enter = 105, .leave = 120, .region = "prepare" },
    MOMENT(0, TW_TASK_CREATE, 120, 1),
    { .process = 0, .thread = 0, .op = TW_TASKWAIT, .enter = 125, .leave = 168 },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 180, .leave = 184 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 104, .leave = 190 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 110, .leave = 185 },
    MOMENT(1, TW_TASK_SWITCH, 124, 1),
    { .process = 0, .thread = 1, .op = TW_ENTER, .enter = 124, .region = TASK },
    { .process = 0, .thread = 1, .op = TW_LEAVE, .enter = 164, .region = TASK },
    MOMENT(1, TW_TASK_COMPLETE, 164, 1),
    MOMENT(1, TW_TASK_SWITCH, 164, 0),
};

TEST(tasks_begin_after_their_creation_and_taskwaits_end_after_tasks)
{
    tw_simulation prepare = tw_simulate(tasks, TW_LEN(tasks), NULL, "scale prepare 3");
    tw_simulation shorter = tw_simulate(tasks, TW_LEN(tasks), NULL, "scale " TASK " 1/4");

    CHECK_CALL(prepare, 0, 0, 120, 120, 150, 150);
    CHECK_CALL(prepare, 0, 1, 110, 124, 110, 154); /* 4 after the creation */
    CHECK_CALL(prepare, 0, 1, 164, 164, 194, 194);
    CHECK_CALL(prepare, 0, 0, 125, 168, 155, 198); /* 4 after the task */
    CHECK_CALL(prepare, 0, 0, 180, 184, 210, 214);
    CHECK_CALL(prepare, 0, 1, 164, 185, 194, 215);
    CHECK_CALL(shorter, 0, 1, 164, 164, 134, 134);
    CHECK_CALL(shorter, 0, 0, 125, 168, 125, 138);
    CHECK_CALL(shorter, 0, 0, 180, 184, 150, 154);
}

/* A task that enters no region is suspended on thread 0, and completed on thread 1. */
static const tw_op moved_task[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 100, .leave = 220 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 102, .leave = 210 },
    MOMENT(0, TW_TASK_CREATE, 110, 1),
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 120, .leave = 200 },
    MOMENT(0, TW_TASK_SWITCH, 130, 1),
    MOMENT(0, TW_TASK_SWITCH, 150, 0),
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 104, .leave = 211 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 126, .leave = 201 },
    MOMENT(1, TW_TASK_SWITCH, 160, 1),
    MOMENT(1, TW_TASK_COMPLETE, 190, 1),
    MOMENT(1, TW_TASK_SWITCH, 190, 0),
};

TEST(a_task_without_a_region_may_move)
{
    tw_simulation found = tw_simulate(moved_task, TW_LEN(moved_task), NULL, "none");

    CHECK_EQ(found.run_time_whole, 221);
}

/* Thread 1 leaves the first barrier, and creates a task, which thread 0 runs before it leaves the same barrier: nobody
 * waits for it there.
 *
 *   thread 0   [ barrier 110 ······· {task 1: 160-180} 190]   [ barrier 200 - 204]
 *   thread 1   [ work 106-130 ] [ barrier 130-140]  creates 1 at 150  [ barrier 155 ········ 205]
 */
static const tw_op later_task[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 100, .leave = 220 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 102, .leave = 210 },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 110, .leave = 190 },
    MOMENT(0, TW_TASK_SWITCH, 160, 1),
    { .process = 0, .thread = 0, .op = TW_ENTER, .enter = 160, .region = TASK },
    { .process = 0, .thread = 0, .op = TW_LEAVE, .enter = 180, .region = TASK },
    MOMENT(0, TW_TASK_COMPLETE, 180, 1),
    MOMENT(0, TW_TASK_SWITCH, 180, 0),
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 200, .leave = 204 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 104, .leave = 210 },
    { .process = 0, .thread = 1, .op = TW_USER, .enter = 106, .leave = 130, .region = "late" },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 130, .leave = 140 },
    MOMENT(1, TW_TASK_CREATE, 150, 1),
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 155, .leave = 205 },
};

TEST(a_barrier_does_not_wait_for_tasks_that_begin_after_it)
{
    tw_simulation found = tw_simulate(later_task, TW_LEN(later_task), NULL, "scale late 2");

    CHECK_CALL(found, 0, 1, 130, 140, 154, 164);
    CHECK_CALL(found, 0, 0, 110, 160, 110, 184);
    CHECK_CALL(found, 0, 0, 180, 190, 204, 214);
    CHECK_CALL(found, 0, 0, 200, 204, 224, 228);
    CHECK_CALL(found, 0, 1, 155, 205, 179, 229);
}

/* ---- created threads --------------------------------------------------------------------------------------------- */

/*   thread 0   prepare 5-20, pthread_create 20-24 (at 20), pthread_join 30 ··········· 99
 *   thread 1                     begins 26, work 30-80, ends 94
 */
static const tw_op created[] = {
    { .process = 0, .thread = 0, .op = TW_USER, .enter = 5, .leave = 20, .region = "prepare" },
    { .process = 0, .thread = 0, .op = TW_THREAD_CREATE, .enter = 20, .leave = 24, .record = 20, .created = 1 },
    { .process = 0, .thread = 0, .op = TW_THREAD_JOIN, .enter = 30, .leave = 99, .created = 1 },
    { .process = 0, .thread = 1, .op = TW_THREAD, .enter = 26, .leave = 94, .created = 1 },
    { .process = 0, .thread = 1, .op = TW_USER, .enter = 30, .leave = 80 },
};

TEST(created_threads_begin_later_and_are_waited_for)
{
    tw_simulation prepare = tw_simulate(created, TW_LEN(created), NULL, "scale prepare 3");
    tw_simulation work = tw_simulate(created, TW_LEN(created), NULL, "scale work 1/2");

    CHECK_CALL(prepare, 0, 1, 26, 26, 56, 56);
    CHECK_CALL(prepare, 0, 1, 94, 94, 124, 124);
    CHECK_CALL(prepare, 0, 0, 30, 99, 60, 129);
    CHECK_CALL(work, 0, 1, 26, 26, 26, 26);
    CHECK_CALL(work, 0, 0, 30, 99, 30, 74);
}

/* ---- streams of devices ------------------------------------------------------------------------------------------ */

/*   process 0   [work 10-60]  [send 60-62]  [rest 62-80]      [barrier 80 ·· -140]   ends at 151
 *   process 1   [work 10-20]  [receive 20 ······ 90]  [rest 90-100]  [barrier-140]   ends at 151
 *   its stream                   [work 30                                        -150]
 */
static const tw_op kernels[] = {
    { .process = 0, .op = TW_USER, .enter = 10, .leave = 60, .region = "work" },
    { .process = 0, .op = TW_SEND, .enter = 60, .leave = 62, .peer = 1 },
    { .process = 0, .op = TW_USER, .enter = 62, .leave = 80, .region = "rest" },
    { .process = 0, .op = TW_BARRIER, .enter = 80, .leave = 140 },
    { .process = 1, .op = TW_USER, .enter = 10, .leave = 20, .region = "work" },
    { .process = 1, .op = TW_RECV, .enter = 20, .leave = 90, .peer = 0 },
    { .process = 1, .op = TW_USER, .enter = 90, .leave = 100, .region = "rest" },
    { .process = 1, .op = TW_BARRIER, .enter = 100, .leave = 140 },
    { .process = 1, .thread = 1, .op = TW_USER, .enter = 30, .leave = 150, .region = "work" },
};
static const tw_options with_streams = { .archive = { .n_devices = 1 } };

TEST(the_run_ends_with_the_last_thread_not_with_a_stream)
{
    tw_simulation none = tw_simulate(kernels, TW_LEN(kernels), &with_streams, "none");
    tw_simulation zero = tw_simulate(kernels, TW_LEN(kernels), &with_streams, "network zero");

    CHECK_CALL(zero, 1, 0, 20, 90, 20, 60);
    CHECK_CALL(zero, 1, 0, 100, 140, 70, 78); /* process 0 is there at 78, as its send takes no time */
    CHECK_EQ(none.run_time_whole, 151);
    CHECK_EQ(zero.run_time_whole, 89);
}

/* 50 and 10 become 30; with the 120 of the kernel it would be 60. */
TEST(streams_are_not_balanced)
{
    tw_simulation found = tw_simulate(kernels, TW_LEN(kernels), &with_streams, "balance work");

    CHECK_CALL(found, 0, 0, 60, 62, 40, 42);
    CHECK_CALL(found, 1, 0, 20, 90, 40, 70);
}

TEST_MAIN
