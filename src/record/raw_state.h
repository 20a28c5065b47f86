/* src/record/raw_state.h: what records that are no longer there mean for those behind them.
 *
 * A log may begin in the middle of a run: the recorder gives back its oldest windows, and what makes the archive passes
 * over records before the time that it begins at. Then this is what has to be known of them: the regions, teams and
 * threads that they have begun and not ended, as records that begin these again, the last values of the counters, and
 * how many records there were of each channel (hd_raw_channel).
 * Uses: raw_layout, and of libraries only C's, as it is part of the preload library, too. Owner: hd_raw_state_fini().
 * MT: one thread at a time. Ranks: local. Grows with: what is open, and channels.
 */
#ifndef HD_RAW_STATE_H
#define HD_RAW_STATE_H

#include <stddef.h>

#include "counter_names.h"
#include "raw_layout.h"

typedef struct hd_raw_count {
    uint64_t channel, peer_tag, n; /* channel: hd_raw_channel | id << 32; n: records, 0: the place is free */
} hd_raw_count;

typedef struct hd_raw_counts { /* an open hash table, a power of two, at most half full */
    hd_raw_count *counts;      /* [size] */
    uint32_t      size, n;
} hd_raw_counts;

/* Counts n records of a channel. False: there is no memory. */
bool hd_raw_counts_add(hd_raw_counts *counts, uint64_t channel, uint64_t peer_tag, uint64_t n);

/* The channel of a record, as in hd_raw_count; 0: it has none. peer_tag: out. */
uint64_t hd_raw_count_channel(hd_raw_kind kind, uint32_t id, const uint64_t *words, uint64_t *peer_tag);

typedef struct hd_raw_state {
    uint64_t     *words;  /* [n_words] records that have begun something, as in a log, in order */
    size_t       *starts; /* [n] where each begins */
    size_t        n_words, n, room_words, room;
    uint64_t      metric[2 + HD_MAX_COUNTERS]; /* the last record of the counters; head 0: there is none */
    uint64_t      pause[2];                    /* the begin of a pause; head 0: there is none */
    hd_raw_counts counts;
} hd_raw_state;

/* Takes the next record: time, head, words. False: there is no memory. */
bool hd_raw_state_take(hd_raw_state *state, const uint64_t *record);

/* The records that begin again what is open are n: that with the counters, words, and that of the pause. The i-th. */
size_t          hd_raw_state_n_open(const hd_raw_state *state);
const uint64_t *hd_raw_state_open(const hd_raw_state *state, size_t i);

void hd_raw_state_fini(hd_raw_state *state); /* one of zeros is that of no records */

/* P.N.begin: the state of all windows of a log that have been given back. HD_RAW_BEGIN_WORDS words, n_words words of
 * records, 3 of each count. */
enum {
    HD_RAW_BEGIN_WINDOW,  /* number of the first window that is still there (HD_RAW_TURN) */
    HD_RAW_BEGIN_TIME,    /* [ticks] of the last record before it */
    HD_RAW_BEGIN_CLOCKS,  /* as HD_RAW_CLOCK */
    HD_RAW_BEGIN_RECORDS = HD_RAW_BEGIN_CLOCKS + 3, /* words of records */
    HD_RAW_BEGIN_COUNTS,  /* how many */
    HD_RAW_BEGIN_WORDS
};

#endif
