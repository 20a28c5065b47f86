/* scheduler/reduction_tree.c: finds parent and children of a worker from the placement of the members, with the same
 * steps on every worker, so that all agree without a message. */
#include "reduction_tree.h"

#include "memory.h"

void
hd_reduction_tree_scratch_init(hd_reduction_tree_scratch *scratch, uint32_t n_ranks)
{
    scratch->n_ranks = n_ranks;
    scratch->lead    = HD_NEW_ARRAY(uint32_t, n_ranks);
    scratch->ranks   = HD_NEW_ARRAY(uint32_t, n_ranks);
    for (uint32_t r = 0; r < n_ranks; r++)
        scratch->lead[r] = HD_NONE;
}

void
hd_reduction_tree_scratch_fini(hd_reduction_tree_scratch *scratch)
{
    free(scratch->lead);
    free(scratch->ranks);
}

static int
compare_ranks(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

    return a < b ? -1 : a > b;
}

static void
add_child(hd_reduction_tree *tree, uint32_t worker)
{
    tree->children                     = hd_realloc(tree->children, tree->n_children + 1, sizeof *tree->children);
    tree->children[tree->n_children++] = worker;
}

/* The ranks that own members, ascending, and the leading thread of each; the members and threads of this worker's
 * rank. */
static uint32_t
survey(hd_reduction_tree *tree, hd_reduction_tree_scratch *scratch, const hd_placement *placement, uint32_t worker,
       const uint32_t *members, uint32_t n_members, bool *own_threads)
{
    uint32_t n_threads = hd_placement_n_threads(placement), n_ranks = 0;

    for (uint32_t i = 0; i < n_members; i++) {
        uint32_t where, rank;

        if (members[i] == HD_NONE)
            continue;
        where = hd_placement_worker(placement, (hd_process){ members[i] });
        rank  = where / n_threads;
        if (scratch->lead[rank] == HD_NONE)
            scratch->ranks[n_ranks++] = rank;
        if (where % n_threads < scratch->lead[rank])
            scratch->lead[rank] = where % n_threads;
        if (where == worker)
            tree->n_members++;
        if (rank == worker / n_threads)
            own_threads[where % n_threads] = true;
    }
    qsort(scratch->ranks, n_ranks, sizeof *scratch->ranks, compare_ranks);
    return n_ranks;
}

static uint32_t
lead_worker(const hd_reduction_tree_scratch *scratch, uint32_t position, uint32_t n_threads)
{
    return scratch->ranks[position] * n_threads + scratch->lead[scratch->ranks[position]];
}

void
hd_reduction_tree_init(hd_reduction_tree *tree, hd_reduction_tree_scratch *scratch, const hd_placement *placement,
                       uint32_t worker, const uint32_t *members,
                       uint32_t n_members)
{
    uint32_t n_threads   = hd_placement_n_threads(placement);
    bool    *own_threads = HD_NEW_ARRAY(bool, n_threads);
    uint32_t n_ranks, position = 0;

    *tree   = (hd_reduction_tree){ .parent = HD_NONE };
    n_ranks = survey(tree, scratch, placement, worker, members, n_members, own_threads);
    while (position < n_ranks && scratch->ranks[position] != worker / n_threads)
        position++;
    if (position < n_ranks) {
        uint32_t lead = lead_worker(scratch, position, n_threads);

        if (worker != lead)
            tree->parent = lead;
        else {
            if (position > 0)
                tree->parent = lead_worker(scratch, (position - 1) / 2, n_threads);
            for (uint32_t t = 0; t < n_threads; t++)
                if (own_threads[t] && t != worker % n_threads)
                    add_child(tree, worker - worker % n_threads + t);
            for (uint32_t c = 2 * position + 1; c <= 2 * position + 2 && c < n_ranks; c++)
                add_child(tree, lead_worker(scratch, c, n_threads));
        }
    }
    for (uint32_t i = 0; i < n_ranks; i++)
        scratch->lead[scratch->ranks[i]] = HD_NONE;
    free(own_threads);
}

void
hd_reduction_tree_fini(hd_reduction_tree *tree)
{
    free(tree->children);
}
