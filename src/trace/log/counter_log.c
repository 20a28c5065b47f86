#include "counter_log.h"

void
hd_counter_log_grow(hd_counter_log *log)
{
    /* What is not written takes no memory: copied more rarely than elsewhere. It takes space in files. */
    log->capacity = 2 * log->capacity + (log->scratch == NULL ? 8192 : 64);
    log->points   = hd_scratch_realloc(log->scratch, log->points, log->capacity, sizeof *log->points);
    log->values   = hd_scratch_realloc(log->scratch, log->values, log->capacity * log->n_counters, sizeof *log->values);
}

void
hd_counter_log_close(hd_counter_log *log, uint32_t n_nodes)
{
    uint32_t *first;

    if (log->n == 0)
        return;
    log->points = hd_scratch_pack(log->scratch, log->points, log->n, sizeof *log->points);
    log->values = hd_scratch_pack(log->scratch, log->values, log->n * log->n_counters, sizeof *log->values);
    log->order  = hd_scratch_realloc(log->scratch, NULL, log->n, sizeof *log->order);
    first       = HD_NEW_ARRAY(uint32_t, (size_t)n_nodes + 2);
    for (size_t i = 0; i < log->n; i++)
        first[log->points[i].node + 2]++;
    for (uint32_t node = 0; node < n_nodes; node++)
        first[node + 2] += first[node + 1];
    for (size_t i = 0; i < log->n; i++) /* moves each begin to the next one */
        log->order[first[log->points[i].node + 1]++] = (uint32_t)i;
    log->first = first;
}

void
hd_counter_log_fini(hd_counter_log *log)
{
    hd_scratch_free(log->scratch, log->points);
    hd_scratch_free(log->scratch, log->values);
    hd_scratch_free(log->scratch, log->order);
    free(log->first);
    *log = (hd_counter_log){ .scratch = log->scratch };
}

bool
hd_counter_log_has(const hd_counter_log *log, uint32_t node)
{
    return log->first != NULL && log->first[node] < log->first[node + 1];
}

static hd_time
time_at(const hd_counter_log *log, uint32_t at)
{
    return log->points[log->order[at]].from;
}

/* The first point of the node at `time` or later, looked for from `near` on in steps that double, backwards. */
static uint32_t
first_from(const hd_counter_log *log, uint32_t node, hd_time time, uint32_t near)
{
    uint32_t low = log->first[node], high = log->first[node + 1];

    if (near >= low && near < high && time_at(log, near) < time)
        low = near + 1;
    else if (near >= low && near < high)
        high = near;
    for (uint32_t step = 1; high - low > step; step *= 2) {
        if (time_at(log, high - step) < time) {
            low = high - step + 1;
            break;
        }
        high -= step;
    }
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (time_at(log, middle) < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void
hd_counter_log_add(const hd_counter_log *log, uint32_t node, hd_time from, hd_time to, uint32_t *hint, uint64_t *sums)
{
    uint32_t        end = first_from(log, node, to, *hint), begin = first_from(log, node, from, end);
    uint32_t        n   = log->n_counters;
    const uint64_t *before, *until;

    *hint = end;
    if (begin >= end)
        return;
    until  = log->values + (size_t)log->order[end - 1] * n;
    before = begin > log->first[node] ? log->values + (size_t)log->order[begin - 1] * n : NULL;
    for (uint32_t i = 0; i < n; i++)
        sums[i] += until[i] - (before != NULL ? before[i] : 0);
}
