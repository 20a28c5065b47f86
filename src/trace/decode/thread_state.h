/* src/trace/decode/thread_state.h: writes the state log (state_log.h). Inside of decode only. Uses: decoder_state. MT:
 * the loading thread. Cost: O(1) per record that enters or leaves something.
 */
#ifndef HD_THREAD_STATE_H
#define HD_THREAD_STATE_H

#include "decoder_state.h"

/* state << 1 | in parallel, of the time since the record before. */
uint32_t hd_decoder_state_slow(const hd_decoder *decoder);

/* Nothing has changed until then. */
static inline void
hd_decoder_state_until(hd_decoder *decoder, hd_time time)
{
    hd_state_log *log = &decoder->out->states;
    uint32_t      what;

    if (HD_UNLIKELY(!log->has_begun))
        hd_state_log_begin(log, time);
    if (time <= log->until)
        return;
    if (HD_LIKELY(decoder->stack.depth > 0 && decoder->n_forks + decoder->n_parallel == 0)) {
        hd_state state = HD_STATE_MPI;

        if (decoder->in_mpi.depth == 0)
            state = (hd_state)decoder->states[decoder->stack.frames[decoder->stack.depth - 1].region];
        what = state << 1 | (state >= HD_STATE_FORK && state <= HD_STATE_THREADS);
    } else
        what = hd_decoder_state_slow(decoder);
    hd_state_log_put(log, time, what);
}

#endif
