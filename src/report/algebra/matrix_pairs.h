/* src/report/algebra/matrix_pairs.h: the pairs of a communication matrix by what is asked for: added up by node, the
 * largest ones first.
 *
 * Uses: matrix_list, division. MT: one thread. Ranks: local. Grows with: pairs, 48 bytes each while nodes are added up.
 */
#ifndef HD_MATRIX_PAIRS_H
#define HD_MATRIX_PAIRS_H

#include "division.h"
#include "matrix_list.h"

typedef enum hd_matrix_measure {
    HD_MATRIX_MESSAGES,
    HD_MATRIX_BYTES,
    HD_MATRIX_WAITING, /* [s] Late Sender and Late Receiver */
    HD_MATRIX_TRANSFER /* [s] mean of the messages */
} hd_matrix_measure;

double hd_matrix_value(const hd_matrix_entry *entry, hd_matrix_measure measure);

/* Pairs of nodes: sender and receiver become parts of the division; HD_NONE: processes that are on no node. of_nodes:
 * entries alone, hd_matrix_list_fini() it; sizes are those of the list. */
void hd_matrix_by_node(const hd_cube *cube, const hd_matrix_list *list, const hd_division *nodes,
                       hd_matrix_list *of_nodes);

/* Pairs of blocks: sender and receiver are divided by block, which is not 0. of_blocks: as of_nodes. */
void hd_matrix_by_block(const hd_matrix_list *list, uint32_t block, hd_matrix_list *of_blocks);

/* Indices of entries, the largest value first, equal ones in their order: [list->n], free() it. */
size_t *hd_matrix_order(const hd_matrix_list *list, hd_matrix_measure measure);

/* All pairs together; sender and receiver are HD_NONE. */
hd_matrix_entry hd_matrix_total(const hd_matrix_list *list);

/* Behind the largest process number of a pair and of the report. */
uint32_t hd_matrix_n_processes(const hd_cube *cube, const hd_matrix_list *list);

#endif
