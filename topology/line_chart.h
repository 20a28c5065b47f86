/* topology/line_chart.h: lines over sizes, as a PNG or SVG file: shares, in percent, over the logarithm of a size.
 * Names are drawn as they are: the caller's, of the program. Uses: picture (kinds of files); cairo inside. MT: one
 * thread. Ranks: local.
 */
#ifndef HD_LINE_CHART_H
#define HD_LINE_CHART_H

#include "picture.h"

typedef struct hd_chart_line {
    const char   *name;
    const double *values; /* [n] parts of 1; NaN: no point */
} hd_chart_line;

typedef struct hd_line_chart {
    const char          *title, *across; /* what sizes are: "processes" */
    const uint32_t      *sizes; /* [n] ascending; none is 0. Of equal ones the medians of values are drawn, with marks
                                 * from the lowest to the highest */
    uint32_t             n;
    const hd_chart_line *lines; /* [n_lines] */
    uint32_t             n_lines;
} hd_line_chart;

typedef struct hd_chart_point {
    double median, low, high;
} hd_chart_point;

/* Of values that are known; NaN: none is. */
hd_chart_point hd_chart_point_of(const double *values, uint32_t n);

/* Draws into a new file. Errors: those of hd_picture_draw(). */
hd_status hd_line_chart_draw(const hd_line_chart *chart, const char *path, hd_picture_kind kind);

#endif
