/* replay/advice/study.h: what advice and curves are made with: a simulator, and the costs that an analysis found.
 *
 *   costs     path_cost.h   from the results of a replay
 *   advice    advice.h      candidates, then steps one after the other
 *   curves    curve.h       the run time over the share of computation that is removed
 *
 * Knows results of the replay and simulations, nothing of reports. Uses: replay/simulate.
 * MT: main thread only. Ranks: all, together; the same results on all, if nothing else is said.
 */
#ifndef HD_STUDY_H
#define HD_STUDY_H

#include "path_cost.h"
#include "prediction.h"
#include "simulate.h"

typedef struct hd_study {
    const hd_defs      *defs;
    const hd_calltree  *tree;
    hd_simulator       *simulator;
    const hd_path_cost *costs; /* [tree->n] NULL: there was no analysis */
    /* Before n passes; or NULL. */
    void              (*on_passes)(void *context, const char *what, size_t n);
    void               *context;
} hd_study;

typedef struct hd_trials { /* hypotheses that are run together */
    hd_hypothesis     *hypotheses; /* [n] prepared */
    size_t             n, capacity;
    hd_simulate_result result;     /* after hd_trials_run() */
} hd_trials;

/* A hypothesis more. Errors: HD_EUSAGE, it is refused, and not there. */
hd_status hd_trials_add(const hd_study *study, hd_trials *trials, const char *text);
/* Errors: HD_ESTOPPED. */
hd_status hd_trials_run(const hd_study *study, hd_trials *trials, const char *what);
void      hd_trials_fini(hd_trials *trials);

/* What was predicted. recorded: of the trials, which have been run. */
hd_prediction hd_trials_prediction(const hd_study *study, const hd_trials *trials, size_t i, hd_prediction_kind kind);
void          hd_trials_recorded(const hd_study *study, const hd_trials *trials, hd_predictions *predictions);

/* [s] */
static inline double
hd_study_seconds(const hd_study *study, hd_span ticks)
{
    return (double)ticks / (double)study->defs->resolution;
}

/* Numbers of the call paths with the largest values above 0, at most `most` of them; returns how many. */
uint32_t hd_study_largest(const hd_study *study, uint64_t (*value)(const hd_study *study, uint32_t path),
                          uint32_t *paths, uint32_t most);

#endif
