/* replay/forward/receive_counts.h: messages received and their bytes, for counts over time: only the sender knows the
 * bytes. They go to the count log of the receiver, with the enter of the call that receives or completes.
 * Inside of the replay only. Uses: forward_pattern. MT: the worker's thread. Ranks: local.
 */
#ifndef HD_RECEIVE_COUNTS_H
#define HD_RECEIVE_COUNTS_H

#include "forward_pattern.h"

extern const hd_forward_pattern hd_receive_counts_pattern;

#endif
