/* src/record/node_identity.c: a hash of the kernel's boot id. */
#define _GNU_SOURCE /* O_CLOEXEC */
#include "node_identity.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

uint64_t
hd_node_identity(void)
{
    const char *own = getenv("HEDDLE_RECORD_NODE");
    char        id[64] = "";
    uint64_t    hash   = 14695981039346656037U;
    int         fd;

    if (own != NULL)
        snprintf(id, sizeof id, "%s", own);
    else if ((fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)) >= 0) {
        ssize_t n = read(fd, id, sizeof id - 1);

        id[n > 0 ? n : 0] = '\0';
        close(fd);
    }
    if (id[0] == '\0')
        gethostname(id, sizeof id - 1);
    for (const char *at = id; *at != '\0' && *at != '\n'; at++)
        hash = (hash ^ (unsigned char)*at) * 1099511628211U;
    return hash ^ hash >> 32;
}
