/* src/base/time_text.c: chooses the unit after rounding, so that 0.9999 ms is "1.00 ms" and never "1000 us". */
#include "time_text.h"

#include <math.h>
#include <stdio.h>

static const struct unit {
    const char *name;
    double      seconds;
} units[] = { { "s", 1 }, { "ms", 1e-3 }, { "us", 1e-6 }, { "ns", 1e-9 } };
enum { N_UNITS = sizeof units / sizeof *units };

static hd_time_text
print(double seconds, const char *padding)
{
    hd_time_text time;
    int          i = 0, digits;
    double       value;

    if (seconds == 0 || !isfinite(seconds)) {
        snprintf(time.text, sizeof time.text, seconds == 0 ? "0 s%s" : "- s%s", padding);
        return time;
    }
    while (i < N_UNITS - 1 && fabs(seconds) < 0.9995 * units[i].seconds)
        i++;
    value  = seconds / units[i].seconds;
    if (fabs(value) >= 1e15) { /* of no trace */
        snprintf(time.text, sizeof time.text, "%.3g s%s", value, padding);
        return time;
    }
    digits = fabs(value) < 9.995 ? 2 : fabs(value) < 99.95 ? 1 : 0;
    snprintf(time.text, sizeof time.text, "%.*f %s%s", digits, value, units[i].name, i == 0 ? padding : "");
    return time;
}

hd_time_text
hd_time_text_of(double seconds)
{
    return print(seconds, "");
}

hd_time_text
hd_time_column(double seconds)
{
    return print(seconds, " ");
}
