#include "compare_cubes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cube_out.h"
#include "memory.h"

#define SAME(what, is_same)                                                                                            \
    do {                                                                                                               \
        if (!(is_same))                                                                                                \
            return hd_format("%s of %" PRIu32, what, i);                                                               \
    } while (0)
#define SAME_TEXT(what, x, y) SAME(what, strcmp((x), (y)) == 0)

static bool
same_attributes(const hd_cube *a, const hd_cube *b, hd_cube_slice x, hd_cube_slice y)
{
    for (uint32_t i = 0; i < x.n && x.n == y.n; i++) {
        const hd_cube_attribute *p = &a->part_attributes[x.first + i], *q = &b->part_attributes[y.first + i];

        if (strcmp(p->key, q->key) != 0 || strcmp(p->value, q->value) != 0)
            return false;
    }
    return x.n == y.n;
}

static char *
compare_metrics(const hd_cube *a, const hd_cube *b)
{
    for (uint32_t i = 0; i < a->n_metrics + a->n_hidden; i++) {
        const hd_cube_metric *x = &a->metrics[i], *y = &b->metrics[i];

        SAME_TEXT("id of metric", x->id, y->id);
        SAME_TEXT("name of metric", x->name, y->name);
        SAME_TEXT("unit of metric", x->unit, y->unit);
        SAME_TEXT("description of metric", x->what, y->what);
        SAME_TEXT("address of metric", x->url, y->url);
        SAME("parent of metric", x->parent == y->parent);
        SAME("kind of metric", x->kind == y->kind && x->is_hidden == y->is_hidden);
        SAME("values of metric", x->is_integer == y->is_integer && x->is_unsigned == y->is_unsigned);
        SAME("sums of metric", x->is_extreme == y->is_extreme && x->is_minimum == y->is_minimum &&
             x->is_additive == y->is_additive);
        SAME("attributes of metric", same_attributes(a, b, x->attributes, y->attributes));
        if (x->kind == HD_CUBE_STORED)
            continue;
        SAME_TEXT("expression of metric", x->expression, y->expression);
        SAME_TEXT("preparation of metric", x->preparation, y->preparation);
        SAME_TEXT("plus of metric", x->plus, y->plus);
        SAME_TEXT("minus of metric", x->minus, y->minus);
        SAME_TEXT("aggregation of metric", x->together, y->together);
    }
    return NULL;
}

static char *
compare_program(const hd_cube *a, const hd_cube *b)
{
    for (uint32_t i = 0; i < a->n_regions; i++) {
        const hd_cube_region *x = &a->regions[i], *y = &b->regions[i];

        SAME_TEXT("name of region", x->name, y->name);
        SAME_TEXT("mangled name of region", x->mangled_name, y->mangled_name);
        SAME_TEXT("file of region", x->file, y->file);
        SAME_TEXT("paradigm of region", x->paradigm, y->paradigm);
        SAME_TEXT("role of region", x->role, y->role);
        SAME_TEXT("address of region", x->url, y->url);
        SAME_TEXT("description of region", x->what, y->what);
        SAME("lines of region", x->begin_line == y->begin_line && x->end_line == y->end_line);
        SAME("attributes of region", same_attributes(a, b, x->attributes, y->attributes));
    }
    for (uint32_t i = 0; i < a->n_paths; i++) {
        const hd_cube_path *x = &a->paths[i], *y = &b->paths[i];

        SAME_TEXT("name of call path", x->name, y->name);
        SAME("place of call path", x->region == y->region && x->parent == y->parent);
        SAME("line of call path", x->call_line == y->call_line);
        SAME_TEXT("file of call path", x->call_file, y->call_file);
        SAME("attributes of call path", same_attributes(a, b, x->attributes, y->attributes));
        SAME("parameters of call path", x->parameters.n == y->parameters.n);
        for (uint32_t j = 0; j < x->parameters.n; j++) {
            const hd_cube_parameter *p = &a->parameters[x->parameters.first + j],
            *q = &b->parameters[y->parameters.first + j];

            SAME_TEXT("parameter of call path", p->key, q->key);
            SAME_TEXT("parameter of call path", p->value, q->value);
            SAME("parameter of call path", p->is_number == q->is_number);
        }
    }
    return NULL;
}

static char *
compare_system(const hd_cube *a, const hd_cube *b)
{
    for (uint32_t i = 0; i < a->n_nodes; i++) {
        const hd_cube_node *x = &a->nodes[i], *y = &b->nodes[i];

        SAME_TEXT("name of node", x->name, y->name);
        SAME_TEXT("class of node", x->class_name, y->class_name);
        SAME_TEXT("description of node", x->what, y->what);
        SAME("parent of node", x->parent == y->parent);
        SAME("attributes of node", same_attributes(a, b, x->attributes, y->attributes));
    }
    for (uint32_t i = 0; i < a->n_groups; i++) {
        const hd_cube_group *x = &a->groups[i], *y = &b->groups[i];

        SAME_TEXT("name of group", x->name, y->name);
        SAME_TEXT("type of group", x->type, y->type);
        SAME("place of group", x->rank == y->rank && x->parent == y->parent);
        SAME("attributes of group", same_attributes(a, b, x->attributes, y->attributes));
    }
    for (uint32_t i = 0; i < a->n_locations; i++) {
        const hd_cube_location *x = &a->locations[i], *y = &b->locations[i];

        SAME_TEXT("name of location", x->name, y->name);
        SAME_TEXT("type of location", x->type, y->type);
        SAME("place of location", x->thread == y->thread && x->group == y->group);
        SAME("attributes of location", same_attributes(a, b, x->attributes, y->attributes));
    }
    for (uint32_t i = 0; i < a->n_topologies; i++) {
        const hd_cube_topology *x = &a->topologies[i], *y = &b->topologies[i];

        SAME_TEXT("name of topology", x->name, y->name);
        SAME("size of topology", x->n_dimensions == y->n_dimensions && x->n_rows == y->n_rows);
        for (uint32_t j = 0; j < x->n_dimensions; j++) {
            SAME_TEXT("dimension of topology", x->dimensions[j].name, y->dimensions[j].name);
            SAME("dimension of topology", x->dimensions[j].size == y->dimensions[j].size);
            SAME("dimension of topology", x->dimensions[j].is_periodic == y->dimensions[j].is_periodic);
        }
        SAME("coordinates of topology", x->n_rows == 0 ||
             memcmp(x->rows, y->rows, x->n_rows * (1 + (size_t)x->n_dimensions) * sizeof *x->rows) == 0);
    }
    return NULL;
}

char *
compare_anchors(const hd_cube *a, const hd_cube *b)
{
    char *difference;

    if (a->n_metrics != b->n_metrics || a->n_hidden != b->n_hidden || a->n_regions != b->n_regions ||
        a->n_paths != b->n_paths ||
        a->n_nodes != b->n_nodes || a->n_groups != b->n_groups || a->n_locations != b->n_locations ||
        a->n_topologies != b->n_topologies ||
        a->n_attributes != b->n_attributes || a->n_mirrors != b->n_mirrors || a->n_misc != b->n_misc)
        return hd_format("numbers of parts");
    for (uint32_t i = 0; i < a->n_attributes; i++) {
        SAME_TEXT("key of attribute", a->attributes[i].key, b->attributes[i].key);
        SAME_TEXT("value of attribute", a->attributes[i].value, b->attributes[i].value);
    }
    for (uint32_t i = 0; i < a->n_mirrors; i++)
        SAME_TEXT("mirror", a->mirrors[i], b->mirrors[i]);
    difference = compare_metrics(a, b);
    if (difference == NULL)
        difference = compare_program(a, b);
    if (difference == NULL)
        difference = compare_system(a, b);
    return difference;
}

char *
compare_values(hd_cube *a, hd_cube *b)
{
    hd_cube_cell *x = HD_NEW_ARRAY(hd_cube_cell, (size_t)a->n_locations + 1);
    hd_cube_cell *y = HD_NEW_ARRAY(hd_cube_cell, (size_t)a->n_locations + 1);
    char         *difference = NULL;

    for (uint32_t metric = 0; metric < a->n_metrics + a->n_hidden && difference == NULL; metric++)
        for (uint32_t path = 0; path < a->n_paths && difference == NULL; path++) {
            bool any_x = false, any_y = false;

            if (hd_cube_cells(a, metric, path, x, &any_x) != HD_OK ||
                hd_cube_cells(b, metric, path, y, &any_y) != HD_OK)
                difference = hd_format("%s", hd_error_get()->text);
            else if (any_x != any_y || memcmp(x, y, a->n_locations * sizeof *x) != 0)
                difference = hd_format("values of metric \"%s\" at call path %" PRIu32, a->metrics[metric].id, path);
        }
    free(x);
    free(y);
    return difference;
}

hd_status
write_again(hd_cube *cube, const char *path)
{
    hd_cube_member *members = HD_NEW_ARRAY(hd_cube_member, (size_t)cube->n_misc + 1);
    char          **texts   = HD_NEW_ARRAY(char *, (size_t)cube->n_misc + 1);
    hd_status       status  = HD_OK;

    for (uint32_t i = 0; i < cube->n_misc && status == HD_OK; i++) {
        status          = hd_cube_misc(cube, cube->misc[i], 1 << 26, &texts[i], &members[i].bytes);
        members[i].name = cube->misc[i];
        members[i].data = texts[i];
    }
    if (status == HD_OK)
        status = hd_cube_out_write(&(hd_cube_out){ .cube = cube, .rows = hd_cube_rows_of, .context = cube,
                                                   .members = members, .n_members = cube->n_misc },
                                   path);
    for (uint32_t i = 0; i < cube->n_misc; i++)
        free(texts[i]);
    free(texts);
    free(members);
    return status;
}
