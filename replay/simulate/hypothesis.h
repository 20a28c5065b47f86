/* replay/simulate/hypothesis.h: what is changed in a simulated run, as a text.
 *
 *   none
 *   scale SELECTION FACTOR                                          computation takes FACTOR times as long
 *   balance SELECTION [to mean|least|median] [over program|node]    processes take equally long
 *   without SELECTION                                               calls that synchronise take no time
 *
 * Several changes are joined by " + ". SELECTION is a call path pattern, with everything below it, and may be followed
 * by "on process 3,7-9", "on node NAME", "on thread 0". A pattern is the last regions of a call path, joined by " > ";
 * "*" is any region, "**" any number of them. FACTOR is a decimal number or A/B.
 *
 * Uses: trace, profile. Owner: the caller; hd_hypothesis_fini() it. MT: one thread at a time.
 */
#ifndef HD_HYPOTHESIS_H
#define HD_HYPOTHESIS_H

#include "calltree.h"
#include "defs.h"
#include "status.h"

typedef enum hd_change_kind { HD_CHANGE_SCALE, HD_CHANGE_BALANCE, HD_CHANGE_WITHOUT } hd_change_kind;
typedef enum hd_goal { HD_GOAL_MEAN, HD_GOAL_LEAST, HD_GOAL_MEDIAN } hd_goal;

typedef struct hd_change {
    hd_change_kind kind;
    const char    *pattern;      /* in the hypothesis' words */
    const char    *processes, *node, *threads; /* of the selection, the same; NULL: all */
    uint64_t       numerator, denominator;     /* scale; denominator > 0 */
    hd_goal        goal;
    bool           is_over_node; /* balance */
    /* Set by hd_hypothesis_resolve(). */
    bool          *is_path;    /* [tree->n] */
    bool          *is_process; /* [defs->n_processes] */
    bool          *is_thread;  /* [n_is_thread], threads above are not; NULL: all are */
    uint32_t       n_is_thread;
    /* Set by the simulation, of balance. */
    uint64_t      *totals, *goals; /* [defs->n_locations] [ticks] */
} hd_change;

typedef struct hd_hypothesis {
    char      *text;    /* as it was written */
    char      *words;   /* the same in pieces */
    hd_change *changes; /* [n_changes]; 0: none */
    size_t     n_changes, capacity_changes;
} hd_hypothesis;

/* Errors: HD_EUSAGE, says where it is wrong and what could stand there; the hypothesis is empty then. Ranks: local. */
hd_status hd_hypothesis_parse(const char *text, hd_hypothesis *hypothesis);

/* Finds what the selections mean. Errors: HD_EUSAGE, a selection matches nothing, with what is near, or it holds what
 * is not simulated yet. Ranks: local, the same on all. */
hd_status hd_hypothesis_resolve(hd_hypothesis *hypothesis, const hd_defs *defs, const hd_calltree *tree);

/* The shortest selection of a call path with everything below it and nothing else; NULL: there is none. free() it.
 * Cost: call paths x depth. hypothesis_path.c */
char *hd_hypothesis_selection(const hd_defs *defs, const hd_calltree *tree, uint32_t path);

void hd_hypothesis_fini(hd_hypothesis *hypothesis);

#endif
