/* src/trace/extract/extract.h: a part of an archive as an archive of its own (docs/user-guide.md#extract).
 *
 * All definitions, and of each location the events of the part; what was open when it begins (regions, the program, teams, tasks) is
 * begun again at its begin, what is open in the end is ended there, so that a reader finds everything nested as it should be. Time stamps
 * are those of the archive as they are read: corrected. Records of messages and collective operations whose other side is before the part are
 * left out (crossing.h); those whose other side is behind it stay.
 *
 * What is lost in the part is lost in the new archive, too, in ways that its readers know: more events are announced than there are, and where
 * the records of a location end within the part nothing is ended there, so that a process that was stopped is one that was stopped. Who
 * stopped before the part has its last calls in it, begun and not ended.
 * Uses: archive, period. MT: main thread only. Ranks: local.
 */
#ifndef HD_EXTRACT_H
#define HD_EXTRACT_H


#include "defs.h"
#include "period.h"
#include "status.h"

typedef struct hd_extract_request {
    const char    *anchor;    /* of the archive */
    const hd_defs *defs;      /* its own */
    hd_period      period;
    const char    *directory; /* where the new one is written: traces.otf2 and what belongs to it; is made */
    const _Atomic int *stop; /* not 0: give up; NULL: nobody asks for that */
} hd_extract_request;

typedef enum hd_extract_loss_kind {
    HD_EXTRACT_NO_EVENTS,      /* a location's event file is missing or empty */
    HD_EXTRACT_CUT_EVENTS,     /* it ends too early, before the end of the part */
    HD_EXTRACT_STOPPED,        /* a process ends inside of calls, likewise */
    HD_EXTRACT_LEFT_OUT,       /* a location has no definitions of its own to read its events by */
    HD_EXTRACT_NO_DEFINITIONS, /* likewise, but those of others say nothing that its events would need */
    HD_EXTRACT_UNKNOWN_KIND,   /* records of a kind that OTF2 does not know: left out */
    HD_EXTRACT_TIME_DAMAGED,   /* records far behind the end of the recording: they get the time of the record before */
    HD_EXTRACT_N_LOSSES
} hd_extract_loss_kind;

typedef struct hd_extract_loss {
    uint32_t n, first; /* locations; index of the first one */
} hd_extract_loss;

typedef struct hd_extract_result {
    uint64_t n_events;  /* written */
    uint64_t n_orphans; /* records of messages and collectives left out since the other side is before the part */
    uint64_t n_misfits; /* of the part that end what never began, and records that OTF2 does not tell apart: left out */
    hd_extract_loss losses[HD_EXTRACT_N_LOSSES]; /* within the part */
} hd_extract_result;

/* Cost: all events up to the end of the part are read, those before it twice; a location's open regions are kept at a time, and 32 bytes for each
 * channel used before the part.
 * Errors: HD_EOPEN; HD_EREAD, also where the file system fails to read a file that is there; HD_EWRITE, also when it is to stop: the directory is there, incomplete. */
hd_status hd_extract_write(const hd_extract_request *request, hd_extract_result *result);

#endif
