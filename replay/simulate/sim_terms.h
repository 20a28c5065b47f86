/* replay/simulate/sim_terms.h: what hypotheses change of the terms of a call's equation: how long it takes alone, and
 * its transfers. Lanes in which nothing of that changes do without (sim_pass.h).
 *
 * Uses: sim_state.h. MT: the worker's thread, where nothing is said. Ranks: local.
 */
#ifndef HD_SIM_TERMS_H
#define HD_SIM_TERMS_H

#include "sim_transfer.h"

/* Whether the archive has what all hypotheses need. MT: main thread only. Errors: HD_EUSAGE. */
hd_status hd_sim_terms_prepare(const hd_sim *sim, const hd_hypothesis *hypotheses, size_t n);
/* For the hypotheses of the pass. MT: main thread only. */
void hd_sim_terms_make(hd_sim *sim);

/* Whether a hypothesis may let calls wait for others that they did not wait for, so maybe in a circle. */
bool hd_sim_terms_add(const hd_hypothesis *hypothesis);

/* The new leave of the call of the equation in the lanes whose terms change, that if it waits for nobody, and the
 * latest time that it depends on (else its enter); its dependencies have arrived or are dropped. */
void hd_sim_terms_leave(const hd_sim_worker *sw, hd_sim_location *location, const hd_sim_equation *equation,
                        hd_span *alone, hd_span *leave, hd_span *latest);

#endif
