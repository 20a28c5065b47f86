/* src/report/members/wait_graph_list.h: who waits for whom at the end, as tables of a report, and as a drawing.
 *
 * docs/formats.md#wait-graph: heddle.waitgraph.tsv and heddle.waits.tsv in the report, and the file
 * REPORT.waitgraph.dot beside it, which Graphviz draws. Read tables are taken for damaged until checked. Uses:
 * cube_reader, profile. MT: one thread. Ranks: local.
 */
#ifndef HD_WAIT_GRAPH_LIST_H
#define HD_WAIT_GRAPH_LIST_H

#include <stdio.h>

#include "calltree.h"
#include "cube_reader.h"
#include "defs.h"
#include "wait_graph.h"

#define HD_WAIT_GRAPH_MEMBER "heddle.waitgraph.tsv"
#define HD_WAITS_MEMBER      "heddle.waits.tsv"

typedef struct hd_wait_graph_names { /* what the numbers of a graph are called */
    const hd_defs     *defs;
    const hd_calltree *tree;
    const uint32_t    *numbers; /* [tree->n] ids of call paths in the anchor; of tables alone */
} hd_wait_graph_names;

/* Errors of writing stay with the stream. */
void hd_wait_graph_write(FILE *file, const hd_wait_graph *graph, const hd_wait_graph_names *names);
void hd_waits_write(FILE *file, const hd_wait_graph *graph, const hd_wait_graph_names *names);
void hd_wait_graph_write_dot(FILE *file, const hd_wait_graph *graph, const hd_wait_graph_names *names);

typedef struct hd_wait_node_entry { /* see hd_wait_node; times in seconds; texts without control characters */
    hd_wait_node_kind kind;
    const char *processes;    /* "0-4,6" */
    const char *operation, *communicator; /* "": none */
    uint32_t    n_processes, thread, path, n_cut, number; /* path: in cube->paths; number: from 1 on */
    uint32_t    cycle, next, end;
    double      first, last;
    bool        needs_all, is_blocked, is_certain;
    size_t      first_edge, n_edges; /* in edges */
} hd_wait_node_entry;

typedef struct hd_wait_edge_entry {
    uint32_t    from, to, kind, tag; /* nodes; hd_wait_kind */
    const char *communicator;        /* "": none */
    bool        is_doubtful;
} hd_wait_edge_entry;

typedef struct hd_wait_graph_list {
    hd_wait_node_entry *nodes; /* [n_nodes] */
    hd_wait_edge_entry *edges; /* [n_edges] by from */
    size_t              n_nodes, n_edges;
    uint32_t            n_cycles;
    char               *texts[2]; /* of both tables */
} hd_wait_graph_list;

/* hd_wait_graph_list_fini() it; no nodes: the report has none. Errors: HD_EREAD; HD_ESIZE; HD_EFORMAT with the line
 * that is wrong. list is empty then. */
hd_status hd_wait_graph_list_read(hd_cube *cube, hd_wait_graph_list *list);
void      hd_wait_graph_list_fini(hd_wait_graph_list *list);

/* As in the tables: "waits", "send". */
const char *hd_wait_node_kind_name(hd_wait_node_kind kind);
const char *hd_wait_kind_name(uint32_t kind); /* hd_wait_kind */

#endif
