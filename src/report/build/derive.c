#include "derive.h"

#include "memory.h"
#include "region_metrics.h"
#include "status.h"

enum { N_WORDS = sizeof(hd_metric_set) / sizeof(uint64_t) };

/* Terms of the metrics of kind S, ascending by sum. A term that is itself of kind S stands after its sum in the table of
 * metrics, so that one pass from the last row to the first forms all sums. */
typedef struct formula_term {
    uint16_t sum, term;
    int8_t   sign;
} formula_term;

#define PLUS(sum_id, term_id) { HD_METRIC_##sum_id, HD_METRIC_##term_id, 1 }
#define LESS(sum_id, term_id) { HD_METRIC_##sum_id, HD_METRIC_##term_id, -1 }

static const formula_term formula_terms[] = {
    PLUS(comp, execution), LESS(comp, mpi), LESS(comp, omp_time), LESS(comp, pthread_time), LESS(comp, openacc_time),
    LESS(comp, opencl_time), LESS(comp, cuda_time), LESS(comp, shmem),
    PLUS(mpi_management, mpi_init_exit), PLUS(mpi_management, mpi_mgmt_comm), PLUS(mpi_management, mpi_mgmt_file),
    PLUS(mpi_management, mpi_mgmt_win),
    PLUS(mpi_synchronization, mpi_sync_collective), PLUS(mpi_synchronization, mpi_rma_synchronization),
    PLUS(mpi_rma_synchronization, mpi_rma_sync_active), PLUS(mpi_rma_synchronization, mpi_rma_sync_passive),
    PLUS(mpi_communication, mpi_point2point), PLUS(mpi_communication, mpi_collective),
    PLUS(mpi_communication, mpi_rma_communication),
    PLUS(mpi_io, mpi_io_individual), PLUS(mpi_io, mpi_io_collective),
    PLUS(shmem_synchronization, shmem_sync_collective), PLUS(shmem_synchronization, shmem_point2point_synchronization),
    PLUS(shmem_communication, shmem_collective), PLUS(shmem_communication, shmem_rma_communication),
    PLUS(omp_time, omp_management), PLUS(omp_time, omp_synchronization), PLUS(omp_time, omp_flush),
    PLUS(omp_synchronization, omp_barrier), PLUS(omp_synchronization, omp_critical), PLUS(omp_synchronization, omp_lock_api),
    PLUS(omp_synchronization, omp_ordered), PLUS(omp_synchronization, omp_taskwait),
    PLUS(omp_barrier, omp_ebarrier), PLUS(omp_barrier, omp_ibarrier),
    PLUS(pthread_time, pthread_management), PLUS(pthread_time, pthread_synchronization),
    PLUS(pthread_synchronization, pthread_lock_api), PLUS(pthread_synchronization, pthread_conditional),

    PLUS(syncs, syncs_p2p), PLUS(syncs, syncs_coll), PLUS(syncs, syncs_rma),
    PLUS(syncs_p2p, syncs_send), PLUS(syncs_p2p, syncs_recv),
    PLUS(syncs_rma, syncs_rma_active), PLUS(syncs_rma, syncs_rma_passive),
    PLUS(comms, comms_p2p), PLUS(comms, comms_coll), PLUS(comms, comms_rma),
    PLUS(comms_p2p, comms_send), PLUS(comms_p2p, comms_recv),
    PLUS(comms_coll, comms_cxch), PLUS(comms_coll, comms_csrc), PLUS(comms_coll, comms_cdst),
    PLUS(comms_rma, comms_rma_puts), PLUS(comms_rma, comms_rma_gets), PLUS(comms_rma, comms_rma_atomics),
    PLUS(mpi_file_ops, mpi_file_iops), PLUS(mpi_file_ops, mpi_file_cops),
    PLUS(bytes, bytes_p2p), PLUS(bytes, bytes_coll), PLUS(bytes, bytes_rma),
    PLUS(bytes_p2p, bytes_sent), PLUS(bytes_p2p, bytes_rcvd),
    PLUS(bytes_coll, bytes_cout), PLUS(bytes_coll, bytes_cin),
    PLUS(bytes_rma, bytes_put), PLUS(bytes_rma, bytes_get),

    PLUS(delay, delay_mpi), PLUS(delay, delay_omp),
    PLUS(delay_mpi, delay_p2p), PLUS(delay_mpi, delay_collective),
    PLUS(delay_p2p, delay_latesender_aggregate), PLUS(delay_p2p, delay_latereceiver_aggregate),
    PLUS(delay_latesender_aggregate, delay_latesender), PLUS(delay_latesender_aggregate, delay_latesender_longterm),
    PLUS(delay_latereceiver_aggregate, delay_latereceiver), PLUS(delay_latereceiver_aggregate, delay_latereceiver_longterm),
    PLUS(delay_collective, delay_barrier_aggregate), PLUS(delay_collective, delay_n21_aggregate),
    PLUS(delay_collective, delay_12n_aggregate), PLUS(delay_collective, delay_n2n_aggregate),
    PLUS(delay_barrier_aggregate, delay_barrier), PLUS(delay_barrier_aggregate, delay_barrier_longterm),
    PLUS(delay_n21_aggregate, delay_n21), PLUS(delay_n21_aggregate, delay_n21_longterm),
    PLUS(delay_12n_aggregate, delay_12n), PLUS(delay_12n_aggregate, delay_12n_longterm),
    PLUS(delay_n2n_aggregate, delay_n2n), PLUS(delay_n2n_aggregate, delay_n2n_longterm),
    PLUS(delay_omp, delay_ompbarrier_aggregate), PLUS(delay_omp, delay_ompidle_aggregate),
    PLUS(delay_ompbarrier_aggregate, delay_ompbarrier), PLUS(delay_ompbarrier_aggregate, delay_ompbarrier_longterm),
    PLUS(delay_ompidle_aggregate, delay_ompidle), PLUS(delay_ompidle_aggregate, delay_ompidle_longterm),
    PLUS(waitstates_propagating_vs_terminal, mpi_wait_propagating), PLUS(waitstates_propagating_vs_terminal, mpi_wait_terminal),
    PLUS(mpi_wait_propagating, mpi_wait_propagating_ls), PLUS(mpi_wait_propagating, mpi_wait_propagating_lr),
    PLUS(mpi_wait_terminal, mpi_wait_terminal_ls), PLUS(mpi_wait_terminal, mpi_wait_terminal_lr),
    PLUS(mpi_wait_terminal_ls, mpi_latesender), LESS(mpi_wait_terminal_ls, mpi_wait_propagating_ls),
    PLUS(mpi_wait_terminal_lr, mpi_latereceiver), LESS(mpi_wait_terminal_lr, mpi_wait_propagating_lr),
    PLUS(waitstates_direct_vs_indirect, mpi_wait_direct), PLUS(waitstates_direct_vs_indirect, mpi_wait_indirect),
    PLUS(mpi_wait_direct, mpi_wait_direct_latesender), PLUS(mpi_wait_direct, mpi_wait_direct_latereceiver),
    PLUS(mpi_wait_direct_latesender, mpi_latesender), LESS(mpi_wait_direct_latesender, mpi_wait_indirect_latesender),
    PLUS(mpi_wait_direct_latereceiver, mpi_latereceiver), LESS(mpi_wait_direct_latereceiver, mpi_wait_indirect_latereceiver),
    PLUS(mpi_wait_indirect, mpi_wait_indirect_latesender), PLUS(mpi_wait_indirect, mpi_wait_indirect_latereceiver),
    PLUS(performance_impact, performance_impact_criticalpath), PLUS(performance_impact, non_critical_path_activities),
    PLUS(performance_impact_criticalpath, critical_path_activities),
    PLUS(performance_impact_criticalpath, critical_imbalance_impact),
    PLUS(intra_partition_imbalance, critical_imbalance_impact), LESS(intra_partition_imbalance, inter_partition_imbalance),
    PLUS(delay_unattributed, delay_unattributed_latesender), PLUS(delay_unattributed, delay_unattributed_latereceiver),
    PLUS(delay_unattributed, delay_unattributed_barrier), PLUS(delay_unattributed, delay_unattributed_n21),
    PLUS(delay_unattributed, delay_unattributed_12n), PLUS(delay_unattributed, delay_unattributed_n2n),
    PLUS(delay_unattributed, delay_unattributed_ompbarrier), PLUS(delay_unattributed, delay_unattributed_scan),
    PLUS(delay_unattributed, delay_unattributed_rma), PLUS(delay_unattributed, delay_unattributed_nbc), PLUS(delay_unattributed, delay_unattributed_omplock),
    PLUS(delay_unattributed, delay_unattributed_pthreadlock), PLUS(delay_unattributed, delay_unattributed_ompidle),
    PLUS(topo_comms, topo_comms_h0), PLUS(topo_comms, topo_comms_h1), PLUS(topo_comms, topo_comms_h2), PLUS(topo_comms, topo_comms_h4),
    PLUS(topo_comms, topo_comms_h8), PLUS(topo_comms, topo_comms_h16), PLUS(topo_comms, topo_comms_hmore),
    PLUS(topo_bytes, topo_bytes_h0), PLUS(topo_bytes, topo_bytes_h1), PLUS(topo_bytes, topo_bytes_h2), PLUS(topo_bytes, topo_bytes_h4),
    PLUS(topo_bytes, topo_bytes_h8), PLUS(topo_bytes, topo_bytes_h16), PLUS(topo_bytes, topo_bytes_hmore),
    PLUS(topo_latesender, topo_latesender_h0), PLUS(topo_latesender, topo_latesender_h1), PLUS(topo_latesender, topo_latesender_h2), PLUS(topo_latesender, topo_latesender_h4),
    PLUS(topo_latesender, topo_latesender_h8), PLUS(topo_latesender, topo_latesender_h16), PLUS(topo_latesender, topo_latesender_hmore),
    PLUS(topo_latereceiver, topo_latereceiver_h0), PLUS(topo_latereceiver, topo_latereceiver_h1), PLUS(topo_latereceiver, topo_latereceiver_h2), PLUS(topo_latereceiver, topo_latereceiver_h4),
    PLUS(topo_latereceiver, topo_latereceiver_h8), PLUS(topo_latereceiver, topo_latereceiver_h16), PLUS(topo_latereceiver, topo_latereceiver_hmore),
    PLUS(machine_comms, machine_comms_process), PLUS(machine_comms, machine_comms_core), PLUS(machine_comms, machine_comms_numa),
    PLUS(machine_comms, machine_comms_socket), PLUS(machine_comms, machine_comms_node), PLUS(machine_comms, machine_comms_switch),
    PLUS(machine_comms, machine_comms_switch2), PLUS(machine_comms, machine_comms_switch3), PLUS(machine_comms, machine_comms_remote),
    PLUS(machine_bytes, machine_bytes_process), PLUS(machine_bytes, machine_bytes_core), PLUS(machine_bytes, machine_bytes_numa),
    PLUS(machine_bytes, machine_bytes_socket), PLUS(machine_bytes, machine_bytes_node), PLUS(machine_bytes, machine_bytes_switch),
    PLUS(machine_bytes, machine_bytes_switch2), PLUS(machine_bytes, machine_bytes_switch3), PLUS(machine_bytes, machine_bytes_remote),
    PLUS(machine_latesender, machine_latesender_process), PLUS(machine_latesender, machine_latesender_core), PLUS(machine_latesender, machine_latesender_numa),
    PLUS(machine_latesender, machine_latesender_socket), PLUS(machine_latesender, machine_latesender_node), PLUS(machine_latesender, machine_latesender_switch),
    PLUS(machine_latesender, machine_latesender_switch2), PLUS(machine_latesender, machine_latesender_switch3), PLUS(machine_latesender, machine_latesender_remote),
    PLUS(machine_latereceiver, machine_latereceiver_process), PLUS(machine_latereceiver, machine_latereceiver_core), PLUS(machine_latereceiver, machine_latereceiver_numa),
    PLUS(machine_latereceiver, machine_latereceiver_socket), PLUS(machine_latereceiver, machine_latereceiver_node), PLUS(machine_latereceiver, machine_latereceiver_switch),
    PLUS(machine_latereceiver, machine_latereceiver_switch2), PLUS(machine_latereceiver, machine_latereceiver_switch3), PLUS(machine_latereceiver, machine_latereceiver_remote),
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
    share_list *of_time, *of_visits;    /* [n_regions] empty for those that the call tree does not have */
    uint32_t   n_regions;
    bool       has[HD_N_METRICS];
    bool       is_known[HD_N_METRICS]; /* the report has it, and what it needs was computed */
};

/* The sums and differences of metrics whose factors are given; what is not known is left out. */
static share_list
multiply_out(hd_derivation *derivation, int32_t *factors)
{
    share_list list = { .first = (uint32_t)derivation->n_shares };

    for (size_t i = N_FORMULA_TERMS; i-- > 0;)
        factors[formula_terms[i].sum] += formula_terms[i].sign * factors[formula_terms[i].term];

    for (uint32_t metric = 0; metric < HD_N_METRICS; metric++)
        if (factors[metric] != 0 && derivation->is_known[metric]) {
            if (derivation->n_shares == derivation->capacity)
                derivation->shares = hd_grow(derivation->shares, derivation->n_shares, &derivation->capacity, sizeof(share));
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

static void
find_metrics(hd_derivation *derivation, const bool *occurs, bool has_one_location, bool has_causes)
{
    for (uint32_t metric = 0; metric < HD_N_METRICS; metric++) {
        uint32_t parent = hd_metric_infos[metric].parent;

        derivation->has[metric] = occurs[hd_metric_infos[metric].build] && (parent == HD_NONE || derivation->has[parent]);
        if (metric == HD_METRIC_imbalance && has_one_location)
            derivation->has[metric] = false; /* there is nobody to compare with */
        derivation->is_known[metric] = derivation->has[metric] && (has_causes || !needs_causes(metric));
    }
}

static void
note_paradigm(bool *occurs, const hd_region *region, const hd_region_metrics *metrics)
{
    switch (region->paradigm) {
    case HD_PARADIGM_MPI: occurs[HD_BUILD_MPI] = true; break;
    case HD_PARADIGM_OPENMP: occurs[HD_BUILD_OPENMP] = true; break;
    case HD_PARADIGM_PTHREAD: occurs[HD_BUILD_PTHREAD] = true; break;
    case HD_PARADIGM_SHMEM: occurs[HD_BUILD_SHMEM] = true; break;
    case HD_PARADIGM_OPENACC: occurs[HD_BUILD_OPENACC] = true; break;
    case HD_PARADIGM_OPENCL: occurs[HD_BUILD_OPENCL] = true; break;
    case HD_PARADIGM_CUDA: occurs[HD_BUILD_CUDA] = true; break;
    default: break;
    }
    occurs[HD_BUILD_OPENCL_KERNELS] |= metrics->is_opencl_kernel;
    occurs[HD_BUILD_CUDA_KERNELS] |= metrics->is_cuda_kernel;
}

static hd_region_metrics
metrics_of(const hd_defs *defs, uint32_t region, bool compat)
{
    const hd_region *definition = &hd_defs_regions(defs)[region];

    return hd_region_metrics_of(definition, hd_defs_text(defs, definition->name), hd_defs_text(defs, definition->file), compat);
}

hd_derivation *
hd_derivation_new(const hd_defs *defs, const hd_calltree *tree, hd_derivation_options options)
{
    hd_derivation *derivation          = HD_NEW(hd_derivation);
    bool          *is_used             = HD_NEW_ARRAY(bool, (size_t)defs->n_regions + 1);
    bool           occurs[HD_N_BUILDS] = { [HD_BUILD_ALL] = true };

    for (size_t i = 0; i < N_FORMULA_TERMS; i++) {
        HD_ASSERT(i == 0 || formula_terms[i - 1].sum <= formula_terms[i].sum);
        HD_ASSERT(hd_metric_infos[formula_terms[i].term].kind != HD_KIND_S || formula_terms[i].term > formula_terms[i].sum);
    }
    for (uint32_t i = 0; i < tree->n; i++)
        is_used[tree->nodes[i].region] = true;
    for (uint32_t i = 0; i < defs->n_regions; i++)
        if (is_used[i]) {
            hd_region_metrics metrics = metrics_of(defs, i, options.compat);

            note_paradigm(occurs, &hd_defs_regions(defs)[i], &metrics);
        }
    occurs[HD_BUILD_PARALLEL]  = occurs[HD_BUILD_MPI] || occurs[HD_BUILD_OPENMP];
    occurs[HD_BUILD_LONG_TERM] = occurs[HD_BUILD_MPI] || (occurs[HD_BUILD_OPENMP] && !options.compat);
    occurs[HD_BUILD_EXTENSION] = occurs[HD_BUILD_MPI] && !options.compat;
    occurs[HD_BUILD_OPENMP_EXTENSION] = occurs[HD_BUILD_OPENMP] && !options.compat;
    occurs[HD_BUILD_PARALLEL_EXTENSION] = occurs[HD_BUILD_PARALLEL] && !options.compat;
    occurs[HD_BUILD_PTHREAD_EXTENSION]  = occurs[HD_BUILD_PTHREAD] && !options.compat;
    occurs[HD_BUILD_SHMEM]              = occurs[HD_BUILD_SHMEM] && !options.compat;
    occurs[HD_BUILD_THREADS_EXTENSION]  = (occurs[HD_BUILD_PARALLEL] || occurs[HD_BUILD_PTHREAD] || occurs[HD_BUILD_SHMEM]) && !options.compat;
    occurs[HD_BUILD_ONE_SIDED_EXTENSION] = occurs[HD_BUILD_EXTENSION] || occurs[HD_BUILD_SHMEM];
    occurs[HD_BUILD_TOPOLOGY] = occurs[HD_BUILD_EXTENSION] && options.n_axes > 0;
    occurs[HD_BUILD_GRID_1]   = occurs[HD_BUILD_TOPOLOGY] && options.n_axes == 1;
    occurs[HD_BUILD_GRID_2]   = occurs[HD_BUILD_TOPOLOGY] && options.n_axes == 2;
    occurs[HD_BUILD_GRID_3]   = occurs[HD_BUILD_TOPOLOGY] && options.n_axes == 3;
    occurs[HD_BUILD_AXIS_2]   = occurs[HD_BUILD_TOPOLOGY] && options.n_axes >= 2;
    occurs[HD_BUILD_AXIS_3]   = occurs[HD_BUILD_TOPOLOGY] && options.n_axes >= 3;
    occurs[HD_BUILD_MACHINE]  = occurs[HD_BUILD_EXTENSION] && options.seen_near != 0;
    for (uint32_t i = HD_BUILD_NEAR_PROCESS; i <= HD_BUILD_NEAR_REMOTE; i++)
        occurs[i] = occurs[HD_BUILD_MACHINE] && (options.seen_near >> (i - HD_BUILD_NEAR_PROCESS) & 1) != 0;
    occurs[HD_BUILD_HOPS] = occurs[HD_BUILD_TOPOLOGY] && options.seen_hops != 0;
    for (uint32_t i = HD_BUILD_HOPS_0; i <= HD_BUILD_HOPS_MORE; i++)
        occurs[i] = occurs[HD_BUILD_HOPS] && (options.seen_hops >> (i - HD_BUILD_HOPS_0) & 1) != 0;
    find_metrics(derivation, occurs, defs->n_locations == 1, options.has_causes);

    for (uint32_t metric = 0; metric < HD_N_METRICS; metric++)
        if (hd_metric_infos[metric].kind != HD_KIND_S)
            derivation->of_metric[metric] = multiply_out_all(derivation, &metric, 1);
    derivation->n_regions = defs->n_regions;
    derivation->sums      = HD_NEW(sum_set);
    derivation->of_time   = HD_NEW_ARRAY(share_list, (size_t)defs->n_regions + 1);
    derivation->of_visits = HD_NEW_ARRAY(share_list, (size_t)defs->n_regions + 1);
    for (uint32_t i = 0; i < defs->n_regions; i++)
        if (is_used[i]) {
            hd_region_metrics metrics = metrics_of(defs, i, options.compat);

            derivation->of_time[i]   = multiply_out_all(derivation, metrics.time, metrics.n_time);
            derivation->of_visits[i] = multiply_out_all(derivation, metrics.visits, metrics.n_visits);
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
    free(derivation->of_time);
    free(derivation->of_visits);
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

uint32_t
hd_derive(const hd_derivation *derivation, uint32_t region, const hd_collected *collected, hd_derived *derived)
{
    const share *shares = derivation->shares;
    int64_t      busy   = 0; /* exclusive time without idle threads */
    int64_t      visits = 0;
    sum_set     *sums   = derivation->sums;

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
        add_shares(sums, shares, &derivation->of_time[region], busy);
    if (visits != 0)
        add_shares(sums, shares, &derivation->of_visits[region], visits);
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
hd_derives_only(const hd_derivation *derivation, uint32_t region, const hd_collected *collected, const hd_metric_set *these)
{
    if (!is_among(these, &derivation->of_time[region]) || !is_among(these, &derivation->of_visits[region]))
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
        combination->of_time[i] = factor_of(derivation, derivation->of_time[i], factors);
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
