#include "series_tracks.h"

#include "blocks.h"
#include "memory.h"
#include "time_text.h"

enum { NAME_COLUMNS = 36, VALUE_COLUMNS = 10, MIN_BLOCKS = 10, MAX_TRACKS = 32 };

typedef struct track_sums { /* in the windows */
    double   sum, least, mean, most;
    uint32_t slice; /* where most of it is; 0: it has nothing in them */
} track_sums;

static double
value_of(const hd_track *track, const hd_track_slice *slice)
{
    return track->is_level ? slice->mean : slice->sum;
}

/* values: [n_slices] out, by slice. The mean is that of the windows' means. */
static track_sums
sum_up(const hd_track *track, const hd_series_list *windows, double *values)
{
    track_sums sums = { 0 };
    double     all  = 0, largest = 0;
    uint32_t   n    = 0;

    for (size_t i = 0; i < track->n; i++) {
        const hd_track_slice *slice = &track->slices[i];
        double                value = value_of(track, slice), high = track->is_level ? slice->most : slice->sum;

        if (slice->slice == 0 || slice->slice + 1 >= windows->n_slices)
            continue;
        sums.least = n == 0 || slice->least < sums.least ? slice->least : sums.least;
        sums.most  = n == 0 || slice->most > sums.most ? slice->most : sums.most;
        if (n == 0 || high > largest) {
            largest    = high;
            sums.slice = slice->slice;
        }
        values[slice->slice] = value > 0 ? value : 0;
        all += value;
        n++;
    }
    sums.sum  = all;
    sums.mean = n > 0 ? all / n : 0;
    return sums;
}

static void
print_track(const hd_summary_page *page, const hd_track *track, const hd_series_list *windows)
{
    double    *values = HD_NEW_ARRAY(double, windows->n_slices);
    track_sums sums   = sum_up(track, windows, values);
    uint32_t   width  = page->options.width, used = 2 + NAME_COLUMNS + VALUE_COLUMNS + 2;
    char      *name   = hd_format("%s%s%s%s", track->counter, *track->unit != '\0' ? " [" : "", track->unit,
                                  *track->unit != '\0' ? "]" : "");
    char      *words;

    if (sums.slice > 0) {
        hd_fit_text(page->file, page->cuts, 2, name, 2 + NAME_COLUMNS);
        fprintf(page->file, "%*.4g  ", VALUE_COLUMNS, track->is_level ? sums.mean : sums.sum);
        hd_blocks_print(page->file, &values[1], windows->n_slices - 2, width > used + MIN_BLOCKS ? width - used : MIN_BLOCKS);
        fputc('\n', page->file);
        words = !track->is_level && sums.sum <= 0 ? hd_format("%s: a sum, which does not grow", track->scope) :
                track->is_level ?
                hd_format("%s: least %.4g, mean %.4g, most %.4g, in window %" PRIu32 " (%.6g s to %.6g s)", track->scope,
                          sums.least, sums.mean, sums.most, sums.slice, windows->slices[sums.slice].from,
                          windows->slices[sums.slice].to) :
                hd_format("%s: a sum; most of it in window %" PRIu32 " (%.6g s to %.6g s)", track->scope, sums.slice,
                          windows->slices[sums.slice].from, windows->slices[sums.slice].to);
        hd_summary_page_list(page, 4, words);
        free(words);
    }
    free(name);
    free(values);
}

void
hd_series_tracks_print(const hd_summary_page *page, const hd_track_list *tracks, const hd_series_list *windows)
{
    if (tracks->n == 0)
        return;
    fprintf(page->file, "Metrics recorded over time, in %" PRIu32 " window%s of %s\n", windows->n_slices - 2,
            windows->n_slices == 3 ? "" : "s",
            hd_time_text_of(windows->slices[1].to - windows->slices[1].from).text);
    for (size_t i = 0; i < tracks->n && i < MAX_TRACKS; i++)
        print_track(page, &tracks->tracks[i], windows);
    if (tracks->n > MAX_TRACKS)
        fprintf(page->file, "  (%zu more: --json has all)\n", tracks->n - MAX_TRACKS);
}

static void
put_real(hd_json *json, const char *key, bool is_there, double value)
{
    if (is_there)
        hd_json_number(json, key, value);
    else
        hd_json_null(json, key);
}

static void
put_slice(hd_json *json, const hd_track *track, const hd_track_slice *slice, const hd_series_list *windows)
{
    bool is_first = slice->slice == 0, is_last = slice->slice + 1 >= windows->n_slices;

    hd_json_object(json, NULL);
    hd_json_count(json, "slice", slice->slice);
    put_real(json, "from", !is_first, windows->slices[slice->slice].from);
    put_real(json, "to", !is_last, windows->slices[slice->slice].to);
    hd_json_count(json, "values", slice->n);
    put_real(json, "sum", !track->is_level, slice->sum);
    put_real(json, "least", track->is_level, slice->least);
    put_real(json, "mean", track->is_level, slice->mean);
    put_real(json, "most", track->is_level, slice->most);
    hd_json_end(json);
}

void
hd_json_tracks(hd_json *json, const hd_track_list *tracks, const hd_series_list *windows)
{
    hd_json_array(json, "tracks");
    for (size_t i = 0; i < tracks->n; i++) {
        const hd_track *track = &tracks->tracks[i];

        hd_json_object(json, NULL);
        hd_json_text(json, "name", track->counter);
        hd_json_text(json, "unit", track->unit);
        hd_json_text(json, "scope", track->scope);
        hd_json_text(json, "kind", track->is_level ? "level" : "sum");
        hd_json_array(json, "slices");
        for (size_t k = 0; k < track->n; k++)
            put_slice(json, track, &track->slices[k], windows);
        hd_json_end(json);
        hd_json_end(json);
    }
    hd_json_end(json);
}
