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
    size_t          opened;           /* how many of what is open have been begun again, SIZE_MAX: nothing has to be */
    uint64_t        cut;              /* [ticks] when that is */
    uint64_t        given_back;       /* [ticks] of the last record that is not there any more, 0: all are */
    hd_raw_clock    clock;            /* at the time when it was given back */
} hd_raw_log;

/* Maps it. One that is not there is empty. cut: [ticks] records before that time are passed over. Errors: HD_EOPEN,
 * HD_EREAD. */
hd_status hd_raw_log_open(const hd_raw_files *files, const hd_raw_process *process, const hd_raw_location *location,
                          uint64_t cut, hd_raw_log *log);
/* The next record of another window, or of what is begun again. */
bool hd_raw_log_next_elsewhere(hd_raw_log *log, hd_raw_record *record);

/* Words of the record at words[0 .. n), 0: it is none. */
static inline size_t
hd_raw_log_length(const uint64_t *words, size_t n)
{
    uint64_t head = n >= 2 ? words[1] : 0;

    return head != 0 && 2 + (head >> 8 & 0xff) <= n ? 2 + (size_t)(head >> 8 & 0xff) : 0;
}

static inline hd_raw_record
hd_raw_log_record(const uint64_t *words, uint64_t time)
{
    return (hd_raw_record){ .time  = time,
                            .kind  = (uint32_t)(words[1] & 0xff),
                            .n     = (uint32_t)(words[1] >> 8 & 0xff),
                            .id    = (uint32_t)(words[1] >> 32),
                            .words = words + 2 };
}

/* The next record; false: there is none. */
static inline bool
hd_raw_log_next(hd_raw_log *log, hd_raw_record *record)
{
    const uint64_t *words  = log->words + log->at;
    size_t          length = hd_raw_log_length(words, log->end - log->at);

    if (HD_UNLIKELY(length == 0 || log->opened != SIZE_MAX || (words[1] & 0xff) == HD_RAW_TURN))
        return hd_raw_log_next_elsewhere(log, record);
    *record = hd_raw_log_record(words, words[0]);
    log->at += length;
    return true;
}

/* [ticks] of the last record, 0: there is none. */
uint64_t hd_raw_log_last_time(const hd_raw_log *log);
void     hd_raw_log_close(hd_raw_log *log);

#endif
