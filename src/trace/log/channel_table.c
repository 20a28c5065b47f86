#include "channel_table.h"

#include "comm_group.h"

void
hd_channel_table_init(hd_channel_table *table, const hd_defs *defs, uint32_t process)
{
    *table = (hd_channel_table){ .defs = defs, .process = process };
    hd_table_init(&table->numbers);
}

void
hd_channel_table_fini(hd_channel_table *table)
{
    free(table->list);
    free(table->next);
    hd_table_fini(&table->numbers);
    hd_map_fini(&table->own_ranks);
}

hd_channel *
hd_channel_table_take(hd_channel_table *table, uint32_t *n)
{
    hd_channel *list = hd_pack(table->list, table->n, sizeof *list);

    *n          = (uint32_t)table->n;
    table->list = NULL;
    table->n    = 0;
    return list;
}

static uint32_t
rank_in_group(const hd_defs *defs, uint32_t group, uint32_t process)
{
    const hd_comm_group *g = &hd_defs_groups(defs)[group];

    return g->self ? 0 : hd_comm_group_rank(defs, g, process);
}

#define SIDE_SHIFT 32

/* This process's rank in a communicator and its side (0, group b: 1) of it; HD_NONE: no member. Looked for once. */
static uint32_t
own_rank(hd_channel_table *table, uint32_t comm_index, uint32_t *side)
{
    const hd_comm *comm = &hd_defs_comms(table->defs)[comm_index];
    bool           is_new;
    uint64_t      *place = hd_map_add(&table->own_ranks, comm_index, &is_new);

    if (is_new) {
        uint32_t rank = rank_in_group(table->defs, comm->group_a, table->process);
        bool     is_b = rank == HD_NONE && comm->group_b != HD_NONE;

        if (is_b)
            rank = rank_in_group(table->defs, comm->group_b, table->process);
        *place = (uint64_t)is_b << SIDE_SHIFT | rank;
    }
    *side = (uint32_t)(*place >> SIDE_SHIFT);
    return (uint32_t)*place;
}

/* Fills what a channel's numbers mean to this process; false: the communicator or peer does not exist. */
static bool
resolve(hd_channel_table *table, hd_channel *channel)
{
    const hd_defs       *defs = table->defs;
    const hd_comm       *comm;
    const hd_comm_group *group;
    uint32_t             own, side;

    if (channel->comm == HD_NONE || hd_defs_comms(defs)[channel->comm].group_a == HD_NONE)
        return false;
    comm = &hd_defs_comms(defs)[channel->comm];
    own  = own_rank(table, channel->comm, &side);
    if (channel->kind == HD_CHANNEL_COLL || channel->kind == HD_CHANNEL_NBC) {
        channel->peer      = side;
        channel->peer_rank = own;
        channel->is_alone  = hd_comm_is_alone(defs, channel->comm);
        return own != HD_NONE;
    }
    group = &hd_defs_groups(defs)[comm->group_b != HD_NONE && side == 0 ? comm->group_b : comm->group_a];
    if (own == HD_NONE || channel->peer_rank >= group->n)
        return false;
    channel->peer = group->self ? table->process : hd_comm_group_member(defs, group, channel->peer_rank);
    return channel->peer != HD_NONE;
}

static uint32_t
look_up(hd_channel_table *table, hd_channel_kind kind, uint32_t comm, uint32_t peer_rank, uint32_t tag)
{
    uint64_t   key = hd_hash((uint64_t)comm << 32 | tag) ^ (uint64_t)peer_rank << 2 ^ (uint64_t)kind;
    hd_channel channel;
    uint32_t   i;

    for (;; key++) {
        i = hd_table_get(&table->numbers, key);
        if (i == HD_NONE)
            break;
        if (hd_channel_is(&table->list[i], kind, comm, peer_rank, tag))
            return i;
    }
    channel = (hd_channel){ .comm = comm, .peer_rank = peer_rank, .tag = tag, .kind = (uint8_t)kind };
    if (!resolve(table, &channel))
        return HD_NONE;
    i = (uint32_t)table->n;
    HD_PUSH(table->list, table->n, table->capacity, channel);
    HD_PUSH(table->next, table->n_next, table->capacity_next, i);
    hd_table_add(&table->numbers, key, i);
    return i;
}

uint32_t
hd_channel_table_find(hd_channel_table *table, hd_channel_kind kind, uint32_t comm, uint32_t peer_rank, uint32_t tag)
{
    uint32_t i = look_up(table, kind, comm, peer_rank, tag);

    if (i == HD_NONE)
        return HD_NONE;
    table->next[table->last[kind]] = i;
    table->last[kind]              = i;
    return i;
}
