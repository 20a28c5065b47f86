/* topology/machine.h: where on the machine the processes run, and how near two of them are.
 *
 * The system tree of the archive says what a process runs on, and what that is a part of:
 *
 *   machine ─┬─ rack ─┬─ node ─┬─ NUMA domain ── process      What two processes have in common, and nothing nearer, is
 *                                                             how
 *            │        │        └─ ...                         near they are. Levels above the nodes count as switches,
 *                                                             by the
 *            │        └─ node                                 number of levels up from the nodes, of the two ways the
 *                                                             longer;
 *            └─ rack                                          the root is the whole machine. Switches of a site's file
 *                                                             take
 *                                                             their place.
 *
 * Definition: docs/metrics.md#machine. Uses: trace. Owner: hd_machine_free(). Grows with: the system tree and switches,
 * 9 bytes each; processes, 8. MT: read only once made. Ranks: local; equal arguments give equal results.
 */
#ifndef HD_MACHINE_H
#define HD_MACHINE_H

#include "defs.h"

typedef enum hd_nearness { /* in the order of the metrics machine_comms_... */
    HD_NEAR_PROCESS, /* it is the same one */
    HD_NEAR_CORE,
    HD_NEAR_NUMA,
    HD_NEAR_SOCKET,
    HD_NEAR_NODE,
    HD_NEAR_SWITCH,   /* of different nodes, the next level */
    HD_NEAR_SWITCH_2,
    HD_NEAR_SWITCH_3, /* and more */
    HD_NEAR_REMOTE,   /* only the whole machine, or nothing */
    HD_N_NEAR
} hd_nearness;

typedef struct hd_machine hd_machine;

typedef struct hd_switches { /* of a site's file */
    uint32_t *parents;  /* [n] smaller than its own index; HD_NONE: a root */
    uint32_t *of_node;  /* [nodes of the system tree] the switch that a node is at; HD_NONE: it is no node of a
                         * process */
    uint32_t  n;
} hd_switches;

void hd_switches_free(hd_switches *switches);

/* The node, in the system tree, of each process: the innermost level that shares memory or has the class "node". Where
 * MPI processes have none, what they stand at, or what is around the sockets, NUMA domains and cores there, is one,
 * unless a node is below it. Two processes are as near as HD_NEAR_NODE or nearer if they have the same one.
 * [n_processes], HD_NONE: not known; free() it. */
uint32_t *hd_machine_nodes(const hd_defs *defs);

/* switches: NULL, the levels of the archive; kept nowhere. NULL: all processes are at one place. */
hd_machine *hd_machine_new(const hd_defs *defs, const hd_switches *switches);
void        hd_machine_free(hd_machine *machine);

/* HD_NONE: it is not known where one of them runs. Cost: O(levels). */
uint32_t hd_machine_nearness(const hd_machine *machine, uint32_t process, uint32_t other);

#endif
