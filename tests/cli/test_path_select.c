/* tests/cli/test_path_select.c: a call path is meant by the names of its last regions, as they are shown or as they
 * were recorded.
 *
 *   0 main
 *   1   step          solver::step
 *   2     MPI_Recv
 *   3   sort          sort<pair<int> >(pair<int> > const&)       the name has what separates regions
 *   4     MPI_Recv
 *   5   MPI_Send      called at line 7
 *   6   MPI_Send      of a region at line 17
 */
#include "path_select.h"

#include <stdio.h>
#include <stdlib.h>

#include "check.h"

static hd_cube_region regions[] = { { .name = "main", .mangled_name = "main" },
                                    { .name = "solver::step", .mangled_name = "__solver_MOD_step" },
                                    { .name = "MPI_Recv", .mangled_name = "" },
                                    { .name = "sort<pair<int> > const&", .mangled_name = "_Z4sort" },
                                    { .name = "MPI_Send", .mangled_name = "", .begin_line = 3 },
                                    { .name = "MPI_Send", .mangled_name = "", .begin_line = 17 } };
static hd_cube_path   paths[]   = { { .name = "main", .region = 0, .parent = HD_NONE },
                                    { .name = "solver::step", .region = 1, .parent = 0 },
                                    { .name = "MPI_Recv", .region = 2, .parent = 1 },
                                    { .name = "sort<pair<int> > const&", .region = 3, .parent = 0 },
                                    { .name = "MPI_Recv", .region = 2, .parent = 3 },
                                    { .name = "MPI_Send", .region = 4, .parent = 0, .call_line = 7 },
                                    { .name = "MPI_Send", .region = 5, .parent = 0, .call_line = -1 } };
static hd_cube        cube      = { .path = "a.cubex", .regions = regions, .n_regions = 6, .paths = paths,
                                    .n_paths = 7 };

/* The call paths that are meant, as digits; "none": that is an error. */
static const char *
meant(const char *path)
{
    static char digits[8];
    bool       *selected = NULL;
    size_t      n        = 0;

    if (hd_paths_select(&cube, path, &selected) != HD_OK)
        snprintf(digits, sizeof digits, "none");
    else {
        for (uint32_t i = 0; i < cube.n_paths; i++)
            if (selected[i])
                digits[n++] = (char)('0' + i);
        digits[n] = '\0';
    }
    free(selected);
    return digits;
}

TEST(either_name_means_a_region_and_what_it_calls)
{
    CHECK_STR(meant("solver::step"), "12");
    CHECK_STR(meant("__solver_MOD_step"), "12");
    CHECK_STR(meant("main;__solver_MOD_step;MPI_Recv"), "2");
    CHECK_STR(meant("main > solver::step > MPI_Recv"), "2");
    CHECK_STR(meant("main>solver::step>MPI_Recv"), "2");
    CHECK_STR(meant("main/solver::step/MPI_Recv"), "2");
    CHECK_STR(meant("main / solver::step ; MPI_Recv"), "2");
    CHECK_STR(meant("MPI_Recv"), "24");
    CHECK_STR(meant("main"), "0123456");
}

TEST(a_name_may_have_what_separates_names)
{
    CHECK_STR(meant("sort<pair<int> > const&"), "34");
    CHECK_STR(meant("main > sort<pair<int> > const& > MPI_Recv"), "4");
    CHECK_STR(meant("_Z4sort;MPI_Recv"), "4");
}

TEST(a_region_may_have_its_line)
{
    CHECK_STR(meant("MPI_Send"), "56");
    CHECK_STR(meant("MPI_Send:7"), "5");
    CHECK_STR(meant("main > MPI_Send:17"), "6");
    CHECK_STR(meant("MPI_Send:3"), "none"); /* it is called at another one */
    CHECK_STR(meant("MPI_Send:"), "none");
}

TEST(other_texts_mean_nothing)
{
    CHECK_STR(meant("step"), "none");
    CHECK_STR(meant("Recv"), "none");
    CHECK_STR(meant(";MPI_Recv"), "none");
    CHECK_STR(meant("MPI_Recv;"), "none");
    CHECK_STR(meant("const&"), "none");
    CHECK_STR(meant("; main"), "none");
}

static const char *
closest(const char *path)
{
    static char text[64];
    char       *found = hd_path_closest(&cube, path);

    snprintf(text, sizeof text, "%s", found != NULL ? found : "none");
    free(found);
    return text;
}

TEST(the_closest_call_path_is_named)
{
    CHECK_STR(closest("main/MPI_Recv"), "main > solver::step > MPI_Recv");
    CHECK_STR(closest("MPI_Rec"), "main > solver::step > MPI_Recv");
    CHECK_STR(closest("mpi_recv"), "main > solver::step > MPI_Recv");
    CHECK_STR(closest("main;solver::stap ; "), "main > solver::step");
    CHECK_STR(closest("__solver_MOD_step2"), "main > solver::step");
    CHECK_STR(closest("exchange"), "none");
    CHECK_STR(closest(" ; "), "none");
    CHECK_STR(closest(""), "none");
}

TEST_MAIN
