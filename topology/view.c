/* topology/view.c: folds dimensions onto two axes, by positions and strides, and keeps the values of the cells of that
 * picture. */
#include "view.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "memory.h"

static const char *const letters[] = { "x", "y", "z", "w", "v", "u" }; /* of dimensions, in addition to their names */

static bool
is_text(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && strncasecmp(name, text, length) == 0;
}

/* Names go before names in other letters, these before letters, and these before numbers. */
static uint32_t
find_dimension(const hd_view *view, const char *text, size_t length)
{
    uint32_t number = 0;

    for (uint32_t i = 0; i < view->n_dimensions; i++)
        if (strlen(view->dimensions[i].name) == length && strncmp(view->dimensions[i].name, text, length) == 0)
            return i;
    for (uint32_t i = 0; i < view->n_dimensions; i++)
        if (is_text(view->dimensions[i].name, text, length))
            return i;
    for (uint32_t i = 0; i < view->n_dimensions && i < sizeof letters / sizeof *letters; i++)
        if (is_text(letters[i], text, length))
            return i;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || i > 1 || (i == 1 && text[0] == '0'))
            return HD_NONE;
        number = number * 10 + (uint32_t)(text[i] - '0');
    }
    return length > 0 && number < view->n_dimensions ? number : HD_NONE;
}

/* "x (4), y (4, periodic)" */
static char *
list_dimensions(const hd_view *view)
{
    char *list = hd_strdup("");

    for (uint32_t i = 0; i < view->n_dimensions; i++) {
        char *longer = hd_format("%s%s%s (%" PRIu32 "%s)", list, i > 0 ? ", " : "", view->dimensions[i].name,
                                 view->dimensions[i].size, view->dimensions[i].is_periodic ? ", periodic" : "");

        free(list);
        list = longer;
    }
    return list;
}

static hd_status
no_such_dimension(const hd_view *view, const char *text, size_t length)
{
    char     *list   = list_dimensions(view);
    hd_status status = hd_fail(HD_EUSAGE, "topology \"%s\" has no dimension \"%.*s\"", view->name, (int)length, text);

    hd_fail_detail("dimensions", "%s", list);
    free(list);
    return status;
}

/* ---- slices ------------------------------------------------------------------------------------------------------ */

static hd_status
hold(hd_view *view, const char *item, size_t length)
{
    const char   *sign = memchr(item, '=', length);
    uint32_t      dimension;
    unsigned long place;
    char         *end;

    if (sign == NULL || sign == item || sign[1] < '0' || sign[1] > '9')
        return hd_fail(HD_EUSAGE, "--slice: \"%.*s\" is not of the form DIMENSION=NUMBER", (int)length, item);
    dimension = find_dimension(view, item, (size_t)(sign - item));
    if (dimension == HD_NONE)
        return no_such_dimension(view, item, (size_t)(sign - item));
    errno = 0;
    place = strtoul(sign + 1, &end, 10);
    if (end != item + length)
        return hd_fail(HD_EUSAGE, "--slice: \"%.*s\" is not of the form DIMENSION=NUMBER", (int)length, item);
    if (errno != 0 || place >= view->dimensions[dimension].size)
        return hd_fail(HD_EUSAGE, "--slice: %s goes from 0 to %" PRIu32, view->dimensions[dimension].name,
                       view->dimensions[dimension].size - 1);
    if (view->held[dimension] != HD_NONE)
        return hd_fail(HD_EUSAGE, "--slice holds %s twice", view->dimensions[dimension].name);
    view->held[dimension] = (uint32_t)place;
    return HD_OK;
}

static hd_status
make_slice(hd_view *view, const char *slice)
{
    hd_status status = HD_OK;

    for (uint32_t i = 0; i < view->n_dimensions; i++)
        view->held[i] = HD_NONE;
    while (slice != NULL && status == HD_OK) {
        size_t length = strcspn(slice, ",");

        status = hold(view, slice, length);
        slice  = slice[length] == ',' ? slice + length + 1 : NULL;
    }
    return status;
}

/* ---- folding ----------------------------------------------------------------------------------------------------- */

static hd_status
put_on_axis(hd_view *view, hd_view_axis *axis, uint32_t dimension)
{
    const char *name = view->dimensions[dimension].name;

    if (view->held[dimension] != HD_NONE)
        return hd_fail(HD_EUSAGE, "--fold names %s, which --slice holds at %" PRIu32, name, view->held[dimension]);
    for (uint32_t i = 0; i < view->across.n + view->down.n; i++)
        if ((i < view->across.n ? view->across.dimensions[i] : view->down.dimensions[i - view->across.n]) == dimension)
            return hd_fail(HD_EUSAGE, "--fold names %s twice", name);
    axis->dimensions[axis->n++] = dimension;
    return HD_OK;
}

/* Between two "+": a name, or names of one letter. */
static hd_status
fold_item(hd_view *view, hd_view_axis *axis, const char *item, size_t length)
{
    uint32_t  dimension = find_dimension(view, item, length);
    hd_status status    = HD_OK;

    if (dimension != HD_NONE)
        return put_on_axis(view, axis, dimension);
    for (size_t i = 0; i < length; i++)
        if (find_dimension(view, item + i, 1) == HD_NONE)
            return no_such_dimension(view, item, length);
    if (length == 0)
        return hd_fail(HD_EUSAGE, "--fold: a name of a dimension is missing");
    for (size_t i = 0; i < length && status == HD_OK; i++)
        status = put_on_axis(view, axis, find_dimension(view, item + i, 1));
    return status;
}

static hd_status
fold_axis(hd_view *view, hd_view_axis *axis, const char *text, size_t length)
{
    const char *end    = text + length;
    hd_status   status = HD_OK;

    while (status == HD_OK) {
        const char *sign = memchr(text, '+', (size_t)(end - text));

        status = fold_item(view, axis, text, (size_t)((sign != NULL ? sign : end) - text));
        if (sign == NULL)
            break;
        text = sign + 1;
    }
    return status;
}

static hd_status
make_fold(hd_view *view, const char *fold)
{
    size_t    length = strcspn(fold, ",");
    hd_status status;

    if (strchr(fold, ',') != strrchr(fold, ','))
        return hd_fail(HD_EUSAGE, "--fold: \"%s\" has more than two axes; dimensions on one axis are joined by \"+\"",
                       fold);
    status = fold_axis(view, &view->across, fold, length);
    if (status == HD_OK && fold[length] == ',')
        status = fold_axis(view, &view->down, fold + length + 1, strlen(fold + length + 1));
    return status;
}

/* The first dimension and every other one after it across, the first ones fastest. Of more than two, those of one place
 * are held. */
static void
fold_by_default(hd_view *view)
{
    uint32_t free_ones[HD_VIEW_DIMENSIONS_MAX], n = 0, n_free = 0;

    for (uint32_t i = 0; i < view->n_dimensions; i++)
        n_free += view->held[i] == HD_NONE;
    for (uint32_t i = view->n_dimensions; i-- > 0;)
        if (view->held[i] == HD_NONE && view->dimensions[i].size == 1 && n_free > 2) {
            view->held[i] = 0;
            n_free--;
        }
    for (uint32_t i = 0; i < view->n_dimensions; i++)
        if (view->held[i] == HD_NONE)
            free_ones[n++] = i;
    while (n-- > 0) {
        hd_view_axis *axis = n % 2 == 0 ? &view->across : &view->down;

        axis->dimensions[axis->n++] = free_ones[n];
    }
}

static uint64_t
size_of(const hd_view *view, const hd_view_axis *axis)
{
    uint64_t size = 1;

    for (uint32_t i = 0; i < axis->n && size <= HD_VIEW_CELLS_MAX; i++)
        size *= view->dimensions[axis->dimensions[i]].size;
    return size;
}

hd_status
hd_view_make(hd_view *view, const char *fold, const char *slice)
{
    hd_status status;
    uint64_t  columns, rows;

    view->across = view->down = (hd_view_axis){ 0 };
    status = make_slice(view, slice);
    if (status == HD_OK && fold != NULL)
        status = make_fold(view, fold);
    else if (status == HD_OK)
        fold_by_default(view);
    if (status != HD_OK)
        return status;
    columns = size_of(view, &view->across);
    rows    = size_of(view, &view->down);
    if (columns > HD_VIEW_CELLS_MAX || rows > HD_VIEW_CELLS_MAX || columns * rows > HD_VIEW_CELLS_MAX) {
        hd_fail(HD_EUSAGE, "topology \"%s\" has more than %" PRIu64 " places in this view", view->name,
                HD_VIEW_CELLS_MAX);
        hd_fail_detail("try", "--slice DIMENSION=NUMBER, or --fold with fewer dimensions");
        return HD_EUSAGE;
    }
    view->across.size = (uint32_t)columns;
    view->down.size   = (uint32_t)rows;
    return HD_OK;
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

static uint32_t
place_on(const hd_view *view, const hd_view_axis *axis, const uint32_t *x)
{
    uint32_t place = 0;

    for (uint32_t i = 0; i < axis->n; i++)
        place = place * view->dimensions[axis->dimensions[i]].size + x[axis->dimensions[i]];
    return place;
}

bool
hd_view_place(const hd_view *view, const uint32_t *x, uint32_t *column, uint32_t *row)
{
    for (uint32_t i = 0; i < view->n_dimensions; i++)
        if (view->held[i] != HD_NONE && view->held[i] != x[i])
            return false;
    *column = place_on(view, &view->across, x);
    *row    = place_on(view, &view->down, x);
    return true;
}

uint32_t
hd_view_coordinate(const hd_view *view, const hd_view_axis *axis, uint32_t i, uint32_t place)
{
    for (uint32_t j = axis->n - 1; j > i; j--)
        place /= view->dimensions[axis->dimensions[j]].size;
    return place % view->dimensions[axis->dimensions[i]].size;
}

uint32_t
hd_view_number(const hd_view *view, const hd_view_axis *axis, uint32_t i, uint32_t place)
{
    const hd_view_dimension *dimension = &view->dimensions[axis->dimensions[i]];

    return dimension->first + hd_view_coordinate(view, axis, i, place) * (dimension->step > 0 ? dimension->step : 1);
}

bool
hd_view_is_gap(const hd_view *view, const hd_view_axis *axis, uint32_t place)
{
    return axis->n > 1 && place > 0 && place % view->dimensions[axis->dimensions[axis->n - 1]].size == 0;
}

void
hd_view_coordinates(const hd_view *view, uint32_t column, uint32_t row, uint32_t *x)
{
    for (uint32_t i = 0; i < view->n_dimensions; i++)
        x[i] = view->held[i];
    for (uint32_t i = 0; i < view->across.n; i++)
        x[view->across.dimensions[i]] = hd_view_coordinate(view, &view->across, i, column);
    for (uint32_t i = 0; i < view->down.n; i++)
        x[view->down.dimensions[i]] = hd_view_coordinate(view, &view->down, i, row);
}

void
hd_grid_init(hd_grid *grid, const hd_view *view)
{
    size_t n = (size_t)view->across.size * view->down.size;

    *grid = (hd_grid){ .values = HD_NEW_ARRAY(double, n), .counts = HD_NEW_ARRAY(uint32_t, n),
                       .columns = view->across.size, .rows = view->down.size };
}

void
hd_grid_fini(hd_grid *grid)
{
    free(grid->values);
    free(grid->counts);
}

void
hd_grid_add(hd_grid *grid, uint32_t column, uint32_t row, double value)
{
    size_t cell = (size_t)row * grid->columns + column;

    grid->values[cell] += value;
    grid->counts[cell]++;
}

bool
hd_grid_find_range(const hd_grid *grid, hd_grid_range *range)
{
    double sum = 0;

    *range = (hd_grid_range){ 0 };
    for (size_t i = 0; i < (size_t)grid->columns * grid->rows; i++) {
        double value = grid->values[i];

        if (grid->counts[i] == 0 || !isfinite(value))
            continue;
        if (range->n == 0 || value < range->least) {
            range->least      = value;
            range->min_cell = i;
        }
        if (range->n == 0 || value > range->most) {
            range->most      = value;
            range->max_cell = i;
        }
        sum += value;
        range->n++;
    }
    range->mean = range->n > 0 ? sum / (double)range->n : 0;
    return range->n > 0;
}
