#include "loader.h"

#include <omp.h>

#include "archive.h"
#include "event_callbacks.h"
#include "migrated_task.h"
#include "process_join.h"

/* A location to load; each is claimed by one thread. */
typedef struct load_item {
    uint32_t     process; /* index in trace->processes */
    uint32_t     thread;  /* of the process */
    uint32_t     home;    /* replay thread that hosts it */
    _Atomic bool claimed[2]; /* the first time, and again where tasks moved */
} load_item;

typedef struct load {
    const hd_load_request *request;
    hd_trace              *trace;
    load_item             *items;   /* [n_items]: first the first locations of all processes, then the others */
    size_t                 n_items;
    hd_location_join     **joins;   /* [n_processes][n_locations] */
    hd_migrated_tasks     *moved;   /* [n_processes] */
    const hd_region       *regions; /* [n_regions of the definitions] those of the request, and */
    hd_region_kind        *kinds;   /* [likewise] what the decoders ask of them */
    _Atomic bool           any_moved;
    _Atomic bool           failed;  /* relaxed: the errors are looked at after the threads' end */
    hd_error              *errors;  /* [n_threads] */
} load;

typedef struct thread_reader { /* what a thread reads with */
    hd_event_files    *files; /* NULL: it does not read */
    hd_ref_maps        refs;
    hd_decoder_room    room;
} thread_reader;

/* NULL: times stay as they are. */
static const hd_clock_log *
clock_of(const load *l, const load_item *item)
{
    const hd_clock_log *log = l->request->clocks != NULL ?
                                  hd_clock_logs_find(l->request->clocks, l->trace->processes[item->process].process,
                                                     item->thread) : NULL;

    return log != NULL && log->n > 0 ? log : NULL;
}

static hd_status
load_location(load *l, const load_item *item, thread_reader *reader)
{
    const hd_load_request *request  = l->request;
    const hd_defs         *defs     = l->trace->defs;
    hd_loaded_process     *process  = &l->trace->processes[item->process];
    hd_location_join      *join     = &l->joins[item->process][item->thread];
    bool                   is_again = l->moved[item->process].n > 0;
    hd_decoder             decoder  = {
                     .defs         = defs,
                     .regions      = l->regions,
                     .kinds        = l->kinds,
                     .refs         = &reader->refs,
                     .findings     = &join->findings,
                     .out          = &process->locations[item->thread],
                     .join         = join,
                     .first_starts = &l->joins[item->process][0].team_starts,
                     .process      = process->process.v,
                     .thread       = item->thread,
                     .compat       = request->compat,
                     .finds_main_window = process->analysis_intervals != NULL && request->finds_main_window,
                     .analysis_intervals = process->analysis_intervals,
                     .keeps_moments = request->moments && request->intervals && !request->compat,
                     .marks        = request->intervals ? request->marks : NULL,
                     .keeps_states = request->states != NULL,
                     .cut.cuts     = request->cuts,
                     .cut.own      = hd_cluster_cuts_find(request->cuts, process->process.v, item->thread),
                     .keeps_calls  = !request->compat && defs->n_windows > 0 && defs->n_mpi_processes > 0,
                     .clock.log    = clock_of(l, item),
                     .times.times  = request->times != NULL ? &request->times[item->process][item->thread] : NULL,
                     .moved        = is_again ? &l->moved[item->process] : NULL,
                     .room         = &reader->room,
    };
    hd_status              status;

    if (request->counters) {
        decoder.counters.last     = HD_NEW_ARRAY(uint64_t, (size_t)defs->n_counters + 1);
        decoder.counters.is_known = HD_NEW_ARRAY(bool, (size_t)defs->n_counters + 1);
        decoder.keeps_level_values = request->level_values;
    }
    if (request->counters && request->intervals && request->compared != NULL && request->compared->n > 0) {
        decoder.compared                = request->compared;
        decoder.more.counted.n_counters = request->compared->n;
    }
    hd_decoder_init(&decoder);
    if (!request->intervals)
        decoder.generation = HD_NO_INTERVALS;
    decoder.cuts_all = request->intervals && request->cuts_all;
    decoder.more.counting.is_wanted = decoder.cuts_all;
    decoder.bounds_calls            = decoder.keeps_calls || decoder.cuts_all;
    status = hd_decoder_read(&decoder, reader->files, request, is_again);
    hd_decoder_finish(&decoder);
    return status;
}

/* Whether there is no use in reading on. */
static bool
is_over(const load *l)
{
    return atomic_load_explicit(&l->failed, memory_order_relaxed) ||
           (l->request->stop != NULL && *l->request->stop != 0) ||
           hd_scratch_check(l->request->scratch) != HD_OK;
}

static void
fail(load *l, uint32_t thread)
{
    l->errors[thread] = *hd_error_get();
    atomic_store_explicit(&l->failed, true, memory_order_relaxed);
}

/* First what is at home on this thread, then what is left of the others'. Locations wait for the first one of their
 * process (team_starts.h): it comes before them in both passes, so a thread is at it or done with it. */
static void
load_items(load *l, uint32_t thread, bool again, thread_reader *reader)
{
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < l->n_items; i++) {
            load_item *item = &l->items[i];

            if ((pass == 0 && item->home != thread) || (again && l->moved[item->process].n == 0))
                continue;
            if (is_over(l))
                return;
            if (atomic_load_explicit(&item->claimed[again], memory_order_relaxed) ||
                atomic_exchange_explicit(&item->claimed[again], true, memory_order_relaxed))
                continue; /* relaxed: only who wins matters; the results are handed over by the barriers */
            if (load_location(l, item, reader) != HD_OK)
                fail(l, thread);
        }
}

/* Looks for moved tasks; with any, the process is loaded once more. */
static void
find_moved(load *l, uint32_t p)
{
    hd_loaded_process *process = &l->trace->processes[p];

    hd_migrated_tasks_find(l->joins[p], process->n_locations, &l->moved[p]);
    if (l->moved[p].n == 0)
        return;
    for (uint32_t t = 0; t < process->n_locations; t++) {
        uint32_t number = process->locations[t].location;

        hd_loaded_location_fini(&process->locations[t]);
        hd_loaded_location_init(&process->locations[t], number, l->trace->scratch);
        hd_location_join_fini(&l->joins[p][t]);
        hd_location_join_init(&l->joins[p][t], l->trace->scratch);
    }
    atomic_store_explicit(&l->any_moved, true, memory_order_relaxed); /* read after the barrier */
}

static void
join_process(load *l, uint32_t p, hd_findings *findings)
{
    hd_loaded_process *process = &l->trace->processes[p];

    hd_process_join(process, l->joins[p], l->trace->defs, l->request->compat, findings);
    for (uint32_t t = 0; t < process->n_locations; t++) {
        const hd_findings *of_location = &l->joins[p][t].findings;

        for (size_t i = 0; i < of_location->n; i++)
            hd_findings_add(findings, of_location->rows[i]);
        hd_location_join_fini(&l->joins[p][t]);
    }
    free(l->joins[p]);
    hd_migrated_tasks_fini(&l->moved[p]);
}

/* Reads the locations, with files opened anew: a location's own definitions are read once. */
static void
read_locations(load *l, uint32_t thread, bool again, thread_reader *reader)
{
    if (thread >= l->request->n_readers)
        return;
    if (hd_event_files_open(l->request->anchor, l->request->reader, l->request->raw_clocks, &reader->files) == HD_OK)
        load_items(l, thread, again, reader);
    else
        fail(l, thread);
    hd_event_files_close(reader->files);
    reader->files = NULL;
}

static void
run_thread(load *l, uint32_t thread)
{
    thread_reader reader = { .files = NULL };

    if (l->request->on_thread != NULL)
        l->request->on_thread(l->request->context, thread);
    hd_ref_maps_init(&reader.refs, l->trace->defs);
    read_locations(l, thread, false, &reader);
#pragma omp barrier
#pragma omp for schedule(dynamic, 1)
    for (uint32_t p = 0; p < l->trace->n_processes; p++)
        find_moved(l, p);
    if (atomic_load_explicit(&l->any_moved, memory_order_relaxed))
        read_locations(l, thread, true, &reader);
    hd_ref_maps_fini(&reader.refs);
    hd_decoder_room_fini(&reader.room);
#pragma omp barrier
#pragma omp for schedule(dynamic, 1)
    for (uint32_t p = 0; p < l->trace->n_processes; p++)
        join_process(l, p, &l->trace->findings[thread]);
}

static void
prepare(load *l)
{
    const hd_load_request  *request   = l->request;
    const hd_location_def  *locations = hd_defs_locations(request->defs);
    const hd_process_def   *defs      = hd_defs_processes(request->defs);
    hd_trace               *trace     = l->trace;
    size_t                  next;

    l->regions = request->regions != NULL ? request->regions : hd_defs_regions(request->defs);
    l->kinds   = hd_region_kinds_new(l->regions, request->defs->n_regions, request->states,
                                     request->intervals ? request->marks : NULL);
    for (uint32_t p = 0; p < trace->n_processes; p++) {
        hd_loaded_process *process = &trace->processes[p];

        process->process     = (hd_process){ request->processes[p] };
        process->n_locations = defs[request->processes[p]].n_locations;
        process->locations   = HD_NEW_ARRAY(hd_loaded_location, process->n_locations);
        process->scratch     = trace->scratch;
        process->analysis_intervals = request->analysis_intervals != NULL ? &request->analysis_intervals[p] : NULL;
        l->joins[p]          = HD_NEW_ARRAY(hd_location_join, process->n_locations);
        l->n_items += process->n_locations;
    }
    l->items   = HD_NEW_ARRAY(load_item, l->n_items);
    next       = trace->n_processes;
    for (uint32_t p = 0; p < trace->n_processes; p++)
        for (uint32_t t = 0; t < trace->processes[p].n_locations; t++) {
            load_item *item = &l->items[t == 0 ? p : next++];

            item->process = p;
            item->thread  = t;
            item->home    = request->threads[p];
            hd_loaded_location_init(&trace->processes[p].locations[t], defs[request->processes[p]].first_location + t,
                                    trace->scratch);
            hd_location_join_init(&l->joins[p][t], trace->scratch);
            HD_ASSERT(locations[trace->processes[p].locations[t].location].thread == t);
        }
}

hd_status
hd_trace_load(const hd_load_request *request, hd_trace **trace_out)
{
    load      l      = { .request = request, .trace = HD_NEW(hd_trace) };
    hd_trace *trace  = l.trace;
    hd_status status = HD_OK;

    hd_archive_keep_otf2_quiet();
    trace->defs        = request->defs;
    trace->scratch     = request->scratch;
    trace->n_processes = request->n_processes;
    trace->n_threads   = request->n_threads;
    trace->processes   = HD_NEW_ARRAY(hd_loaded_process, trace->n_processes);
    trace->findings    = HD_NEW_ARRAY(hd_findings, trace->n_threads);
    l.joins            = HD_NEW_ARRAY(hd_location_join *, trace->n_processes);
    l.moved            = HD_NEW_ARRAY(hd_migrated_tasks, trace->n_processes);
    l.errors           = HD_NEW_ARRAY(hd_error, trace->n_threads);
    prepare(&l);
#pragma omp parallel num_threads((int)request->n_threads)
    run_thread(&l, (uint32_t)omp_get_thread_num());
    for (uint32_t t = 0; t < trace->n_threads && status == HD_OK; t++)
        if (l.errors[t].status != HD_OK) {
            hd_error_set(&l.errors[t]);
            status = l.errors[t].status;
        }
    if (status == HD_OK)
        status = hd_scratch_check(trace->scratch);
    if (status == HD_OK && request->stop != NULL && *request->stop != 0)
        status = hd_fail(HD_ESTOPPED, "stopped while loading");
    for (uint32_t p = 0; p < trace->n_processes; p++)
        for (uint32_t t = 0; t < trace->processes[p].n_locations; t++) {
            const hd_loaded_location *location = &trace->processes[p].locations[t];

            trace->n_events += location->n_events;
            trace->n_calls += location->log.n_calls;
            trace->n_ops += location->log.n_ops;
            trace->log_bytes += location->log.n_calls * sizeof *location->log.heads +
                                location->log.own.n + location->log.calls.n +
                                location->log.n_sends * sizeof(hd_completion) +
                                location->log.n_send_calls * sizeof(hd_packed_send_call) +
                                location->log.rare->n_nbcs * sizeof(hd_nbc) +
                                location->log.rare->n_polled * sizeof(hd_polled_wait) +
                                location->more->threads.bytes.n + location->intervals.bytes.n +
                                location->intervals.boundaries.n + location->states.bytes.n;
        }
    free(l.kinds);
    free(l.items);
    free(l.joins);
    free(l.moved);
    free(l.errors);
    if (status != HD_OK) {
        hd_trace_free(trace);
        return status;
    }
    hd_trace_share_maps(trace);
    hd_scratch_require(trace->scratch);
    *trace_out = trace;
    return HD_OK;
}
