/* replay/backward/charge_letters.h: several waits for one point are charged together, to intervals back to where each of the waiting locations
 * was met before. Inside of the replay only. Uses: sync, core. MT: the host's thread. Ranks: local.
 */
#ifndef HD_CHARGE_LETTERS_H
#define HD_CHARGE_LETTERS_H

#include "letter.h"

/* Where the agent met each sender before, into the letters; n_intermediates of the agent goes down. compat:
 * --compat=scout26 (D3) */
void hd_charge_find_previous(hd_agent *agent, uint32_t point, hd_letters *all, bool compat);
/* Charges all letters, whose `previous` and `until` are known, and takes the critical path in if it comes with one of
 * them. */
void hd_charge_letters(hd_replay_host *rh, hd_host *host, hd_agent *agent, uint32_t point, const hd_letters *all);

#endif
