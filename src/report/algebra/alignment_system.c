/* src/report/algebra/alignment_system.c: nodes, processes and locations of several reports correspond by their names,
 * ranks and numbers. */
#include "alignment_model.h"

#include "matcher.h"
#include "memory.h"

typedef struct system_match {
    hd_matcher   nodes, groups, locations;
    uint32_t *node_of, *group_of; /* [of the current report] in the model */
} system_match;

static void
match_nodes(hd_alignment *alignment, system_match *all, uint32_t c, bool adds)
{
    const hd_cube *cube  = alignment->cubes[c];
    hd_cube       *model = &alignment->model;

    all->node_of = hd_realloc(all->node_of, (size_t)cube->n_nodes + 1, sizeof *all->node_of);
    for (uint32_t i = 0; i < cube->n_nodes && adds; i++) {
        hd_cube_node node   = cube->nodes[i];
        uint32_t     parent = node.parent == HD_NONE ? HD_NONE : all->node_of[node.parent];
        bool         is_new;

        all->node_of[i] = hd_match(&all->nodes, hd_match_key(parent, hd_alignment_name(alignment->own, node.name)), c,
                                   &is_new);
        if (!is_new)
            continue;
        node.parent     = parent;
        node.attributes = hd_model_copy_attributes(alignment, cube, node.attributes);
        HD_MODEL_PUSH(model->nodes, model->n_nodes, alignment->own->nodes_capacity, node);
    }
}

static void
match_groups(hd_alignment *alignment, system_match *all, uint32_t c, bool adds)
{
    const hd_cube *cube  = alignment->cubes[c];
    hd_cube       *model = &alignment->model;

    all->group_of = hd_realloc(all->group_of, (size_t)cube->n_groups + 1, sizeof *all->group_of);
    for (uint32_t i = 0; i < cube->n_groups; i++) {
        hd_cube_group group = cube->groups[i];
        bool          is_new;

        all->group_of[i] = hd_match(&all->groups,
                                    hd_match_key(group.rank, hd_alignment_name(alignment->own, group.type)), c,
                                    &is_new);
        if (!is_new || !adds)
            continue;
        group.parent     = all->node_of[group.parent];
        group.node       = all->node_of[group.node];
        group.attributes = hd_model_copy_attributes(alignment, cube, group.attributes);
        HD_MODEL_PUSH(model->groups, model->n_groups, alignment->own->groups_capacity, group);
    }
}

static void
match_locations(hd_alignment *alignment, system_match *all, uint32_t c, bool adds)
{
    const hd_cube *cube  = alignment->cubes[c];
    hd_cube       *model = &alignment->model;

    alignment->column_of[c] = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_locations + 1);
    for (uint32_t i = 0; i < cube->n_locations; i++) {
        hd_cube_location location = cube->locations[i];
        uint32_t         group    = all->group_of[location.group];
        bool             is_new;

        alignment->column_of[c][i] = hd_match(&all->locations, hd_match_key(group, location.thread), c, &is_new);
        if (!is_new || !adds)
            continue;
        location.group      = group;
        location.node       = all->node_of[location.node];
        location.attributes = hd_model_copy_attributes(alignment, cube, location.attributes);
        HD_MODEL_PUSH(model->locations, model->n_locations, alignment->own->locations_capacity, location);
    }
}

/* The first report that has something of that name. */
static uint32_t
first_report(hd_table *seen, uint32_t name, uint32_t c)
{
    uint32_t first = hd_table_get(seen, name);

    if (first != HD_NONE)
        return first;
    hd_table_add(seen, name, c);
    return c;
}

/* Of reports behind the first only those of other names. */
static void
copy_topologies(hd_alignment *alignment, hd_table *seen, uint32_t c)
{
    const hd_cube *cube  = alignment->cubes[c];
    hd_cube       *model = &alignment->model;

    for (uint32_t i = 0; i < cube->n_topologies; i++) {
        hd_cube_topology        copy = cube->topologies[i];
        const hd_cube_topology *from = &cube->topologies[i];
        size_t                  width = 1 + (size_t)copy.n_dimensions;

        if (first_report(seen, hd_alignment_name(alignment->own, copy.name), c) != c)
            continue;
        copy.dimensions = HD_NEW_ARRAY(hd_cube_dimension, (size_t)copy.n_dimensions + 1);
        copy.rows       = HD_NEW_ARRAY(uint32_t, copy.n_rows * width + 1);
        memcpy(copy.dimensions, from->dimensions, copy.n_dimensions * sizeof *copy.dimensions);
        if (copy.n_rows > 0)
            memcpy(copy.rows, from->rows, copy.n_rows * width * sizeof *copy.rows);
        for (size_t row = 0; row < copy.n_rows; row++)
            copy.rows[row * width] = alignment->column_of[c][copy.rows[row * width]];
        HD_MODEL_PUSH(model->topologies, model->n_topologies, alignment->own->topologies_capacity, copy);
    }
}

void
hd_alignment_clear_system(hd_alignment *alignment)
{
    hd_cube *model = &alignment->model;

    free(model->nodes);
    free(model->groups);
    free(model->locations);
    model->nodes     = NULL;
    model->groups    = NULL;
    model->locations = NULL;
    model->n_nodes   = 0;
    model->n_groups  = 0;
    model->n_locations = 0;
}

/* One location in the place of all. */
static void
sum_all(hd_alignment *alignment)
{
    static const char name[] = "all processes";
    hd_cube          *model  = &alignment->model;

    hd_alignment_clear_system(alignment);
    model->nodes         = HD_NEW(hd_cube_node);
    model->groups        = HD_NEW(hd_cube_group);
    model->locations     = HD_NEW(hd_cube_location);
    *model->nodes        = (hd_cube_node){ .name = "all", .class_name = "machine", .what = "", .parent = HD_NONE };
    *model->groups       = (hd_cube_group){ .name = name, .type = "process" };
    *model->locations    = (hd_cube_location){ .name = "sum", .type = "thread", .process_name = name };
    model->n_nodes = model->n_groups = model->n_locations = 1;
    for (uint32_t c = 0; c < alignment->n_cubes; c++)
        memset(alignment->column_of[c], 0, alignment->cubes[c]->n_locations * sizeof **alignment->column_of);
}

/* One location in the place of all threads of a process.
 *   group_of   [n_cubes][locations of that report] the group in the model */
static void
sum_threads(hd_alignment *alignment, uint32_t *const *group_of)
{
    hd_cube *model = &alignment->model;

    free(model->locations);
    model->locations   = HD_NEW_ARRAY(hd_cube_location, (size_t)model->n_groups + 1);
    model->n_locations = model->n_groups;
    for (uint32_t i = 0; i < model->n_groups; i++)
        model->locations[i] = (hd_cube_location){ .name = "all threads", .type = "thread",
                                                  .process_name = model->groups[i].name,
                                                  .process = model->groups[i].rank, .group = i,
                                                  .node = model->groups[i].node };
    for (uint32_t c = 0; c < alignment->n_cubes; c++)
        memcpy(alignment->column_of[c], group_of[c], alignment->cubes[c]->n_locations * sizeof **alignment->column_of);
}

static void
order_nodes(hd_cube *model)
{
    uint32_t *places;

    HD_ORDER_DEPTH_FIRST(hd_cube_node, model->nodes, model->n_nodes, places);
    for (uint32_t i = 0; i < model->n_groups; i++) {
        model->groups[i].parent = places[model->groups[i].parent];
        model->groups[i].node   = places[model->groups[i].node];
    }
    for (uint32_t i = 0; i < model->n_locations; i++)
        model->locations[i].node = places[model->locations[i].node];
    free(places);
}

static uint32_t *
groups_of_locations(const hd_cube *cube, const uint32_t *group_of)
{
    uint32_t *groups = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_locations + 1);

    for (uint32_t i = 0; i < cube->n_locations; i++)
        groups[i] = group_of[cube->locations[i].group];
    return groups;
}

void
hd_align_system(hd_alignment *alignment, bool takes_all)
{
    system_match all            = { 0 };
    uint32_t   **group_of       = HD_NEW_ARRAY(uint32_t *, alignment->n_cubes); /* of each location */
    bool         same_locations = true, same_groups = true;
    hd_table     topologies;

    hd_table_init(&topologies);
    for (uint32_t c = 0; c < alignment->n_cubes; c++) {
        const hd_cube *cube = alignment->cubes[c], *first = alignment->cubes[0];

        match_nodes(alignment, &all, c, c == 0 || takes_all);
        match_groups(alignment, &all, c, c == 0 || takes_all);
        match_locations(alignment, &all, c, c == 0 || takes_all);
        group_of[c] = groups_of_locations(cube, all.group_of);
        same_groups &= cube->n_groups == first->n_groups && all.groups.n == first->n_groups;
        same_locations &= cube->n_locations == first->n_locations && all.locations.n == first->n_locations;
    }
    if (!takes_all && !same_locations)
        alignment->sums = same_groups ? HD_SUMS_OF_PROCESSES : HD_SUMS_OF_ALL;
    if (alignment->sums == HD_SUMS_OF_ALL)
        sum_all(alignment);
    else if (alignment->sums == HD_SUMS_OF_PROCESSES)
        sum_threads(alignment, group_of);
    if (alignment->sums != HD_SUMS_OF_ALL)
        order_nodes(&alignment->model);
    for (uint32_t c = 0; alignment->sums == HD_SUMS_NONE && c < (takes_all ? alignment->n_cubes : 1); c++)
        copy_topologies(alignment, &topologies, c);
    hd_table_fini(&topologies);
    for (uint32_t c = 0; c < alignment->n_cubes; c++)
        free(group_of[c]);
    free(group_of);
    free(all.node_of);
    free(all.group_of);
    hd_matcher_fini(&all.nodes);
    hd_matcher_fini(&all.groups);
    hd_matcher_fini(&all.locations);
}
