#include "imbalance.h"

#include "location_cursor.h"
#include "memory.h"

/* Summed over all locations, those of the critical path over the call path's descendants, too. */
enum { SUM_COMP, SUM_VISITORS, SUM_CRITICAL, SUM_WORK, N_SUMS };

struct hd_imbalance {
    const hd_report     *report;
    const hd_derivation *derivation;
    hd_combination       comp, work; /* work: time without waiting */
    uint64_t            *sums;        /* [N_SUMS][n_paths] */
    bool                *is_parallel; /* [n_paths] in an OpenMP parallel region */
    uint32_t             n_paths, n_locations, n_processes;
    bool                 has_openmp;
    bool                 is_part;      /* all but sums are another one's */
};

static const uint32_t waits[] = {
    HD_METRIC_mpi_finalize_wait, HD_METRIC_mpi_rma_wait_at_create, HD_METRIC_mpi_rma_wait_at_free,
    HD_METRIC_mpi_barrier_wait,
    HD_METRIC_mpi_rma_sync_late_post, HD_METRIC_mpi_rma_comm_late_post, HD_METRIC_mpi_rma_early_wait,
    HD_METRIC_mpi_rma_wait_at_fence, HD_METRIC_mpi_rma_sync_lock_competition, HD_METRIC_mpi_rma_comm_lock_competition,
    HD_METRIC_mpi_rma_sync_wait_for_progress, HD_METRIC_mpi_rma_comm_wait_for_progress, HD_METRIC_mpi_latesender,
    HD_METRIC_mpi_latereceiver, HD_METRIC_mpi_earlyreduce, HD_METRIC_mpi_earlyscan, HD_METRIC_mpi_latebroadcast,
    HD_METRIC_mpi_wait_nxn, HD_METRIC_omp_management, HD_METRIC_omp_ebarrier_wait, HD_METRIC_omp_ibarrier_wait,
    HD_METRIC_omp_lock_contention_critical, HD_METRIC_omp_lock_contention_api, HD_METRIC_omp_ordered,
    HD_METRIC_omp_idle_threads,
};

static void
find_combinations(hd_imbalance *imbalance)
{
    int32_t comp[HD_N_METRICS] = { [HD_METRIC_comp] = 1 };
    int32_t work[HD_N_METRICS] = { [HD_METRIC_time] = 1 };

    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
        work[waits[i]] = -1;
    hd_combination_init(&imbalance->comp, imbalance->derivation, comp);
    hd_combination_init(&imbalance->work, imbalance->derivation, work);
}

static void
find_parallel(hd_imbalance *imbalance)
{
    const hd_calltree *tree = imbalance->report->tree;
    const hd_defs     *defs = imbalance->report->defs;

    for (uint32_t i = 0; i < tree->n; i++) {
        uint32_t    parent = tree->nodes[i].parent;
        const char *name   = hd_defs_text(defs, hd_defs_regions(defs)[tree->nodes[i].region].name);

        imbalance->is_parallel[i] =
            (parent != HD_NONE && imbalance->is_parallel[parent]) || strncmp(name, "!$omp parallel @", 16) == 0;
    }
}

static void
count_locations(hd_imbalance *imbalance)
{
    const hd_defs *defs = imbalance->report->defs;

    for (uint32_t i = 0; i < defs->n_locations; i++) {
        const hd_location_def *location = &hd_defs_locations(defs)[i];

        if (location->type == HD_LOCATION_METRIC)
            continue;
        imbalance->n_locations++;
        imbalance->n_processes += location->thread == 0;
    }
}

static int64_t
collected_of(const hd_collected *collected, uint32_t metric)
{
    for (uint32_t i = 0; i < collected->n; i++)
        if (collected->entries[i].metric == metric)
            return collected->entries[i].value;
    return 0;
}

/* Its time on the critical path: whole ticks. */
static double
critical_of(const hd_collected *collected)
{
    for (uint32_t i = 0; i < collected->n_costs; i++)
        if (collected->costs[i].metric == HD_METRIC_critical_path)
            return collected->costs[i].value;
    return 0;
}

static uint64_t *
sum_at(const hd_imbalance *imbalance, unsigned sum, uint32_t call_path)
{
    return &imbalance->sums[(size_t)sum * imbalance->n_paths + call_path];
}

static void
add_location(hd_imbalance *imbalance, const hd_report_location *location)
{
    hd_report_location window = { .entries = location->window, .n = location->n_window };
    hd_location_cursor cursor = { .location = location }, outside = { .location = &window };
    hd_collected       collected;
    uint32_t           call_path;

    while ((call_path = hd_location_cursor_take(&cursor, &collected)) != HD_NONE) {
        uint32_t region = imbalance->report->tree->nodes[call_path].region;

        *sum_at(imbalance, SUM_COMP, call_path) += (uint64_t)hd_combine(&imbalance->comp, region, &collected);
        *sum_at(imbalance, SUM_VISITORS, call_path) += collected_of(&collected, HD_METRIC_visits) > 0;
        *sum_at(imbalance, SUM_CRITICAL, call_path) += (uint64_t)critical_of(&collected);
        *sum_at(imbalance, SUM_WORK, call_path) += (uint64_t)hd_combine(&imbalance->work, region, &collected);
    }
    while ((call_path = hd_location_cursor_take(&outside, &collected)) != HD_NONE)
        *sum_at(imbalance, SUM_WORK, call_path) +=
            (uint64_t)hd_combine(&imbalance->work, imbalance->report->tree->nodes[call_path].region, &collected);
}

hd_imbalance *
hd_imbalance_new(hd_analysis_comm *analysis_comm, const hd_report *report, const hd_derivation *derivation)
{
    hd_imbalance *imbalance = HD_NEW(hd_imbalance);

    *imbalance = (hd_imbalance){ .report = report, .derivation = derivation, .n_paths = report->tree->n };
    imbalance->sums        = HD_NEW_ARRAY(uint64_t, (size_t)N_SUMS * imbalance->n_paths + 1);
    imbalance->is_parallel = HD_NEW_ARRAY(bool, (size_t)imbalance->n_paths + 1);
    imbalance->has_openmp  = hd_derivation_has(derivation, HD_METRIC_omp_time);
    find_combinations(imbalance);
    find_parallel(imbalance);
    count_locations(imbalance);

    for (uint32_t i = 0; i < report->n_locations; i++)
        add_location(imbalance, &report->locations[i]);
    hd_analysis_comm_reduce(analysis_comm, imbalance->sums, (size_t)N_SUMS * imbalance->n_paths, HD_SUM);
    for (uint32_t i = imbalance->n_paths; i-- > 0;) {
        uint32_t parent = report->tree->nodes[i].parent;

        if (parent == HD_NONE)
            continue;
        *sum_at(imbalance, SUM_CRITICAL, parent) += *sum_at(imbalance, SUM_CRITICAL, i);
        *sum_at(imbalance, SUM_WORK, parent) += *sum_at(imbalance, SUM_WORK, i);
    }
    return imbalance;
}

void
hd_imbalance_free(hd_imbalance *imbalance)
{
    if (imbalance == NULL)
        return;
    if (!imbalance->is_part) {
        hd_combination_fini(&imbalance->comp);
        hd_combination_fini(&imbalance->work);
        free(imbalance->is_parallel);
    }
    free(imbalance->sums);
    free(imbalance);
}

/* Into sums of what is outside; a location that is at a call path only outside is no visitor. */
static void
add_startup(hd_imbalance *outside, const hd_report_location *location)
{
    hd_report_location startup = { .entries = location->startup, .n = location->n_startup };
    hd_location_cursor cursor  = { .location = &startup };
    hd_collected       collected, all;
    uint32_t           call_path;

    while ((call_path = hd_location_cursor_take(&cursor, &collected)) != HD_NONE) {
        uint32_t region = outside->report->tree->nodes[call_path].region;
        int64_t  visits = collected_of(&collected, HD_METRIC_visits);

        all = hd_location_collected(location, call_path);
        *sum_at(outside, SUM_COMP, call_path) += (uint64_t)hd_combine(&outside->comp, region, &collected);
        *sum_at(outside, SUM_VISITORS, call_path) += visits > 0 && visits == collected_of(&all, HD_METRIC_visits);
        *sum_at(outside, SUM_WORK, call_path) += (uint64_t)hd_combine(&outside->work, region, &collected);
    }
}

hd_imbalance *
hd_imbalance_of_main_window(hd_analysis_comm *analysis_comm, const hd_imbalance *whole)
{
    const hd_report *report = whole->report;
    hd_imbalance    *window = HD_NEW(hd_imbalance);
    size_t           n_sums = (size_t)N_SUMS * whole->n_paths;

    *window         = *whole;
    window->is_part = true;
    window->sums    = HD_NEW_ARRAY(uint64_t, n_sums + 1);
    for (uint32_t i = 0; i < report->n_locations; i++)
        add_startup(window, &report->locations[i]);
    hd_analysis_comm_reduce(analysis_comm, window->sums, n_sums, HD_SUM);
    for (uint32_t i = window->n_paths; i-- > 0;)
        if (report->tree->nodes[i].parent != HD_NONE)
            *sum_at(window, SUM_WORK, report->tree->nodes[i].parent) += *sum_at(window, SUM_WORK, i);
    for (size_t i = 0; i < n_sums; i++)
        window->sums[i] = whole->sums[i] - window->sums[i];
    return window;
}

/* [ticks] over those who take part: all locations in parallel regions, the first ones of the processes elsewhere. */
static double
average(const hd_imbalance *imbalance, uint32_t call_path)
{
    int64_t  sum = (int64_t)*sum_at(imbalance, SUM_COMP, call_path);
    uint32_t n   = imbalance->is_parallel[call_path] ? imbalance->n_locations : imbalance->n_processes;

    return sum != 0 ? (double)sum / n : 0;
}

static bool
is_everywhere_at(const hd_imbalance *imbalance, uint32_t call_path)
{
    return hd_derivation_has(imbalance->derivation, HD_METRIC_imbalance) &&
           *sum_at(imbalance, SUM_COMP, call_path) != 0;
}

/* Whether who was never there could have shared the work. */
static bool
is_partial_at(const hd_imbalance *imbalance, uint32_t call_path)
{
    return *sum_at(imbalance, SUM_VISITORS, call_path) < imbalance->n_locations &&
           (imbalance->is_parallel[call_path] || !imbalance->has_openmp);
}

hd_metric_set
hd_imbalance_metrics(const hd_imbalance *imbalance, uint32_t call_path)
{
    hd_metric_set metrics = { 0 };

    if ((int64_t)*sum_at(imbalance, SUM_CRITICAL, call_path) > 0)
        hd_metric_set_add(&metrics, HD_METRIC_critical_path_imbalance);
    if (!hd_derivation_has(imbalance->derivation, HD_METRIC_imbalance))
        return metrics;
    hd_metric_set_add(&metrics, HD_METRIC_imbalance);
    hd_metric_set_add(&metrics, HD_METRIC_imbalance_above);
    hd_metric_set_add(&metrics, HD_METRIC_imbalance_below);
    if (!is_partial_at(imbalance, call_path))
        return metrics;
    hd_metric_set_add(&metrics, HD_METRIC_imbalance_below_bypass);
    if (*sum_at(imbalance, SUM_VISITORS, call_path) == 1) {
        hd_metric_set_add(&metrics, HD_METRIC_imbalance_above_single);
        hd_metric_set_add(&metrics, HD_METRIC_imbalance_below_singularity);
    }
    return metrics;
}

static uint32_t
put(hd_derived *derived, uint32_t n, uint32_t metric, double ticks)
{
    if (ticks != 0)
        derived[n++] = (hd_derived){ .metric = metric, .cost = ticks };
    return n;
}

/* Where all time of the critical path in the call path and below is more than the average location's work there, the
 * excess as a share of that time. */
static double
excess_share(const hd_imbalance *imbalance, uint32_t call_path)
{
    double critical = (double)(int64_t)*sum_at(imbalance, SUM_CRITICAL, call_path);
    double excess   = critical - (double)(int64_t)*sum_at(imbalance, SUM_WORK, call_path) / imbalance->n_locations;

    return critical > 0 && excess > 0 ? excess / critical : 0;
}

hd_imbalance_row
hd_imbalance_row_of(const hd_imbalance *imbalance, uint32_t call_path)
{
    bool is_partial = is_partial_at(imbalance, call_path);

    return (hd_imbalance_row){
        .locations     = hd_defs_locations(imbalance->report->defs),
        .mean          = average(imbalance, call_path),
        .excess_share  = excess_share(imbalance, call_path),
        .others        = imbalance->n_locations - 1,
        .is_parallel   = imbalance->is_parallel[call_path],
        .is_partial    = is_partial,
        .is_single     = is_partial && *sum_at(imbalance, SUM_VISITORS, call_path) == 1,
        .has_distances = hd_derivation_has(imbalance->derivation, HD_METRIC_imbalance),
        .is_everywhere = is_everywhere_at(imbalance, call_path),
    };
}

static uint32_t
distances(const hd_imbalance_row *row, const hd_location_def *location, int64_t comp, bool is_visited,
          hd_derived *derived)
{
    bool     takes_part = row->is_parallel || location->thread == 0;
    bool     visits     = row->is_partial && is_visited;
    double   distance   = takes_part ? (double)comp - row->mean : 0;
    uint32_t n          = put(derived, 0, HD_METRIC_imbalance, distance < 0 ? -distance : distance);

    if (distance > 0)
        n = put(derived, n, HD_METRIC_imbalance_above, distance);
    if (row->is_single && visits)
        n = put(derived, n, HD_METRIC_imbalance_above_single, row->mean * row->others);
    if (distance < 0)
        n = put(derived, n, HD_METRIC_imbalance_below, -distance);
    if (row->is_partial && !visits)
        n = put(derived, n, HD_METRIC_imbalance_below_bypass, row->mean);
    if (row->is_single && !visits)
        n = put(derived, n, HD_METRIC_imbalance_below_singularity, row->mean);
    return n;
}

uint32_t
hd_imbalance_cell(const hd_imbalance_row *row, uint32_t location, int64_t comp, bool is_visited, double critical,
                  hd_derived *derived)
{
    const hd_location_def *definition = &row->locations[location];
    uint32_t               n          = put(derived, 0, HD_METRIC_critical_path_imbalance, row->excess_share * critical);

    if (definition->type == HD_LOCATION_METRIC || !row->has_distances)
        return n;
    return n + distances(row, definition, comp, is_visited, derived + n);
}

uint32_t
hd_imbalance_of(const hd_imbalance *imbalance, const hd_imbalance_row *row, uint32_t call_path, uint32_t location,
                const hd_collected *collected, hd_derived *derived)
{
    uint32_t region = imbalance->report->tree->nodes[call_path].region;

    return hd_imbalance_cell(row, location, hd_combine(&imbalance->comp, region, collected),
                             collected_of(collected, HD_METRIC_visits) > 0, critical_of(collected), derived);
}
