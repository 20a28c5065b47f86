/* replay/backward/critical_path.c: begin and evaluation of the critical path. It starts at the process that ends the
 * run last. Afterwards its length per call path is summed over all ranks in integer fractions of a tick, so that the
 * sums do not depend on the order of the ranks. */
#include "critical_path.h"

#include <math.h>

#include "path.h"
#include "sync_time.h"

/* Whether the point ends the run on its location: MPI_Finalize goes before any other end. */
static bool
ends_run(const hd_vproc *vproc, size_t point, bool any_finalize)
{
    return hd_sync_kind_at(vproc->syncs, point) == (any_finalize ? HD_SYNC_FINALIZE : HD_SYNC_END);
}

static hd_time
end_time(const hd_vproc *vproc, size_t point)
{
    const hd_sync  own = hd_sync_at(vproc->syncs, point), *sync = &own;

    return sync->kind == HD_SYNC_END ? vproc->location->intervals.end : sync->enter;
}

void
hd_critical_path_start(hd_replay *replay)
{
    hd_analysis_comm *analysis_comm = replay->request->analysis_comm;
    uint64_t          latest[2] = { 0, 0 }, place = UINT64_MAX; /* latest: whether there is an MPI_Finalize, time + 1 */
    hd_time           own_latest  = 0;
    hd_vproc         *start       = NULL;
    size_t            start_point = 0;

    for (uint32_t i = 0; i < replay->n_vprocs; i++)
        latest[0] |= replay->vprocs[i].location->has_finalize;
    hd_analysis_comm_reduce(analysis_comm, &latest[0], 1, HD_MAX);
    for (uint32_t i = 0; i < replay->n_vprocs; i++) {
        hd_vproc *vproc = &replay->vprocs[i];
        uint64_t  own   = (uint64_t)vproc->process_id << 32 | vproc->thread;
        size_t    p     = vproc->syncs->n;
        hd_time   time;

        while (p > 0 && !ends_run(vproc, p - 1, latest[0] != 0))
            p--;
        if (p == 0)
            continue;
        time = end_time(vproc, p - 1) + 1;
        if (time < own_latest || (time == own_latest && own > place))
            continue;
        own_latest  = time;
        place       = own;
        start       = vproc;
        start_point = p - 1;
    }
    latest[1] = own_latest;
    hd_analysis_comm_reduce(analysis_comm, &latest[1], 1, HD_MAX);
    place     = own_latest == latest[1] ? place : UINT64_MAX;
    latest[0] = place;
    hd_analysis_comm_reduce(analysis_comm, &latest[0], 1, HD_MIN);
    if (start != NULL && place == latest[0])
        hd_path_enter(start, (uint32_t)start_point);
}

/* Fractions of ticks as integers, so that their sums do not depend on who added them. A sum over all locations has two
 * words: one of the fractions, in 2^-32 of a tick, one of the whole ticks. */
static inline void
add_fraction(uint64_t *sums, double value)
{
    int64_t whole = (int64_t)value;

    whole -= (double)whole > value; /* the next lower one */
    sums[0] += (uint64_t)(int64_t)((value - (double)whole) * 0x1p32);
    sums[1] += (uint64_t)whole;
}

static double
fraction_of(const uint64_t *sums)
{
    return (double)(int64_t)sums[1] + (double)sums[0] * 0x1p-32;
}

void
hd_critical_path_collect(hd_replay *replay, hd_critical_path *path)
{
    uint32_t  n         = replay->sides.n;
    uint32_t  n_threads = hd_placement_n_threads(replay->request->placement);
    uint64_t *lengths   = HD_NEW_ARRAY(uint64_t, n);

    *path = (hd_critical_path){ .lengths = HD_NEW_ARRAY(double, n), .critical = HD_NEW_ARRAY(uint32_t, n) };
    for (uint32_t i = 0; i < replay->n_vprocs; i++) {
        uint64_t at = 0;
        hd_cost  cost;

        while (hd_costs_next(&replay->vprocs[i].costs, HD_METRIC_critical_path, &at, &cost))
            lengths[cost.call_path] += (uint64_t)(int64_t)cost.value;
    }
    hd_analysis_comm_reduce(replay->request->analysis_comm, lengths, n, HD_SUM);
    for (uint32_t i = 0; i < n && i < replay->sides.n_inside; i++)
        if ((int64_t)lengths[i] > 0) {
            path->critical[path->n_critical++] = i;
            path->lengths[i] = (double)lengths[i];
            path->length += path->lengths[i];
        }
    free(lengths);
    path->sums            = HD_NEW_ARRAY(hd_impact_sum, (size_t)n_threads * path->n_critical);
    path->divides_by_zero = HD_NEW_ARRAY(bool, (size_t)n_threads * 2);
}

/* A worker works from the enter of a parallel region to its last barrier. */
static void
add_regions(hd_replay_worker *rh, const hd_vproc *vproc)
{
    const hd_syncs *syncs    = vproc->syncs;
    hd_team_syncs  *teams    = &rh->backward->teams; /* the last barrier of each */
    uint32_t        location = vproc->number + 1, passed = 0;

    for (uint32_t i = 0; i < syncs->n; i++)
        if (hd_sync_kind_at(syncs, i) == HD_SYNC_BARRIER)
            *hd_team_syncs_place(teams, location, hd_sync_peer_at(syncs, i)) = i;
    for (uint32_t i = 0; i < syncs->n; i++) {
        uint32_t end;

        if (i < passed || hd_sync_kind_at(syncs, i) != HD_SYNC_PARALLEL)
            continue;
        end = *hd_team_syncs_place(teams, location, hd_sync_peer_at(syncs, i));
        if (end == 0) /* it has none: the first point of all is no barrier */
            continue;
        hd_sync_time_add(&rh->backward->own, syncs, i, end, rh->backward->limit);
        passed = end;
    }
}

/* On the sides where they are. */
static __attribute__((noinline)) void
add_waits(hd_time_vector *waits, const hd_syncs *syncs)
{
    for (size_t i = 0; i < syncs->n; i++) {
        hd_sync sync = hd_sync_at(syncs, i);

        if (sync.wait > 0 && sync.kind != HD_SYNC_WAITED)
            hd_sync_time_add_call(waits, syncs, sync.call_path, hd_sync_wait_begin(syncs, &sync), (double)sync.wait, 1);
    }
}

/* Those outside of the main window, where it is not the run. Points and parts of the window ascend. */
static void
add_outside(hd_time_vector *waits, const hd_syncs *syncs, const hd_analysis_intervals *intervals)
{
    size_t n_begun = 0; /* parts of the window that begin at the enter of the point or before it */

    for (size_t i = 0; i < syncs->n; i++) {
        hd_sync sync;

        if (hd_packed_sync_at(syncs, i)->wait == 0) /* mostly */
            continue;
        sync = hd_sync_at(syncs, i);
        if (sync.wait <= 0 || sync.kind == HD_SYNC_WAITED)
            continue;
        while (n_begun < intervals->n && intervals->parts[n_begun].from <= sync.enter)
            n_begun++;
        if (n_begun == 0 || sync.enter + (hd_time)sync.wait > intervals->parts[n_begun - 1].last)
            hd_time_vector_add(waits, sync.call_path, (double)sync.wait);
    }
}

void
hd_critical_path_add_waits(hd_replay_worker *rh, hd_vproc *vproc)
{
    const hd_analysis_intervals *intervals = vproc->process->analysis_intervals;
    hd_syncs                    *syncs     = vproc->syncs;
    hd_time_vector              *all       = &rh->backward->own;
    hd_time_vector              *outside   = &rh->backward->other;

    if (syncs->sides != NULL)
        return;
    hd_time_vector_clear(all);
    hd_time_vector_clear(outside);
    hd_sync_time_add_waits(all, syncs, 0, (uint32_t)syncs->n, 1, false);
    if (intervals != NULL && intervals->is_main_window)
        add_outside(outside, syncs, intervals);
    syncs->n_waits = (uint32_t)all->n;
    syncs->waits   = HD_NEW_UNSET(hd_sync_waits, all->n);
    for (size_t i = 0; i < all->n; i++)
        syncs->waits[i] = (hd_sync_waits){ .call_path = all->touched[i], .all = (hd_span)all->spans[all->touched[i]],
                                           .outside = (hd_span)hd_time_vector_get(outside, all->touched[i]) };
}

static void
add_times(hd_time_vector *vector, const hd_location_result *result)
{
    hd_time_vector     own   = *vector; /* a copy, which stays in registers */
    const hd_severity *entry = result->entries, *end = entry + result->n;

    for (; entry < end; entry++)
        if (entry->metric == HD_METRIC_time)
            hd_time_vector_add(&own, entry->call_path, (double)entry->value);
    vector->n = own.n;
}

/* Times less waits, inside of the analysis interval. rounds: they are in the unit of vectors. Returns the sum. */
static inline __attribute__((always_inline)) double
take_waits(hd_replay_worker *rh, bool rounds)
{
    const hd_time_vector *waits = &rh->backward->other;
    double               *spans = rh->backward->own.spans, unit = rh->backward->unit, sum = 0;
    const uint32_t       *touched = rh->backward->own.touched, *end = touched + rh->backward->own.n;

    for (; touched < end; touched++) {
        double work = rounds ? round(spans[*touched] * unit) : spans[*touched];
        double wait = hd_time_vector_get(waits, *touched);

        work            = work > wait && !hd_is_outside(&rh->replay->sides, *touched) ? work - wait : 0;
        spans[*touched] = work;
        sum += work;
    }
    return sum;
}

/* Exclusive time without waiting, per call path, into rh->backward->own. Returns the sum. */
static __attribute__((noinline)) double
make_work(hd_replay_worker *rh, const hd_vproc *vproc, const hd_location_result *result)
{
    const hd_syncs *syncs     = vproc->syncs;
    bool            is_worker = false;

    for (size_t i = 0; i < vproc->syncs->n && vproc->thread > 0 && !is_worker; i++)
        is_worker = hd_sync_kind_at(vproc->syncs, i) == HD_SYNC_PARALLEL;
    hd_time_vector_clear(&rh->backward->own);
    hd_time_vector_clear(&rh->backward->other);
    if (is_worker)
        add_regions(rh, vproc);
    else if (rh->backward->limit > 0)
        hd_sync_time_add(&rh->backward->own, vproc->syncs, 0, (uint32_t)vproc->syncs->n - 1, rh->backward->limit);
    else
        add_times(&rh->backward->own, result);
    if (HD_LIKELY(syncs->sides == NULL))
        for (uint32_t i = 0; i < syncs->n_waits; i++)
            hd_time_vector_set(&rh->backward->other, syncs->waits[i].call_path, (double)syncs->waits[i].all);
    else
        add_waits(&rh->backward->other, syncs);
    if (syncs->sides != NULL) {
        hd_sync_time_join_window(&rh->backward->own, syncs);
        hd_sync_time_join_window(&rh->backward->other, syncs);
    }
    return is_worker || rh->backward->limit > 0 ? take_waits(rh, true) : take_waits(rh, false);
}

static __attribute__((noinline)) void
book_activities(const hd_replay_worker *rh, const hd_critical_path *path, hd_vproc *vproc)
{
    hd_costs        costs   = vproc->costs; /* a copy, which stays in registers */
    const double   *spans   = rh->backward->own.spans, *lengths = path->lengths;
    const uint32_t *touched = rh->backward->own.touched, *end = touched + rh->backward->own.n;

    HD_RESERVE(costs.once, costs.n_once, costs.capacity_once, rh->backward->own.n);
    for (; touched < end; touched++) {
        double work = spans[*touched], length = lengths[*touched];

        if (work > 0 && length > 0)
            hd_cost_put(&costs, HD_METRIC_critical_path_activities, *touched, work < length ? work : length);
        if (work > length)
            hd_cost_put(&costs, HD_METRIC_non_critical_path_activities, *touched, work - length);
    }
    vproc->costs = costs;
}

/* What of the activities is outside of the main window: those of all time less those of the time in it. The critical
 * path is in it. */
static void
book_startup(hd_replay_worker *rh, const hd_critical_path *path, hd_vproc *vproc, const hd_location_result *result)
{
    const hd_syncs *syncs = vproc->syncs;

    hd_time_vector_clear(&rh->backward->other);
    for (uint32_t i = 0; i < syncs->n_waits; i++)
        hd_time_vector_set(&rh->backward->other, syncs->waits[i].call_path, (double)syncs->waits[i].outside);
    for (size_t i = 0; i < result->n_startup; i++) {
        uint32_t call_path = result->startup[i].call_path;
        double   work      = hd_time_vector_get(&rh->backward->own, call_path), length = path->lengths[call_path];
        double   outside   = (double)result->startup[i].value - hd_time_vector_get(&rh->backward->other, call_path);
        double   inside    = work > outside ? work - outside : 0;

        if (result->startup[i].metric != HD_METRIC_time || outside <= 0)
            continue;
        hd_cost_add(&vproc->startup_costs, HD_METRIC_critical_path_activities, call_path,
                    fmin(work, length) - fmin(inside, length));
        hd_cost_add(&vproc->startup_costs, HD_METRIC_non_critical_path_activities, call_path,
                    fmax(work - length, 0) - fmax(inside - length, 0));
    }
}

void
hd_critical_path_add(hd_replay_worker *rh, hd_critical_path *path, uint32_t thread, hd_vproc *vproc,
                     const hd_location_result *result)
{
    hd_impact_sum        *sums = path->sums + (size_t)thread * path->n_critical;
    const hd_time_vector *own  = &rh->backward->own;
    double                sum  = make_work(rh, vproc, result);
    double                excess = 0, unvisited = 0, visited = sum, share, inter;

    book_activities(rh, path, vproc);
    book_startup(rh, path, vproc, result);
    for (uint32_t i = 0; i < path->n_critical; i++) {
        double length = path->lengths[path->critical[i]];
        double work   = hd_time_vector_get(own, path->critical[i]);

        if (work < length) {
            excess += length - work;
            if (work > 0)
                visited += length - work;
            else
                unvisited += length;
        }
    }
    path->divides_by_zero[2 * thread] |= excess <= 0;
    path->divides_by_zero[2 * thread + 1] |= unvisited <= 0;
    share = (path->length - sum) / excess; /* of each tick that is less than on the path, if there is any */
    inter = (path->length - visited) / unvisited;
    for (uint32_t i = 0; i < path->n_critical; i++) {
        double length = path->lengths[path->critical[i]];
        double work   = hd_time_vector_get(own, path->critical[i]);

        if (work < length) {
            add_fraction(sums[i].impact, (length - work) * share);
            if (work <= 0)
                add_fraction(sums[i].inter, length * inter);
        }
    }
}

void
hd_critical_path_reduce(hd_replay *replay, hd_critical_path *path)
{
    uint32_t  n_threads  = hd_placement_n_threads(replay->request->placement);
    size_t    n          = (size_t)path->n_critical * sizeof *path->sums / sizeof(uint64_t);
    uint64_t *sums       = (uint64_t *)path->sums;
    uint64_t  by_zero[2] = { path->divides_by_zero[0], path->divides_by_zero[1] };

    for (uint32_t t = 1; t < n_threads; t++) {
        for (size_t i = 0; i < n; i++)
            sums[i] += sums[t * n + i];
        by_zero[0] |= path->divides_by_zero[2 * t];
        by_zero[1] |= path->divides_by_zero[2 * t + 1];
    }
    hd_analysis_comm_reduce(replay->request->analysis_comm, by_zero, 2, HD_MAX);
    hd_analysis_comm_reduce(replay->request->analysis_comm, sums, n, HD_SUM);
    for (uint32_t i = 0; i < path->n_critical && replay->compat; i++) {
        if (by_zero[0] != 0)
            memset(path->sums[i].impact, 0, sizeof path->sums[i].impact);
        if (by_zero[1] != 0)
            memset(path->sums[i].inter, 0, sizeof path->sums[i].inter);
    }
}

static uint32_t
index_of(const hd_critical_path *path, uint32_t call_path)
{
    uint32_t low = 0, high = path->n_critical;

    while (low < high) {
        uint32_t middle = (low + high) / 2;

        if (path->critical[middle] < call_path)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void
hd_critical_path_share(const hd_replay *replay, const hd_critical_path *path, hd_vproc *vproc)
{
    hd_cost *own = NULL, cost;
    size_t   n = 0, capacity = 0;
    uint64_t next = 0;

    while (hd_costs_next(&vproc->costs, HD_METRIC_critical_path, &next, &cost))
        if (cost.value > 0 && !hd_is_outside(&replay->sides, cost.call_path))
            HD_PUSH(own, n, capacity, cost);
    for (size_t i = 0; i < n; i++) {
        uint32_t at     = index_of(path, own[i].call_path);
        double   share  = own[i].value / path->lengths[own[i].call_path];
        double   impact = share * fraction_of(path->sums[at].impact),
                          inter = share * fraction_of(path->sums[at].inter);

        if (impact > 0)
            hd_cost_add(&vproc->costs, HD_METRIC_critical_imbalance_impact, own[i].call_path, impact);
        if (inter > 0)
            hd_cost_add(&vproc->costs, HD_METRIC_inter_partition_imbalance, own[i].call_path, inter);
    }
    free(own);
}

void
hd_critical_path_fini(hd_critical_path *path)
{
    free(path->lengths);
    free(path->critical);
    free(path->sums);
    free(path->divides_by_zero);
    *path = (hd_critical_path){ 0 };
}
