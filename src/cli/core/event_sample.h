/* src/cli/core/event_sample.h: what an archive will take in memory, from a sample of its event files.
 *
 * Definitions say how many events there are, but not how many of them communicate, which is what an analysis keeps. So
 * a few processes, each from another eighth of the events, are loaded as an analysis would load them, and stand for
 * those with about as many events. From the sizes of their logs follows the need of all; docs/performance.md#memory has
 * the formula and how well it fits.
 * Uses: trace. MT: main thread only. Ranks: local.
 */
#ifndef HD_EVENT_SAMPLE_H
#define HD_EVENT_SAMPLE_H

#include "defs.h"

/* The most events that are read for it, of each location the first ones: a few seconds. */
#define HD_EVENT_SAMPLE_EVENTS UINT64_C(8000000)

/* What the trace takes in an analysis with causes and critical path, over all ranks, definitions left out [bytes]; 0:
 * unknown, as event files could not be read. */
uint64_t hd_event_sample_trace_bytes(const char *anchor, const hd_defs *defs);

#endif
