/* tests/writer/test_random_program.c: what tw_random writes are legal MPI programs, and one seed gives one archive.
 *
 * Read with libotf2, location after location: enters and leaves are balanced, every channel has as many receives as sends, with
 * the same bytes in the same order, every request is started and ended, and every process calls the collectives of a
 * communicator in the same order. Epochs on windows are opened and closed in turn, operations lie in them and are completed, and
 * nobody leaves a wait before the completes that it is for have been entered; except that few programs have one error.
 */
#define _GNU_SOURCE /* nftw */

#include <ftw.h>
#include <otf2/otf2.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "memory.h"

enum { N_SEEDS = 40, MOST_MEMBERS = 8, MOST_NUMBERS = 128, MOST_WINDOWS = 4, MOST_EVENTS = 1200 };

typedef enum stream_kind { MESSAGES, COLLECTIVES, EPOCHS, WINDOW_COLLECTIVES } stream_kind;

/* A stream of numbers that two sides must agree on: bytes of the messages of a channel, operations of a communicator or window
 * (from: process), times of completes and of the waits for them. */
typedef struct stream {
    stream_kind kind;
    uint32_t    comm, from, to, tag; /* comm: or window */
    uint64_t    values[2][256]; /* sent, received; collectives: [0]; entered, left */
    uint32_t    n[2];
} stream;

/* What a process has opened on a window. */
typedef struct epochs {
    bool     is_fenced, is_started, is_posted, holds_all;
    bool     targets[MOST_MEMBERS], holds[MOST_MEMBERS]; /* targets: processes; holds: ranks */
    bool     is_open[256];                               /* operations, by their number */
} epochs;

typedef struct reading {
    uint32_t  group_of_comm[MOST_NUMBERS], remote_of_comm[MOST_NUMBERS]; /* HD_NONE: none */
    uint64_t  members[MOST_NUMBERS][MOST_MEMBERS];
    uint32_t  n_members[MOST_NUMBERS];
    bool      is_self[MOST_NUMBERS];
    uint32_t  comm_of_window[MOST_WINDOWS];
    epochs    epochs[MOST_WINDOWS]; /* of the location */
    uint32_t  n_errors;
    uint32_t  name_of_region[MOST_NUMBERS];
    char     *strings[256];
    uint32_t  regions[16]; /* [depth] that are entered */
    uint64_t  entered[16];
    uint32_t  waited_window, waited_group; /* of the wait that goes on; HD_NONE: none */
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

static OTF2_CallbackCode
on_string(void *data, OTF2_StringRef self, const char *text)
{
    CHECK(self < 256);
    ((reading *)data)->strings[self] = hd_strdup(text);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_region(void *data, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef canonical, OTF2_StringRef words,
          OTF2_RegionRole role, OTF2_Paradigm paradigm, OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin,
          uint32_t end)
{
    (void)canonical;
    (void)words;
    (void)role;
    (void)paradigm;
    (void)flags;
    (void)file;
    (void)begin;
    (void)end;
    CHECK(self < MOST_NUMBERS);
    ((reading *)data)->name_of_region[self] = name;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_window(void *data, OTF2_RmaWinRef self, OTF2_StringRef name, OTF2_CommRef comm, OTF2_RmaWinFlag flags)
{
    (void)name;
    (void)flags;
    CHECK(self < MOST_WINDOWS);
    ((reading *)data)->comm_of_window[self] = comm;
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

/* The end of an epoch: a complete, or a wait or test. */
static void
group_put(reading *all, uint64_t self, bool is_origin, uint32_t window, uint32_t group, uint64_t time)
{
    for (uint32_t i = 0; i < all->n_members[group]; i++) {
        uint32_t other = (uint32_t)all->members[group][i], own = (uint32_t)self;
        stream   key   = { .kind = EPOCHS, .comm = window, .from = is_origin ? own : other, .to = is_origin ? other : own };

        CHECK(is_member(all, all->group_of_comm[all->comm_of_window[window]], other));
        stream_put(all, key, is_origin ? 0 : 1, time);
    }
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
    CHECK(all->depth < 16);
    all->regions[all->depth]   = region;
    all->entered[all->depth++] = time;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_leave(EVENT_START, OTF2_RegionRef region)
{
    EVENT;
    (void)region;
    if (all->waited_group != HD_NONE)
        group_put(all, location, false, all->waited_window, all->waited_group, time);
    all->waited_group = HD_NONE;
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
    stream_put(all, (stream){ .kind = COLLECTIVES, .comm = comm, .from = (uint32_t)location }, 0, operation);
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

/* ----------------------------------------------------------------------------------------------------------- windows */

static bool
is_in_call(const reading *all, const char *name)
{
    return all->depth > 0 && strcmp(all->strings[all->name_of_region[all->regions[all->depth - 1]]], name) == 0;
}

static OTF2_CallbackCode
on_rma_end(EVENT_START, OTF2_CollectiveOp operation, OTF2_RmaSyncLevel sync, OTF2_RmaWinRef window, uint32_t root, uint64_t sent,
           uint64_t received)
{
    EVENT;
    (void)sync;
    (void)root;
    (void)sent;
    (void)received;
    stream_put(all, (stream){ .kind = WINDOW_COLLECTIVES, .comm = window, .from = (uint32_t)location }, 0, operation);
    all->epochs[window].is_fenced = is_in_call(all, "MPI_Win_fence");
    return OTF2_CALLBACK_SUCCESS;
}

static void
access_open(reading *all, uint32_t window, uint32_t group)
{
    all->epochs[window].is_started = true;
    for (uint32_t i = 0; i < all->n_members[group]; i++)
        all->epochs[window].targets[all->members[group][i]] = true;
}

static OTF2_CallbackCode
on_group_sync(EVENT_START, OTF2_RmaSyncLevel sync, OTF2_RmaWinRef window, OTF2_GroupRef group)
{
    EVENT;
    epochs *e = &all->epochs[window];

    if (is_in_call(all, "MPI_Win_start")) {
        CHECK(!e->is_started && sync == OTF2_RMA_SYNC_LEVEL_PROCESS);
        access_open(all, window, group);
    } else if (is_in_call(all, "MPI_Win_complete")) {
        CHECK(e->is_started);
        e->is_started = false;
        group_put(all, location, true, window, group, all->entered[all->depth - 1]);
        memset(e->targets, 0, sizeof e->targets);
    } else if (is_in_call(all, "MPI_Win_post")) {
        CHECK(!e->is_posted && sync == OTF2_RMA_SYNC_LEVEL_PROCESS);
        e->is_posted = true;
    } else {
        CHECK(e->is_posted);
        CHECK(is_in_call(all, "MPI_Win_test") || (is_in_call(all, "MPI_Win_wait") && sync != OTF2_RMA_SYNC_LEVEL_NONE));
        e->is_posted = sync == OTF2_RMA_SYNC_LEVEL_NONE;
        if (!e->is_posted) {
            all->waited_window = window;
            all->waited_group  = group;
        }
    }
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_request_lock(EVENT_START, OTF2_RmaWinRef window, uint32_t remote, uint64_t lock, OTF2_LockType type)
{
    EVENT;
    epochs *e    = &all->epochs[window];
    bool   *held = remote == UINT32_MAX ? &e->holds_all : &e->holds[remote];

    CHECK(remote == UINT32_MAX || remote < all->n_members[all->group_of_comm[all->comm_of_window[window]]]);
    CHECK_EQ(lock, 0);
    CHECK(type == OTF2_LOCK_SHARED || remote != UINT32_MAX);
    CHECK(!e->holds_all && !*held);
    *held = true;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_release_lock(EVENT_START, OTF2_RmaWinRef window, uint32_t remote, uint64_t lock)
{
    EVENT;
    epochs *e    = &all->epochs[window];
    bool   *held = remote == UINT32_MAX ? &e->holds_all : &e->holds[remote];

    CHECK_EQ(lock, 0);
    if (!*held)
        all->n_errors++;
    *held = false;
    return OTF2_CALLBACK_SUCCESS;
}

static void
operation_put(reading *all, uint64_t self, uint32_t window, uint32_t remote, uint64_t matching)
{
    epochs  *e     = &all->epochs[window];
    uint32_t other = world_rank(all, all->comm_of_window[window], self, remote);

    CHECK((e->is_started && e->targets[other]) || e->holds_all || e->holds[remote] || e->is_fenced);
    CHECK(matching < 256);
    e->is_open[matching] = true;
}

static OTF2_CallbackCode
on_transfer(EVENT_START, OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes, uint64_t matching)
{
    EVENT;
    CHECK(bytes > 0);
    operation_put(all, location, window, remote, matching);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_atomic(EVENT_START, OTF2_RmaWinRef window, uint32_t remote, OTF2_RmaAtomicType type, uint64_t sent, uint64_t received,
          uint64_t matching)
{
    EVENT;
    (void)received;
    CHECK(sent > 0 && (type == OTF2_RMA_ATOMIC_TYPE_ACCUMULATE || type == OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE));
    operation_put(all, location, window, remote, matching);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_complete(EVENT_START, OTF2_RmaWinRef window, uint64_t matching)
{
    EVENT;
    CHECK(matching < 256 && all->epochs[window].is_open[matching]);
    all->epochs[window].is_open[matching] = false;
    return OTF2_CALLBACK_SUCCESS;
}

static void
window_callbacks(OTF2_EvtReaderCallbacks *callbacks)
{
    OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback(callbacks, on_rma_end);
    OTF2_EvtReaderCallbacks_SetRmaGroupSyncCallback(callbacks, on_group_sync);
    OTF2_EvtReaderCallbacks_SetRmaRequestLockCallback(callbacks, on_request_lock);
    OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback(callbacks, on_release_lock);
    OTF2_EvtReaderCallbacks_SetRmaPutCallback(callbacks, on_transfer);
    OTF2_EvtReaderCallbacks_SetRmaGetCallback(callbacks, on_transfer);
    OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(callbacks, on_atomic);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback(callbacks, on_complete);
}

static void
epochs_check(const reading *all)
{
    static const epochs none;

    for (uint32_t i = 0; i < MOST_WINDOWS; i++) {
        epochs e = all->epochs[i];

        e.is_fenced = false;
        CHECK(memcmp(&e, &none, sizeof e) == 0);
    }
}

/* ---------------------------------------------------------------------------------------------------------- archives */

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
    window_callbacks(callbacks);
    return callbacks;
}

static void
definitions_read(OTF2_Reader *reader, reading *all)
{
    OTF2_GlobalDefReader          *definitions = OTF2_Reader_GetGlobalDefReader(reader);
    OTF2_GlobalDefReaderCallbacks *callbacks   = OTF2_GlobalDefReaderCallbacks_New();
    uint64_t                       n;

    OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, on_string);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
    OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(callbacks, on_window);
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
    all->depth        = 0;
    all->last         = 0;
    all->n_open       = 0;
    all->waited_group = HD_NONE;
    memset(all->epochs, 0, sizeof all->epochs);
    CHECK(OTF2_Reader_ReadAllLocalEvents(reader, events, &n) == OTF2_SUCCESS);
    OTF2_Reader_CloseEvtReader(reader, events);
    CHECK_EQ(n, all->n_announced[location]);
    CHECK(n >= 10 && n <= MOST_EVENTS);
    CHECK_EQ(all->depth, 0);
    for (uint32_t i = 0; i < all->n_open; i++) /* a send whose request was freed has no end */
        CHECK(all->open[i].is_send);
    epochs_check(all);
}

/* Whether all members have the same values in it. */
static bool
is_collective(const reading *all, const stream *one)
{
    return (one->kind == COLLECTIVES && !all->is_self[all->group_of_comm[one->comm]]) || one->kind == WINDOW_COLLECTIVES;
}

/* A start without a post is counted as an error; where there is none, nobody stops waiting too early. */
static void
streams_check(reading *all)
{
    for (size_t i = 0; i < all->n_streams; i++) {
        const stream *one = &all->streams[i];

        if (one->kind == EPOCHS && one->n[0] == one->n[1] + 1) {
            all->n_errors++;
        } else if (one->kind == EPOCHS) {
            CHECK_EQ(one->n[1], one->n[0]);
            for (uint32_t k = 0; k < one->n[0]; k++)
                CHECK(one->values[1][k] > one->values[0][k]);
        } else if (one->kind == MESSAGES) {
            CHECK_EQ(one->n[1], one->n[0]);
            CHECK(memcmp(one->values[0], one->values[1], one->n[0] * sizeof(uint64_t)) == 0);
        }
        for (size_t k = 0; is_collective(all, one) && k < i; k++)
            if (all->streams[k].kind == one->kind && all->streams[k].comm == one->comm) {
                CHECK_EQ(one->n[0], all->streams[k].n[0]);
                CHECK(memcmp(one->values[0], all->streams[k].values[0], one->n[0] * sizeof(uint64_t)) == 0);
            }
    }
}

/* How many errors the program has. */
static uint32_t
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
    for (size_t i = 0; i < sizeof all.strings / sizeof *all.strings; i++)
        free(all.strings[i]);
    return all.n_errors;
}

static int
remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)status;
    (void)type;
    (void)where;
    return remove(path);
}

/* kind: NULL for a plain program */
static void
random_write(const char *directory, uint32_t seed, const char *kind)
{
    const char *given   = getenv("TW_RANDOM");
    const char *program = given == NULL ? "./tw_random" : given;
    char        number[16];
    pid_t       child;
    int         status = -1;

    snprintf(number, sizeof number, "%" PRIu32, seed);
    child = fork();
    if (child == 0) {
        execl(program, program, number, directory, kind, (char *)NULL);
        _exit(127);
    }
    waitpid(child, &status, 0);
    CHECK_EQ(status, 0);
}

/* How many of the programs have an error. */
static uint32_t
seeds_check(uint32_t n_seeds, const char *kind)
{
    char     folder[] = "/tmp/heddle-random-XXXXXX";
    uint32_t n_wrong = 0;

    CHECK(mkdtemp(folder) != NULL);
    for (uint32_t seed = 1; seed <= n_seeds; seed++) {
        char    *directory = hd_format("%s/%" PRIu32, folder, seed);
        char    *anchor    = hd_format("%s/traces.otf2", directory);
        int      before    = check_failures;
        uint32_t n_errors;

        random_write(directory, seed, kind);
        n_errors = archive_check(anchor);
        CHECK(n_errors <= 1);
        n_wrong += n_errors;
        if (check_failures != before)
            printf("    seed %" PRIu32 "\n", seed);
        free(anchor);
        free(directory);
    }
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return n_wrong;
}

TEST(random_programs_are_legal)
{
    CHECK_EQ(seeds_check(N_SEEDS, NULL), 0);
}

TEST(random_programs_with_windows_are_legal_but_for_few_errors)
{
    uint32_t n_wrong = seeds_check(2 * N_SEEDS, "rma");

    CHECK(n_wrong >= 1 && n_wrong <= N_SEEDS / 2);
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

static void
seed_is_one_archive(const char *kind)
{
    char   folder[] = "/tmp/heddle-random-XXXXXX";
    char  *one, *other;
    size_t n, m;

    CHECK(mkdtemp(folder) != NULL);
    for (int i = 0; i < 2; i++) {
        char *directory = hd_format("%s/%d", folder, i);

        random_write(directory, 17, kind);
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

TEST(one_seed_gives_one_archive)
{
    seed_is_one_archive(NULL);
    seed_is_one_archive("rma");
}

TEST_MAIN
