/* src/base/scratch_keeper.c: looks how much memory is resident, and drops the pages of the files when it is too
 * much. */
#define _GNU_SOURCE /* madvise */
#include "scratch_keeper.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { LONG_PERIOD_NS = 2000000, SHORT_PERIOD_NS = 500000 };

uint64_t
hd_keeper_resident_bytes(const hd_scratch *scratch, uint64_t *file_bytes)
{
    char     text[128];
    ssize_t  n = pread(scratch->statm, text, sizeof text - 1, 0);
    uint64_t size = 0, resident = 0, of_files = 0;

    text[n > 0 ? n : 0] = '\0';
    if (sscanf(text, "%" SCNu64 " %" SCNu64 " %" SCNu64, &size, &resident, &of_files) != 3)
        return *file_bytes = 0;
    *file_bytes = of_files * scratch->page_bytes;
    return resident * scratch->page_bytes;
}

/* What cannot be dropped. Other threads use the files while they are dropped, so what is resident then would be too
 * much. */
static uint64_t
kept_bytes(const hd_scratch *scratch)
{
    uint64_t file_bytes, resident = hd_keeper_resident_bytes(scratch, &file_bytes);

    return resident - file_bytes + scratch->other_file_bytes;
}

/* Under the lock, since a mapping may move: an old address might belong to anything. */
void
hd_keeper_drop(hd_scratch *scratch)
{
    hd_scratch_stats *stats = &scratch->stats;

    for (size_t i = 0; i < scratch->n_files; i++)
        if (scratch->files[i].at != NULL)
            madvise(scratch->files[i].at, scratch->files[i].bytes, MADV_DONTNEED);
    stats->n_drops++;
    scratch->dropped_to = kept_bytes(scratch);
    if (scratch->dropped_to > stats->kept_bytes)
        stats->kept_bytes = scratch->dropped_to;
}

/* How much may be resident before all is dropped. Where the limit is too small, a quarter more than what is kept, so
 * that dropping is not all that is done. */
static uint64_t
max_resident(const hd_scratch *scratch)
{
    uint64_t most = scratch->limit_bytes - scratch->limit_bytes / 8, kept = scratch->dropped_to;

    return kept + kept / 4 < most ? most : kept + kept / 4;
}

static void
add_period(struct timespec *time, long period_ns)
{
    clock_gettime(CLOCK_MONOTONIC, time);
    time->tv_nsec += period_ns;
    if (time->tv_nsec >= 1000000000) {
        time->tv_nsec -= 1000000000;
        time->tv_sec++;
    }
}

static void *
keep(void *scratch_)
{
    hd_scratch     *scratch = scratch_;
    struct timespec next;
    uint64_t        file_bytes;

    pthread_mutex_lock(&scratch->lock);
    while (!scratch->is_ending) {
        uint64_t most = max_resident(scratch), resident = hd_keeper_resident_bytes(scratch, &file_bytes);

        if (resident > most)
            hd_keeper_drop(scratch);
        add_period(&next, resident > most / 2 ? SHORT_PERIOD_NS : LONG_PERIOD_NS);
        pthread_cond_timedwait(&scratch->ends, &scratch->lock, &next);
    }
    pthread_mutex_unlock(&scratch->lock);
    return NULL;
}

/* Signals are for the other threads. */
hd_status
hd_keeper_start(hd_scratch *scratch)
{
    sigset_t all, old;
    int      error;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    error = pthread_create(&scratch->keeper, NULL, keep, scratch);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return error == 0 ? HD_OK : hd_fail(HD_EOPEN, "no thread could be started that keeps the memory limit: %s",
                                        strerror(error));
}
