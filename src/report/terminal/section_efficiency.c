/* src/report/terminal/section_efficiency.c: the section "Efficiencies": factors of the main window, and the lowest of
 * them with its call path. */
#include "section_efficiency.h"

#include <math.h>
#include <stdlib.h>

#include "efficiency_json.h"
#include "escape.h"
#include "memory.h"
#include "summary_sections.h"
#include "time_text.h"

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
                hd_factor_infos[rows[i].factor].name, hd_percent_text(percent, factors[rows[i].factor]),
                rows[i].behind != NULL && page->options.width >= 100 ? "   " : "",
                rows[i].behind != NULL && page->options.width >= 100 ? rows[i].behind : "");
    }
}

/* ---- the lowest one ---------------------------------------------------------------------------------------------- */

static const hd_factor leaves_of_mpi[] = { HD_FACTOR_load_balance, HD_FACTOR_serialisation, HD_FACTOR_transfer };
static const hd_factor leaves_of_hybrid[] = { HD_FACTOR_mpi_load_balance, HD_FACTOR_mpi_serialisation,
                                              HD_FACTOR_mpi_transfer, HD_FACTOR_openmp_load_balance,
                                              HD_FACTOR_openmp_communication };

static hd_factor
find_lowest(const hd_efficiency_entry *entry, const double *factors)
{
    bool             is_hybrid = hd_efficiency_is_hybrid(entry);
    const hd_factor *leaves    = is_hybrid ? leaves_of_hybrid : leaves_of_mpi;
    size_t           n         = is_hybrid ? sizeof leaves_of_hybrid / sizeof *leaves_of_hybrid :
                                             sizeof leaves_of_mpi / sizeof *leaves_of_mpi;
    hd_factor        lowest    = HD_N_FACTORS;

    for (size_t i = 0; i < n; i++)
        if (!isnan(factors[leaves[i]]) && (lowest == HD_N_FACTORS || factors[leaves[i]] < factors[lowest]))
            lowest = leaves[i];
    return lowest;
}

/* The call path at which the location that computes longest is most above the mean. */
static hd_status
find_imbalance(hd_summary_page *page, hd_lowest_efficiency *lowest)
{
    hd_cube  *cube   = page->cube;
    uint32_t  metric = hd_cube_metric_by_id(cube, "comp"), most = 0, n_threads = 0;
    double   *sums   = HD_NEW_ARRAY(double, (size_t)cube->n_locations + 1), above = 0, value = 0;
    bool      any;
    hd_status status = metric != HD_NONE ? hd_cube_sum(cube, metric, NULL, sums) : HD_OK;

    for (uint32_t i = 0; i < cube->n_locations; i++) {
        if (strcmp(cube->locations[i].type, "thread") != 0)
            continue;
        most = n_threads == 0 || sums[i] > sums[most] ? i : most;
        n_threads++;
    }
    for (uint32_t path = 0; path < cube->n_paths && status == HD_OK && metric != HD_NONE && n_threads > 0; path++) {
        double mean = 0;

        status = hd_cube_row(cube, metric, path, page->row, &any);
        for (uint32_t i = 0; i < cube->n_locations && status == HD_OK; i++)
            mean += strcmp(cube->locations[i].type, "thread") == 0 ? page->row[i] / n_threads : 0;
        if (status == HD_OK && page->row[most] - mean > above) {
            above        = page->row[most] - mean;
            value        = page->row[most];
            lowest->path = path;
        }
    }
    if (status == HD_OK && above > 0)
        lowest->sentence = hd_format("process %" PRIu32 "%s computes longest: %s there, %s above the mean of all "
                                     "threads", cube->locations[most].process,
                                     cube->locations[most].thread > 0 ? ", a worker," : "",
                                     hd_time_text_of(value).text, hd_time_text_of(above).text);
    free(sums);
    return status;
}

static bool
is_wait_of_mpi(const hd_cube *cube, uint32_t metric)
{
    uint32_t mpi    = hd_cube_metric_by_id(cube, "mpi");
    uint32_t parent = cube->metrics[metric].parent;

    return mpi != HD_NONE && hd_metric_is_below(cube, metric, mpi) &&
           hd_metric_is_wait_state(hd_metric_by_id(cube->metrics[metric].id)) &&
           (parent == HD_NONE || !hd_metric_is_wait_state(hd_metric_by_id(cube->metrics[parent].id)));
}

/* Waits of MPI: the largest at a call path. */
static hd_status
find_wait(hd_summary_page *page, hd_lowest_efficiency *lowest)
{
    const hd_cube *cube = page->cube;
    uint32_t       of   = HD_NONE;
    double         most = 0;

    for (uint32_t metric = 0; metric < cube->n_metrics; metric++)
        for (uint32_t path = 0; page->totals[metric].of_path != NULL && is_wait_of_mpi(cube, metric) &&
             path < cube->n_paths; path++)
            if (page->totals[metric].of_path[path] > most) {
                most         = page->totals[metric].of_path[path];
                lowest->path = path;
                of           = metric;
            }
    if (of != HD_NONE) {
        char *name = hd_escaped(cube->metrics[of].name);

        lowest->sentence = hd_format("%s takes %s there, of all processes together", name, hd_time_text_of(most).text);
        free(name);
    }
    return HD_OK;
}

/* MPI without waits, of which there is most at a call path. */
static hd_status
find_transfer(hd_summary_page *page, hd_lowest_efficiency *lowest)
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
            lowest->path = path;
        }
    }
    if (lowest->path != HD_NONE)
        lowest->sentence = hd_format("MPI takes %s there beside waiting, of all processes together",
                                     hd_time_text_of(most).text);
    return status;
}

/* What the threads lose most by. */
static hd_factor
largest_cause(const double *factors)
{
    hd_factor largest = HD_N_FACTORS;

    for (int f = 0; f < HD_N_FACTORS; f++)
        if (hd_factor_infos[f].group == HD_FACTORS_CAUSES && factors[f] > 0 &&
            (largest == HD_N_FACTORS || factors[f] > factors[largest]))
            largest = (hd_factor)f;
    return largest;
}

static hd_status
find_openmp(hd_summary_page *page, const double *factors, hd_lowest_efficiency *lowest)
{
    static const hd_metric metrics[] = { HD_METRIC_omp_time, HD_METRIC_omp_idle_threads, HD_METRIC_pthread_time };
    hd_factor cause  = largest_cause(factors);
    double    most   = 0;
    hd_status status = HD_OK;

    for (size_t i = 0; i < sizeof metrics / sizeof *metrics && status == HD_OK; i++) {
        const hd_metric_totals *totals = hd_summary_page_totals(page, metrics[i], &status);

        for (uint32_t path = 0; totals != NULL && path < page->cube->n_paths; path++)
            if (totals->of_path[path] > most) {
                most         = totals->of_path[path];
                lowest->path = path;
            }
    }
    if (lowest->path == HD_NONE)
        return status;
    if (cause != HD_N_FACTORS)
        lowest->sentence = hd_format("threads do not compute for %s there; most is lost in parallel regions by: %s, "
                                     "%.1f %% of the time", hd_time_text_of(most).text, hd_factor_infos[cause].name,
                                     100 * factors[cause]);
    else
        lowest->sentence = hd_format("threads do not compute for %s there", hd_time_text_of(most).text);
    return status;
}

hd_status
hd_efficiency_lowest(hd_summary_page *page, const hd_efficiency_entry *entry, const double *factors,
                     hd_lowest_efficiency *lowest)
{
    *lowest = (hd_lowest_efficiency){ .factor = find_lowest(entry, factors), .path = HD_NONE };
    if (lowest->factor == HD_N_FACTORS)
        return HD_OK;
    lowest->value = factors[lowest->factor];
    switch (lowest->factor) {
    case HD_FACTOR_serialisation:
    case HD_FACTOR_mpi_serialisation:
        return find_wait(page, lowest);
    case HD_FACTOR_transfer:
    case HD_FACTOR_mpi_transfer:
        return find_transfer(page, lowest);
    case HD_FACTOR_openmp_load_balance:
    case HD_FACTOR_openmp_communication:
        return find_openmp(page, factors, lowest);
    default:
        return find_imbalance(page, lowest);
    }
}

/* ---- the section ------------------------------------------------------------------------------------------------- */

static void
print_lowest(const hd_summary_page *page, const hd_lowest_efficiency *lowest)
{
    char  percent[16];
    char *name = hd_format("lowest: %s, %s%s", hd_factor_infos[lowest->factor].name,
                           hd_percent_text(percent, lowest->value),
                           lowest->value >= HD_ACCEPTABLE_EFFICIENCY ? " (from 80 % on it is acceptable, says POP)" :
                           lowest->path != HD_NONE ? "; most of it is lost at" : "");

    hd_summary_page_sentence(page, 2, name);
    free(name);
    if (lowest->path == HD_NONE || lowest->value >= HD_ACCEPTABLE_EFFICIENCY)
        return;
    name = hd_summary_page_path_text(page, 4, lowest->path, "");
    fprintf(page->file, "    %s\n", name);
    free(name);
    hd_summary_page_sentence(page, 4, lowest->sentence);
}

static void
print_block(const hd_summary_page *page, const hd_efficiency_entry *entry, const double *factors)
{
    const uint64_t *sums = entry->sums;
    char           *head = hd_format("%s: %s, %" PRIu64 " process%s, %" PRIu64 " thread%s",
                                     hd_slice_name(entry->kind),
                                     hd_time_text_of(hd_efficiency_runtime(entry)).text, sums[HD_EFFICIENCY_processes],
                                     sums[HD_EFFICIENCY_processes] == 1 ? "" : "es", sums[HD_EFFICIENCY_threads],
                                     sums[HD_EFFICIENCY_threads] == 1 ? "" : "s");

    hd_summary_page_sentence(page, 2, head);
    free(head);
    if (hd_efficiency_is_hybrid(entry))
        print_rows(page, rows_of_hybrid, sizeof rows_of_hybrid / sizeof *rows_of_hybrid, factors);
    else
        print_rows(page, rows_of_mpi, sizeof rows_of_mpi / sizeof *rows_of_mpi, factors);
}

static void
put_lowest(const hd_summary_page *page, const hd_lowest_efficiency *lowest)
{
    hd_json_object(page->json, "lowest");
    hd_json_text(page->json, "id", hd_factor_infos[lowest->factor].id);
    hd_json_text(page->json, "name", hd_factor_infos[lowest->factor].name);
    hd_json_number(page->json, "value", lowest->value);
    hd_json_call_path(page->json, page->cube, lowest->path);
    hd_json_text(page->json, "what", lowest->sentence);
    hd_json_end(page->json);
}

hd_status
hd_section_efficiency(hd_summary_page *page)
{
    hd_efficiency_list         list;
    hd_status                  status = hd_efficiency_list_read(page->cube, &list);
    const hd_efficiency_entry *entry  = hd_efficiency_main(&list);
    hd_lowest_efficiency       lowest = { .factor = HD_N_FACTORS };
    double                     factors[HD_N_FACTORS];

    if (status == HD_OK && entry != NULL && entry->sums[HD_EFFICIENCY_threads] > 1) {
        hd_factors_of(entry, factors);
        status = hd_efficiency_lowest(page, entry, factors, &lowest);
        if (status == HD_OK && page->json != NULL) {
            hd_json_object(page->json, page->key);
            hd_json_efficiency(page->json, "slice", entry);
            if (lowest.factor != HD_N_FACTORS)
                put_lowest(page, &lowest);
            else
                hd_json_null(page->json, "lowest");
            hd_json_end(page->json);
        } else if (status == HD_OK) {
            print_block(page, entry, factors);
            if (lowest.factor != HD_N_FACTORS)
                print_lowest(page, &lowest);
        }
    }
    free(lowest.sentence);
    hd_efficiency_list_fini(&list);
    return status;
}
