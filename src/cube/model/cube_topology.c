#include "cube_topology.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "memory.h"

static void
topology_fini(hd_cube_topology *topology)
{
    free(topology->dimensions);
    free(topology->rows);
}

/* The last one is not kept if it cannot be right. */
static void
settle(hd_topology_parser *parser)
{
    if (parser->n > 0 && (parser->is_bad || parser->topologies[parser->n - 1].n_dimensions == 0))
        topology_fini(&parser->topologies[--parser->n]);
    parser->is_bad = false;
}

void
hd_topology_parser_begin(hd_topology_parser *parser, const char *name)
{
    settle(parser);
    HD_PUSH(parser->topologies, parser->n, parser->capacity, ((hd_cube_topology){ .name = name }));
    parser->n_numbers = parser->capacity_numbers = parser->capacity_dimensions = 0;
}

void
hd_topology_parser_dimension(hd_topology_parser *parser, const hd_cube_dimension *dimension)
{
    hd_cube_topology *topology = &parser->topologies[parser->n - 1];
    size_t            n        = topology->n_dimensions;

    if (n == HD_CUBE_DIMENSIONS_MAX || dimension->size == 0 || topology->n_rows > 0) {
        parser->is_bad = true;
        return;
    }
    HD_PUSH(topology->dimensions, n, parser->capacity_dimensions, *dimension);
    topology->n_dimensions = (uint32_t)n;
}

void
hd_topology_parser_coordinate(hd_topology_parser *parser, uint32_t location, const char *text)
{
    hd_cube_topology *topology = &parser->topologies[parser->n - 1];
    uint32_t          row[1 + HD_CUBE_DIMENSIONS_MAX] = { location };

    for (uint32_t i = 0; i < topology->n_dimensions; i++) {
        unsigned long x;
        char         *end;

        errno = 0;
        x     = strtoul(text, &end, 10);
        if (end == text || errno != 0 || x >= topology->dimensions[i].size)
            return;
        row[1 + i] = (uint32_t)x;
        text       = end;
    }
    if (text[strspn(text, " \t\r\n")] != '\0' || location == HD_NONE)
        return;
    for (uint32_t i = 0; i <= topology->n_dimensions; i++)
        HD_PUSH(topology->rows, parser->n_numbers, parser->capacity_numbers, row[i]);
    topology->n_rows++;
}

/* Rows of locations that the report does not have go. */
static void
drop_unknown(hd_cube_topology *topology, uint32_t n_locations)
{
    size_t width = 1 + (size_t)topology->n_dimensions, n = 0;

    for (size_t i = 0; i < topology->n_rows; i++)
        if (topology->rows[i * width] < n_locations)
            memmove(topology->rows + n++ * width, topology->rows + i * width, width * sizeof *topology->rows);
    topology->n_rows = n;
}

void
hd_topology_parser_take(hd_topology_parser *parser, hd_cube *cube)
{
    settle(parser);
    cube->topologies   = parser->topologies;
    cube->n_topologies = (uint32_t)parser->n;
    for (size_t i = 0; i < parser->n; i++)
        drop_unknown(&cube->topologies[i], cube->n_locations);
    *parser = (hd_topology_parser){ 0 };
}

/* "": none is given. What Score-P calls a dimension that has none is no name. */
static const char *
given_name(const hd_cube_topology *topology, uint32_t dimension)
{
    const char *name = topology->dimensions[dimension].name;
    char        none[sizeof "dimension 4294967295"];

    snprintf(none, sizeof none, "dimension %" PRIu32, dimension);
    return strcmp(name, none) == 0 ? "" : name;
}

const char *
hd_cube_dimension_name(const hd_cube_topology *topology, uint32_t dimension)
{
    static const char *const letters[]                        = { "x", "y", "z", "w", "v", "u" };
    static const char *const numbers[HD_CUBE_DIMENSIONS_MAX] = {
        "d0",  "d1",  "d2",  "d3",  "d4",  "d5",  "d6",  "d7",  "d8",  "d9",  "d10", "d11", "d12", "d13", "d14", "d15",
        "d16", "d17", "d18", "d19", "d20", "d21", "d22", "d23", "d24", "d25", "d26", "d27", "d28", "d29", "d30", "d31",
    };
    const char *given = given_name(topology, dimension);

    if (*given != '\0' || dimension >= sizeof letters / sizeof *letters)
        return *given != '\0' ? given : numbers[dimension];
    for (uint32_t i = 0; i < topology->n_dimensions; i++)
        if (strcasecmp(given_name(topology, i), letters[dimension]) == 0)
            return numbers[dimension];
    return letters[dimension];
}

void
hd_cube_topologies_free(hd_cube_topology *topologies, size_t n)
{
    for (size_t i = 0; i < n; i++)
        topology_fini(&topologies[i]);
    free(topologies);
}
