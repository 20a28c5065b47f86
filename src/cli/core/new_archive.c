/* src/cli/core/new_archive.c: the folder of a new archive: written aside, renamed, replaced. */
#define _GNU_SOURCE /* nftw, renameat2 */
#include "new_archive.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"
#include "same_file.h"

/* The part of nftw() that does it. */
static int
remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)status, (void)type, (void)where;
    return remove(path);
}

static hd_status
cannot_make(const char *path, int error)
{
    struct stat info;
    bool        exists = error == EEXIST || error == ENOTEMPTY;
    bool        is_file = exists && stat(path, &info) == 0 && !S_ISDIR(info.st_mode);

    if (exists)
        hd_fail(HD_EEXIST, is_file ? "the folder of the new archive has the name of a file" :
                           "the folder of the new archive exists already");
    else
        hd_fail(HD_EWRITE, "the new archive cannot be written: %s", strerror(error));
    hd_fail_detail("archive", "\"%s\"", path);
    hd_fail_detail("try", exists && !is_file ? "--force to replace it, or a folder that does not exist yet"
                                 : "a folder that does not exist yet, where you may write");
    return hd_error_get()->status;
}

/* What heddle extract and heddle analyze write. */
static bool
is_of_extract(const char *name)
{
    static const char *const names[] = { ".", "..", "traces", "traces.otf2", "traces.def" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return strncmp(name, "heddle.", strlen("heddle.")) == 0;
}

/* A folder that is more than an archive, or the archive itself, is not replaced whatever the user says. */
static hd_status
check_replaced(const char *path, const char *anchor)
{
    char          *old       = hd_format("%s/traces.otf2", path), *other = NULL;
    bool           is_source = hd_is_same_file(old, anchor), is_archive = access(old, F_OK) == 0;
    DIR           *folder    = is_archive && !is_source ? opendir(path) : NULL;
    bool           is_read   = folder != NULL;
    struct dirent *entry;

    while (folder != NULL && other == NULL && (entry = readdir(folder)) != NULL)
        if (!is_of_extract(entry->d_name))
            other = hd_strdup(entry->d_name);
    if (is_read)
        closedir(folder);
    free(old);
    if (is_source)
        return hd_fail(HD_EUSAGE, "the new archive cannot replace the one that it is made of, \"%s\"", path);
    if (is_read && other == NULL)
        return HD_OK;
    hd_fail(HD_EEXIST, "\"%s\" is not replaced: it is not a folder with an archive and nothing else", path);
    if (other != NULL)
        hd_fail_detail("has", "\"%s\"", other);
    hd_fail_detail("try", "a folder that does not exist yet");
    free(other);
    return HD_EEXIST;
}

/* A name beside the folder, not in it; free() it. */
static char *
name_beside(const char *path, const char *what)
{
    size_t n = strlen(path);

    while (n > 1 && path[n - 1] == '/')
        n--;
    return hd_format("%.*s.%s-%ld", (int)n, path, what, (long)getpid());
}

/* Renames the new archive; what was there has another name until then, and gets its own back if that
 * fails. */
static int
give_name(const char *temporary, const char *path, bool exists)
{
    char *old   = name_beside(path, "old");
    bool  moves = exists && rename(path, old) == 0;
    int   error = 0;

    if (renameat2(AT_FDCWD, temporary, AT_FDCWD, path, RENAME_NOREPLACE) != 0
        && (errno != EINVAL || rename(temporary, path) != 0)) /* file systems that have no such flag */
        error = errno;
    if (moves && error != 0)
        (void)rename(old, path);
    else if (moves)
        nftw(old, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(old);
    return error;
}

hd_status
hd_new_archive_probe(const char *path, bool force, const char *anchor)
{
    char       *temporary = name_beside(path, "tmp");
    hd_status   status    = HD_OK;
    struct stat there;

    if (lstat(path, &there) == 0)
        status = force ? check_replaced(path, anchor) : cannot_make(path, EEXIST);
    if (status == HD_OK && (mkdir(temporary, 0777) != 0 || rmdir(temporary) != 0))
        status = cannot_make(path, errno);
    free(temporary);
    return status;
}

hd_status
hd_new_archive_write(const char *path, bool force, const hd_extract_request *request, hd_extract_result *result)
{
    char              *temporary = name_beside(path, "tmp");
    hd_extract_request aside     = *request;
    bool               is_made   = false, exists;
    hd_status          status    = HD_OK;
    struct stat        there;
    int                error;

    aside.directory = temporary;
    exists          = lstat(path, &there) == 0;
    if (exists)
        status = force ? check_replaced(path, request->anchor) : cannot_make(path, EEXIST);
    if (status == HD_OK && !(is_made = mkdir(temporary, 0777) == 0))
        status = cannot_make(path, errno);
    if (status == HD_OK)
        status = hd_extract_write(&aside, result);
    if (status == HD_OK && (error = give_name(temporary, path, exists)) != 0)
        status = cannot_make(path, error);
    if (status != HD_OK && is_made)
        nftw(temporary, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(temporary);
    return status;
}

/* One warning for each kind of loss. Whether there is any. */
bool
hd_new_archive_tell_losses(const hd_defs *defs, const hd_extract_result *result)
{
    static const char *const words[HD_EXTRACT_N_LOSSES][2] = { /* one, several */
        [HD_EXTRACT_NO_EVENTS]      = { "location has no event file, or an empty one", "locations have no event file, or an empty one" },
        [HD_EXTRACT_CUT_EVENTS]     = { "location has an event file that ends too early; what can be read of it was taken",
                                        "locations have an event file that ends too early; what can be read of them was taken" },
        [HD_EXTRACT_STOPPED]        = { "process ends inside of calls: it, or its recording, stopped early",
                                        "processes end inside of calls: they, or their recording, stopped early" },
        [HD_EXTRACT_LEFT_OUT]       = { "location has no readable definitions of its own; its events are omitted, as their references cannot be resolved",
                                        "locations have no readable definitions of their own; their events are omitted, as their references cannot be resolved" },
        [HD_EXTRACT_UNKNOWN_KIND]   = { "location has records of a kind that the OTF2 library does not know; they are omitted",
                                        "locations have records of a kind that the OTF2 library does not know; they are omitted" },
        [HD_EXTRACT_TIME_DAMAGED]   = { "location has records far after the end of the recording; the time of the record before is used",
                                        "locations have records far after the end of the recording; the time of the record before is used" },
        [HD_EXTRACT_NO_DEFINITIONS] = { "location has no readable definitions of its own; those of others have nothing that would change its events",
                                        "locations have no readable definitions of their own; those of others have nothing that would change their events" },
    };
    bool is_any = false;

    for (int i = 0; i < HD_EXTRACT_N_LOSSES; i++) {
        const hd_extract_loss *loss = &result->losses[i];
        const hd_location_def *first;

        if (loss->n == 0)
            continue;
        first  = &hd_defs_locations(defs)[loss->first];
        is_any = true;
        fprintf(stderr, "heddle: warning: %" PRIu32 " %s\n  first:    process %" PRIu32, loss->n, words[i][loss->n > 1], first->process);
        fprintf(stderr, first->thread > 0 ? ", thread %" PRIu32 "\n" : "\n", first->thread);
    }
    return is_any;
}
