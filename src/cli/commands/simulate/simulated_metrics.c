/* src/cli/commands/simulate/simulated_metrics.c: analyses the recorded run and each simulated one, and compares. */
#include "simulated_metrics.h"

#include <stdlib.h>

#include "derive.h"
#include "memory.h"
#include "simulated_report.h"
#include "time_text.h"

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static bool
is_below_time(uint32_t metric)
{
    while (hd_metric_infos[metric].parent != HD_NONE)
        metric = hd_metric_infos[metric].parent;
    return metric == HD_METRIC_time;
}

static void
add_location(const hd_derivation *derivation, const hd_analyze *run, const hd_location_result *location, hd_span *times)
{
    hd_derived derived[HD_N_METRICS];

    for (size_t i = 0, end; i < location->n; i = end) {
        uint32_t     path      = location->entries[i].call_path, n;
        hd_collected collected = { .entries = &location->entries[i] };

        for (end = i; end < location->n && location->entries[end].call_path == path; end++)
            collected.n++;
        n = hd_derive(derivation, run->tree.nodes[path].region, &collected, derived);
        for (uint32_t d = 0; d < n; d++)
            times[derived[d].metric] += derived[d].value;
    }
}

/* Of the run that was just replayed, summed over all ranks. */
static void
add_up(const hd_analyze *run, hd_span *times)
{
    uint64_t       facts = run->result.has_files ? HD_FACT_FILES : 0, sums[HD_N_METRICS];
    hd_derivation *derivation;

    hd_analysis_comm_reduce(run->analysis_comm, &facts, 1, HD_OR);
    derivation = hd_derivation_new(run->defs, &run->tree, (hd_derivation_options){ .facts = facts });
    for (uint32_t i = 0; i < run->result.n_locations; i++)
        add_location(derivation, run, &run->result.locations[i], times);
    hd_derivation_free(derivation);
    for (uint32_t m = 0; m < HD_N_METRICS; m++)
        sums[m] = (uint64_t)times[m];
    hd_analysis_comm_reduce(run->analysis_comm, sums, HD_N_METRICS, HD_SUM);
    for (uint32_t m = 0; m < HD_N_METRICS; m++)
        times[m] = (hd_span)sums[m];
}

static hd_status
analyse(hd_analyze *run, hd_span *times)
{
    static hd_status (*const phases[])(hd_analyze *) = { hd_analyze_load, hd_analyze_unify, hd_analyze_replay };
    hd_status status = HD_OK;

    hd_simulated_forget(run);
    for (size_t i = 0; i < sizeof phases / sizeof *phases && status == HD_OK; i++)
        status = phases[i](run);
    if (status == HD_OK)
        add_up(run, times);
    if (run->has_result && status == HD_OK) {
        hd_replay_result_fini(&run->result);
        run->result     = (hd_replay_result){ 0 };
        run->has_result = false;
    }
    return status;
}

hd_status
hd_simulated_metrics_find(hd_analyze *run, const hd_simulate_result *result, hd_simulated_metrics *metrics)
{
    const hd_analyze_options *all     = run->options;
    hd_analyze_options        options = *all;
    hd_status                 status  = HD_OK;

    options.no_delay = options.no_critical_path = options.no_matrix = true;
    options.stat        = false;
    options.instances   = 0;
    run->options        = &options;
    metrics->n_runs     = 1 + result->n_outcomes;
    metrics->times      = HD_NEW_ARRAY(hd_span, metrics->n_runs * HD_N_METRICS);
    metrics->resolution = (double)run->defs->resolution;
    for (size_t i = 0; i < metrics->n_runs && status == HD_OK; i++) {
        run->times = i > 0 ? result->outcomes[i - 1].records : NULL;
        status     = analyse(run, &metrics->times[i * HD_N_METRICS]);
    }
    run->times   = NULL;
    run->options = all;
    for (size_t i = 0; i < metrics->n_runs * HD_N_METRICS; i++)
        metrics->has[i % HD_N_METRICS] |= metrics->times[i] != 0 && is_below_time((uint32_t)(i % HD_N_METRICS));
    return status;
}

void
hd_simulated_metrics_fini(hd_simulated_metrics *metrics)
{
    free(metrics->times);
    *metrics = (hd_simulated_metrics){ 0 };
}

/* ---- what is shown ----------------------------------------------------------------------------------------------- */

static double
seconds(const hd_simulated_metrics *metrics, size_t run, uint32_t metric)
{
    return (double)metrics->times[run * HD_N_METRICS + metric] / metrics->resolution;
}

/* At least a thousandth of the time of the recorded run, in any of them. */
static bool
is_shown(const hd_simulated_metrics *metrics, uint32_t metric)
{
    for (size_t i = 0; i < metrics->n_runs && metrics->has[metric]; i++)
        if (seconds(metrics, i, metric) * 1000 >= seconds(metrics, 0, HD_METRIC_time))
            return true;
    return false;
}

static int
depth_of(uint32_t metric)
{
    int depth = 0;

    for (; hd_metric_infos[metric].parent != HD_NONE; metric = hd_metric_infos[metric].parent)
        depth++;
    return depth;
}

void
hd_simulated_metrics_print(const hd_simulated_metrics *metrics, FILE *out)
{
    size_t n_hidden = 0;

    if (metrics->times == NULL)
        return;
    fprintf(out, "\nTime of metrics, of all processes, with start-up\n  %12s", "recorded");
    for (size_t i = 1; i < metrics->n_runs; i++)
        fprintf(out, " %11s%zu", "#", i);
    fputc('\n', out);
    for (uint32_t m = 0; m < HD_N_METRICS; m++) {
        if (!is_shown(metrics, m)) {
            n_hidden += metrics->has[m];
            continue;
        }
        fputc(' ', out);
        for (size_t i = 0; i < metrics->n_runs; i++)
            fprintf(out, " %12s", hd_time_column(seconds(metrics, i, m)).text);
        fprintf(out, "   %*s%s\n", 2 * depth_of(m), "", hd_metric_infos[m].name);
    }
    if (n_hidden > 0)
        fprintf(out, "  (%zu more below 0.1 %%: --json)\n", n_hidden);
}

void
hd_simulated_metrics_put(const hd_simulated_metrics *metrics, size_t run, hd_json *json)
{
    if (metrics->times == NULL) {
        hd_json_null(json, "metrics");
        return;
    }
    hd_json_array(json, "metrics");
    for (uint32_t m = 0; m < HD_N_METRICS; m++) {
        if (!metrics->has[m])
            continue;
        hd_json_object(json, NULL);
        hd_json_text(json, "metric", hd_metric_infos[m].id);
        hd_json_text(json, "name", hd_metric_infos[m].name);
        hd_json_number(json, "time", seconds(metrics, run, m));
        hd_json_end(json);
    }
    hd_json_end(json);
}
