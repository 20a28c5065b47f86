/* Writes tracks with counters: what was counted in a second since the value before, and levels as they are. */
#include "perfetto_format.h"

#include "level_list.h"
#include "memory.h"

/* What tells a track from others of the process: the thing that a metric over time is of, or a location but the first
 * one; free() it. */
static char *
place_of(const hd_perfetto *perfetto, uint32_t counter)
{
    const hd_defs         *defs     = perfetto->export->defs;
    const hd_location_def *location = &hd_defs_locations(defs)[perfetto->location];

    if (counter >= defs->n_counters && hd_defs_counters(defs)[counter].scope_index != HD_NONE)
        return hd_level_scope(defs, counter, perfetto->location);
    return location->thread > 0 ? hd_format("location %" PRIu32, location->thread) : NULL;
}

/* A track of a process is found by its name. */
static void
put_track(hd_perfetto *perfetto, uint32_t counter, const char *per)
{
    const hd_defs *defs  = perfetto->export->defs;
    const char    *unit  = hd_defs_text(defs, hd_defs_counters(defs)[counter].unit);
    char          *place = place_of(perfetto, counter);
    char          *name  = hd_format("%s%s%s%s%s%s%s", hd_defs_text(defs, hd_defs_counters(defs)[counter].name),
                                     *unit != '\0' ? " [" : "", unit, *unit != '\0' ? "]" : "", per,
                                     place != NULL ? ", " : "", place != NULL ? place : "");

    fputs(",\"name\":", perfetto->out);
    hd_perfetto_put_text(perfetto->out, name);
    free(name);
    free(place);
}

static void
put_value(hd_perfetto *perfetto, hd_time time, uint32_t counter, const char *per, double value)
{
    if (!(value - value == 0))
        return;
    hd_perfetto_begin_event(perfetto, "C", time,
                            HD_PERFETTO_PROCESS(hd_defs_locations(perfetto->export->defs)[perfetto->location].process),
                            HD_PERFETTO_THREAD(perfetto->location));
    put_track(perfetto, counter, per);
    fprintf(perfetto->out, ",\"args\":{\"value\":%.9g}}", value);
}

static void
put_rate(hd_perfetto *perfetto, uint32_t counter, double rate)
{
    hd_perfetto_counter *track = &perfetto->counters[counter];

    if (track->has_rate && rate == track->rate)
        return;
    put_value(perfetto, track->time, counter, " per s", rate);
    track->rate     = rate;
    track->has_rate = true;
}

void
hd_perfetto_counter_value(void *state, hd_time time, uint32_t counter, double value)
{
    hd_perfetto          *perfetto = state;
    const hd_defs        *defs     = perfetto->export->defs;
    uint8_t               mode     = hd_defs_counters(defs)[counter].mode;
    hd_perfetto_counter  *track    = &perfetto->counters[counter];
    double                seconds;

    if (mode == HD_COUNTER_LEVEL || perfetto->export->falls[counter]) {
        if (!track->is_known || value != track->value)
            put_value(perfetto, time, counter, "", value);
        track->is_known = true;
        track->value    = value;
        return;
    }
    if (mode == HD_COUNTER_RELATIVE)
        value += track->value;
    seconds = track->is_known ? (double)hd_span_between(track->time, time) / (double)defs->resolution : 0;
    if (track->is_known && seconds <= 0)
        return; /* with the next one */
    if (track->is_known && value >= track->value)
        put_rate(perfetto, counter, (value - track->value) / seconds);
    track->is_known = true;
    track->time     = time;
    track->value    = value;
}

void
hd_perfetto_counters_end(hd_perfetto *perfetto)
{
    const hd_defs *defs = perfetto->export->defs;

    for (uint32_t i = 0; i < defs->n_counters + defs->n_tracks; i++) {
        if (perfetto->counters[i].has_rate)
            put_rate(perfetto, i, 0);
        perfetto->counters[i] = (hd_perfetto_counter){ .is_known = false };
    }
}
