/* src/trace/read/event_file.h: hands the records of one event file to a decoder. Inside of the room only.
 * Uses: base. MT: one reader per thread. Ranks: local.
 */
#ifndef HD_EVENTS_H
#define HD_EVENTS_H


#include "decoder.h"

struct OTF2_EvtReaderCallbacks_struct;
typedef struct hd_event_reader hd_event_reader; /* an OTF2 reader of one thread */

/* Errors: HD_EOPEN. */
/* raw_clocks: times as they were recorded, without the offsets of clocks. */
hd_status hd_event_reader_open(const char *anchor, bool raw_clocks, hd_event_reader **reader);
void      hd_event_reader_close(hd_event_reader *reader);

typedef struct hd_event_reading {
    uint64_t          most_events; /* 0: all */
    _Atomic uint64_t *n_done;      /* NULL: nobody asks */
    const _Atomic int *stop; /* not 0: what is left is not read. NULL: nobody says so */
    void            (*at)(void *observed, hd_time now, uint32_t node); /* see hd_load_observer; NULL: nobody looks */
    void             *observed;
} hd_event_reading;

/* Reads all records of the decoder's location, or the first most_events; what is missing or broken becomes a finding. Sets out->n_events.
 * Errors: HD_EREAD, a file is there, but the system fails to read it. */
hd_status hd_event_reader_read(hd_event_reader *reader, hd_decoder *decoder, const hd_event_reading *reading);

typedef struct hd_own_definitions { /* takes a location's own definitions, in their order; NULL: nobody asks */
    void (*offset)(void *user, hd_time time, hd_span offset); /* of its clock */
    void (*mapping)(void *user);                              /* of some of its numbers to those of all */
    void  *user;
} hd_own_definitions;

/* Reads a location's own definitions, which change what is read of it from then on. Each location once, before its records. are_there: out,
 * false: they are missing where others have some, or broken. takes: NULL, nobody asks. Errors: as hd_event_reader_read(). */
hd_status hd_event_reader_define(hd_event_reader *reader, const hd_defs *defs, uint32_t location, const hd_own_definitions *takes,
                                 bool *are_there);

typedef enum hd_events_end { HD_EVENTS_NO_FILE, HD_EVENTS_WHOLE, HD_EVENTS_CUT, HD_EVENTS_INTERRUPTED } hd_events_end;

/* Reads a location's records with callbacks of the caller's until one of them interrupts, or all that can be read are. user: the
 * callbacks'. Each location once. Errors: likewise. */
hd_status hd_event_reader_each(hd_event_reader *reader, uint64_t location_ref, const struct OTF2_EvtReaderCallbacks_struct *callbacks,
                               void *user, hd_events_end *end);

#endif
