/* src/report/algebra/contrast.h: whether some processes carry clearly more of a quantity than the others.
 *
 * Clearly: together a quarter of it or more; on average at least twice as much as each of the others; and the
 * difference of the two averages is at least 5 + 16 / (n - 2) of its standard errors, n processes in all, eight or
 * more, two or more on each side, at most half of them those that carry it. So a few processes that stand out do not
 * speak for a group, nor does chance. Definition: docs/metrics.md#where. Uses: base. MT: any thread. Ranks: local.
 */
#ifndef HD_CONTRAST_H
#define HD_CONTRAST_H

#include "types.h"

typedef struct hd_contrast {
    uint32_t n_in, n;  /* processes that carry it, all */
    double   share;    /* of the sum, 0 .. 1 */
    double   errors;   /* difference of the averages in standard errors; infinite where nothing is spread */
    bool     is_clear;
} hd_contrast;

/* values: [n] none negative; is_in: [n] */
hd_contrast hd_contrast_of(const double *values, const bool *is_in, uint32_t n);

#endif
