/* src/cli/commands/simulate/simulated_trace.c: rank 0 writes the archive; the others hand over times of its records. */
#include "simulated_trace.h"

#include <stdlib.h>

#include "memory.h"
#include "new_archive.h"
#include "signal_stop.h"

typedef struct times_source {
    const hd_analyze     *run;
    const hd_sim_outcome *outcome;
    uint32_t              next; /* location that is handed over next */
} times_source;

/* Index of a process among those of this rank; HD_NONE: it is not. */
static uint32_t
place_of(const hd_analyze *run, uint32_t process)
{
    uint32_t low = 0, high = run->n_processes;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (run->processes[middle] < process)
            low = middle + 1;
        else
            high = middle;
    }
    return low < run->n_processes && run->processes[low] == process ? low : HD_NONE;
}

/* Times of the next location, on rank 0. Ranks: all, together. */
static void
hand_over(times_source *source, hd_record_times *times)
{
    const hd_location_def *location = &hd_defs_locations(source->run->defs)[source->next++];
    uint32_t               place    = place_of(source->run, location->process);
    const hd_record_times *own      = place != HD_NONE ? &source->outcome->records[place][location->thread] : NULL;
    uint8_t               *all      = NULL;
    uint64_t              *n_bytes  = NULL, sum = 0;

    hd_analysis_comm_gather(source->run->analysis_comm, own != NULL ? own->bytes.data : NULL,
                            own != NULL ? own->bytes.n : 0, &all, &n_bytes);
    for (uint32_t r = 0; n_bytes != NULL && r < hd_analysis_comm_size(source->run->analysis_comm); r++)
        sum += n_bytes[r];
    if (times != NULL && sum > 0)
        hd_bytes_put(&times->bytes, all, sum);
    free(all);
    free(n_bytes);
}

static void
times_of(void *context, uint32_t location, hd_record_times *times)
{
    times_source *source = context;

    while (source->next < location)
        hand_over(source, NULL);
    hand_over(source, times);
}

hd_status
hd_simulated_trace_write(const hd_analyze *run, const hd_simulated_trace *trace, bool *has_losses)
{
    times_source      source = { .run = run, .outcome = trace->outcome };
    hd_extract_result result = { 0 };
    hd_status         status = HD_OK;

    *has_losses = false;
    if (run->is_rank0) {
        status = hd_new_archive_write(trace->path, trace->force,
            &(hd_extract_request){ .anchor = run->anchor, .defs = run->defs, .analysis_interval = { 0, UINT64_MAX, UINT64_MAX },
                                   .reader = run->options->reader, .stop = hd_stop_mark(), .times = times_of, .context = &source,
                                   .longer = trace->outcome->run_time_whole - trace->recorded->run_time_whole },
                                      &result);
        *has_losses = status == HD_OK && hd_new_archive_tell_losses(run->defs, &result);
    }
    while (source.next < run->defs->n_locations)
        hand_over(&source, NULL);
    return hd_agree(run->analysis_comm, status);
}
