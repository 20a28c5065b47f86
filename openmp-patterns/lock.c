#include "lock.h"

#include "map.h"

/* Ownerships of a lock are numbered by the records; an ownership is over at its last release (nested locks have several). */
typedef struct ownerships {
    hd_map   of_lock; /* paradigm << 32 | lock -> its number here */
    hd_map   ends;    /* number << 32 | order -> time */
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
note_release(ownerships *all, const hd_thread_op *op)
{
    bool      is_new;
    uint64_t *end = hd_map_add(&all->ends, key_of(all, op, op->order), &is_new);

    if (is_new || op->time > *end)
        *end = op->time;
}

/*   thread 0   ──[ critical  release]──                   waiting = release of the ownership before - own enter, if positive
 *   thread 1   ──────[ enter·········· acquire]──         docs/metrics.md#lock-contention
 *                    |<------->|
 * Where the numbers are wrong the release can come after the acquisition. */
static void
book_acquire(ownerships *all, const hd_thread_op *op, hd_severities *out)
{
    static const hd_metric metrics[] = { [HD_LOCK_CRITICAL] = HD_METRIC_omp_lock_contention_critical,
                                         [HD_LOCK_API] = HD_METRIC_omp_lock_contention_api,
                                         [HD_LOCK_MUTEX] = HD_METRIC_pthread_lock_contention_mutex_lock,
                                         [HD_LOCK_CONDITION] = HD_METRIC_pthread_lock_contention_conditional };
    const uint64_t *end = op->order > 1 ? hd_map_get(&all->ends, key_of(all, op, op->order - 1)) : NULL;

    if (end != NULL && *end > op->enter)
        hd_severity_add(out, metrics[op->lock_kind], op->call_path, hd_span_between(op->enter, hd_time_min(*end, op->time)));
}

void
hd_lock_book(const hd_loaded_process *process, hd_severities *const *severities)
{
    ownerships all = { 0 };

    for (int pass = 0; pass < 2; pass++)
        for (uint32_t t = 0; t < process->n_locations; t++) {
            hd_thread_cursor cursor;
            hd_thread_op     op;

            hd_thread_cursor_init(&cursor, &process->locations[t].threads);
            while (hd_thread_cursor_next(&cursor, &op))
                if (pass == 0 && op.kind == HD_THREAD_RELEASE)
                    note_release(&all, &op);
                else if (pass == 1 && op.kind == HD_THREAD_ACQUIRE)
                    book_acquire(&all, &op, severities[t]);
        }
    hd_map_fini(&all.of_lock);
    hd_map_fini(&all.ends);
}
