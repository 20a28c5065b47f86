/* What has changed from one report to another, as tables in Markdown. */
#include <errno.h>

#include "difference_page.h"
#include "headings.h"
#include "markdown.h"
#include "memory.h"
#include "path_text.h"

typedef struct difference_tables {
    const hd_comparison *comparison;
    FILE                *file;
    uint32_t             n_top;
    bool                 all;
} difference_tables;

static void
put_head(const difference_tables *tables, const char *what)
{
    fprintf(tables->file, "\n| %s | A | B | B - A | relative to A | of total time |\n| :-- | --: | --: | --: | --: | --: |\n", what);
}

/* The end of a line whose first column is there. */
static void
put_numbers(const difference_tables *tables, uint32_t metric, const double *of)
{
    char percent[HD_DIFFERENCE_TEXT], share[HD_DIFFERENCE_TEXT];

    fprintf(tables->file, " | %.5g | %.5g | %+.5g | %s | %s |\n", of[0], of[1], of[1] - of[0], hd_difference_percent(percent, of),
            hd_difference_share(share, tables->comparison, &tables->comparison->model->metrics[metric], of));
}

static void
put_metric(const difference_tables *tables, uint32_t number, uint32_t indent)
{
    const hd_cube_metric *metric = &tables->comparison->model->metrics[number];

    fputs("| ", tables->file);
    for (uint32_t i = 0; i < indent; i++)
        fputs("&emsp;", tables->file);
    hd_markdown_text(tables->file, metric->name);
    if (!hd_is_time(metric) && *metric->unit != '\0') {
        fputs(" (", tables->file);
        hd_markdown_text(tables->file, metric->unit);
        fputs(")", tables->file);
    }
    fputs(" ", tables->file);
    hd_markdown_code(tables->file, metric->id);
    put_numbers(tables, number, tables->comparison->metrics[number].of);
}

static void
put_reports(const difference_tables *tables)
{
    const hd_alignment *alignment = tables->comparison->alignment;

    fprintf(tables->file, "### Heddle: %s\n\n", hd_heading_text(HD_HEADING_difference));
    for (uint32_t c = 0; c < 2; c++) {
        const hd_cube *cube    = alignment->cubes[c];
        char          *partial = hd_completeness_text(cube);

        fprintf(tables->file, "- %c: ", 'A' + (int)c);
        hd_markdown_code(tables->file, cube->path);
        fprintf(tables->file, ", %" PRIu32 " process%s, %" PRIu32 " location%s%s", cube->n_groups, cube->n_groups == 1 ? "" : "es",
                cube->n_locations, cube->n_locations == 1 ? "" : "s", partial != NULL ? "; **" : "");
        hd_markdown_text(tables->file, partial != NULL ? partial : "");
        fputs(partial != NULL ? "**\n" : "\n", tables->file);
        free(partial);
    }
    if (alignment->sums != HD_SUMS_NONE)
        fprintf(tables->file, "\n%s.\n", hd_alignment_why_sums(alignment));
}

/* The time, and the wait states that have changed most. */
static void
put_waits(const difference_tables *tables, const uint32_t *most, uint32_t n)
{
    if (tables->comparison->time == HD_NONE && n == 0)
        return;
    put_head(tables, "time [s]");
    if (tables->comparison->time != HD_NONE)
        put_metric(tables, tables->comparison->time, 0);
    for (uint32_t i = 0; i < n; i++)
        put_metric(tables, most[i], 0);
}

static void
put_paths(const difference_tables *tables, uint32_t metric)
{
    hd_place_change *most = HD_NEW_ARRAY(hd_place_change, (size_t)tables->n_top + 1);
    uint32_t         n    = hd_comparison_paths(tables->comparison, metric, most, tables->n_top);

    if (n > 0) {
        fputs("\nLargest differences of ", tables->file);
        hd_markdown_code(tables->file, tables->comparison->model->metrics[metric].id);
        fputs(" by call path:\n", tables->file);
        put_head(tables, "call path");
    }
    for (uint32_t i = 0; i < n; i++) {
        char *text = hd_path_text(tables->comparison->model, most[i].number, " > ");

        fputs("| ", tables->file);
        hd_markdown_code_escaped(tables->file, text);
        put_numbers(tables, metric, most[i].of);
        free(text);
    }
    free(most);
}

static void
put_all_metrics(const difference_tables *tables)
{
    uint32_t      depth = 0;
    hd_tree_order order;

    fputs("\n<details><summary>All metrics</summary>\n", tables->file);
    put_head(tables, "metric");
    hd_comparison_order(tables->comparison, &order);
    for (hd_tree_walk walk = { &order, order.first_root, true }; walk.node != HD_NONE; hd_tree_walk_on(&walk)) {
        const double *of = tables->comparison->metrics[walk.node].of;

        if (walk.down && (of[0] != 0 || of[1] != 0) && (tables->all || hd_comparison_is_notable(tables->comparison, walk.node)))
            put_metric(tables, walk.node, depth);
        depth += walk.down ? 1 : 0;
        depth -= walk.down ? 0 : 1;
    }
    hd_tree_order_fini(&order);
    fputs("\n</details>\n", tables->file);
}

hd_status
hd_difference_print_markdown(const hd_comparison *comparison, FILE *file, const hd_difference_options *options)
{
    difference_tables tables = { .comparison = comparison, .file = file, .n_top = hd_comparison_top(comparison, options->look.n_top),
                                 .all = options->all };
    uint32_t         *most   = HD_NEW_ARRAY(uint32_t, (size_t)tables.n_top + 1);
    uint32_t          n      = hd_comparison_waits(comparison, most, tables.n_top);

    put_reports(&tables);
    put_waits(&tables, most, n);
    if (comparison->time != HD_NONE)
        put_paths(&tables, comparison->time);
    for (uint32_t i = 0; i < n; i++)
        put_paths(&tables, most[i]);
    put_all_metrics(&tables);
    free(most);
    if (fflush(file) != 0 || ferror(file))
        return hd_fail(HD_EWRITE, "cannot write the difference: %s", strerror(errno));
    return HD_OK;
}
