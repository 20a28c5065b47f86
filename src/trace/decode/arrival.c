#include "arrival.h"

#include "side.h"
#include "task.h"

/* Later times are damage, or in another part of the run. */
static hd_time
latest_here(const hd_decoder *decoder)
{
    return hd_time_min(hd_decoder_changes_times(decoder) ? HD_TIME_LAST : decoder->plausible.latest,
                       decoder->border - 1);
}

void
hd_decoder_set_latest(hd_decoder *decoder)
{
    decoder->latest = latest_here(decoder);
    if (decoder->has_flush)
        decoder->latest = hd_time_min(decoder->latest, decoder->flush.start);
}

static hd_time
right_time(hd_decoder *decoder, hd_time time)
{
    hd_finding_kind wrong;

    time = hd_right_time(&decoder->plausible, decoder->now, decoder->out->n_nodes == 0 && decoder->now == 0, time,
                         &wrong);
    hd_decoder_set_latest(decoder);
    if (wrong != HD_N_FINDINGS)
        hd_decoder_plain_finding(decoder, wrong);
    if (decoder->out->first == 0)
        decoder->out->first = time;
    return time;
}

hd_time
hd_decoder_clock(hd_decoder *decoder, hd_time time, uint64_t position, bool is_point, hd_span *moved_by)
{
    hd_clock_cursor *clock = &decoder->clock;
    hd_time          other;
    hd_finding_kind  wrong;

    time = hd_right_time(&decoder->plausible, clock->now, !clock->has_begun, time, &wrong);
    clock->has_begun = true;
    if (wrong != HD_N_FINDINGS)
        hd_decoder_plain_finding(decoder, wrong);
    clock->now = time;
    if (clock->log != NULL)
        time = is_point ? hd_clock_cursor_pass(clock, time) : hd_clock_cursor_time(clock, time);
    other = decoder->times.times != NULL ? hd_record_times_at(&decoder->times, position) : time;
    if (moved_by != NULL)
        *moved_by = hd_span_between(time, other);
    return other;
}

void
hd_decoder_pass(hd_decoder *decoder, hd_time time)
{
    if (decoder->clock.log != NULL)
        time = hd_clock_cursor_time(&decoder->clock, hd_time_max(time, decoder->clock.now));
    if (time <= latest_here(decoder))
        decoder->passed = hd_time_max(decoder->passed, time);
}

/* The next border, where `side` and `i_part` say where it is.
 *
 *   an interval          outside | inside | outside                                         i_part 0, 0, 1
 *   regions of interest  beyond | outside | inside | outside | inside | outside | beyond    i_part 0, 0, 0, 1, 1, 2, 2
 *                       window |------------------------------------------------|
 */
static void
find_border(hd_decoder *decoder)
{
    const hd_analysis_intervals *intervals = decoder->analysis_intervals;
    const hd_analysis_interval  *part      = &intervals->parts[decoder->i_part];

    decoder->border = decoder->border_time = UINT64_MAX;
    if (decoder->side == HD_SIDE_INSIDE) {
        decoder->border      = part->last + 1;
        decoder->border_time = part->to;
    } else if (decoder->side == HD_SIDE_OUTSIDE && decoder->i_part < intervals->n)
        decoder->border = decoder->border_time = part->from;
    else if (decoder->side == HD_SIDE_OUTSIDE && intervals->has_regions) {
        decoder->border      = intervals->window.last + 1;
        decoder->border_time = intervals->window.to;
    } else if (decoder->side == HD_SIDE_BEYOND && !decoder->is_window_over)
        decoder->border = decoder->border_time = intervals->window.from;
    hd_decoder_set_latest(decoder);
}

static void
change_side(hd_decoder *decoder)
{
    if (decoder->side == HD_SIDE_INSIDE) {
        decoder->side = HD_SIDE_OUTSIDE;
        decoder->i_part++;
    } else if (decoder->side == HD_SIDE_BEYOND)
        decoder->side = HD_SIDE_OUTSIDE;
    else if (decoder->i_part < decoder->analysis_intervals->n)
        decoder->side = HD_SIDE_INSIDE;
    else {
        decoder->side           = HD_SIDE_BEYOND;
        decoder->is_window_over = true;
    }
}

void
hd_decoder_borders_init(hd_decoder *decoder)
{
    decoder->border = decoder->border_time = UINT64_MAX;
    hd_decoder_set_latest(decoder);
    if (decoder->analysis_intervals == NULL)
        return;
    decoder->side_bits = hd_analysis_intervals_bits(decoder->analysis_intervals);
    if (decoder->finds_main_window) {
        decoder->side   = decoder->thread == 0 ? HD_SIDE_OUTSIDE : HD_SIDE_INSIDE;
        decoder->latest = 0; /* the first record is looked at */
        return;
    }
    decoder->side      = decoder->analysis_intervals->has_regions ? HD_SIDE_BEYOND : HD_SIDE_OUTSIDE;
    find_border(decoder);
    while (decoder->border == 0) {
        change_side(decoder);
        find_border(decoder);
    }
}

void
hd_decoder_pass_borders(hd_decoder *decoder, hd_time time)
{
    while (time >= decoder->border) {
        uint32_t before    = decoder->side;
        bool     has_begun = decoder->out->states.has_begun;

        if (decoder->has_flush)
            hd_decoder_flush_due(decoder, decoder->border_time, true);
        hd_decoder_book_until(decoder, decoder->border_time);
        if (!has_begun) /* no record is there yet: its states do not begin here */
            hd_decoder_state_not_begun(decoder);
        change_side(decoder);
        hd_decoder_pass_frames(decoder, decoder->stack.frames, decoder->stack.depth);
        decoder->stack.current = hd_decoder_here(decoder, decoder->stack.current);
        hd_decoder_tasks_pass_border(decoder, before);
        find_border(decoder);
    }
}

hd_time
hd_decoder_other_time(hd_decoder *decoder, hd_time time)
{
    if (!decoder->has_flush || time < decoder->now || time > latest_here(decoder)) {
        time = right_time(decoder, time);
        hd_decoder_pass_borders(decoder, time);
    }
    if (decoder->has_flush)
        hd_decoder_flush_due(decoder, time, false);
    return time;
}

void
hd_decoder_flush(hd_decoder *decoder, hd_time start, hd_time stop)
{
    hd_time now = hd_decoder_at(decoder, start);

    if (decoder->has_flush) /* one inside of another: the first one goes on */
        return;
    decoder->has_flush   = true;
    decoder->flush.start = now;
    decoder->flush.stop  = stop;
    if (stop < now || stop > (hd_decoder_changes_times(decoder) ? HD_TIME_LAST : decoder->plausible.latest))
        decoder->flush.stop = stop < now ? now : right_time(decoder, stop);
    decoder->flush.open  = false;
    hd_decoder_set_latest(decoder);
}

/* The record of a flush stands where it starts. Its start comes after all records that are not later. It ends when it
 * says, but no later than the first record that is: nothing is recorded while the buffer is written, so its stop is
 * wrong then. A border of the interval ends it not. */
void
hd_decoder_flush_due(hd_decoder *decoder, hd_time time, bool is_border)
{
    hd_time stop;

    if (!decoder->flush.open && time > decoder->flush.start) {
        hd_decoder_enter(decoder, decoder->flush.start, decoder->defs->flush_region);
        decoder->now        = decoder->flush.start;
        decoder->flush.open = true;
    }
    if (!decoder->flush.open || (is_border && time < decoder->flush.stop))
        return;
    stop = hd_time_max(hd_time_min(decoder->flush.stop, time), decoder->now);
    hd_decoder_leave(decoder, stop, decoder->defs->flush_region);
    decoder->now       = stop;
    decoder->has_flush = false;
    hd_decoder_set_latest(decoder);
}
