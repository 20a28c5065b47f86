/* src/record/finish/archive_events.h: the events of a location, from raw records to OTF2. Inside of finish only.
 * Uses: run_model, OTF2. MT: different locations by different threads. Ranks: local. */
#ifndef HD_ARCHIVE_EVENTS_H
#define HD_ARCHIVE_EVENTS_H

#include <otf2/otf2.h>

#include "run_model.h"

typedef struct hd_archive_counts { /* of a location */
    uint64_t events;  /* that were written */
    uint64_t dropped; /* records of communicators whose members are not known */
    uint64_t samples, lost_samples;
    uint64_t periods; /* of the timer that the samples stand for */
} hd_archive_counts;

/* Writes them to the archive. process: number in run; location: index in its locations. */
hd_status hd_archive_events_write(const hd_recorded_run *run, OTF2_Archive *archive, uint32_t process, size_t location,
                                  hd_archive_counts *counts);

/* Those of a location that has recorded none: readers look for its files. */
hd_status hd_archive_events_write_none(OTF2_Archive *archive, uint64_t location);

#endif
