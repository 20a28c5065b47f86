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

#include "raw_space.h"

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

/* Takes the [bytes] of a window before it looks whether there are so many, as several threads may ask at once. */
static bool
is_over_limit(void)
{
    uint64_t limit = hd_the_recorder.limit_bytes > 0 ? hd_the_recorder.limit_bytes : UINT64_MAX;

    return atomic_fetch_add(&n_bytes, hd_the_recorder.window_bytes) + hd_the_recorder.window_bytes > limit;
}

void
hd_log_forget_all(void)
{
    for (hd_log *log = hd_log_first(); log != NULL; log = log->next_of_all) {
        log->window = log->next = log->end = log->idle = NULL;
        log->profile = NULL;
    }
}

static const char over_limit[] = "it has recorded as much as --limit says";

/* Empties it, and gives it its number. Whoever is killed in between leaves one without a number. */
static void
begin_window(hd_log *log)
{
    uint64_t *window = log->window;

    __atomic_store_n(&window[1], 0, __ATOMIC_RELEASE);
    atomic_signal_fence(memory_order_seq_cst);
    memset(window + 2, 0, (size_t)(log->next - window - 2) * sizeof *window);
    window[0] = log->last;
    __atomic_store_n(&window[1], hd_raw_head(HD_RAW_TURN, 0, log->n_turns), __ATOMIC_RELEASE);
    log->next = window + 2;
    log->idle = NULL;
}

static const char *
map_window(hd_log *log, int fd)
{
    bool        is_over = is_over_limit();
    const char *wrong   = is_over && log->ring == NULL ? over_limit : NULL;
    void       *window;

    if (wrong == NULL)
        wrong = hd_raw_space_take(fd, 0, hd_the_recorder.window_bytes);
    if (wrong != NULL)
        return wrong;
    window = mmap(NULL, hd_the_recorder.window_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (window == MAP_FAILED)
        return "a raw file cannot be mapped";
    log->window  = window;
    log->next    = log->window + 2;
    log->end     = log->window + hd_the_recorder.window_bytes / sizeof *log->window;
    log->n_bytes = hd_the_recorder.window_bytes;
    begin_window(log);
    return NULL;
}

/* Its number last: what is not whole, as the disk is full, has none, or an older one. */
static const char *
write_window(const hd_log *log, int fd, uint64_t offset)
{
    enum { HEAD = 2 * sizeof *log->window };
    const char *wrong = hd_raw_space_write(fd, log->window + 2, hd_the_recorder.window_bytes - HEAD, offset + HEAD);

    return wrong != NULL ? wrong : hd_raw_space_write(fd, log->window, HEAD, offset);
}

static const char *
copy_window(hd_log *log, int fd)
{
    uint64_t    offset  = log->n_bytes;
    int64_t     bytes   = (int64_t)hd_the_recorder.window_bytes, grows = bytes;
    bool        is_over = is_over_limit();
    const char *wrong   = NULL;

    if (log->ring != NULL)
        wrong = hd_ring_turn(log->ring, fd, log->number, log->n_turns, is_over, &offset, &grows);
    else if (is_over)
        wrong = over_limit;
    atomic_fetch_add(&n_bytes, (uint64_t)(grows - bytes));
    return wrong != NULL ? wrong : write_window(log, fd, offset);
}

static void
use_again(hd_log *log)
{
    if (log->ring == NULL)
        log->n_bytes += hd_the_recorder.window_bytes;
    log->n_turns++;
    begin_window(log);
}

bool
hd_log_turn(hd_log *log)
{
    int              error  = errno, fd = -1;
    hd_recorder_held held   = hd_recorder_hold_signals();
    bool             is_new = log->n_bytes == 0;
    const char      *wrong  = NULL;

    if (!is_new && log->ring == NULL) /* what a ring keeps has its own */
        hd_recorder_define_clock(); /* a program that is killed has read it not long before */
    if (hd_recording() && (is_new || log->window != NULL))
        fd = hd_recorder_open_log(log->number, is_new);
    if (fd >= 0) {
        wrong = is_new ? map_window(log, fd) : copy_window(log, fd);
        close(fd);
    }
    if (fd >= 0 && wrong == NULL && !is_new)
        use_again(log);
    else if (fd < 0 || wrong != NULL) {
        if (log->window != NULL)
            munmap(log->window, hd_the_recorder.window_bytes);
        log->window = log->next = log->end = log->idle = NULL;
    }
    if (wrong != NULL)
        hd_recorder_stop(wrong);
    hd_recorder_release_signals(&held);
    errno = error;
    return log->window != NULL;
}

/* A sample has no claim on space that --limit, or the disk, does not have: the next record tells. */
bool
hd_log_turn_in_handler(hd_log *log)
{
    uint64_t bytes  = hd_the_recorder.window_bytes, offset = log->n_bytes;
    int64_t  grows  = (int64_t)bytes;
    int      fd     = -1, held;
    bool     is_written;

    if (log->ring != NULL && !hd_ring_has_room(log->ring))
        return false;
    held = hd_recorder_hold();
    if (!is_over_limit())
        fd = hd_recorder_open_log_again(log->number, (char *)log->space->walk.bytes, sizeof log->space->walk.bytes);
    if (log->ring != NULL)
        offset = hd_ring_next_place(log->ring);
    is_written = fd >= 0 && write_window(log, fd, offset) == NULL;
    if (fd >= 0)
        close(fd);
    hd_recorder_release(held);
    if (!is_written) {
        atomic_fetch_sub(&n_bytes, bytes);
        return false;
    }
    if (log->ring != NULL)
        hd_ring_turn_briefly(log->ring, &grows);
    atomic_fetch_add(&n_bytes, (uint64_t)grows - bytes);
    use_again(log);
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
    hd_recorder_held held = hd_recorder_hold_signals();
    bool             are;

    pthread_mutex_lock(&places);
    are = n == n_of_process && memcmp(words, of_process, n * sizeof *words) == 0;
    if (set) {
        memcpy(of_process, words, n * sizeof *words);
        n_of_process = n;
    }
    pthread_mutex_unlock(&places);
    hd_recorder_release_signals(&held);
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
        log->ring  = hd_the_recorder.last_ns > 0 ? hd_ring_new() : NULL;
        log->space = hd_the_recorder.sample_ns > 0 ? malloc(sizeof *log->space) : NULL;
        hd_recorder_define(HD_RAW_LOCATION, (const uint64_t[]){ log->number, parent, level, member }, 4, NULL, NULL);
        if ((hd_the_recorder.last_ns > 0 && log->ring == NULL) ||
            (hd_the_recorder.sample_ns > 0 && log->space == NULL))
            hd_recorder_stop("there is no memory");
        if (hd_the_recorder.is_profile)
            log->profile = hd_profile_new(log->number, log->number == 0 ? hd_recorder_begin() : 0);
        is_made = hd_the_recorder.is_profile ? log->profile != NULL : hd_log_turn(log);
    } else
        hd_recorder_stop("there is no memory");
    if (!is_made) {
        if (log != NULL) {
            free(log->ring);
            free(log->space);
        }
        free(log);
        log = NULL;
    } else {
        log->next_of_all = atomic_load(&newest);
        while (!atomic_compare_exchange_weak(&newest, &log->next_of_all, log))
            ;
        if (log->number == 0)
            hd_recorder_define_objects(); /* early: the program may be killed */
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
