/* src/trace/extract/extract_definitions.h: copies the global definitions. Inside of extract only.
 * Uses: event_cut. MT: main thread only.
 */
#ifndef HD_EXTRACT_DEFINITIONS_H
#define HD_EXTRACT_DEFINITIONS_H

#include "event_cut.h"
#include "status.h"

/* Each as it is, but that locations have all->n_events. Errors: HD_EOPEN, HD_EREAD; of writing: all->error. */
hd_status hd_extract_definitions(hd_extraction *all, OTF2_Archive *archive);

#endif
