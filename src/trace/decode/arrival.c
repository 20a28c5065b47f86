#include "arrival.h"

#include "record_time.h"
#include "task.h"

void
hd_decoder_set_latest(hd_decoder *decoder)
{
    decoder->latest = hd_time_min(decoder->clock.log != NULL ? HD_TIME_LAST : decoder->plausible, decoder->border - 1);
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
    return time;
}

hd_time
hd_decoder_clock(hd_decoder *decoder, hd_time time, bool is_point)
{
    hd_clock_cursor *clock = &decoder->clock;
    hd_finding_kind  wrong;

    time = hd_right_time(&decoder->plausible, clock->now, !clock->has_begun, time, &wrong);
    clock->has_begun = true;
    if (wrong != HD_N_FINDINGS)
        hd_decoder_plain_finding(decoder, wrong);
    clock->now = time;
    return is_point ? hd_clock_cursor_pass(clock, time) : hd_clock_cursor_time(clock, time);
}

void
hd_decoder_pass_borders(hd_decoder *decoder, hd_time time)
{
    while (time >= decoder->border) {
        if (decoder->has_flush)
            hd_decoder_flush_due(decoder, decoder->border, true);
        hd_decoder_book_until(decoder, decoder->border);
        decoder->outside ^= HD_OUTSIDE;
        hd_decoder_pass_frames(decoder, decoder->stack.frames, decoder->stack.depth);
        decoder->stack.current = hd_decoder_here(decoder, decoder->stack.current);
        hd_decoder_tasks_pass_border(decoder);
        decoder->border = decoder->outside == 0 ? decoder->analysis_interval->to : UINT64_MAX;
        hd_decoder_set_latest(decoder);
    }
}

hd_time
hd_decoder_wrong_time(hd_decoder *decoder, hd_time time)
{
    time = right_time(decoder, time);
    hd_decoder_pass_borders(decoder, time);
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
    if (stop < now || stop > (decoder->clock.log != NULL ? HD_TIME_LAST : decoder->plausible))
        decoder->flush.stop = stop < now ? now : right_time(decoder, stop);
    decoder->flush.open  = false;
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
}
