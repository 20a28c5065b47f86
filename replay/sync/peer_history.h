/* replay/sync/peer_history.h: the last common synchronization point of a location and any process, while the
 * points of the location are passed in order.
 *
 * Points of pairs stand in an array by process, which the locations of a worker use one after the other; those of a
 * whole communicator in a list, the latest last. An entry is dropped when a later one covers it. Inside of the replay
 * only. MT: the worker's thread. Ranks: local.
 * Cost: a lookup passes the communicators used since the point that it finds.
 */
#ifndef HD_PEER_HISTORY_H
#define HD_PEER_HISTORY_H

#include "vproc.h"
#include "sync_store.h"

typedef struct hd_common_sync { /* with many at once */
    uint32_t sync;
    uint32_t comm;          /* HD_NONE: with all */
    uint32_t list;          /* those of the communicator that synchronised; HD_NONE: all of it */
} hd_common_sync;

typedef struct hd_pair_sync { /* the latest with one process */
    uint32_t location;        /* number of whose it is, from 1 */
    uint32_t sync;
} hd_pair_sync;

typedef struct hd_comm_sync { /* the latest that all of a communicator took part in */
    uint32_t location;        /* as above */
    uint32_t place;           /* in groups, if they have it still */
} hd_comm_sync;

typedef struct hd_peer_history {
    hd_replay_worker *rh;
    hd_pair_sync     *pairs;    /* [n_pairs + 1] by process, the last one of HD_NONE; lent */
    hd_comm_sync     *comms;    /* [communicators] lent */
    uint32_t          n_pairs, location;
    hd_common_sync   *groups; /* [n] ascending by sync; sync == 0: a later one covers it */
    size_t            n, capacity, n_covered;
} hd_peer_history;

void hd_peer_history_fini(hd_peer_history *history);
void hd_peer_history_add(hd_peer_history *history, uint32_t process, uint32_t sync);
void hd_peer_history_add_group(hd_peer_history *history, hd_common_sync common);
/* The latest point in common with the process; 0, the begin, if there is none. */
uint32_t hd_peer_history_latest(const hd_peer_history *history, uint32_t process);
/* The same, before this one is added. */
uint32_t hd_peer_history_replace(hd_peer_history *history, uint32_t process, uint32_t sync);

#endif
