/* tests/writer/archive/trace_records.c: a function for each kind of record; trace_writer.h describes them. */
#include "trace_writer_parts.h"

static uint32_t
region_ref(const tw_location *location, uint32_t region)
{
    const tw_archive *archive = location->archive;

    if (!archive->options.with_mappings)
        return region;
    return tw_local_number(region, (uint32_t)archive->n_regions, location->process);
}

static uint32_t
comm_ref(const tw_location *location, uint32_t comm)
{
    const tw_archive *archive = location->archive;

    if (!archive->options.with_mappings)
        return comm + FIRST_COMM;
    return tw_local_number(comm + FIRST_COMM, (uint32_t)archive->n_comms, location->process);
}

static uint32_t
group_ref(const tw_location *location, uint32_t group)
{
    const tw_archive *archive = location->archive;

    return archive->options.with_mappings ? tw_local_number(group, (uint32_t)archive->n_groups, location->process) :
           group;
}

static uint32_t
window_ref(const tw_location *location, uint32_t window)
{
    const tw_archive *archive = location->archive;

    return archive->options.with_mappings ? tw_local_number(window, (uint32_t)archive->n_windows, location->process) :
           window;
}

static OTF2_TimeStamp
stamp(tw_location *location, hd_time time)
{
    location->n_events++;
    if (time > location->archive->last)
        location->archive->last = time;
    return tw_raw_time(location, time) + location->archive->options.first_time;
}

#define RECORD(type, ...)                                                                                              \
    do {                                                                                                               \
        if (time <= location->end)                                                                                     \
            tw_check(OTF2_EvtWriter_##type(location->writer, NULL, stamp(location, time)__VA_OPT__(, ) __VA_ARGS__),   \
                     #type);                                                                                           \
    } while (0)

void
tw_program_begin(tw_location *location, hd_time time)
{
    RECORD(ProgramBegin, location->archive->text_program, 0, NULL);
}

void
tw_program_end(tw_location *location, hd_time time)
{
    RECORD(ProgramEnd, OTF2_UNDEFINED_INT64);
}

/* Counter k has counted k + 1 times the time so far, and less than 1 % more. */
static void
put_counters(tw_location *location, hd_time time)
{
    uint32_t         n = location->archive->options.n_counters;
    OTF2_Type        types[TW_COUNTERS_MAX];
    OTF2_MetricValue values[TW_COUNTERS_MAX];

    for (uint32_t k = 0; k < n; k++) {
        types[k]               = OTF2_TYPE_UINT64;
        values[k].unsigned_int = time * (k + 1) + time / 128 % (time / 100 + 1);
    }
    if (n > 0)
        RECORD(Metric, 0, (uint8_t)n, types, values);
}

void
tw_enter(tw_location *location, hd_time time, uint32_t region)
{
    put_counters(location, time);
    RECORD(Enter, region_ref(location, region));
}

void
tw_leave(tw_location *location, hd_time time, uint32_t region)
{
    put_counters(location, time);
    RECORD(Leave, region_ref(location, region));
}

void
tw_context_enter(tw_location *location, hd_time time, uint32_t context, uint32_t distance)
{
    RECORD(CallingContextEnter, context, distance);
}

void
tw_context_leave(tw_location *location, hd_time time, uint32_t context)
{
    RECORD(CallingContextLeave, context);
}

void
tw_sample(tw_location *location, hd_time time, uint32_t context, uint32_t distance)
{
    RECORD(CallingContextSample, context, distance, 0);
}

void
tw_send(tw_location *location, hd_time time, uint32_t comm, uint32_t peer, uint32_t tag, uint64_t bytes)
{
    RECORD(MpiSend, peer, comm_ref(location, comm), tag, bytes);
}

void
tw_recv(tw_location *location, hd_time time, uint32_t comm, uint32_t peer, uint32_t tag, uint64_t bytes)
{
    RECORD(MpiRecv, peer, comm_ref(location, comm), tag, bytes);
}

void
tw_isend(tw_location *location, hd_time time, uint32_t comm, uint32_t peer, uint32_t tag, uint64_t bytes,
         uint64_t request)
{
    RECORD(MpiIsend, peer, comm_ref(location, comm), tag, bytes, request);
}

void
tw_isend_complete(tw_location *location, hd_time time, uint64_t request)
{
    RECORD(MpiIsendComplete, request);
}

void
tw_irecv_request(tw_location *location, hd_time time, uint64_t request)
{
    RECORD(MpiIrecvRequest, request);
}

void
tw_irecv(tw_location *location, hd_time time, uint32_t comm, uint32_t peer, uint32_t tag, uint64_t bytes,
         uint64_t request)
{
    RECORD(MpiIrecv, peer, comm_ref(location, comm), tag, bytes, request);
}

void
tw_request_test(tw_location *location, hd_time time, uint64_t request)
{
    RECORD(MpiRequestTest, request);
}

void
tw_cancelled(tw_location *location, hd_time time, uint64_t request)
{
    RECORD(MpiRequestCancelled, request);
}

void
tw_coll_begin(tw_location *location, hd_time time)
{
    RECORD(MpiCollectiveBegin);
}

void
tw_coll_end(tw_location *location, hd_time time, tw_collective operation, uint32_t comm, uint32_t root, uint64_t sent,
            uint64_t received)
{
    RECORD(MpiCollectiveEnd, (OTF2_CollectiveOp)operation, comm_ref(location, comm), root, sent, received);
}

void
tw_nbc_request(tw_location *location, hd_time time, uint64_t request)
{
    RECORD(NonBlockingCollectiveRequest, request);
}

void
tw_nbc_complete(tw_location *location, hd_time time, tw_collective operation, uint32_t comm, uint32_t root,
                uint64_t sent, uint64_t received, uint64_t request)
{
    RECORD(NonBlockingCollectiveComplete, (OTF2_CollectiveOp)operation, comm_ref(location, comm), root, sent, received,
           request);
}

void
tw_comm_create(tw_location *location, hd_time time, uint32_t comm)
{
    RECORD(CommCreate, comm_ref(location, comm));
}

void
tw_comm_destroy(tw_location *location, hd_time time, uint32_t comm)
{
    RECORD(CommDestroy, comm_ref(location, comm));
}

void
tw_buffer_flush(tw_location *location, hd_time time, hd_time stop)
{
    uint64_t last_raw = location->last_raw;
    uint64_t raw_stop;

    /* The stop time lies in the future: the records after it may well be earlier. */
    raw_stop           = tw_raw_time(location, stop) + location->archive->options.first_time;
    location->last_raw = last_raw;
    RECORD(BufferFlush, raw_stop);
}

void
tw_measurement(tw_location *location, hd_time time, bool on)
{
    RECORD(MeasurementOnOff, on ? OTF2_MEASUREMENT_ON : OTF2_MEASUREMENT_OFF);
}

void
tw_fork(tw_location *location, hd_time time, uint32_t n_threads)
{
    RECORD(ThreadFork, OTF2_PARADIGM_OPENMP, n_threads);
}

void
tw_join(tw_location *location, hd_time time)
{
    RECORD(ThreadJoin, OTF2_PARADIGM_OPENMP);
}

void
tw_team_begin(tw_location *location, hd_time time, uint32_t team)
{
    RECORD(ThreadTeamBegin, comm_ref(location, team));
}

void
tw_team_end(tw_location *location, hd_time time, uint32_t team)
{
    RECORD(ThreadTeamEnd, comm_ref(location, team));
}

static OTF2_Paradigm
lock_paradigm(bool is_posix)
{
    return is_posix ? OTF2_PARADIGM_PTHREAD : OTF2_PARADIGM_OPENMP;
}

void
tw_acquire(tw_location *location, hd_time time, bool is_posix, uint32_t lock, uint32_t order)
{
    RECORD(ThreadAcquireLock, lock_paradigm(is_posix), lock, order);
}

void
tw_release(tw_location *location, hd_time time, bool is_posix, uint32_t lock, uint32_t order)
{
    RECORD(ThreadReleaseLock, lock_paradigm(is_posix), lock, order);
}

void
tw_task_create(tw_location *location, hd_time time, uint32_t team, uint32_t creator, uint32_t generation)
{
    RECORD(ThreadTaskCreate, comm_ref(location, team), creator, generation);
}

void
tw_task_switch(tw_location *location, hd_time time, uint32_t team, uint32_t creator, uint32_t generation)
{
    RECORD(ThreadTaskSwitch, comm_ref(location, team), creator, generation);
}

void
tw_task_complete(tw_location *location, hd_time time, uint32_t team, uint32_t creator, uint32_t generation)
{
    RECORD(ThreadTaskComplete, comm_ref(location, team), creator, generation);
}

void
tw_thread_create(tw_location *location, hd_time time, uint32_t contingent, uint64_t sequence)
{
    RECORD(ThreadCreate, comm_ref(location, contingent), sequence);
}

void
tw_thread_begin(tw_location *location, hd_time time, uint32_t contingent, uint64_t sequence)
{
    RECORD(ThreadBegin, comm_ref(location, contingent), sequence);
}

void
tw_thread_wait(tw_location *location, hd_time time, uint32_t contingent, uint64_t sequence)
{
    RECORD(ThreadWait, comm_ref(location, contingent), sequence);
}

void
tw_thread_end(tw_location *location, hd_time time, uint32_t contingent, uint64_t sequence)
{
    RECORD(ThreadEnd, comm_ref(location, contingent), sequence);
}

void
tw_rma_win_create(tw_location *location, hd_time time, uint32_t window)
{
    RECORD(RmaWinCreate, window_ref(location, window));
}

void
tw_rma_win_destroy(tw_location *location, hd_time time, uint32_t window)
{
    RECORD(RmaWinDestroy, window_ref(location, window));
}

void
tw_rma_collective_begin(tw_location *location, hd_time time)
{
    RECORD(RmaCollectiveBegin);
}

void
tw_rma_collective_end(tw_location *location, hd_time time, tw_collective operation, uint32_t sync, uint32_t window,
                      uint32_t root, uint64_t sent, uint64_t received)
{
    RECORD(RmaCollectiveEnd, (OTF2_CollectiveOp)operation, sync, window_ref(location, window), root, sent, received);
}

void
tw_rma_group_sync(tw_location *location, hd_time time, uint32_t sync, uint32_t window, uint32_t group)
{
    RECORD(RmaGroupSync, sync, window_ref(location, window), group_ref(location, group));
}

static OTF2_LockType
lock_type(bool exclusive)
{
    return exclusive ? OTF2_LOCK_EXCLUSIVE : OTF2_LOCK_SHARED;
}

void
tw_rma_request_lock(tw_location *location, hd_time time, uint32_t window, uint32_t remote, uint64_t lock,
                    bool exclusive)
{
    RECORD(RmaRequestLock, window_ref(location, window), remote, lock, lock_type(exclusive));
}

void
tw_rma_acquire_lock(tw_location *location, hd_time time, uint32_t window, uint32_t remote, uint64_t lock,
                    bool exclusive)
{
    RECORD(RmaAcquireLock, window_ref(location, window), remote, lock, lock_type(exclusive));
}

void
tw_rma_release_lock(tw_location *location, hd_time time, uint32_t window, uint32_t remote, uint64_t lock)
{
    RECORD(RmaReleaseLock, window_ref(location, window), remote, lock);
}

void
tw_rma_put(tw_location *location, hd_time time, uint32_t window, uint32_t remote, uint64_t bytes, uint64_t matching)
{
    RECORD(RmaPut, window_ref(location, window), remote, bytes, matching);
}

void
tw_rma_get(tw_location *location, hd_time time, uint32_t window, uint32_t remote, uint64_t bytes, uint64_t matching)
{
    RECORD(RmaGet, window_ref(location, window), remote, bytes, matching);
}

void
tw_rma_atomic(tw_location *location, hd_time time, uint32_t window, uint32_t remote, tw_atomic type, uint64_t sent,
              uint64_t received, uint64_t matching)
{
    RECORD(RmaAtomic, window_ref(location, window), remote, (OTF2_RmaAtomicType)type, sent, received, matching);
}

void
tw_rma_op_complete_blocking(tw_location *location, hd_time time, uint32_t window, uint64_t matching)
{
    RECORD(RmaOpCompleteBlocking, window_ref(location, window), matching);
}

void
tw_rma_op_complete_non_blocking(tw_location *location, hd_time time, uint32_t window, uint64_t matching)
{
    RECORD(RmaOpCompleteNonBlocking, window_ref(location, window), matching);
}

void
tw_rma_op_complete_remote(tw_location *location, hd_time time, uint32_t window, uint64_t matching)
{
    RECORD(RmaOpCompleteRemote, window_ref(location, window), matching);
}

void
tw_rma_wait_change(tw_location *location, hd_time time, uint32_t window)
{
    RECORD(RmaWaitChange, window_ref(location, window));
}

void
tw_file_create(tw_location *location, hd_time time, uint32_t handle)
{
    RECORD(IoCreateHandle, handle, OTF2_IO_ACCESS_MODE_READ_WRITE, OTF2_IO_CREATION_FLAG_NONE,
           OTF2_IO_STATUS_FLAG_NONE);
}

void
tw_file_destroy(tw_location *location, hd_time time, uint32_t handle)
{
    RECORD(IoDestroyHandle, handle);
}

void
tw_file_seek(tw_location *location, hd_time time, uint32_t handle)
{
    RECORD(IoSeek, handle, 0, OTF2_IO_SEEK_FROM_START, 0);
}

void
tw_file_begin(tw_location *location, hd_time time, uint32_t handle, tw_file_mode mode, bool is_blocking,
              bool is_collective, uint64_t bytes, uint64_t matching)
{
    OTF2_IoOperationFlag flags = (is_blocking ? 0 : OTF2_IO_OPERATION_FLAG_NON_BLOCKING) |
                                 (is_collective ? OTF2_IO_OPERATION_FLAG_COLLECTIVE : 0);

    RECORD(IoOperationBegin, handle, (OTF2_IoOperationMode)mode, flags, bytes, matching);
}

void
tw_file_issued(tw_location *location, hd_time time, uint32_t handle, uint64_t matching)
{
    RECORD(IoOperationIssued, handle, matching);
}

void
tw_file_complete(tw_location *location, hd_time time, uint32_t handle, uint64_t bytes, uint64_t matching)
{
    RECORD(IoOperationComplete, handle, bytes, matching);
}

void
tw_file_cancelled(tw_location *location, hd_time time, uint32_t handle, uint64_t matching)
{
    RECORD(IoOperationCancelled, handle, matching);
}
