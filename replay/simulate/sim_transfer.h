/* replay/simulate/sim_transfer.h: the equation of each call: how long it takes alone, and from each dependency to its
 * leave.
 *
 *   leave = max(enter + local, enter of each dependency + transfer)
 *
 * The recorded times show the one term that decided, which is taken exactly; the others come from fits, and are such
 * that they do not decide. So without a hypothesis every time is as recorded, to the tick.
 *
 * Uses: sim_state.h. MT: the worker's thread. Ranks: local.
 */
#ifndef HD_SIM_TRANSFER_H
#define HD_SIM_TRANSFER_H

#include "sim_state.h"

static inline hd_sim_class
hd_sim_class_of(const hd_sim_dependency *dependency)
{
    return (hd_sim_class){ .kind = (hd_sim_kind)dependency->kind, .what = dependency->operation,
                           .is_same_node = dependency->is_same_node, .bytes = dependency->bytes,
                           .n_members = dependency->n_members };
}

/* The equation of a call with n dependencies that are not extra, in each variant of the fits of the pass. */
typedef struct hd_sim_equation {
    const hd_sim_call       *call;
    const hd_sim_dependency *first;
    size_t                   n;
    hd_span                  local[HD_SIM_N_FITS];
    const hd_sim_dependency *decided[HD_SIM_N_FITS]; /* whose transfer is exact; NULL: none */
} hd_sim_equation;

void hd_sim_equation_of(const hd_sim_worker *sw, const hd_sim_call *call, const hd_sim_dependency *first, size_t n,
                        hd_sim_equation *equation);

extern const hd_span hd_sim_fit_factors[HD_SIM_N_FITS];

/* From one of its dependencies to its leave. */
static inline hd_span
hd_sim_transfer(const hd_sim_worker *sw, const hd_sim_equation *equation, const hd_sim_dependency *dependency,
                uint32_t variant)
{
    hd_span exact = hd_span_between(dependency->time, equation->call->leave), fit;

    if (dependency == equation->decided[variant])
        return exact;
    if ((equation->call->flags & HD_SIM_CALL_STARTS) != 0 || dependency->is_extra)
        return 0;
    fit = sw->classes.rows[dependency->class].median * hd_sim_fit_factors[variant];
    return fit < exact ? fit : exact;
}

/* The dependencies of calls are linked: the class of each; calls that waited show a transfer. */
void hd_sim_observe_transfers(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location);
/* Calls that surely did not wait, by the fits of transfers, show how long they take alone. */
void hd_sim_observe_locals(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location);

#endif
