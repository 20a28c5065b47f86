/* tests/programs/pair_work.h: work of the programs whose runs are predicted. It sleeps, and so do waits in MPI, so that processes do
 * not disturb each other on a machine with fewer cores: a process that polls for a message keeps others from being there in time, and
 * recorded transfers would be those of the scheduler. */
#ifndef PAIR_WORK_H
#define PAIR_WORK_H

#include <sched.h>
#include <stdlib.h>
#include <time.h>

/* Open MPI calls it where it waits (mpi_yield_when_idle). Linked with -rdynamic it is this one. */
int
sched_yield(void)
{
    struct timespec a_little = { .tv_nsec = 20000 };

    return nanosleep(&a_little, NULL);
}

static inline void
work(double milliseconds)
{
    struct timespec left = { .tv_sec = (time_t)(milliseconds / 1000), .tv_nsec = (long)(milliseconds * 1e6) % 1000000000 };

    while (nanosleep(&left, &left) != 0)
        ;
}

/* The number in the command line, 1 if there is none. */
static inline double
argument(int argc, char **argv, int i)
{
    return i < argc ? atof(argv[i]) : 1;
}

#endif
