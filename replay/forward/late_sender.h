/* replay/forward/late_sender.h: Late Sender, and messages in wrong order. Definitions: docs/metrics.md#late-sender,
 * #wrong-order.
 * Memory: 24 bytes per Late Sender that is not known to be in order yet.
 */
#ifndef HD_LATE_SENDER_H
#define HD_LATE_SENDER_H

#include "forward_pattern.h"

extern const hd_forward_pattern hd_late_sender_pattern;

#endif
