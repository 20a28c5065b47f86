/* src/export/wait_marks.h: the instances of wait states that a report has, as marks on a timeline.
 *
 * Uses: instance_list. Owner: the caller. MT: one thread. Ranks: local. Grows with: instances of the report.
 */
#ifndef HD_WAIT_MARKS_H
#define HD_WAIT_MARKS_H

#include "analysis_interval.h"
#include "cube_reader.h"
#include "defs.h"

typedef struct hd_wait_mark {
    uint32_t    number;       /* of the instance in the report */
    const char *metric, *name; /* id and name of the wait state */
    uint32_t    process, thread;
    uint32_t    peer;         /* process that was waited for; HD_NONE: not known, or the same */
    hd_time     begin, end;   /* of the call with the longest wait, cut at the borders of the interval */
    double      waiting;      /* [s] of all members */
    char       *path;         /* call path of the call */
    char       *cause;        /* in which the peer spent most of that time; NULL: not known */
} hd_wait_mark;

typedef struct hd_wait_marks {
    hd_wait_mark *marks;  /* [n] by process, begin, number */
    size_t        n;
    bool          is_there; /* the report has a table of instances */
    size_t        n_others; /* instances of the report that are not in the interval, or of processes not chosen */
} hd_wait_marks;

/* is_chosen: [defs->n_locations]. hd_wait_marks_fini() it. Errors: those of hd_instance_list_read(); HD_EFORMAT, the
 * report is of another archive. marks is empty then. */
hd_status hd_wait_marks_read(hd_cube *cube, const hd_defs *defs, const hd_analysis_interval *interval,
                             const bool *is_chosen, hd_wait_marks *marks);
void      hd_wait_marks_fini(hd_wait_marks *marks);

#endif
