/* replay/clock/clock_agent.c: the clock condition for one event, and forward amortization: jumps that fade. */
#include "clock_agent.h"

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
add_pair(hd_clock_host *ch, const hd_clock_pair *pair)
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
count_violation(hd_clock_host *ch, hd_clock_agent *agent, const hd_clock_stamp *latest, hd_clock_violation kind)
{
    hd_time time = agent->log->points[agent->at].time;
    hd_span by;

    agent->row.n_checked[kind]++;
    if (latest->time <= time)
        return;
    by = hd_span_between(time, latest->time);
    agent->row.n_before[kind]++;
    agent->row.worst = agent->row.worst > by ? agent->row.worst : by;
    add_pair(ch, &(hd_clock_pair){ .sender = latest->process, .receiver = agent->process_id, .kind = kind, .count = 1,
                                   .worst = by });
}

/* ---- corrections ------------------------------------------------------------------------------------------------- */

/* The correction of an event at this recorded time, as far as the last jump alone needs it. */
static hd_span
faded(const hd_clock_agent *agent, hd_time time)
{
    hd_span left = agent->jumped - hd_span_between(agent->jump, time) / FADES_IN;

    return left > 0 ? left : 0;
}

hd_clock_stamp
hd_clock_stamp_at(const hd_clock_replay *replay, const hd_clock_agent *agent)
{
    hd_time time       = agent->log->points[agent->at].time;
    hd_span correction = replay->is_check ? agent->log->moves[agent->at] : faded(agent, time);

    return (hd_clock_stamp){ .corrected = time + (hd_time)correction, .time = time, .process = agent->process_id,
                             .thread = agent->thread };
}

bool
hd_clock_is_own(const hd_clock_agent *agent, const hd_clock_stamp *stamp)
{
    return stamp->process == agent->process_id && (stamp->thread == agent->thread || stamp->thread == HD_NONE);
}

void
hd_clock_apply(hd_clock_host *ch, hd_clock_agent *agent, const hd_clock_bound *bound)
{
    const hd_clock_replay *replay  = ch->replay;
    const hd_clock_point  *point   = &agent->log->points[agent->at];
    hd_clock_violation     kind    = violation_of(replay, agent->log, point);
    hd_span                latency = kind == HD_CLOCK_OPENMP ? replay->latency_of_threads : replay->latency, needed;

    if (bound->time.process != HD_NONE && !replay->is_check)
        count_violation(ch, agent, &bound->time, kind);
    if (bound->corrected.process == HD_NONE)
        return;
    if (replay->is_check) {
        agent->row.n_after[kind] += bound->corrected.corrected > hd_clock_corrected(agent->log, agent->at);
        return;
    }
    if (hd_clock_is_own(agent, &bound->corrected))
        return;
    needed = hd_span_between(point->time, bound->corrected.corrected) + latency;
    if (needed > faded(agent, point->time)) {
        agent->jump   = point->time;
        agent->jumped = needed;
    }
}

void
hd_clock_pass(const hd_clock_replay *replay, hd_clock_agent *agent)
{
    if (!replay->is_check)
        agent->log->moves[agent->at] = faded(agent, agent->log->points[agent->at].time);
    agent->at++;
}

void
hd_clock_limit(hd_clock_agent *agent, size_t event, hd_time latest)
{
    hd_span correction = hd_span_between(agent->log->points[event].time, latest);

    if (correction < agent->limits[event])
        agent->limits[event] = correction;
}

/* ---- lists of agents --------------------------------------------------------------------------------------------- */

void
hd_clock_wait(hd_clock_agent *agent, uint32_t *waiting)
{
    agent->next_waiting = *waiting;
    *waiting            = agent->number;
}

void
hd_clock_wake_waiting(hd_clock_replay *replay, hd_host *host, uint32_t *waiting)
{
    while (*waiting != HD_NONE) {
        hd_clock_agent *agent = &replay->agents[*waiting];

        *waiting = agent->next_waiting;
        hd_host_wake(host, agent->number);
    }
}

void
hd_clock_stop_waiting(hd_clock_replay *replay, const hd_clock_agent *agent, uint32_t *waiting)
{
    while (*waiting != HD_NONE && *waiting != agent->number)
        waiting = &replay->agents[*waiting].next_waiting;
    if (*waiting != HD_NONE)
        *waiting = agent->next_waiting;
}
