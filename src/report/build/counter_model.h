/* src/report/build/counter_model.h: the counters of an archive as metrics of a report (docs/metrics.md#counters).
 *
 * They stand behind all other metrics: "counters", which has no values, and below it "c_NAME" for each. Private to the
 * component. Uses: cube_model, trace. MT: any thread. Ranks: local.
 */
#ifndef HD_COUNTER_MODEL_H
#define HD_COUNTER_MODEL_H

#include "counter_patterns.h"
#include "defs.h"

/* The id of a counter: "c_" and its name, of which all but letters and digits become '_'; where another one before it
 * has the same, with a number. free() it. */
char *hd_counter_id(const hd_defs *defs, uint32_t counter);

/* [counters] of all; hd_counter_ids_free() them. */
char **hd_counter_ids(const hd_defs *defs);
void   hd_counter_ids_free(char **ids, const hd_defs *defs);

/* How many metrics there are: 0 where the archive has no counters. */
static inline uint32_t
hd_counter_metrics_n(const hd_defs *defs)
{
    return defs->n_counters > 0 ? 1 + defs->n_counters : 0;
}

/* Fills metrics [hd_counter_metrics_n()].
 *   first   the number of the first one
 *   ids     [counters] of hd_counter_id(), lent to the metrics */
void hd_counter_metrics_fill(const hd_defs *defs, uint32_t first, char *const *ids, hd_cube_metric *metrics);

#endif
