/* replay/forward/message_observers.h: notifies the message patterns of other components (pattern.h) of each message.
 * Below Late Sender in the table, as it says what that booked.
 */
#ifndef HD_MESSAGE_OBSERVERS_H
#define HD_MESSAGE_OBSERVERS_H

#include "forward_pattern.h"

extern const hd_forward_pattern hd_message_observers_pattern;

#endif
