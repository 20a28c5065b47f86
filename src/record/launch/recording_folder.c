/* src/record/launch/recording_folder.c: agrees on a folder by names in it. */
#include "recording_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "memory.h"

/* ---- job --------------------------------------------------------------------------------------------------------- */

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

/* ---- folder ------------------------------------------------------------------------------------------------------ */

static hd_status
write_file(const char *path, const char *text, bool *is_there)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

    *is_there = fd < 0 && errno == EEXIST;
    if (fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && close(fd) == 0)
        return HD_OK;
    return *is_there ? HD_OK : hd_fail(HD_EWRITE, "cannot write \"%s\": %s", path, strerror(errno));
}

/* Whether the folder's file "job" says what this job is. */
static bool
is_of(const char *folder, const hd_recording_job *job)
{
    char   *path = hd_format("%s/raw/job", folder), text[4096];
    FILE   *file = fopen(path, "re");
    size_t  n    = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;

    if (file != NULL)
        fclose(file);
    free(path);
    text[n] = '\0';
    return n > 0 && strcmp(text, job->identity) == 0;
}

/* Makes it aside with all that is in it, so that whoever finds it finds it whole. */
static hd_status
make_aside(const char *path, const hd_recording_job *job, bool *is_made)
{
    char     *aside = hd_format("%s.new-%d", path, (int)getpid());
    char     *raw = hd_format("%s/raw", aside), *file = hd_format("%s/job", raw);
    bool      is_there;
    hd_status status = HD_OK;

    *is_made = false;
    if (mkdir(aside, 0777) != 0 || mkdir(raw, 0777) != 0) {
        status = hd_fail(HD_EWRITE, "cannot make the folder \"%s\": %s", path, strerror(errno));
        hd_fail_detail("try", "--output DIR, in a folder where you may write");
    }
    if (status == HD_OK)
        status = write_file(file, job->identity, &is_there);
    if (status == HD_OK)
        *is_made = rename(aside, path) == 0; /* onto an empty folder, too */
    if (!*is_made) {
        unlink(file);
        rmdir(raw);
        rmdir(aside);
    }
    free(file);
    free(raw);
    free(aside);
    return status;
}

hd_status
hd_recording_folder_make(const char *path_, const hd_recording_job *job, char **absolute)
{
    char     *path    = hd_strdup(path_);
    bool      is_made = false;
    hd_status status  = HD_OK;

    while (strlen(path) > 1 && path[strlen(path) - 1] == '/')
        path[strlen(path) - 1] = '\0';
    *absolute = NULL;
    if (!is_of(path, job))
        status = make_aside(path, job, &is_made);
    if (status == HD_OK && !is_made && !is_of(path, job)) {
        hd_fail(HD_EEXIST, "there is a folder \"%s\" already", path);
        hd_fail_detail("try", "another one with --output");
        hd_fail_detail("or", "heddle record --finish=%s, if a recording in it was killed", path);
        status = HD_EEXIST;
    }
    if (status == HD_OK && (*absolute = realpath(path, NULL)) == NULL)
        status = hd_fail(HD_EOPEN, "cannot open the folder \"%s\": %s", path, strerror(errno));
    free(path);
    return status;
}

/* Whether the rank has ended a program that is recorded there. Its script may go on with the next one. */
static bool
is_left(const char *folder, const hd_recording_job *job)
{
    char *mine = hd_format("%s/raw/done-%u", folder, job->rank);
    bool  is   = access(mine, F_OK) == 0;

    free(mine);
    return is;
}

/* "heddle-PROGRAM-TIME", with a number before the time if the rank has recorded this program before; free() it. */
static char *
name_of(const char *program, const hd_recording_job *job)
{
    char *name = hd_format("heddle-%s-%s", program, job->time);

    for (int i = 2; job->size > 1 && access(name, F_OK) == 0 && (!is_of(name, job) || is_left(name, job)); i++) {
        free(name);
        name = hd_format("heddle-%s-%d-%s", program, i, job->time);
    }
    return name;
}

/* The folder here that another program of the job has made; free() it. NULL: none has. */
static char *
find_other(const hd_recording_job *job)
{
    char  *pattern = hd_format("heddle-*-%s", job->time), *found = NULL;
    glob_t there;

    if (glob(pattern, GLOB_NOSORT, NULL, &there) == 0) {
        for (size_t i = 0; i < there.gl_pathc && found == NULL; i++)
            if (is_of(there.gl_pathv[i], job) && !is_left(there.gl_pathv[i], job))
                found = hd_strdup(there.gl_pathv[i]);
        globfree(&there);
    }
    free(pattern);
    return found;
}

/* Waits until the lock can be made, or *is_own. One that stays for a second is of a process that was killed, which has
 * no claim to it any more. */
static void
take_lock(const char *lock, const char *own, const hd_recording_job *job, bool *is_own)
{
    enum { TRIES = 1000, WAIT_US = 1000 };
    struct stat seen = { 0 }, now;

    for (int i = 0; i < TRIES && !(*is_own = is_of(own, job)) && mkdir(lock, 0777) != 0 && errno == EEXIST; i++) {
        if (stat(lock, &now) == 0 &&
            (now.st_ino != seen.st_ino || now.st_mtim.tv_sec != seen.st_mtim.tv_sec ||
             now.st_mtim.tv_nsec != seen.st_mtim.tv_nsec)) { /* another one's */
            seen = now;
            i    = 0;
        }
        usleep(WAIT_US);
    }
}

/* The folder "lock" is there while one of several programs looks for that of another and makes its own. */
hd_status
hd_recording_folder_make_named(const char *program, const hd_recording_job *job, char **absolute)
{
    char     *own = name_of(program, job), *lock = hd_format("heddle-%s.lock", job->time);
    char     *other  = NULL;
    bool      is_own = job->size == 1;
    hd_status status;

    if (!is_own)
        take_lock(lock, own, job, &is_own);
    if (!is_own)
        other = find_other(job);
    status = hd_recording_folder_make(other != NULL ? other : own, job, absolute);
    if (!is_own)
        rmdir(lock);
    free(other);
    free(lock);
    free(own);
    return status;
}

hd_status
hd_recording_folder_leave(const char *absolute, const hd_recording_job *job, bool *is_last)
{
    char     *mine = hd_format("%s/raw/done-%u", absolute, job->rank), *all = hd_format("%s/raw/finishing", absolute);
    bool      is_there = false;
    uint32_t  n        = 0;
    hd_status status   = write_file(mine, "", &is_there);

    *is_last = false;
    for (uint32_t i = 0; i < job->size && n == i && status == HD_OK; i++) {
        char *other = hd_format("%s/raw/done-%u", absolute, i);

        n += access(other, F_OK) == 0;
        free(other);
    }
    if (status == HD_OK && n == job->size) {
        status   = write_file(all, "", &is_there);
        *is_last = status == HD_OK && !is_there;
    }
    free(all);
    free(mine);
    return status;
}
