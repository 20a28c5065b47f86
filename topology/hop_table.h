/* topology/hop_table.h: messages, their bytes and what is waited for them by hops, on the recorded topologies besides
 * the one that messages are looked at on: sums over the run, without call paths and processes.
 *
 *   [topology][class of hops][messages, bytes, Late Sender, Late Receiver], 8 bytes each, of the run and of each
 *   location that has messages
 *
 * Times in ticks. Definition: docs/metrics.md#topologies. Uses: distance, replay, analysis_comm. Owner:
 * hd_hop_tables_free(). MT: main thread only, unless a line says otherwise.
 */
#ifndef HD_HOP_TABLE_H
#define HD_HOP_TABLE_H

#include "cartesian.h"
#include "analysis_comm.h"
#include "pattern.h"

enum { HD_HOP_COLUMNS = 4, HD_HOP_TABLES_MAX = 8 };

typedef struct hd_hop_tables hd_hop_tables;

/* Of the first HD_HOP_TABLES_MAX topologies of the archive that all MPI processes are on; chosen: the one that is
 * looked at, NULL: none.
 * NULL: there are no others. Ranks: local; equal arguments give equal results. */
hd_hop_tables *hd_hop_tables_new(const hd_defs *defs, const hd_cartesian *chosen);
void           hd_hop_tables_free(hd_hop_tables *tables);

/* For hd_replay_request. MT: the worker's thread. */
hd_message_patterns hd_hop_tables_patterns(hd_hop_tables *tables);

/* Adds up over the ranks, once the replay is done. Ranks: all, together. */
void hd_hop_tables_add_up(hd_hop_tables *tables, hd_analysis_comm *analysis_comm);

uint32_t hd_hop_tables_n(const hd_hop_tables *tables); /* NULL: 0 */
/* For the report: "class messages bytes seconds seconds;" for each class that any message is of, "|", and the
 * topology's name; free() it. */
char *hd_hop_tables_text(const hd_hop_tables *tables, uint32_t i, uint64_t resolution);

#endif
