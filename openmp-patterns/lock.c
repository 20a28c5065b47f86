/* openmp-patterns/lock.c: lock contention. The order of ownerships is recorded, so the owner before an acquire is a
 * lookup of its release by lock and order. A wait ends no later than the call. */
#include "lock.h"

static bool
is_pthread(hd_lock_kind kind)
{
    return kind == HD_LOCK_MUTEX || kind == HD_LOCK_CONDITION;
}

static uint64_t
key_of(hd_lock_books *all, const hd_thread_op *op, uint32_t order)
{
    uint64_t lock = (uint64_t)is_pthread(op->lock_kind) << 32 | op->lock;

    if (HD_UNLIKELY(lock != all->last_lock || all->of_lock.n == 0)) {
        bool      is_new;
        uint64_t *number = hd_map_add(&all->of_lock, lock, &is_new);

        if (is_new)
            *number = all->of_lock.n - 1;
        all->last_lock   = lock;
        all->last_number = *number;
    }
    return all->last_number << 32 | order;
}

void
hd_lock_released(hd_lock_books *all, const hd_thread_op *op, uint32_t thread)
{
    bool       is_new;
    uint64_t  *index = hd_map_add(&all->ends, key_of(all, op, op->order), &is_new);
    hd_ownership *ended;

    if (is_new) {
        *index = all->n;
        HD_PUSH(all->all, all->n, all->capacity, ((hd_ownership){ .end = op->time, .thread = thread }));
    }
    ended = &all->all[*index];
    if (op->time > ended->end)
        *ended = (hd_ownership){ .end = op->time, .thread = thread };
}

/* begin: when it began to wait, after its own last release. */
static void
add_points(hd_lock_books *all, const hd_thread_op *op, const hd_series_wait *wait, hd_time begin,
           const hd_ownership *before)
{
    hd_team_point release = { .kind = HD_TEAM_RELEASE, .thread = before->thread, .enter = before->end,
                              .delay = is_pthread(op->lock_kind) ? HD_DELAY_PTHREAD_LOCK : HD_DELAY_OMP_LOCK,
                              .number = all->n_waits++ };
    hd_team_point waiting = { .kind = HD_TEAM_LOCK_WAIT, .thread = wait->thread, .enter = begin,
                              .delay = release.delay, .wait = wait->wait, .call_path = wait->node,
                              .number = release.number };

    all->sink->point(all->sink->context, &release);
    all->sink->point(all->sink->context, &waiting);
}

/* A call that has a lock is logged before it is left: an interval may end in it. The bits of the sides that it
 * reaches. */
static uint32_t
side_bits_until_leave(const hd_loaded_location *location, const hd_thread_op *op, uint32_t all_bits)
{
    size_t   low = 0, high = location->n_open_calls;
    uint32_t bits = 0;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (location->open_calls[middle].enter < op->enter)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < location->n_open_calls && location->open_calls[low].enter == op->enter; low++)
        if (location->open_calls[low].node == (op->call_path & ~all_bits))
            bits |= location->open_calls[low].bits;
    return bits;
}

/*   thread 0   ──[ critical  release]──                   waiting = release of the ownership before - own enter, if
 *                                                         positive
 *   thread 1   ──────[ enter·········· acquire]──         docs/metrics.md#lock-contention
 *                    |<------->|
 * Where the numbers are wrong the release can come after the acquisition. */
void
hd_lock_acquired(hd_lock_books *all, const hd_loaded_process *process, const hd_thread_op *op, uint32_t thread,
                 hd_time released, hd_severities *out)
{
    static const hd_metric metrics[] = { [HD_LOCK_CRITICAL] = HD_METRIC_omp_lock_contention_critical,
                                         [HD_LOCK_API] = HD_METRIC_omp_lock_contention_api,
                                         [HD_LOCK_MUTEX] = HD_METRIC_pthread_lock_contention_mutex_lock,
                                         [HD_LOCK_CONDITION] = HD_METRIC_pthread_lock_contention_conditional };
    const uint64_t     *index  = op->order > 1 ? hd_map_get(&all->ends, key_of(all, op, op->order - 1)) : NULL;
    const hd_ownership *before = index != NULL ? &all->all[*index] : NULL;
    hd_series_wait      wait   = { metrics[op->lock_kind], thread, op->call_path, op->enter, 0 };

    if (before == NULL || before->end <= op->enter || op->time <= op->enter)
        return;
    wait.wait = hd_span_between(op->enter, hd_time_min(before->end, op->time));
    if (process->analysis_intervals != NULL)
        wait.node |= side_bits_until_leave(&process->locations[thread], op,
                                                hd_analysis_intervals_bits(process->analysis_intervals));
    hd_severity_add(out, wait.metric, wait.node, wait.wait);
    if (all->series != NULL)
        hd_wait_series_add(all->series, wait);
    if (all->waits != NULL)
        all->waits->wait(all->waits->context,
                         &(hd_instance){ .metric = wait.metric, .n_waiters = 1, .waiting = wait.wait,
                                         .enter = op->enter, .leave = op->time, .peer_thread = before->thread,
                                         .waiters[0] = { .thread = thread, .call_path = wait.node,
                                                         .from = op->enter, .wait = wait.wait } });
    if (all->sink != NULL)
        add_points(all, op, &wait, hd_time_max(op->enter, released), before);
}

void
hd_lock_books_fini(hd_lock_books *all)
{
    hd_map_fini(&all->of_lock);
    hd_map_fini(&all->ends);
    free(all->all);
}
