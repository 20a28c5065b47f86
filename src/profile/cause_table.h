/* src/profile/cause_table.h: who makes whom wait, sparse: waiting time per pair of cause and effect.
 *
 * Two tables of this shape are collected: from call paths to wait states, and from processes to processes. Values are
 * integers, so they do not depend on who added them when. Definition: docs/metrics.md#who-makes-whom-wait. Uses: delay,
 * base, analysis_comm.
 * MT: one thread at a time. Ranks: local, unless a line says otherwise. Grows with: pairs, 24 bytes each, and 5 to 11
 * for their places.
 */
#ifndef HD_CAUSE_TABLE_H
#define HD_CAUSE_TABLE_H

#include "delay.h"
#include "analysis_comm.h"
#include "memory.h"

typedef struct hd_cause {
    uint32_t cause;      /* call path of the unified tree, HD_NONE: unattributed; or process */
    uint32_t effect;     /* see hd_effect(); or process */
    int64_t  short_term, /* [fractions of a tick] waits that it causes directly */
             long_term;  /* those that it causes through other waits */
} hd_cause;

#define HD_EFFECT_PATH_BITS 28
#define HD_EFFECT_OTHERS ((UINT32_C(1) << HD_EFFECT_PATH_BITS) - 1) /* in place of a call path: not distinguished */

/* The wait states of a kind at a call path. */
static inline uint32_t
hd_effect(hd_delay delay, uint32_t call_path)
{
    return (uint32_t)delay << HD_EFFECT_PATH_BITS | (call_path < HD_EFFECT_OTHERS ? call_path : HD_EFFECT_OTHERS);
}

static inline hd_delay
hd_effect_delay(uint32_t effect)
{
    return (hd_delay)(effect >> HD_EFFECT_PATH_BITS);
}

static inline uint32_t
hd_effect_call_path(uint32_t effect)
{
    return effect & HD_EFFECT_OTHERS;
}

typedef struct hd_cause_table {
    hd_cause *rows;   /* [n] in the order of first use */
    uint32_t *places; /* [mask + 1] of rows, open addressing; HD_NONE: free */
    uint32_t  mask, n;
    size_t    capacity;
} hd_cause_table;

void      hd_cause_table_fini(hd_cause_table *table); /* one of zeros is an empty one */
hd_cause *hd_cause_table_add(hd_cause_table *table, uint32_t cause, uint32_t effect); /* one that is not there */

/* Adds a row that is not looked for any more. */
static inline void
hd_cause_table_append(hd_cause_table *table, uint32_t cause, uint32_t effect, int64_t short_term)
{
    if (table->n == table->capacity)
        table->rows = hd_grow(table->rows, table->n, &table->capacity, sizeof *table->rows);
    table->rows[table->n++] = (hd_cause){ .cause = cause, .effect = effect, .short_term = short_term };
}

static inline uint32_t
hd_cause_table_hash(uint32_t cause, uint32_t effect)
{
    return (uint32_t)((((uint64_t)cause << 32 | effect) * UINT64_C(0x9E3779B97F4A7C15)) >> 32);
}

/* The row of a pair, made and zero if it is not there; valid until the next call. O(1). */
static inline hd_cause *
hd_cause_table_slot(hd_cause_table *table, uint32_t cause, uint32_t effect)
{
    uint32_t i = hd_cause_table_hash(cause, effect);

    for (; HD_LIKELY(table->places != NULL); i++) {
        uint32_t  place = table->places[i & table->mask];
        hd_cause *row;

        if (place == HD_NONE)
            break;
        row = &table->rows[place];
        if (HD_LIKELY(row->effect == effect && row->cause == cause))
            return row;
    }
    return hd_cause_table_add(table, cause, effect);
}

/* Adds all of `from` to it. */
void hd_cause_table_merge(hd_cause_table *table, const hd_cause_table *from);

typedef struct hd_causes { /* free() rows */
    hd_cause *rows; /* [n] sorted by cause, then effect; none is zero */
    size_t    n;
} hd_causes;

typedef struct hd_cause_selection {
    size_t most;                  /* number of rows that are kept, the largest ones */
    void (*lump)(hd_cause *pair); /* gives the pair that a row which is not kept is added to */
    bool   is_local;              /* every pair is on one rank only: then none sends more than it has to */
} hd_cause_selection;

void hd_cause_lump_effects(hd_cause *pair);   /* one row is left for each cause and kind */
void hd_cause_lump_processes(hd_cause *pair); /* one row is left, of HD_NONE and HD_EFFECT_OTHERS */

/* The rows of all ranks, on rank 0; nothing on the others. The table is empty afterwards.
 * Ranks: all, together; selection equal on all. MT: main thread only. */
hd_causes hd_cause_table_gather(hd_cause_table *table, hd_analysis_comm *analysis_comm,
                                const hd_cause_selection *selection);

#endif
