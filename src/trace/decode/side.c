/* src/trace/decode/side.c: what is open when a border of an interval is passed. */
#include "side.h"

/* It is left on the side that begins now, or later. */
static void
note_open_call(hd_decoder *decoder, const hd_frame *frame)
{
    HD_PUSH(decoder->out->open_calls, decoder->out->n_open_calls, decoder->capacity_open_calls,
            ((hd_open_call){ frame->enter, hd_decoder_inner(decoder, frame->node), hd_side_bits[decoder->side] }));
}

void
hd_decoder_pass_frames(hd_decoder *decoder, hd_frame *frames, size_t n)
{
    hd_path_node *nodes = decoder->out->nodes;

    for (size_t i = 0; i < n; i++) {
        hd_frame *frame = &frames[i];

        if (decoder->side == HD_SIDE_INSIDE)
            frame->cut |= HD_OUTSIDE;
        else if ((frame->node & HD_BEYOND & decoder->side_bits) != 0)
            frame->cut = HD_OUTSIDE | HD_BEYOND;
        else if (decoder->side == HD_SIDE_BEYOND || frame->cut == 0)
            note_open_call(decoder, frame);
        if (decoder->side == HD_SIDE_OUTSIDE && (frame->node & HD_OUTSIDE) == 0 && frame->cut == 0) {
            nodes[frame->node].visits--;
            nodes[frame->node | HD_OUTSIDE].visits++;
        }
        frame->node = hd_decoder_here(decoder, frame->node);
    }
}

static bool
has_open_tasks(const hd_decoder *decoder)
{
    bool has = decoder->task != NULL;

    for (size_t i = 0; i < decoder->n_task_teams; i++)
        has = has || decoder->task_teams[i].tasks.n > 0;
    return has;
}

void
hd_decoder_pass_main_border(hd_decoder *decoder, const hd_frame *call)
{
    uint32_t from = call->call == HD_CALL_INIT ? HD_SIDE_OUTSIDE : HD_SIDE_INSIDE;

    if (decoder->thread > 0 || decoder->side != from || decoder->is_closing || has_open_tasks(decoder))
        return;
    decoder->out->n_main_borders++;
    decoder->side = from == HD_SIDE_OUTSIDE ? HD_SIDE_INSIDE : HD_SIDE_OUTSIDE;
    hd_decoder_pass_frames(decoder, decoder->stack.frames, decoder->stack.depth);
    decoder->stack.current = hd_decoder_here(decoder, decoder->stack.current);
}
