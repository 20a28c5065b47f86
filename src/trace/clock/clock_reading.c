#include "clock_log.h"

#include <omp.h>
#include <otf2/otf2.h>

#include "archive.h"
#include "clock_join.h"
#include "comm_group.h"
#include "event_file.h"

typedef struct clock_access { /* the last one on a target */
    uint32_t window, target;
    size_t   point;
} clock_access;

/* A location while its log is read. */
typedef struct clock_reading {
    hd_decoder         decoder;   /* for its channels only */
    hd_loaded_location location;
    hd_location_join   join;
    hd_findings        findings;  /* loading notes them */
    hd_clock_log      *log;
    hd_scratch        *scratch;
    hd_time            now;
    bool               has_begun; /* there was a record */
    hd_clock_requests  requests;
    clock_access      *accesses;  /* [n_accesses] since the last fence of their window */
    size_t             n_accesses, capacity_accesses;
    uint32_t          *calls;     /* [n_calls] of MPI that are open: regions */
    size_t             n_calls, capacity_calls;
    size_t             begin;     /* point of the begin of the collective at hand, 0: none; likewise */
    size_t             world_begin; /* of MPI_Init or MPI_Finalize */
    size_t             epoch_begin; /* of the call that ends an epoch of a window */
    uint32_t          *taken;       /* [n_taken] channels of the notices that it takes */
    size_t             n_taken, capacity_taken;
} clock_reading;

#define RECORD_ARGUMENTS OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user, OTF2_AttributeList *attributes
#define RECORD_UNUSED (void)location, (void)position, (void)attributes

/* The time of the next record, as loading takes it, too. */
static hd_time
record_at(clock_reading *r, hd_time time)
{
    hd_finding_kind wrong;

    r->now = hd_right_time(&r->decoder.plausible, r->now, !r->has_begun, time, &wrong);
    if (!r->has_begun) {
        r->has_begun = true;
        HD_SCRATCH_PUSH(r->scratch, r->log->points, r->log->n, r->log->capacity, ((hd_clock_point){ .time = r->now, .kind = HD_CLOCK_OTHER }));
    }
    r->log->end = r->now;
    return r->now;
}

static size_t
add_point(clock_reading *r, hd_clock_kind kind, uint32_t what, bool is_same)
{
    HD_SCRATCH_PUSH(r->scratch, r->log->points, r->log->n, r->log->capacity,
                    ((hd_clock_point){ .time = r->now, .what = what, .kind = (uint8_t)kind, .is_same = is_same }));
    return r->log->n - 1;
}

static uint32_t
comm_of(const clock_reading *r, uint32_t ref)
{
    return hd_refs_index(&r->decoder.refs->comms, ref);
}

static uint32_t
window_of(const clock_reading *r, uint32_t ref)
{
    uint32_t window = hd_refs_index(&r->decoder.refs->windows, ref);

    return window != HD_NONE ? hd_first_window(r->decoder.defs) + window : HD_NONE;
}

static hd_call_group
call_of(const clock_reading *r)
{
    return r->n_calls > 0 ? (hd_call_group)r->decoder.regions[r->calls[r->n_calls - 1]].call : HD_CALL_OTHER;
}

/* begin: its point; 0: nobody knows where it began, so nothing waits. */
static void
end_collective(clock_reading *r, size_t begin, const hd_clock_collective *collective)
{
    uint32_t place = (uint32_t)r->log->n_collectives;

    if (begin == 0) {
        add_point(r, HD_CLOCK_OTHER, HD_NONE, false);
        return;
    }
    HD_SCRATCH_PUSH(r->scratch, r->log->collectives, r->log->n_collectives, r->log->capacity_collectives, *collective);
    r->log->points[begin].kind = HD_CLOCK_BEGIN;
    r->log->points[begin].what = place;
    add_point(r, HD_CLOCK_END, place, false);
}

static void
pass_world(clock_reading *r, hd_call_group call, bool is_enter)
{
    if (is_enter) {
        r->world_begin = add_point(r, HD_CLOCK_OTHER, HD_NONE, false); /* until it is left */
        return;
    }
    end_collective(r, r->decoder.process < r->decoder.defs->n_mpi_processes ? r->world_begin : 0, /* others are not of the world */
                   &(hd_clock_collective){ .comm = call == HD_CALL_INIT ? HD_CLOCK_INIT(r->decoder.defs) : HD_CLOCK_FINALIZE(r->decoder.defs),
                                           .operation = OTF2_COLLECTIVE_OP_BARRIER, .root = OTF2_COLLECTIVE_ROOT_NONE,
                                           .rank = r->decoder.process });
    r->world_begin = 0;
}

/* Calls that end an epoch send their notices when they are entered, and have those of others when they are left. */
static void
pass_epoch(clock_reading *r, bool is_enter)
{
    if (is_enter) {
        r->epoch_begin = add_point(r, HD_CLOCK_OTHER, HD_NONE, false);
        r->n_taken     = 0;
        return;
    }
    for (size_t i = 0; i < r->n_taken; i++)
        add_point(r, HD_CLOCK_RECEIVE, r->taken[i], i > 0);
    if (r->n_taken == 0)
        add_point(r, HD_CLOCK_OTHER, HD_NONE, false);
    r->n_taken = 0;
}

static void
pass_region(clock_reading *r, uint32_t index, bool is_enter)
{
    const hd_region *region = index != HD_NONE ? &r->decoder.regions[index] : NULL;

    if (region == NULL)
        return;
    if (region->region_class == HD_CLASS_MPI && is_enter)
        HD_PUSH(r->calls, r->n_calls, r->capacity_calls, index);
    else if (region->region_class == HD_CLASS_MPI) {
        size_t n = r->n_calls;

        while (n > 0 && r->calls[n - 1] != index)
            n--;
        r->n_calls = n > 0 ? n - 1 : r->n_calls;
    }
    switch (region->call) {
    case HD_CALL_INIT:
    case HD_CALL_FINALIZE:
        pass_world(r, region->call, is_enter);
        break;
    case HD_CALL_OMP_BARRIER:
    case HD_CALL_OMP_IMPLICIT_BARRIER:
        add_point(r, is_enter ? HD_CLOCK_BARRIER_ENTER : HD_CLOCK_BARRIER_LEAVE, HD_NONE, false);
        break;
    default:
        if (hd_clock_has_points(region))
            pass_epoch(r, is_enter);
        break;
    }
}

static OTF2_CallbackCode
on_enter(RECORD_ARGUMENTS, OTF2_RegionRef region)
{
    clock_reading *r = user;

    RECORD_UNUSED;
    record_at(r, time);
    pass_region(r, hd_refs_index(&r->decoder.refs->regions, region), true);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_leave(RECORD_ARGUMENTS, OTF2_RegionRef region)
{
    clock_reading *r = user;

    RECORD_UNUSED;
    record_at(r, time);
    pass_region(r, hd_refs_index(&r->decoder.refs->regions, region), false);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_program_begin(RECORD_ARGUMENTS, OTF2_StringRef name, uint32_t n_arguments, const OTF2_StringRef *arguments)
{
    RECORD_UNUSED;
    (void)name, (void)n_arguments, (void)arguments;
    record_at(user, time);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_program_end(RECORD_ARGUMENTS, int64_t exit_status)
{
    RECORD_UNUSED;
    (void)exit_status;
    record_at(user, time);
    return OTF2_CALLBACK_SUCCESS;
}

static size_t
pass_message(clock_reading *r, hd_time time, hd_channel_kind kind, uint32_t peer, uint32_t comm, uint32_t tag)
{
    uint32_t channel;

    record_at(r, time);
    channel = hd_decoder_channel(&r->decoder, kind, comm, peer, tag);
    if (channel == HD_NONE)
        return add_point(r, HD_CLOCK_OTHER, HD_NONE, false);
    return add_point(r, kind == HD_CHANNEL_SEND ? HD_CLOCK_SEND : HD_CLOCK_RECEIVE, channel, false);
}

static void
start_request(clock_reading *r, uint64_t request, uint64_t value)
{
    bool is_new;

    if (request != HD_MAP_FREE)
        *hd_map_add(&r->requests.open, request, &is_new) = value;
}

static OTF2_CallbackCode
on_send(RECORD_ARGUMENTS, uint32_t receiver, OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
    RECORD_UNUSED;
    (void)bytes;
    pass_message(user, time, HD_CHANNEL_SEND, receiver, comm_of(user, comm), tag);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_isend(RECORD_ARGUMENTS, uint32_t receiver, OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t request)
{
    RECORD_UNUSED;
    (void)bytes;
    start_request(user, request, pass_message(user, time, HD_CHANNEL_SEND, receiver, comm_of(user, comm), tag));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_isend_complete(RECORD_ARGUMENTS, uint64_t request)
{
    clock_reading *r = user;

    RECORD_UNUSED;
    record_at(r, time);
    hd_map_remove(&r->requests.open, request);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_recv(RECORD_ARGUMENTS, uint32_t sender, OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
    RECORD_UNUSED;
    (void)bytes;
    pass_message(user, time, HD_CHANNEL_RECV, sender, comm_of(user, comm), tag);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_irecv(RECORD_ARGUMENTS, uint32_t sender, OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t request)
{
    RECORD_UNUSED;
    (void)bytes, (void)request;
    pass_message(user, time, HD_CHANNEL_RECV, sender, comm_of(user, comm), tag);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_cancelled(RECORD_ARGUMENTS, uint64_t request)
{
    clock_reading *r = user;
    uint64_t       point;

    RECORD_UNUSED;
    record_at(r, time);
    if (!hd_map_take(&r->requests.open, request, &point))
        HD_PUSH(r->requests.cancelled, r->requests.n_cancelled, r->requests.capacity_cancelled, request);
    else if (point < r->log->n && r->log->points[point].kind == HD_CLOCK_SEND)
        r->log->points[point].kind = HD_CLOCK_OTHER;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_coll_begin(RECORD_ARGUMENTS)
{
    clock_reading *r = user;

    RECORD_UNUSED;
    record_at(r, time);
    r->begin = add_point(r, HD_CLOCK_OTHER, HD_NONE, false); /* until its end says what it is */
    return OTF2_CALLBACK_SUCCESS;
}

/* Behind those of OTF2, or creation and destruction of handles: nobody is known to wait for anybody. */
#define LAST_OPERATION OTF2_COLLECTIVE_OP_CREATE_HANDLE

static void
pass_end(clock_reading *r, size_t begin, hd_channel_kind kind, uint32_t comm, const hd_clock_collective *what)
{
    uint32_t            channel    = hd_decoder_channel(&r->decoder, kind, comm, 0, 0);
    hd_clock_collective collective = *what;

    if (channel != HD_NONE) {
        collective.comm   = r->location.log.channels[channel].comm;
        collective.side   = (uint8_t)r->location.log.channels[channel].peer;
        collective.rank   = r->location.log.channels[channel].peer_rank;
        collective.is_nbc = kind == HD_CHANNEL_NBC;
    }
    end_collective(r, channel != HD_NONE ? begin : 0, &collective);
}

static OTF2_CallbackCode
on_coll_end(RECORD_ARGUMENTS, OTF2_CollectiveOp operation, OTF2_CommRef comm, uint32_t root, uint64_t sent, uint64_t received)
{
    clock_reading *r = user;
    size_t         begin = r->begin;

    RECORD_UNUSED;
    record_at(r, time);
    r->begin = 0;
    if (operation >= LAST_OPERATION)
        add_point(r, HD_CLOCK_OTHER, HD_NONE, false);
    else
        pass_end(r, begin, HD_CHANNEL_COLL, comm_of(r, comm),
                 &(hd_clock_collective){ .operation = operation, .root = root, .sends = sent > 0, .receives = received > 0 });
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_nbc_request(RECORD_ARGUMENTS, uint64_t request)
{
    clock_reading *r = user;

    RECORD_UNUSED;
    record_at(r, time);
    start_request(r, request, add_point(r, HD_CLOCK_OTHER, HD_NONE, false));
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_nbc_complete(RECORD_ARGUMENTS, OTF2_CollectiveOp operation, OTF2_CommRef comm, uint32_t root, uint64_t sent, uint64_t received,
                uint64_t request)
{
    clock_reading *r     = user;
    uint64_t       begin = 0;

    RECORD_UNUSED;
    record_at(r, time);
    if (operation >= LAST_OPERATION || !hd_map_take(&r->requests.open, request, &begin) || r->log->points[begin].kind != HD_CLOCK_OTHER)
        begin = 0;
    pass_end(r, begin, HD_CHANNEL_NBC, comm_of(r, comm),
             &(hd_clock_collective){ .operation = operation, .root = root, .sends = sent > 0, .receives = received > 0 });
    return OTF2_CALLBACK_SUCCESS;
}

static int
compare_accesses(const void *a_, const void *b_)
{
    const clock_access *a = a_, *b = b_;

    if (a->window != b->window)
        return a->window < b->window ? -1 : 1;
    if (a->target != b->target)
        return a->target < b->target ? -1 : 1;
    return (a->point > b->point) - (a->point < b->point);
}

/* Each target once. */
static void
sort_accesses(clock_reading *r)
{
    size_t n = 0;

    if (r->n_accesses > 1)
        qsort(r->accesses, r->n_accesses, sizeof *r->accesses, compare_accesses);
    for (size_t i = 0; i < r->n_accesses; i++)
        if (n > 0 && r->accesses[n - 1].window == r->accesses[i].window && r->accesses[n - 1].target == r->accesses[i].target)
            r->accesses[n - 1] = r->accesses[i];
        else
            r->accesses[n++] = r->accesses[i];
    r->n_accesses = n;
}

/* Those of a window become the targets of the fence at hand. */
static void
take_targets(clock_reading *r, uint32_t window)
{
    size_t n = 0;

    sort_accesses(r);
    for (size_t i = 0; i < r->n_accesses; i++)
        if (r->accesses[i].window == window)
            HD_SCRATCH_PUSH(r->scratch, r->log->targets, r->log->n_targets, r->log->capacity_targets,
                            ((hd_clock_target){ r->accesses[i].target, r->accesses[i].point }));
        else
            r->accesses[n++] = r->accesses[i];
    r->n_accesses = n;
}

static OTF2_CallbackCode
on_rma_coll_end(RECORD_ARGUMENTS, OTF2_CollectiveOp operation, OTF2_RmaSyncLevel level, OTF2_RmaWinRef window, uint32_t root,
                uint64_t sent, uint64_t received)
{
    static const uint8_t operations[] = { [HD_CALL_WIN_CREATE] = HD_OPERATION_WIN_CREATE,
                                          [HD_CALL_WIN_FREE] = HD_OPERATION_WIN_FREE,
                                          [HD_CALL_WIN_FENCE] = HD_OPERATION_WIN_FENCE,
                                          [HD_CALL_SHMEM_BARRIER] = HD_OPERATION_SHMEM_BARRIER,
                                          [HD_CALL_SHMEM_EXCHANGE] = HD_OPERATION_SHMEM_EXCHANGE };
    clock_reading *r     = user;
    size_t         begin = r->begin;
    hd_call_group  call  = call_of(r);
    uint32_t       own   = call < sizeof operations && operations[call] != 0 ? operations[call] : HD_OPERATION_OTHER;
    uint32_t       comm  = window_of(r, window);
    size_t         first = r->log->n_targets;

    RECORD_UNUSED;
    (void)operation, (void)level, (void)root, (void)sent, (void)received;
    record_at(r, time);
    r->begin = 0;
    if (comm != HD_NONE)
        take_targets(r, comm);
    pass_end(r, begin, HD_CHANNEL_COLL, comm,
             &(hd_clock_collective){ .operation = own, .root = OTF2_COLLECTIVE_ROOT_NONE, .first_target = first,
                                     .n_targets = (uint32_t)(r->log->n_targets - first) });
    return OTF2_CALLBACK_SUCCESS;
}

static bool
has_target(const clock_reading *r, uint32_t window, uint32_t target)
{
    uint32_t group = hd_defs_comms(r->decoder.defs)[window].group_a;

    return group != HD_NONE && target < hd_defs_groups(r->decoder.defs)[group].n;
}

static void
pass_access(clock_reading *r, hd_time time, uint32_t window_ref, uint32_t target)
{
    uint32_t window = window_of(r, window_ref);

    size_t   point;

    record_at(r, time);
    point = add_point(r, HD_CLOCK_OTHER, HD_NONE, false);
    if (window == HD_NONE || !has_target(r, window, target))
        return;
    if (r->n_accesses > 0 && r->accesses[r->n_accesses - 1].window == window && r->accesses[r->n_accesses - 1].target == target) {
        r->accesses[r->n_accesses - 1].point = point;
        return;
    }
    if (r->n_accesses == r->capacity_accesses && r->n_accesses > 0) {
        sort_accesses(r);
        if (r->n_accesses > r->capacity_accesses / 2) { /* or every few accesses would sort all */
            r->capacity_accesses *= 2;
            r->accesses = hd_realloc(r->accesses, r->capacity_accesses, sizeof *r->accesses);
        }
    }
    HD_PUSH(r->accesses, r->n_accesses, r->capacity_accesses, ((clock_access){ window, target, point }));
}

static OTF2_CallbackCode
on_rma_put(RECORD_ARGUMENTS, OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes, uint64_t matching)
{
    RECORD_UNUSED;
    (void)bytes, (void)matching;
    pass_access(user, time, window, remote);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_rma_atomic(RECORD_ARGUMENTS, OTF2_RmaWinRef window, uint32_t remote, OTF2_RmaAtomicType type, uint64_t sent, uint64_t received,
              uint64_t matching)
{
    RECORD_UNUSED;
    (void)type, (void)sent, (void)received, (void)matching;
    pass_access(user, time, window, remote);
    return OTF2_CALLBACK_SUCCESS;
}

/* The channel of the notices of a process of the group; HD_NONE: it is not at the window. */
static uint32_t
notice_channel(clock_reading *r, hd_channel_kind kind, uint32_t window, const hd_comm_group *group, uint32_t i, uint32_t tag)
{
    const hd_defs       *defs    = r->decoder.defs;
    const hd_comm_group *all     = &hd_defs_groups(defs)[hd_defs_comms(defs)[window].group_a];
    uint32_t             process = group->self ? r->decoder.process : hd_comm_group_member(defs, group, i);
    uint32_t             rank    = all->self ? 0 : process != HD_NONE ? hd_comm_group_rank(defs, all, process) : HD_NONE;

    return rank != HD_NONE ? hd_decoder_channel(&r->decoder, kind, window, rank, tag) : HD_NONE;
}

/* Notices to a group: points of one record. */
static bool
send_notices(clock_reading *r, uint32_t window, const hd_comm_group *group, uint32_t tag)
{
    bool is_same = false;

    for (uint32_t i = 0; i < group->n; i++) {
        uint32_t channel = notice_channel(r, HD_CHANNEL_SEND, window, group, i, tag);

        if (channel == HD_NONE)
            continue;
        add_point(r, HD_CLOCK_SEND, channel, is_same);
        is_same = true;
    }
    return is_same;
}

static void
take_notices(clock_reading *r, uint32_t window, const hd_comm_group *group, uint32_t tag)
{
    for (uint32_t i = 0; i < group->n; i++) {
        uint32_t channel = notice_channel(r, HD_CHANNEL_RECV, window, group, i, tag);

        if (channel != HD_NONE)
            HD_PUSH(r->taken, r->n_taken, r->capacity_taken, channel);
    }
}

/* The record of MPI_Win_complete stands at its end: notices went out since its begin, which is the point before, mostly. */
static bool
send_from_begin(clock_reading *r, uint32_t window, const hd_comm_group *group)
{
    hd_time now = r->now;
    bool    is_before = r->epoch_begin > 0 && r->epoch_begin + 1 == r->log->n, any;

    if (is_before)
        r->now = r->log->points[--r->log->n].time;
    any = send_notices(r, window, group, HD_TAG_COMPLETE);
    if (is_before && !any)
        add_point(r, HD_CLOCK_OTHER, HD_NONE, false);
    r->now = now;
    return any && !is_before;
}

static OTF2_CallbackCode
on_rma_group(RECORD_ARGUMENTS, OTF2_RmaSyncLevel level, OTF2_RmaWinRef window_ref, OTF2_GroupRef group_ref)
{
    clock_reading *r       = user;
    hd_call_group  call    = call_of(r);
    uint32_t       window  = window_of(r, window_ref);
    uint32_t       number  = hd_refs_index(&r->decoder.refs->groups, group_ref);
    bool           is_sent = false;

    RECORD_UNUSED;
    record_at(r, time);
    if (window != HD_NONE && number != HD_NONE && hd_defs_comms(r->decoder.defs)[window].group_a != HD_NONE) {
        const hd_comm_group *group = &hd_defs_groups(r->decoder.defs)[number];

        if (call == HD_CALL_WIN_POST)
            is_sent = send_notices(r, window, group, HD_TAG_POST);
        else if (call == HD_CALL_WIN_COMPLETE) {
            is_sent = send_from_begin(r, window, group);
            take_notices(r, window, group, HD_TAG_POST);
        } else if (call == HD_CALL_WIN_WAIT || (call == HD_CALL_WIN_TEST && level != OTF2_RMA_SYNC_LEVEL_NONE))
            take_notices(r, window, group, HD_TAG_COMPLETE);
    }
    if (!is_sent)
        add_point(r, HD_CLOCK_OTHER, HD_NONE, false);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_fork(RECORD_ARGUMENTS, OTF2_Paradigm model, uint32_t n_threads)
{
    RECORD_UNUSED;
    (void)model, (void)n_threads;
    record_at(user, time);
    add_point(user, HD_CLOCK_FORK, HD_NONE, false);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_join(RECORD_ARGUMENTS, OTF2_Paradigm model)
{
    RECORD_UNUSED;
    (void)model;
    record_at(user, time);
    add_point(user, HD_CLOCK_JOIN, HD_NONE, false);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_team_begin(RECORD_ARGUMENTS, OTF2_CommRef team)
{
    RECORD_UNUSED;
    record_at(user, time);
    add_point(user, HD_CLOCK_TEAM_BEGIN, comm_of(user, team), false);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
on_team_end(RECORD_ARGUMENTS, OTF2_CommRef team)
{
    RECORD_UNUSED;
    (void)team;
    record_at(user, time);
    add_point(user, HD_CLOCK_TEAM_END, HD_NONE, false);
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
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks, on_send);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(callbacks, on_isend);
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(callbacks, on_isend_complete);
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
    OTF2_EvtReaderCallbacks_SetRmaGetCallback(callbacks, on_rma_put);
    OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(callbacks, on_rma_atomic);
    OTF2_EvtReaderCallbacks_SetThreadForkCallback(callbacks, on_fork);
    OTF2_EvtReaderCallbacks_SetThreadJoinCallback(callbacks, on_join);
    OTF2_EvtReaderCallbacks_SetThreadTeamBeginCallback(callbacks, on_team_begin);
    OTF2_EvtReaderCallbacks_SetThreadTeamEndCallback(callbacks, on_team_end);
    return callbacks;
}

static void
note_offset(void *user, hd_time time, hd_span offset)
{
    hd_clock_log *log = user;

    log->last = (hd_clock_offset){ time, offset };
    if (log->n_offsets++ == 0)
        log->first = log->last;
}

/* ---- reading -------------------------------------------------------------------------------------------------------------- */

static hd_status
read_location(clock_reading *r, hd_event_reader *reader, const hd_load_request *request, const OTF2_EvtReaderCallbacks *callbacks,
              const hd_ref_maps *refs, uint32_t process, uint32_t thread)
{
    uint32_t      index = hd_defs_processes(request->defs)[process].first_location + thread;
    bool          has_definitions;
    hd_events_end end;
    hd_status     status;

    r->location.location = index;
    r->decoder           = (hd_decoder){ .defs = request->defs, .regions = hd_defs_regions(request->defs), .refs = refs, .findings = &r->findings,
                                         .out = &r->location, .join = &r->join, .process = process, .thread = thread };
    hd_decoder_init(&r->decoder);
    status = hd_event_reader_define(reader, request->defs, index, &(hd_own_definitions){ .offset = note_offset, .user = r->log },
                                    &has_definitions);
    if (status == HD_OK)
        status = hd_event_reader_each(reader, hd_defs_locations(request->defs)[index].ref, callbacks, r, &end);
    if (r->log->n > 0)
        add_point(r, HD_CLOCK_OTHER, HD_NONE, true); /* where it ends */
    hd_decoder_finish(&r->decoder);
    r->log->channels   = r->location.log.channels;
    r->log->n_channels = (uint32_t)r->location.log.n_channels;
    r->location.log.channels   = NULL;
    r->location.log.n_channels = 0;
    hd_loaded_location_fini(&r->location);
    hd_team_starts_fini(&r->join.team_starts);
    hd_map_fini(&r->join.requests);
    hd_findings_fini(&r->findings);
    free(r->calls);
    free(r->taken);
    free(r->accesses);
    return status;
}

static void
end_process(hd_clock_process *process, const hd_load_request *request, clock_reading *readings)
{
    hd_clock_requests **requests = HD_NEW_ARRAY(hd_clock_requests *, process->n_locations);

    for (uint32_t t = 0; t < process->n_locations; t++)
        requests[t] = &readings[t].requests;
    hd_clock_join(process, request->defs, requests, request->scratch);
    for (uint32_t t = 0; t < process->n_locations; t++) {
        hd_map_fini(&requests[t]->open);
        free(requests[t]->cancelled);
    }
    free(requests);
    free(readings);
}

typedef struct place { /* of a location */
    uint32_t process, thread; /* process: in the logs */
} place;

static bool
is_stopped(const hd_load_request *request)
{
    return request->stop != NULL && *request->stop != 0;
}

hd_status
hd_clock_logs_read(const hd_load_request *request, hd_clock_logs **logs_out)
{
    const hd_process_def *defs     = hd_defs_processes(request->defs);
    hd_clock_logs        *logs     = HD_NEW(hd_clock_logs);
    clock_reading       **readings = HD_NEW_ARRAY(clock_reading *, request->n_processes);
    hd_error             *errors   = HD_NEW_ARRAY(hd_error, request->n_readers);
    place                *places;
    size_t                n = 0;
    hd_status             status = HD_OK;

    hd_archive_keep_otf2_quiet();
    logs->scratch     = request->scratch;
    logs->n_processes = request->n_processes;
    logs->processes   = HD_NEW_ARRAY(hd_clock_process, logs->n_processes);
    for (uint32_t p = 0; p < logs->n_processes; p++) {
        hd_clock_process *process = &logs->processes[p];

        process->process     = (hd_process){ request->processes[p] };
        process->n_locations = defs[request->processes[p]].n_locations;
        process->logs        = HD_NEW_ARRAY(hd_clock_log, process->n_locations);
        readings[p]          = HD_NEW_ARRAY(clock_reading, process->n_locations);
        n += process->n_locations;
        for (uint32_t t = 0; t < process->n_locations; t++) {
            readings[p][t].log     = &process->logs[t];
            readings[p][t].scratch = request->scratch;
        }
    }
    places = HD_NEW_ARRAY(place, n);
    n      = 0;
    for (uint32_t p = 0; p < logs->n_processes; p++)
        for (uint32_t t = 0; t < logs->processes[p].n_locations; t++)
            places[n++] = (place){ p, t };
#pragma omp parallel num_threads((int)request->n_readers)
    {
        uint32_t                 thread    = (uint32_t)omp_get_thread_num();
        hd_event_reader         *reader    = NULL;
        OTF2_EvtReaderCallbacks *callbacks = new_callbacks();
        hd_ref_maps              refs      = { 0 };

        if (request->on_thread != NULL)
            request->on_thread(request->context, thread);
        if (hd_event_reader_open(request->anchor, request->raw_clocks, &reader) != HD_OK)
            errors[thread] = *hd_error_get();
        hd_ref_maps_init(&refs, request->defs);
#pragma omp for schedule(dynamic, 1)
        for (size_t i = 0; i < n; i++)
            if (reader != NULL && hd_scratch_check(request->scratch) == HD_OK && !is_stopped(request) &&
                read_location(&readings[places[i].process][places[i].thread], reader, request, callbacks, &refs,
                              request->processes[places[i].process], places[i].thread) != HD_OK)
                errors[thread] = *hd_error_get();
        hd_event_reader_close(reader);
        hd_ref_maps_fini(&refs);
        OTF2_EvtReaderCallbacks_Delete(callbacks);
#pragma omp for schedule(dynamic, 1)
        for (uint32_t p = 0; p < logs->n_processes; p++)
            end_process(&logs->processes[p], request, readings[p]);
    }
    for (uint32_t t = 0; t < request->n_readers && status == HD_OK; t++)
        if (errors[t].status != HD_OK) {
            hd_error_set(&errors[t]);
            status = errors[t].status;
        }
    if (status == HD_OK)
        status = hd_scratch_check(request->scratch);
    if (status == HD_OK && is_stopped(request))
        status = hd_fail(HD_ESTOPPED, "stopped while clocks were read");
    free(errors);
    free(places);
    free(readings);
    if (status == HD_OK)
        *logs_out = logs;
    else
        hd_clock_logs_free(logs);
    return status;
}

void
hd_clock_logs_free(hd_clock_logs *logs)
{
    if (logs == NULL)
        return;
    for (uint32_t p = 0; p < logs->n_processes; p++) {
        for (uint32_t t = 0; t < logs->processes[p].n_locations; t++) {
            hd_scratch_free(logs->scratch, logs->processes[p].logs[t].points);
            hd_scratch_free(logs->scratch, logs->processes[p].logs[t].moves);
            hd_scratch_free(logs->scratch, logs->processes[p].logs[t].collectives);
            hd_scratch_free(logs->scratch, logs->processes[p].logs[t].targets);
            free(logs->processes[p].logs[t].channels);
        }
        free(logs->processes[p].logs);
        free(logs->processes[p].meetings);
    }
    free(logs->processes);
    free(logs);
}

const hd_clock_log *
hd_clock_logs_find(const hd_clock_logs *logs, hd_process process, uint32_t thread)
{
    uint32_t low = 0, high = logs->n_processes;

    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;

        *(logs->processes[middle].process.v <= process.v ? &low : &high) = middle;
    }
    HD_ASSERT(logs->n_processes > 0 && logs->processes[low].process.v == process.v);
    return &logs->processes[low].logs[thread];
}

/* ---- while loading -------------------------------------------------------------------------------------------------------- */

/* Between two points: in proportion. */
static hd_time
between(const hd_clock_log *log, size_t i, hd_time time)
{
    const hd_clock_point *a = &log->points[i], *b = a + 1;
    hd_span               move = log->moves[i], rise;

    if (i + 1 >= log->n || time <= a->time || b->time <= a->time)
        return time + (hd_time)move;
    if (time >= b->time)
        return time + (hd_time)log->moves[i + 1];
    rise = log->moves[i + 1] - move;
    return time + (hd_time)move + (hd_time)(hd_span)((__int128)rise * (hd_span)(time - a->time) / (hd_span)(b->time - a->time));
}

hd_time
hd_clock_cursor_time(const hd_clock_cursor *cursor, hd_time time)
{
    return between(cursor->log, cursor->at, time);
}

hd_time
hd_clock_cursor_pass(hd_clock_cursor *cursor, hd_time time)
{
    const hd_clock_log *log = cursor->log;

    if (cursor->at + 1 < log->n)
        cursor->at++;
    while (cursor->at + 1 < log->n && log->points[cursor->at + 1].is_same && cursor->at + 2 < log->n)
        cursor->at++;
    return hd_clock_cursor_time(cursor, time);
}

hd_time
hd_clock_cursor_ahead(const hd_clock_cursor *cursor, hd_time time)
{
    const hd_clock_log *log = cursor->log;
    size_t              at  = cursor->at, end = log->n;

    while (end - at > 1) { /* the last point that is earlier, or the one at hand */
        size_t middle = at + (end - at) / 2;

        *(log->points[middle].time < time ? &at : &end) = middle;
    }
    return between(log, at, time);
}
