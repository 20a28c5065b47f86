/* replay/sync/sync_vectors.c: points and boundaries are both in order, so one pass over both is enough. */
#include "sync_vectors.h"

#include <stdlib.h>

#include "sort.h"

/* ---- added up ---------------------------------------------------------------------------------------------------- */

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
        const hd_time_move *move  = *next_move < syncs->rare->n_moves ? &syncs->rare->moves[*next_move] : NULL;

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

/* The vector of point i goes from its enter to that of point i + 1. */
static void
add_up(hd_vproc *vproc, uint32_t limit)
{
    hd_syncs          *syncs = vproc->syncs;
    collector          c     = { .syncs = syncs, .times = HD_NEW_ARRAY(double, vproc->location->n_nodes),
                                 .limit = limit };
    hd_interval_cursor cursor;
    size_t             next = 1, next_move = 0; /* point 0 is the begin */

    syncs->vectors.is_real = syncs->clock != NULL;
    hd_vector_run_start(&syncs->vectors, syncs->n);
    hd_vector_run_begin(&syncs->vectors);
    hd_interval_cursor_init(&cursor, &vproc->location->intervals);
    while (hd_interval_cursor_next(&cursor)) {
        hd_time from = cursor.from;
        hd_span span = 0;

        advance(&c, vproc, &next, &next_move, cursor.from);
        if (next_move > 0 && cursor.until <= syncs->rare->moves[next_move - 1].until && cursor.until > cursor.from)
            continue; /* it has been moved */
        for (; hd_interval_cursor_has_entry(&cursor); from += (hd_time)span) {
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

/* ---- taken from the log ------------------------------------------------------------------------------------------ */

enum { MANY_INTERVALS = 8 }; /* between two points: they are added up */

typedef struct taken { /* how far it is taken */
    const uint8_t *from;        /* entries of the log that are not in the run yet */
    size_t         next, next_move; /* point, whose vector is that of this number in the run; move */
    hd_time        point, move; /* when they are; UINT64_MAX: there is none */
    hd_time        moved_until; /* end of the last move */
    uint32_t       n_intervals; /* of the current vector */
} taken;

typedef struct taker {
    hd_syncs *syncs;
    taken     now;
    hd_span  *times;       /* [n_nodes] while they are added up: all 0 else */
    uint32_t *touched;     /* [n_touched] nodes, maybe twice */
    size_t    n_touched, capacity_touched;
    uint8_t  *bytes;       /* [capacity_bytes] of a vector that is added up */
    size_t    capacity_bytes;
} taker;

/* The entries of the current vector, of several intervals, from `begin` on. Returns how many bytes their sum takes, in
 * taker->bytes. */
static __attribute__((noinline)) size_t
sum_of(taker *t, size_t begin)
{
    const hd_bytes *out   = &t->syncs->vectors.bytes;
    const uint8_t  *entry = out->data + begin;
    uint8_t        *at;

    t->n_touched = 0;
    while (entry < out->data + out->n) {
        uint32_t node;
        uint64_t time;

        hd_path_time_read(&entry, &node, &time);
        if (t->times[node] == 0)
            HD_PUSH(t->touched, t->n_touched, t->capacity_touched, node);
        t->times[node] += (hd_span)time;
    }
    while (t->capacity_bytes < t->n_touched * HD_PATH_TIME_BYTES_MAX)
        t->bytes = hd_grow(t->bytes, t->capacity_bytes, &t->capacity_bytes, 1);
    at = t->bytes;
    for (size_t i = 0; i < t->n_touched; i++) {
        hd_span *time = &t->times[t->touched[i]];

        if (*time != 0)
            at = hd_path_time_write(at, t->touched[i], *time);
        *time = 0;
    }
    return (size_t)(at - t->bytes);
}

/* The entries up to there, which may lie behind those of the run in the same memory. */
static inline void
take_entries(taker *t, const uint8_t *end)
{
    hd_bytes *out    = &t->syncs->vectors.bytes;
    size_t    length = (size_t)(end - t->now.from);

    if (length > 0 && t->now.from != out->data + out->n)
        memmove(out->data + out->n, t->now.from, length);
    out->n += length;
    t->now.from = end;
}

/* The vector up to this point is complete; it takes no more than its entries. */
static inline void
close_taken(taker *t)
{
    hd_vector_run *run   = &t->syncs->vectors;
    size_t         begin = hd_vector_run_last(run);
    size_t         sum   = t->now.n_intervals < MANY_INTERVALS ? SIZE_MAX : sum_of(t, begin);

    if (sum < run->bytes.n - begin) {
        memcpy(run->bytes.data + begin, t->bytes, sum);
        run->bytes.n = begin + sum;
    }
    t->now.n_intervals = 0;
    hd_vector_run_begin(run);
}

static inline void
set_point(const hd_syncs *syncs, taken *now)
{
    now->point = now->next < syncs->n ? syncs->points[now->next].enter : UINT64_MAX;
}

static void
set_move(const hd_syncs *syncs, taken *now)
{
    now->move = now->next_move < syncs->rare->n_moves ? syncs->rare->moves[now->next_move].from : UINT64_MAX;
}

/* Points and moves up to this time, before which the entries up to `end` are. */
static __attribute__((noinline)) void
take_until(taker *t, hd_time time, const uint8_t *end)
{
    hd_syncs      *syncs = t->syncs;
    hd_vector_run *run   = &syncs->vectors;
    hd_bytes      *out   = &run->bytes;

    run->n = (uint32_t)t->now.next;
    take_entries(t, end);
    while (t->now.point <= time || t->now.move <= time) {
        const hd_time_move *move;

        if (t->now.point <= t->now.move) {
            if (t->now.next == syncs->n) /* at the end of time */
                return;
            close_taken(t);
            t->now.next++;
            set_point(syncs, &t->now);
            continue;
        }
        move = &syncs->rare->moves[t->now.next_move++];
        if (move->until > move->from)
            out->n = (size_t)(hd_path_time_write(out->data + out->n, move->call_path,
                                                 hd_span_between(move->from, move->until)) - out->data);
        t->now.n_intervals++;
        t->now.moved_until = move->until;
        set_move(syncs, &t->now);
    }
}

/* The same for the next point alone, where the entries up to there are not added up: they are taken later, with others
 * in one piece. */
static inline void
close_as_it_is(const hd_syncs *syncs, taken *now, const uint8_t *end)
{
    hd_vector_run_begin_nth(&syncs->vectors, now->next, syncs->vectors.bytes.n + (size_t)(end - now->from));
    now->next++;
    now->n_intervals = 0;
    set_point(syncs, now);
}

/* The run has the memory of the log's entries, or as much of its own, and room for moves. */
static void
make_room(hd_syncs *syncs, hd_interval_log *log, bool takes_log)
{
    hd_vector_run *run   = &syncs->vectors;
    size_t         bytes = log->bytes.n + syncs->rare->n_moves * HD_PATH_TIME_BYTES_MAX;

    if (takes_log && syncs->rare->n_moves == 0) {
        run->bytes   = log->bytes;
        run->bytes.n = 0;
        log->bytes   = (hd_bytes){ .scratch = log->bytes.scratch };
    } else if (bytes > 0)
        hd_bytes_room(&run->bytes, bytes);
}

/* When the next point or move is. */
static inline __attribute__((always_inline)) hd_time
next_of(const taken *now, bool has_moves)
{
    return has_moves ? hd_time_min(now->point, now->move) : now->point;
}

/* `now` stays in registers: the taker has it only while others are called. */
static inline __attribute__((always_inline)) void
take_all(taker *t, taken now, hd_interval_cursor cursor, bool has_moves)
{
    hd_syncs *syncs = t->syncs;
    hd_time   next  = next_of(&now, has_moves);

    for (; hd_interval_cursor_next(&cursor); now.n_intervals++) {
        while (cursor.from >= next && next != UINT64_MAX) {
            if (HD_LIKELY(now.n_intervals < MANY_INTERVALS && (!has_moves || now.point < now.move)))
                close_as_it_is(syncs, &now, cursor.entry);
            else {
                t->now = now;
                take_until(t, cursor.from, cursor.entry);
                now = t->now;
            }
            next = next_of(&now, has_moves);
        }
        if (has_moves && cursor.until <= now.moved_until && cursor.until > cursor.from) { /* it has been moved */
            t->now = now;
            take_entries(t, cursor.entry);
            now.from = cursor.entries_end;
        }
    }
    t->now = now;
    take_until(t, UINT64_MAX, cursor.entry);
}

static void
take(hd_vproc *vproc, bool takes_log)
{
    hd_syncs          *syncs = vproc->syncs;
    taker              t = { .syncs = syncs, .times = HD_NEW_ARRAY(hd_span, vproc->location->n_nodes) };
    taken              now = { .next = 1 }; /* point 0 is the begin */
    hd_interval_cursor cursor;

    hd_interval_cursor_init(&cursor, &vproc->location->intervals);
    make_room(syncs, &vproc->location->intervals, takes_log);
    now.from = cursor.entry;
    set_point(syncs, &now);
    set_move(syncs, &now);
    hd_vector_run_start(&syncs->vectors, syncs->n);
    hd_vector_run_begin(&syncs->vectors);
    if (syncs->rare->n_moves == 0)
        take_all(&t, now, cursor, false);
    else
        take_all(&t, now, cursor, true);
    hd_vector_run_end(&syncs->vectors);
    free(t.times);
    free(t.touched);
    free(t.bytes);
}

/* From nodes of the location to call paths; of equal locations one after the other it is the same. False: some have
 * none. */
static bool
make_map(hd_replay_worker *rh, const hd_vproc *vproc)
{
    hd_syncs       *syncs    = vproc->syncs;
    const uint32_t *of_nodes = vproc->location->map, *of_process = vproc->map;
    uint32_t        n        = vproc->location->n_nodes, *own;

    syncs->call_paths = of_process;
    if (of_nodes == NULL)
        return true;
    if (rh->n_node_maps > 0 && rh->mapped->location->map == of_nodes && rh->mapped->map == of_process) {
        syncs->call_paths = rh->mapped->syncs->call_paths;
        return syncs->call_paths != NULL;
    }
    own               = HD_NEW_UNSET(uint32_t, n);
    syncs->call_paths = own;
    HD_PUSH(rh->node_maps, rh->n_node_maps, rh->capacity_node_maps, own);
    rh->mapped = vproc;
    for (uint32_t i = 0; i < n; i++) {
        if (of_nodes[i] == HD_NONE) {
            syncs->call_paths = NULL;
            break;
        }
        own[i] = of_process[of_nodes[i]];
    }
    return syncs->call_paths != NULL;
}

void
hd_sync_vectors_make(hd_replay_worker *rh, hd_vproc *vproc, uint32_t limit, bool takes_log)
{
    const hd_syncs *syncs = vproc->syncs;

    if (limit == 0 && syncs->clock == NULL && (syncs->rare->n_moves == 0 || syncs->intervals == NULL) &&
        make_map(rh, vproc))
        take(vproc, takes_log);
    else
        add_up(vproc, limit);
}
