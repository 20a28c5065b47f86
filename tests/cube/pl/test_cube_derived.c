/* tests/cube/pl/test_cube_derived.c: metrics that are computed from others, in a report that is put together here.
 *
 *   0 main ─┬─ 1 solve ─── 2 MPI_Send          time    1 2 4 8 at the first location, ten times that at the second
 *           └─ 3 MPI_Barrier                   visits  1 2 4 0 at both
 */
#include <math.h>
#include <unistd.h>

#include "check.h"
#include "cube_out.h"
#include "dump.h"
#include "memory.h"
#include "summary.h"

static const char file[] = "test_cube_derived.cubex";

enum { N_PATHS = 4, N_LOCATIONS = 2, MAX_METRICS = 120 };

static hd_cube_region regions[] = {
    { .name = "main", .mangled_name = "", .file = "", .paradigm = "user", .role = "function", .url = "", .what = "",
      .begin_line = 5, .end_line = -1 },
    { .name = "solve", .mangled_name = "", .file = "", .paradigm = "user", .role = "function", .url = "", .what = "",
      .begin_line = -1, .end_line = -1 },
    { .name = "MPI_Send", .mangled_name = "", .file = "", .paradigm = "mpi", .role = "point2point", .url = "",
      .what = "", .begin_line = -1, .end_line = -1 },
    { .name = "MPI_Barrier", .mangled_name = "", .file = "", .paradigm = "mpi", .role = "barrier", .url = "",
      .what = "", .begin_line = -1, .end_line = -1 },
};
static hd_cube_path paths[] = {
    { .name = "main", .region = 0, .parent = HD_NONE, .call_file = "", .call_line = -1 },
    { .name = "solve", .region = 1, .parent = 0, .call_file = "", .call_line = 7 },
    { .name = "MPI_Send", .region = 2, .parent = 1, .call_file = "", .call_line = -1 },
    { .name = "MPI_Barrier", .region = 3, .parent = 0, .call_file = "", .call_line = -1 },
};
static hd_cube_node     nodes[]     = { { .name = "n0", .class_name = "node", .what = "", .parent = HD_NONE } };
static hd_cube_group    groups[]    = { { .name = "rank 0", .type = "process", .rank = 0, .parent = 0 } };
static hd_cube_location locations[] = { { .name = "thread 0", .type = "thread", .process_name = "", .thread = 0 },
                                        { .name = "thread 1", .type = "thread", .process_name = "", .thread = 1 } };

static hd_status
rows(void *context, uint32_t metric, uint32_t path, hd_cube_cell *cells, bool *any)
{
    static const double times[] = { 1, 2, 4, 8 }, visits[] = { 1, 2, 4, 0 };

    (void)context;
    *any          = metric < 2;
    cells[0].real = metric == 0 ? times[path] : visits[path];
    cells[1].real = metric == 0 ? 10 * times[path] : visits[path];
    return HD_OK;
}

/* ---- reports with metrics of a test's own ------------------------------------------------------------------------ */

static hd_cube_metric metrics[MAX_METRICS];
static uint32_t       n_metrics;

static hd_cube_metric *
add(const char *id, hd_cube_kind kind, const char *expression)
{
    metrics[n_metrics] = (hd_cube_metric){ .id = id, .name = id, .unit = "", .what = "", .url = "", .type = "",
                                           .kind = kind, .expression = expression,
                                           .preparation = "", .plus = "", .minus = "", .together = "",
                                           .parent = HD_NONE };
    return &metrics[n_metrics++];
}

static void
begin(void)
{
    n_metrics = 0;
    add("time", HD_CUBE_STORED, "");
    add("visits", HD_CUBE_STORED, "");
}

static hd_cube *
open_report(void)
{
    hd_cube  made = { .path = "made", .version = "", .metrics = metrics, .regions = regions, .paths = paths,
                      .nodes = nodes, .groups = groups,
                      .locations = locations, .n_metrics = n_metrics, .n_regions = 4, .n_paths = N_PATHS, .n_nodes = 1,
                      .n_groups = 1, .n_locations = N_LOCATIONS };
    hd_cube *cube = NULL;

    CHECK_EQ(hd_cube_out_write(&(hd_cube_out){ .cube = &made, .rows = rows }, file), HD_OK);
    CHECK_EQ(hd_cube_open(file, &cube), HD_OK);
    unlink(file);
    return cube;
}

static hd_cube *
report_with(hd_cube_kind kind, const char *expression)
{
    begin();
    add("x", kind, expression);
    return open_report();
}

static bool
is_same(double got, double expected)
{
    return isnan(expected) ? isnan(got) : fabs(got - expected) <= 1e-12 * fabs(expected);
}

/* expected: those of the first location, then those of the second. */
static void
check_values(hd_cube *cube, const char *id, const double *expected)
{
    uint32_t metric = hd_cube_metric_by_id(cube, id);

    CHECK(metric != HD_NONE);
    for (uint32_t path = 0; path < N_PATHS && metric != HD_NONE; path++) {
        double row[N_LOCATIONS];
        bool   any;

        CHECK_EQ(hd_cube_row(cube, metric, path, row, &any), HD_OK);
        for (uint32_t i = 0; i < N_LOCATIONS; i++) {
            if (!is_same(row[i], expected[i * N_PATHS + path]))
                printf("%s at call path %u, location %u: %.17g\n", id, path, i, row[i]);
            CHECK(is_same(row[i], expected[i * N_PATHS + path]));
        }
        CHECK_EQ(any, row[0] != 0 || row[1] != 0);
    }
}

#define CHECK_VALUES(cube, id, ...) check_values(cube, id, (const double[]){ __VA_ARGS__ })

static void
check_sums(hd_cube *cube, const char *id, const bool *selected, double first, double second)
{
    double sums[N_LOCATIONS] = { 0 };

    CHECK_EQ(hd_cube_sum(cube, hd_cube_metric_by_id(cube, id), selected, sums), HD_OK);
    CHECK(is_same(sums[0], first));
    CHECK(is_same(sums[1], second));
}

static void
check_left_out(hd_cube *cube, const char *id, const char *why)
{
    const char *got = NULL;

    for (uint32_t i = 0; i < cube->n_left_out; i++)
        if (strcmp(cube->left_out[i].id, id) == 0)
            got = cube->left_out[i].why;
    CHECK_STR(got, why);
    CHECK_EQ(hd_cube_metric_by_id(cube, id), HD_NONE);
}

/* ---- the kinds --------------------------------------------------------------------------------------------------- */

TEST(linear_postderived_metrics_can_be_added_up)
{
    hd_cube *cube = report_with(HD_CUBE_POSTDERIVED, "metric::time() + 2 * metric::visits()");

    CHECK_VALUES(cube, "x", 3, 6, 12, 8, 12, 24, 48, 80);
    CHECK(cube->metrics[2].is_additive);
    check_sums(cube, "x", NULL, 29, 164);
    hd_cube_close(cube);
}

TEST(quotients_are_computed_from_sums)
{
    static const bool below_solve[] = { false, true, true, false }, odd[] = { true, false, true, false };
    hd_cube          *cube          = report_with(HD_CUBE_POSTDERIVED, "metric::time() / metric::visits()");

    CHECK_VALUES(cube, "x", 1, 1, 1, NAN, 10, 10, 10, NAN);
    CHECK(!cube->metrics[2].is_additive);
    check_sums(cube, "x", NULL, 15.0 / 7, 150.0 / 7);
    check_sums(cube, "x", below_solve, 1, 10);
    check_sums(cube, "x", odd, 1, 10);
    hd_cube_close(cube);
}

TEST(flavours_are_kept_whatever_is_asked_for)
{
    hd_cube *cube = report_with(HD_CUBE_POSTDERIVED, "metric::time(i) / metric::visits(e)");

    CHECK_VALUES(cube, "x", 15, 3, 1, NAN, 150, 30, 10, NAN);
    check_sums(cube, "x", NULL, 15, 150); /* of main */
    hd_cube_close(cube);
}

TEST(prederived_exclusive_metrics_are_computed_first_and_added_up_then)
{
    static const bool below_solve[] = { false, true, true, false };
    hd_cube          *cube          = report_with(HD_CUBE_PREDERIVED_EXCLUSIVE, "metric::time() ^ 2");

    CHECK_VALUES(cube, "x", 1, 4, 16, 64, 100, 400, 1600, 6400);
    CHECK(cube->metrics[2].is_additive);
    check_sums(cube, "x", below_solve, 20, 2000);
    hd_cube_close(cube);
}

TEST(prederived_inclusive_metrics_come_out_exclusive)
{
    hd_cube *cube = report_with(HD_CUBE_PREDERIVED_INCLUSIVE, "metric::time() ^ 2"); /* inclusively 225 36 16 64 */

    CHECK_VALUES(cube, "x", 125, 20, 16, 64, 12500, 2000, 1600, 6400);
    check_sums(cube, "x", NULL, 225, 22500);
    hd_cube_close(cube);
}

TEST(formulas_make_a_least_or_largest_value_of_a_sum)
{
    hd_cube *cube;

    begin();
    add("most", HD_CUBE_PREDERIVED_EXCLUSIVE, "metric::time()")->plus = " max(arg1, arg2) ";
    add("least", HD_CUBE_PREDERIVED_EXCLUSIVE, "metric::time()")->plus = "min(arg2,arg1)";
    add("sum", HD_CUBE_PREDERIVED_INCLUSIVE, "metric::time()")->plus = "arg1+arg2";
    metrics[n_metrics - 1].minus = "arg1-arg2";
    add("odd", HD_CUBE_PREDERIVED_EXCLUSIVE, "metric::time()")->plus = "arg1 + 2 * arg2";
    add("odd minus", HD_CUBE_PREDERIVED_INCLUSIVE, "metric::time()")->minus = "arg2 - arg1";
    add("most below", HD_CUBE_POSTDERIVED, "metric::most(i)");
    cube = open_report();
    CHECK(cube->metrics[2].is_extreme && !cube->metrics[2].is_minimum && !cube->metrics[2].is_additive);
    CHECK(cube->metrics[3].is_extreme && cube->metrics[3].is_minimum);
    check_sums(cube, "most", NULL, 8, 80);
    check_sums(cube, "least", NULL, 1, 10);
    CHECK_VALUES(cube, "sum", 1, 2, 4, 8, 10, 20, 40, 80);
    CHECK_VALUES(cube, "most below", 8, 4, 4, 8, 80, 40, 40, 80);
    check_left_out(cube, "odd", "its values are put together by the formula \"arg1 + 2 * arg2\"");
    check_left_out(cube, "odd minus", "its values are taken apart by the formula \"arg2 - arg1\"");
    hd_cube_close(cube);
}

/* ---- what expressions ask for ------------------------------------------------------------------------------------ */

TEST(sums_over_all_places_and_values_of_other_call_paths_are_found)
{
    hd_cube *cube;

    begin();
    add("share", HD_CUBE_PREDERIVED_EXCLUSIVE, "metric::time() / metric::fixed::time()");
    add("of path", HD_CUBE_PREDERIVED_EXCLUSIVE, "metric::time() / metric::fixed::time(i)");
    add("of parent", HD_CUBE_PREDERIVED_EXCLUSIVE,
        "metric::call::time(${cube::callpath::parent::id}[${calculation::callpath::id}], i)");
    add("of main", HD_CUBE_PREDERIVED_EXCLUSIVE, "metric::call::time(0, e) + 0 * metric::call::time(99, e)");
    cube = open_report();
    CHECK_VALUES(cube, "share", 1 / 165.0, 2 / 165.0, 4 / 165.0, 8 / 165.0, 10 / 165.0, 20 / 165.0, 40 / 165.0,
                 80 / 165.0);
    CHECK_VALUES(cube, "of path", 1 / 165.0, 2 / 66.0, 4 / 44.0, 8 / 88.0, 10 / 165.0, 20 / 66.0, 40 / 44.0, 80 / 88.0);
    CHECK_VALUES(cube, "of parent", 0, 165, 66, 165, 0, 165, 66, 165);
    CHECK_VALUES(cube, "of main", 11, 11, 11, 11, 11, 11, 11, 11);
    hd_cube_close(cube);
}

TEST(expressions_know_what_they_are_computed_for)
{
    hd_cube *cube = report_with(HD_CUBE_PREDERIVED_EXCLUSIVE,
                                "{ ${p} = ${calculation::callpath::id}; ${level} = 0;"
                                "  while (${cube::callpath::parent::id}[${p}] != -1) { ${p} = "
                                "${cube::callpath::parent::id}[${p}]; ${level} = ${level} + 1; };"
                                "  return 100 * ${level} + 10 * "
                                "${cube::callpath::#children}[${calculation::callpath::id}]"
                                "         + ${cube::location::rank}[${calculation::sysres::id}]; }");

    CHECK_VALUES(cube, "x", 20, 110, 200, 100, 21, 111, 201, 101);
    hd_cube_close(cube);
    cube = report_with(HD_CUBE_PREDERIVED_EXCLUSIVE, "1000 * ${cube::#callpaths} + 100 * ${cube::#locations} + 10 * "
                       "${cube::#regions} + ${cube::#metrics}"
                                                     " + ${cube::region::begin::line}[0] + ${cube::callpath::line}[1] "
                       "+ (${cube::stn::class}[0] eq \"node\")"
                                                     " + (${cube::locationgroup::name}[0] eq \"rank 0\") + "
                       "${calculation::region::id}");
    CHECK_VALUES(cube, "x", 4257, 4258, 4259, 4260, 4257, 4258, 4259, 4260);
    hd_cube_close(cube);
}

/* As the hierarchy that Score-P makes of a profile. */
TEST(masks_over_call_paths_are_prepared_for_all)
{
    hd_cube *cube;

    begin();
    metrics[1].parent = 0;
    add("execution", HD_CUBE_PREDERIVED_EXCLUSIVE,
        "\n  ${execution}[${calculation::callpath::id}] * ( metric::time(e) - metric::idle(e) )\n")->preparation =
        "{\n"
        "    // all call paths by what their regions are\n"
        "    global(execution);\n    global(mpi);\n    global(p2p);\n    global(sync);\n"
        "    ${includesMPI} = 0;\n    ${includesOpenMP} = 0;\n"
        "    ${i} = 0;\n"
        "    while ( ${i} < ${cube::#callpaths} )\n    {\n"
        "        ${regionid} = ${cube::callpath::calleeid}[${i}];\n"
        "        ${name}     = ${cube::region::name}[${regionid}];\n"
        "        ${paradigm} = ${cube::region::paradigm}[${regionid}];\n"
        "        ${role}     = ${cube::region::role}[${regionid}];\n"
        "        ${execution}[${i}] = 1;\n"
        "        if ( ${paradigm} eq \"mpi\" )\n        {\n"
        "            ${includesMPI} = 1;\n"
        "            if ( not ( ${name} eq \"PARALLEL\" ) )\n            {\n                ${mpi}[${i}] = "
        "1;\n            };\n"
        "            if ( ( ${role} eq \"point2point\" ) or ( ${name} =~ /^MPI_(Test|Wait)(all|any|some){0,1}$/ ) )\n"
        "            {\n                ${p2p}[${i}] = 1;\n            };\n"
        "            if ( ${name} =~ /^MPI_(I){0,1}Barrier$/ )\n            {\n                ${sync}[${i}] = "
        "1;\n            };\n"
        "        }\n"
        "        elseif ( ${paradigm} eq \"openmp\" )\n        {\n            ${includesOpenMP} = 1;\n        };\n"
        "        ${i} = ${i} + 1;\n    };\n"
        "    if ( ${includesMPI} == 0 )\n    {\n        cube::metric::set::mpi(\"value\", \"VOID\");\n    };\n"
        "    if ( ${includesOpenMP} == 0 )\n    {\n        cube::metric::set::openmp(\"value\", \"VOID\");\n"
        "        cube::metric::set::visits(\"value\", \"VOID\");\n    };\n"
        "    return 0;\n}\n";
    add("mpi", HD_CUBE_POSTDERIVED, "metric::mpi_sync() + metric::mpi_p2p()")->parent = 2;
    add("mpi_sync", HD_CUBE_PREDERIVED_EXCLUSIVE, "${sync}[${calculation::callpath::id}] * metric::time(e)")->parent =
        3;
    add("mpi_p2p", HD_CUBE_PREDERIVED_EXCLUSIVE, "${p2p}[${calculation::callpath::id}] * metric::time(e)")->parent = 3;
    add("openmp", HD_CUBE_POSTDERIVED, "metric::time()");
    cube = open_report();
    CHECK_EQ(cube->n_left_out, 0);
    CHECK_VALUES(cube, "execution", 1, 2, 4, 8, 10, 20, 40, 80);
    CHECK_VALUES(cube, "mpi", 0, 0, 4, 8, 0, 0, 40, 80);
    CHECK_VALUES(cube, "mpi_sync", 0, 0, 0, 8, 0, 0, 0, 80);
    CHECK_VALUES(cube, "mpi_p2p", 0, 0, 4, 0, 0, 0, 40, 0);
    CHECK_VALUES(cube, "openmp", 0, 0, 0, 0, 0, 0, 0, 0);
    CHECK_VALUES(cube, "visits", 0, 0, 0, 0, 0, 0, 0, 0);
    CHECK(cube->metrics[hd_cube_metric_by_id(cube, "mpi")].is_additive);
    CHECK_EQ(cube->metrics[hd_cube_metric_by_id(cube, "mpi_sync")].parent, hd_cube_metric_by_id(cube, "mpi"));
    hd_cube_close(cube);
}

TEST(hidden_metrics_can_be_asked_for_and_unknown_ones_are_zero)
{
    hd_cube *cube;

    begin();
    add("x", HD_CUBE_POSTDERIVED, "metric::secret() + metric::nowhere()");
    add("secret", HD_CUBE_POSTDERIVED, "metric::visits()")->is_hidden = true;
    cube = open_report();
    CHECK_EQ(cube->n_hidden, 1);
    CHECK_VALUES(cube, "x", 1, 2, 4, 0, 1, 2, 4, 0);
    hd_cube_close(cube);
}

TEST(what_cannot_be_added_up_is_not_in_the_summary_but_in_the_dump)
{
    hd_cube *cube;
    char    *text   = NULL;
    size_t   bytes  = 0;
    FILE    *stream = open_memstream(&text, &bytes);

    begin();
    add("quotient", HD_CUBE_POSTDERIVED, "metric::time() / metric::visits()")->parent = 0;
    add("double time", HD_CUBE_POSTDERIVED, "2 * metric::time()")->parent = 0;
    add("negative", HD_CUBE_POSTDERIVED, "-(1 / 0)");
    cube = open_report();
    CHECK_EQ(hd_summary_print(cube, stream, &(hd_summary_options){ 0 }), HD_OK);
    fflush(stream);
    CHECK(strstr(text, "double time") != NULL && strstr(text, "330 s") != NULL);
    CHECK(strstr(text, "quotient") == NULL);
    CHECK_EQ(hd_dump(cube, NULL, stream), HD_OK);
    fclose(stream);
    CHECK(strstr(text, "quotient\tmain;solve\t0\t1\t10\n") != NULL);
    CHECK(strstr(text, "quotient\tmain;MPI_Barrier\t0\t1\tnan\n") != NULL);
    CHECK(strstr(text, "negative\tmain;MPI_Barrier\t0\t1\tnan\n") != NULL);
    free(text);
    hd_cube_close(cube);
}

/* ---- what cannot be computed ------------------------------------------------------------------------------------- */

TEST(what_cannot_be_computed_is_left_out_with_all_that_is_computed_from_it)
{
    hd_cube *cube;

    begin();
    add("odd", HD_CUBE_POSTDERIVED, "random(3)");
    add("twice", HD_CUBE_POSTDERIVED, "2 * metric::odd()")->parent = 2;
    add("kept", HD_CUBE_POSTDERIVED, "metric::doubled() + metric::time()")->parent = 3;
    add("itself", HD_CUBE_POSTDERIVED, "metric::itself() + 1");
    add("one", HD_CUBE_POSTDERIVED, "metric::other()");
    add("other", HD_CUBE_POSTDERIVED, "metric::one()");
    add("doubled", HD_CUBE_PREDERIVED_EXCLUSIVE, "2 * metric::visits()");
    add("quotient", HD_CUBE_POSTDERIVED, "metric::time() / metric::visits()");
    add("sum of quotients", HD_CUBE_POSTDERIVED, "metric::fixed::quotient()");
    cube = open_report();
    check_left_out(cube, "odd", "its expression is not understood: it asks for random numbers");
    check_left_out(cube, "twice", "it is computed from \"odd\", which is omitted: its expression is not understood: it "
                   "asks for random numbers");
    check_left_out(cube, "itself", "it is computed from itself");
    check_left_out(cube, "other", "it is computed from itself");
    check_left_out(cube, "one", "it is computed from \"other\", which is omitted: it is computed from itself");
    check_left_out(cube, "sum of quotients", "it asks for sums of \"quotient\", which mean nothing");
    CHECK_EQ(cube->n_metrics, 5);
    CHECK_EQ(cube->metrics[2].parent, HD_NONE); /* what it was below is left out */
    CHECK_VALUES(cube, "kept", 3, 6, 12, 8, 12, 24, 48, 80);
    hd_cube_close(cube);
}

TEST(what_was_not_prepared_is_not_taken_for_zero)
{
    hd_cube *cube;

    begin();
    add("a", HD_CUBE_PREDERIVED_EXCLUSIVE, "${mask} * metric::time()")->preparation = "{ global(mask); ${mask} = "
                                                                                      "random(2); return 0; }";
    add("b", HD_CUBE_PREDERIVED_EXCLUSIVE, "${other} * metric::time()");
    add("c", HD_CUBE_PREDERIVED_EXCLUSIVE, "{ ${own} = 2; return ${own} * metric::time(); }");
    add("d", HD_CUBE_PREDERIVED_EXCLUSIVE, "${fine} * metric::time()")->preparation = "{ global(fine); ${fine} = 3; "
                                                                                      "return 0; }";
    add("e", HD_CUBE_PREDERIVED_EXCLUSIVE, "${endless} * metric::time()")->preparation = "{ global(endless); while "
                                                                                         "(true) { ${endless} = 1; }; "
                                                                                         "return 0; }";
    cube = open_report();
    check_left_out(cube, "a", "it needs \"${mask}\", and what metric \"a\" has to be run first is not understood: it "
                   "asks for random numbers");
    check_left_out(cube, "b", "it needs \"${other}\", and what metric \"a\" has to be run first is not understood: it "
                   "asks for random numbers");
    check_left_out(cube, "e", "it needs \"${endless}\", and what metric \"a\" has to be run first is not understood: "
                   "it asks for random numbers");
    CHECK_VALUES(cube, "c", 2, 4, 8, 16, 20, 40, 80, 160);
    CHECK_VALUES(cube, "d", 3, 6, 12, 24, 30, 60, 120, 240);
    hd_cube_close(cube);
    begin();
    add("x", HD_CUBE_PREDERIVED_EXCLUSIVE, "${m} + 1")->preparation = "{ global(m); ${m} = metric::fixed::time(); "
                                                                      "return 0; }";
    cube = open_report();
    check_left_out(cube, "x", "it needs \"${m}\", and what metric \"x\" has to be run first is not understood: it asks "
                   "for metrics");
    hd_cube_close(cube);
    cube = report_with(HD_CUBE_PREDERIVED_EXCLUSIVE, "${never} * metric::time() + 1");
    CHECK_VALUES(cube, "x", 1, 1, 1, 1, 1, 1, 1, 1);
    hd_cube_close(cube);
}

TEST(values_that_take_too_long_are_no_numbers)
{
    hd_cube *cube = report_with(HD_CUBE_PREDERIVED_EXCLUSIVE,
                                "{ while (metric::time() == 8) { ${a} = 1; }; return metric::time(); }");

    CHECK_VALUES(cube, "x", 1, 2, 4, NAN, 10, 20, 40, 80);
    hd_cube_close(cube);
}

/* Each level asks for the one before at all call paths below, or twice. */
TEST(what_would_take_too_long_is_left_out)
{
    enum { N = 60 };
    char    *ids[N], *expressions[2][N];
    hd_cube *cube;

    for (int i = 0; i < N; i++) {
        ids[i]            = hd_format("m%d", i);
        expressions[0][i] = hd_format("metric::m%d(i) + metric::m%d(e)", i - 1, i - 1);
        expressions[1][i] = hd_format("metric::m%d() + 1", i - 1);
    }
    for (int way = 0; way < 4; way++) {
        begin();
        for (int i = 0; i < N; i++) {
            int n = way % 2 == 0 ? i : N - 1 - i; /* the first, or the last, is defined first */

            add(ids[n], HD_CUBE_PREDERIVED_EXCLUSIVE, n == 0 ? "metric::time()" : expressions[way / 2][n]);
        }
        cube = open_report();
        CHECK(hd_cube_metric_by_id(cube, "m5") != HD_NONE);
        CHECK(hd_cube_metric_by_id(cube, "m59") == HD_NONE);
        CHECK(cube->n_left_out > 0);
        if (way == 0)
            check_left_out(cube, "m7", "it takes too long to compute");
        hd_cube_close(cube);
    }
    for (int i = 0; i < N; i++) {
        free(ids[i]);
        free(expressions[0][i]);
        free(expressions[1][i]);
    }
}

/* Any result will do, but a crash: run with sanitizers. */
static void
try_damaged(const uint8_t *data, size_t n)
{
    FILE    *out  = fopen(file, "w");
    hd_cube *cube = NULL;
    double   row[64];
    bool     any;

    if (out == NULL || fwrite(data, 1, n, out) != n || fclose(out) != 0)
        abort();
    if (hd_cube_open(file, &cube) != HD_OK)
        return;
    for (uint32_t metric = 0; metric < cube->n_metrics + cube->n_hidden && cube->n_locations <= 64; metric++) {
        hd_status status = hd_cube_sum(cube, metric, NULL, row);

        for (uint32_t path = 0; path < cube->n_paths && status == HD_OK; path++)
            status = hd_cube_row(cube, metric, path, row, &any);
    }
    hd_cube_close(cube);
}

TEST(damaged_reports_are_survived)
{
    static uint8_t data[32768];
    uint32_t       seed = 5;
    hd_cube       *cube;
    FILE          *in;
    size_t         n;

    begin();
    add("mask", HD_CUBE_PREDERIVED_EXCLUSIVE, "${m}[${calculation::callpath::id}] * metric::time(e)")->preparation =
        "{ global(m); ${i} = 0; while (${i} < ${cube::#callpaths}) { ${r} = ${cube::callpath::calleeid}[${i}];"
        " if (${cube::region::name}[${r}] =~ /^MPI_/) { ${m}[${i}] = 1; }; ${i} = ${i} + 1; }; return 0; }";
    add("sum", HD_CUBE_POSTDERIVED, "metric::mask() + metric::visits()");
    add("ratio", HD_CUBE_POSTDERIVED, "metric::time(i) / metric::fixed::visits()")->together = "max(arg1, arg2)";
    add("whole", HD_CUBE_PREDERIVED_INCLUSIVE, "metric::call::time(${calculation::callpath::id}, i)")->minus =
        "arg1 - arg2";
    cube = open_report();
    CHECK_EQ(cube->n_left_out, 0);
    CHECK_EQ(hd_cube_out_write(&(hd_cube_out){ .cube = cube, .rows = hd_cube_rows_of, .context = cube }, file), HD_OK);
    hd_cube_close(cube);
    in = fopen(file, "r");
    n  = fread(data, 1, sizeof data, in);
    fclose(in);
    REQUIRE(n > 4096 && n < sizeof data);
    for (size_t cut = 0; cut < n; cut += 64)
        try_damaged(data, cut);
    for (int i = 0; i < 1500; i++) {
        size_t  at;
        uint8_t before;

        seed   = seed * 1664525 + 1013904223;
        at     = (seed >> 8) % n;
        before = data[at];
        data[at] ^= (uint8_t)(1u << (seed >> 4) % 8);
        try_damaged(data, n);
        data[at] = before;
    }
    unlink(file);
}

TEST_MAIN
