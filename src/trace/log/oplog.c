#include "oplog.h"

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
    hd_scratch_free(scratch, log->polled);
    hd_scratch_free(scratch, log->numbers);
    hd_bytes_fini(&log->others);
    *log = (hd_oplog){ .calls.scratch = scratch, .others.scratch = scratch };
}

void
hd_cursor_init(hd_cursor *cursor, const hd_oplog *log)
{
    *cursor = (hd_cursor){ .log = log, .at = log->calls.data, .end = log->calls.data + log->calls.n };
}

/* A function of its own, or messages would pay for it. */
__attribute__((noinline)) static void
read_rma(const uint8_t **at, const hd_call *call, hd_op *op)
{
    op->operation = op->flags >> 3;
    op->begin     = call->enter;
    op->time      = call->leave;
    hd_op_get(at, HD_OP_RMA, op->operation, 0, call->enter, op);
}

void
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
        read_rma(&at, &cursor->call, op);
        break;
    }
    cursor->at = at;
    cursor->n_left--;
}

void
hd_cursor_skip(hd_cursor *cursor)
{
    cursor->at     = cursor->next;
    cursor->n_left = 0;
}
