/* openmp-patterns/lock.c: lock contention. The order of ownerships is recorded, so the owner before an acquire is a
 * lookup of its release by lock and order. A wait ends no later than the call. */
#include "lock.h"

#include "map.h"

/* Ownerships of a lock are numbered by the records; an ownership is over at its last release (nested locks have
 * several). */
typedef struct ownership {
    hd_time  end;
    uint32_t thread; /* that gave it back */
} ownership;

typedef struct ownerships {
    hd_map          of_lock; /* paradigm << 32 | lock -> its number here */
    hd_map          ends;    /* number << 32 | order -> index in all */
    ownership      *all;
    size_t          n, capacity;
    hd_wait_series     *series;
    const hd_team_sink *sink;
    const hd_wait_sink *waits;
    uint32_t        n_waits;
} ownerships;

static bool
is_pthread(hd_lock_kind kind)
{
    return kind == HD_LOCK_MUTEX || kind == HD_LOCK_CONDITION;
}

static uint64_t
key_of(ownerships *all, const hd_thread_op *op, uint32_t order)
{
    bool      is_new;
    uint64_t *number = hd_map_add(&all->of_lock, (uint64_t)is_pthread(op->lock_kind) << 32 | op->lock, &is_new);

    if (is_new)
        *number = all->of_lock.n - 1;
    return *number << 32 | order;
}

static void
note_release(ownerships *all, const hd_thread_op *op, uint32_t thread)
{
    bool       is_new;
    uint64_t  *index = hd_map_add(&all->ends, key_of(all, op, op->order), &is_new);
    ownership *ended;

    if (is_new) {
        *index = all->n;
        HD_PUSH(all->all, all->n, all->capacity, ((ownership){ .end = op->time, .thread = thread }));
    }
    ended = &all->all[*index];
    if (op->time > ended->end)
        *ended = (ownership){ .end = op->time, .thread = thread };
}

/* begin: when it began to wait, after its own last release. */
static void
add_points(ownerships *all, const hd_thread_op *op, uint32_t thread, hd_time begin, hd_span wait,
           const ownership *before)
{
    hd_team_point release = { .kind = HD_TEAM_RELEASE, .thread = before->thread, .enter = before->end,
                              .delay = is_pthread(op->lock_kind) ? HD_DELAY_PTHREAD_LOCK : HD_DELAY_OMP_LOCK,
                              .number = all->n_waits++ };
    hd_team_point waiting = { .kind = HD_TEAM_LOCK_WAIT, .thread = thread, .enter = begin, .delay = release.delay,
                              .wait = wait, .call_path = op->call_path, .number = release.number };

    all->sink->point(all->sink->context, &release);
    all->sink->point(all->sink->context, &waiting);
}

/*   thread 0   ──[ critical  release]──                   waiting = release of the ownership before - own enter, if
 *                                                         positive
 *   thread 1   ──────[ enter·········· acquire]──         docs/metrics.md#lock-contention
 *                    |<------->|
 * Where the numbers are wrong the release can come after the acquisition. */
static void
book_acquire(ownerships *all, const hd_thread_op *op, uint32_t thread, hd_time released, hd_severities *out)
{
    static const hd_metric metrics[] = { [HD_LOCK_CRITICAL] = HD_METRIC_omp_lock_contention_critical,
                                         [HD_LOCK_API] = HD_METRIC_omp_lock_contention_api,
                                         [HD_LOCK_MUTEX] = HD_METRIC_pthread_lock_contention_mutex_lock,
                                         [HD_LOCK_CONDITION] = HD_METRIC_pthread_lock_contention_conditional };
    const uint64_t  *index  = op->order > 1 ? hd_map_get(&all->ends, key_of(all, op, op->order - 1)) : NULL;
    const ownership *before = index != NULL ? &all->all[*index] : NULL;
    hd_span          wait;

    if (before == NULL || before->end <= op->enter || op->time <= op->enter)
        return;
    wait = hd_span_between(op->enter, hd_time_min(before->end, op->time));
    hd_severity_add(out, metrics[op->lock_kind], op->call_path, wait);
    if (all->series != NULL)
        hd_wait_series_add(all->series, (hd_series_wait){ metrics[op->lock_kind], thread, op->call_path, op->enter,
                                                          wait });
    if (all->waits != NULL)
        all->waits->wait(all->waits->context,
                         &(hd_instance){ .metric = metrics[op->lock_kind], .n_waiters = 1, .waiting = wait,
                                         .enter = op->enter, .leave = op->time, .peer_thread = before->thread,
                                         .waiters[0] = { .thread = thread, .call_path = op->call_path,
                                                         .from = op->enter, .wait = wait } });
    if (all->sink != NULL)
        add_points(all, op, thread, hd_time_max(op->enter, released), wait, before);
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

void
hd_lock_book(const hd_loaded_process *process, hd_severities *const *severities, hd_wait_series *series,
             const hd_team_sink *sink, const hd_wait_sink *waits)
{
    ownerships all = { .series = series, .sink = sink, .waits = waits };

    for (int pass = 0; pass < 2; pass++)
        for (uint32_t t = 0; t < process->n_locations; t++) {
            const hd_thread_log *log      = &process->locations[t].threads;
            hd_time              released = 0;
            hd_thread_cursor     cursor;
            hd_thread_op         op;

            if (!hd_thread_log_has(log, pass == 0 ? HD_THREAD_RELEASE : HD_THREAD_ACQUIRE))
                continue;
            hd_thread_cursor_init(&cursor, log);
            while (hd_thread_cursor_next(&cursor, &op)) {
                if (op.kind == HD_THREAD_RELEASE)
                    released = op.time;
                else if (op.kind == HD_THREAD_ACQUIRE && process->analysis_intervals != NULL)
                    op.call_path |= side_bits_until_leave(&process->locations[t], &op,
                                                          hd_analysis_intervals_bits(process->analysis_intervals));
                if (pass == 0 && op.kind == HD_THREAD_RELEASE)
                    note_release(&all, &op, t);
                else if (pass == 1 && op.kind == HD_THREAD_ACQUIRE)
                    book_acquire(&all, &op, t, released, severities[t]);
            }
        }
    hd_map_fini(&all.of_lock);
    hd_map_fini(&all.ends);
    free(all.all);
}
