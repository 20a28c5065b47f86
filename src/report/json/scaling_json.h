/* src/report/json/scaling_json.h: how shares of the time grow with the number of processes, as a JSON document
 * (docs/json.md#scaling).
 * Uses: json_document, scaling. MT: one thread at a time. Ranks: local.
 */
#ifndef HD_SCALING_JSON_H
#define HD_SCALING_JSON_H

#include "json_document.h"
#include "scaling.h"

/* Errors: HD_EWRITE. */
hd_status hd_scaling_write_json(const hd_scaling *scaling, FILE *file);

#endif
