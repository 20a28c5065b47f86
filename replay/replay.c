#include "replay.h"

#include "agent.h"
#include "backward.h"
#include "coll.h"
#include "critical_path.h"
#include "p2p.h"
#include "passive.h"
#include "sync_time.h"
#include "unfinished.h"

#define SCOUT_VECTOR_LIMIT 128
#define LEAST_GAP_BYTES (32 * 1024)

static bool
has_init(const hd_loaded_process *process)
{
    for (uint32_t t = 0; t < process->n_locations; t++)
        if (process->locations[t].has_init)
            return true;
    return false;
}

/* The op at hand; false: it has to wait. */
static bool
replay_op(hd_replay_host *rh, hd_host *host, hd_agent *agent)
{
    switch (agent->op.kind) {
    case HD_OP_SEND:
        hd_p2p_send(rh, host, agent);
        return true;
    case HD_OP_RECV:
        return hd_p2p_receive(rh, host, agent);
    case HD_OP_COLL:
    case HD_OP_NBC:
    case HD_OP_INIT:
    case HD_OP_FINALIZE:
        hd_coll_member(rh, host, agent);
        return true;
    case HD_OP_RMA:
        return hd_rma_op(rh, host, agent);
    case HD_OP_POST:
        return true;
    }
    return true;
}

static hd_run
run_agent(void *context, hd_host *host, uint32_t number, hd_time until, hd_time *now)
{
    hd_replay      *replay  = context;
    hd_replay_host *rh      = hd_replay_host_of(replay, host);
    hd_agent       *agent   = &replay->agents[number];
    uint64_t        n_calls = 0;
    hd_run          result;

    if (!agent->started) {
        agent->started = true;
        if (agent->thread == 0 && !has_init(agent->process))
            hd_coll_without_init(rh, host, agent);
    }
    for (;;) {
        if (!agent->in_call) {
            if (!hd_cursor_call(&agent->cursor)) {
                result = HD_RUN_DONE;
                break;
            }
            agent->in_call = true;
            agent->n_calls++;
            n_calls++;
            if (agent->cursor.call.enter > until) {
                *now   = agent->cursor.call.enter;
                result = HD_RUN_YIELD;
                break;
            }
        }
        while (agent->has_op || agent->cursor.n_left > 0) {
            if (!agent->has_op) {
                hd_cursor_op(&agent->cursor, &agent->op);
                agent->has_op    = true;
                agent->op_number = HD_NONE;
                agent->order++;
            }
            if (!replay_op(rh, host, agent)) {
                result = HD_RUN_PARKED;
                goto out;
            }
            agent->has_op = false;
        }
        hd_p2p_leave(rh, host, agent);
        hd_coll_leave(rh, host, agent);
        agent->in_call = false;
    }
out:
    if (replay->request->n_done != NULL && n_calls > 0)
        atomic_fetch_add_explicit(replay->request->n_done, n_calls, memory_order_relaxed);
    return result;
}

static void
deliver(void *context, hd_host *host, uint32_t kind, const void *data, uint32_t bytes)
{
    hd_replay_host *rh = hd_replay_host_of(context, host);

    (void)bytes;
    if (kind >= HD_ITEM_COLL_UP && kind <= HD_ITEM_DEPOSIT)
        hd_coll_deliver(rh, host, kind, data);
    else if (kind >= HD_ITEM_LOCK_EPOCH)
        hd_passive_deliver(rh, kind, data);
    else if (kind >= HD_ITEM_SYNC_SEND && kind <= HD_ITEM_SYNC_WAITER)
        hd_sync_deliver(rh, host, kind, data);
    else
        hd_p2p_deliver(rh, host, kind, data);
}

/* The agents of one host, on its thread. */
static void
each_agent(hd_replay *replay, hd_host *host, void (*visit)(hd_replay_host *rh, hd_host *host, hd_agent *agent))
{
    const hd_replay_request *request = replay->request;
    hd_replay_host          *rh      = hd_replay_host_of(replay, host);

    for (uint32_t i = 0; i < replay->n_agents; i++) {
        hd_agent *agent = &replay->agents[i];

        if (hd_placement_host(request->placement, (hd_process){ agent->process_id }) == hd_host_number(host))
            visit(rh, host, agent);
    }
}

static void
start_agent(hd_replay_host *rh, hd_host *host, hd_agent *agent)
{
    hd_severities_init(&agent->severities);
    hd_costs_init(&agent->costs);
    if (rh->replay->goes_back)
        hd_syncs_add(&agent->syncs, &(hd_sync){ .kind = HD_SYNC_BEGIN, .delay = HD_DELAY_NONE, .peer = HD_SYNC_ALL });
    hd_severities_init(&agent->answers);
    hd_cursor_init(&agent->cursor, &agent->location->log);
    hd_p2p_announce(rh, host, agent);
}

static void
start_host(void *context, hd_host *host)
{
    hd_replay      *replay = context;
    hd_replay_host *rh     = hd_replay_host_of(replay, host);

    rh->replay         = replay;
    rh->cause_fraction = replay->cause_fraction;
    hd_mailbox_init(&rh->mailbox, sizeof(hd_message), replay->n_agents);
    hd_tree_scratch_init(&rh->scratch,
                         hd_placement_n_hosts(replay->request->placement) / hd_placement_n_threads(replay->request->placement));
    hd_coll_init(rh, host);
    if (replay->request->statistics)
        rh->statistics = hd_instance_table_new(replay->request->n_worst);
    each_agent(replay, host, start_agent);
}

static void
tell_unclaimed(void *context, hd_host *host)
{
    hd_p2p_tell_unclaimed(hd_replay_host_of(context, host), host);
}

/* At quiescence an agent has an op at hand only if it is parked. */
static bool
parked_forward(const void *replay, uint32_t number, hd_parked *at)
{
    const hd_agent *agent = &((const hd_replay *)replay)->agents[number];

    *at = (hd_parked){ agent->op.time, agent->process_id, agent->thread };
    return agent->has_op;
}

static void
give_up_agent(hd_replay_host *rh, hd_host *host, hd_agent *agent)
{
    hd_parked at;

    if (!parked_forward(rh->replay, agent->number, &at) || !hd_gives_up(&rh->replay->give_up, &at))
        return;
    agent->given_up = true;
    hd_host_wake(host, agent->number);
}

static bool
choose(hd_replay *replay, hd_parked_at *parked_at, bool latest, uint32_t round)
{
    return hd_turns_choose(replay->request->group, replay, replay->n_agents, parked_at, latest, round, &replay->give_up);
}

static void
give_up(void *context, hd_host *host)
{
    each_agent(context, host, give_up_agent);
}

static void
add_profile(hd_agent *agent)
{
    static const uint32_t counter_metrics[HD_N_COUNTERS] = {
        [HD_COUNT_SENDS_EMPTY] = HD_METRIC_syncs_send,     [HD_COUNT_SENDS_FULL] = HD_METRIC_comms_send,
        [HD_COUNT_SENT_BYTES] = HD_METRIC_bytes_sent,      [HD_COUNT_COLL_EMPTY] = HD_METRIC_syncs_coll,
        [HD_COUNT_COLL_EXCHANGE] = HD_METRIC_comms_cxch,   [HD_COUNT_COLL_SOURCE] = HD_METRIC_comms_csrc,
        [HD_COUNT_COLL_DESTINATION] = HD_METRIC_comms_cdst, [HD_COUNT_COLL_OUT_BYTES] = HD_METRIC_bytes_cout,
        [HD_COUNT_COLL_IN_BYTES] = HD_METRIC_bytes_cin,    [HD_COUNT_PUT_BYTES] = HD_METRIC_bytes_put,
        [HD_COUNT_GOT_BYTES] = HD_METRIC_bytes_get,
    };
    const hd_loaded_location *location = agent->location;

    for (uint32_t i = 0; i < location->n_nodes; i++) {
        if (location->nodes[i].time != 0)
            hd_severity_add(&agent->severities, HD_METRIC_time, i, location->nodes[i].time);
        if (location->nodes[i].visits != 0)
            hd_severity_add(&agent->severities, HD_METRIC_visits, i, (int64_t)location->nodes[i].visits);
    }
    for (size_t i = 0; i < location->n_counts; i++)
        for (uint32_t c = 0; c < HD_N_COUNTERS; c++)
            if (location->counts[i].values[c] != 0)
                hd_severity_add(&agent->severities, (hd_metric)counter_metrics[c], location->counts[i].node,
                                (int64_t)location->counts[i].values[c]);
}

typedef struct take {
    hd_replay        *replay;
    hd_replay_result *result;
    hd_critical_path  path;
    bool              has_costs, has_path; /* the way back was gone to its end */
} take;

static void
take_agent(const hd_agent *agent, hd_severities *severities, hd_location_result *result)
{
    uint32_t *map = HD_NEW_ARRAY(uint32_t, agent->location->n_nodes);

    for (uint32_t i = 0; i < agent->location->n_nodes; i++)
        map[i] = agent->location->map != NULL && agent->location->map[i] == HD_NONE ? HD_NONE : hd_agent_call_path(agent, i);
    result->location = agent->location->location;
    result->entries  = hd_severities_take(severities, map, &result->n);
    free(map);
}

/* The processes of one host, on its thread: the first agent of each, and its results. */
static void
each_process(take *t, hd_host *host, void (*visit)(take *t, hd_host *host, hd_agent *agents, hd_location_result *results))
{
    const hd_replay *replay = t->replay;

    for (uint32_t i = 0; i < replay->n_agents; i += replay->agents[i].process->n_locations)
        if (hd_placement_host(replay->request->placement, (hd_process){ replay->agents[i].process_id }) == hd_host_number(host))
            visit(t, host, &replay->agents[i], &t->result->locations[i]);
}

static size_t
state_bytes(const hd_replay_request *request)
{
    size_t sum = 0;

    for (size_t i = 0; i < request->n_messages; i++)
        sum += request->messages[i].state_bytes;
    return sum;
}

static void
finish_messages(const hd_replay_request *request, hd_agent *agent)
{
    size_t at = 0;

    for (size_t i = 0; agent->message_state != NULL && i < request->n_messages; at += request->messages[i++].state_bytes)
        if (request->messages[i].finish != NULL)
            request->messages[i].finish(request->messages[i].context, agent->message_state + at, &agent->severities);
    free(agent->message_state);
}

typedef struct process_at { /* context of an hd_wait_sink */
    hd_replay_host *rh;
    hd_agent       *agents;
} process_at;

static void
note_threads(void *context, const hd_instance *instance)
{
    const process_at *at    = context;
    hd_instance       whole = *instance;

    if (hd_node_is_outside(at->rh->replay, whole.waiters[0].call_path)) /* then all are */
        return;
    for (uint32_t i = 0; i < whole.n_waiters; i++) {
        whole.waiters[i].process   = at->agents->process_id;
        whole.waiters[i].call_path = hd_agent_call_path(&at->agents[whole.waiters[i].thread], whole.waiters[i].call_path);
    }
    whole.peer = at->agents->process_id;
    hd_instance_table_add(at->rh->statistics, &whole);
}

/* The profile, and the patterns within the process. */
static void
book_process(take *t, hd_host *host, hd_agent *agents, hd_location_result *results)
{
    const hd_team_sink         sink       = { hd_sync_add_team_point, hd_sync_add_time_move, agents };
    process_at                 at         = { hd_replay_host_of(t->replay, host), agents };
    const hd_wait_sink         waits      = { note_threads, &at };
    const hd_process_patterns *patterns   = t->replay->request->patterns;
    const hd_loaded_process   *process    = agents->process;
    hd_severities            **severities = HD_NEW_ARRAY(hd_severities *, process->n_locations);

    for (uint32_t i = 0; i < process->n_locations; i++) {
        add_profile(&agents[i]);
        severities[i] = &agents[i].severities;
    }
    if (patterns != NULL)
        patterns->book(t->replay->request->patterns_context, process, severities, t->replay->goes_back ? &sink : NULL,
                       at.rh->statistics != NULL ? &waits : NULL);
    for (uint32_t i = 0; i < process->n_locations; i++) {
        finish_messages(t->replay->request, &agents[i]);
        free(agents[i].multi);
        take_agent(&agents[i], &agents[i].severities, &results[i]);
        hd_severities_fini(&agents[i].severities);
        free(agents[i].links);
        hd_table_fini(&agents[i].send_channels);
        hd_scratch_free(t->replay->scratch, agents[i].pending);
        hd_scratch_free(t->replay->scratch, agents[i].pending_calls);
    }
    free(severities);
}

static void
book_host(void *context, hd_host *host)
{
    each_process(context, host, book_process);
}

static bool
is_unattributed(uint32_t metric)
{
    for (hd_delay delay = 0; delay < HD_N_DELAYS; delay++)
        if (metric == hd_delay_infos[delay].unattributed)
            return true;
    return false;
}

/* What is booked outside of the period goes. But a wait outside that had others inside follow, and that nobody can be charged for, is told
 * at its call path. */
static void
drop_outside(const hd_sides *sides, hd_location_result *result)
{
    hd_costs costs;

    while (result->n > 0 && hd_is_outside(sides, result->entries[result->n - 1].call_path))
        result->n--;
    hd_costs_init(&costs);
    for (size_t i = 0; i < result->n_costs; i++) {
        const hd_cost *cost = &result->costs[i];

        if (!hd_is_outside(sides, cost->call_path))
            hd_cost_add(&costs, (hd_metric)cost->metric, cost->call_path, cost->value);
        else if (is_unattributed(cost->metric))
            hd_cost_add(&costs, (hd_metric)cost->metric, cost->call_path - sides->n_inside, cost->value);
    }
    if (result->costs != NULL) {
        free(result->costs);
        result->costs = hd_costs_take(&costs, NULL, &result->n_costs);
    }
    hd_costs_fini(&costs);
}

static void
finish_process(take *t, hd_host *host, hd_agent *agents, hd_location_result *results)
{
    const hd_process_patterns *patterns = t->replay->request->patterns;

    (void)host;
    for (uint32_t i = 0; i < agents->process->n_locations; i++) {
        if (t->has_path)
            hd_critical_path_share(t->replay, &t->path, &agents[i]);
        if (t->has_costs)
            results[i].costs = hd_costs_take(&agents[i].costs, NULL, &results[i].n_costs);
        hd_costs_fini(&agents[i].costs);
    }
    for (uint32_t i = 0; i < agents->process->n_locations && t->replay->sides.period != NULL; i++)
        drop_outside(&t->replay->sides, &results[i]);
    if (patterns != NULL)
        patterns->finish(t->replay->request->patterns_context, agents->process, results);
}

static void
finish_host(void *context, hd_host *host)
{
    take           *t       = context;
    hd_replay_host *rh      = hd_replay_host_of(t->replay, host);
    hd_scratch     *scratch = t->replay->scratch;

    each_process(t, host, finish_process);
    hd_mailbox_fini(&rh->mailbox);
    hd_tree_scratch_fini(&rh->scratch);
    hd_time_vector_fini(&rh->own);
    hd_time_vector_fini(&rh->other);
    hd_time_vector_fini(&rh->whole);
    hd_time_vector_fini(&rh->waits);
    free(rh->entries);
    for (size_t i = 0; i < rh->n_lists; i++)
        hd_scratch_free(scratch, rh->lists[i]);
    hd_scratch_free(scratch, rh->lists);
    for (uint32_t i = 0; rh->sorted_members.slots != NULL && i <= rh->sorted_members.mask; i++)
        if (rh->sorted_members.slots[i].key != HD_MAP_FREE)
            free((void *)(uintptr_t)rh->sorted_members.slots[i].value);
    hd_map_fini(&rh->sorted_members);
}

/* ---- the backward replay -------------------------------------------------------------------------------------------------- */

static void
end_forward_agent(hd_replay_host *rh, hd_host *host, hd_agent *agent)
{
    hd_passive_book(rh, host, agent);
    hd_rma_fini(agent);
    hd_p2p_finish(rh, host, agent);
}

static void
answer_as_targets(void *context, hd_host *host)
{
    hd_replay *replay  = context;
    hd_agent **targets = HD_NEW_ARRAY(hd_agent *, replay->n_agents);
    size_t     n       = 0;

    for (uint32_t i = 0; i < replay->n_agents; i += replay->agents[i].process->n_locations)
        if (hd_placement_host(replay->request->placement, (hd_process){ replay->agents[i].process_id }) == hd_host_number(host))
            targets[n++] = &replay->agents[i];
    hd_passive_answer(hd_replay_host_of(replay, host), host, targets, n);
    free(targets);
}

static void
end_forward(void *context, hd_host *host)
{
    hd_coll_finish(hd_replay_host_of(context, host));
    each_agent(context, host, end_forward_agent);
}

static void
complete_agent(hd_replay_host *rh, hd_host *host, hd_agent *agent)
{
    hd_sync_complete(rh, host, agent);
    hd_oplog_fini(&agent->location->log);
}

static void
complete_syncs(void *context, hd_host *host)
{
    each_agent(context, host, complete_agent);
}

/* What a location no longer needs leaves gaps into which the next ones' larger blocks do not fit. Giving them back looks at all gaps,
 * so it is done more rarely the more there is. */
static void
give_back_gaps(hd_replay_host *rh, size_t freed_bytes, size_t kept_bytes)
{
    rh->freed_bytes += freed_bytes;
    rh->kept_bytes += kept_bytes;
    if (rh->freed_bytes < LEAST_GAP_BYTES + rh->kept_bytes / 16)
        return;
    hd_give_back();
    rh->freed_bytes = 0;
}

static void
start_backward_agent(hd_replay_host *rh, hd_host *host, hd_agent *agent)
{
    size_t freed_bytes = agent->syncs.collected.n + agent->location->intervals.bytes.n;

    (void)host;
    hd_sync_build(rh, agent);
    if (!rh->replay->compat)
        hd_sync_time_index(&rh->own, &agent->syncs);
    hd_backward_start(agent);
    hd_interval_log_fini(&agent->location->intervals);
    give_back_gaps(rh, freed_bytes, agent->syncs.n * sizeof(hd_sync) + agent->syncs.vectors.bytes.n);
}

static void
start_backward(void *context, hd_host *host)
{
    hd_replay      *replay = context;
    hd_replay_host *rh     = hd_replay_host_of(replay, host);

    rh->limit = replay->compat ? SCOUT_VECTOR_LIMIT : 0;
    hd_time_vector_init(&rh->own, replay->request->n_call_paths);
    hd_time_vector_init(&rh->other, replay->request->n_call_paths);
    rh->unit  = replay->compat ? replay->clock.resolution : 1;
    if (replay->compat) {
        hd_time_vector_init(&rh->whole, replay->request->n_call_paths);
        hd_time_vector_init(&rh->waits, replay->request->n_call_paths);
    }
    hd_backward_host_init(rh);
    rh->unmet = HD_NEW_ARRAY(uint32_t, replay->defs->n_processes);
    each_agent(context, host, start_backward_agent);
    free(rh->unmet);
    rh->unmet = NULL;
}

static void
end_backward_agent(hd_replay_host *rh, hd_host *host, hd_agent *agent)
{
    (void)host;
    hd_backward_fini(rh, agent);
}

static void
end_backward(void *context, hd_host *host)
{
    each_agent(context, host, end_backward_agent);
    hd_backward_host_fini(hd_replay_host_of(context, host));
}

static void
add_to_path(take *t, hd_host *host, hd_agent *agents, hd_location_result *results)
{
    for (uint32_t i = 0; i < agents->process->n_locations; i++) {
        hd_critical_path_add(hd_replay_host_of(t->replay, host), &t->path, hd_host_thread(host), &agents[i], &results[i]);
        hd_syncs_fini(&agents[i].syncs);
    }
}

static void
add_to_path_host(void *context, hd_host *host)
{
    each_process(context, host, add_to_path);
}

static void
forget_agent(hd_replay_host *rh, hd_host *host, hd_agent *agent)
{
    (void)rh, (void)host;
    hd_syncs_fini(&agent->syncs);
}

static void
forget_syncs(void *context, hd_host *host)
{
    each_agent(context, host, forget_agent);
}

static bool
parked_backward(const void *replay, uint32_t number, hd_parked *at)
{
    const hd_agent *agent = &((const hd_replay *)replay)->agents[number];

    *at = (hd_parked){ .process = agent->process_id, .thread = agent->thread };
    return hd_backward_waits(agent, &at->time);
}

static void
give_up_backward_agent(hd_replay_host *rh, hd_host *host, hd_agent *agent)
{
    hd_parked at;

    if (parked_backward(rh->replay, agent->number, &at) && hd_gives_up(&rh->replay->give_up, &at))
        hd_backward_give_up(host, agent);
}

static void
give_up_backward(void *context, hd_host *host)
{
    each_agent(context, host, give_up_backward_agent);
}

/* From waiting times to causes; the points where locations met are complete when it begins. False: it was stopped. */
static bool
run_backward(hd_replay *replay, hd_engine *engine)
{
    hd_analysis forward  = { .context = replay, .run = run_agent, .deliver = deliver };
    hd_analysis backward = { .context = replay, .run = hd_backward_run, .deliver = hd_backward_deliver };

    hd_map_large_blocks();
    hd_engine_each_host(engine, complete_syncs, replay);
    hd_engine_run(engine, &forward, false);
    if (hd_engine_is_stopped(engine))
        return false;
    hd_give_back();
    hd_engine_each_host(engine, start_backward, replay);
    if (replay->request->critical_path)
        hd_critical_path_start(replay);
    hd_engine_run(engine, &backward, true);
    for (uint32_t round = 0; !hd_engine_is_stopped(engine) && choose(replay, parked_backward, true, round); round++) {
        hd_engine_each_host(engine, give_up_backward, replay);
        hd_engine_run(engine, &backward, false);
    }
    hd_engine_each_host(engine, end_backward, replay);
    return !hd_engine_is_stopped(engine);
}

static void
make_agents(hd_replay *replay)
{
    const hd_trace *trace = replay->request->trace;
    uint32_t        n     = 0;

    hd_table_init(&replay->agent_of);
    for (uint32_t p = 0; p < trace->n_processes; p++)
        replay->n_agents += trace->processes[p].n_locations;
    replay->agents = HD_NEW_ARRAY(hd_agent, replay->n_agents);
    for (uint32_t p = 0; p < trace->n_processes; p++) {
        const hd_loaded_process *process = &trace->processes[p];

        hd_table_add(&replay->agent_of, process->process.v, n);
        for (uint32_t t = 0; t < process->n_locations; t++) {
            replay->agents[n] = (hd_agent){ .process = process, .location = &process->locations[t], .number = n,
                                            .process_id = process->process.v, .thread = t, .map = replay->request->maps[p] };
            hd_syncs_init(&replay->agents[n].syncs, replay->scratch);
            n++;
        }
    }
}

/* The length of the run, or more where a location was recorded for longer than the definitions say. The same on all ranks. */
static uint64_t
longest(const hd_replay_request *request)
{
    uint64_t length[1] = { request->defs->length };

    for (uint32_t p = 0; p < request->trace->n_processes; p++)
        for (uint32_t t = 0; t < request->trace->processes[p].n_locations; t++) {
            const hd_loaded_location *location = &request->trace->processes[p].locations[t];
            uint64_t                  sum      = 0;

            for (uint32_t i = 0; i < location->n_nodes; i++)
                sum += (uint64_t)location->nodes[i].time;
            length[0] = sum > length[0] ? sum : length[0];
        }
    hd_group_reduce(request->group, length, 1, HD_MAX);
    return length[0];
}

/* Fractions of a tick that sums of quotients are counted in: as fine as 64 bits allow, with room for sums that are 65,536 times
 * the length of the run. */
static double
fraction(uint64_t length)
{
    uint32_t bits = 40;

    while (bits > 8 && length >> (46 - bits) > 0)
        bits--;
    return (double)(UINT64_C(1) << bits);
}

/* The same with room for all locations waiting all the time. */
static double
cause_fraction(const hd_defs *defs, uint64_t length)
{
    double whole = ((double)length + 1) * ((double)defs->n_locations + 1), fraction = 0x1p40;

    while (fraction > 0x1p-40 && fraction / 2 * whole >= 0x1p60)
        fraction /= 2;
    return fraction;
}

static hd_engine *
new_engine(const hd_replay *replay)
{
    const hd_replay_request *request   = replay->request;
    uint32_t                *processes = HD_NEW_ARRAY(uint32_t, replay->n_agents);
    hd_engine               *engine;

    for (uint32_t i = 0; i < replay->n_agents; i++)
        processes[i] = replay->agents[i].process_id;
    engine = hd_turns_engine(request->group, replay->defs, request->placement, processes,
                             (hd_engine_request){ .n_agents = replay->n_agents, .yield = request->yield, .stop = request->stop,
                                                  .on_thread = request->on_thread, .context = request->context });
    free(processes);
    return engine;
}

/* Windows that somebody locks exclusively. */
static void
find_exclusive(hd_replay *replay)
{
    const hd_defs *defs = replay->defs;

    if (defs->n_windows == 0)
        return;
    replay->exclusive = HD_NEW_ARRAY(uint64_t, defs->n_windows);
    for (uint32_t i = 0; i < replay->n_agents; i++) {
        const hd_oplog *log = &replay->agents[i].location->log;

        for (size_t c = 0; c < log->n_channels; c++)
            if (log->channels[c].exclusive)
                replay->exclusive[log->channels[c].comm - hd_first_window(defs)] = 1;
    }
    hd_group_reduce(replay->request->group, replay->exclusive, defs->n_windows, HD_MAX);
}

static void
add_stats(hd_engine_stats *sum, const hd_engine_stats *thread)
{
    sum->n_host_items += thread->n_host_items;
    sum->n_thread_items += thread->n_thread_items;
    sum->n_rank_items += thread->n_rank_items;
    sum->n_messages += thread->n_messages;
    sum->message_bytes += thread->message_bytes;
    sum->n_parks += thread->n_parks;
    sum->idle_ns += thread->idle_ns;
    sum->run_ns += thread->run_ns;
}

#define MOST_CAUSES 16384 /* rows that a report keeps */
#define MOST_PAIRS  1024

static void
gather_causes(hd_replay *replay, hd_replay_result *result, bool wanted)
{
    hd_group                *group  = replay->request->group;
    const hd_cause_selection causes = { .most = MOST_CAUSES, .lump = hd_cause_lump_effects };
    const hd_cause_selection pairs  = { .most = MOST_PAIRS, .lump = hd_cause_lump_processes, .is_local = true };

    for (uint32_t t = 1; t < hd_placement_n_threads(replay->request->placement); t++) {
        hd_cause_table_merge(&replay->hosts[0].causes, &replay->hosts[t].causes);
        hd_cause_table_merge(&replay->hosts[0].pairs, &replay->hosts[t].pairs);
        hd_cause_table_fini(&replay->hosts[t].causes);
        hd_cause_table_fini(&replay->hosts[t].pairs);
    }
    if (!wanted) {
        hd_cause_table_fini(&replay->hosts[0].causes);
        hd_cause_table_fini(&replay->hosts[0].pairs);
        return;
    }
    result->cause_fraction = replay->cause_fraction;
    result->causes         = hd_cause_table_gather(&replay->hosts[0].causes, group, &causes);
    result->pairs          = hd_cause_table_gather(&replay->hosts[0].pairs, group, &pairs);
}

static void
gather_statistics(hd_replay *replay, hd_replay_result *result)
{
    for (uint32_t t = 1; t < hd_placement_n_threads(replay->request->placement); t++) {
        hd_instance_table_merge(replay->hosts[0].statistics, replay->hosts[t].statistics);
        hd_instance_table_free(replay->hosts[t].statistics);
        replay->hosts[t].statistics = NULL;
    }
    result->statistics = hd_instance_table_gather(replay->hosts[0].statistics, replay->request->group);
    hd_instance_table_free(replay->hosts[0].statistics);
    replay->hosts[0].statistics = NULL;
}

/* To the end of all op logs. False: it was stopped. */
static bool
run_forward(hd_replay *replay, hd_engine *engine)
{
    hd_analysis analysis = { .context = replay, .run = run_agent, .deliver = deliver };

    hd_engine_each_host(engine, start_host, replay);
    hd_engine_run(engine, &analysis, false);
    if (hd_engine_is_stopped(engine))
        return false;
    hd_engine_each_host(engine, tell_unclaimed, replay);
    hd_engine_run(engine, &analysis, false);
    if (hd_engine_is_stopped(engine))
        return false;
    hd_engine_run(engine, &analysis, true);
    for (uint32_t round = 0; !hd_engine_is_stopped(engine) && choose(replay, parked_forward, false, round); round++) {
        hd_engine_each_host(engine, give_up, replay);
        hd_engine_run(engine, &analysis, false);
    }
    if (hd_engine_is_stopped(engine))
        return false;
    if (replay->defs->n_windows > 0) {
        hd_engine_each_host(engine, answer_as_targets, replay);
        hd_engine_run(engine, &analysis, false);
        if (hd_engine_is_stopped(engine))
            return false;
    }
    hd_engine_each_host(engine, end_forward, replay);
    hd_engine_run(engine, &analysis, false);
    return !hd_engine_is_stopped(engine);
}

void
hd_replay_run(const hd_replay_request *request, hd_replay_result *result)
{
    uint32_t    n_threads = hd_placement_n_threads(request->placement);
    hd_replay   replay    = { .request = request, .defs = request->defs, .scratch = request->trace->scratch,
                              .compat = request->compat, .message_state_bytes = state_bytes(request),
                              .goes_back = request->delays || request->critical_path };
    uint64_t    length    = longest(request);
    hd_engine  *engine;
    take        all;

    replay.fraction       = fraction(length);
    replay.cause_fraction = cause_fraction(request->defs, length);
    replay.sides          = (hd_sides){ request->period, request->period != NULL ? request->n_call_paths / 2 : HD_NONE };
    replay.clock          = (hd_scout_clock){ request->defs->first_time, (double)request->defs->resolution };
    make_agents(&replay);
    replay.hosts = aligned_alloc(_Alignof(hd_replay_host), n_threads * sizeof *replay.hosts);
    if (replay.hosts == NULL)
        hd_fatal("out of memory: %zu bytes could not be allocated", n_threads * sizeof *replay.hosts);
    memset(replay.hosts, 0, n_threads * sizeof *replay.hosts);
    *result             = (hd_replay_result){ .n_locations = replay.n_agents };
    result->locations   = HD_NEW_ARRAY(hd_location_result, replay.n_agents);
    engine              = new_engine(&replay);
    find_exclusive(&replay);

    if (!run_forward(&replay, engine)) {
        result->stopped = HD_STOPPED_FORWARDS;
        return;
    }
    all = (take){ .replay = &replay, .result = result };
    hd_engine_each_host(engine, book_host, &all);
    if (request->statistics)
        gather_statistics(&replay, result);
    hd_unfinished_gather(&replay, &result->unfinished);
    if (replay.goes_back) {
        if (request->goes_back != NULL)
            request->goes_back(request->context);
        all.has_costs   = run_backward(&replay, engine);
        result->stopped = all.has_costs ? HD_STOPPED_NOWHERE : HD_STOPPED_ON_WAY_BACK;
    }
    all.has_path = all.has_costs && request->critical_path;
    if (all.has_path) {
        hd_critical_path_collect(&replay, &all.path);
        hd_engine_each_host(engine, add_to_path_host, &all);
        hd_critical_path_reduce(&replay, &all.path);
    } else
        hd_engine_each_host(engine, forget_syncs, &replay);
    hd_engine_each_host(engine, finish_host, &all);
    hd_critical_path_fini(&all.path);

    result->threads = HD_NEW_ARRAY(hd_engine_stats, n_threads);
    for (uint32_t t = 0; t < n_threads; t++) {
        hd_replay_host *rh = &replay.hosts[t];

        result->threads[t] = hd_engine_stats_get(engine, t);
        add_stats(&result->stats, &result->threads[t]);

        for (size_t i = 0; i < rh->findings.n; i++) {
            if (hd_is_outside(&replay.sides, rh->findings.rows[i].call_path))
                rh->findings.rows[i].call_path -= replay.sides.n_inside;
            hd_findings_add(&result->findings, rh->findings.rows[i]);
        }
        result->n_received += rh->n_received;
        result->n_collectives += rh->n_collectives;
        hd_findings_fini(&rh->findings);
    }
    gather_causes(&replay, result, all.has_costs);
    hd_engine_free(engine);
    hd_table_fini(&replay.agent_of);
    for (uint32_t i = 0; i < replay.n_agents; i++)
        hd_syncs_fini(&replay.agents[i].syncs);
    free(replay.agents);
    free(replay.hosts);
    free(replay.exclusive);
}

void
hd_replay_result_fini(hd_replay_result *result)
{
    for (uint32_t i = 0; i < result->n_locations; i++) {
        free(result->locations[i].entries);
        free(result->locations[i].costs);
    }
    free(result->locations);
    free(result->causes.rows);
    free(result->pairs.rows);
    hd_wait_facts_fini(&result->unfinished);
    hd_wait_statistics_fini(&result->statistics);
    free(result->threads);
    hd_findings_fini(&result->findings);
    *result = (hd_replay_result){ 0 };
}
