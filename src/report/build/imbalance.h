/* src/report/build/imbalance.h: how far each location is from the average of all, per call path.
 *
 * What all locations spent at a call path is summed up once over the ranks; a location's values follow from these sums
 * and from what it collected there itself, even where that is nothing. Nothing is kept per location. Definitions:
 * docs/metrics.md#imbalance, #critical_path_imbalance. Uses: derive, analysis_comm. Grows with: call paths, 73 bytes
 * each.
 * MT: read only after hd_imbalance_reduce(), any thread. Limit: 2^63 ticks, all locations together.
 */
#ifndef HD_IMBALANCE_H
#define HD_IMBALANCE_H

#include "derive.h"
#include "report.h"

typedef struct hd_imbalance hd_imbalance;

enum { HD_N_IMBALANCES = 7 };

/* The metrics, ascending. */
extern const uint32_t hd_imbalances[HD_N_IMBALANCES];

/* Keeps report and derivation. Then come hd_imbalance_add() and hd_imbalance_reduce(), and then all others. Cost: linear
 * in what is collected outside of what the report counts. */
hd_imbalance *hd_imbalance_new(const hd_report *report, const hd_derivation *derivation);
/* Adds what locations of this rank collected at a call path, each once.
 *   collected   [n]
 *   columns     [n] of each, in locations
 * Cost: linear in what was collected. */
void hd_imbalance_add(hd_imbalance *imbalance, uint32_t call_path, const hd_collected *collected,
                      const uint32_t *columns, const hd_report_location *locations, size_t n);
/* Sums up over the ranks: four numbers per call path. Ranks: all, together. MT: main thread only. */
void hd_imbalance_reduce(hd_imbalance *imbalance, hd_analysis_comm *analysis_comm);
/* The same of the main window: without what locations have outside of it. whole lives longer. Ranks: all, together. MT:
 * main thread only. Cost: linear in what is outside and in call paths, plus such a reduction. */
hd_imbalance *hd_imbalance_of_main_window(hd_analysis_comm *analysis_comm, const hd_imbalance *whole);
void          hd_imbalance_free(hd_imbalance *imbalance);

/* The metrics that some location of this rank has there. */
hd_metric_set hd_imbalance_found(const hd_imbalance *imbalance, uint32_t call_path);

/* What is the same for all locations at one call path. Keeps the definitions of locations. */
typedef struct hd_imbalance_row {
    const hd_location_def *locations;
    double   mean;         /* [ticks] */
    double   excess_share; /* of the time on the critical path, that which is imbalance */
    uint32_t others;       /* locations but one */
    bool     is_parallel, is_partial, is_single, has_distances;
    bool     is_any;        /* some location can have a value */
    bool     is_everywhere; /* a location that collected nothing there can have a value */
} hd_imbalance_row;

hd_imbalance_row hd_imbalance_row_of(const hd_imbalance *imbalance, uint32_t call_path);

typedef struct hd_imbalance_given { /* of some locations in a row */
    uint32_t n;
    uint32_t locations[HD_MAX_CELLS];  /* indexes in the definitions */
    int64_t  comp[HD_MAX_CELLS];       /* their values of this metric there [ticks] */
    bool     is_visited[HD_MAX_CELLS]; /* they have visits there */
    double   critical[HD_MAX_CELLS];   /* their time on the critical path there [ticks] */
} hd_imbalance_given;

typedef struct hd_imbalance_cells {
    double ticks[HD_N_IMBALANCES][HD_MAX_CELLS];
} hd_imbalance_cells;

/* Their values. Returns which of hd_imbalances have any that is not zero, a bit each. Cost: O(n), no allocation. */
uint32_t hd_imbalance_cells_of(const hd_imbalance_row *row, const hd_imbalance_given *given, hd_imbalance_cells *cells);

/* Those of one location that are not zero, ascending, from what it collected at the call path, which may be nothing.
 *   location     index in the definitions
 *   derived      out, room for HD_N_IMBALANCES
 * Returns how many there are. Cost: O(what was collected), no allocation. */
uint32_t hd_imbalance_of(const hd_imbalance *imbalance, const hd_imbalance_row *row, uint32_t call_path,
                         uint32_t location, const hd_collected *collected, hd_derived *derived);

#endif
