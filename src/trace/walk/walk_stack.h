/* src/trace/walk/walk_stack.h: what the tasks of a location have open, while it is walked. Inside of walk only.
 *
 * The implicit task is the first one: what it has open is around all others, so only explicit tasks are left and
 * entered again when another one goes on. MT: one thread at a time. Grows with: what is open.
 */
#ifndef HD_WALK_STACK_H
#define HD_WALK_STACK_H

#include "walk_sink.h"

typedef struct hd_walk_frame {
    uint32_t region;   /* HD_NONE: a calling context around the task, which is not told */
    uint32_t context;  /* HD_NONE: none */
    hd_time  enter;
} hd_walk_frame;

typedef struct hd_walk_task_id {
    uint32_t team, creator, generation; /* generation 0: the implicit task */
} hd_walk_task_id;

typedef struct hd_walk_task {
    hd_walk_task_id id;
    hd_walk_frame  *frames; /* [n] the innermost last */
    size_t          n, capacity;
    bool            is_open;
} hd_walk_task;

typedef struct hd_walk_stack {
    const hd_walk_sink *sink;
    void               *user;
    hd_walk_task       *tasks;   /* [n_tasks]; those that are over are taken for others */
    size_t              n_tasks, capacity;
    size_t              current; /* the task that runs */
    bool                tells;   /* in the interval */
    hd_time             now;
    uint64_t            n_misfits; /* while it tells */
} hd_walk_stack;

void hd_walk_stack_init(hd_walk_stack *stack, const hd_walk_sink *sink, void *user);
void hd_walk_stack_fini(hd_walk_stack *stack);

void hd_walk_stack_enter(hd_walk_stack *stack, uint32_t region, uint32_t context);
/* The running task leaves the region, and what it has entered since; a region that it has not entered is a misfit. */
void hd_walk_stack_leave(hd_walk_stack *stack, uint32_t region);
/* The running task leaves all but its n outermost frames. */
void hd_walk_stack_leave_to(hd_walk_stack *stack, size_t n);

void hd_walk_stack_switch(hd_walk_stack *stack, hd_walk_task_id id);
void hd_walk_stack_complete(hd_walk_stack *stack, hd_walk_task_id id);

/* Begins to tell: what is open is entered at that time. */
void hd_walk_stack_begin(hd_walk_stack *stack, hd_time time);
/* Ends to tell: what is open is left then. */
void hd_walk_stack_end(hd_walk_stack *stack, hd_time time);

/* The innermost frame of the running task; NULL: none. Valid until the next call. */
const hd_walk_frame *hd_walk_stack_top(const hd_walk_stack *stack);

#endif
