/* src/cli/core/trace_part.h: the part of an archive that the options of a command ask for: an interval, an instance
 * of a wait state, or an iteration. Uses: instance_list, iteration_list. MT: main thread only. Ranks: local.
 */
#ifndef HD_TRACE_PART_H
#define HD_TRACE_PART_H

#include "analysis_interval.h"
#include "defs.h"
#include "duration.h"
#include "status.h"

typedef struct hd_trace_part {
    uint32_t    instance;         /* number in the report; 0: none */
    uint32_t    iteration;        /* from 1; 0: none */
    uint32_t    cluster;          /* of iterations, from 1: its typical one; 0: none */
    const char *worst;            /* metric: its worst iteration, or window where there are no iterations; NULL: none */
    const char *report;           /* NULL: heddle.cubex beside the archive's anchor */
    hd_duration margin, from, to; /* since the first event; margin: added before and after */
} hd_trace_part;

typedef struct hd_iteration_range { /* those of a slice of a report */
    uint32_t first, n;            /* n: 0, none are asked for */
} hd_iteration_range;

/* The interval; without instance, iteration, cluster, worst, from and to the whole run. An iteration is from its first enter to
 * its last leave, of all processes. What lies before the first event is not in it unless it is
 * the whole run. range: the iterations in it, of which the report has joined several; NULL: not wanted. Errors: HD_EUSAGE, the options exclude each other, or nothing of the run is in it; those of reading
 * the report; HD_EFORMAT, its instance is not of this archive. */
hd_status hd_trace_part_choose(const hd_trace_part *part, const char *anchor, const hd_defs *defs,
                               hd_analysis_interval *interval, hd_iteration_range *range);

/* Path of a file beside the anchor; free() it. */
char *hd_archive_beside(const char *anchor, const char *name);

#endif
