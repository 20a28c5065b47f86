/* src/report/members/level_list.h: levels, and metrics recorded over time, as a table that a report carries.
 *
 *   heddle.levels.tsv   counter · unit · scope · kind · values · from · to · sum · least · mean · most
 *
 * A head line names the columns; scope: "process 3", "node NAME", "process 3 location 1" (of several), what the values
 * are of; kind: "sum": they never fall, sum is the last one less the first; "level": with mean over time. Times in
 * seconds since the first event. Definition: docs/metrics.md#counters-over-time. Read tables are taken for damaged until checked.
 * Uses: cube_reader, profile. MT: one thread. Ranks: local.
 */
#ifndef HD_LEVEL_LIST_H
#define HD_LEVEL_LIST_H

#include <stdio.h>

#include "cube_reader.h"
#include "level_table.h"

#define HD_LEVELS_MEMBER "heddle.levels.tsv"

/* What values of a counter are of, as a location records them; free() it. */
char *hd_level_scope(const hd_defs *defs, uint32_t counter, uint32_t recorder);

/* Errors of writing stay with the stream. */
void hd_levels_write(FILE *file, const hd_level_table *table, const hd_defs *defs);

typedef struct hd_level_entry {
    char    *counter, *unit, *scope; /* untrusted */
    bool     is_level;
    uint64_t n;
    double   sum, least, mean, most; /* sum: 0 of a level; the others: 0 of a sum */
} hd_level_entry;

typedef struct hd_level_list {
    hd_level_entry *entries; /* [n] */
    size_t          n;
    bool            is_there; /* the report has such a table */
} hd_level_list;

/* hd_level_list_fini() it. Errors: HD_EREAD; HD_ESIZE; HD_EFORMAT with the line that is wrong. list is empty then. */
hd_status hd_level_list_read(hd_cube *cube, hd_level_list *list);
void      hd_level_list_fini(hd_level_list *list);

#endif
