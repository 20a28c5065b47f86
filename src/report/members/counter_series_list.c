/* src/report/members/counter_series_list.c: writes and reads the tables of counters over time. */
#include "counter_series_list.h"

#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "memory.h"
#include "tsv.h"

enum { MAX_BYTES = 1 << 30 };

static const char head_behind[]  = "\tcallpath\tprocess\tprocesses\tfirst\tvalues"; /* the column of the names */
static const char no_call_path[] = "none";

/* ---- writing ----------------------------------------------------------------------------------------------------- */

typedef struct writing {
    FILE                          *file;
    const hd_counter_series_names *names;
    hd_tsv_out                     out;
    char                          *at;
    uint32_t                       slice; /* of the next value */
} writing;

static void
begin_line(writing *w, uint32_t name)
{
    w->at = hd_tsv_out_flush(&w->out, w->at);
    hd_write_cell(w->file, w->names->of[name], HD_CELL_WHOLE);
    *w->at++ = '\t';
}

static void
add_value(writing *w, uint32_t slice, int64_t value)
{
    for (; w->slice < slice; w->slice++) {
        w->at    = hd_tsv_out_room(&w->out, w->at);
        *w->at++ = ',';
    }
    w->at = hd_tsv_add_count(hd_tsv_out_room(&w->out, w->at), (uint64_t)value, '\n') - 1;
}

static size_t
write_process(writing *w, const hd_series_row *rows, size_t n)
{
    size_t i = 0;

    begin_line(w, rows->metric);
    *w->at++ = '\t';
    w->at    = hd_tsv_add_count(w->at, rows->process, '\t');
    w->at    = hd_tsv_add_count(w->at, rows->n_processes, '\t');
    w->at    = hd_tsv_add_count(w->at, rows->slice, '\t');
    w->slice = rows->slice;
    for (; i < n && rows[i].metric == rows->metric && rows[i].process == rows->process; i++)
        add_value(w, rows[i].slice, rows[i].ticks);
    w->at++; /* the end of the line is there */
    return i;
}

static size_t
write_path(writing *w, const hd_path_row *rows, size_t n, uint32_t path, const uint32_t *numbers)
{
    size_t i = 0;

    begin_line(w, rows->metric);
    w->at    = path != HD_NONE ? hd_tsv_add_count(w->at, numbers[path], '\t') :
                                 hd_tsv_add_text(w->at, no_call_path, '\t');
    *w->at++ = '\t';
    w->at    = hd_tsv_add_count(w->at, w->names->defs->n_processes, '\t');
    w->at    = hd_tsv_add_count(w->at, rows->slice, '\t');
    w->slice = rows->slice;
    for (; i < n && rows[i].metric == rows->metric && rows[i].place == rows->place; i++)
        add_value(w, rows[i].slice, rows[i].sum);
    w->at++;
    return i;
}

void
hd_counter_series_write(FILE *file, const hd_counter_series *series, const hd_counter_series_names *names,
                        const hd_path_fold *fold, const uint32_t *numbers)
{
    const hd_series      *processes = &series->of_processes;
    const hd_path_series *paths     = &series->of_paths;
    writing               w         = { .file = file, .names = names };
    char                 *head      = hd_format("%s%s", names->column, head_behind);

    w.at = hd_tsv_out_begin(&w.out, file, head);
    free(head);
    for (size_t i = 0; i < processes->n;)
        i += write_process(&w, &processes->rows[i], processes->n - i);
    for (size_t i = 0; i < paths->n;)
        i += write_path(&w, &paths->rows[i], paths->n - i, fold->paths[paths->rows[i].place], numbers);
    hd_tsv_out_flush(&w.out, w.at);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

typedef struct reading {
    hd_counter_series_list *list;
    const hd_cube          *cube;
    uint32_t               *places; /* of call paths, by id */
    uint32_t                n_slices;
    uint32_t                first, most; /* the first name of the table, how many there are at most */
    size_t                  capacity_processes, capacity_paths;
} reading;

/* HD_NONE: there are too many, or the name is damaged. */
static uint32_t
name_of(reading *r, const char *cell)
{
    hd_counter_series_list *list = r->list;
    char                   *name = cell != NULL ? hd_tsv_name(cell) : NULL;
    uint32_t                at   = r->first;

    if (name == NULL)
        return HD_NONE;
    while (at < list->n_names && strcmp(list->names[at], name) != 0)
        at++;
    if (at < list->n_names || at == r->first + r->most) {
        free(name);
        return at < list->n_names ? at : HD_NONE;
    }
    list->names[list->n_names++] = name;
    return at;
}

/* Whether a line has either a process or a call path. entry: out */
static bool
read_whose(reading *r, const char *path, const char *process, const char *processes, hd_path_entry *entry, bool *is_path)
{
    if (path == NULL || process == NULL || !hd_tsv_number(processes, &entry->n_processes) ||
        entry->n_processes == HD_NONE || entry->n_processes == 0)
        return false;
    *is_path    = *path != '\0';
    entry->path = HD_NONE;
    if (*is_path)
        return *process == '\0' && (strcmp(path, no_call_path) == 0 ||
                                    (hd_tsv_path(path, r->places, r->cube->n_paths, &entry->path) && entry->path != HD_NONE));
    return hd_tsv_number(process, &entry->process) && entry->process < r->cube->n_groups &&
           entry->n_processes <= r->cube->n_groups - entry->process;
}

static void
add_entry(reading *r, const hd_path_entry *entry, bool is_path)
{
    hd_counter_series_list *list = r->list;

    if (is_path)
        HD_PUSH(list->paths, list->n_paths, r->capacity_paths, *entry);
    else
        HD_PUSH(list->processes, list->n_processes, r->capacity_processes,
                ((hd_series_entry){ .metric = entry->metric, .process = entry->process, .n_processes = entry->n_processes,
                                    .slice = entry->slice, .value = entry->value }));
}

static bool
read_line(void *context, char *line)
{
    reading      *r      = context;
    hd_path_entry entry  = { .metric = name_of(r, hd_tsv_next(&line)) };
    const char   *path   = hd_tsv_next(&line), *process = hd_tsv_next(&line), *processes = hd_tsv_next(&line);
    bool          is_path;
    char         *values, *element;
    uint64_t      count;

    if (entry.metric == HD_NONE || !read_whose(r, path, process, processes, &entry, &is_path) ||
        !hd_tsv_number(hd_tsv_next(&line), &entry.slice) || entry.slice == HD_NONE ||
        (values = hd_tsv_next(&line)) == NULL || line != NULL)
        return false;
    for (; (element = hd_tsv_element(&values)) != NULL; entry.slice++) {
        if (entry.slice >= r->n_slices || (*element != '\0' && !hd_tsv_count(element, &count)))
            return false;
        if (*element == '\0')
            continue;
        entry.value = (double)count;
        add_entry(r, &entry, is_path);
    }
    return true;
}

static hd_status
read_table(reading *r, hd_cube *cube, const char *member, const char *column)
{
    char     *head     = hd_format("%s%s", column, head_behind);
    bool      is_there = false;
    hd_status status   = hd_tsv_member(cube, member, MAX_BYTES, head, read_line, r, &is_there);

    free(head);
    return status;
}

hd_status
hd_counter_series_list_read(hd_cube *cube, bool over_iterations, bool with_counts, uint32_t n_slices,
                            hd_counter_series_list *list)
{
    reading   r = { .list = list, .cube = cube, .places = hd_tsv_places(cube), .n_slices = n_slices,
                    .most = HD_COMPARED_MAX };
    hd_status status;

    *list  = (hd_counter_series_list){ 0 };
    status = read_table(&r, cube, over_iterations ? HD_ITERATION_COUNTER_SERIES_MEMBER : HD_COUNTER_SERIES_MEMBER,
                        "counter");
    r.first = list->n_counters = list->n_names;
    r.most  = HD_COUNT_SERIES_MAX;
    if (status == HD_OK && with_counts)
        status = read_table(&r, cube, over_iterations ? HD_ITERATION_COUNT_SERIES_MEMBER : HD_COUNT_SERIES_MEMBER,
                            "metric");
    free(r.places);
    if (status != HD_OK)
        hd_counter_series_list_fini(list);
    return status;
}

void
hd_counter_series_list_fini(hd_counter_series_list *list)
{
    for (uint32_t i = 0; i < list->n_names; i++)
        free(list->names[i]);
    free(list->processes);
    free(list->paths);
    *list = (hd_counter_series_list){ 0 };
}
