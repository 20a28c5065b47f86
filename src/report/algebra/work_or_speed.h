/* src/report/algebra/work_or_speed.h: why a root cause took longer than the same call path elsewhere: more work, or
 * slower work (docs/metrics.md#work-or-speed).
 *
 *   time = instructions · cycles per instruction · CPU time per cycle · time per CPU time
 *
 * The processes with most of the delay costs at a call path are compared with those that waited for them, over the
 * interval of each delay; in a report without such a table with the others that have the call path, over all that the
 * report counts. A factor is named where its counters are there; what is left is named as what it is together.
 * Uses: cube_reader, counter_patterns, work_list. MT: one thread. Ranks: local. Cost: O(locations), and a read for each counter.
 */
#ifndef HD_WORK_OR_SPEED_H
#define HD_WORK_OR_SPEED_H

#include "cube_reader.h"
#include "json.h"
#include "speed_words.h"

/* hd_speed_counters_fini() it. Errors: those of hd_work_list_read(); nothing is there then. */
hd_status hd_speed_counters_read(hd_cube *cube, hd_speed_counters *counters);
void      hd_speed_counters_fini(hd_speed_counters *counters);

/* counters: some are there; costs: [n_locations] delay costs of each location at the call path. Errors: those of hd_cube_row(). */
hd_status hd_work_or_speed_find(hd_cube *cube, const hd_speed_counters *counters, uint32_t path, const double *costs,
                                hd_work_or_speed *found);

/* What changed from `before` to `now`: "38 % more instructions (more work); the same cycles per instruction"; free() it.
 * NULL: it is not known. names: [n] of counters, n <= HD_COMPARED_MAX. */
char *hd_speed_factors_text(char *const *names, uint32_t n, const hd_work_values *now, const hd_work_values *before);

/* The same as the member "work_or_speed": an object; null: it is not known. */
void hd_speed_factors_put(hd_json *json, char *const *names, uint32_t n, const hd_work_values *now,
                          const hd_work_values *before);

/* Those of all call paths of computation that have at least 1 % of all delay costs: [n_paths] NULL: none; free() them and
 * *texts. Errors: those of hd_cube_row(); *texts is NULL then. */
hd_status hd_work_or_speed_of_causes(hd_cube *cube, char ***texts);

/* The member "work_or_speed": an object; null: it is not known. */
void hd_work_or_speed_put(hd_json *json, const hd_cube *cube, const hd_speed_counters *counters,
                          const hd_work_or_speed *found);

#endif
