/* src/base/count_text.h: a count as people read it: "1,638,400". What scripts read (--json, --csv, --tsv, dump) has
 * digits only. Uses: nothing. MT: any.
 */
#ifndef HD_COUNT_TEXT_H
#define HD_COUNT_TEXT_H

#include <stdint.h>

typedef struct hd_count_text {
    char text[32];
} hd_count_text;

hd_count_text hd_count_text_of(uint64_t count);
/* Of a mean or difference of counts, or a rate, rounded; at most UINT64_MAX. "-" for NaN. */
hd_count_text hd_count_text_rounded(double count);
/* In at most 11 characters: up to 100 million whole numbers, and from 100 thousand others, rounded, are grouped; else
 * five digits, "0.53125", "1.2346e+09". */
hd_count_text hd_count_text_short(double value);

#endif
