/* src/trace/region/region_instances.h: when processes were in the regions of interest, a pass over the event files
 * before they are loaded.
 *
 * An instance is the time from the enter of such a region to its leave on a location, however the location gets there:
 * by records of enters and leaves, or by calling contexts; in samples from the first one that shows the region to the
 * first that does not. The instances on all locations of a process are united; those that touch become one. What is
 * open when the recording ends lasts to the last record of the process. Times are those that loading gives the records,
 * so that both agree to the tick. Definition: docs/metrics.md#interval. Uses: read. Memory: 16 bytes per enter and
 * leave while files are read, 24 per united instance. MT: main thread only; reads with the request's threads (OpenMP).
 * Ranks: local.
 */
#ifndef HD_REGION_INSTANCES_H
#define HD_REGION_INSTANCES_H

#include "load_request.h"
#include "status.h"

typedef struct hd_region_instances { /* of a process */
    hd_analysis_interval *parts;     /* [n] ascending, none touches the next; to is last: the tick of the leave */
    size_t                n;
} hd_region_instances;

/* Reads those of the request's processes.
 *   is_wanted  [n_regions] of the definitions: the regions of interest
 *   instances  [n_processes] out; on success the caller frees the parts of each
 * Errors: HD_EOPEN, HD_ESTOPPED, as hd_trace_load(). That a file cannot be read is said by that, too. */
hd_status hd_region_instances_read(const hd_load_request *request, const bool *is_wanted,
                                   hd_region_instances *instances);

#endif
