/* src/record/preload/pthread_call.h: POSIX threads: what the wrappers of their functions share.
 *
 * Recorded is what the program and its libraries call, and not what the run-time libraries of C and Fortran, an MPI or
 * OpenMP library, what those are made of, or the recorder itself calls: the object decides that has the return address,
 * and the depth of the thread (log.h). Only threads that have a log record: the first one, those that the program
 * creates, and those of an OpenMP team.
 * Wrappers may be called before the constructor has run, by other constructors.
 * Uses: log, pause. MT: any thread. Ranks: local.
 */
#ifndef HD_PTHREAD_CALL_H
#define HD_PTHREAD_CALL_H

#include "log.h"

#define HD_PTHREAD_FUNCTIONS(X)                                                                                        \
    X(pthread_create)                                                                                                  \
    X(pthread_join)                                                                                                    \
    X(pthread_mutex_lock)                                                                                              \
    X(pthread_mutex_trylock)                                                                                           \
    X(pthread_mutex_unlock)                                                                                            \
    X(pthread_cond_wait)                                                                                               \
    X(pthread_cond_timedwait)                                                                                          \
    X(pthread_cond_clockwait)                                                                                          \
    X(pthread_cond_signal)                                                                                             \
    X(pthread_cond_broadcast)

#define HD_PTHREAD_INDEX(name) HD_FUNCTION_##name,
typedef enum hd_pthread_function { HD_PTHREAD_FUNCTIONS(HD_PTHREAD_INDEX) HD_N_PTHREAD_FUNCTIONS } hd_pthread_function;

extern _Atomic(void *) hd_pthread_reals[HD_N_PTHREAD_FUNCTIONS];

/* Looks it up. NULL: the thread is doing that already, which may allocate memory, and so lock a mutex. */
void *hd_pthread_find(hd_pthread_function function);

/* The function behind the wrapper. */
#define HD_PTHREAD_REAL(name)                                                                                          \
    ((__typeof__(&name))(HD_LIKELY(hd_pthread_reals[HD_FUNCTION_##name] != NULL) ?                                     \
                             (void *)hd_pthread_reals[HD_FUNCTION_##name] :                                            \
                             hd_pthread_find(HD_FUNCTION_##name)))

/* By the constructor. */
void hd_pthread_begin(void);

/* Whether calls from there are the program's. */
bool hd_pthread_is_of_program(const void *caller);

/* MPI begins, and has begun: what is loaded in between is part of it, such as plugins of hwloc and what those need,
 * drivers of graphics cards, for instance. The first time counts. */
void hd_pthread_mpi_begins(void);
void hd_pthread_mpi_has_begun(void);

/* Enters a function, and leaves it: the region that the enter returns. time: now, which other records of the call may
 * share, as each reading costs as much as a record. */
uint32_t hd_pthread_enter(hd_log *log, uint64_t time, hd_raw_role role, const void *caller);
void     hd_pthread_leave(hd_log *log, uint64_t time, uint32_t region);

#endif
