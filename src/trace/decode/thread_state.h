/* src/trace/decode/thread_state.h: writes the state log (state_log.h). Inside of decode only. Uses: decoder_state. MT:
 * the loading thread. Cost: a comparison per enter and leave, O(1) where the state changes.
 */
#ifndef HD_THREAD_STATE_H
#define HD_THREAD_STATE_H

#include "decoder_state.h"

/* Between a fork and its join the region in which it was is one of the state HD_STATE_FORK. */
void hd_decoder_state_at_fork(hd_decoder *decoder);
void hd_decoder_state_at_join(hd_decoder *decoder, const hd_open_fork *fork);

/* In a region of that state what the location does may be another state than the log's last one. Each record asks for
 * the states of regions alone; forks, teams and tasks are looked at when the next record is there. */
static inline void
hd_decoder_state_changes(hd_decoder *decoder, uint8_t state)
{
    if (state != decoder->usual.state)
        decoder->is_state_new = true;
}

/* Forks, teams or tasks have changed. */
static inline void
hd_decoder_state_is_new(hd_decoder *decoder)
{
    decoder->is_state_new = decoder->keeps_states;
}

/* An outermost MPI call is left, now. Its time is put here, both ends at once: most often the state behind it is that
 * before it. */
void hd_decoder_state_in_any_mpi(hd_decoder *decoder);

/* The same; returns whether two words were put, of the time before it and in it. */
static inline bool
hd_decoder_state_in_mpi(hd_decoder *decoder)
{
    if (HD_LIKELY(!decoder->is_state_new &&
                  hd_state_log_put_wanted(&decoder->out->states, decoder->in_mpi.since, decoder->now)))
        return true;
    hd_decoder_state_in_any_mpi(decoder);
    return false;
}

/* The record before has changed the state: the new one begins with it, at booked_until, or, of the first record, with
 * this one. */
void hd_decoder_state_begin(hd_decoder *decoder, hd_time time);

/* A record that may change something comes now. */
static inline void
hd_decoder_state_until(hd_decoder *decoder, hd_time time)
{
    if (decoder->is_state_new)
        hd_decoder_state_begin(decoder, time);
}

/* What has begun the log was no record. */
static inline void
hd_decoder_state_not_begun(hd_decoder *decoder)
{
    decoder->out->states.has_begun = false;
    hd_decoder_state_is_new(decoder);
}

/* No more records come. */
void hd_decoder_state_end(hd_decoder *decoder);

#endif
