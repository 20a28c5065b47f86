/* src/report/json/verdict_json.h: verdicts on wait states over iterations in JSON documents (docs/json.md#series).
 * Uses: json, iteration_list. MT: one thread at a time. Ranks: local.
 */
#ifndef HD_VERDICT_JSON_H
#define HD_VERDICT_JSON_H

#include "iteration_list.h"
#include "json.h"

/* Members of an object. */
void hd_json_verdict(hd_json *json, const hd_verdict_entry *verdict);

#endif
