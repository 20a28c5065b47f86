#include "oplog.h"

static const hd_oplog_rare nothing_rare = { .n_nbcs = 0 };

void
hd_oplog_init(hd_oplog *log, hd_scratch *scratch)
{
    *log = (hd_oplog){ .own.scratch = scratch, .calls.scratch = scratch, .others.scratch = scratch,
                       .rare = &nothing_rare };
}

hd_oplog_rare *
hd_oplog_rare_of(hd_oplog *log)
{
    if (log->rare == &nothing_rare)
        log->rare = HD_NEW(hd_oplog_rare);
    return (hd_oplog_rare *)(uintptr_t)log->rare;
}

void
hd_oplog_pack_rare(hd_oplog *log)
{
    hd_scratch    *scratch = log->calls.scratch;
    hd_oplog_rare *rare;

    if (log->rare == &nothing_rare)
        return;
    rare         = hd_oplog_rare_of(log);
    rare->nbcs   = hd_scratch_pack(scratch, rare->nbcs, rare->n_nbcs, sizeof *rare->nbcs);
    rare->polled = hd_scratch_pack(scratch, rare->polled, rare->n_polled, sizeof *rare->polled);
}

void
hd_oplog_fini(hd_oplog *log)
{
    hd_scratch    *scratch = log->calls.scratch;
    hd_oplog_rare *rare    = log->rare != &nothing_rare ? hd_oplog_rare_of(log) : NULL;

    hd_scratch_free(scratch, log->heads);
    hd_bytes_fini(&log->own);
    hd_bytes_fini(&log->calls);
    free(log->channels);
    hd_send_calls_fini(scratch, &log->send_calls);
    hd_scratch_free(scratch, log->completions);
    if (rare != NULL) {
        hd_scratch_free(scratch, rare->elsewhere);
        hd_scratch_free(scratch, rare->posted_elsewhere);
        hd_scratch_free(scratch, rare->nbcs);
        hd_scratch_free(scratch, rare->polled);
        hd_scratch_free(scratch, rare->numbers);
        free(rare);
    }
    hd_bytes_fini(&log->others);
    hd_oplog_init(log, scratch);
}

void
hd_cursor_init(hd_cursor *cursor, const hd_oplog *log)
{
    *cursor = (hd_cursor){ .log = log, .at = log->calls.data, .end = log->calls.data + log->calls.n,
                           .heads = hd_oplog_heads(log),
                           .drop_at = (const uint8_t *)UINTPTR_MAX };
}

enum { LEAST_DROPPED = 64 }; /* bytes of calls */

void
hd_cursor_drop_from(hd_cursor *cursor)
{
    size_t n = (size_t)(cursor->end - cursor->at);

    cursor->drop_at = n >= LEAST_DROPPED ? cursor->at + n / 2 : (const uint8_t *)UINTPTR_MAX;
}

/* The last n bytes of a block, in one of their own; the block is gone. */
static void *
last_of(void *block, const void *from, size_t n)
{
    void *last = n > 0 ? memcpy(hd_realloc(NULL, n, 1), from, n) : NULL;

    free(block);
    return last;
}

static void
drop_before(hd_bytes *bytes, const uint8_t **at)
{
    bytes->n -= (size_t)(*at - bytes->data);
    bytes->capacity = bytes->n;
    *at = bytes->data = last_of(bytes->data, *at, bytes->n);
}

void
hd_oplog_drop(hd_oplog *log, hd_cursor *cursor, size_t n_begun)
{
    size_t n_records = (size_t)(cursor->next - cursor->at); /* bytes of those of the call that are still to come */

    cursor->heads.at = log->heads =
        last_of(log->heads, cursor->heads.at, (log->n_calls - n_begun) * sizeof *log->heads);
    drop_before(&log->own, &cursor->heads.own);
    drop_before(&log->calls, &cursor->at);
    cursor->end  = cursor->at + log->calls.n;
    cursor->next = cursor->at + n_records;
    hd_cursor_drop_from(cursor);
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
