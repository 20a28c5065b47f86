#include "thread_log.h"

/* The head of an op: its kind, and flags of the kind. */
#define KIND 15
#define FLAG 16 /* owner, is_explicit, is_inside, is_part */
#define LOCK_SHIFT 5
#define LOCK 3  /* acquire, release: lock_kind << LOCK_SHIFT */
#define TASKS 32 /* barrier: it has suspensions, or a time of tasks */
#define SHORT_REGION 64 /* parallel, barrier, and */
#define SHORT_LOCK 128  /* acquire, release: its times are of SHORT_BYTES each */
#define CUT 128 /* barrier */

/* What follows the head, for writing and for reading: X(how, field), in the order of the log. */
#define OWNED_TEAM_FIELDS(X) X(number, comm) X(time, time)
#define TEAM_FIELDS(X) X(number, comm)
#define JOIN_FIELDS(X) X(time, time)
#define REGION_TIMES(X) X(time, enter) X(time, leave)
#define REGION_FIELDS(X) X(number, call_path)
#define ACQUIRE_TIMES(X) X(time, enter) X(time, time)
#define ACQUIRE_FIELDS(X) X(number, call_path) X(number, lock) X(number, order)
#define RELEASE_TIMES(X) X(time, time)
#define RELEASE_FIELDS(X) X(number, lock) X(number, order)
#define TASK_FIELDS(X) X(number, call_path) X(number, task_time) X(number, region_time)
#define MOMENT_FIELDS(X) X(number, moment) X(time, enter) X(time, leave) X(number, call_path) X(number, of) \
    X(number, number)
#define TASKWAIT_FIELDS(X) X(number, call_path) X(number, task_time)

enum { OP_BYTES_MAX = 1 + 6 * HD_NUMBER_BYTES_MAX };

/* `at` and `last` are variables of the function. Times are differences to the time before. */
#define PUT(how, field) at = put_##how(at, &last, (uint64_t)op->field);
#define GET(how, field) op->field = (__typeof__(op->field))get_##how(&at, &last);
#define PUT_SHORT(how, field) at = put_short(at, &last, op->field);
#define GET_SHORT(how, field) op->field = get_short(&at, &last);

static inline __attribute__((always_inline)) uint8_t *
put_number(uint8_t *at, const hd_time *last, uint64_t value)
{
    (void)last;
    return hd_bytes_write_number(at, value);
}

static inline __attribute__((always_inline)) uint8_t *
put_time(uint8_t *at, hd_time *last, hd_time time)
{
    at    = hd_bytes_write_difference(at, time, *last);
    *last = time;
    return at;
}

/* Differences that fit are read in a few instructions, as four bytes: there is at least a number behind the times of an
 * op. */
enum { SHORT_BYTES = 3 };

static inline uint64_t
difference(hd_time time, hd_time last)
{
    return hd_zigzag((int64_t)(time - last));
}

static inline __attribute__((always_inline)) uint8_t *
put_short(uint8_t *at, hd_time *last, hd_time time)
{
    uint64_t word = difference(time, *last);

    at[0] = (uint8_t)word;
    at[1] = (uint8_t)(word >> 8);
    at[2] = (uint8_t)(word >> 16);
    *last = time;
    return at + SHORT_BYTES;
}

static inline __attribute__((always_inline)) hd_time
get_short(const uint8_t **at, hd_time *last)
{
    const uint8_t *bytes = *at;
    uint32_t       word  = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;

    *at += SHORT_BYTES;
    return *last += (hd_time)hd_unzigzag(word & 0xFFFFFF);
}

static inline __attribute__((always_inline)) uint64_t
get_number(const uint8_t **at, const hd_time *last)
{
    (void)last;
    return hd_bytes_get_number(at);
}

static inline __attribute__((always_inline)) hd_time
get_time(const uint8_t **at, hd_time *last)
{
    return *last = hd_bytes_get_difference(at, *last);
}

/* Of a barrier with TASKS. Aways are read where they stand. */
static void
put_suspensions(hd_thread_log *log, const hd_thread_op *op)
{
    hd_time before = op->enter;

    hd_bytes_put_number(&log->bytes, (uint64_t)op->task_time);
    hd_bytes_put_number(&log->bytes, op->n_suspensions);
    for (size_t i = 0; i < op->n_suspensions; i++) {
        hd_bytes_put_number(&log->bytes, op->suspensions[i].begin - before);
        hd_bytes_put_number(&log->bytes, op->suspensions[i].end - op->suspensions[i].begin);
        before = op->suspensions[i].end;
    }
}

static void
get_suspensions(const uint8_t **at, hd_thread_op *op)
{
    op->task_time        = (hd_span)hd_bytes_get_number(at);
    op->n_suspensions    = (size_t)hd_bytes_get_number(at);
    op->suspension_bytes = *at;
    for (size_t i = 0; i < 2 * op->n_suspensions; i++)
        hd_bytes_get_number(at);
}

/* Of a task, or a taskwait, with FLAG: whether the task was completed, and then how long it ran in all. Without it both
 * are known. */
static uint8_t *
put_total(uint8_t *at, const hd_thread_op *op)
{
    if (!op->is_part)
        return at;
    return hd_bytes_write_number(at, op->completed ? (uint64_t)op->total_time + 1 : 0);
}

static void
get_total(const uint8_t **at, hd_thread_op *op)
{
    uint64_t total = op->is_part ? hd_bytes_get_number(at) : (uint64_t)op->task_time + 1;

    op->completed  = total > 0;
    op->total_time = (hd_span)(total - op->completed);
}

/* The flag that says so where the op has one. */
static inline __attribute__((always_inline)) uint32_t
short_flag(const hd_thread_op *op, hd_time last)
{
    switch (op->kind) {
    case HD_THREAD_BARRIER:
    case HD_THREAD_PARALLEL:
        return (difference(op->enter, last) | difference(op->leave, op->enter)) >> 24 == 0 ? SHORT_REGION : 0;
    case HD_THREAD_ACQUIRE:
        return (difference(op->enter, last) | difference(op->time, op->enter)) >> 24 == 0 ? SHORT_LOCK : 0;
    case HD_THREAD_RELEASE:
        return difference(op->time, last) >> 24 == 0 ? SHORT_LOCK : 0;
    default:
        return 0;
    }
}

static inline __attribute__((always_inline)) void
put(hd_thread_log *log, const hd_thread_op *op)
{
    bool     flag  = op->owner || op->is_explicit || op->is_inside || op->is_part;
    bool     tasks = op->kind == HD_THREAD_BARRIER && (op->task_time > 0 || op->n_suspensions > 0);
    hd_time  last  = log->last;
    uint32_t is_short = short_flag(op, last);
    uint8_t *at       = hd_bytes_room(&log->bytes, OP_BYTES_MAX);

    *at++ = (uint8_t)(op->kind | (flag ? FLAG : 0) | op->lock_kind << LOCK_SHIFT | (op->is_cut ? CUT : 0) |
                      (tasks ? TASKS : 0) | is_short);
    log->n_ops++;
    log->kinds |= UINT32_C(1) << op->kind;
    switch (op->kind) {
    case HD_THREAD_TEAM:
        if (op->owner) {
            OWNED_TEAM_FIELDS(PUT)
        } else {
            TEAM_FIELDS(PUT)
        }
        break;
    case HD_THREAD_TEAM_END:
        break;
    case HD_THREAD_JOIN:
        JOIN_FIELDS(PUT)
        break;
    case HD_THREAD_BARRIER:
    case HD_THREAD_PARALLEL:
        if (HD_LIKELY(is_short != 0)) {
            REGION_TIMES(PUT_SHORT)
        } else {
            REGION_TIMES(PUT)
        }
        REGION_FIELDS(PUT)
        break;
    case HD_THREAD_ACQUIRE:
        if (HD_LIKELY(is_short != 0)) {
            ACQUIRE_TIMES(PUT_SHORT)
        } else {
            ACQUIRE_TIMES(PUT)
        }
        ACQUIRE_FIELDS(PUT)
        break;
    case HD_THREAD_RELEASE:
        if (HD_LIKELY(is_short != 0)) {
            RELEASE_TIMES(PUT_SHORT)
        } else {
            RELEASE_TIMES(PUT)
        }
        RELEASE_FIELDS(PUT)
        break;
    case HD_THREAD_TASK:
        TASK_FIELDS(PUT)
        at = put_total(at, op);
        break;
    case HD_THREAD_TASKWAIT:
        TASKWAIT_FIELDS(PUT)
        at = put_total(at, op);
        break;
    case HD_THREAD_MOMENT:
        MOMENT_FIELDS(PUT)
        break;
    }
    log->bytes.n = (size_t)(at - log->bytes.data);
    log->last    = last;
    if (tasks)
        put_suspensions(log, op);
}

void
hd_thread_log_put(hd_thread_log *log, const hd_thread_op *op)
{
    put(log, op);
}

void
hd_thread_log_put_team(hd_thread_log *log, uint32_t comm, bool owner, hd_time fork)
{
    put(log, &(hd_thread_op){ .kind = HD_THREAD_TEAM, .comm = comm, .owner = owner, .time = fork });
}

void
hd_thread_log_put_team_end(hd_thread_log *log)
{
    put(log, &(hd_thread_op){ .kind = HD_THREAD_TEAM_END });
}

void
hd_thread_log_put_parallel(hd_thread_log *log, hd_time enter, hd_time leave, uint32_t call_path, bool is_inside)
{
    put(log, &(hd_thread_op){ .kind = HD_THREAD_PARALLEL, .enter = enter, .leave = leave, .call_path = call_path,
                              .is_inside = is_inside });
}

void
hd_thread_log_put_barrier(hd_thread_log *log, hd_time enter, hd_time leave, uint32_t call_path, bool is_explicit)
{
    put(log, &(hd_thread_op){ .kind = HD_THREAD_BARRIER, .enter = enter, .leave = leave, .call_path = call_path,
                              .is_explicit = is_explicit });
}

void
hd_thread_log_put_acquire(hd_thread_log *log, hd_lock_kind kind, uint32_t lock, uint32_t order, hd_time enter,
                          hd_time time, uint32_t call_path)
{
    put(log, &(hd_thread_op){ .kind = HD_THREAD_ACQUIRE, .lock_kind = kind, .lock = lock, .order = order,
                              .enter = enter, .time = time, .call_path = call_path });
}

void
hd_thread_log_put_release(hd_thread_log *log, hd_lock_kind kind, uint32_t lock, uint32_t order, hd_time time)
{
    put(log, &(hd_thread_op){ .kind = HD_THREAD_RELEASE, .lock_kind = kind, .lock = lock, .order = order,
                              .time = time });
}

void
hd_thread_cursor_init(hd_thread_cursor *cursor, const hd_thread_log *log)
{
    *cursor = (hd_thread_cursor){ .at = log->bytes.data, .end = log->bytes.data + log->bytes.n };
}

bool
hd_thread_cursor_next(hd_thread_cursor *cursor, hd_thread_op *op)
{
    const uint8_t *at   = cursor->at;
    hd_time        last = cursor->last;
    uint8_t        head;
    bool           flag;

    if (at == cursor->end)
        return false;
    head     = *at++;
    flag     = (head & FLAG) != 0;
    op->kind = (hd_thread_op_kind)(head & KIND);
    switch (op->kind) {
    case HD_THREAD_TEAM:
        op->owner = flag;
        if (op->owner) {
            OWNED_TEAM_FIELDS(GET)
        } else {
            op->time = 0;
            TEAM_FIELDS(GET)
        }
        break;
    case HD_THREAD_TEAM_END:
        break;
    case HD_THREAD_JOIN:
        JOIN_FIELDS(GET)
        break;
    case HD_THREAD_BARRIER:
        op->is_explicit = flag;
        op->is_cut      = (head & CUT) != 0;
        if (HD_LIKELY((head & SHORT_REGION) != 0)) {
            REGION_TIMES(GET_SHORT)
        } else {
            REGION_TIMES(GET)
        }
        REGION_FIELDS(GET)
        op->task_time     = 0;
        op->n_suspensions = 0;
        if (HD_UNLIKELY((head & TASKS) != 0))
            get_suspensions(&at, op);
        break;
    case HD_THREAD_PARALLEL:
        op->is_inside = flag;
        if (HD_LIKELY((head & SHORT_REGION) != 0)) {
            REGION_TIMES(GET_SHORT)
        } else {
            REGION_TIMES(GET)
        }
        REGION_FIELDS(GET)
        break;
    case HD_THREAD_ACQUIRE:
        op->lock_kind = (hd_lock_kind)(head >> LOCK_SHIFT & LOCK);
        if (HD_LIKELY((head & SHORT_LOCK) != 0)) {
            ACQUIRE_TIMES(GET_SHORT)
        } else {
            ACQUIRE_TIMES(GET)
        }
        ACQUIRE_FIELDS(GET)
        break;
    case HD_THREAD_RELEASE:
        op->lock_kind = (hd_lock_kind)(head >> LOCK_SHIFT & LOCK);
        if (HD_LIKELY((head & SHORT_LOCK) != 0)) {
            RELEASE_TIMES(GET_SHORT)
        } else {
            RELEASE_TIMES(GET)
        }
        RELEASE_FIELDS(GET)
        break;
    case HD_THREAD_TASK:
        op->is_part = flag;
        TASK_FIELDS(GET)
        get_total(&at, op);
        break;
    case HD_THREAD_TASKWAIT:
        op->is_part = flag;
        TASKWAIT_FIELDS(GET)
        get_total(&at, op);
        break;
    case HD_THREAD_MOMENT:
        MOMENT_FIELDS(GET)
        break;
    }
    cursor->at   = at;
    cursor->last = last;
    return true;
}

hd_time
hd_thread_op_last_inside(const hd_thread_op *op)
{
    const uint8_t *at    = op->suspension_bytes;
    hd_time        begin = op->enter;

    if (op->n_suspensions != 1)
        return op->enter;
    begin += hd_bytes_get_number(&at);
    return hd_bytes_get_number(&at) == 0 ? begin : op->enter;
}

hd_span
hd_thread_op_suspended_slow(const hd_thread_op *op, hd_time until)
{
    const uint8_t *at   = op->suspension_bytes;
    hd_time        time = op->enter;
    hd_span        suspended = 0;

    for (size_t i = 0; i < op->n_suspensions; i++) {
        hd_time begin = time + hd_bytes_get_number(&at);

        time = begin + hd_bytes_get_number(&at);
        if (begin < until)
            suspended += hd_span_between(begin, hd_time_min(time, until));
    }
    return suspended;
}
