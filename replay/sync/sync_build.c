/* replay/sync/sync_build.c: sorts the points of a location and joins them with its interval log to time vectors. Both
 * are nearly in order, so one pass over both is enough. */
#include "sync_build.h"

#include "sort.h"
#include "sync_previous.h"

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

/* First what this location found, then notifications of others, each nearly in order: points of collectives come when
 * the last member does. Then both are merged, with a copy of the first ones and nothing that grows: memory is at its
 * peak here. */
static void
sort_points(hd_syncs *syncs)
{
    size_t   n_own = syncs->n_own, i = 0, j = n_own, n = 0;
    hd_sync *own;

    HD_SORT_NEARLY(hd_sync, syncs->points, n_own, compare_points);
    HD_SORT_NEARLY(hd_sync, syncs->points + n_own, syncs->n - n_own, compare_points);
    if (n_own == 0 || n_own == syncs->n || compare_points(&syncs->points[n_own - 1], &syncs->points[n_own]) <= 0)
        return;
    own = hd_scratch_realloc(syncs->scratch, NULL, n_own, sizeof *own);
    memcpy(own, syncs->points, n_own * sizeof *own);
    while (i < n_own)
        syncs->points[n++] = j == syncs->n || compare_points(&own[i], &syncs->points[j]) <= 0 ? own[i++] :
                             syncs->points[j++];
    hd_scratch_free(syncs->scratch, own);
}

/* Time per node of the location since the current point. */
typedef struct collector {
    hd_syncs      *syncs;
    double        *times;   /* [n_nodes] */
    uint32_t      *touched; /* [n_touched] nodes, maybe twice */
    hd_time_entry *entries; /* [capacity_entries] of the current vector, where vectors are sorted */
    size_t         n_touched, capacity_touched, capacity_entries;
    uint32_t       limit;   /* of elements, --compat=scout26 (D23), and vectors are sorted; 0: none */
} collector;

static int
compare_entries(const void *left, const void *right)
{
    const hd_time_entry *a = left, *b = right;

    return a->call_path < b->call_path ? -1 : a->call_path > b->call_path;
}

/* The vector up to this point is complete. */
static void
close_vector(collector *c, const hd_vproc *vproc)
{
    size_t n = 0;

    for (size_t i = 0; i < c->n_touched; i++) {
        uint32_t node = c->touched[i], call_path;

        if (c->times[node] == 0)
            continue;
        call_path = hd_vproc_call_path(vproc, node);
        if (HD_LIKELY(c->limit == 0))
            hd_vector_run_put(&c->syncs->vectors, call_path, c->times[node]);
        else
            HD_PUSH(c->entries, n, c->capacity_entries,
                    ((hd_time_entry){ .call_path = call_path, .span = c->times[node] }));
        c->times[node] = 0;
    }
    if (n > 1)
        qsort(c->entries, n, sizeof *c->entries, compare_entries);
    for (size_t i = 0; i < n; i++)
        hd_vector_run_put(&c->syncs->vectors, c->entries[i].call_path, c->entries[i].span);
    c->n_touched = 0;
    hd_vector_run_begin(&c->syncs->vectors);
}

/* Time that is taken out of a program that is not there has no call path. */
static bool
has_call_path(const hd_vproc *vproc, uint32_t node)
{
    return vproc->location->map == NULL || vproc->location->map[node] != HD_NONE;
}

/* In the unit of vectors. */
static double
length_of(const hd_syncs *syncs, hd_time from, hd_span span)
{
    if (syncs->clock == NULL)
        return (double)span;
    return hd_scout_seconds(syncs->clock, from + (hd_time)span) - hd_scout_seconds(syncs->clock, from);
}

/* The new element is one too many: the smallest goes, of equal ones the new one, else the first call path. */
static void
drop_smallest(collector *c, const hd_vproc *vproc)
{
    size_t last = c->n_touched - 1, smallest = last;

    for (size_t i = 0; i < last; i++) {
        double span = c->times[c->touched[i]], least = c->times[c->touched[smallest]];

        if (span < least || (span == least && smallest < last &&
                             hd_vproc_call_path(vproc, c->touched[i]) <
                             hd_vproc_call_path(vproc, c->touched[smallest])))
            smallest = i;
    }
    c->times[c->touched[smallest]] = 0;
    c->touched[smallest]           = c->touched[--c->n_touched];
}

static inline void
add_time(collector *c, const hd_vproc *vproc, uint32_t node, double span)
{
    if (c->times[node] == 0)
        HD_PUSH(c->touched, c->n_touched, c->capacity_touched, node);
    c->times[node] += span;
    if (HD_UNLIKELY(c->limit > 0 && c->n_touched > c->limit))
        drop_smallest(c, vproc);
}

/* What of it lies on a side of the interval belongs to the call path there. */
static void
add_move(collector *c, const hd_vproc *vproc, const hd_time_move *move)
{
    const hd_analysis_intervals *intervals = c->syncs->intervals;
    hd_span                      span      = hd_span_between(move->from, move->until);
    hd_side_spans                spans;

    if (intervals == NULL || (move->call_path & HD_OUTSIDE) == 0) {
        if (span > 0)
            add_time(c, vproc, move->call_path, length_of(c->syncs, move->from, span));
        return;
    }
    spans = hd_analysis_intervals_split(intervals, move->from, move->until);
    for (uint32_t side = 0; side < hd_analysis_intervals_n_sides(intervals); side++)
        if (spans.on[side] > 0)
            add_time(c, vproc, (move->call_path & ~hd_analysis_intervals_bits(intervals)) | hd_side_bits[side],
                     (double)spans.on[side]);
}

/* Points and moves up to this time. */
static void
advance(collector *c, const hd_vproc *vproc, size_t *next, size_t *next_move, hd_time time)
{
    const hd_syncs *syncs = c->syncs;

    for (;;) {
        const hd_sync      *point = *next < syncs->n ? &syncs->points[*next] : NULL;
        const hd_time_move *move  = *next_move < syncs->n_moves ? &syncs->moves[*next_move] : NULL;

        if (move != NULL && move->from <= time && (point == NULL || move->from < point->enter)) {
            add_move(c, vproc, move);
            ++*next_move;
        } else if (point != NULL && point->enter <= time) {
            close_vector(c, vproc);
            ++*next;
        } else
            return;
    }
}

static int
compare_moves(const void *left, const void *right)
{
    const hd_time_move *a = left, *b = right;

    return a->from < b->from ? -1 : a->from > b->from;
}

/* The vector of point i goes from its enter to that of point i + 1. */
static void
make_vectors(hd_vproc *vproc, uint32_t limit)
{
    hd_syncs          *syncs = vproc->syncs;
    collector          c     = { .syncs = syncs, .times = HD_NEW_ARRAY(double, vproc->location->n_nodes),
                                 .limit = limit };
    hd_interval_cursor cursor;
    size_t             next = 1, next_move = 0; /* point 0 is the begin */

    syncs->vectors.is_real = syncs->clock != NULL;
    hd_vector_run_begin(&syncs->vectors);
    hd_interval_cursor_init(&cursor, &vproc->location->intervals);
    while (hd_interval_cursor_next(&cursor)) {
        hd_time from = cursor.from;
        hd_span span = 0;

        advance(&c, vproc, &next, &next_move, cursor.from);
        if (next_move > 0 && cursor.until <= syncs->moves[next_move - 1].until && cursor.until > cursor.from)
            continue; /* it has been moved */
        for (uint32_t i = 0; i < cursor.n_entries; i++, from += (hd_time)span) {
            uint32_t node;

            hd_interval_cursor_entry(&cursor, &node, &span);
            if (has_call_path(vproc, node))
                add_time(&c, vproc, node, length_of(syncs, from, span));
        }
    }
    advance(&c, vproc, &next, &next_move, UINT64_MAX);
    hd_vector_run_end(&syncs->vectors);
    free(c.times);
    free(c.touched);
    free(c.entries);
}

/* The completion time of sends that waited for their receiver; where it is not known another thread posted the receive
 * than the one that completed it, so that the receiver has no point. With --compat=scout26 it is the negative of what
 * it should be, where that is negative (D2). */
static void
add_leaves(hd_syncs *syncs, bool compat)
{
    uint32_t number = 0;

    for (size_t i = 0; i < syncs->n && syncs->n_sent > 0; i++) {
        hd_sync *sync = &syncs->points[i];
        hd_time  leave;

        if (sync->kind != HD_SYNC_SENT)
            continue;
        leave         = syncs->leaves != NULL ? syncs->leaves[number].leave : 0;
        sync->partner = leave != 0 ? syncs->leaves[number].order : HD_NONE;
        number++;
        if (leave == 0)
            continue;
        if (compat == (leave > sync->enter + (hd_time)sync->pruned))
            sync->pruned += hd_span_between(sync->enter + (hd_time)sync->pruned, leave);
    }
    hd_scratch_free(syncs->scratch, syncs->leaves);
    syncs->leaves = NULL;
}

void
hd_sync_build(hd_replay_worker *rh, hd_vproc *vproc, uint32_t limit)
{
    hd_syncs *syncs = vproc->syncs;

    hd_syncs_add(syncs, &(hd_sync){ .kind = HD_SYNC_END, .delay = HD_DELAY_NONE, .enter = UINT64_MAX });
    hd_sync_waiters_sort(syncs);
    if (syncs->n_moves > 1)
        qsort(syncs->moves, syncs->n_moves, sizeof *syncs->moves, compare_moves);
    if (rh->replay->compat)
        syncs->clock = &rh->replay->clock;
    if (hd_sides_has(&rh->replay->sides)) {
        syncs->sides     = &rh->replay->sides;
        syncs->intervals = vproc->process->analysis_intervals;
    }
    hd_syncs_decode(syncs);
    add_leaves(syncs, rh->replay->compat);
    sort_points(syncs);
    if (rh->replay->request->delays)
        hd_sync_find_previous(rh, vproc);
    make_vectors(vproc, limit);
    for (size_t i = 0; i < syncs->n; i++)
        if (syncs->points[i].kind != HD_SYNC_BEGIN && syncs->points[i].kind != HD_SYNC_END &&
            syncs->points[i].kind != HD_SYNC_JOIN && syncs->points[i].kind != HD_SYNC_IDLE &&
            syncs->points[i].kind != HD_SYNC_AWAITED && syncs->points[i].kind != HD_SYNC_EDGE)
            syncs->points[i].call_path = hd_vproc_call_path(vproc, syncs->points[i].call_path);
}
