/* replay/simulate/sim_pieces.h: changes of single pieces of computation: balance of each instance of a region, and runs
 * without the delays that the analysis found.
 *
 *   balance ... per REGION   the k-th instances of REGION on all processes are balanced with each other
 *   remove delay             of each delay the computation is taken from the latest pieces of its interval that have
 *                            any left; what is taken for one delay counts for all intervals that contain it
 *
 * Pieces are entries of the interval log. Each change has a list of those that get longer or shorter, and by how much;
 * a pass walks along the lists of its lanes. Definitions: docs/simulation.md#hypotheses. Inside of the component only.
 * Uses: sim_change.h. MT: main thread only, but start, next and end: the worker's thread.
 * Cost: pieces and delays, times the logarithm of the pieces. Memory: 16 bytes per piece that changes and hypothesis;
 * while they are found 48 per selected piece of a location, and 8 MiB.
 */
#ifndef HD_SIM_PIECES_H
#define HD_SIM_PIECES_H

#include "sim_change.h"

typedef struct hd_sim_piece_cursor {
    const hd_changed_piece *next, *end;
    uint32_t                lane;
} hd_sim_piece_cursor;

/* The pieces of a balance per region. Ranks: all, together. Errors: HD_EUSAGE, there are no instances with selected
 * computation. */
hd_status hd_sim_pieces_balance(hd_sim *sim, const hd_hypothesis *hypothesis, hd_change *change);
/* The pieces of delays, of all hypotheses that have none yet. Ranks: local. */
void hd_sim_pieces_of_delays(hd_sim *sim, const hd_hypothesis *hypotheses, size_t n);

/* A location begins a pass; what a piece after the other adds to the times of the lanes; it ends. */
void hd_sim_pieces_start(const hd_sim *sim, hd_sim_location *location);
void hd_sim_pieces_next(hd_sim_location *location, hd_sim_times *times);
void hd_sim_pieces_end(hd_sim_location *location);

#endif
