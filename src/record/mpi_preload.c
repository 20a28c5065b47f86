/* src/record/mpi_preload.c: executes the program with another recorder. */
#define _GNU_SOURCE /* dl_iterate_phdr, asprintf */
#include "mpi_preload.h"

#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mpi_libraries.h"

static const char without_mpi[] = "libheddle-record.so";

/* user: out, part of the name of the recorder. */
static int
find_mpi(struct dl_phdr_info *info, size_t size, void *user)
{
    static const struct {
        const char *library, *recorder;
    } known[] = {
#define KNOWN(name, flavour, recorder) { name, recorder },
        HD_MPI_LIBRARIES(KNOWN)
#undef KNOWN
    };
    const char *name = strrchr(info->dlpi_name, '/');

    (void)size;
    for (size_t i = 0; name != NULL && i < sizeof known / sizeof *known; i++)
        if (strcmp(name + 1, known[i].library) == 0) {
            *(const char **)user = known[i].recorder;
            return 1;
        }
    return 0;
}

/* Of the program: not the loader that runs it, nor what interprets it. NULL: it is not known. */
static const char *
path_of_program(void)
{
    const char *path = (const char *)getauxval(AT_EXECFN);
    struct stat named, running;

    if (path == NULL || getauxval(AT_BASE) == 0 || stat(path, &named) != 0 || stat("/proc/self/exe", &running) != 0)
        return NULL;
    return named.st_dev == running.st_dev && named.st_ino == running.st_ino ? path : NULL;
}

/* The list of what is loaded with the recorder for that MPI library in its place; free() it. NULL: there is none. */
static char *
list_with(const char *list, const char *own, const char *recorder)
{
    const char *begin = own;
    char       *library = NULL, *changed = NULL;
    bool        is_there;

    while (begin > list && begin[-1] != ':' && begin[-1] != ' ')
        begin--;
    if (asprintf(&library, "%.*slibheddle-record-%s.so", (int)(own - begin), begin, recorder) < 0)
        return NULL;
    is_there = access(library, R_OK) == 0;
    if (!is_there ||
        asprintf(&changed, "%.*s%s%s", (int)(begin - list), list, library, own + sizeof without_mpi - 1) < 0)
        changed = NULL;
    free(library);
    return changed;
}

void
hd_mpi_preload_settle(char **arguments)
{
    const char *list = getenv("LD_PRELOAD"), *mpi = getenv("HEDDLE_RECORD_MPI"), *recorder = NULL, *path;
    const char *own  = list != NULL ? strstr(list, without_mpi) : NULL;
    char       *changed;

    if (own == NULL || mpi == NULL || strcmp(mpi, "auto") != 0 || strstr(list, "vgpreload") != NULL /* valgrind */)
        return;
    dl_iterate_phdr(find_mpi, &recorder);
    path    = recorder != NULL ? path_of_program() : NULL;
    changed = path != NULL ? list_with(list, own, recorder) : NULL;
    if (changed == NULL)
        return;
    setenv("LD_PRELOAD", changed, 1);
    free(changed);
    execv(path, arguments);
    unsetenv("HEDDLE_RECORD_MPI"); /* it cannot be: nothing of MPI is recorded */
}
