/* src/record/preload/ring.h: which windows of a log stay, where only the last part of a run is wanted.
 *
 * When a window is full, those whose records are all older than that are given back, the oldest first; where
 * --limit leaves no room for another one, the oldest is, too. What its records mean for those behind them
 * (raw_state.h) is written into P.N.begin before its place is used again or its space given back, so what a process
 * leaves is consistent whenever it is killed. Nothing is done for a single record.
 * Uses: raw_state, recorder. MT: one thread at a time, that of the log. Ranks: local. Grows with: windows that stay.
 */
#ifndef HD_RING_H
#define HD_RING_H

#include "recorder.h"

typedef struct hd_ring hd_ring;

/* NULL: there is no memory. A log keeps it to the end of the program. */
hd_ring *hd_ring_new(void);

/* Finds a place in the file of the log for the window that is full.
 *   number    of the window
 *   is_full   there is no room for another window, unless the log has less than two
 *   offset    out: [bytes] of the place
 *   grows     out: [bytes] by which the file takes more space with it, negative: less
 * Returns NULL, or why nothing more can be recorded. */
const char *hd_ring_turn(hd_ring *ring, int fd, uint32_t log, uint32_t number, bool is_full, uint64_t *offset,
                         int64_t *grows);

/* Within a signal handler, where a window is full before the next record: none is given back then. Whether there is
 * room; [bytes] of its place in the file; takes it, with grows as above. */
bool     hd_ring_has_room(const hd_ring *ring);
uint64_t hd_ring_next_place(const hd_ring *ring);
void     hd_ring_turn_briefly(hd_ring *ring, int64_t *grows);

#endif
