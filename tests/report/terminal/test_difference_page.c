/* tests/report/terminal/test_difference_page.c: A and B in numbers: as text, and as tables in Markdown.
 *
 *   metric           A: main  solve  finish    B: main  solve  finish
 *   time [sec]            6      4       0          8      4       2
 *     mpi                 1      2       0          1      3       2
 *       mpi_latesender    0      1       0          0    0.5       2
 *     comp                1      0       0          1      0       0
 *   visits [occ]          3      7       0          3      8       1
 *   delay               0.5    0.5       0        1.5      1       0
 *   critical_path         3      2       0          4    2.5     0.5
 *
 * Half of each on each of two processes; of the visits all on the first one, of the delay of main in B all on the
 * second one.
 */
#include "difference_page.h"

#include <math.h>

#include "check.h"
#include "difference_text.h"
#include "markdown.h"
#include "memory.h"
#include "small_cube.h"

enum { DELAY = 5, N_METRICS = 7, N_PATHS = 3 };
static const small_metric metrics[N_METRICS] =
    { { "time", "sec", HD_NONE, SMALL_REAL }, { "mpi", "sec", 0, SMALL_REAL },
    { "mpi_latesender", "sec", 1, SMALL_REAL }, { "comp", "sec", 0, SMALL_REAL },
    { "visits", "occ", HD_NONE, SMALL_INTEGER },
    { "delay", "sec", HD_NONE, SMALL_REAL }, { "critical_path", "sec", HD_NONE, SMALL_REAL } };
static const small_path paths[N_PATHS] = { { "main", HD_NONE }, { "solve<b>|`", 0 }, { "fin\\ish", 0 } };
static const double values_a[N_METRICS][N_PATHS] =
    { { 6, 4, 0 }, { 1, 2, 0 }, { 0, 1, 0 }, { 1, 0, 0 }, { 3, 7, 0 }, { 0.5, 0.5, 0 }, { 3, 2, 0 } };
static const double values_b[N_METRICS][N_PATHS] =
    { { 8, 4, 2 }, { 1, 3, 2 }, { 0, 0.5, 2 }, { 1, 0, 0 }, { 3, 8, 1 }, { 1.5, 1, 0 }, { 4, 2.5, 0.5 } };

static hd_cube_cell
cell(double value, uint32_t metric, uint32_t location)
{
    if (metrics[metric].kind == SMALL_INTEGER)
        return (hd_cube_cell){ .integer = location == 0 ? (int64_t)value : 0 };
    return (hd_cube_cell){ .real = value / 2 };
}

static hd_cube_cell
value_a(const small_cube *cube, uint32_t metric, uint32_t path, uint32_t location)
{
    (void)cube;
    return cell(values_a[metric][path], metric, location);
}

static hd_cube_cell
value_b(const small_cube *cube, uint32_t metric, uint32_t path, uint32_t location)
{
    (void)cube;
    if (metric == DELAY && path == 0)
        return (hd_cube_cell){ .real = location == 1 ? values_b[metric][path] : 0 };
    return cell(values_b[metric][path], metric, location);
}

/* A run of B that takes 2 % longer. */
static hd_cube_cell
value_c(const small_cube *cube, uint32_t metric, uint32_t path, uint32_t location)
{
    hd_cube_cell b = value_b(cube, metric, path, location);

    return metrics[metric].kind == SMALL_INTEGER ? b : (hd_cube_cell){ .real = 1.02 * b.real };
}

typedef struct compared {
    hd_cube       *cubes[4];
    hd_alignment  *alignment;
    hd_comparison *comparison;
} compared;

static void
compare(compared *all, uint32_t n_processes_of_b)
{
    small_cube a = { metrics, paths, N_METRICS, N_PATHS, 2, 1, .value = value_a };
    small_cube b = { metrics, paths, N_METRICS, N_PATHS, n_processes_of_b, 1, .value = value_b };

    *all           = (compared){ 0 };
    all->cubes[0]  = small_cube_open(&a, "difference_a.cubex");
    all->cubes[1]  = small_cube_open(&b, "difference_b.cubex");
    all->alignment = hd_alignment_new(all->cubes, 2, (hd_alignment_options){ .one_program = true });
    CHECK_EQ(hd_comparison_new(all->alignment, &all->comparison), HD_OK);
}

static void
forget(compared *all)
{
    hd_comparison_free(all->comparison);
    hd_alignment_free(all->alignment);
    for (size_t i = 0; i < sizeof all->cubes / sizeof *all->cubes; i++)
        hd_cube_close(all->cubes[i]);
}

/* Two runs of each: twice A, and B and C. */
static void
compare_runs(compared *all)
{
    hd_cube_cell (*const values[])(const small_cube *, uint32_t, uint32_t, uint32_t) =
        { value_a, value_a, value_b, value_c };

    *all = (compared){ 0 };
    for (int i = 0; i < 4; i++)
        all->cubes[i] = small_cube_open(&(small_cube){ metrics, paths, N_METRICS, N_PATHS, 2, 1, .value = values[i] },
                                        "difference_run.cubex");
    all->alignment = hd_alignment_new(all->cubes, 4, (hd_alignment_options){ .one_program = true, .n_of_a = 2 });
    CHECK_EQ(hd_comparison_new(all->alignment, &all->comparison), HD_OK);
}

TEST(totals_and_changes_are_those_of_the_reports)
{
    compared        all;
    hd_place_change most[4];
    uint32_t        waits[4], n;

    compare(&all, 2);
    for (uint32_t metric = 0; metric < N_METRICS; metric++) {
        double a = values_a[metric][0] + values_a[metric][1] + values_a[metric][2],
        b = values_b[metric][0] + values_b[metric][1] + values_b[metric][2];

        CHECK(all.comparison->metrics[metric].of[0] == a && all.comparison->metrics[metric].of[1] == b);
    }
    CHECK_EQ(hd_comparison_waits(all.comparison, waits, 4), 1);
    CHECK_EQ(waits[0], 2);
    n = hd_comparison_paths(all.comparison, 2, most, 4);
    CHECK_EQ(n, 2);
    CHECK_EQ(most[0].number, 2); /* + 2 s, before - 0.5 s */
    CHECK_EQ(most[1].number, 1);
    CHECK_EQ(hd_comparison_paths(all.comparison, 0, most, 1), 1);
    CHECK_EQ(most[0].number, 0); /* of two that have changed as much the first one */
    CHECK_EQ(hd_comparison_processes(all.comparison, 2, 2, most, 4, &n), HD_OK);
    CHECK_EQ(n, 2);
    CHECK(most[1].number == 1 && most[1].of[0] == 0 && most[1].of[1] == 1);
    forget(&all);
}

TEST(percent_are_of_a_and_shares_of_the_time_of_each)
{
    compared all;
    double   of[] = { 1, 2.5 };
    char     text[HD_DIFFERENCE_TEXT];

    compare(&all, 2);
    CHECK(hd_percent_changed(4, 5) == 25 && hd_percent_changed(-4, -5) == -25);
    CHECK(isnan(hd_percent_changed(0, 0)) && hd_percent_changed(0, 1) == INFINITY);
    CHECK(fabs(hd_comparison_share_change(all.comparison, of) - (100 * 2.5 / 14 - 100 * 1.0 / 10)) < 1e-12);
    CHECK_STR(hd_difference_percent(text, of), "+150.0 %");
    CHECK_STR(hd_difference_percent(text, (double[]){ 0, 1 }), "new");
    CHECK_STR(hd_difference_percent(text, (double[]){ 0, 0 }), "");
    CHECK_STR(hd_difference_percent(text, (double[]){ 1, 1001 }), "+1e+05 %");
    CHECK_STR(hd_difference_percent(text, (double[]){ 1, 501 }), "+50000 %");
    CHECK_STR(hd_difference_value(text, &all.alignment->model.metrics[4], 99999, true), "99,999");
    CHECK_STR(hd_difference_value(text, &all.alignment->model.metrics[4], -983550.25, true), "-983,550");
    CHECK_STR(hd_difference_value(text, &all.alignment->model.metrics[4], 99999999, true), "99,999,999");
    CHECK_STR(hd_difference_value(text, &all.alignment->model.metrics[4], 1e9, true), "1e+09");
    CHECK_STR(hd_difference_share(text, all.comparison, &all.alignment->model.metrics[2], of), "+7.86 pp");
    CHECK_STR(hd_difference_share(text, all.comparison, &all.alignment->model.metrics[4], of), "");
    forget(&all);
}

static char *
print(const compared *all, bool is_markdown, bool shows_all)
{
    hd_difference_options options = { .look = { .width = 80 }, .all = shows_all };
    char                 *text    = NULL;
    size_t                bytes;
    FILE                 *file = open_memstream(&text, &bytes);

    CHECK_EQ((is_markdown ? hd_difference_print_markdown : hd_difference_print)(all->comparison, file, &options),
             HD_OK);
    fclose(file);
    return text;
}

TEST(the_page_names_what_has_changed_the_largest_change_first)
{
    compared all;
    char    *text;

    compare(&all, 2);
    text = print(&all, false, false);
    CHECK_STR(text,
        "B takes 1.40 x as long: 5.00 s -> 7.00 s (critical path)\n"
        "  A: \"difference_a.cubex\": 2 processes, 2 locations, 3 call paths\n"
        "  B: \"difference_b.cubex\": 2 processes, 2 locations, 3 call paths\n"
        "  1 run each: not tested whether a difference is more than noise.\n"
        "\n"
        "Causes that have changed (delay costs)\n"
        "                                    A          B       B - A rel. to A  of total\n"
        "  main                         500 ms    1.50 s     +1.00 s   +200.0 %  +5.71 pp\n"
        "    process 1\n"
        "  main > solve<b>|`            500 ms    1.00 s      +500 ms  +100.0 %  +2.14 pp\n"
        "    all 2 processes\n"
        "\n"
        "Wait states                         A          B       B - A rel. to A  of total\n"
        "  Late Sender                 1.00 s     2.50 s     +1.50 s   +150.0 %  +7.86 pp\n"
        "    main > fin\\x5cish            0 s     2.00 s     +2.00 s        new +14.29 pp\n"
        "      all 2 processes\n"
        "    main > solve<b>|`         1.00 s      500 ms     -500 ms   -50.0 %  -6.43 pp\n"
        "      all 2 processes\n"
        "\n"
        "Metrics                             A          B       B - A rel. to A  of total\n"
        "  time                        10.0 s     14.0 s     +4.00 s    +40.0 %\n"
        "    mpi                       3.00 s     6.00 s     +3.00 s   +100.0 % +12.86 pp\n"
        "  visits [occ]                     10         12          +2   +20.0 %\n"
        "  (3 more metrics: small, unchanged, or other views of the same time; --all)\n");
    free(text);
    text = print(&all, false, true);
    CHECK(strstr(text, "    comp                      1.00 s     1.00 s         0 s     +0.0 %  -2.86 pp\n") != NULL);
    CHECK(strstr(text, "\n  delay ") != NULL && strstr(text, "\nTime by call path ") != NULL);
    free(text);
    forget(&all);
}

TEST(several_runs_are_compared_by_their_means_and_tested)
{
    compared all;
    char    *text;
    double   of_run[4];
    hd_welch test;

    compare_runs(&all);
    CHECK(all.comparison->metrics[0].of[0] == 10 && fabs(all.comparison->metrics[0].of[1] - 14.14) < 1e-12);
    CHECK(fabs(all.comparison->metrics[2].of_path[1][2] - 2.02) < 1e-12);
    CHECK_EQ(hd_comparison_path_runs(all.comparison, 2, 2, of_run), HD_OK);
    CHECK(of_run[0] == 0 && of_run[1] == 0 && of_run[2] == 2 && of_run[3] == 2.04);
    test = hd_comparison_test(all.comparison, all.comparison->metrics[0].of_run);
    CHECK(test.deviation[0] == 0 && fabs(test.deviation[1] - 0.28 / sqrt(2)) < 1e-12);
    CHECK(fabs(test.t - 4.14 / 0.14) < 1e-9 && fabs(test.freedom - 1) < 1e-12 &&
          fabs(test.p - (1 - 2 * atan(test.t) / 3.14159265358979323846)) < 1e-12);
    text = print(&all, false, false);
    CHECK_STR(text,
        "B takes 1.41 x as long: 5.00 s -> 7.07 s (critical path)\n"
        "  A: \"difference_run.cubex\": 2 processes, 2 locations, 3 call paths\n"
        "  A: \"difference_run.cubex\": 2 processes, 2 locations, 3 call paths\n"
        "  B: \"difference_run.cubex\": 2 processes, 2 locations, 3 call paths\n"
        "  B: \"difference_run.cubex\": 2 processes, 2 locations, 3 call paths\n"
        "  Means of 2 and 2 runs, standard deviations 0 s and 99.0 ms. Welch's t test: p = 0.022, so the difference\n"
        "  is more than noise.\n"
        "\n"
        "Causes that have changed (delay costs)\n"
        "                                          A         +-          B         +-       B - A rel. to "
              "A       p\n"
        "  main                               500 ms       0 s     1.52 s     21.2 ms    +1.02 s   +203.0 %   0.009 *\n"
        "    process 1\n"
        "  main > solve<b>|`                  500 ms       0 s     1.01 s     14.1 ms     +510 ms  +102.0 %   0.012 *\n"
        "    all 2 processes\n"
        "\n"
        "Wait states                               A         +-          B         +-       B - A rel. to A       p\n"
        "  Late Sender (mpi_latesender)      1.00 s        0 s     2.52 s     35.4 ms    +1.52 s   +152.5 %   0.010 *\n"
        "    main > fin\\x5cish                  0 s        0 s     2.02 s     28.3 ms    +2.02 s        new   0.006 "
              "*\n"
        "      all 2 processes\n"
        "    main > solve<b>|`               1.00 s        0 s      505 ms    7.07 ms     -495 ms   -49.5 %   0.006 *\n"
        "      all 2 processes\n"
        "\n"
        "Metrics                                   A         +-          B         +-       B - A rel. to A       p\n"
        "  time                              10.0 s        0 s     14.1 s      198 ms    +4.14 s    +41.4 %   0.022 *\n"
        "    mpi                             3.00 s        0 s     6.06 s     84.9 ms    +3.06 s   +102.0 %   0.012 *\n"
        "    comp                            1.00 s        0 s     1.01 s     14.1 ms    +10.0 ms    +1.0 %    0.50\n"
        "  visits [occ]                           10          0         12          0          +2   +20.0 %  <0.001 *\n"
        "  (2 more metrics: small, unchanged, or other views of the same time; --all)\n"
        "+-: standard deviation. p: probability of such a difference by chance (Welch's t test); *: more than noise\n");
    free(text);
    text = print(&all, true, false);
    CHECK(strstr(text, "| 10.0 s ± 0 s | 14.1 s ± 198 ms | +4.14 s | +41.4 % | 0.022 \\* |\n") != NULL);
    free(text);
    forget(&all);
}

TEST(runs_of_different_numbers_of_processes_are_compared_by_their_sums_and_the_page_says_so)
{
    compared all;
    char    *text;

    compare(&all, 4);
    text = print(&all, false, false);
    CHECK_EQ(all.alignment->sums, HD_SUMS_OF_ALL);
    CHECK(strstr(text, "different processes: sums over all of them are compared.\n") != NULL);
    CHECK(strstr(text, "  time                        10.0 s     28.0 s     +18.0 s") != NULL);
    CHECK(strstr(text, "process 0") == NULL && strstr(text, "all 2 processes") == NULL);
    free(text);
    text = print(&all, true, false);
    CHECK(strstr(text, "\nThey have different processes: sums over all of them are compared.\n") != NULL);
    free(text);
    forget(&all);
}

TEST(what_has_not_changed_is_not_told)
{
    small_cube     a       = { metrics, paths, N_METRICS, N_PATHS, 2, 1, .value = value_a };
    hd_cube       *cubes[] = { small_cube_open(&a, "difference_a.cubex"), small_cube_open(&a, "difference_b.cubex") };
    hd_alignment  *alignment = hd_alignment_new(cubes, 2, (hd_alignment_options){ .one_program = true });
    compared       all       = { .cubes = { cubes[0], cubes[1] }, .alignment = alignment };
    char          *text;

    CHECK_EQ(hd_comparison_new(alignment, &all.comparison), HD_OK);
    text = print(&all, false, false);
    CHECK(strncmp(text, "B takes as long as A: 5.00 s (critical path)\n", 45) == 0);
    CHECK(strstr(text, "  time                        10.0 s     10.0 s         0 s     +0.0 %\n  (6 more") !=
          NULL);
    CHECK(strstr(text, "Time by") == NULL && strstr(text, "Causes") == NULL && strstr(text, "Wait states") == NULL);
    free(text);
    forget(&all);
}

TEST(no_more_are_named_than_there_are)
{
    compared all;

    compare(&all, 2);
    CHECK_EQ(hd_comparison_top(all.comparison, 0), 3);
    CHECK_EQ(hd_comparison_top(all.comparison, 2), 2);
    CHECK_EQ(hd_comparison_top(all.comparison, UINT32_MAX - 1), N_METRICS);
    forget(&all);
}

TEST(names_cannot_break_out_of_tables)
{
    compared all;
    char    *text;

    compare(&all, 2);
    text = print(&all, true, false);
    CHECK(strstr(text, "| Late Sender") == NULL);
    CHECK(strstr(text, "| mpi\\_latesender `mpi_latesender` | 1.00 s | 2.50 s | +1.50 s | +150.0 % | +7.86 pp |\n") !=
          NULL);
    CHECK(strstr(text, "| `` main > solve<b>\\|` `` all 2 processes | 1.00 s | 500 ms | -500 ms | -50.0 % | -6.43 pp "
                 "|\n") != NULL);
    CHECK(strstr(text, "| `main > fin\\x5cish` all 2 processes |") != NULL); /* escaped once */
    CHECK(strstr(text, "| &emsp;mpi `mpi` | 3.00 s | 6.00 s | +3.00 s | +100.0 % | +12.86 pp |\n") != NULL);
    free(text);
    forget(&all);
}

TEST(texts_in_markdown_stay_what_they_are)
{
    char  *text = NULL;
    size_t bytes;
    FILE  *file = open_memstream(&text, &bytes);

    hd_markdown_text(file, "a<b>&*c*_d_|[e](f)#1!~`g`");
    fputc('\n', file);
    hd_markdown_code(file, "a``b|c");
    fputc('\n', file);
    hd_markdown_code(file, "plain");
    fclose(file);
    CHECK_STR(text, "a&lt;b>&amp;\\*c\\*\\_d\\_\\|\\[e\\](f)\\#1\\!\\~\\`g\\`\n``` a``b\\|c ```\n`plain`");
    free(text);
}

TEST_MAIN
