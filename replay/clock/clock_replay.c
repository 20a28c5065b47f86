/* replay/clock_replay.c: passes the points of all locations, so that nothing is received before it was sent. */
#include "clock_coll.h"

#include <math.h>

const char *const hd_clock_violation_names[HD_N_CLOCK_VIOLATIONS] = { "point-to-point", "collective", "one-sided", "OpenMP" };

#define LATENCY 1e-6            /* [s] of messages and collectives */
#define LATENCY_OF_THREADS 1e-8 /* [s] */
#define MOST_LATENCY 1000000000 /* [ticks] whatever resolution an archive names */
#define RISES_IN 100            /* a move gets longer by one part in so many of the time that passes */

typedef struct clock_message {
    hd_clock_event sent;
    uint64_t       point;
} clock_message;

typedef struct clock_message_item {
    hd_channel_key key;
    uint32_t       number, unused;
    clock_message  message;
} clock_message_item;

typedef struct clock_count_item {
    hd_channel_key key;
    uint32_t       n, unused;
} clock_count_item;

typedef struct clock_limit_item {
    uint32_t process, thread;
    uint64_t point;
    hd_time  latest;
} clock_limit_item;

/* ---- one point ------------------------------------------------------------------------------------------------------------ */

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

static void
pass_point(const hd_clock_replay *replay, hd_clock_agent *agent)
{
    if (!replay->is_check)
        agent->log->moves[agent->at] = hd_clock_faded(agent, agent->log->points[agent->at].time);
    agent->at++;
}

static bool
is_own(const hd_clock_agent *agent, const hd_clock_event *event)
{
    return event->process == agent->process_id && (event->thread == agent->thread || event->thread == HD_NONE);
}

/* The point at hand must not be before what it is bound by. */
static void
receive(hd_clock_host *ch, hd_clock_agent *agent, const hd_clock_bound *bound)
{
    const hd_clock_replay *replay = ch->replay;
    const hd_clock_point  *point  = &agent->log->points[agent->at];
    hd_clock_violation     kind   = violation_of(replay, agent->log, point);
    hd_span                latency = kind == HD_CLOCK_OPENMP ? replay->latency_of_threads : replay->latency, needed;

    if (bound->time.process != HD_NONE && !replay->is_check) {
        agent->row.n_checked[kind]++;
        if (bound->time.time > point->time) {
            hd_span by = hd_span_between(point->time, bound->time.time);

            agent->row.n_before[kind]++;
            agent->row.worst = agent->row.worst > by ? agent->row.worst : by;
            add_pair(ch, &(hd_clock_pair){ .sender = bound->time.process, .receiver = agent->process_id, .kind = kind, .count = 1, .worst = by });
        }
    }
    if (bound->corrected.process == HD_NONE)
        return;
    if (replay->is_check) {
        agent->row.n_after[kind] += bound->corrected.corrected > hd_clock_corrected(agent->log, agent->at);
        return;
    }
    if (is_own(agent, &bound->corrected))
        return;
    needed = hd_span_between(point->time, bound->corrected.corrected) + latency;
    if (needed > hd_clock_faded(agent, point->time)) {
        agent->jump   = point->time;
        agent->jumped = needed;
    }
}

/* ---- messages ------------------------------------------------------------------------------------------------------------- */

static hd_channel_key
key_of(const hd_clock_agent *agent, const hd_channel *channel)
{
    bool is_send = channel->kind == HD_CHANNEL_SEND;

    return (hd_channel_key){ channel->comm, channel->tag, is_send ? agent->process_id : channel->peer,
                             is_send ? channel->peer : agent->process_id };
}

static void
announce(hd_clock_host *ch, hd_host *host, hd_clock_agent *agent)
{
    hd_clock_log *log = agent->log;

    agent->boxes = HD_NEW_ARRAY(hd_box *, log->n_channels);
    agent->hosts = HD_NEW_ARRAY(uint32_t, log->n_channels);
    for (uint32_t i = 0; i < log->n_channels; i++) {
        const hd_channel *channel = &log->channels[i];
        clock_count_item  count   = { .key = key_of(agent, channel), .n = channel->n };

        if (channel->kind != HD_CHANNEL_SEND && channel->kind != HD_CHANNEL_RECV)
            continue;
        agent->hosts[i] = hd_placement_host(ch->replay->request->placement, (hd_process){ count.key.receiver });
        if (agent->hosts[i] == hd_host_number(host))
            agent->boxes[i] = hd_mailbox_box(&ch->mailbox, count.key);
        if (channel->kind == HD_CHANNEL_RECV)
            agent->boxes[i]->n_expected += channel->n;
        else if (agent->boxes[i] != NULL)
            agent->boxes[i]->n_announced += channel->n;
        else
            hd_host_send(host, agent->hosts[i], HD_CLOCK_ITEM_ANNOUNCE, &count, sizeof count, NULL, 0);
    }
}

static void
put_message(hd_clock_host *ch, hd_host *host, hd_box *box, uint32_t number, const clock_message *message)
{
    uint32_t waiting;

    if (number >= box->n_expected)
        return;
    hd_mailbox_put(&ch->mailbox, box, number, message);
    while ((waiting = hd_box_waiting_take(&ch->mailbox, box)) != HD_NONE)
        hd_host_wake(host, waiting);
}

static void
send_message(hd_clock_host *ch, hd_host *host, hd_clock_agent *agent)
{
    const hd_clock_point *point   = &agent->log->points[agent->at];
    clock_message_item    item    = { .number = point->number, .message = { hd_clock_event_at(ch->replay, agent), agent->at } };

    if (agent->boxes[point->what] != NULL) {
        put_message(ch, host, agent->boxes[point->what], item.number, &item.message);
        hd_host_count_item(host);
        return;
    }
    item.key = key_of(agent, &agent->log->channels[point->what]);
    hd_host_send(host, agent->hosts[point->what], HD_CLOCK_ITEM_MESSAGE, &item, sizeof item, NULL, 0);
}

static void
limit_send(hd_clock_replay *replay, const clock_limit_item *item)
{
    hd_clock_limit(&replay->agents[hd_table_get(&replay->agent_of, item->process) + item->thread], item->point, item->latest);
}

/* False: the message is not there yet. */
static bool
receive_message(hd_clock_host *ch, hd_host *host, hd_clock_agent *agent)
{
    const hd_clock_replay *replay = ch->replay;
    const hd_clock_point  *point  = &agent->log->points[agent->at];
    hd_box                *box    = agent->boxes[point->what];
    hd_mail               *mail;
    clock_message          message;
    clock_limit_item       limit;
    uint32_t               home;

    if (agent->given_up) {
        hd_box_unwait(&ch->mailbox, box, agent->number);
        return true;
    }
    if (point->number >= box->n_announced) {
        ch->n_given_up += !replay->is_check;
        return true;
    }
    mail = hd_mailbox_take(box, point->number);
    if (mail == NULL) {
        hd_box_wait(&ch->mailbox, box, agent->number);
        return false;
    }
    memcpy(&message, mail->payload, sizeof message);
    hd_mailbox_drop(&ch->mailbox, mail);
    receive(ch, agent, &(hd_clock_bound){ message.sent, message.sent });
    if (replay->is_check || !replay->request->corrects || is_own(agent, &message.sent))
        return true;
    limit = (clock_limit_item){ message.sent.process, message.sent.thread, message.point,
                                hd_clock_event_at(replay, agent).corrected - (hd_time)replay->latency };
    home  = hd_placement_host(replay->request->placement, (hd_process){ message.sent.process });
    if (home == hd_host_number(host))
        limit_send(ch->replay, &limit);
    else
        hd_host_send(host, home, HD_CLOCK_ITEM_LIMIT, &limit, sizeof limit, NULL, 0);
    return true;
}

/* ---- threads of a process ------------------------------------------------------------------------------------------------- */

static void
wake_waiting(hd_clock_replay *replay, hd_host *host, hd_clock_meeting_state *meeting)
{
    while (meeting->waiting != HD_NONE) {
        hd_clock_agent *agent = &replay->agents[meeting->waiting];

        meeting->waiting = agent->next_waiting;
        hd_host_wake(host, agent->number);
    }
}

static bool
wait_for(hd_clock_agent *agent, hd_clock_meeting_state *meeting)
{
    agent->next_waiting = meeting->waiting;
    meeting->waiting    = agent->number;
    return false;
}

/* False: it has to wait. */
static bool
meet(hd_clock_host *ch, hd_host *host, hd_clock_agent *agent)
{
    const hd_clock_point    *point   = &agent->log->points[agent->at];
    const hd_clock_meeting  *known   = &agent->process->meetings[point->what];
    hd_clock_meeting_state  *meeting = &agent->meetings[point->what];
    hd_clock_event           own     = hd_clock_event_at(ch->replay, agent);
    hd_clock_bound           bound   = { HD_CLOCK_NOTHING, HD_CLOCK_NOTHING };
    bool                     is_begin = point->kind == HD_CLOCK_TEAM_BEGIN;

    switch (point->kind) {
    case HD_CLOCK_FORK:
        meeting->fork = own;
        wake_waiting(ch->replay, host, meeting);
        return true;
    case HD_CLOCK_TEAM_END:
    case HD_CLOCK_BARRIER_ENTER:
        meeting->latest           = hd_clock_later(meeting->latest, own, false);
        meeting->latest_corrected = hd_clock_later(meeting->latest_corrected, own, true);
        if (++meeting->n_came == known->n_before)
            wake_waiting(ch->replay, host, meeting);
        return true;
    default:
        break;
    }
    if (agent->given_up) {
        hd_clock_stop_waiting(ch->replay, agent, &meeting->waiting);
        return true;
    }
    if (is_begin ? known->has_fork && meeting->fork.process == HD_NONE : meeting->n_came < known->n_before)
        return wait_for(agent, meeting);
    if (is_begin)
        bound.time = bound.corrected = meeting->fork;
    else {
        bound.time      = meeting->latest;
        bound.corrected = meeting->latest_corrected;
    }
    receive(ch, agent, &bound);
    own = hd_clock_event_at(ch->replay, agent);
    if (is_begin)
        meeting->earliest_begin = hd_time_min(meeting->earliest_begin, own.corrected);
    else
        meeting->earliest_after = hd_time_min(meeting->earliest_after, own.corrected);
    return true;
}

/* Forks, ends and enters must not be later than what is after them. */
static void
limit_meetings(const hd_clock_replay *replay, hd_clock_agent *agent)
{
    for (size_t i = 0; i < agent->log->n; i++) {
        const hd_clock_point         *point = &agent->log->points[i];
        const hd_clock_meeting_state *meeting;
        hd_time                       earliest;

        if (point->what == HD_NONE || (point->kind != HD_CLOCK_FORK && point->kind != HD_CLOCK_TEAM_END && point->kind != HD_CLOCK_BARRIER_ENTER))
            continue;
        meeting  = &agent->meetings[point->what];
        earliest = point->kind == HD_CLOCK_FORK ? meeting->earliest_begin : meeting->earliest_after;
        if (earliest != UINT64_MAX) /* one that comes at the same time may be the latest itself */
            hd_clock_limit(agent, i, hd_time_max(earliest - (hd_time)replay->latency_of_threads, hd_clock_corrected(agent->log, i)));
    }
}

/* ---- a location ----------------------------------------------------------------------------------------------------------- */

static bool
pass(hd_clock_host *ch, hd_host *host, hd_clock_agent *agent)
{
    const hd_clock_point *point = &agent->log->points[agent->at];
    hd_clock_bound        bound = { HD_CLOCK_NOTHING, HD_CLOCK_NOTHING };

    switch ((hd_clock_kind)point->kind) {
    case HD_CLOCK_OTHER:
        break;
    case HD_CLOCK_SEND:
        send_message(ch, host, agent);
        break;
    case HD_CLOCK_RECEIVE:
        if (!receive_message(ch, host, agent))
            return false;
        break;
    case HD_CLOCK_BEGIN:
        hd_clock_coll_begin(ch, host, agent);
        break;
    case HD_CLOCK_END:
        if (!hd_clock_coll_bound(ch, agent, &bound))
            return false;
        receive(ch, agent, &bound);
        hd_clock_coll_end(ch, host, agent, &bound);
        break;
    default:
        if (point->what != HD_NONE && !meet(ch, host, agent))
            return false;
        break;
    }
    pass_point(ch->replay, agent);
    return true;
}

static hd_run
run_agent(void *context, hd_host *host, uint32_t number, hd_time until, hd_time *now)
{
    hd_clock_replay *replay = context;
    hd_clock_agent  *agent  = &replay->agents[number];

    agent->is_parked = false;
    while (agent->at < agent->log->n) {
        *now = agent->log->points[agent->at].time;
        if (*now > until)
            return HD_RUN_YIELD;
        if (!pass(hd_clock_host_of(replay, host), host, agent)) {
            agent->is_parked = true;
            return HD_RUN_PARKED;
        }
        agent->given_up = false;
    }
    return HD_RUN_DONE;
}

static void
deliver(void *context, hd_host *host, uint32_t kind, const void *data, uint32_t bytes)
{
    hd_clock_host *ch = hd_clock_host_of(context, host);

    (void)bytes;
    if (kind == HD_CLOCK_ITEM_ANNOUNCE) {
        const clock_count_item *count = data;

        hd_mailbox_box(&ch->mailbox, count->key)->n_announced += count->n;
    } else if (kind == HD_CLOCK_ITEM_MESSAGE) {
        const clock_message_item *item = data;

        put_message(ch, host, hd_mailbox_box(&ch->mailbox, item->key), item->number, &item->message);
    } else if (kind == HD_CLOCK_ITEM_LIMIT)
        limit_send(ch->replay, data);
    else
        hd_clock_coll_deliver(ch, host, kind, data);
}

/* ---- the way back --------------------------------------------------------------------------------------------------------- */

/* The points behind i, up to the anchor, come down to the line that goes up from i as slowly as it can: the move of i was lowered. */
static void
lower(hd_clock_log *log, const hd_span *least, size_t i, size_t anchor)
{
    hd_span base = log->moves[i];
    hd_time from = log->points[i].time;
    hd_span up = 1, over = RISES_IN; /* the slope */
    size_t  k;

    for (k = i + 1; k <= anchor; k++) {
        hd_span over_k = hd_span_between(from, log->points[k].time), up_k = (k == anchor ? log->moves[k] : least[k]) - base;

        if (over_k > 0 && (__int128)up_k * over > (__int128)up * over_k) {
            up   = up_k;
            over = over_k;
        }
        if (over_k > 0 && (__int128)(log->moves[k] - base) * over <= (__int128)up * over_k)
            break;
    }
    for (size_t j = i + 1; j < k && j < anchor; j++) {
        hd_span rise = (hd_span)((__int128)up * hd_span_between(from, log->points[j].time) / over);
        hd_span line = base + rise > least[j] ? base + rise : least[j];

        if (line < log->moves[j])
            log->moves[j] = line;
    }
}

/* From the last point to the first: before a jump, points move along with it, less and less. */
static void
go_back(hd_clock_replay *replay, hd_clock_agent *agent)
{
    hd_clock_log *log = agent->log;
    size_t        anchor, ramp; /* ramp: where the slope ends */
    hd_span      *least;

    if (log->n == 0)
        return;
    anchor = ramp = log->n - 1;
    least         = hd_scratch_alloc(replay->request->logs->scratch, log->n, sizeof *least);
    memcpy(least, log->moves, log->n * sizeof *least);
    for (size_t i = 1; i < log->n; i++)
        if (log->points[i].is_same && agent->limits[i - 1] < agent->limits[i])
            agent->limits[i] = agent->limits[i - 1];
    for (size_t i = log->n - 1; i-- > 0;) {
        hd_span slope = log->moves[ramp] - hd_span_between(log->points[i].time, log->points[ramp].time) / RISES_IN;

        if (slope <= log->moves[i]) {
            ramp = i;
            continue;
        }
        log->moves[i] = slope;
        if (slope <= agent->limits[i])
            continue;
        log->moves[i] = least[i] > agent->limits[i] ? least[i] : agent->limits[i];
        lower(log, least, i, anchor);
        anchor = ramp = i;
    }
    hd_scratch_free(replay->request->logs->scratch, least);
}

static void
measure(hd_clock_agent *agent)
{
    const hd_clock_log *log = agent->log;

    agent->row.n_points = log->n;
    for (size_t i = 0; i < log->n; i++) {
        hd_span was = i > 0 ? hd_span_between(log->points[i - 1].time, log->points[i].time) : 0;
        hd_span rise = i > 0 ? log->moves[i] - log->moves[i - 1] : 0;

        agent->row.n_moved += log->moves[i] > 0;
        agent->row.largest_move = agent->row.largest_move > log->moves[i] ? agent->row.largest_move : log->moves[i];
        if (was > 0 && (double)rise / (double)was > agent->row.largest_stretch)
            agent->row.largest_stretch = (double)rise / (double)was;
        if (-rise > agent->row.largest_shrink)
            agent->row.largest_shrink = -rise;
    }
}

/* ---- all of it ------------------------------------------------------------------------------------------------------------ */

static void
each_agent(hd_clock_replay *replay, hd_host *host, void (*visit)(hd_clock_host *ch, hd_host *host, hd_clock_agent *agent))
{
    for (uint32_t i = 0; i < replay->n_agents; i++)
        if (hd_placement_host(replay->request->placement, (hd_process){ replay->agents[i].process_id }) == hd_host_number(host))
            visit(hd_clock_host_of(replay, host), host, &replay->agents[i]);
}

static void
start_agent(hd_clock_host *ch, hd_host *host, hd_clock_agent *agent)
{
    hd_clock_replay *replay = ch->replay;
    hd_scratch      *scratch = replay->request->logs->scratch;

    agent->at       = 0;
    agent->jumped   = 0;
    agent->jump     = agent->log->n > 0 ? agent->log->points[0].time : 0;
    if (!replay->is_check) {
        agent->log->moves = hd_scratch_alloc(scratch, agent->log->n, sizeof *agent->log->moves);
        if (replay->request->corrects) {
            agent->limits = hd_scratch_alloc(scratch, agent->log->n, sizeof *agent->limits);
            for (size_t i = 0; i < agent->log->n; i++)
                agent->limits[i] = i > 0 ? INT64_MAX : 0; /* where the recording begins stays */
        }
    }
    announce(ch, host, agent);
    if (agent->thread > 0)
        return;
    for (size_t i = 0; i < agent->process->n_meetings; i++)
        agent->meetings[i] = (hd_clock_meeting_state){ .latest = HD_CLOCK_NOTHING, .latest_corrected = HD_CLOCK_NOTHING, .fork = HD_CLOCK_NOTHING,
                                                       .waiting = HD_NONE, .earliest_begin = UINT64_MAX, .earliest_after = UINT64_MAX };
    hd_clock_coll_announce(ch, host, agent->process);
}

static void
start_host(void *context, hd_host *host)
{
    hd_clock_replay *replay = context;
    hd_clock_host   *ch     = hd_clock_host_of(replay, host);

    ch->replay = replay;
    hd_mailbox_init(&ch->mailbox, sizeof(clock_message), replay->n_agents);
    hd_tree_scratch_init(&ch->scratch,
                         hd_placement_n_hosts(replay->request->placement) / hd_placement_n_threads(replay->request->placement));
    ch->coll = hd_clock_coll_new();
    each_agent(replay, host, start_agent);
}

static void
tell_short(void *context, hd_host *host)
{
    hd_clock_coll_tell_short(hd_clock_host_of(context, host), host);
}

static void
end_agent(hd_clock_host *ch, hd_host *host, hd_clock_agent *agent)
{
    hd_clock_replay *replay = ch->replay;

    (void)host;
    free(agent->boxes);
    free(agent->hosts);
    if (replay->is_check || !replay->request->corrects)
        return;
    limit_meetings(replay, agent);
    go_back(replay, agent);
    measure(agent);
    hd_scratch_free(replay->request->logs->scratch, agent->limits);
}

static void
end_host(void *context, hd_host *host)
{
    hd_clock_replay *replay = context;
    hd_clock_host   *ch     = hd_clock_host_of(replay, host);

    each_agent(replay, host, end_agent);
    hd_clock_coll_free(ch->coll);
    hd_mailbox_fini(&ch->mailbox);
    hd_tree_scratch_fini(&ch->scratch);
}

static bool
parked_at(const void *replay, uint32_t number, hd_parked *at)
{
    const hd_clock_agent *agent = &((const hd_clock_replay *)replay)->agents[number];

    if (agent->is_parked)
        *at = (hd_parked){ agent->log->points[agent->at].time, agent->process_id, agent->thread };
    return agent->is_parked;
}

static void
give_up_agent(hd_clock_host *ch, hd_host *host, hd_clock_agent *agent)
{
    hd_parked at;

    if (!parked_at(ch->replay, agent->number, &at) || !hd_gives_up(&ch->replay->give_up, &at))
        return;
    agent->given_up = true;
    if (!ch->replay->is_check)
        ch->n_given_up++;
    hd_host_wake(host, agent->number);
}

static void
give_up_host(void *context, hd_host *host)
{
    each_agent(context, host, give_up_agent);
}

static bool
choose(hd_clock_replay *replay, uint32_t round)
{
    return hd_turns_choose(replay->request->group, replay, replay->n_agents, parked_at, false, round, &replay->give_up);
}

/* False: it was stopped. */
static bool
run_all(hd_clock_replay *replay, hd_engine *engine)
{
    hd_analysis analysis = { .context = replay, .run = run_agent, .deliver = deliver };

    hd_engine_each_host(engine, start_host, replay);
    hd_engine_run(engine, &analysis, false);
    if (!hd_engine_is_stopped(engine)) {
        hd_engine_each_host(engine, tell_short, replay);
        hd_engine_run(engine, &analysis, false);
    }
    if (!hd_engine_is_stopped(engine))
        hd_engine_run(engine, &analysis, true);
    for (uint32_t round = 0; !hd_engine_is_stopped(engine) && choose(replay, round); round++) {
        hd_engine_each_host(engine, give_up_host, replay);
        hd_engine_run(engine, &analysis, false);
    }
    if (hd_engine_is_stopped(engine))
        return false;
    hd_engine_each_host(engine, end_host, replay);
    return true;
}

static hd_engine *
new_engine(const hd_clock_replay *replay)
{
    const hd_clock_request *request   = replay->request;
    uint32_t               *processes = HD_NEW_ARRAY(uint32_t, replay->n_agents);
    hd_engine              *engine;

    for (uint32_t i = 0; i < replay->n_agents; i++)
        processes[i] = replay->agents[i].process_id;
    engine = hd_turns_engine(request->group, replay->defs, request->placement, processes,
                             (hd_engine_request){ .n_agents = replay->n_agents, .yield = request->yield, .stop = request->stop,
                                                  .on_thread = request->on_thread, .context = request->context });
    free(processes);
    return engine;
}

static void
make_agents(hd_clock_replay *replay)
{
    const hd_clock_logs *logs = replay->request->logs;
    uint32_t             n    = 0;

    hd_table_init(&replay->agent_of);
    for (uint32_t p = 0; p < logs->n_processes; p++)
        replay->n_agents += logs->processes[p].n_locations;
    replay->agents = HD_NEW_ARRAY(hd_clock_agent, replay->n_agents);
    for (uint32_t p = 0; p < logs->n_processes; p++) {
        const hd_clock_process *process  = &logs->processes[p];
        hd_clock_meeting_state *meetings = HD_NEW_ARRAY(hd_clock_meeting_state, process->n_meetings);

        hd_table_add(&replay->agent_of, process->process.v, n);
        for (uint32_t t = 0; t < process->n_locations; t++) {
            hd_clock_log *log = &process->logs[t];

            replay->agents[n] = (hd_clock_agent){ .process = process, .log = log, .meetings = meetings, .number = n,
                                                  .process_id = process->process.v, .thread = t };
            replay->agents[n].row = (hd_clock_row){ .location = hd_defs_processes(replay->defs)[process->process.v].first_location + t,
                                                    .n_offsets = log->n_offsets, .first = log->first, .last = log->last };
            n++;
        }
    }
}

static int
compare_rows(const void *a_, const void *b_)
{
    const hd_clock_row *a = a_, *b = b_;

    return (a->location > b->location) - (a->location < b->location);
}

/* The largest violations first. */
static int
compare_pairs(const void *a_, const void *b_)
{
    const hd_clock_pair *a = a_, *b = b_;

    if (a->worst != b->worst)
        return a->worst > b->worst ? -1 : 1;
    if (a->sender != b->sender)
        return a->sender < b->sender ? -1 : 1;
    if (a->receiver != b->receiver)
        return a->receiver < b->receiver ? -1 : 1;
    return (a->kind > b->kind) - (a->kind < b->kind);
}

static void *
gather(hd_group *group, const void *rows, size_t n, size_t row_bytes, size_t *n_all)
{
    uint8_t  *all     = NULL;
    uint64_t *n_bytes = NULL, sum = 0;

    hd_group_gather(group, rows, n * row_bytes, &all, &n_bytes);
    if (hd_group_rank(group).v == 0)
        for (uint32_t i = 0; i < hd_group_size(group); i++)
            sum += n_bytes[i];
    free(n_bytes);
    *n_all = (size_t)(sum / row_bytes);
    return all;
}

/* A pair is counted where its receiver is hosted, and nowhere else. */
static void
take_results(hd_clock_replay *replay, hd_clock_result *result)
{
    uint32_t       n_threads = hd_placement_n_threads(replay->request->placement);
    hd_clock_row  *rows      = HD_NEW_ARRAY(hd_clock_row, replay->n_agents);
    hd_clock_pair *pairs;
    size_t         n = 0;

    for (uint32_t i = 0; i < replay->n_agents; i++)
        rows[i] = replay->agents[i].row;
    for (uint32_t t = 0; t < n_threads; t++)
        n += replay->hosts[t].n_pairs;
    pairs = HD_NEW_ARRAY(hd_clock_pair, n);
    n     = 0;
    for (uint32_t t = 0; t < n_threads; t++) {
        for (size_t i = 0; i < replay->hosts[t].n_pairs; i++)
            pairs[n++] = replay->hosts[t].pairs[i];
        free(replay->hosts[t].pairs);
        hd_map_fini(&replay->hosts[t].pairs_at);
        result->n_given_up += replay->hosts[t].n_given_up;
    }
    if (n > 1)
        qsort(pairs, n, sizeof *pairs, compare_pairs);
    n             = n < HD_CLOCK_MOST_PAIRS ? n : HD_CLOCK_MOST_PAIRS;
    result->rows  = gather(replay->request->group, rows, replay->n_agents, sizeof *rows, &result->n_rows);
    result->pairs = gather(replay->request->group, pairs, n, sizeof *pairs, &result->n_pairs);
    if (result->n_rows > 1)
        qsort(result->rows, result->n_rows, sizeof *rows, compare_rows);
    if (result->n_pairs > 1)
        qsort(result->pairs, result->n_pairs, sizeof *pairs, compare_pairs);
    if (result->n_pairs > HD_CLOCK_MOST_PAIRS)
        result->n_pairs = HD_CLOCK_MOST_PAIRS;
    hd_group_reduce(replay->request->group, &result->n_given_up, 1, HD_SUM);
    free(rows);
    free(pairs);
}

static hd_span
latency(const hd_defs *defs, double seconds)
{
    double ticks = (double)defs->resolution * seconds;

    return ticks < MOST_LATENCY ? (hd_span)llrint(ticks) : MOST_LATENCY;
}

hd_status
hd_clock_run(const hd_clock_request *request, hd_clock_result *result)
{
    uint32_t        n_threads = hd_placement_n_threads(request->placement);
    hd_clock_replay replay    = { .request = request, .defs = request->defs,
                                  .latency = latency(request->defs, LATENCY), .latency_of_threads = latency(request->defs, LATENCY_OF_THREADS) };
    hd_engine      *engine;

    *result = (hd_clock_result){ 0 };
    make_agents(&replay);
    replay.hosts = aligned_alloc(_Alignof(hd_clock_host), n_threads * sizeof *replay.hosts);
    if (replay.hosts == NULL)
        hd_fatal("out of memory: %zu bytes could not be allocated", n_threads * sizeof *replay.hosts);
    memset(replay.hosts, 0, n_threads * sizeof *replay.hosts);
    engine = new_engine(&replay);
    if (!run_all(&replay, engine))
        return hd_fail(HD_ESTOPPED, "stopped while clocks were corrected");
    if (request->corrects && request->checks) {
        replay.is_check = true;
        if (!run_all(&replay, engine))
            return hd_fail(HD_ESTOPPED, "stopped while clocks were checked");
    }
    take_results(&replay, result);
    for (uint32_t i = 0; i < replay.n_agents; i++)
        if (replay.agents[i].thread == 0)
            free(replay.agents[i].meetings);
    hd_engine_free(engine);
    hd_table_fini(&replay.agent_of);
    free(replay.agents);
    free(replay.hosts);
    return HD_OK;
}

void
hd_clock_result_fini(hd_clock_result *result)
{
    free(result->rows);
    free(result->pairs);
    *result = (hd_clock_result){ 0 };
}
