/* src/trace/decode/arrival.h: the time of the next record, and what happens before it. Inside of decode only.
 *
 * Before a record, a flush of the trace buffer may end and a border of the interval may be passed. Uses: region_stack,
 * task, record_time.
 * MT: the loading thread.
 */
#ifndef HD_ARRIVAL_H
#define HD_ARRIVAL_H

#include "region_stack.h"

/* A time that is earlier than the record before, or later than `latest`: what stands in its place, if it cannot be.
 * Passes borders of the interval, and what is due of a flush. */
hd_time hd_decoder_other_time(hd_decoder *decoder, hd_time time);
void    hd_decoder_flush_due(hd_decoder *decoder, hd_time time, bool is_border); /* of the interval; else of a record */

/* The time of the next record: never before the one before it. */
static inline __attribute__((always_inline)) hd_time
hd_decoder_at(hd_decoder *decoder, hd_time time)
{
    if (HD_UNLIKELY(time < decoder->now || time > decoder->latest))
        time = hd_decoder_other_time(decoder, time);
    decoder->now = time;
    return time;
}

/* Whether records get times other than those in the archive. */
static inline bool
hd_decoder_changes_times(const hd_decoder *decoder)
{
    return decoder->clock.log != NULL || decoder->times.times != NULL;
}

/* The time that a record gets, corrected by the clock log or another one, before any other function is called for it.
 * position: in the file; is_point: it is a point of the clock log. *moved_by: out, how much later another one is than
 * the corrected one; NULL is fine. */
hd_time hd_decoder_clock(hd_decoder *decoder, hd_time time, uint64_t position, bool is_point, hd_span *moved_by);
/* A record that is not decoded. */
void    hd_decoder_pass(hd_decoder *decoder, hd_time time);
/* A record of a flush of the trace buffer; hd_decoder_at() is not called before. */
void hd_decoder_flush(hd_decoder *decoder, hd_time start, hd_time stop);
/* Borders of the interval up to that time are passed. */
void hd_decoder_pass_borders(hd_decoder *decoder, hd_time time);
/* Before the first record: the side of its time, and the next border. */
void hd_decoder_borders_init(hd_decoder *decoder);
/* `plausible`, `border` or `flush` has changed. */
void hd_decoder_set_latest(hd_decoder *decoder);

#endif
