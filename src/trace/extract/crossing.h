/* src/trace/extract/crossing.h: which records of a part of the run belong to others before it.
 *
 * Messages are matched by their order: the k-th send on a channel belongs to the receive that was posted as the k-th
 * one. So a receive whose send is before the part would take the first send in it, and all that follow would be
 * shifted; the same holds for the ends of collective operations that another member ended before. First all records
 * before the part are counted, of all locations; then the first ones in it that do not belong are named (receives:
 * receives_before.h). A message that is cancelled, and channels that several threads of a process share, are not looked
 * at closely: the first records of the location that is asked for first are named. Uses: defs. Owner: the caller, free
 * with hd_crossing_free(). MT: one thread. Ranks: local. Grows with: channels.
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

/* All before the part is counted. A channel on which more messages were sent than received owes receives. */
void     hd_crossing_counted(hd_crossing *crossing);
/* Channels to a process that owe some. */
uint64_t hd_crossing_n_owing(const hd_crossing *crossing, uint32_t process);
/* The channel of a receive, valid as long as the crossing; HD_NONE: it owes none. */
uint32_t hd_crossing_owing_channel(hd_crossing *crossing, uint32_t process, uint32_t comm_ref, uint32_t peer,
                                   uint32_t tag);
uint64_t hd_crossing_owed(const hd_crossing *crossing, uint32_t channel);
/* One receive is owed less; false: none was. */
bool     hd_crossing_pay(hd_crossing *crossing, uint32_t channel);
/* In the part, when all before is counted: whether the end belongs to it. */
bool hd_crossing_take_collective(hd_crossing *crossing, uint32_t process, hd_crossing_kind kind, uint32_t comm_ref);

#endif
