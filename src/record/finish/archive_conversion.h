/* src/record/finish/archive_conversion.h: a location while its records become events, and what is open in it.
 *
 * Inside of finish only. Calls, constructs and functions are entered and left as records, callers and samples say.
 * Uses: archive_samples, run_pauses, raw_log, OTF2. MT: one thread has one. Ranks: local. Grows with: what is open, and
 * pairs of calls with samples between them.
 */
#ifndef HD_ARCHIVE_CONVERSION_H
#define HD_ARCHIVE_CONVERSION_H

#include <otf2/otf2.h>

#include "archive_samples.h"
#include "raw_log.h"
#include "run_pauses.h"

enum { HD_CONVERSION_MAX_DEPTH = 256 };

typedef struct hd_conversion { /* of a location */
    const hd_recorded_run *run;
    const hd_run_process  *process;
    OTF2_EvtWriter        *writer;
    OTF2_ErrorCode         error; /* the first */
    uint64_t               dropped;
    uint64_t               last;     /* [ticks] of all records */
    uint64_t               begin;    /* [ticks] of a collective operation whose begin is not written yet, 0: none */
    hd_opened             *open;     /* [n_open] */
    size_t                 n_open, room_open;
    uint32_t               team[HD_CONVERSION_MAX_DEPTH]; /* communicators of the teams that the thread is in */
    uint32_t               n_teams;
    uint32_t               contingent; /* communicator of the threads that the process creates */
    uint64_t               thread;     /* number of the one that has the location now, 0: none of those */
    uint64_t               window_begin; /* as begin, of an operation on windows */
    hd_run_position        position; /* of runs with pauses */
    bool                   is_paused, has_begun;
    uint64_t               pause; /* [ticks] its begin, 0: since the begin of the location */
    bool                   has_metric;
    bool                   is_sampled;
    bool                   is_forking; /* from a fork to the enter of its region: samples are of the library */
    uint64_t               n_samples, n_lost, n_periods;
    uint64_t               site;   /* of the last enter or leave (site_of), 0: there was none */
    uint64_t               entered; /* of the last enter */
    const uint64_t        *sample; /* the last record of one since then, NULL: there is none */
    hd_map                 seen;   /* pair of such sites -> the last sample between the two */
    OTF2_MetricValue       metric[HD_MAX_COUNTERS]; /* the last values: they stand before each enter and leave */
} hd_conversion;

static inline void
note(hd_conversion *to, OTF2_ErrorCode error)
{
    if (to->error == OTF2_SUCCESS)
        to->error = error;
}

/* Of a number in the process, HD_NONE: there is none. */
uint32_t hd_conversion_region(const hd_conversion *to, uint32_t id);

void hd_conversion_enter(hd_conversion *to, const hd_raw_record *record);
void hd_conversion_leave(hd_conversion *to, const hd_raw_record *record);

/* Leaves what is open down to that depth; functions of samples inside of the innermost call or construct. */
void hd_conversion_leave_down_to(hd_conversion *to, uint64_t time, size_t depth);
void hd_conversion_leave_samples(hd_conversion *to, uint64_t time);
/* Of a process that was killed: leaves the innermost function that samples have shown at the time of the last one,
 * which no other event has. */
void hd_conversion_leave_last_sample(hd_conversion *to, uint64_t time);

/* Where there are samples, before and behind each record. log: goes on behind it. */
void hd_conversion_look_at_fork(hd_conversion *to, const hd_raw_record *record, const hd_raw_log *log);
void hd_conversion_look_at_samples(hd_conversion *to, const hd_raw_record *record, const hd_raw_log *log);

#endif
