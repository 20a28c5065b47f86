/* src/report/text/number_ranges.h: many numbers of processes or threads in few words. Uses: nothing. MT: any. */
#ifndef HD_NUMBER_RANGES_H
#define HD_NUMBER_RANGES_H

#include <stdint.h>
#include <stdio.h>

enum { HD_MAX_RANGES = 6 };

/* "0-3, 8"; "..." stands for those after HD_MAX_RANGES ranges. numbers: [n] all different, sorted by the call. Errors
 * of writing stay with the stream. */
void hd_write_ranges(FILE *file, uint32_t *numbers, uint32_t n);

#endif
