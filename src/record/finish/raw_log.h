/* src/record/finish/raw_log.h: the records of a location, in order.
 *
 * A log may begin in the middle of a run: then the first records begin again what was open.
 * Uses: raw_files, raw_state. Owner: hd_raw_log_close(). MT: different locations may be read by several threads. Ranks:
 * local. Grows with: windows, and what is open; records stay in mapped files.
 */
#ifndef HD_RAW_LOG_H
#define HD_RAW_LOG_H

#include "raw_files.h"
#include "raw_state.h"

typedef struct hd_raw_record {
    uint64_t        time;
    const uint64_t *words; /* [n] */
    uint32_t        kind, n, id;
} hd_raw_record;

typedef struct hd_raw_log { /* a location while it is read; a copy reads on by itself */
    const uint64_t *words;
    size_t          n, at, end;       /* end: of the window */
    size_t          window_words;
    uint32_t       *windows;          /* [n_windows] their places, the oldest first */
    size_t          n_windows, window; /* window: index of the next one */
    hd_raw_state    state;            /* of records that are passed over; its counts are for who reads */
    size_t          opened;           /* how many of what is open have been begun again */
    uint64_t        cut;              /* [ticks] when that is */
    uint64_t        given_back;       /* [ticks] of the last record that is not there any more, 0: all are */
    hd_raw_clock    clock;            /* at the time when it was given back */
} hd_raw_log;

/* Maps it. One that is not there is empty. cut: [ticks] records before that time are passed over. Errors: HD_EOPEN,
 * HD_EREAD. */
hd_status hd_raw_log_open(const hd_raw_files *files, const hd_raw_process *process, const hd_raw_location *location,
                          uint64_t cut, hd_raw_log *log);
/* The next record; false: there is none. */
bool hd_raw_log_next(hd_raw_log *log, hd_raw_record *record);
/* [ticks] of the last record, 0: there is none. */
uint64_t hd_raw_log_last_time(const hd_raw_log *log);
void     hd_raw_log_close(hd_raw_log *log);

#endif
