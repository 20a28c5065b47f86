/* src/cube/read/anchor_take.c: the report that was parsed: metrics that can be read, call paths, locations. */
#include "anchor_take.h"

#include "memory.h"

/* NULL: it can be read. */
static const char *
why_left_out(hd_anchor_parser *parser, const hd_parsed_metric *parsed)
{
    char       *text = NULL;
    const char *kept;

    if (!parsed->is_known)
        text = hd_format("its kind is \"%.60s\"", parsed->kind);
    else if (parsed->is_unclear)
        text = hd_format("its values are put together in an unknown way");
    else if (parsed->metric.kind == HD_CUBE_STORED && parsed->metric.format == HD_FORMAT_NONE)
        text = hd_format("its values are of type \"%.60s\"", parsed->metric.type);
    kept = text != NULL ? hd_cube_keep(parser->cube, text) : NULL;
    free(text);
    return kept;
}

/* Visible ones first. Children of what is left out, and visible ones of what is hidden, become children of what is
 * above it. */
static void
take_metrics(hd_anchor_parser *parser)
{
    hd_cube  *cube   = parser->cube;
    uint32_t *number = HD_NEW_ARRAY(uint32_t, parser->n_metrics + 1); /* in cube->metrics, of it or what its children
                                                                       * get as parent */
    uint32_t  n      = 0;
    size_t    capacity = 0, n_left_out = 0;

    cube->metrics = HD_NEW_ARRAY(hd_cube_metric, parser->n_metrics + 1);
    for (int hidden = 0; hidden < 2; hidden++)
        for (size_t i = 0; i < parser->n_metrics; i++) {
            hd_cube_metric *metric = &parser->metrics[i].metric;
            uint32_t        parent = metric->parent != HD_NONE ? number[metric->parent] : HD_NONE;
            const char     *why;

            if (hidden == 0)
                number[i] = parent;
            if (metric->is_hidden != (hidden != 0))
                continue;
            why = why_left_out(parser, &parser->metrics[i]);
            if (why != NULL) {
                HD_PUSH(cube->left_out, n_left_out, capacity, ((hd_cube_left_out){ metric->id, why }));
                continue;
            }
            number[i]        = n;
            cube->metrics[n] = *metric;
            cube->metrics[n++].parent = parent;
            if (hidden == 0)
                cube->n_metrics = n;
        }
    cube->n_hidden   = n - cube->n_metrics;
    cube->n_left_out = (uint32_t)n_left_out;
    free(number);
}

static hd_status
take_paths(hd_anchor_parser *parser)
{
    hd_cube *cube = parser->cube;

    cube->n_paths = (uint32_t)parser->n_paths;
    for (uint32_t i = 0; i < cube->n_paths; i++) {
        hd_cube_path *path = &cube->paths[i];

        path->region = hd_table_get(&parser->regions, parser->callees[i]);
        if (path->region == HD_NONE)
            return hd_fail(HD_EFORMAT, "report \"%s\" is damaged: call path %" PRIu32 " is of an undefined region",
                           cube->path, path->number);
        if (path->name != NULL) {
            char *text = hd_format("%s%s", cube->regions[path->region].name, path->name);

            path->name = hd_cube_keep(cube, text);
            free(text);
        } else
            path->name = cube->regions[path->region].name;
    }
    return HD_OK;
}

static hd_status
take_locations(hd_anchor_parser *parser)
{
    hd_cube *cube = parser->cube;
    bool    *seen = HD_NEW_ARRAY(bool, parser->n_locations + 1);

    cube->locations   = HD_NEW_ARRAY(hd_cube_location, parser->n_locations + 1);
    cube->n_locations = (uint32_t)parser->n_locations;
    for (size_t i = 0; i < parser->n_locations; i++) {
        uint32_t             number   = parser->locations[i].number;
        hd_cube_location    *location = &parser->locations[i].location;
        const hd_cube_group *group    = &cube->groups[location->group];

        if (number >= parser->n_locations || seen[number]) {
            free(seen);
            return hd_fail(HD_EFORMAT, "report \"%s\" is damaged: its locations are not numbered from 0 on",
                           cube->path);
        }
        location->process       = group->rank;
        location->process_name  = group->name;
        location->node          = group->node;
        seen[number]            = true;
        cube->locations[number] = *location;
    }
    free(seen);
    return HD_OK;
}

hd_status
hd_anchor_take(hd_anchor_parser *parser)
{
    hd_cube  *cube = parser->cube;
    hd_status status;

    cube->n_attributes      = (uint32_t)parser->n_attributes;
    cube->n_part_attributes = (uint32_t)parser->n_part_attributes;
    cube->n_parameters      = (uint32_t)parser->n_parameters;
    cube->n_mirrors         = (uint32_t)parser->n_mirrors;
    cube->n_regions         = (uint32_t)parser->n_regions;
    cube->n_nodes           = (uint32_t)parser->n_nodes;
    cube->n_groups          = (uint32_t)parser->n_groups;
    take_metrics(parser);
    status = take_paths(parser);
    return status == HD_OK ? take_locations(parser) : status;
}
