/* src/trace/read/event_files.h: reads the event files of an archive, location by location, with handlers of the
 * caller's.
 *
 * There are two readers: that of event_stream.h, and the OTF2 library for what it does not know (containers of SIONlib,
 * compressed files, later formats) and where it is asked for. The library is asked only for events that the other one
 * has found to be whole, as it trusts the numbers in a file; but containers it reads alone. Local definitions are taken
 * while they are looked over (archive/chunk_check.h); where a record is not as it should be, or the library reads the
 * events, or `takes` is given, the library reads them. What is broken or missing is an end, and no error: who reads
 * makes a finding of it. Uses: archive, defs. Owner: the caller. MT: one thread at a time; each thread opens the
 * files anew. Ranks: local.
 */
#ifndef HD_EVENT_FILES_H
#define HD_EVENT_FILES_H

#include <stdatomic.h>

#include "defs.h"
#include "event_decode.h"
#include "event_reader.h"
#include "status.h"

typedef struct hd_event_files hd_event_files;

/* raw_clocks: times as they were recorded, without the offsets of clocks. Errors: HD_EOPEN. */
hd_status hd_event_files_open(const char *anchor, hd_event_reader reader, bool raw_clocks, hd_event_files **files);
void      hd_event_files_close(hd_event_files *files); /* NULL is fine */

typedef struct hd_own_definitions { /* takes a location's own definitions, in their order; a function that is NULL is
                                     * not called */
    void (*offset)(void *user, hd_time time, hd_span offset); /* of its clock */
    void (*mapping)(void *user);                              /* of some of its numbers to those of all */
    void  *user;
} hd_own_definitions;

/* Reads a location's own definitions, which change what is read of its events. Each location once, right before its
 * events.
 *   takes      NULL: the definitions are read, but not handed over
 *   are_there  out, false: they are missing where others have some, or broken
 * Errors: HD_EREAD, a file is there, but the system fails to read it. */
hd_status hd_event_files_define(hd_event_files *files, const hd_defs *defs, uint32_t location,
                                const hd_own_definitions *takes, bool *are_there);

typedef struct hd_event_reading {
    const hd_event_handlers *handlers;
    hd_event_decoder  *decode;     /* made for them (HD_EVENT_DECODER); NULL: hd_event_decode_any() */
    void             *user;        /* of the handlers */
    uint64_t          max_events; /* that are read; 0: all */
    _Atomic uint64_t *n_done;      /* events that were read are added to it now and then; NULL: not */
    const _Atomic int *stop;       /* not 0: the rest is not read. NULL: never */
    void            (*after)(void *watcher); /* called after each event; NULL: not */
    void             *watcher;
} hd_event_reading;

typedef enum hd_events_end {
    HD_EVENTS_WHOLE,      /* all are read, or max_events */
    HD_EVENTS_CUT,        /* the file ends too early, or its rest cannot be read */
    HD_EVENTS_INTERRUPTED, /* by a handler, or by stop */
    HD_EVENTS_NO_FILE,
    HD_EVENTS_REFUSED     /* it does not begin as an event file */
} hd_events_end;

/* Reads a location's events. Each location once. n_events: out, how many were read.
 * Errors: HD_EREAD, a file is there, but the system fails to read it. */
hd_status hd_event_files_read(hd_event_files *files, uint64_t location_ref, const hd_event_reading *reading,
                              uint64_t *n_events, hd_events_end *end);

#endif
