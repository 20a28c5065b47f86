/* replay/simulate/simulate.h: what-if simulation: the times of all calls under hypotheses.
 *
 * Every call of the op logs gets a new enter and leave. The order of matching stays as recorded, so each new time is a
 * maximum of sums of earlier ones (docs/simulation.md has the equations):
 *
 *   new enter = new leave of the call before + the time between them, changed by the hypothesis
 *   new leave = max(new enter + local, new enter of each call that it depends on + transfer)
 *
 *   model       sim_calls.h, sim_messages.h, sim_collectives.h   what each call depends on, with recorded times
 *               sim_protocol.h, sim_tree.h, sim_fit.h            what is learned of all calls together
 *               sim_order.h                                      which receives may take a message of any sender
 *               sim_link.h                                       dependencies tell the calls that they depend on
 *   passes      sim_pass.h, sim_latest.h, sim_change.h           new times, HD_SIM_LANES hypotheses at a time
 *
 * Uses: replay/core. Owner: the program. Memory: sim_state.h.
 */
#ifndef HD_SIMULATE_H
#define HD_SIMULATE_H

#include "simulate_request.h"
#include "status.h"

/* Ranks: all, together. MT: main thread only. Errors: HD_EUSAGE, a hypothesis selects nothing, or what is not simulated
 * yet; HD_ESTOPPED; the same on all ranks. There are no results then; after HD_ESTOPPED working memory is not freed, as
 * the program is to end. */
hd_status hd_simulate(const hd_simulate_request *request, hd_simulate_result *result);

#endif
