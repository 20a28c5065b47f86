/* replay/clock/clock_coll.c: collective operations as a client of reduction.h. What a member's end is bound by depends
 * on the class of the operation: the rules are a table of functions over the combined value, so a class is a row. */
#include "clock_coll.h"

#include "clock_incomplete.h"
#include "coll_class.h"
#include "reduction.h"

enum { SIDES = 2, BEGINS = 0, ENDS = 1, ROUNDS = 2 };

typedef struct coll_value { /* of the members so far; by side of an inter-communicator, others have side 0 only */
    hd_clock_bound all[SIDES], senders[SIDES], root; /* latest begins */
    hd_time        earliest_end[SIDES];              /* corrected; of members that were bound */
} coll_value;

typedef struct coll_step {
    hd_clock_bound begin; /* first round; prefix reduction: of a member that sends; fence: latest access to this rank */
    hd_time        end;   /* second round: corrected, of a member that was bound */
    uint32_t       rank, unused;
} coll_step;

typedef struct coll_member {
    hd_clock_vproc            *vproc;
    const hd_clock_collective *call;
    size_t                     begin; /* its event */
} coll_member;

typedef struct coll_steps {
    coll_step *rows;            /* [n] in any order; once the round is combined, ascending in rank, one for each rank */
    size_t     n, capacity;
} coll_steps;

typedef struct coll_instance {
    hd_reduction_instance head;
    coll_value      value;
    coll_steps      steps[ROUNDS];
    /* Prefix reductions; NULL: not made yet. */
    hd_clock_bound *begins_up_to; /* [steps[BEGINS].n] the latest of this step and lower ranks */
    hd_time        *ends_from;    /* [steps[ENDS].n] the earliest of this step and higher ranks */
    uint32_t        n_members, n_ended;
    uint32_t        waiting;      /* list of vprocs, see hd_clock_wait() */
    bool            is_decided;   /* all begins are known */
    coll_member     members[];    /* [head.comm->tree.n_members], n_members of them have begun */
} coll_instance;

struct hd_clock_coll {
    hd_reduction        reduction; /* of coll_instance */
    hd_clock_incomplete incomplete;
};

/* ---- what is combined -------------------------------------------------------------------------------------------- */

static void
free_sums(coll_instance *instance)
{
    free(instance->begins_up_to);
    free(instance->ends_from);
    instance->begins_up_to = NULL;
    instance->ends_from    = NULL;
}

static void
begin_instance(hd_reduction_instance *head)
{
    coll_instance *instance = (coll_instance *)head;

    free_sums(instance); /* of the use before */
    instance->value.root = HD_CLOCK_NO_BOUND;
    for (uint32_t side = 0; side < SIDES; side++) {
        instance->value.all[side] = instance->value.senders[side] = HD_CLOCK_NO_BOUND;
        instance->value.earliest_end[side]                        = UINT64_MAX;
    }
    for (uint32_t round = 0; round < ROUNDS; round++)
        instance->steps[round].n = 0;
    instance->n_members  = 0;
    instance->n_ended    = 0;
    instance->waiting    = HD_NONE;
    instance->is_decided = false;
}

static void
free_instance(hd_reduction_instance *head)
{
    coll_instance *instance = (coll_instance *)head;

    free_sums(instance);
    for (uint32_t round = 0; round < ROUNDS; round++)
        free(instance->steps[round].rows);
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
add_step(coll_steps *steps, const coll_step *step)
{
    HD_PUSH(steps->rows, steps->n, steps->capacity, *step);
}

static int
compare_steps(const void *a_, const void *b_)
{
    const coll_step *a = a_, *b = b_;

    return (a->rank > b->rank) - (a->rank < b->rank);
}

static void
merge_steps(coll_steps *steps)
{
    size_t n = 0;

    if (steps->n > 1)
        qsort(steps->rows, steps->n, sizeof *steps->rows, compare_steps);
    for (size_t i = 0; i < steps->n; i++)
        if (n == 0 || steps->rows[n - 1].rank != steps->rows[i].rank)
            steps->rows[n++] = steps->rows[i];
        else {
            merge_bound(&steps->rows[n - 1].begin, &steps->rows[i].begin);
            steps->rows[n - 1].end = hd_time_min(steps->rows[n - 1].end, steps->rows[i].end);
        }
    steps->n = n;
}

static hd_reduction_payload
payload(const hd_reduction_instance *head, uint32_t round)
{
    const coll_instance *instance = (const coll_instance *)head;

    return (hd_reduction_payload){ &instance->value, instance->steps[round].rows, (uint32_t)instance->steps[round].n };
}

static void
combine(hd_reduction_instance *head, uint32_t round, const hd_reduction_payload *from)
{
    coll_instance   *instance = (coll_instance *)head;
    const coll_step *steps    = from->steps;

    merge_value(&instance->value, from->value);
    for (uint32_t i = 0; i < from->n_steps; i++)
        add_step(&instance->steps[round], &steps[i]);
}

/* What comes down includes what is here, but for ends that came since: the value is merged. */
static void
replace(hd_reduction_instance *head, uint32_t round, const hd_reduction_payload *from)
{
    ((coll_instance *)head)->steps[round].n = 0;
    combine(head, round, from);
}

static uint32_t
finish(void *context, hd_reduction_instance *head, uint32_t round)
{
    (void)context;
    merge_steps(&((coll_instance *)head)->steps[round]);
    return round;
}

/* ---- who waits for whom ------------------------------------------------------------------------------------------ */

static bool
is_root(const coll_instance *instance, const hd_clock_collective *call)
{
    return instance->head.comm->is_inter ? call->root == HD_COLL_ROOT_SELF : call->root == call->rank;
}

/* The side whose begins bound the member's end. */
static uint32_t
other_side(const coll_instance *instance, const hd_clock_collective *call)
{
    return instance->head.comm->is_inter ? 1 - (uint32_t)call->side % SIDES : 0;
}

static bool
is_sending_root(const coll_instance *instance, const hd_clock_collective *call)
{
    return call->sends && is_root(instance, call);
}

static bool
is_sender(const coll_instance *instance, const hd_clock_collective *call)
{
    (void)instance;
    return call->sends;
}

static bool
is_receiver(const coll_instance *instance, const hd_clock_collective *call)
{
    (void)instance;
    return call->receives;
}

static bool
is_receiving_root(const coll_instance *instance, const hd_clock_collective *call)
{
    return call->receives && is_root(instance, call);
}

static bool
is_receiver_not_root(const coll_instance *instance, const hd_clock_collective *call)
{
    return call->receives && !is_root(instance, call);
}

static bool
is_any(const coll_instance *instance, const hd_clock_collective *call)
{
    (void)instance;
    (void)call;
    return true;
}

static bool
is_none(const coll_instance *instance, const hd_clock_collective *call)
{
    (void)instance;
    (void)call;
    return false;
}

static hd_clock_bound
bound_by_all(coll_instance *instance, const hd_clock_collective *call)
{
    return instance->value.all[other_side(instance, call)];
}

static hd_clock_bound
bound_by_senders(coll_instance *instance, const hd_clock_collective *call)
{
    return instance->value.senders[other_side(instance, call)];
}

static hd_clock_bound
bound_by_root(coll_instance *instance, const hd_clock_collective *call)
{
    (void)call;
    return instance->value.root;
}

/* The number of steps of ranks below this one. */
static size_t
steps_below(const coll_steps *steps, uint64_t rank)
{
    size_t low = 0, high = steps->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (steps->rows[middle].rank < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Prefix reductions: the latest begins of lower ranks. */
static hd_clock_bound
bound_by_lower_ranks(coll_instance *instance, const hd_clock_collective *call)
{
    const coll_steps *steps = &instance->steps[BEGINS];
    hd_clock_bound    bound = HD_CLOCK_NO_BOUND;
    size_t            below = steps_below(steps, call->rank);

    if (below == 0)
        return bound;
    if (instance->begins_up_to == NULL) {
        instance->begins_up_to = HD_NEW_ARRAY(hd_clock_bound, steps->n);
        for (size_t i = 0; i < steps->n; i++) {
            merge_bound(&bound, &steps->rows[i].begin);
            instance->begins_up_to[i] = bound;
        }
    }
    return instance->begins_up_to[below - 1];
}

/* Prefix reductions: the earliest end of higher ranks. */
static hd_time
earliest_end_above(coll_instance *instance, uint32_t rank)
{
    const coll_steps *steps    = &instance->steps[ENDS];
    hd_time           earliest = UINT64_MAX;
    size_t            from     = steps_below(steps, (uint64_t)rank + 1);

    if (from == steps->n)
        return UINT64_MAX;
    if (instance->ends_from == NULL) {
        instance->ends_from = HD_NEW_ARRAY(hd_time, steps->n);
        for (size_t i = steps->n; i-- > 0;) {
            earliest               = hd_time_min(earliest, steps->rows[i].end);
            instance->ends_from[i] = earliest;
        }
    }
    return instance->ends_from[from];
}

/* NULL: there is none of this rank. */
static const coll_step *
step_of(const coll_steps *steps, uint32_t rank)
{
    coll_step key = { .rank = rank };

    return steps->n > 0 ? bsearch(&key, steps->rows, steps->n, sizeof key, compare_steps) : NULL;
}

/* Fences: the latest access to the member's part of the window. */
static hd_clock_bound
bound_by_accesses(coll_instance *instance, const hd_clock_collective *call)
{
    const coll_step *step = step_of(&instance->steps[BEGINS], call->rank);

    return step != NULL ? step->begin : HD_CLOCK_NO_BOUND;
}

static hd_clock_bound
bound_by_none(coll_instance *instance, const hd_clock_collective *call)
{
    (void)instance;
    (void)call;
    return HD_CLOCK_NO_BOUND;
}

typedef bool coll_is(const coll_instance *instance, const hd_clock_collective *call);

typedef struct coll_rule {
    bool     all_bind; /* the begin of every member bounds ends */
    coll_is *sends;    /* all_bind is false: whether the begin of a member bounds ends */
    coll_is *is_bound; /* whether the end of a member waits for begins */
    hd_clock_bound (*bound)(coll_instance *instance, const hd_clock_collective *call); /* all begins are known */
} coll_rule;

static const coll_rule rule_of_none   = { .sends = is_none, .is_bound = is_none, .bound = bound_by_none };
static const coll_rule rule_of_all    = { .all_bind = true, .sends = is_none, .is_bound = is_any,
                                          .bound = bound_by_all };
static const coll_rule rule_of_n_to_n = { .sends = is_sender, .is_bound = is_receiver, .bound = bound_by_senders };
static const coll_rule rule_of_1_to_n = { .sends = is_sending_root, .is_bound = is_receiver_not_root,
                                          .bound = bound_by_root };
static const coll_rule rule_of_n_to_1 = { .sends = is_sender, .is_bound = is_receiving_root,
                                          .bound = bound_by_senders };
static const coll_rule rule_of_scan   = { .sends = is_sender, .is_bound = is_receiver, .bound = bound_by_lower_ranks };
static const coll_rule rule_of_fence  = { .sends = is_none, .is_bound = is_any, .bound = bound_by_accesses };

static const coll_rule *const rules[] = {
    [HD_COLL_NONE]     = &rule_of_none,
    [HD_COLL_BARRIER]  = &rule_of_all,
    [HD_COLL_NXN]      = &rule_of_n_to_n,
    [HD_COLL_1TON]     = &rule_of_1_to_n,
    [HD_COLL_NTO1]     = &rule_of_n_to_1,
    [HD_COLL_SCAN]     = &rule_of_scan,
    [HD_COLL_EXCHANGE] = &rule_of_none,
    [HD_COLL_CREATE]   = &rule_of_all,
    [HD_COLL_FREE]     = &rule_of_all,
    [HD_COLL_FENCE]    = &rule_of_fence,
    [HD_COLL_SHMEM_BARRIER] = &rule_of_all,
    [HD_COLL_SHMEM_1TON]    = &rule_of_none,
    [HD_COLL_SHMEM_NXN]     = &rule_of_all,
};

static const coll_rule *
rule_of(const hd_clock_collective *call)
{
    return rules[hd_coll_class_of(call->operation)];
}

/* The earliest end of the members that a member's begin bounds; UINT64_MAX: there are none. */
static hd_time
earliest_bound_end(coll_instance *instance, const hd_clock_collective *call)
{
    if (!rule_of(call)->all_bind && !rule_of(call)->sends(instance, call))
        return UINT64_MAX;
    if (hd_coll_class_of(call->operation) == HD_COLL_SCAN)
        return earliest_end_above(instance, call->rank);
    return instance->value.earliest_end[other_side(instance, call)];
}

/* ---- rounds ------------------------------------------------------------------------------------------------------ */

/* Whether there is a second round. */
static bool
has_ends(const hd_clock_replay *replay)
{
    return replay->request->corrects && !replay->is_check;
}

/* The event must not be later than the earliest end of the members that it bounds; UINT64_MAX: there are none. */
static void
limit_event(const hd_clock_replay *replay, hd_clock_vproc *vproc, size_t event, hd_time earliest)
{
    hd_time corrected = hd_clock_corrected(vproc->log, event);

    if (earliest != UINT64_MAX)
        hd_clock_limit(vproc, event, hd_time_max(earliest - (hd_time)replay->latency, corrected));
}

static void
limit_member(const hd_clock_replay *replay, coll_instance *instance, const coll_member *member)
{
    const hd_clock_collective *call = member->call;

    limit_event(replay, member->vproc, member->begin, earliest_bound_end(instance, call));
    for (uint32_t k = 0; k < call->n_targets; k++) {
        const hd_clock_target *target = &member->vproc->log->targets[call->first_target + k];
        const coll_step       *step   = step_of(&instance->steps[ENDS], target->rank);

        if (step != NULL && target->rank != call->rank)
            limit_event(replay, member->vproc, target->point, step->end);
    }
}

static void
settle(void *context, hd_worker *worker, hd_reduction_instance *head, uint32_t round)
{
    hd_clock_worker *ch     = context;
    coll_instance *instance = (coll_instance *)head;

    if (round == BEGINS) {
        instance->is_decided = true;
        hd_clock_wake_waiting(ch->replay, worker, &instance->waiting);
        if (!has_ends(ch->replay) && instance->n_ended == head->comm->tree.n_members)
            hd_reduction_end(&ch->coll->reduction, head);
        return;
    }
    for (uint32_t i = 0; i < instance->n_members; i++)
        limit_member(ch->replay, instance, &instance->members[i]);
    hd_reduction_end(&ch->coll->reduction, head);
}

static const hd_reduction_kind reduction_kind = {
    .item_up        = HD_CLOCK_ITEM_UP,
    .item_down      = HD_CLOCK_ITEM_DOWN,
    .instance_bytes = sizeof(coll_instance),
    .member_bytes   = sizeof(coll_member),
    .value_bytes    = sizeof(coll_value),
    .step_bytes     = sizeof(coll_step),
    .begin          = begin_instance,
    .free           = free_instance,
    .payload        = payload,
    .combine        = combine,
    .replace        = replace,
    .finish         = finish,
    .settle         = settle,
};

_Static_assert((int)ROUNDS == (int)HD_REDUCTION_ROUNDS, "begins, ends");

static const hd_clock_collective *
call_of(const hd_clock_vproc *vproc)
{
    return &vproc->log->collectives[vproc->log->points[vproc->at].what];
}

/* NULL: nothing is compared in it, as it has one member only, or lacks members. */
static coll_instance *
instance_of(hd_clock_worker *ch, const hd_clock_collective *call)
{
    hd_reduction      *reduction = &ch->coll->reduction;
    hd_reduction_comm *comm;

    if (hd_clock_is_alone(ch->replay->defs, call->comm))
        return NULL;
    comm = hd_reduction_comm_of(reduction, call->comm, call->is_nbc);
    return call->number < comm->limit ? (coll_instance *)hd_reduction_instance_of(reduction, comm, call->number) : NULL;
}

static void
add_begin(coll_instance *instance, const hd_clock_collective *call, const hd_clock_bound *bound)
{
    hd_coll_class c = hd_coll_class_of(call->operation);

    merge_bound(&instance->value.all[call->side % SIDES], bound);
    if (!rule_of(call)->sends(instance, call))
        return;
    merge_bound(&instance->value.senders[call->side % SIDES], bound);
    if (c == HD_COLL_1TON)
        merge_bound(&instance->value.root, bound);
    if (c == HD_COLL_SCAN)
        add_step(&instance->steps[BEGINS], &(coll_step){ .begin = *bound, .rank = call->rank });
}

/* Fences: the accesses to other members since the fence before. */
static void
add_accesses(coll_instance *instance, const hd_clock_vproc *vproc, const hd_clock_collective *call)
{
    for (uint32_t i = 0; i < call->n_targets; i++) {
        const hd_clock_target *target = &vproc->log->targets[call->first_target + i];
        hd_clock_stamp         access = { .process = vproc->process_id, .thread = vproc->thread };

        if (target->point >= vproc->at) /* records are out of order */
            continue;
        if (target->rank == call->rank)
            continue;
        access.time      = vproc->log->points[target->point].time;
        access.corrected = hd_clock_corrected(vproc->log, target->point);
        add_step(&instance->steps[BEGINS], &(coll_step){ .begin = { access, access }, .rank = target->rank });
    }
}

void
hd_clock_coll_begin(hd_clock_worker *ch, hd_worker *worker, hd_clock_vproc *vproc)
{
    const hd_clock_collective *call     = call_of(vproc);
    coll_instance             *instance = instance_of(ch, call);
    hd_clock_stamp             own;

    if (instance == NULL)
        return;
    own = hd_clock_stamp_at(ch->replay, vproc);
    HD_ASSERT(instance->n_members < instance->head.comm->tree.n_members);
    instance->members[instance->n_members++] = (coll_member){ .vproc = vproc, .call = call, .begin = vproc->at };
    add_begin(instance, call, &(hd_clock_bound){ own, own });
    add_accesses(instance, vproc, call);
    hd_reduction_contribute(&ch->coll->reduction, worker, &instance->head, BEGINS);
}

bool
hd_clock_coll_bound(hd_clock_worker *ch, hd_clock_vproc *vproc, hd_clock_bound *bound)
{
    const hd_clock_collective *call     = call_of(vproc);
    coll_instance             *instance = instance_of(ch, call);

    if (instance == NULL || !rule_of(call)->is_bound(instance, call))
        return true;
    if (vproc->released) {
        hd_clock_stop_waiting(ch->replay, vproc, &instance->waiting);
        return true;
    }
    if (!instance->is_decided) {
        hd_clock_wait(vproc, &instance->waiting);
        return false;
    }
    *bound = rule_of(call)->bound(instance, call);
    return true;
}

void
hd_clock_coll_end(hd_clock_worker *ch, hd_worker *worker, hd_clock_vproc *vproc, const hd_clock_bound *bound)
{
    const hd_clock_collective *call     = call_of(vproc);
    coll_instance             *instance = instance_of(ch, call);
    hd_coll_class              c        = hd_coll_class_of(call->operation);
    hd_time                   *earliest;
    hd_time                    end;

    if (instance == NULL)
        return;
    instance->n_ended++;
    if (!has_ends(ch->replay)) {
        if (instance->n_ended == instance->head.comm->tree.n_members && instance->is_decided)
            hd_reduction_end(&ch->coll->reduction, &instance->head);
        return;
    }
    end = hd_clock_stamp_at(ch->replay, vproc).corrected;
    if (bound->corrected.process != HD_NONE) {
        earliest  = &instance->value.earliest_end[call->side % SIDES];
        *earliest = hd_time_min(*earliest, end);
        if (c == HD_COLL_SCAN || c == HD_COLL_FENCE)
            add_step(&instance->steps[ENDS], &(coll_step){ .end = end, .rank = call->rank });
    }
    hd_reduction_contribute(&ch->coll->reduction, worker, &instance->head, ENDS);
}

/* ---- a worker ---------------------------------------------------------------------------------------------------- */

hd_clock_coll *
hd_clock_coll_new(hd_clock_worker *ch, hd_worker *worker)
{
    hd_clock_coll *coll = HD_NEW(hd_clock_coll);

    coll->reduction = (hd_reduction){ .kind = &reduction_kind, .context = ch, .defs = ch->replay->defs,
                                      .placement = ch->replay->request->placement, .scratch = &ch->scratch,
                                      .worker = hd_worker_number(worker) };
    hd_reduction_init(&coll->reduction);
    return coll;
}

void
hd_clock_coll_free(hd_clock_coll *coll)
{
    hd_reduction_fini(&coll->reduction);
    hd_clock_incomplete_fini(&coll->incomplete);
    free(coll);
}

void
hd_clock_coll_announce(hd_clock_worker *ch, hd_worker *worker, const hd_clock_process *process)
{
    hd_clock_incomplete_announce(&ch->coll->incomplete, ch, worker, process);
}

void
hd_clock_coll_exclude(hd_clock_worker *ch, hd_worker *worker)
{
    hd_clock_incomplete_notify(&ch->coll->incomplete, ch, worker, &ch->coll->reduction);
}

void
hd_clock_coll_deliver(hd_clock_worker *ch, hd_worker *worker, uint32_t kind, const void *data)
{
    if (kind == HD_CLOCK_ITEM_UP || kind == HD_CLOCK_ITEM_DOWN)
        hd_reduction_deliver(&ch->coll->reduction, worker, kind, data);
    else
        hd_clock_incomplete_deliver(&ch->coll->incomplete, &ch->coll->reduction, kind, data);
}
