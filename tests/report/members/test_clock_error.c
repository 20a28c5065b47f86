/* tests/report/members/test_clock_error.c: the error of the clocks, and the waiting time below it. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "test_comm.h"
#include "clock_error.h"
#include "memory.h"
#include "report.h"
#include "small_defs.h"
#include "summary.h"

#define REPORT "test_clock_error.cubex"

static hd_analysis_comm *analysis_comm;

/*   0 main ── 1 MPI_Recv, 2 MPI_Barrier */
static const small_region regions[] = {
    { "main", "main.c", HD_PARADIGM_COMPILER, HD_ROLE_FUNCTION },
    { "MPI_Recv", "MPI", HD_PARADIGM_MPI, HD_ROLE_POINT2POINT },
    { "MPI_Barrier", "MPI", HD_PARADIGM_MPI, HD_ROLE_BARRIER },
};
static hd_call_path      nodes[]   = { { HD_NONE, 0 }, { 0, 1 }, { 0, 2 } };
static const hd_calltree tree      = { nodes, 3 };
static const hd_severity entries[] = { { 0, HD_METRIC_time, 600 } };

/* Ticks are ms: at the receive waits of 2 to 6, of 24 in all; in the barrier of 1 to 70, of 76. */
#define STATISTIC(of, at, n, least, most, all) \
    { .metric = HD_METRIC_##of, .call_path = at, .count = n, .minimum = least, .maximum = most, .sum = all, \
      .worst = { .metric = HD_METRIC_##of, .waiting = most } }
static hd_wait_statistic statistics[] = {
    STATISTIC(mpi_barrier_wait, HD_NONE, 3, 1, 70, 76), STATISTIC(mpi_barrier_wait, 2, 3, 1, 70, 76),
    STATISTIC(mpi_latesender, HD_NONE, 6, 2, 6, 24), STATISTIC(mpi_latesender, 1, 6, 2, 6, 24),
};
static const hd_wait_statistics all = { .rows = statistics, .n = 4 };

/* error: NULL: there is none. hd_cube_close() it. */
static hd_cube *
report_of(const char *error, bool has_statistics)
{
    hd_defs           *defs         = small_defs(regions, 3, 1, 1, false);
    hd_report_location locations[]  = { { .location = 0, .entries = entries, .n = 1 } };
    hd_attribute       attributes[] = { { "Heddle::ClockTick", "1e-09" }, { "Heddle::ClockError", error } };
    hd_findings        findings     = { 0 };
    hd_excerpts        excerpts     = { 0 };
    hd_cube           *cube         = NULL;
    hd_report          report       = { .defs = defs, .tree = &tree, .locations = locations, .n_locations = 1,
                                        .attributes = attributes, .n_attributes = error != NULL ? 2 : 1,
                                        .findings = &findings, .statistics = has_statistics ? &all : NULL,
                                        .excerpts = &excerpts };

    unlink(REPORT);
    CHECK_EQ(hd_cube_write(analysis_comm, &report, REPORT), HD_OK);
    CHECK_EQ(hd_cube_open(REPORT, &cube), HD_OK);
    free(defs);
    return cube;
}

static hd_clock_error
clock_of(const char *error, bool has_statistics)
{
    hd_cube       *cube = report_of(error, has_statistics);
    hd_clock_error clock;

    CHECK_EQ(hd_clock_error_read(cube, &clock), HD_OK);
    hd_cube_close(cube);
    return clock;
}

TEST(the_part_of_call_paths_whose_waits_are_all_shorter_is_below)
{
    CHECK(clock_of("0.0061", true).error == 0.0061);
    CHECK(fabs(clock_of("0.0061", true).share - 0.24) < 1e-12);
    CHECK(clock_of("0.006", true).share == 0); /* one is as long */
    CHECK(clock_of("0.071", true).share == 1);
    CHECK(isnan(clock_of("0.0061", false).share));
}

TEST(without_a_violation_the_error_is_not_known)
{
    hd_clock_error clock = clock_of(NULL, true);

    CHECK(clock.error == 0 && isnan(clock.share) && clock.tick == 1e-9);
    CHECK(clock_of("-1", true).error == 0 && clock_of("inf", true).error == 0 && clock_of("x", true).error == 0);
}

static bool
says(const char *error, bool is_verbose, const char *words)
{
    hd_cube *cube = report_of(error, true);
    char    *text = NULL;
    size_t   bytes;
    FILE    *stream = open_memstream(&text, &bytes);
    bool     is_said;

    CHECK_EQ(hd_summary_print(cube, stream, &(hd_summary_options){ .width = 200, .is_verbose = is_verbose }), HD_OK);
    fclose(stream);
    hd_cube_close(cube);
    is_said = strstr(text, words) != NULL;
    free(text);
    return is_said;
}

TEST(the_summary_says_which_waits_mean_nothing)
{
    CHECK(says("0.0061", false, "  Waits shorter than 6.10 ms are below the error of the clocks; at least 24.0 % of "
                                "the waiting time is in such waits.\n"));
    CHECK(says("0.001", false, "  Waits shorter than 1.00 ms are below the error of the clocks.\n"));
    CHECK(!says(NULL, false, "error of the clocks"));
    CHECK(says(NULL, true, "  The error of the clocks is not known: no event was too early. They count in steps of "
                           "1.00 ns.\n"));
}

int
main(int argc, char **argv)
{
    int failed;

    analysis_comm = hd_analysis_comm_open(TEST_COMM, &argc, &argv);
    failed        = check_run_all(argc > 1 ? argv[1] : NULL);
    hd_analysis_comm_close(analysis_comm);
    return failed;
}
