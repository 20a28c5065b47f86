#include "event_file.h"

#include <errno.h>
#include <fcntl.h>
#include <otf2/otf2.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive.h"
#include "chunk.h"
#include "memory.h"

enum { CHECK_BYTES = 256 * 1024 };

struct hd_event_reader {
    char                   *anchor;
    OTF2_Reader            *reader;
    OTF2_EvtReaderCallbacks *callbacks, *clocked; /* clocked: of locations whose clocks are corrected */
    bool                    raw_clocks;
    bool                    is_in_files; /* one for each location; else in containers, which the OTF2 library knows */
};

#define RECORD_ARGUMENTS OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user, OTF2_AttributeList *attributes
#define RECORD_UNUSED (void)location, (void)position, (void)attributes

static OTF2_CallbackCode
on_enter(RECORD_ARGUMENTS, OTF2_RegionRef region)
{
    hd_decoder *decoder = user;
    uint32_t    index   = hd_refs_index(&decoder->refs->regions, region);

    RECORD_UNUSED;
    time = hd_decoder_at(decoder, time);
    if (HD_UNLIKELY(index == HD_NONE)) {
        hd_decoder_finding(decoder, HD_FINDING_UNKNOWN, HD_NONE, HD_NONE, HD_NONE);
        return OTF2_CALLBACK_SUCCESS;
    }
    hd_decoder_enter(decoder, time, index);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_leave(RECORD_ARGUMENTS, OTF2_RegionRef region)
{
    hd_decoder *decoder = user;

    RECORD_UNUSED;
    time = hd_decoder_at(decoder, time);
    hd_decoder_leave(decoder, time, hd_refs_index(&decoder->refs->regions, region));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_program_begin(RECORD_ARGUMENTS, OTF2_StringRef name, uint32_t n_arguments, const OTF2_StringRef *arguments)
{
    hd_decoder *decoder = user;
    uint32_t    string  = hd_refs_index(&decoder->refs->strings, name);

    RECORD_UNUSED;
    (void)n_arguments, (void)arguments;
    time = hd_decoder_at(decoder, time);
    if (string == HD_NONE)
        hd_decoder_finding(decoder, HD_FINDING_UNKNOWN, HD_NONE, HD_NONE, HD_NONE);
    else
        hd_decoder_enter(decoder, time, decoder->defs->first_program_region + string);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_program_end(RECORD_ARGUMENTS, int64_t exit_status)
{
    hd_decoder *decoder = user;

    RECORD_UNUSED;
    (void)exit_status;
    time = hd_decoder_at(decoder, time);
    if (HD_UNLIKELY(decoder->contexts != NULL))
        hd_decoder_contexts_close(decoder);
    if (decoder->depth > 0)
        hd_decoder_leave(decoder, time, decoder->frames[0].region);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_flush(RECORD_ARGUMENTS, OTF2_TimeStamp stop)
{
    RECORD_UNUSED;
    hd_decoder_flush(user, time, stop);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_measurement(RECORD_ARGUMENTS, OTF2_MeasurementMode mode)
{
    hd_decoder *decoder = user;

    RECORD_UNUSED;
    time = hd_decoder_at(decoder, time);
    if (mode == OTF2_MEASUREMENT_OFF)
        hd_decoder_enter(decoder, time, decoder->defs->off_region);
    else
        hd_decoder_leave(decoder, time, decoder->defs->off_region);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_send(RECORD_ARGUMENTS, uint32_t receiver, OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
    hd_decoder *decoder = user;

    RECORD_UNUSED;
    hd_decoder_send(decoder, &(hd_message_record){ hd_decoder_at(decoder, time), receiver, comm, tag, bytes }, NULL);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_isend(RECORD_ARGUMENTS, uint32_t receiver, OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t request)
{
    hd_decoder *decoder = user;

    RECORD_UNUSED;
    hd_decoder_send(decoder, &(hd_message_record){ hd_decoder_at(decoder, time), receiver, comm, tag, bytes }, &request);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_isend_complete(RECORD_ARGUMENTS, uint64_t request)
{
    hd_decoder *decoder = user;

    RECORD_UNUSED;
    hd_decoder_at(decoder, time);
    hd_decoder_send_complete(decoder, request);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_irecv_request(RECORD_ARGUMENTS, uint64_t request)
{
    hd_decoder *decoder = user;

    RECORD_UNUSED;
    hd_decoder_at(decoder, time);
    hd_decoder_receive_request(decoder, request);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_recv(RECORD_ARGUMENTS, uint32_t sender, OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
    hd_decoder *decoder = user;

    RECORD_UNUSED;
    hd_decoder_receive(decoder, &(hd_message_record){ hd_decoder_at(decoder, time), sender, comm, tag, bytes }, NULL);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_irecv(RECORD_ARGUMENTS, uint32_t sender, OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t request)
{
    hd_decoder *decoder = user;

    RECORD_UNUSED;
    hd_decoder_receive(decoder, &(hd_message_record){ hd_decoder_at(decoder, time), sender, comm, tag, bytes }, &request);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_cancelled(RECORD_ARGUMENTS, uint64_t request)
{
    hd_decoder *decoder = user;

    RECORD_UNUSED;
    hd_decoder_at(decoder, time);
    hd_decoder_cancelled(decoder, request);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_coll_begin(RECORD_ARGUMENTS)
{
    hd_decoder *decoder = user;

    RECORD_UNUSED;
    decoder->coll_begin     = hd_decoder_at(decoder, time);
    decoder->has_coll_begin = true;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_coll_end(RECORD_ARGUMENTS, OTF2_CollectiveOp operation, OTF2_CommRef comm, uint32_t root, uint64_t sent, uint64_t received)
{
    hd_decoder *decoder = user;

    RECORD_UNUSED;
    hd_decoder_collective(decoder,
                          &(hd_collective_record){ hd_decoder_at(decoder, time), operation, comm, root, sent, received });
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_nbc_request(RECORD_ARGUMENTS, uint64_t request)
{
    hd_decoder *decoder = user;

    RECORD_UNUSED;
    hd_decoder_at(decoder, time);
    hd_decoder_nbc_request(decoder, request);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_nbc_complete(RECORD_ARGUMENTS, OTF2_CollectiveOp operation, OTF2_CommRef comm, uint32_t root, uint64_t sent, uint64_t received,
                uint64_t request)
{
    hd_decoder *decoder = user;

    RECORD_UNUSED;
    hd_decoder_nbc_complete(
        decoder, &(hd_collective_record){ hd_decoder_at(decoder, time), operation, comm, root, sent, received }, request);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_rma_coll_end(RECORD_ARGUMENTS, OTF2_CollectiveOp operation, OTF2_RmaSyncLevel level, OTF2_RmaWinRef window, uint32_t root,
                uint64_t sent, uint64_t received)
{
    hd_decoder *decoder = user;

    RECORD_UNUSED;
    (void)level;
    hd_decoder_rma_collective(decoder,
                              &(hd_collective_record){ hd_decoder_at(decoder, time), operation, window, root, sent, received });
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_rma_group(RECORD_ARGUMENTS, OTF2_RmaSyncLevel level, OTF2_RmaWinRef window, OTF2_GroupRef group)
{
    RECORD_UNUSED;
    hd_decoder_at(user, time);
    hd_decoder_rma_group(user, window, group, level != OTF2_RMA_SYNC_LEVEL_NONE);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_rma_put(RECORD_ARGUMENTS, OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes, uint64_t matching)
{
    RECORD_UNUSED;
    hd_decoder_at(user, time);
    hd_decoder_rma_access(user, &(hd_access_record){ window, remote, bytes, 0, matching });
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_rma_get(RECORD_ARGUMENTS, OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes, uint64_t matching)
{
    RECORD_UNUSED;
    hd_decoder_at(user, time);
    hd_decoder_rma_access(user, &(hd_access_record){ window, remote, 0, bytes, matching });
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_rma_atomic(RECORD_ARGUMENTS, OTF2_RmaWinRef window, uint32_t remote, OTF2_RmaAtomicType type, uint64_t sent, uint64_t received,
              uint64_t matching)
{
    RECORD_UNUSED;
    (void)type;
    hd_decoder_at(user, time);
    hd_decoder_rma_access(user, &(hd_access_record){ window, remote, sent, received, matching });
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_rma_complete(RECORD_ARGUMENTS, OTF2_RmaWinRef window, uint64_t matching)
{
    RECORD_UNUSED;
    hd_decoder_at(user, time);
    hd_decoder_rma_complete(user, window, matching, false);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_rma_complete_remote(RECORD_ARGUMENTS, OTF2_RmaWinRef window, uint64_t matching)
{
    RECORD_UNUSED;
    hd_decoder_at(user, time);
    hd_decoder_rma_complete(user, window, matching, true);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_rma_lock(RECORD_ARGUMENTS, OTF2_RmaWinRef window, uint32_t remote, uint64_t lock, OTF2_LockType type)
{
    RECORD_UNUSED;
    (void)lock;
    hd_decoder_at(user, time);
    hd_decoder_rma_lock(user, window, remote, type == OTF2_LOCK_EXCLUSIVE);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_rma_unlock(RECORD_ARGUMENTS, OTF2_RmaWinRef window, uint32_t remote, uint64_t lock)
{
    RECORD_UNUSED;
    (void)lock;
    hd_decoder_at(user, time);
    hd_decoder_rma_unlock(user, window, remote);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_fork(RECORD_ARGUMENTS, OTF2_Paradigm model, uint32_t n_threads)
{
    hd_decoder *decoder = user;

    RECORD_UNUSED;
    (void)model, (void)n_threads;
    hd_decoder_at(decoder, time);
    hd_decoder_fork(decoder);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_team_begin(RECORD_ARGUMENTS, OTF2_CommRef team)
{
    hd_decoder *decoder = user;

    RECORD_UNUSED;
    hd_decoder_at(decoder, time);
    hd_decoder_team_begin(decoder, team);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_team_end(RECORD_ARGUMENTS, OTF2_CommRef team)
{
    hd_decoder *decoder = user;

    RECORD_UNUSED;
    (void)team;
    hd_decoder_at(decoder, time);
    hd_decoder_team_end(decoder);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_join(RECORD_ARGUMENTS, OTF2_Paradigm model)
{
    hd_decoder *decoder = user;

    RECORD_UNUSED;
    (void)model;
    hd_decoder_at(decoder, time);
    hd_decoder_join_team(decoder);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_acquire(RECORD_ARGUMENTS, OTF2_Paradigm model, uint32_t lock, uint32_t order)
{
    RECORD_UNUSED;
    hd_decoder_at(user, time);
    hd_decoder_acquire(user, model, lock, order);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_release(RECORD_ARGUMENTS, OTF2_Paradigm model, uint32_t lock, uint32_t order)
{
    RECORD_UNUSED;
    hd_decoder_at(user, time);
    hd_decoder_release(user, model, lock, order);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_task_switch(RECORD_ARGUMENTS, OTF2_CommRef team, uint32_t thread, uint32_t generation)
{
    RECORD_UNUSED;
    hd_decoder_at(user, time);
    hd_decoder_task_switch(user, team, (uint64_t)thread << 32 | generation);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_task_complete(RECORD_ARGUMENTS, OTF2_CommRef team, uint32_t thread, uint32_t generation)
{
    RECORD_UNUSED;
    hd_decoder_at(user, time);
    hd_decoder_task_complete(user, team, (uint64_t)thread << 32 | generation);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_thread_begin(RECORD_ARGUMENTS, OTF2_CommRef contingent, uint64_t sequence)
{
    hd_decoder *decoder = user;

    RECORD_UNUSED;
    (void)contingent, (void)sequence;
    hd_decoder_at(decoder, time);
    hd_decoder_thread_begin(decoder);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_thread_end(RECORD_ARGUMENTS, OTF2_CommRef contingent, uint64_t sequence)
{
    hd_decoder *decoder = user;

    RECORD_UNUSED;
    (void)contingent, (void)sequence;
    hd_decoder_at(decoder, time);
    hd_decoder_team_end(decoder);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_context_enter(RECORD_ARGUMENTS, OTF2_CallingContextRef context, uint32_t unwind_distance)
{
    RECORD_UNUSED;
    hd_decoder_at(user, time);
    hd_decoder_context(user, context, unwind_distance, true);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_context_leave(RECORD_ARGUMENTS, OTF2_CallingContextRef context)
{
    RECORD_UNUSED;
    hd_decoder_at(user, time);
    hd_decoder_context_leave(user, context);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_sample(RECORD_ARGUMENTS, OTF2_CallingContextRef context, uint32_t unwind_distance, OTF2_InterruptGeneratorRef sampler)
{
    RECORD_UNUSED;
    (void)sampler;
    hd_decoder_at(user, time);
    hd_decoder_context(user, context, unwind_distance, false);
    return OTF2_CALLBACK_SUCCESS;
}

/* Those of OpenMP as OTF2 before 1.2 has them: without teams, tasks by a number that is the same as later ones in two halves. */
static OTF2_CallbackCode
on_omp_fork(RECORD_ARGUMENTS, uint32_t n_threads)
{
    return on_fork(location, time, position, user, attributes, OTF2_PARADIGM_OPENMP, n_threads);
}

static OTF2_CallbackCode
on_omp_join(RECORD_ARGUMENTS)
{
    return on_join(location, time, position, user, attributes, OTF2_PARADIGM_OPENMP);
}

static OTF2_CallbackCode
on_omp_acquire(RECORD_ARGUMENTS, uint32_t lock, uint32_t order)
{
    return on_acquire(location, time, position, user, attributes, OTF2_PARADIGM_OPENMP, lock, order);
}

static OTF2_CallbackCode
on_omp_release(RECORD_ARGUMENTS, uint32_t lock, uint32_t order)
{
    return on_release(location, time, position, user, attributes, OTF2_PARADIGM_OPENMP, lock, order);
}

static OTF2_CallbackCode
on_omp_task_switch(RECORD_ARGUMENTS, uint64_t task)
{
    RECORD_UNUSED;
    hd_decoder_at(user, time);
    hd_decoder_task_switch(user, OTF2_UNDEFINED_COMM, task);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_omp_task_complete(RECORD_ARGUMENTS, uint64_t task)
{
    RECORD_UNUSED;
    hd_decoder_at(user, time);
    hd_decoder_task_complete(user, OTF2_UNDEFINED_COMM, task);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_unknown(RECORD_ARGUMENTS)
{
    RECORD_UNUSED;
    hd_decoder_at(user, time);
    hd_decoder_finding(user, HD_FINDING_UNKNOWN_KIND, HD_NONE, HD_NONE, HD_NONE);
    return OTF2_CALLBACK_SUCCESS;
}

/* All records that are read but for flushes and unknown ones: name in OTF2, function, whether it is a point of clock_log.h, what it has, and the same
 * without types. */
#define RECORDS(X)                                                                                                               \
    X(Enter, on_enter, region_is_point(user, region), (, OTF2_RegionRef region), (, region))                                     \
    X(Leave, on_leave, region_is_point(user, region), (, OTF2_RegionRef region), (, region))                                     \
    X(ProgramBegin, on_program_begin, false, (, OTF2_StringRef name, uint32_t n_arguments, const OTF2_StringRef *arguments),     \
      (, name, n_arguments, arguments))                                                                                          \
    X(ProgramEnd, on_program_end, false, (, int64_t exit_status), (, exit_status))                                               \
    X(MeasurementOnOff, on_measurement, false, (, OTF2_MeasurementMode mode), (, mode))                                          \
    X(MpiSend, on_send, true, (, uint32_t receiver, OTF2_CommRef comm, uint32_t tag, uint64_t bytes),                            \
      (, receiver, comm, tag, bytes))                                                                                            \
    X(MpiIsend, on_isend, true, (, uint32_t receiver, OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t request),        \
      (, receiver, comm, tag, bytes, request))                                                                                   \
    X(MpiIsendComplete, on_isend_complete, false, (, uint64_t request), (, request))                                             \
    X(MpiIrecvRequest, on_irecv_request, false, (, uint64_t request), (, request))                                               \
    X(MpiRecv, on_recv, true, (, uint32_t sender, OTF2_CommRef comm, uint32_t tag, uint64_t bytes),                              \
      (, sender, comm, tag, bytes))                                                                                              \
    X(MpiIrecv, on_irecv, true, (, uint32_t sender, OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t request),          \
      (, sender, comm, tag, bytes, request))                                                                                     \
    X(MpiRequestCancelled, on_cancelled, false, (, uint64_t request), (, request))                                               \
    X(MpiCollectiveBegin, on_coll_begin, true, (), ())                                                                           \
    X(MpiCollectiveEnd, on_coll_end, true, (, OTF2_CollectiveOp operation, OTF2_CommRef comm, uint32_t root, uint64_t sent, uint64_t received),\
      (, operation, comm, root, sent, received))                                                                                 \
    X(NonBlockingCollectiveRequest, on_nbc_request, true, (, uint64_t request), (, request))                                     \
    X(NonBlockingCollectiveComplete, on_nbc_complete, true, (, OTF2_CollectiveOp operation, OTF2_CommRef comm, uint32_t root, uint64_t sent, uint64_t received, uint64_t request),\
      (, operation, comm, root, sent, received, request))                                                                        \
    X(RmaCollectiveBegin, on_coll_begin, true, (), ())                                                                           \
    X(RmaCollectiveEnd, on_rma_coll_end, true, (, OTF2_CollectiveOp operation, OTF2_RmaSyncLevel level, OTF2_RmaWinRef window, uint32_t root, uint64_t sent, uint64_t received),\
      (, operation, level, window, root, sent, received))                                                                        \
    X(RmaGroupSync, on_rma_group, true, (, OTF2_RmaSyncLevel level, OTF2_RmaWinRef window, OTF2_GroupRef group),                 \
      (, level, window, group))                                                                                                  \
    X(RmaPut, on_rma_put, true, (, OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes, uint64_t matching),                  \
      (, window, remote, bytes, matching))                                                                                       \
    X(RmaGet, on_rma_get, true, (, OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes, uint64_t matching),                  \
      (, window, remote, bytes, matching))                                                                                       \
    X(RmaAtomic, on_rma_atomic, true, (, OTF2_RmaWinRef window, uint32_t remote, OTF2_RmaAtomicType type,                        \
      uint64_t sent, uint64_t received, uint64_t matching),                                                                      \
      (, window, remote, type, sent, received, matching))                                                                        \
    X(RmaOpCompleteBlocking, on_rma_complete, false, (, OTF2_RmaWinRef window, uint64_t matching), (, window, matching))         \
    X(RmaOpCompleteNonBlocking, on_rma_complete, false, (, OTF2_RmaWinRef window, uint64_t matching), (, window, matching))      \
    X(RmaOpCompleteRemote, on_rma_complete_remote, false, (, OTF2_RmaWinRef window, uint64_t matching), (, window, matching))    \
    X(RmaRequestLock, on_rma_lock, false, (, OTF2_RmaWinRef window, uint32_t remote, uint64_t lock, OTF2_LockType type),         \
      (, window, remote, lock, type))                                                                                            \
    X(RmaReleaseLock, on_rma_unlock, false, (, OTF2_RmaWinRef window, uint32_t remote, uint64_t lock),                           \
      (, window, remote, lock))                                                                                                  \
    X(ThreadFork, on_fork, true, (, OTF2_Paradigm model, uint32_t n_threads), (, model, n_threads))                              \
    X(ThreadJoin, on_join, true, (, OTF2_Paradigm model), (, model))                                                             \
    X(ThreadAcquireLock, on_acquire, false, (, OTF2_Paradigm model, uint32_t lock, uint32_t order), (, model, lock, order))      \
    X(ThreadReleaseLock, on_release, false, (, OTF2_Paradigm model, uint32_t lock, uint32_t order), (, model, lock, order))      \
    X(ThreadTaskSwitch, on_task_switch, false, (, OTF2_CommRef team, uint32_t thread, uint32_t generation),                      \
      (, team, thread, generation))                                                                                              \
    X(ThreadTaskComplete, on_task_complete, false, (, OTF2_CommRef team, uint32_t thread, uint32_t generation),                  \
      (, team, thread, generation))                                                                                              \
    X(ThreadTeamBegin, on_team_begin, true, (, OTF2_CommRef team), (, team))                                                     \
    X(ThreadTeamEnd, on_team_end, true, (, OTF2_CommRef team), (, team))                                                         \
    X(ThreadBegin, on_thread_begin, false, (, OTF2_CommRef contingent, uint64_t sequence), (, contingent, sequence))             \
    X(ThreadEnd, on_thread_end, false, (, OTF2_CommRef contingent, uint64_t sequence), (, contingent, sequence))                 \
    X(CallingContextEnter, on_context_enter, false, (, OTF2_CallingContextRef context, uint32_t unwind_distance),                \
      (, context, unwind_distance))                                                                                              \
    X(CallingContextLeave, on_context_leave, false, (, OTF2_CallingContextRef context), (, context))                             \
    X(CallingContextSample, on_sample, false, (, OTF2_CallingContextRef context, uint32_t unwind_distance,                       \
      OTF2_InterruptGeneratorRef sampler), (, context, unwind_distance, sampler))                                                \
    X(OmpFork, on_omp_fork, false, (, uint32_t n_threads), (, n_threads))                                                        \
    X(OmpJoin, on_omp_join, false, (), ())                                                                                       \
    X(OmpAcquireLock, on_omp_acquire, false, (, uint32_t lock, uint32_t order), (, lock, order))                                 \
    X(OmpReleaseLock, on_omp_release, false, (, uint32_t lock, uint32_t order), (, lock, order))                                 \
    X(OmpTaskSwitch, on_omp_task_switch, false, (, uint64_t task), (, task))                                                     \
    X(OmpTaskComplete, on_omp_task_complete, false, (, uint64_t task), (, task))

/* Whether an enter or leave is a point of clock_log.h. */
static bool
region_is_point(const hd_decoder *decoder, OTF2_RegionRef region)
{
    uint32_t index = hd_refs_index(&decoder->refs->regions, region);

    return index != HD_NONE && hd_clock_has_points(&decoder->regions[index]);
}

/* The same records of a location whose clock is corrected. */
#define CLOCKED(name, function, is_point, parameters, arguments)                                                                 \
    static OTF2_CallbackCode clocked_##name(RECORD_ARGUMENTS UNWRAP parameters)                                                  \
    {                                                                                                                            \
        time = hd_decoder_clock(user, time, is_point);                                                                           \
        return function(location, time, position, user, attributes UNWRAP arguments);                                            \
    }
#define UNWRAP(...) __VA_ARGS__
RECORDS(CLOCKED)
CLOCKED(Unknown, on_unknown, false, (), ())

static OTF2_CallbackCode
clocked_flush(RECORD_ARGUMENTS, OTF2_TimeStamp stop)
{
    hd_decoder *decoder = user;

    time = hd_decoder_clock(decoder, time, false);
    return on_flush(location, time, position, user, attributes, hd_clock_cursor_ahead(&decoder->clock, stop));
}

static OTF2_EvtReaderCallbacks *
new_callbacks(bool clocked)
{
    OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();

    if (callbacks == NULL)
        hd_fatal("out of memory: the OTF2 library could not allocate its table of callbacks");
#define REGISTER(name, function, is_point, parameters, arguments)                                                                \
    OTF2_EvtReaderCallbacks_Set##name##Callback(callbacks, clocked ? clocked_##name : function);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* old archives may have them */
    RECORDS(REGISTER)
#pragma GCC diagnostic pop
    OTF2_EvtReaderCallbacks_SetBufferFlushCallback(callbacks, clocked ? clocked_flush : on_flush);
    OTF2_EvtReaderCallbacks_SetUnknownCallback(callbacks, clocked ? clocked_Unknown : on_unknown);
    return callbacks;
}

hd_status
hd_event_reader_open(const char *anchor, bool raw_clocks, hd_event_reader **reader)
{
    OTF2_Reader       *otf2      = OTF2_Reader_Open(anchor);
    OTF2_FileSubstrate substrate = OTF2_SUBSTRATE_POSIX;

    if (otf2 == NULL)
        return hd_fail(HD_EOPEN, "cannot open archive \"%s\" again", anchor);
    OTF2_Reader_SetSerialCollectiveCallbacks(otf2);
    *reader              = HD_NEW(hd_event_reader);
    (*reader)->reader    = otf2;
    (*reader)->anchor    = hd_strdup(anchor);
    (*reader)->raw_clocks = raw_clocks;
    (*reader)->callbacks = new_callbacks(false);
    (*reader)->clocked   = new_callbacks(true);
    (*reader)->is_in_files = OTF2_Reader_GetFileSubstrate(otf2, &substrate) != OTF2_SUCCESS || substrate != OTF2_SUBSTRATE_SION;
    OTF2_Reader_OpenDefFiles(otf2);
    OTF2_Reader_OpenEvtFiles(otf2);
    return HD_OK;
}

void
hd_event_reader_close(hd_event_reader *reader)
{
    if (reader == NULL)
        return;
    OTF2_EvtReaderCallbacks_Delete(reader->callbacks);
    OTF2_EvtReaderCallbacks_Delete(reader->clocked);
    OTF2_Reader_CloseDefFiles(reader->reader);
    OTF2_Reader_CloseEvtFiles(reader->reader);
    OTF2_Reader_Close(reader->reader);
    free(reader->anchor);
    free(reader);
}

static bool
may_exist(const hd_event_reader *reader, uint64_t ref, const char *suffix)
{
    char *path   = hd_archive_file(reader->anchor, ref, suffix);
    bool  may    = !reader->is_in_files || access(path, R_OK) == 0;

    free(path);
    return may;
}

static OTF2_CallbackCode
on_offset(void *user, OTF2_TimeStamp time, int64_t offset, double deviation)
{
    const hd_own_definitions *takes = user;

    (void)deviation;
    if (takes->offset != NULL)
        takes->offset(takes->user, time, offset);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_mapping(void *user, OTF2_MappingType type, const OTF2_IdMap *map)
{
    const hd_own_definitions *takes = user;

    (void)type, (void)map;
    if (takes->mapping != NULL)
        takes->mapping(takes->user);
    return OTF2_CALLBACK_SUCCESS;
}

static void
register_definitions(hd_event_reader *reader, OTF2_DefReader *definitions, const hd_own_definitions *takes)
{
    OTF2_DefReaderCallbacks *callbacks = OTF2_DefReaderCallbacks_New();

    if (callbacks == NULL)
        hd_fatal("out of memory: the OTF2 library could not allocate its table of callbacks");
    OTF2_DefReaderCallbacks_SetClockOffsetCallback(callbacks, on_offset);
    OTF2_DefReaderCallbacks_SetMappingTableCallback(callbacks, on_mapping);
    OTF2_Reader_RegisterDefCallbacks(reader->reader, definitions, callbacks, (void *)(uintptr_t)takes);
    OTF2_DefReaderCallbacks_Delete(callbacks);
}

/* Whether it is the system that fails to read a file, and not the file that is damaged: asked when libotf2, which does not tell, has failed. */
static hd_status
check_readable(const hd_event_reader *reader, uint64_t ref, const char *suffix)
{
    char       *path   = hd_archive_file(reader->anchor, ref, suffix);
    int         file   = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), error = errno;
    char       *buffer = NULL;
    ssize_t     n      = 0;
    struct stat status;

    if (file >= 0 && fstat(file, &status) == 0 && (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))) { /* others may have no end */
        buffer = HD_NEW_UNSET(char, CHECK_BYTES);
        while ((n = read(file, buffer, CHECK_BYTES)) > 0 || (n < 0 && errno == EINTR))
            ;
        error = errno;
        free(buffer);
    }
    if (file >= 0)
        close(file);
    if ((file >= 0 && n >= 0) || error == ENOENT || error == ENOTDIR) {
        free(path);
        return HD_OK;
    }
    hd_fail(HD_EREAD, "a file of the archive cannot be read: %s", strerror(error));
    hd_fail_detail("file", "\"%s\"", path);
    free(path);
    return HD_EREAD;
}

/* False: the file is not there, or cannot be looked over. */
static bool
open_chunks(const hd_event_reader *reader, uint64_t ref, hd_chunk_kind kind, hd_chunks *chunks)
{
    char    *path      = hd_archive_file(reader->anchor, ref, kind == HD_CHUNK_EVENTS ? "evt" : "def");
    uint64_t of_events = 0, of_definitions = 0;
    bool     is_open;

    OTF2_Reader_GetChunkSize(reader->reader, &of_events, &of_definitions);
    is_open = hd_chunks_open(chunks, path, kind == HD_CHUNK_EVENTS ? of_events : of_definitions, kind);
    free(path);
    return is_open;
}

/* The location's own definitions: mapping tables and clock offsets, applied by the OTF2 library from then on. */
static bool
read_definitions(hd_event_reader *reader, uint64_t ref, const hd_own_definitions *takes)
{
    OTF2_DefReader *definitions;
    hd_chunks       chunks;
    uint64_t        n;
    OTF2_ErrorCode  error = OTF2_ERROR_INVALID;

    if (open_chunks(reader, ref, HD_CHUNK_LOCAL_DEFINITIONS, &chunks))
        while (hd_chunks_next(&chunks) > 0)
            continue;
    definitions = chunks.is_whole || !reader->is_in_files ? OTF2_Reader_GetDefReader(reader->reader, ref) : NULL;
    hd_chunks_close(&chunks);
    if (definitions == NULL)
        return !reader->is_in_files;
    if (takes != NULL)
        register_definitions(reader, definitions, takes);
    error = OTF2_Reader_ReadAllLocalDefinitions(reader->reader, definitions, &n);
    OTF2_Reader_CloseDefReader(reader->reader, definitions);
    return error == OTF2_SUCCESS;
}

hd_status
hd_event_reader_define(hd_event_reader *reader, const hd_defs *defs, uint32_t location, const hd_own_definitions *takes, bool *are_there)
{
    uint64_t ref = hd_defs_locations(defs)[location].ref;

    *are_there = !(defs->has_local_definitions || may_exist(reader, ref, "def")) || read_definitions(reader, ref, takes);
    return *are_there ? HD_OK : check_readable(reader, ref, "def");
}

#define EVENTS_AT_ONCE 65536 /* between two reports of progress */

typedef struct file_reading {
    hd_event_reader        *reader;
    const hd_event_reading *reading;
    hd_decoder             *decoder;
    OTF2_EvtReader         *events;
    hd_chunks               chunks;
} file_reading;

/* The next n events; fewer where the library finds one that it cannot read. */
static uint64_t
read_events(const file_reading *file, uint64_t n)
{
    const hd_event_reading *reading = file->reading;
    hd_decoder             *decoder = file->decoder;
    uint64_t                at_once = reading->at != NULL ? 1 : EVENTS_AT_ONCE, done = 0, got, wanted;
    OTF2_ErrorCode          error   = OTF2_SUCCESS;

    do {
        got    = 0;
        wanted = n - done < at_once ? n - done : at_once;
        error  = OTF2_Reader_ReadLocalEvents(file->reader->reader, file->events, wanted, &got);
        done += got;
        if (reading->n_done != NULL)
            atomic_fetch_add_explicit(reading->n_done, got, memory_order_relaxed);
        if (reading->at != NULL)
            reading->at(reading->observed, decoder->now, decoder->depth > 0 ? decoder->current : HD_NONE);
    } while (error == OTF2_SUCCESS && got == wanted && done < n && (reading->stop == NULL || *reading->stop == 0));
    return done;
}

/* Whether all that was wanted is there. */
static bool
read_file(file_reading *file)
{
    hd_loaded_location *out  = file->decoder->out;
    uint64_t            most = file->reading->most_events > 0 ? file->reading->most_events : UINT64_MAX, n, wanted, got;

    if (!file->reader->is_in_files) { /* containers are not looked over */
        out->n_events = read_events(file, most);
        return true;
    }
    while (out->n_events < most && (n = hd_chunks_next(&file->chunks)) > 0) {
        wanted = n < most - out->n_events ? n : most - out->n_events;
        got    = read_events(file, wanted);
        out->n_events += got;
        if (got < wanted)
            return false;
    }
    return out->n_events == most || file->chunks.is_whole;
}

/* What the numbers say once the file was read. */
static void
check_number(hd_decoder *decoder, const hd_location_def *location, bool is_whole)
{
    uint64_t n = decoder->out->n_events;

    decoder->out->is_cut = !is_whole || n < location->n_events;
    if (decoder->out->is_cut)
        hd_decoder_finding(decoder, n == 0 ? HD_FINDING_NO_EVENTS : HD_FINDING_CUT_EVENTS, HD_NONE, HD_NONE, HD_NONE);
    else if (decoder->thread == 0 && decoder->depth > 0)
        hd_decoder_finding(decoder, HD_FINDING_STOPPED, HD_NONE, HD_NONE, HD_NONE);
    if (n > location->n_events)
        hd_decoder_finding(decoder, HD_FINDING_MORE_EVENTS, HD_NONE, HD_NONE, HD_NONE);
}

hd_status
hd_event_reader_read(hd_event_reader *reader, hd_decoder *decoder, const hd_event_reading *reading)
{
    const hd_location_def *location = &hd_defs_locations(decoder->defs)[decoder->out->location];
    file_reading           file     = { .reader = reader, .reading = reading, .decoder = decoder };
    bool                   is_whole = false, has_definitions;
    hd_status              status   = hd_event_reader_define(reader, decoder->defs, decoder->out->location, NULL, &has_definitions);

    if (!has_definitions)
        hd_decoder_finding(decoder, HD_FINDING_NO_DEFINITIONS, HD_NONE, HD_NONE, HD_NONE);
    if (open_chunks(reader, location->ref, HD_CHUNK_EVENTS, &file.chunks) || !reader->is_in_files)
        file.events = OTF2_Reader_GetEvtReader(reader->reader, location->ref);
    if (file.events == NULL) {
        decoder->out->is_cut = location->n_events > 0;
        if (location->n_events > 0)
            hd_decoder_finding(decoder, HD_FINDING_NO_EVENTS, HD_NONE, HD_NONE, HD_NONE);
        hd_chunks_close(&file.chunks);
        return status == HD_OK ? check_readable(reader, location->ref, "evt") : status;
    }
    OTF2_EvtReader_ApplyClockOffsets(file.events, !reader->raw_clocks);
    if (OTF2_Reader_RegisterEvtCallbacks(reader->reader, file.events, decoder->clock.log != NULL ? reader->clocked : reader->callbacks,
                                         decoder) == OTF2_SUCCESS)
        is_whole = read_file(&file);
    OTF2_Reader_CloseEvtReader(reader->reader, file.events);
    hd_chunks_close(&file.chunks);
    if (status == HD_OK && !is_whole && (reading->stop == NULL || *reading->stop == 0))
        status = check_readable(reader, location->ref, "evt");
    if (reading->most_events == 0 || !is_whole)
        check_number(decoder, location, is_whole);
    return status;
}

hd_status
hd_event_reader_each(hd_event_reader *reader, uint64_t location_ref, const struct OTF2_EvtReaderCallbacks_struct *callbacks, void *user,
                     hd_events_end *end)
{
    hd_chunks       chunks;
    OTF2_EvtReader *events = NULL;
    uint64_t        n, got = 0;
    OTF2_ErrorCode  error = OTF2_ERROR_INVALID;
    bool            is_open = open_chunks(reader, location_ref, HD_CHUNK_EVENTS, &chunks) || !reader->is_in_files;

    if (is_open)
        events = OTF2_Reader_GetEvtReader(reader->reader, location_ref);
    if (events != NULL) {
        OTF2_EvtReader_ApplyClockOffsets(events, !reader->raw_clocks);
        error = OTF2_Reader_RegisterEvtCallbacks(reader->reader, events, callbacks, user);
    }
    if (error == OTF2_SUCCESS && !reader->is_in_files)
        error = OTF2_Reader_ReadLocalEvents(reader->reader, events, UINT64_MAX, &got);
    while (error == OTF2_SUCCESS && (n = hd_chunks_next(&chunks)) > 0) {
        error = OTF2_Reader_ReadLocalEvents(reader->reader, events, n, &got);
        error = error == OTF2_SUCCESS && got < n ? OTF2_ERROR_INVALID : error;
    }
    if (!is_open)
        *end = HD_EVENTS_NO_FILE;
    else if (error == OTF2_ERROR_INTERRUPTED_BY_CALLBACK)
        *end = HD_EVENTS_INTERRUPTED;
    else
        *end = error == OTF2_SUCCESS && (chunks.is_whole || !reader->is_in_files) ? HD_EVENTS_WHOLE : HD_EVENTS_CUT;
    if (events != NULL)
        OTF2_Reader_CloseEvtReader(reader->reader, events);
    hd_chunks_close(&chunks);
    return *end == HD_EVENTS_NO_FILE || *end == HD_EVENTS_CUT ? check_readable(reader, location_ref, "evt") : HD_OK;
}
