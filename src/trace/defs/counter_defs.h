/* src/trace/defs/counter_defs.h: from the definitions of metrics, their classes and instances to those of defs.h.
 * Inside of defs only. */
#ifndef HD_COUNTER_DEFS_H
#define HD_COUNTER_DEFS_H

#include "raw_defs.h"

/* Fills counters, sets (one for each of metric_sets) and set_members, once all definitions are read. */
void hd_counter_defs_join(raw_defs *raw);

/* Their places, behind defs->bytes. */
void hd_counter_defs_lay_out(const raw_defs *raw, hd_defs *defs);

/* Copies them there.
 *   owner, process_of_group   [location groups] the group that is its process; the process of that
 *   nodes                     [raw->n_nodes] numbers of nodes of the system tree */
void hd_counter_defs_fill(const raw_defs *raw, const uint32_t *owner, const uint32_t *process_of_group,
                          const uint32_t *nodes, hd_defs *defs);

#endif
