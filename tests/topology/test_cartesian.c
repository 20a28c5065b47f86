/* tests/topology/test_cartesian.c: distances and directions. */
#include "cartesian.h"
#include "check.h"

static const hd_defs of_sixteen = { .n_processes = 17, .n_mpi_processes = 16 };

static uint64_t
distance(const char *topology, uint32_t from, uint32_t to)
{
    hd_cartesian *cartesian = NULL;
    uint64_t      hops      = UINT64_MAX;

    CHECK_EQ(hd_cartesian_choose(&of_sixteen, topology, &cartesian), HD_OK);
    if (!hd_cartesian_distance(cartesian, from, to, &hops))
        hops = UINT64_MAX;
    hd_cartesian_free(cartesian);
    return hops;
}

/* +1, +2, +3 along the axes, -1, ... against them; 0: no direction */
static int
direction(const char *topology, uint32_t from, uint32_t to)
{
    hd_cartesian *cartesian = NULL;
    uint32_t      axis;
    int           sign, result = 0;

    CHECK_EQ(hd_cartesian_choose(&of_sixteen, topology, &cartesian), HD_OK);
    if (hd_cartesian_direction(cartesian, from, to, &axis, &sign))
        result = sign * (int)(axis + 1);
    hd_cartesian_free(cartesian);
    return result;
}

TEST(the_distance_is_the_shortest_way)
{
    CHECK_EQ(distance("grid:4x4", 0, 13), 4);
    CHECK_EQ(distance("torus:4x4", 0, 13), 2); /* (0,0) to (3,1) */
    CHECK_EQ(distance("torus:4x4", 0, 10), 4); /* half around is as far both ways */
    CHECK_EQ(distance("torus:4x4", 10, 0), 4);
    CHECK_EQ(distance("torus:2x8", 3, 3), 0);
    CHECK_EQ(distance("torus:5x4", 12, 0), 2);
    CHECK_EQ(distance("grid:16", 15, 0), 15);
    CHECK_EQ(distance("torus:16", 15, 0), 1);
}

TEST(a_process_without_a_place_has_no_distance)
{
    CHECK(distance("grid:4x4", 0, 16) == UINT64_MAX);
    CHECK_EQ(direction("grid:4x4", 15, 16), 0);
}

TEST(neighbours_have_a_direction)
{
    CHECK_EQ(direction("grid:4x4", 0, 4), 1);
    CHECK_EQ(direction("grid:4x4", 4, 0), -1);
    CHECK_EQ(direction("grid:4x4", 0, 1), 2);
    CHECK_EQ(direction("grid:4x4", 1, 0), -2);
    CHECK_EQ(direction("grid:2x2x4", 0, 1), 3);
    CHECK_EQ(direction("torus:4x4", 0, 12), -1);
    CHECK_EQ(direction("torus:4x4", 12, 0), 1);
}

TEST(others_have_none)
{
    CHECK_EQ(direction("grid:4x4", 0, 5), 0);
    CHECK_EQ(direction("grid:4x4", 0, 8), 0);
    CHECK_EQ(direction("grid:4x4", 0, 12), 0);
    CHECK_EQ(direction("grid:4x4", 3, 3), 0);
    CHECK_EQ(direction("torus:2x8", 0, 8), 0); /* both ways are as short */
    CHECK_EQ(direction("grid:2x8", 0, 8), 1);
}

static const char *
refused(const char *topology)
{
    hd_cartesian *cartesian = NULL;

    CHECK_EQ(hd_cartesian_choose(&of_sixteen, topology, &cartesian), HD_EUSAGE);
    CHECK(cartesian == NULL);
    return hd_error_get()->text;
}

TEST(what_cannot_be_chosen_is_an_error)
{
    hd_cartesian *cartesian = NULL;

    CHECK_STR(refused("grid:3x4"), "--topology: grid:3x4 has 12 places for 16 processes");
    CHECK_STR(refused("grid:"), "--topology: \"grid:\" is not of the form grid:4x4 or torus:8x8x8");
    CHECK_STR(refused("grid:4x"), "--topology: \"grid:4x\" is not of the form grid:4x4 or torus:8x8x8");
    CHECK_STR(refused("torus:4x-4"), "--topology: \"torus:4x-4\" is not of the form grid:4x4 or torus:8x8x8");
    CHECK_STR(refused("grid:0x99"), "--topology: \"grid:0x99\" is not of the form grid:4x4 or torus:8x8x8");
    CHECK_STR(refused("grid:99999999999999999999"), "--topology: \"grid:99999999999999999999\" is not of the form grid:4x4 or torus:8x8x8");
    CHECK_STR(refused("sweep"), "--topology: the archive has no topology \"sweep\"");
    CHECK_EQ(hd_cartesian_choose(&of_sixteen, NULL, &cartesian), HD_OK);
    CHECK(cartesian == NULL);
    CHECK_EQ(hd_cartesian_choose(&of_sixteen, "none", &cartesian), HD_OK);
    CHECK(cartesian == NULL);
}

TEST_MAIN
