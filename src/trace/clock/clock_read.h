/* src/trace/clock/clock_read.h: reads the clock logs (clock_log.h), a pass over the event files before they are loaded.
 * Uses: read, log. MT: main thread only; reads with the request's threads (OpenMP). Ranks: local.
 */
#ifndef HD_CLOCK_READ_H
#define HD_CLOCK_READ_H

#include "clock_log.h"
#include "load_request.h"
#include "status.h"

/* Reads the logs of the request's processes. Owner: the caller, hd_clock_logs_free() them. Findings are those of
 * loading, which are noted there.
 * Errors: HD_EOPEN, HD_ESTOPPED, as hd_trace_load(). That a file cannot be read is said by that. */
hd_status hd_clock_logs_read(const hd_load_request *request, hd_clock_logs **logs);

#endif
