/* src/trace/decode/marked_region.h: instances of regions that hypotheses name ("balance ... per REGION"), with
 * boundaries of the interval log at their enters and leaves. Inside of decode only. Uses: boundary.
 * MT: the loading thread.
 * Cost: where no region has a mark, a comparison per enter and leave. Memory: 24 bytes per instance.
 */
#ifndef HD_MARKED_REGION_H
#define HD_MARKED_REGION_H

#include "boundary.h"

/* Of a mark, now; time is booked until now. */
void hd_decoder_mark_entered(hd_decoder *decoder, uint32_t mark);
void hd_decoder_mark_left(hd_decoder *decoder, uint32_t mark);

static inline uint32_t
hd_decoder_mark_of(const hd_decoder *decoder, uint32_t region)
{
    return HD_LIKELY(decoder->marks == NULL) ? 0 : decoder->marks[region];
}

static inline void
hd_decoder_enter_mark(hd_decoder *decoder, uint32_t region)
{
    uint32_t mark = hd_decoder_mark_of(decoder, region);

    if (HD_UNLIKELY(mark != 0))
        hd_decoder_mark_entered(decoder, mark);
}

static inline void
hd_decoder_leave_mark(hd_decoder *decoder, uint32_t region)
{
    uint32_t mark = hd_decoder_mark_of(decoder, region);

    if (HD_UNLIKELY(mark != 0))
        hd_decoder_mark_left(decoder, mark);
}

#endif
