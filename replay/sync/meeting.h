/* replay/sync/meeting.h: when a location last met a process, while its synchronisation points are gone through in order.
 *
 * Meetings of pairs stand in a map; those of a whole communicator in a list, the latest last, of which only those stay
 * that a later one does not cover. Inside of the replay only. MT: the worker's thread. Ranks: local.
 * Cost: a lookup passes the communicators used since the process was met last.
 */
#ifndef HD_MEETING_H
#define HD_MEETING_H

#include "vproc.h"
#include "sync_store.h"

typedef struct hd_meeting { /* with many at once */
    uint32_t sync;
    uint32_t comm;          /* HD_NONE: with all */
    uint32_t list;          /* those of the communicator that synchronised; HD_NONE: all of it */
} hd_meeting;

typedef struct hd_meetings {
    hd_replay_worker *rh;
    hd_map          pairs;  /* process -> index of the synchronisation point */
    hd_meeting     *groups; /* [n] ascending by sync; sync == 0: a later one covers it */
    size_t          n, capacity, n_covered;
    hd_map          of_comm; /* communicator -> index in groups of the latest that all took part in */
} hd_meetings;

void hd_meetings_fini(hd_meetings *meetings);
void hd_meetings_add(hd_meetings *meetings, uint32_t process, uint32_t sync);
void hd_meetings_add_group(hd_meetings *meetings, hd_meeting meeting);
/* The latest one with the process; 0, the begin, if there is none. */
uint32_t hd_meetings_latest(const hd_meetings *meetings, uint32_t process);

#endif
