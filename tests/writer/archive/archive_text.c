/* tests/writer/archive/archive_text.c: an archive as text, a line for each record.
 *
 * The reader is libotf2 with its own clock correction and its own mapping of numbers. */
#include "archive_text.h"

#include <inttypes.h>
#include <otf2/otf2.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bytes.h"
#include "memory.h"

static void
read_or_end(bool is_read)
{
    if (is_read)
        return;
    printf("archive text: the archive cannot be read\n");
    exit(1);
}

typedef struct reading {
    OTF2_Reader *reader;
    uint64_t     origin;
    hd_bytes     text;
    char        *strings[256];
    uint32_t     regions[64], comms[64], windows[8];
    char         groups[64][32]; /* members, separated by blanks */
    uint64_t     locations[16], n_announced[16];
    uint32_t     n_locations;
} reading;

static void
put(reading *all, const char *format, ...)
{
    char    line[256];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    hd_bytes_put(&all->text, line, strlen(line));
}

static OTF2_CallbackCode
on_clock(void *data, uint64_t resolution, uint64_t origin, uint64_t length, uint64_t date)
{
    reading *all = data;

    (void)length;
    (void)date;
    all->origin = origin;
    put(all, "resolution %" PRIu64 "\n", resolution);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_string(void *data, OTF2_StringRef self, const char *text)
{
    ((reading *)data)->strings[self] = hd_strdup(text);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_location(void *data, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type, uint64_t n_events,
            OTF2_LocationGroupRef group)
{
    reading *all = data;

    (void)name;
    (void)type;
    (void)group;
    all->n_announced[all->n_locations] = n_events;
    all->locations[all->n_locations++] = self;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_region(void *data, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef canonical, OTF2_StringRef words,
          OTF2_RegionRole role, OTF2_Paradigm paradigm, OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin,
          uint32_t end)
{
    reading *all = data;

    (void)canonical;
    (void)words;
    (void)flags;
    (void)begin;
    (void)end;
    all->regions[self] = name;
    if (paradigm == OTF2_PARADIGM_MPI || paradigm == OTF2_PARADIGM_SHMEM ||
        ((paradigm == OTF2_PARADIGM_OPENMP || paradigm == OTF2_PARADIGM_PTHREAD) && file != OTF2_UNDEFINED_STRING))
        put(all, "%s role %d file %s\n", all->strings[name], (int)role, all->strings[file]);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_comm(void *data, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group, OTF2_CommRef parent,
        OTF2_CommFlag flags)
{
    (void)group;
    (void)parent;
    (void)flags;
    ((reading *)data)->comms[self] = name;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_group(void *data, OTF2_GroupRef self, OTF2_StringRef name, OTF2_GroupType type, OTF2_Paradigm paradigm,
         OTF2_GroupFlag flags, uint32_t n, const uint64_t *members)
{
    char  *text = ((reading *)data)->groups[self];
    size_t used = 0;

    (void)name;
    (void)type;
    (void)paradigm;
    (void)flags;
    for (uint32_t i = 0; i < n && used < 20; i++)
        used += (size_t)sprintf(text + used, "%s%" PRIu32, i == 0 ? "" : " ", (uint32_t)members[i]);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_window(void *data, OTF2_RmaWinRef self, OTF2_StringRef name, OTF2_CommRef comm, OTF2_RmaWinFlag flags)
{
    reading *all = data;

    (void)comm;
    all->windows[self] = name;
    put(all, "window %s%s\n", all->strings[name], flags == OTF2_RMA_WIN_FLAG_NONE ? "" : " is created");
    return OTF2_CALLBACK_SUCCESS;
}

#define EVENT_START OTF2_LocationRef location, OTF2_TimeStamp time, void *data, OTF2_AttributeList *attributes
#define EVENT(...)                                                                                                     \
    reading *all = data;                                                                                               \
    (void)attributes;                                                                                                  \
    put(all, "%" PRIu64 ": %" PRIu64 " ", location, time - all->origin);                                               \
    put(all, __VA_ARGS__);                                                                                             \
    put(all, "\n");                                                                                                    \
    return OTF2_CALLBACK_SUCCESS
#define REGION(number) all->strings[all->regions[number]]
#define COMM(number) all->strings[all->comms[number]]
#define WINDOW(number) all->strings[all->windows[number]]

static OTF2_CallbackCode
on_begin(EVENT_START, OTF2_StringRef program, uint32_t n, const OTF2_StringRef *arguments)
{
    (void)arguments;
    EVENT("begin %s %" PRIu32, all->strings[program], n);
}

static OTF2_CallbackCode
on_end(EVENT_START, int64_t exit_status)
{
    (void)exit_status;
    EVENT("end");
}

static OTF2_CallbackCode
on_enter(EVENT_START, OTF2_RegionRef region)
{
    EVENT("enter %s", REGION(region));
}

static OTF2_CallbackCode
on_leave(EVENT_START, OTF2_RegionRef region)
{
    EVENT("leave %s", REGION(region));
}

static OTF2_CallbackCode
on_send(EVENT_START, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
    EVENT("send to %" PRIu32 " in %s tag %" PRIu32 " bytes %" PRIu64, peer, COMM(comm), tag, bytes);
}

static OTF2_CallbackCode
on_irecv(EVENT_START, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t request)
{
    EVENT("irecv from %" PRIu32 " in %s tag %" PRIu32 " bytes %" PRIu64 " request %" PRIu64, peer, COMM(comm), tag,
          bytes, request);
}

static OTF2_CallbackCode
on_irecv_request(EVENT_START, uint64_t request)
{
    EVENT("irecv request %" PRIu64, request);
}

static OTF2_CallbackCode
on_coll_begin(EVENT_START)
{
    EVENT("coll begin");
}

static OTF2_CallbackCode
on_coll_end(EVENT_START, OTF2_CollectiveOp operation, OTF2_CommRef comm, uint32_t root, uint64_t sent,
            uint64_t received)
{
    EVENT("coll end %d in %s root %d sent %" PRIu64 " received %" PRIu64, (int)operation, COMM(comm), (int)root, sent,
          received);
}

static OTF2_CallbackCode
on_nbc_request(EVENT_START, uint64_t request)
{
    EVENT("nbc request %" PRIu64, request);
}

static OTF2_CallbackCode
on_nbc_complete(EVENT_START, OTF2_CollectiveOp operation, OTF2_CommRef comm, uint32_t root, uint64_t sent,
                uint64_t received, uint64_t request)
{
    EVENT("nbc complete %d in %s root %d sent %" PRIu64 " received %" PRIu64 " request %" PRIu64, (int)operation,
          COMM(comm), (int)root, sent, received, request);
}

static OTF2_CallbackCode
on_flush(EVENT_START, OTF2_TimeStamp stop)
{
    EVENT("flush until %" PRIu64, stop - all->origin);
}

static void
definitions_read(reading *all)
{
    OTF2_GlobalDefReader          *reader    = OTF2_Reader_GetGlobalDefReader(all->reader);
    OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
    uint64_t                       n;

    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, on_clock);
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, on_string);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, on_comm);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, on_group);
    OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(callbacks, on_window);
    OTF2_Reader_RegisterGlobalDefCallbacks(all->reader, reader, callbacks, all);
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    read_or_end(OTF2_Reader_ReadAllGlobalDefinitions(all->reader, reader, &n) == OTF2_SUCCESS);
}

static OTF2_CallbackCode
on_fork(EVENT_START, OTF2_Paradigm model, uint32_t n_threads)
{
    (void)n_threads;
    EVENT("fork %d", (int)model);
}

static OTF2_CallbackCode
on_join(EVENT_START, OTF2_Paradigm model)
{
    EVENT("join %d", (int)model);
}

static OTF2_CallbackCode
on_acquire(EVENT_START, OTF2_Paradigm model, uint32_t lock, uint32_t order)
{
    EVENT("acquire %d lock %" PRIu32 " order %" PRIu32, (int)model, lock, order);
}

static OTF2_CallbackCode
on_release(EVENT_START, OTF2_Paradigm model, uint32_t lock, uint32_t order)
{
    EVENT("release %d lock %" PRIu32 " order %" PRIu32, (int)model, lock, order);
}

#define TEAM_RECORD(name, words)                                                                                       \
    static OTF2_CallbackCode name(EVENT_START, OTF2_CommRef team)                                                      \
    {                                                                                                                  \
        EVENT(words " %" PRIu32, team);                                                                                \
    }
#define TASK_RECORD(name, words)                                                                                       \
    static OTF2_CallbackCode name(EVENT_START, OTF2_CommRef team, uint32_t creator, uint32_t generation)               \
    {                                                                                                                  \
        EVENT(words " %" PRIu32 ".%" PRIu32 " of %" PRIu32, creator, generation, team);                                \
    }
#define THREAD_RECORD(name, words)                                                                                     \
    static OTF2_CallbackCode name(EVENT_START, OTF2_CommRef contingent, uint64_t sequence)                             \
    {                                                                                                                  \
        EVENT(words " %" PRIu64 " of %" PRIu32, sequence, contingent);                                                 \
    }
TEAM_RECORD(on_team_begin, "team begin")
TEAM_RECORD(on_team_end, "team end")
TASK_RECORD(on_task_create, "task create")
TASK_RECORD(on_task_switch, "task switch")
TASK_RECORD(on_task_complete, "task complete")
THREAD_RECORD(on_thread_create, "thread create")
THREAD_RECORD(on_thread_begin, "thread begin")
THREAD_RECORD(on_thread_wait, "thread wait")
THREAD_RECORD(on_thread_end, "thread end")

#define WINDOW_RECORD(name, words)                                                                                     \
    static OTF2_CallbackCode name(EVENT_START, OTF2_RmaWinRef window)                                                  \
    {                                                                                                                  \
        EVENT(words " %s", WINDOW(window));                                                                            \
    }
#define LOCK_RECORD(name, words)                                                                                       \
    static OTF2_CallbackCode name(EVENT_START, OTF2_RmaWinRef window, uint32_t remote, uint64_t lock,                  \
                                  OTF2_LockType type)                                                                  \
    {                                                                                                                  \
        EVENT(words " %s of %d lock %" PRIu64 "%s", WINDOW(window), (int)remote, lock,                                 \
              type == OTF2_LOCK_EXCLUSIVE ? " exclusive" : "");                                                        \
    }
#define TRANSFER_RECORD(name, words)                                                                                   \
    static OTF2_CallbackCode name(EVENT_START, OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes,                 \
                                  uint64_t matching)                                                                   \
    {                                                                                                                  \
        EVENT(words " %s of %" PRIu32 " bytes %" PRIu64 " matching %" PRIu64, WINDOW(window), remote, bytes,           \
              matching);                                                                                               \
    }
#define COMPLETE_RECORD(name, words)                                                                                   \
    static OTF2_CallbackCode name(EVENT_START, OTF2_RmaWinRef window, uint64_t matching)                               \
    {                                                                                                                  \
        EVENT(words " %s matching %" PRIu64, WINDOW(window), matching);                                                \
    }
WINDOW_RECORD(on_win_create, "create")
WINDOW_RECORD(on_win_destroy, "destroy")
WINDOW_RECORD(on_wait_change, "wait for a change of")
LOCK_RECORD(on_request_lock, "request")
LOCK_RECORD(on_acquire_lock, "acquire")
TRANSFER_RECORD(on_put, "put")
TRANSFER_RECORD(on_get, "get")
COMPLETE_RECORD(on_complete_blocking, "complete blocking")
COMPLETE_RECORD(on_complete_non_blocking, "complete")
COMPLETE_RECORD(on_complete_remote, "complete remote")

static OTF2_CallbackCode
on_rma_begin(EVENT_START)
{
    EVENT("rma begin");
}

static OTF2_CallbackCode
on_rma_end(EVENT_START, OTF2_CollectiveOp operation, OTF2_RmaSyncLevel sync, OTF2_RmaWinRef window, uint32_t root,
           uint64_t sent, uint64_t received)
{
    EVENT("rma end %d sync %d %s root %d sent %" PRIu64 " received %" PRIu64, (int)operation, (int)sync, WINDOW(window),
          (int)root, sent, received);
}

static OTF2_CallbackCode
on_group_sync(EVENT_START, OTF2_RmaSyncLevel sync, OTF2_RmaWinRef window, OTF2_GroupRef group)
{
    EVENT("group sync %d %s of %s", (int)sync, WINDOW(window), all->groups[group]);
}

static OTF2_CallbackCode
on_release_lock(EVENT_START, OTF2_RmaWinRef window, uint32_t remote, uint64_t lock)
{
    EVENT("release %s of %d lock %" PRIu64, WINDOW(window), (int)remote, lock);
}

static OTF2_CallbackCode
on_atomic(EVENT_START, OTF2_RmaWinRef window, uint32_t remote, OTF2_RmaAtomicType type, uint64_t sent,
          uint64_t received, uint64_t matching)
{
    EVENT("atomic %d %s of %" PRIu32 " sent %" PRIu64 " received %" PRIu64 " matching %" PRIu64, (int)type,
          WINDOW(window), remote, sent, received, matching);
}

static void
window_callbacks(OTF2_GlobalEvtReaderCallbacks *callbacks)
{
    OTF2_GlobalEvtReaderCallbacks_SetRmaWinCreateCallback(callbacks, on_win_create);
    OTF2_GlobalEvtReaderCallbacks_SetRmaWinDestroyCallback(callbacks, on_win_destroy);
    OTF2_GlobalEvtReaderCallbacks_SetRmaCollectiveBeginCallback(callbacks, on_rma_begin);
    OTF2_GlobalEvtReaderCallbacks_SetRmaCollectiveEndCallback(callbacks, on_rma_end);
    OTF2_GlobalEvtReaderCallbacks_SetRmaGroupSyncCallback(callbacks, on_group_sync);
    OTF2_GlobalEvtReaderCallbacks_SetRmaRequestLockCallback(callbacks, on_request_lock);
    OTF2_GlobalEvtReaderCallbacks_SetRmaAcquireLockCallback(callbacks, on_acquire_lock);
    OTF2_GlobalEvtReaderCallbacks_SetRmaReleaseLockCallback(callbacks, on_release_lock);
    OTF2_GlobalEvtReaderCallbacks_SetRmaPutCallback(callbacks, on_put);
    OTF2_GlobalEvtReaderCallbacks_SetRmaGetCallback(callbacks, on_get);
    OTF2_GlobalEvtReaderCallbacks_SetRmaAtomicCallback(callbacks, on_atomic);
    OTF2_GlobalEvtReaderCallbacks_SetRmaOpCompleteBlockingCallback(callbacks, on_complete_blocking);
    OTF2_GlobalEvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback(callbacks, on_complete_non_blocking);
    OTF2_GlobalEvtReaderCallbacks_SetRmaOpCompleteRemoteCallback(callbacks, on_complete_remote);
    OTF2_GlobalEvtReaderCallbacks_SetRmaWaitChangeCallback(callbacks, on_wait_change);
}

static OTF2_GlobalEvtReaderCallbacks *
event_callbacks(void)
{
    OTF2_GlobalEvtReaderCallbacks *callbacks = OTF2_GlobalEvtReaderCallbacks_New();

    OTF2_GlobalEvtReaderCallbacks_SetProgramBeginCallback(callbacks, on_begin);
    OTF2_GlobalEvtReaderCallbacks_SetProgramEndCallback(callbacks, on_end);
    OTF2_GlobalEvtReaderCallbacks_SetEnterCallback(callbacks, on_enter);
    OTF2_GlobalEvtReaderCallbacks_SetLeaveCallback(callbacks, on_leave);
    OTF2_GlobalEvtReaderCallbacks_SetMpiSendCallback(callbacks, on_send);
    OTF2_GlobalEvtReaderCallbacks_SetMpiIrecvCallback(callbacks, on_irecv);
    OTF2_GlobalEvtReaderCallbacks_SetMpiIrecvRequestCallback(callbacks, on_irecv_request);
    OTF2_GlobalEvtReaderCallbacks_SetMpiCollectiveBeginCallback(callbacks, on_coll_begin);
    OTF2_GlobalEvtReaderCallbacks_SetMpiCollectiveEndCallback(callbacks, on_coll_end);
    OTF2_GlobalEvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(callbacks, on_nbc_request);
    OTF2_GlobalEvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(callbacks, on_nbc_complete);
    OTF2_GlobalEvtReaderCallbacks_SetBufferFlushCallback(callbacks, on_flush);
    OTF2_GlobalEvtReaderCallbacks_SetThreadForkCallback(callbacks, on_fork);
    OTF2_GlobalEvtReaderCallbacks_SetThreadJoinCallback(callbacks, on_join);
    OTF2_GlobalEvtReaderCallbacks_SetThreadTeamBeginCallback(callbacks, on_team_begin);
    OTF2_GlobalEvtReaderCallbacks_SetThreadTeamEndCallback(callbacks, on_team_end);
    OTF2_GlobalEvtReaderCallbacks_SetThreadAcquireLockCallback(callbacks, on_acquire);
    OTF2_GlobalEvtReaderCallbacks_SetThreadReleaseLockCallback(callbacks, on_release);
    OTF2_GlobalEvtReaderCallbacks_SetThreadTaskCreateCallback(callbacks, on_task_create);
    OTF2_GlobalEvtReaderCallbacks_SetThreadTaskSwitchCallback(callbacks, on_task_switch);
    OTF2_GlobalEvtReaderCallbacks_SetThreadTaskCompleteCallback(callbacks, on_task_complete);
    OTF2_GlobalEvtReaderCallbacks_SetThreadCreateCallback(callbacks, on_thread_create);
    OTF2_GlobalEvtReaderCallbacks_SetThreadBeginCallback(callbacks, on_thread_begin);
    OTF2_GlobalEvtReaderCallbacks_SetThreadWaitCallback(callbacks, on_thread_wait);
    OTF2_GlobalEvtReaderCallbacks_SetThreadEndCallback(callbacks, on_thread_end);
    window_callbacks(callbacks);
    return callbacks;
}

static void
events_read(reading *all, const char *folder)
{
    OTF2_GlobalEvtReaderCallbacks *callbacks = event_callbacks();
    OTF2_GlobalEvtReader          *reader;
    uint64_t                       n = 0, announced = 0;

    read_or_end(OTF2_Reader_OpenEvtFiles(all->reader) == OTF2_SUCCESS);
    read_or_end(OTF2_Reader_OpenDefFiles(all->reader) == OTF2_SUCCESS);
    for (uint32_t i = 0; i < all->n_locations; i++) {
        char *file = hd_format("%s/traces/%" PRIu64 ".def", folder, all->locations[i]);

        read_or_end(OTF2_Reader_SelectLocation(all->reader, all->locations[i]) == OTF2_SUCCESS);
        if (access(file, R_OK) == 0) {
            OTF2_DefReader *definitions = OTF2_Reader_GetDefReader(all->reader, all->locations[i]);
            uint64_t        n_read;

            read_or_end(OTF2_Reader_ReadAllLocalDefinitions(all->reader, definitions, &n_read) == OTF2_SUCCESS);
            OTF2_Reader_CloseDefReader(all->reader, definitions);
        }
        free(file);
        read_or_end(OTF2_Reader_GetEvtReader(all->reader, all->locations[i]) != NULL);
        announced += all->n_announced[i];
    }
    OTF2_Reader_CloseDefFiles(all->reader);
    reader = OTF2_Reader_GetGlobalEvtReader(all->reader);
    OTF2_Reader_RegisterGlobalEvtCallbacks(all->reader, reader, callbacks, all);
    read_or_end(OTF2_Reader_ReadAllGlobalEvents(all->reader, reader, &n) == OTF2_SUCCESS);
    read_or_end(n == announced);
    OTF2_Reader_CloseGlobalEvtReader(all->reader, reader);
    OTF2_Reader_CloseEvtFiles(all->reader);
    OTF2_GlobalEvtReaderCallbacks_Delete(callbacks);
}

char *
tw_archive_text(const char *folder)
{
    char   *anchor = hd_format("%s/traces.otf2", folder);
    reading all    = { 0 };

    all.reader = OTF2_Reader_Open(anchor);
    read_or_end(all.reader != NULL);
    OTF2_Reader_SetSerialCollectiveCallbacks(all.reader);
    definitions_read(&all);
    events_read(&all, folder);
    OTF2_Reader_Close(all.reader);
    free(anchor);
    for (size_t i = 0; i < sizeof all.strings / sizeof *all.strings; i++)
        free(all.strings[i]);
    hd_bytes_put(&all.text, "", 1);
    return (char *)all.text.data;
}
