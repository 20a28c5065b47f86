/* tests/report/build/test_imbalance.c: distances from the average of all locations, with any number of ranks.
 *
 *   0 main ─┬─ 1 foo            numbers of call paths = numbers of regions
 *           ├─ 2 baz
 *           ├─ 3 MPI_Recv
 *           └─ 4 !$omp parallel @a.c:1 ─── 5 work
 *
 * Columns are on rank (column * 2 + 1) mod n_ranks.
 */
#include <math.h>
#include <unistd.h>

#include "check.h"
#include "test_comm.h"
#include "cube_reader.h"
#include "memory.h"
#include "report.h"
#include "small_defs.h"

static hd_analysis_comm *analysis_comm;

enum { MAIN, FOO, BAZ, RECV, PARALLEL, WORK, N_REGIONS };
static const small_region regions[N_REGIONS] = {
    [MAIN]     = { "main", "a.c", HD_PARADIGM_COMPILER, HD_ROLE_FUNCTION },
    [FOO]      = { "foo", "a.c", HD_PARADIGM_COMPILER, HD_ROLE_FUNCTION },
    [BAZ]      = { "baz", "a.c", HD_PARADIGM_COMPILER, HD_ROLE_FUNCTION },
    [RECV]     = { "MPI_Recv", "MPI", HD_PARADIGM_MPI, HD_ROLE_POINT2POINT },
    [PARALLEL] = { "!$omp parallel @a.c:1", "OMP", HD_PARADIGM_OPENMP, HD_ROLE_PARALLEL },
    [WORK]     = { "work", "a.c", HD_PARADIGM_COMPILER, HD_ROLE_FUNCTION },
};
static hd_call_path nodes[N_REGIONS] =
    { { HD_NONE, MAIN }, { 0, FOO }, { 0, BAZ }, { 0, RECV }, { 0, PARALLEL }, { 4, WORK } };

typedef struct collected_value {
    uint32_t  location, call_path;
    hd_metric metric;
    int64_t   ticks;
} collected_value;

typedef struct expectation {
    const char *metric;
    uint32_t    location, call_path;
    double      ticks;
} expectation;

/* One visit where there is time. */
static void
write_report(const char *path, const hd_defs *defs, uint32_t n_paths, const collected_value *values, size_t n_values)
{
    const hd_calltree   tree        = { nodes, n_paths };
    hd_report_location *locations   = HD_NEW_ARRAY(hd_report_location, defs->n_locations);
    uint32_t            n_locations = 0;

    for (uint32_t column = 0; column < defs->n_locations; column++) {
        hd_severities severities;
        hd_costs      costs;

        if ((column * 2 + 1) % hd_analysis_comm_size(analysis_comm) != hd_analysis_comm_rank(analysis_comm).v)
            continue;
        hd_severities_init(&severities);
        hd_costs_init(&costs);
        for (size_t i = 0; i < n_values; i++) {
            if (values[i].location != column)
                continue;
            if (values[i].metric == HD_METRIC_critical_path)
                hd_cost_add(&costs, values[i].metric, values[i].call_path, (double)values[i].ticks);
            else
                hd_severity_add(&severities, values[i].metric, values[i].call_path, values[i].ticks);
            if (values[i].metric == HD_METRIC_time)
                hd_severity_add(&severities, HD_METRIC_visits, values[i].call_path, 1);
        }
        locations[n_locations].location = column;
        locations[n_locations].entries  = hd_severities_take(&severities, NULL, &locations[n_locations].n);
        locations[n_locations].costs    = hd_costs_take(&costs, NULL, &locations[n_locations].n_costs);
        n_locations++;
    }
    CHECK_EQ(hd_cube_write(analysis_comm,
                 &(hd_report){ .defs = defs, .tree = &tree, .locations = locations, .n_locations = n_locations }, path),
             HD_OK);
    for (uint32_t i = 0; i < n_locations; i++) {
        free((void *)(uintptr_t)locations[i].entries);
        free((void *)(uintptr_t)locations[i].costs);
    }
    free(locations);
}

static double
expected_of(const expectation *expected, size_t n, const char *metric, uint32_t location, uint32_t call_path)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(expected[i].metric, metric) == 0 && expected[i].location == location &&
            expected[i].call_path == call_path)
            return expected[i].ticks;
    return 0;
}

/* In all metrics of imbalance but its root, which is checked as the sum of both sides, nothing but the expected. */
static void
check_cube(hd_cube *cube, const expectation *expected, size_t n)
{
    static const char *const ids[] = { "imbalance_above", "imbalance_above_single", "imbalance_below",
                                       "imbalance_below_bypass",
                                       "imbalance_below_singularity", "critical_path_imbalance" };
    double *values = HD_NEW_ARRAY(double, cube->n_locations);
    bool    any;

    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        uint32_t metric = hd_cube_metric_by_id(cube, ids[i]);

        for (uint32_t path = 0; metric != HD_NONE && path < cube->n_paths; path++) {
            CHECK_EQ(hd_cube_row(cube, metric, path, values, &any), HD_OK);
            for (uint32_t column = 0; column < cube->n_locations; column++)
                CHECK(fabs(values[column] * 1000 - expected_of(expected, n, ids[i], column, path)) < 1e-9);
        }
    }
    for (uint32_t path = 0; path < cube->n_paths; path++) {
        CHECK_EQ(hd_cube_row(cube, hd_cube_metric_by_id(cube, "imbalance"), path, values, &any), HD_OK);
        for (uint32_t column = 0; column < cube->n_locations; column++)
            CHECK(fabs(values[column] * 1000 - expected_of(expected, n, "imbalance_above", column, path) -
                       expected_of(expected, n, "imbalance_below", column, path)) < 1e-9);
    }
    free(values);
}

/* The call tree has its first n_paths call paths only; these have the same order in the report. */
static void
check_imbalance(const hd_defs *defs, uint32_t n_paths, const collected_value *values, size_t n_values,
                const expectation *expected, size_t n_expected)
{
    const char *path = hd_analysis_comm_size(analysis_comm) == 1 ? "test_imbalance.cubex" :
                       "test_imbalance_ranks.cubex";
    hd_cube    *cube = NULL;

    if (hd_analysis_comm_rank(analysis_comm).v == 0)
        unlink(path);
    hd_analysis_comm_barrier(analysis_comm);
    write_report(path, defs, n_paths, values, n_values);
    if (hd_analysis_comm_rank(analysis_comm).v == 0) {
        CHECK_EQ(hd_cube_open(path, &cube), HD_OK);
        if (cube != NULL)
            check_cube(cube, expected, n_expected);
        hd_cube_close(cube);
    }
    hd_analysis_comm_barrier(analysis_comm);
}
#define VALUES(...) (const collected_value[]){ __VA_ARGS__ },                                                          \
    sizeof((collected_value[]){ __VA_ARGS__ }) / sizeof(collected_value)
#define EXPECTED(...) (const expectation[]){ __VA_ARGS__ }, sizeof((expectation[]){ __VA_ARGS__ }) / sizeof(expectation)
#define T HD_METRIC_time

TEST(locations_are_compared_with_their_average)
{
    hd_defs *defs = small_defs(regions, N_REGIONS, 3, 1, false);

    check_imbalance(defs, BAZ + 1,
                    VALUES({ 0, FOO, T, 100 }, { 1, FOO, T, 40 }, { 2, FOO, T, 30 }, { 2, BAZ, T, 20 }),
        EXPECTED({ "imbalance_above", 0, FOO, 100 - 170 / 3.0 }, { "imbalance_below", 1, FOO, 170 / 3.0 - 40 },
                 { "imbalance_below", 2, FOO, 170 / 3.0 - 30 }, { "imbalance_above", 2, BAZ, 40 / 3.0 },
                 { "imbalance_above_single", 2, BAZ, 40 / 3.0 }, { "imbalance_below", 0, BAZ, 20 / 3.0 },
                 { "imbalance_below", 1, BAZ, 20 / 3.0 }, { "imbalance_below_bypass", 0, BAZ, 20 / 3.0 },
                 { "imbalance_below_bypass", 1, BAZ, 20 / 3.0 }, { "imbalance_below_singularity", 0, BAZ, 20 / 3.0 },
                 { "imbalance_below_singularity", 1, BAZ, 20 / 3.0 }));
    free(defs);
}

TEST(even_work_and_waiting_are_no_imbalance)
{
    hd_defs *defs = small_defs(regions, N_REGIONS, 3, 1, false);

    check_imbalance(defs, RECV + 1,
                    VALUES({ 0, FOO, T, 7 }, { 1, FOO, T, 7 }, { 2, FOO, T, 7 }, { 0, RECV, T, 5 }, { 2, RECV, T, 50 }),
                    EXPECTED({ "imbalance", 0, 0, 0 }));
    free(defs);
}

/* Two of three visit it: nobody is alone. */
TEST(non_participation_of_one)
{
    hd_defs *defs = small_defs(regions, N_REGIONS, 3, 1, false);

    check_imbalance(defs, FOO + 1, VALUES({ 0, FOO, T, 30 }, { 1, FOO, T, 60 }),
                    EXPECTED({ "imbalance_above", 1, FOO, 30 }, { "imbalance_below", 2, FOO, 30 },
                             { "imbalance_below_bypass", 2, FOO, 30 }));
    free(defs);
}

/* Outside of parallel regions there are two that work, inside four. */
TEST(threads_take_part_in_parallel_regions_only)
{
    hd_defs *defs = small_defs(regions, N_REGIONS, 2, 2, false);

    check_imbalance(defs, WORK + 1,
        VALUES({ 0, MAIN, T, 10 }, { 2, MAIN, T, 30 }, { 0, FOO, T, 8 }, { 0, WORK, T, 20 }, { 1, WORK, T, 60 }),
                    EXPECTED({ "imbalance_below", 0, MAIN, 10 }, { "imbalance_above", 2, MAIN, 10 },
                             { "imbalance_above", 0, FOO, 4 }, { "imbalance_below", 2, FOO, 4 },
                             { "imbalance_above", 1, WORK, 40 }, { "imbalance_below", 2, WORK, 20 },
                             { "imbalance_below", 3, WORK, 20 },
                             { "imbalance_below_bypass", 2, WORK, 20 }, { "imbalance_below_bypass", 3, WORK, 20 }));
    free(defs);
}

TEST(streams_of_metrics_are_not_counted)
{
    hd_defs         *defs      = small_defs(regions, N_REGIONS, 2, 2, false);
    hd_location_def *locations = (hd_location_def *)(uintptr_t)hd_defs_locations(defs);

    locations[1].type = locations[3].type = HD_LOCATION_METRIC;
    check_imbalance(defs, WORK + 1, VALUES({ 0, WORK, T, 20 }, { 2, WORK, T, 60 }),
                    EXPECTED({ "imbalance_below", 0, WORK, 20 }, { "imbalance_above", 2, WORK, 20 }));
    free(defs);
}

TEST(idle_threads_do_not_compute)
{
    hd_defs *defs = small_defs(regions, N_REGIONS, 1, 2, false);

    check_imbalance(defs, WORK + 1,
        VALUES({ 0, FOO, T, 20 }, { 1, FOO, T, 20 }, { 1, FOO, HD_METRIC_omp_idle_threads, 20 }, { 0, WORK, T, 20 },
               { 1, WORK, T, 20 }, { 1, WORK, HD_METRIC_omp_idle_threads, 4 }),
                    EXPECTED({ "imbalance_above", 0, WORK, 2 }, { "imbalance_below", 1, WORK, 2 }));
    free(defs);
}

TEST(one_location_has_nobody_to_be_compared_with)
{
    hd_defs    *defs = small_defs(regions, N_REGIONS, 1, 1, false);
    const char *path = hd_analysis_comm_size(analysis_comm) == 1 ? "test_imbalance.cubex" :
                       "test_imbalance_ranks.cubex";
    hd_cube    *cube = NULL;

    if (hd_analysis_comm_rank(analysis_comm).v == 0)
        unlink(path);
    hd_analysis_comm_barrier(analysis_comm);
    write_report(path, defs, FOO + 1, VALUES({ 0, FOO, T, 100 }));
    if (hd_analysis_comm_rank(analysis_comm).v == 0 && hd_cube_open(path, &cube) == HD_OK) {
        CHECK(hd_cube_metric_by_id(cube, "imbalance") == HD_NONE);
        hd_cube_close(cube);
    }
    hd_analysis_comm_barrier(analysis_comm);
    free(defs);
}

/*   process 0   [foo···············]send
 *   process 1   [foo··][recv·······]send              the critical path: foo on 0, the end of recv and baz on 2
 *   process 2   [foo·][recv···········][baz·]
 */
TEST(the_critical_path_is_compared_with_the_work_of_all)
{
    hd_defs *defs = small_defs(regions, N_REGIONS, 3, 1, false);

    check_imbalance(defs, RECV + 1,
        VALUES({ 0, FOO, T, 100 }, { 1, FOO, T, 40 }, { 2, FOO, T, 30 }, { 2, BAZ, T, 20 }, { 1, RECV, T, 60 },
               { 1, RECV, HD_METRIC_mpi_latesender, 60 }, { 2, RECV, T, 72 }, { 2, RECV, HD_METRIC_mpi_latesender, 70 },
               { 0, FOO, HD_METRIC_critical_path, 100 }, { 2, RECV, HD_METRIC_critical_path, 2 },
               { 2, BAZ, HD_METRIC_critical_path, 20 }),
        EXPECTED({ "critical_path_imbalance", 0, FOO, 130 / 3.0 }, { "critical_path_imbalance", 2, BAZ, 40 / 3.0 },
                 { "critical_path_imbalance", 2, RECV, 4 / 3.0 },
                 { "imbalance_above", 0, FOO, 100 - 170 / 3.0 }, { "imbalance_below", 1, FOO, 170 / 3.0 - 40 },
                 { "imbalance_below", 2, FOO, 170 / 3.0 - 30 }, { "imbalance_above", 2, BAZ, 40 / 3.0 },
                 { "imbalance_above_single", 2, BAZ, 40 / 3.0 }, { "imbalance_below", 0, BAZ, 20 / 3.0 },
                 { "imbalance_below", 1, BAZ, 20 / 3.0 }, { "imbalance_below_bypass", 0, BAZ, 20 / 3.0 },
                 { "imbalance_below_bypass", 1, BAZ, 20 / 3.0 }, { "imbalance_below_singularity", 0, BAZ, 20 / 3.0 },
                 { "imbalance_below_singularity", 1, BAZ, 20 / 3.0 }));
    free(defs);
}

/* What main calls is in its sums: 10 + 80 + 10 on the path, (20 + 160 + 10 + 2) / 2 of work per process; 10 of the 100
 * are in main itself. */
TEST(the_critical_path_of_a_call_path_contains_what_it_calls)
{
    hd_defs *defs = small_defs(regions, N_REGIONS, 2, 1, false);

    check_imbalance(defs, RECV + 1,
        VALUES({ 0, MAIN, T, 10 }, { 1, MAIN, T, 10 }, { 0, FOO, T, 80 }, { 1, FOO, T, 80 }, { 0, RECV, T, 60 },
               { 0, RECV, HD_METRIC_mpi_latesender, 50 }, { 1, RECV, T, 20 }, { 1, RECV, HD_METRIC_mpi_latesender, 18 },
               { 0, MAIN, HD_METRIC_critical_path, 10 }, { 0, FOO, HD_METRIC_critical_path, 80 },
               { 1, RECV, HD_METRIC_critical_path, 10 }),
                    EXPECTED({ "critical_path_imbalance", 0, MAIN, 0.4 }, { "critical_path_imbalance", 1, RECV, 4 }));
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
