/* src/profile/excerpt.c: reads the locations of the lanes of timeline excerpts once more, and keeps where they were: a
 * piece is a time in one call path. Where a lane has too many, short ones are put together. */
#include "excerpt.h"

#include "loader.h"

enum {
    BUNDLE_PATHS  = 16,                   /* call paths that are distinguished where short pieces are put together */
    LEAST_OF_LANE = HD_PIECES_OF_LANE / 2 /* pieces that are shorter than this part of the window are short */
};

typedef struct piece { /* of a location's time */
    hd_time  begin, end;
    uint32_t node;
    bool     is_several; /* short ones were put together */
} piece;

typedef struct bundle { /* short pieces, one after the other */
    hd_time  begin, end; /* equal: empty */
    uint32_t nodes[BUNDLE_PATHS];
    hd_time  times[BUNDLE_PATHS];
    uint32_t n, n_pieces;
} bundle;

typedef struct lane { /* a thread in an excerpt */
    hd_excerpt_lane who;
    uint32_t        instance;
    bool            is_coarse;  /* it has too many pieces: short ones are put together */
    hd_time         begin, end; /* of the window */
    piece          *pieces;     /* [n] */
    size_t          n, capacity;
    bundle          short_ones;
} lane;

typedef struct watch { /* a location while it is read */
    lane    *lanes; /* [n] ascending by begin */
    size_t   n, first; /* those before are over */
    hd_time  since;
    uint32_t node;
} watch;

typedef struct watches {
    watch   *all;       /* [n] */
    size_t   n;
    hd_map   of_thread; /* process << 32 | thread -> index in all */
} watches;

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

static void
put_piece(lane *l, piece p)
{
    HD_PUSH(l->pieces, l->n, l->capacity, p);
}

static hd_time
least_length(const lane *l)
{
    return (l->end - l->begin) / LEAST_OF_LANE;
}

static void
extend(piece *p, hd_time begin, hd_time end)
{
    p->begin      = hd_time_min(p->begin, begin);
    p->end        = hd_time_max(p->end, end);
    p->is_several = true;
}

/* A bundle that is long enough is a piece; one that is not goes to the piece before it, at the begin of the window to
 * the one after it. */
static void
end_bundle(lane *l, piece *behind)
{
    bundle  *b     = &l->short_ones;
    bool     is_long = b->end - b->begin >= least_length(l);
    uint32_t most  = 0;

    if (b->begin == b->end)
        return;
    for (uint32_t i = 1; i < b->n; i++)
        if (b->times[i] > b->times[most])
            most = i;
    if (is_long || (l->n == 0 && behind == NULL))
        put_piece(l, (piece){ b->begin, b->end, b->nodes[most], b->n_pieces > 1 });
    else if (l->n > 0 && l->pieces[l->n - 1].end == b->begin)
        extend(&l->pieces[l->n - 1], b->begin, b->end);
    else if (behind != NULL && behind->begin == b->end)
        extend(behind, b->begin, b->end);
    *b = (bundle){ 0 };
}

static void
add_to_bundle(lane *l, piece p)
{
    bundle  *b = &l->short_ones;
    uint32_t i = 0;

    if (b->begin != b->end && b->end != p.begin)
        end_bundle(l, NULL);
    if (b->begin == b->end)
        *b = (bundle){ .begin = p.begin };
    b->end = p.end;
    b->n_pieces += p.is_several ? 2 : 1;
    while (i < b->n && b->nodes[i] != p.node)
        i++;
    if (i == b->n && b->n < BUNDLE_PATHS) {
        b->nodes[b->n]   = p.node;
        b->times[b->n++] = 0;
    }
    if (i < b->n)
        b->times[i] += p.end - p.begin;
    if (b->end - b->begin >= least_length(l))
        end_bundle(l, NULL);
}

static void
add_coarse(lane *l, piece p)
{
    if (p.end - p.begin < least_length(l)) {
        add_to_bundle(l, p);
        return;
    }
    end_bundle(l, &p);
    put_piece(l, p);
}

/* Never more pieces than it takes, so those that are put in do not overwrite those that are still to be taken. */
static void
make_coarse(lane *l)
{
    size_t n = l->n;

    l->is_coarse = true;
    l->n         = 0;
    for (size_t i = 0; i < n; i++)
        add_coarse(l, l->pieces[i]);
}

static void
add_piece(lane *l, piece p)
{
    p.begin = hd_time_max(p.begin, l->begin);
    p.end   = hd_time_min(p.end, l->end);
    if (p.begin >= p.end)
        return;
    if (!l->is_coarse && l->n == HD_PIECES_OF_LANE)
        make_coarse(l);
    if (l->is_coarse)
        add_coarse(l, p);
    else
        put_piece(l, p);
}

/* ---- watching a location ----------------------------------------------------------------------------------------- */

static void *
begin_location(void *context, uint32_t process, uint32_t thread)
{
    const watches  *w     = context;
    const uint64_t *place = hd_map_get(&w->of_thread, (uint64_t)process << 32 | thread);
    watch          *one   = place != NULL ? &w->all[*place] : NULL;

    if (one == NULL)
        return NULL;
    one->node  = HD_NONE;
    one->since = 0;
    one->first = 0;
    for (size_t i = 0; i < one->n; i++) {
        one->lanes[i].n          = 0;
        one->lanes[i].is_coarse  = false;
        one->lanes[i].short_ones = (bundle){ 0 };
    }
    return one;
}

static void
pass(void *state, hd_time now, uint32_t node)
{
    watch *w = state;

    if (node == w->node)
        return;
    while (w->first < w->n && w->lanes[w->first].end <= w->since)
        w->first++;
    for (size_t i = w->first; i < w->n && w->lanes[i].begin < now && w->node != HD_NONE; i++)
        add_piece(&w->lanes[i], (piece){ w->since, now, w->node, false });
    w->since = now;
    w->node  = node;
}

/* ---- lanes ------------------------------------------------------------------------------------------------------- */

static int
compare_lanes(const void *left, const void *right)
{
    const lane *a = left, *b = right;

    if (a->who.process != b->who.process)
        return a->who.process < b->who.process ? -1 : 1;
    if (a->who.thread != b->who.thread)
        return a->who.thread < b->who.thread ? -1 : 1;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return a->instance < b->instance ? -1 : a->instance > b->instance;
}

static uint32_t
place_of(const hd_load_request *load, uint32_t process)
{
    uint32_t low = 0, high = load->n_processes;

    while (low < high) {
        uint32_t middle = (low + high) / 2;

        if (load->processes[middle] < process)
            low = middle + 1;
        else
            high = middle;
    }
    return low < load->n_processes && load->processes[low] == process ? low : HD_NONE;
}

/* Those that this rank hosts, sorted. */
static lane *
hosted_lanes(const hd_load_request *load, const hd_excerpts *excerpts, size_t *n)
{
    lane *lanes = HD_NEW_ARRAY(lane, excerpts->n_windows * HD_MAX_LANES + 1);

    *n = 0;
    for (size_t w = 0; w < excerpts->n_windows; w++) {
        const hd_excerpt_window *window = &excerpts->windows[w];

        for (uint32_t i = 0; i < window->n_lanes; i++)
            if (place_of(load, window->lanes[i].process) != HD_NONE)
                lanes[(*n)++] = (lane){ .who = window->lanes[i], .instance = window->instance, .begin = window->begin,
                                        .end = window->end };
    }
    qsort(lanes, *n, sizeof *lanes, compare_lanes);
    return lanes;
}

/* ---- the rank's part --------------------------------------------------------------------------------------------- */

static watches
watch_lanes(lane *lanes, size_t n)
{
    watches w = { .all = HD_NEW_ARRAY(watch, n + 1) };
    bool    is_new;

    for (size_t i = 0; i < n; i++) {
        uint64_t *place = hd_map_add(&w.of_thread, (uint64_t)lanes[i].who.process << 32 | lanes[i].who.thread, &is_new);

        if (is_new) {
            *place         = w.n;
            w.all[w.n++] = (watch){ .lanes = &lanes[i], .node = HD_NONE };
        }
        w.all[*place].n++;
    }
    return w;
}

static hd_status
read_again(const hd_load_request *load, const lane *lanes, size_t n_lanes, watches *w, hd_trace **trace)
{
    const hd_load_observer observer  = { .context = w, .begin = begin_location, .at = pass };
    uint32_t              *processes = HD_NEW_ARRAY(uint32_t, n_lanes + 1),
                                       *threads = HD_NEW_ARRAY(uint32_t, n_lanes + 1), n = 0;
    hd_record_times      **times     = HD_NEW_ARRAY(hd_record_times *, n_lanes + 1);
    hd_load_request        again     = *load;
    hd_status              status;

    for (size_t i = 0; i < n_lanes; i++)
        if (n == 0 || processes[n - 1] != lanes[i].who.process) {
            uint32_t place = place_of(load, lanes[i].who.process);

            processes[n] = lanes[i].who.process;
            times[n]     = load->times != NULL ? load->times[place] : NULL;
            threads[n++] = load->threads[place];
        }
    again.times       = load->times != NULL ? times : NULL;
    again.processes   = processes;
    again.threads     = threads;
    again.n_processes = n;
    again.intervals   = false;
    again.counters    = false;
    again.n_done      = NULL;
    again.observer    = &observer;
    status            = hd_trace_load(&again, trace);
    free(processes);
    free(threads);
    free(times);
    return status;
}

static uint32_t
unified_path(const hd_loaded_location *location, const uint32_t *map, uint32_t node)
{
    uint32_t of_process = location->map != NULL ? location->map[node] : node;

    return of_process != HD_NONE ? map[of_process] : HD_NONE;
}

static void
tell_lane(const hd_load_request *load, uint32_t *const *maps, const hd_trace *trace, lane *l, hd_bytes *out)
{
    const uint32_t  *map = maps[place_of(load, l->who.process)];
    uint32_t         p   = 0;
    hd_excerpt_piece row = { .instance = l->instance, .process = l->who.process, .thread = l->who.thread };

    while (trace->processes[p].process.v != l->who.process)
        p++;
    end_bundle(l, NULL);
    for (size_t i = 0; i < l->n; i++) {
        row.call_path = unified_path(&trace->processes[p].locations[l->who.thread], map, l->pieces[i].node);
        row.begin     = l->pieces[i].begin;
        row.end       = l->pieces[i].end;
        row.kind      = l->pieces[i].is_several ? HD_EXCERPT_CALLS : HD_EXCERPT_CALL;
        if (row.call_path != HD_NONE)
            hd_bytes_put(out, &row, sizeof row);
    }
    if (l->who.wait_path == HD_NONE || l->who.from >= l->who.until)
        return;
    row.kind      = HD_EXCERPT_WAIT;
    row.call_path = l->who.wait_path;
    row.begin     = l->who.from;
    row.end       = l->who.until;
    hd_bytes_put(out, &row, sizeof row);
}

static hd_status
read_hosted(const hd_load_request *load, uint32_t *const *maps, const hd_excerpts *excerpts, hd_bytes *out)
{
    size_t    n;
    lane     *lanes  = hosted_lanes(load, excerpts, &n);
    watches   w      = watch_lanes(lanes, n);
    hd_trace *trace  = NULL;
    hd_status status = n > 0 ? read_again(load, lanes, n, &w, &trace) : HD_OK;

    for (size_t i = 0; i < n; i++) {
        if (status == HD_OK)
            tell_lane(load, maps, trace, &lanes[i], out);
        free(lanes[i].pieces);
    }
    hd_trace_free(trace);
    hd_map_fini(&w.of_thread);
    free(w.all);
    free(lanes);
    return status;
}

/* ---- all ranks --------------------------------------------------------------------------------------------------- */

#define ASCENDING(field)                                                                                               \
    if (a->field != b->field)                                                                                          \
    return a->field < b->field ? -1 : 1

static int
compare_pieces(const void *left, const void *right)
{
    const hd_excerpt_piece *a = left, *b = right;

    ASCENDING(instance);
    ASCENDING(process);
    ASCENDING(thread);
    ASCENDING(begin);
    ASCENDING(kind);
    return 0;
}

#undef ASCENDING

static void
gather(hd_analysis_comm *analysis_comm, const hd_bytes *own, hd_excerpts *excerpts)
{
    uint8_t  *all     = NULL;
    uint64_t *n_bytes = NULL, sum = 0;

    hd_analysis_comm_gather(analysis_comm, own->data, own->n, &all, &n_bytes);
    if (all == NULL || n_bytes == NULL) {
        free(all);
        free(n_bytes);
        return;
    }
    for (uint32_t r = 0; r < hd_analysis_comm_size(analysis_comm); r++)
        sum += n_bytes[r];
    excerpts->n_pieces = sum / sizeof(hd_excerpt_piece);
    excerpts->pieces   = (hd_excerpt_piece *)(void *)all;
    if (excerpts->n_pieces > 1)
        qsort(excerpts->pieces, excerpts->n_pieces, sizeof *excerpts->pieces, compare_pieces);
    free(n_bytes);
}

hd_status
hd_excerpts_read(hd_analysis_comm *analysis_comm, const hd_load_request *load, uint32_t *const *maps,
                 hd_excerpts *excerpts)
{
    hd_bytes  own    = { 0 };
    hd_status status = hd_agree(analysis_comm, read_hosted(load, maps, excerpts, &own));

    if (status == HD_OK)
        gather(analysis_comm, &own, excerpts);
    hd_bytes_fini(&own);
    return status;
}

void
hd_excerpts_fini(hd_excerpts *excerpts)
{
    free(excerpts->windows);
    free(excerpts->messages);
    free(excerpts->pieces);
    *excerpts = (hd_excerpts){ 0 };
}
