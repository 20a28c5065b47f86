/* src/trace/decode/context_stack.h: the calling context that a task's last record had. Inside of decode only.
 * Uses: base. Owner: the task's hd_stack. MT: the loading thread. Ranks: local. Grows with: depth of the context.
 */
#ifndef HD_CONTEXT_STACK_H
#define HD_CONTEXT_STACK_H

#include <stdlib.h>

#include "types.h"

typedef enum hd_level_kind {
    HD_LEVEL_SAMPLED, /* an open region that was recorded as the caller of another one, or by a sample */
    HD_LEVEL_CALLED,  /* an open region that was recorded as called */
    HD_LEVEL_INSIDE,  /* no region of its own: inside of the one that is open */
    HD_LEVEL_AROUND   /* no region of this task: around the task */
} hd_level_kind;

typedef struct hd_context_level {
    uint32_t      context; /* index in the definitions; its parent is the context of the level before */
    hd_level_kind kind;
    size_t        open;    /* how many regions are open with it, its own one included */
} hd_context_level;

typedef struct hd_context_stack {
    hd_context_level *levels; /* [n] the outermost one first */
    size_t            n, capacity;
    bool              is_partial; /* more of it may have been there: regions were closed without a record of them */
} hd_context_stack;

/* Regions from that depth on are open no longer. Returns whether a sample entered the first one of them. NULL is
 * fine. */
static inline bool
hd_context_stack_forget(hd_context_stack *stack, size_t depth)
{
    bool sampled = false;

    while (stack != NULL && stack->n > 0 && stack->levels[stack->n - 1].open > depth) {
        const hd_context_level *level = &stack->levels[--stack->n];

        sampled           = level->kind == HD_LEVEL_SAMPLED && level->open == depth + 1;
        stack->is_partial = true;
    }
    return sampled;
}

static inline void
hd_context_stack_free(hd_context_stack *stack) /* NULL is fine */
{
    if (stack != NULL)
        free(stack->levels);
    free(stack);
}

#endif
