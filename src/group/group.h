/* src/group/group.h: the analysis ranks as a group.
 *
 * One implementation over MPI (group_mpi.c), one for a single process (group_single.c): a build links one of them.
 * Uses: base. Owner: the program, one object for the whole run.
 * MT: main thread only, unless a line says otherwise. Ranks: all analysis ranks, together, in the same order; what must be
 * equal on all of them is said. Errors: a failing MPI call ends the run.
 */
#ifndef HD_GROUP_H
#define HD_GROUP_H

#include "bytes.h"
#include "status.h"
#include "types.h"

typedef struct hd_group hd_group;

typedef enum hd_reduce { HD_SUM, HD_MAX, HD_MIN, HD_OR } hd_reduce;

/* Starts the group (MPI_Init_thread with MPI_THREAD_FUNNELED). */
hd_group *hd_group_open(int *argc, char ***argv);
void      hd_group_close(hd_group *group);

hd_arank    hd_group_rank(const hd_group *group);       /* MT: any thread. Ranks: local */
uint32_t    hd_group_size(const hd_group *group);       /* MT: any thread. Ranks: local */
uint32_t    hd_group_node(const hd_group *group);       /* number of this rank's node, 0 .. n_nodes-1 in rank order. local */
uint32_t    hd_group_node_rank(const hd_group *group);  /* position of this rank among those of its node. local */
uint32_t    hd_group_node_size(const hd_group *group);  /* ranks on this node. local */
const char *hd_group_node_name(const hd_group *group);  /* of this rank's node, as the system calls it. local */
char       *hd_group_library(void);                     /* "Open MPI 4.1.4", "MPICH 4.0.2", "none"; without a group too. free() it. local */

void hd_group_barrier(hd_group *group);
/* data: bytes (equal on all) from root's memory into everybody's */
void hd_group_broadcast(hd_group *group, void *data, size_t bytes, hd_arank root);
/* values[n] (n and op equal on all) becomes the reduction over the ranks, element by element, on all of them */
void hd_group_reduce(hd_group *group, uint64_t *values, size_t n, hd_reduce op);
/* the sum of value over the ranks before this one */
uint64_t hd_group_prefix_sum(hd_group *group, uint64_t value);
/* Everybody's bytes, one after the other in rank order, on rank 0: *all (free() it) and, for each rank, its number of bytes
 * in *n_bytes ([size], free() it). On the others both are NULL. Works above 2 GiB. */
void hd_group_gather(hd_group *group, const void *data, size_t bytes, uint8_t **all, uint64_t **n_bytes);

/* Folds one run of bytes per rank into one along a binary tree: merge(context, lower, upper) replaces *lower, which comes
 * from lower ranks, by the merge of both (upper is read only). The result is in *bytes of rank 0; undefined elsewhere. */
typedef void (*hd_merge)(void *context, hd_bytes *lower, const hd_bytes *upper);
void hd_group_fold(hd_group *group, hd_bytes *bytes, hd_merge merge, void *context);

/* One read-only copy per node of the *bytes at data on rank 0. On the other ranks data and *bytes are ignored; *bytes is set
 * on all. Owner: the group, until hd_group_close(). Whether it is really shared depends on the MPI library. */
const void *hd_group_share(hd_group *group, const void *data, size_t *bytes);

/* Agrees on a status: HD_OK if all have HD_OK. Else every rank gets the status, and as hd_error_get() the words, of the lowest
 * rank that failed with something else than HD_EPEER. */
hd_status hd_agree(hd_group *group, hd_status status);

/* Ends all ranks with this exit code; where there are several, after a fifth of a second, in which launchers pass on what was said last. MT: any
 * thread. Ranks: local. */
_Noreturn void hd_group_abort(hd_group *group, int exit_code);

#endif
