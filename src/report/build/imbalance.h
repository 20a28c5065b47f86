/* src/report/build/imbalance.h: how far each location is from the average of all, per call path.
 *
 * What all locations spent at a call path is summed up once over the ranks; a location's values follow from these sums
 * and from what it collected there itself, even where that is nothing. Nothing is kept per location. Definitions:
 * docs/metrics.md#imbalance, #critical_path_imbalance. Uses: derive, analysis_comm. Grows with: call paths, 33 bytes
 * each.
 * MT: read only after hd_imbalance_new(), any thread. Limit: 2^63 ticks, all locations together.
 */
#ifndef HD_IMBALANCE_H
#define HD_IMBALANCE_H

#include "derive.h"
#include "report.h"

typedef struct hd_imbalance hd_imbalance;

enum { HD_N_IMBALANCES = 7 };

/* Keeps report and derivation. Ranks: all, together. MT: main thread only. Cost: linear in what was collected, plus one
 * reduction of four numbers per call path. */
hd_imbalance *hd_imbalance_new(hd_analysis_comm *analysis_comm, const hd_report *report,
                               const hd_derivation *derivation);
/* The same of the main window: without what locations have outside of it. whole lives longer. Ranks: all, together. MT:
 * main thread only. Cost: linear in what is outside and in call paths, plus such a reduction. */
hd_imbalance *hd_imbalance_of_main_window(hd_analysis_comm *analysis_comm, const hd_imbalance *whole);
void          hd_imbalance_free(hd_imbalance *imbalance);

/* Whether a location that collected nothing at the call path can have a value there. */
bool hd_imbalance_is_everywhere(const hd_imbalance *imbalance, uint32_t call_path);

/* The metrics that a location can have there. */
hd_metric_set hd_imbalance_metrics(const hd_imbalance *imbalance, uint32_t call_path);

/* The values of one location (index in the definitions) at one call path that are not zero, ascending.
 *   collected   of that location and call path, may be empty
 *   derived     out, room for HD_N_IMBALANCES
 * Returns how many there are. Cost: O(what was collected), no allocation. */
uint32_t hd_imbalance_of(const hd_imbalance *imbalance, uint32_t call_path, uint32_t location,
                         const hd_collected *collected, hd_derived *derived);

#endif
