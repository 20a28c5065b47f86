/* tests/profile/test_severity.c: values are added up per metric and call path, and come out sorted. */
#include "check.h"
#include "severity.h"

TEST(values_of_one_pair_are_added_up)
{
    hd_severities severities;
    hd_severity  *entries;
    size_t        n;

    hd_severities_init(&severities);
    hd_severity_add(&severities, HD_METRIC_time, 3, 5);
    hd_severity_add(&severities, HD_METRIC_time, 3, 7);
    hd_severity_add(&severities, HD_METRIC_visits, 3, 1);
    CHECK_EQ(*hd_severities_slot(&severities, HD_METRIC_time, 3), 12);
    CHECK_EQ(*hd_severities_slot(&severities, HD_METRIC_time, 4), 0);
    entries = hd_severities_take(&severities, NULL, &n);
    CHECK_EQ(n, 2);
    CHECK_EQ(entries[0].metric, HD_METRIC_time);
    CHECK_EQ(entries[0].value, 12);
    CHECK_EQ(entries[1].metric, HD_METRIC_visits);
    free(entries);
    CHECK(severities.slots == NULL);
    hd_severities_fini(&severities);
}

TEST(nothing_added_gives_no_entries)
{
    hd_severities severities;
    hd_severity  *entries;
    size_t        n = 9;

    hd_severities_init(&severities);
    entries = hd_severities_take(&severities, NULL, &n);
    CHECK_EQ(n, 0);
    free(entries);
}

TEST(pairs_that_a_map_makes_equal_are_added_up_and_zeros_left_out)
{
    const uint32_t map[] = { 8, 2, 8 };
    hd_severities  severities;
    hd_severity   *entries;
    size_t         n;

    hd_severities_init(&severities);
    hd_severity_add(&severities, HD_METRIC_time, 0, 5);
    hd_severity_add(&severities, HD_METRIC_time, 1, 4);
    hd_severity_add(&severities, HD_METRIC_time, 2, 6);
    hd_severity_add(&severities, HD_METRIC_comms_send, 0, 1);
    hd_severity_add(&severities, HD_METRIC_comms_send, 2, -1);
    entries = hd_severities_take(&severities, map, &n);
    CHECK_EQ(n, 2);
    CHECK_EQ(entries[0].call_path, 2);
    CHECK_EQ(entries[1].call_path, 8);
    CHECK_EQ(entries[1].value, 11);
    free(entries);
}

TEST(other_entries_are_taken_with_those_of_the_table)
{
    const uint32_t    map[]  = { 8, 2, 8 };
    const hd_severity more[] = { { 2, HD_METRIC_time, 6 }, { 0, HD_METRIC_visits, 3 }, { 1, HD_METRIC_time, -4 } };
    hd_severities     severities;
    hd_severity      *entries;
    size_t            n;

    hd_severities_init(&severities);
    hd_severity_add(&severities, HD_METRIC_time, 0, 5);
    hd_severity_add(&severities, HD_METRIC_time, 1, 4);
    entries = hd_severities_take_with(&severities, more, 3, map, &n);
    CHECK_EQ(n, 2);
    CHECK_EQ(entries[0].call_path, 8);
    CHECK_EQ(entries[1].call_path, 8);
    CHECK_EQ(entries[HD_METRIC_time > HD_METRIC_visits].value, 11);
    CHECK_EQ(entries[HD_METRIC_time < HD_METRIC_visits].value, 3);
    CHECK_EQ(severities.n, 0);
    free(entries);
    entries = hd_severities_take_with(&severities, more, 1, NULL, &n);
    CHECK_EQ(n, 1);
    CHECK_EQ(entries[0].call_path, 2);
    free(entries);
}

TEST(many_pairs_come_out_sorted_and_complete)
{
    enum { N_PATHS = 70000 };
    hd_severities severities;
    hd_severity  *entries;
    size_t        n;
    int64_t       sum = 0, expected = 0;

    hd_severities_init(&severities);
    for (uint32_t i = 0; i < 3 * N_PATHS; i++) {
        uint32_t call_path = (uint32_t)((uint64_t)i * 48271 % N_PATHS);

        hd_severity_add(&severities, i % 2 ? HD_METRIC_time : HD_METRIC_visits, call_path, i + 1);
        expected += i + 1;
    }
    entries = hd_severities_take(&severities, NULL, &n);
    for (size_t i = 0; i < n; i++) {
        sum += entries[i].value;
        CHECK(i == 0 || entries[i - 1].call_path < entries[i].call_path ||
              (entries[i - 1].call_path == entries[i].call_path && entries[i - 1].metric < entries[i].metric));
    }
    CHECK_EQ(sum, expected);
    CHECK(n >= N_PATHS);
    free(entries);
}

TEST(call_paths_of_any_number_are_kept_apart)
{
    enum { N = 600 };
    const uint32_t bases[] = { 0, 1U << 23, 1U << 24, UINT32_MAX - N };
    hd_severities  severities;
    hd_severity   *entries, pair;
    size_t         n, n_seen = 0;
    uint64_t       at = 0;
    uint32_t       hint;

    hd_severities_init(&severities);
    for (uint32_t i = 0; i < 3 * N; i++)
        for (uint32_t b = 0; b < 4; b++)
            hd_severity_add(&severities, i % 2 ? HD_METRIC_time : HD_METRIC_visits, bases[b] + i % N, b + 1);
    CHECK_EQ(*hd_severities_find_far(&severities, HD_METRIC_visits, UINT32_MAX - N, &hint), 3 * 4);
    CHECK_EQ(*hd_severities_find_far(&severities, HD_METRIC_visits, 0, &hint), 3);
    while (hd_severities_next(&severities, &at, &pair))
        n_seen++;
    CHECK_EQ(n_seen, 4 * N);
    entries = hd_severities_take(&severities, NULL, &n);
    CHECK_EQ(n, 4 * N);
    for (uint32_t i = 0; i < n; i++) {
        CHECK_EQ(entries[i].call_path, bases[i / N] + i % N);
        CHECK_EQ(entries[i].metric, i % 2 ? HD_METRIC_time : HD_METRIC_visits);
        CHECK_EQ(entries[i].value, 3 * (i / N + 1));
    }
    free(entries);
    CHECK(severities.slots == NULL);
}

TEST_MAIN
