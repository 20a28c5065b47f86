/* Opens libraries one after the other, calls each, and closes those whose names begin with "-". "b=a": the file of a is
 * replaced by that of b before. The same file is the libraries: FUNCTION is what one has. */
#include <mpi.h>

#ifdef FUNCTION
void FUNCTION(void);
void
FUNCTION(void)
{
    MPI_Barrier(MPI_COMM_SELF);
    MPI_Barrier(MPI_COMM_SELF);
}
#else
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static int
call(const char *path, const char *name, int is_closed)
{
    void *library = dlopen(path, RTLD_NOW);
    union {
        void *object;
        void (*function)(void);
    } found = { .object = library != NULL ? dlsym(library, name) : NULL };

    if (found.object == NULL)
        return 1;
    found.function();
    return is_closed ? dlclose(library) : 0;
}

int
main(int argc, char **argv) /* folder, functions */
{
    char path[4096], other[4096];
    int  wrong = 0;

    MPI_Init(&argc, &argv);
    for (int i = 2; i < argc; i++) {
        int   is_closed = argv[i][0] == '-';
        char *name = argv[i] + is_closed, *replaced = strchr(name, '=');

        if (replaced != NULL)
            *replaced++ = '\0';
        snprintf(path, sizeof path, "%s/%s.so", argv[1], replaced != NULL ? replaced : name);
        snprintf(other, sizeof other, "%s/%s.so", argv[1], name);
        if (replaced != NULL)
            wrong += rename(other, path) != 0;
        wrong += call(path, name, is_closed);
    }
    MPI_Finalize();
    return wrong;
}
#endif
