/* topology/cartesian.h: the topology of processes on which messages are looked at, and what it says of two of them.
 *
 *   distance    hops: the sum over the dimensions of the shortest way, around where a dimension is periodic
 *   direction   of a message between neighbours: the axis on which they differ by 1, and whether it goes up or down
 *
 * Source: docs/metrics.md#topologies. Uses: trace. Owner: hd_cartesian_free(). Grows with: processes, 4 bytes per
 * dimension.
 * MT: read only once made. Ranks: local; equal arguments give equal results.
 */
#ifndef HD_CARTESIAN_H
#define HD_CARTESIAN_H

#include "defs.h"
#include "status.h"

#define HD_CARTESIAN_DIMENSIONS_MAX 32

typedef struct hd_cartesian {
    char     *name;
    bool      is_recorded; /* the archive has it */
    uint32_t  n_dimensions, n_processes;
    char     *dimension_names[HD_CARTESIAN_DIMENSIONS_MAX]; /* NULL: none */
    uint32_t  sizes[HD_CARTESIAN_DIMENSIONS_MAX];
    bool      is_periodic[HD_CARTESIAN_DIMENSIONS_MAX];
    uint32_t *places; /* [n_processes][n_dimensions]; the first number HD_NONE: the process has none */
} hd_cartesian;

/* name: of a topology of the archive (of a process with several coordinates the first counts); "grid:4x2", "torus:4x2":
 * the processes of the world in the order of their ranks, the last dimension fastest; "none"; NULL: the first one of
 * the archive that is not that of processes and threads and that all MPI processes are on, else the first that any is
 * on. Topologies on which no process has a place are passed over. *cartesian: NULL if there is none, and where there is
 * no MPI.
 * Errors: HD_EUSAGE, it is not there, too small or too large, or there is no MPI. */
hd_status hd_cartesian_choose(const hd_defs *defs, const char *name, hd_cartesian **cartesian);
void      hd_cartesian_free(hd_cartesian *cartesian);

/* One without dimensions; once they are there, no process has a place. For those who make one. */
hd_cartesian *hd_cartesian_new(const hd_defs *defs, const char *name);
void          hd_cartesian_clear(hd_cartesian *cartesian);

/* false: one of them has no place. */
bool hd_cartesian_distance(const hd_cartesian *cartesian, uint32_t from, uint32_t to, uint64_t *hops);

/* false: they are no neighbours, or both directions are as near (a periodic dimension of size 2). sign: +1, -1 */
bool hd_cartesian_direction(const hd_cartesian *cartesian, uint32_t from, uint32_t to, uint32_t *axis, int *sign);

#endif
