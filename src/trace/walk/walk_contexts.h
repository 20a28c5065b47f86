/* src/trace/walk/walk_contexts.h: samples, and calls recorded with the whole stack, as enters and leaves. Inside of
 * walk only. Uses: walk_stack. MT: one thread at a time.
 */
#ifndef HD_WALK_CONTEXTS_H
#define HD_WALK_CONTEXTS_H

#include "defs.h"
#include "ref_map.h"
#include "walk_stack.h"

/* A record that says in which calling context the location is (its number in the archive), and how far the stack was
 * unwound: all but distance - 1 of the innermost contexts were open before. */
void hd_walk_contexts_at(hd_walk_stack *stack, const hd_defs *defs, const hd_refs *contexts, uint32_t ref,
                         uint32_t distance, bool is_call);
void hd_walk_contexts_leave(hd_walk_stack *stack, const hd_defs *defs, const hd_refs *contexts, uint32_t ref);

/* Samples say no more: the innermost contexts are left. */
void hd_walk_contexts_close(hd_walk_stack *stack);

#endif
