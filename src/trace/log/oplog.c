#include "oplog.h"

void
hd_oplog_fini(hd_oplog *log)
{
    hd_scratch *scratch = log->calls.scratch;

    hd_scratch_free(scratch, log->heads);
    hd_bytes_fini(&log->own);
    hd_bytes_fini(&log->calls);
    free(log->channels);
    hd_send_calls_fini(scratch, &log->send_calls);
    hd_scratch_free(scratch, log->completions);
    hd_scratch_free(scratch, log->elsewhere);
    hd_scratch_free(scratch, log->posted_elsewhere);
    hd_scratch_free(scratch, log->nbcs);
    hd_scratch_free(scratch, log->polled);
    hd_scratch_free(scratch, log->numbers);
    hd_bytes_fini(&log->others);
    *log = (hd_oplog){ .own.scratch = scratch, .calls.scratch = scratch, .others.scratch = scratch };
}

void
hd_cursor_init(hd_cursor *cursor, const hd_oplog *log)
{
    *cursor = (hd_cursor){ .log = log, .at = log->calls.data, .end = log->calls.data + log->calls.n,
                           .heads = hd_oplog_heads(log) };
}

void
hd_cursor_rma(const uint8_t **at, const hd_call *call, hd_op *op)
{
    op->operation = op->flags >> 3;
    op->begin     = call->enter;
    op->time      = call->leave;
    hd_op_get(at, HD_OP_RMA, op->operation, 0, call->enter, op);
}

void
hd_cursor_skip(hd_cursor *cursor)
{
    cursor->at     = cursor->next;
    cursor->n_left = 0;
}
