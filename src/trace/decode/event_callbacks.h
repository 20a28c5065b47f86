/* src/trace/decode/event_callbacks.h: hands the records of an event file to a decoder. Inside of trace only.
 * Uses: decoder, event_files. MT: the loading thread. Ranks: local.
 */
#ifndef HD_EVENT_CALLBACKS_H
#define HD_EVENT_CALLBACKS_H

#include "decoder.h"
#include "event_files.h"
#include "load_request.h"

/* Decodes all records of the decoder's location, or the first ones, as the request says; what is missing or broken
 * becomes a finding. Sets out->n_events. is_again: its events are not added to request->n_done once more.
 * Errors: HD_EREAD, a file is there, but the system fails to read it. */
hd_status hd_decoder_read(hd_decoder *decoder, hd_event_files *files, const hd_load_request *request, bool is_again);

#endif
