#include "decoder.h"

/* The number of a task on its location. Generation 0 is the implicit task of whoever runs it. */
static bool
is_implicit(uint64_t number)
{
    return (uint32_t)number == 0;
}

/* What scout 2.6 charges tasks with is in its profile and not in its time vectors. */
static void
book(hd_decoder *decoder, uint32_t node, hd_span span)
{
    if (decoder->compat)
        decoder->out->nodes[node].time += span;
    else
        hd_decoder_book(decoder, node, span);
}

/* As scout 2.6 has it, the time of an explicit task stands in the tree twice: for the call path at which the implicit task left
 * off, from where it goes to the stub at the end, and for the task's own call paths, which take it out of the program's. */
static void
charge_twice(hd_decoder *decoder, hd_span span)
{
    uint32_t program = hd_decoder_program_node(decoder);

    if (decoder->implicit.depth > 0)
        book(decoder, decoder->implicit.current, span);
    if (decoder->depth > 0 && program != HD_NONE)
        book(decoder, program, -span);
}

static hd_task_level *
last_level(hd_decoder *decoder)
{
    return &decoder->join->turns.levels[decoder->join->turns.n_levels - 1];
}

/* Time of an explicit task in its own regions is theirs; the rest, between a switch and the next region, is the stub's. Of a
 * moved task it depends on what other threads left open whether that is the rest: the place keeps it. */
void
hd_decoder_charge_task(hd_decoder *decoder, hd_span span)
{
    hd_task *task = decoder->task;

    if (decoder->depth > 0)
        task->in_regions[decoder->outside] += span;
    if (decoder->compat) {
        if (decoder->depth == 0) /* nothing is booked that would do it */
            hd_decoder_switch_settle(decoder);
        charge_twice(decoder, span);
    } else if (decoder->depth > 0)
        return;
    else if (task->moved != HD_NONE)
        book(decoder, hd_decoder_here(decoder, last_level(decoder)->place), span);
    else if (task->stub != HD_NONE)
        book(decoder, hd_decoder_here(decoder, task->stub), span);
    else
        task->unplaced[decoder->outside] += span;
}

static void
records_fini(hd_open_records *records)
{
    free(records->pending.data);
    free(records->completed);
    *records = (hd_open_records){ 0 };
}

static void
task_free(hd_task *task)
{
    records_fini(&task->records);
    hd_decoder_contexts_free(task->contexts);
    free(task->frames);
    free(task);
}

static void
save(hd_decoder *decoder, hd_task *task)
{
    task->frames          = decoder->frames;
    task->depth           = decoder->depth;
    task->capacity_frames = decoder->capacity_frames;
    task->current         = decoder->current;
    task->left            = decoder->now;
    task->away            = decoder->away;
    task->contexts        = decoder->contexts;
    if (HD_UNLIKELY(decoder->records.pending.n + decoder->records.n_completed > 0)) {
        task->records    = decoder->records;
        decoder->records = (hd_open_records){ 0 };
    }
}

static bool
is_barrier(const hd_frame *frame)
{
    return frame->call == HD_CALL_OMP_BARRIER || frame->call == HD_CALL_OMP_IMPLICIT_BARRIER;
}

/* The task goes on: if it stands in a barrier, it did not wait there meanwhile. */
static void
note_absence(hd_decoder *decoder, const hd_task *task)
{
    size_t depth = task->depth;

    while (depth > 0 && !is_barrier(&task->frames[depth - 1]))
        depth--;
    if (depth > 0)
        HD_PUSH(decoder->absences, decoder->n_absences, decoder->capacity_absences,
                ((hd_absence){ task == &decoder->implicit ? NULL : task, { task->left, decoder->now } }));
}

void
hd_decoder_take_aways(hd_decoder *decoder, hd_thread_op *barrier)
{
    size_t n_left = 0, n_taken = 0;

    for (size_t i = 0; i < decoder->n_absences; i++) {
        const hd_absence *absence = &decoder->absences[i];

        if (absence->task == decoder->task && absence->away.begin >= barrier->enter)
            HD_PUSH(decoder->aways, n_taken, decoder->capacity_aways, absence->away);
        else
            decoder->absences[n_left++] = *absence;
    }
    decoder->n_absences = n_left;
    barrier->aways      = decoder->aways;
    barrier->n_aways    = n_taken;
}

static void
restore(hd_decoder *decoder, hd_task *task)
{
    if (!decoder->compat && task->left > 0 && decoder->now > task->left)
        note_absence(decoder, task);
    decoder->frames          = task->frames;
    decoder->depth           = task->depth;
    decoder->capacity_frames = task->capacity_frames;
    decoder->current         = task->current;
    decoder->away            = task->away + (task->left > 0 ? hd_span_between(task->left, decoder->now) : 0);
    task->frames             = NULL;
    decoder->contexts        = task->contexts;
    task->contexts           = NULL;
    if (HD_UNLIKELY(task->records.pending.n + task->records.n_completed > 0)) {
        records_fini(&decoder->records);
        decoder->records = task->records;
        task->records    = (hd_open_records){ 0 };
    }
}

static void
begin_level(hd_decoder *decoder)
{
    hd_turns *turns = &decoder->join->turns;
    uint32_t  place = hd_decoder_place(decoder, HD_NONE);

    decoder->current = hd_decoder_here(decoder, place);
    HD_SCRATCH_PUSH(decoder->join->scratch, turns->levels, turns->n_levels, turns->capacity_levels,
            ((hd_task_level){ .place = place, .stub = decoder->task->stub, .region = HD_NONE }));
    turns->turns[decoder->task->turn].n_levels++;
}

static void
end_level(hd_decoder *decoder, uint32_t region)
{
    last_level(decoder)->region = region;
    last_level(decoder)->end    = decoder->now;
}

static void
begin_turn(hd_decoder *decoder)
{
    hd_turns *turns = &decoder->join->turns;
    hd_task  *task  = decoder->task;

    task->turn       = turns->n_turns;
    task->in_regions[0] = task->in_regions[1] = 0;
    HD_SCRATCH_PUSH(decoder->join->scratch, turns->turns, turns->n_turns, turns->capacity_turns,
            ((hd_task_turn){ .task = task->moved, .stub = task->stub, .first_region = HD_NONE, .begin = decoder->now,
                             .first_level = turns->n_levels, .first_open = turns->n_open }));
    begin_level(decoder);
    decoder->needs_stub = true;
}

/* What is open goes on elsewhere. */
static void
end_turn(hd_decoder *decoder)
{
    hd_turns     *turns = &decoder->join->turns;
    hd_task_turn *turn  = &turns->turns[decoder->task->turn];

    end_level(decoder, HD_NONE);
    turn->end        = decoder->now;
    memcpy(turn->in_regions, decoder->task->in_regions, sizeof turn->in_regions);
    turn->n_open     = decoder->depth;
    for (size_t i = 0; i < decoder->depth; i++)
        HD_SCRATCH_PUSH(decoder->join->scratch, turns->open, turns->n_open, turns->capacity_open,
                ((hd_open_region){ .node = decoder->frames[i].node, .enter = decoder->frames[i].enter }));
    hd_decoder_end_calls(decoder);
}

void
hd_decoder_task_leave(hd_decoder *decoder, uint32_t region)
{
    end_level(decoder, region);
    begin_level(decoder);
}

/* The running task leaves off. */
static void
suspend(hd_decoder *decoder)
{
    if (decoder->compat)
        hd_decoder_switch_begin(decoder);
    hd_decoder_charge(decoder, decoder->now);
    if (decoder->task == NULL) {
        save(decoder, &decoder->implicit);
        return;
    }
    decoder->task->executed[decoder->outside] += hd_span_between(decoder->task->resumed, decoder->now);
    if (decoder->task->moved != HD_NONE)
        end_turn(decoder);
    save(decoder, decoder->task);
    decoder->task = NULL;
}

static void
resume_implicit(hd_decoder *decoder)
{
    restore(decoder, &decoder->implicit);
    decoder->implicit.depth = 0;
    decoder->needs_stub     = false;
    hd_decoder_switch_end(decoder);
}

/* What is still open in a task that does not run and is completed. */
static void
close_suspended(hd_decoder *decoder, hd_task *task)
{
    hd_task running = { 0 };

    if (task->depth == 0)
        return;
    hd_decoder_charge(decoder, decoder->now);
    save(decoder, &running);
    restore(decoder, task);
    hd_decoder_close_all(decoder);
    save(decoder, task);
    restore(decoder, &running);
}

/* It is never completed: what its open calls sent may have been received. */
static void
end_suspended(hd_decoder *decoder, hd_task *task)
{
    hd_task running = { 0 };

    save(decoder, &running);
    restore(decoder, task);
    hd_decoder_end_calls(decoder);
    save(decoder, task);
    restore(decoder, &running);
}

static hd_task_team *
task_team(hd_decoder *decoder, uint32_t comm_ref)
{
    uint32_t comm = hd_refs_index(&decoder->refs->comms, comm_ref);

    if (HD_LIKELY(decoder->last_task_team < decoder->n_task_teams && decoder->task_teams[decoder->last_task_team].comm == comm))
        return &decoder->task_teams[decoder->last_task_team];
    for (decoder->last_task_team = 0; decoder->last_task_team < decoder->n_task_teams; decoder->last_task_team++)
        if (decoder->task_teams[decoder->last_task_team].comm == comm)
            return &decoder->task_teams[decoder->last_task_team];
    HD_PUSH(decoder->task_teams, decoder->n_task_teams, decoder->capacity_task_teams, ((hd_task_team){ .comm = comm }));
    return &decoder->task_teams[decoder->last_task_team];
}

static hd_task_key
key_of(const hd_task_team *team, uint64_t number)
{
    return (hd_task_key){ team->comm, team->instance, (uint32_t)(number >> 32), (uint32_t)number };
}

static uint32_t
instance_of(const hd_decoder *decoder, uint32_t comm)
{
    const uint64_t *n_begun = comm != HD_NONE ? hd_map_get(&decoder->team_instances, comm) : NULL;

    return n_begun != NULL ? (uint32_t)*n_begun : 0;
}

static hd_task *
new_task(hd_decoder *decoder, hd_task_key key)
{
    hd_task *task = HD_NEW(hd_task);

    task->current = HD_NONE;
    task->from    = hd_decoder_inner(decoder, decoder->implicit.current);
    task->moved   = decoder->moved != NULL ? hd_moved_tasks_index(decoder->moved, key) : HD_NONE;
    task->stub    = task->moved != HD_NONE ? hd_decoder_place(decoder, task->from) : HD_NONE;
    return task;
}

void
hd_decoder_task_switch(hd_decoder *decoder, uint32_t comm_ref, uint64_t number)
{
    bool          is_new;
    uint64_t     *place;
    hd_task      *task;
    hd_task_team *team;

    if (is_implicit(number)) {
        if (decoder->task != NULL) {
            suspend(decoder);
            resume_implicit(decoder);
        }
        return;
    }
    if (number == HD_MAP_FREE) { /* OTF2's "undefined", both halves of it */
        hd_decoder_finding(decoder, HD_FINDING_UNKNOWN, HD_NONE, HD_NONE, HD_NONE);
        return;
    }
    suspend(decoder);
    team = task_team(decoder, comm_ref);
    if (team->tasks.n == 0)
        team->instance = instance_of(decoder, team->comm);
    place = hd_map_add(&team->tasks, number, &is_new);
    if (is_new)
        *place = (uint64_t)(uintptr_t)new_task(decoder, key_of(team, number));
    task = (hd_task *)(uintptr_t)*place;
    restore(decoder, task);
    task->resumed       = decoder->now;
    decoder->task       = task;
    decoder->needs_stub = task->stub == HD_NONE;
    hd_decoder_switch_end(decoder);
    if (HD_UNLIKELY(task->moved != HD_NONE))
        begin_turn(decoder);
}

/* node: the one inside of the period. */
static void
book_unplaced(hd_decoder *decoder, hd_task *task, uint32_t node)
{
    book(decoder, node, task->unplaced[0]);
    if (task->unplaced[1] != 0)
        book(decoder, node | HD_OUTSIDE, task->unplaced[1]);
    task->unplaced[0] = task->unplaced[1] = 0;
}

/* The task enters its first region: the stub stands for it where the implicit task left off, its own call paths are below
 * TASKS. */
void
hd_decoder_task_stub(hd_decoder *decoder, uint32_t region)
{
    hd_task *task          = decoder->task;
    uint8_t  role          = decoder->regions[region].role;
    bool     is_artificial = role == HD_ROLE_ARTIFICIAL;

    if (task->moved != HD_NONE) {
        if (!is_artificial)
            decoder->join->turns.turns[task->turn].first_region = region;
        decoder->needs_stub = is_artificial;
        return;
    }
    if (!is_artificial) {
        task->stub          = hd_decoder_inner(decoder, hd_decoder_child(decoder, hd_decoder_here(decoder, task->from), region));
        task->begun         = role == HD_ROLE_TASK || role == HD_ROLE_TASK_UNTIED;
        decoder->needs_stub = false;
    }
    if (decoder->depth == 0)
        decoder->current = hd_decoder_child(decoder, hd_decoder_program_node(decoder), decoder->defs->tasks_region);
    if (task->stub != HD_NONE)
        book_unplaced(decoder, task, task->stub);
}

static void
put_stray(hd_decoder *decoder, const hd_task *task, hd_task_key key, bool completed)
{
    hd_location_join *join = decoder->join;

    if (decoder->moved == NULL && !decoder->compat && (!task->begun || !completed))
        HD_SCRATCH_PUSH(join->scratch, join->strays, join->n_strays, join->capacity_strays,
                        ((hd_stray){ key, task->begun, completed }));
}

/* What the patterns are told of a task that did not move. Of one that also ran outside of the period: its time inside as of a part, and
 * all else outside. Returns where it is counted. */
static uint32_t
put_task(hd_decoder *decoder, const hd_task *task, bool completed)
{
    hd_thread_log *log  = &decoder->out->threads;
    hd_span        ran  = task->executed[0] + task->executed[1];
    uint32_t       side = task->executed[1] > 0 ? HD_OUTSIDE : task->executed[0] > 0 ? 0 : decoder->outside;
    bool           both = side != 0 && task->executed[0] > 0;

    if (both)
        hd_thread_log_put(log, &(hd_thread_op){ .kind = HD_THREAD_TASK, .call_path = task->stub, .task_time = task->executed[0],
                                                .region_time = task->in_regions[0], .is_part = true });
    hd_thread_log_put(log, &(hd_thread_op){ .kind = HD_THREAD_TASK, .call_path = task->stub | side, .task_time = task->executed[side],
                                            .region_time = task->in_regions[side], .is_part = both || !completed,
                                            .completed = completed, .total_time = ran });
    return task->stub | side;
}

/* Of a task that did not move: its time, and the visit of its stub. */
static void
book_completed(hd_decoder *decoder, hd_task *task)
{
    if (task->stub != HD_NONE) {
        if (decoder->compat) {
            book(decoder, task->stub, task->executed[0]);
            if (task->from != HD_NONE)
                book(decoder, task->from, -task->executed[0]);
        }
        decoder->out->nodes[put_task(decoder, task, true)].visits++;
    } else if (task->from != HD_NONE)
        book_unplaced(decoder, task, task->from);
    if (decoder->compat && decoder->task == NULL && decoder->depth > 0)
        decoder->frames[decoder->depth - 1].task_time += task->executed[0];
}

void
hd_decoder_task_complete(hd_decoder *decoder, uint32_t comm_ref, uint64_t number)
{
    hd_task_team   *team  = task_team(decoder, comm_ref);
    const uint64_t *place = hd_map_get(&team->tasks, number);
    hd_task        *task  = place != NULL ? (hd_task *)(uintptr_t)*place : NULL;

    if (task == NULL)
        return;
    if (decoder->task == task) {
        suspend(decoder);
        resume_implicit(decoder);
    }
    close_suspended(decoder, task);
    if (task->moved != HD_NONE)
        decoder->join->turns.turns[task->turn].completed = true;
    else
        book_completed(decoder, task);
    put_stray(decoder, task, key_of(team, number), true);
    hd_map_remove(&team->tasks, number);
    task_free(task);
}

static void
drop_task(hd_decoder *decoder, hd_task *task, hd_task_key key)
{
    if (task->depth > 0)
        end_suspended(decoder, task);
    if (task->stub != HD_NONE && task->moved == HD_NONE)
        put_task(decoder, task, false);
    else if (task->from != HD_NONE)
        book_unplaced(decoder, task, task->from);
    put_stray(decoder, task, key, false);
    task_free(task);
}

/* Also before the first team after others: there numbers may come again, and what is left went on elsewhere. */
void
hd_decoder_tasks_drop(hd_decoder *decoder)
{
    for (size_t i = 0; i < decoder->n_task_teams; i++) {
        hd_task_team *team = &decoder->task_teams[i];

        for (uint32_t s = 0; team->tasks.n > 0 && s <= team->tasks.mask; s++)
            if (team->tasks.slots[s].key != HD_MAP_FREE)
                drop_task(decoder, (hd_task *)(uintptr_t)team->tasks.slots[s].value, key_of(team, team->tasks.slots[s].key));
        if (team->tasks.n > 0)
            hd_map_fini(&team->tasks);
    }
}

static void
task_pass_border(hd_decoder *decoder, hd_task *task, void (*pass)(hd_decoder *decoder, hd_frame *frames, size_t n))
{
    pass(decoder, task->frames, task->depth);
    task->current = hd_decoder_here(decoder, task->current);
}

/* All but the frames of the task that runs. */
void
hd_decoder_tasks_pass_border(hd_decoder *decoder, void (*pass)(hd_decoder *decoder, hd_frame *frames, size_t n))
{
    if (decoder->task != NULL) {
        decoder->task->executed[decoder->outside ^ HD_OUTSIDE] += hd_span_between(decoder->task->resumed, decoder->border);
        decoder->task->resumed = decoder->border;
        task_pass_border(decoder, &decoder->implicit, pass);
    }
    for (size_t i = 0; i < decoder->n_task_teams; i++) {
        const hd_map *tasks = &decoder->task_teams[i].tasks;

        for (uint32_t s = 0; tasks->n > 0 && s <= tasks->mask; s++)
            if (tasks->slots[s].key != HD_MAP_FREE && (hd_task *)(uintptr_t)tasks->slots[s].value != decoder->task)
                task_pass_border(decoder, (hd_task *)(uintptr_t)tasks->slots[s].value, pass);
    }
}

void
hd_decoder_tasks_finish(hd_decoder *decoder)
{
    if (decoder->task != NULL) { /* cut off inside of a task */
        suspend(decoder);
        resume_implicit(decoder);
        hd_decoder_close_all(decoder);
    }
    hd_decoder_tasks_drop(decoder);
    for (size_t i = 0; i < decoder->n_task_teams; i++)
        hd_map_fini(&decoder->task_teams[i].tasks);
    free(decoder->task_teams);
}
