/* src/trace/extract/cut_records.h: what is done with each record of the events. Inside of extract only.
 * Uses: cut_border, cut_tasks, open_things, crossing. MT: main thread only.
 */
#ifndef HD_CUT_RECORDS_H
#define HD_CUT_RECORDS_H

#include "event_cut.h"

/* Callbacks whose user is a hd_cut; the caller deletes them. */
OTF2_EvtReaderCallbacks *hd_cut_callbacks_new(void);

#endif
