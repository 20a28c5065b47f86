#include "cube_cell.h"

#include <math.h>

bool
hd_values_agree(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

double
hd_extreme_of(const hd_cube_metric *metric, double a, double b)
{
    if (a == 0 || isnan(a))
        return b;
    if (b == 0 || isnan(b))
        return a;
    return (a < b) == metric->is_minimum ? a : b;
}

hd_cube_cell
hd_cell_sum(const hd_cube_metric *metric, hd_cube_cell a, hd_cube_cell b)
{
    hd_cube_cell sum;
    uint64_t     bits;

    if (metric->is_extreme)
        return hd_values_agree(hd_extreme_of(metric, hd_cube_cell_value(metric, a), hd_cube_cell_value(metric, b)),
                               hd_cube_cell_value(metric, a)) ? a : b;
    if (!metric->is_integer)
        return (hd_cube_cell){ .real = isnan(a.real) ? b.real : isnan(b.real) ? a.real : a.real + b.real };
    if (metric->is_unsigned) {
        if (__builtin_add_overflow((uint64_t)a.integer, (uint64_t)b.integer, &bits))
            bits = UINT64_MAX;
        return (hd_cube_cell){ .integer = (int64_t)bits };
    }
    if (__builtin_add_overflow(a.integer, b.integer, &sum.integer))
        sum.integer = a.integer < 0 ? INT64_MIN : INT64_MAX;
    return sum;
}
