/* tests/writer/test_trace_writer.c: what libotf2 reads from an archive is what was written into it.
 *
 *   ticks       10  12   20     40      50
 *   process 0   [Irecv]  [Wait····]           clock of process 0: right
 *   process 1   ········[work [Send]·]        clock of process 1: ahead, and fast
 *
 * The reader below is libotf2 with its own clock correction and its own mapping of numbers; it makes one line of text of
 * every record.
 */
#define _GNU_SOURCE /* nftw */

#include <ftw.h>
#include <stdarg.h>
#include <otf2/otf2.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "bytes.h"
#include "situation.h"

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
on_comm(void *data, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group, OTF2_CommRef parent, OTF2_CommFlag flags)
{
    (void)group;
    (void)parent;
    (void)flags;
    ((reading *)data)->comms[self] = name;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_group(void *data, OTF2_GroupRef self, OTF2_StringRef name, OTF2_GroupType type, OTF2_Paradigm paradigm, OTF2_GroupFlag flags,
         uint32_t n, const uint64_t *members)
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
#define EVENT(...)                                                                                                             \
    reading *all = data;                                                                                                       \
    (void)attributes;                                                                                                          \
    put(all, "%" PRIu64 ": %" PRIu64 " ", location, time - all->origin);                                                       \
    put(all, __VA_ARGS__);                                                                                                     \
    put(all, "\n");                                                                                                            \
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
    EVENT("irecv from %" PRIu32 " in %s tag %" PRIu32 " bytes %" PRIu64 " request %" PRIu64, peer, COMM(comm), tag, bytes,
          request);
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
on_coll_end(EVENT_START, OTF2_CollectiveOp operation, OTF2_CommRef comm, uint32_t root, uint64_t sent, uint64_t received)
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
on_nbc_complete(EVENT_START, OTF2_CollectiveOp operation, OTF2_CommRef comm, uint32_t root, uint64_t sent, uint64_t received,
                uint64_t request)
{
    EVENT("nbc complete %d in %s root %d sent %" PRIu64 " received %" PRIu64 " request %" PRIu64, (int)operation, COMM(comm),
          (int)root, sent, received, request);
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
    CHECK(OTF2_Reader_ReadAllGlobalDefinitions(all->reader, reader, &n) == OTF2_SUCCESS);
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

#define TEAM_RECORD(name, words)                                                                                               \
    static OTF2_CallbackCode name(EVENT_START, OTF2_CommRef team)                                                              \
    {                                                                                                                          \
        EVENT(words " %" PRIu32, team);                                                                                        \
    }
#define TASK_RECORD(name, words)                                                                                               \
    static OTF2_CallbackCode name(EVENT_START, OTF2_CommRef team, uint32_t creator, uint32_t generation)                       \
    {                                                                                                                          \
        EVENT(words " %" PRIu32 ".%" PRIu32 " of %" PRIu32, creator, generation, team);                                        \
    }
#define THREAD_RECORD(name, words)                                                                                             \
    static OTF2_CallbackCode name(EVENT_START, OTF2_CommRef contingent, uint64_t sequence)                                     \
    {                                                                                                                          \
        EVENT(words " %" PRIu64 " of %" PRIu32, sequence, contingent);                                                         \
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

#define WINDOW_RECORD(name, words)                                                                                             \
    static OTF2_CallbackCode name(EVENT_START, OTF2_RmaWinRef window)                                                          \
    {                                                                                                                          \
        EVENT(words " %s", WINDOW(window));                                                                                    \
    }
#define LOCK_RECORD(name, words)                                                                                               \
    static OTF2_CallbackCode name(EVENT_START, OTF2_RmaWinRef window, uint32_t remote, uint64_t lock, OTF2_LockType type)      \
    {                                                                                                                          \
        EVENT(words " %s of %d lock %" PRIu64 "%s", WINDOW(window), (int)remote, lock,                                         \
              type == OTF2_LOCK_EXCLUSIVE ? " exclusive" : "");                                                                \
    }
#define TRANSFER_RECORD(name, words)                                                                                           \
    static OTF2_CallbackCode name(EVENT_START, OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes, uint64_t matching)      \
    {                                                                                                                          \
        EVENT(words " %s of %" PRIu32 " bytes %" PRIu64 " matching %" PRIu64, WINDOW(window), remote, bytes, matching);        \
    }
#define COMPLETE_RECORD(name, words)                                                                                           \
    static OTF2_CallbackCode name(EVENT_START, OTF2_RmaWinRef window, uint64_t matching)                                       \
    {                                                                                                                          \
        EVENT(words " %s matching %" PRIu64, WINDOW(window), matching);                                                        \
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
on_rma_end(EVENT_START, OTF2_CollectiveOp operation, OTF2_RmaSyncLevel sync, OTF2_RmaWinRef window, uint32_t root, uint64_t sent,
           uint64_t received)
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
on_atomic(EVENT_START, OTF2_RmaWinRef window, uint32_t remote, OTF2_RmaAtomicType type, uint64_t sent, uint64_t received,
          uint64_t matching)
{
    EVENT("atomic %d %s of %" PRIu32 " sent %" PRIu64 " received %" PRIu64 " matching %" PRIu64, (int)type, WINDOW(window),
          remote, sent, received, matching);
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

    CHECK(OTF2_Reader_OpenEvtFiles(all->reader) == OTF2_SUCCESS);
    CHECK(OTF2_Reader_OpenDefFiles(all->reader) == OTF2_SUCCESS);
    for (uint32_t i = 0; i < all->n_locations; i++) {
        char *file = hd_format("%s/traces/%" PRIu64 ".def", folder, all->locations[i]);

        CHECK(OTF2_Reader_SelectLocation(all->reader, all->locations[i]) == OTF2_SUCCESS);
        if (access(file, R_OK) == 0) {
            OTF2_DefReader *definitions = OTF2_Reader_GetDefReader(all->reader, all->locations[i]);
            uint64_t        n_read;

            CHECK(OTF2_Reader_ReadAllLocalDefinitions(all->reader, definitions, &n_read) == OTF2_SUCCESS);
            OTF2_Reader_CloseDefReader(all->reader, definitions);
        }
        free(file);
        CHECK(OTF2_Reader_GetEvtReader(all->reader, all->locations[i]) != NULL);
        announced += all->n_announced[i];
    }
    OTF2_Reader_CloseDefFiles(all->reader);
    reader = OTF2_Reader_GetGlobalEvtReader(all->reader);
    OTF2_Reader_RegisterGlobalEvtCallbacks(all->reader, reader, callbacks, all);
    CHECK(OTF2_Reader_ReadAllGlobalEvents(all->reader, reader, &n) == OTF2_SUCCESS);
    CHECK_EQ(n, announced);
    OTF2_Reader_CloseGlobalEvtReader(all->reader, reader);
    OTF2_Reader_CloseEvtFiles(all->reader);
    OTF2_GlobalEvtReaderCallbacks_Delete(callbacks);
}

static int
remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)status;
    (void)type;
    (void)where;
    return remove(path);
}

/* Writes the situation, reads it, and returns what was read: the definitions' lines and the events'. free() it. */
static char *
write_and_read(const tw_op *ops, size_t n, const tw_options *options)
{
    char    folder[] = "/tmp/heddle-writer-XXXXXX";
    reading all      = { 0 };
    char   *archive, *anchor;

    CHECK(mkdtemp(folder) != NULL);
    archive = hd_format("%s/trace", folder);
    anchor  = hd_format("%s/traces.otf2", archive);
    tw_write(ops, n, options, archive);
    all.reader = OTF2_Reader_Open(anchor);
    CHECK(all.reader != NULL);
    OTF2_Reader_SetSerialCollectiveCallbacks(all.reader);
    definitions_read(&all);
    events_read(&all, archive);
    OTF2_Reader_Close(all.reader);
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(archive);
    free(anchor);
    for (size_t i = 0; i < sizeof all.strings / sizeof *all.strings; i++)
        free(all.strings[i]);
    hd_bytes_put(&all.text, "", 1);
    return (char *)all.text.data;
}

static const tw_op message[] = {
    { .process = 0, .op = TW_IRECV, .enter = 10, .leave = 12, .peer = 1, .tag = 7, .request = 3, .bytes = 64 },
    { .process = 0, .op = TW_WAIT, .enter = 20, .leave = 50, .request = 3 },
    { .process = 1, .op = TW_USER, .enter = 30, .leave = 48 },
    { .process = 1, .op = TW_SEND, .enter = 40, .leave = 45, .peer = 0, .tag = 7, .bytes = 64 },
};

static const char message_read[] =
    "resolution 1000000\n"
    "MPI_Irecv role 28 file MPI\n"
    "MPI_Wait role 1 file MPI\n"
    "MPI_Send role 28 file MPI\n"
    "0: 0 begin program 0\n"
    "0: 0 enter main\n"
    "1: 0 begin program 0\n"
    "1: 0 enter main\n"
    "0: 10 enter MPI_Irecv\n"
    "0: 10 irecv request 3\n"
    "0: 12 leave MPI_Irecv\n"
    "0: 20 enter MPI_Wait\n"
    "1: 30 enter work\n"
    "1: 40 enter MPI_Send\n"
    "1: 40 send to 0 in MPI_COMM_WORLD tag 7 bytes 64\n"
    "1: 45 leave MPI_Send\n"
    "1: 48 leave work\n"
    "0: 50 irecv from 1 in MPI_COMM_WORLD tag 7 bytes 64 request 3\n"
    "0: 50 leave MPI_Wait\n"
    "0: 51 leave main\n"
    "0: 51 end\n"
    "1: 51 leave main\n"
    "1: 51 end\n";

TEST(records_come_back_as_they_were_written)
{
    char *text = write_and_read(message, TW_LEN(message), NULL);

    CHECK_STR(text, message_read);
    free(text);
}

TEST(clock_offsets_lead_to_the_intended_times)
{
    /* Process 1 is 500 ticks ahead at first, and gains half a tick in each. */
    static const tw_clock_offset right[] = { { 0, 0 }, { 1000, 0 } };
    static const tw_clock_offset fast[]  = { { 520, -500 }, { 560, -520 } };
    static const tw_clock        clocks[] = { { right, 2 }, { fast, 2 } };
    const tw_options             options  = { .clocks = clocks };
    char                        *text     = write_and_read(message, TW_LEN(message), &options);

    CHECK_STR(text, message_read);
    free(text);
}

TEST(mapping_tables_lead_to_the_same_regions_and_communicators)
{
    const tw_options options = { .archive = { .with_mappings = true } };
    char            *text    = write_and_read(message, TW_LEN(message), &options);

    CHECK_STR(text, message_read);
    free(text);
}

TEST(a_clock_of_three_offsets_is_followed_piece_by_piece)
{
    static const tw_clock_offset bent[] = { { 1000, 50 }, { 2000, 70 }, { 3000, 60 } };

    CHECK_EQ(tw_clock_correct(bent, 2, 1500), 1560);
    CHECK_EQ(tw_clock_correct(bent, 2, 2500), 2580);
    CHECK_EQ(tw_clock_correct(bent, 2, 900), 948);
    CHECK_EQ(tw_clock_correct(bent, 3, 2500), 2565);
}

static const tw_comm swapped[] = { { .name = "pair", TW_PROCESSES(1, 0) } };
static const tw_op   collectives[] = {
    { .process = 0, .op = TW_BCAST, .enter = 10, .leave = 20, .root = 1, .comm = TW_COMM(0), .bytes = 16 },
    { .process = 1, .op = TW_BCAST, .enter = 11, .leave = 19, .root = 1, .comm = TW_COMM(0), .bytes = 16 },
    { .process = 0, .op = TW_IALLREDUCE, .enter = 30, .leave = 31, .request = 1 },
    { .process = 0, .op = TW_WAITALL, .enter = 32, .leave = 40, .requests = TW_REQUESTS(1) },
    { .process = 0, .op = TW_FLUSH, .enter = 33, .leave = 35 },
};

TEST(collectives_carry_what_score_p_writes)
{
    const tw_options options = { .comms = swapped, .n_comms = 1, .archive = { .with_mappings = true } };
    char            *text    = write_and_read(collectives, TW_LEN(collectives), &options);

    CHECK_STR(text, "resolution 1000000\n"
                    "MPI_Bcast role 23 file MPI\n"
                    "MPI_Iallreduce role 25 file MPI\n"
                    "MPI_Waitall role 1 file MPI\n"
                    "0: 0 begin program 0\n"
                    "0: 0 enter main\n"
                    "1: 0 begin program 0\n"
                    "1: 0 enter main\n"
                    "0: 10 enter MPI_Bcast\n"
                    "0: 10 coll begin\n"
                    "1: 11 enter MPI_Bcast\n"
                    "1: 11 coll begin\n"
                    "1: 19 coll end 1 in pair root 1 sent 0 received 16\n"
                    "1: 19 leave MPI_Bcast\n"
                    "0: 20 coll end 1 in pair root 1 sent 32 received 16\n"
                    "0: 20 leave MPI_Bcast\n"
                    "0: 30 enter MPI_Iallreduce\n"
                    "0: 30 nbc request 1\n"
                    "0: 31 leave MPI_Iallreduce\n"
                    "0: 32 enter MPI_Waitall\n"
                    "0: 33 flush until 35\n"
                    "0: 40 nbc complete 11 in MPI_COMM_WORLD root -1 sent 16 received 16 request 1\n"
                    "0: 40 leave MPI_Waitall\n"
                    "0: 41 leave main\n"
                    "0: 41 end\n"
                    "1: 41 leave main\n"
                    "1: 41 end\n");
    free(text);
}

static const tw_op team[] = {
    { .process = 0, .thread = 0, .op = TW_FORK, .enter = 10, .leave = 40, .team = 1 },
    { .process = 0, .thread = 1, .op = TW_TEAM, .enter = 12, .leave = 38, .team = 1 },
    { .process = 0, .thread = 1, .op = TW_SET_LOCK, .enter = 13, .leave = 15, .lock = 4, .order = 1 },
    { .process = 0, .thread = 1, .op = TW_UNSET_LOCK, .enter = 16, .leave = 17, .lock = 4, .order = 1 },
    { .process = 0, .thread = 1, .op = TW_TASK_CREATE, .enter = 20, .creator = 1, .task = 1, .team = 1 },
    { .process = 0, .thread = 1, .op = TW_TASK_SWITCH, .enter = 21, .creator = 1, .task = 1, .team = 1 },
    { .process = 0, .thread = 1, .op = TW_ENTER, .enter = 22, .region = "leaf" },
    { .process = 0, .thread = 1, .op = TW_LEAVE, .enter = 23, .region = "leaf" },
    { .process = 0, .thread = 1, .op = TW_TASK_COMPLETE, .enter = 24, .creator = 1, .task = 1, .team = 1 },
};

TEST(teams_locks_and_tasks_are_records_of_openmp)
{
    const tw_team    pair[]  = { { .process = 0, TW_THREADS(0, 1) } };
    const tw_options options = { .teams = pair, .n_teams = 1 };
    char            *text    = write_and_read(team, TW_LEN(team), &options);

    CHECK_STR(text, "resolution 1000000\n"
                    "omp_set_lock role 2 file OMP\n"
                    "omp_unset_lock role 2 file OMP\n"
                    "0: 0 begin program 0\n"
                    "0: 0 enter main\n"
                    "0: 10 fork 3\n"
                    "4294967296: 12 team begin 4\n"
                    "4294967296: 12 enter !$omp parallel @program.c:1\n"
                    "4294967296: 13 enter omp_set_lock\n"
                    "4294967296: 15 acquire 3 lock 4 order 1\n"
                    "4294967296: 15 leave omp_set_lock\n"
                    "4294967296: 16 enter omp_unset_lock\n"
                    "4294967296: 16 release 3 lock 4 order 1\n"
                    "4294967296: 17 leave omp_unset_lock\n"
                    "4294967296: 20 task create 1.1 of 4\n"
                    "4294967296: 21 task switch 1.1 of 4\n"
                    "4294967296: 22 enter leaf\n"
                    "4294967296: 23 leave leaf\n"
                    "4294967296: 24 task complete 1.1 of 4\n"
                    "4294967296: 38 leave !$omp parallel @program.c:1\n"
                    "4294967296: 38 team end 4\n"
                    "0: 40 join 3\n"
                    "0: 41 leave main\n"
                    "0: 41 end\n");
    free(text);
}

static const tw_op threads[] = {
    { .process = 0, .thread = 0, .op = TW_THREAD_CREATE, .enter = 5, .leave = 6, .created = 1 },
    { .process = 0, .thread = 0, .op = TW_MUTEX_LOCK, .enter = 8, .leave = 9, .order = 1 },
    { .process = 0, .thread = 0, .op = TW_COND_WAIT, .enter = 10, .leave = 20, .order = 1, .next_order = 2 },
    { .process = 0, .thread = 0, .op = TW_MUTEX_UNLOCK, .enter = 22, .leave = 23, .order = 2 },
    { .process = 0, .thread = 0, .op = TW_THREAD_JOIN, .enter = 25, .leave = 29, .created = 1 },
    { .process = 0, .thread = 1, .op = TW_THREAD, .enter = 7, .leave = 28, .created = 1 },
    { .process = 0, .thread = 1, .op = TW_USER, .enter = 11, .leave = 27 },
};

TEST(created_threads_and_mutexes_are_records_of_posix_threads)
{
    char *text = write_and_read(threads, TW_LEN(threads), NULL);

    CHECK_STR(text, "resolution 1000000\n"
                    "pthread_create role 32 file PTHREAD\n"
                    "pthread_mutex_lock role 2 file PTHREAD\n"
                    "pthread_cond_wait role 2 file PTHREAD\n"
                    "pthread_mutex_unlock role 2 file PTHREAD\n"
                    "pthread_join role 33 file PTHREAD\n"
                    "0: 0 begin program 0\n"
                    "0: 0 enter main\n"
                    "0: 5 enter pthread_create\n"
                    "0: 5 thread create 1 of 3\n"
                    "0: 6 leave pthread_create\n"
                    "4294967296: 7 thread begin 1 of 3\n"
                    "0: 8 enter pthread_mutex_lock\n"
                    "0: 9 acquire 7 lock 0 order 1\n"
                    "0: 9 leave pthread_mutex_lock\n"
                    "0: 10 enter pthread_cond_wait\n"
                    "0: 10 release 7 lock 0 order 1\n"
                    "4294967296: 11 enter work\n"
                    "0: 20 acquire 7 lock 0 order 2\n"
                    "0: 20 leave pthread_cond_wait\n"
                    "0: 22 enter pthread_mutex_unlock\n"
                    "0: 22 release 7 lock 0 order 2\n"
                    "0: 23 leave pthread_mutex_unlock\n"
                    "0: 25 enter pthread_join\n"
                    "4294967296: 27 leave work\n"
                    "4294967296: 28 thread end 1 of 3\n"
                    "0: 29 thread wait 1 of 3\n"
                    "0: 29 leave pthread_join\n"
                    "0: 30 leave main\n"
                    "0: 30 end\n");
    free(text);
}

static const tw_op epochs[] = {
    { .process = 0, .op = TW_WIN_ALLOCATE, .enter = 1, .leave = 4, .begin = 2, .end = 3 },
    { .process = 1, .op = TW_WIN_ALLOCATE, .enter = 1, .leave = 4, .begin = 2, .end = 3 },
    { .process = 0, .op = TW_WIN_START, .enter = 10, .leave = 12, TW_GROUP(1) },
    { .process = 0, .op = TW_PUT, .enter = 13, .leave = 15, .record = 14, .peer = 1 },
    { .process = 0, .op = TW_PUT, .enter = 16, .leave = 17, .peer = 1, .bytes = 16 },
    { .process = 0, .op = TW_GET, .enter = 18, .leave = 19, .peer = 1 },
    { .process = 0, .op = TW_WIN_COMPLETE, .enter = 20, .leave = 25, TW_GROUP(1) },
    { .process = 0, .op = TW_WIN_COMPLETE, .enter = 26, .leave = 27, TW_GROUP(1) },
    { .process = 1, .op = TW_WIN_POST, .enter = 10, .leave = 12, TW_GROUP(0) },
    { .process = 1, .op = TW_WIN_TEST, .enter = 13, .leave = 14, TW_GROUP(0), .unsuccessful = true },
    { .process = 1, .op = TW_WIN_WAIT, .enter = 15, .leave = 26, TW_GROUP(0) },
    { .process = 0, .op = TW_WIN_FREE, .enter = 30, .leave = 34, .begin = 31, .end = 33 },
    { .process = 1, .op = TW_WIN_FREE, .enter = 30, .leave = 34, .begin = 31, .end = 33 },
};

static const char epochs_read[] =
    "resolution 1000000\n"
    "MPI_Win_allocate role 35 file MPI\n"
    "MPI_Win_start role 1 file MPI\n"
    "MPI_Put role 29 file MPI\n"
    "MPI_Get role 29 file MPI\n"
    "MPI_Win_complete role 1 file MPI\n"
    "MPI_Win_post role 1 file MPI\n"
    "MPI_Win_test role 1 file MPI\n"
    "MPI_Win_wait role 1 file MPI\n"
    "MPI_Win_free role 1 file MPI\n"
    "window MPI_Win_create window is created\n"
    "0: 0 begin program 0\n"
    "0: 0 enter main\n"
    "1: 0 begin program 0\n"
    "1: 0 enter main\n"
    "0: 1 enter MPI_Win_allocate\n"
    "1: 1 enter MPI_Win_allocate\n"
    "0: 2 rma begin\n"
    "1: 2 rma begin\n"
    "0: 3 create MPI_Win_create window\n"
    "0: 3 rma end 21 sync 1 MPI_Win_create window root -1 sent 0 received 0\n"
    "1: 3 create MPI_Win_create window\n"
    "1: 3 rma end 21 sync 1 MPI_Win_create window root -1 sent 0 received 0\n"
    "0: 4 leave MPI_Win_allocate\n"
    "1: 4 leave MPI_Win_allocate\n"
    "0: 10 enter MPI_Win_start\n"
    "0: 10 group sync 1 MPI_Win_create window of 1\n"
    "1: 10 enter MPI_Win_post\n"
    "1: 10 group sync 1 MPI_Win_create window of 0\n"
    "0: 12 leave MPI_Win_start\n"
    "1: 12 leave MPI_Win_post\n"
    "0: 13 enter MPI_Put\n"
    "1: 13 enter MPI_Win_test\n"
    "1: 13 group sync 0 MPI_Win_create window of 0\n"
    "0: 14 put MPI_Win_create window of 1 bytes 8 matching 1\n"
    "1: 14 leave MPI_Win_test\n"
    "0: 15 leave MPI_Put\n"
    "1: 15 enter MPI_Win_wait\n"
    "1: 15 group sync 3 MPI_Win_create window of 0\n"
    "0: 16 enter MPI_Put\n"
    "0: 16 put MPI_Win_create window of 1 bytes 16 matching 1\n"
    "0: 17 leave MPI_Put\n"
    "0: 18 enter MPI_Get\n"
    "0: 18 get MPI_Win_create window of 1 bytes 8 matching 2\n"
    "0: 19 leave MPI_Get\n"
    "0: 20 enter MPI_Win_complete\n"
    "0: 25 complete MPI_Win_create window matching 2\n"
    "0: 25 complete remote MPI_Win_create window matching 2\n"
    "0: 25 complete MPI_Win_create window matching 1\n"
    "0: 25 group sync 3 MPI_Win_create window of 1\n"
    "0: 25 leave MPI_Win_complete\n"
    "0: 26 enter MPI_Win_complete\n"
    "0: 26 group sync 3 MPI_Win_create window of 1\n"
    "1: 26 leave MPI_Win_wait\n"
    "0: 27 leave MPI_Win_complete\n"
    "0: 30 enter MPI_Win_free\n"
    "1: 30 enter MPI_Win_free\n"
    "0: 31 rma begin\n"
    "1: 31 rma begin\n"
    "0: 33 destroy MPI_Win_create window\n"
    "0: 33 rma end 22 sync 1 MPI_Win_create window root -1 sent 0 received 0\n"
    "1: 33 destroy MPI_Win_create window\n"
    "1: 33 rma end 22 sync 1 MPI_Win_create window root -1 sent 0 received 0\n"
    "0: 34 leave MPI_Win_free\n"
    "1: 34 leave MPI_Win_free\n"
    "0: 35 leave main\n"
    "0: 35 end\n"
    "1: 35 leave main\n"
    "1: 35 end\n";

TEST(epochs_between_groups_are_stamped_as_score_p_does)
{
    char *text = write_and_read(epochs, TW_LEN(epochs), NULL);

    CHECK_STR(text, epochs_read);
    free(text);
}

TEST(mapping_tables_lead_to_the_same_windows_and_groups)
{
    const tw_options options = { .archive = { .with_mappings = true } };
    char            *text    = write_and_read(epochs, TW_LEN(epochs), &options);

    CHECK_STR(text, epochs_read);
    free(text);
}

static const tw_comm   turned[]    = { { .name = "pair", TW_PROCESSES(1, 0) } };
static const tw_window windows[]   = { { .name = "first", .comm = TW_COMM(0) }, { .name = "second", .comm = TW_WORLD } };
static const tw_op     passive[] = {
    { .process = 0, .op = TW_WIN_LOCK, .enter = 10, .leave = 11, .window = 1, .peer = 1, .exclusive = true },
    { .process = 0, .op = TW_ACCUMULATE, .enter = 12, .leave = 13, .window = 1, .peer = 1 },
    { .process = 0, .op = TW_WIN_LOCK_ALL, .enter = 14, .leave = 15, .window = 0 },
    { .process = 0, .op = TW_RPUT, .enter = 16, .leave = 17, .window = 0, .peer = 0, .request = 9 },
    { .process = 0, .op = TW_WIN_UNLOCK, .enter = 18, .leave = 20, .window = 1, .peer = 1 },
    { .process = 0, .op = TW_WAIT, .enter = 22, .leave = 23, .request = 9 },
    { .process = 0, .op = TW_GET_ACCUMULATE, .enter = 24, .leave = 25, .window = 0, .peer = 1 },
    { .process = 0, .op = TW_WIN_FLUSH, .enter = 26, .leave = 28, .window = 0, .peer = 0 },
    { .process = 0, .op = TW_WIN_FLUSH_LOCAL, .enter = 30, .leave = 31, .window = 0, .peer = 1 },
    { .process = 0, .op = TW_WIN_UNLOCK_ALL, .enter = 32, .leave = 34, .window = 0 },
    { .process = 1, .op = TW_WIN_UNLOCK, .enter = 32, .leave = 34, .window = 1, .peer = 0 },
};

TEST(locks_and_flushes_complete_what_they_concern)
{
    const tw_options options = { .comms = turned, .n_comms = 1, .windows = windows, .n_windows = 2,
                                 .archive = { .with_mappings = true } };
    char            *text    = write_and_read(passive, TW_LEN(passive), &options);

    CHECK_STR(strstr(text, "0: 10"), "0: 10 enter MPI_Win_lock\n"
                                     "0: 10 request second of 1 lock 0 exclusive\n"
                                     "0: 11 leave MPI_Win_lock\n"
                                     "0: 12 enter MPI_Accumulate\n"
                                     "0: 12 atomic 0 second of 1 sent 8 received 0 matching 1\n"
                                     "0: 13 leave MPI_Accumulate\n"
                                     "0: 14 enter MPI_Win_lock_all\n"
                                     "0: 14 request first of -1 lock 0\n"
                                     "0: 15 leave MPI_Win_lock_all\n"
                                     "0: 16 enter MPI_Rput\n"
                                     "0: 16 put first of 0 bytes 8 matching 2\n"
                                     "0: 17 leave MPI_Rput\n"
                                     "0: 18 enter MPI_Win_unlock\n"
                                     "0: 20 complete second matching 1\n"
                                     "0: 20 complete remote second matching 1\n"
                                     "0: 20 release second of 1 lock 0\n"
                                     "0: 20 leave MPI_Win_unlock\n"
                                     "0: 22 enter MPI_Wait\n"
                                     "0: 23 complete first matching 2\n"
                                     "0: 23 leave MPI_Wait\n"
                                     "0: 24 enter MPI_Get_accumulate\n"
                                     "0: 24 atomic 7 first of 1 sent 8 received 8 matching 3\n"
                                     "0: 25 leave MPI_Get_accumulate\n"
                                     "0: 26 enter MPI_Win_flush\n"
                                     "0: 28 complete remote first matching 2\n"
                                     "0: 28 leave MPI_Win_flush\n"
                                     "0: 30 enter MPI_Win_flush_local\n"
                                     "0: 31 complete first matching 3\n"
                                     "0: 31 leave MPI_Win_flush_local\n"
                                     "0: 32 enter MPI_Win_unlock_all\n"
                                     "1: 32 enter MPI_Win_unlock\n"
                                     "1: 32 release second of 0 lock 0\n"
                                     "0: 34 complete remote first matching 3\n"
                                     "0: 34 release first of -1 lock 0\n"
                                     "0: 34 leave MPI_Win_unlock_all\n"
                                     "1: 34 leave MPI_Win_unlock\n"
                                     "0: 35 leave main\n"
                                     "0: 35 end\n"
                                     "1: 35 leave main\n"
                                     "1: 35 end\n");
    free(text);
}

static const tw_op fences[] = {
    { .process = 0, .op = TW_FENCE, .enter = 10, .leave = 20, .begin = 12 },
    { .process = 0, .op = TW_GET, .enter = 21, .leave = 22, .peer = 0 },
    { .process = 0, .op = TW_FENCE, .enter = 23, .leave = 29, .end = 28 },
};

TEST(fences_complete_operations_and_are_barriers)
{
    char *text = write_and_read(fences, TW_LEN(fences), NULL);

    CHECK_STR(strstr(text, "0: 10"), "0: 10 enter MPI_Win_fence\n"
                                     "0: 12 rma begin\n"
                                     "0: 20 rma end 0 sync 3 MPI_Win_create window root -1 sent 0 received 0\n"
                                     "0: 20 leave MPI_Win_fence\n"
                                     "0: 21 enter MPI_Get\n"
                                     "0: 21 get MPI_Win_create window of 0 bytes 8 matching 1\n"
                                     "0: 22 leave MPI_Get\n"
                                     "0: 23 enter MPI_Win_fence\n"
                                     "0: 23 rma begin\n"
                                     "0: 28 complete MPI_Win_create window matching 1\n"
                                     "0: 28 complete remote MPI_Win_create window matching 1\n"
                                     "0: 28 rma end 0 sync 3 MPI_Win_create window root -1 sent 0 received 0\n"
                                     "0: 29 leave MPI_Win_fence\n"
                                     "0: 30 leave main\n"
                                     "0: 30 end\n");
    free(text);
}

static const tw_op shmem[] = {
    { .process = 0, .op = TW_SHMEM_PUT, .enter = 10, .leave = 12, .peer = 1, .record = 11 },
    { .process = 0, .op = TW_SHMEM_BARRIER, .enter = 13, .leave = 20 },
    { .process = 0, .op = TW_SHMEM_GET, .enter = 21, .leave = 23, .peer = 1, .bytes = 64 },
    { .process = 0, .op = TW_SHMEM_BCAST, .enter = 24, .leave = 25, .root = 1 },
    { .process = 0, .op = TW_SHMEM_REDUCE, .enter = 26, .leave = 27 },
    { .process = 0, .op = TW_SHMEM_LOCK, .enter = 28, .leave = 29, .lock = 5 },
    { .process = 0, .op = TW_SHMEM_UNLOCK, .enter = 30, .leave = 31, .lock = 5 },
    { .process = 0, .op = TW_SHMEM_WAIT_UNTIL, .enter = 32, .leave = 33 },
    { .process = 1, .op = TW_SHMEM_BARRIER, .enter = 13, .leave = 20 },
};

TEST(calls_of_shmem_have_a_window_of_all_processing_elements)
{
    const tw_options options = { .archive = { .with_mappings = true } };
    char            *text    = write_and_read(shmem, TW_LEN(shmem), &options);

    CHECK_STR(text, "resolution 1000000\n"
                    "shmem_put64 role 29 file SHMEM\n"
                    "shmem_barrier_all role 15 file SHMEM\n"
                    "shmem_get64 role 29 file SHMEM\n"
                    "shmem_broadcast64 role 23 file SHMEM\n"
                    "shmem_int_sum_to_all role 25 file SHMEM\n"
                    "shmem_set_lock role 1 file SHMEM\n"
                    "shmem_clear_lock role 1 file SHMEM\n"
                    "shmem_int_wait_until role 28 file SHMEM\n"
                    "window All PEs\n"
                    "0: 0 begin program 0\n"
                    "0: 0 enter main\n"
                    "1: 0 begin program 0\n"
                    "1: 0 enter main\n"
                    "0: 10 enter shmem_put64\n"
                    "0: 11 put All PEs of 1 bytes 8 matching 0\n"
                    "0: 12 complete blocking All PEs matching 0\n"
                    "0: 12 leave shmem_put64\n"
                    "0: 13 enter shmem_barrier_all\n"
                    "0: 13 rma begin\n"
                    "1: 13 enter shmem_barrier_all\n"
                    "1: 13 rma begin\n"
                    "0: 20 complete remote All PEs matching 0\n"
                    "0: 20 rma end 0 sync 3 All PEs root -1 sent 0 received 0\n"
                    "0: 20 leave shmem_barrier_all\n"
                    "1: 20 rma end 0 sync 3 All PEs root -1 sent 0 received 0\n"
                    "1: 20 leave shmem_barrier_all\n"
                    "0: 21 enter shmem_get64\n"
                    "0: 21 get All PEs of 1 bytes 64 matching 1\n"
                    "0: 23 complete blocking All PEs matching 1\n"
                    "0: 23 leave shmem_get64\n"
                    "0: 24 enter shmem_broadcast64\n"
                    "0: 24 rma begin\n"
                    "0: 25 rma end 1 sync 3 All PEs root 1 sent 8 received 8\n"
                    "0: 25 leave shmem_broadcast64\n"
                    "0: 26 enter shmem_int_sum_to_all\n"
                    "0: 26 rma begin\n"
                    "0: 27 rma end 12 sync 3 All PEs root -1 sent 8 received 8\n"
                    "0: 27 leave shmem_int_sum_to_all\n"
                    "0: 28 enter shmem_set_lock\n"
                    "0: 28 acquire All PEs of -1 lock 5 exclusive\n"
                    "0: 29 leave shmem_set_lock\n"
                    "0: 30 enter shmem_clear_lock\n"
                    "0: 30 release All PEs of -1 lock 5\n"
                    "0: 31 leave shmem_clear_lock\n"
                    "0: 32 enter shmem_int_wait_until\n"
                    "0: 32 wait for a change of All PEs\n"
                    "0: 33 leave shmem_int_wait_until\n"
                    "0: 34 leave main\n"
                    "0: 34 end\n"
                    "1: 34 leave main\n"
                    "1: 34 end\n");
    free(text);
}

static const tw_window mixed[] = { { .name = "of MPI", .comm = TW_COMM(0) },
                                   { .name = "Active set 0:0:2", .comm = TW_COMM(0), .is_shmem = true } };
static const tw_op     both[] = {
    { .process = 0, .op = TW_WIN_CREATE, .enter = 10, .leave = 20, .region = "MPI_Win_create_dynamic" },
    { .process = 0, .op = TW_SHMEM_BARRIER, .enter = 30, .leave = 40, .window = 1, .region = "shmem_barrier" },
    { .process = 1, .op = TW_SHMEM_BARRIER, .enter = 30, .leave = 40, .window = 1, .region = "shmem_barrier" },
};

TEST(windows_of_mpi_and_of_shmem_stand_side_by_side)
{
    const tw_options options = { .comms = turned, .n_comms = 1, .windows = mixed, .n_windows = 2,
                                 .archive = { .with_mappings = true } };
    char            *text    = write_and_read(both, TW_LEN(both), &options);

    CHECK_STR(text, "resolution 1000000\n"
                    "MPI_Win_create_dynamic role 1 file MPI\n"
                    "shmem_barrier role 15 file SHMEM\n"
                    "window of MPI is created\n"
                    "window Active set 0:0:2\n"
                    "0: 0 begin program 0\n"
                    "0: 0 enter main\n"
                    "1: 0 begin program 0\n"
                    "1: 0 enter main\n"
                    "0: 10 enter MPI_Win_create_dynamic\n"
                    "0: 10 rma begin\n"
                    "0: 20 create of MPI\n"
                    "0: 20 rma end 17 sync 1 of MPI root -1 sent 0 received 0\n"
                    "0: 20 leave MPI_Win_create_dynamic\n"
                    "0: 30 enter shmem_barrier\n"
                    "0: 30 rma begin\n"
                    "1: 30 enter shmem_barrier\n"
                    "1: 30 rma begin\n"
                    "0: 40 rma end 0 sync 3 Active set 0:0:2 root -1 sent 0 received 0\n"
                    "0: 40 leave shmem_barrier\n"
                    "1: 40 rma end 0 sync 3 Active set 0:0:2 root -1 sent 0 received 0\n"
                    "1: 40 leave shmem_barrier\n"
                    "0: 41 leave main\n"
                    "0: 41 end\n"
                    "1: 41 leave main\n"
                    "1: 41 end\n");
    free(text);
}

TEST_MAIN
