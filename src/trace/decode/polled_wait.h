/* src/trace/decode/polled_wait.h: tests and probes that leave no record, and the waits that they are (hd_polled_wait).
 *
 *   Irecv  Test  Test  Test  Test + record     from the enter of the first Test to the leave of the last
 *   compute  Iprobe  Iprobe  Recv + record     the same, to the leave of the Recv
 *
 * Inside of decode only. Uses: decoder_state. MT: the loading thread. Cost: O(1) for each call.
 */
#ifndef HD_POLLED_WAIT_H
#define HD_POLLED_WAIT_H

#include "decoder_state.h"

/* A test or probe without a record in the op log is left now. */
void hd_decoder_poll(hd_decoder *decoder, const hd_frame *frame);

/* Another call is left now, and about to be put into the op log. */
void hd_decoder_end_polls(hd_decoder *decoder, const hd_frame *frame);

#endif
