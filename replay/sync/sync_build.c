/* replay/sync/sync_build.c: sorts the points of a location, which are nearly in order, and completes them. */
#include "sync_build.h"

#include "sort.h"
#include "sync_previous.h"
#include "sync_counters.h"
#include "sync_vectors.h"

static int
compare_points(const void *left, const void *right)
{
    const hd_sync *a = left, *b = right;

    if (a->enter != b->enter)
        return a->enter < b->enter ? -1 : 1;
    if (a->kind == HD_SYNC_BEGIN || b->kind == HD_SYNC_BEGIN)
        return a->kind == HD_SYNC_BEGIN ? -1 : 1;
    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    if (a->kind != b->kind)
        return hd_sync_is_lock(a->kind, a->delay) && a->kind == HD_SYNC_AWAITED ? -1 :
               hd_sync_is_lock(b->kind, b->delay) && b->kind == HD_SYNC_AWAITED ? 1 : a->kind - b->kind;
    if (a->kind == HD_SYNC_SEND && a->peer != b->peer)
        return a->peer < b->peer ? -1 : 1;
    return a->kind == HD_SYNC_PARALLEL || a->kind == HD_SYNC_SEND ? a->partner_thread - b->partner_thread : 0;
}

/* Merges the n points at `to`, in order, with those of `more`, in order too, for which there is room behind them: from
 * the end, so what is before all of `more` stays. Of equal ones, that of `to` goes first. */
static void
merge(hd_sync *to, size_t n, const hd_sync *more, size_t n_more)
{
    hd_sync       *end  = to + n + n_more;
    const hd_sync *last = to + n, *last_more = more + n_more;

    while (last_more > more)
        *--end = last > to && compare_points(last - 1, last_more - 1) > 0 ? *--last : *--last_more;
}

/* First what this location found, then notifications of others, each nearly in order: points of collectives come when
 * the last member does, those of teams after all of MPI, and releases of locks, with threads, after all others. Then
 * they are merged. notified: [n_notified]; there is room for them behind the own ones */
static void
sort_points(hd_syncs *syncs, size_t n_own, hd_sync *notified, size_t n_notified, bool has_threads)
{
    size_t   n_first = n_own - 1, n_late; /* the end is in its place */
    hd_sync *own     = syncs->points, *late;

    while (has_threads && n_first > 0 && own[n_first - 1].kind == HD_SYNC_AWAITED)
        n_first--;
    n_late = n_own - n_first;
    HD_SORT_NEARLY(hd_sync, own, n_first, compare_points);
    HD_SORT_NEARLY(hd_sync, own + n_first, n_late, compare_points);
    if (n_late > 1) {
        late = hd_scratch_realloc(syncs->scratch, NULL, n_late, sizeof *late);
        memcpy(late, own + n_first, n_late * sizeof *late);
        merge(own, n_first, late, n_late);
        hd_scratch_free(syncs->scratch, late);
    }
    if (n_notified > 0) {
        HD_SORT_NEARLY(hd_sync, notified, n_notified, compare_points);
        merge(own, n_own, notified, n_notified);
    }
}

static inline uint64_t
begin_of(const hd_time_move *move)
{
    return move->from;
}

/* The completion time of sends that waited for their receiver, of those that do not know it yet; where it is not known
 * now another thread posted the receive than the one that completed it, so that the receiver has no point. */
static void
add_leaves(hd_syncs *syncs, hd_sync *own, size_t n_own, bool compat)
{
    uint32_t number = 0;

    for (size_t i = 0; i < n_own && syncs->n_sent > 0; i++) {
        hd_sync *sync = &own[i];
        hd_time  leave;

        if (sync->kind != HD_SYNC_SENT || sync->partner != 0)
            continue;
        leave         = syncs->leaves != NULL ? syncs->leaves[number].leave : 0;
        sync->partner = leave != 0 ? syncs->leaves[number].order : HD_NONE;
        number++;
        if (leave != 0)
            hd_sync_add_leave(sync, leave, compat);
    }
    hd_scratch_free(syncs->scratch, syncs->leaves);
    syncs->leaves = NULL;
}

enum {
    WITHOUT_CALL_PATH = 1 << HD_SYNC_BEGIN | 1 << HD_SYNC_END | 1 << HD_SYNC_JOIN | 1 << HD_SYNC_IDLE |
                        1 << HD_SYNC_AWAITED | 1 << HD_SYNC_EDGE,
    WITH_ORDER        = 1 << HD_SYNC_SEND | 1 << HD_SYNC_REQUEST /* no partner */
};

_Static_assert(HD_VECTOR_GROUP == HD_SYNC_BLOCK, "vectors are counted from those of blocks already");

/* A block for n points, from this one on, and where their vectors begin. */
static hd_sync_block *
new_block(const hd_syncs *syncs, size_t first, size_t n)
{
    const hd_vector_run *run   = &syncs->vectors;
    hd_sync_block       *block = hd_scratch_realloc(syncs->scratch, NULL, sizeof *block + n * sizeof *block->points, 1);

    block->vectors = run->bytes.data + run->bases[first / HD_VECTOR_GROUP];
    block->begins  = NULL;
    if (HD_LIKELY(run->offsets[first + n - 1] <= UINT16_MAX))
        return block;
    block->begins = hd_scratch_realloc(syncs->scratch, NULL, n, sizeof *block->begins);
    memcpy(block->begins, &run->offsets[first], n * sizeof *block->begins);
    return block;
}

/* Points get call paths of the unified tree, and become packed. One that does not fit is kept whole. The last point is
 * after all others; when is not known from it. */
static __attribute__((noinline)) void
pack(hd_vproc *vproc)
{
    hd_syncs       *syncs  = vproc->syncs;
    size_t          n      = syncs->n, capacity = 1;
    hd_sync_block **blocks = hd_scratch_realloc(syncs->scratch, NULL, (n - 1) / HD_SYNC_BLOCK + 1, sizeof(void *));
    hd_sync_block  *block  = NULL;
    hd_packed_sync *packed = NULL;
    hd_sync        *sync   = syncs->points;
    const uint32_t *map    = vproc->map, *of_process = vproc->location->map; /* hd_vproc_call_path() */
    hd_time         base   = 0;
    uint32_t        kinds  = 0; /* that there are */

    syncs->wholes = hd_scratch_realloc(syncs->scratch, NULL, capacity, sizeof *syncs->wholes);
    for (size_t i = 0; i < n; i++, packed++, sync++) {
        uint64_t back = sync->previous > 0 ? i - sync->previous : 0, enter;

        if (i % HD_SYNC_BLOCK == 0) {
            block = blocks[i / HD_SYNC_BLOCK] = new_block(syncs, i, n - i < HD_SYNC_BLOCK ? n - i : HD_SYNC_BLOCK);
            packed = block->points;
        }
        if (i % HD_SYNC_GROUP == 0) /* the first point of all is at 0 */
            block->bases[i % HD_SYNC_BLOCK / HD_SYNC_GROUP] = base = i == 0 && n > 2 ? sync[1].enter : sync->enter;
        kinds |= 1U << sync->kind;
        if ((WITHOUT_CALL_PATH >> sync->kind & 1) == 0)
            sync->call_path = map[of_process != NULL ? of_process[sync->call_path] : sync->call_path];
        enter   = sync->kind == HD_SYNC_END ? UINT32_MAX : sync->enter - base;
        *packed = (hd_packed_sync){
            .enter = (uint32_t)enter, .wait = (uint32_t)sync->wait, .pruned = (uint32_t)sync->pruned,
            .peer = sync->peer,
            .record = (WITH_ORDER >> sync->kind & 1) != 0 ? sync->order : sync->partner,
            .call_path = sync->call_path & ((1U << HD_SYNC_PATH_BITS) - 1),
            .partner_thread = (uint8_t)(sync->partner_thread & ((1U << HD_SYNC_THREAD_BITS) - 1)),
            .kind = (uint8_t)(sync->kind & 15), .delay = (uint8_t)(sync->delay & 15),
            .vector = (uint16_t)syncs->vectors.offsets[i], .previous = (uint16_t)(back & INT16_MAX)
        };
        if (HD_LIKELY((enter | (uint64_t)sync->wait | (uint64_t)sync->pruned) >> 32 == 0 &&
                      (back >> HD_SYNC_PREVIOUS_BITS | sync->call_path >> HD_SYNC_PATH_BITS |
                       (uint32_t)sync->partner_thread >> HD_SYNC_THREAD_BITS) == 0))
            continue;
        packed->wait     = 1;
        packed->is_whole = true;
        packed->record   = (uint32_t)syncs->n_wholes;
        HD_SCRATCH_PUSH(syncs->scratch, syncs->wholes, syncs->n_wholes, capacity, *sync);
    }
    hd_vector_run_forget(&syncs->vectors);
    syncs->points      = NULL;
    syncs->blocks      = blocks;
    syncs->n_blocks    = (n - 1) / HD_SYNC_BLOCK + 1;
    syncs->has_barrier = (kinds >> HD_SYNC_BARRIER & 1) != 0;
    if (syncs->n_wholes < capacity)
        syncs->wholes = hd_scratch_pack(syncs->scratch, syncs->wholes, syncs->n_wholes, sizeof *syncs->wholes);
}

/* As many as have a whole group but that of the begin. */
static void
make_levels(hd_syncs *syncs)
{
    uint64_t size = HD_SYNC_FAN_OUT;

    if (syncs->n <= 2 * size)
        return;
    for (syncs->n_levels = 1; syncs->n_levels < HD_SYNC_LEVELS && syncs->n > 2 * size; syncs->n_levels++)
        size *= HD_SYNC_FAN_OUT;
    syncs->levels = HD_NEW_ARRAY(hd_sync_level, syncs->n_levels);
    for (uint32_t level = 0; level < syncs->n_levels; level++)
        syncs->levels[level].bytes.scratch = syncs->scratch;
}

void
hd_sync_build(hd_replay_worker *rh, hd_vproc *vproc, hd_sync_room *room, uint32_t limit)
{
    hd_syncs *syncs = vproc->syncs;
    size_t    n_own, n_notified;
    hd_sync  *notified;

    hd_syncs_add(syncs, &(hd_sync){ .kind = HD_SYNC_END, .delay = HD_DELAY_NONE, .enter = UINT64_MAX });
    hd_sync_waiters_sort(syncs);
    HD_SORT_BY_KEY(hd_time_move, syncs->rare->moves, syncs->rare->n_moves, begin_of);
    notified = hd_syncs_decode(syncs, room, &n_own, &n_notified);
    if (rh->replay->compat)
        syncs->clock = &rh->replay->clock;
    if (hd_sides_has(&rh->replay->sides)) {
        syncs->sides     = &rh->replay->sides;
        syncs->intervals = vproc->process->analysis_intervals;
    }
    add_leaves(syncs, syncs->points, n_own, rh->replay->compat);
    sort_points(syncs, n_own, notified, n_notified, vproc->process->n_locations > 1);
    if (rh->replay->request->delays)
        hd_sync_find_previous(rh, vproc);
    hd_sync_vectors_make(rh, vproc, limit, !rh->replay->request->keeps_logs && !rh->replay->path_times);
    hd_sync_counters_make(vproc);
    pack(vproc);
    make_levels(syncs);
}
