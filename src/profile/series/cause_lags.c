/* src/profile/series/cause_lags.c: histograms, largest pairs, and costs by slice. */
#include "cause_lags.h"

#include "memory.h"

const char *const hd_lag_words[HD_N_LAG_WHATS] = { [HD_LAG_BIN] = "lag", [HD_LAG_PAIR] = "pair",
                                                   [HD_LAG_DELAYS] = "delays", [HD_LAG_WAITS] = "waits" };

static int32_t
lag_of(const hd_cause *row)
{
    return (int32_t)hd_effect_call_path(row->effect) - (int32_t)row->cause;
}

/* Rounded down. */
static int32_t
bin_of(int32_t lag, int32_t width)
{
    return lag >= 0 ? lag / width : -((width - 1 - lag) / width);
}

static void
add_bins(hd_cause_lags *lags, const hd_cause *const *rows, size_t n, uint32_t delay)
{
    int32_t least = INT32_MAX, most = INT32_MIN, width = 1;
    int64_t sums[HD_LAG_BINS] = { 0 };

    for (size_t i = 0; i < n; i++) {
        least = lag_of(rows[i]) < least ? lag_of(rows[i]) : least;
        most  = lag_of(rows[i]) > most ? lag_of(rows[i]) : most;
    }
    while (bin_of(most, width) - bin_of(least, width) >= HD_LAG_BINS)
        width++;
    for (size_t i = 0; i < n; i++)
        sums[bin_of(lag_of(rows[i]), width) - bin_of(least, width)] += rows[i]->short_term;
    for (int32_t bin = 0; bin < HD_LAG_BINS; bin++) {
        int32_t from = (bin_of(least, width) + bin) * width;

        if (sums[bin] > 0)
            HD_PUSH(lags->rows, lags->n, lags->capacity,
                    ((hd_cause_lag){ .delay = delay, .what = HD_LAG_BIN, .from = from, .to = from + width - 1,
                                     .value = sums[bin] }));
    }
}

/* The larger value first; rows come by delay, then by wait. */
static void
add_pairs(hd_cause_lags *lags, const hd_cause *const *rows, size_t n, uint32_t delay)
{
    const hd_cause *most[HD_LAG_PAIRS + 1];
    size_t          n_most = 0;

    for (size_t i = 0; i < n; i++) {
        size_t at = n_most;

        for (; at > 0 && rows[i]->short_term > most[at - 1]->short_term; at--)
            most[at] = most[at - 1];
        most[at] = rows[i];
        n_most += n_most < HD_LAG_PAIRS;
    }
    for (size_t i = 0; i < n_most; i++)
        HD_PUSH(lags->rows, lags->n, lags->capacity,
                ((hd_cause_lag){ .delay = delay, .what = HD_LAG_PAIR, .from = (int32_t)most[i]->cause,
                                 .to = (int32_t)hd_effect_call_path(most[i]->effect), .value = most[i]->short_term }));
}

static void
add_costs(hd_cause_lags *lags, const hd_cause *const *rows, size_t n, uint32_t delay)
{
    int64_t *delays = HD_NEW_ARRAY(int64_t, 2 * (size_t)lags->n_slices), *waits = delays + lags->n_slices;

    for (size_t i = 0; i < n; i++) {
        delays[rows[i]->cause] += rows[i]->short_term;
        waits[hd_effect_call_path(rows[i]->effect)] += rows[i]->short_term;
    }
    lags->delays[delay] = delays;
    lags->waits[delay]  = waits;
}

hd_cause_lags
hd_cause_lags_of(const hd_causes *slices)
{
    const hd_cause **rows = HD_NEW_UNSET(const hd_cause *, slices->n + 1);
    hd_cause_lags    lags = { .rows = NULL };
    size_t           ends[HD_N_DELAYS + 1] = { 0 }; /* of rows with a cost, by kind; their begins at first */

    for (size_t i = 0; i < slices->n; i++) {
        const hd_cause *row  = &slices->rows[i];
        uint32_t        wait = hd_effect_call_path(row->effect), last = row->cause > wait ? row->cause : wait;

        if (row->short_term <= 0)
            continue;
        ends[hd_effect_delay(row->effect) + 1]++;
        lags.n_slices = last >= lags.n_slices ? last + 1 : lags.n_slices;
    }
    for (uint32_t delay = 1; delay <= HD_N_DELAYS; delay++)
        ends[delay] += ends[delay - 1];
    for (size_t i = 0; i < slices->n; i++)
        if (slices->rows[i].short_term > 0)
            rows[ends[hd_effect_delay(slices->rows[i].effect)]++] = &slices->rows[i];
    for (uint32_t delay = 0; delay < HD_N_DELAYS; delay++) {
        size_t first = delay > 0 ? ends[delay - 1] : 0, n = ends[delay] - first;

        if (n == 0)
            continue;
        add_bins(&lags, &rows[first], n, delay);
        add_pairs(&lags, &rows[first], n, delay);
        add_costs(&lags, &rows[first], n, delay);
    }
    free(rows);
    return lags;
}

void
hd_cause_lags_fini(hd_cause_lags *lags)
{
    free(lags->rows);
    for (uint32_t delay = 0; delay < HD_N_DELAYS; delay++)
        free(lags->delays[delay]);
    *lags = (hd_cause_lags){ .rows = NULL };
}
