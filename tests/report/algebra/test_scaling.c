/* tests/report/algebra/test_scaling.c: how shares grow with the number of processes.
 *
 *   processes                  2      4      8
 *   time [sec]   main          8      8      8       by 1 / processes on each of them
 *                wait          2      4      6       shares: 2/11, 4/13, 6/15
 *                io            1      1      1
 *     mpi        wait          2      4      6
 *   visits [occ] main          1      1      1       on the first process
 */
#include "scaling_page.h"

#include <math.h>

#include "check.h"
#include "memory.h"
#include "small_cube.h"

static const small_metric metrics[] = { { "time", "sec", HD_NONE, SMALL_REAL }, { "mpi", "sec", 0, SMALL_REAL },
                                        { "visits", "occ", HD_NONE, SMALL_INTEGER } };
static const small_path   paths[]   = { { "main", HD_NONE }, { "wait", 0 }, { "io", 0 } };
static const double       waits[]   = { [2] = 2, [4] = 4, [8] = 6 };

static hd_cube_cell
value(const small_cube *cube, uint32_t metric, uint32_t path, uint32_t location)
{
    double all = path == 1 ? waits[cube->n_processes] : metric > 0 ? 0 : path == 0 ? 8 : 1;

    if (metric == 2)
        return (hd_cube_cell){ .integer = path == 0 && location == 0 };
    return (hd_cube_cell){ .real = all / (cube->n_processes * cube->n_threads) };
}

typedef struct study {
    hd_cube      *cubes[3];
    uint32_t      n;
    hd_alignment *alignment;
    hd_scaling   *scaling;
} study;

static void
make(study *all, uint32_t n, const uint32_t *n_processes, const uint32_t *n_threads)
{
    all->n = n;
    for (uint32_t i = 0; i < n; i++) {
        small_cube small = { metrics, paths, 3, 3, n_processes[i], n_threads[i], .value = value };
        char      *file  = hd_format("scaling_%" PRIu32 ".cubex", i);

        all->cubes[i] = small_cube_open(&small, file);
        free(file);
    }
    hd_scaling_sort(all->cubes, n);
    all->alignment = hd_alignment_new(all->cubes, n, (hd_alignment_options){ .one_program = true });
    CHECK_EQ(hd_scaling_new(all->alignment, &all->scaling), HD_OK);
}

static void
forget(study *all)
{
    hd_scaling_free(all->scaling);
    hd_alignment_free(all->alignment);
    for (uint32_t i = 0; i < all->n; i++)
        hd_cube_close(all->cubes[i]);
}

static bool
is_close(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fabs(b);
}

TEST(runs_stand_by_their_size_and_shares_are_of_the_time_of_each)
{
    static const double expected[] = { 200.0 / 11, 400.0 / 13, 600.0 / 15 };
    const hd_scaling   *scaling;
    study               all;

    make(&all, 3, (uint32_t[]){ 8, 2, 4 }, (uint32_t[]){ 1, 1, 1 });
    scaling = all.scaling;
    CHECK(!scaling->by_locations);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_EQ(hd_scaling_size(scaling, i), UINT32_C(2) << i);
        CHECK(is_close(hd_scaling_share(scaling, &scaling->metrics[1], i), expected[i]));
        CHECK(is_close(hd_scaling_share(scaling, &scaling->paths[1], i), expected[i]));
        CHECK(scaling->metrics[2].values[i] == 1);
    }
    /* sizes 1, 2, 3 as logarithms: the slope is half of last minus first */
    CHECK(is_close(scaling->metrics[1].growth, (expected[2] - expected[0]) / 2));
    CHECK(is_close(scaling->paths[0].growth, (800.0 / 15 - 800.0 / 11) / 2));
    CHECK(fabs(scaling->metrics[0].growth) < 1e-12);
    CHECK(isnan(scaling->metrics[2].growth));
    forget(&all);
}

TEST(growth_is_the_slope_also_where_sizes_are_not_evenly_apart)
{
    study all;

    make(&all, 2, (uint32_t[]){ 2, 8 }, (uint32_t[]){ 1, 1 });
    CHECK(is_close(all.scaling->metrics[1].growth, (600.0 / 15 - 200.0 / 11) / 2)); /* two doublings */
    forget(&all);
}

TEST(where_processes_are_as_many_locations_count)
{
    study all;

    make(&all, 2, (uint32_t[]){ 4, 4 }, (uint32_t[]){ 6, 1 });
    CHECK(all.scaling->by_locations);
    CHECK_EQ(hd_scaling_size(all.scaling, 0), 4);
    CHECK_EQ(hd_scaling_size(all.scaling, 1), 24);
    CHECK(fabs(all.scaling->metrics[1].growth) < 1e-12);
    forget(&all);
}

TEST(runs_of_one_size_have_no_growth)
{
    study    all;
    uint32_t most[3];

    make(&all, 2, (uint32_t[]){ 4, 4 }, (uint32_t[]){ 2, 2 });
    CHECK(isnan(all.scaling->metrics[1].growth));
    CHECK_EQ(hd_scaling_paths(all.scaling, most, 3), 0);
    forget(&all);
}

TEST(call_paths_whose_growth_is_farthest_from_zero_stand_first)
{
    study    all;
    uint32_t most[3];

    make(&all, 3, (uint32_t[]){ 2, 4, 8 }, (uint32_t[]){ 1, 1, 1 });
    CHECK_EQ(hd_scaling_paths(all.scaling, most, 3), 3);
    CHECK(most[0] == 1 && most[1] == 0 && most[2] == 2);
    CHECK_EQ(hd_scaling_paths(all.scaling, most, 1), 1);
    forget(&all);
}

static char *
text_of(const hd_scaling *scaling, bool is_tsv)
{
    char  *text = NULL;
    size_t bytes;
    FILE  *file = open_memstream(&text, &bytes);

    CHECK_EQ(is_tsv ? hd_scaling_print_tsv(scaling, file) :
             hd_scaling_print(scaling, file, &(hd_scaling_options){ .look = { .width = 90 } }), HD_OK);
    fclose(file);
    return text;
}

TEST(the_table_has_a_column_for_each_run)
{
    study all;
    char *text;

    make(&all, 3, (uint32_t[]){ 8, 2, 4 }, (uint32_t[]){ 1, 1, 1 });
    text = text_of(all.scaling, false);
    CHECK_STR(text,
        "Scaling: shares of total time by number of processes\n"
        "      2: \"scaling_1.cubex\", 2 processes, 2 locations, 3 call paths\n"
        "      4: \"scaling_2.cubex\", 4 processes, 4 locations, 3 call paths\n"
        "      8: \"scaling_0.cubex\", 8 processes, 8 locations, 3 call paths\n"
        "\n"
        "Time                                                   2         4         8\n"
        "  Total time [s]                                      11        13        15\n"
        "  Mean time per location [s]                         5.5      3.25     1.875\n"
        "  Strong-scaling efficiency [%]                    100.0      84.6      73.3\n"
        "  Weak-scaling efficiency [%]                      100.0     169.2     293.3\n"
        "\n"
        "Share of total time [%]                                2         4         8  per doubling\n"
        "  time                                            100.00    100.00    100.00      +0.00 pp\n"
        "    mpi                                            18.18     30.77     40.00     +10.91 pp\n"
        "\n"
        "Share of total time by call path [%]                   2         4         8  per doubling\n"
        "  main > wait                                      18.18     30.77     40.00     +10.91 pp\n"
        "  main                                             72.73     61.54     53.33      -9.70 pp\n"
        "  main > io                                         9.09      7.69      6.67      -1.21 pp\n");
    free(text);
    forget(&all);
}

TEST(the_table_for_scripts_has_all_digits)
{
    study all;
    char *text;

    make(&all, 2, (uint32_t[]){ 8, 2 }, (uint32_t[]){ 1, 1 });
    text = text_of(all.scaling, true);
    CHECK(strncmp(text, "kind\tname\tunit\tgrowth\t2\t8\nmetric\ttime\tsec\t", 41) == 0);
    CHECK(strstr(text, "\nmetric\tvisits\tocc\t\t1\t1\n") != NULL);
    CHECK(strstr(text, "\npath\tmain;wait\tsec\t") != NULL);
    free(text);
    forget(&all);
}

TEST(the_head_of_the_page_has_runs_metrics_and_call_paths)
{
    study  all;
    size_t bytes;
    char  *head;

    make(&all, 2, (uint32_t[]){ 8, 2 }, (uint32_t[]){ 1, 1 });
    head = hd_scaling_head(all.scaling, "a \"study\"", 1, &bytes);
    CHECK_EQ(strlen(head), bytes);
    CHECK(strstr(head, "\"kind\": \"scaling\"") != NULL);
    CHECK(strstr(head, "\"title\": \"a \\\"study\\\"\"") != NULL);
    CHECK(strstr(head, "{\"title\":\"scaling_1.cubex\","
                 "\"processes\":2,\"locations\":2,\"time\":11,\"incomplete\":null}") != NULL);
    CHECK(strstr(head, "\"id\":\"visits\",\"name\":\"visits\",\"unit\":\"occ\",\"what\":\"\","
                 "\"parent\":-1,\"wait\":false,\"values\":[1,1],\"growth\":null}") != NULL);
    CHECK(strstr(head, "\"id\":\"mpi\",\"name\":\"mpi\",\"unit\":\"sec\",\"what\":\"\","
                 "\"parent\":0,\"wait\":false,\"values\":[2,6],\"growth\":") != NULL);
    free(head);
    forget(&all);
}

TEST_MAIN
