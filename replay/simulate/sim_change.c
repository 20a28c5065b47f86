/* replay/simulate/sim_change.c: from the hypotheses of a pass to the call paths of a location. */
#include "sim_change.h"

#include <stdlib.h>

static bool
is_selected(const hd_change *change, const hd_sim_location *location, uint32_t node)
{
    uint32_t path = hd_sim_path_of(location, node);

    if (change->is_thread != NULL && (location->thread >= change->n_is_thread || !change->is_thread[location->thread]))
        return false;
    return path != HD_NONE && change->is_path[path] && change->is_process[location->process_id];
}

/* ---- what is selected -------------------------------------------------------------------------------------------- */

static uint64_t
selected_time(const hd_change *change, const hd_sim_location *location)
{
    hd_span time = 0;

    for (uint32_t node = 0; node < location->location->n_nodes; node++)
        if (is_selected(change, location, node))
            time += location->location->nodes[node].time;
    for (size_t i = 0; i < location->n_polled; i++)
        if (is_selected(change, location, location->polled[i].node))
            time -= location->polled[i].gaps;
    return time > 0 ? (uint64_t)time : 0;
}

static uint64_t
selected_barriers(const hd_change *change, const hd_sim_location *location)
{
    uint64_t n = 0;

    for (size_t i = 0; i < location->n_calls; i++)
        n += (location->calls[i].flags & HD_SIM_CALL_BARRIER) != 0 &&
             is_selected(change, location, location->calls[i].node);
    return n;
}

static int
compare_totals(const void *a_, const void *b_)
{
    const uint64_t *a = a_, *b = b_;

    return *a < *b ? -1 : *a > *b;
}

/* The goal of totals[n], all above 0, n > 0. */
static uint64_t
goal_of(hd_goal goal, uint64_t *totals, size_t n)
{
    unsigned __int128 sum = 0;

    qsort(totals, n, sizeof *totals, compare_totals);
    for (size_t i = 0; i < n; i++)
        sum += totals[i];
    return goal == HD_GOAL_LEAST ? totals[0] : goal == HD_GOAL_MEDIAN ? totals[(n - 1) / 2] : (uint64_t)(sum / n);
}

typedef struct sim_part { /* a location to balance */
    uint32_t node, location;
} sim_part;

static int
compare_parts(const void *a_, const void *b_)
{
    const sim_part *a = a_, *b = b_;

    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    return a->location < b->location ? -1 : a->location > b->location;
}

static void
set_goals(const hd_defs *defs, hd_change *change)
{
    sim_part *parts  = HD_NEW_ARRAY(sim_part, defs->n_locations);
    uint64_t *totals = HD_NEW_ARRAY(uint64_t, defs->n_locations);
    size_t    n      = 0;

    for (uint32_t l = 0; l < defs->n_locations; l++) {
        uint32_t process = hd_defs_locations(defs)[l].process;

        if (change->totals[l] > 0)
            parts[n++] = (sim_part){ change->is_over_node ? hd_defs_processes(defs)[process].node : 0, l };
    }
    if (n > 0)
        qsort(parts, n, sizeof *parts, compare_parts);
    for (size_t i = 0, end; i < n; i = end) {
        uint64_t goal;

        for (end = i; end < n && parts[end].node == parts[i].node; end++)
            totals[end - i] = change->totals[parts[end].location];
        goal = goal_of(change->goal, totals, end - i);
        for (size_t k = i; k < end; k++)
            change->goals[parts[k].location] = goal;
    }
    free(parts);
    free(totals);
}

static hd_status
fail_empty(const hd_hypothesis *hypothesis, const hd_change *change)
{
    bool is_without = change->kind == HD_CHANGE_WITHOUT;

    hd_fail(HD_EUSAGE, "\"%s\" selects no %s", hypothesis->text, is_without ? "call that synchronises" : "computation");
    hd_fail_detail("selection", "%s", change->pattern);
    hd_fail_detail("try", is_without ? "MPI_Barrier, or a region that calls it" : "a region of the program");
    return HD_EUSAGE;
}

static hd_status
prepare(hd_sim *sim, const hd_hypothesis *hypothesis, hd_change *change)
{
    const hd_defs    *defs   = sim->defs;
    hd_analysis_comm *comm   = sim->request->analysis_comm;
    uint64_t          sum[2] = { 0, 0 }; /* selected; of threads above the first one */

    if (change->kind == HD_CHANGE_BALANCE) {
        change->totals = HD_NEW_ARRAY(uint64_t, defs->n_locations);
        change->goals  = HD_NEW_ARRAY(uint64_t, defs->n_locations);
    }
    for (uint32_t i = 0; i < sim->n_locations; i++) {
        const hd_sim_location *location = &sim->locations[i];
        bool     is_without = change->kind == HD_CHANGE_WITHOUT;
        uint64_t n          = is_without ? selected_barriers(change, location) : selected_time(change, location);

        sum[0] += n > 0;
        sum[1] += n > 0 && location->thread > 0 && !is_without;
        if (change->kind == HD_CHANGE_BALANCE)
            change->totals[location->location->location] = n;
    }
    hd_analysis_comm_reduce(comm, sum, 2, HD_SUM);
    if (sum[0] == 0)
        return fail_empty(hypothesis, change);
    if (sum[1] > 0) {
        hd_fail(HD_EUSAGE, "not simulated yet: computation of threads, which \"%s\" selects", hypothesis->text);
        hd_fail_detail("try", "a selection of call paths outside of teams of threads");
        return HD_EUSAGE;
    }
    if (change->kind == HD_CHANGE_BALANCE) {
        hd_analysis_comm_reduce(comm, change->totals, defs->n_locations, HD_SUM);
        set_goals(defs, change);
    }
    return HD_OK;
}

hd_status
hd_sim_changes_prepare(hd_sim *sim, hd_hypothesis *hypotheses, size_t n)
{
    hd_status status = HD_OK;

    for (size_t h = 0; h < n; h++)
        for (size_t c = 0; c < hypotheses[h].n_changes && status == HD_OK; c++)
            status = prepare(sim, &hypotheses[h], &hypotheses[h].changes[c]);
    return status;
}

/* ---- a location -------------------------------------------------------------------------------------------------- */

static hd_sim_change *
change_at(hd_sim_location *location, uint32_t node, size_t *capacity)
{
    hd_sim_change change = { .lanes = 0 };
    size_t        n      = location->n_changes;

    if (location->change_of[node] != HD_NONE)
        return &location->changes[location->change_of[node]];
    for (int k = 0; k < HD_SIM_LANES; k++)
        change.numerator[k] = change.denominator[k] = 1;
    HD_PUSH(location->changes, n, *capacity, change);
    location->n_changes       = (uint32_t)n;
    location->change_of[node] = (uint32_t)n - 1;
    return &location->changes[n - 1];
}

static void
add_change(hd_sim_location *location, const hd_change *change, uint32_t lane, size_t *capacity)
{
    uint32_t rest = location->n_rests++;

    for (uint32_t node = 0; node < location->location->n_nodes; node++) {
        hd_sim_change *at;

        if (!is_selected(change, location, node))
            continue;
        if (change->kind == HD_CHANGE_WITHOUT) {
            location->dropped[node] |= (uint8_t)(1u << lane);
            continue;
        }
        at = change_at(location, node, capacity);
        at->lanes |= (uint8_t)(1u << lane);
        at->rest[lane]        = rest;
        at->numerator[lane]   = change->numerator;
        at->denominator[lane] = change->denominator;
        if (change->kind == HD_CHANGE_BALANCE) {
            at->numerator[lane]   = change->goals[location->location->location];
            at->denominator[lane] = hd_time_max(change->totals[location->location->location], 1);
        }
    }
}

void
hd_sim_changes_make(const hd_sim *sim, hd_sim_location *location)
{
    uint32_t n_nodes  = location->location->n_nodes;
    size_t   capacity = 0;
    bool     any      = false;

    for (uint32_t lane = 0; lane < sim->n_lanes; lane++)
        any |= sim->hypotheses[lane].n_changes > 0;
    if (!any)
        return;
    location->dropped   = HD_NEW_ARRAY(uint8_t, n_nodes);
    location->change_of = HD_NEW_ARRAY(uint32_t, n_nodes);
    for (uint32_t node = 0; node < n_nodes; node++)
        location->change_of[node] = HD_NONE;
    location->n_rests = 0;
    for (uint32_t lane = 0; lane < sim->n_lanes; lane++)
        for (size_t c = 0; c < sim->hypotheses[lane].n_changes; c++)
            add_change(location, &sim->hypotheses[lane].changes[c], lane, &capacity);
    location->rests = HD_NEW_ARRAY(uint64_t, location->n_rests);
}

void
hd_sim_changes_free(hd_sim_location *location)
{
    free(location->changes);
    free(location->change_of);
    free(location->dropped);
    free(location->rests);
    location->rests     = NULL;
    location->changes   = NULL;
    location->change_of = NULL;
    location->dropped   = NULL;
    location->n_changes = 0;
}

/* How much longer a piece of time gets. */
static hd_span
difference(const hd_sim_change *change, uint64_t *rests, int lane, hd_span time)
{
    __int128 product = (__int128)time * (__int128)change->numerator[lane] + rests[change->rest[lane]];
    __int128 denominator = (__int128)change->denominator[lane], whole = product / denominator;

    if (whole * denominator > product) /* of negative pieces */
        whole--;
    rests[change->rest[lane]] = (uint64_t)(product - whole * denominator);
    return (hd_span)whole - time;
}

hd_span
hd_sim_change_piece(hd_sim_location *location, uint32_t node, uint32_t lane, hd_span time)
{
    const hd_sim_change *change;

    if (location->n_changes == 0 || node == HD_NONE || location->change_of[node] == HD_NONE)
        return 0;
    change = &location->changes[location->change_of[node]];
    return (change->lanes >> lane & 1) != 0 ? difference(change, location->rests, (int)lane, time) : 0;
}

/* Without the gaps of the polled wait that the call is, which stand in the intervals that end in it. */
static hd_span
without_gaps(hd_sim_location *location, uint32_t node, hd_span time)
{
    const hd_sim_polled *gap  = location->gap;
    hd_span              part = time < location->gap_left ? time : location->gap_left;

    if (gap == NULL || node != gap->node || location->intervals.until <= location->calls[gap->call].enter)
        return time;
    location->gap_left -= part;
    return time - part;
}

void
hd_sim_change_until(hd_sim_location *location, hd_time until, hd_sim_times *times)
{
    for (; location->has_interval && location->intervals.until <= until;
         location->has_interval = hd_interval_cursor_next(&location->intervals))
        while (location->n_changes > 0 && location->intervals.n_left > 0) {
            const hd_sim_change *change;
            uint32_t             node;
            hd_span              time;

            hd_interval_cursor_entry(&location->intervals, &node, &time);
            if (location->change_of[node] == HD_NONE)
                continue;
            change = &location->changes[location->change_of[node]];
            time   = without_gaps(location, node, time);
            for (int k = 0; k < HD_SIM_LANES; k++)
                if ((change->lanes >> k & 1) != 0)
                    times->lane[k] += difference(change, location->rests, k, time);
        }
}
