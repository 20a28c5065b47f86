/* src/trace/load/channel_numbers.h: the numbers of a process's operations in their channels, where they are not simply
 * counted. Inside of load only.
 *
 * The k-th send of a channel matches the receive that was posted as the k-th one (docs/metrics.md#messages). A
 * location's sends are in order in its op log, and nearly always its receives: these are counted while the log is read.
 * The others get numbers in `numbers` of the op log.
 * Uses: channel_order. MT: one thread per process. Ranks: local.
 */
#ifndef HD_CHANNEL_NUMBERS_H
#define HD_CHANNEL_NUMBERS_H

#include "trace.h"

/* Once the requests of the process are settled. Numbers the operations on channels that several threads use, or whose
 * receives are completed in another order than they were posted (channel_order.h), and the non-blocking collectives of
 * every communicator in the order of their starts.
 *   compat   receives are numbered in the order of their records
 * Cost: op logs are read again only where there are such channels; O(n log n) in the operations on them. */
void hd_channel_numbers_find(hd_loaded_process *process, bool compat);

#endif
