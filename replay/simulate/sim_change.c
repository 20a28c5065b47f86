/* replay/simulate/sim_change.c: from the hypotheses of a pass to the call paths of a location. */
#include "sim_change.h"

#include <stdlib.h>
#include <string.h>

#include "sim_piece_cursor.h"
#include "sim_roles.h"
#include "sim_zero.h"

enum { LONG = 3 }; /* times the median of pieces */

static bool
is_selected(const hd_change *change, const hd_sim_location *location, uint32_t node)
{
    uint32_t path = hd_sim_path_of(location, node), thread = location->thread;

    return path != HD_NONE && change->is_path[path] && change->is_process[location->process_id] &&
           (location->is_thread || change->kind != HD_CHANGE_BALANCE) &&
           (change->is_thread == NULL || (thread < change->n_is_thread && change->is_thread[thread]));
}

/* ---- what is selected -------------------------------------------------------------------------------------------- */

uint64_t
hd_sim_change_selected_time(const hd_change *change, const hd_sim_location *location)
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

/* flag: of calls that count; 0: all. */
static uint64_t
selected_calls(const hd_change *change, const hd_sim_location *location, uint32_t flag)
{
    uint64_t n = 0;

    for (size_t i = 0; i < location->n_calls; i++)
        n += (location->calls[i].flags & flag) == flag && is_selected(change, location, location->calls[i].node);
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
    uint32_t group, location;
} sim_part;

static int
compare_parts(const void *a_, const void *b_)
{
    const sim_part *a = a_, *b = b_;

    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    return a->location < b->location ? -1 : a->location > b->location;
}

void
hd_sim_change_set_goals(const hd_defs *defs, const hd_change *change, const uint64_t *totals, uint64_t *goals)
{
    sim_part *parts  = HD_NEW_ARRAY(sim_part, defs->n_locations);
    uint64_t *sorted = HD_NEW_ARRAY(uint64_t, defs->n_locations);
    size_t    n      = 0;

    for (uint32_t l = 0; l < defs->n_locations; l++) {
        uint32_t process = hd_defs_locations(defs)[l].process;

        if (totals[l] == 0)
            continue;
        goals[l] = totals[l];
        if (change->group == NULL || change->group[process] != HD_NONE)
            parts[n++] = (sim_part){ change->group != NULL ? change->group[process] : 0, l };
    }
    if (n > 0)
        qsort(parts, n, sizeof *parts, compare_parts);
    for (size_t i = 0, end; i < n; i = end) {
        uint64_t goal;

        for (end = i; end < n && parts[end].group == parts[i].group; end++)
            sorted[end - i] = totals[parts[end].location];
        goal = goal_of(change->goal, sorted, end - i);
        for (size_t k = i; k < end; k++)
            goals[parts[k].location] = goal;
    }
    free(parts);
    free(sorted);
}

static hd_status
fail_empty(const hd_hypothesis *hypothesis, const hd_change *change)
{
    const char *what = "computation", *hint = "a region of the program";

    if (change->kind == HD_CHANGE_WITHOUT) {
        what = "call that synchronises";
        hint = "MPI_Barrier, or a region that calls it";
    } else if (change->kind == HD_CHANGE_OVERLAP) {
        what = "call of MPI";
        hint = "MPI_Recv or another function, or a region that calls it";
    } else if (change->kind == HD_CHANGE_MESSAGES) {
        what = "message";
        hint = "MPI_Isend or another function that sends, a region that calls it, other sizes or tags";
    }
    hd_fail(HD_EUSAGE, "\"%s\" selects no %s", hypothesis->text, what);
    hd_hypothesis_point_at(hypothesis, change->pattern);
    hd_fail_detail("try", "%s", hint);
    return HD_EUSAGE;
}

/* [ticks] of computation, or a number of calls or messages. */
static uint64_t
selected(const hd_change *change, const hd_sim_location *location)
{
    switch (change->kind) {
    case HD_CHANGE_WITHOUT:
        return selected_calls(change, location, HD_SIM_CALL_BARRIER);
    case HD_CHANGE_OVERLAP:
        return selected_calls(change, location, 0);
    case HD_CHANGE_MESSAGES:
        return hd_sim_roles_count(location, change);
    default:
        return hd_sim_change_selected_time(change, location);
    }
}

static hd_status
prepare(hd_sim *sim, const hd_hypothesis *hypothesis, hd_change *change)
{
    const hd_defs    *defs   = sim->defs;
    hd_analysis_comm *comm   = sim->request->analysis_comm;
    uint64_t          n_selected = 0; /* locations */

    if (change->pattern == NULL)
        return HD_OK;
    if (change->kind == HD_CHANGE_BALANCE && change->per == NULL) {
        change->totals = HD_NEW_ARRAY(uint64_t, defs->n_locations);
        change->goals  = HD_NEW_ARRAY(uint64_t, defs->n_locations);
    }
    for (uint32_t i = 0; i < sim->n_locations; i++) {
        const hd_sim_location *location = &sim->locations[i];
        uint64_t n = selected(change, location);

        n_selected += n > 0;
        if (change->totals != NULL)
            change->totals[location->location->location] = n;
    }
    hd_analysis_comm_reduce(comm, &n_selected, 1, HD_SUM);
    if (n_selected == 0)
        return fail_empty(hypothesis, change);
    if (change->totals != NULL) {
        hd_analysis_comm_reduce(comm, change->totals, defs->n_locations, HD_SUM);
        hd_sim_change_set_goals(defs, change, change->totals, change->goals);
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

/* ---- call paths of a location ------------------------------------------------------------------------------------ */

static hd_sim_change *
change_at(hd_sim_location *location, uint32_t node, size_t *capacity)
{
    hd_sim_change change = { .lanes = 0 };
    size_t        n      = location->n_changes;

    if (location->change_of[node] != HD_NONE)
        return &location->changes[location->change_of[node]];
    if (n == 0)
        HD_RESERVE(location->changes, n, *capacity, (size_t)location->location->n_nodes);
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

    if (change->kind == HD_CHANGE_NETWORK && change->network == HD_NETWORK_ZERO)
        location->zero |= (uint8_t)(1u << lane);
    for (uint32_t node = 0; node < location->location->n_nodes; node++) {
        hd_sim_change *at;

        if (!is_selected(change, location, node))
            continue;
        if (change->kind == HD_CHANGE_WITHOUT)
            location->dropped[node] |= (uint8_t)(1u << lane);
        if (change->kind == HD_CHANGE_NETWORK)
            location->in_mpi[node] = true;
        if (change->kind == HD_CHANGE_OVERLAP)
            location->overlapped[node] |= (uint8_t)(1u << lane);
        if (!hd_change_is_of_computation(change) || hd_change_is_of_pieces(change))
            continue;
        at = change_at(location, node, capacity);
        if (change->kind == HD_CHANGE_INTERFERENCE) {
            at->cut_lanes |= (uint8_t)(1u << lane);
            continue;
        }
        at->lanes |= (uint8_t)(1u << lane);
        at->rest[lane]        = rest;
        at->numerator[lane]   = change->factor.numerator;
        at->denominator[lane] = change->factor.denominator;
        if (change->kind == HD_CHANGE_BALANCE) {
            at->numerator[lane]   = change->goals[location->location->location];
            at->denominator[lane] = hd_time_max(change->totals[location->location->location], 1);
        }
    }
}

/* Call paths that change alike share what is known of it. */
static void
merge_changes(hd_sim_location *location)
{
    uint32_t *same = HD_NEW_ARRAY(uint32_t, location->n_changes), n = 0;

    for (uint32_t i = 0; i < location->n_changes; i++) {
        same[i] = 0;
        while (same[i] < n &&
               memcmp(&location->changes[same[i]], &location->changes[i], sizeof *location->changes) != 0)
            same[i]++;
        if (same[i] == n)
            location->changes[n++] = location->changes[i];
    }
    for (uint32_t node = 0; node < location->location->n_nodes; node++)
        if (location->change_of[node] != HD_NONE)
            location->change_of[node] = same[location->change_of[node]];
    location->n_changes = n;
    free(same);
}

/* ---- pieces of time ---------------------------------------------------------------------------------------------- */

typedef struct sim_piece { /* in a node of a location */
    uint32_t node;
    hd_span  time;
} sim_piece;

static void
start_pieces(hd_sim_location *location)
{
    hd_interval_cursor_init(&location->intervals, &location->location->intervals);
    location->has_interval = hd_interval_cursor_next(&location->intervals);
    location->i_polled     = 0;
    location->gap          = NULL;
}

/* Those before a call, NULL: behind the last one. Returns where they end. */
static hd_time
begin_pieces(hd_sim_location *location, const hd_sim_call *call)
{
    location->gap = NULL;
    if (call == NULL)
        return UINT64_MAX;
    if ((call->flags & HD_SIM_CALL_POLLED) == 0)
        return call->enter;
    location->gap      = &location->polled[location->i_polled++];
    location->gap_left = location->gap->gaps;
    return location->gap->until;
}

/* Without the gaps of the polled wait that the call is, which stand in the intervals that end in it. */
static inline hd_span
without_gaps(hd_sim_location *location, uint32_t node, hd_span time)
{
    const hd_sim_polled *gap  = location->gap;
    hd_span              part = time < location->gap_left ? time : location->gap_left;

    if (node != gap->node || location->intervals.until <= location->calls[gap->call].enter)
        return time;
    location->gap_left -= part;
    return time - part;
}

/* False: there are no more up to a boundary that is not later than `until`. */
static inline bool
next_piece(hd_sim_location *location, hd_time until, sim_piece *piece)
{
    while (location->has_interval && location->intervals.until <= until) {
        if (hd_interval_cursor_has_entry(&location->intervals)) {
            hd_interval_cursor_entry(&location->intervals, &piece->node, &piece->time);
            if (HD_UNLIKELY(location->gap != NULL))
                piece->time = without_gaps(location, piece->node, piece->time);
            return true;
        }
        location->has_interval = hd_interval_cursor_next(&location->intervals);
    }
    return false;
}

/* ---- what is far too long ---------------------------------------------------------------------------------------- */

static int
compare_pieces(const void *a_, const void *b_)
{
    const sim_piece *a = a_, *b = b_;

    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    return a->time < b->time ? -1 : a->time > b->time;
}

/* The time between two calls in a node counts as one piece, whatever boundaries the interval log has between. */
static void
add_to_cut(hd_sim_location *location, uint32_t node, hd_span time)
{
    uint32_t change = location->change_of[node];

    if (time == 0 || change == HD_NONE || location->changes[change].cut_lanes == 0)
        return;
    if (location->cut_sums[node] == 0)
        HD_PUSH(location->cut_nodes, location->n_cut_nodes, location->capacity_cut_nodes, node);
    location->cut_sums[node] += time;
}

/* The next of those added; time 0: there is none. */
static sim_piece
take_cut(hd_sim_location *location)
{
    sim_piece piece = { .time = 0 };

    while (location->n_cut_nodes > 0 && piece.time == 0) {
        piece.node                     = location->cut_nodes[--location->n_cut_nodes];
        piece.time                     = location->cut_sums[piece.node];
        location->cut_sums[piece.node] = 0;
    }
    return piece;
}

/* The pieces in nodes whose long ones are cut. free() them. */
static sim_piece *
pieces_to_cut(hd_sim_location *location, size_t *n)
{
    sim_piece *pieces   = NULL, piece;
    size_t     capacity = 0;

    *n = 0;
    start_pieces(location);
    for (size_t i = 0; i <= location->n_calls; i++) {
        hd_time until = begin_pieces(location, i < location->n_calls ? &location->calls[i] : NULL);

        while (next_piece(location, until, &piece))
            add_to_cut(location, piece.node, piece.time);
        for (piece = take_cut(location); piece.time != 0; piece = take_cut(location))
            HD_PUSH(pieces, *n, capacity, piece);
    }
    return pieces;
}

void
hd_sim_change_each_piece(hd_sim_location *location, const hd_change *change,
                         void (*visit)(void *context, const hd_sim_piece *piece), void *context)
{
    uint64_t  number = 0;
    sim_piece found;

    start_pieces(location);
    for (size_t i = 0; i <= location->n_calls; i++) {
        const hd_sim_call *call  = i < location->n_calls ? &location->calls[i] : NULL;
        hd_time            until = begin_pieces(location, call);

        for (; next_piece(location, until, &found); number++)
            if (is_selected(change, location, found.node))
                visit(context, &(hd_sim_piece){ number, found.node, location->intervals.from, location->intervals.until,
                                                call != NULL ? call->enter : location->location->intervals.end,
                                                found.time });
    }
}

/* The (lower) median of the pieces of each call path whose long ones are cut. */
static void
find_typical(hd_sim_location *location)
{
    size_t     n;
    sim_piece *pieces = pieces_to_cut(location, &n);

    if (n > 0)
        qsort(pieces, n, sizeof *pieces, compare_pieces);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && pieces[end].node == pieces[i].node;)
            end++;
        location->changes[location->change_of[pieces[i].node]].typical = pieces[i + (end - i - 1) / 2].time;
    }
    free(pieces);
}

/* ---- a location -------------------------------------------------------------------------------------------------- */

static bool
is_cut(const hd_sim_location *location)
{
    for (uint32_t i = 0; i < location->n_changes; i++)
        if (location->changes[i].cut_lanes != 0)
            return true;
    return false;
}

void
hd_sim_changes_make(const hd_sim *sim, hd_sim_location *location)
{
    uint32_t n_nodes  = location->location->n_nodes;
    size_t   capacity = 0;
    bool     any      = false;

    location->zero    = 0;
    location->covered = 0;
    start_pieces(location);
    for (uint32_t lane = 0; lane < sim->n_lanes; lane++)
        any |= sim->hypotheses[lane].n_changes > 0;
    if (!any)
        return;
    location->dropped   = HD_NEW_ARRAY(uint8_t, n_nodes);
    location->in_mpi    = HD_NEW_ARRAY(bool, n_nodes);
    location->overlapped = HD_NEW_ARRAY(uint8_t, n_nodes);
    location->change_of = HD_NEW_ARRAY(uint32_t, n_nodes);
    for (uint32_t node = 0; node < n_nodes; node++)
        location->change_of[node] = HD_NONE;
    location->n_rests = 0;
    for (uint32_t lane = 0; lane < sim->n_lanes; lane++)
        for (size_t c = 0; c < sim->hypotheses[lane].n_changes; c++)
            add_change(location, &sim->hypotheses[lane].changes[c], lane, &capacity);
    location->rests = HD_NEW_ARRAY(uint64_t, location->n_rests);
    hd_sim_piece_cursors_make(sim, location);
    location->is_summed = location->zero == 0 && !is_cut(location) && location->n_piece_cursors == 0;
    if (location->is_summed)
        merge_changes(location);
    else if (is_cut(location)) {
        location->cut_sums = HD_NEW_ARRAY(hd_span, n_nodes);
        find_typical(location);
    }
    location->is_alike = location->is_summed && location->n_changes == 1;
    start_pieces(location);
}

#define DROP(array) (free(array), (array) = NULL)

void
hd_sim_changes_free(hd_sim_location *location)
{
    DROP(location->changes);
    DROP(location->change_of);
    DROP(location->dropped);
    DROP(location->in_mpi);
    DROP(location->overlapped);
    DROP(location->rests);
    DROP(location->cut_sums);
    DROP(location->cut_nodes);
    DROP(location->piece_cursors);
    location->n_cut_nodes = location->capacity_cut_nodes = location->n_piece_cursors = location->n_changes = 0;
    location->is_alike    = false;
}

/* How much longer time gets. */
static inline hd_span
difference(const hd_sim_change *change, uint64_t *rests, int lane, hd_span time)
{
    uint64_t numerator = change->numerator[lane], denominator = change->denominator[lane];
    uint64_t *rest = &rests[change->rest[lane]];
    __int128 product, whole;

    if (HD_LIKELY(((uint64_t)time | numerator | denominator) <= UINT32_MAX)) {
        uint64_t sum = (uint64_t)time * numerator + *rest;

        *rest = sum % denominator;
        return (hd_span)(sum / denominator) - time;
    }
    product = (__int128)time * (__int128)numerator + *rest;
    whole   = product / (__int128)denominator;
    if (whole * (__int128)denominator > product) /* of negative time */
        whole--;
    *rest = (uint64_t)(product - whole * (__int128)denominator);
    return (hd_span)whole - time;
}

hd_span
hd_sim_change_piece(hd_sim_location *location, uint32_t node, uint32_t lane, hd_span time)
{
    const hd_sim_change *change;

    if (node != HD_NONE && (location->zero >> lane & 1) != 0 && location->in_mpi[node])
        return -time;
    if (location->n_changes == 0 || node == HD_NONE || location->change_of[node] == HD_NONE)
        return 0;
    change = &location->changes[location->change_of[node]];
    return (change->lanes >> lane & 1) != 0 ? difference(change, location->rests, (int)lane, time) : 0;
}

static inline void
change_sum(const hd_sim *sim, hd_sim_location *location, const hd_sim_change *change, hd_span sum, hd_span *times)
{
    for (uint32_t lanes = change->lanes; lanes != 0; lanes &= lanes - 1) {
        uint32_t k = (uint32_t)__builtin_ctz(lanes);

        hd_sim_add(sim, times, k, difference(change, location->rests, (int)k, sum));
    }
}

/* What was added since the call before. */
static void
change_long(const hd_sim *sim, hd_sim_location *location, hd_span *times)
{
    for (sim_piece piece = take_cut(location); piece.time != 0; piece = take_cut(location)) {
        const hd_sim_change *change = &location->changes[location->change_of[piece.node]];

        for (uint32_t k = 0; k < sim->n_lanes; k++)
            if ((change->cut_lanes >> k & 1) != 0 && piece.time > LONG * change->typical)
                hd_sim_add(sim, times, k, change->typical - piece.time);
    }
}

/* What is left of a tick is carried on, so all pieces before a call may be summed that change alike. */
static void
change_summed(const hd_sim *sim, hd_sim_location *location, hd_time until, hd_span *times)
{
    const uint32_t *change_of = location->change_of;
    uint32_t        last      = HD_NONE;
    hd_span         sum       = 0;
    sim_piece       piece;

    while (next_piece(location, until, &piece)) {
        uint32_t at = change_of[piece.node];

        if (at == HD_NONE)
            continue;
        if (at != last && last != HD_NONE) {
            change_sum(sim, location, &location->changes[last], sum, times);
            sum = 0;
        }
        last = at;
        sum += piece.time;
    }
    if (last != HD_NONE)
        change_sum(sim, location, &location->changes[last], sum, times);
}

/* The same where all that changes does so alike, up to a call that is no polled wait. */
static void
change_alike(const hd_sim *sim, hd_sim_location *location, hd_time until, hd_span *times)
{
    const uint32_t    *change_of = location->change_of;
    hd_interval_cursor intervals = location->intervals; /* a copy, which stays in registers */
    bool               has_interval = location->has_interval;
    hd_span            sum          = 0;

    while (has_interval && intervals.until <= until) {
        while (hd_interval_cursor_has_entry(&intervals)) {
            uint32_t node;
            hd_span  time;

            hd_interval_cursor_entry(&intervals, &node, &time);
            sum += change_of[node] == 0 ? time : 0;
        }
        has_interval = hd_interval_cursor_next(&intervals);
    }
    location->intervals    = intervals;
    location->has_interval = has_interval;
    change_sum(sim, location, &location->changes[0], sum, times);
}

/* Before any call, whatever changes. */
static __attribute__((noinline)) void
change_any(const hd_sim *sim, hd_sim_location *location, const hd_sim_call *call, hd_span between, hd_span *times)
{
    bool      is_changed = location->n_changes > 0 || location->zero != 0 || location->n_piece_cursors > 0;
    bool      has_pieces = false;
    hd_span   in_mpi     = 0;
    hd_time   until;
    sim_piece piece;

    if (HD_UNLIKELY(location->zero != 0) && location->i_call > 0)
        location->covered += hd_sim_zero_covered(location, &location->calls[location->i_call - 1]);
    until = begin_pieces(location, call);
    if (HD_LIKELY(location->zero == 0))
        hd_sim_lanes_add(times, between, sim->width);
    if (is_changed && location->is_summed)
        change_summed(sim, location, until, times);
    if (!is_changed || location->is_summed)
        return;
    while (next_piece(location, until, &piece)) {
        has_pieces = true;
        if (location->change_of[piece.node] != HD_NONE)
            change_sum(sim, location, &location->changes[location->change_of[piece.node]], piece.time, times);
        if (location->in_mpi[piece.node])
            in_mpi += piece.time;
        if (location->cut_sums != NULL)
            add_to_cut(location, piece.node, piece.time);
        if (location->n_piece_cursors > 0)
            hd_sim_piece_cursors_next(sim, location, times);
    }
    if (location->cut_sums != NULL)
        change_long(sim, location, times);
    if (HD_UNLIKELY(location->zero != 0)) {
        hd_span outside = hd_sim_zero_between(location, call, between, has_pieces, in_mpi);

        for (uint32_t k = 0; k < sim->n_lanes; k++)
            hd_sim_add(sim, times, k, (location->zero >> k & 1) != 0 ? outside : between);
    }
}

void
hd_sim_change_between(const hd_sim *sim, hd_sim_location *location, const hd_sim_call *call, hd_span between,
                      hd_span *times)
{
    if (HD_UNLIKELY(!location->is_alike || call == NULL || (call->flags & HD_SIM_CALL_POLLED) != 0)) {
        change_any(sim, location, call, between, times);
        return;
    }
    location->gap = NULL;
    hd_sim_lanes_add(times, between, sim->width);
    change_alike(sim, location, call->enter, times);
}
