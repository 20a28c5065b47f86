/* src/report/algebra/alignment_model.c: what the parts of an alignment share: names, copies, depth-first order. */
#include "alignment_model.h"

#include "memory.h"
#include "tree_order.h"

uint64_t
hd_text_hash(uint64_t hash, const char *text)
{
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001B3);
    return (hash ^ 0xFF) * UINT64_C(0x100000001B3);
}

uint32_t
hd_alignment_name(hd_alignment_own *own, const char *name)
{
    uint32_t id;

    for (uint64_t hash = hd_text_hash(0, name);; hash++) {
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

hd_cube_slice
hd_model_copy_attributes(hd_alignment *alignment, const hd_cube *cube, hd_cube_slice slice)
{
    hd_cube      *model = &alignment->model;
    hd_cube_slice copy  = { .first = model->n_part_attributes, .n = slice.n };

    for (uint32_t i = 0; i < slice.n; i++)
        HD_MODEL_PUSH(model->part_attributes, model->n_part_attributes, alignment->own->attributes_capacity,
                      cube->part_attributes[slice.first + i]);
    return copy;
}

hd_cube_slice
hd_model_copy_parameters(hd_alignment *alignment, const hd_cube *cube, hd_cube_slice slice)
{
    hd_cube      *model = &alignment->model;
    hd_cube_slice copy  = { .first = model->n_parameters, .n = slice.n };

    for (uint32_t i = 0; i < slice.n; i++)
        HD_MODEL_PUSH(model->parameters, model->n_parameters, alignment->own->parameters_capacity,
                      cube->parameters[slice.first + i]);
    return copy;
}

uint32_t *
hd_depth_first_places(const uint32_t *parents, uint32_t n)
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

uint32_t *
hd_alignment_invert(const uint32_t *to_model, uint32_t n, const uint32_t *places, uint32_t n_model)
{
    uint32_t *map = HD_NEW_ARRAY(uint32_t, (size_t)n_model + 1);

    memset(map, 0xFF, n_model * sizeof *map); /* HD_NONE */
    for (uint32_t i = n; i-- > 0;) /* of several the first */
        if (to_model[i] != HD_NONE)
            map[places[to_model[i]]] = i;
    return map;
}
