/* replay/clock/clock.h: the clock condition (nothing is received before it was sent), and the controlled logical clock.
 *
 *   forward amortization    passes the events of every location in their order. A receive that is earlier than its
 *                           send is corrected to just after it (a jump), and so are the events after it on its
 *                           location; corrections fade by 1/100000 of the time that passes
 *   backward amortization   corrects events before a jump, too: a slope of 1 % leads to the jump, or a steeper one
 *                           where a send would become later than its receive
 *   check                   compares the corrected times
 *
 * The forward pass runs on the engine: a receive waits for the messages of its send, the end of a collective for the
 * begins of the members that it depends on. Limits of sends come back by messages, in any order; the backward pass is
 * then local. All in integer ticks. An event is an hd_clock_point of clock_log.h, its correction is in
 * hd_clock_log.moves.
 *
 *   clock_replay   the passes, on the engine         clock_message, clock_team, clock_coll   what events depend on
 *   clock_vproc    the condition for one event       clock_amortize                          the backward pass
 *
 * Definitions: docs/metrics.md#clocks. Uses: scheduler. Owner: the program. Memory: that of the logs; while clocks are
 * corrected 8 bytes per event, 8 more for those of a location in its backward pass; messages under way.
 */
#ifndef HD_CLOCK_H
#define HD_CLOCK_H

#include "clock_log.h"
#include "engine.h"
#include "placement.h"

typedef enum hd_clock_violation {
    HD_CLOCK_P2P, HD_CLOCK_COLLECTIVE, HD_CLOCK_RMA, HD_CLOCK_OPENMP, HD_N_CLOCK_VIOLATIONS
} hd_clock_violation;

extern const char *const hd_clock_violation_names[HD_N_CLOCK_VIOLATIONS]; /* "point-to-point", ... */

typedef struct hd_clock_row { /* of a location */
    uint32_t        location; /* index in the definitions */
    uint32_t        n_offsets; /* recorded offsets of its clock to the archive's */
    hd_clock_offset first, last; /* of these offsets */
    uint64_t        n_checked[HD_N_CLOCK_VIOLATIONS]; /* receives, ends, ... that were compared */
    uint64_t        n_before[HD_N_CLOCK_VIOLATIONS];  /* violations in recorded times */
    uint64_t        n_after[HD_N_CLOCK_VIOLATIONS];   /* violations in corrected times */
    hd_span         worst;           /* [ticks] the largest violation in recorded times */
    uint64_t        n_points, n_moved; /* events; those that were corrected */
    hd_span         largest_move;    /* [ticks] correction of an event */
    double          largest_stretch; /* of the time between two events: the largest relative growth */
    hd_span         largest_shrink;  /* [ticks] of the time between two events: the largest decrease */
} hd_clock_row;

typedef struct hd_clock_pair { /* processes */
    uint32_t sender, receiver; /* of a collective: the sender is the member that came last */
    uint32_t kind;             /* hd_clock_violation */
    uint32_t unused;
    uint64_t count;
    hd_span  worst; /* [ticks] */
} hd_clock_pair;

#define HD_CLOCK_MAX_PAIRS 100

typedef struct hd_clock_result { /* on rank 0; zeros on others */
    hd_clock_row  *rows;  /* [n_rows] of all locations, ascending */
    hd_clock_pair *pairs; /* [n_pairs] those with the largest violations, the largest first */
    size_t         n_rows, n_pairs;
    uint64_t       n_released; /* receives without a match, or in a cycle of waiting ones: they were not compared */
} hd_clock_result;

typedef struct hd_clock_request {
    hd_analysis_comm   *analysis_comm;
    const hd_defs      *defs;
    hd_clock_logs      *logs;
    const hd_placement *placement;
    bool                corrects; /* corrects times; else violations are counted only */
    bool                checks;   /* counts the violations that are left after the correction */
    /* See hd_engine_request. */
    bool                yield;
    const _Atomic int  *stop;
    void              (*on_thread)(void *context, uint32_t thread);
    void               *context;
} hd_clock_request;

/* Ranks: all, together; corrects and checks equal on all. MT: main thread only. Errors: HD_ESTOPPED, on all ranks:
 * there are no results, and working memory is not freed, as the program is to end. */
hd_status hd_clock_run(const hd_clock_request *request, hd_clock_result *result);
void hd_clock_result_fini(hd_clock_result *result);

#endif
