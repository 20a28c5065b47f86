/* src/trace/decode/task_stub.h: where the time of explicit tasks goes (docs/metrics.md#tasks). Inside of decode only.
 *
 * A task has a stub, a node that stands for it where the implicit task left off; its own call paths are below TASKS.
 * Time in its own regions is theirs; the rest, between a switch and the next region, is the stub's. Of a moved task it
 * depends on what other threads left open whether that is the rest: a place of the fragment (task_fragment.h) keeps it.
 * Uses: boundary. MT: the loading thread.
 */
#ifndef HD_TASK_STUB_H
#define HD_TASK_STUB_H

#include "boundary.h"
#include "thread_state.h"

/* As below, while a task runs. */
void hd_decoder_book_in_task(hd_decoder *decoder, hd_time time);

/* Books the time that has passed as an interval of its own, unless it is in a call of MPI. */
void hd_decoder_book_and_cut(hd_decoder *decoder, hd_time time);

/* Books the time that has passed. true: a task runs, or visits are logged. */
static inline bool
hd_decoder_book_until(hd_decoder *decoder, hd_time time)
{
    if (HD_UNLIKELY(decoder->is_special != 0)) {
        hd_decoder_state_until(decoder, time);
        if (decoder->is_in_task) {
            hd_decoder_book_in_task(decoder, time);
            return true;
        }
        if (decoder->cuts_all) {
            hd_decoder_book_and_cut(decoder, time);
            return true;
        }
    }
    if (HD_LIKELY(decoder->stack.depth > 0))
        hd_decoder_book(decoder, decoder->stack.current, hd_span_between(decoder->booked_until, time));
    decoder->booked_until = time;
    return false;
}

/* Time of tasks. What scout 2.6 books for them is in its profile and not in its time vectors. */
void hd_decoder_book_task(hd_decoder *decoder, uint32_t node, hd_span span);
/* The time that a task had before it got a stub. node: the one inside of the interval. */
void hd_decoder_book_unplaced(hd_decoder *decoder, hd_task *task, uint32_t node);
/* The running task enters a region, the first one since needs_stub was set. */
void hd_decoder_task_stub(hd_decoder *decoder, uint32_t region);

/* Of a moved task, which runs. What is open at the end of a fragment goes on elsewhere. */
void hd_decoder_begin_fragment(hd_decoder *decoder);
void hd_decoder_end_fragment(hd_decoder *decoder);
/* It leaves a region that it entered in an earlier fragment. */
void hd_decoder_task_leave(hd_decoder *decoder, uint32_t region);

#endif
