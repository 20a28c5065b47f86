/* src/report/tables/division_table.h: what parts of the processes carry, as a table for a terminal or for scripts.
 *
 *   processes, computation (and how far from the average), waiting (and its share), Late Sender, Late Receiver,
 *   messages and bytes sent; and a metric that was asked for
 *
 * Where processes are in no part, a row "(not on it)" has them: the rows of a division add up to the whole. Below it,
 * in words, which parts clearly carry waiting that is a hundredth of the time at these call paths or more, and the
 * metric that was asked for. Names are untrusted: control characters come out as \xNN.
 * Uses: division, metric. MT: one thread. Ranks: local.
 */
#ifndef HD_DIVISION_TABLE_H
#define HD_DIVISION_TABLE_H

#include <stdio.h>

#include "division.h"
#include "json.h"

typedef struct hd_division_request {
    const hd_division *divisions; /* [n] */
    uint32_t           n;
    const bool        *selected;  /* [n_paths] call paths; NULL: all */
    uint32_t           metric;    /* one more column; HD_NONE: none */
    bool               is_tsv, by_waiting; /* by_waiting: most waiting first */
    uint32_t           width;     /* columns of the text: wider tables are divided; 0: no limit */
    const char        *head;      /* a line above it, not for scripts */
    hd_json           *json;      /* NULL: text; else a member "divisions" of the open object (docs/json.md) */
} hd_division_request;

/* Errors: those of hd_cube_row(). Errors of writing stay with the stream. */
hd_status hd_division_table_print(hd_cube *cube, const hd_division_request *request, FILE *file);

#endif
