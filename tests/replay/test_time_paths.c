/* tests/replay/test_time_paths.c: computation, MPI and OpenMP over time by call path
 * (docs/metrics.md#time-by-call-path). That call paths add up to processes is an invariant of all situations.
 *
 *   ticks       20             60              100     two windows: 20 to 60, 60 to 100
 *   process 0   Init][recv··········|·······] [ work ] Finalize
 *   process 1   Init] [work         |   ][send]        Finalize
 */
#include <stdlib.h>

#include "check.h"
#include "memory.h"
#include "situation.h"

/* The number of the call path of the k-th line of a metric, from 0 on; HD_NONE: there is none. */
static uint32_t
path_of(tw_report report, const char *metric, int k)
{
    char       *begin = hd_format("\n%s\t", metric);
    const char *line  = strstr(tw_path_series_text(report), begin);

    for (; k > 0 && line != NULL; k--)
        line = strstr(line + 1, begin);
    free(begin);
    return line != NULL ? (uint32_t)strtoul(line + strlen(metric) + 2, NULL, 10) : HD_NONE;
}

static int64_t
sum_at(tw_report report, const char *metric, uint32_t path, uint32_t slice)
{
    return tw_path_series_value(report, false, metric, path, slice).sum;
}

static const tw_op messages[] = {
    { .process = 0, .op = TW_INIT, .enter = 10, .leave = 20 },
    { .process = 0, .op = TW_RECV, .enter = 30, .leave = 95, .peer = 1, .tag = 7 },
    { .process = 0, .op = TW_FINALIZE, .enter = 100, .leave = 110 },
    { .process = 1, .op = TW_INIT, .enter = 12, .leave = 20 },
    { .process = 1, .op = TW_SEND, .enter = 90, .leave = 92, .peer = 0, .tag = 7 },
    { .process = 1, .op = TW_FINALIZE, .enter = 100, .leave = 110 },
};

/* Call paths are in the order of their first enters. */
TEST(time_in_a_call_is_in_the_windows_in_which_it_passes)
{
    tw_report      r = tw_analyze_with(messages, TW_LEN(messages), .arguments = "--windows 2 --series all");
    uint32_t       paths[4];
    tw_path_series value;

    for (int k = 0; k < 4; k++)
        paths[k] = path_of(r, "mpi", k);
    CHECK(paths[3] != HD_NONE && path_of(r, "mpi", 4) == HD_NONE);
    for (uint32_t k = 0; k < 4; k++) {
        bool is_recv = sum_at(r, "mpi", paths[k], 1) > 0, is_send = sum_at(r, "mpi", paths[k], 2) == 2;

        if (is_recv) {
            CHECK_EQ(sum_at(r, "mpi", paths[k], 1), 30);
            CHECK_EQ(sum_at(r, "mpi", paths[k], 2), 35);
        } else if (!is_send && sum_at(r, "mpi", paths[k], 0) > 0) {
            value = tw_path_series_value(r, false, "mpi", paths[k], 0);
            CHECK_EQ(value.sum, 18);
            CHECK_EQ(value.most, 10);
            CHECK_EQ(value.process, 0);
        } else if (!is_send)
            CHECK_EQ(sum_at(r, "mpi", paths[k], 3), 20);
    }
}

/* All of MPI_Init is before the windows, of which the receive has all MPI. */
static const tw_op short_run[] = {
    { .process = 0, .op = TW_INIT, .enter = 10, .leave = 100000 },
    { .process = 0, .op = TW_RECV, .enter = 100010, .leave = 100050, .peer = 1, .tag = 7 },
    { .process = 0, .op = TW_FINALIZE, .enter = 100100, .leave = 100110 },
    { .process = 1, .op = TW_INIT, .enter = 10, .leave = 100000 },
    { .process = 1, .op = TW_SEND, .enter = 100040, .leave = 100050, .peer = 0, .tag = 7 },
    { .process = 1, .op = TW_FINALIZE, .enter = 100100, .leave = 100110 },
};

TEST(a_long_start_hides_no_calls)
{
    tw_report r = tw_analyze_with(short_run, TW_LEN(short_run), .arguments = "--windows 1 --series all");
    int64_t   sums[2] = { sum_at(r, "mpi", path_of(r, "mpi", 0), 1), sum_at(r, "mpi", path_of(r, "mpi", 1), 1) }, other;

    other = sum_at(r, "mpi", path_of(r, "mpi", 2), 1);
    CHECK_EQ(sums[0] + sums[1] + other, 50);
    CHECK((sums[0] == 40) + (sums[1] == 40) + (other == 40) == 1);
    CHECK((sums[0] == 10) + (sums[1] == 10) + (other == 10) == 1);
}

TEST(without_iterations_there_are_none_unless_they_are_asked_for)
{
    tw_report r = tw_analyze_with(messages, TW_LEN(messages), .arguments = "--windows 2");

    CHECK(path_of(r, "mpi_latesender", 0) != HD_NONE);
    CHECK(path_of(r, "mpi", 0) == HD_NONE && path_of(r, "comp", 0) == HD_NONE);
    r = tw_analyze_with(messages, TW_LEN(messages),
                        .arguments = "--windows 2 --series all --no-delay --no-critical-path");
    CHECK(path_of(r, "mpi", 0) == HD_NONE && path_of(r, "comp", 0) == HD_NONE);
}

/*   ticks      0   4  10        30      | 51   60    80 84 90    100     windows from 0 and from 51 to 102
 *   thread 0   fork·[ parallel          |      [barrier]   ]··join
 *   thread 1   ········[        [barrier|              ]]·····
 */
static const tw_op team[] = {
    { .process = 0, .op = TW_FORK, .enter = 0, .leave = 100 },
    { .process = 0, .op = TW_TEAM, .enter = 4, .leave = 90 },
    { .process = 0, .op = TW_OMP_BARRIER, .enter = 60, .leave = 80 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 10, .leave = 84 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 30, .leave = 80 },
};

TEST(forks_and_joins_are_of_the_parallel_region_and_barriers_of_their_own)
{
    tw_report r        = tw_analyze_with(team, TW_LEN(team), .arguments = "--windows 2 --series all");
    uint32_t  parallel = path_of(r, "omp_time", 0), barrier = path_of(r, "omp_time", 1);

    CHECK(parallel < barrier && barrier != HD_NONE && path_of(r, "omp_time", 2) == HD_NONE);
    CHECK_EQ(sum_at(r, "omp_time", parallel, 1), 4 + 10);
    CHECK_EQ(sum_at(r, "omp_time", parallel, 2), 10 + 16);
    CHECK_EQ(sum_at(r, "omp_time", barrier, 1), 21);
    CHECK_EQ(sum_at(r, "omp_time", barrier, 2), 20 + 29);
    CHECK_EQ(sum_at(r, "comp", parallel, 1), 47 + 20);
    CHECK_EQ(sum_at(r, "comp", parallel, 2), 9 + 10 + 4);
}

/* Forks that a bound at 5001 divides, and a tick of each thread in a barrier, less than 1 % of what is OpenMP. */
static const tw_op short_barrier[] = {
    { .process = 0, .op = TW_FORK, .enter = 0, .leave = 10000 },
    { .process = 0, .op = TW_TEAM, .enter = 6000, .leave = 10000 },
    { .process = 0, .op = TW_OMP_BARRIER, .enter = 9000, .leave = 9001 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 6000, .leave = 10000 },
    { .process = 0, .thread = 1, .op = TW_OMP_BARRIER, .enter = 9000, .leave = 9001 },
};

TEST(a_call_path_with_less_than_one_percent_is_part_of_its_caller)
{
    tw_report r        = tw_analyze_with(short_barrier, TW_LEN(short_barrier), .arguments = "--windows 2 --series all");
    uint32_t  parallel = path_of(r, "omp_time", 0);

    CHECK(parallel != HD_NONE && path_of(r, "omp_time", 1) == HD_NONE);
    CHECK_EQ(sum_at(r, "omp_time", parallel, 1), 2 * 5001);
    CHECK_EQ(sum_at(r, "omp_time", parallel, 2), 2 * 999 + 2);
}

/* Calls outside of all regions, as where a library of MPI alone is recorded, or in threads: each is an interval.
 *
 *   ticks       0     30     50     70    100     two windows
 *   process 0   [ rank ][size·|·····][send]
 *   process 1   [recv·········|···········]
 */
static const tw_options without_program = { .without_program = true };

static const tw_op outermost[] = {
    { .process = 0, .op = TW_USER, .region = "MPI_Comm_rank", .enter = 0, .leave = 30 },
    { .process = 0, .op = TW_USER, .region = "MPI_Comm_size", .enter = 30, .leave = 70 },
    { .process = 0, .op = TW_SEND, .enter = 70, .leave = 100, .peer = 1, .tag = 7 },
    { .process = 1, .op = TW_RECV, .enter = 0, .leave = 100, .peer = 0, .tag = 7 },
};

TEST(calls_outside_of_all_regions_are_known_one_by_one)
{
    tw_report r = tw_analyze_with(outermost, TW_LEN(outermost), .arguments = "--windows 2 --series all",
                                  .options = &without_program);
    uint32_t  rank = path_of(r, "mpi", 0), size = path_of(r, "mpi", 1);

    CHECK(rank != HD_NONE && size != HD_NONE);
    CHECK_EQ(sum_at(r, "mpi", rank, 1), 30);
    CHECK_EQ(sum_at(r, "mpi", rank, 2), 0);
    CHECK_EQ(sum_at(r, "mpi", size, 1), 20);
    CHECK_EQ(sum_at(r, "mpi", size, 2), 20);
}

TEST_MAIN
