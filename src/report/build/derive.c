#include "derive.h"

#include "memory.h"
#include "region_metrics.h"
#include "status.h"

enum { N_WORDS = sizeof(hd_metric_set) / sizeof(uint64_t) };

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

typedef struct plain_share { /* of a metric, where only visits and time were collected */
    uint32_t metric;
    int32_t  of_visits, of_time;
} plain_share;

typedef struct region_shares { /* of regions whose time and visits go to the same metrics */
    uint32_t     time[HD_MAX_REGION_METRICS], visits[HD_MAX_REGION_METRICS];
    uint32_t     n_time, n_visits;
    share_list   of_time, of_visits;
    plain_share *plain; /* [n_plain] ascending */
    uint32_t     n_plain;
} region_shares;

typedef struct sum_set { /* all zero between two calls */
    int64_t  values[HD_N_METRICS];
    double   costs[HD_N_METRICS];
    hd_metric_set touched; /* what was added to */
} sum_set;

struct hd_derivation {
    sum_set   *sums;
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

static share_list
multiply_out_all(hd_derivation *derivation, const uint32_t *metrics, uint32_t n)
{
    int32_t factors[HD_N_METRICS] = { 0 };

    if (n == 0)
        return (share_list){ 0 };
    for (uint32_t i = 0; i < n; i++)
        factors[metrics[i]] = 1;
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

static void
add_factors(const hd_derivation *derivation, const share_list *list, int32_t *factors)
{
    for (uint32_t i = list->first; i < list->first + list->n; i++)
        factors[derivation->shares[i].metric] += derivation->shares[i].factor;
}

static void
make_plain(const hd_derivation *derivation, region_shares *kind)
{
    int32_t of_visits[HD_N_METRICS] = { 0 }, of_time[HD_N_METRICS] = { 0 };

    add_factors(derivation, &derivation->of_metric[HD_METRIC_visits], of_visits);
    add_factors(derivation, &kind->of_visits, of_visits);
    add_factors(derivation, &derivation->of_metric[HD_METRIC_time], of_time);
    add_factors(derivation, &kind->of_time, of_time);
    kind->plain = HD_NEW_ARRAY(plain_share, HD_N_METRICS);
    for (uint32_t metric = 0; metric < HD_N_METRICS; metric++)
        if (of_visits[metric] != 0 || of_time[metric] != 0)
            kind->plain[kind->n_plain++] = (plain_share){ metric, of_visits[metric], of_time[metric] };
    kind->plain = hd_pack(kind->plain, kind->n_plain, sizeof *kind->plain);
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
    kind.of_time   = multiply_out_all(derivation, kind.time, kind.n_time);
    kind.of_visits = multiply_out_all(derivation, kind.visits, kind.n_visits);
    make_plain(derivation, &kind);
    HD_PUSH(derivation->kinds, derivation->n_kinds, derivation->capacity_kinds, kind);
    return (uint32_t)derivation->n_kinds - 1;
}

static const region_shares *
shares_of(const hd_derivation *derivation, uint32_t region)
{
    return &derivation->kinds[derivation->kind_of[region]];
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
            derivation->of_metric[metric] = multiply_out_all(derivation, &metric, 1);
    derivation->n_regions = defs->n_regions;
    derivation->sums      = HD_NEW(sum_set);
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
    free(derivation->sums);
    free(derivation->shares);
    for (size_t k = 0; k < derivation->n_kinds; k++)
        free(derivation->kinds[k].plain);
    free(derivation->kinds);
    free(derivation->kind_of);
    free(derivation);
}

bool
hd_derivation_has(const hd_derivation *derivation, hd_metric metric)
{
    return derivation->has[metric];
}

static inline void
touch(hd_metric_set *touched, const share_list *list)
{
    for (uint32_t word = list->word; word < list->end_word; word++)
        touched->words[word] |= list->metrics.words[word];
}

static inline void
add_shares(sum_set *sums, const share *shares, const share_list *list, int64_t value)
{
    touch(&sums->touched, list);
    for (uint32_t i = list->first; i < list->first + list->n; i++)
        sums->values[shares[i].metric] += shares[i].factor * value;
}

static inline void
add_cost_shares(sum_set *sums, const share *shares, const share_list *list, double cost)
{
    touch(&sums->touched, list);
    for (uint32_t i = list->first; i < list->first + list->n; i++)
        sums->costs[shares[i].metric] += shares[i].factor * cost;
}

/* What is not zero; clears all. */
static inline uint32_t
list_sums(sum_set *sums, hd_derived *derived)
{
    uint32_t n = 0;

    for (uint32_t word = 0; word < N_WORDS; word++) {
        for (uint64_t bits = sums->touched.words[word]; bits != 0; bits &= bits - 1) {
            uint32_t metric = 64 * word + (uint32_t)__builtin_ctzll(bits);
            int64_t  value  = sums->values[metric];
            double   cost   = sums->costs[metric];

            sums->values[metric] = 0;
            sums->costs[metric]  = 0;
            if (cost == 0 ? value != 0 : (double)value + cost != 0)
                derived[n++] = (hd_derived){ .metric = metric, .value = value, .cost = cost };
        }
        sums->touched.words[word] = 0;
    }
    return n;
}

/* Of most call paths of most programs only these two are known. */
static inline bool
is_plain(const hd_collected *collected)
{
    bool is = collected->n_costs == 0 && collected->n <= 2;

    for (uint32_t i = 0; i < collected->n && is; i++)
        is = collected->entries[i].metric == HD_METRIC_time || collected->entries[i].metric == HD_METRIC_visits;
    return is;
}

static uint32_t
derive_plain(const region_shares *kind, const hd_collected *collected, hd_derived *derived)
{
    int64_t  time = 0, visits = 0;
    uint32_t n = 0;

    for (uint32_t i = 0; i < collected->n; i++)
        *(collected->entries[i].metric == HD_METRIC_time ? &time : &visits) += collected->entries[i].value;
    for (const plain_share *at = kind->plain; at < kind->plain + kind->n_plain; at++) {
        int64_t value = at->of_visits * visits + at->of_time * time;

        if (value != 0)
            derived[n++] = (hd_derived){ .metric = at->metric, .value = value };
    }
    return n;
}

uint32_t
hd_derive(const hd_derivation *derivation, uint32_t region, const hd_collected *collected, hd_derived *derived)
{
    const region_shares *kind   = shares_of(derivation, region);
    const share         *shares = derivation->shares;
    int64_t              busy   = 0; /* exclusive time without idle threads */
    int64_t              visits = 0;
    sum_set             *sums   = derivation->sums;

    if (HD_LIKELY(is_plain(collected)))
        return derive_plain(kind, collected, derived);
    for (size_t i = 0; i < collected->n; i++) {
        const hd_severity *entry = &collected->entries[i];

        if (entry->metric == HD_METRIC_time)
            busy += entry->value;
        else if (entry->metric == HD_METRIC_omp_idle_threads)
            busy -= entry->value;
        else if (entry->metric == HD_METRIC_visits)
            visits += entry->value;
        add_shares(sums, shares, &derivation->of_metric[entry->metric], entry->value);
    }
    for (size_t i = 0; i < collected->n_costs; i++)
        add_cost_shares(sums, shares, &derivation->of_metric[collected->costs[i].metric], collected->costs[i].value);
    if (busy != 0)
        add_shares(sums, shares, &kind->of_time, busy);
    if (visits != 0)
        add_shares(sums, shares, &kind->of_visits, visits);
    return list_sums(sums, derived);
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
hd_derives_only(const hd_derivation *derivation, uint32_t region, const hd_collected *collected,
                const hd_metric_set *these)
{
    if (!is_among(these, &shares_of(derivation, region)->of_time) ||
        !is_among(these, &shares_of(derivation, region)->of_visits))
        return false;
    for (size_t i = 0; i < collected->n; i++)
        if (!is_among(these, &derivation->of_metric[collected->entries[i].metric]))
            return false;
    for (size_t i = 0; i < collected->n_costs; i++)
        if (!is_among(these, &derivation->of_metric[collected->costs[i].metric]))
            return false;
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
    for (uint32_t i = 0; i < HD_N_METRICS; i++)
        combination->of_metric[i] = factor_of(derivation, derivation->of_metric[i], factors);
    for (uint32_t i = 0; i < derivation->n_regions; i++)
        combination->of_time[i] = factor_of(derivation, shares_of(derivation, i)->of_time, factors);
}

void
hd_combination_fini(hd_combination *combination)
{
    free(combination->of_time);
    *combination = (hd_combination){ 0 };
}

int64_t
hd_combine(const hd_combination *combination, uint32_t region, const hd_collected *collected)
{
    int64_t of_time = combination->of_time[region];
    int64_t sum     = 0;

    for (uint32_t i = 0; i < collected->n; i++) {
        const hd_severity *entry = &collected->entries[i];

        sum += combination->of_metric[entry->metric] * entry->value;
        if (entry->metric == HD_METRIC_time)
            sum += of_time * entry->value;
        else if (entry->metric == HD_METRIC_omp_idle_threads)
            sum -= of_time * entry->value;
    }
    return sum;
}
