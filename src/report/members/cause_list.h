/* src/report/members/cause_list.h: who makes whom wait, as two tables that a report carries beside its metrics.
 *
 *   heddle.causes.tsv   cause · effect · wait state · short-term · long-term     cause, effect: ids of call paths in the anchor
 *   heddle.pairs.tsv    process · waiting process · short-term · long-term       of whom directly waited for whom
 *
 * A head line names the columns; times in seconds. An empty cause: unattributed; an empty effect, or both of two processes:
 * what is not told apart. Definition: docs/metrics.md#who-makes-whom-wait. Read tables are taken for damaged until checked.
 * Uses: cube_reader, profile. MT: one thread. Ranks: local.
 */
#ifndef HD_CAUSE_LIST_H
#define HD_CAUSE_LIST_H

#include <stdio.h>

#include "cause_table.h"
#include "cube_reader.h"

#define HD_CAUSES_MEMBER "heddle.causes.tsv"
#define HD_PAIRS_MEMBER  "heddle.pairs.tsv"

/* numbers: [n of the unified tree] ids of call paths in the anchor; NULL: a table of processes. per_second: what the values of a
 * second are. Errors of writing stay with the stream. */
void hd_cause_list_write(FILE *file, const hd_causes *causes, const uint32_t *numbers, double per_second);

typedef struct hd_cause_entry {
    uint32_t cause, effect; /* in cube->paths, or processes; HD_NONE: see above */
    hd_delay delay;         /* HD_DELAY_NONE between processes */
    double   short_term, long_term; /* [s] */
} hd_cause_entry;

static inline double
hd_cause_value(const hd_cause_entry *entry) /* [s] */
{
    return entry->short_term + entry->long_term;
}

typedef struct hd_cause_list {
    hd_cause_entry *entries; /* [n] as in the report; free() it */
    size_t          n;
    bool            is_there; /* the report has such a table */
} hd_cause_list;

/* Errors: HD_EREAD; HD_ESIZE; HD_EFORMAT with the line that is wrong. list->entries is NULL then. */
hd_status hd_cause_list_read(hd_cube *cube, bool of_processes, hd_cause_list *list);

#endif
