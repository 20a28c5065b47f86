/* src/report/terminal/difference_page.c: a comparison as a page of text. */
#include "difference_page.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "difference_text.h"
#include "escape.h"
#include "memory.h"
#include "metric.h"
#include "path_source.h"
#include "path_cut.h"
#include "same_program.h"
#include "sentence.h"
#include "summary_page.h"

enum { MIN_WIDTH = 80, MIN_TESTED_WIDTH = 108, USUAL_WIDTH = 100 };
enum { NUMBER_WIDTH = 11, CHANGE_WIDTH = 12, PERCENT_WIDTH = 10, DEVIATION_WIDTH = 11, P_WIDTH = 10 };
enum { COLUMNS_WIDTH = 2 * NUMBER_WIDTH + CHANGE_WIDTH + 2 * PERCENT_WIDTH,
       TESTED_WIDTH  = 2 * NUMBER_WIDTH + CHANGE_WIDTH + PERCENT_WIDTH + 2 * DEVIATION_WIDTH + P_WIDTH };

typedef struct difference_page {
    const hd_comparison  *comparison;
    FILE                 *file;
    hd_difference_options options;
    uint32_t              n_top;
    bool                  is_tested; /* several runs of both: columns with deviations and p, in place of shares of the
                                      * time */
    hd_name_cuts         *cuts;      /* names that its rows show cut */
    double               *of_run;    /* [alignment->n_cubes] scratch */
} difference_page;

/* ---- lines ------------------------------------------------------------------------------------------------------- */

static int
name_width(const difference_page *page)
{
    return (int)page->options.look.width - (page->is_tested ? TESTED_WIDTH : COLUMNS_WIDTH);
}

/* The last column of a line, which does not end with blanks. */
static void
put_last(FILE *file, int width, const char *text)
{
    int n = (int)strlen(text), n_blank = 0;

    while (n_blank < n && text[n - 1 - n_blank] == ' ')
        n_blank++;
    if (n_blank < n)
        fprintf(file, "%*.*s", width - n_blank, n - n_blank, text);
    fputc('\n', file);
}

/* A head that is longer than names has a line of its own. */
static void
put_head(const difference_page *page, const char *head)
{
    const char *bold = page->options.look.has_colour ? "\033[1m" : "",
    *plain = page->options.look.has_colour ? "\033[0m" : "";

    fprintf(page->file, "\n%s%-*s%s", bold, name_width(page), head, plain);
    if ((int)strlen(head) > name_width(page))
        fprintf(page->file, "\n%*s", name_width(page), "");
    if (page->is_tested)
        fprintf(page->file, "%*s%*s%*s%*s%*s%*s", NUMBER_WIDTH, "A", DEVIATION_WIDTH, "+-", NUMBER_WIDTH, "B",
                DEVIATION_WIDTH, "+-", CHANGE_WIDTH, "B - A", PERCENT_WIDTH, "rel. to A");
    else
        fprintf(page->file, "%*s%*s%*s%*s", NUMBER_WIDTH, "A", NUMBER_WIDTH, "B", CHANGE_WIDTH, "B - A",
                PERCENT_WIDTH, "rel. to A");
    put_last(page->file, page->is_tested ? P_WIDTH : PERCENT_WIDTH, page->is_tested ? "p  " : "of total");
}

/* Red what takes clearly more time, green what takes less. */
static const char *
colour_of(const difference_page *page, uint32_t metric, const double *of)
{
    const hd_comparison *comparison = page->comparison;
    double               change     = of[1] - of[0];

    if (!page->options.look.has_colour || comparison->time == HD_NONE ||
        !hd_is_time(&comparison->model->metrics[metric]) ||
        !(fabs(change) >= HD_NOTABLE_SHARE * comparison->metrics[comparison->time].of[0]))
        return "";
    return change > 0 ? "\033[31m" : "\033[32m";
}

/* of_run: [n_cubes], where runs are tested. */
static void
put_row(const difference_page *page, uint32_t indent, const char *text, uint32_t number, const double *of,
        const double *of_run)
{
    const hd_comparison  *comparison = page->comparison;
    const hd_cube_metric *metric     = &comparison->model->metrics[number];
    const char           *colour     = colour_of(page, number, of);
    hd_welch              test       = page->is_tested ? hd_comparison_test(comparison, of_run) : (hd_welch){ 0 };

    hd_fit_text(page->file, page->cuts, (int)indent, text, name_width(page));
    for (uint32_t side = 0; side < 2; side++) {
        char value[HD_DIFFERENCE_TEXT];

        fprintf(page->file, "%*s", NUMBER_WIDTH, hd_difference_value(value, metric, of[side], true));
        if (page->is_tested)
            fprintf(page->file, "%*s", DEVIATION_WIDTH, hd_difference_value(value, metric, test.deviation[side], true));
    }
    {
        char change[HD_DIFFERENCE_TEXT], percent[HD_DIFFERENCE_TEXT], last[HD_DIFFERENCE_TEXT];
        bool is_all = number == comparison->time && of == comparison->metrics[number].of;

        fprintf(page->file, "%s%*s%*s%s", colour, CHANGE_WIDTH, hd_difference_change(change, metric, of, true),
                PERCENT_WIDTH, hd_difference_percent(percent, of), *colour != '\0' ? "\033[0m" : "");
        put_last(page->file, page->is_tested ? P_WIDTH : PERCENT_WIDTH,
                 page->is_tested ? hd_difference_p(last, test.p) : is_all ? "" :
                 hd_difference_share(last, comparison, metric, of));
    }
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

/* ---- A and B ----------------------------------------------------------------------------------------------------- */

static void
print_names(const difference_page *page, uint32_t side)
{
    const hd_alignment *alignment = page->comparison->alignment;
    hd_runs             runs      = hd_alignment_runs(alignment, side);

    for (uint32_t c = runs.first; c < runs.first + runs.n; c++) {
        const hd_cube *cube    = alignment->cubes[c];
        char          *partial = hd_completeness_text(cube);

        fprintf(page->file, "  %c: \"", 'A' + (int)side);
        hd_write_escaped(page->file, cube->path);
        fprintf(page->file, "\": %" PRIu32 " process%s, %" PRIu32 " location%s, %" PRIu32 " call path%s%s",
                cube->n_groups,
                cube->n_groups == 1 ? "" : "es", cube->n_locations, cube->n_locations == 1 ? "" : "s", cube->n_paths,
                cube->n_paths == 1 ? "" : "s", partial != NULL ? "; " : "");
        hd_write_escaped(page->file, partial != NULL ? partial : "");
        fputc('\n', page->file);
        free(partial);
    }
}

/* The names of programs are an archive's. */
static void
put_sentence(const difference_page *page, const char *text)
{
    char *sentence = hd_format("%s.", text);

    hd_sentence_print(page->file, page->options.look.width, 2, sentence);
    free(sentence);
}

static void
put_strangers(const difference_page *page)
{
    char *why = hd_same_program_why_not(page->comparison->alignment), *escaped;

    if (why == NULL)
        return;
    escaped = hd_escaped(why);
    put_sentence(page, escaped);
    free(escaped);
    free(why);
}

static void
print_reports(const difference_page *page)
{
    const hd_alignment *alignment = page->comparison->alignment;
    char               *wall = hd_difference_wall(page->comparison), *noise = hd_difference_noise(page->comparison);

    fprintf(page->file, "%s\n", wall != NULL ? wall : hd_heading_text(HD_HEADING_difference));
    print_names(page, 0);
    print_names(page, 1);
    put_sentence(page, noise);
    if (hd_alignment_why_sums(alignment) != NULL)
        put_sentence(page, hd_alignment_why_sums(alignment));
    put_strangers(page);
    if (hd_comparison_skips_startup(page->comparison))
        put_sentence(page, "Start-up (MPI_Init, MPI_Finalize) is not counted; --with-startup counts it");
    free(wall);
    free(noise);
}

/* ---- where ------------------------------------------------------------------------------------------------------- */

static hd_status
print_carriers(const difference_page *page, uint32_t metric, uint32_t path, uint32_t indent)
{
    char     *text;
    hd_status status = hd_difference_carriers(page->comparison, metric, path, &text);

    if (text != NULL)
        fprintf(page->file, "%*s%s\n", (int)indent, "", text);
    free(text);
    return status;
}

/* Call paths where a metric has changed, with the processes that carry it. */
static hd_status
print_places(const difference_page *page, uint32_t metric, const hd_place_change *places, uint32_t n, uint32_t indent)
{
    hd_status status = HD_OK;

    for (uint32_t i = 0; i < n && status == HD_OK; i++) {
        char *text = hd_path_cut(page->comparison->model, places[i].number, (uint32_t)name_width(page) - indent);

        if (page->is_tested)
            status = hd_comparison_path_runs(page->comparison, metric, places[i].number, page->of_run);
        if (status == HD_OK)
            put_row(page, indent, text, metric, places[i].of, page->of_run);
        free(text);
        if (status == HD_OK)
            hd_path_source_print(page->file, indent + 2, page->comparison->model, places[i].number);
        if (status == HD_OK)
            status = print_carriers(page, metric, places[i].number, indent + 2);
    }
    return status;
}

typedef uint32_t find_places(const hd_comparison *comparison, uint32_t metric, hd_place_change *most, uint32_t max_n);

/* metric: HD_NONE: nothing is printed. head: NULL: none */
static hd_status
print_paths(const difference_page *page, const char *head, uint32_t metric, find_places *find, uint32_t indent)
{
    hd_place_change *most = HD_NEW_ARRAY(hd_place_change, (size_t)page->n_top + 1);
    uint32_t         n    = metric != HD_NONE ? find(page->comparison, metric, most, page->n_top) : 0;
    hd_status        status;

    if (n > 0 && head != NULL)
        put_head(page, head);
    status = print_places(page, metric, most, n, indent);
    free(most);
    return status;
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
        const hd_compared_metric *sums = &page->comparison->metrics[most[i]];
        const char               *id = model->metrics[most[i]].id, *name = hd_metric_infos[hd_metric_by_id(id)].name;
        bool                      fits = (int)(strlen(name) + strlen(id)) + 5 <= name_width(page);
        char                     *text = fits ? hd_format("%s (%s)", name, id) : hd_strdup(name);

        put_row(page, 2, text, most[i], sums->of, sums->of_run);
        free(text);
        status = print_paths(page, NULL, most[i], hd_comparison_paths, 4);
    }
    free(most);
    return status;
}

/* Where neither causes nor critical path are known in both, all that tells why is where the time is spent. */
static hd_status
print_time(const difference_page *page)
{
    const hd_comparison *comparison = page->comparison;

    if (!page->options.all && (comparison->costs != HD_NONE || comparison->critical_path != HD_NONE))
        return HD_OK;
    return print_paths(page, "Time by call path", comparison->time, hd_comparison_paths, 2);
}

/* ---- metrics ----------------------------------------------------------------------------------------------------- */

static void
print_metric(const difference_page *page, uint32_t number, uint32_t indent)
{
    const hd_compared_metric *sums   = &page->comparison->metrics[number];
    uint32_t                  widest = (uint32_t)name_width(page) / 3;
    char                     *text   = name_of(&page->comparison->model->metrics[number]);

    put_row(page, indent < widest ? indent : widest, text, number, sums->of, sums->of_run);
    free(text);
}

/* [n_metrics] the wait states that print_waits() has named; free() it. */
static bool *
named_waits(const difference_page *page)
{
    bool     *is_named = HD_NEW_ARRAY(bool, (size_t)page->comparison->model->n_metrics + 1);
    uint32_t *most     = HD_NEW_ARRAY(uint32_t, (size_t)page->n_top + 1);
    uint32_t  n        = hd_comparison_waits(page->comparison, most, page->n_top);

    for (uint32_t i = 0; i < n; i++)
        is_named[most[i]] = true;
    free(most);
    return is_named;
}

/* A metric stands below the nearest one above it that has a line; wait states that are named above have none. */
static void
print_metrics(const difference_page *page)
{
    const hd_comparison *comparison = page->comparison;
    bool                *is_named   = named_waits(page);
    uint32_t             indent = 2, n_folded = 0;
    hd_tree_order        order;

    put_head(page, "Metrics");
    hd_comparison_order(comparison, &order);
    for (hd_tree_walk walk = { &order, order.first_root, true }; walk.node != HD_NONE; hd_tree_walk_on(&walk)) {
        const double *of       = comparison->metrics[walk.node].of;
        bool          is_zero  = of[0] == 0 && of[1] == 0, has_line = hd_comparison_is_shown(comparison, walk.node);
        bool          is_shown = !is_zero && (page->options.all || (has_line && !is_named[walk.node]));

        if (walk.down && is_shown)
            print_metric(page, walk.node, indent);
        n_folded += walk.down && !is_zero && !is_shown && !is_named[walk.node];
        indent += is_shown && walk.down ? 2 : 0;
        indent -= is_shown && !walk.down ? 2 : 0;
    }
    hd_tree_order_fini(&order);
    free(is_named);
    if (n_folded > 0)
        fprintf(page->file, "  (%" PRIu32 " more metric%s: small, unchanged, or other views of the same time; "
                "--all)\n", n_folded, n_folded == 1 ? "" : "s");
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

hd_status
hd_difference_print(const hd_comparison *comparison, FILE *file, const hd_difference_options *options)
{
    hd_name_cuts    cuts = { 0 };
    difference_page page = { .comparison = comparison, .file = file, .options = *options, .cuts = &cuts,
                             .is_tested = hd_difference_is_tested(comparison) };
    uint32_t        min_width = page.is_tested ? MIN_TESTED_WIDTH : MIN_WIDTH;
    hd_status       status;

    page.options.look.width = options->look.width == 0 ? USUAL_WIDTH : hd_summary_width(options->look.width);
    if (page.options.look.width < min_width)
        page.options.look.width = min_width;
    page.n_top  = hd_comparison_top(comparison, options->look.n_top);
    page.of_run = HD_NEW_ARRAY(double, comparison->alignment->n_cubes);
    print_reports(&page);
    status = print_paths(&page, "Causes that have changed (delay costs)", comparison->costs, hd_comparison_paths, 2);
    if (status == HD_OK)
        status = print_paths(&page, "Computation on the critical path", comparison->critical_path,
                             hd_comparison_computation, 2);
    if (status == HD_OK)
        status = print_time(&page);
    if (status == HD_OK)
        status = print_waits(&page);
    if (status == HD_OK)
        print_metrics(&page);
    if (status == HD_OK && page.is_tested)
        fprintf(file, "+-: standard deviation. p: probability of such a difference by chance (Welch's t test); *: more "
                "than noise\n");
    free(page.of_run);
    hd_name_cuts_fini(&cuts);
    if (status == HD_OK && (fflush(file) != 0 || ferror(file)))
        status = hd_fail(HD_EWRITE, "cannot write the difference: %s", strerror(errno));
    return status;
}
