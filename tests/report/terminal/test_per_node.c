/* tests/report/terminal/test_per_node.c: the times of each node, in the summary and for the HTML report. */
#include <unistd.h>

#include "check.h"
#include "test_comm.h"
#include "cube_reader.h"
#include "memory.h"
#include "report.h"
#include "section_per_node.h"
#include "small_defs.h"
#include "summary.h"

#define REPORT "test_per_node.cubex"

static hd_analysis_comm *analysis_comm;

/*   0 main ── 1 MPI_Recv        processes 0 and 2 on one node, process 1 on another one [ms] */
static const small_region regions[] = {
    { "main", "main.c", HD_PARADIGM_COMPILER, HD_ROLE_FUNCTION },
    { "MPI_Recv", "MPI", HD_PARADIGM_MPI, HD_ROLE_POINT2POINT },
};
static hd_call_path      nodes[] = { { HD_NONE, 0 }, { 0, 1 } };
static const hd_calltree tree    = { nodes, 2 };

static const hd_severity entries[][3] = {
    { { 0, HD_METRIC_time, 600 }, { 1, HD_METRIC_time, 400 } },
    { { 0, HD_METRIC_time, 200 }, { 1, HD_METRIC_time, 800 }, { 1, HD_METRIC_mpi_latesender, 700 } },
    { { 0, HD_METRIC_time, 900 }, { 1, HD_METRIC_time, 100 }, { 1, HD_METRIC_mpi_latesender, 50 } },
};

/* hd_cube_close() it */
static hd_cube *
report_of(uint32_t n_processes)
{
    hd_defs           *defs = small_defs(regions, 2, n_processes, 1, false);
    hd_report_location locations[3];
    hd_cube           *cube = NULL;

    for (uint32_t i = 0; i < n_processes; i++)
        locations[i] = (hd_report_location){ .location = i, .entries = entries[i], .n = i == 0 ? 2 : 3 };
    unlink(REPORT);
    CHECK_EQ(hd_cube_write(analysis_comm,
                           &(hd_report){ .defs = defs, .tree = &tree, .locations = locations,
                                         .n_locations = n_processes }, REPORT), HD_OK);
    CHECK_EQ(hd_cube_open(REPORT, &cube), HD_OK);
    free(defs);
    return cube;
}

static char *
summary_of(uint32_t n_processes)
{
    hd_cube *cube = report_of(n_processes);
    char    *text = NULL;
    size_t   bytes;
    FILE    *stream = open_memstream(&text, &bytes);

    if (cube != NULL)
        CHECK_EQ(hd_summary_print(cube, stream, &(hd_summary_options){ .width = 80 }), HD_OK);
    fclose(stream);
    hd_cube_close(cube);
    return text;
}

TEST(nodes_have_the_times_of_their_processes)
{
    hd_cube      *cube = report_of(3);
    hd_node_time *times;
    uint32_t      n;

    CHECK_EQ(hd_node_times(cube, &times, &n), HD_OK);
    CHECK_EQ(n, 2);
    CHECK_EQ(times[0].n_processes, 1);
    CHECK_EQ(times[1].n_processes, 2);
    CHECK(times[0].time == 1 && times[0].computation == 0.2 && times[0].mpi == 0.8 && times[0].waiting == 0.7);
    CHECK(times[1].time == 2 && times[1].computation == 1.5 && times[1].mpi == 0.5 && times[1].waiting == 0.05);
    hd_node_times_free(times, n);
    hd_cube_close(cube);
}

TEST(the_summary_has_a_row_for_each_node)
{
    char *text = summary_of(3);

    CHECK(strstr(text, "\nPer node\n"
                       "  Node               processes  computation          MPI      waiting    of time\n") != NULL);
    CHECK(strstr(text, "            1       200 ms       800 ms       700 ms     70.0 %\n") != NULL);
    CHECK(strstr(text, "            2      1.50 s        500 ms      50.0 ms      2.5 %\n") != NULL);
    free(text);
}

TEST(a_run_on_one_node_has_no_such_section)
{
    char         *text = summary_of(1);
    hd_cube      *cube = report_of(1);
    hd_node_time *times;
    uint32_t      n;

    CHECK(strstr(text, "Per node") == NULL);
    CHECK_EQ(hd_node_times(cube, &times, &n), HD_OK);
    CHECK_EQ(n, 0);
    hd_node_times_free(times, n);
    hd_cube_close(cube);
    free(text);
}

int
main(int argc, char **argv)
{
    int failed;

    analysis_comm  = hd_analysis_comm_open(TEST_COMM, &argc, &argv);
    failed = check_run_all(argc > 1 ? argv[1] : NULL);
    hd_analysis_comm_close(analysis_comm);
    return failed;
}
