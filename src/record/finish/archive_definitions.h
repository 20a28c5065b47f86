/* src/record/finish/archive_definitions.h: properties and global definitions of the archive. Inside of finish only.
 * Uses: run_model, OTF2. MT: main thread only. Ranks: local. */
#ifndef HD_ARCHIVE_DEFINITIONS_H
#define HD_ARCHIVE_DEFINITIONS_H

#include <otf2/otf2.h>

#include "run_model.h"

/* Groups of pairwise synchronisation have the references from here on, in the order of run->groups. */
enum { HD_ARCHIVE_FIRST_GROUP = 2 };

/* The communicator of the threads that a process creates: behind those of MPI and the teams. */
static inline uint32_t
hd_archive_contingent(const hd_recorded_run *run, uint32_t process)
{
    return (uint32_t)(run->n_comms + run->n_teams) + process;
}

/* Of the anchor: what the archive has completely, who made it, threads that share processors. Before its events. */
void hd_archive_properties_set(const hd_recorded_run *run, OTF2_Archive *archive);

/* n_events: of all locations, process by process; sample_ns: processor time between samples, 0: there are none.
 * Errors: HD_EWRITE. */
hd_status hd_archive_definitions_write(const hd_recorded_run *run, const uint64_t *n_events, uint64_t sample_ns,
                                       OTF2_Archive *archive);

#endif
