/* src/profile/wait_graph.h: who waits for whom when the recording ends, from facts about each process.
 *
 *   process ──waits for──▶ process | operation | unknown process        operation ──misses──▶ process
 *
 * An operation is one instance of a collective, so that what waits in it is linear in the members, not quadratic. The
 * processes that can go on are found by reduction, from those that were not waiting: a process goes on if one of what
 * it may wait for is there (of an epoch: all), an operation if all members are (or, where a member needs not all, one
 * of those that miss). The others wait in cycles, or for a process in a cycle, or for a process that has finished. This
 * is done twice: `certain` gives every doubt to the application, otherwise records are taken as they look. What doubts
 * there are: recordings that are cut; messages that may be what a receive waits for; members in a call of the same name
 * on another call path, where it is not known on which communicator they are. Definitions:
 * docs/user-guide.md#what-could-not-finish.
 *
 * Uses: trace (definitions). Owner: hd_wait_graph_free(). MT: any thread. Ranks: local (rank 0 has all facts).
 * Cost: linear in processes, waits, and members that miss, but for sorting. Grows with: these.
 */
#ifndef HD_WAIT_GRAPH_H
#define HD_WAIT_GRAPH_H

#include "wait_facts.h"

typedef struct hd_wait_node {   /* processes of which the same is to be said; an operation */
    hd_wait_node_kind kind;
    size_t            first_process; /* in processes */
    uint32_t          n_processes;
    uint32_t          thread, call_path; /* of an operation: of one who waits in it; HD_NONE: none */
    hd_time           first, last;       /* enters of the calls that wait; else of the last records: the earliest and
                                          * the latest */
    uint32_t          n_cut;             /* of the processes */
    uint32_t          comm, number;      /* of an operation; comm HD_NONE: all MPI processes */
    bool              needs_all;         /* waits for all, not for one of them; an operation for those that it misses */
    uint32_t          cycle;             /* from 1 on; 0: in none */
    bool              is_blocked;        /* nothing that was not waiting can help it */
    bool              is_certain;        /* it is, without doubt */
    uint32_t          next;              /* node that it waits for on the way to the end of its chain; HD_NONE: there is
                                          * none */
    uint32_t          end;               /* node at the end of its chain; of a cycle its lowest; HD_NONE: there is
                                          * none */
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

/* NULL: no process waits, nor did any stop. facts: are sorted.
 *   has_stopped   where no process waits: those that did not finish stopped early, and are in the graph; else they are
 *                 not, as all recordings may end before the program does */
hd_wait_graph *hd_wait_graph_new(hd_wait_facts *facts, bool has_stopped);
void           hd_wait_graph_free(hd_wait_graph *graph);

#endif
