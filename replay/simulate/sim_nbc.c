/* replay/simulate/sim_nbc.c: notes both moments of each member of a non-blocking operation until it is known which counts. */
#include "sim_nbc.h"

enum { LEAST_SEEN = 4, SHARE_LEFT = 10 };

typedef struct hd_sim_nbc_part { /* a member or a dependency of a location */
    hd_sim_location *location;
    size_t           number;
    hd_time          next_enter; /* of a dependency */
    uint32_t         next_call;  /* HD_NONE: of a dependency on all */
    uint32_t         operation;
    bool             is_member;
} hd_sim_nbc_part;

uint32_t
hd_sim_nbc_next(const hd_sim_location *location, uint32_t call)
{
    for (size_t i = (size_t)call + 1; i < location->n_calls; i++)
        if ((location->calls[i].flags & HD_SIM_CALL_THREADS) == 0)
            return (uint32_t)i;
    return call;
}

void
hd_sim_nbc_member(hd_sim_worker *sw, hd_sim_location *location, uint32_t operation, uint32_t next_call)
{
    HD_PUSH(sw->nbc_parts, sw->n_nbc_parts, sw->capacity_nbc_parts,
            ((hd_sim_nbc_part){ .location = location, .number = location->n_members - 1, .next_call = next_call,
                                .operation = operation, .is_member = true }));
}

void
hd_sim_nbc_wait(hd_sim_worker *sw, hd_sim_location *location, hd_time next_enter, uint32_t next_call)
{
    const hd_sim_dependency *dependency = &location->dependencies[location->n_dependencies - 1];
    const hd_sim_call       *call       = &location->calls[dependency->call];

    HD_PUSH(sw->nbc_parts, sw->n_nbc_parts, sw->capacity_nbc_parts,
            ((hd_sim_nbc_part){ .location = location, .number = location->n_dependencies - 1, .next_enter = next_enter,
                                .next_call = next_call, .operation = dependency->operation }));
    if (dependency->operation >= HD_SIM_OPERATIONS || call->enter >= next_enter)
        return;
    sw->nbc_seen[dependency->operation][0]++;
    sw->nbc_seen[dependency->operation][1] += call->leave < next_enter;
}

void
hd_sim_nbc_learn(hd_sim *sim)
{
    uint64_t seen[HD_SIM_OPERATIONS][2] = { { 0 } };

    for (uint32_t t = 0; t < hd_placement_n_threads(sim->request->placement); t++)
        for (int i = 0; i < HD_SIM_OPERATIONS; i++)
            for (int k = 0; k < 2; k++)
                seen[i][k] += sim->workers[t].nbc_seen[i][k];
    hd_analysis_comm_reduce(sim->request->analysis_comm, &seen[0][0], (size_t)2 * HD_SIM_OPERATIONS, HD_SUM);
    for (int i = 0; i < HD_SIM_OPERATIONS; i++)
        sim->needs_calls[i] = seen[i][0] >= LEAST_SEEN && SHARE_LEFT * seen[i][1] < seen[i][0];
}

static void
settle(const hd_sim_nbc_part *part)
{
    hd_sim_dependency *dependency;

    if (part->is_member) {
        part->location->members[part->number].call = part->next_call;
        return;
    }
    dependency       = &part->location->dependencies[part->number];
    dependency->time = part->next_enter;
    if (part->next_call != HD_NONE)
        dependency->from = part->next_call;
}

void
hd_sim_nbc_settle(hd_sim_worker *sw)
{
    for (size_t i = 0; i < sw->n_nbc_parts; i++) {
        const hd_sim_nbc_part *part = &sw->nbc_parts[i];

        if (part->operation < HD_SIM_OPERATIONS && sw->sim->needs_calls[part->operation])
            settle(part);
    }
    free(sw->nbc_parts);
    sw->nbc_parts   = NULL;
    sw->n_nbc_parts = sw->capacity_nbc_parts = 0;
}
