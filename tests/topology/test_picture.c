/* tests/topology/test_picture.c: what a terminal shows, and that files are pictures. */
#include <math.h>
#include <unistd.h>

#include "check.h"
#include "line_chart.h"
#include "memory.h"
#include "picture.h"

/* The value at (x, y, z) is x + 10 y + 100 z; (0, 0, 0) has none. */
static char *
print(uint32_t n_x, uint32_t n_y, uint32_t n_z, const char *fold, bool has_colour, uint32_t width)
{
    hd_view    view    = { .name = "a \x01grid", .n_dimensions = 3,
                           .dimensions = { { .name = "x", .size = n_x },
                                           { .name = "y", .size = n_y, .is_periodic = true },
                                           { .name = "z", .size = n_z } } };
    hd_grid    grid;
    hd_picture picture = { .view = &view, .grid = &grid, .title = "Waiting", .unit = "s" };
    char      *text    = NULL;
    size_t     bytes;
    FILE      *stream = open_memstream(&text, &bytes);

    CHECK_EQ(hd_view_make(&view, fold, NULL), HD_OK);
    hd_grid_init(&grid, &view);
    for (uint32_t i = 1; i < n_x * n_y * n_z; i++) {
        uint32_t x[] = { i % n_x, i / n_x % n_y, i / n_x / n_y }, column, row;

        CHECK(hd_view_place(&view, x, &column, &row));
        hd_grid_add(&grid, column, row, x[0] + 10 * x[1] + 100 * x[2]);
    }
    hd_picture_print(&picture, stream, has_colour, width);
    fclose(stream);
    hd_grid_fini(&grid);
    return text;
}

static void
check_print(const char *expected, char *text)
{
    CHECK_STR(text, expected);
    free(text);
}

TEST(without_colours_there_is_a_digit_per_place)
{
    check_print("Waiting\n"
                "on \"a ?grid\"  across: x (3)   down: y (2, periodic)   at z=0\n"
                "\n"
                "     0 1 2\n"
                "  0    0 0\n"
                "  1  8 9 9\n"
                "\n"
                "  1.00 s  0 1 2 3 4 5 6 7 8 9  12.0 s\n"
                "  least 1.00 s at x=1 y=0\n  most 12.0 s at x=2 y=1\n  mean 7.20 s\n",
                print(3, 2, 1, NULL, false, 0));
}

TEST(folded_dimensions_have_gaps_and_heads)
{
    check_print("Waiting\n"
                "on \"a ?grid\"  across: z (2), x (2)   down: y (2, periodic)\n"
                "\n"
                "     0 1  0 1\n"
                "  0    0  9 9\n"
                "  1  0 0  9 9\n"
                "\n"
                "  1.00 s  0 1 2 3 4 5 6 7 8 9  111 s\n"
                "  least 1.00 s at z=0 x=1 y=0\n  most 111 s at z=1 x=1 y=1\n  mean 63.4 s\n",
                print(2, 2, 2, NULL, false, 0));
    check_print("Waiting\n"
                "on \"a ?grid\"  across: x (2)   down: z (2), y (2, periodic)\n"
                "\n"
                "     0 1\n"
                "  z=0\n"
                "  0    0\n"
                "  1  0 0\n"
                "  z=1\n"
                "  0  9 9\n"
                "  1  9 9\n"
                "\n"
                "  1.00 s  0 1 2 3 4 5 6 7 8 9  111 s\n"
                "  least 1.00 s at x=1 z=0 y=0\n  most 111 s at x=1 z=1 y=1\n  mean 63.4 s\n",
                print(2, 2, 2, "x,zy", false, 0));
}

TEST(what_is_not_shown_is_said)
{
    char *text = print(2, 2, 2, "x", false, 0);

    CHECK(strstr(text, "across: x (2)   summed up over y, z\n") != NULL);
    CHECK(strstr(text, "\n     0 1\n     0 9\n") != NULL);
    free(text);
}

TEST(a_picture_wider_than_the_terminal_shows_means)
{
    char *text = print(40, 4, 1, "x,y", false, 50); /* 45 columns for 40 places of 2 */

    CHECK(strstr(text, "each block is the mean of 2 x 2 places") != NULL);
    CHECK(strstr(text, "\n     0         10        20        30\n") != NULL);
    CHECK(strstr(text, "least 1.00 s at x=1 y=0\n  most 69.0 s at x=39 y=3") != NULL);
    free(text);
}

TEST(wide_axes_are_numbered_every_fifth_place)
{
    char *text = print(12, 1, 1, "x", false, 80);

    CHECK(strstr(text, "\n     0         5         10\n") != NULL);
    free(text);
}

TEST(the_first_place_has_its_number)
{
    hd_view    view    = { .name = "series", .n_dimensions = 2,
                           .dimensions = { { .name = "iteration", .size = 12, .first = 1, .step = 1 },
                                           { .name = "process", .size = 1, .step = 1 } } };
    hd_grid    grid;
    hd_picture picture = { .view = &view, .grid = &grid, .title = "Waiting", .unit = "s", .is_over_time = true };
    char      *text    = NULL;
    size_t     bytes;
    FILE      *stream = open_memstream(&text, &bytes);

    CHECK_EQ(hd_view_make(&view, "iteration,process", NULL), HD_OK);
    hd_grid_init(&grid, &view);
    for (uint32_t i = 0; i < 12; i++)
        hd_grid_add(&grid, i, 0, i);
    hd_picture_print(&picture, stream, false, 0);
    fclose(stream);
    hd_grid_fini(&grid);
    CHECK(strstr(text, "\n     1       5         10\n") != NULL);
    free(text);
}

TEST(values_have_separators_and_units)
{
    char *text = hd_picture_value(&(hd_picture){ .unit = "bytes", .is_integer = true }, 1638400);

    CHECK_STR(text, "1,638,400 bytes");
    free(text);
    text = hd_picture_value(&(hd_picture){ .unit = "bytes" }, 12345.67); /* a mean */
    CHECK_STR(text, "12,346 bytes");
    free(text);
    text = hd_picture_value(&(hd_picture){ .unit = "" }, 2.5);
    CHECK_STR(text, "2.5");
    free(text);
}

TEST(numbers_do_not_touch)
{
    char *text = print(101, 3, 1, "yx", false, 0);

    CHECK(strstr(text, "90        95        100          5 ") != NULL); /* the 0 of the next block has no room */
    free(text);
}

TEST(numbers_begin_with_the_first_one_and_go_in_steps)
{
    hd_view    view    = { .name = "series", .n_dimensions = 2,
                           .dimensions = { { .name = "iteration", .size = 12, .first = 1, .step = 16 },
                                           { .name = "process", .size = 2, .step = 4 } } };
    hd_grid    grid;
    hd_picture picture = { .view = &view, .grid = &grid, .title = "Waiting", .unit = "s", .is_over_time = true };
    char      *text    = NULL;
    size_t     bytes;
    FILE      *stream = open_memstream(&text, &bytes);

    CHECK_EQ(hd_view_make(&view, "iteration,process", NULL), HD_OK);
    hd_grid_init(&grid, &view);
    for (uint32_t i = 0; i < 24; i++)
        hd_grid_add(&grid, i % 12, i / 12, i);
    hd_picture_print(&picture, stream, false, 0);
    fclose(stream);
    hd_grid_fini(&grid);
    CHECK(strstr(text, "across: iteration (12)   down: process (2)\n\n     1         81        161\n") != NULL);
    CHECK(strstr(text, "\n  0  0 0 ") != NULL);
    CHECK(strstr(text, "\n  4  5 ") != NULL);
    CHECK(strstr(text, "least 0 s at iteration=1 process=0\n  most 23.0 s at iteration=177 process=4") != NULL);
    free(text);
}

TEST(rows_without_values_are_counted)
{
    hd_view    view = { .name = "g", .n_dimensions = 2, .dimensions = { { "x", 1, false }, { "y", 9, false } } };
    hd_grid    grid;
    hd_picture picture = { .view = &view, .grid = &grid, .title = "Visits", .unit = "" };
    char      *text    = NULL;
    size_t     bytes;
    FILE      *stream = open_memstream(&text, &bytes);

    CHECK_EQ(hd_view_make(&view, NULL, NULL), HD_OK);
    hd_grid_init(&grid, &view);
    hd_grid_add(&grid, 0, 0, 1);
    hd_grid_add(&grid, 0, 5, NAN);
    hd_grid_add(&grid, 0, 6, 2);
    hd_picture_print(&picture, stream, false, 80);
    fclose(stream);
    CHECK(strstr(text, "  0  0\n  1\n  (3 more rows without processes)\n  5  ?\n  6  9\n  7\n  (1 more rows "
                 "without") != NULL);
    CHECK(strstr(text, "least 1 at x=0 y=0\n  most 2 at x=0 y=6\n  mean 1.5") != NULL);
    free(text);
    hd_grid_fini(&grid);
}

TEST(with_colours_every_place_ends_its_own)
{
    char    *text = print(3, 2, 1, "x,y", true, 80);
    uint32_t on = 0, off = 0;

    for (const char *at = text; (at = strstr(at, "\033[")) != NULL; at += 2) {
        on += strncmp(at, "\033[48;5;", 7) == 0;
        off += strncmp(at, "\033[0m", 4) == 0;
    }
    CHECK_EQ(on, 5 + 10);
    CHECK_EQ(off, 5 + 10);
    free(text);
}

TEST(equal_values_and_none_are_said)
{
    hd_view    view = { .name = "g", .n_dimensions = 1, .dimensions = { { "x", 2, false } } };
    hd_grid    grid;
    hd_picture picture = { .view = &view, .grid = &grid, .title = "Visits", .unit = "", .is_integer = true };
    char      *text    = NULL;
    size_t     bytes;
    FILE      *stream = open_memstream(&text, &bytes);

    CHECK_EQ(hd_view_make(&view, NULL, NULL), HD_OK);
    hd_grid_init(&grid, &view);
    hd_picture_print(&picture, stream, false, 80);
    hd_grid_add(&grid, 0, 0, 3);
    hd_grid_add(&grid, 1, 0, 3);
    hd_picture_print(&picture, stream, false, 80);
    fclose(stream);
    CHECK(strstr(text, "  no process or thread is here\n") != NULL);
    CHECK(strstr(text, "  3 everywhere\n") != NULL);
    free(text);
    hd_grid_fini(&grid);
}

static void
check_file(const char *path, hd_picture_kind kind, const char *begin, const char *end)
{
    hd_view    view = { .name = "a \x01grid", .n_dimensions = 2,
                        .dimensions = { { "x", 30, false }, { "y", 20, false } } };
    hd_grid    grid;
    hd_picture picture = { .view = &view, .grid = &grid, .title = "W\xc3\xa4it", .unit = "s" };
    char       text[64];
    FILE      *file;

    CHECK_EQ(hd_view_make(&view, NULL, NULL), HD_OK);
    hd_grid_init(&grid, &view);
    for (uint32_t i = 0; i < 600; i++)
        hd_grid_add(&grid, i % 30, i / 30, i);
    unlink(path);
    if (hd_picture_draw(&picture, path, kind) == HD_OK) {
        file = fopen(path, "rb");
        CHECK(file != NULL);
        CHECK_EQ(fread(text, 1, strlen(begin), file), strlen(begin));
        CHECK(memcmp(text, begin, strlen(begin)) == 0);
        fseek(file, -(long)strlen(end), SEEK_END);
        CHECK_EQ(fread(text, 1, strlen(end), file), strlen(end));
        CHECK(memcmp(text, end, strlen(end)) == 0);
        fclose(file);
    } else
        CHECK_STR(hd_error_get()->text, "this heddle was built without cairo, which draws pictures");
    CHECK(hd_picture_draw(&picture, "no-such-folder/x", kind) != HD_OK);
    unlink(path);
    hd_grid_fini(&grid);
}

/* Points that are not known, sizes that are equal, and one size alone are drawn, too. */
TEST(lines_are_drawn_into_files)
{
    static const double   rising[] = { 1, 1.2, NAN, 1.7 }, none[] = { NAN, NAN, NAN, NAN };
    static const uint32_t sizes[]  = { 1, 4, 4, 16 };
    const hd_chart_line   lines[]  = { { "Computation scaling", rising }, { "Transfer efficiency", none } };
    hd_line_chart         chart    = { "Efficiencies", "processes", sizes, 4, lines, 2 };
    char                  begin[8] = "";
    FILE                 *file;

    for (uint32_t n = 1; n <= 4; n += 3) {
        chart.n = n;
        unlink("test_chart.png");
        if (hd_line_chart_draw(&chart, "test_chart.png", HD_PICTURE_PNG) == HD_OK) {
            file = fopen("test_chart.png", "rb");
            CHECK(file != NULL);
            CHECK_EQ(fread(begin, 1, 4, file), 4);
            CHECK(memcmp(begin, "\x89PNG", 4) == 0);
            fclose(file);
        } else
            CHECK_STR(hd_error_get()->text, "this heddle was built without cairo, which draws pictures");
    }
    CHECK(hd_line_chart_draw(&chart, "no-such-folder/x", HD_PICTURE_SVG) != HD_OK);
    unlink("test_chart.png");
}

/* Values that are not known are none; of an even number the median is between the two in the middle. */
TEST(a_point_of_several_runs_is_their_median)
{
    static const double values[] = { 0.9, NAN, 0.5, 0.6, 0.7 }, none[] = { NAN, NAN };
    hd_chart_point      point    = hd_chart_point_of(values, 5);

    CHECK(fabs(point.median - 0.65) < 1e-12 && point.low == 0.5 && point.high == 0.9);
    point = hd_chart_point_of(values, 4);
    CHECK(point.median == 0.6 && point.low == 0.5 && point.high == 0.9);
    point = hd_chart_point_of(values, 1);
    CHECK(point.median == 0.9 && point.low == 0.9 && point.high == 0.9);
    CHECK(isnan(hd_chart_point_of(none, 2).median) && isnan(hd_chart_point_of(values, 0).high));
}

TEST(files_are_what_their_kind_says)
{
    check_file("test_picture.png", HD_PICTURE_PNG, "\x89PNG\r\n", "IEND\xae\x42\x60\x82");
    check_file("test_picture.svg", HD_PICTURE_SVG, "<?xml", "</svg>\n");
}

TEST_MAIN
