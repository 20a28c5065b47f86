#include "excerpt.h"

#include "loader.h"

enum { BUNDLE_PATHS = 16 }; /* call paths that are distinguished where many short pieces are put together */

typedef struct piece { /* of a location's time */
    hd_time  begin, end;
    uint32_t node;
} piece;

typedef struct bundle { /* short pieces, one after the other */
    hd_time  begin, end; /* equal: empty */
    uint32_t nodes[BUNDLE_PATHS];
    hd_time  times[BUNDLE_PATHS];
    uint32_t n;
} bundle;

typedef struct lane { /* a thread in a picture */
    uint32_t process, thread;
    uint32_t instance;
    hd_time  begin, end; /* of the picture */
    uint32_t wait_path;  /* HD_NONE: it does not wait; else it does so */
    hd_time  from, until;
    piece   *pieces;     /* [n] */
    size_t   n, capacity;
    bundle   short_ones;
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

/* A bundle that is long enough is a piece; one that is not goes to the piece before it, at the begin of the picture to
 * the one after it. */
static void
end_bundle(lane *l, piece *behind)
{
    bundle  *b     = &l->short_ones;
    bool     is_long = b->end - b->begin >= (l->end - l->begin) / HD_PIECES_OF_PICTURE;
    uint32_t most  = 0;

    if (b->begin == b->end)
        return;
    for (uint32_t i = 1; i < b->n; i++)
        if (b->times[i] > b->times[most])
            most = i;
    if (is_long || (l->n == 0 && behind == NULL))
        put_piece(l, (piece){ b->begin, b->end, b->nodes[most] });
    else if (l->n > 0 && l->pieces[l->n - 1].end == b->begin)
        l->pieces[l->n - 1].end = b->end;
    else if (behind != NULL && behind->begin == b->end)
        behind->begin = b->begin;
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
    while (i < b->n && b->nodes[i] != p.node)
        i++;
    if (i == b->n && b->n < BUNDLE_PATHS) {
        b->nodes[b->n]   = p.node;
        b->times[b->n++] = 0;
    }
    if (i < b->n)
        b->times[i] += p.end - p.begin;
    if (b->end - b->begin >= (l->end - l->begin) / HD_PIECES_OF_PICTURE)
        end_bundle(l, NULL);
}

static void
add_piece(lane *l, piece p)
{
    p.begin = hd_time_max(p.begin, l->begin);
    p.end   = hd_time_min(p.end, l->end);
    if (p.begin >= p.end)
        return;
    if (p.end - p.begin < (l->end - l->begin) / HD_PIECES_OF_PICTURE) {
        add_to_bundle(l, p);
        return;
    }
    end_bundle(l, &p);
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
    one->first = 0;
    for (size_t i = 0; i < one->n; i++) {
        one->lanes[i].n          = 0;
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
        add_piece(&w->lanes[i], (piece){ w->since, now, w->node });
    w->since = now;
    w->node  = node;
}

/* ---- who is in the pictures -------------------------------------------------------------------------------------- */

static uint32_t
n_pictures(const hd_wait_statistics *statistics, hd_instance **chosen, uint32_t **numbers)
{
    uint32_t n = 0, of_metric = 0;

    *chosen  = HD_NEW_ARRAY(hd_instance, statistics->n_instances + 1);
    *numbers = HD_NEW_ARRAY(uint32_t, statistics->n_instances + 1);
    for (size_t i = 0; i < statistics->n_instances; i++) {
        of_metric = i > 0 && statistics->instances[i].metric == statistics->instances[i - 1].metric ? of_metric + 1 : 0;
        if (of_metric >= HD_PICTURES_OF_METRIC)
            continue;
        (*numbers)[n]  = (uint32_t)i;
        (*chosen)[n++] = statistics->instances[i];
    }
    return n;
}

/* The one that waited longest, whom it waited for, and those that waited longest after that. Returns their number. */
static uint32_t
lanes_of(const hd_instance *instance, uint32_t number, const hd_defs *defs, lane lanes[HD_MAX_LANES])
{
    hd_time  margin = (instance->leave - instance->enter) / 2 + 1;
    lane     frame  = { .instance = number, .begin = instance->enter > margin ? instance->enter - margin : 0,
                        .end = instance->leave + margin, .wait_path = HD_NONE };
    uint32_t n      = 0;

    for (uint32_t i = 0; i < instance->n_waiters; i++) {
        const hd_waiter *waiter  = &instance->waiters[i];
        bool             is_peer = waiter->process == instance->peer && waiter->thread == instance->peer_thread;

        if (n == HD_MAX_LANES)
            break;
        lanes[n]           = frame;
        lanes[n].process   = waiter->process;
        lanes[n].thread    = waiter->thread;
        lanes[n].wait_path = waiter->call_path;
        lanes[n].from      = hd_time_max(waiter->from, frame.begin);
        lanes[n++].until   = hd_time_min(waiter->from + (hd_time)waiter->wait, frame.end);
        if (is_peer)
            frame.process = HD_NONE; /* it is in already */
    }
    if (frame.process == HD_NONE || instance->peer >= defs->n_processes)
        return n;
    n             = n < HD_MAX_LANES ? n + 1 : n; /* in place of the last one, if need be */
    frame.process = instance->peer;
    frame.thread  = instance->peer_thread < hd_defs_processes(defs)[instance->peer].n_locations ?
                    instance->peer_thread : 0;
    lanes[n - 1]  = frame;
    return n;
}

static int
compare_lanes(const void *left, const void *right)
{
    const lane *a = left, *b = right;

    if (a->process != b->process)
        return a->process < b->process ? -1 : 1;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
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
hosted_lanes(const hd_load_request *load, const hd_instance *instances, const uint32_t *numbers, uint32_t n_instances,
             size_t *n)
{
    lane *lanes = HD_NEW_ARRAY(lane, (size_t)n_instances * HD_MAX_LANES + 1);

    *n = 0;
    for (uint32_t i = 0; i < n_instances; i++) {
        lane     all[HD_MAX_LANES];
        uint32_t n_all = lanes_of(&instances[i], numbers[i], load->defs, all);

        for (uint32_t k = 0; k < n_all; k++)
            if (place_of(load, all[k].process) != HD_NONE)
                lanes[(*n)++] = all[k];
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
        uint64_t *place = hd_map_add(&w.of_thread, (uint64_t)lanes[i].process << 32 | lanes[i].thread, &is_new);

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
    hd_load_request        again     = *load;
    hd_status              status;

    for (size_t i = 0; i < n_lanes; i++)
        if (n == 0 || processes[n - 1] != lanes[i].process) {
            processes[n] = lanes[i].process;
            threads[n++] = load->threads[place_of(load, lanes[i].process)];
        }
    again.processes   = processes;
    again.threads     = threads;
    again.n_processes = n;
    again.intervals   = false;
    again.n_done      = NULL;
    again.observer    = &observer;
    status            = hd_trace_load(&again, trace);
    free(processes);
    free(threads);
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
    const uint32_t *map = maps[place_of(load, l->process)];
    uint32_t        p   = 0;
    hd_excerpt      row = { .instance = l->instance, .process = l->process, .thread = l->thread,
                            .kind = HD_EXCERPT_CALL };

    while (trace->processes[p].process.v != l->process)
        p++;
    end_bundle(l, NULL);
    for (size_t i = 0; i < l->n; i++) {
        row.call_path = unified_path(&trace->processes[p].locations[l->thread], map, l->pieces[i].node);
        row.begin     = l->pieces[i].begin;
        row.end       = l->pieces[i].end;
        if (row.call_path != HD_NONE)
            hd_bytes_put(out, &row, sizeof row);
    }
    if (l->wait_path == HD_NONE || l->from >= l->until)
        return;
    row.kind      = HD_EXCERPT_WAIT;
    row.call_path = l->wait_path;
    row.begin     = l->from;
    row.end       = l->until;
    hd_bytes_put(out, &row, sizeof row);
}

static hd_status
find_hosted(const hd_load_request *load, uint32_t *const *maps, const hd_instance *instances, const uint32_t *numbers,
            uint32_t n_instances, hd_bytes *out)
{
    size_t    n;
    lane     *lanes  = hosted_lanes(load, instances, numbers, n_instances, &n);
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
compare_excerpts(const void *left, const void *right)
{
    const hd_excerpt *a = left, *b = right;

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
    excerpts->n   = sum / sizeof(hd_excerpt);
    excerpts->rows = (hd_excerpt *)(void *)all;
    if (excerpts->n > 1)
        qsort(excerpts->rows, excerpts->n, sizeof *excerpts->rows, compare_excerpts);
    free(n_bytes);
}

hd_status
hd_excerpts_find(hd_analysis_comm *analysis_comm, const hd_load_request *load, uint32_t *const *maps,
                 const hd_wait_statistics *statistics, hd_excerpts *excerpts)
{
    uint32_t     n       = 0;
    hd_instance *chosen  = NULL;
    uint32_t    *numbers = NULL;
    hd_bytes     own     = { 0 };
    hd_status    status;

    *excerpts = (hd_excerpts){ 0 };
    if (hd_analysis_comm_rank(analysis_comm).v == 0)
        n = n_pictures(statistics, &chosen, &numbers);
    hd_analysis_comm_broadcast(analysis_comm, &n, sizeof n, (hd_arank){ 0 });
    if (chosen == NULL) {
        chosen  = HD_NEW_ARRAY(hd_instance, (size_t)n + 1);
        numbers = HD_NEW_ARRAY(uint32_t, (size_t)n + 1);
    }
    hd_analysis_comm_broadcast(analysis_comm, chosen, n * sizeof *chosen, (hd_arank){ 0 });
    hd_analysis_comm_broadcast(analysis_comm, numbers, n * sizeof *numbers, (hd_arank){ 0 });
    status = hd_agree(analysis_comm, find_hosted(load, maps, chosen, numbers, n, &own));
    if (status == HD_OK)
        gather(analysis_comm, &own, excerpts);
    hd_bytes_fini(&own);
    free(chosen);
    free(numbers);
    return status;
}
