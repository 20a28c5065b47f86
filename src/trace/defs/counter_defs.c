/* src/trace/defs/counter_defs.c: counters by their names, and what METRIC records name. */
#include "counter_defs.h"

#include <otf2/otf2.h>

#include "memory.h"


static uint8_t
type_of(uint8_t type)
{
    return type == OTF2_TYPE_INT64 ? HD_COUNTER_INT64 : type == OTF2_TYPE_UINT64 ? HD_COUNTER_UINT64 :
           type == OTF2_TYPE_DOUBLE ? HD_COUNTER_DOUBLE : HD_COUNTER_OTHER;
}

static uint8_t
mode_of(uint8_t mode)
{
    mode &= OTF2_METRIC_VALUE_MASK;
    return mode == OTF2_METRIC_VALUE_ACCUMULATED ? HD_COUNTER_ACCUMULATED :
           mode == OTF2_METRIC_VALUE_RELATIVE ? HD_COUNTER_RELATIVE : HD_COUNTER_LEVEL;
}

/* Strings are defined once each, but nothing keeps an archive from defining one twice. */
static uint32_t
same_text(const raw_defs *raw, uint32_t text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp((const char *)raw->text.data + raw->counters[i].name, (const char *)raw->text.data + text) == 0)
            return (uint32_t)i;
    return HD_NONE;
}

static hd_counter_def
counter_of(raw_defs *raw, const raw_metric *metric)
{
    hd_counter_def counter = { .name = hd_raw_defs_text(raw, metric->name), .unit = hd_raw_defs_text(raw, metric->unit),
                               .what = hd_raw_defs_text(raw, metric->what), .type = type_of(metric->type),
                               .mode = mode_of(metric->mode), .scope_index = HD_NONE };

    if (metric->exponent != 0) {
        const char *unit = (const char *)raw->text.data + counter.unit;
        char       *text = hd_format("%d^%" PRId64 "%s%s", metric->is_binary != 0 ? 2 : 10, metric->exponent,
                                     *unit != '\0' ? " " : "", unit);

        counter.unit = hd_raw_defs_add_text(raw, text);
        free(text);
    }
    return counter;
}

/* HD_NONE: the class is not defined. */
static uint32_t
class_of(const raw_defs *raw, size_t set)
{
    uint32_t at = raw->metric_sets[set].of == HD_NONE ? (uint32_t)set :
                  hd_table_get(&raw->metric_set_index, raw->metric_sets[set].of);

    return at != HD_NONE && raw->metric_sets[at].of == HD_NONE ? at : HD_NONE;
}

/* Members of a class are those of all its instances: a counter that is recorded with enters and leaves is the same one
 * whichever thread or process it counts for. */
static void
add_sync(raw_defs *raw, size_t set, const raw_metric_set *of)
{
    hd_recorded_set added = { .first = (uint32_t)raw->n_set_members, .n = of->n };

    for (uint32_t i = 0; i < of->n; i++) {
        uint32_t       metric = hd_table_get(&raw->metric_index, raw->metric_members[of->first + i]);
        uint32_t       at     = HD_NONE;
        hd_counter_def counter;

        if (metric != HD_NONE) {
            counter = counter_of(raw, &raw->metrics[metric]);
            at      = same_text(raw, counter.name, raw->n_sync_counters);
            if (at == HD_NONE && raw->text.data[counter.name] != '\0' && raw->n_sync_counters < HD_COUNTERS_MAX) {
                at = (uint32_t)raw->n_sync_counters++;
                HD_PUSH(raw->counters, raw->n_counters, raw->capacity_counters, counter);
            }
        }
        HD_PUSH(raw->set_members, raw->n_set_members, raw->capacity_set_members, at);
    }
    raw->sets[set] = added;
}

/* A class that has instances is not recorded itself. */
static bool
has_instances(const raw_defs *raw, size_t set)
{
    for (size_t i = 0; i < raw->n_metric_sets && raw->metric_sets[set].of == HD_NONE; i++)
        if (raw->metric_sets[i].of == raw->metric_sets[set].ref)
            return true;
    return false;
}

static void
add_async(raw_defs *raw, size_t set, const raw_metric_set *of)
{
    hd_recorded_set added       = { .first = (uint32_t)raw->n_set_members, .n = of->n };
    bool            is_recorded = !has_instances(raw, set);

    for (uint32_t i = 0; i < of->n; i++) {
        uint32_t       metric = hd_table_get(&raw->metric_index, raw->metric_members[of->first + i]);
        uint32_t       at     = HD_NONE;
        hd_counter_def counter;

        if (metric != HD_NONE && is_recorded) {
            counter             = counter_of(raw, &raw->metrics[metric]);
            counter.scope       = raw->metric_sets[set].scope;
            counter.scope_index = (uint32_t)set; /* until its place is known */
            at                  = (uint32_t)raw->n_counters;
            HD_PUSH(raw->counters, raw->n_counters, raw->capacity_counters, counter);
        }
        HD_PUSH(raw->set_members, raw->n_set_members, raw->capacity_set_members, at);
    }
    raw->sets[set] = added;
}

void
hd_counter_defs_join(raw_defs *raw)
{
    raw->sets   = HD_NEW_ARRAY(hd_recorded_set, raw->n_metric_sets);
    raw->n_sets = raw->n_metric_sets;
    for (int is_async = 0; is_async < 2; is_async++)
        for (size_t i = 0; i < raw->n_metric_sets; i++) {
            uint32_t of = class_of(raw, i);

            if (of == HD_NONE || (raw->metric_sets[of].occurrence == OTF2_METRIC_ASYNCHRONOUS) != (is_async == 1))
                continue;
            (is_async == 1 ? add_async : add_sync)(raw, i, &raw->metric_sets[of]);
        }
}

static uint64_t
reserve(hd_defs *defs, size_t n, size_t element_bytes)
{
    uint64_t at = (defs->bytes + 7) & ~UINT64_C(7);

    defs->bytes = at + n * element_bytes;
    return at;
}

void
hd_counter_defs_lay_out(const raw_defs *raw, hd_defs *defs)
{
    defs->counters         = reserve(defs, raw->n_counters, sizeof(hd_counter_def));
    defs->metric_sets      = reserve(defs, raw->n_sets, sizeof(hd_recorded_set));
    defs->metric_set_refs  = reserve(defs, raw->n_sets, sizeof(uint32_t));
    defs->metric_members   = reserve(defs, raw->n_set_members, sizeof(uint32_t));
    defs->n_counters       = (uint32_t)raw->n_sync_counters;
    defs->n_tracks         = (uint32_t)(raw->n_counters - raw->n_sync_counters);
    defs->n_metric_sets    = (uint32_t)raw->n_sets;
    defs->n_metric_members = (uint32_t)raw->n_set_members;
}

static void
place_track(const raw_defs *raw, const uint32_t *owner, const uint32_t *process_of_group, const uint32_t *nodes,
            hd_counter_def *track)
{
    const raw_metric_set *set = &raw->metric_sets[track->scope_index];
    uint32_t              at;

    track->scope_index = HD_NONE;
    switch (set->scope) {
    case OTF2_SCOPE_LOCATION_GROUP:
        at           = hd_table_get(&raw->location_group_index, set->scope_ref);
        track->scope = HD_SCOPE_PROCESS;
        if (at != HD_NONE)
            track->scope_index = process_of_group[owner[at]];
        break;
    case OTF2_SCOPE_SYSTEM_TREE_NODE:
        at           = hd_table_get(&raw->node_index, set->scope_ref);
        track->scope = HD_SCOPE_NODE;
        if (at != HD_NONE)
            track->scope_index = nodes[at];
        break;
    default: track->scope = set->scope == OTF2_SCOPE_GROUP ? HD_SCOPE_GROUP : HD_SCOPE_LOCATION;
    }
}

void
hd_counter_defs_fill(const raw_defs *raw, const uint32_t *owner, const uint32_t *process_of_group,
                     const uint32_t *nodes, hd_defs *defs)
{
    hd_counter_def *counters = (hd_counter_def *)(void *)((char *)defs + defs->counters);
    hd_recorded_set  *sets     = (hd_recorded_set *)(void *)((char *)defs + defs->metric_sets);
    uint32_t       *refs     = (uint32_t *)(void *)((char *)defs + defs->metric_set_refs);
    uint32_t       *members  = (uint32_t *)(void *)((char *)defs + defs->metric_members);

    for (size_t i = 0; i < raw->n_counters; i++) {
        counters[i] = raw->counters[i];
        if (i >= raw->n_sync_counters)
            place_track(raw, owner, process_of_group, nodes, &counters[i]);
    }
    for (size_t i = 0; i < raw->n_sets; i++) {
        sets[i] = raw->sets[i];
        refs[i] = raw->metric_sets[i].ref;
    }
    for (size_t i = 0; i < raw->n_set_members; i++)
        members[i] = raw->set_members[i];
}
