/* src/trace/extract/open_things.h: what the tasks of a location have begun and not ended. Inside of extract only.
 *
 * Records call hd_cut_begin() and their like; they say whether the record is written. Uses: event_cut. MT: main thread
 * only.
 */
#ifndef HD_OPEN_THINGS_H
#define HD_OPEN_THINGS_H

#include "event_cut.h"

/* The running task begins something. True. */
bool hd_cut_begin(hd_cut *cut, hd_cut_open thing);
bool hd_cut_begin_program(hd_cut *cut, uint32_t name, uint32_t n, const uint32_t *arguments);
bool hd_cut_begin_context(hd_cut *cut, uint32_t ref, uint32_t unwind_distance);
/* What the running task has begun is ended with all inside of it; teams and similar things end in any task.
 * Something else is not there for the reader of the part: it is left out. */
bool hd_cut_end(hd_cut *cut, hd_cut_kind kind, uint32_t ref);
bool hd_cut_end_context(hd_cut *cut, uint32_t ref);
bool hd_cut_sample(hd_cut *cut, uint32_t context, uint32_t unwind_distance, uint32_t sampler);
bool hd_cut_measurement(hd_cut *cut, OTF2_MeasurementMode mode);

/* Writes the begin, or the end, of something that is open. */
void hd_cut_put_begin(hd_cut *cut, const hd_cut_open *thing, hd_time time);
void hd_cut_put_end(hd_cut *cut, const hd_cut_open *thing, hd_time time);

/* A calling context by its number in the archive; NULL: it cannot be. */
const hd_context *hd_cut_context(const hd_cut *cut, uint32_t ref);

#endif
