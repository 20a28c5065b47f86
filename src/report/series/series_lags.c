/* src/report/series/series_lags.c: histograms of lags, and the pairs of slices with the largest costs. */
#include "series_lags.h"

#include <stdlib.h>

#include "blocks.h"
#include "escape.h"
#include "memory.h"
#include "metric.h"
#include "series_view.h"
#include "time_text.h"

enum { MAX_BINS = 8, MAX_PAIRS = 3 /* lines of a kind */, BLOCKS_FROM = 14, MIN_BLOCKS = 10 };

/* [HD_N_DELAYS] direct costs of each kind. free() it. */
static double *
sums_of(const hd_lag_list *lags)
{
    double *sums = HD_NEW_ARRAY(double, HD_N_DELAYS);

    for (size_t i = 0; i < lags->n; i++)
        if (lags->entries[i].what == HD_LAG_BIN)
            sums[lags->entries[i].delay] += lags->entries[i].value;
    return sums;
}

static const char *
name_of(uint32_t delay)
{
    return hd_metric_infos[hd_delay_infos[delay].unattributed].name;
}

/* joined: iterations of a slice. */
static char *
bin_words(const hd_lag_entry *bin, const char *slice, uint32_t joined)
{
    int64_t     from = (int64_t)joined * labs(bin->from), to = (int64_t)joined * labs(bin->to);
    const char *where = bin->to < 0 ? "later" : "before";

    if (bin->from == 0 && bin->to == 0)
        return joined == 1 ? hd_format("in the same %s", slice) : hd_format("in the same %" PRIu32 " %ss", joined, slice);
    if (from == to)
        return hd_format("%" PRId64 " %s%s %s", from, slice, hd_plural((double)from), where);
    return hd_format("%" PRId64 " to %" PRId64 " %ss %s", bin->to < 0 ? to : from, bin->to < 0 ? from : to, slice, where);
}

static char *
pair_words(const hd_lag_entry *pair, const hd_iteration_list *iterations, uint32_t n_slices)
{
    char *from = hd_series_slice_name(iterations, n_slices, (uint32_t)pair->from);
    char *to   = hd_series_slice_name(iterations, n_slices, (uint32_t)pair->to);
    bool  is_one = pair->from == pair->to, is_out = pair->from == 0 || (uint32_t)pair->from > n_slices;
    char *words = hd_format("%s%s%s%s: %s", is_out ? "" : is_one ? "in " : "from ", from, is_one ? "" : " to ",
                            is_one ? "" : to, hd_time_text_of(pair->value).text);

    free(from);
    free(to);
    return words;
}

/* The largest entries of a kind that are not printed yet; is_done: [lags->n] */
static const hd_lag_entry *
take_largest(const hd_lag_list *lags, uint32_t delay, hd_lag_what what, bool *is_done)
{
    size_t best = lags->n;

    for (size_t i = 0; i < lags->n; i++)
        if (lags->entries[i].delay == delay && lags->entries[i].what == what && !is_done[i] &&
            (best == lags->n || lags->entries[i].value > lags->entries[best].value))
            best = i;
    if (best == lags->n)
        return NULL;
    is_done[best] = true;
    return &lags->entries[best];
}

/* How many lags are not printed, and what they have together. */
static void
print_rest(const hd_summary_page *page, const hd_lag_list *lags, uint32_t delay, double sum, const bool *is_done)
{
    double rest = 0;
    size_t n    = 0;
    char  *words;

    for (size_t i = 0; i < lags->n; i++)
        if (lags->entries[i].delay == delay && lags->entries[i].what == HD_LAG_BIN && !is_done[i]) {
            rest += lags->entries[i].value;
            n++;
        }
    if (n == 0)
        return;
    words = hd_format("(%zu more lag%s: --csv has all)", n, hd_plural((double)n));
    hd_summary_page_row(page, 4, words, rest, hd_share(rest, sum));
    free(words);
}

/* Where most of the delays, or waits, of a kind is: a line of blocks; none, where no slice has any. */
static void
print_slices(const hd_summary_page *page, const hd_lag_list *lags, uint32_t delay, hd_lag_what what, uint32_t n_slices)
{
    double  *values = HD_NEW_ARRAY(double, (size_t)n_slices + 1);
    uint32_t width  = page->options.width;
    bool     is_any = false;

    for (size_t i = 0; i < lags->n; i++)
        if (lags->entries[i].delay == delay && lags->entries[i].what == what && lags->entries[i].from > 0 &&
            (uint32_t)lags->entries[i].from <= n_slices) {
            values[lags->entries[i].from - 1] = lags->entries[i].value;
            is_any |= lags->entries[i].value > 0;
        }
    if (is_any) {
        fprintf(page->file, "    %-*s", BLOCKS_FROM - 4, hd_lag_words[what]);
        hd_blocks_print(page->file, values, n_slices, width > BLOCKS_FROM + MIN_BLOCKS ? width - BLOCKS_FROM : MIN_BLOCKS);
        fputc('\n', page->file);
    }
    free(values);
}

static void
print_kind(const hd_summary_page *page, const hd_lag_list *lags, const hd_iteration_list *iterations, uint32_t n_slices,
           uint32_t delay, double sum, bool *is_done)
{
    const char         *slice  = iterations != NULL ? "iteration" : "window";
    uint32_t            joined = iterations != NULL && n_slices > 0 ? iterations->slices[0].n : 1;
    const hd_lag_entry *entry;

    hd_summary_page_row(page, 2, name_of(delay), sum, 100);
    for (uint32_t i = 0; i < MAX_BINS && (entry = take_largest(lags, delay, HD_LAG_BIN, is_done)) != NULL; i++) {
        char *words = bin_words(entry, slice, joined);

        hd_summary_page_row(page, 4, words, entry->value, hd_share(entry->value, sum));
        free(words);
    }
    print_rest(page, lags, delay, sum, is_done);
    for (uint32_t i = 0; i < MAX_PAIRS && (entry = take_largest(lags, delay, HD_LAG_PAIR, is_done)) != NULL; i++) {
        char *words = pair_words(entry, iterations, n_slices);

        hd_summary_page_list(page, 4, words);
        free(words);
    }
    print_slices(page, lags, delay, HD_LAG_DELAYS, n_slices);
    print_slices(page, lags, delay, HD_LAG_WAITS, n_slices);
}

void
hd_series_lags_print(const hd_summary_page *page, const hd_lag_list *lags, const hd_iteration_list *iterations,
                     uint32_t n_slices)
{
    double  *sums = sums_of(lags), *left = sums_of(lags), sum;
    bool    *is_done = HD_NEW_ARRAY(bool, lags->n + 1);
    uint32_t delay;

    hd_completeness_print(page->cube, page->file);
    hd_summary_page_headline(page, lags->by_iterations ?
                             "direct costs of delays, by how many iterations before the wait the delay was" :
                             "direct costs of delays, by how many windows before the wait the delay was");
    while ((delay = hd_take_largest(left, HD_N_DELAYS, &sum)) != HD_NONE)
        print_kind(page, lags, iterations, n_slices, delay, sums[delay], is_done);
    if (lags->n == 0)
        fprintf(page->file, "  none\n");
    free(is_done);
    free(sums);
    free(left);
}

void
hd_series_lags_csv(FILE *file, const hd_lag_list *lags)
{
    fputs("by,wait_state,what,from,to,value\n", file);
    for (uint32_t delay = 0; delay < HD_N_DELAYS; delay++)
        for (size_t i = 0; i < lags->n; i++) {
            const hd_lag_entry *entry = &lags->entries[i];

            if (entry->delay == delay)
                fprintf(file, "%s,%s,%s,%" PRId32 ",%" PRId32 ",%.17g\n",
                        lags->by_iterations ? "iterations" : "windows", hd_delay_infos[delay].id,
                        hd_lag_words[entry->what], entry->from, entry->to, entry->value);
        }
}
