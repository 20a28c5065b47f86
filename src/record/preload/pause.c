/* src/record/preload/pause.c: when a log pauses, and how many records of each channel it has left out. */
#include "pause.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "raw_state.h"

static struct {
    _Atomic uint64_t since;          /* CLOCK_MONOTONIC [ns] where the window's times count from */
    uint64_t window[2];              /* [ns] begin and end, 0: there is none */
    uint32_t iterations[2];          /* the first and the last, from 1; 0: all */
    atomic_bool by_program;          /* MPI_Pcontrol(0) */
    atomic_bool is_outside;          /* of the iterations that are wanted */
    atomic_uint loop, n_iterations;  /* region of the loop that was marked first; its iterations so far */
} state;

static uint64_t
now_ns(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void
become_possible(void)
{
    if (!atomic_exchange(&hd_the_recorder.may_pause, true))
        hd_recorder_define(HD_RAW_PAUSES, NULL, 0, NULL, NULL);
}

void
hd_pause_begin(const char *window, const char *iterations)
{
    uint64_t begin, length;

    if (window != NULL && sscanf(window, "%lu:%lu", &begin, &length) == 2) {
        atomic_store(&state.since, now_ns());
        state.window[0] = begin;
        state.window[1] = begin + length;
    }
    if (iterations != NULL && sscanf(iterations, "%u-%u", &state.iterations[0], &state.iterations[1]) == 2)
        state.is_outside = true;
    hd_the_recorder.is_paused = state.is_outside || (state.window[1] > 0 && begin > 0);
    atomic_store(&hd_the_recorder.may_pause, state.window[1] > 0 || state.iterations[1] > 0);
}

void
hd_pause_restart(void)
{
    atomic_store(&state.since, now_ns());
}

void
hd_pause_by_program(bool is_paused)
{
    atomic_store(&state.by_program, is_paused);
    if (is_paused)
        become_possible();
}

void
hd_pause_iteration(uint32_t loop, bool begins)
{
    unsigned none = 0, n;

    if (state.iterations[1] == 0)
        return;
    atomic_compare_exchange_strong(&state.loop, &none, loop);
    if (atomic_load(&state.loop) != loop)
        return;
    n = begins ? atomic_fetch_add(&state.n_iterations, 1) + 1 : atomic_load(&state.n_iterations);
    atomic_store(&state.is_outside, n < state.iterations[0] || n + !begins > state.iterations[1]);
}

static bool
is_wanted(void)
{
    uint64_t now;

    if (atomic_load(&state.by_program) || atomic_load(&state.is_outside))
        return true;
    if (state.window[1] == 0)
        return false;
    now = now_ns() - atomic_load(&state.since);
    return now < state.window[0] || now >= state.window[1];
}

/* ---- what is left out -------------------------------------------------------------------------------------------- */

/* Since the last pause. Under the lock. */
static hd_raw_counts   left_out;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void
hd_log_leave_out(hd_raw_kind kind, uint32_t id, const uint64_t *words)
{
    uint64_t peer_tag, channel = hd_the_recorder.is_profile ? 0 : hd_raw_count_channel(kind, id, words, &peer_tag);
    bool     has_room;

    if (channel == 0)
        return;
    pthread_mutex_lock(&lock);
    has_room = hd_raw_counts_add(&left_out, channel, peer_tag, 1);
    pthread_mutex_unlock(&lock);
    if (!has_room)
        hd_recorder_stop("there is no memory");
}

static void
define_counts(uint64_t now)
{
    hd_recorder_held held = hd_recorder_hold_signals();

    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < left_out.size && left_out.n > 0; i++) {
        const hd_raw_count *at = &left_out.counts[i];

        if (at->n > 0)
            hd_recorder_define(
                HD_RAW_LEFT_OUT,
                (const uint64_t[]){ now, at->channel & UINT32_MAX, at->channel >> 32, at->peer_tag, at->n }, 5, NULL,
                NULL);
    }
    if (left_out.n > 0)
        memset(left_out.counts, 0, left_out.size * sizeof *left_out.counts);
    left_out.n = 0;
    pthread_mutex_unlock(&lock);
    hd_recorder_release_signals(&held);
}

/* ---- begin and end of a pause ------------------------------------------------------------------------------------ */

static void
turn(hd_log *log, bool is_paused)
{
    uint64_t now = hd_recorder_now();

    if (is_paused) {
        HD_LOG_PUT_PLAIN(log, now, PAUSE, 0);
        log->is_paused = true;
    } else {
        log->is_paused = false;
        HD_LOG_PUT_PLAIN(log, now, RESUME, 0);
        define_counts(now);
    }
    log->idle = NULL;
}

hd_log *
hd_pause_outside(hd_log *log)
{
    if (log == NULL)
        return atomic_load(&hd_the_recorder.is_paused) ? NULL : hd_log_of_thread();
    if (log->is_member && log->is_over != NULL && atomic_load(log->is_over))
        log->is_paused = true;
    return log;
}

void
hd_pause_settle_now(hd_log *log)
{
    bool wanted;

    if (log == NULL)
        return;
    if (log->is_member) {
        hd_pause_outside(log);
        return;
    }
    if (log->n_teams > 0 || hd_thread_constructs > 0)
        return;
    wanted = is_wanted();
    atomic_store(&hd_the_recorder.is_paused, wanted);
    if (wanted != log->is_paused)
        turn(log, wanted);
}

void
hd_pause_put_leave(hd_log *log, uint64_t time, uint32_t region)
{
    if (log->window != NULL || log->profile != NULL) /* not that of threads that have none: nothing was entered */
        hd_log_put_always(log, time, HD_RAW_LEAVE, region, 0, NULL);
}
