/* replay/simulate/sim_terms.c: calls whose local time or transfers a hypothesis changes. */
#include "sim_terms.h"

#include "sim_arrival.h"
#include "sim_order.h"
#include "sim_roles.h"

/* On one node and on several. */
static hd_status
check_relations(const hd_sim *sim, const hd_hypothesis *hypothesis)
{
    bool has[2] = { false, false };

    for (size_t i = 0; i < sim->fits.n; i++) {
        hd_sim_class what;
        uint32_t     size, members;

        hd_sim_fit_describe(&sim->fits.rows[i], &what, &size, &members);
        has[what.is_same_node] |= hd_sim_is_of_processes(&what);
    }
    if (has[0] && has[1])
        return HD_OK;
    hd_fail(HD_EUSAGE, "it is not known how long transfers take %s nodes: no call of the archive waited for them",
            has[0] ? "inside of" : "between");
    hd_fail_detail("hypothesis", "%s", hypothesis->text);
    hd_fail_detail("try", "a trace of a run on several nodes, with several processes on each");
    return HD_EUSAGE;
}

static hd_status
check(const hd_sim *sim, const hd_hypothesis *hypothesis, const hd_change *change)
{
    if (change->kind == HD_CHANGE_NETWORK)
        return hd_sim_lines_check(&sim->lines, hypothesis, change);
    return change->kind == HD_CHANGE_PLACE ? check_relations(sim, hypothesis) : HD_OK;
}

hd_status
hd_sim_terms_prepare(const hd_sim *sim, const hd_hypothesis *hypotheses, size_t n)
{
    hd_status status = HD_OK;

    for (size_t h = 0; h < n; h++) {
        const hd_hypothesis *hypothesis = &hypotheses[h];

        for (size_t c = 0; c < hypothesis->n_changes && status == HD_OK; c++)
            status = check(sim, hypothesis, &hypothesis->changes[c]);
    }
    return status;
}

bool
hd_sim_terms_add(const hd_hypothesis *hypothesis)
{
    for (size_t c = 0; c < hypothesis->n_changes; c++)
        if (hypothesis->changes[c].kind == HD_CHANGE_EAGER)
            return true;
    return false;
}

void
hd_sim_terms_make(hd_sim *sim)
{
    sim->changed_lanes = 0;
    sim->limit         = UINT64_MAX;
    for (uint32_t k = 0; k < sim->n_lanes; k++) {
        hd_sim_lane *lane = &sim->lanes[k];

        *lane = (hd_sim_lane){ 0 };
        for (size_t c = 0; c < sim->hypotheses[k].n_changes; c++) {
            const hd_change *change = &sim->hypotheses[k].changes[c];

            lane->network = change->kind == HD_CHANGE_NETWORK ? change : lane->network;
            lane->eager   = change->kind == HD_CHANGE_EAGER ? change : lane->eager;
            lane->place   = change->kind == HD_CHANGE_PLACE ? change : lane->place;
            if (change->kind == HD_CHANGE_NETWORK || change->kind == HD_CHANGE_EAGER ||
                change->kind == HD_CHANGE_MESSAGES || change->kind == HD_CHANGE_PLACE ||
                change->kind == HD_CHANGE_OVERLAP)
                sim->changed_lanes |= (uint8_t)(1u << k);
        }
        if (lane->eager != NULL)
            sim->limit = lane->eager->eager_bytes;
    }
}

/* local: without a change. */
static hd_span
local_of(const hd_sim *sim, uint32_t k, const hd_sim_location *location, const hd_sim_call *call, hd_span local)
{
    const hd_change *network = sim->lanes[k].network;

    if (network != NULL && network->network == HD_NETWORK_ZERO && location->in_mpi[call->node])
        return 0;
    if (network != NULL && network->network == HD_NETWORK_IDEAL && (call->flags & HD_SIM_CALL_MOVES) != 0)
        return 0;
    if ((hd_sim_idle_lanes(location, location->i_call) >> k & 1) != 0)
        return 0;
    return location->is_released ? hd_span_between(call->enter, call->leave) : local;
}

/* Of MPI only. False: the call does not wait for it: each kind of operation waits as it must, not as a library is
 * built. */
static bool
change_to_zero(const hd_sim_dependency *dependency, hd_span *transfer)
{
    switch ((hd_sim_kind)dependency->kind) {
    case HD_SIM_TREE:
    case HD_SIM_PROGRESS:
    case HD_SIM_ACCESS:
        return false;
    case HD_SIM_RENDEZVOUS:
        *transfer = 0;
        return dependency->is_synchronous;
    case HD_SIM_RECEIVE:
    case HD_SIM_COLLECTIVE:
    case HD_SIM_EPOCH:
    case HD_SIM_WINDOW_LOCK:
        *transfer = 0;
        return true;
    default:
        return true;
    }
}

/* Sends that were eager and are not any more have no transfer. */
static bool
waits_with_limit(const hd_change *eager, const hd_sim_dependency *dependency)
{
    bool is_of_send = (dependency->kind == HD_SIM_RENDEZVOUS && !dependency->is_synchronous) ||
                      dependency->kind == HD_SIM_PROGRESS;

    return !is_of_send || dependency->bytes > eager->eager_bytes;
}

static bool
is_near(const hd_sim *sim, const hd_change *place, uint32_t process, const hd_sim_dependency *dependency)
{
    if (dependency->kind == HD_SIM_COLLECTIVE || dependency->kind == HD_SIM_TREE)
        return place->is_comm_near[dependency->comm < sim->defs->n_comms ? dependency->comm : sim->defs->n_comms];
    return place->node_of[process] == place->node_of[dependency->process];
}

/* Where it is known how long both take, on one node and not; factor: of fits. */
static void
move(const hd_sim *sim, const hd_change *place, uint32_t process, const hd_sim_dependency *dependency,
     hd_span factor, hd_sim_class *what, hd_span *transfer)
{
    hd_span before = 0, after = 0, least = *transfer < 0 ? *transfer : 0;
    bool    was_known, is_known;

    was_known          = hd_sim_fits_get(&sim->fits, what, &before);
    what->is_same_node = is_near(sim, place, process, dependency);
    is_known           = hd_sim_fits_get(&sim->fits, what, &after);
    if (was_known && is_known)
        *transfer += (after - before) * factor;
    *transfer = *transfer > least ? *transfer : least;
}

/* False: the call does not wait for it. */
static bool
change_transfer(const hd_sim *sim, const hd_sim_lane *lane, uint32_t process, const hd_sim_dependency *dependency,
                hd_span factor, hd_span *transfer)
{
    hd_sim_class what = hd_sim_class_of(dependency);

    if (lane->eager != NULL && !waits_with_limit(lane->eager, dependency))
        return false;
    if (lane->network != NULL && lane->network->network == HD_NETWORK_ZERO)
        return change_to_zero(dependency, transfer);
    if (lane->place != NULL && !dependency->is_extra && hd_sim_is_of_processes(&what))
        move(sim, lane->place, process, dependency, factor, &what, transfer);
    if (lane->network == NULL || !hd_sim_moves_data(&what))
        return true;
    if (lane->network->network == HD_NETWORK_LINE && !dependency->is_extra)
        *transfer = hd_sim_lines_change(&sim->lines, lane->network, &what, *transfer);
    else if (lane->network->network == HD_NETWORK_IDEAL && *transfer > 0)
        *transfer = 0;
    return true;
}

/* Lanes in which what the call waits for is waited for by the next one: both are selected, and little is between. */
static uint8_t
deferred(const hd_sim *sim, const hd_sim_location *location, const hd_sim_call *call)
{
    const hd_sim_call *next = call + 1;

    if (location->overlapped == NULL || location->i_call + 1 == location->n_calls ||
        ((call->flags | next->flags) & (HD_SIM_CALL_WORLD | HD_SIM_CALL_THREADS)) != 0 ||
        (next->flags & HD_SIM_CALL_NESTED) != 0 ||
        next->enter - call->leave >= sim->defs->resolution / HD_SIM_ADJACENT)
        return 0;
    return location->overlapped[call->node] & location->overlapped[next->node];
}

static hd_span
later_of(hd_span a, hd_span b)
{
    return a > b ? a : b;
}

/* Until when the call waits in a lane; latest: the latest time that it depends on there, if that is later. */
static hd_span
waited_until(const hd_sim_worker *sw, const hd_sim_location *location, const hd_sim_equation *equation, uint32_t k,
             uint32_t variant, hd_span *latest)
{
    const hd_sim      *sim    = sw->sim;
    const hd_sim_lane *lane   = &sim->lanes[k];
    hd_span            waited = INT64_MIN;

    if ((hd_sim_order_lanes(sim, location) >> k & 1) != 0)
        return waited;
    for (uint32_t i = 0; i < equation->call->n_dependencies; i++) {
        const hd_sim_dependency *dependency = &equation->first[i];
        const hd_span           *times      = hd_sim_arrived(sw, dependency, sw->sim->width);
        hd_span                  transfer, from, until;

        if (times == NULL || (dependency->is_extra && lane->eager == NULL) ||
            (hd_sim_role_lanes(location, dependency->message) >> k & 1) != 0)
            continue;
        transfer = hd_sim_transfer(sw, equation, dependency, variant);
        if (!change_transfer(sim, lane, location->process_id, dependency, hd_sim_fit_factors[variant], &transfer))
            continue;
        from    = times[variant * sim->n_lanes + k];
        until   = from + transfer;
        waited  = later_of(until, waited);
        *latest = later_of(from, *latest);
    }
    return waited;
}

void
hd_sim_terms_leave(const hd_sim_worker *sw, hd_sim_location *location, const hd_sim_equation *equation, hd_span *alone,
                   hd_span *leave, hd_span *latest)
{
    const hd_sim      *sim       = sw->sim;
    const hd_sim_call *call      = equation->call;
    uint8_t            postponed = deferred(sim, location, call);

    for (uint32_t lane = 0; lane < sim->width; lane++) {
        uint32_t k = lane % sim->n_lanes, variant = lane / sim->n_lanes;
        bool     is_postponed;
        hd_span  waited;

        if ((sim->changed_lanes >> k & 1) == 0)
            continue;
        is_postponed = (postponed >> k & 1) != 0;
        latest[lane] = later_of(location->pending_latest[lane], location->enter[lane]);
        waited = waited_until(sw, location, equation, k, variant, &latest[lane]);
        waited = later_of(location->pending[lane], waited);
        location->pending[lane]        = is_postponed ? waited : INT64_MIN;
        location->pending_latest[lane] = is_postponed ? latest[lane] : INT64_MIN;
        alone[lane] = location->enter[lane] + local_of(sim, k, location, call, equation->local[variant]);
        leave[lane] = is_postponed ? alone[lane] : later_of(waited, alone[lane]);
        if (is_postponed)
            latest[lane] = location->enter[lane];
    }
}
