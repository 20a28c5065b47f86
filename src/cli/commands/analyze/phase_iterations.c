/* src/cli/commands/analyze/phase_iterations.c: which regions have the iterations of the program as their instances,
 * the iterations that were found while loading, and, where there are none, the loop that is found in the calls. */
#include "analyze.h"

#include <stdio.h>
#include <string.h>

#include "hypothesis.h"
#include "loop.h"
#include "memory.h"
#include "message.h"

/* Series are there where the whole run counts. */
static bool
has_series(const hd_analyze *run)
{
    return !run->options->no_series && run->options->compat == 0 && run->n_sides == 1;
}

/* --iterations none */
static bool
wants_none(const hd_analyze *run)
{
    const hd_texts *names = &run->options->iterations;

    return names->n == 1 && strcmp(names->text[0], "none") == 0;
}

static bool
can_be(const hd_region *region)
{
    return region->region_class == HD_CLASS_USER && region->role != HD_ROLE_FILE_IO &&
           region->role != HD_ROLE_FILE_IO_METADATA;
}

static hd_status
check_option(const hd_analyze *run, const bool *is_wanted)
{
    const hd_region *regions = hd_defs_regions(run->defs);

    if (!has_series(run)) {
        hd_fail(HD_EUSAGE, "\"--iterations\" has an effect only on time series, which are of whole runs");
        hd_fail_detail("try", "without --from, --to, --roi, --compat and --no-series");
        return HD_EUSAGE;
    }
    for (uint32_t r = 0; r < run->defs->n_regions; r++)
        if (is_wanted[r] && !can_be(&regions[r])) {
            hd_fail(HD_EUSAGE, "region \"%s\" belongs to an interface: its calls are no iterations",
                    hd_defs_text(run->defs, regions[r].name));
            hd_fail_detail("try", "a function or region of the program around the body of its loop");
            return HD_EUSAGE;
        }
    return HD_OK;
}

static hd_status
check_cluster(const hd_analyze *run)
{
    uint32_t most = run->options->cluster;

    if (most > HD_DEFS_CLUSTERS) {
        hd_fail(HD_EUSAGE, "\"--cluster\" is the most clusters that the call tree shows: 1 to %d", HD_DEFS_CLUSTERS);
        return HD_EUSAGE;
    }
    if (most == 0 || (has_series(run) && !wants_none(run)))
        return HD_OK;
    hd_fail(HD_EUSAGE, "\"--cluster\" is about iterations, which are of whole runs");
    hd_fail_detail("try", "without --from, --to, --roi, --compat, --no-series and --iterations none");
    return HD_EUSAGE;
}

/* is_wanted: NULL: those that the archive marks. */
static bool
is_marked(const hd_region *region, const bool *is_wanted)
{
    return is_wanted != NULL ? *is_wanted : region->is_dynamic && can_be(region);
}

/* The regions are copied where some of them are iterations. */
static void
mark(hd_analyze *run, const bool *is_wanted)
{
    const hd_region *regions = hd_defs_regions(run->defs);

    for (uint32_t r = 0; r < run->defs->n_regions; r++) {
        if (!is_marked(&regions[r], is_wanted != NULL ? &is_wanted[r] : NULL))
            continue;
        if (run->regions == NULL) {
            run->regions = HD_NEW_UNSET(hd_region, (size_t)run->defs->n_regions);
            memcpy(run->regions, regions, run->defs->n_regions * sizeof *regions);
        }
        run->regions[r].call = HD_CALL_ITERATION;
    }
}

hd_status
hd_analyze_choose_iterations(hd_analyze *run)
{
    const hd_texts *names     = &run->options->iterations;
    bool           *is_wanted = NULL;
    hd_status       status    = HD_OK;

    status = check_cluster(run);
    if (wants_none(run) || status != HD_OK)
        return status;
    if (names->n > 0) {
        is_wanted = HD_NEW_ARRAY(bool, (size_t)run->defs->n_regions + 1);
        status    = hd_analyze_name_regions(run, names, is_wanted);
        if (status == HD_OK)
            status = check_option(run, is_wanted);
    }
    if (status == HD_OK && has_series(run))
        mark(run, is_wanted);
    free(is_wanted);
    return status;
}

/* [ticks] that the marked regions and functions in them take on the first location of each process, without calls of
 * interfaces. */
static uint64_t
time_of_marked(const hd_analyze *run)
{
    uint64_t time = 0;

    for (uint32_t p = 0; p < run->trace->n_processes; p++) {
        const hd_loaded_process  *process  = &run->trace->processes[p];
        const hd_loaded_location *location = process->n_locations > 0 ? &process->locations[0] : NULL;
        uint32_t                  n        = location != NULL ? location->n_nodes : 0;
        bool                     *is_in    = HD_NEW_ARRAY(bool, (size_t)n + 1);

        for (uint32_t i = 0; i < n; i++) { /* parents stand before their children */
            const hd_path_node *node   = &location->nodes[i];
            const hd_region    *region = node->region != HD_NONE ? &run->regions[node->region] : NULL;

            is_in[i] = (region != NULL && region->call == HD_CALL_ITERATION) ||
                       (node->parent != HD_NONE && node->parent < i && is_in[node->parent]);
            if (is_in[i] && region != NULL && region->region_class == HD_CLASS_USER)
                time += (uint64_t)node->time;
        }
        free(is_in);
    }
    hd_analysis_comm_reduce(run->analysis_comm, &time, 1, HD_SUM);
    return time;
}

/* heddle record --callers enters the callers of an MPI call with it, and leaves them with it: they have no time. */
static void
warn_of_callers(const hd_analyze *run)
{
    if (time_of_marked(run) > 0 || !run->is_rank0)
        return;
    fputs("heddle: warning: the calls of region \"", stderr);
    hd_message_escaped(stderr, run->options->iterations.text[0], false);
    fputs("\" are no iterations: they take no time outside of MPI\n"
          "  reason:   each MPI call enters its callers anew (heddle record --callers)\n"
          "  try:      without --iterations, or a region that the program marks (heddle_iteration_begin), or functions\n"
          "            that are compiled with -finstrument-functions\n", stderr);
}

hd_status
hd_analyze_find_iterations(hd_analyze *run)
{
    bool is_option = run->options->iterations.n > 0 && !wants_none(run);

    hd_iterations_fini(&run->iterations);
    if (run->regions != NULL)
        hd_iterations_find(run->analysis_comm, run->trace, is_option ? HD_ITERATIONS_OPTION : HD_ITERATIONS_DYNAMIC,
                           &run->iterations);
    if (run->clusters.name != NULL && run->clusters.how == HD_ITERATIONS_FOUND)
        hd_analyze_restore_iterations(run);
    if (run->iterations.n > 0 && is_option && run->times == NULL && run->clusters.name == NULL)
        warn_of_callers(run);
    if (run->iterations.n > 0 || !is_option)
        return HD_OK;
    hd_fail(HD_EUSAGE, "no process enters region \"%s\"", run->options->iterations.text[0]);
    hd_fail_detail("try", "a region that a report of the run shows");
    return HD_EUSAGE;
}

static void
find_loop(hd_analyze *run, const hd_windows *windows)
{
    hd_loop loop;

    if (run->iterations.n > 0 || windows->n == 0 || wants_none(run) || !hd_analyze_uses(run, HD_PARADIGM_MPI))
        return;
    loop = hd_loop_find(&(hd_loop_request){ .analysis_comm = run->analysis_comm, .trace = run->trace, .maps = run->maps,
                            .tree = &run->tree, .from = windows->from, .to = windows->to });
    if (loop.call_path == HD_NONE)
        return;
    hd_iterations_find(run->analysis_comm, run->trace, HD_ITERATIONS_FOUND, &run->iterations);
    run->iterations.call_path = loop.call_path;
    run->iterations.is_end    = loop.ends;
}

/* --cluster needs iterations, before a replay. */
static hd_status
check_clusters(const hd_analyze *run)
{
    if (run->iterations.calls != NULL)
        return HD_OK;
    if (run->iterations.n > 0 && run->windows.n == 0)
        return hd_fail(HD_EUSAGE, "\"--cluster\": no time passes between MPI_Init and MPI_Finalize");
    if (run->iterations.n > 0)
        return hd_fail(HD_EUSAGE, "\"--cluster\": there are no clusters of more than %d iterations", HD_CLUSTER_ITERATIONS);
    hd_fail(HD_EUSAGE, "\"--cluster\": the archive marks no region as iterations, and no loop was found");
    hd_fail_detail("try", "--iterations REGION, a region around the body of a loop");
    return HD_EUSAGE;
}

hd_status
hd_analyze_find_loop(hd_analyze *run)
{
    find_loop(run, &run->windows);
    run->iterations.most_clusters = run->options->cluster;
    if (run->iterations.n > 0 && run->windows.n > 0 && run->clusters.name == NULL)
        hd_iterations_want_calls(&run->iterations, run->defs, &run->tree);
    return run->options->cluster > 0 && run->clusters.name == NULL ? check_clusters(run) : HD_OK;
}

/* Those of a process, as if their region had been marked while loading. */
static void
mark_iterations(hd_loaded_process *process, const hd_process_iterations *of)
{
    hd_location_more *more = of->n > 0 ? hd_loaded_location_more(&process->locations[of->location]) : NULL;

    for (uint32_t i = 0; i < of->n; i++)
        HD_PUSH(more->marked, more->n_marked, more->marked_capacity,
                ((hd_iteration){ .enter = of->rows[i].enter, .leave = of->rows[i].leave, .region = HD_MARK_OF_REPORT }));
}

/* heddle simulate loads the whole run, a report is of its main window. */
static hd_windows
windows_of_report(const hd_analyze *run)
{
    hd_windows           windows = hd_analyze_choose_windows(run);
    hd_time              end     = run->defs->first_time + run->defs->length;
    hd_analysis_interval main;

    if (windows.n == 0 || run->has_main_window || run->main_window.init_left == UINT64_MAX)
        return windows;
    main = hd_main_window_of(&run->main_window);
    return hd_windows_of(main.from, hd_time_min(main.to, end), windows.n);
}

hd_status
hd_analyze_mark_iterations(hd_analyze *run)
{
    const hd_what_if    *what_if = &run->simulation.what_if;
    const hd_hypothesis *hypothesis;
    const hd_change     *change;
    hd_windows           windows;

    if (!hd_hypotheses_need_iterations(what_if->hypotheses, what_if->n, &hypothesis, &change))
        return HD_OK;
    windows = windows_of_report(run);
    find_loop(run, &windows);
    if (run->iterations.n == 0) {
        hd_fail(HD_EUSAGE, "the archive marks no region as iterations, and no loop was found");
        hd_hypothesis_point_at(hypothesis, change->iterations);
        hd_fail_detail("try", "in iteration %s of REGION, which is entered once in each", change->iterations);
        return HD_EUSAGE;
    }
    for (uint32_t p = 0; p < run->trace->n_processes; p++)
        mark_iterations(&run->trace->processes[p], &run->iterations.of[p]);
    return HD_OK;
}
