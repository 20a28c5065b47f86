/* replay/simulate/sim_calls.c: from the op log and the log of threads to an array of calls. */
#include "sim_calls.h"

#include "sim_collectives.h"
#include "sim_messages.h"
#include "sim_threads.h"

/* What is seen of the records of a call. */
typedef struct sim_records {
    uint32_t flags; /* of the call; HD_SIM_CALL_BARRIER: one of them is */
    bool     others; /* besides those of barriers */
    bool     has_others; /* besides those of messages */
    uint32_t n_of_messages;
} sim_records;

/* Windows cannot be made and freed without the calls that do it. */
static bool
is_barrier(uint32_t operation)
{
    hd_coll_class class = hd_coll_class_of(operation);

    return class == HD_COLL_BARRIER || class == HD_COLL_FENCE;
}

/* A record of that call. */
static inline void
take(hd_sim_location *location, const hd_op *op, uint32_t call, sim_records *records)
{
    switch (op->kind) {
    case HD_OP_SEND:
        records->n_of_messages++;
        records->others = true;
        records->flags |= HD_SIM_CALL_MOVES;
        hd_sim_send_found(location, op, call);
        return;
    case HD_OP_RECV:
        records->n_of_messages++;
        records->others = true;
        records->flags |= HD_SIM_CALL_RECEIVES | HD_SIM_CALL_MOVES;
        hd_sim_receive_found(location, op, call);
        return;
    case HD_OP_POST:
        records->others = true;
        if ((op->flags & HD_OP_COLLECTIVE) != 0) {
            records->has_others = true;
            return;
        }
        records->n_of_messages++;
        HD_PUSH(location->posts, location->n_posts, location->capacity_posts,
                ((hd_sim_post){ location->cursor.call.enter, call }));
        return;
    case HD_OP_COLL:
    case HD_OP_NBC:
        if (is_barrier(op->operation))
            records->flags |= HD_SIM_CALL_BARRIER;
        else {
            records->others = true;
            if (hd_sim_group_of(op->operation) != HD_SIM_SYNCHRONISES)
                records->flags |= HD_SIM_CALL_MOVES;
        }
        if (hd_sim_group_of(op->operation) == HD_SIM_KEPT)
            records->flags |= HD_SIM_CALL_KEPT;
        break;
    case HD_OP_RMA:
        records->others = true;
        if (op->operation != HD_RMA_POST && op->operation != HD_RMA_WAIT && op->operation != HD_RMA_TEST &&
            !hd_op_is_numbered(op))
            records->flags |= HD_SIM_CALL_WINDOW;
        if (op->operation == HD_RMA_ACCESS || op->operation == HD_RMA_COMPLETION)
            records->flags |= HD_SIM_CALL_MOVES;
        break;
    case HD_OP_INIT:
    case HD_OP_FINALIZE:
        records->others = true;
        records->flags |= HD_SIM_CALL_WORLD;
        break;
    }
    records->has_others = true;
    HD_PUSH(location->others, location->n_others, location->capacity_others,
            ((hd_sim_record){ *op, call, hd_op_is_numbered(op) ? hd_sim_take_number(location, op->channel) : 0 }));
}

/* Whether a call after polls, whose records are still to come, is what they waited for. */
static bool
is_awaited(const hd_cursor *cursor)
{
    const uint8_t *at = cursor->at;
    bool           is = false;

    for (uint32_t i = 0; i < cursor->n_left; at = hd_op_behind(at, cursor->end), i++) {
        hd_op_kind kind = (hd_op_kind)(*at & 7);

        is |= kind == HD_OP_RECV || kind == HD_OP_NBC || (kind == HD_OP_POST && (*at & HD_OP_COLLECTIVE) == 0);
    }
    return is;
}

/* Whether the last n calls are of the op log. */
static bool
are_last(const hd_sim_location *location, size_t n)
{
    return n == 0 ||
           (location->n_op_calls >= n && location->op_calls[location->n_op_calls - n] == location->n_calls - n);
}

/* The call at the cursor is the last one of a polled wait; those before it that the log has are parts of it. */
static void
add_polled(hd_sim_location *location, const hd_polled_wait *wait)
{
    const hd_call *call   = &location->cursor.call;
    hd_sim_polled  polled = { .until = call->enter, .gaps = wait->gaps, .n_polls = wait->n_polls,
                              .node = location->location->nodes[call->call_path].parent };

    location->n_calls -= wait->n_logged;
    location->n_op_calls -= wait->n_logged;
    polled.call = (uint32_t)location->n_calls;
    HD_PUSH(location->polled, location->n_polled, location->capacity_polled, polled);
}

/* There is room for it. */
static inline void
add_call(hd_sim_location *location, const hd_call *call, hd_time enter, const sim_records *records)
{
    size_t       n     = location->n_calls++;
    hd_sim_call *added = &location->calls[n];
    uint32_t     flags = records->flags;

    if (records->others)
        flags &= ~(uint32_t)HD_SIM_CALL_BARRIER;
    if (n > 0 && enter < added[-1].leave)
        flags |= HD_SIM_CALL_NESTED;
    location->op_calls[location->n_op_calls++] = (uint32_t)n;
    *added = (hd_sim_call){ .enter = enter, .leave = call->leave, .node = call->call_path, .flags = flags };
}

static size_t
count(const hd_oplog *log, hd_channel_kind kind)
{
    size_t n = 0;

    for (size_t c = 0; c < log->n_channels; c++)
        n += log->channels[c].kind == kind ? log->channels[c].n : 0;
    return n;
}

static void
make_room(hd_sim_worker *sw, hd_sim_location *location)
{
    const hd_oplog *log        = &location->location->log;
    size_t          n_receives = count(log, HD_CHANNEL_RECV);

    location->call_of_send_call = HD_NEW_ARRAY(uint32_t, log->n_send_calls);
    location->next              = HD_NEW_ARRAY(uint32_t, log->n_channels);
    location->queues            = HD_NEW_ARRAY(hd_channel_queue *, log->n_channels);
    location->sources           = HD_NEW_ARRAY(hd_sim_source, log->n_channels);
    location->op_calls          = HD_NEW_UNSET(uint32_t, log->n_calls + 1);
    location->capacity_calls    = log->n_calls + location->n_thread_calls;
    location->calls             = HD_NEW_UNSET(hd_sim_call, location->capacity_calls + 1);
    if (sw->sim->wants_roles)
        location->n_message_records = HD_NEW_ARRAY(uint32_t, location->capacity_calls);
    hd_sim_sends_make_room(sw, location);
    HD_RESERVE(location->receives, location->n_receives, location->capacity_receives, n_receives);
}

void
hd_sim_calls_read(hd_sim_worker *sw, hd_sim_location *location)
{
    const hd_oplog *log      = &location->location->log;
    hd_cursor      *cursor   = &location->cursor;
    size_t          i_thread = 0, i_polled = 0;
    hd_op           op;

    make_room(sw, location);
    hd_cursor_init(cursor, log);
    for (uint32_t log_call = 0; hd_cursor_call(cursor); log_call++) {
        sim_records records = { .flags = 0 };
        hd_time     enter   = cursor->call.enter;
        uint32_t    call;

        if (i_thread < location->n_thread_calls)
            hd_sim_threads_merge(location, &i_thread, &cursor->call);
        if (HD_UNLIKELY(i_polled < log->rare->n_polled && log->rare->polled[i_polled].call == log_call)) {
            if (is_awaited(cursor) && are_last(location, log->rare->polled[i_polled].n_logged)) {
                add_polled(location, &log->rare->polled[i_polled]);
                enter         = log->rare->polled[i_polled].begin;
                records.flags = HD_SIM_CALL_POLLED;
            }
            i_polled++;
        }
        call = (uint32_t)location->n_calls;
        if (cursor->call.send_call != HD_NONE) {
            location->call_of_send_call[cursor->call.send_call] = call;
            records.flags |= HD_SIM_CALL_MOVES;
        }
        while (cursor->n_left > 0) {
            hd_cursor_op(cursor, &op);
            take(location, &op, call, &records);
        }
        if (location->n_message_records != NULL)
            location->n_message_records[call] = records.has_others ? UINT32_MAX : records.n_of_messages;
        add_call(location, &cursor->call, enter, &records);
    }
    hd_sim_threads_merge(location, &i_thread, NULL);
    HD_RESERVE(location->members, location->n_members, location->capacity_members, location->n_others);
    HD_RESERVE(location->dependencies, location->n_dependencies, location->capacity_dependencies,
               location->n_receives + count(log, HD_CHANNEL_SEND) +
                   4 * location->n_others); /* of most collective operations there are few */
}

/* Calls are in the order in which they were left, so a call that encloses others stands behind them. */
uint32_t
hd_sim_call_entered(const hd_sim_location *location, hd_time enter)
{
    size_t low = 0, high = location->n_calls;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (location->calls[middle].leave < enter)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < location->n_calls; low++) {
        if (location->calls[low].enter == enter)
            return (uint32_t)low;
        if (location->calls[low].enter > enter && (location->calls[low].flags & HD_SIM_CALL_NESTED) == 0)
            break;
    }
    return HD_NONE;
}
