#include "events.h"

#include <otf2/otf2.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive.h"

struct hd_event_reader {
    char                   *anchor;
    OTF2_Reader            *reader;
    OTF2_EvtReaderCallbacks *callbacks;
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

static OTF2_EvtReaderCallbacks *
new_callbacks(void)
{
    OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();

    if (callbacks == NULL)
        hd_fatal("out of memory: the OTF2 library could not allocate its table of callbacks");
    OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, on_enter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, on_leave);
    OTF2_EvtReaderCallbacks_SetProgramBeginCallback(callbacks, on_program_begin);
    OTF2_EvtReaderCallbacks_SetProgramEndCallback(callbacks, on_program_end);
    OTF2_EvtReaderCallbacks_SetBufferFlushCallback(callbacks, on_flush);
    OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback(callbacks, on_measurement);
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks, on_send);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(callbacks, on_isend);
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(callbacks, on_isend_complete);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(callbacks, on_irecv_request);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(callbacks, on_recv);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(callbacks, on_irecv);
    OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(callbacks, on_cancelled);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(callbacks, on_coll_begin);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(callbacks, on_coll_end);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(callbacks, on_nbc_request);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(callbacks, on_nbc_complete);
    OTF2_EvtReaderCallbacks_SetRmaCollectiveBeginCallback(callbacks, on_coll_begin);
    OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback(callbacks, on_rma_coll_end);
    OTF2_EvtReaderCallbacks_SetRmaGroupSyncCallback(callbacks, on_rma_group);
    OTF2_EvtReaderCallbacks_SetRmaPutCallback(callbacks, on_rma_put);
    OTF2_EvtReaderCallbacks_SetRmaGetCallback(callbacks, on_rma_get);
    OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(callbacks, on_rma_atomic);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteBlockingCallback(callbacks, on_rma_complete);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback(callbacks, on_rma_complete);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteRemoteCallback(callbacks, on_rma_complete_remote);
    OTF2_EvtReaderCallbacks_SetRmaRequestLockCallback(callbacks, on_rma_lock);
    OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback(callbacks, on_rma_unlock);
    OTF2_EvtReaderCallbacks_SetThreadForkCallback(callbacks, on_fork);
    OTF2_EvtReaderCallbacks_SetThreadJoinCallback(callbacks, on_join);
    OTF2_EvtReaderCallbacks_SetThreadAcquireLockCallback(callbacks, on_acquire);
    OTF2_EvtReaderCallbacks_SetThreadReleaseLockCallback(callbacks, on_release);
    OTF2_EvtReaderCallbacks_SetThreadTaskSwitchCallback(callbacks, on_task_switch);
    OTF2_EvtReaderCallbacks_SetThreadTaskCompleteCallback(callbacks, on_task_complete);
    OTF2_EvtReaderCallbacks_SetThreadTeamBeginCallback(callbacks, on_team_begin);
    OTF2_EvtReaderCallbacks_SetThreadTeamEndCallback(callbacks, on_team_end);
    OTF2_EvtReaderCallbacks_SetThreadBeginCallback(callbacks, on_thread_begin);
    OTF2_EvtReaderCallbacks_SetThreadEndCallback(callbacks, on_thread_end);
    return callbacks;
}

hd_status
hd_event_reader_open(const char *anchor, hd_event_reader **reader)
{
    OTF2_Reader *otf2 = OTF2_Reader_Open(anchor);

    if (otf2 == NULL)
        return hd_fail(HD_EOPEN, "the archive \"%s\" cannot be opened any more", anchor);
    OTF2_Reader_SetSerialCollectiveCallbacks(otf2);
    *reader              = HD_NEW(hd_event_reader);
    (*reader)->reader    = otf2;
    (*reader)->anchor    = hd_strdup(anchor);
    (*reader)->callbacks = new_callbacks();
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
    OTF2_Reader_CloseDefFiles(reader->reader);
    OTF2_Reader_CloseEvtFiles(reader->reader);
    OTF2_Reader_Close(reader->reader);
    free(reader->anchor);
    free(reader);
}

static bool
file_exists(const hd_event_reader *reader, uint64_t ref, const char *suffix)
{
    char *path   = hd_archive_file(reader->anchor, ref, suffix);
    bool  exists = access(path, R_OK) == 0;

    free(path);
    return exists;
}

/* The location's own definitions: mapping tables and clock offsets, applied by the OTF2 library from then on. */
static bool
read_definitions(hd_event_reader *reader, uint64_t ref)
{
    OTF2_DefReader *definitions;
    uint64_t        n;
    OTF2_ErrorCode  error;

    if (!file_exists(reader, ref, "def"))
        return true;
    definitions = OTF2_Reader_GetDefReader(reader->reader, ref);
    if (definitions == NULL)
        return false;
    error = OTF2_Reader_ReadAllLocalDefinitions(reader->reader, definitions, &n);
    OTF2_Reader_CloseDefReader(reader->reader, definitions);
    return error == OTF2_SUCCESS;
}

/* An event file is a row of chunks, each with the numbers of its first and its last event in its head:
 *
 *   3, byte order, first, last, records ... │ 3, byte order, first, last, records ..., 2, 1
 *
 * Where one behind the first is cut off, libotf2 takes what its buffer still holds of the one before for the rest, again and again. So only
 * whole ones are read then. */
enum { CHUNK_HEAD = 3, CHUNK_END = 2, FILE_END = 1, LITTLE_ENDIAN_ORDER = 'B', BIG_ENDIAN_ORDER = '#', HEAD_BYTES = 18 };

static uint64_t
number_at(const uint8_t *bytes, uint8_t order)
{
    uint64_t number = 0;

    for (int i = 0; i < 8; i++)
        number = number << 8 | bytes[order == BIG_ENDIAN_ORDER ? i : 7 - i];
    return number;
}

/* The number of the last event in whole chunks of a file that is longer than one; UINT64_MAX: there is no telling. */
static uint64_t
last_event(FILE *file, off_t size, off_t chunk)
{
    off_t   at = (size - 1) / chunk * chunk;
    bool    is_whole;
    uint8_t head[HEAD_BYTES], end[2];

    if (size - at < HEAD_BYTES) {
        size = at;
        at -= chunk;
    }
    if (fseeko(file, size - 2, SEEK_SET) != 0 || fread(end, sizeof end, 1, file) != 1 || fseeko(file, at, SEEK_SET) != 0 ||
        fread(head, sizeof head, 1, file) != 1 || head[0] != CHUNK_HEAD || (head[1] != LITTLE_ENDIAN_ORDER && head[1] != BIG_ENDIAN_ORDER))
        return UINT64_MAX;
    is_whole = size - at == chunk || (end[0] == CHUNK_END && end[1] == FILE_END);
    return is_whole ? number_at(head + 10, head[1]) : number_at(head + 2, head[1]) - 1;
}

/* How many events of a location can be read; UINT64_MAX: libotf2 knows. */
static uint64_t
readable_events(const hd_event_reader *reader, uint64_t ref)
{
    char       *path  = hd_archive_file(reader->anchor, ref, "evt");
    uint64_t    chunk = 0, of_definitions, last = UINT64_MAX;
    struct stat status;
    FILE       *file;

    if (OTF2_Reader_GetChunkSize(reader->reader, &chunk, &of_definitions) == OTF2_SUCCESS && chunk > HEAD_BYTES && chunk < INT32_MAX &&
        stat(path, &status) == 0 && status.st_size > (off_t)chunk && (file = fopen(path, "rbe")) != NULL) {
        last = last_event(file, status.st_size, (off_t)chunk);
        fclose(file);
    }
    free(path);
    return last;
}

#define EVENTS_AT_ONCE 65536 /* between two reports of progress */

void
hd_event_reader_read(hd_event_reader *reader, hd_decoder *decoder, const hd_event_reading *reading)
{
    const hd_location_def *location = &hd_defs_locations(decoder->defs)[decoder->out->location];
    OTF2_EvtReader        *events;
    uint64_t               n, wanted, most = readable_events(reader, location->ref), at_once = reading->at != NULL ? 1 : EVENTS_AT_ONCE;
    OTF2_ErrorCode         error;

    if (!read_definitions(reader, location->ref))
        hd_decoder_finding(decoder, HD_FINDING_NO_DEFINITIONS, HD_NONE, HD_NONE, HD_NONE);
    events = file_exists(reader, location->ref, "evt") ? OTF2_Reader_GetEvtReader(reader->reader, location->ref) : NULL;
    if (events == NULL) {
        if (location->n_events > 0)
            hd_decoder_finding(decoder, HD_FINDING_NO_EVENTS, HD_NONE, HD_NONE, HD_NONE);
        return;
    }
    error = OTF2_Reader_RegisterEvtCallbacks(reader->reader, events, reader->callbacks, decoder);
    most  = reading->most_events > 0 && reading->most_events < most ? reading->most_events : most;
    do {
        n      = 0;
        wanted = most - decoder->out->n_events < at_once ? most - decoder->out->n_events : at_once;
        if (error == OTF2_SUCCESS && wanted > 0)
            error = OTF2_Reader_ReadLocalEvents(reader->reader, events, wanted, &n);
        decoder->out->n_events += n;
        if (reading->n_done != NULL)
            atomic_fetch_add_explicit(reading->n_done, n, memory_order_relaxed);
        if (reading->at != NULL)
            reading->at(reading->observed, decoder->now, decoder->depth > 0 ? decoder->current : HD_NONE);
    } while (error == OTF2_SUCCESS && n > 0 && n == wanted);
    OTF2_Reader_CloseEvtReader(reader->reader, events);
    if (error != OTF2_SUCCESS || decoder->out->n_events < location->n_events)
        hd_decoder_finding(decoder, decoder->out->n_events == 0 ? HD_FINDING_NO_EVENTS : HD_FINDING_CUT_EVENTS, HD_NONE, HD_NONE,
                           HD_NONE);
}

bool
hd_event_reader_each(hd_event_reader *reader, uint64_t location_ref, const struct OTF2_EvtReaderCallbacks_struct *callbacks, void *user)
{
    bool            is_well = read_definitions(reader, location_ref);
    OTF2_EvtReader *events  = NULL;
    uint64_t        n = 0;
    OTF2_ErrorCode  error;

    if (file_exists(reader, location_ref, "evt"))
        events = OTF2_Reader_GetEvtReader(reader->reader, location_ref);
    if (events == NULL)
        return false;
    error = OTF2_Reader_RegisterEvtCallbacks(reader->reader, events, callbacks, user);
    if (error == OTF2_SUCCESS)
        error = OTF2_Reader_ReadLocalEvents(reader->reader, events, readable_events(reader, location_ref), &n);
    OTF2_Reader_CloseEvtReader(reader->reader, events);
    return is_well && error == OTF2_SUCCESS;
}
