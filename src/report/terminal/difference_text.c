/* src/report/terminal/difference_text.c: words a comparison: wall time, noise between runs, processes that carry a
 * change. */
#include "difference_text.h"

#include <math.h>

#include "count_text.h"
#include "memory.h"
#include "number_ranges.h"
#include "time_text.h"

const char *
hd_difference_value(char *text, const hd_cube_metric *metric, double value, bool in_column)
{
    if (hd_is_time(metric))
        snprintf(text, HD_DIFFERENCE_TEXT, "%s", in_column ? hd_time_column(value).text : hd_time_text_of(value).text);
    else
        snprintf(text, HD_DIFFERENCE_TEXT, "%s", hd_count_text_short(value).text);
    return text;
}

const char *
hd_difference_change(char *text, const hd_cube_metric *metric, const double *of, bool in_column)
{
    double change = of[1] - of[0];
    char   value[HD_DIFFERENCE_TEXT - 1];

    hd_difference_value(value, metric, change, in_column);
    snprintf(text, HD_DIFFERENCE_TEXT, "%s%s", change > 0 ? "+" : "", value);
    return text;
}

const char *
hd_difference_percent(char *text, const double *of)
{
    double percent = hd_percent_changed(of[0], of[1]);

    if (isnan(percent))
        return "";
    if (isinf(percent))
        return "new";
    snprintf(text, HD_DIFFERENCE_TEXT,
             fabs(percent) < 999.95 ? "%+.1f %%" : fabs(percent) < 99999.5 ? "%+.0f %%" : "%+.0e %%", percent);
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

const char *
hd_difference_p(char *text, double p)
{
    if (isnan(p))
        return "";
    if (p < 0.001)
        return "<0.001 *";
    snprintf(text, HD_DIFFERENCE_TEXT, "%.*f%s", p < 0.0995 ? 3 : 2, p, hd_is_significant(p) ? " *" : "  ");
    return text;
}

/* ---- wall time --------------------------------------------------------------------------------------------------- */

char *
hd_difference_wall(const hd_comparison *comparison)
{
    const hd_wall_time *wall = &comparison->wall;
    hd_time_text        a = hd_time_text_of(wall->of[0]), b = hd_time_text_of(wall->of[1]);
    double              factor = wall->of[1] / wall->of[0];

    if (wall->what == NULL)
        return NULL;
    if (strcmp(a.text, b.text) == 0)
        return hd_format("B takes as long as A: %s (%s)", a.text, wall->what);
    return hd_format("B takes %.*f x as long: %s -> %s (%s)",
                     factor < 0.1 ? 4 : factor < 9.995 ? 2 : factor < 99.95 ? 1 : 0, factor, a.text, b.text,
                     wall->what);
}

char *
hd_difference_noise(const hd_comparison *comparison)
{
    hd_runs  a = hd_alignment_runs(comparison->alignment, 0), b = hd_alignment_runs(comparison->alignment, 1);
    hd_welch test = hd_comparison_test(comparison, comparison->wall.of_run);
    char     p[HD_DIFFERENCE_TEXT];

    if (a.n == 1 && b.n == 1)
        return hd_strdup("1 run each: not tested whether a difference is more than noise");
    if (a.n == 1 || b.n == 1)
        return hd_format("%" PRIu32 " run%s of A, %" PRIu32
                         " of B: not tested whether a difference is more than noise, which takes 2 of each", a.n,
                         a.n == 1 ? "" : "s", b.n);
    if (comparison->wall.what == NULL)
        return hd_format("Means of %" PRIu32 " and %" PRIu32 " runs", a.n, b.n);
    snprintf(p, sizeof p, test.p < 0.001 ? "p < 0.001" : "p = %.2g", test.p);
    return hd_format("Means of %" PRIu32 " and %" PRIu32 " runs, standard deviations %s and %s. Welch's t test: %s, "
                     "so the difference is %smore than noise",
                     a.n, b.n, hd_time_text_of(test.deviation[0]).text, hd_time_text_of(test.deviation[1]).text, p,
                     hd_is_significant(test.p) ? "" : "not ");
}

/* ---- processes --------------------------------------------------------------------------------------------------- */

hd_status
hd_difference_carriers(const hd_comparison *comparison, uint32_t metric, uint32_t path, char **text)
{
    const hd_cube   *model   = comparison->model;
    bool             threads = model->n_groups == 1;
    uint32_t         n_all   = threads ? model->n_locations : model->n_groups, n;
    hd_place_change *places  = HD_NEW_ARRAY(hd_place_change, (size_t)n_all + 1);
    uint32_t        *numbers = HD_NEW_ARRAY(uint32_t, (size_t)n_all + 1);
    const char      *noun    = threads ? "thread" : "process", *plural = threads ? "s" : "es";
    size_t           bytes;
    FILE            *out;
    hd_status        status = hd_comparison_carriers(comparison, metric, path, places, &n);

    *text = NULL;
    for (uint32_t i = 0; status == HD_OK && i < n; i++)
        numbers[i] = threads ? model->locations[places[i].number].thread : model->groups[places[i].number].rank;
    if (status == HD_OK && n > 0) {
        out = open_memstream(text, &bytes);
        if (out == NULL)
            hd_fatal("out of memory: the difference cannot be written");
        if (n == n_all)
            fprintf(out, "all %" PRIu32 " %s%s", n, noun, plural);
        else {
            if (n > HD_MAX_RANGES)
                fprintf(out, "%" PRIu32 " of %" PRIu32 " %s%s (", n, n_all, noun, plural);
            else
                fprintf(out, "%s%s ", noun, n == 1 ? "" : plural);
            hd_write_ranges(out, numbers, n);
            fputs(n > HD_MAX_RANGES ? ")" : "", out);
        }
        if (fclose(out) != 0)
            hd_fatal("out of memory: the difference cannot be written");
    }
    free(places);
    free(numbers);
    return status;
}
