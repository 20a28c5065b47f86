/* src/base/count_text.c: digits in groups of three. */
#include "count_text.h"

#include <inttypes.h>
#include <stdio.h>

hd_count_text
hd_count_text_of(uint64_t count)
{
    hd_count_text grouped;
    char          digits[24];
    int           n  = snprintf(digits, sizeof digits, "%" PRIu64, count);
    char         *to = grouped.text;

    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return grouped;
}
