/* src/record/preload/real_function.c: finds the functions behind this library. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>

#include "loaded_objects.h"
#include "log.h"

/* In a library that the program has opened for itself (Python does), where the search order does not lead. */
static void *
find_opened(const char *name, const char *const *libraries)
{
    void *found;

    if (libraries == NULL)
        return NULL;
    hd_thread_depth++; /* it is opened and closed for the recorder */
    found = hd_loaded_objects_symbol(libraries, name);
    hd_thread_depth--;
    return found;
}

void *
hd_recorder_real(const char *name, const char *const *libraries)
{
    void *found = dlsym(RTLD_NEXT, name);

    return found != NULL ? found : find_opened(name, libraries);
}

void *
hd_recorder_variable(const char *name, const char *const *libraries)
{
    void *found = dlsym(RTLD_DEFAULT, name);

    return found != NULL ? found : find_opened(name, libraries);
}
