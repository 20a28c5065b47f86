/* src/record/finish/archive_thread_events.c: records of teams, tasks, locks and created threads as events. */
#include "archive_thread_events.h"

OTF2_ErrorCode
hd_archive_fork_event(OTF2_EvtWriter *writer, const hd_raw_record *record)
{
    if (record->kind == HD_RAW_THREAD_FORK)
        return OTF2_EvtWriter_ThreadFork(writer, NULL, record->time, OTF2_PARADIGM_OPENMP, (uint32_t)record->words[0]);
    return OTF2_EvtWriter_ThreadJoin(writer, NULL, record->time, OTF2_PARADIGM_OPENMP);
}

/* Tasks have the number of the thread that made them, and a generation number: here all numbers are of the process. */
OTF2_ErrorCode
hd_archive_task_event(OTF2_EvtWriter *writer, const hd_raw_record *record, uint32_t team)
{
    uint32_t thread = (uint32_t)(record->words[0] >> 32), number = (uint32_t)record->words[0];

    if (record->kind == HD_RAW_TASK_CREATE)
        return OTF2_EvtWriter_ThreadTaskCreate(writer, NULL, record->time, team, thread, number);
    if (record->kind == HD_RAW_TASK_SWITCH)
        return OTF2_EvtWriter_ThreadTaskSwitch(writer, NULL, record->time, team, thread, number);
    return OTF2_EvtWriter_ThreadTaskComplete(writer, NULL, record->time, team, thread, number);
}

OTF2_ErrorCode
hd_archive_lock_event(OTF2_EvtWriter *writer, const hd_raw_record *record, uint32_t lock)
{
    bool          is_mutex = record->kind == HD_RAW_ACQUIRE_MUTEX || record->kind == HD_RAW_RELEASE_MUTEX;
    OTF2_Paradigm paradigm = is_mutex ? OTF2_PARADIGM_PTHREAD : OTF2_PARADIGM_OPENMP;
    uint32_t      order    = (uint32_t)record->words[0];

    if (record->kind == HD_RAW_ACQUIRE_LOCK || record->kind == HD_RAW_ACQUIRE_MUTEX)
        return OTF2_EvtWriter_ThreadAcquireLock(writer, NULL, record->time, paradigm, lock, order);
    return OTF2_EvtWriter_ThreadReleaseLock(writer, NULL, record->time, paradigm, lock, order);
}

OTF2_ErrorCode
hd_archive_thread_event(OTF2_EvtWriter *writer, const hd_raw_record *record, uint32_t contingent)
{
    uint64_t number = record->words[0];

    if (record->kind == HD_RAW_THREAD_CREATE)
        return OTF2_EvtWriter_ThreadCreate(writer, NULL, record->time, contingent, number);
    if (record->kind == HD_RAW_THREAD_WAIT)
        return OTF2_EvtWriter_ThreadWait(writer, NULL, record->time, contingent, number);
    return OTF2_EvtWriter_ThreadBegin(writer, NULL, record->time, contingent, number);
}
