#include "region_stack.h"

void
hd_decoder_frames_grow(hd_decoder *decoder)
{
    decoder->stack.frames = hd_grow(decoder->stack.frames, decoder->stack.depth, &decoder->stack.capacity,
                                    sizeof *decoder->stack.frames);
}

void
hd_decoder_enter_first(hd_decoder *decoder, hd_time time, uint32_t region)
{
    if (decoder->needs_stub)
        hd_decoder_task_stub(decoder, region);
    if (decoder->cuts_all)
        hd_decoder_put_count(decoder, HD_COUNTED_VISIT, hd_decoder_child(decoder, decoder->stack.current, region), time,
                             0, 0);
}

void
hd_decoder_enter_special(hd_decoder *decoder, hd_frame *frame)
{
    hd_decoder_begin_records(decoder, frame);
    hd_decoder_enter_mark(decoder, frame->region);
    if (frame->region_class == HD_CLASS_MPI)
        hd_decoder_enter_mpi(decoder, frame);
    else if (frame->region_class != HD_CLASS_USER)
        hd_decoder_enter_other(decoder, frame);
    else if (frame->call == HD_CALL_ITERATION)
        hd_decoder_enter_iteration(decoder, frame);
}

void
hd_decoder_leave_any(hd_decoder *decoder, hd_frame *frame)
{
    if (frame->region_class == HD_CLASS_MPI)
        hd_decoder_leave_mpi(decoder, frame);
    else if (frame->call != HD_CALL_OTHER)
        hd_decoder_leave_omp(decoder, frame);
    hd_decoder_leave_mark(decoder, frame->region);
}

static void
pop(hd_decoder *decoder)
{
    hd_frame *frame = &decoder->stack.frames[decoder->stack.depth - 1];

    if (!frame->is_plain)
        hd_decoder_leave_special(decoder, frame);
    decoder->stack.depth--;
    hd_decoder_state_is_new(decoder);
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
    hd_decoder_state_is_new(decoder);
    for (; decoder->stack.depth > 0; decoder->stack.depth--) {
        hd_frame *frame = &decoder->stack.frames[decoder->stack.depth - 1];

        if (frame->region_class == HD_CLASS_MPI)
            hd_decoder_leave_mpi(decoder, frame);
    }
}
