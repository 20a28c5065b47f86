/* replay/simulate/hypothesis/hypothesis.h: what is changed in a simulated run, as a text.
 *
 *   none
 *   scale SELECTION FACTOR                                          computation takes FACTOR times as long
 *   balance SELECTION [to mean|least|median] [over program|node|row|team] [per REGION]
 *                                                                   threads take equally long, in each instance of it
 *   without SELECTION                                               calls that synchronise take no time
 *   network ideal|zero|[latency FACTOR] [bandwidth FACTOR]          transfers take another time
 *   without messages SELECTION [bytes A-B] [tag N]                  messages that are sent there take no time
 *   eager BYTES                                                     up to that size no send waits for its receiver
 *   remove delay SELECTION                                          delays there, as the analysis finds them, vanish
 *   interference SELECTION off                                      computation that took far too long takes the median
 *   overlap SELECTION                                               adjacent calls wait together
 *   place FILE                                                      processes are on other nodes
 *
 * Several changes are joined by " + ". SELECTION is a call path pattern, with everything below it, and may be followed
 * by "on process 3,7-9", "on node NAME", "on thread 0", of scale and remove delay also by "in iteration 10-20,30- of
 * REGION", of balance ... per REGION by "in iteration 10-20,30-". A pattern is the last regions of a call path, joined
 * by " > "; "*" is any region, "**" any number of them. FACTOR is a decimal number or A/B.
 *
 * Uses: trace, profile. Owner: the caller; hd_hypothesis_fini() it. MT: one thread at a time.
 */
#ifndef HD_HYPOTHESIS_H
#define HD_HYPOTHESIS_H

#include "calltree.h"
#include "defs.h"
#include "hypothesis_words.h"
#include "status.h"

typedef enum hd_change_kind {
    HD_CHANGE_SCALE, HD_CHANGE_BALANCE, HD_CHANGE_WITHOUT, HD_CHANGE_NETWORK, HD_CHANGE_MESSAGES, HD_CHANGE_EAGER,
    HD_CHANGE_INTERFERENCE, HD_CHANGE_OVERLAP, HD_CHANGE_PLACE, HD_CHANGE_DELAY
} hd_change_kind;
typedef enum hd_members { HD_OVER_PROGRAM, HD_OVER_NODE, HD_OVER_ROW, HD_OVER_TEAM } hd_members; /* of a balance */
typedef enum hd_goal { HD_GOAL_MEAN, HD_GOAL_LEAST, HD_GOAL_MEDIAN } hd_goal;

typedef enum hd_network {
    HD_NETWORK_LINE,  /* another latency, another bandwidth */
    HD_NETWORK_IDEAL, /* data takes no time */
    HD_NETWORK_ZERO   /* calls of MPI take no time but waiting, and sends do not wait */
} hd_network;

/* A piece of computation of a location that gets longer: the number of the entry in its interval log, from 0 on. */
typedef struct hd_changed_piece {
    uint64_t piece;
    hd_span  longer;
} hd_changed_piece;

typedef struct hd_changed_pieces {
    hd_changed_piece *rows; /* [n] ascending */
    size_t            n, capacity;
} hd_changed_pieces;

/* In place of the number of a region: the archive marks no iterations, so they are those that the report has, which are
 * found, or named by an option (docs/metrics.md#iterations). */
#define HD_MARK_OF_REPORT (HD_NONE - 1)

typedef struct hd_iteration_range {
    uint32_t first, last; /* from 1 on */
} hd_iteration_range;

typedef struct hd_change {
    hd_change_kind kind;
    const char    *pattern;      /* in the hypothesis' words */
    const char    *processes, *node, *threads; /* of the selection, the same; NULL: all */
    hd_factor      factor;       /* scale; network: of the latency */
    hd_factor      bandwidth;    /* network */
    hd_network     network;
    uint64_t       least_bytes, most_bytes;    /* messages */
    uint32_t       tag;
    bool           has_tag;
    uint64_t       eager_bytes;  /* eager */
    const char    *file;         /* place; in the hypothesis' words */
    hd_goal        goal;
    hd_members     over;         /* balance */
    const char    *iterations;   /* "in iteration": numbers, in the hypothesis' words; NULL: all of the run */
    hd_iteration_range *ranges;  /* [n_ranges] the same */
    size_t         n_ranges;
    const char    *per;          /* balance, iterations; a region, in the hypothesis' words; NULL: the whole run, or, of
                                  * iterations, the region that the archive marks, or, where it marks none,
                                  * the iterations of the report */
    uint32_t       per_number;   /* of the region among those of all hypotheses (hd_hypotheses_mark_regions()); or
                                  * HD_MARK_OF_REPORT */
    /* Set by hd_hypothesis_resolve(). */
    bool          *is_path;    /* [tree->n] */
    bool          *is_process; /* [defs->n_processes] */
    uint32_t      *group;      /* [defs->n_processes] of a balance: a node, a row, a team; HD_NONE: none; NULL: all are
                                * one */
    bool          *is_thread;  /* [n_is_thread], threads above are not; NULL: all are */
    uint32_t       n_is_thread;
    uint32_t      *node_of;      /* place: [defs->n_processes]; numbers from defs->n_nodes on are other nodes */
    bool          *is_comm_near; /* place: [n_comms + 1] all members are on one node; last: of all processes */
    /* Set by the simulation, of balance. */
    uint64_t      *totals, *goals; /* [defs->n_locations] [ticks] */
    /* The same, of balances per region and of delays. */
    hd_changed_pieces *pieces; /* [n_pieces] of each location of the rank; NULL: they are not known yet */
    size_t             n_pieces;
} hd_change;

static inline bool
hd_change_is_of_computation(const hd_change *change)
{
    return change->kind == HD_CHANGE_SCALE || change->kind == HD_CHANGE_BALANCE ||
           change->kind == HD_CHANGE_INTERFERENCE || change->kind == HD_CHANGE_DELAY;
}

/* Whether it is about instances of a region. */
static inline bool
hd_change_has_instances(const hd_change *change)
{
    return change->per != NULL || change->iterations != NULL;
}

/* Whether pieces of computation change one by one. */
static inline bool
hd_change_is_of_pieces(const hd_change *change)
{
    return change->kind == HD_CHANGE_DELAY || hd_change_has_instances(change);
}

/* number: of an instance, from 1 on. */
static inline bool
hd_change_has_iteration(const hd_change *change, uint64_t number)
{
    for (size_t i = 0; i < change->n_ranges; i++)
        if (number >= change->ranges[i].first && number <= change->ranges[i].last)
            return true;
    return change->iterations == NULL;
}

typedef struct hd_hypothesis {
    char      *text;    /* as it was written */
    char      *words;   /* the same in pieces */
    hd_change *changes; /* [n_changes]; 0: none */
    size_t     n_changes, capacity_changes;
} hd_hypothesis;

/* Errors: HD_EUSAGE, says where it is wrong and what could stand there; the hypothesis is empty then. Ranks: local. */
hd_status hd_hypothesis_parse(const char *text, hd_hypothesis *hypothesis);

/* Regions whose instances balances and iterations are about: marks[defs->n_regions] gets 1, 2, ... for those of each
 * name, and 0 for all others; changes get their per_number. Before the archive is loaded. Returns in *any whether there
 * are such regions. Errors: HD_EUSAGE, the archive has no such region. Ranks: local, the same on all. */
hd_status hd_hypotheses_mark_regions(hd_hypothesis *hypotheses, size_t n, const hd_defs *defs, uint32_t *marks,
                                     bool *any);

/* Whether a change is about iterations that the archive does not mark (HD_MARK_OF_REPORT): *hypothesis, *change: the
 * first one. */
bool hd_hypotheses_need_iterations(const hd_hypothesis *hypotheses, size_t n, const hd_hypothesis **hypothesis,
                                   const hd_change **change);

/* Finds what the selections mean. Errors: HD_EUSAGE, a selection matches nothing, with what is near, or it holds what
 * is not simulated yet. Ranks: local, the same on all. */
hd_status hd_hypothesis_resolve(hd_hypothesis *hypothesis, const hd_defs *defs, const hd_calltree *tree);

/* The shortest selection of a call path with everything below it and nothing else; NULL: there is none. free() it.
 * Cost: call paths x depth. hypothesis_path.c */
char *hd_hypothesis_selection(const hd_defs *defs, const hd_calltree *tree, uint32_t path);

/* Adds to the error of this thread the text of the hypothesis, and that from `at` on, which is one of its words. */
void hd_hypothesis_point_at(const hd_hypothesis *hypothesis, const char *at);

void hd_hypothesis_fini(hd_hypothesis *hypothesis);

/* Whether time in the call path is computation, which hypotheses can change: of the program, in its functions or in
 * none that was recorded, and of what OpenMP's constructs do for it, in no call of MPI. */
bool hd_is_computation(const hd_defs *defs, const hd_calltree *tree, uint32_t path);

#endif
