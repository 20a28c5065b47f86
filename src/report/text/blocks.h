/* src/report/text/blocks.h: values side by side as a line of block characters, in a terminal; of digits 1 to 8 where
 * the locale (LC_ALL, LC_CTYPE, LANG) is not one with UTF-8. Uses: base. MT: any thread. Ranks: local.
 */
#ifndef HD_BLOCKS_H
#define HD_BLOCKS_H

#include <stdio.h>

#include "types.h"

/* values: [n] none is negative. The highest block is the largest value; where there are more of them
 * than n_blocks, > 0, as many neighbours as needed share a block, with their mean: each block the same number, or
 * blocks would show periods that are none. What is not zero is seen. Blanks at the end are left out; returns how many,
 * for a caller that goes on in this line. Errors of writing stay with the stream. */
uint32_t hd_blocks_print(FILE *file, const double *values, uint32_t n, uint32_t n_blocks);

#endif
