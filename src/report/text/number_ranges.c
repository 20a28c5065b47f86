/* src/report/text/number_ranges.c: sorts, and writes each run of numbers as its first and last one. */
#include "number_ranges.h"

#include <inttypes.h>
#include <stdlib.h>

static int
by_number(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;

    return *a < *b ? -1 : *a > *b;
}

void
hd_write_ranges(FILE *file, uint32_t *numbers, uint32_t n)
{
    uint32_t n_ranges = 0;

    qsort(numbers, n, sizeof *numbers, by_number);
    for (uint32_t first = 0, next; first < n; first = next) {
        for (next = first + 1; next < n && numbers[next] == numbers[next - 1] + 1; next++)
            ;
        if (n_ranges++ == HD_MAX_RANGES) {
            fputs(", ...", file);
            return;
        }
        fprintf(file, "%s%" PRIu32, first > 0 ? ", " : "", numbers[first]);
        if (next > first + 1)
            fprintf(file, "-%" PRIu32, numbers[next - 1]);
    }
}
