/* topology/picture_cairo.c: PNG and SVG output of a view, with cairo. Layout is the same for both, in pixels. */
#include "picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cairo_file.h"

/* Sizes in points of the drawing, which are pixels of a PNG. */
enum { MARGIN = 16, LINE = 18, FONT = 12, LEGEND = 150, BAR = 18, TEXT_MAX = 400, MAX_CELLS = 8192, CELLS_WIDTH = 768 };
enum { ROWS_HEIGHT = 512 /* of a picture over time */ };
enum { LEGEND_STEPS = 64, LEGEND_NUMBERS = 5, MIN_NUMBERED = 16 };

typedef struct drawing {
    const hd_picture *picture;
    hd_grid           grid; /* as it is shown */
    hd_grid_range     range;
    uint32_t          k; /* a cell is k x k places */
    const hd_cairo_calls *calls;
    cairo_t          *cairo;
    double            cell, row;                 /* width and height of a cell */
    double            gap, left, top, width, height; /* of the picture of all */
} drawing;

static double
place_of(const drawing *d, const hd_view_axis *axis, uint32_t place)
{
    const hd_view *view = d->picture->view;
    double         cell = axis == &view->down ? d->row : d->cell;

    if (d->k > 1 || axis->n < 2)
        return place * cell;
    return place * cell + d->gap * (place / view->dimensions[axis->dimensions[axis->n - 1]].size);
}

static void
text_at(const drawing *d, double x, double y, const char *text)
{
    d->calls->cairo_set_source_rgb(d->cairo, 0.1, 0.1, 0.1);
    d->calls->cairo_move_to(d->cairo, x, y);
    d->calls->cairo_show_text(d->cairo, text);
}

static void
draw_cells(const drawing *d)
{
    const hd_view *view = d->picture->view;

    d->calls->cairo_set_antialias(d->cairo, CAIRO_ANTIALIAS_NONE);
    for (uint32_t row = 0; row < d->grid.rows; row++)
        for (uint32_t column = 0; column < d->grid.columns; column++) {
            size_t cell = (size_t)row * d->grid.columns + column;
            double rgb[3];

            if (d->grid.counts[cell] == 0 || !isfinite(d->grid.values[cell]))
                continue;
            hd_picture_colour(hd_picture_share(&d->range, d->grid.values[cell]), rgb);
            d->calls->cairo_set_source_rgb(d->cairo, rgb[0], rgb[1], rgb[2]);
            d->calls->cairo_rectangle(d->cairo, d->left + place_of(d, &view->across, column),
                            d->top + place_of(d, &view->down, row), d->cell,
                            d->row);
            d->calls->cairo_fill(d->cairo);
        }
    d->calls->cairo_set_antialias(d->cairo, CAIRO_ANTIALIAS_DEFAULT);
}

/* Along an axis, every one where there is room, else the first and the last one of each block. */
static void
draw_numbers(const drawing *d, const hd_view_axis *axis, bool is_across, uint32_t n)
{
    const hd_view *view = d->picture->view;
    uint32_t       fast = axis->n > 0 && d->k == 1 ? view->dimensions[axis->dimensions[axis->n - 1]].size : n;
    double         size = is_across ? d->cell : d->row;

    for (uint32_t i = 0; i < n; i++) {
        char   text[16];
        double at = place_of(d, axis, i);

        if (size < MIN_NUMBERED && i % fast != 0 && (i % fast != fast - 1 || fast * size < 4 * MIN_NUMBERED))
            continue;
        snprintf(text, sizeof text, "%" PRIu32, d->k == 1 || axis->n == 1 ?
                 hd_view_number(view, axis, axis->n - 1, i * d->k) : i * d->k);
        if (is_across)
            text_at(d, d->left + at, d->top - 4, text);
        else
            text_at(d, MARGIN, d->top + at + (size > FONT ? size / 2 + FONT / 2 - 2 : FONT - 2), text);
    }
}

/* All values in one colour have one number beside it. */
static void
draw_legend(const drawing *d)
{
    bool   is_one  = !(d->range.least < d->range.most);
    int    n_steps = is_one ? 1 : LEGEND_STEPS, n_numbers = is_one ? 1 : LEGEND_NUMBERS;
    double x = d->left + d->width + MARGIN, height = d->height > 8 * LINE ? d->height : 8 * LINE;

    if (height > 20 * LINE)
        height = 20 * LINE;
    height = is_one ? LINE : height;
    for (int i = 0; i < n_steps; i++) {
        double rgb[3];

        hd_picture_colour(is_one ? hd_picture_share(&d->range, d->range.least) : (i + 0.5) / n_steps, rgb);
        d->calls->cairo_set_source_rgb(d->cairo, rgb[0], rgb[1], rgb[2]);
        d->calls->cairo_rectangle(d->cairo, x, d->top + height * (n_steps - 1 - i) / n_steps, BAR,
                        height / n_steps + 1);
        d->calls->cairo_fill(d->cairo);
    }
    for (int i = 0; i < n_numbers; i++) {
        double share = is_one ? 0.5 : (double)i / (n_numbers - 1);
        char  *text  = hd_picture_value(d->picture, d->range.least + share * (d->range.most - d->range.least));

        text_at(d, x + BAR + 6, d->top + height * (1 - share) + FONT / 3.0, text);
        free(text);
    }
}

/* Of the three lines of text above, about. */
static double
width_of_texts(const hd_picture *picture)
{
    char  *axes = hd_picture_axes(picture);
    size_t n    = strlen(axes);

    n = strlen(picture->title) > n ? strlen(picture->title) : n;
    n = strlen(picture->view->name) > n ? strlen(picture->view->name) : n;
    free(axes);
    return (double)(n < TEXT_MAX ? n : TEXT_MAX) * FONT * 0.6;
}

static void
draw_all(const hd_cairo_calls *calls, cairo_t *cairo, void *context)
{
    drawing *d    = context;
    char    *axes = hd_picture_axes(d->picture);

    d->calls = calls;
    d->cairo = cairo;
    d->calls->cairo_set_source_rgb(d->cairo, 1, 1, 1);
    d->calls->cairo_paint(d->cairo);
    d->calls->cairo_select_font_face(d->cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    d->calls->cairo_set_font_size(d->cairo, FONT);
    text_at(d, MARGIN, MARGIN + FONT, d->picture->title);
    text_at(d, MARGIN, MARGIN + FONT + LINE, d->picture->view->name);
    text_at(d, MARGIN, MARGIN + FONT + 2 * LINE, axes);
    free(axes);
    draw_cells(d);
    if (d->picture->view->across.n > 0)
        draw_numbers(d, &d->picture->view->across, true, d->grid.columns);
    if (d->picture->view->down.n > 0)
        draw_numbers(d, &d->picture->view->down, false, d->grid.rows);
    if (d->range.n > 0)
        draw_legend(d);
}

hd_status
hd_picture_draw(const hd_picture *picture, const char *path, hd_picture_kind kind)
{
    uint32_t         larger = picture->grid->columns > picture->grid->rows ? picture->grid->columns :
                              picture->grid->rows;
    drawing          d      = { .picture = picture, .k = (larger - 1) / MAX_CELLS + 1, .left = MARGIN + 4 * FONT };
    double           width, height;
    hd_status        status;

    hd_grid_shrink(picture->grid, d.k, &d.grid);
    hd_grid_find_range(&d.grid, &d.range);
    d.cell   = CELLS_WIDTH / (larger / d.k + 1);
    d.cell   = d.cell > 32 ? 32 : d.cell < 1 ? 1 : (double)(int)d.cell;
    d.row    = d.cell;
    if (picture->is_over_time && d.cell < MIN_NUMBERED && ROWS_HEIGHT / d.grid.rows > d.cell)
        d.row = ROWS_HEIGHT / d.grid.rows > MIN_NUMBERED ? MIN_NUMBERED : (double)(ROWS_HEIGHT / d.grid.rows);
    d.gap    = d.cell > 4 ? 4 : d.cell;
    d.top    = MARGIN + 4 * LINE + FONT;
    d.width  = place_of(&d, &picture->view->across, d.grid.columns - 1) + d.cell;
    d.height = place_of(&d, &picture->view->down, d.grid.rows - 1) + d.row;
    width    = d.left + d.width + MARGIN + BAR + LEGEND;
    height   = d.top + (d.height > 9 * LINE ? d.height : 9 * LINE) + MARGIN;
    width    = width < 2 * MARGIN + width_of_texts(picture) ? 2 * MARGIN + width_of_texts(picture) : width;
    status   = hd_cairo_file_draw(path, kind, width, height, draw_all, &d);
    hd_grid_fini(&d.grid);
    return status;
}
