/* Two functions that call each other in every way, so that there are 2^N call paths of the last level: as many as a
 * profile has no room for. Argument: N. Without MPI. */
#include <stdio.h>
#include <stdlib.h>

static volatile long n_visits;

static void left(int depth, unsigned way);
static void right(int depth, unsigned way);

static void
go(int depth, unsigned way)
{
    n_visits++;
    if (depth > 0 && (way & 1) != 0)
        left(depth - 1, way >> 1);
    else if (depth > 0)
        right(depth - 1, way >> 1);
}

__attribute__((noinline)) static void
left(int depth, unsigned way)
{
    go(depth, way);
    n_visits += 0;
}

__attribute__((noinline)) static void
right(int depth, unsigned way)
{
    go(depth, way);
    n_visits += 0;
}

int
main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 4;

    for (unsigned way = 0; way < 1U << n; way++)
        left(n, way);
    printf("%ld visits\n", n_visits);
    return 0;
}
