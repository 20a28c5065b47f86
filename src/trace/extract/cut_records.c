#include "cut_records.h"

#include "cut_border.h"
#include "cut_tasks.h"
#include "event_files.h"
#include "event_records.h"
#include "open_things.h"

static bool
flush(hd_cut *cut, hd_time until)
{
    cut->flushed = until;
    if (cut->side == HD_CUT_INSIDE) /* no further than the part */
        hd_cut_put(cut, OTF2_EvtWriter_BufferFlush(cut->writer, NULL, cut->now + (hd_time)cut->moved_by,
                                                   hd_time_min(until, cut->all->request->analysis_interval.to) +
                                                       (hd_time)cut->moved_by));
    return false;
}

static bool
send(hd_cut *cut, uint32_t comm, uint32_t peer, uint32_t tag)
{
    if (cut->writer == NULL)
        hd_crossing_count_message(cut->all->crossing, cut->process, comm, true, peer, tag);
    return true;
}

static bool
keep(hd_cut *cut, bool belongs)
{
    cut->all->result.n_orphans += !belongs;
    return belongs;
}

static bool
receive(hd_cut *cut, uint32_t comm, uint32_t peer, uint32_t tag)
{
    bool is_before;

    if (cut->writer == NULL)
        hd_crossing_count_message(cut->all->crossing, cut->process, comm, false, peer, tag);
    if (cut->side != HD_CUT_INSIDE)
        return true;
    is_before = cut->i_before < cut->n_before && cut->before[cut->i_before] == cut->n_receives;
    cut->i_before += is_before;
    cut->n_receives++;
    return keep(cut, !is_before);
}

static bool
collective(hd_cut *cut, hd_crossing_kind kind, uint32_t comm)
{
    if (cut->writer == NULL)
        hd_crossing_count_collective(cut->all->crossing, cut->process, kind, comm);
    return cut->side != HD_CUT_INSIDE ||
           keep(cut, hd_crossing_take_collective(cut->all->crossing, cut->process, kind, comm));
}

static bool
leave_out(hd_cut *cut)
{
    cut->all->result.n_misfits += cut->side == HD_CUT_INSIDE;
    return false;
}

/* What is done with the records of the part: X(kind, it), which says whether the record is written and has its fields
 * from event_records.h. The last ones are OpenMP before OTF2 1.2, which are not written. */
#define CUT_RECORDS(X) \
    X(BufferFlush, flush(cut, stop)) \
    X(MeasurementOnOff, hd_cut_measurement(cut, mode)) \
    X(Enter, hd_cut_begin(cut, (hd_cut_open){ .kind = HD_CUT_REGION, .ref = region })) \
    X(Leave, hd_cut_end(cut, HD_CUT_REGION, region)) \
    X(MpiSend, send(cut, communicator, receiver, tag)) \
    X(MpiIsend, send(cut, communicator, receiver, tag)) \
    X(MpiRecv, receive(cut, communicator, sender, tag)) \
    X(MpiIrecv, receive(cut, communicator, sender, tag)) \
    X(MpiCollectiveEnd, collective(cut, HD_CROSSING_COLLECTIVE, communicator)) \
    X(RmaCollectiveEnd, collective(cut, HD_CROSSING_WINDOW, window)) \
    X(ThreadFork, hd_cut_begin(cut, (hd_cut_open){ .kind = HD_CUT_FORK, .ref = model, .number = n_threads })) \
    X(ThreadJoin, hd_cut_end(cut, HD_CUT_FORK, model)) \
    X(ThreadTeamBegin, hd_cut_begin(cut, (hd_cut_open){ .kind = HD_CUT_TEAM, .ref = team })) \
    X(ThreadTeamEnd, hd_cut_end(cut, HD_CUT_TEAM, team)) \
    X(ThreadTaskSwitch, hd_cut_switch_task(cut, (hd_cut_task_id){ team, thread, generation })) \
    X(ThreadTaskComplete, hd_cut_complete_task(cut, (hd_cut_task_id){ team, thread, generation })) \
    X(ThreadBegin, hd_cut_begin(cut, (hd_cut_open){ .kind = HD_CUT_THREAD, .ref = contingent, .number = sequence })) \
    X(ThreadEnd, hd_cut_end(cut, HD_CUT_THREAD, contingent)) \
    X(CallingContextEnter, hd_cut_begin_context(cut, context, unwind_distance)) \
    X(CallingContextLeave, hd_cut_end_context(cut, context)) \
    X(CallingContextSample, hd_cut_sample(cut, context, unwind_distance, sampler)) \
    X(ProgramBegin, hd_cut_begin_program(cut, name, n_arguments, arguments)) \
    X(ProgramEnd, hd_cut_end(cut, HD_CUT_PROGRAM, 0)) \
    X(NonBlockingCollectiveComplete, collective(cut, HD_CROSSING_NON_BLOCKING, communicator)) \
    X(MpiIsendComplete, true) X(MpiIrecvRequest, true) X(MpiRequestTest, true) X(MpiRequestCancelled, true) \
    X(MpiCollectiveBegin, true) X(Metric, true) X(ParameterString, true) X(ParameterInt, true) \
    X(ParameterUnsignedInt, true) X(RmaWinCreate, true) X(RmaWinDestroy, true) X(RmaCollectiveBegin, true) \
    X(RmaGroupSync, true) X(RmaRequestLock, true) X(RmaAcquireLock, true) X(RmaTryLock, true) \
    X(RmaReleaseLock, true) X(RmaSync, true) X(RmaWaitChange, true) X(RmaPut, true) X(RmaGet, true) \
    X(RmaAtomic, true) X(RmaOpCompleteBlocking, true) X(RmaOpCompleteNonBlocking, true) X(RmaOpTest, true) \
    X(RmaOpCompleteRemote, true) X(ThreadAcquireLock, true) X(ThreadReleaseLock, true) X(ThreadTaskCreate, true) \
    X(ThreadCreate, true) X(ThreadWait, true) X(IoCreateHandle, true) X(IoDestroyHandle, true) \
    X(IoDuplicateHandle, true) X(IoSeek, true) X(IoChangeStatusFlags, true) X(IoDeleteFile, true) \
    X(IoOperationBegin, true) X(IoOperationTest, true) X(IoOperationIssued, true) X(IoOperationComplete, true) \
    X(IoOperationCancelled, true) X(IoAcquireLock, true) X(IoReleaseLock, true) X(IoTryLock, true) \
    X(NonBlockingCollectiveRequest, true) X(CommCreate, true) X(CommDestroy, true) \
    X(OmpFork, leave_out(cut)) X(OmpJoin, leave_out(cut)) X(OmpAcquireLock, leave_out(cut)) \
    X(OmpReleaseLock, leave_out(cut)) X(OmpTaskCreate, leave_out(cut)) X(OmpTaskSwitch, leave_out(cut)) \
    X(OmpTaskComplete, leave_out(cut))

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"        /* what all callbacks have */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* old archives may have such records */
#define ON_RECORD(kind, what) \
    static OTF2_CallbackCode on_##kind(HD_EVENT_PARAMETERS HD_EVENT_##kind(HD_PARAMETER)) \
    { \
        hd_cut *cut = user; \
\
        if (hd_cut_arrive(cut, position, &time) == HD_CUT_BEHIND) \
            return OTF2_CALLBACK_INTERRUPT; \
        if ((what) && cut->side == HD_CUT_INSIDE) \
            hd_cut_put(cut, OTF2_EvtWriter_##kind(cut->writer, attributes, time HD_EVENT_##kind(HD_ARGUMENT))); \
        return hd_extract_goes_on(cut->all) ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT; \
    }
CUT_RECORDS(ON_RECORD)

static OTF2_CallbackCode
on_unknown(HD_EVENT_PARAMETERS)
{
    hd_cut *cut = user;

    if (hd_cut_arrive(cut, position, &time) == HD_CUT_BEHIND)
        return OTF2_CALLBACK_INTERRUPT;
    cut->all->result.n_misfits += cut->side == HD_CUT_INSIDE;
    cut->n_unknown += cut->side == HD_CUT_INSIDE;
    return OTF2_CALLBACK_SUCCESS;
}

#define HANDLER(kind, what) .kind = on_##kind,
const hd_event_handlers hd_cut_handlers = {
    CUT_RECORDS(HANDLER) .Unknown = on_unknown, .takes_attributes = true
};
#pragma GCC diagnostic pop
