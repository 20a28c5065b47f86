/* replay/forward_run.c: the forward replay on the engine: the functions that it calls, and the phases around it
 * (counts of channels, replies of targets, the ends of patterns). */
#include "forward_run.h"

#include "coll.h"
#include "ideal_clock.h"
#include "iteration_calls.h"
#include "p2p.h"
#include "pattern_table.h"
#include "profile_rows.h"
#include "recent_posts.h"
#include "rma.h"
#include "rma_messages.h"
#include "rma_passive.h"
#include "rma_target.h"
#include "sync_complete.h"
#include "sync_notify.h"
#include "sync_store.h"

static bool
has_init(const hd_loaded_process *process)
{
    for (uint32_t t = 0; t < process->n_locations; t++)
        if (process->locations[t].has_init)
            return true;
    return false;
}

/* It contributes once, and is here again when what it waited for is decided. */
static bool
replay_collective(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc)
{
    hd_op_kind kind = vproc->op.kind;
    bool       goes_on;

    if (vproc->ideal.is_resumed)
        vproc->ideal.is_resumed = false;
    else {
        if (kind == HD_OP_FINALIZE)
            hd_ideal_finalize_entered(vproc);
        hd_coll_member(rh, worker, vproc);
        goes_on = kind == HD_OP_NBC ? hd_ideal_complete_nbc(rh, worker, vproc) : hd_ideal_wait(rh, vproc);
        if (!goes_on)
            return false;
    }
    if (kind == HD_OP_INIT)
        hd_ideal_init_left(vproc);
    return true;
}

/* The current op posts a receive. */
static void
note_post(hd_vproc *vproc)
{
    const hd_call *call = &vproc->cursor.call;

    if (HD_UNLIKELY(vproc->posts == NULL))
        vproc->posts = hd_recent_posts_new();
    hd_recent_posts_put(vproc->posts, call->enter, call->leave, call->call_path, vproc->order, vproc->op.post);
}

/* The current op; false: it has to wait. */
static bool
replay_op(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc)
{
    switch (vproc->op.kind) {
    case HD_OP_SEND:
        hd_p2p_send(rh, worker, vproc);
        return true;
    case HD_OP_RECV:
        return hd_p2p_receive(rh, worker, vproc);
    case HD_OP_COLL:
    case HD_OP_NBC:
    case HD_OP_INIT:
    case HD_OP_FINALIZE:
        return replay_collective(rh, worker, vproc);
    case HD_OP_RMA:
        if (hd_rma_is_receive(&vproc->op))
            return hd_rma_receive_notification(rh, vproc);
        hd_rma_op(rh, worker, vproc);
        return true;
    case HD_OP_POST:
        if ((vproc->op.flags & HD_OP_COLLECTIVE) != 0)
            hd_ideal_start_nbc(rh, worker, vproc);
        else if (rh->replay->goes_back && !rh->replay->compat)
            note_post(vproc);
        return true;
    }
    return true;
}

static void
notify_of_leave(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc)
{
    hd_p2p_event event = { .rh = rh, .worker = worker, .vproc = vproc };

    vproc->wants_leave = false;
    hd_patterns_notify(&rh->replay->hooks->leave, &event);
}

enum { MANY_CALLS = 4096 }; /* all threads add to one sum: not too often */

static void
add_done(hd_replay_worker *rh)
{
    if (rh->replay->request->n_done != NULL)
        atomic_fetch_add_explicit(rh->replay->request->n_done, rh->n_calls, memory_order_relaxed);
    rh->n_calls = 0;
}

static hd_run
run_vproc(void *context, hd_worker *worker, uint32_t number, hd_time until, hd_time *now)
{
    hd_replay      *replay  = context;
    hd_replay_worker *rh    = hd_replay_worker_of(replay, worker);
    hd_vproc       *vproc   = &replay->vprocs[number];
    uint64_t        n_calls = 0;
    bool            in_call = vproc->in_call, has_op = vproc->has_op;
    hd_run          result;

    if (!vproc->started) {
        vproc->started = true;
        if (vproc->thread == 0 && !has_init(vproc->process))
            hd_coll_without_init(rh, worker, vproc);
    }
    for (;; in_call = false) {
        if (!in_call) {
            if (!hd_cursor_call(&vproc->cursor)) {
                result = HD_RUN_DONE;
                break;
            }
            in_call = true;
            hd_ideal_enter(vproc);
            vproc->n_calls++;
            n_calls++;
            if (vproc->cursor.call.enter > until) {
                *now   = vproc->cursor.call.enter;
                result = HD_RUN_YIELD;
                break;
            }
        }
        while (has_op || vproc->cursor.n_left > 0) {
            if (!has_op) {
                hd_cursor_op(&vproc->cursor, &vproc->op);
                vproc->op_number = HD_NONE;
                vproc->order++;
            }
            has_op = !replay_op(rh, worker, vproc);
            if (has_op) {
                result = HD_RUN_BLOCKED;
                goto out;
            }
        }
        if (HD_UNLIKELY(vproc->wants_leave))
            notify_of_leave(rh, worker, vproc);
        if (HD_UNLIKELY(vproc->nbc_call != NULL))
            hd_coll_leave(rh, worker, vproc);
    }
out:
    if (HD_UNLIKELY(vproc->cursor.at >= vproc->cursor.drop_at))
        hd_oplog_drop(&vproc->location->log, &vproc->cursor, vproc->n_calls);
    vproc->in_call = in_call;
    vproc->has_op  = has_op;
    rh->n_calls += n_calls;
    if (HD_UNLIKELY(rh->n_calls >= MANY_CALLS))
        add_done(rh);
    return result;
}

typedef void (*take_item)(hd_replay_worker *rh, hd_worker *worker, uint32_t kind, const void *data);

/* Who takes items of a kind. */
static const take_item takers[HD_ITEM_PATTERN] = {
    [HD_ITEM_ANNOUNCE]        = hd_p2p_deliver,
    [HD_ITEM_UNCLAIMED]       = hd_p2p_deliver,
    [HD_ITEM_MESSAGE]         = hd_p2p_deliver,
    [HD_ITEM_SYNC_SEND]       = hd_sync_deliver,
    [HD_ITEM_SYNC_REQUEST]    = hd_sync_deliver,
    [HD_ITEM_SYNC_LEAVE]      = hd_sync_deliver,
    [HD_ITEM_SYNC_WAITER]     = hd_sync_deliver,
    [HD_ITEM_COLL_UP]         = hd_coll_deliver,
    [HD_ITEM_COLL_DOWN]       = hd_coll_deliver,
    [HD_ITEM_COLL_WAITS]      = hd_coll_deliver,
    [HD_ITEM_ACCESS_NOTIFICATION]         = hd_coll_deliver,
    [HD_ITEM_LOCK_EPOCH]      = hd_rma_deliver,
    [HD_ITEM_LOCK_OWNER]     = hd_rma_deliver,
    [HD_ITEM_PROGRESS_REQUEST]  = hd_rma_deliver,
    [HD_ITEM_PROGRESS_REPLY] = hd_rma_deliver,
    [HD_ITEM_IDEAL_UP]       = hd_ideal_deliver,
    [HD_ITEM_IDEAL_DOWN]     = hd_ideal_deliver,
};

static void
deliver(void *context, hd_worker *worker, uint32_t kind, const void *data, uint32_t bytes)
{
    (void)bytes;
    if (kind >= HD_ITEM_PATTERN)
        hd_pattern_deliver(hd_replay_worker_of(context, worker), worker, kind, data);
    else
        takers[kind](hd_replay_worker_of(context, worker), worker, kind, data);
}

static void
put_iteration_calls(const hd_replay_request *request, const hd_vproc *vproc)
{
    const hd_iterations *iterations = request->iterations;

    if (hd_has_iterations(iterations))
        hd_iteration_calls_put(iterations, &iterations->of[vproc->process - request->trace->processes], vproc->process,
                               vproc->thread, vproc->map, vproc->location->log.heads + vproc->location->log.n_calls);
}

/* Whether nothing reads a call of the op log again that was replayed. Of a location that posted receives something may
 * have to be looked for, and also of one that completes those of another thread: sync_complete.h. */
static bool
is_read_once(const hd_replay *replay, const hd_vproc *vproc)
{
    const hd_replay_request *request = replay->request;
    const hd_oplog          *log     = &vproc->location->log;

    return replay->goes_back && !replay->compat && !request->keeps_logs && !request->statistics &&
           replay->defs->n_windows == 0 && replay->scratch == NULL && !log->has_posts &&
           log->rare->n_posted_elsewhere == 0 && log->n_calls <= UINT32_MAX;
}

/* In memory of its own thread: in lines beside what other threads write they would be slow. All before anything else,
 * so that they leave no gaps. */
static void
make_syncs(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc)
{
    (void)worker;
    vproc->syncs = hd_syncs_new(rh->replay->scratch, vproc->process_id);
}

static void
start_vproc(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc)
{
    hd_profile_rows_pack(vproc, rh->replay->request->keeps_logs);
    hd_severities_init(&vproc->severities);
    if (rh->replay->goes_back)
        hd_syncs_add(vproc->syncs, &(hd_sync){ .kind = HD_SYNC_BEGIN, .delay = HD_DELAY_NONE, .peer = HD_SYNC_ALL });
    hd_severities_init(&vproc->replies);
    put_iteration_calls(rh->replay->request, vproc);
    hd_cursor_init(&vproc->cursor, &vproc->location->log);
    if (is_read_once(rh->replay, vproc))
        hd_cursor_drop_from(&vproc->cursor);
    hd_ideal_start(vproc, &rh->replay->request->ideal);
    if (rh->replay->defs->n_windows > 0)
        hd_rma_start(vproc);
    hd_patterns_start_vproc(vproc, rh->replay);
    hd_p2p_announce(rh, worker, vproc);
}

static void
start_worker(void *context, hd_worker *worker)
{
    hd_replay      *replay = context;
    hd_replay_worker *rh   = hd_replay_worker_of(replay, worker);

    rh->replay         = replay;
    rh->cause_fraction = replay->cause_fraction;
    hd_each_vproc(replay, worker, make_syncs);
    hd_channel_queues_init(&rh->channel_queues, sizeof(hd_message), replay->n_vprocs);
    hd_reduction_tree_scratch_init(&rh->scratch,
                                   hd_placement_n_workers(replay->request->placement) /
                                   hd_placement_n_threads(replay->request->placement));
    hd_coll_init(rh, worker);
    if (replay->request->statistics)
        rh->statistics = hd_instance_table_new(replay->request->n_worst);
    hd_each_vproc(replay, worker, start_vproc);
}

static void
notify_of_unclaimed(void *context, hd_worker *worker)
{
    hd_p2p_notify_of_unclaimed(hd_replay_worker_of(context, worker), worker);
}

/* At quiescence a vproc has an op only if it is blocked. */
static bool
blocked_forward(const void *replay, uint32_t number, hd_blocked *at)
{
    const hd_vproc *vproc = &((const hd_replay *)replay)->vprocs[number];

    *at = (hd_blocked){ vproc->op.time, vproc->process_id, vproc->thread };
    return vproc->has_op && !vproc->ideal.is_blocked;
}

static void
release_vproc(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc)
{
    hd_blocked at;

    if (!blocked_forward(rh->replay, vproc->number, &at) || !hd_is_released(&rh->replay->release, &at))
        return;
    vproc->released = true;
    hd_worker_wake(worker, vproc->number);
}

static void
release(void *context, hd_worker *worker)
{
    hd_each_vproc(context, worker, release_vproc);
}

typedef struct target_list {
    hd_vproc **rows; /* [n] */
    size_t     n;
} target_list;

static void
add_target(void *context, hd_worker *worker, hd_vproc *vprocs)
{
    target_list *targets = context;

    (void)worker;
    targets->rows[targets->n++] = vprocs;
}

static void
reply_as_targets(void *context, hd_worker *worker)
{
    hd_replay  *replay  = context;
    target_list targets = { HD_NEW_ARRAY(hd_vproc *, replay->n_vprocs), 0 };

    hd_each_process(replay, worker, add_target, &targets);
    hd_rma_target_reply(hd_replay_worker_of(replay, worker), worker, targets.rows, targets.n);
    free(targets.rows);
}

static void
end_forward_vproc(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc)
{
    hd_p2p_event event = { .rh = rh, .worker = worker, .vproc = vproc };

    if (vproc->rma != NULL)
        hd_rma_passive_book(rh, worker, vproc);
    hd_rma_fini(vproc);
    hd_patterns_notify(&rh->replay->hooks->finish, &event);
    hd_patterns_end_vproc(vproc);
    free(vproc->posts);
}

static void
end_forward(void *context, hd_worker *worker)
{
    add_done(hd_replay_worker_of(context, worker));
    hd_coll_finish(hd_replay_worker_of(context, worker));
    hd_each_vproc(context, worker, end_forward_vproc);
}

bool
hd_forward_run(hd_replay *replay, hd_engine *engine)
{
    hd_analysis analysis = { .context = replay, .run = run_vproc, .deliver = deliver };

    hd_patterns_start(replay, hd_pattern_table, hd_pattern_table_n);
    hd_engine_each_worker(engine, start_worker, replay);
    hd_engine_run(engine, &analysis, false);
    if (hd_engine_is_stopped(engine))
        return false;
    hd_engine_each_worker(engine, notify_of_unclaimed, replay);
    hd_engine_run(engine, &analysis, false);
    if (hd_engine_is_stopped(engine))
        return false;
    hd_engine_run(engine, &analysis, true);
    if (!hd_engine_is_stopped(engine) && hd_ideal_give_up(replay, engine))
        hd_engine_run(engine, &analysis, false);
    for (uint32_t round = 0; !hd_engine_is_stopped(engine) && hd_replay_choose(replay, blocked_forward, false, round);
         round++) {
        hd_engine_each_worker(engine, release, replay);
        hd_engine_run(engine, &analysis, false);
    }
    if (hd_engine_is_stopped(engine))
        return false;
    if (replay->defs->n_windows > 0) {
        hd_engine_each_worker(engine, reply_as_targets, replay);
        hd_engine_run(engine, &analysis, false);
        if (hd_engine_is_stopped(engine))
            return false;
    }
    hd_engine_each_worker(engine, end_forward, replay);
    hd_engine_run(engine, &analysis, false);
    hd_patterns_end(replay);
    return !hd_engine_is_stopped(engine);
}

static void
complete_vproc(hd_replay_worker *rh, hd_worker *worker, hd_vproc *vproc)
{
    hd_sync_complete(rh, worker, vproc);
    if (rh->replay->request->keeps_logs)
        return;
    hd_oplog_fini(&vproc->location->log);
    hd_loaded_location_drop_profile(vproc->location);
}

static void
complete_syncs(void *context, hd_worker *worker)
{
    hd_each_vproc(context, worker, complete_vproc);
}

void
hd_forward_complete(hd_replay *replay, hd_engine *engine)
{
    hd_analysis analysis = { .context = replay, .run = run_vproc, .deliver = deliver };

    hd_engine_each_worker(engine, complete_syncs, replay);
    hd_engine_run(engine, &analysis, false);
}
