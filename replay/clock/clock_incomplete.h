/* replay/clock/clock_incomplete.h: which collectives lack members: no member can wait for their values.
 *
 * Every process notifies the home of each communicator, the worker of its first member, of the number of collectives in
 * which it takes part. Where these numbers differ, or a process is missing, the home notifies the workers of all
 * members from which number on instances are incomplete.
 *
 * Inside of the replay only. Uses: clock_vproc, reduction. MT: the worker's thread. Ranks: local.
 * Memory: 40 bytes per communicator at its home.
 */
#ifndef HD_CLOCK_INCOMPLETE_H
#define HD_CLOCK_INCOMPLETE_H

#include "clock_vproc.h"
#include "reduction.h"

typedef struct hd_clock_count { /* of a communicator, on its home */
    uint32_t comm;
    bool     is_nbc;
    uint32_t n_processes;       /* that have notified the home */
    uint32_t min_n, max_n;      /* collectives of a process */
} hd_clock_count;

typedef struct hd_clock_incomplete {
    hd_map          counts_at;  /* communicator * 2 + is_nbc -> index in counts */
    hd_clock_count *counts;     /* [n_counts] */
    size_t          n_counts, capacity_counts;
} hd_clock_incomplete;

void hd_clock_incomplete_fini(hd_clock_incomplete *incomplete);

/* A process of this worker notifies the homes of its communicators. */
void hd_clock_incomplete_announce(hd_clock_incomplete *incomplete, const hd_clock_worker *ch, hd_worker *worker,
                                  const hd_clock_process *process);
/* All processes have announced. This worker, as a home, notifies workers of members, and sets limits of the
 * reduction. */
void hd_clock_incomplete_notify(const hd_clock_incomplete *incomplete, const hd_clock_worker *ch, hd_worker *worker,
                                hd_reduction *reduction);
/* An item of kind HD_CLOCK_ITEM_COUNT or HD_CLOCK_ITEM_INCOMPLETE. */
void hd_clock_incomplete_deliver(hd_clock_incomplete *incomplete, hd_reduction *reduction, uint32_t kind,
                                 const void *data);

/* Whether the communicator has one member only, which never waits. */
bool hd_clock_is_alone(const hd_defs *defs, uint32_t comm);

#endif
