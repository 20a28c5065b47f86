#include "region_class.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool
is_one_of(const char *call, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcasecmp(call, names[i]) == 0)
            return true;
    return false;
}

/* Names as older Score-P versions give them with another role; before OTF2 1.2 with none, but for collectives. */
static uint8_t
repaired_role(const char *call, uint8_t role)
{
    static const char *const messages[]    =
        { "bsend", "ibsend", "imrecv", "improbe", "irsend", "isend", "issend", "mprobe", "mrecv", "recv",
          "rsend", "send", "sendrecv", "sendrecv_replace", "ssend" };
    static const char *const point2point[] =
        { "bsend_init", "iprobe", "irecv", "probe", "recv_init", "rsend_init", "send_init",
          "ssend_init" };

    if (role == HD_ROLE_UNKNOWN)
        role = is_one_of(call, messages, sizeof messages / sizeof *messages) ? HD_ROLE_POINT2POINT : HD_ROLE_FUNCTION;
    if (role == HD_ROLE_FUNCTION) {
        if (is_one_of(call, point2point, sizeof point2point / sizeof *point2point))
            return HD_ROLE_POINT2POINT;
        if (strcasecmp(call, "put") == 0 || strcasecmp(call, "get") == 0)
            return HD_ROLE_RMA;
        if (strcasecmp(call, "accumulate") == 0)
            return HD_ROLE_ATOMIC;
        if (strcasecmp(call, "alloc_mem") == 0)
            return HD_ROLE_ALLOCATE;
        if (strcasecmp(call, "free_mem") == 0)
            return HD_ROLE_DEALLOCATE;
    }
    if (role == HD_ROLE_POINT2POINT && (strncasecmp(call, "test", 4) == 0 || strncasecmp(call, "wait", 4) == 0))
        return HD_ROLE_FUNCTION;
    return role;
}

static uint8_t
call_group(const char *call)
{
    static const struct {
        const char *name;
        uint8_t     group;
    } groups[] = {
        { "init", HD_CALL_INIT },         { "init_thread", HD_CALL_INIT },     { "finalize", HD_CALL_FINALIZE },
        { "send", HD_CALL_BLOCK_SEND },   { "ssend", HD_CALL_BLOCK_SEND },     { "test", HD_CALL_TEST },
        { "testany", HD_CALL_TEST },      { "testall", HD_CALL_TEST },         { "testsome", HD_CALL_TEST },
        { "wait", HD_CALL_WAIT_SINGLE },  { "waitany", HD_CALL_WAIT_SINGLE },  { "waitall", HD_CALL_WAIT_MULTI },
        { "waitsome", HD_CALL_WAIT_MULTI },       { "probe", HD_CALL_PROBE },
        { "iprobe", HD_CALL_PROBE },              { "mprobe", HD_CALL_PROBE },
        { "improbe", HD_CALL_PROBE },
        { "win_create", HD_CALL_WIN_CREATE },     { "win_allocate", HD_CALL_WIN_CREATE },
        { "win_allocate_shared", HD_CALL_WIN_CREATE }, { "win_create_dynamic", HD_CALL_WIN_CREATE },
        { "win_create_c", HD_CALL_WIN_CREATE },   { "win_allocate_c", HD_CALL_WIN_CREATE },
        { "win_allocate_shared_c", HD_CALL_WIN_CREATE },
        { "win_free", HD_CALL_WIN_FREE },         { "win_fence", HD_CALL_WIN_FENCE },
        { "win_post", HD_CALL_WIN_POST },         { "win_start", HD_CALL_WIN_START },
        { "win_complete", HD_CALL_WIN_COMPLETE }, { "win_wait", HD_CALL_WIN_WAIT },
        { "win_test", HD_CALL_WIN_TEST },         { "win_unlock", HD_CALL_WIN_UNLOCK },
        { "win_unlock_all", HD_CALL_WIN_UNLOCK }, { "win_flush", HD_CALL_WIN_FLUSH },
        { "win_flush_all", HD_CALL_WIN_FLUSH },   { "win_flush_local", HD_CALL_WIN_FLUSH_LOCAL },
        { "win_flush_local_all", HD_CALL_WIN_FLUSH_LOCAL },
    };

    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (strcasecmp(call, groups[i].name) == 0)
            return groups[i].group;
    return HD_CALL_OTHER;
}

static uint8_t
omp_call(const char *canonical)
{
    size_t length = strcspn(canonical, "@");

    while (length > 0 && canonical[length - 1] == ' ')
        length--;
    if (length == 14 && strncasecmp(canonical, "!$omp parallel", 14) == 0)
        return HD_CALL_OMP_PARALLEL;
    if (length == 13 && strncasecmp(canonical, "!$omp barrier", 13) == 0)
        return HD_CALL_OMP_BARRIER;
    if ((length == 14 && strncasecmp(canonical, "!$omp ibarrier", 14) == 0) ||
        (length == 22 && strncasecmp(canonical, "!$omp implicit barrier", 22) == 0))
        return HD_CALL_OMP_IMPLICIT_BARRIER;
    return HD_CALL_OTHER;
}

static uint8_t
pthread_call(const char *canonical)
{
    if (strcasecmp(canonical, "pthread_mutex_lock") == 0 || strcasecmp(canonical, "pthread_mutex_trylock") == 0)
        return HD_CALL_MUTEX_LOCK;
    if (strcasecmp(canonical, "pthread_cond_wait") == 0 || strcasecmp(canonical, "pthread_cond_timedwait") == 0)
        return HD_CALL_COND_WAIT;
    return HD_CALL_OTHER;
}

/* Collectives alone have a group: the name says what the record does not. */
static uint8_t
shmem_call(const char *canonical)
{
    if (strstr(canonical, "broadcast") != NULL)
        return HD_CALL_SHMEM_BROADCAST;
    if (strstr(canonical, "barrier") != NULL || strstr(canonical, "sync") != NULL)
        return HD_CALL_SHMEM_BARRIER;
    if (strstr(canonical, "collect") != NULL || strstr(canonical, "alltoall") != NULL ||
        strstr(canonical, "to_all") != NULL || strstr(canonical, "reduce") != NULL)
        return HD_CALL_SHMEM_EXCHANGE;
    return HD_CALL_OTHER;
}

/* Before OTF2 1.2 the file tells, as for the classes of regions. */
static uint8_t
repaired_paradigm(uint8_t paradigm, const char *file)
{
    if (paradigm != HD_PARADIGM_UNKNOWN)
        return paradigm;
    return strcmp(file, "MPI") == 0       ? HD_PARADIGM_MPI
           : strcmp(file, "OMP") == 0     ? HD_PARADIGM_OPENMP
           : strcmp(file, "PTHREAD") == 0 ? HD_PARADIGM_PTHREAD
                                          : paradigm;
}

/* The name of an MPI call without its prefix, NULL if it has none. PMPI_ is the same call's name in the profiling
 * interface, which some writers give as the canonical one. */
static const char *
mpi_call(const char *canonical)
{
    if (strncasecmp(canonical, "MPI_", 4) == 0)
        return canonical + 4;
    return strncasecmp(canonical, "PMPI_", 5) == 0 ? canonical + 5 : NULL;
}

void
hd_region_classify(hd_region *region, const char *canonical, const char *file)
{
    const char *call = mpi_call(canonical);

    region->paradigm = repaired_paradigm(region->paradigm, file);
    if (strcmp(canonical, "task_root") == 0) {
        region->role     = HD_ROLE_ARTIFICIAL;
        region->paradigm = HD_PARADIGM_MEASUREMENT;
    }
    if (region->paradigm == HD_PARADIGM_MEASUREMENT)
        region->region_class = HD_CLASS_INTERNAL;
    else if (strcmp(file, "MPI") == 0 || (region->paradigm == HD_PARADIGM_MPI && call != NULL)) {
        call                 = call != NULL ? call : canonical;
        region->region_class = HD_CLASS_MPI;
        region->call         = call_group(call);
        region->role         = repaired_role(call, region->role);
    } else if (region->paradigm == HD_PARADIGM_SHMEM && strcmp(canonical, "PARALLEL") != 0) {
        region->region_class = HD_CLASS_MPI; /* its calls communicate as those of MPI do; PARALLEL stands around a
                                              * program whose own functions are not recorded */
        region->call         = shmem_call(canonical);
    } else if (strncasecmp(canonical, "!$omp", 5) == 0 || strcmp(file, "OMP") == 0) {
        region->region_class = HD_CLASS_OMP;
        region->call         = region->role == HD_ROLE_TASK_WAIT ? HD_CALL_OMP_TASKWAIT : omp_call(canonical);
    } else if (strcmp(file, "PTHREAD") == 0) {
        region->region_class = HD_CLASS_PTHREAD;
        region->call         = pthread_call(canonical);
    } else
        region->region_class = HD_CLASS_USER;
}
