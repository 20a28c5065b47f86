/* src/report/json/efficiency_json.h: efficiencies of a slice as an object (docs/json.md#efficiency). Uses:
 * efficiency_list, json. MT: one thread at a time. Ranks: local. */
#ifndef HD_EFFICIENCY_JSON_H
#define HD_EFFICIENCY_JSON_H

#include "efficiency_list.h"
#include "json.h"

void hd_json_efficiency(hd_json *json, const char *key, const hd_efficiency_entry *entry);

#endif
