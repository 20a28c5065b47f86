/* replay/forward/message_counts.h: counts and bytes of messages where they are received, and those that come before they were sent.
 * Sends are counted while loading.
 */
#ifndef HD_MESSAGE_COUNTS_H
#define HD_MESSAGE_COUNTS_H

#include "forward_pattern.h"

extern const hd_forward_pattern hd_message_counts_pattern;

#endif
