/* src/record/preload/mpi/mpi_library.h: the MPI library of the process, as an mpi.h declares it.
 *
 * Compiled once for each MPI library (HD_FLAVOUR), and linked with none: functions and the variables behind the
 * constants of Open MPI's mpi.h are looked up in the process. Uses: recorder, mpi_functions. MT: any thread.
 */
#ifndef HD_MPI_LIBRARY_H
#define HD_MPI_LIBRARY_H

#include <mpi.h>

#include "log.h"
#include "mpi_functions.h"

#if MPI_VERSION >= 4 || (defined OMPI_MAJOR_VERSION && OMPI_MAJOR_VERSION >= 5)
#define HD_HAS_MPI_4
#endif

#ifdef OPEN_MPI
typedef struct hd_open_mpi { /* of the variables whose addresses are Open MPI's constants */
    char *comm_world, *comm_self, *comm_null, *request_null, *type_null, *byte, *group_null, *message_no_process,
        *message_null, *no_op, *info_null, *errors_return;
} hd_open_mpi;
extern hd_open_mpi hd_the_open_mpi;

#define ompi_mpi_comm_world (*hd_the_open_mpi.comm_world)
#define ompi_mpi_comm_self (*hd_the_open_mpi.comm_self)
#define ompi_mpi_comm_null (*hd_the_open_mpi.comm_null)
#define ompi_request_null (*hd_the_open_mpi.request_null)
#define ompi_mpi_datatype_null (*hd_the_open_mpi.type_null)
#define ompi_mpi_byte (*hd_the_open_mpi.byte)
#define ompi_mpi_group_null (*hd_the_open_mpi.group_null)
#define ompi_message_no_proc (*hd_the_open_mpi.message_no_process)
#define ompi_mpi_op_no_op (*hd_the_open_mpi.no_op)
#define ompi_message_null (*hd_the_open_mpi.message_null)
#define ompi_mpi_info_null (*hd_the_open_mpi.info_null)
#define ompi_mpi_errors_return (*hd_the_open_mpi.errors_return)
#endif

typedef void (*hd_any_function)(void);

typedef struct hd_mpi_library {
    atomic_bool     is_found; /* the rest is there; set last */
    hd_any_function function[HD_N_MPI_FUNCTIONS]; /* PMPI_..., NULL: the library has none */
    int (*type_size)(MPI_Datatype, int *);
    int (*get_count)(const MPI_Status *, MPI_Datatype, int *);
    int (*get_elements_x)(const MPI_Status *, MPI_Datatype, MPI_Count *);
    int (*test_cancelled)(const MPI_Status *, int *);
    int (*comm_rank)(MPI_Comm, int *);
    int (*pcontrol)(const int, ...);
    int (*error_class)(int, int *);
    int (*comm_size)(MPI_Comm, int *);
    int (*comm_remote_size)(MPI_Comm, int *);
    int (*comm_test_inter)(MPI_Comm, int *);
    int (*comm_group)(MPI_Comm, MPI_Group *);
    int (*comm_remote_group)(MPI_Comm, MPI_Group *);
    int (*comm_get_name)(MPI_Comm, char *, int *);
    int (*group_size)(MPI_Group, int *);
    int (*group_translate_ranks)(MPI_Group, int, const int[], MPI_Group, int[]);
    int (*group_free)(MPI_Group *);
    int (*group_rank)(MPI_Group, int *);
    int (*query_thread)(int *);
    int (*topo_test)(MPI_Comm, int *);
    int (*cartdim_get)(MPI_Comm, int *);
    int (*cart_get)(MPI_Comm, int, int[], int[], int[]);
#ifdef HD_HAS_MPI_4
    int (*session_init)(MPI_Info, MPI_Errhandler, MPI_Session *);
    int (*session_finalize)(MPI_Session *);
    int (*group_from_session_pset)(MPI_Session, const char *, MPI_Group *);
#endif
} hd_mpi_library;

extern hd_mpi_library hd_the_mpi;

/* Finds all of it. Ends the program if it runs another MPI library: the first call would crash. */
void hd_mpi_find_now(void);

/* The same, once. */
static inline void
hd_mpi_find(void)
{
    if (HD_UNLIKELY(!atomic_load_explicit(&hd_the_mpi.is_found, memory_order_acquire)))
        hd_mpi_find_now();
}

/* A handle as a number: a pointer of Open MPI, an int of MPICH. */
#define HD_HANDLE(handle) ((uint64_t)(uintptr_t)(handle))

/* [bytes] 0 for a type that has no size, and for none: MPI would call an error handler of the program. */
static inline uint64_t
hd_mpi_bytes(uint64_t count, MPI_Datatype type)
{
    int size = 0;

    if (type == MPI_DATATYPE_NULL || hd_the_mpi.type_size(type, &size) != MPI_SUCCESS || size <= 0)
        return 0;
    return count * (uint64_t)size;
}

#endif
