/* tests/threads/race.c: whether the thread sanitizer sees what OpenMP threads do to each other, and nothing that is not
 * there.
 *
 *     race             two threads write the same number: it has to be reported
 *     race ordered     they take turns, with all that Heddle asks of OpenMP: barriers, critical sections, the end of a
 *                      region
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { N_TURNS = 100, N_THREADS = 4 };

static int
in_any_order(void)
{
    int sum = 0;

#pragma omp parallel num_threads(N_THREADS)
    for (int i = 0; i < N_TURNS; i++)
        sum++;
    return sum;
}

static int
in_order(void)
{
    int sum = 0, of_thread[N_THREADS] = { 0 };

#pragma omp parallel num_threads(N_THREADS)
    {
#pragma omp for
        for (int i = 0; i < N_THREADS; i++)
            of_thread[i] = N_TURNS; /* read by others behind the barrier */
#pragma omp critical
        sum += of_thread[0] + of_thread[N_THREADS - 1];
    }
    return sum;
}

int
main(int argc, char **argv)
{
    bool ordered = argc > 1 && strcmp(argv[1], "ordered") == 0;
    int  sum     = ordered ? in_order() : in_any_order();

    printf("%d\n", sum);
    return ordered && sum != 2 * N_THREADS * N_TURNS;
}
