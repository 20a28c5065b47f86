/* tests/trace/read/every_record.h: handlers of all kinds of records, which sum up what they are told. MT: a sum is of
 * one thread. */
#ifndef EVERY_RECORD_H
#define EVERY_RECORD_H

#include "event_handlers.h"

typedef struct record_sum {
    uint64_t hash;       /* of all fields, times, positions and attributes, in their order */
    uint64_t n;          /* records */
    uint64_t kinds[256]; /* of each kind, by its number; 0: unknown ones */
    uint64_t n_attributes;
} record_sum;

extern const hd_event_handlers every_record; /* the user is a record_sum */

#endif
