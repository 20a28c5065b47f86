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

/* The metrics that a location can have there. */
hd_metric_set hd_imbalance_metrics(const hd_imbalance *imbalance, uint32_t call_path);

/* What is the same for all locations at one call path. Keeps the definitions of locations. */
typedef struct hd_imbalance_row {
    const hd_location_def *locations;
    double   mean;         /* [ticks] */
    double   excess_share; /* of the time on the critical path, that which is imbalance */
    uint32_t others;       /* locations but one */
    bool     is_parallel, is_partial, is_single, has_distances;
    bool     is_everywhere; /* a location that collected nothing there can have a value */
} hd_imbalance_row;

hd_imbalance_row hd_imbalance_row_of(const hd_imbalance *imbalance, uint32_t call_path);

/* The values of one location (index in the definitions) in a row that are not zero, ascending.
 *   comp         its value of this metric there [ticks]
 *   is_visited   it has visits there
 *   critical     its time on the critical path there [ticks]
 *   derived      out, room for HD_N_IMBALANCES
 * Returns how many there are. Cost: O(1), no allocation. */
uint32_t hd_imbalance_cell(const hd_imbalance_row *row, uint32_t location, int64_t comp, bool is_visited,
                           double critical, hd_derived *derived);

/* The same from what the location collected at the call path, may be empty. Cost: O(what was collected). */
uint32_t hd_imbalance_of(const hd_imbalance *imbalance, const hd_imbalance_row *row, uint32_t call_path,
                         uint32_t location, const hd_collected *collected, hd_derived *derived);

#endif
