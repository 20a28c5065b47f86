/* src/record/preload/mpi_request.c: a table from handles to lists of requests, oldest first. */
#include "mpi_request.h"

#include <pthread.h>
#include <stdlib.h>

enum { N_BUCKETS = 1 << 12 };

/* Under the lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static hd_request     *buckets[N_BUCKETS], *unused;

static atomic_ullong last_id;

uint64_t
hd_request_next_id(void)
{
    return atomic_fetch_add_explicit(&last_id, 1, memory_order_relaxed) + 1;
}

static hd_request **
bucket_of(uint64_t handle)
{
    return &buckets[handle * 0x9E3779B97F4A7C15U >> 52];
}

void
hd_request_add(uint64_t handle, const void *variable, hd_request request)
{
    hd_request *added, **at = bucket_of(handle);

    pthread_mutex_lock(&lock);
    added = unused;
    if (added != NULL)
        unused = added->next;
    else
        added = malloc(sizeof *added);
    if (added != NULL) {
        *added          = request;
        added->handle   = handle;
        added->variable = variable;
        added->next     = NULL;
        while (*at != NULL)
            at = &(*at)->next;
        *at = added;
    }
    pthread_mutex_unlock(&lock);
    if (added == NULL)
        hd_recorder_stop("there is no memory");
}

hd_request *
hd_request_take(uint64_t handle, const void *variable, bool any)
{
    hd_request **oldest = NULL, *taken;

    pthread_mutex_lock(&lock);
    for (hd_request **at = bucket_of(handle); *at != NULL; at = &(*at)->next)
        if ((*at)->handle == handle && (any || !(*at)->is_persistent || (*at)->is_active)) {
            oldest = oldest == NULL || (*at)->variable == variable ? at : oldest;
            if ((*at)->variable == variable)
                break;
        }
    taken = oldest != NULL ? *oldest : NULL;
    if (taken != NULL)
        *oldest = taken->next;
    pthread_mutex_unlock(&lock);
    return taken;
}

void
hd_request_return(hd_request *request)
{
    hd_request **at = bucket_of(request->handle);

    pthread_mutex_lock(&lock);
    request->next = *at;
    *at           = request;
    pthread_mutex_unlock(&lock);
}

void
hd_request_drop(hd_request *request)
{
    if (request == NULL)
        return;
    pthread_mutex_lock(&lock);
    request->next = unused;
    unused        = request;
    pthread_mutex_unlock(&lock);
}
