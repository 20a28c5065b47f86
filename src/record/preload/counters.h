/* src/record/preload/counters.h: values of counters at enters, leaves and samples.
 *
 * The kernel counts for each thread. A location that another thread goes on with has sums that go on. Descriptors have
 * high numbers, which a program that closes what it does not know does not get for its own files.
 * Uses: recorder, counter_names. MT: any thread. Ranks: local. Cost: one or two system calls for each enter and leave.
 */
#ifndef HD_COUNTERS_H
#define HD_COUNTERS_H

#include "counter_names.h"
#include "types.h"

typedef struct hd_counter_state { /* of a location */
    uint64_t thread;                  /* whose counters they were, 0: nobody's yet */
    uint64_t before[HD_MAX_COUNTERS]; /* is added to what that thread has counted */
    uint64_t last[HD_MAX_COUNTERS];   /* in the log */
    bool     is_late; /* what is written was before: the last values hold */
} hd_counter_state;

/* Takes HEDDLE_RECORD_COUNTERS, a list of names with commas. Returns how many there are. */
uint32_t hd_counters_begin(const char *names);

/* Reads them into state->last, and returns how many there are. 0: they cannot be read. errno stays. */
uint32_t hd_counters_read(hd_counter_state *state);

/* The same within a signal handler: only system calls. 0: the thread has not read them yet, or they cannot be read. */
uint32_t hd_counters_read_in_handler(hd_counter_state *state);

#endif
