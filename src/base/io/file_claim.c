#define _GNU_SOURCE /* locks of open files */
#include "file_claim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"

enum { MAX_TRIES = 100 };

/* Returns 0 or errno. */
static int
lock(int fd)
{
    struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

    return fcntl(fd, F_OFD_SETLK, &whole) == 0 ? 0 : errno;
}

static char *
read_who(int fd)
{
    char    text[300];
    ssize_t n = pread(fd, text, sizeof text - 1, 0);

    text[n > 0 ? n : 0] = '\0';
    text[strcspn(text, "\n")] = '\0';
    return hd_strdup(text[0] != '\0' ? text : "another process");
}

static void
write_who(int fd)
{
    char  node[256] = "an unknown node";
    char *text;

    if (gethostname(node, sizeof node - 1) != 0)
        memcpy(node, "an unknown node", sizeof "an unknown node");
    text = hd_format("process %jd on %s\n", (intmax_t)getpid(), node);
    if (ftruncate(fd, 0) != 0 || write(fd, text, strlen(text)) < 0)
        errno = 0; /* the lock is what counts */
    free(text);
}

/* Whether the path is still that of the file: its last owner removes it. */
static bool
is_named(int fd, const char *path)
{
    struct stat file, named;

    return fstat(fd, &file) == 0 && stat(path, &named) == 0 && file.st_dev == named.st_dev &&
           file.st_ino == named.st_ino;
}

void
hd_file_claim_share(hd_file_claim *claim, const char *path)
{
    *claim = (hd_file_claim){ .path = hd_format("%s.lock", path), .fd = -1 };
}

bool
hd_file_claim_take(hd_file_claim *claim, const char *path, char **who)
{
    hd_file_claim_share(claim, path);
    for (int i = 0; i < MAX_TRIES; i++) {
        int fd = open(claim->path, O_CREAT | O_NOFOLLOW | O_RDWR | O_CLOEXEC, 0666), error;

        if (fd < 0)
            return true; /* writing the file says why */
        error = lock(fd);
        if (error == EAGAIN || error == EACCES) {
            *who = read_who(fd);
            close(fd);
            return false;
        }
        if (error == 0 && !is_named(fd, claim->path)) {
            close(fd);
            continue;
        }
        claim->fd      = fd;
        claim->is_held = true;
        if (error == 0)
            write_who(fd);
        else
            hd_file_claim_drop(claim);
        return true;
    }
    return true;
}

void
hd_file_claim_drop(hd_file_claim *claim)
{
    if (!claim->is_held)
        return;
    claim->is_held = false;
    unlink(claim->path);
    close(claim->fd);
}

void
hd_file_claim_abandon(hd_file_claim *claim)
{
    if (claim->is_held)
        hd_file_claim_drop(claim);
    else if (claim->path != NULL)
        unlink(claim->path);
}

void
hd_file_claim_fini(hd_file_claim *claim)
{
    hd_file_claim_drop(claim);
    free(claim->path);
    *claim = (hd_file_claim){ 0 };
}
