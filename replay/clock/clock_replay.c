/* replay/clock/clock_replay.c: the phases of the correction on the engine (clock.h). Counts are announced, so that no
 * event waits for one that does not exist; then the events are passed, vprocs that are blocked in a circle are
 * released, and each location is smoothed. A check does the same once more with the corrected times. */
#include "clock_amortize.h"
#include "clock_coll.h"
#include "clock_message.h"
#include "clock_result.h"
#include "clock_team.h"

#include <math.h>

#define LATENCY 1e-6            /* [s] of messages and collectives */
#define LATENCY_OF_THREADS 1e-8 /* [s] */
#define MAX_LATENCY 1000000000  /* [ticks] for archives with an absurd resolution */

/* ---- a location -------------------------------------------------------------------------------------------------- */

static bool
pass(hd_clock_worker *ch, hd_worker *worker, hd_clock_vproc *vproc)
{
    const hd_clock_point *point = &vproc->log->points[vproc->at];
    hd_clock_bound        bound = HD_CLOCK_NO_BOUND;

    switch ((hd_clock_kind)point->kind) {
    case HD_CLOCK_OTHER:
        break;
    case HD_CLOCK_SEND:
        hd_clock_send(ch, worker, vproc);
        break;
    case HD_CLOCK_RECEIVE:
        if (!hd_clock_receive(ch, worker, vproc))
            return false;
        break;
    case HD_CLOCK_BEGIN:
        hd_clock_coll_begin(ch, worker, vproc);
        break;
    case HD_CLOCK_END:
        if (!hd_clock_coll_bound(ch, vproc, &bound))
            return false;
        hd_clock_apply(ch, vproc, &bound);
        hd_clock_coll_end(ch, worker, vproc, &bound);
        break;
    default:
        if (point->what != HD_NONE && !hd_clock_team_pass(ch, worker, vproc))
            return false;
        break;
    }
    hd_clock_pass(ch->replay, vproc);
    return true;
}

static hd_run
run_vproc(void *context, hd_worker *worker, uint32_t number, hd_time until, hd_time *now)
{
    hd_clock_replay *replay = context;
    hd_clock_vproc  *vproc  = &replay->vprocs[number];

    vproc->is_blocked = false;
    while (vproc->at < vproc->log->n) {
        *now = vproc->log->points[vproc->at].time;
        if (*now > until)
            return HD_RUN_YIELD;
        if (!pass(hd_clock_worker_of(replay, worker), worker, vproc)) {
            vproc->is_blocked = true;
            return HD_RUN_BLOCKED;
        }
        vproc->released = false;
    }
    return HD_RUN_DONE;
}

static void
deliver(void *context, hd_worker *worker, uint32_t kind, const void *data, uint32_t bytes)
{
    hd_clock_worker *ch = hd_clock_worker_of(context, worker);

    (void)bytes;
    if (kind <= HD_CLOCK_ITEM_LIMIT)
        hd_clock_message_deliver(ch, worker, kind, data);
    else
        hd_clock_coll_deliver(ch, worker, kind, data);
}

/* ---- all locations ----------------------------------------------------------------------------------------------- */

static void
each_vproc(hd_clock_replay *replay, hd_worker *worker,
           void (*visit)(hd_clock_worker *ch, hd_worker *worker, hd_clock_vproc *vproc))
{
    for (uint32_t i = 0; i < replay->n_vprocs; i++) {
        hd_clock_vproc *vproc = &replay->vprocs[i];

        if (hd_placement_worker(replay->request->placement, (hd_process){ vproc->process_id }) ==
            hd_worker_number(worker))
            visit(hd_clock_worker_of(replay, worker), worker, vproc);
    }
}

static void
start_vproc(hd_clock_worker *ch, hd_worker *worker, hd_clock_vproc *vproc)
{
    hd_clock_replay *replay = ch->replay;
    hd_scratch      *scratch = replay->request->logs->scratch;

    vproc->at       = 0;
    vproc->jumped   = 0;
    vproc->jump     = vproc->log->n > 0 ? vproc->log->points[0].time : 0;
    if (!replay->is_check) {
        vproc->log->moves = hd_scratch_alloc(scratch, vproc->log->n, sizeof *vproc->log->moves);
        if (replay->request->corrects) {
            vproc->limits = hd_scratch_alloc(scratch, vproc->log->n, sizeof *vproc->limits);
            for (size_t i = 0; i < vproc->log->n; i++)
                vproc->limits[i] = i > 0 ? INT64_MAX : 0; /* where the recording begins stays */
        }
    }
    hd_clock_messages_announce(ch, worker, vproc);
    if (vproc->thread > 0)
        return;
    hd_clock_team_syncs_start(vproc->team_syncs, vproc->process->n_team_instances);
    hd_clock_coll_announce(ch, worker, vproc->process);
}

static void
start_worker(void *context, hd_worker *worker)
{
    hd_clock_replay    *replay    = context;
    hd_clock_worker    *ch        = hd_clock_worker_of(replay, worker);
    const hd_placement *placement = replay->request->placement;

    ch->replay = replay;
    hd_clock_messages_init(ch);
    hd_reduction_tree_scratch_init(&ch->scratch, hd_placement_n_workers(placement) / hd_placement_n_threads(placement));
    ch->coll = hd_clock_coll_new(ch, worker);
    each_vproc(replay, worker, start_vproc);
}

static void
exclude_incomplete(void *context, hd_worker *worker)
{
    hd_clock_coll_exclude(hd_clock_worker_of(context, worker), worker);
}

static void
end_vproc(hd_clock_worker *ch, hd_worker *worker, hd_clock_vproc *vproc)
{
    hd_clock_replay *replay = ch->replay;

    (void)worker;
    hd_clock_messages_forget(vproc);
    if (replay->is_check || !replay->request->corrects)
        return;
    hd_clock_team_limit(replay, vproc);
    hd_clock_amortize(replay, vproc);
    hd_scratch_free(replay->request->logs->scratch, vproc->limits);
}

static void
end_worker(void *context, hd_worker *worker)
{
    hd_clock_replay *replay = context;
    hd_clock_worker *ch     = hd_clock_worker_of(replay, worker);

    each_vproc(replay, worker, end_vproc);
    hd_clock_coll_free(ch->coll);
    hd_clock_messages_fini(ch);
    hd_reduction_tree_scratch_fini(&ch->scratch);
}

static bool
blocked_at(const void *replay, uint32_t number, hd_blocked *at)
{
    const hd_clock_vproc *vproc = &((const hd_clock_replay *)replay)->vprocs[number];

    if (vproc->is_blocked)
        *at = (hd_blocked){ vproc->log->points[vproc->at].time, vproc->process_id, vproc->thread };
    return vproc->is_blocked;
}

static void
release_vproc(hd_clock_worker *ch, hd_worker *worker, hd_clock_vproc *vproc)
{
    hd_blocked at;

    if (!blocked_at(ch->replay, vproc->number, &at) || !hd_is_released(&ch->replay->release, &at))
        return;
    vproc->released = true;
    if (!ch->replay->is_check)
        ch->n_released++;
    hd_worker_wake(worker, vproc->number);
}

static void
release_worker(void *context, hd_worker *worker)
{
    each_vproc(context, worker, release_vproc);
}

static bool
choose(hd_clock_replay *replay, uint32_t round)
{
    return hd_release_choose(replay->request->analysis_comm, replay, replay->n_vprocs, blocked_at, false, round,
                             &replay->release);
}

/* False: it was stopped. */
static bool
run_all(hd_clock_replay *replay, hd_engine *engine)
{
    hd_analysis analysis = { .context = replay, .run = run_vproc, .deliver = deliver };

    hd_engine_each_worker(engine, start_worker, replay);
    hd_engine_run(engine, &analysis, false);
    if (!hd_engine_is_stopped(engine)) {
        hd_engine_each_worker(engine, exclude_incomplete, replay);
        hd_engine_run(engine, &analysis, false);
    }
    if (!hd_engine_is_stopped(engine))
        hd_engine_run(engine, &analysis, true);
    for (uint32_t round = 0; !hd_engine_is_stopped(engine) && choose(replay, round); round++) {
        hd_engine_each_worker(engine, release_worker, replay);
        hd_engine_run(engine, &analysis, false);
    }
    if (hd_engine_is_stopped(engine))
        return false;
    hd_engine_each_worker(engine, end_worker, replay);
    return true;
}

static hd_engine *
new_engine(const hd_clock_replay *replay)
{
    const hd_clock_request *request   = replay->request;
    uint32_t               *processes = HD_NEW_ARRAY(uint32_t, replay->n_vprocs);
    hd_engine              *engine;

    for (uint32_t i = 0; i < replay->n_vprocs; i++)
        processes[i] = replay->vprocs[i].process_id;
    engine = hd_replay_engine(request->analysis_comm, replay->defs, request->placement, processes,
                              (hd_engine_request){ .n_vprocs = replay->n_vprocs, .yield = request->yield,
                                                  .stop = request->stop, .on_thread = request->on_thread,
                                                  .context = request->context });
    free(processes);
    return engine;
}

static void
make_vprocs(hd_clock_replay *replay)
{
    const hd_clock_logs *logs = replay->request->logs;
    uint32_t             n    = 0;

    hd_table_init(&replay->vproc_of);
    for (uint32_t p = 0; p < logs->n_processes; p++)
        replay->n_vprocs += logs->processes[p].n_locations;
    replay->vprocs = HD_NEW_ARRAY(hd_clock_vproc, replay->n_vprocs);
    for (uint32_t p = 0; p < logs->n_processes; p++) {
        const hd_clock_process *process    = &logs->processes[p];
        hd_clock_team_sync     *team_syncs = HD_NEW_ARRAY(hd_clock_team_sync, process->n_team_instances);
        uint32_t                first      = hd_defs_processes(replay->defs)[process->process.v].first_location;

        hd_table_add(&replay->vproc_of, process->process.v, n);
        for (uint32_t t = 0; t < process->n_locations; t++) {
            hd_clock_log *log = &process->logs[t];
            hd_clock_row  row = { .location = first + t, .n_offsets = log->n_offsets, .first = log->first,
                                  .last = log->last };

            replay->vprocs[n] = (hd_clock_vproc){ .process = process, .log = log, .team_syncs = team_syncs, .number = n,
                                                  .process_id = process->process.v, .thread = t, .row = row };
            n++;
        }
    }
}

static hd_span
latency(const hd_defs *defs, double seconds)
{
    double ticks = (double)defs->resolution * seconds;

    return ticks < MAX_LATENCY ? (hd_span)llrint(ticks) : MAX_LATENCY;
}

hd_status
hd_clock_run(const hd_clock_request *request, hd_clock_result *result)
{
    uint32_t        n_threads = hd_placement_n_threads(request->placement);
    hd_clock_replay replay    = { .request = request, .defs = request->defs,
                                  .latency            = latency(request->defs, LATENCY),
                                  .latency_of_threads = latency(request->defs, LATENCY_OF_THREADS) };
    hd_engine      *engine;

    *result = (hd_clock_result){ 0 };
    make_vprocs(&replay);
    replay.workers = hd_alloc_apart(n_threads, sizeof *replay.workers);
    engine = new_engine(&replay);
    if (!run_all(&replay, engine))
        return hd_fail(HD_ESTOPPED, "stopped while clocks were corrected");
    if (request->corrects && request->checks) {
        replay.is_check = true;
        if (!run_all(&replay, engine))
            return hd_fail(HD_ESTOPPED, "stopped while clocks were checked");
    }
    hd_clock_result_take(&replay, result);
    for (uint32_t i = 0; i < replay.n_vprocs; i++)
        if (replay.vprocs[i].thread == 0)
            free(replay.vprocs[i].team_syncs);
    hd_engine_free(engine);
    hd_table_fini(&replay.vproc_of);
    free(replay.vprocs);
    free(replay.workers);
    return HD_OK;
}

