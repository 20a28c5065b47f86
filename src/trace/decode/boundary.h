/* src/trace/decode/boundary.h: writes the interval log (interval_log.h): which nodes got time since the last boundary.
 * Inside of decode only. Time must be booked (booked_until) before a boundary is put there. Uses: decoder_state. MT:
 * the loading thread.
 */
#ifndef HD_BOUNDARY_H
#define HD_BOUNDARY_H

#include "decoder_state.h"

static inline size_t
hd_decoder_n_touched(const hd_decoder *decoder)
{
    return (size_t)(decoder->touched_end - decoder->touched);
}

/* Puts a boundary, unless there is one at that time or later. */
void hd_decoder_boundary(hd_decoder *decoder, hd_time time);
/* Now, as an iteration begins or ends; not where MPI or a task calls it. */
void hd_decoder_boundary_of_iteration(hd_decoder *decoder);
/* With compat, the first of an interval, or of the log, or where the list grows. */
void hd_decoder_book_first_slow(hd_decoder *decoder, uint32_t node, hd_span span);

/* All that changes nodes[].time, so that it gets into the interval log. */
static inline void
hd_decoder_book(hd_decoder *decoder, uint32_t node, hd_span span)
{
    hd_path_node *n = &decoder->nodes[node];

    if (HD_LIKELY(n->generation == decoder->generation))
        n->time += span;
    else if (HD_LIKELY(decoder->touched_end < decoder->quick_end)) {
        *decoder->touched_end++ = (hd_touched){ .node = node, .generation = decoder->generation, .time = n->time };
        n->generation = decoder->generation;
        n->time += span;
    } else
        hd_decoder_book_first_slow(decoder, node, span);
}

void hd_decoder_generations_again(hd_decoder *decoder); /* no number is left: from 1 on */

static inline uint32_t
hd_decoder_next_generation(hd_decoder *decoder)
{
    if (HD_UNLIKELY(++decoder->generation == 0))
        hd_decoder_generations_again(decoder);
    return decoder->generation;
}

/* An MPI call begins. */
static inline void
hd_decoder_enter_mpi(hd_decoder *decoder, hd_frame *frame)
{
    frame->counts = 0;
    if (HD_LIKELY(decoder->in_mpi.depth++ == 0))
        decoder->in_mpi.since = frame->enter;
    if (decoder->generation != HD_NO_INTERVALS)
        frame->generation = hd_decoder_next_generation(decoder);
}

/* A region that is neither the user's nor of MPI is entered. */
void hd_decoder_enter_other(hd_decoder *decoder, hd_frame *frame);
/* At the enter of an MPI call that is left now. */
void hd_decoder_put_boundary_before(hd_decoder *decoder, const hd_frame *call);
static inline void
hd_decoder_boundary_before(hd_decoder *decoder, const hd_frame *call)
{
    if (decoder->generation != HD_NO_INTERVALS)
        hd_decoder_put_boundary_before(decoder, call);
}
/* An MPI call is left without a boundary. */
void hd_decoder_compact(hd_decoder *decoder);
/* Locks have boundaries, but with compat. */
static inline bool
hd_decoder_has_lock_boundaries(const hd_decoder *decoder)
{
    return decoder->generation != HD_NO_INTERVALS && !decoder->compat;
}
/* Now, as a lock is released (call: NULL), or at the enter of the call that has acquired one. */
void hd_decoder_boundary_of_lock(hd_decoder *decoder, const hd_frame *call);
void hd_decoder_boundaries_finish(hd_decoder *decoder);

/* Compat: around a switch of tasks. */
void hd_decoder_switch_begin(hd_decoder *decoder);
void hd_decoder_switch_end(hd_decoder *decoder);
/* Compat: once a region was entered or left after a switch; before time is booked. */
void hd_decoder_switch_settle(hd_decoder *decoder);
/* Compat: scout cuts at the enter or leave before a record of an MPI call, or before the end of MPI_Init, MPI_Finalize
 * or a barrier. Where regions are inside (the user's function of a reduction, tasks) that is not the call's enter: that
 * is no boundary then, and points look for the next one. */
void hd_decoder_boundary_inside(hd_decoder *decoder, const hd_frame *call);
/* Compat: as hd_decoder_boundary_inside(), when the call is left. Returns the time of the cut. */
hd_time hd_decoder_boundary_at_leave(hd_decoder *decoder, const hd_frame *call);

#endif
