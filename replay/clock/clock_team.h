/* replay/clock/clock_team.h: threads of a process and the clock condition.
 *
 *   fork            before the begins of the team's threads
 *   ends of them    before the join
 *   barrier enters  before its leaves
 *
 * Threads of a process are on one worker, so nothing is sent.
 * Inside of the replay only. Uses: clock_vproc. MT: the worker's thread. Ranks: local.
 */
#ifndef HD_CLOCK_TEAM_H
#define HD_CLOCK_TEAM_H

#include "clock_vproc.h"

/* n in their state before the first event; hd_clock_team_sync of vprocs of one process. */
void hd_clock_team_syncs_start(hd_clock_team_sync *syncs, size_t n);
/* The vproc is at such an event, which belongs to a team that is known. False: it has to wait. */
bool hd_clock_team_pass(hd_clock_worker *ch, hd_worker *worker, hd_clock_vproc *vproc);
/* All vprocs are done: forks, ends and enters must not be later than what they come before. */
void hd_clock_team_limit(const hd_clock_replay *replay, hd_clock_vproc *vproc);

#endif
