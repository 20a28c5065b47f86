/* src/cli/commands/simulate/simulated_metrics.h: the time of each metric in the recorded run and in simulated ones:
 * where waiting goes that vanishes in one place.
 *
 * Each run is loaded with the times of its records and replayed forwards, as heddle analyze does.
 * Uses: analyze, simulate, report_build. MT: main thread only.
 */
#ifndef HD_SIMULATED_METRICS_H
#define HD_SIMULATED_METRICS_H

#include <stdio.h>

#include "analyze.h"
#include "json_document.h"
#include "simulate_request.h"

typedef struct hd_simulated_metrics {
    hd_span *times;             /* [n_runs][HD_N_METRICS] [ticks] of all processes: first the recorded run, then those of
                                 * the hypotheses; NULL: nobody asked */
    bool     has[HD_N_METRICS]; /* it is below Time, and some run has it */
    size_t   n_runs;
    double   resolution;
} hd_simulated_metrics;

/* result: outcomes with records. What was loaded is forgotten, run->times is NULL then. Ranks: all, together. Errors,
 * the same on all ranks: those of the phases of analyze.h. */
hd_status hd_simulated_metrics_find(hd_analyze *run, const hd_simulate_result *result, hd_simulated_metrics *metrics);
void      hd_simulated_metrics_fini(hd_simulated_metrics *metrics);

/* Nothing where times is NULL. Ranks: local, on rank 0. */
void hd_simulated_metrics_print(const hd_simulated_metrics *metrics, FILE *out);
/* Of a run; null where times is NULL. */
void hd_simulated_metrics_put(const hd_simulated_metrics *metrics, size_t run, hd_json *json);

#endif
