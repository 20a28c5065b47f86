/* src/record/finish/archive_file_events.c: the records of MPI-IO as Score-P has them. */
#include "archive_file_events.h"

static OTF2_ErrorCode
put_file_create(OTF2_EvtWriter *writer, const hd_raw_record *record, uint32_t handle)
{
    uint64_t             flags = record->words[0];
    OTF2_IoAccessMode    mode  = (flags & HD_RAW_FILE_WRITES) == 0  ? OTF2_IO_ACCESS_MODE_READ_ONLY :
                                 (flags & HD_RAW_FILE_READS) == 0 ? OTF2_IO_ACCESS_MODE_WRITE_ONLY :
                                                                    OTF2_IO_ACCESS_MODE_READ_WRITE;
    OTF2_IoCreationFlag made = (flags & HD_RAW_FILE_CREATES ? OTF2_IO_CREATION_FLAG_CREATE : 0U) |
                               (flags & HD_RAW_FILE_IS_NEW ? OTF2_IO_CREATION_FLAG_EXCLUSIVE : 0U);

    return OTF2_EvtWriter_IoCreateHandle(
        writer, NULL, record->time, handle, mode, made,
        flags & HD_RAW_FILE_APPENDS ? OTF2_IO_STATUS_FLAG_APPEND : OTF2_IO_STATUS_FLAG_NONE);
}

static OTF2_ErrorCode
put_file_begin(OTF2_EvtWriter *writer, const hd_raw_record *record, uint32_t handle)
{
    uint64_t                flags = record->words[0];
    OTF2_IoOperationMode    mode  = flags & HD_RAW_FILE_FLUSHES  ? OTF2_IO_OPERATION_MODE_FLUSH :
                                    flags & HD_RAW_FILE_WRITES ? OTF2_IO_OPERATION_MODE_WRITE :
                                                                 OTF2_IO_OPERATION_MODE_READ;
    OTF2_IoOperationFlag how = (flags & HD_RAW_FILE_COLLECTIVE ? OTF2_IO_OPERATION_FLAG_COLLECTIVE : 0U) |
                               (flags & HD_RAW_FILE_NONBLOCKING ? OTF2_IO_OPERATION_FLAG_NON_BLOCKING : 0U);

    return OTF2_EvtWriter_IoOperationBegin(writer, NULL, record->time, handle, mode, how, record->words[1],
                                           record->words[2]);
}

OTF2_ErrorCode
hd_archive_file_event(OTF2_EvtWriter *writer, const hd_raw_record *record, uint32_t handle)
{
    const uint64_t *words = record->words;

    switch (record->kind) {
    case HD_RAW_FILE_CREATE:
        return put_file_create(writer, record, handle);
    case HD_RAW_FILE_DESTROY:
        return OTF2_EvtWriter_IoDestroyHandle(writer, NULL, record->time, handle);
    case HD_RAW_FILE_SEEK:
        return OTF2_EvtWriter_IoSeek(writer, NULL, record->time, handle, (int64_t)words[0],
                                     (OTF2_IoSeekOption)words[1], words[2]);
    case HD_RAW_FILE_BEGIN:
        return put_file_begin(writer, record, handle);
    case HD_RAW_FILE_ISSUED:
        return OTF2_EvtWriter_IoOperationIssued(writer, NULL, record->time, handle, words[0]);
    default:
        return OTF2_EvtWriter_IoOperationComplete(writer, NULL, record->time, handle, words[0], words[1]);
    }
}
