/* src/report/algebra/alignment.h: what corresponds to what in several reports: the dimensions that they have in common,
 * and rows in these.
 *
 * Metrics correspond by id, call paths by the names (with parameters) of all regions from the root. Siblings of equal
 * name that have lines, as calls of MPI, correspond by the order of these if each report has as many, or none; else, or
 * if a line is there as another one of them, they are added up to one without a line. Without lines they correspond by
 * their order. Trees are unified: what is only in one report is in the common tree too, behind what those
 * before it have, below the first of them that has it. Locations correspond by the rank of their process and the number
 * of their thread.
 * Uses: cube_reader. Owner: hd_alignment_free(); the reports stay the caller's and must live as long. Grows with:
 * metrics, call paths and locations of all reports; values are read row by row. MT: one thread at a time. Ranks: local.
 */
#ifndef HD_ALIGNMENT_H
#define HD_ALIGNMENT_H

#include "alignment_model.h"

typedef struct hd_alignment_options {
    bool takes_all;   /* what any report has is wanted from the first that has it: locations are unified, units may
                       * differ. Else values are compared: where reports have different locations, these are summed up,
                       * and a metric whose units differ is left out */
    bool one_program; /* reports with one root each: their roots correspond, whatever they are called */
    uint32_t n_of_a;  /* of a comparison: the first so many reports are runs of A, the others of B; 0: 1 */
} hd_alignment_options;

typedef struct hd_runs { /* reports first .. first + n - 1 of an alignment */
    uint32_t first, n;
} hd_runs;

/* The runs of A (side 0) or B (side 1) of a comparison. */
static inline hd_runs
hd_alignment_runs(const hd_alignment *alignment, uint32_t side)
{
    return side == 0 ? (hd_runs){ 0, alignment->n_of_a } :
           (hd_runs){ alignment->n_of_a, alignment->n_cubes - alignment->n_of_a };
}

/* cubes: [n_cubes] n_cubes > 0. Cost: O(metrics + n log n + locations), n call paths. Errors: none. */
hd_alignment *hd_alignment_new(hd_cube *const *cubes, uint32_t n_cubes, hd_alignment_options options);
void          hd_alignment_free(hd_alignment *alignment);

/* The values of a report at a metric and call path of the model. Is one of the latter not in the report, they are zero.
 *   cells   [model.n_locations] out, real or integer as the metric of that report; zero where the report has no such
 *           location.
 *           Where locations are summed up, of extreme metrics the least or largest value that is not zero
 *   any     out: false: all are zero, and cells are left as they are
 * Errors: those of hd_cube_cells(). */
hd_status hd_alignment_cells(hd_alignment *alignment, uint32_t cube, uint32_t metric, uint32_t path,
                             hd_cube_cell *cells, bool *any);

/* The same as floating-point numbers. */
hd_status hd_alignment_row(hd_alignment *alignment, uint32_t cube, uint32_t metric, uint32_t path, double *values,
                           bool *any);

/* The mean of the runs of a side: of one run its values, bit for bit. What a run does not have counts as zero. scratch:
 * [model.n_locations] */
hd_status hd_alignment_mean_row(hd_alignment *alignment, uint32_t side, uint32_t metric, uint32_t path, double *values,
                                double *scratch, bool *any);

/* "They have different processes: ..": sentences, the last one without a full stop, on why, and over what, locations or
 * call paths were summed up; NULL: they were not. */
const char *hd_alignment_why_sums(const hd_alignment *alignment);

/* All of a metric in a report: the sum over locations and call paths, of an extreme metric the least or largest value.
 * What is not known (NaN) does not count.
 *   selected   [model.n_paths] call paths that count, NULL: all
 *   of_path    [model.n_paths] out: of each, exclusive; those that do not count are left as they are. NULL: not wanted
 *   total      out; 0 where the report does not have it
 * Errors: likewise. */
hd_status hd_alignment_total(hd_alignment *alignment, uint32_t cube, uint32_t metric, const bool *selected,
                             double *of_path, double *total);

#endif
