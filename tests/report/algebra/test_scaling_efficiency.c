/* tests/report/algebra/test_scaling_efficiency.c: POP's table of several runs, worked out by hand. Times in ms.
 *
 *   threads                       2     4     8
 *   runtime                      100    60    40
 *   useful                       160   200   160
 *   useful of the busiest         90    54    32
 *   if data took no time          95    57    36
 *   instructions [10^6]          320   400   400     in computation; 10 more of each thread in MPI
 *   cycles [10^6]                160   250   160
 */
#include "scaling_efficiency.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "memory.h"
#include "scaling_page.h"
#include "small_cube.h"

static const small_metric metrics[] = { { "time", "sec", HD_NONE, SMALL_REAL }, { "comp", "sec", 0, SMALL_REAL },
                                        { "counters", "#", HD_NONE, SMALL_REAL },
                                        { "c_PAPI_TOT_INS", "#", 2, SMALL_INTEGER },
                                        { "c_PAPI_TOT_CYC", "#", 2, SMALL_INTEGER } };
static const small_path   paths[]   = { { "main", HD_NONE }, { "MPI_Recv", 0 } };

typedef struct run {
    uint32_t threads;
    int      runtime, useful, most, ideal;      /* [ms] */
    int      instructions, cycles;              /* [10^6] */
} run;

static const run runs[] = { { 2, 100, 160, 90, 95, 320, 160 }, { 4, 60, 200, 54, 57, 400, 250 },
                            { 8, 40, 160, 32, 36, 400, 160 } };

static const run *
run_of(uint32_t n_threads)
{
    return n_threads == 2 ? &runs[0] : n_threads == 4 ? &runs[1] : &runs[2];
}

/* main computes, MPI_Recv has neither computation nor useful counts. */
static hd_cube_cell
value(const small_cube *cube, uint32_t metric, uint32_t path, uint32_t location)
{
    const run *r    = run_of(cube->n_processes);
    int64_t    n    = cube->n_processes, rest = r->runtime * n - r->useful;

    (void)location;
    switch (metric) {
    case 0: return (hd_cube_cell){ .real = (double)(path == 0 ? r->useful : rest) / 1e3 / (double)n };
    case 1: return (hd_cube_cell){ .real = path == 0 ? (double)r->useful / 1e3 / (double)n : 0 };
    case 3: return (hd_cube_cell){ .integer = path == 0 ? r->instructions * INT64_C(1000000) / n : 10 };
    case 4: return (hd_cube_cell){ .integer = path == 0 ? r->cycles * INT64_C(1000000) / n : 10 };
    default: return (hd_cube_cell){ .real = 0 };
    }
}

/* Two lines: the whole run, twice as long, and the main window. n_threads: of each process */
static char *
efficiencies_of(const run *r, uint32_t n_threads)
{
    char *text = hd_strdup("slice\tkind\tfrom\tto\tideal\tresolution"), *longer;

#define APPEND(...) \
    do { \
        char *more = hd_format(__VA_ARGS__); \
        longer = hd_format("%s%s", text, more); \
        free(more); \
        free(text); \
        text = longer; \
    } while (0)
    for (int s = 0; s < HD_N_EFFICIENCY_SUMS; s++)
        APPEND("\t%s", hd_efficiency_ids[s]);
    for (int slice = 0; slice < 2; slice++) {
        APPEND("\n%d\t%s\t%d\t%d\t%d\t1000", slice, slice == 0 ? "whole" : "main", slice == 0 ? 0 : r->runtime / 2,
               slice == 0 ? 2 * r->runtime : r->runtime / 2 + r->runtime, r->ideal);
        for (int s = 0; s < HD_N_EFFICIENCY_SUMS; s++)
            APPEND("\t%u", s == HD_EFFICIENCY_processes ? r->threads / n_threads :
                   s == HD_EFFICIENCY_threads ? r->threads :
                   s == HD_EFFICIENCY_max_outside ? (unsigned)r->most + 2 :
                   s == HD_EFFICIENCY_useful ? (unsigned)r->useful :
                   s == HD_EFFICIENCY_max_useful ? (unsigned)r->most : 0);
    }
    APPEND("\n");
#undef APPEND
    return text;
}

static void
open_runs_of(hd_cube **cubes, uint32_t n, uint32_t n_threads, uint32_t without,
             uint32_t n_metrics)
{
    for (uint32_t i = 0; i < n; i++) {
        char      *text  = efficiencies_of(&runs[i], n_threads);
        char      *file  = hd_format("scaling_efficiency_%" PRIu32 ".cubex", i);
        small_cube small = { metrics, paths, n_metrics, 2, runs[i].threads, 1, .value = value,
                             .efficiencies = i == without ? NULL : text };

        cubes[i] = small_cube_open(&small, file);
        free(file);
        free(text);
    }
}

static void
open_runs(hd_cube **cubes, uint32_t n, uint32_t without, uint32_t n_metrics)
{
    open_runs_of(cubes, n, 1, without, n_metrics);
}

static bool
is_close(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fabs(b);
}

#define CHECK_ROW(all, id, a, b, c) \
    CHECK(is_close((all).values[0][HD_SCALING_##id], a) && is_close((all).values[1][HD_SCALING_##id], b) && \
          is_close((all).values[2][HD_SCALING_##id], c))

TEST(communication_efficiency_of_mpi_has_both_of_its_factors)
{
    hd_cube                *cubes[3];
    hd_scaling_efficiencies all;

    open_runs_of(cubes, 3, 2, HD_NONE, 5);
    CHECK_EQ(hd_scaling_efficiencies_read(cubes, 3, false, &all), HD_OK);
    CHECK_ROW(all, mpi_communication, 92.0 / 100, 56.0 / 60, 34.0 / 40);
    CHECK_ROW(all, mpi_serialisation, 92.0 / 95, 56.0 / 57, 34.0 / 36);
    CHECK_ROW(all, mpi_transfer, 95.0 / 100, 57.0 / 60, 36.0 / 40);
    hd_scaling_efficiencies_fini(&all);
    for (int i = 0; i < 3; i++)
        hd_cube_close(cubes[i]);
}

TEST(the_same_problem_on_more_threads)
{
    hd_cube                *cubes[3];
    hd_scaling_efficiencies all;

    open_runs(cubes, 3, HD_NONE, 5);
    CHECK_EQ(hd_scaling_efficiencies_read(cubes, 3, false, &all), HD_OK);
    CHECK_EQ(all.reference, 0);
    CHECK_ROW(all, parallel, 160.0 / 200, 200.0 / 240, 160.0 / 320);
    CHECK_ROW(all, load_balance, 160.0 / 180, 200.0 / 216, 160.0 / 256);
    CHECK_ROW(all, serialisation, 90.0 / 95, 54.0 / 57, 32.0 / 36);
    CHECK_ROW(all, transfer, 95.0 / 100, 57.0 / 60, 36.0 / 40);
    CHECK_ROW(all, computation_scaling, 1, 0.8, 1);
    CHECK_ROW(all, instruction_scaling, 1, 0.8, 0.8);
    CHECK_ROW(all, ipc, 2, 1.6, 2.5);
    CHECK_ROW(all, ipc_scaling, 1, 0.8, 1.25);
    CHECK_ROW(all, frequency, 1e9, 1.25e9, 1e9);
    CHECK_ROW(all, frequency_scaling, 1, 1.25, 1);
    CHECK_ROW(all, global, 0.8, 0.8 * 200 / 240, 0.5);
    CHECK_ROW(all, speedup, 1, 100.0 / 60, 2.5);
    for (int i = 0; i < 3; i++)
        CHECK(is_close(all.values[i][HD_SCALING_computation_scaling],
                       all.values[i][HD_SCALING_instruction_scaling] * all.values[i][HD_SCALING_ipc_scaling] *
                       all.values[i][HD_SCALING_frequency_scaling]));
    CHECK(!all.has[HD_SCALING_mpi_parallel] && all.has[HD_SCALING_ipc]);
    hd_scaling_efficiencies_fini(&all);
    for (int i = 0; i < 3; i++)
        hd_cube_close(cubes[i]);
}

TEST(with_weak_scaling_each_thread_has_as_much_work)
{
    hd_cube                *cubes[3];
    hd_scaling_efficiencies all;

    open_runs(cubes, 3, HD_NONE, 5);
    CHECK_EQ(hd_scaling_efficiencies_read(cubes, 3, true, &all), HD_OK);
    CHECK_ROW(all, computation_scaling, 1, 1.6, 4);
    CHECK_ROW(all, instruction_scaling, 1, 1.6, 3.2);
    CHECK_ROW(all, ipc_scaling, 1, 0.8, 1.25);
    CHECK_ROW(all, speedup, 1, 200.0 / 60, 10);
    hd_scaling_efficiencies_fini(&all);
    for (int i = 0; i < 3; i++)
        hd_cube_close(cubes[i]);
}

TEST(a_run_without_efficiencies_is_no_reference_and_has_no_values)
{
    hd_cube                *cubes[3];
    hd_scaling_efficiencies all;

    open_runs(cubes, 3, 0, 5);
    CHECK_EQ(hd_scaling_efficiencies_read(cubes, 3, false, &all), HD_OK);
    CHECK_EQ(all.reference, 1);
    CHECK(isnan(all.values[0][HD_SCALING_parallel]) && isnan(all.values[0][HD_SCALING_computation_scaling]));
    CHECK(is_close(all.values[2][HD_SCALING_computation_scaling], 1.25));
    hd_scaling_efficiencies_fini(&all);
    CHECK_EQ(hd_scaling_efficiencies_read(cubes, 1, false, &all), HD_OK);
    CHECK_EQ(all.reference, HD_NONE);
    hd_scaling_efficiencies_fini(&all);
    for (int i = 0; i < 3; i++)
        hd_cube_close(cubes[i]);
}

static char *
printed(hd_cube **cubes, bool is_tsv)
{
    hd_alignment *alignment = hd_alignment_new(cubes, 3, (hd_alignment_options){ .one_program = true });
    hd_scaling   *scaling   = NULL;
    char         *text      = NULL;
    size_t        bytes;
    FILE         *file = open_memstream(&text, &bytes);

    CHECK_EQ(hd_scaling_new(alignment, &scaling), HD_OK);
    CHECK_EQ(hd_scaling_add_efficiencies(scaling, false), HD_OK);
    CHECK_EQ(is_tsv ? hd_scaling_print_tsv(scaling, file) :
             hd_scaling_print(scaling, file, &(hd_scaling_options){ .look = { .width = 90 } }), HD_OK);
    fclose(file);
    hd_scaling_free(scaling);
    hd_alignment_free(alignment);
    return text;
}

TEST(the_table_has_a_line_for_each_factor_that_is_known)
{
    hd_cube *cubes[3];
    char    *text;

    open_runs(cubes, 3, HD_NONE, 5);
    text = printed(cubes, false);
    CHECK(strstr(text, "\n  Global efficiency                                 80.0      66.7      50.0\n") != NULL);
    CHECK(strstr(text, "\n      IPC scaling                                  100.0      80.0     125.0\n") != NULL);
    CHECK(strstr(text, "\n  Frequency [GHz]                                   1.00      1.25      1.00\n") != NULL);
    CHECK(strstr(text, "MPI parallel") == NULL);
    free(text);
    text = printed(cubes, true);
    CHECK(strstr(text, "\nefficiency\tspeedup\t\t\t1\t1.6666666666666667\t2.5\t\t\t\t\t\t\t\n") != NULL);
    free(text);
    for (int i = 0; i < 3; i++)
        hd_cube_close(cubes[i]);
}

TEST(without_counters_there_is_computation_scaling_alone)
{
    hd_cube *cubes[3];
    char    *text;

    open_runs(cubes, 3, HD_NONE, 2);
    text = printed(cubes, false);
    CHECK(strstr(text, "Computation scaling") != NULL && strstr(text, "IPC") == NULL && strstr(text, "GHz") == NULL);
    free(text);
    for (int i = 0; i < 3; i++)
        hd_cube_close(cubes[i]);
}

TEST_MAIN
