/* src/profile/prediction.h: what simulations predict, as plain data: run times under hypotheses, advice, and curves of
 * the run time over what is removed. Definitions: docs/simulation.md.
 * Uses: base. MT: one thread at a time. Ranks: local. Owner: the caller; hd_predictions_fini() it.
 */
#ifndef HD_PREDICTION_H
#define HD_PREDICTION_H

#include "types.h"

typedef enum hd_prediction_kind {
    HD_PREDICTION_ASKED,     /* a hypothesis that the user wrote */
    HD_PREDICTION_CANDIDATE, /* of the advice, alone */
    HD_PREDICTION_BOUND,     /* the same, of a change that hardly any program can reach: it is no step */
    HD_PREDICTION_STEP,      /* of the advice, with all steps before */
    HD_N_PREDICTION_KINDS
} hd_prediction_kind;

typedef struct hd_prediction {
    hd_prediction_kind kind;
    char              *text;     /* the hypothesis; of a step without those of the steps before */
    double             run_time; /* [s] */
    double             promised; /* [s] what delay costs alone promise to save; NAN: they say nothing of it */
    double             waiting;  /* [s] of all processes, at the call path that waits most then */
    char              *waits_at; /* that call path; NULL: none waits */
} hd_prediction;

/* Shares of the computation that are removed in a curve, in percent. */
#define HD_CURVE_SHARES { 0, 10, 20, 35, 50, 65, 80, 100 }
enum { HD_CURVE_POINTS = 8 };
extern const uint32_t hd_curve_shares[HD_CURVE_POINTS];

typedef struct hd_curve {
    char    *text;                      /* selection */
    double   run_time[HD_CURVE_POINTS]; /* [s] */
    uint32_t flat;                      /* point from which on it is flat; HD_NONE: it never is */
    char    *next;                      /* selection that determines most of the run time when all is removed; NULL:
                                         * none does */
    double   next_share;                /* of the run time then, 0 to 1 */
} hd_curve;

typedef struct hd_predictions {
    double         recorded;    /* [s] run time */
    uint32_t       n_locations; /* of the run */
    double         waiting;     /* recorded, as of a prediction */
    char          *waits_at;
    hd_prediction *rows;        /* [n] by kind; candidates and bounds together, the fastest first */
    hd_curve      *curves;      /* [n_curves] */
    size_t         n, capacity, n_curves, capacity_curves;
} hd_predictions;

/* The point from which on less than a fiftieth of what all of it saves is saved, or less than a thousandth of the run
 * time; HD_NONE: only the last one. */
uint32_t hd_curve_flat(const double *run_time);

/* "flat from 50 %; then update"; free() it. NULL: it never is. */
char *hd_curve_flat_text(const hd_curve *curve);

/* Of the recorded run and all points of all curves; at least a hundredth of the run time. */
void hd_predictions_range(const hd_predictions *predictions, double *least, double *most);

const char *hd_prediction_kind_name(hd_prediction_kind kind); /* "asked", "candidate", ... */

void hd_predictions_fini(hd_predictions *predictions);

#endif
