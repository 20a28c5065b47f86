/* tests/report/text/test_path_source.c: file and line of a call path are those of its innermost region that has them.
 *
 *   0 main ─┬─ 1 solve ─── 2 MPI_Recv
 *           ├─ 3 !$omp parallel @solve.f90:17
 *           ├─ 4 helper                         called at main.c:9
 *           └─ 5 lost
 */
#include "check.h"
#include "path_source.h"

static hd_cube_region regions[] = {
    { .name = "main", .file = "/home/a/src/main.c", .begin_line = 3 },
    { .name = "solve", .file = "src/solve.f90", .begin_line = 12 },
    { .name = "MPI_Recv", .file = "MPI", .begin_line = -1 },
    { .name = "!$omp parallel @solve.f90:17", .file = "/home/a/src/solve.f90", .begin_line = 17 },
    { .name = "helper", .file = "/home/a/src/help\ner.c", .begin_line = 40 },
    { .name = "lost", .file = "", .begin_line = 5 },
};
static hd_cube_path paths[] = {
    { .name = "main", .region = 0, .parent = HD_NONE, .call_file = "", .call_line = -1 },
    { .name = "solve", .region = 1, .parent = 0, .call_file = "", .call_line = -1 },
    { .name = "MPI_Recv", .region = 2, .parent = 1, .call_file = "", .call_line = -1 },
    { .name = "!$omp parallel @solve.f90:17", .region = 3, .parent = 0, .call_file = "", .call_line = -1 },
    { .name = "helper", .region = 4, .parent = 0, .call_file = "main.c", .call_line = 9 },
    { .name = "lost", .region = 5, .parent = HD_NONE, .call_file = "main.c", .call_line = -1 },
    { .name = "helper", .region = 4, .parent = 0, .call_file = "", .call_line = 9 },
};
static const hd_cube cube = { .regions = regions, .paths = paths, .n_regions = 6, .n_paths = 7 };

static void
check_text(uint32_t path, bool is_whole, const char *expected)
{
    char *text = hd_path_source_text(&cube, path, is_whole);

    if (expected == NULL)
        CHECK(text == NULL);
    else
        CHECK_STR(text != NULL ? text : "(null)", expected);
    free(text);
}

TEST(a_region_is_at_its_first_line)
{
    check_text(0, false, "at main.c:3");
    check_text(0, true, "at /home/a/src/main.c:3");
}

TEST(a_call_without_a_line_is_in_the_region_around_it)
{
    check_text(2, false, "in solve, solve.f90:12");
    check_text(2, true, "in solve, src/solve.f90:12");
}

TEST(what_stands_in_the_name_is_not_repeated)
{
    check_text(3, false, NULL);
}

TEST(the_line_of_the_call_is_better_than_that_of_the_region)
{
    hd_path_source source;

    check_text(4, false, "called at main.c:9");
    CHECK(hd_path_source_find(&cube, 4, &source) && source.is_call && source.line == 9 && source.path == 4);
}

TEST(a_line_without_a_file_and_a_file_without_a_line_are_none)
{
    check_text(5, false, NULL);
    check_text(6, false, "at help\\x0aer.c:40");
}

TEST_MAIN
