/* replay/clock.h: the clock condition (nothing is received before it was sent), and the controlled logical clock.
 *
 *   forward    the points of every location in their order: what is received too early moves behind its send, with all that comes after
 *              it on its location; how far the rest has to be away fades by 1/100000 of the time that passes
 *   backward   what is before such a jump moves, too, so that the jump becomes a slope of 1 % or, where sends that must not be later
 *              than their receives are in the way, as much as they leave
 *   check      the condition, for the corrected times
 *
 * The forward pass runs on the engine: a receive waits for the mail of its send, the end of a collective for the begins of those it has to
 * wait for. Limits of sends come back by mail, in any order; the backward pass is then local. All in integer ticks.
 * Definitions: docs/metrics.md#clocks. Uses: scheduler. Owner: the program. Memory: that of the logs; while clocks are
 * corrected 8 bytes per point, 8 more for those of a location that goes back; mail under way.
 */
#ifndef HD_CLOCK_H
#define HD_CLOCK_H

#include "clock_log.h"
#include "engine.h"
#include "placement.h"

typedef enum hd_clock_violation { HD_CLOCK_P2P, HD_CLOCK_COLLECTIVE, HD_CLOCK_RMA, HD_CLOCK_OPENMP, HD_N_CLOCK_VIOLATIONS } hd_clock_violation;

extern const char *const hd_clock_violation_names[HD_N_CLOCK_VIOLATIONS]; /* "point-to-point", ... */

typedef struct hd_clock_row { /* of a location */
    uint32_t        location; /* index in the definitions */
    uint32_t        n_offsets; /* recorded, of its clock to the archive's; first and last of them: */
    hd_clock_offset first, last;
    uint64_t        n_checked[HD_N_CLOCK_VIOLATIONS]; /* receives, ends, ... that were compared */
    uint64_t        n_before[HD_N_CLOCK_VIOLATIONS], n_after[HD_N_CLOCK_VIOLATIONS]; /* violations; after: of corrected times */
    hd_span         worst;    /* [ticks] the largest before */
    uint64_t        n_points, n_moved;
    hd_span         largest_move;  /* [ticks] */
    double          largest_stretch; /* of a time between two points: by how much of it it got longer; */
    hd_span         largest_shrink;  /* [ticks] and how much shorter any got */
} hd_clock_row;

typedef struct hd_clock_pair { /* processes */
    uint32_t sender, receiver, kind; /* hd_clock_violation; of a collective: who came last is the sender */
    uint32_t unused;
    uint64_t count;
    hd_span  worst; /* [ticks] */
} hd_clock_pair;

#define HD_CLOCK_MOST_PAIRS 100

typedef struct hd_clock_result { /* on rank 0; zeros on others */
    hd_clock_row  *rows;  /* [n_rows] of all locations, ascending */
    hd_clock_pair *pairs; /* [n_pairs] those with the largest violations, the largest first */
    size_t         n_rows, n_pairs;
    uint64_t       n_given_up; /* receives without a match, or in a circle: their times were not compared */
} hd_clock_result;

typedef struct hd_clock_request {
    hd_group           *group;
    const hd_defs      *defs;
    hd_clock_logs      *logs;
    const hd_placement *placement;
    bool                corrects; /* logs get moves; else violations are counted only */
    bool                checks;   /* whether any is left */
    bool                yield;    /* see hd_engine_request; likewise: */
    const _Atomic int *stop;
    void              (*on_thread)(void *context, uint32_t thread);
    void               *context;
} hd_clock_request;

/* Ranks: all, together; corrects and checks equal on all. MT: main thread only. Errors: HD_ESTOPPED, on all ranks: there are no results, and what was
 * worked with is not freed: the program is to end. */
hd_status hd_clock_run(const hd_clock_request *request, hd_clock_result *result);
void hd_clock_result_fini(hd_clock_result *result);

#endif
