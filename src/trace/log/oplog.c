#include "oplog.h"

#include "status.h"

void
hd_oplog_fini(hd_oplog *log)
{
    hd_scratch *scratch = log->calls.scratch;

    hd_bytes_fini(&log->calls);
    free(log->channels);
    hd_scratch_free(scratch, log->send_calls);
    hd_scratch_free(scratch, log->completions);
    hd_scratch_free(scratch, log->elsewhere);
    hd_scratch_free(scratch, log->posted_elsewhere);
    hd_scratch_free(scratch, log->nbcs);
    hd_scratch_free(scratch, log->shared_numbers);
    *log = (hd_oplog){ .calls.scratch = scratch };
}

void
hd_cursor_init(hd_cursor *cursor, const hd_oplog *log)
{
    *cursor = (hd_cursor){ .log = log, .at = log->calls.data, .end = log->calls.data + log->calls.n };
}

bool
hd_cursor_call(hd_cursor *cursor)
{
    const uint8_t *at = cursor->at;
    uint64_t       shape;

    HD_ASSERT(cursor->n_left == 0);
    if (at == cursor->end)
        return false;
    cursor->call.enter     = cursor->last_leave + (uint64_t)hd_unzigzag(hd_bytes_get_number(&at));
    cursor->call.leave     = cursor->call.enter + hd_bytes_get_number(&at);
    cursor->call.call_path = (uint32_t)hd_bytes_get_number(&at);
    shape                  = hd_bytes_get_number(&at);
    cursor->call.group     = (uint32_t)shape & 7;
    cursor->call.send_call = (shape & 8) != 0 ? cursor->i_send_call++ : HD_NONE;
    cursor->n_left         = (uint32_t)(shape >> 4);
    if (cursor->n_left > 1) {
        uint64_t n_bytes = *at < 128 ? *at++ : hd_bytes_get_number(&at);

        cursor->next = at + n_bytes;
    }
    cursor->last_leave     = cursor->call.leave;
    cursor->at             = at;
    return true;
}

static void
read_collective(const uint8_t **at, hd_op *op)
{
    op->channel   = (uint32_t)hd_bytes_get_number(at);
    op->operation = (uint32_t)hd_bytes_get_number(at);
    op->root      = (uint32_t)hd_bytes_get_number(at) - 3;
}

__attribute__((noinline)) static void /* or messages would pay for it */
read_rma(const uint8_t **at, const hd_call *call, hd_op *op)
{
    uint64_t target;

    op->operation = op->flags >> 3;
    op->channel   = (uint32_t)hd_bytes_get_number(at);
    op->begin     = call->enter;
    op->time      = call->leave;
    switch ((hd_rma)op->operation) {
    case HD_RMA_NOTICE:
    case HD_RMA_TAKE:
    case HD_RMA_NO_NOTICE:
    case HD_RMA_NO_TAKE:
        break;
    case HD_RMA_START:
    case HD_RMA_COMPLETE:
        op->time = call->enter + hd_bytes_get_number(at);
        /* fall through */
    case HD_RMA_POST:
    case HD_RMA_WAIT:
    case HD_RMA_TEST:
        op->number = (uint32_t)hd_bytes_get_number(at);
        break;
    case HD_RMA_ACCESS:
        op->time = call->enter + hd_bytes_get_number(at);
        /* fall through */
    case HD_RMA_COMPLETION:
        op->root = (uint32_t)hd_bytes_get_number(at);
        break;
    case HD_RMA_LOCK:
        op->time   = call->enter + hd_bytes_get_number(at);
        target     = hd_bytes_get_number(at);
        op->number = (uint32_t)target & 1;
        op->root   = (uint32_t)(target >> 1) - 1;
        break;
    case HD_RMA_UNLOCK:
        op->time = call->enter + hd_bytes_get_number(at);
        op->root = (uint32_t)hd_bytes_get_number(at) - 1;
        break;
    }
}

void
hd_cursor_op(hd_cursor *cursor, hd_op *op)
{
    const uint8_t *at   = cursor->at;
    uint8_t        head = *at++;

    op->kind  = (hd_op_kind)(head & 7);
    op->flags = head & ~7u;
    switch (op->kind) {
    case HD_OP_SEND:
        op->channel = (uint32_t)hd_bytes_get_number(&at);
        op->time    = cursor->call.enter + hd_bytes_get_number(&at);
        op->sent    = hd_bytes_get_number(&at);
        if ((op->flags & HD_OP_NONBLOCKING) != 0)
            op->number = cursor->i_send++;
        break;
    case HD_OP_RECV:
        op->channel = (uint32_t)hd_bytes_get_number(&at);
        op->time    = cursor->call.enter + hd_bytes_get_number(&at);
        op->begin   = cursor->call.enter;
        op->post    = HD_NONE;
        if ((op->flags & HD_OP_ELSEWHERE) != 0)
            op->begin = cursor->log->posted_elsewhere[cursor->i_posted_elsewhere++];
        else if ((op->flags & HD_OP_NONBLOCKING) != 0) {
            op->begin -= hd_bytes_get_number(&at);
            op->post = (op->flags & HD_OP_LATER_POST) != 0 ? (uint32_t)hd_bytes_get_number(&at) : 0;
        }
        break;
    case HD_OP_COLL:
        read_collective(&at, op);
        op->begin    = cursor->call.enter + hd_bytes_get_number(&at);
        op->time     = op->begin + hd_bytes_get_number(&at);
        op->sent     = hd_bytes_get_number(&at);
        op->received = hd_bytes_get_number(&at);
        break;
    case HD_OP_NBC:
        read_collective(&at, op);
        op->number   = (uint32_t)hd_bytes_get_number(&at);
        op->sent     = hd_bytes_get_number(&at);
        op->received = hd_bytes_get_number(&at);
        op->begin    = cursor->log->nbcs[op->number].begin;
        op->time     = cursor->call.leave;
        break;
    case HD_OP_POST:
        op->post = (op->flags & HD_OP_LATER_POST) != 0 ? (uint32_t)hd_bytes_get_number(&at) : 0;
        /* fall through */
    case HD_OP_INIT:
    case HD_OP_FINALIZE:
        op->begin = cursor->call.enter;
        op->time  = cursor->call.leave;
        break;
    case HD_OP_RMA:
        read_rma(&at, &cursor->call, op);
        break;
    }
    cursor->at = at;
    cursor->n_left--;
}

/* How many numbers stand behind a record's head. */
static uint32_t
numbers_behind(uint8_t head)
{
    static const uint8_t of_kind[] = { [HD_OP_SEND] = 3, [HD_OP_RECV] = 2, [HD_OP_COLL] = 7, [HD_OP_NBC] = 6, [HD_OP_INIT] = 0,
                                       [HD_OP_FINALIZE] = 0, [HD_OP_POST] = 0 };
    static const uint8_t of_rma[]  = { [HD_RMA_NOTICE] = 1, [HD_RMA_TAKE] = 1, [HD_RMA_NO_NOTICE] = 1, [HD_RMA_NO_TAKE] = 1,
                                       [HD_RMA_ACCESS] = 3, [HD_RMA_POST] = 2, [HD_RMA_START] = 3, [HD_RMA_COMPLETE] = 3,
                                       [HD_RMA_WAIT] = 2, [HD_RMA_TEST] = 2, [HD_RMA_LOCK] = 3, [HD_RMA_UNLOCK] = 3,
                                       [HD_RMA_COMPLETION] = 2 };
    uint32_t             kind      = head & 7;

    if (kind == HD_OP_RMA)
        return of_rma[head >> 3];
    return of_kind[kind] + (uint32_t)((head & HD_OP_LATER_POST) != 0) +
           (uint32_t)(kind == HD_OP_RECV && (head & (HD_OP_NONBLOCKING | HD_OP_ELSEWHERE)) == HD_OP_NONBLOCKING);
}

/* Behind n numbers, most of which are short: the last byte of each is below 128. */
static inline const uint8_t *
behind_numbers(const uint8_t *at, const uint8_t *end, uint32_t n)
{
    if (HD_LIKELY(n > 0 && end - at >= 8)) {
        uint64_t ends = ~hd_bytes_read_fixed(at, 8) & UINT64_C(0x8080808080808080);

        for (uint32_t i = 1; i < n; i++)
            ends &= ends - 1;
        if (HD_LIKELY(ends != 0))
            return at + __builtin_ctzll(ends) / 8 + 1;
    }
    for (; n > 0; at++)
        n -= *at < 128;
    return at;
}

void
hd_cursor_skip(hd_cursor *cursor)
{
    if (cursor->n_left > 1)
        cursor->at = cursor->next;
    else if (cursor->n_left == 1)
        cursor->at = behind_numbers(cursor->at + 1, cursor->end, numbers_behind(*cursor->at));
    cursor->n_left = 0;
}
