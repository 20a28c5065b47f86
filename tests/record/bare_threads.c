/* Two threads that hold a mutex in turns: what they do meanwhile is in no function that is recorded. */
#include <pthread.h>
#include <unistd.h>

enum { N_THREADS = 2, N_TURNS = 5 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *
hold_mutex(void *none)
{
    for (int i = 0; i < N_TURNS; i++) {
        pthread_mutex_lock(&mutex);
        usleep(2000);
        pthread_mutex_unlock(&mutex);
        usleep(500);
    }
    return none;
}

int
main(void)
{
    pthread_t threads[N_THREADS];
    int       n = 0, failed = 0;

    while (n < N_THREADS && pthread_create(&threads[n], NULL, hold_mutex, NULL) == 0)
        n++;
    for (int i = 0; i < n; i++)
        failed |= pthread_join(threads[i], NULL);
    return n == N_THREADS && failed == 0 ? 0 : 1;
}
