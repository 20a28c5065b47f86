/* Regions that the tasks of a location have open: told so that they nest. */
#include "walk_stack.h"

#include "memory.h"

void
hd_walk_stack_init(hd_walk_stack *stack, const hd_walk_sink *sink, void *user)
{
    *stack = (hd_walk_stack){ .sink = sink, .user = user };
    HD_PUSH(stack->tasks, stack->n_tasks, stack->capacity, ((hd_walk_task){ .is_open = true }));
}

void
hd_walk_stack_fini(hd_walk_stack *stack)
{
    for (size_t i = 0; i < stack->n_tasks; i++)
        free(stack->tasks[i].frames);
    free(stack->tasks);
}

static void
tell_enter(const hd_walk_stack *stack, const hd_walk_frame *frame, hd_time time, bool is_continued)
{
    if (stack->tells && frame->region != HD_NONE && stack->sink->enter != NULL)
        stack->sink->enter(stack->user, time, frame->region, is_continued);
}

static void
tell_leave(const hd_walk_stack *stack, const hd_walk_frame *frame, hd_time time, bool is_continued)
{
    if (stack->tells && frame->region != HD_NONE && stack->sink->leave != NULL)
        stack->sink->leave(stack->user, time, frame->region, is_continued);
}

static void
resume(const hd_walk_stack *stack, const hd_walk_task *task, hd_time time)
{
    for (size_t i = 0; i < task->n; i++)
        tell_enter(stack, &task->frames[i], time, true);
}

static void
suspend(const hd_walk_stack *stack, const hd_walk_task *task, hd_time time)
{
    for (size_t i = task->n; i > 0; i--)
        tell_leave(stack, &task->frames[i - 1], time, true);
}

void
hd_walk_stack_enter(hd_walk_stack *stack, uint32_t region, uint32_t context)
{
    hd_walk_task *task  = &stack->tasks[stack->current];
    hd_walk_frame frame = { .region = region, .context = context, .enter = stack->now };

    HD_PUSH(task->frames, task->n, task->capacity, frame);
    tell_enter(stack, &frame, stack->now, false);
}

void
hd_walk_stack_leave_to(hd_walk_stack *stack, size_t n)
{
    hd_walk_task *task = &stack->tasks[stack->current];

    while (task->n > n)
        tell_leave(stack, &task->frames[--task->n], stack->now, false);
}

void
hd_walk_stack_leave(hd_walk_stack *stack, uint32_t region)
{
    const hd_walk_task *task = &stack->tasks[stack->current];
    size_t              at   = task->n;

    while (at > 0 && task->frames[at - 1].region != region)
        at--;
    if (at > 0)
        hd_walk_stack_leave_to(stack, at - 1);
    else
        stack->n_misfits += stack->tells;
}

/* n_tasks: there is none. */
static size_t
find_task(const hd_walk_stack *stack, hd_walk_task_id id)
{
    size_t i = 1;

    for (; i < stack->n_tasks; i++) {
        const hd_walk_task *task = &stack->tasks[i];

        if (task->is_open && task->id.team == id.team && task->id.creator == id.creator &&
            task->id.generation == id.generation)
            break;
    }
    return i;
}

static size_t
new_task(hd_walk_stack *stack, hd_walk_task_id id)
{
    size_t i = 1;

    while (i < stack->n_tasks && stack->tasks[i].is_open)
        i++;
    if (i == stack->n_tasks)
        HD_PUSH(stack->tasks, stack->n_tasks, stack->capacity, ((hd_walk_task){ .n = 0 }));
    stack->tasks[i].id      = id;
    stack->tasks[i].is_open = true;
    return i;
}

void
hd_walk_stack_switch(hd_walk_stack *stack, hd_walk_task_id id)
{
    size_t to = id.generation == 0 ? 0 : find_task(stack, id);

    if (to == stack->n_tasks)
        to = new_task(stack, id);
    if (to == stack->current)
        return;
    if (stack->current != 0)
        suspend(stack, &stack->tasks[stack->current], stack->now);
    stack->current = to;
    if (to != 0)
        resume(stack, &stack->tasks[to], stack->now);
}

void
hd_walk_stack_complete(hd_walk_stack *stack, hd_walk_task_id id)
{
    size_t i = id.generation == 0 ? stack->n_tasks : find_task(stack, id);

    if (i == stack->n_tasks)
        return;
    if (i == stack->current) {
        hd_walk_stack_leave_to(stack, 0);
        stack->current = 0;
    }
    stack->tasks[i].n       = 0; /* of another one they were left when it was suspended */
    stack->tasks[i].is_open = false;
}

void
hd_walk_stack_begin(hd_walk_stack *stack, hd_time time)
{
    stack->tells = true;
    resume(stack, &stack->tasks[0], time);
    if (stack->current != 0)
        resume(stack, &stack->tasks[stack->current], time);
}

void
hd_walk_stack_end(hd_walk_stack *stack, hd_time time)
{
    if (stack->current != 0)
        suspend(stack, &stack->tasks[stack->current], time);
    suspend(stack, &stack->tasks[0], time);
    stack->tells = false;
}

const hd_walk_frame *
hd_walk_stack_top(const hd_walk_stack *stack)
{
    const hd_walk_task *task = &stack->tasks[stack->current];

    return task->n > 0 ? &task->frames[task->n - 1] : NULL;
}
