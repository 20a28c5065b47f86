/* src/trace/log/channel_table.h: numbers the channels of one location in the order of their first use.
 *
 * Loading and reading clocks number them by the same records, so in the same order. Uses: defs, oplog. Owner: the
 * caller embeds it.
 * MT: one thread at a time. Ranks: local. Cost: a comparison per record that is on the channel that followed its kind's
 * last one before, else a look into a table; a new channel also looks for ranks in groups.
 */
#ifndef HD_CHANNEL_TABLE_H
#define HD_CHANNEL_TABLE_H

#include "defs.h"
#include "map.h"
#include "oplog.h"
#include "table.h"

enum { HD_N_CHANNEL_KINDS = HD_CHANNEL_NBC + 1 };

typedef struct hd_channel_table {
    const hd_defs *defs;
    uint32_t       process;   /* of the location */
    hd_channel    *list;      /* [n] */
    size_t         n, capacity;
    hd_table       numbers;   /* hash of a channel -> its number */
    uint32_t      *next;      /* [n] by channel: the one of its kind that followed it last */
    size_t         n_next, capacity_next;
    uint32_t       last[HD_N_CHANNEL_KINDS]; /* used last of the kind; 0: maybe none was */
    hd_map         own_ranks; /* communicator -> side << 32 | rank of this process */
} hd_channel_table;

void hd_channel_table_init(hd_channel_table *table, const hd_defs *defs, uint32_t process);
void hd_channel_table_fini(hd_channel_table *table);

static inline bool
hd_channel_is(const hd_channel *channel, hd_channel_kind kind, uint32_t comm, uint32_t peer_rank, uint32_t tag)
{
    return channel->kind == kind && channel->tag == tag &&
           (kind >= HD_CHANNEL_COLL || channel->peer_rank == peer_rank) && channel->comm == comm;
}

/* hd_channel_table_number() of a channel that is not the expected one. */
uint32_t hd_channel_table_find(hd_channel_table *table, hd_channel_kind kind, uint32_t comm, uint32_t peer_rank,
                               uint32_t tag);

/* The number of a channel, which is made if it is new. HD_NONE: there is no such communicator or peer.
 *   comm       index in the definitions; HD_NONE is fine
 *   peer_rank  within the communicator; collectives: 0, as is the tag */
static inline uint32_t
hd_channel_table_number(hd_channel_table *table, hd_channel_kind kind, uint32_t comm, uint32_t peer_rank, uint32_t tag)
{
    uint32_t guess = HD_LIKELY(table->n > 0) ? table->next[table->last[kind]] : HD_NONE;

    if (HD_LIKELY(guess != HD_NONE && hd_channel_is(&table->list[guess], kind, comm, peer_rank, tag)))
        return table->last[kind] = guess;
    return hd_channel_table_find(table, kind, comm, peer_rank, tag);
}

/* Hands the list over; free() it. The table is to be finished then. */
hd_channel *hd_channel_table_take(hd_channel_table *table, uint32_t *n);

#endif
