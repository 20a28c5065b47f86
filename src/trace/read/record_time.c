#include "record_time.h"

/* Clocks of its locations may be wrong by some time. */
hd_plausible
hd_plausible_times(const hd_defs *defs)
{
    hd_time length;

    if (defs->length == 0 || defs->length > HD_TIME_LAST / 32 || defs->resolution > HD_TIME_LAST / 120)
        return (hd_plausible){ HD_TIME_LAST, HD_TIME_LAST };
    length = 16 * defs->length + 60 * defs->resolution;
    return (hd_plausible){ hd_time_min(hd_time_min(defs->first_time, HD_TIME_LAST) + length, HD_TIME_LAST), length };
}

hd_time
hd_right_time(hd_plausible *plausible, hd_time now, bool is_first, hd_time time, hd_finding_kind *wrong)
{
    *wrong = HD_N_FINDINGS;
    if (time >= now && time <= plausible->latest)
        return time;
    if (time > HD_TIME_LAST || time < now)
        *wrong = HD_FINDING_TIME_BACKWARDS;
    else if (is_first) { /* a clock that is not corrected */
        plausible->latest = time + hd_time_min(plausible->length, HD_TIME_LAST - time);
        return time;
    } else
        *wrong = HD_FINDING_TIME_DAMAGED;
    return now;
}
