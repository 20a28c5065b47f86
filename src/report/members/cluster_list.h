/* src/report/members/cluster_list.h: clusters of iterations that are alike, as a table that a report carries.
 *
 *   heddle.clusters.tsv   cluster · calls · iterations · first · typical · duration · waiting · which
 *
 * Clusters and iterations count from 1; which: "1-4,6" are the iterations. Times are means of an iteration, in seconds.
 * Definition: docs/metrics.md#clusters. A read table is taken for damaged until checked. Uses: cube_reader,
 * iteration_series. MT: one thread. Ranks: local.
 */
#ifndef HD_CLUSTER_LIST_H
#define HD_CLUSTER_LIST_H

#include <stdio.h>

#include "cube_reader.h"
#include "iteration_series.h"

#define HD_CLUSTERS_MEMBER "heddle.clusters.tsv"

/* resolution: ticks of a second. Errors of writing stay with the stream. */
void hd_clusters_write(FILE *file, const hd_iteration_series *series, uint64_t resolution);

typedef struct hd_cluster_entry {
    uint32_t calls;           /* clusters with the same number make the same calls */
    uint32_t n;               /* iterations */
    uint32_t first, typical;  /* from 1 */
    double   duration;        /* [s] mean, of the process that an iteration takes longest */
    double   waiting;         /* [s] mean, of all processes */
    char    *which;
} hd_cluster_entry;

typedef struct hd_cluster_list {
    hd_cluster_entry *rows; /* [n] cluster k at k - 1 */
    uint32_t          n;    /* 0: the report has none */
} hd_cluster_list;

/* Of a report with so many iterations. hd_cluster_list_fini() it. Errors: HD_EREAD; HD_ESIZE; HD_EFORMAT with the line
 * that is wrong. */
hd_status hd_cluster_list_read(hd_cube *cube, uint32_t n_iterations, hd_cluster_list *list);
void      hd_cluster_list_fini(hd_cluster_list *list);

#endif
