/* src/record/finish/run_pauses.h: which records have no other side, as that was left out in a pause.
 *
 * Messages of a channel arrive in order, and each member calls the operations of a communicator in order. So the how
 * many-th a record is of its channel says what it belongs to: records that were left out are counted at the end of a
 * pause, and those before the begin of an archive by its log. A survey of all records finds the numbers that each
 * process has recorded; those that all sides have stay.
 * Only of runs with pauses. Where several threads of a process use one channel, those of one location count first.
 * Uses: run_model. MT: survey and match on one thread, then any may ask. Ranks: local. Grows with: channels and pauses.
 */
#ifndef HD_RUN_PAUSES_H
#define HD_RUN_PAUSES_H

#include "run_model.h"

/* Before the records of a location, in the order of locations. before: how many it had in each channel before those. */
void hd_run_pauses_survey_location(hd_run_process *process, const hd_raw_counts *before);
void hd_run_pauses_survey(hd_run_process *process, const hd_raw_record *record);

/* When all processes are surveyed. */
void hd_run_pauses_match(hd_recorded_run *run);

typedef struct hd_run_position { /* of a location while its records are written, in order */
    const hd_run_process *process;
    uint64_t             *next; /* [n of the process's channels] number of the next record */
    hd_run_place         *places; /* the same */
    hd_map                begun;   /* accesses and operations on files */
    hd_map                dropped; /* requests */
} hd_run_position;

void hd_run_position_begin(hd_run_position *position, const hd_run_process *process, size_t location);
void hd_run_position_fini(hd_run_position *position);

typedef enum hd_run_fate {
    HD_RUN_KEPT,
    HD_RUN_LEFT_OUT,
    HD_RUN_WITHDRAWN, /* a receive whose message is not in the archive: its request counts as cancelled */
    HD_RUN_ALONE      /* a send whose request completes in a pause: it stays without a request */
} hd_run_fate;

hd_run_fate hd_run_fate_of(hd_run_position *position, const hd_raw_record *record);

/* Of one that comes later, if no other of its channel comes before it. */
bool hd_run_is_kept(const hd_run_position *position, const hd_raw_record *record);

#endif
