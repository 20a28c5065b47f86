/* src/profile/wait_search.h: which processes of a wait-for graph are blocked, the cycles among them, and the chains
 * that lead there.
 *
 * Inside of the component only. Uses: wait_vertices. MT: one thread. Ranks: local. Cost: linear in vertices and edges.
 */
#ifndef HD_WAIT_SEARCH_H
#define HD_WAIT_SEARCH_H

#include "wait_vertices.h"

/* Sets blocked, cycle, next and end of all vertices, and n_cycles. */
void hd_wait_search(hd_wait_builder *builder);

#endif
