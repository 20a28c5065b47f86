/* src/record/raw_space.c: errors in place of signals. */
#define _GNU_SOURCE /* fallocate */
#include "raw_space.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <unistd.h>

/* Beyond the limit of the program's files the system would end it by a signal. */
static bool
may_not_reach(uint64_t end)
{
    struct rlimit limit;

    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && end > limit.rlim_cur;
}

static const char not_longer[] = "files may not get longer (ulimit -f)";

static const char *
why_no_space(void)
{
    return errno == ENOSPC ? "the disk is full" : "a raw file cannot be made longer";
}

const char *
hd_raw_space_take(int fd, uint64_t offset, uint64_t bytes)
{
    int done;

    if (may_not_reach(offset + bytes))
        return not_longer;
    do
        done = fallocate(fd, 0, (off_t)offset, (off_t)bytes);
    while (done != 0 && errno == EINTR);
    if (done != 0 && (errno == EOPNOTSUPP || errno == ENOSYS))
        done = ftruncate(fd, (off_t)(offset + bytes));
    return done == 0 ? NULL : why_no_space();
}

const char *
hd_raw_space_write(int fd, const void *from, uint64_t bytes, uint64_t offset)
{
    const char *left = from;

    if (may_not_reach(offset + bytes))
        return not_longer;
    while (bytes > 0) {
        ssize_t done = pwrite(fd, left, bytes, (off_t)offset);

        if (done == 0) /* no error of the system's, and none that passes */
            errno = EIO;
        if (done == 0 || (done < 0 && errno != EINTR))
            return why_no_space();
        if (done > 0) {
            left += done;
            offset += (uint64_t)done;
            bytes -= (uint64_t)done;
        }
    }
    return NULL;
}
