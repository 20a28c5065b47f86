/* src/record/preload/counters.c: opens counters for each thread, and reads them. */
#define _GNU_SOURCE /* RUSAGE_THREAD, F_DUPFD_CLOEXEC */
#include "counters.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recorder.h"

typedef struct known {
    const char *name;
    uint32_t    kind, number;
} known;

static const known perf_counters[] = {
#define X(name, kind, number) { name, PERF_TYPE_##kind, PERF_COUNT_##number },
    HD_PERF_COUNTERS(X)
#undef X
};

enum {
#define R(name, value, unit, base, exponent, adds) +1
    N_USAGE = HD_USAGE_COUNTERS(R)
#undef R
};

static const struct {
    const char *name;
    bool        adds;
} usage_counters[] = {
#define R(name, value, unit, base, exponent, adds) { name, adds },
    HD_USAGE_COUNTERS(R)
#undef R
};

/* Written by the constructor. */
static struct {
    uint32_t n;
    uint32_t perf[HD_MAX_COUNTERS], usage[HD_MAX_COUNTERS]; /* index, UINT32_MAX: it is none of these */
    uint32_t n_perf, n_usage;
} wanted;

static atomic_bool has_failed;
static atomic_uint n_threads;

/* The group of a thread. */
static HD_THREAD_LOCAL int      leader;   /* descriptor, 0: not opened yet */
static HD_THREAD_LOCAL uint32_t thread_id; /* from 1 */
static HD_THREAD_LOCAL int      opened[HD_MAX_COUNTERS]; /* descriptors, 0: none */
static HD_THREAD_LOCAL uint32_t n_endings; /* how often close_group() was called, to which the thread ends */
static pthread_key_t            at_end;
static pthread_once_t           at_end_once = PTHREAD_ONCE_INIT;

uint32_t
hd_counters_begin(const char *names)
{
    for (const char *at = names; *at != '\0' && wanted.n < HD_MAX_COUNTERS; at += strcspn(at, ","), at += *at == ',') {
        size_t   n = strcspn(at, ","), i;
        uint32_t perf = UINT32_MAX, usage = UINT32_MAX;

        for (i = 0; i < sizeof perf_counters / sizeof *perf_counters; i++)
            if (strlen(perf_counters[i].name) == n && strncmp(at, perf_counters[i].name, n) == 0)
                perf = (uint32_t)i;
        for (i = 0; i < N_USAGE; i++)
            if (strlen(usage_counters[i].name) == n && strncmp(at, usage_counters[i].name, n) == 0)
                usage = (uint32_t)i;
        wanted.n_perf += perf != UINT32_MAX;
        wanted.n_usage += usage != UINT32_MAX;
        wanted.perf[wanted.n]    = perf;
        wanted.usage[wanted.n++] = usage;
    }
    return wanted.n;
}

/* ---- the kernel -------------------------------------------------------------------------------------------------- */

static int
open_one(const known *counter, int group, bool with_kernel)
{
    struct perf_event_attr attributes = { .type           = counter->kind,
                                          .size           = sizeof attributes,
                                          .config         = counter->number,
                                          .read_format    = PERF_FORMAT_GROUP,
                                          .pinned         = group < 0,
                                          .exclude_kernel = !with_kernel,
                                          .exclude_hv     = 1 };

    return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, group, PERF_FLAG_FD_CLOEXEC);
}

/* Where others may not count in the kernel, what the thread does itself. */
static int
open_counter(const known *counter, int group)
{
    enum { FAR = 256 }; /* from the highest number that the program may use */
    struct rlimit limit;
    int           fd = open_one(counter, group, true), high;

    if (fd < 0 && (errno == EACCES || errno == EPERM))
        fd = open_one(counter, group, false);
    if (fd < 0 || getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur <= FAR || limit.rlim_cur > INT32_MAX)
        return fd;
    high = fcntl(fd, F_DUPFD_CLOEXEC, (int)limit.rlim_cur - FAR);
    if (high < 0)
        return fd;
    close(fd);
    return high;
}

enum { LAST_ENDING = 3 };

/* Destructors of other keys still record something in the first rounds: the end of the thread. */
static void
close_group(void *descriptors)
{
    const int *fd = descriptors;

    if (++n_endings < LAST_ENDING) {
        pthread_setspecific(at_end, descriptors);
        return;
    }
    for (uint32_t i = 0; i < HD_MAX_COUNTERS; i++)
        if (fd[i] > 0)
            close(fd[i]);
}

static void
make_key(void)
{
    pthread_key_create(&at_end, close_group);
}

static bool
open_group(void)
{
    pthread_once(&at_end_once, make_key);
    pthread_setspecific(at_end, opened);
    leader    = -1;
    thread_id = atomic_fetch_add(&n_threads, 1) + 1;
    for (uint32_t i = 0; i < wanted.n; i++) {
        int fd = wanted.perf[i] != UINT32_MAX ? open_counter(&perf_counters[wanted.perf[i]], leader) : 0;

        if (fd < 0)
            return false;
        opened[i] = fd;
        if (wanted.perf[i] != UINT32_MAX && leader < 0)
            leader = fd;
    }
    return true;
}

static bool
read_perf(uint64_t values[HD_MAX_COUNTERS])
{
    uint64_t group[1 + HD_MAX_COUNTERS];
    uint32_t at = 1;

    if (wanted.n_perf == 0)
        return true;
    if (leader < 0 || read(leader, group, sizeof group) != (ssize_t)((1 + wanted.n_perf) * sizeof *group))
        return false;
    for (uint32_t i = 0; i < wanted.n; i++)
        if (wanted.perf[i] != UINT32_MAX)
            values[i] = group[at++];
    return true;
}

static void
read_usage(uint64_t values[HD_MAX_COUNTERS])
{
    struct rusage usage;

    if (wanted.n_usage == 0)
        return;
    getrusage(RUSAGE_THREAD, &usage);
    const uint64_t all[N_USAGE] = {
#define R(name, value, unit, base, exponent, adds) value,
        HD_USAGE_COUNTERS(R)
#undef R
    };
    for (uint32_t i = 0; i < wanted.n; i++)
        if (wanted.usage[i] != UINT32_MAX)
            values[i] = all[wanted.usage[i]];
}

/* ---- of a location ----------------------------------------------------------------------------------------------- */

static bool
read_all(hd_counter_state *state)
{
    uint64_t now[HD_MAX_COUNTERS] = { 0 };

    if ((leader == 0 && !open_group()) || !read_perf(now))
        return false;
    read_usage(now);
    for (uint32_t i = 0; i < wanted.n; i++) {
        bool adds = wanted.usage[i] == UINT32_MAX || usage_counters[wanted.usage[i]].adds;

        if (state->thread != thread_id)
            state->before[i] = adds ? state->last[i] - (state->thread != 0 ? now[i] : 0) : 0;
        state->last[i] = state->before[i] + now[i];
    }
    state->thread = thread_id;
    return true;
}

/* Of a thread that has ended but for the last destructors, the last values hold. */
uint32_t
hd_counters_read(hd_counter_state *state)
{
    int  error = errno, held = hd_recorder_hold();
    bool is_read = state->is_late || n_endings >= LAST_ENDING ||
                   (!atomic_load_explicit(&has_failed, memory_order_relaxed) && read_all(state));

    if (!is_read)
        atomic_store(&has_failed, true);
    hd_recorder_release(held);
    errno = error;
    return is_read ? wanted.n : 0;
}

uint32_t
hd_counters_read_in_handler(hd_counter_state *state)
{
    return leader != 0 ? hd_counters_read(state) : 0;
}
