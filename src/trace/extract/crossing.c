#include "crossing.h"

#include "comm_group.h"
#include "map.h"
#include "memory.h"
#include "status.h"
#include "table.h"

typedef struct channel {
    uint32_t comm, from, to, tag; /* of collectives: to: the member; from: HD_NONE, of what the members have together:
                                   * to is HD_NONE, too */
    uint32_t kind;                /* hd_crossing_kind */
    uint64_t n_sent, n_received;  /* of collectives: ended by the member who ended most; by this one */
} channel;

struct hd_crossing {
    const hd_defs     *defs;
    const hd_ref_maps *refs;
    channel           *channels; /* [n] */
    size_t             n, capacity;
    hd_table           index;
    hd_map             owing; /* process -> channels to it that owe receives */
};

hd_crossing *
hd_crossing_new(const hd_defs *defs, const hd_ref_maps *refs)
{
    hd_crossing *crossing = HD_NEW(hd_crossing);

    crossing->defs = defs;
    crossing->refs = refs;
    hd_table_init(&crossing->index);
    return crossing;
}

void
hd_crossing_free(hd_crossing *crossing)
{
    if (crossing == NULL)
        return;
    hd_table_fini(&crossing->index);
    hd_map_fini(&crossing->owing);
    free(crossing->channels);
    free(crossing);
}

/* Made if it is not there; valid until the next call. */
static channel *
find(hd_crossing *crossing, channel key)
{
    uint64_t hash = hd_hash((uint64_t)key.comm << 32 | key.tag) ^ hd_hash((uint64_t)key.from << 32 | key.to) * 31 ^
                    (uint64_t)key.kind;
    uint32_t i;

    for (; (i = hd_table_get(&crossing->index, hash)) != HD_NONE; hash++) {
        channel *known = &crossing->channels[i];

        if (known->comm == key.comm && known->from == key.from && known->to == key.to && known->tag == key.tag &&
            known->kind == key.kind)
            return known;
    }
    HD_ASSERT(crossing->n < HD_NONE);
    hd_table_add(&crossing->index, hash, (uint32_t)crossing->n);
    HD_PUSH(crossing->channels, crossing->n, crossing->capacity, key);
    return &crossing->channels[crossing->n - 1];
}

/* The process that is meant by a rank in a record of another one; HD_NONE: there is none. */
static uint32_t
peer_of(const hd_defs *defs, const hd_comm *comm, uint32_t process, uint32_t rank)
{
    const hd_comm_group *group = &hd_defs_groups(defs)[comm->group_a];

    if (group->self)
        return process;
    if (comm->group_b != HD_NONE && hd_comm_group_rank(defs, group, process) != HD_NONE)
        group = &hd_defs_groups(defs)[comm->group_b];
    return rank < group->n ? hd_comm_group_member(defs, group, rank) : HD_NONE;
}

/* NULL: it is not known. */
static channel *
message_channel(hd_crossing *crossing, uint32_t process, uint32_t comm_ref, bool is_send, uint32_t peer_rank,
                uint32_t tag)
{
    uint32_t comm = hd_refs_index(&crossing->refs->comms, comm_ref), peer;

    if (comm == HD_NONE || hd_defs_comms(crossing->defs)[comm].group_a == HD_NONE)
        return NULL;
    peer = peer_of(crossing->defs, &hd_defs_comms(crossing->defs)[comm], process, peer_rank);
    if (peer == HD_NONE)
        return NULL;
    return find(crossing, (channel){ .kind = HD_CROSSING_MESSAGE, .comm = comm, .tag = tag,
                                     .from = is_send ? process : peer, .to = is_send ? peer : process });
}

/* member: HD_NONE: of all. NULL: it is not known, or there is one member only. */
static channel *
collective_channel(hd_crossing *crossing, uint32_t member, hd_crossing_kind kind, uint32_t comm_ref)
{
    const hd_defs *defs = crossing->defs;
    uint32_t       comm = hd_refs_index(kind == HD_CROSSING_WINDOW ? &crossing->refs->windows : &crossing->refs->comms,
                                        comm_ref);
    uint32_t       group_a;

    if (comm == HD_NONE)
        return NULL;
    comm += kind == HD_CROSSING_WINDOW ? hd_first_window(defs) : 0;
    group_a = hd_defs_comms(defs)[comm].group_a;
    if (group_a == HD_NONE || hd_defs_groups(defs)[group_a].self)
        return NULL;
    return find(crossing, (channel){ .kind = (uint32_t)kind, .comm = comm, .tag = 0, .from = HD_NONE, .to = member });
}

void
hd_crossing_count_message(hd_crossing *crossing, uint32_t process, uint32_t comm_ref, bool is_send, uint32_t peer,
                          uint32_t tag)
{
    channel *on = message_channel(crossing, process, comm_ref, is_send, peer, tag);

    if (on == NULL)
        return;
    on->n_sent += is_send;
    on->n_received += !is_send;
}

void
hd_crossing_count_collective(hd_crossing *crossing, uint32_t process, hd_crossing_kind kind, uint32_t comm_ref)
{
    channel *on = collective_channel(crossing, process, kind, comm_ref);
    uint64_t n;

    if (on == NULL)
        return;
    n  = ++on->n_received;
    on = collective_channel(crossing, HD_NONE, kind, comm_ref);
    HD_ASSERT(on != NULL);
    on->n_sent = n > on->n_sent ? n : on->n_sent;
}

void
hd_crossing_counted(hd_crossing *crossing)
{
    for (size_t i = 0; i < crossing->n; i++) {
        const channel *on = &crossing->channels[i];
        bool           is_new;

        if (on->kind == HD_CROSSING_MESSAGE && on->n_received < on->n_sent)
            ++*hd_map_add(&crossing->owing, on->to, &is_new);
    }
}

uint64_t
hd_crossing_n_owing(const hd_crossing *crossing, uint32_t process)
{
    const uint64_t *n = hd_map_get(&crossing->owing, process);

    return n != NULL ? *n : 0;
}

uint32_t
hd_crossing_owing_channel(hd_crossing *crossing, uint32_t process, uint32_t comm_ref, uint32_t peer, uint32_t tag)
{
    const channel *on = message_channel(crossing, process, comm_ref, false, peer, tag);

    return on != NULL && on->n_received < on->n_sent ? (uint32_t)(on - crossing->channels) : HD_NONE;
}

uint64_t
hd_crossing_owed(const hd_crossing *crossing, uint32_t number)
{
    return crossing->channels[number].n_sent - crossing->channels[number].n_received;
}

bool
hd_crossing_pay(hd_crossing *crossing, uint32_t number)
{
    channel *on = &crossing->channels[number];

    if (on->n_received >= on->n_sent)
        return false;
    if (++on->n_received == on->n_sent)
        --*hd_map_get(&crossing->owing, on->to);
    return true;
}

bool
hd_crossing_take_collective(hd_crossing *crossing, uint32_t process, hd_crossing_kind kind, uint32_t comm_ref)
{
    channel *all = collective_channel(crossing, HD_NONE, kind, comm_ref), *on;
    uint64_t most;

    if (all == NULL)
        return true;
    most = all->n_sent;
    on   = collective_channel(crossing, process, kind, comm_ref);
    HD_ASSERT(on != NULL);
    if (on->n_received >= most)
        return true;
    on->n_received++;
    return false;
}
