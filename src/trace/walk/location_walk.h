/* src/trace/walk/location_walk.h: the events of a location, one by one, for those who write a timeline.
 *
 * What is told (walk_sink.h) nests: every region that is entered is left, in the order of a stack, also where records
 * do not nest. A task that is suspended is left with all that it has open and entered again where it goes on; samples
 * become enters and leaves. Regions that are open when the interval begins are entered at its begin; what is open at
 * its end, or where the records of the location end, is left there. Times are those of the analysis: damaged ones are
 * replaced, clocks are corrected.
 *
 * Records of messages are told from the first event on, as messages are matched by their order; all else only in the
 * interval. Uses: log, read. Owner: the caller. MT: one thread at a time. Ranks: local.
 * Memory: of one location, what it has open and its channels.
 */
#ifndef HD_LOCATION_WALK_H
#define HD_LOCATION_WALK_H

#include <stdatomic.h>

#include "analysis_interval.h"
#include "clock_log.h"
#include "defs.h"
#include "event_reader.h"
#include "status.h"
#include "walk_sink.h"

typedef struct hd_walk_request {
    const char          *anchor;
    const hd_defs       *defs;
    hd_analysis_interval interval;
    hd_event_reader      reader;
    bool                 raw_clocks; /* times as they were recorded, without the offsets of clocks */
    const hd_clock_logs *clocks;     /* of all locations that are walked: times are corrected by them; NULL: not */
    _Atomic uint64_t    *n_done;     /* events that were read are added to it now and then; NULL: not */
    const _Atomic int   *stop;       /* not 0: give up; NULL: never */
} hd_walk_request;

typedef enum hd_walk_loss_kind {
    HD_WALK_NO_EVENTS,      /* a location's event file is missing or empty */
    HD_WALK_CUT_EVENTS,     /* it ends too early, before the end of the interval */
    HD_WALK_NO_DEFINITIONS, /* its own definitions cannot be read: numbers and times may be wrong */
    HD_WALK_TIME_DAMAGED,   /* times that cannot be: the time of the record before stands for each */
    HD_WALK_N_LOSSES
} hd_walk_loss_kind;

typedef struct hd_walk_result {
    struct { uint32_t n, first; } losses[HD_WALK_N_LOSSES]; /* locations; index of the first one */
    uint64_t n_misfits; /* leaves of what was not entered, and numbers that no definition has: left out */
    hd_time  first;     /* of all records that were read; HD_TIME_NEVER, to begin with: there is none */
    hd_time  last;      /* of those in the interval, with its end where regions go on after it */
} hd_walk_result;

#define HD_TIME_NEVER UINT64_MAX

typedef struct hd_walk hd_walk;

/* All that is pointed to lives as long. Errors: HD_EOPEN. */
hd_status hd_walk_open(const hd_walk_request *request, hd_walk **walk);
void      hd_walk_close(hd_walk *walk); /* NULL is fine */

/* Reads a location, each once. result: what is found is added; losses and misfits in the interval only.
 * Errors: HD_EREAD, the system fails to read a file that is there; HD_ESTOPPED. */
hd_status hd_walk_location(hd_walk *walk, uint32_t location, const hd_walk_sink *sink, void *user,
                           hd_walk_result *result);

#endif
