/* Messages of sizes around 256 bytes and the eager limit (4 KiB in shared memory of Open MPI). Even ranks send, work
 * and get an answer. Rank 1 is always later than its sender; rank 3, which works FACTOR times as long, only if FACTOR
 * is large.
 * usage: pair_messages FACTOR */
#include <mpi.h>

#include "pair_work.h"

enum { N_ROUNDS = 10, MAX_BYTES = 65536 };

static char buffer[MAX_BYTES];

static void
send_side(int peer, int bytes, double before, double after)
{
    work(before);
    MPI_Send(buffer, bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD);
    work(after);
    MPI_Recv(buffer, 1, MPI_BYTE, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void
receive_side(int peer, int bytes, double factor)
{
    work(12 * factor);
    MPI_Recv(buffer, bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(buffer, 1, MPI_BYTE, peer, 1, MPI_COMM_WORLD);
}

int
main(int argc, char **argv)
{
    static const int sizes[] = { 64, 250, 260, 1024, 4000, 4200, MAX_BYTES };
    double           factor  = argument(argc, argv, 1);
    int              rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < N_ROUNDS; i++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            if (rank % 2 == 0)
                send_side(rank + 1, sizes[s], rank == 0 ? 4 : 8, rank == 0 ? 4 : 16);
            else
                receive_side(rank - 1, sizes[s], rank == 1 ? 1 : factor);
        }
    MPI_Finalize();
    return 0;
}
