/* src/record/preload/mpi/mpi_fortran.h: who calls MPI from Fortran.
 *
 * Fortran's calls arrive in C from a layer of the MPI library, so that the return address is there. The Fortran names
 * (mpi_send_, mpi_send_f08_, ...) are exported, too: each notes its return address and goes on to the function of the
 * layer, with all arguments as they are. That needs a few instructions of the processor: x86-64 and aarch64 have them,
 * elsewhere the callers of Fortran's calls are not known.
 * Uses: mpi_library. MT: any thread. Ranks: local.
 */
#ifndef HD_MPI_FORTRAN_H
#define HD_MPI_FORTRAN_H

#include "mpi_library.h"

/* The return address of the call that the thread is in; NULL: no Fortran name was called. */
extern HD_THREAD_LOCAL const void *hd_fortran_caller;

/* Where the library of the layer is: its first address, and that behind it; 0, 0: no Fortran name was called. */
extern _Atomic uintptr_t hd_fortran_layer[2] __attribute__((visibility("hidden")));

/* The same, for the one call that it belongs to. in_c: the return address of the C function. */
static inline const void *
hd_fortran_take_caller(const void *in_c)
{
    const void *caller = hd_fortran_caller;

    hd_fortran_caller = NULL;
    return caller != NULL ? caller : in_c;
}

#endif
