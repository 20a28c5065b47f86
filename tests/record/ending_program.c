/* 100 barriers, then rank 1 ends as its argument says: the other ranks would wait for ever in the last barrier.
 * Prints its other arguments from rank 0. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void
end(const char *how)
{
    if (strcmp(how, "abort") == 0)
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (strcmp(how, "exit") == 0)
        exit(5);
    if (strcmp(how, "_exit") == 0)
        _exit(5);
    if (strcmp(how, "segv") == 0)
        raise(SIGSEGV);
    if (strcmp(how, "kill") == 0)
        raise(SIGKILL);
    if (strcmp(how, "exec") == 0)
        execl("/bin/false", "false", (char *)NULL);
    if (strcmp(how, "hang") == 0)
        pause();
}

/* One-sided communication, and a file. */
static void
use_others(void)
{
    int     *memory, value = 1;
    MPI_Win  window;
    MPI_File file;

    MPI_Win_allocate(sizeof value, sizeof value, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_fence(0, window);
    MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_write(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}

int
main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    int         rank;
    pid_t       child;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 100; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 2; i < argc && rank == 0; i++)
        puts(argv[i]);
    if (strcmp(how, "fork") == 0) {
        child = fork();
        if (child == 0)
            exit(0);
        waitpid(child, NULL, 0);
    }
    if (strcmp(how, "file") == 0)
        use_others();
    if (strcmp(how, "system") == 0 && system("true") != 0)
        return 9;
    if (rank == 1)
        end(how);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return strcmp(how, "return") == 0 && rank == 0 ? 7 : 0;
}
