/* Opens libraries one after the other, calls each, and closes those whose names begin with "-". The same file is the
 * libraries: FUNCTION is what one has. */
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
    char path[4096];
    int  wrong = 0;

    MPI_Init(&argc, &argv);
    for (int i = 2; i < argc; i++) {
        int is_closed = argv[i][0] == '-';

        snprintf(path, sizeof path, "%s/%s.so", argv[1], argv[i] + is_closed);
        wrong += call(path, argv[i] + is_closed, is_closed);
    }
    MPI_Finalize();
    return wrong;
}
#endif
