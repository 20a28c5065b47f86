/* src/profile/prediction.c: names of kinds, where a curve gets flat, and the end of it all. */
#include "prediction.h"

#include <stdlib.h>

#include "memory.h"

#define FLAT_SHARE  0.02  /* of what is saved in the end */
#define LEAST_SHARE 0.001 /* of the run time: less is nothing */
#define LEAST_RANGE 0.01  /* of the run time, that a picture shows */

const uint32_t hd_curve_shares[HD_CURVE_POINTS] = HD_CURVE_SHARES;

uint32_t
hd_curve_flat(const double *run_time)
{
    double   least = FLAT_SHARE * (run_time[0] - run_time[HD_CURVE_POINTS - 1]);
    uint32_t flat  = HD_CURVE_POINTS - 1;

    least = least > LEAST_SHARE * run_time[0] ? least : LEAST_SHARE * run_time[0];
    while (flat > 0 && run_time[flat - 1] - run_time[HD_CURVE_POINTS - 1] <= least)
        flat--;
    return flat < HD_CURVE_POINTS - 1 ? flat : HD_NONE;
}

char *
hd_curve_flat_text(const hd_curve *curve)
{
    if (curve->flat == HD_NONE)
        return NULL;
    return hd_format("flat from %" PRIu32 " %%%s%s", hd_curve_shares[curve->flat], curve->next != NULL ? "; then " : "",
                     curve->next != NULL ? curve->next : "");
}

void
hd_predictions_range(const hd_predictions *predictions, double *least, double *most)
{
    *least = *most = predictions->recorded;
    for (size_t i = 0; i < predictions->n_curves; i++)
        for (size_t k = 0; k < HD_CURVE_POINTS; k++) {
            double time = predictions->curves[i].run_time[k];

            *least = time < *least ? time : *least;
            *most  = time > *most ? time : *most;
        }
    *least = *least < (1 - LEAST_RANGE) * *most ? *least : (1 - LEAST_RANGE) * *most;
}

const char *
hd_prediction_kind_name(hd_prediction_kind kind)
{
    static const char *const names[HD_N_PREDICTION_KINDS] = { "asked", "candidate", "bound", "step" };

    return names[kind];
}

void
hd_predictions_fini(hd_predictions *predictions)
{
    for (size_t i = 0; i < predictions->n; i++) {
        free(predictions->rows[i].text);
        free(predictions->rows[i].waits_at);
    }
    for (size_t i = 0; i < predictions->n_curves; i++) {
        free(predictions->curves[i].text);
        free(predictions->curves[i].next);
    }
    free(predictions->waits_at);
    free(predictions->rows);
    free(predictions->curves);
    *predictions = (hd_predictions){ 0 };
}
