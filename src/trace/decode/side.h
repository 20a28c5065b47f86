/* src/trace/decode/side.h: open calls at the borders of intervals (analysis_interval.h). Inside of decode only.
 * Uses: decoder_state. MT: the loading thread.
 */
#ifndef HD_SIDE_H
#define HD_SIDE_H

#include "decoder_state.h"

/* The border of the interval is passed. Open calls are outside from its end on, with what they have left so far. Those
 * that are open when it begins get their time inside from now on; what they leave, and that they were called, stays
 * outside. */
void hd_decoder_pass_frames(hd_decoder *decoder, hd_frame *frames, size_t n);

/* While the main window is looked for: it begins where the first thread of the process leaves MPI_Init, and ends where
 * it leaves MPI_Finalize (load/main_window.h). The call is left now, its time is booked. */
void hd_decoder_pass_main_border(hd_decoder *decoder, const hd_frame *call);

#endif
