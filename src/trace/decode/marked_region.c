/* src/trace/decode/marked_region.c: a region that calls itself is one instance, the outermost one. */
#include "marked_region.h"

static hd_open_mark *
open_mark(hd_decoder *decoder, uint32_t mark)
{
    while (decoder->n_open_marks <= mark)
        HD_PUSH(decoder->open_marks, decoder->n_open_marks, decoder->capacity_open_marks,
                ((hd_open_mark){ .depth = 0 }));
    return &decoder->open_marks[mark];
}

void
hd_decoder_mark_entered(hd_decoder *decoder, uint32_t mark)
{
    hd_open_mark *open = open_mark(decoder, mark);

    if (open->depth++ > 0)
        return;
    hd_decoder_boundary(decoder, decoder->booked_until);
    open->instance = decoder->more.n_marked;
    HD_PUSH(decoder->more.marked, decoder->more.n_marked, decoder->more.marked_capacity,
            ((hd_iteration){ .enter = decoder->booked_until, .leave = UINT64_MAX, .region = mark }));
}

/* One that was not entered here may have been by a task that moved. */
void
hd_decoder_mark_left(hd_decoder *decoder, uint32_t mark)
{
    hd_open_mark *open = open_mark(decoder, mark);

    if (open->depth == 0 || --open->depth > 0)
        return;
    hd_decoder_boundary(decoder, decoder->booked_until);
    decoder->more.marked[open->instance].leave = decoder->booked_until;
}
