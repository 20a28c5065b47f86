/* src/trace/load/record_logs.c: an observer that writes down where locations are. */
#include "record_logs.h"

#include "memory.h"

static uint32_t
place_of(const hd_record_logs *logs, uint32_t process)
{
    uint32_t low = 0, high = logs->n_processes;

    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;

        *(logs->numbers[middle] <= process ? &low : &high) = middle;
    }
    return low;
}

static void *
begin(void *context, uint32_t process, uint32_t thread)
{
    hd_record_logs *logs = context;
    hd_record_log  *log  = &logs->processes[place_of(logs, process)][thread];

    hd_record_log_clear(log);
    return log;
}

static void
at(void *state, hd_time now, uint32_t node)
{
    hd_record_log_put(state, now, node);
}

hd_record_logs *
hd_record_logs_new(const hd_defs *defs, const uint32_t *processes, uint32_t n_processes)
{
    hd_record_logs *logs = HD_NEW(hd_record_logs);

    *logs = (hd_record_logs){ .processes = HD_NEW_ARRAY(hd_record_log *, n_processes), .numbers = processes,
                              .defs = defs, .n_processes = n_processes,
                              .observer = { .context = logs, .begin = begin, .at = at, .all_records = true } };
    for (uint32_t p = 0; p < n_processes; p++)
        logs->processes[p] = HD_NEW_ARRAY(hd_record_log, hd_defs_processes(defs)[processes[p]].n_locations);
    return logs;
}

void
hd_record_logs_free(hd_record_logs *logs)
{
    if (logs == NULL)
        return;
    for (uint32_t p = 0; p < logs->n_processes; p++) {
        for (uint32_t t = 0; t < hd_defs_processes(logs->defs)[logs->numbers[p]].n_locations; t++)
            hd_record_log_clear(&logs->processes[p][t]);
        free(logs->processes[p]);
    }
    free(logs->processes);
    free(logs);
}
