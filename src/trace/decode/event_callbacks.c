#include "event_callbacks.h"

#include <otf2/otf2.h>

#include "cluster_cut.h"
#include "event_records.h"

static inline __attribute__((always_inline)) void
enter(hd_decoder *decoder, hd_time time, uint32_t region)
{
    if (HD_UNLIKELY(region == HD_NONE))
        hd_decoder_plain_finding(decoder, HD_FINDING_UNKNOWN);
    else
        hd_decoder_enter(decoder, time, region);
}

static inline uint32_t
region_of(const hd_decoder *decoder, OTF2_RegionRef ref)
{
    return hd_refs_index(&decoder->refs->regions, ref);
}

static void
begin_program(hd_decoder *decoder, hd_time time, OTF2_StringRef name)
{
    uint32_t string = hd_refs_index(&decoder->refs->strings, name);

    enter(decoder, time, string != HD_NONE ? decoder->defs->first_program_region + string : HD_NONE);
}

static void
end_program(hd_decoder *decoder, hd_time time)
{
    if (HD_UNLIKELY(decoder->stack.contexts != NULL))
        hd_decoder_contexts_close(decoder);
    if (decoder->stack.depth > 0)
        hd_decoder_leave(decoder, time, decoder->stack.frames[0].region);
}

static void
switch_measurement(hd_decoder *decoder, hd_time time, OTF2_MeasurementMode mode)
{
    if (mode == OTF2_MEASUREMENT_OFF)
        hd_decoder_enter(decoder, time, decoder->defs->off_region);
    else
        hd_decoder_leave(decoder, time, decoder->defs->off_region);
}

static void
begin_collective(hd_decoder *decoder, hd_time time)
{
    decoder->coll_begin     = time;
    decoder->has_coll_begin = true;
}

static uint64_t
task_number(uint32_t creating_thread, uint32_t generation)
{
    return (uint64_t)creating_thread << 32 | generation;
}

/* Whether an enter or leave is a point of clock_log.h. */
static bool
is_point_of(const hd_decoder *decoder, OTF2_RegionRef ref)
{
    uint32_t region = region_of(decoder, ref);

    return region != HD_NONE && hd_clock_has_points(&decoder->regions[region]);
}

#define SEND &(hd_message_record){ time, receiver, communicator, tag, bytes }
#define RECEIVE &(hd_message_record){ time, sender, communicator, tag, bytes }
#define COLLECTIVE(of) &(hd_collective_record){ time, operation, of, root, sent, received }
#define ACCESS(put, got) &(hd_access_record){ window, remote, put, got, matching }

#define FILE_OPERATION \
    &(hd_file_record){ handle, mode == OTF2_IO_OPERATION_MODE_WRITE, mode == OTF2_IO_OPERATION_MODE_FLUSH, \
                       (operation_flags & OTF2_IO_OPERATION_FLAG_NON_BLOCKING) == 0, \
                       (operation_flags & OTF2_IO_OPERATION_FLAG_COLLECTIVE) != 0, matching }

/* All records that are decoded but for flushes: X(kind, whether it is a point of clock_log.h, what is done with it at
 * `time`). What has its fields from event_records.h. The last ones are OpenMP before OTF2 1.2: without teams, tasks by
 * a number that is the same as later ones in two halves. */
#define DECODED_RECORDS(X) \
    X(Enter, is_point_of(decoder, region), enter(decoder, time, region_of(decoder, region))) \
    X(Leave, is_point_of(decoder, region), hd_decoder_leave(decoder, time, region_of(decoder, region))) \
    X(ProgramBegin, false, begin_program(decoder, time, name)) \
    X(ProgramEnd, false, end_program(decoder, time)) \
    X(MeasurementOnOff, false, switch_measurement(decoder, time, mode)) \
    X(MpiSend, true, hd_decoder_send(decoder, SEND, NULL)) \
    X(MpiIsend, true, hd_decoder_send(decoder, SEND, &request)) \
    X(MpiIsendComplete, false, hd_decoder_send_complete(decoder, request)) \
    X(MpiIrecvRequest, false, hd_decoder_receive_request(decoder, request)) \
    X(MpiRecv, true, hd_decoder_receive(decoder, RECEIVE, NULL)) \
    X(MpiIrecv, true, hd_decoder_receive(decoder, RECEIVE, &request)) \
    X(MpiRequestCancelled, false, hd_decoder_cancelled(decoder, request)) \
    X(MpiCollectiveBegin, true, begin_collective(decoder, time)) \
    X(MpiCollectiveEnd, true, hd_decoder_collective(decoder, COLLECTIVE(communicator))) \
    X(NonBlockingCollectiveRequest, true, hd_decoder_nbc_request(decoder, request)) \
    X(NonBlockingCollectiveComplete, true, hd_decoder_nbc_complete(decoder, COLLECTIVE(communicator), request)) \
    X(RmaCollectiveBegin, true, begin_collective(decoder, time)) \
    X(RmaCollectiveEnd, true, hd_decoder_rma_collective(decoder, COLLECTIVE(window))) \
    X(RmaGroupSync, true, hd_decoder_rma_group(decoder, window, group, level != OTF2_RMA_SYNC_LEVEL_NONE)) \
    X(RmaPut, true, hd_decoder_rma_access(decoder, ACCESS(bytes, 0))) \
    X(RmaGet, true, hd_decoder_rma_access(decoder, ACCESS(0, bytes))) \
    X(RmaAtomic, true, hd_decoder_rma_access(decoder, ACCESS(sent, received))) \
    X(RmaOpCompleteBlocking, false, hd_decoder_rma_complete(decoder, window, matching, false)) \
    X(RmaOpCompleteNonBlocking, false, hd_decoder_rma_complete(decoder, window, matching, false)) \
    X(RmaOpCompleteRemote, false, hd_decoder_rma_complete(decoder, window, matching, true)) \
    X(RmaRequestLock, false, hd_decoder_rma_lock(decoder, window, remote, type == OTF2_LOCK_EXCLUSIVE)) \
    X(RmaReleaseLock, false, hd_decoder_rma_unlock(decoder, window, remote)) \
    X(ThreadFork, true, hd_decoder_fork(decoder)) \
    X(ThreadJoin, true, hd_decoder_join_team(decoder)) \
    X(ThreadAcquireLock, false, hd_decoder_acquire(decoder, model, lock, order)) \
    X(ThreadReleaseLock, false, hd_decoder_release(decoder, model, lock, order)) \
    X(ThreadTaskCreate, false, hd_decoder_task_create(decoder, task_number(thread, generation))) \
    X(ThreadTaskSwitch, false, hd_decoder_task_switch(decoder, team, task_number(thread, generation))) \
    X(ThreadTaskComplete, false, hd_decoder_task_complete(decoder, team, task_number(thread, generation))) \
    X(ThreadTeamBegin, true, hd_decoder_team_begin(decoder, team)) \
    X(ThreadTeamEnd, true, hd_decoder_team_end(decoder)) \
    X(ThreadCreate, false, hd_decoder_thread_create(decoder, contingent, sequence)) \
    X(ThreadBegin, false, hd_decoder_thread_begin(decoder, contingent, sequence)) \
    X(ThreadWait, false, hd_decoder_thread_wait(decoder, contingent, sequence)) \
    X(ThreadEnd, false, hd_decoder_thread_end(decoder, contingent, sequence)) \
    X(CallingContextEnter, false, hd_decoder_context(decoder, context, unwind_distance, true)) \
    X(CallingContextLeave, false, hd_decoder_context_leave(decoder, context)) \
    X(CallingContextSample, false, hd_decoder_context(decoder, context, unwind_distance, false)) \
    X(IoCreateHandle, false, hd_decoder_file_other(decoder, handle, true)) \
    X(IoDestroyHandle, false, hd_decoder_file_other(decoder, handle, true)) \
    X(IoDuplicateHandle, false, hd_decoder_file_other(decoder, new_handle, false)) \
    X(IoSeek, false, hd_decoder_file_other(decoder, handle, false)) \
    X(IoChangeStatusFlags, false, hd_decoder_file_other(decoder, handle, false)) \
    X(IoAcquireLock, false, hd_decoder_file_other(decoder, handle, false)) \
    X(IoTryLock, false, hd_decoder_file_other(decoder, handle, false)) \
    X(IoOperationBegin, false, hd_decoder_file_begin(decoder, FILE_OPERATION)) \
    X(IoOperationIssued, false, hd_decoder_file_issued(decoder, handle, matching)) \
    X(IoOperationComplete, false, hd_decoder_file_complete(decoder, handle, matching, bytes)) \
    X(IoOperationCancelled, false, hd_decoder_file_complete(decoder, handle, matching, 0)) \
    X(Unknown, false, hd_decoder_plain_finding(decoder, HD_FINDING_UNKNOWN_KIND)) \
    X(OmpFork, false, hd_decoder_fork(decoder)) \
    X(OmpJoin, false, hd_decoder_join_team(decoder)) \
    X(OmpAcquireLock, false, hd_decoder_acquire(decoder, OTF2_PARADIGM_OPENMP, lock, order)) \
    X(OmpReleaseLock, false, hd_decoder_release(decoder, OTF2_PARADIGM_OPENMP, lock, order)) \
    X(OmpTaskCreate, false, hd_decoder_task_create(decoder, task)) \
    X(OmpTaskSwitch, false, hd_decoder_task_switch(decoder, OTF2_UNDEFINED_COMM, task)) \
    X(OmpTaskComplete, false, hd_decoder_task_complete(decoder, OTF2_UNDEFINED_COMM, task))

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"         /* of fields that are not needed */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* old archives may have such records */

#define ON_RECORD(kind, is_point, what) \
    static inline __attribute__((always_inline)) OTF2_CallbackCode \
    on_##kind(HD_EVENT_PARAMETERS HD_EVENT_##kind(HD_PARAMETER)) \
    { \
        hd_decoder *decoder = user; \
\
        time = hd_decoder_at(decoder, time); \
        what; \
        return OTF2_CALLBACK_SUCCESS; \
    }
DECODED_RECORDS(ON_RECORD)

static OTF2_CallbackCode
on_flush(HD_EVENT_PARAMETERS, OTF2_TimeStamp stop)
{
    hd_decoder_flush(user, time, stop);
    return OTF2_CALLBACK_SUCCESS;
}

/* The same records of a location whose records get other times. */
#define ON_CLOCKED_RECORD(kind, is_point, what) \
    static OTF2_CallbackCode on_clocked_##kind(HD_EVENT_PARAMETERS HD_EVENT_##kind(HD_PARAMETER)) \
    { \
        hd_decoder *decoder = user; \
\
        time = hd_decoder_clock(decoder, time, position, is_point, NULL); \
        if (HD_UNLIKELY(decoder->cut.own != NULL)) \
            hd_decoder_cut_before(decoder, time); \
        return on_##kind(location, time, position, user, attributes HD_EVENT_##kind(HD_ARGUMENT)); \
    }
DECODED_RECORDS(ON_CLOCKED_RECORD)

static OTF2_CallbackCode
on_clocked_flush(HD_EVENT_PARAMETERS, OTF2_TimeStamp stop)
{
    hd_decoder *decoder = user;
    hd_span     moved_by;

    time = hd_decoder_clock(decoder, time, position, false, &moved_by);
    stop = decoder->clock.log != NULL ? hd_clock_cursor_ahead(&decoder->clock, stop) : stop;
    hd_decoder_flush(decoder, time, stop + (hd_time)moved_by);
    return OTF2_CALLBACK_SUCCESS;
}

/* Values of metrics stand before the enter or leave that they belong to, with its time. They do not move the decoder:
 * what passes a border of intervals at that time is that enter or leave. Those before it are passed. */
static OTF2_CallbackCode
on_metric(HD_EVENT_PARAMETERS HD_EVENT_Metric(HD_PARAMETER))
{
    hd_decoder *decoder = user;

    _Static_assert(sizeof(OTF2_MetricValue) == sizeof(uint64_t), "values are handed over as their bits");
    if (decoder->counters.last == NULL)
        return OTF2_CALLBACK_SUCCESS;
    if (HD_UNLIKELY(time > decoder->border) && time <= decoder->plausible.latest && decoder->times.times == NULL)
        hd_decoder_pass_borders(decoder, time - 1);
    hd_decoder_metric(decoder, time, metric, n_metrics, types, (const uint64_t *)(const void *)values);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_clocked_metric(HD_EVENT_PARAMETERS HD_EVENT_Metric(HD_PARAMETER))
{
    hd_decoder *decoder = user;

    hd_decoder_pass(decoder, time);
    if (decoder->cut.own != NULL)
        hd_decoder_cut_settle(decoder);
    if (decoder->clock.log != NULL)
        time = hd_clock_cursor_time(&decoder->clock, hd_time_max(time, decoder->clock.now));
    return on_metric(location, time, position, user, attributes HD_EVENT_Metric(HD_ARGUMENT));
}

/* Records that say nothing that the analysis needs. Who looks at all times is told these, too. */
#define OTHER_RECORDS(X) \
    X(MpiRequestTest) X(ParameterString) X(ParameterInt) X(ParameterUnsignedInt) X(RmaWinCreate) \
    X(RmaWinDestroy) X(RmaAcquireLock) X(RmaTryLock) X(RmaSync) X(RmaWaitChange) X(RmaOpTest) X(IoDeleteFile) \
    X(IoOperationTest) X(IoReleaseLock) X(CommCreate) X(CommDestroy)

#define ON_OTHER_RECORD(kind) \
    static OTF2_CallbackCode on_other_##kind(HD_EVENT_PARAMETERS HD_EVENT_##kind(HD_PARAMETER)) \
    { \
        hd_decoder_pass(user, time); \
        return OTF2_CALLBACK_SUCCESS; \
    }
OTHER_RECORDS(ON_OTHER_RECORD)

#define PLAIN_HANDLER(kind, is_point, what) .kind = on_##kind,
#define CLOCKED_HANDLER(kind, is_point, what) .kind = on_clocked_##kind,
#define OTHER_HANDLER(kind) .kind = on_other_##kind,
static const hd_event_handlers plain = { DECODED_RECORDS(PLAIN_HANDLER) .BufferFlush = on_flush,
                                         .Metric = on_metric };
/* Of locations whose records get other times, or are all looked at, or whose call paths are cut. */
static const hd_event_handlers clocked = {
    OTHER_RECORDS(OTHER_HANDLER) DECODED_RECORDS(CLOCKED_HANDLER) .BufferFlush = on_clocked_flush,
    .Metric = on_clocked_metric
};
#pragma GCC diagnostic pop

HD_EVENT_DECODER(decode_plain, &plain)

typedef struct watching { /* of the location, by the request's observer */
    const hd_decoder       *decoder;
    const hd_load_observer *observer;
    void                   *state;
} watching;

static void
notify_observer(void *watcher)
{
    const watching *w     = watcher;
    const hd_stack *stack = &w->decoder->stack;
    hd_time         now   = w->observer->all_records ? hd_time_max(w->decoder->now, w->decoder->passed)
                                                     : w->decoder->now;

    w->observer->at(w->state, now, stack->depth > 0 ? stack->current : HD_NONE);
}

/* What the numbers say once the file was read. */
static void
check_number(hd_decoder *decoder, const hd_location_def *location, bool is_whole)
{
    uint64_t n = decoder->out->n_events;

    decoder->out->is_cut = !is_whole || n < location->n_events;
    if (decoder->out->is_cut)
        hd_decoder_plain_finding(decoder, n == 0 ? HD_FINDING_NO_EVENTS : HD_FINDING_CUT_EVENTS);
    else if (decoder->thread == 0 && decoder->stack.depth > 0)
        hd_decoder_plain_finding(decoder, HD_FINDING_STOPPED);
    if (n > location->n_events)
        hd_decoder_plain_finding(decoder, HD_FINDING_MORE_EVENTS);
}

/* No file of events that can be opened. */
static void
note_no_file(hd_decoder *decoder, const hd_location_def *location)
{
    decoder->out->is_cut = location->n_events > 0;
    if (decoder->out->is_cut)
        hd_decoder_plain_finding(decoder, HD_FINDING_NO_EVENTS);
}

hd_status
hd_decoder_read(hd_decoder *decoder, hd_event_files *files, const hd_load_request *request, bool is_again)
{
    const hd_location_def  *location = &hd_defs_locations(decoder->defs)[decoder->out->location];
    const hd_load_observer *observer = request->observer;
    watching                watch    = { .decoder = decoder, .observer = observer };
    bool                    is_clocked = hd_decoder_changes_times(decoder) || decoder->cut.own != NULL ||
                                         (observer != NULL && observer->all_records);
    hd_event_reading        reading  =
        { .handlers = is_clocked ? &clocked : &plain, .decode = is_clocked ? NULL : decode_plain, .user = decoder,
          .max_events = request->max_events, .n_done = is_again ? NULL : request->n_done,
          .stop = request->stop, .watcher = &watch };
    bool                    has_definitions;
    hd_events_end           end;
    hd_status               status;

    if (observer != NULL)
        watch.state = observer->begin(observer->context, decoder->process, decoder->thread);
    if (watch.state != NULL)
        reading.after = notify_observer;
    status = hd_event_files_define(files, decoder->defs, decoder->out->location, NULL, &has_definitions);
    if (status != HD_OK)
        return status;
    if (!has_definitions)
        hd_decoder_plain_finding(decoder, HD_FINDING_NO_DEFINITIONS);
    status = hd_event_files_read(files, location->ref, &reading, &decoder->out->n_events, &end);
    if (end == HD_EVENTS_NO_FILE || end == HD_EVENTS_REFUSED)
        note_no_file(decoder, location);
    else if (end != HD_EVENTS_WHOLE || request->max_events == 0)
        check_number(decoder, location, end == HD_EVENTS_WHOLE);
    return status;
}
