#include "region_stack.h"

void
hd_decoder_frames_grow(hd_decoder *decoder)
{
    decoder->stack.frames = hd_grow(decoder->stack.frames, decoder->stack.depth, &decoder->stack.capacity,
                                    sizeof *decoder->stack.frames);
}

static void
pop(hd_decoder *decoder)
{
    hd_frame *frame = &decoder->stack.frames[decoder->stack.depth - 1];

    if (frame->region_class == HD_CLASS_MPI)
        hd_decoder_leave_mpi(decoder, frame);
    else if (frame->call != HD_CALL_OTHER)
        hd_decoder_leave_omp(decoder, frame);
    decoder->stack.depth--;
    decoder->stack.current = decoder->out->nodes[frame->node].parent;
}

void
hd_decoder_leave_other(hd_decoder *decoder, uint32_t region)
{
    size_t depth = decoder->stack.depth;

    if (depth == 0 && decoder->task != NULL && decoder->task->moved != HD_NONE) {
        hd_decoder_task_leave(decoder, region);
        return;
    }
    hd_decoder_plain_finding(decoder, HD_FINDING_UNBALANCED);
    if (decoder->task != NULL)
        decoder->task->begun = false; /* entered elsewhere, it seems */
    while (depth > 0 && decoder->stack.frames[depth - 1].region != region)
        depth--;
    if (depth == 0)
        return;
    while (decoder->stack.depth >= depth)
        pop(decoder);
}

void
hd_decoder_close_all(hd_decoder *decoder)
{
    hd_decoder_book_until(decoder, decoder->now);
    decoder->is_closing = true;
    while (decoder->stack.depth > 0) {
        if (!hd_context_stack_forget(decoder->stack.contexts, decoder->stack.depth - 1))
            hd_decoder_plain_finding(decoder, HD_FINDING_UNBALANCED);
        pop(decoder);
    }
    decoder->is_closing = false;
}

void
hd_decoder_end_calls(hd_decoder *decoder)
{
    for (; decoder->stack.depth > 0; decoder->stack.depth--) {
        hd_frame *frame = &decoder->stack.frames[decoder->stack.depth - 1];

        if (frame->region_class == HD_CLASS_MPI)
            hd_decoder_leave_mpi(decoder, frame);
    }
}

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
