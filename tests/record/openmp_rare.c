/* Constructs of OpenMP that few programs have. What they compute is printed: the same with any number of threads. */
#include <omp.h>
#include <stdio.h>

enum { N = 32 };

/* Each waits for its neighbours above and on the left. */
static int
sweep(void)
{
    static int grid[N][N];

#pragma omp parallel num_threads(3)
#pragma omp for ordered(2) schedule(dynamic)
    for (int i = 1; i < N; i++)
        for (int j = 1; j < N; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
            grid[i][j] = (grid[i - 1][j] + grid[i][j - 1] + 1) % 1000;
#pragma omp ordered depend(source)
        }
    return grid[N - 1][N - 1];
}

/* With OMP_CANCELLATION=true the loop, the sections and the tasks end early. */
static int
cancel(void)
{
    int found = 0;

#pragma omp parallel num_threads(3)
    {
#pragma omp for
        for (int i = 0; i < 1000; i++) {
            if (i == 500) {
#pragma omp atomic write
                found = i;
#pragma omp cancel for
            }
#pragma omp cancellation point for
        }
#pragma omp sections
        {
#pragma omp section
            {
#pragma omp cancel sections
            }
#pragma omp section
            {
            }
        }
    }
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup
    for (int i = 0; i < 20; i++) {
#pragma omp task
        {
#pragma omp cancel taskgroup
        }
    }
    return found;
}

static int
use_tasks(void)
{
    int sum = 0, more = 0, steps[4] = { 0 };

#pragma omp parallel num_threads(3)
#pragma omp single
    {
        omp_event_handle_t event;

#pragma omp task detach(event)
        omp_fulfill_event(event);
#pragma omp taskloop reduction(+ : sum) grainsize(5)
        for (int i = 0; i < 100; i++)
            sum += i;
#pragma omp taskgroup task_reduction(+ : more)
        for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : more) priority(i)
            more += i;
        }
        for (int i = 0; i < 20; i++) {
#pragma omp task depend(inout : steps[i % 4]) untied
            {
                steps[i % 4]++;
#pragma omp taskyield
            }
        }
#pragma omp taskwait depend(in : steps[0])
#pragma omp task final(1) mergeable
        {
#pragma omp task
            more += 0;
        }
#pragma omp taskwait
    }
    return sum + more + steps[3];
}

int
main(void)
{
    int swept = sweep(), found = cancel();

    printf("%d %d %d\n", swept, found, use_tasks());
    return 0;
}
