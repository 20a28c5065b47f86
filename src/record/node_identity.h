/* src/record/node_identity.h: which node a process is on: the same number for all processes with one kernel, so with
 * one clock and the same processors.
 *
 * For tests HEDDLE_RECORD_NODE is an identity in place of the node's. Uses: base. MT: any thread. Ranks: local.
 */
#ifndef HD_NODE_IDENTITY_H
#define HD_NODE_IDENTITY_H

#include <stdint.h>

uint64_t hd_node_identity(void);

#endif
