/* tests/writer/situation/situation_report.c: reports of situations, and what tests ask of them. */
#include "situation_report.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "metric.h"

/* All reports, freed when the program ends: tests then need no cleaning up. */
static struct tw_report_data *all_reports;

void
tw_problem(struct tw_report_data *report, const char *format, ...)
{
    char    text[1024];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (report->problems.n > 0)
        report->problems.n--; /* the NUL of the one before */
    hd_bytes_put(&report->problems, "    ", 4);
    hd_bytes_put(&report->problems, text, strlen(text));
    hd_bytes_put(&report->problems, "\n", 2);
}

__attribute__((destructor)) static void
free_reports(void)
{
    while (all_reports != NULL) {
        struct tw_report_data *report = all_reports;

        all_reports = report->next;
        free(report->dump);
        free(report->findings);
        free(report->causes);
        free(report->instances);
        free(report->waits);
        free(report->files);
        free(report->startup);
        free(report->series);
        free(report->path_series);
        free(report->lags);
        free(report->counts);
        free(report->delays);
        free(report->iterations);
        free(report->matrix);
        free(report->rows);
        free(report->problems.data);
        free(report->ops);
        free(report);
    }
}

static const char *
text_or_empty(const char *text)
{
    return text == NULL ? "" : text;
}

struct tw_report_data *
tw_report_new(double resolution)
{
    struct tw_report_data *report = HD_NEW(struct tw_report_data);

    report->next       = all_reports;
    report->resolution = resolution;
    return all_reports = report;
}

struct tw_report_data *
tw_report_find(const tw_op *ops, size_t n, const tw_run *how)
{
    for (struct tw_report_data *report = all_reports; report != NULL; report = report->next)
        if (report->ops != NULL && report->n_ops == n && memcmp(report->ops, ops, n * sizeof *ops) == 0 &&
            report->run.options == how->options && report->run.damage == how->damage &&
            strcmp(text_or_empty(report->run.arguments), text_or_empty(how->arguments)) == 0)
            return report;
    return NULL;
}

/* -------------------------------------------------------------------------------------------------------------
 * parse */

static int
rows_compare(const void *left, const void *right)
{
    const row *a = left, *b = right;
    int        order;

    if (a->process != b->process)
        return a->process < b->process ? -1 : 1;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    order = strcmp(a->path, b->path);
    return order != 0 ? order : strcmp(a->metric, b->metric);
}

static char *
field_take(char **at, char separator)
{
    char *field = *at, *end = strchr(field, separator);

    if (end == NULL)
        return NULL;
    *end = '\0';
    *at  = end + 1;
    return field;
}

void
tw_dump_parse(struct tw_report_data *report, char *text)
{
    report->dump = text;
    while (*text != '\0') {
        char *line    = field_take(&text, '\n');
        char *metric  = line == NULL ? NULL : field_take(&line, '\t');
        char *path    = metric == NULL ? NULL : field_take(&line, '\t');
        char *process = path == NULL ? NULL : field_take(&line, '\t');
        char *thread  = process == NULL ? NULL : field_take(&line, '\t');
        char *end;
        row   one;

        if (line == NULL)
            break;
        if (thread == NULL)
            continue;
        one = (row){ .metric  = metric,
                     .path    = path,
                     .process = (uint32_t)strtoul(process, &end, 10),
                     .thread  = (uint32_t)strtoul(thread, NULL, 10),
                     .value   = strtod(line, NULL) };
        if (*end != '\0' || end == process)
            continue;
        HD_PUSH(report->rows, report->n_rows, report->capacity, one);
    }
    qsort(report->rows, report->n_rows, sizeof *report->rows, rows_compare);
}

double
tw_value_at(const struct tw_report_data *report, const row *place, const char *metric)
{
    row        key = *place;
    const row *found;

    key.metric = metric;
    found      = report->n_rows == 0
                     ? NULL
                     : (const row *)bsearch(&key, report->rows, report->n_rows, sizeof *report->rows, rows_compare);
    return found == NULL ? 0.0 : found->value;
}

double
tw_metric_sum(const struct tw_report_data *report, const char *metric)
{
    double sum = 0;

    for (size_t i = 0; i < report->n_rows; i++)
        if (strcmp(report->rows[i].metric, metric) == 0)
            sum += report->rows[i].value;
    return sum;
}

/* -----------------------------------------------------------------------------------------------------------
 * queries */

const char *
tw_problems(tw_report report)
{
    return report->problems.n == 0 ? "" : (const char *)report->problems.data;
}

const char *
tw_instances(tw_report report)
{
    return text_or_empty(report->instances);
}

const char *
tw_waits(tw_report report)
{
    return text_or_empty(report->waits);
}

const char *
tw_files(tw_report report)
{
    return text_or_empty(report->files);
}

const char *
tw_matrix(tw_report report)
{
    return text_or_empty(report->matrix);
}

static bool
ends_with(const char *path, const char *end)
{
    size_t n = strlen(path), m = strlen(end);

    return n >= m && strcmp(path + n - m, end) == 0 && (n == m || path[n - m - 1] == ';');
}

int64_t
tw_value(tw_report report, const char *metric, const char *path, hd_process rank)
{
    return tw_value_of_thread(report, metric, path, rank, HD_NONE);
}

int64_t
tw_value_of_thread(tw_report report, const char *metric, const char *path, hd_process rank, uint32_t thread)
{
    uint32_t number = hd_metric_by_id(metric);
    double   sum    = 0;

    for (size_t i = 0; i < report->n_rows; i++) {
        const row *one = &report->rows[i];

        if (one->process == rank.v && (thread == HD_NONE || one->thread == thread) &&
            strcmp(one->metric, metric) == 0 && (path == NULL || ends_with(one->path, path)))
            sum += one->value;
    }
    if (number != HD_NONE && hd_metric_infos[number].unit == HD_UNIT_TICKS)
        sum *= report->resolution;
    return llround(sum);
}

/* The `field`-th list of a line, at the slice. */
static int64_t
element_of(const char *line, uint32_t slice, int field)
{
    unsigned first;
    int      n = 0;

    if (sscanf(line, "%*[^\t]\t%*[^\t]\t%*u\t%*u\t%u\t%n", &first, &n) != 1 || n == 0 || slice < first)
        return -1;
    for (line += n; field > 0; field--)
        line += strcspn(line, "\t\n") + 1;
    for (; slice > first; slice--) {
        line += strcspn(line, ",\t\n");
        if (*line != ',')
            return -1;
        line++;
    }
    return *line >= '0' && *line <= '9' ? strtoll(line, NULL, 10) : -1;
}

static int64_t
value_in(const char *table, const char *metric, hd_process rank, uint32_t slice)
{
    char       *place = hd_format("\n%s\t%" PRIu32 "\t1\t", metric, rank.v);
    const char *line  = strstr(table, place);
    int64_t     value = line != NULL ? element_of(line + 1, slice, 0) : 0;

    free(place);
    return value > 0 ? value : 0;
}

int64_t
tw_series_value(tw_report report, const char *metric, hd_process rank, uint32_t slice)
{
    return value_in(text_or_empty(report->series), metric, rank, slice);
}

int64_t
tw_iteration_value(tw_report report, const char *metric, hd_process rank, uint32_t slice)
{
    return value_in(text_or_empty(report->iterations), metric, rank, slice);
}

const char *
tw_iterations(tw_report report)
{
    return text_or_empty(report->iterations);
}

const char *
tw_series(tw_report report)
{
    return text_or_empty(report->series);
}

tw_path_series
tw_path_series_value(tw_report report, bool over_iterations, const char *metric, uint32_t call_path, uint32_t slice)
{
    char          *begin = hd_format("\n%s\t%" PRIu32 "\t", metric, call_path);
    const char    *table = text_or_empty(report->path_series), *head = "metric\tcallpath\t", *line;
    tw_path_series value = { 0, 0, HD_NONE };

    if (over_iterations && (table = strstr(table + 1, head)) == NULL)
        table = "";
    line = strstr(table, begin);
    free(begin);
    if (line == NULL || (!over_iterations && strstr(table + 1, head) != NULL && line > strstr(table + 1, head)) ||
        element_of(line + 1, slice, 0) < 0)
        return value;
    value.sum     = element_of(line + 1, slice, 0);
    value.most    = element_of(line + 1, slice, 1);
    value.process = (uint32_t)element_of(line + 1, slice, 2);
    return value;
}

const char *
tw_path_series_text(tw_report report)
{
    return text_or_empty(report->path_series);
}

const char *
tw_counts(tw_report report)
{
    return text_or_empty(report->counts);
}

const char *
tw_delays(tw_report report)
{
    return text_or_empty(report->delays);
}

const char *
tw_lags(tw_report report)
{
    return text_or_empty(report->lags);
}

const char *
tw_startup(tw_report report)
{
    return text_or_empty(report->startup);
}

int64_t
tw_startup_value(tw_report report, const char *metric, uint32_t call_path, uint32_t location)
{
    char    *text   = hd_strdup(tw_startup(report)), *next = text, *line;
    char    *place  = hd_format("%s\t%" PRIu32 "\t", metric, call_path);
    uint32_t number = hd_metric_by_id(metric);
    double   value  = 0;

    while ((line = field_take(&next, '\n')) != NULL)
        if (strncmp(line, place, strlen(place)) == 0) {
            char       *rest       = line + strlen(place);
            const char *resolution = field_take(&rest, '\t');
            uint32_t    at         = (uint32_t)strtoul(field_take(&rest, '\t'), NULL, 10);

            for (; rest != NULL && at < location; at++)
                rest = (rest = strchr(rest, ',')) != NULL ? rest + 1 : NULL;
            if (rest != NULL && at == location && *rest != ',' && *rest != '\0')
                value = strtod(rest, NULL) / (*resolution != '\0' ? strtod(resolution, NULL) : 1);
        }
    free(text);
    free(place);
    return llround(number != HD_NONE && hd_metric_infos[number].unit == HD_UNIT_TICKS ? value * report->resolution :
                   value);
}

int64_t
tw_cause(tw_report report, const char *cause, const char *effect, const char *kind, bool is_long_term)
{
    char  *text = hd_strdup(report->causes == NULL ? "" : report->causes), *next = text, *line;
    double sum  = 0;

    while ((line = field_take(&next, '\n')) != NULL) {
        char *from = field_take(&line, '\t'), *at = from == NULL ? NULL : field_take(&line, '\t');
        char *of   = at == NULL ? NULL : field_take(&line, '\t'), *value = of == NULL ? NULL : field_take(&line, '\t');

        if (value != NULL && strcmp(of, kind) == 0 && ends_with(at, effect) &&
            (cause == NULL ? *from == '\0' : ends_with(from, cause)))
            sum += strtod(is_long_term ? line : value, NULL);
    }
    free(text);
    return llround(sum * report->resolution);
}

uint64_t
tw_finding(tw_report report, const char *kind)
{
    size_t   n     = strlen(kind);
    uint64_t count = 0;

    for (const char *line = report->findings; line != NULL && *line != '\0'; line = strchr(line, '\n')) {
        if (*line == '\n')
            line++;
        if (strncmp(line, kind, n) == 0 && line[n] == '\t')
            count += strtoull(line + n + 1, NULL, 10);
    }
    return count;
}
