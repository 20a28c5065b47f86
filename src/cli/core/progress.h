/* src/cli/core/progress.h: how far the analysis is, on stderr.
 *
 * On a terminal one line with phase, share done and remaining time, drawn ten times a second by a thread of its own, because
 * the others are deep in their work; elsewhere a line per phase and no thread. What is counted is this rank's own share, which
 * the others' resemble. Uses: base. Owner: the subcommand.
 * MT: hd_progress_add() any thread; the rest main thread only. Ranks: local; quiet on all ranks but one.
 *
 *     IDLE ──hd_progress_phase──▶ PHASE ──hd_progress_phase──▶ PHASE ... ──hd_progress_end──▶ IDLE
 */
#ifndef HD_PROGRESS_H
#define HD_PROGRESS_H

#include <pthread.h>
#include <stdio.h>

#include "types.h"

typedef enum hd_progress_level { HD_PROGRESS_QUIET, HD_PROGRESS_NORMAL, HD_PROGRESS_VERBOSE } hd_progress_level;

typedef struct hd_progress {
    /* set by hd_progress_init(), read only */
    FILE             *out;
    hd_progress_level level;
    bool              bar; /* out is a terminal; there is a drawing thread */
    pthread_t         thread;
    /* under the lock: main thread and drawing thread */
    pthread_mutex_t lock;
    pthread_cond_t  wake;
    bool            leave;
    const char     *phase; /* NULL: idle */
    uint64_t        total; /* units of the phase, 0: unknown */
    double          start; /* [s] of the monotonic clock */
    /* any thread; relaxed: nothing is read through it */
    _Atomic uint64_t done;
} hd_progress;

void hd_progress_init(hd_progress *progress, hd_progress_level level, FILE *out);
void hd_progress_fini(hd_progress *progress);

/* Starts a phase, ending the one before. what: "load", kept. total: units to be done, 0: unknown; unit: "events". */
void hd_progress_phase(hd_progress *progress, const char *what, uint64_t total, const char *unit);

/* Units done. Cost: one atomic addition; call it per location or per thousand ops, not per event. */
void hd_progress_add(hd_progress *progress, uint64_t units);

/* Ends the phase and takes the bar away, so that other output can follow. Fine when idle. Returns the phase's time [s]. */
double hd_progress_end(hd_progress *progress);

/* [s] of a clock that never goes back. MT: any thread. */
double hd_progress_now(void);

#endif
