/* tests/report/algebra/test_cut.c: other roots, and subtrees that are taken out, with their values or without.
 *
 *   0 main ─┬─ 1 setup
 *           ├─ 2 solve ─┬─ 3 exchange ─── 4 MPI_Recv
 *           │           └─ 5 solve ─── 6 MPI_Recv
 *           └─ 7 MPI_Recv
 */
#include "cut.h"

#include <math.h>

#include "check.h"
#include "memory.h"
#include "small_cube.h"

static const small_metric metrics[] =
    { { "time", "sec", HD_NONE, SMALL_REAL }, { "visits", "occ", HD_NONE, SMALL_INTEGER },
      { "least", "sec", HD_NONE, SMALL_MINIMUM } };
static const small_path   paths[]   =
    { { "main", HD_NONE }, { "setup", 0 }, { "solve", 0 }, { "exchange", 2 }, { "MPI_Recv", 3 },
      { "solve", 2 }, { "MPI_Recv", 5 }, { "MPI_Recv", 0 } };
static const small_cube   small     = { metrics, paths, 3, 8, 2, 2, .value = NULL };

/* NULL-terminated lists. NULL: it fails, with the words in hd_error_get(). */
static hd_cube *
cut(const char *const *roots, const char *const *pruned, bool drops)
{
    hd_cube       *cube    = small_cube_open(&small, "cut.cubex"), *opened = NULL;
    hd_cut_options options = { .roots = roots, .pruned = pruned, .drops = drops };
    hd_cut        *result  = NULL;

    while (roots != NULL && roots[options.n_roots] != NULL)
        options.n_roots++;
    while (pruned != NULL && pruned[options.n_pruned] != NULL)
        options.n_pruned++;
    if (hd_cut_new(cube, &options, &result) == HD_OK) {
        CHECK_EQ(hd_cube_out_write(&(hd_cube_out){ .cube = hd_cut_cube(result), .rows = hd_cut_rows,
                                                   .context = result }, "cut_out.cubex"), HD_OK);
        CHECK_EQ(hd_cube_open("cut_out.cubex", &opened), HD_OK);
    }
    hd_cut_free(result);
    hd_cube_close(cube);
    return opened;
}

/* Of the given call paths (HD_NONE ends), as they were. */
static double
sum_of(uint32_t metric, const uint32_t *which, uint32_t location)
{
    double sum = 0;

    for (; *which != HD_NONE; which++) {
        hd_cube_cell cell  = small_value(&small, metric, *which, location);
        double       value = metrics[metric].kind == SMALL_INTEGER ? (double)cell.integer : cell.real;

        if (metrics[metric].kind == SMALL_MINIMUM)
            sum = value == 0 || (sum != 0 && sum < value) ? sum : value;
        else
            sum += value;
    }
    return sum;
}

/* The call path of a result has the values of these of the report. */
static void
check_path(hd_cube *cube, uint32_t path, const char *name, uint32_t parent, const uint32_t *which)
{
    double row[4];
    bool   any;

    if (cube == NULL || path >= cube->n_paths) {
        CHECK(cube != NULL && path < cube->n_paths);
        return;
    }
    CHECK_STR(cube->paths[path].name, name);
    CHECK_EQ(cube->paths[path].parent, parent);
    for (uint32_t metric = 0; metric < 3; metric++) {
        CHECK_EQ(hd_cube_row(cube, metric, path, row, &any), HD_OK);
        for (uint32_t i = 0; i < 4; i++)
            CHECK(fabs(row[i] - sum_of(metric, which, i)) <= 1e-12 * fabs(row[i]));
    }
}

#define WHICH(...) ((const uint32_t[]){ __VA_ARGS__, HD_NONE })
#define LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })

TEST(a_root_keeps_what_is_below_it_with_its_values)
{
    hd_cube *cube = cut(LIST("solve"), NULL, false);

    CHECK_EQ(cube->n_paths, 5); /* the inner solve stays where it is */
    check_path(cube, 0, "solve", HD_NONE, WHICH(2));
    check_path(cube, 1, "exchange", 0, WHICH(3));
    check_path(cube, 2, "MPI_Recv", 1, WHICH(4));
    check_path(cube, 3, "solve", 0, WHICH(5));
    check_path(cube, 4, "MPI_Recv", 3, WHICH(6));
    hd_cube_close(cube);
}

TEST(several_call_paths_become_roots)
{
    hd_cube *cube = cut(LIST("main;MPI_Recv", "exchange"), NULL, false);

    CHECK_EQ(cube->n_paths, 3);
    check_path(cube, 0, "exchange", HD_NONE, WHICH(3));
    check_path(cube, 1, "MPI_Recv", 0, WHICH(4));
    check_path(cube, 2, "MPI_Recv", HD_NONE, WHICH(7));
    hd_cube_close(cube);
}

TEST(what_is_pruned_is_added_to_its_parent_so_sums_stay_what_they_are)
{
    hd_cube *cube = cut(NULL, LIST("solve;exchange", "main;MPI_Recv"), false);

    CHECK_EQ(cube->n_paths, 5);
    check_path(cube, 0, "main", HD_NONE, WHICH(0, 7));
    check_path(cube, 1, "setup", 0, WHICH(1));
    check_path(cube, 2, "solve", 0, WHICH(2, 3, 4));
    check_path(cube, 3, "solve", 2, WHICH(5));
    check_path(cube, 4, "MPI_Recv", 3, WHICH(6));
    hd_cube_close(cube);
}

TEST(what_is_dropped_takes_its_values_along)
{
    hd_cube *cube = cut(NULL, LIST("solve", "MPI_Recv"), true);

    CHECK_EQ(cube->n_paths, 2);
    check_path(cube, 0, "main", HD_NONE, WHICH(0));
    check_path(cube, 1, "setup", 0, WHICH(1));
    hd_cube_close(cube);
}

TEST(roots_and_pruning_go_together)
{
    hd_cube *cube = cut(LIST("main;solve"), LIST("solve;solve", "exchange;MPI_Recv"), false);

    CHECK_EQ(cube->n_paths, 2);
    check_path(cube, 0, "solve", HD_NONE, WHICH(2, 5, 6));
    check_path(cube, 1, "exchange", 0, WHICH(3, 4));
    hd_cube_close(cube);
}

TEST(totals_are_preserved_whatever_is_pruned)
{
    static const char *const names[] = { "setup", "solve", "exchange", "MPI_Recv", "main;MPI_Recv", "solve;solve" };

    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        hd_cube *cube = cut(NULL, LIST(names[k]), false);
        double   sums[4] = { 0 };

        REQUIRE(cube != NULL);
        CHECK(cube->n_paths < 8);
        for (uint32_t metric = 0; metric < 2; metric++) {
            memset(sums, 0, sizeof sums);
            CHECK_EQ(hd_cube_sum(cube, metric, NULL, sums), HD_OK);
            for (uint32_t i = 0; i < 4; i++) {
                double expected = sum_of(metric, WHICH(0, 1, 2, 3, 4, 5, 6, 7), i);

                CHECK(expected != 0);
                CHECK(fabs(sums[i] - expected) <= 1e-12 * fabs(expected));
            }
        }
        hd_cube_close(cube);
    }
}

TEST(attributes_come_along_but_for_that_of_a_file_with_numbers_of_call_paths)
{
    hd_cube           *cube    = small_cube_open(&small, "cut.cubex");
    const char *const  roots[] = { "solve" };
    hd_cut_options     options = { .roots = roots, .n_roots = 1 };
    hd_cut            *result  = NULL;
    const hd_cube     *of;

    cube->attributes    = hd_realloc(cube->attributes, 2, sizeof *cube->attributes);
    cube->attributes[0] = (hd_cube_attribute){ "statisticfile", "trace.stat" };
    cube->attributes[1] = (hd_cube_attribute){ "Creator", "somebody" };
    cube->n_attributes  = 2;
    CHECK_EQ(hd_cut_new(cube, &options, &result), HD_OK);
    of = hd_cut_cube(result);
    CHECK_EQ(of->n_attributes, 2);
    CHECK_STR(of->attributes[0].key, "Creator");
    CHECK_STR(of->attributes[1].key, HD_CUT_ATTRIBUTE);
    hd_cut_free(result);
    hd_cube_close(cube);
}

TEST(what_cannot_be_cut_is_an_error)
{
    CHECK(cut(LIST("sovle"), NULL, false) == NULL);
    CHECK_EQ(hd_error_get()->status, HD_EUSAGE);
    CHECK(strstr(hd_error_get()->text, "sovle") != NULL);
    CHECK(cut(NULL, LIST("nowhere"), true) == NULL);
    CHECK_EQ(hd_error_get()->status, HD_EUSAGE);
    CHECK(cut(NULL, LIST("main"), false) == NULL); /* its values have no place */
    CHECK_EQ(hd_error_get()->status, HD_EUSAGE);
    CHECK(strstr(hd_error_get()->details, "--drop") != NULL);
    CHECK(cut(NULL, LIST("main"), true) == NULL); /* nothing would be left */
    CHECK_EQ(hd_error_get()->status, HD_EUSAGE);
}

TEST_MAIN
