/* src/profile/series/path_fold.c: keeps the call paths with the longest calls of interfaces, and their ancestors. */
#include "path_fold.h"

#include <stdlib.h>

#include "memory.h"
#include "sort.h"

typedef struct candidate {
    uint64_t time;
    uint32_t path;
} candidate;

/* own: map of the location, or NULL. */
static inline uint32_t
path_of(const uint32_t *own, const uint32_t *map, uint32_t node)
{
    uint32_t of_process = own != NULL ? own[node] : node;

    return of_process != HD_NONE ? map[of_process] : HD_NONE;
}

/* [tree->n] ticks of all ranks in calls of interfaces, at and below each call path. free() it. */
static uint64_t *
times_of(hd_analysis_comm *analysis_comm, const hd_trace *trace, uint32_t *const *maps, const hd_calltree *tree)
{
    const hd_region *regions = hd_defs_regions(trace->defs);
    uint64_t        *times   = HD_NEW_ARRAY(uint64_t, (size_t)tree->n + 1);

    for (uint32_t p = 0; p < trace->n_processes; p++)
        for (uint32_t t = 0; t < trace->processes[p].n_locations; t++) {
            const hd_loaded_location *location = &trace->processes[p].locations[t];

            for (uint32_t i = 0; i < location->n_nodes; i++) {
                uint32_t path = path_of(location->map, maps[p], i);

                if (path != HD_NONE && location->nodes[i].time > 0 &&
                    regions[tree->nodes[path].region].region_class != HD_CLASS_USER)
                    times[path] += (uint64_t)location->nodes[i].time;
            }
        }
    hd_analysis_comm_reduce(analysis_comm, times, tree->n, HD_SUM);
    for (uint32_t path = tree->n; path-- > 0;)
        if (tree->nodes[path].parent != HD_NONE)
            times[tree->nodes[path].parent] += times[path];
    return times;
}

/* Descending. */
static inline uint64_t
time_key(const candidate *c)
{
    return UINT64_MAX - c->time;
}

/* is_kept: out, [tree->n]. HD_SORT_BY_KEY() keeps the order of equal ones. */
static void
keep_longest(const uint64_t *times, uint32_t n, uint32_t most, bool *is_kept)
{
    candidate *all = HD_NEW_UNSET(candidate, (size_t)n + 1);

    for (uint32_t path = 0; path < n; path++)
        all[path] = (candidate){ times[path], path };
    HD_SORT_BY_KEY(candidate, all, n, time_key);
    for (uint32_t i = 0; i < most; i++)
        is_kept[all[i].path] = true;
    free(all);
}

void
hd_path_fold_find(hd_analysis_comm *analysis_comm, const hd_trace *trace, uint32_t *const *maps,
                  const hd_calltree *tree, hd_path_fold *fold)
{
    uint64_t *times = tree->n > HD_SERIES_PATHS ? times_of(analysis_comm, trace, maps, tree) : NULL;

    hd_path_fold_keep(times, tree, fold);
    free(times);
}

void
hd_path_fold_keep(const uint64_t *times, const hd_calltree *tree, hd_path_fold *fold)
{
    bool *is_kept = HD_NEW_ARRAY(bool, (size_t)tree->n + 1);
    bool  is_all  = times == NULL || tree->n <= HD_SERIES_PATHS;

    *fold = (hd_path_fold){ .places = HD_NEW_ARRAY(uint8_t, (size_t)tree->n + 1) };
    if (!is_all)
        keep_longest(times, tree->n, HD_SERIES_PATHS - 1, is_kept);
    for (uint32_t path = 0; path < tree->n; path++) {
        uint32_t parent = tree->nodes[path].parent;

        if (is_all || is_kept[path]) {
            fold->places[path]     = (uint8_t)fold->n;
            fold->paths[fold->n++] = path;
        } else
            fold->places[path] = parent != HD_NONE ? fold->places[parent] : HD_SERIES_PATHS - 1;
    }
    if (!is_all)
        fold->paths[fold->n++] = HD_NONE;
    free(is_kept);
}

void
hd_path_fold_fini(hd_path_fold *fold)
{
    free(fold->places);
    *fold = (hd_path_fold){ .n = 0 };
}

void
hd_path_fold_of_location(const hd_path_fold *fold, const hd_loaded_location *location, const uint32_t *map,
                         uint8_t *places)
{
    const uint32_t *own     = location->map;
    const uint8_t  *of_tree = fold->places;

    for (uint32_t i = 0, n = location->n_nodes; i < n; i++) {
        uint32_t path = path_of(own, map, i);

        places[i] = path != HD_NONE ? of_tree[path] : 0;
    }
}

/* ---- series of computation, MPI and OpenMP ----------------------------------------------------------------------- */

const hd_metric hd_times_over_time[HD_N_SERIES_TIMES] = {
    HD_METRIC_comp, HD_METRIC_mpi, HD_METRIC_omp_time, HD_METRIC_critical_path, /* and calls of MPI: */
    HD_METRIC_mpi_init_exit, HD_METRIC_mpi_mgmt_comm, HD_METRIC_mpi_mgmt_file, HD_METRIC_mpi_mgmt_win,
    HD_METRIC_mpi_sync_collective, HD_METRIC_mpi_rma_sync_active, HD_METRIC_mpi_rma_sync_passive,
    HD_METRIC_mpi_point2point, HD_METRIC_mpi_collective, HD_METRIC_mpi_rma_communication, HD_METRIC_mpi_io_individual,
    HD_METRIC_mpi_io_collective
};

/* [tree->n] whether time there by itself is of that kind: all that MPI calls is MPI. free() it. */
static bool *
find_kind(const hd_time_paths *paths, int time)
{
    const hd_calltree *tree      = paths->tree;
    bool              *is_in_mpi = HD_NEW_ARRAY(bool, (size_t)tree->n + 1);
    bool              *is_one    = HD_NEW_ARRAY(bool, (size_t)tree->n + 1);

    for (uint32_t path = 0; path < tree->n; path++) {
        uint32_t parent = tree->nodes[path].parent;
        uint8_t  state  = paths->states[tree->nodes[path].region];

        is_in_mpi[path] = state == HD_STATE_MPI || (parent != HD_NONE && is_in_mpi[parent]);
        if (time >= HD_TIME_CLASSES)
            is_one[path] = paths->classes[tree->nodes[path].region] == time;
        else
            is_one[path] = is_in_mpi[path] ? time == HD_TIME_MPI : (hd_states_over_time[time] >> state & 1) != 0;
    }
    free(is_in_mpi);
    return is_one;
}

/* MPI_Init and MPI_Finalize, and what they call. free() it. */
static bool *
find_startup(const hd_defs *defs, const hd_calltree *tree)
{
    bool *is_startup = HD_NEW_ARRAY(bool, (size_t)tree->n + 1);

    for (uint32_t path = 0; path < tree->n; path++) {
        uint32_t parent = tree->nodes[path].parent;
        uint32_t call   = hd_defs_regions(defs)[tree->nodes[path].region].call;

        is_startup[path] = call == HD_CALL_INIT || call == HD_CALL_FINALIZE ||
                           (parent != HD_NONE && is_startup[parent]);
    }
    return is_startup;
}

void
hd_time_paths_init(hd_analysis_comm *analysis_comm, const hd_trace *trace, uint32_t *const *maps,
                   const hd_calltree *tree, const uint8_t *states, hd_time_paths *paths)
{
    *paths = (hd_time_paths){ .tree = tree, .states = states, .times = HD_NEW_ARRAY(uint64_t, (size_t)tree->n + 1),
                              .is_startup = find_startup(trace->defs, tree) };
    for (uint32_t p = 0; p < trace->n_processes; p++)
        for (uint32_t t = 0; t < trace->processes[p].n_locations; t++) {
            const hd_loaded_location *location = &trace->processes[p].locations[t];

            for (uint32_t i = 0; i < location->n_nodes; i++) {
                uint32_t path = path_of(location->map, maps[p], i);

                if (path != HD_NONE && location->nodes[i].time > 0)
                    paths->times[path] += (uint64_t)location->nodes[i].time;
            }
        }
    hd_analysis_comm_reduce(analysis_comm, paths->times, tree->n, HD_SUM);
    hd_time_paths_find(paths, HD_TIME_COMP, NULL);
}

static uint64_t
share_of(uint64_t sum)
{
    return sum / HD_TIME_PATHS_SHARE + (sum % HD_TIME_PATHS_SHARE > 0);
}

/* Those with 1 / HD_TIME_PATHS_SHARE of all times [n], which are in fold->paths then. Start-up, which would hide all
 * other calls of a short run, counts for itself alone. */
static void
keep_share(const uint64_t *times, const bool *is_startup, uint32_t n, hd_path_fold *fold)
{
    uint64_t all = 0, others = 0;

    for (uint32_t path = 0; path < n; path++) {
        all += times[path];
        others += is_startup[path] ? 0 : times[path];
    }
    for (uint32_t path = 0; path < n; path++)
        if (times[path] > 0 && times[path] >= share_of(is_startup[path] ? all : others))
            fold->paths[fold->n++] = path;
}

/* Keeps call paths by their own times [n]. is_one: which are of the kind; NULL: all. Returns [n] places, also of those
 * of another kind; free() them. */
static uint8_t *
find_by(hd_time_paths *paths, int time, const uint64_t *times, const bool *is_one)
{
    uint32_t      n      = paths->tree->n;
    hd_path_fold *fold   = HD_NEW(hd_path_fold);
    uint8_t      *places = HD_NEW_ARRAY(uint8_t, (size_t)n + 1);

    fold->places       = HD_NEW_ARRAY(uint8_t, (size_t)n + 1);
    paths->folds[time] = fold;
    keep_share(times, paths->is_startup, n, fold);
    for (uint32_t path = 0, place = 0; path < n; path++) {
        uint32_t parent = paths->tree->nodes[path].parent;

        if (place < fold->n && fold->paths[place] == path)
            places[path] = (uint8_t)place++;
        else
            places[path] = parent != HD_NONE ? places[parent] : (uint8_t)fold->n;
        fold->places[path] = is_one == NULL || is_one[path] ? places[path] : HD_NO_PLACE;
    }
    fold->paths[fold->n++] = HD_NONE;
    return places;
}

void
hd_time_paths_find(hd_time_paths *paths, int time, const uint64_t *moves)
{
    uint32_t  n      = paths->tree->n;
    uint64_t *times  = HD_NEW_ARRAY(uint64_t, (size_t)n + 1);
    bool     *is_one = find_kind(paths, time);
    uint8_t  *places;

    for (uint32_t path = 0; path < n; path++)
        times[path] = (is_one[path] ? paths->times[path] : 0) + (moves != NULL ? moves[path] : 0);
    places = find_by(paths, time, times, is_one);
    free(times);
    free(is_one);
    if (moves != NULL)
        paths->places_of_moves = places;
    else
        free(places);
}

void
hd_time_paths_find_critical(hd_time_paths *paths, const double *lengths)
{
    uint64_t *times = HD_NEW_ARRAY(uint64_t, (size_t)paths->tree->n + 1);

    for (uint32_t path = 0; path < paths->tree->n; path++)
        times[path] = lengths[path] > 0 ? (uint64_t)lengths[path] : 0;
    free(find_by(paths, HD_TIME_CRITICAL, times, NULL));
    free(times);
}

void
hd_time_paths_fini(hd_time_paths *paths)
{
    for (int time = 0; time < HD_N_SERIES_TIMES; time++)
        if (paths->folds[time] != NULL) {
            hd_path_fold_fini(paths->folds[time]);
            free(paths->folds[time]);
        }
    free(paths->places_of_moves);
    free(paths->times);
    free(paths->is_startup);
    *paths = (hd_time_paths){ .tree = NULL };
}
