/* src/cli/commands/simulate/simulated_trace.h: the archive of a simulated run: the recorded one with new times.
 * Uses: analyze, simulate, new_archive. MT: main thread only. Ranks: all, together; rank 0 writes.
 */
#ifndef HD_SIMULATED_TRACE_H
#define HD_SIMULATED_TRACE_H

#include "analyze.h"
#include "simulate_request.h"

typedef struct hd_simulated_trace {
    const char           *path;              /* of the folder */
    bool                  force;             /* it may be there */
    const hd_sim_outcome *outcome, *recorded; /* outcome: with records */
} hd_simulated_trace;

/* run: the archive, as it was loaded. has_losses: out, on rank 0: some is not in the new archive, of which warnings
 * were printed. Cost: rank 0 has the times of a location at a time. Errors, the same on all ranks: those of
 * hd_new_archive_write(). */
hd_status hd_simulated_trace_write(const hd_analyze *run, const hd_simulated_trace *trace, bool *has_losses);

#endif
