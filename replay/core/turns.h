/* replay/core/turns.h: how the agents of a replay take turns: an engine for them, and who goes on when all wait for each other. Inside of the replay only.
 *
 * All sends that a receive can match are known to exist, so at quiescence only those agents are parked that wait in a
 * circle: the archive contradicts itself, its clocks contradict the order of messages, or epochs of windows do that an
 * MPI library put off. One gives up, the earliest on the way forward, the latest on the way back, and what hangs behind
 * it goes on; after very many circles all give up at once.
 *
 * Uses: scheduler. MT: main thread only, not while the engine runs.
 */
#ifndef HD_TURNS_H
#define HD_TURNS_H

#include "defs.h"
#include "engine.h"
#include "placement.h"

typedef struct hd_parked { /* where an agent is */
    hd_time  time; /* below UINT64_MAX */
    uint32_t process, thread;
} hd_parked;

typedef struct hd_give_up {
    hd_parked who;
    bool      all; /* who does not count */
} hd_give_up;

/* Where an agent is parked; false: it is not. */
typedef bool hd_parked_at(const void *replay, uint32_t agent, hd_parked *at);

/* processes: [request.n_agents] of the agents; n_threads, agent_threads and window are set here. Ranks: all,
 * together. */
hd_engine *hd_turns_engine(hd_group *group, const hd_defs *defs, const hd_placement *placement, const uint32_t *processes,
                           hd_engine_request request);

/* round: how often somebody gave up before. The same for any ranks and threads. False: nobody is parked. Ranks: all,
 * together. */
bool hd_turns_choose(hd_group *group, const void *replay, uint32_t n_agents, hd_parked_at *parked_at, bool latest, uint32_t round,
                     hd_give_up *chosen);

static inline bool
hd_gives_up(const hd_give_up *chosen, const hd_parked *at)
{
    return chosen->all || (chosen->who.time == at->time && chosen->who.process == at->process && chosen->who.thread == at->thread);
}

#endif
