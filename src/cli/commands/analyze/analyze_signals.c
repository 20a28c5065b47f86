/* src/cli/commands/analyze/analyze_signals.c: stops an analysis by a signal, on all ranks together. */
#include "analyze.h"

#include <stdatomic.h>
#include <unistd.h>

#include "signal_stop.h"

/* The run that a signal handler ends: this rank has one. Release in hd_analyze_catch_signals(), acquire in
 * abort_by_signal(). */
static _Atomic(hd_analyze *) guarded;

/* In a signal handler: what sends the signal may not wait until this process has ended by itself. */
static void
unclaim(void)
{
    hd_analyze *run = atomic_load_explicit(&guarded, memory_order_acquire);

    if (run != NULL)
        hd_output_unclaim(run->output);
}

/* In a signal handler, before it ends the process. Rank 0 speaks, if it lives; the launcher ends the others then. */
static void
abort_by_signal(void)
{
    static const char text[] = "heddle: error: ended by a signal; there is no report\n";
    hd_analyze       *run    = atomic_load_explicit(&guarded, memory_order_acquire);
    ssize_t           written;

    if (run == NULL)
        return;
    hd_output_drop(run->output);
    if (!run->is_rank0)
        sleep(1);
    written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
}

void
hd_analyze_catch_signals(hd_analyze *run)
{
    atomic_store_explicit(&guarded, run, memory_order_release);
    if (run != NULL)
        hd_stop_catch(unclaim, abort_by_signal, true);
    else
        hd_stop_release();
}

bool
hd_analyze_is_stopped(hd_analyze *run, const char *at)
{
    uint64_t number = (uint64_t)*hd_stop_mark();

    hd_analysis_comm_reduce(run->analysis_comm, &number, 1, HD_MAX);
    if (number != 0 && run->signal == 0) {
        run->signal     = (int)number;
        run->stopped_at = at;
    }
    return number != 0;
}

hd_status
hd_analyze_end_stopped(hd_analyze *run)
{
    hd_progress_end(&run->progress);
    hd_fail(HD_ESTOPPED, "stopped by %s %s: there is no report", hd_stop_name(run->signal), run->stopped_at);
    hd_fail_detail("archive", "\"%s\"", run->anchor);
    return HD_ESTOPPED;
}
