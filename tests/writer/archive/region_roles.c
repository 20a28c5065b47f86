/* tests/writer/archive/region_roles.c: roles that Score-P gives to the functions of MPI and SHMEM, and to constructs of
 * OpenMP. */
#include "region_roles.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static bool
is_one_of(const char *name, const char *const *names)
{
    for (; *names != NULL; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

/* name without "MPI_" */
OTF2_RegionRole
tw_role_of_mpi(const char *name)
{
    static const char *const one_to_all[] = { "Bcast", "Ibcast", "Scatter", "Scatterv", "Iscatter", "Iscatterv", NULL };
    static const char *const all_to_one[] = { "Gather", "Gatherv", "Reduce", "Igather", "Igatherv", "Ireduce", NULL };
    static const char *const prefix[]     = { "Scan", "Exscan", "Iscan", "Iexscan", NULL };
    static const char *const all_to_all[] = {
        "Allgather",    "Allgatherv",    "Allreduce",    "Alltoall",     "Alltoallv",       "Alltoallw",
        "Iallgather",   "Iallgatherv",   "Iallreduce",   "Ialltoall",    "Ialltoallv",      "Ialltoallw",
        "Reduce_scatter", "Reduce_scatter_block", "Ireduce_scatter", "Ireduce_scatter_block", NULL
    };
    static const char *const messages[] = {
        "Bsend",  "Bsend_init", "Ibsend", "Iprobe", "Irecv",     "Irsend", "Isend",    "Issend",           "Probe",
        "Recv",
        "Recv_init", "Rsend", "Rsend_init", "Send",   "Send_init", "Sendrecv", "Sendrecv_replace", "Ssend",
        "Ssend_init", "Improbe", "Imrecv", "Mprobe", "Mrecv", NULL
    };
    static const char *const transfers[] = { "Put", "Get", "Rput", "Rget", NULL };
    static const char *const atomics[]   = {
        "Accumulate", "Get_accumulate", "Fetch_and_op", "Compare_and_swap", "Raccumulate", "Rget_accumulate", NULL
    };
    static const char *const allocations[] = { "Win_allocate", "Win_allocate_shared", NULL };

    if (strcmp(name, "Barrier") == 0 || strcmp(name, "Ibarrier") == 0)
        return OTF2_REGION_ROLE_BARRIER;
    if (is_one_of(name, one_to_all))
        return OTF2_REGION_ROLE_COLL_ONE2ALL;
    if (is_one_of(name, all_to_one))
        return OTF2_REGION_ROLE_COLL_ALL2ONE;
    if (is_one_of(name, all_to_all))
        return OTF2_REGION_ROLE_COLL_ALL2ALL;
    if (is_one_of(name, prefix))
        return OTF2_REGION_ROLE_COLL_OTHER;
    if (is_one_of(name, messages))
        return OTF2_REGION_ROLE_POINT2POINT;
    if (is_one_of(name, transfers))
        return OTF2_REGION_ROLE_RMA;
    if (is_one_of(name, atomics))
        return OTF2_REGION_ROLE_ATOMIC;
    if (is_one_of(name, allocations))
        return OTF2_REGION_ROLE_ALLOCATE;
    return OTF2_REGION_ROLE_FUNCTION;
}

/* name without "shmem_" */
OTF2_RegionRole
tw_role_of_shmem(const char *name)
{
    static const struct {
        const char     *part;
        OTF2_RegionRole role;
    } roles[] = { { "barrier", OTF2_REGION_ROLE_BARRIER },         { "broadcast", OTF2_REGION_ROLE_COLL_ONE2ALL },
                  { "collect", OTF2_REGION_ROLE_COLL_ALL2ALL },    { "_to_all", OTF2_REGION_ROLE_COLL_ALL2ALL },
                  { "wait", OTF2_REGION_ROLE_POINT2POINT },        { "put", OTF2_REGION_ROLE_RMA },
                  { "get", OTF2_REGION_ROLE_RMA } };

    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (strstr(name, roles[i].part) != NULL)
            return roles[i].role;
    return OTF2_REGION_ROLE_FUNCTION;
}

OTF2_RegionRole
tw_role_of_omp(const char *name)
{
    static const struct {
        const char     *start;
        OTF2_RegionRole role;
    } roles[] = { { "!$omp parallel", OTF2_REGION_ROLE_PARALLEL },
                  { "!$omp barrier", OTF2_REGION_ROLE_BARRIER },
                  { "!$omp implicit barrier", OTF2_REGION_ROLE_IMPLICIT_BARRIER },
                  { "!$omp ibarrier", OTF2_REGION_ROLE_IMPLICIT_BARRIER },
                  { "!$omp for", OTF2_REGION_ROLE_LOOP },
                  { "!$omp do", OTF2_REGION_ROLE_LOOP },
                  { "!$omp critical sblock", OTF2_REGION_ROLE_CRITICAL_SBLOCK },
                  { "!$omp critical", OTF2_REGION_ROLE_CRITICAL },
                  { "!$omp single sblock", OTF2_REGION_ROLE_SINGLE_SBLOCK },
                  { "!$omp single", OTF2_REGION_ROLE_SINGLE },
                  { "!$omp master", OTF2_REGION_ROLE_MASTER },
                  { "!$omp sections", OTF2_REGION_ROLE_SECTIONS },
                  { "!$omp section", OTF2_REGION_ROLE_SECTION },
                  { "!$omp atomic", OTF2_REGION_ROLE_ATOMIC },
                  { "!$omp flush", OTF2_REGION_ROLE_FLUSH },
                  { "!$omp ordered sblock", OTF2_REGION_ROLE_ORDERED_SBLOCK },
                  { "!$omp ordered", OTF2_REGION_ROLE_ORDERED },
                  { "!$omp create task", OTF2_REGION_ROLE_TASK_CREATE },
                  { "!$omp taskwait", OTF2_REGION_ROLE_TASK_WAIT },
                  { "!$omp task", OTF2_REGION_ROLE_TASK } };

    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (strncmp(name, roles[i].start, strlen(roles[i].start)) == 0)
            return roles[i].role;
    return OTF2_REGION_ROLE_UNKNOWN;
}

OTF2_RegionRole
tw_role_of_pthread(const char *name)
{
    if (strcmp(name, "pthread_create") == 0)
        return OTF2_REGION_ROLE_THREAD_CREATE;
    return strcmp(name, "pthread_join") == 0 ? OTF2_REGION_ROLE_THREAD_WAIT : OTF2_REGION_ROLE_WRAPPER;
}

OTF2_RegionRole
tw_role_of_posix_io(const char *name)
{
    static const char *const of_data[]     = { "read", "write", "pread", "pwrite", "fread", "fwrite", "fsync", NULL };
    static const char *const of_metadata[] = { "open", "close", "lseek", "fopen", "fclose", "stat", NULL };

    if (is_one_of(name, of_data))
        return OTF2_REGION_ROLE_FILE_IO;
    return is_one_of(name, of_metadata) ? OTF2_REGION_ROLE_FILE_IO_METADATA : OTF2_REGION_ROLE_UNKNOWN;
}
