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
    uint32_t     regions[64], comms[64];
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
    if (paradigm == OTF2_PARADIGM_MPI || ((paradigm == OTF2_PARADIGM_OPENMP || paradigm == OTF2_PARADIGM_PTHREAD) &&
                                          file != OTF2_UNDEFINED_STRING))
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
    "0: 0 begin /home/user/bin/program 0\n"
    "0: 0 enter main\n"
    "1: 0 begin /home/user/bin/program 0\n"
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
                    "0: 0 begin /home/user/bin/program 0\n"
                    "0: 0 enter main\n"
                    "1: 0 begin /home/user/bin/program 0\n"
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
                    "0: 0 begin /home/user/bin/program 0\n"
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
                    "0: 0 begin /home/user/bin/program 0\n"
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

TEST_MAIN
