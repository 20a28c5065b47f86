/* topology/cartesian.c: chooses a recorded topology, or makes a grid or torus of given size, and copies its
 * coordinates: lookups of distances touch one array only. */
#include "cartesian.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "view.h"

hd_cartesian *
hd_cartesian_new(const hd_defs *defs, const char *name)
{
    hd_cartesian *cartesian = HD_NEW(hd_cartesian);

    cartesian->name        = hd_strdup(name);
    cartesian->n_processes = defs->n_processes;
    return cartesian;
}

void
hd_cartesian_free(hd_cartesian *cartesian)
{
    if (cartesian == NULL)
        return;
    for (uint32_t i = 0; i < cartesian->n_dimensions; i++)
        free(cartesian->dimension_names[i]);
    free(cartesian->name);
    free(cartesian->places);
    free(cartesian);
}

void
hd_cartesian_clear(hd_cartesian *cartesian)
{
    size_t n = (size_t)cartesian->n_processes * cartesian->n_dimensions;

    cartesian->places = HD_NEW_ARRAY(uint32_t, n + 1);
    memset(cartesian->places, 0xFF, n * sizeof *cartesian->places); /* HD_NONE */
}

/* "4x2" */
static hd_status
make_grid(const hd_defs *defs, const char *text, bool is_periodic, hd_cartesian *grid)
{
    uint64_t n = 1;

    for (;;) {
        char         *end;
        unsigned long size;

        errno = 0;
        size  = strtoul(text, &end, 10);
        if (*text < '0' || *text > '9' || errno != 0 || size == 0 || (*end != '\0' && *end != 'x') ||
            grid->n_dimensions == HD_CARTESIAN_DIMENSIONS_MAX)
            return hd_fail(HD_EUSAGE, "--topology: \"%s\" is not of the form grid:4x4 or torus:8x8x8", grid->name);
        if (size > HD_VIEW_CELLS_MAX || n * size > HD_VIEW_CELLS_MAX)
            return hd_fail(HD_EUSAGE, "--topology: %s has more than %" PRIu64 " places", grid->name, HD_VIEW_CELLS_MAX);
        grid->is_periodic[grid->n_dimensions] = is_periodic;
        grid->sizes[grid->n_dimensions++]     = (uint32_t)size;
        n *= size;
        if (*end == '\0')
            break;
        text = end + 1;
    }
    if (n < defs->n_mpi_processes)
        return hd_fail(HD_EUSAGE, "--topology: %s has %" PRIu64 " places for %" PRIu32 " processes", grid->name, n,
                       defs->n_mpi_processes);
    hd_cartesian_clear(grid);
    for (uint32_t p = 0; p < defs->n_mpi_processes; p++)
        for (uint32_t i = grid->n_dimensions, place = p; i > 0; place /= grid->sizes[--i])
            grid->places[(size_t)p * grid->n_dimensions + i - 1] = place % grid->sizes[i - 1];
    return HD_OK;
}

static bool
is_inside(const hd_dimension *dimensions, uint32_t n, const uint32_t *x)
{
    for (uint32_t i = 0; i < n; i++)
        if (x[i] >= dimensions[i].size)
            return false;
    return true;
}

static void
take_recorded(const hd_defs *defs, const hd_topology *topology, hd_cartesian *cartesian)
{
    const hd_dimension *dimensions = hd_defs_dimensions(defs) + topology->first_dimension;
    const uint32_t     *row        = hd_defs_coordinates(defs) + topology->first_coordinate;

    cartesian->is_recorded  = true;
    cartesian->n_dimensions = topology->n_dimensions;
    for (uint32_t i = 0; i < topology->n_dimensions; i++) {
        cartesian->sizes[i]       = dimensions[i].size;
        cartesian->is_periodic[i] = dimensions[i].periodic != 0;
    }
    hd_cartesian_clear(cartesian);
    for (uint32_t c = 0; c < topology->n_coordinates; c++, row += 1 + topology->n_dimensions) {
        uint32_t *place = cartesian->places + (size_t)hd_defs_locations(defs)[row[0]].process * topology->n_dimensions;

        if (place[0] == HD_NONE && is_inside(dimensions, topology->n_dimensions, row + 1))
            memcpy(place, row + 1, topology->n_dimensions * sizeof *place);
    }
}

/* Whether any process has a place on it. */
static bool
has_places(const hd_defs *defs, const hd_topology *topology)
{
    const hd_dimension *dimensions = hd_defs_dimensions(defs) + topology->first_dimension;
    const uint32_t     *row        = hd_defs_coordinates(defs) + topology->first_coordinate;
    bool                any        = false;

    if (topology->n_dimensions == 0 || topology->n_dimensions > HD_CARTESIAN_DIMENSIONS_MAX)
        return false;
    for (uint32_t c = 0; c < topology->n_coordinates && !any; c++, row += 1 + topology->n_dimensions)
        any = is_inside(dimensions, topology->n_dimensions, row + 1);
    return any;
}

static bool
has_all_places(const hd_defs *defs, const hd_topology *topology)
{
    hd_cartesian *cartesian = hd_cartesian_new(defs, "");
    bool          all       = true;

    take_recorded(defs, topology, cartesian);
    for (uint32_t p = 0; p < defs->n_mpi_processes; p++)
        all &= cartesian->places[(size_t)p * cartesian->n_dimensions] != HD_NONE;
    hd_cartesian_free(cartesian);
    return all;
}

/* Without a name the first that all MPI processes are on, else the first that any is on. */
static const hd_topology *
find_recorded(const hd_defs *defs, const char *name)
{
    const hd_topology *first = NULL;

    for (uint32_t i = 0; i < defs->n_topologies; i++) {
        const hd_topology *topology = &hd_defs_topologies(defs)[i];
        const char        *its      = hd_defs_text(defs, topology->name);

        if ((name != NULL ? strcmp(its, name) != 0 : strcmp(its, HD_PROCESS_GRID) == 0) || !has_places(defs, topology))
            continue;
        if (name != NULL || has_all_places(defs, topology))
            return topology;
        if (first == NULL)
            first = topology;
    }
    return first;
}

static hd_status
no_such_topology(const hd_defs *defs, const char *name)
{
    bool is_there = false;

    for (uint32_t i = 0; i < defs->n_topologies; i++)
        is_there |= strcmp(hd_defs_text(defs, hd_defs_topologies(defs)[i].name), name) == 0;
    if (is_there)
        hd_fail(HD_EUSAGE, "--topology: no process has a place on topology \"%s\" of the archive", name);
    else
        hd_fail(HD_EUSAGE, "--topology: the archive has no topology \"%s\"", name);
    for (uint32_t i = 0; i < defs->n_topologies; i++)
        if (has_places(defs, &hd_defs_topologies(defs)[i]))
            hd_fail_detail("there is", "%s", hd_defs_text(defs, hd_defs_topologies(defs)[i].name));
    hd_fail_detail("try", "grid:4x4 or torus:4x4, for processes in the order of their ranks; file:PATH; slurm:PATH");
    return HD_EUSAGE;
}

static hd_status
no_messages(const char *name)
{
    hd_fail(HD_EUSAGE, "--topology: the program has no MPI processes, so there are no messages to look at on \"%s\"",
            name);
    return HD_EUSAGE;
}

hd_status
hd_cartesian_choose(const hd_defs *defs, const char *name, hd_cartesian **cartesian)
{
    const hd_topology *recorded;
    hd_status          status = HD_OK;

    *cartesian = NULL;
    if (defs->n_mpi_processes == 0)
        return name == NULL || strcmp(name, "none") == 0 ? HD_OK : no_messages(name);
    recorded = find_recorded(defs, name);
    if (recorded != NULL) {
        *cartesian = hd_cartesian_new(defs, hd_defs_text(defs, recorded->name));
        take_recorded(defs, recorded, *cartesian);
        return HD_OK;
    }
    if (name == NULL || strcmp(name, "none") == 0)
        return HD_OK;
    if (strncmp(name, "grid:", 5) != 0 && strncmp(name, "torus:", 6) != 0)
        return no_such_topology(defs, name);
    *cartesian = hd_cartesian_new(defs, name);
    status     = make_grid(defs, strchr(name, ':') + 1, name[0] == 't', *cartesian);
    if (status != HD_OK) {
        hd_cartesian_free(*cartesian);
        *cartesian = NULL;
    }
    return status;
}

static const uint32_t *
place_of(const hd_cartesian *cartesian, uint32_t process)
{
    const uint32_t *place = cartesian->places + (size_t)process * cartesian->n_dimensions;

    return process < cartesian->n_processes && place[0] != HD_NONE ? place : NULL;
}

/* The shortest way from x to y on a dimension; half around is taken as up. */
static int64_t
step(const hd_cartesian *cartesian, uint32_t dimension, uint32_t x, uint32_t y)
{
    int64_t difference = (int64_t)y - (int64_t)x, size = cartesian->sizes[dimension];

    if (!cartesian->is_periodic[dimension])
        return difference;
    if (2 * difference > size)
        return difference - size;
    if (2 * difference <= -size)
        return difference + size;
    return difference;
}

bool
hd_cartesian_distance(const hd_cartesian *cartesian, uint32_t from, uint32_t to, uint64_t *hops)
{
    const uint32_t *x = place_of(cartesian, from), *y = place_of(cartesian, to);

    *hops = 0;
    if (x == NULL || y == NULL)
        return false;
    for (uint32_t i = 0; i < cartesian->n_dimensions; i++)
        *hops += (uint64_t)llabs(step(cartesian, i, x[i], y[i]));
    return true;
}

bool
hd_cartesian_direction(const hd_cartesian *cartesian, uint32_t from, uint32_t to, uint32_t *axis, int *sign)
{
    const uint32_t *x = place_of(cartesian, from), *y = place_of(cartesian, to);

    *axis = HD_NONE;
    if (x == NULL || y == NULL)
        return false;
    for (uint32_t i = 0; i < cartesian->n_dimensions; i++) {
        int64_t way = step(cartesian, i, x[i], y[i]);

        if (way == 0)
            continue;
        if (*axis != HD_NONE || (way != 1 && way != -1) || (cartesian->is_periodic[i] && cartesian->sizes[i] == 2))
            return false;
        *axis = i;
        *sign = (int)way;
    }
    return *axis != HD_NONE;
}
