/* src/report/members/work_list.h: what root causes and those that waited for them did over the interval of each delay, as
 * a table that a report carries.
 *
 *   heddle.work.tsv   call path · process · thread · waits · time · time of others · counter · own · others
 *
 * A line for each counter that is compared, those of a location side by side; a head line names the columns. Times in
 * seconds; sums over the waits. Definition: docs/metrics.md#work-or-speed. Read tables are taken for damaged until
 * checked. Uses: cube_reader, profile. MT: one thread. Ranks: local.
 */
#ifndef HD_WORK_LIST_H
#define HD_WORK_LIST_H

#include <stdio.h>

#include "cube_reader.h"
#include "work_table.h"

#define HD_WORK_MEMBER "heddle.work.tsv"

/* numbers: [n of the unified tree] ids of call paths in the anchor. Errors of writing stay with the stream. */
void hd_work_write(FILE *file, const hd_work_table *table, const hd_compared_counters *compared, const hd_defs *defs,
                   const uint32_t *numbers);

typedef struct hd_work_values { /* of one side */
    double time;                /* [s] */
    double counted[HD_COMPARED_MAX];
} hd_work_values;

typedef struct hd_work_entry {
    uint32_t       path, location; /* in the report */
    uint64_t       waits;
    hd_work_values own, others;
} hd_work_entry;

typedef struct hd_work_list {
    char          *names[HD_COMPARED_MAX]; /* [n_counters] as recorded; untrusted */
    uint32_t       n_counters;
    hd_work_entry *entries; /* [n] as in the report */
    size_t         n;
    bool           is_there; /* the report has such a table */
} hd_work_list;

/* hd_work_list_fini() it. Errors: HD_EREAD; HD_ESIZE; HD_EFORMAT with the line that is wrong. list is empty then. */
hd_status hd_work_list_read(hd_cube *cube, hd_work_list *list);
void      hd_work_list_fini(hd_work_list *list);

#endif
