/* replay/core/reduction.c: the way of contributions up the tree of a communicator, and of results down. */
#include "reduction.h"

#include "comm_group.h"
#include "memory.h"
#include "status.h"

typedef struct reduction_item { /* the value and the steps follow */
    uint32_t comm, number, n_steps;
    uint16_t round;
    uint16_t is_nbc;
} reduction_item;

_Static_assert(sizeof(reduction_item) % 8 == 0, "items are whole words");

void
hd_reduction_init(hd_reduction *reduction)
{
    HD_ASSERT(reduction->kind->value_bytes <= HD_REDUCTION_MAX_VALUE_BYTES);
    HD_ASSERT(reduction->kind->value_bytes % 8 == 0);
    HD_ASSERT(reduction->kind->step_bytes % 8 == 0);
    reduction->last      = NULL;
    reduction->comms     = (hd_map){ 0 };
    reduction->unused    = (hd_map){ 0 };
    reduction->instances = (hd_map){ 0 };
}

static void
free_instance(const hd_reduction *reduction, hd_reduction_instance *instance)
{
    reduction->kind->free(instance);
    free(instance);
}

static void
free_unused(const hd_reduction *reduction, hd_reduction_unused *unused)
{
    while (unused->first != NULL) {
        hd_reduction_instance *instance = unused->first;

        unused->first = instance->next_unused;
        free_instance(reduction, instance);
    }
    free(unused);
}

static void
free_comm(hd_reduction_comm *comm)
{
    hd_reduction_tree_fini(&comm->tree);
    free(comm);
}

void
hd_reduction_fini(hd_reduction *reduction)
{
    for (uint32_t i = 0; reduction->instances.slots != NULL && i <= reduction->instances.mask; i++)
        if (reduction->instances.slots[i].key != HD_MAP_FREE)
            free_instance(reduction, (hd_reduction_instance *)(uintptr_t)reduction->instances.slots[i].value);
    for (uint32_t i = 0; reduction->comms.slots != NULL && i <= reduction->comms.mask; i++)
        if (reduction->comms.slots[i].key != HD_MAP_FREE)
            free_comm((hd_reduction_comm *)(uintptr_t)reduction->comms.slots[i].value);
    for (uint32_t i = 0; reduction->unused.slots != NULL && i <= reduction->unused.mask; i++)
        if (reduction->unused.slots[i].key != HD_MAP_FREE)
            free_unused(reduction, (hd_reduction_unused *)(uintptr_t)reduction->unused.slots[i].value);
    hd_map_fini(&reduction->comms);
    hd_map_fini(&reduction->unused);
    hd_map_fini(&reduction->instances);
}

void
hd_reduction_each_open(const hd_reduction *reduction, void (*visit)(void *context, hd_reduction_instance *instance))
{
    for (uint32_t i = 0; reduction->instances.slots != NULL && i <= reduction->instances.mask; i++)
        if (reduction->instances.slots[i].key != HD_MAP_FREE)
            visit(reduction->context, (hd_reduction_instance *)(uintptr_t)reduction->instances.slots[i].value);
}

uint32_t *
hd_reduction_members(const hd_defs *defs, uint32_t comm, uint32_t *n)
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

static hd_reduction_unused *
unused_of(hd_reduction *reduction, uint32_t n_members)
{
    bool      is_new;
    uint64_t *place = hd_map_add(&reduction->unused, n_members, &is_new);

    if (is_new)
        *place = (uint64_t)(uintptr_t)HD_NEW(hd_reduction_unused);
    return (hd_reduction_unused *)(uintptr_t)*place;
}

static hd_reduction_comm *
new_comm(hd_reduction *reduction, uint32_t comm, bool is_nbc)
{
    const hd_defs     *defs = reduction->defs;
    hd_reduction_comm *made = HD_NEW(hd_reduction_comm);
    uint32_t           n, *members = hd_reduction_members(defs, comm, &n);

    made->comm     = comm;
    made->number   = reduction->comms.n - 1; /* its place in the map has been made */
    made->limit    = HD_NONE;
    made->is_nbc   = is_nbc;
    made->is_inter = comm < defs->n_comms && hd_defs_comms(defs)[comm].group_b != HD_NONE;
    hd_reduction_tree_init(&made->tree, reduction->scratch, reduction->placement, reduction->worker, members, n);
    free(members);
    made->unused = unused_of(reduction, made->tree.n_members);
    return made;
}

hd_reduction_comm *
hd_reduction_comm_find(hd_reduction *reduction, uint32_t comm, bool is_nbc)
{
    bool      is_new;
    uint64_t *place = hd_map_add(&reduction->comms, (uint64_t)comm << 1 | is_nbc, &is_new);

    if (is_new)
        *place = (uint64_t)(uintptr_t)new_comm(reduction, comm, is_nbc);
    return reduction->last = (hd_reduction_comm *)(uintptr_t)*place;
}

static hd_reduction_instance *
new_instance(const hd_reduction_kind *kind, hd_reduction_comm *comm, uint32_t number)
{
    hd_reduction_instance *instance = comm->unused->first;

    if (instance != NULL)
        comm->unused->first = instance->next_unused;
    else
        instance = hd_alloc(1, kind->instance_bytes + comm->tree.n_members * kind->member_bytes);
    instance->comm   = comm;
    instance->number = number;
    for (uint32_t round = 0; round < HD_REDUCTION_ROUNDS; round++)
        instance->n_missing[round] = comm->tree.n_members + comm->tree.n_children;
    kind->begin(instance);
    return instance;
}

hd_reduction_instance *
hd_reduction_instance_find(hd_reduction *reduction, hd_reduction_comm *comm, uint32_t number)
{
    bool      is_new;
    uint64_t *place = hd_map_add(&reduction->instances, (uint64_t)comm->number << 32 | number, &is_new);

    if (is_new)
        *place = (uint64_t)(uintptr_t)new_instance(reduction->kind, comm, number);
    return comm->recent[number % HD_REDUCTION_RECENT] = (hd_reduction_instance *)(uintptr_t)*place;
}

void
hd_reduction_end(hd_reduction *reduction, hd_reduction_instance *instance)
{
    hd_reduction_instance **recent = &instance->comm->recent[instance->number % HD_REDUCTION_RECENT];

    if (*recent == instance)
        *recent = NULL;
    hd_map_remove(&reduction->instances, (uint64_t)instance->comm->number << 32 | instance->number);
    instance->next_unused         = instance->comm->unused->first;
    instance->comm->unused->first = instance;
}

static void
send_item(const hd_reduction *reduction, hd_worker *worker, const hd_reduction_instance *instance, uint32_t round,
          uint32_t to, uint32_t item_kind)
{
    const hd_reduction_kind *kind    = reduction->kind;
    hd_reduction_payload     payload = kind->payload(instance, round);
    struct {
        reduction_item item;
        uint64_t       value[HD_REDUCTION_MAX_VALUE_BYTES / 8];
    } head;

    head.item = (reduction_item){ .comm = instance->comm->comm, .number = instance->number, .n_steps = payload.n_steps,
                                  .round = (uint16_t)round, .is_nbc = instance->comm->is_nbc };
    memcpy(head.value, payload.value, kind->value_bytes);
    hd_worker_send(worker, to, item_kind, &head, (uint32_t)sizeof head.item + kind->value_bytes, payload.steps,
                   payload.n_steps * kind->step_bytes);
}

static void
hand_down(hd_reduction *reduction, hd_worker *worker, hd_reduction_instance *instance, uint32_t round)
{
    const hd_reduction_tree *tree = &instance->comm->tree;

    for (uint32_t i = 0; i < tree->n_children; i++)
        send_item(reduction, worker, instance, round, tree->children[i], reduction->kind->item_down);
    if (tree->n_children > 0)
        hd_worker_hurry(worker);
    reduction->kind->settle(reduction->context, worker, instance, round);
}

void
hd_reduction_go_on(hd_reduction *reduction, hd_worker *worker, hd_reduction_instance *instance, uint32_t round)
{
    uint32_t parent = instance->comm->tree.parent;
    uint32_t result = reduction->kind->finish(reduction->context, instance, round);

    if (parent != HD_NONE)
        send_item(reduction, worker, instance, round, parent, reduction->kind->item_up);
    else
        hand_down(reduction, worker, instance, result);
}

void
hd_reduction_deliver(hd_reduction *reduction, hd_worker *worker, uint32_t kind, const void *data)
{
    const reduction_item  *item     = data;
    const char            *value    = (const char *)(item + 1);
    hd_reduction_payload   payload  = { value, value + reduction->kind->value_bytes, item->n_steps };
    hd_reduction_comm     *comm     = hd_reduction_comm_of(reduction, item->comm, item->is_nbc != 0);
    hd_reduction_instance *instance = hd_reduction_instance_of(reduction, comm, item->number);

    if (kind == reduction->kind->item_up) {
        reduction->kind->combine(instance, item->round, &payload);
        hd_reduction_contribute(reduction, worker, instance, item->round);
        return;
    }
    reduction->kind->replace(instance, item->round, &payload);
    hand_down(reduction, worker, instance, item->round);
}
