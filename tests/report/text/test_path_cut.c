/* tests/report/text/test_path_cut.c: call paths that are cut keep the names that tell them from the others.
 *
 *   0 app ─── 1 main ─┬─ 2 timestep ─── 3 energy ─── 4 addParallel ─── 5 MPI_Allreduce
 *                     └─ 6 initialize ─┬─ 7 energy ─── 8 addParallel ─── 9 MPI_Allreduce
 *                                      └─ 10 temperature ─── 11 energy ─── 12 addParallel ─── 13 MPI_Allreduce
 */
#include <string.h>

#include "check.h"
#include "name_cut.h"
#include "path_cut.h"

static hd_cube_path paths[] = {
    { .name = "app", .parent = HD_NONE },
    { .name = "main", .parent = 0 },
    { .name = "timestep", .parent = 1 },
    { .name = "energy", .parent = 2 },
    { .name = "addParallel", .parent = 3 },
    { .name = "MPI_Allreduce", .parent = 4 },
    { .name = "initialize", .parent = 1 },
    { .name = "energy", .parent = 6 },
    { .name = "addParallel", .parent = 7 },
    { .name = "MPI_Allreduce", .parent = 8 },
    { .name = "temperature", .parent = 6 },
    { .name = "energy", .parent = 10 },
    { .name = "addParallel", .parent = 11 },
    { .name = "MPI_Allreduce", .parent = 12 },
};
static const hd_cube cube = { .paths = paths, .n_paths = sizeof paths / sizeof *paths };

static void
check_cut(uint32_t path, uint32_t columns, const char *expected)
{
    char *text = hd_path_cut(&cube, path, columns);

    CHECK_STR(text, expected);
    free(text);
}

TEST(a_path_that_fits_is_whole)
{
    check_cut(5, 60, "app > main > timestep > energy > addParallel > MPI_Allreduce");
    check_cut(2, 23, "app > main > timestep");
    check_cut(2, 21, "app > main > timestep");
}

TEST(the_last_name_and_what_differs_are_kept_then_what_fits)
{
    check_cut(5, 50, "... > timestep > ... > addParallel > MPI_Allreduce");
    check_cut(5, 49, "... > timestep > energy > ... > MPI_Allreduce");
    check_cut(5, 40, "... > timestep > ... > MPI_Allreduce");
    check_cut(13, 40, "... > temperature > ... > MPI_Allreduce");
}

TEST(a_path_whose_names_are_all_in_another_one_keeps_what_tells_it_from_the_rest)
{
    check_cut(9, 40, "... > initialize > ... > MPI_Allreduce");
}

/*   0 app ─┬─ 1 MPI_Recv, line 13
 *          ├─ 2 MPI_Recv, called in line 15
 *          ├─ 3 MPI_Recv
 *          └─ 4 MPI_Send, line 17 ─── 5 MPI_Recv, line 13 */
TEST(siblings_of_one_name_are_told_apart_by_their_lines)
{
    static hd_cube_region with_lines[] = { { .begin_line = 13 }, { .begin_line = 0 }, { .begin_line = 17 } };
    static hd_cube_path   siblings[]   = {
        { .name = "app", .region = 1, .parent = HD_NONE },
        { .name = "MPI_Recv", .region = 0, .parent = 0, .call_line = -1 },
        { .name = "MPI_Recv", .region = 0, .parent = 0, .call_line = 15 },
        { .name = "MPI_Recv", .region = 1, .parent = 0, .call_line = -1 },
        { .name = "MPI_Send", .region = 2, .parent = 0, .call_line = -1 },
        { .name = "MPI_Recv", .region = 0, .parent = 4, .call_line = -1 },
    };
    static const char *const expected[] = { "app", "app > MPI_Recv:13", "app > MPI_Recv:15", "app > MPI_Recv",
                                            "app > MPI_Send", "app > MPI_Send > MPI_Recv" };
    const hd_cube with_siblings = { .paths = siblings, .n_paths = 6, .regions = with_lines, .n_regions = 3 };

    for (uint32_t path = 0; path < with_siblings.n_paths; path++) {
        char *text = hd_path_cut(&with_siblings, path, 80);

        CHECK_STR(text, expected[path]);
        free(text);
    }
}

static void
check_without_parameters(const char *name, const char *expected)
{
    char *text = hd_without_parameters(name);

    CHECK_STR(text, expected);
    free(text);
}

TEST(a_name_without_parameters_keeps_what_is_around_them)
{
    check_without_parameters("MPI_Send in net::send(int, char*) const", "MPI_Send in net::send(...) const");
    check_without_parameters("f(int)", "f(int)");
    check_without_parameters("exchange", "exchange");
}

TEST(no_two_are_alike_in_any_width)
{
    static const uint32_t alike[] = { 5, 9, 13 };

    for (uint32_t columns = 0; columns < 90; columns++) {
        char *texts[3];

        for (int i = 0; i < 3; i++)
            texts[i] = hd_path_cut(&cube, alike[i], columns);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < i; k++)
                CHECK(strcmp(texts[i], texts[k]) != 0);
        for (int i = 0; i < 3; i++) {
            CHECK(columns < 40 || hd_text_columns(texts[i]) <= columns);
            free(texts[i]);
        }
    }
}

TEST(a_name_that_is_too_long_is_cut_itself)
{
    hd_cube_path  long_ones[] = { { .name = "main", .parent = HD_NONE },
                                  { .name = "a_very_long_name_of_a_function_that_fits_nowhere", .parent = 0 } };
    const hd_cube one         = { .paths = long_ones, .n_paths = 2 };
    char         *text        = hd_path_cut(&one, 1, 30);

    CHECK_EQ(hd_text_columns(text), 30);
    CHECK(strncmp(text, "... > a_ve", strlen("... > a_ve")) == 0);
    CHECK(strstr(text, "fits_nowhere") != NULL);
    free(text);
}

TEST(parameters_of_cpp_are_omitted_first_where_no_other_function_has_its_name)
{
    hd_cube_path  own[] = { { .name = "main", .parent = HD_NONE },
                            { .name = "net::exchange(net::halo<double> const&, int, int) const", .parent = 0 },
                            { .name = "MPI_Send", .parent = 1 },
                            { .name = "net::send(int, double const*)", .parent = 0 },
                            { .name = "MPI_Send", .parent = 3 },
                            { .name = "net::send(int, float const*)", .parent = 0 },
                            { .name = "MPI_Send", .parent = 5 },
                            { .name = "a phase (of a user, with words)", .parent = 0 },
                            { .name = "net::run()::{lambda(int, int)#1}", .parent = 0 },
                            { .name = "MPI_Send", .parent = 8 } };
    const hd_cube one   = { .paths = own, .n_paths = sizeof own / sizeof *own };
    static const struct {
        uint32_t    path, columns;
        const char *text;
    } expected[] = { { 2, 80, "main > net::exchange(net::halo<double> const&, int, int) const > MPI_Send" },
                     { 2, 60, "main > net::exchange(...) const > MPI_Send" },
                     { 4, 47, "main > net::send(int, double const*) > MPI_Send" },
                     { 4, 46, "... > net::send(int, double const*) > MPI_Send" },
                     { 7, 38, "main > a phase (of a user, with words)" },
                     { 7, 37, "... > a phase (of a user, with words)" },
                     { 9, 50, "main > net::run()::{lambda(int, int)#1} > MPI_Send" },
                     { 9, 49, "main > net::run()::{lambda(...)#1} > MPI_Send" } };

    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        char *text = hd_path_cut(&one, expected[i].path, expected[i].columns);

        CHECK_STR(text, expected[i].text);
        free(text);
    }
}

TEST_MAIN
