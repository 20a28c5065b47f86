/* What has changed from one report to another, as tables in Markdown. */
#include <errno.h>

#include "difference_page.h"
#include "difference_text.h"
#include "headings.h"
#include "markdown.h"
#include "memory.h"
#include "path_text.h"
#include "same_program.h"

typedef struct difference_tables {
    const hd_comparison *comparison;
    FILE                *file;
    uint32_t             n_top;
    bool                 all, is_tested; /* is_tested: several runs of both */
    double              *of_run;         /* [alignment->n_cubes] scratch */
} difference_tables;

static void
put_head(const difference_tables *tables, const char *what)
{
    fprintf(tables->file, tables->is_tested ?
            "\n| %s | A | B | B - A | relative to A | p |\n| :-- | --: | --: | --: | --: | --: |\n"
                                            : "\n| %s | A | B | B - A | relative to A | of total time |\n| :-- | --: | "
            "--: | --: | --: | --: |\n", what);
}

/* The end of a line whose first column is there. of_run: [n_cubes], where runs are tested */
static void
put_numbers(const difference_tables *tables, uint32_t number, const double *of, const double *of_run)
{
    const hd_cube_metric *metric = &tables->comparison->model->metrics[number];
    hd_welch              test   = tables->is_tested ? hd_comparison_test(tables->comparison, of_run) : (hd_welch){ 0 };
    char                  value[HD_DIFFERENCE_TEXT], change[HD_DIFFERENCE_TEXT], percent[HD_DIFFERENCE_TEXT],
        last[HD_DIFFERENCE_TEXT];

    for (uint32_t side = 0; side < 2; side++) {
        fprintf(tables->file, " | %s", hd_difference_value(value, metric, of[side], false));
        if (tables->is_tested)
            fprintf(tables->file, " ± %s", hd_difference_value(value, metric, test.deviation[side], false));
    }
    fprintf(tables->file, " | %s | %s | ", hd_difference_change(change, metric, of, false),
            hd_difference_percent(percent, of));
    if (tables->is_tested)
        hd_markdown_text(tables->file, hd_difference_p(last, test.p));
    else
        fputs(hd_difference_share(last, tables->comparison, metric, of), tables->file);
    fputs(" |\n", tables->file);
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
    put_numbers(tables, number, tables->comparison->metrics[number].of, tables->comparison->metrics[number].of_run);
}

static void
put_names(const difference_tables *tables, uint32_t side)
{
    const hd_alignment *alignment = tables->comparison->alignment;
    hd_runs             runs      = hd_alignment_runs(alignment, side);

    for (uint32_t c = runs.first; c < runs.first + runs.n; c++) {
        const hd_cube *cube    = alignment->cubes[c];
        char          *partial = hd_completeness_text(cube);

        fprintf(tables->file, "- %c: ", 'A' + (int)side);
        hd_markdown_code(tables->file, cube->path);
        fprintf(tables->file, ", %" PRIu32 " process%s, %" PRIu32 " location%s%s", cube->n_groups,
                cube->n_groups == 1 ? "" : "es",
                cube->n_locations, cube->n_locations == 1 ? "" : "s", partial != NULL ? "; **" : "");
        hd_markdown_text(tables->file, partial != NULL ? partial : "");
        fputs(partial != NULL ? "**\n" : "\n", tables->file);
        free(partial);
    }
}

static void
put_reports(const difference_tables *tables)
{
    const hd_alignment *alignment = tables->comparison->alignment;
    char               *wall = hd_difference_wall(tables->comparison), *noise = hd_difference_noise(tables->comparison);
    char               *why_not = hd_same_program_why_not(alignment);

    fprintf(tables->file, "### Heddle: %s\n\n", wall != NULL ? wall : hd_heading_text(HD_HEADING_difference));
    put_names(tables, 0);
    put_names(tables, 1);
    fprintf(tables->file, "\n%s.\n", noise);
    if (hd_alignment_why_sums(alignment) != NULL)
        fprintf(tables->file, "\n%s.\n", hd_alignment_why_sums(alignment));
    if (why_not != NULL) {
        fputc('\n', tables->file);
        hd_markdown_text(tables->file, why_not);
        fputs(".\n", tables->file);
    }
    free(why_not);
    free(wall);
    free(noise);
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

static hd_status
put_place(const difference_tables *tables, uint32_t metric, const hd_place_change *place)
{
    char     *text = hd_path_text(tables->comparison->model, place->number, " > "), *carriers = NULL;
    hd_status status = hd_difference_carriers(tables->comparison, metric, place->number, &carriers);

    if (status == HD_OK && tables->is_tested)
        status = hd_comparison_path_runs(tables->comparison, metric, place->number, tables->of_run);
    if (status == HD_OK) {
        fputs("| ", tables->file);
        hd_markdown_code_escaped(tables->file, text);
        if (carriers != NULL)
            fprintf(tables->file, " %s", carriers);
        put_numbers(tables, metric, place->of, tables->of_run);
    }
    free(text);
    free(carriers);
    return status;
}

typedef uint32_t find_places(const hd_comparison *comparison, uint32_t metric, hd_place_change *most, uint32_t max_n);

/* what: "Causes that have changed"; metric: HD_NONE: nothing is written */
static hd_status
put_paths(const difference_tables *tables, const char *what, uint32_t metric, find_places *find)
{
    hd_place_change *most   = HD_NEW_ARRAY(hd_place_change, (size_t)tables->n_top + 1);
    uint32_t         n      = metric != HD_NONE ? find(tables->comparison, metric, most, tables->n_top) : 0;
    hd_status        status = HD_OK;

    if (n > 0) {
        fprintf(tables->file, "\n%s by call path, ", what);
        hd_markdown_code(tables->file, tables->comparison->model->metrics[metric].id);
        fputs(":\n", tables->file);
        put_head(tables, "call path");
    }
    for (uint32_t i = 0; i < n && status == HD_OK; i++)
        status = put_place(tables, metric, &most[i]);
    free(most);
    return status;
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

        bool          is_shown = (of[0] != 0 || of[1] != 0) &&
                                 (tables->all || hd_comparison_is_shown(tables->comparison, walk.node));

        if (walk.down && is_shown)
            put_metric(tables, walk.node, depth);
        depth += is_shown && walk.down ? 1 : 0;
        depth -= is_shown && !walk.down ? 1 : 0;
    }
    hd_tree_order_fini(&order);
    fputs("\n</details>\n", tables->file);
}

hd_status
hd_difference_print_markdown(const hd_comparison *comparison, FILE *file, const hd_difference_options *options)
{
    difference_tables tables = { .comparison = comparison, .file = file,
                                 .n_top = hd_comparison_top(comparison, options->look.n_top),
                                 .all = options->all, .is_tested = hd_difference_is_tested(comparison) };
    uint32_t         *most   = HD_NEW_ARRAY(uint32_t, (size_t)tables.n_top + 1);
    uint32_t          n      = hd_comparison_waits(comparison, most, tables.n_top);
    bool              has_why = comparison->costs != HD_NONE || comparison->critical_path != HD_NONE;
    hd_status         status;

    tables.of_run = HD_NEW_ARRAY(double, comparison->alignment->n_cubes);
    put_reports(&tables);
    status = put_paths(&tables, "Causes that have changed", comparison->costs, hd_comparison_paths);
    if (status == HD_OK)
        status = put_paths(&tables, "Computation on the critical path", comparison->critical_path,
                           hd_comparison_computation);
    if (status == HD_OK && (options->all || !has_why))
        status = put_paths(&tables, "Largest differences", comparison->time, hd_comparison_paths);
    put_waits(&tables, most, n);
    for (uint32_t i = 0; i < n && status == HD_OK; i++)
        status = put_paths(&tables, "Largest differences", most[i], hd_comparison_paths);
    put_all_metrics(&tables);
    free(tables.of_run);
    free(most);
    if (status == HD_OK && (fflush(file) != 0 || ferror(file)))
        status = hd_fail(HD_EWRITE, "cannot write the difference: %s", strerror(errno));
    return status;
}
