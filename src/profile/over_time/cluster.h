/* src/profile/over_time/cluster.h: which iterations are alike: they make the same calls, take about as long and wait as
 * much.
 *
 * Definition: docs/metrics.md#clusters. Uses: base. Owner: hd_clusters_fini(). MT: any thread. Ranks: local. Integers
 * only: the same clusters on any machine. Cost: O(n HD_CLUSTERS_MOST n_values), and O(HD_CLUSTERS_MOST^2 n_values) more
 * for each iteration that would be a cluster too many. Memory: 4 bytes per iteration.
 */
#ifndef HD_CLUSTER_H
#define HD_CLUSTER_H

#include "types.h"

enum {
    HD_CLUSTERS_MOST      = 64,
    HD_CLUSTER_ITERATIONS = 65536, /* of more there are none */
    HD_CLUSTER_VALUES     = 512    /* largest n_values */
};

typedef struct hd_cluster {
    uint32_t structure; /* from 0: clusters with the same number make the same calls */
    uint32_t n;         /* iterations */
    uint32_t first, typical; /* iterations, from 0: the first one; the one nearest to the means, of equal ones the
                              * first */
} hd_cluster;

typedef struct hd_clusters {
    hd_cluster *rows; /* [n] those with most iterations first, at equal ones the earlier first */
    uint32_t    n;
    uint32_t   *of;   /* [iterations] index in rows */
} hd_clusters;

typedef struct hd_cluster_request {
    uint32_t               n;        /* iterations */
    const uint64_t *const *values;   /* [n_values][n] ticks; sums of all below 2^63 */
    uint32_t               n_values;
    const uint64_t        *calls;    /* [n][n_words] a bit for each call path that the iteration has */
    uint32_t               n_words;
    uint32_t               most;     /* clusters, at most HD_CLUSTERS_MOST; 0: as many */
} hd_cluster_request;

/* Empty for n above HD_CLUSTER_ITERATIONS. */
hd_clusters hd_clusters_of(const hd_cluster_request *request);
void        hd_clusters_fini(hd_clusters *clusters);

/* "1-4,6,9": the iterations of a cluster, from 1, as `in iteration` of the simulation takes them; free() it. */
char *hd_clusters_which(const hd_clusters *clusters, uint32_t cluster, uint32_t n_iterations);

#endif
