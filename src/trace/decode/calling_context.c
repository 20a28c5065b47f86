/* Samples, and calls recorded with the whole stack, become the leaves and enters of regions with the same meaning.
 *
 * A record says how many of the innermost regions of its context were entered since the record before: the unwind
 * distance less one. The region around these went on, those around it stayed as they were, and what was inside of it
 * before was left:
 *
 *     depth       1     2      3      4
 *     before      main  solve  relax  dot                    now left: dot, relax
 *     sample      main  solve  check  norm                   distance 3: check and norm are entered
 *                       kept   way[1] way[0]
 */
#include "calling_context.h"

#include <string.h>

#include "memory.h"

void
hd_decoder_contexts_close(hd_decoder *decoder)
{
    hd_context_stack *stack = decoder->stack.contexts;

    hd_context_stack_forget(decoder->stack.contexts, decoder->stack.depth);
    while (stack->n > 0 && stack->levels[stack->n - 1].kind != HD_LEVEL_CALLED &&
           stack->levels[stack->n - 1].open == decoder->stack.depth) {
        bool is_region = stack->levels[--stack->n].kind == HD_LEVEL_SAMPLED;

        stack->is_partial = true;
        if (is_region)
            hd_decoder_leave(decoder, decoder->now, decoder->stack.frames[decoder->stack.depth - 1].region);
    }
}

/* What is sampled there is the inside of a library: time of the call, of which it may wait a part. */
static bool
is_in_library(const hd_decoder *decoder)
{
    const hd_frame *frame = decoder->stack.depth > 0 ? &decoder->stack.frames[decoder->stack.depth - 1] : NULL;

    if (frame == NULL || frame->region_class == HD_CLASS_USER || frame->region_class == HD_CLASS_INTERNAL)
        return false;
    if (frame->region_class != HD_CLASS_OMP)
        return true;
    switch (decoder->regions[frame->region].role) {
    case HD_ROLE_BARRIER:
    case HD_ROLE_IMPLICIT_BARRIER:
    case HD_ROLE_TASK_WAIT:
    case HD_ROLE_CRITICAL:
    case HD_ROLE_ATOMIC:
    case HD_ROLE_FUNCTION: return true;
    default: return false;
    }
}

/* Of the call path that is entered now. caller: the context in which it is called, HD_NONE. */
static void
note_call_site(hd_decoder *decoder, uint32_t caller)
{
    hd_loaded_location *out  = decoder->out;
    uint32_t            node = hd_decoder_inner(decoder, decoder->stack.current);
    uint32_t            site = caller != HD_NONE ? hd_defs_contexts(decoder->defs)[caller].site : 0;

    if (site == 0)
        return;
    if (node >= out->n_call_sites) {
        uint32_t n = node + node / 2 + 16;

        out->call_sites = hd_realloc(out->call_sites, n, sizeof *out->call_sites);
        memset(&out->call_sites[out->n_call_sites], 0, (n - out->n_call_sites) * sizeof *out->call_sites);
        out->n_call_sites = n;
    }
    out->call_sites[node] = hd_site_of_both(out->call_sites[node], site);
}

static void
enter_level(hd_decoder *decoder, uint32_t context, bool is_called)
{
    hd_context_stack *stack = decoder->stack.contexts;
    hd_context_level  level = { .context = context, .kind = is_called ? HD_LEVEL_CALLED : HD_LEVEL_SAMPLED };

    if (!is_called && is_in_library(decoder))
        level.kind = HD_LEVEL_INSIDE;
    else {
        hd_decoder_enter(decoder, decoder->now, hd_defs_contexts(decoder->defs)[context].region);
        note_call_site(decoder, hd_defs_contexts(decoder->defs)[context].parent);
    }
    level.open = decoder->stack.depth;
    HD_PUSH(stack->levels, stack->n, stack->capacity, level);
}

/* Its region may have been closed together with another one. */
static void
leave_level(hd_decoder *decoder)
{
    hd_context_level level = decoder->stack.contexts->levels[--decoder->stack.contexts->n];

    if ((level.kind == HD_LEVEL_SAMPLED || level.kind == HD_LEVEL_CALLED) && level.open <= decoder->stack.depth)
        hd_decoder_leave(decoder, decoder->now, hd_defs_contexts(decoder->defs)[level.context].region);
}

/* Those that were recorded as calls should have been recorded as left, too. */
static void
leave_to(hd_decoder *decoder, size_t n)
{
    while (decoder->stack.contexts->n > n) {
        if (decoder->stack.contexts->levels[decoder->stack.contexts->n - 1].kind == HD_LEVEL_CALLED)
            hd_decoder_plain_finding(decoder, HD_FINDING_UNBALANCED);
        leave_level(decoder);
    }
}

/* The same call; where in it the next one was called may be another place. All around it is the same then, too. */
static bool
is_same_call(const hd_context *contexts, const hd_context_level *level, uint32_t context)
{
    return level->context == context || (contexts[level->context].parent == contexts[context].parent &&
                                         contexts[level->context].region == contexts[context].region);
}

/* Index of a context that can be, HD_NONE (a finding): it is left out. */
static uint32_t
find_context(hd_decoder *decoder, uint32_t ref)
{
    uint32_t index = hd_refs_index(&decoder->refs->contexts, ref);

    if (index != HD_NONE && hd_defs_contexts(decoder->defs)[index].depth > 0)
        return index;
    hd_decoder_plain_finding(decoder, HD_FINDING_UNKNOWN);
    return HD_NONE;
}

static hd_context_stack *
stack_at(hd_decoder *decoder)
{
    if (decoder->stack.contexts == NULL) {
        decoder->stack.contexts             = HD_NEW(hd_context_stack);
        decoder->stack.contexts->is_partial = true;
    }
    if (decoder->way == NULL)
        decoder->way = HD_NEW_ARRAY(uint32_t, HD_CONTEXT_DEPTH_MAX);
    hd_context_stack_forget(decoder->stack.contexts, decoder->stack.depth);
    return decoder->stack.contexts;
}

/* The regions of a task begin with the first record in it: those around it, up to a context, are another task's. */
static void
begin_inside(hd_decoder *decoder, uint32_t context, uint32_t n)
{
    const hd_context *contexts = hd_defs_contexts(decoder->defs);
    hd_context_stack *stack    = decoder->stack.contexts;

    for (uint32_t i = 0; i < n; i++)
        HD_PUSH(stack->levels, stack->n, stack->capacity, ((hd_context_level){ .kind = HD_LEVEL_AROUND }));
    for (; n > 0; context = contexts[context].parent)
        stack->levels[--n].context = context;
}

typedef struct climb { /* from a record's context outwards */
    uint32_t context;  /* where it stands */
    uint32_t depth;    /* of that context, from 1 on; 0: outside of all */
    uint32_t n_inside; /* contexts that it has passed: way[0], the record's own, to way[n_inside - 1] */
} climb;

static inline void
step(hd_decoder *decoder, climb *c)
{
    decoder->way[c->n_inside++] = c->context;
    c->context                  = hd_defs_contexts(decoder->defs)[c->context].parent;
    c->depth--;
}

/* Climbs to the innermost context that was open before, and goes on: over those that were entered since the record
 * before, n_new, and over those that are not what is open at their depth. Returns whether it passed some of the latter
 * that the records should have contained. */
static bool
find_kept(hd_decoder *decoder, climb *c, uint32_t n_new)
{
    const hd_context       *contexts = hd_defs_contexts(decoder->defs);
    const hd_context_stack *stack    = decoder->stack.contexts;
    bool                    is_wrong = false;

    while (c->n_inside < n_new && c->depth > 0)
        step(decoder, c);
    if (decoder->task != NULL && stack->n == 0 && stack->is_partial)
        begin_inside(decoder, c->context, c->depth);
    while (c->depth > 0 && (c->depth > stack->n || !is_same_call(contexts, &stack->levels[c->depth - 1], c->context))) {
        is_wrong = is_wrong || c->depth <= stack->n || !stack->is_partial;
        step(decoder, c);
    }
    return is_wrong;
}

void
hd_decoder_context(hd_decoder *decoder, uint32_t ref, uint32_t distance, bool is_call)
{
    hd_context_stack *stack = stack_at(decoder);
    climb             c     = { .context = find_context(decoder, ref) };
    uint32_t          n_new = distance > 1 ? distance - 1 : is_call ? 1 : 0;
    bool              is_impossible;

    if (c.context == HD_NONE)
        return;
    c.depth       = hd_defs_contexts(decoder->defs)[c.context].depth;
    is_impossible = n_new > c.depth || (is_call && distance < 2);
    if (find_kept(decoder, &c, n_new) || is_impossible)
        hd_decoder_plain_finding(decoder, HD_FINDING_STACK);
    leave_to(decoder, c.depth);
    if (c.depth > 0)
        stack->levels[c.depth - 1].context = c.context;
    while (c.n_inside-- > 0)
        enter_level(decoder, decoder->way[c.n_inside], is_call && c.n_inside == 0);
    stack->is_partial = false;
}

void
hd_decoder_context_leave(hd_decoder *decoder, uint32_t ref)
{
    const hd_context *contexts = hd_defs_contexts(decoder->defs);
    hd_context_stack *stack    = stack_at(decoder);
    uint32_t          context  = find_context(decoder, ref);
    size_t            n;

    if (context == HD_NONE)
        return;
    n = contexts[context].depth;
    if (n > stack->n || stack->levels[n - 1].kind != HD_LEVEL_CALLED ||
        !is_same_call(contexts, &stack->levels[n - 1], context)) {
        hd_decoder_plain_finding(decoder, HD_FINDING_UNBALANCED);
        n = stack->n;
        while (n > 0 && (stack->levels[n - 1].kind != HD_LEVEL_CALLED ||
                         contexts[stack->levels[n - 1].context].region != contexts[context].region))
            n--;
        if (n == 0)
            return;
    }
    leave_to(decoder, n);
    leave_level(decoder);
}
