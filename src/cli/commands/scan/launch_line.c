/* src/cli/commands/scan/launch_line.c: knows launchers by their names, and programs by their files. */
#include "launch_line.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"

static const char *
base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

/* "mpirun", "mpirun.openmpi" */
static bool
is_launcher(const char *word)
{
    static const char *const names[] = { "mpirun", "mpiexec", "orterun", "prterun", "srun",   "aprun",
                                         "jsrun",  "lrun",    "ibrun",   "flux",    "runjob", "poe" };
    const char              *name    = base_name(word);
    size_t                   length  = strcspn(name, ".");

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && strncmp(name, names[i], length) == 0)
            return true;
    return false;
}

static bool
can_run(const char *path)
{
    struct stat file;

    if (stat(path, &file) != 0)
        return false;
    errno = EACCES;
    return S_ISREG(file.st_mode) && access(path, X_OK) == 0;
}

char *
hd_launch_line_find(const char *word)
{
    const char *at    = getenv("PATH");
    int         error = ENOENT;

    if (strchr(word, '/') != NULL)
        return can_run(word) ? hd_strdup(word) : NULL;
    while (at != NULL) {
        size_t length = strcspn(at, ":");
        char  *path   = length > 0 ? hd_format("%.*s/%s", (int)length, at, word) : hd_format("./%s", word);

        if (can_run(path))
            return path;
        error = errno == EACCES ? EACCES : error;
        free(path);
        at = at[length] == ':' ? at + length + 1 : NULL;
    }
    errno = error;
    return NULL;
}

static bool
is_program(const char *word, bool has_slash)
{
    char *path;
    bool  is;

    if (*word == '-' || (strchr(word, '/') != NULL) != has_slash)
        return false;
    path = hd_launch_line_find(word);
    is   = path != NULL;
    free(path);
    return is;
}

/* Digits only, above 0, that fit; else 0. */
static uint32_t
count_of(const char *text)
{
    unsigned long number;

    if (*text == '\0' || strspn(text, "0123456789") != strlen(text))
        return 0;
    number = strtoul(text, NULL, 10);
    return number <= INT32_MAX ? (uint32_t)number : 0;
}

/* The number of processes that the option at words[i] asks for, 0: it is none. */
static uint32_t
asked_for(const char *const *words, size_t n, size_t i)
{
    static const char *const names[] = { "-n", "-np", "--n", "--np", "--ntasks" };
    const char              *word    = words[i];

    for (size_t j = 0; j < sizeof names / sizeof *names; j++) {
        size_t length = strlen(names[j]);

        if (strcmp(word, names[j]) == 0)
            return i + 1 < n ? count_of(words[i + 1]) : 0;
        if (strncmp(word, names[j], length) == 0 && word[length] == '=')
            return count_of(word + length + 1);
    }
    return strncmp(word, "-n", 2) == 0 ? count_of(word + 2) : 0; /* -n8 */
}

/* The word behind "env A=1 -u B": what it starts; 0: it is no such line. */
static size_t
behind_env(const char *const *words, size_t n)
{
    size_t i = 1;

    if (strcmp(base_name(words[0]), "env") != 0)
        return 0;
    while (i < n && (*words[i] == '-' || strchr(words[i], '=') != NULL))
        i += strcmp(words[i], "-u") == 0 || strcmp(words[i], "-C") == 0 ? 2 : 1;
    return i < n ? i : 0;
}

hd_launch_line
hd_launch_line_read(const char *const *words, size_t n)
{
    size_t         first = behind_env(words, n), at = 0;
    hd_launch_line line  = { .program = base_name(words[first]), .has_launcher = is_launcher(words[first]) };
    const char    *tasks = getenv("SLURM_NTASKS");

    if (!line.has_launcher)
        return line;
    for (int slash = 1; slash >= 0 && at == 0; slash--)
        for (size_t i = n - 1; i > first; i--)
            at = is_program(words[i], slash == 1) ? i : at;
    line.program  = at > 0 ? base_name(words[at]) : "program";
    line.n_before = at > 0 ? at : n;
    for (size_t i = first + 1; i < line.n_before && line.n_processes == 0; i++)
        line.n_processes = asked_for(words, n, i);
    if (line.n_processes == 0 && tasks != NULL)
        line.n_processes = count_of(tasks);
    return line;
}
