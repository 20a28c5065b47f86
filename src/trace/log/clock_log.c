#include "clock_log.h"

#include "status.h"

void
hd_clock_logs_free(hd_clock_logs *logs)
{
    if (logs == NULL)
        return;
    for (uint32_t p = 0; p < logs->n_processes; p++) {
        for (uint32_t t = 0; t < logs->processes[p].n_locations; t++) {
            hd_scratch_free(logs->scratch, logs->processes[p].logs[t].points);
            hd_scratch_free(logs->scratch, logs->processes[p].logs[t].moves);
            hd_scratch_free(logs->scratch, logs->processes[p].logs[t].collectives);
            hd_scratch_free(logs->scratch, logs->processes[p].logs[t].targets);
            free(logs->processes[p].logs[t].channels);
        }
        free(logs->processes[p].logs);
        free(logs->processes[p].team_instances);
    }
    free(logs->processes);
    free(logs);
}

const hd_clock_log *
hd_clock_logs_find(const hd_clock_logs *logs, hd_process process, uint32_t thread)
{
    uint32_t low = 0, high = logs->n_processes;

    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;

        *(logs->processes[middle].process.v <= process.v ? &low : &high) = middle;
    }
    HD_ASSERT(logs->n_processes > 0 && logs->processes[low].process.v == process.v);
    return &logs->processes[low].logs[thread];
}
