/* src/analysis_comm/mpi_part_linked.c: of a program that is linked with MPI. */
#include "mpi_part.h"

#include "analysis_comm_mpi.h"

const hd_analysis_comm_calls *
hd_mpi_part(void)
{
    return &hd_analysis_comm_mpi;
}
