/* src/trace/decode/moment.h: writes what the simulation needs to know of tasks, ordered regions and created threads
 * (HD_THREAD_MOMENT of thread_log.h), with boundaries of intervals around it. Inside of decode only.
 *
 * Where it was not asked for nothing is done. Uses: task_stub. MT: the loading thread.
 */
#ifndef HD_MOMENT_DECODE_H
#define HD_MOMENT_DECODE_H

#include "task_stub.h"

void hd_decoder_put_moment(hd_decoder *decoder, hd_moment moment, const hd_frame *call, uint64_t of, uint64_t number);

/* Now, before the record is followed. call: that waits until now; NULL: since the record before. of, number: of a task
 * the thread that created it and its number; of a created thread its communicator and its number. */
static inline void
hd_decoder_moment(hd_decoder *decoder, hd_moment moment, const hd_frame *call, uint64_t of, uint64_t number)
{
    if (HD_UNLIKELY(decoder->keeps_moments))
        hd_decoder_put_moment(decoder, moment, call, of, number);
}

/* A block of an ordered region is left, the innermost one. */
void hd_decoder_ordered_left(hd_decoder *decoder);

#endif
