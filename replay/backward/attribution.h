/* replay/backward/attribution.h: attributes a wait to its causes: to excess time of the delayer, and to its own
 * waits before.
 *
 * A wait of the delayer inside of an interval that a wait was attributed to passes on a share of each of its ticks: the
 * scales in force are summed up per effect (effect.h) when the interval is entered, from its end, and taken off where
 * it begins, in fixed-point numbers, so exactly.
 * Definitions: docs/metrics.md#delay-costs. Inside of the replay only. Uses: profile, scheduler. MT: the worker's
 * thread.
 * Ranks: local.
 * Memory: 16 bytes per interval in force, and 32 per effect of it.
 */
#ifndef HD_ATTRIBUTION_H
#define HD_ATTRIBUTION_H

#include "backward_message.h"
#include "sync_time.h"

typedef struct hd_reply_item {  /* n_costs doubles follow: unattributed long-term costs of the waiting side */
    uint32_t process, thread, call_path, delay;
    double   indirect;          /* part of the wait that the delayer's own waits caused */
    double   excess;            /* part of the wait that is unattributed */
    uint64_t n_costs;           /* HD_N_DELAYS, for each kind of delay; 0: none */
} hd_reply_item;

void hd_attributions_fini(hd_attributions *attributions);

static inline hd_sync_rules
hd_attribution_rules(hd_replay_worker *rh, bool extended)
{
    return (hd_sync_rules){ .extended = extended, .limit = rh->backward->limit, .scratch = &rh->backward->waits };
}

/* From here back to the point `until` waits pass on these scales. */
void hd_attributions_put_in_force(hd_replay_worker *rh, hd_attributions *attributions, const hd_effect_costs *scales,
                                  bool extended, uint32_t until);
/* Intervals that begin at this point end. */
void hd_attributions_end(hd_replay_worker *rh, hd_attributions *attributions, uint32_t point);

static inline void
hd_attributions_take_off(hd_replay_worker *rh, hd_attributions *attributions, uint32_t point)
{
    if (attributions->n > 0 && attributions->rows[0].until >= point)
        hd_attributions_end(rh, attributions, point);
    while (attributions->n_reaches > 0 && attributions->reaches[attributions->n_reaches - 1].until >= point)
        attributions->n_reaches--;
}

/* What a wait at this point cost others further on, into rh->backward->wait_costs. */
void hd_attributions_wait_costs(hd_replay_worker *rh, const hd_attributions *attributions, const hd_vproc *vproc,
                                const hd_sync *sync);

/* Attributes one wait to the interval from point `previous` to `point` whose vector is rh->backward->own and whose own
 * waits sum to `waits`; adds to rh->backward->scales what these pass on of each of their ticks. */
void hd_attribute_wait(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc, const hd_backward_message *message,
                       double waits, uint32_t previous, uint32_t point);
/* All the time in rh->backward->own makes n threads idle. */
void hd_attribute_idle(hd_replay_worker *rh, hd_vproc *vproc, double n, uint32_t until);
/* The wait has no cause: the waiting side learns that. */
void hd_leave_unattributed(hd_replay_worker *rh, hd_worker *worker, const hd_wait_item *item,
                           const hd_effect_cost *costs);
/* On the waiting side. */
void hd_attribution_book_reply(hd_replay *replay, const hd_reply_item *reply, const double *costs);

#endif
