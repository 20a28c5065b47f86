/* Collectives and the clock condition: the begins of those who send go up the communicator's tree of hosts and come down as what ends must not
 * be before; where clocks are corrected the ends go up and come down as what begins must not be behind. */
#include "clock_coll.h"

#include "coll_class.h"
#include "comm_group.h"

enum { SIDES = 2, ROUNDS = 2 }; /* rounds: begins, ends */

typedef struct coll_value { /* of the members so far */
    hd_clock_bound all[SIDES], senders[SIDES], root; /* latest begins */
    hd_time        earliest_end[SIDES];  /* of those who were bound */
} coll_value;

typedef struct coll_step { /* prefix reductions: a member that sends; fences: a target, and those who operated on it; in the second round a
                            * member that was bound */
    hd_clock_bound begin;
    hd_time        end;
    uint32_t       rank, unused;
} coll_step;

typedef struct coll_item {
    uint32_t   comm, is_nbc, number, round;
    uint64_t   n_steps;
    coll_value value; /* steps follow */
} coll_item;

typedef struct coll_count_item {
    uint64_t key;
    uint32_t n, unused;
} coll_count_item;

typedef struct coll_member {
    hd_clock_agent            *agent;
    const hd_clock_collective *what;
    size_t                     begin; /* its point */
    bool                       is_bound;
} coll_member;

typedef struct coll_instance {
    coll_value   value;
    coll_step   *steps[ROUNDS]; /* [n_steps], begins ascending in rank once they are decided */
    size_t       n_steps[ROUNDS], capacity_steps[ROUNDS];
    hd_clock_bound *begins_up_to; /* prefix reductions: [n_steps[0]] the latest of this step and all of lower ranks; NULL: not asked for yet */
    hd_time        *ends_from;    /* likewise: [n_steps[1]] the earliest of this step and all of higher ranks */
    uint32_t     n_missing[ROUNDS]; /* members of this host and hosts below */
    uint32_t     n_members, n_ended;
    uint32_t     waiting;           /* agents, as in hd_clock_meeting_state */
    bool         is_decided;
    coll_member  members[];
} coll_instance;

typedef struct coll_state { /* a communicator on a host */
    hd_tree  tree;
    uint32_t comm, number; /* number: of the state */
    uint32_t limit;        /* from this instance on somebody is missing */
    bool     is_nbc, is_inter;
} coll_state;

typedef struct coll_count { /* on the communicator's home */
    uint64_t key;
    uint32_t n_processes, least, most;
} coll_count;

struct hd_clock_coll {
    hd_map      states;    /* key -> coll_state * */
    uint32_t    n_states;
    hd_map      instances; /* state << 32 | number -> coll_instance * */
    hd_map      limits;    /* key -> limit, where somebody is missing */
    hd_map      counts_at; /* key -> in counts */
    coll_count *counts;
    size_t      n_counts, capacity_counts;
};

static uint64_t
key_of(uint32_t comm, bool is_nbc)
{
    return (uint64_t)comm << 1 | is_nbc;
}

hd_clock_coll *
hd_clock_coll_new(void)
{
    return HD_NEW(hd_clock_coll);
}

static void
free_instance(coll_instance *instance)
{
    for (uint32_t round = 0; round < ROUNDS; round++)
        free(instance->steps[round]);
    free(instance->begins_up_to);
    free(instance->ends_from);
    free(instance);
}

void
hd_clock_coll_free(hd_clock_coll *coll)
{
    for (uint32_t i = 0; coll->instances.slots != NULL && i <= coll->instances.mask; i++)
        if (coll->instances.slots[i].key != HD_MAP_FREE) {
            coll_instance *instance = (coll_instance *)(uintptr_t)coll->instances.slots[i].value;

            free_instance(instance);
        }
    for (uint32_t i = 0; coll->states.slots != NULL && i <= coll->states.mask; i++)
        if (coll->states.slots[i].key != HD_MAP_FREE) {
            coll_state *state = (coll_state *)(uintptr_t)coll->states.slots[i].value;

            hd_tree_fini(&state->tree);
            free(state);
        }
    hd_map_fini(&coll->states);
    hd_map_fini(&coll->instances);
    hd_map_fini(&coll->limits);
    hd_map_fini(&coll->counts_at);
    free(coll->counts);
    free(coll);
}

/* All members, HD_NONE for those that are not in the archive; free() it. */
static uint32_t *
members_of(const hd_defs *defs, uint32_t comm, uint32_t *n)
{
    const hd_comm_group *groups = hd_defs_groups(defs), *a, *b = NULL;
    uint32_t            *members;

    if (comm >= defs->n_comms) {
        *n      = defs->n_mpi_processes;
        members = HD_NEW_ARRAY(uint32_t, *n);
        for (uint32_t i = 0; i < *n; i++)
            members[i] = i;
        return members;
    }
    a = &groups[hd_defs_comms(defs)[comm].group_a];
    if (hd_defs_comms(defs)[comm].group_b != HD_NONE)
        b = &groups[hd_defs_comms(defs)[comm].group_b];
    *n      = a->n + (b != NULL ? b->n : 0);
    members = HD_NEW_ARRAY(uint32_t, *n);
    hd_comm_group_read(defs, a, members);
    if (b != NULL)
        hd_comm_group_read(defs, b, members + a->n);
    return members;
}

/* Nobody waits for itself. */
static bool
is_alone(const hd_defs *defs, uint32_t comm)
{
    const hd_comm *c = comm < defs->n_comms ? &hd_defs_comms(defs)[comm] : NULL;

    if (c == NULL)
        return defs->n_mpi_processes <= 1;
    return hd_defs_groups(defs)[c->group_a].self || (c->group_b == HD_NONE && hd_defs_groups(defs)[c->group_a].n <= 1);
}

/* ---- who takes part ------------------------------------------------------------------------------------------------------- */

/* The host of the first member that is in the archive. */
static uint32_t
home_of(const hd_clock_host *ch, uint32_t comm)
{
    const hd_defs       *defs  = ch->replay->defs;
    const hd_comm_group *group = comm < defs->n_comms ? &hd_defs_groups(defs)[hd_defs_comms(defs)[comm].group_a] : NULL;
    uint32_t             first = group == NULL ? 0 : HD_NONE;

    for (uint32_t i = 0; group != NULL && i < group->n && first == HD_NONE; i++)
        first = hd_comm_group_member(defs, group, i);
    return hd_placement_host(ch->replay->request->placement, (hd_process){ first != HD_NONE ? first : 0 });
}

static void
count(hd_clock_coll *coll, const coll_count_item *item)
{
    bool        is_new;
    uint64_t   *place = hd_map_add(&coll->counts_at, item->key, &is_new);
    coll_count *known;

    if (is_new) {
        *place = coll->n_counts;
        HD_PUSH(coll->counts, coll->n_counts, coll->capacity_counts, ((coll_count){ item->key, 0, item->n, item->n }));
    }
    known = &coll->counts[*place];
    known->n_processes++;
    known->least = known->least < item->n ? known->least : item->n;
    known->most  = known->most > item->n ? known->most : item->n;
}

void
hd_clock_coll_announce(hd_clock_host *ch, hd_host *host, const hd_clock_process *process)
{
    hd_map counts = { 0 };

    for (uint32_t t = 0; t < process->n_locations; t++)
        for (size_t i = 0; i < process->logs[t].n_collectives; i++) {
            const hd_clock_collective *what = &process->logs[t].collectives[i];
            bool                       is_new;

            if (!is_alone(ch->replay->defs, what->comm))
                ++*hd_map_add(&counts, key_of(what->comm, what->is_nbc), &is_new);
        }
    for (uint32_t i = 0; counts.slots != NULL && i <= counts.mask; i++) {
        coll_count_item item = { counts.slots[i].key, (uint32_t)counts.slots[i].value, 0 };
        uint32_t        home;

        if (item.key == HD_MAP_FREE)
            continue;
        home = home_of(ch, (uint32_t)(item.key >> 1));
        if (home == hd_host_number(host))
            count(ch->coll, &item);
        else
            hd_host_send(host, home, HD_CLOCK_ITEM_COUNT, &item, sizeof item, NULL, 0);
    }
    hd_map_fini(&counts);
}

static void
set_limit(hd_clock_coll *coll, const coll_count_item *item)
{
    bool is_new;

    *hd_map_add(&coll->limits, item->key, &is_new) = item->n;
}

void
hd_clock_coll_tell_short(hd_clock_host *ch, hd_host *host)
{
    const hd_placement *placement = ch->replay->request->placement;
    hd_clock_coll      *coll      = ch->coll;

    for (size_t i = 0; i < coll->n_counts; i++) {
        const coll_count *known = &coll->counts[i];
        uint32_t          n, n_there = 0, *members = members_of(ch->replay->defs, (uint32_t)(known->key >> 1), &n);
        coll_count_item   item  = { known->key, known->least, 0 };
        uint8_t          *told;

        for (uint32_t m = 0; m < n; m++)
            n_there += members[m] != HD_NONE;
        item.n = known->n_processes < n_there ? 0 : known->least;
        if (item.n < known->most) {
            told = HD_NEW_ARRAY(uint8_t, hd_placement_n_hosts(placement));
            for (uint32_t m = 0; m < n; m++) {
                uint32_t to = members[m] != HD_NONE ? hd_placement_host(placement, (hd_process){ members[m] }) : HD_NONE;

                if (to == HD_NONE || told[to])
                    continue;
                told[to] = true;
                if (to == hd_host_number(host))
                    set_limit(coll, &item);
                else
                    hd_host_send(host, to, HD_CLOCK_ITEM_SHORT, &item, sizeof item, NULL, 0);
            }
            free(told);
        }
        free(members);
    }
}

/* ---- instances ------------------------------------------------------------------------------------------------------------ */

static coll_state *
state_of(hd_clock_host *ch, hd_host *host, uint32_t comm, bool is_nbc)
{
    hd_clock_coll   *coll = ch->coll;
    bool             is_new;
    uint64_t        *place = hd_map_add(&coll->states, key_of(comm, is_nbc), &is_new);
    const uint64_t  *limit;
    coll_state      *state;
    uint32_t         n, *members;

    if (!is_new)
        return (coll_state *)(uintptr_t)*place;
    HD_ASSERT(host != NULL);
    state           = HD_NEW(coll_state);
    *place          = (uint64_t)(uintptr_t)state;
    limit           = hd_map_get(&coll->limits, key_of(comm, is_nbc));
    state->comm     = comm;
    state->is_nbc   = is_nbc;
    state->number   = coll->n_states++;
    state->limit    = limit != NULL ? (uint32_t)*limit : HD_NONE;
    state->is_inter = comm < ch->replay->defs->n_comms && hd_defs_comms(ch->replay->defs)[comm].group_b != HD_NONE;
    members         = members_of(ch->replay->defs, comm, &n);
    hd_tree_init(&state->tree, &ch->scratch, ch->replay->request->placement, hd_host_number(host), members, n);
    free(members);
    return state;
}

static coll_instance *
instance_of(hd_clock_host *ch, const coll_state *state, uint32_t number)
{
    bool           is_new;
    uint64_t      *place = hd_map_add(&ch->coll->instances, (uint64_t)state->number << 32 | number, &is_new);
    coll_instance *instance;
    hd_clock_bound nothing = { HD_CLOCK_NOTHING, HD_CLOCK_NOTHING };

    if (!is_new)
        return (coll_instance *)(uintptr_t)*place;
    instance              = hd_alloc(1, sizeof *instance + state->tree.n_members * sizeof(coll_member));
    instance->waiting     = HD_NONE;
    instance->value.root  = nothing;
    for (uint32_t side = 0; side < SIDES; side++) {
        instance->value.all[side] = instance->value.senders[side] = nothing;
        instance->value.earliest_end[side]                        = UINT64_MAX;
    }
    for (uint32_t round = 0; round < ROUNDS; round++)
        instance->n_missing[round] = state->tree.n_members + state->tree.n_children;
    *place = (uint64_t)(uintptr_t)instance;
    return instance;
}

static void
end_instance(hd_clock_host *ch, const coll_state *state, coll_instance *instance, uint32_t number)
{
    hd_map_remove(&ch->coll->instances, (uint64_t)state->number << 32 | number);
    free_instance(instance);
}

static void
merge_bound(hd_clock_bound *into, const hd_clock_bound *from)
{
    into->corrected = hd_clock_later(into->corrected, from->corrected, true);
    into->time      = hd_clock_later(into->time, from->time, false);
}

static void
merge_value(coll_value *into, const coll_value *from)
{
    for (uint32_t side = 0; side < SIDES; side++) {
        merge_bound(&into->all[side], &from->all[side]);
        merge_bound(&into->senders[side], &from->senders[side]);
        into->earliest_end[side] = hd_time_min(into->earliest_end[side], from->earliest_end[side]);
    }
    merge_bound(&into->root, &from->root);
}

static void
add_steps(coll_instance *instance, uint32_t round, const coll_step *steps, size_t n)
{
    for (size_t i = 0; i < n; i++)
        HD_PUSH(instance->steps[round], instance->n_steps[round], instance->capacity_steps[round], steps[i]);
}

static void
send_value(hd_host *host, const coll_state *state, const coll_instance *instance, uint32_t number, uint32_t round, uint32_t to, uint32_t kind)
{
    coll_item item = { state->comm, state->is_nbc, number, round, instance->n_steps[round], instance->value };

    hd_host_send(host, to, kind, &item, sizeof item, instance->steps[round], (uint32_t)(instance->n_steps[round] * sizeof(coll_step)));
}

static int
compare_steps(const void *a_, const void *b_)
{
    const coll_step *a = a_, *b = b_;

    return (a->rank > b->rank) - (a->rank < b->rank);
}

/* In the order of their ranks, one for each. */
static void
merge_steps(coll_instance *instance, uint32_t round)
{
    coll_step *steps = instance->steps[round];
    size_t     n     = 0;

    if (instance->n_steps[round] > 1)
        qsort(steps, instance->n_steps[round], sizeof *steps, compare_steps);
    for (size_t i = 0; i < instance->n_steps[round]; i++)
        if (n == 0 || steps[n - 1].rank != steps[i].rank)
            steps[n++] = steps[i];
        else {
            merge_bound(&steps[n - 1].begin, &steps[i].begin);
            steps[n - 1].end = hd_time_min(steps[n - 1].end, steps[i].end);
        }
    instance->n_steps[round] = n;
}

/* ---- who waits for whom --------------------------------------------------------------------------------------------------- */

static bool
is_root(const coll_state *state, const hd_clock_collective *what)
{
    return state->is_inter ? what->root == HD_COLL_ROOT_SELF : what->root == what->rank;
}

static uint32_t
other_side(const coll_state *state, const hd_clock_collective *what)
{
    return state->is_inter ? 1 - (uint32_t)what->side % SIDES : 0;
}

static bool
all_meet(const hd_clock_collective *what)
{
    switch (hd_coll_class_of(what->operation)) {
    case HD_COLL_BARRIER:
    case HD_COLL_CREATE:
    case HD_COLL_FREE:
    case HD_COLL_SHMEM_BARRIER:
    case HD_COLL_SHMEM_NXN:
        return true;
    default:
        return false;
    }
}

/* Whether the member's begin is one that others may have to wait for. */
static bool
sends(const coll_state *state, const hd_clock_collective *what)
{
    switch (hd_coll_class_of(what->operation)) {
    case HD_COLL_1TON:
        return is_root(state, what) && what->sends;
    case HD_COLL_NXN:
    case HD_COLL_NTO1:
    case HD_COLL_SCAN:
        return what->sends;
    default:
        return false;
    }
}

/* Whether its end has to wait, before it is known for whom. */
static bool
receives(const coll_state *state, const hd_clock_collective *what)
{
    switch (hd_coll_class_of(what->operation)) {
    case HD_COLL_BARRIER:
    case HD_COLL_CREATE:
    case HD_COLL_FREE:
    case HD_COLL_FENCE:
    case HD_COLL_SHMEM_BARRIER:
    case HD_COLL_SHMEM_NXN:
        return true;
    case HD_COLL_1TON:
        return !is_root(state, what) && what->receives;
    case HD_COLL_NTO1:
        return is_root(state, what) && what->receives;
    case HD_COLL_NXN:
    case HD_COLL_SCAN:
        return what->receives;
    default:
        return false;
    }
}

/* Of fences, once all is known; NULL: none. */
static const coll_step *
step_of(const coll_instance *instance, uint32_t round, uint32_t rank)
{
    coll_step key = { .rank = rank };

    return instance->n_steps[round] > 0 ?
               bsearch(&key, instance->steps[round], instance->n_steps[round], sizeof key, compare_steps) : NULL;
}

/* How many steps are of ranks below this one. */
static size_t
steps_below(const coll_instance *instance, uint32_t round, uint64_t rank)
{
    size_t low = 0, high = instance->n_steps[round];

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (instance->steps[round][middle].rank < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The latest begins of lower ranks. */
static hd_clock_bound
begins_below(coll_instance *instance, uint32_t rank)
{
    hd_clock_bound bound = { HD_CLOCK_NOTHING, HD_CLOCK_NOTHING };
    size_t         n     = instance->n_steps[0], below = steps_below(instance, 0, rank);

    if (instance->begins_up_to == NULL && n > 0) {
        instance->begins_up_to = HD_NEW_ARRAY(hd_clock_bound, n);
        for (size_t i = 0; i < n; i++) {
            merge_bound(&bound, &instance->steps[0][i].begin);
            instance->begins_up_to[i] = bound;
        }
    }
    return below > 0 ? instance->begins_up_to[below - 1] : (hd_clock_bound){ HD_CLOCK_NOTHING, HD_CLOCK_NOTHING };
}

/* The earliest end of higher ranks. */
static hd_time
ends_above(coll_instance *instance, uint32_t rank)
{
    hd_time earliest = UINT64_MAX;
    size_t  n = instance->n_steps[1], from = steps_below(instance, 1, (uint64_t)rank + 1);

    if (instance->ends_from == NULL && n > 0) {
        instance->ends_from = HD_NEW_ARRAY(hd_time, n);
        for (size_t i = n; i-- > 0;) {
            earliest               = hd_time_min(earliest, instance->steps[1][i].end);
            instance->ends_from[i] = earliest;
        }
    }
    return from < n ? instance->ends_from[from] : UINT64_MAX;
}

/* What the end of a member is bound by, once all begins are known. */
static hd_clock_bound
bound_of(const coll_state *state, coll_instance *instance, const hd_clock_collective *what)
{
    hd_clock_bound bound = { HD_CLOCK_NOTHING, HD_CLOCK_NOTHING };
    uint32_t       side  = other_side(state, what);
    const coll_step *step;

    if (all_meet(what))
        return instance->value.all[side];
    switch (hd_coll_class_of(what->operation)) {
    case HD_COLL_1TON:
        return instance->value.root;
    case HD_COLL_NXN:
    case HD_COLL_NTO1:
        return instance->value.senders[side];
    case HD_COLL_SCAN:
        return begins_below(instance, what->rank);
    case HD_COLL_FENCE:
        step = step_of(instance, 0, what->rank);
        return step != NULL ? step->begin : bound;
    default:
        return bound;
    }
}

/* The earliest end of those who were bound by a member's begin. */
static hd_time
latest_begin(const coll_state *state, coll_instance *instance, const hd_clock_collective *what)
{
    if (hd_coll_class_of(what->operation) == HD_COLL_SCAN)
        return what->sends ? ends_above(instance, what->rank) : UINT64_MAX;
    if (all_meet(what) || sends(state, what))
        return instance->value.earliest_end[other_side(state, what)];
    return UINT64_MAX;
}

/* ---- rounds --------------------------------------------------------------------------------------------------------------- */

static bool
has_ends(const hd_clock_replay *replay)
{
    return replay->request->corrects && !replay->is_check;
}

static void
wake_waiting(hd_clock_replay *replay, hd_host *host, coll_instance *instance)
{
    while (instance->waiting != HD_NONE) {
        hd_clock_agent *agent = &replay->agents[instance->waiting];

        instance->waiting = agent->next_waiting;
        hd_host_wake(host, agent->number);
    }
}

/* earliest: end of those who are bound by it; UINT64_MAX: nobody is. */
static void
limit_point(const hd_clock_replay *replay, hd_clock_agent *agent, size_t point, hd_time earliest)
{
    if (earliest != UINT64_MAX)
        hd_clock_limit(agent, point, hd_time_max(earliest - (hd_time)replay->latency, hd_clock_corrected(agent->log, point)));
}

/* All begins, or all ends, are known here. */
static void
settle(hd_clock_host *ch, hd_host *host, const coll_state *state, coll_instance *instance, uint32_t number, uint32_t round)
{
    for (uint32_t i = 0; i < state->tree.n_children; i++)
        send_value(host, state, instance, number, round, state->tree.children[i], HD_CLOCK_ITEM_DOWN);
    if (round == 0) {
        instance->is_decided = true;
        wake_waiting(ch->replay, host, instance);
        if (!has_ends(ch->replay) && instance->n_ended == state->tree.n_members)
            end_instance(ch, state, instance, number);
        return;
    }
    for (uint32_t i = 0; i < instance->n_members; i++) {
        const coll_member         *member = &instance->members[i];
        const hd_clock_collective *what   = member->what;

        limit_point(ch->replay, member->agent, member->begin, latest_begin(state, instance, what));
        for (uint32_t k = 0; k < what->n_targets; k++) {
            const hd_clock_target *target = &member->agent->log->targets[what->first_target + k];
            const coll_step       *step   = step_of(instance, 1, target->rank);

            if (step != NULL && target->rank != what->rank)
                limit_point(ch->replay, member->agent, target->point, step->end);
        }
    }
    end_instance(ch, state, instance, number);
}

static void
contribute(hd_clock_host *ch, hd_host *host, const coll_state *state, coll_instance *instance, uint32_t number, uint32_t round)
{
    if (--instance->n_missing[round] > 0)
        return;
    merge_steps(instance, round);
    if (state->tree.parent != HD_NONE) {
        send_value(host, state, instance, number, round, state->tree.parent, HD_CLOCK_ITEM_UP);
        return;
    }
    settle(ch, host, state, instance, number, round);
}

/* NULL: nobody waits in it, or somebody is missing. */
static coll_state *
state_at(hd_clock_host *ch, hd_host *host, const hd_clock_collective *what)
{
    coll_state *state;

    if (is_alone(ch->replay->defs, what->comm))
        return NULL;
    state = state_of(ch, host, what->comm, what->is_nbc);
    return what->number < state->limit ? state : NULL;
}

void
hd_clock_coll_begin(hd_clock_host *ch, hd_host *host, hd_clock_agent *agent)
{
    const hd_clock_collective *what  = &agent->log->collectives[agent->log->points[agent->at].what];
    coll_state                *state = state_at(ch, host, what);
    hd_clock_event             own   = hd_clock_event_at(ch->replay, agent);
    hd_clock_bound             bound = { own, own };
    coll_instance             *instance;

    if (state == NULL)
        return;
    instance = instance_of(ch, state, what->number);
    HD_ASSERT(instance->n_members < state->tree.n_members);
    instance->members[instance->n_members++] = (coll_member){ .agent = agent, .what = what, .begin = agent->at };
    merge_bound(&instance->value.all[what->side % SIDES], &bound);
    if (sends(state, what)) {
        if (hd_coll_class_of(what->operation) == HD_COLL_1TON)
            merge_bound(&instance->value.root, &bound);
        merge_bound(&instance->value.senders[what->side % SIDES], &bound);
        if (hd_coll_class_of(what->operation) == HD_COLL_SCAN)
            add_steps(instance, 0, &(coll_step){ .begin = bound, .rank = what->rank }, 1);
    }
    for (uint32_t i = 0; i < what->n_targets; i++) {
        const hd_clock_target *target = &agent->log->targets[what->first_target + i];

        if (target->point >= agent->at) /* records are out of order */
            continue;
        own.time      = agent->log->points[target->point].time;
        own.corrected = hd_clock_corrected(agent->log, target->point);
        if (target->rank != what->rank)
            add_steps(instance, 0, &(coll_step){ .begin = { own, own }, .rank = target->rank }, 1);
    }
    contribute(ch, host, state, instance, what->number, 0);
}

bool
hd_clock_coll_bound(hd_clock_host *ch, hd_clock_agent *agent, hd_clock_bound *bound)
{
    const hd_clock_collective *what  = &agent->log->collectives[agent->log->points[agent->at].what];
    coll_state                *state = state_at(ch, NULL, what);
    coll_instance             *instance;

    if (state == NULL || !receives(state, what))
        return true;
    instance = instance_of(ch, state, what->number);
    if (agent->given_up) {
        hd_clock_stop_waiting(ch->replay, agent, &instance->waiting);
        return true;
    }
    if (!instance->is_decided) {
        agent->next_waiting = instance->waiting;
        instance->waiting   = agent->number;
        return false;
    }
    *bound = bound_of(state, instance, what);
    return true;
}

void
hd_clock_coll_end(hd_clock_host *ch, hd_host *host, hd_clock_agent *agent, const hd_clock_bound *bound)
{
    const hd_clock_collective *what  = &agent->log->collectives[agent->log->points[agent->at].what];
    coll_state                *state = state_at(ch, host, what);
    coll_instance             *instance;
    hd_time                    end;

    if (state == NULL)
        return;
    instance = instance_of(ch, state, what->number);
    instance->n_ended++;
    if (!has_ends(ch->replay)) {
        if (instance->n_ended == state->tree.n_members && instance->is_decided)
            end_instance(ch, state, instance, what->number);
        return;
    }
    end = hd_clock_event_at(ch->replay, agent).corrected;
    if (bound->corrected.process != HD_NONE) {
        instance->value.earliest_end[what->side % SIDES] = hd_time_min(instance->value.earliest_end[what->side % SIDES], end);
        if (hd_coll_class_of(what->operation) == HD_COLL_SCAN || hd_coll_class_of(what->operation) == HD_COLL_FENCE)
            add_steps(instance, 1, &(coll_step){ .end = end, .rank = what->rank }, 1);
    }
    contribute(ch, host, state, instance, what->number, 1);
}

void
hd_clock_coll_deliver(hd_clock_host *ch, hd_host *host, uint32_t kind, const void *data)
{
    const coll_item *item = data;
    const coll_step *steps = (const coll_step *)(item + 1);
    coll_state      *state;
    coll_instance   *instance;

    if (kind == HD_CLOCK_ITEM_COUNT) {
        count(ch->coll, data);
        return;
    }
    if (kind == HD_CLOCK_ITEM_SHORT) {
        set_limit(ch->coll, data);
        return;
    }
    state    = state_of(ch, host, item->comm, item->is_nbc != 0);
    instance = instance_of(ch, state, item->number);
    merge_value(&instance->value, &item->value); /* from above: it has what is here, too, but for ends that came since */
    if (kind == HD_CLOCK_ITEM_UP) {
        add_steps(instance, item->round, steps, item->n_steps);
        contribute(ch, host, state, instance, item->number, item->round);
        return;
    }
    instance->n_steps[item->round] = 0;
    add_steps(instance, item->round, steps, item->n_steps);
    settle(ch, host, state, instance, item->number, item->round);
}
