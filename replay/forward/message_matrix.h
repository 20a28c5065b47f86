/* replay/forward/message_matrix.h: the communication matrix (matrix.h), counted at the receives.
 *
 * A receive has both ends of its message: it counts message, bytes, Late Sender and transfer in a row of its worker.
 * Late Receivers are counted where they are booked, at the sender, and become rows when its forward replay ends. In the
 * table below Late Sender, as it counts what that books, and above Late Receiver.
 * Grows with: pairs of location and sender, 48 bytes; if the location has Late Receivers, pairs of location and
 * receiver, 12 bytes, and 48 more for each that is one.
 */
#ifndef HD_MESSAGE_MATRIX_H
#define HD_MESSAGE_MATRIX_H

#include "forward_pattern.h"

extern const hd_forward_pattern hd_message_matrix_pattern;

/* Sums up what the workers of a rank have. The workers have none afterwards. Main thread only. */
void hd_message_matrix_take(hd_replay *replay, hd_matrix *matrix);

#endif
