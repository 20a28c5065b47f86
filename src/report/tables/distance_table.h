/* src/report/tables/distance_table.h: messages, bytes and waiting by distance on the machine, and by hops, as a table
 * for a terminal or for scripts. What has no distance, as sends without a receive or processes without a place, is in a
 * row "(not known)": rows add up to the whole.
 * Definition: docs/metrics.md#machine, #topologies. Uses: cube_reader, metric. MT: one thread. Ranks: local.
 */
#ifndef HD_DISTANCE_TABLE_H
#define HD_DISTANCE_TABLE_H

#include <stdio.h>

#include "cube_reader.h"
#include "json.h"

/* Rows of the grid of n processes that is the nearest to a square, for hints; n > 0. */
uint32_t hd_grid_rows(uint32_t n);

/* Errors: HD_EUSAGE, the report does not have these metrics. */
hd_status hd_distance_table_check(const hd_cube *cube);

/* selected: [n_paths] call paths; NULL: all. json: NULL: text; else a member "distances" of the open object is put
 * (docs/json.md). width: columns of the text: wider tables are divided; 0: no limit.
 * Errors: those of hd_distance_table_check() and hd_cube_row(). Errors of writing stay with the stream. */
hd_status hd_distance_table_print(hd_cube *cube, const bool *selected, bool is_tsv, hd_json *json, uint32_t width,
                                  FILE *file);

#endif
