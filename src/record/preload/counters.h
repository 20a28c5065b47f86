/* src/record/preload/counters.h: values of counters at enters and leaves.
 *
 * The kernel counts for each thread. A location that another thread goes on with has sums that go on. Descriptors have
 * high numbers, which a program that closes what it does not know does not get for its own files.
 * Uses: log, counter_names. MT: any thread. Ranks: local. Cost: one or two system calls for each enter and leave.
 */
#ifndef HD_COUNTERS_H
#define HD_COUNTERS_H

#include "counter_names.h"
#include "types.h"

typedef struct hd_log hd_log;

typedef struct hd_counter_state { /* of a location */
    uint64_t thread;                  /* whose counters they were, 0: nobody's yet */
    uint64_t before[HD_MAX_COUNTERS]; /* is added to what that thread has counted */
    uint64_t last[HD_MAX_COUNTERS];   /* in the log */
    bool     is_late; /* what is written was before: the last values hold */
} hd_counter_state;

/* Takes HEDDLE_RECORD_COUNTERS, a list of names with commas. Returns how many there are. */
uint32_t hd_counters_begin(const char *names);

/* Puts them into the log, before an enter or a leave. Where they cannot be read: nothing, and never again. */
void hd_counters_put(hd_log *log, uint64_t time);

#endif
