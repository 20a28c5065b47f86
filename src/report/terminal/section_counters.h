/* src/report/terminal/section_counters.h: the section "Counters", for the HTML report. Uses: summary_page. MT: one
 * thread. Ranks: local. Grows with: call paths, locations.
 */
#ifndef HD_SECTION_COUNTERS_H
#define HD_SECTION_COUNTERS_H

#include "cube_reader.h"
#include "json.h"

/* As in the JSON document of a summary (docs/json.md), but at most 100 levels; null: the report has no counters.
 * Errors: those of hd_cube_row() and hd_cube_misc(). */
hd_status hd_counters_put(hd_cube *cube, hd_json *json, const char *key);

#endif
