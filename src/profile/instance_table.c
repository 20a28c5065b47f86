#include "instance_table.h"

#include "status.h"

static int
compare_instances(const void *left, const void *right)
{
    const hd_instance *a = left, *b = right;

    if (a->metric != b->metric)
        return a->metric < b->metric ? -1 : 1;
    return hd_instance_precedes(a, b) ? -1 : hd_instance_precedes(b, a);
}

/* ---- the worst of a metric --------------------------------------------------------------------------------------- */

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

/* ---- the table --------------------------------------------------------------------------------------------------- */

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
    for (size_t i = 0; i < table->n; i++)
        free(table->values[i].values);
    free(table->values);
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
        size_t n = table->n;

        *place = n;
        HD_PUSH(table->values, n, table->capacity_values, ((hd_wait_values){ 0 }));
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
put_into_buckets(hd_instance_table *table, size_t place)
{
    hd_wait_values *values = &table->values[place];

    for (size_t i = 0; i < values->n; i++)
        count_bucket(table, place, hd_bucket_of(values->values[i]), 1);
    free(values->values);
    *values = (hd_wait_values){ .in_buckets = true };
}

static void
add_value(hd_instance_table *table, size_t place, hd_span value)
{
    hd_wait_values *values = &table->values[place];

    if (values->n == HD_MAX_VALUES)
        put_into_buckets(table, place);
    if (values->in_buckets)
        count_bucket(table, place, hd_bucket_of(value), 1);
    else
        HD_PUSH(values->values, values->n, values->capacity, value);
}

static void
add_buckets(hd_instance_table *table, size_t place, uint32_t bucket, uint64_t count)
{
    if (!table->values[place].in_buckets)
        put_into_buckets(table, place);
    count_bucket(table, place, bucket, count);
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
    add_value(table, place, wait);
    keep_worst(table, instance);
}

void
hd_instance_table_merge(hd_instance_table *table, const hd_instance_table *from)
{
    size_t *places = HD_NEW_ARRAY(size_t, from->n + 1);

    for (size_t i = 0; i < from->n; i++) {
        places[i] = place_of(table, from->statistics[i].metric, from->statistics[i].call_path);
        add_statistic(&table->statistics[places[i]], &from->statistics[i]);
        for (size_t v = 0; v < from->values[i].n; v++)
            add_value(table, places[i], from->values[i].values[v]);
    }
    for (uint32_t i = 0; from->buckets.slots != NULL && i <= from->buckets.mask; i++)
        if (from->buckets.slots[i].key != HD_MAP_FREE)
            add_buckets(table, places[from->buckets.slots[i].key >> 16], (uint32_t)from->buckets.slots[i].key & 0xffff,
                        from->buckets.slots[i].value);
    for (uint32_t m = 0; m < HD_N_METRICS; m++)
        for (size_t i = 0; i < from->heaps[m].n; i++)
            keep_worst(table, &from->heaps[m].instances[i]);
    free(places);
}

/* ---- from all ranks ---------------------------------------------------------------------------------------------- */

typedef struct bucket_count {
    uint64_t place, bucket, count; /* place: in the statistics */
} bucket_count;

typedef struct packed_head {
    uint64_t n_statistics, n_buckets, n_instances; /* which follow in this order; after a statistic: n, n values */
} packed_head;

static void
pack(const hd_instance_table *table, hd_bytes *bytes)
{
    packed_head head = { .n_statistics = table->n, .n_buckets = table->buckets.n };

    for (uint32_t m = 0; m < HD_N_METRICS; m++)
        head.n_instances += table->heaps[m].n;
    bytes->n = 0;
    hd_bytes_put(bytes, &head, sizeof head);
    for (size_t i = 0; i < table->n; i++) {
        uint64_t n = table->values[i].n;

        hd_bytes_put(bytes, &table->statistics[i], sizeof *table->statistics);
        hd_bytes_put(bytes, &n, sizeof n);
        hd_bytes_put(bytes, table->values[i].values, n * sizeof(hd_span));
    }
    for (uint32_t i = 0; table->buckets.slots != NULL && i <= table->buckets.mask; i++) {
        const hd_map_slot *slot = &table->buckets.slots[i];

        if (slot->key != HD_MAP_FREE)
            hd_bytes_put(bytes, &(bucket_count){ slot->key >> 16, slot->key & 0xffff, slot->value },
                         sizeof(bucket_count));
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
    for (uint64_t i = 0; i < head.n_statistics; i++) {
        hd_wait_statistic statistic;
        uint64_t          n;

        memcpy(&statistic, at, sizeof statistic);
        memcpy(&n, at + sizeof statistic, sizeof n);
        at += sizeof statistic + sizeof n;
        places[i] = place_of(table, statistic.metric, statistic.call_path);
        add_statistic(&table->statistics[places[i]], &statistic);
        for (; n > 0; n--, at += sizeof(hd_span)) {
            hd_span value;

            memcpy(&value, at, sizeof value);
            add_value(table, places[i], value);
        }
    }
    for (uint64_t i = 0; i < head.n_buckets; i++, at += sizeof(bucket_count)) {
        bucket_count bucket;

        memcpy(&bucket, at, sizeof bucket);
        add_buckets(table, places[bucket.place], (uint32_t)bucket.bucket, bucket.count);
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

/* ---- the finished statistics ------------------------------------------------------------------------------------- */

typedef struct in_order { /* the values of a statistic, ascending: one by one, or a histogram */
    hd_span      *values; /* [n_values] NULL: the histogram */
    size_t        n_values;
    bucket_count *buckets; /* [n] */
    size_t        n;
} in_order;

static int
compare_values(const void *left, const void *right)
{
    hd_span a = *(const hd_span *)left, b = *(const hd_span *)right;

    return a < b ? -1 : a > b;
}

static int
compare_buckets(const void *left, const void *right)
{
    const bucket_count *a = left, *b = right;

    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    return a->bucket < b->bucket ? -1 : a->bucket > b->bucket;
}

/* The i-th smallest of the values. Those of a bucket are taken for evenly spread. */
static double
value_at(const in_order *all, const hd_wait_statistic *statistic, uint64_t i)
{
    size_t   b = 0;
    uint64_t least, n_values;
    double   value;

    if (all->values != NULL)
        return (double)all->values[i];
    HD_ASSERT(all->buckets != NULL);
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
quantile(const in_order *all, const hd_wait_statistic *statistic, uint32_t quarters)
{
    uint64_t last = statistic->count - 1, i = last / 4 * quarters + last % 4 * quarters / 4;
    double   part = (double)(last % 4 * quarters % 4) / 4, low = value_at(all, statistic, i);

    return part > 0 ? low + part * (value_at(all, statistic, i + 1) - low) : low;
}

static void
fill_quantiles(hd_wait_statistic *statistic, const in_order *all)
{
    statistic->lower_quartile = quantile(all, statistic, 1);
    statistic->median         = quantile(all, statistic, 2);
    statistic->upper_quartile = quantile(all, statistic, 3);
}

typedef struct sort_key { /* a statistic, and its place in the table */
    uint64_t key, place;
} sort_key;

static int
compare_keys(const void *left, const void *right)
{
    const sort_key *a = left, *b = right;

    return a->key < b->key ? -1 : a->key > b->key;
}

/* All buckets, of each place one after the other; starts: [n + 1] where those of a place begin. */
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

typedef struct finishing {
    hd_instance_table *table;
    bucket_count      *buckets; /* of sorted_buckets() */
    size_t            *starts;
    uint64_t          *counts;  /* [HD_N_BUCKETS] of all of a metric */
} finishing;

static in_order
values_of(const finishing *f, size_t place)
{
    hd_wait_values *values = &f->table->values[place];

    if (values->in_buckets)
        return (in_order){ .buckets = &f->buckets[f->starts[place]], .n = f->starts[place + 1] - f->starts[place] };
    qsort(values->values, values->n, sizeof *values->values, compare_values);
    return (in_order){ .values = values->values, .n_values = values->n };
}

/* Of n statistics together: as exact as all of them are. Its arrays are the caller's. */
static in_order
values_of_all(const finishing *f, const in_order *each, size_t n)
{
    in_order all      = { 0 };
    bool     is_exact = true;

    for (size_t i = 0; i < n; i++) {
        is_exact &= each[i].values != NULL;
        all.n_values += each[i].n_values;
    }
    if (is_exact) {
        all.values   = HD_NEW_ARRAY(hd_span, all.n_values);
        all.n_values = 0;
        for (size_t i = 0; i < n; i++) {
            memcpy(all.values + all.n_values, each[i].values, each[i].n_values * sizeof *all.values);
            all.n_values += each[i].n_values;
        }
        qsort(all.values, all.n_values, sizeof *all.values, compare_values);
        return all;
    }
    memset(f->counts, 0, HD_N_BUCKETS * sizeof *f->counts);
    for (size_t i = 0; i < n; i++) {
        for (size_t v = 0; v < each[i].n_values; v++)
            f->counts[hd_bucket_of(each[i].values[v])]++;
        for (size_t b = 0; b < each[i].n; b++)
            f->counts[each[i].buckets[b].bucket] += each[i].buckets[b].count;
    }
    all.buckets = HD_NEW_ARRAY(bucket_count, HD_N_BUCKETS);
    for (uint64_t b = 0; b < HD_N_BUCKETS; b++)
        if (f->counts[b] > 0)
            all.buckets[all.n++] = (bucket_count){ .bucket = b, .count = f->counts[b] };
    return all;
}

/* The statistics of a metric, order[0] to order[n - 1], after all of it together. */
static void
finish_metric(const finishing *f, const sort_key *order, size_t n, hd_wait_statistics *out)
{
    hd_wait_statistic *whole = &out->rows[out->n++];
    in_order          *each  = HD_NEW_ARRAY(in_order, n), all;

    *whole = (hd_wait_statistic){ .metric = (uint32_t)(order->key >> 32), .call_path = HD_NONE, .minimum = INT64_MAX };
    for (size_t i = 0; i < n; i++) {
        hd_wait_statistic *row = &out->rows[out->n++];

        *row    = f->table->statistics[order[i].place];
        each[i] = values_of(f, order[i].place);
        fill_quantiles(row, &each[i]);
        add_statistic(whole, row);
    }
    all = values_of_all(f, each, n);
    fill_quantiles(whole, &all);
    free(all.values);
    free(all.buckets);
    free(each);
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
finish_table(hd_instance_table *table)
{
    hd_wait_statistics out   = { .rows = HD_NEW_ARRAY(hd_wait_statistic, 2 * table->n + 1) };
    sort_key          *order = HD_NEW_ARRAY(sort_key, table->n + 1);
    finishing          f     = { .table = table, .starts = HD_NEW_ARRAY(size_t, table->n + 2),
                                 .counts = HD_NEW_ARRAY(uint64_t, HD_N_BUCKETS) };

    f.buckets = sorted_buckets(table, f.starts);
    for (size_t i = 0; i < table->n; i++)
        order[i] = (sort_key){ (uint64_t)table->statistics[i].metric << 32 | table->statistics[i].call_path, i };
    qsort(order, table->n, sizeof *order, compare_keys);
    for (size_t i = 0, end; i < table->n; i = end) {
        for (end = i; end < table->n && order[end].key >> 32 == order[i].key >> 32;)
            end++;
        finish_metric(&f, &order[i], end - i, &out);
    }
    take_instances(table, &out);
    free(order);
    free(f.starts);
    free(f.counts);
    free(f.buckets);
    return out;
}

hd_wait_statistics
hd_instance_table_gather(hd_instance_table *table, hd_analysis_comm *analysis_comm)
{
    uint32_t           n_worst = table->n_worst;
    hd_bytes           bytes   = { 0 };
    hd_wait_statistics out     = { 0 };
    hd_instance_table *all;

    pack(table, &bytes);
    hd_analysis_comm_fold(analysis_comm, &bytes, merge_packed, &n_worst);
    if (hd_analysis_comm_rank(analysis_comm).v == 0) {
        all = hd_instance_table_new(n_worst);
        unpack_into(all, &bytes);
        out = finish_table(all);
        hd_instance_table_free(all);
    }
    hd_bytes_fini(&bytes);
    return out;
}
