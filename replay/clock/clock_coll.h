/* replay/clock/clock_coll.h: collectives and the clock condition. A member's end must not be earlier than the begins
 * that it waits for.
 *
 *   first round    begins of members go up the communicator's tree of hosts (reduction.h) and come down as what ends
 *                  must not be earlier than
 *   second round   while clocks are corrected: corrected ends go up, and come down as what begins must not be later
 *                  than
 *
 * Inside of the replay only. Uses: clock_agent, reduction. MT: the host's thread. Ranks: local.
 */
#ifndef HD_CLOCK_COLL_H
#define HD_CLOCK_COLL_H

#include "clock_agent.h"

/* ch->replay and ch->scratch are set. */
hd_clock_coll *hd_clock_coll_new(hd_clock_host *ch, hd_host *host);
void           hd_clock_coll_free(hd_clock_coll *coll);

/* Set-up, with the engine run to quiescence after each: the collectives of a process are counted; those that lack
 * members are excluded from comparison and correction. */
void hd_clock_coll_announce(hd_clock_host *ch, hd_host *host, const hd_clock_process *process);
void hd_clock_coll_exclude(hd_clock_host *ch, hd_host *host);

/* The agent is at the begin of a collective. */
void hd_clock_coll_begin(hd_clock_host *ch, hd_host *host, hd_clock_agent *agent);
/* The agent is at the end of a collective. bound: out, what the end must not be earlier than; untouched if there is
 * nothing. False: it is not known yet, the agent waits. */
bool hd_clock_coll_bound(hd_clock_host *ch, hd_clock_agent *agent, hd_clock_bound *bound);
/* The agent's end has its corrected time. bound: what it was bound by. */
void hd_clock_coll_end(hd_clock_host *ch, hd_host *host, hd_clock_agent *agent, const hd_clock_bound *bound);
/* An item from HD_CLOCK_ITEM_COUNT on. */
void hd_clock_coll_deliver(hd_clock_host *ch, hd_host *host, uint32_t kind, const void *data);

#endif
