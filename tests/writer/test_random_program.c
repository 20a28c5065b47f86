/* tests/writer/test_random_program.c: what tw_random writes are legal MPI programs, and one seed gives one archive.
 *
 * Read with libotf2, location after location: enters and leaves are balanced, every channel has as many receives as sends, with
 * the same bytes in the same order, every request is started and ended, and every process calls the collectives of a
 * communicator in the same order.
 */
#define _GNU_SOURCE /* nftw */

#include <ftw.h>
#include <otf2/otf2.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "memory.h"

enum { N_SEEDS = 40, MOST_MEMBERS = 8, MOST_NUMBERS = 64 };

/* A stream of numbers that two sides must agree on: bytes of the messages of a channel, operations of a communicator. */
typedef struct stream {
    uint32_t kind, comm, from, to, tag; /* kind 0: messages, 1: collectives (from: process) */
    uint64_t values[2][256];            /* sent, received; collectives: [0] */
    uint32_t n[2];
} stream;

typedef struct reading {
    uint32_t  group_of_comm[MOST_NUMBERS], remote_of_comm[MOST_NUMBERS]; /* HD_NONE: none */
    uint64_t  members[MOST_NUMBERS][MOST_MEMBERS];
    uint32_t  n_members[MOST_NUMBERS];
    bool      is_self[MOST_NUMBERS];
    uint64_t  n_announced[MOST_NUMBERS];
    uint32_t  n_locations;
    int64_t   depth;
    uint64_t  last;
    struct {
        uint64_t number;
        uint32_t comm, peer, tag;
        uint64_t bytes;
        bool     is_send;
    } open[256];
    uint32_t n_open, n_records;
    stream  *streams;
    size_t   n_streams, capacity;
} reading;

static OTF2_CallbackCode
on_location(void *data, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type, uint64_t n_events,
            OTF2_LocationGroupRef group)
{
    reading *all = data;

    (void)name;
    (void)type;
    (void)group;
    CHECK_EQ(self, all->n_locations);
    all->n_announced[all->n_locations++] = n_events;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_group(void *data, OTF2_GroupRef self, OTF2_StringRef name, OTF2_GroupType type, OTF2_Paradigm paradigm, OTF2_GroupFlag flags,
         uint32_t n, const uint64_t *members)
{
    reading *all = data;

    (void)name;
    (void)paradigm;
    (void)flags;
    all->n_members[self] = n;
    all->is_self[self]   = type == OTF2_GROUP_TYPE_COMM_SELF;
    for (uint32_t i = 0; i < n; i++)
        all->members[self][i] = members[i];
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_comm(void *data, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group, OTF2_CommRef parent, OTF2_CommFlag flags)
{
    reading *all = data;

    (void)name;
    (void)parent;
    (void)flags;
    all->group_of_comm[self]  = group;
    all->remote_of_comm[self] = HD_NONE;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_inter_comm(void *data, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef a, OTF2_GroupRef b, OTF2_CommRef common,
              OTF2_CommFlag flags)
{
    reading *all = data;

    (void)name;
    (void)common;
    (void)flags;
    all->group_of_comm[self]  = a;
    all->remote_of_comm[self] = b;
    return OTF2_CALLBACK_SUCCESS;
}

static bool
is_member(const reading *all, uint32_t group, uint64_t process)
{
    for (uint32_t i = 0; i < all->n_members[group]; i++)
        if (all->members[group][i] == process)
            return true;
    return false;
}

static uint32_t
world_rank(const reading *all, uint32_t comm, uint64_t self, uint32_t rank)
{
    uint32_t group = all->group_of_comm[comm];

    if (all->is_self[group])
        return (uint32_t)self;
    if (all->remote_of_comm[comm] != HD_NONE && is_member(all, group, self))
        group = all->remote_of_comm[comm];
    CHECK(rank < all->n_members[group]);
    return (uint32_t)all->members[group][rank];
}

static void
stream_put(reading *all, stream key, uint32_t side, uint64_t value)
{
    size_t i = 0;

    while (i < all->n_streams &&
           (all->streams[i].kind != key.kind || all->streams[i].comm != key.comm || all->streams[i].from != key.from ||
            all->streams[i].to != key.to || all->streams[i].tag != key.tag))
        i++;
    if (i == all->n_streams)
        HD_PUSH(all->streams, all->n_streams, all->capacity, key);
    CHECK(all->streams[i].n[side] < 256);
    all->streams[i].values[side][all->streams[i].n[side]++] = value;
}

static void
message_put(reading *all, uint64_t self, bool is_send, uint32_t comm, uint32_t peer, uint32_t tag, uint64_t bytes)
{
    uint32_t other = world_rank(all, comm, self, peer);
    uint32_t own   = (uint32_t)self;
    stream   key   = { .comm = comm, .tag = tag, .from = is_send ? own : other, .to = is_send ? other : own };

    stream_put(all, key, is_send ? 0 : 1, bytes);
}

static void
request_open(reading *all, uint64_t number, bool is_send, uint32_t comm, uint32_t peer, uint32_t tag, uint64_t bytes)
{
    for (uint32_t i = 0; i < all->n_open; i++)
        CHECK(all->open[i].number != number);
    CHECK(all->n_open < 256);
    all->open[all->n_open].number  = number;
    all->open[all->n_open].is_send = is_send;
    all->open[all->n_open].comm    = comm;
    all->open[all->n_open].peer    = peer;
    all->open[all->n_open].tag     = tag;
    all->open[all->n_open].bytes   = bytes;
    all->n_open++;
}

static void
request_close(reading *all, uint64_t number)
{
    for (uint32_t i = 0; i < all->n_open; i++)
        if (all->open[i].number == number) {
            all->open[i] = all->open[--all->n_open];
            return;
        }
    CHECK(!"a request that is ended was started");
}

#define EVENT_START OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *data, OTF2_AttributeList *list
#define EVENT                                                                                                                  \
    reading *all = data;                                                                                                       \
    (void)location;                                                                                                            \
    (void)position;                                                                                                            \
    (void)list;                                                                                                                \
    CHECK(time >= all->last);                                                                                                  \
    all->last = time

static OTF2_CallbackCode
on_enter(EVENT_START, OTF2_RegionRef region)
{
    EVENT;
    (void)region;
    all->depth++;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_leave(EVENT_START, OTF2_RegionRef region)
{
    EVENT;
    (void)region;
    CHECK(--all->depth >= 0);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_send(EVENT_START, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
    EVENT;
    message_put(all, location, true, comm, peer, tag, bytes);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_recv(EVENT_START, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
    EVENT;
    message_put(all, location, false, comm, peer, tag, bytes);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_isend(EVENT_START, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t request)
{
    EVENT;
    if (tag != 99) /* sends of this tag are cancelled */
        message_put(all, location, true, comm, peer, tag, bytes);
    request_open(all, request, true, comm, peer, tag, bytes);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_irecv(EVENT_START, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t request)
{
    EVENT;
    message_put(all, location, false, comm, peer, tag, bytes);
    request_close(all, request);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_start(EVENT_START, uint64_t request)
{
    EVENT;
    request_open(all, request, false, 0, 0, 0, 0);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_finish(EVENT_START, uint64_t request)
{
    EVENT;
    request_close(all, request);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_collective(EVENT_START, OTF2_CollectiveOp operation, OTF2_CommRef comm, uint32_t root, uint64_t sent, uint64_t received)
{
    EVENT;
    (void)root;
    (void)sent;
    (void)received;
    stream_put(all, (stream){ .kind = 1, .comm = comm, .from = (uint32_t)location }, 0, operation);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_nbc(EVENT_START, OTF2_CollectiveOp operation, OTF2_CommRef comm, uint32_t root, uint64_t sent, uint64_t received,
       uint64_t request)
{
    EVENT;
    (void)operation;
    (void)comm;
    (void)root;
    (void)sent;
    (void)received;
    request_close(all, request);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_EvtReaderCallbacks *
event_callbacks(void)
{
    OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();

    OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, on_enter);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, on_leave);
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks, on_send);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(callbacks, on_recv);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(callbacks, on_isend);
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(callbacks, on_finish);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(callbacks, on_start);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(callbacks, on_irecv);
    OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(callbacks, on_finish);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(callbacks, on_collective);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(callbacks, on_start);
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(callbacks, on_nbc);
    return callbacks;
}

static void
definitions_read(OTF2_Reader *reader, reading *all)
{
    OTF2_GlobalDefReader          *definitions = OTF2_Reader_GetGlobalDefReader(reader);
    OTF2_GlobalDefReaderCallbacks *callbacks   = OTF2_GlobalDefReaderCallbacks_New();
    uint64_t                       n;

    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, on_group);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, on_comm);
    OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(callbacks, on_inter_comm);
    OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, all);
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    CHECK(OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &n) == OTF2_SUCCESS);
}

static void
location_check(OTF2_Reader *reader, reading *all, uint32_t location, const OTF2_EvtReaderCallbacks *callbacks)
{
    OTF2_DefReader *definitions = OTF2_Reader_GetDefReader(reader, location);
    OTF2_EvtReader *events;
    uint64_t        n = 0;

    CHECK(OTF2_Reader_ReadAllLocalDefinitions(reader, definitions, &n) == OTF2_SUCCESS);
    OTF2_Reader_CloseDefReader(reader, definitions);
    events = OTF2_Reader_GetEvtReader(reader, location);
    OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, all);
    all->depth  = 0;
    all->last   = 0;
    all->n_open = 0;
    CHECK(OTF2_Reader_ReadAllLocalEvents(reader, events, &n) == OTF2_SUCCESS);
    OTF2_Reader_CloseEvtReader(reader, events);
    CHECK_EQ(n, all->n_announced[location]);
    CHECK(n >= 10 && n <= 800);
    CHECK_EQ(all->depth, 0);
    for (uint32_t i = 0; i < all->n_open; i++) /* a send whose request was freed has no end */
        CHECK(all->open[i].is_send);
}

static void
streams_check(const reading *all)
{
    for (size_t i = 0; i < all->n_streams; i++) {
        const stream *one = &all->streams[i];

        if (one->kind == 0) {
            CHECK_EQ(one->n[1], one->n[0]);
            CHECK(memcmp(one->values[0], one->values[1], one->n[0] * sizeof(uint64_t)) == 0);
        }
        for (size_t k = 0; one->kind == 1 && !all->is_self[all->group_of_comm[one->comm]] && k < i; k++)
            if (all->streams[k].kind == 1 && all->streams[k].comm == one->comm) {
                CHECK_EQ(one->n[0], all->streams[k].n[0]);
                CHECK(memcmp(one->values[0], all->streams[k].values[0], one->n[0] * sizeof(uint64_t)) == 0);
            }
    }
}

static void
archive_check(const char *anchor)
{
    reading                  all       = { 0 };
    OTF2_Reader             *reader    = OTF2_Reader_Open(anchor);
    OTF2_EvtReaderCallbacks *callbacks = event_callbacks();

    CHECK(reader != NULL);
    OTF2_Reader_SetSerialCollectiveCallbacks(reader);
    definitions_read(reader, &all);
    for (uint32_t i = 0; i < all.n_locations; i++)
        OTF2_Reader_SelectLocation(reader, i);
    CHECK(OTF2_Reader_OpenEvtFiles(reader) == OTF2_SUCCESS);
    CHECK(OTF2_Reader_OpenDefFiles(reader) == OTF2_SUCCESS);
    for (uint32_t i = 0; i < all.n_locations; i++)
        location_check(reader, &all, i, callbacks);
    OTF2_Reader_CloseDefFiles(reader);
    OTF2_Reader_CloseEvtFiles(reader);
    OTF2_Reader_Close(reader);
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    streams_check(&all);
    free(all.streams);
}

static int
remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)status;
    (void)type;
    (void)where;
    return remove(path);
}

static void
random_write(const char *directory, uint32_t seed)
{
    const char *program = getenv("TW_RANDOM") == NULL ? "./tw_random" : getenv("TW_RANDOM");
    char        number[16];
    pid_t       child;
    int         status = -1;

    snprintf(number, sizeof number, "%" PRIu32, seed);
    child = fork();
    if (child == 0) {
        execl(program, program, number, directory, (char *)NULL);
        _exit(127);
    }
    waitpid(child, &status, 0);
    CHECK_EQ(status, 0);
}

TEST(random_programs_are_legal)
{
    char folder[] = "/tmp/heddle-random-XXXXXX";

    CHECK(mkdtemp(folder) != NULL);
    for (uint32_t seed = 1; seed <= N_SEEDS; seed++) {
        char *directory = hd_format("%s/%" PRIu32, folder, seed);
        char *anchor    = hd_format("%s/traces.otf2", directory);
        int   before    = check_failures;

        random_write(directory, seed);
        archive_check(anchor);
        if (check_failures != before)
            printf("    seed %" PRIu32 "\n", seed);
        free(anchor);
        free(directory);
    }
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static char *
file_read(const char *path, size_t *n)
{
    FILE *file = fopen(path, "rb");
    char *text = HD_NEW_ARRAY(char, 1 << 20);

    CHECK(file != NULL);
    *n = fread(text, 1, 1 << 20, file);
    fclose(file);
    return text;
}

TEST(one_seed_gives_one_archive)
{
    char   folder[] = "/tmp/heddle-random-XXXXXX";
    char  *one, *other;
    size_t n, m;

    CHECK(mkdtemp(folder) != NULL);
    for (int i = 0; i < 2; i++) {
        char *directory = hd_format("%s/%d", folder, i);

        random_write(directory, 17);
        free(directory);
    }
    for (int i = 0; i < 2; i++) {
        char *path_one   = hd_format("%s/0/traces/%d.evt", folder, i);
        char *path_other = hd_format("%s/1/traces/%d.evt", folder, i);

        one   = file_read(path_one, &n);
        other = file_read(path_other, &m);
        CHECK(n > 100);
        CHECK_EQ(n, m);
        CHECK(memcmp(one, other, n) == 0);
        free(one);
        free(other);
        free(path_one);
        free(path_other);
    }
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

TEST_MAIN
