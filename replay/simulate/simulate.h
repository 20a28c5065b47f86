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

/* One model, then as many runs as it takes: hypotheses may depend on results of others. The request's hypotheses say
 * what the model needs: those without messages and of the eager limit have to be among them. Request and trace, with op
 * logs and interval logs, have to last.
 * Ranks: all, together. MT: main thread only. Errors: HD_EUSAGE, a hypothesis selects nothing, or what is not simulated
 * yet; HD_ESTOPPED; the same on all ranks. After HD_ESTOPPED working memory is not freed, as the program is to end. */
typedef struct hd_sim hd_simulator;

/* HD_ESTOPPED; there is no simulator then. */
hd_status hd_simulator_new(const hd_simulate_request *request, hd_simulator **simulator);
void      hd_simulator_free(hd_simulator *simulator);

/* Goals, and whether each change selects something; once for each hypothesis, before it is run. HD_EUSAGE. */
hd_status hd_simulator_prepare(hd_simulator *simulator, hd_hypothesis *hypotheses, size_t n);

/* recorded, outcomes and times of the result; hd_simulate_result_fini() it. HD_ESTOPPED. */
hd_status hd_simulator_run(hd_simulator *simulator, const hd_hypothesis *hypotheses, size_t n,
                           hd_simulate_result *result);

/* The rest of the result: counts of all runs so far, and what was learned. */
void hd_simulator_describe(hd_simulator *simulator, hd_simulate_result *result);

#endif
