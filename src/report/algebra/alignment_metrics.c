/* src/report/algebra/alignment_metrics.c: metrics of several reports correspond by id. */
#include "alignment_model.h"

#include <string.h>

#include "counter_patterns.h"
#include "memory.h"

static void
leave_out(hd_alignment *alignment, uint32_t id, char *why)
{
    hd_cube *model = &alignment->model;

    HD_PUSH(alignment->own->texts, alignment->own->n_texts, alignment->own->texts_capacity, why);
    HD_MODEL_PUSH(model->left_out, model->n_left_out, alignment->own->left_out_capacity,
                  ((hd_cube_left_out){ .id = alignment->own->names[id], .why = why }));
}

/* Why values of two reports cannot be told in one metric; NULL: they can. */
static char *
difference_of(const hd_cube_metric *a, const hd_cube_metric *b)
{
    if (strcmp(a->unit, b->unit) != 0)
        return hd_format("its unit is \"%.60s\" in one report and \"%.60s\" in another", a->unit, b->unit);
    if (a->is_extreme != b->is_extreme || a->is_minimum != b->is_minimum)
        return hd_format("it is a %s in one report and a %s in another",
                         !a->is_extreme ? "sum" : a->is_minimum ? "minimum" : "maximum",
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
            hd_alignment_name(own, alignment->cubes[c]->metrics[m].id);
    n      = own->n_names;
    first  = HD_NEW_ARRAY(const hd_cube_metric *, n + 1);
    is_out = HD_NEW_ARRAY(bool, n + 1);
    for (uint32_t c = 0; c < alignment->n_cubes; c++)
        for (uint32_t m = 0; m < alignment->cubes[c]->n_metrics; m++) {
            const hd_cube_metric *metric = &alignment->cubes[c]->metrics[m];
            uint32_t              id     = hd_alignment_name(own, metric->id);
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
                if (strcmp(metric->id, HD_COUNTERS_ROOT) != 0) /* it has no values */
                    leave_out(alignment, id, why);
                else
                    free(why);
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
    metric.attributes   = hd_model_copy_attributes(alignment, cube, metric.attributes);
    HD_MODEL_PUSH(alignment->model.metrics, alignment->model.n_metrics, alignment->own->metrics_capacity, metric);
}

void
hd_align_metrics(hd_alignment *alignment, bool takes_all)
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
            uint32_t id = hd_alignment_name(alignment->own, cube->metrics[m].id);

            if (is_out[id])
                continue;
            if (of_id[id] == HD_NONE) {
                add_metric(alignment, c, m, parent_in_model(cube, to_model[c], m));
                of_id[id] = model->n_metrics - 1;
            }
            to_model[c][m] = of_id[id];
        }
    }
    HD_ORDER_DEPTH_FIRST(hd_cube_metric, model->metrics, model->n_metrics, places);
    alignment->first = HD_NEW_ARRAY(uint32_t, (size_t)model->n_metrics + 1);
    memset(alignment->first, 0xFF, model->n_metrics * sizeof *alignment->first); /* HD_NONE */
    for (uint32_t i = 0; i < model->n_metrics; i++)
        model->metrics[i].number = i;
    for (uint32_t c = 0; c < alignment->n_cubes; c++) {
        alignment->metric_of[c] = hd_alignment_invert(to_model[c], alignment->cubes[c]->n_metrics, places,
                                                      model->n_metrics);
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
