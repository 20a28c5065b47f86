/* The page of runs of several sizes is its head: docs/formats.md#several-sizes. */
#include "json_document.h"
#include "memory.h"
#include "page_head.h"
#include "scaling_page.h"

static void
put_model(hd_json *json, const hd_scaling_model *model)
{
    if (model->term == NULL) {
        hd_json_null(json, "model");
        return;
    }
    hd_json_object(json, "model");
    hd_json_text(json, "term", model->term->text);
    hd_json_number(json, "constant", model->constant);
    hd_json_number(json, "factor", model->factor);
    hd_json_number(json, "exponent", hd_scaling_term_exponent(model->term));
    hd_json_count(json, "logExponent", (uint64_t)model->term->log_exponent);
    hd_json_number(json, "error", model->error);
    hd_json_end(json);
}

static void
put_series(hd_json *json, const hd_scaling *scaling, const hd_scaling_series *series)
{
    hd_json_array(json, "values");
    for (uint32_t i = 0; i < scaling->n_runs; i++)
        hd_json_number(json, NULL, series->values[i]);
    hd_json_end(json);
    hd_json_number(json, "growth", series->growth);
    put_model(json, &series->model);
}

static void
put_runs(hd_json *json, const hd_scaling *scaling)
{
    hd_json_array(json, "runs");
    for (uint32_t i = 0; i < scaling->n_runs; i++) {
        const hd_scaling_run *run     = &scaling->runs[i];
        char                 *partial = hd_is_incomplete(run->cube) ? hd_completeness_text(run->cube) : NULL;

        hd_json_object(json, NULL);
        hd_json_text(json, "title", run->cube->path);
        hd_json_count(json, "processes", run->n_processes);
        hd_json_count(json, "locations", run->n_locations);
        hd_json_number(json, "time", run->time);
        hd_json_text(json, "incomplete", partial);
        hd_json_end(json);
        free(partial);
    }
    hd_json_end(json);
}

static void
put_efficiencies(hd_json *json, const hd_scaling *scaling)
{
    const hd_scaling_efficiencies *all = &scaling->efficiencies;

    if (all->reference == HD_NONE)
        return;
    hd_json_object(json, "efficiencies");
    hd_json_bool(json, "isWeak", all->is_weak);
    hd_json_count(json, "reference", all->reference);
    hd_json_array(json, "rows");
    for (int f = 0; f < HD_N_SCALING_FACTORS; f++) {
        if (!all->has[f])
            continue;
        hd_json_object(json, NULL);
        hd_json_text(json, "id", hd_scaling_factor_infos[f].id);
        hd_json_text(json, "name", hd_scaling_factor_infos[f].name);
        hd_json_text(json, "unit", hd_scaling_factor_infos[f].unit);
        hd_json_count(json, "depth", hd_scaling_factor_infos[f].depth);
        hd_json_bool(json, "isShare", hd_scaling_factor_is_share((hd_scaling_factor)f));
        hd_json_array(json, "values");
        for (uint32_t i = 0; i < all->n_runs; i++)
            hd_json_number(json, NULL, all->values[i][f]);
        hd_json_end(json);
        hd_json_end(json);
    }
    hd_json_end(json);
    hd_json_end(json);
}

static void
put_metrics(hd_json *json, const hd_scaling *scaling)
{
    hd_json_array(json, "metrics");
    for (uint32_t i = 0; i < scaling->model->n_metrics; i++) {
        hd_json_object(json, NULL);
        hd_page_put_metric(json, &scaling->model->metrics[i], scaling->model->metrics[i].parent);
        put_series(json, scaling, &scaling->metrics[i]);
        hd_json_end(json);
    }
    hd_json_end(json);
}

static void
put_paths(hd_json *json, const hd_scaling *scaling, uint32_t max_n)
{
    uint32_t *most = HD_NEW_ARRAY(uint32_t, (size_t)max_n + 1);
    uint32_t  n    = hd_scaling_paths(scaling, most, max_n);

    hd_json_array(json, "paths");
    for (uint32_t i = 0; i < n; i++) {
        hd_json_object(json, NULL);
        hd_json_names(json, "names", scaling->model, most[i]);
        put_series(json, scaling, &scaling->paths[most[i]]);
        hd_json_end(json);
    }
    hd_json_end(json);
    free(most);
}

/* Wait states at call paths among what grows most. */
static void
put_waits(hd_json *json, const hd_scaling *scaling, uint32_t max_n)
{
    hd_scaling_growing *most = HD_NEW_ARRAY(hd_scaling_growing, (size_t)max_n + 1);
    uint32_t            n    = hd_scaling_most_growing(scaling, most, max_n);

    hd_json_array(json, "waits");
    for (uint32_t i = 0; i < n; i++) {
        if (most[i].metric == scaling->time)
            continue;
        hd_json_object(json, NULL);
        hd_json_text(json, "name", scaling->model->metrics[most[i].metric].name);
        hd_json_names(json, "names", scaling->model, most[i].path);
        put_series(json, scaling, most[i].series);
        hd_json_end(json);
    }
    hd_json_end(json);
    free(most);
}

char *
hd_scaling_head(const hd_scaling *scaling, const char *title, uint32_t n_paths, size_t *bytes)
{
    char   *text = NULL;
    FILE   *file = open_memstream(&text, bytes);
    hd_json json;

    if (file == NULL)
        hd_fatal("out of memory: the page cannot be made");
    hd_json_init(&json, file, 2);
    hd_json_object(&json, NULL);
    hd_json_count(&json, "format", HD_PAGE_FORMAT);
    hd_json_text(&json, "kind", "scaling");
    hd_json_text(&json, "title", title);
    hd_json_text(&json, "creator", "Heddle " HEDDLE_VERSION);
    hd_json_bool(&json, "byLocations", scaling->by_locations);
    hd_json_bool(&json, "isStartupCounted", !hd_scaling_skips_startup(scaling));
    hd_json_array(&json, "predicted");
    for (uint32_t i = 0; i < scaling->n_predicted; i++)
        hd_json_count(&json, NULL, scaling->predicted[i]);
    hd_json_end(&json);
    put_runs(&json, scaling);
    put_efficiencies(&json, scaling);
    put_metrics(&json, scaling);
    put_paths(&json, scaling, n_paths);
    put_waits(&json, scaling, n_paths);
    hd_json_end(&json);
    if (fclose(file) != 0)
        hd_fatal("out of memory: the page cannot be made");
    return text;
}
