/* src/trace/decode/mpi_call.h: what MPI calls leave: records of messages and collectives in the op log (oplog.h), and
 * their counts.
 *
 * Records are those whose time is `now`. One that is outside of an MPI call, or names a communicator or peer that does
 * not exist, is a finding and no op. Inside of decode only. Uses: boundary. MT: the loading thread.
 */
#ifndef HD_MPI_CALL_H
#define HD_MPI_CALL_H

#include "boundary.h"
#include "op_code.h"

typedef struct hd_message_record {
    hd_time  time;
    uint32_t peer, comm_ref, tag;
    uint64_t bytes;
} hd_message_record;

typedef struct hd_collective_record {
    hd_time  time;
    uint32_t operation, comm_ref, root;
    uint64_t sent, received;
} hd_collective_record;

/* request: NULL for blocking ones. */
void hd_decoder_send(hd_decoder *decoder, const hd_message_record *record, const uint64_t *request);
void hd_decoder_receive(hd_decoder *decoder, const hd_message_record *record, const uint64_t *request);
void hd_decoder_send_complete(hd_decoder *decoder, uint64_t request);
void hd_decoder_receive_request(hd_decoder *decoder, uint64_t request);
void hd_decoder_cancelled(hd_decoder *decoder, uint64_t request);
void hd_decoder_collective(hd_decoder *decoder, const hd_collective_record *record);
void hd_decoder_nbc_request(hd_decoder *decoder, uint64_t request);
void hd_decoder_nbc_complete(hd_decoder *decoder, const hd_collective_record *record, uint64_t request);

/* The innermost region, of class MPI, is left now. */
void hd_decoder_leave_mpi(hd_decoder *decoder, hd_frame *frame);

/* The call of a record, NULL (a finding): it is not inside of one. */
hd_frame *hd_decoder_no_call(hd_decoder *decoder); /* that */
static inline hd_frame *
hd_decoder_call_of(hd_decoder *decoder)
{
    if (HD_LIKELY(decoder->stack.depth > 0)) {
        hd_frame *frame = &decoder->stack.frames[decoder->stack.depth - 1];

        if (HD_LIKELY(frame->region_class == HD_CLASS_MPI))
            return frame;
    }
    return hd_decoder_no_call(decoder);
}
/* [HD_N_COUNTS] of a call, until the counts of another one are asked for. */
uint64_t *hd_decoder_other_counts(hd_decoder *decoder, hd_frame *frame);
static inline uint64_t *
hd_decoder_counts_of(hd_decoder *decoder, hd_frame *frame)
{
    uint32_t counts = decoder->beside[frame->node].counts;

    return HD_LIKELY(counts != HD_NONE && !hd_decoder_cuts_calls(decoder)) ? decoder->out->counts[counts].values :
           hd_decoder_other_counts(decoder, frame);
}
/* The channel; HD_NONE (a finding): communicator or peer do not exist. comm: index in the definitions. */
uint32_t hd_decoder_channel(hd_decoder *decoder, hd_channel_kind kind, uint32_t comm, uint32_t peer_rank, uint32_t tag);
/* A record of the call that is open, for the op log. Counts of channels are the caller's. */
static inline __attribute__((always_inline)) void
hd_decoder_put_op(hd_decoder *decoder, hd_frame *frame, const hd_op *op)
{
    if (HD_UNLIKELY(decoder->compat))
        hd_decoder_boundary_inside(decoder, frame);
    frame->n_records++;
    frame->has_points |= op->kind != HD_OP_RMA || op->operation != HD_RMA_COMPLETION;
    hd_op_put(&decoder->stack.records.pending, op, frame->enter);
}
/* The record of a collective operation, counted in its channel. */
static inline void
hd_decoder_put_collective(hd_decoder *decoder, hd_frame *frame, uint32_t channel, uint32_t operation, hd_time begin,
                          const hd_collective_record *record)
{
    decoder->channels.list[channel].n++;
    hd_decoder_put_op(decoder, frame,
                      &(hd_op){ .kind = HD_OP_COLL, .channel = channel, .operation = operation, .root = record->root,
                                .begin = begin, .time = record->time, .sent = record->sent,
                                .received = record->received });
}

#endif
