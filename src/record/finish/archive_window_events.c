/* src/record/finish/archive_window_events.c: accesses, epochs and locks. */
#include "archive_window_events.h"

OTF2_ErrorCode
hd_archive_access_event(OTF2_EvtWriter *writer, const hd_raw_record *record, uint32_t window)
{
    const uint64_t *words = record->words;
    uint32_t        rank  = (uint32_t)words[0];

    switch (record->kind) {
    case HD_RAW_PUT:
        return OTF2_EvtWriter_RmaPut(writer, NULL, record->time, window, rank, words[1], words[2]);
    case HD_RAW_GET:
        return OTF2_EvtWriter_RmaGet(writer, NULL, record->time, window, rank, words[1], words[2]);
    case HD_RAW_ATOMIC:
        return OTF2_EvtWriter_RmaAtomic(writer, NULL, record->time, window, rank, (OTF2_RmaAtomicType)(words[0] >> 32),
                                        words[1], words[2], words[3]);
    case HD_RAW_ACCESS_LOCAL:
        return OTF2_EvtWriter_RmaOpCompleteNonBlocking(writer, NULL, record->time, window, words[0]);
    default:
        return OTF2_EvtWriter_RmaOpCompleteRemote(writer, NULL, record->time, window, words[0]);
    }
}

OTF2_ErrorCode
hd_archive_sync_event(OTF2_EvtWriter *writer, const hd_raw_record *record, uint32_t window, uint32_t group)
{
    const uint64_t *words = record->words;
    uint32_t        rank  = (uint32_t)words[0];

    switch (record->kind) {
    case HD_RAW_REQUEST_LOCK:
        return OTF2_EvtWriter_RmaRequestLock(writer, NULL, record->time, window, rank, 0,
                                             words[0] >> 32 != 0 ? OTF2_LOCK_SHARED : OTF2_LOCK_EXCLUSIVE);
    case HD_RAW_RELEASE_ACCESS:
        return OTF2_EvtWriter_RmaReleaseLock(writer, NULL, record->time, window, rank, 0);
    default:
        return OTF2_EvtWriter_RmaGroupSync(writer, NULL, record->time,
                                           words[1] != 0 ? OTF2_RMA_SYNC_LEVEL_PROCESS | OTF2_RMA_SYNC_LEVEL_MEMORY :
                                                           OTF2_RMA_SYNC_LEVEL_PROCESS,
                                           window, group);
    }
}
