#include "agent.h"

void
hd_agent_finding(hd_replay_host *rh, const hd_agent *agent, hd_finding_kind kind, uint32_t node, uint32_t peer, uint32_t comm,
                 uint32_t tag, hd_time time)
{
    hd_findings_add(&rh->findings, (hd_finding){ .kind = kind, .process = agent->process_id, .thread = agent->thread,
                                                 .call_path = hd_agent_call_path(agent, node), .peer = peer, .communicator = comm,
                                                 .tag = tag, .time = time, .count = 1 });
}

void
hd_agent_clock_finding(hd_replay_host *rh, const hd_agent *agent, hd_finding_kind kind, uint32_t node, uint32_t peer, uint32_t comm,
                       hd_time time, hd_span by)
{
    hd_findings_add(&rh->findings, (hd_finding){ .kind = kind, .process = agent->process_id, .thread = agent->thread,
                                                 .call_path = hd_agent_call_path(agent, node), .peer = peer, .communicator = comm,
                                                 .tag = HD_NONE, .time = time, .count = 1, .worst = by });
}

hd_instance
hd_agent_instance(const hd_agent *agent, const hd_wait *wait)
{
    return (hd_instance){ .metric = wait->metric, .n_waiters = 1, .waiting = wait->time, .enter = wait->enter, .leave = wait->leave,
                          .peer = wait->peer, .peer_thread = wait->peer_thread,
                          .waiters[0] = { .process = agent->process_id, .thread = agent->thread,
                                          .call_path = hd_agent_call_path(agent, wait->node), .from = wait->from, .wait = wait->time } };
}

void
hd_agent_note(hd_replay_host *rh, const hd_agent *agent, const hd_wait *wait)
{
    hd_instance instance;

    if (wait->time <= 0 || hd_node_is_outside(rh->replay, wait->node))
        return;
    instance = hd_agent_instance(agent, wait);
    hd_instance_table_add(rh->statistics, &instance);
}

void
hd_each_agent(hd_replay *replay, hd_host *host, void (*visit)(hd_replay_host *rh, hd_host *host, hd_agent *agent))
{
    const hd_replay_request *request = replay->request;
    hd_replay_host          *rh      = hd_replay_host_of(replay, host);

    for (uint32_t i = 0; i < replay->n_agents; i++) {
        hd_agent *agent = &replay->agents[i];

        if (hd_placement_host(request->placement, (hd_process){ agent->process_id }) == hd_host_number(host))
            visit(rh, host, agent);
    }
}

uint32_t
hd_each_process(hd_replay *replay, hd_host *host, uint32_t agent)
{
    const hd_placement *placement = replay->request->placement;

    while (agent < replay->n_agents &&
           hd_placement_host(placement, (hd_process){ replay->agents[agent].process_id }) != hd_host_number(host))
        agent += replay->agents[agent].process->n_locations;
    return agent;
}

bool
hd_replay_choose(hd_replay *replay, hd_parked_at *parked_at, bool latest, uint32_t round)
{
    return hd_turns_choose(replay->request->group, replay, replay->n_agents, parked_at, latest, round, &replay->give_up);
}
