/* src/profile/wait_vertices.h: the wait-for graph while it is made: a vertex for each process and operation, an edge
 * for each wait.
 *
 * Vertices are the processes that have not finished, the operations that they wait in, the finished processes that
 * others wait for, and the hub, which stands for all that is not recorded. Inside of the component only.
 * Uses: wait_facts, table. Owner: hd_wait_builder_fini(); the facts stay the caller's and must live as long. MT: one
 * thread. Ranks: local.
 * Cost: linear in processes, waits and missing members, but for sorting.
 */
#ifndef HD_WAIT_VERTICES_H
#define HD_WAIT_VERTICES_H

#include <stdlib.h>

#include "table.h"
#include "wait_facts.h"

/* The reductions: the first gives every doubt to the application, the other takes records as they look. */
enum { HD_RUN_CERTAIN, HD_RUN_LIKELY, HD_N_RUNS };

/* A process, an operation, or the hub. */
typedef struct hd_wait_vertex {
    const hd_ending_fact *fact;    /* NULL: a process that has finished, an operation, the hub */
    uint32_t process;              /* HD_NONE: none */
    uint8_t  kind;                 /* hd_wait_node_kind */
    bool     needs_all;
    bool     blocked[HD_N_RUNS];   /* in each reduction */
    uint32_t comm, number, operation, call_path; /* of an operation; call_path: of those who wait in it, HD_NONE: any */
    uint32_t cycle, next, end;     /* next, end: vertices */
} hd_wait_vertex;

typedef struct hd_wait_arc {
    uint32_t from, to, kind, comm, tag;
    bool     is_doubtful;
} hd_wait_arc;

typedef struct hd_wait_builder {
    hd_wait_facts *facts;
    hd_wait_vertex *vertices; /* [n] as many processes as there are endings come first */
    size_t    n, capacity;
    hd_wait_arc    *edges;    /* [n_edges] sorted by from, to; each once */
    size_t    n_edges, capacity_edges;
    size_t   *first_out;  /* [n + 1] in edges */
    size_t   *first_in;   /* [n + 1] in ins */
    uint32_t *ins;        /* [n_edges] numbers of edges, by their end */
    hd_table  of_process; /* -> vertex */
    uint32_t  hub;
    uint32_t  n_cycles;
} hd_wait_builder;

/* Makes vertices and edges; false: no process waits. facts: are sorted, n_waits > 0. */
bool hd_wait_builder_init(hd_wait_builder *builder, hd_wait_facts *facts);
void hd_wait_builder_fini(hd_wait_builder *builder);

/* For qsort(): edges by their ends, then by what they say. */
int hd_wait_compare_arcs(const void *left, const void *right);

/* In a function for qsort() with a and b: returns where a field of both differs. */
#define HD_COMPARE(field)                                                                                              \
    if (a->field != b->field)                                                                                          \
    return a->field < b->field ? -1 : 1

static inline void
hd_wait_sort(void *array, size_t n, size_t bytes, int (*compare)(const void *, const void *))
{
    if (n > 1)
        qsort(array, n, bytes, compare);
}

#endif
