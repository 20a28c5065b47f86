/* src/trace/log/oplog.h: what is left of a location's events: its calls that communicate, with the records in them.
 *
 * Written once while loading, read in order by a cursor. A call is an instance of an MPI region with at least one
 * record in it, or, in archives with windows, of any; calls stand in the order in which they were left. Heads, words of
 * 2 bytes, say where calls are, so that who looks for some of them need not read the others. Everything else is
 * variable-length numbers (bytes.h); op_code.h has the fields of records for writing and reading:
 *
 *   head    call path << 1 | own times; HD_HEAD_FAR: a larger call path, which stands in `own` in this form
 *   own     of calls with own times: enter - leave of the call before (zigzag) · leave - enter · bytes of the state log
 *           from the call before to the end of this one
 *   call    records << 4 | flag << 3 | group · bytes of the records, if there are several; then the records. records:
 *           none 0, one (its bytes - 1) << 1 | 1, else (their number - 1) << 1
 *   record  kind | flags, then by kind:
 *     send          channel · time - enter · bytes
 *     receive       channel · time - enter · enter of the call - enter of the call that posted it (non-blocking only) ·
 *                   post (flag only)
 *     collective    channel · operation · root + 3 · begin - enter · time - begin · bytes sent · bytes received
 *     non-blocking  channel · operation · root + 3 · number of its request · bytes sent · bytes received
 *     init, finalize   nothing
 *     post          post (flag only); the call posted a non-blocking receive
 *     one-sided     what it is (hd_rma, in place of the flags) · channel, of a notification: of the pair, else the
 *                   window's own; then
 *       access                  time - enter · target
 *       start, complete         time - enter
 *       post, start, complete, wait, test   number of processes in the group
 *       lock                    time - enter · (target + 1) << 1 | exclusive
 *       unlock                  time - enter · target + 1
 *       completion              target
 *
 * Most calls have no times of their own: the next two words of the location's state log (state_log.h) are the time
 * between the call before and this one, and the time in it.
 *
 * About 12 bytes for a blocking send in its call, 6 for an MPI_Wait with one receive, 4 for an MPI_Irecv. What is
 * known only later stands in tables beside the log: per non-blocking send the call that completes it, 8 bytes (a
 * completing call: 12.5), per non-blocking collective its number in the communicator and its start, 24; polled waits,
 * 32 each, which only the simulation reads.
 * Uses: base. Owner: the trace. MT: written by the thread that loads the location, then read only. Ranks: local.
 */
#ifndef HD_OPLOG_H
#define HD_OPLOG_H

#include "op_code.h"
#include "send_calls.h"
#include "state_log.h"
#include "status.h"

typedef enum hd_channel_kind { HD_CHANNEL_SEND, HD_CHANNEL_RECV, HD_CHANNEL_COLL, HD_CHANNEL_NBC } hd_channel_kind;

/* What the operations of one location are numbered within: (communicator, peer, tag) of sends or of receives, or the
 * collectives of a communicator. The k-th send of a channel matches the receive that was posted as the k-th one. */
typedef struct hd_channel {
    uint32_t comm;      /* index in the definitions */
    uint32_t peer;      /* process; collectives: the own side of the communicator, 1 in group b of an
                         * inter-communicator */
    uint32_t peer_rank; /* the same within the communicator; collectives: the own rank */
    uint32_t tag;
    uint32_t n;         /* operations on it, cancelled sends left out */
    uint32_t home;      /* notifications of one-sided communication: the channel of the window itself */
    uint8_t  kind;      /* hd_channel_kind */
    bool     exclusive; /* windows: some locks are exclusive */
    bool     is_alone;  /* collectives: the communicator has one member */
    bool     has_numbers; /* its operations are not counted, their numbers stand in `numbers`: other threads of the
                           * process use it too, or receives were not completed in the order of their posts */
} hd_channel;

typedef struct hd_completion { /* of a non-blocking send */
    uint32_t call;             /* index in send_calls, or HD_COMPLETION_... */
#define HD_COMPLETION_NONE HD_NONE            /* never, or by a call that cannot wait */
#define HD_COMPLETION_CANCELLED (HD_NONE - 1) /* the send does not match anything */
#define HD_COMPLETION_ELSEWHERE (HD_NONE - 2) /* on another thread: see elsewhere */
    uint32_t number; /* position among the completions of its location */
} hd_completion;

typedef struct hd_elsewhere { /* a non-blocking send that another thread completes */
    uint32_t      send;       /* its number, ascending */
    uint32_t      thread;
    hd_completion completion; /* there */
} hd_elsewhere;

typedef struct hd_posted { /* a receive that another thread posted */
    hd_time  time;         /* enter of the call that posted it */
    uint32_t thread, unused;
} hd_posted;

typedef struct hd_nbc {
    hd_time  begin;   /* enter of the call that started it */
    uint32_t channel; /* HD_NONE: never completed, so it is not known what it was */
    uint32_t number;  /* in its channel */
    uint32_t thread;  /* that started it; HD_NONE: this one */
    uint32_t shape;   /* HD_NBC_..., of completed ones with the operation, as in OTF2 */
#define HD_NBC_OPERATION 0xffffu
#define HD_NBC_SENDS     0x10000u
#define HD_NBC_RECEIVES  0x20000u
#define HD_NBC_IS_ROOT   0x40000u
#define HD_NBC_POSTED    0x80000u /* its start is in this log: a post with HD_OP_COLLECTIVE */
} hd_nbc;

/* Tests and probes without a record, one after the other in one region, and the call after them that has a record: a
 * test, or what receives after a probe. Between them is time of that region alone; half of these gaps or more are short
 * (at most 1 ms, or 10 times the call before). They are one wait. */
typedef struct hd_polled_wait {
    hd_time  begin;    /* enter of the first of them */
    hd_span  gaps;     /* time of the region in between */
    uint32_t call;     /* number of the call with the record in the log */
    uint32_t n_polls;  /* calls before it */
    uint32_t n_logged; /* of them, which the log has as well */
    uint32_t unused;
} hd_polled_wait;

#define HD_HEAD_FAR 0xffffu

typedef struct hd_oplog {
    uint16_t      *heads; /* [n_calls] */
    hd_bytes       own, calls;
    const uint8_t *states;      /* words of the location's state log */
    hd_channel    *channels;    /* [n_channels] */
    hd_send_calls  send_calls;  /* [n_send_calls] in the order of the calls that have the flag */
    hd_completion *completions; /* [n_sends] of the non-blocking sends, in their order */
    hd_elsewhere  *elsewhere;   /* [n_elsewhere] */
    hd_posted     *posted_elsewhere; /* [n_posted_elsewhere], in the order of the receives with HD_OP_ELSEWHERE; time 0:
                                      * unknown */
    hd_nbc        *nbcs;        /* [n_nbcs] in the order of their requests */
    hd_polled_wait *polled;     /* [n_polled] by call, ascending */
    uint32_t      *numbers;     /* [n_numbers] of the operations on channels with numbers, in the order of the log */
    hd_bytes       others;      /* time in MPI between the leave of a call and the enter of the next one of the log, of
                                 * calls that are not in it: number of the call that follows (difference) · ticks
                                 * (zigzag: negative where calls are nested). About 4 bytes, where there is any */
    hd_span        rest_outside; /* time outside of MPI after the last call */
    size_t         n_channels, n_send_calls, n_sends, n_elsewhere, n_posted_elsewhere, n_nbcs, n_polled, n_numbers;
    size_t         n_calls, n_ops;
} hd_oplog;

typedef struct hd_call {
    hd_time  enter, leave;
    uint32_t call_path; /* of the location */
    uint32_t group;     /* hd_call_group */
    uint32_t send_call; /* index in send_calls, HD_NONE: it completes no sends that matter */
} hd_call;

typedef struct hd_call_heads { /* where the next call begins */
    const uint16_t *at;
    const uint8_t  *own, *states;
} hd_call_heads;

typedef struct hd_cursor {
    const hd_oplog *log;
    const uint8_t  *at, *end;
    hd_call_heads   heads;
    hd_call         call;
    const uint8_t  *next;   /* the next call */
    uint32_t        n_left; /* records of the call that are still to come */
    uint32_t        i_send, i_send_call, i_nbc, i_posted_elsewhere, i_number;
} hd_cursor;

void hd_oplog_fini(hd_oplog *log);
void hd_cursor_init(hd_cursor *cursor, const hd_oplog *log);

static inline hd_call_heads
hd_oplog_heads(const hd_oplog *log)
{
    return (hd_call_heads){ log->heads, log->own.data, log->states };
}

/* Reads where and when the next call is; returns its call path. *leave: of the call before, then of this one. */
static inline __attribute__((always_inline)) uint32_t
hd_oplog_get_call(hd_call_heads *heads, hd_time *enter, hd_time *leave)
{
    uint64_t head = *heads->at++, words;

    if (HD_UNLIKELY(head == HD_HEAD_FAR)) /* which is odd, as those of own times */
        head = hd_bytes_get_number(&heads->own);
    if (HD_LIKELY((head & 1) == 0)) {
        words = hd_state_words_read(heads->states);
        heads->states += sizeof words;
        *enter = *leave + hd_state_first_length(words);
        *leave = *enter + hd_state_second_length(words);
    } else {
        *enter = hd_bytes_get_difference(&heads->own, *leave);
        *leave = *enter + hd_bytes_get_number(&heads->own);
        heads->states += hd_bytes_get_number(&heads->own);
    }
    return (uint32_t)(head >> 1);
}

/* Next call into cursor->call; false at the end. All its records must have been taken. */
static inline bool
hd_cursor_call(hd_cursor *cursor)
{
    const uint8_t *at = cursor->at;
    uint64_t       shape, n_bytes;

    HD_ASSERT(cursor->n_left == 0);
    if (at == cursor->end)
        return false;
    cursor->call.call_path = hd_oplog_get_call(&cursor->heads, &cursor->call.enter, &cursor->call.leave);
    shape                  = hd_bytes_get_number(&at);
    cursor->call.group     = (uint32_t)shape & 7;
    cursor->call.send_call = (shape & 8) != 0 ? cursor->i_send_call++ : HD_NONE;
    cursor->n_left         = hd_op_records(shape >> 4, &at, &n_bytes);
    cursor->next           = at + n_bytes;
    cursor->at             = at;
    return true;
}
/* Next record of the call, while n_left > 0. */
void hd_cursor_rma(const uint8_t **at, const hd_call *call, hd_op *op); /* of one-sided communication */
static inline void
hd_cursor_op(hd_cursor *cursor, hd_op *op)
{
    const uint8_t *at    = cursor->at;
    uint8_t        head  = *at++;
    hd_time        enter = cursor->call.enter;

    op->kind  = (hd_op_kind)(head & 7);
    op->flags = head & ~7u;
    switch (op->kind) {
    case HD_OP_SEND:
        hd_op_get(&at, HD_OP_SEND, 0, op->flags, enter, op);
        if ((op->flags & HD_OP_NONBLOCKING) != 0)
            op->number = cursor->i_send++;
        break;
    case HD_OP_RECV:
        op->begin = enter;
        op->post  = (op->flags & (HD_OP_NONBLOCKING | HD_OP_ELSEWHERE)) == HD_OP_NONBLOCKING ? 0 : HD_NONE;
        hd_op_get(&at, HD_OP_RECV, 0, op->flags, enter, op);
        if ((op->flags & HD_OP_ELSEWHERE) != 0)
            op->begin = cursor->log->posted_elsewhere[cursor->i_posted_elsewhere++].time;
        break;
    case HD_OP_COLL:
        hd_op_get(&at, HD_OP_COLL, 0, op->flags, enter, op);
        break;
    case HD_OP_NBC:
        hd_op_get(&at, HD_OP_NBC, 0, op->flags, enter, op);
        op->begin = cursor->log->nbcs[op->number].begin;
        op->time  = cursor->call.leave;
        break;
    case HD_OP_POST:
        op->post = 0;
        hd_op_get(&at, HD_OP_POST, 0, op->flags, enter, op);
        /* fall through */
    case HD_OP_INIT:
    case HD_OP_FINALIZE:
        op->begin = enter;
        op->time  = cursor->call.leave;
        break;
    case HD_OP_RMA:
        hd_cursor_rma(&at, &cursor->call, op);
        break;
    }
    cursor->at = at;
    cursor->n_left--;
}
/* Leaves out all records of the call, before any of them is taken. What numbers its operations within the log
 * (op.number, hd_cursor_number(), posts of other threads) is wrong from then on. */
void hd_cursor_skip(hd_cursor *cursor);
/* The number of the next op on a channel with numbers: to be called once for each of them, in order. */
static inline uint32_t
hd_cursor_number(hd_cursor *cursor)
{
    return cursor->log->numbers[cursor->i_number++];
}

#endif
