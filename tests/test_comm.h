/* tests/test_comm.h: the analysis communicator of a test: over MPI where it is started with several ranks. */
#ifndef TEST_COMM_H
#define TEST_COMM_H

#include "analysis_comm.h"

#ifdef TEST_OVER_MPI
#include "mpi_part.h"
#define TEST_COMM hd_mpi_part()
#else
#define TEST_COMM (&hd_analysis_comm_single)
#endif

#endif
