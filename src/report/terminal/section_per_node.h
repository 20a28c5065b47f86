/* src/report/terminal/section_per_node.h: the times of each node, for the section "Per node" here and in the HTML
 * report.
 *
 * Uses: cube_reader, division. Owner: hd_node_times_free(). MT: one thread. Ranks: local. Grows with: nodes.
 */
#ifndef HD_SECTION_PER_NODE_H
#define HD_SECTION_PER_NODE_H

#include "cube_reader.h"
#include "json.h"

typedef struct hd_node_time { /* [s] over all locations of its processes */
    char    *name;
    uint32_t n_processes;
    double   time, computation, mpi, waiting; /* 0 where the report does not have it */
} hd_node_time;

/* The nodes that processes run on, those with the most waiting time first: [*n], hd_node_times_free() it; none where
 * there is one node alone.
 * Errors: those of hd_cube_row(). */
hd_status hd_node_times(hd_cube *cube, hd_node_time **nodes, uint32_t *n);
void      hd_node_times_free(hd_node_time *nodes, uint32_t n);

/* An object, as an element of an array. */
void hd_json_node_time(hd_json *json, const hd_node_time *node);

#endif
