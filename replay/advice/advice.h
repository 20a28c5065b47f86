/* replay/advice/advice.h: what to change first: candidates from the costs that the analysis found, each simulated
 * alone; then the best of them, the best together with it, and so on. Definition: docs/simulation.md#advice.
 * Uses: study.h. Ranks: all, together.
 */
#ifndef HD_ADVICE_H
#define HD_ADVICE_H

#include "study.h"

/* Adds candidates, bounds and steps to the predictions, and the recorded run. The study has costs. Candidates that
 * cannot be simulated are not there. Errors: HD_ESTOPPED. */
hd_status hd_advise(const hd_study *study, hd_predictions *predictions);

#endif
