/* tests/report/build/test_cube_writer.c: what is written can be read back, with any number of ranks.
 *
 *   0 main ─┬─ 1 a ─┬─ 3 MPI_Recv      numbers of call paths; their rows in the file: 0, 1, 3, 5, 2, 4
 *           │       └─ 5 x
 *           └─ 2 b ─── 4 x
 *
 * Columns are on rank (column * 2 + 1) mod n_ranks.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "test_comm.h"
#include "cube_reader.h"
#include "dump.h"
#include "memory.h"
#include "report.h"
#include "small_defs.h"
#include "summary.h"

static hd_analysis_comm *analysis_comm;

enum { MAIN, A, B, X, RECV, N_REGIONS };
static const small_region regions[N_REGIONS] = {
    [MAIN] = { "main", "ma\"in.c", HD_PARADIGM_COMPILER, HD_ROLE_FUNCTION },
    [A]    = { "a<int&>\x01\xff", "main.c", HD_PARADIGM_COMPILER, HD_ROLE_FUNCTION },
    [B]    = { "b\033[2J\tä", "main.c", HD_PARADIGM_COMPILER, HD_ROLE_FUNCTION },
    [X]    = { "x", "main.c", HD_PARADIGM_COMPILER, HD_ROLE_FUNCTION },
    [RECV] = { "MPI_Recv", "MPI", HD_PARADIGM_MPI, HD_ROLE_POINT2POINT },
};
static hd_call_path      nodes[] = { { HD_NONE, MAIN }, { 0, A }, { 0, B }, { 1, RECV }, { 2, X }, { 1, X } };
static const uint32_t    path_of_row[] = { 0, 1, 3, 5, 2, 4 };
static const hd_calltree tree = { nodes, 6 };

static int64_t
time_of(uint32_t column, uint32_t call_path)
{
    return (column + call_path) % 3 == 1 ? 0 : (int64_t)column * 100 + call_path * 7 + 1;
}

/* Costs are not dyadic, and at call path 4 there is nothing else for some columns. */
static double
cost_of(uint32_t column, uint32_t call_path)
{
    return column % 3 == 2 && call_path % 2 == 0 ? (column + call_path + 1) / 7.0 : 0;
}

static const char *
file_name(void)
{
    return hd_analysis_comm_size(analysis_comm) == 1 ? "test_cube_writer.cubex" : "test_cube_writer_ranks.cubex";
}

static const uint32_t *nodes_of_report;

static hd_status
write_report(const hd_defs *defs, const hd_findings *findings, const char *path)
{
    const hd_attribute  attributes[] = { { "Heddle::time", "1 s <fast>" } };
    hd_report_location *locations    = HD_NEW_ARRAY(hd_report_location, defs->n_locations);
    uint32_t            n_locations  = 0;
    hd_status           status;

    for (uint32_t column = 0; column < defs->n_locations; column++) {
        hd_severities severities;
        hd_costs      costs;

        if ((column * 2 + 1) % hd_analysis_comm_size(analysis_comm) != hd_analysis_comm_rank(analysis_comm).v)
            continue;
        hd_severities_init(&severities);
        for (uint32_t i = 0; i < tree.n; i++)
            hd_severity_add(&severities, HD_METRIC_time, i, time_of(column, i));
        hd_severity_add(&severities, HD_METRIC_visits, 0, 1);
        if (column % 2 == 1)
            hd_severity_add(&severities, HD_METRIC_mpi_latesender, 3, time_of(column, 3) / 2);
        locations[n_locations].location = column;
        locations[n_locations].entries  = hd_severities_take(&severities, NULL, &locations[n_locations].n);
        hd_costs_init(&costs);
        for (uint32_t i = 0; i < tree.n; i++)
            hd_cost_add(&costs, HD_METRIC_delay_latesender, i, cost_of(column, i));
        locations[n_locations].costs = hd_costs_take(&costs, NULL, &locations[n_locations].n_costs);
        n_locations++;
    }
    status = hd_cube_write(analysis_comm,
                           &(hd_report){ .defs         = defs,
                                         .tree         = &tree,
                                         .locations    = locations,
                                         .n_locations  = n_locations,
                                         .attributes   = attributes,
                                         .n_attributes = 1,
                                         .nodes        = nodes_of_report,
                                         .findings     = findings },
                           path);
    for (uint32_t i = 0; i < n_locations; i++) {
        free((void *)(uintptr_t)locations[i].entries);
        free((void *)(uintptr_t)locations[i].costs);
    }
    free(locations);
    return status;
}

static void
remove_file(const char *path)
{
    if (hd_analysis_comm_rank(analysis_comm).v == 0)
        unlink(path);
    hd_analysis_comm_barrier(analysis_comm);
}

static void
check_values(hd_cube *cube, const char *metric, double (*expected)(uint32_t column, uint32_t call_path))
{
    double  *values = HD_NEW_ARRAY(double, cube->n_locations);
    uint32_t number = hd_cube_metric_by_id(cube, metric);
    bool     any;

    CHECK(number != HD_NONE);
    for (uint32_t row = 0; row < cube->n_paths && number != HD_NONE; row++) {
        CHECK_EQ(hd_cube_row(cube, number, row, values, &any), HD_OK);
        CHECK_EQ(cube->paths[row].number, row);
        for (uint32_t column = 0; column < cube->n_locations; column++)
            CHECK(values[column] == expected(column, path_of_row[row]) / 1000);
    }
    CHECK(number != HD_NONE);
    free(values);
}

static double
ticks_of(uint32_t column, uint32_t call_path)
{
    return (double)time_of(column, call_path);
}

static double
comp_of(uint32_t column, uint32_t call_path)
{
    return call_path == 3 ? 0 : ticks_of(column, call_path);
}

static double
mpi_of(uint32_t column, uint32_t call_path)
{
    return call_path == 3 ? ticks_of(column, call_path) : 0;
}

static double
late_sender_of(uint32_t column, uint32_t call_path)
{
    return call_path == 3 && column % 2 == 1 ? (double)(time_of(column, 3) / 2) : 0;
}

static double
nothing(uint32_t column, uint32_t call_path)
{
    (void)column, (void)call_path;
    return 0;
}

static void
check_report(uint32_t n_processes, uint32_t n_threads)
{
    hd_defs *defs = small_defs(regions, N_REGIONS, n_processes, n_threads, n_threads > 1);
    hd_cube *cube = NULL;

    remove_file(file_name());
    CHECK_EQ(write_report(defs, NULL, file_name()), HD_OK);
    if (hd_analysis_comm_rank(analysis_comm).v == 0) {
        CHECK_EQ(hd_cube_open(file_name(), &cube), HD_OK);
        if (cube != NULL) {
            CHECK_EQ(cube->n_locations, n_processes * n_threads);
            CHECK_EQ(cube->n_groups, n_processes);
            CHECK_EQ(cube->n_paths, 6);
            check_values(cube, "time", ticks_of);
            check_values(cube, "execution", ticks_of);
            check_values(cube, "comp", comp_of);
            check_values(cube, "mpi_point2point", mpi_of);
            check_values(cube, "mpi_latesender", late_sender_of);
            check_values(cube, "mpi_latereceiver", nothing);
            check_values(cube, "delay_latesender", cost_of);
            check_values(cube, "delay", cost_of);
            CHECK(hd_cube_metric_by_id(cube, "omp_time") == HD_NONE);
            CHECK(hd_cube_metric_by_id(cube, "bytes_received") == HD_NONE);
        }
        hd_cube_close(cube);
    }
    hd_analysis_comm_barrier(analysis_comm);
    free(defs);
}

TEST(values_come_back_as_they_were_written)
{
    check_report(4, 1);
    check_report(3, 2);
    check_report(1, 1);
}

TEST(many_columns_come_back)
{
    check_report(9001, 1);
}

TEST(a_report_that_is_there_is_left_alone)
{
    hd_defs *defs = small_defs(regions, N_REGIONS, 2, 1, false);

    remove_file(file_name());
    CHECK_EQ(write_report(defs, NULL, file_name()), HD_OK);
    CHECK_EQ(write_report(defs, NULL, file_name()), HD_EEXIST);
    CHECK_EQ(write_report(defs, NULL, "no/such/folder/a.cubex"), HD_EOPEN);
    free(defs);
}

/* A limit on the size of files stands for a full disk. */
TEST(what_cannot_be_written_is_an_error_on_all_ranks)
{
    hd_defs      *defs = small_defs(regions, N_REGIONS, 4, 1, false);
    struct rlimit before, small = { 4096, 4096 };

    remove_file(file_name());
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    small.rlim_max = before.rlim_max;
    setrlimit(RLIMIT_FSIZE, &small);
    CHECK_EQ(write_report(defs, NULL, file_name()), HD_EWRITE);
    setrlimit(RLIMIT_FSIZE, &before);
    free(defs);
}

/* Sizes that fill their last block are what readers disagree about; no checksum may be wrong. */
TEST(headers_are_as_tar_has_them)
{
    hd_defs      *defs = small_defs(regions, N_REGIONS, 4, 1, false);
    unsigned char block[512];
    int           fd, n_members = 0;
    off_t         at = 0;

    remove_file(file_name());
    CHECK_EQ(write_report(defs, NULL, file_name()), HD_OK);
    if (hd_analysis_comm_rank(analysis_comm).v == 0) {
        fd = open(file_name(), O_RDONLY);
        while (pread(fd, block, 512, at) == 512 && block[0] != 0) {
            unsigned      sum = 0, expected = (unsigned)strtoul((char *)block + 148, NULL, 8);
            unsigned long size = strtoul((char *)block + 124, NULL, 8);

            memset(block + 148, ' ', 8);
            for (int i = 0; i < 512; i++)
                sum += block[i];
            CHECK_EQ(sum, expected);
            CHECK(memcmp(block + 257, "ustar\00000", 8) == 0);
            CHECK(size % 512 != 0 && size > 0);
            at += 512 + (off_t)(size / 512 + 1) * 512;
            n_members++;
        }
        CHECK(strcmp((char *)block, "") == 0);
        CHECK(n_members > 10);
        CHECK(lseek(fd, 0, SEEK_END) == at + 1024);
        close(fd);
    }
    hd_analysis_comm_barrier(analysis_comm);
    free(defs);
}

TEST(findings_travel_in_the_report_and_reach_the_summary)
{
    hd_defs    *defs     = small_defs(regions, N_REGIONS, 4, 1, false);
    hd_findings findings = { 0 };
    hd_cube    *cube     = NULL;
    char       *text     = NULL;
    size_t      bytes;
    FILE       *stream;

    hd_findings_add(&findings, (hd_finding){ .kind = HD_FINDING_UNMATCHED_RECEIVE, .process = 1, .call_path = 3,
                                             .peer = 2, .communicator = 0, .tag = 7, .time = 1500, .count = 4 });
    hd_findings_sort(&findings);
    remove_file(file_name());
    CHECK_EQ(write_report(defs, &findings, file_name()), HD_OK);
    if (hd_analysis_comm_rank(analysis_comm).v == 0 && hd_cube_open(file_name(), &cube) == HD_OK) {
        CHECK_EQ(hd_cube_misc(cube, "heddle.findings.tsv", 1 << 20, &text, &bytes), HD_OK);
        CHECK(text != NULL &&
              strstr(text, "\nunmatched-receive\t4\t1\t0\tmain;a<int&>\\x01\\xff;MPI_Recv\t2\tMPI_COMM\\x09WORLD\t7\t"
                           "1.000000000\t\n") != NULL);
        free(text);
        stream = open_memstream(&text, &bytes);
        CHECK_EQ(hd_summary_print(cube, stream, &(hd_summary_options){ .width = 100 }), HD_OK);
        CHECK_EQ(hd_dump(cube, NULL, stream), HD_OK);
        fclose(stream);
        CHECK(strstr(text, "4 receives have no matching send") != NULL);
        CHECK(strstr(text, "Late Sender (MPI)") != NULL);
        CHECK(strstr(text, "time: 1 s <fast>") != NULL);
        CHECK(strstr(text, "\nmpi_latesender\tmain;a<int&>??;MPI_Recv\t3\t0\t") != NULL);
        CHECK(strchr(text, '\033') == NULL);
        free(text);
        hd_cube_close(cube);
    }
    hd_analysis_comm_barrier(analysis_comm);
    hd_findings_fini(&findings);
    free(defs);
}

TEST(costs_survive_a_dump_to_the_last_digit)
{
    hd_defs *defs = small_defs(regions, N_REGIONS, 4, 1, false);
    hd_cube *cube = NULL;
    char    *text = NULL;
    size_t   bytes;
    FILE    *stream;

    remove_file(file_name());
    CHECK_EQ(write_report(defs, NULL, file_name()), HD_OK);
    if (hd_analysis_comm_rank(analysis_comm).v == 0 && hd_cube_open(file_name(), &cube) == HD_OK) {
        const char *const head = "\ndelay_latesender\tmain\t2\t0\t";
        const char       *line;

        stream = open_memstream(&text, &bytes);
        CHECK_EQ(hd_dump(cube, NULL, stream), HD_OK);
        fclose(stream);
        line = strstr(text, head);
        CHECK(line != NULL && strtod(line + strlen(head), NULL) == cost_of(2, 0) / 1000);
        CHECK(strstr(text, "\nvisits\tmain\t2\t0\t1\n") != NULL);
        free(text);
        hd_cube_close(cube);
    }
    hd_analysis_comm_barrier(analysis_comm);
    free(defs);
}

/* The whole file, a 0 behind it; free() it. Rank 0 only. */
static char *
read_file(size_t *bytes)
{
    FILE       *file = fopen(file_name(), "r");
    struct stat info;
    char       *content;

    *bytes = file != NULL && fstat(fileno(file), &info) == 0 ? (size_t)info.st_size : 0;
    content = HD_NEW_ARRAY(char, *bytes + 1);
    if (file != NULL) {
        CHECK_EQ(fread(content, 1, *bytes, file), *bytes);
        fclose(file);
    }
    return content;
}

/* How often a text stands in the anchor, which is the last member. */
static int
count_in_anchor(const char *text)
{
    size_t      bytes, length = strlen(text);
    char       *content = read_file(&bytes);
    const char *at      = content;
    int         n       = 0;

    for (; at + length <= content + bytes; at++)
        n += memcmp(at, text, length) == 0;
    free(content);
    return n;
}

static void
check_process_grids(uint32_t n_topologies, bool has_accelerator, int n_grids, int n_threads_in_second_row)
{
    hd_defs *defs = small_defs(regions, N_REGIONS, 3, 2, has_accelerator);

    defs->n_topologies = n_topologies;
    remove_file(file_name());
    CHECK_EQ(write_report(defs, NULL, file_name()), HD_OK);
    if (hd_analysis_comm_rank(analysis_comm).v == 0) {
        CHECK_EQ(count_in_anchor("<cart name=\"Process x Thread\" ndims=\"2\">"), n_grids);
        CHECK_EQ(count_in_anchor("<cart name=\"sweep grid\" ndims=\"2\">"), n_topologies > 0);
        CHECK_EQ(count_in_anchor(">1 0</coord>"), n_threads_in_second_row > 0);
        CHECK_EQ(count_in_anchor(">1 1</coord>"), n_threads_in_second_row > 1);
        CHECK_EQ(count_in_anchor("<dim name=\"Thread\" size=\"2\" periodic=\"false\"/>"), n_threads_in_second_row == 2);
    }
    hd_analysis_comm_barrier(analysis_comm);
    free(defs);
}

TEST(a_grid_of_processes_and_threads_is_added_where_there_is_none)
{
    check_process_grids(0, false, 1, 2);
    check_process_grids(1, false, 1, 2);
}

TEST(the_grid_of_the_archive_is_not_added_again)
{
    check_process_grids(2, false, 1, 0);
}

TEST(the_grid_has_threads_only)
{
    check_process_grids(0, true, 1, 1);
}

/* No CPU thread, and a dimension that the archive does not define. */
TEST(topologies_without_places_are_left_out_and_the_report_can_be_read)
{
    hd_defs      *defs       = small_defs(regions, N_REGIONS, 3, 1, true);
    hd_dimension *dimensions = (hd_dimension *)(void *)((char *)defs + defs->dimensions);
    hd_cube      *cube       = NULL;

    defs->n_topologies = 1;
    dimensions[0].size = 0;
    remove_file(file_name());
    CHECK_EQ(write_report(defs, NULL, file_name()), HD_OK);
    if (hd_analysis_comm_rank(analysis_comm).v == 0) {
        CHECK_EQ(count_in_anchor("<cart "), 0);
        CHECK_EQ(hd_cube_open(file_name(), &cube), HD_OK);
        hd_cube_close(cube);
    }
    hd_analysis_comm_barrier(analysis_comm);
    free(defs);
}

/* Processes stand at nodes 1 and 2 of the class "node". Returns how many nodes are marked. */
static uint32_t
write_nodes(const uint32_t *nodes, uint32_t *of_first, uint32_t *of_second)
{
    hd_defs *defs     = small_defs(regions, N_REGIONS, 4, 1, false);
    hd_cube *cube     = NULL;
    uint32_t n_marked = 0;

    nodes_of_report = nodes;
    remove_file(file_name());
    CHECK_EQ(write_report(defs, NULL, file_name()), HD_OK);
    nodes_of_report = NULL;
    if (hd_analysis_comm_rank(analysis_comm).v == 0) {
        n_marked = count_in_anchor("<attr key=\"Heddle::Node\" value=\"yes\"/>");
        CHECK_EQ(hd_cube_open(file_name(), &cube), HD_OK);
        *of_first  = cube->locations[0].node;
        *of_second = cube->locations[1].node;
        hd_cube_close(cube);
    }
    hd_analysis_comm_barrier(analysis_comm);
    free(defs);
    return n_marked;
}

TEST(nodes_are_marked_where_classes_say_something_else)
{
    uint32_t x = 1, y = 2, n;

    n = write_nodes((const uint32_t[]){ 1, 2, 1, 2 }, &x, &y);
    CHECK_EQ(n, 0);
    CHECK(x != y);
    n = write_nodes((const uint32_t[]){ 0, 0, 0, HD_NONE }, &x, &y);
    if (hd_analysis_comm_rank(analysis_comm).v == 0) {
        CHECK_EQ(n, 1);
        CHECK_EQ(x, 0);
        CHECK_EQ(y, 0);
    }
}

TEST(the_same_report_twice_is_the_same_file)
{
    hd_defs    *defs = small_defs(regions, N_REGIONS, 4, 1, false);
    char       *content[2] = { NULL, NULL };
    size_t      bytes[2]   = { 0 };

    for (int i = 0; i < 2; i++) {
        remove_file(file_name());
        CHECK_EQ(write_report(defs, NULL, file_name()), HD_OK);
        if (hd_analysis_comm_rank(analysis_comm).v == 0)
            content[i] = read_file(&bytes[i]);
        hd_analysis_comm_barrier(analysis_comm);
    }
    if (hd_analysis_comm_rank(analysis_comm).v == 0) {
        REQUIRE(content[0] != NULL && content[1] != NULL && bytes[0] > 0);
        REQUIRE(bytes[0] == bytes[1]);
        CHECK(memcmp(content[0], content[1], bytes[0]) == 0);
    }
    free(content[0]);
    free(content[1]);
    free(defs);
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
