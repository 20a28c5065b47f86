#include "instance_table.h"

#include "status.h"

/* ---- instances ---------------------------------------------------------------------------------------------------------------- */

static bool
waiter_precedes(const hd_waiter *a, const hd_waiter *b)
{
    if (a->wait != b->wait)
        return a->wait > b->wait;
    if (a->process != b->process)
        return a->process < b->process;
    if (a->thread != b->thread)
        return a->thread < b->thread;
    return a->from < b->from;
}

static void
add_waiter(hd_instance *into, const hd_waiter *waiter)
{
    uint32_t i = into->n_waiters;

    if (i == HD_MOST_WAITERS && !waiter_precedes(waiter, &into->waiters[--i]))
        return;
    for (; i > 0 && waiter_precedes(waiter, &into->waiters[i - 1]); i--)
        into->waiters[i] = into->waiters[i - 1];
    into->waiters[i] = *waiter;
    if (into->n_waiters < HD_MOST_WAITERS)
        into->n_waiters++;
}

void
hd_instance_add_part(hd_instance *into, const hd_instance *part)
{
    if (part->n_waiters == 0)
        return;
    if (into->n_waiters == 0) {
        *into = *part;
        return;
    }
    if (waiter_precedes(&part->waiters[0], &into->waiters[0])) {
        into->enter       = part->enter;
        into->leave       = part->leave;
        into->peer        = part->peer;
        into->peer_thread = part->peer_thread;
    }
    into->waiting += part->waiting;
    for (uint32_t i = 0; i < part->n_waiters; i++)
        add_waiter(into, &part->waiters[i]);
}

#define DIFFER(field)                                                                                                            \
    if (a->field != b->field)                                                                                                    \
    return a->field < b->field

bool
hd_instance_precedes(const hd_instance *a, const hd_instance *b)
{
    if (a->waiting != b->waiting)
        return a->waiting > b->waiting;
    DIFFER(waiters[0].process);
    DIFFER(waiters[0].thread);
    DIFFER(enter);
    DIFFER(leave);
    DIFFER(waiters[0].call_path);
    DIFFER(waiters[0].from);
    DIFFER(peer);
    return a->peer_thread < b->peer_thread;
}

#undef DIFFER

static int
compare_instances(const void *left, const void *right)
{
    const hd_instance *a = left, *b = right;

    if (a->metric != b->metric)
        return a->metric < b->metric ? -1 : 1;
    return hd_instance_precedes(a, b) ? -1 : hd_instance_precedes(b, a);
}

/* ---- the worst of a metric ----------------------------------------------------------------------------------------------------- */

/* The heap's top is the one that every other one precedes. */
static void
sink_top(hd_instance_heap *heap, const hd_instance *instance)
{
    size_t i = 0;

    for (;;) {
        size_t child = 2 * i + 1;

        if (child + 1 < heap->n && hd_instance_precedes(&heap->instances[child], &heap->instances[child + 1]))
            child++;
        if (child >= heap->n || !hd_instance_precedes(instance, &heap->instances[child]))
            break;
        heap->instances[i] = heap->instances[child];
        i                  = child;
    }
    heap->instances[i] = *instance;
}

static void
keep_worst(hd_instance_table *table, const hd_instance *instance)
{
    hd_instance_heap *heap = &table->heaps[instance->metric];
    size_t            i    = heap->n;

    if (heap->n == table->n_worst) {
        if (heap->n > 0 && hd_instance_precedes(instance, &heap->instances[0]))
            sink_top(heap, instance);
        return;
    }
    HD_PUSH(heap->instances, heap->n, heap->capacity, *instance);
    for (; i > 0 && hd_instance_precedes(&heap->instances[(i - 1) / 2], instance); i = (i - 1) / 2)
        heap->instances[i] = heap->instances[(i - 1) / 2];
    heap->instances[i] = *instance;
}

/* ---- the table ------------------------------------------------------------------------------------------------------------------ */

hd_instance_table *
hd_instance_table_new(uint32_t n_worst)
{
    hd_instance_table *table = HD_NEW(hd_instance_table);

    table->n_worst = n_worst;
    return table;
}

void
hd_instance_table_free(hd_instance_table *table)
{
    if (table == NULL)
        return;
    for (uint32_t m = 0; m < HD_N_METRICS; m++)
        free(table->heaps[m].instances);
    hd_map_fini(&table->index);
    hd_map_fini(&table->buckets);
    free(table->statistics);
    free(table);
}

/* Made with a count of 0 if it is not there. */
static size_t
place_of(hd_instance_table *table, uint32_t metric, uint32_t call_path)
{
    bool      is_new;
    uint64_t *place = hd_map_add(&table->index, (uint64_t)metric << 32 | call_path, &is_new);

    if (is_new) {
        *place = table->n;
        HD_PUSH(table->statistics, table->n, table->capacity,
                ((hd_wait_statistic){ .metric = metric, .call_path = call_path, .minimum = INT64_MAX }));
    }
    return (size_t)*place;
}

static void
count_bucket(hd_instance_table *table, size_t place, uint32_t bucket, uint64_t count)
{
    bool is_new;

    *hd_map_add(&table->buckets, (uint64_t)place << 16 | bucket, &is_new) += count;
}

static void
add_statistic(hd_wait_statistic *into, const hd_wait_statistic *from)
{
    if (into->count == 0 || hd_instance_precedes(&from->worst, &into->worst))
        into->worst = from->worst;
    into->count += from->count;
    into->sum += from->sum;
    into->squares += from->squares;
    into->minimum = from->minimum < into->minimum ? from->minimum : into->minimum;
    into->maximum = from->maximum > into->maximum ? from->maximum : into->maximum;
}

void
hd_instance_table_add(hd_instance_table *table, const hd_instance *instance)
{
    hd_span            wait  = instance->waiting;
    size_t             place = place_of(table, instance->metric, instance->waiters[0].call_path);
    hd_wait_statistic *into  = &table->statistics[place];

    HD_ASSERT(instance->n_waiters > 0 && wait > 0);
    if (into->count == 0 || (wait >= into->maximum && hd_instance_precedes(instance, &into->worst)))
        into->worst = *instance;
    into->count++;
    into->sum += wait;
    into->squares += (hd_square_sum)wait * (hd_square_sum)wait;
    into->minimum = wait < into->minimum ? wait : into->minimum;
    into->maximum = wait > into->maximum ? wait : into->maximum;
    count_bucket(table, place, hd_bucket_of(wait), 1);
    keep_worst(table, instance);
}

void
hd_instance_table_merge(hd_instance_table *table, const hd_instance_table *from)
{
    size_t *places = HD_NEW_ARRAY(size_t, from->n + 1);

    for (size_t i = 0; i < from->n; i++) {
        places[i] = place_of(table, from->statistics[i].metric, from->statistics[i].call_path);
        add_statistic(&table->statistics[places[i]], &from->statistics[i]);
    }
    for (uint32_t i = 0; from->buckets.slots != NULL && i <= from->buckets.mask; i++)
        if (from->buckets.slots[i].key != HD_MAP_FREE)
            count_bucket(table, places[from->buckets.slots[i].key >> 16], (uint32_t)from->buckets.slots[i].key & 0xffff,
                         from->buckets.slots[i].value);
    for (uint32_t m = 0; m < HD_N_METRICS; m++)
        for (size_t i = 0; i < from->heaps[m].n; i++)
            keep_worst(table, &from->heaps[m].instances[i]);
    free(places);
}

/* ---- from all ranks ------------------------------------------------------------------------------------------------------------- */

typedef struct bucket_count {
    uint64_t place, bucket, count; /* place: in the statistics */
} bucket_count;

typedef struct packed_head {
    uint64_t n_statistics, n_buckets, n_instances; /* which follow in this order */
} packed_head;

static void
pack(const hd_instance_table *table, hd_bytes *bytes)
{
    packed_head head = { .n_statistics = table->n, .n_buckets = table->buckets.n };

    for (uint32_t m = 0; m < HD_N_METRICS; m++)
        head.n_instances += table->heaps[m].n;
    bytes->n = 0;
    hd_bytes_put(bytes, &head, sizeof head);
    hd_bytes_put(bytes, table->statistics, table->n * sizeof *table->statistics);
    for (uint32_t i = 0; table->buckets.slots != NULL && i <= table->buckets.mask; i++) {
        const hd_map_slot *slot = &table->buckets.slots[i];

        if (slot->key != HD_MAP_FREE)
            hd_bytes_put(bytes, &(bucket_count){ slot->key >> 16, slot->key & 0xffff, slot->value }, sizeof(bucket_count));
    }
    for (uint32_t m = 0; m < HD_N_METRICS; m++)
        hd_bytes_put(bytes, table->heaps[m].instances, table->heaps[m].n * sizeof(hd_instance));
}

static void
unpack_into(hd_instance_table *table, const hd_bytes *bytes)
{
    const uint8_t *at     = bytes->data;
    size_t        *places;
    packed_head    head;

    memcpy(&head, at, sizeof head);
    at += sizeof head;
    places = HD_NEW_ARRAY(size_t, head.n_statistics + 1);
    for (uint64_t i = 0; i < head.n_statistics; i++, at += sizeof(hd_wait_statistic)) {
        hd_wait_statistic statistic;

        memcpy(&statistic, at, sizeof statistic);
        places[i] = place_of(table, statistic.metric, statistic.call_path);
        add_statistic(&table->statistics[places[i]], &statistic);
    }
    for (uint64_t i = 0; i < head.n_buckets; i++, at += sizeof(bucket_count)) {
        bucket_count bucket;

        memcpy(&bucket, at, sizeof bucket);
        count_bucket(table, places[bucket.place], (uint32_t)bucket.bucket, bucket.count);
    }
    for (uint64_t i = 0; i < head.n_instances; i++, at += sizeof(hd_instance)) {
        hd_instance instance;

        memcpy(&instance, at, sizeof instance);
        keep_worst(table, &instance);
    }
    free(places);
}

static void
merge_packed(void *context, hd_bytes *lower, const hd_bytes *upper)
{
    hd_instance_table *table = hd_instance_table_new(*(const uint32_t *)context);

    unpack_into(table, lower);
    unpack_into(table, upper);
    pack(table, lower);
    hd_instance_table_free(table);
}

/* ---- the finished statistics ---------------------------------------------------------------------------------------------------- */

double
hd_wait_statistic_mean(const hd_wait_statistic *statistic)
{
    return (double)statistic->sum / (double)statistic->count;
}

/* Around the whole part of the mean, for which integers do, so that nothing cancels out. */
double
hd_wait_statistic_variance(const hd_wait_statistic *statistic)
{
    uint64_t      count = statistic->count, whole = (uint64_t)statistic->sum / count, rest = (uint64_t)statistic->sum % count;
    hd_square_sum around = statistic->squares - 2 * (hd_square_sum)whole * (hd_square_sum)statistic->sum +
                           (hd_square_sum)whole * whole * count;
    double        behind = (double)rest / (double)count, variance = (double)around / (double)count - behind * behind;

    return variance > 0 ? variance : 0;
}

typedef struct histogram { /* ascending */
    bucket_count *buckets; /* [n] */
    size_t        n;
} histogram;

static int
compare_buckets(const void *left, const void *right)
{
    const bucket_count *a = left, *b = right;

    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    return a->bucket < b->bucket ? -1 : a->bucket > b->bucket;
}

/* The i-th smallest of the values: those of a bucket are taken for evenly spread. */
static double
value_at(const histogram *all, const hd_wait_statistic *statistic, uint64_t i)
{
    size_t   b = 0;
    uint64_t least, n_values;
    double   value;

    if (i == 0)
        return (double)statistic->minimum;
    if (i + 1 >= statistic->count)
        return (double)statistic->maximum;
    while (i >= all->buckets[b].count)
        i -= all->buckets[b++].count;
    least = hd_bucket_values((uint32_t)all->buckets[b].bucket, &n_values);
    value = (double)least + (double)(n_values - 1) * (2 * (double)i + 1) / (2 * (double)all->buckets[b].count);
    if (value < (double)statistic->minimum)
        return (double)statistic->minimum;
    return value > (double)statistic->maximum ? (double)statistic->maximum : value;
}

/* Between the two values around the place at so many quarters of the way from the first to the last one. */
static double
quantile(const histogram *all, const hd_wait_statistic *statistic, uint32_t quarters)
{
    uint64_t last = statistic->count - 1, i = last / 4 * quarters + last % 4 * quarters / 4;
    double   part = (double)(last % 4 * quarters % 4) / 4, low = value_at(all, statistic, i);

    return part > 0 ? low + part * (value_at(all, statistic, i + 1) - low) : low;
}

static void
fill_quantiles(hd_wait_statistic *statistic, const histogram *all)
{
    statistic->lower_quartile = quantile(all, statistic, 1);
    statistic->median         = quantile(all, statistic, 2);
    statistic->upper_quartile = quantile(all, statistic, 3);
}

typedef struct in_order { /* a statistic, and its place in the table */
    uint64_t key, place;
} in_order;

static int
compare_keys(const void *left, const void *right)
{
    const in_order *a = left, *b = right;

    return a->key < b->key ? -1 : a->key > b->key;
}

/* All buckets, of each place one behind the other; starts: [n + 1] where those of a place begin. */
static bucket_count *
sorted_buckets(const hd_instance_table *table, size_t *starts)
{
    bucket_count *buckets = HD_NEW_ARRAY(bucket_count, (size_t)table->buckets.n + 1);
    size_t        n       = 0;

    for (uint32_t i = 0; table->buckets.slots != NULL && i <= table->buckets.mask; i++)
        if (table->buckets.slots[i].key != HD_MAP_FREE) {
            buckets[n++] = (bucket_count){ table->buckets.slots[i].key >> 16, table->buckets.slots[i].key & 0xffff,
                                           table->buckets.slots[i].value };
            starts[buckets[n - 1].place + 1]++;
        }
    qsort(buckets, n, sizeof *buckets, compare_buckets);
    for (size_t i = 0; i < table->n; i++)
        starts[i + 1] += starts[i];
    return buckets;
}

/* The statistics of a metric, order[0] to order[n - 1], behind all of it together. */
static void
finish_metric(const hd_instance_table *table, const in_order *order, size_t n, const bucket_count *buckets, const size_t *starts,
              hd_wait_statistics *out)
{
    hd_wait_statistic *whole  = &out->rows[out->n++];
    uint64_t          *counts = HD_NEW_ARRAY(uint64_t, HD_N_BUCKETS);
    histogram          all    = { .buckets = HD_NEW_ARRAY(bucket_count, HD_N_BUCKETS) };

    *whole = (hd_wait_statistic){ .metric = (uint32_t)(order->key >> 32), .call_path = HD_NONE, .minimum = INT64_MAX };
    for (size_t i = 0; i < n; i++) {
        size_t             place = order[i].place;
        hd_wait_statistic *row   = &out->rows[out->n++];
        histogram          own   = { .buckets = (bucket_count *)(uintptr_t)&buckets[starts[place]], .n = starts[place + 1] - starts[place] };

        *row = table->statistics[place];
        fill_quantiles(row, &own);
        add_statistic(whole, row);
        for (size_t b = 0; b < own.n; b++)
            counts[own.buckets[b].bucket] += own.buckets[b].count;
    }
    for (uint64_t b = 0; b < HD_N_BUCKETS; b++)
        if (counts[b] > 0)
            all.buckets[all.n++] = (bucket_count){ .bucket = b, .count = counts[b] };
    fill_quantiles(whole, &all);
    free(counts);
    free(all.buckets);
}

static void
take_instances(const hd_instance_table *table, hd_wait_statistics *out)
{
    size_t capacity = table->n;

    for (uint32_t m = 0; m < HD_N_METRICS; m++)
        capacity += table->heaps[m].n;
    out->instances = HD_NEW_ARRAY(hd_instance, capacity + 1);
    for (uint32_t m = 0; m < HD_N_METRICS; m++)
        for (size_t i = 0; i < table->heaps[m].n; i++)
            out->instances[out->n_instances++] = table->heaps[m].instances[i];
    for (size_t i = 0; table->n_worst == 0 && i < table->n; i++)
        out->instances[out->n_instances++] = table->statistics[i].worst;
    qsort(out->instances, out->n_instances, sizeof *out->instances, compare_instances);
}

static hd_wait_statistics
finish_table(const hd_instance_table *table)
{
    hd_wait_statistics out     = { .rows = HD_NEW_ARRAY(hd_wait_statistic, 2 * table->n + 1) };
    in_order          *order   = HD_NEW_ARRAY(in_order, table->n + 1);
    size_t            *starts  = HD_NEW_ARRAY(size_t, table->n + 2);
    bucket_count      *buckets = sorted_buckets(table, starts);

    for (size_t i = 0; i < table->n; i++)
        order[i] = (in_order){ (uint64_t)table->statistics[i].metric << 32 | table->statistics[i].call_path, i };
    qsort(order, table->n, sizeof *order, compare_keys);
    for (size_t i = 0, end; i < table->n; i = end) {
        for (end = i; end < table->n && order[end].key >> 32 == order[i].key >> 32;)
            end++;
        finish_metric(table, &order[i], end - i, buckets, starts, &out);
    }
    take_instances(table, &out);
    free(order);
    free(starts);
    free(buckets);
    return out;
}

hd_wait_statistics
hd_instance_table_gather(hd_instance_table *table, hd_group *group)
{
    uint32_t           n_worst = table->n_worst;
    hd_bytes           bytes   = { 0 };
    hd_wait_statistics out     = { 0 };
    hd_instance_table *all;

    pack(table, &bytes);
    hd_group_fold(group, &bytes, merge_packed, &n_worst);
    if (hd_group_rank(group).v == 0) {
        all = hd_instance_table_new(n_worst);
        unpack_into(all, &bytes);
        out = finish_table(all);
        hd_instance_table_free(all);
    }
    hd_bytes_fini(&bytes);
    return out;
}

void
hd_wait_statistics_fini(hd_wait_statistics *statistics)
{
    free(statistics->rows);
    free(statistics->instances);
    *statistics = (hd_wait_statistics){ 0 };
}
