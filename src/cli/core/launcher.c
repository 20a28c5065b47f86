/* src/cli/core/launcher.c: a table of launchers and their variables. */
#include "launcher.h"

#include <stdlib.h>
#include <string.h>

#include "mpi_part.h"

/* Step numbers from here on are Slurm's own: batch script, external processes, interactive shell. */
#define SLURM_FIRST_SPECIAL_STEP UINT64_C(4294967280)

/* A variable as a number; HD_NONE: it is not set, or is none. */
static uint64_t
number_of(const char *variable)
{
    const char *text = variable != NULL ? getenv(variable) : NULL;
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
    uint64_t step = number_of("SLURM_STEP_ID"), n = number_of("SLURM_STEP_NUM_TASKS");

    return step != HD_NONE && step < SLURM_FIRST_SPECIAL_STEP && n != HD_NONE && n > 1 &&
           getenv("SLURM_PTY_PORT") == NULL;
}

#define OWN_MPIRUN "the mpirun of the MPI library named above"

/* Launchers start each other: mpirun may use srun, and flux is started by either. So the first of these whose
 * variables are set is the one that started this process. */
typedef struct launcher {
    const char *name, *rank;
    const char *size; /* NULL: it does not say how many processes it started */
    const char *what, *remedy;
    bool        is_general;  /* it starts programs without MPI as well */
    bool      (*is_it)(void); /* NULL: its variables are enough */
} launcher;

static const launcher launchers[] = {
    { "Open MPI's mpirun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "processes of Open MPI's mpirun",
      OWN_MPIRUN, false, NULL },
    { "jsrun", "JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE", "processes of jsrun", OWN_MPIRUN, false, NULL },
    { "Flux", "FLUX_TASK_RANK", "FLUX_JOB_SIZE", "tasks of a Flux job",
      "flux run -o pmi=pmix (Open MPI), pmi=simple (MPICH)", true, NULL },
    { "Slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "tasks of a Slurm step",
      "srun --mpi=pmix (srun --mpi=list shows what there is), or " OWN_MPIRUN, true, is_slurm_step },
    { "PALS", "PALS_RANKID", "PMI_SIZE", "processes of PALS", OWN_MPIRUN, false, NULL },
    { "ALPS", "ALPS_APP_PE", NULL, "processes of aprun", OWN_MPIRUN, false, NULL },
    { "MPT's mpirun", "MPT_MPI_RANK", NULL, "processes of MPT's mpirun", OWN_MPIRUN, false, NULL },
    { "PJM's mpiexec", "PLE_RANK_ON_NODE", NULL, "processes of mpiexec", OWN_MPIRUN, false, NULL },
    { "a launcher that speaks PMI", "PMI_RANK", "PMI_SIZE", "processes of a launcher", OWN_MPIRUN, false, NULL },
    { "a launcher that speaks PMI", "PMI_ID", NULL, "processes of a launcher", OWN_MPIRUN, false, NULL },
    { "a launcher that speaks PMIx", "PMIX_RANK", NULL, "processes of a launcher", OWN_MPIRUN, false, NULL },
};

static const launcher *
find_launcher(void)
{
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
        if (number_of(launchers[i].rank) != HD_NONE && (launchers[i].is_it == NULL || launchers[i].is_it()))
            return &launchers[i];
    return NULL;
}

const char *
hd_launcher_name(void)
{
    const launcher *l = find_launcher();

    return l != NULL ? l->name : NULL;
}

const char *
hd_launched_as(void)
{
    const launcher *l = find_launcher();

    if (l != NULL && !l->is_general)
        return getenv(l->rank);
    return getenv("PMIX_RANK") != NULL ? getenv("PMIX_RANK") : getenv("PMI_RANK");
}

#define PASSES_ON "HEDDLE_BEHIND_LAUNCHER"

bool
hd_launcher_passes_on(void)
{
    return hd_launched_as() != NULL || getenv(PASSES_ON) != NULL;
}

void
hd_launcher_forget(void)
{
    if (hd_launched_as() != NULL)
        setenv(PASSES_ON, "1", 1);
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
        unsetenv(launchers[i].rank);
}

/* Each process of a launcher is alone. n: how many there are, HD_NONE: unknown. calls: of the MPI library that did not find the others, NULL if none was
 * asked. */
static hd_status
fail_alone(const launcher *l, uint64_t n, const hd_analysis_comm_calls *calls)
{
    char *library = calls != NULL ? hd_analysis_comm_library(calls) : NULL;

    if (n != HD_NONE)
        hd_fail(HD_EUSAGE,
                "heddle runs as %" PRIu64 " %s, but each of them is alone: they would do the same analysis %" PRIu64
                " times", n, l->what, n);
    else
        hd_fail(HD_EUSAGE, "heddle runs as several %s, but each of them is alone: they would do the same analysis",
                l->what);
    if (library != NULL) {
        hd_fail_detail("mpi", "%s, which found no other rank", library);
        hd_fail_detail("try", "%s", l->remedy);
    }
    else
        hd_fail_detail("try", "without --mpi=no");
    hd_fail_detail("or", "a single process; if one of these is to analyse alone: env -u %s heddle ...", l->rank);
    free(library);
    return HD_EUSAGE;
}

static hd_status
fail_without_mpi(const launcher *l)
{
    hd_fail(HD_EUSAGE, "heddle runs as several %s, but it was built without MPI", l->what);
    hd_fail_detail("try", "a single process, or a build with MPI");
    hd_fail_detail("or", "env -u %s heddle ..., if one of these is to analyse alone", l->rank);
    return HD_EUSAGE;
}

hd_status
hd_launcher_open(hd_mpi_choice choice, int *argc, char ***argv, hd_analysis_comm **analysis_comm, bool *speaks)
{
    const launcher               *l          = find_launcher();
    const hd_analysis_comm_calls *calls      = &hd_analysis_comm_single;
    uint64_t                      n          = l != NULL ? number_of(l->size) : HD_NONE; /* MPI libraries write them anew */
    uint64_t                      rank       = l != NULL ? number_of(l->rank) : 0;
    bool                          has_others = n != HD_NONE ? n > 1 : rank > 0;
    bool                          wants_mpi  = choice == HD_MPI_YES || (choice == HD_MPI_AUTO && l != NULL && n != 1);
    hd_status                     status     = HD_OK;

    *analysis_comm = NULL;
    *speaks        = l == NULL || rank == (n != HD_NONE ? 0 : 1); /* where n is unknown the first one does not know */
    if (wants_mpi)
        calls = hd_mpi_part();
    if (calls == NULL) {
        status = hd_error_get()->status;
        return status == HD_EUSAGE && choice == HD_MPI_AUTO ? fail_without_mpi(l) : status;
    }
    if (!wants_mpi && has_others)
        return fail_alone(l, n, NULL);
    *analysis_comm = hd_analysis_comm_open(calls, argc, argv);
    if (has_others && hd_analysis_comm_size(*analysis_comm) == 1)
        status = fail_alone(l, n, calls);
    return status;
}
