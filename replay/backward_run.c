#include "backward_run.h"

#include "backward.h"
#include "critical_path.h"
#include "forward_run.h"
#include "sync_build.h"
#include "sync_previous.h"
#include "sync_time.h"

#define LEAST_GAP_BYTES (32 * 1024)

/* What a location no longer needs leaves gaps into which the next ones' larger blocks do not fit. Giving them back
 * looks at all gaps, so it is done more rarely the more there is. */
static void
give_back_gaps(hd_replay_host *rh, size_t freed_bytes, size_t kept_bytes)
{
    rh->backward->freed_bytes += freed_bytes;
    rh->backward->kept_bytes += kept_bytes;
    if (rh->backward->freed_bytes < LEAST_GAP_BYTES + rh->backward->kept_bytes / 16)
        return;
    hd_give_back();
    rh->backward->freed_bytes = 0;
}

static void
start_backward_agent(hd_replay_host *rh, hd_host *host, hd_agent *agent)
{
    size_t freed_bytes = agent->syncs->collected.n + agent->location->intervals.bytes.n;

    (void)host;
    hd_sync_build(rh, agent, rh->backward->limit);
    if (!rh->replay->compat)
        hd_sync_time_index(&rh->backward->own, agent->syncs);
    hd_backward_start(agent);
    hd_interval_log_fini(&agent->location->intervals);
    give_back_gaps(rh, freed_bytes, agent->syncs->n * sizeof(hd_sync) + agent->syncs->vectors.bytes.n);
}

static void
start_backward(void *context, hd_host *host)
{
    hd_replay_host *rh = hd_replay_host_of(context, host);

    hd_backward_host_init(rh);
    hd_sync_previous_begin(rh);
    hd_each_agent(context, host, start_backward_agent);
    hd_sync_previous_end(rh);
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
    hd_each_agent(context, host, end_backward_agent);
    hd_backward_host_end(hd_replay_host_of(context, host));
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
    hd_each_agent(context, host, give_up_backward_agent);
}

bool
hd_backward_replay(hd_replay *replay, hd_engine *engine)
{
    hd_analysis analysis = { .context = replay, .run = hd_backward_run, .deliver = hd_backward_deliver };

    hd_map_large_blocks();
    hd_forward_complete(replay, engine);
    if (hd_engine_is_stopped(engine))
        return false;
    hd_give_back();
    hd_engine_each_host(engine, start_backward, replay);
    if (replay->request->critical_path)
        hd_critical_path_start(replay);
    hd_engine_run(engine, &analysis, true);
    for (uint32_t round = 0; !hd_engine_is_stopped(engine) && hd_replay_choose(replay, parked_backward, true, round); round++) {
        hd_engine_each_host(engine, give_up_backward, replay);
        hd_engine_run(engine, &analysis, false);
    }
    hd_engine_each_host(engine, end_backward, replay);
    return !hd_engine_is_stopped(engine);
}
