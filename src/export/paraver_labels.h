/* src/export/paraver_labels.h: the numbers that Paraver's configurations know: event types, values and states
 * (docs/formats.md#paraver). Uses: defs. MT: any thread.
 */
#ifndef HD_PARAVER_LABELS_H
#define HD_PARAVER_LABELS_H

#include <stdio.h>

#include "defs.h"

enum { HD_PARAVER_FUNCTIONS = 60000019 }; /* event type of regions that are no MPI call with a value of its own */

enum { HD_PARAVER_IDLE, HD_PARAVER_RUNNING, HD_PARAVER_NOT_CREATED, HD_PARAVER_WAIT_MESSAGE, HD_PARAVER_BLOCKING_SEND,
       HD_PARAVER_SYNCHRONIZATION, HD_PARAVER_TEST, HD_PARAVER_FORK_JOIN, HD_PARAVER_WAIT, HD_PARAVER_BLOCKED,
       HD_PARAVER_ISEND, HD_PARAVER_IRECV, HD_PARAVER_IO, HD_PARAVER_GROUP, HD_PARAVER_DISABLED, HD_PARAVER_OTHERS,
       HD_PARAVER_SENDRECV, HD_PARAVER_N_STATES };

typedef struct hd_paraver_label { /* of a region */
    uint32_t type, value; /* of the event of its enter; that of its leave has value 0 */
    uint32_t state;       /* while it is the innermost one */
} hd_paraver_label;

hd_paraver_label hd_paraver_label_of(const hd_defs *defs, uint32_t region);

/* The .pcf file. is_used: [n_regions] regions that have a name there. Errors of writing stay with the stream. */
void hd_paraver_labels_write(FILE *out, const hd_defs *defs, const bool *is_used);

#endif
