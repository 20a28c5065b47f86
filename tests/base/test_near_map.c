/* tests/base/test_near_map.c: it says the same as a plain array, whether keys follow each other or share places. */
#include "check.h"
#include "near_map.h"
#include "random_numbers.h"

#define N_KEYS 300

/* Key number i is first + i * step. Puts and takes at random; `puts` of 8 steps put. */
static uint32_t
n_wrong(uint64_t first, uint64_t step, uint32_t puts)
{
    static uint64_t value[N_KEYS];
    bool            there[N_KEYS] = { false };
    hd_near_map     map  = { 0 };
    hd_map          rest = { 0 };
    uint64_t        seed = puts, found;
    uint32_t        wrong = 0, n = 0;

    for (int k = 0; k < 20000; k++) {
        uint32_t i = random_below(&seed, N_KEYS);

        if (random_below(&seed, 8) < puts) {
            value[i] = random_next(&seed);
            there[i] = true;
            hd_near_map_put(&map, first + i * step, value[i]);
        } else {
            found = 0;
            wrong += hd_near_map_take(&map, first + i * step, &found) != there[i] || found != (there[i] ? value[i] : 0);
            there[i] = false;
        }
    }
    hd_near_map_settle(&map, &rest);
    for (uint32_t i = 0; i < N_KEYS; i++) {
        const uint64_t *place = hd_map_get(&rest, first + i * step);

        wrong += (place != NULL) != there[i] || (place != NULL && *place != value[i]);
        n += there[i];
    }
    wrong += rest.n != n || map.slots != NULL;
    hd_map_fini(&rest);
    return wrong;
}

TEST(keys_that_follow_each_other)
{
    for (uint32_t puts = 1; puts < 8; puts++)
        CHECK_EQ(n_wrong(UINT64_C(1) << 40, 1, puts), 0);
}

TEST(keys_that_share_a_place)
{
    for (uint32_t puts = 1; puts < 8; puts++) {
        CHECK_EQ(n_wrong(7, UINT64_C(1) << 32, puts), 0);
        CHECK_EQ(n_wrong(0, 96, puts), 0);
    }
}

TEST(what_is_not_there_is_not_found)
{
    hd_near_map map   = { 0 };
    uint64_t    value = 5;

    CHECK(!hd_near_map_take(&map, 3, &value));
    hd_near_map_put(&map, 3, 1);
    CHECK(!hd_near_map_take(&map, 19, &value));
    CHECK(!hd_near_map_take(&map, HD_MAP_FREE, &value));
    CHECK_EQ(value, 5);
    CHECK(hd_near_map_take(&map, 3, &value) && !hd_near_map_take(&map, 3, &value));
    CHECK_EQ(value, 1);
    hd_near_map_fini(&map);
}

/* As many requests as are under way at a time: not more memory than that. */
TEST(a_window_that_moves_does_not_grow)
{
    hd_near_map map = { 0 };
    uint64_t    value;
    uint32_t    wrong = 0;

    for (uint64_t key = 0; key < 100000; key++) {
        hd_near_map_put(&map, key, key);
        if (key >= 10)
            wrong += !hd_near_map_take(&map, key - 10, &value) || value != key - 10;
    }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(map.mask, 15);
    CHECK_EQ(map.others.n, 0);
    hd_near_map_fini(&map);
}

TEST_MAIN
