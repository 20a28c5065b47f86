/* tests/analysis_comm/pairs_as_nodes.c: every two ranks are a node, through the profiling interface of MPI, which lets
 * a program replace a function of the library and still call it by its other name.
 */
#include <mpi.h>

int
MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm)
{
    int rank;

    if (split_type != MPI_COMM_TYPE_SHARED)
        return PMPI_Comm_split_type(comm, split_type, key, info, newcomm);
    PMPI_Comm_rank(comm, &rank);
    return PMPI_Comm_split(comm, rank / 2, key, newcomm);
}
