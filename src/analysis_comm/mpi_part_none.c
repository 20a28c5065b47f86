/* src/analysis_comm/mpi_part_none.c: of a program without MPI. */
#include "mpi_part.h"

const hd_analysis_comm_calls *
hd_mpi_part(void)
{
    hd_fail(HD_EUSAGE, "this heddle was built without MPI");
    hd_fail_detail("try", "a single process, without --mpi=yes");
    return NULL;
}
