/* A team that is recorded, and one in a pause, with which the program ends. */
#include <heddle/record.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { N_THREADS = 2, N_ENTERED = 1000 };

int
main(void)
{
    atomic_int n_entered = 0;

    heddle_iteration_begin("step"); /* HEDDLE_RECORD_ITERATIONS=1-1 */
#pragma omp parallel num_threads(N_THREADS)
    n_entered += 0;
    heddle_iteration_end("step");
#pragma omp parallel num_threads(N_THREADS)
    if (omp_get_thread_num() == 0) {
        while (n_entered < N_ENTERED)
            ;
        printf("0\n");
        exit(0);
    } else
        for (;;) {
#pragma omp critical
            n_entered++;
        }
    return 0;
}
