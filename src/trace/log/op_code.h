/* src/trace/log/op_code.h: a record of the op log (oplog.h) as bytes: a head, kind | flags or kind | operation << 3,
 * and its fields.
 *
 * The fields are listed once, for writing, reading and passing over: X(form, field), in their order. Uses: base. MT:
 * any thread.
 * Cost: callers give the kind, and mostly the operation, as constants, so that one list is left of each function.
 */
#ifndef HD_OP_CODE_H
#define HD_OP_CODE_H

#include "bytes.h"
#include "op.h"

#define HD_OP_SEND_FIELDS(X) X(PLAIN, channel) X(SINCE_ENTER, time) X(PLAIN, sent)
#define HD_OP_RECV_FIELDS(X) X(PLAIN, channel) X(SINCE_ENTER, time)
#define HD_OP_REQUEST_FIELDS(X) X(BEFORE_ENTER, begin) /* of a receive that was posted on the same thread */
#define HD_OP_LATER_POST_FIELDS(X) X(PLAIN, post)      /* of a post or receive with the flag */
#define HD_OP_COLL_FIELDS(X) \
    X(PLAIN, channel) X(PLAIN, operation) X(ROOT, root) X(SINCE_ENTER, begin) X(SINCE_BEGIN, time) X(PLAIN, sent) X(PLAIN, received)
#define HD_OP_NBC_FIELDS(X) X(PLAIN, channel) X(PLAIN, operation) X(ROOT, root) X(PLAIN, number) X(PLAIN, sent)        \
    X(PLAIN, received)

/* One-sided communication. root: target, number: of processes in the group. */
#define HD_RMA_NOTICE_FIELDS(X) X(PLAIN, channel)
#define HD_RMA_GROUP_FIELDS(X) X(PLAIN, channel) X(PLAIN, number) /* post, wait, test */
#define HD_RMA_TIMED_GROUP_FIELDS(X) X(PLAIN, channel) X(SINCE_ENTER, time) X(PLAIN, number) /* start, complete */
#define HD_RMA_ACCESS_FIELDS(X) X(PLAIN, channel) X(SINCE_ENTER, time) X(PLAIN, root)
#define HD_RMA_COMPLETION_FIELDS(X) X(PLAIN, channel) X(PLAIN, root)
#define HD_RMA_LOCK_FIELDS(X) X(PLAIN, channel) X(SINCE_ENTER, time) X(LOCK, root) /* number: whether it is exclusive,
                                                                                    * in the same number */
#define HD_RMA_UNLOCK_FIELDS(X) X(PLAIN, channel) X(SINCE_ENTER, time) X(TARGET, root)

/* Forms: how a field of `op` is written as a number, and set from one. enter: of the call. Roots may be -3 to -1,
 * targets -1. */
#define HD_OP_WRITE_PLAIN(field) op->field
#define HD_OP_WRITE_ROOT(field) (uint32_t)(op->field + 3)
#define HD_OP_WRITE_TARGET(field) (uint32_t)(op->field + 1)
#define HD_OP_WRITE_LOCK(field) ((uint64_t)(uint32_t)(op->field + 1) << 1 | op->number)
#define HD_OP_WRITE_SINCE_ENTER(field) op->field - enter
#define HD_OP_WRITE_SINCE_BEGIN(field) op->field - op->begin
#define HD_OP_WRITE_BEFORE_ENTER(field) enter - op->field

#define HD_OP_READ_PLAIN(field, value) op->field = (__typeof__(op->field))(value)
#define HD_OP_READ_ROOT(field, value) op->field = (uint32_t)(value) - 3
#define HD_OP_READ_TARGET(field, value) op->field = (uint32_t)(value) - 1
#define HD_OP_READ_LOCK(field, value) (op->number = (uint32_t)(value) & 1, op->field = (uint32_t)((value) >> 1) - 1)
#define HD_OP_READ_SINCE_ENTER(field, value) op->field = enter + (value)
#define HD_OP_READ_SINCE_BEGIN(field, value) op->field = op->begin + (value)
#define HD_OP_READ_BEFORE_ENTER(field, value) op->field = enter - (value)

#define HD_OP_PUT(form, field) to = hd_bytes_write_number(to, HD_OP_WRITE_##form(field));
#define HD_OP_GET(form, field) \
    { \
        uint64_t number = hd_bytes_get_number(at); \
\
        HD_OP_READ_##form(field, number); \
    }
#define HD_OP_COUNT(form, field) +1

enum { HD_OP_COPY_BYTES = 16 }; /* behind the last record: so many are copied at once */
enum { HD_OP_BYTES_MAX = 1 + (0 HD_OP_COLL_FIELDS(HD_OP_COUNT)) * HD_NUMBER_BYTES_MAX };

/* What follows a head of the kind, which is done with by HD_OP_PUT or HD_OP_GET. */
#define HD_OP_FIELDS_OF(kind, operation, flags, X) \
    switch (kind) { \
    case HD_OP_SEND: \
        HD_OP_SEND_FIELDS(X) \
        break; \
    case HD_OP_RECV: \
        HD_OP_RECV_FIELDS(X) \
        if (((flags) & (HD_OP_NONBLOCKING | HD_OP_ELSEWHERE)) == HD_OP_NONBLOCKING) \
            HD_OP_REQUEST_FIELDS(X) \
        if (((flags) & HD_OP_LATER_POST) != 0) \
            HD_OP_LATER_POST_FIELDS(X) \
        break; \
    case HD_OP_COLL: \
        HD_OP_COLL_FIELDS(X) \
        break; \
    case HD_OP_NBC: \
        HD_OP_NBC_FIELDS(X) \
        break; \
    case HD_OP_POST: \
        if (((flags) & HD_OP_LATER_POST) != 0) \
            HD_OP_LATER_POST_FIELDS(X) \
        break; \
    case HD_OP_INIT: \
    case HD_OP_FINALIZE: \
        break; \
    case HD_OP_RMA: \
        HD_RMA_FIELDS_OF(operation, X) \
    }
#define HD_RMA_FIELDS_OF(operation, X) \
    switch ((hd_rma)(operation)) { \
    case HD_RMA_NOTIFY: \
    case HD_RMA_RECEIVE: \
    case HD_RMA_NO_NOTIFY: \
    case HD_RMA_NO_RECEIVE: \
        HD_RMA_NOTICE_FIELDS(X) \
        break; \
    case HD_RMA_POST: \
    case HD_RMA_WAIT: \
    case HD_RMA_TEST: \
        HD_RMA_GROUP_FIELDS(X) \
        break; \
    case HD_RMA_START: \
    case HD_RMA_COMPLETE: \
        HD_RMA_TIMED_GROUP_FIELDS(X) \
        break; \
    case HD_RMA_ACCESS: \
        HD_RMA_ACCESS_FIELDS(X) \
        break; \
    case HD_RMA_COMPLETION: \
        HD_RMA_COMPLETION_FIELDS(X) \
        break; \
    case HD_RMA_LOCK: \
        HD_RMA_LOCK_FIELDS(X) \
        break; \
    case HD_RMA_UNLOCK: \
        HD_RMA_UNLOCK_FIELDS(X) \
        break; \
    }

/* Writes a record of a call that was entered then. Fields that the record does not have do not matter. */
static inline __attribute__((always_inline)) void
hd_op_put(hd_bytes *bytes, const hd_op *op, hd_time enter)
{
    uint8_t *to = hd_bytes_room(bytes, HD_OP_BYTES_MAX + HD_OP_COPY_BYTES);

    *to++ = (uint8_t)(op->kind | (op->kind == HD_OP_RMA ? op->operation << 3 : op->flags));
    HD_OP_FIELDS_OF(op->kind, op->operation, op->flags, HD_OP_PUT)
    bytes->n = (size_t)(to - bytes->data);
}

/* Records that hd_op_put() has written, to where there is room for HD_OP_COPY_BYTES more. Most are short. */
static inline void
hd_op_copy(uint8_t *to, const uint8_t *records, size_t n_bytes)
{
    memcpy(to, records, HD_OP_COPY_BYTES);
    if (HD_UNLIKELY(n_bytes > HD_OP_COPY_BYTES))
        memcpy(to + HD_OP_COPY_BYTES, records + HD_OP_COPY_BYTES, n_bytes - HD_OP_COPY_BYTES);
}

/* Reads what follows a head. kind, operation, flags: of the head. Fields that the record does not have stay as they
 * are. */
static inline __attribute__((always_inline)) void
hd_op_get(const uint8_t **at, hd_op_kind kind, uint32_t operation, uint32_t flags, hd_time enter, hd_op *op)
{
    HD_OP_FIELDS_OF(kind, operation, flags, HD_OP_GET)
}

/* How many numbers follow a head. */
static inline uint32_t
hd_op_numbers(uint8_t head)
{
#define HD_OP_N(fields) 0 fields(HD_OP_COUNT)
    static const uint8_t of_kind[] = { [HD_OP_SEND] = HD_OP_N(HD_OP_SEND_FIELDS),
                                       [HD_OP_RECV] = HD_OP_N(HD_OP_RECV_FIELDS),
                                       [HD_OP_COLL] = HD_OP_N(HD_OP_COLL_FIELDS),
                                       [HD_OP_NBC] = HD_OP_N(HD_OP_NBC_FIELDS),
                                       [HD_OP_INIT] = 0, [HD_OP_FINALIZE] = 0, [HD_OP_POST] = 0 };
    static const uint8_t of_rma[] = {
        [HD_RMA_NOTIFY] = HD_OP_N(HD_RMA_NOTICE_FIELDS),        [HD_RMA_RECEIVE] = HD_OP_N(HD_RMA_NOTICE_FIELDS),
        [HD_RMA_NO_NOTIFY] = HD_OP_N(HD_RMA_NOTICE_FIELDS),     [HD_RMA_NO_RECEIVE] = HD_OP_N(HD_RMA_NOTICE_FIELDS),
        [HD_RMA_ACCESS] = HD_OP_N(HD_RMA_ACCESS_FIELDS),        [HD_RMA_COMPLETION] = HD_OP_N(HD_RMA_COMPLETION_FIELDS),
        [HD_RMA_POST] = HD_OP_N(HD_RMA_GROUP_FIELDS),           [HD_RMA_WAIT] = HD_OP_N(HD_RMA_GROUP_FIELDS),
        [HD_RMA_TEST] = HD_OP_N(HD_RMA_GROUP_FIELDS),           [HD_RMA_START] = HD_OP_N(HD_RMA_TIMED_GROUP_FIELDS),
        [HD_RMA_COMPLETE] = HD_OP_N(HD_RMA_TIMED_GROUP_FIELDS), [HD_RMA_LOCK] = HD_OP_N(HD_RMA_LOCK_FIELDS),
        [HD_RMA_UNLOCK] = HD_OP_N(HD_RMA_UNLOCK_FIELDS),
    };
    uint32_t kind = head & 7;

    if (kind == HD_OP_RMA)
        return of_rma[head >> 3];
    return of_kind[kind] + (uint32_t)((head & HD_OP_LATER_POST) != 0) +
           (uint32_t)(kind == HD_OP_RECV && (head & (HD_OP_NONBLOCKING | HD_OP_ELSEWHERE)) == HD_OP_NONBLOCKING);
}

/* The number of records of a call, and the bytes that they take: "records" of its shape, and what follows it. */
static inline uint64_t
hd_op_records_shape(uint32_t n_records, size_t n_bytes)
{
    return n_records == 1 ? (n_bytes - 1) << 1 | 1 : n_records == 0 ? 0 : (uint64_t)(n_records - 1) << 1;
}

static inline __attribute__((always_inline)) uint32_t
hd_op_records(uint64_t shape, const uint8_t **at, uint64_t *n_bytes)
{
    if (HD_LIKELY((shape & 1) != 0)) {
        *n_bytes = (shape >> 1) + 1;
        return 1;
    }
    if (shape == 0) {
        *n_bytes = 0;
        return 0;
    }
    *n_bytes = hd_bytes_get_number(at);
    return (uint32_t)(shape >> 1) + 1;
}

/* After n numbers, most of which are short: the last byte of each is below 128. */
static inline __attribute__((always_inline)) const uint8_t *
hd_op_behind_numbers(const uint8_t *at, const uint8_t *end, uint32_t n)
{
    if (HD_LIKELY(n > 0 && end - at >= 8)) {
        uint64_t ends = ~hd_bytes_read_fixed(at) & UINT64_C(0x8080808080808080);

        for (uint32_t i = 1; i < n; i++)
            ends &= ends - 1;
        if (HD_LIKELY(ends != 0))
            return at + __builtin_ctzll(ends) / 8 + 1;
    }
    for (; n > 0; at++)
        n -= *at < 128;
    return at;
}

/* The end of the record that begins at `at`. The commonest ones have a known number of fields. */
static inline __attribute__((always_inline)) const uint8_t *
hd_op_behind(const uint8_t *at, const uint8_t *end)
{
    if ((*at & 7) == HD_OP_SEND)
        return hd_op_behind_numbers(at + 1, end, HD_OP_N(HD_OP_SEND_FIELDS));
    if (*at == HD_OP_RECV)
        return hd_op_behind_numbers(at + 1, end, HD_OP_N(HD_OP_RECV_FIELDS));
    return hd_op_behind_numbers(at + 1, end, hd_op_numbers(*at));
}

#endif
