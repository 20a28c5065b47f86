/* tests/report/build/test_derive.c: measured values and the class of a region give all metrics of a report.
 * One call path per region; ticks of exclusive time are made up.
 */
#include "check.h"
#include "derive.h"
#include "memory.h"
#include "small_defs.h"

enum {
    MAIN, RECV, BARRIER, FLUSH, CUDA_SYNC, CUDA_KERNEL, RECORD, DRIVER_COPY, OMP_BARRIER, FILE_READ, WIN_LOCK, PUT,
    OMP_CRITICAL,
    OMP_ATOMIC, OMP_SET_LOCK, OMP_ORDERED, OMP_TASKWAIT, OMP_FLUSH, OMP_CREATE, OMP_LOOP, THREAD_CREATE, THREAD_JOIN,
    MUTEX_LOCK,
    COND_WAIT, SHMEM_PUT, SHMEM_BCAST, SHMEM_BARRIER, SHMEM_LOCK, SHMEM_WAIT, SHMEM_QUIET, SHMEM_MY_PE, SHMEM_INIT,
    SHMEM_MALLOC, N_REGIONS
};

static const small_region regions[N_REGIONS] = {
    [MAIN]        = { "main", "main.c", HD_PARADIGM_COMPILER, HD_ROLE_FUNCTION },
    [RECV]        = { "MPI_Recv", "MPI", HD_PARADIGM_MPI, HD_ROLE_POINT2POINT },
    [BARRIER]     = { "MPI_Barrier", "MPI", HD_PARADIGM_MPI, HD_ROLE_BARRIER },
    [FLUSH]       = { "TRACE BUFFER FLUSH", "", HD_PARADIGM_MEASUREMENT, HD_ROLE_ARTIFICIAL },
    [CUDA_SYNC]   = { "cudaDeviceSynchronize", "CUDA", HD_PARADIGM_CUDA, HD_ROLE_FUNCTION },
    [CUDA_KERNEL] = { "axpy", "CUDA_KERNEL", HD_PARADIGM_CUDA, HD_ROLE_FUNCTION },
    [RECORD]      = { "cuEventRecordWithFlags", "CUDA", HD_PARADIGM_CUDA, HD_ROLE_FUNCTION },
    [DRIVER_COPY] = { "cuMemcpyHtoD_v2", "CUDA", HD_PARADIGM_CUDA, HD_ROLE_FUNCTION },
    [OMP_BARRIER] = { "!$omp barrier @a.c:1", "OMP", HD_PARADIGM_OPENMP, HD_ROLE_BARRIER },
    [FILE_READ]   = { "MPI_File_read_all", "MPI", HD_PARADIGM_MPI, HD_ROLE_FILE_IO },
    [WIN_LOCK]    = { "MPI_Win_lock", "MPI", HD_PARADIGM_MPI, HD_ROLE_FUNCTION },
    [PUT]         = { "MPI_Put", "MPI", HD_PARADIGM_MPI, HD_ROLE_RMA },
    [OMP_CRITICAL]  = { "!$omp critical @a.c:2", "OMP", HD_PARADIGM_OPENMP, HD_ROLE_CRITICAL },
    [OMP_ATOMIC]    = { "!$omp atomic @a.c:3", "OMP", HD_PARADIGM_OPENMP, HD_ROLE_ATOMIC },
    [OMP_SET_LOCK]  = { "omp_set_nest_lock", "OMP", HD_PARADIGM_OPENMP, HD_ROLE_FUNCTION },
    [OMP_ORDERED]   = { "!$omp ordered @a.c:4", "OMP", HD_PARADIGM_OPENMP, HD_ROLE_ORDERED },
    [OMP_TASKWAIT]  = { "!$omp taskwait @a.c:5", "OMP", HD_PARADIGM_OPENMP, HD_ROLE_TASK_WAIT },
    [OMP_FLUSH]     = { "!$omp flush @a.c:6", "OMP", HD_PARADIGM_OPENMP, HD_ROLE_FLUSH },
    [OMP_CREATE]    = { "!$omp create task @a.c:7", "OMP", HD_PARADIGM_OPENMP, HD_ROLE_TASK_CREATE },
    [OMP_LOOP]      = { "!$omp for @a.c:8", "OMP", HD_PARADIGM_OPENMP, HD_ROLE_LOOP },
    [THREAD_CREATE] = { "pthread_create", "PTHREAD", HD_PARADIGM_PTHREAD, HD_ROLE_FUNCTION },
    [THREAD_JOIN]   = { "pthread_join", "PTHREAD", HD_PARADIGM_PTHREAD, HD_ROLE_FUNCTION },
    [MUTEX_LOCK]    = { "pthread_mutex_lock", "PTHREAD", HD_PARADIGM_PTHREAD, HD_ROLE_FUNCTION },
    [COND_WAIT]     = { "pthread_cond_wait", "PTHREAD", HD_PARADIGM_PTHREAD, HD_ROLE_FUNCTION },
    [SHMEM_PUT]     = { "shmem_put64", "SHMEM", HD_PARADIGM_SHMEM, HD_ROLE_RMA },
    [SHMEM_BCAST]   = { "shmem_broadcast64", "SHMEM", HD_PARADIGM_SHMEM, HD_ROLE_COLL_ONE2ALL },
    [SHMEM_BARRIER] = { "shmem_barrier_all", "SHMEM", HD_PARADIGM_SHMEM, HD_ROLE_BARRIER },
    [SHMEM_LOCK]    = { "shmem_set_lock", "SHMEM", HD_PARADIGM_SHMEM, HD_ROLE_FUNCTION },
    [SHMEM_WAIT]    = { "shmem_int_wait_until", "SHMEM", HD_PARADIGM_SHMEM, HD_ROLE_FUNCTION },
    [SHMEM_QUIET]   = { "shmem_quiet", "SHMEM", HD_PARADIGM_SHMEM, HD_ROLE_FUNCTION },
    [SHMEM_MY_PE]   = { "shmem_my_pe", "SHMEM", HD_PARADIGM_SHMEM, HD_ROLE_FUNCTION },
    [SHMEM_INIT]    = { "shmem_init", "SHMEM", HD_PARADIGM_SHMEM, HD_ROLE_FUNCTION },
    [SHMEM_MALLOC]  = { "shmem_malloc", "SHMEM", HD_PARADIGM_SHMEM, HD_ROLE_ALLOCATE },
};

static hd_derivation *
derivation_of(uint32_t n_used, hd_derivation_options options)
{
    hd_defs       *defs = small_defs(regions, N_REGIONS, 2, 1, false);
    hd_calltree    tree = { HD_NEW_ARRAY(hd_call_path, N_REGIONS), n_used };
    hd_derivation *derivation;

    for (uint32_t i = 0; i < N_REGIONS; i++)
        tree.nodes[i] = (hd_call_path){ HD_NONE, i };
    derivation = hd_derivation_new(defs, &tree, options);
    free(tree.nodes);
    free(defs);
    return derivation;
}

typedef struct expectation {
    uint32_t metric;
    int64_t  value;
} expectation;

/* Checks that exactly the expected metrics come out, in the order of the table. */
static void
check_derived(uint32_t region, bool compat, const hd_severity *entries, size_t n_entries, const expectation *expected,
              uint32_t n_expected)
{
    hd_derivation *derivation = derivation_of(N_REGIONS, (hd_derivation_options){ .compat = compat });
    hd_collected   collected  = { .entries = entries, .n = (uint32_t)n_entries };
    hd_derived     derived[HD_N_METRICS];
    uint32_t       n = hd_derive(derivation, region, &collected, derived);

    CHECK_EQ(n, n_expected);
    for (uint32_t i = 0; i < n && i < n_expected; i++) {
        hd_metric_terms settled = { .values = { { 0 } } };
        hd_metric_set   others;

        CHECK_STR(hd_metric_infos[derived[i].metric].id, hd_metric_infos[expected[i].metric].id);
        CHECK_EQ(derived[i].value, expected[i].value);
        CHECK(derived[i].cost == 0);
        memset(&others, 0xFF, sizeof others);
        CHECK(hd_derives_only(derivation, region, &collected, 1, &others, &settled));
        for (size_t e = 0; e < n_entries; e++)
            CHECK(hd_metric_set_has(&settled.values, entries[e].metric));
        settled = (hd_metric_terms){ .values = { { 0 } } };
        others.words[derived[i].metric / 64] &= ~(UINT64_C(1) << derived[i].metric % 64);
        CHECK(!hd_derives_only(derivation, region, &collected, 1, &others, &settled));
    }
    hd_derivation_free(derivation);
}
#define ENTRIES(...) (const hd_severity[]){ __VA_ARGS__ }, sizeof((hd_severity[]){ __VA_ARGS__ }) / sizeof(hd_severity)
#define EXPECTED(...) (const expectation[]){ __VA_ARGS__ }, sizeof((expectation[]){ __VA_ARGS__ }) / sizeof(expectation)
#define M(id) HD_METRIC_##id

TEST(user_code_is_computation)
{
    check_derived(MAIN, false, ENTRIES({ 0, M(time), 50 }, { 0, M(visits), 2 }),
                  EXPECTED({ M(time), 50 }, { M(execution), 50 }, { M(comp), 50 }, { M(visits), 2 }));
}

TEST(late_sender_is_in_all_that_contains_it)
{
    check_derived(RECV, false,
                  ENTRIES({ 0, M(time), 50 }, { 0, M(mpi_latesender), 20 }, { 0, M(visits), 3 },
                          { 0, M(mpi_cls_count), 1 }, { 0, M(comms_recv), 3 }, { 0, M(bytes_rcvd), 24 }),
                  EXPECTED({ M(time), 50 }, { M(execution), 50 }, { M(mpi), 50 }, { M(mpi_communication), 50 },
                           { M(mpi_point2point), 50 }, { M(mpi_latesender), 20 }, { M(visits), 3 }, { M(comms), 3 },
                           { M(comms_p2p), 3 }, { M(comms_recv), 3 }, { M(mpi_cls_count), 1 }, { M(bytes), 24 },
                           { M(bytes_p2p), 24 }, { M(bytes_rcvd), 24 }));
}

TEST(a_barrier_is_synchronization)
{
    check_derived(BARRIER, false, ENTRIES({ 0, M(time), 9 }),
                  EXPECTED({ M(time), 9 }, { M(execution), 9 }, { M(mpi), 9 }, { M(mpi_synchronization), 9 },
                           { M(mpi_sync_collective), 9 }));
}

TEST(a_flush_is_overhead_and_no_execution)
{
    check_derived(FLUSH, false, ENTRIES({ 0, M(time), 9 }), EXPECTED({ M(time), 9 }, { M(overhead), 9 }));
}

TEST(kernels_are_computation_and_their_synchronization_is_not)
{
    check_derived(CUDA_KERNEL, false, ENTRIES({ 0, M(time), 9 }),
                  EXPECTED({ M(time), 9 }, { M(execution), 9 }, { M(comp), 9 }, { M(cuda_kernel_executions), 9 }));
    check_derived(CUDA_SYNC, false, ENTRIES({ 0, M(time), 9 }),
                  EXPECTED({ M(time), 9 }, { M(execution), 9 }, { M(cuda_time), 9 }, { M(cuda_sync), 9 }));
}

TEST(driver_names_may_have_a_version)
{
    check_derived(DRIVER_COPY, false, ENTRIES({ 0, M(time), 9 }),
                  EXPECTED({ M(time), 9 }, { M(execution), 9 }, { M(cuda_time), 9 }, { M(cuda_comm), 9 }));
}

TEST(names_run_together_are_two_names_but_not_with_compat)
{
    check_derived(RECORD, false, ENTRIES({ 0, M(time), 9 }),
                  EXPECTED({ M(time), 9 }, { M(execution), 9 }, { M(cuda_time), 9 }, { M(cuda_setup), 9 }));
    check_derived(RECORD, true, ENTRIES({ 0, M(time), 9 }),
                  EXPECTED({ M(time), 9 }, { M(execution), 9 }, { M(cuda_time), 9 }));
}

TEST(openmp_time_is_the_sum_of_its_parts)
{
    check_derived(OMP_BARRIER, false, ENTRIES({ 0, M(time), 9 }, { 0, M(omp_management), 2 }),
                  EXPECTED({ M(time), 9 }, { M(execution), 9 }, { M(comp), -2 }, { M(omp_time), 11 },
                           { M(omp_management), 2 },
                           { M(omp_synchronization), 9 }, { M(omp_barrier), 9 }, { M(omp_ebarrier), 9 }));
}

static void
check_omp_synchronization(uint32_t region, hd_metric metric)
{
    check_derived(region, false, ENTRIES({ 0, M(time), 9 }),
                  EXPECTED({ M(time), 9 }, { M(execution), 9 }, { M(omp_time), 9 }, { M(omp_synchronization), 9 },
                           { metric, 9 }));
}

TEST(constructs_that_keep_threads_in_order_are_synchronization)
{
    check_omp_synchronization(OMP_CRITICAL, M(omp_critical));
    check_omp_synchronization(OMP_ATOMIC, M(omp_critical));
    check_omp_synchronization(OMP_SET_LOCK, M(omp_lock_api));
    check_omp_synchronization(OMP_ORDERED, M(omp_ordered));
    check_omp_synchronization(OMP_TASKWAIT, M(omp_taskwait));
}

TEST(a_flush_is_openmp_but_no_synchronization)
{
    check_derived(OMP_FLUSH, false, ENTRIES({ 0, M(time), 9 }),
                  EXPECTED({ M(time), 9 }, { M(execution), 9 }, { M(omp_time), 9 }, { M(omp_flush), 9 }));
}

TEST(work_sharing_and_the_creation_of_tasks_are_computation)
{
    check_derived(OMP_LOOP, false, ENTRIES({ 0, M(time), 9 }),
                  EXPECTED({ M(time), 9 }, { M(execution), 9 }, { M(comp), 9 }));
    check_derived(OMP_CREATE, false, ENTRIES({ 0, M(time), 9 }),
                  EXPECTED({ M(time), 9 }, { M(execution), 9 }, { M(comp), 9 }, { M(omp_task_create_time), 9 }));
    check_derived(OMP_CREATE, true, ENTRIES({ 0, M(time), 9 }),
                  EXPECTED({ M(time), 9 }, { M(execution), 9 }, { M(comp), 9 }));
}

/* An extension is no term of what was there before. */
TEST(lock_competition_is_waiting_for_critical_sections_and_for_locks)
{
    check_derived(OMP_CRITICAL, false, ENTRIES({ 0, M(omp_lock_contention_critical), 4 }),
                  EXPECTED({ M(omp_lock_contention_critical), 4 }, { M(omp_lock_competition), 4 }));
    check_derived(OMP_SET_LOCK, false, ENTRIES({ 0, M(omp_lock_contention_api), 5 }),
                  EXPECTED({ M(omp_lock_contention_api), 5 }, { M(omp_lock_competition), 5 }));
    check_derived(OMP_SET_LOCK, true, ENTRIES({ 0, M(omp_lock_contention_api), 5 }),
                  EXPECTED({ M(omp_lock_contention_api), 5 }));
}

TEST(posix_threads_are_managed_and_synchronized)
{
    check_derived(THREAD_CREATE, false, ENTRIES({ 0, M(time), 9 }),
                  EXPECTED({ M(time), 9 }, { M(execution), 9 }, { M(pthread_time), 9 }, { M(pthread_management), 9 }));
    check_derived(THREAD_JOIN, false, ENTRIES({ 0, M(time), 9 }),
                  EXPECTED({ M(time), 9 }, { M(execution), 9 }, { M(pthread_time), 9 }, { M(pthread_management), 9 }));
    check_derived(MUTEX_LOCK, false, ENTRIES({ 0, M(time), 9 }),
                  EXPECTED({ M(time), 9 }, { M(execution), 9 }, { M(pthread_time), 9 },
                           { M(pthread_synchronization), 9 }, { M(pthread_lock_api), 9 }));
    check_derived(COND_WAIT, false, ENTRIES({ 0, M(time), 9 }),
                  EXPECTED({ M(time), 9 }, { M(execution), 9 }, { M(pthread_time), 9 },
                           { M(pthread_synchronization), 9 }, { M(pthread_conditional), 9 }));
}

TEST(shmem_communicates_and_synchronizes)
{
    check_derived(SHMEM_PUT, false, ENTRIES({ 0, M(time), 9 }),
                  EXPECTED({ M(time), 9 }, { M(execution), 9 }, { M(shmem), 9 }, { M(shmem_communication), 9 },
                           { M(shmem_rma_communication), 9 }));
    check_derived(SHMEM_BCAST, false, ENTRIES({ 0, M(time), 9 }, { 0, M(shmem_latebroadcast), 4 }),
                  EXPECTED({ M(time), 9 }, { M(execution), 9 }, { M(shmem), 9 }, { M(shmem_communication), 9 },
                           { M(shmem_collective), 9 }, { M(shmem_latebroadcast), 4 }));
    check_derived(SHMEM_BARRIER, false, ENTRIES({ 0, M(time), 9 }, { 0, M(shmem_barrier_wait), 5 }),
                  EXPECTED({ M(time), 9 }, { M(execution), 9 }, { M(shmem), 9 }, { M(shmem_synchronization), 9 },
                           { M(shmem_sync_collective), 9 }, { M(shmem_barrier_wait), 5 }));
    check_derived(SHMEM_LOCK, false, ENTRIES({ 0, M(time), 9 }),
                  EXPECTED({ M(time), 9 }, { M(execution), 9 }, { M(shmem), 9 }, { M(shmem_synchronization), 9 },
                           { M(shmem_point2point_synchronization), 9 }, { M(shmem_lock_completion), 9 }));
    check_derived(SHMEM_WAIT, false, ENTRIES({ 0, M(time), 9 }),
                  EXPECTED({ M(time), 9 }, { M(execution), 9 }, { M(shmem), 9 }, { M(shmem_synchronization), 9 },
                           { M(shmem_point2point_synchronization), 9 }, { M(shmem_wait_until), 9 }));
    check_derived(SHMEM_QUIET, false, ENTRIES({ 0, M(time), 9 }),
                  EXPECTED({ M(time), 9 }, { M(execution), 9 }, { M(shmem), 9 }, { M(shmem_synchronization), 9 },
                           { M(shmem_point2point_synchronization), 9 }));
    check_derived(SHMEM_MY_PE, false, ENTRIES({ 0, M(time), 9 }),
                  EXPECTED({ M(time), 9 }, { M(execution), 9 }, { M(shmem), 9 }));
    check_derived(SHMEM_INIT, false, ENTRIES({ 0, M(time), 9 }),
                  EXPECTED({ M(time), 9 }, { M(execution), 9 }, { M(shmem), 9 }, { M(shmem_init_exit), 9 }));
    check_derived(SHMEM_MALLOC, false, ENTRIES({ 0, M(time), 9 }),
                  EXPECTED({ M(time), 9 }, { M(execution), 9 }, { M(shmem), 9 }, { M(shmem_memory_management), 9 }));
}

TEST(shmem_is_computation_with_compat)
{
    check_derived(SHMEM_PUT, true, ENTRIES({ 0, M(time), 9 }),
                  EXPECTED({ M(time), 9 }, { M(execution), 9 }, { M(comp), 9 }));
}

TEST(visits_count_file_and_window_operations)
{
    check_derived(FILE_READ, false, ENTRIES({ 0, M(visits), 4 }),
                  EXPECTED({ M(visits), 4 }, { M(mpi_file_ops), 4 }, { M(mpi_file_cops), 4 },
                           { M(mpi_file_crops), 4 }));
    check_derived(WIN_LOCK, false, ENTRIES({ 0, M(visits), 4 }),
                  EXPECTED({ M(visits), 4 }, { M(syncs), 4 }, { M(syncs_rma), 4 }, { M(syncs_rma_passive), 4 }));
    check_derived(PUT, false, ENTRIES({ 0, M(visits), 4 }),
                  EXPECTED({ M(visits), 4 }, { M(comms), 4 }, { M(comms_rma), 4 }, { M(comms_rma_puts), 4 }));
}

#define COSTS(...) .costs = (const hd_cost[]){ __VA_ARGS__ },                                                          \
                            .n_costs = sizeof((hd_cost[]){ __VA_ARGS__ }) / sizeof(hd_cost)

/* The metric's value, 0 if it is not among what was derived. */
static double
sum_of(const hd_derived *derived, uint32_t n, hd_metric metric)
{
    for (uint32_t i = 0; i < n; i++)
        if (derived[i].metric == metric)
            return (double)derived[i].value + derived[i].cost;
    return 0;
}

TEST(a_set_of_metrics_is_gone_through_in_ascending_order)
{
    static const uint32_t metrics[] = { 0, 1, 63, 64, HD_N_METRICS - 1 };
    hd_metric_set         set       = { 0 };
    uint32_t              metric    = 0, n = 0;

    CHECK_EQ(hd_metric_set_next(&set, 0), HD_N_METRICS);
    for (uint32_t i = 5; i-- > 0;)
        hd_metric_set_add(&set, metrics[i]);
    while ((metric = hd_metric_set_next(&set, metric)) < HD_N_METRICS) {
        CHECK(n < 5 && metric == metrics[n]);
        n++;
        metric++;
    }
    CHECK_EQ(n, 5);
}

TEST(costs_are_in_all_that_contains_them)
{
    hd_derivation *derivation = derivation_of(N_REGIONS, (hd_derivation_options){ .has_causes = true });
    hd_collected   collected  = { COSTS({ 0, M(delay_latesender), 0.5 }, { 0, M(delay_latesender_longterm), 0.25 },
                                        { 0, M(delay_n2n), 1.5 }, { 0, M(delay_ompbarrier), 2 }) };
    hd_derived     derived[HD_N_METRICS];
    uint32_t       n = hd_derive(derivation, MAIN, &collected, derived);

    CHECK_EQ(n, 12);
    CHECK(sum_of(derived, n, M(delay)) == 4.25);
    CHECK(sum_of(derived, n, M(delay_mpi)) == 2.25);
    CHECK(sum_of(derived, n, M(delay_p2p)) == 0.75);
    CHECK(sum_of(derived, n, M(delay_latesender_aggregate)) == 0.75);
    CHECK(sum_of(derived, n, M(delay_collective)) == 1.5);
    CHECK(sum_of(derived, n, M(delay_omp)) == 2);
    for (uint32_t i = 0; i < n; i++) {
        hd_metric_terms settled = { .values = { { 0 } } };
        hd_metric_set   others;

        memset(&others, 0xFF, sizeof others);
        others.words[derived[i].metric / 64] &= ~(UINT64_C(1) << derived[i].metric % 64);
        CHECK(!hd_derives_only(derivation, MAIN, &collected, 1, &others, &settled));
    }
    hd_derivation_free(derivation);
}

TEST(integers_and_costs_are_added_up_in_one_metric)
{
    static const hd_severity entries[]  =
        { { 0, M(critical_path_activities), 40 }, { 0, M(non_critical_path_activities), 3 } };
    hd_derivation           *derivation = derivation_of(N_REGIONS, (hd_derivation_options){ .has_causes = true });
    hd_collected             collected  =
        { .entries = entries, .n = 2, COSTS({ 0, M(critical_imbalance_impact), 130.5 },
                                            { 0, M(inter_partition_imbalance), 30.5 }) };
    hd_derived               derived[HD_N_METRICS];
    uint32_t                 n = hd_derive(derivation, MAIN, &collected, derived);

    CHECK(sum_of(derived, n, M(performance_impact)) == 173.5);
    CHECK(sum_of(derived, n, M(performance_impact_criticalpath)) == 170.5);
    CHECK(sum_of(derived, n, M(intra_partition_imbalance)) == 100);
    hd_derivation_free(derivation);
}

/* Chain C: of 70 ticks on process 2 the wait before caused 60; the 60 on process 1 were passed on as a whole. */
TEST(waiting_time_is_divided_where_causes_were_computed)
{
    static const hd_severity entries[]  = { { 0, M(mpi_latesender), 70 } };
    static const hd_severity passed[]   = { { 0, M(mpi_latesender), 60 } };
    hd_derivation           *with       = derivation_of(N_REGIONS, (hd_derivation_options){ .has_causes = true });
    hd_derivation           *without    = derivation_of(N_REGIONS, (hd_derivation_options){ .has_causes = false });
    hd_collected             collected  =
        { .entries = entries, .n = 1, COSTS({ 0, M(mpi_wait_indirect_latesender), 60 }) };
    hd_collected             propagates = { .entries = passed, .n = 1, COSTS({ 0, M(mpi_wait_propagating_ls), 60 }) };
    hd_derived               derived[HD_N_METRICS];
    uint32_t                 n = hd_derive(with, RECV, &collected, derived);

    CHECK(sum_of(derived, n, M(waitstates_direct_vs_indirect)) == 70);
    CHECK(sum_of(derived, n, M(mpi_wait_direct_latesender)) == 10);
    CHECK(sum_of(derived, n, M(mpi_wait_indirect)) == 60);
    CHECK(sum_of(derived, n, M(mpi_wait_terminal)) == 70);
    n = hd_derive(with, RECV, &propagates, derived);
    CHECK(sum_of(derived, n, M(waitstates_propagating_vs_terminal)) == 60);
    CHECK(sum_of(derived, n, M(mpi_wait_propagating)) == 60);
    for (uint32_t i = 0; i < n; i++)
        CHECK(derived[i].metric != M(mpi_wait_terminal) && derived[i].metric != M(mpi_wait_terminal_ls));
    CHECK_EQ(hd_derive(without, RECV, &(hd_collected){ .entries = entries, .n = 1 }, derived), 1);
    hd_derivation_free(with);
    hd_derivation_free(without);
}

/* Of each location another part of what there is. */
TEST(cells_of_many_locations_are_those_of_each_alone)
{
    const hd_severity entries[] = { { 0, M(time), 50 }, { 0, M(omp_idle_threads), 8 },
                                    { 0, M(mpi_latesender), 20 }, { 0, M(bytes_sent), 3000 },
                                    { 0, M(visits), 2 } };
    const hd_cost     costs[]   = { { 0, M(delay_latesender), 0.5 }, { 0, M(delay_n2n), 1.5 },
                                    { 0, M(critical_path), 7 } };
    hd_derivation    *derivation = derivation_of(N_REGIONS, (hd_derivation_options){ .has_causes = true });
    hd_derivation    *alone      = derivation_of(N_REGIONS, (hd_derivation_options){ .has_causes = true });
    hd_collected      collected[HD_MAX_CELLS];

    for (uint32_t i = 0; i < HD_MAX_CELLS; i++)
        collected[i] = (hd_collected){ .entries = entries + i % 5, .n = i % 6 <= 5 - i % 5 ? i % 6 : 0,
                                       .costs = costs + i % 3, .n_costs = i % 4 <= 3 - i % 3 ? i % 4 : 0 };
    for (uint32_t region = 0; region < N_REGIONS; region++)
        for (uint32_t n = 1; n <= HD_MAX_CELLS; n++) {
            const hd_derived_cells *cells = hd_derive_cells(derivation, region, collected, n);

            for (uint32_t i = 0; i < n; i++) {
                hd_derived derived[HD_N_METRICS];
                uint32_t   n_derived = hd_derive(alone, region, &collected[i], derived), at = 0;

                for (uint32_t metric = 0; metric < HD_N_METRICS; metric++) {
                    bool    is    = at < n_derived && derived[at].metric == metric;
                    int64_t value = hd_derived_values(cells, metric)[i];
                    double  cost  = hd_derived_costs(cells, metric)[i];

                    CHECK_EQ(value, is ? derived[at].value : 0);
                    CHECK(cost == (is ? derived[at].cost : 0));
                    CHECK(!is || hd_derived_is_any(cells, metric));
                    at += is;
                }
                CHECK_EQ(at, n_derived);
            }
        }
    hd_derivation_free(derivation);
    hd_derivation_free(alone);
}

TEST(a_combination_is_the_sum_of_what_is_derived)
{
    static const hd_severity entries[]  =
        { { 0, M(time), 50 }, { 0, M(omp_idle_threads), 8 }, { 0, M(mpi_latesender), 20 },
          { 0, M(omp_management), 3 }, { 0, M(visits), 2 } };
    const int32_t            factors[HD_N_METRICS] = { [M(comp)] = 2, [M(mpi)] = 5, [M(mpi_latesender)] = -1 };
    hd_derivation           *derivation = derivation_of(N_REGIONS, (hd_derivation_options){ .compat = false });
    hd_collected             collected  = { .entries = entries, .n = 5 };
    hd_combination           combination;

    hd_combination_init(&combination, derivation, factors);
    for (uint32_t region = 0; region < N_REGIONS; region++) {
        hd_derived derived[HD_N_METRICS];
        uint32_t   n   = hd_derive(derivation, region, &collected, derived);
        double     sum = 2 * sum_of(derived, n, M(comp)) + 5 * sum_of(derived, n, M(mpi)) -
                         sum_of(derived, n, M(mpi_latesender));

        CHECK_EQ(hd_combine(&combination, region, &collected), (int64_t)sum);
    }
    hd_combination_fini(&combination);
    hd_derivation_free(derivation);
}

/* Of each metric below execution its children are at most what it is itself, computation and the interfaces are all of
 * execution. */
TEST(the_parts_of_execution_add_up)
{
    static const hd_severity entries[]  = { { 0, M(time), 50 }, { 0, M(omp_idle_threads), 8 } };
    hd_derivation           *derivation = derivation_of(N_REGIONS, (hd_derivation_options){ .compat = false });
    hd_collected             collected  = { .entries = entries, .n = 2 };

    for (uint32_t region = 0; region < N_REGIONS; region++) {
        hd_derived derived[HD_N_METRICS];
        double     of_children[HD_N_METRICS] = { 0 };
        uint32_t   n = hd_derive(derivation, region, &collected, derived);

        for (uint32_t i = 0; i < n; i++)
            if (derived[i].metric < M(overhead) && hd_metric_infos[derived[i].metric].parent != HD_NONE)
                of_children[hd_metric_infos[derived[i].metric].parent] += (double)derived[i].value;
        for (uint32_t metric = 0; metric < HD_N_METRICS; metric++)
            CHECK(of_children[metric] <= sum_of(derived, n, (hd_metric)metric));
        CHECK(of_children[M(execution)] == sum_of(derived, n, M(execution)));
    }
    hd_derivation_free(derivation);
}

TEST(shmem_is_in_a_report_if_the_call_tree_has_it_but_not_with_compat)
{
    hd_derivation *without = derivation_of(COND_WAIT + 1, (hd_derivation_options){ .compat = false });
    hd_derivation *with    = derivation_of(SHMEM_PUT + 1, (hd_derivation_options){ .compat = false });
    hd_derivation *compat  = derivation_of(SHMEM_PUT + 1, (hd_derivation_options){ .compat = true });
    uint32_t       n       = 0;

    for (uint32_t metric = 0; metric < HD_N_METRICS; metric++)
        if (strncmp(hd_metric_infos[metric].id, "shmem", 5) == 0) {
            CHECK(!hd_derivation_has(without, (hd_metric)metric));
            CHECK(hd_derivation_has(with, (hd_metric)metric));
            CHECK(!hd_derivation_has(compat, (hd_metric)metric));
            n++;
        } else
            CHECK_EQ(hd_derivation_has(with, (hd_metric)metric), hd_derivation_has(without, (hd_metric)metric));
    CHECK_EQ(n, 14);
    CHECK(hd_derivation_has(with, M(shmem_wait_nxn)));
    hd_derivation_free(without);
    hd_derivation_free(with);
    hd_derivation_free(compat);
}

TEST(metrics_of_absent_paradigms_are_left_out)
{
    hd_derivation *serial = derivation_of(MAIN + 1, (hd_derivation_options){ .compat = false });
    hd_derivation *mpi    = derivation_of(RECV + 1, (hd_derivation_options){ .compat = false });
    hd_derivation *compat = derivation_of(RECV + 1, (hd_derivation_options){ .compat = true });

    CHECK(hd_derivation_has(serial, M(comp)) && !hd_derivation_has(serial, M(mpi)) &&
          !hd_derivation_has(serial, M(delay)));
    CHECK(hd_derivation_has(mpi, M(delay_latesender)) && hd_derivation_has(mpi, M(mpi_rma_early_fence)));
    CHECK(!hd_derivation_has(mpi, M(omp_time)) && !hd_derivation_has(mpi, M(delay_ompbarrier_longterm)));
    CHECK(hd_derivation_has(mpi, M(mpi_nbc_wait)) && !hd_derivation_has(compat, M(mpi_nbc_wait)));
    hd_derivation_free(serial);
    hd_derivation_free(mpi);
    hd_derivation_free(compat);
}

TEST_MAIN
