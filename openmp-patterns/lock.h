/* openmp-patterns/lock.h: waiting for locks that another thread of the process holds. Private to the component.
 * Definitions: docs/metrics.md#lock-contention. MT: the worker's thread. Ranks: local.
 */
#ifndef HD_LOCK_H
#define HD_LOCK_H

#include "map.h"
#include "pattern.h"

/* Ownerships of a lock are numbered by the records; an ownership is over at its last release (nested locks have
 * several). */
typedef struct hd_ownership {
    hd_time  end;
    uint32_t thread; /* that gave it back */
} hd_ownership;

typedef struct hd_lock_books { /* of a process */
    hd_map              of_lock; /* paradigm << 32 | lock -> its number here */
    uint64_t            last_lock, last_number; /* looked up last */
    hd_map              ends;    /* number << 32 | order -> index in all */
    hd_ownership       *all;     /* [n] */
    size_t              n, capacity;
    hd_wait_series     *series; /* NULL: not wanted */
    const hd_team_sink *sink;   /* gets the waits, and the releases that were waited for; NULL: not wanted */
    const hd_wait_sink *waits;  /* the same for instances */
    uint32_t            n_waits;
} hd_lock_books;

/* First all releases of all threads, */
void hd_lock_released(hd_lock_books *all, const hd_thread_op *op, uint32_t thread);
/* then all acquires. released: when the thread released a lock last before, 0: never. out: of the thread. */
void hd_lock_acquired(hd_lock_books *all, const hd_loaded_process *process, const hd_thread_op *op,
                      uint32_t thread, hd_time released, hd_severities *out);
void hd_lock_books_fini(hd_lock_books *all);

#endif
