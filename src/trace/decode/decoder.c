#include "decoder.h"

#include "status.h"

void
hd_refs_init(hd_refs *refs, const uint32_t *numbers, uint32_t n)
{
    *refs = (hd_refs){ .refs = numbers, .n = n, .dense = true };
    for (uint32_t i = 0; i < n; i++)
        if (numbers[i] != i && numbers[i] != HD_NONE)
            refs->dense = false;
    if (refs->dense)
        while (refs->n > 0 && numbers[refs->n - 1] == HD_NONE)
            refs->n--;
    for (uint32_t i = 0; !refs->dense && i < n; i++)
        if (numbers[i] != HD_NONE)
            hd_table_add(&refs->table, numbers[i], i);
}

void
hd_refs_fini(hd_refs *refs)
{
    hd_table_fini(&refs->table);
}

void
hd_ref_maps_init(hd_ref_maps *maps, const hd_defs *defs)
{
    hd_refs_init(&maps->regions, hd_defs_region_refs(defs), defs->n_regions);
    hd_refs_init(&maps->comms, hd_defs_comm_refs(defs), hd_first_window(defs));
    hd_refs_init(&maps->windows, hd_defs_comm_refs(defs) + hd_first_window(defs), defs->n_windows);
    hd_refs_init(&maps->groups, hd_defs_group_refs(defs), defs->n_groups);
    hd_refs_init(&maps->strings, hd_defs_string_refs(defs), defs->n_strings);
    hd_refs_init(&maps->contexts, hd_defs_context_refs(defs), defs->n_contexts);
}

void
hd_ref_maps_fini(hd_ref_maps *maps)
{
    hd_refs_fini(&maps->regions);
    hd_refs_fini(&maps->comms);
    hd_refs_fini(&maps->windows);
    hd_refs_fini(&maps->groups);
    hd_refs_fini(&maps->strings);
    hd_refs_fini(&maps->contexts);
}

/* is_place: the parent is a node of another tree. Returns its number, the one inside of the period. */
static uint32_t
add_node(hd_decoder *decoder, hd_path_node node, bool is_place)
{
    size_t n = decoder->out->n_nodes;

    if (n >= HD_NONE - 2)
        hd_fatal("location %" PRIu64 " has more call paths than can be numbered",
                 hd_defs_locations(decoder->defs)[decoder->out->location].ref);
    HD_PUSH(decoder->out->nodes, n, decoder->capacity_nodes, node);
    if (decoder->is_paired) {
        node.parent = is_place || node.parent == HD_NONE ? node.parent : node.parent | HD_OUTSIDE;
        HD_PUSH(decoder->out->nodes, n, decoder->capacity_nodes, node);
    }
    decoder->out->n_nodes = (uint32_t)n;
    return (uint32_t)n - (decoder->is_paired ? 2 : 1);
}

/* Clocks of its locations may be wrong by some time. */
hd_time
hd_plausible_length(const hd_defs *defs)
{
    if (defs->length == 0 || defs->length > HD_TIME_LAST / 32 || defs->resolution > HD_TIME_LAST / 120)
        return HD_TIME_LAST;
    return 16 * defs->length + 60 * defs->resolution;
}

static void
set_latest(hd_decoder *decoder)
{
    decoder->latest = hd_time_min(decoder->clock.log != NULL ? HD_TIME_LAST : decoder->plausible, decoder->border - 1);
}

void
hd_decoder_init(hd_decoder *decoder)
{
    decoder->current      = HD_NONE;
    decoder->plausible    = hd_plausible_length(decoder->defs);
    decoder->border       = UINT64_MAX;
    if (decoder->period != NULL) {
        decoder->is_paired = true;
        decoder->outside   = decoder->period->from > 0 ? HD_OUTSIDE : 0;
        decoder->border    = decoder->period->from > 0 ? decoder->period->from : decoder->period->to;
    }
    set_latest(decoder);
    decoder->last_counts  = HD_NONE;
    decoder->generation   = 1;
    hd_table_init(&decoder->children);
    hd_table_init(&decoder->counts_of);
    hd_table_init(&decoder->channel_of);
}

void
hd_decoder_finding(hd_decoder *decoder, hd_finding_kind kind, uint32_t peer, uint32_t comm, uint32_t tag)
{
    hd_findings_add(decoder->findings,
                    (hd_finding){ .kind = kind, .process = decoder->process, .thread = decoder->thread, .call_path = HD_NONE,
                                  .peer = peer, .communicator = comm, .tag = tag, .time = decoder->now, .count = 1 });
}

static void
plain_finding(hd_decoder *decoder, hd_finding_kind kind)
{
    hd_decoder_finding(decoder, kind, HD_NONE, HD_NONE, HD_NONE);
}

hd_time
hd_right_time(hd_time *plausible, hd_time now, bool is_first, hd_time time, hd_finding_kind *wrong)
{
    *wrong = HD_N_FINDINGS;
    if (time >= now && time <= *plausible)
        return time;
    if (time > HD_TIME_LAST || time < now)
        *wrong = HD_FINDING_TIME_BACKWARDS;
    else if (is_first) { /* a clock that is not corrected */
        *plausible = time + hd_time_min(*plausible, HD_TIME_LAST - time);
        return time;
    } else
        *wrong = HD_FINDING_TIME_DAMAGED;
    return now;
}

static hd_time
right_time(hd_decoder *decoder, hd_time time)
{
    hd_finding_kind wrong;

    time = hd_right_time(&decoder->plausible, decoder->now, decoder->out->n_nodes == 0 && decoder->now == 0, time, &wrong);
    set_latest(decoder);
    if (wrong != HD_N_FINDINGS)
        plain_finding(decoder, wrong);
    return time;
}

hd_time
hd_decoder_clock(hd_decoder *decoder, hd_time time, bool is_point)
{
    hd_clock_cursor *clock = &decoder->clock;
    hd_finding_kind  wrong;

    time = hd_right_time(&decoder->plausible, clock->now, !clock->has_begun, time, &wrong);
    clock->has_begun = true;
    if (wrong != HD_N_FINDINGS)
        plain_finding(decoder, wrong);
    clock->now = time;
    return is_point ? hd_clock_cursor_pass(clock, time) : hd_clock_cursor_time(clock, time);
}

hd_time
hd_decoder_wrong_time(hd_decoder *decoder, hd_time time)
{
    time = right_time(decoder, time);
    hd_decoder_pass_borders(decoder, time);
    return time;
}

/* Open calls are outside from the end of the period on, with what they have left so far. Those that are open when it begins get their
 * time inside from now on; what they leave, and that they were called, stays outside. */
static void
pass_frames(hd_decoder *decoder, hd_frame *frames, size_t n)
{
    hd_path_node *nodes = decoder->out->nodes;

    for (size_t i = 0; i < n; i++) {
        hd_frame *frame = &frames[i];

        if (decoder->outside != 0 && !frame->cut) {
            HD_PUSH(decoder->out->open_calls, decoder->out->n_open_calls, decoder->capacity_open_calls,
                    ((hd_open_call){ frame->enter, frame->node }));
            nodes[frame->node].visits--;
            nodes[frame->node | HD_OUTSIDE].visits++;
        } else if (decoder->outside == 0)
            frame->cut = true;
        frame->node = hd_decoder_here(decoder, frame->node);
    }
}

void
hd_decoder_pass_borders(hd_decoder *decoder, hd_time time)
{
    while (time >= decoder->border) {
        if (decoder->has_flush)
            hd_decoder_flush_due(decoder, decoder->border, true);
        hd_decoder_charge(decoder, decoder->border);
        decoder->outside ^= HD_OUTSIDE;
        pass_frames(decoder, decoder->frames, decoder->depth);
        decoder->current = hd_decoder_here(decoder, decoder->current);
        hd_decoder_tasks_pass_border(decoder, pass_frames);
        decoder->border = decoder->outside == 0 ? decoder->period->to : UINT64_MAX;
        set_latest(decoder);
    }
}

uint32_t
hd_decoder_child_slow(hd_decoder *decoder, uint32_t node, uint32_t region)
{
    uint32_t inner = hd_decoder_inner(decoder, node);
    uint64_t key   = (uint64_t)inner << 32 | region;
    uint32_t child = hd_table_get(&decoder->children, key);

    if (child == HD_NONE) {
        child = add_node(decoder, (hd_path_node){ .parent = inner, .region = region, .last_child = HD_NONE }, false);
        hd_table_add(&decoder->children, key, child);
    }
    child = hd_decoder_here(decoder, child);
    if (node != HD_NONE)
        decoder->out->nodes[node].last_child = child;
    return child;
}

void
hd_decoder_frames_grow(hd_decoder *decoder)
{
    decoder->frames = hd_grow(decoder->frames, decoder->depth, &decoder->capacity_frames, sizeof *decoder->frames);
}

uint32_t
hd_decoder_place(hd_decoder *decoder, uint32_t parent)
{
    return add_node(decoder, (hd_path_node){ .parent = parent, .region = HD_NONE, .last_child = HD_NONE }, false);
}

/* The place in the process where a team was forked, as a node of this location without a region. */
static uint32_t
base_node(hd_decoder *decoder, uint32_t base)
{
    uint64_t key  = (uint64_t)base << 32 | HD_NONE;
    uint32_t node = hd_table_get(&decoder->children, key);

    if (node == HD_NONE) {
        node = add_node(decoder, (hd_path_node){ .parent = base, .region = HD_NONE, .last_child = HD_NONE }, true);
        hd_table_add(&decoder->children, key, node);
    }
    return hd_decoder_here(decoder, node);
}

static void
pop(hd_decoder *decoder)
{
    hd_frame *frame = &decoder->frames[decoder->depth - 1];

    if (frame->region_class == HD_CLASS_MPI)
        hd_decoder_leave_mpi(decoder, frame);
    else if (frame->call != HD_CALL_OTHER)
        hd_decoder_leave_omp(decoder, frame);
    decoder->depth--;
    decoder->current = decoder->out->nodes[frame->node].parent;
}

/* A leave that does not belong to the innermost open region: the regions inside are closed, or the leave is left out. */
void
hd_decoder_leave_other(hd_decoder *decoder, uint32_t region)
{
    size_t depth = decoder->depth;

    if (depth == 0 && decoder->task != NULL && decoder->task->moved != HD_NONE) {
        hd_decoder_task_leave(decoder, region);
        return;
    }
    plain_finding(decoder, HD_FINDING_UNBALANCED);
    if (decoder->task != NULL)
        decoder->task->begun = false; /* entered elsewhere, it seems */
    while (depth > 0 && decoder->frames[depth - 1].region != region)
        depth--;
    if (depth == 0)
        return;
    while (decoder->depth >= depth)
        pop(decoder);
}

void
hd_decoder_close_all(hd_decoder *decoder)
{
    hd_decoder_charge(decoder, decoder->now);
    decoder->is_closing = true;
    while (decoder->depth > 0) {
        if (!hd_decoder_contexts_forget(decoder, decoder->depth - 1))
            plain_finding(decoder, HD_FINDING_UNBALANCED);
        pop(decoder);
    }
    decoder->is_closing = false;
}

void
hd_decoder_end_calls(hd_decoder *decoder)
{
    for (; decoder->depth > 0; decoder->depth--) {
        hd_frame *frame = &decoder->frames[decoder->depth - 1];

        if (frame->region_class == HD_CLASS_MPI)
            hd_decoder_leave_mpi(decoder, frame);
    }
}

void
hd_decoder_flush(hd_decoder *decoder, hd_time start, hd_time stop)
{
    hd_time now = hd_decoder_at(decoder, start);

    if (decoder->has_flush) /* one inside of another: the first one goes on */
        return;
    decoder->has_flush   = true;
    decoder->flush.start = now;
    decoder->flush.stop  = stop;
    if (stop < now || stop > (decoder->clock.log != NULL ? HD_TIME_LAST : decoder->plausible))
        decoder->flush.stop = stop < now ? now : right_time(decoder, stop);
    decoder->flush.open  = false;
}

/* The record of a flush stands where it starts. Its start comes behind all records that are not later. It ends when it says, but no later than
 * the first record that is: nothing is recorded while the buffer is written, so its stop is wrong then. A border of the period ends it not. */
void
hd_decoder_flush_due(hd_decoder *decoder, hd_time time, bool is_border)
{
    hd_time stop;

    if (!decoder->flush.open && time > decoder->flush.start) {
        hd_decoder_enter(decoder, decoder->flush.start, decoder->defs->flush_region);
        decoder->now        = decoder->flush.start;
        decoder->flush.open = true;
    }
    if (!decoder->flush.open || (is_border && time < decoder->flush.stop))
        return;
    stop = hd_time_max(hd_time_min(decoder->flush.stop, time), decoder->now);
    hd_decoder_leave(decoder, stop, decoder->defs->flush_region);
    decoder->now       = stop;
    decoder->has_flush = false;
}

/* The node of the program itself; other threads than the first one have a place for it. */
uint32_t
hd_decoder_program_node(hd_decoder *decoder)
{
    if (decoder->thread > 0)
        return base_node(decoder, HD_BASE_PROGRAM);
    if (decoder->out->n_nodes > 0 && decoder->out->nodes[0].region >= decoder->defs->first_program_region)
        return hd_decoder_here(decoder, 0);
    return HD_NONE;
}

void
hd_decoder_fork(hd_decoder *decoder)
{
    hd_decoder_charge(decoder, decoder->now);
    hd_decoder_boundary(decoder, decoder->now);
    HD_PUSH(decoder->forks, decoder->n_forks, decoder->capacity_forks,
            ((hd_open_fork){ .time = decoder->now, .node = hd_decoder_inner(decoder, decoder->current) }));
}

void
hd_decoder_join_team(hd_decoder *decoder)
{
    hd_decoder_charge(decoder, decoder->now);
    hd_decoder_boundary(decoder, decoder->now);
    if (decoder->n_forks > 0 && decoder->forks[--decoder->n_forks].has_begun)
        hd_thread_log_put(&decoder->out->threads, &(hd_thread_op){ .kind = HD_THREAD_JOIN, .time = decoder->now });
}

/* Where a team was forked: what the first location forked is known as soon as that location is decoded up to there, others only
 * when all locations are. HD_NONE: outside of all regions, so that what the team does becomes a root. */
static uint32_t
team_start(hd_decoder *decoder, uint32_t comm, uint32_t instance)
{
    uint32_t owner = hd_defs_comms(decoder->defs)[comm].team_master;
    uint32_t node;

    if (owner == HD_NONE || hd_defs_locations(decoder->defs)[owner].process != decoder->process)
        return hd_decoder_program_node(decoder);
    if (hd_defs_locations(decoder->defs)[owner].thread == 0) {
        node = hd_team_starts_wait(decoder->first_starts, comm, instance);
        if (node == HD_START_UNKNOWN)
            return hd_decoder_program_node(decoder);
        return node == HD_NONE ? HD_NONE : base_node(decoder, node);
    }
    node = hd_decoder_place(decoder, HD_NONE);
    HD_PUSH(decoder->join->nested, decoder->join->n_nested, decoder->join->capacity_nested,
            ((hd_nested_team){ comm, instance, node, owner }));
    return hd_decoder_here(decoder, node);
}

void
hd_decoder_team_begin(hd_decoder *decoder, uint32_t comm_ref)
{
    uint32_t      comm = hd_refs_index(&decoder->refs->comms, comm_ref);
    hd_open_fork *fork = decoder->n_forks > 0 ? &decoder->forks[decoder->n_forks - 1] : NULL;
    hd_thread_op  op   = { .kind = HD_THREAD_TEAM, .comm = comm };
    uint32_t      instance;
    bool          is_master, is_new;

    if (comm == HD_NONE) {
        plain_finding(decoder, HD_FINDING_UNKNOWN);
        return;
    }
    if (decoder->n_teams == 0 && decoder->task == NULL)
        hd_decoder_tasks_drop(decoder);
    instance  = (uint32_t)(*hd_map_add(&decoder->team_instances, comm, &is_new))++;
    is_master = hd_defs_comms(decoder->defs)[comm].team_master == decoder->out->location;
    op.owner  = is_master && fork != NULL && !fork->has_begun;
    op.time   = op.owner ? fork->time : 0;
    if (!op.owner && decoder->thread > 0)
        hd_decoder_close_all(decoder);
    hd_thread_log_put(&decoder->out->threads, &op);
    HD_PUSH(decoder->team_places, decoder->n_teams, decoder->capacity_teams, decoder->current);
    if (is_master)
        hd_team_starts_add(&decoder->join->team_starts, comm, op.owner ? fork->node : HD_START_UNKNOWN);
    if (op.owner)
        fork->has_begun = true;
    else if (decoder->thread > 0) {
        decoder->charged = decoder->now;
        decoder->current = is_master ? hd_decoder_program_node(decoder) : team_start(decoder, comm, instance);
    }
}

static void
end_team(hd_decoder *decoder)
{
    decoder->n_teams--;
    hd_thread_log_put(&decoder->out->threads, &(hd_thread_op){ .kind = HD_THREAD_TEAM_END });
}

void
hd_decoder_team_end(hd_decoder *decoder)
{
    if (HD_UNLIKELY(decoder->contexts != NULL) && decoder->thread > 0 && decoder->n_teams <= 1)
        hd_decoder_contexts_close(decoder);
    if (decoder->n_teams == 0)
        return;
    end_team(decoder);
    if (decoder->depth == 0 && decoder->thread > 0)
        decoder->current = hd_decoder_here(decoder, decoder->team_places[decoder->n_teams]);
}

void
hd_decoder_thread_begin(hd_decoder *decoder)
{
    if (decoder->thread == 0)
        return;
    hd_decoder_close_all(decoder);
    decoder->charged = decoder->now;
    decoder->current = hd_decoder_child(decoder, hd_decoder_program_node(decoder), decoder->defs->threads_region);
}

/* Leave of a region that the patterns of threads know. */
void
hd_decoder_leave_omp(hd_decoder *decoder, const hd_frame *frame)
{
    hd_thread_op op = { .kind = HD_THREAD_BARRIER, .enter = frame->enter, .leave = decoder->now,
                        .call_path = frame->node | frame->cut,
                        .is_explicit = frame->call == HD_CALL_OMP_BARRIER, .is_cut = decoder->is_closing,
                        .task_time = frame->task_time };
    hd_away      inside;

    if (frame->call == HD_CALL_OMP_TASKWAIT) {
        op.kind      = HD_THREAD_TASKWAIT;
        op.task_time = hd_span_between(frame->enter, decoder->now) - (decoder->away - frame->away);
        if (!decoder->is_closing)
            hd_thread_log_put(&decoder->out->threads, &op);
        return;
    }
    if (frame->call == HD_CALL_OMP_PARALLEL) {
        op.kind      = HD_THREAD_PARALLEL;
        op.is_inside = decoder->depth > 1 || (decoder->task != NULL && decoder->task->moved != HD_NONE); /* may go on in one */
        hd_decoder_boundary(decoder, decoder->charged);
    } else if (frame->call != HD_CALL_OMP_BARRIER && frame->call != HD_CALL_OMP_IMPLICIT_BARRIER)
        return;
    if (op.kind == HD_THREAD_BARRIER && HD_UNLIKELY(decoder->n_absences > 0))
        hd_decoder_take_aways(decoder, &op);
    if (op.n_aways > 0)
        hd_decoder_boundary(decoder, decoder->charged);
    if (op.kind == HD_THREAD_BARRIER && decoder->compat) {
        inside.begin = inside.end = hd_decoder_boundary_at_leave(decoder, frame);
        op.aways   = &inside;
        op.n_aways = inside.begin > frame->enter;
    }
    if (decoder->n_teams == 0)
        return;
    hd_thread_log_put(&decoder->out->threads, &op);
    if (op.kind == HD_THREAD_PARALLEL && decoder->is_closing) /* so that the region around it is of the team around this one */
        end_team(decoder);
}

void
hd_decoder_acquire(hd_decoder *decoder, uint8_t paradigm, uint32_t lock, uint32_t order)
{
    const hd_frame *frame = decoder->depth > 0 ? &decoder->frames[decoder->depth - 1] : NULL;
    hd_thread_op    op    = { .kind = HD_THREAD_ACQUIRE, .time = decoder->now, .lock = lock, .order = order };
    uint8_t         role;

    if (frame == NULL || order == 0)
        return;
    op.enter     = frame->enter;
    op.call_path = frame->node | frame->cut;
    role         = decoder->regions[frame->region].role;
    if (paradigm == HD_PARADIGM_OPENMP)
        op.lock_kind = role == HD_ROLE_CRITICAL || role == HD_ROLE_CRITICAL_SBLOCK ? HD_LOCK_CRITICAL : HD_LOCK_API;
    else if (paradigm == HD_PARADIGM_PTHREAD && frame->call == HD_CALL_MUTEX_LOCK)
        op.lock_kind = HD_LOCK_MUTEX;
    else if (paradigm == HD_PARADIGM_PTHREAD && frame->call == HD_CALL_COND_WAIT)
        op.lock_kind = HD_LOCK_CONDITION;
    else
        return;
    hd_decoder_boundary_of_lock(decoder, frame);
    hd_thread_log_put(&decoder->out->threads, &op);
}

void
hd_decoder_release(hd_decoder *decoder, uint8_t paradigm, uint32_t lock, uint32_t order)
{
    if (order == 0 || (paradigm != HD_PARADIGM_OPENMP && paradigm != HD_PARADIGM_PTHREAD))
        return;
    hd_decoder_boundary_of_lock(decoder, NULL);
    hd_thread_log_put(&decoder->out->threads,
                      &(hd_thread_op){ .kind = HD_THREAD_RELEASE, .time = decoder->now, .lock = lock, .order = order,
                                       .lock_kind = paradigm == HD_PARADIGM_OPENMP ? HD_LOCK_API : HD_LOCK_MUTEX });
}

static void
trim(hd_loaded_location *out)
{
    hd_oplog *log = &out->log;

    hd_bytes_pack(&log->calls);
    log->completions = hd_scratch_pack(log->calls.scratch, log->completions, log->n_sends, sizeof *log->completions);
    log->send_calls  = hd_scratch_pack(log->calls.scratch, log->send_calls, log->n_send_calls, sizeof *log->send_calls);
    log->nbcs        = hd_scratch_pack(log->calls.scratch, log->nbcs, log->n_nbcs, sizeof *log->nbcs);
    hd_bytes_pack(&out->threads.bytes);
    hd_bytes_pack(&out->intervals.bytes);
    out->nodes = hd_pack(out->nodes, out->n_nodes, sizeof *out->nodes);
}

/* Workers of early versions of the OMPT interface: their call paths begin with OpenMP. */
static void
look_for_teams(hd_decoder *decoder)
{
    const hd_path_node *nodes = decoder->out->nodes;

    if (decoder->thread == 0 || decoder->team_instances.n > 0)
        return;
    for (uint32_t i = 0; i < decoder->out->n_nodes && !decoder->out->is_team_unknown; i++)
        decoder->out->is_team_unknown = nodes[i].parent == HD_NONE && nodes[i].region != HD_NONE &&
                                        decoder->regions[nodes[i].region].paradigm == HD_PARADIGM_OPENMP;
    if (decoder->out->is_team_unknown)
        plain_finding(decoder, HD_FINDING_TEAM_UNKNOWN);
}

void
hd_decoder_finish(hd_decoder *decoder)
{
    if (decoder->has_flush) {
        hd_decoder_pass_borders(decoder, hd_time_max(decoder->flush.stop, decoder->now));
        hd_decoder_flush_due(decoder, hd_time_max(decoder->flush.stop + 1, decoder->now), false);
    }
    hd_decoder_note_end(decoder);
    hd_decoder_close_all(decoder);
    hd_decoder_tasks_finish(decoder);
    look_for_teams(decoder);
    hd_decoder_boundaries_finish(decoder);
    hd_team_starts_complete(&decoder->join->team_starts);
    trim(decoder->out);
    free(decoder->frames);
    free(decoder->team_places);
    free(decoder->forks);
    free(decoder->absences);
    free(decoder->aways);
    free(decoder->records.pending.data);
    free(decoder->records.completed);
    hd_decoder_contexts_free(decoder->contexts);
    free(decoder->way);
    free(decoder->open_counts);
    hd_table_fini(&decoder->children);
    hd_table_fini(&decoder->counts_of);
    hd_table_fini(&decoder->channel_of);
    hd_map_fini(&decoder->posts);
    hd_map_fini(&decoder->team_instances);
    hd_map_fini(&decoder->own_ranks);
    hd_map_fini(&decoder->rma.members);
    hd_map_fini(&decoder->rma.epochs);
    hd_map_fini(&decoder->rma.locks);
    hd_map_fini(&decoder->rma.open);
    free(decoder->rma.channels);
}
