/* src/report/algebra/alignment_paths.c: call paths of several reports correspond by the names of all regions from the
 * root, siblings of equal name by the order of their lines if their numbers agree, else together; without lines by their
 * order. A name that one report has as it was recorded and another one demangled is the same name. */
#include "alignment_model.h"

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
region_in_model(hd_alignment *alignment, hd_table *regions, const hd_cube *cube, uint32_t number, bool has_no_line)
{
    hd_cube       *model = &alignment->model;
    hd_cube_region region = cube->regions[number];
    uint64_t       key;
    uint32_t       found;

    if (has_no_line)
        region.begin_line = region.end_line = -1;
    key = region_key(&region);
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

/* ---- siblings ---------------------------------------------------------------------------------------------------- */

typedef struct one_path { /* of a report, while those of one depth are matched */
    uint32_t    cube, path;   /* numbers of the report, and there */
    uint32_t    parent, name; /* in the model */
    const char *file;         /* where it is called, else of its region; "": not known */
    int32_t     line;         /* 0: not known */
} one_path;

typedef struct matching {
    hd_alignment *alignment;
    uint32_t    **to_model; /* [n_cubes][call paths of that report] */
    bool         *is_sum;   /* [model.n_paths] several of a report are added up, whose lines are not those of others */
    size_t        sums_capacity;
} matching;

/* Siblings of equal name are next to each other, those of a report by file and line. */
static int
compare(const void *a, const void *b)
{
    const one_path *x = a, *y = b;
    int             files;

    if (x->parent != y->parent)
        return x->parent < y->parent ? -1 : 1;
    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    if (x->cube != y->cube)
        return x->cube < y->cube ? -1 : 1;
    files = strcmp(x->file, y->file);
    if (files != 0)
        return files;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return x->path < y->path ? -1 : x->path > y->path;
}

static size_t
end_of_group(const one_path *paths, size_t first, size_t n)
{
    size_t i = first;

    while (i < n && paths[i].parent == paths[first].parent && paths[i].name == paths[first].name)
        i++;
    return i;
}

static size_t
end_of_report(const one_path *paths, size_t first, size_t end)
{
    size_t i = first;

    while (i < end && paths[i].cube == paths[first].cube)
        i++;
    return i;
}

static bool
have_moved_together(const one_path *a, const one_path *b, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (a[i].line - a[0].line != b[i].line - b[0].line)
            return false;
    return true;
}

/* Whether the k-th line of one report may be the k-th of the other: not where that is there as another one. */
static bool
correspond(const one_path *a, const one_path *b, size_t n)
{
    if (have_moved_together(a, b, n))
        return true;
    for (size_t i = 0, k = 0; i < n && k < n;) {
        int files = strcmp(a[i].file, b[k].file);

        if (files == 0 && a[i].line == b[k].line && i != k)
            return false;
        if (files < 0 || (files == 0 && a[i].line <= b[k].line))
            i++;
        else
            k++;
    }
    return true;
}

/* Whether it is not known which of siblings of equal name [first, end) are the same in all reports. */
static bool
are_added_up(const one_path *paths, size_t first, size_t end)
{
    size_t n = end_of_report(paths, first, end) - first;
    bool   has_lines = false, is_known = true;

    for (size_t i = first; i < end; i++)
        has_lines |= paths[i].line > 0;
    for (size_t i = first, next; i < end && has_lines && is_known; i = next) {
        next     = end_of_report(paths, i, end);
        is_known = next - i == n && correspond(&paths[first], &paths[i], n);
    }
    return !is_known;
}

/* Those of one depth. places: [n] out: of each, in the order of compare(), the first of those it is the same as */
static void
find_places(one_path *paths, size_t n, size_t *places, bool *is_sum)
{
    qsort(paths, n, sizeof *paths, compare);
    for (size_t first = 0, end; first < n; first = end) {
        bool is_added_up;

        end         = end_of_group(paths, first, n);
        is_added_up = are_added_up(paths, first, end);
        for (size_t i = first, next; i < end; i = next) {
            next = end_of_report(paths, i, end);
            for (size_t k = i; k < next; k++)
                places[k] = is_added_up ? first : first + (k - i);
        }
        is_sum[first] = is_added_up;
    }
}

static int
compare_numbers(const void *a, const void *b)
{
    const one_path *x = *(const one_path *const *)a, *y = *(const one_path *const *)b;

    if (x->cube != y->cube)
        return x->cube < y->cube ? -1 : 1;
    return x->path < y->path ? -1 : x->path > y->path;
}

/* New ones of the model are those of the first report in its order, then what the next one adds. */
static void
match_level(matching *m, one_path *paths, size_t n)
{
    hd_cube         *model   = &m->alignment->model;
    size_t          *places  = HD_NEW_ARRAY(size_t, n + 1);
    bool            *is_sum  = HD_NEW_ARRAY(bool, n + 1);
    uint32_t        *numbers = HD_NEW_ARRAY(uint32_t, n + 1); /* [n] in the model, of a place */
    const one_path **ordered = HD_NEW_ARRAY(const one_path *, n + 1);

    find_places(paths, n, places, is_sum);
    for (size_t i = 0; i < n; i++) {
        ordered[i] = &paths[i];
        numbers[i] = HD_NONE;
    }
    qsort(ordered, n, sizeof *ordered, compare_numbers);
    for (size_t i = 0; i < n; i++) {
        const one_path *path  = ordered[i];
        size_t          place = places[path - paths];

        if (numbers[place] == HD_NONE) {
            uint32_t n_sums = model->n_paths;

            numbers[place] = model->n_paths;
            HD_MODEL_PUSH(m->is_sum, n_sums, m->sums_capacity, is_sum[place]);
            HD_MODEL_PUSH(model->paths, model->n_paths, m->alignment->own->paths_capacity,
                          ((hd_cube_path){ .parent = path->parent, .region = HD_NONE }));
        }
        m->to_model[path->cube][path->path] = numbers[place];
    }
    free(ordered);
    free(numbers);
    free(is_sum);
    free(places);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

typedef struct all_paths { /* of all reports by depth, those of one depth by report and number */
    one_path *paths; /* [first[n_levels]] */
    size_t   *first; /* [n_levels + 1] */
    uint32_t  n_levels;
} all_paths;

static uint32_t *
depths_of(const hd_cube *cube, uint32_t *n_levels)
{
    uint32_t *depths = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_paths + 1);

    for (uint32_t i = 0; i < cube->n_paths; i++) {
        depths[i] = cube->paths[i].parent == HD_NONE ? 0 : depths[cube->paths[i].parent] + 1;
        *n_levels = depths[i] >= *n_levels ? depths[i] + 1 : *n_levels;
    }
    return depths;
}

static one_path
path_of_report(hd_alignment *alignment, const hd_table *demangled, bool one_root, uint32_t c, uint32_t number)
{
    const hd_cube        *cube   = alignment->cubes[c];
    const hd_cube_path   *path   = &cube->paths[number];
    const hd_cube_region *region = &cube->regions[path->region];
    bool                  is_called = path->call_line > 0;
    int32_t               line      = is_called ? path->call_line : region->begin_line;

    return (one_path){ .cube = c, .path = number,
                       .name = path->parent == HD_NONE && one_root ? HD_NONE : name_of(alignment, demangled, cube, path),
                       .file = line <= 0 ? "" : is_called ? path->call_file : region->file,
                       .line = line > 0 ? line : 0 };
}

static void
list_by_depth(hd_alignment *alignment, const hd_table *demangled, bool one_root, all_paths *all)
{
    uint32_t **depths = HD_NEW_ARRAY(uint32_t *, alignment->n_cubes);
    size_t    *at;

    for (uint32_t c = 0; c < alignment->n_cubes; c++)
        depths[c] = depths_of(alignment->cubes[c], &all->n_levels);
    all->first = HD_NEW_ARRAY(size_t, (size_t)all->n_levels + 1);
    at         = HD_NEW_ARRAY(size_t, (size_t)all->n_levels + 1);
    for (uint32_t c = 0; c < alignment->n_cubes; c++)
        for (uint32_t i = 0; i < alignment->cubes[c]->n_paths; i++)
            all->first[depths[c][i] + 1]++;
    for (uint32_t level = 0; level < all->n_levels; level++)
        at[level + 1] = all->first[level + 1] += all->first[level];
    all->paths = HD_NEW_ARRAY(one_path, all->first[all->n_levels] + 1);
    for (uint32_t c = 0; c < alignment->n_cubes; c++) {
        for (uint32_t i = 0; i < alignment->cubes[c]->n_paths; i++)
            all->paths[at[depths[c][i]]++] = path_of_report(alignment, demangled, one_root, c, i);
        free(depths[c]);
    }
    free(at);
    free(depths);
}

/* What a call path of the model is in the first report that has it. */
static void
describe_paths(matching *m)
{
    hd_cube *model = &m->alignment->model;
    hd_table regions;

    hd_table_init(&regions);
    for (uint32_t c = 0; c < m->alignment->n_cubes; c++) {
        const hd_cube *cube = m->alignment->cubes[c];

        for (uint32_t i = 0; i < cube->n_paths; i++) {
            uint32_t     number = m->to_model[c][i];
            hd_cube_path path   = cube->paths[i];
            bool         is_sum = m->is_sum[number];

            if (model->paths[number].region != HD_NONE)
                continue;
            path.parent     = model->paths[number].parent;
            path.region     = region_in_model(m->alignment, &regions, cube, path.region, is_sum);
            path.parameters = hd_model_copy_parameters(m->alignment, cube, path.parameters);
            path.attributes = hd_model_copy_attributes(m->alignment, cube, path.attributes);
            path.call_line  = is_sum ? -1 : path.call_line;
            m->alignment->adds_places |= is_sum;
            model->paths[number] = path;
        }
    }
    hd_table_fini(&regions);
}

/* [n] of each call path of a report the next one that corresponds to the same one of the model. to_model: [n] */
static uint32_t *
next_paths(const uint32_t *to_model, uint32_t n, uint32_t n_model)
{
    uint32_t *next = HD_NEW_ARRAY(uint32_t, (size_t)n + 1), *seen = HD_NEW_ARRAY(uint32_t, (size_t)n_model + 1);

    memset(seen, 0xFF, n_model * sizeof *seen); /* HD_NONE */
    for (uint32_t i = n; i-- > 0;) {
        next[i]           = seen[to_model[i]];
        seen[to_model[i]] = i;
    }
    free(seen);
    return next;
}

void
hd_align_paths(hd_alignment *alignment, bool one_program)
{
    hd_cube  *model    = &alignment->model;
    bool      one_root = one_program && are_one_tree_each(alignment);
    matching  m        = { .alignment = alignment, .to_model = HD_NEW_ARRAY(uint32_t *, alignment->n_cubes) };
    all_paths all      = { 0 };
    hd_table  demangled;
    uint32_t *places;

    hd_table_init(&demangled);
    find_demangled(alignment, &demangled);
    for (uint32_t c = 0; c < alignment->n_cubes; c++)
        m.to_model[c] = HD_NEW_ARRAY(uint32_t, (size_t)alignment->cubes[c]->n_paths + 1);
    list_by_depth(alignment, &demangled, one_root, &all);
    for (uint32_t level = 0; level < all.n_levels; level++) {
        for (size_t i = all.first[level]; i < all.first[level + 1]; i++) {
            uint32_t above = alignment->cubes[all.paths[i].cube]->paths[all.paths[i].path].parent;

            all.paths[i].parent = above == HD_NONE ? HD_NONE : m.to_model[all.paths[i].cube][above];
        }
        match_level(&m, &all.paths[all.first[level]], all.first[level + 1] - all.first[level]);
    }
    describe_paths(&m);
    HD_ORDER_DEPTH_FIRST(hd_cube_path, model->paths, model->n_paths, places);
    for (uint32_t i = 0; i < model->n_paths; i++)
        model->paths[i].number = i;
    for (uint32_t c = 0; c < alignment->n_cubes; c++) {
        uint32_t n = alignment->cubes[c]->n_paths;

        alignment->path_of[c]   = hd_alignment_invert(m.to_model[c], n, places, model->n_paths);
        alignment->next_path[c] = next_paths(m.to_model[c], n, model->n_paths);
        free(m.to_model[c]);
    }
    free(places);
    free(m.to_model);
    free(m.is_sum);
    free(all.paths);
    free(all.first);
    hd_table_fini(&demangled);
}
