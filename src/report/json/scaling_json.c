/* src/report/json/scaling_json.c: runs of several sizes as JSON: all metrics and call paths, as scaling_page.c has them
 * for scripts. */
#include "scaling_json.h"

#include <math.h>
#include <stdlib.h>

#include "same_program.h"

static void
put_runs(hd_json *json, const hd_scaling *scaling)
{
    hd_json_array(json, "runs");
    for (uint32_t i = 0; i < scaling->n_runs; i++) {
        bool has_time = scaling->time != HD_NONE;

        hd_json_object(json, NULL);
        hd_json_report(json, "report", scaling->runs[i].cube);
        hd_json_count(json, "size", hd_scaling_size(scaling, i));
        hd_json_number(json, "time", has_time ? scaling->runs[i].time : NAN);
        hd_json_number(json, "mean_time", has_time ? scaling->runs[i].time / scaling->runs[i].n_locations : NAN);
        hd_json_number(json, "strong_efficiency", has_time ? hd_scaling_strong_efficiency(scaling, i) : NAN);
        hd_json_number(json, "weak_efficiency", has_time ? hd_scaling_weak_efficiency(scaling, i) : NAN);
        hd_json_end(json);
    }
    hd_json_end(json);
}

/* docs/metrics.md#scaling-models */
static void
put_model(hd_json *json, const hd_scaling *scaling, const hd_scaling_model *model)
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
    hd_json_count(json, "log_exponent", (uint64_t)model->term->log_exponent);
    hd_json_number(json, "error", model->error);
    hd_json_array(json, "predictions");
    for (uint32_t i = 0; i < scaling->n_predicted; i++)
        hd_json_number(json, NULL, hd_scaling_model_at(model, scaling->predicted[i]));
    hd_json_end(json);
    hd_json_end(json);
}

static void
put_series(hd_json *json, const hd_scaling *scaling, const hd_scaling_series *series)
{
    hd_json_number(json, "growth", series->growth / 100);
    hd_json_array(json, "values");
    for (uint32_t i = 0; i < scaling->n_runs; i++)
        hd_json_number(json, NULL, series->values[i]);
    hd_json_end(json);
    put_model(json, scaling, &series->model);
    hd_json_end(json);
}

static void
put_waits(hd_json *json, const hd_scaling *scaling)
{
    hd_json_array(json, "waits");
    for (size_t i = 0; i < scaling->n_waits; i++) {
        const hd_scaling_wait *wait = &scaling->waits[i];

        hd_json_object(json, NULL);
        hd_json_metric(json, scaling->model->metrics[wait->metric].id, scaling->model->metrics[wait->metric].name);
        hd_json_names(json, "call_path", scaling->model, wait->path);
        put_series(json, scaling, &wait->series);
    }
    hd_json_end(json);
}

static void
put_efficiencies(hd_json *json, const hd_scaling *scaling)
{
    const hd_scaling_efficiencies *all = &scaling->efficiencies;

    if (all->reference == HD_NONE) {
        hd_json_null(json, "efficiencies");
        return;
    }
    hd_json_object(json, "efficiencies");
    hd_json_text(json, "scaling", all->is_weak ? "weak" : "strong");
    hd_json_count(json, "reference", all->reference);
    hd_json_array(json, "factors");
    for (int f = 0; f < HD_N_SCALING_FACTORS; f++) {
        if (!all->has[f])
            continue;
        hd_json_object(json, NULL);
        hd_json_text(json, "id", hd_scaling_factor_infos[f].id);
        hd_json_text(json, "name", hd_scaling_factor_infos[f].name);
        hd_json_text(json, "unit", hd_scaling_factor_infos[f].unit);
        hd_json_array(json, "values");
        for (uint32_t i = 0; i < all->n_runs; i++)
            hd_json_number(json, NULL, all->values[i][f]);
        hd_json_end(json);
        hd_json_end(json);
    }
    hd_json_end(json);
    hd_json_end(json);
}

hd_status
hd_scaling_write_json(const hd_scaling *scaling, FILE *file)
{
    const hd_cube *model   = scaling->model;
    char          *why_not = hd_same_program_why_not(scaling->alignment);
    hd_json        json;

    hd_json_document_begin(&json, file, "scaling");
    hd_json_text(&json, "size_of", scaling->by_locations ? "locations" : "processes");
    hd_json_text(&json, "different_programs", why_not);
    hd_json_bool(&json, "is_startup_counted", !hd_scaling_skips_startup(scaling));
    put_runs(&json, scaling);
    put_efficiencies(&json, scaling);
    hd_json_array(&json, "predicted_sizes");
    for (uint32_t i = 0; i < scaling->n_predicted; i++)
        hd_json_count(&json, NULL, scaling->predicted[i]);
    hd_json_end(&json);
    hd_json_array(&json, "metrics");
    for (uint32_t i = 0; i < model->n_metrics; i++) {
        hd_json_object(&json, NULL);
        hd_json_metric(&json, model->metrics[i].id, model->metrics[i].name);
        hd_json_text(&json, "parent", model->metrics[i].parent != HD_NONE ?
                     model->metrics[model->metrics[i].parent].id : NULL);
        hd_json_text(&json, "unit", model->metrics[i].unit);
        put_series(&json, scaling, &scaling->metrics[i]);
    }
    hd_json_end(&json);
    hd_json_array(&json, "call_paths");
    for (uint32_t i = 0; scaling->paths != NULL && i < model->n_paths; i++) {
        hd_json_object(&json, NULL);
        hd_json_names(&json, "call_path", model, i);
        put_series(&json, scaling, &scaling->paths[i]);
    }
    hd_json_end(&json);
    put_waits(&json, scaling);
    free(why_not);
    return hd_json_document_end(&json);
}
