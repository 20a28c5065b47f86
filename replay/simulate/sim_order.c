/* replay/simulate/sim_order.c: compares the order of messages of a call path with the recorded one. */
#include "sim_order.h"

#include "sim_arrival.h"
#include "sim_transfer.h"

enum { LEAST_DIRECTED = 3 };

typedef struct hd_sim_order { /* of a call path: of the call before */
    hd_time      sent;        /* recorded: the latest enter of a sender */
    uint32_t     process;     /* that one; HD_NONE: there was no call before */
    uint32_t     call;
    hd_sim_times new_sent;    /* its simulated enter */
} hd_sim_order;

static bool
completes_all(const hd_sim *sim, const hd_sim_location *location, const hd_sim_call *call)
{
    return sim->modes[hd_sim_region(location, call)] == HD_SIM_COMPLETES_ALL;
}

/* The receive among the dependencies first .. first + n that was sent first, or last; NULL: there is none. */
static inline const hd_sim_dependency *
receive_of(const hd_sim_dependency *first, size_t n, bool wants_last)
{
    const hd_sim_dependency *found = NULL;

    for (size_t i = 0; i < n; i++)
        if (first[i].kind == HD_SIM_RECEIVE &&
            (found == NULL || (wants_last ? first[i].time > found->time : first[i].time < found->time)))
            found = &first[i];
    return found;
}

/* Whether the call may get messages in another order: it waits for some, and not for all that it started. */
static inline bool
may_order(const hd_sim *sim, const hd_sim_location *location, const hd_sim_call *call)
{
    return (call->flags & (HD_SIM_CALL_RECEIVES | HD_SIM_CALL_POLLED)) != 0 && !completes_all(sim, location, call);
}

/* ---- what the recorded run shows --------------------------------------------------------------------------------- */

/* Whether the message had arrived before the other one was sent. */
static bool
had_arrived(const hd_sim_worker *sw, const hd_sim_location *location, size_t first, const hd_sim_dependency *message,
            const hd_sim_dependency *other)
{
    size_t          n = location->calls[message->call].n_dependencies;
    hd_sim_equation equation;
    hd_span         transfer;

    if (message->time >= other->time)
        return false;
    while (location->dependencies[first + n - 1].is_extra)
        n--;
    hd_sim_equation_of(sw, &location->calls[message->call], &location->dependencies[first], n, &equation);
    transfer = hd_sim_transfer(sw, &equation, message, 0);
    return transfer >= 0 && message->time + (hd_time)transfer < other->time;
}

void
hd_sim_order_find(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location)
{
    const hd_sim_dependency **before = HD_NEW_ARRAY(const hd_sim_dependency *, location->location->n_nodes);

    (void)worker;
    for (size_t i = 0, n; i < location->n_dependencies; i += n) {
        hd_sim_call             *call = &location->calls[location->dependencies[i].call];
        const hd_sim_dependency *earliest, *other = before[call->node];

        n = call->n_dependencies;
        if (!may_order(sw->sim, location, call))
            continue;
        earliest = receive_of(&location->dependencies[i], n, false);
        if (earliest == NULL)
            continue;
        call->flags |= (uint32_t)HD_SIM_CALL_ORDER;
        if (other != NULL && other->process != earliest->process && had_arrived(sw, location, i, earliest, other))
            sw->n_directed[hd_sim_path_of(location, call->node)]++;
        before[call->node] = receive_of(&location->dependencies[i], n, true);
    }
    free(before);
}

void
hd_sim_order_learn(hd_sim *sim)
{
    uint32_t  n_threads = hd_placement_n_threads(sim->request->placement), n = sim->request->tree->n;
    uint64_t *sums      = HD_NEW_ARRAY(uint64_t, n);

    for (uint32_t t = 0; t < n_threads; t++) {
        for (uint32_t i = 0; i < n; i++)
            sums[i] += sim->workers[t].n_directed[i];
        free(sim->workers[t].n_directed);
        sim->workers[t].n_directed = NULL;
    }
    hd_analysis_comm_reduce(sim->request->analysis_comm, sums, n, HD_SUM);
    sim->is_directed = HD_NEW_ARRAY(bool, n);
    for (uint32_t i = 0; i < n; i++)
        sim->is_directed[i] = sums[i] >= LEAST_DIRECTED;
    free(sums);
}

void
hd_sim_order_mark(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location)
{
    uint32_t n_nodes = location->location->n_nodes;

    (void)worker;
    for (size_t i = 0; i < location->n_calls; i++) {
        hd_sim_call *call = &location->calls[i];

        if ((call->flags & HD_SIM_CALL_ORDER) == 0)
            continue;
        if (sw->sim->is_directed[hd_sim_path_of(location, call->node)]) {
            call->flags &= ~(uint32_t)HD_SIM_CALL_ORDER;
            continue;
        }
        if (location->order_of == NULL) {
            location->order_of = HD_NEW_ARRAY(uint32_t, n_nodes);
            for (uint32_t node = 0; node < n_nodes; node++)
                location->order_of[node] = HD_NONE;
        }
        if (location->order_of[call->node] == HD_NONE)
            location->order_of[call->node] = (uint32_t)location->n_orders++;
    }
    if (location->n_orders > 0) {
        location->orders    = HD_NEW_ARRAY(hd_sim_order, location->n_orders);
        location->reordered = HD_NEW_ARRAY(uint8_t, location->n_calls);
    }
}

void
hd_sim_order_fini(hd_sim_location *location)
{
    free(location->order_of);
    free(location->orders);
    free(location->reordered);
}

/* ---- a pass ------------------------------------------------------------------------------------------------------ */

void
hd_sim_order_start(const hd_sim *sim, hd_sim_location *location)
{
    if (sim->variant != HD_SIM_PLAIN)
        return;
    for (size_t i = 0; i < location->n_orders; i++)
        location->orders[i].process = HD_NONE;
}

void
hd_sim_order_see(hd_sim_worker *sw, hd_sim_location *location, size_t n)
{
    const hd_sim_dependency *first = &location->dependencies[location->i_dependency];
    const hd_sim_dependency *earliest = receive_of(first, n, false), *latest = receive_of(first, n, true);
    hd_sim_order            *order;
    const hd_span           *sent;
    uint8_t                  lanes = 0;

    if (sw->sim->variant != HD_SIM_PLAIN || earliest == NULL || latest == NULL)
        return;
    order = &location->orders[location->order_of[location->calls[location->i_call].node]];
    sent  = hd_sim_arrived(sw, earliest, sw->sim->width);
    for (uint32_t k = 0; k < sw->sim->n_lanes && sent != NULL && order->process != HD_NONE; k++)
        if (order->process != earliest->process && earliest->time >= order->sent &&
            sent[k] < order->new_sent.lane[k]) {
            lanes |= (uint8_t)(1u << k);
            sw->n_reordered[k] += (location->reordered[order->call] >> k & 1) == 0 ? 2 : 1;
        }
    location->reordered[location->i_call] = lanes;
    if (lanes != 0)
        location->reordered[order->call] |= lanes;
    sent = hd_sim_arrived(sw, latest, sw->sim->width);
    if (sent == NULL)
        return;
    order->sent    = latest->time;
    order->process = latest->process;
    order->call    = (uint32_t)location->i_call;
    hd_sim_lanes_copy(order->new_sent.lane, sent, sw->sim->n_lanes);
}
