/* src/report/json/prediction_json.c: predictions, advice and curves as JSON. */
#include "prediction_json.h"

/* Members of a run: its time, and where processes wait most. */
static void
put_run(hd_json *json, double run_time, double waiting, const char *waits_at)
{
    hd_json_number(json, "run_time", run_time);
    hd_json_number(json, "waiting", waiting);
    hd_json_text(json, "waits_at", waits_at);
}

static void
put_prediction(hd_json *json, const hd_predictions *all, const hd_prediction *row)
{
    hd_json_object(json, NULL);
    hd_json_text(json, "text", row->text);
    if (row->kind != HD_PREDICTION_ASKED) {
        hd_json_bool(json, "is_bound", row->kind == HD_PREDICTION_BOUND);
        hd_json_number(json, "promised", row->promised);
    }
    hd_json_number(json, "saved", all->recorded - row->run_time);
    put_run(json, row->run_time, row->waiting, row->waits_at);
    hd_json_end(json);
}

static void
put_kinds(hd_json *json, const char *key, const hd_predictions *all, hd_prediction_kind one, hd_prediction_kind other)
{
    hd_json_array(json, key);
    for (size_t i = 0; i < all->n; i++)
        if (all->rows[i].kind == one || all->rows[i].kind == other)
            put_prediction(json, all, &all->rows[i]);
    hd_json_end(json);
}

static void
put_curve(hd_json *json, const hd_curve *curve)
{
    hd_json_object(json, NULL);
    hd_json_text(json, "text", curve->text);
    hd_json_array(json, "points");
    for (size_t k = 0; k < HD_CURVE_POINTS; k++) {
        hd_json_object(json, NULL);
        hd_json_count(json, "removed", hd_curve_shares[k]);
        hd_json_number(json, "run_time", curve->run_time[k]);
        hd_json_end(json);
    }
    hd_json_end(json);
    hd_json_index(json, "flat_from", curve->flat != HD_NONE ? hd_curve_shares[curve->flat] : HD_NONE);
    hd_json_text(json, "next", curve->next);
    hd_json_number(json, "next_share", curve->next_share);
    hd_json_end(json);
}

void
hd_json_advice(hd_json *json, const hd_predictions *predictions)
{
    put_kinds(json, "advice", predictions, HD_PREDICTION_STEP, HD_PREDICTION_STEP);
    put_kinds(json, "candidates", predictions, HD_PREDICTION_CANDIDATE, HD_PREDICTION_BOUND);
    hd_json_array(json, "curves");
    for (size_t i = 0; i < predictions->n_curves; i++)
        put_curve(json, &predictions->curves[i]);
    hd_json_end(json);
}

void
hd_json_predictions(hd_json *json, const char *key, const hd_predictions *predictions)
{
    hd_json_object(json, key);
    put_run(json, predictions->recorded, predictions->waiting, predictions->waits_at);
    put_kinds(json, "hypotheses", predictions, HD_PREDICTION_ASKED, HD_PREDICTION_ASKED);
    hd_json_advice(json, predictions);
    hd_json_end(json);
}
