/* tests/replay/test_critical_series.c: the critical path and classes of MPI calls over windows and iterations
 * (docs/metrics.md#critical-path-over-time, #mpi-classes-over-time). That slices add up to the metrics is an invariant
 * of all situations; random programs are compared with the oracle (tests/oracle/compare_critical_series.py).
 *
 *   ticks       0        50       90 92   100       150      three windows of 50
 *   process 0   [foo=====>|======>][send··[Finalize
 *   process 1   [foo   ][recv·····|·↓=][baz========>[Finalize]
 */
#include <stdlib.h>

#include "check.h"
#include "memory.h"
#include "situation.h"

#define WORK(rank, name, from, until) { .process = rank, .op = TW_USER, .region = name, .enter = from, .leave = until }

static const tw_op chain[] = {
    { .process = 0, .op = TW_INIT, .enter = 0, .leave = 0 },
    WORK(0, "foo", 0, 90),
    { .process = 0, .op = TW_SEND, .enter = 90, .leave = 95, .peer = 1 },
    { .process = 0, .op = TW_FINALIZE, .enter = 100, .leave = 150 },
    { .process = 1, .op = TW_INIT, .enter = 0, .leave = 0 },
    WORK(1, "foo", 0, 30),
    { .process = 1, .op = TW_RECV, .enter = 30, .leave = 92, .peer = 0 },
    WORK(1, "baz", 92, 150),
    { .process = 1, .op = TW_FINALIZE, .enter = 150, .leave = 150 },
};

static const tw_options no_program = { .without_program = true };

#define analyze(ops, words) tw_analyze_with((ops), TW_LEN(ops), .options = &no_program, .arguments = (words))

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
of_process(tw_report report, const char *metric, uint32_t process, uint32_t slice)
{
    return tw_series_value(report, metric, (hd_process){ process }, slice);
}

TEST(the_path_is_cut_at_windows_and_is_on_one_process_at_a_time)
{
    tw_report r = analyze(chain, "--windows 3 --series all");

    CHECK_EQ(of_process(r, "critical_path", 0, 1), 50);
    CHECK_EQ(of_process(r, "critical_path", 1, 1), 0);
    CHECK_EQ(of_process(r, "critical_path", 0, 2), 40);
    CHECK_EQ(of_process(r, "critical_path", 1, 2), 10);
    CHECK_EQ(of_process(r, "critical_path", 0, 3), 0);
    CHECK_EQ(of_process(r, "critical_path", 1, 3), 50);
}

/* foo, recv and baz, in the order of their first enters. */
TEST(by_call_path_waiting_is_left_out)
{
    tw_report      r = analyze(chain, "--windows 3 --series all");
    tw_path_series value;
    int64_t        sums[4] = { 0 };

    for (int k = 0; k < 3; k++) {
        uint32_t path = path_of(r, "critical_path", k);

        CHECK(path != HD_NONE);
        for (uint32_t slice = 1; slice <= 3; slice++) {
            value = tw_path_series_value(r, false, "critical_path", path, slice);
            sums[slice] += value.sum;
            if (value.sum > 0 && (value.sum == 2 || value.sum == 8 || slice == 3))
                CHECK_EQ(value.process, 1);
            else if (value.sum > 0)
                CHECK_EQ(value.process, 0);
            CHECK_EQ(value.most, value.sum);
        }
    }
    CHECK(path_of(r, "critical_path", 3) == HD_NONE);
    for (uint32_t slice = 1; slice <= 3; slice++)
        CHECK_EQ(sums[slice], 50);
}

TEST(classes_of_calls_are_cut_at_windows_waiting_included)
{
    tw_report r = analyze(chain, "--windows 3 --series all");

    CHECK_EQ(of_process(r, "mpi_point2point", 1, 1), 20);
    CHECK_EQ(of_process(r, "mpi_point2point", 1, 2), 42);
    CHECK_EQ(of_process(r, "mpi_point2point", 0, 2), 5);
    CHECK_EQ(of_process(r, "mpi_collective", 0, 2), 0);
}

TEST(only_where_they_are_asked_for_and_can_be_found)
{
    tw_report r = analyze(chain, "--windows 3");

    CHECK(path_of(r, "critical_path", 0) == HD_NONE && path_of(r, "mpi_point2point", 0) == HD_NONE);
    CHECK_EQ(of_process(r, "critical_path", 0, 1), 0);
    r = analyze(chain, "--windows 3 --series all --no-critical-path");
    CHECK_EQ(of_process(r, "critical_path", 0, 1), 0);
    CHECK_EQ(of_process(r, "mpi_point2point", 1, 1), 20);
    r = analyze(chain, "--windows 3 --series all --no-delay");
    CHECK_EQ(of_process(r, "critical_path", 0, 1), 50);
    r = analyze(chain, "--windows 3 --series all --no-delay --no-critical-path");
    CHECK_EQ(of_process(r, "critical_path", 0, 1), 0);
    CHECK(path_of(r, "mpi_point2point", 0) == HD_NONE);
}

/*   ticks       0       40      80      120
 *   process 0   [step 1=][step 2=][send             two iterations of 40
 *   process 1   [step ·][recv ····↓===][rest==>]    one, of 100
 */
static const tw_op steps[] = {
    { .process = 0, .op = TW_INIT, .enter = 0, .leave = 0 },
    WORK(0, "step", 0, 40),
    WORK(0, "step", 40, 80),
    { .process = 0, .op = TW_SEND, .enter = 80, .leave = 80, .peer = 1 },
    { .process = 0, .op = TW_FINALIZE, .enter = 90, .leave = 120 },
    { .process = 1, .op = TW_INIT, .enter = 0, .leave = 0 },
    WORK(1, "step", 0, 100),
    WORK(1, "rest", 100, 120),
    { .process = 1, .op = TW_RECV, .enter = 20, .leave = 82, .peer = 0 },
    { .process = 1, .op = TW_FINALIZE, .enter = 120, .leave = 120 },
};

TEST(iterations_are_those_of_the_process_that_the_path_is_on)
{
    tw_report  r = analyze(steps, "--iterations step --series all");
    hd_process first = { 0 }, second = { 1 };

    CHECK_EQ(tw_iteration_value(r, "critical_path", first, 1), 40);
    CHECK_EQ(tw_iteration_value(r, "critical_path", first, 2), 40);
    CHECK_EQ(tw_iteration_value(r, "critical_path", second, 1), 20); /* behind the wait */
    CHECK_EQ(tw_iteration_value(r, "critical_path", second, 2), 0);
    CHECK_EQ(tw_iteration_value(r, "critical_path", second, 3), 20); /* after the last one of the program */
    CHECK_EQ(tw_iteration_value(r, "mpi_point2point", second, 1), 62);
}

TEST_MAIN
