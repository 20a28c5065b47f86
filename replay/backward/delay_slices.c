/* replay/backward/delay_slices.c: finds the slices of a delay, and shares its costs among them. */
#include "delay_slices.h"

#include <math.h>

enum { SLICE_BITS = 11, DELAY_BITS = 4, N_TRACKS = 2 };

_Static_assert(HD_MAX_WINDOWS + 3 <= 1 << SLICE_BITS && HD_N_DELAYS <= 1 << DELAY_BITS,
               "a key has a call path, a delay, a slice, and two bits");

typedef struct slice_part { /* of a delay */
    hd_time  span;          /* [ticks] that it has in the slice; all of a track together are the delay */
    uint32_t slice;
} slice_part;

typedef struct slice_parts { /* slices descend */
    slice_part *rows;        /* [n] */
    size_t      n, capacity;
} slice_parts;

struct hd_delay_parts { /* of the delay that was booked last: many members of a collective wait for the same one */
    const hd_vproc *vproc;
    hd_time         from, to;
    slice_parts     tracks[N_TRACKS]; /* [n_tracks] of windows, of iterations */
    uint32_t        n_tracks;
};

static inline uint64_t
key_of(const hd_delay_chunk *chunk)
{
    uint64_t what = ((uint64_t)chunk->call_path << DELAY_BITS | chunk->delay) << 1 | chunk->is_long;

    return (what << 1 | chunk->is_iterations) << SLICE_BITS | chunk->first;
}

bool
hd_delay_table_next(const hd_delay_table *table, uint32_t *at, hd_delay_chunk *chunk)
{
    const hd_map_slot *slots = table->chunks.slots;
    uint64_t           what;

    if (slots == NULL)
        return false;
    while (*at <= table->chunks.mask && slots[*at].key == HD_MAP_FREE)
        ++*at;
    if (*at > table->chunks.mask)
        return false;
    what   = slots[*at].key >> SLICE_BITS;
    *chunk = (hd_delay_chunk){ .call_path = (uint32_t)(what >> (DELAY_BITS + 2)),
                               .delay = (hd_delay)(what >> 2 & ((1 << DELAY_BITS) - 1)),
                               .is_long = (what >> 1 & 1) != 0, .is_iterations = (what & 1) != 0,
                               .first = (uint32_t)slots[*at].key & ((1 << SLICE_BITS) - 1),
                               .costs = &table->costs[slots[*at].value * HD_DELAY_CHUNK] };
    ++*at;
    return true;
}

void
hd_delay_table_fini(hd_delay_table *table)
{
    hd_map_fini(&table->chunks);
    free(table->costs);
    *table = (hd_delay_table){ .n = 0 };
}

/* The costs of a chunk, 0 if there are none yet; valid until the next call. */
static int64_t *
costs_of(hd_delay_table *table, const hd_delay_chunk *chunk)
{
    bool      is_new;
    uint64_t *number = hd_map_add(&table->chunks, key_of(chunk), &is_new);

    if (is_new) {
        if (table->n == table->capacity)
            table->costs = hd_grow(table->costs, table->n, &table->capacity, HD_DELAY_CHUNK * sizeof *table->costs);
        *number = table->n++;
        memset(&table->costs[*number * HD_DELAY_CHUNK], 0, HD_DELAY_CHUNK * sizeof *table->costs);
    }
    return &table->costs[*number * HD_DELAY_CHUNK];
}

/* Rows of neighbours that are joined in the end are so from the begin, if one worker has them. */
static void
find_tables(const hd_replay *replay, hd_delay_slices *slices)
{
    const hd_placement *placement   = replay->request->placement;
    uint32_t            n_processes = replay->defs->n_processes;
    hd_map              first_of    = { 0 }; /* first neighbour << 32 | worker -> vproc */

    for (uint32_t i = 0; i < replay->n_vprocs; i++) {
        uint32_t process = replay->vprocs[i].process_id;
        uint64_t key     = (uint64_t)hd_series_first(process, n_processes) << 32 |
                           hd_placement_worker(placement, (hd_process){ process });
        bool     is_new;
        uint64_t *first = hd_map_add(&first_of, key, &is_new);

        if (is_new)
            *first = i;
        slices->table_of[i] = (uint32_t)*first;
    }
    hd_map_fini(&first_of);
}

/* Of a tick, so that a second has a whole number of parts; 0: it has not, which is so with damaged times only. */
static double
find_fraction(const hd_replay *replay)
{
    double resolution = (double)replay->defs->resolution;
    double fraction   = replay->cause_fraction < HD_DELAY_TICK_PARTS ? replay->cause_fraction : HD_DELAY_TICK_PARTS;

    while (fraction * resolution >= 0x1p63)
        fraction /= 2;
    return fraction * resolution >= 1 && floor(fraction * resolution) == fraction * resolution ? fraction : 0;
}

void
hd_delay_slices_start(hd_replay *replay)
{
    const hd_replay_request *request  = replay->request;
    double                   fraction = find_fraction(replay);
    hd_delay_slices         *slices;

    if (!request->all_series || !request->delays || request->windows.n == 0 || request->time_paths == NULL ||
        fraction == 0)
        return;
    slices           = HD_NEW(hd_delay_slices);
    slices->tables   = HD_NEW_ARRAY(hd_delay_table, (size_t)replay->n_vprocs + 1);
    slices->table_of = HD_NEW_ARRAY(uint32_t, (size_t)replay->n_vprocs + 1);
    slices->fraction = fraction;
    find_tables(replay, slices);
    replay->delay_slices = slices;
    for (uint32_t t = 0; t < hd_placement_n_threads(request->placement); t++) {
        struct hd_delay_parts *parts = HD_NEW(struct hd_delay_parts);

        parts->n_tracks                = hd_has_iterations(request->iterations) ? 2 : 1;
        replay->workers[t].delay_parts = parts;
    }
}

void
hd_delay_slices_free(hd_delay_slices *slices, uint32_t n_vprocs)
{
    if (slices == NULL)
        return;
    for (uint32_t i = 0; i < n_vprocs; i++)
        hd_delay_table_fini(&slices->tables[i]);
    free(slices->tables);
    free(slices->table_of);
    free(slices);
}

void
hd_delay_slices_worker_fini(hd_replay_worker *rh)
{
    if (rh->delay_parts == NULL)
        return;
    for (uint32_t k = 0; k < N_TRACKS; k++)
        free(rh->delay_parts->tracks[k].rows);
    free(rh->delay_parts);
    rh->delay_parts = NULL;
}

/* ---- slices of a delay ------------------------------------------------------------------------------------------- */

/* Slices come from the last to the first one. */
static void
add_part(slice_parts *parts, uint32_t slice, hd_time span)
{
    if (span == 0)
        return;
    if (parts->n > 0 && parts->rows[parts->n - 1].slice == slice)
        parts->rows[parts->n - 1].span += span;
    else
        HD_PUSH(parts->rows, parts->n, parts->capacity, ((slice_part){ span, slice }));
}

static void
find_windows(const hd_windows *windows, hd_time from, hd_time to, slice_parts *parts)
{
    for (uint32_t slice = hd_windows_slice(windows, to - 1); to > from; slice--) {
        hd_time begin = slice > 0 ? hd_time_max(hd_windows_begin(windows, slice), from) : from;

        add_part(parts, slice, to - begin);
        to = begin;
    }
}

/* How many iterations of the process begin before that time. */
static uint32_t
n_begun(const hd_process_iterations *own, hd_time before)
{
    uint32_t low = 0, high = own->n;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (own->rows[middle].enter < before)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Between iterations, after the last one, then the iterations. The process is after its last one where others have more
 * of them. */
static void
find_iterations(const hd_process_iterations *own, uint32_t n, hd_time from, hd_time to, slice_parts *parts)
{
    uint32_t shift = hd_iterations_shift(n, HD_MAX_WINDOWS), begun = n_begun(own, to);
    hd_time  after = 0, end = to, between = 0;

    for (uint32_t i = begun; i > 0 && end > from; i--) {
        hd_time leave = hd_time_max(hd_time_min(own->rows[i - 1].leave, end), from);

        *(i == own->n ? &after : &between) += end - leave;
        end = hd_time_min(leave, hd_time_max(own->rows[i - 1].enter, from));
    }
    add_part(parts, hd_iterations_joined(n, n + 2, shift), between);
    add_part(parts, hd_iterations_joined(n, n + 1, shift), after);
    end = to;
    for (uint32_t i = begun; i > 0 && end > from; i--) {
        hd_time leave = hd_time_max(hd_time_min(own->rows[i - 1].leave, end), from);

        end = hd_time_min(leave, hd_time_max(own->rows[i - 1].enter, from));
        add_part(parts, hd_iterations_joined(n, i, shift), leave - end);
    }
    add_part(parts, 0, end - from);
}

static void
find_parts(const hd_replay *replay, const hd_vproc *vproc, hd_time from, hd_time to, struct hd_delay_parts *parts)
{
    const hd_replay_request *request = replay->request;

    if (parts->vproc == vproc && parts->from == from && parts->to == to)
        return;
    parts->vproc = vproc;
    parts->from  = from;
    parts->to    = to;
    for (uint32_t k = 0; k < parts->n_tracks; k++)
        parts->tracks[k].n = 0;
    find_windows(&request->windows, from, to, &parts->tracks[0]);
    if (parts->n_tracks > 1)
        find_iterations(&request->iterations->of[vproc->process - request->trace->processes], request->iterations->n,
                        from, to, &parts->tracks[1]);
}

/* That of the delay into delay_parts of the worker. HD_SYNC_BEGIN has no time, and threads are idle until a point
 * behind the end. */
static void
find_interval(hd_replay_worker *rh, const hd_vproc *vproc, uint32_t previous, uint32_t point)
{
    hd_time from = hd_sync_enter_at(vproc->syncs, previous != HD_NONE ? previous : 0);
    hd_time to   = hd_time_min(hd_sync_enter_at(vproc->syncs, point), vproc->location->intervals.end);

    if (from == 0)
        from = vproc->location->intervals.begin;
    if (from >= to) {
        from = to > 0 ? to - 1 : 0;
        to   = from + 1;
    }
    find_parts(rh->replay, vproc, from, to, rh->delay_parts);
}

/* ---- costs ------------------------------------------------------------------------------------------------------- */

/* whole * span / all, rounded down; span <= all */
static inline int64_t
part_of(int64_t whole, hd_time span, hd_time all)
{
    uint64_t product;

    if (HD_LIKELY(!__builtin_mul_overflow((uint64_t)whole, span, &product)))
        return (int64_t)(product / all);
    return (int64_t)((unsigned __int128)(uint64_t)whole * span / all);
}

/* Shares a cost of the chunk's metric and call path among the slices of a track. all: length of the delay */
static void
share(hd_delay_table *table, const slice_parts *track, hd_delay_chunk chunk, int64_t whole, hd_time all)
{
    int64_t *costs = NULL, rest = whole;
    hd_time  left  = all;

    for (const slice_part *part = track->rows, *end = part + track->n; part < end && rest > 0; part++) {
        int64_t before;

        left -= part->span;
        before = part_of(whole, left, all);
        if (costs == NULL || part->slice - chunk.first >= HD_DELAY_CHUNK) {
            chunk.first = part->slice - part->slice % HD_DELAY_CHUNK;
            costs       = costs_of(table, &chunk);
        }
        costs[part->slice - chunk.first] += rest - before;
        rest = before;
    }
}

/* A cost [ticks] of the delay whose slices were found. */
static void
add_cost(hd_replay_worker *rh, const hd_vproc *vproc, hd_delay delay, bool is_long, uint32_t call_path, double cost)
{
    const hd_delay_slices       *slices = rh->replay->delay_slices;
    const struct hd_delay_parts *parts  = rh->delay_parts;
    hd_delay_table              *table  = &slices->tables[slices->table_of[vproc->number]];
    hd_delay_chunk               chunk  = { .call_path = call_path, .delay = delay, .is_long = is_long };
    int64_t                      whole  = (int64_t)(cost * slices->fraction + 0.5);

    if (whole <= 0 || hd_is_outside(&rh->replay->sides, call_path))
        return;
    for (uint32_t k = 0; k < parts->n_tracks; k++) {
        chunk.is_iterations = k == 1;
        share(table, &parts->tracks[k], chunk, whole, parts->to - parts->from);
    }
}

void
hd_delay_slices_book(hd_replay_worker *rh, const hd_vproc *vproc, const hd_delay_costs *costs, uint32_t previous,
                     uint32_t point)
{
    const double         *excess = rh->backward->excess;
    const uint32_t       *paths  = rh->backward->excess_paths;
    size_t                n      = rh->backward->n_excess;
    const hd_effect_cost *last   = costs->costs + costs->n;

    find_interval(rh, vproc, previous, point);
    for (size_t i = 0; i < n; i++)
        if (paths[i] != HD_NONE)
            add_cost(rh, vproc, costs->delay, false, paths[i], costs->scale * excess[i]);
    for (const hd_effect_cost *cost = costs->costs; cost < last;) {
        hd_delay delay = hd_effect_delay(cost->effect);
        double   sum   = 0;

        for (; cost < last && hd_effect_delay(cost->effect) == delay; cost++)
            sum += cost->value;
        for (size_t i = 0; i < n; i++)
            if (paths[i] != HD_NONE)
                add_cost(rh, vproc, delay, true, paths[i], sum * (excess[i] / costs->all));
    }
}

void
hd_delay_slices_book_idle(hd_replay_worker *rh, const hd_vproc *vproc, double n, uint32_t previous, uint32_t point)
{
    const hd_time_vector *own = &rh->backward->own;

    find_interval(rh, vproc, previous, point);
    for (size_t i = 0; i < own->n; i++)
        add_cost(rh, vproc, HD_DELAY_OMP_IDLE, false, own->touched[i], n * own->spans[own->touched[i]]);
}
