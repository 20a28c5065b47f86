/* src/report/build/region_metrics.h: to which metrics of kind P the time and the visits of a region go.
 *
 * Decided once per region from its display name, source file, paradigm and role. Definition:
 * docs/metrics.md#time-classes.
 * Uses: profile, trace. MT: any thread. Ranks: local. Errors: none.
 */
#ifndef HD_REGION_METRICS_H
#define HD_REGION_METRICS_H

#include "defs.h"
#include "metric.h"
#include "state_log.h"

enum { HD_MAX_REGION_METRICS = 8 };

typedef struct hd_region_metrics {
    uint32_t time[HD_MAX_REGION_METRICS];   /* metrics that get the exclusive time */
    uint32_t visits[HD_MAX_REGION_METRICS]; /* metrics that get the visits */
    uint32_t n_time, n_visits;
    bool     is_opencl_kernel, is_cuda_kernel;
} hd_region_metrics;

/* compat: reproduce what scout does where this analysis knows better (D17, SHMEM). Cost: some thousand characters
 * compared. */
hd_region_metrics hd_region_metrics_of(const hd_region *region, const char *name, const char *file, bool compat);

/* Which of hd_rma_calls count the visits of a region, for each region of the definitions: bit k is of number k. free()
 * it. */
uint8_t *hd_region_rma_calls(const hd_defs *defs);

/* Of hd_times_over_time that of MPI calls which the time of a region is, or 0: none, for each region of the definitions.
 * free() it. */
uint8_t *hd_region_mpi_classes(const hd_defs *defs);

/* hd_state of a thread that is in the region, for each region of the definitions. free() it. */
uint8_t *hd_region_states(const hd_defs *defs);

#endif
