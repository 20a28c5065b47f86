#include "cube_cell.h"

double
hd_cell_value(const hd_cube_metric *metric, hd_cube_cell cell)
{
    if (!metric->is_integer)
        return cell.real;
    return metric->is_unsigned ? (double)(uint64_t)cell.integer : (double)cell.integer;
}

double
hd_extreme_of(const hd_cube_metric *metric, double a, double b)
{
    if (a == 0 || b == 0)
        return a == 0 ? b : a;
    return (a < b) == metric->is_minimum ? a : b;
}

hd_cube_cell
hd_cell_sum(const hd_cube_metric *metric, hd_cube_cell a, hd_cube_cell b)
{
    hd_cube_cell sum;
    uint64_t     bits;

    if (metric->is_extreme)
        return hd_extreme_of(metric, hd_cell_value(metric, a), hd_cell_value(metric, b)) == hd_cell_value(metric, a) ? a : b;
    if (!metric->is_integer)
        return (hd_cube_cell){ .real = a.real + b.real };
    if (metric->is_unsigned) {
        if (__builtin_add_overflow((uint64_t)a.integer, (uint64_t)b.integer, &bits))
            bits = UINT64_MAX;
        return (hd_cube_cell){ .integer = (int64_t)bits };
    }
    if (__builtin_add_overflow(a.integer, b.integer, &sum.integer))
        sum.integer = a.integer < 0 ? INT64_MIN : INT64_MAX;
    return sum;
}
