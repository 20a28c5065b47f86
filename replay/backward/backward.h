/* replay/backward/backward.h: the backward replay: from waiting times to the delays that caused them, and the critical path.
 *
 * Every location goes back over its synchronisation points. Where it waited, it tells the one that it waited for: how
 * long, its time per call path since the two met before, and what that wait cost others later on. Whoever was waited
 * for stops there until all who waited for it have told, and then charges the waiting time: to its own excess time per
 * call path, and to its own waits before.
 *
 *   waiting side    ─ point ──item: wait, vector, costs──▶  delayer's mail
 *   delayer         ─ point: all items there? ──no──▶ parked ──item──▶ ready
 *                        └──yes: charges, answer: what was indirect, what could be charged to nobody──▶ waiting side
 *
 * letter.h is the mail, charge.h what is done with a wait, path.h the critical path; here are the points, kind by kind.
 * Definitions: docs/metrics.md#delay-costs, #critical-path. Inside of the replay only. Uses: profile, scheduler.
 * MT: the host's thread. Ranks: local unless said otherwise.
 * Memory: mail under way and intervals in force, see there.
 */
#ifndef HD_BACKWARD_H
#define HD_BACKWARD_H

#include "backward_agent.h"

void hd_backward_host_init(hd_replay_host *rh);
void hd_backward_host_end(hd_replay_host *rh);  /* when all its agents are done; its vectors stay */
void hd_backward_host_fini(hd_replay_host *rh); /* nothing if it was not made */
/* Once, when hd_sync_build() is done with all agents of the host. */
void hd_backward_start(hd_agent *agent);
hd_run hd_backward_run(void *context, hd_host *host, uint32_t agent, hd_time until, hd_time *now);
void hd_backward_deliver(void *context, hd_host *host, uint32_t kind, const void *data, uint32_t bytes);

/* Whose point waits in vain, while the engine is not running: time of the point. */
bool hd_backward_waits(const hd_agent *agent, hd_time *time);
/* The point is passed with what has come. */
void hd_backward_give_up(hd_host *host, hd_agent *agent);
void hd_backward_fini(hd_replay_host *rh, hd_agent *agent);

#endif
