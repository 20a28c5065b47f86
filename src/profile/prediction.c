/* src/profile/prediction.c: names of kinds, where a curve gets flat, and the end of it all. */
#include "prediction.h"

#include <stdlib.h>

#define FLAT_SHARE 0.02 /* of what is saved in the end */

const uint32_t hd_curve_shares[HD_CURVE_POINTS] = HD_CURVE_SHARES;

uint32_t
hd_curve_flat(const double *run_time)
{
    double   least = FLAT_SHARE * (run_time[0] - run_time[HD_CURVE_POINTS - 1]);
    uint32_t flat  = HD_CURVE_POINTS - 1;

    while (flat > 0 && run_time[flat - 1] - run_time[HD_CURVE_POINTS - 1] <= least)
        flat--;
    return flat < HD_CURVE_POINTS - 1 ? flat : HD_NONE;
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
