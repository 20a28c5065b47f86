/* src/cli/commands/analyze/phase_clusters.c: clusters of iterations as nodes of the call tree. Which iterations are alike
 * is known only after a replay. So the run is replayed once, forward, and loaded again: decoding puts each call path of
 * an iteration below the node of its cluster, and all that follows books to these. */
#include "analyze.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* ---- the first replay -------------------------------------------------------------------------------------------- */

/* Wait states and durations are what clusters are made of. */
static hd_status
replay_once(hd_analyze *run)
{
    const hd_analyze_options *all        = run->options;
    hd_analyze_options       *options    = HD_NEW(hd_analyze_options);
    hd_choice                 topology   = run->topology;
    hd_hop_tables            *hop_tables = run->hop_tables;
    hd_status                 status;

    *options = *all;
    options->no_delay = options->no_critical_path = options->no_matrix = true;
    options->stat      = false;
    options->instances = 0;

    run->options    = options;
    run->topology   = (hd_choice){ 0 };
    run->hop_tables = NULL; /* sums of one replay */
    run->clusters.is_first = true;
    status                 = hd_analyze_replay(run);
    run->clusters.is_first = false;
    run->options    = all;
    run->topology   = topology;
    run->hop_tables = hop_tables;
    free(options);
    return status;
}

static void
drop_replay(hd_analyze *run)
{
    if (!run->has_result)
        return;
    hd_replay_result_fini(&run->result);
    run->result     = (hd_replay_result){ 0 };
    run->has_result = false;
}

/* ---- the call path that iterations are at ------------------------------------------------------------------------ */

/* Call paths of the tree that communicate in iterations: how many of them are at or below each; free() it. *n: of
 * them. */
static uint32_t *
count_paths(const hd_analyze *run, uint32_t *n)
{
    const hd_iterations *iterations = &run->iterations;
    uint32_t            *counts     = HD_NEW_ARRAY(uint32_t, (size_t)run->tree.n + 1);
    uint64_t            *any        = HD_NEW_ARRAY(uint64_t, (size_t)iterations->n_words + 1);

    for (size_t i = 0; i < (size_t)iterations->n * iterations->n_words; i++)
        any[i % iterations->n_words] |= iterations->calls[i];
    *n = 0;
    for (uint32_t path = 0; path < run->tree.n; path++) {
        uint32_t place = iterations->places[path];

        if (place == HD_NONE || (any[place / 64] >> place % 64 & 1) == 0)
            continue;
        ++*n;
        for (uint32_t above = path; above != HD_NONE; above = run->tree.nodes[above].parent)
            counts[above]++;
    }
    free(any);
    return counts;
}

/* The innermost one with all of them: of those with all the last, as parents come first. */
static uint32_t
common_path(const hd_analyze *run)
{
    uint32_t n, *counts = count_paths(run, &n), path = HD_NONE;

    for (uint32_t i = 0; i < run->tree.n && n > 0; i++)
        if (counts[i] == n)
            path = i;
    free(counts);
    return path;
}

/* Most visits on a thread that has iterations. */
static uint64_t
most_visits(const hd_analyze *run, uint32_t path)
{
    uint64_t most = 0;

    for (uint32_t p = 0; p < run->trace->n_processes; p++) {
        const hd_process_iterations *own      = &run->iterations.of[p];
        const hd_loaded_location    *location = &run->trace->processes[p].locations[own->location];
        uint64_t                     visits   = 0;

        for (uint32_t i = 0; i < location->n_nodes && own->n > 0; i++) {
            uint32_t node = location->map != NULL ? location->map[i] : i;

            if (node != HD_NONE && run->maps[p][node] == path)
                visits += location->nodes[i].visits;
        }
        most = visits > most ? visits : most;
    }
    hd_analysis_comm_reduce(run->analysis_comm, &most, 1, HD_MAX);
    return most;
}

/* Of iterations that were found: the innermost region of the program that is open during all of them, so one that each
 * thread enters once. HD_NONE: there is none. */
static uint32_t
path_around(const hd_analyze *run)
{
    uint32_t path = common_path(run);

    for (; path != HD_NONE; path = run->tree.nodes[path].parent) {
        uint8_t region_class = hd_defs_regions(run->defs)[run->tree.nodes[path].region].region_class;

        if ((region_class == HD_CLASS_USER || region_class == HD_CLASS_INTERNAL) && most_visits(run, path) <= 1)
            return path;
    }
    return HD_NONE;
}

static hd_status
find_way(hd_analyze *run, hd_cluster_cuts *cuts)
{
    uint32_t path, *way;

    cuts->region = run->iterations.how != HD_ITERATIONS_FOUND ? run->iterations.region : HD_NONE;
    if (cuts->region != HD_NONE)
        return HD_OK;
    path = path_around(run);
    if (path == HD_NONE) {
        hd_fail(HD_EUSAGE, "\"--cluster\": the archive has no region that is around all iterations that were found");
        hd_fail_detail("try", "--iterations REGION, a region around the body of a loop");
        return HD_EUSAGE;
    }
    for (uint32_t above = path; above != HD_NONE; above = run->tree.nodes[above].parent)
        cuts->n_way++;
    cuts->way = way = HD_NEW_ARRAY(uint32_t, cuts->n_way);
    for (uint32_t i = cuts->n_way; i > 0; path = run->tree.nodes[path].parent)
        way[--i] = run->tree.nodes[path].region;
    return HD_OK;
}

/* ---- cuts -------------------------------------------------------------------------------------------------------- */

/* of: [iterations] their clusters */
static hd_process_cuts
cuts_of_process(const hd_analyze *run, uint32_t p, const uint32_t *of)
{
    const hd_process_iterations *own    = &run->iterations.of[p];
    hd_cluster_piece            *pieces = HD_NEW_ARRAY(hd_cluster_piece, (size_t)own->n + 1);

    for (uint32_t i = 0; i < own->n; i++)
        pieces[i] = (hd_cluster_piece){ own->rows[i].enter, own->rows[i].leave, of[i] };
    return (hd_process_cuts){ .process = run->trace->processes[p].process.v, .thread = own->location, .pieces = pieces,
                              .n = own->n };
}

static void
cut_processes(hd_analyze *run, hd_cluster_cuts *cuts)
{
    uint32_t        *clusters = HD_NEW_ARRAY(uint32_t, (size_t)run->iterations.n);
    hd_process_cuts *of       = HD_NEW_ARRAY(hd_process_cuts, (size_t)run->n_processes + 1);

    if (run->is_rank0)
        memcpy(clusters, run->result.iterations.clusters.of, run->iterations.n * sizeof *clusters);
    hd_analysis_comm_broadcast(run->analysis_comm, clusters, run->iterations.n * sizeof *clusters, (hd_arank){ 0 });
    for (uint32_t p = 0; p < run->n_processes; p++)
        of[p] = cuts_of_process(run, p, clusters);
    cuts->of = of;
    cuts->n  = run->n_processes;
    free(clusters);
}

static hd_status
make_cuts(hd_analyze *run)
{
    hd_cluster_run *clusters = &run->clusters;
    hd_status       status   = find_way(run, &clusters->cuts);

    if (status != HD_OK)
        return status;
    cut_processes(run, &clusters->cuts);
    clusters->name         = hd_analyze_name_iterations(run);
    clusters->how          = run->iterations.how;
    clusters->is_end       = run->iterations.is_end;
    clusters->region       = run->iterations.region;
    clusters->series       = run->result.iterations; /* clusters and verdicts stay; the rest is found again */
    run->result.iterations = (hd_iteration_series){ .n = 0 };
    return HD_OK;
}

/* ---- loading again ----------------------------------------------------------------------------------------------- */

hd_status
hd_analyze_find_clusters(hd_analyze *run)
{
    static hd_status (*const phases[])(hd_analyze *) = { hd_analyze_find_intervals, hd_analyze_load, hd_analyze_unify };
    hd_status status;

    if (run->options->cluster == 0)
        return HD_OK;
    status = replay_once(run);
    if (status == HD_OK)
        status = make_cuts(run);
    drop_replay(run);
    if (status != HD_OK)
        return status;
    hd_analyze_drop_trace(run);
    hd_path_fold_fini(&run->series_paths);
    hd_time_paths_fini(&run->time_paths);
    free(run->intervals);
    free(run->simulation.marks);
    run->intervals        = NULL;
    run->simulation.marks = NULL;
    run->has_main_window  = false;
    for (size_t i = 0; i < sizeof phases / sizeof *phases && status == HD_OK; i++)
        status = phases[i](run);
    return status;
}

void
hd_analyze_restore_iterations(hd_analyze *run)
{
    for (uint32_t p = 0; p < run->trace->n_processes; p++) {
        const hd_process_cuts *own      = &run->clusters.cuts.of[p];
        hd_loaded_location    *location = &run->trace->processes[p].locations[own->thread];

        for (size_t i = 0; i < own->n; i++)
            HD_PUSH(location->iterations, location->n_iterations, location->iteration_capacity,
                    ((hd_iteration){ .enter = own->pieces[i].enter, .leave = own->pieces[i].leave,
                                     .region = run->clusters.region }));
    }
    hd_iterations_find(run->analysis_comm, run->trace, HD_ITERATIONS_FOUND, &run->iterations);
    run->iterations.is_end = run->clusters.is_end;
}

void
hd_analyze_give_clusters(hd_analyze *run)
{
    hd_iteration_series *to = &run->result.iterations, *from = &run->clusters.series;

    if (run->clusters.name == NULL || !run->is_rank0 || to->n == 0)
        return;
    free(to->verdicts);
    to->verdicts   = from->verdicts;
    to->n_verdicts = from->n_verdicts;
    to->clusters   = from->clusters;
    to->waits      = from->waits;
    from->verdicts = NULL;
    from->clusters = (hd_clusters){ .n = 0 };
    from->waits    = NULL;
}

void
hd_analyze_free_clusters(hd_analyze *run)
{
    for (size_t i = 0; i < run->clusters.cuts.n; i++)
        free((void *)(uintptr_t)run->clusters.cuts.of[i].pieces);
    free((void *)(uintptr_t)run->clusters.cuts.of);
    free((void *)(uintptr_t)run->clusters.cuts.way);
    free(run->clusters.name);
    hd_iteration_series_fini(&run->clusters.series);
}
