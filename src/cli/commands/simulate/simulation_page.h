/* src/cli/commands/simulate/simulation_page.h: what a simulation found, as text and as JSON.
 * Uses: simulate, json_document. MT: main thread only. Ranks: local, on rank 0.
 */
#ifndef HD_SIMULATION_PAGE_H
#define HD_SIMULATION_PAGE_H

#include <stdio.h>

#include "prediction.h"
#include "simulate.h"
#include "simulated_metrics.h"
#include "status.h"
#include "summary_options.h"

typedef struct hd_simulation {
    const hd_defs            *defs;
    const char               *archive;
    const hd_hypothesis      *hypotheses; /* [result->n_outcomes] */
    const hd_simulate_result *result;
    const hd_predictions     *predictions; /* advice and curves */
    const hd_simulated_metrics *metrics;
} hd_simulation;

void hd_simulation_print(const hd_simulation *simulation, const hd_summary_options *options, FILE *out);

/* Errors: HD_EWRITE. */
hd_status hd_simulation_write_json(const hd_simulation *simulation, FILE *out);

/* [s] */
static inline double
hd_simulation_seconds(const hd_simulation *simulation, hd_span ticks)
{
    return (double)ticks / (double)simulation->defs->resolution;
}

/* [s] */
static inline double
hd_simulation_time_per_byte(const hd_simulation *simulation, const hd_sim_line_row *line)
{
    return (double)line->slope / 4294967296.0 / (double)simulation->defs->resolution;
}

/* Whether any run, recorded or simulated, has time in calls of the region. */
static inline bool
hd_simulation_has_region(const hd_simulation *simulation, uint32_t region)
{
    const hd_simulate_result *result = simulation->result;
    bool                      any    = result->recorded.region_time[region] != 0;

    for (size_t i = 0; i < result->n_outcomes; i++)
        any |= result->outcomes[i].region_time[region] != 0;
    return any;
}

#endif
