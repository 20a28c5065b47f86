/* tests/cube/write/test_cube_round_trip.c: what is read is written so that it is read again: the same anchor, and the
 * same values bit for bit.
 *
 * Arguments: reports. With HEDDLE_CUBES=folder: all reports in it, too. Without, one that is put together here has to
 * do.
 */
#include <dirent.h>
#include <float.h>
#include <math.h>
#include <unistd.h>

#include "check.h"
#include "compare_cubes.h"
#include "cube_out.h"
#include "memory.h"

static const char written[] = "test_cube_round_trip.cubex", again[] = "test_cube_round_trip_2.cubex";

static char **reports;

static void
check_same(char *difference, const char *report)
{
    if (difference != NULL)
        printf("%s: another %s\n", report, difference);
    CHECK(difference == NULL);
    free(difference);
}

static void
compare_misc(hd_cube *a, hd_cube *b)
{
    for (uint32_t i = 0; i < a->n_misc; i++) {
        char  *x = NULL, *y = NULL;
        size_t n_x = 0, n_y = 0;

        CHECK_STR(a->misc[i], b->misc[i]);
        CHECK_EQ(hd_cube_misc(a, a->misc[i], 1 << 26, &x, &n_x), HD_OK);
        CHECK_EQ(hd_cube_misc(b, a->misc[i], 1 << 26, &y, &n_y), HD_OK);
        CHECK(n_y - n_x <= 1 && memcmp(x, y, n_x) == 0); /* a newline where it would fill its last block */
        free(x);
        free(y);
    }
}

static void
check_equal_files(const char *a, const char *b)
{
    FILE *x = fopen(a, "r"), *y = fopen(b, "r");
    int   c = 0, d = 0;

    while (x != NULL && y != NULL && c == d && c != EOF) {
        c = getc(x);
        d = getc(y);
    }
    CHECK(x != NULL && y != NULL && c == d);
    if (x != NULL)
        fclose(x);
    if (y != NULL)
        fclose(y);
}

static void
check_round_trip(const char *report)
{
    hd_cube  *cube = NULL, *copy = NULL;
    hd_status status = hd_cube_open(report, &cube);

    if (status == HD_OK)
        status = write_again(cube, written);
    if (status == HD_OK)
        status = hd_cube_open(written, &copy);
    if (status == HD_OK) {
        char *difference = compare_anchors(cube, copy);
        bool  is_same    = difference == NULL;

        check_same(difference, report);
        if (is_same) {
            check_same(compare_values(cube, copy), report);
            compare_misc(cube, copy);
        }
        CHECK(cube->n_paths == 0 || cube->n_metrics > 0);
        CHECK_EQ(write_again(copy, again), HD_OK);
        check_equal_files(written, again);
    } else
        printf("%s: %s\n", report, hd_error_get()->text);
    CHECK_EQ(status, HD_OK);
    hd_cube_close(cube);
    hd_cube_close(copy);
    unlink(written);
    unlink(again);
}

/* ---- a report with a bit of everything --------------------------------------------------------------------------- */

static hd_cube_attribute attributes[]      = { { "Creator", "a <test> & \"more\"" }, { "CUBE_CT_AGGR", "SUM" } };
static hd_cube_attribute part_attributes[] =
    { { "of", "a metric" }, { "of", "a region" }, { "also", "of it" }, { "of", "a path" },
      { "of", "a node" },   { "of", "a group" },  { "of", "a location" } };
static hd_cube_parameter parameters[]      = { { "n", "7", true }, { "file", "a 'b'", false } };
static const char       *mirrors[]         = { "http://localhost/", "file:///docs/" };

#define METRIC(name_) .id = name_, .name = "Name of " name_, .unit = "sec", .what = "line\n\tline <&>",                \
                            .url = "@mirror@" name_, .type = ""
#define DERIVED(of, formula, first, plus_, minus_, together_)                                                          \
    .kind = HD_CUBE_##of, .expression = formula, .preparation = first, .plus = plus_, .minus = minus_,                 \
            .together = together_
static hd_cube_metric metrics[] = {
    { METRIC("time"), .parent = HD_NONE, .attributes = { 0, 1 }, .is_additive = true },
    { METRIC("count"), .parent = 0, .is_integer = true, .is_unsigned = true, .is_additive = true },
    { METRIC("balance"), .parent = 1, .is_integer = true, .is_additive = true },
    { METRIC("least"), .parent = HD_NONE, .is_extreme = true, .is_minimum = true },
    { METRIC("most"), .parent = HD_NONE, .is_extreme = true },
    { METRIC("nothing"), .parent = HD_NONE, .is_additive = true },
    { METRIC("twice"), .parent = HD_NONE, DERIVED(POSTDERIVED, "2 * metric::time()", "", "", "", ""),
      .is_additive = true },
    { METRIC("ratio"), .parent = HD_NONE,
      DERIVED(POSTDERIVED, "metric::time(i)\n / metric::count(e) // \"x\" < 1", "", "", "", "max(arg1, arg2)") },
    { METRIC("peak"), .parent = HD_NONE, .is_extreme = true,
      DERIVED(PREDERIVED_EXCLUSIVE, "${mask}[${calculation::callpath::id}] * metric::ghost()",
              "{ global(mask); ${mask}[2] = 5; return 0; }",
              "max(arg1, arg2)", "", "") },
    { METRIC("whole"), .parent = HD_NONE,
      DERIVED(PREDERIVED_INCLUSIVE, "metric::time()", "", "arg1 + arg2", "arg1 - arg2", ""), .is_additive = true },
    { METRIC("ghost"), .parent = 0, .is_additive = true, .is_hidden = true },
};

static hd_cube_region regions[] = {
    { .name = "main", .mangled_name = "_main", .file = "main.c", .paradigm = "user", .role = "function", .url = "",
      .what = "the begin", .begin_line = 3, .end_line = 30, .attributes = { 1, 2 } },
    { .name = "f<int>", .mangled_name = "", .file = "", .paradigm = "", .role = "", .url = "u", .what = "",
      .begin_line = -1, .end_line = -1 },
};

/* Depth-first these are 0 3 1 2: main, its f, main again, its f. */
static hd_cube_path paths[] = {
    { .name = "main", .region = 0, .parent = HD_NONE, .call_file = "", .call_line = -1 },
    { .name = "main", .region = 0, .parent = HD_NONE, .call_file = "start.s", .call_line = 9, .attributes = { 3, 1 } },
    { .name = "f<int>{n=7}{file=a 'b'}", .region = 1, .parent = 1, .call_file = "", .call_line = 12,
      .parameters = { 0, 2 } },
    { .name = "f<int>", .region = 1, .parent = 0, .call_file = "", .call_line = -1 },
};
static const uint32_t depth_first[] = { 0, 3, 1, 2 };

static hd_cube_node nodes[] = {
    { .name = "machine", .class_name = "machine", .what = "", .parent = HD_NONE },
    { .name = "n0", .class_name = "node", .what = "first", .parent = 0, .attributes = { 4, 1 } },
    { .name = "n1", .class_name = "node", .what = "", .parent = 0 },
};
static hd_cube_group groups[] = { { .name = "rank 0", .type = "process", .rank = 0, .parent = 1,
                                    .attributes = { 5, 1 } },
                                  { .name = "gpu", .type = "accelerator", .rank = 1, .parent = 2 } };
static hd_cube_location locations[] = {
    { .name = "thread", .type = "thread", .process_name = "", .thread = 0, .group = 0 },
    { .name = "stream", .type = "accelerator stream", .process_name = "", .thread = 5, .group = 1,
      .attributes = { 6, 1 } },
    { .name = "thread 1", .type = "thread", .process_name = "", .thread = 1, .group = 0 },
};
static hd_cube_dimension dimensions[] = { { "x", 2, true }, { "", 4000000, false } };
static uint32_t          rows[]       = { 0, 0, 0, 2, 1, 3999999, 0, 1, 1 };
static hd_cube_topology  topologies[] = { { "grid", dimensions, rows, 2, 3 }, { "", dimensions + 1, rows, 1, 0 } };

#define N(array) (sizeof(array) / sizeof *(array))
static const hd_cube made = {
    .path = "made", .version = "", .metrics = metrics, .regions = regions, .paths = paths, .nodes = nodes,
    .groups = groups, .locations = locations,
    .topologies = topologies, .attributes = attributes, .part_attributes = part_attributes, .parameters = parameters,
    .mirrors = mirrors,
    .n_metrics = N(metrics) - 1, .n_hidden = 1, .n_regions = N(regions), .n_paths = N(paths), .n_nodes = N(nodes),
    .n_groups = N(groups),
    .n_locations = N(locations), .n_topologies = N(topologies), .n_attributes = N(attributes),
    .n_part_attributes = N(part_attributes),
    .n_parameters = N(parameters), .n_mirrors = N(mirrors),
};

static const double reals[]    = { 0.1, -0.0, DBL_MIN / 4, INFINITY, -1e300, 1.0 / 3, DBL_MAX, 2, 3, 4, 5, 6 };
static const int64_t integers[] = { INT64_MIN, INT64_MAX, -1, 1, (1LL << 53) + 1, 0, 7, 8, 9, 10, 11, 12 };

static hd_status
made_rows(void *context, uint32_t metric, uint32_t path, hd_cube_cell *cells, bool *any)
{
    (void)context;
    *any = metric == 0 || metric == 1 || metric == 2 || metric == 3 || metric == 10 ? path != 3 : metric == 4;
    for (uint32_t i = 0; i < N(locations) && *any; i++)
        if (metrics[metric].is_integer)
            cells[i].integer = integers[3 * path + i];
        else
            cells[i].real = metric == 4 ? 0 : reals[3 * path + i];
    return HD_OK;
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

TEST(a_report_put_together_by_hand_is_read_as_it_was_meant)
{
    static const hd_cube_member members[] = { { "notes.txt", "hello", 5 }, { "empty", "", 0 } };
    hd_cube                    *cube      = NULL;
    hd_cube_path                expected[N(paths)];
    static const uint32_t       parents[] = { HD_NONE, 0, HD_NONE, 2 };
    hd_cube                     sorted    = made;
    char                       *text      = NULL;
    size_t                      bytes     = 0;

    for (uint32_t i = 0; i < N(paths); i++) {
        expected[i]        = paths[depth_first[i]];
        expected[i].parent = parents[i];
    }
    sorted.paths  = expected;
    sorted.n_misc = N(members);
    CHECK_EQ(hd_cube_out_write(&(hd_cube_out){ .cube = &made, .rows = made_rows, .members = members,
                                               .n_members = N(members) }, written), HD_OK);
    CHECK_EQ(hd_cube_open(written, &cube), HD_OK);
    check_same(compare_anchors(&sorted, cube), "made");
    CHECK_STR(cube->version, "4.7");
    CHECK_EQ(hd_cube_misc(cube, "notes.txt", 100, &text, &bytes), HD_OK);
    CHECK_STR(text, "hello");
    free(text);
    for (uint32_t metric = 0; metric < 5; metric++)
        for (uint32_t path = 0; path < N(paths); path++) {
            hd_cube_cell got[N(locations)], meant[N(locations)] = { { 0 } };
            bool         any_got, any_meant;

            CHECK_EQ(hd_cube_cells(cube, metric, path, got, &any_got), HD_OK);
            CHECK_EQ(made_rows(NULL, metric, depth_first[path], meant, &any_meant), HD_OK);
            CHECK_EQ(any_got, any_meant);
            CHECK(memcmp(got, meant, sizeof got) == 0);
        }
    hd_cube_close(cube);
    CHECK_EQ(rename(written, "test_cube_round_trip_made.cubex"), 0);
    check_round_trip("test_cube_round_trip_made.cubex");
    unlink("test_cube_round_trip_made.cubex");
}

TEST(a_report_without_anything_is_one)
{
    static const hd_cube nothing = { .path = "nothing", .version = "" };

    CHECK_EQ(hd_cube_out_write(&(hd_cube_out){ .cube = &nothing, .rows = made_rows },
                               "test_cube_round_trip_made.cubex"), HD_OK);
    check_round_trip("test_cube_round_trip_made.cubex");
    unlink("test_cube_round_trip_made.cubex");
}

static hd_status
failing_rows(void *context, uint32_t metric, uint32_t path, hd_cube_cell *cells, bool *any)
{
    (void)context, (void)cells;
    *any = false;
    return metric == 3 && path == 2 ? hd_fail(HD_EREAD, "no such row") : HD_OK;
}

TEST(where_rows_cannot_be_had_nothing_is_left)
{
    FILE *file = fopen(written, "w");

    REQUIRE(file != NULL);
    fputs("before", file);
    fclose(file);
    CHECK_EQ(hd_cube_out_write(&(hd_cube_out){ .cube = &made, .rows = failing_rows }, written), HD_EREAD);
    CHECK_STR(hd_error_get()->text, "no such row");
    file = fopen(written, "r");
    CHECK(file != NULL && getc(file) == 'b'); /* as it was */
    if (file != NULL)
        fclose(file);
    unlink(written);
    CHECK_EQ(hd_cube_out_write(&(hd_cube_out){ .cube = &made, .rows = made_rows }, "no/such/folder/report.cubex"),
             HD_EOPEN);
}

TEST(reports_that_are_given_survive_the_round_trip)
{
    for (char **report = reports; *report != NULL; report++)
        check_round_trip(*report);
    if (*reports == NULL)
        printf("skipped: no reports are given\n");
}

TEST(reports_of_other_tools_survive_the_round_trip)
{
    const char    *name   = getenv("HEDDLE_CUBES");
    DIR           *folder = name != NULL ? opendir(name) : NULL;
    struct dirent *entry;
    int            n = 0;

    if (folder == NULL) {
        printf("skipped: HEDDLE_CUBES does not name a folder with reports\n");
        return;
    }
    while ((entry = readdir(folder)) != NULL) {
        size_t length = strlen(entry->d_name);
        char  *report;

        if (length < 6 || strcmp(entry->d_name + length - 6, ".cubex") != 0)
            continue;
        report = hd_format("%s/%s", name, entry->d_name);
        check_round_trip(report);
        free(report);
        n++;
    }
    closedir(folder);
    CHECK(n > 0);
}

int
main(int argc, char **argv)
{
    (void)argc;
    reports = argv + 1;
    return check_run_all(NULL);
}
