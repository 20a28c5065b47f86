/* src/record/preload/sample.c: timers, and the handler that walks the call stack. */
#define _GNU_SOURCE /* gettid */
#include "sample.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "sample_signal.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static int           signal_number;
static atomic_bool   is_over;
static pthread_key_t at_end; /* of a thread: its timer is deleted */

static HD_THREAD_LOCAL timer_t timer;
static HD_THREAD_LOCAL bool    has_timer;
static HD_THREAD_LOCAL hd_stack_range stack;

/* ---- the handler ------------------------------------------------------------------------------------------------- */

/* Samples between calls that find nothing would make several calls of one (hd_call_is_one). */
static bool
is_polling(const hd_log *log, uint64_t now)
{
    return log->idle != NULL && log->idle + 2 == log->next && now - log->idle[0] < HD_IDLE_GAP;
}

/* Words of the record; 0: the stack is too deep. The first address is that of an instruction, and others stand behind
 * one: 1 is added to it. */
static uint32_t
walk(hd_sample_space *space, const ucontext_t *context)
{
    uint32_t n = hd_stack_walk_take(&space->walk, context, stack, space->words, HD_RAW_MAX_CALLERS + 1);

    space->words[0]++;
    return n <= HD_RAW_MAX_CALLERS ? n : 0;
}

static uint32_t
at_most(uint32_t n)
{
    return n < HD_RAW_SAMPLES_MASK ? n : HD_RAW_SAMPLES_MASK;
}

static void
append(hd_log *log, uint64_t time, hd_raw_kind kind, uint32_t id, uint32_t n, const uint64_t *words)
{
    uint64_t *at = log->next;

    at[0] = time > log->last ? time : log->last;
    for (uint32_t i = 0; i < n; i++)
        at[2 + i] = words[i];
    __atomic_store_n(&at[1], hd_raw_head(kind, n, id), __ATOMIC_RELEASE);
    log->next = at + 2 + n;
}

/* The time of the last record stays that of a call: records of calls have the times that they would have without. The
 * values of the counters stand before the sample. */
static void
put(hd_log *log, uint64_t time, const ucontext_t *context, int overrun)
{
    uint32_t n         = walk(log->space, context);
    uint32_t n_counted = hd_the_recorder.n_counters > 0 ? hd_counters_read_in_handler(&log->counters) : 0;

    if (n == 0 || (log->end - log->next < 4 + (ptrdiff_t)(n_counted + n) && !hd_log_turn_in_handler(log))) {
        log->n_lost++;
        return;
    }
    if (n_counted > 0)
        append(log, time, HD_RAW_METRIC, 0, n_counted, log->counters.last);
    append(log, time, HD_RAW_SAMPLE, at_most(log->n_lost) | at_most((uint32_t)overrun) << HD_RAW_SAMPLES_BITS, n,
           log->space->words);
    log->n_lost = 0;
}

static void
take(void *context, int overrun)
{
    hd_log  *log = hd_thread_log;
    uint64_t now = hd_recorder_now();

    if (log == NULL || hd_thread_is_late || !hd_recording() ||
        atomic_load_explicit(&is_over, memory_order_relaxed) || hd_thread_depth > 0 || log->is_paused ||
        log->window == NULL || is_polling(log, now))
        return;
    if (log->is_busy)
        log->n_lost++;
    else
        put(log, now, context, overrun);
}

/* ---- timers ------------------------------------------------------------------------------------------------------ */

static void
delete_timer(void *timer_)
{
    (void)timer_;
    if (has_timer)
        timer_delete(timer);
    has_timer = false;
}

void
hd_sample_prepare(const char *rate)
{
    enum { NS_PER_S = 1000000000 };
    int   hz = rate != NULL ? atoi(rate) : 0;

    if (hz <= 0 || pthread_key_create(&at_end, delete_timer) != 0)
        return;
    if (!hd_stack_walk_prepare())
        return;
    signal_number = hd_sample_signal_take(take);
    if (signal_number == 0)
        return;
    hd_the_recorder.sample_ns = (uint64_t)(NS_PER_S / hz);
    hd_the_recorder.n_callers = HD_RAW_MAX_CALLERS;
}

void
hd_log_begin_samples_now(void)
{
    struct sigevent   event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = signal_number };
    struct timespec   period = { .tv_sec  = (time_t)(hd_the_recorder.sample_ns / 1000000000),
                                 .tv_nsec = (long)(hd_the_recorder.sample_ns % 1000000000) };
    struct itimerspec times = { .it_value = period, .it_interval = period };
    int               error = errno;

    if (has_timer || atomic_load(&is_over))
        return;
    event.sigev_value.sival_ptr  = hd_sample_signal_value();
    event.sigev_notify_thread_id = gettid();
    hd_thread_depth++;
    stack     = hd_stack_range_find();
    has_timer = timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) == 0;
    if (has_timer) {
        pthread_setspecific(at_end, &timer);
        timer_settime(timer, 0, &times, NULL);
    } else {
        static atomic_bool is_told;

        if (!atomic_exchange(&is_told, true))
            hd_recorder_define(HD_RAW_UNSAMPLED, (const uint64_t[]){ hd_recorder_now() }, 1, NULL, NULL);
    }
    hd_thread_depth--;
    errno = error;
}

void
hd_sample_stop(void)
{
    uint64_t n = 0;

    if (hd_the_recorder.sample_ns == 0 || atomic_exchange(&is_over, true) || !hd_recording())
        return;
    for (const hd_log *log = hd_log_first(); log != NULL; log = log->next_of_all)
        n += log->n_lost;
    if (n > 0)
        hd_recorder_define(HD_RAW_LOST, &n, 1, NULL, NULL);
}

void
hd_sample_forget(void)
{
    atomic_store(&is_over, true);
    has_timer = false;
}
