/* tests/openmp/test_task_size.c: tasks counted by the time they ran.
 *
 *   ticks      1000     1005    1100            1150   ...       (1 tick = 1 microsecond)
 *   thread 0   [barrier <[ foo ]>··<[ foo       ]>··········]    5: from 1 to 10 us; 50: from 10 to 100 us; ...
 */
#include "check.h"
#include "situation.h"

#define STUB "program;main;!$omp parallel @program.c:1;!$omp barrier @program.c:2;foo"

#define TASK(number, from, to)                                                                                         \
    { .process = 0, .thread = 0, .op = TW_TASK_SWITCH, .enter = (from), .creator = 0, .task = (number) },              \
        { .process = 0, .thread = 0, .op = TW_ENTER, .enter = (from), .region = "foo" },                               \
        { .process = 0, .thread = 0, .op = TW_LEAVE, .enter = (to), .region = "foo" },                                 \
        { .process = 0, .thread = 0, .op = TW_TASK_COMPLETE, .enter = (to), .creator = 0, .task = (number) },          \
    {                                                                                                                  \
        .process = 0, .thread = 0, .op = TW_TASK_SWITCH, .enter = (to), .creator = 0, .task = 0                        \
    }

static const tw_op sizes[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 900, .leave = 200000 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 950, .leave = 190000 },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 1000, .leave = 180000 },
    TASK(1, 1100, 1100),
    TASK(2, 1200, 1205),
    TASK(3, 1300, 1350),
    TASK(4, 2000, 2500),
    TASK(5, 3000, 8000),
    TASK(6, 10000, 60000),
    TASK(7, 70000, 70009),
};

TEST(every_task_is_in_one_class)
{
    tw_report r = tw_analyze(sizes, TW_LEN(sizes));

    CHECK_THREAD_AT(r, "omp_task_count", STUB, 0, 7);
    CHECK_THREAD_AT(r, "omp_task_count_1us", STUB, 0, 1);
    CHECK_THREAD_AT(r, "omp_task_count_10us", STUB, 0, 2);
    CHECK_THREAD_AT(r, "omp_task_count_100us", STUB, 0, 1);
    CHECK_THREAD_AT(r, "omp_task_count_1ms", STUB, 0, 1);
    CHECK_THREAD_AT(r, "omp_task_count_10ms", STUB, 0, 1);
    CHECK_THREAD_AT(r, "omp_task_count_long", STUB, 0, 1);
    CHECK_THREAD_AT(r, "omp_task_time", STUB, 0, 5 + 50 + 500 + 5000 + 50000 + 9);
}

static const tw_op limits[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 900, .leave = 200000 },
    { .process = 0, .thread = 0, .op = TW_TEAM, .enter = 950, .leave = 190000 },
    { .process = 0, .thread = 0, .op = TW_OMP_BARRIER, .enter = 1000, .leave = 180000 },
    TASK(1, 1100, 1101),
    TASK(2, 1200, 1210),
    TASK(3, 2000, 12000),
};

TEST(the_lower_limit_belongs_to_a_class)
{
    tw_report r = tw_analyze(limits, TW_LEN(limits));

    CHECK_THREAD_AT(r, "omp_task_count_1us", STUB, 0, 0);
    CHECK_THREAD_AT(r, "omp_task_count_10us", STUB, 0, 1);
    CHECK_THREAD_AT(r, "omp_task_count_100us", STUB, 0, 1);
    CHECK_THREAD_AT(r, "omp_task_count_10ms", STUB, 0, 0);
    CHECK_THREAD_AT(r, "omp_task_count_long", STUB, 0, 1);
}

TEST(scout26_has_no_sizes_of_tasks)
{
    tw_report r = tw_analyze_with(sizes, TW_LEN(sizes), .arguments = "--compat=scout26");

    CHECK_SPAN(r, "omp_task_count", process(0), 0);
    CHECK_SPAN(r, "omp_task_time", process(0), 0);
}

TEST_MAIN
