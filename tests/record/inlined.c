/* Functions that are inlined into main, built with -O2 -g. test_openmp.py reads the comments "place NAME", which stand
 * at the lines of the constructs. */
#include <stdio.h>

enum { N = 1000, N_STEPS = 3 };

static double values[N];

static void
grow(void)
{
#pragma omp parallel for num_threads(2) /* place parallel */
    for (int i = 0; i < N; i++)
        values[i] += i;
}

static double
add_up(void)
{
    double sum = 0;

#pragma omp parallel for num_threads(2) reduction(+ : sum) schedule(dynamic, 100) /* place parallel, for */
    for (int i = 0; i < N; i++)
        sum += values[i];
    return sum;
}

int
main(void)
{
    double sum = 0;

    for (int i = 0; i < N_STEPS; i++) {
        grow();
        sum += add_up();
    }
    printf("%.0f\n", sum);
    return 0;
}
