/* src/report/json/prediction_json.h: predictions of simulations as JSON (docs/json.md#simulate).
 * Uses: json, prediction. MT: one thread. Ranks: local.
 */
#ifndef HD_PREDICTION_JSON_H
#define HD_PREDICTION_JSON_H

#include "json.h"
#include "prediction.h"

/* Members "advice", "candidates" and "curves". */
void hd_json_advice(hd_json *json, const hd_predictions *predictions);
/* A value: "run_time", "waiting", "waits_at", "hypotheses", and those above. */
void hd_json_predictions(hd_json *json, const char *key, const hd_predictions *predictions);

#endif
