#include "imbalance.h"

#include "location_cursor.h"
#include "memory.h"

/* Summed over all locations, those of the critical path over the call path's descendants, too. */
enum { SUM_COMP, SUM_VISITORS, SUM_CRITICAL, SUM_WORK, N_SUMS };

/* Of the cells of this rank at a call path: what tells which values there are. */
typedef struct local_cells {
    int64_t  least, most; /* comp of those that take part */
    uint32_t n, n_taking_part, n_visited;
    double   critical;    /* the most */
} local_cells;

struct hd_imbalance {
    const hd_report     *report;
    const hd_derivation *derivation;
    hd_combination       comp, work; /* work: time without waiting */
    uint64_t            *sums;        /* [N_SUMS][n_paths] */
    local_cells         *local;       /* [n_paths] without cells of metric locations */
    uint32_t             n_local, n_local_first; /* locations of this rank, and the first ones of processes among them */
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
    const hd_report *report = imbalance->report;
    const hd_defs   *defs   = report->defs;

    for (uint32_t i = 0; i < defs->n_locations; i++) {
        const hd_location_def *location = &hd_defs_locations(defs)[i];

        if (location->type == HD_LOCATION_METRIC)
            continue;
        imbalance->n_locations++;
        imbalance->n_processes += location->thread == 0;
    }
    for (uint32_t i = 0; i < report->n_locations; i++) {
        const hd_location_def *location = &hd_defs_locations(defs)[report->locations[i].location];

        imbalance->n_local += location->type != HD_LOCATION_METRIC;
        imbalance->n_local_first += location->type != HD_LOCATION_METRIC && location->thread == 0;
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

/* Whether a location has a share in the work there: all in parallel regions, the first ones of processes elsewhere. */
static inline bool
takes_part(const hd_location_def *location, bool is_parallel)
{
    return is_parallel || location->thread == 0;
}

static void
note_cell(local_cells *local, int64_t comp, bool is_taking_part, bool is_visited, double critical)
{
    if (is_taking_part) {
        local->least = local->n_taking_part == 0 || comp < local->least ? comp : local->least;
        local->most  = local->n_taking_part == 0 || comp > local->most ? comp : local->most;
        local->n_taking_part++;
    }
    local->n++;
    local->n_visited += is_visited;
    local->critical = critical > local->critical ? critical : local->critical;
}

void
hd_imbalance_add(hd_imbalance *imbalance, uint32_t call_path, const hd_collected *collected, const uint32_t *columns,
                 const hd_report_location *locations, size_t n)
{
    const hd_location_def *definitions = hd_defs_locations(imbalance->report->defs);
    uint32_t               region      = imbalance->report->tree->nodes[call_path].region;
    bool                   is_parallel = imbalance->is_parallel[call_path];
    local_cells            local       = imbalance->local[call_path];
    uint64_t               sums[N_SUMS] = { 0 };

    for (size_t i = 0; i < n; i++) {
        const hd_location_def *definition = &definitions[locations[columns[i]].location];
        int64_t                comp = 0, work = 0;
        double                 critical   = critical_of(&collected[i]);
        bool                   is_visited = false;

        for (const hd_severity *entry = collected[i].entries, *end = entry + collected[i].n; entry < end; entry++) {
            comp += hd_combination_factor(&imbalance->comp, region, entry->metric) * entry->value;
            work += hd_combination_factor(&imbalance->work, region, entry->metric) * entry->value;
            is_visited |= entry->metric == HD_METRIC_visits && entry->value > 0;
        }
        sums[SUM_COMP] += (uint64_t)comp;
        sums[SUM_VISITORS] += is_visited;
        sums[SUM_CRITICAL] += (uint64_t)critical;
        sums[SUM_WORK] += (uint64_t)work;
        if (definition->type != HD_LOCATION_METRIC)
            note_cell(&local, comp, takes_part(definition, is_parallel), is_visited, critical);
    }
    imbalance->local[call_path] = local;
    for (unsigned sum = 0; sum < N_SUMS; sum++)
        *sum_at(imbalance, sum, call_path) += sums[sum];
}

/* What is in the window of the critical path, outside of what the report counts. */
static void
add_window(hd_imbalance *imbalance, const hd_report_location *location)
{
    hd_report_location window  = { .entries = location->window, .n = location->n_window };
    hd_location_cursor outside = { .location = &window };
    hd_collected       collected;
    uint32_t           call_path;

    while ((call_path = hd_location_cursor_take(&outside, &collected)) != HD_NONE)
        *sum_at(imbalance, SUM_WORK, call_path) +=
            (uint64_t)hd_combine(&imbalance->work, imbalance->report->tree->nodes[call_path].region, &collected);
}

hd_imbalance *
hd_imbalance_new(const hd_report *report, const hd_derivation *derivation)
{
    hd_imbalance *imbalance = HD_NEW(hd_imbalance);

    *imbalance = (hd_imbalance){ .report = report, .derivation = derivation, .n_paths = report->tree->n };
    imbalance->sums        = HD_NEW_ARRAY(uint64_t, (size_t)N_SUMS * imbalance->n_paths + 1);
    imbalance->local       = HD_NEW_ARRAY(local_cells, (size_t)imbalance->n_paths + 1);
    imbalance->is_parallel = HD_NEW_ARRAY(bool, (size_t)imbalance->n_paths + 1);
    imbalance->has_openmp  = hd_derivation_has(derivation, HD_METRIC_omp_time);
    find_combinations(imbalance);
    find_parallel(imbalance);
    count_locations(imbalance);
    for (uint32_t i = 0; i < report->n_locations; i++)
        add_window(imbalance, &report->locations[i]);
    return imbalance;
}

void
hd_imbalance_reduce(hd_imbalance *imbalance, hd_analysis_comm *analysis_comm)
{
    const hd_calltree *tree = imbalance->report->tree;

    hd_analysis_comm_reduce(analysis_comm, imbalance->sums, (size_t)N_SUMS * imbalance->n_paths, HD_SUM);
    for (uint32_t i = imbalance->n_paths; i-- > 0;) {
        uint32_t parent = tree->nodes[i].parent;

        if (parent == HD_NONE)
            continue;
        *sum_at(imbalance, SUM_CRITICAL, parent) += *sum_at(imbalance, SUM_CRITICAL, i);
        *sum_at(imbalance, SUM_WORK, parent) += *sum_at(imbalance, SUM_WORK, i);
    }
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
        free(imbalance->local);
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
    bool   is_partial = is_partial_at(imbalance, call_path), has_distances;
    double share      = excess_share(imbalance, call_path);

    has_distances = hd_derivation_has(imbalance->derivation, HD_METRIC_imbalance);
    return (hd_imbalance_row){
        .locations     = hd_defs_locations(imbalance->report->defs),
        .mean          = average(imbalance, call_path),
        .excess_share  = share,
        .others        = imbalance->n_locations - 1,
        .is_parallel   = imbalance->is_parallel[call_path],
        .is_partial    = is_partial,
        .is_single     = is_partial && *sum_at(imbalance, SUM_VISITORS, call_path) == 1,
        .has_distances = has_distances,
        .is_any        = has_distances || share != 0,
        .is_everywhere = is_everywhere_at(imbalance, call_path),
    };
}

/* In the order of metrics. */
enum { CELL_CRITICAL, CELL_IMBALANCE, CELL_ABOVE, CELL_SINGLE, CELL_BELOW, CELL_BYPASS, CELL_SINGULARITY };

const uint32_t hd_imbalances[HD_N_IMBALANCES] = {
    [CELL_CRITICAL]    = HD_METRIC_critical_path_imbalance,
    [CELL_IMBALANCE]   = HD_METRIC_imbalance,
    [CELL_ABOVE]       = HD_METRIC_imbalance_above,
    [CELL_SINGLE]      = HD_METRIC_imbalance_above_single,
    [CELL_BELOW]       = HD_METRIC_imbalance_below,
    [CELL_BYPASS]      = HD_METRIC_imbalance_below_bypass,
    [CELL_SINGULARITY] = HD_METRIC_imbalance_below_singularity,
};

_Static_assert(HD_METRIC_critical_path_imbalance < HD_METRIC_imbalance &&
               HD_METRIC_imbalance < HD_METRIC_imbalance_above &&
               HD_METRIC_imbalance_above < HD_METRIC_imbalance_above_single &&
               HD_METRIC_imbalance_above_single < HD_METRIC_imbalance_below &&
               HD_METRIC_imbalance_below < HD_METRIC_imbalance_below_bypass &&
               HD_METRIC_imbalance_below_bypass < HD_METRIC_imbalance_below_singularity, "cells are in this order");

/* The distance of who takes part, comp - mean. Returns the bits of what is not zero. */
static inline uint32_t
put_distance(double distance, hd_imbalance_cells *cells, uint32_t i)
{
    if (distance == 0)
        return 0;
    cells->ticks[CELL_IMBALANCE][i] = distance < 0 ? -distance : distance;
    cells->ticks[distance > 0 ? CELL_ABOVE : CELL_BELOW][i] = distance > 0 ? distance : -distance;
    return 1U << CELL_IMBALANCE | 1U << (distance > 0 ? CELL_ABOVE : CELL_BELOW);
}

static inline uint32_t
put_value(double value, unsigned cell, hd_imbalance_cells *cells, uint32_t i)
{
    cells->ticks[cell][i] = value;
    return (uint32_t)(value != 0) << cell;
}

/* Of a row that not all visit: what is because of the others. */
static inline uint32_t
put_visits(const hd_imbalance_row *row, bool is_visited, hd_imbalance_cells *cells, uint32_t i)
{
    if (!is_visited)
        return put_value(row->mean, CELL_BYPASS, cells, i) |
               (row->is_single ? put_value(row->mean, CELL_SINGULARITY, cells, i) : 0);
    return row->is_single ? put_value(row->mean * row->others, CELL_SINGLE, cells, i) : 0;
}

uint32_t
hd_imbalance_cells_of(const hd_imbalance_row *row, const hd_imbalance_given *given, hd_imbalance_cells *cells)
{
    uint32_t found = 0;

    for (int cell = 0; cell < HD_N_IMBALANCES; cell++)
        for (uint32_t i = 0; i < given->n; i++)
            cells->ticks[cell][i] = 0;
    for (uint32_t i = 0; i < given->n; i++) {
        const hd_location_def *location = &row->locations[given->locations[i]];

        found |= put_value(row->excess_share * given->critical[i], CELL_CRITICAL, cells, i);
        if (location->type == HD_LOCATION_METRIC || !row->has_distances)
            continue;
        if (takes_part(location, row->is_parallel))
            found |= put_distance((double)given->comp[i] - row->mean, cells, i);
        if (row->is_partial)
            found |= put_visits(row, given->is_visited[i], cells, i);
    }
    return found;
}

hd_metric_set
hd_imbalance_found(const hd_imbalance *imbalance, uint32_t call_path)
{
    hd_imbalance_row   row     = hd_imbalance_row_of(imbalance, call_path);
    const local_cells *local   = &imbalance->local[call_path];
    uint32_t           n       = row.is_everywhere ? imbalance->n_local : local->n;
    uint32_t           n_parts = !row.is_everywhere  ? local->n_taking_part :
                                 row.is_parallel     ? imbalance->n_local : imbalance->n_local_first;
    hd_imbalance_cells cells;
    uint32_t           found   = put_value(row.excess_share * local->critical, CELL_CRITICAL, &cells, 0);
    hd_metric_set      metrics = { 0 };

    if (row.has_distances && n_parts > local->n_taking_part)
        found |= put_distance(-row.mean, &cells, 0);
    if (row.has_distances && local->n_taking_part > 0)
        found |= put_distance((double)local->least - row.mean, &cells, 0) |
                 put_distance((double)local->most - row.mean, &cells, 0);
    if (row.has_distances && row.is_partial && local->n_visited > 0)
        found |= put_visits(&row, true, &cells, 0);
    if (row.has_distances && row.is_partial && local->n_visited < n)
        found |= put_visits(&row, false, &cells, 0);
    for (int cell = 0; cell < HD_N_IMBALANCES; cell++)
        if ((found >> cell & 1) != 0)
            hd_metric_set_add(&metrics, hd_imbalances[cell]);
    return metrics;
}

uint32_t
hd_imbalance_of(const hd_imbalance *imbalance, const hd_imbalance_row *row, uint32_t call_path, uint32_t location,
                const hd_collected *collected, hd_derived *derived)
{
    uint32_t           region     = imbalance->report->tree->nodes[call_path].region, found, n = 0;
    hd_imbalance_given given      = { .n = 1, .locations = { location } };
    hd_imbalance_cells cells;

    given.comp[0]       = hd_combine(&imbalance->comp, region, collected);
    given.is_visited[0] = collected_of(collected, HD_METRIC_visits) > 0;
    given.critical[0]   = critical_of(collected);
    found               = hd_imbalance_cells_of(row, &given, &cells);
    for (int cell = 0; cell < HD_N_IMBALANCES; cell++)
        if ((found >> cell & 1) != 0)
            derived[n++] = (hd_derived){ .metric = hd_imbalances[cell], .cost = cells.ticks[cell][0] };
    return n;
}
