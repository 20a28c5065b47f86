/* src/report/algebra/matrix_pairs.c: adds up the pairs of a communication matrix by node, and puts them in order. */
#include "matrix_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "sort.h"

double
hd_matrix_value(const hd_matrix_entry *entry, hd_matrix_measure measure)
{
    switch (measure) {
    case HD_MATRIX_MESSAGES:
        return (double)entry->messages;
    case HD_MATRIX_BYTES:
        return (double)entry->bytes;
    case HD_MATRIX_WAITING:
        return hd_matrix_waiting(entry);
    case HD_MATRIX_TRANSFER:
        return hd_matrix_mean_transfer(entry);
    }
    return 0;
}

static void
add(hd_matrix_entry *sum, const hd_matrix_entry *entry)
{
    sum->messages += entry->messages;
    sum->bytes += entry->bytes;
    sum->late_sender += entry->late_sender;
    sum->late_receiver += entry->late_receiver;
    sum->transfer += entry->transfer;
}

hd_matrix_entry
hd_matrix_total(const hd_matrix_list *list)
{
    hd_matrix_entry sum = { .sender = HD_NONE, .receiver = HD_NONE };

    for (size_t i = 0; i < list->n; i++)
        add(&sum, &list->entries[i]);
    return sum;
}

uint32_t
hd_matrix_n_processes(const hd_cube *cube, const hd_matrix_list *list)
{
    uint32_t last = 0;

    for (uint32_t i = 0; i < cube->n_groups; i++)
        last = cube->groups[i].rank > last && cube->groups[i].rank < HD_NONE - 1 ? cube->groups[i].rank : last;
    for (size_t i = 0; i < list->n; i++) {
        last = list->entries[i].sender > last ? list->entries[i].sender : last;
        last = list->entries[i].receiver > last ? list->entries[i].receiver : last;
    }
    return last + 1;
}

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

typedef struct process_node {
    uint32_t process, node;
} process_node;

static int
compare_process_nodes(const void *left, const void *right)
{
    const process_node *a = left, *b = right;

    return a->process != b->process ? (a->process > b->process) - (a->process < b->process) :
           (a->node > b->node) - (a->node < b->node);
}

/* Ascending by process: ranks of a report may be any numbers. */
static process_node *
make_process_nodes(const hd_cube *cube, const hd_division *nodes)
{
    process_node *all = HD_NEW_ARRAY(process_node, (size_t)cube->n_groups + 1);

    for (uint32_t i = 0; i < cube->n_groups; i++)
        all[i] = (process_node){ cube->groups[i].rank, nodes->of_process[i] };
    qsort(all, cube->n_groups, sizeof *all, compare_process_nodes);
    return all;
}

static uint32_t
node_of(const process_node *all, uint32_t n, uint32_t process)
{
    uint32_t low = 0, high = n;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (all[middle].process < process)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && all[low].process == process ? all[low].node : HD_NONE;
}

static inline uint64_t
pair_of(const hd_matrix_entry *entry)
{
    return (uint64_t)entry->sender << 32 | entry->receiver;
}

/* Entries with numbers of parts, in any order, become a list of one for each pair. */
static void
add_up(const hd_matrix_list *list, hd_matrix_entry *entries, hd_matrix_list *of_parts)
{
    size_t n = 0;

    HD_SORT_BY_KEY(hd_matrix_entry, entries, list->n, pair_of);
    for (size_t i = 0; i < list->n; i++)
        if (n > 0 && pair_of(&entries[n - 1]) == pair_of(&entries[i]))
            add(&entries[n - 1], &entries[i]);
        else
            entries[n++] = entries[i];
    *of_parts         = *list;
    of_parts->entries = entries;
    of_parts->n       = n;
}

void
hd_matrix_by_node(const hd_cube *cube, const hd_matrix_list *list, const hd_division *nodes, hd_matrix_list *of_nodes)
{
    process_node    *all     = make_process_nodes(cube, nodes);
    hd_matrix_entry *entries = HD_NEW_ARRAY(hd_matrix_entry, list->n + 1);

    for (size_t i = 0; i < list->n; i++) {
        entries[i]          = list->entries[i];
        entries[i].sender   = node_of(all, cube->n_groups, entries[i].sender);
        entries[i].receiver = node_of(all, cube->n_groups, entries[i].receiver);
    }
    free(all);
    add_up(list, entries, of_nodes);
}

void
hd_matrix_by_block(const hd_matrix_list *list, uint32_t block, hd_matrix_list *of_blocks)
{
    hd_matrix_entry *entries = HD_NEW_ARRAY(hd_matrix_entry, list->n + 1);

    for (size_t i = 0; i < list->n; i++) {
        entries[i] = list->entries[i];
        if (entries[i].sender != HD_NONE)
            entries[i].sender /= block;
        if (entries[i].receiver != HD_NONE)
            entries[i].receiver /= block;
    }
    add_up(list, entries, of_blocks);
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

typedef struct ranked_pair {
    double value;
    size_t i;
} ranked_pair;

static int
compare_ranked(const void *left, const void *right)
{
    const ranked_pair *a = left, *b = right;

    if (a->value != b->value)
        return a->value > b->value ? -1 : 1;
    return (a->i > b->i) - (a->i < b->i);
}

size_t *
hd_matrix_order(const hd_matrix_list *list, hd_matrix_measure measure)
{
    ranked_pair *ranked = HD_NEW_ARRAY(ranked_pair, list->n + 1);
    size_t      *order  = HD_NEW_ARRAY(size_t, list->n + 1);

    for (size_t i = 0; i < list->n; i++)
        ranked[i] = (ranked_pair){ hd_matrix_value(&list->entries[i], measure), i };
    qsort(ranked, list->n, sizeof *ranked, compare_ranked);
    for (size_t i = 0; i < list->n; i++)
        order[i] = ranked[i].i;
    free(ranked);
    return order;
}
