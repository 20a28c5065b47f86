/* tests/jobscripts/test_plan.c: numbers of nodes, ranks and threads. */
#include "check.h"
#include "plan.h"

#define GIB (UINT64_C(1) << 30)

static const hd_defs large = { .bytes = GIB / 4, .n_processes = 4096, .n_events = 4000000000,
                               .archive_bytes = 40 * GIB };
static const hd_defs small = { .bytes = 1 << 20, .n_processes = 3, .n_events = 1000, .archive_bytes = 1 << 20 };

static hd_plan
plan_of(const hd_defs *defs, hd_plan_request request)
{
    hd_plan plan = { 0 };

    request.rank_bytes = GIB / 16;
    CHECK_EQ(hd_plan_make(defs, &request, &plan), HD_OK);
    return plan;
}

TEST(the_smallest_number_of_nodes_holds_the_trace)
{
    hd_plan plan = plan_of(&large, (hd_plan_request){ .memory_per_node = 16 * GIB, .cores_per_node = 16 });

    CHECK_EQ(plan.nodes, 5); /* of 12.8 GiB 0.375 are for ranks and definitions; 40 × 1.33 with 16 threads */
    CHECK_EQ(plan.ranks_per_node, 2);
    CHECK_EQ(plan.ranks, 10);
    CHECK_EQ(plan.threads, 8);
    CHECK_EQ(plan.traces_per_rank, 410);
    CHECK(plan.bytes_per_node <= 0.8 * 16 * GIB);
    CHECK_EQ(plan_of(&large, (hd_plan_request){ .memory_per_node = 256 * GIB, .cores_per_node = 16 }).nodes, 1);
}

TEST(events_count_where_files_are_missing)
{
    hd_defs without = large;

    without.archive_bytes = 0;
    CHECK_EQ(hd_plan_trace_bytes(&without), 8000000000);
}

TEST(a_sample_is_better_than_the_definitions)
{
    hd_plan plan = plan_of(&large,
                           (hd_plan_request){ .memory_per_node = 16 * GIB, .cores_per_node = 16,
                                              .trace_bytes = 8 * GIB });

    CHECK_EQ(plan.nodes, 1);
    CHECK_EQ(plan.bytes_per_node, (uint64_t)(8 * (double)GIB * (1 + HD_PLAN_PENDING_SHARE * 15 / 16)) + GIB / 4 +
                                      plan.ranks_per_node * (GIB / 16 + 7 * HD_PLAN_THREAD_BYTES));
    CHECK_EQ(plan.bytes_per_rank, plan.bytes_per_node / plan.ranks);
}

TEST(traces_per_rank_is_kept)
{
    hd_plan plan = plan_of(&large,
                           (hd_plan_request){ .memory_per_node = 256 * GIB, .cores_per_node = 16,
                                              .traces_per_rank = 64 });

    CHECK_EQ(plan.nodes, 32);
    CHECK_EQ(plan.traces_per_rank, 64);
}

TEST(what_is_asked_for_is_taken)
{
    hd_plan plan = plan_of(&large, (hd_plan_request){ .memory_per_node = 256 * GIB, .cores_per_node = 16, .nodes = 8,
                                                      .ranks_per_node = 4, .threads = 3 });

    CHECK_EQ(plan.ranks, 32);
    CHECK_EQ(plan.threads, 3);
    CHECK_EQ(plan.traces_per_rank, 128);
}

TEST(no_more_ranks_and_threads_than_processes)
{
    hd_plan plan = plan_of(&small, (hd_plan_request){ .memory_per_node = 16 * GIB, .cores_per_node = 64 });

    CHECK_EQ(plan.nodes, 1);
    CHECK_EQ(plan.ranks, 2);
    CHECK_EQ(plan.threads, 2);
    CHECK_EQ(hd_plan_max_nodes(&small, &(hd_plan_request){ .cores_per_node = 64 }), 1);
}

TEST(systems_start_what_they_can)
{
    hd_plan_request blue_gene = { .memory_per_node = 16 * GIB, .cores_per_node = 48, .max_ranks_per_node = 4,
                                  .is_power_of_two = true };
    hd_plan         plan;

    CHECK_EQ(plan_of(&large, blue_gene).ranks_per_node, 4);
    blue_gene.max_ranks_per_node = 0;
    CHECK_EQ(plan_of(&large, blue_gene).ranks_per_node, 4); /* of 6 */
    blue_gene.ranks_per_node = 3;
    CHECK_EQ(hd_plan_make(&large, &blue_gene, &plan), HD_ESIZE);
    CHECK(strstr(hd_error_get()->text, "cannot start 3 ranks on a node; 2 can be") != NULL);
}

TEST(few_memory_means_few_ranks)
{
    hd_plan plan = plan_of(&large, (hd_plan_request){ .memory_per_node = GIB / 2, .cores_per_node = 64 });

    CHECK_EQ(plan.ranks_per_node, 1); /* 8 of 64 MiB do not fit beside the definitions, and with 2 more nodes are
                                       * needed */
    CHECK(plan.bytes_per_node <= 0.8 * GIB / 2);
}

TEST(more_memory_never_needs_more_nodes)
{
    uint32_t nodes = UINT32_MAX, n_more = 0;

    for (uint64_t mib = 512; mib < 65536; mib += 97) {
        hd_plan plan = plan_of(&large, (hd_plan_request){ .memory_per_node = mib << 20, .cores_per_node = 64 });

        n_more += plan.nodes > nodes;
        nodes = plan.nodes;
    }
    CHECK_EQ(n_more, 0);
}

TEST(the_most_nodes_keep_what_was_asked_for_busy)
{
    CHECK_EQ(hd_plan_max_nodes(&large, &(hd_plan_request){ .cores_per_node = 48, .ranks_per_node = 1, .threads = 1 }),
             4096);
    CHECK_EQ(hd_plan_max_nodes(&large, &(hd_plan_request){ .cores_per_node = 48 }), 86);
}

TEST(no_more_threads_than_cores_and_no_more_ranks_than_numbers)
{
    hd_plan_request request = { .memory_per_node = 256 * GIB, .cores_per_node = 16, .ranks_per_node = 4, .threads = 5 };
    hd_plan         plan;

    CHECK_EQ(hd_plan_make(&large, &request, &plan), HD_ESIZE);
    CHECK(strstr(hd_error_get()->text, "4 ranks of 5 threads are more than the 16 cores") != NULL);
    request.max_threads_per_node = 64;
    CHECK_EQ(plan_of(&large, request).threads, 5);
    request.nodes = 2147483648;
    CHECK_EQ(hd_plan_make(&large, &request, &plan), HD_ESIZE);
}

TEST(what_cannot_be_is_an_error_that_says_what_would_do)
{
    hd_plan plan;

    CHECK_EQ(hd_plan_make(&large, &(hd_plan_request){ .memory_per_node = GIB / 4, .rank_bytes = GIB / 16,
                                                      .cores_per_node = 8 }, &plan), HD_ESIZE);
    CHECK(strstr(hd_error_get()->details, "nodes with at least 488 MiB") != NULL);
    CHECK_EQ(hd_plan_make(&large, &(hd_plan_request){ .memory_per_node = 16 * GIB, .cores_per_node = 16, .nodes = 2 },
                          &plan), HD_ESIZE);
    CHECK(strstr(hd_error_get()->text, "2 nodes with 1 rank each are too few") != NULL);
    CHECK(strstr(hd_error_get()->details, "5 nodes") != NULL);
}

TEST_MAIN
