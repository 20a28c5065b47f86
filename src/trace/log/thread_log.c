#include "thread_log.h"

#define KIND 15
#define FLAG 16 /* owner, is_explicit, is_inside, is_part */
#define LOCK_SHIFT 5
#define LOCK 3
#define CUT 128
#define TASKS 32 /* barrier */

static void
put_time(hd_thread_log *log, hd_time time)
{
    hd_bytes_put_number(&log->bytes, hd_zigzag((int64_t)(time - log->last)));
    log->last = time;
}

static void
put_aways(hd_thread_log *log, const hd_thread_op *op)
{
    hd_time before = op->enter;

    hd_bytes_put_number(&log->bytes, (uint64_t)op->task_time);
    hd_bytes_put_number(&log->bytes, op->n_aways);
    for (size_t i = 0; i < op->n_aways; i++) {
        hd_bytes_put_number(&log->bytes, op->aways[i].begin - before);
        hd_bytes_put_number(&log->bytes, op->aways[i].end - op->aways[i].begin);
        before = op->aways[i].end;
    }
}

void
hd_thread_log_put(hd_thread_log *log, const hd_thread_op *op)
{
    bool    flag = op->owner || op->is_explicit || op->is_inside || op->is_part;
    bool    away = op->kind == HD_THREAD_BARRIER && (op->task_time > 0 || op->n_aways > 0);
    uint8_t head = (uint8_t)(op->kind | (flag ? FLAG : 0) | op->lock_kind << LOCK_SHIFT | (op->is_cut ? CUT : 0) |
                             (away ? TASKS : 0));

    hd_bytes_put(&log->bytes, &head, 1);
    log->n_ops++;
    log->kinds |= UINT32_C(1) << op->kind;
    switch (op->kind) {
    case HD_THREAD_TEAM:
        hd_bytes_put_number(&log->bytes, op->comm);
        if (op->owner)
            put_time(log, op->time);
        break;
    case HD_THREAD_TEAM_END:
        break;
    case HD_THREAD_JOIN:
        put_time(log, op->time);
        break;
    case HD_THREAD_BARRIER:
    case HD_THREAD_PARALLEL:
        put_time(log, op->enter);
        put_time(log, op->leave);
        hd_bytes_put_number(&log->bytes, op->call_path);
        if (away)
            put_aways(log, op);
        break;
    case HD_THREAD_ACQUIRE:
        put_time(log, op->enter);
        put_time(log, op->time);
        hd_bytes_put_number(&log->bytes, op->call_path);
        hd_bytes_put_number(&log->bytes, op->lock);
        hd_bytes_put_number(&log->bytes, op->order);
        break;
    case HD_THREAD_RELEASE:
        put_time(log, op->time);
        hd_bytes_put_number(&log->bytes, op->lock);
        hd_bytes_put_number(&log->bytes, op->order);
        break;
    case HD_THREAD_TASK:
    case HD_THREAD_TASKWAIT:
        hd_bytes_put_number(&log->bytes, op->call_path);
        hd_bytes_put_number(&log->bytes, (uint64_t)op->task_time);
        if (op->kind == HD_THREAD_TASK)
            hd_bytes_put_number(&log->bytes, (uint64_t)op->region_time);
        if (op->is_part)
            hd_bytes_put_number(&log->bytes, op->completed ? (uint64_t)op->total_time + 1 : 0);
        break;
    }
}

void
hd_thread_cursor_init(hd_thread_cursor *cursor, const hd_thread_log *log)
{
    *cursor = (hd_thread_cursor){ .at = log->bytes.data, .end = log->bytes.data + log->bytes.n };
}

static hd_time
get_time(hd_thread_cursor *cursor)
{
    cursor->last += (uint64_t)hd_unzigzag(hd_bytes_get_number(&cursor->at));
    return cursor->last;
}

bool
hd_thread_cursor_next(hd_thread_cursor *cursor, hd_thread_op *op)
{
    uint64_t total;
    uint8_t  head;

    if (cursor->at == cursor->end)
        return false;
    head = *cursor->at++;
    *op  = (hd_thread_op){ .kind = (hd_thread_op_kind)(head & KIND), .lock_kind = (hd_lock_kind)(head >> LOCK_SHIFT & LOCK),
                           .is_cut = (head & CUT) != 0 };
    switch (op->kind) {
    case HD_THREAD_TEAM:
        op->owner = (head & FLAG) != 0;
        op->comm  = (uint32_t)hd_bytes_get_number(&cursor->at);
        if (op->owner)
            op->time = get_time(cursor);
        break;
    case HD_THREAD_TEAM_END:
        break;
    case HD_THREAD_JOIN:
        op->time = get_time(cursor);
        break;
    case HD_THREAD_BARRIER:
    case HD_THREAD_PARALLEL:
        op->is_explicit = op->kind == HD_THREAD_BARRIER && (head & FLAG) != 0;
        op->is_inside   = op->kind == HD_THREAD_PARALLEL && (head & FLAG) != 0;
        op->enter       = get_time(cursor);
        op->leave       = get_time(cursor);
        op->call_path   = (uint32_t)hd_bytes_get_number(&cursor->at);
        if (op->kind == HD_THREAD_BARRIER && (head & TASKS) != 0) {
            op->task_time  = (hd_span)hd_bytes_get_number(&cursor->at);
            op->n_aways    = (size_t)hd_bytes_get_number(&cursor->at);
            op->away_bytes = cursor->at;
            for (size_t i = 0; i < op->n_aways; i++) {
                hd_bytes_get_number(&cursor->at);
                hd_bytes_get_number(&cursor->at);
            }
        }
        break;
    case HD_THREAD_ACQUIRE:
        op->enter     = get_time(cursor);
        op->time      = get_time(cursor);
        op->call_path = (uint32_t)hd_bytes_get_number(&cursor->at);
        op->lock      = (uint32_t)hd_bytes_get_number(&cursor->at);
        op->order     = (uint32_t)hd_bytes_get_number(&cursor->at);
        break;
    case HD_THREAD_RELEASE:
        op->time  = get_time(cursor);
        op->lock  = (uint32_t)hd_bytes_get_number(&cursor->at);
        op->order = (uint32_t)hd_bytes_get_number(&cursor->at);
        break;
    case HD_THREAD_TASK:
    case HD_THREAD_TASKWAIT:
        op->call_path = (uint32_t)hd_bytes_get_number(&cursor->at);
        op->task_time = (hd_span)hd_bytes_get_number(&cursor->at);
        if (op->kind == HD_THREAD_TASK)
            op->region_time = (hd_span)hd_bytes_get_number(&cursor->at);
        op->is_part    = (head & FLAG) != 0;
        total          = op->is_part ? hd_bytes_get_number(&cursor->at) : (uint64_t)op->task_time + 1;
        op->completed  = total > 0;
        op->total_time = (hd_span)(total - op->completed);
        break;
    }
    return true;
}

hd_time
hd_thread_op_last_inside(const hd_thread_op *op)
{
    const uint8_t *at    = op->away_bytes;
    hd_time        begin = op->enter;

    if (op->n_aways != 1)
        return op->enter;
    begin += hd_bytes_get_number(&at);
    return hd_bytes_get_number(&at) == 0 ? begin : op->enter;
}

hd_span
hd_thread_op_away(const hd_thread_op *op, hd_time until)
{
    const uint8_t *at   = op->away_bytes;
    hd_time        time = op->enter;
    hd_span        away = 0;

    for (size_t i = 0; i < op->n_aways; i++) {
        hd_time begin = time + hd_bytes_get_number(&at);

        time = begin + hd_bytes_get_number(&at);
        if (begin < until)
            away += hd_span_between(begin, hd_time_min(time, until));
    }
    return away;
}
