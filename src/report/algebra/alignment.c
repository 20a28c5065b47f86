#include "alignment.h"

#include <math.h>

#include "cube_cell.h"
#include "memory.h"
#include "table.h"
#include "tree_order.h"

/* Things with keys, several of which may have the same: those of one key are handed out in the order in which they were added, from the first on
 * in every round. */
typedef struct match_item {
    uint32_t next;     /* of the same key; HD_NONE: the last one */
    uint32_t at, last; /* of the first of a key: what is handed out next, HD_NONE: a new one; the last of the key */
    uint32_t round;    /* of the first of a key: that of at */
} match_item;

typedef struct matcher {
    hd_table    first; /* by key */
    match_item *items; /* [n] */
    size_t      n, capacity;
} matcher;

typedef struct hd_alignment_own {
    hd_table      name_ids; /* by hash */
    const char  **names;    /* [n_names] lent by the reports */
    size_t        n_names, names_capacity;
    hd_cube_cell *row;      /* [locations of the largest report] */
    hd_cube_cell *cells;    /* [model.n_locations] */
    char        **texts;    /* [n_texts] made here */
    size_t        n_texts, texts_capacity;
    size_t        attributes_capacity, parameters_capacity, left_out_capacity, paths_capacity, regions_capacity, metrics_capacity,
        nodes_capacity, groups_capacity, locations_capacity, topologies_capacity, mirrors_capacity;
} hd_alignment_own;

/* Same as HD_PUSH for arrays of a model, whose numbers of elements have 32 bits. */
#define PUSH(array, n, capacity, value)                                                                                          \
    do {                                                                                                                         \
        if ((size_t)(n) == (capacity))                                                                                           \
            (array) = hd_grow((array), (n), &(capacity), sizeof *(array));                                                       \
        (array)[(n)++] = (value);                                                                                                \
    } while (0)

/* ---- keys ---------------------------------------------------------------------------------------------------------------- */

static uint64_t
key_of(uint32_t high, uint32_t low)
{
    return (uint64_t)high << 32 | low;
}

static uint64_t
hash_of(uint64_t hash, const char *text)
{
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001B3);
    return (hash ^ 0xFF) * UINT64_C(0x100000001B3);
}

/* The same number for the same name. */
static uint32_t
name_id(hd_alignment_own *own, const char *name)
{
    uint32_t id;

    for (uint64_t hash = hash_of(0, name);; hash++) {
        id = hd_table_get(&own->name_ids, hash);
        if (id == HD_NONE) {
            hd_table_add(&own->name_ids, hash, (uint32_t)own->n_names);
            HD_PUSH(own->names, own->n_names, own->names_capacity, name);
            return (uint32_t)own->n_names - 1;
        }
        if (strcmp(own->names[id], name) == 0)
            return id;
    }
}

/* The next one of that key in this round: its number, that of a new one where is_new is set. */
static uint32_t
match(matcher *all, uint64_t key, uint32_t round, bool *is_new)
{
    uint32_t first = hd_table_get(&all->first, key), number = (uint32_t)all->n;

    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): first is an item */
    if (first != HD_NONE && all->items[first].round != round) {
        all->items[first].round = round;
        all->items[first].at    = first;
    }
    *is_new = first == HD_NONE || all->items[first].at == HD_NONE;
    if (!*is_new) {
        number                = all->items[first].at;
        all->items[first].at = all->items[number].next;
        return number;
    }
    HD_PUSH(all->items, all->n, all->capacity, ((match_item){ .next = HD_NONE, .at = HD_NONE, .last = number, .round = round }));
    if (first == HD_NONE)
        hd_table_add(&all->first, key, number);
    else {
        all->items[all->items[first].last].next = number;
        all->items[first].last                  = number;
    }
    return number;
}

static void
matcher_fini(matcher *all)
{
    hd_table_fini(&all->first);
    free(all->items);
}

/* ---- parts of the model ---------------------------------------------------------------------------------------------------- */

static hd_cube_slice
copy_attributes(hd_alignment *alignment, const hd_cube *cube, hd_cube_slice slice)
{
    hd_cube      *model = &alignment->model;
    hd_cube_slice copy  = { .first = model->n_part_attributes, .n = slice.n };

    for (uint32_t i = 0; i < slice.n; i++)
        PUSH(model->part_attributes, model->n_part_attributes, alignment->own->attributes_capacity,
             cube->part_attributes[slice.first + i]);
    return copy;
}

static hd_cube_slice
copy_parameters(hd_alignment *alignment, const hd_cube *cube, hd_cube_slice slice)
{
    hd_cube      *model = &alignment->model;
    hd_cube_slice copy  = { .first = model->n_parameters, .n = slice.n };

    for (uint32_t i = 0; i < slice.n; i++)
        PUSH(model->parameters, model->n_parameters, alignment->own->parameters_capacity, cube->parameters[slice.first + i]);
    return copy;
}

/* place: out, [n] the place of each in the depth-first order of their tree. */
static uint32_t *
depth_first_places(const uint32_t *parents, uint32_t n)
{
    hd_tree_order order;
    uint32_t     *list = HD_NEW_ARRAY(uint32_t, (size_t)n + 1), *places = HD_NEW_ARRAY(uint32_t, (size_t)n + 1);

    hd_tree_order_init(&order, parents, n);
    hd_tree_order_list(&order, list);
    for (uint32_t i = 0; i < n; i++)
        places[list[i]] = i;
    hd_tree_order_fini(&order);
    free(list);
    return places;
}

/* Puts an array of nodes, each with its parent, in depth-first order. places: uint32_t *, out, free() it. */
#define ORDER_DEPTH_FIRST(type, array, n, places)                                                                                \
    do {                                                                                                                         \
        uint32_t *parents = HD_NEW_ARRAY(uint32_t, (size_t)(n) + 1);                                                             \
        type     *ordered = HD_NEW_ARRAY(type, (size_t)(n) + 1);                                                                 \
                                                                                                                                 \
        for (uint32_t i_ = 0; i_ < (n); i_++)                                                                                    \
            parents[i_] = (array)[i_].parent;                                                                                    \
        (places) = depth_first_places(parents, (n));                                                                             \
        for (uint32_t i_ = 0; i_ < (n); i_++) {                                                                                  \
            ordered[(places)[i_]] = (array)[i_];                                                                                 \
            if (parents[i_] != HD_NONE)                                                                                          \
                ordered[(places)[i_]].parent = (places)[parents[i_]];                                                            \
        }                                                                                                                        \
        free(array);                                                                                                             \
        free(parents);                                                                                                           \
        (array) = ordered;                                                                                                       \
    } while (0)

/* maps[cube][number in the model] from to_model[cube][number in the report]. */
static uint32_t *
invert(const uint32_t *to_model, uint32_t n, const uint32_t *places, uint32_t n_model)
{
    uint32_t *map = HD_NEW_ARRAY(uint32_t, (size_t)n_model + 1);

    memset(map, 0xFF, n_model * sizeof *map); /* HD_NONE */
    for (uint32_t i = n; i-- > 0;) /* of several the first */
        if (to_model[i] != HD_NONE)
            map[places[to_model[i]]] = i;
    return map;
}

/* ---- metrics --------------------------------------------------------------------------------------------------------------- */

static void
leave_out(hd_alignment *alignment, uint32_t id, char *why)
{
    hd_cube *model = &alignment->model;

    HD_PUSH(alignment->own->texts, alignment->own->n_texts, alignment->own->texts_capacity, why);
    PUSH(model->left_out, model->n_left_out, alignment->own->left_out_capacity,
         ((hd_cube_left_out){ .id = alignment->own->names[id], .why = why }));
}

/* Why values of two reports cannot be told in one metric; NULL: they can. */
static char *
difference_of(const hd_cube_metric *a, const hd_cube_metric *b)
{
    if (strcmp(a->unit, b->unit) != 0)
        return hd_format("its unit is \"%.60s\" in one report and \"%.60s\" in another", a->unit, b->unit);
    if (a->is_extreme != b->is_extreme || a->is_minimum != b->is_minimum)
        return hd_format("it is a %s in one report and a %s in another", !a->is_extreme ? "sum" : a->is_minimum ? "minimum" : "maximum",
                         !b->is_extreme ? "sum" : b->is_minimum ? "minimum" : "maximum");
    return NULL;
}

/* is_out: [ids] out, true: metrics of that name id cannot be combined. Given ids are names. */
static bool *
find_left_out(hd_alignment *alignment, bool takes_all)
{
    hd_alignment_own      *own   = alignment->own;
    const hd_cube_metric **first = NULL; /* [n_names] */
    bool                  *is_out;
    size_t                 n = 0;

    for (uint32_t c = 0; c < alignment->n_cubes; c++)
        for (uint32_t m = 0; m < alignment->cubes[c]->n_metrics; m++)
            name_id(own, alignment->cubes[c]->metrics[m].id);
    n      = own->n_names;
    first  = HD_NEW_ARRAY(const hd_cube_metric *, n + 1);
    is_out = HD_NEW_ARRAY(bool, n + 1);
    for (uint32_t c = 0; c < alignment->n_cubes; c++)
        for (uint32_t m = 0; m < alignment->cubes[c]->n_metrics; m++) {
            const hd_cube_metric *metric = &alignment->cubes[c]->metrics[m];
            uint32_t              id     = name_id(own, metric->id);
            char                 *why    = NULL;

            if (is_out[id])
                continue;
            if (!metric->is_extreme && !metric->is_additive)
                why = hd_format("its values cannot be added up");
            else if (first[id] != NULL && !takes_all)
                why = difference_of(first[id], metric);
            if (first[id] == NULL)
                first[id] = metric;
            if (why != NULL) {
                is_out[id] = true;
                leave_out(alignment, id, why);
            }
        }
    free(first);
    return is_out;
}

/* The metric of the model that a parent is; HD_NONE: none of those above is in it. */
static uint32_t
parent_in_model(const hd_cube *cube, const uint32_t *to_model, uint32_t metric)
{
    uint32_t parent = cube->metrics[metric].parent;

    while (parent != HD_NONE && to_model[parent] == HD_NONE)
        parent = cube->metrics[parent].parent;
    return parent == HD_NONE ? HD_NONE : to_model[parent];
}

static void
add_metric(hd_alignment *alignment, uint32_t c, uint32_t m, uint32_t parent)
{
    const hd_cube *cube   = alignment->cubes[c];
    hd_cube_metric metric = cube->metrics[m];

    metric.parent       = parent;
    metric.kind         = HD_CUBE_STORED;
    metric.expression   = "";
    metric.is_inclusive = false;
    metric.is_additive  = !metric.is_extreme;
    metric.attributes   = copy_attributes(alignment, cube, metric.attributes);
    PUSH(alignment->model.metrics, alignment->model.n_metrics, alignment->own->metrics_capacity, metric);
}

static void
align_metrics(hd_alignment *alignment, bool takes_all)
{
    hd_cube   *model    = &alignment->model;
    bool      *is_out   = find_left_out(alignment, takes_all);
    uint32_t  *of_id    = HD_NEW_ARRAY(uint32_t, alignment->own->n_names + 1); /* in the model */
    uint32_t **to_model = HD_NEW_ARRAY(uint32_t *, alignment->n_cubes);
    uint32_t  *places;

    memset(of_id, 0xFF, alignment->own->n_names * sizeof *of_id); /* HD_NONE */
    for (uint32_t c = 0; c < alignment->n_cubes; c++) {
        const hd_cube *cube = alignment->cubes[c];

        to_model[c] = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_metrics + cube->n_hidden + 1);
        memset(to_model[c], 0xFF, ((size_t)cube->n_metrics + cube->n_hidden) * sizeof **to_model); /* HD_NONE */
        for (uint32_t m = 0; m < cube->n_metrics; m++) {
            uint32_t id = name_id(alignment->own, cube->metrics[m].id);

            if (is_out[id])
                continue;
            if (of_id[id] == HD_NONE) {
                add_metric(alignment, c, m, parent_in_model(cube, to_model[c], m));
                of_id[id] = model->n_metrics - 1;
            }
            to_model[c][m] = of_id[id];
        }
    }
    ORDER_DEPTH_FIRST(hd_cube_metric, model->metrics, model->n_metrics, places);
    alignment->first = HD_NEW_ARRAY(uint32_t, (size_t)model->n_metrics + 1);
    memset(alignment->first, 0xFF, model->n_metrics * sizeof *alignment->first); /* HD_NONE */
    for (uint32_t i = 0; i < model->n_metrics; i++)
        model->metrics[i].number = i;
    for (uint32_t c = 0; c < alignment->n_cubes; c++) {
        alignment->metric_of[c] = invert(to_model[c], alignment->cubes[c]->n_metrics, places, model->n_metrics);
        for (uint32_t i = 0; i < model->n_metrics; i++)
            if (alignment->first[i] == HD_NONE && alignment->metric_of[c][i] != HD_NONE)
                alignment->first[i] = c;
        free(to_model[c]);
    }
    free(places);
    free(to_model);
    free(of_id);
    free(is_out);
}

/* ---- call paths ------------------------------------------------------------------------------------------------------------- */

static bool
is_one_tree(const hd_cube *cube)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < cube->n_paths; i++)
        n += cube->paths[i].parent == HD_NONE;
    return n == 1;
}

static bool
are_one_tree_each(const hd_alignment *alignment)
{
    for (uint32_t c = 0; c < alignment->n_cubes; c++)
        if (!is_one_tree(alignment->cubes[c]))
            return false;
    return true;
}

static uint64_t
region_key(const hd_cube_region *region)
{
    uint64_t hash = hash_of((uint64_t)(uint32_t)region->begin_line << 32 | (uint32_t)region->end_line, region->name);

    hash = hash_of(hash, region->mangled_name);
    hash = hash_of(hash, region->file);
    hash = hash_of(hash, region->paradigm);
    return hash_of(hash, region->role);
}

static bool
is_same_region(const hd_cube_region *a, const hd_cube_region *b)
{
    return a->begin_line == b->begin_line && a->end_line == b->end_line && strcmp(a->name, b->name) == 0 &&
           strcmp(a->mangled_name, b->mangled_name) == 0 && strcmp(a->file, b->file) == 0 && strcmp(a->paradigm, b->paradigm) == 0 &&
           strcmp(a->role, b->role) == 0;
}

static uint32_t
region_in_model(hd_alignment *alignment, hd_table *regions, const hd_cube *cube, uint32_t number)
{
    hd_cube       *model = &alignment->model;
    hd_cube_region region = cube->regions[number];
    uint64_t       key    = region_key(&region);
    uint32_t       found;

    while ((found = hd_table_get(regions, key)) != HD_NONE) {
        if (is_same_region(&model->regions[found], &region))
            return found;
        key++;
    }
    hd_table_add(regions, key, model->n_regions);
    region.number     = model->n_regions;
    region.attributes = copy_attributes(alignment, cube, region.attributes);
    PUSH(model->regions, model->n_regions, alignment->own->regions_capacity, region);
    return model->n_regions - 1;
}

static void
add_path(hd_alignment *alignment, hd_table *regions, const hd_cube *cube, const hd_cube_path *source, uint32_t parent)
{
    hd_cube_path path = *source;

    path.parent     = parent;
    path.region     = region_in_model(alignment, regions, cube, source->region);
    path.parameters = copy_parameters(alignment, cube, source->parameters);
    path.attributes = copy_attributes(alignment, cube, source->attributes);
    PUSH(alignment->model.paths, alignment->model.n_paths, alignment->own->paths_capacity, path);
}

static void
align_paths(hd_alignment *alignment, bool one_program)
{
    hd_cube   *model    = &alignment->model;
    bool       one_root = one_program && are_one_tree_each(alignment);
    uint32_t **to_model = HD_NEW_ARRAY(uint32_t *, alignment->n_cubes), *places;
    matcher    all      = { 0 };
    hd_table   regions;

    hd_table_init(&regions);
    for (uint32_t c = 0; c < alignment->n_cubes; c++) {
        const hd_cube *cube = alignment->cubes[c];

        to_model[c] = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_paths + 1);
        for (uint32_t i = 0; i < cube->n_paths; i++) {
            const hd_cube_path *path    = &cube->paths[i];
            uint32_t            parent  = path->parent == HD_NONE ? HD_NONE : to_model[c][path->parent];
            uint32_t            name    = parent == HD_NONE && one_root ? HD_NONE : name_id(alignment->own, path->name);
            bool                is_new;

            to_model[c][i] = match(&all, key_of(parent, name), c, &is_new);
            if (is_new)
                add_path(alignment, &regions, cube, path, parent);
        }
    }
    ORDER_DEPTH_FIRST(hd_cube_path, model->paths, model->n_paths, places);
    for (uint32_t i = 0; i < model->n_paths; i++)
        model->paths[i].number = i;
    for (uint32_t c = 0; c < alignment->n_cubes; c++) {
        alignment->path_of[c] = invert(to_model[c], alignment->cubes[c]->n_paths, places, model->n_paths);
        free(to_model[c]);
    }
    free(places);
    free(to_model);
    matcher_fini(&all);
    hd_table_fini(&regions);
}

/* ---- the system -------------------------------------------------------------------------------------------------------------- */

typedef struct system_match {
    matcher   nodes, groups, locations;
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

        all->node_of[i] = match(&all->nodes, key_of(parent, name_id(alignment->own, node.name)), c, &is_new);
        if (!is_new)
            continue;
        node.parent     = parent;
        node.attributes = copy_attributes(alignment, cube, node.attributes);
        PUSH(model->nodes, model->n_nodes, alignment->own->nodes_capacity, node);
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

        all->group_of[i] = match(&all->groups, key_of(group.rank, name_id(alignment->own, group.type)), c, &is_new);
        if (!is_new || !adds)
            continue;
        group.parent     = all->node_of[group.parent];
        group.node       = all->node_of[group.node];
        group.attributes = copy_attributes(alignment, cube, group.attributes);
        PUSH(model->groups, model->n_groups, alignment->own->groups_capacity, group);
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

        alignment->column_of[c][i] = match(&all->locations, key_of(group, location.thread), c, &is_new);
        if (!is_new || !adds)
            continue;
        location.group      = group;
        location.node       = all->node_of[location.node];
        location.attributes = copy_attributes(alignment, cube, location.attributes);
        PUSH(model->locations, model->n_locations, alignment->own->locations_capacity, location);
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

        if (first_report(seen, name_id(alignment->own, copy.name), c) != c)
            continue;
        copy.dimensions = HD_NEW_ARRAY(hd_cube_dimension, (size_t)copy.n_dimensions + 1);
        copy.rows       = HD_NEW_ARRAY(uint32_t, copy.n_rows * width + 1);
        memcpy(copy.dimensions, from->dimensions, copy.n_dimensions * sizeof *copy.dimensions);
        memcpy(copy.rows, from->rows, copy.n_rows * width * sizeof *copy.rows);
        for (size_t row = 0; row < copy.n_rows; row++)
            copy.rows[row * width] = alignment->column_of[c][copy.rows[row * width]];
        PUSH(model->topologies, model->n_topologies, alignment->own->topologies_capacity, copy);
    }
}

static void
clear_system(hd_alignment *alignment)
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

    clear_system(alignment);
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
        model->locations[i] = (hd_cube_location){ .name = "all threads", .type = "thread", .process_name = model->groups[i].name,
                                                  .process = model->groups[i].rank, .group = i, .node = model->groups[i].node };
    for (uint32_t c = 0; c < alignment->n_cubes; c++)
        memcpy(alignment->column_of[c], group_of[c], alignment->cubes[c]->n_locations * sizeof **alignment->column_of);
}

static void
order_nodes(hd_cube *model)
{
    uint32_t *places;

    ORDER_DEPTH_FIRST(hd_cube_node, model->nodes, model->n_nodes, places);
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

static void
align_system(hd_alignment *alignment, bool takes_all)
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
    matcher_fini(&all.nodes);
    matcher_fini(&all.groups);
    matcher_fini(&all.locations);
}

const char *
hd_alignment_why_sums(const hd_alignment *alignment)
{
    switch (alignment->sums) {
    case HD_SUMS_OF_PROCESSES: return "They have different threads: sums over those of each process are compared";
    case HD_SUMS_OF_ALL: return "They have different processes: sums over all of them are compared";
    case HD_SUMS_NONE: break;
    }
    return NULL;
}

/* ---- rows ---------------------------------------------------------------------------------------------------------------------- */

hd_status
hd_alignment_cells(hd_alignment *alignment, uint32_t c, uint32_t metric, uint32_t path, hd_cube_cell *cells, bool *any)
{
    hd_cube        *cube    = alignment->cubes[c];
    uint32_t        number  = alignment->metric_of[c][metric];
    uint32_t        source  = alignment->path_of[c][path];
    const uint32_t *columns = alignment->column_of[c];
    hd_status       status;

    *any = false;
    if (number == HD_NONE || source == HD_NONE)
        return HD_OK;
    status = hd_cube_cells(cube, number, source, alignment->own->row, any);
    if (status != HD_OK || !*any)
        return status;
    memset(cells, 0, alignment->model.n_locations * sizeof *cells);
    for (uint32_t i = 0; i < cube->n_locations; i++)
        cells[columns[i]] = alignment->sums == HD_SUMS_NONE ? alignment->own->row[i]
                                                            : hd_cell_sum(&cube->metrics[number], cells[columns[i]], alignment->own->row[i]);
    return HD_OK;
}

hd_status
hd_alignment_row(hd_alignment *alignment, uint32_t c, uint32_t metric, uint32_t path, double *values, bool *any)
{
    uint32_t  number = alignment->metric_of[c][metric];
    hd_status status = hd_alignment_cells(alignment, c, metric, path, alignment->own->cells, any);

    for (uint32_t i = 0; status == HD_OK && *any && i < alignment->model.n_locations; i++)
        values[i] = hd_cube_cell_value(&alignment->cubes[c]->metrics[number], alignment->own->cells[i]);
    return status;
}

hd_status
hd_alignment_total(hd_alignment *alignment, uint32_t c, uint32_t number, const bool *selected, double *of_path, double *total)
{
    const hd_cube        *model  = &alignment->model;
    const hd_cube_metric *metric = &model->metrics[number];
    double               *row    = HD_NEW_ARRAY(double, (size_t)model->n_locations + 1), all = 0;
    hd_status             status = HD_OK;

    for (uint32_t path = 0; path < model->n_paths && status == HD_OK; path++) {
        double sum = 0;
        bool   any = false;

        if (selected != NULL && !selected[path])
            continue;
        status = hd_alignment_row(alignment, c, number, path, row, &any);
        for (uint32_t i = 0; status == HD_OK && any && i < model->n_locations; i++)
            if (!isnan(row[i]))
                sum = metric->is_extreme ? hd_extreme_of(metric, sum, row[i]) : sum + row[i];
        all = metric->is_extreme ? hd_extreme_of(metric, all, sum) : all + sum;
        if (of_path != NULL)
            of_path[path] = sum;
    }
    free(row);
    if (status == HD_OK)
        *total = all;
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------------------------------------------ */

static void
align_mirrors(hd_alignment *alignment)
{
    hd_cube *model = &alignment->model;
    hd_table seen;

    hd_table_init(&seen);
    for (uint32_t c = 0; c < alignment->n_cubes; c++)
        for (uint32_t i = 0; i < alignment->cubes[c]->n_mirrors; i++) {
            uint32_t name = name_id(alignment->own, alignment->cubes[c]->mirrors[i]);

            if (hd_table_get(&seen, name) != HD_NONE)
                continue;
            hd_table_add(&seen, name, c);
            PUSH(model->mirrors, model->n_mirrors, alignment->own->mirrors_capacity, alignment->cubes[c]->mirrors[i]);
        }
    hd_table_fini(&seen);
}

hd_alignment *
hd_alignment_new(hd_cube *const *cubes, uint32_t n_cubes, hd_alignment_options options)
{
    hd_alignment *alignment = HD_NEW(hd_alignment);
    uint32_t      n_most    = 0;

    HD_ASSERT(n_cubes > 0);
    alignment->cubes     = cubes;
    alignment->n_cubes   = n_cubes;
    alignment->own       = HD_NEW(hd_alignment_own);
    alignment->metric_of = HD_NEW_ARRAY(uint32_t *, n_cubes);
    alignment->path_of   = HD_NEW_ARRAY(uint32_t *, n_cubes);
    alignment->column_of = HD_NEW_ARRAY(uint32_t *, n_cubes);
    hd_table_init(&alignment->own->name_ids);
    alignment->model.path    = cubes[0]->path;
    alignment->model.version = "4.4";
    align_metrics(alignment, options.takes_all);
    align_paths(alignment, options.one_program);
    align_system(alignment, options.takes_all);
    align_mirrors(alignment);
    for (uint32_t c = 0; c < n_cubes; c++)
        n_most = cubes[c]->n_locations > n_most ? cubes[c]->n_locations : n_most;
    alignment->own->row   = HD_NEW_ARRAY(hd_cube_cell, (size_t)n_most + 1);
    alignment->own->cells = HD_NEW_ARRAY(hd_cube_cell, (size_t)alignment->model.n_locations + 1);
    return alignment;
}

void
hd_alignment_free(hd_alignment *alignment)
{
    hd_cube          *model;
    hd_alignment_own *own;

    if (alignment == NULL)
        return;
    model = &alignment->model;
    own   = alignment->own;
    for (uint32_t c = 0; c < alignment->n_cubes; c++) {
        free(alignment->metric_of[c]);
        free(alignment->path_of[c]);
        free(alignment->column_of[c]);
    }
    free(alignment->metric_of);
    free(alignment->path_of);
    free(alignment->column_of);
    free(alignment->first);
    clear_system(alignment);
    for (uint32_t i = 0; i < model->n_topologies; i++) {
        free(model->topologies[i].dimensions);
        free(model->topologies[i].rows);
    }
    free(model->topologies);
    free(model->metrics);
    free(model->regions);
    free(model->paths);
    free(model->part_attributes);
    free(model->parameters);
    free(model->left_out);
    free(model->mirrors);
    for (size_t i = 0; i < own->n_texts; i++)
        free(own->texts[i]);
    free(own->texts);
    free(own->names);
    free(own->row);
    free(own->cells);
    hd_table_fini(&own->name_ids);
    free(own);
    free(alignment);
}
