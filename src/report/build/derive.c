#include "derive.h"

#include "memory.h"
#include "region_metrics.h"
#include "status.h"

/* A metric of kind S is the sum of its children, but for these. A term that is itself of kind S stands after
 * its sum in the table of metrics, as children do, so that one pass from the last row to the first forms all sums. */
typedef struct formula_term {
    uint16_t sum, term;
    int8_t   sign;
} formula_term;

#define PLUS(sum_id, term_id) { HD_METRIC_##sum_id, HD_METRIC_##term_id, 1 }
#define LESS(sum_id, term_id) { HD_METRIC_##sum_id, HD_METRIC_##term_id, -1 }

static const formula_term formula_terms[] = {
    PLUS(comp, execution), LESS(comp, mpi), LESS(comp, omp_time), LESS(comp, pthread_time), LESS(comp, openacc_time),
    LESS(comp, opencl_time), LESS(comp, cuda_time), LESS(comp, shmem),
    PLUS(mpi_wait_terminal_ls, mpi_latesender), LESS(mpi_wait_terminal_ls, mpi_wait_propagating_ls),
    PLUS(mpi_wait_terminal_lr, mpi_latereceiver), LESS(mpi_wait_terminal_lr, mpi_wait_propagating_lr),
    PLUS(mpi_wait_direct_latesender, mpi_latesender), LESS(mpi_wait_direct_latesender, mpi_wait_indirect_latesender),
    PLUS(mpi_wait_direct_latereceiver, mpi_latereceiver),
    LESS(mpi_wait_direct_latereceiver, mpi_wait_indirect_latereceiver),
    PLUS(intra_partition_imbalance, critical_imbalance_impact),
    LESS(intra_partition_imbalance, inter_partition_imbalance),
    PLUS(omp_lock_competition, omp_lock_contention_critical), PLUS(omp_lock_competition, omp_lock_contention_api),
};
enum { N_FORMULA_TERMS = sizeof formula_terms / sizeof *formula_terms };

typedef struct share {
    uint32_t metric;
    int32_t  factor;
} share;

typedef struct share_list {
    uint32_t      first, n; /* in shares */
    uint32_t      word, end_word; /* where metrics has any */
    hd_metric_set metrics;  /* of them */
} share_list;

typedef struct region_shares { /* of regions whose time and visits go to the same metrics */
    uint32_t   time[HD_MAX_REGION_METRICS], visits[HD_MAX_REGION_METRICS];
    uint32_t   n_time, n_visits;
    share_list of_time, of_visits; /* the metrics of the region together with these two themselves */
    share_list of_idle;            /* as no thread is in the region while it is idle */
} region_shares;

typedef struct collected_cells { /* all zero between two calls */
    _Alignas(16) int64_t values[HD_N_METRICS][HD_MAX_CELLS];
    _Alignas(16) double  costs[HD_N_METRICS][HD_MAX_CELLS];
} collected_cells;

struct hd_derivation {
    hd_derived_cells *cells;
    collected_cells  *collected;
    share     *shares;
    size_t     n_shares, capacity;
    share_list of_metric[HD_N_METRICS]; /* of measured ones */
    region_shares *kinds;               /* [n_kinds] the first one: nothing, for regions that the call tree does not
                                         * have */
    size_t     n_kinds, capacity_kinds;
    uint32_t  *kind_of;                 /* [n_regions] */
    uint32_t   n_regions;
    bool       has[HD_N_METRICS];
    formula_term terms[HD_N_METRICS + N_FORMULA_TERMS]; /* [n_terms] see make_terms() */
    uint32_t   n_terms;
    bool       is_known[HD_N_METRICS]; /* the report has it, and what it needs was computed */
};

/* The terms of all metrics of kind S, ascending by sum: its formula, or its children. */
static void
make_terms(hd_derivation *derivation)
{
    for (uint32_t sum = 0; sum < HD_N_METRICS; sum++) {
        uint32_t n = derivation->n_terms;

        if (hd_metric_infos[sum].kind != HD_KIND_S)
            continue;
        for (size_t i = 0; i < N_FORMULA_TERMS; i++)
            if (formula_terms[i].sum == sum)
                derivation->terms[derivation->n_terms++] = formula_terms[i];
        if (derivation->n_terms > n)
            continue;
        for (uint32_t child = sum + 1; child < HD_N_METRICS; child++)
            if (hd_metric_infos[child].parent == sum)
                derivation->terms[derivation->n_terms++] = (formula_term){ (uint16_t)sum, (uint16_t)child, 1 };
    }
}

/* The sums and differences of metrics whose factors are given; what is not known is left out. */
static share_list
multiply_out(hd_derivation *derivation, int32_t *factors)
{
    share_list list = { .first = (uint32_t)derivation->n_shares };

    for (size_t i = derivation->n_terms; i-- > 0;)
        factors[derivation->terms[i].sum] += derivation->terms[i].sign * factors[derivation->terms[i].term];

    for (uint32_t metric = 0; metric < HD_N_METRICS; metric++)
        if (factors[metric] != 0 && derivation->is_known[metric]) {
            if (derivation->n_shares == derivation->capacity)
                derivation->shares = hd_grow(derivation->shares, derivation->n_shares, &derivation->capacity,
                                             sizeof(share));
            derivation->shares[derivation->n_shares++] = (share){ .metric = metric, .factor = factors[metric] };
            hd_metric_set_add(&list.metrics, metric);
        }
    list.n = (uint32_t)derivation->n_shares - list.first;
    if (list.n > 0) { /* ascending */
        list.word     = derivation->shares[list.first].metric / 64;
        list.end_word = derivation->shares[derivation->n_shares - 1].metric / 64 + 1;
    }
    return list;
}

/* A metric, and others with a sign. */
static share_list
multiply_out_with(hd_derivation *derivation, uint32_t metric, const uint32_t *others, uint32_t n, int32_t sign)
{
    int32_t factors[HD_N_METRICS] = { 0 };

    factors[metric] = 1;
    for (uint32_t i = 0; i < n; i++)
        factors[others[i]] += sign;
    return multiply_out(derivation, factors);
}

/* Waiting time, divided by causes and by effects. */
static bool
needs_causes(uint32_t metric)
{
    while (hd_metric_infos[metric].parent != HD_NONE)
        metric = hd_metric_infos[metric].parent;
    return metric == HD_METRIC_waitstates_propagating_vs_terminal || metric == HD_METRIC_waitstates_direct_vs_indirect;
}

/* What follows from visits, times and bytes of calls. */
static bool
is_of_profile(uint32_t metric)
{
    static const hd_metric roots[]    = { HD_METRIC_time,  HD_METRIC_visits,       HD_METRIC_syncs, HD_METRIC_comms,
                                          HD_METRIC_bytes, HD_METRIC_mpi_file_ops, HD_METRIC_imbalance,
                                          HD_METRIC_omp_task_count, HD_METRIC_omp_task_time };
    static const hd_metric measured[] = { HD_METRIC_time,       HD_METRIC_visits,     HD_METRIC_syncs_send,
                                          HD_METRIC_syncs_recv, HD_METRIC_syncs_coll, HD_METRIC_comms_send,
                                          HD_METRIC_comms_recv, HD_METRIC_comms_cxch, HD_METRIC_comms_csrc,
                                          HD_METRIC_comms_cdst, HD_METRIC_bytes_sent, HD_METRIC_bytes_rcvd,
                                          HD_METRIC_bytes_cout, HD_METRIC_bytes_cin,  HD_METRIC_bytes_put,
                                          HD_METRIC_bytes_get,  HD_METRIC_omp_task_count,
                                          HD_METRIC_omp_task_time };
    uint32_t               root       = metric;
    bool                   is_root = false, is_measured = false;

    while (hd_metric_infos[root].parent != HD_NONE)
        root = hd_metric_infos[root].parent;
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        is_root |= root == roots[i];
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++)
        is_measured |= metric == measured[i];
    return is_root && (is_measured || hd_metric_infos[metric].kind != HD_KIND_R);
}

static void
find_metrics(hd_derivation *derivation, uint64_t facts, const hd_derivation_options *options, bool has_one_location)
{
    for (uint32_t metric = 0; metric < HD_N_METRICS; metric++) {
        uint32_t parent = hd_metric_infos[metric].parent;

        derivation->has[metric] = hd_metric_build_occurs((hd_metric_build)hd_metric_infos[metric].build, facts,
                                                         options->compat) &&
                                  (!options->is_profile || is_of_profile(metric)) &&
                                  (parent == HD_NONE || derivation->has[parent]);
        if (metric == HD_METRIC_imbalance && has_one_location)
            derivation->has[metric] = false; /* there is nobody to compare with */
        derivation->is_known[metric] = derivation->has[metric] && (options->has_causes || !needs_causes(metric));
    }
}

/* Regions are many, their kinds are few. */
static uint32_t
kind_of(hd_derivation *derivation, const hd_region_metrics *metrics)
{
    region_shares kind = { .n_time = metrics->n_time, .n_visits = metrics->n_visits };

    memcpy(kind.time, metrics->time, metrics->n_time * sizeof *kind.time);
    memcpy(kind.visits, metrics->visits, metrics->n_visits * sizeof *kind.visits);
    for (uint32_t k = 0; k < derivation->n_kinds; k++) {
        const region_shares *other = &derivation->kinds[k];

        if (other->n_time == kind.n_time && other->n_visits == kind.n_visits &&
            memcmp(other->time, kind.time, sizeof kind.time) == 0 &&
            memcmp(other->visits, kind.visits, sizeof kind.visits) == 0)
            return k;
    }
    kind.of_time   = multiply_out_with(derivation, HD_METRIC_time, kind.time, kind.n_time, 1);
    kind.of_idle   = multiply_out_with(derivation, HD_METRIC_omp_idle_threads, kind.time, kind.n_time, -1);
    kind.of_visits = multiply_out_with(derivation, HD_METRIC_visits, kind.visits, kind.n_visits, 1);
    HD_PUSH(derivation->kinds, derivation->n_kinds, derivation->capacity_kinds, kind);
    return (uint32_t)derivation->n_kinds - 1;
}

static const region_shares *
shares_of(const hd_derivation *derivation, uint32_t region)
{
    return &derivation->kinds[derivation->kind_of[region]];
}

static inline const share_list *
list_of(const hd_derivation *derivation, const region_shares *kind, uint32_t metric)
{
    return metric == HD_METRIC_time ? &kind->of_time : metric == HD_METRIC_visits ? &kind->of_visits :
           metric == HD_METRIC_omp_idle_threads ? &kind->of_idle : &derivation->of_metric[metric];
}

static uint64_t
facts_of(const hd_region *region, const hd_region_metrics *metrics)
{
    uint64_t facts = (metrics->is_opencl_kernel ? HD_FACT_OPENCL_KERNEL : 0) |
                     (metrics->is_cuda_kernel ? HD_FACT_CUDA_KERNEL : 0);

    switch (region->paradigm) {
    case HD_PARADIGM_MPI: return facts | HD_FACT_MPI;
    case HD_PARADIGM_OPENMP: return facts | HD_FACT_OPENMP;
    case HD_PARADIGM_PTHREAD: return facts | HD_FACT_PTHREAD;
    case HD_PARADIGM_SHMEM: return facts | HD_FACT_SHMEM;
    case HD_PARADIGM_OPENACC: return facts | HD_FACT_OPENACC;
    case HD_PARADIGM_OPENCL: return facts | HD_FACT_OPENCL;
    case HD_PARADIGM_CUDA: return facts | HD_FACT_CUDA;
    default: return facts;
    }
}

static hd_region_metrics
metrics_of(const hd_defs *defs, uint32_t region, bool compat)
{
    const hd_region *definition = &hd_defs_regions(defs)[region];

    return hd_region_metrics_of(definition, hd_defs_text(defs, definition->name), hd_defs_text(defs, definition->file),
                                compat);
}

hd_derivation *
hd_derivation_new(const hd_defs *defs, const hd_calltree *tree, hd_derivation_options options)
{
    hd_derivation *derivation          = HD_NEW(hd_derivation);
    bool          *is_used             = HD_NEW_ARRAY(bool, (size_t)defs->n_regions + 1);
    uint64_t       facts               = HD_FACT_ANY | options.facts;

    make_terms(derivation);
    for (size_t i = 0; i < N_FORMULA_TERMS; i++) {
        HD_ASSERT(hd_metric_infos[formula_terms[i].sum].kind == HD_KIND_S);
        HD_ASSERT(hd_metric_infos[formula_terms[i].term].kind != HD_KIND_S ||
                  formula_terms[i].term > formula_terms[i].sum);
    }
    for (uint32_t i = 0; i < tree->n; i++)
        is_used[tree->nodes[i].region] = true;
    for (uint32_t i = 0; i < defs->n_regions; i++)
        if (is_used[i]) {
            hd_region_metrics metrics = metrics_of(defs, i, options.compat);

            facts |= facts_of(&hd_defs_regions(defs)[i], &metrics);
        }
    find_metrics(derivation, facts, &options, defs->n_locations == 1);

    for (uint32_t metric = 0; metric < HD_N_METRICS; metric++)
        if (hd_metric_infos[metric].kind != HD_KIND_S)
            derivation->of_metric[metric] = multiply_out_with(derivation, metric, NULL, 0, 0);
    derivation->n_regions = defs->n_regions;
    derivation->cells     = HD_NEW_UNSET(hd_derived_cells, 1);
    derivation->collected = HD_NEW(collected_cells);
    derivation->kind_of   = HD_NEW_ARRAY(uint32_t, (size_t)defs->n_regions + 1);
    kind_of(derivation, &(hd_region_metrics){ .n_time = 0 });
    for (uint32_t i = 0; i < defs->n_regions; i++)
        if (is_used[i]) {
            hd_region_metrics metrics = metrics_of(defs, i, options.compat);

            derivation->kind_of[i] = kind_of(derivation, &metrics);
        }
    free(is_used);
    return derivation;
}

void
hd_derivation_free(hd_derivation *derivation)
{
    if (derivation == NULL)
        return;
    free(derivation->cells);
    free(derivation->collected);
    free(derivation->shares);
    free(derivation->kinds);
    free(derivation->kind_of);
    free(derivation);
}

bool
hd_derivation_has(const hd_derivation *derivation, hd_metric metric)
{
    return derivation->has[metric];
}

typedef int64_t value_pair __attribute__((vector_size(16), may_alias));
typedef double  cost_pair __attribute__((vector_size(16), may_alias));

_Static_assert(HD_MAX_CELLS % 4 == 0, "cells are added up by four");

/* n is a multiple of 4. is_first: the sums are not defined yet. */
static inline void
add_values(int64_t *sums, const int64_t *values, uint32_t n, int32_t factor, bool is_first)
{
    value_pair       *to   = (value_pair *)(void *)sums, *end = to + n / 2;
    const value_pair *from = (const value_pair *)(const void *)values;

    if (factor == 1 && is_first)
        for (; to < end; to += 2, from += 2) {
            to[0] = from[0];
            to[1] = from[1];
        }
    else if (factor == 1)
        for (; to < end; to += 2, from += 2) {
            to[0] += from[0];
            to[1] += from[1];
        }
    else if (factor == -1 && !is_first)
        for (; to < end; to += 2, from += 2) {
            to[0] -= from[0];
            to[1] -= from[1];
        }
    else
        for (uint32_t i = 0; i < n; i++)
            sums[i] = (is_first ? 0 : sums[i]) + factor * values[i];
}

static inline void
add_costs(double *sums, const double *costs, uint32_t n, double factor, bool is_first)
{
    cost_pair       *to   = (cost_pair *)(void *)sums, *end = to + n / 2;
    const cost_pair *from = (const cost_pair *)(const void *)costs;

    if (is_first)
        for (; to < end; to += 2, from += 2) {
            to[0] = factor * from[0];
            to[1] = factor * from[1];
        }
    else
        for (; to < end; to += 2, from += 2) {
            to[0] += factor * from[0];
            to[1] += factor * from[1];
        }
}

static inline void
set_zero(void *cells, uint32_t n)
{
    value_pair *to = cells, *end = to + n / 2;

    for (; to < end; to += 2)
        to[0] = to[1] = (value_pair){ 0, 0 };
}

static void
add_value_shares(const hd_derivation *derivation, const share_list *list, const int64_t *values)
{
    hd_derived_cells *cells = derivation->cells;

    for (const share *at = derivation->shares + list->first, *end = at + list->n; at < end; at++) {
        bool is_first = !hd_metric_set_has(&cells->with_values, at->metric);

        hd_metric_set_add(&cells->with_values, at->metric);
        add_values(cells->values[at->metric], values, cells->n, at->factor, is_first);
    }
}

static void
add_cost_shares(const hd_derivation *derivation, const share_list *list, const double *costs)
{
    hd_derived_cells *cells = derivation->cells;

    for (const share *at = derivation->shares + list->first, *end = at + list->n; at < end; at++) {
        bool is_first = !hd_metric_set_has(&cells->with_costs, at->metric);

        hd_metric_set_add(&cells->with_costs, at->metric);
        add_costs(cells->costs[at->metric], costs, cells->n, at->factor, is_first);
    }
}

/* Their sums by metric, and which metrics there are. */
static void
take(collected_cells *sums, const hd_collected *collected, uint32_t n, hd_metric_set *with_values,
     hd_metric_set *with_costs)
{
    for (uint32_t i = 0; i < n; i++) {
        const hd_severity *entry = collected[i].entries, *end = entry + collected[i].n;
        const hd_cost     *cost = collected[i].costs, *end_cost = cost + collected[i].n_costs;

        for (; entry < end; entry++) {
            sums->values[entry->metric][i] += entry->value;
            hd_metric_set_add(with_values, entry->metric);
        }
        for (; cost < end_cost; cost++) {
            sums->costs[cost->metric][i] += cost->value;
            hd_metric_set_add(with_costs, cost->metric);
        }
    }
}

const hd_derived_cells *
hd_derive_cells(const hd_derivation *derivation, uint32_t region, const hd_collected *collected, uint32_t n)
{
    const region_shares *kind  = shares_of(derivation, region);
    hd_derived_cells    *cells = derivation->cells;
    collected_cells     *sums  = derivation->collected;
    size_t               bytes = (n + 3) / 4 * 4 * sizeof(int64_t);
    hd_metric_set        with_values = { 0 }, with_costs = { 0 };

    HD_ASSERT(n <= HD_MAX_CELLS);
    cells->n           = (n + 3) / 4 * 4;
    cells->with_values = cells->with_costs = (hd_metric_set){ 0 };
    take(sums, collected, n, &with_values, &with_costs);
    memcpy(cells->visits, sums->values[HD_METRIC_visits], bytes);
    memcpy(cells->critical, sums->costs[HD_METRIC_critical_path], bytes);
    for (uint32_t metric = 0; (metric = hd_metric_set_next(&with_values, metric)) < HD_N_METRICS; metric++) {
        add_value_shares(derivation, list_of(derivation, kind, metric), sums->values[metric]);
        set_zero(sums->values[metric], cells->n);
    }
    for (uint32_t metric = 0; (metric = hd_metric_set_next(&with_costs, metric)) < HD_N_METRICS; metric++) {
        add_cost_shares(derivation, &derivation->of_metric[metric], sums->costs[metric]);
        set_zero(sums->costs[metric], cells->n);
    }
    return cells;
}

bool
hd_derived_is_any(const hd_derived_cells *cells, uint32_t metric)
{
    const int64_t *values = hd_derived_values(cells, metric);
    const double  *costs  = hd_derived_costs(cells, metric);

    for (uint32_t i = 0; i < cells->n; i++)
        if ((double)values[i] + costs[i] != 0)
            return true;
    return false;
}

uint32_t
hd_derive(const hd_derivation *derivation, uint32_t region, const hd_collected *collected, hd_derived *derived)
{
    const hd_derived_cells *cells   = hd_derive_cells(derivation, region, collected, 1);
    hd_metric_set           metrics = hd_derived_metrics(cells);
    uint32_t                n       = 0;

    for (uint32_t metric = 0; (metric = hd_metric_set_next(&metrics, metric)) < HD_N_METRICS; metric++) {
        hd_derived cell = { .metric = metric, .value = hd_derived_values(cells, metric)[0],
                            .cost = hd_derived_costs(cells, metric)[0] };

        if ((double)cell.value + cell.cost != 0)
            derived[n++] = cell;
    }
    return n;
}

static inline bool
is_among(const hd_metric_set *these, const share_list *list)
{
    uint64_t others = 0;

    for (uint32_t word = list->word; word < list->end_word; word++)
        others |= list->metrics.words[word] & ~these->words[word];
    return others == 0;
}

bool
hd_derives_only(const hd_derivation *derivation, uint32_t region, const hd_collected *collected, uint32_t n,
                const hd_metric_set *these, hd_metric_terms *settled)
{
    const region_shares *kind = shares_of(derivation, region);

    for (uint32_t i = 0; i < n; i++) {
        for (const hd_severity *entry = collected[i].entries, *end = entry + collected[i].n; entry < end; entry++) {
            if (HD_LIKELY(hd_metric_set_has(&settled->values, entry->metric)))
                continue;
            if (!is_among(these, list_of(derivation, kind, entry->metric)))
                return false;
            hd_metric_set_add(&settled->values, entry->metric);
        }
        for (const hd_cost *cost = collected[i].costs, *end = cost + collected[i].n_costs; cost < end; cost++) {
            if (HD_LIKELY(hd_metric_set_has(&settled->costs, cost->metric)))
                continue;
            if (!is_among(these, &derivation->of_metric[cost->metric]))
                return false;
            hd_metric_set_add(&settled->costs, cost->metric);
        }
    }
    return true;
}

static int64_t
factor_of(const hd_derivation *derivation, share_list list, const int32_t *factors)
{
    int64_t sum = 0;

    for (uint32_t i = list.first; i < list.first + list.n; i++)
        sum += (int64_t)derivation->shares[i].factor * factors[derivation->shares[i].metric];
    return sum;
}

void
hd_combination_init(hd_combination *combination, const hd_derivation *derivation, const int32_t *factors)
{
    *combination         = (hd_combination){ 0 };
    combination->of_time = HD_NEW_ARRAY(int64_t, (size_t)derivation->n_regions + 1);
    combination->of_idle = HD_NEW_ARRAY(int64_t, (size_t)derivation->n_regions + 1);
    for (uint32_t i = 0; i < HD_N_METRICS; i++)
        combination->of_metric[i] = factor_of(derivation, derivation->of_metric[i], factors);
    for (uint32_t i = 0; i < derivation->n_regions; i++) {
        combination->of_time[i] = factor_of(derivation, shares_of(derivation, i)->of_time, factors);
        combination->of_idle[i] = factor_of(derivation, shares_of(derivation, i)->of_idle, factors);
    }
}

void
hd_combination_fini(hd_combination *combination)
{
    free(combination->of_time);
    free(combination->of_idle);
    *combination = (hd_combination){ 0 };
}

int64_t
hd_combine(const hd_combination *combination, uint32_t region, const hd_collected *collected)
{
    int64_t sum = 0;

    for (const hd_severity *entry = collected->entries, *end = entry + collected->n; entry < end; entry++)
        sum += hd_combination_factor(combination, region, entry->metric) * entry->value;
    return sum;
}
