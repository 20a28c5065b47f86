#include "page_tracks.h"

#include "memory.h"
#include "series_list.h"
#include "track_list.h"

enum { MAX_TRACKS = 64 };

typedef double value_of_slice(const hd_track *track, const hd_track_slice *slice);

static double
mean_of(const hd_track *track, const hd_track_slice *slice)
{
    return track->is_level ? slice->mean : slice->sum;
}

static double
least_of(const hd_track *track, const hd_track_slice *slice)
{
    (void)track;
    return slice->least;
}

static double
most_of(const hd_track *track, const hd_track_slice *slice)
{
    (void)track;
    return slice->most;
}

/* By window; null where nothing is known. */
static void
put_values(hd_json *json, const char *key, const hd_track *track, uint32_t n_windows, value_of_slice *value)
{
    size_t at = 0;

    hd_json_array(json, key);
    for (uint32_t k = 1; k <= n_windows; k++) {
        while (at < track->n && track->slices[at].slice < k)
            at++;
        if (at < track->n && track->slices[at].slice == k)
            hd_json_number(json, NULL, value(track, &track->slices[at]));
        else
            hd_json_null(json, NULL);
    }
    hd_json_end(json);
}

static void
put_tracks(hd_json *json, const char *key, const hd_track_list *tracks, const hd_series_list *windows)
{
    uint32_t n = windows->n_slices - 2;

    hd_json_object(json, key);
    hd_json_count(json, "n", tracks->n);
    hd_json_number(json, "from", windows->slices[1].from);
    hd_json_number(json, "to", windows->slices[n].to);
    hd_json_array(json, "rows");
    for (size_t i = 0; i < tracks->n && i < MAX_TRACKS; i++) {
        const hd_track *track = &tracks->tracks[i];

        hd_json_object(json, NULL);
        hd_json_text(json, "name", track->counter);
        hd_json_text(json, "unit", track->unit);
        hd_json_text(json, "scope", track->scope);
        put_values(json, "values", track, n, mean_of);
        if (track->is_level) {
            put_values(json, "least", track, n, least_of);
            put_values(json, "most", track, n, most_of);
        }
        hd_json_end(json);
    }
    hd_json_end(json);
    hd_json_end(json);
}

hd_status
hd_page_put_tracks(hd_json *json, const char *key, hd_cube *cube)
{
    hd_series_list windows;
    hd_track_list  tracks = { 0 };
    hd_status      status = hd_series_list_read(cube, &windows);

    if (status == HD_OK && windows.is_there)
        status = hd_track_list_read(cube, windows.n_slices, &tracks);
    if (tracks.n > 0)
        put_tracks(json, key, &tracks, &windows);
    else
        hd_json_null(json, key);
    hd_series_list_fini(&windows);
    hd_track_list_fini(&tracks);
    return status;
}
