/* src/report/json/verdict_json.h: verdicts on wait states over iterations, and clusters of these, in JSON
 * documents (docs/json.md#series) and pages.
 * Uses: json, iteration_list. MT: one thread at a time. Ranks: local.
 */
#ifndef HD_VERDICT_JSON_H
#define HD_VERDICT_JSON_H

#include "iteration_list.h"
#include "json.h"

/* Members of an object. */
void hd_json_verdict(hd_json *json, const hd_verdict_entry *verdict);

/* The member "clusters" of an object. */
void hd_json_clusters(hd_json *json, const hd_cluster_list *clusters);

#endif
