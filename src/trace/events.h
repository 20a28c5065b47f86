/* src/trace/events.h: hands the records of one event file to a decoder. Inside of the room only.
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

typedef struct hd_event_offsets { /* takes a location's records of clock offsets, in their order */
    void (*note)(void *user, hd_time time, hd_span offset);
    void  *user;
} hd_event_offsets;

/* Reads a location's records with callbacks of the caller's until one of them interrupts, or all that can be read are. user: the
 * callbacks'. Each location once. offsets: NULL, nobody asks. False: something is missing or broken, or it was interrupted. */
bool hd_event_reader_each(hd_event_reader *reader, uint64_t location_ref, const struct OTF2_EvtReaderCallbacks_struct *callbacks,
                          const hd_event_offsets *offsets, void *user);

#endif
