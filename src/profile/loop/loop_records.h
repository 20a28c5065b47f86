/* src/profile/loop/loop_records.h: whom the calls of a process communicate with, in order. Records are read as far as
 * somebody asks for them. Uses: trace. MT: one thread at a time. Ranks: local. Owner: hd_loop_records_fini(). */
#ifndef HD_LOOP_RECORDS_H
#define HD_LOOP_RECORDS_H

#include "trace.h"

static inline uint64_t
hd_loop_hash(uint64_t value)
{
    value = (value + 1) * UINT64_C(0x9E3779B97F4A7C15);
    value = (value ^ (value >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    return value ^ (value >> 27);
}

typedef struct hd_loop_records {
    const uint8_t  *at, *end;  /* of the calls of the log that are not read yet */
    const uint32_t *own;       /* [calls] call path; */
    const uint64_t *hashes;    /* its hash */
    uint64_t       *channels;  /* hashes of who communicates how: on each channel of the log, */
    uint64_t        kinds[8];  /* and of records of a kind that have none */
    uint32_t       *with;      /* [calls + 1] sum of hashes of the call path and of whom it communicates with, for each
                                * record, of all calls before this one */
    uint32_t        n;         /* so many calls are read */
} hd_loop_records;

/* own, hashes: stay the caller's; n_calls: of the log, the first ones. */
hd_loop_records hd_loop_records_of(const hd_oplog *log, uint32_t n_calls, const uint32_t *own, const uint64_t *hashes);
void            hd_loop_records_fini(hd_loop_records *records);
/* with[] is known up to with[n] then. */
void            hd_loop_records_read(hd_loop_records *records, uint32_t n);

#endif
