/* src/record/profile/profile_report.c: sums of call paths become values of a report. */
#include "profile_report.h"

#include <inttypes.h>
#include <string.h>

#include "call_sites.h"
#include "completeness.h"
#include "defs_demangle.h"
#include "defs_read.h"
#include "memory.h"
#include "report.h"
#include "run_profile.h"
#include "threads.h"

static const hd_metric metric_of_sum[HD_RAW_N_SUMS] = {
    [HD_RAW_EMPTY_SENDS] = HD_METRIC_syncs_send,       [HD_RAW_FULL_SENDS] = HD_METRIC_comms_send,
    [HD_RAW_SENT_BYTES] = HD_METRIC_bytes_sent,        [HD_RAW_EMPTY_RECEIVES] = HD_METRIC_syncs_recv,
    [HD_RAW_FULL_RECEIVES] = HD_METRIC_comms_recv,     [HD_RAW_RECEIVED_BYTES] = HD_METRIC_bytes_rcvd,
    [HD_RAW_EMPTY_COLLECTIVES] = HD_METRIC_syncs_coll, [HD_RAW_EXCHANGES] = HD_METRIC_comms_cxch,
    [HD_RAW_SOURCES] = HD_METRIC_comms_csrc,           [HD_RAW_DESTINATIONS] = HD_METRIC_comms_cdst,
    [HD_RAW_OUT_BYTES] = HD_METRIC_bytes_cout,         [HD_RAW_IN_BYTES] = HD_METRIC_bytes_cin,
    [HD_RAW_PUT_BYTES] = HD_METRIC_bytes_put,          [HD_RAW_GOT_BYTES] = HD_METRIC_bytes_get,
};

typedef struct writing {
    const hd_recorded_run *run;
    hd_defs               *defs;
    hd_analysis_comm      *analysis_comm;
    hd_run_profile        *profiles;  /* [run->n] */
    uint32_t              *regions;   /* [run->n_regions] in the definitions */
    hd_call_path         **nodes;     /* [run->n] the paths of each process, with regions of the definitions */
    uint32_t             **maps;      /* [run->n] path of the process -> of the tree */
    hd_calltree            tree;
    hd_report_location    *locations; /* [defs->n_locations] */
} writing;

/* ---- from numbers of the run to those of the definitions --------------------------------------------------------- */

static uint32_t
index_of(const uint32_t *refs, uint32_t n, uint32_t ref)
{
    for (uint32_t i = 0; i < n; i++)
        if (refs[i] == ref)
            return i;
    return HD_NONE;
}

/* Regions are written in their order, with their places as references. */
static void
find_regions(writing *to)
{
    const uint32_t *refs = hd_defs_region_refs(to->defs);

    to->regions = HD_NEW_ARRAY(uint32_t, to->run->n_regions + 1);
    for (uint32_t i = 0; i < to->run->n_regions; i++)
        to->regions[i] = i < to->defs->n_regions && refs[i] == i ? i : index_of(refs, to->defs->n_regions, i);
}

static uint32_t
region_of(const writing *to, uint32_t process, uint32_t region)
{
    enum { FIRST_PROGRAM = 1 }; /* string of the first program */
    uint32_t string;

    switch (region) {
    case HD_RUN_PROGRAM:
        string = index_of(hd_defs_string_refs(to->defs), to->defs->n_strings,
                          FIRST_PROGRAM + to->run->processes[process].program);
        return to->defs->first_program_region + (string != HD_NONE ? string : 0);
    case HD_RUN_THREADS:
        return to->defs->threads_region;
    case HD_RUN_TASKS:
        return to->defs->tasks_region;
    default:
        return to->regions[region];
    }
}

/* The column of a location of a process, in whose order they mostly are; HD_NONE: the definitions do not have it. */
static uint32_t
column_of(const writing *to, uint32_t process, uint32_t location)
{
    const hd_location_def *locations = hd_defs_locations(to->defs);
    uint64_t               ref       = to->run->processes[process].raw->locations[location].ref;
    uint32_t               place     = 0;

    if (process < to->defs->n_processes)
        place = hd_defs_processes(to->defs)[process].first_location + location;
    if (place < to->defs->n_locations && locations[place].ref == ref)
        return place;
    for (uint32_t i = 0; i < to->defs->n_locations; i++)
        if (locations[i].ref == ref)
            return i;
    return HD_NONE;
}

/* Processes are in the order of the definitions, by rank. */
static void
unify(writing *to)
{
    hd_process_tree *trees = HD_NEW_ARRAY(hd_process_tree, to->run->n);

    for (uint32_t i = 0; i < to->run->n; i++) {
        const hd_run_profile *profile = &to->profiles[i];

        to->nodes[i] = HD_NEW_ARRAY(hd_call_path, profile->n_paths + 1);
        for (size_t j = 0; j < profile->n_paths; j++)
            to->nodes[i][j] = (hd_call_path){ .parent = profile->paths[j].parent,
                                              .region = region_of(to, i, profile->paths[j].region) };
        trees[i] = (hd_process_tree){ .process = { i }, .nodes = to->nodes[i], .n = (uint32_t)profile->n_paths };
    }
    hd_calltree_unify(to->analysis_comm, trees, to->run->n, &to->tree, to->maps);
    free(trees);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* next: of the values, where those of the location begin; out: where they end. */
static void
put_values(const writing *to, uint32_t process, uint32_t location, size_t *next, hd_severities *into)
{
    const hd_run_profile *profile = &to->profiles[process];

    for (; *next < profile->n_values && profile->values[*next].location == location; ++*next) {
        const hd_run_value *value = &profile->values[*next];
        uint32_t            path  = to->maps[process][value->path];

        hd_severity_add(into, HD_METRIC_visits, path, (int64_t)value->visits);
        hd_severity_add(into, HD_METRIC_time, path, (int64_t)value->ticks);
        if (value->is_of_tasks) {
            hd_severity_add(into, HD_METRIC_omp_task_count, path, (int64_t)value->visits);
            hd_severity_add(into, HD_METRIC_omp_task_time, path, (int64_t)value->task_ticks);
        }
        for (int sum = 0; sum < HD_RAW_N_SUMS; sum++)
            if (value->sums[sum] != 0)
                hd_severity_add(into, metric_of_sum[sum], path, (int64_t)value->sums[sum]);
    }
}

static void
collect(writing *to)
{
    to->locations = HD_NEW_ARRAY(hd_report_location, to->defs->n_locations + 1);
    for (uint32_t i = 0; i < to->defs->n_locations; i++)
        to->locations[i].location = i;
    for (uint32_t i = 0; i < to->run->n; i++) {
        size_t next = 0;

        for (uint32_t j = 0; j < to->run->processes[i].raw->n_locations; j++) {
            uint32_t      column = column_of(to, i, j);
            hd_severities sums;

            hd_severities_init(&sums);
            put_values(to, i, j, &next, &sums);
            if (column != HD_NONE)
                to->locations[column].entries = hd_severities_take(&sums, NULL, &to->locations[column].n);
            hd_severities_fini(&sums);
        }
    }
}

/* Threads that are idle while their first one works. */
static void
add_idle_threads(writing *to)
{
    hd_threads threads;

    hd_threads_init(&threads, to->defs, &to->tree, false);
    for (uint32_t i = 0; i < to->defs->n_processes; i++) {
        const hd_process_def *process = &hd_defs_processes(to->defs)[i];
        hd_loaded_process     loaded  = { .process = { i }, .n_locations = process->n_locations };
        hd_location_result   *results = HD_NEW_ARRAY(hd_location_result, process->n_locations + 1);
        hd_report_location   *mine    = &to->locations[process->first_location];

        loaded.locations = HD_NEW_ARRAY(hd_loaded_location, process->n_locations + 1);
        for (uint32_t j = 0; j < process->n_locations; j++) {
            hd_loaded_location_init(&loaded.locations[j], mine[j].location, NULL);
            results[j] = (hd_location_result){ .location = mine[j].location, .n = mine[j].n,
                                               .entries = (hd_severity *)(uintptr_t)mine[j].entries };
        }
        hd_thread_patterns.finish(&threads, &loaded, results);
        for (uint32_t j = 0; j < process->n_locations; j++) {
            mine[j].entries = results[j].entries;
            mine[j].n       = results[j].n;
        }
        free(loaded.locations);
        free(results);
    }
    hd_threads_fini(&threads);
}

/* Of the loop that is marked first, in the process with the most of them; free() it. NULL: none is marked. */
static char *
name_iterations(const writing *to)
{
    const hd_region *regions = hd_defs_regions(to->defs);
    uint32_t         region  = HD_NONE;
    int64_t          most    = 0;

    for (uint32_t i = 0; i < to->tree.n && region == HD_NONE; i++)
        if (regions[to->tree.nodes[i].region].is_dynamic != 0)
            region = to->tree.nodes[i].region;
    for (uint32_t i = 0; i < to->defs->n_locations && region != HD_NONE; i++) {
        int64_t n = 0;

        for (size_t j = 0; j < to->locations[i].n; j++)
            if (to->locations[i].entries[j].metric == HD_METRIC_visits &&
                to->tree.nodes[to->locations[i].entries[j].call_path].region == region)
                n += to->locations[i].entries[j].value;
        most = n > most ? n : most;
    }
    if (region == HD_NONE)
        return NULL;
    return hd_format("%" PRId64 " of %s", most, hd_defs_text(to->defs, regions[region].name));
}

static hd_status
write_report(const writing *to, const char *path)
{
    char              *length = hd_format("%.9f", (double)to->defs->length / (double)to->defs->resolution);
    char              *iterations   = name_iterations(to);
    char              *shared       = hd_defs_shared_processors(to->defs);
    hd_attribute       attributes[4] = { { "Heddle::Version", HEDDLE_VERSION }, { HD_PROFILE_ATTRIBUTE, length } };
    uint32_t           n            = 2;
    hd_findings none   = { 0 };
    uint32_t   *sites  = hd_call_sites_add_defined(NULL, to->defs, &to->tree);
    hd_report   report = { .defs = to->defs, .tree = &to->tree, .call_sites = sites, .locations = to->locations,
                           .n_locations = to->defs->n_locations, .attributes = attributes,
                           .findings = &none,
                           .is_profile = true };
    hd_status   status;

    if (iterations != NULL)
        attributes[n++] = (hd_attribute){ HD_PROFILE_ITERATIONS_ATTRIBUTE, iterations };
    if (shared != NULL)
        attributes[n++] = (hd_attribute){ HD_SHARED_PROCESSORS_ATTRIBUTE, shared };
    report.n_attributes = n;
    status              = hd_cube_write(to->analysis_comm, &report, path);
    free(length);
    free(shared);
    free(iterations);
    free(sites);
    return status;
}

static void
writing_fini(writing *to)
{
    for (uint32_t i = 0; i < to->run->n; i++) {
        hd_run_profile_fini(&to->profiles[i]);
        free(to->nodes[i]);
        free(to->maps[i]);
    }
    for (uint32_t i = 0; to->locations != NULL && i < to->defs->n_locations; i++)
        free((void *)(uintptr_t)to->locations[i].entries);
    free(to->locations);
    free(to->profiles);
    free(to->nodes);
    free(to->maps);
    free(to->regions);
    hd_calltree_fini(&to->tree);
    hd_analysis_comm_close(to->analysis_comm);
    free(to->defs);
}

hd_status
hd_profile_report_write(const hd_recorded_run *run, const char *anchor, const char *path, hd_finish_result *result)
{
    int       no_words = 0;
    char    **words    = NULL;
    writing   to       = { .run = run, .profiles = HD_NEW_ARRAY(hd_run_profile, run->n),
                           .nodes = HD_NEW_ARRAY(hd_call_path *, run->n), .maps = HD_NEW_ARRAY(uint32_t *, run->n),
                           .analysis_comm = hd_analysis_comm_open(&hd_analysis_comm_single, &no_words, &words) };
    hd_status status   = hd_defs_read(anchor, &to.defs);

    for (uint32_t i = 0; i < run->n && status == HD_OK; i++) {
        status = hd_run_profile_read(run, i, &to.profiles[i]);
        result->n_lost_visits += to.profiles[i].n_lost;
        for (size_t j = 0; j < to.profiles[i].n_values; j++)
            result->n_visits += to.profiles[i].values[j].visits;
    }
    if (status == HD_OK) {
        to.defs = hd_defs_demangle(to.defs);
        find_regions(&to);
        unify(&to);
        collect(&to);
        add_idle_threads(&to);
        result->n_paths = to.tree.n;
        status          = write_report(&to, path);
    }
    writing_fini(&to);
    return status;
}
