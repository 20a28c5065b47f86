#include "counter_log.h"

uint64_t *
hd_counter_log_put(hd_counter_log *log, hd_time from, uint32_t node)
{
    size_t at = log->n;

    while (log->capacity_values < (at + 1) * log->n_counters)
        log->values = hd_scratch_grow(log->scratch, log->values, log->capacity_values, &log->capacity_values,
                                      sizeof *log->values);
    HD_SCRATCH_PUSH(log->scratch, log->points, log->n, log->capacity, ((hd_counter_point){ from, node }));
    return log->values + at * log->n_counters;
}

void
hd_counter_log_close(hd_counter_log *log, uint32_t n_nodes)
{
    hd_counter_point *points;
    uint64_t         *values;
    uint32_t         *next;

    if (log->n == 0)
        return;
    log->first = HD_NEW_ARRAY(uint32_t, (size_t)n_nodes + 1);
    next       = HD_NEW_ARRAY(uint32_t, (size_t)n_nodes + 1);
    points     = hd_scratch_alloc(log->scratch, log->n, sizeof *points);
    values     = hd_scratch_alloc(log->scratch, log->n * log->n_counters, sizeof *values);
    for (size_t i = 0; i < log->n; i++)
        log->first[log->points[i].node + 1]++;
    for (uint32_t node = 0; node < n_nodes; node++) {
        next[node] = log->first[node];
        log->first[node + 1] += log->first[node];
    }
    for (size_t i = 0; i < log->n; i++) {
        uint32_t at = next[log->points[i].node]++;

        points[at] = log->points[i];
        memcpy(values + (size_t)at * log->n_counters, log->values + i * log->n_counters, log->n_counters * sizeof *values);
    }
    free(next);
    hd_scratch_free(log->scratch, log->points);
    hd_scratch_free(log->scratch, log->values);
    log->points = points;
    log->values = values;
}

void
hd_counter_log_fini(hd_counter_log *log)
{
    hd_scratch_free(log->scratch, log->points);
    hd_scratch_free(log->scratch, log->values);
    free(log->first);
    *log = (hd_counter_log){ .scratch = log->scratch };
}

bool
hd_counter_log_has(const hd_counter_log *log, uint32_t node)
{
    return log->first != NULL && log->first[node] < log->first[node + 1];
}

/* The first point of the node at `time` or later. */
static uint32_t
first_from(const hd_counter_log *log, uint32_t node, hd_time time)
{
    uint32_t low = log->first[node], high = log->first[node + 1];

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (log->points[middle].from < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void
hd_counter_log_add(const hd_counter_log *log, uint32_t node, hd_time from, hd_time to, uint64_t *sums)
{
    uint32_t begin = first_from(log, node, from), end = first_from(log, node, to), n = log->n_counters;

    for (uint32_t i = 0; i < n && begin < end; i++)
        sums[i] += log->values[(size_t)(end - 1) * n + i] -
                   (begin > log->first[node] ? log->values[(size_t)(begin - 1) * n + i] : 0);
}
