/* src/report/terminal/section_efficiency.c: the section "Efficiencies": factors of the main window, and the lowest of
 * them with its call path. */
#include "section_efficiency.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "efficiency_json.h"
#include "escape.h"
#include "memory.h"
#include "summary_sections.h"
#include "time_text.h"
#include "wait_graph_list.h"

enum { COLUMN = 40 }; /* of percents */

/* ---- what is shown ----------------------------------------------------------------------------------------------- */

typedef struct efficiency_row {
    hd_factor   factor;
    uint32_t    indent;
    const char *behind;
} efficiency_row;

static const efficiency_row rows_of_mpi[] = {
    { HD_FACTOR_parallel, 2, "load balance x communication" },
    { HD_FACTOR_load_balance, 4, "useful time of the threads: mean / maximum" },
    { HD_FACTOR_communication, 4, "serialisation x transfer" },
    { HD_FACTOR_serialisation, 6, "what waiting for slower processes leaves" },
    { HD_FACTOR_transfer, 6, "what moving data leaves" },
};

static const efficiency_row rows_of_hybrid[] = {
    { HD_FACTOR_parallel, 2, "MPI x OpenMP" },
    { HD_FACTOR_mpi_parallel, 4, "load balance x serialisation x transfer" },
    { HD_FACTOR_mpi_load_balance, 6, "time outside of MPI of the processes: mean / maximum" },
    { HD_FACTOR_mpi_serialisation, 6, "what waiting for slower processes leaves" },
    { HD_FACTOR_mpi_transfer, 6, "what moving data leaves" },
    { HD_FACTOR_openmp_parallel, 4, "useful time of the threads / time outside of MPI" },
    { HD_FACTOR_openmp_load_balance, 6, NULL },
    { HD_FACTOR_openmp_communication, 6, NULL },
};

/* Of one process without a call of MPI, whose factors are all 1. */
static const efficiency_row rows_of_threads[] = {
    { HD_FACTOR_parallel, 2, "load balance x communication" },
    { HD_FACTOR_openmp_load_balance, 4, NULL },
    { HD_FACTOR_openmp_communication, 4, NULL },
};

char *
hd_percent_text(char *text, double factor)
{
    if (isnan(factor))
        snprintf(text, 16, "-");
    else
        snprintf(text, 16, "%.1f %%", 100 * factor);
    return text;
}

static void
print_rows(const hd_summary_page *page, const efficiency_row *rows, size_t n, const double *factors)
{
    char percent[16];

    for (size_t i = 0; i < n; i++) {
        fprintf(page->file, "%*s%-*s %8s%s%s\n", (int)rows[i].indent, "", COLUMN - (int)rows[i].indent,
                hd_factor_name(page->cube, rows[i].factor), hd_percent_text(percent, factors[rows[i].factor]),
                rows[i].behind != NULL && page->options.width >= 100 ? "   " : "",
                rows[i].behind != NULL && page->options.width >= 100 ? rows[i].behind : "");
    }
}

/* ---- what is lost ------------------------------------------------------------------------------------------------ */

static const hd_factor leaves_of_mpi[] = { HD_FACTOR_load_balance, HD_FACTOR_serialisation, HD_FACTOR_transfer };
static const hd_factor leaves_of_hybrid[] = { HD_FACTOR_mpi_load_balance, HD_FACTOR_mpi_serialisation,
                                              HD_FACTOR_mpi_transfer, HD_FACTOR_openmp_load_balance,
                                              HD_FACTOR_openmp_communication };

/* In words: "process 3, thread 1 WHAT 20 ms BEHIND". */
static void
name_loser(const hd_summary_page *page, uint32_t location, double lost, const char *what, const char *behind,
           hd_efficiency_loss *loss)
{
    const hd_cube_location *of   = &page->cube->locations[location];
    bool                    is_of_thread = of->thread > 0 || loss->factor == HD_FACTOR_openmp_load_balance ||
                                           loss->factor == HD_FACTOR_openmp_communication;
    char                   *name = is_of_thread ? hd_format("process %" PRIu32 ", thread %" PRIu32, of->process, of->thread) :
                                                    hd_format("process %" PRIu32, of->process);

    loss->location = location;
    loss->lost     = lost;
    loss->who      = hd_format("%s loses most: it %s %s %s", name, what, hd_time_text_of(lost).text, behind);
    free(name);
}

/* The location with the largest value. values: [n_locations] */
static void
find_loser(const hd_summary_page *page, const double *values, const char *what, const char *behind,
           hd_efficiency_loss *loss)
{
    uint32_t most = 0;

    for (uint32_t i = 1; i < page->cube->n_locations; i++)
        most = values[i] > values[most] ? i : most;
    if (page->cube->n_locations > 0 && values[most] > 0)
        name_loser(page, most, values[most], what, behind, loss);
}

/* A process is what its first thread is. times: [n_locations]; a location without events is no thread. */
static bool
counts(const hd_cube *cube, const double *times, uint32_t location, hd_factor factor)
{
    const hd_cube_location *of = &cube->locations[location];

    return times[location] > 0 && strcmp(of->type, "thread") == 0 &&
           (factor != HD_FACTOR_mpi_load_balance || of->thread == 0);
}

/* What load balance compares at a call path: useful time, of processes time outside of MPI. row: out, [n_locations];
 * other: [n_locations] scratch */
static hd_status
busy_row(hd_cube *cube, hd_factor factor, uint32_t path, double *row, double *other)
{
    bool      is_of_mpi = factor == HD_FACTOR_mpi_load_balance, any;
    uint32_t  metric    = hd_cube_metric_by_id(cube, is_of_mpi ? "time" : "comp");
    uint32_t  mpi       = is_of_mpi ? hd_cube_metric_by_id(cube, "mpi") : HD_NONE;
    hd_status status    = HD_OK;

    memset(row, 0, cube->n_locations * sizeof *row);
    if (metric != HD_NONE && (is_of_mpi || hd_efficiency_path_is_useful(cube, path)))
        status = hd_cube_row(cube, metric, path, row, &any);
    if (status == HD_OK && mpi != HD_NONE)
        status = hd_cube_row(cube, mpi, path, other, &any);
    for (uint32_t i = 0; i < cube->n_locations && status == HD_OK && mpi != HD_NONE; i++)
        row[i] -= other[i];
    return status;
}

typedef struct balance { /* of the locations that count */
    double  *times, *sums; /* [n_locations] all time; busy */
    uint32_t most, least, n;
} balance;

static hd_status
measure_balance(hd_summary_page *page, hd_factor factor, double *other, balance *of)
{
    hd_cube  *cube   = page->cube;
    uint32_t  time   = hd_cube_metric_by_id(cube, "time");
    hd_status status = time != HD_NONE ? hd_cube_sum(cube, time, NULL, of->times) : HD_OK;

    for (uint32_t path = 0; path < cube->n_paths && status == HD_OK; path++) {
        status = busy_row(cube, factor, path, page->row, other);
        for (uint32_t i = 0; i < cube->n_locations && status == HD_OK; i++)
            of->sums[i] += page->row[i];
    }
    for (uint32_t i = 0; i < cube->n_locations && status == HD_OK; i++) {
        if (!counts(cube, of->times, i, factor))
            continue;
        of->most  = of->n == 0 || of->sums[i] > of->sums[of->most] ? i : of->most;
        of->least = of->n == 0 || of->sums[i] < of->sums[of->least] ? i : of->least;
        of->n++;
    }
    return status;
}

static void
say_imbalance(const hd_summary_page *page, const balance *of, double value, double above, hd_efficiency_loss *loss)
{
    const hd_cube_location *most      = &page->cube->locations[of->most];
    bool                    is_of_mpi = loss->factor == HD_FACTOR_mpi_load_balance;

    loss->sentence = hd_format("process %" PRIu32 "%s %s: %s there, %s above the mean", most->process,
                               most->thread > 0 ? ", a worker," : "",
                               is_of_mpi ? "is outside of MPI longest" : "computes longest",
                               hd_time_text_of(value).text, hd_time_text_of(above).text);
    if (of->sums[of->least] < of->sums[of->most])
        name_loser(page, of->least, of->sums[of->most] - of->sums[of->least],
                   is_of_mpi ? "is outside of MPI" : "computes",
                   is_of_mpi ? "less than the longest" : "less than the one that computes longest", loss);
}

/* The call path at which the location that is busy longest is most above the mean. */
static hd_status
find_imbalance(hd_summary_page *page, hd_efficiency_loss *loss)
{
    hd_cube  *cube  = page->cube;
    double   *other = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1), above = 0, value = 0;
    balance   of    = { .times = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1),
                        .sums = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1) };
    hd_status status = measure_balance(page, loss->factor, other, &of);

    for (uint32_t path = 0; path < cube->n_paths && status == HD_OK && of.n > 0; path++) {
        double mean = 0;

        status = busy_row(cube, loss->factor, path, page->row, other);
        for (uint32_t i = 0; i < cube->n_locations && status == HD_OK; i++)
            mean += counts(cube, of.times, i, loss->factor) ? page->row[i] / of.n : 0;
        if (status == HD_OK && page->row[of.most] - mean > above) {
            above      = page->row[of.most] - mean;
            value      = page->row[of.most];
            loss->path = path;
        }
    }
    if (status == HD_OK && above > 0)
        say_imbalance(page, &of, value, above, loss);
    free(of.times);
    free(of.sums);
    free(other);
    return status;
}

/* A wait for processes that are late: what follows when the last one is there is transfer. */
static bool
is_wait_of_mpi(const hd_cube *cube, uint32_t metric)
{
    uint32_t mpi    = hd_cube_metric_by_id(cube, "mpi");
    uint32_t parent = cube->metrics[metric].parent;
    uint32_t of     = hd_metric_by_id(cube->metrics[metric].id);

    return mpi != HD_NONE && hd_metric_is_below(cube, metric, mpi) && hd_metric_is_wait_state(of) &&
           of != HD_METRIC_mpi_init_completion && of != HD_METRIC_mpi_barrier_completion &&
           of != HD_METRIC_mpi_nxn_completion &&
           (parent == HD_NONE || !hd_metric_is_wait_state(hd_metric_by_id(cube->metrics[parent].id)));
}

/* The interface of devices, or SHMEM, that a call path is a call of; NULL: of none. */
static const char *
interface_of(const hd_cube *cube, uint32_t path)
{
    static const char *const names[][2] = { { "cuda", "CUDA" },       { "opencl", "OpenCL" }, { "hip", "HIP" },
                                            { "openacc", "OpenACC" }, { "shmem", "SHMEM" } };

    const hd_cube_region *region = &cube->regions[cube->paths[path].region];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(region->paradigm, names[i][0]) == 0 && strcmp(region->name, "PARALLEL") != 0) /* around a program */
            return names[i][1];
    return NULL;
}

/* Calls for devices, if threads are longer in those of a call path than `most`: nothing is known of what they wait for. */
static hd_status
find_call(hd_summary_page *page, double most, hd_efficiency_loss *loss)
{
    hd_cube   *cube   = page->cube;
    uint32_t   time   = hd_cube_metric_by_id(cube, "time"), found = HD_NONE;
    double    *times  = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);
    hd_status  status = HD_OK;
    bool       any;

    for (uint32_t path = 0; path < cube->n_paths && status == HD_OK && time != HD_NONE; path++) {
        double sum = 0;

        if (interface_of(cube, path) == NULL)
            continue;
        status = hd_cube_row(cube, time, path, page->row, &any);
        for (uint32_t i = 0; i < cube->n_locations && status == HD_OK; i++) {
            page->row[i] = strcmp(cube->locations[i].type, "thread") == 0 ? page->row[i] : 0;
            sum += page->row[i];
        }
        if (sum <= most || status != HD_OK)
            continue;
        most  = sum;
        found = path;
        memcpy(times, page->row, cube->n_locations * sizeof *times);
    }
    if (found != HD_NONE && status == HD_OK) {
        free(loss->sentence);
        free(loss->who);
        loss->who      = NULL;
        loss->path     = found;
        loss->sentence = hd_format("calls of %s take %s there, of all processes together", interface_of(cube, found),
                                   hd_time_text_of(most).text);
        find_loser(page, times, "is in them for", "there", loss);
    }
    free(times);
    return status;
}

/* Waits of MPI: the largest at a call path; or calls for devices, where these take longer. */
static hd_status
find_wait(hd_summary_page *page, hd_efficiency_loss *loss)
{
    const hd_cube *cube = page->cube;
    uint32_t       of   = HD_NONE;
    double         most = 0;
    bool           any;
    hd_status      status = HD_OK;

    for (uint32_t metric = 0; metric < cube->n_metrics; metric++)
        for (uint32_t path = 0; page->totals[metric].of_path != NULL && is_wait_of_mpi(cube, metric) &&
             path < cube->n_paths; path++)
            if (page->totals[metric].of_path[path] > most) {
                most         = page->totals[metric].of_path[path];
                loss->path = path;
                of           = metric;
            }
    if (of != HD_NONE) {
        char *name = hd_escaped(cube->metrics[of].name);

        loss->sentence = hd_format("%s takes %s there, of all processes together", name, hd_time_text_of(most).text);
        free(name);
        status = hd_cube_row(page->cube, of, loss->path, page->row, &any);
        if (status == HD_OK)
            find_loser(page, page->row, "waits", "there", loss);
    }
    /* a process that is in such a call is outside of MPI */
    return status == HD_OK && loss->factor == HD_FACTOR_serialisation ? find_call(page, most, loss) : status;
}

/* MPI without waits at a call path, of each location. */
static hd_status
rest_of(hd_summary_page *page, uint32_t path, double *rest)
{
    hd_cube  *cube   = page->cube;
    bool      any;
    hd_status status = hd_cube_row(cube, hd_cube_metric_by_id(cube, "mpi"), path, rest, &any);

    for (uint32_t metric = 0; metric < cube->n_metrics && status == HD_OK; metric++) {
        if (!is_wait_of_mpi(cube, metric))
            continue;
        status = hd_cube_row(cube, metric, path, page->row, &any);
        for (uint32_t i = 0; i < cube->n_locations && status == HD_OK; i++)
            rest[i] -= page->row[i];
    }
    return status;
}

/* MPI without waits, of which there is most at a call path. */
static hd_status
find_transfer(hd_summary_page *page, hd_efficiency_loss *loss)
{
    const hd_cube          *cube   = page->cube;
    hd_status               status = HD_OK;
    const hd_metric_totals *mpi    = hd_summary_page_totals(page, HD_METRIC_mpi, &status);
    double                  most   = 0;

    for (uint32_t path = 0; path < cube->n_paths && status == HD_OK && mpi != NULL; path++) {
        double rest = mpi->of_path[path];

        for (uint32_t metric = 0; metric < cube->n_metrics && rest > most; metric++)
            if (page->totals[metric].of_path != NULL && is_wait_of_mpi(cube, metric))
                rest -= page->totals[metric].of_path[path];
        if (rest > most) {
            most         = rest;
            loss->path = path;
        }
    }
    if (loss->path != HD_NONE && status == HD_OK) {
        double *rows = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1);

        loss->sentence = hd_format("MPI takes %s there beside waiting, of all processes together",
                                   hd_time_text_of(most).text);
        status = rest_of(page, loss->path, rows);
        if (status == HD_OK)
            find_loser(page, rows, "is in MPI for", "there beside waiting", loss);
        free(rows);
    }
    return status;
}

/* What threads lose in parallel, in words that leave the summary's sentence on one line. */
static const struct {
    hd_factor   factor;
    const char *what;
} causes[] = {
    { HD_FACTOR_lost_imbalance, "unequal work" }, { HD_FACTOR_lost_fork, "fork and join" },
    { HD_FACTOR_lost_barrier, "barriers" },       { HD_FACTOR_lost_lock, "locks" },
    { HD_FACTOR_lost_tasks, "tasks" },            { HD_FACTOR_lost_ordered, "ordered regions" },
    { HD_FACTOR_lost_calls, "other calls" },      { HD_FACTOR_lost_mpi, "MPI" },
    { HD_FACTOR_lost_other, "devices" },          { HD_FACTOR_lost_absent, "absent threads" },
};
enum { N_CAUSES = sizeof causes / sizeof *causes };

/* That of the call path, and what threads lose most by in all of them. */
static char *
openmp_sentence(hd_metric of, double lost, const double *factors)
{
    size_t most = 0;

    if (of == HD_METRIC_omp_idle_threads)
        return hd_format("threads are idle for %s there, all together", hd_time_text_of(lost).text);
    for (size_t i = 1; i < N_CAUSES; i++)
        most = factors[causes[i].factor] > factors[causes[most].factor] ? i : most;
    if (!(factors[causes[most].factor] > 0))
        return hd_format("threads lose %s there", hd_time_text_of(lost).text);
    return hd_format("threads lose %s there; in all most by %s, %.1f %% of time", hd_time_text_of(lost).text,
                     causes[most].what, 100 * factors[causes[most].factor]);
}

/* Threads that are idle while their process is in MPI are lost by the factors of MPI. */
static hd_status
find_openmp(hd_summary_page *page, const double *factors, hd_efficiency_loss *loss)
{
    static const hd_metric metrics[] = { HD_METRIC_omp_time, HD_METRIC_omp_idle_threads, HD_METRIC_pthread_time };
    hd_status               status = HD_OK;
    const hd_metric_totals *mpi    = hd_summary_page_totals(page, HD_METRIC_mpi, &status);
    hd_metric               of     = HD_METRIC_omp_time;
    double                  most   = 0;
    bool                    any;

    for (size_t i = 0; i < sizeof metrics / sizeof *metrics && status == HD_OK; i++) {
        const hd_metric_totals *totals = hd_summary_page_totals(page, metrics[i], &status);

        for (uint32_t path = 0; totals != NULL && path < page->cube->n_paths; path++)
            if (totals->of_path[path] > most && (mpi == NULL || mpi->of_path[path] <= 0)) {
                most       = totals->of_path[path];
                loss->path = path;
                of         = metrics[i];
            }
    }
    if (loss->path == HD_NONE || status != HD_OK)
        return status;
    loss->sentence = openmp_sentence(of, most, factors);
    status = hd_cube_row(page->cube, hd_cube_metric_by_id(page->cube, hd_metric_infos[of].id), loss->path, page->row, &any);
    if (status == HD_OK)
        find_loser(page, page->row, "does not compute for", "there", loss);
    return status;
}

static hd_status
find_loss(hd_summary_page *page, const double *factors, hd_efficiency_loss *loss)
{
    switch (loss->factor) {
    case HD_FACTOR_serialisation:
    case HD_FACTOR_mpi_serialisation:
        return find_wait(page, loss);
    case HD_FACTOR_transfer:
    case HD_FACTOR_mpi_transfer:
        return find_transfer(page, loss);
    case HD_FACTOR_openmp_load_balance:
    case HD_FACTOR_openmp_communication:
        return find_openmp(page, factors, loss);
    default:
        return find_imbalance(page, loss);
    }
}

hd_status
hd_efficiency_losses_find(hd_summary_page *page, const hd_efficiency_entry *entry, const double *factors, bool all,
                          hd_efficiency_losses *losses)
{
    bool             is_hybrid = hd_efficiency_is_hybrid(entry);
    const hd_factor *leaves    = is_hybrid ? leaves_of_hybrid : leaves_of_mpi;
    size_t           n         = is_hybrid ? sizeof leaves_of_hybrid / sizeof *leaves_of_hybrid :
                                             sizeof leaves_of_mpi / sizeof *leaves_of_mpi;
    hd_status        status    = HD_OK;

    *losses = (hd_efficiency_losses){ .n = 0 };
    for (size_t i = 0; i < n; i++)
        if (!isnan(factors[leaves[i]]))
            losses->of[losses->n++] = (hd_efficiency_loss){ .factor = leaves[i], .value = factors[leaves[i]],
                                                            .path = HD_NONE, .location = HD_NONE };
    if (!all && losses->n > 0) {
        losses->of[0] = *hd_efficiency_lowest(losses);
        losses->n     = 1;
    }
    for (size_t i = 0; i < losses->n && status == HD_OK; i++)
        if (losses->of[i].value < 1)
            status = find_loss(page, factors, &losses->of[i]);
    return status;
}

void
hd_efficiency_losses_fini(hd_efficiency_losses *losses)
{
    for (size_t i = 0; i < losses->n; i++) {
        free(losses->of[i].sentence);
        free(losses->of[i].who);
    }
    losses->n = 0;
}

const hd_efficiency_loss *
hd_efficiency_lowest(const hd_efficiency_losses *losses)
{
    const hd_efficiency_loss *lowest = losses->n > 0 ? &losses->of[0] : NULL;

    for (size_t i = 1; i < losses->n; i++)
        lowest = losses->of[i].value < lowest->value ? &losses->of[i] : lowest;
    return lowest;
}

/* ---- the section ------------------------------------------------------------------------------------------------- */

/* Several that are acceptable may be too little together. */
static void
print_lowest(const hd_summary_page *page, const hd_efficiency_loss *loss, double parallel)
{
    bool  is_good = loss->value >= HD_ACCEPTABLE_EFFICIENCY && !(parallel < HD_ACCEPTABLE_EFFICIENCY);
    char  percent[16];
    char *name = hd_format("lowest: %s, %s%s", hd_factor_name(page->cube, loss->factor),
                           hd_percent_text(percent, loss->value),
                           is_good ? " (from 80 % on it is acceptable, says POP)" :
                           loss->path != HD_NONE ? "; most of it is lost at" : "");

    hd_summary_page_sentence(page, 2, name);
    free(name);
    if (loss->path == HD_NONE || is_good)
        return;
    name = hd_summary_page_path_text(page, 4, loss->path, "");
    fprintf(page->file, "    %s\n", name);
    free(name);
    hd_summary_page_sentence(page, 4, loss->sentence);
}

hd_status
hd_efficiency_ends_blocked(hd_cube *cube, bool *ends_blocked)
{
    hd_wait_graph_list waits;
    hd_status          status = hd_wait_graph_list_read(cube, &waits);

    *ends_blocked = false;
    for (size_t i = 0; i < waits.n_nodes; i++)
        *ends_blocked |= waits.nodes[i].kind == HD_NODE_WAITS;
    hd_wait_graph_list_fini(&waits);
    return status;
}

static void
print_block(const hd_summary_page *page, const hd_efficiency_entry *entry, const double *factors, bool ends_blocked)
{
    const uint64_t *sums = entry->sums;
    char           *head = hd_format("%s: %s, %" PRIu64 " process%s, %" PRIu64 " thread%s%s%s",
                                     hd_slice_name(entry->kind),
                                     hd_time_text_of(hd_efficiency_runtime(entry)).text, sums[HD_EFFICIENCY_processes],
                                     sums[HD_EFFICIENCY_processes] == 1 ? "" : "es", sums[HD_EFFICIENCY_threads],
                                     sums[HD_EFFICIENCY_threads] == 1 ? "" : "s",
                                     hd_efficiency_at_a_time(page->cube, entry),
                                     ends_blocked ? "; ends where processes block" : "");

    hd_summary_page_sentence(page, 2, head);
    free(head);
    if (hd_efficiency_is_hybrid(entry) && sums[HD_EFFICIENCY_processes] == 1 && factors[HD_FACTOR_mpi_parallel] >= 1)
        print_rows(page, rows_of_threads, sizeof rows_of_threads / sizeof *rows_of_threads, factors);
    else if (hd_efficiency_is_hybrid(entry))
        print_rows(page, rows_of_hybrid, sizeof rows_of_hybrid / sizeof *rows_of_hybrid, factors);
    else
        print_rows(page, rows_of_mpi, sizeof rows_of_mpi / sizeof *rows_of_mpi, factors);
}

static void
put_lowest(const hd_summary_page *page, const hd_efficiency_loss *loss)
{
    hd_json_object(page->json, "lowest");
    hd_json_text(page->json, "id", hd_factor_infos[loss->factor].id);
    hd_json_text(page->json, "name", hd_factor_name(page->cube, loss->factor));
    hd_json_number(page->json, "value", loss->value);
    hd_json_call_path(page->json, page->cube, loss->path);
    hd_json_text(page->json, "what", loss->sentence);
    hd_json_end(page->json);
}

hd_status
hd_section_efficiency(hd_summary_page *page)
{
    hd_efficiency_list         list;
    hd_status                  status = hd_efficiency_list_read(page->cube, &list);
    const hd_efficiency_entry *entry  = hd_efficiency_main(&list);
    hd_efficiency_losses       losses = { .n = 0 };
    double                     factors[HD_N_FACTORS];
    bool                       ends_blocked = false;

    if (status == HD_OK)
        status = hd_efficiency_ends_blocked(page->cube, &ends_blocked);
    if (status == HD_OK && entry != NULL && entry->sums[HD_EFFICIENCY_threads] > 1) {
        hd_factors_of(entry, factors);
        status = hd_efficiency_losses_find(page, entry, factors, false, &losses);
        if (status == HD_OK && page->json != NULL) {
            hd_json_object(page->json, page->key);
            hd_json_efficiency(page->json, "slice", entry);
            if (losses.n > 0)
                put_lowest(page, &losses.of[0]);
            else
                hd_json_null(page->json, "lowest");
            hd_json_end(page->json);
        } else if (status == HD_OK) {
            print_block(page, entry, factors, ends_blocked);
            if (losses.n > 0)
                print_lowest(page, &losses.of[0], factors[HD_FACTOR_parallel]);
        }
    }
    hd_efficiency_losses_fini(&losses);
    hd_efficiency_list_fini(&list);
    return status;
}
