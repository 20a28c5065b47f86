/* replay/simulate/sim_zero.h: time between calls where calls of MPI take none (`network zero`): what is recorded, less
 * the other calls of MPI in it, as for the ideal clock of the efficiencies.
 *
 * The interval log has the time in these calls together with that in calls of the op log, whose times are known. Inside
 * of sim_change.c only.
 * Uses: sim_state.h. MT: the worker's thread. Ranks: local.
 */
#ifndef HD_SIM_ZERO_H
#define HD_SIM_ZERO_H

#include "sim_state.h"

/* Of the call before, what stands in intervals that end later than its enter, or, of a polled wait, than the enter of
 * the last call in it. */
static inline hd_span
hd_sim_zero_covered(const hd_sim_location *location, const hd_sim_call *call)
{
    hd_time from = call->enter;

    if ((call->flags & HD_SIM_CALL_THREADS) != 0 || !location->in_mpi[call->node])
        return 0;
    if ((call->flags & HD_SIM_CALL_POLLED) != 0)
        from = location->polled[location->i_polled - 1].until;
    if (call > location->calls) /* which it may enclose */
        from = hd_time_max(from, call[-1].leave);
    return from < call->leave ? hd_span_between(from, call->leave) : 0;
}

/* The recorded time before a call, without what other calls of MPI take of it: in_mpi is that of the pieces that end
 * there, call paths in MPI. */
static inline hd_span
hd_sim_zero_between(hd_sim_location *location, const hd_sim_call *call, hd_span between, bool has_pieces,
                    hd_span in_mpi)
{
    hd_span others = 0;

    if (location->gap != NULL) /* the call is a polled wait, with calls before the last one */
        location->covered += hd_span_between(call->enter, location->gap->until) - location->gap->gaps;
    if (has_pieces) {
        others            = in_mpi - location->covered;
        location->covered = 0;
    }
    if (between < 0 && call != NULL && (call->flags & HD_SIM_CALL_THREADS) == 0) /* it encloses the call before */
        return 0;
    return between - others;
}

#endif
