/* src/report/tables/division_table.c: sums of parts of the processes, as a table for people, for scripts, or as
 * JSON. */
#include "division_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bytes_text.h"
#include "completeness.h"
#include "count_text.h"
#include "escape.h"
#include "memory.h"
#include "metric.h"
#include "time_text.h"

enum { COMPUTATION, WAITING, LATE_SENDER, LATE_RECEIVER, MESSAGES, BYTES, ASKED, N_COLUMNS };

static const struct {
    const char *head, *name;      /* for people; for scripts */
    const char *ids[2];           /* metrics: of COMPUTATION the first that the report has, of others the sum; WAITING:
                                   * all wait states */
    bool        is_count;         /* no time */
} columns[N_COLUMNS] = {
    [COMPUTATION]   = { "computation", "computation", { "comp", "execution" }, false },
    [WAITING]       = { "waiting", "waiting", { NULL, NULL }, false },
    [LATE_SENDER]   = { "late sender", "mpi_latesender", { "mpi_latesender", NULL }, false },
    [LATE_RECEIVER] = { "late receiver", "mpi_latereceiver", { "mpi_latereceiver", NULL }, false },
    [MESSAGES]      = { "messages", "messages", { "comms_send", "syncs_send" }, true },
    [BYTES]         = { "bytes", "bytes", { "bytes_sent", NULL }, true },
};

typedef struct table {
    hd_cube                   *cube;
    const hd_division_request *request;
    FILE                      *file;
    double                    *of_process[N_COLUMNS]; /* [n_groups] */
    double                     sums[N_COLUMNS], time; /* of all processes */
    bool                       is_shown[N_COLUMNS];
    char                      *asked;     /* id of the metric that was asked for, escaped; NULL: none */
    int                        name_width;
} table;

typedef struct row {
    uint32_t part, n_processes; /* part: HD_NONE: the processes that are in none */
    double   values[N_COLUMNS];
} row;

#define NOT_ON_IT "(not on it)"

/* free() it */
static char *
name_of(const hd_division *division, const row *r)
{
    return r->part != HD_NONE ? hd_division_name(division, r->part) : hd_strdup(NOT_ON_IT);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static hd_status
add_metric(table *t, int column, uint32_t metric)
{
    return metric != HD_NONE ? hd_division_sum(t->cube, metric, t->request->selected, t->of_process[column]) : HD_OK;
}

static hd_status
sum_up(table *t, int column)
{
    hd_status status = HD_OK;

    if (column == ASKED)
        return add_metric(t, column, t->request->metric);
    if (column == COMPUTATION && hd_cube_metric_by_id(t->cube, columns[column].ids[0]) != HD_NONE)
        return add_metric(t, column, hd_cube_metric_by_id(t->cube, columns[column].ids[0]));
    for (int i = 0; i < 2 && status == HD_OK; i++)
        if (columns[column].ids[i] != NULL)
            status = add_metric(t, column, hd_cube_metric_by_id(t->cube, columns[column].ids[i]));
    for (uint32_t i = 0; column == WAITING && i < t->cube->n_metrics && status == HD_OK; i++)
        if (hd_metric_is_wait_state(hd_metric_by_id(t->cube->metrics[i].id)))
            status = add_metric(t, column, i);
    return status;
}

static int
compare_waiting(const void *left, const void *right)
{
    const row *a = left, *b = right;

    if (a->values[WAITING] != b->values[WAITING])
        return a->values[WAITING] > b->values[WAITING] ? -1 : 1;
    return a->part < b->part ? -1 : a->part > b->part;
}

/* Those of parts that have processes, and at the end that of the processes that are in none, so that their sum is the
 * whole; free() them. */
static row *
make_rows(const table *t, const hd_division *division, uint32_t *n)
{
    row *rows = HD_NEW_ARRAY(row, (size_t)division->n + 1), rest = { .part = HD_NONE };

    for (uint32_t i = 0; i < division->n; i++)
        rows[i] = (row){ .part = i, .n_processes = division->n_processes[i] };
    for (uint32_t p = 0; p < t->cube->n_groups; p++) {
        row *of = division->of_process[p] != HD_NONE ? &rows[division->of_process[p]] : &rest;

        rest.n_processes += of == &rest;
        for (int c = 0; c < N_COLUMNS; c++)
            of->values[c] += t->of_process[c][p];
    }
    *n = 0;
    for (uint32_t i = 0; i < division->n; i++)
        if (rows[i].n_processes > 0)
            rows[(*n)++] = rows[i];
    if (t->request->by_waiting)
        qsort(rows, *n, sizeof *rows, compare_waiting);
    if (rest.n_processes > 0)
        rows[(*n)++] = rest;
    return rows;
}

/* ---- for scripts ------------------------------------------------------------------------------------------------- */

static void
print_tsv_head(const table *t)
{
    fputs("division\tpart\tprocesses", t->file);
    for (int c = 0; c < N_COLUMNS; c++)
        if (c != ASKED)
            fprintf(t->file, "\t%s", columns[c].name);
        else if (t->request->metric != HD_NONE) {
            fputc('\t', t->file);
            hd_write_cell(t->file, t->cube->metrics[t->request->metric].id, HD_CELL_WHOLE);
        }
    fputc('\n', t->file);
}

static void
print_tsv_row(const table *t, const hd_division *division, const row *r)
{
    char *name = name_of(division, r);

    hd_write_cell(t->file, division->what, HD_CELL_WHOLE);
    fputc('\t', t->file);
    hd_write_cell(t->file, name, HD_CELL_WHOLE);
    fprintf(t->file, "\t%" PRIu32, r->n_processes);
    for (int c = 0; c < N_COLUMNS; c++)
        if (c != ASKED || t->request->metric != HD_NONE)
            fprintf(t->file, "\t%.17g", r->values[c]);
    fputc('\n', t->file);
    free(name);
}

/* The same as an object. */
static void
put_row(const table *t, const hd_division *division, const row *r)
{
    hd_json *json = t->request->json;
    char    *name = r->part != HD_NONE ? hd_division_name(division, r->part) : NULL;

    hd_json_object(json, NULL);
    hd_json_text(json, "division", division->what);
    hd_json_text(json, "part", name);
    hd_json_count(json, "processes", r->n_processes);
    for (int c = 0; c < N_COLUMNS; c++)
        hd_json_number(json, c != ASKED ? columns[c].name : "value",
                       c != ASKED || t->request->metric != HD_NONE ? r->values[c] : NAN);
    hd_json_end(json);
    free(name);
}

/* ---- for people -------------------------------------------------------------------------------------------------- */

static const char *
head_of(const table *t, int column)
{
    return column != ASKED ? columns[column].head : t->asked;
}

static int
width_of(const table *t, int column)
{
    size_t length = strlen(head_of(t, column));

    return length > 11 ? (int)length : 11;
}

/* With what stands beside it. */
static int
columns_of(const table *t, int column)
{
    return 2 + width_of(t, column) + (column == COMPUTATION ? 11 : column == WAITING ? 8 : 0);
}

/* The column behind those that fit beside the name, from column on: at least one is shown. */
static int
end_of(const table *t, int column)
{
    int used = t->name_width + (column == 0 ? 11 : 0);
    bool any = false;

    for (; column < N_COLUMNS; column++) {
        if (!t->is_shown[column])
            continue;
        used += columns_of(t, column);
        if (any && t->request->width > 0 && used > (int)t->request->width)
            return column;
        any = true;
    }
    return column;
}

/* Of columns [from, to). */
static void
print_head(const table *t, int from, int to)
{
    fprintf(t->file, "\n%-*s%s", t->name_width, "", from == 0 ? "  processes" : "");
    for (int c = from; c < to; c++)
        if (t->is_shown[c])
            fprintf(t->file, "  %*s%s", width_of(t, c), head_of(t, c),
                    c == COMPUTATION ? "  from avg." : c == WAITING ? "   share" : "");
    fputc('\n', t->file);
}

static void
print_value(const table *t, int column, double value)
{
    const hd_cube_metric *asked = column == ASKED && t->request->metric != HD_NONE ?
                                  &t->cube->metrics[t->request->metric] : NULL;
    int                   width = width_of(t, column);

    if (asked != NULL ? strcmp(asked->unit, "sec") == 0 : !columns[column].is_count)
        fprintf(t->file, "  %*s", width, hd_time_column(value).text);
    else if (column == BYTES)
        fprintf(t->file, "  %*s", width, hd_bytes_text_of(value).text);
    else if (asked == NULL || asked->is_integer)
        fprintf(t->file, "  %*s", width, hd_count_text_rounded(value).text);
    else
        fprintf(t->file, "  %*.6g", width, value);
}

static void
print_row(const table *t, const hd_division *division, const row *r, int from, int to)
{
    char  *name    = name_of(division, r), *text = NULL;
    size_t bytes   = 0;
    FILE  *stream  = open_memstream(&text, &bytes);
    double average = t->sums[COMPUTATION] / t->cube->n_groups;

    if (stream == NULL)
        hd_fatal("out of memory: a table cannot be written");
    if (division->kind == HD_DIVISION_COORDINATE && r->part != HD_NONE) {
        hd_write_escaped(stream, division->what);
        fputs(" = ", stream);
    }
    hd_write_escaped(stream, name);
    if (fclose(stream) != 0)
        hd_fatal("out of memory: a table cannot be written");
    fprintf(t->file, "%-*s", t->name_width, text);
    if (from == 0)
        fprintf(t->file, "  %9" PRIu32, r->n_processes);
    for (int c = from; c < to; c++) {
        if (!t->is_shown[c])
            continue;
        print_value(t, c, r->values[c]);
        if (c == COMPUTATION)
            fprintf(t->file, "  %+7.1f %%", average > 0 ? 100 * (r->values[c] / r->n_processes / average - 1) : 0);
        else if (c == WAITING)
            fprintf(t->file, "  %4.1f %%", t->sums[c] > 0 ? 100 * r->values[c] / t->sums[c] : 0);
    }
    fputc('\n', t->file);
    free(name);
    free(text);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static void
print_division(const table *t, const hd_division *division)
{
    uint32_t n;
    row     *rows = make_rows(t, division, &n);

    for (uint32_t i = 0; i < n && (t->request->json != NULL || t->request->is_tsv); i++)
        (t->request->json != NULL ? put_row : print_tsv_row)(t, division, &rows[i]);
    for (int from = 0, to; from < N_COLUMNS && t->request->json == NULL && !t->request->is_tsv; from = to) {
        to = end_of(t, from);
        print_head(t, from, to);
        for (uint32_t i = 0; i < n; i++)
            print_row(t, division, &rows[i], from, to);
    }
    free(rows);
}

static hd_status
sum_up_time(table *t)
{
    uint32_t  metric     = hd_cube_metric_by_id(t->cube, "time");
    double   *of_process = HD_NEW_ARRAY(double, (size_t)t->cube->n_groups + 1);
    hd_status status     = metric != HD_NONE ? hd_division_sum(t->cube, metric, t->request->selected, of_process) :
                           HD_OK;

    for (uint32_t p = 0; p < t->cube->n_groups; p++)
        t->time += of_process[p];
    free(of_process);
    return status;
}

/* What parts clearly carry, in words: of waiting that is worth it, and of what was asked for. */
static void
print_carriers(const table *t)
{
    static const int looked_at[] = { WAITING, LATE_SENDER, LATE_RECEIVER, ASKED };
    bool             is_first    = true;

    for (size_t i = 0; i < sizeof looked_at / sizeof *looked_at; i++) {
        int         c = looked_at[i];
        hd_carriers carriers;
        char       *words;

        if (!t->is_shown[c] || (c != ASKED && t->sums[c] < HD_DIVISION_MIN_SHARE * t->time) ||
            !hd_divisions_carriers(t->request->divisions, t->request->n, t->cube->n_groups, t->of_process[c],
                                   &carriers))
            continue;
        words = hd_carriers_words(&carriers);
        fprintf(t->file, "%s%s: ", is_first ? "\n" : "", head_of(t, c));
        hd_write_escaped(t->file, words);
        fputc('\n', t->file);
        free(words);
        is_first = false;
    }
}

static void
find_width(table *t)
{
    t->name_width = 8;
    for (uint32_t d = 0; d < t->request->n; d++) {
        for (uint32_t p = 0; p < t->cube->n_groups && t->name_width < (int)strlen(NOT_ON_IT); p++)
            if (t->request->divisions[d].of_process[p] == HD_NONE)
                t->name_width = (int)strlen(NOT_ON_IT);
        for (uint32_t i = 0; i < t->request->divisions[d].n; i++) {
            char *name   = hd_division_name(&t->request->divisions[d], i);
            int   length = (int)strlen(name);

            if (t->request->divisions[d].kind == HD_DIVISION_COORDINATE)
                length += (int)strlen(t->request->divisions[d].what) + 3;
            t->name_width = length > t->name_width ? length : t->name_width;
            free(name);
        }
    }
}

hd_status
hd_division_table_print(hd_cube *cube, const hd_division_request *request, FILE *file)
{
    table     t      = { .cube = cube, .request = request, .file = file };
    hd_status status = HD_OK;

    for (int c = 0; c < N_COLUMNS; c++) {
        t.of_process[c] = HD_NEW_ARRAY(double, (size_t)cube->n_groups + 1);
        if (status == HD_OK)
            status = sum_up(&t, c);
        for (uint32_t p = 0; p < cube->n_groups; p++) {
            t.sums[c] += t.of_process[c][p];
            t.is_shown[c] |= t.of_process[c][p] != 0;
        }
    }
    t.is_shown[ASKED] = request->metric != HD_NONE;
    t.asked           = request->metric != HD_NONE ? hd_escaped(cube->metrics[request->metric].id) : NULL;
    if (status == HD_OK)
        status = sum_up_time(&t);
    find_width(&t);
    if (status == HD_OK && request->json != NULL)
        hd_json_array(request->json, "divisions");
    else if (status == HD_OK && request->is_tsv)
        print_tsv_head(&t);
    else if (status == HD_OK) {
        hd_completeness_print(cube, file);
        fprintf(file, "%s\n", request->head);
    }
    for (uint32_t d = 0; d < request->n && status == HD_OK; d++)
        print_division(&t, &request->divisions[d]);
    if (status == HD_OK && request->json != NULL)
        hd_json_end(request->json);
    else if (status == HD_OK && !request->is_tsv)
        print_carriers(&t);
    for (int c = 0; c < N_COLUMNS; c++)
        free(t.of_process[c]);
    free(t.asked);
    return status;
}
