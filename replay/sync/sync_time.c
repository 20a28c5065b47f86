/* replay/sync/sync_time.c: time vectors between two points. Sums over powers of HD_SYNC_FAN_OUT points are kept in
 * levels, so that a long interval costs the logarithm of its points; waits are taken off separately, by the rules of
 * the caller. */
#include "sync_time.h"

/* Adds an element as scout 2.6 does it. */
static void
add_limited(hd_time_vector *vector, uint32_t call_path, double span, uint32_t limit)
{
    size_t smallest;

    hd_time_vector_add(vector, call_path, span);
    if (vector->n <= limit)
        return;
    smallest = vector->n - 1; /* the new one, before all others, of which the first call path goes */
    for (size_t i = 0; i < vector->n - 1; i++)
        if (vector->spans[vector->touched[i]] < vector->spans[vector->touched[smallest]] ||
            (vector->spans[vector->touched[i]] == vector->spans[vector->touched[smallest]] &&
             smallest < vector->n - 1 && vector->touched[i] < vector->touched[smallest]))
            smallest = i;
    vector->stamps[vector->touched[smallest]] = vector->stamp - 1;
    memmove(&vector->touched[smallest], &vector->touched[smallest + 1],
            (vector->n - smallest - 1) * sizeof *vector->touched);
    vector->n--;
}

static void
add_entries(hd_time_vector *vector, const uint8_t *at, const uint8_t *end)
{
    uint32_t call_path;
    uint64_t bits;

    while (at < end) {
        hd_vector_run_entry(&at, &call_path, &bits);
        hd_time_vector_add(vector, call_path, (double)hd_unzigzag(bits));
    }
}

void
hd_sync_time_add(hd_time_vector *vector, const hd_syncs *syncs, uint32_t from, uint32_t to, uint32_t limit)
{
    const uint8_t *at = hd_vector_run_at(&syncs->vectors, from), *end = hd_vector_run_at(&syncs->vectors, to);

    if (limit == 0)
        add_entries(vector, at, end);
    while (at < end && limit > 0) {
        uint32_t call_path;
        uint64_t bits;
        double   span;

        hd_vector_run_entry(&at, &call_path, &bits);
        memcpy(&span, &bits, sizeof span);
        add_limited(vector, call_path, span, limit);
    }
}

/* The time, by sides, where the call path is one outside: the call lies on several, maybe. */
static hd_side_spans
split(const hd_syncs *syncs, hd_time begin, double span)
{
    return hd_analysis_intervals_split(syncs->intervals, begin, begin + (hd_time)span);
}

void
hd_sync_time_add_call_slow(hd_time_vector *vector, const hd_syncs *syncs, uint32_t call_path, hd_time begin,
                           double span, double factor)
{
    uint32_t      inner = hd_inner_call_path(syncs->sides, call_path);
    hd_side_spans spans;

    if (inner == call_path) {
        hd_time_vector_add(vector, call_path, factor * span);
        return;
    }
    spans = split(syncs, begin, span);
    for (uint32_t side = 0, at = inner; at < syncs->sides->n; side++, at += syncs->sides->n_inside)
        if (spans.on[side] > 0)
            hd_time_vector_add(vector, at, factor * (double)spans.on[side]);
}

void
hd_sync_time_take_call_slow(hd_time_vector *vector, const hd_syncs *syncs, uint32_t call_path, hd_time begin,
                            double span)
{
    uint32_t      inner = hd_inner_call_path(syncs->sides, call_path);
    hd_side_spans spans;

    if (inner == call_path) {
        hd_time_vector_take(vector, call_path, span);
        return;
    }
    spans = split(syncs, begin, span);
    for (uint32_t side = 0, at = inner; at < syncs->sides->n; side++, at += syncs->sides->n_inside)
        hd_time_vector_take(vector, at, (double)spans.on[side]);
}

void
hd_sync_time_take_share(hd_time_vector *vector, const hd_syncs *syncs, uint32_t call_path, double span)
{
    uint32_t inner = syncs->sides != NULL ? hd_inner_call_path(syncs->sides, call_path) : call_path;
    double   all   = 0;

    if (inner == call_path) {
        hd_time_vector_take(vector, call_path, span);
        return;
    }
    for (uint32_t at = inner; at < syncs->sides->n; at += syncs->sides->n_inside)
        all += hd_time_vector_get(vector, at);
    for (uint32_t at = inner; all > 0 && at < syncs->sides->n; at += syncs->sides->n_inside)
        hd_time_vector_take(vector, at, hd_time_vector_get(vector, at) * (span / all));
}

void
hd_sync_time_join_window(hd_time_vector *vector, const hd_syncs *syncs)
{
    for (size_t i = 0; i < vector->n; i++) {
        uint32_t call_path = vector->touched[i];
        double   span      = vector->spans[call_path];

        if (!hd_is_outside(syncs->sides, call_path) || hd_is_beyond(syncs->sides, call_path))
            continue;
        vector->spans[call_path] = 0;
        hd_time_vector_add(vector, hd_inner_call_path(syncs->sides, call_path), span);
    }
}

double
hd_sync_time_from_enter(const hd_syncs *syncs, const hd_sync *sync, hd_span span)
{
    hd_time enter = hd_sync_enter_of_call(syncs, sync);

    if (syncs->clock == NULL)
        return (double)span;
    return hd_scout_seconds(syncs->clock, enter + (hd_time)span) - hd_scout_seconds(syncs->clock, enter);
}

static inline bool
is_wait(const hd_sync *sync, hd_sync_rules rules)
{
    return sync->wait != 0 && (sync->kind != HD_SYNC_WAITED || rules.extended);
}

/* With a limit, or a interval. */
static __attribute__((noinline)) double
take_waits_slow(hd_time_vector *vector, const hd_syncs *syncs, uint32_t from, uint32_t to, hd_sync_rules rules)
{
    double waits = 0;

    for (uint32_t i = from; i < to; i++) {
        const hd_sync *sync = &syncs->points[i];
        double         wait;

        if (!is_wait(sync, rules))
            continue;
        wait = hd_sync_time_wait(syncs, sync);
        waits += wait;
        if (rules.limit == 0)
            hd_sync_time_add_call(vector, syncs, sync->call_path, hd_sync_wait_begin(syncs, sync), wait, -1);
        else
            hd_time_vector_add(rules.scratch, sync->call_path, wait);
    }
    return waits;
}

/* Takes off the waits at these points, or, with a limit, adds them up in the scratch vector: the limit is one of times,
 * not of what is left of them. Returns their sum. */
static double
take_waits(hd_time_vector *vector, const hd_syncs *syncs, uint32_t from, uint32_t to, hd_sync_rules rules)
{
    double waits = 0;

    if (HD_UNLIKELY(rules.limit > 0 || syncs->sides != NULL))
        return take_waits_slow(vector, syncs, from, to, rules);
    for (uint32_t i = from; i < to; i++) {
        const hd_sync *sync = &syncs->points[i];
        double         wait;

        if (!is_wait(sync, rules))
            continue;
        wait = hd_sync_time_wait(syncs, sync);
        waits += wait;
        hd_time_vector_add(vector, sync->call_path, -wait);
    }
    return waits;
}

static double
add_level(hd_time_vector *vector, const hd_sync_level *level, uint32_t i)
{
    add_entries(vector, hd_vector_run_at(&level->vectors, i), hd_vector_run_at(&level->vectors, i + 1));
    return level->waits[i];
}

/* A level that is not half as large as what it sums up is of no use, and mostly that shows soon: then it is given up,
 * and the result is false. */
static bool
make_level(hd_time_vector *vector, hd_syncs *syncs, uint32_t l, uint32_t n)
{
    hd_sync_level       *level = &syncs->levels[l];
    const hd_vector_run *below = l == 1 ? &syncs->vectors : &syncs->levels[l - 1].vectors;

    level->waits = hd_scratch_realloc(syncs->scratch, NULL, n, sizeof *level->waits);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t first = i * HD_SYNC_FAN_OUT, end = first + HD_SYNC_FAN_OUT;

        if (i == n / 8 && level->vectors.bytes.n > (size_t)(hd_vector_run_at(below, first) - below->bytes.data) / 4 * 3)
            return false;
        level->waits[i] = 0;
        hd_time_vector_clear(vector);
        if (l == 1) {
            hd_sync_time_add(vector, syncs, first, end, 0);
            level->waits[i] = take_waits(vector, syncs, first, end, (hd_sync_rules){ 0 });
        } else
            for (uint32_t k = first; k < end; k++)
                level->waits[i] += add_level(vector, &syncs->levels[l - 1], k);
        hd_vector_run_begin(&level->vectors);
        for (size_t k = 0; k < vector->n; k++)
            if (vector->spans[vector->touched[k]] != 0)
                hd_vector_run_put(&level->vectors, vector->touched[k], vector->spans[vector->touched[k]]);
    }
    hd_vector_run_end(&level->vectors);
    return level->vectors.n_entries <= below->n_entries / 2;
}

void
hd_sync_time_index(hd_time_vector *vector, hd_syncs *syncs)
{
    uint32_t n = (uint32_t)(syncs->n - 1) / HD_SYNC_FAN_OUT; /* the end has no interval */

    for (uint32_t l = 1; l < HD_SYNC_LEVELS && n >= 2; l++, n /= HD_SYNC_FAN_OUT)
        if (!make_level(vector, syncs, l, n)) {
            hd_vector_run_fini(&syncs->levels[l].vectors);
            return;
        }
}

/* Of the points from `from` on, all before `to`: whole groups at once, what is between them in one piece. The wait at
 * `from` stays. Returns the sum of the others. */
static double
add_points(hd_time_vector *vector, const hd_syncs *syncs, uint32_t from, uint32_t to, hd_sync_rules rules)
{
    bool     by_levels = rules.limit == 0 && !rules.extended;
    double   waits     = 0;
    uint32_t first     = from + 1;

    while (from < to) {
        uint32_t level = 0, size = 1, next;

        while (by_levels && from >= first && level + 1 < HD_SYNC_LEVELS && from % (size * HD_SYNC_FAN_OUT) == 0 &&
               to - from >= size * HD_SYNC_FAN_OUT &&
               from / (size * HD_SYNC_FAN_OUT) < syncs->levels[level + 1].vectors.n) {
            level++;
            size *= HD_SYNC_FAN_OUT;
        }
        next = level > 0 ? from + size : by_levels ? (from / HD_SYNC_FAN_OUT + 1) * HD_SYNC_FAN_OUT : to;
        next = next < to ? next : to;
        if (level > 0)
            waits += add_level(vector, &syncs->levels[level], from / size);
        else {
            hd_sync_time_add(vector, syncs, from, next, rules.limit);
            waits += take_waits(vector, syncs, from < first ? first : from, next, rules);
        }
        from = next;
    }
    return waits;
}

double
hd_sync_time_net(hd_time_vector *vector, const hd_syncs *syncs, uint32_t from, uint32_t to, hd_sync_rules rules)
{
    double waits;

    hd_time_vector_clear(vector);
    if (rules.limit > 0)
        hd_time_vector_clear(rules.scratch);
    waits = add_points(vector, syncs, from, to, rules);
    for (size_t i = 0; i < vector->n; i++) {
        double *span = &vector->spans[vector->touched[i]];

        if (rules.limit > 0)
            *span -= hd_time_vector_get(rules.scratch, vector->touched[i]);
        if (*span < 0)
            *span = 0;
    }
    return waits;
}

double
hd_sync_time_pruned(hd_time_vector *vector, const hd_syncs *syncs, uint32_t from, uint32_t to, hd_sync_rules rules)
{
    const hd_sync *begin = &syncs->points[from];
    double         waits = hd_sync_time_net(vector, syncs, from, to, rules);

    if (begin->kind != HD_SYNC_BEGIN)
        hd_sync_time_take_call(vector, syncs, begin->call_path, begin->enter,
                               hd_sync_time_from_enter(syncs, begin, begin->pruned));
    return waits;
}
