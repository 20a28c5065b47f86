/* src/report/members/series_list.c: writes the tables of time series. */
#include "series_list.h"

#include "tsv.h"

static void
write_slice(FILE *file, uint32_t slice, const char *kind, uint64_t from, uint64_t to, uint64_t resolution)
{
    fprintf(file, "%" PRIu32 "\t%s\t", slice, kind);
    hd_tsv_put_ticks(file, from, resolution, '\t');
    hd_tsv_put_ticks(file, to, resolution, '\n');
}

void
hd_slices_write(FILE *file, const hd_windows *windows, hd_time begin, uint64_t length, uint64_t resolution)
{
    uint64_t from = windows->from - begin, to = windows->to - begin;

    fputs("slice\tkind\tfrom\tto\n", file);
    write_slice(file, 0, "before", 0, from, resolution);
    for (uint32_t slice = 1; slice <= windows->n; slice++)
        write_slice(file, slice, "window", hd_windows_begin(windows, slice) - begin,
                    hd_windows_begin(windows, slice + 1) - begin, resolution);
    write_slice(file, windows->n + 1, "after", to, length > to ? length : to, resolution);
}

void
hd_series_write(FILE *file, const hd_series *series, uint64_t resolution)
{
    fputs("metric\tprocess\tprocesses\tslice\tvalue\n", file);
    for (size_t i = 0; i < series->n; i++) {
        const hd_series_row *row = &series->rows[i];

        fprintf(file, "%s\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t", hd_metric_infos[row->metric].id, row->process,
                row->n_processes, row->slice);
        hd_tsv_put_ticks(file, (uint64_t)row->ticks, resolution, '\n');
    }
}
