/* src/trace/decode/moment.c: a moment, and the boundaries around it. */
#include "moment.h"

void
hd_decoder_put_moment(hd_decoder *decoder, hd_moment moment, const hd_frame *call, uint64_t of, uint64_t number)
{
    uint32_t node  = hd_decoder_inner(decoder, call != NULL ? call->node : decoder->stack.current);
    hd_time  enter = call != NULL ? call->enter : decoder->booked_until;

    if (decoder->out->intervals.n_intervals > 0 || decoder->touched_end > decoder->touched)
        hd_decoder_boundary(decoder, decoder->booked_until);
    hd_decoder_book_until(decoder, decoder->now);
    hd_decoder_boundary(decoder, decoder->now);
    hd_thread_log_put(&decoder->more.threads,
                      &(hd_thread_op){ .kind = HD_THREAD_MOMENT, .moment = moment, .enter = enter,
                                       .leave = decoder->now, .call_path = node != HD_NONE ? node : 0, .of = of,
                                       .number = number });
}

void
hd_decoder_ordered_left(hd_decoder *decoder)
{
    const hd_frame *block = &decoder->stack.frames[decoder->stack.depth - 1], *ordered = block - 1;

    if (decoder->stack.depth < 2 || decoder->regions[ordered->region].role != HD_ROLE_ORDERED)
        return;
    hd_thread_log_put(&decoder->more.threads,
                      &(hd_thread_op){ .kind = HD_THREAD_MOMENT, .moment = HD_MOMENT_ORDERED_BEGIN,
                                       .enter = ordered->enter, .leave = block->enter, .call_path = ordered->node });
    hd_decoder_put_moment(decoder, HD_MOMENT_ORDERED_END, ordered, 0, 0);
}
