/* src/cli/core/launch_check.c: compares the number of analysis ranks with what launchers write into the environment
 * of a process. */
#include "launch_check.h"

#include <stdlib.h>
#include <string.h>

#include "analysis_comm.h"

/* Step numbers from here on are Slurm's own: batch script, external processes, interactive shell. */
#define SLURM_FIRST_SPECIAL_STEP UINT64_C(4294967280)

/* A variable as a number; HD_NONE: it is not set, or is none. */
static uint64_t
number_of(const char *variable)
{
    const char *text = getenv(variable);
    char       *end;
    uint64_t    number;

    if (text == NULL || strspn(text, "0123456789") == 0)
        return HD_NONE;
    number = strtoull(text, &end, 10);
    return *end == '\0' ? number : HD_NONE;
}

/* The script of a batch job, and a shell in an allocation, are steps too, of one process. With --pty only the first
 * task is a shell. */
static bool
is_slurm_step(void)
{
    uint64_t step = number_of("SLURM_STEP_ID");

    return step != HD_NONE && step < SLURM_FIRST_SPECIAL_STEP && getenv("SLURM_PTY_PORT") == NULL;
}

#define OWN_MPIRUN "the mpirun of the MPI library named above"

static bool
is_always(void)
{
    return true;
}

/* Launchers start each other: mpirun may use srun, and flux is started by either. So the first of these whose
 * variables are set is the one that started this process. */
static const struct {
    const char *size, *rank, *what, *remedy;
    bool (*is_it)(void);
} launchers[] = {
    { "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "processes of Open MPI's mpirun", OWN_MPIRUN, is_always },
    { "FLUX_JOB_SIZE", "FLUX_TASK_RANK", "tasks of a Flux job", "flux run -o pmi=pmix (Open MPI), pmi=simple (MPICH)",
      is_always },
    { "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "tasks of a Slurm step",
      "srun --mpi=pmix (srun --mpi=list shows what there is), or " OWN_MPIRUN, is_slurm_step },
    { "PMI_SIZE", "PMI_RANK", "processes of a launcher", OWN_MPIRUN, is_always },
};

hd_status
hd_launch_check(uint32_t size, bool *speaks)
{
    char *library;

    *speaks = false;
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        uint64_t started = number_of(launchers[i].size), rank = number_of(launchers[i].rank);

        if (started == HD_NONE || rank == HD_NONE || !launchers[i].is_it())
            continue;
        if (size > 1 || started <= 1)
            return HD_OK;
        *speaks = rank == 0;
        library = hd_analysis_comm_library();
        hd_fail(HD_EUSAGE,
                "heddle runs as %" PRIu64 " %s, but each of them is alone: they would do the same analysis %" PRIu64
                " times", started, launchers[i].what, started);
        if (strcmp(library, "none") == 0) {
            hd_fail_detail("mpi", "none: this heddle was built without MPI");
            hd_fail_detail("try", "a single process");
        }
        else {
            hd_fail_detail("mpi", "%s, which found no other rank", library);
            hd_fail_detail("try", "%s", launchers[i].remedy);
            hd_fail_detail("or", "a single process; if one of these is to analyse alone: env -u %s heddle ...",
                           launchers[i].size);
        }
        free(library);
        return HD_EUSAGE;
    }
    return HD_OK;
}
