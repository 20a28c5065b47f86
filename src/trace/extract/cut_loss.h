/* src/trace/extract/cut_loss.h: what is lost of the part, as hd_extract_result counts it. Inside of extract only.
 * Uses: cut_border. MT: main thread only.
 */
#ifndef HD_CUT_LOSS_H
#define HD_CUT_LOSS_H

#include "event_cut.h"
#include "event_files.h"

void hd_extract_note_loss(hd_extraction *all, hd_extract_loss_kind kind, uint32_t location);

/* What is lost of a location whose records are read up to the end of the part, or as far as there are any. Returns how
 * many events. */
uint64_t hd_cut_find_loss(hd_cut *cut, hd_events_end end);
/* All of a location that has events which cannot be read without its own definitions. Returns how many events. */
uint64_t hd_cut_leave_out(hd_cut *cut, hd_events_end end);
/* The events of the location that were written, and those that are lost. Records that are not as they were are lost,
 * too: the new archive has no other way to say so. */
void hd_cut_count_events(hd_cut *cut, uint64_t n_lost);

#endif
