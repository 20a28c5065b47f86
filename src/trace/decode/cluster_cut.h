/* src/trace/decode/cluster_cut.h: call paths in an iteration get a node of its cluster. Inside of decode only.
 *
 *   main · solve · MPI_Send    iterations are in solve, this one is of the second cluster:
 *   main · solve · cluster 2 · MPI_Send
 *
 * Before each record it is looked at which piece of time now is in, and whether the region that iterations are in is
 * open. If so, the node of the cluster takes its place as the current one, and what is open below it goes on there. A
 * call of an interface that is open stays where it was entered, as its records do: then nothing changes until it is
 * left. The frame of the region keeps its own node, so leaving it needs nothing. A visit of the region that begins in
 * an iteration counts for the cluster. Time is booked before anything changes, so no tick is lost or counted twice.
 * Uses: arrival. MT: the loading thread. Cost: where there are cuts O(open regions) per record, else none.
 */
#ifndef HD_CLUSTER_CUT_H
#define HD_CLUSTER_CUT_H

#include "arrival.h"

/* A record of that time is next. It has passed hd_decoder_clock(). */
void hd_decoder_cut_before(hd_decoder *decoder, hd_time time);
/* A METRIC record is next: its values are of the call path that was open until now. */
void hd_decoder_cut_settle(hd_decoder *decoder);

#endif
