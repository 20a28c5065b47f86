/* src/cli/commands/analyze/run_attributes.c: what the analysis was and what it took, as attributes of the report. */
#include "analyze.h"

#include <stdlib.h>
#include <string.h>

#include "completeness.h"
#include "iteration_list.h"
#include "memory.h"
#include "message.h"
#include "startup.h"
#include "signal_stop.h"
#include "version.h"

static void
add_attribute(hd_attribute_list *list, const char *key, char *value)
{
    HD_PUSH(list->rows, list->n, list->capacity, ((hd_attribute){ .key = key, .value = value }));
}

static void
add_number(hd_attribute_list *list, const char *key, uint64_t value)
{
    add_attribute(list, key, hd_format("%" PRIu64, value));
}

/* [s], without zeros at the end. */
static void
add_time(hd_attribute_list *list, const char *key, hd_duration time)
{
    char  *text = hd_format("%" PRIu64 ".%018" PRIu64, time.seconds, time.attoseconds);
    size_t n    = strlen(text);

    while (text[n - 1] == '0')
        n--;
    text[text[n - 1] == '.' ? n - 1 : n] = '\0';
    if (hd_duration_is_end(time)) {
        free(text);
        text = hd_strdup("END");
    }
    add_attribute(list, key, text);
}

static void
add_choice(hd_attribute_list *list, const char *key, const char *values, uint32_t choice)
{
    for (; choice > 0; choice--)
        values += strcspn(values, "|") + 1;
    add_attribute(list, key, hd_format("%.*s", (int)strcspn(values, "|"), values));
}

/* What the regions of interest are of the run. */
static void
describe_share(const hd_analyze *run, hd_attribute_list *list)
{
    const hd_region_share *share      = &run->share;
    double                 resolution = (double)run->defs->resolution;

    add_attribute(list, HD_REGION_SHARE_ATTRIBUTE,
                  hd_format("%.3g %% of the time of all processes", 100 * share->of_run));
    add_attribute(list, "Heddle::RegionProcesses",
                  hd_format("%" PRIu32 " of %" PRIu32, share->n_processes, run->defs->n_processes));
    add_attribute(list, HD_WINDOW_FROM_ATTRIBUTE,
                  hd_format("%.9f", (double)hd_span_between(run->defs->first_time, share->window.from) / resolution));
    add_attribute(list, HD_WINDOW_TO_ATTRIBUTE,
                  hd_format("%.9f", (double)hd_span_between(run->defs->first_time, share->window.to) / resolution));
}

static void
add_main_window(hd_attribute_list *list, const hd_analyze *run)
{
    uint64_t first = run->defs->first_time;
    double   second = (double)run->defs->resolution;
    const hd_main_window_ends *window = &run->main_window;

    if (run->n_sides == 1 && window->init_left >= first && window->finalize_entered > window->init_left &&
        window->finalize_entered - first <= run->defs->length)
        add_attribute(list, HD_MAIN_WINDOW_ATTRIBUTE,
                      hd_format("%.9f %.9f %.9f", (double)(window->init_left - first) / second,
                                (double)(window->finalize_entered - first) / second,
                                (double)run->defs->length / second));
}

/* How wrong the clocks are at least: the largest violation of the clock condition, also in the times before they were
 * corrected. */
static void
add_clock_error(hd_attribute_list *list, const hd_analyze *run)
{
    hd_span worst = 0;

    for (size_t i = 0; i < run->findings.n; i++)
        worst = run->findings.rows[i].worst > worst ? run->findings.rows[i].worst : worst;
    for (size_t i = 0; i < run->clocks.result.n_rows; i++)
        worst = run->clocks.result.rows[i].worst > worst ? run->clocks.result.rows[i].worst : worst;
    add_attribute(list, HD_CLOCK_TICK_ATTRIBUTE, hd_format("%.9g", 1 / (double)run->defs->resolution));
    if (worst > 0)
        add_attribute(list, HD_CLOCK_ERROR_ATTRIBUTE, hd_format("%.9g", (double)worst / (double)run->defs->resolution));
}

static const char *
region_name(const hd_analyze *run, uint32_t region)
{
    return hd_defs_text(run->defs, hd_defs_regions(run->defs)[region].name);
}

/* The region; of iterations that were found, the call that each begins or ends with: "MPI_Allreduce in solve". */
char *
hd_analyze_name_iterations(const hd_analyze *run)
{
    const char *name   = region_name(run, run->iterations.region);
    uint32_t    path   = run->iterations.call_path;
    uint32_t    parent = path != HD_NONE ? run->tree.nodes[path].parent : HD_NONE;

    return parent == HD_NONE ? hd_strdup(run->clusters.name != NULL ? run->clusters.name : name)
                             : hd_format("%s in %s", name, region_name(run, run->tree.nodes[parent].region));
}

static void
add_iterations(hd_attribute_list *list, const hd_analyze *run)
{
    const hd_iterations *iterations = &run->iterations;
    const char          *by         = iterations->how == HD_ITERATIONS_DYNAMIC  ? "dynamic"
                                      : iterations->how == HD_ITERATIONS_OPTION ? "option"
                                                                                : "found";

    if (iterations->n == 0)
        return;
    add_attribute(list, HD_ITERATION_REGION_ATTRIBUTE, hd_analyze_name_iterations(run));
    add_attribute(list, HD_ITERATIONS_BY_ATTRIBUTE, hd_strdup(by));
    if (iterations->is_end)
        add_attribute(list, HD_ITERATIONS_BOUND_ATTRIBUTE, hd_strdup("end"));
    add_number(list, HD_ITERATIONS_ATTRIBUTE, iterations->n);
}

/* What the analysis was and what it took, for the report. */
void
hd_analyze_describe(const hd_analyze *run, hd_attribute_list *list)
{
    char *sampling, *shared;
    bool lost_costs, lost_path;

    add_attribute(list, "Heddle::Version", hd_strdup(HD_VERSION));
    add_attribute(list, "Heddle::Archive", hd_strdup(run->anchor));
    if (run->options->simulation != NULL)
        add_attribute(list, HD_SIMULATION_ATTRIBUTE, hd_strdup(run->options->simulation));
    if (run->incomplete)
        add_attribute(list, HD_COVERAGE_ATTRIBUTE, hd_coverage_text(&run->coverage, &run->findings));
    if (run->topology.cartesian != NULL && hd_analyze_uses(run, HD_PARADIGM_MPI))
        add_attribute(list, "Heddle::Topology", hd_strdup(run->topology.cartesian->name));
    for (uint32_t i = 0; i < hd_hop_tables_n(run->hop_tables); i++)
        add_attribute(list, "Heddle::Hops", hd_hop_tables_text(run->hop_tables, i, run->defs->resolution));
    if (run->topology.switches != NULL)
        add_attribute(list, "Heddle::Switches", hd_strdup(run->topology.switches));
    if ((sampling = hd_defs_sampling(run->defs)) != NULL)
        add_attribute(list, "Heddle::Sampling", sampling);
    if ((shared = hd_defs_shared_processors(run->defs)) != NULL)
        add_attribute(list, HD_SHARED_PROCESSORS_ATTRIBUTE, shared);
    add_attribute(list, "Heddle::MPI", hd_analysis_comm_library(hd_analysis_comm_calls_of(run->analysis_comm)));
    add_number(list, "Heddle::Ranks", hd_analysis_comm_size(run->analysis_comm));
    add_number(list, "Heddle::Threads", run->n_threads);
    add_choice(list, "Heddle::Placement", "block|cyclic|node", run->options->placement);
    add_choice(list, "Heddle::Bind", "core|pu|numa|none", run->options->bind);
    add_choice(list, "Heddle::Clock", "none|linear|clc", run->options->clock);
    add_choice(list, "Heddle::Compat", "none|scout26", run->options->compat);
    for (size_t i = 0; i < run->options->regions.n; i++)
        add_attribute(list, HD_REGION_ATTRIBUTE, hd_strdup(run->options->regions.text[i]));
    if (run->is_wanted != NULL)
        describe_share(run, list);
    if (run->options->from.seconds != 0 || run->options->from.attoseconds != 0 ||
        !hd_duration_is_end(run->options->to)) {
        add_time(list, HD_FROM_ATTRIBUTE, run->options->from);
        add_time(list, HD_TO_ATTRIBUTE, run->options->to);
    }
    add_main_window(list, run);
    add_iterations(list, run);
    add_clock_error(list, run);
    if (run->signal != 0)
        add_attribute(list, HD_STOPPED_ATTRIBUTE, hd_format("by %s %s", hd_stop_name(run->signal), run->stopped_at));
    lost_costs = run->options->no_delay || (hd_analyze_wants_causes(run) && !run->has_causes);
    lost_path  = run->options->no_critical_path || (hd_analyze_is_parallel(run) && !run->has_path);
    if (lost_costs || lost_path)
        add_attribute(list, HD_LEFT_OUT_ATTRIBUTE,
            hd_format("%s%s%s", lost_costs ? "delay costs" : "", lost_costs && lost_path ? ", " : "",
                      lost_path ? "critical path" : ""));
    hd_run_statistics_describe(&run->statistics, &list->rows, &list->n, &list->capacity);
    add_attribute(list, "Heddle::Seconds", hd_format("%.6f", hd_progress_now() - run->start));
}
