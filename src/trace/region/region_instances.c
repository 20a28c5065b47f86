/* src/trace/region/region_instances.c: each location becomes a list of marks, where it gets into the regions of
 * interest and out of them; the marks of a process, sorted by time, become its intervals. A count of what is open does
 * both: a region may be entered by a task on one thread and left by it on another one. */
#include "region_instances.h"

#include <omp.h>
#include <otf2/otf2.h>
#include <stdlib.h>

#include "archive.h"
#include "clock_cursor.h"
#include "event_files.h"
#include "event_records.h"
#include "memory.h"
#include "record_time.h"
#include "ref_map.h"

typedef struct mark {
    hd_time time;
    int64_t change; /* 1: in; -1: out */
} mark;

typedef struct marks {
    mark  *rows; /* [n] in the order of time */
    size_t n, capacity;
    hd_time end; /* of the last record */
} marks;

typedef struct reading { /* of a location */
    const hd_defs     *defs;
    const hd_region   *regions;
    const hd_ref_maps *refs;
    const bool        *is_wanted;  /* region */
    const bool        *is_context; /* calling context: it is in a wanted region */
    hd_clock_cursor    clock;
    hd_time            now;
    hd_plausible       plausible;
    bool               has_begun;  /* there was a record */
    uint64_t           depth;      /* wanted regions that are open by enters */
    bool               in_context; /* by the calling context */
    uint32_t          *called;     /* [n_called] calling contexts that are open as calls */
    size_t             n_called, capacity_called;
    uint32_t           n_teams;    /* that the thread is in */
    bool               is_worker;  /* not the first thread */
    marks             *out;
} reading;

/* The time of the next record, by the rules of loading (decode/arrival.h). */
static hd_time
time_at(reading *r, hd_time time, bool is_point)
{
    hd_finding_kind wrong;

    if (r->clock.log == NULL)
        time = hd_right_time(&r->plausible, r->now, !r->has_begun, time, &wrong);
    else {
        time         = hd_right_time(&r->plausible, r->clock.now, !r->has_begun, time, &wrong);
        r->clock.now = time;
        time         = is_point ? hd_clock_cursor_pass(&r->clock, time) : hd_clock_cursor_time(&r->clock, time);
        time         = hd_time_max(time, r->now);
    }
    r->has_begun = true;
    return r->now = time;
}

static void
put_mark(reading *r, int64_t change)
{
    HD_PUSH(r->out->rows, r->out->n, r->out->capacity, ((mark){ r->now, change }));
}

static void
enter(reading *r, uint32_t region)
{
    if (region != HD_NONE && r->is_wanted[region] && r->depth++ == 0)
        put_mark(r, 1);
}

/* One that was not entered here may have been by a task that moved. */
static void
leave(reading *r, uint32_t region)
{
    if (region == HD_NONE || !r->is_wanted[region])
        return;
    if (r->depth <= 1)
        put_mark(r, -1);
    r->depth -= r->depth > 0;
}

static void
be_in_context(reading *r, bool is_in)
{
    if (is_in != r->in_context)
        put_mark(r, is_in ? 1 : -1);
    r->in_context = is_in;
}

/* Index of a context that can be; HD_NONE. */
static uint32_t
find_context(const reading *r, uint32_t ref)
{
    uint32_t index = hd_refs_index(&r->refs->contexts, ref);

    return index != HD_NONE && hd_defs_contexts(r->defs)[index].depth > 0 ? index : HD_NONE;
}

static void
enter_context(reading *r, uint32_t ref, bool is_call)
{
    uint32_t context = find_context(r, ref);

    if (context == HD_NONE)
        return;
    be_in_context(r, r->is_context[context]);
    if (is_call)
        HD_PUSH(r->called, r->n_called, r->capacity_called, context);
}

static void
leave_context(reading *r, uint32_t ref)
{
    uint32_t context = find_context(r, ref), parent;

    if (context == HD_NONE)
        return;
    parent = hd_defs_contexts(r->defs)[context].parent;
    be_in_context(r, parent != HD_NONE && r->is_context[parent]);
    r->n_called -= r->n_called > 0;
}

/* Samples say no more: what is open as a call stays. */
static void
close_samples(reading *r)
{
    be_in_context(r, r->n_called > 0 && r->is_context[r->called[r->n_called - 1]]);
}

static void
end_team(reading *r)
{
    if (r->is_worker && r->n_teams <= 1)
        close_samples(r);
    r->n_teams -= r->n_teams > 0;
}

static uint32_t
region_of(const reading *r, OTF2_RegionRef ref)
{
    return hd_refs_index(&r->refs->regions, ref);
}

static bool
is_point_of(const reading *r, OTF2_RegionRef ref)
{
    uint32_t region = region_of(r, ref);

    return region != HD_NONE && hd_clock_has_points(&r->regions[region]);
}

/* X(kind, whether it is a point of clock_log.h, what is done with it): all records whose times loading looks at
 * (decode/event_callbacks.c), since a damaged time changes those after it, and points are counted. */
#define PASSED_RECORDS(X) \
    X(Enter, is_point_of(r, region), enter(r, region_of(r, region))) \
    X(Leave, is_point_of(r, region), leave(r, region_of(r, region))) \
    X(ProgramBegin, false, ) \
    X(ProgramEnd, false, close_samples(r)) \
    X(MeasurementOnOff, false, ) \
    X(CallingContextEnter, false, enter_context(r, context, true)) \
    X(CallingContextLeave, false, leave_context(r, context)) \
    X(CallingContextSample, false, enter_context(r, context, false)) \
    X(ThreadTeamBegin, true, r->n_teams++) \
    X(ThreadTeamEnd, true, end_team(r)) \
    X(ThreadEnd, false, end_team(r)) \
    X(MpiSend, true, ) \
    X(MpiIsend, true, ) \
    X(MpiIsendComplete, false, ) \
    X(MpiIrecvRequest, false, ) \
    X(MpiRecv, true, ) \
    X(MpiIrecv, true, ) \
    X(MpiRequestCancelled, false, ) \
    X(MpiCollectiveBegin, true, ) \
    X(MpiCollectiveEnd, true, ) \
    X(NonBlockingCollectiveRequest, true, ) \
    X(NonBlockingCollectiveComplete, true, ) \
    X(RmaCollectiveBegin, true, ) \
    X(RmaCollectiveEnd, true, ) \
    X(RmaGroupSync, true, ) \
    X(RmaPut, true, ) \
    X(RmaGet, true, ) \
    X(RmaAtomic, true, ) \
    X(RmaOpCompleteBlocking, false, ) \
    X(RmaOpCompleteNonBlocking, false, ) \
    X(RmaOpCompleteRemote, false, ) \
    X(RmaRequestLock, false, ) \
    X(RmaReleaseLock, false, ) \
    X(ThreadFork, true, ) \
    X(ThreadJoin, true, ) \
    X(ThreadAcquireLock, false, ) \
    X(ThreadReleaseLock, false, ) \
    X(ThreadTaskSwitch, false, ) \
    X(ThreadTaskComplete, false, ) \
    X(ThreadBegin, false, ) \
    X(Unknown, false, ) \
    X(OmpFork, false, ) \
    X(OmpJoin, false, ) \
    X(OmpAcquireLock, false, ) \
    X(OmpReleaseLock, false, ) \
    X(OmpTaskSwitch, false, ) \
    X(OmpTaskComplete, false, )

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"        /* of fields that are not needed */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* old archives may have such records */

#define ON_RECORD(kind, is_point, what) \
    static OTF2_CallbackCode on_##kind(HD_EVENT_PARAMETERS HD_EVENT_##kind(HD_PARAMETER)) \
    { \
        reading *r = user; \
\
        time_at(r, time, r->clock.log != NULL && (is_point)); \
        what; \
        return OTF2_CALLBACK_SUCCESS; \
    }
PASSED_RECORDS(ON_RECORD)

#define HANDLER(kind, is_point, what) .kind = on_##kind,
static const hd_event_handlers handlers = { PASSED_RECORDS(HANDLER) .takes_attributes = false };
#pragma GCC diagnostic pop

typedef struct region_read {
    const hd_load_request *request;
    const bool            *is_wanted;
    bool                  *is_context;
    marks                **marks;   /* [n_processes][n_locations] */
    struct place {
        uint32_t process, thread;   /* process: index among those of the request */
    }                     *places;  /* [n_places] of all locations */
    size_t                 n_places;
    hd_error              *errors;  /* [n_readers] */
} region_read;

static hd_status
read_location(const region_read *all, const struct place *place, hd_event_files *files, const hd_ref_maps *refs)
{
    const hd_load_request *request  = all->request;
    uint32_t               process  = request->processes[place->process];
    uint32_t               location = hd_defs_processes(request->defs)[process].first_location + place->thread;
    const hd_clock_log    *log      = NULL;
    reading                r        = { .defs = request->defs, .regions = hd_defs_regions(request->defs), .refs = refs,
                                        .is_wanted = all->is_wanted, .is_context = all->is_context,
                                        .plausible = hd_plausible_times(request->defs), .is_worker = place->thread > 0,
                                        .out = &all->marks[place->process][place->thread] };
    hd_event_reading       from     = { .handlers = &handlers, .user = &r, .stop = request->stop };
    bool                   has_definitions;
    hd_events_end          end;
    uint64_t               n_events;
    hd_status              status = hd_event_files_define(files, request->defs, location, NULL, &has_definitions);

    if (request->clocks != NULL)
        log = hd_clock_logs_find(request->clocks, (hd_process){ process }, place->thread);
    if (log != NULL && log->n > 0)
        r.clock.log = log;
    if (status == HD_OK)
        status = hd_event_files_read(files, hd_defs_locations(request->defs)[location].ref, &from, &n_events, &end);
    r.out->end = r.now;
    free(r.called);
    return status;
}

/* All locations that this thread gets. */
static void
read_places(region_read *all, uint32_t thread)
{
    const hd_load_request   *request   = all->request;
    hd_event_files          *files     = NULL;
    hd_ref_maps              refs      = { 0 };

    if (request->on_thread != NULL)
        request->on_thread(request->context, thread);
    if (hd_event_files_open(request->anchor, request->reader, request->raw_clocks, &files) != HD_OK)
        all->errors[thread] = *hd_error_get();
    hd_ref_maps_init(&refs, request->defs);
#pragma omp for schedule(dynamic, 1)
    for (size_t i = 0; i < all->n_places; i++)
        if (files != NULL && (request->stop == NULL || *request->stop == 0) &&
            read_location(all, &all->places[i], files, &refs) != HD_OK)
            all->errors[thread] = *hd_error_get();
    hd_event_files_close(files);
    hd_ref_maps_fini(&refs);
}

/* In before out, so that instances that touch are one. */
static int
compare_marks(const void *left, const void *right)
{
    const mark *a = left, *b = right;

    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return a->change > b->change ? -1 : a->change < b->change;
}

static void
unite(marks *of_locations, uint32_t n_locations, hd_region_instances *instances)
{
    marks   all      = { 0 };
    size_t  n        = 0, capacity = 0;
    int64_t n_open   = 0;

    for (uint32_t t = 0; t < n_locations; t++) {
        for (size_t i = 0; i < of_locations[t].n; i++)
            HD_PUSH(all.rows, all.n, all.capacity, of_locations[t].rows[i]);
        all.end = hd_time_max(all.end, of_locations[t].end);
        free(of_locations[t].rows);
    }
    if (all.n > 0)
        qsort(all.rows, all.n, sizeof *all.rows, compare_marks);
    for (size_t i = 0; i < all.n; i++) {
        hd_time time = all.rows[i].time;

        if (n_open == 0 && all.rows[i].change < 0)
            continue; /* its enter is missing */
        if (n_open == 0)
            HD_PUSH(instances->parts, n, capacity,
                    ((hd_analysis_interval){ .from = time, .to = all.end, .last = all.end }));
        n_open += all.rows[i].change;
        if (n_open == 0)
            instances->parts[n - 1].to = instances->parts[n - 1].last = time;
    }
    instances->n = n;
    free(all.rows);
}

/* Contexts in which a wanted region is open: they and all around them. */
static bool *
find_contexts(const hd_defs *defs, const bool *is_wanted)
{
    const hd_context *contexts = hd_defs_contexts(defs);
    bool             *is_in    = HD_NEW_ARRAY(bool, defs->n_contexts + 1);

    for (uint32_t i = 0; i < defs->n_contexts; i++)
        for (uint32_t c = i; c != HD_NONE && contexts[i].depth > 0 && !is_in[i]; c = contexts[c].parent)
            is_in[i] = is_wanted[contexts[c].region];
    return is_in;
}

static void
prepare(region_read *all)
{
    const hd_load_request *request  = all->request;
    size_t                 capacity = 0;

    all->marks      = HD_NEW_ARRAY(marks *, request->n_processes);
    all->errors     = HD_NEW_ARRAY(hd_error, request->n_readers);
    all->is_context = find_contexts(request->defs, all->is_wanted);
    for (uint32_t p = 0; p < request->n_processes; p++) {
        uint32_t n = hd_defs_processes(request->defs)[request->processes[p]].n_locations;

        all->marks[p] = HD_NEW_ARRAY(marks, n);
        for (uint32_t t = 0; t < n; t++)
            HD_PUSH(all->places, all->n_places, capacity, ((struct place){ p, t }));
    }
}

hd_status
hd_region_instances_read(const hd_load_request *request, const bool *is_wanted, hd_region_instances *instances)
{
    region_read all    = { .request = request, .is_wanted = is_wanted };
    hd_status   status = HD_OK;

    hd_archive_keep_otf2_quiet();
    prepare(&all);
#pragma omp parallel num_threads((int)request->n_readers)
    {
        read_places(&all, (uint32_t)omp_get_thread_num());
#pragma omp for schedule(dynamic, 1)
        for (uint32_t p = 0; p < request->n_processes; p++) {
            instances[p] = (hd_region_instances){ .n = 0 };
            unite(all.marks[p], hd_defs_processes(request->defs)[request->processes[p]].n_locations, &instances[p]);
            free(all.marks[p]);
        }
    }
    for (uint32_t t = 0; t < request->n_readers && status == HD_OK; t++)
        if (all.errors[t].status != HD_OK) {
            hd_error_set(&all.errors[t]);
            status = all.errors[t].status;
        }
    if (status == HD_OK && request->stop != NULL && *request->stop != 0)
        status = hd_fail(HD_ESTOPPED, "stopped while looking for regions of interest");
    for (uint32_t p = 0; status != HD_OK && p < request->n_processes; p++) {
        free(instances[p].parts);
        instances[p] = (hd_region_instances){ .n = 0 };
    }
    free(all.is_context);
    free(all.marks);
    free(all.places);
    free(all.errors);
    return status;
}
