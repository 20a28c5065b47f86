/* replay/forward/late_receiver.h: Late Receiver. The receiver finds it, the sender books it. Definition:
 * docs/metrics.md#late-receiver.
 * Memory: 32 bytes per MPI_Waitall or MPI_Waitsome that completes sends, once one of them waited.
 */
#ifndef HD_LATE_RECEIVER_H
#define HD_LATE_RECEIVER_H

#include "forward_pattern.h"

extern const hd_forward_pattern hd_late_receiver_pattern;

#endif
