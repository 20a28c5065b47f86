/* replay/advice/curve.h: the run time over the share of the computation of a selection that is removed, as in causal
 * profiling. Where a curve gets flat other call paths determine the run time; the one that does most is named.
 * Definition: docs/simulation.md#curves. Uses: study.h. Ranks: all, together. Cost: two passes for each curve.
 */
#ifndef HD_RUN_CURVE_H
#define HD_RUN_CURVE_H

#include "study.h"

/* Adds the curve of a selection, and the recorded run. The study has costs. Errors: HD_EUSAGE, the selection is
 * refused; HD_ESTOPPED. */
hd_status hd_curve_add(const hd_study *study, const char *selection, hd_predictions *predictions);

/* Those of the call paths of computation that are longest on the critical path. Errors: HD_ESTOPPED. */
hd_status hd_curves_add_critical(const hd_study *study, hd_predictions *predictions);

#endif
