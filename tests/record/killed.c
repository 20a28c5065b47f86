/* Calls MPI until a thread of rank 1 kills the process, at a moment that the calls know nothing of. Argument 1: the
 * folder for "calls-RANK", which has the numbers of MPI_Sendrecv and MPI_Allreduce that have returned; 2: microseconds
 * until the end, counted from before MPI_Init if 3 is "early". */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static void *
kill_later(void *us_)
{
    const long     *us   = us_;
    struct timespec time = { .tv_sec = *us / 1000000, .tv_nsec = *us % 1000000 * 1000 };

    nanosleep(&time, NULL);
    raise(SIGKILL);
    return NULL;
}

static void
start_killer(long *us)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, kill_later, us) != 0)
        abort();
}

/* In a file, so that it outlives the process. */
static atomic_ullong *
map_counts(const char *folder, int rank)
{
    char  path[4096];
    FILE *file;
    void *mapped;

    snprintf(path, sizeof path, "%s/calls-%d", folder, rank);
    file = fopen(path, "w+");
    if (file == NULL || ftruncate(fileno(file), 4096) != 0)
        abort();
    mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    fclose(file);
    return mapped != MAP_FAILED ? mapped : (abort(), NULL);
}

int
main(int argc, char **argv)
{
    const char    *of_open_mpi = getenv("OMPI_COMM_WORLD_RANK");
    const char    *launched    = of_open_mpi != NULL ? of_open_mpi : getenv("PMI_RANK");
    long           us       = argc > 2 ? atol(argv[2]) : 0;
    bool           is_early = argc > 3 && strcmp(argv[3], "early") == 0;
    int            rank, size, sent = 1, received;
    atomic_ullong *counts;

    if (argc < 3 || launched == NULL)
        return 2;
    counts = map_counts(argv[1], atoi(launched));
    if (is_early && strcmp(launched, "1") == 0)
        start_killer(&us);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (!is_early && rank == 1)
        start_killer(&us);
    for (;;) {
        MPI_Sendrecv(&sent, 1, MPI_INT, (rank + 1) % size, 1, &received, 1, MPI_INT, (rank + size - 1) % size, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        atomic_fetch_add(&counts[0], 1);
        MPI_Allreduce(&sent, &received, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
        atomic_fetch_add(&counts[1], 1);
    }
}
