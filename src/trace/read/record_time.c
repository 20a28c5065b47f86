#include "record_time.h"

/* Clocks of its locations may be wrong by some time. */
hd_time
hd_latest_plausible(const hd_defs *defs)
{
    if (defs->length == 0 || defs->length > HD_TIME_LAST / 32 || defs->resolution > HD_TIME_LAST / 120)
        return HD_TIME_LAST;
    return hd_time_min(hd_time_min(defs->first_time, HD_TIME_LAST) + 16 * defs->length + 60 * defs->resolution,
                       HD_TIME_LAST);
}

hd_time
hd_right_time(hd_time *plausible, hd_time now, bool is_first, hd_time time, hd_finding_kind *wrong)
{
    *wrong = HD_N_FINDINGS;
    if (time >= now && time <= *plausible)
        return time;
    if (time > HD_TIME_LAST || time < now)
        *wrong = HD_FINDING_TIME_BACKWARDS;
    else if (is_first) { /* a clock that is not corrected */
        *plausible = time + hd_time_min(*plausible, HD_TIME_LAST - time);
        return time;
    } else
        *wrong = HD_FINDING_TIME_DAMAGED;
    return now;
}
