/* replay/clock/clock_team.h: threads of a process and the clock condition.
 *
 *   fork            before the begins of the team's threads
 *   ends of them    before the join
 *   barrier enters  before its leaves
 *
 * Threads of a process are on one host, so nothing is sent.
 * Inside of the replay only. Uses: clock_agent. MT: the host's thread. Ranks: local.
 */
#ifndef HD_CLOCK_TEAM_H
#define HD_CLOCK_TEAM_H

#include "clock_agent.h"

/* n in their state before the first event; hd_clock_team_sync of agents of one process. */
void hd_clock_team_syncs_start(hd_clock_team_sync *syncs, size_t n);
/* The agent is at such an event, which belongs to a team that is known. False: it has to wait. */
bool hd_clock_team_pass(hd_clock_host *ch, hd_host *host, hd_clock_agent *agent);
/* All agents are done: forks, ends and enters must not be later than what they come before. */
void hd_clock_team_limit(const hd_clock_replay *replay, hd_clock_agent *agent);

#endif
