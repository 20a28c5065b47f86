/* src/record/finish/archive_events.c: writes the events of a location as Score-P would. */
#include "archive_events.h"

#include <string.h>

#include "archive_conversion.h"
#include "archive_definitions.h"
#include "archive_file_events.h"
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

static const uint32_t n_words[HD_RAW_N_KINDS] = {
#define N_WORDS(name, n) [HD_RAW_##name] = n,
    HD_RAW_KINDS(N_WORDS)
#undef N_WORDS
};

/* HD_NONE: nothing on it can be in the archive. */
static uint32_t
comm_of(hd_conversion *to, uint32_t number)
{
    uint32_t global = number < to->process->raw->n_comms ? to->process->raw->comms[number].global : HD_NONE;

    if (global != HD_NONE && to->run->comms[global].is_known)
        return global;
    to->dropped += number != HD_NONE; /* those of other worlds are counted elsewhere */
    return HD_NONE;
}

/* Of the team that the thread works in. */
static uint32_t
team_of(const hd_conversion *to)
{
    return to->n_teams > 0 && to->n_teams <= HD_CONVERSION_MAX_DEPTH ? to->team[to->n_teams - 1] : OTF2_UNDEFINED_COMM;
}

static void
take_metric(hd_conversion *to, const hd_raw_record *record)
{
    if (to->process->raw->counters == NULL || strcmp(to->process->raw->counters, to->run->counters) != 0 ||
        record->n != to->run->n_counters)
        return;
    to->has_metric = true;
    for (uint32_t i = 0; i < to->run->n_counters; i++)
        to->metric[i].unsigned_int = record->words[i];
}

static void
put_begin(hd_conversion *to)
{
    if (to->begin != 0)
        note(to, OTF2_EvtWriter_MpiCollectiveBegin(to->writer, NULL, to->begin));
    to->begin = 0;
}

static void
put_message(hd_conversion *to, const hd_raw_record *record)
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
put_collective(hd_conversion *to, const hd_raw_record *record)
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
put_comm(hd_conversion *to, const hd_raw_record *record)
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
put_window_begin(hd_conversion *to)
{
    if (to->window_begin != 0)
        note(to, OTF2_EvtWriter_RmaCollectiveBegin(to->writer, NULL, to->window_begin));
    to->window_begin = 0;
}

static void
put_window(hd_conversion *to, const hd_raw_record *record, uint32_t window)
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
put_sync(hd_conversion *to, const hd_raw_record *record, uint32_t window)
{
    const hd_raw_process *raw   = to->process->raw;
    uint32_t              group = record->words[0] < raw->n_groups ? raw->groups[record->words[0]].global : HD_NONE;

    if (record->kind != HD_RAW_GROUP_SYNC || group != HD_NONE)
        note(to, hd_archive_sync_event(to->writer, record, window,
                                       group != HD_NONE ? HD_ARCHIVE_FIRST_GROUP + group : OTF2_UNDEFINED_GROUP));
}

static void
put_access(hd_conversion *to, const hd_raw_record *record, uint32_t window)
{
    if (record->kind == HD_RAW_ACCESS_LOCAL)
        put_window_begin(to);
    note(to, hd_archive_access_event(to->writer, record, window));
}

/* MPI-IO; nothing of a file whose communicator is not in the archive. */
static void
put_file(hd_conversion *to, const hd_raw_record *record)
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
put_one_sided(hd_conversion *to, const hd_raw_record *record)
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
put_team(hd_conversion *to, const hd_raw_record *record)
{
    const uint64_t *number = hd_map_get(&to->process->teams, record->id);
    uint32_t        team   = number != NULL ? (uint32_t)(to->run->n_comms + *number) : OTF2_UNDEFINED_COMM;

    if (record->kind == HD_RAW_TEAM_BEGIN) {
        if (to->n_teams < HD_CONVERSION_MAX_DEPTH)
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
end_thread(hd_conversion *to, uint64_t time)
{
    if (to->thread == 0)
        return;
    hd_conversion_leave_down_to(to, time, 0);
    note(to, OTF2_EvtWriter_ThreadEnd(to->writer, NULL, time, to->contingent, to->thread));
    to->thread = 0;
}

static void
put_thread(hd_conversion *to, const hd_raw_record *record)
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
has_end(hd_conversion *to, const hd_raw_log *next, hd_raw_kind end)
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
put_record(hd_conversion *to, const hd_raw_record *record);

/* The end of a pause. One at the begin or the end of a location is no part of its time, and not in the archive. */
static void
put_resume(hd_conversion *to, uint64_t time)
{
    if (to->is_paused && to->pause != 0) {
        note(to, OTF2_EvtWriter_MeasurementOnOff(to->writer, NULL, to->pause, OTF2_MEASUREMENT_OFF));
        note(to, OTF2_EvtWriter_MeasurementOnOff(to->writer, NULL, time, OTF2_MEASUREMENT_ON));
    }
    to->is_paused = false;
}

static void
put_record_of_paused_run(hd_conversion *to, const hd_raw_record *record, const hd_raw_log *next)
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
put_record(hd_conversion *to, const hd_raw_record *record)
{
    switch (record->kind) {
    case HD_RAW_ENTER:
        hd_conversion_enter(to, record);
        break;
    case HD_RAW_LEAVE:
        hd_conversion_leave(to, record);
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
        if (comm_of(to, record->id) != HD_NONE)
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
        hd_conversion_leave_samples(to, record->time);
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
        note(to, hd_archive_lock_event(to->writer, record, hd_conversion_region(to, record->id)));
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
    case HD_RAW_PAUSE:
        hd_conversion_leave_samples(to, record->time);
        to->pause     = record->time;
        to->is_paused = true;
        break;
    case HD_RAW_RESUME:
        put_resume(to, record->time);
        break;
    case HD_RAW_FOREIGN: /* counted before */
    case HD_RAW_METRIC:  /* taken before */
    case HD_RAW_SAMPLE:  /* see hd_conversion_look_at_samples() */
        break;
    default: /* kinds are checked before */
        put_one_sided(to, record);
        break;
    }
}

/* Before the first record of a location; the first location has the program around its records. */
static void
begin_location(hd_conversion *to, uint64_t time, bool is_first)
{
    enum { FIRST_PROGRAM = 1 }; /* string 0 is empty */

    if (is_first && !to->has_begun)
        note(to, OTF2_EvtWriter_ProgramBegin(to->writer, NULL, time, FIRST_PROGRAM + to->process->program, 0, NULL));
    to->has_begun = true;
}

/* Whether the location begins in a pause, which is not in the archive. */
static bool
is_before_all(hd_conversion *to, const hd_raw_record *record)
{
    if (to->has_begun || (!to->is_paused && record->kind != HD_RAW_PAUSE) || record->kind == HD_RAW_RESUME)
        return false;
    to->is_paused = true;
    return true;
}

/* That of a sample may be later than the record behind it, and does not change that one's. */
static __attribute__((noinline)) uint64_t
time_of_sample(const hd_raw_record *record, const hd_raw_log *log)
{
    hd_raw_log    copy = *log;
    hd_raw_record next;

    return hd_raw_log_next(&copy, &next) ? hd_time_min(record->time, next.time) : record->time;
}

static void
convert_records(hd_conversion *to, hd_raw_log *log, bool is_first)
{
    uint64_t      begin = to->process->cut > 0 ? to->process->cut : to->process->raw->clocks[0].ticks, last = begin;
    hd_raw_record record;

    while (to->error == OTF2_SUCCESS && hd_raw_log_next(log, &record)) {
        if (record.kind == HD_RAW_METRIC) { /* no event: it belongs to the next one, whatever its own time */
            take_metric(to, &record);
            continue;
        }
        if (HD_UNLIKELY(record.kind == HD_RAW_SAMPLE))
            record.time = time_of_sample(&record, log);
        record.time = hd_time_max(record.time, last); /* times do not go back */
        last        = record.time;
        if (record.kind == HD_RAW_EMPTY || record.kind >= HD_RAW_N_KINDS || record.n < n_words[record.kind] ||
            is_before_all(to, &record))
            continue;
        if (HD_UNLIKELY(!to->has_begun))
            begin_location(to, to->is_paused && record.kind == HD_RAW_RESUME ? record.time : begin, is_first);
        if (to->is_sampled)
            hd_conversion_look_at_fork(to, &record, log);
        if (to->run->has_pauses)
            put_record_of_paused_run(to, &record, log);
        else
            put_record(to, &record);
        if (to->is_sampled)
            hd_conversion_look_at_samples(to, &record, log);
    }
    begin_location(to, begin, is_first);
    to->last = to->is_paused && to->pause != 0 ? to->pause : last;
}

/* What is open when a process was killed stays open: the analysis says what it waited for. But the time of its last
 * sample would be lost with a function that stays open. */
static hd_status
convert(hd_conversion *to, const hd_raw_location *location)
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
        hd_conversion_leave_samples(to, to->is_paused ? to->last : hd_time_max(raw->end, to->last));
    else if (!to->is_paused)
        hd_conversion_leave_last_sample(to, to->last);
    if (is_first && raw->has_ended && (raw->is_finalized || !raw->has_world) && to->n_teams == 0 && !to->is_paused)
        hd_conversion_leave_down_to(to, hd_time_max(raw->end, to->last), 0); /* another thread has called exit() */
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
    hd_conversion         *to   = HD_NEW(hd_conversion);
    OTF2_DefWriter        *own  = OTF2_Archive_GetDefWriter(archive, from->ref); /* readers look for it */
    hd_status              status;

    *to = (hd_conversion){ .run = run, .process = &run->processes[process],
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

hd_status
hd_archive_events_write_none(OTF2_Archive *archive, uint64_t location)
{
    OTF2_EvtWriter *events = OTF2_Archive_GetEvtWriter(archive, location);
    OTF2_DefWriter *own    = OTF2_Archive_GetDefWriter(archive, location);

    if (events == NULL || own == NULL || OTF2_Archive_CloseDefWriter(archive, own) != OTF2_SUCCESS ||
        OTF2_Archive_CloseEvtWriter(archive, events) != OTF2_SUCCESS)
        return hd_fail(HD_EWRITE, "cannot write the files of a location without events");
    return HD_OK;
}
