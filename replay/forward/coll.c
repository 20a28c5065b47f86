#include "coll.h"

#include "coll_class.h"
#include "comm_group.h"
#include "comm_members.h"
#include "rma_fence.h"
#include "sync_notify.h"
#include "unattributed.h"

/* The combined values of the members so far; a side is a group of an inter-communicator, others have only side 0. */

typedef struct coll_side {
    hd_time  latest, latest_sender; /* begins */
    uint32_t n, n_senders;
    uint32_t latest_rank, latest_sender_rank; /* the lowest among equals */
} coll_side;

typedef struct coll_value {
    coll_side sides[2];
    hd_time   earliest_end; /* round 0: of all; then of those who synchronise */
    hd_time   root_begin;
    hd_time   earliest_receiver; /* begin; of members but the root */
    uint64_t  root_bytes;   /* 1-to-N: sent by the root; N-to-1: received */
    uint64_t  most_bytes;   /* sent or received by any member */
    uint32_t  n_roots, root_low, root_high;
    uint32_t  operation_low, operation_high;
    uint32_t  n_not_exchanging; /* members that do not both send and receive */
    uint32_t  round;            /* 0: collecting, 1: collecting earliest_end of those who synchronise, 2: decided */
    uint32_t  n_steps;
} coll_value;

/* Prefix reductions: from this rank on, the latest begin of a sender is at least this. N-to-N that overlaps in part, second
 * round: the ranks that synchronise. Fences: so many deposits have been left with this host. */
typedef struct coll_step {
    union {
        hd_time  begin;
        uint64_t n_deposits;
    };
    union {
        uint32_t rank, host;
    };
    uint32_t unused;
} coll_step;

typedef struct coll_item {
    uint32_t   comm, is_nbc, number, unused;
    coll_value value; /* n_steps coll_step follow */
} coll_item;

/* How long members waited, of a host and those below it: at most one instance for each metric that a collective has. */
enum { MOST_PARTS = 3 };

typedef struct hd_coll_waits {
    uint32_t    n_missing; /* this host and those below */
    uint32_t    n;
    hd_instance parts[MOST_PARTS];
} hd_coll_waits;

typedef struct coll_waits_item {
    uint32_t comm, number, n, unused; /* n hd_instance follow */
} coll_waits_item;

typedef struct coll_deposit_item {
    uint32_t       comm, number;
    hd_rma_deposit deposit;
} coll_deposit_item;

typedef struct coll_member {
    hd_time      begin, end;
    hd_time      enter, leave; /* of its call; for a non-blocking one, of the call that completes it */
    hd_agent    *agent;
    hd_nbc_call *nbc_call;  /* NULL: blocking */
    uint32_t     node;      /* call path of the location */
    uint32_t     rank;
    uint32_t     nbc_number;
    uint32_t     order;     /* of its record */
    uint8_t      side;
    bool         sends, receives, is_root, is_test, is_absent;
} coll_member;

typedef struct coll_instance {
    struct coll_instance *next_free;
    coll_value   value;
    coll_step   *steps; /* [value.n_steps] ascending in rank and begin */
    size_t       capacity_steps;
    uint32_t     comm;
    uint32_t     list;      /* index in the host's lists, HD_NONE: not made */
    uint32_t     n_missing; /* contributions: members of this host and hosts below */
    uint32_t     n_members;
    hd_rma_deposits deposits; /* fences: at members of this host, and of them */
    uint32_t     n_deposits;  /* that have come */
    bool         is_decided;
    coll_member  members[]; /* [state->tree.n_members] */
} coll_instance;

typedef struct coll_state { /* a communicator on a host */
    hd_tree        tree;
    coll_instance *free_list;
    uint32_t       number; /* of the state on its host */
    uint32_t       comm;
    bool           is_nbc, is_inter;
} coll_state;

static void
make_tree(hd_replay_host *rh, hd_host *host, coll_state *state)
{
    const hd_defs      *defs    = rh->replay->defs;
    const hd_comm      *comm    = state->comm < defs->n_comms ? &hd_defs_comms(defs)[state->comm] : NULL;
    const hd_placement *place   = rh->replay->request->placement;
    uint32_t            n       = defs->n_mpi_processes, *members;

    if (comm == NULL) {
        members = HD_NEW_ARRAY(uint32_t, n);
        for (uint32_t i = 0; i < n; i++)
            members[i] = i;
    } else {
        const hd_comm_group *a = &hd_defs_groups(defs)[comm->group_a];
        const hd_comm_group *b = comm->group_b != HD_NONE ? &hd_defs_groups(defs)[comm->group_b] : NULL;

        n       = a->n + (b != NULL ? b->n : 0);
        members = HD_NEW_ARRAY(uint32_t, n);
        hd_comm_group_read(defs, a, members);
        if (b != NULL)
            hd_comm_group_read(defs, b, members + a->n);
        state->is_inter = b != NULL;
    }
    hd_tree_init(&state->tree, &rh->scratch, place, hd_host_number(host), members, n);
    free(members);
}

static coll_state *
state_of(hd_replay_host *rh, hd_host *host, uint32_t comm, bool is_nbc)
{
    bool        is_new;
    uint64_t   *place = hd_map_add(&rh->coll_states, (uint64_t)comm * 2 + is_nbc, &is_new);
    coll_state *state;

    if (is_new) {
        state         = HD_NEW(coll_state);
        state->comm   = comm;
        state->is_nbc = is_nbc;
        state->number = rh->n_coll_states++;
        *place        = (uint64_t)(uintptr_t)state;
        make_tree(rh, host, state);
    }
    return (coll_state *)(uintptr_t)*place;
}

static coll_instance *
instance_of(hd_replay_host *rh, coll_state *state, uint32_t number)
{
    bool           is_new;
    uint64_t      *place = hd_map_add(&rh->instances, (uint64_t)state->number << 32 | number, &is_new);
    coll_instance *instance;

    if (!is_new)
        return (coll_instance *)(uintptr_t)*place;
    instance = state->free_list;
    if (instance != NULL)
        state->free_list = instance->next_free;
    else
        instance = hd_alloc(1, sizeof *instance + state->tree.n_members * sizeof(coll_member));
    instance->value     = (coll_value){ .earliest_end = UINT64_MAX, .earliest_receiver = UINT64_MAX, .root_low = HD_NONE,
                                        .operation_low = HD_NONE };
    instance->comm      = state->comm;
    instance->list      = HD_NONE;
    instance->n_members = 0;
    instance->n_deposits = 0;
    instance->deposits.n = 0;
    instance->is_decided = false;
    instance->n_missing = state->tree.n_members + state->tree.n_children;
    *place              = (uint64_t)(uintptr_t)instance;
    return instance;
}

static void
end_instance(hd_replay_host *rh, coll_state *state, coll_instance *instance, uint32_t number)
{
    hd_map_remove(&rh->instances, (uint64_t)state->number << 32 | number);
    instance->next_free = state->free_list;
    state->free_list    = instance;
}

static void
merge_sides(coll_side *into, const coll_side *from)
{
    if (from->n > 0 && (into->n == 0 || from->latest > into->latest ||
                        (from->latest == into->latest && from->latest_rank < into->latest_rank))) {
        into->latest      = from->latest;
        into->latest_rank = from->latest_rank;
    }
    into->n += from->n;
    if (from->n_senders > 0 &&
        (into->n_senders == 0 || from->latest_sender > into->latest_sender ||
         (from->latest_sender == into->latest_sender && from->latest_sender_rank < into->latest_sender_rank))) {
        into->latest_sender      = from->latest_sender;
        into->latest_sender_rank = from->latest_sender_rank;
    }
    into->n_senders += from->n_senders;
}

/* The steps of both, of which only those stay that rise above all of lower rank. */
static void
merge_steps(coll_instance *into, const coll_step *from, uint32_t n_from)
{
    uint32_t   n = into->value.n_steps, i = 0, j = 0, n_kept = 0;
    coll_step *old;

    if (n_from == 0)
        return;
    if (n_from == 1 && (n == 0 || from->rank > into->steps[n - 1].rank)) { /* members come in the order of their ranks, mostly */
        if (n > 0 && from->begin <= into->steps[n - 1].begin)
            return;
        if (into->capacity_steps == n)
            into->steps = hd_grow(into->steps, n, &into->capacity_steps, sizeof *into->steps);
        into->steps[into->value.n_steps++] = *from;
        return;
    }
    old = HD_NEW_ARRAY(coll_step, n);
    if (n > 0)
        memcpy(old, into->steps, n * sizeof *old);
    while (into->capacity_steps < (size_t)n + n_from)
        into->steps = hd_grow(into->steps, into->capacity_steps, &into->capacity_steps, sizeof *into->steps);
    while (i < n || j < n_from) {
        coll_step next = j == n_from || (i < n && old[i].rank <= from[j].rank) ? old[i++] : from[j++];

        if (n_kept == 0 || next.begin > into->steps[n_kept - 1].begin)
            into->steps[n_kept++] = next;
    }
    into->value.n_steps = n_kept;
    free(old);
}

/* Numbers of deposits are added up. */
static void
merge_counts(coll_instance *into, const coll_step *from, uint32_t n_from)
{
    uint32_t n = into->value.n_steps;

    while (into->capacity_steps < (size_t)n + n_from)
        into->steps = hd_grow(into->steps, into->capacity_steps, &into->capacity_steps, sizeof *into->steps);
    for (uint32_t j = 0; j < n_from; j++) {
        uint32_t low = 0, high = n;

        while (low < high) {
            uint32_t middle = (low + high) / 2;

            if (into->steps[middle].host < from[j].host)
                low = middle + 1;
            else
                high = middle;
        }
        if (low == n || into->steps[low].host != from[j].host) {
            memmove(&into->steps[low + 1], &into->steps[low], (n - low) * sizeof *from);
            into->steps[low] = (coll_step){ .host = from[j].host };
            n++;
        }
        into->steps[low].n_deposits += from[j].n_deposits;
    }
    into->value.n_steps = n;
}

static void
merge_value(coll_instance *instance, const coll_value *from, const coll_step *steps)
{
    coll_value *into = &instance->value;

    if (hd_coll_class_of(from->operation_low) == HD_COLL_FENCE)
        merge_counts(instance, steps, from->n_steps);
    else
        merge_steps(instance, steps, from->n_steps);
    into->earliest_end = hd_time_min(into->earliest_end, from->earliest_end);
    if (into->round == 1)
        return;
    into->earliest_receiver = hd_time_min(into->earliest_receiver, from->earliest_receiver);
    merge_sides(&into->sides[0], &from->sides[0]);
    merge_sides(&into->sides[1], &from->sides[1]);
    if (from->n_roots > 0) {
        into->root_begin = from->root_begin;
        into->root_bytes = from->root_bytes;
    }
    into->n_roots += from->n_roots;
    into->most_bytes     = from->most_bytes > into->most_bytes ? from->most_bytes : into->most_bytes;
    into->root_low       = from->root_low < into->root_low ? from->root_low : into->root_low;
    into->root_high      = from->root_high > into->root_high ? from->root_high : into->root_high;
    into->operation_low  = from->operation_low < into->operation_low ? from->operation_low : into->operation_low;
    into->operation_high = from->operation_high > into->operation_high ? from->operation_high : into->operation_high;
    into->n_not_exchanging += from->n_not_exchanging;
}

static bool
is_rooted(hd_coll_class c)
{
    return c == HD_COLL_1TON || c == HD_COLL_NTO1 || c == HD_COLL_SHMEM_1TON;
}

static bool
is_mixed(const coll_state *state, const coll_value *value)
{
    if (value->operation_low != value->operation_high)
        return true;
    if (!is_rooted(hd_coll_class_of(value->operation_low)))
        return false;
    return value->n_roots != 1 || (!state->is_inter && value->root_low != value->root_high);
}

static bool
overlaps_fully(const coll_value *value)
{
    return value->earliest_end > hd_time_max(value->sides[0].latest, value->sides[1].latest);
}

/* Sends the value up or down. */
static void
send_value(hd_host *host, const coll_state *state, const coll_instance *instance, uint32_t number, uint32_t destination,
           uint32_t kind)
{
    coll_item item = { .comm = state->comm, .is_nbc = state->is_nbc, .number = number, .value = instance->value };

    hd_host_send(host, destination, kind, &item, sizeof item, instance->steps,
                 instance->value.n_steps * (uint32_t)sizeof(coll_step));
}

/* In an N-to-N that overlaps only in part: the receivers wait for the latest of those who send to them. */
static bool
waits_for_sender(const coll_state *state, const coll_value *value, const coll_member *member)
{
    const coll_side *to_it = &value->sides[state->is_inter ? 1 - member->side : 0];

    return member->receives && to_it->n_senders > 0 && member->begin < to_it->latest_sender;
}

static bool
is_latest_sender(const coll_value *value, const coll_member *member)
{
    const coll_side *own = &value->sides[member->side];

    return member->sends && own->n_senders > 0 && own->latest_sender_rank == member->rank;
}

/* There, those who wait synchronise with the latest sender. */
static bool
synchronises(const coll_state *state, const coll_value *value, const coll_member *member)
{
    return waits_for_sender(state, value, member) || is_latest_sender(value, member);
}

static bool
waits_for_root(const coll_value *value, const coll_member *member)
{
    return (member->receives || hd_coll_class_of(value->operation_low) == HD_COLL_SHMEM_1TON) && !member->is_root && member->begin < value->root_begin;
}

static bool
anyone_waits_for_root(const coll_value *value)
{
    return (value->root_bytes > 0 || hd_coll_class_of(value->operation_low) == HD_COLL_SHMEM_1TON) && value->earliest_receiver < value->root_begin;
}

/* N-to-1. other: the senders' side. */
static bool
root_waits(const coll_value *value, const coll_side *other)
{
    return value->root_bytes > 0 && other->n_senders > 0 && value->root_begin < other->latest_sender;
}

/* Whose end counts in the second round. */
static bool
counts_in_second_round(const coll_state *state, const coll_value *value, const coll_member *member)
{
    switch (hd_coll_class_of(value->operation_low)) {
    case HD_COLL_1TON:
        return waits_for_root(value, member);
    case HD_COLL_NTO1:
        return member->is_root || is_latest_sender(value, member);
    case HD_COLL_SHMEM_1TON:
        return member->is_root || waits_for_root(value, member);
    default:
        return synchronises(state, value, member);
    }
}

/* A second round asks for the earliest end of those who synchronise, where that is not known from the first one. */
static bool
needs_second_round(const hd_replay *replay, const coll_state *state, const coll_value *value)
{
    bool is_nbc = state->is_nbc || !replay->request->delays;

    switch (hd_coll_class_of(value->operation_low)) {
    case HD_COLL_NXN:
        return value->most_bytes > 0 && !overlaps_fully(value);
    case HD_COLL_1TON:
    case HD_COLL_SHMEM_1TON: /* who it is */
        return !is_nbc && anyone_waits_for_root(value);
    case HD_COLL_NTO1:
        return !is_nbc && !state->is_inter && root_waits(value, &value->sides[0]);
    default:
        return false;
    }
}

/* What a member waits for, and from when on it completes: filled by wait_of(). */
typedef struct coll_wait {
    hd_time until;
    hd_time first_end;  /* earliest end of those who synchronise; UINT64_MAX: no completion time */
    bool    synchronises;
    uint32_t rank;      /* prefix reductions: of the member that this one waits for */
} coll_wait;

static coll_wait
wait_of(const hd_replay *replay, const coll_state *state, const coll_instance *instance, const coll_member *member)
{
    const coll_value *value = &instance->value;
    const coll_side  *other = &value->sides[state->is_inter ? 1 - member->side : 0];
    coll_wait         wait  = { .first_end = UINT64_MAX };

    switch (hd_coll_class_of(value->operation_low)) {
    case HD_COLL_BARRIER:
        wait = (coll_wait){ other->latest, value->earliest_end, true, 0 };
        break;
    case HD_COLL_NXN:
        if (value->most_bytes == 0)
            break;
        if (value->round == 2) /* partial overlap: earliest_end is that of the second round */
            wait = (coll_wait){ waits_for_sender(state, value, member) ? other->latest_sender : member->begin,
                                value->earliest_end, synchronises(state, value, member), 0 };
        else
            wait = (coll_wait){ other->latest, value->earliest_end, true, 0 };
        break;
    case HD_COLL_EXCHANGE:
        if (!replay->compat && value->n_not_exchanging == 0 && overlaps_fully(value))
            wait = (coll_wait){ other->latest, value->earliest_end, true, 0 };
        break;
    case HD_COLL_1TON:
        if (value->root_bytes > 0)
            wait = (coll_wait){ value->root_begin, value->round == 2 ? value->earliest_end : UINT64_MAX,
                                waits_for_root(value, member) || (member->is_root && anyone_waits_for_root(value)), 0 };
        break;
    case HD_COLL_NTO1:
        if ((member->is_root && root_waits(value, other)) ||
            (!state->is_inter && is_latest_sender(value, member) && root_waits(value, other)))
            wait = (coll_wait){ other->latest_sender, value->round == 2 ? value->earliest_end : UINT64_MAX, true, 0 };
        break;
    case HD_COLL_SCAN: {
        uint32_t low = 0, high = value->n_steps;

        if (!(member->sends || member->receives))
            break;
        while (low < high) { /* the first step of a higher rank */
            uint32_t middle = (low + high) / 2;

            if (instance->steps[middle].rank <= member->rank)
                low = middle + 1;
            else
                high = middle;
        }
        if (low > 0)
            wait = (coll_wait){ instance->steps[low - 1].begin, UINT64_MAX, instance->steps[low - 1].begin > member->begin,
                                instance->steps[low - 1].rank };
        break;
    }
    case HD_COLL_CREATE:
    case HD_COLL_FREE:
    case HD_COLL_FENCE:
        if (overlaps_fully(value))
            wait = (coll_wait){ other->latest, value->earliest_end, true, 0 };
        break;
    case HD_COLL_SHMEM_BARRIER:
    case HD_COLL_SHMEM_NXN:
        wait = (coll_wait){ other->latest, value->earliest_end, true, 0 };
        break;
    case HD_COLL_SHMEM_1TON:
        wait = (coll_wait){ value->root_begin, UINT64_MAX,
                            waits_for_root(value, member) || (member->is_root && anyone_waits_for_root(value)), 0 };
        break;
    case HD_COLL_NONE:
        break;
    }
    return wait;
}

static const struct {
    hd_metric wait, completion, nbc;
    hd_delay  delay;
} class_metrics[] = {
    [HD_COLL_BARRIER]  = { HD_METRIC_mpi_barrier_wait, HD_METRIC_mpi_barrier_completion, HD_METRIC_mpi_nbc_barrier_wait,
                         HD_DELAY_BARRIER },
    [HD_COLL_NXN]      = { HD_METRIC_mpi_wait_nxn, HD_METRIC_mpi_nxn_completion, HD_METRIC_mpi_nbc_wait_nxn, HD_DELAY_N2N },
    [HD_COLL_EXCHANGE] = { HD_METRIC_mpi_wait_nxn, HD_METRIC_mpi_nxn_completion, HD_METRIC_mpi_nbc_wait_nxn, HD_DELAY_N2N },
    [HD_COLL_1TON]     = { HD_METRIC_mpi_latebroadcast, HD_N_METRICS, HD_METRIC_mpi_nbc_latebroadcast, HD_DELAY_12N },
    [HD_COLL_NTO1]     = { HD_METRIC_mpi_earlyreduce, HD_N_METRICS, HD_METRIC_mpi_nbc_earlyreduce, HD_DELAY_N21 },
    [HD_COLL_CREATE]   = { HD_METRIC_mpi_rma_wait_at_create, HD_N_METRICS, HD_N_METRICS, HD_DELAY_RMA },
    [HD_COLL_FREE]     = { HD_METRIC_mpi_rma_wait_at_free, HD_N_METRICS, HD_N_METRICS, HD_DELAY_RMA },
    [HD_COLL_FENCE]    = { HD_METRIC_mpi_rma_wait_at_fence, HD_N_METRICS, HD_N_METRICS, HD_DELAY_RMA },
    [HD_COLL_SHMEM_BARRIER] = { HD_METRIC_shmem_barrier_wait, HD_N_METRICS, HD_N_METRICS, HD_DELAY_RMA },
    [HD_COLL_SHMEM_1TON]    = { HD_METRIC_shmem_latebroadcast, HD_N_METRICS, HD_N_METRICS, HD_DELAY_RMA },
    [HD_COLL_SHMEM_NXN]     = { HD_METRIC_shmem_wait_nxn, HD_N_METRICS, HD_N_METRICS, HD_DELAY_RMA },
    [HD_COLL_SCAN]     = { HD_METRIC_mpi_earlyscan, HD_N_METRICS, HD_METRIC_mpi_nbc_earlyscan, HD_DELAY_SCAN },
};

/* ---- statistics: the instance is the operation, with all its members -------------------------------------------------------------- */

static void
add_part(hd_instance *parts, uint32_t *n, const hd_instance *part)
{
    uint32_t i = 0;

    while (i < *n && parts[i].metric != part->metric)
        i++;
    HD_ASSERT(i < MOST_PARTS);
    if (i == *n)
        parts[(*n)++].n_waiters = 0;
    hd_instance_add_part(&parts[i], part);
}

/* Of a member, in the operation at hand. */
static void
note_part(hd_replay_host *rh, const coll_member *member, const hd_wait *wait)
{
    hd_instance part;

    if (wait->time <= 0 || hd_node_is_outside(rh->replay, wait->node))
        return;
    part = hd_agent_instance(member->agent, wait);
    add_part(rh->parts, &rh->n_parts, &part);
}

static __attribute__((noinline)) void
note_parts_of_fence(hd_replay_host *rh, const coll_member *member, const hd_rma_fence_waits *waits, uint32_t latest, bool overlaps)
{
    hd_wait wait = { .metric = HD_METRIC_mpi_rma_wait_at_fence, .node = member->node, .enter = member->enter, .leave = member->leave,
                     .from = overlaps ? member->begin : member->enter, .time = waits->waiting, .peer = latest };

    if (!overlaps) {
        wait.peer        = waits->peer;
        wait.peer_thread = waits->peer_thread;
    }
    note_part(rh, member, &wait);
    wait.metric      = HD_METRIC_mpi_rma_early_fence;
    wait.from        = member->enter;
    wait.time        = waits->early;
    wait.peer        = waits->peer;
    wait.peer_thread = waits->peer_thread;
    note_part(rh, member, &wait);
}

/* Members of this host, or of one below and those below it: goes up the communicator's tree once all are there, and counts at its root. */
static void
sum_up_parts(hd_replay_host *rh, hd_host *host, const coll_state *state, uint32_t number, const hd_instance *parts, uint32_t n)
{
    uint64_t        key  = (uint64_t)state->number << 32 | number;
    coll_waits_item item = { .comm = state->comm, .number = number };
    bool            is_new;
    uint64_t       *place = hd_map_add(&rh->part_sums, key, &is_new);
    hd_coll_waits  *all;

    if (is_new) {
        if (rh->part_pool.element_bytes == 0)
            hd_pool_init(&rh->part_pool, sizeof(hd_coll_waits));
        all            = hd_pool_take(&rh->part_pool);
        all->n         = 0;
        all->n_missing = state->tree.n_children + 1;
        *place         = (uint64_t)(uintptr_t)all;
    }
    all = (hd_coll_waits *)(uintptr_t)*place;
    for (uint32_t i = 0; i < n; i++)
        add_part(all->parts, &all->n, &parts[i]);
    if (--all->n_missing > 0)
        return;
    item.n = all->n;
    if (state->tree.parent != HD_NONE)
        hd_host_send(host, state->tree.parent, HD_ITEM_COLL_WAITS, &item, sizeof item, all->parts, all->n * (uint32_t)sizeof(hd_instance));
    for (uint32_t i = 0; i < all->n && state->tree.parent == HD_NONE; i++)
        hd_instance_table_add(rh->statistics, &all->parts[i]);
    hd_map_remove(&rh->part_sums, key);
    hd_pool_put(&rh->part_pool, all);
}

static void
begin_parts(hd_replay_host *rh)
{
    if (rh->parts == NULL)
        rh->parts = HD_NEW_ARRAY(hd_instance, MOST_PARTS);
    rh->n_parts = 0;
}

static void
end_parts(hd_replay_host *rh, hd_host *host, const coll_state *state, uint32_t number)
{
    if (state->tree.parent == HD_NONE && state->tree.n_children == 0)
        for (uint32_t i = 0; i < rh->n_parts; i++)
            hd_instance_table_add(rh->statistics, &rh->parts[i]);
    else
        sum_up_parts(rh, host, state, number, rh->parts, rh->n_parts);
}

/* Whom a member waits for, HD_NONE: the archive does not tell. */
static uint32_t
awaited_process(hd_replay_host *rh, const coll_state *state, const coll_instance *instance, const coll_member *member, const coll_wait *wait)
{
    const hd_defs    *defs  = rh->replay->defs;
    const coll_value *value = &instance->value;
    uint32_t          side  = state->is_inter ? 1 - member->side : 0, rank;

    switch (hd_coll_class_of(value->operation_low)) {
    case HD_COLL_1TON:
    case HD_COLL_SHMEM_1TON:
        rank = value->root_low;
        break;
    case HD_COLL_NTO1:
        rank = value->sides[side].latest_sender_rank;
        break;
    case HD_COLL_SCAN:
        rank = wait->rank;
        break;
    default:
        rank = value->round == 2 ? value->sides[side].latest_sender_rank : value->sides[side].latest_rank;
        break;
    }
    if (state->comm >= defs->n_comms)
        return rank;
    if (side == 0)
        return hd_comm_member(rh, state->comm, rank);
    return hd_comm_group_member(defs, &hd_defs_groups(defs)[hd_defs_comms(defs)[state->comm].group_b], rank);
}

/* ---- booking ------------------------------------------------------------------------------------------------------------------- */

/* A wait of a kind that is no meeting: the delayer is told. */
static void
mark_waited(hd_replay_host *rh, hd_host *host, hd_agent *agent, const hd_sync *sync, hd_sync_group group)
{
    hd_syncs_add_group(&agent->syncs, sync, group);
    hd_sync_wait_for_root(rh, host, agent, sync->peer, group);
}

static void
put_back_nbc_call(hd_replay_host *rh, hd_host *host, hd_nbc_call *call)
{
    if (--call->n_open > 0)
        return;
    if (call->wait > 0 && call->group.delayer != HD_NONE)
        mark_waited(rh, host, call->agent, &call->sync, call->group);
    else if (call->wait > 0 && rh->replay->request->delays)
        hd_charge_unattributed(rh, call->agent, HD_DELAY_NBC, hd_agent_call_path(call->agent, call->sync.call_path),
                                 (double)call->wait);
    if (HD_UNLIKELY(rh->statistics != NULL)) {
        hd_wait wait = { .metric = HD_METRIC_mpi_nbc_wait, .node = call->sync.call_path, .enter = call->sync.enter, .leave = call->leave,
                         .from = call->sync.enter, .time = call->wait, .peer = call->peer };

        hd_agent_note(rh, call->agent, &wait);
        wait.metric = call->metric;
        hd_agent_note(rh, call->agent, &wait);
    }
    hd_pool_put(&rh->nbc_calls, call);
}

/* Of several collectives that one call completes, the longest wait counts: it takes the place of the one booked so far. */
static void
book_nbc(hd_replay_host *rh, hd_host *host, const coll_member *member, hd_metric metric, hd_span wait, const hd_sync *sync,
         hd_sync_group group, uint32_t peer)
{
    hd_nbc_call *call = member->nbc_call;

    if (wait > call->wait || (wait > 0 && wait == call->wait && member->nbc_number < call->number)) {
        if (call->wait > 0) {
            hd_severity_add(&member->agent->severities, HD_METRIC_mpi_nbc_wait, member->node, -call->wait);
            hd_severity_add(&member->agent->severities, call->metric, member->node, -call->wait);
        }
        *call = (hd_nbc_call){ wait, metric, member->nbc_number, call->n_open, peer, member->leave, *sync, group, member->agent };
        hd_severity_add(&member->agent->severities, HD_METRIC_mpi_nbc_wait, member->node, wait);
        hd_severity_add(&member->agent->severities, metric, member->node, wait);
    }
    put_back_nbc_call(rh, host, call);
}

static void
book_init_or_finalize(const hd_replay_host *rh, const coll_member *member, uint32_t operation, hd_span wait, hd_span completion)
{
    if (rh->replay->goes_back)
        hd_syncs_add(&member->agent->syncs,
                     &(hd_sync){ .kind  = operation == HD_OPERATION_INIT ? HD_SYNC_INIT : HD_SYNC_FINALIZE,
                                 .delay = HD_DELAY_NONE, .enter = member->begin, .call_path = member->node,
                                 .wait  = operation == HD_OPERATION_INIT ? 0 : wait,
                                 .pruned = hd_span_between(member->begin, member->end) - completion,
                                 .peer = HD_SYNC_ALL, .order = member->order });
    if (operation == HD_OPERATION_INIT && completion > 0)
        hd_severity_add(&member->agent->severities, HD_METRIC_mpi_init_completion, member->node, completion);
    if (operation == HD_OPERATION_FINALIZE && wait > 0)
        hd_severity_add(&member->agent->severities, HD_METRIC_mpi_finalize_wait, member->node, wait);
}

/* Rank within the communicator of the member that the others waited for. */
static uint32_t
delayer_rank(const coll_value *value)
{
    switch (hd_coll_class_of(value->operation_low)) {
    case HD_COLL_1TON:
    case HD_COLL_SHMEM_1TON:
        return value->root_low;
    case HD_COLL_NTO1:
        return value->sides[0].latest_sender_rank;
    default:
        return value->round == 2 ? value->sides[0].latest_sender_rank : value->sides[0].latest_rank;
    }
}

/* The ranks that synchronise, where that are not all: known after the second round. Once per instance and host. */
static uint32_t
keep_list(hd_replay_host *rh, const coll_state *state, coll_instance *instance)
{
    if (instance->list == HD_NONE) {
        hd_process_list *list = hd_scratch_alloc(rh->replay->scratch, 1,
                                                 sizeof *list + instance->value.n_steps * sizeof *list->processes);

        for (uint32_t i = 0; i < instance->value.n_steps; i++)
            list->processes[list->n++] = hd_comm_member(rh, state->comm, instance->steps[i].rank);
        instance->list = (uint32_t)rh->n_lists;
        HD_SCRATCH_PUSH(rh->replay->scratch, rh->lists, rh->n_lists, rh->capacity_lists, list);
    }
    return instance->list;
}

/* Ticks until it was there; more than fit are as many as do. */
static uint32_t
begin_in_call(const coll_member *member)
{
    hd_span span = hd_span_between(member->enter, member->begin);

    return span < (hd_span)HD_NONE ? (uint32_t)span : HD_NONE;
}

static void
mark_member(hd_replay_host *rh, hd_host *host, const coll_state *state, coll_instance *instance, const coll_member *member,
            uint32_t number, hd_span waiting, hd_span completion)
{
    hd_coll_class       c       = hd_coll_class_of(instance->value.operation_low);
    hd_sync          sync    = { .kind = HD_SYNC_COLL, .delay = (uint8_t)class_metrics[c].delay, .enter = member->enter,
                                 .wait = waiting, .call_path = member->node, .order = member->order, .peer = state->comm,
                                 .pruned = hd_span_between(member->enter, member->leave) - completion };
    hd_sync_group    group   = { .number = number, .list = HD_NONE,
                               .delayer = hd_comm_member(rh, state->comm, delayer_rank(&instance->value)) };

    if ((c == HD_COLL_NXN || c == HD_COLL_SHMEM_1TON) && instance->value.round == 2)
        group.list = keep_list(rh, state, instance);
    if (c == HD_COLL_NTO1)
        group.root = hd_comm_member(rh, state->comm, instance->value.root_low);
    if (sync.delay == HD_DELAY_RMA)
        group.offset = begin_in_call(member);
    hd_syncs_add_group(&member->agent->syncs, &sync, group);
    if (c == HD_COLL_1TON && !member->is_root)
        hd_sync_wait_for_root(rh, host, member->agent, state->comm, group);
}

/* Whether a member of a prefix reduction is the latest so far: others may wait for it. */
static bool
is_step(const coll_instance *instance, const coll_member *member)
{
    uint32_t low = 0, high = instance->value.n_steps;

    while (low < high) {
        uint32_t middle = (low + high) / 2;

        if (instance->steps[middle].rank < member->rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low < instance->value.n_steps && instance->steps[low].rank == member->rank;
}

static void
mark_scan(hd_replay_host *rh, hd_host *host, const coll_state *state, const coll_instance *instance, const coll_member *member,
          uint32_t number, hd_span waiting, const coll_wait *wait)
{
    hd_sync       sync  = { .kind = HD_SYNC_AWAITED, .delay = HD_DELAY_NONE, .enter = member->enter, .call_path = member->node,
                            .order = member->order, .peer = state->comm, .pruned = hd_span_between(member->enter, member->leave) };
    hd_sync_group group = { .number = number, .delayer = member->agent->process_id, .list = HD_NONE };

    if (!rh->replay->request->delays || rh->replay->compat || state->is_inter)
        return;
    if (is_step(instance, member))
        hd_syncs_add_group(&member->agent->syncs, &sync, group);
    if (waiting <= 0)
        return;
    sync.kind     = HD_SYNC_WAITED;
    sync.delay    = HD_DELAY_SCAN;
    sync.wait     = waiting;
    group.delayer = hd_comm_member(rh, state->comm, wait->rank);
    mark_waited(rh, host, member->agent, &sync, group);
}

/* The thread that started a non-blocking collective, which another one may complete. */
static hd_agent *
started_by(const hd_replay_host *rh, const coll_member *member)
{
    uint32_t thread = member->agent->location->log.nbcs[member->nbc_number].thread;

    return thread == HD_NONE ? member->agent : hd_replay_agent(rh->replay, member->agent->process_id, thread);
}

/* Of a non-blocking collective: the member started it at `begin` and completes it in the call at hand. */
static void
book_nbc_member(hd_replay_host *rh, hd_host *host, const coll_state *state, const coll_instance *instance,
                const coll_member *member, uint32_t number, hd_span waiting, const coll_wait *wait)
{
    hd_coll_class    c       = hd_coll_class_of(instance->value.operation_low);
    bool          is_scan = c == HD_COLL_SCAN;
    uint32_t      rank    = is_scan ? wait->rank : delayer_rank(&instance->value);
    hd_sync       sync    = { .kind = HD_SYNC_WAITED, .delay = HD_DELAY_NBC, .enter = member->enter, .call_path = member->node,
                              .order = member->order, .peer = state->comm | HD_SYNC_NBC, .wait = waiting,
                              .pruned = hd_span_between(member->enter, member->leave) };
    hd_sync       awaited = { .kind = HD_SYNC_AWAITED, .delay = HD_DELAY_NONE, .enter = member->begin,
                              .peer = state->comm | HD_SYNC_NBC };
    hd_sync_group group   = { .number = number, .delayer = HD_NONE, .list = HD_NONE };
    uint32_t      peer    = HD_NONE;

    if (HD_UNLIKELY(rh->statistics != NULL) && waiting > 0)
        peer = awaited_process(rh, state, instance, member, wait);
    if (rh->replay->request->delays && !state->is_inter && c != HD_COLL_NONE) {
        if (is_scan ? is_step(instance, member) : member->rank == rank)
            hd_syncs_add_group(&started_by(rh, member)->syncs, &awaited,
                               (hd_sync_group){ .number = number, .delayer = member->agent->process_id, .list = HD_NONE });
        if (waiting > 0)
            group.delayer = hd_comm_member(rh, state->comm, rank);
    }
    book_nbc(rh, host, member, class_metrics[c].nbc, waiting, &sync, group, peer);
}

static hd_rma_fence_waits
book_fence(hd_replay_host *rh, hd_host *host, const coll_state *state, const coll_instance *instance, const coll_member *member,
           hd_span waiting, bool overlaps)
{
    hd_rma_fence fence = { .agent = member->agent, .call = { .enter = member->enter, .leave = member->leave, .call_path = member->node },
                           .end = member->end, .order = member->order, .n_processes = hd_comm_size(rh, state->comm),
                           .waiting = waiting, .overlaps = overlaps };

    return hd_rma_book_fence(rh, host, &fence, &instance->deposits);
}

/* What a member waited, and how long it took to complete, of other operations than fences. */
static __attribute__((noinline)) void
note_member(hd_replay_host *rh, const coll_state *state, const coll_instance *instance, const coll_member *member, const coll_wait *wait,
            hd_span waiting, hd_span completion)
{
    uint32_t   operation = instance->value.operation_low;
    hd_coll_class c         = hd_coll_class_of(operation);
    hd_wait    note      = { .metric = class_metrics[c].wait, .node = member->node, .enter = member->enter, .leave = member->leave,
                             .from = member->begin, .time = waiting, .peer = HD_NONE };

    if (operation == HD_OPERATION_INIT || operation == HD_OPERATION_FINALIZE) {
        note.metric = HD_METRIC_mpi_finalize_wait;
        note.enter  = member->begin;
        note.leave  = member->end;
    }
    if (waiting > 0 && operation != HD_OPERATION_INIT) {
        note.peer = awaited_process(rh, state, instance, member, wait);
        note_part(rh, member, &note);
    }
    note.metric = operation == HD_OPERATION_INIT ? HD_METRIC_mpi_init_completion : class_metrics[c].completion;
    if (note.metric == HD_N_METRICS || operation == HD_OPERATION_FINALIZE)
        return;
    note.peer = HD_NONE;
    note.time = completion;
    note.from = member->end - (hd_time)completion;
    note_part(rh, member, &note);
}

/*   rank 0   ──[ begin·········── end]──       until: the begin that the member waits for (barrier: the latest of all)
 *   rank 1   ────────[ begin·── end]────       waiting = min(until, end) - begin, if positive
 *   rank 2   ──────────────[ begin ── end]──   completion = end - max(earliest end, until)
 *              |<--------->| wait of rank 0    docs/metrics.md#barrier */
static inline void
book_member(hd_replay_host *rh, hd_host *host, const coll_state *state, coll_instance *instance, const coll_member *member,
            uint32_t number)
{
    uint32_t   operation = instance->value.operation_low;
    hd_coll_class c         = hd_coll_class_of(operation);
    coll_wait  wait      = wait_of(rh->replay, state, instance, member);
    hd_time    until     = hd_time_min(wait.until, member->end), first;
    hd_span    waiting   = 0, completion = 0;

    rh->n_collectives++;
    if (wait.synchronises) {
        waiting = until > member->begin ? hd_span_between(member->begin, until) : 0;
        /* With wrong clocks the other group of an inter-communicator can be through before this member begins. */
        first = hd_time_max(hd_time_max(wait.first_end, until), member->begin);
        if (wait.first_end != UINT64_MAX && member->end > first)
            completion = hd_span_between(first, member->end);
    }
    if (member->nbc_call != NULL) {
        waiting = wait.synchronises && !member->is_test && until > member->enter ? hd_span_between(member->enter, until) : 0;
        book_nbc_member(rh, host, state, instance, member, number, waiting, &wait);
        return;
    }
    if (HD_UNLIKELY(rh->statistics != NULL) && c != HD_COLL_FENCE)
        note_member(rh, state, instance, member, &wait, waiting, completion);
    if (operation >= HD_OPERATION_INIT) {
        book_init_or_finalize(rh, member, operation, waiting, completion);
        return;
    }
    if (wait.synchronises && wait.until > member->end)
        hd_agent_clock_finding(rh, member->agent, HD_FINDING_CLOCK_COLLECTIVE, member->node,
                               awaited_process(rh, state, instance, member, &wait), state->comm, member->end,
                               hd_span_between(member->end, wait.until));
    if (c == HD_COLL_FENCE) {
        hd_rma_fence_waits waits = book_fence(rh, host, state, instance, member, waiting, wait.synchronises);

        if (HD_UNLIKELY(rh->statistics != NULL))
            note_parts_of_fence(rh, member, &waits, awaited_process(rh, state, instance, member, &wait), wait.synchronises);
    } else if (waiting > 0)
        hd_severity_add(&member->agent->severities, class_metrics[c].wait, member->node, waiting);
    if (completion > 0 && class_metrics[c].completion != HD_N_METRICS)
        hd_severity_add(&member->agent->severities, class_metrics[c].completion, member->node, completion);
    if (!rh->replay->goes_back || (!wait.synchronises && c != HD_COLL_SCAN) || (c >= HD_COLL_CREATE && hd_comm_size(rh, state->comm) <= 1))
        return;
    if (c == HD_COLL_SCAN)
        mark_scan(rh, host, state, instance, member, number, waiting, &wait);
    else if (state->is_inter && rh->replay->request->delays) /* each group waits for the other: no synchronisation points */
        hd_charge_unattributed(rh, member->agent, class_metrics[c].delay, hd_agent_call_path(member->agent, member->node),
                                 (double)waiting);
    else if (!state->is_inter)
        mark_member(rh, host, state, instance, member, number, waiting, completion);
}

/* The deposits that other processes left for the members here, and said so. */
static uint32_t
n_deposits_expected(hd_host *host, const coll_instance *instance)
{
    for (uint32_t i = 0; hd_coll_class_of(instance->value.operation_low) == HD_COLL_FENCE && i < instance->value.n_steps; i++)
        if (instance->steps[i].host == hd_host_number(host))
            return (uint32_t)instance->steps[i].n_deposits;
    return 0;
}

/* The instance is decided; its members here learn it, once all deposits are there. */
static void
settle(hd_replay_host *rh, hd_host *host, coll_state *state, coll_instance *instance, uint32_t number)
{
    bool mixed = is_mixed(state, &instance->value);

    instance->is_decided = true;
    if (!mixed && instance->n_deposits < n_deposits_expected(host, instance))
        return;
    hd_rma_sort_deposits(&instance->deposits);
    if (HD_UNLIKELY(rh->statistics != NULL))
        begin_parts(rh);
    for (uint32_t i = 0; i < instance->n_members; i++) {
        const coll_member *member = &instance->members[i];

        if (mixed) {
            hd_agent_finding(rh, member->agent, HD_FINDING_MIXED_COLLECTIVE, member->node, HD_NONE, state->comm, HD_NONE,
                             member->end);
            if (member->nbc_call != NULL)
                put_back_nbc_call(rh, host, member->nbc_call);
        } else if (!member->is_absent)
            book_member(rh, host, state, instance, member, number);
    }
    if (HD_UNLIKELY(rh->statistics != NULL) && !mixed && !state->is_nbc)
        end_parts(rh, host, state, number);
    end_instance(rh, state, instance, number);
}

/* To the hosts below, and to the members here. */
static void
hand_down(hd_replay_host *rh, hd_host *host, coll_state *state, coll_instance *instance, uint32_t number)
{
    for (uint32_t i = 0; i < state->tree.n_children; i++)
        send_value(host, state, instance, number, state->tree.children[i], HD_ITEM_COLL_DOWN);
    settle(rh, host, state, instance, number);
}

static void complete(hd_replay_host *rh, hd_host *host, coll_state *state, coll_instance *instance, uint32_t number);

/* A second round: everybody knows the latest sender now; the earliest end of those who synchronise is asked for. */
static void
start_second_round(hd_replay_host *rh, hd_host *host, coll_state *state, coll_instance *instance, uint32_t number)
{
    instance->value.round   = 1;
    instance->value.n_steps = 0;
    for (uint32_t i = 0; i < state->tree.n_children; i++)
        send_value(host, state, instance, number, state->tree.children[i], HD_ITEM_COLL_DOWN);
    instance->value.earliest_end = UINT64_MAX;
    instance->n_missing          = state->tree.n_children;
    for (uint32_t i = 0; i < instance->n_members; i++) {
        const coll_member *member = &instance->members[i];
        coll_step          step   = { .begin = member->rank, .rank = member->rank };

        if (!counts_in_second_round(state, &instance->value, member))
            continue;
        instance->value.earliest_end = hd_time_min(instance->value.earliest_end, member->end);
        if (hd_coll_class_of(instance->value.operation_low) == HD_COLL_NXN || hd_coll_class_of(instance->value.operation_low) == HD_COLL_SHMEM_1TON)
            merge_steps(instance, &step, 1);
    }
    if (instance->n_missing == 0)
        complete(rh, host, state, instance, number);
}

/* All contributions of this host and those below are in. */
static void
complete(hd_replay_host *rh, hd_host *host, coll_state *state, coll_instance *instance, uint32_t number)
{
    coll_value *value = &instance->value;

    if (state->tree.parent != HD_NONE) {
        send_value(host, state, instance, number, state->tree.parent, HD_ITEM_COLL_UP);
        return;
    }
    if (value->round == 0 && !is_mixed(state, value) && needs_second_round(rh->replay, state, value)) {
        start_second_round(rh, host, state, instance, number);
        return;
    }
    value->round = value->round == 1 ? 2 : 0; /* 2: decided in two rounds */
    hand_down(rh, host, state, instance, number);
}

static void
put_deposit(coll_instance *instance, const hd_rma_deposit *deposit)
{
    HD_PUSH(instance->deposits.rows, instance->deposits.n, instance->deposits.capacity, *deposit);
}

/* What a process did at the window since the fence before is left with the hosts of its targets; a host learns how many deposits there are
 * for it from the combined value. A window's creation and end are no fences: nothing can be left then. */
static void
leave_deposits(hd_replay_host *rh, hd_host *host, const coll_state *state, coll_instance *instance, uint32_t number, hd_agent *agent)
{
    hd_rma_deposits *mine = &rh->deposits;

    mine->n = 0;
    hd_rma_take_deposits(rh, agent, mine);
    for (size_t i = 0; i < mine->n && hd_coll_class_of(instance->value.operation_low) == HD_COLL_FENCE; i++) {
        coll_deposit_item item  = { .comm = state->comm, .number = number, .deposit = mine->rows[i] };
        uint32_t          home  = hd_placement_host(rh->replay->request->placement, (hd_process){ item.deposit.process });
        coll_step         count = { .n_deposits = 1, .host = home };

        put_deposit(instance, &(hd_rma_deposit){ .process = item.deposit.peer, .peer = item.deposit.process });
        if (home == hd_host_number(host))
            put_deposit(instance, &item.deposit);
        else {
            merge_counts(instance, &count, 1);
            hd_host_send(host, home, HD_ITEM_DEPOSIT, &item, sizeof item, NULL, 0);
        }
    }
}

static void
add_member(hd_replay_host *rh, hd_host *host, uint32_t comm, uint32_t number, const coll_member *member, const coll_value *value)
{
    coll_state    *state    = state_of(rh, host, comm, member->nbc_call != NULL);
    coll_instance *instance = instance_of(rh, state, number);
    coll_step      step     = { .begin = member->begin, .rank = member->rank };
    coll_value     own      = *value;

    if (instance->n_members == state->tree.n_members) { /* a process twice in one instance cannot be: its numbers ascend */
        hd_agent_finding(rh, member->agent, HD_FINDING_MIXED_COLLECTIVE, member->node, HD_NONE,
                         comm < rh->replay->defs->n_comms ? comm : HD_NONE, HD_NONE, member->end);
        return;
    }
    own.n_steps = hd_coll_class_of(own.operation_low) == HD_COLL_SCAN && member->sends;
    instance->members[instance->n_members++] = *member;
    merge_value(instance, &own, &step);
    if (hd_coll_class_of(own.operation_low) >= HD_COLL_CREATE && hd_coll_class_of(own.operation_low) <= HD_COLL_FENCE)
        leave_deposits(rh, host, state, instance, number, member->agent);
    if (--instance->n_missing == 0)
        complete(rh, host, state, instance, number);
}

static void
describe_member(coll_value *value, const coll_member *member, const hd_op *op)
{
    coll_side *side = &value->sides[member->side];

    *value = (coll_value){ .earliest_end = member->end, .root_low = op->root, .root_high = op->root,
                           .operation_low = op->operation, .operation_high = op->operation,
                           .most_bytes = op->sent > op->received ? op->sent : op->received,
                           .n_not_exchanging = !(member->sends && member->receives),
                           .earliest_receiver = member->receives && !member->is_root ? member->begin : UINT64_MAX };
    *side  = (coll_side){ .latest = member->begin, .n = 1, .latest_rank = member->rank };
    if (member->sends) {
        side->latest_sender      = member->begin;
        side->n_senders          = 1;
        side->latest_sender_rank = member->rank;
    }
    if (member->is_root) {
        value->n_roots    = 1;
        value->root_begin = member->begin;
        value->root_bytes = hd_coll_class_of(op->operation) == HD_COLL_1TON ? op->sent : op->received;
    }
}

static void
world_member(hd_replay_host *rh, hd_host *host, hd_agent *agent, uint32_t operation, const hd_op *times, bool is_absent)
{
    const hd_defs *defs   = rh->replay->defs;
    hd_op          op     = { .operation = operation };
    coll_member    member = { .agent = agent, .rank = agent->process_id, .is_absent = is_absent };
    coll_value     value;

    if (agent->process_id >= defs->n_mpi_processes)
        return;
    if (!is_absent && !(operation == HD_OPERATION_INIT ? agent->location->has_init : agent->location->has_finalize))
        return; /* another thread of the process was earlier */
    if (!is_absent) {
        member.order = agent->order;
        member.node  = agent->cursor.call.call_path;
        member.begin = times->begin;
        member.end   = times->time;
    }
    describe_member(&value, &member, &op);
    if (is_absent)
        value.earliest_end = UINT64_MAX;
    add_member(rh, host, defs->n_comms + (operation == HD_OPERATION_FINALIZE), 0, &member, &value);
}

void
hd_coll_without_init(hd_replay_host *rh, hd_host *host, hd_agent *agent)
{
    world_member(rh, host, agent, HD_OPERATION_INIT, NULL, true);
}

static hd_nbc_call *
nbc_call_of(hd_replay_host *rh, hd_agent *agent)
{
    if (agent->nbc_call == NULL) {
        agent->nbc_call  = hd_pool_take(&rh->nbc_calls);
        *agent->nbc_call = (hd_nbc_call){ .n_open = 1 };
    }
    agent->nbc_call->n_open++;
    return agent->nbc_call;
}

/* Of a window that is each process's own. */
static void
book_fence_alone(hd_replay_host *rh, hd_host *host, hd_agent *agent)
{
    hd_rma_fence       fence = { .agent = agent, .call = agent->cursor.call, .end = agent->op.time, .order = agent->order,
                                 .n_processes = 1, .overlaps = true };
    hd_rma_fence_waits waits;

    rh->deposits.n = 0;
    hd_rma_take_deposits(rh, agent, &rh->deposits);
    waits = hd_rma_book_fence(rh, host, &fence, &rh->deposits);
    if (HD_UNLIKELY(rh->statistics != NULL) && waits.waiting > 0) { /* for itself: clocks are wrong */
        hd_wait wait = { .metric = HD_METRIC_mpi_rma_wait_at_fence, .node = fence.call.call_path, .enter = fence.call.enter,
                         .leave = fence.call.leave, .from = fence.call.enter, .time = waits.waiting, .peer = waits.peer,
                         .peer_thread = waits.peer_thread };

        hd_agent_note(rh, agent, &wait);
        wait.metric = HD_METRIC_mpi_rma_early_fence;
        wait.time   = waits.early;
        hd_agent_note(rh, agent, &wait);
    }
}

void
hd_coll_member(hd_replay_host *rh, hd_host *host, hd_agent *agent)
{
    const hd_oplog   *log = &agent->location->log;
    const hd_op      *op  = &agent->op;
    const hd_channel *channel;
    const hd_comm    *comm;
    coll_member       member;
    coll_value        value;
    uint32_t          number;

    if (op->kind == HD_OP_INIT || op->kind == HD_OP_FINALIZE) {
        world_member(rh, host, agent, op->kind == HD_OP_INIT ? HD_OPERATION_INIT : HD_OPERATION_FINALIZE, op, false);
        return;
    }
    if (op->kind == HD_OP_NBC && rh->replay->compat)
        return;
    channel = &log->channels[op->channel];
    comm    = &hd_defs_comms(rh->replay->defs)[channel->comm];
    if (op->kind == HD_OP_NBC)
        number = log->nbcs[op->number].number;
    else
        number = channel->shared ? hd_cursor_shared_number(&agent->cursor) : agent->links[op->channel].next++;
    if (hd_coll_class_of(op->operation) == HD_COLL_FENCE) {
        hd_severity_add(&agent->severities, HD_METRIC_mpi_rma_pairsync_count, agent->cursor.call.call_path, hd_comm_size(rh, channel->comm));
        if (hd_defs_groups(rh->replay->defs)[comm->group_a].self)
            book_fence_alone(rh, host, agent);
    }
    if (hd_defs_groups(rh->replay->defs)[comm->group_a].self || hd_coll_class_of(op->operation) == HD_COLL_NONE ||
        (hd_coll_class_of(op->operation) == HD_COLL_SHMEM_1TON && op->root == HD_NONE)) /* Score-P need not know it */
        return;
    member = (coll_member){ .begin = op->begin, .end = op->time, .enter = agent->cursor.call.enter,
                            .leave = agent->cursor.call.leave, .agent = agent, .order = agent->order,
                            .node = agent->cursor.call.call_path, .rank = channel->peer_rank, .side = (uint8_t)channel->peer,
                            .sends = op->sent > 0, .receives = op->received > 0,
                            .is_root = comm->group_b == HD_NONE ? op->root == channel->peer_rank : op->root == HD_COLL_ROOT_SELF,
                            .is_test = agent->cursor.call.group == HD_CALL_TEST };
    if (hd_coll_class_of(op->operation) >= HD_COLL_SHMEM_BARRIER)
        member.end = member.leave; /* as it begins with the enter */
    if (op->kind == HD_OP_NBC) {
        member.nbc_call   = nbc_call_of(rh, agent);
        member.nbc_number = op->number;
    }
    describe_member(&value, &member, op);
    add_member(rh, host, channel->comm, number, &member, &value);
}

void
hd_coll_leave(hd_replay_host *rh, hd_host *host, hd_agent *agent)
{
    if (agent->nbc_call != NULL)
        put_back_nbc_call(rh, host, agent->nbc_call);
    agent->nbc_call = NULL;
}

static void
take_deposit(hd_replay_host *rh, hd_host *host, const coll_deposit_item *item)
{
    coll_state    *state    = state_of(rh, host, item->comm, false);
    coll_instance *instance = instance_of(rh, state, item->number);

    put_deposit(instance, &item->deposit);
    instance->n_deposits++;
    if (instance->is_decided)
        settle(rh, host, state, instance, item->number);
}

void
hd_coll_deliver(hd_replay_host *rh, hd_host *host, uint32_t kind, const void *data)
{
    const coll_item *item     = data;
    const coll_step *steps    = (const coll_step *)(const void *)(item + 1);
    coll_state      *state;
    coll_instance   *instance;

    if (kind == HD_ITEM_DEPOSIT) {
        take_deposit(rh, host, data);
        return;
    }
    if (kind == HD_ITEM_COLL_WAITS) {
        const coll_waits_item *waits = data;

        sum_up_parts(rh, host, state_of(rh, host, waits->comm, false), waits->number, (const hd_instance *)(const void *)(waits + 1),
                     waits->n);
        return;
    }
    state    = state_of(rh, host, item->comm, item->is_nbc != 0);
    instance = instance_of(rh, state, item->number);
    if (kind == HD_ITEM_COLL_UP) {
        merge_value(instance, &item->value, steps);
        if (--instance->n_missing == 0)
            complete(rh, host, state, instance, item->number);
        return;
    }
    instance->value = item->value;
    while (instance->capacity_steps < item->value.n_steps)
        instance->steps = hd_grow(instance->steps, instance->capacity_steps, &instance->capacity_steps, sizeof *instance->steps);
    if (item->value.n_steps > 0)
        memcpy(instance->steps, steps, item->value.n_steps * sizeof *steps);
    if (item->value.round == 1)
        start_second_round(rh, host, state, instance, item->number);
    else
        hand_down(rh, host, state, instance, item->number);
}

static void
free_instance(coll_instance *instance)
{
    free(instance->steps);
    free(instance->deposits.rows);
    free(instance);
}

void
hd_coll_finish(hd_replay_host *rh)
{
    for (uint32_t i = 0; rh->instances.slots != NULL && i <= rh->instances.mask; i++) {
        coll_instance *instance = (coll_instance *)(uintptr_t)rh->instances.slots[i].value;

        if (rh->instances.slots[i].key == HD_MAP_FREE)
            continue;
        for (uint32_t m = 0; m < instance->n_members; m++) {
            const coll_member *member = &instance->members[m];

            if (!member->is_absent)
                hd_agent_finding(rh, member->agent, HD_FINDING_UNMATCHED_COLLECTIVE, member->node, HD_NONE,
                                 instance->comm < rh->replay->defs->n_comms ? instance->comm : HD_NONE, HD_NONE, member->end);
        }
        free_instance(instance);
    }
    for (uint32_t i = 0; rh->coll_states.slots != NULL && i <= rh->coll_states.mask; i++) {
        coll_state *state = (coll_state *)(uintptr_t)rh->coll_states.slots[i].value;

        if (rh->coll_states.slots[i].key == HD_MAP_FREE)
            continue;
        while (state->free_list != NULL) {
            coll_instance *instance = state->free_list;

            state->free_list = instance->next_free;
            free_instance(instance);
        }
        hd_tree_fini(&state->tree);
        free(state);
    }
    hd_map_fini(&rh->instances);
    hd_map_fini(&rh->coll_states);
    free(rh->deposits.rows);
    rh->deposits = (hd_rma_deposits){ 0 };
    HD_ASSERT(rh->part_sums.n == 0); /* what is decided is decided on all hosts */
    hd_map_fini(&rh->part_sums);
    hd_pool_fini(&rh->part_pool);
    free(rh->parts);
    rh->parts = NULL;
}

_Static_assert(sizeof(coll_item) % 8 == 0 && sizeof(coll_step) % 8 == 0 && sizeof(coll_deposit_item) % 8 == 0 &&
                   sizeof(coll_waits_item) % 8 == 0 && sizeof(hd_instance) % 8 == 0,
               "items are whole words");
