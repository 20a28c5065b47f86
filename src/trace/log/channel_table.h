/* src/trace/log/channel_table.h: numbers the channels of one location in the order of their first use.
 *
 * Loading and reading clocks number them by the same records, so in the same order. Uses: defs, oplog. Owner: the
 * caller embeds it.
 * MT: one thread at a time. Ranks: local. Cost: a look into a table per record; a new channel also looks for ranks in
 * groups.
 */
#ifndef HD_CHANNEL_TABLE_H
#define HD_CHANNEL_TABLE_H

#include "defs.h"
#include "map.h"
#include "oplog.h"
#include "table.h"

typedef struct hd_channel_table {
    const hd_defs *defs;
    uint32_t       process;   /* of the location */
    hd_channel    *list;      /* [n] */
    size_t         n, capacity;
    hd_table       numbers;   /* hash of a channel -> its number */
    hd_map         own_ranks; /* communicator -> side << 32 | rank of this process */
} hd_channel_table;

void hd_channel_table_init(hd_channel_table *table, const hd_defs *defs, uint32_t process);
void hd_channel_table_fini(hd_channel_table *table);

/* The number of a channel, which is made if it is new. HD_NONE: there is no such communicator or peer.
 *   comm       index in the definitions; HD_NONE is fine
 *   peer_rank  within the communicator; collectives: 0, as is the tag */
uint32_t hd_channel_table_number(hd_channel_table *table, hd_channel_kind kind, uint32_t comm, uint32_t peer_rank,
                                 uint32_t tag);

/* Hands the list over; free() it. The table is to be finished then. */
hd_channel *hd_channel_table_take(hd_channel_table *table, size_t *n);

#endif
