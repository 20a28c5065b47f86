/* src/cli/core/progress.c: the line of progress, and the thread that draws it. */
#include "progress.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>

#include "message.h"
#include "terminal.h"

#define DRAW_INTERVAL_NS 100000000L

double
hd_progress_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int
terminal_width(FILE *out)
{
    struct winsize size;

    if (ioctl(fileno(out), TIOCGWINSZ, &size) != 0 || size.ws_col < 60)
        return 80;
    return size.ws_col > 120 ? 120 : size.ws_col;
}

static void
remaining(char *text, size_t bytes, double share, double elapsed)
{
    double left = share > 0.0 ? elapsed * (1.0 - share) / share : 0.0;

    if (share <= 0.0 || elapsed < 0.5)
        snprintf(text, bytes, "--:-- left");
    else if (left < 6000.0)
        snprintf(text, bytes, "%d:%02d left", (int)left / 60, (int)left % 60);
    else
        snprintf(text, bytes, "%.1f h left", left / 3600.0);
}

static void
draw(hd_progress *progress)
{
    double share   = (double)atomic_load_explicit(&progress->done, memory_order_relaxed) / (double)progress->total;
    double elapsed = hd_progress_now() - progress->start;
    char   left[32], bar[128];
    int    width;

    if (progress->total == 0) {
        fprintf(progress->out, "\r%-17s %.0f s", progress->phase, elapsed);
        fflush(progress->out);
        return;
    }
    share = share > 1.0 ? 1.0 : share;
    width = terminal_width(progress->out) - 41; /* the rest of the line, one column left free */
    memset(bar, '.', sizeof bar);
    memset(bar, '#', (size_t)(share * width));
    remaining(left, sizeof left, share, elapsed);
    fprintf(progress->out, "\r%-17s [%.*s] %3d %%  %-11s", progress->phase, width, bar, (int)(100.0 * share), left);
    fflush(progress->out);
}

static void *
draw_until_told(void *context)
{
    hd_progress *progress = context;

    pthread_mutex_lock(&progress->lock);
    while (!progress->leave) {
        struct timespec next;

        if (progress->phase != NULL)
            draw(progress);
        clock_gettime(CLOCK_REALTIME, &next);
        next.tv_nsec += DRAW_INTERVAL_NS;
        next.tv_sec += next.tv_nsec / 1000000000L;
        next.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&progress->wake, &progress->lock, &next);
    }
    pthread_mutex_unlock(&progress->lock);
    return NULL;
}

void
hd_progress_init(hd_progress *progress, hd_progress_level level, FILE *out)
{
    *progress = (hd_progress){ .out = out, .level = level, .begin = hd_progress_now() };
    pthread_mutex_init(&progress->lock, NULL);
    pthread_cond_init(&progress->wake, NULL);
    if (level != HD_PROGRESS_QUIET && hd_terminal_moves(out))
        progress->bar = pthread_create(&progress->thread, NULL, draw_until_told, progress) == 0;
}

void
hd_progress_fini(hd_progress *progress)
{
    hd_progress_end(progress);
    if (progress->bar) {
        pthread_mutex_lock(&progress->lock);
        progress->leave = true;
        pthread_cond_signal(&progress->wake);
        pthread_mutex_unlock(&progress->lock);
        pthread_join(progress->thread, NULL);
    }
    pthread_cond_destroy(&progress->wake);
    pthread_mutex_destroy(&progress->lock);
}

static void
announce(const hd_progress *progress, const hd_phase *phase)
{
    double after = hd_progress_now() - progress->begin;
    char   number[28];

    if (phase->all > 0)
        fprintf(progress->out, "heddle: %s (%s %s, after %.1f s)\n", phase->what, hd_message_number(number, phase->all),
                phase->unit, after);
    else
        fprintf(progress->out, "heddle: %s (after %.1f s)\n", phase->what, after);
    fflush(progress->out);
}

void
hd_progress_phase(hd_progress *progress, const hd_phase *phase)
{
    hd_progress_end(progress);
    pthread_mutex_lock(&progress->lock);
    progress->phase = phase->what;
    progress->total = phase->own;
    progress->start = hd_progress_now();
    atomic_store_explicit(&progress->done, 0, memory_order_relaxed);
    pthread_mutex_unlock(&progress->lock);
    if (progress->level != HD_PROGRESS_QUIET && !progress->bar)
        announce(progress, phase);
}

void
hd_progress_add(hd_progress *progress, uint64_t units)
{
    atomic_fetch_add_explicit(&progress->done, units, memory_order_relaxed);
}

double
hd_progress_end(hd_progress *progress)
{
    const char *phase = progress->phase;
    double      seconds;

    if (phase == NULL)
        return 0.0;
    seconds = hd_progress_now() - progress->start;
    pthread_mutex_lock(&progress->lock);
    progress->phase = NULL;
    if (progress->bar)
        fputs("\r\033[K", progress->out);
    if (progress->level == HD_PROGRESS_VERBOSE)
        fprintf(progress->out, "heddle: %s took %.3f s\n", phase, seconds);
    fflush(progress->out);
    pthread_mutex_unlock(&progress->lock);
    return seconds;
}
