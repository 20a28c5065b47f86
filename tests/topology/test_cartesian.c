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
    CHECK_STR(refused("grid:8192x8193"), "--topology: grid:8192x8193 has more than 67108864 places");
    CHECK_STR(refused("torus:4294967296x4294967296"),
              "--topology: torus:4294967296x4294967296 has more than 67108864 places");
    CHECK_STR(refused("grid:99999999999999999999"),
              "--topology: \"grid:99999999999999999999\" is not of the form grid:4x4 or torus:8x8x8");
    CHECK_STR(refused("sweep"), "--topology: the archive has no topology \"sweep\"");
    CHECK_EQ(hd_cartesian_choose(&of_sixteen, NULL, &cartesian), HD_OK);
    CHECK(cartesian == NULL);
    CHECK_EQ(hd_cartesian_choose(&of_sixteen, "none", &cartesian), HD_OK);
    CHECK(cartesian == NULL);
}

TEST(without_mpi_there_is_nothing_to_choose)
{
    static const hd_defs without_mpi = { .n_processes = 4 };
    hd_cartesian        *cartesian   = NULL;

    CHECK_EQ(hd_cartesian_choose(&without_mpi, "grid:4", &cartesian), HD_EUSAGE);
    CHECK_STR(hd_error_get()->text,
              "--topology: the program has no MPI processes, so there are no messages to look at on \"grid:4\"");
    CHECK_EQ(hd_cartesian_choose(&without_mpi, "none", &cartesian), HD_OK);
    CHECK_EQ(hd_cartesian_choose(&without_mpi, NULL, &cartesian), HD_OK);
    CHECK(cartesian == NULL);
}

/*   topology 0  "first"   x: size 0; process 0 at 0
 *            1  "second"  x: size 2; process 0 at 5, outside
 *            2  "third"   x: size 2; process 1 at 1 */
typedef struct recorded {
    hd_defs         defs;
    hd_location_def locations[2];
    hd_topology     topologies[3];
    hd_dimension    dimensions[2];
    uint32_t        coordinates[6];
    char            texts[24];
} recorded;

static const recorded three = {
    .defs = { .n_processes = 2, .n_mpi_processes = 2, .n_topologies = 3, .n_dimensions = 2,
              .locations = offsetof(recorded, locations), .topologies = offsetof(recorded, topologies),
              .dimensions = offsetof(recorded, dimensions), .coordinates = offsetof(recorded, coordinates),
              .texts = offsetof(recorded, texts) },
    .locations   = { { .process = 0 }, { .process = 1 } },
    .topologies  = { { .name = 0, .n_dimensions = 1, .n_coordinates = 1 },
                     { .name = 6, .n_dimensions = 1, .n_coordinates = 1, .first_dimension = 1, .first_coordinate = 2 },
                     { .name = 13, .n_dimensions = 1, .n_coordinates = 1, .first_dimension = 1,
                       .first_coordinate = 4 } },
    .dimensions  = { { .size = 0 }, { .size = 2 } },
    .coordinates = { 0, 0, 0, 5, 1, 1 },
    .texts       = "first\0second\0third",
};

TEST(topologies_without_places_are_passed_over)
{
    hd_cartesian *cartesian = NULL;

    CHECK_EQ(hd_cartesian_choose(&three.defs, NULL, &cartesian), HD_OK);
    CHECK_STR(cartesian->name, "third");
    CHECK_EQ(cartesian->places[0], HD_NONE);
    CHECK_EQ(cartesian->places[1], 1);
    hd_cartesian_free(cartesian);
    CHECK_EQ(hd_cartesian_choose(&three.defs, "second", &cartesian), HD_EUSAGE);
    CHECK_STR(hd_error_get()->text, "--topology: no process has a place on topology \"second\" of the archive");
}

/* "second" has process 0 only now, "third" both. */
TEST(a_topology_with_all_processes_goes_before_others)
{
    recorded      some      = three;
    hd_cartesian *cartesian = NULL;

    some.topologies[1].first_coordinate = 0;
    some.topologies[2].first_coordinate = 2;
    some.topologies[2].n_coordinates    = 2;
    some.coordinates[2] = 0, some.coordinates[3] = 1, some.coordinates[4] = 1, some.coordinates[5] = 0;
    CHECK_EQ(hd_cartesian_choose(&some.defs, NULL, &cartesian), HD_OK);
    CHECK_STR(cartesian->name, "third");
    hd_cartesian_free(cartesian);
    CHECK_EQ(hd_cartesian_choose(&some.defs, "second", &cartesian), HD_OK);
    CHECK_STR(cartesian->name, "second");
    hd_cartesian_free(cartesian);
    some.topologies[2].n_coordinates = 1; /* one each: the first */
    CHECK_EQ(hd_cartesian_choose(&some.defs, NULL, &cartesian), HD_OK);
    CHECK_STR(cartesian->name, "second");
    hd_cartesian_free(cartesian);
}

TEST_MAIN
