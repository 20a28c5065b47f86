/* src/cli/commands/analyze/phase_report.c: writes the report and the files beside it. */
#include "analyze.h"

#include <stdlib.h>

#include "distance.h"
#include "findings_tsv.h"
#include "instance_list.h"
#include "memory.h"
#include "wait_graph_list.h"

/* A topology that the archive does not have, for the report. */
static bool
give_topology(const hd_analyze *run, hd_report_topology *given)
{
    const hd_cartesian *cartesian = run->topology.cartesian;

    if (cartesian == NULL || cartesian->is_recorded)
        return false;
    *given = (hd_report_topology){ .name = cartesian->name, .dimension_names = (const char *const *)cartesian->dimension_names,
                                   .sizes = cartesian->sizes, .is_periodic = cartesian->is_periodic, .places = cartesian->places,
                                   .n_dimensions = cartesian->n_dimensions };
    return true;
}

static hd_status
write_report(hd_analyze *run)
{
    hd_report_location *locations = HD_NEW_ARRAY(hd_report_location, run->result.n_locations);
    uint64_t            facts;
    uint32_t            near, hops;
    hd_attribute_list   list      = { 0 };
    uint32_t           *nodes     = run->is_rank0 ? hd_machine_nodes(run->defs) : NULL;
    hd_report_topology  given;
    hd_level_table      levels    = hd_level_table_gather(run->analysis_comm, run->trace);
    hd_track_table      tracks    = hd_track_table_gather(run->analysis_comm, run->trace, &run->windows);
    hd_status           status;

    hd_progress_phase(&run->progress, &(hd_phase){ .what = "report" });
    for (uint32_t i = 0; i < run->result.n_locations; i++) {
        const hd_location_result *result = &run->result.locations[i];

        locations[i] = (hd_report_location){ .location = result->location, .entries = result->entries, .n = result->n,
                                             .costs = result->costs, .n_costs = result->n_costs,
                                             .window = result->window, .n_window = result->n_window,
                                             .startup = result->startup, .n_startup = result->n_startup,
                                             .startup_costs = result->startup_costs, .n_startup_costs = result->n_startup_costs,
                                             .counters = result->counters, .startup_counters = result->startup_counters };
    }
    if (run->is_rank0)
        hd_analyze_describe(run, &list);
    hd_distance_seen(run->result.locations, run->result.n_locations, &near, &hops);
    facts = (run->result.has_files ? HD_FACT_FILES : 0) |
            hd_metric_facts(run->topology.cartesian != NULL ? run->topology.cartesian->n_dimensions : 0, near, hops);
    hd_analysis_comm_reduce(run->analysis_comm, &facts, 1, HD_OR);
    status = hd_output_begin(run->analysis_comm, run->output);
    if (status == HD_OK)
        status = hd_cube_write_into(run->analysis_comm,
            &(hd_report){ .defs = run->defs, .tree = &run->tree, .locations = locations, .n_locations = run->result.n_locations,
                .attributes = list.rows, .n_attributes = list.n, .findings = &run->findings, .compat = run->options->compat != 0,
                .facts = facts, .has_startup = run->has_main_window, .has_causes = run->has_causes,
                .matrix = hd_analyze_wants_matrix(run) ? &run->result.matrix : NULL,
                .series = run->windows.n > 0 ? &run->result.series : NULL, .windows = &run->windows,
                .path_series = &run->result.path_series, .series_paths = &run->series_paths,
                .time_series = run->result.has_time_paths ? &run->result.time_paths : NULL,
                .iteration_time_series = &run->result.iteration_time_paths, .time_paths = &run->time_paths,
                .counters = run->result.has_counter_series ? &run->result.counters : NULL,
                .iteration_counters = &run->result.iteration_counters,
                .counts = run->result.has_counts ? &run->result.counts : NULL, .iteration_counts = &run->result.iteration_counts,
                .delays = run->result.delays.n_tracks > 0 ? &run->result.delays : NULL,
                .iterations = &run->result.iterations,
                .efficiencies = run->efficiencies.n > 0 ? &run->efficiencies : NULL,
                .predictions = run->options->simulate.n > 0 && run->simulation.is_done ? &run->simulation.predictions : NULL,
                .files = run->result.has_files ? &run->result.files : NULL,
                .statistics = hd_analyze_wants_statistics(run) ? &run->result.statistics : NULL, .excerpts = &run->excerpts,
                .waits = run->waits, .causes = run->has_causes ? &run->result.causes : NULL, .pairs = &run->result.pairs,
                .lags = run->windows.n > 0 ? &run->result.lags : NULL,
                .cause_fraction = run->result.cause_fraction, .given = give_topology(run, &given) ? &given : NULL,
                .call_sites = run->call_sites, .nodes = nodes, .derived = run->derived, .levels = &levels, .tracks = &tracks,
                .without_counters = !hd_analyze_reads_counters(run),
                .work = run->has_causes ? &run->result.work : NULL, .compared = &run->compared },
                                    hd_output_file(run->output), hd_output_path(run->output));
    for (size_t i = 0; i < list.n; i++)
        free((void *)(uintptr_t)list.rows[i].value);
    free(list.rows);
    hd_level_table_fini(&levels);
    hd_track_table_fini(&tracks);
    free(locations);
    free(nodes);
    return status;
}

static void
write_stat(const hd_analyze *run, FILE *file)
{
    uint32_t *numbers = hd_cube_path_numbers(&run->tree);

    hd_stat_file_write(file, &run->result.statistics, run->defs, numbers);
    free(numbers);
}

static void
write_findings(const hd_analyze *run, FILE *file)
{
    hd_findings_write_tsv(file, &run->findings, run->defs, &run->tree);
}

static void
write_clocks(const hd_analyze *run, FILE *file)
{
    hd_clocks_write_tsv(file, &run->clocks, run->defs);
}

static void
write_waits(const hd_analyze *run, FILE *file)
{
    hd_wait_graph_write_dot(file, run->waits, &(hd_wait_graph_names){ run->defs, &run->tree, NULL });
}

/* free() its data. */
static hd_bytes
text_of(const hd_analyze *run, void (*write)(const hd_analyze *run, FILE *file))
{
    char  *text = NULL;
    size_t n    = 0;
    FILE  *out  = open_memstream(&text, &n);

    HD_ASSERT(out != NULL);
    write(run, out);
    fclose(out);
    return (hd_bytes){ .data = (uint8_t *)text, .n = n };
}

static hd_status
commit(hd_analyze *run)
{
    hd_bytes  texts[HD_N_SIDE_FILES] = { 0 };
    hd_status status;

    if (run->is_rank0 && run->findings.n > 0)
        texts[HD_SIDE_FINDINGS] = text_of(run, write_findings);
    if (run->waits != NULL)
        texts[HD_SIDE_WAITS] = text_of(run, write_waits);
    if (run->is_rank0 && hd_analyze_wants_statistics(run))
        texts[HD_SIDE_STAT] = text_of(run, write_stat);
    if (run->is_rank0 && run->options->clock_report)
        texts[HD_SIDE_CLOCKS] = text_of(run, write_clocks);
    status = hd_output_commit(run->analysis_comm, run->output, texts);
    for (size_t i = 0; i < HD_N_SIDE_FILES; i++)
        free(texts[i].data);
    return status;
}

static bool
has_stopped(const hd_findings *findings)
{
    for (size_t i = 0; i < findings->n; i++)
        if (findings->rows[i].kind == HD_FINDING_STOPPED)
            return true;
    return false;
}

hd_status
hd_analyze_report(hd_analyze *run)
{
    hd_status status;

    hd_analyze_gather_findings(run);
    run->waits = hd_wait_graph_new(&run->result.unfinished, has_stopped(&run->findings));
    hd_run_statistics_gather(run->analysis_comm, &(hd_rank_statistics){ .n_processes = run->n_processes, .start_bytes = run->start_bytes },
                             run->n_threads, run->trace, &run->result, &run->statistics);
    status = write_report(run);
    if (status == HD_OK)
        status = commit(run);
    hd_progress_end(&run->progress);
    return status;
}
