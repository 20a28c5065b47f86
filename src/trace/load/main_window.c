/* src/trace/load/main_window.c: finds the main window in what was loaded, and whether that was divided by it. */
#include "main_window.h"

bool
hd_main_window_can_be(const hd_defs *defs)
{
    bool can = false;

    for (uint32_t i = 0; i < defs->n_regions; i++)
        can = can || hd_defs_regions(defs)[i].call == HD_CALL_INIT;
    return can;
}

hd_main_window_ends
hd_main_window_find(const hd_trace *trace)
{
    hd_main_window_ends ends = { .init_left = UINT64_MAX };

    for (uint32_t p = 0; p < trace->n_processes; p++)
        for (uint32_t t = 0; t < trace->processes[p].n_locations; t++) {
            const hd_loaded_location *location = &trace->processes[p].locations[t];

            if (location->has_init && location->init_left > 0)
                ends.init_left = hd_time_min(ends.init_left, location->init_left);
            if (location->has_finalize)
                ends.finalize_entered = hd_time_max(ends.finalize_entered, location->finalize_enter);
        }
    return ends;
}

hd_analysis_interval
hd_main_window_of(const hd_main_window_ends *ends)
{
    hd_analysis_interval window = { .from = ends->init_left, .to = ends->finalize_entered,
                                    .last = ends->finalize_entered };

    if (ends->finalize_entered == 0) {
        window.to   = UINT64_MAX;
        window.last = UINT64_MAX - 1;
    }
    return window;
}

static bool
fits(const hd_loaded_location *location, bool is_first, const hd_analysis_interval *window)
{
    bool     is_left   = location->has_finalize && location->finalize_left > 0;
    uint32_t n_borders = (uint32_t)location->has_init + (uint32_t)is_left;

    if (location->n_events == 0)
        return true;
    if (!is_first)
        return location->first >= window->from && location->end.time <= window->last;
    return location->n_main_borders == n_borders && location->has_init && location->init_left > 0 &&
           location->init_enter < window->from &&
           (n_borders > 1 ? location->finalize_left > window->last : location->end.time <= window->last ||
                                                                      location->has_finalize);
}

bool
hd_main_window_fits(const hd_trace *trace, const hd_analysis_interval *window)
{
    for (uint32_t p = 0; p < trace->n_processes; p++)
        for (uint32_t t = 0; t < trace->processes[p].n_locations; t++)
            if (!fits(&trace->processes[p].locations[t], t == 0, window))
                return false;
    return true;
}
