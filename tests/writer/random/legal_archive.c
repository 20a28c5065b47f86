/* tests/writer/random/legal_archive.c: reads an archive and checks that it is that of a legal MPI program.
 *
 * Read with libotf2, location after location: enters and leaves are balanced, every channel has as many receives as
 * sends, with the same bytes in the order in which they were posted, every request is started and ended, and every
 * process calls the collectives of a communicator in the same order.
 */
#include "legal_archive.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

void
legal_that(reading *all, bool holds, const char *words, const char *file, int line)
{
    if (holds)
        return;
    all->n_failures++;
    printf("%s:%d: does not hold: %s\n", file, line, words);
}

static OTF2_CallbackCode
on_location(void *data, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type, uint64_t n_events,
            OTF2_LocationGroupRef group)
{
    reading *all = data;

    (void)name;
    (void)type;
    (void)group;
    LEGAL(self == all->n_locations);
    all->n_announced[all->n_locations++] = n_events;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_group(void *data, OTF2_GroupRef self, OTF2_StringRef name, OTF2_GroupType type, OTF2_Paradigm paradigm,
         OTF2_GroupFlag flags, uint32_t n, const uint64_t *members)
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
on_comm(void *data, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group, OTF2_CommRef parent,
        OTF2_CommFlag flags)
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
    reading *all = data;

    LEGAL(self < 256);
    all->strings[self] = hd_strdup(text);
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
    (void)role;
    (void)paradigm;
    (void)flags;
    (void)file;
    (void)begin;
    (void)end;
    LEGAL(self < MAX_NUMBERS);
    all->name_of_region[self] = name;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_window(void *data, OTF2_RmaWinRef self, OTF2_StringRef name, OTF2_CommRef comm, OTF2_RmaWinFlag flags)
{
    reading *all = data;

    (void)name;
    (void)flags;
    LEGAL(self < MAX_WINDOWS);
    all->comm_of_window[self] = comm;
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

uint32_t
legal_world_rank(reading *all, uint32_t comm, uint64_t self, uint32_t rank)
{
    uint32_t group = all->group_of_comm[comm];

    if (all->is_self[group])
        return (uint32_t)self;
    if (all->remote_of_comm[comm] != HD_NONE && is_member(all, group, self))
        group = all->remote_of_comm[comm];
    LEGAL(rank < all->n_members[group]);
    return (uint32_t)all->members[group][rank];
}

void
legal_stream_put(reading *all, stream key, uint32_t side, uint64_t value)
{
    size_t i = 0;

    while (i < all->n_streams &&
           (all->streams[i].kind != key.kind || all->streams[i].comm != key.comm || all->streams[i].from != key.from ||
            all->streams[i].to != key.to || all->streams[i].tag != key.tag))
        i++;
    if (i == all->n_streams)
        HD_PUSH(all->streams, all->n_streams, all->capacity, key);
    LEGAL(all->streams[i].n[side] < 256);
    all->streams[i].values[side][all->streams[i].n[side]++] = value;
}

static void
send_put(reading *all, uint64_t self, uint32_t comm, uint32_t peer, uint32_t tag, uint64_t bytes)
{
    stream key = { .comm = comm, .tag = tag, .from = (uint32_t)self, .to = legal_world_rank(all, comm, self, peer) };

    legal_stream_put(all, key, 0, bytes);
}

static void
receive_put(reading *all, uint64_t self, uint32_t comm, uint32_t peer, uint32_t tag, uint64_t bytes, uint64_t post)
{
    stream key = { .comm = comm, .tag = tag, .from = legal_world_rank(all, comm, self, peer), .to = (uint32_t)self };

    LEGAL(bytes < UINT64_C(1) << POST_SHIFT);
    legal_stream_put(all, key, 1, post << POST_SHIFT | bytes);
}

void
legal_group_put(reading *all, uint64_t self, bool is_origin, uint32_t window, uint32_t group, uint64_t time)
{
    for (uint32_t i = 0; i < all->n_members[group]; i++) {
        uint32_t other = (uint32_t)all->members[group][i], own = (uint32_t)self;
        stream   key   = { .kind = EPOCHS, .comm = window, .from = is_origin ? own : other,
                           .to = is_origin ? other : own };

        LEGAL(is_member(all, all->group_of_comm[all->comm_of_window[window]], other));
        legal_stream_put(all, key, is_origin ? 0 : 1, time);
    }
}

static void
request_open(reading *all, uint64_t number, bool is_send, uint32_t comm, uint32_t peer, uint32_t tag, uint64_t bytes)
{
    for (uint32_t i = 0; i < all->n_open; i++)
        LEGAL(all->open[i].number != number);
    LEGAL(all->n_open < 256);
    all->open[all->n_open].number  = number;
    all->open[all->n_open].is_send = is_send;
    all->open[all->n_open].comm    = comm;
    all->open[all->n_open].peer    = peer;
    all->open[all->n_open].tag     = tag;
    all->open[all->n_open].bytes   = bytes;
    all->open[all->n_open].post    = is_send ? 0 : all->n_posts++;
    all->n_open++;
}

/* Returns its post. */
static uint64_t
request_close(reading *all, uint64_t number)
{
    for (uint32_t i = 0; i < all->n_open; i++)
        if (all->open[i].number == number) {
            uint64_t post = all->open[i].post;

            all->open[i] = all->open[--all->n_open];
            return post;
        }
    LEGAL(!"a request that is ended was started");
    return 0;
}

static OTF2_CallbackCode
on_enter(EVENT_START, OTF2_RegionRef region)
{
    EVENT;
    LEGAL(all->depth < 16);
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
        legal_group_put(all, location, false, all->waited_window, all->waited_group, time);
    all->waited_group = HD_NONE;
    LEGAL(--all->depth >= 0);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_send(EVENT_START, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
    EVENT;
    send_put(all, location, comm, peer, tag, bytes);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_recv(EVENT_START, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
    EVENT;
    receive_put(all, location, comm, peer, tag, bytes, all->n_posts++);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_isend(EVENT_START, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t request)
{
    EVENT;
    if (tag != 99) /* sends of this tag are cancelled */
        send_put(all, location, comm, peer, tag, bytes);
    request_open(all, request, true, comm, peer, tag, bytes);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_irecv(EVENT_START, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t request)
{
    EVENT;
    receive_put(all, location, comm, peer, tag, bytes, request_close(all, request));
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
on_collective(EVENT_START, OTF2_CollectiveOp operation, OTF2_CommRef comm, uint32_t root, uint64_t sent,
              uint64_t received)
{
    EVENT;
    (void)root;
    (void)sent;
    (void)received;
    legal_stream_put(all, (stream){ .kind = COLLECTIVES, .comm = comm, .from = (uint32_t)location }, 0, operation);
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

/* ----------------------------------------------------------------------------------------------------------
 * archives */

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
    legal_windows_register(callbacks);
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
    LEGAL(OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &n) == OTF2_SUCCESS);
}

static void
location_check(OTF2_Reader *reader, reading *all, uint32_t location, const OTF2_EvtReaderCallbacks *callbacks)
{
    OTF2_DefReader *definitions = OTF2_Reader_GetDefReader(reader, location);
    OTF2_EvtReader *events;
    uint64_t        n = 0;

    LEGAL(OTF2_Reader_ReadAllLocalDefinitions(reader, definitions, &n) == OTF2_SUCCESS);
    OTF2_Reader_CloseDefReader(reader, definitions);
    events = OTF2_Reader_GetEvtReader(reader, location);
    OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, all);
    all->depth        = 0;
    all->last         = 0;
    all->n_open       = 0;
    all->waited_group = HD_NONE;
    memset(all->epochs, 0, sizeof all->epochs);
    LEGAL(OTF2_Reader_ReadAllLocalEvents(reader, events, &n) == OTF2_SUCCESS);
    OTF2_Reader_CloseEvtReader(reader, events);
    LEGAL(n == all->n_announced[location]);
    LEGAL(n >= 10 && n <= MAX_EVENTS);
    LEGAL(all->depth == 0);
    for (uint32_t i = 0; i < all->n_open; i++) /* a send whose request was freed has no end */
        LEGAL(all->open[i].is_send);
    legal_windows_end(all);
}

/* Whether all members have the same values in it. */
static bool
is_collective(const reading *all, const stream *one)
{
    return (one->kind == COLLECTIVES && !all->is_self[all->group_of_comm[one->comm]]) ||
           one->kind == WINDOW_COLLECTIVES;
}

static int
compare_values(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;

    return *a < *b ? -1 : *a > *b;
}

static void
sort_by_posts(stream *messages)
{
    qsort(messages->values[1], messages->n[1], sizeof messages->values[1][0], compare_values);
    for (uint32_t k = 0; k < messages->n[1]; k++)
        messages->values[1][k] &= (UINT64_C(1) << POST_SHIFT) - 1;
}

/* A start without a post is counted as an error; where there is none, no wait ends too early. */
static void
streams_check(reading *all)
{
    for (size_t i = 0; i < all->n_streams; i++) {
        stream *one = &all->streams[i];

        if (one->kind == EPOCHS && one->n[0] == one->n[1] + 1) {
            all->n_errors++;
        } else if (one->kind == EPOCHS) {
            LEGAL(one->n[1] == one->n[0]);
            for (uint32_t k = 0; k < one->n[0]; k++)
                LEGAL(one->values[1][k] > one->values[0][k]);
        } else if (one->kind == MESSAGES) {
            LEGAL(one->n[1] == one->n[0]);
            sort_by_posts(one);
            LEGAL(memcmp(one->values[0], one->values[1], one->n[0] * sizeof(uint64_t)) == 0);
        }
        for (size_t k = 0; is_collective(all, one) && k < i; k++)
            if (all->streams[k].kind == one->kind && all->streams[k].comm == one->comm) {
                LEGAL(one->n[0] == all->streams[k].n[0]);
                LEGAL(memcmp(one->values[0], all->streams[k].values[0], one->n[0] * sizeof(uint64_t)) == 0);
            }
    }
}

uint32_t
legal_archive_check(const char *anchor, uint32_t *n_errors)
{
    reading                 *all       = HD_NEW(reading);
    OTF2_Reader             *reader    = OTF2_Reader_Open(anchor);
    OTF2_EvtReaderCallbacks *callbacks = event_callbacks();
    uint32_t                 n_failures;

    LEGAL(reader != NULL);
    OTF2_Reader_SetSerialCollectiveCallbacks(reader);
    definitions_read(reader, all);
    for (uint32_t i = 0; i < all->n_locations; i++)
        OTF2_Reader_SelectLocation(reader, i);
    LEGAL(OTF2_Reader_OpenEvtFiles(reader) == OTF2_SUCCESS);
    LEGAL(OTF2_Reader_OpenDefFiles(reader) == OTF2_SUCCESS);
    for (uint32_t i = 0; i < all->n_locations; i++)
        location_check(reader, all, i, callbacks);
    OTF2_Reader_CloseDefFiles(reader);
    OTF2_Reader_CloseEvtFiles(reader);
    OTF2_Reader_Close(reader);
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    streams_check(all);
    free(all->streams);
    for (size_t i = 0; i < sizeof all->strings / sizeof *all->strings; i++)
        free(all->strings[i]);
    n_failures = all->n_failures;
    *n_errors  = all->n_errors;
    free(all);
    return n_failures;
}
