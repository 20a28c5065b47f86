#include "forward_run.h"

#include "coll.h"
#include "p2p.h"
#include "pattern_table.h"
#include "rma.h"
#include "rma_mail.h"
#include "rma_passive.h"
#include "rma_target.h"
#include "sync_complete.h"
#include "sync_notify.h"
#include "sync_store.h"

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

static void
tell_leave(hd_replay_host *rh, hd_host *host, hd_agent *agent)
{
    hd_p2p_event event = { .rh = rh, .host = host, .agent = agent };

    agent->wants_leave = false;
    hd_patterns_tell(&rh->replay->hooks->leave, &event);
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
        if (HD_UNLIKELY(agent->wants_leave))
            tell_leave(rh, host, agent);
        hd_coll_leave(rh, host, agent);
        agent->in_call = false;
    }
out:
    if (replay->request->n_done != NULL && n_calls > 0)
        atomic_fetch_add_explicit(replay->request->n_done, n_calls, memory_order_relaxed);
    return result;
}

typedef void (*take_item)(hd_replay_host *rh, hd_host *host, uint32_t kind, const void *data);

/* Who takes items of a kind. */
static const take_item takers[HD_ITEM_PATTERN] = {
    [HD_ITEM_ANNOUNCE]        = hd_p2p_deliver,
    [HD_ITEM_UNCLAIMED]       = hd_p2p_deliver,
    [HD_ITEM_MESSAGE]         = hd_p2p_deliver,
    [HD_ITEM_SYNC_SEND]       = hd_sync_deliver,
    [HD_ITEM_SYNC_REQUEST]    = hd_sync_deliver,
    [HD_ITEM_SYNC_LEAVE]      = hd_sync_deliver,
    [HD_ITEM_SYNC_WAITER]     = hd_sync_deliver,
    [HD_ITEM_COLL_UP]         = hd_coll_deliver,
    [HD_ITEM_COLL_DOWN]       = hd_coll_deliver,
    [HD_ITEM_COLL_WAITS]      = hd_coll_deliver,
    [HD_ITEM_DEPOSIT]         = hd_coll_deliver,
    [HD_ITEM_LOCK_EPOCH]      = hd_rma_deliver,
    [HD_ITEM_LOCK_HOLDER]     = hd_rma_deliver,
    [HD_ITEM_PROGRESS_QUERY]  = hd_rma_deliver,
    [HD_ITEM_PROGRESS_ANSWER] = hd_rma_deliver,
};

static void
deliver(void *context, hd_host *host, uint32_t kind, const void *data, uint32_t bytes)
{
    (void)bytes;
    if (kind >= HD_ITEM_PATTERN)
        hd_pattern_deliver(hd_replay_host_of(context, host), host, kind, data);
    else
        takers[kind](hd_replay_host_of(context, host), host, kind, data);
}

static void
start_agent(hd_replay_host *rh, hd_host *host, hd_agent *agent)
{
    hd_severities_init(&agent->severities);
    hd_costs_init(&agent->costs);
    if (rh->replay->goes_back)
        hd_syncs_add(agent->syncs, &(hd_sync){ .kind = HD_SYNC_BEGIN, .delay = HD_DELAY_NONE, .peer = HD_SYNC_ALL });
    hd_severities_init(&agent->answers);
    hd_cursor_init(&agent->cursor, &agent->location->log);
    if (rh->replay->defs->n_windows > 0)
        hd_rma_start(agent);
    hd_patterns_start_agent(agent, rh->replay);
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
    hd_each_agent(replay, host, start_agent);
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

static void
give_up(void *context, hd_host *host)
{
    hd_each_agent(context, host, give_up_agent);
}

static void
answer_as_targets(void *context, hd_host *host)
{
    hd_replay *replay  = context;
    hd_agent **targets = HD_NEW_ARRAY(hd_agent *, replay->n_agents);
    size_t     n       = 0;

    for (uint32_t i = hd_each_process(replay, host, 0); i < replay->n_agents;
         i = hd_each_process(replay, host, i + replay->agents[i].process->n_locations))
        targets[n++] = &replay->agents[i];
    hd_rma_target_answer(hd_replay_host_of(replay, host), host, targets, n);
    free(targets);
}

static void
end_forward_agent(hd_replay_host *rh, hd_host *host, hd_agent *agent)
{
    hd_p2p_event event = { .rh = rh, .host = host, .agent = agent };

    if (agent->rma != NULL)
        hd_rma_passive_book(rh, host, agent);
    hd_rma_fini(agent);
    hd_patterns_tell(&rh->replay->hooks->finish, &event);
    hd_patterns_end_agent(agent, rh->replay);
}

static void
end_forward(void *context, hd_host *host)
{
    hd_coll_finish(hd_replay_host_of(context, host));
    hd_each_agent(context, host, end_forward_agent);
}

bool
hd_forward_run(hd_replay *replay, hd_engine *engine)
{
    hd_analysis analysis = { .context = replay, .run = run_agent, .deliver = deliver };

    hd_patterns_start(replay, hd_pattern_table, hd_pattern_table_n);
    hd_engine_each_host(engine, start_host, replay);
    hd_engine_run(engine, &analysis, false);
    if (hd_engine_is_stopped(engine))
        return false;
    hd_engine_each_host(engine, tell_unclaimed, replay);
    hd_engine_run(engine, &analysis, false);
    if (hd_engine_is_stopped(engine))
        return false;
    hd_engine_run(engine, &analysis, true);
    for (uint32_t round = 0; !hd_engine_is_stopped(engine) && hd_replay_choose(replay, parked_forward, false, round); round++) {
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
    hd_patterns_end(replay);
    return !hd_engine_is_stopped(engine);
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
    hd_each_agent(context, host, complete_agent);
}

void
hd_forward_complete(hd_replay *replay, hd_engine *engine)
{
    hd_analysis analysis = { .context = replay, .run = run_agent, .deliver = deliver };

    hd_engine_each_host(engine, complete_syncs, replay);
    hd_engine_run(engine, &analysis, false);
}
