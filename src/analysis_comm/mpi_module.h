/* src/analysis_comm/mpi_module.h: what the part of the program that needs MPI and the program give each other. */
#ifndef HD_MPI_MODULE_H
#define HD_MPI_MODULE_H

#include "analysis_comm.h"

#define HD_MPI_MODULE_FILE "heddle-mpi.so"

typedef struct hd_mpi_host { /* functions of the program */
    void (*fatal)(const char *format, ...);
    void (*fatal_handler_set)(void (*handler)(void *context), void *context);
} hd_mpi_host;

/* The only symbol of the module; its name (HD_MPI_MODULE_SYMBOL) has the version in it. */
typedef const hd_analysis_comm_calls *hd_mpi_module(const hd_mpi_host *host);

#endif
