/* replay/forward/coll_rules.c: the table of the classes of collective operations, and the functions that it names. */
#include "coll_rules.h"

#include "comm_group.h"
#include "comm_members.h"

/* The members that a member receives from, or sends to. */
static const hd_coll_side *
other_side(const hd_coll_instance *instance, const hd_member *member)
{
    return &instance->value.sides[instance->head.comm->is_inter ? 1 - member->side : 0];
}

static bool
overlaps_fully(const hd_coll_value *value)
{
    return value->earliest_end > hd_time_max(value->sides[0].latest, value->sides[1].latest);
}

/* Operations with a root have no completion time: the end of the members that synchronise is for delay costs alone, and
 * for blocking operations. */
static bool
needs_ends(const hd_replay *replay, const hd_coll_instance *instance)
{
    return !instance->head.comm->is_nbc && replay->request->delays;
}

/* ---- all members wait for the latest one ------------------------------------------------------------------------- */

static hd_coll_wait
wait_for_all(const hd_replay *replay, const hd_coll_instance *instance, const hd_member *member)
{
    (void)replay;
    return (hd_coll_wait){ .until = other_side(instance, member)->latest, .first_end = instance->value.earliest_end,
                           .synchronises = true };
}

/* Operations that synchronise all members or none. */
static hd_coll_wait
wait_if_all_overlap(const hd_replay *replay, const hd_coll_instance *instance, const hd_member *member)
{
    return overlaps_fully(&instance->value) ? wait_for_all(replay, instance, member) : (hd_coll_wait){ 0 };
}

/* Which members exchange data is not recorded: it is known only where all of them do. */
static hd_coll_wait
wait_in_exchange(const hd_replay *replay, const hd_coll_instance *instance, const hd_member *member)
{
    if (replay->compat || instance->value.n_not_exchanging > 0)
        return (hd_coll_wait){ 0 };
    return wait_if_all_overlap(replay, instance, member);
}

/* ---- N-to-N: where it overlaps only in part, receivers wait for the latest of the members that send to them ------ */

static bool
waits_for_sender(const hd_coll_instance *instance, const hd_member *member)
{
    const hd_coll_side *other = other_side(instance, member);

    return member->receives && other->n_senders > 0 && member->begin < other->latest_sender;
}

static bool
is_latest_sender(const hd_coll_value *value, const hd_member *member)
{
    const hd_coll_side *own = &value->sides[member->side];

    return member->sends && own->n_senders > 0 && own->latest_sender_rank == member->rank;
}

static bool
synchronises_in_part(const hd_coll_instance *instance, const hd_member *member)
{
    return waits_for_sender(instance, member) || is_latest_sender(&instance->value, member);
}

static hd_coll_wait
wait_n_to_n(const hd_replay *replay, const hd_coll_instance *instance, const hd_member *member)
{
    hd_time latest_sender = other_side(instance, member)->latest_sender;

    if (instance->value.max_bytes == 0)
        return (hd_coll_wait){ 0 };
    if (!instance->has_second_round)
        return wait_for_all(replay, instance, member);
    return (hd_coll_wait){ .until        = waits_for_sender(instance, member) ? latest_sender : member->begin,
                           .first_end    = instance->value.earliest_end,
                           .synchronises = synchronises_in_part(instance, member) };
}

static bool
overlaps_in_part(const hd_replay *replay, const hd_coll_instance *instance)
{
    (void)replay;
    return instance->value.max_bytes > 0 && !overlaps_fully(&instance->value);
}

/* ---- 1-to-N: members that begin before the root wait for it ------------------------------------------------------ */

/* SHMEM does not record bytes: all members receive. */
static bool
is_shmem(const hd_coll_value *value)
{
    return hd_coll_class_of(value->min_operation) == HD_COLL_SHMEM_1TON;
}

static bool
waits_for_root(const hd_coll_instance *instance, const hd_member *member)
{
    const hd_coll_value *value = &instance->value;

    return (member->receives || is_shmem(value)) && !member->is_root && member->begin < value->root_begin;
}

static bool
any_waits_for_root(const hd_coll_value *value)
{
    return (value->root_bytes > 0 || is_shmem(value)) && value->earliest_receiver < value->root_begin;
}

static hd_coll_wait
wait_shmem_1_to_n(const hd_replay *replay, const hd_coll_instance *instance, const hd_member *member)
{
    const hd_coll_value *value = &instance->value;
    bool takes_part = member->is_root ? any_waits_for_root(value) : waits_for_root(instance, member);

    (void)replay;
    return (hd_coll_wait){ .until = value->root_begin, .first_end = UINT64_MAX, .synchronises = takes_part };
}

static hd_coll_wait
wait_1_to_n(const hd_replay *replay, const hd_coll_instance *instance, const hd_member *member)
{
    hd_coll_wait wait = { 0 };

    if (instance->value.root_bytes == 0)
        return wait;
    wait = wait_shmem_1_to_n(replay, instance, member);
    if (instance->has_second_round)
        wait.first_end = instance->value.earliest_end;
    return wait;
}

static bool
is_root_late(const hd_replay *replay, const hd_coll_instance *instance)
{
    return needs_ends(replay, instance) && any_waits_for_root(&instance->value);
}

static bool
is_root_or_waits_for_it(const hd_coll_instance *instance, const hd_member *member)
{
    return member->is_root || waits_for_root(instance, member);
}

/* ---- N-to-1: the root waits for the latest sender ---------------------------------------------------------------- */

static bool
root_waits(const hd_coll_value *value, const hd_coll_side *senders)
{
    return value->root_bytes > 0 && senders->n_senders > 0 && value->root_begin < senders->latest_sender;
}

static bool
is_root_or_latest_sender(const hd_coll_instance *instance, const hd_member *member)
{
    return member->is_root || is_latest_sender(&instance->value, member);
}

static hd_coll_wait
wait_n_to_1(const hd_replay *replay, const hd_coll_instance *instance, const hd_member *member)
{
    const hd_coll_value *value   = &instance->value;
    const hd_coll_side  *senders = other_side(instance, member);
    bool takes_part = instance->head.comm->is_inter ? member->is_root : is_root_or_latest_sender(instance, member);

    (void)replay;
    return (hd_coll_wait){ .until        = senders->latest_sender,
                           .first_end    = instance->has_second_round ? value->earliest_end : UINT64_MAX,
                           .synchronises = takes_part && root_waits(value, senders) };
}

static bool
is_sender_late(const hd_replay *replay, const hd_coll_instance *instance)
{
    const hd_coll_value *value = &instance->value;

    return needs_ends(replay, instance) && !instance->head.comm->is_inter && root_waits(value, &value->sides[0]);
}

/* ---- prefix reductions: a member waits for the latest of lower ranks --------------------------------------------- */

static hd_coll_wait
wait_in_scan(const hd_replay *replay, const hd_coll_instance *instance, const hd_member *member)
{
    uint32_t n = member->sends || member->receives ? hd_coll_steps_up_to(instance, member->rank) : 0;
    hd_time  latest;

    (void)replay;
    if (n == 0)
        return (hd_coll_wait){ 0 };
    latest = instance->steps[n - 1].begin;
    return (hd_coll_wait){ .until = latest, .first_end = UINT64_MAX, .synchronises = latest > member->begin };
}

bool
hd_coll_is_step(const hd_coll_instance *instance, const hd_member *member)
{
    uint32_t n = hd_coll_steps_up_to(instance, member->rank);

    return n > 0 && instance->steps[n - 1].rank == member->rank;
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

static hd_coll_wait
wait_for_none(const hd_replay *replay, const hd_coll_instance *instance, const hd_member *member)
{
    (void)replay;
    (void)instance;
    (void)member;
    return (hd_coll_wait){ 0 };
}

#define NO_METRIC HD_N_METRICS

static const hd_coll_rule rules[] = {
    [HD_COLL_NONE] = { .wait = wait_for_none, .waiting = NO_METRIC, .completion = NO_METRIC, .nbc_waiting = NO_METRIC,
                       .delay = HD_DELAY_NONE },
    [HD_COLL_BARRIER] = { .wait = wait_for_all, .waiting = HD_METRIC_mpi_barrier_wait,
                          .completion = HD_METRIC_mpi_barrier_completion,
                          .nbc_waiting = HD_METRIC_mpi_nbc_barrier_wait, .delay = HD_DELAY_BARRIER },
    [HD_COLL_NXN] = { .wait = wait_n_to_n, .needs_second_round = overlaps_in_part,
                      .counts_in_second_round = synchronises_in_part, .lists_members = true,
                      .waiting = HD_METRIC_mpi_wait_nxn, .completion = HD_METRIC_mpi_nxn_completion,
                      .nbc_waiting = HD_METRIC_mpi_nbc_wait_nxn, .delay = HD_DELAY_N2N },
    [HD_COLL_EXCHANGE] = { .wait = wait_in_exchange, .waiting = HD_METRIC_mpi_wait_nxn,
                           .completion = HD_METRIC_mpi_nxn_completion, .nbc_waiting = HD_METRIC_mpi_nbc_wait_nxn,
                           .delay = HD_DELAY_N2N },
    [HD_COLL_1TON] = { .wait = wait_1_to_n, .needs_second_round = is_root_late,
                       .counts_in_second_round = waits_for_root, .delayer = HD_COLL_THE_ROOT,
                       .waiting = HD_METRIC_mpi_latebroadcast, .completion = NO_METRIC,
                       .nbc_waiting = HD_METRIC_mpi_nbc_latebroadcast, .delay = HD_DELAY_12N },
    [HD_COLL_NTO1] = { .wait = wait_n_to_1, .needs_second_round = is_sender_late,
                       .counts_in_second_round = is_root_or_latest_sender, .delayer = HD_COLL_LATEST_SENDER,
                       .waiting = HD_METRIC_mpi_earlyreduce, .completion = NO_METRIC,
                       .nbc_waiting = HD_METRIC_mpi_nbc_earlyreduce, .delay = HD_DELAY_N21 },
    [HD_COLL_SCAN] = { .wait = wait_in_scan, .delayer = HD_COLL_LATEST_BELOW, .waiting = HD_METRIC_mpi_earlyscan,
                       .completion = NO_METRIC, .nbc_waiting = HD_METRIC_mpi_nbc_earlyscan,
                       .delay = HD_DELAY_SCAN },
    [HD_COLL_CREATE] = { .wait = wait_if_all_overlap, .waiting = HD_METRIC_mpi_rma_wait_at_create,
                         .completion = NO_METRIC, .nbc_waiting = NO_METRIC, .delay = HD_DELAY_RMA },
    [HD_COLL_FREE] = { .wait = wait_if_all_overlap, .waiting = HD_METRIC_mpi_rma_wait_at_free,
                       .completion = NO_METRIC, .nbc_waiting = NO_METRIC, .delay = HD_DELAY_RMA },
    [HD_COLL_FENCE] = { .wait = wait_if_all_overlap, .waiting = HD_METRIC_mpi_rma_wait_at_fence,
                        .completion = NO_METRIC, .nbc_waiting = NO_METRIC, .delay = HD_DELAY_RMA },
    [HD_COLL_SHMEM_BARRIER] = { .wait = wait_for_all, .waiting = HD_METRIC_shmem_barrier_wait,
                                .completion = NO_METRIC, .nbc_waiting = NO_METRIC, .delay = HD_DELAY_RMA },
    [HD_COLL_SHMEM_1TON] = { .wait = wait_shmem_1_to_n, .needs_second_round = is_root_late,
                             .counts_in_second_round = is_root_or_waits_for_it, .lists_members = true,
                             .delayer = HD_COLL_THE_ROOT, .waiting = HD_METRIC_shmem_latebroadcast,
                             .completion = NO_METRIC, .nbc_waiting = NO_METRIC, .delay = HD_DELAY_RMA },
    [HD_COLL_SHMEM_NXN] = { .wait = wait_for_all, .waiting = HD_METRIC_shmem_wait_nxn, .completion = NO_METRIC,
                            .nbc_waiting = NO_METRIC, .delay = HD_DELAY_RMA },
    [HD_COLL_FILE_OPEN] = { .wait = wait_if_all_overlap, .waiting = HD_METRIC_mpi_file_wait, .completion = NO_METRIC,
                            .nbc_waiting = NO_METRIC, .delay = HD_DELAY_FILE_IO },
    [HD_COLL_FILE_IO] = { .wait = wait_if_all_overlap, .waiting = HD_METRIC_mpi_io_wait, .completion = NO_METRIC,
                          .nbc_waiting = NO_METRIC, .delay = HD_DELAY_FILE_IO },
};

const hd_coll_rule *
hd_coll_rule_of(const hd_coll_instance *instance)
{
    return &rules[hd_coll_instance_class(instance)];
}

/* ---- whom a member waits for ------------------------------------------------------------------------------------- */

uint32_t
hd_coll_delayer_rank(const hd_coll_instance *instance, const hd_member *member)
{
    const hd_coll_side *other = other_side(instance, member);
    uint32_t            n;

    switch (hd_coll_rule_of(instance)->delayer) {
    case HD_COLL_THE_ROOT:
        return instance->value.min_root;
    case HD_COLL_LATEST_SENDER:
        return other->latest_sender_rank;
    case HD_COLL_LATEST_BELOW:
        n = hd_coll_steps_up_to(instance, member->rank);
        return n > 0 ? instance->steps[n - 1].rank : 0;
    case HD_COLL_LATEST:
        break;
    }
    return instance->has_second_round ? other->latest_sender_rank : other->latest_rank;
}

uint32_t
hd_coll_delayer_process(hd_replay_worker *rh, const hd_coll_instance *instance, const hd_member *member)
{
    const hd_defs           *defs = rh->replay->defs;
    const hd_reduction_comm *comm = instance->head.comm;
    uint32_t                 rank = hd_coll_delayer_rank(instance, member);

    if (comm->comm >= defs->n_comms)
        return rank;
    if (other_side(instance, member) == &instance->value.sides[0])
        return hd_comm_member(rh, comm->comm, rank);
    return hd_comm_group_member(defs, &hd_defs_groups(defs)[hd_defs_comms(defs)[comm->comm].group_b], rank);
}
