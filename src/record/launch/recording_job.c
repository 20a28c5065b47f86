/* src/record/launch/recording_job.c: what the environment and the parents of this process say. */
#include "recording_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "memory.h"

static const char *const ranks[] = { "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID", NULL };
static const char *const sizes[] = { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS", NULL };

/* A number that the system tells of a process, the field-th behind its name; 0: not known. */
static unsigned long long
stat_of(pid_t process, int field)
{
    char        path[64], line[4096];
    FILE       *file;
    const char *at = NULL;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    file = fopen(path, "re");
    if (file != NULL) {
        size_t n = fread(line, 1, sizeof line - 1, file);

        line[n] = '\0';
        at      = strrchr(line, ')'); /* the name before it may hold anything */
        fclose(file);
    }
    for (int i = 0; at != NULL && i < field; i++)
        at = strchr(at + 1, ' ');
    return at != NULL ? strtoull(at, NULL, 10) : 0;
}

/* [seconds since 1970] when a process began, by the system's start and ticks since then; 0: not known. */
static time_t
begin_of(pid_t process)
{
    char               line[4096];
    FILE              *file;
    unsigned long long ticks = stat_of(process, 20);
    long long          boot  = 0;

    if (ticks == 0)
        return 0;
    file = fopen("/proc/stat", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "btime ", 6) == 0)
            boot = strtoll(line + 6, NULL, 10);
    if (file != NULL)
        fclose(file);
    return (time_t)(boot + (long long)(ticks / (unsigned long long)sysconf(_SC_CLK_TCK)));
}

/* Whether a process was started with the same value of a variable as this one. */
static bool
has_same(pid_t process, const char *name)
{
    const char *value    = getenv(name);
    char       *expected = hd_format("%s=%s", name, value != NULL ? value : ""), *line = NULL;
    char       *path = hd_format("/proc/%d/environ", (int)process);
    size_t      room = 0;
    FILE       *file = fopen(path, "re");
    bool        has  = false;

    while (file != NULL && !has && getdelim(&line, &room, '\0', file) > 0)
        has = strcmp(line, expected) == 0;
    if (file != NULL)
        fclose(file);
    free(line);
    free(path);
    free(expected);
    return has;
}

static const char *
first_set(const char *const *names) /* NULL: none */
{
    while (*names != NULL && getenv(*names) == NULL)
        names++;
    return *names;
}

/* The first of the variables that is a number. */
static uint32_t
number_of(const char *const *names, uint32_t fallback)
{
    for (; *names != NULL; names++) {
        const char   *text = getenv(*names);
        char         *end;
        unsigned long number;

        if (text == NULL || *text == '\0')
            continue;
        number = strtoul(text, &end, 10);
        if (*end == '\0' && number < INT32_MAX)
            return (uint32_t)number;
    }
    return fallback;
}

/* The process that started those with ranks; between it and this one may be scripts. They have the rank of this one,
 * and so has a launcher that was started by another one, but not its size. */
static pid_t
find_launcher(void)
{
    const char *rank = first_set(ranks), *size = first_set(sizes);
    pid_t       process = getppid(), above;

    while (rank != NULL && number_of(sizes, 1) > 1 && has_same(process, rank) && has_same(process, size) &&
           (above = (pid_t)stat_of(process, 2)) > 1)
        process = above;
    return process;
}

hd_recording_job
hd_recording_job_of(bool under_launcher)
{
    pid_t            of    = under_launcher ? find_launcher() : getpid();
    time_t           begin = begin_of(of);
    const char      *space = getenv("PMIX_NAMESPACE"), *step = getenv("SLURM_STEP_ID");
    hd_recording_job job      = { .size = 1 };
    char             text[64] = "";
    struct tm        local;

    if (under_launcher) {
        job.rank = number_of(ranks, 0);
        job.size = number_of(sizes, 1);
    }
    if (localtime_r(&begin, &local) == NULL || strftime(text, sizeof text, "%Y%m%d-%H%M%S", &local) == 0)
        text[0] = '\0';
    job.time = hd_format("%s-%d", text, (int)of);
    if (under_launcher && space != NULL)
        job.identity = hd_format("%s", space);
    else if (under_launcher && step != NULL && getenv("SLURM_JOB_ID") != NULL)
        job.identity = hd_format("%s.%s", getenv("SLURM_JOB_ID"), step);
    else
        job.identity = hd_strdup(job.time);
    return job;
}

void
hd_recording_job_fini(hd_recording_job *job)
{
    free(job->identity);
    free(job->time);
}
