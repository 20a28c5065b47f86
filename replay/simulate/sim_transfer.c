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

/* Calls visit() for each call with dependencies that are not extra, which are the last of a call. */
static inline __attribute__((always_inline)) void
each_call(hd_sim_worker *sw, hd_sim_location *location,
          void (*visit)(hd_sim_worker *sw, const hd_sim_location *location, const sim_terms *terms))
{
    for (size_t i = 0, n_of_call; i < location->n_dependencies; i += n_of_call) {
        hd_sim_call *call = &location->calls[location->dependencies[i].call];
        size_t       n    = n_of_call = call->n_dependencies;

        while (n > 0 && location->dependencies[i + n - 1].is_extra)
            n--;
        if (n > 0)
            visit(sw, location, &(sim_terms){ call, &location->dependencies[i], n });
    }
}

/* The dependency with the latest time, the first one among equals. */
static inline const hd_sim_dependency *
latest(const hd_sim_dependency *first, size_t n)
{
    const hd_sim_dependency *found = first;

    for (size_t i = 1; i < n; i++)
        if (first[i].time > found->time)
            found = &first[i];
    return found;
}

/* ---- observations ------------------------------------------------------------------------------------------------ */

static void
number_classes(hd_sim_worker *sw, hd_sim_location *location)
{
    for (size_t i = 0; i < location->n_dependencies; i++) {
        hd_sim_dependency *dependency = &location->dependencies[i];
        hd_sim_class       what       = hd_sim_class_of(dependency);

        dependency->class   = hd_sim_class_number(&sw->classes, &what);
        dependency->arrived = HD_NONE;
    }
}

static inline void
observe_transfer(hd_sim_worker *sw, const hd_sim_location *location, const sim_terms *terms)
{
    const hd_sim_dependency *decided = latest(terms->first, terms->n);

    (void)location;
    if (decided->time > terms->call->enter || (terms->call->flags & HD_SIM_CALL_STARTS) != 0)
        hd_sim_classes_observe(&sw->classes, decided->class, decided->bytes,
                               hd_span_between(decided->time, terms->call->leave));
}

static inline void
observe_local(hd_sim_worker *sw, const hd_sim_location *location, const sim_terms *terms)
{
    hd_sim_class what = local_class_of(location, terms);

    terms->call->class = hd_sim_class_number(&sw->classes, &what);
    if ((terms->call->flags & HD_SIM_CALL_STARTS) != 0)
        return;
    for (size_t i = 0; i < terms->n; i++)
        if (terms->first[i].time > terms->call->enter ||
            hd_span_between(terms->first[i].time, terms->call->enter) < sw->classes.rows[terms->first[i].class].median)
            return;
    hd_sim_classes_observe(&sw->classes, terms->call->class, what.bytes,
                           hd_span_between(terms->call->enter, terms->call->leave));
}

void
hd_sim_observe_transfers(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location)
{
    (void)worker;
    number_classes(sw, location);
    each_call(sw, location, observe_transfer);
}

void
hd_sim_observe_locals(hd_sim_worker *sw, hd_worker *worker, hd_sim_location *location)
{
    (void)worker;
    each_call(sw, location, observe_local);
}

/* ---- terms ------------------------------------------------------------------------------------------------------- */

/* No dependency is later than the enter: the one that would have arrived latest by its fit, if that is later. */
static inline const hd_sim_dependency *
latest_by_fit(const hd_sim_worker *sw, const hd_sim_equation *equation, uint32_t variant)
{
    const hd_sim_dependency *found = NULL;
    hd_span                  most  = 0;

    for (size_t i = 0; i < equation->n; i++) {
        const hd_sim_dependency *dependency = &equation->first[i];
        hd_span                  fit = sw->classes.rows[dependency->class].median * hd_sim_fit_factors[variant];
        hd_span                  arrival = hd_span_between(equation->call->enter, dependency->time) + fit;

        if (arrival > most) {
            most  = arrival;
            found = dependency;
        }
    }
    return found;
}

void
hd_sim_equation_of(const hd_sim_worker *sw, const hd_sim_call *call, const hd_sim_dependency *first, size_t n,
                   hd_sim_equation *equation)
{
    const hd_sim_dependency *last   = n > 0 ? latest(first, n) : NULL;
    bool                     waited = n > 0 && last->time > call->enter;
    bool                     starts = n > 0 && (call->flags & HD_SIM_CALL_STARTS) != 0;
    bool                     exact  = n == 0 || starts || (call->flags & HD_SIM_CALL_NESTED) != 0;

    equation->call  = call;
    equation->first = first;
    equation->n     = n;
    for (uint32_t v = 0; v < sw->sim->n_fits; v++) {
        const hd_sim_dependency *decided = last;

        if (HD_UNLIKELY(starts)) /* nothing else decides */
            decided = first;
        else if (!waited)
            decided = n > 0 && hd_sim_fit_factors[v] > 0 ? latest_by_fit(sw, equation, v) : NULL;
        equation->decided[v] = decided;
        equation->local[v] = decided == NULL || exact ? hd_span_between(call->enter, call->leave) :
            hd_sim_fitted_local(&sw->classes.rows[call->class], call, hd_span_between(last->time, call->leave), v);
    }
}
