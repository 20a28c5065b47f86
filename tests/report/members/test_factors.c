/* tests/report/members/test_factors.c: the factors of an entry are the same on each processor: quotients of numbers of
 * the type double, rounded once. */
#include "efficiency_list.h"

#include "check.h"

TEST(a_factor_is_rounded_once)
{
    hd_efficiency_entry entry = { .length = 1000003, .resolution = 1000000 };
    double              factors[HD_N_FACTORS];

    entry.sums[HD_EFFICIENCY_threads]    = 1;
    entry.sums[HD_EFFICIENCY_processes]  = 1;
    entry.sums[HD_EFFICIENCY_useful]     = 513903;
    entry.sums[HD_EFFICIENCY_max_useful] = 513903;
    hd_factors_of(&entry, factors);
    CHECK(factors[HD_FACTOR_parallel] == 0x1.071e17897e2a7p-1); /* with 64 bits in between ..a8 */
    CHECK(factors[HD_FACTOR_load_balance] == 1);
    CHECK(factors[HD_FACTOR_communication] == factors[HD_FACTOR_parallel]);
}

TEST(threads_one_after_the_other_are_told)
{
    hd_cube_location    locations[] = { { .type = "thread" }, { .type = "gpu" }, { .type = "thread" } };
    hd_cube             cube  = { .locations = locations, .n_locations = 3 };
    hd_efficiency_entry entry = { .resolution = 1 };

    entry.sums[HD_EFFICIENCY_threads] = 2;
    CHECK_STR(hd_efficiency_at_a_time(&cube, &entry), "");
    entry.sums[HD_EFFICIENCY_threads] = 1;
    CHECK_STR(hd_efficiency_at_a_time(&cube, &entry), " at a time");
}

TEST_MAIN
