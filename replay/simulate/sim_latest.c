/* replay/simulate/sim_latest.c: the latest of the new enters of all members that contribute, in each lane. */
#include "sim_latest.h"

#include "sim_arrival.h"

typedef struct sim_latest_value {
    hd_span sides[2][HD_SIM_WIDEST];
} sim_latest_value;

typedef struct sim_latest_member {
    uint32_t waiter, dependency;
    uint32_t side, unused;
} sim_latest_member;

typedef struct sim_latest {
    hd_reduction_instance head;
    sim_latest_value      value;
    uint32_t              n_members, unused;
    sim_latest_member     members[]; /* [head.comm->tree.n_members] */
} sim_latest;

static void
begin(hd_reduction_instance *head)
{
    sim_latest *latest = (sim_latest *)head;

    for (int s = 0; s < 2; s++)
        hd_sim_lanes_fill(latest->value.sides[s], INT64_MIN, HD_SIM_WIDEST);
    latest->n_members = 0;
}

static void
free_nothing(hd_reduction_instance *head)
{
    (void)head;
}

static hd_reduction_payload
payload(const hd_reduction_instance *head, uint32_t round)
{
    (void)round;
    return (hd_reduction_payload){ &((const sim_latest *)head)->value, NULL, 0 };
}

static void
combine(hd_reduction_instance *head, uint32_t round, const hd_reduction_payload *from)
{
    sim_latest             *latest = (sim_latest *)head;
    const sim_latest_value *value  = from->value;

    (void)round;
    for (int s = 0; s < 2; s++)
        hd_sim_lanes_later(latest->value.sides[s], value->sides[s], HD_SIM_WIDEST);
}

static void
replace(hd_reduction_instance *head, uint32_t round, const hd_reduction_payload *from)
{
    (void)round;
    memcpy(&((sim_latest *)head)->value, from->value, sizeof(sim_latest_value));
}

static uint32_t
finish(void *context, hd_reduction_instance *head, uint32_t round)
{
    (void)context;
    (void)head;
    return round;
}

static void
settle(void *context, hd_worker *worker, hd_reduction_instance *head, uint32_t round)
{
    hd_sim_worker    *sw     = context;
    const sim_latest *latest = (const sim_latest *)head;

    (void)round;
    for (uint32_t i = 0; i < latest->n_members; i++) {
        const sim_latest_member *member = &latest->members[i];
        uint32_t                 side   = head->comm->is_inter ? 1 - member->side : 0;

        if (member->waiter != HD_NONE)
            hd_sim_arrive(sw, worker, &sw->sim->locations[member->waiter], member->dependency,
                          latest->value.sides[side], sw->sim->width);
    }
    hd_reduction_end(&sw->collectives, head);
}

static const hd_reduction_kind latest_kind = {
    .item_up        = HD_SIM_ITEM_UP,
    .item_down      = HD_SIM_ITEM_DOWN,
    .instance_bytes = sizeof(sim_latest),
    .member_bytes   = sizeof(sim_latest_member),
    .value_bytes    = sizeof(sim_latest_value),
    .step_bytes     = 8,
    .begin          = begin,
    .free           = free_nothing,
    .payload        = payload,
    .combine        = combine,
    .replace        = replace,
    .finish         = finish,
    .settle         = settle,
};

void
hd_sim_latest_init(hd_sim_worker *sw, hd_worker *worker)
{
    sw->collectives = (hd_reduction){ .kind = &latest_kind, .context = sw, .defs = sw->sim->defs,
                                      .placement = sw->sim->request->placement, .scratch = &sw->scratch,
                                      .worker = hd_worker_number(worker) };
    hd_reduction_init(&sw->collectives);
}

void
hd_sim_latest_fini(hd_sim_worker *sw)
{
    hd_reduction_fini(&sw->collectives);
}

void
hd_sim_latest_enter(hd_sim_worker *sw, hd_worker *worker, const hd_sim_member *member, const hd_span *enter)
{
    hd_reduction_comm *comm   = hd_reduction_comm_of(&sw->collectives, member->comm, member->is_nbc);
    sim_latest        *latest = (sim_latest *)hd_reduction_instance_of(&sw->collectives, comm, member->number);

    if (enter != NULL)
        hd_sim_lanes_later(latest->value.sides[comm->is_inter ? member->side : 0], enter, sw->sim->width);
    latest->members[latest->n_members++] = (sim_latest_member){
        .waiter = member->dependency == HD_NONE ? HD_NONE : member->waiter, .dependency = member->dependency,
        .side   = member->side };
    hd_reduction_contribute(&sw->collectives, worker, &latest->head, 0);
}
