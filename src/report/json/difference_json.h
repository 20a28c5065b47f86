/* src/report/json/difference_json.h: what has changed from one report to another, as members of a JSON document (docs/json.md#diff).
 * Uses: json_document, comparison. MT: one thread at a time. Ranks: local.
 */
#ifndef HD_DIFFERENCE_JSON_H
#define HD_DIFFERENCE_JSON_H

#include "comparison.h"
#include "json_document.h"

/* Both reports, all metrics, and the call paths and wait states that have changed most, n_top of each (0: 3). Errors: those of hd_alignment_row(). */
hd_status hd_json_difference(hd_json *json, const hd_comparison *comparison, uint32_t n_top);

#endif
