/* replay/clock/clock_amortize.c: backward amortization, from the last event of a location to the first. An event that
 * may not move so far lowers the ramp before it; the ramp is then measured from that event on. */
#include "clock_amortize.h"

#define RISES_IN 100 /* a correction gets larger by one part in so many of the time that passes */

/* The correction of event i was lowered to its limit. Those of the events after it, up to the anchor, come down to the
 * line that rises from i as slowly as the least corrections allow. */
static void
lower(hd_clock_log *log, const hd_span *least, size_t i, size_t anchor)
{
    hd_span base = log->moves[i];
    hd_time from = log->points[i].time;
    hd_span up = 1, over = RISES_IN; /* the slope of the line */
    size_t  k;

    for (k = i + 1; k <= anchor; k++) {
        hd_span over_k = hd_span_between(from, log->points[k].time);
        hd_span up_k   = (k == anchor ? log->moves[k] : least[k]) - base;

        if (over_k > 0 && (__int128)up_k * over > (__int128)up * over_k) {
            up   = up_k;
            over = over_k;
        }
        if (over_k > 0 && (__int128)(log->moves[k] - base) * over <= (__int128)up * over_k)
            break;
    }
    for (size_t j = i + 1; j < k && j < anchor; j++) {
        hd_span rise = (hd_span)((__int128)up * hd_span_between(from, log->points[j].time) / over);
        hd_span line = base + rise > least[j] ? base + rise : least[j];

        if (line < log->moves[j])
            log->moves[j] = line;
    }
}

/* Events of one record have one limit. */
static void
join_limits(hd_clock_vproc *vproc)
{
    for (size_t i = 1; i < vproc->log->n; i++)
        if (vproc->log->points[i].is_same && vproc->limits[i - 1] < vproc->limits[i])
            vproc->limits[i] = vproc->limits[i - 1];
}

/* From the last event to the first one. */
static void
build_ramps(hd_clock_replay *replay, hd_clock_vproc *vproc)
{
    hd_clock_log *log    = vproc->log;
    size_t        anchor = log->n - 1; /* events from here on are final */
    size_t        ramp   = anchor;     /* the event that the slope leads to */
    hd_span      *least  = hd_scratch_alloc(replay->request->logs->scratch, log->n, sizeof *least);

    memcpy(least, log->moves, log->n * sizeof *least);
    for (size_t i = log->n - 1; i-- > 0;) {
        hd_span slope = log->moves[ramp] - hd_span_between(log->points[i].time, log->points[ramp].time) / RISES_IN;

        if (slope <= log->moves[i]) {
            ramp = i;
            continue;
        }
        log->moves[i] = slope;
        if (slope <= vproc->limits[i])
            continue;
        log->moves[i] = least[i] > vproc->limits[i] ? least[i] : vproc->limits[i];
        lower(log, least, i, anchor);
        anchor = ramp = i;
    }
    hd_scratch_free(replay->request->logs->scratch, least);
}

static void
measure(hd_clock_vproc *vproc)
{
    const hd_clock_log *log = vproc->log;
    hd_clock_row       *row = &vproc->row;

    row->n_points = log->n;
    for (size_t i = 0; i < log->n; i++) {
        hd_span was  = i > 0 ? hd_span_between(log->points[i - 1].time, log->points[i].time) : 0;
        hd_span rise = i > 0 ? log->moves[i] - log->moves[i - 1] : 0;

        row->n_moved += log->moves[i] > 0;
        row->largest_move = row->largest_move > log->moves[i] ? row->largest_move : log->moves[i];
        if (was > 0 && (double)rise / (double)was > row->largest_stretch)
            row->largest_stretch = (double)rise / (double)was;
        if (-rise > row->largest_shrink)
            row->largest_shrink = -rise;
    }
}

void
hd_clock_amortize(hd_clock_replay *replay, hd_clock_vproc *vproc)
{
    if (vproc->log->n > 0) {
        join_limits(vproc);
        build_ramps(replay, vproc);
    }
    measure(vproc);
}
