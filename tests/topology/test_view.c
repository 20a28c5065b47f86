/* tests/topology/test_view.c: which place of a topology is where in the picture. */
#include "check.h"
#include "memory.h"
#include "view.h"

static const hd_view_dimension of_three[] = { { "x", 3, false, 0 }, { "y", 2, true, 0 }, { "z", 4, false, 0 } };

static hd_view
view_of(const hd_view_dimension *dimensions, uint32_t n)
{
    hd_view view = { .name = "a grid", .n_dimensions = n };

    memcpy(view.dimensions, dimensions, n * sizeof *dimensions);
    return view;
}

/* "column,row" of a place, "-": on another slice, or the error. */
static const char *
place(const char *fold, const char *slice, uint32_t x, uint32_t y, uint32_t z)
{
    static char text[64];
    hd_view     view = view_of(of_three, 3);
    uint32_t    column, row;

    if (hd_view_make(&view, fold, slice) != HD_OK)
        return hd_error_get()->text;
    if (!hd_view_place(&view, (uint32_t[]){ x, y, z }, &column, &row))
        return "-";
    snprintf(text, sizeof text, "%" PRIu32 ",%" PRIu32, column, row);
    return text;
}

TEST(two_dimensions_are_the_axes)
{
    hd_view  view = view_of(of_three, 2);
    uint32_t column, row;

    CHECK_EQ(hd_view_make(&view, NULL, NULL), HD_OK);
    CHECK_EQ(view.across.size, 3);
    CHECK_EQ(view.down.size, 2);
    CHECK(hd_view_place(&view, (uint32_t[]){ 2, 1 }, &column, &row));
    CHECK_EQ(column, 2);
    CHECK_EQ(row, 1);
}

TEST(one_dimension_is_a_line)
{
    hd_view  view = view_of(of_three, 1);
    uint32_t column, row;

    CHECK_EQ(hd_view_make(&view, NULL, NULL), HD_OK);
    CHECK(hd_view_place(&view, (uint32_t[]){ 2 }, &column, &row));
    CHECK_EQ(column, 2);
    CHECK_EQ(row, 0);
    CHECK_EQ(view.down.size, 1);
}

TEST(of_three_dimensions_the_third_goes_on_where_the_first_has_run_through)
{
    CHECK_STR(place(NULL, NULL, 0, 0, 0), "0,0");
    CHECK_STR(place(NULL, NULL, 2, 1, 0), "2,1");
    CHECK_STR(place(NULL, NULL, 1, 1, 3), "10,1");
}

TEST(the_last_name_of_an_axis_runs_fastest)
{
    CHECK_STR(place("zx,y", NULL, 1, 1, 3), "10,1");
    CHECK_STR(place("xz,y", NULL, 1, 1, 3), "7,1");
    CHECK_STR(place("y,xz", NULL, 1, 1, 3), "1,7");
    CHECK_STR(place("Z+x,y", NULL, 1, 1, 3), "10,1");
    CHECK_STR(place("2+0,1", NULL, 1, 1, 3), "10,1");
    CHECK_STR(place("20,1", NULL, 1, 1, 3), "10,1");
    CHECK_STR(place("02,1", NULL, 1, 1, 3), "7,1");
    CHECK_STR(place("zyx", NULL, 1, 1, 3), "22,0");
}

TEST(a_slice_has_the_places_with_that_number)
{
    CHECK_STR(place(NULL, "z=3", 1, 1, 3), "1,1");
    CHECK_STR(place(NULL, "z=3", 1, 1, 2), "-");
    CHECK_STR(place(NULL, "z=3,x=1", 1, 1, 3), "1,0");
    CHECK_STR(place("y,x", "2=3", 2, 1, 3), "1,2");
}

TEST(what_is_neither_on_an_axis_nor_held_falls_together)
{
    CHECK_STR(place("x", NULL, 2, 0, 0), "2,0");
    CHECK_STR(place("x", NULL, 2, 1, 3), "2,0");
}

TEST(what_cannot_be_meant_is_an_error_with_a_reason)
{
    CHECK_STR(place("x,q", NULL, 0, 0, 0), "topology \"a grid\" has no dimension \"q\"");
    CHECK_STR(place("xq", NULL, 0, 0, 0), "topology \"a grid\" has no dimension \"xq\"");
    CHECK_STR(place("x,x", NULL, 0, 0, 0), "--fold names x twice");
    CHECK_STR(place("x,", NULL, 0, 0, 0), "--fold: a name of a dimension is missing");
    CHECK_STR(place("x+,y", NULL, 0, 0, 0), "--fold: a name of a dimension is missing");
    CHECK_STR(place("x,y,z", NULL, 0, 0, 0),
              "--fold: \"x,y,z\" has more than two axes; dimensions on one axis are joined by \"+\"");
    CHECK_STR(place(NULL, "z=1,2=1", 0, 0, 0), "--slice holds z twice");
    CHECK_STR(place("3", NULL, 0, 0, 0), "topology \"a grid\" has no dimension \"3\"");
    CHECK_STR(place("x,z", "z=1", 0, 0, 0), "--fold names z, which --slice holds at 1");
    CHECK_STR(place(NULL, "z", 0, 0, 0), "--slice: \"z\" is not of the form DIMENSION=NUMBER");
    CHECK_STR(place(NULL, "z=", 0, 0, 0), "--slice: \"z=\" is not of the form DIMENSION=NUMBER");
    CHECK_STR(place(NULL, "z=1x", 0, 0, 0), "--slice: \"z=1x\" is not of the form DIMENSION=NUMBER");
    CHECK_STR(place(NULL, "z=-1", 0, 0, 0), "--slice: \"z=-1\" is not of the form DIMENSION=NUMBER");
    CHECK_STR(place(NULL, "q=1", 0, 0, 0), "topology \"a grid\" has no dimension \"q\"");
    CHECK_STR(place(NULL, "z=4", 0, 0, 0), "--slice: z goes from 0 to 3");
    CHECK_STR(place(NULL, "z=99999999999999999999", 0, 0, 0), "--slice: z goes from 0 to 3");
    CHECK_STR(place(NULL, "z=1,", 0, 0, 0), "--slice: \"\" is not of the form DIMENSION=NUMBER");
}

/* Dimension 0 is called "y": the name goes before the place. */
TEST(names_of_the_topology_go_before_default_ones)
{
    static const hd_view_dimension swapped[] = { { "y", 3, false, 0 }, { "x", 2, false, 0 }, { "node", 2, false, 0 } };
    hd_view view = view_of(swapped, 3);

    CHECK_EQ(hd_view_make(&view, "x,z+y", NULL), HD_OK);
    CHECK_EQ(view.across.dimensions[0], 1);
    CHECK_EQ(view.down.dimensions[0], 2); /* "z": the third */
    CHECK_EQ(view.down.dimensions[1], 0);
    CHECK_EQ(view.down.size, 6);
}

TEST(a_view_of_too_many_places_is_refused)
{
    static const hd_view_dimension large[] =
        { { "x", UINT32_MAX, false, 0 }, { "y", UINT32_MAX, false, 0 }, { "z", 3, false, 0 } };
    hd_view view = view_of(large, 3);

    CHECK_EQ(hd_view_make(&view, NULL, NULL), HD_EUSAGE);
    CHECK_EQ(hd_view_make(&view, "z", NULL), HD_OK);
}

/* Each place of the picture gives back the place of the topology. */
TEST(places_come_back)
{
    static const char *const folds[] = { NULL, "zx,y", "xyz", "y,zx", "z" };

    for (size_t i = 0; i < sizeof folds / sizeof *folds; i++) {
        hd_view  view = view_of(of_three, 3);
        uint32_t wrong = 0;

        CHECK_EQ(hd_view_make(&view, folds[i], NULL), HD_OK);
        for (uint32_t n = 0; n < 24; n++) {
            uint32_t x[] = { n % 3, n / 3 % 2, n / 6 }, back[3], column, row;

            wrong += !hd_view_place(&view, x, &column, &row) || column >= view.across.size || row >= view.down.size;
            hd_view_coordinates(&view, column, row, back);
            for (int d = 0; d < 3; d++)
                wrong += back[d] != x[d] && !(i == 4 && d < 2 && back[d] == HD_NONE);
        }
        CHECK_EQ(wrong, 0);
    }
}

TEST(gaps_are_where_a_slower_dimension_goes_on)
{
    hd_view  view = view_of(of_three, 3);
    uint32_t n    = 0;

    CHECK_EQ(hd_view_make(&view, "zx,y", NULL), HD_OK);
    for (uint32_t column = 0; column < view.across.size; column++)
        n += hd_view_is_gap(&view, &view.across, column);
    CHECK_EQ(n, 3);
    CHECK(hd_view_is_gap(&view, &view.across, 3));
    CHECK(!hd_view_is_gap(&view, &view.down, 1));
}

TEST(values_at_one_place_are_summed_and_empty_places_are_none)
{
    hd_view       view = view_of(of_three, 2);
    hd_grid       grid;
    hd_grid_range range;

    CHECK_EQ(hd_view_make(&view, NULL, NULL), HD_OK);
    hd_grid_init(&grid, &view);
    CHECK(!hd_grid_find_range(&grid, &range));
    hd_grid_add(&grid, 2, 1, 3);
    hd_grid_add(&grid, 2, 1, 4);
    hd_grid_add(&grid, 0, 1, -1);
    CHECK(hd_grid_find_range(&grid, &range));
    CHECK(range.least == -1 && range.most == 7 && range.mean == 3);
    CHECK_EQ(range.min_cell, 3);
    CHECK_EQ(range.max_cell, 5);
    CHECK_EQ(range.n, 2);
    CHECK_EQ(grid.counts[5], 2);
    hd_grid_fini(&grid);
}

TEST_MAIN
