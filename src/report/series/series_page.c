/* src/report/series/series_page.c: prints waiting time over time: a row is a wait state, or a process, and a block
 * character as many windows as fit. */
#include "series_page.h"

#include <errno.h>
#include <string.h>

#include "escape.h"
#include "memory.h"
#include "summary_page.h"
#include "time_text.h"

enum { NAME_COLUMNS = 32, VALUE_COLUMNS = 10, MIN_BLOCKS = 10, DEFAULT_PROCESSES = 10 };

typedef struct series_page {
    hd_summary_page          summary;
    const hd_series_options *options;
    hd_series_list           list;
    uint32_t                 n_rows;   /* wait states, or processes */
    double                  *values;   /* [n_rows][list.n_slices] */
    double                  *in_windows; /* [n_rows] sums */
} series_page;

/* ---- sums -------------------------------------------------------------------------------------------------------- */

/* HD_NONE: the entry is in no row. */
static uint32_t
row_of(const series_page *page, const hd_series_entry *entry)
{
    if (page->options->metric == HD_NONE)
        return entry->metric;
    return entry->metric == page->options->metric ? entry->process : HD_NONE;
}

static void
sum_up(series_page *page)
{
    const hd_series_list *list = &page->list;

    page->n_rows = page->options->metric == HD_NONE ? HD_N_METRICS : 0;
    for (size_t i = 0; i < list->n && page->options->metric != HD_NONE; i++)
        if (row_of(page, &list->entries[i]) != HD_NONE && list->entries[i].process >= page->n_rows)
            page->n_rows = list->entries[i].process + 1;
    page->values     = HD_NEW_ARRAY(double, (size_t)page->n_rows * list->n_slices + 1);
    page->in_windows = HD_NEW_ARRAY(double, (size_t)page->n_rows + 1);
    for (size_t i = 0; i < list->n; i++) {
        const hd_series_entry *entry = &list->entries[i];
        uint32_t               row   = row_of(page, entry);

        if (row == HD_NONE)
            continue;
        page->values[(size_t)row * list->n_slices + entry->slice] += entry->value;
        if (entry->slice > 0 && entry->slice + 1 < list->n_slices)
            page->in_windows[row] += entry->value;
    }
}

/* ---- for a terminal ---------------------------------------------------------------------------------------------- */

/* Windows side by side share a block where there are more than blocks; what is not zero is seen. */
static void
print_blocks(const series_page *page, const double *values, uint32_t n_blocks)
{
    static const char *const blocks[] = { " ", "\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587", "\u2588" };
    enum { N_LEVELS = sizeof blocks / sizeof *blocks - 1 };
    uint32_t n_windows = page->list.n_slices - 2;
    double  *sums      = HD_NEW_ARRAY(double, (size_t)n_blocks + 1), most = 0;

    for (uint32_t k = 0; k < n_windows; k++)
        sums[(uint64_t)k * n_blocks / n_windows] += values[k + 1];
    for (uint32_t b = 0; b < n_blocks; b++)
        most = sums[b] > most ? sums[b] : most;
    for (uint32_t b = 0; b < n_blocks; b++) {
        int level = most > 0 ? (int)(sums[b] / most * N_LEVELS) : 0;

        fputs(blocks[level == 0 && sums[b] > 0 ? 1 : level], page->summary.file);
    }
    free(sums);
}

static void
print_most(const series_page *page, const double *values, double sum)
{
    uint32_t most = 1;
    char    *words;

    for (uint32_t k = 2; k + 1 < page->list.n_slices; k++)
        most = values[k] > values[most] ? k : most;
    words = hd_format("most in window %" PRIu32 " (%.6g s to %.6g s): %s, %.3g %%", most, page->list.slices[most].from,
                      page->list.slices[most].to, hd_time_text_of(values[most]).text, 100 * values[most] / sum);
    hd_summary_page_list(&page->summary, 4, words);
    free(words);
}

static void
print_row(const series_page *page, const char *name, const double *values, double sum)
{
    uint32_t width    = page->summary.options.width, used = 2 + NAME_COLUMNS + VALUE_COLUMNS + 2;
    uint32_t n_blocks = width > used + MIN_BLOCKS ? width - used : MIN_BLOCKS, n_windows = page->list.n_slices - 2;

    hd_fit_text(page->summary.file, page->summary.cuts, 2, name, 2 + NAME_COLUMNS);
    fprintf(page->summary.file, "%*s  ", VALUE_COLUMNS, hd_time_text_of(sum).text);
    print_blocks(page, values, n_blocks < n_windows ? n_blocks : n_windows);
    fputc('\n', page->summary.file);
    print_most(page, values, sum);
}

static void
print_page(series_page *page)
{
    const hd_slice_entry *first = &page->list.slices[1], *last = &page->list.slices[page->list.n_slices - 2];
    uint32_t              n_top = page->options->look.n_top > 0 ? page->options->look.n_top : DEFAULT_PROCESSES, row;
    double               *left  = memcpy(HD_NEW_ARRAY(double, (size_t)page->n_rows + 1), page->in_windows,
                                         page->n_rows * sizeof *left), sum;
    FILE                 *file  = page->summary.file;

    hd_completeness_print(page->summary.cube, file);
    fputs("Report \"", file);
    hd_write_escaped(file, page->summary.cube->path);
    fprintf(file, "\": %s in %" PRIu32 " windows of %s, from %.6g s to %.6g s\n",
            page->options->metric == HD_NONE ? "waiting time" : hd_metric_infos[page->options->metric].name,
            page->list.n_slices - 2, hd_time_text_of(first->to - first->from).text, first->from, last->to);
    for (uint32_t n = 0; (page->options->metric == HD_NONE || n < n_top) &&
         (row = hd_take_largest(left, page->n_rows, &sum)) != HD_NONE; n++) {
        char *name = page->options->metric == HD_NONE ? hd_strdup(hd_metric_infos[row].name) :
                     hd_format("process %" PRIu32, row);

        print_row(page, name, &page->values[(size_t)row * page->list.n_slices], page->in_windows[row]);
        free(name);
    }
    if (hd_take_largest(page->in_windows, page->n_rows, &sum) == HD_NONE)
        fputs("  none: no process or thread waited for another\n", file);
    free(left);
}

/* ---- for scripts ------------------------------------------------------------------------------------------------- */

static void
print_csv(const series_page *page)
{
    fputs("metric,process,processes,slice,from,to,value\n", page->summary.file);
    for (size_t i = 0; i < page->list.n; i++) {
        const hd_series_entry *entry = &page->list.entries[i];
        const hd_slice_entry  *slice = &page->list.slices[entry->slice];

        if (row_of(page, entry) != HD_NONE)
            fprintf(page->summary.file, "%s,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%.17g,%.17g,%.17g\n",
                    hd_metric_infos[entry->metric].id, entry->process, entry->n_processes, entry->slice, slice->from,
                    slice->to, entry->value);
    }
}

static hd_status
show(series_page *page)
{
    FILE *file = page->summary.file;
    bool  has  = page->options->metric == HD_NONE;

    for (size_t i = 0; i < page->list.n && !has; i++)
        has = page->list.entries[i].metric == page->options->metric;
    if (!has)
        return hd_fail(HD_EUSAGE, "report \"%s\" has no time series of metric \"%s\"", page->summary.cube->path,
                       hd_metric_infos[page->options->metric].id);
    sum_up(page);
    if (page->options->is_csv)
        print_csv(page);
    else
        print_page(page);
    if (fflush(file) != 0 || ferror(file))
        return hd_fail(HD_EWRITE, "cannot write the time series of report \"%s\": %s", page->summary.cube->path,
                       strerror(errno));
    return HD_OK;
}

hd_status
hd_series_print(hd_cube *cube, FILE *file, const hd_series_options *options)
{
    series_page page   = { .options = options };
    hd_status   status = hd_series_list_read(cube, &page.list);

    hd_summary_page_init(&page.summary, cube, file, &options->look);
    if (status == HD_OK && !page.list.is_there) {
        status = hd_fail(HD_EFORMAT, "report \"%s\" has no time series", cube->path);
        hd_summary_advise(cube, "heddle analyze, without --from, --to, --roi, --compat and --no-series");
    }
    if (status == HD_OK)
        status = show(&page);
    hd_summary_page_fini(&page.summary);
    hd_series_list_fini(&page.list);
    free(page.values);
    free(page.in_windows);
    return status;
}
