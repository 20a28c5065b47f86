/* replay/backward/charge.h: from a wait to those who caused it: to excess time of the delayer, and to its own waits before.
 *
 * A wait of the delayer inside of an interval that was charged passes on a share of each of its ticks: the scales in
 * force are summed up per effect (effect.h) when the interval is entered, from its end, and taken off where it begins,
 * in fixed-point numbers, so exactly.
 * Definitions: docs/metrics.md#delay-costs. Inside of the replay only. Uses: profile, scheduler. MT: the worker's thread.
 * Ranks: local.
 * Memory: 16 bytes per interval in force, and 32 per effect of it.
 */
#ifndef HD_CHARGE_H
#define HD_CHARGE_H

#include "backward_message.h"
#include "sync_time.h"

typedef struct hd_answer_item {
    uint32_t process, thread, call_path, delay;
    double   indirect;           /* part of the wait that the delayer's own waits caused */
    double   excess;             /* part of it that can be charged to nobody */
    double   costs[HD_N_DELAYS]; /* likewise */
} hd_answer_item;

void hd_charges_fini(hd_charges *charges);

hd_sync_rules hd_charge_rules(hd_replay_worker *rh, bool extended);
/* From here back to the point `until` waits pass on these scales. */
void hd_charge_put_in_force(hd_replay_worker *rh, hd_charges *charges, const hd_effect_costs *scales, bool extended, uint32_t until);
/* Intervals that begin at this point end. */
void hd_charge_take_off(hd_replay_worker *rh, hd_charges *charges, uint32_t point);
/* What a wait at the point at hand cost others further on, into rh->backward->wait_costs. */
void hd_charge_wait_costs(hd_replay_worker *rh, const hd_charges *charges, const hd_vproc *vproc, const hd_sync *sync);

/* Charges one wait to the interval whose vector is rh->backward->own and whose own waits sum to `waits`; adds to
 * rh->backward->scales what these pass on of each of their ticks. */
void hd_charge_wait(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, const hd_backward_message *message, double waits, uint32_t previous);
/* All the time in rh->backward->own makes n threads idle. */
void hd_charge_idle(hd_replay_worker *rh, hd_vproc *vproc, double n, uint32_t until);
/* Nobody can be charged for it: the waiting side learns that. */
void hd_charge_nobody(hd_replay_worker *rh, hd_worker *worker, const hd_wait_item *item, const hd_effect_cost *costs);
void hd_charge_answer(hd_replay *replay, const hd_answer_item *answer); /* books what the delayer says */

#endif
