/* src/analysis_comm/transport_mpi.h: the transport over MPI. */
#ifndef HD_TRANSPORT_MPI_H
#define HD_TRANSPORT_MPI_H

#include "analysis_comm_calls.h"

extern const hd_transport_calls hd_transport_mpi;

#endif
