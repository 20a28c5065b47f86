/* replay/simulate/sim_terms.c: calls whose local time or transfers a hypothesis changes. */
#include "sim_terms.h"

#include "sim_arrival.h"
#include "sim_transfer.h"

hd_status
hd_sim_terms_prepare(hd_sim *sim)
{
    const hd_simulate_request *request = sim->request;
    hd_status                  status  = HD_OK;

    for (size_t h = 0; h < request->n_hypotheses; h++) {
        const hd_hypothesis *hypothesis = &request->hypotheses[h];

        for (size_t c = 0; c < hypothesis->n_changes && status == HD_OK; c++)
            if (hypothesis->changes[c].kind == HD_CHANGE_NETWORK)
                status = hd_sim_lines_check(&sim->lines, hypothesis, &hypothesis->changes[c]);
    }
    return status;
}

void
hd_sim_terms_make(hd_sim *sim)
{
    sim->changed_lanes = 0;
    for (uint32_t k = 0; k < sim->n_lanes; k++) {
        hd_sim_lane *lane = &sim->lanes[k];

        *lane = (hd_sim_lane){ 0 };
        for (size_t c = 0; c < sim->hypotheses[k].n_changes; c++)
            if (sim->hypotheses[k].changes[c].kind == HD_CHANGE_NETWORK)
                lane->network = &sim->hypotheses[k].changes[c];
        if (lane->network != NULL)
            sim->changed_lanes |= (uint8_t)(1u << k);
    }
}

static hd_span
local_of(const hd_sim_lane *lane, const hd_sim_location *location, const hd_sim_call *call)
{
    const hd_change *network = lane->network;

    if (network != NULL && network->network == HD_NETWORK_ZERO && location->in_mpi[call->node])
        return 0;
    if (network != NULL && network->network == HD_NETWORK_IDEAL && (call->flags & HD_SIM_CALL_MOVES) != 0)
        return 0;
    return location->is_released ? hd_span_between(call->enter, call->leave) : call->local;
}

/* Of MPI only. False: the call does not wait for it: each kind of operation waits as it must, not as a library is
 * built. */
static bool
change_to_zero(const hd_sim_dependency *dependency, hd_span *transfer)
{
    switch ((hd_sim_kind)dependency->kind) {
    case HD_SIM_TREE:
    case HD_SIM_PROGRESS:
        return false;
    case HD_SIM_RENDEZVOUS:
        *transfer = 0;
        return dependency->is_synchronous;
    case HD_SIM_RECEIVE:
    case HD_SIM_COLLECTIVE:
        *transfer = 0;
        return true;
    default:
        return true;
    }
}

/* False: the call does not wait for it. */
static bool
change_transfer(const hd_sim *sim, const hd_sim_lane *lane, const hd_sim_dependency *dependency, hd_span *transfer)
{
    hd_sim_class what = hd_sim_class_of(dependency);

    if (lane->network == NULL)
        return true;
    if (lane->network->network == HD_NETWORK_ZERO)
        return change_to_zero(dependency, transfer);
    if (!hd_sim_moves_data(&what))
        return true;
    if (lane->network->network == HD_NETWORK_LINE)
        *transfer = hd_sim_lines_change(&sim->lines, lane->network, &what, *transfer);
    else if (*transfer > 0)
        *transfer = 0;
    return true;
}

void
hd_sim_terms_leave(const hd_sim_worker *sw, const hd_sim_location *location, const hd_sim_call *call, size_t n,
                   hd_sim_times *leave)
{
    const hd_sim *sim = sw->sim;

    for (uint32_t k = 0; k < sim->n_lanes; k++) {
        const hd_sim_lane *lane = &sim->lanes[k];

        if ((sim->changed_lanes >> k & 1) == 0)
            continue;
        leave->lane[k] = location->enter.lane[k] + local_of(lane, location, call);
        for (size_t i = 0; i < n; i++) {
            uint32_t                 number     = (uint32_t)(location->i_dependency + i);
            const hd_sim_dependency *dependency = &location->dependencies[number];
            const hd_sim_times      *times      = hd_sim_arrived(sw, location, number);
            hd_span                  transfer   = dependency->transfer;

            if (times != NULL && change_transfer(sim, lane, dependency, &transfer) &&
                times->lane[k] + transfer > leave->lane[k])
                leave->lane[k] = times->lane[k] + transfer;
        }
    }
}
