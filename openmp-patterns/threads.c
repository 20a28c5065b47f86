/* openmp-patterns/threads.c: calls the patterns of threads when the replay is done with a process, and computes idle
 * threads from the profiles of master and workers. */
#include "threads.h"

#include "lock.h"
#include "task_size.h"
#include "team.h"
#include "thread_use.h"

/* What opens a parallel subtree: an OpenMP node, by its source or its name, as scout 2.6 has it, or its paradigm. */
static bool
opens_parallel(const hd_defs *defs, uint32_t region, bool compat)
{
    const hd_region *r = &hd_defs_regions(defs)[region];

    return (!compat && r->paradigm == HD_PARADIGM_OPENMP) || strcmp(hd_defs_text(defs, r->file), "OMP") == 0 ||
           strncmp(hd_defs_text(defs, r->name), "!$omp parallel @", 16) == 0;
}

static void
find_parallel(const hd_defs *defs, const hd_calltree *tree, uint32_t *parallel_of)
{
    for (uint32_t i = 0; i < tree->n; i++) {
        uint32_t parent = tree->nodes[i].parent;

        parallel_of[i] = parent != HD_NONE ? parallel_of[parent] : HD_NONE;
        if (tree->nodes[i].region == defs->tasks_region)
            parallel_of[i] = HD_IN_TASK;
        else if (parallel_of[i] == HD_NONE && opens_parallel(defs, tree->nodes[i].region, false))
            parallel_of[i] = i;
    }
}

/* The same as scout 2.6 does it (D22): in the order of the numbers, with one open node at a time. */
static void
find_parallel_compat(const hd_defs *defs, const hd_calltree *tree, uint32_t *parallel_of)
{
    uint32_t *depth = HD_NEW_ARRAY(uint32_t, tree->n);
    uint32_t  open  = HD_NONE;

    for (uint32_t i = 0; i < tree->n; i++) {
        depth[i] = tree->nodes[i].parent != HD_NONE ? depth[tree->nodes[i].parent] + 1 : 0;
        if (open != HD_NONE && depth[i] <= depth[open])
            open = HD_NONE;
        if (open == HD_NONE && opens_parallel(defs, tree->nodes[i].region, true))
            open = i;
        parallel_of[i] = open;
    }
    free(depth);
}

void
hd_threads_init(hd_threads *threads, const hd_defs *defs, const hd_calltree *tree, bool compat)
{
    bool has_openmp = false, has_pthread = false;

    for (uint32_t i = 0; i < tree->n; i++) {
        uint8_t paradigm = hd_defs_regions(defs)[tree->nodes[i].region].paradigm;

        has_openmp  = has_openmp || paradigm == HD_PARADIGM_OPENMP;
        has_pthread = has_pthread || paradigm == HD_PARADIGM_PTHREAD;
    }
    *threads = (hd_threads){ .defs = defs, .tree = tree, .compat = compat, .has_idle = has_openmp && !has_pthread };
    threads->storage     = HD_NEW_ARRAY(uint32_t, tree->n);
    threads->parallel_of = threads->storage;
    if (compat)
        find_parallel_compat(defs, tree, threads->storage);
    else
        find_parallel(defs, tree, threads->storage);
}

void
hd_threads_fini(hd_threads *threads)
{
    free(threads->storage);
    *threads = (hd_threads){ 0 };
}

typedef struct books { /* of a process */
    hd_lock_books locks;
    uint64_t      resolution;
    uint32_t      released_by; /* thread */
    hd_time       released;    /* when it released a lock last; 0: never */
} books;

static void
survey(hd_team_walk *walk, void *context)
{
    books *of = context;

    if (walk->op.kind == HD_THREAD_RELEASE)
        hd_lock_released(&of->locks, &walk->op, walk->thread);
    else
        hd_team_survey(walk);
}

static void
book_op(hd_team_walk *walk, void *context)
{
    books         *of  = context;
    hd_severities *out = walk->books->severities[walk->thread];

    switch (walk->op.kind) {
    case HD_THREAD_RELEASE:
        of->released    = walk->op.time;
        of->released_by = walk->thread;
        return;
    case HD_THREAD_ACQUIRE:
        hd_lock_acquired(&of->locks, walk->books->process, &walk->op, walk->thread,
                         of->released_by == walk->thread ? of->released : 0, out);
        return;
    case HD_THREAD_TASK:
    case HD_THREAD_TASKWAIT:
        hd_task_size_book(&walk->op, out, of->resolution);
        return;
    default:
        hd_team_book(walk);
    }
}

static void
book(void *context, uint32_t thread, const hd_loaded_process *process, hd_severities *const *severities,
     hd_wait_series *series, const hd_team_sink *sink, const hd_wait_sink *waits)
{
    const hd_threads      *threads   = context;
    const hd_location_def *locations = hd_defs_locations(threads->defs);
    hd_team_books          teams     = { .process = process, .severities = severities, .series = series, .sink = sink,
                                         .waits = waits };
    books                  of        = { .locks = { .series = series, .sink = threads->compat ? NULL : sink,
                                                    .waits = waits },
                                         .resolution = threads->defs->resolution };

    for (uint32_t t = 0; t < process->n_locations && threads->has_idle; t++)
        teams.n_threads += locations[process->locations[t].location].type == HD_LOCATION_CPU;
    hd_team_each_op(&teams, survey, &of);
    hd_team_each_op(&teams, book_op, &of);
    hd_team_end(&teams);
    hd_lock_books_fini(&of.locks);
    if (threads->efficiencies != NULL)
        hd_thread_use_book(threads->defs, process, &threads->efficiencies[thread], series);
}

static void
survey_team(hd_team_walk *walk, void *context)
{
    (void)context;
    hd_team_survey(walk);
}

static void
tell_moves_of(hd_team_walk *walk, void *context)
{
    (void)context;
    hd_team_tell_moves(walk);
}

static void
tell_moves(const hd_loaded_process *process, const hd_team_sink *sink)
{
    hd_team_books teams = { .process = process, .sink = sink };

    hd_team_each_op(&teams, survey_team, NULL);
    hd_team_each_op(&teams, tell_moves_of, NULL);
    hd_team_end(&teams);
}

/* Time of a thread per topmost parallel node: totals[node]. The time of tasks in their own regions is counted where
 * their stubs stand (scout 2.6 has it there already). */
static void
sum_parallel(const hd_threads *threads, const hd_location_result *thread, hd_span *totals)
{
    for (size_t i = 0; i < thread->n; i++) {
        const hd_severity *entry = &thread->entries[i];
        uint32_t           node  = threads->parallel_of[entry->call_path];

        if (node == HD_NONE || node == HD_IN_TASK)
            continue;
        if (entry->metric == HD_METRIC_time || (!threads->compat && entry->metric == HD_METRIC_omp_task_time))
            totals[node] += entry->value;
        else if (!threads->compat && entry->metric == HD_METRIC_omp_task_switch_time)
            totals[node] -= entry->value;
    }
}

static void
add_idle(hd_severities *out, uint32_t call_path, hd_span idle, hd_span limited)
{
    if (idle + limited == 0)
        return;
    hd_severity_add(out, HD_METRIC_omp_idle_threads, call_path, idle + limited);
    if (limited != 0)
        hd_severity_add(out, HD_METRIC_omp_limited_parallelism, call_path, limited);
    hd_severity_add(out, HD_METRIC_time, call_path, idle + limited);
}

/* A worker is idle while the master is in a serial call path, and where it spends less time in a parallel subtree. The
 * latter is not booked if the team of the worker is unknown. */
static void
book_idle(const hd_threads *threads, const hd_location_result *master, const hd_span *master_totals,
          const hd_span *worker_totals, bool is_team_unknown, hd_location_result *worker)
{
    hd_severities all;

    hd_severities_init(&all);
    for (size_t i = 0; i < worker->n; i++)
        hd_severity_add(&all, (hd_metric)worker->entries[i].metric, worker->entries[i].call_path,
                        worker->entries[i].value);
    for (size_t i = 0; i < master->n; i++)
        if (master->entries[i].metric == HD_METRIC_time &&
            threads->parallel_of[master->entries[i].call_path] == HD_NONE)
            add_idle(&all, master->entries[i].call_path, master->entries[i].value, 0);
    for (uint32_t i = 0; i < threads->tree->n && !is_team_unknown; i++)
        if (threads->parallel_of[i] == i && master_totals[i] > worker_totals[i])
            add_idle(&all, i, 0, master_totals[i] - worker_totals[i]);
    free(worker->entries);
    worker->entries = hd_severities_take(&all, NULL, &worker->n);
    hd_severities_fini(&all);
}

static void
finish(void *context, const hd_loaded_process *process, hd_location_result *results)
{
    const hd_threads      *threads   = context;
    const hd_location_def *locations = hd_defs_locations(threads->defs);
    hd_span               *master_totals, *worker_totals;

    if (!threads->has_idle || process->n_locations < 2)
        return;
    master_totals = HD_NEW_ARRAY(hd_span, threads->tree->n);
    worker_totals = HD_NEW_ARRAY(hd_span, threads->tree->n);
    sum_parallel(threads, &results[0], master_totals);
    for (uint32_t t = 1; t < process->n_locations; t++) {
        if (locations[results[t].location].type != HD_LOCATION_CPU)
            continue;
        memset(worker_totals, 0, threads->tree->n * sizeof *worker_totals);
        sum_parallel(threads, &results[t], worker_totals);
        book_idle(threads, &results[0], master_totals, worker_totals,
                  !threads->compat && process->locations[t].is_team_unknown,
                  &results[t]);
    }
    free(master_totals);
    free(worker_totals);
}

const hd_process_patterns hd_thread_patterns = { .book = book, .finish = finish, .tell_moves = tell_moves };
