#include "difference_page.h"

#include <errno.h>
#include <math.h>

#include "escape.h"
#include "memory.h"
#include "metric.h"
#include "path_source.h"
#include "path_text.h"
#include "summary_page.h"

enum { MIN_WIDTH = 80, USUAL_WIDTH = 100, NUMBER_WIDTH = 12, PERCENT_WIDTH = 10 };
enum { COLUMNS_WIDTH = 3 * NUMBER_WIDTH + 2 * PERCENT_WIDTH };

typedef struct difference_page {
    const hd_comparison  *comparison;
    FILE                 *file;
    hd_difference_options options;
    uint32_t              n_top;
    hd_name_cuts         *cuts; /* names that its rows show cut */
} difference_page;

/* ---- lines ---------------------------------------------------------------------------------------------------------------------- */

static void
put_head(const difference_page *page, const char *head)
{
    const char *bold = page->options.look.has_colour ? "\033[1m" : "", *plain = page->options.look.has_colour ? "\033[0m" : "";

    fprintf(page->file, "\n%s%-*s%s%*s%*s%*s%*s%*s\n", bold, (int)page->options.look.width - COLUMNS_WIDTH, head, plain, NUMBER_WIDTH, "A",
            NUMBER_WIDTH, "B", NUMBER_WIDTH, "B - A", PERCENT_WIDTH, "rel. to A", PERCENT_WIDTH, "of total");
}

const char *
hd_difference_percent(char *text, const double *of)
{
    double percent = hd_percent_changed(of[0], of[1]);

    if (isnan(percent))
        return "";
    if (isinf(percent))
        return "new";
    snprintf(text, HD_DIFFERENCE_TEXT, fabs(percent) < 999.95 ? "%+.1f %%" : fabs(percent) < 99999.5 ? "%+.0f %%" : "%+.0e %%", percent);
    return text;
}

const char *
hd_difference_share(char *text, const hd_comparison *comparison, const hd_cube_metric *metric, const double *of)
{
    double change = hd_comparison_share_change(comparison, of);

    if (isnan(change) || !hd_is_time(metric))
        return "";
    snprintf(text, HD_DIFFERENCE_TEXT, "%+.2f pp", change == 0 ? 0 : change);
    return text;
}

/* Red what takes clearly more time, green what takes less. */
static const char *
colour_of(const difference_page *page, uint32_t metric, const double *of)
{
    const hd_comparison *comparison = page->comparison;
    double               change     = of[1] - of[0];

    if (!page->options.look.has_colour || comparison->time == HD_NONE || !hd_is_time(&comparison->model->metrics[metric]) ||
        !(fabs(change) >= HD_NOTABLE_SHARE * comparison->metrics[comparison->time].of[0]))
        return "";
    return change > 0 ? "\033[31m" : "\033[32m";
}

static void
put_row(const difference_page *page, uint32_t indent, const char *text, uint32_t metric, const double *of)
{
    const char *colour = colour_of(page, metric, of);
    char        percent[HD_DIFFERENCE_TEXT], share[HD_DIFFERENCE_TEXT];

    hd_fit_text(page->file, page->cuts, (int)indent, text, (int)page->options.look.width - COLUMNS_WIDTH);
    fprintf(page->file, "%*.5g%*.5g%s%+*.5g%*s%s%*s\n", NUMBER_WIDTH, of[0], NUMBER_WIDTH, of[1], colour, NUMBER_WIDTH, of[1] - of[0],
            PERCENT_WIDTH, hd_difference_percent(percent, of), *colour != '\0' ? "\033[0m" : "", PERCENT_WIDTH,
            metric == page->comparison->time && of == page->comparison->metrics[metric].of
                ? "" : hd_difference_share(share, page->comparison, &page->comparison->model->metrics[metric], of));
}

/* A metric's name with its unit, without control characters; free() it. */
static char *
name_of(const hd_cube_metric *metric)
{
    char *name = hd_escaped(metric->name), *unit = hd_escaped(metric->unit), *text;

    text = hd_is_time(metric) ? hd_format("%s", name) : hd_format("%s [%s]", name, unit);
    free(name);
    free(unit);
    return text;
}

/* ---- both reports --------------------------------------------------------------------------------------------------------------- */

static void
print_reports(const difference_page *page)
{
    const hd_alignment *alignment = page->comparison->alignment;

    fprintf(page->file, "%s, largest differences first\n", hd_heading_text(HD_HEADING_difference));
    for (uint32_t c = 0; c < 2; c++) {
        const hd_cube *cube    = alignment->cubes[c];
        char          *partial = hd_completeness_text(cube);

        fprintf(page->file, "  %c: \"", 'A' + (int)c);
        hd_write_escaped(page->file, cube->path);
        fprintf(page->file, "\": %" PRIu32 " process%s, %" PRIu32 " location%s, %" PRIu32 " call path%s%s", cube->n_groups,
                cube->n_groups == 1 ? "" : "es", cube->n_locations, cube->n_locations == 1 ? "" : "s", cube->n_paths,
                cube->n_paths == 1 ? "" : "s", partial != NULL ? "; " : "");
        hd_write_escaped(page->file, partial != NULL ? partial : "");
        fputc('\n', page->file);
        free(partial);
    }
    if (alignment->sums != HD_SUMS_NONE)
        fprintf(page->file, "  %s\n", hd_alignment_why_sums(alignment));
}

/* ---- metrics --------------------------------------------------------------------------------------------------------------------- */

/* A metric's line; returns whether it has one. */
static bool
print_metric(const difference_page *page, uint32_t number, uint32_t indent)
{
    const hd_cube_metric *metric = &page->comparison->model->metrics[number];
    uint32_t              widest = (page->options.look.width - COLUMNS_WIDTH) / 3;
    char                 *text;

    if (!page->options.all && !hd_comparison_is_notable(page->comparison, number))
        return false;
    text = name_of(metric);
    put_row(page, indent < widest ? indent : widest, text, number, page->comparison->metrics[number].of);
    free(text);
    return true;
}

static void
print_metrics(const difference_page *page)
{
    uint32_t      indent = 2, n_folded = 0;
    hd_tree_order order;

    put_head(page, "Metrics");
    hd_comparison_order(page->comparison, &order);
    for (hd_tree_walk walk = { &order, order.first_root, true }; walk.node != HD_NONE; hd_tree_walk_on(&walk)) {
        const double *of = page->comparison->metrics[walk.node].of;

        if (walk.down && (of[0] != 0 || of[1] != 0))
            n_folded += !print_metric(page, walk.node, indent);
        indent += walk.down ? 2 : 0;
        indent -= walk.down ? 0 : 2;
    }
    hd_tree_order_fini(&order);
    if (n_folded > 0)
        fprintf(page->file, "  (%" PRIu32 " more metric%s not shown: small, unchanged, or not part of the time; --all shows them)\n",
                n_folded, n_folded == 1 ? "" : "s");
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

        put_row(page, indent, text, metric, most[i].of);
        free(text);
    }
    free(most);
    return status;
}

static hd_status
print_paths(const difference_page *page, const char *head, uint32_t metric, uint32_t indent, bool has_processes)
{
    hd_place_change *most   = HD_NEW_ARRAY(hd_place_change, (size_t)page->n_top + 1);
    uint32_t         n      = hd_comparison_paths(page->comparison, metric, most, page->n_top);
    hd_status        status = HD_OK;

    if (n > 0 && head != NULL)
        put_head(page, head);
    for (uint32_t i = 0; i < n && status == HD_OK; i++) {
        char *text = hd_path_text(page->comparison->model, most[i].number, " > ");

        put_row(page, indent, text, metric, most[i].of);
        hd_path_source_print(page->file, indent + 2, page->comparison->model, most[i].number);
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
    return print_paths(page, "Time by call path", time, 2, false);
}

static hd_status
print_waits(const difference_page *page)
{
    const hd_cube *model  = page->comparison->model;
    uint32_t      *most   = HD_NEW_ARRAY(uint32_t, (size_t)page->n_top + 1);
    uint32_t       n      = hd_comparison_waits(page->comparison, most, page->n_top);
    hd_status      status = HD_OK;

    if (n > 0)
        put_head(page, "Wait states");
    for (uint32_t i = 0; i < n && status == HD_OK; i++) {
        const char *id    = model->metrics[most[i]].id, *name = hd_metric_infos[hd_metric_by_id(id)].name;
        bool        fits  = strlen(name) + strlen(id) + 5 <= page->options.look.width - COLUMNS_WIDTH;
        char       *text  = fits ? hd_format("%s (%s)", name, id) : hd_strdup(name);

        put_row(page, 2, text, most[i], page->comparison->metrics[most[i]].of);
        free(text);
        status = print_paths(page, NULL, most[i], 4, true);
    }
    free(most);
    return status;
}

hd_status
hd_difference_print(const hd_comparison *comparison, FILE *file, const hd_difference_options *options)
{
    hd_name_cuts    cuts = { 0 };
    difference_page page = { .comparison = comparison, .file = file, .options = *options, .cuts = &cuts };
    hd_status       status;

    page.options.look.width = options->look.width == 0 ? USUAL_WIDTH : hd_summary_width(options->look.width);
    if (page.options.look.width < MIN_WIDTH)
        page.options.look.width = MIN_WIDTH;
    page.n_top = hd_comparison_top(comparison, options->look.n_top);
    print_reports(&page);
    print_metrics(&page);
    status = print_time(&page);
    if (status == HD_OK)
        status = print_waits(&page);
    hd_name_cuts_fini(&cuts);
    if (status == HD_OK && (fflush(file) != 0 || ferror(file)))
        status = hd_fail(HD_EWRITE, "cannot write the difference: %s", strerror(errno));
    return status;
}
