/* src/trace/extract/extract_result.h: what is asked for of an extract, and what came of it. MT: main thread only.
 * Ranks: local. */
#ifndef HD_EXTRACT_RESULT_H
#define HD_EXTRACT_RESULT_H

#include <stdatomic.h>

#include "defs.h"
#include "analysis_interval.h"
#include "event_reader.h"
#include "record_times.h"

typedef struct hd_extract_request {
    const char    *anchor;    /* of the archive */
    const hd_defs *defs;      /* its own */
    hd_event_reader reader;
    hd_analysis_interval analysis_interval;
    const char    *directory; /* where the new one is written: traces.otf2 and what belongs to it; is made */
    const _Atomic int *stop; /* not 0: give up; NULL: never */
    /* Other times of the records, of the whole run; called for each location in ascending order. times: out, empty
     * before; the extract frees it. NULL: times stay as they are. */
    void         (*times)(void *context, uint32_t location, hd_record_times *times);
    void          *context;
    hd_span        longer; /* the run than it was, then */
} hd_extract_request;

typedef enum hd_extract_loss_kind {
    HD_EXTRACT_NO_EVENTS,      /* a location's event file is missing or empty */
    HD_EXTRACT_CUT_EVENTS,     /* it ends too early, before the end of the part */
    HD_EXTRACT_STOPPED,        /* a process ends inside of calls, before the end of the part */
    HD_EXTRACT_LEFT_OUT,       /* a location has no definitions of its own to read its events by */
    HD_EXTRACT_NO_DEFINITIONS, /* the same, but those of other locations say nothing that its events would need */
    HD_EXTRACT_UNKNOWN_KIND,   /* records of a kind that OTF2 does not know: left out */
    HD_EXTRACT_TIME_DAMAGED,   /* records long after the end of the recording: they get the time of the record before */
    HD_EXTRACT_N_LOSSES
} hd_extract_loss_kind;

typedef struct hd_extract_loss {
    uint32_t n, first; /* locations; index of the first one */
} hd_extract_loss;

typedef struct hd_extract_result {
    uint64_t        n_events;                    /* written */
    uint64_t        n_orphans;                   /* records of messages and collectives left out since the other side is
                                                  * before the part */
    uint64_t        n_misfits;                   /* of the part that end what never began, and records that OTF2 does
                                                  * not distinguish: omitted */
    hd_extract_loss losses[HD_EXTRACT_N_LOSSES]; /* within the part */
} hd_extract_result;

#endif
