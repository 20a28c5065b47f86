/* replay/simulate/sim_piece_cursor.h: a location goes through the changed pieces of computation of all lanes (balances
 * per region, delays) while it is simulated. Part of sim_change.c. Owner: the location, until hd_sim_changes_free().
 * Memory: 24 bytes per change that has pieces there. MT: the location's worker. Ranks: local.
 */
#ifndef HD_SIM_PIECE_CURSOR_H
#define HD_SIM_PIECE_CURSOR_H

#include "memory.h"
#include "sim_state.h"

typedef struct hd_sim_piece_cursor {
    const hd_changed_piece *next, *end;
    uint32_t                lane;
} hd_sim_piece_cursor;

static inline void
hd_sim_piece_cursors_make(const hd_sim *sim, hd_sim_location *location)
{
    size_t capacity = 0;

    location->i_piece = 0;
    for (uint32_t lane = 0; lane < sim->n_lanes; lane++)
        for (size_t c = 0; c < sim->hypotheses[lane].n_changes; c++) {
            const hd_change         *change = &sim->hypotheses[lane].changes[c];
            const hd_changed_pieces *pieces = change->pieces != NULL ? &change->pieces[location->number] : NULL;

            if (pieces != NULL && pieces->n > 0)
                HD_PUSH(location->piece_cursors, location->n_piece_cursors, capacity,
                        ((hd_sim_piece_cursor){ .next = pieces->rows, .end = pieces->rows + pieces->n, .lane = lane }));
        }
}

/* Adds what the next piece changes. */
static inline void
hd_sim_piece_cursors_next(const hd_sim *sim, hd_sim_location *location, hd_span *times)
{
    for (size_t i = 0; i < location->n_piece_cursors; i++) {
        hd_sim_piece_cursor *cursor = &location->piece_cursors[i];

        if (cursor->next < cursor->end && cursor->next->piece == location->i_piece) {
            hd_sim_add(sim, times, cursor->lane, cursor->next->longer);
            cursor->next++;
        }
    }
    location->i_piece++;
}

#endif
