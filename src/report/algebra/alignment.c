/* src/report/algebra/alignment.c: an alignment from its reports, and rows of values in the common dimensions. */
#include "alignment.h"

#include <math.h>

#include "cube_cell.h"
#include "memory.h"

#define OF_PROCESSES "They have different threads: sums over those of each process are compared"
#define OF_ALL       "They have different processes: sums over all of them are compared"
#define OF_PLACES    "Calls of one name at lines that do not correspond are compared together"

const char *
hd_alignment_why_sums(const hd_alignment *alignment)
{
    bool adds = alignment->adds_places;

    switch (alignment->sums) {
    case HD_SUMS_OF_PROCESSES: return adds ? OF_PROCESSES ". " OF_PLACES : OF_PROCESSES;
    case HD_SUMS_OF_ALL: return adds ? OF_ALL ". " OF_PLACES : OF_ALL;
    case HD_SUMS_NONE: break;
    }
    return adds ? OF_PLACES : NULL;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

hd_status
hd_alignment_cells(hd_alignment *alignment, uint32_t c, uint32_t metric, uint32_t path, hd_cube_cell *cells, bool *any)
{
    hd_cube        *cube    = alignment->cubes[c];
    uint32_t        number  = alignment->metric_of[c][metric];
    const uint32_t *columns = alignment->column_of[c], *next = alignment->next_path[c];
    hd_status       status  = HD_OK;

    *any = false;
    for (uint32_t source = alignment->path_of[c][path]; source != HD_NONE && number != HD_NONE && status == HD_OK;
         source = next[source]) {
        bool has = false, adds = *any || alignment->sums != HD_SUMS_NONE;

        status = hd_cube_cells(cube, number, source, alignment->own->row, &has);
        if (status != HD_OK || !has)
            continue;
        if (!*any)
            memset(cells, 0, alignment->model.n_locations * sizeof *cells);
        *any = true;
        for (uint32_t i = 0; i < cube->n_locations; i++)
            cells[columns[i]] = adds ? hd_cell_sum(&cube->metrics[number], cells[columns[i]], alignment->own->row[i]) :
                                       alignment->own->row[i];
    }
    return status;
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
hd_alignment_mean_row(hd_alignment *alignment, uint32_t side, uint32_t metric, uint32_t path, double *values,
                      double *scratch, bool *any)
{
    hd_runs   runs   = hd_alignment_runs(alignment, side);
    uint32_t  n      = alignment->model.n_locations;
    hd_status status = HD_OK;

    if (runs.n == 1)
        return hd_alignment_row(alignment, runs.first, metric, path, values, any);
    *any = false;
    for (uint32_t c = runs.first; c < runs.first + runs.n && status == HD_OK; c++) {
        bool has = false;

        status = hd_alignment_row(alignment, c, metric, path, scratch, &has);
        if (status != HD_OK || !has)
            continue;
        if (!*any)
            memset(values, 0, n * sizeof *values);
        *any = true;
        for (uint32_t i = 0; i < n; i++)
            values[i] += scratch[i];
    }
    for (uint32_t i = 0; status == HD_OK && *any && i < n; i++)
        values[i] /= runs.n;
    return status;
}

hd_status
hd_alignment_total(hd_alignment *alignment, uint32_t c, uint32_t number, const bool *selected, double *of_path,
                   double *total)
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

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static void
align_mirrors(hd_alignment *alignment)
{
    hd_cube *model = &alignment->model;
    hd_table seen;

    hd_table_init(&seen);
    for (uint32_t c = 0; c < alignment->n_cubes; c++)
        for (uint32_t i = 0; i < alignment->cubes[c]->n_mirrors; i++) {
            uint32_t name = hd_alignment_name(alignment->own, alignment->cubes[c]->mirrors[i]);

            if (hd_table_get(&seen, name) != HD_NONE)
                continue;
            hd_table_add(&seen, name, c);
            HD_MODEL_PUSH(model->mirrors, model->n_mirrors, alignment->own->mirrors_capacity,
                          alignment->cubes[c]->mirrors[i]);
        }
    hd_table_fini(&seen);
}

hd_alignment *
hd_alignment_new(hd_cube *const *cubes, uint32_t n_cubes, hd_alignment_options options)
{
    hd_alignment *alignment = HD_NEW(hd_alignment);
    uint32_t      max_n    = 0;

    HD_ASSERT(n_cubes > 0);
    alignment->cubes     = cubes;
    alignment->n_cubes   = n_cubes;
    alignment->n_of_a    = options.n_of_a > 0 ? options.n_of_a : 1;
    alignment->own       = HD_NEW(hd_alignment_own);
    alignment->metric_of = HD_NEW_ARRAY(uint32_t *, n_cubes);
    alignment->path_of   = HD_NEW_ARRAY(uint32_t *, n_cubes);
    alignment->next_path = HD_NEW_ARRAY(uint32_t *, n_cubes);
    alignment->column_of = HD_NEW_ARRAY(uint32_t *, n_cubes);
    hd_table_init(&alignment->own->name_ids);
    alignment->model.path    = cubes[0]->path;
    alignment->model.version = "4.4";
    hd_align_metrics(alignment, options.takes_all);
    hd_align_paths(alignment, options.one_program);
    hd_align_system(alignment, options.takes_all);
    align_mirrors(alignment);
    for (uint32_t c = 0; c < n_cubes; c++)
        max_n = cubes[c]->n_locations > max_n ? cubes[c]->n_locations : max_n;
    alignment->own->row   = HD_NEW_ARRAY(hd_cube_cell, (size_t)max_n + 1);
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
        free(alignment->next_path[c]);
        free(alignment->column_of[c]);
    }
    free(alignment->metric_of);
    free(alignment->path_of);
    free(alignment->next_path);
    free(alignment->column_of);
    free(alignment->first);
    hd_alignment_clear_system(alignment);
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
