/* Persistent collective operations of MPI 4 and, where the MPI library has them, functions with large counts. Each
 * operation is started twice, by 4 ranks; MPI_Scatter_init is not there, as MPICH 4.0 and 4.2 fail at its second start.
 * Prints the waits of all but rank 0, which is 200 ms late at two barriers, in nanoseconds.
 * records of main: NON_BLOCKING_COLLECTIVE_REQUEST 128 NON_BLOCKING_COLLECTIVE_COMPLETE 128 */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

enum { N_RANKS = 4, N_OPERATIONS = 16 };

static long long
now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (long long)time.tv_sec * 1000000000 + time.tv_nsec;
}

#if MPI_VERSION >= 4
static void
large_counts(int rank)
{
    int         sent[N_RANKS] = { rank }, received[N_RANKS];
    int         right = (rank + 1) % N_RANKS, left = (rank + N_RANKS - 1) % N_RANKS;
    MPI_Count   one = 1, ones[N_RANKS] = { 1, 1, 1, 1 };
    MPI_Aint    places[N_RANKS] = { 0, 1, 2, 3 };
    MPI_Request requests[2];

    MPI_Isend_c(sent, one, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_c(received, one, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Isendrecv_c(sent, one, MPI_INT, right, 2, received, one, MPI_INT, left, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Isendrecv_replace_c(sent, one, MPI_INT, right, 3, left, 3, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Allreduce_c(sent, received, one, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Alltoallv_c(sent, ones, places, MPI_INT, received, ones, places, MPI_INT, MPI_COMM_WORLD);
}
#endif

int
main(int argc, char **argv)
{
    int           sent[N_RANKS] = { 1, 2, 3, 4 }, received[N_RANKS], all[N_RANKS * N_RANKS], rank;
    int           counts[N_RANKS] = { 1, 1, 1, 1 }, places[N_RANKS] = { 0, 1, 2, 3 }, bytes[N_RANKS] = { 0, 4, 8, 12 };
    MPI_Datatype  types[N_RANKS] = { MPI_INT, MPI_INT, MPI_INT, MPI_INT };
    MPI_Comm      world = MPI_COMM_WORLD;
    MPI_Info      info  = MPI_INFO_NULL;
    MPI_Request   requests[N_OPERATIONS], *next = requests;
    long long     waited = 0, from;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    MPI_Barrier_init(world, info, next++);
    MPI_Bcast_init(received, 1, MPI_INT, 1, world, info, next++);
    MPI_Gather_init(sent, 1, MPI_INT, all, 1, MPI_INT, 0, world, info, next++);
    MPI_Gatherv_init(sent, 1, MPI_INT, all, counts, places, MPI_INT, 0, world, info, next++);
    MPI_Scatterv_init(sent, counts, places, MPI_INT, received, 1, MPI_INT, 0, world, info, next++);
    MPI_Allgather_init(sent, 1, MPI_INT, all, 1, MPI_INT, world, info, next++);
    MPI_Allgatherv_init(sent, 1, MPI_INT, all, counts, places, MPI_INT, world, info, next++);
    MPI_Alltoall_init(sent, 1, MPI_INT, received, 1, MPI_INT, world, info, next++);
    MPI_Alltoallv_init(sent, counts, places, MPI_INT, received, counts, places, MPI_INT, world, info, next++);
    MPI_Alltoallw_init(sent, counts, bytes, types, received, counts, bytes, types, world, info, next++);
    MPI_Reduce_init(sent, received, 1, MPI_INT, MPI_SUM, 2, world, info, next++);
    MPI_Allreduce_init(sent, received, 1, MPI_INT, MPI_SUM, world, info, next++);
    MPI_Reduce_scatter_init(sent, received, counts, MPI_INT, MPI_SUM, world, info, next++);
    MPI_Reduce_scatter_block_init(sent, received, 1, MPI_INT, MPI_SUM, world, info, next++);
    MPI_Scan_init(sent, received, 1, MPI_INT, MPI_SUM, world, info, next++);
    MPI_Exscan_init(sent, received, 1, MPI_INT, MPI_SUM, world, info, next++);
    for (int repeat = 0; repeat < 2; repeat++)
        for (int i = 0; i < N_OPERATIONS; i++) {
            if (rank == 0 && i == 0)
                nanosleep(&(struct timespec){ 0, 200000000 }, NULL);
            from = now();
            MPI_Start(&requests[i]);
            MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
            waited += rank != 0 && i == 0 ? now() - from : 0;
        }
    for (int i = 0; i < N_OPERATIONS; i++)
        MPI_Request_free(&requests[i]);
#if MPI_VERSION >= 4
    large_counts(rank);
#endif
    if (rank != 0)
        printf("waited %lld\n", waited);
    MPI_Finalize();
    return 0;
}
