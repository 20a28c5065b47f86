/* src/report/algebra/division.h: the processes of a report in parts: by node, by each coordinate of a topology, at its
 * border and inside.
 *
 *   node      see docs/metrics.md#where
 *   x, y, ..  a part for each number of the dimension at which processes are: planes of three dimensions, lines of two,
 *   places of one
 *   border    corners, where all dimensions are at an end; border, where one is; interior. Periodic dimensions, and
 *             those of less than three
 *             places, have no ends
 *
 * Uses: cube_reader, contrast. Owner: hd_division_fini(). Grows with: processes, 4 bytes each; parts. MT: one thread.
 * Ranks: local.
 */
#ifndef HD_DIVISION_H
#define HD_DIVISION_H

#include "contrast.h"
#include "cube_reader.h"

typedef enum hd_division_kind { HD_DIVISION_NODE, HD_DIVISION_COORDINATE, HD_DIVISION_BORDER } hd_division_kind;

typedef struct hd_division {
    hd_division_kind kind;
    char            *what;       /* "node", "x", "border" */
    uint32_t        *of_process; /* [cube->n_groups] HD_NONE: in no part */
    uint32_t        *n_processes; /* [n] */
    const char     **nodes;      /* [n] NODE: their names, the cube's */
    uint32_t        *numbers;    /* [n] COORDINATE: ascending */
    uint32_t         n;
    uint32_t         n_axes;     /* COORDINATE: dimensions of the topology with more than one place */
} hd_division;

void hd_division_by_node(const hd_cube *cube, hd_division *division);
/* A division for each dimension of more than one place, and that of the border if there is one; free() the array. *n is
 * 0 for a topology that is not one of processes: threads of one have places of their own. */
hd_division *hd_divisions_of_topology(const hd_cube *cube, const hd_cube_topology *topology, uint32_t *n);
void         hd_division_fini(hd_division *division);

#define HD_DIVISION_MIN_SHARE 0.01 /* of all the time: of waiting that is worth a sentence */

/* "node0001", "3", "interior"; free() it. */
char *hd_division_name(const hd_division *division, uint32_t part);

/* The parts of two processes or more that stand out most, up to four; false: none clearly. values: [cube->n_groups]
 * none negative */
typedef struct hd_carriers {
    const hd_division *division;
    uint32_t           parts[4], n;
    hd_contrast        contrast;
} hd_carriers;
bool hd_division_carriers(const hd_division *division, uint32_t n_processes, const double *values,
                          hd_carriers *carriers);
/* Of several divisions. */
bool hd_divisions_carriers(const hd_division *divisions, uint32_t n, uint32_t n_processes, const double *values,
                           hd_carriers *carriers);
/* "concentrated on the planes z = 0 and z = 7: 61 % of the total on 25 % of the processes": the total and all
 * processes, also those in no part; free() it. */
char *hd_carriers_words(const hd_carriers *carriers);

/* A metric of each process, all its locations together: sums[cube->n_groups], added to. selected: [n_paths], NULL: all.
 * Errors: those of hd_cube_row(). */
hd_status hd_division_sum(hd_cube *cube, uint32_t metric, const bool *selected, double *sums);

#endif
