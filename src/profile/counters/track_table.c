#include "track_table.h"

#include "level_table.h"
#include "memory.h"

typedef struct track { /* of a location, while its values are gone through */
    hd_track_row row;  /* of the slice that it is in */
    double       integral, last;
    hd_time      covered, last_time;
    bool         is_relative, has_last;
} track;

typedef struct tracking {
    const hd_windows *windows;
    hd_track_table   *table;
} tracking;

/* The slice is over. */
static void
put_row(const tracking *t, track *of)
{
    if (of->row.n == 0 && of->covered == 0)
        return;
    of->row.mean = of->covered > 0 ? of->integral / (double)of->covered : of->last;
    if (of->row.is_level == 0)
        of->row.least = of->row.mean = of->row.most = 0;
    HD_PUSH(t->table->rows, t->table->n, t->table->capacity, of->row);
}

static void
go_to(const tracking *t, track *of, uint32_t slice)
{
    if (slice == of->row.slice)
        return;
    put_row(t, of);
    of->row.slice = slice;
    of->row.n     = 0;
    of->row.sum   = 0;
    of->row.least = of->row.most = of->last;
    of->integral  = 0;
    of->covered   = 0;
}

/* The last value lasts until then. */
static void
last_until(const tracking *t, track *of, hd_time until)
{
    hd_time  from = of->last_time;
    uint32_t end  = hd_windows_slice(t->windows, until);

    while (of->row.slice < end) {
        hd_time border = hd_windows_begin(t->windows, of->row.slice + 1);

        of->integral += of->last * (double)(border - from);
        of->covered += border - from;
        from = border;
        go_to(t, of, of->row.slice + 1);
    }
    of->integral += of->last * (double)(until - from);
    of->covered += until - from;
}

static void
add_value(const tracking *t, track *of, const hd_level_value *value)
{
    bool is_first;

    if (of->has_last && of->row.is_level != 0)
        last_until(t, of, value->time);
    else
        go_to(t, of, hd_windows_slice(t->windows, value->time));
    is_first = of->row.n == 0 && of->covered == 0;
    if (is_first)
        of->row.least = of->row.most = value->value;
    of->row.least = value->value < of->row.least ? value->value : of->row.least;
    of->row.most  = value->value > of->row.most ? value->value : of->row.most;
    if (of->is_relative)
        of->row.sum += value->value;
    else if (of->has_last)
        of->row.sum += of->row.is_level == 0 ? value->value - of->last : 0;
    of->row.n++;
    of->last      = value->value;
    of->last_time = value->time;
    of->has_last  = true;
}

static void
add_location(const tracking *t, const hd_loaded_location *location, const hd_defs *defs)
{
    track *tracks;

    if (location->more->n_level_values == 0)
        return;
    tracks = HD_NEW_ARRAY(track, location->more->n_levels);
    for (size_t i = 0; i < location->more->n_levels; i++) {
        const hd_level *level = &location->more->levels[i];

        tracks[i].row         = (hd_track_row){ .counter = level->counter, .location = location->location,
                                                .is_level = hd_level_is_level(defs, level) };
        tracks[i].is_relative = hd_defs_counters(defs)[level->counter].mode == HD_COUNTER_RELATIVE;
    }
    for (size_t i = 0; i < location->more->n_level_values; i++)
        add_value(t, &tracks[location->more->level_values[i].level], &location->more->level_values[i]);
    for (size_t i = 0; i < location->more->n_levels; i++)
        put_row(t, &tracks[i]);
    free(tracks);
}

static int
compare_rows(const void *left, const void *right)
{
    const hd_track_row *a = left, *b = right;

    if (a->counter != b->counter)
        return a->counter < b->counter ? -1 : 1;
    if (a->location != b->location)
        return a->location < b->location ? -1 : 1;
    return (a->slice > b->slice) - (a->slice < b->slice);
}

hd_track_table
hd_track_table_gather(hd_analysis_comm *analysis_comm, const hd_trace *trace, const hd_windows *windows)
{
    hd_track_table table   = { 0 };
    tracking       t       = { windows, &table };
    uint8_t       *all     = NULL;
    uint64_t      *n_bytes = NULL, sum = 0;

    if (windows->n == 0 || trace->defs->n_tracks == 0)
        return table;
    for (uint32_t p = 0; p < trace->n_processes; p++)
        for (uint32_t i = 0; i < trace->processes[p].n_locations; i++)
            add_location(&t, &trace->processes[p].locations[i], trace->defs);
    hd_analysis_comm_gather(analysis_comm, table.rows, table.n * sizeof *table.rows, &all, &n_bytes);
    for (uint32_t r = 0; n_bytes != NULL && r < hd_analysis_comm_size(analysis_comm); r++)
        sum += n_bytes[r];
    free(n_bytes);
    free(table.rows);
    table = (hd_track_table){ .rows = (hd_track_row *)(void *)all, .n = sum / sizeof *table.rows };
    if (table.n > 1)
        qsort(table.rows, table.n, sizeof *table.rows, compare_rows);
    return table;
}

void
hd_track_table_fini(hd_track_table *table)
{
    free(table->rows);
    *table = (hd_track_table){ 0 };
}
