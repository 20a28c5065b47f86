#include "context_stack.h"

#include <stdlib.h>

bool
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

void
hd_context_stack_free(hd_context_stack *stack)
{
    if (stack != NULL)
        free(stack->levels);
    free(stack);
}
