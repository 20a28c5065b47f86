#include "thread_log.h"

/* The head of an op: its kind, and flags of the kind. */
#define KIND 15
#define FLAG 16 /* owner, is_explicit, is_inside, is_part */
#define LOCK_SHIFT 5
#define LOCK 3  /* acquire, release: lock_kind << LOCK_SHIFT */
#define TASKS 32 /* barrier: it has suspensions, or a time of tasks */
#define CUT 128

/* What follows the head, for writing and for reading: X(how, field), in the order of the log. */
#define OWNED_TEAM_FIELDS(X) X(number, comm) X(time, time)
#define TEAM_FIELDS(X) X(number, comm)
#define JOIN_FIELDS(X) X(time, time)
#define REGION_FIELDS(X) X(time, enter) X(time, leave) X(number, call_path)
#define ACQUIRE_FIELDS(X) X(time, enter) X(time, time) X(number, call_path) X(number, lock) X(number, order)
#define RELEASE_FIELDS(X) X(time, time) X(number, lock) X(number, order)
#define TASK_FIELDS(X) X(number, call_path) X(number, task_time) X(number, region_time)
#define MOMENT_FIELDS(X) X(number, moment) X(time, enter) X(time, leave) X(number, call_path) X(number, of) \
    X(number, number)
#define TASKWAIT_FIELDS(X) X(number, call_path) X(number, task_time)

#define PUT(how, field) put_##how(log, (uint64_t)op->field);
#define GET(how, field) op->field = (__typeof__(op->field))get_##how(cursor);

static inline void
put_number(hd_thread_log *log, uint64_t value)
{
    hd_bytes_put_number(&log->bytes, value);
}

static inline uint64_t
get_number(hd_thread_cursor *cursor)
{
    return hd_bytes_get_number(&cursor->at);
}

/* Times are differences to the time before. */
static void
put_time(hd_thread_log *log, hd_time time)
{
    hd_bytes_put_number(&log->bytes, hd_zigzag((int64_t)(time - log->last)));
    log->last = time;
}

static hd_time
get_time(hd_thread_cursor *cursor)
{
    cursor->last += (uint64_t)hd_unzigzag(hd_bytes_get_number(&cursor->at));
    return cursor->last;
}

/* Of a barrier with TASKS. Aways are read where they stand. */
static void
put_suspensions(hd_thread_log *log, const hd_thread_op *op)
{
    hd_time before = op->enter;

    put_number(log, (uint64_t)op->task_time);
    put_number(log, op->n_suspensions);
    for (size_t i = 0; i < op->n_suspensions; i++) {
        put_number(log, op->suspensions[i].begin - before);
        put_number(log, op->suspensions[i].end - op->suspensions[i].begin);
        before = op->suspensions[i].end;
    }
}

static void
get_suspensions(hd_thread_cursor *cursor, hd_thread_op *op)
{
    op->task_time  = (hd_span)get_number(cursor);
    op->n_suspensions    = (size_t)get_number(cursor);
    op->suspension_bytes = cursor->at;
    for (size_t i = 0; i < 2 * op->n_suspensions; i++)
        get_number(cursor);
}

/* Of a task, or a taskwait, with FLAG: whether the task was completed, and then how long it ran in all. Without it both
 * are known. */
static void
put_total(hd_thread_log *log, const hd_thread_op *op)
{
    if (op->is_part)
        put_number(log, op->completed ? (uint64_t)op->total_time + 1 : 0);
}

static void
get_total(hd_thread_cursor *cursor, hd_thread_op *op)
{
    uint64_t total = op->is_part ? get_number(cursor) : (uint64_t)op->task_time + 1;

    op->completed  = total > 0;
    op->total_time = (hd_span)(total - op->completed);
}

void
hd_thread_log_put(hd_thread_log *log, const hd_thread_op *op)
{
    bool    flag  = op->owner || op->is_explicit || op->is_inside || op->is_part;
    bool    tasks = op->kind == HD_THREAD_BARRIER && (op->task_time > 0 || op->n_suspensions > 0);
    uint8_t head  = (uint8_t)(op->kind | (flag ? FLAG : 0) | op->lock_kind << LOCK_SHIFT | (op->is_cut ? CUT : 0) |
                              (tasks ? TASKS : 0));

    hd_bytes_put(&log->bytes, &head, 1);
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
        REGION_FIELDS(PUT)
        if (tasks)
            put_suspensions(log, op);
        break;
    case HD_THREAD_ACQUIRE:
        ACQUIRE_FIELDS(PUT)
        break;
    case HD_THREAD_RELEASE:
        RELEASE_FIELDS(PUT)
        break;
    case HD_THREAD_TASK:
        TASK_FIELDS(PUT)
        put_total(log, op);
        break;
    case HD_THREAD_TASKWAIT:
        TASKWAIT_FIELDS(PUT)
        put_total(log, op);
        break;
    case HD_THREAD_MOMENT:
        MOMENT_FIELDS(PUT)
        break;
    }
}

void
hd_thread_cursor_init(hd_thread_cursor *cursor, const hd_thread_log *log)
{
    *cursor = (hd_thread_cursor){ .at = log->bytes.data, .end = log->bytes.data + log->bytes.n };
}

bool
hd_thread_cursor_next(hd_thread_cursor *cursor, hd_thread_op *op)
{
    uint8_t head;
    bool    flag;

    if (cursor->at == cursor->end)
        return false;
    head = *cursor->at++;
    flag = (head & FLAG) != 0;
    *op  = (hd_thread_op){ .kind = (hd_thread_op_kind)(head & KIND),
                           .lock_kind = (hd_lock_kind)(head >> LOCK_SHIFT & LOCK),
                           .is_cut = (head & CUT) != 0 };
    switch (op->kind) {
    case HD_THREAD_TEAM:
        op->owner = flag;
        if (op->owner) {
            OWNED_TEAM_FIELDS(GET)
        } else {
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
        REGION_FIELDS(GET)
        if ((head & TASKS) != 0)
            get_suspensions(cursor, op);
        break;
    case HD_THREAD_PARALLEL:
        op->is_inside = flag;
        REGION_FIELDS(GET)
        break;
    case HD_THREAD_ACQUIRE:
        ACQUIRE_FIELDS(GET)
        break;
    case HD_THREAD_RELEASE:
        RELEASE_FIELDS(GET)
        break;
    case HD_THREAD_TASK:
        op->is_part = flag;
        TASK_FIELDS(GET)
        get_total(cursor, op);
        break;
    case HD_THREAD_TASKWAIT:
        op->is_part = flag;
        TASKWAIT_FIELDS(GET)
        get_total(cursor, op);
        break;
    case HD_THREAD_MOMENT:
        MOMENT_FIELDS(GET)
        break;
    }
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
hd_thread_op_suspended(const hd_thread_op *op, hd_time until)
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
