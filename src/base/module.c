/* src/base/module.c: finds parts of the program by the path of the program itself. */
#include "module.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"

/* The folder of the program; NULL where the system does not tell. */
static char *
folder_of_program(void)
{
    char    path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    char   *slash;

    if (n <= 0)
        return NULL;
    path[n] = '\0';
    slash   = strrchr(path, '/');
    if (slash == NULL)
        return NULL;
    *slash = '\0';
    return hd_strdup(path);
}

static char *
path_of(const char *file)
{
    char *folder = folder_of_program(), *path;

    if (folder == NULL)
        return hd_strdup(file);
    path = hd_format("%s/%s", folder, file);
    if (access(path, F_OK) != 0) {
        free(path);
        path = hd_format("%s/%s/%s", folder, HD_MODULE_FOLDER, file);
    }
    free(folder);
    return path;
}

void *
hd_module_load(const char *file, const char *symbol, char **why)
{
    char *path   = path_of(file);
    void *module = dlopen(path, RTLD_NOW | RTLD_GLOBAL); /* MPI libraries load parts that look for their symbols */
    void *found  = NULL;

    if (module == NULL)
        *why = hd_strdup(dlerror());
    else {
        found = dlsym(module, symbol);
        if (found == NULL)
            *why = hd_format("%s: it is not of this version", path);
    }
    free(path);
    return found;
}

void *
hd_library_open(const char *file, const char *folder, char **why)
{
    void *library = dlopen(file, RTLD_NOW);
    char *path;

    if (library != NULL)
        return library;
    path    = hd_format("%s/%s", folder, file);
    library = dlopen(path, RTLD_NOW);
    free(path);
    if (library == NULL)
        *why = hd_strdup(dlerror());
    return library;
}

void *
hd_library_symbol(void **library, const char *symbol, char **why)
{
    void *found = dlsym(*library, symbol);

    if (found == NULL) {
        *why     = hd_format("it has no %s", symbol);
        *library = NULL;
    }
    return found;
}
