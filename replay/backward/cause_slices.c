/* replay/backward/cause_slices.c: finds slices of times, and shares costs among them. */
#include "cause_slices.h"

#include "unattributed.h"

static bool
is_wanted(const hd_replay *replay)
{
    return replay->request->windows.n > 0 && !replay->compat;
}

/* NULL: slices are windows. */
static inline const hd_process_iterations *
iterations_of(const hd_replay *replay, const hd_vproc *vproc)
{
    const hd_replay_request *request = replay->request;

    if (request->iterations == NULL || request->iterations->n == 0)
        return NULL;
    return &request->iterations->of[vproc->process - request->trace->processes];
}

/* The slice of which last->hint says it: so many iterations begin before its end. */
static inline void
set_iteration(const hd_replay *replay, const hd_process_iterations *own, hd_last_slice *last)
{
    uint32_t n = replay->request->iterations->n;

    last->from  = last->hint > 0 ? own->rows[last->hint - 1].enter : 0;
    last->until = last->hint < own->n ? own->rows[last->hint].enter : UINT64_MAX;
    last->slice = hd_iterations_joined(n, last->hint, hd_iterations_shift(n, HD_MAX_WINDOWS));
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
    last->slice--;
    last->until = end;
    last->from  = last->slice > 0 ? hd_windows_begin(&replay->request->windows, last->slice) : 0;
}

/* The hint is the last one's: times mostly go down, from one wait to the next and within a delay. */
void
hd_find_slice(const hd_replay *replay, const hd_vproc *vproc, hd_time time, hd_last_slice *last)
{
    const hd_windows            *windows = &replay->request->windows;
    const hd_process_iterations *own     = iterations_of(replay, vproc);

    if (!is_wanted(replay)) {
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
    last->slice = hd_windows_slice(windows, time);
    last->until = last->slice > windows->n ? UINT64_MAX : hd_windows_begin(windows, last->slice + 1);
    last->from  = last->slice > 0 ? hd_windows_begin(windows, last->slice) : 0;
}

/* ---- costs ------------------------------------------------------------------------------------------------------- */

enum { NEAR = 2 }; /* most waits are in the slice of their delay, or in the one after it: these have an array */

static uint32_t
count_slices(const hd_replay_request *request)
{
    const hd_iterations *iterations = request->iterations;

    if (iterations == NULL || iterations->n == 0)
        return request->windows.n + 2;
    return 1 + hd_iterations_joined(iterations->n, iterations->n, hd_iterations_shift(iterations->n, HD_MAX_WINDOWS));
}

static __attribute__((noinline)) int64_t *
far_cost(hd_replay_worker *rh, hd_delay delay, uint32_t slice, uint32_t of_wait)
{
    if (of_wait - slice >= NEAR)
        return &hd_cause_table_slot(&rh->slices, slice, hd_effect(delay, of_wait))->short_term;
    rh->near_slices[delay] = HD_NEW_ARRAY(int64_t, (size_t)NEAR * count_slices(rh->replay->request));
    return &rh->near_slices[delay][NEAR * slice + of_wait - slice];
}

/* Where costs of delays in a slice, for waits in another one, are added up. */
static inline int64_t *
cost_of(hd_replay_worker *rh, hd_delay delay, uint32_t slice, uint32_t of_wait)
{
    int64_t *near = rh->near_slices[delay];

    return HD_LIKELY(of_wait - slice < NEAR && near != NULL) ? &near[NEAR * slice + of_wait - slice] :
                                                               far_cost(rh, delay, slice, of_wait);
}

/* Those of all threads are added to those of the first one. */
static void
join_near(hd_replay *replay, hd_delay delay)
{
    int64_t **first = &replay->workers[0].near_slices[delay];

    for (uint32_t t = 1; t < hd_placement_n_threads(replay->request->placement); t++) {
        int64_t *more = replay->workers[t].near_slices[delay];

        replay->workers[t].near_slices[delay] = NULL;
        if (*first == NULL)
            *first = more;
        else if (more != NULL) {
            for (uint32_t i = 0, n = NEAR * count_slices(replay->request); i < n; i++)
                (*first)[i] += more[i];
            free(more);
        }
    }
}

void
hd_cause_slices_end(hd_replay *replay)
{
    hd_replay_worker *rh = &replay->workers[0];
    hd_delay          delays[HD_N_DELAYS];
    uint32_t          n_delays = 0, n_slices;

    for (hd_delay delay = (hd_delay)0; delay < HD_N_DELAYS; delay++) {
        join_near(replay, delay);
        if (rh->near_slices[delay] != NULL)
            delays[n_delays++] = delay;
    }
    n_slices = n_delays > 0 ? count_slices(replay->request) : 0;
    for (uint32_t slice = 0; slice < n_slices; slice++) /* in the order in which rows are sorted */
        for (uint32_t k = 0; k < n_delays; k++)
            for (uint32_t i = 0; i < NEAR; i++) {
                int64_t cost = rh->near_slices[delays[k]][NEAR * slice + i];

                if (cost != 0)
                    hd_cause_table_append(&rh->slices, slice, hd_effect(delays[k], slice + i), cost);
            }
    for (uint32_t k = 0; k < n_delays; k++) {
        free(rh->near_slices[delays[k]]);
        rh->near_slices[delays[k]] = NULL;
    }
}

/* whole * part / all, of part <= all. */
static uint64_t
part_of(uint64_t whole, uint64_t part, uint64_t all)
{
    if (HD_LIKELY(all <= UINT32_MAX))
        return whole / all * part + whole % all * part / all;
    return (uint64_t)((unsigned __int128)whole * part / all);
}

/* Costs of a delay that is in several slices. from < to */
__attribute__((noinline)) static void
share(hd_replay_worker *rh, const hd_vproc *vproc, hd_time from, hd_time to, const hd_wait_item *item, int64_t whole)
{
    hd_last_slice                in  = *hd_slice_of(rh->replay, vproc, to - 1); /* where the next one begins, too */
    const hd_process_iterations *own = iterations_of(rh->replay, vproc);
    int64_t                      rest = whole;

    for (; in.from > from; go_before(rh->replay, own, &in)) {
        int64_t before = (int64_t)part_of((uint64_t)whole, in.from - from, to - from);

        *cost_of(rh, (hd_delay)item->delay, in.slice, item->slice) += rest - before;
        rest = before;
    }
    *cost_of(rh, (hd_delay)item->delay, in.slice, item->slice) += rest;
}

void
hd_cause_slices_book(hd_replay_worker *rh, const hd_vproc *vproc, const hd_wait_item *item, double cost,
                     uint32_t previous, uint32_t point)
{
    const hd_last_slice *in    = &vproc->backward->last_slice;
    hd_time              from  = hd_sync_enter_at(vproc->syncs, previous != HD_NONE ? previous : 0);
    hd_time              to    = hd_sync_enter_at(vproc->syncs, point);
    int64_t              whole = hd_cause_fixed(rh, cost);

    if (HD_UNLIKELY(from == 0)) /* HD_SYNC_BEGIN has no time: with the first enter */
        from = vproc->location->intervals.begin;
    if (!is_wanted(rh->replay) || whole <= 0)
        return;
    if (HD_UNLIKELY(from >= to)) {
        from = to > 0 ? to - 1 : 0;
        to   = from + 1;
    }
    if (HD_LIKELY(from >= in->from && to <= in->until))
        *cost_of(rh, (hd_delay)item->delay, in->slice, item->slice) += whole;
    else
        share(rh, vproc, from, to, item, whole);
}
