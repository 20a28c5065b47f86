/* src/cli/commands/scan/experiment_folder.c: names, checks and removes experiment directories. */
#define _GNU_SOURCE /* nftw */
#include "experiment_folder.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"

char *
hd_experiment_folder_name(const hd_launch_line *line)
{
    const char *threads = getenv("OMP_NUM_THREADS");
    char       *count, *size, *name;

    /* a list of numbers is for nested teams; the first one is that of the outermost */
    count = threads != NULL && *threads >= '1' && *threads <= '9'
                ? hd_format("x%.*s", (int)strspn(threads, "0123456789"), threads)
                : hd_strdup("");
    if (!line->has_launcher)
        size = hd_format("_O%s", count);
    else if (line->n_processes > 0)
        size = hd_format("_%" PRIu32 "%s", line->n_processes, count);
    else
        size = hd_strdup("");
    name = hd_format("scorep_%s%s_trace", line->program, size);
    free(size);
    free(count);
    return name;
}

hd_status
hd_experiment_folder_absolute(const char *path, char **absolute)
{
    char  *here = getcwd(NULL, 0);
    size_t n;

    if (here == NULL)
        return hd_fail(HD_EOPEN, "the current folder has no name: %s", strerror(errno));
    while (strncmp(path, "./", 2) == 0 && path[2] != '\0')
        path += 2;
    *absolute = *path == '/' ? hd_strdup(path) : hd_format("%s/%s", strcmp(here, "/") != 0 ? here : "", path);
    for (n = strlen(*absolute); n > 1 && (*absolute)[n - 1] == '/'; n--)
        (*absolute)[n - 1] = '\0';
    free(here);
    return HD_OK;
}

static bool
has(const char *folder, const char *name)
{
    char *path = hd_format("%s/%s", folder, name);
    bool  is   = access(path, F_OK) == 0;

    free(path);
    return is;
}

/* Whether a path leads into the folder, or to it. */
static bool
holds(const char *folder, const char *path)
{
    char  *whole = realpath(folder, NULL), *inner = realpath(path, NULL);
    size_t n     = whole != NULL ? strlen(whole) : 0;
    bool   is_so = whole != NULL && inner != NULL && strncmp(whole, inner, n) == 0 &&
                 (inner[n] == '/' || inner[n] == '\0');

    free(whole);
    free(inner);
    return is_so;
}

static hd_status
is_needed(const char *folder, const char *what)
{
    hd_fail(HD_EEXIST, "the experiment directory is not replaced: it holds %s",
            strcmp(what, ".") == 0 ? "the current folder" : "what the measurement needs");
    hd_fail_detail("folder", "\"%s\"", folder);
    if (strcmp(what, ".") != 0)
        hd_fail_detail("needed", "\"%s\"", what);
    hd_fail_detail("try", "--output DIR with a folder that does not exist yet");
    return HD_EEXIST;
}

hd_status
hd_experiment_folder_check(const char *path, bool force, const char *const *needed)
{
    struct stat there;

    if (lstat(path, &there) != 0)
        return HD_OK;
    if (!force) {
        hd_fail(HD_EEXIST, "the experiment directory exists already");
        hd_fail_detail("folder", "\"%s\"", path);
        hd_fail_detail("try", "--output DIR for another one, or --force to replace it%s",
                       has(path, "traces.otf2") ? "; heddle analyze DIR analyses what is there" : "");
        return HD_EEXIST;
    }
    if (holds(path, "."))
        return is_needed(path, ".");
    for (; *needed != NULL; needed++)
        if (holds(path, *needed))
            return is_needed(path, *needed);
    if (S_ISDIR(there.st_mode) && (has(path, "scorep.cfg") || has(path, "traces.otf2") || has(path, "profile.cubex")))
        return HD_OK;
    hd_fail(HD_EEXIST, "\"%s\" is not replaced: it is no experiment directory of Score-P", path);
    hd_fail_detail("has", "none of scorep.cfg, traces.otf2, profile.cubex");
    hd_fail_detail("try", "--output DIR with a folder that does not exist yet");
    return HD_EEXIST;
}

/* The part of nftw() that does it. */
static int
remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)status, (void)type, (void)where;
    return remove(path);
}

hd_status
hd_experiment_folder_remove(const char *path)
{
    struct stat there;

    if (lstat(path, &there) != 0 || nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0)
        return HD_OK;
    hd_fail(HD_EWRITE, "the experiment directory cannot be removed: %s", strerror(errno));
    hd_fail_detail("folder", "\"%s\"", path);
    return HD_EWRITE;
}
