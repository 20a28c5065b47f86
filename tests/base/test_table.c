/* tests/base/test_table.c: keys are found with their values, others are not, however many there are. */
#include "check.h"
#include "random_numbers.h"
#include "table.h"

static uint32_t
n_wrong(uint64_t first, uint64_t step, uint32_t n)
{
    hd_table table;
    uint32_t wrong = 0;

    hd_table_init(&table);
    for (uint32_t i = 0; i < n; i++) {
        wrong += hd_table_get(&table, first + i * step) != HD_NONE;
        hd_table_add(&table, first + i * step, i);
    }
    for (uint32_t i = 0; i < n; i++) {
        wrong += hd_table_get(&table, first + i * step) != i;
        wrong += hd_table_get(&table, first + i * step + 1) != (step == 1 && i + 1 < n ? i + 1 : HD_NONE);
    }
    wrong += table.n != n;
    wrong += n > 0 && table.n > (table.mask + 1) / 4 * 3;
    hd_table_fini(&table);
    return wrong;
}

TEST(keys_in_a_row_are_found)
{
    CHECK_EQ(n_wrong(0, 1, 50000), 0);
}

TEST(keys_that_differ_in_their_upper_half_are_found)
{
    CHECK_EQ(n_wrong(3, UINT64_C(1) << 32, 50000), 0);
}

TEST(keys_that_differ_in_both_halves_are_found)
{
    CHECK_EQ(n_wrong(0, (UINT64_C(1) << 32) + 2, 50000), 0);
}

TEST(every_size_is_less_than_full)
{
    uint32_t wrong = 0;

    for (uint32_t n = 0; n < 200; n++)
        wrong += n_wrong(1000, 17, n);
    CHECK_EQ(wrong, 0);
}

TEST(keys_that_want_the_same_place_are_found)
{
    enum { N = 300 };
    static uint64_t keys[N];
    uint64_t        key = 0;
    uint32_t        wrong = 0;
    hd_table        table;

    hd_table_init(&table);
    for (uint32_t i = 0; i < N; i++) {
        while ((hd_hash(key) & 511) != 511)
            key++;
        keys[i] = key++;
        hd_table_add(&table, keys[i], i);
    }
    for (uint32_t i = 0; i < N; i++)
        wrong += hd_table_get(&table, keys[i]) != i;
    while ((hd_hash(key) & 511) != 511)
        key++;
    CHECK_EQ(wrong, 0);
    CHECK_EQ(hd_table_get(&table, key), HD_NONE);
    hd_table_fini(&table);
}

TEST(the_smallest_and_largest_keys_and_values_are_kept)
{
    hd_table table;

    hd_table_init(&table);
    hd_table_add(&table, 0, 0);
    hd_table_add(&table, UINT64_MAX, HD_NONE - 1);
    CHECK_EQ(hd_table_get(&table, 0), 0);
    CHECK_EQ(hd_table_get(&table, UINT64_MAX), HD_NONE - 1);
    CHECK_EQ(hd_table_get(&table, 1), HD_NONE);
    hd_table_fini(&table);
}

TEST(an_empty_table_has_nothing)
{
    hd_table table;

    hd_table_init(&table);
    CHECK_EQ(hd_table_get(&table, 0), HD_NONE);
    hd_table_fini(&table);
    CHECK_EQ(hd_table_get(&table, 0), HD_NONE);
}

TEST_MAIN
