/* replay/advice/curve.c: a pass for the points of a curve, and one for what determines the run time at its end. */
#include "curve.h"

#include <stdlib.h>

#include "hypothesis.h"
#include "memory.h"

enum { N_CURVES = 8, N_OTHERS = HD_SIM_LANES, MAX_OTHERS = 4 * N_OTHERS };

#define LEAST_NEXT     0.05 /* of the run time */
#define LEAST_CRITICAL 0.01 /* of the length of the trace */

/* What is too short to matter is not there. */
static uint64_t
critical_of(const hd_study *study, uint32_t path)
{
    uint64_t critical = study->costs[path].critical;

    return (double)critical >= LEAST_CRITICAL * (double)study->defs->length ? critical : 0;
}

static uint64_t
longest_of(const hd_study *study, uint32_t path)
{
    return hd_is_computation(study->defs, study->tree, path) ? study->costs[path].longest : 0;
}

/* "100 - share" percent as a factor. */
static char *
scaled(const char *selection, uint32_t share)
{
    return hd_format("scale %s %" PRIu32 "/100", selection, 100 - share);
}

/* All of the selection removed, and a tenth of another call path as well: what that saves, times ten, is the time in
 * which the other one determines the run time. */
static hd_status
find_next(const hd_study *study, hd_curve *curve)
{
    hd_trials trials = { 0 };
    uint32_t  others[MAX_OTHERS], n;
    double    last   = curve->run_time[HD_CURVE_POINTS - 1];
    char     *selections[N_OTHERS] = { NULL };
    hd_status status = HD_OK;

    n = hd_study_largest(study, longest_of, others, MAX_OTHERS);
    for (uint32_t i = 0; i < n && trials.n < N_OTHERS; i++) {
        char *other = hd_hypothesis_selection(study->defs, study->tree, others[i]);
        char *text  = other != NULL ? hd_format("scale %s 0 + scale %s 9/10", curve->text, other) : NULL;

        if (text != NULL && hd_trials_add(study, &trials, text) == HD_OK) {
            selections[trials.n - 1] = other;
            other                    = NULL;
        }
        free(text);
        free(other);
    }
    if (trials.n > 0)
        status = hd_trials_run(study, &trials, "simulate curve");
    if (status == HD_ESTOPPED)
        return status;
    for (size_t i = 0; i < trials.n; i++) {
        double share = last > 0 ? 10 * (last - hd_study_seconds(study, trials.result.outcomes[i].run_time)) / last : 0;

        if (share >= LEAST_NEXT && share > curve->next_share) {
            free(curve->next);
            curve->next       = selections[i];
            curve->next_share = share < 1 ? share : 1;
            selections[i]     = NULL;
        }
        free(selections[i]);
    }
    hd_trials_fini(&trials);
    return status;
}

hd_status
hd_curve_add(const hd_study *study, const char *selection, hd_predictions *predictions)
{
    hd_trials trials = { 0 };
    hd_curve  curve  = { .text = hd_strdup(selection), .flat = HD_NONE };
    hd_status status = HD_OK;

    for (uint32_t i = 0; i < HD_CURVE_POINTS && status == HD_OK; i++) {
        char *text = scaled(selection, hd_curve_shares[i]);

        status = hd_trials_add(study, &trials, text);
        free(text);
    }
    if (status == HD_OK)
        status = hd_trials_run(study, &trials, "simulate curve");
    if (status == HD_ESTOPPED)
        return status;
    if (status == HD_OK) {
        hd_trials_recorded(study, &trials, predictions);
        for (uint32_t i = 0; i < HD_CURVE_POINTS; i++)
            curve.run_time[i] = hd_study_seconds(study, trials.result.outcomes[i].run_time);
        curve.flat = hd_curve_flat(curve.run_time);
        status     = find_next(study, &curve);
        if (status == HD_ESTOPPED)
            return status;
        HD_PUSH(predictions->curves, predictions->n_curves, predictions->capacity_curves, curve);
    } else
        free(curve.text);
    hd_trials_fini(&trials);
    return status;
}

hd_status
hd_curves_add_critical(const hd_study *study, hd_predictions *predictions)
{
    uint32_t  paths[N_CURVES], n = hd_study_largest(study, critical_of, paths, N_CURVES);
    hd_status status = HD_OK;

    for (uint32_t i = 0; i < n && status != HD_ESTOPPED; i++) {
        char *selection = hd_hypothesis_selection(study->defs, study->tree, paths[i]);

        if (selection != NULL)
            status = hd_curve_add(study, selection, predictions);
        free(selection);
    }
    return status == HD_ESTOPPED ? status : HD_OK;
}
