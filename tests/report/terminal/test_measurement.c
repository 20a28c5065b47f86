/* tests/report/terminal/test_measurement.c: the section "Measurement" of the summary (section_run.c). */
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "test_comm.h"
#include "cube_reader.h"
#include "memory.h"
#include "report.h"
#include "small_defs.h"
#include "summary.h"

#define REPORT "test_measurement.cubex"

static hd_analysis_comm *analysis_comm;

/*   0 main ── 1 tiny, 2 TRACE BUFFER FLUSH, 3 MEASUREMENT OFF, 4 large [ms] */
static const small_region regions[] = {
    { "main", "main.c", HD_PARADIGM_COMPILER, HD_ROLE_FUNCTION },
    { "tiny", "main.c", HD_PARADIGM_COMPILER, HD_ROLE_FUNCTION },
    { "TRACE BUFFER FLUSH", "", HD_PARADIGM_MEASUREMENT, HD_ROLE_ARTIFICIAL },
    { "MEASUREMENT OFF", "", HD_PARADIGM_USER, HD_ROLE_ARTIFICIAL },
    { "large", "main.c", HD_PARADIGM_COMPILER, HD_ROLE_FUNCTION },
};
static hd_call_path      nodes[] = { { HD_NONE, 0 }, { 0, 1 }, { 0, 2 }, { 0, 3 }, { 0, 4 } };
static const hd_calltree tree    = { nodes, 5 };

/* Process 0 is quiet. Process 1: 950 ms with 200,004 calls, and 50 ms off. */
static const hd_severity quiet[] = { { 0, HD_METRIC_time, 999 }, { 0, HD_METRIC_visits, 1 },
                                     { 1, HD_METRIC_time, 1 }, { 1, HD_METRIC_visits, 50 } };
static const hd_severity busy[]  = { { 0, HD_METRIC_time, 600 }, { 0, HD_METRIC_visits, 1 },
                                     { 1, HD_METRIC_time, 100 }, { 1, HD_METRIC_visits, 190000 },
                                     { 2, HD_METRIC_time, 150 }, { 2, HD_METRIC_visits, 2 },
                                     { 3, HD_METRIC_time, 50 }, { 3, HD_METRIC_visits, 1 },
                                     { 4, HD_METRIC_time, 100 }, { 4, HD_METRIC_visits, 10000 } };

static char *
summary_of(bool is_busy)
{
    hd_defs           *defs = small_defs(regions, 5, 2, 1, false);
    hd_report_location locations[] = { { .location = 0, .entries = quiet, .n = 4 },
                                       { .location = 1, .entries = is_busy ? busy : quiet, .n = is_busy ? 10 : 4 } };
    hd_cube           *cube = NULL;
    char              *text = NULL;
    size_t             bytes;
    FILE              *stream = open_memstream(&text, &bytes);

    unlink(REPORT);
    CHECK_EQ(hd_cube_write(analysis_comm,
                           &(hd_report){ .defs = defs, .tree = &tree, .locations = locations, .n_locations = 2 },
                           REPORT),
             HD_OK);
    CHECK_EQ(hd_cube_open(REPORT, &cube), HD_OK);
    CHECK_EQ(hd_summary_print(cube, stream, &(hd_summary_options){ .width = 200 }), HD_OK);
    fclose(stream);
    hd_cube_close(cube);
    free(defs);
    return text;
}

TEST(what_recording_cost_is_said)
{
    char *text = summary_of(true);

    CHECK(strstr(text, "\nMeasurement\n"
                       "  2 flushes of the trace buffer: 150 ms (7.5 % of time), at most 150 ms on a location of "
                 "process 1. "
                       "A larger buffer (SCOREP_TOTAL_MEMORY) avoids them.\n"
                       "  Nothing was recorded for 50.0 ms (2.5 % of time): recording was off.\n") != NULL);
    CHECK(strstr(text, "  Up to 210,531 calls per second were recorded on a location (process 1). ") != NULL);
    CHECK(strstr(text, "    190,050 calls (95.0 %), 531 ns each: tiny") != NULL);
    CHECK(strstr(text, " each: large") == NULL); /* 10 us */
    free(text);
}

TEST(a_run_without_such_costs_has_no_such_section)
{
    char *text = summary_of(false);

    CHECK(strstr(text, "\nMeasurement\n") == NULL);
    free(text);
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
