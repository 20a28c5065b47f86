#include "location_counters.h"

#include "memory.h"
#include "sort.h"

typedef struct row_at {
    uint32_t call_path, node;
} row_at;

static inline uint64_t
key_of(const row_at *row)
{
    return (uint64_t)row->call_path << 32 | row->node;
}

static void
add_row(uint64_t *sums, const uint64_t *values, const hd_counter_def *counters, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (counters[i].type == HD_COUNTER_DOUBLE) {
            double sum, value;

            memcpy(&sum, &sums[i], sizeof sum);
            memcpy(&value, &values[i], sizeof value);
            sum += value;
            memcpy(&sums[i], &sum, sizeof sum);
        } else
            sums[i] += values[i];
}

static bool
is_zero(const uint64_t *values, uint32_t n)
{
    uint64_t any = 0;

    for (uint32_t i = 0; i < n; i++)
        any |= values[i];
    return any == 0;
}

/* Adds to the last row, if it is of the call path, else as a new one; there is room. */
static void
put_row(hd_location_counters *rows, uint32_t call_path, const uint64_t *values, const hd_counter_def *counters,
        uint32_t n)
{
    if (rows->n == 0 || rows->call_paths[rows->n - 1] != call_path) {
        rows->call_paths[rows->n] = call_path;
        memset(&rows->values[rows->n * n], 0, n * sizeof *rows->values);
        rows->n++;
    }
    add_row(&rows->values[(rows->n - 1) * n], values, counters, n);
}

static hd_location_counters
rows_of(size_t n, uint32_t n_counters)
{
    return (hd_location_counters){ .call_paths = HD_NEW_ARRAY(uint32_t, n + 1),
                                   .values     = HD_NEW_ARRAY(uint64_t, n * n_counters + 1) };
}

hd_location_counters
hd_location_counters_take(const hd_loaded_location *location, const uint32_t *map, const hd_counter_def *counters,
                          uint32_t n_counters, uint32_t first, uint32_t end)
{
    row_at              *order = HD_NEW_ARRAY(row_at, (size_t)location->more->n_counter_nodes + 1);
    size_t               n     = 0;
    hd_location_counters rows;

    for (uint32_t i = 0; i < location->more->n_counter_nodes; i++)
        if (map[i] >= first && map[i] < end && !is_zero(&location->more->counters[(size_t)i * n_counters], n_counters))
            order[n++] = (row_at){ map[i] - first, i };
    HD_SORT_BY_KEY(row_at, order, n, key_of);
    rows = rows_of(n, n_counters);
    for (size_t i = 0; i < n; i++)
        put_row(&rows, order[i].call_path, &location->more->counters[(size_t)order[i].node * n_counters], counters,
                n_counters);
    free(order);
    return rows;
}

hd_location_counters
hd_location_counters_sum(const hd_location_counters *a, const hd_location_counters *b, const hd_counter_def *counters,
                         uint32_t n_counters)
{
    hd_location_counters rows = rows_of(a->n + b->n, n_counters);
    size_t               i = 0, j = 0;

    while (i < a->n || j < b->n) {
        bool takes_a = j == b->n || (i < a->n && a->call_paths[i] <= b->call_paths[j]);

        put_row(&rows, takes_a ? a->call_paths[i] : b->call_paths[j],
                takes_a ? &a->values[i * n_counters] : &b->values[j * n_counters], counters, n_counters);
        *(takes_a ? &i : &j) += 1;
    }
    return rows;
}

void
hd_location_counters_fini(hd_location_counters *rows)
{
    free(rows->call_paths);
    free(rows->values);
    *rows = (hd_location_counters){ 0 };
}

const uint64_t *
hd_location_counters_row(const hd_location_counters *rows, uint32_t n_counters, uint32_t call_path)
{
    size_t low = 0, high = rows->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (rows->call_paths[middle] < call_path)
            low = middle + 1;
        else
            high = middle;
    }
    return low < rows->n && rows->call_paths[low] == call_path ? &rows->values[low * n_counters] : NULL;
}
