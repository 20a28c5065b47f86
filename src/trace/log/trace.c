#include "trace.h"

static const hd_location_more no_more = { .counters = NULL };

void
hd_loaded_location_init(hd_loaded_location *loaded, uint32_t location, hd_scratch *scratch)
{
    *loaded = (hd_loaded_location){ .location = location,
                                    .states.bytes.scratch = scratch, .intervals.bytes.scratch = scratch,
                                    .intervals.boundaries.scratch = scratch, .more = &no_more };
    hd_oplog_init(&loaded->log, scratch);
}

static void
free_more(hd_loaded_location *loaded)
{
    hd_location_more *own = (hd_location_more *)(uintptr_t)loaded->more;

    if (loaded->more == &no_more)
        return;
    loaded->more = &no_more;
    free(own->file_uses);
    free(own->counters);
    free(own->levels);
    hd_scratch_free(own->counted.scratch, own->level_values);
    free(own->marked);
    hd_counter_log_fini(&own->counted);
    hd_bytes_fini(&own->counting.bytes);
    hd_bytes_fini(&own->threads.bytes);
    free(own);
}

void
hd_location_more_put_in(hd_location_more *more, hd_scratch *scratch)
{
    more->counted.scratch = more->counting.bytes.scratch = more->threads.bytes.scratch = scratch;
}

hd_location_more *
hd_loaded_location_more(hd_loaded_location *loaded)
{
    hd_location_more *own;

    if (loaded->more != &no_more)
        return (hd_location_more *)(uintptr_t)loaded->more;
    own = HD_NEW(hd_location_more);
    hd_location_more_put_in(own, loaded->log.own.scratch);
    loaded->more = own;
    return own;
}

void
hd_loaded_location_take_more(hd_loaded_location *loaded, const hd_location_more *more)
{
    if (more->n_counter_nodes > 0 || more->n_levels > 0 || more->n_file_uses > 0 || more->n_marked > 0 ||
        more->counted.n_counters > 0 || more->counting.is_wanted || more->threads.n_ops > 0)
        *hd_loaded_location_more(loaded) = *more;
}

void
hd_loaded_location_drop_paths(hd_loaded_location *loaded)
{
    free(loaded->nodes);
    free(loaded->counts);
    loaded->nodes  = NULL;
    loaded->counts = NULL;
}

void
hd_loaded_location_drop_profile(hd_loaded_location *loaded)
{
    hd_loaded_location_drop_paths(loaded);
    hd_bytes_fini(&loaded->states.bytes);
    if (loaded->more != &no_more)
        hd_bytes_fini(&hd_loaded_location_more(loaded)->threads.bytes);
}

void
hd_loaded_location_fini(hd_loaded_location *loaded)
{
    hd_loaded_location_drop_profile(loaded);
    free(loaded->map);
    free(loaded->call_sites);
    free(loaded->open_calls);
    free(loaded->iterations);
    hd_oplog_fini(&loaded->log);
    hd_interval_log_fini(&loaded->intervals);
    free_more(loaded);
}

void
hd_loaded_process_drop_tree(hd_loaded_process *process)
{
    free(process->nodes);
    free(process->call_sites);
    process->nodes      = NULL;
    process->call_sites = NULL;
}

void
hd_trace_share_maps(hd_trace *trace)
{
    const hd_loaded_location *last = NULL;

    for (uint32_t p = 0; p < trace->n_processes; p++)
        for (uint32_t t = 0; t < trace->processes[p].n_locations; t++) {
            hd_loaded_location *location = &trace->processes[p].locations[t];

            if (location->map == NULL)
                continue;
            if (last != NULL && last->n_nodes == location->n_nodes &&
                memcmp(last->map, location->map, location->n_nodes * sizeof *location->map) == 0) {
                free(location->map);
                location->map = last->map;
            }
            last = location;
        }
}

/* Each map has one location then. */
static void
forget_shared_maps(hd_trace *trace)
{
    const uint32_t *last = NULL;

    for (uint32_t p = 0; p < trace->n_processes; p++)
        for (uint32_t t = 0; t < trace->processes[p].n_locations; t++) {
            hd_loaded_location *location = &trace->processes[p].locations[t];

            if (location->map == NULL)
                continue;
            if (location->map == last)
                location->map = NULL;
            else
                last = location->map;
        }
}

void
hd_trace_free(hd_trace *trace)
{
    if (trace == NULL)
        return;
    forget_shared_maps(trace);
    for (uint32_t p = 0; p < trace->n_processes; p++) {
        for (uint32_t t = 0; t < trace->processes[p].n_locations; t++)
            hd_loaded_location_fini(&trace->processes[p].locations[t]);
        free(trace->processes[p].locations);
        hd_loaded_process_drop_tree(&trace->processes[p]);
        free(trace->processes[p].open.sends);
    }
    for (uint32_t t = 0; t < trace->n_threads; t++)
        hd_findings_fini(&trace->findings[t]);
    free(trace->processes);
    free(trace->findings);
    free(trace);
}
