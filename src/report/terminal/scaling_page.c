#include "scaling_page.h"

#include <errno.h>
#include <math.h>

#include "comparison.h"
#include "escape.h"
#include "memory.h"
#include "path_source.h"
#include "path_cut.h"
#include "path_text.h"
#include "summary_page.h"
#include "tree_order.h"

enum { USUAL_WIDTH = 100, MIN_TEXT = 30, COLUMN_WIDTH = 10, GROWTH_WIDTH = 14 };

typedef struct scaling_page {
    const hd_scaling  *scaling;
    FILE              *file;
    hd_scaling_options options;
    int                columns; /* of the text in front of the numbers */
    hd_name_cuts      *cuts;    /* names that its rows show cut */
} scaling_page;

/* ---- lines ---------------------------------------------------------------------------------------------------------------------- */

static void
put_text(const scaling_page *page, uint32_t indent, const char *text)
{
    hd_fit_text(page->file, page->cuts, (int)indent, text, page->columns);
}

/* What a share is where a run does not have it. */
static void
put_number(FILE *file, const char *format, double value)
{
    if (isnan(value))
        fprintf(file, "%*s", COLUMN_WIDTH, "-");
    else
        fprintf(file, format, COLUMN_WIDTH, value);
}

static void
put_head(const scaling_page *page, const char *head)
{
    const char *bold = page->options.look.has_colour ? "\033[1m" : "", *plain = page->options.look.has_colour ? "\033[0m" : "";

    fprintf(page->file, "\n%s", bold);
    put_text(page, 0, head);
    fputs(plain, page->file);
    for (uint32_t i = 0; i < page->scaling->n_runs; i++)
        fprintf(page->file, "%*" PRIu32, COLUMN_WIDTH, hd_scaling_size(page->scaling, i));
}

static void
put_shares(const scaling_page *page, uint32_t indent, const char *text, const hd_scaling_series *series)
{
    put_text(page, indent, text);
    for (uint32_t i = 0; i < page->scaling->n_runs; i++)
        put_number(page->file, "%*.2f", hd_scaling_share(page->scaling, series, i));
    if (isnan(series->growth))
        fputc('\n', page->file);
    else
        fprintf(page->file, "%+*.2f pp\n", GROWTH_WIDTH - 3, series->growth == 0 ? 0 : series->growth);
}

/* ---- sections -------------------------------------------------------------------------------------------------------------------- */

static void
print_runs(const scaling_page *page)
{
    const hd_scaling *scaling = page->scaling;

    fprintf(page->file, "Scaling: shares of total time by number of %s\n", scaling->by_locations ? "locations" : "processes");
    for (uint32_t i = 0; i < scaling->n_runs; i++) {
        const hd_scaling_run *run     = &scaling->runs[i];
        char                 *partial = hd_completeness_text(run->cube);

        fprintf(page->file, "  %5" PRIu32 ": \"", hd_scaling_size(scaling, i));
        hd_write_escaped(page->file, run->cube->path);
        fprintf(page->file, "\", %" PRIu32 " process%s, %" PRIu32 " location%s, %" PRIu32 " call path%s%s", run->n_processes,
                run->n_processes == 1 ? "" : "es", run->n_locations, run->n_locations == 1 ? "" : "s", run->cube->n_paths,
                run->cube->n_paths == 1 ? "" : "s", partial != NULL ? "; " : "");
        hd_write_escaped(page->file, partial != NULL ? partial : "");
        fputc('\n', page->file);
        free(partial);
    }
}

/* What is left of the first run's efficiency, where the problem is the same, or grows with the number of locations. */
static void
print_times(const scaling_page *page)
{
    static const char *const names[] = { "Total time [s]", "Mean time per location [s]", "Strong-scaling efficiency [%]",
                                         "Weak-scaling efficiency [%]" };
    const hd_scaling        *scaling = page->scaling;

    if (scaling->time == HD_NONE)
        return;
    put_head(page, "Time");
    fputc('\n', page->file);
    for (uint32_t line = 0; line < sizeof names / sizeof *names; line++) {
        put_text(page, 2, names[line]);
        for (uint32_t i = 0; i < scaling->n_runs; i++) {
            const hd_scaling_run *run   = &scaling->runs[i];
            double                mean  = run->time / run->n_locations;
            double                value = line == 0 ? run->time : line == 1 ? mean
                                                     : line == 2 ? 100 * hd_scaling_strong_efficiency(scaling, i)
                                                                 : 100 * hd_scaling_weak_efficiency(scaling, i);

            put_number(page->file, line < 2 ? "%*.5g" : "%*.1f", value);
        }
        fputc('\n', page->file);
    }
}

static void
print_shares(const scaling_page *page)
{
    const hd_scaling *scaling  = page->scaling;
    uint32_t          n        = scaling->model->n_metrics, indent = 2, n_folded = 0;
    uint32_t         *parents  = HD_NEW_ARRAY(uint32_t, (size_t)n + 1);
    double           *keys     = HD_NEW_ARRAY(double, (size_t)n + 1);
    uint32_t          widest   = (uint32_t)page->columns / 3;
    hd_tree_order     order;

    put_head(page, "Share of total time [%]");
    fprintf(page->file, "%*s\n", GROWTH_WIDTH, "per doubling");
    for (uint32_t i = 0; i < n; i++) {
        parents[i] = scaling->model->metrics[i].parent;
        keys[i]    = isnan(scaling->metrics[i].growth) ? 0 : fabs(scaling->metrics[i].growth);
    }
    hd_tree_order_init(&order, parents, n);
    hd_tree_order_sort(&order, keys);
    for (hd_tree_walk walk = { &order, order.first_root, true }; walk.node != HD_NONE; hd_tree_walk_on(&walk)) {
        const hd_cube_metric *metric = &scaling->model->metrics[walk.node];

        if (walk.down && hd_is_time(metric)) {
            char *name = hd_escaped(metric->name);

            if (page->options.all || hd_scaling_is_notable(scaling, walk.node))
                put_shares(page, indent < widest ? indent : widest, name, &scaling->metrics[walk.node]);
            else
                n_folded++;
            free(name);
        }
        indent += walk.down ? 2 : 0;
        indent -= walk.down ? 0 : 2;
    }
    hd_tree_order_fini(&order);
    free(parents);
    free(keys);
    if (n_folded > 0)
        fprintf(page->file, "  (%" PRIu32 " more metric%s not shown: below 0.5 %%, or not part of the time; --all shows them)\n", n_folded,
                n_folded == 1 ? "" : "s");
}

static void
print_paths(const scaling_page *page)
{
    uint32_t  n_top = page->options.look.n_top > 0 ? page->options.look.n_top : 3;
    uint32_t  n_max = n_top < page->scaling->model->n_paths ? n_top : page->scaling->model->n_paths;
    uint32_t *most  = HD_NEW_ARRAY(uint32_t, (size_t)n_max + 1);
    uint32_t  n     = hd_scaling_paths(page->scaling, most, n_max);

    if (n > 0) {
        put_head(page, "Share of total time by call path [%]");
        fprintf(page->file, "%*s\n", GROWTH_WIDTH, "per doubling");
    }
    for (uint32_t i = 0; i < n; i++) {
        char *text = hd_path_cut(page->scaling->model, most[i], (uint32_t)page->columns - 2);

        put_shares(page, 2, text, &page->scaling->paths[most[i]]);
        hd_path_source_print(page->file, 4, page->scaling->model, most[i]);
        free(text);
    }
    free(most);
}

static hd_status
flush(FILE *file)
{
    if (fflush(file) == 0 && !ferror(file))
        return HD_OK;
    return hd_fail(HD_EWRITE, "cannot write the table of runs: %s", strerror(errno));
}

hd_status
hd_scaling_print(const hd_scaling *scaling, FILE *file, const hd_scaling_options *options)
{
    hd_name_cuts cuts = { 0 };
    scaling_page page = { .scaling = scaling, .file = file, .options = *options, .cuts = &cuts };

    page.columns = (int)(options->look.width == 0 ? USUAL_WIDTH : hd_summary_width(options->look.width)) - GROWTH_WIDTH;
    page.columns = scaling->n_runs < 100 ? page.columns - (int)scaling->n_runs * COLUMN_WIDTH : 0;
    page.columns = page.columns < MIN_TEXT ? MIN_TEXT : page.columns;
    print_runs(&page);
    print_times(&page);
    if (scaling->time != HD_NONE)
        print_shares(&page);
    print_paths(&page);
    hd_name_cuts_fini(&cuts);
    return flush(file);
}

/* ---- for scripts ------------------------------------------------------------------------------------------------------------------- */

static void
put_line(const hd_scaling *scaling, FILE *file, const char *unit, const hd_scaling_series *series)
{
    fputc('\t', file);
    hd_write_cell(file, unit, HD_CELL_WHOLE);
    fputc('\t', file);
    if (!isnan(series->growth))
        fprintf(file, "%.17g", series->growth);
    for (uint32_t i = 0; i < scaling->n_runs; i++)
        if (isnan(series->values[i]))
            fputc('\t', file);
        else
            fprintf(file, "\t%.17g", series->values[i]);
    fputc('\n', file);
}

hd_status
hd_scaling_print_tsv(const hd_scaling *scaling, FILE *file)
{
    fputs("kind\tname\tunit\tgrowth", file);
    for (uint32_t i = 0; i < scaling->n_runs; i++)
        fprintf(file, "\t%" PRIu32, hd_scaling_size(scaling, i));
    fputc('\n', file);
    for (uint32_t i = 0; i < scaling->model->n_metrics; i++) {
        fputs("metric\t", file);
        hd_write_cell(file, scaling->model->metrics[i].id, HD_CELL_WHOLE);
        put_line(scaling, file, scaling->model->metrics[i].unit, &scaling->metrics[i]);
    }
    for (uint32_t i = 0; scaling->paths != NULL && i < scaling->model->n_paths; i++) {
        char *text = hd_path_text(scaling->model, i, ";");

        fprintf(file, "path\t%s", text);
        put_line(scaling, file, "sec", &scaling->paths[i]);
        free(text);
    }
    return flush(file);
}
