/* tests/report/algebra/test_division.c: processes in parts, and what is said of them. */
#include "division.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "memory.h"

enum { MOST = 512, WIDTH = 4 };

typedef struct grid { /* of processes with one location each, the last dimension fastest */
    hd_cube           cube;
    hd_cube_location  locations[MOST];
    hd_cube_dimension dimensions[3];
    uint32_t          rows[MOST * WIDTH];
    hd_cube_topology  topology;
    hd_division      *divisions;
    uint32_t          n;
} grid;

static grid *
grid_new(uint32_t n_x, uint32_t n_y, uint32_t n_z, bool is_periodic)
{
    grid    *g = HD_NEW(grid);
    uint32_t n = n_x * n_y * n_z;

    g->dimensions[0] = (hd_cube_dimension){ .name = "x", .size = n_x, .is_periodic = is_periodic };
    g->dimensions[1] = (hd_cube_dimension){ .name = "", .size = n_y, .is_periodic = is_periodic };
    g->dimensions[2] = (hd_cube_dimension){ .name = "dimension 2", .size = n_z, .is_periodic = is_periodic };
    for (uint32_t i = 0; i < n; i++) {
        g->locations[i] = (hd_cube_location){ .group = i, .process = i };
        memcpy(&g->rows[i * WIDTH], (uint32_t[]){ i, i / n_z / n_y, i / n_z % n_y, i % n_z }, WIDTH * sizeof(uint32_t));
    }
    g->cube      = (hd_cube){ .locations = g->locations, .n_locations = n, .n_groups = n };
    g->topology  = (hd_cube_topology){ .name = "grid", .dimensions = g->dimensions, .rows = g->rows, .n_dimensions = 3,
                                       .n_rows = n };
    g->divisions = hd_divisions_of_topology(&g->cube, &g->topology, &g->n);
    return g;
}

static void
grid_free(grid *g)
{
    for (uint32_t i = 0; i < g->n; i++)
        hd_division_fini(&g->divisions[i]);
    free(g->divisions);
    free(g);
}

/* What is said of the values, "" if nothing; they are freed with the grid. */
static const char *
words_of(grid *g, const double *values)
{
    static char text[256];
    hd_carriers carriers;
    char       *words;

    if (!hd_divisions_carriers(g->divisions, g->n, g->cube.n_groups, values, &carriers))
        return "";
    words = hd_carriers_words(&carriers);
    snprintf(text, sizeof text, "%s", words);
    free(words);
    return text;
}

/* 32 processes, 8 of them with 47 to 49 each, 383 together, the others with 10 to 12, 264. */
TEST(planes_that_carry_most_are_named)
{
    grid  *g = grid_new(2, 2, 8, false);
    double values[32];

    for (int i = 0; i < 32; i++)
        values[i] = i % 8 == 0 || i % 8 == 7 ? 47 + i % 3 : 10 + i % 3;
    CHECK_STR(words_of(g, values),
              "concentrated on the planes z = 0 and z = 7: 59 % of the total on 25 % of the processes");
    for (int i = 0; i < 32; i++)
        values[i] = i % 8 == 3 ? 47 : 10;
    CHECK_STR(words_of(g, values), "concentrated on the plane z = 3: 40 % of the total on 12 % of the processes");
    grid_free(g);
}

TEST(of_two_dimensions_it_is_lines_and_of_one_places)
{
    grid  *g = grid_new(4, 4, 1, true);
    double values[16];

    for (int i = 0; i < 16; i++)
        values[i] = i / 4 == 2 ? 9 : 1;
    CHECK_STR(words_of(g, values), "concentrated on the line x = 2: 75 % of the total on 25 % of the processes");
    grid_free(g);
    g = grid_new(1, 8, 1, true);
    for (int i = 0; i < 8; i++)
        values[i] = i == 1 || i == 2 ? 9 : 1;
    CHECK_STR(words_of(g, values), ""); /* one process on each */
    grid_free(g);
    g = grid_new(1, 8, 1, true);
    for (uint32_t i = 0; i < 8; i++) /* two on each */
        g->divisions[0].of_process[i] = i / 2;
    for (int i = 0; i < 8; i++)
        g->divisions[0].n_processes[i] = i < 4 ? 2 : 0;
    for (int i = 0; i < 8; i++)
        values[i] = i / 2 == 1 ? 9 : 1;
    CHECK_STR(words_of(g, values), "concentrated on the coordinate y = 1: 75 % of the total on 25 % of the processes");
    grid_free(g);
}

/* 6 x 6: 16 places inside, 16 at the border, 4 corners. */
TEST(the_border_and_its_corners_are_told_apart)
{
    grid  *g = grid_new(6, 6, 1, false);
    double values[256];

    CHECK_EQ(g->n, 3);
    CHECK_EQ(g->divisions[2].n_processes[0], 16);
    CHECK_EQ(g->divisions[2].n_processes[1], 16);
    CHECK_EQ(g->divisions[2].n_processes[2], 4);
    for (int i = 0; i < 36; i++) {
        int n_ends = (i / 6 % 5 == 0) + (i % 6 % 5 == 0);

        values[i] = n_ends == 2 ? 12 : 1;
    }
    CHECK_STR(words_of(g, values), "concentrated on the corners: 60 % of the total on 11 % of the processes");
    for (int i = 0; i < 36; i++)
        values[i] = i / 6 % 5 == 0 || i % 6 % 5 == 0 ? 4 : 1;
    /* with the corners it would be more than half */
    CHECK_STR(words_of(g, values), "concentrated on the border: 67 % of the total on 44 % of the processes");
    for (int i = 0; i < 36; i++)
        values[i] = i / 6 % 5 == 0 || i % 6 % 5 == 0 ? 1 : 4;
    CHECK_STR(words_of(g, values), "concentrated on the interior: 76 % of the total on 44 % of the processes");
    grid_free(g);
    g = grid_new(6, 6, 1, true);
    CHECK_EQ(g->n, 2);
    grid_free(g);
    g = grid_new(8, 8, 1, false);
    for (int i = 0; i < 64; i++)
        values[i] = i / 8 % 7 == 0 || i % 8 % 7 == 0 ? 4 : 1;
    CHECK_STR(words_of(g, values),
              "concentrated on the border and corners: 76 % of the total on 44 % of the processes");
    grid_free(g);
}

/* Eight processes at two of four billion places. */
TEST(parts_are_those_with_processes)
{
    grid       *g = grid_new(1, 8, 1, false);
    hd_division *divisions;
    uint32_t     n;
    char        *name;

    g->dimensions[1].size = UINT32_MAX;
    for (int i = 0; i < 8; i++)
        g->rows[i * WIDTH + 2] = i % 2 == 0 ? 4000000000 : 7;
    divisions = hd_divisions_of_topology(&g->cube, &g->topology, &n);
    CHECK_EQ(n, 2);
    CHECK_EQ(divisions[0].n, 2);
    CHECK_EQ(divisions[0].of_process[0], 1);
    CHECK_EQ(divisions[0].n_processes[0], 4);
    name = hd_division_name(&divisions[0], 1);
    CHECK_STR(name, "4000000000");
    free(name);
    for (uint32_t i = 0; i < n; i++)
        hd_division_fini(&divisions[i]);
    free(divisions);
    grid_free(g);
}

TEST(nodes_are_told_by_name)
{
    grid       *g       = grid_new(8, 1, 1, false);
    hd_cube_node names[] = { { .name = "machine x" }, { .name = "node a" }, { .name = "node b" }, { .name = "c" } };
    hd_division nodes;
    hd_carriers carriers;
    char       *words;

    g->cube.nodes   = names;
    g->cube.n_nodes = 4;
    for (int i = 0; i < 8; i++)
        g->locations[i].node = (uint32_t[]){ 2, 2, 3, 3, 1, 1, 1, 1 }[i];
    hd_division_by_node(&g->cube, &nodes);
    CHECK_EQ(nodes.n, 3);
    CHECK_EQ(nodes.n_processes[2], 4);
    CHECK(hd_division_carriers(&nodes, 8, (const double[]){ 9, 9, 9, 9, 1, 1, 1, 1 }, &carriers));
    words = hd_carriers_words(&carriers);
    CHECK_STR(words, "concentrated on the nodes b and c: 90 % of the total on 50 % of the processes");
    free(words);
    hd_division_fini(&nodes);
    grid_free(g);
}

TEST(a_topology_of_threads_is_none_of_processes)
{
    grid *g = grid_new(4, 2, 1, false);
    uint32_t n;
    hd_division *none;

    for (int i = 0; i < 8; i++)
        g->locations[i].group = (uint32_t)i / 2;
    none = hd_divisions_of_topology(&g->cube, &g->topology, &n);
    CHECK_EQ(n, 0);
    free(none);
    grid_free(g);
}

/* 0 .. 1, the same every time */
static double
uniform(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return ((double)(*state >> 11) + 0.5) / (double)(UINT64_C(1) << 53);
}

/* Even and exponential values without any order, on grids of several sizes: of a thousand each, at most ten are taken
 * for something. */
TEST(nothing_is_said_of_noise)
{
    static const uint32_t sizes[][3] =
        { { 4, 2, 1 }, { 4, 4, 1 }, { 8, 8, 1 }, { 4, 4, 4 }, { 16, 1, 1 }, { 8, 8, 8 } };
    uint64_t              state      = 1;

    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int is_even = 0; is_even < 2; is_even++) {
            grid    *g = grid_new(sizes[s][0], sizes[s][1], sizes[s][2], false);
            uint32_t n = 0;
            double   values[MOST];

            for (int turn = 0; turn < 1000; turn++) {
                for (uint32_t i = 0; i < g->cube.n_groups; i++)
                    values[i] = is_even ? uniform(&state) : -log(uniform(&state));
                n += *words_of(g, values) != '\0';
            }
            printf("     %ux%ux%u %s: %u of 1000\n", sizes[s][0], sizes[s][1], sizes[s][2],
                   is_even ? "even" : "exponential", n);
            CHECK(n <= 10);
            grid_free(g);
        }
}

/* 32 processes, of which the first 8 are on a grid of 2 x 2 x 2. */
TEST(what_is_said_is_of_all_processes_and_all_of_it)
{
    grid  *g = grid_new(2, 2, 2, false);
    double values[32];

    for (uint32_t d = 0; d < g->n; d++)
        hd_division_fini(&g->divisions[d]);
    free(g->divisions);
    for (uint32_t i = 0; i < 32; i++)
        g->locations[i] = (hd_cube_location){ .group = i, .process = i };
    g->cube.n_groups = g->cube.n_locations = 32;
    g->divisions     = hd_divisions_of_topology(&g->cube, &g->topology, &g->n);
    for (int i = 0; i < 32; i++)
        values[i] = i < 4 ? 10 : i < 8 ? 1 : 1000;
    CHECK_STR(words_of(g, values), "");
    for (int i = 0; i < 32; i++)
        values[i] = i < 4 ? 60 : i < 8 ? 1 : 10; /* 240 of 484; y and z are even */
    CHECK_STR(words_of(g, values), "concentrated on the plane x = 0: 50 % of the total on 12 % of the processes");
    grid_free(g);
}

/* 196 of 256 processes are inside, 60 are not. */
TEST(most_processes_are_no_few_that_stand_out)
{
    grid  *g = grid_new(1, 16, 16, false);
    double values[256];

    for (int i = 0; i < 256; i++)
        values[i] = i / 16 % 15 == 0 || i % 16 % 15 == 0 ? 0.4 : 1 + i % 3 * 0.01;
    CHECK_STR(words_of(g, values), "");
    for (int i = 0; i < 256; i++)
        values[i] = i / 16 % 15 == 0 || i % 16 % 15 == 0 ? 1.5 : 0.4 + i % 3 * 0.01;
    CHECK_STR(words_of(g, values),
              "concentrated on the border and corners: 53 % of the total on 23 % of the processes");
    grid_free(g);
}

TEST(names_of_dimensions_differ)
{
    grid *g = grid_new(2, 2, 2, true);

    for (uint32_t d = 0; d < g->n; d++)
        hd_division_fini(&g->divisions[d]);
    free(g->divisions);
    g->dimensions[0].name = "Y";
    g->divisions          = hd_divisions_of_topology(&g->cube, &g->topology, &g->n);
    CHECK_EQ(g->n, 3);
    CHECK_STR(g->divisions[0].what, "Y");
    CHECK_STR(g->divisions[1].what, "d1");
    CHECK_STR(g->divisions[2].what, "z");
    grid_free(g);
}

/* Two threads of each process, both where it is; on a grid of processes and threads they are not. */
TEST(threads_that_are_where_their_process_is_do_not_matter)
{
    grid        *g = grid_new(4, 2, 1, false);
    hd_division *divisions;
    uint32_t     n;

    for (uint32_t i = 0; i < 8; i++) {
        g->locations[8 + i] = (hd_cube_location){ .group = i, .process = i };
        memcpy(&g->rows[(8 + i) * WIDTH], &g->rows[i * WIDTH], WIDTH * sizeof *g->rows);
        g->rows[(8 + i) * WIDTH] = 8 + i;
    }
    g->cube.n_locations = 16;
    g->topology.n_rows  = 16;
    divisions           = hd_divisions_of_topology(&g->cube, &g->topology, &n);
    CHECK_EQ(n, 3);
    CHECK_EQ(divisions[0].n_processes[0], 2);
    for (uint32_t i = 0; i < n; i++)
        hd_division_fini(&divisions[i]);
    free(divisions);
    g->rows[15 * WIDTH + 2] ^= 1;
    divisions = hd_divisions_of_topology(&g->cube, &g->topology, &n);
    CHECK_EQ(n, 0);
    free(divisions);
    grid_free(g);
}

TEST_MAIN
