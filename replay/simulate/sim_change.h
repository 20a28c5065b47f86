/* replay/simulate/sim_change.h: what hypotheses change of a location: the time between its calls, and which of them
 * take none.
 *
 * Of each piece of time in a changed call path a lane takes numerator / denominator; what is left of a tick is carried
 * to the next piece, so totals are exact.
 * Uses: sim_state.h. MT: the worker's thread. Ranks: local, where nothing is said.
 * Memory: 5 bytes per call path and location, 168 per changed one.
 */
#ifndef HD_SIM_CHANGE_H
#define HD_SIM_CHANGE_H

#include "sim_state.h"

typedef struct hd_sim_change { /* of a call path of a location */
    uint64_t numerator[HD_SIM_LANES], denominator[HD_SIM_LANES];
    uint32_t rest[HD_SIM_LANES]; /* in the location's rests: of all call paths of a change together */
    uint32_t lanes;              /* in which pieces are scaled */
    uint32_t cut_lanes;          /* in which pieces above 3 times the typical one are as long as that */
    hd_span  typical;
} hd_sim_change;

/* The goals of all balances, and whether all changes select something. Ranks: all, together. MT: main thread only.
 * Errors: HD_EUSAGE, one does not. */
hd_status hd_sim_changes_prepare(hd_sim *sim, hd_hypothesis *hypotheses, size_t n);

/* [ticks] of selected computation of a location. */
uint64_t hd_sim_change_selected_time(const hd_change *change, const hd_sim_location *location);

typedef struct hd_sim_piece { /* an entry of the interval log */
    uint64_t number;      /* from 0 on */
    uint32_t node;        /* of the location */
    hd_time  from, until; /* of its interval */
    hd_time  ready;       /* the enter of the next call; the end of the location */
    hd_span  time;        /* without the gaps of polled waits */
} hd_sim_piece;

/* Visits the pieces whose call path is selected. */
void hd_sim_change_each_piece(hd_sim_location *location, const hd_change *change,
                              void (*visit)(void *context, const hd_sim_piece *piece), void *context);

/* The goals of a balance: totals, goals: [defs->n_locations]; what has no total has no goal. */
void hd_sim_change_set_goals(const hd_defs *defs, const hd_change *change, const uint64_t *totals, uint64_t *goals);

/* For the hypotheses of the pass. */
void hd_sim_changes_make(const hd_sim *sim, hd_sim_location *location);
void hd_sim_changes_free(hd_sim_location *location);

/* Adds to the times the recorded time before a call, with what changes in it; call: of the location, NULL: behind the
 * last one. */
void hd_sim_change_between(const hd_sim *sim, hd_sim_location *location, const hd_sim_call *call, hd_span between,
                           hd_span *times);

/* How much longer a piece of time in a call path of the location gets. */
hd_span hd_sim_change_piece(hd_sim_location *location, uint32_t node, uint32_t lane, hd_span time);

/* Bits of the lanes in which the call takes no time. */
static inline uint8_t
hd_sim_dropped(const hd_sim_location *location, const hd_sim_call *call)
{
    return location->dropped != NULL && (call->flags & HD_SIM_CALL_BARRIER) != 0 ? location->dropped[call->node] : 0;
}

#endif
