/* src/record/finish/archive_file_events.h: writes the records of MPI-IO.
 *
 * Uses: raw_files. MT: several threads, each with a writer of its own. Ranks: local.
 */
#ifndef HD_ARCHIVE_FILE_EVENTS_H
#define HD_ARCHIVE_FILE_EVENTS_H

#include <otf2/otf2.h>

#include "raw_log.h"

/* record: one of HD_RAW_FILE_...; handle: of the file, in the archive. */
OTF2_ErrorCode hd_archive_file_event(OTF2_EvtWriter *writer, const hd_raw_record *record, uint32_t handle);

#endif
