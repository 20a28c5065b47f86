#include "difference_page.h"

#include <errno.h>
#include <math.h>

#include "dump.h"
#include "findings_tsv.h"
#include "memory.h"
#include "metric.h"
#include "summary_page.h"

#define LEAST_SHARE 0.005 /* of all the time, of others of what A has: what has changed less is folded away */

enum { LEAST_WIDTH = 80, NUMBER_WIDTH = 13, PERCENT_WIDTH = 11, MAX_INDENT = 12 };

typedef struct difference_page {
    const hd_comparison  *comparison;
    FILE                 *file;
    hd_difference_options options;
    uint32_t              n_top;
    double                time; /* the larger of both [s] */
} difference_page;

/* ---- lines ---------------------------------------------------------------------------------------------------------------------- */

static void
put_head(const difference_page *page, const char *head, bool has_columns)
{
    const char *bold = page->options.look.has_colour ? "\033[1m" : "", *plain = page->options.look.has_colour ? "\033[0m" : "";
    int         columns = (int)page->options.look.width - 3 * NUMBER_WIDTH - PERCENT_WIDTH;

    if (has_columns)
        fprintf(page->file, "\n%s%-*s%s%*s%*s%*s%*s\n", bold, columns, head, plain, NUMBER_WIDTH, "A", NUMBER_WIDTH, "B", NUMBER_WIDTH, "B - A",
                PERCENT_WIDTH, "of A");
    else
        fprintf(page->file, "\n%s%s%s\n", bold, head, plain);
}

/* The end of a text that is too long, which tells call paths apart. */
static void
put_text(FILE *file, const char *text, int columns)
{
    int length = (int)strlen(text);

    if (length <= columns) {
        fprintf(file, "%-*s", columns, text);
        return;
    }
    text += length - (columns - 3);
    columns -= 3;
    while (((unsigned char)*text & 0xC0) == 0x80) {
        text++;
        columns--;
    }
    fprintf(file, "...%-*s", columns, text);
}

static const char *
percent_text(char *text, size_t bytes, const double *of)
{
    double percent = hd_percent_changed(of[0], of[1]);

    if (isnan(percent))
        return "";
    if (isinf(percent))
        return "new";
    snprintf(text, bytes, fabs(percent) < 99999.95 ? "%+.1f %%" : "%+.2g %%", percent);
    return text;
}

/* Red what takes clearly more time, green what takes less. */
static const char *
colour_of(const difference_page *page, const double *of, bool is_time)
{
    double change = of[1] - of[0];

    if (!page->options.look.has_colour || !is_time || fabs(change) < LEAST_SHARE * page->time)
        return "";
    return change > 0 ? "\033[31m" : "\033[32m";
}

static void
put_row(const difference_page *page, uint32_t indent, const char *text, const double *of, bool is_time)
{
    const char *colour  = colour_of(page, of, is_time);
    int         columns = (int)page->options.look.width - 3 * NUMBER_WIDTH - PERCENT_WIDTH - (int)indent;
    char        percent[32];

    fprintf(page->file, "%*s", (int)indent, "");
    put_text(page->file, text, columns);
    fprintf(page->file, "%*.6g%*.6g%s%+*.6g%*s%s\n", NUMBER_WIDTH, of[0], NUMBER_WIDTH, of[1], colour, NUMBER_WIDTH, of[1] - of[0],
            PERCENT_WIDTH, percent_text(percent, sizeof percent, of), *colour != '\0' ? "\033[0m" : "");
}

/* A name without control characters; free() it. */
static char *
escaped(const char *name, const char *unit)
{
    char  *text  = NULL;
    size_t bytes = 0;
    FILE  *stream = open_memstream(&text, &bytes);

    if (stream == NULL)
        hd_fatal("out of memory: a difference cannot be written");
    hd_write_escaped(stream, name);
    if (unit != NULL) {
        fputs(" [", stream);
        hd_write_escaped(stream, unit);
        fputc(']', stream);
    }
    if (fclose(stream) != 0)
        hd_fatal("out of memory: a difference cannot be written");
    return text;
}

/* ---- both reports --------------------------------------------------------------------------------------------------------------- */

static void
print_reports(const difference_page *page)
{
    const hd_alignment *alignment = page->comparison->alignment;

    fputs("The difference of two reports: B - A\n", page->file);
    for (uint32_t c = 0; c < 2; c++) {
        const hd_cube *cube = alignment->cubes[c];

        fprintf(page->file, "  %c: \"", 'A' + (int)c);
        hd_write_escaped(page->file, cube->path);
        fprintf(page->file, "\": %" PRIu32 " process%s, %" PRIu32 " location%s, %" PRIu32 " call path%s\n", cube->n_groups,
                cube->n_groups == 1 ? "" : "es", cube->n_locations, cube->n_locations == 1 ? "" : "s", cube->n_paths,
                cube->n_paths == 1 ? "" : "s");
    }
    if (alignment->is_summed)
        fputs("  They have different processes or threads, so the sums over all of them are compared\n", page->file);
}

/* ---- metrics --------------------------------------------------------------------------------------------------------------------- */

static bool
is_seconds(const hd_cube_metric *metric)
{
    return strcmp(metric->unit, "sec") == 0;
}

static bool
is_shown(const difference_page *page, uint32_t number)
{
    const hd_cube_metric *metric = &page->comparison->model->metrics[number];
    const double         *of     = page->comparison->metrics[number].of;

    if (page->options.all || number == page->comparison->time)
        return true;
    if (is_seconds(metric) && page->time > 0)
        return fmax(fabs(of[0]), fabs(of[1])) >= LEAST_SHARE * page->time;
    return fabs(of[1] - of[0]) > LEAST_SHARE * fabs(of[0]);
}

static void
print_metrics(const difference_page *page)
{
    const hd_cube *model    = page->comparison->model;
    uint32_t      *indents  = HD_NEW_ARRAY(uint32_t, (size_t)model->n_metrics + 1);
    uint32_t       n_folded = 0;

    put_head(page, "Metrics, over all locations", true);
    for (uint32_t i = 0; i < model->n_metrics; i++) {
        const hd_cube_metric *metric = &model->metrics[i];
        const double         *of     = page->comparison->metrics[i].of;
        char                 *text;

        indents[i] = metric->parent == HD_NONE ? 2 : indents[metric->parent] + 2;
        if (of[0] == 0 && of[1] == 0)
            continue;
        if (!is_shown(page, i)) {
            n_folded++;
            continue;
        }
        text = escaped(metric->name, is_seconds(metric) ? NULL : metric->unit);
        put_row(page, indents[i] < MAX_INDENT ? indents[i] : MAX_INDENT, text, of, is_seconds(metric));
        free(text);
    }
    if (n_folded > 0)
        fprintf(page->file, "  (%" PRIu32 " more that are below %.1f %% of the time, or have hardly changed; --all shows them)\n", n_folded,
                100 * LEAST_SHARE);
    free(indents);
}

/* ---- where --------------------------------------------------------------------------------------------------------------------- */

static hd_status
print_processes(const difference_page *page, uint32_t metric, uint32_t path, uint32_t indent)
{
    const hd_comparison *comparison = page->comparison;
    const hd_cube       *model      = comparison->model;
    hd_place_change     *most       = HD_NEW_ARRAY(hd_place_change, (size_t)page->n_top + 1);
    uint32_t             n          = 0;
    hd_status            status     = hd_comparison_processes(comparison, metric, path, most, page->n_top, &n);

    for (uint32_t i = 0; i < n && status == HD_OK; i++) {
        uint32_t number = most[i].number;
        char    *text   = model->n_groups == 1 ? hd_format("thread %" PRIu32, model->locations[number].thread)
                                               : hd_format("process %" PRIu32, model->groups[number].rank);

        put_row(page, indent, text, most[i].of, true);
        free(text);
    }
    free(most);
    return status;
}

static hd_status
print_paths(const difference_page *page, uint32_t metric, uint32_t indent, bool has_processes)
{
    hd_place_change *most   = HD_NEW_ARRAY(hd_place_change, (size_t)page->n_top + 1);
    uint32_t         n      = hd_comparison_paths(page->comparison, metric, most, page->n_top);
    hd_status        status = HD_OK;

    for (uint32_t i = 0; i < n && status == HD_OK; i++) {
        char *text = hd_dump_path(page->comparison->model, most[i].number, " > ");

        put_row(page, indent, text, most[i].of, true);
        free(text);
        if (has_processes)
            status = print_processes(page, metric, most[i].number, indent + 2);
    }
    free(most);
    return status;
}

static hd_status
print_time(const difference_page *page)
{
    uint32_t time = page->comparison->time;

    if (time == HD_NONE)
        return HD_OK;
    put_head(page, "Where the time has changed most", true);
    return print_paths(page, time, 2, false);
}

static hd_status
print_waits(const difference_page *page)
{
    const hd_cube *model  = page->comparison->model;
    uint32_t      *most   = HD_NEW_ARRAY(uint32_t, (size_t)page->n_top + 1);
    uint32_t       n      = hd_comparison_waits(page->comparison, most, page->n_top);
    hd_status      status = HD_OK;

    if (n > 0)
        put_head(page, "Wait states that have changed most", true);
    for (uint32_t i = 0; i < n && status == HD_OK; i++) {
        const char *id   = model->metrics[most[i]].id;
        char       *text = hd_format("%s (%s)", hd_metric_infos[hd_metric_by_id(id)].name, id);

        put_row(page, 2, text, page->comparison->metrics[most[i]].of, true);
        free(text);
        status = print_paths(page, most[i], 4, true);
    }
    free(most);
    return status;
}

hd_status
hd_difference_print(const hd_comparison *comparison, FILE *file, const hd_difference_options *options)
{
    difference_page page = { .comparison = comparison, .file = file, .options = *options };
    hd_status       status;

    page.options.look.width = hd_summary_width(options->look.width);
    if (page.options.look.width < LEAST_WIDTH)
        page.options.look.width = LEAST_WIDTH;
    page.n_top              = options->look.n_top > 0 ? options->look.n_top : 3;
    if (comparison->time != HD_NONE)
        page.time = fmax(comparison->metrics[comparison->time].of[0], comparison->metrics[comparison->time].of[1]);
    print_reports(&page);
    print_metrics(&page);
    status = print_time(&page);
    if (status == HD_OK)
        status = print_waits(&page);
    if (status == HD_OK && (fflush(file) != 0 || ferror(file)))
        status = hd_fail(HD_EWRITE, "cannot write the difference: %s", strerror(errno));
    return status;
}
