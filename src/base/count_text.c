/* src/base/count_text.c: digits in groups of three. */
#include "count_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* sign: "", "-" */
static hd_count_text
grouped_text(const char *sign, uint64_t count)
{
    hd_count_text grouped = { "" };
    char          digits[24];
    int           n  = snprintf(digits, sizeof digits, "%" PRIu64, count);
    char         *to = grouped.text;

    if (*sign != '\0')
        *to++ = *sign;
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return grouped;
}

hd_count_text
hd_count_text_of(uint64_t count)
{
    return grouped_text("", count);
}

hd_count_text
hd_count_text_rounded(double count)
{
    double rounded = rint(fabs(count));

    if (isnan(count))
        return (hd_count_text){ "-" };
    return grouped_text(count < 0 && rounded > 0 ? "-" : "", rounded < 0x1p64 ? (uint64_t)rounded : UINT64_MAX);
}

hd_count_text
hd_count_text_short(double value)
{
    hd_count_text five;

    if (fabs(value) < 99999999.5 && (fabs(value) >= 99999.5 || value == rint(value)))
        return hd_count_text_rounded(value);
    snprintf(five.text, sizeof five.text, "%.5g", value);
    return five;
}
