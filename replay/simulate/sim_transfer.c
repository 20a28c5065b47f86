/* replay/simulate/sim_transfer.c: which term of each call's equation decided, and what the others are. */
#include "sim_transfer.h"

typedef struct sim_terms { /* the dependencies of a call */
    hd_sim_call       *call;
    hd_sim_dependency *first;
    size_t             n;
} sim_terms;

static hd_sim_class
local_class_of(const hd_sim_location *location, const sim_terms *terms)
{
    hd_sim_class class = { .kind = HD_SIM_LOCAL, .what = hd_sim_region(location, terms->call), .is_same_node = true };

    for (size_t i = 0; i < terms->n; i++) {
        class.is_same_node &= terms->first[i].is_same_node;
        class.bytes += terms->first[i].bytes;
        class.n_members = terms->first[i].n_members > class.n_members ? terms->first[i].n_members : class.n_members;
    }
    return class;
}

/* Calls visit() for each call with dependencies. */
static void
each_call(hd_sim_worker *sw, hd_sim_location *location,
          void (*visit)(hd_sim_worker *sw, const hd_sim_location *location, const sim_terms *terms))
{
    for (size_t i = 0, end; i < location->n_dependencies; i = end) {
        uint32_t call = location->dependencies[i].call;
        size_t   n    = 0; /* extra ones are the last of a call */

        for (end = i; end < location->n_dependencies && location->dependencies[end].call == call; end++)
            n += !location->dependencies[end].is_extra;
        if (n > 0)
            visit(sw, location, &(sim_terms){ &location->calls[call], &location->dependencies[i], n });
    }
}

/* The dependency with the latest time, the first one among equals. */
static hd_sim_dependency *
latest(const sim_terms *terms)
{
    hd_sim_dependency *found = terms->first;

    for (size_t i = 1; i < terms->n; i++)
        if (terms->first[i].time > found->time)
            found = &terms->first[i];
    return found;
}

hd_span
hd_sim_varied(const hd_sim *sim, hd_span fit)
{
    switch (sim->variant) {
    case HD_SIM_SHORT:
        return 0;
    case HD_SIM_LONG:
        return HD_SIM_LONG_FACTOR * fit;
    default:
        return fit;
    }
}

/* 0 where nothing is known. */
static hd_span
fitted(const hd_sim_worker *sw, const hd_sim_dependency *dependency)
{
    hd_sim_class class = hd_sim_class_of(dependency);
    hd_span      median = 0;

    hd_sim_fits_get(&sw->sim->fits, &class, &median);
    return hd_sim_varied(sw->sim, median);
}

/* ---- observations ------------------------------------------------------------------------------------------------ */

static void
observe_transfer(hd_sim_worker *sw, const hd_sim_location *location, const sim_terms *terms)
{
    const hd_sim_dependency *decided = latest(terms);
    hd_sim_class             class   = hd_sim_class_of(decided);

    (void)location;
    if (decided->time > terms->call->enter)
        hd_sim_histograms_add(&sw->histograms, &class, hd_span_between(decided->time, terms->call->leave));
}

static void
observe_local(hd_sim_worker *sw, const hd_sim_location *location, const sim_terms *terms)
{
    hd_sim_class class = local_class_of(location, terms);

    for (size_t i = 0; i < terms->n; i++)
        if (terms->first[i].time > terms->call->enter ||
            hd_span_between(terms->first[i].time, terms->call->enter) < fitted(sw, &terms->first[i]))
            return;
    hd_sim_histograms_add(&sw->histograms, &class, hd_span_between(terms->call->enter, terms->call->leave));
}

void
hd_sim_observe_transfers(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location)
{
    (void)worker;
    each_call(sw, location, observe_transfer);
}

void
hd_sim_observe_locals(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location)
{
    (void)worker;
    each_call(sw, location, observe_local);
}

/* ---- terms ------------------------------------------------------------------------------------------------------- */

/* How long the call may take alone, where a dependency decided. */
static hd_span
fitted_local(const hd_sim_worker *sw, const hd_sim_location *location, const sim_terms *terms)
{
    hd_sim_class class  = local_class_of(location, terms);
    hd_span      length = hd_span_between(terms->call->enter, terms->call->leave);
    hd_span      local  = hd_span_between(latest(terms)->time, terms->call->leave);

    if (hd_sim_fits_get(&sw->sim->fits, &class, &local))
        local = hd_sim_varied(sw->sim, local);
    local = local < 0 ? 0 : local;
    return local < length ? local : length;
}

static void
set_transfers(hd_sim_worker *sw, const hd_sim_location *location, const sim_terms *terms)
{
    hd_sim_dependency *decided = terms->first;
    hd_sim_call       *call    = terms->call;
    hd_span            most    = INT64_MIN;

    if ((call->flags & HD_SIM_CALL_FITTED) != 0) /* in the variant before */
        call->local = hd_span_between(call->enter, call->leave);
    call->flags &= ~(uint32_t)HD_SIM_CALL_FITTED;
    for (size_t i = 0; i < terms->n; i++) {
        hd_sim_dependency *dependency = &terms->first[i];
        hd_span            fit        = fitted(sw, dependency), exact = hd_span_between(dependency->time, call->leave);
        hd_span            arrival    = hd_span_between(call->enter, dependency->time) + fit;

        dependency->transfer = fit < exact ? fit : exact;
        if (arrival > most) {
            most    = arrival;
            decided = dependency;
        }
    }
    if (latest(terms)->time > call->enter)
        decided = latest(terms);
    else if (most <= 0)
        return; /* it did not wait: the local time is exact */
    decided->transfer = hd_span_between(decided->time, call->leave);
    if ((call->flags & HD_SIM_CALL_NESTED) != 0)
        return;
    call->local = fitted_local(sw, location, terms);
    call->flags |= (uint32_t)HD_SIM_CALL_FITTED;
}

void
hd_sim_set_transfers(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location)
{
    (void)worker;
    each_call(sw, location, set_transfers);
}
