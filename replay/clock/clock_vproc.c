/* replay/clock/clock_vproc.c: the clock condition for one event, and forward amortization: jumps that fade. */
#include "clock_vproc.h"

#define FADES_IN 100000 /* a correction gets smaller by one part in so many of the time that passes */

/* ---- violations -------------------------------------------------------------------------------------------------- */

static hd_clock_violation
violation_of(const hd_clock_replay *replay, const hd_clock_log *log, const hd_clock_point *point)
{
    uint32_t first_window = hd_first_window(replay->defs), n = replay->defs->n_comms, comm;

    if (point->kind != HD_CLOCK_RECEIVE && point->kind != HD_CLOCK_END)
        return HD_CLOCK_OPENMP;
    comm = point->kind == HD_CLOCK_RECEIVE ? log->channels[point->what].comm : log->collectives[point->what].comm;
    if (comm >= first_window && comm < n)
        return HD_CLOCK_RMA;
    return point->kind == HD_CLOCK_RECEIVE ? HD_CLOCK_P2P : HD_CLOCK_COLLECTIVE;
}

static void
add_pair(hd_clock_worker *ch, const hd_clock_pair *pair)
{
    for (uint64_t key = hd_hash((uint64_t)pair->sender << 32 | pair->receiver) ^ pair->kind;; key++) {
        bool           is_new;
        uint64_t      *place = hd_map_add(&ch->pairs_at, key == HD_MAP_FREE ? 0 : key, &is_new);
        hd_clock_pair *known;

        if (is_new) {
            *place = ch->n_pairs;
            HD_PUSH(ch->pairs, ch->n_pairs, ch->capacity_pairs, *pair);
            return;
        }
        known = &ch->pairs[*place];
        if (known->sender != pair->sender || known->receiver != pair->receiver || known->kind != pair->kind)
            continue;
        known->count += pair->count;
        known->worst = known->worst > pair->worst ? known->worst : pair->worst;
        return;
    }
}

/* In recorded times. */
static void
count_violation(hd_clock_worker *ch, hd_clock_vproc *vproc, const hd_clock_stamp *latest, hd_clock_violation kind)
{
    hd_time time = vproc->log->points[vproc->at].time;
    hd_span by;

    vproc->row.n_checked[kind]++;
    if (latest->time <= time)
        return;
    by = hd_span_between(time, latest->time);
    vproc->row.n_before[kind]++;
    vproc->row.worst = vproc->row.worst > by ? vproc->row.worst : by;
    add_pair(ch, &(hd_clock_pair){ .sender = latest->process, .receiver = vproc->process_id, .kind = kind, .count = 1,
                                   .worst = by });
}

/* ---- corrections ------------------------------------------------------------------------------------------------- */

/* The correction of an event at this recorded time, as far as the last jump alone needs it. */
static hd_span
faded(const hd_clock_vproc *vproc, hd_time time)
{
    hd_span left = vproc->jumped - hd_span_between(vproc->jump, time) / FADES_IN;

    return left > 0 ? left : 0;
}

hd_clock_stamp
hd_clock_stamp_at(const hd_clock_replay *replay, const hd_clock_vproc *vproc)
{
    hd_time time       = vproc->log->points[vproc->at].time;
    hd_span correction = replay->is_check ? vproc->log->moves[vproc->at] : faded(vproc, time);

    return (hd_clock_stamp){ .corrected = time + (hd_time)correction, .time = time, .process = vproc->process_id,
                             .thread = vproc->thread };
}

bool
hd_clock_is_own(const hd_clock_vproc *vproc, const hd_clock_stamp *stamp)
{
    return stamp->process == vproc->process_id && (stamp->thread == vproc->thread || stamp->thread == HD_NONE);
}

void
hd_clock_apply(hd_clock_worker *ch, hd_clock_vproc *vproc, const hd_clock_bound *bound)
{
    const hd_clock_replay *replay  = ch->replay;
    const hd_clock_point  *point   = &vproc->log->points[vproc->at];
    hd_clock_violation     kind    = violation_of(replay, vproc->log, point);
    hd_span                latency = kind == HD_CLOCK_OPENMP ? replay->latency_of_threads : replay->latency, needed;

    if (bound->time.process != HD_NONE && !replay->is_check)
        count_violation(ch, vproc, &bound->time, kind);
    if (bound->corrected.process == HD_NONE)
        return;
    if (replay->is_check) {
        vproc->row.n_after[kind] += bound->corrected.corrected > hd_clock_corrected(vproc->log, vproc->at);
        return;
    }
    if (hd_clock_is_own(vproc, &bound->corrected))
        return;
    needed = hd_span_between(point->time, bound->corrected.corrected) + latency;
    if (needed > faded(vproc, point->time)) {
        vproc->jump   = point->time;
        vproc->jumped = needed;
    }
}

void
hd_clock_pass(const hd_clock_replay *replay, hd_clock_vproc *vproc)
{
    if (!replay->is_check)
        vproc->log->moves[vproc->at] = faded(vproc, vproc->log->points[vproc->at].time);
    vproc->at++;
}

void
hd_clock_limit(hd_clock_vproc *vproc, size_t event, hd_time latest)
{
    hd_span correction = hd_span_between(vproc->log->points[event].time, latest);

    if (correction < vproc->limits[event])
        vproc->limits[event] = correction;
}

/* ---- lists of vprocs --------------------------------------------------------------------------------------------- */

void
hd_clock_wait(hd_clock_vproc *vproc, uint32_t *waiting)
{
    vproc->next_waiting = *waiting;
    *waiting            = vproc->number;
}

void
hd_clock_wake_waiting(hd_clock_replay *replay, hd_worker *worker, uint32_t *waiting)
{
    while (*waiting != HD_NONE) {
        hd_clock_vproc *vproc = &replay->vprocs[*waiting];

        *waiting = vproc->next_waiting;
        hd_worker_wake(worker, vproc->number);
    }
}

void
hd_clock_stop_waiting(hd_clock_replay *replay, const hd_clock_vproc *vproc, uint32_t *waiting)
{
    while (*waiting != HD_NONE && *waiting != vproc->number)
        waiting = &replay->vprocs[*waiting].next_waiting;
    if (*waiting != HD_NONE)
        *waiting = vproc->next_waiting;
}
