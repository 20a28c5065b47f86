/* src/record/finish/folder_removal.c: lists a folder, and removes what is in it. */
#include "folder_removal.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"
#include "workers.h"

/* [n] names in a folder, without "." and ".."; free() each, and them. */
static hd_status
list_folder(const char *path, char ***names, size_t *n)
{
    DIR           *folder = opendir(path);
    struct dirent *entry;
    size_t         room = 0;

    *names = NULL;
    *n     = 0;
    if (folder == NULL)
        return errno == ENOENT ? HD_OK : hd_fail(HD_EWRITE, "cannot remove \"%s\": %s", path, strerror(errno));
    while ((entry = readdir(folder)) != NULL)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            HD_PUSH(*names, *n, room, hd_strdup(entry->d_name));
    closedir(folder);
    return HD_OK;
}

typedef struct removal { /* of what is in a folder */
    const char *path;
    char      **names;
    int         depth;
} removal;

static hd_status
remove_one(void *user, uint32_t worker, size_t i)
{
    const removal *from   = user;
    char          *inner  = hd_format("%s/%s", from->path, from->names[i]);
    hd_status      status = HD_OK;

    (void)worker;
    if (unlink(inner) != 0 && errno != ENOENT &&
        (from->depth == 0 || hd_folder_remove(inner, from->depth - 1) != HD_OK))
        status = hd_fail(HD_EWRITE, "cannot remove \"%s\": %s", inner, strerror(errno));
    free(inner);
    return status;
}

/* is_empty: out, nothing was put there meanwhile. */
static hd_status
remove_all(const char *path, int depth, bool *is_empty)
{
    enum { AT_ONCE = 64 };
    removal   from = { .path = path, .depth = depth };
    size_t    n;
    hd_status status = list_folder(path, &from.names, &n);

    *is_empty = true;
    if (status == HD_OK)
        status = hd_workers_run(n, AT_ONCE, remove_one, &from);
    if (status == HD_OK && rmdir(path) != 0 && errno != ENOENT) {
        *is_empty = errno != ENOTEMPTY && errno != EEXIST;
        status    = hd_fail(HD_EWRITE, "cannot remove \"%s\": %s", path, strerror(errno));
    }
    for (size_t i = 0; i < n; i++)
        free(from.names[i]);
    free(from.names);
    return status;
}

hd_status
hd_folder_remove(const char *path, int depth)
{
    enum { TIMES = 100, US = 10000 };
    bool      is_empty;
    hd_status status = remove_all(path, depth, &is_empty);

    for (int i = 1; i < TIMES && !is_empty; i++) {
        usleep(US);
        status = remove_all(path, depth, &is_empty);
    }
    return status;
}

void
hd_folders_remove(const char *directory, const char *begin, int depth)
{
    char **names;
    size_t n;

    list_folder(directory, &names, &n);
    for (size_t i = 0; i < n; i++) {
        char *path = hd_format("%s/%s", directory, names[i]);

        if (strncmp(names[i], begin, strlen(begin)) == 0)
            hd_folder_remove(path, depth);
        free(path);
        free(names[i]);
    }
    free(names);
}
