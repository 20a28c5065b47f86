/* tests/profile/test_cost.c: doubles are added up per metric and call path, and come out sorted. */
#include "check.h"
#include "cost.h"

TEST(costs_of_one_pair_are_added_up)
{
    hd_costs costs;
    hd_cost *taken;
    size_t   n;

    hd_costs_init(&costs);
    hd_cost_add(&costs, HD_METRIC_delay_barrier, 3, 0.5);
    hd_cost_add(&costs, HD_METRIC_delay_latesender, 3, 1.0 / 3);
    hd_cost_add(&costs, HD_METRIC_delay_barrier, 3, 0.25);
    hd_cost_add(&costs, HD_METRIC_delay_barrier, 1, -2);
    taken = hd_costs_take(&costs, NULL, &n);
    CHECK_EQ(n, 3);
    CHECK(taken[0].call_path == 1 && taken[0].value == -2);
    CHECK(taken[1].call_path == 3 && taken[1].metric == HD_METRIC_delay_latesender && taken[1].value == 1.0 / 3);
    CHECK(taken[2].call_path == 3 && taken[2].metric == HD_METRIC_delay_barrier && taken[2].value == 0.75);
    free(taken);
    hd_costs_fini(&costs);
}

/* Hints that are out of any table, of other pairs, and right ones; the table grows meanwhile. */
TEST(a_hint_finds_the_place_of_its_pair_or_is_corrected)
{
    hd_costs costs;
    uint32_t hint = 12345;
    size_t   n    = 0;
    hd_cost *all;

    hd_costs_init(&costs);
    for (uint32_t i = 0; i < 300; i++) {
        hd_near_costs near = hd_near_costs_of(&costs, HD_METRIC_delay_n2n);

        for (uint32_t k = 0; k < 2; k++)
            hd_near_costs_add(&near, (i + k) % 150, 0.5, &hint);
        hd_near_costs_add(&near, (i + 1) % 150, 0.5, &hint); /* where it was */
    }
    all = hd_costs_take(&costs, NULL, &n);
    CHECK_EQ(n, 150);
    for (size_t i = 0; i < n; i++)
        CHECK(all[i].call_path == i && all[i].value == 3);
    free(all);
    hd_costs_fini(&costs);
}

TEST(a_hint_serves_for_call_paths_of_any_number)
{
    const uint32_t call_paths[] = { 7, (1U << 23) + 7, UINT32_MAX - 1 };
    hd_costs       costs;
    hd_near_costs  near;
    hd_cost       *taken;
    uint32_t       hint = 0;
    size_t         n;

    hd_costs_init(&costs);
    near = hd_near_costs_of(&costs, HD_METRIC_delay_n2n);
    for (uint32_t i = 0; i < 12; i++)
        hd_near_costs_add(&near, call_paths[i % 3], 0.5, &hint);
    taken = hd_costs_take(&costs, NULL, &n);
    CHECK_EQ(n, 3);
    for (uint32_t i = 0; i < n; i++)
        CHECK(taken[i].call_path == call_paths[i] && taken[i].value == 2);
    free(taken);
}

TEST(costs_that_a_map_makes_equal_are_added_up_and_zeros_left_out)
{
    const uint32_t map[] = { 8, 2, 8 };
    hd_costs       costs;
    hd_cost       *taken;
    size_t         n;

    hd_costs_init(&costs);
    for (uint32_t i = 0; i < 3; i++)
        hd_cost_add(&costs, HD_METRIC_delay_barrier, i, i + 0.5);
    hd_cost_add(&costs, HD_METRIC_delay_latesender, 0, 0.125);
    hd_cost_add(&costs, HD_METRIC_delay_latesender, 2, -0.125);
    taken = hd_costs_take(&costs, map, &n);
    CHECK_EQ(n, 2);
    CHECK(taken[0].call_path == 2 && taken[0].value == 1.5);
    CHECK(taken[1].call_path == 8 && taken[1].value == 3);
    free(taken);
}

TEST(what_is_put_comes_out_with_what_is_added)
{
    hd_costs costs;
    hd_cost *taken, cost;
    uint64_t at = 0;
    size_t   n;

    hd_costs_init(&costs);
    hd_cost_put(&costs, HD_METRIC_critical_path_activities, 5, 1.5);
    hd_cost_put(&costs, HD_METRIC_critical_path_activities, 2, 0.5);
    hd_cost_add(&costs, HD_METRIC_critical_path_activities, 5, 0.25);
    hd_cost_add(&costs, HD_METRIC_delay_barrier, 2, 4);
    CHECK(hd_costs_next(&costs, HD_METRIC_critical_path_activities, &at, &cost) && cost.value == 0.25);
    CHECK(!hd_costs_next(&costs, HD_METRIC_critical_path_activities, &at, &cost));
    taken = hd_costs_take(&costs, NULL, &n);
    CHECK_EQ(n, 3);
    CHECK(taken[0].call_path == 2 && taken[0].metric == HD_METRIC_delay_barrier && taken[0].value == 4);
    CHECK(taken[1].call_path == 2 && taken[1].value == 0.5);
    CHECK(taken[2].call_path == 5 && taken[2].value == 1.75);
    free(taken);
    taken = hd_costs_take(&costs, NULL, &n);
    CHECK_EQ(n, 0);
    free(taken);
}

TEST(no_costs_give_no_entries)
{
    hd_costs costs;
    hd_cost *taken;
    size_t   n = 9;

    hd_costs_init(&costs);
    taken = hd_costs_take(&costs, NULL, &n);
    CHECK_EQ(n, 0);
    free(taken);
}

TEST_MAIN
