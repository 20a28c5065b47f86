#include "defs.h"
#include "archive_property.h"
#include "memory.h"

char *
hd_defs_sampling(const hd_defs *defs)
{
    const hd_sampler *samplers = hd_defs_samplers(defs);
    char             *text     = NULL;

    for (uint32_t i = 0; i < defs->n_samplers; i++) {
        char *before = text;

        text = hd_format("%s%s%s every %.6g %s", before != NULL ? before : "", before != NULL ? ", " : "",
                         hd_defs_text(defs, samplers[i].name), samplers[i].period,
                         samplers[i].is_time ? "s" : "times");
        free(before);
    }
    return text;
}

char *
hd_defs_shared_processors(const hd_defs *defs)
{
    const char *text = hd_defs_text(defs, defs->shared_processors);

    return *text != '\0' ? hd_format("%s: " HD_SHARED_PROCESSORS_MEANS, text) : NULL;
}

const char *
hd_paradigm_name(uint8_t paradigm)
{
    static const char *const names[] =
        { "unknown", "user", "compiler", "openmp", "mpi", "cuda", "measurement", "pthread", "hmpp",
          "ompss", "hardware", "gaspi", "upc", "shmem", "winthread", "qtthread", "acethread",
          "tbbthread", "openacc", "opencl", "mtapi", "sampling", "none", "hip", "kokkos" };

    return paradigm < sizeof names / sizeof *names ? names[paradigm] : "unknown";
}

const char *
hd_role_name(uint8_t role)
{
    static const char *const names[] =
        { "unknown", "function", "wrapper", "loop", "code", "parallel", "sections", "section",
          "workshare", "single", "single sblock", "master", "critical", "critical sblock", "atomic",
          "barrier", "implicit barrier", "flush", "ordered", "ordered sblock", "task",
          "task create", "taskwait", "one2all", "all2one", "all2all", "other collective",
          "file io", "point2point", "rma", "data transfer", "artificial", "thread create",
          "thread wait", "untied task", "allocate", "deallocate", "reallocate", "file io metadata" };

    return role < sizeof names / sizeof *names ? names[role] : "unknown";
}
