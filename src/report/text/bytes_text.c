/* src/report/text/bytes_text.c: numbers of bytes with the unit that fits. */
#include "bytes_text.h"

#include <math.h>
#include <stdio.h>

static hd_bytes_text
bytes_text(double bytes, const char *behind)
{
    static const char *const units[] = { "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };

    hd_bytes_text text;
    size_t        unit = 0;

    if (bytes < 999.5) {
        snprintf(text.text, sizeof text.text, "%.0f byte%s%s", bytes, rint(bytes) == 1 ? "" : "s", behind);
        return text;
    }
    bytes /= 1024;
    while (bytes >= 999.5 && unit + 1 < sizeof units / sizeof *units) {
        bytes /= 1024;
        unit++;
    }
    snprintf(text.text, sizeof text.text, "%.*f %s%s", bytes < 9.995 ? 2 : bytes < 99.95 ? 1 : 0, bytes, units[unit],
             behind);
    return text;
}

hd_bytes_text
hd_bytes_text_of(double bytes)
{
    return bytes_text(bytes, "");
}

hd_bytes_text
hd_bandwidth_text_of(double bytes_per_second)
{
    if (isnan(bytes_per_second))
        return (hd_bytes_text){ "-" };
    return bytes_text(bytes_per_second, "/s");
}
