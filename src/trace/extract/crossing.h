/* src/trace/extract/crossing.h: which records of a part of the run belong to others before it.
 *
 * Messages are matched by their order: the k-th receive on a channel belongs to the k-th send. So a receive whose send
 * is before the part would take the first send in it, and all that follow would be shifted; the same holds for the ends
 * of collective operations that another member ended before. First all records before the part are counted, of all
 * locations; then the first ones in it that do not belong are named. A message that is cancelled, and channels that
 * several threads of a process share, are not looked at closely: the first records of the location that is asked for
 * first are named. Uses: defs. Owner: the caller, free with hd_crossing_free().
 * MT: one thread. Ranks: local. Grows with: channels.
 */
#ifndef HD_CROSSING_H
#define HD_CROSSING_H

#include "ref_map.h"

typedef enum hd_crossing_kind {
    HD_CROSSING_MESSAGE, HD_CROSSING_COLLECTIVE, HD_CROSSING_NON_BLOCKING, HD_CROSSING_WINDOW
} hd_crossing_kind;

typedef struct hd_crossing hd_crossing;

/* defs, refs: live as long. */
hd_crossing *hd_crossing_new(const hd_defs *defs, const hd_ref_maps *refs);
void         hd_crossing_free(hd_crossing *crossing);

/* Before the part. comm_ref, window_ref: numbers in the archive; peer: rank within the communicator. */
void hd_crossing_count_message(hd_crossing *crossing, uint32_t process, uint32_t comm_ref, bool is_send, uint32_t peer,
                               uint32_t tag);
void hd_crossing_count_collective(hd_crossing *crossing, uint32_t process, hd_crossing_kind kind, uint32_t comm_ref);

/* In the part, when all before is counted: whether it belongs to it. */
bool hd_crossing_take_receive(hd_crossing *crossing, uint32_t process, uint32_t comm_ref, uint32_t peer, uint32_t tag);
bool hd_crossing_take_collective(hd_crossing *crossing, uint32_t process, hd_crossing_kind kind, uint32_t comm_ref);

#endif
