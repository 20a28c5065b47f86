/* tests/base/test_map.c: a map says the same as a plain array that is searched from end to end. */
#include "check.h"
#include "map.h"
#include "random_numbers.h"

#define N_KEYS 600

typedef struct model { /* value of key number i */
    uint64_t key[N_KEYS], value[N_KEYS];
    bool     there[N_KEYS];
} model;

static uint32_t
model_size(const model *m)
{
    uint32_t n = 0;

    for (int i = 0; i < N_KEYS; i++)
        n += m->there[i];
    return n;
}

/* How many of the keys the map sees otherwise than the model. */
static uint32_t
n_wrong(const hd_map *map, const model *m)
{
    uint32_t n = map->n != model_size(m);

    for (int i = 0; i < N_KEYS; i++) {
        const uint64_t *place = hd_map_get(map, m->key[i]);

        n += m->there[i] ? place == NULL || *place != m->value[i] : place != NULL;
    }
    return n;
}

/* Adds and removes at random; `adds` of 8 steps add. */
static uint32_t
run(model *m, uint64_t seed, uint32_t adds, int n_steps)
{
    hd_map   map   = { 0 };
    uint32_t wrong = 0;

    memset(m->there, 0, sizeof m->there);
    for (int step = 0; step < n_steps; step++) {
        uint32_t i = random_below(&seed, N_KEYS);
        bool     is_new;

        if (random_below(&seed, 8) < adds) {
            uint64_t *place = hd_map_add(&map, m->key[i], &is_new);

            wrong += is_new == m->there[i] || *place != (m->there[i] ? m->value[i] : 0);
            *place = m->value[i] = random_next(&seed);
            m->there[i] = true;
        } else {
            uint64_t value = 0;

            wrong += hd_map_take(&map, m->key[i], &value) != m->there[i] || value != (m->there[i] ? m->value[i] : 0);
            m->there[i] = false;
        }
        if (step % 16 == 0)
            wrong += n_wrong(&map, m);
    }
    wrong += n_wrong(&map, m);
    hd_map_fini(&map);
    return wrong;
}

TEST(random_adds_and_removes_give_what_a_plain_array_gives)
{
    static model m;
    uint64_t     seed = 1;

    for (int i = 0; i < N_KEYS; i++)
        m.key[i] = random_next(&seed) >> 1;
    for (uint32_t adds = 2; adds < 8; adds++)
        CHECK_EQ(run(&m, adds, adds, 8000), 0);
}

/* All keys want the same four places of a table of 1024: one long run of neighbours, in which removal has to shift. */
TEST(keys_that_cluster_are_found_after_removals)
{
    static model m;
    uint64_t     key = 0;

    for (int i = 0; i < N_KEYS; i++) {
        while ((hd_hash(key) & 1023) > 3)
            key++;
        m.key[i] = key++;
    }
    for (uint32_t adds = 2; adds < 8; adds++)
        CHECK_EQ(run(&m, 77 + adds, adds, 4000), 0);
}

/* The run of neighbours begins at the last place and goes on at the first. */
TEST(clusters_go_round_the_end_of_the_table)
{
    static model m;
    uint64_t     key = 0;

    for (int i = 0; i < N_KEYS; i++) {
        while ((hd_hash(key) & 15) != 15)
            key++;
        m.key[i] = key++;
    }
    CHECK_EQ(run(&m, 5, 3, 4000), 0);
}

TEST(neighbouring_keys_survive_growth)
{
    hd_map   map = { 0 };
    uint32_t wrong = 0;
    bool     is_new;

    for (uint64_t key = 0; key < 100000; key++) {
        *hd_map_add(&map, key, &is_new) = key * 3;
        wrong += !is_new;
    }
    for (uint64_t key = 0; key < 100000; key++) {
        const uint64_t *place = hd_map_get(&map, key);

        wrong += place == NULL || *place != key * 3;
    }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(map.n, 100000);
    CHECK(map.n <= (map.mask + 1) / 2);
    hd_map_fini(&map);
}

TEST(keys_that_come_and_go_do_not_make_it_grow)
{
    hd_map map = { 0 };
    bool   is_new;

    for (uint64_t key = 0; key < 100000; key++) {
        hd_map_add(&map, key, &is_new);
        CHECK(hd_map_remove(&map, key));
    }
    CHECK_EQ(map.n, 0);
    CHECK(map.mask <= 15);
    hd_map_fini(&map);
}

TEST(an_empty_map_has_nothing)
{
    hd_map map = { 0 };

    CHECK(hd_map_get(&map, 0) == NULL);
    CHECK(!hd_map_remove(&map, 0));
    hd_map_fini(&map);
    hd_map_fini(&map);
}

/* Requests of a damaged archive may have any number. */
TEST(the_key_that_marks_free_places_is_never_there)
{
    hd_map map = { 0 };
    bool   is_new;

    CHECK(hd_map_get(&map, HD_MAP_FREE) == NULL);
    hd_map_add(&map, 7, &is_new);
    CHECK(hd_map_get(&map, HD_MAP_FREE) == NULL);
    CHECK(!hd_map_remove(&map, HD_MAP_FREE));
    CHECK_EQ(map.n, 1);
    hd_map_fini(&map);
}

TEST_MAIN
