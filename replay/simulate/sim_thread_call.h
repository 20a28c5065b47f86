/* replay/simulate/sim_thread_call.h: a call of the log of threads, until it is connected. For sim_threads.c and
 * sim_thread_links.c only. */
#ifndef HD_SIM_THREAD_CALL_H
#define HD_SIM_THREAD_CALL_H

#include "sim_state.h"

typedef enum sim_thread_what {
    SIM_FORK, SIM_BEGIN, SIM_END, SIM_JOIN, SIM_BARRIER, SIM_ARRIVE, SIM_ACQUIRE, SIM_RELEASE,
    SIM_ORDERED_BEGIN, SIM_ORDERED_END,
    SIM_TASK_CREATE, SIM_TASK_BEGIN, SIM_TASK_END, SIM_TASK_WAIT,
    SIM_THREAD_CREATE, SIM_THREAD_BEGIN, SIM_THREAD_END, SIM_THREAD_WAIT
} sim_thread_what;

typedef struct sim_task { /* number 0: the implicit task of thread `of` of the process; else as in HD_THREAD_MOMENT */
    uint64_t of, number;
} sim_task;

typedef struct hd_sim_thread_call {
    hd_sim_call call;
    uint8_t     what; /* sim_thread_what */
    bool        is_cut, has_tasks; /* barrier */
    hd_time     next;           /* arrive: of the thread at the same barrier; 0: none */
    uint32_t    comm, instance; /* of the team; lock: whether it is POSIX's, and its number */
    uint32_t    number;         /* of the barrier in the team; of the ownership */
    uint32_t    place;          /* in the log; then the number among the calls of the location */
    sim_task    task;           /* that is created, begins or ends; or the created thread */
    sim_task    parent;         /* that creates it, or that waits */
} sim_thread_call;

#endif
