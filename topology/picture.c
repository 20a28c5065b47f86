/* topology/picture.c: text output of a view, and what both outputs share: colours, axes, labels. A picture with too
 * many cells is shrunk by a whole factor: each cell is the mean of the places that it stands for. */
#include "picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "count_text.h"
#include "memory.h"
#include "time_text.h"

enum { CELL_COLUMNS = 2, NUMBER_EVERY = 5, FEW = 10, MAX_CELLS = 1 << 20 };

static const uint8_t viridis[][3] = {
    { 68, 1, 84 }, { 72, 40, 120 }, { 62, 74, 137 }, { 49, 104, 142 }, { 38, 130, 142 },
    { 31, 158, 137 }, { 53, 183, 121 }, { 109, 205, 89 }, { 180, 222, 44 }, { 253, 231, 37 },
};
enum { N_COLOURS = sizeof viridis / sizeof *viridis };

void
hd_picture_colour(double share, double rgb[3])
{
    double   at    = share * (N_COLOURS - 1);
    unsigned below = at >= N_COLOURS - 1 ? N_COLOURS - 2 : at > 0 ? (unsigned)at : 0;

    for (int i = 0; i < 3; i++)
        rgb[i] = (viridis[below][i] + (at - below) * (viridis[below + 1][i] - viridis[below][i])) / 255;
}

double
hd_picture_share(const hd_grid_range *range, double value)
{
    double size  = range->most / 2 - range->least / 2; /* halves: the difference may be too large for a number */
    double share = size > 0 ? (value / 2 - range->least / 2) / size : 0;

    return !(share > 0) ? 0 : share > 1 ? 1 : share;
}

/* Names may hold anything: control characters, those of two bytes too, become '?'. */
static void
tame(char *text)
{
    for (unsigned char *c = (unsigned char *)text; *c != '\0'; c++) {
        if (c[0] == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0)
            c[0] = c[1] = '?';
        if (*c < ' ' || *c == 127)
            *c = '?';
    }
}

static char *
append(char *text, const char *more)
{
    char *both = hd_format("%s%s", text, more);

    tame(both);
    free(text);
    return both;
}

char *
hd_picture_value(const hd_picture *picture, double value)
{
    const char *blank = *picture->unit != '\0' ? " " : "";
    char       *text;

    if (strcmp(picture->unit, "s") == 0 && !picture->is_integer)
        text = hd_strdup(hd_time_text_of(value).text);
    else if (picture->is_integer || (strcmp(picture->unit, "bytes") == 0 && fabs(value) >= 1000))
        text = hd_format("%s%s%s", hd_count_text_rounded(value).text, blank, picture->unit);
    else
        text = hd_format("%.6g%s%s", value, blank, picture->unit);

    tame(text);
    return text;
}

static char *
append_number(char *text, const char *sign, uint64_t number)
{
    char *digits = hd_format("%s%" PRIu64, sign, number);
    char *both   = append(text, digits);

    free(digits);
    return both;
}

static char *
append_place(char *text, const hd_picture *picture, const hd_view_axis *axis, uint32_t place)
{
    for (uint32_t i = 0; i < axis->n; i++) {
        text = append(text, *text != '\0' ? " " : "");
        text = append(text, picture->view->dimensions[axis->dimensions[i]].name);
        text = append_number(text, "=", hd_view_number(picture->view, axis, i, place));
    }
    return text;
}

char *
hd_picture_place(const hd_picture *picture, uint64_t cell)
{
    char *text = append_place(hd_strdup(""), picture, &picture->view->across,
                              (uint32_t)(cell % picture->grid->columns));

    return append_place(text, picture, &picture->view->down, (uint32_t)(cell / picture->grid->columns));
}

static char *
append_axis(char *text, const hd_picture *picture, const char *what, const hd_view_axis *axis)
{
    if (axis->n > 0)
        text = append(append(text, *text != '\0' ? "   " : ""), what);
    for (uint32_t i = 0; i < axis->n; i++) {
        const hd_view_dimension *dimension = &picture->view->dimensions[axis->dimensions[i]];

        text = append(append(text, i > 0 ? ", " : " "), dimension->name);
        text = append(append_number(text, " (", dimension->size), dimension->is_periodic ? ", periodic)" : ")");
    }
    return text;
}

static bool
is_on(const hd_view_axis *axis, uint32_t dimension)
{
    for (uint32_t i = 0; i < axis->n; i++)
        if (axis->dimensions[i] == dimension)
            return true;
    return false;
}

char *
hd_picture_axes(const hd_picture *picture)
{
    const hd_view *view = picture->view;
    char          *text = append_axis(hd_strdup(""), picture, "across:", &view->across);
    bool           any  = false;

    text = append_axis(text, picture, "down:", &view->down);
    for (uint32_t i = 0; i < view->n_dimensions; i++)
        if (view->held[i] != HD_NONE) {
            text = append(append(text, any ? ", " : "   at "), view->dimensions[i].name);
            text = append_number(text, "=", view->held[i]);
            any  = true;
        }
    any = false;
    for (uint32_t i = 0; i < view->n_dimensions; i++)
        if (view->held[i] == HD_NONE && !is_on(&view->across, i) && !is_on(&view->down, i)) {
            text = append(append(text, any ? ", " : "   summed up over "), view->dimensions[i].name);
            any  = true;
        }
    return text;
}

void
hd_grid_shrink(const hd_grid *grid, uint32_t k, hd_grid *small)
{
    size_t n;

    *small = (hd_grid){ .columns = (grid->columns - 1) / k + 1, .rows = (grid->rows - 1) / k + 1 };
    n      = (size_t)small->columns * small->rows;
    small->values = HD_NEW_ARRAY(double, n);
    small->counts = HD_NEW_ARRAY(uint32_t, n);
    for (uint32_t row = 0; row < grid->rows; row++)
        for (uint32_t column = 0; column < grid->columns; column++) {
            size_t cell = (size_t)row * grid->columns + column;

            if (grid->counts[cell] > 0)
                hd_grid_add(small, column / k, row / k, grid->values[cell]);
        }
    for (size_t i = 0; i < n; i++)
        if (small->counts[i] > 0)
            small->values[i] /= small->counts[i];
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

/* The nearest of the 6 x 6 x 6 colours that terminals of 256 have. */
static void
put_colour(FILE *file, double share)
{
    unsigned number = 0;
    double   rgb[3];

    hd_picture_colour(share, rgb);
    for (int i = 0; i < 3; i++)
        number = number * 6 + (unsigned)(rgb[i] * 5 + 0.5);
    fprintf(file, "\033[48;5;%um", 16 + number);
}

static void
put_cell(FILE *file, bool has_colour, double share)
{
    unsigned tenth = share >= 1 ? 9 : (unsigned)(share * 10);

    if (!has_colour) {
        fprintf(file, "%u", tenth);
        return;
    }
    put_colour(file, share);
    fputs("  \033[0m", file);
}

typedef struct text_page {
    const hd_picture *picture;
    FILE             *file;
    hd_grid           grid; /* as it is shown */
    hd_grid_range     range;
    uint32_t          k;     /* a cell is k x k places */
    int               label; /* columns of the labels of rows */
    bool              has_colour, is_narrow;
} text_page;

static int
digits_of(uint32_t number)
{
    int n = 1;

    for (; number > 9; number /= 10)
        n++;
    return n;
}

static uint32_t
n_gaps(const hd_view *view, const hd_view_axis *axis)
{
    return axis->n > 1 ? axis->size / view->dimensions[axis->dimensions[axis->n - 1]].size - 1 : 0;
}

/* Where the fastest dimension of an axis is at a place; with k > 1, of several dimensions, the place itself. */
static uint32_t
fastest(const text_page *page, const hd_view_axis *axis, uint32_t place)
{
    if (axis->n == 0 || (page->k > 1 && axis->n > 1))
        return place * page->k;
    return hd_view_number(page->picture->view, axis, axis->n - 1, place * page->k);
}

/* Whether it is one of those that have their numbers, where not all have: the first one, then round numbers, or those
 * as many places apart. */
static bool
is_numbered(const text_page *page, const hd_view_axis *axis, uint32_t place)
{
    bool is_counted = page->k == 1 && axis->n > 0 &&
                      page->picture->view->dimensions[axis->dimensions[axis->n - 1]].step <= 1;

    return place == 0 || (is_counted ? fastest(page, axis, place) : place) % NUMBER_EVERY == 0;
}

static uint32_t
numbers_of(const text_page *page, const hd_view_axis *axis) /* of fastest() */
{
    return page->k > 1 || axis->n == 0 ? axis->size :
           page->picture->view->dimensions[axis->dimensions[axis->n - 1]].size;
}

/* Numbers of several digits reach into the cells after them; one that would touch another is left out. */
static void
put_column_numbers(const text_page *page)
{
    const hd_view_axis *across = &page->picture->view->across;
    bool                each   = page->k == 1 && numbers_of(page, across) <= FEW;
    uint64_t            cell = 0, at = 0; /* columns of the current cell, and of what is printed */

    fprintf(page->file, "  %*s  ", page->label, "");
    for (uint32_t column = 0; column < page->grid.columns; column++, cell += CELL_COLUMNS) {
        uint32_t number = fastest(page, across, column);

        cell += page->k == 1 && hd_view_is_gap(page->picture->view, across, column);
        if ((each || is_numbered(page, across, column)) && (at == 0 || cell > at))
            at += (uint64_t)fprintf(page->file, "%*s%" PRIu32, (int)(cell - at), "", number);
    }
    fputc('\n', page->file);
}

static void
put_block_head(const text_page *page, const hd_view_axis *axis, uint32_t place)
{
    const hd_view *view = page->picture->view;

    char          *text = hd_strdup("");

    for (uint32_t i = 0; i + 1 < axis->n; i++) {
        text = append(append(text, i > 0 ? " " : ""), view->dimensions[axis->dimensions[i]].name);
        text = append_number(text, "=", hd_view_number(view, axis, i, place));
    }
    fprintf(page->file, "  %s\n", text);
    free(text);
}

static void
put_row(const text_page *page, uint32_t row)
{
    const hd_view *view    = page->picture->view;
    int            n_blank = 0; /* before the next cell that is not empty, so that no line ends with blanks */

    if (page->k == 1 && view->down.n > 1 && (row == 0 || hd_view_is_gap(view, &view->down, row)))
        put_block_head(page, &view->down, row);
    if (view->down.n > 0)
        fprintf(page->file, "  %*" PRIu32, page->label, fastest(page, &view->down, row));
    else
        n_blank = 2 + page->label;
    n_blank += 2;
    for (uint32_t column = 0; column < page->grid.columns; column++) {
        size_t cell = (size_t)row * page->grid.columns + column;

        if (page->k == 1 && hd_view_is_gap(view, &view->across, column))
            n_blank++;
        if (page->grid.counts[cell] == 0) {
            n_blank += CELL_COLUMNS;
            continue;
        }
        fprintf(page->file, "%*s", n_blank, "");
        n_blank = page->has_colour && isfinite(page->grid.values[cell]) ? 0 : 1;
        if (!isfinite(page->grid.values[cell]))
            fputc('?', page->file);
        else
            put_cell(page->file, page->has_colour, hd_picture_share(&page->range, page->grid.values[cell]));
    }
    fputc('\n', page->file);
}

static bool
is_empty(const hd_grid *grid, uint32_t row)
{
    for (uint32_t column = 0; column < grid->columns; column++)
        if (grid->counts[(size_t)row * grid->columns + column] > 0)
            return false;
    return true;
}

/* Of a run of rows without values one is shown. */
static void
put_rows(const text_page *page)
{
    uint32_t n_empty = 0;

    for (uint32_t row = 0; row < page->grid.rows; row++) {
        n_empty = is_empty(&page->grid, row) ? n_empty + 1 : 0;
        if (n_empty < 2)
            put_row(page, row);
        else if (row + 1 == page->grid.rows || !is_empty(&page->grid, row + 1))
            fprintf(page->file, "  (%" PRIu32 " more rows without processes)\n", n_empty - 1);
    }
}

static void
put_legend(const text_page *page)
{
    const hd_picture *picture = page->picture;
    char             *least   = hd_picture_value(picture, page->range.least);
    char             *most    = hd_picture_value(picture, page->range.most);

    fputc('\n', page->file);
    if (page->range.least < page->range.most) {
        fprintf(page->file, "  %s  ", least);
        for (int i = 0; i < N_COLOURS; i++) {
            put_cell(page->file, page->has_colour, (double)i / (N_COLOURS - 1));
            fputs(page->has_colour ? "" : " ", page->file);
        }
        fprintf(page->file, " %s\n", most);
    }
    free(least);
    free(most);
    if (page->k > 1)
        fprintf(page->file, "  each block is the mean of %" PRIu32 " x %" PRIu32 " places%s\n", page->k, page->k,
                page->is_narrow ? "; a wider terminal shows more" : "; --slice, --tsv and --picture show each");
}

/* Of all places, not of blocks of them. */
static void
put_extremes(const hd_picture *picture, FILE *file)
{
    hd_grid_range range;
    char         *texts[5];

    hd_grid_find_range(picture->grid, &range);
    texts[0] = hd_picture_value(picture, range.least);
    texts[1] = hd_picture_place(picture, range.min_cell);
    texts[2] = hd_picture_value(picture, range.most);
    texts[3] = hd_picture_place(picture, range.max_cell);
    texts[4] = hd_picture_value(&(hd_picture){ .unit = picture->unit }, range.mean);
    if (range.least == range.most)
        fprintf(file, "  %s everywhere\n", texts[0]);
    else
        fprintf(file, "  least %s at %s\n  most %s at %s\n  mean %s\n", texts[0], texts[1], texts[2], texts[3],
                texts[4]);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
}

void
hd_picture_print(const hd_picture *picture, FILE *file, bool has_colour, uint32_t width)
{
    const hd_view *view  = picture->view;
    text_page      page  = { .picture = picture, .file = file, .has_colour = has_colour, .k = 1 };
    char          *title = append(append(hd_strdup(""), picture->title), "");
    char          *axes  = hd_picture_axes(picture);
    uint32_t       room, gaps = n_gaps(view, &view->across);

    page.label = digits_of(view->down.n == 1 ? hd_view_number(view, &view->down, 0, view->down.size - 1) :
                           view->down.size);
    room       = width > (uint32_t)page.label + 8 ? (width - (uint32_t)page.label - 4) : width > 0 ? 4 : UINT32_MAX;
    if ((uint64_t)view->across.size * CELL_COLUMNS + gaps > room)
        page.k = (view->across.size - 1) / (room / CELL_COLUMNS) + 1;
    page.is_narrow = page.k > 1;
    while ((uint64_t)view->across.size / page.k * (view->down.size / page.k) > MAX_CELLS)
        page.k++;
    fprintf(file, "%s\n", title);
    free(title);
    title = append(append(append(hd_strdup("on \""), view->name), "\"  "), axes);
    fprintf(file, "%s\n\n", title);
    free(title);
    free(axes);
    hd_grid_shrink(picture->grid, page.k, &page.grid);
    if (!hd_grid_find_range(&page.grid, &page.range))
        fputs("  no process or thread is here\n", file);
    else {
        put_column_numbers(&page);
        put_rows(&page);
        put_legend(&page);
        put_extremes(picture, file);
    }
    hd_grid_fini(&page.grid);
}
