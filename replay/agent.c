#include "agent.h"

void
hd_agent_finding(hd_replay_host *rh, const hd_agent *agent, hd_finding_kind kind, uint32_t node, uint32_t peer, uint32_t comm,
                 uint32_t tag, hd_time time)
{
    hd_findings_add(&rh->findings, (hd_finding){ .kind = kind, .process = agent->process_id, .thread = agent->thread,
                                                 .call_path = hd_agent_call_path(agent, node), .peer = peer, .communicator = comm,
                                                 .tag = tag, .time = time, .count = 1 });
}
