/* topology/line_chart.c: layout and drawing, in pixels. */
#include "line_chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cairo_file.h"
#include "memory.h"

enum { WIDTH = 860, HEIGHT = 460, LEFT = 64, RIGHT = 240, TOP = 48, BOTTOM = 56, FONT = 12, APART = 15 };

#define POINT 3.5 /* radius */
#define CAP   4.0 /* half of the width of marks at their ends */

/* Told apart without seeing colours by the names at their ends. */
static const double colours[][3] = { { 0.12, 0.44, 0.70 }, { 0.77, 0.34, 0.04 }, { 0.14, 0.47, 0.36 },
                                     { 0.64, 0.20, 0.49 }, { 0.48, 0.38, 0.00 }, { 0.35, 0.31, 0.69 },
                                     { 0.69, 0.16, 0.22 }, { 0.29, 0.33, 0.38 } };

typedef struct drawing {
    const hd_line_chart  *chart;
    uint32_t             *firsts; /* [n_sizes + 1] the first index of each size */
    uint32_t              n_sizes;
    const hd_cairo_calls *calls;
    cairo_t              *cairo;
    double                most; /* the top of the axis, a part of 1 */
    double                step; /* between its labels */
} drawing;

hd_chart_point
hd_chart_point_of(const double *values, uint32_t n)
{
    double  *known = HD_NEW_ARRAY(double, (size_t)n + 1);
    uint32_t m     = 0;
    hd_chart_point point = { NAN, NAN, NAN };

    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = m;

        if (isnan(values[i]))
            continue;
        for (; at > 0 && known[at - 1] > values[i]; at--)
            known[at] = known[at - 1];
        known[at] = values[i];
        m++;
    }
    if (m > 0)
        point = (hd_chart_point){ (known[(m - 1) / 2] + known[m / 2]) / 2, known[0], known[m - 1] };
    free(known);
    return point;
}

/* Of a line at a size. */
static hd_chart_point
point_of(const drawing *d, const hd_chart_line *line, uint32_t size)
{
    return hd_chart_point_of(line->values + d->firsts[size], d->firsts[size + 1] - d->firsts[size]);
}

static double
x_of(const drawing *d, uint32_t size)
{
    double first = log2(d->chart->sizes[0]), last = log2(d->chart->sizes[d->chart->n - 1]);
    double width = WIDTH - LEFT - RIGHT;

    return LEFT + (last > first ? width * (log2(size) - first) / (last - first) : width / 2);
}

static double
y_of(const drawing *d, double value)
{
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / d->most);
}

static void
set_ink(const drawing *d, double grey)
{
    d->calls->cairo_set_source_rgb(d->cairo, grey, grey, grey);
}

static void
text_at(const drawing *d, double x, double y, const char *text)
{
    d->calls->cairo_move_to(d->cairo, x, y);
    d->calls->cairo_show_text(d->cairo, text);
}

static void
line_to(const drawing *d, double x1, double y1, double x2, double y2)
{
    d->calls->cairo_move_to(d->cairo, x1, y1);
    d->calls->cairo_line_to(d->cairo, x2, y2);
    d->calls->cairo_stroke(d->cairo);
}

/* 1, 2 or 5 times a power of 10, at most 10 of which are below. */
static double
step_of(double most)
{
    double power = pow(10, floor(log10(most / 5))), rest = most / 5 / power;

    return most <= 2 ? 0.2 : power * (rest <= 1 ? 1 : rest <= 2 ? 2 : rest <= 5 ? 5 : 10);
}

static void
draw_axes(const drawing *d)
{
    char text[32];

    d->calls->cairo_set_line_width(d->cairo, 1);
    for (uint32_t i = 0; i * d->step <= d->most * 1.0001; i++) {
        double at = i * d->step;

        set_ink(d, 0.85);
        line_to(d, LEFT, y_of(d, at), WIDTH - RIGHT, y_of(d, at));
        set_ink(d, 0.25);
        snprintf(text, sizeof text, "%4.0f %%", 100 * at);
        text_at(d, LEFT - 48, y_of(d, at) + FONT / 3.0, text);
    }
    for (uint32_t i = 0; i < d->n_sizes; i++) {
        uint32_t size = d->chart->sizes[d->firsts[i]];

        set_ink(d, 0.85);
        line_to(d, x_of(d, size), TOP, x_of(d, size), HEIGHT - BOTTOM + 4);
        set_ink(d, 0.25);
        snprintf(text, sizeof text, "%" PRIu32, size);
        text_at(d, x_of(d, size) - 4, HEIGHT - BOTTOM + 20, text);
    }
    text_at(d, LEFT, HEIGHT - 16, d->chart->across);
    if (d->n_sizes < d->chart->n)
        text_at(d, LEFT + 100, HEIGHT - 16, "several runs of one size: their median, and marks from lowest to highest");
}

static void
draw_point(const drawing *d, double x, const hd_chart_point *point)
{
    double low = y_of(d, point->low), high = y_of(d, point->high);

    d->calls->cairo_arc(d->cairo, x, y_of(d, point->median), POINT, 0, 2 * acos(-1));
    d->calls->cairo_fill(d->cairo);
    if (!(point->high > point->low))
        return;
    line_to(d, x, low, x, high);
    line_to(d, x - CAP, low, x + CAP, low);
    line_to(d, x - CAP, high, x + CAP, high);
}

static void
draw_line(const drawing *d, uint32_t line)
{
    const hd_line_chart *chart  = d->chart;
    const double        *colour = colours[line % (sizeof colours / sizeof *colours)];
    bool                 any    = false;

    d->calls->cairo_set_source_rgb(d->cairo, colour[0], colour[1], colour[2]);
    d->calls->cairo_set_line_width(d->cairo, 2);
    for (uint32_t i = 0; i < d->n_sizes; i++) {
        hd_chart_point point = point_of(d, &chart->lines[line], i);

        if (isnan(point.median))
            continue;
        (any ? d->calls->cairo_line_to : d->calls->cairo_move_to)(d->cairo, x_of(d, chart->sizes[d->firsts[i]]),
                                                                  y_of(d, point.median));
        any = true;
    }
    d->calls->cairo_stroke(d->cairo);
    d->calls->cairo_set_line_width(d->cairo, 1);
    for (uint32_t i = 0; i < d->n_sizes; i++) {
        hd_chart_point point = point_of(d, &chart->lines[line], i);

        if (!isnan(point.median))
            draw_point(d, x_of(d, chart->sizes[d->firsts[i]]), &point);
    }
}

static double
last_of(const drawing *d, uint32_t line)
{
    double last = NAN;

    for (uint32_t i = d->n_sizes; i-- > 0 && isnan(last);)
        last = point_of(d, &d->chart->lines[line], i).median;
    return last;
}

/* Names stand at the ends of lines, the highest first, each below the one before. */
static void
draw_names(const drawing *d)
{
    uint32_t *order = HD_NEW_ARRAY(uint32_t, (size_t)d->chart->n_lines + 1), n = 0;
    double    y     = TOP - APART;

    for (uint32_t line = 0; line < d->chart->n_lines; line++) {
        double   end = last_of(d, line);
        uint32_t at  = n;

        if (isnan(end))
            continue;
        for (; at > 0 && last_of(d, order[at - 1]) < end; at--)
            order[at] = order[at - 1];
        order[at] = line;
        n++;
    }
    for (uint32_t i = 0; i < n; i++) {
        const hd_chart_line *line    = &d->chart->lines[order[i]];
        const double        *colour  = colours[order[i] % (sizeof colours / sizeof *colours)];
        double               lowest  = HEIGHT - BOTTOM - APART * (double)(n - 1 - i); /* leaves room for the rest */
        double               natural = y_of(d, last_of(d, order[i]));

        y = natural < y + APART ? y + APART : natural;
        y = y > lowest ? lowest : y;
        d->calls->cairo_set_source_rgb(d->cairo, colour[0], colour[1], colour[2]);
        d->calls->cairo_set_line_width(d->cairo, 1);
        line_to(d, WIDTH - RIGHT + 5, natural, WIDTH - RIGHT + 16, y);
        text_at(d, WIDTH - RIGHT + 20, y + FONT / 3.0, line->name);
    }
    free(order);
}

static void
draw_all(const hd_cairo_calls *calls, cairo_t *cairo, void *context)
{
    drawing *d = context;

    d->calls = calls;
    d->cairo = cairo;
    calls->cairo_set_source_rgb(cairo, 1, 1, 1);
    calls->cairo_paint(cairo);
    calls->cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    calls->cairo_set_font_size(cairo, FONT);
    set_ink(d, 0.1);
    text_at(d, LEFT, TOP - 22, d->chart->title);
    draw_axes(d);
    for (uint32_t line = 0; line < d->chart->n_lines; line++)
        draw_line(d, line);
    draw_names(d);
}

hd_status
hd_line_chart_draw(const hd_line_chart *chart, const char *path, hd_picture_kind kind)
{
    drawing   d = { .chart = chart, .most = 1, .firsts = HD_NEW_ARRAY(uint32_t, (size_t)chart->n + 1) };
    hd_status status;

    for (uint32_t i = 0; i < chart->n; i++)
        if (i == 0 || chart->sizes[i] != chart->sizes[i - 1])
            d.firsts[d.n_sizes++] = i;
    d.firsts[d.n_sizes] = chart->n;
    for (uint32_t line = 0; line < chart->n_lines; line++)
        for (uint32_t i = 0; i < chart->n; i++)
            if (chart->lines[line].values[i] > d.most)
                d.most = chart->lines[line].values[i];
    d.step = step_of(d.most);
    d.most = ceil(d.most / d.step - 1e-9) * d.step;
    status = hd_cairo_file_draw(path, kind, WIDTH, HEIGHT, draw_all, &d);
    free(d.firsts);
    return status;
}
