/* src/record/preload/mpi/mpi_communicator.h: communicators of the process: numbers, keys, members.
 *
 * A communicator of several processes has another handle in each. Its key is the same in all, and is found without a
 * message: a hash of its parent's key, how many-th communicator the parent made, and the world rank of its rank 0.
 * Where only some of the parent's members take part (MPI_Comm_create_group, MPI_Intercomm_create), of groups, tag and
 * how many-th one with these. Rank 0 of a communicator defines the members.
 * Uses: mpi_library. MT: any thread; making and freeing one takes a lock. Ranks: local, no communication. Grows with:
 * communicators of the run.
 */
#ifndef HD_MPI_COMMUNICATOR_H
#define HD_MPI_COMMUNICATOR_H

#include "mpi_library.h"

typedef struct hd_comm {
    uint64_t handle;
    uint64_t key[2];
    uint32_t number;
    int      size, rank; /* size: of the remote group where it is an inter-communicator, as operations on it use it */
    bool     is_inter, is_set; /* is_set: a process set, on which nothing is done */
    uint32_t n_windows, n_files; /* that were made on it; under the lock */
    bool     is_foreign; /* has members of other worlds: its messages and collectives are not recorded */
} hd_comm;

/* After MPI_Init: defines the world, MPI_COMM_WORLD and MPI_COMM_SELF. */
void hd_comm_begin(void);
void hd_comm_free_handles(void); /* before MPI_Finalize */

/* After MPI_Session_init: defines the world, if there is none yet, by the process set "mpi://WORLD". It is taken from a
 * session of the recorder's own, so it does not matter in which order the program's end. True: it is the first of the
 * program's. */
bool hd_comm_begin_session(void);
/* Before MPI_Session_finalize. True: it is the last of the program's, and MPI_COMM_WORLD is not in use. */
bool hd_comm_end_session(void);

/* NULL: unknown, MPI_COMM_NULL, or before MPI_Init. Valid until MPI_Finalize, also when it is freed. */
const hd_comm *hd_comm_get(MPI_Comm comm);

typedef struct hd_comm_origin {
    uint64_t key[2];
    uint32_t parent; /* number, HD_NONE: none */
    bool     is_foreign; /* the parent is */
} hd_comm_origin;

/* The next communicator that all of `parent` make; call it once for each such call, also where the process gets
 * MPI_COMM_NULL. */
hd_comm_origin hd_comm_origin_of(MPI_Comm parent);
/* One that the members of the new communicator make, without the others of the parent. */
hd_comm_origin hd_comm_origin_of_some(MPI_Comm parent, MPI_Comm made, int tag);
/* One that is made without a parent; name: the string tag. */
hd_comm_origin hd_comm_origin_of_groups(MPI_Comm made, const char *name);

/* Defines it. NULL: it is MPI_COMM_NULL, or cannot be recorded. */
const hd_comm *hd_comm_add(MPI_Comm made, hd_comm_origin origin);

/* The program frees it. The handle may be used anew at once. */
void hd_comm_remove(uint64_t handle);

/* World ranks of the members of a group, MPI_UNDEFINED for those of other worlds. Returns their number; 0: no memory.
 * ranks: out, free() it. */
int hd_comm_world_ranks(MPI_Group group, int **ranks);

/* How many windows, or files, were made on it before. */
uint32_t hd_comm_count_window(const hd_comm *comm);
uint32_t hd_comm_count_file(const hd_comm *comm);

void hd_comm_name(MPI_Comm comm, const char *name);

#endif
