/* src/report/terminal/summary_page.c: sums of metrics that sections share, and the lines that sections are made of. */
#include "summary_page.h"

#include "division.h"
#include "escape.h"
#include "memory.h"
#include "path_source.h"
#include "number_ranges.h"
#include "path_cut.h"
#include "sentence.h"
#include "time_text.h"

enum { NUMBER_COLUMNS = 20, MIN_WIDTH = 50, MAX_WIDTH = 1000, FAR = 60 /* columns without a leader */ };

#define MOST 0.8 /* of a metric: what those who carry it have to make up together */

/* ---- sums -------------------------------------------------------------------------------------------------------- */

void
hd_summary_page_init(hd_summary_page *page, hd_cube *cube, FILE *file, const hd_summary_options *options)
{
    *page               = (hd_summary_page){ .cube = cube, .file = file, .options = *options };
    page->options.width = hd_summary_width(options->width);
    if (page->options.n_top == 0)
        page->options.n_top = 3;
    if (page->options.n_instances == 0)
        page->options.n_instances = page->options.n_top;
    page->totals = HD_NEW_ARRAY(hd_metric_totals, (size_t)cube->n_metrics + 1);
    page->row    = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    page->cuts   = HD_NEW(hd_name_cuts);
}

void
hd_summary_page_fini(hd_summary_page *page)
{
    for (uint32_t i = 0; i < page->cube->n_metrics; i++) {
        free(page->totals[i].of_path);
        free(page->totals[i].of_process);
    }
    free(page->totals);
    free(page->row);
    hd_name_cuts_fini(page->cuts);
    free(page->cuts);
}

hd_status
hd_summary_page_sum(hd_summary_page *page, uint32_t metric, bool per_path)
{
    hd_cube          *cube   = page->cube;
    hd_metric_totals *totals = &page->totals[metric];
    hd_status         status = HD_OK;

    if (totals->is_known && (!per_path || totals->of_path != NULL))
        return HD_OK;
    totals->sum = 0;
    if (per_path && totals->of_path == NULL)
        totals->of_path = HD_NEW_ARRAY(double, (size_t)cube->n_paths + 1);
    for (uint32_t path = 0; path < cube->n_paths && status == HD_OK; path++) {
        double sum = 0;
        bool   any;

        status = hd_cube_row(cube, metric, path, page->row, &any);
        if (status != HD_OK || !any)
            continue;
        for (uint32_t i = 0; i < cube->n_locations; i++)
            sum += page->row[i];
        totals->sum += sum;
        if (per_path)
            totals->of_path[path] = sum;
    }
    totals->is_known = true;
    return status;
}

hd_status
hd_summary_page_sum_time(hd_summary_page *page)
{
    hd_cube  *cube   = page->cube;
    uint32_t  time   = hd_cube_metric_by_id(cube, "time");
    hd_status status = HD_OK;

    for (uint32_t metric = 0; metric < cube->n_metrics && status == HD_OK; metric++) {
        bool is_wait_state = hd_metric_is_wait_state(hd_metric_by_id(cube->metrics[metric].id));

        if (is_wait_state || hd_metric_is_below(cube, metric, time))
            status = hd_summary_page_sum(page, metric, is_wait_state);
    }
    page->time = time != HD_NONE ? page->totals[time].sum : 0;
    return status;
}

hd_status
hd_summary_page_of_processes(hd_summary_page *page, uint32_t metric, const double **values)
{
    hd_metric_totals *totals = &page->totals[metric];
    hd_status         status = HD_OK;

    if (totals->of_process == NULL) {
        totals->of_process = HD_NEW_ARRAY(double, (size_t)page->cube->n_groups + 1);
        status             = hd_division_sum(page->cube, metric, NULL, totals->of_process);
    }
    *values = totals->of_process;
    return status;
}

double
hd_summary_page_total(hd_summary_page *page, const char *id, hd_status *status)
{
    uint32_t metric = hd_cube_metric_by_id(page->cube, id);

    if (metric == HD_NONE || *status != HD_OK)
        return 0;
    *status = hd_summary_page_sum(page, metric, false);
    return page->totals[metric].sum;
}

const hd_metric_totals *
hd_summary_page_totals(hd_summary_page *page, hd_metric metric, hd_status *status)
{
    uint32_t number = hd_cube_metric_by_id(page->cube, hd_metric_infos[metric].id);

    if (number == HD_NONE || *status != HD_OK)
        return NULL;
    *status = hd_summary_page_sum(page, number, true);
    return *status == HD_OK ? &page->totals[number] : NULL;
}

bool
hd_metric_is_below(const hd_cube *cube, uint32_t metric, uint32_t root)
{
    while (metric != HD_NONE && metric != root)
        metric = cube->metrics[metric].parent;
    return metric == root && root != HD_NONE;
}

const char *
hd_plural(double n)
{
    return n == 1 ? "" : "s";
}

double
hd_share(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

uint32_t
hd_take_largest(double *values, uint32_t n, double *value)
{
    uint32_t largest = HD_NONE;

    for (uint32_t i = 0; i < n; i++)
        if (values[i] > 0 && (largest == HD_NONE || values[i] > values[largest]))
            largest = i;
    if (largest != HD_NONE) {
        *value          = values[largest];
        values[largest] = 0;
    }
    return largest;
}

uint32_t
hd_summary_width(uint32_t columns)
{
    if (columns == 0)
        return 80;
    return columns < MIN_WIDTH ? MIN_WIDTH : columns > MAX_WIDTH ? MAX_WIDTH : columns;
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

void
hd_fit_text(FILE *file, hd_name_cuts *cuts, int indent, const char *text, int columns)
{
    int         room = columns - indent < 0 ? 0 : columns - indent, length;
    const char *cut  = hd_name_cut(cuts, text, (uint32_t)room);

    length = (int)hd_text_columns(cut);
    fprintf(file, "%*s%s", indent, "", cut);
    if (room - length > FAR) {
        fputc(' ', file);
        for (int i = length + 1; i < room; i++)
            fputc('.', file);
    } else
        fprintf(file, "%*s", length < room ? room - length : 0, "");
}

char *
hd_summary_page_path_text(const hd_summary_page *page, uint32_t indent, uint32_t path, const char *behind)
{
    uint32_t used = NUMBER_COLUMNS + indent + hd_text_columns(behind);
    char    *cut  = hd_path_cut(page->cube, path, page->options.width > used ? page->options.width - used : 0);
    char    *text = hd_format("%s%s", cut, behind);

    free(cut);
    return text;
}

void
hd_summary_page_row(const hd_summary_page *page, uint32_t indent, const char *text, double seconds, double percent)
{
    hd_fit_text(page->file, page->cuts, (int)indent, text, (int)page->options.width - NUMBER_COLUMNS);
    fprintf(page->file, "%11s %6.1f %%\n", hd_time_column(seconds).text, percent);
}

void
hd_summary_page_path(const hd_summary_page *page, uint32_t indent, uint32_t path, double seconds, double percent)
{
    char *text = hd_summary_page_path_text(page, indent, path, "");

    hd_summary_page_row(page, indent, text, seconds, percent);
    hd_summary_page_source(page, indent + 2, path);
    free(text);
}

void
hd_summary_page_noted_path(const hd_summary_page *page, uint32_t indent, uint32_t path, const char *note,
                           double seconds, double percent)
{
    char *behind  = *note != '\0' ? hd_format(" (%s)", note) : hd_strdup("");
    char *text    = hd_summary_page_path_text(page, indent, path, behind);
    bool  is_long = *note != '\0' && hd_text_columns(text) + indent + NUMBER_COLUMNS > page->options.width;

    if (is_long) {
        free(text);
        text = hd_summary_page_path_text(page, indent, path, "");
    }
    hd_summary_page_row(page, indent, text, seconds, percent);
    if (is_long)
        hd_summary_page_sentence(page, indent + 2, note);
    free(text);
    free(behind);
}

void
hd_summary_page_source(const hd_summary_page *page, uint32_t indent, uint32_t path)
{
    char *text = hd_path_source_text(page->cube, path, page->options.is_verbose);

    if (text != NULL && indent < page->options.width / 2)
        hd_summary_page_sentence(page, indent, text);
    else if (text != NULL) /* the last column of a table */
        fprintf(page->file, "%*s%s\n", (int)indent, "", text);
    free(text);
}

/* Whether no time passed between the first and the last event of each process. */
static bool
has_no_time(hd_cube *cube)
{
    uint32_t metric = hd_cube_metric_by_id(cube, "time");
    double  *sums   = HD_NEW_ARRAY(double, (size_t)cube->n_groups + 1), sum = 0;
    bool     is_so  = metric != HD_NONE && hd_division_sum(cube, metric, NULL, sums) == HD_OK;

    for (uint32_t i = 0; i < cube->n_groups; i++)
        sum += sums[i];
    free(sums);
    return is_so && sum == 0;
}

void
hd_summary_advise(hd_cube *cube, const char *command)
{
    bool is_cut = hd_cube_attribute_get(cube, "Heddle::Cut") != NULL;

    if (is_cut || hd_cube_attribute_get(cube, "Heddle::Algebra") != NULL) {
        hd_fail_detail("note", "reports made of other reports have none");
        if (is_cut && strstr(command, "--roi") == NULL)
            hd_fail_detail("try", "heddle analyze --roi=REGION, for a part of the program");
    } else if (has_no_time(cube))
        hd_fail_detail("note", "no time passes in the run: all events of a process are at the same time");
    else
        hd_fail_detail("try", "%s", command);
}

static bool
has_wait_states(const hd_cube *cube)
{
    bool has = false;

    for (uint32_t i = 0; i < cube->n_metrics; i++)
        has |= hd_metric_is_wait_state(hd_metric_by_id(cube->metrics[i].id));
    return has;
}

void
hd_summary_advise_waits(hd_cube *cube, const char *command)
{
    if (has_wait_states(cube))
        hd_summary_advise(cube, command);
    else
        hd_fail_detail("note", "it has no wait states: it is of a profile, or of a program without MPI, OpenMP and "
                               "POSIX threads");
}

bool
hd_path_is_mpi(const hd_cube *cube, uint32_t path)
{
    const hd_cube_region *region = &cube->regions[cube->paths[path].region];

    return strcmp(region->paradigm, "mpi") == 0 || strncmp(region->name, "MPI_", 4) == 0;
}

bool
hd_path_is_communication(const hd_cube *cube, uint32_t path)
{
    return hd_path_is_mpi(cube, path) || strcmp(cube->regions[cube->paths[path].region].paradigm, "shmem") == 0;
}

static bool
is_of_paradigm(const hd_cube *cube, uint32_t path, const char *paradigm)
{
    return strcmp(cube->regions[cube->paths[path].region].paradigm, paradigm) == 0;
}

/* The root of what threads do that the program creates. HD_NONE: the call path is not below it. */
static uint32_t
threads_around(const hd_cube *cube, uint32_t path)
{
    for (; path != HD_NONE; path = cube->paths[path].parent)
        if (is_of_paradigm(cube, path, "measurement") && strcmp(cube->paths[path].name, "THREADS") == 0)
            return path;
    return HD_NONE;
}

/* Whether a call of POSIX threads is below threads without a function that computes: their functions are not recorded.
 * Errors: those of hd_cube_row(). */
static hd_status
find_bare_thread(const hd_summary_page *page, uint32_t path, bool *is_bare)
{
    hd_cube  *cube    = page->cube;
    uint32_t  threads = is_of_paradigm(cube, path, "pthread") ? threads_around(cube, path) : HD_NONE;
    uint32_t  metric  = hd_cube_metric_by_id(cube, "comp");
    double    sum     = 0;
    bool      any;
    hd_status status = HD_OK;

    if (threads == HD_NONE || metric == HD_NONE)
        return HD_OK;
    for (uint32_t i = threads; i < cube->n_paths && status == HD_OK; i++) {
        if (threads_around(cube, i) != threads)
            continue;
        status = hd_cube_row(cube, metric, i, page->row, &any);
        for (uint32_t j = 0; j < cube->n_locations && status == HD_OK; j++)
            sum += page->row[j];
    }
    *is_bare |= status == HD_OK && sum == 0;
    return status;
}

hd_status
hd_cause_kinds_add(hd_cause_kinds *kinds, const hd_summary_page *page, uint32_t path)
{
    hd_cube            *cube   = page->cube;
    const hd_cube_path *of     = &cube->paths[path];
    uint32_t            metric = hd_cube_metric_by_id(cube, "mpi_nbc_wait");
    hd_status           status = HD_OK;
    bool                any    = false;

    kinds->has_program |= of->parent == HD_NONE && strcmp(cube->regions[of->region].paradigm, "measurement") == 0;
    if (!hd_path_is_communication(cube, path))
        return find_bare_thread(page, path, &kinds->has_bare_thread);
    kinds->has_call = true;
    if (metric != HD_NONE)
        status = hd_cube_row(cube, metric, path, page->row, &any);
    for (uint32_t i = 0; i < cube->n_locations && status == HD_OK && any; i++)
        kinds->has_nbc_wait |= page->row[i] > 0;
    return status;
}

void
hd_summary_page_cause_kinds(const hd_summary_page *page, hd_cause_kinds kinds)
{
    if (kinds.has_program)
        hd_summary_page_sentence(page, 2, "The program itself as root cause: time outside of all functions that were "
                                          "recorded (heddle record --sample 100 records those that compute).");
    if (kinds.has_bare_thread)
        hd_summary_page_sentence(page, 2, "A call of POSIX threads as root cause: what its thread does between such "
                                          "calls is in no function that was recorded (heddle record --sample 100 "
                                          "records those that compute).");
    if (kinds.has_call)
        hd_summary_page_sentence(page, 2, "A communication call as root cause: time in the call without its waiting, "
                                          "for transfer, progress or system noise (heddle explain "
                                          "communication-call-as-cause).");
    if (kinds.has_nbc_wait)
        hd_summary_page_sentence(page, 2, "Only waiting in non-blocking collectives is part of that time: what causes it "
                                          "contributes to Non-blocking collectives.");
}

void
hd_summary_page_put_path(const hd_summary_page *page, uint32_t path, double value, double whole)
{
    hd_json_object(page->json, NULL);
    hd_json_call_path(page->json, page->cube, path);
    hd_json_share(page->json, value, whole);
}

void
hd_summary_page_sentence(const hd_summary_page *page, uint32_t indent, const char *text)
{
    hd_sentence_print(page->file, page->options.width, indent, text);
}

void
hd_summary_page_startup(const hd_summary_page *page, const hd_startup *startup)
{
    char *text = hd_startup_text(startup), *line;

    if (text == NULL)
        return;
    line = hd_format("%s --with-startup counts it.", text);
    hd_summary_page_sentence(page, 0, line);
    free(line);
    free(text);
}

void
hd_summary_page_shared_processors(const hd_summary_page *page)
{
    const char *shared = hd_cube_attribute_get(page->cube, HD_SHARED_PROCESSORS_ATTRIBUTE);
    char       *escaped, *line;

    if (shared == NULL)
        return;
    escaped = hd_escaped(shared);
    line    = hd_format("%s.", escaped);
    hd_summary_page_sentence(page, 0, line);
    free(line);
    free(escaped);
}

void
hd_summary_page_headline(const hd_summary_page *page, const char *what)
{
    char *path = hd_escaped(page->cube->path), *line = hd_format("Report \"%s\": %s", path, what);

    hd_summary_page_sentence(page, 0, line);
    free(line);
    free(path);
}

void
hd_summary_page_list(const hd_summary_page *page, uint32_t indent, const char *text)
{
    hd_sentence_print_list(page->file, page->options.width, indent, text);
}

/* ---- who carries a metric ---------------------------------------------------------------------------------------- */

typedef struct carrier {
    uint32_t    number; /* of the process or thread */
    uint32_t    group;  /* of the process, in the report */
    const char *name;   /* of the thread */
    double      value;
} carrier;

static int
compare_values(const void *left, const void *right)
{
    const carrier *a = left, *b = right;

    if (a->value != b->value)
        return a->value > b->value ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static void
write_numbers(FILE *out, const carrier *carriers, uint32_t n)
{
    uint32_t *numbers = HD_NEW_ARRAY(uint32_t, (size_t)n + 1);

    for (uint32_t i = 0; i < n; i++)
        numbers[i] = carriers[i].number;
    hd_write_ranges(out, numbers, n);
    free(numbers);
}

/* The threads of a process, the largest first; free() them. values: [n_locations] */
static carrier *
threads_of(const hd_cube *cube, const carrier *process, const double *values, uint32_t *n)
{
    carrier *threads = HD_NEW_ARRAY(carrier, (size_t)cube->n_locations + 1);

    *n = 0;
    for (uint32_t i = 0; i < cube->n_locations; i++)
        if (cube->locations[i].group == process->group)
            threads[(*n)++] = (carrier){ .number = cube->locations[i].thread, .value = values[i] };
    qsort(threads, *n, sizeof *threads, compare_values);
    return threads;
}

/* " threads 1-3": those of a process that carry most of what it carries; nothing where that is its first thread
 * alone. */
static void
write_threads(FILE *out, const hd_cube *cube, const carrier *process, const double *values)
{
    uint32_t n, max_n = 0;
    carrier *threads = threads_of(cube, process, values, &n);
    double   sum     = 0;

    while (max_n < n && sum < MOST * process->value)
        sum += threads[max_n++].value;
    if (n > 1 && (max_n > 1 || threads[0].number != 0)) {
        fputs(max_n > 1 ? " threads " : " thread ", out);
        write_numbers(out, threads, max_n);
    }
    free(threads);
}

/* carriers: [n] the largest first; values: [n_locations] */
static void
write_carriers(FILE *out, const hd_cube *cube, carrier *carriers, uint32_t n, uint32_t n_top, double whole,
               const double *values)
{
    bool     are_threads = cube->n_groups == 1;
    double   sum = 0, of_top = 0;
    uint32_t max_n = 0;

    for (uint32_t i = 0; i < n && i < n_top; i++)
        of_top += carriers[i].value;
    while (max_n < n && sum < MOST * whole)
        sum += carriers[max_n++].value;
    if (max_n > n_top && of_top < whole / 2) {
        fprintf(out, "%" PRIu32 " of %" PRIu32 " %s: %.0f %% (", max_n, n, are_threads ? "threads" : "processes",
                hd_share(sum, whole));
        write_numbers(out, carriers, max_n);
        fputc(')', out);
        return;
    }
    for (uint32_t i = 0; i < n && i < n_top && hd_share(carriers[i].value, whole) >= 0.5; i++) {
        fputs(i > 0 ? ", " : "", out);
        if (are_threads)
            hd_write_escaped(out, carriers[i].name);
        else {
            fprintf(out, "process %" PRIu32, carriers[i].number);
            write_threads(out, cube, &carriers[i], values);
        }
        fprintf(out, ": %.0f %%", hd_share(carriers[i].value, whole));
    }
}

/* Null where the process has one thread, or is one of a list of threads. */
static void
put_threads(const hd_summary_page *page, const carrier *process, const double *values)
{
    uint32_t n;
    carrier *threads = threads_of(page->cube, process, values, &n);

    if (page->cube->n_groups == 1 || n < 2)
        hd_json_null(page->json, "threads");
    else {
        hd_json_array(page->json, "threads");
        for (uint32_t i = 0; i < n && i < page->options.n_top && threads[i].value > 0; i++) {
            hd_json_object(page->json, NULL);
            hd_json_count(page->json, "thread", threads[i].number);
            hd_json_share(page->json, threads[i].value, process->value);
            hd_json_end(page->json);
        }
        hd_json_end(page->json);
    }
    free(threads);
}

/* carriers: [n] the largest first; values: [n_locations] */
static void
put_carriers(const hd_summary_page *page, const carrier *carriers, uint32_t n, double whole, const double *values)
{
    bool are_threads = page->cube->n_groups == 1;

    hd_json_array(page->json, "processes");
    for (uint32_t i = 0; i < n && i < page->options.n_top && carriers[i].value > 0; i++) {
        hd_json_object(page->json, NULL);
        hd_json_count(page->json, "process", are_threads ? page->cube->locations[0].process : carriers[i].number);
        hd_json_index(page->json, "thread", are_threads ? carriers[i].number : HD_NONE);
        hd_json_share(page->json, carriers[i].value, whole);
        put_threads(page, &carriers[i], values);
        hd_json_end(page->json);
    }
    hd_json_end(page->json);
}

hd_status
hd_summary_page_carriers(hd_summary_page *page, uint32_t indent, const uint32_t *metrics, uint32_t n, uint32_t path)
{
    const hd_cube *cube        = page->cube;
    bool           are_threads = cube->n_groups == 1;
    uint32_t       n_carriers  = are_threads ? cube->n_locations : cube->n_groups;
    carrier       *carriers    = HD_NEW_ARRAY(carrier, (size_t)n_carriers + 1);
    double        *values      = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1), whole = 0;
    char          *text        = NULL;
    size_t         bytes       = 0;
    FILE          *out         = NULL;
    hd_status      status      = HD_OK;

    for (uint32_t m = 0; m < n && status == HD_OK; m++) {
        bool any;

        status = hd_cube_row(page->cube, metrics[m], path, page->row, &any);
        for (uint32_t i = 0; i < cube->n_locations && status == HD_OK; i++) {
            const hd_cube_location *location = &cube->locations[i];
            carrier                *own      = &carriers[are_threads ? i : location->group];

            own->number = are_threads ? location->thread : location->process;
            own->group  = location->group;
            own->name   = location->name;
            own->value += page->row[i];
            values[i] += page->row[i];
            whole += page->row[i];
        }
    }
    if (status != HD_OK || (n_carriers < 2 && page->json == NULL))
        goto out;
    qsort(carriers, n_carriers, sizeof *carriers, compare_values);
    if (page->json != NULL) {
        put_carriers(page, carriers, n_carriers, whole, values);
        goto out;
    }
    out = open_memstream(&text, &bytes);
    if (out == NULL)
        hd_fatal("out of memory: the summary cannot be written");
    write_carriers(out, cube, carriers, n_carriers, page->options.n_top, whole, values);
    if (fclose(out) != 0)
        hd_fatal("out of memory: the summary cannot be written");
    hd_summary_page_list(page, indent, text);
out:
    free(text);
    free(values);
    free(carriers);
    return status;
}
