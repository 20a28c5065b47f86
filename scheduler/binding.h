/* scheduler/binding.h: which processors the replay threads of this rank run on (hwloc).
 *
 * Takes the cpuset that the launcher gave this rank; where several ranks of a node have one and the same cpuset, it is
 * divided among them. Threads are spread over the NUMA domains, then cores, then hardware threads.
 * Uses: base; hwloc.h only in binding.c. MT: hd_binding_plan() main thread only; hd_binding_apply() the thread to be
 * bound.
 * Ranks: local.
 */
#ifndef HD_BINDING_H
#define HD_BINDING_H

#include "status.h"
#include "types.h"

typedef enum hd_bind_policy { HD_BIND_CORE, HD_BIND_PU, HD_BIND_NUMA, HD_BIND_NONE } hd_bind_policy;

typedef struct hd_binding_request {
    hd_bind_policy policy;
    uint32_t       n_threads;
    uint32_t       node_rank, node_size; /* of this rank among the ranks of its node that own processes */
    const char    *synthetic; /* hwloc synthetic topology for tests, NULL: this machine */
    const char    *cpuset;    /* hwloc list syntax ("0-3,8"): the launcher's cpuset in tests, NULL: ask */
} hd_binding_request;

typedef struct hd_binding hd_binding;

/* Whether the ranks of a node share one cpuset is not known here: with node_size > 1 and a cpuset that covers more than
 * this rank's share of the machine's usable processors, it is taken as shared and divided among as many ranks as an
 * even distribution gives it (a whole machine: all of the node; a socket: those of a socket); a smaller one is the
 * rank's own, and so is one that is no even part of the machine and near the share.
 * Errors: HD_EFORMAT, the topology or cpuset cannot be read. */
hd_status hd_binding_plan(const hd_binding_request *request, hd_binding **binding);
void      hd_binding_free(hd_binding *binding);

/* Binds the calling thread as thread number `thread`, and the memory it will touch first to its NUMA domain. A system
 * that does not let threads be bound is no error: false comes back. Never binds with HD_BIND_NONE or a synthetic
 * topology. */
bool hd_binding_apply(const hd_binding *binding, uint32_t thread);

/* "core 3 (pu 6-7), numa 0": for the map; valid as long as the binding. */
const char *hd_binding_text(const hd_binding *binding, uint32_t thread);
/* The processors of a thread in hwloc list syntax, "6-7"; "" where it is not bound. */
const char *hd_binding_pus(const hd_binding *binding, uint32_t thread);
/* More threads of this node than cores in use: waiting threads must yield instead of spinning. */
bool hd_binding_oversubscribed(const hd_binding *binding);

#endif
