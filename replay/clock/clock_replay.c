/* replay/clock/clock_replay.c: the passes over the events of all locations, on the engine; see clock.h. */
#include "clock_amortize.h"
#include "clock_coll.h"
#include "clock_message.h"
#include "clock_result.h"
#include "clock_team.h"

#include <math.h>

#define LATENCY 1e-6            /* [s] of messages and collectives */
#define LATENCY_OF_THREADS 1e-8 /* [s] */
#define MAX_LATENCY 1000000000  /* [ticks] for archives with an absurd resolution */

/* ---- a location -------------------------------------------------------------------------------------------------- */

static bool
pass(hd_clock_host *ch, hd_host *host, hd_clock_agent *agent)
{
    const hd_clock_point *point = &agent->log->points[agent->at];
    hd_clock_bound        bound = HD_CLOCK_NO_BOUND;

    switch ((hd_clock_kind)point->kind) {
    case HD_CLOCK_OTHER:
        break;
    case HD_CLOCK_SEND:
        hd_clock_send(ch, host, agent);
        break;
    case HD_CLOCK_RECEIVE:
        if (!hd_clock_receive(ch, host, agent))
            return false;
        break;
    case HD_CLOCK_BEGIN:
        hd_clock_coll_begin(ch, host, agent);
        break;
    case HD_CLOCK_END:
        if (!hd_clock_coll_bound(ch, agent, &bound))
            return false;
        hd_clock_apply(ch, agent, &bound);
        hd_clock_coll_end(ch, host, agent, &bound);
        break;
    default:
        if (point->what != HD_NONE && !hd_clock_team_pass(ch, host, agent))
            return false;
        break;
    }
    hd_clock_pass(ch->replay, agent);
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
    if (kind <= HD_CLOCK_ITEM_LIMIT)
        hd_clock_message_deliver(ch, host, kind, data);
    else
        hd_clock_coll_deliver(ch, host, kind, data);
}

/* ---- all locations ----------------------------------------------------------------------------------------------- */

static void
each_agent(hd_clock_replay *replay, hd_host *host,
           void (*visit)(hd_clock_host *ch, hd_host *host, hd_clock_agent *agent))
{
    for (uint32_t i = 0; i < replay->n_agents; i++) {
        hd_clock_agent *agent = &replay->agents[i];

        if (hd_placement_host(replay->request->placement, (hd_process){ agent->process_id }) == hd_host_number(host))
            visit(hd_clock_host_of(replay, host), host, agent);
    }
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
    hd_clock_messages_announce(ch, host, agent);
    if (agent->thread > 0)
        return;
    hd_clock_team_syncs_start(agent->team_syncs, agent->process->n_meetings);
    hd_clock_coll_announce(ch, host, agent->process);
}

static void
start_host(void *context, hd_host *host)
{
    hd_clock_replay    *replay    = context;
    hd_clock_host      *ch        = hd_clock_host_of(replay, host);
    const hd_placement *placement = replay->request->placement;

    ch->replay = replay;
    hd_clock_messages_init(ch);
    hd_tree_scratch_init(&ch->scratch, hd_placement_n_hosts(placement) / hd_placement_n_threads(placement));
    ch->coll = hd_clock_coll_new(ch, host);
    each_agent(replay, host, start_agent);
}

static void
exclude_incomplete(void *context, hd_host *host)
{
    hd_clock_coll_exclude(hd_clock_host_of(context, host), host);
}

static void
end_agent(hd_clock_host *ch, hd_host *host, hd_clock_agent *agent)
{
    hd_clock_replay *replay = ch->replay;

    (void)host;
    hd_clock_messages_forget(agent);
    if (replay->is_check || !replay->request->corrects)
        return;
    hd_clock_team_limit(replay, agent);
    hd_clock_amortize(replay, agent);
    hd_scratch_free(replay->request->logs->scratch, agent->limits);
}

static void
end_host(void *context, hd_host *host)
{
    hd_clock_replay *replay = context;
    hd_clock_host   *ch     = hd_clock_host_of(replay, host);

    each_agent(replay, host, end_agent);
    hd_clock_coll_free(ch->coll);
    hd_clock_messages_fini(ch);
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
        hd_engine_each_host(engine, exclude_incomplete, replay);
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
                             (hd_engine_request){ .n_agents = replay->n_agents, .yield = request->yield,
                                                  .stop = request->stop, .on_thread = request->on_thread,
                                                  .context = request->context });
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
        const hd_clock_process *process    = &logs->processes[p];
        hd_clock_team_sync     *team_syncs = HD_NEW_ARRAY(hd_clock_team_sync, process->n_meetings);
        uint32_t                first      = hd_defs_processes(replay->defs)[process->process.v].first_location;

        hd_table_add(&replay->agent_of, process->process.v, n);
        for (uint32_t t = 0; t < process->n_locations; t++) {
            hd_clock_log *log = &process->logs[t];
            hd_clock_row  row = { .location = first + t, .n_offsets = log->n_offsets, .first = log->first,
                                  .last = log->last };

            replay->agents[n] = (hd_clock_agent){ .process = process, .log = log, .team_syncs = team_syncs, .number = n,
                                                  .process_id = process->process.v, .thread = t, .row = row };
            n++;
        }
    }
}

static hd_span
latency(const hd_defs *defs, double seconds)
{
    double ticks = (double)defs->resolution * seconds;

    return ticks < MAX_LATENCY ? (hd_span)llrint(ticks) : MAX_LATENCY;
}

hd_status
hd_clock_run(const hd_clock_request *request, hd_clock_result *result)
{
    uint32_t        n_threads = hd_placement_n_threads(request->placement);
    hd_clock_replay replay    = { .request = request, .defs = request->defs,
                                  .latency            = latency(request->defs, LATENCY),
                                  .latency_of_threads = latency(request->defs, LATENCY_OF_THREADS) };
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
    hd_clock_result_take(&replay, result);
    for (uint32_t i = 0; i < replay.n_agents; i++)
        if (replay.agents[i].thread == 0)
            free(replay.agents[i].team_syncs);
    hd_engine_free(engine);
    hd_table_fini(&replay.agent_of);
    free(replay.agents);
    free(replay.hosts);
    return HD_OK;
}

