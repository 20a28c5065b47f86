/* src/report/terminal/scaling_page.c: tables of runs of several sizes: time and efficiency, shares, models. */
#include "scaling_page.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "comparison.h"
#include "escape.h"
#include "memory.h"
#include "path_source.h"
#include "path_cut.h"
#include "path_text.h"
#include "same_program.h"
#include "sentence.h"
#include "summary_page.h"
#include "time_text.h"
#include "tree_order.h"

enum { USUAL_WIDTH = 100, MIN_TEXT = 30, MIN_MODEL_TEXT = 20, COLUMN_WIDTH = 10, GROWTH_WIDTH = 14, ERROR_WIDTH = 9,
       MODEL_WIDTH = 30 };

typedef struct scaling_page {
    const hd_scaling  *scaling;
    FILE              *file;
    hd_scaling_options options;
    int                columns; /* of the text in front of the numbers */
    int                model_columns; /* likewise in tables of models */
    bool               has_largest;   /* these have a column for what the largest runs have */
    hd_name_cuts      *cuts;    /* names that its rows show cut */
} scaling_page;

/* ---- lines ------------------------------------------------------------------------------------------------------- */

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

/* is_last: in its line, which does not end with a blank. */
static void
put_time(FILE *file, double seconds, bool is_last)
{
    hd_time_text text = { "- " };
    int          n, n_blank;

    if (!isnan(seconds))
        text = hd_time_column(seconds);
    n       = (int)strlen(text.text);
    n_blank = is_last && n > 0 && text.text[n - 1] == ' ';
    fprintf(file, "%*.*s", COLUMN_WIDTH - n_blank, n - n_blank, text.text);
}

static uint32_t
width_of(const scaling_page *page)
{
    return page->options.look.width == 0 ? USUAL_WIDTH : hd_summary_width(page->options.look.width);
}

static void
put_head(const scaling_page *page, const char *head)
{
    bool has_colour = page->options.look.has_colour;

    fputs(has_colour ? "\n\033[1m" : "\n", page->file);
    fprintf(page->file, "%-*s", page->columns, head);
    fputs(has_colour ? "\033[0m" : "", page->file);
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
        fprintf(page->file, "%+*.2f pp\n", GROWTH_WIDTH - 3, fabs(series->growth) < 0.005 ? 0 : series->growth);
}

/* ---- sections ---------------------------------------------------------------------------------------------------- */

static void
print_runs(const scaling_page *page)
{
    const hd_scaling *scaling = page->scaling;
    char             *why_not = hd_same_program_why_not(scaling->alignment);

    fprintf(page->file, "Scaling: shares of total time by number of %s\n",
            scaling->by_locations ? "locations" : "processes");
    for (uint32_t i = 0; i < scaling->n_runs; i++) {
        const hd_scaling_run *run     = &scaling->runs[i];
        char                 *partial = hd_completeness_text(run->cube);

        fprintf(page->file, "  %5" PRIu32 ": \"", hd_scaling_size(scaling, i));
        hd_write_escaped(page->file, run->cube->path);
        fprintf(page->file, "\", %" PRIu32 " process%s, %" PRIu32 " location%s, %" PRIu32 " call path%s%s",
                run->n_processes,
                run->n_processes == 1 ? "" : "es", run->n_locations, run->n_locations == 1 ? "" : "s",
                run->cube->n_paths, run->cube->n_paths == 1 ? "" : "s", partial != NULL ? "; " : "");
        hd_write_escaped(page->file, partial != NULL ? partial : "");
        fputc('\n', page->file);
        free(partial);
    }
    if (why_not != NULL) {
        char *escaped = hd_escaped(why_not), *sentence = hd_format("%s.", escaped);

        hd_sentence_print(page->file, width_of(page), 2, sentence);
        free(sentence);
        free(escaped);
    }
    free(why_not);
    if (hd_scaling_skips_startup(scaling))
        hd_sentence_print(page->file, width_of(page), 2, "Start-up (MPI_Init, MPI_Finalize) is not counted; "
                                                         "--with-startup counts it.");
}

/* What is left of the first run's efficiency, where the problem is the same, or grows with the number of locations. */
static void
print_times(const scaling_page *page)
{
    static const char *const names[] = { "Total time", "Mean time per location", "Strong-scaling efficiency [%]",
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

            if (line < 2)
                put_time(page->file, value, i + 1 == scaling->n_runs);
            else
                put_number(page->file, "%*.1f", value);
        }
        fputc('\n', page->file);
    }
}

static void
put_efficiency(const scaling_page *page, hd_scaling_factor factor, double value, bool is_last)
{
    const char *unit = hd_scaling_factor_infos[factor].unit;

    if (strcmp(unit, "sec") == 0)
        put_time(page->file, value, is_last);
    else if (hd_scaling_factor_is_share(factor))
        put_number(page->file, "%*.1f", 100 * value);
    else
        put_number(page->file, "%*.2f", strcmp(unit, "Hz") == 0 ? value / 1e9 : value);
}

/* POP's table. */
static void
print_efficiencies(const scaling_page *page)
{
    const hd_scaling_efficiencies *all = &page->scaling->efficiencies;
    char                          *head;

    if (all->reference == HD_NONE)
        return;
    head = hd_format("Efficiencies (POP), %s scaling [%%]", all->is_weak ? "weak" : "strong");
    put_head(page, head);
    free(head);
    fputc('\n', page->file);
    for (int f = 0; f < HD_N_SCALING_FACTORS; f++) {
        const hd_scaling_factor_info *info = &hd_scaling_factor_infos[f];
        const char                   *unit = strcmp(info->unit, "Hz") == 0 ? " [GHz]" : "";
        char                         *name;

        if (!all->has[f])
            continue;
        name = hd_format("%s%s%s", info->name, f == HD_SCALING_speedup ? " [factor]" : "", unit);
        put_text(page, 2 + 2 * info->depth, name);
        free(name);
        for (uint32_t i = 0; i < all->n_runs; i++)
            put_efficiency(page, (hd_scaling_factor)f, all->values[i][f], i + 1 == all->n_runs);
        fputc('\n', page->file);
    }
}

/* Metrics of time in the order of their tree, those of one parent by `keys`, largest first. Returns how many are
 * folded. */
static uint32_t
print_metrics(const scaling_page *page, const double *keys,
              void (*put)(const scaling_page *, uint32_t, const char *, const hd_scaling_series *), int columns)
{
    const hd_scaling *scaling = page->scaling;
    uint32_t          n = scaling->model->n_metrics, indent = 2, n_folded = 0, widest = (uint32_t)columns / 3;
    uint32_t         *parents = HD_NEW_ARRAY(uint32_t, (size_t)n + 1);
    hd_tree_order     order;

    for (uint32_t i = 0; i < n; i++)
        parents[i] = scaling->model->metrics[i].parent;
    hd_tree_order_init(&order, parents, n);
    hd_tree_order_sort(&order, keys);
    for (hd_tree_walk walk = { &order, order.first_root, true }; walk.node != HD_NONE; hd_tree_walk_on(&walk)) {
        const hd_cube_metric *metric = &scaling->model->metrics[walk.node];

        if (walk.down && hd_is_time(metric)) {
            char *name = hd_escaped(metric->name);

            if (page->options.all || hd_scaling_is_notable(scaling, walk.node))
                put(page, indent < widest ? indent : widest, name, &scaling->metrics[walk.node]);
            else
                n_folded++;
            free(name);
        }
        indent += walk.down ? 2 : 0;
        indent -= walk.down ? 0 : 2;
    }
    hd_tree_order_fini(&order);
    free(parents);
    return n_folded;
}

static void
print_shares(const scaling_page *page)
{
    const hd_scaling *scaling = page->scaling;
    double           *keys    = HD_NEW_ARRAY(double, (size_t)scaling->model->n_metrics + 1);
    uint32_t          n_folded;

    put_head(page, "Share of total time [%]");
    fprintf(page->file, "%*s\n", GROWTH_WIDTH, "per doubling");
    for (uint32_t i = 0; i < scaling->model->n_metrics; i++)
        keys[i] = isnan(scaling->metrics[i].growth) ? 0 : fabs(scaling->metrics[i].growth);
    n_folded = print_metrics(page, keys, put_shares, page->columns);
    free(keys);
    if (n_folded > 0)
        fprintf(page->file, "  (%" PRIu32 " more metric%s: below 0.5 %%, or not part of the time; --all)\n", n_folded,
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

/* ---- models ------------------------------------------------------------------------------------------------------ */

/* Head of the columns behind the text: the largest size, what is predicted, the error, the model. */
static void
put_model_head(const scaling_page *page, const char *head)
{
    const hd_scaling *scaling = page->scaling;
    bool              has_colour = page->options.look.has_colour;

    fputs(has_colour ? "\n\033[1m" : "\n", page->file);
    fprintf(page->file, "%-*s", page->model_columns, head);
    fputs(has_colour ? "\033[0m" : "", page->file);
    if (page->has_largest)
        fprintf(page->file, "%*" PRIu32, COLUMN_WIDTH, hd_scaling_size(scaling, scaling->n_runs - 1));
    for (uint32_t i = 0; i < scaling->n_predicted; i++) {
        char *size = hd_format("at %" PRIu32, scaling->predicted[i]);

        fprintf(page->file, "%*s", COLUMN_WIDTH, size);
        free(size);
    }
    fprintf(page->file, "%*s  model (p: %s)\n", ERROR_WIDTH, "error",
            scaling->by_locations ? "locations" : "processes");
}

static void
put_model(const scaling_page *page, uint32_t indent, const char *text, const hd_scaling_series *series)
{
    const hd_scaling       *scaling = page->scaling;
    const hd_scaling_model *model   = &series->model;

    hd_fit_text(page->file, page->cuts, (int)indent, text, page->model_columns);
    if (page->has_largest)
        put_time(page->file, hd_scaling_mean(scaling, series, scaling->n_runs - 1), false);
    for (uint32_t i = 0; i < scaling->n_predicted; i++)
        put_time(page->file, model->term != NULL ? hd_scaling_model_at(model, scaling->predicted[i]) : NAN, false);
    if (model->term == NULL) {
        fprintf(page->file, "%*s  -\n", ERROR_WIDTH, "- ");
        return;
    }
    fprintf(page->file, "%*.1f %%  ", ERROR_WIDTH - 2, 100 * model->error);
    if (model->constant > 0 || model->factor <= 0)
        fprintf(page->file, "%s%s", hd_time_text_of(model->constant).text, model->factor > 0 ? " + " : "");
    if (model->factor > 0)
        fprintf(page->file, "%s * %s", hd_time_text_of(model->factor).text, model->term->text);
    fputc('\n', page->file);
}

static void
print_growing(const scaling_page *page)
{
    const hd_scaling   *scaling = page->scaling;
    uint32_t            n_top   = page->options.look.n_top > 0 ? page->options.look.n_top : 3;
    hd_scaling_growing *most    = HD_NEW_ARRAY(hd_scaling_growing, n_top);
    uint32_t            n;

    n = hd_scaling_most_growing(scaling, most, n_top);
    if (n > 0)
        put_model_head(page, "Growing call paths");
    for (uint32_t i = 0; i < n; i++) {
        char *path = hd_path_text(scaling->model, most[i].path, " > "), *wait, *text;

        if (most[i].metric == scaling->time)
            put_model(page, 2, path, most[i].series);
        else {
            wait = hd_escaped(scaling->model->metrics[most[i].metric].name);
            text = hd_format("%s (%s)", path, wait);
            put_model(page, 2, text, most[i].series);
            free(wait);
            free(text);
        }
        hd_path_source_print(page->file, 4, scaling->model, most[i].path);
        free(path);
    }
    free(most);
}

/* docs/metrics.md#scaling-models */
static void
print_models(const scaling_page *page)
{
    const hd_scaling *scaling = page->scaling;
    const char       *head;
    double           *keys;

    if (scaling->n_sizes < HD_MODEL_MIN_SIZES) {
        fprintf(page->file, "\nNo models: they need runs of %d sizes or more, these have %" PRIu32 ".\n",
                HD_MODEL_MIN_SIZES, scaling->n_sizes);
        return;
    }
    keys = HD_NEW_ARRAY(double, (size_t)scaling->model->n_metrics + 1);
    head = scaling->by_locations ? "Time per location" : "Time per process";
    for (uint32_t i = 0; i < scaling->model->n_metrics; i++)
        keys[i] = isnan(scaling->metrics[i].values[scaling->n_runs - 1]) ? 0 :
                  scaling->metrics[i].values[scaling->n_runs - 1];
    put_model_head(page, head);
    print_metrics(page, keys, put_model, page->model_columns);
    print_growing(page);
    free(keys);
}

static hd_status
flush(FILE *file)
{
    if (fflush(file) == 0 && !ferror(file))
        return HD_OK;
    return hd_fail(HD_EWRITE, "cannot write the table of runs: %s", strerror(errno));
}

/* A narrow terminal has no column for the largest runs. */
static void
set_model_columns(scaling_page *page)
{
    uint32_t n    = page->scaling->n_predicted;
    int      room = (int)width_of(page) - ERROR_WIDTH - MODEL_WIDTH;

    page->has_largest   = n < 100 && room - (int)(n + 1) * COLUMN_WIDTH >= MIN_TEXT;
    room                = n < 100 ? room - (int)(n + page->has_largest) * COLUMN_WIDTH : 0;
    page->model_columns = room < MIN_MODEL_TEXT ? MIN_MODEL_TEXT : room;
}

hd_status
hd_scaling_print(const hd_scaling *scaling, FILE *file, const hd_scaling_options *options)
{
    hd_name_cuts cuts = { 0 };
    scaling_page page = { .scaling = scaling, .file = file, .options = *options, .cuts = &cuts };

    page.columns = (int)width_of(&page) - GROWTH_WIDTH;
    page.columns = scaling->n_runs < 100 ? page.columns - (int)scaling->n_runs * COLUMN_WIDTH : 0;
    page.columns = page.columns < MIN_TEXT ? MIN_TEXT : page.columns;
    set_model_columns(&page);
    print_runs(&page);
    print_times(&page);
    print_efficiencies(&page);
    if (scaling->time != HD_NONE)
        print_shares(&page);
    print_paths(&page);
    if (scaling->time != HD_NONE)
        print_models(&page);
    hd_name_cuts_fini(&cuts);
    return flush(file);
}

/* ---- for scripts ------------------------------------------------------------------------------------------------- */

static void
put_line(const hd_scaling *scaling, FILE *file, const hd_cube_metric *metric, const hd_scaling_series *series)
{
    const hd_scaling_model *model = &series->model;

    fputc('\t', file);
    hd_write_cell(file, metric->unit, HD_CELL_WHOLE);
    fputc('\t', file);
    if (!isnan(series->growth))
        fprintf(file, "%.17g", series->growth);
    for (uint32_t i = 0; i < scaling->n_runs; i++)
        if (isnan(series->values[i]))
            fputc('\t', file);
        else
            fprintf(file, "\t%.17g", series->values[i]);
    fputc('\t', file);
    hd_write_cell(file, metric->id, HD_CELL_WHOLE);
    if (model->term != NULL)
        fprintf(file, "\t%s\t%.17g\t%.17g\t%.17g", model->term->text, model->constant, model->factor,
                100 * model->error);
    else
        fputs("\t\t\t\t", file);
    for (uint32_t i = 0; i < scaling->n_predicted; i++)
        if (model->term != NULL)
            fprintf(file, "\t%.17g", hd_scaling_model_at(model, scaling->predicted[i]));
        else
            fputc('\t', file);
    fputc('\n', file);
}

static void
put_path_line(const hd_scaling *scaling, FILE *file, const char *kind, uint32_t metric, uint32_t path,
              const hd_scaling_series *series)
{
    char *text = hd_path_text(scaling->model, path, ";");

    fprintf(file, "%s\t%s", kind, text);
    put_line(scaling, file, &scaling->model->metrics[metric], series);
    free(text);
}

/* Of no metric: with empty cells where other lines have growth and model. */
static void
put_efficiency_lines(const hd_scaling *scaling, FILE *file)
{
    const hd_scaling_efficiencies *all = &scaling->efficiencies;

    for (int f = 0; f < HD_N_SCALING_FACTORS && all->reference != HD_NONE; f++) {
        if (!all->has[f])
            continue;
        fprintf(file, "efficiency\t%s\t%s\t", hd_scaling_factor_infos[f].id, hd_scaling_factor_infos[f].unit);
        for (uint32_t i = 0; i < all->n_runs; i++)
            if (isnan(all->values[i][f]))
                fputc('\t', file);
            else
                fprintf(file, "\t%.17g", all->values[i][f]);
        fputs("\t\t\t\t\t", file);
        for (uint32_t i = 0; i < scaling->n_predicted; i++)
            fputc('\t', file);
        fputc('\n', file);
    }
}

hd_status
hd_scaling_print_tsv(const hd_scaling *scaling, FILE *file)
{
    fputs("kind\tname\tunit\tgrowth", file);
    for (uint32_t i = 0; i < scaling->n_runs; i++)
        fprintf(file, "\t%" PRIu32, hd_scaling_size(scaling, i));
    fputs("\tmetric\tterm\tconstant\tfactor\terror", file);
    for (uint32_t i = 0; i < scaling->n_predicted; i++)
        fprintf(file, "\tat %" PRIu32, scaling->predicted[i]);
    fputc('\n', file);
    for (uint32_t i = 0; i < scaling->model->n_metrics; i++) {
        fputs("metric\t", file);
        hd_write_cell(file, scaling->model->metrics[i].id, HD_CELL_WHOLE);
        put_line(scaling, file, &scaling->model->metrics[i], &scaling->metrics[i]);
    }
    for (uint32_t i = 0; scaling->paths != NULL && i < scaling->model->n_paths; i++)
        put_path_line(scaling, file, "path", scaling->time, i, &scaling->paths[i]);
    for (size_t i = 0; i < scaling->n_waits; i++)
        put_path_line(scaling, file, "wait", scaling->waits[i].metric, scaling->waits[i].path,
                      &scaling->waits[i].series);
    put_efficiency_lines(scaling, file);
    return flush(file);
}
