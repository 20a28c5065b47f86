/* replay/clock_coll.h: collectives and the clock condition. Inside of the room only. Uses: clock_agent. MT: the host's thread. Ranks: local. */
#ifndef HD_CLOCK_COLL_H
#define HD_CLOCK_COLL_H

#include "clock_agent.h"

hd_clock_coll *hd_clock_coll_new(void);
void           hd_clock_coll_free(hd_clock_coll *coll);
/* Set-up, with the engine run to quiescence after each: what the processes take part in; which collectives lack somebody. */
void hd_clock_coll_announce(hd_clock_host *ch, hd_host *host, const hd_clock_process *process);
void hd_clock_coll_tell_short(hd_clock_host *ch, hd_host *host);

void hd_clock_coll_begin(hd_clock_host *ch, hd_host *host, hd_clock_agent *agent);
/* What the end at hand must not be before. False: it is not known yet, the agent waits. */
bool hd_clock_coll_bound(hd_clock_host *ch, hd_clock_agent *agent, hd_clock_bound *bound);
/* The end at hand has its corrected time. bound: what it was bound by. */
void hd_clock_coll_end(hd_clock_host *ch, hd_host *host, hd_clock_agent *agent, const hd_clock_bound *bound);
void hd_clock_coll_deliver(hd_clock_host *ch, hd_host *host, uint32_t kind, const void *data);

#endif
