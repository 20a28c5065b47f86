/* replay/forward/unfinished.h: facts about the processes that have not finished: what each waits for, as far as the
 * archive shows.
 *
 * Sends that no process receives and messages for receives that are open are noted on their way; the rest is known when
 * the forward replay is done. A call that is open in a collective operation has no record of its communicator: it may
 * be on any that its process is a member of, as the next one there. Definition of what waits:
 * src/trace/log/recording_end.h.
 * Uses: profile. Owner: the replay.
 * Memory: on rank 0 80 bytes per process that has not finished, 32 per wait, and 12 per member that misses in a
 * communicator in which a process waits.
 */
#ifndef HD_UNFINISHED_H
#define HD_UNFINISHED_H

#include "vproc.h"
#include "wait_graph.h"

typedef struct hd_open_send { /* of a call or request that was open at the end, and that has no receive */
    uint32_t process, thread, peer, comm, tag;
    bool     is_request;
} hd_open_send;

typedef struct hd_unfinished { /* what a worker noted */
    hd_open_send *sends;    /* [n_sends] */
    uint32_t     *has_messages; /* [n_has_messages] processes for which there are messages that they did not receive */
    size_t        n_sends, capacity_sends, n_has_messages, capacity_has_messages;
} hd_unfinished;

/* The current send has no receive. MT: the worker's thread. Ranks: local. */
void hd_unfinished_send(hd_replay_worker *rh, const hd_vproc *vproc);
/* There are messages in the queue that no process receives. MT: the thread of the receiver's worker. Ranks: local. */
void hd_unfinished_messages(hd_replay_worker *rh, const hd_channel_queue *queue);

/* All facts, on rank 0; where no process waits only how those have ended that did not finish. Takes what was noted.
 * MT: main thread only. Ranks: all, together. */
void hd_unfinished_gather(hd_replay *replay, hd_wait_facts *facts);

#endif
