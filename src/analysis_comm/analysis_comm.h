/* src/analysis_comm/analysis_comm.h: the analysis communicator, which all analysis ranks belong to.
 *
 * Two implementations: over MPI (analysis_comm_mpi.c, transport_mpi.c; mpi_part.h says where a program gets it from),
 * and for a single process (analysis_comm_single.c), which needs no MPI and starts in no time.
 * Uses: base. Owner: the program, one object for the whole run.
 * MT: main thread only, unless a line says otherwise. Ranks: all analysis ranks, together, in the same order; what must
 * be equal on all of them is said. Errors: a failing MPI call ends the run.
 */
#ifndef HD_ANALYSIS_COMM_H
#define HD_ANALYSIS_COMM_H

#include "bytes.h"
#include "status.h"
#include "types.h"

typedef struct hd_analysis_comm hd_analysis_comm;

typedef enum hd_reduce { HD_SUM, HD_MAX, HD_MIN, HD_OR } hd_reduce;

/* An implementation. The other one is hd_mpi_part()'s. */
typedef struct hd_analysis_comm_calls hd_analysis_comm_calls;
extern const hd_analysis_comm_calls hd_analysis_comm_single;

/* Opens it (over MPI: MPI_Init_thread with MPI_THREAD_FUNNELED). */
hd_analysis_comm *hd_analysis_comm_open(const hd_analysis_comm_calls *calls, int *argc, char ***argv);
void      hd_analysis_comm_close(hd_analysis_comm *analysis_comm);

hd_arank    hd_analysis_comm_rank(const hd_analysis_comm *analysis_comm);       /* MT: any thread. Ranks: local */
uint32_t    hd_analysis_comm_size(const hd_analysis_comm *analysis_comm);       /* MT: any thread. Ranks: local */
uint32_t    hd_analysis_comm_node(const hd_analysis_comm *analysis_comm);       /* number of this rank's node, 0 ..
                                                                                 * n_nodes-1 in rank order. local */
uint32_t    hd_analysis_comm_node_rank(const hd_analysis_comm *analysis_comm);  /* position of this rank among those of
                                                                                 * its node. local */
uint32_t    hd_analysis_comm_node_size(const hd_analysis_comm *analysis_comm);  /* ranks on this node. local */
const char *hd_analysis_comm_node_name(const hd_analysis_comm *analysis_comm);  /* of this rank's node, as the system
                                                                                 * calls it. local */
char       *hd_analysis_comm_library(const hd_analysis_comm_calls *calls); /* "Open MPI 4.1.4", "MPICH 4.0.2", "none";
                                                                 * also before it is open. free() it. local */
const hd_analysis_comm_calls *hd_analysis_comm_calls_of(const hd_analysis_comm *analysis_comm); /* local */

void hd_analysis_comm_barrier(hd_analysis_comm *analysis_comm);
/* data: bytes (equal on all) from root's memory into that of all */
void hd_analysis_comm_broadcast(hd_analysis_comm *analysis_comm, void *data, size_t bytes, hd_arank root);
/* values[n] (n and op equal on all) becomes the reduction over the ranks, element by element, on all of them */
void hd_analysis_comm_reduce(hd_analysis_comm *analysis_comm, uint64_t *values, size_t n, hd_reduce op);
/* the sum of value over the ranks before this one */
uint64_t hd_analysis_comm_prefix_sum(hd_analysis_comm *analysis_comm, uint64_t value);
/* All ranks' bytes, one after the other in rank order, on rank 0: *all (free() it) and, for each rank, its number of
 * bytes in *n_bytes ([size], free() it). On the others both are NULL. Works above 2 GiB. */
void hd_analysis_comm_gather(hd_analysis_comm *analysis_comm, const void *data, size_t bytes, uint8_t **all,
                             uint64_t **n_bytes);

/* Folds one run of bytes per rank into one along a binary tree: merge(context, lower, upper) replaces *lower, which
 * comes from lower ranks, by the merge of both (upper is read only). The result is in *bytes of rank 0; undefined
 * elsewhere. */
typedef void (*hd_merge)(void *context, hd_bytes *lower, const hd_bytes *upper);
void hd_analysis_comm_fold(hd_analysis_comm *analysis_comm, hd_bytes *bytes, hd_merge merge, void *context);

/* One read-only copy per node of the *bytes at data on rank 0. On the other ranks data and *bytes are ignored; *bytes
 * is set on all. Owner: the communicator, until hd_analysis_comm_close(). Whether it is really shared depends on the
 * MPI library. */
const void *hd_analysis_comm_share(hd_analysis_comm *analysis_comm, const void *data, size_t *bytes);

/* Agrees on a status: HD_OK if all have HD_OK. Else every rank gets the status, and as hd_error_get() the words, of the
 * lowest rank that failed with something else than HD_EPEER. */
hd_status hd_agree(hd_analysis_comm *analysis_comm, hd_status status);

/* Ends all ranks with this exit code; where there are several, after a fifth of a second, in which launchers pass on
 * what was said last. MT: any thread. Ranks: local. */
_Noreturn void hd_analysis_comm_abort(hd_analysis_comm *analysis_comm, int exit_code);

#endif
