/* replay/sync/sync_time.c: time vectors between two points. Sums over powers of HD_SYNC_FAN_OUT points are made when a
 * second interval contains them and kept in levels, so that further long intervals cost the logarithm of their points;
 * waits are taken off separately, by the rules of the caller. */
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

/* call_paths: of those of the entries; NULL: the same. */
static inline __attribute__((always_inline)) void
add_entries(hd_time_vector *vector, const uint8_t *at, const uint8_t *end, const uint32_t *call_paths)
{
    hd_time_vector own = *vector; /* a copy, which stays in registers */
    uint32_t       words[HD_PATH_TIMES], call_path;
    uint64_t       time;

    for (const uint8_t *last = hd_path_times_end(at, end); at < last && hd_path_times_read(at, words);
         at += sizeof words)
#pragma GCC unroll 4
        for (uint32_t i = 0; i < HD_PATH_TIMES; i++) {
            call_path = hd_path_time_short_path(words[i]);
            hd_time_vector_add(&own, call_paths != NULL ? call_paths[call_path] : call_path,
                               (double)(hd_span)hd_path_time_short_time(words[i]));
        }
    while (at < end) {
        hd_path_time_read(&at, &call_path, &time);
        hd_time_vector_add(&own, call_paths != NULL ? call_paths[call_path] : call_path, (double)(hd_span)time);
    }
    vector->n = own.n;
}

/* Without a limit. */
static inline __attribute__((always_inline)) void
add_vectors(hd_time_vector *vector, const hd_syncs *syncs, uint32_t from, uint32_t to)
{
    const uint8_t *at = hd_sync_vector_at(syncs, from), *end = hd_sync_vector_at(syncs, to);

    if (HD_LIKELY(syncs->call_paths != NULL))
        add_entries(vector, at, end, syncs->call_paths);
    else
        add_entries(vector, at, end, NULL);
}

void
hd_sync_time_add(hd_time_vector *vector, const hd_syncs *syncs, uint32_t from, uint32_t to, uint32_t limit)
{
    const uint8_t *at = hd_sync_vector_at(syncs, from), *end = hd_sync_vector_at(syncs, to);

    if (limit == 0) {
        add_vectors(vector, syncs, from, to);
        return;
    }
    while (at < end) {
        uint32_t call_path;
        uint64_t bits;
        double   span;

        hd_path_time_read(&at, &call_path, &bits);
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

/* Those of points in one block. */
static inline __attribute__((always_inline)) double
add_waits(hd_time_vector *vector, const hd_syncs *syncs, uint32_t from, uint32_t to, double factor, bool extended)
{
    const hd_packed_sync *point = hd_packed_sync_at(syncs, from), *end = point + (to - from);
    double                waits = 0;

    for (; point < end; point++) {
        uint32_t call_path = point->call_path;
        hd_span  wait      = point->wait;

        if (wait == 0 || (point->kind == HD_SYNC_WAITED && !extended))
            continue;
        if (HD_UNLIKELY(point->is_whole)) {
            call_path = syncs->wholes[point->record].call_path;
            wait      = syncs->wholes[point->record].wait;
            if (wait == 0)
                continue;
        }
        waits += (double)wait;
        hd_time_vector_add(vector, call_path, factor * (double)wait);
    }
    return waits;
}

double
hd_sync_time_add_waits(hd_time_vector *vector, const hd_syncs *syncs, uint32_t from, uint32_t to, double factor,
                       bool extended)
{
    double waits = 0;

    for (uint32_t end; from < to; from = end) {
        end = (from | (HD_SYNC_BLOCK - 1)) < to ? (from | (HD_SYNC_BLOCK - 1)) + 1 : to;
        waits += add_waits(vector, syncs, from, end, factor, extended);
    }
    return waits;
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
        hd_sync sync = hd_sync_at(syncs, i);
        double  wait;

        if (!is_wait(&sync, rules))
            continue;
        wait = hd_sync_time_wait(syncs, &sync);
        waits += wait;
        if (rules.limit == 0)
            hd_sync_time_add_call(vector, syncs, sync.call_path, hd_sync_wait_begin(syncs, &sync), wait, -1);
        else
            hd_time_vector_add(rules.scratch, sync.call_path, wait);
    }
    return waits;
}

/* Takes off the waits at these points, or, with a limit, adds them up in the scratch vector: the limit is one of times,
 * not of what is left of them. Returns their sum. */
static double
take_waits(hd_time_vector *vector, const hd_syncs *syncs, uint32_t from, uint32_t to, hd_sync_rules rules)
{
    if (HD_UNLIKELY(rules.limit > 0 || syncs->sides != NULL))
        return take_waits_slow(vector, syncs, from, to, rules);
    return hd_sync_time_add_waits(vector, syncs, from, to, -1, rules.extended);
}

/* ---- sums of many points ----------------------------------------------------------------------------------------- */

/* Adds what the points of group i of a level have, without their waits. Returns the sum of these. Of a sum that helps
 * it takes that, else those below. */
static double
add_group(hd_time_vector *vector, const hd_syncs *syncs, uint32_t level, uint32_t i)
{
    const hd_sync_sum *sum   = &syncs->levels[level].sums[i];
    double             waits = 0;

    if (sum->state == HD_SYNC_SUM_MADE) {
        const uint8_t *begin = syncs->levels[level].bytes.data + sum->begin;

        add_entries(vector, begin, begin + sum->n_bytes, NULL);
        return sum->waits;
    }
    if (level == 1) {
        hd_sync_time_add(vector, syncs, i * HD_SYNC_FAN_OUT, (i + 1) * HD_SYNC_FAN_OUT, 0);
        return take_waits(vector, syncs, i * HD_SYNC_FAN_OUT, (i + 1) * HD_SYNC_FAN_OUT, (hd_sync_rules){ 0 });
    }
    for (uint32_t k = i * HD_SYNC_FAN_OUT; k < (i + 1) * HD_SYNC_FAN_OUT; k++)
        waits += add_group(vector, syncs, level - 1, k);
    return waits;
}

/* How many bytes add_group() reads without its sum. */
static size_t
bytes_below(const hd_syncs *syncs, uint32_t level, uint32_t i)
{
    size_t   bytes = 0;
    uint32_t first = i * HD_SYNC_FAN_OUT, end = first + HD_SYNC_FAN_OUT;

    if (level == 1)
        return (size_t)(hd_sync_vector_at(syncs, end) - hd_sync_vector_at(syncs, first));
    for (uint32_t k = first; k < end; k++) {
        const hd_sync_sum *sum = &syncs->levels[level - 1].sums[k];

        bytes += sum->state == HD_SYNC_SUM_MADE ? sum->n_bytes : bytes_below(syncs, level - 1, k);
    }
    return bytes;
}

static hd_sync_sum *
sum_at(const hd_syncs *syncs, uint32_t level, uint32_t size, uint32_t i)
{
    hd_sync_level *made = &syncs->levels[level];

    if (made->sums == NULL) /* the end has no interval */
        made->sums = hd_scratch_alloc(syncs->scratch, (syncs->n - 1) / size, sizeof *made->sums);
    return &made->sums[i];
}

/* The sum of group i of a level of groups of `size` points, in scratch, where it was asked for before: one that is used
 * once costs more than it saves. One that is not half as large as what it sums up is of no use. */
static void
make_sum(hd_time_vector *scratch, const hd_syncs *syncs, uint32_t level, uint32_t size, uint32_t i)
{
    hd_bytes    *bytes = &syncs->levels[level].bytes;
    hd_sync_sum *sum   = sum_at(syncs, level, size, i);
    uint8_t     *at;

    if (sum->state == HD_SYNC_SUM_MADE || sum->state == HD_SYNC_SUM_USELESS)
        return;
    for (uint32_t k = i * HD_SYNC_FAN_OUT; level > 1 && k < (i + 1) * HD_SYNC_FAN_OUT; k++)
        make_sum(scratch, syncs, level - 1, size / HD_SYNC_FAN_OUT, k);
    if (sum->state == HD_SYNC_SUM_UNKNOWN) {
        sum->state = HD_SYNC_SUM_ASKED;
        return;
    }
    hd_time_vector_clear(scratch);
    sum->waits = add_group(scratch, syncs, level, i);
    sum->begin = bytes->n;
    at         = hd_bytes_room(bytes, scratch->n * HD_PATH_TIME_BYTES_MAX + 1);
    for (size_t k = 0; k < scratch->n; k++)
        if (scratch->spans[scratch->touched[k]] != 0)
            at = hd_path_time_write(at, scratch->touched[k], (hd_span)scratch->spans[scratch->touched[k]]);
    sum->n_bytes = (uint32_t)((size_t)(at - bytes->data) - bytes->n);
    sum->state   = sum->n_bytes <= bytes_below(syncs, level, i) / 2 ? HD_SYNC_SUM_MADE : HD_SYNC_SUM_USELESS;
    if (sum->state == HD_SYNC_SUM_MADE)
        bytes->n += sum->n_bytes;
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

        while (by_levels && from >= first && level + 1 < syncs->n_levels && from % (size * HD_SYNC_FAN_OUT) == 0 &&
               to - from >= size * HD_SYNC_FAN_OUT) {
            level++;
            size *= HD_SYNC_FAN_OUT;
        }
        next = level > 0 ? from + size : by_levels ? (from / HD_SYNC_FAN_OUT + 1) * HD_SYNC_FAN_OUT : to;
        next = next < to ? next : to;
        if (level > 0) {
            make_sum(rules.scratch, syncs, level, size, from / size);
            waits += add_group(vector, syncs, level, from / size);
        } else {
            hd_sync_time_add(vector, syncs, from, next, rules.limit);
            waits += take_waits(vector, syncs, from < first ? first : from, next, rules);
        }
        from = next;
    }
    return waits;
}

static void
leave_none_negative(hd_time_vector *vector, hd_sync_rules rules)
{
    for (size_t i = 0; i < vector->n; i++) {
        double *span = &vector->spans[vector->touched[i]];

        if (rules.limit > 0)
            *span -= hd_time_vector_get(rules.scratch, vector->touched[i]);
        if (*span < 0)
            *span = 0;
    }
}

static __attribute__((noinline)) double
net_time_slow(hd_time_vector *vector, const hd_syncs *syncs, uint32_t from, uint32_t to, hd_sync_rules rules)
{
    double waits;

    if (rules.limit > 0)
        hd_time_vector_clear(rules.scratch);
    waits = add_points(vector, syncs, from, to, rules);
    if (HD_UNLIKELY(rules.limit > 0 || syncs->sides != NULL))
        leave_none_negative(vector, rules);
    return waits;
}

static inline __attribute__((always_inline)) double
net_time(hd_time_vector *vector, const hd_syncs *syncs, uint32_t from, uint32_t to, hd_sync_rules rules)
{
    hd_time_vector_clear(vector);
    if (HD_UNLIKELY(rules.limit > 0 || syncs->sides != NULL || !hd_sync_time_is_short(from, to)))
        return net_time_slow(vector, syncs, from, to, rules);
    add_vectors(vector, syncs, from, to); /* one piece */
    if (HD_LIKELY(from / HD_SYNC_BLOCK == (to - 1) / HD_SYNC_BLOCK))
        return add_waits(vector, syncs, from + 1, to, -1, rules.extended);
    return hd_sync_time_add_waits(vector, syncs, from + 1, to, -1, rules.extended);
}

double
hd_sync_time_net(hd_time_vector *vector, const hd_syncs *syncs, uint32_t from, uint32_t to, hd_sync_rules rules)
{
    return net_time(vector, syncs, from, to, rules);
}

static __attribute__((noinline)) double
from_enter_of(const hd_syncs *syncs, uint32_t point, hd_span span)
{
    hd_sync sync = hd_sync_at(syncs, point);

    return hd_sync_time_from_enter(syncs, &sync, span);
}

/* ---- of another location ----------------------------------------------------------------------------------------- */

/* Nobody reads sums of call paths that the vector does not have: they go on from interval to interval, past the largest
 * number. */
static inline void
add_to(hd_span *time, uint64_t more)
{
    *time = (hd_span)((uint64_t)*time + more);
}

/* The sums of these entries that are negative are 0 then. */
static __attribute__((noinline)) void
drop_negative(hd_span *times, const uint8_t *at, const uint8_t *end, const uint32_t *call_paths)
{
    uint32_t call_path;
    uint64_t time;

    while (at < end) {
        hd_path_time_read(&at, &call_path, &time);
        call_path = call_paths != NULL ? call_paths[call_path] : call_path;
        if (times[call_path] < 0)
            times[call_path] = 0;
    }
}

/* call_paths: of those of the entries; NULL: the same. */
static inline __attribute__((always_inline)) void
add_entries_to(hd_span *times, const uint8_t *begin, const uint8_t *end, const uint32_t *call_paths)
{
    const uint8_t *at = begin;
    uint32_t       words[HD_PATH_TIMES], call_path;
    uint64_t       time, signs = 0;

    for (const uint8_t *last = hd_path_times_end(at, end); at < last && hd_path_times_read(at, words);
         at += sizeof words)
#pragma GCC unroll 4
        for (uint32_t i = 0; i < HD_PATH_TIMES; i++) {
            call_path = hd_path_time_short_path(words[i]);
            add_to(&times[call_paths != NULL ? call_paths[call_path] : call_path], hd_path_time_short_time(words[i]));
        }
    while (at < end) {
        hd_path_time_read(&at, &call_path, &time);
        add_to(&times[call_paths != NULL ? call_paths[call_path] : call_path], time);
        signs |= time;
    }
    if (HD_UNLIKELY((hd_span)signs < 0))
        drop_negative(times, begin, end, call_paths);
}

/* Takes off what is there, never below zero. */
static inline void
take_off(hd_span *time, hd_span less)
{
    *time = *time > less ? *time - less : 0;
}

/* Waits at these points, all in one block, are no time. */
static inline void
take_waits_off(hd_span *times, const hd_syncs *syncs, uint32_t from, uint32_t to, bool extended)
{
    const hd_packed_sync *point = hd_packed_sync_at(syncs, from), *end = point + (to - from);

    for (; point < end; point++) {
        if (point->wait == 0 || (point->kind == HD_SYNC_WAITED && !extended))
            continue;
        if (HD_LIKELY(!point->is_whole))
            take_off(&times[point->call_path], point->wait);
        else
            take_off(&times[syncs->wholes[point->record].call_path], syncs->wholes[point->record].wait);
    }
}

void
hd_sync_time_add_others(const hd_time_vector *vector, const hd_syncs *syncs, uint32_t from, uint32_t to, bool extended)
{
    const hd_packed_sync *begin = hd_packed_sync_at(syncs, from);
    hd_span              *times = vector->others, pruned;
    uint32_t              taken;

    if (HD_LIKELY(syncs->call_paths != NULL))
        add_entries_to(times, hd_sync_vector_at(syncs, from), hd_sync_vector_at(syncs, to), syncs->call_paths);
    else
        add_entries_to(times, hd_sync_vector_at(syncs, from), hd_sync_vector_at(syncs, to), NULL);
    for (uint32_t at = from + 1, end; at < to; at = end) {
        end = (at | (HD_SYNC_BLOCK - 1)) < to ? (at | (HD_SYNC_BLOCK - 1)) + 1 : to;
        take_waits_off(times, syncs, at, end, extended);
    }
    if (begin->kind == HD_SYNC_BEGIN)
        return;
    taken  = HD_LIKELY(!begin->is_whole) ? begin->call_path : syncs->wholes[begin->record].call_path;
    pruned = HD_LIKELY(!begin->is_whole) ? begin->pruned : syncs->wholes[begin->record].pruned;
    if (times[taken] > 0) /* there is time of the call */
        take_off(&times[taken], pruned);
}

double
hd_sync_time_pruned(hd_time_vector *vector, const hd_syncs *syncs, uint32_t from, uint32_t to, hd_sync_rules rules)
{
    double                waits  = net_time(vector, syncs, from, to, rules);
    const hd_packed_sync *packed = hd_packed_sync_at(syncs, from);
    hd_sync               begin;

    if (packed->kind == HD_SYNC_BEGIN)
        return waits;
    if (HD_LIKELY(syncs->sides == NULL && syncs->clock == NULL && !packed->is_whole)) {
        hd_time_vector_take(vector, packed->call_path, (double)packed->pruned);
        return waits;
    }
    begin = hd_sync_at(syncs, from);
    hd_sync_time_take_call(vector, syncs, begin.call_path, begin.enter,
                           syncs->clock == NULL ? (double)begin.pruned : from_enter_of(syncs, from, begin.pruned));
    return waits;
}
