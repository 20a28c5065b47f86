/* tests/replay/simulate/test_simulated_pieces.c: "Instances" and "Delays" of docs/simulation.md: predictions worked out
 * by hand.
 */
#include "check_simulation.h"

/* ---- two iterations, imbalanced in turn -------------------------------------------------------------------------- */

/*   process 0   [work 100-130           ][barrier 130-132]   [work 140-150 ][barrier 150-172 ··         ]
 *   process 1   [work 100-110 ][barrier 110-132 ··       ]   [work 140-170              ][barrier 170-172]
 */
#define ITERATION(p, begin, length, end)                                                                               \
    { .process = (p), .op = TW_USER, .enter = (begin), .leave = (end) + 4, .region = "iteration" },                    \
    { .process = (p), .op = TW_USER, .enter = (begin), .leave = (begin) + (length), .region = "work" },                \
    { .process = (p), .op = TW_BARRIER, .enter = (begin) + (length), .leave = (end) + 2 }

static const tw_op iterations[] = { ITERATION(0, 100, 30, 130), ITERATION(0, 140, 10, 170),
                                    ITERATION(1, 100, 10, 130), ITERATION(1, 140, 30, 170) };

TEST(each_instance_is_balanced)
{
    tw_simulation per = tw_simulate(iterations, TW_LEN(iterations), NULL, "balance work per iteration");

    CHECK_CALL(per, 0, 0, 130, 132, 120, 122);
    CHECK_CALL(per, 1, 0, 110, 132, 120, 122);
    CHECK_CALL(per, 0, 0, 150, 172, 150, 152); /* 8 between, 20 of work */
    CHECK_CALL(per, 1, 0, 170, 172, 150, 152);
}

TEST(over_the_whole_run_it_is_balanced_already)
{
    tw_simulation all = tw_simulate(iterations, TW_LEN(iterations), NULL, "balance work");

    CHECK_CALL(all, 0, 0, 130, 132, 130, 132);
    CHECK_CALL(all, 1, 0, 170, 172, 170, 172);
}

TEST(instances_have_goals_of_their_own)
{
    tw_simulation least = tw_simulate(iterations, TW_LEN(iterations), NULL, "balance work to least per iteration");

    CHECK_CALL(least, 0, 0, 130, 132, 110, 112);
    CHECK_CALL(least, 1, 0, 170, 172, 130, 132);
}

/* The first work of process 1 is in no instance, so its first instance is the second iteration: 30 as that of process
 * 0, whose second instance no other process has. */
TEST(what_is_in_no_instance_stays)
{
    static const tw_op outside[] = { ITERATION(0, 100, 30, 130), ITERATION(0, 140, 10, 170),
                                     { .process = 1, .op = TW_USER, .enter = 100, .leave = 110, .region = "work" },
                                     { .process = 1, .op = TW_BARRIER, .enter = 110, .leave = 132 },
                                     ITERATION(1, 140, 30, 170) };
    tw_simulation per = tw_simulate(outside, TW_LEN(outside), NULL, "balance work per iteration");

    CHECK_CALL(per, 0, 0, 130, 132, 130, 132);
    CHECK_CALL(per, 1, 0, 110, 132, 110, 132);
    CHECK_CALL(per, 0, 0, 150, 172, 150, 172);
}

/* ---- selected iterations ----------------------------------------------------------------------------------------- */

TEST(iterations_are_scaled)
{
    tw_simulation second = tw_simulate(iterations, TW_LEN(iterations), NULL,
                                       "scale work in iteration 2 of iteration 1/2");

    CHECK_CALL(second, 0, 0, 130, 132, 130, 132);
    CHECK_CALL(second, 1, 0, 110, 132, 110, 132);
    CHECK_CALL(second, 0, 0, 150, 172, 145, 157);
    CHECK_CALL(second, 1, 0, 170, 172, 155, 157);
    second = tw_simulate(iterations, TW_LEN(iterations), NULL,
                         "scale work in iteration 1,2- of iteration on process 1 0");
    CHECK_CALL(second, 1, 0, 110, 132, 100, 132);
    CHECK_CALL(second, 1, 0, 170, 172, 140, 152);
}

TEST(iterations_are_balanced)
{
    tw_simulation first = tw_simulate(iterations, TW_LEN(iterations), NULL,
                                      "balance work in iteration 1 per iteration");

    CHECK_CALL(first, 0, 0, 130, 132, 120, 122);
    CHECK_CALL(first, 1, 0, 110, 132, 120, 122);
    CHECK_CALL(first, 0, 0, 150, 172, 140, 162);
    CHECK_CALL(first, 1, 0, 170, 172, 160, 162);
}

TEST(delays_of_iterations_vanish)
{
    tw_simulation second = tw_simulate(iterations, TW_LEN(iterations), NULL,
                                       "remove delay work in iteration 2-9 of iteration");

    CHECK_CALL(second, 0, 0, 130, 132, 130, 132);
    CHECK_CALL(second, 0, 0, 150, 172, 150, 152);
    CHECK_CALL(second, 1, 0, 170, 172, 150, 152);
}

/* ---- delays ------------------------------------------------------------------------------------------------------ */

/* In each iteration one process exceeds the other one, which waits, by 20. */
TEST(delays_vanish)
{
    tw_simulation found = tw_simulate(iterations, TW_LEN(iterations), NULL, "remove delay work");

    CHECK_CALL(found, 0, 0, 130, 132, 110, 112);
    CHECK_CALL(found, 1, 0, 110, 132, 110, 112);
    CHECK_CALL(found, 0, 0, 150, 172, 130, 132);
    CHECK_CALL(found, 1, 0, 170, 172, 130, 132);
}

TEST(delays_are_selected)
{
    tw_simulation found = tw_simulate(iterations, TW_LEN(iterations), NULL, "remove delay work on process 1");

    CHECK_CALL(found, 0, 0, 130, 132, 130, 132);
    CHECK_CALL(found, 1, 0, 170, 172, 150, 152);
}

/* Process 2 exceeds process 1 by 20 and process 0 by 40: 40 are taken, not 60. */
TEST(what_is_taken_for_one_wait_counts_for_others)
{
    static const tw_op three[] = { { .process = 0, .op = TW_USER, .enter = 100, .leave = 110, .region = "work" },
                                   { .process = 0, .op = TW_BARRIER, .enter = 110, .leave = 152 },
                                   { .process = 1, .op = TW_USER, .enter = 100, .leave = 130, .region = "work" },
                                   { .process = 1, .op = TW_BARRIER, .enter = 130, .leave = 152 },
                                   { .process = 2, .op = TW_USER, .enter = 100, .leave = 150, .region = "work" },
                                   { .process = 2, .op = TW_BARRIER, .enter = 150, .leave = 152 } };
    tw_simulation found = tw_simulate(three, TW_LEN(three), NULL, "remove delay work");

    CHECK_CALL(found, 2, 0, 150, 152, 110, 132); /* process 1 is the latest now */
    CHECK_CALL(found, 1, 0, 130, 152, 130, 132);
    CHECK_CALL(found, 0, 0, 110, 152, 110, 132);
}

/* ---- instances of threads ---------------------------------------------------------------------------------------- */

#define LOOP "!$omp for @program.c:12"

/* Loops of two threads in a region that only the first thread enters. */
#define STEP(begin, first, second, latest)                                                                             \
    { .thread = 0, .op = TW_USER, .enter = (begin), .leave = (latest) + 20, .region = "step" },                        \
    { .thread = 0, .op = TW_FORK, .enter = (begin) + 10, .leave = (latest) + 8 },                                      \
    { .thread = 0, .op = TW_TEAM, .enter = (begin) + 12, .leave = (latest) + 4 },                                      \
    { .thread = 0, .op = TW_USER, .enter = (begin) + 20, .leave = (begin) + 20 + (first), .region = LOOP },            \
    { .thread = 0, .op = TW_OMP_IBARRIER, .enter = (begin) + 20 + (first), .leave = (latest) + 2 },                    \
    { .thread = 1, .op = TW_TEAM, .enter = (begin) + 14, .leave = (latest) + 5 },                                      \
    { .thread = 1, .op = TW_USER, .enter = (begin) + 20, .leave = (begin) + 20 + (second), .region = LOOP },           \
    { .thread = 1, .op = TW_OMP_IBARRIER, .enter = (begin) + 20 + (second), .leave = (latest) + 3 }

static const tw_op steps[] = { STEP(100, 40, 120, 240), STEP(300, 120, 40, 440) };

TEST(threads_have_the_instances_of_the_first_one)
{
    tw_simulation per = tw_simulate(steps, TW_LEN(steps), NULL, "balance " LOOP " over team per step");
    tw_simulation all = tw_simulate(steps, TW_LEN(steps), NULL, "balance " LOOP " over team");

    CHECK_CALL(per, 0, 0, 160, 242, 200, 202);
    CHECK_CALL(per, 0, 1, 240, 243, 200, 203);
    CHECK_CALL(per, 0, 0, 440, 442, 360, 362); /* 40 earlier, and 40 shorter */
    CHECK_CALL(per, 0, 1, 360, 443, 360, 363);
    CHECK_CALL(all, 0, 0, 160, 242, 160, 242);
    CHECK_CALL(all, 0, 1, 360, 443, 360, 443);
}

TEST_MAIN
