/* src/record/launch/recording_folder.c: agrees on a folder by names in it. */
#include "recording_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "job_claim.h"
#include "memory.h"

static hd_status
write_file(const char *path, const char *text, bool *is_there)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

    *is_there = fd < 0 && errno == EEXIST;
    if (fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && close(fd) == 0)
        return HD_OK;
    return *is_there ? HD_OK : hd_fail(HD_EWRITE, "cannot write \"%s\": %s", path, strerror(errno));
}

enum { JOB_BYTES = 4096 };

/* Of the job whose folder it is; "": of none. */
static void
read_identity(const char *folder, char text[JOB_BYTES])
{
    char  *path = hd_format("%s/raw/job", folder);
    FILE  *file = fopen(path, "re");
    size_t n    = file != NULL ? fread(text, 1, JOB_BYTES - 1, file) : 0;

    if (file != NULL)
        fclose(file);
    free(path);
    text[n] = '\0';
}

static bool
is_of(const char *folder, const hd_recording_job *job)
{
    char text[JOB_BYTES];

    read_identity(folder, text);
    return text[0] != '\0' && strcmp(text, job->identity) == 0;
}

/* Makes it aside with all that is in it, so that whoever finds it finds it whole. */
static hd_status
make_aside(const char *path, const hd_recording_job *job, bool *is_made)
{
    char     *aside = hd_format("%s.new-%u-%d", path, job->rank, (int)getpid()); /* nodes may have the same numbers */
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
    char       *path    = hd_strdup(path_);
    bool        is_made = false;
    hd_status   status  = HD_OK;
    struct stat info;

    while (strlen(path) > 1 && path[strlen(path) - 1] == '/')
        path[strlen(path) - 1] = '\0';
    *absolute = NULL;
    if (!is_of(path, job))
        status = make_aside(path, job, &is_made);
    if (status == HD_OK && !is_made && !is_of(path, job)) {
        bool is_file = stat(path, &info) == 0 && !S_ISDIR(info.st_mode);

        hd_fail(HD_EEXIST, "there is a %s \"%s\" already", is_file ? "file" : "folder", path);
        hd_fail_detail("try", "another %s with --output", is_file ? "name" : "one");
        if (!is_file)
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

/* One of several programs at a time looks for the folder of another and makes its own: of the processes of the node, as
 * the time of a job is of the launcher there. Waits for that, or until there is the folder `own` of the job. The system
 * ends the claim of a process that was killed. The handle is to be closed; -1: none. */
static int
take_turn(const char *own, const hd_recording_job *job)
{
    int handle = -1;

    while (!is_of(own, job) && !hd_job_claim_take(job, job->time, &handle))
        usleep(1000);
    return handle;
}

hd_status
hd_recording_folder_make_named(const char *program, const hd_recording_job *job, char **absolute)
{
    char     *own = name_of(program, job), *other = NULL;
    int       turn = -1;
    hd_status status;

    if (job->size > 1) {
        turn  = take_turn(own, job);
        other = is_of(own, job) ? NULL : find_other(job);
    }
    status = hd_recording_folder_make(other != NULL ? other : own, job, absolute);
    if (turn >= 0)
        close(turn);
    free(other);
    free(own);
    return status;
}

hd_status
hd_recording_folder_leave(const char *absolute, const hd_recording_job *job, bool *is_last)
{
    char     *mine = hd_format("%s/raw/done-%u", absolute, job->rank), *all = hd_format("%s/raw/finishing", absolute);
    char      text[JOB_BYTES];
    bool      is_there = false;
    uint32_t  n        = 0;
    hd_status status   = HD_OK;

    *is_last = false;
    read_identity(absolute, text);
    if (text[0] != '\0' && strcmp(text, job->identity) != 0) { /* another recording has the name meanwhile */
        free(all);
        free(mine);
        return hd_fail(HD_EEXIST, "\"%s\" was replaced by another recording", absolute);
    }
    status = write_file(mine, "", &is_there);
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

/* A process writes its definitions with its first record. Names of folders may have any characters. */
static bool
has_recorded(const char *absolute)
{
    char          *raw    = hd_format("%s/raw", absolute);
    DIR           *folder = opendir(raw);
    struct dirent *entry;
    bool           is_there = false;

    while (folder != NULL && !is_there && (entry = readdir(folder)) != NULL) {
        const char *dot = strrchr(entry->d_name, '.');

        is_there = dot != NULL && strcmp(dot, ".def") == 0;
    }
    if (folder != NULL)
        closedir(folder);
    free(raw);
    return is_there;
}

bool
hd_recording_folder_is_first_failure(const char *absolute)
{
    char *claim    = hd_format("%s/raw/failed", absolute);
    bool  is_there = false;
    bool  is_first = has_recorded(absolute) && write_file(claim, "", &is_there) == HD_OK && !is_there;

    free(claim);
    return is_first;
}
