/* src/trace/load/channel_numbers.c: the operations on channels with numbers are collected from the op logs and sorted.
 */
#include "channel_numbers.h"

#include "channel_order.h"

static bool
same_channel(const hd_channel *a, const hd_channel *b)
{
    if (a->kind != b->kind || a->comm != b->comm)
        return false;
    return a->kind >= HD_CHANNEL_COLL || (a->peer == b->peer && a->tag == b->tag);
}

/* Marks channels that several locations use. */
static void
mark_shared(hd_loaded_process *process)
{
    hd_table    first = { 0 }; /* hash of a channel -> its number in `users` */
    hd_channel **users = NULL; /* who used each channel first */
    size_t      n = 0, capacity = 0;

    for (uint32_t t = 0; t < process->n_locations; t++) {
        size_t n_before = n; /* channels of one location differ: only those of earlier ones can be the same */

        for (size_t i = 0; i < process->locations[t].log.n_channels; i++) {
            hd_channel *channel = &process->locations[t].log.channels[i];
            bool        is_coll = channel->kind >= HD_CHANNEL_COLL;
            uint64_t    key     = hd_hash((uint64_t)channel->comm << 32 | (is_coll ? 0 : channel->tag)) ^
                           (uint64_t)(is_coll ? 0 : channel->peer) << 2 ^ channel->kind;
            uint32_t    user;

            /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): user is one of users */
            while ((user = hd_table_get(&first, key)) != HD_NONE && !same_channel(users[user], channel))
                key++;
            if (user == HD_NONE) {
                hd_table_add(&first, key, (uint32_t)n);
                HD_PUSH(users, n, capacity, channel);
            } else if (user < n_before)
                users[user]->has_numbers = channel->has_numbers = true;
        }
    }
    hd_table_fini(&first);
    free(users);
}

static bool
has_numbers(const hd_loaded_process *process)
{
    for (uint32_t t = 0; t < process->n_locations; t++)
        for (size_t i = 0; i < process->locations[t].log.n_channels; i++)
            if (process->locations[t].log.channels[i].has_numbers)
                return true;
    return false;
}

typedef struct last_post { /* the posts of a thread at one time, so far */
    hd_time  time;
    uint32_t n;
} last_post;

/* How the post of a receive, the cursor's last record, sorts among those of its thread. A blocking one, and one whose
 * post is not recorded: at the enter of its call, after what was posted before in the same tick; one that another
 * thread posted: as the last one in its tick. */
static void
set_post(hd_channel_use *use, const hd_op *op, const hd_cursor *cursor, const last_post *last)
{
    use->post = cursor->call.enter;
    if ((op->flags & (HD_OP_NONBLOCKING | HD_OP_ELSEWHERE)) == HD_OP_NONBLOCKING) {
        use->post       = op->begin;
        use->tick_order = 2 * op->post + 1;
    } else if ((op->flags & HD_OP_ELSEWHERE) != 0 && hd_op_is_post_known(op)) {
        const hd_posted *posted = &cursor->log->rare->posted_elsewhere[cursor->i_posted_elsewhere - 1];

        use->post        = posted->time;
        use->post_thread = posted->thread;
        use->tick_order  = UINT32_MAX;
    } else if (use->post == last->time)
        use->tick_order = 2 * last->n;
}

static void
set_channel(hd_channel_use *use, const hd_channel *channel)
{
    hd_channel_use_set(use, (hd_channel_kind)channel->kind, channel->comm, channel->peer, channel->tag);
}

/* position: in numbers of the location. */
static void
collect_uses(hd_scratch *scratch, hd_oplog *log, uint32_t thread, bool compat, hd_channel_use **uses, size_t *n,
             size_t *capacity)
{
    hd_cursor cursor;
    hd_op     op       = { 0 };
    last_post last     = { 0 };
    uint32_t  position = 0;

    hd_cursor_init(&cursor, log);
    while (hd_cursor_call(&cursor))
        while (cursor.n_left > 0) {
            hd_channel_use use = { .thread = thread, .post_thread = thread };

            hd_cursor_op(&cursor, &op);
            if (op.kind == HD_OP_POST && (op.flags & HD_OP_COLLECTIVE) == 0)
                last = (last_post){ op.begin, op.post + 1 };
            if (!hd_op_is_numbered(&op) || !log->channels[op.channel].has_numbers)
                continue;
            set_channel(&use, &log->channels[op.channel]);
            use.time     = op.time;
            use.position = position++;
            if (op.kind == HD_OP_RECV && !compat)
                set_post(&use, &op, &cursor, &last);
            /* one that is cancelled takes a place, but no number */
            if (op.kind != HD_OP_SEND || (op.flags & HD_OP_NONBLOCKING) == 0 ||
                log->completions[op.number].call != HD_COMPLETION_CANCELLED)
                HD_SCRATCH_PUSH(scratch, *uses, *n, *capacity, use);
        }
    if (position > 0) {
        hd_oplog_rare *rare = hd_oplog_rare_of(log);

        rare->n_numbers = position;
        rare->numbers   = hd_scratch_alloc(scratch, position, sizeof *rare->numbers);
    }
}

static void
number_ops(hd_loaded_process *process, bool compat)
{
    hd_channel_use *uses = NULL;
    size_t          n = 0, capacity = 0;
    uint32_t        number = 0;

    for (uint32_t t = 0; t < process->n_locations; t++)
        collect_uses(process->scratch, &process->locations[t].log, t, compat, &uses, &n, &capacity);
    hd_channel_order_sort(uses, n);
    for (size_t i = 0; i < n; i++) {
        number = i > 0 && hd_channel_use_same(&uses[i - 1], &uses[i]) ? number + 1 : 0;
        process->locations[uses[i].thread].log.rare->numbers[uses[i].position] = number;
    }
    hd_scratch_free(process->scratch, uses);
}

/* A location has them in the order of their starts, but for those that another thread started. */
static void
number_nbcs(hd_loaded_process *process)
{
    hd_channel_use *uses = NULL;
    size_t          n = 0, capacity = 0;
    uint32_t        number = 0;

    for (uint32_t t = 0; t < process->n_locations; t++) {
        const hd_oplog *log = &process->locations[t].log;

        for (size_t i = 0; i < log->rare->n_nbcs; i++) {
            hd_channel_use use = { .time = log->rare->nbcs[i].begin, .thread = t, .position = (uint32_t)i,
                                   .post_thread = t };

            if (log->rare->nbcs[i].channel >= HD_NONE - 1)
                continue;
            set_channel(&use, &log->channels[log->rare->nbcs[i].channel]);
            HD_SCRATCH_PUSH(process->scratch, uses, n, capacity, use);
        }
    }
    hd_channel_order_sort(uses, n);
    for (size_t i = 0; i < n; i++) {
        hd_oplog *log = &process->locations[uses[i].thread].log;
        hd_nbc   *nbc = &log->rare->nbcs[uses[i].position];

        number      = i > 0 && hd_channel_use_same(&uses[i - 1], &uses[i]) ? number + 1 : 0;
        nbc->number = number;
        log->channels[nbc->channel].n++;
    }
    hd_scratch_free(process->scratch, uses);
}

void
hd_channel_numbers_find(hd_loaded_process *process, bool compat)
{
    if (process->n_locations > 1)
        mark_shared(process);
    if (has_numbers(process))
        number_ops(process, compat);
    number_nbcs(process);
}
