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
#include "scaling_extrap.h"
#include "small_cube.h"

static const small_metric metrics[] = { { "time", "sec", HD_NONE, SMALL_REAL }, { "mpi", "sec", 0, SMALL_REAL },
                                        { "visits", "occ", HD_NONE, SMALL_INTEGER } };
static const small_path   paths[]   = { { "main", HD_NONE }, { "wait", 0 }, { "io", 0 } };
static const double       waits[]   = { [2] = 2, [4] = 4, [8] = 6, [16] = 8, [32] = 10 };

static hd_cube_cell
value(const small_cube *cube, uint32_t metric, uint32_t path, uint32_t location)
{
    double all = path == 1 ? waits[cube->n_processes] : metric > 0 ? 0 : path == 0 ? 8 : 1;

    if (metric == 2)
        return (hd_cube_cell){ .integer = path == 0 && location == 0 };
    return (hd_cube_cell){ .real = all / (cube->n_processes * cube->n_threads) };
}

typedef struct study {
    hd_cube      *cubes[6];
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
        "  Total time                                     11.0 s    13.0 s    15.0 s\n"
        "  Mean time per location                         5.50 s    3.25 s    1.88 s\n"
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
        "  main > io                                         9.09      7.69      6.67      -1.21 pp\n"
        "\n"
        "No models: they need runs of 4 sizes or more, these have 3.\n");
    free(text);
    forget(&all);
}

TEST(the_table_for_scripts_has_all_digits)
{
    study all;
    char *text;

    make(&all, 2, (uint32_t[]){ 8, 2 }, (uint32_t[]){ 1, 1 });
    text = text_of(all.scaling, true);
    CHECK(strstr(text, "kind\tname\tunit\tgrowth\t2\t8\tmetric\tterm\tconstant\tfactor\terror\tat 16\tat 32\n"
                       "metric\ttime\tsec\t") == text);
    CHECK(strstr(text, "\nmetric\tvisits\tocc\t\t1\t1\tvisits\t\t\t\t\t\t\n") != NULL);
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
                 "\"parent\":-1,\"wait\":false,\"values\":[1,1],\"growth\":null,\"model\":null}") != NULL);
    CHECK(strstr(head, "\"id\":\"mpi\",\"name\":\"mpi\",\"unit\":\"sec\",\"what\":\"\","
                 "\"parent\":0,\"wait\":false,\"values\":[2,6],\"growth\":") != NULL);
    free(head);
    forget(&all);
}

/* Processes 2, 4, ... 32: computation 8 / p per process, and waits (log p) * 2 / p. */
static void
make_models(study *all, uint32_t n)
{
    static const uint32_t n_processes[] = { 2, 4, 8, 16, 32, 32 }, n_threads[] = { 1, 1, 1, 1, 1, 1 };

    make(all, n, n_processes, n_threads);
}

TEST(models_are_of_the_value_per_process)
{
    study                   all;
    const hd_scaling_model *model;

    make_models(&all, 5);
    model = &all.scaling->paths[0].model;
    CHECK_EQ(all.scaling->n_sizes, 5);
    CHECK(is_close(hd_scaling_mean(all.scaling, &all.scaling->paths[0], 4), 0.25));
    CHECK_STR(model->term->text, "p^-1");
    CHECK(fabs(model->factor - 8) < 1e-9 && model->constant < 1e-9 && model->error < 1e-9);
    CHECK(fabs(hd_scaling_model_at(model, 64) - 0.125) < 1e-9);
    CHECK_STR(all.scaling->metrics[2].model.term->text, "p^-1"); /* one visit in all: of integers, too */
    forget(&all);
}

TEST(fewer_than_four_sizes_have_no_model)
{
    study all;

    make(&all, 5, (uint32_t[]){ 2, 4, 8, 8, 8 }, (uint32_t[]){ 1, 1, 1, 1, 1 });
    CHECK_EQ(all.scaling->n_sizes, 3);
    CHECK(all.scaling->paths[0].model.term == NULL && all.scaling->metrics[0].model.term == NULL);
    forget(&all);
}

TEST(sizes_to_predict_are_twice_and_four_times_the_largest_or_those_asked_for)
{
    study all;
    char *text;

    make_models(&all, 5);
    CHECK_EQ(all.scaling->n_predicted, 2);
    CHECK(all.scaling->predicted[0] == 64 && all.scaling->predicted[1] == 128);
    hd_scaling_predict(all.scaling, (uint32_t[]){ 1000 }, 1);
    text = text_of(all.scaling, false);
    CHECK(strstr(text, "\nTime per process                       32   at 1000    error  model (p: processes)\n") !=
          NULL);
    CHECK(strstr(text, "\n  time                             594 ms ") != NULL);
    free(text);
    text = text_of(all.scaling, true);
    CHECK(strstr(text, "\terror\tat 1000\n") != NULL);
    CHECK(strstr(text, "\npath\tmain\tsec\t") != NULL && strstr(text, "\ttime\tp^-1\t") != NULL);
    free(text);
    forget(&all);
}

TEST(what_grows_most_stands_first_and_what_shrinks_is_not_there)
{
    study              all;
    hd_scaling_growing most[3];

    make_models(&all, 5);
    CHECK_EQ(hd_scaling_most_growing(all.scaling, most, 3), 0); /* all of it shrinks per process */
    all.scaling->paths[2].model = (hd_scaling_model){ .term = all.scaling->paths[2].model.term, .constant = 1 };
    CHECK_EQ(hd_scaling_most_growing(all.scaling, most, 3), 0); /* or stays */
    hd_scaling_predict(all.scaling, (uint32_t[]){ 4 }, 1);
    CHECK_EQ(hd_scaling_most_growing(all.scaling, most, 3), 2); /* towards fewer processes it grows */
    CHECK(most[0].path == 0 && fabs(most[0].increase - (2 - 0.25)) < 1e-9 && most[1].path == 1);
    CHECK_EQ(hd_scaling_most_growing(all.scaling, most, 1), 1);
    CHECK_EQ(most[0].path, 0);
    forget(&all);
}

static char *
extrap_of(const hd_scaling *scaling, hd_extrap_format format)
{
    char  *text = NULL;
    size_t bytes;
    FILE  *file = open_memstream(&text, &bytes);

    CHECK_EQ(hd_scaling_write_extrap(scaling, format, file), HD_OK);
    fclose(file);
    return text;
}

TEST(the_file_for_extra_p_has_values_per_process_and_repetitions_on_one_line)
{
    study all;
    char *text;

    make_models(&all, 6);
    text = extrap_of(all.scaling, HD_EXTRAP_TEXT);
    CHECK(strstr(text,
        "PARAMETER p\nPOINTS (2) (4) (8) (16) (32)\nMETRIC time\n"
        "REGION main\nDATA 4.0000000000000000\nDATA 2.0000000000000000\nDATA 1.0000000000000000\n"
        "DATA 0.50000000000000000\n"
        "DATA 0.25000000000000000 0.25000000000000000\n"
        "REGION main->wait\n") == text);
    CHECK(strstr(text, "METRIC visits\nREGION main\nDATA 0.50000000000000000\n") != NULL);
    CHECK(strstr(strstr(text, "METRIC visits"), "main->wait") == NULL); /* none in any run */
    free(text);
    text = extrap_of(all.scaling, HD_EXTRAP_JSON_LINES);
    CHECK(strstr(text, "{\"params\":{\"p\":2},\"callpath\":\"main\",\"metric\":\"time\",\"value\":[4]}\n") == text);
    CHECK(strstr(text, "{\"params\":{\"p\":32},\"callpath\":\"main\",\"metric\":\"time\","
                       "\"value\":[0.25,0.25]}\n") != NULL);
    free(text);
    forget(&all);
}

TEST_MAIN
