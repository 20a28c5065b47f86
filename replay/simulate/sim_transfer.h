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

static const hd_span hd_sim_fit_factors[HD_SIM_N_FITS] = { 1, 0, HD_SIM_LONG_FACTOR };

/* How long the call may take alone, where a dependency decided; until: from the latest one to the leave. */
static inline hd_span
hd_sim_fitted_local(const hd_sim_class_row *row, const hd_sim_call *call, hd_span until, uint32_t variant)
{
    hd_span length = hd_span_between(call->enter, call->leave);
    hd_span local  = row->is_known ? row->median * hd_sim_fit_factors[variant] : until;

    local = local < 0 ? 0 : local;
    return local < length ? local : length;
}

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

/* The equation of a call with one dependency, which encloses no other call, and is none with HD_SIM_CALL_STARTS. */
typedef struct hd_sim_single {
    hd_span local, transfer;
} hd_sim_single;

static inline hd_sim_single
hd_sim_single_of(const hd_sim_class_row *rows, const hd_sim_call *call, const hd_sim_dependency *dependency,
                 uint32_t variant)
{
    hd_span       length = hd_span_between(call->enter, call->leave);
    hd_span       exact  = hd_span_between(dependency->time, call->leave), factor = hd_sim_fit_factors[variant];
    hd_span       fit    = rows[dependency->class].median * factor;
    hd_span       before = hd_span_between(dependency->time, call->enter);

    if (before < 0 || (factor > 0 && fit > before)) /* it decided */
        return (hd_sim_single){ hd_sim_fitted_local(&rows[call->class], call, exact, variant), exact };
    return (hd_sim_single){ length, fit < exact ? fit : exact };
}

/* The dependencies of calls are linked: the class of each; calls that waited show a transfer. */
void hd_sim_observe_transfers(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location);
/* Calls that surely did not wait, by the fits of transfers, show how long they take alone. */
void hd_sim_observe_locals(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location);

#endif
