/* A thread marks a part while the system lists what is loaded for it, and MPI ends beside it. */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include <heddle/record.h>
#include <link.h>
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

enum { STEP_US = 1000, MPI_ENDS_US = 200000 };

static atomic_bool is_listing;

static int
mark(struct dl_phdr_info *info, size_t size, void *none)
{
    (void)info, (void)size, (void)none;
    atomic_store(&is_listing, 1);
    usleep(MPI_ENDS_US);
    heddle_region_begin("listing");
    heddle_region_end("listing");
    return 1; /* no further one */
}

static void *
list(void *none)
{
    dl_iterate_phdr(mark, NULL);
    return none;
}

int
main(int argc, char **argv)
{
    pthread_t thread;
    int       level;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    if (pthread_create(&thread, NULL, list, NULL) != 0)
        return 1;
    while (!atomic_load(&is_listing))
        usleep(STEP_US);
    MPI_Finalize();
    pthread_join(thread, NULL);
    printf("listed\n");
    return 0;
}
