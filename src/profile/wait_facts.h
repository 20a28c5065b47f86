/* src/profile/wait_facts.h: what is known of each process when the recording ends: how it ended, and what it waits for.
 *
 * Every analysis rank has the facts of its processes; rank 0 puts them together and makes the wait-for graph of them
 * (wait_graph.h).
 * Uses: types. Owner: hd_wait_facts_fini(). MT: any thread. Ranks: local. Grows with: processes that have not finished,
 * and what they wait for.
 */
#ifndef HD_WAIT_FACTS_H
#define HD_WAIT_FACTS_H

#include "types.h"

typedef enum hd_ending {
    HD_ENDING_WAITS,   /* in a call that waits for another process */
    HD_ENDING_STOPPED, /* in something else */
    HD_ENDING_SILENT,  /* nothing of it was recorded */
    HD_ENDING_FINISHED
} hd_ending;

typedef struct hd_ending_fact { /* of a process that has not finished */
    uint32_t process, thread;   /* thread: that shows where it is */
    uint32_t call_path;         /* of the unified tree; HD_NONE: none */
    uint8_t  ending;            /* hd_ending */
    bool     is_cut;            /* it may have gone on, but that was not recorded */
    bool     may_receive;       /* a receive is open, whose sender is not recorded */
    bool     has_messages;      /* then: there are messages for it that it has not received */
    bool     may_go_on;         /* some of what it waits for may be there */
    bool     needs_all;         /* of what it waits for; else one of it lets it go on */
    hd_time  since, end;        /* enter of the call; last record */
} hd_ending_fact;

typedef enum hd_wait_kind {
    HD_WAIT_SEND,       /* that a process receives */
    HD_WAIT_RECEIVE,    /* for a message */
    HD_WAIT_COLLECTIVE,
    HD_WAIT_POST,       /* of a window: that a target exposes it */
    HD_WAIT_COMPLETE,   /* of a window: that an origin ends its epoch */
    HD_WAIT_OTHER,
    HD_WAIT_MEMBER      /* of an operation: that a process enters it */
} hd_wait_kind;

typedef struct hd_wait_fact { /* one of what a process may wait for */
    uint32_t process, kind;   /* hd_wait_kind */
    uint32_t peer, tag;       /* SEND; POST and COMPLETE have no tag */
    uint32_t comm;            /* all of these, COLLECTIVE; index in the definitions; HD_NONE: all MPI processes, as in
                               * MPI_Init */
    uint32_t number;          /* COLLECTIVE: in the communicator */
    uint32_t operation;       /* COLLECTIVE: recording_end.h */
    bool     is_sure;         /* COLLECTIVE: there is no other communicator that it may be on */
} hd_wait_fact;

typedef struct hd_member_fact { /* of a communicator in which a process waits */
    uint32_t comm, process;
    uint32_t n;               /* collectives on it that it has completed */
} hd_member_fact;

typedef struct hd_wait_facts {
    hd_ending_fact *endings; /* [n_endings] in any order */
    hd_wait_fact   *waits;   /* [n_waits] of processes whose ending is WAITS */
    hd_member_fact *members; /* [n_members] those that have not done all that others wait in; who is not among them
                              * has */
    size_t          n_endings, n_waits, n_members;
} hd_wait_facts;

void hd_wait_facts_fini(hd_wait_facts *facts);

typedef enum hd_wait_node_kind {
    HD_NODE_WAITS, HD_NODE_STOPPED, HD_NODE_SILENT, HD_NODE_FINISHED, /* as hd_ending */
    HD_NODE_OPERATION,
    HD_NODE_UNKNOWN /* a process that is not recorded */
} hd_wait_node_kind;

#endif
