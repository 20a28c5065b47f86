/* tests/replay/backward/test_effect.c: what waits cost others, per effect: scales come and go without a rest, and there
 * are not too many. */
#include "check.h"
#include "effect.h"

#define LEN(array) (sizeof(array) / sizeof *(array))

static double
value_of(const hd_effect_costs *costs, uint32_t effect)
{
    for (size_t i = 0; i < costs->n; i++)
        if (costs->rows[i].effect == effect)
            return costs->rows[i].value;
    return -1;
}

static bool
ascends(const hd_effect_costs *costs)
{
    for (size_t i = 1; i < costs->n; i++)
        if (costs->rows[i - 1].effect >= costs->rows[i].effect)
            return false;
    return true;
}

TEST(costs_are_added_up_in_the_order_of_effects)
{
    const hd_effect_cost first[] = { { .effect = 3, .value = 1 }, { .effect = 9, .value = 2 } };
    const hd_effect_cost next[]  = { { .effect = 1, .value = 10 }, { .effect = 3, .value = 20 },
                                     { .effect = 12, .value = 30 } };
    hd_effect_costs      costs   = { 0 };

    hd_effect_costs_add(&costs, first, LEN(first), 1);
    hd_effect_costs_add(&costs, next, LEN(next), 0.5);
    CHECK_EQ(costs.n, 4);
    CHECK(ascends(&costs));
    CHECK(value_of(&costs, 1) == 5 && value_of(&costs, 3) == 11 && value_of(&costs, 9) == 2 &&
          value_of(&costs, 12) == 15);
    hd_effect_costs_fini(&costs);
}

/* To none and to some, the wait's own effect before the others, one of them, after them; up to the limit and beyond. */
TEST(costs_of_a_wait_are_its_own_and_those_of_further_ones)
{
    static const uint32_t n_rows[] = { 0, 1, 3, HD_EFFECTS_MAX - 1, HD_EFFECTS_MAX, HD_EFFECTS_MAX + 1 };
    hd_effect_cost        rows[HD_EFFECTS_MAX + 1];

    for (uint32_t i = 0; i < LEN(rows); i++)
        rows[i] = (hd_effect_cost){ .effect = 10 + 2 * i, .value = 3 * i + 1 };
    for (uint32_t k = 0; k < LEN(n_rows); k++)
        for (uint32_t own = 9; own < 18; own++) {
            hd_effect_costs one = { 0 }, two = { 0 };

            for (uint32_t wait = 0; wait < 3; wait++) { /* the first one when there are no costs */
                hd_effect_costs_add_wait(&one, own + wait, 0.25, rows, n_rows[k], 0.5);
                hd_effect_costs_add(&two, &(hd_effect_cost){ .effect = own + wait, .value = 0.25 }, 1, 1);
                hd_effect_costs_add(&two, rows, n_rows[k], 0.5);
                CHECK(ascends(&one));
                REQUIRE(one.n == two.n);
                for (size_t i = 0; i < one.n; i++)
                    CHECK(one.rows[i].effect == two.rows[i].effect && one.rows[i].value == two.rows[i].value);
            }
            hd_effect_costs_fini(&one);
            hd_effect_costs_fini(&two);
        }
}

TEST(beyond_the_limit_costs_are_those_of_their_kind)
{
    hd_effect_costs costs = { 0 };
    double          sum   = 0;

    for (uint32_t i = 0; i < HD_EFFECTS_MAX + 30; i++) {
        hd_effect_cost row = { .effect = hd_effect(i % 2 == 0 ? HD_DELAY_BARRIER : HD_DELAY_N2N, 1000 - i),
                               .value = i + 1 };

        hd_effect_costs_add(&costs, &row, 1, 1);
        sum += row.value;
    }
    CHECK_EQ(costs.n, HD_EFFECTS_MAX + 2);
    CHECK(ascends(&costs));
    CHECK(value_of(&costs, hd_effect(HD_DELAY_BARRIER, HD_NONE)) > 0);
    CHECK(value_of(&costs, hd_effect(HD_DELAY_N2N, HD_NONE)) > 0);
    for (size_t i = 0; i < costs.n; i++)
        sum -= costs.rows[i].value;
    CHECK(sum == 0);
    hd_effect_costs_fini(&costs);
}

/* Shares of all shapes, beyond the limit too, taken off in another order than they came. */
TEST(what_was_put_in_force_is_taken_off_without_a_rest)
{
    hd_effect_scales scales = { 0 };
    hd_effect_share *shares[50];
    hd_pool          pool;
    hd_effect_costs  wait = { 0 };

    hd_pool_init(&pool, sizeof(hd_effect_share));
    for (uint32_t i = 0; i < LEN(shares); i++) {
        hd_effect_costs added = { 0 };

        for (uint32_t k = 0; k < 1 + i % 7; k++)
            hd_effect_costs_add(&added, &(hd_effect_cost){ .effect = hd_effect(k % 3, 17 * i + k),
                                                           .value = 1.0 / (i + 3 + k) }, 1, 1);
        shares[i] = hd_effect_scales_add(&scales, &added, &pool);
        hd_effect_costs_fini(&added);
    }
    CHECK(scales.n >= HD_EFFECTS_MAX && scales.n <= HD_EFFECTS_MAX + 3);
    hd_effect_costs_of_wait(&wait, &scales, NULL, 10);
    CHECK_EQ(wait.n, scales.n);
    CHECK(ascends(&wait));
    for (uint32_t i = 0; i < LEN(shares); i++)
        hd_effect_scales_take_off(&scales, shares[i * 31 % LEN(shares)], &pool);
    CHECK_EQ(scales.n, 0);
    hd_effect_costs_of_wait(&wait, &scales, NULL, 10);
    CHECK_EQ(wait.n, 0);
    hd_effect_costs_fini(&wait);
    hd_effect_scales_fini(&scales);
    hd_pool_fini(&pool);
}

TEST(a_wait_costs_its_length_times_all_scales_in_force)
{
    const hd_effect_cost one[] = { { .effect = 2, .value = 0.5 }, { .effect = 4, .value = 2 } };
    const hd_effect_cost two[] = { { .effect = 1, .value = 1 }, { .effect = 4, .value = 3 },
                                   { .effect = 7, .value = 0.25 } };
    hd_effect_costs      costs = { 0 }, wait = { 0 };
    hd_effect_scales     scales = { 0 }, extended = { 0 };
    hd_pool              pool;

    hd_pool_init(&pool, sizeof(hd_effect_share));
    hd_effect_costs_add(&costs, one, LEN(one), 1);
    hd_effect_scales_add(&scales, &costs, &pool);
    costs.n = 0;
    hd_effect_costs_add(&costs, two, LEN(two), 1);
    hd_effect_scales_add(&extended, &costs, &pool);
    hd_effect_costs_of_wait(&wait, &extended, &scales, 100);
    CHECK_EQ(wait.n, 4);
    CHECK(ascends(&wait));
    CHECK(value_of(&wait, 1) == 100 && value_of(&wait, 2) == 50 && value_of(&wait, 4) == 500 &&
          value_of(&wait, 7) == 25);
    hd_effect_costs_of_wait(&wait, &extended, &scales, 0);
    CHECK_EQ(wait.n, 0);
    hd_effect_costs_fini(&costs);
    hd_effect_costs_fini(&wait);
    hd_effect_scales_fini(&scales);
    hd_effect_scales_fini(&extended);
    hd_pool_fini(&pool);
}

TEST_MAIN
