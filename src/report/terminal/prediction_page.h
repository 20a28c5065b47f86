/* src/report/terminal/prediction_page.h: predictions of simulations as text: hypotheses, advice, curves.
 * Uses: prediction, summary_page. MT: one thread. Ranks: local.
 */
#ifndef HD_PREDICTION_PAGE_H
#define HD_PREDICTION_PAGE_H

#include <stdio.h>

#include "name_cut.h"
#include "prediction.h"
#include "summary_options.h"

/* What there is of it. Hypotheses that were asked for: only with_asked. Errors of writing stay with the stream. */
void hd_predictions_print(FILE *file, const hd_predictions *predictions, const hd_summary_options *options,
                          hd_name_cuts *cuts, bool with_asked);

#endif
