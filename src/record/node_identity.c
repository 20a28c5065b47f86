/* src/record/node_identity.c: a hash of the kernel's boot id. */
#define _GNU_SOURCE /* O_CLOEXEC */
#include "node_identity.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text_hash.h"

uint64_t
hd_node_identity(void)
{
    const char *own = getenv("HEDDLE_RECORD_NODE");
    char        id[64] = "";
    uint64_t    hash;
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
    id[strcspn(id, "\n")] = '\0';
    hash                  = hd_text_hash(HD_TEXT_HASH, id);
    return hash ^ hash >> 32;
}
