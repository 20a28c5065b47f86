/* tests/profile/test_instance_table.c: statistics of instances are those of all of them sorted, whoever added them in
 * which order. */
#include <math.h>
#include <string.h>

#include "../base/random_numbers.h"
#include "check.h"
#include "test_comm.h"
#include "instance_table.h"

enum { MANY = 6000 };

static hd_analysis_comm *analysis_comm;

static hd_instance
instance_of(uint32_t metric, uint32_t call_path, uint32_t process, hd_time enter, hd_span wait)
{
    return (hd_instance){ .metric = metric, .n_waiters = 1, .waiting = wait, .enter = enter,
                          .leave = enter + (hd_time)wait + 5, .peer = HD_NONE,
                          .waiters[0] = { .process = process, .call_path = call_path, .from = enter, .wait = wait } };
}

/* Of every length of wait from 1 to 2^40; at call path 0 are most of them. */
static hd_instance
random_instance(uint64_t *state, uint32_t n)
{
    uint32_t call_path = random_below(state, 3) > 0 ? 0 : 1 + random_below(state, n);
    hd_span  wait      = 1 + (hd_span)(random_next(state) >> (24 + random_below(state, 40)));

    return instance_of(random_below(state, 2) > 0 ? HD_METRIC_mpi_latesender : HD_METRIC_mpi_wait_nxn, call_path,
                       random_below(state, 9), random_next(state) >> 20, wait);
}

static int
compare_spans(const void *left, const void *right)
{
    hd_span a = *(const hd_span *)left, b = *(const hd_span *)right;

    return a < b ? -1 : a > b;
}

static double
plain_quantile(const hd_span *sorted, size_t n, double part)
{
    double place = part * (double)(n - 1);
    size_t low   = (size_t)place;

    return (double)sorted[low] + (low + 1 < n ? (place - (double)low) * (double)(sorted[low + 1] - sorted[low]) : 0);
}

static bool
is_near(double value, double expected, double share)
{
    return fabs(value - expected) <= share * fabs(expected) + 1e-6;
}

static const hd_wait_statistic *
row_of(const hd_wait_statistics *all, uint32_t metric, uint32_t call_path)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->rows[i].metric == metric && all->rows[i].call_path == call_path)
            return &all->rows[i];
    return NULL;
}

/* waits: [n], is sorted. share: what quartiles may be off. */
static void
check_row(const hd_wait_statistic *row, hd_span *waits, size_t n, double share)
{
    double      mean;
    long double squares = 0;
    hd_span     sum     = 0;

    qsort(waits, n, sizeof *waits, compare_spans);
    for (size_t i = 0; i < n; i++)
        sum += waits[i];
    mean = (double)sum / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += ((long double)waits[i] - (long double)sum / (long double)n) *
                   ((long double)waits[i] - (long double)sum / (long double)n);
    REQUIRE(row != NULL);
    CHECK_EQ(row->count, n);
    CHECK_EQ(row->sum, sum);
    CHECK_EQ(row->minimum, waits[0]);
    CHECK_EQ(row->maximum, waits[n - 1]);
    CHECK_EQ(row->worst.waiting, waits[n - 1]);
    CHECK(is_near(hd_wait_statistic_mean(row), mean, 1e-14));
    CHECK(is_near(hd_wait_statistic_variance(row), (double)(squares / (long double)n), 1e-12));
    CHECK(is_near(row->lower_quartile, plain_quantile(waits, n, 0.25), share));
    CHECK(is_near(row->median, plain_quantile(waits, n, 0.5), share));
    CHECK(is_near(row->upper_quartile, plain_quantile(waits, n, 0.75), share));
}

TEST(a_value_is_in_its_bucket_and_the_bucket_is_narrow)
{
    uint64_t state = 11;

    for (uint32_t i = 0; i < 100000; i++) {
        hd_span  wait = i < 1000 ? (hd_span)i : (hd_span)(random_next(&state) >> (1 + random_below(&state, 62)));
        uint64_t n, least = hd_bucket_values(hd_bucket_of(wait), &n);

        CHECK(hd_bucket_of(wait) < HD_N_BUCKETS);
        CHECK((uint64_t)wait >= least && (uint64_t)wait - least < n);
        CHECK(n == 1 || n * 64 <= least);
    }
    CHECK_EQ(hd_bucket_of(INT64_MAX), HD_N_BUCKETS - 1);
}

TEST(quartiles_of_few_instances_are_exact)
{
    uint64_t state = 5;

    for (size_t n = 1; n <= HD_MAX_VALUES; n = n < 12 ? n + 1 : n * 2) {
        hd_instance_table *table = hd_instance_table_new(0);
        hd_span            waits[HD_MAX_VALUES];
        hd_wait_statistics all;

        for (size_t i = 0; i < n; i++) {
            hd_instance instance = random_instance(&state, 1);

            instance.metric                 = HD_METRIC_mpi_latesender;
            instance.waiters[0].call_path   = 4;
            waits[i]                        = instance.waiting;
            if (hd_analysis_comm_rank(analysis_comm).v == i % hd_analysis_comm_size(analysis_comm))
                hd_instance_table_add(table, &instance);
        }
        all = hd_instance_table_gather(table, analysis_comm);
        if (hd_analysis_comm_rank(analysis_comm).v == 0) {
            CHECK_EQ(all.n, 2);
            check_row(row_of(&all, HD_METRIC_mpi_latesender, 4), waits, n, 1e-15);
            check_row(row_of(&all, HD_METRIC_mpi_latesender, HD_NONE), waits, n, 1e-15);
        } else
            CHECK_EQ(all.n, 0);
        hd_wait_statistics_fini(&all);
        hd_instance_table_free(table);
    }
}

TEST(quartiles_of_many_instances_are_off_by_less_than_a_bucket)
{
    uint64_t           state = 7;
    hd_instance_table *table = hd_instance_table_new(0);
    hd_span           *waits = HD_NEW_ARRAY(hd_span, MANY), *others = HD_NEW_ARRAY(hd_span, MANY);
    size_t             n = 0, n_others = 0;
    hd_wait_statistics all;

    for (uint32_t i = 0; i < MANY; i++) {
        hd_instance instance = random_instance(&state, 30);

        if (instance.metric == HD_METRIC_mpi_wait_nxn && instance.waiters[0].call_path == 0)
            waits[n++] = instance.waiting;
        if (instance.metric == HD_METRIC_mpi_latesender && instance.waiters[0].call_path == 17)
            others[n_others++] = instance.waiting;
        if (hd_analysis_comm_rank(analysis_comm).v == i % hd_analysis_comm_size(analysis_comm))
            hd_instance_table_add(table, &instance);
    }
    CHECK(n > HD_MAX_VALUES && n_others > 5 && n_others <= HD_MAX_VALUES);
    all = hd_instance_table_gather(table, analysis_comm);
    if (hd_analysis_comm_rank(analysis_comm).v == 0) {
        check_row(row_of(&all, HD_METRIC_mpi_wait_nxn, 0), waits, n, 1.0 / 64);
        check_row(row_of(&all, HD_METRIC_mpi_latesender, 17), others, n_others, 1e-15);
    }
    hd_wait_statistics_fini(&all);
    hd_instance_table_free(table);
    free(waits);
    free(others);
}

/* All of it that is not padding. */
static bool
are_equal(const hd_wait_statistics *a, const hd_wait_statistics *b)
{
    if (a->n != b->n || a->n_instances != b->n_instances)
        return false;
    for (size_t i = 0; i < a->n; i++) {
        const hd_wait_statistic *x = &a->rows[i], *y = &b->rows[i];

        if (x->metric != y->metric || x->call_path != y->call_path || x->count != y->count || x->sum != y->sum ||
            x->squares != y->squares || x->minimum != y->minimum || x->maximum != y->maximum ||
            x->lower_quartile != y->lower_quartile ||
            x->median != y->median || x->upper_quartile != y->upper_quartile ||
            memcmp(&x->worst, &y->worst, sizeof x->worst) != 0)
            return false;
    }
    return a->n_instances == 0 || memcmp(a->instances, b->instances, a->n_instances * sizeof *a->instances) == 0;
}

/* On all ranks, dealt out to two tables of each that are merged, or all on rank 0, in the other order. */
static hd_wait_statistics
gather_random(uint32_t n, uint32_t n_worst, bool is_spread)
{
    uint64_t           state     = 99;
    hd_instance       *instances = HD_NEW_ARRAY(hd_instance, n);
    hd_instance_table *table     = hd_instance_table_new(n_worst), *second = hd_instance_table_new(n_worst);
    uint32_t           rank = hd_analysis_comm_rank(analysis_comm).v, n_ranks = hd_analysis_comm_size(analysis_comm);
    hd_wait_statistics all;

    for (uint32_t i = 0; i < n; i++)
        instances[i] = random_instance(&state, 8);
    for (uint32_t i = 0; i < n; i++)
        if (is_spread && i % n_ranks == rank)
            hd_instance_table_add(i / n_ranks % 2 == 0 ? table : second, &instances[i]);
        else if (!is_spread && rank == 0)
            hd_instance_table_add(table, &instances[n - 1 - i]);
    hd_instance_table_merge(table, second);
    all = hd_instance_table_gather(table, analysis_comm);
    hd_instance_table_free(table);
    hd_instance_table_free(second);
    free(instances);
    return all;
}

TEST(who_adds_what_when_makes_no_difference)
{
    static const uint32_t numbers[] = { 1, 2, 10, 500, 3300, MANY }; /* 3300: about 1,024 at the heaviest call paths */

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        for (uint32_t n_worst = 0; n_worst < 40; n_worst += 13) {
            hd_wait_statistics spread = gather_random(numbers[i], n_worst, true),
            alone = gather_random(numbers[i], n_worst, false);

            CHECK(are_equal(&spread, &alone));
            CHECK(hd_analysis_comm_rank(analysis_comm).v != 0 || spread.n > 0);
            hd_wait_statistics_fini(&spread);
            hd_wait_statistics_fini(&alone);
        }
}

static int
compare_plainly(const void *left, const void *right)
{
    const hd_instance *a = left, *b = right;

    if (a->waiting != b->waiting)
        return a->waiting > b->waiting ? -1 : 1;
    if (a->waiters[0].process != b->waiters[0].process)
        return a->waiters[0].process < b->waiters[0].process ? -1 : 1;
    return a->enter < b->enter ? -1 : a->enter > b->enter;
}

TEST(the_worst_are_the_longest_and_of_equals_those_of_the_lowest_process)
{
    uint64_t           state = 3;
    hd_instance_table *table = hd_instance_table_new(25);
    hd_instance        instances[300];
    hd_wait_statistics all;

    for (uint32_t i = 0; i < 300; i++) {
        instances[i] = instance_of(HD_METRIC_omp_ebarrier_wait, i % 3, random_below(&state, 5), i * 1000,
                                   1 + random_below(&state, 20));
        if (hd_analysis_comm_rank(analysis_comm).v == i % hd_analysis_comm_size(analysis_comm))
            hd_instance_table_add(table, &instances[i]);
    }
    qsort(instances, 300, sizeof *instances, compare_plainly);
    all = hd_instance_table_gather(table, analysis_comm);
    if (hd_analysis_comm_rank(analysis_comm).v == 0) {
        CHECK_EQ(all.n_instances, 25);
        for (uint32_t i = 0; i < 25; i++)
            CHECK(memcmp(&all.instances[i], &instances[i], sizeof *instances) == 0);
    }
    hd_wait_statistics_fini(&all);
    hd_instance_table_free(table);
}

TEST(without_a_number_the_worst_of_each_call_path_are_kept)
{
    hd_instance_table *table = hd_instance_table_new(0);
    hd_wait_statistics all;

    if (hd_analysis_comm_rank(analysis_comm).v == 0)
        for (uint32_t i = 0; i < 100; i++) {
            hd_instance instance = instance_of(HD_METRIC_mpi_latesender, i % 4, 0, i * 100, 1 + i);

            hd_instance_table_add(table, &instance);
        }
    all = hd_instance_table_gather(table, analysis_comm);
    if (hd_analysis_comm_rank(analysis_comm).v == 0) {
        CHECK_EQ(all.n_instances, 4);
        for (uint32_t i = 0; i < 4; i++) {
            CHECK_EQ(all.instances[i].waiting, 100 - i);
            CHECK_EQ(all.instances[i].waiters[0].call_path, 3 - i);
        }
    }
    hd_wait_statistics_fini(&all);
    hd_instance_table_free(table);
}

/* Twenty members of an operation, member m waits (7 m mod 20) + 1: together 210, the longest 20. */
TEST(of_an_operation_the_longest_waiters_are_told_in_any_order)
{
    for (uint32_t shift = 0; shift < 20; shift++) {
        hd_instance whole = { .n_waiters = 0 };

        for (uint32_t i = 0; i < 20; i++) {
            uint32_t    m    = (i + shift) % 20;
            hd_instance part = instance_of(HD_METRIC_mpi_wait_nxn, m, m, 100 + m, 7 * m % 20 + 1);

            hd_instance_add_part(&whole, &part);
        }
        CHECK_EQ(whole.waiting, 210);
        CHECK_EQ(whole.n_waiters, HD_MAX_WAITERS);
        for (uint32_t w = 0; w < HD_MAX_WAITERS; w++)
            CHECK_EQ(whole.waiters[w].wait, 20 - w);
        CHECK_EQ(whole.enter, 100 + whole.waiters[0].process);
        CHECK_EQ(7 * whole.waiters[0].process % 20, 19);
    }
}

int
main(int argc, char **argv)
{
    int failed;

    analysis_comm  = hd_analysis_comm_open(TEST_COMM, &argc, &argv);
    failed = check_run_all(argc > 1 ? argv[1] : NULL);
    hd_analysis_comm_close(analysis_comm);
    return failed;
}
