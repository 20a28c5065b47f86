/* OpenMP constructs on 3 threads, and what they compute. Above each function are the numbers of records that it makes:
 * test_record.py reads them there. */
#include <omp.h>
#include <stdio.h>

enum { N_THREADS = 3 };

static omp_lock_t lock;

/* records: THREAD_FORK 3 THREAD_JOIN 3 THREAD_TEAM_BEGIN 9 THREAD_TEAM_END 9 */
static long
loops(void)
{
    long sum = 0;

#pragma omp parallel for num_threads(N_THREADS) reduction(+ : sum) schedule(static)
    for (int i = 0; i < 100; i++)
        sum += i;
#pragma omp parallel for num_threads(N_THREADS) reduction(+ : sum) schedule(dynamic, 7)
    for (int i = 0; i < 100; i++)
        sum += i;
#pragma omp parallel num_threads(N_THREADS) reduction(+ : sum)
    {
#pragma omp for schedule(guided)
        for (int i = 0; i < 100; i++)
            sum += i;
#pragma omp for schedule(dynamic) nowait
        for (unsigned long long i = 0; i < 100; i++)
            sum += (long)i;
#pragma omp barrier
#pragma omp for ordered
        for (int i = 0; i < 6; i++) {
#pragma omp ordered
            sum += i;
        }
#pragma omp sections
        {
#pragma omp section
            sum++;
#pragma omp section
            sum++;
        }
    }
    return sum;
}

/* records: THREAD_FORK 1 THREAD_JOIN 1 THREAD_TEAM_BEGIN 3 THREAD_TEAM_END 3 THREAD_ACQUIRE_LOCK 9 THREAD_RELEASE_LOCK
 * 9 */
static long
locks(void)
{
    long sum = 0;

#pragma omp parallel num_threads(N_THREADS)
    {
#pragma omp critical
        sum++;
#pragma omp critical(named)
        sum++;
        omp_set_lock(&lock);
        sum++;
        omp_unset_lock(&lock);
    }
    return sum;
}

static long
fibonacci(int n)
{
    long a = 0, b = 0;

    if (n < 2)
        return n;
#pragma omp task shared(a)
    a = fibonacci(n - 1);
#pragma omp task shared(b)
    b = fibonacci(n - 2);
#pragma omp taskwait
    return a + b;
}

/* records: THREAD_FORK 2 THREAD_JOIN 2 THREAD_TEAM_BEGIN 6 THREAD_TEAM_END 6 THREAD_TASK_CREATE 186
 * THREAD_TASK_COMPLETE 186 THREAD_TASK_SWITCH 372 */
static long
tasks(void)
{
    long result = 0, doubled[10];

#pragma omp parallel num_threads(N_THREADS)
#pragma omp single
    result = fibonacci(10);
#pragma omp parallel num_threads(N_THREADS)
#pragma omp single
#pragma omp taskloop num_tasks(10)
    for (int i = 0; i < 10; i++)
        doubled[i] = 2 * i;
    for (int i = 0; i < 10; i++)
        result += doubled[i];
    return result;
}

/* records: THREAD_FORK 4 THREAD_JOIN 4 THREAD_TEAM_BEGIN 9 THREAD_TEAM_END 9 */
static long
nested(void)
{
    long sum = 0;

#pragma omp parallel num_threads(N_THREADS) reduction(+ : sum)
    {
#pragma omp parallel num_threads(2) reduction(+ : sum)
        sum += omp_get_thread_num() + 1;
    }
    return sum;
}

int
main(void)
{
    omp_set_max_active_levels(2);
    omp_init_lock(&lock);
    printf("%ld ", loops());
    printf("%ld ", locks());
    printf("%ld ", tasks());
    printf("%ld\n", nested());
    omp_destroy_lock(&lock);
    return 0;
}
