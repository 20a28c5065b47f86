/* src/analysis_comm/mpi_module.c: the part of the program that needs MPI, as a file that is loaded: its symbol, and
 * what the other files of it use of the program. */
#include "mpi_module.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis_comm_mpi.h"

static const hd_mpi_host *program;

void
hd_fatal(const char *format, ...)
{
    char    text[1024];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    program->fatal("%s", text);
    abort(); /* it does not come back */
}

void
hd_fatal_handler_set(void (*handler)(void *context), void *context)
{
    program->fatal_handler_set(handler, context);
}

hd_mpi_module HD_MPI_MODULE_SYMBOL;

__attribute__((visibility("default"))) const hd_analysis_comm_calls *
HD_MPI_MODULE_SYMBOL(const hd_mpi_host *host)
{
    program = host;
    return &hd_analysis_comm_mpi;
}
