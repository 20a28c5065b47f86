/* tests/report/members/test_startup.c: what is start-up, and that its values are skipped.
 *
 *   main ─┬─ MPI_Init ─── tool
 *         ├─ solve ─── MPI_Allreduce
 *         └─ mpi_finalize
 */
#include "startup.h"
#include "startup_impact.h"

#include "check.h"
#include "memory.h"
#include "small_cube.h"

static const small_metric metrics[] = { { "time", "sec", HD_NONE, SMALL_REAL }, { "mpi", "sec", 0, SMALL_REAL } };
static const small_path   paths[]   =
    { { "main", HD_NONE }, { "MPI_Init", 0 }, { "tool", 1 }, { "solve", 0 }, { "MPI_Allreduce", 3 },
      { "mpi_finalize", 0 } };
static const small_path   only[]    = { { "MPI_Init", HD_NONE }, { "tool", 0 } };

/* 1, 10, 100, ... s at each location. */
static hd_cube_cell
power_of_path(const small_cube *cube, uint32_t metric, uint32_t path, uint32_t location)
{
    double value = 1;

    (void)cube;
    (void)metric;
    (void)location;
    while (path-- > 0)
        value *= 10;
    return (hd_cube_cell){ .real = value };
}

static double
sum_of(hd_cube *cube, uint32_t metric)
{
    double values[6] = { 0 }, sum = 0;

    CHECK_EQ(hd_cube_sum(cube, metric, NULL, values), HD_OK);
    for (uint32_t i = 0; i < cube->n_locations; i++)
        sum += values[i];
    return sum;
}

static bool
says(const hd_startup *startup, const char *expected)
{
    char *text = hd_startup_text(startup);
    bool  does = expected == NULL ? text == NULL : text != NULL && strstr(text, expected) != NULL;

    free(text);
    return does;
}

TEST(the_calls_that_start_and_end_mpi_are_skipped_with_what_is_below_them)
{
    const small_cube small = { metrics, paths, 2, 6, 3, 2, .value = power_of_path };
    hd_cube         *cube  = small_cube_open(&small, "startup.cubex");
    hd_startup       startup;
    double           row[6];
    bool             any;

    CHECK_EQ(hd_startup_skip(cube, &startup), HD_OK);
    CHECK_EQ((int64_t)startup.seconds, 6 * 100110);
    CHECK_EQ((int64_t)startup.whole, 6 * 111111);
    CHECK_EQ((int64_t)sum_of(cube, 0), 6 * 11001);
    CHECK_EQ((int64_t)sum_of(cube, 1), 6 * 11001);
    CHECK_EQ(hd_cube_row(cube, 1, 2, row, &any), HD_OK);
    CHECK(!any && row[0] == 0 && row[5] == 0);
    CHECK(says(&startup, "600660 s, 90.1 % of all time"));
    CHECK(says(&startup, "Start-up is more than half of the run"));
    hd_cube_close(cube);
}

static hd_cube_cell
nothing(const small_cube *cube, uint32_t metric, uint32_t path, uint32_t location)
{
    (void)cube, (void)metric, (void)path, (void)location;
    return (hd_cube_cell){ 0 };
}

/* As of the imbalance impact of the main window, which follows below: where that of the run is zero. */
TEST(a_part_outside_is_taken_off_where_the_run_has_no_value)
{
    const small_cube small = { metrics, paths, 2, 6, 3, 2, .value = nothing };
    hd_cube         *cube  = small_cube_open(&small, "startup.cubex");
    double           row[6];
    bool             any;

    cube->taken_off    = HD_NEW_ARRAY(hd_cube_part, 1);
    cube->taken_off[0] = (hd_cube_part){ .metric = 1, .path = 3, .location = 5, .value.real = -7 };
    cube->n_taken_off  = 1;
    CHECK_EQ(hd_cube_row(cube, 1, 3, row, &any), HD_OK);
    CHECK(any && row[0] == 0 && row[5] == 7);
    CHECK_EQ((int64_t)sum_of(cube, 1), 7);
    CHECK_EQ(hd_cube_row(cube, 1, 2, row, &any), HD_OK);
    CHECK(!any && row[5] == 0);
    hd_cube_close(cube);
}

TEST(a_function_of_the_program_with_such_a_name_counts)
{
    const small_cube small = { metrics, paths, 2, 6, 3, 2, .value = power_of_path };
    hd_cube         *cube  = small_cube_open(&small, "startup.cubex");
    hd_startup       startup;

    for (uint32_t i = 0; i < cube->n_regions; i++)
        cube->regions[i].paradigm = "user";
    CHECK_EQ(hd_startup_skip(cube, &startup), HD_OK);
    CHECK(cube->skipped == NULL && startup.seconds == 0 && says(&startup, NULL));
    hd_cube_close(cube);
}

TEST(of_a_report_that_has_nothing_else_nothing_is_skipped)
{
    const small_cube small = { metrics, only, 2, 2, 3, 2, .value = power_of_path };
    hd_cube         *cube  = small_cube_open(&small, "startup.cubex");
    hd_startup       startup;

    CHECK_EQ(hd_startup_skip(cube, &startup), HD_OK);
    CHECK(cube->skipped == NULL && says(&startup, NULL));
    hd_cube_close(cube);
}

TEST(numbers_as_scout_has_them_stay_whole)
{
    const small_cube  small     = { metrics, paths, 2, 6, 3, 2, .value = power_of_path };
    hd_cube          *cube      = small_cube_open(&small, "startup.cubex");
    hd_cube_attribute compat    = { "Heddle::Compat", "scout26" }, *own = cube->attributes;
    uint32_t          n         = cube->n_attributes;
    hd_startup        startup;

    cube->attributes   = &compat;
    cube->n_attributes = 1;
    CHECK_EQ(hd_startup_skip(cube, &startup), HD_OK);
    CHECK(cube->skipped == NULL);
    cube->attributes   = own;
    cube->n_attributes = n;
    hd_cube_close(cube);
}

TEST(reports_of_other_reports_have_no_main_window)
{
    static const char *const keys[] = { "Heddle::Cut", "Heddle::Algebra", "Heddle::Other" };

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const small_cube  small        = { metrics, paths, 2, 6, 3, 2, .value = power_of_path };
        hd_cube          *cube         = small_cube_open(&small, "startup.cubex");
        hd_cube_attribute attributes[] = { { HD_MAIN_WINDOW_ATTRIBUTE, "0.5 2 4" }, { keys[i], "x" } };
        hd_cube_attribute *own         = cube->attributes;
        uint32_t          n            = cube->n_attributes;
        hd_startup        startup;

        cube->attributes   = attributes;
        cube->n_attributes = 2;
        CHECK_EQ(hd_startup_skip(cube, &startup), HD_OK);
        CHECK(startup.seconds > 0);
        CHECK_EQ(startup.window.run > 0, i == 2);
        cube->attributes   = own;
        cube->n_attributes = n;
        hd_cube_close(cube);
    }
}

TEST(the_main_window_says_how_much_of_the_run_is_start_up)
{
    CHECK(says(&(hd_startup){ .seconds = 1, .whole = 100, .window = { 0.5, 2, 4 } }, "1.0 % of all time"));
    CHECK(says(&(hd_startup){ .seconds = 1, .whole = 100, .window = { 0.5, 2, 4 } },
               "main window 0.5 s to 2 s, of 4.00 s"));
    CHECK(says(&(hd_startup){ .seconds = 1, .whole = 100, .window = { 0.5, 2, 4 } },
               "More than half of the run is outside of it"));
    CHECK(!says(&(hd_startup){ .seconds = 90, .whole = 100, .window = { 0.5, 3, 4 } }, "half of the run"));
}

/* Process 0 computes 100 in foo, 1 and 2 compute 40 and 30; then 2 receives (2) and computes 20 in baz. The critical
 * path is foo on 0, MPI_Recv and baz on 2. Outside of the main window process 1 computes 500 in foo, and 0 is in
 * MPI_Finalize for 1000. */
enum { PATH, IMPACTS, OF_PATH, ACTIVE, IMPACT, INTRA, INTER, OTHERS };

static const small_metric of_path[] =
    { { "critical_path", "sec", HD_NONE, SMALL_REAL }, { "performance_impact", "sec", HD_NONE, SMALL_REAL },
      { "performance_impact_criticalpath", "sec", IMPACTS, SMALL_REAL },
      { "critical_path_activities", "sec", OF_PATH, SMALL_REAL },
      { "critical_imbalance_impact", "sec", OF_PATH, SMALL_REAL },
      { "intra_partition_imbalance", "sec", IMPACT, SMALL_REAL },
      { "inter_partition_imbalance", "sec", IMPACT, SMALL_REAL },
      { "non_critical_path_activities", "sec", IMPACTS, SMALL_REAL } };
static const small_path chain[] =
    { { "main", HD_NONE }, { "MPI_Init", 0 }, { "foo", 0 }, { "MPI_Recv", 0 }, { "baz", 0 }, { "MPI_Finalize", 0 } };
enum { FOO = 2, RECV, BAZ, FINALIZE };

typedef struct chain_value {
    uint32_t metric, path, location;
    double   value;
} chain_value;

static const chain_value chain_values[] =
    { { PATH, FOO, 0, 100 }, { PATH, RECV, 2, 2 }, { PATH, BAZ, 2, 20 },
      { ACTIVE, FOO, 0, 100 }, { ACTIVE, FOO, 1, 100 }, { ACTIVE, FOO, 2, 30 }, { ACTIVE, RECV, 2, 2 },
      { ACTIVE, BAZ, 2, 20 }, { OTHERS, FOO, 1, 440 }, { OTHERS, FINALIZE, 0, 1000 },
      { IMPACT, FOO, 0, 70 }, { INTRA, FOO, 0, 70 }, { OF_PATH, FOO, 0, 70 }, { IMPACTS, FOO, 0, 70 } };

static hd_cube_cell
value_of_chain(const small_cube *cube, uint32_t metric, uint32_t path, uint32_t location)
{
    (void)cube;
    for (size_t i = 0; i < sizeof chain_values / sizeof *chain_values; i++)
        if (chain_values[i].metric == metric && chain_values[i].path == path && chain_values[i].location == location)
            return (hd_cube_cell){ .real = chain_values[i].value };
    return (hd_cube_cell){ 0 };
}

static hd_cube *
open_chain(void)
{
    const small_cube small = { of_path, chain, 8, 6, 3, 1, .value = value_of_chain };
    hd_cube         *cube  = small_cube_open(&small, "startup.cubex");

    cube->skipped           = HD_NEW_ARRAY(bool, 6);
    cube->skipped[1]        = cube->skipped[FINALIZE] = true;
    cube->taken_off         = HD_NEW_ARRAY(hd_cube_part, 2);
    cube->taken_off[0]      = (hd_cube_part){ .metric = ACTIVE, .path = FOO, .location = 1, .value.real = 60 };
    cube->taken_off[1]      = (hd_cube_part){ .metric = OTHERS, .path = FOO, .location = 1, .value.real = 440 };
    cube->n_taken_off       = 2;
    return cube;
}

static void
check_row(hd_cube *cube, uint32_t metric, uint32_t path, double first, double second, double third)
{
    const double expected[] = { first, second, third };
    double       row[3];
    bool         any;

    CHECK_EQ(hd_cube_row(cube, metric, path, row, &any), HD_OK);
    for (uint32_t i = 0; i < 3; i++)
        CHECK(row[i] > expected[i] - 1e-9 && row[i] < expected[i] + 1e-9);
}

TEST(the_imbalance_impact_is_that_of_the_main_window)
{
    hd_cube *cube = open_chain();

    CHECK_EQ(hd_startup_impact_take_off(cube), HD_OK);
    for (uint32_t m = IMPACTS; m <= IMPACT; m++)
        if (m != ACTIVE) {
            check_row(cube, m, FOO, 130, 0, 0);
            check_row(cube, m, RECV, 0, 0, 4);
            check_row(cube, m, BAZ, 0, 0, 40);
        }
    check_row(cube, INTRA, FOO, 130, 0, 0);
    check_row(cube, INTRA, BAZ, 0, 0, 0);
    check_row(cube, INTER, FOO, 0, 0, 0);
    check_row(cube, INTER, RECV, 0, 0, 4);
    check_row(cube, INTER, BAZ, 0, 0, 40);
    check_row(cube, ACTIVE, FOO, 100, 40, 30);
    hd_cube_close(cube);
}

static hd_cube_cell
rounded(const small_cube *cube, uint32_t metric, uint32_t path, uint32_t location)
{
    (void)cube;
    if (path == FOO && metric == PATH)
        return (hd_cube_cell){ .real = location == 0 ? 100 : 0 };
    if (path == FOO && metric == ACTIVE)
        return (hd_cube_cell){ .real = location == 0 ? 100 : location == 1 ? 100 - 1e-12 : 30 };
    return (hd_cube_cell){ .real = path == 0 && metric == OTHERS && location == 1 ? 500 : 0 };
}

/* Process 1 has what the path has, but for rounding, and 500 more: nothing of that is shared out. */
TEST(a_rounded_value_is_no_excess)
{
    const small_cube small = { of_path, chain, 8, 6, 3, 1, .value = rounded };
    hd_cube         *cube  = small_cube_open(&small, "startup.cubex");

    CHECK_EQ(hd_startup_impact_take_off(cube), HD_OK);
    check_row(cube, IMPACT, FOO, 70, 0, 0);
    hd_cube_close(cube);
}

TEST_MAIN
