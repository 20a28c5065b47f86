/* replay/clock/clock_coll.h: collectives and the clock condition. A member's end must not be earlier than the begins
 * that it waits for.
 *
 *   first round    begins of members go up the communicator's tree of workers (reduction.h) and come down as what ends
 *                  must not be earlier than
 *   second round   while clocks are corrected: corrected ends go up, and come down as what begins must not be later
 *                  than
 *
 * Inside of the replay only. Uses: clock_vproc, reduction. MT: the worker's thread. Ranks: local.
 */
#ifndef HD_CLOCK_COLL_H
#define HD_CLOCK_COLL_H

#include "clock_vproc.h"

/* ch->replay and ch->scratch are set. */
hd_clock_coll *hd_clock_coll_new(hd_clock_worker *ch, hd_worker *worker);
void           hd_clock_coll_free(hd_clock_coll *coll);

/* Set-up, with the engine run to quiescence after each: the collectives of a process are counted; those that lack
 * members are excluded from comparison and correction. */
void hd_clock_coll_announce(hd_clock_worker *ch, hd_worker *worker, const hd_clock_process *process);
void hd_clock_coll_exclude(hd_clock_worker *ch, hd_worker *worker);

/* The vproc is at the begin of a collective. */
void hd_clock_coll_begin(hd_clock_worker *ch, hd_worker *worker, hd_clock_vproc *vproc);
/* The vproc is at the end of a collective. bound: out, what the end must not be earlier than; untouched if there is
 * nothing. False: it is not known yet, the vproc waits. */
bool hd_clock_coll_bound(hd_clock_worker *ch, hd_clock_vproc *vproc, hd_clock_bound *bound);
/* The vproc's end has its corrected time. bound: what it was bound by. */
void hd_clock_coll_end(hd_clock_worker *ch, hd_worker *worker, hd_clock_vproc *vproc, const hd_clock_bound *bound);
/* An item from HD_CLOCK_ITEM_COUNT on. */
void hd_clock_coll_deliver(hd_clock_worker *ch, hd_worker *worker, uint32_t kind, const void *data);

#endif
