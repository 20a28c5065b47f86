#include "task.h"

#include "moment.h"
#include "side.h"

/* The number of a task on its location. Generation 0 is the implicit task of the thread that runs it. */
static bool
is_implicit(uint64_t number)
{
    return (uint32_t)number == 0;
}

static void
task_free(hd_task *task)
{
    hd_stack *stack = &task->stack;

    free(stack->records.pending.data);
    free(stack->records.completed);
    hd_context_stack_free(stack->contexts);
    free(stack->frames);
    free(task);
}

/* The stack that runs becomes that of a task which leaves off now. Another one has to go on. */
static void
leave_off(hd_decoder *decoder, hd_task *task)
{
    task->stack = decoder->stack;
    task->left  = decoder->now;
}

/* A task's stack becomes the one that runs. */
static void
go_on(hd_decoder *decoder, hd_task *task)
{
    if (!decoder->compat && task->left > 0 && decoder->now > task->left)
        hd_decoder_note_suspension(decoder, task);
    decoder->stack = task->stack;
    if (task->left > 0)
        decoder->stack.suspended += hd_span_between(task->left, decoder->now);
    task->stack = (hd_stack){ .frames = NULL };
}

/* The running task leaves off. */
static void
suspend(hd_decoder *decoder)
{
    hd_task *task = decoder->task;

    if (decoder->compat)
        hd_decoder_switch_begin(decoder);
    hd_decoder_book_until(decoder, decoder->now);
    if (task != NULL) {
        task->executed[decoder->side] += hd_span_between(task->resumed, decoder->now);
        task->last_part = decoder->i_part;
    }
    if (task != NULL && task->moved != HD_NONE) {
        hd_decoder_end_fragment(decoder);
        hd_decoder_end_calls(decoder);
    }
    leave_off(decoder, task != NULL ? task : &decoder->implicit);
    hd_decoder_state_is_new(decoder);
    decoder->task       = NULL;
    decoder->is_in_task = false;
}

static void
resume_implicit(hd_decoder *decoder)
{
    go_on(decoder, &decoder->implicit);
    decoder->needs_stub = false;
    hd_decoder_switch_end(decoder);
}

/* Closes or ends what is open in a task that does not run, as if it ran meanwhile. */
static void
with_suspended(hd_decoder *decoder, hd_task *task, void (*end)(hd_decoder *decoder))
{
    hd_stack running = decoder->stack;

    go_on(decoder, task);
    end(decoder);
    leave_off(decoder, task);
    decoder->stack = running;
}

static hd_task_team *
task_team(hd_decoder *decoder, uint32_t comm_ref)
{
    uint32_t comm = hd_refs_index(&decoder->refs->comms, comm_ref);

    if (HD_LIKELY(decoder->last_task_team < decoder->n_task_teams &&
                  decoder->task_teams[decoder->last_task_team].comm == comm))
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

    task->stack.current = HD_NONE;
    task->from          = hd_decoder_inner(decoder, decoder->implicit.stack.current);
    task->moved         = decoder->moved != NULL ? hd_migrated_tasks_index(decoder->moved, key) : HD_NONE;
    task->stub          = task->moved != HD_NONE ? hd_decoder_place(decoder, task->from) : HD_NONE;
    task->first_part    = task->last_part = decoder->i_part;
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
            hd_decoder_moment(decoder, HD_MOMENT_TASK_SWITCH, NULL, 0, 0);
            suspend(decoder);
            resume_implicit(decoder);
        }
        return;
    }
    if (number == HD_MAP_FREE) { /* OTF2's "undefined", both halves of it */
        hd_decoder_plain_finding(decoder, HD_FINDING_UNKNOWN);
        return;
    }
    hd_decoder_moment(decoder, HD_MOMENT_TASK_SWITCH, NULL, number >> 32, (uint32_t)number);
    suspend(decoder);
    team = task_team(decoder, comm_ref);
    if (team->tasks.n == 0)
        team->instance = instance_of(decoder, team->comm);
    place = hd_map_add(&team->tasks, number, &is_new);
    if (is_new)
        *place = (uint64_t)(uintptr_t)new_task(decoder, key_of(team, number));
    task = (hd_task *)(uintptr_t)*place;
    go_on(decoder, task);
    task->resumed       = decoder->now;
    hd_decoder_state_is_new(decoder);
    decoder->task       = task;
    decoder->is_in_task = true;
    decoder->needs_stub = task->stub == HD_NONE;
    hd_decoder_switch_end(decoder);
    if (HD_UNLIKELY(task->moved != HD_NONE))
        hd_decoder_begin_fragment(decoder);
}

static void
put_candidate(hd_decoder *decoder, const hd_task *task, hd_task_key key, bool completed)
{
    hd_location_join *join = decoder->join;

    if (decoder->moved == NULL && !decoder->compat && (!task->begun || !completed))
        HD_SCRATCH_PUSH(join->scratch, join->candidates, join->n_candidates, join->capacity_candidates,
                        ((hd_migrant_candidate){ key, task->begun, completed }));
}

/* The side on which a task counts that did not move: inside, if one interval holds it. */
static uint32_t
side_of(const hd_decoder *decoder, const hd_task *task)
{
    if (task->executed[HD_SIDE_BEYOND] > 0)
        return HD_SIDE_BEYOND;
    if (task->executed[HD_SIDE_OUTSIDE] > 0 || task->first_part != task->last_part)
        return HD_SIDE_OUTSIDE;
    return task->executed[HD_SIDE_INSIDE] > 0 ? HD_SIDE_INSIDE : decoder->side;
}

/* What the patterns of threads get of a task that did not move. Of one that ran on several sides: its time on the
 * others as of parts. Returns the node where it is counted. */
static uint32_t
put_task(hd_decoder *decoder, const hd_task *task, bool completed)
{
    hd_thread_log *log  = &decoder->more.threads;
    uint32_t       side = side_of(decoder, task), node = hd_decoder_on_side(decoder, task->stub, side);
    hd_span        ran  = 0;
    bool           has_parts = false;

    for (uint32_t other = 0; other < HD_N_SIDES; other++) {
        ran += task->executed[other];
        if (other == side || task->executed[other] == 0)
            continue;
        hd_thread_log_put(log, &(hd_thread_op){ .kind = HD_THREAD_TASK,
                                                .call_path = hd_decoder_on_side(decoder, task->stub, other),
                                                .task_time = task->executed[other],
                                                .region_time = task->in_regions[other], .is_part = true });
        has_parts = true;
    }
    hd_thread_log_put(log, &(hd_thread_op){ .kind = HD_THREAD_TASK, .call_path = node,
                                            .task_time = task->executed[side], .region_time = task->in_regions[side],
                                            .is_part = has_parts || !completed, .completed = completed,
                                            .total_time = ran });
    return node;
}

/* Of a task that did not move: its time, and the visit of its stub. */
static void
book_completed(hd_decoder *decoder, hd_task *task)
{
    uint32_t node;

    if (task->stub != HD_NONE) {
        if (decoder->compat) {
            hd_decoder_book_task(decoder, task->stub, task->executed[0]);
            if (task->from != HD_NONE)
                hd_decoder_book_task(decoder, task->from, -task->executed[0]);
        }
        node = put_task(decoder, task, true);
        decoder->out->nodes[node].visits++;
        hd_decoder_count(decoder, HD_COUNTED_VISIT, node, decoder->now, 0, 0);
    } else if (task->from != HD_NONE)
        hd_decoder_book_unplaced(decoder, task, task->from);
    if (decoder->compat && decoder->task == NULL && decoder->stack.depth > 0 &&
        decoder->stack.frames[decoder->stack.depth - 1].region_class == HD_CLASS_OMP)
        decoder->stack.frames[decoder->stack.depth - 1].task_time += task->executed[0];
}

void
hd_decoder_task_create(hd_decoder *decoder, uint64_t number)
{
    if (number != HD_MAP_FREE)
        hd_decoder_moment(decoder, HD_MOMENT_TASK_CREATE, NULL, number >> 32, (uint32_t)number);
}

void
hd_decoder_task_complete(hd_decoder *decoder, uint32_t comm_ref, uint64_t number)
{
    hd_task_team   *team  = task_team(decoder, comm_ref);
    const uint64_t *place = hd_map_get(&team->tasks, number);
    hd_task        *task  = place != NULL ? (hd_task *)(uintptr_t)*place : NULL;

    if (task == NULL)
        return;
    hd_decoder_moment(decoder, HD_MOMENT_TASK_COMPLETE, NULL, number >> 32, (uint32_t)number);
    if (decoder->task == task) {
        suspend(decoder);
        resume_implicit(decoder);
    }
    if (task->stack.depth > 0) {
        hd_decoder_book_until(decoder, decoder->now);
        with_suspended(decoder, task, hd_decoder_close_all);
    }
    if (task->moved != HD_NONE)
        decoder->join->fragments.fragments[task->fragment].completed = true;
    else
        book_completed(decoder, task);
    put_candidate(decoder, task, key_of(team, number), true);
    hd_map_remove(&team->tasks, number);
    task_free(task);
}

static void
drop_task(hd_decoder *decoder, hd_task *task, hd_task_key key)
{
    if (task->stack.depth > 0)
        with_suspended(decoder, task, hd_decoder_end_calls); /* never completed: what they sent may have been
                                                              * received */
    if (task->stub != HD_NONE && task->moved == HD_NONE)
        put_task(decoder, task, false);
    else if (task->from != HD_NONE)
        hd_decoder_book_unplaced(decoder, task, task->from);
    put_candidate(decoder, task, key, false);
    task_free(task);
}

void
hd_decoder_tasks_drop(hd_decoder *decoder)
{
    for (size_t i = 0; i < decoder->n_task_teams; i++) {
        hd_task_team *team = &decoder->task_teams[i];

        for (uint32_t s = 0; team->tasks.n > 0 && s <= team->tasks.mask; s++)
            if (team->tasks.slots[s].key != HD_MAP_FREE)
                drop_task(decoder, (hd_task *)(uintptr_t)team->tasks.slots[s].value,
                          key_of(team, team->tasks.slots[s].key));
        if (team->tasks.n > 0)
            hd_map_fini(&team->tasks);
    }
}

static void
task_pass_border(hd_decoder *decoder, hd_task *task)
{
    hd_decoder_pass_frames(decoder, task->stack.frames, task->stack.depth);
    task->stack.current = hd_decoder_here(decoder, task->stack.current);
}

void
hd_decoder_tasks_pass_border(hd_decoder *decoder, uint32_t side)
{
    if (decoder->task != NULL) {
        decoder->task->executed[side] += hd_span_between(decoder->task->resumed, decoder->border_time);
        decoder->task->resumed = decoder->border_time;
        task_pass_border(decoder, &decoder->implicit);
    }
    for (size_t i = 0; i < decoder->n_task_teams; i++) {
        const hd_map *tasks = &decoder->task_teams[i].tasks;

        for (uint32_t s = 0; tasks->n > 0 && s <= tasks->mask; s++)
            if (tasks->slots[s].key != HD_MAP_FREE && (hd_task *)(uintptr_t)tasks->slots[s].value != decoder->task)
                task_pass_border(decoder, (hd_task *)(uintptr_t)tasks->slots[s].value);
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
