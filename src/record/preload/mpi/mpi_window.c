/* src/record/preload/mpi/mpi_window.c: a table of windows, and the accesses that are open on each. */
#include "mpi_window.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { N_BUCKETS = 1 << 8 };

typedef struct access {
    uint64_t id;
    int      target;
    bool     is_get, is_local; /* is_local: complete here */
} access_;

struct hd_window {
    hd_window *next; /* in its bucket */
    uint64_t   handle;
    uint32_t   number, group[2]; /* group: of the epoch that is open, by hd_epoch */
    bool       has_memory;
    access_   *open; /* [n_open] */
    size_t     n_open, room;
};

typedef struct known_group {
    struct known_group *next;
    uint64_t            hash;
    uint32_t            number;
} known_group;

/* Under the lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static hd_window      *windows[N_BUCKETS];
static known_group    *groups[N_BUCKETS];
static uint32_t        n_windows, n_groups;

static uint32_t
bucket_of(uint64_t value)
{
    return (uint32_t)(value * 0x9E3779B97F4A7C15U >> 56) % N_BUCKETS;
}

hd_window *
hd_window_get(MPI_Win window)
{
    uint64_t   handle = HD_HANDLE(window);
    hd_window *found;

    pthread_mutex_lock(&lock);
    for (found = windows[bucket_of(handle)]; found != NULL && found->handle != handle; found = found->next)
        ;
    pthread_mutex_unlock(&lock);
    return found;
}

hd_window *
hd_window_take(MPI_Win window)
{
    hd_window *taken = hd_window_get(window);

    pthread_mutex_lock(&lock);
    for (hd_window **at = &windows[bucket_of(HD_HANDLE(window))]; *at != NULL; at = &(*at)->next)
        if (*at == taken) {
            *at = taken->next;
            break;
        }
    pthread_mutex_unlock(&lock);
    return taken;
}

/* ---- collective operations --------------------------------------------------------------------------------------- */

void
hd_record_window_begin(const hd_call *call)
{
    HD_LOG_PUT_PLAIN(call->log, call->enter, WINDOW_BEGIN, 0);
}

void
hd_record_window_new(hd_call *call, const hd_comm *comm, MPI_Win made, bool has_memory)
{
    hd_window *added = comm != NULL && !comm->is_foreign ? calloc(1, sizeof *added) : NULL;

    if (added == NULL)
        return;
    added->handle     = HD_HANDLE(made);
    added->has_memory = has_memory;
    pthread_mutex_lock(&lock);
    added->number                       = n_windows++;
    added->next                         = windows[bucket_of(added->handle)];
    windows[bucket_of(added->handle)] = added;
    hd_recorder_define(HD_RAW_WINDOW, /* in the order of the numbers */
                       (const uint64_t[]){ added->number, comm->number, hd_comm_count_window(comm), has_memory }, 4,
                       NULL, NULL);
    pthread_mutex_unlock(&lock);
    HD_LOG_PUT_PLAIN(call->log, call->leave, WINDOW_CREATE, added->number);
    HD_LOG_PUT(call->log, call->leave, WINDOW_END, added->number,
               has_memory ? HD_RAW_CREATE_HANDLE_AND_ALLOCATE : HD_RAW_CREATE_HANDLE);
}

void
hd_record_window_free(const hd_call *call, const hd_window *window)
{
    if (window == NULL)
        return;
    HD_LOG_PUT_PLAIN(call->log, call->leave, WINDOW_DESTROY, window->number);
    HD_LOG_PUT(call->log, call->leave, WINDOW_END, window->number,
               window->has_memory ? HD_RAW_DESTROY_HANDLE_AND_DEALLOCATE : HD_RAW_DESTROY_HANDLE);
}

/* ---- accesses ---------------------------------------------------------------------------------------------------- */

/* A request of MPI_Rput, ... is complete. */
static void
note_local(void *window_, uint64_t id)
{
    hd_window *window = window_;

    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < window->n_open; i++)
        window->open[i].is_local |= window->open[i].id == id;
    pthread_mutex_unlock(&lock);
}

hd_request
hd_record_access(const hd_call *call, hd_raw_kind kind, hd_window *window, int target, uint32_t type, uint64_t sent,
                 uint64_t received)
{
    uint64_t id = hd_request_next_id(), rank = (uint64_t)(uint32_t)target | (uint64_t)type << 32;
    access_ *grown;

    if (window == NULL || target == MPI_PROC_NULL)
        return (hd_request){ .kind = HD_REQUEST_OTHER };
    if (kind == HD_RAW_ATOMIC)
        HD_LOG_PUT(call->log, call->enter, ATOMIC, window->number, rank, sent, received, id);
    else
        hd_log_put(call->log, call->enter, kind, window->number, 3,
                   (const uint64_t[]){ rank, kind == HD_RAW_PUT ? sent : received, id });
    pthread_mutex_lock(&lock);
    if (window->n_open == window->room) {
        size_t room = window->room * 2 + 16;

        grown = realloc(window->open, room * sizeof *grown);
        if (grown != NULL) {
            window->open = grown;
            window->room = room;
        }
    }
    if (window->n_open < window->room)
        window->open[window->n_open++] = (access_){ .id = id, .target = target, .is_get = received > 0 };
    pthread_mutex_unlock(&lock);
    return (hd_request){ .kind = HD_REQUEST_ACCESS, .comm = window->number, .id = id, .window = window,
                         .access_done = note_local };
}

/* What an epoch's end, or a flush, completes. */
typedef enum completion { AT_FENCE, AT_UNLOCK, AT_FLUSH_LOCAL } completion;

/* After a fence, the completion of what has no answer is known here only. */
static void
complete(const hd_call *call, hd_window *window, int target, completion how)
{
    size_t left = 0;

    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < window->n_open; i++) {
        access_ *one = &window->open[i];

        if (target == HD_ALL_TARGETS || one->target == target) {
            if (!one->is_local)
                HD_LOG_PUT(call->log, call->leave, ACCESS_LOCAL, window->number, one->id);
            one->is_local = true;
            if (how == AT_UNLOCK || (how == AT_FENCE && one->is_get))
                HD_LOG_PUT(call->log, call->leave, ACCESS_REMOTE, window->number, one->id);
            if (how != AT_FLUSH_LOCAL)
                continue;
        }
        window->open[left++] = *one;
    }
    window->n_open = left;
    pthread_mutex_unlock(&lock);
}

void
hd_record_fence(const hd_call *call, hd_window *window)
{
    if (window == NULL)
        return;
    complete(call, window, HD_ALL_TARGETS, AT_FENCE);
    HD_LOG_PUT(call->log, call->leave, WINDOW_END, window->number, HD_RAW_BARRIER);
}

/* ---- epochs ------------------------------------------------------------------------------------------------------ */

static void
define_group(uint32_t number, const int *ranks, int n)
{
    uint64_t *words = calloc((size_t)n + 1, sizeof *words);

    if (words == NULL)
        return;
    words[0] = number;
    for (int i = 0; i < n; i++)
        words[1 + i] = (uint64_t)(int64_t)ranks[i];
    hd_recorder_define(HD_RAW_GROUP, words, (uint32_t)n + 1, NULL, NULL);
    free(words);
}

/* The number of the group, which is defined once for the same members. */
static uint32_t
number_of(MPI_Group group)
{
    int         *ranks = NULL, n = hd_comm_world_ranks(group, &ranks);
    uint64_t     hash = 17;
    known_group *found;

    for (int i = 0; i < n && ranks != NULL; i++)
        hash = (hash ^ (uint64_t)(int64_t)ranks[i]) * 0xff51afd7ed558ccdU + 1;
    pthread_mutex_lock(&lock);
    for (found = groups[bucket_of(hash)]; found != NULL && found->hash != hash; found = found->next)
        ;
    if (found == NULL && (found = calloc(1, sizeof *found)) != NULL) {
        *found = (known_group){ .next = groups[bucket_of(hash)], .hash = hash, .number = n_groups++ };
        groups[bucket_of(hash)] = found;
        define_group(found->number, ranks, n);
    }
    pthread_mutex_unlock(&lock);
    free(ranks);
    return found != NULL ? found->number : HD_NONE;
}

void
hd_record_epoch_begin(const hd_call *call, hd_window *window, MPI_Group group, hd_epoch epoch)
{
    if (window == NULL)
        return;
    window->group[epoch] = number_of(group);
    HD_LOG_PUT(call->log, call->enter, GROUP_SYNC, window->number, window->group[epoch], 0);
}

void
hd_record_epoch_end(const hd_call *call, hd_window *window, hd_epoch epoch, uint64_t time)
{
    if (window == NULL)
        return;
    if (epoch == HD_ACCESS_EPOCH)
        complete(call, window, HD_ALL_TARGETS, AT_FENCE);
    HD_LOG_PUT(call->log, time, GROUP_SYNC, window->number, window->group[epoch], 1);
}

/* As it is in records. */
static uint64_t
rank_of(int target)
{
    return target == HD_ALL_TARGETS ? UINT32_MAX : (uint32_t)target;
}

void
hd_record_lock(const hd_call *call, const hd_window *window, int target, bool is_shared)
{
    if (window != NULL && target != MPI_PROC_NULL)
        HD_LOG_PUT(call->log, call->enter, REQUEST_LOCK, window->number,
                   rank_of(target) | (is_shared ? UINT64_C(1) << 32 : 0));
}

void
hd_record_unlock(const hd_call *call, hd_window *window, int target)
{
    if (window == NULL || target == MPI_PROC_NULL)
        return;
    complete(call, window, target, AT_UNLOCK);
    HD_LOG_PUT(call->log, call->leave, RELEASE_ACCESS, window->number, rank_of(target));
}

void
hd_record_flush(const hd_call *call, hd_window *window, int target, bool is_local)
{
    if (window != NULL)
        complete(call, window, target, is_local ? AT_FLUSH_LOCAL : AT_UNLOCK);
}
