/* src/record/finish/archive_events.c: writes the events of a location as Score-P would. */
#include "archive_events.h"

#include <string.h>

#include "archive_definitions.h"
#include "archive_file_events.h"
#include "archive_samples.h"
#include "archive_thread_events.h"
#include "archive_window_events.h"
#include "counter_names.h"
#include "memory.h"
#include "mpi_functions.h"
#include "run_pauses.h"

_Static_assert((int)HD_RAW_BARRIER == OTF2_COLLECTIVE_OP_BARRIER && (int)HD_RAW_EXSCAN == OTF2_COLLECTIVE_OP_EXSCAN &&
                   (int)HD_RAW_REDUCE_SCATTER_BLOCK == OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK &&
                   (int)HD_RAW_DESTROY_HANDLE == OTF2_COLLECTIVE_OP_DESTROY_HANDLE,
               "operations have other numbers in OTF2");
_Static_assert(HD_RAW_ROOT_NONE == OTF2_COLLECTIVE_ROOT_NONE && HD_RAW_ROOT_SELF == OTF2_COLLECTIVE_ROOT_SELF &&
                   HD_RAW_ROOT_THIS_GROUP == OTF2_COLLECTIVE_ROOT_THIS_GROUP,
               "roots have other numbers in OTF2");

enum { MAX_DEPTH = 256 };

static const uint32_t n_words[HD_RAW_N_KINDS] = {
#define N_WORDS(name, n) [HD_RAW_##name] = n,
    HD_RAW_KINDS(N_WORDS)
#undef N_WORDS
};

typedef struct conversion { /* of a location */
    const hd_recorded_run *run;
    const hd_run_process  *process;
    OTF2_EvtWriter        *writer;
    OTF2_ErrorCode         error; /* the first */
    uint64_t               dropped;
    uint64_t               last;     /* [ticks] of all records */
    uint64_t               begin;    /* [ticks] of a collective operation whose begin is not written yet, 0: none */
    hd_opened             *open;     /* [n_open] */
    size_t                 n_open, room_open;
    uint32_t               team[MAX_DEPTH]; /* communicators of the teams that the thread is in */
    uint32_t               n_teams;
    uint32_t               contingent; /* communicator of the threads that the process creates */
    uint64_t               thread;     /* number of the one that has the location now, 0: none of those */
    uint64_t               window_begin; /* as begin, of an operation on windows */
    hd_run_position        position; /* of runs with pauses */
    bool                   is_paused, has_begun;
    uint64_t               pause; /* [ticks] its begin, 0: since the begin of the location */
    bool                   has_metric;
    bool                   is_sampled;
    uint64_t               n_samples, n_lost, n_periods;
    uint64_t               site;   /* of the last enter or leave (site_of), 0: there was none */
    uint64_t               entered; /* of the last enter */
    const uint64_t        *sample; /* the last record of one since then, NULL: there is none */
    hd_map                 seen;   /* pair of such sites -> the last sample between the two */
    OTF2_MetricValue       metric[HD_MAX_COUNTERS]; /* the last values: they stand before each enter and leave */
} conversion;

static void
note(conversion *to, OTF2_ErrorCode error)
{
    if (to->error == OTF2_SUCCESS)
        to->error = error;
}

static uint32_t
region_of(const conversion *to, uint32_t id)
{
    const uint64_t *region;

    if (id < HD_N_MPI_FUNCTIONS)
        return to->run->mpi_region[id];
    region = hd_map_get(&to->process->regions, id);
    return region != NULL ? (uint32_t)*region : HD_NONE;
}

/* HD_NONE: nothing on it can be in the archive. */
static uint32_t
comm_of(conversion *to, uint32_t number)
{
    uint32_t global = number < to->process->raw->n_comms ? to->process->raw->comms[number].global : HD_NONE;

    if (global != HD_NONE && to->run->comms[global].is_known)
        return global;
    to->dropped += number != HD_NONE; /* those of other worlds are counted elsewhere */
    return HD_NONE;
}

/* Of the team that the thread works in. */
static uint32_t
team_of(const conversion *to)
{
    return to->n_teams > 0 && to->n_teams <= MAX_DEPTH ? to->team[to->n_teams - 1] : OTF2_UNDEFINED_COMM;
}

static void
put_metric(conversion *to, uint64_t time)
{
    OTF2_Type types[HD_MAX_COUNTERS];

    for (uint32_t i = 0; i < to->run->n_counters; i++)
        types[i] = OTF2_TYPE_UINT64;
    if (to->has_metric)
        note(to, OTF2_EvtWriter_Metric(to->writer, NULL, time, 0, (uint8_t)to->run->n_counters, types, to->metric));
}

static void
take_metric(conversion *to, const hd_raw_record *record)
{
    if (to->process->raw->counters == NULL || strcmp(to->process->raw->counters, to->run->counters) != 0 ||
        record->n != to->run->n_counters)
        return;
    to->has_metric = true;
    for (uint32_t i = 0; i < to->run->n_counters; i++)
        to->metric[i].unsigned_int = record->words[i];
}

static void
open_region(conversion *to, uint64_t time, uint32_t region, hd_opened_by by)
{
    put_metric(to, time);
    note(to, OTF2_EvtWriter_Enter(to->writer, NULL, time, region));
    HD_PUSH(to->open, to->n_open, to->room_open, ((hd_opened){ region, by }));
}

static uint32_t
caller_of(const conversion *to, uint64_t address)
{
    const uint64_t *known = address != 0 && address != HD_MAP_FREE ? hd_map_get(&to->process->callers, address) : NULL;

    return known != NULL && *known != HD_RUN_RUNS_BODY ? (uint32_t)*known : HD_NONE;
}

/* The innermost region that is open and a function, or a call; HD_NONE: there is none. */
static uint32_t
innermost_function(const conversion *to)
{
    for (size_t i = to->n_open; i > 0; i--)
        if (to->run->regions[to->open[i - 1].region].paradigm != HD_RUN_USER)
            return to->open[i - 1].region;
    return HD_NONE;
}

/* Leaves what is open down to that depth. */
static void
leave_down_to(conversion *to, uint64_t time, size_t depth)
{
    for (; to->n_open > depth; to->n_open--) {
        put_metric(to, time);
        note(to, OTF2_EvtWriter_Leave(to->writer, NULL, time, to->open[to->n_open - 1].region));
    }
}

/* ---- samples ----------------------------------------------------------------------------------------------------- */

static void
change_stack(conversion *to, uint64_t time, const hd_stack_change *change)
{
    leave_down_to(to, time, change->n_stay);
    for (uint32_t i = 0; i < change->n_entered; i++)
        open_region(to, time, change->entered[i], HD_OPENED_SAMPLED);
}

/* Functions are those of a stack from then on. */
static void
follow_stack(conversion *to, uint64_t time, const uint64_t *words, uint32_t n)
{
    hd_stack_change change;

    hd_stack_change_find(to->run, to->process, to->open, to->n_open, words, n, &change);
    change_stack(to, time, &change);
}

/* Inside of the innermost call or construct. */
static void
leave_samples(conversion *to, uint64_t time)
{
    hd_stack_change change;

    hd_stack_change_to_function(to->open, to->n_open, HD_NONE, &change);
    change_stack(to, time, &change);
}

/* An enter with the whole stack. */
static bool
has_stack(const hd_raw_record *record)
{
    enum { MOST = 250 }; /* with so many the outermost may be missing */

    return record->kind == HD_RAW_ENTER && record->n > 1 && record->n < MOST;
}

/* Where a call is made, or which construct is entered. */
static uint64_t
site_of(const hd_raw_record *record)
{
    return record->n >= 1 && record->words[0] != 0 ? record->words[0] : record->id;
}

static uint64_t
pair_of(uint64_t from, uint64_t to)
{
    uint64_t pair = from * 0x9E3779B97F4A7C15U ^ to;

    return pair != HD_MAP_FREE ? pair : 0;
}

static bool
is_computing(const conversion *to)
{
    return !to->is_paused && hd_stack_is_computing(to->run, to->open, to->n_open);
}

/* What is innermost around a construct of OpenMP, or a function that is instrumented. */
static uint32_t
function_around(const conversion *to, const hd_raw_record *record)
{
    const uint64_t *function = hd_map_get(&to->process->functions, record->id);

    if (record->n >= 1 && record->words[0] != 0)
        return caller_of(to, record->words[0]);
    return function != NULL ? (uint32_t)*function : HD_NONE;
}

static void
enter_after_samples(conversion *to, const hd_raw_record *record, uint32_t region)
{
    const hd_run_region *entered = &to->run->regions[region];
    hd_stack_change      change;
    bool                 is_new;

    if (to->sample != NULL && to->site != 0)
        *hd_map_add(&to->seen, pair_of(to->site, site_of(record)), &is_new) = (uint64_t)(uintptr_t)to->sample;
    if (has_stack(record))
        follow_stack(to, record->time, record->words, record->n);
    else if (entered->paradigm == HD_RUN_OPENMP && entered->role == HD_RAW_ROLE_IMPLICIT_BARRIER)
        leave_samples(to, record->time); /* the body is over */
    else {
        hd_stack_change_to_function(to->open, to->n_open, function_around(to, record), &change);
        change_stack(to, record->time, &change);
    }
    open_region(to, record->time, region, HD_OPENED_RECORDED);
}

/* Functions up to the next enter, which no sample has shown: those of the last sample between the same two sites, else
 * those that the stack of the next one has, too. */
static void
follow_pair(conversion *to, uint64_t time, const hd_raw_record *next)
{
    const uint64_t *seen = to->site != 0 ? hd_map_get(&to->seen, pair_of(to->site, site_of(next))) : NULL, *sample;
    hd_stack_change change;

    if (seen != NULL) {
        sample = (const uint64_t *)(uintptr_t)*seen;
        follow_stack(to, time, sample + 2, (uint32_t)(sample[1] >> 8 & 0xff));
        return;
    }
    if (!has_stack(next))
        return;
    hd_stack_change_find(to->run, to->process, to->open, to->n_open, next->words, next->n, &change);
    change.n_entered = 0;
    change_stack(to, time, &change);
}

/* The next one, but for the begin of a team, which the enter of its region follows. False: there is none. */
static bool
look_ahead(const hd_raw_log *log, hd_raw_record *next)
{
    hd_raw_log copy = *log;
    bool       is_there;

    do
        is_there = hd_raw_log_next(&copy, next);
    while (is_there && (next->kind == HD_RAW_THREAD_FORK || next->kind == HD_RAW_TEAM_BEGIN));
    return is_there;
}

/* Before a record: a team is forked by the function that its region is in. */
static void
look_at_fork(conversion *to, const hd_raw_record *record, const hd_raw_log *log)
{
    hd_raw_record next;

    if (record->kind == HD_RAW_THREAD_FORK && look_ahead(log, &next) && has_stack(&next) && is_computing(to))
        follow_stack(to, record->time, next.words, next.n);
}

/* Behind a record: a sample shows what has run since the record before it. */
static void
look_at_samples(conversion *to, const hd_raw_record *record, const hd_raw_log *log)
{
    bool          is_end = record->kind == HD_RAW_LEAVE || record->kind == HD_RAW_THREAD_JOIN;
    hd_raw_record next;

    if (record->kind == HD_RAW_ENTER)
        to->entered = site_of(record);
    if (record->kind == HD_RAW_ENTER || is_end) {
        to->site   = is_end ? ~to->entered : to->entered;
        to->sample = NULL;
    }
    if (record->kind == HD_RAW_SAMPLE) {
        to->n_samples += is_computing(to);
        to->n_lost += record->id & HD_RAW_SAMPLES_MASK;
        to->n_periods += is_computing(to) ? 1 + (record->id >> HD_RAW_SAMPLES_BITS) : 0;
        to->sample = is_computing(to) ? record->words - 2 : NULL;
    }
    if (!look_ahead(log, &next) || !is_computing(to))
        return;
    if (next.kind == HD_RAW_SAMPLE)
        follow_stack(to, record->time, next.words, next.n);
    else if ((is_end || record->kind == HD_RAW_ENTER) && next.kind == HD_RAW_ENTER)
        follow_pair(to, record->time, &next);
}

/* ---- regions ----------------------------------------------------------------------------------------------------- */

/* Where functions are recorded, the caller is open; with several levels, those within the open one are entered. */
static void
put_enter(conversion *to, const hd_raw_record *record)
{
    uint32_t region = region_of(to, record->id), top = innermost_function(to), n = record->n;

    if (region == HD_NONE)
        return;
    if (to->is_sampled) {
        enter_after_samples(to, record, region);
        return;
    }
    for (uint32_t i = 0; i < record->n; i++)
        if (top != HD_NONE && caller_of(to, record->words[i]) == top) {
            n = i;
            break;
        }
    for (uint32_t i = n; i > 0; i--) {
        uint32_t caller = caller_of(to, record->words[i - 1]);

        if (caller != HD_NONE)
            open_region(to, record->time, caller, HD_OPENED_CALLER);
    }
    open_region(to, record->time, region, HD_OPENED_RECORDED);
}

/* Leaves what is open above it, too: longjmp() and exceptions leave functions unseen. One that is not open is passed
 * over. */
static void
put_leave(conversion *to, const hd_raw_record *record)
{
    uint32_t region = region_of(to, record->id);
    size_t   at     = to->n_open;

    if (region == HD_NONE)
        return;
    to->begin = to->window_begin = 0; /* of an operation on a communicator that is not in the archive */
    while (at > 0 && (to->open[at - 1].region != region || to->open[at - 1].by != HD_OPENED_RECORDED))
        at--;
    if (at == 0)
        return;
    while (at > 1 && to->open[at - 2].by == HD_OPENED_CALLER)
        at--;
    leave_down_to(to, record->time, at - 1);
}

static void
put_begin(conversion *to)
{
    if (to->begin != 0)
        note(to, OTF2_EvtWriter_MpiCollectiveBegin(to->writer, NULL, to->begin));
    to->begin = 0;
}

static void
put_message(conversion *to, const hd_raw_record *record)
{
    const uint64_t *words = record->words;
    uint32_t        comm  = comm_of(to, record->id), peer = (uint32_t)words[0], tag = (uint32_t)(words[0] >> 32);

    if (comm == HD_NONE)
        return;
    if (record->kind == HD_RAW_SEND)
        note(to, OTF2_EvtWriter_MpiSend(to->writer, NULL, record->time, peer, comm, tag, words[1]));
    else if (record->kind == HD_RAW_RECV)
        note(to, OTF2_EvtWriter_MpiRecv(to->writer, NULL, record->time, peer, comm, tag, words[1]));
    else if (record->kind == HD_RAW_ISEND)
        note(to, OTF2_EvtWriter_MpiIsend(to->writer, NULL, record->time, peer, comm, tag, words[1], words[2]));
    else
        note(to, OTF2_EvtWriter_MpiIrecv(to->writer, NULL, record->time, peer, comm, tag, words[1], words[2]));
}

static void
put_collective(conversion *to, const hd_raw_record *record)
{
    const uint64_t   *words     = record->words;
    uint32_t          root      = (uint32_t)(words[0] >> 32);
    OTF2_CollectiveOp operation = (OTF2_CollectiveOp)(words[0] & UINT32_MAX);
    uint32_t          comm      = comm_of(to, record->id);

    if (comm == HD_NONE)
        return;
    if (record->kind == HD_RAW_COLLECTIVE_END) {
        put_begin(to);
        note(to, OTF2_EvtWriter_MpiCollectiveEnd(to->writer, NULL, record->time, operation, comm, root, words[1],
                                                 words[2]));
    } else
        note(to, OTF2_EvtWriter_NonBlockingCollectiveComplete(to->writer, NULL, record->time, operation, comm, root,
                                                              words[1], words[2], words[3]));
}

static void
put_comm(conversion *to, const hd_raw_record *record)
{
    uint32_t comm = comm_of(to, record->id);

    if (comm == HD_NONE)
        return;
    put_begin(to);
    if (record->kind == HD_RAW_COMM_CREATE)
        note(to, OTF2_EvtWriter_CommCreate(to->writer, NULL, record->time, comm));
    else
        note(to, OTF2_EvtWriter_CommDestroy(to->writer, NULL, record->time, comm));
}

static void
put_window_begin(conversion *to)
{
    if (to->window_begin != 0)
        note(to, OTF2_EvtWriter_RmaCollectiveBegin(to->writer, NULL, to->window_begin));
    to->window_begin = 0;
}

static void
put_window(conversion *to, const hd_raw_record *record, uint32_t window)
{
    OTF2_CollectiveOp operation;

    put_window_begin(to);
    if (record->kind == HD_RAW_WINDOW_CREATE)
        note(to, OTF2_EvtWriter_RmaWinCreate(to->writer, NULL, record->time, window));
    else if (record->kind == HD_RAW_WINDOW_DESTROY)
        note(to, OTF2_EvtWriter_RmaWinDestroy(to->writer, NULL, record->time, window));
    else {
        operation = (OTF2_CollectiveOp)record->words[0];
        note(to, OTF2_EvtWriter_RmaCollectiveEnd(to->writer, NULL, record->time, operation,
                                                 operation == OTF2_COLLECTIVE_OP_BARRIER ?
                                                     OTF2_RMA_SYNC_LEVEL_PROCESS | OTF2_RMA_SYNC_LEVEL_MEMORY :
                                                     OTF2_RMA_SYNC_LEVEL_PROCESS,
                                                 window, OTF2_COLLECTIVE_ROOT_NONE, 0, 0));
    }
}

static void
put_sync(conversion *to, const hd_raw_record *record, uint32_t window)
{
    const hd_raw_process *raw   = to->process->raw;
    uint32_t              group = record->words[0] < raw->n_groups ? raw->groups[record->words[0]].global : HD_NONE;

    if (record->kind != HD_RAW_GROUP_SYNC || group != HD_NONE)
        note(to, hd_archive_sync_event(to->writer, record, window,
                                       group != HD_NONE ? HD_ARCHIVE_FIRST_GROUP + group : OTF2_UNDEFINED_GROUP));
}

static void
put_access(conversion *to, const hd_raw_record *record, uint32_t window)
{
    if (record->kind == HD_RAW_ACCESS_LOCAL)
        put_window_begin(to);
    note(to, hd_archive_access_event(to->writer, record, window));
}

/* MPI-IO; nothing of a file whose communicator is not in the archive. */
static void
put_file(conversion *to, const hd_raw_record *record)
{
    const hd_raw_process *raw    = to->process->raw;
    uint32_t              handle = record->id < raw->n_files ? raw->files[record->id].global : HD_NONE;

    if (handle == HD_NONE)
        to->dropped++;
    else
        note(to, hd_archive_file_event(to->writer, record, handle));
}

/* One-sided communication; nothing of a window whose communicator is not in the archive. */
static void
put_one_sided(conversion *to, const hd_raw_record *record)
{
    const hd_raw_process *raw    = to->process->raw;
    uint32_t              window = record->id < raw->n_windows ? raw->windows[record->id].global : HD_NONE;

    if (window == HD_NONE) {
        to->dropped++;
        return;
    }
    switch (record->kind) {
    case HD_RAW_WINDOW_CREATE:
    case HD_RAW_WINDOW_DESTROY:
    case HD_RAW_WINDOW_END:
        put_window(to, record, window);
        break;
    case HD_RAW_GROUP_SYNC:
    case HD_RAW_REQUEST_LOCK:
    case HD_RAW_RELEASE_ACCESS:
        put_sync(to, record, window);
        break;
    default:
        put_access(to, record, window);
        break;
    }
}

static void
put_team(conversion *to, const hd_raw_record *record)
{
    const uint64_t *number = hd_map_get(&to->process->teams, record->id);
    uint32_t        team   = number != NULL ? (uint32_t)(to->run->n_comms + *number) : OTF2_UNDEFINED_COMM;

    if (record->kind == HD_RAW_TEAM_BEGIN) {
        if (to->n_teams < MAX_DEPTH)
            to->team[to->n_teams] = team;
        to->n_teams++;
        note(to, OTF2_EvtWriter_ThreadTeamBegin(to->writer, NULL, record->time, team));
        return;
    }
    if (to->n_teams > 0)
        to->n_teams--;
    note(to, OTF2_EvtWriter_ThreadTeamEnd(to->writer, NULL, record->time, team));
}

/* The end of a thread that was created: it leaves what it was in. */
static void
end_thread(conversion *to, uint64_t time)
{
    if (to->thread == 0)
        return;
    leave_down_to(to, time, 0);
    note(to, OTF2_EvtWriter_ThreadEnd(to->writer, NULL, time, to->contingent, to->thread));
    to->thread = 0;
}

static void
put_thread(conversion *to, const hd_raw_record *record)
{
    if (record->kind == HD_RAW_THREAD_END) {
        end_thread(to, record->time);
        return;
    }
    note(to, hd_archive_thread_event(to->writer, record, to->contingent));
    if (record->kind == HD_RAW_THREAD_BEGIN)
        to->thread = record->words[0];
}

/* Whether the archive has the end of an operation whose begin is the record before `next`: it does not where that is
 * not in all processes. One that has no end was interrupted. */
static bool
has_end(conversion *to, const hd_raw_log *next, hd_raw_kind end)
{
    hd_raw_log    log = *next;
    hd_raw_record record;

    while (hd_raw_log_next(&log, &record))
        if (record.kind == end)
            return record.n >= n_words[end] && hd_run_is_kept(&to->position, &record);
        else if (record.kind == HD_RAW_LEAVE)
            return false;
    return true;
}

static void
put_record(conversion *to, const hd_raw_record *record);

/* The end of a pause. One at the begin or the end of a location is no part of its time, and not in the archive. */
static void
put_resume(conversion *to, uint64_t time)
{
    if (to->is_paused && to->pause != 0) {
        note(to, OTF2_EvtWriter_MeasurementOnOff(to->writer, NULL, to->pause, OTF2_MEASUREMENT_OFF));
        note(to, OTF2_EvtWriter_MeasurementOnOff(to->writer, NULL, time, OTF2_MEASUREMENT_ON));
    }
    to->is_paused = false;
}

static void
put_record_of_paused_run(conversion *to, const hd_raw_record *record, const hd_raw_log *next)
{
    hd_raw_record changed = *record;

    if ((record->kind == HD_RAW_COLLECTIVE_BEGIN && !has_end(to, next, HD_RAW_COLLECTIVE_END)) ||
        (record->kind == HD_RAW_WINDOW_BEGIN && !has_end(to, next, HD_RAW_WINDOW_END)))
        return;
    if (to->is_paused && record->kind == HD_RAW_LEAVE) /* what is left in a pause is left at its begin */
        changed.time = to->pause;
    switch (hd_run_fate_of(&to->position, record)) {
    case HD_RUN_LEFT_OUT:
        break;
    case HD_RUN_WITHDRAWN:
        changed.kind  = HD_RAW_CANCELLED;
        changed.words = &record->words[2];
        put_record(to, &changed);
        break;
    case HD_RUN_ALONE:
        changed.kind = HD_RAW_SEND;
        put_record(to, &changed);
        break;
    case HD_RUN_KEPT:
        put_record(to, &changed);
        break;
    }
}

static void
put_record(conversion *to, const hd_raw_record *record)
{
    switch (record->kind) {
    case HD_RAW_ENTER:
        put_enter(to, record);
        break;
    case HD_RAW_LEAVE:
        put_leave(to, record);
        break;
    case HD_RAW_SEND:
    case HD_RAW_RECV:
    case HD_RAW_ISEND:
    case HD_RAW_IRECV:
        put_message(to, record);
        break;
    case HD_RAW_ISEND_COMPLETE:
        note(to, OTF2_EvtWriter_MpiIsendComplete(to->writer, NULL, record->time, record->words[0]));
        break;
    case HD_RAW_IRECV_REQUEST:
        note(to, OTF2_EvtWriter_MpiIrecvRequest(to->writer, NULL, record->time, record->words[0]));
        break;
    case HD_RAW_CANCELLED:
        note(to, OTF2_EvtWriter_MpiRequestCancelled(to->writer, NULL, record->time, record->words[0]));
        break;
    case HD_RAW_COLLECTIVE_BEGIN:
        to->begin = record->time;
        break;
    case HD_RAW_COLLECTIVE_END:
    case HD_RAW_NBC_COMPLETE:
        put_collective(to, record);
        break;
    case HD_RAW_NBC_REQUEST:
        note(to, OTF2_EvtWriter_NonBlockingCollectiveRequest(to->writer, NULL, record->time, record->words[0]));
        break;
    case HD_RAW_COMM_CREATE:
    case HD_RAW_COMM_DESTROY:
        put_comm(to, record);
        break;
    case HD_RAW_THREAD_FORK:
    case HD_RAW_THREAD_JOIN:
        note(to, hd_archive_fork_event(to->writer, record));
        break;
    case HD_RAW_TEAM_BEGIN:
    case HD_RAW_TEAM_END:
        put_team(to, record);
        break;
    case HD_RAW_TASK_SWITCH:
        leave_samples(to, record->time);
        note(to, hd_archive_task_event(to->writer, record, team_of(to)));
        break;
    case HD_RAW_TASK_CREATE:
    case HD_RAW_TASK_COMPLETE:
        note(to, hd_archive_task_event(to->writer, record, team_of(to)));
        break;
    case HD_RAW_WINDOW_BEGIN:
        to->window_begin = record->time;
        break;
    case HD_RAW_THREAD_CREATE:
    case HD_RAW_THREAD_BEGIN:
    case HD_RAW_THREAD_WAIT:
    case HD_RAW_THREAD_END:
        put_thread(to, record);
        break;
    case HD_RAW_ACQUIRE_LOCK:
    case HD_RAW_RELEASE_LOCK:
        note(to, hd_archive_lock_event(to->writer, record, region_of(to, record->id)));
        break;
    case HD_RAW_ACQUIRE_MUTEX:
    case HD_RAW_RELEASE_MUTEX:
        note(to, hd_archive_lock_event(to->writer, record, record->id));
        break;
    case HD_RAW_FILE_CREATE:
    case HD_RAW_FILE_DESTROY:
    case HD_RAW_FILE_SEEK:
    case HD_RAW_FILE_BEGIN:
    case HD_RAW_FILE_ISSUED:
    case HD_RAW_FILE_COMPLETE:
        put_file(to, record);
        break;
    case HD_RAW_METRIC:
        take_metric(to, record);
        break;
    case HD_RAW_PAUSE:
        leave_samples(to, record->time);
        to->pause     = record->time;
        to->is_paused = true;
        break;
    case HD_RAW_RESUME:
        put_resume(to, record->time);
        break;
    case HD_RAW_FOREIGN: /* counted before */
    case HD_RAW_SAMPLE:  /* see look_at_samples() */
        break;
    default: /* kinds are checked before */
        put_one_sided(to, record);
        break;
    }
}

/* Before the first record of a location; the first location has the program around its records. */
static void
begin_location(conversion *to, uint64_t time, bool is_first)
{
    enum { FIRST_PROGRAM = 1 }; /* string 0 is empty */

    if (is_first && !to->has_begun)
        note(to, OTF2_EvtWriter_ProgramBegin(to->writer, NULL, time, FIRST_PROGRAM + to->process->program, 0, NULL));
    to->has_begun = true;
}

/* Whether the location begins in a pause, which is not in the archive. */
static bool
is_before_all(conversion *to, const hd_raw_record *record)
{
    if (to->has_begun || (!to->is_paused && record->kind != HD_RAW_PAUSE) || record->kind == HD_RAW_RESUME)
        return false;
    to->is_paused = true;
    return true;
}

/* Times do not go back. That of a sample, which may be later than the record behind it, does not change that one's. */
static uint64_t
time_of(const hd_raw_record *record, uint64_t last, const hd_raw_log *log)
{
    hd_raw_log    copy = *log;
    hd_raw_record next;
    uint64_t      time = record->time;

    if (record->kind == HD_RAW_SAMPLE && hd_raw_log_next(&copy, &next))
        time = hd_time_min(time, next.time);
    return hd_time_max(time, last);
}

static void
convert_records(conversion *to, hd_raw_log *log, bool is_first)
{
    uint64_t      begin = to->process->cut > 0 ? to->process->cut : to->process->raw->clocks[0].ticks, last = begin;
    hd_raw_record record;

    while (to->error == OTF2_SUCCESS && hd_raw_log_next(log, &record)) {
        record.time = time_of(&record, last, log);
        last        = record.time;
        if (record.kind == HD_RAW_EMPTY || record.kind >= HD_RAW_N_KINDS || record.n < n_words[record.kind] ||
            is_before_all(to, &record))
            continue;
        begin_location(to, to->is_paused && record.kind == HD_RAW_RESUME ? record.time : begin, is_first);
        if (to->is_sampled)
            look_at_fork(to, &record, log);
        if (to->run->has_pauses)
            put_record_of_paused_run(to, &record, log);
        else
            put_record(to, &record);
        if (to->is_sampled)
            look_at_samples(to, &record, log);
    }
    begin_location(to, begin, is_first);
    to->last = to->is_paused && to->pause != 0 ? to->pause : last;
}

/* What is open when a process was killed stays open: the analysis says what it waited for. */
static hd_status
convert(conversion *to, const hd_raw_location *location)
{
    const hd_raw_process *raw      = to->process->raw;
    bool                  is_first = (location->ref >> 32) == 0;
    hd_raw_log            log;
    hd_status             status = hd_raw_log_open(&to->run->files, raw, location, to->process->cut, &log);

    if (status != HD_OK)
        return status;
    convert_records(to, &log, is_first);
    if (raw->has_ended || raw->is_finalized) /* with threads that still ran */
        end_thread(to, to->is_paused ? to->last : hd_time_max(raw->end, to->last));
    if (raw->has_ended || raw->is_finalized)
        leave_samples(to, to->is_paused ? to->last : hd_time_max(raw->end, to->last));
    if (to->n_open > 0) {
        put_begin(to);
        put_window_begin(to);
    }
    if (is_first && to->n_open == 0 && (raw->has_ended || raw->is_finalized))
        note(to, OTF2_EvtWriter_ProgramEnd(to->writer, NULL, to->is_paused ? to->last : hd_time_max(raw->end, to->last),
                                           OTF2_UNDEFINED_INT64));
    hd_raw_log_close(&log);
    return HD_OK;
}

static OTF2_ErrorCode
write_clock(const hd_run_clock *clock, OTF2_DefWriter *own)
{
    OTF2_ErrorCode error = OTF2_SUCCESS;

    for (int i = 0; i < 2 && error == OTF2_SUCCESS; i++)
        error = OTF2_DefWriter_WriteClockOffset(own, clock->at[i], clock->offset[i], clock->error);
    return error;
}

hd_status
hd_archive_events_write(const hd_recorded_run *run, OTF2_Archive *archive, uint32_t process, size_t location,
                        hd_archive_counts *counts)
{
    const hd_raw_location *from = &run->processes[process].raw->locations[location];
    conversion            *to   = HD_NEW(conversion);
    OTF2_DefWriter        *own  = OTF2_Archive_GetDefWriter(archive, from->ref); /* readers look for it */
    hd_status              status;

    *to = (conversion){ .run = run, .process = &run->processes[process],
                        .writer = OTF2_Archive_GetEvtWriter(archive, from->ref),
                        .contingent = hd_archive_contingent(run, process),
                        .is_sampled = run->processes[process].raw->sample_ns > 0 };
    if (to->writer == NULL || own == NULL)
        status = hd_fail(HD_EWRITE, "cannot begin the events of a location");
    else {
        if (run->has_pauses)
            hd_run_position_begin(&to->position, to->process, location);
        status = convert(to, from);
    }
    if (own != NULL && run->has_nodes)
        note(to, write_clock(&run->processes[process].clock, own));
    if (own != NULL)
        note(to, OTF2_Archive_CloseDefWriter(archive, own));
    if (to->writer != NULL) {
        note(to, OTF2_EvtWriter_GetNumberOfEvents(to->writer, &counts->events));
        note(to, OTF2_Archive_CloseEvtWriter(archive, to->writer));
    }
    counts->dropped = to->dropped;
    counts->samples = to->n_samples;
    counts->lost_samples = to->n_lost;
    counts->periods = to->n_periods;
    if (status == HD_OK && to->error != OTF2_SUCCESS)
        status = hd_fail(HD_EWRITE, "cannot write the events of a location: %s", OTF2_Error_GetDescription(to->error));
    hd_run_position_fini(&to->position);
    hd_map_fini(&to->seen);
    free(to->open);
    free(to);
    return status;
}
