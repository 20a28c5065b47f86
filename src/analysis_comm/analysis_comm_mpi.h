/* src/analysis_comm/analysis_comm_mpi.h: the analysis communicator over MPI. */
#ifndef HD_ANALYSIS_COMM_MPI_H
#define HD_ANALYSIS_COMM_MPI_H

#include "analysis_comm_calls.h"

extern const hd_analysis_comm_calls hd_analysis_comm_mpi;

#endif
