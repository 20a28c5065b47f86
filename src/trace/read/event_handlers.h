/* src/trace/read/event_handlers.h: a function for each kind of record of events that is of interest.
 *
 * The functions are OTF2's callbacks, so that both readers of event files take them (event_files.h). A kind whose
 * function is NULL is passed over. Who reads makes a constant of them. MT: read only. Ranks: local.
 */
#ifndef HD_EVENT_HANDLERS_H
#define HD_EVENT_HANDLERS_H

#include <otf2/otf2.h>

#include "event_records.h"
#include "types.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* old archives may have such records */
typedef struct hd_event_handlers {
#define HD_EVENT_HANDLER(number, kind) OTF2_EvtReaderCallback_##kind kind;
    HD_EVENT_KINDS(HD_EVENT_HANDLER)
#undef HD_EVENT_HANDLER
    OTF2_EvtReaderCallback_Unknown Unknown; /* of a later OTF2 */
    bool                           takes_attributes; /* else they are NULL, or empty */
} hd_event_handlers;
#pragma GCC diagnostic pop

#endif
