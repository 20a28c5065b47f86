/* Reads the event files of a location and tells what a timeline shows of it. */
#include "location_walk.h"

#include <otf2/otf2.h>

#include "archive.h"
#include "channel_table.h"
#include "clock_cursor.h"
#include "event_files.h"
#include "event_records.h"
#include "memory.h"
#include "record_time.h"
#include "ref_map.h"
#include "walk_contexts.h"
#include "walk_stack.h"

struct hd_walk {
    const hd_walk_request   *request;
    hd_event_files          *files;
    hd_ref_maps              refs;
};

typedef enum side { BEFORE, INSIDE, BEHIND } side; /* of the interval */

typedef struct reading { /* a location */
    const hd_walk_request *request;
    const hd_ref_maps     *refs;
    const hd_walk_sink    *sink;
    void                  *user;
    hd_walk_stack          stack;
    hd_channel_table       channels;
    hd_clock_cursor        clock;
    hd_plausible           plausible;
    hd_time                now, first; /* of the last record and of the first one, corrected */
    hd_time                flush_start, flush_stop; /* of the trace buffer, if it is_flushing */
    bool                   is_flushing, has_begun;
    bool                   is_mistimed;    /* the last record had no time that can be */
    bool                   is_worker;      /* a thread that begins with its first team */
    uint32_t               n_teams;        /* that it is in */
    uint64_t               n_mistimed;     /* in the interval */
    side                   side;
} reading;

/* ---- times ------------------------------------------------------------------------------------------------------- */

static void
cross(reading *r, hd_time time)
{
    const hd_analysis_interval *interval = &r->request->interval;
    hd_time                     begin    = hd_time_max(interval->from, r->request->defs->first_time);

    if (r->side == BEFORE && time >= interval->from) {
        r->side = INSIDE;
        hd_walk_stack_begin(&r->stack, hd_time_min(begin, time));
    }
    if (r->side == INSIDE && time >= interval->to) {
        hd_walk_stack_end(&r->stack, interval->to);
        r->side = BEHIND;
    }
}

/* A flush of the trace buffer stands after all records that are not later than its start, and ends with the first one
 * that is later, at the latest. */
static void
put_flush(reading *r, hd_time next)
{
    uint32_t region = r->request->defs->flush_region;
    hd_time  end    = hd_time_min(r->flush_stop, next);

    r->is_flushing = false;
    r->stack.now   = r->flush_start;
    hd_walk_stack_enter(&r->stack, region, HD_NONE);
    cross(r, end);
    r->stack.now = end;
    hd_walk_stack_leave(&r->stack, region);
}

/* The time of the next record, by the rules of loading (decode/arrival.h). */
static hd_time
time_at(reading *r, hd_time time, bool is_point)
{
    hd_time         before = r->clock.log != NULL ? r->clock.now : r->now;
    hd_finding_kind wrong;

    time = hd_right_time(&r->plausible, before, !r->has_begun, time, &wrong);
    if (r->clock.log != NULL) {
        r->clock.now = time;
        time         = is_point ? hd_clock_cursor_pass(&r->clock, time) : hd_clock_cursor_time(&r->clock, time);
        time         = hd_time_max(time, r->now);
    }
    r->is_mistimed = wrong != HD_N_FINDINGS;
    r->has_begun   = true;
    return r->now = time;
}

/* Goes to the next record. False: it is behind the interval. */
static bool
arrive(reading *r, hd_time time, bool is_point)
{
    time = time_at(r, time, is_point);
    if (r->is_flushing && time > r->flush_start)
        put_flush(r, time);
    cross(r, time);
    if (r->side == BEHIND)
        return false;
    r->stack.now = time;
    r->first     = hd_time_min(r->first, time);
    r->n_mistimed += r->is_mistimed && r->side == INSIDE;
    return true;
}

static void
begin_flush(reading *r, hd_time stop)
{
    if (r->is_flushing)
        return;
    stop           = r->clock.log != NULL ? hd_clock_cursor_ahead(&r->clock, stop) : stop;
    r->is_flushing = true;
    r->flush_start = r->now;
    r->flush_stop  = stop >= r->now && stop <= HD_TIME_LAST ? stop : r->now;
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

static uint32_t
region_of(const reading *r, OTF2_RegionRef ref)
{
    return hd_refs_index(&r->refs->regions, ref);
}

static bool
is_point_of(const reading *r, OTF2_RegionRef ref)
{
    uint32_t region = region_of(r, ref);

    return region != HD_NONE && hd_clock_has_points(&hd_defs_regions(r->request->defs)[region]);
}

static void
miss(reading *r)
{
    r->stack.n_misfits += r->stack.tells;
}

static void
enter(reading *r, uint32_t region)
{
    if (region != HD_NONE)
        hd_walk_stack_enter(&r->stack, region, HD_NONE);
    else
        miss(r);
}

static void
leave(reading *r, uint32_t region)
{
    if (region != HD_NONE)
        hd_walk_stack_leave(&r->stack, region);
    else
        miss(r);
}

static void
measurement(reading *r, OTF2_MeasurementMode mode)
{
    if (mode == OTF2_MEASUREMENT_OFF)
        enter(r, r->request->defs->off_region);
    else
        leave(r, r->request->defs->off_region);
}

static hd_time
enter_of_call(const reading *r)
{
    const hd_walk_frame *top = hd_walk_stack_top(&r->stack);

    return top != NULL ? top->enter : r->stack.now;
}

/* The last two: HD_WALK_NO_REQUEST: it is blocking. */
static void
message(reading *r, bool is_send, uint32_t comm_ref, uint32_t peer_rank, uint32_t tag, uint64_t bytes, uint64_t request)
{
    hd_walk_message  told = { .time = r->stack.now, .enter = enter_of_call(r), .tag = tag, .bytes = bytes,
                              .request = request, .is_send = is_send, .is_inside = r->side == INSIDE };
    uint32_t         channel;

    if (r->sink->message == NULL)
        return;
    channel = hd_channel_table_number(&r->channels, is_send ? HD_CHANNEL_SEND : HD_CHANNEL_RECV,
                                      hd_refs_index(&r->refs->comms, comm_ref), peer_rank, tag);
    if (channel == HD_NONE) {
        miss(r);
        return;
    }
    told.comm = r->channels.list[channel].comm;
    told.peer = r->channels.list[channel].peer;
    r->sink->message(r->user, &told);
}

static void
note_request(reading *r, hd_walk_request_event event, uint64_t number)
{
    if (r->sink->request != NULL)
        r->sink->request(r->user, event, number, enter_of_call(r));
}

static void
collective(reading *r, uint32_t comm, uint32_t root, uint64_t sent, uint64_t received)
{
    const hd_defs      *defs = r->request->defs;
    hd_walk_collective  told = { .time = r->stack.now, .comm = comm, .root = root, .sent = sent,
                                 .received = received };
    const hd_comm      *of;

    if (r->side != INSIDE || r->sink->collective == NULL)
        return;
    if (comm == HD_NONE || hd_defs_comms(defs)[comm].group_a == HD_NONE) {
        miss(r);
        return;
    }
    of             = &hd_defs_comms(defs)[comm];
    told.n_members = hd_defs_groups(defs)[of->group_a].self ? 1 : hd_defs_groups(defs)[of->group_a].n;
    if (of->group_b != HD_NONE)
        told.n_members += hd_defs_groups(defs)[of->group_b].n;
    told.root = root < told.n_members ? root : HD_NONE;
    r->sink->collective(r->user, &told);
}

/* Values that are not of the type that is defined are left out. */
static void
counters(reading *r, OTF2_MetricRef ref, uint32_t n, const OTF2_Type *types, const OTF2_MetricValue *recorded)
{
    uint32_t              set      = hd_refs_index(&r->refs->metric_sets, ref);
    const hd_counter_def *defs     = hd_defs_counters(r->request->defs);

    if (r->side != INSIDE || r->sink->counter == NULL || set == HD_NONE)
        return;
    for (uint32_t i = 0; i < n && i < hd_defs_metric_sets(r->request->defs)[set].n; i++) {
        uint32_t first   = hd_defs_metric_sets(r->request->defs)[set].first;
        uint32_t counter = hd_defs_metric_members(r->request->defs)[first + i];

        if (counter == HD_NONE)
            continue;
        if (types[i] == OTF2_TYPE_UINT64 && defs[counter].type == HD_COUNTER_UINT64)
            r->sink->counter(r->user, r->stack.now, counter, (double)recorded[i].unsigned_int);
        else if (types[i] == OTF2_TYPE_INT64 && defs[counter].type == HD_COUNTER_INT64)
            r->sink->counter(r->user, r->stack.now, counter, (double)recorded[i].signed_int);
        else if (types[i] == OTF2_TYPE_DOUBLE && defs[counter].type == HD_COUNTER_DOUBLE)
            r->sink->counter(r->user, r->stack.now, counter, recorded[i].floating_point);
    }
}

/* Samples of a worker thread say no more. */
static void
end_team(reading *r)
{
    if (r->is_worker && r->n_teams <= 1)
        hd_walk_contexts_close(&r->stack);
    r->n_teams -= r->n_teams > 0;
}

#define SWITCH(team, creator, generation) (hd_walk_task_id){ team, creator, generation }
#define OLD_TASK(task) (hd_walk_task_id){ HD_NONE, (uint32_t)((task) >> 32), (uint32_t)(task) }
#define COMM(ref) hd_refs_index(&r->refs->comms, ref)
#define WINDOW(ref) hd_ref_maps_window(r->refs, r->request->defs, ref)
#define AT_CONTEXT(context, distance, is_call) \
    hd_walk_contexts_at(&r->stack, r->request->defs, &r->refs->contexts, context, distance, is_call)

/* X(kind, whether it is a point of clock_log.h, what is done with it): all records whose times loading looks at
 * (decode/event_callbacks.c), since a damaged time changes those after it, and points are counted. Fields are from
 * event_records.h. */
#define WALKED_RECORDS(X) \
    X(Enter, is_point_of(r, region), enter(r, region_of(r, region))) \
    X(Leave, is_point_of(r, region), leave(r, region_of(r, region))) \
    X(ProgramBegin, false, ) \
    X(ProgramEnd, false, hd_walk_stack_leave_to(&r->stack, 0)) \
    X(BufferFlush, false, begin_flush(r, stop)) \
    X(MeasurementOnOff, false, measurement(r, mode)) \
    X(CallingContextEnter, false, AT_CONTEXT(context, unwind_distance, true)) \
    X(CallingContextLeave, false, \
      hd_walk_contexts_leave(&r->stack, r->request->defs, &r->refs->contexts, context)) \
    X(CallingContextSample, false, AT_CONTEXT(context, unwind_distance, false)) \
    X(ThreadTeamBegin, true, r->n_teams++) \
    X(ThreadTeamEnd, true, end_team(r)) \
    X(ThreadEnd, false, end_team(r)) \
    X(MpiSend, true, message(r, true, communicator, receiver, tag, bytes, HD_WALK_NO_REQUEST)) \
    X(MpiIsend, true, message(r, true, communicator, receiver, tag, bytes, request)) \
    X(MpiIsendComplete, false, note_request(r, HD_WALK_SENT, request)) \
    X(MpiIrecvRequest, false, note_request(r, HD_WALK_POSTED, request)) \
    X(MpiRecv, true, message(r, false, communicator, sender, tag, bytes, HD_WALK_NO_REQUEST)) \
    X(MpiIrecv, true, message(r, false, communicator, sender, tag, bytes, request)) \
    X(MpiRequestCancelled, false, note_request(r, HD_WALK_CANCELLED, request)) \
    X(MpiCollectiveBegin, true, ) \
    X(MpiCollectiveEnd, true, collective(r, COMM(communicator), root, sent, received)) \
    X(NonBlockingCollectiveRequest, true, ) \
    X(NonBlockingCollectiveComplete, true, collective(r, COMM(communicator), root, sent, received)) \
    X(RmaCollectiveBegin, true, ) \
    X(RmaCollectiveEnd, true, collective(r, WINDOW(window), root, sent, received)) \
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
    X(ThreadTaskSwitch, false, hd_walk_stack_switch(&r->stack, SWITCH(team, thread, generation))) \
    X(ThreadTaskComplete, false, hd_walk_stack_complete(&r->stack, SWITCH(team, thread, generation))) \
    X(ThreadBegin, false, ) \
    X(Metric, false, counters(r, metric, n_metrics, types, values)) \
    X(Unknown, false, miss(r)) \
    X(OmpFork, false, ) \
    X(OmpJoin, false, ) \
    X(OmpAcquireLock, false, ) \
    X(OmpReleaseLock, false, ) \
    X(OmpTaskSwitch, false, hd_walk_stack_switch(&r->stack, OLD_TASK(task))) \
    X(OmpTaskComplete, false, hd_walk_stack_complete(&r->stack, OLD_TASK(task)))

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"        /* of fields that are not needed */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* old archives may have such records */

#define ON_RECORD(kind, is_point, what) \
    static OTF2_CallbackCode on_##kind(HD_EVENT_PARAMETERS HD_EVENT_##kind(HD_PARAMETER)) \
    { \
        reading *r = user; \
\
        if (!arrive(r, time, is_point)) \
            return OTF2_CALLBACK_INTERRUPT; \
        what; \
        return OTF2_CALLBACK_SUCCESS; \
    }
WALKED_RECORDS(ON_RECORD)

#define HANDLER(kind, is_point, what) .kind = on_##kind,
static const hd_event_handlers handlers = { WALKED_RECORDS(HANDLER) .takes_attributes = false };
#pragma GCC diagnostic pop

/* ---- locations --------------------------------------------------------------------------------------------------- */

hd_status
hd_walk_open(const hd_walk_request *request, hd_walk **walk)
{
    hd_event_files *files  = NULL;
    hd_status       status = hd_event_files_open(request->anchor, request->reader, request->raw_clocks, &files);

    if (status != HD_OK)
        return status;
    hd_archive_keep_otf2_quiet();
    *walk              = HD_NEW(hd_walk);
    (*walk)->request   = request;
    (*walk)->files     = files;
    hd_ref_maps_init(&(*walk)->refs, request->defs);
    return HD_OK;
}

void
hd_walk_close(hd_walk *walk)
{
    if (walk == NULL)
        return;
    hd_event_files_close(walk->files);
    hd_ref_maps_fini(&walk->refs);
    free(walk);
}

static void
note_loss(hd_walk_result *result, hd_walk_loss_kind kind, uint32_t location)
{
    if (result->losses[kind].n++ == 0)
        result->losses[kind].first = location;
}

static void
note_end(hd_walk_result *result, const reading *r, const hd_location_def *location, uint32_t index, uint64_t n_read,
         hd_events_end end)
{
    bool is_cut = end == HD_EVENTS_CUT || end == HD_EVENTS_REFUSED || location->n_events > n_read;

    if (end != HD_EVENTS_INTERRUPTED && is_cut && location->n_events > 0)
        note_loss(result, n_read == 0 ? HD_WALK_NO_EVENTS : HD_WALK_CUT_EVENTS, index);
    if (r->n_mistimed > 0)
        note_loss(result, HD_WALK_TIME_DAMAGED, index);
    result->n_misfits += r->stack.n_misfits;
    result->first = hd_time_min(result->first, r->first);
    if (r->side != BEFORE)
        result->last = hd_time_max(result->last, r->side == BEHIND ? r->request->interval.to : r->stack.now);
}

hd_status
hd_walk_location(hd_walk *walk, uint32_t location, const hd_walk_sink *sink, void *user, hd_walk_result *result)
{
    const hd_walk_request *request = walk->request;
    const hd_location_def *def     = &hd_defs_locations(request->defs)[location];
    const hd_clock_log    *log     = NULL;
    reading                r       = { .request = request, .refs = &walk->refs, .sink = sink, .user = user,
                                       .plausible = hd_plausible_times(request->defs), .first = HD_TIME_NEVER,
                                       .is_worker = def->thread > 0 };
    hd_event_reading       from    = { .handlers = &handlers, .user = &r, .n_done = request->n_done,
                                       .stop = request->stop };
    bool                   has_definitions = true;
    uint64_t               n_read          = 0;
    hd_events_end          end             = HD_EVENTS_NO_FILE;
    hd_status              status;

    if (request->clocks != NULL)
        log = hd_clock_logs_find(request->clocks, (hd_process){ def->process }, def->thread);
    if (log != NULL && log->n > 0)
        r.clock.log = log;
    hd_walk_stack_init(&r.stack, sink, user);
    hd_channel_table_init(&r.channels, request->defs, def->process);
    status = hd_event_files_define(walk->files, request->defs, location, NULL, &has_definitions);
    if (status == HD_OK)
        status = hd_event_files_read(walk->files, def->ref, &from, &n_read, &end);
    if (status == HD_OK && request->stop != NULL && *request->stop != 0)
        status = hd_fail(HD_ESTOPPED, "interrupted");
    if (status == HD_OK && r.is_flushing && r.side != BEHIND)
        put_flush(&r, r.flush_stop);
    if (status == HD_OK && r.side == INSIDE)
        hd_walk_stack_end(&r.stack, r.stack.now);
    if (status == HD_OK && !has_definitions)
        note_loss(result, HD_WALK_NO_DEFINITIONS, location);
    if (status == HD_OK)
        note_end(result, &r, def, location, n_read, end);
    hd_walk_stack_fini(&r.stack);
    hd_channel_table_fini(&r.channels);
    return status;
}
