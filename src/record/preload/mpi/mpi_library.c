/* src/record/preload/mpi/mpi_library.c: functions and constants of the MPI library that the program runs with.
 */
#include "mpi_library.h"

#include <pthread.h>

#ifdef OPEN_MPI
hd_open_mpi hd_the_open_mpi;
static const char *const libraries[] = { "libmpi.so", NULL };
#define OTHER_LIBRARY "the program runs with another MPI library than Open MPI"
#define OTHER_ADVICE "heddle record --mpi=mpich -- PROGRAM"
#else
static const char *const libraries[] = { "libmpich.so", "libmpi.so", NULL };
#define OTHER_LIBRARY "the program runs with another MPI library than MPICH"
#define OTHER_ADVICE "heddle record --mpi=openmpi -- PROGRAM"
#endif

hd_mpi_library hd_the_mpi;

static const char *const names[HD_N_MPI_FUNCTIONS] = {
#define HD_MPI_NAME(name, role) "PMPI_" #name,
    HD_MPI_NAMES
#undef HD_MPI_NAME
};

/* dlsym() returns a pointer to an object for a function, as POSIX wants it. */
static hd_any_function
find(const char *name)
{
    union {
        void           *object;
        hd_any_function function;
    } found = { .object = hd_recorder_real(name, libraries) };

    return found.function;
}

static void
find_constants(void)
{
    bool is_open_mpi = hd_recorder_variable("ompi_mpi_comm_world", libraries) != NULL;

#ifdef OPEN_MPI
    if (!is_open_mpi)
        hd_recorder_refuse(OTHER_LIBRARY, OTHER_ADVICE);
    hd_the_open_mpi = (hd_open_mpi){
        .comm_world         = hd_recorder_variable("ompi_mpi_comm_world", libraries),
        .comm_self          = hd_recorder_variable("ompi_mpi_comm_self", libraries),
        .comm_null          = hd_recorder_variable("ompi_mpi_comm_null", libraries),
        .request_null       = hd_recorder_variable("ompi_request_null", libraries),
        .type_null          = hd_recorder_variable("ompi_mpi_datatype_null", libraries),
        .byte               = hd_recorder_variable("ompi_mpi_byte", libraries),
        .group_null         = hd_recorder_variable("ompi_mpi_group_null", libraries),
        .message_no_process = hd_recorder_variable("ompi_message_no_proc", libraries),
        .no_op              = hd_recorder_variable("ompi_mpi_op_no_op", libraries),
        .message_null       = hd_recorder_variable("ompi_message_null", libraries),
        .info_null          = hd_recorder_variable("ompi_mpi_info_null", libraries),
        .errors_return      = hd_recorder_variable("ompi_mpi_errors_return", libraries),
    };
#else
    if (is_open_mpi)
        hd_recorder_refuse(OTHER_LIBRARY, OTHER_ADVICE);
#endif
}

#define FIND(field, name) hd_the_mpi.field = (__typeof__(hd_the_mpi.field))find("PMPI_" name)

static void
find_all(void)
{
    hd_recorder_begin_now();
    find_constants();
    FIND(type_size, "Type_size");
    FIND(get_count, "Get_count");
    FIND(get_elements_x, "Get_elements_x");
    FIND(test_cancelled, "Test_cancelled");
    FIND(comm_rank, "Comm_rank");
    FIND(pcontrol, "Pcontrol");
    FIND(error_class, "Error_class");
    FIND(comm_size, "Comm_size");
    FIND(comm_remote_size, "Comm_remote_size");
    FIND(comm_test_inter, "Comm_test_inter");
    FIND(comm_group, "Comm_group");
    FIND(comm_remote_group, "Comm_remote_group");
    FIND(comm_get_name, "Comm_get_name");
    FIND(group_size, "Group_size");
    FIND(group_translate_ranks, "Group_translate_ranks");
    FIND(group_free, "Group_free");
    FIND(query_thread, "Query_thread");
    FIND(topo_test, "Topo_test");
    FIND(cartdim_get, "Cartdim_get");
    FIND(cart_get, "Cart_get");
    FIND(group_rank, "Group_rank");
#ifdef HD_HAS_MPI_4
    FIND(session_init, "Session_init");
    FIND(session_finalize, "Session_finalize");
    FIND(group_from_session_pset, "Group_from_session_pset");
#endif
    for (uint32_t i = 0; i < HD_N_MPI_FUNCTIONS; i++)
        hd_the_mpi.function[i] = find(names[i]);
    atomic_store_explicit(&hd_the_mpi.is_found, true, memory_order_release);
}

void
hd_mpi_find_now(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, find_all);
}
