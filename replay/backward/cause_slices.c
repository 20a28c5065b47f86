/* replay/backward/cause_slices.c: finds slices of times, and shares costs among them. */
#include "cause_slices.h"

#include "unattributed.h"

/* NULL: slices are windows. */
static inline const hd_process_iterations *
iterations_of(const hd_replay *replay, const hd_vproc *vproc)
{
    const hd_replay_request *request = replay->request;

    if (!hd_has_iterations(request->iterations))
        return NULL;
    return &request->iterations->of[vproc->process - request->trace->processes];
}

/* The slice in which so many iterations of a process have begun. */
static inline uint32_t
slice_with(const hd_replay *replay, uint32_t n_begun)
{
    uint32_t n = replay->request->iterations->n;

    return hd_iterations_joined(n, n_begun, hd_iterations_shift(n, HD_MAX_WINDOWS));
}

/* The slice of which last->hint says it: so many iterations begin before its end. */
static inline void
set_iteration(const hd_replay *replay, const hd_process_iterations *own, hd_last_slice *last)
{
    last->from  = last->hint > 0 ? own->rows[last->hint - 1].enter : 0;
    last->until = last->hint < own->n ? own->rows[last->hint].enter : UINT64_MAX;
    last->slice = slice_with(replay, last->hint);
    if (last->hint > 0) {
        last->before      = slice_with(replay, last->hint - 1);
        last->before_from = last->hint > 1 ? own->rows[last->hint - 2].enter : 0;
    }
}

/* Likewise of a window, or of what is before or behind them. */
static inline void
set_window(const hd_windows *windows, hd_last_slice *last, uint32_t slice, hd_time until)
{
    last->slice       = slice;
    last->until       = until;
    last->from        = slice > 0 ? hd_windows_begin(windows, slice) : 0;
    last->before      = slice - 1;
    last->before_from = slice > 1 ? hd_windows_begin(windows, slice - 1) : 0;
}

/* To the slice that ends where this one begins. last->from > 0 */
static inline void
go_before(const hd_replay *replay, const hd_process_iterations *own, hd_last_slice *last)
{
    hd_time end = last->from;

    if (own != NULL) {
        do
            last->hint--;
        while (last->hint > 0 && own->rows[last->hint - 1].enter >= end);
        set_iteration(replay, own, last);
        return;
    }
    set_window(&replay->request->windows, last, last->slice - 1, end);
}

/* The hint is the last one's: times mostly go down, from one wait to the next and within a delay. */
void
hd_find_slice(const hd_replay *replay, const hd_vproc *vproc, hd_time time, hd_last_slice *last)
{
    const hd_windows            *windows = &replay->request->windows;
    const hd_process_iterations *own     = iterations_of(replay, vproc);
    uint32_t                     slice;

    if (!replay->has_cause_slices) {
        *last = (hd_last_slice){ .until = UINT64_MAX };
        return;
    }
    if (own != NULL) {
        if (time < last->from && (last->hint == 1 || own->rows[last->hint - 2].enter <= time))
            last->hint--; /* the one before, */
        else if (time >= last->until && last->hint + 1 < own->n && own->rows[last->hint + 1].enter > time &&
                 own->rows[last->hint].enter <= time)
            last->hint++; /* or behind it */
        else
            (void)hd_iterations_slice(own, replay->request->iterations->n, time, &last->hint);
        set_iteration(replay, own, last);
        return;
    }
    if (time + 1 == last->from) {
        go_before(replay, NULL, last);
        return;
    }
    slice = hd_windows_slice(windows, time);
    set_window(windows, last, slice, slice > windows->n ? UINT64_MAX : hd_windows_begin(windows, slice + 1));
}

/* ---- costs ------------------------------------------------------------------------------------------------------- */

enum { NEAR = 2 }; /* most waits are in the slice of their delay, or in the one after it */

struct hd_slice_costs { /* of the waits in a slice, by how many slices their delay is before them */
    int64_t  near[NEAR];
    int64_t *far;   /* [n_far] from NEAR on */
    uint32_t n_far;
};

typedef struct hd_slice_part {
    uint64_t before; /* how long the delay has been when the slice begins; 0: it begins in it */
    uint32_t slice;
} hd_slice_part;

struct hd_slice_parts { /* of the delay that was looked for last: many members of a collective wait for the same one */
    const hd_vproc *vproc;
    hd_time         from, to;
    hd_slice_part  *rows; /* [n] the last slice first */
    size_t          n, capacity;
};

static uint32_t
count_slices(const hd_replay_request *request)
{
    const hd_iterations *iterations = request->iterations;

    if (!hd_has_iterations(iterations))
        return request->windows.n + 2;
    return 1 + hd_iterations_joined(iterations->n, iterations->n, hd_iterations_shift(iterations->n, HD_MAX_WINDOWS));
}

/* Room for `distance` slices and more. */
static void
make_far(struct hd_slice_costs *costs, uint32_t distance)
{
    uint32_t n_far = 2 * distance;
    int64_t *far   = HD_NEW_ARRAY(int64_t, n_far);

    if (costs->n_far > 0)
        memcpy(far, costs->far, costs->n_far * sizeof *far);
    free(costs->far);
    costs->far   = far;
    costs->n_far = n_far;
}

static __attribute__((noinline)) int64_t *
new_cost(hd_replay_worker *rh, hd_delay delay, uint32_t slice, uint32_t of_wait)
{
    uint32_t distance = of_wait - slice;

    if (slice > of_wait)
        return &hd_cause_table_slot(&rh->slices, slice, hd_effect(delay, of_wait))->short_term;
    if (rh->slice_costs[delay] == NULL)
        rh->slice_costs[delay] = HD_NEW_ARRAY(struct hd_slice_costs, count_slices(rh->replay->request));
    if (distance < NEAR)
        return &rh->slice_costs[delay][of_wait].near[distance];
    make_far(&rh->slice_costs[delay][of_wait], distance);
    return &rh->slice_costs[delay][of_wait].far[distance - NEAR];
}

/* Where costs of delays in a slice, for waits in another one, are added up. */
static inline int64_t *
cost_of(hd_replay_worker *rh, hd_delay delay, uint32_t slice, uint32_t of_wait)
{
    struct hd_slice_costs *costs    = rh->slice_costs[delay];
    uint32_t               distance = of_wait - slice; /* very large where the delay is in a later one */

    if (HD_LIKELY(costs != NULL)) {
        costs += of_wait;
        if (distance < NEAR)
            return &costs->near[distance];
        if (distance - NEAR < costs->n_far)
            return &costs->far[distance - NEAR];
    }
    return new_cost(rh, delay, slice, of_wait);
}

static void
put_cost(hd_cause_table *table, hd_delay delay, uint32_t slice, uint32_t of_wait, int64_t cost)
{
    if (cost != 0)
        hd_cause_table_append(table, slice, hd_effect(delay, of_wait), cost);
}

/* Into the table of the first worker; near ones in the order in which rows are sorted. */
static void
end_costs(hd_replay_worker *rh, hd_cause_table *all)
{
    uint32_t n = count_slices(rh->replay->request), n_own = 0;
    hd_delay own[HD_N_DELAYS]; /* [n_own] kinds with costs */

    for (hd_delay delay = (hd_delay)0; delay < HD_N_DELAYS; delay++)
        if (rh->slice_costs[delay] != NULL)
            own[n_own++] = delay;
    HD_RESERVE(all->rows, all->n, all->capacity, (size_t)n * n_own * NEAR);
    for (uint32_t slice = 0; slice < n; slice++)
        for (uint32_t i = 0; i < n_own; i++)
            for (uint32_t k = 0; k < NEAR && slice + k < n; k++)
                put_cost(all, own[i], slice, slice + k, rh->slice_costs[own[i]][slice + k].near[k]);
    for (hd_delay delay = (hd_delay)0; delay < HD_N_DELAYS; delay++) {
        struct hd_slice_costs *costs = rh->slice_costs[delay];

        for (uint32_t of_wait = 0; of_wait < n && costs != NULL; of_wait++) {
            for (uint32_t k = 0; k < costs[of_wait].n_far; k++)
                put_cost(all, delay, of_wait - NEAR - k, of_wait, costs[of_wait].far[k]);
            free(costs[of_wait].far);
        }
        free(costs);
        rh->slice_costs[delay] = NULL;
    }
}

void
hd_cause_slices_end(hd_replay *replay)
{
    for (uint32_t t = 0; t < hd_placement_n_threads(replay->request->placement); t++) {
        hd_replay_worker *rh = &replay->workers[t];

        end_costs(rh, &replay->workers[0].slices);
        if (rh->slice_parts != NULL)
            free(rh->slice_parts->rows);
        free(rh->slice_parts);
        rh->slice_parts = NULL;
    }
}

static __attribute__((noinline)) void
find_parts(const hd_replay *replay, const hd_vproc *vproc, hd_time from, hd_time to, struct hd_slice_parts *parts)
{
    const hd_process_iterations *own = iterations_of(replay, vproc);
    hd_last_slice                in  = *hd_slice_of(replay, vproc, to - 1); /* where the next one begins, too */

    parts->vproc = vproc;
    parts->from  = from;
    parts->to    = to;
    parts->n     = 0;
    for (; in.from > from; go_before(replay, own, &in))
        HD_PUSH(parts->rows, parts->n, parts->capacity, ((hd_slice_part){ in.from - from, in.slice }));
    HD_PUSH(parts->rows, parts->n, parts->capacity, ((hd_slice_part){ 0, in.slice }));
}

/* Adds the parts of `whole` where costs for a wait in this slice are. is_short: of a delay of less than 2^32 ticks.
 * costs: of a wait that no slice of the delay is behind, with room for all of them; NULL: of another one */
static inline __attribute__((always_inline)) void
add_parts(hd_replay_worker *rh, hd_delay delay, uint32_t of_wait, int64_t whole, bool is_short,
          struct hd_slice_costs *costs)
{
    const hd_slice_part *part = rh->slice_parts->rows, *end = part + rh->slice_parts->n;
    uint64_t             all = rh->slice_parts->to - rh->slice_parts->from;
    uint64_t             each = (uint64_t)whole / all, over = (uint64_t)whole % all;
    int64_t              rest = whole;

    for (; part < end; part++) { /* before: whole * part->before / all */
        uint64_t over_before = is_short ? over * part->before / all :
                                          (uint64_t)((unsigned __int128)over * part->before / all);
        int64_t  before      = (int64_t)(each * part->before + over_before);
        uint32_t distance    = of_wait - part->slice;

        if (costs == NULL)
            *cost_of(rh, delay, part->slice, of_wait) += rest - before;
        else if (distance < NEAR)
            costs->near[distance] += rest - before;
        else
            costs->far[distance - NEAR] += rest - before;
        rest = before;
    }
}

/* Costs of a delay that is in several slices, most of them in two. from < to */
static __attribute__((noinline)) void
share(hd_replay_worker *rh, const hd_vproc *vproc, hd_time from, hd_time to, const hd_wait_item *item, int64_t whole)
{
    const hd_last_slice   *in    = hd_slice_of(rh->replay, vproc, to - 1);
    hd_delay               delay = (hd_delay)item->delay;
    uint64_t               all   = to - from;
    struct hd_slice_parts *parts;

    if (in->from <= from) {
        *cost_of(rh, delay, in->slice, item->slice) += whole;
        return;
    }
    if (HD_LIKELY(all <= UINT32_MAX && in->before_from <= from)) {
        int64_t part = (int64_t)((uint64_t)whole / all * (in->from - from) +
                                 (uint64_t)whole % all * (in->from - from) / all); /* as add_parts() has it */

        *cost_of(rh, delay, in->slice, item->slice) += whole - part;
        *cost_of(rh, delay, in->before, item->slice) += part;
        return;
    }
    if (HD_UNLIKELY(rh->slice_parts == NULL))
        rh->slice_parts = HD_NEW(struct hd_slice_parts);
    parts = rh->slice_parts;
    if (parts->vproc != vproc || parts->from != from || parts->to != to)
        find_parts(rh->replay, vproc, from, to, parts);
    if (HD_UNLIKELY(to - from > UINT32_MAX || parts->rows[0].slice > item->slice)) {
        add_parts(rh, delay, item->slice, whole, false, NULL);
        return;
    }
    (void)cost_of(rh, delay, parts->rows[parts->n - 1].slice, item->slice); /* makes room for those between them, too */
    add_parts(rh, delay, item->slice, whole, true, &rh->slice_costs[delay][item->slice]);
}

void
hd_cause_slices_book(hd_replay_worker *rh, const hd_vproc *vproc, const hd_wait_item *item, int64_t cost,
                     uint32_t previous, uint32_t point)
{
    const hd_last_slice *in = &vproc->backward->last_slice;
    hd_time              from, to;

    if (!rh->replay->has_cause_slices || cost <= 0)
        return;
    from = hd_sync_enter_at(vproc->syncs, previous != HD_NONE ? previous : 0);
    to   = hd_sync_enter_at(vproc->syncs, point);
    if (HD_UNLIKELY(from == 0)) /* HD_SYNC_BEGIN has no time: with the first enter */
        from = vproc->location->intervals.begin;
    if (HD_UNLIKELY(from >= to)) {
        from = to > 0 ? to - 1 : 0;
        to   = from + 1;
    }
    if (HD_LIKELY(from >= in->from && to <= in->until))
        *cost_of(rh, (hd_delay)item->delay, in->slice, item->slice) += cost;
    else
        share(rh, vproc, from, to, item, cost);
}
