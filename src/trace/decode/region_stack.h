/* src/trace/decode/region_stack.h: enters and leaves of the task that runs. Inside of decode only.
 * Uses: mpi_call, omp_call, task_stub, marked_region. MT: the loading thread. Cost: O(1); what is not a region's plain
 * enter or leave has functions of its own.
 */
#ifndef HD_REGION_STACK_H
#define HD_REGION_STACK_H

#include "marked_region.h"
#include "mpi_call.h"
#include "omp_call.h"
#include "task_stub.h"

void hd_decoder_frames_grow(hd_decoder *decoder);
/* A leave that does not belong to the innermost open region: the regions inside are closed, or the leave is left
 * out. */
void hd_decoder_leave_other(hd_decoder *decoder, uint32_t region);

/* What a frame has unless its region is plain. */
static inline void
hd_decoder_begin_records(const hd_decoder *decoder, hd_frame *frame)
{
    frame->has_points      = false;
    frame->n_records       = 0;
    frame->first_byte      = decoder->stack.records.pending.n;
    frame->first_completed = decoder->stack.records.n_completed;
    frame->task_time       = 0;
    frame->suspended       = decoder->stack.suspended;
}

/* Regions that are not plain; those of MPI are entered there only if regions have marks. */
void hd_decoder_enter_special(hd_decoder *decoder, hd_frame *frame);
void hd_decoder_leave_any(hd_decoder *decoder, hd_frame *frame);
static inline void
hd_decoder_leave_special(hd_decoder *decoder, hd_frame *frame)
{
    if (HD_LIKELY(frame->region_class == HD_CLASS_MPI && decoder->marks == NULL))
        hd_decoder_leave_mpi(decoder, frame);
    else
        hd_decoder_leave_any(decoder, frame);
}

/* Before a region is entered where hd_decoder_book_until() says true: names the task, logs the visit. */
void hd_decoder_enter_first(hd_decoder *decoder, hd_time time, uint32_t region);

/* region: index in the definitions. time: hd_decoder_at(). */
static inline __attribute__((always_inline)) void
hd_decoder_enter(hd_decoder *decoder, hd_time time, uint32_t region)
{
    hd_frame *frame;

    if (HD_UNLIKELY(hd_decoder_book_until(decoder, time)))
        hd_decoder_enter_first(decoder, time, region);
    decoder->stack.current = hd_decoder_child(decoder, decoder->stack.current, region);
    decoder->nodes[decoder->stack.current].visits++;
    if (HD_UNLIKELY(decoder->stack.depth == decoder->stack.capacity))
        hd_decoder_frames_grow(decoder);
    frame                  = &decoder->stack.frames[decoder->stack.depth++];
    frame->enter           = time;
    frame->node            = decoder->stack.current;
    frame->region          = region;
    frame->kind            = decoder->kinds[region];
    frame->cut             = 0;
    if (HD_LIKELY(memcmp(&frame->kind, &decoder->usual, sizeof frame->kind) == 0))
        return;
    if (!frame->is_plain) {
        if (HD_LIKELY(frame->region_class == HD_CLASS_MPI && decoder->marks == NULL)) {
            hd_decoder_begin_records(decoder, frame);
            hd_decoder_enter_mpi(decoder, frame);
            return;
        }
        hd_decoder_enter_special(decoder, frame);
        if (frame->region_class == HD_CLASS_MPI) /* hd_decoder_state_in_mpi() */
            return;
    }
    hd_decoder_state_changes(decoder, frame->state);
}

static inline __attribute__((always_inline)) void
hd_decoder_leave(hd_decoder *decoder, hd_time time, uint32_t region)
{
    hd_frame *frame;

    hd_decoder_book_until(decoder, time);
    if (HD_UNLIKELY(decoder->stack.depth == 0 || decoder->stack.frames[decoder->stack.depth - 1].region != region)) {
        hd_decoder_leave_other(decoder, region);
        return;
    }
    frame = &decoder->stack.frames[decoder->stack.depth - 1];
    if (HD_UNLIKELY(!frame->is_plain))
        hd_decoder_leave_special(decoder, frame);
    decoder->stack.depth--;
    decoder->stack.current = decoder->nodes[frame->node].parent;
    if (HD_LIKELY(decoder->stack.depth > 0))
        hd_decoder_state_changes(decoder, frame[-1].state);
    else
        hd_decoder_state_is_new(decoder);
}

/* Closes all regions of the task that runs, now. */
void hd_decoder_close_all(hd_decoder *decoder);
/* Ends the MPI calls of the task that runs, which does not go on here: what they sent may have been received. */
void hd_decoder_end_calls(hd_decoder *decoder);

#endif
