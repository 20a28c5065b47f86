/* src/report/json/lag_json.h: causes over time in JSON documents and in the page (docs/json.md#series). Uses: json,
 * lag_list. MT: one thread. Ranks: local.
 */
#ifndef HD_LAG_JSON_H
#define HD_LAG_JSON_H

#include "json.h"
#include "lag_list.h"

/* An object with an element for each kind of wait state, or null. */
void hd_json_lags(hd_json *json, const char *key, const hd_lag_list *lags);

#endif
