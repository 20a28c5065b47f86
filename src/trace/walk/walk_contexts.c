/* Samples, and calls recorded with the whole stack, as enters and leaves. src/trace/decode/calling_context.c has a
 * picture of what a record says. */
#include "walk_contexts.h"

#include "memory.h"

/* HD_NONE: it cannot be. */
static uint32_t
find_context(hd_walk_stack *stack, const hd_defs *defs, const hd_refs *contexts, uint32_t ref)
{
    uint32_t index = hd_refs_index(contexts, ref);

    if (index != HD_NONE && hd_defs_contexts(defs)[index].depth > 0)
        return index;
    stack->n_misfits += stack->tells;
    return HD_NONE;
}

/* The same call; where in it the next one was called may be another place. */
static bool
is_same_call(const hd_context *contexts, uint32_t a, uint32_t b)
{
    return a == b || (contexts[a].parent == contexts[b].parent && contexts[a].region == contexts[b].region);
}

/* How many frames there are up to the one of the context at that depth, with it; 0: there is none. */
static size_t
frame_of_depth(const hd_walk_task *task, const hd_context *contexts, uint32_t depth)
{
    size_t n = task->n;

    while (n > 0 && (task->frames[n - 1].context == HD_NONE ||
                     contexts[task->frames[n - 1].context].depth != depth))
        n--;
    return n;
}

/* How many frames there are around the first context; all where there is none. */
static size_t
n_around_contexts(const hd_walk_task *task)
{
    size_t n = 0;

    while (n < task->n && task->frames[n].context == HD_NONE)
        n++;
    return n;
}

/* Contexts from the outermost one to that one, entered: told, or as those around a task. */
static void
enter_below(hd_walk_stack *stack, const hd_context *contexts, uint32_t context, uint32_t depth, bool is_told)
{
    uint32_t  n   = contexts[context].depth - depth;
    uint32_t *way = HD_NEW_ARRAY(uint32_t, (size_t)n + 1);

    for (uint32_t i = n; i > 0; context = contexts[context].parent)
        way[--i] = context;
    for (uint32_t i = 0; i < n; i++)
        hd_walk_stack_enter(stack, is_told ? contexts[way[i]].region : HD_NONE, way[i]);
    free(way);
}

void
hd_walk_contexts_at(hd_walk_stack *stack, const hd_defs *defs, const hd_refs *refs, uint32_t ref,
                    uint32_t distance, bool is_call)
{
    const hd_context   *contexts = hd_defs_contexts(defs);
    const hd_walk_task *task     = &stack->tasks[stack->current];
    uint32_t            context  = find_context(stack, defs, refs, ref), kept = context, depth, n_new;
    size_t              frame;

    if (context == HD_NONE)
        return;
    depth = contexts[context].depth;
    n_new = distance > 1 ? distance - 1 : is_call ? 1 : 0;
    for (; n_new > 0 && depth > 0; n_new--, depth--)
        kept = contexts[kept].parent;
    if (stack->current != 0 && depth > 0 && n_around_contexts(task) == task->n) /* around a task are another task's */
        enter_below(stack, contexts, kept, 0, false);
    for (; depth > 0; depth--, kept = contexts[kept].parent) {
        frame = frame_of_depth(task, contexts, depth);
        if (frame > 0 && is_same_call(contexts, task->frames[frame - 1].context, kept))
            break;
    }
    frame = depth > 0 ? frame_of_depth(task, contexts, depth) : n_around_contexts(task);
    hd_walk_stack_leave_to(stack, frame);
    if (depth > 0)
        task->frames[frame - 1].context = kept;
    enter_below(stack, contexts, context, depth, true);
}

void
hd_walk_contexts_leave(hd_walk_stack *stack, const hd_defs *defs, const hd_refs *refs, uint32_t ref)
{
    const hd_walk_task *task    = &stack->tasks[stack->current];
    uint32_t            context = find_context(stack, defs, refs, ref);
    size_t              frame;

    if (context == HD_NONE)
        return;
    frame = frame_of_depth(task, hd_defs_contexts(defs), hd_defs_contexts(defs)[context].depth);
    if (frame > 0)
        hd_walk_stack_leave_to(stack, frame - 1);
    else
        stack->n_misfits += stack->tells;
}

void
hd_walk_contexts_close(hd_walk_stack *stack)
{
    const hd_walk_task *task = &stack->tasks[stack->current];
    size_t              n    = task->n;

    while (n > 0 && task->frames[n - 1].context != HD_NONE)
        n--;
    hd_walk_stack_leave_to(stack, n);
}
