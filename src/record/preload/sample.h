/* src/record/preload/sample.h: samples of what a thread computes between its calls.
 *
 * Each thread that has a log gets a timer of its processor time. Its signal comes to the thread itself, whose handler
 * writes the call stack into the thread's log. The handler takes no lock and no memory. It writes nothing inside of a
 * recorded call of MPI or POSIX threads, and in a pause. Where a record is being written the sample gets lost, which
 * the next one counts. Records of calls stay as they are: their times do not depend on samples.
 * Uses: log. MT: any thread; a sample belongs to its thread. Ranks: local. Grows with: samples.
 */
#ifndef HD_SAMPLE_H
#define HD_SAMPLE_H

#include "log.h"

/* By the constructor. rate: samples per second of processor time; NULL: none are wanted. Without a signal or a key for
 * them there are none. */
void hd_sample_prepare(const char *rate);

/* No thread is sampled from now on. */
void hd_sample_stop(void);

/* The same in the child of a fork, which has no timers. */
void hd_sample_forget(void);

#endif
