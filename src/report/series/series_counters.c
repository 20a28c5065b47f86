/* src/report/series/series_counters.c: adds up the rows of counters, and what is divided by what. */
#include "series_counters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "blocks.h"
#include "count_sums.h"
#include "count_text.h"
#include "counter_patterns.h"
#include "csv.h"
#include "json_document.h"
#include "memory.h"
#include "verdict.h"

enum { NAME_COLUMNS = 36, MOST_NAME_COLUMNS = 44, VALUE_COLUMNS = 10, MIN_BLOCKS = 10 };

/* ---- which there are --------------------------------------------------------------------------------------------- */

static void
add_counters(const hd_cube *cube, hd_series_counters *counters)
{
    for (uint32_t k = 0; k < counters->list.n_counters; k++)
        for (uint32_t i = 0; i < cube->n_metrics; i++)
            if (strncmp(cube->metrics[i].id, "c_", 2) == 0 && strcmp(cube->metrics[i].name, counters->list.names[k]) == 0) {
                counters->choices[counters->n++] = (hd_counter_choice){ cube->metrics[i].id, cube->metrics[i].name,
                                                                        cube->metrics[i].unit, k, HD_NONE, 1, false, false };
                break;
            }
}

/* Ratios that the report has as metrics, too. */
static void
add_ratio(const hd_cube *cube, hd_series_counters *counters, const char *id, const char *patterns, const char *per,
          double factor)
{
    const hd_counter_series_list *list   = &counters->list;
    uint32_t                      metric = hd_cube_metric_by_id(cube, id);
    uint32_t                      above  = hd_counter_find_name(list->names, list->n_counters, patterns);
    uint32_t                      below  = hd_counter_find_name(list->names, list->n_counters, per);

    if (metric != HD_NONE && above != HD_NONE && below != HD_NONE)
        counters->choices[counters->n++] = (hd_counter_choice){ cube->metrics[metric].id, cube->metrics[metric].name, "",
                                                                above, below, factor, false, false };
}

static void
add_counts(const hd_cube *cube, hd_series_counters *counters)
{
    for (uint32_t k = counters->list.n_counters; k < counters->list.n_names; k++) {
        uint32_t metric = hd_cube_metric_by_id(cube, counters->list.names[k]);

        if (metric != HD_NONE)
            counters->choices[counters->n++] = (hd_counter_choice){ cube->metrics[metric].id, cube->metrics[metric].name,
                                                                    cube->metrics[metric].unit, k, HD_NONE, 1, true,
                                                                    hd_count_sums_have(cube->metrics[metric].id) };
    }
}

static void
choose(const hd_cube *cube, hd_series_counters *counters)
{
    static const struct {
        const char *id, *patterns, *per;
        double      factor;
    } ratios[HD_COUNTER_RATIOS] = { { "ipc", HD_COUNTER_INSTRUCTIONS, HD_COUNTER_CYCLES, 1 },
                                    { "l3_mpki", HD_COUNTER_L3_MISSES, HD_COUNTER_INSTRUCTIONS, 1000 },
                                    { "l2_mpki", HD_COUNTER_L2_MISSES, HD_COUNTER_INSTRUCTIONS, 1000 },
                                    { "l1_mpki", HD_COUNTER_L1_MISSES, HD_COUNTER_INSTRUCTIONS, 1000 } };

    add_counters(cube, counters);
    for (size_t i = 0; i < HD_COUNTER_RATIOS; i++)
        add_ratio(cube, counters, ratios[i].id, ratios[i].patterns, ratios[i].per, ratios[i].factor);
    add_counts(cube, counters);
}

hd_status
hd_series_counters_read(hd_cube *cube, const hd_series_list *windows, const hd_iteration_list *iterations,
                        hd_series_counters *counters)
{
    hd_status status;

    *counters = (hd_series_counters){ .windows = windows, .iterations = iterations };
    status    = hd_counter_series_list_read(cube, iterations != NULL, true,
                                            iterations != NULL ? iterations->n_slices + 3 : windows->n_slices,
                                            &counters->list);
    if (status == HD_OK) {
        hd_count_sums_add(&counters->list);
        choose(cube, counters);
    }
    return status;
}

void
hd_series_counters_fini(hd_series_counters *counters)
{
    hd_counter_series_list_fini(&counters->list);
    *counters = (hd_series_counters){ .n = 0 };
}

static const hd_counter_choice *
find(const hd_series_counters *counters, const char *id)
{
    for (uint32_t i = 0; i < counters->n; i++)
        if (strcmp(counters->choices[i].id, id) == 0)
            return &counters->choices[i];
    return NULL;
}

hd_status
hd_series_counters_find(const hd_series_counters *counters, hd_cube *cube, const char *id,
                        const hd_counter_choice **choice)
{
    *choice = find(counters, id);
    return *choice != NULL ? HD_OK : hd_series_lack(cube, id, counters->list.n_names > counters->list.n_counters);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static double
ratio_of(const hd_counter_choice *choice, double above, double below)
{
    return below > 0 ? choice->factor * above / below : 0;
}

static void
view_counter(const hd_series_counters *counters, uint32_t counter, hd_series_view *view)
{
    hd_series_list    windows    = *counters->windows;
    hd_iteration_list iterations = { .region = "" };

    windows.entries = counters->list.processes;
    windows.n       = counters->list.n_processes;
    if (counters->iterations != NULL) {
        iterations         = *counters->iterations;
        iterations.entries = counters->list.processes;
        iterations.n       = counters->list.n_processes;
    }
    hd_series_view_make(view, &windows, counters->iterations != NULL ? &iterations : NULL, counter);
    view->windows    = counters->iterations != NULL ? NULL : counters->windows;
    view->iterations = counters->iterations;
}

void
hd_series_counters_view(const hd_series_counters *counters, const hd_counter_choice *choice, hd_series_view *view)
{
    hd_series_view below;

    view_counter(counters, choice->counter, view);
    if (choice->per == HD_NONE)
        return;
    view_counter(counters, choice->per, &below);
    for (uint32_t row = 0; row < view->n_rows; row++) {
        for (uint32_t s = 0; s < view->n_slices; s++) {
            double *value = &view->values[(size_t)row * view->n_slices + s];
            double  per   = row < below.n_rows ? below.values[(size_t)row * view->n_slices + s] : 0;

            *value = per > 0 ? ratio_of(choice, *value, per) : NAN;
        }
        view->sums[row] = ratio_of(choice, view->sums[row], row < below.n_rows ? below.sums[row] : 0);
    }
    hd_series_view_fini(&below);
}

typedef struct row { /* of a choice */
    double *values;  /* [n_slices] */
    double  sum;     /* of those that are shown; of a ratio that of all of them */
} row;

static uint32_t
n_slices_of(const hd_series_counters *counters)
{
    return counters->iterations != NULL ? counters->iterations->n_slices + 3 : counters->windows->n_slices;
}

static uint32_t
n_shown(const hd_series_counters *counters)
{
    return counters->iterations != NULL ? counters->iterations->n_slices : counters->windows->n_slices - 2;
}

static bool
is_shown(const hd_series_counters *counters, uint32_t slice)
{
    return slice > 0 && slice <= n_shown(counters);
}

/* Of all processes. values: [n_slices] added to. Returns the sum of what is shown. */
static double
add_up(const hd_series_counters *counters, uint32_t counter, double *values)
{
    double sum = 0;

    for (size_t i = 0; i < counters->list.n_processes; i++) {
        const hd_series_entry *entry = &counters->list.processes[i];

        if (entry->metric != counter)
            continue;
        values[entry->slice] += entry->value;
        sum += is_shown(counters, entry->slice) ? entry->value : 0;
    }
    return sum;
}

static row
row_of_all(const hd_series_counters *counters, const hd_counter_choice *choice)
{
    uint32_t n     = n_slices_of(counters);
    row      of    = { .values = HD_NEW_ARRAY(double, n) };
    double  *below = HD_NEW_ARRAY(double, n);

    of.sum = add_up(counters, choice->counter, of.values);
    if (choice->per != HD_NONE) {
        of.sum = ratio_of(choice, of.sum, add_up(counters, choice->per, below));
        for (uint32_t s = 0; s < n; s++)
            of.values[s] = ratio_of(choice, of.values[s], below[s]);
    }
    free(below);
    return of;
}

/* ---- for a terminal ---------------------------------------------------------------------------------------------- */

/* The slices with the smallest and the largest value above 0; false: there is none. */
static bool
find_ends(const double *values, uint32_t n, uint32_t *least, uint32_t *most)
{
    *least = *most = 0;
    for (uint32_t s = 1; s <= n; s++) {
        if (values[s] > 0 && (*least == 0 || values[s] < values[*least]))
            *least = s;
        if (values[s] > 0 && (*most == 0 || values[s] > values[*most]))
            *most = s;
    }
    return *most > 0;
}

/* Of a ratio where it is least and most, of a counter what it is over iterations, and where most of it is. */
static void
print_words(const hd_summary_page *page, const hd_series_counters *counters, const hd_counter_choice *choice, const row *of)
{
    uint32_t n = n_shown(counters), least, most;
    char    *high, *low, *words;

    if (!find_ends(of->values, n, &least, &most))
        return;
    high = hd_series_slice_name(counters->iterations, n, most);
    low  = hd_series_slice_name(counters->iterations, n, least);
    if (choice->per != HD_NONE)
        words = hd_format("least in %s: %.4g, most in %s: %.4g", low, of->values[least], high, of->values[most]);
    else
        words = hd_format("most in %s: %s, %.3g %%", high, hd_count_text_short(of->values[most]).text,
                          100 * of->values[most] / of->sum);
    hd_summary_page_list(page, 4, words);
    free(words);
    free(high);
    free(low);
}

/* "growing" and what else a verdict says; that all iterations compute ("chronic") says nothing. */
static void
print_verdict(const hd_summary_page *page, const hd_series_counters *counters, const row *of)
{
    uint32_t   n      = n_shown(counters);
    uint64_t  *counts = HD_NEW_ARRAY(uint64_t, (size_t)n + 1);
    hd_verdict  verdict;
    char        buffer[HD_VERDICT_BYTES];
    const char *words;
    size_t      skip;

    for (uint32_t i = 0; i < n; i++)
        counts[i] = (uint64_t)fmin(of->values[i + 1], 0x1p52);
    verdict = hd_verdict_of(counts, n);
    words   = hd_verdict_words(buffer, &verdict);
    skip    = strncmp(words, "chronic", strlen("chronic")) == 0 ? strlen("chronic") : 0;
    skip += skip > 0 ? strspn(words + skip, ", ") : 0;
    if (words[skip] != '\0')
        hd_summary_page_list(page, 4, words + skip);
    free(counts);
}

char *
hd_counter_choice_title(const hd_counter_choice *choice)
{
    if (!choice->is_count)
        return hd_format("%s in computation", choice->name);
    return strcasecmp(choice->name, choice->id) == 0 ? hd_strdup(choice->name) :
           hd_format("%s (%s)", choice->name, choice->id);
}

static char *
title_of(const hd_counter_choice *choice)
{
    char *name = choice->is_count ? hd_counter_choice_title(choice) : hd_strdup(choice->name), *title;

    if (choice->unit[0] == '\0' || strcmp(choice->unit, "#") == 0 || strcmp(choice->unit, "occ") == 0)
        return name;
    title = hd_format("%s [%s]", name, choice->unit);
    free(name);
    return title;
}

/* Of the names, where there is room for the longest one. choice: a sum is only printed if it is this one */
static uint32_t
name_columns_of(const hd_summary_page *page, const hd_series_counters *counters, const hd_counter_choice *choice)
{
    uint32_t others = 2 + VALUE_COLUMNS + 2 + MIN_BLOCKS, most = NAME_COLUMNS;

    for (const hd_counter_choice *of = counters->choices; of < &counters->choices[counters->n]; of++) {
        char *title = title_of(of);

        most = strlen(title) + 1 > most && (!of->is_sum || of == choice) ? (uint32_t)strlen(title) + 1 : most;
        free(title);
    }
    most = most < MOST_NAME_COLUMNS ? most : MOST_NAME_COLUMNS;
    return page->options.width < others + most ? NAME_COLUMNS : most;
}

static void
print_row(const hd_summary_page *page, const hd_series_counters *counters, const hd_counter_choice *choice,
          const char *name, const row *of)
{
    uint32_t columns = name_columns_of(page, counters, choice), width = page->options.width, used = 2 + columns + VALUE_COLUMNS + 2;
    hd_count_text value = hd_count_text_short(of->sum);

    hd_fit_text(page->file, page->cuts, 2, name, 2 + (int)columns);
    if (choice->per != HD_NONE)
        snprintf(value.text, sizeof value.text, "%.4g", of->sum);
    fprintf(page->file, "%*s%s", VALUE_COLUMNS, value.text, of->sum > 0 ? "  " : ""); /* no blanks at the end */
    hd_blocks_print(page->file, &of->values[1], n_shown(counters), width > used + MIN_BLOCKS ? width - used : MIN_BLOCKS);
    fputc('\n', page->file);
}

static void
print_choice(const hd_summary_page *page, const hd_series_counters *counters, const hd_counter_choice *choice,
             const row *of)
{
    char *title = title_of(choice);

    print_row(page, counters, choice, title, of);
    if (counters->iterations != NULL && choice->per == HD_NONE)
        print_verdict(page, counters, of);
    print_words(page, counters, choice, of);
    free(title);
}

/* Counts that are 0 in all that is shown are left out. */
static void
print_choices(const hd_summary_page *page, const hd_series_counters *counters, bool of_counts, const char *head)
{
    bool is_any = false;

    for (uint32_t i = 0; i < counters->n; i++) {
        row of;

        if (counters->choices[i].is_count != of_counts || counters->choices[i].is_sum)
            continue;
        of = row_of_all(counters, &counters->choices[i]);
        if (of.sum > 0 || !of_counts) {
            if (!is_any)
                fprintf(page->file, "%s, of all processes, by %s\n", head,
                        counters->iterations != NULL ? "iteration" : "window");
            is_any = true;
            print_choice(page, counters, &counters->choices[i], &of);
        }
        free(of.values);
    }
}

void
hd_series_counters_print(const hd_summary_page *page, const hd_series_counters *counters)
{
    print_choices(page, counters, false, "Counters in computation");
    print_choices(page, counters, true, "Visits, messages and bytes");
}

void
hd_series_counters_print_processes(const hd_summary_page *page, const hd_series_counters *counters,
                                   const hd_counter_choice *choice, uint32_t n_top)
{
    hd_series_view view;
    double        *left, sum;
    uint32_t       process;

    hd_series_counters_view(counters, choice, &view);
    left = memcpy(HD_NEW_ARRAY(double, (size_t)view.n_rows + 1), view.sums, view.n_rows * sizeof *left);
    for (size_t i = 0; i < (size_t)view.n_rows * view.n_slices; i++)
        view.values[i] = isnan(view.values[i]) ? 0 : view.values[i];
    while (n_top-- > 0 && (process = hd_take_largest(left, view.n_rows, &sum)) != HD_NONE) {
        row   of   = { &view.values[(size_t)process * view.n_slices], sum };
        char *name = hd_format("process %" PRIu32, process);

        print_row(page, counters, choice, name, &of);
        print_words(page, counters, choice, &of);
        free(name);
    }
    free(left);
    hd_series_view_fini(&view);
}

/* ---- by call path ------------------------------------------------------------------------------------------------ */

typedef struct path_row {   /* of a choice */
    uint32_t path;
    double  *above, *below; /* [n_slices] below: of a ratio */
    double   sums[2];       /* of both, of what is shown */
} path_row;

typedef struct path_rows {
    path_row *rows; /* [n] */
    size_t    n, capacity;
} path_rows;

static path_row *
row_of_path(path_rows *rows, uint32_t path, uint32_t n_slices)
{
    for (size_t i = rows->n; i-- > 0;)
        if (rows->rows[i].path == path)
            return &rows->rows[i];
    HD_PUSH(rows->rows, rows->n, rows->capacity,
            ((path_row){ .path = path, .above = HD_NEW_ARRAY(double, n_slices), .below = HD_NEW_ARRAY(double, n_slices) }));
    return &rows->rows[rows->n - 1];
}

static path_rows
rows_by_path(const hd_series_counters *counters, const hd_counter_choice *choice)
{
    path_rows rows = { .n = 0 };

    for (size_t i = 0; i < counters->list.n_paths; i++) {
        const hd_path_entry *entry = &counters->list.paths[i];
        bool                 is_below = entry->metric == choice->per;
        path_row            *of;

        if (entry->metric != choice->counter && !is_below)
            continue;
        of = row_of_path(&rows, entry->path, n_slices_of(counters));
        (is_below ? of->below : of->above)[entry->slice] += entry->value;
        of->sums[is_below] += is_shown(counters, entry->slice) ? entry->value : 0;
    }
    return rows;
}

/* Those of a ratio by what they are divided by. Its values become ratios. */
static void
print_path(const hd_summary_page *page, const hd_series_counters *counters, const hd_counter_choice *choice, path_row *of)
{
    row   shown = { of->above, of->sums[0] };
    char *title = title_of(choice);
    char *where = of->path != HD_NONE ? hd_summary_page_path_text(page, 4, of->path, "") : hd_strdup("at other call paths");

    if (choice->per != HD_NONE) {
        shown.sum = ratio_of(choice, of->sums[0], of->sums[1]);
        for (uint32_t s = 0; s < n_slices_of(counters); s++)
            of->above[s] = ratio_of(choice, of->above[s], of->below[s]);
    }
    print_row(page, counters, choice, title, &shown);
    fprintf(page->file, "    %s\n", where);
    if (counters->iterations != NULL && choice->per == HD_NONE)
        print_verdict(page, counters, &shown);
    print_words(page, counters, choice, &shown);
    free(where);
    free(title);
}

void
hd_series_counters_print_paths(const hd_summary_page *page, const hd_series_counters *counters,
                               const hd_counter_choice *choice, uint32_t n_top)
{
    path_rows rows = rows_by_path(counters, choice);
    double   *left = HD_NEW_ARRAY(double, rows.n + 1), sum;
    uint32_t  at;

    for (size_t i = 0; i < rows.n; i++)
        left[i] = rows.rows[i].sums[choice->per != HD_NONE];
    while (n_top-- > 0 && (at = hd_take_largest(left, (uint32_t)rows.n, &sum)) != HD_NONE)
        print_path(page, counters, choice, &rows.rows[at]);
    for (size_t i = 0; i < rows.n; i++) {
        free(rows.rows[i].above);
        free(rows.rows[i].below);
    }
    free(rows.rows);
    free(left);
}

/* ---- for scripts ------------------------------------------------------------------------------------------------- */

static const hd_counter_choice *
choice_of(const hd_series_counters *counters, uint32_t counter)
{
    for (uint32_t i = 0; i < counters->n; i++)
        if (counters->choices[i].per == HD_NONE && counters->choices[i].counter == counter)
            return &counters->choices[i];
    return NULL;
}

/* Of a ratio both of its counters are; of all, no sum is. */
static bool
is_of(const hd_counter_choice *of, const hd_counter_choice *choice)
{
    return of != NULL && (choice == NULL ? !of->is_sum : choice->counter == of->counter || choice->per == of->counter);
}

static void
put_times(FILE *file, const hd_series_counters *counters, uint32_t slice) /* empty fields: it has none of its own */
{
    hd_series_view view = { .windows = counters->iterations != NULL ? NULL : counters->windows,
                            .iterations = counters->iterations, .n = n_shown(counters) };
    double         times[2];

    hd_series_view_times(&view, slice, &times[0], &times[1]);
    for (int i = 0; i < 2; i++)
        fprintf(file, isnan(times[i]) ? "," : "%.17g,", times[i]);
}

void
hd_series_counters_csv(FILE *file, const hd_series_counters *counters, const hd_counter_choice *choice)
{
    for (size_t i = 0; i < counters->list.n_processes; i++) {
        const hd_series_entry   *entry = &counters->list.processes[i];
        const hd_counter_choice *of    = choice_of(counters, entry->metric);

        if (!is_of(of, choice))
            continue;
        hd_csv_text(file, of->id);
        fprintf(file, ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",", entry->process, entry->n_processes, entry->slice);
        put_times(file, counters, entry->slice);
        fprintf(file, "%.17g\n", entry->value);
    }
}

void
hd_series_counters_csv_paths(FILE *file, const hd_cube *cube, const hd_series_counters *counters,
                             const hd_counter_choice *choice)
{
    for (size_t i = 0; i < counters->list.n_paths; i++) {
        const hd_path_entry     *entry = &counters->list.paths[i];
        const hd_counter_choice *of    = choice_of(counters, entry->metric);

        if (!is_of(of, choice))
            continue;
        hd_csv_text(file, of->id);
        fputc(',', file);
        if (entry->path != HD_NONE)
            fprintf(file, "%" PRIu32, cube->paths[entry->path].number);
        fputc(',', file);
        if (entry->path != HD_NONE)
            hd_csv_path(file, cube, entry->path);
        fprintf(file, ",%" PRIu32 ",", entry->slice);
        put_times(file, counters, entry->slice);
        fprintf(file, "%.17g,,,%" PRIu32 "\n", entry->value, entry->n_processes);
    }
}

static void
put_values(hd_json *json, const hd_series_counters *counters, const double *values)
{
    uint32_t n = n_shown(counters);

    hd_json_number(json, "before", values[0]);
    hd_json_number(json, "after", values[n + 1]);
    hd_json_number(json, "between", counters->iterations != NULL ? values[n + 2] : 0);
    hd_json_array(json, "values");
    for (uint32_t s = 1; s <= n; s++)
        hd_json_number(json, NULL, values[s]);
    hd_json_end(json);
}

static void
put_processes(hd_json *json, const hd_series_counters *counters, const hd_counter_choice *choice)
{
    hd_series_view view;

    hd_series_counters_view(counters, choice, &view);
    hd_json_array(json, "processes");
    for (uint32_t process = 0; process < view.n_rows; process++) {
        if (view.n_together[process] == 0)
            continue;
        hd_json_object(json, NULL);
        hd_json_count(json, "process", process);
        hd_json_count(json, "processes", view.n_together[process]);
        put_values(json, counters, view.values + (size_t)process * view.n_slices);
        hd_json_end(json);
    }
    hd_json_end(json);
    hd_series_view_fini(&view);
}

static void
put_paths(hd_json *json, const hd_cube *cube, const hd_series_counters *counters, const hd_counter_choice *choice)
{
    path_rows rows = rows_by_path(counters, choice);

    hd_json_array(json, "paths");
    for (size_t i = 0; i < rows.n; i++) {
        hd_json_object(json, NULL);
        hd_json_call_path(json, cube, rows.rows[i].path);
        put_values(json, counters, rows.rows[i].above);
        hd_json_end(json);
        free(rows.rows[i].above);
        free(rows.rows[i].below);
    }
    hd_json_end(json);
    free(rows.rows);
}

/* The member: those of metrics, or of counters. */
static void
put_choices(hd_json *json, const char *key, const hd_cube *cube, const hd_series_counters *counters, bool is_wanted,
            const hd_counter_choice *choice)
{
    bool of_counts = strcmp(key, "counts") == 0;

    hd_json_array(json, key);
    for (uint32_t i = 0; i < counters->n && is_wanted; i++) {
        const hd_counter_choice *of    = &counters->choices[i];
        row                      whole;

        if (of->per != HD_NONE || of->is_count != of_counts || !is_of(of, choice))
            continue;
        whole = row_of_all(counters, of);
        hd_json_object(json, NULL);
        hd_json_metric(json, of->id, of->name);
        hd_json_text(json, "unit", of->unit);
        put_values(json, counters, whole.values);
        put_processes(json, counters, of);
        put_paths(json, cube, counters, of);
        hd_json_end(json);
        free(whole.values);
    }
    hd_json_end(json);
}

void
hd_json_counter_series(hd_json *json, const hd_cube *cube, const hd_series_counters *counters, bool is_wanted,
                       const char *id)
{
    const hd_counter_choice *choice = id != NULL ? find(counters, id) : NULL;

    put_choices(json, "counters", cube, counters, is_wanted, choice);
    put_choices(json, "counts", cube, counters, is_wanted, choice);
}
