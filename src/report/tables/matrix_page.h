/* src/report/tables/matrix_page.h: the communication matrix of a report: a page for a terminal, CSV or JSON.
 *
 * Names are untrusted: control characters come out as \xNN. Uses: matrix_pairs, summary_page. MT: one thread. Ranks:
 * local.
 */
#ifndef HD_MATRIX_PAGE_H
#define HD_MATRIX_PAGE_H

#include <stdio.h>

#include "matrix_pairs.h"
#include "summary_options.h"

typedef enum hd_matrix_format { HD_MATRIX_TEXT, HD_MATRIX_CSV, HD_MATRIX_JSON } hd_matrix_format;

typedef struct hd_matrix_options {
    bool               by_node; /* pairs of nodes, else of processes */
    hd_matrix_measure  measure; /* pairs with the largest values come first */
    hd_matrix_format   format;  /* CSV and JSON have all pairs */
    hd_summary_options look;    /* n_top: pairs; 0: 10 */
} hd_matrix_options;

/* "Bytes"; of hd_matrix_measure */
const char *hd_matrix_measure_title(hd_matrix_measure measure);

/* The matrix of a report; hd_matrix_list_fini() it. Errors: HD_EFORMAT, the report has none; those of
 * hd_matrix_list_read(). */
hd_status hd_matrix_get(hd_cube *cube, hd_matrix_list *list);

/* list: of hd_matrix_get(). Errors: HD_EWRITE. */
hd_status hd_matrix_print(hd_cube *cube, const hd_matrix_list *list, FILE *file, const hd_matrix_options *options);

#endif
