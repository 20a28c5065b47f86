#include "wait_statistic.h"

#include "memory.h"

/* ---- instances --------------------------------------------------------------------------------------------------- */

static bool
waiter_precedes(const hd_waiter *a, const hd_waiter *b)
{
    if (a->wait != b->wait)
        return a->wait > b->wait;
    if (a->process != b->process)
        return a->process < b->process;
    if (a->thread != b->thread)
        return a->thread < b->thread;
    return a->from < b->from;
}

static void
add_waiter(hd_instance *into, const hd_waiter *waiter)
{
    uint32_t i = into->n_waiters;

    if (i == HD_MAX_WAITERS && !waiter_precedes(waiter, &into->waiters[--i]))
        return;
    for (; i > 0 && waiter_precedes(waiter, &into->waiters[i - 1]); i--)
        into->waiters[i] = into->waiters[i - 1];
    into->waiters[i] = *waiter;
    if (into->n_waiters < HD_MAX_WAITERS)
        into->n_waiters++;
}

void
hd_instance_add_part(hd_instance *into, const hd_instance *part)
{
    if (part->n_waiters == 0)
        return;
    if (into->n_waiters == 0) {
        *into = *part;
        return;
    }
    if (waiter_precedes(&part->waiters[0], &into->waiters[0])) {
        into->enter       = part->enter;
        into->leave       = part->leave;
        into->peer        = part->peer;
        into->peer_thread = part->peer_thread;
    }
    into->waiting += part->waiting;
    for (uint32_t i = 0; i < part->n_waiters; i++)
        add_waiter(into, &part->waiters[i]);
}

#define DIFFER(field)                                                                                                  \
    if (a->field != b->field)                                                                                          \
    return a->field < b->field

bool
hd_instance_precedes(const hd_instance *a, const hd_instance *b)
{
    if (a->waiting != b->waiting)
        return a->waiting > b->waiting;
    DIFFER(waiters[0].process);
    DIFFER(waiters[0].thread);
    DIFFER(enter);
    DIFFER(leave);
    DIFFER(waiters[0].call_path);
    DIFFER(waiters[0].from);
    DIFFER(peer);
    return a->peer_thread < b->peer_thread;
}

#undef DIFFER

/* ---- statistics -------------------------------------------------------------------------------------------------- */

double
hd_wait_statistic_mean(const hd_wait_statistic *statistic)
{
    return (double)statistic->sum / (double)statistic->count;
}

/* Around the whole part of the mean, for which integers do, so that nothing cancels out. */
double
hd_wait_statistic_variance(const hd_wait_statistic *statistic)
{
    uint64_t      count = statistic->count, whole = (uint64_t)statistic->sum / count,
    rest = (uint64_t)statistic->sum % count;
    hd_square_sum around = statistic->squares - 2 * (hd_square_sum)whole * (hd_square_sum)statistic->sum +
                           (hd_square_sum)whole * whole * count;
    double        behind = (double)rest / (double)count, variance = (double)around / (double)count - behind * behind;

    return variance > 0 ? variance : 0;
}

void
hd_wait_statistics_fini(hd_wait_statistics *statistics)
{
    free(statistics->rows);
    free(statistics->instances);
    *statistics = (hd_wait_statistics){ 0 };
}
