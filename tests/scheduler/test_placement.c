/* tests/scheduler/test_placement.c: who workers whom. Where it is said that something is as even as possible, a search
 * through all possibilities says what is possible.
 */
#include <time.h>

#include "check.h"
#include "memory.h"
#include "placement.h"

static hd_placement *
place(hd_placement_request request)
{
    hd_placement *placement = NULL;

    CHECK_EQ(hd_placement_new(&request, &placement), HD_OK);
    return placement;
}

static uint32_t
rank_of(const hd_placement *placement, uint32_t process)
{
    return hd_placement_worker(placement, (hd_process){ process }) / hd_placement_n_threads(placement);
}

static uint64_t
weight_of(const hd_placement_request *request, uint32_t process)
{
    return request->weights[process] > 0 ? request->weights[process] : 1;
}

/* What holds for every policy: lists and workers agree, no rank has too many, none is idle while there are enough. */
static void
check_all(const hd_placement_request *request, const hd_placement *placement)
{
    uint32_t n_seen = 0, n_busy = 0;

    CHECK_EQ(hd_placement_n_threads(placement), request->n_threads);
    CHECK_EQ(hd_placement_n_workers(placement), request->n_threads * request->n_ranks);
    for (uint32_t rank = 0; rank < request->n_ranks; rank++) {
        uint32_t        n, n_busy_threads = 0;
        const uint32_t *list = hd_placement_of_rank(placement, (hd_arank){ rank }, &n);
        char           *busy = HD_NEW_ARRAY(char, request->n_threads);

        for (uint32_t i = 0; i < n; i++) {
            uint32_t worker = hd_placement_worker(placement, (hd_process){ list[i] });

            CHECK(i == 0 || list[i - 1] < list[i]);
            CHECK_EQ(worker / request->n_threads, rank);
            n_busy_threads += busy[worker % request->n_threads] == 0;
            busy[worker % request->n_threads] = 1;
        }
        CHECK_EQ(n_busy_threads, n < request->n_threads ? n : request->n_threads);
        CHECK(request->traces_per_rank == 0 || n <= request->traces_per_rank);
        free(busy);
        n_seen += n;
        n_busy += n > 0;
    }
    CHECK_EQ(n_seen, request->n_processes);
    CHECK_EQ(n_busy, request->n_ranks < request->n_processes ? request->n_ranks : request->n_processes);
}

static void
check_contiguous(const hd_placement_request *request, const hd_placement *placement)
{
    for (uint32_t p = 1; p < request->n_processes; p++) {
        uint32_t before = hd_placement_worker(placement, (hd_process){ p - 1 });
        uint32_t worker = hd_placement_worker(placement, (hd_process){ p });

        CHECK(before <= worker);
    }
}

static uint64_t
heaviest(const hd_placement_request *request, const hd_placement *placement)
{
    uint64_t *weights = HD_NEW_ARRAY(uint64_t, request->n_ranks), result = 0;

    for (uint32_t p = 0; p < request->n_processes; p++)
        weights[rank_of(placement, p)] += weight_of(request, p);
    for (uint32_t rank = 0; rank < request->n_ranks; rank++)
        result = weights[rank] > result ? weights[rank] : result;
    free(weights);
    return result;
}

/* The least possible weight of the heaviest of n_parts contiguous parts of the processes from `from` on. */
static uint64_t
best_possible(const hd_placement_request *request, uint32_t from, uint32_t n_parts)
{
    uint64_t best = UINT64_MAX, first = 0;
    uint32_t most = request->traces_per_rank > 0 ? request->traces_per_rank : UINT32_MAX;

    if (n_parts == 0)
        return from == request->n_processes ? 0 : UINT64_MAX;
    for (uint32_t end = from + 1; end <= request->n_processes && end - from <= most; end++) {
        uint64_t rest = best_possible(request, end, n_parts - 1);

        first += weight_of(request, end - 1);
        if (rest < first)
            rest = first;
        best = rest < best ? rest : best;
    }
    return best;
}

static uint32_t
next_random(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

TEST(equal_processes_are_dealt_out_evenly)
{
    static const uint64_t weights[12] = { 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5 };

    for (uint32_t n = 1; n <= 12; n++)
        for (uint32_t n_ranks = 1; n_ranks <= 14; n_ranks++) {
            hd_placement_request request   = { .weights = weights, .n_processes = n, .n_ranks = n_ranks,
                                               .n_threads = 3 };
            hd_placement        *placement = place(request);
            uint32_t             busy      = n_ranks < n ? n_ranks : n;

            check_all(&request, placement);
            check_contiguous(&request, placement);
            for (uint32_t rank = 0; rank < busy; rank++) {
                uint32_t mine;

                hd_placement_of_rank(placement, (hd_arank){ rank }, &mine);
                CHECK(mine == n / busy || mine == n / busy + 1);
            }
            hd_placement_free(placement);
        }
}

TEST(the_heaviest_rank_is_as_light_as_contiguity_allows)
{
    uint32_t seed = 1;

    for (int round = 0; round < 3000; round++) {
        uint64_t             weights[9];
        hd_placement_request request = { .weights = weights, .n_processes = 1 + next_random(&seed) % 9 };
        uint32_t             busy, least;
        hd_placement        *placement;

        for (uint32_t p = 0; p < request.n_processes; p++)
            weights[p] = next_random(&seed) % (round % 2 == 0 ? 10 : 1000);
        request.n_ranks   = 1 + next_random(&seed) % 6;
        request.n_threads = 1 + next_random(&seed) % 3;
        least             = (request.n_processes + request.n_ranks - 1) / request.n_ranks;
        if (round % 3 == 0)
            request.traces_per_rank = least + next_random(&seed) % 2;
        busy      = request.n_ranks < request.n_processes ? request.n_ranks : request.n_processes;
        placement = place(request);
        check_all(&request, placement);
        check_contiguous(&request, placement);
        CHECK_EQ(heaviest(&request, placement), best_possible(&request, 0, busy));
        hd_placement_free(placement);
    }
}

TEST(light_ranks_are_even_beside_a_heavy_one)
{
    static const uint64_t weights[] = { 100, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
    static const uint32_t ranks[]   = { 0, 1, 1, 1, 2, 2, 2, 3, 3, 3 };
    hd_placement_request  request   = { .weights = weights, .n_processes = 10, .n_ranks = 4, .n_threads = 1 };
    hd_placement         *placement = place(request);

    for (uint32_t p = 0; p < 10; p++)
        CHECK_EQ(rank_of(placement, p), ranks[p]);
    hd_placement_free(placement);
}

TEST(threads_of_a_rank_are_balanced_by_weight_too)
{
    static const uint64_t weights[] = { 1, 1, 1, 3, 6, 2, 2, 2 };
    static const uint32_t workers[] = { 0, 0, 0, 0, 1, 2, 2, 3 };
    hd_placement_request  request   = { .weights = weights, .n_processes = 8, .n_ranks = 2, .n_threads = 2 };
    hd_placement         *placement = place(request);

    for (uint32_t p = 0; p < 8; p++)
        CHECK_EQ(hd_placement_worker(placement, (hd_process){ p }), workers[p]);
    hd_placement_free(placement);
}

TEST(processes_without_events_count_as_one)
{
    static const uint64_t weights[8] = { 0 };
    hd_placement_request  request    = { .weights = weights, .n_processes = 8, .n_ranks = 4, .n_threads = 2 };
    hd_placement         *placement  = place(request);

    check_all(&request, placement);
    for (uint32_t p = 0; p < 8; p++)
        CHECK_EQ(hd_placement_worker(placement, (hd_process){ p }), p);
    hd_placement_free(placement);
}

TEST(absurd_weights_do_no_harm)
{
    static const uint64_t weights[] = { UINT64_MAX, 0, UINT64_MAX, UINT64_MAX - 1, 1, UINT64_MAX };

    for (int policy = HD_PLACE_BLOCK; policy <= HD_PLACE_NODE; policy++)
        for (uint32_t n_ranks = 1; n_ranks < 8; n_ranks++) {
            static const uint32_t nodes[] = { UINT32_MAX, 0, UINT32_MAX, 7, 7, UINT32_MAX - 1 };
            hd_placement_request  request = { .weights = weights, .nodes = nodes, .n_processes = 6, .n_ranks = n_ranks,
                                              .n_threads = 2, .policy = (hd_placement_policy)policy };
            hd_placement         *placement = place(request);

            check_all(&request, placement);
            hd_placement_free(placement);
        }
}

TEST(an_archive_without_processes_can_be_placed)
{
    hd_placement_request request   = { .n_ranks = 3, .n_threads = 2 };
    hd_placement        *placement = place(request);
    uint32_t             n;

    hd_placement_of_rank(placement, (hd_arank){ 2 }, &n);
    CHECK_EQ(n, 0);
    hd_placement_free(placement);
    hd_placement_free(NULL);
}

TEST(cyclic_deals_out_one_by_one_to_ranks_and_threads)
{
    static const uint64_t weights[11]   = { 1000 };
    hd_placement_request  request       = { .weights = weights, .n_processes = 11, .n_ranks = 3, .n_threads = 2,
                                            .policy = HD_PLACE_CYCLIC };
    hd_placement         *placement     = place(request);
    static const uint32_t of_rank_1[]   = { 1, 4, 7, 10 };
    uint32_t              n;
    const uint32_t       *list = hd_placement_of_rank(placement, (hd_arank){ 1 }, &n);

    check_all(&request, placement);
    for (uint32_t p = 0; p < 11; p++)
        CHECK_EQ(hd_placement_worker(placement, (hd_process){ p }), p % 3 * 2 + p / 3 % 2);
    CHECK_EQ(n, 4);
    CHECK(memcmp(list, of_rank_1, sizeof of_rank_1) == 0);
    hd_placement_free(placement);
}

static void
check_nodes(hd_placement_request request, const uint32_t *ranks)
{
    hd_placement *placement;

    request.policy    = HD_PLACE_NODE;
    request.n_threads = 2;
    placement         = place(request);
    check_all(&request, placement);
    for (uint32_t p = 0; p < request.n_processes; p++)
        CHECK_EQ(rank_of(placement, p), ranks[p]);
    hd_placement_free(placement);
}

TEST(a_node_stays_together)
{
    /* Half of the weight would be at 5 processes, inside of the second node. */
    static const uint64_t weights[10] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
    static const uint32_t nodes[10]   = { 4, 4, 4, 2, 2, 2, 2, 0, 0, 0 };
    static const uint32_t ranks[10]   = { 0, 0, 0, 0, 0, 0, 0, 1, 1, 1 };
    static const uint32_t three[10]   = { 0, 0, 0, 1, 1, 1, 1, 2, 2, 2 };

    check_nodes((hd_placement_request){ .weights = weights, .nodes = nodes, .n_processes = 10, .n_ranks = 2 }, ranks);
    check_nodes((hd_placement_request){ .weights = weights, .nodes = nodes, .n_processes = 10, .n_ranks = 3 }, three);
}

TEST(nodes_whose_processes_are_not_neighbours_stay_together_too)
{
    static const uint64_t weights[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };
    static const uint32_t nodes[8]   = { 9, 1, 9, 1, 9, 1, 9, 1 };
    static const uint32_t two[8]     = { 0, 1, 0, 1, 0, 1, 0, 1 };
    static const uint32_t four[8]    = { 0, 2, 0, 2, 1, 3, 1, 3 };

    check_nodes((hd_placement_request){ .weights = weights, .nodes = nodes, .n_processes = 8, .n_ranks = 2 }, two);
    check_nodes((hd_placement_request){ .weights = weights, .nodes = nodes, .n_processes = 8, .n_ranks = 4 }, four);
}

TEST(more_ranks_than_nodes_split_nodes_evenly)
{
    static const uint64_t weights[12] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
    static const uint32_t nodes[12]   = { 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1 };
    static const uint32_t three[12]   = { 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2 };
    static const uint32_t five[12]    = { 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 4 };
    static const uint32_t six[12]     = { 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5 };
    static const uint32_t all[12]     = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };
    hd_placement_request  request     = { .weights = weights, .nodes = nodes, .n_processes = 12, .n_ranks = 3 };

    check_nodes(request, three);
    request.n_ranks = 5;
    check_nodes(request, five);
    request.n_ranks = 6;
    check_nodes(request, six);
    request.n_ranks = 15;
    check_nodes(request, all);
}

TEST(a_node_is_split_when_a_rank_would_worker_too_many)
{
    static const uint64_t weights[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };
    static const uint32_t nodes[8]   = { 0, 0, 0, 0, 0, 0, 1, 1 };
    static const uint32_t ranks[8]   = { 0, 0, 0, 0, 1, 1, 1, 1 };
    static const uint32_t whole[8]   = { 0, 0, 0, 0, 0, 0, 1, 1 };
    hd_placement_request  request    = { .weights = weights, .nodes = nodes, .n_processes = 8, .n_ranks = 2 };

    request.traces_per_rank = 4;
    check_nodes(request, ranks);
    request.traces_per_rank = 6;
    check_nodes(request, whole);
}

TEST(every_policy_holds_what_it_promises_at_random)
{
    uint32_t seed = 7;

    for (int round = 0; round < 3000; round++) {
        uint64_t             weights[40];
        uint32_t             nodes[40], n_nodes = 1 + next_random(&seed) % 6;
        hd_placement_request request = { .weights = weights, .nodes = nodes,
                                         .n_processes = 1 + next_random(&seed) % 40 };
        hd_placement        *placement;

        for (uint32_t p = 0; p < request.n_processes; p++) {
            weights[p] = next_random(&seed) % 100;
            nodes[p]   = round % 2 == 0 ? next_random(&seed) % n_nodes : p / (1 + 40 / n_nodes);
        }
        request.policy    = (hd_placement_policy)(round % 3);
        request.n_ranks   = 1 + next_random(&seed) % 45;
        request.n_threads = 1 + next_random(&seed) % 9;
        if (round % 4 == 0)
            request.traces_per_rank = (request.n_processes + request.n_ranks - 1) / request.n_ranks +
                                      next_random(&seed) % 3;
        placement = place(request);
        check_all(&request, placement);
        hd_placement_free(placement);
    }
}

TEST(too_small_a_limit_is_an_error_that_names_numbers_that_work)
{
    static const uint64_t weights[64];
    hd_placement_request  request   = { .weights = weights, .n_processes = 64, .n_ranks = 4, .n_threads = 1,
                                        .traces_per_rank = 8 };
    hd_placement         *placement = NULL;

    CHECK_EQ(hd_placement_new(&request, &placement), HD_ESIZE);
    CHECK(placement == NULL);
    CHECK_STR(hd_error_get()->text,
              "4 analysis ranks with at most 8 traces each hold 32 processes; the archive has 64");
    CHECK_STR(hd_error_get()->details, "  try:      mpirun -n 8 heddle analyze ...   or   --traces-per-rank 16\n");

    request.n_ranks         = 1;
    request.traces_per_rank = 1;
    request.n_processes     = 3;
    CHECK_EQ(hd_placement_new(&request, &placement), HD_ESIZE);
    CHECK_STR(hd_error_get()->text, "1 analysis rank with at most 1 trace holds 1 process; the archive has 3");
    CHECK_STR(hd_error_get()->details, "  try:      mpirun -n 3 heddle analyze ...   or   --traces-per-rank 3\n");
}

TEST(the_numbers_named_work_and_one_less_does_not)
{
    static const uint64_t weights[50];

    for (int policy = HD_PLACE_BLOCK; policy <= HD_PLACE_NODE; policy++)
        for (uint32_t n = 2; n <= 50; n++)
            for (uint32_t limit = 1; limit < n; limit++) {
                hd_placement_request request = { .weights = weights, .n_processes = n, .n_ranks = 1, .n_threads = 2,
                                                 .traces_per_rank = limit, .policy = (hd_placement_policy)policy };
                hd_placement        *placement = NULL;
                unsigned             n_ranks, traces;

                CHECK_EQ(hd_placement_new(&request, &placement), HD_ESIZE);
                CHECK_EQ(sscanf(hd_error_get()->details,
                                "  try: mpirun -n %u heddle analyze ... or --traces-per-rank %u", &n_ranks,
                                &traces), 2);
                request.n_ranks = n_ranks;
                placement       = place(request);
                check_all(&request, placement);
                hd_placement_free(placement);
                request.n_ranks = n_ranks - 1;
                CHECK(request.n_ranks == 0 || hd_placement_new(&request, &placement) == HD_ESIZE);
                request.n_ranks         = 1;
                request.traces_per_rank = traces;
                placement               = place(request);
                hd_placement_free(placement);
            }
}

TEST(workers_that_cannot_be_numbered_are_an_error)
{
    static const uint64_t weights[1];
    hd_placement_request  request   = { .weights = weights, .n_processes = 1, .n_ranks = 1 << 20,
                                        .n_threads = 1 << 12 };
    hd_placement         *placement = NULL;

    CHECK_EQ(hd_placement_new(&request, &placement), HD_ESIZE);
    CHECK(placement == NULL);
}

TEST(a_million_processes_are_placed_in_no_time)
{
    const uint32_t n       = 1 << 20;
    uint64_t      *weights = HD_NEW_ARRAY(uint64_t, n);
    uint32_t      *nodes   = HD_NEW_ARRAY(uint32_t, n), seed = 3;

    for (uint32_t p = 0; p < n; p++) {
        weights[p] = (uint64_t)next_random(&seed) * 100;
        nodes[p]   = p / 64;
    }
    for (int policy = HD_PLACE_BLOCK; policy <= HD_PLACE_NODE; policy++)
        for (uint32_t n_ranks = 1; n_ranks <= n; n_ranks *= 1024) {
            hd_placement_request request = { .weights = weights, .nodes = nodes, .n_processes = n, .n_ranks = n_ranks,
                                             .n_threads = 8, .policy = (hd_placement_policy)policy };
            clock_t              start = clock();
            hd_placement        *placement = place(request);
            double               seconds   = (double)(clock() - start) / CLOCKS_PER_SEC;

            printf("     policy %d, %7" PRIu32 " ranks: %3.0f ms\n", policy, n_ranks, seconds * 1e3);
            CHECK(seconds < 5); /* generous: sanitizers, loaded machines */
            hd_placement_free(placement);
        }
    free(nodes);
    free(weights);
}

TEST_MAIN
