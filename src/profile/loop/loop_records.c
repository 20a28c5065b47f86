#include "loop_records.h"

#include <stdlib.h>

#include "memory.h"

/* A function of its own, or messages would pay for it. */
__attribute__((noinline)) static uint32_t
target_of(const uint8_t *at)
{
    hd_op   op   = { .root = 0 };
    uint8_t head = *at++;

    hd_op_get(&at, HD_OP_RMA, head >> 3, 0, 0, &op);
    return op.root;
}

/* Whom a record of a call communicates with, and how. */
static inline __attribute__((always_inline)) uint64_t
hash_record(const hd_loop_records *records, const uint8_t *at)
{
    uint64_t kind = *at & 7;

    if (HD_LIKELY(kind <= HD_OP_COLL)) {
        at++;
        return records->channels[hd_bytes_get_number(&at)];
    }
    return HD_LIKELY(kind != HD_OP_RMA) ? records->kinds[kind] : hd_loop_hash((uint64_t)target_of(at) << 3 | kind);
}

/* Of several records of a call, or none. own: hash of its call path */
static uint64_t
with_whom(const hd_loop_records *records, const uint8_t *at, uint32_t n_records, uint64_t own)
{
    uint64_t with = own;

    for (uint32_t i = 0; i < n_records; i++) {
        if (i > 0)
            at = hd_op_behind(at, records->end);
        with += own ^ hash_record(records, at);
    }
    return with;
}

hd_loop_records
hd_loop_records_of(const hd_oplog *log, uint32_t n_calls, const uint32_t *own, const uint64_t *hashes)
{
    hd_loop_records records = { .at = log->calls.data, .end = log->calls.data + log->calls.n, .own = own,
                                .hashes = hashes };

    records.channels = HD_NEW_UNSET(uint64_t, log->n_channels + 1);
    for (size_t i = 0; i < log->n_channels; i++) {
        const hd_channel *channel = &log->channels[i];

        records.channels[i] = hd_loop_hash(((uint64_t)channel->comm << 32 | channel->peer) << 3 | channel->kind);
    }
    for (uint64_t kind = 0; kind < 8; kind++)
        records.kinds[kind] = hd_loop_hash(kind);
    records.with    = HD_NEW_UNSET(uint32_t, (size_t)n_calls + 1);
    records.with[0] = 0;
    return records;
}

void
hd_loop_records_fini(hd_loop_records *records)
{
    free(records->channels);
    free(records->with);
    *records = (hd_loop_records){ .n = 0 };
}

void
hd_loop_records_read(hd_loop_records *records, uint32_t n)
{
    const uint8_t  *at     = records->at;
    const uint32_t *own    = records->own;
    const uint64_t *hashes = records->hashes;
    uint32_t       *with   = records->with, sum = with[records->n];

    for (uint32_t i = records->n; i < n; i++) {
        uint64_t hash  = hashes[own[i]], n_bytes;
        uint64_t shape = hd_bytes_get_number(&at) >> 4;
        uint32_t n_records;

        if (HD_LIKELY((shape & 1) != 0)) { /* one record: as hd_op_records() */
            sum += (uint32_t)(hash + (hash ^ hash_record(records, at)));
            at += (shape >> 1) + 1;
        } else {
            n_records = hd_op_records(shape, &at, &n_bytes);
            sum += (uint32_t)with_whom(records, at, n_records, hash);
            at += n_bytes;
        }
        with[i + 1] = sum;
    }
    records->at = at;
    records->n  = n > records->n ? n : records->n;
}
