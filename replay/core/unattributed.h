/* replay/core/unattributed.h: what waits are due to, added up where it is found: tables of causes of a worker, and
 * waiting time that no delay explains. Definition: docs/metrics.md#delay-costs. Inside of the replay only. Uses:
 * profile. MT: the worker's thread. Ranks: local.
 */
#ifndef HD_UNATTRIBUTED_H
#define HD_UNATTRIBUTED_H

#include "vproc.h"

/* A cost [ticks] as tables of causes have it: integers, which are added up in any order. */
static inline int64_t
hd_cause_fixed(const hd_replay_worker *rh, double cost)
{
    return (int64_t)(cost * rh->cause_fraction + 0.5);
}

/* To a table of causes of the worker. cost: [ticks] */
static inline void
hd_cause_short_term(const hd_replay_worker *rh, hd_cause_table *table, uint32_t cause, uint32_t effect, double cost)
{
    hd_cause_table_slot(table, cause, effect)->short_term += hd_cause_fixed(rh, cost);
}

static inline void
hd_cause_long_term(const hd_replay_worker *rh, hd_cause_table *table, uint32_t cause, uint32_t effect, double cost)
{
    hd_cause_table_slot(table, cause, effect)->long_term += hd_cause_fixed(rh, cost);
}

/* Returns the short-term cost as the table has it. */
static inline int64_t
hd_cause_both_terms(const hd_replay_worker *rh, hd_cause_table *table, uint32_t cause, uint32_t effect,
                    double short_term, double long_term)
{
    hd_cause *row  = hd_cause_table_slot(table, cause, effect);
    int64_t   cost = hd_cause_fixed(rh, short_term);

    row->short_term += cost;
    row->long_term += hd_cause_fixed(rh, long_term);
    return cost;
}

/* A part of a location's waiting time, that another location replied with. Parts come in any order, so they are added
 * up as integers. */
void hd_unattributed_book_reply(const hd_replay *replay, hd_vproc *vproc, hd_metric metric, uint32_t call_path,
                                double value);
/* Waiting time without a cause; not with --compat=scout26. */
void hd_unattributed_book(const hd_replay *replay, hd_vproc *vproc, hd_delay delay, uint32_t call_path, double wait);
/* Waiting time without a cause, in the worker's table of causes, too; nothing if it lies outside of the analysis
 * interval. call_path: of the unified tree. Any time before hd_backward_fini(). */
void hd_unattributed_wait(hd_replay_worker *rh, hd_vproc *vproc, hd_delay delay, uint32_t call_path, double wait);

#endif
