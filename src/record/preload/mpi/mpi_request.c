/* src/record/preload/mpi/mpi_request.c: a table from handles to lists of requests, oldest first. */
#include "mpi_request.h"

#include <pthread.h>
#include <stdlib.h>

enum { N_BUCKETS = 1 << 12 };

atomic_bool hd_requests_are_shared = true;

/* Under the lock. */
static atomic_bool is_locked;
static hd_request *buckets[N_BUCKETS], *unused;

/* Held for some instructions, and cheaper than a mutex. */
static void
lock(void)
{
    enum { SHORT_NS = 1000 };

    while (atomic_exchange_explicit(&is_locked, true, memory_order_acquire)) /* release in unlock() */
        clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){ .tv_nsec = SHORT_NS }, NULL); /* errno stays */
}

static void
unlock(void)
{
    atomic_store_explicit(&is_locked, false, memory_order_release); /* acquire in lock() */
}

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

    lock();
    added = unused;
    if (added != NULL)
        unused = added->next;
    else { /* another thread may have come first, and is passed by */
        unlock();
        added = malloc(sizeof *added);
        lock();
    }
    if (added != NULL) {
        *added          = request;
        added->handle   = handle;
        added->variable = variable;
        added->next     = NULL;
        while (*at != NULL)
            at = &(*at)->next;
        *at = added;
    }
    unlock();
    if (added == NULL)
        hd_recorder_stop("there is no memory");
}

hd_request *
hd_request_take(uint64_t handle, const void *variable, bool any)
{
    hd_request **oldest = NULL, *taken;

    lock();
    for (hd_request **at = bucket_of(handle); *at != NULL; at = &(*at)->next)
        if ((*at)->handle == handle && (any || !(*at)->is_persistent || (*at)->is_active)) {
            oldest = oldest == NULL || (*at)->variable == variable ? at : oldest;
            if ((*at)->variable == variable)
                break;
        }
    taken = oldest != NULL ? *oldest : NULL;
    if (taken != NULL)
        *oldest = taken->next;
    unlock();
    return taken;
}

void
hd_request_return(hd_request *request)
{
    hd_request **at = bucket_of(request->handle);

    lock();
    request->next = *at;
    *at           = request;
    unlock();
}

void
hd_request_drop(hd_request *request)
{
    if (request == NULL)
        return;
    lock();
    request->next = unused;
    unused        = request;
    unlock();
}

/* ---- partitioned sends ------------------------------------------------------------------------------------------- */

struct hd_partitioned {
    hd_partitioned *next;
    uint64_t        handle, n, n_ready;
    hd_request      started;
    bool            is_left_out;
};

static pthread_mutex_t partitions = PTHREAD_MUTEX_INITIALIZER;
static hd_partitioned *sends[N_BUCKETS]; /* under it, as is what they are */

static hd_partitioned **
sends_of(uint64_t handle)
{
    return &sends[handle * 0x9E3779B97F4A7C15U >> 52];
}

hd_partitioned *
hd_partitioned_new(uint64_t n)
{
    hd_partitioned *made = calloc(1, sizeof *made);

    if (made != NULL)
        made->n = n;
    else
        hd_recorder_stop("there is no memory");
    return made;
}

void
hd_partitioned_add(hd_partitioned *partitioned, uint64_t handle)
{
    pthread_mutex_lock(&partitions);
    partitioned->handle = handle;
    partitioned->next   = *sends_of(handle);
    *sends_of(handle)   = partitioned;
    pthread_mutex_unlock(&partitions);
}

void
hd_partitioned_remove(hd_partitioned *partitioned)
{
    if (partitioned == NULL)
        return;
    pthread_mutex_lock(&partitions);
    for (hd_partitioned **at = sends_of(partitioned->handle); *at != NULL; at = &(*at)->next)
        if (*at == partitioned) {
            *at = partitioned->next;
            break;
        }
    pthread_mutex_unlock(&partitions);
    free(partitioned);
}

void
hd_partitioned_start(hd_partitioned *partitioned, const hd_request *request)
{
    pthread_mutex_lock(&partitions);
    partitioned->started     = *request;
    partitioned->n_ready     = 0;
    partitioned->is_left_out = false;
    pthread_mutex_unlock(&partitions);
}

bool
hd_partitioned_ready(uint64_t handle, uint64_t n, bool is_left_out, hd_request *started)
{
    hd_partitioned *found;
    bool            are_all = false;

    pthread_mutex_lock(&partitions);
    for (found = *sends_of(handle); found != NULL && found->handle != handle; found = found->next)
        ;
    if (found != NULL) {
        are_all = found->n_ready < found->n && found->n_ready + n >= found->n;
        found->n_ready += n;
        if (are_all) {
            found->is_left_out = is_left_out;
            *started           = found->started;
        }
    }
    pthread_mutex_unlock(&partitions);
    return are_all;
}

bool
hd_partitioned_is_left_out(const hd_partitioned *partitioned)
{
    bool is_left_out;

    pthread_mutex_lock(&partitions);
    is_left_out = partitioned->is_left_out;
    pthread_mutex_unlock(&partitions);
    return is_left_out;
}
