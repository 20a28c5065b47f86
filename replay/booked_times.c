/* replay/booked_times.c: goes through the interval log of each thread: in one slice of windows and iterations after the
 * other what is of a kind is added up, and becomes rows when the slice ends. */
#include "booked_times.h"

#include <stdlib.h>

#include "backward_vproc.h"
#include "interval_log.h"
#include "slice_cuts.h"

enum { N_TRACKS = 2, MOST_KINDS = HD_N_SERIES_TIMES - HD_TIME_CLASSES };

/* ---- slices ------------------------------------------------------------------------------------------------------ */

typedef struct rows {
    hd_severity *rows; /* [n] */
    size_t       n, capacity;
} rows;

typedef struct track { /* the windows, or the iterations, of a process */
    hd_slice_cuts cuts;  /* iterations are not joined */
    hd_slice_walk at;
    uint32_t      n, shift; /* of iterations: 2^shift of n are one in rows; n 0: windows */
    rows          paths;     /* as hd_path_series_add() takes them */
    rows         *processes; /* in place of a call path they have the slice, not joined */
} track;

typedef struct walk { /* of a replay thread, at a process of it */
    track    tracks[N_TRACKS]; /* [n_tracks] */
    uint32_t n_tracks;
    uint32_t first, n_kinds;   /* of hd_times_over_time, which are added up */
    hd_time  from, until;      /* a part of the run that lies in one slice of each track */
    int64_t  sums[MOST_KINDS][HD_SERIES_PATHS]; /* in it, by place */
    bool     is_touched[MOST_KINDS];
} walk;

static void
put(rows *to, uint32_t at, uint32_t kind, int64_t ticks)
{
    if (ticks != 0)
        HD_PUSH(to->rows, to->n, to->capacity,
                ((hd_severity){ .call_path = at, .metric = hd_times_over_time[kind], .value = ticks }));
}

static void
end_kind(walk *w, uint32_t kind)
{
    int64_t all = 0;

    for (uint32_t place = 0; place < HD_SERIES_PATHS; place++) {
        int64_t ticks = w->sums[kind][place];

        for (uint32_t k = 0; ticks != 0 && k < w->n_tracks; k++) {
            track   *of    = &w->tracks[k];
            uint32_t slice = of->n > 0 ? hd_iterations_joined(of->n, of->at.slice, of->shift) : of->at.slice;

            put(&of->paths, place << HD_SERIES_SLICE_BITS | slice, w->first + kind, ticks);
        }
        all += ticks;
    }
    for (uint32_t k = 0; k < w->n_tracks; k++)
        put(w->tracks[k].processes, w->tracks[k].at.slice, w->first + kind, all);
    memset(w->sums[kind], 0, sizeof w->sums[kind]);
    w->is_touched[kind] = false;
}

static void
end_part(walk *w)
{
    for (uint32_t kind = 0; kind < w->n_kinds; kind++)
        if (w->is_touched[kind])
            end_kind(w, kind);
}

static void
go_to(walk *w, hd_time time)
{
    end_part(w);
    w->from  = 0;
    w->until = UINT64_MAX;
    for (uint32_t k = 0; k < w->n_tracks; k++) {
        track *of = &w->tracks[k];

        of->at   = hd_slice_walk_at(&of->cuts, time);
        w->from  = hd_time_max(w->from, hd_slice_walk_begin(&of->at));
        w->until = hd_time_min(w->until, hd_slice_walk_next(&of->at));
    }
}

static inline void
add_at(walk *w, uint32_t kind, uint8_t place, hd_time time, int64_t ticks)
{
    if (HD_UNLIKELY(time < w->from || time >= w->until))
        go_to(w, time);
    w->sums[kind][place] += ticks;
    w->is_touched[kind] = true;
}

typedef struct piece { /* time in a call path */
    hd_time  from, until;
    int64_t  ticks;
    uint32_t call_path; /* of the unified tree */
    bool     is_whole;  /* from `from` to `until`; else it counts where it ends */
} piece;

static void
add(walk *w, uint32_t kind, uint8_t place, const piece *own)
{
    if (HD_LIKELY(own->from >= w->from && own->until <= w->until && own->from < own->until)) {
        w->sums[kind][place] += own->ticks;
        w->is_touched[kind] = true;
        return;
    }
    if (!own->is_whole) {
        add_at(w, kind, place, own->until > 0 ? own->until - 1 : 0, own->ticks);
        return;
    }
    for (hd_time from = own->from, until; from < own->until; from = until) {
        add_at(w, kind, place, from, 0);
        until = hd_time_min(own->until, w->until);
        add_at(w, kind, place, from, hd_span_between(from, until));
    }
}

/* The next time of the interval in a call path. What it has before and in the main window are two entries. false: there
 * is none. node: out, of the location */
static inline bool
next_piece(const hd_vproc *vproc, hd_interval_cursor *interval, piece *own, uint32_t *node)
{
    hd_interval_cursor behind;
    uint32_t           other;
    hd_span            ticks;

    if (!hd_interval_cursor_has_entry(interval))
        return false;
    hd_interval_cursor_entry(interval, node, &ticks);
    *own = (piece){ interval->from, interval->until, ticks, hd_vproc_call_path_if_any(vproc, *node), false };
    while (HD_UNLIKELY(hd_interval_cursor_has_entry(interval))) {
        behind = *interval;
        hd_interval_cursor_entry(&behind, &other, &ticks);
        if (hd_vproc_call_path_if_any(vproc, other) != own->call_path)
            break;
        *interval = behind;
        own->ticks += ticks;
    }
    own->is_whole = own->ticks == hd_span_between(own->from, own->until);
    return true;
}

/* ---- of all processes -------------------------------------------------------------------------------------------- */

typedef struct collecting {
    hd_replay      *replay;
    walk           *walks;                /* [replay threads] */
    hd_path_series *of_threads[N_TRACKS]; /* [replay threads] of windows, of iterations */
    rows           *processes[N_TRACKS];  /* [n_vprocs] at the first one of each process */
    uint32_t        n_tracks, first, n_kinds;
    void          (*add_locations)(const struct collecting *c, uint32_t thread, walk *w, const hd_vproc *vprocs);
} collecting;

static void
add_process(void *context, hd_worker *worker, hd_vproc *vprocs)
{
    const collecting        *c       = context;
    const hd_replay_request *request = c->replay->request;
    uint32_t                 thread  = hd_worker_thread(worker);
    walk                    *w       = &c->walks[thread];

    for (uint32_t k = 0; k < c->n_tracks; k++) {
        track *of = &w->tracks[k];

        *of = (track){ .processes = &c->processes[k][vprocs->number] };
        if (k == 1) {
            of->n     = request->iterations->n;
            of->shift = hd_iterations_shift(of->n, HD_MAX_WINDOWS);
        }
        of->cuts = k == 1 ? hd_slice_cuts_of_each_iteration(request, vprocs) :
                            hd_slice_cuts_of(request, vprocs, false);
    }
    go_to(w, 0);
    c->add_locations(c, thread, w, vprocs);
    end_part(w);
    for (uint32_t k = 0; k < c->n_tracks; k++) {
        track *of = &w->tracks[k];

        hd_path_series_add(&c->of_threads[k][thread], of->paths.rows, of->paths.n, vprocs->process_id,
                           request->defs->n_processes);
        free(of->paths.rows);
        free(of->cuts.rows);
    }
}

static void
add_worker(void *context, hd_worker *worker)
{
    hd_each_process(((const collecting *)context)->replay, worker, add_process, context);
}

/* Those of processes, into the series of windows or of iterations. */
static void
take_processes(const hd_replay *replay, rows *processes, hd_series *series)
{
    hd_series own = { .n_iterations = series->n_iterations, .shift = series->shift, .n_slices = series->n_slices };

    for (uint32_t i = 0; i < replay->n_vprocs; i += replay->vprocs[i].process->n_locations) {
        for (size_t k = 0; k < processes[i].n; k++) {
            const hd_severity *row = &processes[i].rows[k];

            *hd_series_sum(&own, row->metric, row->call_path) += row->value;
        }
        hd_series_end(&own, replay->vprocs[i].process_id, replay->defs->n_processes);
        free(processes[i].rows);
    }
    hd_series_take_metrics(series, &own);
    free(processes);
}

static void
collect(hd_replay *replay, hd_engine *engine, collecting *c, hd_replay_result *result)
{
    const hd_replay_request *request   = replay->request;
    uint32_t                 n_threads = hd_placement_n_threads(request->placement);
    hd_path_series          *paths[N_TRACKS]    = { &result->time_paths, &result->iteration_time_paths };
    hd_series               *series[N_TRACKS]   = { &result->series, &result->iterations.rows };
    uint32_t                 n_slices[N_TRACKS] = { request->windows.n + 2 };

    c->replay   = replay;
    c->n_tracks = 1;
    if (hd_has_iterations(request->iterations))
        n_slices[c->n_tracks++] = hd_slices_of_iterations(request->iterations);
    c->walks = HD_NEW_ARRAY(walk, n_threads);
    for (uint32_t t = 0; t < n_threads; t++) {
        c->walks[t].n_tracks = c->n_tracks;
        c->walks[t].first    = c->first;
        c->walks[t].n_kinds  = c->n_kinds;
    }
    for (uint32_t k = 0; k < c->n_tracks; k++) {
        c->processes[k]  = HD_NEW_ARRAY(rows, (size_t)replay->n_vprocs + 1);
        c->of_threads[k] = HD_NEW_ARRAY(hd_path_series, n_threads);
        for (uint32_t t = 0; t < n_threads; t++)
            hd_path_series_init(&c->of_threads[k][t], n_slices[k]);
    }
    hd_engine_each_worker(engine, add_worker, c);
    for (uint32_t k = 0; k < c->n_tracks; k++) {
        for (uint32_t t = 0; t < n_threads; t++)
            hd_path_series_join(paths[k], &c->of_threads[k][t], replay->defs->n_processes);
        free(c->of_threads[k]);
        take_processes(replay, c->processes[k], series[k]);
    }
    free(c->walks);
}

/* ---- classes of MPI calls ---------------------------------------------------------------------------------------- */

typedef struct node_class {
    uint8_t time, place; /* of hd_times_over_time, 0: none; of its fold */
} node_class;

/* [n_nodes] free() it. */
static node_class *
classes_of(const hd_time_paths *paths, const hd_vproc *vproc)
{
    uint32_t    n       = vproc->location->n_nodes;
    node_class *classes = HD_NEW_ARRAY(node_class, (size_t)n + 1);

    for (uint32_t node = 0; node < n; node++) {
        uint32_t path = hd_vproc_call_path_if_any(vproc, node);
        uint8_t  time = path != HD_NONE ? paths->classes[paths->tree->nodes[path].region] : 0;

        if (time != 0)
            classes[node] = (node_class){ time, paths->folds[time]->places[path] };
    }
    return classes;
}

static void
add_classes(const collecting *c, uint32_t thread, walk *w, const hd_vproc *vprocs)
{
    (void)thread;
    for (uint32_t t = 0; t < vprocs->process->n_locations; t++) {
        node_class        *classes = classes_of(c->replay->request->time_paths, &vprocs[t]);
        hd_interval_cursor interval;
        uint32_t           node;
        piece              own;

        hd_interval_cursor_init(&interval, &vprocs[t].location->intervals);
        while (hd_interval_cursor_next(&interval))
            while (next_piece(&vprocs[t], &interval, &own, &node))
                if (classes[node].time != 0)
                    add(w, classes[node].time - w->first, classes[node].place, &own);
        free(classes);
    }
}

void
hd_collect_class_times(hd_replay *replay, hd_engine *engine, hd_replay_result *result)
{
    const hd_replay_request *request = replay->request;
    hd_time_paths           *paths   = request->time_paths;
    collecting               c       = { .first = HD_TIME_CLASSES, .n_kinds = MOST_KINDS,
                                         .add_locations = add_classes };

    if (!request->all_series || request->windows.n == 0 || paths == NULL || paths->classes == NULL)
        return;
    for (int time = HD_TIME_CLASSES; time < HD_N_SERIES_TIMES; time++)
        hd_time_paths_find(paths, time, NULL);
    collect(replay, engine, &c, result);
}

/* ---- the critical path ------------------------------------------------------------------------------------------- */

typedef struct path_walk { /* through a location */
    walk                  *w;
    const hd_path_fold    *fold;
    const hd_vproc        *vproc;
    const hd_path_stretch *next, *end; /* the stretch that is now, or comes next; behind the last one of the location */
    uint64_t               wait;       /* of it, that is still to be taken off */
    piece                 *kept;       /* [n_kept] of it, while something may be taken off at its end */
    size_t                 n_kept, capacity;
} path_walk;

static bool
takes_off_at_end(const hd_path_stretch *stretch)
{
    return stretch->after < 0 || (stretch->takes_all && stretch->wait > 0);
}

static void
take_off(piece *own, uint64_t ticks, bool at_end)
{
    own->ticks -= (int64_t)ticks;
    if (own->is_whole && at_end)
        own->until -= ticks;
    else if (own->is_whole)
        own->from += ticks;
}

static void
put_piece(path_walk *p, piece own)
{
    const hd_path_stretch *stretch = p->next;

    if (p->wait > 0 && own.call_path == stretch->call_path) {
        uint64_t ticks = p->wait < (uint64_t)own.ticks ? p->wait : (uint64_t)own.ticks;

        p->wait -= ticks;
        take_off(&own, ticks, false);
    }
    if (own.ticks <= 0)
        return;
    if (takes_off_at_end(stretch))
        HD_PUSH(p->kept, p->n_kept, p->capacity, own);
    else
        add(p->w, 0, p->fold->places[own.call_path], &own);
}

/* From the last pieces of a call path, HD_NONE: of all. Returns what they do not have. */
static uint64_t
take_off_last(path_walk *p, uint32_t call_path, uint64_t ticks)
{
    for (size_t i = p->n_kept; i > 0 && ticks > 0; i--) {
        piece   *own = &p->kept[i - 1];
        uint64_t some;

        if (call_path != HD_NONE && own->call_path != call_path)
            continue;
        some = ticks < (uint64_t)own->ticks ? ticks : (uint64_t)own->ticks;
        take_off(own, some, true);
        ticks -= some;
    }
    return ticks;
}

static void
begin_stretch(path_walk *p)
{
    if (p->next < p->end)
        p->wait = p->next->wait;
}

static void
end_stretch(path_walk *p)
{
    const hd_path_stretch *stretch = p->next;
    uint64_t               more    = 0;

    if (stretch->after > 0)
        put_piece(p, (piece){ stretch->until, stretch->until + (hd_time)stretch->after, stretch->after,
                              stretch->after_call_path, true });
    if (stretch->after < 0)
        more = take_off_last(p, stretch->after_call_path, (uint64_t)-stretch->after);
    if (more > 0 && stretch->after_call_path == stretch->call_path && !stretch->takes_all)
        more = 0;
    take_off_last(p, HD_NONE, more + (stretch->takes_all ? p->wait : 0));
    for (size_t i = 0; i < p->n_kept; i++)
        if (p->kept[i].ticks > 0)
            add(p->w, 0, p->fold->places[p->kept[i].call_path], &p->kept[i]);
    p->n_kept = 0;
    p->next++;
    begin_stretch(p);
}

/* Whether the path is on the location, at points of that time; times ascend. */
static inline bool
is_on_path(path_walk *p, hd_time time)
{
    while (p->next < p->end && p->next->until <= time)
        end_stretch(p);
    return p->next < p->end && p->next->from <= time;
}

static void
put_move(path_walk *p, const hd_time_move *move)
{
    uint32_t path = hd_vproc_call_path_if_any(p->vproc, move->call_path);

    if (move->until > move->from && path != HD_NONE && is_on_path(p, move->from))
        put_piece(p, (piece){ move->from, move->until, hd_span_between(move->from, move->until), path, true });
}

/* As sync_vectors.c adds them up: what a move has is not of the intervals in it. */
static void
go_along(path_walk *p)
{
    const hd_syncs    *syncs = p->vproc->syncs;
    size_t             next  = 0;
    hd_interval_cursor interval;
    uint32_t           node;
    piece              own;

    begin_stretch(p);
    hd_interval_cursor_init(&interval, &p->vproc->location->intervals);
    while (p->next < p->end && hd_interval_cursor_next(&interval)) {
        for (; next < syncs->rare->n_moves && syncs->rare->moves[next].from <= interval.from; next++)
            put_move(p, &syncs->rare->moves[next]);
        if (next > 0 && interval.until <= syncs->rare->moves[next - 1].until && interval.until > interval.from)
            continue;
        if (!is_on_path(p, interval.from))
            continue;
        while (next_piece(p->vproc, &interval, &own, &node))
            if (own.call_path != HD_NONE)
                put_piece(p, own);
    }
    for (; next < syncs->rare->n_moves; next++)
        put_move(p, &syncs->rare->moves[next]);
    while (p->next < p->end)
        end_stretch(p);
}

static int
compare_stretches(const void *left, const void *right)
{
    const hd_path_stretch *a = left, *b = right;

    if (a->vproc != b->vproc)
        return a->vproc < b->vproc ? -1 : 1;
    if (a->until != b->until)
        return a->until < b->until ? -1 : 1;
    return a->from < b->from ? -1 : a->from > b->from;
}

/* The first one of a location, or of a later one. */
static const hd_path_stretch *
first_of(const hd_backward_worker *worker, uint32_t vproc)
{
    size_t low = 0, high = worker->n_stretches;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (worker->stretches[middle].vproc < vproc)
            low = middle + 1;
        else
            high = middle;
    }
    return worker->stretches + low;
}

static void
add_path(const collecting *c, uint32_t thread, walk *w, const hd_vproc *vprocs)
{
    const hd_backward_worker *worker = c->replay->workers[thread].backward;

    for (uint32_t t = 0; t < vprocs->process->n_locations && worker->n_stretches > 0; t++) {
        path_walk p = { .w = w, .fold = c->replay->request->time_paths->folds[HD_TIME_CRITICAL], .vproc = &vprocs[t],
                        .next = first_of(worker, vprocs[t].number), .end = first_of(worker, vprocs[t].number + 1) };

        if (p.next < p.end)
            go_along(&p);
        free(p.kept);
    }
}

void
hd_collect_path_times(hd_replay *replay, hd_engine *engine, const double *lengths, hd_replay_result *result)
{
    collecting c = { .first = HD_TIME_CRITICAL, .n_kinds = 1, .add_locations = add_path };

    if (!replay->path_times)
        return;
    hd_time_paths_find_critical(replay->request->time_paths, lengths);
    for (uint32_t t = 0; t < hd_placement_n_threads(replay->request->placement); t++) {
        hd_backward_worker *worker = replay->workers[t].backward;

        if (worker->n_stretches > 1)
            qsort(worker->stretches, worker->n_stretches, sizeof *worker->stretches, compare_stretches);
    }
    collect(replay, engine, &c, result);
    for (uint32_t i = 0; i < replay->n_vprocs && !replay->request->keeps_logs; i++)
        hd_interval_log_fini(&replay->vprocs[i].location->intervals);
}
