#include "clock_read.h"

#include <omp.h>
#include <otf2/otf2.h>

#include "archive.h"
#include "clock_window.h"
#include "event_files.h"
#include "event_records.h"

static uint32_t
region_of(const hd_clock_reading *r, OTF2_RegionRef ref)
{
    return hd_refs_index(&r->refs->regions, ref);
}

#define SEND hd_clock_pass_send(r, receiver, hd_clock_comm_of(r, communicator), tag)
#define RECEIVE(request) hd_clock_pass_receive(r, sender, hd_clock_comm_of(r, communicator), tag, request)
#define COLLECTIVE &(hd_clock_collective){ .operation = operation, .root = root, .sends = sent > 0,                    \
                                           .receives = received > 0 }
#define POINT(kind, what) hd_clock_add_point(r, HD_CLOCK_##kind, what, false)

/* All records that matter for clocks: X(kind, what is done with it), which has its fields from event_records.h. Each
 * record that is a point of clock_log.h is one in decode/event_callbacks.c, too. */
#define CLOCK_RECORDS(X) \
    X(Enter, hd_clock_pass_region(r, region_of(r, region), true)) \
    X(Leave, hd_clock_pass_region(r, region_of(r, region), false)) \
    X(ProgramBegin, ) \
    X(ProgramEnd, ) \
    X(MpiSend, SEND) \
    X(MpiIsend, hd_clock_start_request(r, request, SEND)) \
    X(MpiIsendComplete, hd_clock_complete_send(r, request)) \
    X(MpiIrecvRequest, hd_clock_post_receive(r, request)) \
    X(MpiRecv, RECEIVE(NULL)) \
    X(MpiIrecv, RECEIVE(&request)) \
    X(MpiRequestCancelled, hd_clock_cancel(r, request)) \
    X(MpiCollectiveBegin, hd_clock_begin_collective(r)) \
    X(MpiCollectiveEnd, hd_clock_end_blocking(r, hd_clock_comm_of(r, communicator), COLLECTIVE)) \
    X(NonBlockingCollectiveRequest, hd_clock_start_request(r, request, POINT(OTHER, HD_NONE))) \
    X(NonBlockingCollectiveComplete, hd_clock_end_request(r, hd_clock_comm_of(r, communicator), request, COLLECTIVE)) \
    X(RmaCollectiveBegin, hd_clock_begin_collective(r)) \
    X(RmaCollectiveEnd, hd_clock_end_at_window(r, hd_clock_window_of(r, window))) \
    X(RmaGroupSync, hd_clock_pass_group(r, hd_clock_window_of(r, window), hd_refs_index(&r->refs->groups, group), \
                                        level != OTF2_RMA_SYNC_LEVEL_NONE)) \
    X(RmaPut, hd_clock_pass_access(r, hd_clock_window_of(r, window), remote)) \
    X(RmaGet, hd_clock_pass_access(r, hd_clock_window_of(r, window), remote)) \
    X(RmaAtomic, hd_clock_pass_access(r, hd_clock_window_of(r, window), remote)) \
    X(ThreadFork, POINT(FORK, HD_NONE)) \
    X(ThreadJoin, POINT(JOIN, HD_NONE)) \
    X(ThreadTeamBegin, POINT(TEAM_BEGIN, hd_clock_comm_of(r, team))) \
    X(ThreadTeamEnd, POINT(TEAM_END, HD_NONE))

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter" /* of fields that are not needed */
#define ON_RECORD(kind, what) \
    static OTF2_CallbackCode on_##kind(HD_EVENT_PARAMETERS HD_EVENT_##kind(HD_PARAMETER)) \
    { \
        hd_clock_reading *r = user; \
\
        hd_clock_reading_at(r, time); \
        what; \
        return OTF2_CALLBACK_SUCCESS; \
    }
CLOCK_RECORDS(ON_RECORD)
#pragma GCC diagnostic pop

#define HANDLER(kind, what) .kind = on_##kind,
static const hd_event_handlers handlers = { CLOCK_RECORDS(HANDLER) .takes_attributes = false };

static void
note_offset(void *user, hd_time time, hd_span offset)
{
    hd_clock_log *log = user;

    log->last = (hd_clock_offset){ time, offset };
    if (log->n_offsets++ == 0)
        log->first = log->last;
}

typedef struct clock_read {
    const hd_load_request *request;
    hd_clock_logs         *logs;
    hd_clock_reading     **readings; /* [n_processes][n_locations] */
    struct place {
        uint32_t process, thread;    /* process: in the logs */
    }                     *places;   /* [n_places] of all locations */
    size_t                 n_places;
    hd_error              *errors;   /* [n_readers] */
} clock_read;

static hd_status
read_location(hd_clock_reading *r, hd_event_files *files, const hd_defs *defs, uint32_t location)
{
    hd_event_reading   reading = { .handlers = &handlers, .user = r };
    hd_own_definitions takes   = { .offset = note_offset, .user = r->log };
    bool               has_definitions;
    hd_events_end      end;
    uint64_t           n_events;
    hd_status          status = hd_event_files_define(files, defs, location, &takes, &has_definitions);

    return status == HD_OK ? hd_event_files_read(files, hd_defs_locations(defs)[location].ref, &reading, &n_events,
                                                 &end) : status;
}

static bool
is_stopped(const hd_load_request *request)
{
    return request->stop != NULL && *request->stop != 0;
}

/* All locations that this thread gets. */
static void
read_places(clock_read *all, uint32_t thread)
{
    const hd_load_request   *request   = all->request;
    const hd_process_def    *processes = hd_defs_processes(request->defs);
    hd_event_files          *files     = NULL;
    hd_ref_maps              refs      = { 0 };

    if (request->on_thread != NULL)
        request->on_thread(request->context, thread);
    if (hd_event_files_open(request->anchor, request->reader, request->raw_clocks, &files) != HD_OK)
        all->errors[thread] = *hd_error_get();
    hd_ref_maps_init(&refs, request->defs);
#pragma omp for schedule(dynamic, 1)
    for (size_t i = 0; i < all->n_places; i++) {
        uint32_t          process  = request->processes[all->places[i].process];
        hd_clock_reading *r        = &all->readings[all->places[i].process][all->places[i].thread];
        uint32_t          location = processes[process].first_location + all->places[i].thread;

        if (files == NULL || hd_scratch_check(request->scratch) != HD_OK || is_stopped(request))
            continue;
        hd_clock_reading_init(r, request->defs, &refs, process);
        if (read_location(r, files, request->defs, location) != HD_OK)
            all->errors[thread] = *hd_error_get();
        hd_clock_reading_finish(r);
    }
    hd_event_files_close(files);
    hd_ref_maps_fini(&refs);
}

static void
end_process(hd_clock_process *process, const hd_load_request *request, hd_clock_reading *readings)
{
    hd_clock_requests **requests = HD_NEW_ARRAY(hd_clock_requests *, process->n_locations);

    for (uint32_t t = 0; t < process->n_locations; t++)
        requests[t] = &readings[t].requests;
    hd_clock_join(process, request->defs, requests, request->scratch);
    for (uint32_t t = 0; t < process->n_locations; t++) {
        hd_map_fini(&requests[t]->open);
        hd_map_fini(&requests[t]->posted);
        free(requests[t]->cancelled);
        free(requests[t]->foreign);
    }
    free(requests);
    free(readings);
}

static void
prepare(clock_read *all)
{
    const hd_load_request *request  = all->request;
    const hd_process_def  *defs     = hd_defs_processes(request->defs);
    hd_clock_logs         *logs     = all->logs;
    size_t                 capacity = 0;

    logs->scratch     = request->scratch;
    logs->n_processes = request->n_processes;
    logs->processes   = HD_NEW_ARRAY(hd_clock_process, logs->n_processes);
    all->readings     = HD_NEW_ARRAY(hd_clock_reading *, logs->n_processes);
    all->errors       = HD_NEW_ARRAY(hd_error, request->n_readers);
    for (uint32_t p = 0; p < logs->n_processes; p++) {
        hd_clock_process *process = &logs->processes[p];

        process->process     = (hd_process){ request->processes[p] };
        process->n_locations = defs[request->processes[p]].n_locations;
        process->logs        = HD_NEW_ARRAY(hd_clock_log, process->n_locations);
        all->readings[p]     = HD_NEW_ARRAY(hd_clock_reading, process->n_locations);
        for (uint32_t t = 0; t < process->n_locations; t++) {
            all->readings[p][t].log     = &process->logs[t];
            all->readings[p][t].scratch = request->scratch;
            all->readings[p][t].compat  = request->compat;
            HD_PUSH(all->places, all->n_places, capacity, ((struct place){ p, t }));
        }
    }
}

/* The first error of a thread, or of all. */
static hd_status
status_of(const clock_read *all)
{
    hd_status status = HD_OK;

    for (uint32_t t = 0; t < all->request->n_readers && status == HD_OK; t++)
        if (all->errors[t].status != HD_OK) {
            hd_error_set(&all->errors[t]);
            status = all->errors[t].status;
        }
    if (status == HD_OK)
        status = hd_scratch_check(all->request->scratch);
    if (status == HD_OK && is_stopped(all->request))
        status = hd_fail(HD_ESTOPPED, "stopped while clocks were read");
    return status;
}

hd_status
hd_clock_logs_read(const hd_load_request *request, hd_clock_logs **logs)
{
    clock_read all = { .request = request, .logs = HD_NEW(hd_clock_logs) };
    hd_status  status;

    hd_archive_keep_otf2_quiet();
    prepare(&all);
#pragma omp parallel num_threads((int)request->n_readers)
    {
        read_places(&all, (uint32_t)omp_get_thread_num());
#pragma omp for schedule(dynamic, 1)
        for (uint32_t p = 0; p < all.logs->n_processes; p++)
            end_process(&all.logs->processes[p], request, all.readings[p]);
    }
    status = status_of(&all);
    free(all.errors);
    free(all.places);
    free(all.readings);
    if (status == HD_OK)
        *logs = all.logs;
    else
        hd_clock_logs_free(all.logs);
    return status;
}
