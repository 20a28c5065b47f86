/* src/record/preload/gomp.h: OpenMP of GCC: what its wrappers share, and what ompt.c has in common with them.
 *
 * A parallel region calls a function of the recorder in place of the program's, which calls that: so each thread of the
 * team is seen. Workers leave the barrier at the end of the region inside of libgomp, unseen: they leave it, in their
 * log, when the last thread of the team has arrived. That is known later, so these records are written when the log is
 * used next, or at the end of the program (hd_gomp_finish_late).
 * Uses: log. MT: any thread. Ranks: local.
 */
#ifndef HD_GOMP_H
#define HD_GOMP_H

#include "log.h"

typedef void hd_gomp_function(void *data);

typedef struct hd_gomp_team { /* of a parallel region; lives until all its threads have written its end */
    void             *reductions; /* libgomp reads it here where the region has reductions of tasks */
    hd_gomp_function *function;
    void             *data;
    const void       *caller; /* return address of the function that forks it */
    hd_log           *parent; /* of the thread that forked it */
    uint32_t          number, region, barrier, inner; /* inner: region of a loop or of sections, 0: none */
    uint32_t          path;  /* of a profile: where it was forked */
    uint32_t          level; /* of nesting, where libomp told it; from 1 */
    atomic_uint       n_users;
    atomic_bool       is_over;
    _Atomic uint64_t  last; /* [ticks] when the last thread so far came to the end */
} hd_gomp_team;

typedef struct hd_gomp_library { /* functions of libgomp that the recorder calls */
    int (*get_thread_num)(void);
    int (*get_num_threads)(void);
    int (*get_max_threads)(void);
    int (*get_level)(void);
    int (*get_cancellation)(void);
} hd_gomp_library;

extern hd_gomp_library hd_the_gomp;

/* A function of libgomp, looked up once. kept: where, a static variable of the wrapper. */
void *hd_gomp_real(_Atomic(void *) *kept, const char *name);

/* The thread's log; NULL: nothing is recorded here. Looks libgomp up. */
hd_log *hd_gomp_log(void);

/* Constructs of a thread that are open, as libgomp does not say at their end which they are. */
enum { HD_GOMP_MAX_OPEN = 256 };
void     hd_gomp_push(uint32_t value);
uint32_t hd_gomp_pop(void); /* 0: none */
uint32_t hd_gomp_depth(void);
void     hd_gomp_cut(uint32_t depth); /* a region that is cancelled leaves some open */

/* From now on its wrappers record nothing: another OpenMP library, which may offer libgomp's functions, too, tells its
 * events itself (ompt.c). */
void hd_gomp_be_silent(void);

/* Parallel regions, for both libraries. A team that `log` forks, and its end, which writes the fork and the join. NULL:
 * it is not recorded, and hd_gomp_team_unrecorded_end() ends it.
 *   caller  return address, for the call stack
 *   place   what the region has its name from: an address in a function, plus 1 */
hd_gomp_team *hd_gomp_team_begin(hd_log *log, uint64_t n_threads, const void *caller, const void *place);
void          hd_gomp_team_end(hd_gomp_team *team);
void          hd_gomp_team_unrecorded_end(void);
/* A thread begins its part of a team, whose region it enters; NULL: it is not recorded. It comes to its end: other
 * threads than the first leave the team later, when it is over. */
hd_log *hd_gomp_member_begin(hd_gomp_team *team, uint32_t level, uint32_t member, uint32_t size);
void    hd_gomp_member_end(hd_gomp_team *team, hd_log *log, uint32_t member);

/* A lock was acquired, or is released, by the thread that has it. */
void hd_gomp_acquired(hd_log *log, uint64_t time, const void *lock);
void hd_gomp_released(hd_log *log, uint64_t time, const void *lock);

/* Raises the time at which the team of the thread's unwritten end is over: a task has run in its barrier. */
void hd_gomp_note_work(hd_log *log, uint64_t time);

/* Writes the ends of all logs whose teams are over. At the end of the program. */
void hd_gomp_finish_late(void);

/* In a wrapper: `real` is the function behind it. */
#define HD_GOMP_REAL(name, type)                                                                                       \
    static _Atomic(void *) real_place;                                                                                 \
    __typeof__(type)       real = (__typeof__(type))hd_gomp_real(&real_place, name)

#endif
