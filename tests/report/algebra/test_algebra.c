/* tests/report/algebra/test_algebra.c: difference, mean and merge of reports, also of ones that differ.
 *
 *   A   main ─┬─ solve ─┬─ MPI_Recv        B   main ─┬─ setup
 *             │         └─ MPI_Recv                  ├─ solve ─┬─ MPI_Recv
 *             └─ finish                              │         └─ MPI_Send
 *                                                    └─ solve ─── MPI_Recv
 *
 *   common      main ─┬─ solve ─┬─ MPI_Recv        C   other
 *                     │         ├─ MPI_Recv
 *                     │         └─ MPI_Send
 *                     ├─ finish
 *                     ├─ setup
 *                     └─ solve ─── MPI_Recv
 */
#include "algebra.h"

#include <math.h>

#include "check.h"
#include "memory.h"
#include "small_cube.h"

static const small_metric metrics_a[] = {
    { "time", "sec", HD_NONE, SMALL_REAL }, { "mpi", "sec", 0, SMALL_REAL },
    { "visits", "occ", HD_NONE, SMALL_UNSIGNED },
    { "least", "sec", HD_NONE, SMALL_MINIMUM }, { "most", "sec", HD_NONE, SMALL_MAXIMUM },
    { "balance", "occ", HD_NONE, SMALL_INTEGER },
};
static const small_metric metrics_b[] = {
    { "bytes", "bytes", HD_NONE, SMALL_UNSIGNED }, { "time", "sec", HD_NONE, SMALL_REAL },
    { "mpi", "sec", 1, SMALL_REAL }, { "wait", "sec", 2, SMALL_REAL }, { "balance", "occ", HD_NONE, SMALL_INTEGER },
};
static const small_metric metrics_c[] = {
    { "time", "usec", HD_NONE, SMALL_REAL }, { "wait", "sec", HD_NONE, SMALL_REAL }, { "power", "W", 0, SMALL_REAL },
};
static const small_path paths_a[] =
    { { "main", HD_NONE }, { "solve", 0 }, { "MPI_Recv", 1 }, { "MPI_Recv", 1 }, { "finish", 0 } };
static const small_path paths_b[] =
    { { "main", HD_NONE }, { "setup", 0 }, { "solve", 0 }, { "MPI_Recv", 2 }, { "MPI_Send", 2 },
      { "solve", 0 }, { "MPI_Recv", 5 } };
static const small_path paths_c[] = { { "other", HD_NONE }, { "main", HD_NONE }, { "solve", 1 } };

static const small_cube small_a = { metrics_a, paths_a, 6, 5, 3, 2, .has_topology = true };
static const small_cube small_b = { metrics_b, paths_b, 5, 7, 3, 2, .factor = 3 };
static const small_cube small_c = { metrics_c, paths_c, 3, 3, 4, 1, .has_topology = true };

#define LENGTH(array) ((uint32_t)(sizeof(array) / sizeof *(array)))

/* The result of an operation, written and read again. */
static hd_cube *
combine(hd_operation operation, hd_cube *const *cubes, uint32_t n, const char *file)
{
    hd_alignment *alignment =
        hd_alignment_new(cubes, n, (hd_alignment_options){ .takes_all = operation == HD_MERGE,
                                                           .one_program = operation != HD_MERGE });
    hd_algebra *algebra = hd_algebra_new(alignment, operation);
    hd_cube    *opened  = NULL;

    CHECK_EQ(hd_cube_out_write(&(hd_cube_out){ .cube = hd_algebra_cube(algebra), .rows = hd_algebra_rows,
                                               .context = algebra }, file), HD_OK);
    if (hd_cube_open(file, &opened) != HD_OK)
        hd_fatal("%s", hd_error_get()->text);
    hd_algebra_free(algebra);
    hd_alignment_free(alignment);
    return opened;
}

static uint32_t
metric_of(const hd_cube *cube, const char *id)
{
    uint32_t metric = hd_cube_metric_by_id(cube, id);

    if (metric == HD_NONE)
        hd_fatal("there is no metric %s", id);
    return metric;
}

static double
value_at(hd_cube *cube, const char *id, uint32_t path, uint32_t location)
{
    double row[16];
    bool   any;

    CHECK_EQ(hd_cube_row(cube, metric_of(cube, id), path, row, &any), HD_OK);
    return row[location];
}

static double
given_value(const small_cube *small, const char *id, uint32_t path, uint32_t location)
{
    for (uint32_t i = 0; i < small->n_metrics; i++)
        if (strcmp(small->metrics[i].id, id) == 0)
            return small_value(small, i, path, location).real;
    return 0;
}

static double
given_sum(const small_cube *small, const char *id, uint32_t path)
{
    double sum = 0;

    for (uint32_t i = 0; i < small->n_processes * small->n_threads; i++)
        sum += given_value(small, id, path, i);
    return sum;
}

/* ---- difference -------------------------------------------------------------------------------------------------- */

TEST(a_report_minus_itself_is_zero_everywhere)
{
    hd_cube  *a         = small_cube_open(&small_a, "algebra_a.cubex"),
    *again = small_cube_open(&small_a, "algebra_again.cubex");
    hd_cube  *cubes[]   = { a, again }, *difference = combine(HD_DIFFERENCE, cubes, 2, "algebra_difference.cubex");
    double    row[16];
    uint32_t  n = 0;

    CHECK_EQ(difference->n_metrics, a->n_metrics - 2); /* no extreme ones */
    CHECK_EQ(difference->n_paths, a->n_paths);
    CHECK_EQ(difference->n_locations, a->n_locations);
    for (uint32_t metric = 0; metric < difference->n_metrics; metric++)
        for (uint32_t path = 0; path < difference->n_paths; path++) {
            bool any = true;

            CHECK_EQ(hd_cube_row(difference, metric, path, row, &any), HD_OK);
            CHECK(!any);
            for (uint32_t i = 0; i < difference->n_locations; i++, n++)
                CHECK(row[i] == 0);
        }
    CHECK_EQ(n, 4 * 5 * 6);
    hd_cube_close(difference);
    hd_cube_close(again);
    hd_cube_close(a);
}

TEST(a_topology_that_nobody_is_on_is_one_of_the_result)
{
    hd_cube  *a       = small_cube_open(&small_a, "algebra_a.cubex"), *sum;
    hd_cube  *cubes[] = { a, a };
    uint32_t *rows    = a->topologies->rows;
    size_t    n_rows  = a->topologies->n_rows;

    a->topologies->rows   = NULL;
    a->topologies->n_rows = 0;
    sum                   = combine(HD_MEAN, cubes, 2, "algebra_nobody.cubex");
    CHECK_EQ(sum->n_topologies, 1);
    CHECK_EQ(sum->topologies->n_rows, 0);
    a->topologies->rows   = rows;
    a->topologies->n_rows = n_rows;
    hd_cube_close(sum);
    hd_cube_close(a);
}

/* path_of: of the common tree, see the drawing; HD_NONE: not there */
TEST(a_difference_of_trees_that_differ_is_b_minus_a_where_both_are_and_else_what_is_there)
{
    static const uint32_t path_of_a[] = { 0, 1, 2, 3, HD_NONE, 4, HD_NONE, HD_NONE, HD_NONE };
    static const uint32_t path_of_b[] = { 0, 2, 3, HD_NONE, 4, HD_NONE, 1, 5, 6 };
    static const char *const names[]  =
        { "main", "solve", "MPI_Recv", "MPI_Recv", "MPI_Send", "finish", "setup", "solve", "MPI_Recv" };
    static const char *const ids[]    = { "time", "mpi", "wait" };
    hd_cube *a = small_cube_open(&small_a, "algebra_a.cubex"), *b = small_cube_open(&small_b, "algebra_b.cubex");
    hd_cube *cubes[] = { a, b }, *difference = combine(HD_DIFFERENCE, cubes, 2, "algebra_difference.cubex");
    uint32_t n = 0;

    CHECK_EQ(difference->n_paths, 9);
    for (uint32_t path = 0; path < 9 && path < difference->n_paths; path++) {
        CHECK_STR(difference->paths[path].name, names[path]);
        for (uint32_t k = 0; k < LENGTH(ids); k++)
            for (uint32_t i = 0; i < 6; i++) {
                double in_a = path_of_a[path] != HD_NONE ? given_value(&small_a, ids[k], path_of_a[path], i) : 0;
                double in_b = path_of_b[path] != HD_NONE ? given_value(&small_b, ids[k], path_of_b[path], i) : 0;

                CHECK(value_at(difference, ids[k], path, i) == in_b - in_a);
                n += in_a != 0 && in_b != 0;
            }
    }
    CHECK(n > 10);
    CHECK_EQ(difference->metrics[metric_of(difference, "wait")].parent, metric_of(difference, "mpi"));
    hd_cube_close(difference);
    hd_cube_close(b);
    hd_cube_close(a);
}

TEST(integers_are_subtracted_exactly_also_above_what_floating_point_numbers_tell)
{
    hd_cube *a = small_cube_open(&small_a, "algebra_a.cubex");
    small_cube more = small_a;
    hd_cube   *b, *cubes[2], *difference;
    hd_cube_cell row[16];
    uint32_t     metric, n = 0;
    bool         any;

    more.factor = 2;
    b           = small_cube_open(&more, "algebra_b.cubex");
    cubes[0]    = a;
    cubes[1]    = b;
    difference  = combine(HD_DIFFERENCE, cubes, 2, "algebra_difference.cubex");
    metric      = metric_of(difference, "visits");
    CHECK(difference->metrics[metric].is_integer);
    for (uint32_t path = 0; path < 5; path++) {
        CHECK_EQ(hd_cube_cells(difference, metric, path, row, &any), HD_OK);
        for (uint32_t i = 0; i < 6; i++) {
            int64_t expected = small_value(&more, 2, path, i).integer - small_value(&small_a, 2, path, i).integer;

            CHECK_EQ(row[i].integer, expected);
            n += expected != 0 && expected < 1000;
        }
    }
    CHECK(n > 5); /* of numbers near 2^63, which have nothing below 1024 as floating-point numbers */
    hd_cube_close(difference);
    hd_cube_close(b);
    hd_cube_close(a);
}

TEST(runs_of_different_numbers_of_processes_are_summed_up)
{
    small_cube more = small_a;
    hd_cube   *a    = small_cube_open(&small_a, "algebra_a.cubex"), *b, *cubes[2], *difference;

    more.n_processes = 5;
    b                = small_cube_open(&more, "algebra_b.cubex");
    cubes[0]         = a;
    cubes[1]         = b;
    difference       = combine(HD_DIFFERENCE, cubes, 2, "algebra_difference.cubex");
    CHECK_EQ(difference->n_locations, 1);
    for (uint32_t path = 0; path < 5; path++) {
        double expected = given_sum(&more, "time", path) - given_sum(&small_a, "time", path);

        CHECK(fabs(value_at(difference, "time", path, 0) - expected) <= 1e-12 * given_sum(&more, "time", path));
    }
    CHECK(given_sum(&more, "time", 0) != given_sum(&small_a, "time", 0));
    hd_cube_close(difference);
    hd_cube_close(b);
    hd_cube_close(a);
}

TEST(of_the_same_processes_with_different_threads_those_of_each_process_are_summed_up)
{
    small_cube more = small_a;
    hd_cube   *a    = small_cube_open(&small_a, "algebra_a.cubex"), *b, *cubes[2], *difference;
    uint32_t   n    = 0;

    more.n_threads = 3;
    b              = small_cube_open(&more, "algebra_b.cubex");
    cubes[0]       = a;
    cubes[1]       = b;
    difference     = combine(HD_DIFFERENCE, cubes, 2, "algebra_difference.cubex");
    CHECK_EQ(difference->n_locations, 3);
    CHECK_EQ(difference->n_groups, 3);
    CHECK_EQ(difference->locations[2].process, 2);
    for (uint32_t path = 0; path < 5; path++)
        for (uint32_t process = 0; process < 3; process++) {
            double expected = 0;

            for (uint32_t i = 0; i < 3; i++)
                expected += given_value(&more, "time", path, 3 * process + i) -
                            (i < 2 ? given_value(&small_a, "time", path, 2 * process + i) : 0);
            CHECK(fabs(value_at(difference, "time", path, process) - expected) <= 1e-10);
            n += fabs(expected) > 1;
        }
    CHECK(n > 5);
    hd_cube_close(difference);
    hd_cube_close(b);
    hd_cube_close(a);
}

TEST(a_call_path_is_the_same_with_its_name_demangled_and_as_it_was_recorded)
{
    static const small_path  demangled[] = { { "main", HD_NONE }, { "net::poll(int)", 0 } };
    static const small_path  recorded[]  = { { "main", HD_NONE }, { "_ZN3net4pollEi", 0 } };
    static const small_path  another[]   = { { "main", HD_NONE }, { "_ZN3net4pollEl", 0 } };
    static const char *const of_int[]    = { "main", "_ZN3net4pollEi" },
                                           *const of_long[] = { "main", "_ZN3net4pollEl" };
    static const small_cube  cubes[]     = {
        { metrics_a, demangled, 6, 2, 3, 2, .mangled_names = of_int },
        { metrics_a, recorded, 6, 2, 3, 2, .mangled_names = of_int },
        { metrics_a, another, 6, 2, 3, 2, .mangled_names = of_long },
    };
    hd_cube *a = small_cube_open(&cubes[0], "algebra_demangled.cubex");

    for (uint32_t i = 1; i < LENGTH(cubes); i++) {
        hd_cube *b          = small_cube_open(&cubes[i], "algebra_mangled.cubex");
        hd_cube *difference = combine(HD_DIFFERENCE, (hd_cube *[]){ a, b }, 2, "algebra_difference.cubex");

        CHECK_EQ(difference->n_paths, i == 1 ? 2 : 3);
        hd_cube_close(difference);
        hd_cube_close(b);
    }
    hd_cube_close(a);
}

/* ---- calls at lines ---------------------------------------------------------------------------------------------- */

/* Time in calls of a program is the line of each, before it was moved by factor. */
static hd_cube_cell
line_before(const small_cube *small, uint32_t metric, uint32_t path, uint32_t location)
{
    (void)metric;
    (void)location;
    return (hd_cube_cell){ .real = path == 0 || small->lines[path] < 0 ? 0.5 : small->lines[path] - small->factor };
}

enum { MAX_LINES = 5 };

typedef struct line_case { /* calls as they are first executed; 0: there are no more, -1: not known */
    int32_t lines[2][MAX_LINES];
    double  moved[2]; /* lines of each, from those of A */
    double  expected[2][MAX_LINES]; /* time of each that is compared, in the order of the model */
} line_case;

static hd_cube *
open_calls(const line_case *of, uint32_t side)
{
    static const small_path paths[MAX_LINES + 1] = { { "main", HD_NONE }, { "MPI_Recv", 0 }, { "MPI_Recv", 0 },
                                                     { "MPI_Recv", 0 }, { "MPI_Recv", 0 }, { "MPI_Recv", 0 } };
    int32_t  lines[MAX_LINES + 1] = { 1 };
    uint32_t n = 0;

    for (; n < MAX_LINES && of->lines[side][n] != 0; n++)
        lines[n + 1] = of->lines[side][n];
    return small_cube_open(&(small_cube){ metrics_a, paths, 1, n + 1, 1, 1, .value = line_before, .lines = lines,
                                          .factor = of->moved[side] },
                           side == 0 ? "algebra_a.cubex" : "algebra_b.cubex");
}

static void
check_lines(const line_case *of, bool adds)
{
    hd_cube      *cubes[2]  = { open_calls(of, 0), open_calls(of, 1) };
    hd_alignment *alignment = hd_alignment_new(cubes, 2, (hd_alignment_options){ .one_program = true });
    uint32_t      n = 0;

    while (n < MAX_LINES && (of->expected[0][n] != 0 || of->expected[1][n] != 0))
        n++;
    CHECK_EQ(alignment->model.n_paths, n + 1);
    CHECK_EQ(alignment->adds_places, adds);
    CHECK_EQ(hd_alignment_why_sums(alignment) != NULL, adds);
    for (uint32_t side = 0; side < 2; side++)
        for (uint32_t i = 1; i <= n && n + 1 == alignment->model.n_paths; i++) {
            double time = 0;
            bool   any;

            CHECK_EQ(hd_alignment_row(alignment, side, 0, i, &time, &any), HD_OK);
            CHECK_EQ(any, of->expected[side][i - 1] != 0);
            CHECK(time == of->expected[side][i - 1]);
            CHECK(!adds || alignment->model.regions[alignment->model.paths[i].region].begin_line < 0);
        }
    hd_alignment_free(alignment);
    hd_cube_close(cubes[0]);
    hd_cube_close(cubes[1]);
}

TEST(calls_of_one_name_correspond_by_the_order_of_their_lines)
{
    static const line_case cases[] = {
        { { { 5, 9, 12 }, { 12, 5, 9 } }, { 0 }, { { 5, 9, 12 }, { 5, 9, 12 } } },      /* another path through it */
        { { { 9, 5, 12 }, { 16, 13, 9 } }, { 0, 4 }, { { 9, 5, 12 }, { 9, 5, 12 } } },  /* moved; 9 is another one */
        { { { 5, 9 }, { 6, 13 } }, { 0 }, { { 5, 9 }, { 6, 13 } } },                    /* changed in between */
        { { { 5, 9 }, { 0 } }, { 0 }, { { 5, 9 }, { 0 } } },                            /* in one only */
        { { { 5 }, { 9 } }, { 0 }, { { 5 }, { 9 } } },
        { { { -1, -1 }, { -1 } }, { 0 }, { { 0.5, 0.5 }, { 0.5, 0 } } },                /* without lines by order */
    };

    for (uint32_t i = 0; i < LENGTH(cases); i++)
        check_lines(&cases[i], false);
}

TEST(calls_of_one_name_whose_lines_do_not_correspond_are_added_up)
{
    static const line_case cases[] = {
        { { { 5, 9, 12 }, { 5, 9, 10, 13 } }, { 0 }, { { 26 }, { 37 } } }, /* one was added in the middle */
        { { { 5, 9, 12 }, { 12 } }, { 0 }, { { 26 }, { 12 } } },           /* not all were executed */
        { { { 5, 9 }, { 9, 12 } }, { 0 }, { { 14 }, { 21 } } },            /* others were executed */
        { { { -1 }, { 5, 9 } }, { 0 }, { { 0.5 }, { 14 } } },              /* built without lines */
    };

    for (uint32_t i = 0; i < LENGTH(cases); i++)
        check_lines(&cases[i], true);
}

TEST(a_metric_of_another_unit_is_left_out_and_named)
{
    hd_cube      *a = small_cube_open(&small_a, "algebra_a.cubex"), *c = small_cube_open(&small_c, "algebra_c.cubex");
    hd_cube      *cubes[]   = { a, c };
    hd_alignment *alignment = hd_alignment_new(cubes, 2, (hd_alignment_options){ .one_program = true });

    CHECK_EQ(hd_cube_metric_by_id(&alignment->model, "time"), HD_NONE);
    CHECK_EQ(alignment->model.n_left_out, 1);
    CHECK_STR(alignment->model.left_out[0].id, "time");
    CHECK_EQ(alignment->model.metrics[metric_of(&alignment->model, "mpi")].parent, HD_NONE);
    hd_alignment_free(alignment);
    hd_cube_close(c);
    hd_cube_close(a);
}

/* Not known at location 0; in B, whose factor is 2, neither at location 1. */
static hd_cube_cell
unknown_value(const small_cube *cube, uint32_t metric, uint32_t path, uint32_t location)
{
    (void)metric;
    return (hd_cube_cell){ .real = location < (uint32_t)cube->factor ? (double)NAN : path + 1.0 };
}

TEST(values_that_are_not_known_in_both_have_not_changed)
{
    static const small_cube known = { metrics_a, paths_a, 2, 5, 3, 1, .value = unknown_value, .factor = 1 };
    small_cube              less  = known;
    hd_cube                *cubes[] = { small_cube_open(&known, "algebra_a.cubex"), NULL }, *difference;
    double                  total   = 0;
    hd_alignment           *alignment;

    less.factor = 2;
    cubes[1]    = small_cube_open(&less, "algebra_b.cubex");
    difference  = combine(HD_DIFFERENCE, cubes, 2, "algebra_difference.cubex");
    for (uint32_t path = 0; path < 5; path++) {
        CHECK(value_at(difference, "time", path, 0) == 0);
        CHECK(isnan(value_at(difference, "time", path, 1)));
        CHECK(value_at(difference, "time", path, 2) == 0);
    }
    alignment = hd_alignment_new(cubes, 2, (hd_alignment_options){ .one_program = true });
    CHECK_EQ(hd_alignment_total(alignment, 0, metric_of(&alignment->model, "time"), NULL, NULL, &total), HD_OK);
    CHECK(total == 2 * (1 + 2 + 3 + 4 + 5));
    hd_alignment_free(alignment);
    hd_cube_close(difference);
    hd_cube_close(cubes[0]);
    hd_cube_close(cubes[1]);
}

/* ---- mean -------------------------------------------------------------------------------------------------------- */

TEST(the_mean_of_equal_reports_is_that_report_bit_for_bit)
{
    hd_cube *a = small_cube_open(&small_a, "algebra_a.cubex"),
    *again = small_cube_open(&small_a, "algebra_again.cubex"),
            *third = small_cube_open(&small_a, "algebra_third.cubex");
    hd_cube *cubes[] = { a, again, third };

    for (uint32_t n = 2; n <= 3; n++) {
        hd_cube *mean = combine(HD_MEAN, cubes, n, "algebra_mean.cubex");

        size_t   n_values;

        CHECK_EQ(small_cubes_compare(a, mean, &n_values), 0);
        CHECK(n_values > 50);
        hd_cube_close(mean);
    }
    hd_cube_close(third);
    hd_cube_close(again);
    hd_cube_close(a);
}

TEST(what_a_report_does_not_have_is_zero_in_the_mean)
{
    hd_cube *a = small_cube_open(&small_a, "algebra_a.cubex"), *b = small_cube_open(&small_b, "algebra_b.cubex");
    hd_cube *cubes[] = { a, b }, *mean = combine(HD_MEAN, cubes, 2, "algebra_mean.cubex");

    for (uint32_t i = 0; i < 6; i++) {
        CHECK(value_at(mean, "time", 0, i) ==
              (given_value(&small_a, "time", 0, i) + given_value(&small_b, "time", 0, i)) / 2);
        CHECK(value_at(mean, "time", 5, i) == given_value(&small_a, "time", 4, i) / 2); /* finish, only in A */
        CHECK(value_at(mean, "wait", 1, i) == given_value(&small_b, "wait", 2, i) / 2); /* solve; metric only in B */
    }
    CHECK(given_sum(&small_a, "time", 4) > 0 && given_sum(&small_b, "wait", 2) > 0);
    hd_cube_close(mean);
    hd_cube_close(b);
    hd_cube_close(a);
}

TEST(the_mean_has_the_least_of_minima_and_the_largest_of_maxima)
{
    small_cube more = small_a;
    hd_cube   *a    = small_cube_open(&small_a, "algebra_a.cubex"), *b, *cubes[2], *mean;
    uint32_t   n    = 0;

    more.factor = 3;
    b           = small_cube_open(&more, "algebra_b.cubex");
    cubes[0]    = b;
    cubes[1]    = a;
    mean        = combine(HD_MEAN, cubes, 2, "algebra_mean.cubex");
    for (uint32_t path = 0; path < 5; path++)
        for (uint32_t i = 0; i < 6; i++) {
            CHECK(value_at(mean, "least", path, i) == given_value(&small_a, "least", path, i));
            CHECK(value_at(mean, "most", path, i) == given_value(&more, "most", path, i));
            n += given_value(&small_a, "least", path, i) > 0;
        }
    CHECK(n > 5);
    hd_cube_close(mean);
    hd_cube_close(b);
    hd_cube_close(a);
}

/* ---- merge ------------------------------------------------------------------------------------------------------- */

TEST(a_merge_takes_each_metric_from_the_first_report_that_has_it)
{
    hd_cube *a = small_cube_open(&small_a, "algebra_a.cubex"), *b = small_cube_open(&small_b, "algebra_b.cubex");
    hd_cube *cubes[] = { a, b }, *merge = combine(HD_MERGE, cubes, 2, "algebra_merge.cubex");

    CHECK_EQ(merge->n_metrics, 8); /* time mpi wait visits least most balance bytes */
    for (uint32_t i = 0; i < 6; i++) {
        CHECK(value_at(merge, "time", 0, i) == given_value(&small_a, "time", 0, i));
        CHECK(value_at(merge, "time", 6, i) == 0); /* setup, only in B */
        CHECK(value_at(merge, "wait", 6, i) == given_value(&small_b, "wait", 1, i));
    }
    hd_cube_close(merge);
    hd_cube_close(b);
    hd_cube_close(a);
}

static void
check_associative(const small_cube *x, const small_cube *y, const small_cube *z)
{
    hd_cube *cubes[]  = { small_cube_open(x, "algebra_x.cubex"), small_cube_open(y, "algebra_y.cubex"),
                          small_cube_open(z, "algebra_z.cubex") };
    hd_cube *xy       = combine(HD_MERGE, cubes, 2, "algebra_xy.cubex"),
                        *yz = combine(HD_MERGE, cubes + 1, 2, "algebra_yz.cubex");
    hd_cube *left[]   = { xy, cubes[2] }, *right[] = { cubes[0], yz };
    hd_cube *xy_z     = combine(HD_MERGE, left, 2, "algebra_xy_z.cubex"),
                        *x_yz = combine(HD_MERGE, right, 2, "algebra_x_yz.cubex");
    hd_cube *together = combine(HD_MERGE, cubes, 3, "algebra_xyz.cubex");

    size_t   n_values;

    CHECK_EQ(small_cubes_compare(xy_z, x_yz, &n_values), 0);
    CHECK_EQ(small_cubes_compare(xy_z, together, &n_values), 0);
    CHECK(n_values > 10);
    hd_cube_close(together);
    hd_cube_close(x_yz);
    hd_cube_close(xy_z);
    hd_cube_close(yz);
    hd_cube_close(xy);
    for (uint32_t i = 0; i < 3; i++)
        hd_cube_close(cubes[i]);
}

TEST(merging_is_associative)
{
    const small_cube *small[] = { &small_a, &small_b, &small_c };

    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t j = 0; j < 3; j++)
            for (uint32_t k = 0; k < 3; k++)
                check_associative(small[i], small[j], small[k]);
}

TEST_MAIN
