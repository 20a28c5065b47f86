/* tests/profile/test_cluster.c: clusters that are worked out by hand (docs/metrics.md#clusters). */
#include "cluster.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "memory.h"

static bool
has(const hd_clusters *clusters, uint32_t cluster, uint32_t n_iterations, const char *which, uint32_t typical)
{
    char *text = hd_clusters_which(clusters, cluster, n_iterations);
    bool  same = strcmp(text, which) == 0 && clusters->rows[cluster].typical + 1 == typical;

    if (!same)
        fprintf(stderr, "\"%s\" (%u), not \"%s\" (%u)\n", text, clusters->rows[cluster].typical + 1, which, typical);
    free(text);
    return same;
}

/* The example of the docs: a third apart at most. */
TEST(iterations_as_long_are_one_cluster)
{
    const uint64_t  durations[] = { 10, 11, 10, 31, 10, 30 }, calls[6] = { 0 };
    const uint64_t *values[]    = { durations };
    hd_clusters     clusters    = hd_clusters_of(&(hd_cluster_request){ 6, values, 1, calls, 1, 0 });

    CHECK_EQ(clusters.n, 2);
    CHECK(has(&clusters, 0, 6, "1-3,5", 1));
    CHECK(has(&clusters, 1, 6, "4,6", 6)); /* the mean is 30 */
    CHECK_EQ(clusters.rows[0].structure, clusters.rows[1].structure);
    hd_clusters_fini(&clusters);
}

/* 30 and 20 are apart by 10, a third of 30; 31 and 20 by more than a third of 31. */
TEST(a_third_is_the_limit)
{
    const uint64_t  calls[2] = { 0 };
    uint64_t        durations[2] = { 30, 20 };
    const uint64_t *values[]     = { durations };
    hd_clusters     clusters     = hd_clusters_of(&(hd_cluster_request){ 2, values, 1, calls, 1, 0 });

    CHECK_EQ(clusters.n, 1);
    hd_clusters_fini(&clusters);
    durations[0] = 31;
    clusters     = hd_clusters_of(&(hd_cluster_request){ 2, values, 1, calls, 1, 0 });
    CHECK_EQ(clusters.n, 2);
    hd_clusters_fini(&clusters);
}

/* As long, but 3 and 6 wait 9 for something else: |0 - 9| + |9 - 0| = 18 of 19. */
TEST(those_that_wait_for_something_else_are_others)
{
    const uint64_t  durations[] = { 10, 10, 10, 10, 10, 10 }, one[] = { 9, 9, 0, 9, 9, 0 };
    const uint64_t  other[] = { 0, 0, 9, 0, 0, 9 }, calls[6] = { 0 };
    const uint64_t *values[]    = { durations, one, other };
    hd_clusters     clusters    = hd_clusters_of(&(hd_cluster_request){ 6, values, 3, calls, 1, 0 });

    CHECK_EQ(clusters.n, 2);
    CHECK(has(&clusters, 0, 6, "1-2,4-5", 1));
    CHECK(has(&clusters, 1, 6, "3,6", 3));
    hd_clusters_fini(&clusters);
}

TEST(those_with_other_calls_are_others)
{
    const uint64_t  durations[] = { 10, 10, 10, 10 }, calls[] = { 1, 0, 1, 0, 3, 0, 1, 1 };
    const uint64_t *values[]    = { durations };
    hd_clusters     clusters    = hd_clusters_of(&(hd_cluster_request){ 4, values, 1, calls, 2, 0 });

    CHECK_EQ(clusters.n, 3);
    CHECK(has(&clusters, 0, 4, "1-2", 1));
    CHECK(has(&clusters, 1, 4, "3", 3));
    CHECK(has(&clusters, 2, 4, "4", 4));
    CHECK_EQ(clusters.rows[2].structure, 2);
    hd_clusters_fini(&clusters);
}

/* Each is 1.6 times as long as the one before, which is no third; 80 of them are more than there may be. Each iteration
 * is in one cluster, and clusters are what is next to each other. */
TEST(above_64_the_nearest_are_joined)
{
    enum { N = 80 };

    uint64_t        durations[N], calls[N] = { 0 };
    const uint64_t *values[] = { durations };
    hd_clusters     clusters;
    uint32_t        n = 0;

    durations[0] = 2;
    for (uint32_t i = 1; i < N; i++)
        durations[i] = durations[i - 1] + durations[i - 1] * 3 / 5 + 1;
    clusters = hd_clusters_of(&(hd_cluster_request){ N, values, 1, calls, 1, 0 });
    CHECK_EQ(clusters.n, HD_CLUSTERS_MOST);
    for (uint32_t k = 0; k < clusters.n; k++) {
        n += clusters.rows[k].n;
        CHECK(k == 0 || clusters.rows[k].n <= clusters.rows[k - 1].n);
        for (uint32_t i = 0; i < clusters.rows[k].n; i++)
            CHECK_EQ(clusters.of[clusters.rows[k].first + i], k);
    }
    CHECK_EQ(n, N);
    hd_clusters_fini(&clusters);
}

TEST(none_have_none_and_one_is_one)
{
    const uint64_t  durations[] = { 0 }, calls[1] = { 0 };
    const uint64_t *values[]    = { durations };
    hd_clusters     clusters    = hd_clusters_of(&(hd_cluster_request){ 1, values, 1, calls, 1, 0 });

    CHECK_EQ(clusters.n, 1);
    CHECK(has(&clusters, 0, 1, "1", 1));
    hd_clusters_fini(&clusters);
    CHECK_EQ(hd_clusters_of(&(hd_cluster_request){ 0, values, 1, calls, 1, 0 }).n, 0);
    CHECK_EQ(hd_clusters_of(&(hd_cluster_request){ HD_CLUSTER_ITERATIONS + 1, values, 1, calls, 1, 0 }).n, 0);
}

TEST_MAIN
