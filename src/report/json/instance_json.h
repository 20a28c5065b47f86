/* src/report/json/instance_json.h: instances of wait states in JSON documents (docs/json.md).
 * Uses: json_document, instance_list. MT: one thread at a time. Ranks: local.
 */
#ifndef HD_INSTANCE_JSON_H
#define HD_INSTANCE_JSON_H

#include "instance_list.h"
#include "json_document.h"

/* An object, as an element of an array. */
void hd_json_instance(hd_json *json, const hd_cube *cube, const hd_instance_entry *instance);

/* Members of an object. */
void hd_json_statistic(hd_json *json, const hd_statistic_entry *statistic);

#endif
