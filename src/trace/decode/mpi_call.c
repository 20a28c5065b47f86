#include "mpi_call.h"

#include "file_use.h"
#include "polled_wait.h"
#include "side.h"
#include "thread_state.h"

static uint64_t *
counts_at(hd_decoder *decoder, uint32_t node)
{
    hd_loaded_location *out   = decoder->out;
    uint32_t           *place = &decoder->beside[node].counts;

    if (HD_UNLIKELY(*place == HD_NONE)) {
        *place = (uint32_t)out->n_counts;
        HD_PUSH(out->counts, out->n_counts, decoder->capacity_counts, ((hd_counts){ .node = node }));
    }
    return out->counts[*place].values;
}

/* A call that the interval has held so far: its counts are put aside until it is left. */
static uint64_t *
open_counts(hd_decoder *decoder, hd_frame *frame)
{
    if (frame->counts == 0) {
        HD_PUSH(decoder->open_counts, decoder->n_open_counts, decoder->capacity_open_counts,
                ((hd_counts){ .node = 0 }));
        frame->counts = (uint32_t)decoder->n_open_counts;
    }
    return decoder->open_counts[frame->counts - 1].values;
}

uint64_t *
hd_decoder_other_counts(hd_decoder *decoder, hd_frame *frame)
{
    return !hd_decoder_cuts_calls(decoder) ? counts_at(decoder, frame->node) :
           decoder->side == HD_SIDE_INSIDE && !frame->cut ? open_counts(decoder, frame) :
           counts_at(decoder, frame->node | frame->cut);
}

static void
settle_counts(hd_decoder *decoder, hd_frame *frame)
{
    hd_counts *open   = &decoder->open_counts[frame->counts - 1];
    uint64_t  *counts = counts_at(decoder, frame->node | frame->cut);

    for (uint32_t c = 0; c < HD_N_COUNTS; c++)
        counts[c] += open->values[c];
    open->node    = HD_NONE;
    frame->counts = 0;
    while (decoder->n_open_counts > 0 && decoder->open_counts[decoder->n_open_counts - 1].node == HD_NONE)
        decoder->n_open_counts--;
}

hd_frame *
hd_decoder_no_call(hd_decoder *decoder)
{
    hd_decoder_plain_finding(decoder, HD_FINDING_OUTSIDE_CALL);
    return NULL;
}

uint32_t
hd_decoder_channel(hd_decoder *decoder, hd_channel_kind kind, uint32_t comm, uint32_t peer_rank, uint32_t tag)
{
    uint32_t channel = hd_channel_table_number(&decoder->channels, kind, comm, peer_rank, tag);

    if (HD_UNLIKELY(channel == HD_NONE))
        hd_decoder_finding(decoder, HD_FINDING_UNKNOWN, HD_NONE, comm, kind >= HD_CHANNEL_COLL ? HD_NONE : tag);
    return channel;
}

/* The same for a communicator's number in the archive. */
static inline uint32_t
channel_of_ref(hd_decoder *decoder, hd_channel_kind kind, uint32_t comm_ref, uint32_t peer_rank, uint32_t tag)
{
    uint32_t comm    = hd_refs_index(&decoder->refs->comms, comm_ref);
    uint32_t channel = hd_channel_table_number(&decoder->channels, kind, comm, peer_rank, tag);

    return HD_LIKELY(channel != HD_NONE) ? channel : hd_decoder_channel(decoder, kind, comm, peer_rank, tag);
}

static void
start_request(hd_decoder *decoder, uint64_t request, uint64_t value)
{
    if (HD_LIKELY(request != HD_MAP_FREE))
        hd_near_map_put(&decoder->requests, request, value); /* a number used again before its completion was seen: the
                                                              * newer request counts */
}

static __attribute__((noinline, cold)) void
log_send(hd_decoder *decoder, const hd_frame *frame, const hd_message_record *record)
{
    hd_decoder_put_count(decoder, HD_COUNTED_SEND, frame->node, frame->enter, record->bytes, 0);
}

void
hd_decoder_send(hd_decoder *decoder, const hd_message_record *record, const uint64_t *request)
{
    hd_oplog *log     = &decoder->out->log;
    hd_frame *frame   = hd_decoder_call_of(decoder);
    uint32_t  channel;
    uint64_t *counts;

    if (frame == NULL)
        return;
    channel = channel_of_ref(decoder, HD_CHANNEL_SEND, record->comm_ref, record->peer, record->tag);
    if (channel == HD_NONE)
        return;
    counts = hd_decoder_counts_of(decoder, frame);
    counts[record->bytes == 0 ? HD_COUNT_SENDS_EMPTY : HD_COUNT_SENDS_FULL]++;
    counts[HD_COUNT_SENT_BYTES] += record->bytes;
    if (HD_UNLIKELY(decoder->cuts_all))
        log_send(decoder, frame, record);
    decoder->channels.list[channel].n++;
    hd_decoder_put_op(decoder, frame,
                      &(hd_op){ .kind = HD_OP_SEND, .flags = request != NULL ? HD_OP_NONBLOCKING : 0,
                                .channel = channel, .time = record->time, .sent = record->bytes });
    if (request != NULL) {
        start_request(decoder, *request, HD_REQUEST_VALUE(HD_REQUEST_SEND, log->n_sends));
        HD_SCRATCH_PUSH(log->calls.scratch, log->completions, log->n_sends, decoder->capacity_completions,
                        ((hd_completion){ .call = HD_COMPLETION_NONE, .number = channel }));
    }
}

void
hd_decoder_send_complete(hd_decoder *decoder, uint64_t request)
{
    hd_oplog *log   = &decoder->out->log;
    hd_frame *frame = hd_decoder_call_of(decoder);
    uint64_t  value;
    uint32_t  number, send = HD_NONE;

    if (hd_near_map_take(&decoder->requests, request, &value)) {
        if (HD_REQUEST_KIND(value) != HD_REQUEST_SEND)
            return hd_decoder_plain_finding(decoder, HD_FINDING_INCOMPLETE_REQUEST);
        send = (uint32_t)HD_REQUEST_REST(value);
    }
    decoder->polls.has_sent |= frame != NULL && frame->call == HD_CALL_TEST; /* not in vain */
    if (frame == NULL || (frame->call != HD_CALL_WAIT_SINGLE && frame->call != HD_CALL_WAIT_MULTI))
        return;
    if (HD_UNLIKELY(decoder->compat))
        hd_decoder_boundary_inside(decoder, frame);
    number = decoder->n_completions++;
    if (send == HD_NONE)
        HD_SCRATCH_PUSH(decoder->join->scratch, decoder->join->orphans, decoder->join->n_orphans,
                        decoder->join->capacity_orphans,
                ((hd_orphan){ .request = request, .kind = HD_REQUEST_SEND, .completion = { HD_COMPLETION_NONE, number },
                              .time = decoder->now }));
    else
        log->completions[send].number = number;
    HD_PUSH(decoder->stack.records.completed, decoder->stack.records.n_completed,
            decoder->stack.records.capacity_completed,
            send != HD_NONE ? send : (uint32_t)(decoder->join->n_orphans - 1) | UINT32_C(1) << 31);
}

/* Where a clock is coarse several receives are posted in one tick: which one it is is noted, but for the first. Returns
 * it. */
static uint32_t
note_post(hd_decoder *decoder, uint64_t request, hd_time enter)
{
    bool is_new;

    if (HD_UNLIKELY(decoder->posts.n > 0))
        hd_map_remove(&decoder->posts, request); /* of a receive that was cancelled */
    if (HD_LIKELY(decoder->n_posted == 0 || enter != decoder->posted_at)) {
        decoder->posted_at = enter;
        decoder->n_posted  = 1;
        return 0;
    }
    if (request != HD_MAP_FREE)
        *hd_map_add(&decoder->posts, request, &is_new) = decoder->n_posted;
    return decoder->n_posted++;
}

void
hd_decoder_receive_request(hd_decoder *decoder, uint64_t request)
{
    hd_frame *frame = hd_decoder_call_of(decoder);
    uint32_t  post;

    if (frame == NULL)
        return;
    start_request(decoder, request, HD_REQUEST_VALUE(HD_REQUEST_RECV, HD_REQUEST_REST(frame->enter)));
    post = note_post(decoder, request, frame->enter);
    decoder->out->log.has_posts = true;
    hd_decoder_put_op(decoder, frame,
                      &(hd_op){ .kind = HD_OP_POST, .flags = post > 0 ? HD_OP_LATER_POST : 0, .post = post });
}

/* Receives of a channel that are not completed in the order of their posts, or were posted in one tick, are numbered
 * later (load/channel_numbers.h). */
static inline void
note_order(hd_decoder *decoder, uint32_t channel, hd_time post)
{
    while (HD_UNLIKELY(channel >= decoder->n_next_posts))
        HD_PUSH(decoder->next_posts, decoder->n_next_posts, decoder->capacity_next_posts, 0);
    if (HD_LIKELY(post >= decoder->next_posts[channel]))
        decoder->next_posts[channel] = post + 1;
    else
        decoder->channels.list[channel].has_numbers = !decoder->compat;
}

void
hd_decoder_receive(hd_decoder *decoder, const hd_message_record *record, const uint64_t *request)
{
    hd_oplog *log   = &decoder->out->log;
    hd_frame *frame = hd_decoder_call_of(decoder);
    uint64_t  value = 0, post = 0;
    uint32_t  channel;
    uint8_t   flags = 0;

    if (request != NULL) {
        flags = HD_OP_NONBLOCKING;
        if (!hd_near_map_take(&decoder->requests, *request, &value) || HD_REQUEST_KIND(value) != HD_REQUEST_RECV)
            flags |= HD_OP_ELSEWHERE;
        else if (HD_UNLIKELY(decoder->posts.n > 0))
            hd_map_take(&decoder->posts, *request, &post);
        flags |= post > 0 ? HD_OP_LATER_POST : 0;
    }
    if (frame == NULL)
        return;
    channel = channel_of_ref(decoder, HD_CHANNEL_RECV, record->comm_ref, record->peer, record->tag);
    if (channel == HD_NONE)
        return;
    decoder->channels.list[channel].n++;
    note_order(decoder, channel, flags == 0 || (flags & HD_OP_ELSEWHERE) != 0 ? frame->enter : HD_REQUEST_REST(value));
    hd_decoder_put_op(decoder, frame,
                      &(hd_op){ .kind = HD_OP_RECV, .flags = flags, .channel = channel, .time = record->time,
                                .begin = HD_REQUEST_REST(value), .post = (uint32_t)post });
    if ((flags & HD_OP_ELSEWHERE) != 0) {
        hd_oplog_rare *rare = hd_oplog_rare_of(log);

        HD_SCRATCH_PUSH(decoder->join->scratch, decoder->join->orphans, decoder->join->n_orphans,
                        decoder->join->capacity_orphans,
                ((hd_orphan){ .request = *request, .kind = HD_REQUEST_RECV,
                              .index = (uint32_t)rare->n_posted_elsewhere, .channel = channel, .time = decoder->now }));
        HD_SCRATCH_PUSH(log->calls.scratch, rare->posted_elsewhere, rare->n_posted_elsewhere,
                        decoder->capacity_posted, ((hd_posted){ 0 }));
    }
}

void
hd_decoder_cancelled(hd_decoder *decoder, uint64_t request)
{
    hd_oplog *log = &decoder->out->log;
    uint64_t  value;

    if (!hd_near_map_take(&decoder->requests, request, &value)) { /* started on another thread, if it is a send */
        HD_SCRATCH_PUSH(decoder->join->scratch, decoder->join->orphans, decoder->join->n_orphans,
                        decoder->join->capacity_orphans,
                ((hd_orphan){ .request = request, .kind = HD_REQUEST_SEND, .completion = { HD_COMPLETION_CANCELLED, 0 },
                              .time = decoder->now }));
        return;
    }
    if (HD_REQUEST_KIND(value) != HD_REQUEST_SEND)
        return;
    decoder->channels.list[log->completions[HD_REQUEST_REST(value)].number].n--; /* until completed, the channel stands
                                                                                  * there */
    log->completions[HD_REQUEST_REST(value)].call = HD_COMPLETION_CANCELLED;
}

#define FIRST_HANDLE_OPERATION 17 /* creation and destruction of handles: no collective to anyone who waits */
#define LAST_HANDLE_OPERATION 22

static bool
is_handle_operation(uint32_t operation)
{
    return operation >= FIRST_HANDLE_OPERATION && operation <= LAST_HANDLE_OPERATION;
}

/* Numbers after those of OTF2 are damage, or news; ours begin there. */
static uint32_t
known_operation(uint32_t operation)
{
    return operation <= LAST_HANDLE_OPERATION ? operation : HD_OPERATION_OTHER;
}

static void
count_collective(hd_decoder *decoder, hd_frame *frame, const hd_collective_record *record)
{
    uint64_t *counts = hd_decoder_counts_of(decoder, frame);

    if (record->sent > 0)
        counts[record->received > 0 ? HD_COUNT_COLL_EXCHANGE : HD_COUNT_COLL_SOURCE]++;
    else
        counts[record->received > 0 ? HD_COUNT_COLL_DESTINATION : HD_COUNT_COLL_EMPTY]++;
    counts[HD_COUNT_COLL_OUT_BYTES] += record->sent;
    counts[HD_COUNT_COLL_IN_BYTES] += record->received;
    hd_decoder_count(decoder, HD_COUNTED_COLLECTIVE, frame->node, frame->enter, record->sent, record->received);
}

void
hd_decoder_collective(hd_decoder *decoder, const hd_collective_record *record)
{
    hd_frame *frame;
    uint32_t  channel;
    hd_time   begin;

    if (is_handle_operation(record->operation)) {
        decoder->has_coll_begin = false;
        return;
    }
    frame = hd_decoder_call_of(decoder);
    if (frame == NULL)
        return;
    begin                   = decoder->has_coll_begin ? decoder->coll_begin : frame->enter;
    begin                   = hd_time_max(begin, frame->enter);
    decoder->has_coll_begin = false;
    channel                 = channel_of_ref(decoder, HD_CHANNEL_COLL, record->comm_ref, 0, 0);
    if (channel == HD_NONE)
        return;
    count_collective(decoder, frame, record);
    if (decoder->channels.list[channel].is_alone)
        return;
    hd_decoder_put_collective(decoder, frame, channel, known_operation(record->operation), begin, record);
}

void
hd_decoder_nbc_request(hd_decoder *decoder, uint64_t request)
{
    hd_oplog      *log   = &decoder->out->log;
    hd_frame      *frame = hd_decoder_call_of(decoder);
    hd_oplog_rare *rare;

    if (frame == NULL)
        return;
    rare = hd_oplog_rare_of(log);
    hd_decoder_put_op(decoder, frame, &(hd_op){ .kind = HD_OP_POST, .flags = HD_OP_COLLECTIVE });
    start_request(decoder, request, HD_REQUEST_VALUE(HD_REQUEST_NBC, rare->n_nbcs));
    HD_SCRATCH_PUSH(log->calls.scratch, rare->nbcs, rare->n_nbcs, decoder->capacity_nbcs,
                    ((hd_nbc){ .begin = frame->enter, .channel = HD_NONE, .thread = HD_NONE, .shape = HD_NBC_POSTED }));
}

static uint32_t
shape_of(const hd_decoder *decoder, uint32_t channel, const hd_collective_record *record)
{
    const hd_channel *c        = &decoder->channels.list[channel];
    bool              is_inter = hd_defs_comms(decoder->defs)[c->comm].group_b != HD_NONE;
    uint32_t          self     = is_inter ? HD_NONE - 1 : c->peer_rank; /* as OTF2 names it in inter-communicators */

    return known_operation(record->operation) | (record->sent > 0 ? HD_NBC_SENDS : 0) |
           (record->received > 0 ? HD_NBC_RECEIVES : 0) | (record->root == self ? HD_NBC_IS_ROOT : 0);
}

void
hd_decoder_nbc_complete(hd_decoder *decoder, const hd_collective_record *record, uint64_t request)
{
    hd_oplog *log       = &decoder->out->log;
    hd_frame *frame     = hd_decoder_call_of(decoder);
    uint64_t  value     = 0;
    bool      is_handle = is_handle_operation(record->operation);
    bool      is_here   = hd_near_map_take(&decoder->requests, request, &value) &&
                          HD_REQUEST_KIND(value) == HD_REQUEST_NBC;
    uint32_t  number    = (uint32_t)HD_REQUEST_REST(value), channel;

    if (is_handle && is_here)
        log->rare->nbcs[number].channel = HD_NONE - 1; /* known, and nothing that anyone waits for */
    else if (is_handle)
        HD_SCRATCH_PUSH(decoder->join->scratch, decoder->join->orphans, decoder->join->n_orphans,
                        decoder->join->capacity_orphans,
                ((hd_orphan){ .request = request, .kind = HD_REQUEST_NBC, .index = HD_NONE, .time = decoder->now }));
    if (frame == NULL || is_handle)
        return;
    channel = channel_of_ref(decoder, HD_CHANNEL_NBC, record->comm_ref, 0, 0);
    if (channel == HD_NONE)
        return;
    if (!is_here) {
        hd_oplog_rare *rare = hd_oplog_rare_of(log);

        number = (uint32_t)rare->n_nbcs;
        HD_SCRATCH_PUSH(decoder->join->scratch, decoder->join->orphans, decoder->join->n_orphans,
                        decoder->join->capacity_orphans,
                ((hd_orphan){ .request = request, .kind = HD_REQUEST_NBC, .index = number, .time = decoder->now }));
        HD_SCRATCH_PUSH(log->calls.scratch, rare->nbcs, rare->n_nbcs, decoder->capacity_nbcs,
                        ((hd_nbc){ .begin = frame->enter, .thread = HD_NONE }));
    }
    log->rare->nbcs[number].channel = channel;
    log->rare->nbcs[number].shape |= shape_of(decoder, channel, record);
    hd_decoder_put_op(decoder, frame,
                      &(hd_op){ .kind = HD_OP_NBC, .channel = channel, .operation = known_operation(record->operation),
                                .root = record->root, .number = number, .sent = record->sent,
                                .received = record->received });
}

/* The sends that the call completed are given that call. */
static void
assign_completions(hd_decoder *decoder, const hd_frame *frame)
{
    hd_oplog *log  = &decoder->out->log;
    uint32_t  call = (uint32_t)log->n_send_calls;

    for (size_t i = frame->first_completed; i < decoder->stack.records.n_completed; i++) {
        uint32_t send = decoder->stack.records.completed[i];

        if ((send & UINT32_C(1) << 31) != 0)
            decoder->join->orphans[send & ~(UINT32_C(1) << 31)].completion.call = call;
        else
            log->completions[send].call = call;
    }
    HD_SCRATCH_PUSH(log->calls.scratch, decoder->send_calls, log->n_send_calls, decoder->capacity_send_calls,
                    ((hd_send_call){ .enter = frame->enter, .leave = decoder->now,
                             .call_path = frame->node, .multi = frame->call == HD_CALL_WAIT_MULTI }));
    decoder->stack.records.n_completed = frame->first_completed;
}

/* Of a call path that has no room in a head, or of times that are not in the state log. */
static __attribute__((noinline)) void
put_own(hd_decoder *decoder, const hd_frame *frame, bool is_far, bool has_states)
{
    hd_oplog     *log    = &decoder->out->log;
    hd_state_log *states = &decoder->out->states;

    if (is_far)
        hd_bytes_put_number(&log->own, (uint64_t)frame->node << 1 | !has_states);
    if (has_states)
        return;
    hd_bytes_put_number(&log->own, hd_zigzag((int64_t)(frame->enter - decoder->last_leave)));
    hd_bytes_put_number(&log->own, decoder->now - frame->enter);
    hd_bytes_put_number(&log->own, states->bytes.n - decoder->last_states);
    states->is_at_call = states->from == decoder->now;
    if (HD_UNLIKELY(decoder->now == frame->enter))
        decoder->last_empty = frame->enter;
}

/* The call is one more. */
static inline __attribute__((always_inline)) void
put_head(hd_decoder *decoder, const hd_frame *frame, bool has_states)
{
    hd_oplog *log    = &decoder->out->log;
    bool      is_far = frame->node >= HD_HEAD_FAR >> 1;
    uint16_t  head   = (uint16_t)(is_far ? HD_HEAD_FAR : frame->node << 1 | !has_states);

    HD_SCRATCH_PUSH(log->calls.scratch, log->heads, log->n_calls, decoder->capacity_heads, head);
    if (HD_UNLIKELY((head & 1) != 0))
        put_own(decoder, frame, is_far, has_states);
}

/* has_states: the two words of the state log behind those of the call before are its times. */
static void
put_call(hd_decoder *decoder, const hd_frame *frame, bool completes_send, bool has_states)
{
    hd_oplog     *log       = &decoder->out->log;
    hd_state_log *states    = &decoder->out->states;
    size_t        n_pending = decoder->stack.records.pending.n - frame->first_byte;
    uint8_t      *at        = hd_bytes_room(&log->calls, 2 * HD_NUMBER_BYTES_MAX + n_pending + HD_OP_COPY_BYTES);

    put_head(decoder, frame, has_states);
    at = hd_bytes_write_number(at, hd_op_records_shape(frame->n_records, n_pending) << 4 | (completes_send ? 8u : 0u) |
                                       (frame->call <= HD_CALL_WAIT_MULTI ? frame->call : HD_CALL_OTHER));
    if (frame->n_records > 1)
        at = hd_bytes_write_number(at, n_pending);
    if (n_pending > 0)
        hd_op_copy(at, decoder->stack.records.pending.data + frame->first_byte, n_pending);
    log->calls.n = (size_t)(at - log->calls.data) + n_pending;
    decoder->last_leave  = decoder->now;
    decoder->last_states = states->bytes.n;
    decoder->stack.records.pending.n  = frame->first_byte;
    log->n_ops += frame->n_records;
}

static void
put_mark(hd_decoder *decoder, hd_frame *frame, hd_op_kind kind)
{
    frame->n_records++;
    frame->has_points = true;
    hd_op_put(&decoder->stack.records.pending, &(hd_op){ .kind = kind }, frame->enter);
}

/* Whether it is in the op log. has_states: of put_call() */
static inline bool
leave_call(hd_decoder *decoder, hd_frame *frame, bool has_states)
{
    bool completes_send = decoder->stack.records.n_completed > frame->first_completed, is_poll = false;

    if (frame->call == HD_CALL_INIT && !decoder->out->has_init) {
        decoder->out->has_init   = true;
        decoder->out->init_enter = frame->enter;
        decoder->out->init_left  = decoder->is_closing ? 0 : decoder->now;
        hd_decoder_boundary_at_leave(decoder, frame);
        put_mark(decoder, frame, HD_OP_INIT);
    } else if (frame->call == HD_CALL_FINALIZE && !decoder->out->has_finalize) {
        decoder->out->has_finalize   = true;
        decoder->out->finalize_enter = frame->enter;
        decoder->out->finalize_left  = decoder->is_closing ? 0 : decoder->now;
        hd_decoder_boundary_at_leave(decoder, frame);
        put_mark(decoder, frame, HD_OP_FINALIZE);
    }
    if (HD_LIKELY(frame->has_points || completes_send)) {
        hd_decoder_boundary_before(decoder, frame);
        if (completes_send)
            assign_completions(decoder, frame);
    } else {
        if (HD_UNLIKELY(decoder->bounds_calls))
            hd_decoder_boundary_before(decoder, frame);
        else
            hd_decoder_compact(decoder);
        is_poll = frame->n_records == 0 && (frame->call == HD_CALL_TEST || frame->call == HD_CALL_PROBE);
        if (HD_UNLIKELY(is_poll))
            hd_decoder_poll(decoder, frame);
        if (frame->n_records == 0 && !decoder->keeps_calls) {
            decoder->out->states.is_at_call = false;
            return false;
        }
    }
    if (HD_UNLIKELY(decoder->polls.n > 0 || decoder->polls.has_sent) && !is_poll)
        hd_decoder_end_polls(decoder, frame);
    put_call(decoder, frame, completes_send, has_states);
    return true;
}

/* Time in MPI between the call before in the op log and the last one. */
static __attribute__((noinline)) void
put_others(hd_decoder *decoder, hd_span others)
{
    hd_oplog *log    = &decoder->out->log;
    size_t    number = log->n_calls - 1;

    hd_bytes_put_number(&log->others, number - decoder->in_mpi.n_calls);
    hd_bytes_put_number(&log->others, hd_zigzag(others));
    decoder->in_mpi.n_calls = number;
}

/* One that the interval began in is logged as one outside. */
static __attribute__((noinline)) void
begin_leave_of_side(hd_decoder *decoder, hd_frame *frame)
{
    if (frame->counts != 0)
        settle_counts(decoder, frame);
    frame->node |= frame->cut;
}

/* For its record a collective call ends where it would without the calls on files inside of it: while those ran it did
 * not wait. */
static __attribute__((noinline)) void
leave_file(hd_decoder *decoder, hd_frame *frame)
{
    hd_span span = hd_span_between(frame->enter, decoder->now) - frame->inner_files;

    hd_decoder_leave_file(decoder, frame);
    if (frame->file_channel != HD_NONE)
        hd_decoder_put_collective(decoder, frame, frame->file_channel, frame->file_operation, frame->enter,
                                  &(hd_collective_record){ .time = frame->enter + (hd_time)(span > 0 ? span : 0) });
}

void
hd_decoder_leave_mpi(hd_decoder *decoder, hd_frame *frame)
{
    bool    has_states = false, is_logged;
    hd_span enter, leave; /* time in MPI until then */

    if (HD_UNLIKELY(frame->call == HD_CALL_FILE))
        leave_file(decoder, frame);
    if (hd_decoder_cuts_calls(decoder))
        begin_leave_of_side(decoder, frame);
    if (HD_LIKELY(--decoder->in_mpi.depth == 0))
        has_states = hd_decoder_state_in_mpi(decoder) && decoder->out->states.is_at_call &&
                     decoder->in_mpi.since == frame->enter;
    is_logged = leave_call(decoder, frame, has_states);
    enter     = decoder->in_mpi.before + hd_span_between(decoder->in_mpi.since, frame->enter);
    leave     = decoder->in_mpi.before + hd_span_between(decoder->in_mpi.since, decoder->now);
    if (HD_LIKELY(is_logged)) {
        hd_span others = enter - decoder->in_mpi.at_last_leave;

        decoder->in_mpi.at_last_leave = leave;
        if (HD_UNLIKELY(others != 0))
            put_others(decoder, others);
    }
    if (HD_LIKELY(decoder->in_mpi.depth == 0))
        decoder->in_mpi.before = leave;
    if (hd_decoder_cuts_calls(decoder))
        frame->node = hd_decoder_here(decoder, frame->node);
    else if (HD_UNLIKELY(frame->call == HD_CALL_INIT || frame->call == HD_CALL_FINALIZE) && decoder->finds_main_window)
        hd_decoder_pass_main_border(decoder, frame);
}
