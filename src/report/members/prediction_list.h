/* src/report/members/prediction_list.h: what heddle analyze --simulate predicted, as tables that a report carries.
 *
 *   heddle.predictions.tsv   kind · hypothesis · run_time · promised · waiting · waits_at
 *   heddle.curves.tsv        selection · run_time_0 · run_time_10 · ... · run_time_100 · next · next_share
 *
 * Head lines name the columns; times in seconds with all digits. The first row of predictions is of kind "recorded".
 * promised is empty where delay costs say nothing. Meaning of all: src/profile/prediction.h, docs/simulation.md. Read
 * tables are taken for damaged until checked.
 * Uses: cube_reader, prediction. MT: one thread. Ranks: local.
 */
#ifndef HD_PREDICTION_LIST_H
#define HD_PREDICTION_LIST_H

#include <stdio.h>

#include "cube_reader.h"
#include "prediction.h"

#define HD_PREDICTIONS_MEMBER "heddle.predictions.tsv"
#define HD_CURVES_MEMBER      "heddle.curves.tsv"

/* Errors of writing stay with the stream. */
void hd_predictions_write(FILE *file, const hd_predictions *predictions);
void hd_curves_write(FILE *file, const hd_predictions *predictions);

/* is_there: out, whether the report has them. hd_predictions_fini() them. Errors: HD_EREAD; HD_ESIZE; HD_EFORMAT with
 * the line that is wrong. They are empty then. */
hd_status hd_predictions_read(hd_cube *cube, hd_predictions *predictions, bool *is_there);

#endif
