/* src/record/launch/recorded_part.c: reads windows of time and of iterations. */
#include "recorded_part.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "memory.h"

static hd_status
refuse(const char *option, const char *text, const char *such_as)
{
    hd_fail(HD_EUSAGE, "--%s=%s is no part of a run", option, text);
    hd_fail_detail("such as", "--%s=%s", option, such_as);
    return HD_EUSAGE;
}

/* Behind it, NULL: it is none. */
static const char *
read_time(const char *text, uint64_t *ns)
{
    static const struct {
        const char *unit;
        double      ns;
    } units[] = { { "ms", 1e6 }, { "s", 1e9 }, { "m", 60e9 }, { "h", 3600e9 } };
    char  *end;
    double value;

    if (!isdigit((unsigned char)*text) && *text != '.')
        return NULL;
    value = strtod(text, &end);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t n = strlen(units[i].unit);

        if (strncmp(end, units[i].unit, n) == 0 && value * units[i].ns < 1e18) {
            *ns = (uint64_t)(value * units[i].ns);
            return end + n;
        }
    }
    return NULL;
}

hd_status
hd_recorded_part_window(const char *text, char **made)
{
    uint64_t    begin, length;
    const char *at = read_time(text, &begin);

    at = at != NULL && *at == ':' ? read_time(at + 1, &length) : NULL;
    if (at == NULL || *at != '\0' || length == 0)
        return refuse("window", text, "60s:30s");
    *made = hd_format("%" PRIu64 ":%" PRIu64, begin, length);
    return HD_OK;
}

hd_status
hd_recorded_part_last(const char *text, char **made)
{
    uint64_t    length = 0;
    const char *at     = read_time(text, &length);

    if (at == NULL || *at != '\0' || length == 0)
        return refuse("last", text, "60s");
    *made = hd_format("%" PRIu64, length);
    return HD_OK;
}

static const char *
read_number(const char *text, uint32_t *number)
{
    char         *end;
    unsigned long value;

    if (!isdigit((unsigned char)*text))
        return NULL;
    value   = strtoul(text, &end, 10);
    *number = value <= UINT32_MAX ? (uint32_t)value : 0;
    return *number > 0 ? end : NULL;
}

hd_status
hd_recorded_part_iterations(const char *text, char **made)
{
    uint32_t    first = 0, last = 0;
    const char *at = read_number(text, &first);

    last = first;
    if (at != NULL && *at == '-')
        at = read_number(at + 1, &last);
    if (at == NULL || *at != '\0' || last < first)
        return refuse("iterations", text, "100-110");
    *made = hd_format("%" PRIu32 "-%" PRIu32, first, last);
    return HD_OK;
}
