/* src/record/workers.c: threads that are made, work, and end. */
#include "workers.h"

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>

#include "memory.h"

typedef struct job {
    size_t          n, n_at_once;
    hd_work        *work;
    void           *user;
    atomic_size_t   next;
    atomic_bool     has_failed;
    pthread_mutex_t lock; /* of what follows */
    hd_status       status;
    hd_error        error;
} job;

typedef struct worker {
    job      *of;
    uint32_t  number;
    pthread_t thread;
} worker;

uint32_t
hd_workers_n(void)
{
    int n = omp_get_max_threads();

    return n > 0 ? (uint32_t)n : 1;
}

static void
fail(job *of, hd_status status)
{
    pthread_mutex_lock(&of->lock);
    if (of->status == HD_OK) {
        of->status = status;
        of->error  = *hd_error_get();
    }
    pthread_mutex_unlock(&of->lock);
    atomic_store(&of->has_failed, true);
}

static void *
work_on(void *worker_)
{
    const worker *own = worker_;
    job          *of  = own->of;
    size_t        begin;

    while (!atomic_load(&of->has_failed) && (begin = atomic_fetch_add(&of->next, of->n_at_once)) < of->n)
        for (size_t i = begin; i < of->n && i < begin + of->n_at_once; i++) {
            hd_status status = of->work(of->user, own->number, i);

            if (status != HD_OK) {
                fail(of, status);
                break;
            }
        }
    return NULL;
}

/* The caller is a worker, too. */
hd_status
hd_workers_run(size_t n, size_t n_at_once, hd_work *work, void *user)
{
    job      all  = { .n = n, .n_at_once = n_at_once, .work = work, .user = user, .lock = PTHREAD_MUTEX_INITIALIZER };
    uint32_t most = hd_workers_n(), made = 1;
    worker  *workers = HD_NEW_ARRAY(worker, most);

    for (uint32_t i = 0; i < most; i++)
        workers[i] = (worker){ .of = &all, .number = i };
    while (made < most && made * n_at_once < n &&
           pthread_create(&workers[made].thread, NULL, work_on, &workers[made]) == 0)
        made++;
    work_on(&workers[0]);
    for (uint32_t i = 1; i < made; i++)
        pthread_join(workers[i].thread, NULL);
    free(workers);
    pthread_mutex_destroy(&all.lock);
    if (all.status != HD_OK)
        hd_error_set(&all.error);
    return all.status;
}
