/* replay/forward/coll_stats.c: sums of an operation over its members, up the tree of the communicator. The statistics
 * count an operation as one instance, so no worker can add it before the sum is complete at the root. */
#include "coll_stats.h"

typedef struct coll_sum { /* of a worker and the workers below */
    uint32_t    n_missing; /* of these workers, those that have not added their parts */
    uint32_t    n_parts;
    hd_instance parts[HD_COLL_MAX_PARTS];
} coll_sum;

typedef struct coll_waits_item {
    uint32_t comm, number, n_parts, unused; /* n_parts hd_instance follow */
} coll_waits_item;

_Static_assert(sizeof(coll_waits_item) % 8 == 0 && sizeof(hd_instance) % 8 == 0, "items are whole words");

void
hd_coll_stats_init(hd_coll_worker *coll)
{
    hd_pool_init(&coll->sum_pool, sizeof(coll_sum));
}

void
hd_coll_stats_fini(hd_coll_worker *coll)
{
    HD_ASSERT(coll->sums.n == 0); /* what is decided is decided on all workers */
    hd_map_fini(&coll->sums);
    hd_pool_fini(&coll->sum_pool);
}

static void
add_part(hd_instance *parts, uint32_t *n, const hd_instance *part)
{
    uint32_t i = 0;

    while (i < *n && parts[i].metric != part->metric)
        i++;
    HD_ASSERT(i < HD_COLL_MAX_PARTS);
    if (i == *n)
        parts[(*n)++].n_waiters = 0;
    hd_instance_add_part(&parts[i], part);
}

static void
note_part(const hd_coll_booking *booking, const hd_wait *wait)
{
    hd_coll_worker *coll = booking->rh->coll;
    hd_instance   part;

    if (wait->time <= 0 || hd_node_is_outside(booking->rh->replay, wait->node))
        return;
    part = hd_vproc_instance(booking->member->vproc, wait);
    add_part(coll->parts, &coll->n_parts, &part);
}

void
hd_coll_stats_begin(hd_replay_worker *rh)
{
    rh->coll->n_parts = 0;
}

static void
note_waiting(const hd_coll_booking *booking, hd_wait wait)
{
    wait.time = booking->waiting;
    wait.peer = hd_coll_delayer_process(booking->rh, booking->instance, booking->member);
    note_part(booking, &wait);
}

static void
note_completion(const hd_coll_booking *booking, hd_wait wait)
{
    wait.time = booking->completion;
    wait.from = booking->member->end - (hd_time)booking->completion;
    wait.peer = HD_NONE;
    note_part(booking, &wait);
}

/* MPI_Init counts completion only, MPI_Finalize waiting only. */
void
hd_coll_stats_member(const hd_coll_booking *booking)
{
    const hd_member *member    = booking->member;
    uint32_t         operation = booking->instance->value.min_operation;
    bool             is_init   = operation == HD_OPERATION_INIT, is_finalize = operation == HD_OPERATION_FINALIZE;
    hd_wait               wait = { .node = member->node, .enter = member->enter, .leave = member->leave,
                                   .from = member->begin };

    if (is_init || is_finalize) {
        wait.enter = member->begin;
        wait.leave = member->end;
    }
    if (booking->waiting > 0 && !is_init) {
        wait.metric = is_finalize ? HD_METRIC_mpi_finalize_wait : booking->rule->waiting;
        note_waiting(booking, wait);
    }
    wait.metric = is_init ? HD_METRIC_mpi_init_completion : booking->rule->completion;
    if (wait.metric != HD_N_METRICS && !is_finalize)
        note_completion(booking, wait);
}

void
hd_coll_stats_fence(const hd_coll_booking *booking, const hd_rma_fence_waits *waits)
{
    const hd_member *member = booking->member;
    hd_wait wait = { .metric = HD_METRIC_mpi_rma_wait_at_fence, .node = member->node, .enter = member->enter,
                     .leave = member->leave, .from = member->enter, .time = waits->waiting, .peer = waits->peer,
                     .peer_thread = waits->peer_thread };

    if (booking->wait.synchronises) { /* it waits for the latest member, not for an operation */
        wait.from        = member->begin;
        wait.peer        = hd_coll_delayer_process(booking->rh, booking->instance, member);
        wait.peer_thread = 0;
    }
    note_part(booking, &wait);
    note_part(booking, &(hd_wait){ .metric = HD_METRIC_mpi_rma_early_fence, .node = member->node,
                                   .enter = member->enter, .leave = member->leave, .from = member->enter,
                                   .time = waits->early, .peer = waits->peer, .peer_thread = waits->peer_thread });
}

/* The parts of this worker, or the sum of a worker below: sent up once all are there, and counted at the root. */
static void
sum_up(hd_replay_worker *rh, hd_worker *worker, const hd_reduction_comm *comm, uint32_t number,
       const hd_instance *parts, uint32_t n)
{
    hd_coll_worker *coll = rh->coll;
    uint64_t        key  = (uint64_t)comm->number << 32 | number;
    coll_waits_item item = { .comm = comm->comm, .number = number };
    bool            is_new;
    uint64_t       *place = hd_map_add(&coll->sums, key, &is_new);
    coll_sum       *sum;

    if (is_new) {
        sum            = hd_pool_take(&coll->sum_pool);
        sum->n_parts   = 0;
        sum->n_missing = comm->tree.n_children + 1;
        *place         = (uint64_t)(uintptr_t)sum;
    }
    sum = (coll_sum *)(uintptr_t)*place;
    for (uint32_t i = 0; i < n; i++)
        add_part(sum->parts, &sum->n_parts, &parts[i]);
    if (--sum->n_missing > 0)
        return;
    item.n_parts = sum->n_parts;
    if (comm->tree.parent != HD_NONE)
        hd_worker_send(worker, comm->tree.parent, HD_ITEM_COLL_WAITS, &item, sizeof item, sum->parts,
                       sum->n_parts * (uint32_t)sizeof(hd_instance));
    for (uint32_t i = 0; i < sum->n_parts && comm->tree.parent == HD_NONE; i++)
        hd_instance_table_add(rh->statistics, &sum->parts[i]);
    hd_map_remove(&coll->sums, key);
    hd_pool_put(&coll->sum_pool, sum);
}

void
hd_coll_stats_end(hd_replay_worker *rh, hd_worker *worker, const hd_coll_instance *instance)
{
    const hd_coll_worker    *coll = rh->coll;
    const hd_reduction_comm *comm = instance->head.comm;

    if (comm->tree.parent == HD_NONE && comm->tree.n_children == 0)
        for (uint32_t i = 0; i < coll->n_parts; i++)
            hd_instance_table_add(rh->statistics, &coll->parts[i]);
    else
        sum_up(rh, worker, comm, instance->head.number, coll->parts, coll->n_parts);
}

void
hd_coll_stats_deliver(hd_replay_worker *rh, hd_worker *worker, const void *data)
{
    const coll_waits_item *item  = data;
    const hd_instance     *parts = (const hd_instance *)(const void *)(item + 1);

    sum_up(rh, worker, hd_reduction_comm_of(&rh->coll->reduction, item->comm, false), item->number, parts,
           item->n_parts);
}
