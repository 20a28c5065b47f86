/* src/cli/core/slurm_nodes.c: asks sinfo for a line per kind of node: "partition|sockets|cores of a socket|memory in
 * MiB". */
#include "slurm_nodes.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "memory.h"

extern char **environ;

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

/* Starts sinfo without a shell, as the name of the partition may be anything. What it says on standard error is
 * dropped.
 * NULL: it cannot be started. */
static FILE *
start_sinfo(const char *partition, pid_t *child)
{
    char *wanted = partition != NULL ? hd_format("--partition=%s", partition) : NULL;
    char  name[] = "sinfo", no_header[] = "--noheader", exact[] = "--exact", format[] = "--format=%P|%X|%Y|%m";
    char *arguments[] = { name, no_header, exact, format, wanted, NULL };
    FILE *answer = NULL;
    int   ends[2];

    if (pipe(ends) == 0) {
        posix_spawn_file_actions_t actions;

        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_addclose(&actions, ends[0]);
        posix_spawn_file_actions_addclose(&actions, ends[1]);
        if (posix_spawnp(child, "sinfo", &actions, NULL, arguments, environ) == 0)
            answer = fdopen(ends[0], "r");
        posix_spawn_file_actions_destroy(&actions);
        close(ends[1]);
        if (answer == NULL)
            close(ends[0]);
    }
    free(wanted);
    return answer;
}

bool
hd_slurm_nodes_ask(const char *partition, hd_slurm_nodes *nodes)
{
    pid_t          child;
    FILE          *answer = start_sinfo(partition, &child);
    hd_slurm_nodes found  = { 0 };
    char           line[256];
    int            result;

    if (answer == NULL)
        return false;
    while (fgets(line, sizeof line, answer) != NULL)
        take_line(line, partition == NULL, &found);
    fclose(answer);
    if (waitpid(child, &result, 0) != child || !WIFEXITED(result) || WEXITSTATUS(result) != 0 ||
        *found.partition == '\0')
        return false;
    *nodes = found;
    return true;
}
