/* src/report/terminal/prediction_page.c: a table of hypotheses, steps of the advice and candidates; curves as small
 * pictures beside each other, all on one scale. */
#include "prediction_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "memory.h"
#include "prediction_json.h"
#include "prediction_list.h"
#include "summary_sections.h"
#include "time_text.h"

enum { MAX_CANDIDATES = 10, NUMBER = 10, PERCENT = 8, PROMISE = 13 /* columns */ };
enum { PLOT_COLUMNS = 27, PLOT_LINES = 7, PLOT_LABEL = 10, PLOT = PLOT_LABEL + PLOT_COLUMNS + 3 };

#define LEAST_PERCENT 0.05 /* what is not shown as 0.0 */

typedef struct page {
    FILE                 *file;
    const hd_predictions *predictions;
    hd_name_cuts         *cuts;
    uint32_t              width;
} page;

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static void
print_head(const page *p, const char *what, bool has_promise)
{
    int  columns = (int)p->width - 2 - 2 * NUMBER - PERCENT - (has_promise ? PROMISE : 0);
    bool is_long = (int)strlen(what) > columns;

    if (is_long)
        fprintf(p->file, "  %s\n", what);
    fprintf(p->file, "  %-*s%*s%*s%*s\n", columns > 0 ? columns : 0, is_long ? "" : what, NUMBER,
            "run time", NUMBER, "saved", has_promise ? PERCENT + PROMISE : 0, has_promise ? "delay costs" : "");
}

/* What delay costs promise stands behind what the simulation says. A text that is too long has a line of its own. */
static void
print_row(const page *p, const char *text, double run_time, bool is_recorded, bool has_promise, double promised)
{
    double recorded = p->predictions->recorded, share = hd_share(recorded - run_time, recorded);
    int    columns  = (int)p->width - 2 * NUMBER - PERCENT - (has_promise ? PROMISE : 0);
    char  *escaped  = hd_escaped(text);
    bool   is_long  = (int)hd_text_columns(escaped) + 2 > columns;
    int    n, n_blank; /* at the end */

    hd_time_text time = hd_time_column(run_time);

    if (is_long)
        fprintf(p->file, "  %s\n", hd_name_cut(p->cuts, escaped, p->width - 2));
    hd_fit_text(p->file, p->cuts, 2, is_long ? "" : escaped, columns);
    n       = (int)strlen(time.text);
    n_blank = is_recorded && time.text[n - 1] == ' ' ? 1 : 0;
    fprintf(p->file, "%*.*s", NUMBER - n_blank, n - n_blank, time.text);
    if (!is_recorded)
        fprintf(p->file, "%*s%*.1f %%", NUMBER, hd_time_column(recorded - run_time).text, PERCENT - 2,
                fabs(share) < LEAST_PERCENT ? 0.0 : share);
    if (!is_recorded && has_promise)
        fprintf(p->file, "%*s", PROMISE, isnan(promised) ? "-" : hd_time_text_of(promised).text);
    fputc('\n', p->file);
    free(escaped);
}

static void
print_asked(const page *p)
{
    const hd_predictions *all = p->predictions;
    bool                  any = false;

    for (size_t i = 0; i < all->n; i++) {
        if (all->rows[i].kind != HD_PREDICTION_ASKED)
            continue;
        if (!any) {
            print_head(p, "Hypothesis", false);
            print_row(p, "(recorded)", all->recorded, true, false, NAN);
        }
        any = true;
        print_row(p, all->rows[i].text, all->rows[i].run_time, false, false, NAN);
    }
}

/* ---- advice ------------------------------------------------------------------------------------------------------ */

static void
print_wait(const page *p, const char *when, double waiting, const char *waits_at, double run_time)
{
    double whole = run_time * p->predictions->n_locations;
    char  *escaped;

    if (waits_at == NULL) {
        fprintf(p->file, "  %s no process waits in calls\n", when);
        return;
    }
    escaped = hd_escaped(waits_at);
    fprintf(p->file, "  %s most waiting: %s (%.1f %% of all time) in\n    %s\n", when,
            hd_time_text_of(waiting).text, hd_share(waiting, whole), hd_name_cut(p->cuts, escaped, p->width - 4));
    free(escaped);
}

static size_t
count(const hd_predictions *all, hd_prediction_kind kind)
{
    size_t n = 0;

    for (size_t i = 0; i < all->n; i++)
        n += all->rows[i].kind == kind;
    return n;
}

static void
print_steps(const page *p)
{
    const hd_predictions *all  = p->predictions;
    const hd_prediction  *last = NULL;

    print_head(p, "Advice, each with those above", true);
    print_row(p, "(recorded)", all->recorded, true, true, NAN);
    for (size_t i = 0; i < all->n; i++)
        if (all->rows[i].kind == HD_PREDICTION_STEP) {
            last = &all->rows[i];
            print_row(p, last->text, last->run_time, false, true, last->promised);
        }
    if (last == NULL)
        fputs("  none: no balanced region and no barrier left out saves 1 % of the run time\n", p->file);
    print_wait(p, "recorded:", all->waiting, all->waits_at, all->recorded);
    if (last != NULL)
        print_wait(p, "then:", last->waiting, last->waits_at, last->run_time);
}

/* Whether a row is a candidate that saves something. */
static bool
is_candidate(const hd_predictions *all, const hd_prediction *row)
{
    return (row->kind == HD_PREDICTION_CANDIDATE || row->kind == HD_PREDICTION_BOUND) &&
           hd_share(all->recorded - row->run_time, all->recorded) >= LEAST_PERCENT;
}

static void
print_candidates(const page *p)
{
    const hd_predictions *all = p->predictions;
    size_t                n   = 0, n_all = count(all, HD_PREDICTION_CANDIDATE) + count(all, HD_PREDICTION_BOUND);
    bool                  any = false;

    for (size_t i = 0; i < all->n; i++)
        any |= is_candidate(all, &all->rows[i]);
    if (!any) {
        if (n_all > 0)
            fprintf(p->file, "\n  Each alone: none of %zu saves %g %% of the run time (--json has them)\n", n_all, LEAST_PERCENT);
        return;
    }
    fputc('\n', p->file);
    print_head(p, "Each alone", true);
    for (size_t i = 0; i < all->n && n < MAX_CANDIDATES; i++) {
        const hd_prediction *row = &all->rows[i];
        char                *text;

        if (!is_candidate(all, row))
            continue;
        n++;
        text = hd_format("%s%s", row->text, row->kind == HD_PREDICTION_BOUND ? " (bound)" : "");
        print_row(p, text, row->run_time, false, true, row->promised);
        free(text);
    }
    if (n < n_all)
        fprintf(p->file, "  (%zu more, which save less: --json)\n", n_all - n);
}

/* ---- curves ------------------------------------------------------------------------------------------------------ */

/* The run time with a share removed, between points on straight lines. */
static double
value_at(const hd_curve *curve, double share)
{
    uint32_t i = 1;
    double   from, to;

    while (i < HD_CURVE_POINTS - 1 && share > hd_curve_shares[i])
        i++;
    from = hd_curve_shares[i - 1];
    to   = hd_curve_shares[i];
    return curve->run_time[i - 1] + (curve->run_time[i] - curve->run_time[i - 1]) * (share - from) / (to - from);
}

static bool
is_point(uint32_t column)
{
    for (size_t i = 0; i < HD_CURVE_POINTS; i++)
        if ((uint32_t)lround(hd_curve_shares[i] * (PLOT_COLUMNS - 1) / 100.0) == column)
            return true;
    return false;
}

/* A line of plots, which are cells of one width. */
typedef struct plot_line {
    char  *text;
    size_t bytes;
    FILE  *out;
} plot_line;

static void
begin_line(plot_line *line)
{
    *line     = (plot_line){ 0 };
    line->out = open_memstream(&line->text, &line->bytes);
    if (line->out == NULL)
        hd_fatal("out of memory: a curve cannot be drawn");
}

/* Without blanks at its end; empty ones not at all. */
static void
end_line(const page *p, plot_line *line)
{
    size_t n;

    if (fclose(line->out) != 0)
        hd_fatal("out of memory: a curve cannot be drawn");
    for (n = line->bytes; n > 0 && line->text[n - 1] == ' ';)
        n--;
    if (n > 0)
        fprintf(p->file, "%.*s\n", (int)n, line->text);
    free(line->text);
}

static void
put_plot_line(FILE *out, const hd_curve *curve, uint32_t line, double least, double most)
{
    hd_time_text label = hd_time_text_of(line == 0 ? most : least);
    char         text[PLOT_COLUMNS + 1];

    for (uint32_t c = 0; c < PLOT_COLUMNS; c++) {
        double   share = 100.0 * c / (PLOT_COLUMNS - 1);
        uint32_t at    = (uint32_t)lround((most - value_at(curve, share)) / (most - least) * (PLOT_LINES - 1));

        text[c] = (char)(at != line ? ' ' : is_point(c) ? '*' : '.');
    }
    text[PLOT_COLUMNS] = '\0';
    fprintf(out, "%*s |%s ", PLOT_LABEL, line == 0 || line == PLOT_LINES - 1 ? label.text : "", text);
}

static void
put_cell(const page *p, FILE *out, const char *text)
{
    char *escaped = hd_escaped(text);

    fputs("  ", out);
    hd_fit_text(out, p->cuts, 0, escaped, PLOT - 3);
    fputc(' ', out);
    free(escaped);
}

static void
put_next(const page *p, FILE *out, const hd_curve *curve)
{
    char *text = hd_curve_flat_text(curve);

    put_cell(p, out, text != NULL ? text : "");
    free(text);
}

static void
print_plots(const page *p, const hd_curve *curves, size_t n, double least, double most)
{
    plot_line line;

    begin_line(&line);
    for (size_t i = 0; i < n; i++)
        put_cell(p, line.out, curves[i].text);
    end_line(p, &line);
    for (uint32_t l = 0; l < PLOT_LINES; l++) {
        begin_line(&line);
        for (size_t i = 0; i < n; i++)
            put_plot_line(line.out, &curves[i], l, least, most);
        end_line(p, &line);
    }
    begin_line(&line);
    for (size_t i = 0; i < n; i++)
        fprintf(line.out, "%*s 0 %%%*s ", PLOT_LABEL, "", PLOT_COLUMNS - 2, "removed  100 %");
    end_line(p, &line);
    begin_line(&line);
    for (size_t i = 0; i < n; i++)
        put_next(p, line.out, &curves[i]);
    end_line(p, &line);
}

static void
print_curves(const page *p)
{
    const hd_predictions *all   = p->predictions;
    double                least, most;
    size_t                each = p->width >= 2 * PLOT ? p->width / PLOT : 1;

    hd_predictions_range(all, &least, &most);
    fputs("  Run time when computation is removed\n", p->file);
    for (size_t i = 0; i < all->n_curves; i += each) {
        fputc('\n', p->file);
        print_plots(p, &all->curves[i], all->n_curves - i < each ? all->n_curves - i : each, least, most);
    }
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

void
hd_predictions_print(FILE *file, const hd_predictions *predictions, const hd_summary_options *options,
                     hd_name_cuts *cuts, bool with_asked)
{
    page p = { .file = file, .predictions = predictions, .cuts = cuts, .width = hd_summary_width(options->width) };
    bool has_advice = count(predictions, HD_PREDICTION_ASKED) < predictions->n;

    if (with_asked)
        print_asked(&p);
    if (has_advice) {
        if (with_asked && count(predictions, HD_PREDICTION_ASKED) > 0)
            fputc('\n', file);
        print_steps(&p);
        print_candidates(&p);
    }
    if (predictions->n_curves > 0) {
        if (has_advice || (with_asked && count(predictions, HD_PREDICTION_ASKED) > 0))
            fputc('\n', file);
        print_curves(&p);
    }
}

/* The section "Predictions": what heddle analyze --simulate found. */
hd_status
hd_section_predictions(hd_summary_page *summary)
{
    hd_predictions predictions;
    bool           is_there;
    hd_status      status = hd_predictions_read(summary->cube, &predictions, &is_there);

    if (status != HD_OK || !is_there)
        return status;
    if (summary->json != NULL)
        hd_json_predictions(summary->json, summary->key, &predictions);
    else
        hd_predictions_print(summary->file, &predictions, &summary->options, summary->cuts, true);
    hd_predictions_fini(&predictions);
    return HD_OK;
}
