/* src/cli/core/progress.h: how far the analysis is, on stderr.
 *
 * On a terminal one line with phase, share done and remaining time, drawn ten times a second by a thread of its own, because
 * the others are deep in their work. Elsewhere, in the log of a job, a line when a phase begins, and no thread:
 *     heddle: replay (1,204,551 calls, after 12.3 s)
 * The share done is that of this rank, which the others resemble. Uses: message, terminal. Owner: the subcommand.
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
    bool              bar;   /* out is a terminal; there is a drawing thread */
    double            begin; /* [s] of hd_progress_now() */
    pthread_t         thread;
    /* under the lock: main thread and drawing thread */
    pthread_mutex_t lock;
    pthread_cond_t  wake;
    bool            leave;
    const char     *phase; /* NULL: idle */
    uint64_t        total; /* units of the phase on this rank, 0: unknown */
    double          start; /* [s] of hd_progress_now() */
    /* any thread; relaxed: nothing is read through it */
    _Atomic uint64_t done;
} hd_progress;

void hd_progress_init(hd_progress *progress, hd_progress_level level, FILE *out);
void hd_progress_fini(hd_progress *progress);

typedef struct hd_phase {
    const char *what; /* "load"; kept */
    uint64_t    own;  /* units to be done by this rank, 0: unknown */
    uint64_t    all;  /* by all ranks */
    const char *unit; /* "events" */
} hd_phase;

/* Starts a phase, ending the one before. */
void hd_progress_phase(hd_progress *progress, const hd_phase *phase);

/* Units done. Cost: one atomic addition; call it per location or per thousand ops, not per event. */
void hd_progress_add(hd_progress *progress, uint64_t units);

/* Ends the phase and takes the bar away, so that other output can follow. Fine when idle. Returns the phase's time [s]. */
double hd_progress_end(hd_progress *progress);

/* [s] of a clock that never goes back. MT: any thread. */
double hd_progress_now(void);

#endif
