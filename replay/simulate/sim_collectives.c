/* replay/simulate/sim_collectives.c: members of each operation are combined on all workers that have one; each worker
 * then writes the dependencies of its own. */
#include "sim_collectives.h"

#include "sim_nbc.h"

typedef struct sim_side { /* a group of an inter-communicator; other communicators have side 0 only */
    hd_time  latest;      /* enter of those that contribute */
    hd_time  latest_next; /* non-blocking: with which they were in MPI again (sim_nbc.h) */
    uint32_t n, n_contributing;
} sim_side;

typedef struct sim_value { /* of the members so far */
    sim_side sides[2];
    hd_time  earliest_leave;
    uint64_t max_bytes, bytes_each; /* of any member; for each member of the operation */
    uint32_t min_operation, max_operation, min_node, max_node;
    uint32_t n_not_exchanging, n_roots;
    uint32_t root, unused; /* rank of the root, where it is one of the members */
} sim_value;

typedef struct hd_sim_step { /* a member of an operation with a root, or of a prefix reduction */
    hd_time  enter, leave;   /* of the call that starts it; of the one that completes it */
    hd_time  free;           /* leave of the call before: until it enters, it is in none */
    hd_time  next_enter;     /* non-blocking: with which it was in MPI again */
    uint64_t sent, received;
    uint32_t rank, process;
    uint32_t thread, call;             /* that completes it */
    uint32_t start_thread, start_call; /* that starts it */
    uint32_t next_call, side, is_root, unused;
} hd_sim_step;

typedef struct sim_member { /* on this worker */
    hd_sim_location *location;
    uint64_t         bytes;
    uint32_t         call, start_thread, start_call, next_call; /* next_call: of start_thread */
    uint8_t          side;
    bool             sends, receives;
} sim_member;

typedef struct sim_instance {
    hd_reduction_instance head;
    sim_value             value;
    hd_sim_step          *steps; /* [n_steps] */
    size_t                n_steps, capacity_steps;
    uint32_t              n_members, unused;
    sim_member            members[]; /* [head.comm->tree.n_members] */
} sim_instance;

_Static_assert(sizeof(sim_value) % 8 == 0 && sizeof(hd_sim_step) % 8 == 0, "items are whole words");

typedef struct hd_sim_rooted { /* an operation with a root, until pairs of members are decided on */
    hd_sim_pair operation;
    uint32_t    root, comm;
    bool        is_same_node, root_is_first;
    size_t      first_step, n_steps;
} hd_sim_rooted;

/* ---- instances --------------------------------------------------------------------------------------------------- */

static const sim_value empty_value = { .earliest_leave = UINT64_MAX, .min_operation = HD_NONE, .min_node = HD_NONE };

static void
begin(hd_reduction_instance *head)
{
    sim_instance *instance = (sim_instance *)head;

    instance->value     = empty_value;
    instance->n_steps   = 0;
    instance->n_members = 0;
}

static void
free_steps(hd_reduction_instance *head)
{
    free(((sim_instance *)head)->steps);
}

static hd_reduction_payload
payload(const hd_reduction_instance *head, uint32_t round)
{
    const sim_instance *instance = (const sim_instance *)head;

    (void)round;
    return (hd_reduction_payload){ &instance->value, instance->steps, (uint32_t)instance->n_steps };
}

static uint32_t
min(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t
max(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void
merge(sim_value *into, const sim_value *from)
{
    for (int s = 0; s < 2; s++) {
        into->sides[s].latest      = hd_time_max(into->sides[s].latest, from->sides[s].latest);
        into->sides[s].latest_next = hd_time_max(into->sides[s].latest_next, from->sides[s].latest_next);
        into->sides[s].n += from->sides[s].n;
        into->sides[s].n_contributing += from->sides[s].n_contributing;
    }
    into->earliest_leave = hd_time_min(into->earliest_leave, from->earliest_leave);
    into->max_bytes      = hd_time_max(into->max_bytes, from->max_bytes);
    into->bytes_each     = hd_time_max(into->bytes_each, from->bytes_each);
    into->min_operation  = min(into->min_operation, from->min_operation);
    into->max_operation  = max(into->max_operation, from->max_operation);
    into->min_node       = min(into->min_node, from->min_node);
    into->max_node       = max(into->max_node, from->max_node);
    into->n_not_exchanging += from->n_not_exchanging;
    into->root = from->n_roots > 0 ? from->root : into->root;
    into->n_roots += from->n_roots;
}

static void
add_steps(sim_instance *instance, const hd_sim_step *steps, size_t n)
{
    for (size_t i = 0; i < n; i++)
        HD_PUSH(instance->steps, instance->n_steps, instance->capacity_steps, steps[i]);
}

static void
combine(hd_reduction_instance *head, uint32_t round, const hd_reduction_payload *from)
{
    sim_instance *instance = (sim_instance *)head;

    (void)round;
    merge(&instance->value, from->value);
    add_steps(instance, from->steps, from->n_steps);
}

static void
replace(hd_reduction_instance *head, uint32_t round, const hd_reduction_payload *from)
{
    sim_instance *instance = (sim_instance *)head;

    (void)round;
    memcpy(&instance->value, from->value, sizeof instance->value);
    instance->n_steps = 0;
    add_steps(instance, from->steps, from->n_steps);
}

static uint32_t
finish(void *context, hd_reduction_instance *head, uint32_t round)
{
    (void)context;
    (void)head;
    return round;
}

/* ---- all wait for the latest ------------------------------------------------------------------------------------- */

static void
add_member(hd_sim_worker *sw, const sim_instance *instance, const sim_member *member, bool contributes, bool waits)
{
    const hd_reduction_comm *comm     = instance->head.comm;
    hd_sim_location         *location = member->location + member->start_thread - member->location->thread;

    HD_PUSH(location->members, location->n_members, location->capacity_members,
            ((hd_sim_member){ .call = member->start_call, .comm = comm->comm, .number = instance->head.number,
                              .waiter = waits ? member->location->number : HD_NONE, .dependency = HD_NONE,
                              .side = member->side, .is_nbc = comm->is_nbc, .contributes = contributes }));
    if (comm->is_nbc && contributes)
        hd_sim_nbc_member(sw, location, instance->value.min_operation, member->next_call);
}

static void
add_for_all(hd_sim_worker *sw, const sim_instance *instance, bool moves_data)
{
    const sim_value         *value = &instance->value;
    const hd_reduction_comm *comm  = instance->head.comm;
    uint32_t                 n     = value->sides[0].n + value->sides[1].n;

    for (uint32_t i = 0; i < instance->n_members; i++) {
        const sim_member *member = &instance->members[i];
        const sim_side   *other  = &value->sides[comm->is_inter ? 1 - member->side : 0];
        bool              waits  = other->n_contributing > 0 && (!moves_data || member->receives);

        add_member(sw, instance, member, !moves_data || member->sends, waits);
        if (!waits)
            continue;
        *hd_sim_new_dependency(member->location) = (hd_sim_dependency){
            .kind = HD_SIM_COLLECTIVE, .call = member->call, .time = other->latest, .bytes = member->bytes,
            .process = HD_NONE, .thread = comm->comm << 1 | comm->is_nbc, .from = instance->head.number,
            .operation = (uint16_t)value->min_operation, .n_members = n, .comm = comm->comm,
            .is_same_node = value->min_node == value->max_node };
        if (comm->is_nbc)
            hd_sim_nbc_wait(sw, member->location, other->latest_next, HD_NONE);
    }
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static int
compare_steps(const void *a_, const void *b_)
{
    const hd_sim_step *a = a_, *b = b_;

    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static hd_sim_dependency
dependency_on(const sim_instance *instance, const hd_sim_step *waiter, const hd_sim_step *other)
{
    const sim_value *value = &instance->value;

    return (hd_sim_dependency){ .kind = HD_SIM_COLLECTIVE, .call = waiter->call, .time = other->enter,
                                .bytes     = hd_time_max(waiter->sent, waiter->received),
                                .process = other->process, .thread = other->start_thread, .from = other->start_call,
                                .operation = (uint16_t)value->min_operation,
                                .n_members = value->sides[0].n + value->sides[1].n, .comm = instance->head.comm->comm,
                                .is_same_node = value->min_node == value->max_node };
}

static bool
is_own(const hd_sim_worker *sw, const hd_worker *worker, const hd_sim_step *step)
{
    return hd_sim_home(sw->sim, step->process) == hd_worker_number(worker);
}

static hd_sim_location *
location_of(const hd_sim_worker *sw, const hd_sim_step *step)
{
    return hd_sim_location_of(sw->sim, step->process, step->thread);
}

/* The root's enter for those that receive of it, or those of all that send for the root. */
static void
add_for_root(hd_sim_worker *sw, const hd_worker *worker, const sim_instance *instance, bool root_is_first)
{
    bool is_inter = instance->head.comm->is_inter;

    for (size_t i = 0; i < instance->n_steps; i++) {
        const hd_sim_step *root = &instance->steps[i];

        for (size_t k = 0; root->is_root && k < instance->n_steps; k++) {
            const hd_sim_step *other = &instance->steps[k], *waiter = root_is_first ? other : root;
            const hd_sim_step *source = root_is_first ? root : other;
            hd_sim_dependency  dependency;

            if (k == i || (is_inter && other->side == root->side) || !is_own(sw, worker, waiter) ||
                (root_is_first ? other->received : other->sent) == 0)
                continue;
            dependency = dependency_on(instance, waiter, source);
            hd_sim_add_dependency(location_of(sw, waiter), &dependency);
            if (instance->head.comm->is_nbc)
                hd_sim_nbc_wait(sw, location_of(sw, waiter), source->next_enter, source->next_call);
        }
    }
}

/* The member before has the latest enter of all before it. steps: ascending by rank. */
static void
add_for_prefix(hd_sim_worker *sw, const hd_worker *worker, const sim_instance *instance)
{
    hd_time latest = 0;

    for (size_t i = 1; i < instance->n_steps; i++) {
        const hd_sim_step *waiter     = &instance->steps[i], *before = &instance->steps[i - 1];
        hd_sim_dependency  dependency = dependency_on(instance, waiter, before);

        latest              = hd_time_max(latest, before->enter);
        dependency.time     = latest;
        dependency.is_relay = true;
        if (is_own(sw, worker, waiter))
            hd_sim_add_dependency(location_of(sw, waiter), &dependency);
    }
}

/* ---- pairs of members of operations with a root ------------------------------------------------------------------ */

/* To the root. */
static uint32_t
relative(const hd_sim_rooted *rooted, uint32_t rank)
{
    return (rank + rooted->operation.n_members - rooted->root) % rooted->operation.n_members;
}

/* Whoever the other one is. */
static hd_sim_pair
pair_of(const hd_sim_rooted *rooted, uint32_t waiter)
{
    hd_sim_pair pair = rooted->operation;

    pair.waiter = relative(rooted, waiter);
    return pair;
}

static void
learn_pairs(hd_sim_worker *sw, const hd_worker *worker, const hd_sim_rooted *rooted)
{
    const hd_sim_step *steps = &sw->steps[rooted->first_step];

    for (size_t i = 0; i < rooted->n_steps; i++) {
        hd_sim_pair pair = pair_of(rooted, steps[i].rank);

        for (size_t k = 0; is_own(sw, worker, &steps[i]) && k < rooted->n_steps; k++) {
            if (i == k || steps[k].enter <= steps[i].enter)
                continue;
            pair.other = relative(rooted, steps[k].rank);
            hd_sim_tree_add(&sw->tree, &pair, steps[i].leave < steps[k].enter);
        }
    }
}

/* steps: ascending by rank. */
static void
keep_rooted(hd_sim_worker *sw, const hd_worker *worker, const sim_instance *instance, bool root_is_first)
{
    const sim_value *value  = &instance->value;
    hd_sim_rooted    rooted = { .operation = { .operation = value->min_operation, .n_members = value->sides[0].n,
                                               .size = hd_sim_power(value->bytes_each) },
                                .root = value->root, .comm = instance->head.comm->comm,
                                .is_same_node = value->min_node == value->max_node,
                                .root_is_first = root_is_first, .first_step = sw->n_steps,
                                .n_steps = instance->n_steps };

    if (instance->head.comm->is_inter || instance->head.comm->is_nbc || value->n_roots != 1 || value->max_bytes == 0 ||
        instance->n_steps < 3)
        return;
    for (size_t i = 0; i < instance->n_steps; i++)
        HD_PUSH(sw->steps, sw->n_steps, sw->capacity_steps, instance->steps[i]);
    HD_PUSH(sw->rooted, sw->n_rooted, sw->capacity_rooted, rooted);
    learn_pairs(sw, worker, &rooted);
}

enum { SHARE_OF_SAME_EVENT = 32 };

typedef struct sim_moment { /* another member enters, or leaves the call before */
    hd_time time;
    size_t  step; /* n_steps: there is none */
    bool    is_leave;
} sim_moment;

/* Until when the leave of another one may be due to the event that ended the wait: a little later than the waiter's own
 * leave, unless that does something else before. */
static hd_time
end_of_same_event(const hd_sim_worker *sw, const hd_sim_step *waiter)
{
    const hd_sim_location *location = location_of(sw, waiter);
    hd_time                end      = waiter->leave + (waiter->leave - waiter->enter) / SHARE_OF_SAME_EVENT;

    if (waiter->call + 1 < location->n_calls && location->calls[waiter->call + 1].enter <= end)
        end = hd_time_max(waiter->leave, location->calls[waiter->call + 1].enter - 1);
    return end;
}

/* The latest moment while the waiter was in the call. */
static sim_moment
latest_within(const hd_sim_worker *sw, const hd_sim_rooted *rooted, const hd_sim_step *steps, size_t waiter)
{
    sim_moment latest = { .time = steps[waiter].enter, .step = rooted->n_steps };
    hd_time    end    = end_of_same_event(sw, &steps[waiter]);

    for (size_t k = 0; k < rooted->n_steps; k++) {
        bool    is_leave = steps[k].enter > steps[waiter].leave;
        hd_time time     = is_leave ? steps[k].free : steps[k].enter;

        if (k != waiter && time > latest.time && time <= end)
            latest = (sim_moment){ time, k, is_leave };
    }
    return latest;
}

static void
settle_waiter(hd_sim_worker *sw, const hd_sim_rooted *rooted, const hd_sim_step *steps, size_t i)
{
    const hd_sim_step *waiter   = &steps[i];
    hd_sim_location   *location = location_of(sw, waiter);
    sim_moment         latest   = latest_within(sw, rooted, steps, i);
    hd_sim_pair        pair     = pair_of(rooted, waiter->rank);
    uint64_t           learned  = hd_sim_learned_others(&sw->sim->learned, &pair);
    uint32_t           other;

    for (size_t k = 0; k < rooted->n_steps; k++) {
        bool is_leave = k == latest.step && latest.is_leave;

        if (k == i || (steps[k].enter > waiter->leave && !is_leave) || (rooted->root_is_first && steps[k].is_root))
            continue;
        pair.other = relative(rooted, steps[k].rank);
        if (k != latest.step && (!hd_sim_pair_other(&pair, &other) || (learned >> other & 1) == 0))
            continue;
        *hd_sim_new_dependency(location) = (hd_sim_dependency){
            .kind = HD_SIM_TREE, .call = waiter->call, .time = is_leave ? latest.time : steps[k].enter,
            .bytes = hd_time_max(waiter->sent, waiter->received), .process = steps[k].process,
            .thread = steps[k].start_thread, .from = steps[k].start_call - is_leave, .is_leave = is_leave,
            .operation = (uint16_t)rooted->operation.operation, .n_members = rooted->operation.n_members,
            .comm = rooted->comm, .is_same_node = rooted->is_same_node };
    }
}

void
hd_sim_settle_trees(hd_sim_worker *sw, hd_worker *worker)
{
    for (size_t r = 0; r < sw->n_rooted; r++) {
        const hd_sim_rooted *rooted = &sw->rooted[r];
        const hd_sim_step   *steps  = &sw->steps[rooted->first_step];

        for (size_t i = 0; i < rooted->n_steps; i++)
            if (is_own(sw, worker, &steps[i]) && (rooted->root_is_first || !steps[i].is_root))
                settle_waiter(sw, rooted, steps, i);
    }
    free(sw->rooted);
    free(sw->steps);
    sw->rooted = NULL;
    sw->steps  = NULL;
    sw->n_rooted = sw->capacity_rooted = sw->n_steps = sw->capacity_steps = 0;
}

/* ---- a decided operation ----------------------------------------------------------------------------------------- */

static void
keep_all(void *context, hd_reduction_instance *head)
{
    const sim_instance *instance = (const sim_instance *)head;
    hd_sim_worker      *sw       = context;

    for (uint32_t i = 0; i < instance->n_members; i++) {
        const sim_member *member = &instance->members[i];

        member->location->calls[member->call].flags |= HD_SIM_CALL_KEPT;
        sw->counts.n_unmatched++;
    }
}

/* An operation of a window that a member left before the last one entered does not synchronise (MPI_Win_fence with
 * assertions), as in the metrics of waiting at windows. */
static bool
is_loose(const sim_value *value)
{
    return hd_coll_class_of(value->min_operation) != HD_COLL_BARRIER && value->earliest_leave < value->sides[0].latest;
}

static void
settle(void *context, hd_worker *worker, hd_reduction_instance *head, uint32_t round)
{
    hd_sim_worker   *sw       = context;
    sim_instance    *instance = (sim_instance *)head;
    const sim_value *value    = &instance->value;
    hd_sim_group     group    = hd_sim_group_of(value->min_operation);

    (void)round;
    if (instance->n_steps > 0)
        qsort(instance->steps, instance->n_steps, sizeof *instance->steps, compare_steps);
    if (value->min_operation != value->max_operation)
        keep_all(sw, head);
    else if (group == HD_SIM_SYNCHRONISES) {
        if (!is_loose(value))
            add_for_all(sw, instance, false);
    } else if (value->max_bytes > 0 &&
             (group == HD_SIM_ALL || (group == HD_SIM_EXCHANGE && value->n_not_exchanging == 0)))
        add_for_all(sw, instance, true);
    else if (value->max_bytes > 0 && group == HD_SIM_PREFIX)
        add_for_prefix(sw, worker, instance);
    else if (value->max_bytes > 0 && (group == HD_SIM_ROOT_FIRST || group == HD_SIM_ROOT_LAST)) {
        add_for_root(sw, worker, instance, group == HD_SIM_ROOT_FIRST);
        keep_rooted(sw, worker, instance, group == HD_SIM_ROOT_FIRST);
    }
    hd_reduction_end(&sw->collectives, head);
}

static const hd_reduction_kind recorded_kind = {
    .item_up        = HD_SIM_ITEM_UP,
    .item_down      = HD_SIM_ITEM_DOWN,
    .instance_bytes = sizeof(sim_instance),
    .member_bytes   = sizeof(sim_member),
    .value_bytes    = sizeof(sim_value),
    .step_bytes     = sizeof(hd_sim_step),
    .begin          = begin,
    .free           = free_steps,
    .payload        = payload,
    .combine        = combine,
    .replace        = replace,
    .finish         = finish,
    .settle         = settle,
};

void
hd_sim_collectives_init(hd_sim_worker *sw, hd_worker *worker)
{
    sw->collectives = (hd_reduction){ .kind = &recorded_kind, .context = sw, .defs = sw->sim->defs,
                                      .placement = sw->sim->request->placement, .scratch = &sw->scratch,
                                      .worker = hd_worker_number(worker) };
    hd_reduction_init(&sw->collectives);
}

void
hd_sim_collectives_fini(hd_sim_worker *sw)
{
    hd_reduction_each_open(&sw->collectives, keep_all);
    hd_reduction_fini(&sw->collectives);
}

/* ---- members ----------------------------------------------------------------------------------------------------- */

typedef struct sim_part { /* of a location in an operation */
    sim_member member;
    hd_time    enter, leave, next_enter;
    uint64_t   sent, received;
    uint32_t   comm, number, operation, rank, n_members;
    bool       is_nbc, is_root;
} sim_part;

/* counts: the member is waited for. */
static inline void
add_part(sim_value *into, const sim_part *part, bool counts, uint32_t node)
{
    const sim_member *member = &part->member;
    sim_side         *side   = &into->sides[member->side];

    side->n++;
    if (counts) {
        side->n_contributing++;
        side->latest      = hd_time_max(side->latest, part->enter);
        side->latest_next = hd_time_max(side->latest_next, part->next_enter);
    }
    into->earliest_leave = hd_time_min(into->earliest_leave, part->leave);
    into->max_bytes      = hd_time_max(into->max_bytes, member->bytes);
    if (part->n_members > 0)
        into->bytes_each = hd_time_max(into->bytes_each, member->bytes / part->n_members);
    into->min_operation = min(into->min_operation, part->operation);
    into->max_operation = max(into->max_operation, part->operation);
    into->min_node      = min(into->min_node, node);
    into->max_node      = max(into->max_node, node);
    into->n_not_exchanging += !member->sends || !member->receives;
    into->root = part->is_root ? part->rank : into->root;
    into->n_roots += part->is_root;
}

static void
contribute(hd_sim_worker *sw, hd_worker *worker, const sim_part *part)
{
    hd_reduction_comm *comm     = hd_reduction_comm_of(&sw->collectives, part->comm, part->is_nbc);
    sim_instance      *instance = (sim_instance *)hd_reduction_instance_of(&sw->collectives, comm, part->number);
    const sim_member  *member   = &part->member;
    hd_sim_group       group    = hd_sim_group_of(part->operation);

    if (instance->n_members == comm->tree.n_members) /* damaged: it is there twice */
        return;
    add_part(&instance->value, part, group == HD_SIM_SYNCHRONISES || member->sends,
             hd_defs_processes(sw->sim->defs)[member->location->process_id].node);
    instance->members[instance->n_members++] = *member;
    if (group == HD_SIM_ROOT_FIRST || group == HD_SIM_ROOT_LAST || group == HD_SIM_PREFIX)
        add_steps(instance, &(hd_sim_step){
            .enter = part->enter, .leave = part->leave, .sent = part->sent, .received = part->received,
            .free = member->start_call > 0 ? member->location->calls[member->start_call - 1].leave : 0,
            .rank = part->rank, .process = member->location->process_id, .thread = member->location->thread,
            .call = member->call, .start_thread = member->start_thread, .start_call = member->start_call,
            .next_call = member->next_call, .next_enter = part->next_enter, .side = member->side,
            .is_root = part->is_root }, 1);
    hd_reduction_contribute(&sw->collectives, worker, &instance->head, 0);
}

/* MPI_Init and MPI_Finalize are operation 0 of communicators of their own, of the thread that did them first. */
static void
world_found(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location, const hd_sim_record *record)
{
    bool     is_init = record->op.kind == HD_OP_INIT;
    uint32_t call    = record->call;
    sim_part part    = { .member = { .location = location, .call = call, .start_thread = location->thread,
                                     .start_call = call },
                         .enter = location->calls[call].enter, .leave = location->calls[call].leave,
                         .comm = sw->sim->defs->n_comms + !is_init, .rank = location->process_id,
                         .operation = is_init ? HD_OPERATION_INIT : HD_OPERATION_FINALIZE };

    if (location->process_id >= sw->sim->defs->n_mpi_processes ||
        !(is_init ? location->location->has_init : location->location->has_finalize))
        return;
    contribute(sw, worker, &part);
}

static uint32_t
comm_size(const hd_defs *defs, const hd_comm *comm)
{
    const hd_comm_group *groups = hd_defs_groups(defs);

    return groups[comm->group_a].n + (comm->group_b != HD_NONE ? groups[comm->group_b].n : 0);
}

/* The call that started a non-blocking operation; the one that completes it where that is not known. */
static void
find_start(const hd_sim *sim, const hd_nbc *nbc, sim_part *part)
{
    const hd_sim_location *starter = part->member.location;
    uint32_t               call;

    if (nbc->thread != HD_NONE)
        starter = hd_sim_location_of(sim, starter->process_id, nbc->thread);
    call = hd_sim_call_entered(starter, nbc->begin);
    if (call == HD_NONE)
        return;
    part->member.start_thread = starter->thread;
    part->member.start_call   = call;
    part->enter               = starter->calls[call].enter;
    part->member.next_call    = hd_sim_nbc_next(starter, call);
    part->next_enter          = starter->calls[part->member.next_call].enter;
}

/* An operation on a communicator. */
static void
operation_found(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location, const hd_sim_record *record)
{
    const hd_op      *op      = &record->op;
    const hd_defs    *defs    = sw->sim->defs;
    const hd_oplog   *log     = &location->location->log;
    const hd_channel *channel = &log->channels[op->channel];
    const hd_comm    *comm    = &hd_defs_comms(defs)[channel->comm];
    hd_sim_group      group   = hd_sim_group_of(op->operation);
    uint32_t          call    = record->call;
    sim_part          part    = { .member = { .location = location, .call = call, .start_thread = location->thread,
                                              .start_call = call, .next_call = call, .sends = op->sent > 0,
                                              .receives = op->received > 0,
                                              .bytes = hd_time_max(op->sent, op->received),
                                              .side = (uint8_t)channel->peer },
                                  .enter = location->calls[call].enter, .leave = location->calls[call].leave,
                                  .next_enter = location->calls[call].enter,
                                  .sent = op->sent, .received = op->received, .operation = op->operation,
                                  .comm = channel->comm, .rank = channel->peer_rank, .n_members = comm_size(defs, comm),
                                  .is_nbc = op->kind == HD_OP_NBC };

    if (op->kind == HD_OP_NBC) {
        part.number = log->rare->nbcs[op->number].number;
        find_start(sw->sim, &log->rare->nbcs[op->number], &part);
    } else
        part.number = record->number;
    if (group == HD_SIM_KEPT || hd_defs_groups(defs)[comm->group_a].self || part.n_members < 2)
        return;
    if (group == HD_SIM_PREFIX && part.is_nbc) {
        location->calls[call].flags |= HD_SIM_CALL_KEPT;
        return;
    }
    part.is_root = comm->group_b == HD_NONE ? op->root == channel->peer_rank : op->root == HD_COLL_ROOT_SELF;
    contribute(sw, worker, &part);
}

void
hd_sim_collective_found(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location, const hd_sim_record *record)
{
    if (record->op.kind == HD_OP_INIT || record->op.kind == HD_OP_FINALIZE)
        world_found(sw, worker, location, record);
    else
        operation_found(sw, worker, location, record);
}
