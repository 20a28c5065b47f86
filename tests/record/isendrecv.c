/* Sends and receives of MPI 4 that are complete together, and a communicator that is made in the background, with 2
 * ranks.
 * records of main: MPI_ISEND 10 MPI_ISEND_COMPLETE 10 MPI_IRECV_REQUEST 10 MPI_IRECV 10 MPI_SEND 2 MPI_RECV 2
 * records of main: COMM_CREATE 6 COMM_DESTROY 6 */
#include <mpi.h>

static int      rank, other, sent, received;
static MPI_Comm comm;

static void
exchange(int peer, int source)
{
    MPI_Request request;

    MPI_Isendrecv(&sent, 1, MPI_INT, peer, 1, &received, 1, MPI_INT, source, 1, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Isendrecv_replace(&sent, 1, MPI_INT, peer, 2, source, 2, comm, &request);
    MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
}

int
main(int argc, char **argv)
{
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Comm_idup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    exchange(other, other);
    exchange(rank, rank);
    if (rank == 0) { /* with plain ones on the other side */
        MPI_Isendrecv(&sent, 1, MPI_INT, other, 3, &received, 1, MPI_INT, other, 4, comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Send(&sent, 1, MPI_INT, other, 5, comm);
        MPI_Irecv(&received, 1, MPI_INT, other, 5, comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&received, 1, MPI_INT, other, 3, comm, MPI_STATUS_IGNORE);
        MPI_Send(&sent, 1, MPI_INT, other, 4, comm);
        MPI_Recv(&received, 1, MPI_INT, other, 5, comm, MPI_STATUS_IGNORE);
        MPI_Isend(&sent, 1, MPI_INT, other, 5, comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
