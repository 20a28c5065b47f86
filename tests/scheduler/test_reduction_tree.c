/* tests/scheduler/test_reduction_tree.c: the workers of any communicator, under any placement, form one tree.
 *
 *   rank 0   [worker 0]◀─[worker 1]      members of one rank go to its leading worker, which is the only one that
 *               ▲                        talks to other ranks
 *   rank 2   [worker 5] rank 3 [worker 6]─▶ worker 0
 */
#include "check.h"
#include "memory.h"
#include "random_numbers.h"
#include "reduction_tree.h"

typedef struct forest { /* what every worker computes for one communicator */
    uint32_t           n_workers, n_threads;
    bool              *has_members;
    hd_reduction_tree *trees;
} forest;

static hd_placement *
placement_of(uint32_t n_processes, uint32_t n_ranks, uint32_t n_threads, hd_placement_policy policy, uint64_t *seed)
{
    uint64_t     *weights = HD_NEW_ARRAY(uint64_t, n_processes);
    uint32_t     *nodes   = HD_NEW_ARRAY(uint32_t, n_processes);
    hd_placement *placement = NULL;

    for (uint32_t p = 0; p < n_processes; p++) {
        weights[p] = random_below(seed, 1000);
        nodes[p]   = p / 3;
    }
    CHECK_EQ(hd_placement_new(&(hd_placement_request){ .weights = weights, .nodes = nodes, .n_processes = n_processes,
                                                       .n_ranks = n_ranks, .n_threads = n_threads, .policy = policy },
                              &placement),
             HD_OK);
    free(weights);
    free(nodes);
    return placement;
}

static forest
forest_new(const hd_placement *placement, const uint32_t *members, uint32_t n_members)
{
    forest f = { .n_workers = hd_placement_n_workers(placement), .n_threads = hd_placement_n_threads(placement) };

    f.has_members = HD_NEW_ARRAY(bool, f.n_workers);
    f.trees       = HD_NEW_ARRAY(hd_reduction_tree, f.n_workers);
    for (uint32_t i = 0; i < n_members; i++)
        if (members[i] != HD_NONE)
            f.has_members[hd_placement_worker(placement, (hd_process){ members[i] })] = true;
    for (uint32_t h = 0; h < f.n_workers; h++)
        if (f.has_members[h]) {
            hd_reduction_tree_scratch scratch;

            hd_reduction_tree_scratch_init(&scratch, f.n_workers / f.n_threads);
            hd_reduction_tree_init(&f.trees[h], &scratch, placement, h, members, n_members);
            hd_reduction_tree_fini(&f.trees[h]);
            /* the scratch is as good as new */
            hd_reduction_tree_init(&f.trees[h], &scratch, placement, h, members, n_members);
            hd_reduction_tree_scratch_fini(&scratch);
        }
    return f;
}

static void
forest_free(forest *f)
{
    for (uint32_t h = 0; h < f->n_workers; h++)
        hd_reduction_tree_fini(&f->trees[h]);
    free(f->has_members);
    free(f->trees);
}

typedef struct census {
    uint32_t n_workers, n_roots, n_members, n_edges, n_disagree, n_astray, n_rank_edges_wrong, n_wide;
} census;

static bool
is_child(const hd_reduction_tree *tree, uint32_t worker)
{
    uint32_t n = 0;

    for (uint32_t c = 0; c < tree->n_children; c++)
        n += tree->children[c] == worker;
    return n == 1;
}

static census
take_census(const forest *f)
{
    census c = { 0 };

    for (uint32_t h = 0; h < f->n_workers; h++) {
        const hd_reduction_tree *tree = &f->trees[h];
        uint32_t                 up = h, steps = 0, n_rank_children = 0;

        if (!f->has_members[h])
            continue;
        c.n_workers++;
        c.n_members += tree->n_members;
        c.n_edges += tree->n_children;
        c.n_roots += tree->parent == HD_NONE;
        if (tree->parent != HD_NONE && (!f->has_members[tree->parent] || !is_child(&f->trees[tree->parent], h)))
            c.n_disagree++;
        for (uint32_t i = 0; i < tree->n_children; i++) {
            c.n_disagree += !f->has_members[tree->children[i]] || f->trees[tree->children[i]].parent != h;
            n_rank_children += tree->children[i] / f->n_threads != h / f->n_threads;
        }
        c.n_wide += n_rank_children > 2;
        while (f->trees[up].parent != HD_NONE && steps++ <= f->n_workers)
            up = f->trees[up].parent;
        c.n_astray += steps > f->n_workers;
    }
    for (uint32_t rank = 0; rank < f->n_workers / f->n_threads; rank++) {
        uint32_t n_leaders = 0, n = 0;

        for (uint32_t h = rank * f->n_threads; h < (rank + 1) * f->n_threads; h++) {
            n += f->has_members[h];
            n_leaders += f->has_members[h] &&
                         (f->trees[h].parent == HD_NONE || f->trees[h].parent / f->n_threads != rank);
        }
        c.n_rank_edges_wrong += n > 0 && n_leaders != 1;
    }
    return c;
}

static void
check_tree(const hd_placement *placement, const uint32_t *members, uint32_t n_members)
{
    forest   f = forest_new(placement, members, n_members);
    census   c = take_census(&f);
    uint32_t n = 0;

    for (uint32_t i = 0; i < n_members; i++)
        n += members[i] != HD_NONE;
    CHECK_EQ(c.n_roots, n > 0);
    CHECK_EQ(c.n_members, n);
    CHECK_EQ(c.n_edges, n > 0 ? c.n_workers - 1 : 0);
    CHECK_EQ(c.n_disagree, 0);
    CHECK_EQ(c.n_astray, 0);
    CHECK_EQ(c.n_rank_edges_wrong, 0); /* one worker of a rank leads it */
    CHECK_EQ(c.n_wide, 0);             /* binary over the ranks */
    forest_free(&f);
}

TEST(the_workers_of_random_communicators_form_one_tree_under_every_placement)
{
    uint64_t seed = 2;

    for (int round = 0; round < 400; round++) {
        uint32_t      n_processes = 1 + random_below(&seed, 60), n_ranks = 1 + random_below(&seed, 12);
        uint32_t      n_threads = 1 + random_below(&seed, 5), share = 1 + random_below(&seed, 10), n = 0;
        uint32_t      members[64];
        hd_placement *placement = placement_of(n_processes, n_ranks, n_threads, (hd_placement_policy)(round % 3),
                                               &seed);

        for (uint32_t p = 0; p < n_processes; p++)
            if (random_below(&seed, 10) < share)
                members[n++] = p;
        for (uint32_t i = 1; i < n; i++) { /* in any order of ranks */
            uint32_t j = random_below(&seed, i + 1), member = members[i];

            members[i] = members[j];
            members[j] = member;
        }
        check_tree(placement, members, n);
        hd_placement_free(placement);
    }
}

TEST(members_that_do_not_exist_are_skipped)
{
    static const uint32_t members[] = { HD_NONE, 3, HD_NONE, 0, 7, HD_NONE };
    uint64_t              seed      = 5;
    hd_placement         *placement = placement_of(8, 3, 2, HD_PLACE_BLOCK, &seed);

    check_tree(placement, members, 6);
    hd_placement_free(placement);
}

TEST(a_communicator_on_one_worker_never_leaves_it)
{
    uint64_t seed = 6;

    for (uint32_t n_threads = 1; n_threads < 4; n_threads++) {
        hd_placement *placement = placement_of(30, 3, n_threads, HD_PLACE_CYCLIC, &seed);

        for (uint32_t worker = 0; worker < hd_placement_n_workers(placement); worker++) {
            hd_reduction_tree_scratch scratch;
            hd_reduction_tree         tree;
            uint32_t                  members[30], n = 0;

            for (uint32_t p = 0; p < 30; p++)
                if (hd_placement_worker(placement, (hd_process){ p }) == worker)
                    members[n++] = p;
            hd_reduction_tree_scratch_init(&scratch, 3);
            hd_reduction_tree_init(&tree, &scratch, placement, worker, members, n);
            CHECK_EQ(tree.n_members, n);
            CHECK_EQ(tree.n_children, 0);
            CHECK_EQ(tree.parent, HD_NONE);
            hd_reduction_tree_fini(&tree);
            hd_reduction_tree_scratch_fini(&scratch);
        }
        hd_placement_free(placement);
    }
}

TEST(a_communicator_on_two_workers_of_a_rank_stays_on_the_rank)
{
    uint64_t              seed      = 7;
    hd_placement         *placement = placement_of(8, 2, 2, HD_PLACE_CYCLIC, &seed);
    uint32_t              n;
    const uint32_t       *members = hd_placement_of_rank(placement, (hd_arank){ 1 }, &n);
    forest                f       = forest_new(placement, members, n);

    CHECK(f.has_members[2] && f.has_members[3]);
    CHECK_EQ(f.trees[2].parent, HD_NONE);
    CHECK_EQ(f.trees[2].n_children, 1);
    CHECK_EQ(f.trees[3].parent, 2);
    CHECK_EQ(f.trees[3].n_children, 0);
    forest_free(&f);
    hd_placement_free(placement);
}

TEST_MAIN
