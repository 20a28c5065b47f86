/* src/trace/decode/file_use.h: what a location does with files, by call path (docs/metrics.md#files). Inside of decode
 * only.
 *
 * The time of a call that is made for files (MPI_File_write, fopen) is from its enter to its leave; it is its first
 * file's. An operation that is recorded in another call has the time from its own begin to its end. With an analysis
 * interval what counts is where an operation begins; a call's time counts if the call lies on one side as a whole.
 * Uses: boundary. MT: the loading thread. Grows with: files and the call paths that use them.
 */
#ifndef HD_FILE_USE_H
#define HD_FILE_USE_H

#include "decoder_state.h"

/* Makes an open call one with HD_CALL_FILE, with nothing noted yet, unless it is one, or of another kind. */
void hd_decoder_note_file_call(hd_frame *frame);

/* Index in file_uses of the file at the call path of an open call, which is made for files if that is true. */
uint32_t hd_decoder_file_use(hd_decoder *decoder, hd_frame *frame, uint32_t file, bool *is_made_for_files);

/* A call with HD_CALL_FILE, the innermost one, is left now. */
void hd_decoder_leave_file(hd_decoder *decoder, const hd_frame *frame);

#endif
