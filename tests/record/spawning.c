/* Two processes that spawn another one, to which rank 0 sends 3 messages of 4 bytes, and which answers with one. Then
 * all three have a communicator, with one message, and the two one that is made of it, with one message. */
#include <mpi.h>
#include <stdio.h>

static void
work_together(MPI_Comm others, int is_spawned)
{
    MPI_Comm    all, own;
    MPI_Request request;
    int         rank, one = 1, sum = 0;

    MPI_Intercomm_merge(others, is_spawned, &all);
    MPI_Comm_rank(all, &rank);
    if (rank == 1)
        MPI_Send(&one, 1, MPI_INT, 2, 0, all);
    if (rank == 2)
        MPI_Recv(&one, 1, MPI_INT, 1, 0, all, MPI_STATUS_IGNORE);
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, all, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_split(all, is_spawned, 0, &own);
    if (rank == 0)
        MPI_Send(&one, 1, MPI_INT, 1, 0, own);
    if (rank == 1)
        MPI_Recv(&one, 1, MPI_INT, 0, 0, own, MPI_STATUS_IGNORE);
    MPI_Barrier(own);
    MPI_Comm_free(&own);
    MPI_Comm_free(&all);
    if (sum != 3)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

int
main(int argc, char **argv)
{
    MPI_Comm    parent, others;
    MPI_Request request;
    int         rank, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        for (int i = 0; i < 3; i++)
            MPI_Recv(&value, 1, MPI_INT, 0, i, parent, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 0, 9, parent);
        work_together(parent, 1);
        MPI_Comm_disconnect(&parent);
    } else {
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &others, MPI_ERRCODES_IGNORE);
        if (rank == 0) {
            MPI_Send(&value, 1, MPI_INT, 0, 0, others);
            MPI_Isend(&value, 1, MPI_INT, 0, 1, others, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            value = 7;
            MPI_Send(&value, 1, MPI_INT, 0, 2, others);
            MPI_Recv(&value, 1, MPI_INT, 0, 9, others, MPI_STATUS_IGNORE);
            printf("got %d\n", value);
        }
        work_together(others, 0);
        MPI_Comm_disconnect(&others);
    }
    MPI_Finalize();
    return 0;
}
