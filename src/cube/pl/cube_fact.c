#include "cube_derived.h"

static hd_pl_value
number(double x)
{
    return (hd_pl_value){ .number = x };
}

static hd_pl_value
text(const char *x)
{
    return (hd_pl_value){ .text = x };
}

/* HD_NONE: it is no number of one. */
static uint32_t
index_of(double x, uint32_t n)
{
    return x >= 0 && x < n ? (uint32_t)x : HD_NONE;
}

static uint32_t
by_number(const hd_table *table, double x)
{
    return x >= 0 && x < HD_NONE ? hd_table_get(table, (uint64_t)x) : HD_NONE;
}

static hd_pl_value
path_fact(const hd_cube *cube, hd_pl_fact fact, uint32_t i)
{
    const hd_cube_path *path = &cube->paths[i];

    switch (fact) {
    case HD_PL_PATH_FILE: return text(path->call_file);
    case HD_PL_PATH_LINE: return number(path->call_line);
    case HD_PL_PATH_CALLEE: return number(cube->regions[path->region].number);
    case HD_PL_PATH_PARENT: return number(path->parent != HD_NONE ? cube->paths[path->parent].number : -1.0);
    default: return number(cube->file->derived->n_children[i]);
    }
}

static hd_pl_value
region_fact(const hd_cube_region *region, hd_pl_fact fact)
{
    switch (fact) {
    case HD_PL_REGION_NAME: return text(region->name);
    case HD_PL_REGION_MANGLED: return text(region->mangled_name);
    case HD_PL_REGION_PARADIGM: return text(region->paradigm);
    case HD_PL_REGION_ROLE: return text(region->role);
    case HD_PL_REGION_URL: return text(region->url);
    case HD_PL_REGION_WHAT: return text(region->what);
    case HD_PL_REGION_FILE: return text(region->file);
    case HD_PL_REGION_BEGIN: return number(region->begin_line);
    default: return number(region->end_line);
    }
}

static hd_pl_value
system_fact(const hd_cube *cube, hd_pl_fact fact, double x)
{
    uint32_t node     = fact <= HD_PL_NODE_PARENT ? index_of(x, cube->n_nodes) : HD_NONE;
    uint32_t group    = fact >= HD_PL_GROUP_NAME && fact <= HD_PL_GROUP_TYPE ? index_of(x, cube->n_groups) : HD_NONE;
    uint32_t location = fact >= HD_PL_LOCATION_NAME ? index_of(x, cube->n_locations) : HD_NONE;

    if (node == HD_NONE && group == HD_NONE && location == HD_NONE)
        return number(0);
    switch (fact) {
    case HD_PL_NODE_NAME: return text(cube->nodes[node].name);
    case HD_PL_NODE_CLASS: return text(cube->nodes[node].class_name);
    case HD_PL_NODE_PARENT: return number(cube->nodes[node].parent != HD_NONE ? cube->nodes[node].parent : -1.0);
    case HD_PL_GROUP_NAME: return text(cube->groups[group].name);
    case HD_PL_GROUP_PARENT: return number(cube->groups[group].parent);
    case HD_PL_GROUP_RANK: return number(cube->groups[group].rank);
    case HD_PL_GROUP_TYPE: return text(cube->groups[group].type);
    case HD_PL_LOCATION_NAME: return text(cube->locations[location].name);
    case HD_PL_LOCATION_TYPE: return text(cube->locations[location].type);
    case HD_PL_LOCATION_PARENT: return number(cube->locations[location].group);
    default: return number(cube->locations[location].thread);
    }
}

uint32_t
hd_cube_path_by_number(const hd_cube *cube, double number)
{
    return by_number(&cube->file->derived->paths, number);
}

hd_pl_value
hd_cube_fact(void *context, hd_pl_fact fact, double x)
{
    const hd_cube    *cube    = context;
    const hd_derived *derived = cube->file->derived;
    uint32_t          i;

    switch (fact) {
    case HD_PL_N_METRICS: return number(cube->n_metrics);
    case HD_PL_N_REGIONS: return number(cube->n_regions);
    case HD_PL_N_PATHS: return number(cube->n_paths);
    case HD_PL_N_LOCATIONS: return number(cube->n_locations);
    case HD_PL_N_GROUPS: return number(cube->n_groups);
    case HD_PL_N_NODES: return number(cube->n_nodes);
    case HD_PL_METRIC: return number(derived->metric != HD_NONE ? cube->metrics[derived->metric].number : 0);
    case HD_PL_PATH: return number(derived->path != HD_NONE ? cube->paths[derived->path].number : 0);
    case HD_PL_REGION: return number(derived->path != HD_NONE ?
                                     cube->regions[cube->paths[derived->path].region].number : 0);
    case HD_PL_LOCATION: return number(derived->location != HD_NONE ? derived->location : 0);
    default: break;
    }
    if (fact >= HD_PL_NODE_NAME)
        return system_fact(cube, fact, x);
    if (fact >= HD_PL_REGION_NAME) {
        i = by_number(&derived->regions, x);
        return i != HD_NONE ? region_fact(&cube->regions[i], fact) : number(0);
    }
    i = hd_cube_path_by_number(cube, x);
    return i != HD_NONE ? path_fact(cube, fact, i) : number(0);
}
