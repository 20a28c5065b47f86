/* src/record/preload/log.c: locations, and the windows of their files. */
#define _GNU_SOURCE /* gettid */
#include "log.h"

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

HD_THREAD_LOCAL hd_log  *hd_thread_log;
HD_THREAD_LOCAL uint32_t hd_thread_constructs;
HD_THREAD_LOCAL uint32_t hd_thread_depth;
HD_THREAD_LOCAL bool     hd_thread_is_late;

static atomic_uint     n_logs;
static _Atomic uint64_t n_bytes; /* of all windows */
static _Atomic(hd_log *) newest;
static pthread_mutex_t children = PTHREAD_MUTEX_INITIALIZER; /* of all locations */
static hd_log         *ended; /* of created threads that have ended, under that lock */

hd_log *
hd_log_first(void)
{
    return atomic_load(&newest);
}

/* [bytes] to where the next window is, or why there is none. Several threads may ask at once, so each takes its bytes
 * before it looks whether there are so many. */
static const char *
find_place(hd_log *log, int fd, uint64_t *offset)
{
    uint64_t    limit   = hd_the_recorder.limit_bytes > 0 ? hd_the_recorder.limit_bytes : UINT64_MAX;
    bool        is_full = atomic_fetch_add(&n_bytes, HD_RAW_WINDOW_BYTES) + HD_RAW_WINDOW_BYTES > limit;
    int64_t     grows   = HD_RAW_WINDOW_BYTES;
    const char *wrong   = NULL;

    *offset = log->offset;
    if (log->ring != NULL)
        wrong = hd_ring_turn(log->ring, fd, log->number, is_full, offset, &grows);
    else if (is_full)
        wrong = "it has recorded as much as --limit says";
    atomic_fetch_add(&n_bytes, (uint64_t)grows - HD_RAW_WINDOW_BYTES);
    return wrong != NULL ? wrong : hd_recorder_take_space(fd, *offset, HD_RAW_WINDOW_BYTES);
}

static void
use_window(hd_log *log, uint64_t *window)
{
    log->window = window;
    log->next   = log->ring != NULL ? hd_ring_clear(log->ring, window, log->last) : window;
    log->end    = log->window + HD_RAW_WINDOW_BYTES / sizeof(uint64_t);
    log->offset += HD_RAW_WINDOW_BYTES;
}

static const char *
map_window(hd_log *log, int fd)
{
    uint64_t    offset;
    const char *wrong = find_place(log, fd, &offset);
    void       *window;

    if (wrong != NULL)
        return wrong;
    window = mmap(NULL, HD_RAW_WINDOW_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset);
    if (window == MAP_FAILED)
        return "a raw file cannot be mapped";
    use_window(log, window);
    return NULL;
}

bool
hd_log_turn(hd_log *log)
{
    int         error = errno, fd = -1;
    const char *wrong = NULL;

    if (log->window != NULL)
        munmap(log->window, HD_RAW_WINDOW_BYTES);
    log->window = NULL;
    log->next = log->end = log->idle = NULL;
    if (log->offset > 0 && log->ring == NULL) /* what a ring keeps has its own */
        hd_recorder_define_clock(); /* a program that is killed has read it not long before */
    if (hd_recording())
        fd = hd_recorder_open_log(log->number, log->offset == 0);
    if (fd >= 0) {
        wrong = map_window(log, fd);
        close(fd);
    }
    if (wrong != NULL)
        hd_recorder_stop(wrong);
    errno = error;
    return log->window != NULL;
}

/* A sample has no claim on space that --limit, or the disk, does not have: the next record tells. */
bool
hd_log_turn_in_handler(hd_log *log)
{
    uint64_t limit  = hd_the_recorder.limit_bytes > 0 ? hd_the_recorder.limit_bytes : UINT64_MAX;
    uint64_t offset = log->offset, old_bytes;
    int64_t  grows  = HD_RAW_WINDOW_BYTES;
    void    *window = MAP_FAILED;
    int      fd     = -1;

    if (log->ring != NULL && !hd_ring_has_room(log->ring))
        return false;
    old_bytes = atomic_fetch_add(&n_bytes, HD_RAW_WINDOW_BYTES);
    if (old_bytes + HD_RAW_WINDOW_BYTES <= limit)
        fd = hd_recorder_open_log_again(log->number);
    if (fd >= 0 && log->ring != NULL)
        offset = hd_ring_next_place(log->ring);
    if (fd >= 0 && hd_recorder_take_space(fd, offset, HD_RAW_WINDOW_BYTES) == NULL)
        window = mmap(NULL, HD_RAW_WINDOW_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset);
    if (fd >= 0)
        close(fd);
    if (window == MAP_FAILED) {
        atomic_fetch_sub(&n_bytes, HD_RAW_WINDOW_BYTES);
        return false;
    }
    if (log->ring != NULL)
        hd_ring_turn_briefly(log->ring, &grows);
    atomic_fetch_add(&n_bytes, (uint64_t)grows - HD_RAW_WINDOW_BYTES);
    munmap(log->window, HD_RAW_WINDOW_BYTES);
    use_window(log, window);
    log->idle = NULL;
    return true;
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

enum { MAX_WORDS = HD_RAW_MAX_PROCESSORS / 64 };

static pthread_mutex_t places = PTHREAD_MUTEX_INITIALIZER;
static uint64_t        of_process[MAX_WORDS]; /* [n_of_process], under it */
static uint32_t        n_of_process;

/* words: out, [MAX_WORDS]. Returns how many there are up to the last processor; 0: it is not known. thread: 0, the
 * calling one. */
static uint32_t
ask_place(pid_t thread, uint64_t *words)
{
    long     bytes = syscall(SYS_sched_getaffinity, thread, MAX_WORDS * sizeof *words, words);
    uint32_t n     = bytes > 0 ? (uint32_t)((size_t)bytes / sizeof *words) : 0;

    while (n > 0 && words[n - 1] == 0)
        n--;
    return n;
}

static void
define_place(uint32_t location, const uint64_t *words, uint32_t n)
{
    uint64_t defined[1 + MAX_WORDS] = { location };

    memcpy(defined + 1, words, n * sizeof *words);
    hd_recorder_define(HD_RAW_PLACE, defined, n + 1, NULL, NULL);
}

/* Whether these are the processors of the process, which they are from now on if they are set. */
static bool
are_of_process(const uint64_t *words, uint32_t n, bool set)
{
    bool are;

    pthread_mutex_lock(&places);
    are = n == n_of_process && memcmp(words, of_process, n * sizeof *words) == 0;
    if (set) {
        memcpy(of_process, words, n * sizeof *words);
        n_of_process = n;
    }
    pthread_mutex_unlock(&places);
    return are;
}

void
hd_log_define_process(void)
{
    uint64_t words[MAX_WORDS] = { 0 };
    uint32_t n                = ask_place(getpid(), words); /* the number of the first thread, too */

    if (n > 0 && !are_of_process(words, n, true))
        define_place(HD_NONE, words, n);
}

void
hd_log_define_thread(uint32_t location)
{
    uint64_t words[MAX_WORDS] = { 0 };
    uint32_t n                = ask_place(0, words);

    if (n > 0 && !are_of_process(words, n, false))
        define_place(location, words, n);
}

/* ---- locations --------------------------------------------------------------------------------------------------- */

static hd_log *
make(uint32_t parent, uint32_t level, uint32_t member)
{
    int     error  = errno;
    hd_log *log    = calloc(1, sizeof *log);
    bool    is_made = false;

    if (log != NULL) {
        log->number = atomic_fetch_add(&n_logs, 1);
        log->level  = level;
        log->member = member;
        log->is_member = parent != HD_NONE;
        if (log->number > 0)
            atomic_store(&hd_the_recorder.is_threaded, true);
        log->ring = hd_the_recorder.last_ns > 0 ? hd_ring_new() : NULL;
        hd_recorder_define(HD_RAW_LOCATION, (const uint64_t[]){ log->number, parent, level, member }, 4, NULL, NULL);
        if (hd_the_recorder.last_ns > 0 && log->ring == NULL)
            hd_recorder_stop("there is no memory");
        if (hd_the_recorder.is_profile)
            log->profile = hd_profile_new(log->number, log->number == 0 ? hd_recorder_begin() : 0);
        is_made = hd_the_recorder.is_profile ? log->profile != NULL : hd_log_turn(log);
    } else
        hd_recorder_stop("there is no memory");
    if (!is_made) {
        if (log != NULL)
            free(log->ring);
        free(log);
        log = NULL;
    } else {
        log->next_of_all = atomic_load(&newest);
        while (!atomic_compare_exchange_weak(&newest, &log->next_of_all, log))
            ;
    }
    errno = error;
    return log;
}

/* In a pause, of threads other than the first that have none, and of those of a team that is not recorded. */
static HD_THREAD_LOCAL hd_log no_log = { .is_member = true, .is_paused = true };

hd_log *
hd_log_make_of_thread(void)
{
    if (hd_recording()) {
        if (HD_UNLIKELY(atomic_load_explicit(&hd_the_recorder.is_paused, memory_order_relaxed)) && gettid() != getpid())
            return &no_log;
        hd_thread_depth++;
        hd_thread_log = make(HD_NONE, 0, 0);
        if (hd_thread_log != NULL && gettid() != getpid())
            hd_log_define_thread(hd_thread_log->number);
        hd_log_begin_samples();
        hd_thread_depth--;
    }
    return hd_thread_log;
}

void
hd_log_use_none(void)
{
    hd_thread_log = &no_log;
}

hd_log *
hd_log_of_member(hd_log *parent, uint32_t level, uint32_t member)
{
    hd_log *log;

    pthread_mutex_lock(&children);
    for (log = parent->first_child; log != NULL; log = log->next_sibling)
        if (log->level == level && log->member == member)
            break;
    if (log == NULL && hd_recording()) {
        hd_thread_depth++;
        log = make(parent->number, level, member);
        hd_thread_depth--;
        if (log != NULL) {
            hd_log_define_thread(log->number);
            log->next_sibling   = parent->first_child;
            parent->first_child = log;
        }
    }
    pthread_mutex_unlock(&children);
    return log;
}

/* The last that has ended is the next to go on, so there are as many as threads at a time. */
hd_log *
hd_log_of_new_thread(void)
{
    hd_log *log;

    pthread_mutex_lock(&children);
    log = ended;
    if (log != NULL)
        ended = log->next_ended;
    pthread_mutex_unlock(&children);
    return log != NULL ? log : make(HD_NONE, 1, 0);
}

void
hd_log_give_back(hd_log *log)
{
    pthread_mutex_lock(&children);
    log->next_ended = ended;
    ended           = log;
    pthread_mutex_unlock(&children);
}

/* Frames inside of the caller's callee are those of this library and of MPI. */
uint32_t
hd_log_enter(hd_log *log, uint64_t time, uint32_t id, const void *caller)
{
    enum { INNER = 24 };
    void    *stack[HD_RAW_MAX_CALLERS + INNER];
    uint64_t words[HD_RAW_MAX_CALLERS];
    uint32_t n = 1;
    int      n_frames = backtrace(stack, (int)hd_the_recorder.n_callers + INNER), at = 0;

    words[0] = (uint64_t)(uintptr_t)caller;
    while (at < n_frames && stack[at] != caller)
        at++;
    for (at++; at < n_frames && n < hd_the_recorder.n_callers; at++)
        words[n++] = (uint64_t)(uintptr_t)stack[at];
    hd_log_put(log, time, HD_RAW_ENTER, id, n, words);
    return n;
}

void
hd_log_count(hd_log *log, uint64_t time)
{
    static atomic_bool is_told;
    uint32_t           n;

    hd_log_set_busy(log, true); /* a sample reads them, too */
    n = hd_counters_read(&log->counters);
    hd_log_set_busy(log, false);
    if (n > 0)
        hd_log_put(log, time, HD_RAW_METRIC, 0, n, log->counters.last);
    else if (!atomic_exchange(&is_told, true))
        hd_recorder_define(HD_RAW_UNCOUNTED, &time, 1, NULL, NULL);
}
