/* src/record/launch/wanted_samples.h: whether programs can be sampled here.
 * Uses: base. MT: main thread only. Ranks: local. */
#ifndef HD_WANTED_SAMPLES_H
#define HD_WANTED_SAMPLES_H

#include "status.h"

enum { HD_MOST_SAMPLES = 10000 }; /* per second of processor time */

/* Makes a timer as the recorder does, for a moment. Errors: HD_EUSAGE, there are too many samples, or the system
 * allows no timer. */
hd_status hd_wanted_samples_check(uint32_t hz);

#endif
