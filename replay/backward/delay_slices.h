/* replay/backward/delay_slices.h: what delays cost over time: by process that delays, metric, call path and slice, of
 * windows and of iterations (docs/metrics.md#delay-costs-over-time).
 *
 * A cost, of one wait at one call path of the delayer, is shared among the slices of the interval in which the delayer
 * was late, by their part of it; in integers, of which none is lost. So it does not matter in which order costs come.
 * Inside of the replay only. Uses: profile. MT: what a line says. Ranks: local.
 * Memory: for each process, or neighbours whose rows are joined, 160 to 320 bytes for each metric, call path and
 * HD_DELAY_CHUNK neighbouring slices with costs; while the costs of a wait are booked 16 for each slice of its delay.
 */
#ifndef HD_DELAY_SLICES_H
#define HD_DELAY_SLICES_H

#include "backward_message.h"

enum {
    HD_DELAY_TICK_PARTS = 256, /* of a tick: costs are rounded to one, or to what tables of causes have */
    HD_DELAY_CHUNK      = 16   /* slices */
};

typedef struct hd_delay_table {
    hd_map   chunks;   /* key of a chunk -> its number */
    int64_t *costs;    /* [n][HD_DELAY_CHUNK] parts of a tick */
    size_t   n, capacity;
} hd_delay_table;

typedef struct hd_delay_slices { /* of a rank */
    hd_delay_table *tables;   /* [n_vprocs] of the worker that has the vproc; most are empty */
    uint32_t       *table_of; /* [n_vprocs] which of them a vproc adds to: that of the first one that its rows are
                               * joined with */
    double          fraction; /* parts of a tick */
} hd_delay_slices;

typedef struct hd_delay_chunk { /* costs of a metric, at a call path, in neighbouring slices */
    uint32_t       call_path;   /* of the unified tree */
    hd_delay       delay;
    bool           is_long;     /* long-term costs */
    bool           is_iterations;
    uint32_t       first;       /* slice, of iterations or of windows */
    const int64_t *costs;       /* [HD_DELAY_CHUNK] */
} hd_delay_chunk;

/* Goes to the next one, in no order. *at: 0 before the first one. false: there is none. */
bool hd_delay_table_next(const hd_delay_table *table, uint32_t *at, hd_delay_chunk *chunk);
void hd_delay_table_fini(hd_delay_table *table);

/* Where all series are wanted, with delay costs; nothing else is done where they are not. MT: main thread only, before
 * the backward replay. */
void hd_delay_slices_start(hd_replay *replay);
/* NULL is fine. MT: main thread only. */
void hd_delay_slices_free(hd_delay_slices *slices, uint32_t n_vprocs);

typedef struct hd_delay_costs { /* of one wait, of which rh->backward->excess of the delayer is a cause */
    hd_delay              delay;
    double                scale; /* a tick of the excess costs so much directly, */
    const hd_effect_cost *costs; /* [n] ascending, and one part in `all` of these */
    size_t                n;
    double                all;
} hd_delay_costs;

/* Of the delayer between its points previous (HD_NONE: its begin) and point. MT: the worker's thread. */
void hd_delay_slices_book(hd_replay_worker *rh, const hd_vproc *vproc, const hd_delay_costs *costs, uint32_t previous,
                          uint32_t point);
/* Each tick of rh->backward->own makes n threads idle. MT: the worker's thread. */
void hd_delay_slices_book_idle(hd_replay_worker *rh, const hd_vproc *vproc, double n, uint32_t previous,
                               uint32_t point);
/* What the worker works with, which is not needed any more. */
void hd_delay_slices_worker_fini(hd_replay_worker *rh);

#endif
