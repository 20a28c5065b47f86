/* replay/backward/excess_costs.h: books what the excess of a delayer costs, per call path of the excess.
 *
 * The same call paths come again and again. So costs are added up in an array over locations and call paths for each
 * metric until the end of the backward replay, where that is not too large. Else they are in the tables of locations,
 * one after the other, which fill alike: it is kept for each call path where it was found last, which is where it is
 * looked for first. What an effect costs is added up by call path until the end, too.
 * Which of both it is depends on the locations of the rank, and sums do not: what is added to these metrics elsewhere
 * is one part at most.
 * Inside of the replay only. Uses: profile. MT: the worker's thread. Ranks: local.
 * Memory: for each metric of costs that was booked 8 bytes per location of the rank and call path of the unified tree,
 * at most 1 MiB, else 4 per call path; 16 for each of up to 48 effects, at most 1 MiB.
 */
#ifndef HD_EXCESS_COSTS_H
#define HD_EXCESS_COSTS_H

#include "backward_vproc.h"

/* Costs of the location are in its table then; of all: what effects cost is in the worker's table of causes. */
void hd_excess_costs_take(hd_replay_worker *rh, hd_vproc *vproc);
void hd_excess_costs_end(hd_replay_worker *rh);

/* Each tick of rh->backward->excess costs `scale`, as a direct cause of the effect. */
void hd_excess_book_short_term(hd_replay_worker *rh, hd_vproc *vproc, hd_delay delay, uint32_t effect, double scale);
/* costs [n], ascending, but those of the kind left_out (HD_DELAY_NONE: all): each tick of the excess causes one part of
 * them in `all`. Returns the sum of those that were booked. */
double hd_excess_book_long_term(hd_replay_worker *rh, hd_vproc *vproc, const hd_effect_cost *costs, size_t n,
                                double all, hd_delay left_out);

#endif
