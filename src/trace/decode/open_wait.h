/* src/trace/decode/open_wait.h: what a location was waiting for when its recording ended (recording_end.h). Inside of
 * decode only.
 * Uses: decoder_state. MT: the loading thread.
 */
#ifndef HD_OPEN_WAIT_H
#define HD_OPEN_WAIT_H

#include "decoder_state.h"

/* Fills out->end, before what is open is closed. */
void hd_decoder_note_end(hd_decoder *decoder);

#endif
