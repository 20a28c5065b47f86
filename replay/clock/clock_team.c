/* replay/clock/clock_team.c: synchronization of the threads of a process. A state per team instance counts the events
 * that must come first; all threads are on one worker, so it is plain memory. */
#include "clock_team.h"

void
hd_clock_team_syncs_start(hd_clock_team_sync *syncs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        syncs[i] = (hd_clock_team_sync){ .latest = HD_CLOCK_NO_STAMP, .latest_corrected = HD_CLOCK_NO_STAMP,
                                         .fork = HD_CLOCK_NO_STAMP, .waiting = HD_NONE, .earliest_begin = UINT64_MAX,
                                         .earliest_leave = UINT64_MAX };
}

/* An end of a team, or an enter of a barrier. */
static void
arrive(hd_clock_worker *ch, hd_worker *worker, hd_clock_team_sync *sync, const hd_clock_stamp *own, uint32_t n_expected)
{
    sync->latest           = hd_clock_later(sync->latest, *own, false);
    sync->latest_corrected = hd_clock_later(sync->latest_corrected, *own, true);
    if (++sync->n_arrived == n_expected)
        hd_clock_wake_waiting(ch->replay, worker, &sync->waiting);
}

bool
hd_clock_team_pass(hd_clock_worker *ch, hd_worker *worker, hd_clock_vproc *vproc)
{
    const hd_clock_point         *point    = &vproc->log->points[vproc->at];
    const hd_clock_team_instance *known    = &vproc->process->team_instances[point->what];
    hd_clock_team_sync           *sync     = &vproc->team_syncs[point->what];
    hd_clock_stamp                own      = hd_clock_stamp_at(ch->replay, vproc);
    bool                          is_begin = point->kind == HD_CLOCK_TEAM_BEGIN;
    hd_time                      *earliest = is_begin ? &sync->earliest_begin : &sync->earliest_leave;

    switch (point->kind) {
    case HD_CLOCK_FORK:
        sync->fork = own;
        hd_clock_wake_waiting(ch->replay, worker, &sync->waiting);
        return true;
    case HD_CLOCK_TEAM_END:
    case HD_CLOCK_BARRIER_ENTER:
        arrive(ch, worker, sync, &own, known->n_before);
        return true;
    default:
        break;
    }
    if (vproc->released) {
        hd_clock_stop_waiting(ch->replay, vproc, &sync->waiting);
        return true;
    }
    if (is_begin ? known->has_fork && sync->fork.process == HD_NONE : sync->n_arrived < known->n_before) {
        hd_clock_wait(vproc, &sync->waiting);
        return false;
    }
    if (is_begin)
        hd_clock_apply(ch, vproc, &(hd_clock_bound){ .corrected = sync->fork, .time = sync->fork });
    else
        hd_clock_apply(ch, vproc, &(hd_clock_bound){ .corrected = sync->latest_corrected, .time = sync->latest });
    *earliest = hd_time_min(*earliest, hd_clock_stamp_at(ch->replay, vproc).corrected);
    return true;
}

static bool
comes_before_others(const hd_clock_point *point)
{
    return point->kind == HD_CLOCK_FORK || point->kind == HD_CLOCK_TEAM_END || point->kind == HD_CLOCK_BARRIER_ENTER;
}

void
hd_clock_team_limit(const hd_clock_replay *replay, hd_clock_vproc *vproc)
{
    for (size_t i = 0; i < vproc->log->n; i++) {
        const hd_clock_point     *point = &vproc->log->points[i];
        const hd_clock_team_sync *sync;
        hd_time                   earliest, corrected = hd_clock_corrected(vproc->log, i);

        if (point->what == HD_NONE || !comes_before_others(point))
            continue;
        sync     = &vproc->team_syncs[point->what];
        earliest = point->kind == HD_CLOCK_FORK ? sync->earliest_begin : sync->earliest_leave;
        if (earliest != UINT64_MAX) /* an event at the same time may be the latest itself */
            hd_clock_limit(vproc, i, hd_time_max(earliest - (hd_time)replay->latency_of_threads, corrected));
    }
}
