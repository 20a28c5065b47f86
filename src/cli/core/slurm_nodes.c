/* src/cli/core/slurm_nodes.c: asks sinfo for a line per kind of node: "partition|sockets|cores of a socket|memory in
 * MiB". */
#include "slurm_nodes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* The default partition has a "*" behind its name. */
static void
take_line(const char *line, bool wants_default, hd_slurm_nodes *found)
{
    char     name[64];
    uint32_t sockets, cores;
    uint64_t mebibytes, memory;
    size_t   n;

    if (sscanf(line, "%63[^|]|%" SCNu32 "|%" SCNu32 "|%" SCNu64, name, &sockets, &cores, &mebibytes) != 4)
        return;
    n = strlen(name);
    if (n > 0 && name[n - 1] == '*')
        name[--n] = '\0';
    else if (wants_default)
        return;
    if (n == 0 || sockets == 0 || cores == 0 || sockets > UINT16_MAX || cores > UINT16_MAX)
        return;
    if (mebibytes <= 1 || mebibytes > UINT64_MAX >> 21) /* 1: the default, where the memory is not configured */
        return;
    cores *= sockets;
    memory = mebibytes << 20;
    if (*found->partition == '\0') {
        found->cores        = cores;
        found->memory_bytes = memory;
    }
    found->differ |= cores != found->cores || memory != found->memory_bytes;
    found->cores        = cores < found->cores ? cores : found->cores;
    found->memory_bytes = memory < found->memory_bytes ? memory : found->memory_bytes;
    memcpy(found->partition, name, n + 1);
}

bool
hd_slurm_nodes_ask(const char *partition, hd_slurm_nodes *nodes)
{
    char          *command = hd_format("sinfo --noheader --exact --format='%%P|%%X|%%Y|%%m'%s%s 2>/dev/null",
                                       partition != NULL ? " --partition=" : "", partition != NULL ? partition : "");
    FILE          *answer  = popen(command, "r");
    hd_slurm_nodes found   = { 0 };
    char           line[256];

    free(command);
    while (answer != NULL && fgets(line, sizeof line, answer) != NULL)
        take_line(line, partition == NULL, &found);
    if (answer == NULL || pclose(answer) != 0 || *found.partition == '\0')
        return false;
    *nodes = found;
    return true;
}
