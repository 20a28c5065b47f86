/* tests/profile/test_calltree.c: unification gives the same tree for any placement of processes on ranks.
 *
 *   process 0   main( init  solve )            unified   0 main   1 init   2 solve
 *   process 1   main( solve( send ) )                    3 solve/send
 *   process 2   main( init( open ) ) tool                4 init/open   5 tool
 *
 * Runs with one rank, and with several: process p is on rank (p * 2 + 1) mod n_ranks.
 */
#include "calltree.h"
#include "check.h"
#include "test_comm.h"
#include "memory.h"

static hd_analysis_comm *analysis_comm;

enum { MAIN, INIT, SOLVE, SEND, OPEN, TOOL };

static const hd_call_path tree_0[] = { { HD_NONE, MAIN }, { 0, INIT }, { 0, SOLVE } };
static const hd_call_path tree_1[] = { { HD_NONE, MAIN }, { 0, SOLVE }, { 1, SEND } };
static const hd_call_path tree_2[] = { { HD_NONE, MAIN }, { 0, INIT }, { 1, OPEN }, { HD_NONE, TOOL } };

static bool
is_here(uint32_t process)
{
    return (process * 2 + 1) % hd_analysis_comm_size(analysis_comm) == hd_analysis_comm_rank(analysis_comm).v;
}

static size_t
host(const hd_process_tree *all, size_t n_all, hd_process_tree *hosted)
{
    size_t n = 0;

    for (size_t i = 0; i < n_all; i++)
        if (is_here(all[i].process.v))
            hosted[n++] = all[i];
    return n;
}

TEST(nodes_are_numbered_process_by_process_in_order_of_first_occurrence)
{
    static const hd_call_path expected[] =
        { { HD_NONE, MAIN }, { 0, INIT }, { 0, SOLVE }, { 2, SEND }, { 1, OPEN }, { HD_NONE, TOOL } };
    static const uint32_t     maps_expected[3][4] = { { 0, 1, 2 }, { 0, 2, 3 }, { 0, 1, 4, 5 } };
    const hd_process_tree all[3] = { { { 0 }, tree_0, 3 }, { { 1 }, tree_1, 3 }, { { 2 }, tree_2, 4 } };
    hd_process_tree hosted[3] = { 0 };
    uint32_t       *maps[3];
    size_t          n = host(all, 3, hosted);
    hd_calltree     tree;

    hd_calltree_unify(analysis_comm, hosted, n, &tree, maps);
    CHECK_EQ(tree.n, 6);
    for (uint32_t i = 0; i < 6 && i < tree.n; i++) {
        CHECK_EQ(tree.nodes[i].parent, expected[i].parent);
        CHECK_EQ(tree.nodes[i].region, expected[i].region);
    }
    for (size_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < hosted[i].n; j++)
            CHECK_EQ(maps[i][j], maps_expected[hosted[i].process.v][j]);
        free(maps[i]);
    }
    hd_calltree_fini(&tree);
}

/* Every process has a chain of its own of random nodes; merged one after the other they must give the same numbers. */
TEST(many_processes_give_what_merging_them_in_order_gives)
{
    enum { N = 40, N_NODES = 60 };
    static hd_call_path nodes[N][N_NODES], merged[N * N_NODES];
    static uint32_t     expected[N][N_NODES];
    hd_process_tree     all[N], hosted[N];
    uint32_t           *maps[N];
    uint32_t            seed = 1, n_merged = 0;
    hd_calltree         tree;
    size_t              n;

    for (uint32_t p = 0; p < N; p++) {
        all[p] = (hd_process_tree){ { p }, nodes[p], N_NODES };
        for (uint32_t i = 0; i < N_NODES;) {
            hd_call_path node;
            uint32_t     j = 0;

            seed        = seed * 1664525 + 1013904223;
            node.parent = i == 0 ? HD_NONE : (seed >> 16) % i;
            node.region = i == 0 ? 0 : (seed >> 8) % 7;
            while (j < i && (nodes[p][j].parent != node.parent || nodes[p][j].region != node.region))
                j++;
            if (j < i)
                continue;
            nodes[p][i] = node;
            node.parent = node.parent == HD_NONE ? HD_NONE : expected[p][node.parent];
            for (j = 0; j < n_merged && (merged[j].parent != node.parent || merged[j].region != node.region); j++)
                ;
            if (j == n_merged)
                merged[n_merged++] = node;
            expected[p][i++] = j;
        }
    }
    n = host(all, N, hosted);
    hd_calltree_unify(analysis_comm, hosted, n, &tree, maps);
    CHECK_EQ(tree.n, n_merged);
    for (uint32_t i = 0; i < tree.n && i < n_merged; i++)
        CHECK(tree.nodes[i].parent == merged[i].parent && tree.nodes[i].region == merged[i].region);
    for (size_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < N_NODES; j++)
            CHECK_EQ(maps[i][j], expected[hosted[i].process.v][j]);
        free(maps[i]);
    }
    hd_calltree_fini(&tree);
}

TEST(no_processes_give_an_empty_tree)
{
    hd_calltree tree;

    hd_calltree_unify(analysis_comm, NULL, 0, &tree, NULL);
    CHECK_EQ(tree.n, 0);
    hd_calltree_fini(&tree);
}

int
main(int argc, char **argv)
{
    int failed;

    analysis_comm  = hd_analysis_comm_open(TEST_COMM, &argc, &argv);
    failed = check_run_all(argc > 1 ? argv[1] : NULL);
    hd_analysis_comm_close(analysis_comm);
    return failed;
}
