/* src/record/finish/archive_window_events.h: records of accesses to windows, and of their synchronisation, as Score-P
 * writes them. Inside of finish only. Uses: raw_log, OTF2. MT: any thread, one writer each. */
#ifndef HD_ARCHIVE_WINDOW_EVENTS_H
#define HD_ARCHIVE_WINDOW_EVENTS_H

#include <otf2/otf2.h>

#include "raw_log.h"

/* Of HD_RAW_PUT to HD_RAW_ACCESS_REMOTE. window: in the archive. */
OTF2_ErrorCode hd_archive_access_event(OTF2_EvtWriter *writer, const hd_raw_record *record, uint32_t window);
/* Of HD_RAW_GROUP_SYNC to HD_RAW_RELEASE_ACCESS. group: in the archive, of HD_RAW_GROUP_SYNC. */
OTF2_ErrorCode hd_archive_sync_event(OTF2_EvtWriter *writer, const hd_raw_record *record, uint32_t window,
                                     uint32_t group);

#endif
