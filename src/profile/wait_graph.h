/* src/profile/wait_graph.h: who waits for whom when the recording ends, from facts about each process.
 *
 *   process ──waits for──▶ process | operation | somebody unknown        operation ──misses──▶ process
 *
 * An operation is one instance of a collective, so that what waits in it is linear in the members, not quadratic. Whoever can go on is found by
 * reduction, from those that were not waiting: a process goes on if one of what it may wait for is there (of an epoch: all), an operation if all members are (or,
 * where a member needs not all, one of those that miss). Who is left waits for each other in cycles, or behind cycles, or for a process that has
 * finished. This is done twice: `certain` gives every doubt to the application, otherwise records are taken as they look.
 * What doubts there are: recordings that are cut; messages that may be what a receive waits for; members in a call of the same name on another
 * call path, where it is not known on which communicator they are. Definitions: docs/user-guide.md#what-could-not-finish.
 *
 * Uses: trace (definitions). Owner: hd_wait_graph_free(). MT: any thread. Ranks: local (rank 0 has all facts).
 * Cost: linear in processes, waits, and members that miss, but for sorting. Grows with: these.
 */
#ifndef HD_WAIT_GRAPH_H
#define HD_WAIT_GRAPH_H

#include "types.h"

typedef enum hd_ending {
    HD_ENDING_WAITS,   /* in a call that waits for another process */
    HD_ENDING_STOPPED, /* in something else */
    HD_ENDING_SILENT,  /* nothing of it was recorded */
    HD_ENDING_FINISHED
} hd_ending;

typedef struct hd_ending_fact { /* of a process that has not finished */
    uint32_t process, thread;   /* thread: that tells where it is */
    uint32_t call_path;         /* of the unified tree; HD_NONE: none */
    uint8_t  ending;            /* hd_ending */
    bool     is_cut;            /* it may have gone on, but that was not recorded */
    bool     may_receive;       /* a receive is open, whose sender is not recorded */
    bool     has_mail;          /* then: there are messages for it that it has not received */
    bool     may_go_on;         /* some of what it waits for may be there */
    bool     needs_all;         /* of what it waits for; else one of it lets it go on */
    hd_time  since, end;        /* enter of the call; last record */
} hd_ending_fact;

typedef enum hd_wait_kind {
    HD_WAIT_SEND,       /* that a process receives */
    HD_WAIT_RECEIVE,    /* for a message */
    HD_WAIT_COLLECTIVE,
    HD_WAIT_POST,       /* of a window: that a target exposes it, */
    HD_WAIT_COMPLETE,   /* that an origin ends its epoch */
    HD_WAIT_OTHER,
    HD_WAIT_MEMBER      /* of an operation: that a process enters it */
} hd_wait_kind;

typedef struct hd_wait_fact { /* one of what a process may wait for */
    uint32_t process, kind;   /* hd_wait_kind */
    uint32_t peer, tag;       /* SEND; POST and COMPLETE have no tag */
    uint32_t comm;            /* all of these, COLLECTIVE; index in the definitions; HD_NONE: all MPI processes, as in MPI_Init */
    uint32_t number;          /* COLLECTIVE: in the communicator */
    uint32_t operation;       /* COLLECTIVE: recording_end.h */
    bool     is_sure;         /* COLLECTIVE: there is no other communicator that it may be on */
} hd_wait_fact;

typedef struct hd_member_fact { /* of a communicator in which somebody waits */
    uint32_t comm, process;
    uint32_t n;               /* collectives on it that it has completed */
} hd_member_fact;

typedef struct hd_wait_facts {
    hd_ending_fact *endings; /* [n_endings] in any order, likewise: */
    hd_wait_fact   *waits;   /* [n_waits] of processes whose ending is WAITS */
    hd_member_fact *members; /* [n_members] those that have not done all that others wait in; who is not among them has */
    size_t          n_endings, n_waits, n_members;
} hd_wait_facts;

void hd_wait_facts_fini(hd_wait_facts *facts);

typedef enum hd_wait_node_kind {
    HD_NODE_WAITS, HD_NODE_STOPPED, HD_NODE_SILENT, HD_NODE_FINISHED, /* as hd_ending */
    HD_NODE_OPERATION,
    HD_NODE_UNKNOWN /* somebody that is not recorded */
} hd_wait_node_kind;

typedef struct hd_wait_node {   /* processes of which the same is to be said; an operation */
    hd_wait_node_kind kind;
    size_t   first_process;     /* in processes */
    uint32_t n_processes;
    uint32_t thread, call_path; /* of an operation: of one who waits in it; HD_NONE: none */
    hd_time  first, last;       /* enters of the calls that wait; else of the last records: the earliest and the latest */
    uint32_t n_cut;             /* of the processes */
    uint32_t comm, number;      /* of an operation; comm HD_NONE: all MPI processes */
    bool     needs_all;         /* waits for all, not for one of them; an operation for those that it misses */
    uint32_t cycle;             /* from 1 on; 0: in none */
    bool     is_blocked;        /* nothing that was not waiting can help it */
    bool     is_certain;        /* likewise, without doubt */
    uint32_t next;              /* node that it waits for on the way to the end of its chain; HD_NONE: there is none */
    uint32_t end;               /* node at the end of its chain; of a cycle its lowest; HD_NONE: there is none */
} hd_wait_node;

typedef struct hd_wait_edge {
    uint32_t from, to;   /* nodes */
    uint32_t kind;       /* hd_wait_kind; MEMBER: of an operation, whom it misses */
    uint32_t comm, tag;  /* SEND; comm: POST, COMPLETE, too */
    bool     is_doubtful;
} hd_wait_edge;

typedef struct hd_wait_graph {
    hd_wait_node *nodes;     /* [n_nodes] processes by their lowest one, then operations, then UNKNOWN */
    hd_wait_edge *edges;     /* [n_edges] by from, to */
    uint32_t     *processes; /* of all nodes, ascending in each */
    uint32_t      n_nodes, n_cycles;
    size_t        n_edges, n_processes;
} hd_wait_graph;

/* NULL: nobody waits for anybody. facts: are sorted. */
hd_wait_graph *hd_wait_graph_new(hd_wait_facts *facts);
void           hd_wait_graph_free(hd_wait_graph *graph);

#endif
