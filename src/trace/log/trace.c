#include "trace.h"

void
hd_loaded_location_init(hd_loaded_location *loaded, uint32_t location, hd_scratch *scratch)
{
    *loaded = (hd_loaded_location){ .location = location, .log.own.scratch = scratch, .log.calls.scratch = scratch,
                                    .log.others.scratch = scratch,
                                    .threads.bytes.scratch = scratch, .states.bytes.scratch = scratch,
                                    .intervals.bytes.scratch = scratch, .intervals.boundaries.scratch = scratch,
                                    .counted.scratch = scratch, .counting.bytes.scratch = scratch };
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
    hd_bytes_fini(&loaded->threads.bytes);
}

void
hd_loaded_location_fini(hd_loaded_location *loaded)
{
    hd_loaded_location_drop_profile(loaded);
    free(loaded->map);
    free(loaded->call_sites);
    free(loaded->file_uses);
    free(loaded->counters);
    free(loaded->levels);
    hd_scratch_free(loaded->counted.scratch, loaded->level_values);
    free(loaded->open_calls);
    free(loaded->iterations);
    free(loaded->marked);
    hd_oplog_fini(&loaded->log);
    hd_interval_log_fini(&loaded->intervals);
    hd_counter_log_fini(&loaded->counted);
    hd_bytes_fini(&loaded->counting.bytes);
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
hd_trace_free(hd_trace *trace)
{
    if (trace == NULL)
        return;
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
