/* replay/backward/backward_vproc.h: what a location and a worker keep during the backward replay.
 *
 * Each part is changed by its own functions: attribution.h, path.h, backward_message.h, backward.h. Inside of the
 * replay only. Uses: core, sync.
 * MT: the worker's thread. Ranks: local. Owner: hd_backward_start() and hd_backward_worker_init() make them.
 */
#ifndef HD_BACKWARD_VPROC_H
#define HD_BACKWARD_VPROC_H

#include "vproc.h"
#include "effect.h"
#include "sync_store.h"
#include "team_syncs.h"
#include "time_vector.h"

typedef struct hd_attribution { /* from an interval: its waits pass on scales of each tick until its begin */
    uint32_t         until, extended;
    hd_effect_share *scales;
} hd_attribution;

typedef struct hd_reach { /* of an interval, for what propagates at messages: until and scale both ascend in the
                           * array */
    uint32_t until;
    double   scale;
} hd_reach;

typedef struct hd_attributions {     /* in force at a point of a location */
    hd_effect_scales scales[2];      /* [1]: of extensions, for their waits, too */
    hd_attribution  *rows;           /* [n] a heap, the largest `until` first */
    size_t           n, capacity;
    hd_reach        *reaches; /* [n_reaches] */
    size_t           n_reaches, capacity_reaches;
} hd_attributions;

typedef struct hd_path {
    bool      is_here;
    uint32_t  end;        /* it left this point towards the begin */
    uint32_t  after_call_path; /* call path of the time `after` */
    hd_span   after;      /* the path was here until that long after the point; < 0: before it */
    uint32_t *more_ends;  /* [n_more_ends] compat: it came in at these, too (D19) */
    size_t    n_more_ends, capacity_more_ends;
} hd_path;

typedef struct hd_path_stretch { /* the critical path on a location, from the enter of a point to that of another one */
    uint32_t vproc;
    uint32_t call_path;     /* of the call at its begin, in which it waited for `wait` ticks, which are taken off: */
    bool     takes_all;     /* from others, if the call had less; else no more than the call had */
    hd_time  from, until;   /* UINT64_MAX: the end of the location */
    uint64_t wait;
    hd_span  after;         /* as hd_path.after, from `until` on, at */
    uint32_t after_call_path;
} hd_path_stretch;

enum { HD_MESSAGE_POOLS = 8 };

typedef struct hd_backward_messages { /* what has come for one point */
    struct hd_backward_message *first; /* backward_message.h */
    uint32_t   n;
    uint32_t   waiting; /* vproc that is blocked there, HD_NONE, */
    uint32_t   awaited; /* until so many have come */
    bool       is_over; /* the point was passed without it */
} hd_backward_messages;

typedef struct hd_waiting { /* who waited for the record of the current point, if several did */
    uint32_t                           first, end; /* its points: [first, end) */
    const struct hd_backward_message **messages;   /* [n_messages] that are not attributed yet, in the order of their
                                                  * senders */
    size_t                             n_messages, capacity_messages;
} hd_waiting;

typedef struct hd_last_slice { /* the slice that was looked for last (cause_slices.c), of times from <= time < until */
    hd_time  from, until; /* both 0: none */
    uint32_t slice, hint; /* hint: of hd_iterations_slice() */
    hd_time  before_from; /* when the slice before it begins, */
    uint32_t before;      /* and which that is, if `from` is above 0 */
} hd_last_slice;

typedef struct hd_backward { /* of a location */
    size_t                at; /* points [0, at) are not passed yet */
    bool                  released;
    bool                  is_waiting; /* for the messages of point at - 1, which are in awaited */
    hd_backward_messages *awaited;
    bool                  drops_points; /* that are passed: nobody reads them later */
    bool                  has_notified; /* compat: at this point, and waits for a reply */
    hd_path               path;
    hd_attributions       attributions;
    hd_waiting            waiting;
    size_t                n_intermediates; /* of points not passed yet */
    hd_last_slice         last_slice;      /* of a delay or a wait */
    hd_map                messages;        /* key -> hd_backward_messages *; of all threads, on the process's first
                                            * one */
} hd_backward;

typedef struct hd_cost_places { /* of the costs of one metric; excess_costs.h; both NULL: none are booked yet */
    double   *costs;            /* [vprocs][call paths] all of them, [ticks]; NULL: they are the locations' own, and */
    uint32_t *hints;            /* [call paths] where in such a table a call path was found last */
} hd_cost_places;

enum { HD_EFFECT_LINE_BITS = 6, HD_EFFECT_LINES = 1 << HD_EFFECT_LINE_BITS };

typedef struct hd_effect_line { /* what an effect costs, as rows of hd_cause_table, in one block */
    uint32_t effect;
    int64_t *short_term, *long_term; /* [call paths]; NULL: a free line */
} hd_effect_line;

typedef struct hd_effect_lines { /* excess_costs.h */
    hd_effect_line rows[HD_EFFECT_LINES]; /* open addressing */
    uint32_t       n;
} hd_effect_lines;

typedef struct hd_backward_worker { /* of one thread: what its locations work with, one at a time */
    hd_time_vector  own, other, waits, whole; /* whole: --compat=scout26 */
    double          unit;        /* ticks of the unit of vectors */
    uint32_t        limit;       /* of elements in a vector, see sync_time.h; 0: none */
    hd_pool         messages, queued[HD_MESSAGE_POOLS]; /* backward_message.c */
    hd_pool         shares;     /* hd_effect_share */
    void           *entries;     /* [capacity_entries] bytes of a message that is sent */
    size_t          capacity_entries;
    struct hd_backward_message **sorted; /* [capacity_sorted] those of a point */
    size_t          capacity_sorted;
    hd_effect_costs wait_costs;  /* of the wait that is passed */
    hd_effect_costs scales;      /* of the interval that a wait is attributed to: what its waits pass on */
    uint32_t       *counted;     /* [call paths] of `other`: place of its counters in the message, from 1 on; 0: none;
                                  * NULL: none are compared */
    double         *excess;      /* [n_excess] of the same interval; room for all call paths, as the next two */
    uint32_t       *excess_paths; /* [n_excess] call paths of that; HD_NONE: outside */
    double         *parts;       /* [n_excess] of the long-term costs of one kind */
    size_t          n_excess;
    hd_cost_places  short_term[HD_N_DELAYS], long_term[HD_N_DELAYS];
    hd_effect_lines lines;
    hd_team_syncs   teams;       /* critical_path.c */
    hd_path_stretch *stretches;  /* [n_stretches] with replay->path_times; of each location the last one first */
    size_t          n_stretches, capacity_stretches;
    hd_sync_room    room;        /* while points are built */
    size_t          freed_bytes, kept_bytes; /* while points are built: since gaps were given back; of points and
                                              * vectors */
} hd_backward_worker;

#endif
