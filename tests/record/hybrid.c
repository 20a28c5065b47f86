/* Two ranks of two threads each, whose messages and barriers are on a communicator of each thread: MPI_THREAD_MULTIPLE.
 * Above main are the numbers of records, which test_record.py reads. */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

enum { N_THREADS = 2, N_ROUNDS = 50 };

/* records: MPI_ISEND 200 MPI_ISEND_COMPLETE 200 MPI_IRECV 200 MPI_IRECV_REQUEST 200 MPI_COLLECTIVE_END 208
 * THREAD_TEAM_BEGIN 4 */
int
main(int argc, char **argv)
{
    MPI_Comm comms[N_THREADS];
    long     sum = 0;
    int      level, rank;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < N_THREADS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
#pragma omp parallel num_threads(N_THREADS) reduction(+ : sum)
    for (int i = 0, thread = omp_get_thread_num(); i < N_ROUNDS && level == MPI_THREAD_MULTIPLE; i++) {
        MPI_Request requests[2];
        MPI_Status  statuses[2];
        int         value = 0;

        MPI_Irecv(&value, 1, MPI_INT, 1 - rank, thread, comms[thread], &requests[0]);
        MPI_Isend(&i, 1, MPI_INT, 1 - rank, thread, comms[thread], &requests[1]);
        MPI_Waitall(2, requests, statuses);
        MPI_Barrier(comms[thread]);
        sum += value;
    }
    printf("%ld\n", sum);
    MPI_Finalize();
    return 0;
}
