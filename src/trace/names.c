#include "defs.h"

const char *
hd_paradigm_name(uint8_t paradigm)
{
    static const char *const names[] = { "unknown", "user", "compiler", "openmp", "mpi", "cuda", "measurement", "pthread", "hmpp",
                                         "ompss", "hardware", "gaspi", "upc", "shmem", "winthread", "qtthread", "acethread",
                                         "tbbthread", "openacc", "opencl", "mtapi", "sampling", "none", "hip", "kokkos" };

    return paradigm < sizeof names / sizeof *names ? names[paradigm] : "unknown";
}

const char *
hd_role_name(uint8_t role)
{
    static const char *const names[] = { "unknown", "function", "wrapper", "loop", "code", "parallel", "sections", "section",
                                         "workshare", "single", "single sblock", "master", "critical", "critical sblock", "atomic",
                                         "barrier", "implicit barrier", "flush", "ordered", "ordered sblock", "task",
                                         "task create", "taskwait", "one2all", "all2one", "all2all", "other collective",
                                         "file io", "point2point", "rma", "data transfer", "artificial", "thread create",
                                         "thread wait", "untied task", "allocate", "deallocate", "reallocate", "file io metadata" };

    return role < sizeof names / sizeof *names ? names[role] : "unknown";
}
