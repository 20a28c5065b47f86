/* More locks than the recorder gives names to, and constructs that it sees after them. */
#include <omp.h>
#include <stdio.h>

enum { N_LOCKS = 33000, N_THREADS = 2 };

static omp_lock_t locks[N_LOCKS];

int
main(void)
{
    long sum = 0;

    for (int i = 0; i < N_LOCKS; i++) {
        omp_init_lock(&locks[i]);
        omp_set_lock(&locks[i]);
        omp_unset_lock(&locks[i]);
    }
#pragma omp parallel num_threads(N_THREADS)
    {
#pragma omp critical
        sum++;
#pragma omp critical(named)
        sum++;
#pragma omp barrier
#pragma omp single
#pragma omp task
        sum++;
    }
    printf("%ld\n", sum);
    return 0;
}
