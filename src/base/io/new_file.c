#define _GNU_SOURCE /* O_TMPFILE, renameat2, locks of open files */
#include "new_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"

enum { MAX_TRIES = 100 };

static char *
folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? hd_strdup(".") : hd_format("%.*s", (int)(slash == path ? 1 : slash - path), path);
}

/* Closing a descriptor of the file does not give up the lock, unless it is the last one of this opening. */
static bool
lock(int fd)
{
    struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

    return fcntl(fd, F_OFD_SETLK, &whole) == 0;
}

static bool
is_number(const char *text)
{
    return *text != '\0' && strspn(text, "0123456789") == strlen(text);
}

/* Files beside path that are called as ours are, but that are not locked. */
static void
remove_left_over(const char *path)
{
    const char          *slash  = strrchr(path, '/');
    char                *name   = hd_format("%s.tmp-", slash != NULL ? slash + 1 : path);
    char                *folder = folder_of(path);
    DIR                 *list   = opendir(folder);
    const struct dirent *entry;

    while (list != NULL && (entry = readdir(list)) != NULL) {
        struct stat info;
        int         fd;

        if (strncmp(entry->d_name, name, strlen(name)) != 0 || !is_number(entry->d_name + strlen(name)))
            continue;
        fd = openat(dirfd(list), entry->d_name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (fd < 0)
            continue;
        if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_nlink == 1 && info.st_uid == geteuid() &&
            lock(fd))
            unlinkat(dirfd(list), entry->d_name, 0);
        close(fd);
    }
    if (list != NULL)
        closedir(list);
    free(folder);
    free(name);
}

static int
open_nameless(hd_new_file *file)
{
    char *folder = folder_of(file->path);
    char  link[64];

    file->fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    free(folder);
    if (file->fd < 0)
        return errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file->fd); /* it gets its name by this one */
    if (access(link, W_OK) == 0)
        return 0;
    close(file->fd);
    return ENOSYS;
}

/* One that is removed between the two steps was taken for one that was left over. */
static int
open_named(hd_new_file *file)
{
    struct stat info;

    for (int i = 0; i < MAX_TRIES; i++) {
        file->fd = open(file->temporary, O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC, 0666);
        if (file->fd < 0)
            return errno;
        lock(file->fd);
        if (fstat(file->fd, &info) != 0 || info.st_nlink > 0)
            return 0;
        close(file->fd);
    }
    return EBUSY;
}

int
hd_new_file_open(hd_new_file *file, const char *path, bool has_name)
{
    int error = ENOSYS;

    *file = (hd_new_file){ .path = hd_strdup(path), .fd = -1 };
    remove_left_over(path);
    if (!has_name)
        error = open_nameless(file);
    if (error != 0) {
        file->temporary = hd_format("%s.tmp-%jd", path, (intmax_t)getpid());
        error           = open_named(file);
    }
    file->is_open = error == 0;
    if (error != 0) {
        free(file->temporary);
        file->temporary = NULL; /* what is there is not ours */
    }
    return error;
}

/* Only what has a name can replace something: it has one for a moment. */
static int
name_nameless(hd_new_file *file, bool replace)
{
    char link[64];

    snprintf(link, sizeof link, "/proc/self/fd/%d", file->fd);
    if (!replace)
        return linkat(AT_FDCWD, link, AT_FDCWD, file->path, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
    file->temporary = hd_format("%s.tmp-%jd", file->path, (intmax_t)getpid());
    if (linkat(AT_FDCWD, link, AT_FDCWD, file->temporary, AT_SYMLINK_FOLLOW) != 0) {
        free(file->temporary);
        file->temporary = NULL;
        return errno;
    }
    return rename(file->temporary, file->path) == 0 ? 0 : errno;
}

static int
name_named(const hd_new_file *file, bool replace)
{
    if (!replace) {
        if (renameat2(AT_FDCWD, file->temporary, AT_FDCWD, file->path, RENAME_NOREPLACE) == 0)
            return 0;
        if (errno == EEXIST)
            return EEXIST;
        if (access(file->path, F_OK) == 0) /* as far as a file system without that call can tell */
            return EEXIST;
    }
    return rename(file->temporary, file->path) == 0 ? 0 : errno;
}

/* File systems that write late tell at the end what went wrong; the file stays open, and locked. */
static int
flush(const hd_new_file *file)
{
    int copy = dup(file->fd);

    if (copy < 0)
        return errno;
    return close(copy) == 0 ? 0 : errno;
}

/* Devices, pipes and folders stay what they are, also behind a link such as /dev/stdout. Returns 0 or errno. */
static int
check_replaced(const char *path)
{
    struct stat info;

    if (stat(path, &info) != 0 || S_ISREG(info.st_mode))
        return 0;
    return S_ISDIR(info.st_mode) ? EISDIR : EINVAL;
}

int
hd_new_file_commit(hd_new_file *file, bool replace)
{
    int error = flush(file);

    if (error == 0 && replace)
        error = check_replaced(file->path);
    if (error == 0)
        error = file->temporary != NULL ? name_named(file, replace) : name_nameless(file, replace);
    if (error != 0) {
        hd_new_file_drop(file);
        return error;
    }
    file->is_open = false;
    close(file->fd);
    return 0;
}

void
hd_new_file_drop(hd_new_file *file)
{
    if (!file->is_open)
        return;
    file->is_open = false;
    if (file->temporary != NULL)
        unlink(file->temporary);
    close(file->fd);
}

void
hd_new_file_fini(hd_new_file *file)
{
    hd_new_file_drop(file);
    free(file->path);
    free(file->temporary);
    *file = (hd_new_file){ 0 };
}

int
hd_new_file_probe(const char *path)
{
    hd_new_file file;
    int         error = check_replaced(path);

    if (error != 0)
        return error;
    error = hd_new_file_open(&file, path, false);
    hd_new_file_fini(&file);
    return error;
}

const char *
hd_new_file_why(int error)
{
    return error == EINVAL ? "it is no regular file" : strerror(error);
}

bool
hd_file_has_ending(const char *path, const char *ending)
{
    const char *dot = strrchr(path, '.');

    return dot != NULL && strcasecmp(dot, ending) == 0;
}
