/* replay/simulate/sim_fit.c: histograms of times by class, and their medians over all ranks. */
#include "sim_fit.h"

#include <stdlib.h>

#include "memory.h"

enum { BITS = 3, PER_OCTAVE = 1 << BITS, N_BUCKETS = (64 - BITS + 1) * PER_OCTAVE };
enum { BYTES = N_BUCKETS, N_NUMBERS }; /* behind the buckets: the sum of the bytes of all instances */

static uint32_t
bucket_of(hd_span value)
{
    uint32_t power;

    if (value < PER_OCTAVE)
        return value < 0 ? 0 : (uint32_t)value;
    power = hd_sim_power((uint64_t)value) - 1;
    return (power - BITS + 1) * PER_OCTAVE + ((uint32_t)((uint64_t)value >> (power - BITS)) & (PER_OCTAVE - 1));
}

static hd_span
lower_bound(uint32_t bucket)
{
    uint32_t octave = bucket / PER_OCTAVE;

    return octave == 0 ? bucket : (hd_span)(PER_OCTAVE + bucket % PER_OCTAVE) << (octave - 1);
}

static uint32_t
number_of(hd_sim_classes *classes, uint64_t key, bool *is_new)
{
    uint64_t *place = hd_map_add(&classes->of_key, key, is_new);

    if (*is_new) {
        *place = classes->n;
        HD_PUSH(classes->rows, classes->n, classes->capacity, ((hd_sim_class_row){ .key = key }));
    }
    return (uint32_t)*place;
}

/* The row of all sizes as well. */
static uint32_t
look_up(hd_sim_classes *classes, const hd_sim_class *what, uint64_t key)
{
    bool     is_new, is_first;
    uint32_t number = number_of(classes, key, &is_new);

    if (is_new) {
        uint32_t all = number_of(classes, hd_sim_class_key(what, HD_SIM_ALL_SIZES, HD_SIM_ALL_SIZES), &is_first);

        classes->rows[number].all_sizes = classes->rows[all].all_sizes = all;
    }
    return number;
}

uint32_t
hd_sim_class_look_up(hd_sim_classes *classes, const hd_sim_class *what, uint64_t key, hd_sim_recent_class *recent)
{
    *recent = (hd_sim_recent_class){ key, look_up(classes, what, key) + UINT64_C(1) };
    return (uint32_t)(recent->next - 1);
}

static void
count(hd_sim_class_row *row, uint32_t bucket, uint64_t bytes)
{
    if (row->buckets == NULL)
        row->buckets = HD_NEW_ARRAY(uint64_t, N_NUMBERS);
    row->buckets[bucket]++;
    row->buckets[BYTES] += bytes;
}

void
hd_sim_classes_observe(hd_sim_classes *classes, uint32_t number, uint64_t bytes, hd_span value)
{
    hd_sim_class_row *row    = &classes->rows[number];
    uint32_t          bucket = bucket_of(value);

    count(row, bucket, bytes);
    count(&classes->rows[row->all_sizes], bucket, bytes);
}

void
hd_sim_classes_fini(hd_sim_classes *classes)
{
    for (size_t i = 0; i < classes->n; i++)
        free(classes->rows[i].buckets);
    free(classes->rows);
    hd_map_fini(&classes->of_key);
    *classes = (hd_sim_classes){ 0 };
}

/* ---- over all ranks ---------------------------------------------------------------------------------------------- */

typedef struct sim_count {
    uint64_t key, bucket, n;
} sim_count;

static int
compare_counts(const void *a_, const void *b_)
{
    const sim_count *a = a_, *b = b_;

    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->bucket < b->bucket ? -1 : a->bucket > b->bucket;
}

static int
compare_fits(const void *a_, const void *b_)
{
    const hd_sim_fit *a = a_, *b = b_;

    return a->key < b->key ? -1 : a->key > b->key;
}

/* The lower bound of the bucket that holds the instance at n / parts; counts: of one key, sorted. */
static hd_span
quantile(const sim_count *counts, uint64_t n, uint64_t parts)
{
    uint64_t below = 0;

    for (;; counts++) {
        below += counts->n;
        if (parts * below >= n)
            return lower_bound((uint32_t)counts->bucket);
    }
}

/* Of counts[n] of one key; the bytes come last. */
static hd_sim_fit
fit_of(const sim_count *counts, size_t n)
{
    hd_sim_fit fit = { .key = counts->key };

    for (size_t i = 0; i < n; i++)
        *(counts[i].bucket == BYTES ? &fit.bytes : &fit.n) += counts[i].n;
    fit.bytes /= fit.n;
    fit.median = quantile(counts, fit.n, 2);
    fit.low    = quantile(counts, fit.n, 10);
    return fit;
}

/* counts: [n] sorted. */
static void
add_medians(hd_sim_fits *fits, const sim_count *counts, size_t n)
{
    size_t capacity = fits->n;

    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && counts[end].key == counts[i].key;)
            end++;
        HD_PUSH(fits->rows, fits->n, capacity, fit_of(&counts[i], end - i));
    }
    if (fits->n > 0)
        qsort(fits->rows, fits->n, sizeof *fits->rows, compare_fits);
}

static const hd_sim_fit *
find(const hd_sim_fits *fits, uint64_t key)
{
    const uint64_t *row = hd_map_get(&fits->of_key, key);

    return row != NULL ? &fits->rows[*row] : NULL;
}

static void
set_fits(hd_sim_classes *classes, const hd_sim_fits *fits)
{
    for (size_t i = 0; i < classes->n; i++) {
        hd_sim_class_row *row = &classes->rows[i];
        const hd_sim_fit *fit = find(fits, row->key);

        if (fit == NULL)
            fit = find(fits, classes->rows[row->all_sizes].key);
        row->is_known = fit != NULL;
        row->median   = fit != NULL ? fit->median : 0;
        free(row->buckets);
        row->buckets = NULL;
    }
}

void
hd_sim_fits_add(hd_sim_fits *fits, hd_analysis_comm *analysis_comm, hd_sim_classes *const *classes, uint32_t n)
{
    sim_count *own    = NULL;
    size_t     n_own  = 0, capacity = 0;
    uint8_t   *all    = NULL;
    uint64_t  *bytes  = NULL, n_fits;
    bool       is_first = hd_analysis_comm_rank(analysis_comm).v == 0;

    for (uint32_t i = 0; i < n; i++)
        for (size_t k = 0; k < classes[i]->n; k++) {
            const hd_sim_class_row *row = &classes[i]->rows[k];

            for (uint32_t b = 0; row->buckets != NULL && b < N_NUMBERS; b++)
                if (row->buckets[b] > 0)
                    HD_PUSH(own, n_own, capacity, ((sim_count){ row->key, b, row->buckets[b] }));
        }
    hd_analysis_comm_gather(analysis_comm, own, n_own * sizeof *own, &all, &bytes);
    if (is_first && all != NULL) {
        size_t     n_all  = 0;
        sim_count *counts = (sim_count *)(void *)all;

        for (uint32_t i = 0; i < hd_analysis_comm_size(analysis_comm); i++)
            n_all += bytes[i] / sizeof *counts;
        if (n_all > 0)
            qsort(counts, n_all, sizeof *counts, compare_counts);
        add_medians(fits, counts, n_all);
    }
    n_fits = fits->n;
    hd_analysis_comm_broadcast(analysis_comm, &n_fits, sizeof n_fits, (hd_arank){ 0 });
    if (!is_first)
        fits->rows = hd_realloc(fits->rows, n_fits + 1, sizeof *fits->rows);
    fits->n = n_fits;
    hd_analysis_comm_broadcast(analysis_comm, fits->rows, fits->n * sizeof *fits->rows, (hd_arank){ 0 });
    hd_map_fini(&fits->of_key);
    for (size_t i = 0; i < fits->n; i++) {
        bool is_new;

        *hd_map_add(&fits->of_key, fits->rows[i].key, &is_new) = i;
    }
    for (uint32_t i = 0; i < n; i++)
        set_fits(classes[i], fits);
    free(own);
    free(all);
    free(bytes);
}

void
hd_sim_fits_fini(hd_sim_fits *fits)
{
    free(fits->rows);
    hd_map_fini(&fits->of_key);
    *fits = (hd_sim_fits){ 0 };
}

bool
hd_sim_fits_get(const hd_sim_fits *fits, const hd_sim_class *what, hd_span *median)
{
    const hd_sim_fit *fit = find(fits, hd_sim_class_key_of_size(what));

    if (fit == NULL)
        fit = find(fits, hd_sim_class_key(what, HD_SIM_ALL_SIZES, HD_SIM_ALL_SIZES));
    if (fit == NULL)
        return false;
    *median = fit->median;
    return true;
}

void
hd_sim_fit_describe(const hd_sim_fit *fit, hd_sim_class *what, uint32_t *size, uint32_t *members)
{
    *what    = (hd_sim_class){ .kind = (hd_sim_kind)(fit->key >> 48), .is_same_node = (fit->key >> 47 & 1) != 0,
                               .what = (uint32_t)(fit->key >> 15) };
    *size    = (uint32_t)(fit->key >> 8) & 127;
    *members = (uint32_t)fit->key & 127;
}
