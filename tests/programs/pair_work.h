/* tests/programs/pair_work.h: work of the programs whose runs are predicted. It sleeps, so that processes do not disturb each other
 * on a machine with fewer cores. */
#ifndef PAIR_WORK_H
#define PAIR_WORK_H

#include <stdlib.h>
#include <time.h>

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
