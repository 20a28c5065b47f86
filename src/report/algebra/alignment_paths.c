/* src/report/algebra/alignment_paths.c: call paths of several reports correspond by the names of all regions from the
 * root, siblings of equal name by their order. A name that one report has as it was recorded and another one demangled
 * is the same name. */
#include "alignment_model.h"

#include "matcher.h"
#include "memory.h"

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
    uint64_t hash = hd_text_hash((uint64_t)(uint32_t)region->begin_line << 32 | (uint32_t)region->end_line,
                                 region->name);

    hash = hd_text_hash(hash, region->mangled_name);
    hash = hd_text_hash(hash, region->file);
    hash = hd_text_hash(hash, region->paradigm);
    return hd_text_hash(hash, region->role);
}

static bool
is_same_region(const hd_cube_region *a, const hd_cube_region *b)
{
    return a->begin_line == b->begin_line && a->end_line == b->end_line && strcmp(a->name, b->name) == 0 &&
           strcmp(a->mangled_name, b->mangled_name) == 0 && strcmp(a->file, b->file) == 0 &&
           strcmp(a->paradigm, b->paradigm) == 0 &&
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
    region.attributes = hd_model_copy_attributes(alignment, cube, region.attributes);
    HD_MODEL_PUSH(model->regions, model->n_regions, alignment->own->regions_capacity, region);
    return model->n_regions - 1;
}

static void
add_path(hd_alignment *alignment, hd_table *regions, const hd_cube *cube, const hd_cube_path *source, uint32_t parent)
{
    hd_cube_path path = *source;

    path.parent     = parent;
    path.region     = region_in_model(alignment, regions, cube, source->region);
    path.parameters = hd_model_copy_parameters(alignment, cube, source->parameters);
    path.attributes = hd_model_copy_attributes(alignment, cube, source->attributes);
    HD_MODEL_PUSH(alignment->model.paths, alignment->model.n_paths, alignment->own->paths_capacity, path);
}

/* demangled: name of a region that is not what was recorded for it -> by what was recorded */
static void
find_demangled(hd_alignment *alignment, hd_table *demangled)
{
    for (uint32_t c = 0; c < alignment->n_cubes; c++)
        for (uint32_t i = 0; i < alignment->cubes[c]->n_regions; i++) {
            const hd_cube_region *region   = &alignment->cubes[c]->regions[i];
            uint32_t              recorded = hd_alignment_name(alignment->own, region->mangled_name);

            if (region->mangled_name[0] != '\0' && strcmp(region->name, region->mangled_name) != 0 &&
                hd_table_get(demangled, recorded) == HD_NONE)
                hd_table_add(demangled, recorded, hd_alignment_name(alignment->own, region->name));
        }
}

static uint32_t
name_of(const hd_alignment *alignment, const hd_table *demangled, const hd_cube *cube, const hd_cube_path *path)
{
    uint32_t name = hd_alignment_name(alignment->own, path->name), other = HD_NONE;

    if (strcmp(path->name, cube->regions[path->region].mangled_name) == 0)
        other = hd_table_get(demangled, name);
    return other == HD_NONE ? name : other;
}

void
hd_align_paths(hd_alignment *alignment, bool one_program)
{
    hd_cube   *model    = &alignment->model;
    bool       one_root = one_program && are_one_tree_each(alignment);
    uint32_t **to_model = HD_NEW_ARRAY(uint32_t *, alignment->n_cubes), *places;
    hd_matcher    all      = { 0 };
    hd_table   regions, demangled;

    hd_table_init(&regions);
    hd_table_init(&demangled);
    find_demangled(alignment, &demangled);
    for (uint32_t c = 0; c < alignment->n_cubes; c++) {
        const hd_cube *cube = alignment->cubes[c];

        to_model[c] = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_paths + 1);
        for (uint32_t i = 0; i < cube->n_paths; i++) {
            const hd_cube_path *path    = &cube->paths[i];
            uint32_t            parent  = path->parent == HD_NONE ? HD_NONE : to_model[c][path->parent];
            uint32_t            name    = parent == HD_NONE && one_root ? HD_NONE :
                                          name_of(alignment, &demangled, cube, path);
            bool                is_new;

            to_model[c][i] = hd_match(&all, hd_match_key(parent, name), c, &is_new);
            if (is_new)
                add_path(alignment, &regions, cube, path, parent);
        }
    }
    HD_ORDER_DEPTH_FIRST(hd_cube_path, model->paths, model->n_paths, places);
    for (uint32_t i = 0; i < model->n_paths; i++)
        model->paths[i].number = i;
    for (uint32_t c = 0; c < alignment->n_cubes; c++) {
        alignment->path_of[c] = hd_alignment_invert(to_model[c], alignment->cubes[c]->n_paths, places, model->n_paths);
        free(to_model[c]);
    }
    free(places);
    free(to_model);
    hd_matcher_fini(&all);
    hd_table_fini(&regions);
    hd_table_fini(&demangled);
}
