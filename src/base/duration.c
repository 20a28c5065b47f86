#include "duration.h"

#include <string.h>

#define ATTOSECONDS UINT64_C(1000000000000000000)

/* How many digits after the point of seconds those of the unit begin; -1: no unit. */
static int
digits_of_unit(const char *unit)
{
    static const struct {
        const char *name;
        int         digits;
    } units[] = { { "", 0 }, { "s", 0 }, { "ms", 3 }, { "us", 6 }, { "ns", 9 } };

    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(unit, units[i].name) == 0)
            return units[i].digits;
    return -1;
}

/* Adds digit x 10^-place seconds; place: 0 for whole seconds, below it tens and so on. */
static bool
add_digit(hd_duration *duration, unsigned digit, int place)
{
    uint64_t value = digit;

    if (digit == 0)
        return true;
    if (place > 18)
        return false;
    for (int i = place; i < (place > 0 ? 18 : 0); i++) {
        if (value > UINT64_MAX / 10)
            return false;
        value *= 10;
    }
    if (place > 0) {
        duration->attoseconds += value;
        return true;
    }
    if (duration->seconds > UINT64_MAX - 1 - value)
        return false;
    duration->seconds += value;
    return true;
}

bool
hd_duration_parse(const char *text, hd_duration *duration)
{
    hd_duration sum   = { 0 };
    size_t      whole = strspn(text, "0123456789"), part = 0;
    const char *unit  = text + whole;
    int         shift;

    if (strcmp(text, "END") == 0) {
        *duration = HD_DURATION_END;
        return true;
    }
    if (*unit == '.') {
        part = strspn(unit + 1, "0123456789");
        unit += 1 + part;
    }
    shift = digits_of_unit(unit);
    if (whole + part == 0 || whole + part > 64 || shift < 0)
        return false;
    for (size_t i = 0; i < whole; i++)
        if (!add_digit(&sum, (unsigned)(text[i] - '0'), shift - (int)(whole - 1 - i)))
            return false;
    for (size_t i = 0; i < part; i++)
        if (!add_digit(&sum, (unsigned)(text[whole + 1 + i] - '0'), shift + 1 + (int)i))
            return false;
    *duration = sum;
    return true;
}

uint64_t
hd_duration_ticks(hd_duration duration, uint64_t resolution)
{
    __extension__ typedef unsigned __int128 wide;
    wide ticks = (wide)duration.seconds * resolution +
                 ((wide)duration.attoseconds * resolution + ATTOSECONDS / 2) / ATTOSECONDS;

    return hd_duration_is_end(duration) || ticks > UINT64_MAX ? UINT64_MAX : (uint64_t)ticks;
}
