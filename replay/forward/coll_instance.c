/* replay/forward/coll_instance.c: how values of members are combined. Every choice has one outcome, so the order does
 * not matter. */
#include "coll_instance.h"

void
hd_coll_instance_begin(hd_reduction_instance *head)
{
    hd_coll_instance *instance = (hd_coll_instance *)head;

    instance->value = (hd_coll_value){ .earliest_end = UINT64_MAX, .earliest_receiver = UINT64_MAX, .min_root = HD_NONE,
                                       .min_operation = HD_NONE };
    instance->n_steps          = 0;
    instance->n_ideal_steps    = 0;
    instance->list             = HD_NONE;
    instance->has_second_round = false;
    instance->is_decided       = false;
    instance->notifications.n       = 0;
    instance->n_notifications       = 0;
    instance->n_members        = 0;
}

void
hd_coll_instance_free(hd_reduction_instance *head)
{
    hd_coll_instance *instance = (hd_coll_instance *)head;

    free(instance->steps);
    free(instance->ideal_steps);
    free(instance->notifications.rows);
}


/* The combined latest begin is that of the lowest rank among equals. */
static inline void
merge_begin(hd_coll_side *into, hd_time begin, uint32_t rank, uint32_t n)
{
    if (into->n == 0 || begin > into->latest || (begin == into->latest && rank < into->latest_rank)) {
        into->latest      = begin;
        into->latest_rank = rank;
    }
    into->n += n;
}

static inline void
merge_sender(hd_coll_side *into, hd_time begin, uint32_t rank, uint32_t n)
{
    if (into->n_senders == 0 || begin > into->latest_sender ||
        (begin == into->latest_sender && rank < into->latest_sender_rank)) {
        into->latest_sender      = begin;
        into->latest_sender_rank = rank;
    }
    into->n_senders += n;
}

static void
merge_sides(hd_coll_side *into, const hd_coll_side *from)
{
    if (from->n > 0)
        merge_begin(into, from->latest, from->latest_rank, from->n);
    if (from->n_senders > 0)
        merge_sender(into, from->latest_sender, from->latest_sender_rank, from->n_senders);
}

typedef struct coll_steps { /* of an instance */
    hd_coll_step **rows;
    uint32_t      *n;
    size_t        *capacity;
} coll_steps;

static coll_steps
steps_of(hd_coll_instance *instance)
{
    return (coll_steps){ &instance->steps, &instance->n_steps, &instance->capacity_steps };
}

static coll_steps
ideal_steps_of(hd_coll_instance *instance)
{
    return (coll_steps){ &instance->ideal_steps, &instance->n_ideal_steps, &instance->capacity_ideal_steps };
}

static void
reserve_rows(coll_steps steps, size_t n)
{
    while (*steps.capacity < n)
        *steps.rows = hd_grow(*steps.rows, *steps.capacity, steps.capacity, sizeof **steps.rows);
}

static void
reserve_steps(hd_coll_instance *instance, size_t n)
{
    reserve_rows(steps_of(instance), n);
}

/* A step that begins no later than one of a lower rank is dropped. */
static void
merge_rows(coll_steps into, const hd_coll_step *from, uint32_t n_from)
{
    uint32_t      n = *into.n, i = 0, j = 0, n_kept = 0;
    hd_coll_step *old;

    if (n_from == 0)
        return;
    if (n_from == 1 && (n == 0 || from->rank > (*into.rows)[n - 1].rank)) { /* mostly members come in rank order */
        if (n > 0 && from->begin <= (*into.rows)[n - 1].begin)
            return;
        HD_PUSH(*into.rows, *into.n, *into.capacity, *from);
        return;
    }
    old = HD_NEW_ARRAY(hd_coll_step, n);
    if (n > 0)
        memcpy(old, *into.rows, n * sizeof *old);
    reserve_rows(into, (size_t)n + n_from);
    while (i < n || j < n_from) {
        hd_coll_step next = j == n_from || (i < n && old[i].rank <= from[j].rank) ? old[i++] : from[j++];

        if (n_kept == 0 || next.begin > (*into.rows)[n_kept - 1].begin)
            (*into.rows)[n_kept++] = next;
    }
    *into.n = n_kept;
    free(old);
}

static void
merge_steps(hd_coll_instance *into, const hd_coll_step *from, uint32_t n_from)
{
    merge_rows(steps_of(into), from, n_from);
}

/* Of those that are handed over, how many are not ideal ones; these are behind them. */
static uint32_t
n_plain(const hd_coll_step *steps, uint32_t n)
{
    while (n > 0 && steps[n - 1].is_ideal)
        n--;
    return n;
}

/* Fences: the notifications for each worker are added up. */
static void
merge_notification_counts(hd_coll_instance *into, const hd_coll_step *from, uint32_t n_from)
{
    uint32_t n = into->n_steps;

    reserve_steps(into, (size_t)n + n_from);
    for (uint32_t j = 0; j < n_from; j++) {
        uint32_t low = 0, high = n;

        while (low < high) {
            uint32_t middle = (low + high) / 2;

            if (into->steps[middle].worker < from[j].worker)
                low = middle + 1;
            else
                high = middle;
        }
        if (low == n || into->steps[low].worker != from[j].worker) {
            memmove(&into->steps[low + 1], &into->steps[low], (n - low) * sizeof *from);
            into->steps[low] = (hd_coll_step){ .worker = from[j].worker };
            n++;
        }
        into->steps[low].n_notifications += from[j].n_notifications;
    }
    into->n_steps = n;
}

static uint32_t
smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t
larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* The first round. */
static void
merge_values(hd_coll_value *into, const hd_coll_value *from)
{
    into->earliest_end      = hd_time_min(into->earliest_end, from->earliest_end);
    into->earliest_receiver = hd_time_min(into->earliest_receiver, from->earliest_receiver);
    merge_sides(&into->sides[0], &from->sides[0]);
    merge_sides(&into->sides[1], &from->sides[1]);
    if (from->n_roots > 0) {
        into->root_begin = from->root_begin;
        into->root_bytes = from->root_bytes;
    }
    into->n_roots += from->n_roots;
    into->max_bytes     = from->max_bytes > into->max_bytes ? from->max_bytes : into->max_bytes;
    into->min_root      = smaller(into->min_root, from->min_root);
    into->max_root      = larger(into->max_root, from->max_root);
    into->min_operation = smaller(into->min_operation, from->min_operation);
    into->max_operation = larger(into->max_operation, from->max_operation);
    into->n_not_exchanging += from->n_not_exchanging;
    hd_ideal_value_merge(&into->ideal, &from->ideal);
}

hd_reduction_payload
hd_coll_instance_payload(const hd_reduction_instance *head, uint32_t round)
{
    hd_coll_instance *instance = (hd_coll_instance *)(uintptr_t)head; /* room behind its steps is no part of it */
    uint32_t          n        = instance->n_steps + instance->n_ideal_steps;

    (void)round;
    if (HD_UNLIKELY(instance->n_ideal_steps > 0)) {
        reserve_steps(instance, n);
        memcpy(instance->steps + instance->n_steps, instance->ideal_steps,
               instance->n_ideal_steps * sizeof *instance->steps);
    }
    return (hd_reduction_payload){ &instance->value, instance->steps, n };
}

static void
merge_all_steps(hd_coll_instance *instance, const hd_coll_step *from, uint32_t n)
{
    uint32_t plain = n_plain(from, n);

    merge_steps(instance, from, plain);
    merge_rows(ideal_steps_of(instance), from + plain, n - plain);
}

void
hd_coll_instance_combine(hd_reduction_instance *head, uint32_t round, const hd_reduction_payload *from)
{
    hd_coll_instance    *instance = (hd_coll_instance *)head;
    const hd_coll_value *value    = from->value;

    if (hd_coll_class_of(value->min_operation) == HD_COLL_FENCE)
        merge_notification_counts(instance, from->steps, from->n_steps);
    else
        merge_all_steps(instance, from->steps, from->n_steps);
    if (round == HD_COLL_SECOND_ROUND)
        instance->value.earliest_end = hd_time_min(instance->value.earliest_end, value->earliest_end);
    else
        merge_values(&instance->value, value);
}

void
hd_coll_instance_replace(hd_reduction_instance *head, uint32_t round, const hd_reduction_payload *from)
{
    hd_coll_instance   *instance = (hd_coll_instance *)head;
    const hd_coll_step *steps    = from->steps;
    uint32_t            plain;

    (void)round;
    memcpy(&instance->value, from->value, sizeof instance->value);
    plain = n_plain(steps, from->n_steps);
    reserve_steps(instance, plain);
    instance->n_steps       = plain;
    instance->n_ideal_steps = 0;
    if (plain > 0)
        memcpy(instance->steps, steps, plain * sizeof *steps);
    merge_rows(ideal_steps_of(instance), steps + plain, from->n_steps - plain);
}

static void
add_root(hd_coll_value *value, const hd_member *member, const hd_op *op, hd_coll_class c)
{
    value->n_roots++;
    value->root_begin = member->begin;
    value->root_bytes = c == HD_COLL_1TON ? op->sent : op->received;
}

/* Prefix reductions: a member that sends. */
static void
add_steps(hd_coll_instance *instance, const hd_member *member)
{
    hd_coll_step step = { .begin = member->begin, .rank = member->rank };

    merge_steps(instance, &step, 1);
    step.begin    = member->vproc->ideal.enter;
    step.is_ideal = true;
    merge_rows(ideal_steps_of(instance), &step, 1);
}

void
hd_coll_instance_add(hd_coll_instance *instance, const hd_member *member, const hd_op *op, hd_coll_class c)
{
    hd_coll_value *value = &instance->value;
    hd_coll_side  *side  = &value->sides[member->side];
    hd_time        begin = member->begin;
    uint64_t       bytes = op->sent > op->received ? op->sent : op->received;

    merge_begin(side, begin, member->rank, 1);
    if (member->sends)
        merge_sender(side, begin, member->rank, 1);
    if (!member->is_absent)
        value->earliest_end = hd_time_min(value->earliest_end, member->end);
    if (member->is_root)
        add_root(value, member, op, c);
    else if (member->receives)
        value->earliest_receiver = hd_time_min(value->earliest_receiver, begin);
    value->max_bytes     = bytes > value->max_bytes ? bytes : value->max_bytes;
    value->min_root      = smaller(value->min_root, op->root);
    value->max_root      = larger(value->max_root, op->root);
    value->min_operation = smaller(value->min_operation, op->operation);
    value->max_operation = larger(value->max_operation, op->operation);
    value->n_not_exchanging += !(member->sends && member->receives);
    hd_ideal_value_add(&value->ideal, member->vproc->ideal.enter, c, member->role);
    if (HD_UNLIKELY(c == HD_COLL_SCAN) && member->sends)
        add_steps(instance, member);
}

void
hd_coll_instance_add_synchronising(hd_coll_instance *instance, const hd_member *member)
{
    hd_coll_step step = { .begin = member->rank, .rank = member->rank }; /* begins ascend, so that no step is dropped */

    merge_steps(instance, &step, 1);
}

void
hd_coll_instance_count_notification(hd_coll_instance *instance, uint32_t worker)
{
    merge_notification_counts(instance, &(hd_coll_step){ .n_notifications = 1, .worker = worker }, 1);
}

uint32_t
hd_coll_steps_up_to(const hd_coll_instance *instance, uint32_t rank)
{
    uint32_t low = 0, high = instance->n_steps;

    while (low < high) {
        uint32_t middle = (low + high) / 2;

        if (instance->steps[middle].rank <= rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool
has_root(hd_coll_class c)
{
    return c == HD_COLL_1TON || c == HD_COLL_NTO1 || c == HD_COLL_SHMEM_1TON;
}

bool
hd_coll_instance_is_mixed(const hd_coll_instance *instance)
{
    const hd_coll_value *value = &instance->value;

    if (value->min_operation != value->max_operation)
        return true;
    if (!has_root(hd_coll_class_of(value->min_operation)))
        return false;
    return value->n_roots != 1 || (!instance->head.comm->is_inter && value->min_root != value->max_root);
}
