/* src/report/members/clock_error.c: reads the error of the clocks, and compares it with the statistics of instances. */
#include "clock_error.h"

#include <math.h>
#include <stdlib.h>

#include "completeness.h"
#include "instance_list.h"

/* 0: there is none, or it is no length of time. */
static double
seconds_of(const hd_cube *cube, const char *key)
{
    const char *value   = hd_cube_attribute_get(cube, key);
    double      seconds = value != NULL ? strtod(value, NULL) : 0;

    return seconds > 0 && seconds < 1e300 ? seconds : 0;
}

hd_status
hd_clock_error_read(hd_cube *cube, hd_clock_error *clock)
{
    double           below = 0, all = 0;
    hd_instance_list list;
    hd_status        status;

    *clock = (hd_clock_error){ seconds_of(cube, HD_CLOCK_ERROR_ATTRIBUTE), seconds_of(cube, HD_CLOCK_TICK_ATTRIBUTE), NAN };
    if (clock->error <= 0)
        return HD_OK;
    status = hd_instance_list_read(cube, &list);
    if (status != HD_OK)
        return status;
    for (size_t i = 0; i < list.n_statistics; i++) {
        const hd_statistic_entry *entry = &list.statistics[i];

        if (entry->path == HD_NONE || !hd_metric_is_wait_state(entry->metric))
            continue;
        all += entry->sum;
        below += entry->maximum < clock->error ? entry->sum : 0;
    }
    if (all > 0)
        clock->share = below / all;
    hd_instance_list_fini(&list);
    return HD_OK;
}
