/* src/trace/decode/counter.h: values of METRIC records, by call path (docs/metrics.md#counters). Inside of decode only.
 *
 * A value of a counter that is recorded with enters and leaves stands before that enter or leave. What has come since
 * the value before belongs to the call path that is open until then, and to the side of the analysis interval on which
 * the time just before lies. Values that are recorded over time belong to no call path.
 *
 *   value 10, enter main · value 40, enter foo · value 45, leave foo · value 47, leave main      main 30 + 2, foo 5
 *
 * Uses: decoder_state. MT: the loading thread. Cost: O(values), allocation only where a call path is new. Grows with:
 * 8 bytes per counter and call path; 88 per counter that is no sum.
 */
#ifndef HD_COUNTER_H
#define HD_COUNTER_H

#include "decoder_state.h"

/* A METRIC record, where counters are read.
 *   set      its number of a class or an instance in the archive
 *   types    [n] of the values, as OTF2 has them
 *   values   [n] their bits */
void hd_decoder_metric(hd_decoder *decoder, hd_time time, uint32_t set, uint32_t n, const uint8_t *types,
                       const uint64_t *values);

/* The last values count no more: what passes until the next ones is nobody's. */
void hd_decoder_counters_forget(hd_decoder *decoder);

void hd_decoder_counters_finish(hd_decoder *decoder);

#endif
