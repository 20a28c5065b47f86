/* src/report/terminal/dump.c: values of a report, one on a line. */
#include "dump.h"

#include <errno.h>
#include <string.h>

#include "csv.h"
#include "escape.h"
#include "memory.h"
#include "path_text.h"

typedef struct dump {
    hd_cube                 *cube;
    const hd_dump_selection *selection;
    FILE                    *file;
    double                  *values, *row; /* [n_locations] */
    uint32_t                *ends;         /* [n_paths] behind the last call path below each */
    bool                    *below;        /* [n_paths] a call path and what it calls; all false between two uses */
} dump;

static bool
is_selected(const bool *selected, uint32_t i)
{
    return selected == NULL || selected[i];
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Call paths stand depth-first, so what a call path calls follows it. */
static void
find_ends(dump *d)
{
    for (uint32_t i = d->cube->n_paths; i-- > 0;) {
        uint32_t parent = d->cube->paths[i].parent;

        if (d->ends[i] == 0)
            d->ends[i] = i + 1;
        if (parent != HD_NONE && d->ends[parent] == 0)
            d->ends[parent] = d->ends[i];
    }
}

static hd_status
add_rows(dump *d, uint32_t metric, uint32_t path, bool *any)
{
    hd_status status = HD_OK;

    for (uint32_t below = path; below < d->ends[path] && status == HD_OK; below++) {
        bool has_row;

        status = hd_cube_row(d->cube, metric, below, d->row, &has_row);
        for (uint32_t i = 0; i < d->cube->n_locations && status == HD_OK && has_row; i++)
            d->values[i] += d->row[i];
        *any |= has_row;
    }
    return status;
}

static hd_status
read_values(dump *d, uint32_t metric, uint32_t path, bool *any)
{
    hd_status status;

    if (!d->selection->is_inclusive)
        return hd_cube_row(d->cube, metric, path, d->values, any);
    *any = false;
    memset(d->values, 0, d->cube->n_locations * sizeof *d->values);
    if (d->cube->metrics[metric].is_additive)
        return add_rows(d, metric, path, any);
    memset(d->below + path, true, (d->ends[path] - path) * sizeof *d->below);
    status = hd_cube_sum(d->cube, metric, d->below, d->values);
    memset(d->below + path, false, (d->ends[path] - path) * sizeof *d->below);
    *any = true;
    return status;
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

static void
print_head(const dump *d)
{
    char tab = d->selection->is_csv ? ',' : '\t';

    fputs("metric", d->file);
    if (d->selection->has_ids)
        fprintf(d->file, "%ccall_path_id%cparent", tab, tab);
    fprintf(d->file, "%ccall_path%cprocess%cthread%cvalue\n", tab, tab, tab, tab);
}

/* What the lines of a metric and call path begin with; free() it. */
static char *
begin_of_lines(const dump *d, uint32_t metric, uint32_t path)
{
    const hd_cube_path *at     = &d->cube->paths[path];
    bool                is_csv = d->selection->is_csv;
    char                tab    = is_csv ? ',' : '\t';
    char               *names = hd_path_text(d->cube, path, ";"), *text = NULL;
    size_t              bytes  = 0;
    FILE               *stream = open_memstream(&text, &bytes);

    if (stream == NULL)
        hd_fatal("out of memory: values cannot be written");
    if (is_csv)
        hd_csv_text(stream, d->cube->metrics[metric].id);
    else
        hd_write_cell(stream, d->cube->metrics[metric].id, HD_CELL_WHOLE);
    fputc(tab, stream);
    if (d->selection->has_ids) {
        fprintf(stream, "%" PRIu32 "%c", at->number, tab);
        if (at->parent != HD_NONE)
            fprintf(stream, "%" PRIu32, d->cube->paths[at->parent].number);
        fputc(tab, stream);
    }
    if (is_csv)
        hd_csv_escaped(stream, names);
    else
        fputs(names, stream);
    fputc(tab, stream);
    if (fclose(stream) != 0)
        hd_fatal("out of memory: values cannot be written");
    free(names);
    return text;
}

static void
print_values(const dump *d, uint32_t metric, uint32_t path)
{
    char  tab   = d->selection->is_csv ? ',' : '\t';
    char *begin = NULL;

    for (uint32_t i = 0; i < d->cube->n_locations; i++) {
        const hd_cube_location *location = &d->cube->locations[i];

        if (d->values[i] == 0 || !is_selected(d->selection->locations, i))
            continue;
        if (begin == NULL)
            begin = begin_of_lines(d, metric, path);
        fprintf(d->file, "%s%" PRIu32 "%c%" PRIu32 "%c%.17g\n", begin, location->process, tab, location->thread, tab,
                d->values[i]);
    }
    free(begin);
}

static hd_status
print_metric(dump *d, uint32_t metric)
{
    hd_status status = HD_OK;

    for (uint32_t path = 0; path < d->cube->n_paths && status == HD_OK; path++) {
        bool any;

        if (!is_selected(d->selection->paths, path))
            continue;
        status = read_values(d, metric, path, &any);
        if (status == HD_OK && any)
            print_values(d, metric, path);
    }
    return status;
}

hd_status
hd_dump(hd_cube *cube, const hd_dump_selection *selection, FILE *file)
{
    static const hd_dump_selection all = { 0 };

    dump      d      = { .cube = cube, .selection = selection != NULL ? selection : &all, .file = file };
    hd_status status = HD_OK;

    d.values = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    d.row    = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    d.ends   = HD_NEW_ARRAY(uint32_t, (size_t)cube->n_paths + 1);
    d.below  = HD_NEW_ARRAY(bool, (size_t)cube->n_paths + 1);
    find_ends(&d);
    if (d.selection->has_head)
        print_head(&d);
    for (uint32_t metric = 0; metric < cube->n_metrics && status == HD_OK; metric++)
        if (is_selected(d.selection->metrics, metric))
            status = print_metric(&d, metric);
    free(d.values);
    free(d.row);
    free(d.ends);
    free(d.below);
    if (status == HD_OK && (fflush(file) != 0 || ferror(file)))
        status = hd_fail(HD_EWRITE, "cannot write the values of report \"%s\": %s", cube->path, strerror(errno));
    return status;
}
