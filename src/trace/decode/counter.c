#include "counter.h"

#include <math.h>

#include <otf2/otf2.h>

/* tag: the counter; of HD_FINDING_COUNTER_UNKNOWN the number that the record has in the archive. */
static void
note(hd_decoder *decoder, hd_finding_kind kind, uint32_t tag)
{
    hd_decoder_finding(decoder, kind, HD_NONE, HD_NONE, tag);
}

static double
real_of(uint8_t type, uint64_t value)
{
    double real;

    if (type == HD_COUNTER_UINT64)
        return (double)value;
    if (type == HD_COUNTER_INT64)
        return (double)(int64_t)value;
    memcpy(&real, &value, sizeof real);
    return real;
}

/* Sums with a value that is no number would be none either. */
static bool
has_type(uint8_t type, uint8_t recorded, uint64_t value)
{
    switch (type) {
    case HD_COUNTER_UINT64: return recorded == OTF2_TYPE_UINT64;
    case HD_COUNTER_INT64: return recorded == OTF2_TYPE_INT64;
    case HD_COUNTER_DOUBLE: return recorded == OTF2_TYPE_DOUBLE && isfinite(real_of(type, value));
    default: return false;
    }
}

static bool
is_below(uint8_t type, uint64_t value, uint64_t last)
{
    return type == HD_COUNTER_UINT64 ? value < last : type == HD_COUNTER_INT64 ? (int64_t)value < (int64_t)last :
           real_of(type, value) < real_of(type, last);
}

/* ---- levels ------------------------------------------------------------------------------------------------------ */

static hd_level *
level_of(hd_decoder *decoder, uint32_t counter)
{
    uint32_t at = hd_table_get(&decoder->levels_of, counter);

    if (at == HD_NONE) {
        at = (uint32_t)decoder->more.n_levels;
        HD_PUSH(decoder->more.levels, decoder->more.n_levels, decoder->capacity_levels,
                ((hd_level){ .counter = counter }));
        hd_table_add(&decoder->levels_of, counter, at);
    }
    return &decoder->more.levels[at];
}

/* Values outside of the analysis interval do not count; all of the run counts with the main window. */
static bool
counts_at(const hd_decoder *decoder, hd_time time)
{
    const hd_analysis_intervals *intervals = decoder->analysis_intervals;

    return intervals == NULL || intervals->is_main_window || decoder->finds_main_window ||
           hd_analysis_intervals_hold(intervals, time, time);
}

/* A value lasts until the next one. */
static void
add_to_level(hd_level *level, hd_time time, double value)
{
    if (level->n == 0) {
        level->begin = time;
        level->first = level->least = level->most = value;
    } else {
        time = hd_time_max(time, level->end);
        level->integral += level->last * (double)(time - level->end);
        level->has_fallen |= value < level->last;
    }
    level->least = value < level->least ? value : level->least;
    level->most  = value > level->most ? value : level->most;
    level->sum += value;
    level->last  = value;
    level->end   = time;
    level->n++;
}

static void
add_over_time(hd_decoder *decoder, hd_time time, uint32_t counter, double value)
{
    hd_level *level = level_of(decoder, counter);

    add_to_level(level, time, value);
    if (decoder->keeps_level_values)
        HD_SCRATCH_PUSH(decoder->more.counted.scratch, decoder->more.level_values, decoder->more.n_level_values,
                        decoder->capacity_level_values,
                        ((hd_level_value){ level->end, value, (uint32_t)(level - decoder->more.levels) }));
}

/* ---- sums -------------------------------------------------------------------------------------------------------- */

/* HD_NONE: the location is in no region. A task that has entered nothing yet stands where its thread left off. */
static uint32_t
current_node(const hd_decoder *decoder)
{
    if (decoder->stack.current == HD_NONE && decoder->task != NULL)
        return hd_decoder_here(decoder, decoder->task->from);
    return decoder->stack.current;
}

/* Where the values of plain records go. */
static void
place_plain(hd_decoder *decoder)
{
    decoder->counters.plain.stride = decoder->defs->n_counters;
    decoder->counters.plain.last   = decoder->counters.last + decoder->counters.plain.first;
    decoder->counters.plain.rows   = decoder->more.counters == NULL ? NULL :
                                     decoder->more.counters + decoder->counters.plain.first;
}

static __attribute__((noinline)) void
grow_rows(hd_decoder *decoder, uint32_t node)
{
    size_t n = decoder->defs->n_counters, capacity = decoder->capacity_counter_nodes * 2;

    capacity = capacity > node ? capacity : (size_t)node + 16;
    decoder->more.counters = hd_realloc(decoder->more.counters, capacity * n, sizeof(uint64_t));
    memset(decoder->more.counters + decoder->capacity_counter_nodes * n, 0,
           (capacity - decoder->capacity_counter_nodes) * n * sizeof(uint64_t));
    decoder->capacity_counter_nodes = capacity;
    place_plain(decoder);
}

/* The row of a node. */
static inline uint64_t *
row_of(hd_decoder *decoder, uint32_t node)
{
    if (HD_UNLIKELY(node >= decoder->capacity_counter_nodes))
        grow_rows(decoder, node);
    return decoder->more.counters + (size_t)node * decoder->defs->n_counters;
}

static void
add(uint8_t type, uint64_t *sum, uint64_t value)
{
    if (type == HD_COUNTER_DOUBLE) {
        double real = real_of(type, *sum) + real_of(type, value);

        memcpy(sum, &real, sizeof real);
    } else
        *sum += value;
}

static uint64_t
difference(uint8_t type, uint64_t value, uint64_t last)
{
    if (type == HD_COUNTER_DOUBLE) {
        double real = real_of(type, value) - real_of(type, last);

        memcpy(&value, &real, sizeof real);
        return value;
    }
    return value - last;
}

static void
add_value(hd_decoder *decoder, hd_time time, uint32_t counter, uint64_t *row, uint64_t value)
{
    const hd_counter_def *def      = &hd_defs_counters(decoder->defs)[counter];
    bool                  is_known = decoder->counters.is_known[counter];
    uint64_t              last     = decoder->counters.last[counter];

    if (def->mode == HD_COUNTER_RELATIVE) {
        if (row != NULL)
            add(def->type, &row[counter], value);
        return;
    }
    if (is_known && row != NULL && value != last) {
        if (def->mode == HD_COUNTER_ACCUMULATED && is_below(def->type, value, last))
            note(decoder, HD_FINDING_COUNTER_FALLS, counter);
        else
            add(def->type, &row[counter], difference(def->type, value, last));
    }
    decoder->counters.last[counter]     = value;
    decoder->counters.is_known[counter] = true;
    if (def->mode == HD_COUNTER_LEVEL && counts_at(decoder, time))
        add_to_level(level_of(decoder, counter), time, real_of(def->type, value));
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

static uint8_t
recorded_type(uint8_t type)
{
    return type == HD_COUNTER_UINT64 ? OTF2_TYPE_UINT64 : OTF2_TYPE_INT64;
}

/* Whether the records of a set can be added in one go from now on: see hd_counter_values. */
static bool
is_plain(const hd_decoder *decoder, const uint32_t *members, uint32_t n)
{
    const hd_counter_def *counters = hd_defs_counters(decoder->defs);

    for (uint32_t i = 0; i < n; i++) {
        uint32_t counter = members[i];

        if (counter >= decoder->defs->n_counters || counter != members[0] + i ||
            counters[counter].mode != HD_COUNTER_ACCUMULATED || counters[counter].type != counters[members[0]].type ||
            counters[counter].type > HD_COUNTER_UINT64 || !decoder->counters.is_known[counter] ||
            decoder->counters.last[counter] >> 63 != 0)
            return false;
    }
    return n > 0;
}

typedef uint64_t pair __attribute__((vector_size(16), aligned(8), may_alias)); /* of values */

enum { FEW = 8 }; /* values of a record whose differences stay in registers */

#define EACH_BYTE UINT64_C(0x0101010101010101)

/* Whether some type is not that of the definition, which each byte of `wanted` is. n: a constant */
static inline __attribute__((always_inline)) bool
differs_in_type(uint64_t wanted, const uint8_t *types, size_t n)
{
    _Static_assert(FEW <= sizeof wanted, "one comparison");
    return memcmp(&wanted, types, n) != 0;
}

/* Adds up to FEW values of a plain record, two at once. False: nothing is done, as some type is not that of the
 * definition, or some value is below the last one, or so large that the highest bit of the difference does not tell
 * that. n: a constant */
static inline __attribute__((always_inline)) bool
add_few(uint64_t wanted, uint64_t *row, uint64_t *last, const uint8_t *types, const uint64_t *values, size_t n)
{
    pair     differences[FEW / 2], all = { 0, 0 };
    uint64_t single = 0, any = 0;

#pragma GCC unroll 4
    for (size_t i = 0; i < n / 2; i++) {
        pair value = *(const pair *)(values + 2 * i);

        differences[i] = value - *(const pair *)(last + 2 * i);
        all |= differences[i] | value;
    }
    if (n % 2 != 0) {
        single = values[n - 1] - last[n - 1];
        any    = single | values[n - 1];
    }
    any |= all[0] | all[1];
    if (HD_UNLIKELY((any >> 63) != 0 || differs_in_type(wanted, types, n)))
        return false;
#pragma GCC unroll 4
    for (size_t i = 0; i < n / 2; i++) {
        *(pair *)(row + 2 * i) += differences[i];
        *(pair *)(last + 2 * i) = *(const pair *)(values + 2 * i);
    }
    if (n % 2 != 0) {
        row[n - 1] += single;
        last[n - 1] = values[n - 1];
    }
    return true;
}

/* As add_few(), of any number of values. */
static bool
add_many(uint8_t type, uint64_t *row, uint64_t *last, const uint8_t *types, const uint64_t *values, size_t n)
{
    uint8_t  differs = 0;
    uint64_t any     = 0;

    for (size_t i = 0; i < n; i++) {
        differs |= types[i] ^ type;
        any |= (values[i] - last[i]) | values[i];
    }
    if (differs != 0 || (any >> 63) != 0)
        return false;
    for (size_t i = 0; i < n; i++) {
        row[i] += values[i] - last[i];
        last[i] = values[i];
    }
    return true;
}

/* Whether the record is one that can be added in one go, and there is a row for it. */
static inline bool
is_as_before(const hd_decoder *decoder, uint32_t set, uint32_t n)
{
    return ((uint64_t)set << 32 | n) == decoder->counters.plain.record &&
           decoder->stack.current < decoder->capacity_counter_nodes;
}

static inline uint64_t *
plain_row(const hd_decoder *decoder)
{
    return decoder->counters.plain.rows + decoder->stack.current * decoder->counters.plain.stride;
}

/* Of a plain record with few values. False: nothing is done. */
static inline __attribute__((always_inline)) bool
add_plain(hd_decoder *decoder, size_t n, const uint8_t *types, const uint64_t *values)
{
    uint64_t  wanted = decoder->counters.plain.types;
    uint64_t *last   = decoder->counters.plain.last, *row = plain_row(decoder);

    switch (n) {
    case 1: return add_few(wanted, row, last, types, values, 1);
    case 2: return add_few(wanted, row, last, types, values, 2);
    case 3: return add_few(wanted, row, last, types, values, 3);
    case 4: return add_few(wanted, row, last, types, values, 4);
    case 5: return add_few(wanted, row, last, types, values, 5);
    case 6: return add_few(wanted, row, last, types, values, 6);
    case 7: return add_few(wanted, row, last, types, values, 7);
    case FEW: return add_few(wanted, row, last, types, values, FEW);
    default: return false;
    }
}

static void
add_record(hd_decoder *decoder, hd_time time, uint32_t set, uint32_t n, const uint8_t *types, const uint64_t *values)
{
    uint32_t               at       = hd_refs_index(&decoder->refs->metric_sets, set);
    const hd_recorded_set *metrics  = at != HD_NONE ? &hd_defs_metric_sets(decoder->defs)[at] : NULL;
    const hd_counter_def  *counters = hd_defs_counters(decoder->defs);
    uint32_t               node     = current_node(decoder);
    const uint32_t        *members;
    uint64_t              *row = NULL;

    decoder->counters.plain.record = 0;
    if (metrics == NULL || metrics->n < n) {
        note(decoder, HD_FINDING_COUNTER_UNKNOWN, set);
        return;
    }
    members = hd_defs_metric_members(decoder->defs) + metrics->first;
    if (node != HD_NONE && decoder->defs->n_counters > 0)
        row = row_of(decoder, node);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t counter = members[i];

        if (counter == HD_NONE)
            note(decoder, HD_FINDING_COUNTER_UNKNOWN, set);
        else if (!has_type(counters[counter].type, types[i], values[i]))
            note(decoder, HD_FINDING_COUNTER_TYPE, counter);
        else if (counter < decoder->defs->n_counters)
            add_value(decoder, time, counter, row, values[i]);
        else if (counts_at(decoder, time))
            add_over_time(decoder, time, counter, real_of(counters[counter].type, values[i]));
    }
    if (is_plain(decoder, members, n)) {
        decoder->counters.plain.record = (uint64_t)set << 32 | n;
        decoder->counters.plain.types  = EACH_BYTE * recorded_type(counters[members[0]].type);
        decoder->counters.plain.first  = members[0];
        place_plain(decoder);
    }
}

static __attribute__((noinline)) void
add_any(hd_decoder *decoder, hd_time time, uint32_t set, uint32_t n, const uint8_t *types, const uint64_t *values)
{
    if (n > FEW && is_as_before(decoder, set, n) &&
        add_many((uint8_t)decoder->counters.plain.types, plain_row(decoder), decoder->counters.plain.last, types,
                 values, n))
        return;
    add_record(decoder, time, set, n, types, values);
}

/* The common way calls no function, so that nothing is saved for one. */
void
hd_decoder_metric(hd_decoder *decoder, hd_time time, uint32_t set, uint32_t n, const uint8_t *types,
                  const uint64_t *values)
{
    if (HD_UNLIKELY(!is_as_before(decoder, set, n) || !add_plain(decoder, n, types, values)))
        add_any(decoder, time, set, n, types, values);
}

void
hd_decoder_counters_forget(hd_decoder *decoder)
{
    decoder->counters.plain.record = 0;
    for (uint32_t i = 0; i < decoder->defs->n_counters && decoder->counters.last != NULL; i++)
        decoder->counters.is_known[i] = false;
}

void
hd_decoder_counters_finish(hd_decoder *decoder)
{
    hd_location_more *more    = &decoder->more;
    uint32_t          n_nodes = decoder->out->n_nodes;
    size_t            n       = decoder->capacity_counter_nodes;

    for (size_t i = 0; i < more->n_levels; i++) {
        uint32_t counter = more->levels[i].counter;

        if (counter >= decoder->defs->n_counters && more->levels[i].has_fallen &&
            hd_defs_counters(decoder->defs)[counter].mode == HD_COUNTER_ACCUMULATED)
            note(decoder, HD_FINDING_COUNTER_LEVEL, counter);
    }
    hd_counter_log_close(&more->counted, n_nodes);
    n                     = n < n_nodes ? n : n_nodes;
    more->counters        = hd_pack(more->counters, n * decoder->defs->n_counters, sizeof *more->counters);
    more->n_counter_nodes = (uint32_t)n;
}
