/* replay/simulate/sim_collectives.h: what members of collective operations depend on, with recorded times.
 *
 *   all wait for the latest     barriers, N-to-N, fences, MPI_Init: a dependency on the latest enter, and an
 *                               hd_sim_member for the passes (sim_latest.h); none where a member left an operation
 *                               of a window before
 *   root first                  each member that receives depends on the root
 *   root last                   the root depends on each member that sends
 *   prefix                      each member depends on the one before it, which relays the latest of those before
 *
 * Members of operations with a root may also wait for others (sim_tree.h). A member without bytes to send is not waited
 * for, one without bytes to receive does not wait. Operations that lack members have no dependencies.
 *
 * Uses: sim_state.h, reduction.h. MT: the worker's thread. Ranks: local; items go to other workers.
 * Memory: while the model is made 72 bytes per member of operations with a root, on each worker that has one.
 */
#ifndef HD_SIM_COLLECTIVES_H
#define HD_SIM_COLLECTIVES_H

#include "coll_class.h"
#include "sim_state.h"

typedef enum hd_sim_group { /* of collective operations */
    HD_SIM_KEPT,         /* not simulated */
    HD_SIM_SYNCHRONISES, /* all wait for the latest, no data */
    HD_SIM_ALL,          /* those that receive wait for the latest that sends */
    HD_SIM_EXCHANGE,     /* the same where all send and receive; else it is not known who waits */
    HD_SIM_ROOT_FIRST, HD_SIM_ROOT_LAST, HD_SIM_PREFIX
} hd_sim_group;

/* operation: as in the op log. */
static inline hd_sim_group
hd_sim_group_of(uint32_t operation)
{
    static const uint8_t groups[] = { /* of classes; HD_SIM_KEPT: all others */
        [HD_COLL_BARRIER] = HD_SIM_SYNCHRONISES, [HD_COLL_CREATE] = HD_SIM_SYNCHRONISES,
        [HD_COLL_FREE] = HD_SIM_SYNCHRONISES, [HD_COLL_FENCE] = HD_SIM_SYNCHRONISES, [HD_COLL_NXN] = HD_SIM_ALL,
        [HD_COLL_EXCHANGE] = HD_SIM_EXCHANGE, [HD_COLL_1TON] = HD_SIM_ROOT_FIRST, [HD_COLL_NTO1] = HD_SIM_ROOT_LAST,
        [HD_COLL_SCAN] = HD_SIM_PREFIX,
    };
    hd_coll_class class = hd_coll_class_of(operation);

    return class < sizeof groups ? (hd_sim_group)groups[class] : HD_SIM_KEPT;
}

void hd_sim_collectives_init(hd_sim_worker *sw, hd_worker *worker);
/* A record of the location, once all calls of its process are known. */
void hd_sim_collective_found(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location,
                             const hd_sim_record *record);
/* Counts the operations that lack members, and frees all. */
void hd_sim_collectives_fini(hd_sim_worker *sw);

/* Once all ranks know which pairs of members depend on each other. */
void hd_sim_settle_trees(hd_sim_worker *sw, hd_worker *worker);

#endif
