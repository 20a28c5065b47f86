/* src/report/algebra/algebra.h: the algebra of reports: their difference, their mean, and what several have together.
 *
 *   difference   values of A subtracted from those of B, of several runs their means; extreme metrics are not in it
 *   mean         sums of the values, divided by the number of reports: what a report does not have counts as zero. Of
 *                extreme metrics
 *                the least, or largest, value
 *   merge        each metric from the first report that has it
 *
 * Values that are not known in both have not changed. A difference of a report with itself is zero everywhere,
 * the mean of equal values is that value, bit for bit, and merging is associative. A result of reports that are not
 * complete says so, and names them (completeness.h).
 * Uses: alignment, cube_out. Owner: hd_algebra_free(); the alignment stays the caller's and must live as long. Grows
 * with: locations.
 * MT: one thread at a time. Ranks: local.
 */
#ifndef HD_ALGEBRA_H
#define HD_ALGEBRA_H

#include "alignment.h"
#include "cube_out.h"

typedef enum hd_operation { HD_DIFFERENCE, HD_MEAN, HD_MERGE } hd_operation;

#define HD_ALGEBRA_ATTRIBUTE "Heddle::Algebra"      /* of a result: what it is, and of what */
#define HD_LOCATIONS_ATTRIBUTE "Heddle::Locations"  /* of a result whose locations were summed up */

typedef struct hd_algebra hd_algebra;

/* alignment: of A and B for a difference, made with takes_all for a merge. */
hd_algebra *hd_algebra_new(hd_alignment *alignment, hd_operation operation);
void        hd_algebra_free(hd_algebra *algebra);

/* The result without its values, which hd_algebra_rows() gives; valid as long as the algebra. */
const hd_cube *hd_algebra_cube(const hd_algebra *algebra);

/* Its rows, as cube_out.h wants them. context: the algebra. Errors: those of reading the reports. */
hd_status hd_algebra_rows(void *context, uint32_t metric, uint32_t path, hd_cube_cell *cells, bool *any);

#endif
